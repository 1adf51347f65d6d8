// Prepares what a run needs and the instance keeps between runs: dimensions from the shapes, the
// code for them, and memory for outputs and arena.
#include "runtime/instance.h"
#include "runtime/steps.h"

#include "formats/tensor.h"
#include "support/fork.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

static bool known_dim(void *context, MgIxSym s, int64_t *value) {
    const MgInstance *i = context;
    const MgModel *m = i->model;
    for (uint32_t k = 0; k < m->graph->dims.len; k++)
        if (m->graph->dims.at[k] == s) {
            *value = i->dims[k];
            return *value >= 0;
        }
    return false;
}

bool mg_output_dims(MgInstance *i, uint32_t number, bool bounds) {
    const MgGraph *g = i->model->graph;
    const MgIxTable *ix = g->module->ix;
    const MgValue *v = &g->values.at[g->outputs.at[number].value];
    MgOutput *out = &i->outputs[number];
    size_t count;
    for (uint32_t a = 0; a < v->rank; a++) {
        if (mg_ix_eval(ix, v->shape[a], known_dim, i, &out->dims[a]))
            continue;
        if (!bounds ||
            !mg_ix_eval(ix, i->model->output_bounds[number][a], known_dim, i, &out->dims[a]) ||
            out->dims[a] >= MG_IX_INF)
            return false;
    }
    return mg_tensor_size(v->dtype, v->rank, out->dims, &count, &out->bytes);
}

// Makes the memory at *at at least `bytes` bytes long, 64-byte aligned, within the limit.
static bool reserve(MgInstance *i, void **at, size_t *room, size_t bytes) {
    if (*at && *room >= bytes)
        return true;
    free(*at);
    *at = NULL;
    // Large memory gets huge pages: its first use then takes one fault for 2 MiB instead of 512.
    size_t page = bytes >= HUGE_PAGE ? HUGE_PAGE : 64, rounded = (bytes + page - 1) / page * page;
    if (bytes <= i->context->options.memory_limit)
        *at = aligned_alloc(page, rounded ? rounded : page);
    if (*at && page == HUGE_PAGE)
        madvise(*at, rounded, MADV_HUGEPAGE); // failure is harmless
    *room = *at ? rounded : 0;
    return *at != NULL;
}

bool mg_instance_in_place(const MgInstance *i, uint32_t number) {
    int32_t input = i->model->graph->outputs.at[number].aliases;
    return input >= 0 && i->outputs[number].given &&
           i->outputs[number].given == i->inputs[input].data;
}

bool mg_output_take(MgInstance *i, uint32_t number, const int64_t *dims, const void *data,
                    size_t bytes) {
    MgOutput *out = &i->outputs[number];
    uint32_t rank = i->model->outputs[number].rank;
    if (rank)
        memcpy(out->dims, dims, rank * sizeof *dims);
    out->bytes = bytes;
    bool own = !out->given || mg_instance_in_place(i, number);
    if ((out->given && out->room < bytes) || (own && !reserve(i, &out->own, &out->own_room, bytes)))
        return false;
    if (bytes)
        memcpy(own ? out->own : out->given, data, bytes);
    return true;
}

void mg_outputs_taken(MgInstance *i) {
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++)
        if (mg_instance_in_place(i, k) && i->outputs[k].bytes)
            memcpy(i->outputs[k].given, i->outputs[k].own, i->outputs[k].bytes);
}

static MgStatus no_memory(MgInstance *i, const char *what, size_t bytes) {
    mg_message_set(&i->message, "out of memory: %s needs %zu bytes, the limit is %zu MiB", what,
                   bytes, i->context->options.memory_limit >> 20);
    return MG_OUT_OF_MEMORY;
}

static MgStatus output_without_bound(MgInstance *i, uint32_t number) {
    mg_message_set(&i->message, "the size of output %s has no bound: give its dimension one",
                   i->model->outputs[number].name);
    return MG_BAD_INPUT;
}

static MgStatus prepare_outputs(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model);
    for (uint32_t k = 0; k < inputs; k++)
        i->inputs[k].made_here = 0;
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++) {
        const MgPortInfo *port = &i->model->outputs[k];
        MgOutput *out = &i->outputs[k];
        if (!mg_output_dims(i, k, true))
            return output_without_bound(i, k);
        bool placed = mg_instance_placed(i, inputs + k);
        if (placed && out->room < out->bytes) {
            mg_message_set(&i->message, "output %s needs %zu bytes, but its buffer has %zu",
                           port->name, out->bytes, out->room);
            return MG_BAD_USAGE;
        }
        if (placed)
            continue;
        int32_t aliases = mg_instance_aliases(i, k);
        if (aliases >= 0) {
            i->inputs[aliases].made_here = k + 1;
            i->ports[inputs + k] = i->ports[aliases];
            continue;
        }
        if (out->given && out->room < out->bytes) {
            mg_message_set(&i->message,
                           "output %s needs %zu bytes, but the memory bound to it has %zu",
                           port->name, out->bytes, out->room);
            return MG_BAD_USAGE;
        }
        if (!out->given && !reserve(i, &out->own, &out->own_room, out->bytes))
            return no_memory(i, port->name, out->bytes);
        i->ports[inputs + k] = out->given ? out->given : out->own;
    }
    return MG_OK;
}

// Prepares everything that the image's run() reads, except the data.
static MgStatus prepare_call(MgInstance *i, const MgVariant *variant) {
    const MgImage *image = variant->image;
    if (i->variant != variant) {
        free(i->image_dims);
        free(i->slots);
        i->image_dims = calloc(image->n_dims + 1, sizeof(int64_t));
        i->slots = calloc(image->n_slots + 1, sizeof(int64_t));
        mg_instance_change_device(i, variant);
        i->variant = NULL;
        if (!i->image_dims || !i->slots)
            return no_memory(i, "a call", (image->n_dims + image->n_slots) * sizeof(int64_t));
        i->variant = variant;
    }
    for (uint32_t d = 0; d < image->n_dims; d++)
        i->image_dims[d] = variant->dim_of[d] == UINT32_MAX ? -1 : i->dims[variant->dim_of[d]];
    int32_t failed = image->bind(i->image_dims, i->slots);
    if (failed) {
        mg_instance_says(i, image->requires[failed - 1]);
        return MG_BAD_INPUT;
    }
    if (i->model->device)
        return i->slots[0] >= 0 ? MG_OK : no_memory(i, "the arena", SIZE_MAX);
    void *arena = i->arena;
    bool ok = i->slots[0] >= 0 && reserve(i, &arena, &i->arena_room, (size_t)i->slots[0]);
    i->arena = arena;
    if (!ok)
        return no_memory(i, "the arena", (size_t)i->slots[0]);
    i->call = (MgCall){.ports = i->ports,
                       .weights = i->weights ? i->weights : variant->weights,
                       .constants = image->constants,
                       .arena = i->arena,
                       .dims = i->image_dims,
                       .slots = i->slots};
    i->run = image->run;
    uint32_t threads = i->context->options.threads;
    i->workers = threads < image->max_workers ? threads : image->max_workers;
    if (i->slots[MG_SLOT_WORKERS] < i->workers)
        i->workers = (uint32_t)i->slots[MG_SLOT_WORKERS];
    return MG_OK;
}

static MgStatus prepare_timing(MgInstance *i) {
    free(i->ticks);
    free(i->costs);
    i->ticks = NULL;
    i->costs = NULL;
    if (!i->hook || !i->variant)
        return MG_OK;
    const MgImage *image = i->variant->image;
    if (i->model->device)
        i->workers = 1;
    i->ticks = calloc((size_t)2 * image->n_sites * i->workers + 1, sizeof *i->ticks);
    i->costs = calloc((size_t)2 * image->n_sites + 1, sizeof *i->costs);
    if (!i->ticks || !i->costs)
        return no_memory(i, "timing", (size_t)2 * image->n_sites * i->workers * sizeof *i->ticks);
    image->costs(i->image_dims, i->costs);
    i->clock_ns = mg_now_ns();
    i->clock_ticks = mg_now_ticks();
    i->call.ticks = i->ticks;
    return MG_OK;
}

// Computes and checks the dimensions from the shapes, then finds the code for them.
static MgStatus bind_dims(MgInstance *i, const MgVariant **variant) {
    MgModel *m = i->model;
    uint32_t n = mg_model_inputs(m);
    volatile MgStatus status = MG_OUT_OF_MEMORY;
    volatile uint64_t begin = 0, end = 0; // when compiling began and ended
    mg_fork_hold();
    pthread_mutex_lock(&m->lock);
    MgTry frame;
    if (MG_TRY(m->session->mem, frame)) {
        const int64_t **shapes = MG_NEW_N(m->session->arena, const int64_t *, n + 1);
        for (uint32_t k = 0; k < n; k++)
            shapes[k] = i->inputs[k].dims;
        bool ok = mg_bind_dims(m->graph, shapes, i->dims);
        if (ok && !m->options.interpret && !mg_mode_by_op(m->options.mode)) {
            uint32_t before = m->variants.len;
            begin = mg_now_ns();
            ok = (*variant = mg_model_variant(m, i->context, i->dims, i->part)) != NULL;
            end = m->variants.len > before ? mg_now_ns() : 0;
        }
        status = ok ? MG_OK : m->device_failed ? MG_RUN_FAILED : MG_BAD_INPUT;
        m->device_failed = false;
        mg_try_end(m->session->mem, &frame);
    }
    if (status == MG_OUT_OF_MEMORY)
        mg_message_set(&i->message, "out of memory: the limit is %zu MiB",
                       i->context->options.memory_limit >> 20);
    else if (status)
        mg_message_take(&i->message, m->session, i->context->color);
    pthread_mutex_unlock(&m->lock);
    mg_fork_allow();
    if (i->hook && end)
        i->hook(i->hook_user, &(MgTiming){.kind = MG_TIMING_COMPILE,
                                          .name = mg_model_graph(m),
                                          .schedule = "",
                                          .place = "",
                                          .begin = begin,
                                          .end = end,
                                          .faster = 1});
    return status;
}

static MgStatus check_inputs(MgInstance *i) {
    for (uint32_t k = 0; k < mg_model_inputs(i->model); k++)
        if (!i->inputs[k].bound) {
            mg_message_set(&i->message, "input %s is not bound", i->model->inputs[k].name);
            return MG_BAD_USAGE;
        }
    return MG_OK;
}

MgStatus mg_instance_sizes(MgInstance *i) {
    const MgVariant *variant = NULL;
    if (i->bound)
        return MG_OK;
    i->ran = false; // the dimensions are no longer those of the last run
    MgStatus status = check_inputs(i);
    return status ? status : bind_dims(i, &variant);
}

MgStatus mg_output_shape(MgInstance *i, uint32_t number, const int64_t **dims) {
    const MgVariant *variant = NULL;
    MgStatus status = mg_instance_check_output(i, number);
    if (!status && !dims)
        status = mg_message_misuse(&i->message, "the place for the output's dimensions is NULL");
    status = status ? status : check_inputs(i);
    status = status ? status : bind_dims(i, &variant);
    if (!status && !mg_output_dims(i, number, true))
        status = output_without_bound(i, number);
    if (status)
        return status;
    i->ran = false; // the dimensions are no longer those of the last run
    *dims = i->outputs[number].dims;
    return MG_OK;
}

MgStatus mg_instance_prepare(MgInstance *i) {
    const MgVariant *variant = NULL;
    MgStatus status = check_inputs(i);
    status = status ? status : mg_instance_settle(i); // its memory may be replaced
    status = status ? status : bind_dims(i, &variant);
    if (!status)
        status = mg_instance_parameters(i, variant);
    if (!status && variant)
        status = prepare_call(i, variant);
    if (!status && variant)
        status = prepare_outputs(i);
    if (!status)
        status = prepare_timing(i);
    if (!status && variant && i->model->device)
        status = mg_instance_prepare_device(i);
    i->bound = !status;
    i->direct = i->bound && variant && i->workers == 1 && !i->hook && !i->model->device &&
                !i->model->module->fixed.len;
    return status;
}
