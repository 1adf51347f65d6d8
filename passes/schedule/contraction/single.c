// Packs a factor element by element, if it is packed once for all runs and would otherwise be
// gathered.
//
// A gather reads its lanes one after another in any case, and its addresses and masks are much code
// for something that runs once: compiling it takes longer than running it.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

static MgKs *loop(MgGemm *g, MgKBlock *block, const char *name, const MgKx *high) {
    return mg_kfor(g->kb.k, block, MG_LOOP_SERIAL, name, num(g->kb.k, 0), high, 1);
}

bool mg_gemm_packs_singly(MgGemm *g, const MgSx *factor, uint32_t sym) {
    return g->keeping && !g->words.used && !mg_gemm_strides(g, factor, sym).straight;
}

void mg_gemm_pack_single_rows(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0,
                              const MgKx *rows, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    MgKs *steps = loop(g, block, "k", kc), *each = loop(g, &steps->body, "r", rows);
    MgKBlock *body = &each->body;
    const MgKx *step = mg_kvar(k, steps->var), *r = mg_kvar(k, each->var);
    const MgKx *at = add(k, to, add(k, times(k, step, g->plan.mr), r));
    g->at.loop[MG_GEMM_K] = named(k, body, "kk", add(k, k0, step));
    g->at.loop[MG_GEMM_M] = named(k, body, "m", add(k, m0, r));
    store(k, body, g->row.packed, at, mg_gemm_factor(g, body, g->row.x, -1, NULL));
}

void mg_gemm_pack_single_columns(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                                 uint32_t nv, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    MgKs *steps = loop(g, block, "k", kc),
         *each = loop(g, &steps->body, "j", num(k, (int64_t)nv * g->lanes));
    MgKBlock *body = &each->body;
    const MgKx *step = mg_kvar(k, steps->var), *j = mg_kvar(k, each->var);
    const MgKx *at = times(k, step, (int64_t)g->plan.nv * g->lanes);
    at = named(k, body, "at", add(k, to, add(k, at, j)));
    g->at.loop[MG_GEMM_K] = named(k, body, "kk", add(k, k0, step));
    g->at.loop[MG_GEMM_N] = named(k, body, "n", add(k, n0, j));
    if (!mg_gemm_strips_are_whole(g)) {
        const MgKx *columns = mg_gemm_extent(g, &g->n);
        MgKs *there = mg_kif(k, body, less(k, g->at.loop[MG_GEMM_N], columns));
        store(k, &there->orelse, g->column.packed, at, mg_kfloat(k, mg_kt(g->type, 1), 0));
        body = &there->body;
    }
    store(k, body, g->column.packed, at, mg_gemm_factor(g, body, g->column.x, -1, NULL));
}
