// Short words for the kernels of attention on GPUs, in addition to those of words.h.
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_WORDS_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_WORDS_H

#include "passes/schedule/gpu/attention.h"

static inline const MgKx *let(MgGpuAttn *g, MgKBlock *b, const MgKx *x) {
    return mg_klet_x(g->t.kb.k, b, "x", x);
}

static inline const MgKx *ix(MgGpuAttn *g, MgIx x) {
    return mg_kb_ix(&g->t.kb, x, g->t.at.loop);
}

static inline const MgKx *load(MgGpuAttn *g, MgKBlock *b, MgKBufId buf, const MgKx *at,
                               uint32_t lanes) {
    return let(g, b, mg_kload(g->t.kb.k, buf, at, lanes, NULL, NULL));
}

// That many lanes of the type in which everything is computed.
static inline MgKType lanes_of(const MgGpuAttn *g, uint32_t lanes) {
    return mg_kt(g->t.a->type, lanes);
}

static inline MgKBufId local(MgGpuAttn *g, const char *name, int64_t elements) {
    return mg_gpu_local(g->t.kb.k, name, lanes_of(g, 1), elements);
}

static inline const MgKx *kept(MgGpuAttn *g, MgKBufId buf, uint32_t i, uint32_t lanes) {
    MgKernel *k = g->t.kb.k;
    return mg_kload(k, buf, mg_kint(k, i), lanes, NULL, NULL);
}

static inline const MgKx *number(MgGpuAttn *g, double v) {
    return mg_kfloat(g->t.kb.k, lanes_of(g, 1), v);
}

#endif
