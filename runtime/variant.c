// Variants: the first few sets of dimensions get code of their own, where every extent is a constant; after
// them one generic image serves every set. Which one a call takes is decided when its shapes change.
#include "runtime/compile.h"
#include "runtime/context.h"

#include <stdlib.h>

typedef struct Known {
    const MgGraph *g;
    const int64_t *dims; // NULL: none is
} Known;

static bool known_dim(void *context, MgIxSym s, int64_t *value) {
    const Known *k = context;
    for (uint32_t d = 0; k->dims && d < k->g->dims.len; d++)
        if (k->g->dims.at[d] == s && k->dims[d] >= 0) {
            *value = k->dims[d];
            return true;
        }
    return false;
}

static bool load(MgModel *m, MgVariant *v, const void *bytes, size_t length) {
    char error[MG_IMAGE_ERROR_MAX];
    MgArena *arena = m->session->arena;
    v->loaded = mg_image_load(bytes, length, error);
    if (!v->loaded) {
        mg_diag(m->session, mg_no_span(), MG_D_image_load, error);
        return false;
    }
    const MgImage *image = v->image = mg_loaded_image(v->loaded);
    v->weights = MG_NEW_N(arena, const void *, image->n_weights + 1);
    v->dim_of = MG_NEW_N(arena, uint32_t, image->n_dims + 1);
    for (uint32_t w = 0; w < image->n_weights; w++) {
        const MgWeight *weight = mg_weight(&m->weights, mg_sym(m->session->names, image->weights[w].key));
        if (!weight) {
            mg_diag(m->session, mg_no_span(), MG_D_image_load, image->weights[w].key);
            return false;
        }
        v->weights[w] = weight->data;
    }
    for (uint32_t d = 0; d < image->n_dims; d++) {
        v->dim_of[d] = UINT32_MAX;
        for (uint32_t k = 0; k < m->graph->dims.len; k++)
            if (!strcmp(image->dim_names[d], m->dim_names[k]))
                v->dim_of[d] = k;
    }
    return true;
}

static void unload(void *object) {
    MgVariant *v = object;
    mg_image_unload(v->loaded);
    v->loaded = NULL;
}

// dims NULL: the generic code.
static const MgVariant *make(MgModel *m, MgContext *context, const int64_t *dims) {
    Known known = {m->graph, dims};
    MgCompileSettings settings = {.backend = mg_backend_find("cpu"),
                                  .march = m->options.march,
                                  .level = (uint32_t)m->options.level,
                                  .workers = context->options.threads,
                                  .strict = m->options.strict};
    MgVariant *v = MG_NEW(m->session->arena, MgVariant);
    if (dims)
        v->dims = mg_arena_copy(m->session->arena, dims, m->graph->dims.len, sizeof *dims);
    unsigned char *bytes;
    size_t length;
    if (!mg_compile_object(mg_graph_specialise(m->graph, known_dim, &known), &settings, context->cache, &bytes,
                           &length))
        return NULL;
    mg_mem_defer(m->session->mem, free, bytes);
    mg_mem_defer(m->session->mem, unload, v);
    bool ok = load(m, v, bytes, length);
    mg_mem_undefer(m->session->mem, bytes);
    free(bytes);
    if (!ok)
        return NULL; // unloaded with the session
    return m->variants[m->n_variants++] = v;
}

const MgVariant *mg_model_variant(MgModel *m, MgContext *context, const int64_t *dims) {
    size_t bytes = m->graph->dims.len * sizeof *dims;
    for (uint32_t i = 0; i < m->n_variants; i++)
        if (!m->variants[i]->dims || !bytes || !memcmp(m->variants[i]->dims, dims, bytes))
            return m->variants[i];
    return make(m, context, m->n_variants < MG_STATIC_VARIANTS ? dims : NULL);
}
