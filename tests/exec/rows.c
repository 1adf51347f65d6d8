// Tests row ownership on the CPU: random programs of linear, elementwise and row ops over a common
// leading dimension are checked against the reference interpreter's bounds.
//
//   exec_rows FIRST COUNT
// Rows have one to three indices.
//
// Sizes are small and odd, so that blocks have remainders. Now and then an op that reads other rows
// ends a run. Each program runs with one, two and three threads at its own sizes. With open rows it
// also runs at more sizes than are compiled for, so that the general code runs. The last line is 'N
// passed, N failed, N with runs'.
#include "frontend/sema.h"
#include "runtime/compile.h"
#include "tests/exec/compare.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_VALUES = 14, MOST_INPUTS = 40, SIZES = 6 };

typedef struct Gen {
    uint64_t state;
    MgSession *session;
    MgText params, body;
    uint32_t columns[MOST_VALUES + 1], n; // of the values v0, v1, …
    uint32_t shapes[MOST_INPUTS][2];      // of the inputs after x; 0 rows: as many as x has
    uint32_t ranks[MOST_INPUTS], n_inputs;
    uint32_t form; // the form of a row's indices
} Gen;

// A row's indices besides the first one: dimensions, the same as text, and the indices.
static const struct Form {
    uint32_t n, dims[2];
    const char *shape, *at;
} forms[] = {{0, {0, 0}, "", ""}, {1, {3, 0}, ", 3", ", s"}, {2, {2, 5}, ", 2, 5", ", s, t"}};

static uint32_t below(Gen *g, uint32_t n) { // Knuth's MMIX constants
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((g->state >> 33) % n);
}

static uint32_t any(Gen *g) {
    return below(g, 3) ? g->n - 1 : below(g, g->n);
}

static uint32_t width(Gen *g) {
    static const uint32_t widths[] = {1, 3, 8, 16, 17, 24, 32, 40};
    return widths[below(g, 8)];
}

static uint32_t input(Gen *g, uint32_t rank, uint32_t rows, uint32_t columns) {
    uint32_t k = g->n_inputs++;
    g->ranks[k] = rank;
    g->shapes[k][0] = rows;
    g->shapes[k][1] = columns;
    if (rank == 1)
        mg_textf(&g->params, ", w%u: f32[%u]", k, columns);
    else if (rows)
        mg_textf(&g->params, ", w%u: f32[%u, %u]", k, rows, columns);
    else
        mg_textf(&g->params, ", w%u: f32[B%s, %u]", k, forms[g->form].shape, columns);
    return k;
}

static void statement(Gen *g) {
    uint32_t v = any(g), c = g->columns[v], n = g->n++, d = width(g);
    const char *at = forms[g->form].at;
    g->columns[n] = c;
    MgText *b = &g->body;
    switch (below(g, 12)) {
    case 0:
    case 1:
    case 2: {
        uint32_t w = input(g, 2, d, c), bias = input(g, 1, 0, d);
        mg_textf(b, "    v%u = linear(v%u, w%u, w%u)\n", n, v, w, bias);
        g->columns[n] = d;
        break;
    }
    case 3:
        mg_textf(b, "    v%u = matmul(v%u, w%u)\n", n, v, input(g, 2, c, d));
        g->columns[n] = d;
        break;
    case 4:
        mg_textf(b, "    v%u = relu(v%u)\n", n, v);
        break;
    case 5:
        mg_textf(b, "    v%u = softmax(v%u)\n", n, v);
        break;
    case 6:
        mg_textf(b, "    v%u = tanh(v%u) + v%u\n", n, v, v);
        break;
    case 7:
        mg_textf(b, "    v%u = v%u + w%u\n", n, v, input(g, 2, 0, c)); // its own rows
        break;
    case 8:
        mg_textf(b,
                 "    m%u[i%s] = max[j] abs(v%u[i%s, j])\n"
                 "    v%u[i%s, j] = v%u[i%s, j] / (1 + m%u[i%s])\n",
                 n, at, v, at, n, at, v, at, n, at);
        break;
    case 9: // a weight made once, from constants
        mg_textf(b,
                 "    k%u[i in 0..%u, j in 0..%u]: f32[%u, %u] = sin(f32(3 * i + j))\n    v%u = "
                 "matmul(v%u, k%u)\n",
                 n, c, d, c, d, n, v, n);
        g->columns[n] = d;
        break;
    case 10: // other rows, whole
        mg_textf(b, "    s%u[j] = mean[i%s] v%u[i%s, j]\n    v%u[i%s, j] = v%u[i%s, j] - s%u[j]\n",
                 n, at, v, at, n, at, v, at, n);
        break;
    default:
        mg_textf(b, "    v%u[i%s, j] = v%u[i%s, j] - 0.5 * v%u[B - 1 - i%s, j]\n", n, at, v, at, v,
                 at);
    }
}

static const char *program(Gen *g) {
    g->params = mg_text(g->session->arena);
    g->body = mg_text(g->session->arena);
    g->form = below(g, 3);
    g->columns[0] = width(g);
    g->n = 1;
    for (uint32_t n = 3 + below(g, MOST_VALUES - 4); g->n < n;)
        statement(g);
    uint32_t also = 1 + below(g, g->n - 1); // ends a run in the middle
    const char *shape = forms[g->form].shape;
    return mg_arena_printf(
        g->session->arena,
        "mg 1\ngraph rows(v0: f32[B%s, %u]%s) -> (y: f32[B%s, %u], z: f32[B%s, %u])\n"
        "{\n%s    y = v%u + 0\n    z = v%u * 1.5\n}\n",
        shape, g->columns[0], mg_text_str(&g->params), shape, g->columns[g->n - 1], shape,
        g->columns[also], mg_text_str(&g->body), g->n - 1, also);
}

// rank 1: one element per column; 2: a matrix; else a value by rows, with all its indices.
static MgInterpTensor tensor(Gen *g, uint32_t rank, int64_t rows, int64_t columns) {
    MgArena *arena = g->session->arena;
    const struct Form *form = &forms[g->form];
    int64_t *shape = MG_NEW_N(arena, int64_t, 4), n = rank == 1 ? columns : rows * columns;
    shape[0] = rank == 1 ? columns : rows;
    for (uint32_t i = 1; i + 1 < rank; i++) {
        shape[i] = form->dims[i - 1];
        n *= shape[i];
    }
    if (rank > 1)
        shape[rank - 1] = columns;
    float *data = MG_NEW_N(arena, float, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        data[i] = (float)((int)below(g, 2001) - 1000) / 1000;
    return (MgInterpTensor){
        .dtype = MG_F32, .rank = rank, .shape = shape, .n = (size_t)n, .data = data};
}

static MgInterpTensor *tensors(Gen *g, int64_t rows) {
    MgInterpTensor *t = MG_NEW_N(g->session->arena, MgInterpTensor, MOST_INPUTS + 1);
    uint32_t rank = 2 + forms[g->form].n;
    t[0] = tensor(g, rank, rows, g->columns[0]);
    for (uint32_t k = 0; k < g->n_inputs; k++)
        t[k + 1] = g->shapes[k][0] || g->ranks[k] == 1
                       ? tensor(g, g->ranks[k], g->shapes[k][0], g->shapes[k][1])
                       : tensor(g, rank, rows, g->shapes[k][1]);
    return t;
}

// ---------------------------------------------------------------- many sizes of one model

static bool run_size(Gen *g, MgGraph *graph, MgInstance *instance, int64_t rows) {
    MgInterpTensor *in = tensors(g, rows);
    MgInterpTensor *out = MG_NEW_N(g->session->arena, MgInterpTensor, 2);
    MgInterpOptions options = {.bounds = true, .max_steps = 2000000000};
    if (!mg_interp(graph, in, out, &options, g->session->arena))
        return false;
    bool ok = true;
    for (uint32_t k = 0; ok && k <= g->n_inputs; k++)
        ok = mg_bind_input(instance, k, in[k].data, in[k].rank, in[k].shape) == MG_OK;
    ok = ok && mg_run(instance) == MG_OK;
    for (uint32_t k = 0; ok && k < 2; k++) {
        const void *data;
        const int64_t *dims;
        ok = mg_output(instance, k, &data, &dims) == MG_OK && mg_interp_compare(&out[k], data).ok;
    }
    if (!ok)
        printf("with %lld rows: %s\n", (long long)rows, mg_instance_message(instance));
    return ok;
}

static bool run_sizes(Gen *g, const char *text, uint32_t threads) {
    MgContextOptions options = {.threads = threads, .cache_folder = ""};
    MgContext *context;
    MgModel *model = NULL;
    MgInstance *instance = NULL;
    MgModule *module = mg_load_module_text(g->session, "rows.mg", text, strlen(text));
    if (!module || mg_context_new(&options, &context) != MG_OK)
        return false;
    MgCompileOptions compile = {.level = -1, .sharing = MG_SHARING_ALL};
    bool ok = mg_model_compile(context, "rows.mg", text, strlen(text), &compile, &model) == MG_OK &&
              mg_instance_new(model, context, &instance) == MG_OK;
    for (int k = 0; ok && k < SIZES; k++)
        ok =
            run_size(g, module->graphs.at[0], instance, 1 + below(g, k % 2 && !g->form ? 400 : 40));
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    return ok;
}

// ---------------------------------------------------------------- plans
enum { OPEN = 0 };

static bool a_size(void *ctx, MgIxSym sym, int64_t *value) {
    (void)sym;
    *value = *(const int64_t *)ctx;
    return true;
}

// Compiles the program at level 2 for `rows` rows, or for OPEN ones, and for workers that share all
// work. NULL on failure.
static MgProgram *plan_for(Gen *g, const char *text, int64_t rows, uint32_t workers) {
    MgCompileSettings settings = {
        .backend = mg_backend_find("cpu"), .level = 2, .workers = workers, .share_all = true};
    MgModule *module = mg_load_module_text(g->session, "rows.mg", text, strlen(text));
    if (!module)
        return NULL;
    MgGraph *graph = module->graphs.at[0];
    if (rows != OPEN)
        graph = mg_graph_specialise(graph, a_size, &rows);
    return mg_compile_passes(graph, &settings) ? mg_compile_schedule(graph, &settings) : NULL;
}

// Does the plan for three workers walk rows?
static bool has_runs(Gen *g, const char *text) {
    MgProgram *p = plan_for(g, text, OPEN, 3);
    return p && p->launch_why;
}

// FLOPs of all sites of the plan for `workers` workers; a share of rows rounds down.
static int64_t flops(Gen *g, const char *text, uint32_t workers, int64_t *sites) {
    MgProgram *p = plan_for(g, text, 97, workers);
    int64_t sum = 0, one;
    for (uint32_t i = 0; p && i < p->sites.len; i++) {
        mg_ix_is_const(p->graph->module->ix, p->sites.at[i].cost.flops, &one);
        sum += one;
    }
    *sites = p ? p->sites.len : 0;
    return p ? sum : -1;
}

// Do blocks and their remainder have the FLOPs of the graph?
static bool same_costs(Gen *g, const char *text) {
    int64_t sites[2], alone = flops(g, text, 1, &sites[0]), shared = flops(g, text, 3, &sites[1]);
    bool ok = alone > 0 && shared <= alone && shared >= alone - sites[1];
    if (!ok)
        printf("FLOPs: %lld of one worker, %lld of three\n", (long long)alone, (long long)shared);
    return ok;
}

static bool varies(const MgKx *x) {
    bool any = x->kind == MG_KX_VAR;
    for (uint32_t i = 0; i < x->n_args && !any; i++)
        any = x->args[i] && varies(x->args[i]);
    return any;
}

// Does a call of one worker for its block write where others write, at a place that depends neither
// on the block nor on the worker? Such a race rarely shows in results.
static bool has_race(const MgProgram *p, const MgKBlock *block, bool of_block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        const MgKs *st = block->list.at[i];
        bool inside = of_block || (st->kind == MG_KS_FOR && st->loop == MG_LOOP_PARALLEL);
        if (has_race(p, &st->body, inside) || has_race(p, &st->orelse, inside))
            return true;
        for (uint32_t k = 0; st->kind == MG_KS_CALL && inside && k < st->call->n_buffers; k++)
            if (p->kernels.at[st->call->kernel]->bufs.at[k].writes &&
                !varies(st->call->buffers[k].offset)) {
                printf("a block's call writes at one place of all workers (buffer %u of kernel "
                       "%u)\n",
                       k, st->call->kernel);
                return true;
            }
    }
    return false;
}

// Blocks of few and of many rows, which may have different kernels.
static bool blocks_are_apart(Gen *g, const char *text) {
    static const int64_t rows[] = {OPEN, 24, 97};
    for (int i = 0; i < 3; i++) {
        MgProgram *p = plan_for(g, text, rows[i], 3);
        if (!p || has_race(p, &p->plan->body, false))
            return false;
    }
    return true;
}

// A product that finishes its rows in its tile, in a block that is too small for a tile: two
// kernels, and the values passed between them belong to each worker alone.
static bool small_blocks(void) {
    static const char text[] = "mg 1\n"
                               "graph rows(x: f32[B, 3, 16], w: f32[8, 16], b: f32[8])\n"
                               "    -> (y: f32[B, 3, 8])\n"
                               "{\n"
                               "    a = softmax(x)\n"
                               "    c = linear(a, w, b)\n"
                               "    m[i, s] = max[j] abs(c[i, s, j])\n"
                               "    y[i, s, j] = c[i, s, j] / (1 + m[i, s])\n"
                               "}\n";
    Gen g = {.session = mg_session_new(0)};
    bool ok = false;
    MgTry frame;
    if (MG_TRY(g.session->mem, frame)) {
        MgProgram *p = plan_for(&g, text, 24, 3);
        ok = p && p->launch_why && p->sites.len == 3 && blocks_are_apart(&g, text);
        mg_try_end(g.session->mem, &frame);
    }
    mg_session_free(g.session);
    if (!ok)
        printf("a product and its rows' end apart, in small blocks\n");
    return ok;
}

// One value as two results: the second is a copy, which belongs to no block.
static bool yielded_twice(void) {
    static const char text[] = "mg 1\n"
                               "graph rows(x: f32[96, 8]) -> (y: f32[96, 8], z: f32[96, 8])\n"
                               "{\n"
                               "    a[i, j] = x[i, j] * 2.0\n"
                               "    b: f32[96, 8], c: f32[96, 8] = fused {\n"
                               "        d[i in 0..96, j in 0..8]: f32[96, 8] = abs(a[i, j])\n"
                               "        yield d, d\n"
                               "    }\n"
                               "    y = softmax(b)\n"
                               "    z = softmax(0.5 * c)\n"
                               "}\n";
    Gen g = {.session = mg_session_new(0)};
    bool ok = false;
    MgTry frame;
    if (MG_TRY(g.session->mem, frame)) {
        MgExecOptions options = {.levels = "23", .threads = "23"};
        MgInterpTensor in = tensor(&g, 2, 96, 8);
        MgExecResult r =
            mg_exec_compare(g.session, "rows.mg", text, strlen(text), NULL, &in, 1, &options);
        ok = r.ok;
        if (!ok)
            printf("a value yielded twice: %s\n", r.what);
        mg_try_end(g.session->mem, &frame);
    }
    mg_session_free(g.session);
    return ok;
}

static bool run_one(uint64_t seed, bool *runs) {
    Gen g = {.state = seed * 977, .session = mg_session_new(0)};
    static const int64_t rows[] = {1, 2, 7, 16, 24, 31, 33, 48, 50, 64, 97, 130};
    bool ok = false;
    MgTry frame;
    if (MG_TRY(g.session->mem, frame)) {
        const char *text = program(&g);
        MgExecOptions options = {.levels = "023", .threads = "123"};
        MgInterpTensor *in = tensors(&g, rows[below(&g, 12)]);
        MgExecResult r = mg_exec_compare(g.session, "rows.mg", text, strlen(text), NULL, in,
                                         g.n_inputs + 1, &options);
        ok = r.ok && same_costs(&g, text) && blocks_are_apart(&g, text) && run_sizes(&g, text, 1) &&
             run_sizes(&g, text, 2);
        *runs = has_runs(&g, text);
        if (!ok)
            printf("seed %llu: %s\n%s", (unsigned long long)seed, r.ok ? "open rows" : r.what,
                   text);
        mg_try_end(g.session->mem, &frame);
    }
    mg_session_free(g.session);
    return ok;
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 10;
    unsigned passed = 0, walked = 0;
    bool apart = small_blocks() && yielded_twice();
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool runs = false;
        passed += run_one(seed, &runs);
        walked += runs;
    }
    printf("%u passed, %u failed, %u with runs\n", passed, (unsigned)count - passed, walked);
    return apart && passed == count && 2 * walked >= count
               ? EXIT_SUCCESS
               : EXIT_FAILURE; // otherwise this tests nothing
}
