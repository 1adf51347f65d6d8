// The choices of the group schedule: which outer indices become one loop, which index runs along
// the lanes.
#include "passes/schedule/group/group.h"

#include "ir/equation.h"

#include <math.h>

// ---------------------------------------------------------------- merging contiguous indices
typedef struct Merge {
    MgGroup *gr;
    MgIxSym a, b; // a is outside b
    MgIx extent;  // of b
    bool ok;
} Merge;

static bool address_merges(Merge *m, MgIx address) {
    MgIxTable *t = m->gr->s->ix;
    MgIx ca, cb, rest;
    if (!mg_ix_linear(t, address, m->a, &ca, &rest) || !mg_ix_linear(t, address, m->b, &cb, &rest))
        return false;
    return ca == mg_ix_mul(t, cb, m->extent);
}

// Do the reads of a nest merge both indices?
static bool reads_merge(Merge *m, const MgGroupNest *n) {
    MgSched *s = m->gr->s;
    MgAccesses all = mg_accesses(s, n->op, n->piece->expr, m->gr->with, MG_GROUP_LOOPS);
    for (uint32_t r = 0; r < all.n; r++) {
        const MgAccess *a = &all.at[r];
        if (!a->known)
            return false;
        for (uint32_t i = 0; i < a->read->n_args && a->read->bounds != MG_BOUNDS_PROVED; i++) {
            MgIx sub =
                mg_ix_subst_indices(s->ix, a->read->args[i]->ix, m->gr->with, MG_GROUP_LOOPS);
            if (mg_ix_mentions(s->ix, sub, m->a) || mg_ix_mentions(s->ix, sub, m->b))
                return false;
        }
        if (!mg_unit_def(m->gr->unit, s->g, a->value) && !address_merges(m, a->address))
            return false;
    }
    return true;
}

static void merge_value(void *ctx, const MgSx *x) {
    Merge *m = ctx;
    MgIxTable *t = m->gr->s->ix;
    if (x->kind != MG_SX_PRIM)
        return;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (x->args[i]->kind == MG_SX_IX) {
            MgIx ix = mg_ix_subst_indices(t, x->args[i]->ix, m->gr->with, MG_GROUP_LOOPS);
            if (mg_ix_mentions(t, ix, m->a) || mg_ix_mentions(t, ix, m->b))
                m->ok = false;
        }
}

MgIx mg_group_target(MgGroup *gr, const MgGroupNest *n) {
    return mg_target_address(gr->s, n->piece, n->result, gr->with, MG_GROUP_LOOPS, 0);
}

MgIx mg_group_rows(const MgGroup *gr) {
    MgIx rows = mg_ix_const(gr->s->ix, 1);
    for (uint32_t i = 0; i < gr->depth; i++)
        rows = mg_ix_mul(gr->s->ix, rows, mg_group_extent(gr, i));
    return rows;
}

MgKBufId mg_group_place(MgGroup *gr, const char *name, MgDType type, MgIx parts) {
    return mg_kb_common(&gr->kb, name, type, mg_ix_mul(gr->s->ix, mg_group_rows(gr), parts));
}

// May indices p and q, the next live one, become one loop over their product?
static bool can_merge(MgGroup *gr, uint32_t p, uint32_t q) {
    MgIxTable *t = gr->s->ix;
    if (mg_ix_const_or(t, gr->low[p], 1) || mg_ix_const_or(t, gr->low[q], 1))
        return false;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        Merge m = {gr, mg_ix_index(t, p), mg_ix_index(t, q), gr->high[q], true};
        if (n->piece->expr->kind == MG_SX_IX)
            return false;
        mg_sx_walk(n->piece->expr, merge_value, &m);
        for (uint32_t b = n->piece->n_free; b < n->piece->n_indices; b++)
            if (mg_ix_mentions(t, n->piece->indices[b].low, m.a) ||
                mg_ix_mentions(t, n->piece->indices[b].low, m.b) ||
                mg_ix_mentions(t, n->piece->indices[b].high, m.a) ||
                mg_ix_mentions(t, n->piece->indices[b].high, m.b))
                return false;
        if (!m.ok || !reads_merge(&m, n) || !address_merges(&m, mg_group_target(gr, n)))
            return false;
    }
    return true;
}

bool mg_group_join(MgGroup *gr, const uint32_t *axes, uint32_t n) {
    MgIxTable *t = gr->s->ix;
    bool one = true;
    uint32_t q = n ? axes[n - 1] : 0;
    for (uint32_t i = n ? n - 1 : 0; i-- > 0;) {
        uint32_t p = axes[i];
        if (gr->collapsed[p])
            continue;
        if (!can_merge(gr, p, q)) {
            one = false;
            q = p;
            continue;
        }
        gr->high[q] = mg_ix_mul(t, gr->high[p], gr->high[q]);
        gr->with[p] = mg_ix_const(t, 0);
        gr->collapsed[p] = true;
    }
    return one;
}

void mg_group_merge(MgGroup *gr) {
    uint32_t axes[MG_GROUP_LOOPS];
    for (uint32_t i = 0; i < gr->depth; i++)
        axes[i] = i;
    mg_group_join(gr, axes, gr->depth);
}

// ---------------------------------------------------------------- choosing the vector index
typedef struct Score {
    MgGroup *gr;
    const MgOp *op;
    MgIxSym sym;
    double cost;
    bool found, scalar;
} Score;

static void see_symbol(void *ctx, const MgSx *x) {
    Score *sc = ctx;
    sc->found |=
        x->kind == MG_SX_IX &&
        mg_ix_mentions(sc->gr->s->ix,
                       mg_ix_subst_indices(sc->gr->s->ix, x->ix, sc->gr->with, MG_GROUP_LOOPS),
                       sc->sym);
}

// Is a subscript that depends on data the same along the lanes?
static bool uniform(Score *sc, const MgSx *sub) {
    sc->found = false;
    mg_sx_walk(sub, see_symbol, sc);
    return !sc->found;
}

// Reads, and functions that take as long as many operations: both are as many for a vector whose
// lanes are idle.
static void score(void *ctx, const MgSx *x) {
    Score *sc = ctx;
    MgIxTable *t = sc->gr->s->ix;
    const MgMachine *machine = &sc->gr->s->options->target.machine;
    if (x->kind == MG_SX_PRIM && mg_prim(x->prim)->kind == MG_KIND_APPROX)
        sc->cost += machine->approx / machine->operation;
    if (x->kind != MG_SX_READ)
        return;
    MgValueId v = sc->op->operands[x->operand];
    const MgKbValue *source = mg_kb_local(&sc->gr->kb, v);
    if (source && source->reg)
        return;
    if (sc->scalar) {
        sc->cost++;
        return;
    }
    MgIx subs[64];
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind == MG_SX_IX) {
            subs[i] = mg_ix_subst_indices(t, x->args[i]->ix, sc->gr->with, MG_GROUP_LOOPS);
        } else if (uniform(sc, x->args[i])) {
            subs[i] = mg_ix_const(t, 0); // the position doesn't matter
        } else {
            sc->cost += machine->gather_loads;
            return;
        }
    }
    MgIx address = mg_address(sc->gr->s, v, subs, x->n_args, source ? source->depth : 0);
    if (!mg_ix_mentions(t, address, sc->sym))
        sc->cost += machine->splat_load;
    else if (mg_moves_by_one(t, address, sc->sym))
        sc->cost += 1;
    else
        sc->cost += machine->gather_loads;
}

// The cost of combining lanes along v, the last summed index, for each vector of terms. Lanes are
// halved until one is left, which costs more if each has a position beside its value. It doesn't
// matter for a long sum; it does for a window of four elements.
static double fold_cost(MgGroup *gr, const MgPiece *p, uint32_t v, uint32_t lanes) {
    MgIxTable *t = gr->s->ix;
    double vectors = 1, halvings = 0;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        double extent = (double)mg_ix_const_or(t, mg_group_extent(gr, b), 1 << 20);
        vectors *= b == v ? (double)(int64_t)((extent + lanes - 1) / lanes) : extent;
    }
    for (uint32_t left = lanes; left > 1; left /= 2)
        halvings += mg_group_folds(p->reducer) ? 1 : 4;
    double cost = vectors > 0 ? halvings / vectors : 0;
    return cost > 0.5 ? cost : 0.5;
}

// How often a point of the nest computes its expression.
static double terms_of(MgGroup *gr, const MgPiece *p) {
    MgIxTable *t = gr->s->ix;
    MgIx points = mg_index_points(t, p->indices + p->n_free, p->n_indices - p->n_free);
    return fmax(1, (double)mg_ix_likely(t, points));
}

// The cost of running the nests vectorised along loop symbol v, for a point of each lane; lower is
// better.
static double vector_cost(MgGroup *gr, const MgGroupNest *nests, uint32_t n, uint32_t v, bool bound,
                          uint32_t lanes) {
    MgIxTable *t = gr->s->ix;
    Score sc = {.gr = gr, .sym = mg_ix_index(t, v)};
    double all = 0;
    for (uint32_t i = 0; i < n; i++) {
        const MgPiece *p = nests[i].piece;
        sc.op = mg_op(gr->s->g, nests[i].op);
        sc.cost = bound ? fold_cost(gr, p, v, lanes) : 0;
        mg_sx_walk(p->expr, score, &sc);
        all += (sc.cost + 0.5) * terms_of(gr, p);
        if (!bound && !mg_moves_by_one(t, mg_group_target(gr, &nests[i]), sc.sym))
            all += gr->s->options->target.machine.gather_loads;
    }
    double extent = (double)mg_ix_const_or(t, mg_group_extent(gr, v), 1 << 20);
    double trips = (double)(int64_t)((extent + lanes - 1) / lanes);
    return all * (extent > 0 ? trips * lanes / extent : 1);
}

double mg_group_scalar(MgGroup *gr, const MgGroupNest *n) {
    Score sc = {.gr = gr, .op = mg_op(gr->s->g, n->op), .scalar = true};
    mg_sx_walk(n->piece->expr, score, &sc);
    return (sc.cost + 0.5) * terms_of(gr, n->piece);
}

bool mg_group_folds(MgReducer r) {
    return r != MG_REDUCE_ARGMAX && r != MG_REDUCE_ARGMIN;
}

// Does a range in the nests depend on index v? Then v can't run along lanes.
static bool ranges_follow(MgGroup *gr, const MgGroupNest *nests, uint32_t n, uint32_t v) {
    MgIxTable *t = gr->s->ix;
    MgIxSym sym = mg_ix_index(t, v);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = v + 1; b < nests[i].piece->n_indices; b++)
            if (mg_ix_mentions(t, nests[i].piece->indices[b].low, sym) ||
                mg_ix_mentions(t, nests[i].piece->indices[b].high, sym))
                return true;
    return false;
}

// The cheapest vector index of nests over the loops [first_free, n_free); for a single nest, its
// bound indices are also considered. -1: scalar code.
int mg_group_vector(MgGroup *gr, const MgGroupNest *nests, uint32_t n, uint32_t first_free,
                    uint32_t n_free, uint32_t lanes, double *least) {
    if (least)
        *least = 1e30;
    if (lanes < 2)
        return -1;
    int best = -1;
    double best_cost = 1e30;
    for (uint32_t v = first_free; v < n_free; v++) {
        if (gr->collapsed[v] || ranges_follow(gr, nests, n, v))
            continue;
        double cost = vector_cost(gr, nests, n, v, false, lanes);
        if (cost <= best_cost) {
            best_cost = cost;
            best = (int)v;
        }
    }
    const MgPiece *p = nests[0].piece;
    if (n == 1 && mg_piece_reduces(p) && (mg_group_folds(p->reducer) || mg_group_places(gr, p))) {
        uint32_t v = p->n_indices - 1;
        double cost = vector_cost(gr, nests, 1, v, true, lanes);
        if (cost < best_cost) {
            best_cost = cost;
            best = (int)v;
        }
    }
    if (least)
        *least = best_cost;
    return best;
}

// Makes the nest's own indices, which follow the shared ones, the current loop symbols.
void mg_group_enter(MgGroup *gr, const MgGroupNest *n) {
    for (uint32_t i = gr->depth; i < n->piece->n_indices; i++) {
        gr->with[i] = mg_ix_idx(gr->s->ix, i);
        gr->low[i] = n->piece->indices[i].low;
        gr->high[i] = n->piece->indices[i].high;
    }
}

// ---------------------------------------------------------------- types and lanes
// The bits of the widest type in which x is computed; subscripts are computed in addition to the
// data.
static uint32_t widest(const MgSx *x) {
    uint32_t bits = x->dtype == MG_BOOL ? 8 : mg_dtype(x->dtype)->bits;
    if (x->kind == MG_SX_IX && bits == 64)
        bits = 32;
    uint32_t n = x->kind == MG_SX_PRIM ? x->n_args : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t b = widest(x->args[i]);
        bits = b > bits ? b : bits;
    }
    if (x->kind == MG_SX_READ && x->otherwise) {
        uint32_t b = widest(x->otherwise);
        bits = b > bits ? b : bits;
    }
    return bits;
}

uint32_t mg_group_lanes(MgGroup *gr, const MgGroupNest *nests, uint32_t n) {
    uint32_t bits = 8;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t b = widest(nests[i].piece->expr);
        bits = b > bits ? b : bits;
    }
    return mg_kb_lanes(&gr->kb, bits == 64   ? MG_F64
                                : bits == 32 ? MG_F32
                                : bits == 16 ? MG_F16
                                             : MG_I8);
}

static void see_chain(void *ctx, const MgSx *x) {
    bool *chains = ctx;
    *chains |= x->kind == MG_SX_PRIM && x->dtype == MG_F32 &&
               mg_prim(x->prim)->kind == MG_KIND_APPROX && x->prim != MG_PRIM_RSQRT;
}

// Reductions take several vectors at once, so that independent additions hide their latency.
// Polynomials take two, whose chains of multiply-adds then overlap.
uint32_t mg_group_widen(MgGroup *gr, const MgGroupNest *nests, uint32_t n, int vector,
                        uint32_t lanes) {
    bool reduces = false, chains = false;
    for (uint32_t i = 0; i < n; i++) {
        reduces |= nests[i].piece->n_indices > nests[i].piece->n_free;
        mg_sx_walk(nests[i].piece->expr, see_chain, &chains);
    }
    if ((!reduces && !chains) || vector < 0 || gr->s->options->level < 2)
        return lanes;
    uint32_t most = gr->s->options->target.max_lanes;
    int64_t extent = mg_ix_const_or(gr->s->ix, mg_group_extent(gr, vector), 1 << 20);
    for (int i = reduces ? 0 : 1;
         i < 2 && extent >= 2 * (int64_t)lanes && (!most || 2 * lanes <= most); i++)
        lanes *= 2;
    return lanes;
}
