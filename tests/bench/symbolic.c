// Compares open with known dimensions. Each graph of symbolic.mg runs twice, alternately: compiled
// for the sizes of the table below, and in the code for any sizes.
//
// A model compiles for the first few sets of sizes that it gets, so a second model of the same
// text is given other sizes first. Results are compared before anything is timed. The ratio is the
// speed of the open form over that of the known one.
//
//   bench_symbolic FILE.mg [--threads=N] [--level=N] [--march=CPU] [GRAPH…]
//
// The level is that of all cases but Winograd's.
#include "bench.h"

#include "include/mg.h"

#include <math.h>
#include <string.h>

enum { MAX_PORTS = 4, OTHERS = 5 };
static const int64_t others[OTHERS] = {2, 3, 5, 6, 7}; // more sets of sizes than are compiled for

static const struct Case {
    const char *graph, *sizes; // the sizes of the dimensions, in any order
    int level;                 // 0: the requested level
} cases[] = {
    {"matmul_kept", "M=512", 0},
    {"matmul_open", "M=512 K=384 N=512", 0},
    {"matmul_batch", "B=8 M=128 N=128", 0},
    {"linear_softmax", "B=256", 0},
    {"layers", "B=96", 0},
    {"convolutions_batch", "B=8", 0},
    {"convolutions_size", "H=56 W=64", 0},
    {"strided_size", "H=28 W=32", 0},
    {"depthwise_size", "H=56 W=64", 0},
    {"pool_size", "H=56 W=64", 0},
    {"pool_over", "H=56 W=64", 0},
    {"winograd_batch", "B=4", 3},
    {"winograd_size", "H=56 W=64", 3},
    {"attention_length", "S=256", 0},
    {"transformer", "S=128", 0},
    {"softmax_rows", "B=256 D=1000", 0},
    {"layer_norm_rows", "B=256", 0},
    {"layer_norm_width", "B=256 D=512", 0},
    {"chain", "N=65536", 0},
    {"chain_image", "B=1 C=64 H=28 W=28", 0},
    {"sums", "B=256 D=1000", 0},
    {"columns", "B=256 D=1000", 0},
    {"softmax_one", "N=1000", 0},
    {"softmax_one", "N=1048576", 0},
    {"variance_one", "N=1048576", 0},
    {"sum_one", "N=1048576", 0},
    {"transposed", "M=512 N=384", 0},
    {"heads", "B=2 S=128", 0},
    {"gathered", "N=512 S=256", 0},
};

typedef struct Form {
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    const float *result;
    size_t n;
} Form;

static _Noreturn void stop(const char *graph, const char *why) {
    fprintf(stderr, "symbolic: %s: %s\n", graph, why);
    exit(1);
}

// The size of a dimension, or of a constant times one, "2*H": from the table, or `other` for small
// sizes.
static int64_t size_of(const struct Case *c, const char *formula, int64_t other) {
    const char *star = strchr(formula, '*'), *name = star ? star + 1 : formula;
    int64_t factor = star ? atoll(formula) : 1;
    size_t length = strlen(name);
    for (const char *at = c->sizes; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (!strncmp(at, name, length) && at[length] == '=')
            return factor * (other ? other : atoll(at + length + 1));
    stop(c->graph, formula);
    return 0;
}

static void *filled(const MgPortInfo *port, size_t count) {
    void *data = aligned_alloc(64, (count * mg_element_size(port->element) / 64 + 1) * 64);
    uint32_t seed = 1;
    for (size_t i = 0; data && i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        if (port->element == MG_ELEMENT_F32)
            ((float *)data)[i] = (float)(seed >> 8) / 0x1p23f - 1;
        else
            ((int64_t *)data)[i] = (int64_t)(seed >> 24);
    }
    return data;
}

// Runs once. other: the size of all open dimensions; 0: those of the table. Inputs may exist
// already.
static void run_sizes(Form *f, const struct Case *c, int64_t other, void **inputs) {
    for (uint32_t i = 0; i < mg_model_inputs(f->model); i++) {
        const MgPortInfo *port = mg_model_input(f->model, i);
        int64_t dims[8];
        size_t count = 1;
        for (uint32_t a = 0; a < port->rank; a++) {
            dims[a] = port->dims[a] >= 0 ? port->dims[a] : size_of(c, port->formulas[a], other);
            count *= (size_t)dims[a];
        }
        inputs[i] = inputs[i] ? inputs[i] : filled(port, count);
        if (!inputs[i] || mg_bind_input(f->instance, i, inputs[i], port->rank, dims))
            stop(c->graph, mg_instance_message(f->instance));
    }
    const void *result;
    const int64_t *dims;
    if (mg_run(f->instance) || mg_output(f->instance, 0, &result, &dims))
        stop(c->graph, mg_instance_message(f->instance));
    f->result = result;
    f->n = 1;
    for (uint32_t a = 0; a < mg_model_output(f->model, 0)->rank; a++)
        f->n *= (size_t)dims[a];
}

static void free_inputs(void **inputs) {
    for (int p = 0; p < MAX_PORTS; p++) {
        free(inputs[p]);
        inputs[p] = NULL;
    }
}

static Form make(const char *file, const struct Case *c, const BenchFlags *flags, bool open,
                 void **inputs) {
    Form f = {0};
    MgContextOptions context = {.threads = (uint32_t)flags->threads};
    MgCompileOptions options = {
        .graph = c->graph, .level = c->level ? c->level : flags->level, .march = flags->march};
    if (mg_context_new(&context, &f.context) ||
        mg_model_load(f.context, file, &options, &f.model) ||
        mg_instance_new(f.model, f.context, &f.instance))
        stop(c->graph, mg_context_message(f.context));
    void *small[MAX_PORTS] = {0};
    for (int i = 0; open && i < OTHERS; i++) {
        run_sizes(&f, c, others[i], small);
        free_inputs(small);
    }
    run_sizes(&f, c, 0, inputs);
    return f;
}

static void compare_results(const struct Case *c, const Form *a, const Form *b) {
    double largest = 0, apart = 0;
    for (size_t i = 0; i < a->n; i++) {
        double x = a->result[i], y = b->result[i];
        largest = fabs(x) > largest ? fabs(x) : largest;
        apart = !(fabs(x - y) <= apart) ? fabs(x - y) : apart;
    }
    if (a->n != b->n || !(apart <= 1e-4 * largest))
        stop(c->graph, "both forms compute something else");
}

// The place of pages in the caches matters by a tenth, so both forms read and write the same pages.
static void *write_to_one(const struct Case *c, Form *a, Form *b) {
    size_t bytes = (a->n * sizeof(float) / 64 + 1) * 64;
    void *result = aligned_alloc(64, bytes);
    if (!result || mg_bind_output(a->instance, 0, result, bytes) ||
        mg_bind_output(b->instance, 0, result, bytes))
        stop(c->graph, mg_instance_message(a->instance));
    return result;
}

static void run(void *context) {
    mg_run(context);
}

static double one(const char *file, const struct Case *c, const BenchFlags *flags) {
    void *inputs[MAX_PORTS] = {0};
    Form known = make(file, c, flags, false, inputs);
    Form open = make(file, c, flags, true, inputs);
    compare_results(c, &known, &open);
    void *result = write_to_one(c, &known, &open);
    char size[128];
    snprintf(size, sizeof size, "%s %s", c->graph, c->sizes);
    double ratio = bench_compare("symbolic", size, flags->threads, (Contender){run, open.instance},
                                 (Contender){run, known.instance}, "known sizes", 0.01);
    Form *both[] = {&known, &open};
    for (int i = 0; i < 2; i++) {
        mg_instance_free(both[i]->instance);
        mg_model_release(both[i]->model);
        mg_context_free(both[i]->context);
    }
    free_inputs(inputs);
    free(result);
    return ratio;
}

static bool wanted(const char *graph, char **words, int n) {
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (!strcmp(words[i], graph))
            return true;
        any |= words[i][0] != '-';
    }
    return !any;
}

int main(int argc, char **argv) {
    BenchFlags flags = {.threads = 1, .level = 2};
    int n = 0;
    double logs = 0, least = 1e9;
    for (int i = 2; i < argc; i++)
        if (argv[i][0] == '-' && !bench_flag(argv[i], &flags)) {
            fprintf(stderr, "bench_symbolic: unknown flag %s\n", argv[i]);
            return 2;
        }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2 || !wanted(cases[i].graph, argv + 2, argc - 2))
            continue;
        double ratio = one(argv[1], &cases[i], &flags);
        logs += log(ratio);
        least = ratio < least ? ratio : least;
        n++;
    }
    if (n > 1)
        printf("{\"name\": \"symbolic\", \"size\": \"all %d\", \"threads\": %d, \"geomean\": %.3f, "
               "\"least\": %.3f}\n",
               n, flags.threads, exp(logs / n), least);
    return !n;
}
