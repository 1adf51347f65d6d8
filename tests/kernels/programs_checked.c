// Runs whole programs in the interpreters of plans and kernels. They check every access of every
// kernel for bounds, races between workers and unwritten scratch. Every output must be within the
// bounds of the graph interpreter.
//
//   programs_checked [--fast] [--small|--words|--lanes] [--gpu [--wide] [--owned|--persistent]
//   [--units] [--tf32] [--short-sums] [--deep|--hopper [--boxes]] [--bf16] [--parts]] [--opencl]
//   [--schedules N SEED] SUITE.mg...
//
// --fast: at -O3, convolutions in all forms, rather than at -O0 and -O2.
// --small: for a CPU with a small last-level cache, so that small tests store past it.
// --words: for one that multiplies words of bytes and of bf16.
// --lanes: for one with short vectors, whose lanes are factors.
// --gpu: with the schedules for GPUs; items and memory of groups are checked too.
// --wide: for a GPU with units enough that rows and keys come in parts.
// --units: for a GPU with matrix units, which compute every contraction of the suites.
// --tf32: the same, but factors may be rounded, and one contraction of each suite is enough.
// --short-sums: sums of products of floats of eight bits may keep few bits; not all are wide.
// --deep: with as much local memory as a Hopper. --hopper: with its wide products, too; --boxes: it
// copies the factors of all of them by itself.
// --bf16: factors of products are rounded to bf16, as --precision=bf16 does, and memory is slow.
// --parts: the same as --deep for products that split factors of f32, and memory is slow.
// --schedules: with N texts made from the printed schedules by random edits. One that is
// refused counts as such; one that is taken computes what the definition says.
// --opencl: every call runs on an OpenCL device too, on a copy of its memory, which must end up bit
// for bit the same. Exits 77 (skipped) without a device.
#include "backends/opencl/host/run.h"
#include "frontend/sema.h"
#include "ir/kernel_walk.h"
#include "ir/program_split.h"
#include "passes/autocast.h"
#include "passes/nest/nest.h"
#include "runtime/compile.h"
#include "runtime/weights.h"
#include "tests/exec/suite.h"
#include "tests/kernels/edit_schedule.h"
#include "tests/kernels/programs_device.h"

#include <math.h>

typedef struct Suite {
    MgSession *session;
    const char *path, *with; // a file of schedules for -O2; NULL: the compiler's own
    MgGraph *graph;
    MgWeights weights;
    const MgInterpTensor *inputs;
    MgInterpOptions bounds;
    MgInterpTensor *defined, *expected; // by the graph; with the bounds of the current program
    MgClDevice *device;                 // NULL: interpreters only
    MgTried on;                         // the device that programs are for
    bool tf32, bytes, bf16;
    MgLaunch launch;
    uint32_t winograd; // MG_WINO_…
    uint32_t edits;    // edited schedules to try; 0: the compiler's own
    uint64_t seed;
    uint32_t taken; // edited schedules accepted
    MgProgram *program;
} Suite;

static bool complain(Suite *s, const char *what) {
    MgText out = mg_text(s->session->arena);
    mg_diags_render(s->session, &out, false);
    printf("%s: %s\n%s", s->path, what, mg_text_str(&out));
    return false;
}

static MgGraph *load(Suite *s) {
    size_t length = 0;
    char *text = mg_suite_text(s->path, &length);
    MgModule *m = text ? mg_load_module_text(s->session, s->path, text, length) : NULL;
    free(text);
    MgGraph *g = m && m->graphs.len ? m->graphs.at[0] : NULL;
    if (g && s->bf16)
        mg_autocast(g, MG_BF16);
    return g;
}

// The schedules of the suite's file; NULL: there are none.
static MgNestFile *load_schedules(Suite *s) {
    size_t length = 0;
    char *text = s->with ? mg_suite_text(s->with, &length) : NULL;
    if (!text)
        return NULL;
    const char *copy = mg_arena_copy(s->session->arena, text, length, 1);
    free(text);
    return mg_nest_read(s->session, mg_add_source(s->session, s->with, copy, length));
}

static const void *param(void *ctx, MgSym key, const MgValue *value, size_t bytes) {
    const MgWeight *w = mg_weight(&((Suite *)ctx)->weights, key);
    (void)value;
    return w && w->bytes == bytes ? w->data : NULL;
}

// The dimensions of the inputs, from the entries of their shapes that are c * D + r.
static int64_t *dims_of(Suite *s, MgGraph *g) {
    MgIxTable *t = g->module->ix;
    int64_t *dims = MG_NEW_N(s->session->arena, int64_t, g->dims.len + 1), c, r;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const MgValue *v = mg_value(g, g->inputs.at[i].value);
        for (uint32_t a = 0; a < v->rank; a++)
            for (uint32_t d = 0; d < g->dims.len; d++) {
                MgIx scale, rest;
                if (mg_ix_linear(t, v->shape[a], g->dims.at[d], &scale, &rest) &&
                    mg_ix_is_const(t, scale, &c) && mg_ix_is_const(t, rest, &r) && c)
                    dims[d] = (s->inputs[i].shape[a] - r) / c;
            }
    }
    return dims;
}

// Allocates every buffer of the plan, and fills in inputs and weights.
static MgKBufferArg *memory_of(Suite *s, const MgProgram *p) {
    MgArena *arena = s->session->arena;
    MgKBufferArg *all = MG_NEW_N(arena, MgKBufferArg, p->bufs.len);
    for (uint32_t i = 0; i < p->bufs.len; i++) {
        uint32_t n = p->bufs.at[i].number;
        size_t bytes;
        if (p->bufs.at[i].kind == MG_PLAN_INPUT) {
            bytes = s->inputs[n].n * mg_dtype_size(s->inputs[n].dtype);
            all[i] = (MgKBufferArg){mg_arena_copy(arena, s->inputs[n].data, bytes, 1), bytes};
        } else if (p->bufs.at[i].kind == MG_PLAN_OUTPUT) {
            bytes = s->expected[n].n * mg_dtype_size(s->expected[n].dtype);
            all[i] = (MgKBufferArg){mg_arena_alloc(arena, bytes, 1), bytes};
        } else if (p->bufs.at[i].kind == MG_PLAN_WEIGHT) {
            const MgValue *v = mg_value(p->graph, p->bufs.at[i].value);
            const MgWeight *w = mg_weight(&s->weights, mg_op(p->graph, v->def)->key);
            if (w)
                all[i] = (MgKBufferArg){(void *)(uintptr_t)w->data, w->bytes};
        }
    }
    return all;
}

// ---------------------------------------------------------------- on a device

enum { MAX_BUFFERS = 64 };

// Copies the memory that contains a call's buffers; each buffer extends to the end of its memory.
static void copy_memory(Suite *s, const MgKBufferArg *from, MgKBufferArg *to, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const char *end = (const char *)from[i].data + from[i].bytes, *low = from[i].data;
        uint32_t first = i;
        for (uint32_t j = n; j-- > 0;)
            if ((const char *)from[j].data + from[j].bytes == end) {
                low = (const char *)from[j].data < low ? from[j].data : low;
                first = j < first ? j : first;
            }
        to[i] = from[i];
        if (first == i)
            to[i].data = (char *)mg_arena_copy(s->session->arena, low, (size_t)(end - low), 1) +
                         ((const char *)from[i].data - low);
        else
            to[i].data = (char *)to[first].data + ((char *)from[i].data - (char *)from[first].data);
    }
}

// Compares bit for bit, except that any NaN equals any other, and that a device has its own
// functions of f64.
static bool agree(MgDType d, MgBits x, MgBits y) {
    double a = mg_bits_to_double(d, x), b = mg_bits_to_double(d, y);
    return x == y || (mg_is_float(d) && isnan(a) && isnan(b)) ||
           (d == MG_F64 && fabs(a - b) <= 0x1p-50 * fabs(a));
}

static bool differ(const MgKernel *k, const MgKBufferArg *want, const MgKBufferArg *got) {
    for (uint32_t b = 0; b < k->n_params; b++) {
        MgDType d = k->bufs.at[b].elem.dtype;
        size_t size = mg_dtype_size(d), n = k->bufs.at[b].writes ? want[b].bytes / size : 0;
        for (size_t i = 0; i < n; i++) {
            MgBits x = 0, y = 0;
            memcpy(&x, (const char *)want[b].data + i * size, size);
            memcpy(&y, (const char *)got[b].data + i * size, size);
            if (!agree(d, x, y))
                return true;
        }
    }
    return false;
}

static bool on_both(void *ctx, const MgKCall *c, const MgKBufferArg *buffers,
                    const int64_t *scalars) {
    Suite *s = ctx;
    const MgKernel *k = s->program->kernels.at[c->kernel];
    MgKBufferArg copy[MAX_BUFFERS];
    if (c->n_buffers > MAX_BUFFERS)
        return complain(s, "a call with too many buffers");
    copy_memory(s, buffers, copy, c->n_buffers);
    uint32_t trap, workers = c->alone ? 1 : MG_TRIED_WORKERS;
    if (!mg_kernel_interp(s->session, k, buffers, scalars, workers, &trap) || trap)
        return complain(s, "the interpreter fails");
    if (!mg_opencl_run(s->device, k, copy, scalars, workers, k->items, &trap) || trap)
        return complain(s, "the device fails");
    if (!differ(k, buffers, copy))
        return true;
    MgText text = mg_text(s->session->arena);
    mg_kernel_print(k, &text);
    printf("%s: the device differs after\n%s", s->path, mg_text_str(&text));
    return false;
}

// ---------------------------------------------------------------- a suite

static bool check_outputs(Suite *s, const MgProgram *p, const MgKBufferArg *memory,
                          uint32_t level) {
    bool ok = true;
    for (uint32_t i = 0; i < p->bufs.len; i++) {
        if (p->bufs.at[i].kind != MG_PLAN_OUTPUT)
            continue;
        uint32_t n = p->bufs.at[i].number;
        MgComparison c = mg_interp_compare(&s->expected[n], memory[i].data);
        if (!c.ok)
            printf("%s at -O%u: %s[%zu] is %.9g, expected %.9g, bound %.3g\n", s->path, level,
                   mg_name(s->session->names, p->graph->outputs.at[n].name), c.first_bad, c.got,
                   c.expected, c.bound);
        ok &= c.ok;
    }
    return ok;
}

// Checks that the program has the form that was asked for, or a valid reason against it.
static bool has_form(const Suite *s, const MgProgram *p) {
    static const char *const reasons[] = {"sizes are open", "data decide sizes",
                                          "buffers, one may have"};
    if (!s->launch || p->launch == s->launch)
        return true;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (s->launch == MG_LAUNCH_PERSISTENT && strstr(p->launch_why, reasons[i]))
            return true;
    return false;
}

// Prints a kernel, reads it, and prints the result: this must give an equal kernel, and the same
// text.
static bool reads_back(Suite *s, const MgKernel *k) {
    MgText text = mg_text(s->session->arena), again = mg_text(s->session->arena);
    MgKernels read = {0};
    mg_kernel_print(k, &text);
    const char *printed = mg_text_str(&text);
    uint32_t source = mg_add_source(s->session, "printed.mk", printed, strlen(printed));
    if (!mg_kernels_read(s->session, source, &read))
        return complain(s, "a printed kernel is not read");
    for (uint32_t i = 0; i < read.list.len; i++)
        mg_kernel_print(read.list.at[i], &again);
    if (read.list.len == 1 && mg_kernel_equal(k, read.list.at[0]) &&
        !strcmp(printed, mg_text_str(&again)))
        return true;
    printf("printed:\n%sread:\n%s", printed, mg_text_str(&again));
    return complain(s, "a kernel changes when it is printed and read");
}

// Runs a program on the suite's inputs; its outputs are within their bounds.
static bool run_program(Suite *s, MgProgram *p, uint32_t level) {
    for (uint32_t i = 0; i < p->kernels.len; i++)
        if (!mg_kernel_verify(s->session, p->kernels.at[i]))
            return complain(s, "a kernel is invalid");
    for (uint32_t i = 0; i < p->kernels.len; i++)
        if (!reads_back(s, p->kernels.at[i]))
            return false;
    if (!reads_back(s, p->bind) || !reads_back(s, p->plan))
        return false;
    s->expected = mg_program_widen(p, s->inputs, s->defined, &s->bounds, s->session->arena);
    if (!s->expected)
        return complain(s, "no bounds");
    MgKBufferArg *memory = memory_of(s, p);
    MgKCallFn *call = s->device ? on_both : NULL;
    uint32_t trap;
    s->program = p;
    if (!mg_program_interp(s->session, p, memory, dims_of(s, p->graph), MG_TRIED_WORKERS, call, s,
                           &trap) ||
        trap)
        return complain(s, mg_arena_printf(s->session->arena, "-O%u fails", level));
    return check_outputs(s, p, memory, level);
}

static void forget_errors(MgSession *session) {
    session->diags.len = session->n_errors = 0;
}

// The suite with schedules edited at random.
static bool run_edited(Suite *s) {
    const MgBackend backend = mg_tried(&s->on);
    MgCompileSettings settings = {
        .backend = &backend, .launch = MG_LAUNCH_SEPARATE, .level = 2, .workers = MG_TRIED_WORKERS};
    MgGraph *g = load(s);
    MgProgram *p = g && mg_compile_passes(g, &settings) ? mg_compile_schedule(g, &settings) : NULL;
    if (!p)
        return complain(s, "the schedule fails");
    MgText printed = mg_text(s->session->arena);
    mg_schedule_print(p, NULL, NULL, &printed);
    for (uint32_t i = 0; i < s->edits && strstr(mg_text_str(&printed), "schedule "); i++) {
        const char *text = mg_edit_schedule(s->session->arena, mg_text_str(&printed), s->seed + i);
        uint32_t source = mg_add_source(s->session, "edited.mgs", text, strlen(text));
        settings.schedules = mg_nest_read(s->session, source);
        g = settings.schedules ? load(s) : NULL;
        p = g && mg_compile_passes(g, &settings) ? mg_compile_schedule(g, &settings) : NULL;
        if (!p && !s->session->n_errors)
            return complain(s, "a schedule is refused without a word");
        forget_errors(s->session);
        if (p && !run_program(s, p, 2)) {
            printf("schedules of seed %llu:\n%s", (unsigned long long)(s->seed + i), text);
            return false;
        }
        s->taken += p != NULL;
    }
    return true;
}

typedef struct Products {
    MgKsKind kind;
    bool wide; // only wide products count
    bool found;
} Products;

static bool is_product(void *ctx, const MgKs *s) {
    Products *p = ctx;
    p->found |= s->kind == p->kind && (!p->wide || !s->product || mg_product_is_wide(s->product));
    return false;
}

static bool is_named(const MgKernel *k, const char *form) {
    return !strncmp(mg_name(k->names, k->name), form, strlen(form));
}

// Is there a contraction or an attention, and does each one have a statement of a kind: a product,
// by wide products if these are asked for?
static bool all_have(const MgProgram *p, MgKsKind kind, bool wide) {
    uint32_t contractions = 0, products = 0;
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        const MgKernel *k = p->kernels.at[i];
        Products product = {.kind = kind, .wide = wide};
        if (!is_named(k, "contraction") && !is_named(k, "attention"))
            continue;
        mg_kblock_any(&k->body, &(MgKAsk){.statement = is_product, .ctx = &product});
        contractions++;
        products += product.found;
    }
    return contractions && products == contractions;
}

static bool run_level(Suite *s, uint32_t level) {
    const MgBackend backend = mg_tried(&s->on);
    MgCompileSettings settings = {.backend = &backend,
                                  .launch = s->launch,
                                  .tf32 = s->tf32,
                                  .short_sums = s->bytes,
                                  .level = level,
                                  .winograd = s->winograd,
                                  .workers = MG_TRIED_WORKERS,
                                  .schedules = level ? load_schedules(s) : NULL};
    MgGraph *g = load(s);
    if (level && s->with && !settings.schedules)
        return complain(s, "there are no schedules");
    if (!g || !mg_compile_passes(g, &settings))
        return complain(s, "the passes fail");
    MgProgram *p = mg_compile_schedule(g, &settings);
    if (!p || (s->device && !mg_program_split(p)))
        return complain(s, "the schedule fails");
    bool wide = s->on.hopper && !s->bytes;
    if (level && ((s->tf32 && !p->rounds) ||
                  (s->on.units && (s->on.hopper || !s->tf32) && !all_have(p, MG_KS_PRODUCT, wide))))
        return complain(s, "matrix units are not used");
    if (level && s->on.boxes && !s->bytes && !all_have(p, MG_KS_BOX, false))
        return complain(s, "the device does not copy all factors by itself");
    if (level && !has_form(s, p))
        return complain(s, "it has another form than it was asked for");
    return run_program(s, p, level);
}

// At -O0 schedules are plain loops, whatever units and memories a device has; so only tests of
// plain devices run it.
static uint32_t first_level(const Suite *s) {
    const MgTried *on = &s->on;
    bool plain = !(on->units || on->words || on->lanes || on->small || on->wide || on->deep);
    return plain ? 0 : 2;
}

// Runs a suite with these options.
static bool run_suite(const char *path, const Suite *asked, bool fast, bool opencl) {
    Suite s = *asked;
    s.session = mg_session_new(0);
    s.path = path;
    MgContext *context = NULL;
    bool ok = false;
    s.graph = load(&s);
    if (opencl)
        s.device = mg_opencl_open(s.session, MG_CL_CPU);
    if (!s.graph || (opencl && !s.device)) {
        complain(&s, "does not compile");
    } else if (mg_context_new(NULL, &context) == MG_OK && mg_weights_find(s.graph, &s.weights)) {
        s.inputs = mg_suite_inputs(s.session, context, path, s.graph);
        s.defined = MG_NEW_N(s.session->arena, MgInterpTensor, s.graph->outputs.len + 1);
        s.bounds = (MgInterpOptions){
            .bounds = true, .tf32 = s.tf32, .short_sums = s.bytes, .param = param, .ctx = &s};
        ok = s.inputs && mg_interp(s.graph, s.inputs, s.defined, &s.bounds, s.session->arena);
        if (ok && s.edits)
            ok = run_edited(&s);
        for (uint32_t level = first_level(&s); level <= 2 && s.inputs && !fast && !s.edits;
             level += 2)
            ok = run_level(&s, level) && ok;
        for (s.winograd = MG_WINO_AUTO; s.winograd <= MG_WINO_TILES_4 && s.inputs && fast;
             s.winograd++)
            ok = run_level(&s, 3) && ok;
    }
    printf("%s: %s", path, ok ? "passed" : "FAILED");
    if (s.edits)
        printf(", %u of %u edited schedules taken", s.taken, s.edits);
    printf("\n");
    fflush(stdout);
    if (context)
        mg_context_free(context);
    mg_session_free(s.session);
    return ok;
}

static bool has_device(void) {
    MgSession *session = mg_session_new(0);
    bool found = mg_opencl_open(session, MG_CL_CPU) != NULL;
    mg_session_free(session);
    return found;
}

// Consumes a word of the arguments if it is next.
static bool word(int *argc, char ***argv, const char *text) {
    if (*argc < 2 || strcmp((*argv)[1], text))
        return false;
    --*argc;
    ++*argv;
    return true;
}

int main(int argc, char **argv) {
    int first = 1, failed = 0;
    bool fast = word(&argc, &argv, "--fast");
    Suite asked = {.on.small = word(&argc, &argv, "--small"),
                   .on.words = word(&argc, &argv, "--words"),
                   .on.lanes = word(&argc, &argv, "--lanes")};
    MgTried *on = &asked.on;
    on->gpu = word(&argc, &argv, "--gpu");
    if (word(&argc, &argv, "--owned"))
        asked.launch = MG_LAUNCH_OWNED;
    else if (word(&argc, &argv, "--persistent"))
        asked.launch = MG_LAUNCH_PERSISTENT;
    if (word(&argc, &argv, "--with") && argc > 1) {
        asked.with = argv[1];
        argc--;
        argv++;
    }
    on->wide = word(&argc, &argv, "--wide");
    on->units = word(&argc, &argv, "--units");
    asked.tf32 = word(&argc, &argv, "--tf32");
    asked.bytes = word(&argc, &argv, "--short-sums");
    on->deep = word(&argc, &argv, "--deep");
    on->hopper = word(&argc, &argv, "--hopper");
    on->boxes = word(&argc, &argv, "--boxes");
    on->slow = asked.bf16 = word(&argc, &argv, "--bf16");
    on->parts = word(&argc, &argv, "--parts");
    on->units |= asked.tf32 || on->parts;
    bool opencl = on->portable = word(&argc, &argv, "--opencl");
    if (word(&argc, &argv, "--schedules") && argc > 2) {
        asked.edits = (uint32_t)strtoul(argv[1], NULL, 10);
        asked.seed = strtoull(argv[2], NULL, 10);
        argc -= 2;
        argv += 2;
    }
    if (opencl && !has_device())
        return 77;
    for (int i = first; i < argc; i++)
        failed += !run_suite(argv[i], &asked, fast, opencl);
    printf("%d passed, %d failed\n", argc - first - failed, failed);
    return failed != 0;
}
