// Packs factors by their lines along the sum.
//
// The derivative of a convolution with respect to its weights sums over pixels. Its columns are
// taps of filters, which lie apart in the image, so each element of a strip would be looked for on
// its own. Along the sum, however, both factors lie in lines of pixels. With lanes along the rows
// of the result (mg_gemm_turn), rows of taps keep their lines and are copied in vectors, with
// conditions for the padding; only the other factor, which has no conditions, is transposed.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

// ---------------------------------------------------------------- finding them
// Are neighbours along a bound index so many elements apart in every read of the factor?
static bool lies(MgGemm *g, const MgSx *factor, uint32_t index, int64_t apart, bool *proved) {
    MgIxTable *t = g->s->ix;
    MgAccesses all = mg_accesses(g->s, g->unit->ops[0], factor, g->plain, MG_GEMM_SYMS);
    MgIx at, rest;
    *proved = true;
    for (uint32_t i = 0; i < all.n; i++) {
        const MgAccess *a = &all.at[i];
        *proved &= a->read->bounds == MG_BOUNDS_PROVED;
        if (a->read->bounds == MG_BOUNDS_CHECKED || !a->known ||
            !mg_ix_linear(t, a->address, mg_ix_index(t, index), &at, &rest) ||
            at != mg_ix_const(t, apart))
            return false;
    }
    return true;
}

static int64_t size_of(MgGemm *g, uint32_t index) {
    return mg_ix_const_or(g->s->ix, g->piece->indices[index].high, 0);
}

// The lines of a factor. Lines that follow one another, without conditions, are joined until they
// are whole vectors.
static MgGemmLines lines_of(MgGemm *g, const MgSx *factor) {
    bool proved;
    int64_t most = g->s->options->target.l2_bytes / 64; // of a panel's row, which stays in L1
    if (!g->k.n || !lies(g, factor, g->k.index[g->k.n - 1], 1, &proved))
        return (MgGemmLines){0};
    MgGemmLines l = {g->k.n - 1, size_of(g, g->k.index[g->k.n - 1])};
    while (l.outer && proved && l.length % g->lanes) {
        uint32_t next = g->k.index[l.outer - 1];
        if (!lies(g, factor, next, l.length, &proved))
            break;
        l.length *= size_of(g, next);
        l.outer--;
    }
    return l.length * (int64_t)mg_dtype_size(g->type) <= most ? l : (MgGemmLines){0};
}

// The number of columns that lie one after another.
static int64_t columns_in_row(MgGemm *g) {
    bool proved;
    uint32_t last = g->n.n ? g->n.index[g->n.n - 1] : 0;
    return g->n.n && lies(g, g->column.x, last, 1, &proved) ? size_of(g, last) : 1;
}

bool mg_gemm_lines_may_turn(MgGemm *g) {
    MgAtom atom;
    MgStrides n = mg_gemm_strides(g, g->column.x, MG_GEMM_N);
    if ((n.straight && !n.other) || mg_gemm_lies_along_k(g, g->column.x, MG_GEMM_N) ||
        mg_gemm_is_unchanging(g, g->column.x, &g->n) || g->m.known <= 0 || g->n.known <= 0 ||
        g->k.known <= 0 || g->lanes < 4 || mg_gemm_default_dot(g, &atom))
        return false; // they are packed once, or in whole vectors
    MgGemmLines lanes = lines_of(g, g->row.x);
    return lanes.length && lanes.length % g->lanes == 0 &&
           lines_of(g, g->column.x).length > columns_in_row(g);
}

void mg_gemm_find_lines(MgGemm *g) {
    bool turned = g->plan.transposed && !mg_gemm_is_unchanging(g, g->column.x, &g->n);
    g->row.lines = turned && g->plan.row_along_k ? lines_of(g, g->row.x) : (MgGemmLines){0};
    g->column.lines = turned && !g->plan.column_runs && !g->plan.columns_in_place
                          ? lines_of(g, g->column.x)
                          : (MgGemmLines){0};
}

int64_t mg_gemm_line_steps(const MgGemm *g) {
    int64_t a = g->row.lines.length, b = g->column.lines.length;
    return a > b ? a : b > 0 ? b : 1; // one is a multiple of the other
}

// ---------------------------------------------------------------- packing
// Sets the indices of a class to those of its element `number`.
static void set_element(MgGemm *g, MgKBlock *block, const MgGemmClass *class, uint32_t n,
                        const MgKx *number) {
    MgKernel *k = g->kb.k;
    mg_kb_positions(&g->kb, block, g->piece, class->index, n, number, g->at.loop);
    for (uint32_t i = n; i < class->n; i++)
        g->at.loop[class->index[i]] = num(k, 0);
}

// A loop over the lines of a block.
static const MgKx *each_line(MgGemm *g, MgKBlock **block, const MgGemmLines *l, const MgKx *k0,
                             const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *length = num(k, l->length);
    const MgKx *first = named(k, *block, "first", quotient(k, k0, length));
    Loop loop = each_of(k, *block, "line", quotient(k, kc, length));
    *block = loop.body;
    set_element(g, *block, &g->k, l->outer, named(k, *block, "no", add(k, first, loop.at)));
    return loop.at;
}

// A vector of a factor from step `at` of the line on.
static const MgKx *vector_of(MgGemm *g, MgKBlock *block, const MgSx *factor, const MgGemmLines *l,
                             const MgKx *at, const MgKx *mask) {
    MgKernel *k = g->kb.k;
    uint32_t last = g->k.index[g->k.n - 1];
    MgIx high[MG_GEMM_SYMS];
    memcpy(high, g->at.high, sizeof high);
    high[last] = mg_ix_const(g->s->ix, l->length); // several indices may have been joined
    g->at.loop[last] = at;
    MgPoint p = mg_gemm_point(g, g->unit->ops[0], block, (int)last, mask);
    p.with = g->plain;
    p.ranges.high = high;
    return mg_ksplat(k, mg_point_expr(&p, factor), g->lanes);
}

void mg_gemm_pack_row_lines(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                            const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgGemmLines *l = &g->row.lines;
    Loop rows = each_of(k, block, "r", num(k, mr));
    block = rows.body;
    set_element(g, block, &g->m, g->m.n, named(k, block, "m", add(k, m0, rows.at)));
    to = named(k, block, "to", add(k, to, times(k, rows.at, g->pitch)));
    const MgKx *line = each_line(g, &block, l, k0, kc);
    to = named(k, block, "to", add(k, to, times(k, line, l->length)));
    int64_t tail = l->length % g->lanes, whole = l->length - tail;
    if (whole) {
        Loop vectors = each_from(k, block, "v", num(k, 0), num(k, whole), g->lanes);
        const MgKx *x = vector_of(g, vectors.body, g->row.x, l, vectors.at, NULL);
        store(k, vectors.body, g->row.packed, add(k, to, vectors.at), x);
    }
    if (tail) {
        const MgKx *mask =
            named(k, block, "mask", lanes_below(k, num(k, 0), num(k, tail), g->lanes));
        const MgKx *x = vector_of(g, block, g->row.x, l, num(k, whole), mask);
        mg_kstore(k, block, g->row.packed, plus(k, to, whole), x, mask);
    }
}

void mg_gemm_pack_column_lines(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                               const MgKx *width, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgGemmLines *l = &g->column.lines;
    int64_t pitch = g->plan.nv * g->lanes;
    const MgKx *end = num(k, g->n.known - 1), *x[64];
    Loop strip = each_from(k, block, "vector", num(k, 0), width, g->lanes);
    block = strip.body;
    const MgKx *line = each_line(g, &block, l, k0, kc);
    Loop steps = each_from(k, block, "step", num(k, 0), num(k, l->length), g->lanes);
    block = steps.body;
    for (uint32_t i = 0; i < g->lanes; i++) { // columns past the last one are never stored
        const MgKx *n = plus(k, add(k, n0, strip.at), i);
        n = named(k, block, "n", least(k, n, end));
        set_element(g, block, &g->n, g->n.n, n);
        x[i] = named(k, block, "x", vector_of(g, block, g->column.x, l, steps.at, NULL));
    }
    mg_ktranspose(k, block, x, g->lanes); // vectors along the sum become vectors of columns
    const MgKx *at = add(k, times(k, line, l->length), steps.at);
    at = named(k, block, "at", add(k, add(k, to, times(k, at, pitch)), strip.at));
    for (uint32_t i = 0; i < g->lanes; i++)
        store(k, block, g->column.packed, plus(k, at, i * pitch), x[i]);
}
