// Binding and running. mg_run of a bound instance touches no lock, no heap and no shape; after any
// change, the run first goes through prepare().
#include "runtime/instance.h"
#include "runtime/steps.h"

#include "runtime/tensor.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

MgStatus mg_instance_new(MgModel *model, MgContext *context, MgInstance **instance) {
    if (instance)
        *instance = NULL;
    if (!context)
        return MG_BAD_USAGE;
    if (!model || !instance)
        return mg_message_misuse(&context->message, "%s is NULL",
                                 model ? "the place for the instance" : "the model");
    uint32_t inputs = mg_model_inputs(model), outputs = mg_model_outputs(model),
             dims = mg_model_dims(model);
    MgInstance *i = *instance = calloc(1, sizeof *i);
    if (!i) {
        mg_message_set(&context->message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    i->model = mg_model_retain(model);
    i->context = context;
    i->inputs = calloc(inputs + 1, sizeof *i->inputs);
    i->outputs = calloc(outputs + 1, sizeof *i->outputs);
    i->ports = calloc(inputs + outputs + 1, sizeof *i->ports);
    i->dims = calloc(dims + 1, sizeof *i->dims);
    i->message = strdup("");
    bool ok = i->inputs && i->outputs && i->ports && i->dims && i->message;
    for (uint32_t k = 0; ok && k < inputs; k++)
        ok = (i->inputs[k].dims = calloc(model->inputs[k].rank + 1, sizeof(int64_t))) != NULL;
    for (uint32_t k = 0; ok && k < outputs; k++)
        ok = (i->outputs[k].dims = calloc(model->outputs[k].rank + 1, sizeof(int64_t))) != NULL;
    if (ok)
        return MG_OK;
    mg_instance_free(i);
    *instance = NULL;
    mg_message_set(&context->message, "out of memory");
    return MG_OUT_OF_MEMORY;
}

void mg_instance_free(MgInstance *i) {
    if (!i || i->busy)
        return;
    for (uint32_t k = 0; i->inputs && k < mg_model_inputs(i->model); k++) {
        mg_tensor_release(i->inputs[k].tensor);
        free(i->inputs[k].dims);
    }
    for (uint32_t k = 0; i->outputs && k < mg_model_outputs(i->model); k++) {
        free(i->outputs[k].own);
        free(i->outputs[k].dims);
    }
    mg_instance_free_device(i, true);
    for (uint32_t k = 0; i->buffers && k < mg_model_inputs(i->model) + mg_model_outputs(i->model);
         k++)
        mg_buffer_release(i->buffers[k]);
    free(i->buffers);
    void *owned[] = {i->inputs, i->outputs, i->ports, i->dims,  i->image_dims,
                     i->slots,  i->arena,   i->ticks, i->costs, i->message};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
    if (i->steps) { // the session owns their memory
        pthread_mutex_lock(&i->model->lock);
        mg_steps_free(i->steps);
        pthread_mutex_unlock(&i->model->lock);
    }
    mg_model_release(i->model);
    free(i);
}

const char *mg_instance_message(const MgInstance *i) {
    return i ? mg_message_text(i->message) : "there is no instance";
}

MgStatus mg_instance_check(MgInstance *i) {
    if (!i)
        return MG_BAD_USAGE;
    return i->busy ? mg_message_misuse(&i->message,
                                       "the instance is running: a hook that it calls can't use it")
                   : MG_OK;
}

static void unbind(MgInstance *i) {
    i->bound = i->direct = false;
}

// ---------------------------------------------------------------- binding
MgStatus mg_instance_check_input(MgInstance *i, uint32_t number, uint32_t rank,
                                 const int64_t *dims) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    const MgPortInfo *port = mg_model_input(i->model, number);
    if (!port) {
        mg_message_set(&i->message, "there is no input number %u: %s has %u", number,
                       mg_model_graph(i->model), mg_model_inputs(i->model));
        return MG_BAD_USAGE;
    }
    if (rank != port->rank) {
        mg_message_set(&i->message, "input %s has %u dimension%s, not %u", port->name, port->rank,
                       mg_plural(port->rank), rank);
        return MG_BAD_INPUT;
    }
    if (rank && !dims)
        return mg_message_misuse(&i->message, "the dimensions of input %s are NULL", port->name);
    return MG_OK;
}

void mg_instance_set_input(MgInstance *i, uint32_t number, const void *data, uint32_t rank,
                           const int64_t *dims) {
    MgInput *in = &i->inputs[number];
    if (!in->bound || (rank && memcmp(in->dims, dims, rank * sizeof *dims) != 0))
        unbind(i);
    if (rank)
        memcpy(in->dims, dims, rank * sizeof *dims);
    in->rank = rank;
    in->data = i->ports[number] = (void *)(uintptr_t)data;
    in->bound = true;
    if (in->tensor && in->tensor->data != data) {
        mg_tensor_release(in->tensor);
        in->tensor = NULL;
    }
}

static MgStatus check_alignment(MgInstance *i, const char *what, const MgPortInfo *port,
                                const void *data) {
    if ((uintptr_t)data % mg_element_size(port->element) == 0)
        return MG_OK;
    mg_message_set(&i->message, "the memory of %s %s is not aligned to its %s elements", what,
                   port->name, mg_element_name(port->element));
    return MG_BAD_USAGE;
}

static bool is_empty(uint32_t rank, const int64_t *dims) {
    for (uint32_t a = 0; a < rank; a++)
        if (!dims[a])
            return true;
    return false;
}

MgStatus mg_bind_input(MgInstance *i, uint32_t number, const void *data, uint32_t rank,
                       const int64_t *dims) {
    MgStatus status = mg_instance_check_input(i, number, rank, dims);
    const MgPortInfo *port = status ? NULL : mg_model_input(i->model, number);
    if (!status)
        status = check_alignment(i, "input", port, data);
    if (!status && !data && !is_empty(rank, dims)) {
        mg_message_set(&i->message, "the memory of input %s is NULL", port->name);
        status = MG_BAD_USAGE;
    }
    if (status)
        return status;
    mg_instance_set_input(i, number, data, rank, dims);
    mg_instance_set_buffer(i, number, NULL);
    return MG_OK;
}

MgStatus mg_bind_input_tensor(MgInstance *i, uint32_t number, MgTensor *tensor) {
    MgStatus checked = mg_instance_check(i);
    if (checked)
        return checked;
    const MgPortInfo *port = mg_model_input(i->model, number);
    if (port && !tensor)
        return mg_message_misuse(&i->message, "the tensor of input %s is NULL", port->name);
    if (port && port->element != (MgElement)tensor->dtype) {
        mg_message_set(&i->message, "input %s is %s, the tensor %s", port->name,
                       mg_element_name(port->element), mg_dtype(tensor->dtype)->name);
        return MG_BAD_INPUT;
    }
    MgStatus status = port ? mg_bind_input(i, number, tensor->data, tensor->rank, tensor->dims)
                           : mg_instance_check_input(i, number, 0, NULL);
    if (!status && i->inputs[number].tensor != tensor) {
        mg_tensor_release(i->inputs[number].tensor);
        i->inputs[number].tensor = mg_tensor_retain(tensor);
    }
    return status;
}

MgStatus mg_instance_check_output(MgInstance *i, uint32_t number) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    if (number < mg_model_outputs(i->model))
        return MG_OK;
    mg_message_set(&i->message, "there is no output number %u: %s has %u", number,
                   mg_model_graph(i->model), mg_model_outputs(i->model));
    return MG_BAD_USAGE;
}

MgStatus mg_bind_output(MgInstance *i, uint32_t number, void *data, size_t bytes) {
    MgStatus status = mg_instance_check_output(i, number);
    if (!status)
        status = check_alignment(i, "output", &i->model->outputs[number], data);
    if (status)
        return status;
    MgOutput *out = &i->outputs[number];
    mg_instance_set_buffer(i, mg_model_inputs(i->model) + number, NULL);
    if (!data || !out->given || bytes < out->bytes)
        unbind(i);
    i->ran &= data == out->given; // the last run left its results elsewhere
    out->given = data;
    out->room = bytes;
    if (i->bound)
        i->ports[mg_model_inputs(i->model) + number] = data;
    return MG_OK;
}

// ---------------------------------------------------------------- preparing
typedef struct DimValues {
    const MgInstance *i;
    bool bounds; // dimensions that data decide count as their upper bounds
} DimValues;

static bool known_dim(void *context, MgIxSym s, int64_t *value) {
    const DimValues *v = context;
    const MgModel *m = v->i->model;
    for (uint32_t k = 0; k < m->graph->dims.len; k++)
        if (m->graph->dims.at[k] == s) {
            *value = v->i->dims[k];
            return *value >= 0;
        }
    return false;
}

static bool dim_value(void *context, MgIxSym s, int64_t *value) {
    DimValues *v = context;
    const MgModel *m = v->i->model;
    if (known_dim(context, s, value))
        return true;
    for (uint32_t k = 0; k < m->graph->dims.len; k++)
        if (m->graph->dims.at[k] == s)
            return v->bounds && mg_ix_eval(m->module->ix, m->dim_bounds[k], known_dim, v, value) &&
                   *value != MG_IX_INF;
    return false;
}

bool mg_output_dims(MgInstance *i, uint32_t number, bool bounds) {
    const MgGraph *g = i->model->graph;
    const MgValue *v = &g->values.at[g->outputs.at[number].value];
    DimValues values = {i, bounds};
    MgOutput *out = &i->outputs[number];
    size_t count;
    for (uint32_t a = 0; a < v->rank; a++)
        if (!mg_ix_eval(g->module->ix, v->shape[a], dim_value, &values, &out->dims[a]))
            return false;
    return mg_tensor_size(v->dtype, v->rank, out->dims, &count, &out->bytes);
}

// Makes *at at least `bytes` of memory, 64-byte aligned, within the limit.
static bool reserve(MgInstance *i, void **at, size_t *room, size_t bytes) {
    if (*at && *room >= bytes)
        return true;
    free(*at);
    *at = NULL;
    // Large memory gets huge pages: its first use then takes one fault for 2 MiB in place of 512.
    size_t page = bytes >= HUGE_PAGE ? HUGE_PAGE : 64, rounded = (bytes + page - 1) / page * page;
    if (bytes <= i->context->options.memory_limit)
        *at = aligned_alloc(page, rounded ? rounded : page);
    if (*at && page == HUGE_PAGE)
        madvise(*at, rounded, MADV_HUGEPAGE); // failure is harmless
    *room = *at ? rounded : 0;
    return *at != NULL;
}

static MgStatus no_memory(MgInstance *i, const char *what, size_t bytes) {
    mg_message_set(&i->message, "out of memory: %s needs %zu bytes, the limit is %zu MiB", what,
                   bytes, i->context->options.memory_limit >> 20);
    return MG_OUT_OF_MEMORY;
}

static MgStatus prepare_outputs(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model);
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++) {
        const MgPortInfo *port = &i->model->outputs[k];
        MgOutput *out = &i->outputs[k];
        if (!mg_output_dims(i, k, true)) {
            mg_message_set(&i->message,
                           "the size of output %s has no bound: give its dimension one",
                           port->name);
            return MG_BAD_INPUT;
        }
        const MgBuffer *buffer = i->buffers ? i->buffers[inputs + k] : NULL;
        if (buffer && mg_buffer_bytes(buffer) < out->bytes) {
            mg_message_set(&i->message, "output %s needs %zu bytes, the buffer has %zu", port->name,
                           out->bytes, mg_buffer_bytes(buffer));
            return MG_BAD_USAGE;
        }
        if (buffer)
            continue;
        if (out->given && out->room < out->bytes) {
            mg_message_set(&i->message, "output %s needs %zu bytes, the memory bound to it has %zu",
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
        i->variant = NULL;
        mg_instance_free_device(i, false);
        if (!i->image_dims || !i->slots)
            return no_memory(i, "a call", (image->n_dims + image->n_slots) * sizeof(int64_t));
        i->variant = variant;
    }
    for (uint32_t d = 0; d < image->n_dims; d++)
        i->image_dims[d] = variant->dim_of[d] == UINT32_MAX ? -1 : i->dims[variant->dim_of[d]];
    int32_t failed = image->bind(i->image_dims, i->slots);
    if (failed) {
        mg_message_set(&i->message, "%s", image->requires[failed - 1]);
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
                       .weights = variant->weights,
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
            ok = (*variant = mg_model_variant(m, i->context, i->dims)) != NULL;
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
    if (i->hook && end)
        i->hook(i->hook_user, &(MgTiming){.kind = MG_TIMING_COMPILE,
                                          .name = mg_model_graph(m),
                                          .schedule = "",
                                          .place = "",
                                          .begin = begin,
                                          .end = end});
    return status;
}

MgStatus mg_instance_prepare(MgInstance *i) {
    for (uint32_t k = 0; k < mg_model_inputs(i->model); k++)
        if (!i->inputs[k].bound) {
            mg_message_set(&i->message, "input %s is not bound", i->model->inputs[k].name);
            return MG_BAD_USAGE;
        }
    const MgVariant *variant = NULL;
    MgStatus status = bind_dims(i, &variant);
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

// ---------------------------------------------------------------- running
static void pool_work(void *context, uint32_t worker, uint32_t workers) {
    MgInstance *i = context;
    i->run(&i->call, worker, workers);
}

typedef struct Shared {
    MgTask *work;
    void *argument;
    uint32_t workers;
} Shared;

static void hook_work(void *context, uint32_t worker) {
    Shared *s = context;
    s->work(s->argument, worker, s->workers);
}

MgStatus mg_instance_share(MgInstance *i, MgTask *work, void *argument) {
    const MgContextOptions *options = &i->context->options;
    if (i->workers == 1)
        work(argument, 0, 1);
    else if (options->parallel)
        options->parallel(options->parallel_user, i->workers, hook_work,
                          &(Shared){work, argument, i->workers});
    else if (!mg_threads_run(i->context->pool, work, argument, i->workers)) {
        mg_message_set(&i->message,
                       "this process is a child of fork(), which has none of its "
                       "parent's threads, and %u can't be started",
                       options->threads);
        return MG_RUN_FAILED;
    }
    return MG_OK;
}

MgStatus mg_instance_trapped(MgInstance *i) {
    uint32_t code = i->call.error;
    const MgImage *image = i->variant->image;
    const char *what = code <= image->n_traps ? image->traps[code - 1] : "the run failed";
    if (i->call.valued)
        mg_message_set(&i->message, "%s: it is %lld", what, (long long)i->call.value);
    else
        mg_message_set(&i->message, "%s", what);
    return MG_RUN_FAILED;
}

static MgStatus run_image(MgInstance *i) {
    if (i->ticks) // what this run does not reach has no time
        memset(i->ticks, 0, (size_t)2 * i->variant->image->n_sites * i->workers * sizeof *i->ticks);
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    i->call.error = i->call.valued = 0;
    MgStatus status = mg_instance_share(i, pool_work, i);
    if (status)
        return status;
    if (i->hook)
        mg_instance_report(i, begin, mg_now_ns());
    return i->call.error ? mg_instance_trapped(i) : MG_OK;
}

// Checks that inputs whose elements decided sizes when the model was loaded still have those
// elements.
static MgStatus check_fixed(MgInstance *i) {
    const MgModel *m = i->model;
    for (uint32_t f = 0; f < m->module->fixed.len; f++) {
        const MgFixedInput *fixed = &m->module->fixed.at[f];
        const char *name = mg_name(m->session->names, fixed->port);
        int32_t k = mg_model_find_input(m, name);
        if (k >= 0 && i->buffers && i->buffers[k]) {
            mg_message_set(&i->message,
                           "input %s decided sizes when the model was loaded: bind it to host "
                           "memory, where it can be checked",
                           name);
            return MG_BAD_USAGE;
        }
        if (k < 0 || !fixed->length || !memcmp(i->inputs[k].data, fixed->bytes, fixed->length))
            continue;
        mg_message_set(&i->message,
                       "input %s is not %s, which decided sizes when the model was loaded", name,
                       fixed->text);
        return MG_BAD_INPUT;
    }
    return MG_OK;
}

static MgStatus prepare_and_run(MgInstance *i, uint32_t times) {
    MgStatus status = i->bound ? MG_OK : mg_instance_prepare(i);
    status = status ? status : check_fixed(i);
    if (!status && i->model->device && i->variant) {
        status = mg_instance_run_device(i, times);
        if (!status && i->call.error)
            status = mg_instance_trapped(i);
        times = 0;
    }
    for (; times && !status; times--)
        status = i->model->options.interpret             ? mg_instance_interpret(i)
                 : mg_mode_by_op(i->model->options.mode) ? mg_instance_steps(i)
                                                         : run_image(i);
    return status;
}

MgStatus mg_instance_run(MgInstance *i, uint32_t times) {
    i->ran = false;
    if (i->model->device && !mg_device_here(i->model->device, &i->message))
        return MG_RUN_FAILED;
    bool busy = i->busy; // true inside a run of many passes
    i->busy = true;
    MgStatus status = prepare_and_run(i, times);
    i->busy = busy;
    i->ran = !status;
    return status;
}

MgStatus mg_run(MgInstance *i) {
    if (!i || !i->direct)
        return mg_run_times(i, 1);
    i->call.error = i->call.valued = 0;
    i->run(&i->call, 0, 1);
    i->ran = !i->call.error;
    return i->call.error ? mg_instance_trapped(i) : MG_OK;
}

bool mg_output_take(MgInstance *i, uint32_t number, const int64_t *dims, const void *data,
                    size_t bytes) {
    MgOutput *out = &i->outputs[number];
    uint32_t rank = i->model->outputs[number].rank;
    if (rank)
        memcpy(out->dims, dims, rank * sizeof *dims);
    out->bytes = bytes;
    if (out->given && out->room < bytes)
        return false;
    if (!out->given && !reserve(i, &out->own, &out->own_room, bytes))
        return false;
    void *to = out->given ? out->given : out->own;
    if (bytes)
        memcpy(to, data, bytes);
    return true;
}

MgStatus mg_run_times(MgInstance *i, uint32_t times) {
    MgStatus status = mg_instance_check(i);
    if (!status && !times)
        status = mg_message_misuse(&i->message, "times is 0; it must be at least 1");
    return status ? status : mg_instance_run(i, times);
}

// Reads back the dimensions that data decided in the call.
static bool refresh(MgInstance *i, uint32_t number) {
    if (i->variant)
        for (uint32_t d = 0; d < i->variant->image->n_dims; d++)
            if (i->variant->dim_of[d] != UINT32_MAX)
                i->dims[i->variant->dim_of[d]] = i->image_dims[d];
    return !i->variant || mg_output_dims(i, number, false);
}

MgStatus mg_instance_output(MgInstance *i, uint32_t number, const void **data,
                            const int64_t **dims) {
    if (!i->ran || !refresh(i, number))
        return mg_message_misuse(&i->message, "there are no outputs: the last run failed, or there "
                                              "was none since the outputs' memory was chosen");
    const MgOutput *out = &i->outputs[number];
    bool there = i->buffers && i->buffers[mg_model_inputs(i->model) + number];
    *data = there ? NULL : out->given ? out->given : out->own;
    *dims = out->dims;
    return MG_OK;
}

MgStatus mg_output(const MgInstance *constant, uint32_t number, const void **data,
                   const int64_t **dims) {
    // Only a cache of the call's state and the message change.
    MgInstance *i = (MgInstance *)(uintptr_t)constant;
    MgStatus status = mg_instance_check_output(i, number);
    if (!status && (!data || !dims))
        status = mg_message_misuse(&i->message, "the place for the output's %s is NULL",
                                   data ? "dimensions" : "address");
    return status ? status : mg_instance_output(i, number, data, dims);
}

MgTensor *mg_output_tensor(const MgInstance *i, uint32_t number) {
    const void *data;
    const int64_t *dims;
    if (mg_output(i, number, &data, &dims))
        return NULL;
    const MgPortInfo *port = &i->model->outputs[number];
    MgTensor *t = mg_tensor_new(port->element, port->rank, dims);
    const MgBuffer *buffer = i->buffers ? i->buffers[mg_model_inputs(i->model) + number] : NULL;
    if (t && t->bytes && data)
        memcpy(t->data, data, t->bytes);
    if (t && buffer && mg_buffer_read(buffer, i->context, 0, t->data, t->bytes)) {
        mg_tensor_release(t);
        return NULL;
    }
    return t;
}

void mg_set_timing(MgInstance *i, MgTimingHook *hook, void *user) {
    if (!i || i->busy) // called from a hook: it stays set until the run ends
        return;
    i->hook = hook;
    i->hook_user = user;
    unbind(i);
}
