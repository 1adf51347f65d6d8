// Whole programs by the interpreters of plans and kernels: every access of every kernel checked for
// bounds, races between workers and unwritten scratch, and every output within the bounds of the
// graph interpreter.
//
//   programs_checked SUITE.mg...
#include "frontend/sema.h"
#include "ir/program.h"
#include "runtime/compile.h"
#include "runtime/weights.h"
#include "tests/exec/suite.h"

#include <math.h>

enum { WORKERS = 3 };

typedef struct Suite {
    MgSession *session;
    const char *path;
    MgGraph *graph;
    MgWeights weights;
    const MgInterpTensor *inputs;
    MgInterpTensor *expected;
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
    return m && m->graphs.len ? m->graphs.at[0] : NULL;
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

// Room for every buffer of the plan, the inputs and weights filled in.
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

static bool run_level(Suite *s, uint32_t level) {
    MgCompileSettings settings = {
        .backend = mg_backend_find("cpu"), .level = level, .workers = WORKERS};
    MgGraph *g = load(s);
    if (!g || !mg_compile_passes(g, &settings))
        return complain(s, "the passes fail");
    MgProgram *p = mg_compile_schedule(g, &settings);
    if (!p)
        return complain(s, "the schedule fails");
    for (uint32_t i = 0; i < p->kernels.len; i++)
        if (!mg_kernel_verify(s->session, p->kernels.at[i]))
            return complain(s, "a kernel is invalid");
    MgKBufferArg *memory = memory_of(s, p);
    uint32_t trap;
    if (!mg_program_interp(s->session, p, memory, dims_of(s, g), WORKERS, NULL, NULL, &trap) ||
        trap)
        return complain(s, mg_arena_printf(s->session->arena, "-O%u fails", level));
    return check_outputs(s, p, memory, level);
}

static bool run_suite(const char *path) {
    Suite s = {.session = mg_session_new(0), .path = path};
    MgContext *context = NULL;
    bool ok = false;
    s.graph = load(&s);
    if (!s.graph) {
        complain(&s, "does not compile");
    } else if (mg_context_new(NULL, &context) == MG_OK &&
               mg_weights_find(s.graph, NULL, &s.weights)) {
        s.inputs = mg_suite_inputs(s.session, context, path, s.graph);
        s.expected = MG_NEW_N(s.session->arena, MgInterpTensor, s.graph->outputs.len + 1);
        MgInterpOptions options = {.bounds = true, .param = param, .ctx = &s};
        ok = s.inputs && mg_interp(s.graph, s.inputs, s.expected, &options, s.session->arena);
        for (uint32_t level = 0; level <= 2 && s.inputs; level += 2)
            ok = run_level(&s, level) && ok;
    }
    printf("%s: %s\n", path, ok ? "passed" : "FAILED");
    if (context)
        mg_context_free(context);
    mg_session_free(s.session);
    return ok;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed += !run_suite(argv[i]);
    printf("%d passed, %d failed\n", argc - 1 - failed, failed);
    return failed != 0;
}
