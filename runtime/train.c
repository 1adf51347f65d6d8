// A training: an instance whose parameters change. Each parameter with a next value has two places
// that are swapped after a step, so nothing is copied, and a step that fails loses nothing. On a
// device the places are buffers there. With the option in_place a parameter has one place, if the
// code can make its next values there.
#include "formats/npy.h"
#include "formats/safetensors.h"
#include "formats/tensor.h"
#include "runtime/instance.h"
#include "runtime/steps.h"

#include <stdlib.h>

typedef struct Param {
    const MgPort *port;
    uint32_t input, output;
    MgTensor *places[2]; // on the host; NULL on a device
    MgBuffer *buffers[2];
    const MgWeight *initial; // its type and shape; its values at the start
    uint32_t now;            // which of the two places holds the current values
    bool moved;              // the latest run changed it
    bool in_place;           // the code makes the next values in the memory of the current ones
} Param;

typedef enum Run {
    TRY, // it changes nothing
    ADD, // a batch that is not the last of its step
    STEP
} Run;

struct MgTrain {
    MgModel *model; // retained
    MgContext *context;
    MgInstance *instance;
    Param *params; // those of the graph, then the sums of gradients
    uint32_t n, n_sums;
    bool on_device;
    bool torn;      // a step in place failed: the values are of no step
    bool has_past;  // the other places hold the values from before the latest run
    int32_t number; // the input for the number of the batch in its step; -1: there is none
    float batch;    // that number
    uint32_t added, added_before; // batches in the sums, now and before the latest run
    void *stream;                 // of the caller's, whose order the runs follow; NULL: none
    char *message;
};

const char *mg_train_message(const MgTrain *train) {
    return train ? mg_message_text(train->message) : "there is no training";
}

MgInstance *mg_train_instance(MgTrain *train) {
    return train ? train->instance : NULL;
}

void mg_train_close(MgTrain *t) {
    if (!t || (t->instance && mg_instance_check(t->instance))) // a hook of its own
        return;
    mg_instance_free(t->instance);
    for (uint32_t i = 0; i < t->n + t->n_sums; i++)
        for (int k = 0; k < 2; k++) {
            mg_tensor_release(t->params[i].places[k]);
            mg_buffer_release(t->params[i].buffers[k]);
        }
    mg_model_release(t->model);
    free(t->params);
    free(t->message);
    free(t);
}

// ---------------------------------------------------------------- values

static MgStatus failed(MgTrain *t, MgStatus status, const char *why) {
    if (why && *why)
        mg_message_set(&t->message, "%s", why);
    return status;
}

static MgStatus no_memory(MgTrain *t) {
    MgStatus status = mg_message_memory(t->context);
    return failed(t, status, mg_context_message(t->context));
}

// Refuses a training that is NULL or whose step is running, as when its hook calls, and an argument
// that is NULL. `name` is the argument's name.
static MgStatus check(MgTrain *t, const void *argument, const char *name) {
    if (!t)
        return MG_BAD_USAGE;
    MgStatus status = mg_instance_check(t->instance);
    if (status)
        return failed(t, status, mg_instance_message(t->instance));
    return argument ? MG_OK : mg_message_misuse(&t->message, "the %s is NULL", name);
}

// The same for a call that needs the values.
static MgStatus check_values(MgTrain *t, const void *argument, const char *name) {
    MgStatus status = check(t, argument, name);
    if (status || !t->torn)
        return status;
    return mg_message_misuse(&t->message, "a step failed while it changed the parameters in place: "
                                          "load them first");
}

static MgStatus write_values(MgTrain *t, Param *p, const void *data) {
    t->has_past = false;
    t->added = 0;
    if (!t->on_device) {
        memcpy(p->places[p->now]->data, data, p->initial->bytes);
        return MG_OK;
    }
    MgStatus status = mg_buffer_write(p->buffers[p->now], t->context, 0, data, p->initial->bytes);
    return failed(t, status, status ? mg_context_message(t->context) : NULL);
}

// The values on the host. *copy must be released if it is not NULL.
static MgStatus read_values(MgTrain *t, const Param *p, const void **data, MgTensor **copy) {
    *copy = NULL;
    if (!t->on_device) {
        *data = p->places[p->now]->data;
        return MG_OK;
    }
    const MgWeight *w = p->initial;
    *copy = mg_tensor_new((MgElement)w->dtype, w->rank, w->dims);
    if (!*copy)
        return no_memory(t);
    *data = (*copy)->data;
    MgStatus status = mg_buffer_read(p->buffers[p->now], t->context, 0, (*copy)->data, w->bytes);
    return failed(t, status, status ? mg_context_message(t->context) : NULL);
}

static Param *find(MgTrain *t, const char *key) {
    MgNames *names = t->model->session->names;
    for (uint32_t i = 0; key && i < t->n; i++)
        if (!strcmp(mg_name(names, t->params[i].port->key), key))
            return &t->params[i];
    if (key)
        mg_message_misuse(&t->message, "the graph %s changes no parameter '%s'",
                          mg_model_graph(t->model), key);
    else
        mg_message_misuse(&t->message, "the key is NULL");
    return NULL;
}

MgStatus mg_train_get(MgTrain *t, const char *key, MgTensor **value) {
    if (value)
        *value = NULL;
    MgStatus status = check_values(t, value, "place for the value");
    const Param *p = status ? NULL : find(t, key);
    if (!p)
        return MG_BAD_USAGE;
    const void *data;
    MgTensor *copy;
    status = read_values(t, p, &data, &copy);
    const MgWeight *w = p->initial;
    if (!status && !copy && (copy = mg_tensor_new((MgElement)w->dtype, w->rank, w->dims)))
        memcpy(copy->data, data, w->bytes);
    if (status) {
        mg_tensor_release(copy);
        return status;
    }
    *value = copy;
    return copy ? MG_OK : no_memory(t);
}

static bool same_type(const MgWeight *w, MgDType dtype, uint32_t rank, const int64_t *dims) {
    bool same = w->dtype == dtype && w->rank == rank;
    for (uint32_t i = 0; same && i < rank; i++)
        same = w->dims[i] == dims[i];
    return same;
}

MgStatus mg_train_set(MgTrain *t, const char *key, const MgTensor *value) {
    Param *p = check_values(t, value, "value") ? NULL : find(t, key);
    if (!p)
        return MG_BAD_USAGE;
    if (!same_type(p->initial, value->dtype, value->rank, value->dims))
        return mg_message_misuse(&t->message, "the value for '%s' has another type or shape", key);
    return write_values(t, p, value->data);
}

uint32_t mg_train_params(const MgTrain *t) {
    return t ? t->n : 0;
}

const char *mg_train_param(const MgTrain *t, uint32_t number) {
    return t && number < t->n ? mg_name(t->model->session->names, t->params[number].port->key)
                              : NULL;
}

// ---------------------------------------------------------------- opening

static MgStatus make_place(MgTrain *t, Param *p, int k) {
    const MgWeight *w = p->initial;
    if (t->on_device)
        return mg_buffer_new(t->model, t->context, w->bytes + !w->bytes, &p->buffers[k]);
    p->places[k] = mg_tensor_new((MgElement)w->dtype, w->rank, w->dims);
    return p->places[k] ? MG_OK : no_memory(t);
}

// The second place follows when the code is known.
static MgStatus make_first_place(MgTrain *t, Param *p) {
    MgStatus status = make_place(t, p, 0);
    return status ? status : write_values(t, p, p->initial->data);
}

static MgStatus open_params(MgTrain *t) {
    MgModel *m = t->model;
    const MgGraph *g = m->graph;
    t->params = calloc(g->inputs.len + 1, sizeof *t->params);
    if (!t->params)
        return no_memory(t);
    MgStatus status = MG_OK;
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (g->inputs.at[i].turn == MG_TURN_NUMBER)
            t->number = (int32_t)i;
    for (uint32_t o = 0; o < g->outputs.len && !status; o++) {
        const MgPort *port = &g->outputs.at[o];
        if (!port->key)
            continue;
        bool sum = port->turn == MG_TURN_SUM; // those are the last outputs
        Param *p = &t->params[t->n + t->n_sums];
        t->n += !sum;
        t->n_sums += sum;
        *p = (Param){.port = port,
                     .input = (uint32_t)port->aliases,
                     .output = o,
                     .initial = mg_weight(&m->weights, port->key)};
        status = make_first_place(t, p);
    }
    if (!status && !t->n)
        return mg_message_misuse(&t->context->message,
                                 "the graph %s changes no parameters: it has no 'next'",
                                 mg_model_graph(m));
    return status;
}

// ---------------------------------------------------------------- binding

// Is the buffer of the port one of the parameter's?
static bool has_place(const MgTrain *t, const Param *p, uint32_t port) {
    const MgBuffer *b = t->instance->placed ? t->instance->placed[port].buffer : NULL;
    return b && (b == p->buffers[0] || b == p->buffers[1]);
}

static MgStatus bind_on_device(MgTrain *t, const Param *p) {
    const MgWeight *w = p->initial;
    MgBuffer *now = p->buffers[p->now], *next = p->buffers[!p->now];
    uint32_t output = mg_model_inputs(t->model) + p->output;
    if (has_place(t, p, p->input) && has_place(t, p, output)) { // what was checked is swapped
        mg_instance_place(t->instance, p->input, mg_buffer_address(now), mg_buffer_bytes(now), now);
        next = next ? next : now;
        mg_instance_place(t->instance, output, mg_buffer_address(next), mg_buffer_bytes(next),
                          next);
        return MG_OK;
    }
    // Two buffers are swapped, and each is bound to one port at a time.
    MgStatus status = next ? mg_bind_output(t->instance, p->output, NULL, 0) : MG_OK;
    if (!status)
        status = mg_bind_input_buffer(t->instance, p->input, now, w->rank, w->dims);
    return status ? status : mg_bind_output_buffer(t->instance, p->output, next ? next : now);
}

static MgStatus bind_on_host(MgTrain *t, const Param *p) {
    const MgWeight *w = p->initial;
    const MgTensor *next = p->places[p->places[!p->now] ? !p->now : p->now];
    MgStatus status =
        mg_bind_input(t->instance, p->input, p->places[p->now]->data, w->rank, w->dims);
    return status || !w->bytes ? status
                               : mg_bind_output(t->instance, p->output, next->data, w->bytes);
}

// Until the code is known, and if it makes the next values in place, the output has the input's
// memory.
static MgStatus bind_places(MgTrain *t, const Param *p) {
    return t->on_device ? bind_on_device(t, p) : bind_on_host(t, p);
}

// Binds what is the training's own.
static MgStatus bind_own(MgTrain *t) {
    t->batch = (float)(t->added + 1);
    MgStatus status = t->number >= 0
                          ? mg_bind_input(t->instance, (uint32_t)t->number, &t->batch, 0, NULL)
                          : MG_OK;
    for (uint32_t i = 0; i < t->n + t->n_sums && !status; i++)
        status = bind_places(t, &t->params[i]);
    return status;
}

MgStatus mg_train_open(MgModel *model, MgContext *context, MgTrain **train) {
    if (train)
        *train = NULL;
    if (!context)
        return MG_BAD_USAGE;
    if (!model || !train)
        return mg_message_misuse(&context->message, "the %s is NULL",
                                 model ? "place for the training" : "model");
    MgTrain *t = calloc(1, sizeof *t);
    if (!t)
        return mg_message_memory(context);
    t->model = mg_model_retain(model);
    t->context = context;
    t->number = -1;
    t->on_device = model->device != NULL && !model->options.interpret;
    MgStatus status = mg_instance_new(model, context, &t->instance);
    if (!status)
        status = open_params(t);
    if (!status)
        status = failed(t, bind_own(t), mg_instance_message(t->instance));
    if (!status && !t->message && !(t->message = strdup("")))
        status = no_memory(t);
    if (status) {
        if (t->message)
            mg_message_set(&context->message, "%s", t->message);
        mg_train_close(t);
        return status;
    }
    *train = t;
    return MG_OK;
}

// ---------------------------------------------------------------- steps

// Does a run of this part change the parameter?
static bool changes(const Param *p, Run what) {
    return what == STEP || (what == ADD && p->port->turn != MG_TURN_STEP);
}

// Makes a place for the next values, unless the code makes them in the memory of the current ones.
static MgStatus find_place(MgTrain *t, Param *p) {
    p->in_place = mg_instance_aliases(t->instance, p->output) >= 0;
    if (p->in_place || p->places[!p->now] || p->buffers[!p->now])
        return MG_OK;
    MgStatus status = make_place(t, p, !p->now);
    return status ? status : bind_places(t, p);
}

static MgPart part_of(const MgTrain *t, Run what) {
    const MgCompileOptions *o = &t->model->options;
    if (o->interpret || mg_mode_by_op(o->mode))
        return MG_PART_ALL;
    return what == ADD ? MG_PART_ADD : what == TRY && o->in_place ? MG_PART_TRY : MG_PART_ALL;
}

// Finds the code, which decides what has two places. A hook that hears of it can't use the
// training.
static MgStatus find_code(MgTrain *t) {
    if (t->instance->bound)
        return MG_OK;
    t->instance->busy = true;
    MgStatus status = mg_instance_prepare(t->instance);
    t->instance->busy = false;
    return status;
}

static MgStatus bind(MgTrain *t, Run what) {
    MgPart part = part_of(t, what);
    mg_instance_part(t->instance, part);
    MgStatus status = bind_own(t);
    uint32_t n = t->n + t->n_sums;
    if (status || part == MG_PART_TRY)
        return status;
    status = find_code(t);
    for (uint32_t i = 0; i < n && !status; i++)
        if (part == MG_PART_ALL || changes(&t->params[i], what))
            status = find_place(t, &t->params[i]);
    return status;
}

static MgStatus run_in_order(MgTrain *t) {
    t->instance->stream = t->stream;
    MgStatus status = mg_run(t->instance);
    t->instance->stream = NULL;
    return status ? status : mg_instance_settle(t->instance);
}

static MgStatus run(MgTrain *t, Run what) {
    MgStatus status = check_values(t, t, "training");
    if (status)
        return status;
    status = bind(t, what);
    bool began = !status, in_place = false;
    for (uint32_t i = 0; i < t->n + t->n_sums; i++)
        in_place |= changes(&t->params[i], what) && t->params[i].in_place;
    if (!status)
        status = run_in_order(t);
    t->has_past = !status && what != TRY && !in_place;
    t->torn = status && began && in_place;
    if (status)
        return failed(t, status, mg_instance_message(t->instance));
    for (uint32_t i = 0; i < t->n + t->n_sums && what != TRY; i++) {
        Param *p = &t->params[i];
        p->moved = changes(p, what) && !p->in_place;
        p->now ^= p->moved;
    }
    t->added_before = t->added;
    t->added = what == ADD ? t->added + 1 : what == STEP ? 0 : t->added;
    return MG_OK;
}

MgStatus mg_train_step(MgTrain *train) {
    return run(train, STEP);
}

MgStatus mg_train_try(MgTrain *train) {
    return run(train, TRY);
}

MgStatus mg_train_add(MgTrain *t) {
    enum { MOST = 1 << 24 }; // counts up to this are exact in f32
    if (t && t->number < 0)
        return mg_message_misuse(&t->message, "the model was loaded without the option accumulate");
    if (t && t->added + 1 >= MOST)
        return mg_message_misuse(&t->message, "a step has at most %d batches", MOST);
    return run(t, ADD);
}

MgStatus mg_train_stream(MgTrain *t, const char *interface, void *stream) {
    MgStatus status = check(t, stream ? interface : "none", "name of the interface");
    if (status)
        return status;
    if (stream && !(t->on_device && mg_device_has_streams(t->model->device, interface)))
        return mg_message_misuse(&t->message, "%s doesn't run through %s, or that has no streams",
                                 mg_model_graph(t->model), interface);
    t->stream = stream;
    return MG_OK;
}

MgStatus mg_train_undo(MgTrain *t) {
    MgStatus status = check(t, t, "training");
    if (status)
        return status;
    if (!t->has_past)
        return mg_message_misuse(&t->message, t->model->options.in_place
                                                  ? "steps in place can't be undone"
                                                  : "there is no step to undo");
    t->has_past = false;
    t->added = t->added_before;
    for (uint32_t i = 0; i < t->n + t->n_sums; i++)
        t->params[i].now ^= t->params[i].moved;
    return MG_OK;
}

MgStatus mg_train_bind(MgTrain *t, MgInstance *instance) {
    MgStatus status = check_values(t, instance, "instance");
    if (status)
        return status;
    MgModel *m = instance->model;
    for (uint32_t i = 0; i < mg_model_inputs(m) && !status; i++) {
        const char *key = mg_model_input(m, i)->key;
        for (uint32_t k = 0; key && k < t->n && !status; k++) {
            const Param *p = &t->params[k];
            const MgWeight *w = p->initial;
            if (strcmp(mg_train_param(t, k), key) != 0)
                continue;
            status = t->on_device
                         ? mg_bind_input_buffer(instance, i, p->buffers[p->now], w->rank, w->dims)
                         : mg_bind_input(instance, i, p->places[p->now]->data, w->rank, w->dims);
        }
    }
    return failed(t, status, status ? mg_instance_message(instance) : NULL);
}

// ---------------------------------------------------------------- files

static const char *const files[] = {"weights.safetensors", "state.safetensors"};

static const char *path_of(MgSession *session, const char *folder, bool buffer) {
    return mg_arena_printf(session->arena, "%s/%s", folder, files[buffer]);
}

static MgStatus save_some(MgTrain *t, MgSession *session, const char *folder, bool buffer) {
    MgSafetensor *tensors = MG_NEW_N(session->arena, MgSafetensor, t->n);
    MgTensor **copies = MG_NEW_N(session->arena, MgTensor *, t->n);
    uint32_t n = 0;
    MgStatus status = MG_OK;
    for (uint32_t i = 0; i < t->n && !status; i++) {
        const Param *p = &t->params[i];
        if (p->port->buffer != buffer)
            continue;
        const char *key = mg_name(t->model->session->names, p->port->key);
        tensors[n] = (MgSafetensor){.key = mg_sym(session->names, key),
                                    .dtype = p->initial->dtype,
                                    .rank = p->initial->rank,
                                    .dims = p->initial->dims,
                                    .bytes = p->initial->bytes};
        status = read_values(t, p, &tensors[n].data, &copies[n]);
        n++;
    }
    if (!status && !mg_safetensors_write(session, path_of(session, folder, buffer), tensors, n))
        status = MG_BAD_INPUT;
    for (uint32_t i = 0; i < n; i++)
        mg_tensor_release(copies[i]);
    return status;
}

// Takes the tensors of the file once everything has been checked. False with diagnostics in the
// session.
static bool check_file(MgTrain *t, MgSession *session, const char *path, bool buffer,
                       const MgSafetensors **file) {
    bool ok = (*file = mg_safetensors_open(session, path, mg_no_span())) != NULL;
    MgMap keys;
    mg_map_init(&keys, session->arena);
    for (uint32_t i = 0; *file && i < t->n; i++) {
        const Param *p = &t->params[i];
        const char *key = mg_name(t->model->session->names, p->port->key);
        MgSym sym = mg_sym(session->names, key);
        const MgSafetensor *found = mg_safetensors_find(*file, sym);
        mg_map_put(&keys, sym, 1);
        if (p->port->buffer != buffer)
            continue;
        if (!found)
            mg_diag(session, mg_no_span(), MG_D_train_lacks, path, key);
        else if (!same_type(p->initial, found->dtype, found->rank, found->dims))
            mg_diag(
                session, mg_no_span(), MG_D_train_differs, path, key,
                mg_weight_type(session->arena, mg_safetensor_type(found), found->rank, found->dims),
                mg_weight_type(session->arena, mg_dtype(p->initial->dtype)->name, p->initial->rank,
                               p->initial->dims));
        else
            continue;
        ok = false;
    }
    for (uint32_t i = 0; *file && i < (*file)->tensors.len; i++)
        if (!mg_map_find(&keys, (*file)->tensors.at[i].key)) {
            mg_diag(session, mg_no_span(), MG_D_train_extra, path,
                    mg_name(session->names, (*file)->tensors.at[i].key));
            ok = false;
        }
    return ok;
}

static MgStatus load(MgTrain *t, MgSession *session, const char *folder) {
    const MgSafetensors *found[2];
    bool ok = true;
    for (int buffer = 0; buffer < 2; buffer++)
        ok &= check_file(t, session, path_of(session, folder, buffer), buffer, &found[buffer]);
    if (!ok)
        return MG_BAD_INPUT;
    for (uint32_t i = 0; i < t->n; i++) {
        Param *p = &t->params[i];
        const char *key = mg_name(t->model->session->names, p->port->key);
        const MgSafetensor *s =
            mg_safetensors_find(found[p->port->buffer], mg_sym(session->names, key));
        MgStatus status = write_values(t, p, s->data);
        if (status)
            return status;
    }
    t->torn = false;
    return MG_OK;
}

static MgStatus with_files(MgTrain *t, const char *folder, bool save) {
    volatile MgStatus status =
        save ? check_values(t, folder, "folder") : check(t, folder, "folder");
    if (status)
        return status;
    MgSession *session = mg_session_new(t->context->options.memory_limit);
    if (!session)
        return no_memory(t);
    status = MG_OUT_OF_MEMORY;
    MgTry frame;
    if (MG_TRY(session->mem, frame)) {
        status = save ? save_some(t, session, folder, false) : load(t, session, folder);
        if (save && !status)
            status = save_some(t, session, folder, true);
        mg_try_end(session->mem, &frame);
    }
    if (status == MG_OUT_OF_MEMORY)
        no_memory(t);
    else if (status && session->n_errors)
        mg_message_take(&t->message, session, t->context->color);
    mg_session_free(session);
    return status;
}

MgStatus mg_train_save(MgTrain *train, const char *folder) {
    return with_files(train, folder, true);
}

MgStatus mg_train_load(MgTrain *train, const char *folder) {
    return with_files(train, folder, false);
}
