// Recognising a contraction, y[batch, m, n] = sum[k] a(batch, m, k) * b(batch, n, k), by structure:
// a float sum of a product whose factors share the bound indices and split the free ones. Each
// class of indices (rows m, columns n, bound k) is walked as one flattened loop; the normal form of
// the addresses makes contiguous ones plain again. Factors may be any expressions.
#include "passes/row_end.h"
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/form.h"
#include "passes/schedule/words.h"

// The indices that x mentions, as bits.
static uint64_t indices_of(const MgGemm *g, const MgSx *x) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < g->piece->n_indices; i++)
        seen |= (uint64_t)mg_sx_mentions(g->s->m, x, i) << i;
    return seen;
}

static void add_index(MgGemm *g, MgGemmClass *c, uint32_t i) {
    c->index[c->n++] = i;
    const MgIndex *index = &g->piece->indices[i];
    c->extent = mg_ix_mul(g->s->ix, c->extent, mg_ix_sub(g->s->ix, index->high, index->low));
}

// Does column index i interrupt the order in which the other columns in `bits` lie in memory? The
// image number does if the channels lie between. Then a vector of columns may span two places, and
// its addresses must be computed lane by lane. So i gets a loop of its own, if the others fill
// vectors.
static bool stands_apart(MgGemm *g, MgIx address, uint64_t bits, uint32_t i) {
    enum { MANY = 256 };
    MgIxTable *t = g->s->ix;
    const MgPiece *p = g->piece;
    MgIx here, next, rest, inner = mg_ix_const(t, 1);
    int64_t n = MANY;
    uint32_t j = i + 1;
    if (g->s->options->target.gpu) // the tiles of a GPU take any columns
        return false;
    while (j < p->n_free && !(bits >> j & 1))
        j++;
    for (uint32_t k = j; k < p->n_free; k++)
        if (bits >> k & 1)
            inner = mg_ix_mul(t, inner, p->indices[k].high);
    return j < p->n_free && mg_ix_linear(t, address, mg_ix_index(t, i), &here, &rest) &&
           mg_ix_linear(t, address, mg_ix_index(t, j), &next, &rest) &&
           here != mg_ix_mul(t, next, p->indices[j].high) &&
           (!mg_ix_is_const(t, inner, &n) || n >= MANY);
}

static bool classify(MgGemm *g) {
    MgIxTable *t = g->s->ix;
    const MgPiece *p = g->piece;
    uint64_t a = indices_of(g, g->row.x), b = indices_of(g, g->column.x);
    MgIx address = mg_unit_target(g->s, g->unit->ops[0], NULL, 0);
    // Columns are the class along which the result is contiguous.
    for (uint32_t i = 0; i < p->n_free; i++)
        if (mg_moves_by_one(t, address, mg_ix_index(t, i)) && (a >> i & 1) && !(b >> i & 1)) {
            const MgSx *swap = g->row.x;
            g->row.x = g->column.x;
            g->column.x = swap;
            uint64_t bits = a;
            a = b;
            b = bits;
            break;
        }
    MgIx one = mg_ix_const(t, 1);
    g->m.extent = g->n.extent = g->k.extent = g->batch.extent = one;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        bool in_a = a >> i & 1, in_b = b >> i & 1;
        if (i >= p->n_free)
            add_index(g, &g->k, i);
        else if (in_a != in_b && !(in_b && stands_apart(g, address, b & ~a, i)))
            add_index(g, in_a ? &g->m : &g->n, i);
        else
            add_index(g, &g->batch, i);
    }
    MgGemmClass *all[] = {&g->m, &g->n, &g->k, &g->batch};
    for (int c = 0; c < 4; c++)
        if (!mg_ix_is_const(t, all[c]->extent, &all[c]->known))
            all[c]->known = -1;
    return g->m.n && g->n.n && mg_moves_by_one(t, address, mg_ix_index(t, g->n.index[g->n.n - 1]));
}

// Turns the indices of a flattened class into digits of a position in it, which its symbol counts.
static void flatten(MgGemm *g, const MgGemmClass *c, uint32_t sym, MgIx place) {
    MgIxTable *t = g->s->ix;
    MgIx left = place, one = mg_ix_const(t, 1);
    uint32_t first = 0; // an index with one point is not a digit
    while (first + 1 < c->n && g->piece->indices[c->index[first]].high == one)
        first++;
    for (uint32_t i = c->n; i-- > 0;) { // one division after another, so that exact divisions
                                        // cancel
        const MgIndex *index = &g->piece->indices[c->index[i]];
        MgIx digit = i > first ? mg_ix_mod(t, left, index->high) : left;
        g->at.with[c->index[i]] = i < first ? mg_ix_const(t, 0) : digit;
        left = mg_ix_div(t, left, index->high);
    }
    g->at.low[sym] = mg_ix_const(t, 0);
    g->at.high[sym] = c->extent;
}

static bool find(MgGemm *g) {
    const MgUnit *unit = g->unit;
    const MgPiece *p = g->piece = mg_form_box(g->s, unit);
    if (!p)
        return false;
    const MgSx *x = p->expr;
    bool whole = x->dtype == MG_I32 || (g->s->options->target.gpu && x->dtype == MG_I64);
    if (!mg_piece_sums_products(p) || p->scatter || p->n_indices > MG_GEMM_INDICES ||
        (x->dtype != MG_F32 && x->dtype != MG_F64 && !whole))
        return false;
    g->type = g->words.type = x->dtype;
    g->words.per_word = 1;
    g->kb.s = g->s;
    g->lanes = mg_kb_lanes(&g->kb, g->type);
    g->row.x = x->args[0];
    g->column.x = x->args[1];
    if (mg_unit_has_epilogue(g->s, g->unit))
        return classify(g);
    g->row_end =
        !g->s->options->target.gpu &&
        !mg_row_end_misfit(g->s->g, &g->s->options->target.machine, unit->ops, unit->n_ops, NULL);
    return g->row_end && classify(g) && g->n.n == 1 && g->n.index[0] + 1 == p->n_free &&
           !g->batch.n;
}

void mg_gemm_set_symbols(MgGemm *g) {
    for (uint32_t i = 0; i < MG_GEMM_SYMS; i++) {
        bool used = i < g->piece->n_indices;
        g->at.with[i] = g->plain[i] = mg_ix_idx(g->s->ix, i);
        g->at.low[i] = mg_ix_const(g->s->ix, 0);
        g->at.high[i] = used ? g->piece->indices[i].high : mg_ix_const(g->s->ix, 1);
    }
    MgIxTable *t = g->s->ix;
    MgIx step = mg_ix_mul(t, mg_ix_idx(t, MG_GEMM_K), mg_ix_const(t, g->words.per_word));
    if (g->words.used) {
        step = mg_ix_add(t, step, mg_ix_idx(t, MG_GEMM_J));
        g->at.high[MG_GEMM_J] = mg_ix_const(t, g->words.per_word);
    }
    flatten(g, &g->m, MG_GEMM_M, mg_ix_idx(t, MG_GEMM_M));
    flatten(g, &g->n, MG_GEMM_N, mg_ix_idx(t, MG_GEMM_N));
    flatten(g, &g->k, MG_GEMM_K, step);
}

bool mg_gemm_find(MgGemm *g) {
    if (!find(g))
        return false;
    mg_gemm_set_symbols(g);
    return true;
}

void mg_gemm_begin(MgGemm *g) {
    mg_kb_begin(&g->kb, g->s, g->unit, "contraction");
    for (uint32_t i = 0; i < MG_GEMM_SYMS; i++)
        g->at.loop[i] = num(g->kb.k, 0);
}

// The value of a read, and its address over the symbols of the classes; false if the address
// depends on data.
bool mg_gemm_read_address(MgGemm *g, const MgSx *x, MgValueId *v, MgIx *address) {
    *v = mg_op(g->s->g, g->unit->ops[0])->operands[x->operand];
    return mg_read_address(g->s, *v, x, g->at.with, MG_GEMM_SYMS, address);
}

MgAccesses mg_gemm_accesses(MgGemm *g, const MgSx *factor) {
    return mg_accesses(g->s, g->unit->ops[0], factor, g->at.with, MG_GEMM_SYMS);
}

MgStrides mg_gemm_strides(MgGemm *g, const MgSx *factor, uint32_t sym) {
    MgAccesses all = mg_gemm_accesses(g, factor);
    MgStrides n = {0, 0, 0};
    for (uint32_t i = 0; i < all.n; i++) {
        bool proved = all.at[i].read->bounds == MG_BOUNDS_PROVED;
        MgMove along = proved ? mg_moves(g->s, &all.at[i], sym) : MG_JUMPS;
        uint32_t *counter[] = {&n.fixed, &n.straight, &n.other};
        ++*counter[along];
    }
    return n;
}

bool mg_gemm_runs(MgGemm *g, const MgSx *factor, const MgGemmClass *class, MgIx *with) {
    memcpy(with, g->at.with, sizeof g->at.with);
    for (uint32_t i = 0; i < class->n; i++)
        with[class->index[i]] = mg_ix_idx(g->s->ix, class->index[i]);
    if (!class->n)
        return false;
    uint32_t last = class->index[class->n - 1];
    MgAccesses all = mg_accesses(g->s, g->unit->ops[0], factor, with, MG_GEMM_SYMS);
    MgIxRanges ranges = {g->at.low, g->at.high, MG_GEMM_SYMS};
    bool some = false;
    for (uint32_t i = 0; i < all.n; i++) {
        const MgAccess *a = &all.at[i];
        MgMove along = mg_moves(g->s, a, last);
        if (along == MG_JUMPS ||
            !mg_read_is_inside_along(g->s, a->value, a->read, with, MG_GEMM_SYMS, &ranges,
                                     mg_ix_index(g->s->ix, last)))
            return false;
        some |= along == MG_STEPS;
    }
    return some;
}

// ---------------------------------------------------------------- layouts of factors
bool mg_gemm_rows_along_k(MgGemm *g) {
    MgAccesses all = mg_gemm_accesses(g, g->row.x);
    for (uint32_t i = 0; i < all.n; i++)
        if (mg_moves(g->s, &all.at[i], MG_GEMM_M) == MG_STEPS &&
            mg_moves(g->s, &all.at[i], mg_gemm_step(g)) != MG_STEPS)
            return false;
    return true;
}

bool mg_gemm_plain_address(MgGemm *g, const MgSx *x, MgIx *address) {
    MgValueId v;
    return x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_PROVED &&
           mg_gemm_read_address(g, x, &v, address) && mg_value(g->s->g, v)->dtype == g->type;
}

bool mg_gemm_rows_may_lie(MgGemm *g, MgIx *rows_at, int64_t *pitch) {
    MgIxTable *t = g->s->ix;
    MgIx address, at[2], plain[MG_GEMM_SYMS];
    if (g->words.used || g->m.known == 0 || g->k.known <= 0 || !mg_gemm_rows_along_k(g) ||
        mg_gemm_is_unchanging(g, g->row.x, &g->m) || !mg_gemm_plain_address(g, g->row.x, &address))
        return false;
    for (int m = 0; m < 2; m++) {
        memcpy(plain, g->plain, sizeof plain);
        plain[MG_GEMM_M] = mg_ix_const(t, m);
        plain[MG_GEMM_K] = mg_ix_const(t, 0);
        at[m] = mg_ix_subst_indices(t, address, plain, MG_GEMM_SYMS);
    }
    if (!mg_ix_is_const(t, mg_ix_sub(t, at[1], at[0]), pitch) || *pitch < g->k.known ||
        *pitch > 2 * g->k.known)
        return false;
    MgIx rows = mg_ix_mul(t, g->plain[MG_GEMM_M], mg_ix_const(t, *pitch));
    *rows_at = address;
    return address == mg_ix_add(t, at[0], mg_ix_add(t, rows, g->plain[MG_GEMM_K]));
}

// ---------------------------------------------------------------- factors that never change
bool mg_gemm_follows_batch(const MgGemm *g, const MgSx *factor) {
    for (uint32_t i = 0; i < g->batch.n; i++)
        if (mg_sx_mentions(g->s->m, factor, g->batch.index[i]))
            return true;
    return false;
}

bool mg_gemm_is_unchanging(MgGemm *g, const MgSx *factor, const MgGemmClass *class) {
    return class->known > 0 && g->k.known > 0 &&
           (g->batch.known > 0 || !mg_gemm_follows_batch(g, factor)) &&
           mg_plan_ahead(g->s, g->unit->ops[0], factor);
}
