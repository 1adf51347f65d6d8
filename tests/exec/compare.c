// The interpreter on a program and on the same program printed and read back, then every backend
// run.
#include "tests/exec/compare.h"

#include "frontend/sema.h"
#include "runtime/compile.h"
#include "runtime/device.h"
#include "runtime/weights.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Case {
    MgSession *session;
    const char *name, *text, *graph_name;
    size_t length;
    MgGraph *graph;
    MgWeights weights;
    const MgInterpTensor *inputs;
    MgInterpTensor *expected;
    uint32_t n_inputs, n_outputs;
    MgMode mode;
    MgExecResult result;
} Case;

static const struct {
    char letter;
    MgMode mode;
    const char *name;
} modes[] = {{'i', MG_MODE_IMMEDIATE, "immediate"},
             {'c', MG_MODE_CACHED, "cached"},
             {'g', MG_MODE_GRAPH, "graph"},
             {'l', MG_MODE_LOOP, "loop"}};
#define N_MODES (sizeof modes / sizeof *modes)

static bool fail(Case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Case *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (c->result.ok)
        c->result.what = mg_arena_vprintf(c->session->arena, format, args);
    for (size_t m = 0; m < N_MODES && c->result.ok; m++)
        if (c->mode && modes[m].mode == c->mode)
            c->result.what =
                mg_arena_printf(c->session->arena, "mode %s: %s", modes[m].name, c->result.what);
    va_end(args);
    c->result.ok = false;
    return false;
}

static const char *diagnostics(Case *c) {
    MgText out = mg_text(c->session->arena);
    mg_diags_render(c->session, &out, false);
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- the interpreter
static const void *param(void *ctx, MgSym key, const MgValue *value, size_t bytes) {
    Case *c = ctx;
    const MgWeight *w = mg_weight(&c->weights, key);
    (void)value;
    return w && w->bytes == bytes ? w->data : NULL;
}

static bool load(Case *c, const char *text, size_t length, MgGraph **graph) {
    MgModule *module = mg_load_module_text(c->session, c->name, text, length);
    if (!module)
        return fail(c, "does not compile:\n%s", diagnostics(c));
    if (!mg_module_verify(module))
        return fail(c, "does not verify:\n%s", diagnostics(c));
    *graph = c->graph_name        ? mg_graph_find(module, mg_sym(c->session->names, c->graph_name))
             : module->graphs.len ? module->graphs.at[0]
                                  : NULL;
    return *graph ? true : fail(c, "has no graph");
}

static bool interpret(Case *c, MgGraph *g, MgInterpTensor *outputs) {
    MgInterpOptions options = {.bounds = true, .max_steps = 2000000000, .param = param, .ctx = c};
    if (g->inputs.len != c->n_inputs)
        return fail(c, "takes %u inputs, not %u", g->inputs.len, c->n_inputs);
    if (!mg_interp(g, c->inputs, outputs, &options, c->session->arena))
        return fail(c, "the interpreter stops:\n%s", diagnostics(c));
    return true;
}

static bool same_tensor(const MgInterpTensor *a, const MgInterpTensor *b) {
    if (a->dtype != b->dtype || a->rank != b->rank || a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k])
            return false;
    return a->n == 0 || memcmp(a->data, b->data, a->n * mg_dtype_size(a->dtype)) == 0;
}

static const char *printed(Case *c, MgModule *module) {
    MgText out = mg_text(c->session->arena);
    MgPrintOptions options = {.origins = true, .annotations = true, .inline_const = SIZE_MAX};
    mg_module_print(module, &options, &out);
    return mg_arena_str(c->session->arena, mg_text_str(&out), out.bytes.len);
}

// The law of the flat form: printed and read back, it is the same program. stage says of what.
static bool round_trip(Case *c, MgGraph *g, const MgInterpTensor *expected, const char *stage) {
    MgGraph *again;
    const char *text = printed(c, g->module);
    if (!load(c, text, strlen(text), &again)) {
        c->result.what = mg_arena_printf(c->session->arena, "%s: the printed text %s\n%s", stage,
                                         c->result.what, text);
        return false;
    }
    const char *second = printed(c, again->module);
    if (strcmp(text, second) != 0)
        return fail(c, "%s: printing, reading and printing again changes the text:\n%s\n---\n%s",
                    stage, text, second);
    MgInterpTensor *outputs = MG_NEW_N(c->session->arena, MgInterpTensor, c->n_outputs + 1);
    if (!interpret(c, again, outputs))
        return false;
    for (uint32_t k = 0; k < c->n_outputs; k++)
        if (!same_tensor(&outputs[k], &expected[k]))
            return fail(c, "%s: output %u differs after printing and reading", stage, k);
    return true;
}

// After the passes of a level the interpreter gives the same within the bounds.
static bool check_passes(Case *c, char level) {
    MgCompileSettings settings = {
        .backend = mg_backend_find("cpu"), .level = (uint32_t)(level - '0'), .workers = 1};
    MgGraph *g;
    if (!load(c, c->text, c->length, &g))
        return false;
    if (!mg_compile_passes(g, &settings))
        return fail(c, "passes of -O%c:\n%s", level, diagnostics(c));
    MgInterpTensor *outputs = MG_NEW_N(c->session->arena, MgInterpTensor, c->n_outputs + 1);
    if (!interpret(c, g, outputs))
        return false;
    for (uint32_t k = 0; k < c->n_outputs; k++) {
        MgComparison m = mg_interp_compare(&c->expected[k], outputs[k].data);
        if (!m.ok)
            return fail(
                c,
                "passes of -O%c: output %u [%zu] is %.17g, expected %.17g, bound %.3g, by the "
                "interpreter on:\n%s",
                level, k, m.first_bad, m.got, m.expected, m.bound, printed(c, g->module));
    }
    return round_trip(c, g, outputs,
                      mg_arena_printf(c->session->arena, "after the passes of -O%c", level));
}

// ---------------------------------------------------------------- backends
static bool check_output(Case *c, const MgInstance *instance, uint32_t k, char level,
                         char threads) {
    const MgInterpTensor *e = &c->expected[k];
    const void *data;
    const int64_t *dims;
    const char *name = mg_name(c->session->names, c->graph->outputs.at[k].name);
    if (mg_output(instance, k, &data, &dims) != MG_OK)
        return fail(c, "-O%c, %c threads: no output %s", level, threads, name);
    for (uint32_t d = 0; d < e->rank; d++)
        if (dims[d] != e->shape[d])
            return fail(c, "-O%c, %c threads: %s: dimension %u is %lld, expected %lld", level,
                        threads, name, d, (long long)dims[d], (long long)e->shape[d]);
    MgComparison m = mg_interp_compare(e, data);
    if (m.worst > c->result.worst)
        c->result.worst = m.worst;
    if (m.ok)
        return true;
    return fail(c,
                "-O%c, %c threads: %s[%zu] (%s, %zu elements) is %.17g, expected %.17g, bound %.3g",
                level, threads, name, m.first_bad, mg_dtype(e->dtype)->name, e->n, m.got,
                m.expected, m.bound);
}

static bool run_instance(Case *c, MgModel *model, MgContext *context, char level, char threads) {
    MgInstance *instance;
    if (mg_instance_new(model, context, &instance) != MG_OK)
        return fail(c, "-O%c: %s", level, mg_context_message(context));
    bool ok = true;
    for (uint32_t k = 0; ok && k < c->n_inputs; k++)
        if (mg_bind_input(instance, k, c->inputs[k].data, c->inputs[k].rank, c->inputs[k].shape) !=
            MG_OK)
            ok = fail(c, "-O%c: %s", level, mg_instance_message(instance));
    // Twice: what a run leaves in its memory must not show in the next.
    for (int again = 0; ok && again < 2; again++)
        if (mg_run(instance) != MG_OK)
            ok = fail(c, "-O%c, %c threads: %s", level, threads, mg_instance_message(instance));
    for (uint32_t k = 0; ok && k < c->n_outputs; k++)
        ok = check_output(c, instance, k, level, threads);
    c->result.runs++;
    mg_instance_free(instance);
    return ok;
}

// Three passes in mode loop, on the device, leave what three runs from the host do.
static bool check_passes_fed(Case *c, MgContext *context, char level, char threads) {
    MgInstance *instances[2] = {NULL, NULL};
    MgModel *models[2] = {NULL, NULL};
    bool ok = true;
    for (int way = 0; ok && way < 2; way++) {
        MgCompileOptions options = {.level = level - '0',
                                    .graph = c->graph_name,
                                    .mode = way ? MG_MODE_LOOP : MG_MODE_FUSED};
        ok = !mg_model_compile(context, c->name, c->text, c->length, &options, &models[way]) &&
             !mg_instance_new(models[way], context, &instances[way]);
        for (uint32_t k = 0; ok && k < c->n_inputs; k++)
            ok = !mg_bind_input(instances[way], k, c->inputs[k].data, c->inputs[k].rank,
                                c->inputs[k].shape);
        ok = ok && !mg_run(instances[way]);
    }
    if (!ok)
        fail(c, "-O%c: %s", level, mg_context_message(context));
    // A fed-back value may be what a check refuses: then both ways refuse it.
    MgStatus status[2] = {MG_OK, MG_OK};
    for (int way = 0; ok && way < 2; way++)
        status[way] = mg_run_passes(instances[way], 3);
    if (ok && status[0] != status[1])
        ok = fail(c, "-O%c, %c threads: 3 passes: status %d from the host, %d on the device", level,
                  threads, status[0], status[1]);
    for (uint32_t k = 0; ok && !status[0] && k < c->n_outputs; k++) {
        MgTensor *t[2] = {mg_output_tensor(instances[0], k), mg_output_tensor(instances[1], k)};
        if (!t[0] || !t[1] || mg_tensor_bytes(t[0]) != mg_tensor_bytes(t[1]) ||
            memcmp(mg_tensor_data(t[0]), mg_tensor_data(t[1]), mg_tensor_bytes(t[0])) != 0)
            ok = fail(c, "-O%c, %c threads: output %u differs after 3 passes", level, threads, k);
        mg_tensor_release(t[0]);
        mg_tensor_release(t[1]);
    }
    for (int way = 0; way < 2; way++) {
        mg_instance_free(instances[way]);
        mg_model_release(models[way]);
    }
    return ok;
}

static bool run_level(Case *c, char level, const char *threads, const char *target) {
    MgContextOptions one = {.threads = 1, .cache_folder = ""};
    MgContext *context;
    MgModel *model;
    if (mg_context_new(&one, &context) != MG_OK)
        return fail(c, "no context");
    MgCompileOptions options = {
        .level = level - '0', .graph = c->graph_name, .mode = c->mode, .target = target};
    bool ok = mg_model_compile(context, c->name, c->text, c->length, &options, &model) == MG_OK;
    if (!ok) {
        fail(c, "-O%c: %s", level, mg_context_message(context));
        mg_context_free(context);
        return false;
    }
    for (const char *t = threads; ok && *t; t++) {
        MgContextOptions several = {.threads = (uint32_t)(*t - '0'), .cache_folder = ""};
        MgContext *own = NULL;
        if (*t != '1' && mg_context_new(&several, &own) != MG_OK)
            ok = fail(c, "no context");
        else
            ok = run_instance(c, model, own ? own : context, level, *t) &&
                 (c->mode != MG_MODE_LOOP || check_passes_fed(c, own ? own : context, level, *t));
        if (own)
            mg_context_free(own);
    }
    mg_model_release(model);
    mg_context_free(context);
    return ok;
}

MgExecResult mg_exec_compare(MgSession *session, const char *name, const char *text, size_t length,
                             const char *graph, const MgInterpTensor *inputs, uint32_t n_inputs,
                             const MgExecOptions *options) {
    Case c = {.session = session,
              .name = name,
              .text = text,
              .length = length,
              .inputs = inputs,
              .graph_name = graph,
              .n_inputs = n_inputs,
              .result.ok = true};
    if (!load(&c, text, length, &c.graph))
        return c.result;
    if (!mg_weights_find(c.graph, &c.weights)) {
        fail(&c, "weights:\n%s", diagnostics(&c));
        return c.result;
    }
    c.n_outputs = c.graph->outputs.len;
    c.expected = MG_NEW_N(session->arena, MgInterpTensor, c.n_outputs + 1);
    if (!interpret(&c, c.graph, c.expected))
        return c.result;
    for (uint32_t k = 0; k < c.n_outputs; k++) {
        c.result.elements += c.expected[k].n;
        for (size_t i = 0; c.expected[k].exempt && i < c.expected[k].n; i++)
            c.result.exempt += c.expected[k].exempt[i];
    }
    if (!round_trip(&c, c.graph, c.expected, "as lowered"))
        return c.result;
    const char *threads = options->target ? "1" : options->threads;
    for (const char *level = options->levels; *level && c.result.ok; level++)
        if (check_passes(&c, *level))
            run_level(&c, *level, threads, options->target);
    for (const char *mode = options->modes; mode && *mode && *options->levels && c.result.ok;
         mode++)
        for (size_t m = 0; m < N_MODES; m++)
            if (modes[m].letter == *mode) {
                c.mode = modes[m].mode;
                run_level(&c, options->levels[strlen(options->levels) - 1], threads,
                          options->target);
            }
    return c.result;
}

// Asked in a child: a driver that has been loaded does not survive a later fork.
bool mg_exec_has_target(const MgExecOptions *options) {
    if (!options->target)
        return true;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        MgDeviceInfo *list;
        uint32_t n;
        char *message = NULL;
        bool has = mg_devices(&list, &n, &message) == MG_OK;
        if (!has)
            printf("skipped: %s\n", message ? message : "out of memory");
        fflush(stdout);
        _exit(!has);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
