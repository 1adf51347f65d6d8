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

// Finds a parameter for which there are `bytes` of memory. That on the device is checked later.
static MgStatus check(MgInstance *i, const char *key, size_t bytes, const MgWeight **found) {
    const MgModel *m = i->model;
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    if (!key)
        return mg_message_misuse(&i->message, "the key is NULL");
    const MgWeight *w = *found = find(m, key);
    if (!w)
        return mg_message_misuse(&i->message, "%s has no parameter '%s'", mg_model_graph(m), key);
    if (bytes < w->bytes || (bytes > w->bytes && !m->device))
        return mg_message_misuse(&i->message, "parameter %s has %zu bytes, its memory %zu", key,
                                 w->bytes, bytes);
    return MG_OK;
}

static MgStatus check_host(MgInstance *i, const MgWeight *w, const void *data) {
    if (i->model->device)
        return mg_message_misuse(
            &i->message, "the model runs on a device: parameter %s needs memory there", w->name);
    if (!data && w->bytes)
        return mg_message_misuse(&i->message, "the memory of the parameter is NULL");
    if ((uintptr_t)data % mg_dtype_size(w->dtype))
        return mg_message_misuse(&i->message,
                                 "the memory of parameter %s is not aligned to its %s elements",
                                 w->name, mg_dtype(w->dtype)->name);
    return MG_OK;
}

// Gives a parameter its memory: of the host, or at an address of the device, in a buffer or not.
static MgStatus give(MgInstance *i, const MgWeight *w, const void *data, MgBuffer *b) {
    size_t n = i->model->weights.all.len, k = (size_t)(w - i->model->weights.all.at);
    if (!i->parameters)
        i->parameters = calloc(n, sizeof *i->parameters);
    if (b && !i->parameter_buffers)
        i->parameter_buffers = calloc(n, sizeof *i->parameter_buffers);
    if (!i->parameters || (b && !i->parameter_buffers)) {
        mg_message_set(&i->message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    i->parameters[k] = data;
    MgBuffer *before = i->parameter_buffers ? i->parameter_buffers[k] : NULL;
    if (i->parameter_buffers)
        i->parameter_buffers[k] = mg_buffer_retain(b);
    mg_buffer_release(before);
    i->bound = i->direct = false; // what was computed from it is computed again
    return MG_OK;
}

MgStatus mg_bind_parameter(MgInstance *i, const char *key, const void *data, size_t bytes) {
    const MgWeight *w = NULL;
    MgStatus status = i ? check(i, key, bytes, &w) : MG_BAD_USAGE;
    status = status ? status : check_host(i, w, data);
    return status ? status : give(i, w, data, NULL);
}

MgStatus mg_bind_parameter_buffer(MgInstance *i, const char *key, MgBuffer *b) {
    const MgWeight *w = NULL;
    MgStatus status = i ? check(i, key, mg_buffer_bytes(b), &w) : MG_BAD_USAGE;
    status = status ? status : mg_instance_can_place(i, "parameter", key);
    if (status)
        return status;
    if (!b || !mg_buffer_is_of(b, i->model))
        return mg_message_misuse(&i->message, "parameter %s: %s", key,
                                 b ? "the buffer is on another device, or was made for a model of "
                                     "another context"
                                   : "the buffer is NULL");
    return give(i, w, (const void *)(intptr_t)mg_buffer_address(b), b);
}

MgStatus mg_bind_parameter_at(MgInstance *i, const char *key, uint64_t at, size_t bytes) {
    const MgWeight *w = NULL;
    int64_t address = 0;
    MgStatus status = i ? check(i, key, bytes, &w) : MG_BAD_USAGE;
    status = status ? status : mg_instance_can_place(i, "parameter", key);
    if (!status && bytes) // one without elements needs no memory
        status = mg_instance_address(i, "parameter", key, at, bytes, &address);
    return status ? status : give(i, w, (const void *)(intptr_t)address, NULL);
}

void mg_instance_free_parameters(MgInstance *i) {
    for (size_t k = 0; i->parameter_buffers && k < i->model->weights.all.len; k++)
        mg_buffer_release(i->parameter_buffers[k]);
    free(i->parameter_buffers);
    free(i->parameters);
    free(i->weights);
}

static const void *bound(const MgInstance *i, const MgWeight *w) {
    return i->parameters ? i->parameters[w - i->model->weights.all.at] : NULL;
}

const void *mg_instance_parameter(const MgInstance *i, const MgWeight *w) {
    const void *memory = i->model->device ? NULL : bound(i, w);
    return memory ? memory : w->data;
}

MgStatus mg_instance_parameters(MgInstance *i, const MgVariant *variant) {
    const MgModel *m = i->model;
    if (!m->bound_weights && !i->parameters)
        return MG_OK;
    for (uint32_t k = 0; k < m->weights.all.len; k++)
        if (!bound(i, &m->weights.all.at[k]) && !m->weights.all.at[k].data &&
            m->weights.all.at[k].bytes) {
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
    for (uint32_t k = 0; k < image->n_weights; k++) {
        const void *given = bound(i, variant->of[k]);
        i->weights[k] = given ? given : variant->weights[k];
    }
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
