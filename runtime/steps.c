// Runs a graph op by op. The model's lock is held during a run, because splitting the graph and
// reporting to the user use the model's session; the programs of the ops have sessions of their
// own.
#include "runtime/steps.h"

#include "formats/tensor.h"

#include <stdlib.h>

typedef struct Program {
    MgModel *model;
    MgInstance *instance;
} Program;

// Memory for one value, from its op to its last reader; after that it is kept for the next value of
// that size.
typedef struct Buffer {
    void *data;
    size_t bytes;
    bool taken;
} Buffer;

typedef struct Held { // a value that was computed or came from outside
    const void *data;
    int64_t *dims;   // has room for its rank
    uint32_t buffer; // 1 + its number; 0: the value is elsewhere
} Held;

typedef struct Step {
    MgOpId op;
    const char *name, *place;
    bool shares;      // equal ops may share its program
    const char *text; // NULL: not yet made
    MgOneOp one;
    int64_t *dims;           // the dims for which it was made
    uint32_t program;        // 1 + its number among the kept ones; 0: none yet
    MG_VEC(MgValueId) dying; // values without later readers
} Step;

struct MgSteps {
    MgContext context; // a copy of the instance's context, without what the mode forbids
    MgArena *arena;
    MG_VEC(Step) steps;
    MG_VEC(Buffer) buffers;
    MG_VEC(Program) programs;
    MgMap by_text; // hash of a text -> number of its program
    Held *held;    // by value id
    int64_t *dims; // parallel to the graph's; -1: not yet known
    MgInstance *owner;
    uint32_t now;  // the number of the current step
    Program fresh; // for mode immediate; otherwise all NULL
};

bool mg_mode_by_op(MgMode mode) {
    return mode == MG_MODE_IMMEDIATE || mode == MG_MODE_CACHED;
}

static void drop(Program *p) {
    mg_instance_free(p->instance);
    mg_model_release(p->model);
    *p = (Program){NULL, NULL};
}

void mg_steps_free(MgSteps *s) {
    if (!s)
        return;
    for (uint32_t i = 0; i < s->programs.len; i++)
        drop(&s->programs.at[i]);
    drop(&s->fresh);
    for (uint32_t i = 0; i < s->buffers.len; i++)
        free(s->buffers.at[i].data);
    free(s->context.message);
    mg_arena_free(s->arena); // and with it, s
}

// ---------------------------------------------------------------- splitting
static bool known_dim(void *context, MgIxSym sym, int64_t *value) {
    const MgSteps *s = context;
    const MgGraph *g = s->owner->model->graph;
    for (uint32_t d = 0; d < g->dims.len; d++)
        if (g->dims.at[d] == sym && s->dims[d] >= 0) {
            *value = s->dims[d];
            return true;
        }
    return false;
}

static bool can_trap(const MgSx *x) {
    if (x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_CHECKED)
        return true;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (can_trap(x->args[i]))
            return true;
    return x->otherwise && can_trap(x->otherwise);
}

// A program that can stop with a message belongs to one op, because the message names that op's
// line.
static bool may_share(const MgOp *op) {
    if (op->kind != MG_OP_EQUATION)
        return false;
    for (uint32_t p = 0; p < op->equation->n_pieces; p++)
        if (op->equation->pieces[p].write == MG_BOUNDS_CHECKED ||
            can_trap(op->equation->pieces[p].expr))
            return false;
    return true;
}

static bool computes(const MgOp *op) {
    return op->kind != MG_OP_ERASED && op->kind != MG_OP_YIELD && op->kind != MG_OP_PARAM &&
           op->kind != MG_OP_CONST;
}

// Records that this step reads the operands of op, and of the ops inside it, so that they live at
// least until here.
static void note_reads(const MgGraph *g, const MgOp *op, uint32_t step, uint32_t *last) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        last[op->operands[i]] = step;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = &g->regions.at[op->regions[r]];
        for (uint32_t i = 0; i < region->ops.len; i++)
            note_reads(g, &g->ops.at[region->ops.at[i]], step, last);
    }
}

static Step *add_step(MgSteps *s, MgOpId id) {
    MgModule *m = s->owner->model->module;
    const MgOp *op = mg_op(s->owner->model->graph, id);
    const MgOrigin *at = mg_origin_of_user(m, op->origin);
    Step step = {.op = id, .name = "", .place = "", .shares = may_share(op)};
    if (op->n_results)
        step.name =
            mg_name(m->session->names, mg_value(s->owner->model->graph, op->results[0])->name);
    if (at)
        step.place = mg_arena_printf(s->arena, "%s:%u:%u", mg_name(m->session->names, at->file),
                                     at->line, at->column);
    mg_push(s->arena, &s->steps, step);
    return &s->steps.at[s->steps.len - 1];
}

static void split(MgSteps *s) {
    MgGraph *g = s->owner->model->graph;
    uint32_t *last = MG_NEW_N(s->arena, uint32_t, g->values.len);
    for (uint32_t i = 0; i < g->regions.at[0].ops.len; i++) {
        MgOpId id = g->regions.at[0].ops.at[i];
        if (!computes(mg_op(g, id)))
            continue;
        add_step(s, id);
        note_reads(g, mg_op(g, id), s->steps.len - 1, last);
        for (uint32_t r = 0; r < mg_op(g, id)->n_results; r++) // those that nobody reads
            last[mg_op(g, id)->results[r]] = s->steps.len - 1;
    }
    for (uint32_t k = 0; k < g->outputs.len; k++)
        last[g->outputs.at[k].value] = UINT32_MAX;
    for (MgValueId v = 1; v < g->values.len; v++)
        if (g->values.at[v].def && last[v] < s->steps.len)
            mg_push(s->arena, &s->steps.at[last[v]].dying, v);
}

static MgSteps *make(MgInstance *i) {
    MgArena *arena = mg_arena_new(i->model->session->mem);
    MgSteps *s = MG_NEW(arena, MgSteps);
    s->arena = arena;
    s->owner = i;
    s->context = *i->context;
    s->context.message = NULL;
    s->context.passes = NULL;
    s->context.devices = NULL; // all ops run on the model's device, whatever other devices are open
    s->context.n_devices = 0;
    s->context.device = i->model->device;
    if (i->model->options.mode == MG_MODE_IMMEDIATE)
        s->context.cache = NULL;
    mg_map_init(&s->by_text, arena);
    const MgGraph *g = i->model->graph;
    s->dims = MG_NEW_N(arena, int64_t, g->dims.len + 1);
    s->held = MG_NEW_N(arena, Held, g->values.len);
    for (MgValueId v = 1; v < g->values.len; v++)
        s->held[v].dims = MG_NEW_N(arena, int64_t, g->values.at[v].rank + 1);
    i->steps = s;
    split(s);
    return s;
}

// Writes the op's graph as text, for the dimensions that are known now.
static void write_text(MgSteps *s, Step *step) {
    const MgModel *m = s->owner->model;
    size_t n = m->graph->dims.len;
    if (step->text && (!n || !memcmp(step->dims, s->dims, n * sizeof *s->dims)))
        return;
    step->dims = mg_arena_copy(s->arena, s->dims, n + 1, sizeof *s->dims);
    step->one = mg_graph_one_op(m->graph, step->op, step->shares, known_dim, s);
    MgText text = mg_text(s->arena);
    MgPrintOptions print = {
        .origins = !step->shares, .annotations = true, .inline_const = SIZE_MAX};
    mg_text_add(&text, "mg 1\n");
    mg_graph_print(step->one.graph, &print, &text);
    step->text = mg_text_str(&text);
    step->program = 0;
}

// ---------------------------------------------------------------- timing
// Reports the program of an op as the op itself, with the name and place in the user's source.
static void relay(void *context, const MgTiming *timing) {
    MgSteps *s = context;
    if (timing->kind == MG_TIMING_CALL)
        return;
    MgTiming t = *timing;
    MgNames *names = s->owner->model->session->names; // these outlive the program
    t.schedule = mg_name(names, mg_sym(names, timing->schedule));
    t.name = s->steps.at[s->now].name;
    t.place = s->steps.at[s->now].place;
    t.site = s->now;
    s->owner->hook(s->owner->hook_user, &t);
}

// ---------------------------------------------------------------- values
static uint32_t take_buffer(MgSteps *s, size_t bytes) {
    size_t room = (bytes + MG_TENSOR_ALIGN) / MG_TENSOR_ALIGN * MG_TENSOR_ALIGN;
    for (uint32_t b = 0; b < s->buffers.len; b++)
        if (!s->buffers.at[b].taken && s->buffers.at[b].bytes == room) {
            s->buffers.at[b].taken = true;
            return b + 1;
        }
    mg_push(s->arena, &s->buffers, (Buffer){NULL, room, true});
    Buffer *b = &s->buffers.at[s->buffers.len - 1];
    b->data = aligned_alloc(MG_TENSOR_ALIGN, room);
    if (!b->data)
        mg_mem_fail(s->owner->model->session->mem);
    return s->buffers.len;
}

static void release(MgSteps *s, MgValueId v) {
    if (s->held[v].buffer)
        s->buffers.at[s->held[v].buffer - 1].taken = false;
    s->held[v].buffer = 0;
    s->held[v].data = NULL;
}

static bool constant_shape(const MgSteps *s, MgValueId v) {
    const MgValue *value = &s->owner->model->graph->values.at[v];
    for (uint32_t a = 0; a < value->rank; a++)
        if (!mg_ix_eval(s->owner->model->module->ix, value->shape[a], known_dim, (void *)s,
                        &s->held[v].dims[a]))
            return false;
    return true;
}

static size_t bytes_of(const MgSteps *s, MgValueId v) {
    const MgValue *value = &s->owner->model->graph->values.at[v];
    size_t count, bytes;
    if (!mg_tensor_size(value->dtype, value->rank, s->held[v].dims, &count, &bytes))
        mg_mem_fail(s->owner->model->session->mem);
    return bytes;
}

// Makes the inputs, parameters and constants available.
static bool begin_values(MgSteps *s) {
    MgModel *m = s->owner->model;
    MgGraph *g = m->graph;
    for (MgValueId v = 1; v < g->values.len; v++)
        release(s, v);
    for (uint32_t k = 0; k < g->inputs.len; k++) {
        Held *h = &s->held[g->inputs.at[k].value];
        h->data = s->owner->inputs[k].data;
        memcpy(h->dims, s->owner->inputs[k].dims, s->owner->inputs[k].rank * sizeof *h->dims);
    }
    for (uint32_t i = 0; i < g->regions.at[0].ops.len; i++) {
        const MgOp *op = mg_op(g, g->regions.at[0].ops.at[i]);
        if (op->kind != MG_OP_PARAM && op->kind != MG_OP_CONST)
            continue;
        const MgWeight *w = op->kind == MG_OP_PARAM ? mg_weight(&m->weights, op->key) : NULL;
        s->held[op->results[0]].data = w ? mg_instance_parameter(s->owner, w) : op->data;
        constant_shape(s, op->results[0]); // a weight's shape is constant
    }
    memcpy(s->dims, s->owner->dims, g->dims.len * sizeof *s->dims);
    return true;
}

// ---------------------------------------------------------------- one step
static MgStatus child_failed(MgSteps *s, MgStatus status, const char *message) {
    mg_message_set(&s->owner->message, "%s", message);
    return status;
}

static MgStatus compile(MgSteps *s, const Step *step, Program *p) {
    const MgModel *m = s->owner->model;
    MgCompileOptions options = m->options;
    options.graph = NULL;
    options.mode = MG_MODE_FUSED; // one op gives nothing to fuse
    uint64_t begin = s->owner->hook ? mg_now_ns() : 0;
    *p = (Program){NULL, NULL};
    MgStatus status = mg_model_compile(&s->context, step->name, step->text, strlen(step->text),
                                       &options, &p->model);
    if (!status)
        status = mg_instance_new(p->model, &s->context, &p->instance);
    if (status)
        return child_failed(s, status, mg_context_message(&s->context));
    if (s->owner->hook) {
        MgTiming t = {.kind = MG_TIMING_COMPILE,
                      .schedule = "",
                      .begin = begin,
                      .end = mg_now_ns(),
                      .faster = 1};
        relay(s, &t);
    }
    return MG_OK;
}

static MgStatus find_program(MgSteps *s, Step *step, Program *p) {
    if (s->owner->model->options.mode == MG_MODE_IMMEDIATE) {
        drop(&s->fresh);
        MgStatus status = compile(s, step, &s->fresh);
        *p = s->fresh;
        return status;
    }
    uint64_t hash = mg_hash(step->text, strlen(step->text), 0);
    if (!step->program)
        step->program = (uint32_t)mg_map_get(&s->by_text, hash, 0);
    if (!step->program) {
        mg_push(s->arena, &s->programs, (Program){NULL, NULL});
        MgStatus status = compile(s, step, &s->programs.at[s->programs.len - 1]);
        if (status)
            return status;
        step->program = s->programs.len;
        mg_map_put(&s->by_text, hash, step->program);
    }
    *p = s->programs.at[step->program - 1];
    if (!p->instance) // it failed to compile in an earlier run
        return compile(s, step, &s->programs.at[step->program - 1]);
    return MG_OK;
}

// Binds the operands, and the results of known size, which the program writes in place.
static MgStatus bind(MgSteps *s, Step *step, Program *p) {
    const MgGraph *g = s->owner->model->graph;
    MgStatus status = MG_OK;
    if (!p->instance->hook != !s->owner->hook)
        mg_set_timing(p->instance, s->owner->hook ? relay : NULL, s);
    for (uint32_t k = 0; k < step->one.inputs.len && !status; k++) {
        MgValueId v = step->one.inputs.at[k];
        status =
            mg_bind_input(p->instance, k, s->held[v].data, g->values.at[v].rank, s->held[v].dims);
    }
    const MgOp *op = &g->ops.at[step->op];
    for (uint32_t r = 0; r < op->n_results && !status; r++) {
        MgValueId v = op->results[r];
        void *data = NULL;
        size_t bytes = 0;
        if (constant_shape(s, v)) {
            bytes = bytes_of(s, v);
            s->held[v].buffer = take_buffer(s, bytes);
            s->held[v].data = data = s->buffers.at[s->held[v].buffer - 1].data;
        }
        status = mg_bind_output(p->instance, r, data, bytes);
    }
    return status ? child_failed(s, status, mg_instance_message(p->instance)) : MG_OK;
}

// Takes results whose size data decided, and the dimensions that follow from them.
static MgStatus take_results(MgSteps *s, const Step *step, const Program *p) {
    const MgGraph *g = s->owner->model->graph;
    const MgOp *op = &g->ops.at[step->op];
    for (uint32_t r = 0; r < op->n_results; r++) {
        MgValueId v = op->results[r];
        Held *h = &s->held[v];
        const void *data;
        const int64_t *dims;
        if (h->data)
            continue;
        if (mg_output(p->instance, r, &data, &dims))
            return child_failed(s, MG_RUN_FAILED, mg_instance_message(p->instance));
        memcpy(h->dims, dims, g->values.at[v].rank * sizeof *dims);
        for (uint32_t a = 0; a < g->values.at[v].rank; a++)
            for (uint32_t d = 0; d < g->dims.len; d++)
                if (g->values.at[v].shape[a] ==
                    mg_ix_sym(s->owner->model->module->ix, g->dims.at[d]))
                    s->dims[d] = dims[a];
        size_t bytes = bytes_of(s, v);
        h->buffer = take_buffer(s, bytes);
        h->data = memcpy(s->buffers.at[h->buffer - 1].data, data, bytes);
    }
    return MG_OK;
}

// Gives a dimension the value of an element, which the host reads.
static MgStatus run_dim(MgSteps *s, const MgOp *op) {
    MgModel *m = s->owner->model;
    MgDType dtype = mg_value(m->graph, op->operands[0])->dtype;
    MgBits bits = 0;
    memcpy(&bits, s->held[op->operands[0]].data, mg_dtype_size(dtype));
    int64_t low, high, most, value = mg_bits_to_int(dtype, bits);
    mg_ix_sym_bounds(m->module->ix, op->dim, &low, &high);
    if (op->dim_bound && mg_ix_eval(m->module->ix, op->dim_bound, known_dim, s, &most) &&
        most < high)
        high = most;
    if (value < low || value > high) {
        mg_diag(m->session, mg_origin_user_span(m->module, op->origin), MG_D_interp_dim,
                mg_name(m->session->names, mg_ix_sym_name(m->module->ix, op->dim)),
                (long long)value, (long long)low, (long long)high);
        return MG_RUN_FAILED;
    }
    for (uint32_t d = 0; d < m->graph->dims.len; d++)
        if (m->graph->dims.at[d] == op->dim)
            s->dims[d] = value;
    return MG_OK;
}

static MgStatus run_require(MgSteps *s, const MgOp *op) {
    MgModel *m = s->owner->model;
    int64_t value;
    if (mg_ix_eval(m->module->ix, op->require.nonnegative, known_dim, s, &value) && value >= 0)
        return MG_OK;
    mg_require_failed(m->graph, &op->require, s->dims);
    return MG_RUN_FAILED;
}

static MgStatus run_step(MgSteps *s, Step *step) {
    const MgOp *op = mg_op(s->owner->model->graph, step->op);
    if (op->kind == MG_OP_DIM)
        return run_dim(s, op);
    if (op->kind == MG_OP_REQUIRE)
        return run_require(s, op);
    Program p = {NULL, NULL};
    write_text(s, step);
    MgDevice *fresh =
        s->owner->model->options.mode == MG_MODE_IMMEDIATE ? s->owner->model->device : NULL;
    if (fresh)
        mg_device_set_fresh(fresh, true);
    MgStatus status = find_program(s, step, &p);
    if (!status)
        status = bind(s, step, &p);
    if (!status && (status = mg_run(p.instance)) != MG_OK)
        child_failed(s, status, mg_instance_message(p.instance));
    if (fresh)
        mg_device_set_fresh(fresh, false);
    if (!status)
        status = take_results(s, step, &p);
    drop(&s->fresh);
    return status;
}

static MgStatus run_all(MgSteps *s) {
    MgInstance *i = s->owner;
    const MgGraph *g = i->model->graph;
    begin_values(s);
    for (s->now = 0; s->now < s->steps.len; s->now++) {
        Step *step = &s->steps.at[s->now];
        MgStatus status = run_step(s, step);
        if (status)
            return status;
        for (uint32_t k = 0; k < step->dying.len; k++)
            release(s, step->dying.at[k]);
    }
    for (uint32_t k = 0; k < g->outputs.len; k++) {
        MgValueId v = g->outputs.at[k].value;
        const MgOutput *out = &i->outputs[k];
        if (out->given && out->room < bytes_of(s, v)) {
            mg_message_set(&i->message,
                           "output %s needs %zu bytes, but the memory bound to it has %zu",
                           i->model->outputs[k].name, bytes_of(s, v), out->room);
            return MG_BAD_USAGE;
        }
        if (!mg_output_take(i, k, s->held[v].dims, s->held[v].data, bytes_of(s, v)))
            return MG_OUT_OF_MEMORY;
    }
    mg_outputs_taken(i);
    return MG_OK;
}

MgStatus mg_instance_steps(MgInstance *i) {
    MgModel *m = i->model;
    volatile MgStatus status = MG_OUT_OF_MEMORY;
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    free(i->message);
    i->message = NULL;
    pthread_mutex_lock(&m->lock);
    MgTry frame;
    if (MG_TRY(m->session->mem, frame)) {
        status = run_all(i->steps ? i->steps : make(i));
        mg_try_end(m->session->mem, &frame);
    }
    if (status == MG_OUT_OF_MEMORY)
        mg_message_set(&i->message, "out of memory: the limit is %zu MiB",
                       i->context->options.memory_limit >> 20);
    else if (status && !i->message)
        mg_message_take(&i->message, m->session, i->context->color);
    pthread_mutex_unlock(&m->lock);
    if (i->hook && !status)
        mg_instance_report(i, begin, mg_now_ns());
    return status;
}
