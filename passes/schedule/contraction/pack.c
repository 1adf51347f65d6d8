// Packs the factors of a contraction: rows to panels, columns to strips.
//
// Any factor can be packed element by element: lanes walk flattened positions, and each position is
// split into subscripts again. runs.c packs a plain read whose elements lie in runs.
#include "passes/schedule/contraction/contraction.h"

static const MgKx *c(MgGemm *g, int64_t v) {
    return mg_kint(g->kb.k, v);
}

static const MgKx *bin(MgGemm *g, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(g->kb.k, prim, a, b, NULL);
}

const MgKx *mg_gemm_extent(MgGemm *g, const MgGemmClass *cl) {
    return mg_kb_ix(&g->kb, cl->extent, g->loop);
}

bool mg_gemm_strips_are_whole(const MgGemm *g) {
    MgIxTable *t = g->s->ix;
    int64_t rest;
    MgIx width = mg_ix_const(t, (int64_t)g->plan.nv * g->lanes);
    return mg_ix_is_const(t, mg_ix_mod(t, g->n.extent, width), &rest) && rest == 0;
}

MgPoint mg_gemm_point(MgGemm *g, MgOpId op, MgKBlock *block, int vector, const MgKx *mask) {
    return (MgPoint){.kb = &g->kb,
                     .op = op,
                     .block = block,
                     .with = g->with,
                     .n_with = MG_GEMM_SYMS,
                     .loop = g->loop,
                     .vector = vector,
                     .lanes = vector < 0 ? 1 : g->lanes,
                     .mask = mask,
                     .ranges = {g->low, g->high, MG_GEMM_SYMS}};
}

const MgKx *mg_gemm_factor(MgGemm *g, MgKBlock *block, const MgSx *x, int vector,
                           const MgKx *mask) {
    if (g->words.used)
        return mg_gemm_words(g, block, x, vector, mask);
    MgPoint p = mg_gemm_point(g, g->unit->ops[0], block, vector, mask);
    const MgKx *v = mg_ksplat(g->kb.k, mg_point_expr(&p, x), p.lanes);
    if (mask)
        v = mg_kprim(g->kb.k, MG_PRIM_WHERE, mask, v, mg_kfloat(g->kb.k, v->type, 0));
    return v;
}

// Emits a body over [low, high) of symbol sym in whole vectors, then a masked remainder; `put`
// stores lanes at offset.
typedef void PutFn(MgGemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx);
static void along(MgGemm *g, MgKBlock *block, uint32_t sym, const MgKx *low, const MgKx *n,
                  PutFn *put, void *ctx) {
    MgKernel *k = g->kb.k;
    const MgKx *whole = bin(g, MG_PRIM_FDIV, n, c(g, g->lanes));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", c(g, 0), mg_kmul(k, whole, c(g, g->lanes)),
                         g->lanes);
    g->loop[sym] = mg_klet_x(k, &loop->body, "i", mg_kadd(k, low, mg_kvar(k, loop->var)));
    put(g, &loop->body, mg_kvar(k, loop->var), NULL, ctx);
    if (n->kind == MG_KX_CONST && n->bits % g->lanes == 0)
        return;
    const MgKx *at = mg_klet_x(k, block, "at", mg_kmul(k, whole, c(g, g->lanes)));
    MgKs *rest = mg_kif(k, block, bin(g, MG_PRIM_LT, at, n));
    g->loop[sym] = mg_klet_x(k, &rest->body, "i", mg_kadd(k, low, at));
    const MgKx *lane = mg_kramp(k, at, c(g, 1), g->lanes);
    const MgKx *mask =
        mg_klet_x(k, &rest->body, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, n, g->lanes)));
    put(g, &rest->body, at, mask, ctx);
}

// ---------------------------------------------------------------- panels and strips
static void clear(MgGemm *g, MgKBlock *block, const MgGemmTarget *to, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), kc, 1);
    const MgKx *at = mg_kadd(k, to->to, mg_kmul(k, mg_kvar(k, loop->var), c(g, to->step)));
    mg_kstore(k, &loop->body, to->buf, at, mg_kfloat(k, mg_kt(g->words.type, g->lanes), 0), NULL);
}

// A vector of elements of the class from number `first`; only `valid` of them are used (NULL: all).
typedef struct Pack {
    const MgKx *to; // element offset of the strip or panel row
    MgKBufId buf;
} Pack;

static void put_row(MgGemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx) {
    const Pack *p = ctx;
    const MgKx *x = mg_gemm_factor(g, block, g->row, MG_GEMM_K, mask);
    mg_kstore(g->kb.k, block, p->buf, mg_kadd(g->kb.k, p->to, at), x, mask);
}

// Packs up to a vector of rows from m0, step after step.
static void pack_steps(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                       const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *valid = c(g, mr < g->lanes ? mr : g->lanes);
    if (g->m.known < 0 || g->m.known % g->plan.mr)
        valid = bin(g, MG_PRIM_MIN, valid, bin(g, MG_PRIM_SUB, mg_gemm_extent(g, &g->m), m0));
    if (g->row_runs.read) {
        MgGemmTarget target = {g->rows, to, g->plan.mr, false};
        mg_gemm_pack_runs(g, block, &g->row_runs, &g->m, &target, m0, valid, k0, kc);
        return;
    }
    if (mg_gemm_packs_singly(g, g->row, MG_GEMM_M)) {
        mg_gemm_pack_single_rows(g, block, to, m0, valid, k0, kc);
        return;
    }
    const MgKx *lane = mg_kramp(k, c(g, 0), c(g, 1), g->lanes);
    const MgKx *mask =
        mg_klet_x(k, block, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, valid, g->lanes)));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), kc, 1);
    MgKBlock *body = &loop->body;
    g->loop[MG_GEMM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, k0, mg_kvar(k, loop->var)));
    g->loop[MG_GEMM_M] = m0;
    const MgKx *at = mg_kadd(k, to, mg_kmul(k, mg_kvar(k, loop->var), c(g, g->plan.mr)));
    mg_kstore(k, body, g->rows, at, mg_gemm_factor(g, body, g->row, MG_GEMM_M, mask), mask);
}

void mg_gemm_pack_panel(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                        const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *rows = mg_gemm_extent(g, &g->m);
    bool guard = g->m.known < 0;
    if (g->row_lines.length) {
        mg_gemm_pack_row_lines(g, block, to, m0, mr, k0, kc);
        return;
    }
    if (g->plan.row_along_k) {
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "r", c(g, 0), c(g, mr), 1);
        MgKBlock *body = &loop->body;
        const MgKx *r = mg_kvar(k, loop->var);
        g->loop[MG_GEMM_M] = mg_klet_x(k, body, "m", mg_kadd(k, m0, r));
        if (guard) // rows past the end repeat the last one; their results are not stored
            g->loop[MG_GEMM_M] = mg_klet_x(
                k, body, "m",
                bin(g, MG_PRIM_MIN, g->loop[MG_GEMM_M], bin(g, MG_PRIM_SUB, rows, c(g, 1))));
        Pack p = {mg_klet_x(k, body, "to", mg_kadd(k, to, mg_kmul(k, r, c(g, g->pitch)))), g->rows};
        along(g, body, MG_GEMM_K, k0, kc, put_row, &p);
        return;
    }
    for (uint32_t at = 0; at < mr; at += g->lanes)
        pack_steps(g, block, mg_kadd(k, to, c(g, at)), mg_kadd(k, m0, c(g, at)), mr - at, k0, kc);
}

// Writes the code for a vector of a strip once, in a loop over the strip's vectors. Returns the
// vector's first element, counted from the strip's first column.
static const MgKx *each_vector(MgGemm *g, MgKBlock **block, uint32_t nv) {
    if (nv == 1)
        return c(g, 0);
    MgKs *loop =
        mg_kfor(g->kb.k, *block, MG_LOOP_SERIAL, "vector", c(g, 0), c(g, nv * g->lanes), g->lanes);
    *block = &loop->body;
    return mg_kvar(g->kb.k, loop->var);
}

// Packs a vector of the strip at `to`: elements from number `first`.
static void pack_run_vector(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *first,
                            const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    bool whole = mg_gemm_strips_are_whole(g);
    MgGemmTarget target = {g->columns, mg_klet_x(k, block, "to", to), g->plan.nv * g->lanes, true};
    const MgKx *valid = NULL;
    first = mg_klet_x(k, block, "n", first);
    if (!whole) {
        const MgKx *left = bin(g, MG_PRIM_SUB, mg_gemm_extent(g, &g->n), first);
        left = bin(g, MG_PRIM_MAX, bin(g, MG_PRIM_MIN, left, c(g, g->lanes)), c(g, 0));
        valid = mg_klet_x(k, block, "valid", left);
        MgKs *some = g->column_runs.outer
                         ? mg_kif(k, block, bin(g, MG_PRIM_LT, valid, c(g, g->lanes)))
                         : NULL;
        if (some)
            clear(g, &some->body, &target, kc);
    }
    mg_gemm_pack_runs(g, block, &g->column_runs, &g->n, &target, first, valid, k0, kc);
}

static void pack_run_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                           const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    uint32_t written = g->column_runs.apart == 2 ? nv : 1; // pairs are 10% slower in a loop
    const MgKx *column = each_vector(g, &block, nv / written);
    for (uint32_t v = 0; v < written; v++) {
        const MgKx *at = mg_kadd(k, column, c(g, v * g->lanes));
        pack_run_vector(g, block, mg_kadd(k, to, at), mg_kadd(k, n0, at), k0, kc);
    }
}

// Does transposing pay? It is much code, and compiling it takes longer than gathering a small
// factor once.
static bool turns(MgGemm *g) {
    enum { SMALL = 1 << 20 }; // elements: gathering them takes some 3 ms more than transposing them
    return mg_gemm_columns_along_k(g) && (!g->keeping || g->n.known * g->k.known > SMALL);
}

// Packs the steps that fill whole vectors; the remaining steps begin at the step returned.
static const MgKx *pack_turned(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                               uint32_t nv, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    int64_t width = g->plan.nv * g->lanes;
    const MgKx *end = bin(g, MG_PRIM_FDIV, kc, c(g, g->lanes)), *x[64];
    const MgKx *last = bin(g, MG_PRIM_SUB, mg_gemm_extent(g, &g->n), c(g, 1));
    end = mg_klet_x(k, block, "end", mg_kmul(k, end, c(g, g->lanes)));
    const MgKx *column = each_vector(g, &block, nv);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), end, g->lanes);
    MgKBlock *body = &loop->body;
    g->loop[MG_GEMM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, k0, mg_kvar(k, loop->var)));
    for (uint32_t l = 0; l < g->lanes; l++) { // columns past the last one are never stored
        const MgKx *n = mg_kadd(k, mg_kadd(k, n0, column), c(g, l));
        g->loop[MG_GEMM_N] = mg_klet_x(k, body, "n", bin(g, MG_PRIM_MIN, n, last));
        x[l] = mg_klet_x(k, body, "x", mg_gemm_factor(g, body, g->column, MG_GEMM_K, NULL));
    }
    mg_ktranspose(k, body, x, g->lanes); // vectors along k become vectors along the columns
    const MgKx *at = mg_kmul(k, mg_kvar(k, loop->var), c(g, width));
    at = mg_klet_x(k, body, "at", mg_kadd(k, mg_kadd(k, to, at), column));
    for (uint32_t l = 0; l < g->lanes; l++)
        mg_kstore(k, body, g->columns, mg_kadd(k, at, c(g, l * width)), x[l], NULL);
    return end;
}

void mg_gemm_pack_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                        const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    if (g->column_lines.length) {
        mg_gemm_pack_column_lines(g, block, to, n0, nv, k0, kc);
        return;
    }
    if (g->column_runs.read) {
        pack_run_strip(g, block, to, n0, nv, k0, kc);
        return;
    }
    if (!turns(g) && mg_gemm_packs_singly(g, g->column, MG_GEMM_N)) {
        mg_gemm_pack_single_columns(g, block, to, n0, nv, k0, kc);
        return;
    }
    const MgKx *columns = mg_gemm_extent(g, &g->n);
    bool whole = mg_gemm_strips_are_whole(g);
    const MgKx *masks[MG_GEMM_VECTORS] = {0};
    for (uint32_t v = 0; v < nv && !whole; v++) {
        const MgKx *lane = mg_kramp(k, mg_kadd(k, n0, c(g, v * g->lanes)), c(g, 1), g->lanes);
        masks[v] =
            mg_klet_x(k, block, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, columns, g->lanes)));
    }
    const MgKx *done = c(g, 0);
    if (turns(g))
        done = pack_turned(g, block, to, n0, nv, k0, kc);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", done, kc, 1);
    MgKBlock *body = &loop->body;
    g->loop[MG_GEMM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, k0, mg_kvar(k, loop->var)));
    for (uint32_t v = 0; v < nv; v++) {
        g->loop[MG_GEMM_N] = mg_klet_x(k, body, "n", mg_kadd(k, n0, c(g, v * g->lanes)));
        const MgKx *at = mg_kadd(k, mg_kmul(k, mg_kvar(k, loop->var), c(g, g->plan.nv * g->lanes)),
                                 mg_kadd(k, to, c(g, v * g->lanes)));
        mg_kstore(k, body, g->columns, at, mg_gemm_factor(g, body, g->column, MG_GEMM_N, masks[v]),
                  NULL);
    }
}
