// Binding and running. mg_run of a bound instance touches no lock, no heap and no shape. After any
// change, the next run prepares the instance again first (instance_prepare.c).
#include "runtime/instance.h"
#include "runtime/steps.h"

#include "formats/tensor.h"
#include "ir/fill.h"

#include <stdlib.h>

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
    for (uint32_t k = 0; i->placed && k < mg_model_inputs(i->model) + mg_model_outputs(i->model);
         k++)
        mg_buffer_release(i->placed[k].buffer);
    free(i->placed);
    mg_instance_free_parameters(i);
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

void mg_instance_part(MgInstance *i, MgPart part) {
    if (i->part != part)
        unbind(i);
    i->part = part;
}

int32_t mg_instance_aliases(const MgInstance *i, uint32_t output) {
    return i->variant ? i->variant->image->ports[mg_model_inputs(i->model) + output].aliases : -1;
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
        memmove(in->dims, dims, rank * sizeof *dims); // they may be those of before
    in->rank = rank;
    in->data = i->ports[number] = (void *)(uintptr_t)data;
    if (in->made_here)
        i->ports[mg_model_inputs(i->model) + in->made_here - 1] = i->ports[number];
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
    mg_instance_unplace(i, number);
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
        mg_message_set(&i->message, "input %s is %s, but its tensor is %s", port->name,
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
    mg_instance_unplace(i, mg_model_inputs(i->model) + number);
    if (!data || !out->given || bytes < out->bytes)
        unbind(i);
    i->ran &= data == out->given; // the last run left its results elsewhere
    out->given = data;
    out->room = bytes;
    if (i->bound && mg_instance_aliases(i, number) < 0)
        i->ports[mg_model_inputs(i->model) + number] = data;
    return MG_OK;
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

// A dimension of the code, or of the graph if the code has it as a number.
static bool value_of_name(void *context, const char *name, size_t length, int64_t *value) {
    const MgInstance *i = context;
    const MgImage *image = i->variant->image;
    for (uint32_t d = 0; d < image->n_dims; d++)
        if (!strncmp(image->dim_names[d], name, length) && !image->dim_names[d][length])
            return (*value = i->image_dims[d]) >= 0;
    for (uint32_t d = 0; d < mg_model_dims(i->model); d++) {
        const char *dim = mg_model_dim(i->model, d);
        if (!strncmp(dim, name, length) && !dim[length])
            return (*value = i->dims[d]) >= 0;
    }
    return false;
}

void mg_instance_says(MgInstance *i, const char *text) {
    MgMem *mem = mg_mem_new(0); // the model's own may be in use by other threads
    MgTry frame;
    mg_message_set(&i->message, "%s", text);
    if (mem && MG_TRY(mem, frame)) {
        const char *filled = mg_fill(mg_arena_new(mem), text, value_of_name, i);
        mg_message_set(&i->message, "%s", filled);
        mg_try_end(mem, &frame);
    }
    if (mem)
        mg_mem_free(mem);
}

MgStatus mg_instance_trapped(MgInstance *i) {
    uint32_t code = i->call.error;
    const MgImage *image = i->variant->image;
    const char *what = code <= image->n_traps ? image->traps[code - 1] : "the run failed";
    if (i->call.valued)
        mg_message_set(&i->message, "%s: it is %lld", what, (long long)i->call.value);
    else
        mg_instance_says(i, what);
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
        if (k >= 0 && mg_instance_placed(i, (uint32_t)k)) {
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
    bool there = mg_instance_placed(i, mg_model_inputs(i->model) + number);
    int32_t aliases = mg_instance_aliases(i, number);
    *data = there          ? NULL
            : aliases >= 0 ? i->inputs[aliases].data
            : out->given   ? out->given
                           : out->own;
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

MgTensor *mg_output_tensor(const MgInstance *constant, uint32_t number) {
    MgInstance *i = (MgInstance *)(uintptr_t)constant;
    const void *data;
    const int64_t *dims;
    if (mg_output(i, number, &data, &dims) || mg_wait(i))
        return NULL;
    const MgPortInfo *port = &i->model->outputs[number];
    MgTensor *t = mg_tensor_new(port->element, port->rank, dims);
    int64_t placed = mg_instance_placed(i, mg_model_inputs(i->model) + number);
    if (t && t->bytes && data)
        memcpy(t->data, data, t->bytes);
    if (t && placed &&
        mg_device_copy(i->model->device, placed, NULL, t->data, t->bytes, &i->context->message)) {
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
