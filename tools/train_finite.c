// Finds the op that made a training's first number that is not finite.
//
// An infinity can be intended, as in a mask, and most ops turn a NaN into a NaN. So the walk begins
// at the number that is wrong and goes back through operands: from a NaN to an operand with a NaN;
// from an op that made the NaN, because no operand has one, to an operand with an infinity; and
// from an infinity to an operand with an infinity. It ends at an op whose operands are finite.
#include "tools/train_finite.h"

#include "formats/tensor.h"
#include "ir/interp.h"
#include "runtime/instance.h"
#include "tools/mgc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Kind { FINITE, INFINITE, NOT_A_NUMBER } Kind;

typedef struct Finding {
    Kind kind;
    size_t at; // the first such element, row-major
    uint32_t rank;
    const int64_t *shape;
} Finding;

typedef struct Watch {
    MgSession *session;
    MgGraph *g;
    Finding *of; // of each value of the graph
    uint32_t n;
} Watch;

static Finding look(MgArena *arena, MgDType type, size_t n, const void *data, uint32_t rank,
                    const int64_t *shape) {
    Finding f = {.kind = FINITE};
    size_t size = mg_dtype_size(type);
    for (size_t i = 0; mg_is_float(type) && i < n && f.kind != NOT_A_NUMBER; i++) {
        MgBits bits = 0;
        memcpy(&bits, (const char *)data + i * size, size);
        double x = mg_bits_to_double(type, bits);
        Kind kind = isnan(x) ? NOT_A_NUMBER : isinf(x) ? INFINITE : FINITE;
        if (kind > f.kind)
            f = (Finding){.kind = kind, .at = i};
    }
    if (f.kind && rank) {
        f.rank = rank;
        f.shape = mg_arena_copy(arena, shape, rank, sizeof *shape);
    }
    return f;
}

static bool is_buffer(const MgModel *model, const char *key) {
    const MgGraph *g = model->graph;
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (g->inputs.at[i].buffer &&
            !strcmp(mg_name(model->session->names, g->inputs.at[i].key), key))
            return true;
    return false;
}

const char *mgc_finite_exception(MgTrain *train, const MgModel *model, bool buffers) {
    const char *found = NULL;
    for (uint32_t i = 0; i < mg_train_params(train) && !found; i++) {
        const char *key = mg_train_param(train, i);
        MgTensor *t = NULL;
        if (!buffers && is_buffer(model, key))
            continue;
        if (!mg_train_get(train, key, &t) &&
            look(NULL, (MgDType)t->dtype, t->count, t->data, 0, NULL).kind)
            found = key;
        mg_tensor_release(t);
    }
    return found;
}

// ---------------------------------------------------------------- the step again

static void note(Watch *w, MgValueId v, Finding f) {
    if (v < w->n)
        w->of[v] = f;
}

static void observe(void *ctx, MgGraph *g, MgOpId op, const MgInterpTensor *results, uint32_t n) {
    Watch *w = ctx;
    if (!w->of) {
        w->g = g;
        w->n = g->values.len;
        w->of = MG_NEW_N(w->session->arena, Finding, w->n);
    }
    for (uint32_t i = 0; i < n; i++) {
        const MgInterpTensor *r = &results[i];
        note(w, mg_op(g, op)->results[i],
             look(w->session->arena, r->dtype, r->n, r->data, r->rank, r->shape));
    }
}

static void look_at_inputs(Watch *w, const MgInstance *instance) {
    for (uint32_t i = 0; i < w->g->inputs.len; i++) {
        const MgInput *in = &instance->inputs[i];
        MgDType type = (MgDType)mg_model_input(instance->model, i)->element;
        size_t n, bytes;
        if (mg_tensor_size(type, in->rank, in->dims, &n, &bytes))
            note(w, w->g->inputs.at[i].value,
                 look(w->session->arena, type, n, in->data, in->rank, in->dims));
    }
}

// Copies the parameters as they were before the step.
static MgStatus copy_parameters(MgTrain *from, MgTrain *to) {
    MgStatus status = mg_train_undo(from);
    for (uint32_t i = 0; i < mg_train_params(from) && !status; i++) {
        MgTensor *t = NULL;
        status = mg_train_get(from, mg_train_param(from, i), &t);
        if (!status)
            status = mg_train_set(to, mg_train_param(from, i), t);
        mg_tensor_release(t);
    }
    return status;
}

// ---------------------------------------------------------------- the walk

// An operand of the op that contains a number of this kind, or MG_NONE.
static MgValueId operand_of(const Watch *w, const MgOp *op, Kind kind) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (op->operands[i] < w->n && w->of[op->operands[i]].kind == kind)
            return op->operands[i];
    return MG_NONE;
}

static void tell(const Watch *w, MgValueId v, const char *what) {
    MgGraph *g = w->g;
    const MgNames *names = g->module->session->names;
    const MgValue *value = mg_value(g, v);
    const MgOrigin *o =
        mg_origin_of_user(g->module, value->def ? mg_op(g, value->def)->origin : value->origin);
    const Finding *f = &w->of[v];
    MgText at = mg_text(w->session->arena);
    size_t left = f->at, inner = 1;
    for (uint32_t d = 1; d < f->rank; d++)
        inner *= (size_t)f->shape[d];
    for (uint32_t d = 0; d < f->rank; d++) {
        mg_textf(&at, "%s%zu", d ? ", " : "", left / inner);
        left %= inner;
        inner /= d + 1 < f->rank ? (size_t)f->shape[d + 1] : 1;
    }
    if (o)
        fprintf(stderr, "%s:%u:%u: ", mg_name(names, o->file), o->line, o->column);
    fprintf(stderr, "note: '%s[%s]' is %s%s\n", mg_name(names, value->name), mg_text_str(&at),
            f->kind == INFINITE ? "infinite" : "not a number", what);
}

static void walk(const Watch *w, MgValueId v) {
    for (;;) {
        MgOpId def = mg_value(w->g, v)->def;
        if (!def) {
            tell(w, v, ", and is given so");
            return;
        }
        const MgOp *op = mg_op(w->g, def);
        MgValueId next = w->of[v].kind == NOT_A_NUMBER ? operand_of(w, op, NOT_A_NUMBER) : MG_NONE;
        if (!next) {
            next = operand_of(w, op, INFINITE);
            if (!next)
                tell(w, v, op->n_operands ? ", though its operands are finite" : "");
            else if (w->of[v].kind == NOT_A_NUMBER)
                tell(w, v, ", though its operands are numbers, some of them infinite");
        }
        if (!next)
            return;
        v = next;
    }
}

static MgValueId wanted(const MgGraph *g, const char *key) {
    const MgNames *names = g->module->session->names;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        const MgPort *port = &g->outputs.at[i];
        if (key ? port->key && !strcmp(mg_name(names, port->key), key)
                : !port->key && !strcmp(mg_name(names, port->name), "loss"))
            return port->value;
    }
    return MG_NONE;
}

static MgStatus replay(const MgcStep *step, MgContext *context, Watch *w, MgTrain **train) {
    MgCompileOptions compile = step->compile;
    compile.interpret = true;
    MgModel *model;
    MgStatus status = mg_model_load(context, step->file, &compile, &model);
    if (status)
        return status;
    status = mg_train_open(model, context, train);
    mg_model_release(model); // the training retains it
    if (!status)
        status = copy_parameters(step->train, *train);
    for (uint64_t b = 0; b <= step->batch && !status; b++)
        if (step->bind(step->ctx, mg_train_instance(*train), b))
            status = MG_BAD_INPUT;
        else
            status = b < step->batch ? mg_train_add(*train) : mg_train_try(*train);
    if (!status && w->g)
        look_at_inputs(w, mg_train_instance(*train));
    return status;
}

void mgc_finite_explain(MgSession *session, const MgcStep *step) {
    Watch w = {.session = session};
    MgObserver observer = {.op = observe, .ctx = &w};
    MgContextOptions options = {.cache_folder = ""};
    MgContext *context;
    MgTrain *train = NULL;
    if (mg_context_new(&options, &context))
        return;
    context->color = step->color;
    context->observer = &observer;
    MgcProgress *progress = mgc_progress_begin("interpreting", step->file);
    MgStatus status = replay(step, context, &w, &train);
    mgc_progress_end(progress);
    MgValueId v = status || !w.g ? MG_NONE : wanted(w.g, step->key);
    if (status)
        fprintf(stderr, "note: the step can't be made again by the interpreter: %s\n",
                train ? mg_train_message(train) : mg_context_message(context));
    else if (v && w.of[v].kind)
        walk(&w, v);
    else
        fputs("note: by the definition the number is finite: the level or the target rounds "
              "otherwise, as -O0 would not\n",
              stderr);
    mg_train_close(train);
    mg_context_free(context);
}
