// The form of attention on a GPU: the kinds of kernels are tried in order, and the first that suits
// chooses its plan.
#include "passes/schedule/gpu/attention.h"

static const MgGpuAttnForm *const kinds[] = {[MG_GPU_ATTN_TILES] = &mg_gpu_attn_tiles,
                                             [MG_GPU_ATTN_FEW] = &mg_gpu_attn_few,
                                             [MG_GPU_ATTN_UNITS] = &mg_gpu_attn_units,
                                             [MG_GPU_ATTN_WIDE] = &mg_gpu_attn_wide};

const MgGpuAttnForm *mg_gpu_attn_form(MgGpuAttnKind kind) {
    return kinds[kind];
}

static void *find(MgSched *s, const MgUnit *unit) {
    MgGpuAttn *g = MG_NEW(s->arena, MgGpuAttn);
    if (!mg_attention_of_unit(&g->t, s, unit))
        return NULL;
    g->t.lanes = 1;
    mg_attention_find_seen(&g->t);
    return g;
}

static bool choose(void *found) {
    MgGpuAttn *g = found;
    if (!g->t.a->softmax)
        return mg_gpu_attn_wide.choose(g) || mg_gpu_attn_units.choose(g);
    if (mg_gpu_attn_few.choose(g))
        return true;
    return g->t.a->rows && // of the others, groups have blocks of rows
           (mg_gpu_attn_wide.choose(g) || mg_gpu_attn_units.choose(g) ||
            mg_gpu_attn_tiles.choose(g));
}

static void make(void *found) {
    MgGpuAttn *g = found;
    mg_attention_begin(&g->t);
    kinds[g->plan.kind]->emit(g);
}

const MgForm mg_form_gpu_attention = {.nests = MG_NEST_ATTENTION,
                                      .level = 2,
                                      .what = "attention",
                                      .find = find,
                                      .choose = choose,
                                      .read = mg_gpu_attn_read,
                                      .nest = mg_gpu_attn_nest,
                                      .make = make};
