// mgc bisect FILE.mg: finds where a wrong result comes from.
//
// The interpreter gives the correct results, with bounds. The pipeline then runs one pass more at a
// time until the compiled program gives a different result: that pass is at fault. Every pass
// counts its rewrites, so bisection finds the first rewrite that makes the difference. If the
// result is wrong without any pass, the schedules or the backend are at fault. At the end the
// program is reduced to one that still shows the fault. Every attempt runs in a process of its own,
// since wrong code may crash.
#include "tools/mgc.h"

#include "formats/tensor.h"
#include "frontend/sema.h"
#include "ir/interp.h"
#include "runtime/bounds.h"
#include "runtime/context.h"
#include "runtime/open.h"
#include "tools/reduce.h"
#include "tools/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAME, DIFFERS, BROKEN, DIES, MAX_PASSES = 64, SECONDS = 300 };

// The result of an attempt, in memory that it shares with its parent.
typedef struct Outcome {
    int verdict;
    uint64_t counted; // possible rewrites so far of the last pass that ran
    char why[400], latest[200];
} Outcome;

typedef struct Bisect {
    const MgcOptions *options;
    MgSession *session;
    MgContext *context;
    MgModel *model;
    MgTensor **inputs;
    const char *passes[MAX_PASSES];
    uint32_t n_passes;
    MgMap values;     // name -> MgInterpTensor *: every value of the body, and the inputs
    Outcome *outcome; // the result of the latest attempt
} Bisect;

// ---------------------------------------------------------------- what is right
static const void *param(void *ctx, MgSym key, const MgValue *value, size_t bytes) {
    const MgWeight *w = mg_weight(ctx, key);
    (void)value;
    return w && w->bytes == bytes ? w->data : NULL;
}

static void keep(Bisect *b, const char *name, MgInterpTensor t) {
    MgArena *arena = b->session->arena;
    MgInterpTensor *copy = mg_arena_copy(arena, &t, 1, sizeof t);
    copy->shape = mg_arena_copy(arena, t.shape, t.rank, sizeof *t.shape);
    copy->data = mg_arena_copy(arena, t.data, t.n, mg_dtype_size(t.dtype));
    mg_map_put(&b->values, mg_sym(b->session->names, name), (uint64_t)(uintptr_t)copy);
}

typedef struct Watch {
    Bisect *b;
    MgWeights weights;
} Watch;

static const void *watched_param(void *ctx, MgSym key, const MgValue *value, size_t bytes) {
    return param(&((Watch *)ctx)->weights, key, value, bytes);
}

static void observe(void *ctx, MgGraph *g, MgOpId op, const MgInterpTensor *results, uint32_t n) {
    Watch *w = ctx;
    for (uint32_t i = 0; i < n; i++) {
        MgSym name = mg_value(g, mg_op(g, op)->results[i])->name;
        keep(w->b, mg_name(g->module->session->names, name), results[i]);
    }
}

// The inputs of g, whose values are kept by name. NULL if one is missing.
static MgInterpTensor *inputs_of(Bisect *b, MgGraph *g) {
    MgInterpTensor *inputs = MG_NEW_N(b->session->arena, MgInterpTensor, g->inputs.len + 1);
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const char *name = mg_name(g->module->session->names, g->inputs.at[i].name);
        uint64_t *known = mg_map_find(&b->values, mg_sym(b->session->names, name));
        if (!known)
            return NULL;
        inputs[i] = *(const MgInterpTensor *)(uintptr_t)*known;
        inputs[i].bound = NULL; // inputs are exact
        inputs[i].exempt = NULL;
    }
    return inputs;
}

// Runs g by the interpreter with bounds.
static bool interpret(Bisect *b, MgGraph *g, const MgInterpTensor *inputs, MgInterpTensor *outputs,
                      bool watch) {
    Watch w = {.b = b};
    if (!mg_weights_find(g, &w.weights))
        return false;
    MgInterpOptions options = {
        .bounds = true, .param = watched_param, .observe = watch ? observe : NULL, .ctx = &w};
    return mg_interp(g, inputs, outputs, &options, g->module->session->arena);
}

// ---------------------------------------------------------------- one attempt
// Stores the rewrite in memory that the parent sees, so that it survives a crash.
static void note_rewrite(void *ctx, MgGraph *g, MgOpId id, uint64_t counted) {
    Outcome *to = ((Bisect *)ctx)->outcome;
    to->counted = counted;
    if (!id)
        return;
    const MgOp *op = mg_op(g, id);
    const MgOrigin *o = op->origin ? mg_origin_of_user(g->module, op->origin) : NULL;
    const MgNames *names = g->module->session->names;
    snprintf(to->latest, sizeof to->latest, "%s (%s:%u:%u)",
             op->n_results ? mg_name(names, mg_value(g, op->results[0])->name) : "an op",
             o ? mg_name(names, o->file) : "?", o ? o->line : 0, o ? o->column : 0);
}

static int say(Bisect *b, int verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int say(Bisect *b, int verdict, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(b->outcome->why, sizeof b->outcome->why, format, args);
    va_end(args);
    return verdict;
}

static int compare(Bisect *b, const MgModel *m, MgInstance *instance,
                   const MgInterpTensor *expected) {
    for (uint32_t k = 0; k < mg_model_outputs(m); k++) {
        const void *data;
        const int64_t *dims;
        if (mg_output(instance, k, &data, &dims))
            return say(b, BROKEN, "%s", mg_instance_message(instance));
        MgComparison c = mg_interp_compare(&expected[k], data);
        if (!c.ok)
            return say(b, DIFFERS, "%s[%zu] is %.9g, expected %.9g, bound %.3g",
                       mg_model_output(m, k)->name, c.first_bad, c.got, c.expected, c.bound);
    }
    return SAME;
}

// Compiles text with the passes and a counter, runs it on the kept values, and compares the
// results.
static int attempt(Bisect *b, const char *text, const MgPassOptions *passes) {
    MgContextOptions options = {.threads = (uint32_t)b->options->threads, .cache_folder = ""};
    MgContext *context;
    if (mg_context_new(&options, &context))
        return BROKEN;
    context->passes = passes;
    const MgcOptions *o = b->options;
    MgCompileOptions compile = mgc_compile_options(o);
    MgModel *model;
    MgInstance *instance;
    if (mg_model_compile(context, o->file, text, strlen(text), &compile, &model))
        return say(b, BROKEN, "%s", mg_context_message(context));
    MgGraph *g = model->graph;
    MgInterpTensor *expected = MG_NEW_N(b->session->arena, MgInterpTensor, g->outputs.len + 1);
    const MgInterpTensor *inputs = inputs_of(b, g);
    if (!inputs || !interpret(b, g, inputs, expected, false) ||
        mg_instance_new(model, context, &instance))
        return BROKEN;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const char *name = mg_model_input(model, i)->name;
        const MgInterpTensor *t =
            (const void *)(uintptr_t)mg_map_get(&b->values, mg_sym(b->session->names, name), 0);
        if (mg_bind_input(instance, i, t->data, t->rank, t->shape))
            return say(b, BROKEN, "%s", mg_instance_message(instance));
    }
    if (mg_run(instance))
        return say(b, DIFFERS, "%.*s", (int)strcspn(mg_instance_message(instance), "\n"),
                   mg_instance_message(instance));
    MgInterpTensor *wide = mg_model_widen(model, context, inputs, expected, b->session->arena);
    // wide is NULL if a wrong pass left a graph that doesn't run. Then the definition's bounds
    // apply.
    return compare(b, model, instance, wide ? wide : expected);
}

// Runs an attempt in a process of its own.
static Outcome guarded(Bisect *b, const char *text, const MgPassOptions *passes) {
    Outcome *shared = b->outcome;
    *shared = (Outcome){.verdict = DIES};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mgc_ignore_crashes();
        alarm(SECONDS);
        MgTry frame;
        int verdict = BROKEN;
        if (MG_TRY(b->session->mem, frame)) {
            verdict = attempt(b, text, passes);
            mg_try_end(b->session->mem, &frame);
        }
        shared->verdict = verdict;
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        shared->verdict = BROKEN;
    Outcome result = *shared;
    if (result.verdict == DIES) {
        result.verdict = DIFFERS;
        int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        if (signal == SIGALRM)
            snprintf(result.why, sizeof result.why, "no end within %d seconds", SECONDS);
        else
            snprintf(result.why, sizeof result.why, "a crash: %s",
                     signal ? strsignal(signal) : "exit");
    }
    return result;
}

static const char *joined(Bisect *b, uint32_t n) {
    MgText out = mg_text(b->session->arena);
    for (uint32_t i = 0; i < n; i++)
        mg_textf(&out, "%s%s", i ? "," : "", b->passes[i]);
    return mg_text_str(&out);
}

// Runs the first n passes, the last of them only up to rewrite `last`.
static Outcome with_passes(Bisect *b, const char *text, uint32_t n, uint64_t last) {
    MgPassOptions passes;
    mgc_pass_options(b->options, &passes);
    MgDebugCounter counter = {n ? b->passes[n - 1] : "", 1, last};
    passes.passes = joined(b, n);
    passes.counters = &counter;
    passes.n_counters = 1;
    passes.rewrite = note_rewrite;
    passes.verify_each = true;
    passes.broken = NULL; // it has its own file at the end
    passes.level_only = false;
    passes.ctx = b;
    return guarded(b, text, &passes);
}

// ---------------------------------------------------------------- the search
// Adds the passes of the level for the name `default`.
static bool add_passes(Bisect *b, const char *at) {
    const char *level =
        mg_passes_of_level(b->options->level < 0 ? MG_DEFAULT_LEVEL : (uint32_t)b->options->level);
    for (at = at ? at : level; *at; at += strspn(at, ",")) {
        size_t n = strcspn(at, ",");
        if (n == strlen("default") && !memcmp(at, "default", n)) {
            if (!add_passes(b, level))
                return false;
        } else if (n) {
            if (b->n_passes == MAX_PASSES)
                return false;
            b->passes[b->n_passes++] = mg_arena_str(b->session->arena, at, n);
        }
        at += n;
    }
    return true;
}

typedef struct Fault {
    uint32_t passes; // the number of passes that run; the last one is at fault. 0: no pass is
    uint64_t rewrites;
    bool found;
} Fault;

// The first rewrite, of the last of n passes, that makes the difference.
static uint64_t first_rewrite(Bisect *b, const char *text, uint32_t n, uint64_t most,
                              Outcome *out) {
    uint64_t low = 0, high = most; // right with low rewrites, wrong with high
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        Outcome o = with_passes(b, text, n, middle);
        if (o.verdict == DIFFERS) {
            high = middle;
            *out = o;
        } else
            low = middle;
    }
    *out = with_passes(b, text, n, high);
    return high;
}

static Fault search(Bisect *b, const char *text, MgText *report) {
    Fault fault = {0};
    for (uint32_t n = 0; n <= b->n_passes && !fault.found; n++) {
        Outcome o = with_passes(b, text, n, UINT64_MAX);
        const char *name = n ? b->passes[n - 1] : "no pass";
        printf("%-14s %s\n", name, o.verdict == SAME ? "right" : o.why);
        fflush(stdout);
        if (o.verdict == BROKEN) {
            mg_textf(report, "the search stops at %s: %s\n", name, o.why);
            return fault;
        }
        if (o.verdict == SAME)
            continue;
        fault = (Fault){n, UINT64_MAX, true};
        if (!n) {
            mg_text_add(report,
                        "wrong without any pass: the schedules or the backend are at fault\n");
            break;
        }
        fault.rewrites = first_rewrite(b, text, n, o.counted, &o);
        mg_textf(report, "the pass at fault is %s: its rewrite %llu of %llu, at %s\n", name,
                 (unsigned long long)fault.rewrites, (unsigned long long)o.counted, o.latest);
        mg_textf(report, "  --debug-counter=%s=..%llu gives %s\n", name,
                 (unsigned long long)fault.rewrites, o.why);
    }
    return fault;
}

typedef struct Shows {
    Bisect *b;
    const Fault *fault;
} Shows;

static bool shows_fault(void *ctx, const char *text) {
    const Shows *s = ctx;
    return with_passes(s->b, text, s->fault->passes, UINT64_MAX).verdict == DIFFERS;
}

// The options, with the file to which the program is written.
static MgcOptions written(const MgcOptions *options) {
    MgcOptions to = *options;
    if (!to.output)
        to.output = "mgc-bisect.mg";
    return to;
}

static int write_reduced(Bisect *b, const char *text, const Fault *fault) {
    Shows shows = {b, fault};
    uint32_t tried = 0;
    const char *small = mgc_reduce_text(b->session->arena, b->options->file, text,
                                        b->options->graph, shows_fault, &shows, &tried);
    MgcOptions to = written(b->options);
    MgText program = mg_text(b->session->arena);
    static const char *const forms[] = {"auto", "never", "2", "4"}; // of --winograd
    mg_textf(&program, "// shows it: mgc bisect %s --passes=%s", to.output,
             joined(b, fault->passes));
    for (uint32_t i = 0; i < to.plugins.n; i++) {
        mg_text_add(&program, " --pass-plugin=");
        mgc_shell_word(to.plugins.at[i], &program);
    }
    if (to.level >= 0)
        mg_textf(&program, " -O%d", (int)to.level);
    if (to.threads > 1)
        mg_textf(&program, " --threads=%d", (int)to.threads);
    if (to.target)
        mg_textf(&program, " --target=%s", to.target);
    if (to.weights)
        mg_textf(&program, " --weights=%s", to.weights);
    if (to.tuned)
        mg_textf(&program, " --tuned=%s", to.tuned);
    if (to.machine)
        mg_textf(&program, " --machine=%s", to.machine);
    if (to.winograd)
        mg_textf(&program, " --winograd=%s", forms[to.winograd]);
    mg_text_add(&program, to.strict ? " --strict" : "");
    mg_textf(&program, "\n%s", small);
    int status = mgc_put(b->session, &to, mg_text_str(&program), program.bytes.len);
    if (!status && strcmp(to.output, "-"))
        printf("the smallest program that shows it is in %s (%u attempt%s)\n", to.output, tried,
               mg_plural(tried));
    return status;
}

// ---------------------------------------------------------------- the command
// The interpreter's values of everything in the graph, and the graph's text in flat form.
static const char *prepare(Bisect *b) {
    const MgcOptions *o = b->options;
    MgModule *module = mgc_module_open(b->session, o);
    MgGraph *g = module ? mg_choose_graph(module, o->graph) : NULL;
    if (!g)
        return NULL;
    mg_map_init(&b->values, b->session->arena);
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const MgTensor *t = b->inputs[i];
        keep(b, mg_name(b->session->names, g->inputs.at[i].name),
             (MgInterpTensor){.dtype = t->dtype,
                              .rank = t->rank,
                              .shape = (int64_t *)t->dims,
                              .n = t->count,
                              .data = t->data});
    }
    MgInterpTensor *outputs = MG_NEW_N(b->session->arena, MgInterpTensor, g->outputs.len + 1);
    const MgInterpTensor *inputs = inputs_of(b, g);
    if (!inputs || !interpret(b, g, inputs, outputs, true))
        return NULL;
    MgText out = mg_text(b->session->arena);
    MgPrintOptions print = {.origins = true, .annotations = true, .inline_const = SIZE_MAX};
    mg_module_print(module, &print, &out);
    return mg_text_str(&out);
}

static int load(Bisect *b) {
    const MgcOptions *o = b->options;
    MgContextOptions context = {.cache_folder = ""};
    MgCompileOptions compile = {.graph = o->graph, .interpret = true, .weights = o->weights};
    if (mg_context_new(&context, &b->context) ||
        mg_model_load(b->context, o->file, &compile, &b->model)) {
        fputs(mg_context_message(b->context), stderr);
        return 1;
    }
    b->inputs = MG_NEW_N(b->session->arena, MgTensor *, mg_model_inputs(b->model) + 1);
    return mgc_inputs(b->session->arena, b->context, b->model, o, b->inputs);
}

static int bisect(MgSession *session, const MgcOptions *options) {
    Bisect b = {.options = options, .session = session};
    MgTuning tuning;
    MgcOptions to = written(options);
    if (mgc_put_check(session, &to))
        return 1;
    if (options->tuned &&
        !mgc_tuning(session, options, &tuning)) // here, or every attempt would report it
        return 1;
    b.outcome =
        mmap(NULL, sizeof *b.outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b.outcome == MAP_FAILED)
        return mgc_fail(3, "there is no memory that processes can share");
    int status = load(&b);
    const char *text = status ? NULL : prepare(&b);
    if (!text)
        return status ? status : 1;
    if (!add_passes(&b, options->passes))
        return mgc_fail(2, "more than %d passes were named", MAX_PASSES);
    MgText report = mg_text(session->arena);
    Fault fault = search(&b, text, &report);
    fputs(mg_text_str(&report), stdout);
    if (fault.found)
        status = write_reduced(&b, text, &fault);
    else if (!report.bytes.len)
        printf("every pass gives what the interpreter gives, within its bounds\n");
    for (uint32_t i = 0; i < mg_model_inputs(b.model); i++)
        mg_tensor_release(b.inputs[i]);
    mg_model_release(b.model);
    mg_context_free(b.context);
    return status;
}

int mgc_bisect(const MgcOptions *options) {
    return mgc_in_session(options, bisect);
}
