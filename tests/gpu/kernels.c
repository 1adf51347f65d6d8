// Time on the device of single kernels, as events tell it: matrix products, and what moves memory.
// One JSON line a case, without a peer: kernels_peer.py adds that. Some elements of every result
// are checked against f64 on the host.
//
//   gpu_kernels [NAME...]      default: all
#include "include/mg.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { RUNS = 15, CHECKED = 64, ROW = 1024, ROWS = 1 << 18 };

typedef struct Case {
    const char *name;
    int64_t rows, columns; // of every input and of the output
    uint32_t inputs;
    const char *body;
    double (*expected)(const struct Case *c, const float *const *x, int64_t i, int64_t j);
} Case;

static double product(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->columns; k++)
        sum += (double)x[0][i * c->columns + k] * x[1][k * c->columns + j];
    return sum;
}

static double chain(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double v = x[0][i * c->columns + j];
    return 0.5 * v * erfc(-v / sqrt(2)) / (1 + exp(-v));
}

static double softmax(const Case *c, const float *const *x, int64_t i, int64_t j) {
    const float *row = x[0] + i * c->columns;
    double sum = 0;
    for (int64_t k = 0; k < c->columns; k++)
        sum += exp((double)row[k] - row[j]);
    return 1 / sum;
}

static double layer_norm(const Case *c, const float *const *x, int64_t i, int64_t j) {
    const float *row = x[0] + i * c->columns;
    double mean = 0, square = 0, n = (double)c->columns;
    for (int64_t k = 0; k < c->columns; k++)
        mean += row[k] / n;
    for (int64_t k = 0; k < c->columns; k++)
        square += (row[k] - mean) * (row[k] - mean) / n;
    return (row[j] - mean) / sqrt(square + 1e-5);
}

static const Case cases[] = {
    {"sgemm", 2048, 2048, 2, "matmul(x0, x1)", product},
    {"sgemm", 4096, 4096, 2, "matmul(x0, x1)", product},
    {"sgemm", 8192, 8192, 2, "matmul(x0, x1)", product},
    {"chain", ROWS, ROW, 1, "gelu(x0) * sigmoid(x0)", chain},
    {"softmax", ROWS, ROW, 1, "softmax(x0, axis = -1)", softmax},
    {"layer_norm", ROWS, ROW, 1, "layer_norm(x0)", layer_norm},
};

typedef struct Times {
    double kernel[RUNS]; // seconds of each run's kernels
    int runs;
} Times;

static void note(void *user, const MgTiming *t) {
    Times *times = user;
    if (t->kind == MG_TIMING_KERNEL && times->runs < RUNS)
        times->kernel[times->runs] += 1e-9 * (double)(t->end - t->begin);
}

static float *numbers(int64_t n, uint32_t seed) {
    float *x = malloc((size_t)n * sizeof *x);
    for (int64_t i = 0; x && i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(seed >> 8) * 0x1p-22f - 2;
    }
    return x;
}

// The largest error of some elements, over the largest of them.
static double error_of(const Case *c, const float *const *x, const float *y) {
    double worst = 0, most = 1e-30;
    uint32_t seed = 5;
    for (int n = 0; n < CHECKED; n++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t i = (seed >> 8) % c->rows, j = (seed >> 4) % c->columns;
        double want = c->expected(c, x, i, j), got = y[i * c->columns + j];
        worst = fabs(got - want) > worst || isnan(got) ? fabs(got - want) : worst;
        most = fabs(want) > most ? fabs(want) : most;
    }
    return worst / most;
}

static bool measure(const Case *c, MgInstance *instance) {
    Times times = {.runs = 0};
    const float *x[2] = {NULL, NULL};
    const void *y;
    const int64_t *dims, shape[2] = {c->rows, c->columns};
    bool ok = true;
    for (uint32_t i = 0; i < c->inputs && ok; i++) {
        x[i] = numbers(c->rows * c->columns, i + 1);
        ok = x[i] && mg_bind_input(instance, i, x[i], 2, shape) == MG_OK;
    }
    mg_set_timing(instance, note, &times);
    for (int r = 0; r < 3 && ok; r++) { // warm
        ok = mg_run(instance) == MG_OK;
        memset(times.kernel, 0, sizeof times.kernel);
    }
    for (times.runs = 0; times.runs < RUNS && ok; times.runs++)
        ok = mg_run(instance) == MG_OK;
    ok = ok && mg_output(instance, 0, &y, &dims) == MG_OK;
    double error = ok ? error_of(c, x, y) : 0;
    if (ok) {
        double seconds = bench_median(times.kernel, RUNS);
        printf("{\"name\": \"%s\", \"size\": \"%lld x %lld\", \"mg\": %.5g, \"spread\": %.3f, "
               "\"error\": %.1e}\n",
               c->name, (long long)c->rows, (long long)c->columns, seconds,
               (times.kernel[RUNS * 3 / 4] - times.kernel[RUNS / 4]) / seconds, error);
        fflush(stdout);
    }
    free((void *)(uintptr_t)x[0]);
    free((void *)(uintptr_t)x[1]);
    return ok && error < 1e-4;
}

static bool run_case(const Case *c, MgContext *context) {
    char text[512];
    MgModel *model;
    MgInstance *instance = NULL;
    MgCompileOptions options = {.level = 2, .target = "gpu"};
    int n = snprintf(text, sizeof text, "mg 1\ngraph net(");
    for (uint32_t i = 0; i < c->inputs; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%sx%u: f32[%lld, %lld]", i ? ", " : "", i,
                      (long long)c->rows, (long long)c->columns);
    n += snprintf(text + n, sizeof text - (size_t)n, ") -> (y: f32[%lld, %lld]) { y = %s }\n",
                  (long long)c->rows, (long long)c->columns, c->body);
    if (mg_model_compile(context, "net.mg", text, (size_t)n, &options, &model)) {
        printf("%s\n", mg_context_message(context));
        return false;
    }
    bool ok = mg_instance_new(model, context, &instance) == MG_OK && measure(c, instance);
    if (!ok)
        printf("%s is wrong, or fails: %s\n", c->name,
               instance ? mg_instance_message(instance) : mg_context_message(context));
    mg_instance_free(instance);
    mg_model_release(model);
    return ok;
}

int main(int argc, char **argv) {
    MgContext *context;
    bool ok = true;
    if (mg_context_new(NULL, &context))
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= !strcmp(argv[a], cases[i].name);
        ok = (!wanted || run_case(&cases[i], context)) && ok;
    }
    mg_context_free(context);
    return !ok;
}
