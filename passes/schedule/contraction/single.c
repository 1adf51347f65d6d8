// Packs a factor element by element, if it is packed once for all runs and would otherwise be
// gathered.
//
// A gather reads its lanes one after another in any case, and its addresses and masks are much code
// for something that runs once: compiling it takes longer than running it.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

bool mg_gemm_packs_singly(MgGemm *g, const MgSx *factor, uint32_t sym) {
    return g->keeping && !g->words.used && !mg_gemm_strides(g, factor, sym).straight;
}

void mg_gemm_pack_single_rows(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0,
                              const MgKx *rows, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    Loop steps = each_of(k, block, "k", kc), each = each_of(k, steps.body, "r", rows);
    const MgKx *at = add(k, to, add(k, times(k, steps.at, g->plan.mr), each.at));
    g->at.loop[MG_GEMM_K] = named(k, each.body, "kk", add(k, k0, steps.at));
    g->at.loop[MG_GEMM_M] = named(k, each.body, "m", add(k, m0, each.at));
    store(k, each.body, g->row.packed, at, mg_gemm_factor(g, each.body, g->row.x, -1, NULL));
}

void mg_gemm_pack_single_columns(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                                 const MgKx *width, const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    Loop steps = each_of(k, block, "k", kc), each = each_of(k, steps.body, "j", width);
    MgKBlock *body = each.body;
    const MgKx *at = times(k, steps.at, (int64_t)g->plan.nv * g->lanes);
    at = named(k, body, "at", add(k, to, add(k, at, each.at)));
    g->at.loop[MG_GEMM_K] = named(k, body, "kk", add(k, k0, steps.at));
    g->at.loop[MG_GEMM_N] = named(k, body, "n", add(k, n0, each.at));
    if (!mg_gemm_strips_are_whole(g)) {
        const MgKx *columns = mg_gemm_extent(g, &g->n);
        MgKs *there = mg_kif(k, body, less(k, g->at.loop[MG_GEMM_N], columns));
        store(k, &there->orelse, g->column.packed, at, mg_kfloat(k, mg_kt(g->type, 1), 0));
        body = &there->body;
    }
    store(k, body, g->column.packed, at, mg_gemm_factor(g, body, g->column.x, -1, NULL));
}
