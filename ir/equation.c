// Answers small questions about equations; see equation.h.
#include "ir/equation.h"

MgIx mg_index_points(MgIxTable *t, const MgIndex *indices, uint32_t n) {
    MgIx points = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < n; i++)
        points = mg_ix_mul(t, points, mg_index_extent(t, &indices[i]));
    return points;
}

bool mg_same_box(const MgPiece *a, const MgPiece *b, uint32_t n) {
    bool same = n <= a->n_indices && n <= b->n_indices;
    for (uint32_t i = 0; same && i < n; i++)
        same = a->indices[i].low == b->indices[i].low && a->indices[i].high == b->indices[i].high;
    return same;
}

MgIx mg_piece_points(MgIxTable *t, const MgPiece *p) {
    MgIx points = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < p->n_indices; i++) {
        MgIx extent = mg_index_extent(t, &p->indices[i]);
        points = mg_ix_mentions_index(t, extent) ? points : mg_ix_mul(t, points, extent);
    }
    return points;
}

MgIxRanges mg_piece_ranges(const MgPiece *piece, MgArena *arena) {
    MgIx *low = MG_NEW_N(arena, MgIx, piece->n_indices),
         *high = MG_NEW_N(arena, MgIx, piece->n_indices);
    for (uint32_t i = 0; i < piece->n_indices; i++) {
        low[i] = piece->indices[i].low;
        high[i] = piece->indices[i].high;
    }
    return (MgIxRanges){low, high, piece->n_indices};
}

MgIx mg_row_major(MgGraph *g, MgValueId v, const MgIx *subs) {
    const MgValue *value = mg_value(g, v);
    MgIxTable *t = g->module->ix;
    MgIx at = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < value->rank; i++)
        at = mg_ix_add(t, mg_ix_mul(t, at, value->shape[i]), subs[i]);
    return at;
}

bool mg_read_subs(const MgSx *read, MgIx *subs) {
    for (uint32_t i = 0; i < read->n_args; i++) {
        if (read->args[i]->kind != MG_SX_IX)
            return false;
        subs[i] = read->args[i]->ix;
    }
    return true;
}

static bool is_cast(const MgSx *x, MgDType to) {
    return x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST && x->dtype == to;
}

const MgSx *mg_sx_unrounded(const MgSx *x, MgDType stored) {
    MgDType compute = mg_dtype(stored)->compute;
    bool rounds = stored != compute && is_cast(x, compute) && is_cast(x->args[0], stored) &&
                  x->args[0]->args[0]->dtype == compute;
    return rounds ? x->args[0]->args[0] : x;
}

bool mg_sx_mentions(const MgModule *m, const MgSx *x, uint32_t position) {
    if (x->kind == MG_SX_IX)
        return mg_ix_mentions(m->ix, x->ix, mg_ix_index(m->ix, position));
    for (uint32_t i = 0; i < x->n_args; i++)
        if (mg_sx_mentions(m, x->args[i], position))
            return true;
    return x->otherwise && mg_sx_mentions(m, x->otherwise, position);
}

typedef struct Weight {
    const MgMachine *machine;
    double sum;
} Weight;

static void weigh(void *ctx, const MgSx *x) {
    Weight *w = ctx;
    if (x->kind != MG_SX_PRIM)
        return;
    bool divides = x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_SQRT,
         exponential = x->prim == MG_PRIM_EXP || x->prim == MG_PRIM_EXP2;
    w->sum += divides                                    ? w->machine->division
              : exponential                              ? w->machine->exponential
              : mg_prim(x->prim)->kind == MG_KIND_APPROX ? w->machine->function
                                                         : 1;
}

double mg_sx_instructions(const MgMachine *machine, const MgSx *x) {
    Weight w = {machine, 0};
    mg_sx_walk(x, weigh, &w);
    return w.sum;
}

typedef struct Varies {
    MgModule *m;
    MgArena *scratch;
    bool found;
} Varies;

static bool has_dimension(Varies *v, MgIx x) {
    MgIxSym *symbols;
    uint32_t position, n = mg_ix_symbols(v->m->ix, x, v->scratch, &symbols);
    for (uint32_t i = 0; i < n; i++)
        if (!mg_ix_sym_is_index(v->m->ix, symbols[i], &position))
            return true;
    return false;
}

static void find_varying(void *ctx, const MgSx *x) {
    Varies *v = ctx;
    if (x->kind == MG_SX_IX)
        v->found |= has_dimension(v, x->ix);
    v->found |= x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_CHECKED;
}

bool mg_sx_varies(MgModule *m, const MgSx *x, MgArena *scratch) {
    Varies v = {m, scratch, false};
    mg_sx_walk(x, find_varying, &v);
    return v.found;
}

bool mg_equation_varies(MgModule *m, const MgEquation *e, MgArena *scratch) {
    Varies v = {m, scratch, e->has_base};
    for (uint32_t p = 0; p < e->n_pieces && !v.found; p++) {
        const MgPiece *piece = &e->pieces[p];
        v.found |= piece->scatter;
        mg_sx_walk(piece->expr, find_varying, &v);
        for (uint32_t i = 0; i < piece->n_indices; i++)
            v.found |= has_dimension(&v, piece->indices[i].low) ||
                       has_dimension(&v, piece->indices[i].high);
    }
    return v.found;
}

typedef struct Sum {
    MgModule *m;
    const MgIx *with;
    uint32_t n;
    bool ok;
} Sum;

static void check_sum(void *ctx, const MgSx *x) {
    Sum *s = ctx;
    if (x->kind == MG_SX_IX)
        s->ok &= mg_ix_subst_indices(s->m->ix, x->ix, s->with, s->n) == x->ix;
}

bool mg_sx_depends_on_sum(MgModule *m, const MgSx *x, uint32_t a, uint32_t b, int64_t factor) {
    enum { MOST = 64 };
    MgIx with[MOST];
    if (a >= MOST || b >= MOST || !mg_sx_mentions(m, x, a) || !mg_sx_mentions(m, x, b))
        return false;
    for (uint32_t i = 0; i < MOST; i++)
        with[i] = mg_ix_idx(m->ix, i);
    // a + factor * b for a and 0 for b: x must stay
    with[a] = mg_ix_add(m->ix, with[a], mg_ix_mul(m->ix, with[b], mg_ix_const(m->ix, factor)));
    with[b] = mg_ix_const(m->ix, 0);
    Sum s = {m, with, MOST, true};
    mg_sx_walk(x, check_sum, &s);
    return s.ok;
}

bool mg_piece_sums_products(const MgPiece *p) {
    return p->reducer == MG_REDUCE_SUM && p->expr->kind == MG_SX_PRIM &&
           p->expr->prim == MG_PRIM_MUL;
}

MgContraction mg_piece_contraction(const MgModule *m, const MgPiece *p) {
    bool own[2] = {false, false};
    if (!mg_piece_sums_products(p))
        return MG_NO_CONTRACTION;
    for (uint32_t k = 0; k < p->n_free && !(own[0] && own[1]); k++) {
        bool first = mg_sx_mentions(m, p->expr->args[0], k);
        bool second = mg_sx_mentions(m, p->expr->args[1], k);
        own[0] |= first && !second;
        own[1] |= second && !first;
    }
    return own[0] && own[1]   ? MG_CONTRACTS_MATRICES
           : own[0] || own[1] ? MG_CONTRACTS_VECTORS
                              : MG_CONTRACTS_ROWS;
}

bool mg_piece_is_plain(MgGraph *g, const MgPiece *piece, MgValueId result) {
    const MgValue *v = mg_value(g, result);
    MgIxTable *t = g->module->ix;
    if (piece->n_free != v->rank || piece->scatter)
        return false;
    for (uint32_t i = 0; i < v->rank; i++)
        if (piece->target[i].n_tuple || piece->target[i].sub->kind != MG_SX_IX ||
            piece->target[i].sub->ix != mg_ix_idx(t, i) ||
            piece->indices[i].low != mg_ix_const(t, 0) || piece->indices[i].high != v->shape[i])
            return false;
    return true;
}

bool mg_piece_is_scanned(const MgModule *m, const MgPiece *piece) {
    for (uint32_t i = 0; i < piece->n_indices; i++)
        if (mg_ix_mentions_index(m->ix, piece->indices[i].low) ||
            mg_ix_mentions_index(m->ix, piece->indices[i].high))
            return true;
    return false;
}

uint32_t mg_graph_facts(MgGraph *g, MgArena *arena, MgIx **facts) {
    *facts = MG_NEW_N(arena, MgIx, g->requires.len);
    for (uint32_t i = 0; i < g->requires.len; i++)
    (*facts)[i] = g->requires.at[i].nonnegative;
    return g->requires.len;
}

MgProof mg_inside(MgIxTable *t, MgIx sub, MgIx extent, const MgIxRanges *ranges, const MgIx *facts,
                  uint32_t n_facts) {
    MgIx room = mg_ix_sub(t, mg_ix_sub(t, extent, sub), mg_ix_const(t, 1));
    MgProof low = mg_ix_nonnegative(t, sub, ranges, facts, n_facts);
    if (low == MG_REFUTED)
        return MG_REFUTED;
    MgProof high = mg_ix_nonnegative(t, room, ranges, facts, n_facts);
    return high == MG_REFUTED                      ? MG_REFUTED
           : low == MG_PROVED && high == MG_PROVED ? MG_PROVED
                                                   : MG_UNKNOWN;
}

static MgIx known_value(MgIxTable *t, const MgSx *x) {
    return x->kind == MG_SX_IX ? x->ix : mg_ix_const(t, mg_bits_to_int(x->dtype, x->bits));
}

// 0 <= a mod n <= n - 1 for n > 0
static bool modulus_within(MgIxTable *t, const MgSx *n, MgIx bound, bool at_least,
                           MgNonnegative *nonnegative, void *ctx) {
    if (n->kind != MG_SX_IX && n->kind != MG_SX_CONST)
        return false;
    MgIx last = mg_ix_sub(t, known_value(t, n), mg_ix_const(t, 1));
    return nonnegative(ctx, last) &&
           nonnegative(ctx, at_least ? mg_ix_neg(t, bound) : mg_ix_sub(t, bound, last));
}

bool mg_sub_within(MgIxTable *t, const MgSx *sub, MgIx bound, bool at_least,
                   MgNonnegative *nonnegative, void *ctx) {
    if (sub->kind == MG_SX_IX || sub->kind == MG_SX_CONST) {
        MgIx x = known_value(t, sub);
        return nonnegative(ctx, at_least ? mg_ix_sub(t, x, bound) : mg_ix_sub(t, bound, x));
    }
    if (sub->kind != MG_SX_PRIM)
        return false;
    if (sub->prim == MG_PRIM_FMOD)
        return modulus_within(t, sub->args[1], bound, at_least, nonnegative, ctx);
    bool min = sub->prim == MG_PRIM_MIN, either = min != at_least;
    if (!min && sub->prim != MG_PRIM_MAX && sub->prim != MG_PRIM_WHERE)
        return false;
    uint32_t first = sub->prim == MG_PRIM_WHERE;
    bool one = mg_sub_within(t, sub->args[first], bound, at_least, nonnegative, ctx);
    if (!first && one == either) // an upper bound of a min needs only one operand
        return one;
    return (first ? one : true) &&
           mg_sub_within(t, sub->args[first + 1], bound, at_least, nonnegative, ctx);
}

typedef struct Known {
    MgIxTable *t;
    const MgIxRanges *ranges;
    const MgIx *facts;
    uint32_t n_facts;
} Known;

static bool is_nonnegative(void *ctx, MgIx x) {
    const Known *k = ctx;
    return mg_ix_nonnegative(k->t, x, k->ranges, k->facts, k->n_facts) == MG_PROVED;
}

MgProof mg_read_inside(MgGraph *g, const MgOp *op, const MgSx *read, const MgIxRanges *ranges,
                       const MgIx *facts, uint32_t n_facts) {
    MgIxTable *t = g->module->ix;
    const MgIx *shape = mg_value(g, op->operands[read->operand])->shape;
    Known known = {t, ranges, facts, n_facts};
    bool all = true;
    for (uint32_t i = 0; i < read->n_args; i++) {
        const MgSx *sub = read->args[i];
        MgProof one = MG_UNKNOWN;
        if (sub->kind == MG_SX_IX)
            one = mg_inside(t, sub->ix, shape[i], ranges, facts, n_facts);
        else if (all && mg_sub_within(t, sub, mg_ix_const(t, 0), true, is_nonnegative, &known) &&
                 mg_sub_within(t, sub, mg_ix_sub(t, shape[i], mg_ix_const(t, 1)), false,
                               is_nonnegative, &known))
            one = MG_PROVED;
        if (one == MG_REFUTED)
            return MG_REFUTED;
        all &= one == MG_PROVED;
    }
    return all ? MG_PROVED : MG_UNKNOWN;
}
