// Parameters whose memory the caller binds to an instance, in place of values from a weights file.
#include "runtime/instance.h"
#include "runtime/steps.h"

#include <stdlib.h>

static const MgWeight *find(const MgModel *m, const char *key) {
    for (uint32_t k = 0; k < m->weights.all.len; k++)
        if (!strcmp(m->weights.all.at[k].name, key))
            return &m->weights.all.at[k];
    return NULL;
}

static MgStatus check(MgInstance *i, const char *key, const void *data, size_t bytes,
                      const MgWeight **found) {
    const MgModel *m = i->model;
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    if (m->device)
        return mg_message_misuse(&i->message, "parameters are bound on the CPU only");
    if (!key || !data)
        return mg_message_misuse(&i->message, "%s is NULL",
                                 key ? "the memory of the parameter" : "the key");
    const MgWeight *w = *found = find(m, key);
    if (!w)
        return mg_message_misuse(&i->message, "%s has no parameter '%s'", mg_model_graph(m), key);
    if (bytes != w->bytes)
        return mg_message_misuse(&i->message, "parameter %s has %zu bytes, its memory %zu", key,
                                 w->bytes, bytes);
    if ((uintptr_t)data % mg_dtype_size(w->dtype))
        return mg_message_misuse(&i->message,
                                 "the memory of parameter %s is not aligned to its %s elements",
                                 key, mg_dtype(w->dtype)->name);
    return MG_OK;
}

MgStatus mg_bind_parameter(MgInstance *i, const char *key, const void *data, size_t bytes) {
    const MgWeight *w = NULL;
    if (!i)
        return MG_BAD_USAGE;
    MgStatus status = check(i, key, data, bytes, &w);
    if (status)
        return status;
    if (!i->parameters && !(i->parameters = calloc(i->model->weights.all.len, sizeof(void *)))) {
        mg_message_set(&i->message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    i->parameters[w - i->model->weights.all.at] = data;
    i->bound = i->direct = false; // what was computed from it is computed again
    return MG_OK;
}

const void *mg_instance_parameter(const MgInstance *i, const MgWeight *w) {
    const void *bound = i->parameters ? i->parameters[w - i->model->weights.all.at] : NULL;
    return bound ? bound : w->data;
}

MgStatus mg_instance_parameters(MgInstance *i, const MgVariant *variant) {
    const MgModel *m = i->model;
    if (!m->bound_weights && !i->parameters)
        return MG_OK;
    for (uint32_t k = 0; k < m->weights.all.len; k++)
        if (!mg_instance_parameter(i, &m->weights.all.at[k])) {
            mg_message_set(&i->message, "parameter %s is not bound", m->weights.all.at[k].name);
            return MG_BAD_USAGE;
        }
    if (!variant)
        return MG_OK;
    const MgImage *image = variant->image;
    free(i->weights);
    if (!(i->weights = calloc(image->n_weights + 1, sizeof(void *)))) {
        mg_message_set(&i->message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    for (uint32_t k = 0; k < image->n_weights; k++)
        i->weights[k] = mg_instance_parameter(i, variant->of[k]);
    return MG_OK;
}

MgStatus mg_run_with(MgInstance *i, const void *const *inputs, void *const *outputs,
                     const size_t *bytes) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    uint32_t n = mg_model_inputs(i->model);
    for (uint32_t k = 0; k < n && inputs && !status; k++)
        if (inputs[k] && inputs[k] != i->inputs[k].data)
            status = mg_bind_input(i, k, inputs[k], i->inputs[k].rank, i->inputs[k].dims);
    for (uint32_t k = 0; k < mg_model_outputs(i->model) && outputs && bytes && !status; k++)
        if (outputs[k])
            status = mg_bind_output(i, k, outputs[k], bytes[k]);
    return status ? status : mg_run(i);
}
