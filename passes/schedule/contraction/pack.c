// Packs the factors of a contraction: rows to panels, columns to strips.
//
// Any factor can be packed element by element: lanes walk flattened positions, and each position is
// split into subscripts again. runs.c packs a plain read whose elements lie in runs.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

const MgKx *mg_gemm_extent(MgGemm *g, const MgGemmClass *cl) {
    return mg_kb_ix(&g->kb, cl->extent, g->at.loop);
}

bool mg_gemm_strips_are_whole(const MgGemm *g) {
    MgIxTable *t = g->s->ix;
    MgIx width = mg_ix_const(t, (int64_t)g->plan.nv * g->lanes);
    return mg_ix_const_or(t, mg_ix_mod(t, g->n.extent, width), 1) == 0;
}

MgPoint mg_gemm_point(MgGemm *g, MgOpId op, MgKBlock *block, int vector, const MgKx *mask) {
    uint32_t lanes = vector < 0 ? 1 : g->lanes;
    MgPoint p = mg_loops_point(&g->at, &g->kb, block, vector, lanes, mask);
    p.op = op;
    return p;
}

const MgKx *mg_gemm_factor(MgGemm *g, MgKBlock *block, const MgSx *x, int vector,
                           const MgKx *mask) {
    if (g->words.used)
        return mg_gemm_words(g, block, x, vector, mask);
    MgPoint p = mg_gemm_point(g, g->unit->ops[0], block, vector, mask);
    return mg_point_factor(&p, x);
}

// Emits a body over [low, high) of symbol sym in whole vectors, then a masked remainder; `put`
// stores lanes at offset.
typedef void PutFn(MgGemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx);
static void along(MgGemm *g, MgKBlock *block, uint32_t sym, const MgKx *low, const MgKx *n,
                  PutFn *put, void *ctx) {
    MgKernel *k = g->kb.k;
    const MgKx *whole = over(k, n, g->lanes);
    Loop loop = each_from(k, block, "v", num(k, 0), times(k, whole, g->lanes), g->lanes);
    g->at.loop[sym] = named(k, loop.body, "i", add(k, low, loop.at));
    put(g, loop.body, loop.at, NULL, ctx);
    if (n->kind == MG_KX_CONST && n->bits % g->lanes == 0)
        return;
    const MgKx *at = named(k, block, "at", times(k, whole, g->lanes));
    MgKs *rest = mg_kif(k, block, less(k, at, n));
    g->at.loop[sym] = named(k, &rest->body, "i", add(k, low, at));
    const MgKx *mask = named(k, &rest->body, "mask", lanes_below(k, at, n, g->lanes));
    put(g, &rest->body, at, mask, ctx);
}

// ---------------------------------------------------------------- panels and strips
static void clear(MgGemm *g, MgKBlock *block, const MgGemmTarget *to, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    Loop loop = each_of(k, block, "k", kc);
    const MgKx *at = add(k, to->to, times(k, loop.at, to->step));
    store(k, loop.body, to->buf, at, mg_kfloat(k, mg_kt(g->words.type, g->lanes), 0));
}

// A vector of elements of the class from number `first`; only `valid` of them are used (NULL: all).
typedef struct Pack {
    const MgKx *to; // element offset of the strip or panel row
    MgKBufId buf;
} Pack;

static void put_row(MgGemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx) {
    const Pack *p = ctx;
    const MgKx *x = mg_gemm_factor(g, block, g->row.x, MG_GEMM_K, mask);
    mg_kstore(g->kb.k, block, p->buf, add(g->kb.k, p->to, at), x, mask);
}

// Writes the code for a vector of a strip once, in a loop over those of its width. Returns the
// vector's first element, counted from the strip's first column.
static const MgKx *each_vector(MgGemm *g, MgKBlock **block, const MgKx *width) {
    MgKernel *k = g->kb.k;
    if (width->kind == MG_KX_CONST && width->bits == g->lanes)
        return num(k, 0);
    Loop loop = each_from(k, *block, "vector", num(k, 0), width, g->lanes);
    *block = loop.body;
    return loop.at;
}

// Does transposing pay? It is much code, and compiling it takes longer than gathering a small
// factor once.
static bool turns(MgGemm *g, const MgSx *factor, const MgGemmClass *class, uint32_t sym) {
    enum { SMALL = 1 << 20 }; // elements: gathering them takes some 3 ms more than transposing them
    return mg_gemm_lies_along_k(g, factor, sym) &&
           (!g->keeping || class->known * g->k.known > SMALL);
}

// Packs the steps that fill whole vectors, for `width` of a factor's elements from `first` on. A
// symbol numbers these. `pitch` is the distance of two steps. The remaining steps begin at the step
// returned.
static const MgKx *pack_turned(MgGemm *g, MgKBlock *block, const MgGemmFactor *factor, uint32_t sym,
                               const MgKx *to, int64_t pitch, const MgKx *first, const MgKx *width,
                               const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgGemmClass *class = sym == MG_GEMM_M ? &g->m : &g->n;
    const MgKx *end = over(k, kc, g->lanes), *x[64];
    const MgKx *last = minus(k, mg_gemm_extent(g, class), 1);
    end = named(k, block, "end", times(k, end, g->lanes));
    const MgKx *column = each_vector(g, &block, width);
    Loop loop = each_from(k, block, "k", num(k, 0), end, g->lanes);
    g->at.loop[MG_GEMM_K] = named(k, loop.body, "kk", add(k, k0, loop.at));
    for (uint32_t l = 0; l < g->lanes; l++) { // elements past the last one are never stored
        const MgKx *n = plus(k, add(k, first, column), l);
        g->at.loop[sym] = named(k, loop.body, sym == MG_GEMM_M ? "m" : "n", least(k, n, last));
        x[l] = named(k, loop.body, "x", mg_gemm_factor(g, loop.body, factor->x, MG_GEMM_K, NULL));
    }
    mg_ktranspose(k, loop.body, x, g->lanes); // vectors along k become vectors across it
    const MgKx *at = times(k, loop.at, pitch);
    at = named(k, loop.body, "at", add(k, add(k, to, at), column));
    for (uint32_t l = 0; l < g->lanes; l++)
        store(k, loop.body, factor->packed, plus(k, at, l * pitch), x[l]);
    return end;
}

// Packs up to a vector of rows from m0, step after step. A step has room for `room` more.
static void pack_steps(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                       uint32_t room, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *valid = num(k, mr < g->lanes ? mr : g->lanes);
    if (g->m.known < 0 || g->m.known % g->plan.mr)
        valid = least(k, valid, sub(k, mg_gemm_extent(g, &g->m), m0));
    if (g->row.runs.read) {
        MgGemmTarget target = {g->row.packed, to, g->plan.mr, false};
        mg_gemm_pack_runs(g, block, &g->row.runs, &g->m, &target, m0, valid, k0, kc);
        return;
    }
    if (mg_gemm_packs_singly(g, g->row.x, MG_GEMM_M)) {
        mg_gemm_pack_single_rows(g, block, to, m0, valid, k0, kc);
        return;
    }
    const MgKx *mask = named(k, block, "mask", lanes_below(k, num(k, 0), valid, g->lanes)),
               *done = num(k, 0);
    if (room >= g->lanes && turns(g, g->row.x, &g->m, MG_GEMM_M))
        done =
            pack_turned(g, block, &g->row, MG_GEMM_M, to, g->plan.mr, m0, num(k, g->lanes), k0, kc);
    Loop loop = each_from(k, block, "k", done, kc, 1);
    g->at.loop[MG_GEMM_K] = named(k, loop.body, "kk", add(k, k0, loop.at));
    g->at.loop[MG_GEMM_M] = m0;
    const MgKx *at = add(k, to, times(k, loop.at, g->plan.mr));
    mg_kstore(k, loop.body, g->row.packed, at,
              mg_gemm_factor(g, loop.body, g->row.x, MG_GEMM_M, mask), mask);
}

bool mg_gemm_packs_by_steps(MgGemm *g) {
    return !g->plan.row_along_k && !g->row.lines.length && !g->row.runs.read &&
           !mg_gemm_packs_singly(g, g->row.x, MG_GEMM_M);
}

void mg_gemm_pack_panel(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                        const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *rows = mg_gemm_extent(g, &g->m);
    bool guard = g->m.known < 0;
    if (g->row.lines.length) {
        mg_gemm_pack_row_lines(g, block, to, m0, mr, k0, kc);
        return;
    }
    if (g->plan.row_along_k) {
        Loop loop = each_of(k, block, "r", num(k, mr));
        g->at.loop[MG_GEMM_M] = named(k, loop.body, "m", add(k, m0, loop.at));
        if (guard) // rows past the end repeat the last one; their results are not stored
            g->at.loop[MG_GEMM_M] =
                named(k, loop.body, "m", least(k, g->at.loop[MG_GEMM_M], minus(k, rows, 1)));
        Pack p = {named(k, loop.body, "to", add(k, to, times(k, loop.at, g->pitch))),
                  g->row.packed};
        along(g, loop.body, MG_GEMM_K, k0, kc, put_row, &p);
        return;
    }
    for (uint32_t at = 0; at < mr; at += g->lanes)
        pack_steps(g, block, plus(k, to, at), plus(k, m0, at), mr - at, g->plan.mr - at, k0, kc);
}

// Packs a vector of the strip at `to`: elements from number `first`.
static void pack_run_vector(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *first,
                            const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    bool whole = mg_gemm_strips_are_whole(g);
    MgGemmTarget target = {g->column.packed, named(k, block, "to", to), g->plan.nv * g->lanes,
                           true};
    const MgKx *valid = NULL;
    first = named(k, block, "n", first);
    if (!whole) {
        const MgKx *left = sub(k, mg_gemm_extent(g, &g->n), first);
        left = greatest(k, least(k, left, num(k, g->lanes)), num(k, 0));
        valid = named(k, block, "valid", left);
        MgKs *some =
            g->column.runs.outer ? mg_kif(k, block, less(k, valid, num(k, g->lanes))) : NULL;
        if (some)
            clear(g, &some->body, &target, kc);
    }
    mg_gemm_pack_runs(g, block, &g->column.runs, &g->n, &target, first, valid, k0, kc);
}

static void pack_run_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                           const MgKx *width, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    uint32_t written = g->column.runs.apart == 2 ? nv : 1; // pairs are 10% slower in a loop
    const MgKx *column = written > 1 ? num(k, 0) : each_vector(g, &block, width);
    for (uint32_t v = 0; v < written; v++) {
        const MgKx *at = plus(k, column, v * g->lanes);
        pack_run_vector(g, block, add(k, to, at), add(k, n0, at), k0, kc);
    }
}

void mg_gemm_pack_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                        const MgKx *width, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    if (g->column.lines.length) {
        mg_gemm_pack_column_lines(g, block, to, n0, width, k0, kc);
        return;
    }
    if (g->column.runs.read) {
        pack_run_strip(g, block, to, n0, nv, width, k0, kc);
        return;
    }
    bool turned = turns(g, g->column.x, &g->n, MG_GEMM_N);
    if (!turned && mg_gemm_packs_singly(g, g->column.x, MG_GEMM_N)) {
        mg_gemm_pack_single_columns(g, block, to, n0, width, k0, kc);
        return;
    }
    const MgKx *columns = mg_gemm_extent(g, &g->n);
    bool whole = mg_gemm_strips_are_whole(g);
    const MgKx *masks[MG_GEMM_VECTORS] = {0};
    for (uint32_t v = 0; v < nv && !whole; v++) {
        masks[v] =
            named(k, block, "mask", lanes_below(k, plus(k, n0, v * g->lanes), columns, g->lanes));
    }
    const MgKx *done = num(k, 0);
    if (turned)
        done = pack_turned(g, block, &g->column, MG_GEMM_N, to, g->plan.nv * g->lanes, n0, width,
                           k0, kc);
    Loop loop = each_from(k, block, "k", done, kc, 1);
    g->at.loop[MG_GEMM_K] = named(k, loop.body, "kk", add(k, k0, loop.at));
    for (uint32_t v = 0; v < nv; v++) {
        g->at.loop[MG_GEMM_N] = named(k, loop.body, "n", plus(k, n0, v * g->lanes));
        const MgKx *at =
            add(k, times(k, loop.at, g->plan.nv * g->lanes), plus(k, to, v * g->lanes));
        store(k, loop.body, g->column.packed, at,
              mg_gemm_factor(g, loop.body, g->column.x, MG_GEMM_N, masks[v]));
    }
}
