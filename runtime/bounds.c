// The error bounds of what a model's code computes; tests and `mgc bisect` check against them.
#include "runtime/bounds.h"

#include "runtime/context.h"
#include "runtime/weights.h"

static const void *param(void *context, MgSym key, const MgValue *value, size_t bytes) {
    const MgWeight *w = mg_weight(&((const MgModel *)context)->weights, key);
    (void)value; // its type was checked when the weights were found
    return w && w->bytes == bytes ? w->data : NULL;
}

// The dimensions for which the code that serves `dims` was made. NULL: all.
static const int64_t *made_for(const MgModel *m, const int64_t *dims) {
    const int64_t *made = m->any_sizes ? NULL : dims;
    for (uint32_t i = 0; i < m->variants.len; i++) {
        const MgVariant *v = m->variants.at[i];
        if (v->part != MG_PART_ALL)
            continue;
        if (v->dims && !memcmp(v->dims, dims, m->graph->dims.len * sizeof *dims))
            return dims;
        made = v->dims ? made : NULL;
    }
    return made;
}

MgInterpTensor *mg_model_widen(MgModel *m, const MgContext *context, const MgInterpTensor *inputs,
                               const MgInterpTensor *expected, MgArena *arena) {
    MgGraph *g = m->graph;
    const int64_t **shapes = MG_NEW_N(arena, const int64_t *, g->inputs.len + 1);
    int64_t *dims = MG_NEW_N(arena, int64_t, g->dims.len + 1);
    for (uint32_t k = 0; k < g->inputs.len; k++)
        shapes[k] = inputs[k].shape;
    if (!mg_bind_dims(g, shapes, dims))
        return NULL;
    MgCompileSettings settings = mg_model_settings(m, context);
    MgInterpOptions options = {
        .param = param, .ctx = m, .tf32 = settings.tf32, .short_sums = settings.short_sums};
    MgProgram *p = mg_compile_program(g, made_for(m, dims), &settings);
    return p ? mg_program_widen(p, inputs, expected, &options, arena) : NULL;
}
