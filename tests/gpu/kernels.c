// Measures single kernels on the device by events: matrix products, and kernels bound by memory.
// Prints one JSON line for each case, without a peer; kernels_peer.py adds that. Some elements of
// every result are checked against f64 on the host.
//
//   gpu_kernels [--small] [NAME...]      default: all
//   gpu_kernels --names                  the names, one a line
//
// --small: a 64th of every size over 64, to see on any device that everything runs and is right.
#include "include/mg.h"
#include "ir/types.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { RUNS = 15, CHECKED = 64, ROW = 1024, ROWS = 1 << 18, MOST_CHECKED = 1 << 26 };

typedef struct Case {
    const char *name;
    int64_t rows, columns; // of the first input
    uint32_t inputs;       // the second is that of a product
    const char *body;
    double (*expected)(const struct Case *c, const float *const *x, int64_t i, int64_t j);
    int64_t out_rows, out_columns; // of the output; 0: those of the input
    MgDType in, out;               // element types
    bool tf32;                     // factors of products may be rounded to tf32
    int64_t heads; // if not 0, that the rows of all inputs and of the output belong to
} Case;

static int64_t out_rows(const Case *c) {
    return c->out_rows ? c->out_rows : c->rows;
}

static int64_t out_columns(const Case *c) {
    return c->out_columns ? c->out_columns : c->columns;
}

static double product(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->columns; k++)
        sum += (double)x[0][i * c->columns + k] * x[1][k * out_columns(c) + j];
    return sum;
}

// The second factor's rows are the columns of the result, as in a linear layer.
static double linear(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->columns; k++)
        sum += (double)x[0][i * c->columns + k] * x[1][j * c->columns + k];
    return sum;
}

// The sum runs down both factors, as in the derivative of a layer's weights.
static double across(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->rows; k++)
        sum += (double)x[0][k * c->columns + i] * x[1][k * out_columns(c) + j];
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

static double row_sum(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->columns; k++)
        sum += x[0][i * c->columns + k];
    (void)j;
    return sum;
}

static double column_sum(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < c->rows; k++)
        sum += x[0][k * c->columns + j];
    (void)i;
    return sum;
}

static double transposed(const Case *c, const float *const *x, int64_t i, int64_t j) {
    return x[0][j * c->columns + i];
}

static double argmax(const Case *c, const float *const *x, int64_t i, int64_t j) {
    int64_t most = 0;
    for (int64_t k = 1; k < c->columns; k++)
        most = x[0][i * c->columns + k] > x[0][i * c->columns + most] ? k : most;
    (void)j;
    return (double)most;
}

// Attention of row i of a head to its rows before `end`; the rows of the inputs are queries, keys
// and values.
static double attention_to(const Case *c, const float *const *x, int64_t i, int64_t j,
                           int64_t end) {
    int64_t tokens = c->rows / c->heads, first = i / tokens * tokens;
    double sum = 0, weights = 0;
    for (int64_t t = first; t < end; t++) {
        double score = 0;
        for (int64_t d = 0; d < c->columns; d++)
            score += (double)x[0][i * c->columns + d] * x[1][t * c->columns + d];
        double weight = exp(score / sqrt((double)c->columns));
        weights += weight;
        sum += weight * x[2][t * c->columns + j];
    }
    return sum / weights;
}

static double attention(const Case *c, const float *const *x, int64_t i, int64_t j) {
    int64_t tokens = c->rows / c->heads;
    return attention_to(c, x, i, j, (i / tokens + 1) * tokens);
}

static double causal(const Case *c, const float *const *x, int64_t i, int64_t j) {
    return attention_to(c, x, i, j, i + 1);
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double sorted(const Case *c, const float *const *x, int64_t i, int64_t j) {
    size_t n = (size_t)c->columns;
    float *row = malloc(n * sizeof *row);
    if (!row)
        return NAN;
    memcpy(row, x[0] + i * c->columns, n * sizeof *row);
    qsort(row, n, sizeof *row, by_value);
    double found = row[j];
    free(row);
    return found;
}

static double prefix(const Case *c, const float *const *x, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k <= j; k++)
        sum += x[0][i * c->columns + k];
    return sum;
}

enum { LONG = 1 << 24, FEW = 16, SHORT = 32, MANY = 1 << 23, MILLION = 1 << 20, SQUARE = 1 << 14 };

#define I8_PRODUCT "matmul(i32(x0), i32(x1))"
#define F8_PRODUCT "cast(linear(cast(x0, to = f32), cast(x1, to = f32)), to = bf16)"
#define ACROSS "matmul(transpose(x0, perm = [1, 0]), x1)"
#define ATTENTION "attention(x0, x1, x2)"
#define CAUSAL "attention(x0, x1, x2, causal = true)"

static const Case cases[] = {
    {"sgemm", 512, 512, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, false, 0},
    {"sgemm", 1024, 1024, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, false, 0},
    {"sgemm", 2048, 2048, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, false, 0},
    {"sgemm", 4096, 4096, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, false, 0},
    {"sgemm", 8192, 8192, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, false, 0},
    {"tf32", 512, 512, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, true, 0},
    {"tf32", 1024, 1024, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, true, 0},
    {"tf32", 2048, 2048, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, true, 0},
    {"tf32", 4096, 4096, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, true, 0},
    {"tf32", 8192, 8192, 2, "matmul(x0, x1)", product, 0, 0, MG_F32, MG_F32, true, 0},
    {"bf16", 512, 512, 2, "matmul(x0, x1)", product, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"bf16", 1024, 1024, 2, "matmul(x0, x1)", product, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"bf16", 2048, 2048, 2, "matmul(x0, x1)", product, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"bf16", 4096, 4096, 2, "matmul(x0, x1)", product, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"bf16", 8192, 8192, 2, "matmul(x0, x1)", product, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"f16", 4096, 4096, 2, "matmul(x0, x1)", product, 0, 0, MG_F16, MG_F16, false, 0},
    {"f16", 8192, 8192, 2, "matmul(x0, x1)", product, 0, 0, MG_F16, MG_F16, false, 0},
    {"across", 4096, 4096, 2, ACROSS, across, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"across", 8192, 3072, 2, ACROSS, across, 3072, 768, MG_BF16, MG_BF16, false, 0},
    {"along", 4096, 4096, 2, "linear(x0, x1)", linear, 0, 0, MG_BF16, MG_BF16, false, 0},
    {"i8", 4096, 4096, 2, I8_PRODUCT, product, 0, 0, MG_I8, MG_I32, false, 0},
    {"i8", 8192, 8192, 2, I8_PRODUCT, product, 0, 0, MG_I8, MG_I32, false, 0},
    {"f8", 4096, 4096, 2, F8_PRODUCT, linear, 0, 0, MG_F8E4M3, MG_BF16, false, 0},
    {"f8", 8192, 8192, 2, F8_PRODUCT, linear, 0, 0, MG_F8E4M3, MG_BF16, false, 0},
    {"skinny", 1, 4096, 2, "linear(x0, x1)", linear, 1, 4096, MG_BF16, MG_BF16, false, 0},
    {"skinny", 4, 4096, 2, "linear(x0, x1)", linear, 4, 4096, MG_BF16, MG_BF16, false, 0},
    {"skinny", 8, 4096, 2, "linear(x0, x1)", linear, 8, 4096, MG_BF16, MG_BF16, false, 0},
    {"skinny", 16, 4096, 2, "linear(x0, x1)", linear, 16, 4096, MG_BF16, MG_BF16, false, 0},
    {"skinny", 32, 4096, 2, "linear(x0, x1)", linear, 32, 4096, MG_BF16, MG_BF16, false, 0},
    {"skinny", 64, 4096, 2, "linear(x0, x1)", linear, 64, 4096, MG_BF16, MG_BF16, false, 0},
    {"attention", 16 * 16 * 1024, 64, 3, ATTENTION, attention, 0, 0, MG_BF16, MG_BF16, false, 256},
    {"attention", 16 * 16384, 64, 3, ATTENTION, attention, 0, 0, MG_BF16, MG_BF16, false, 16},
    {"attention", 4 * 16 * 4096, 128, 3, ATTENTION, attention, 0, 0, MG_BF16, MG_BF16, false, 64},
    {"attention", 16 * 16384, 128, 3, ATTENTION, attention, 0, 0, MG_BF16, MG_BF16, false, 16},
    {"causal", 16 * 16 * 1024, 64, 3, CAUSAL, causal, 0, 0, MG_BF16, MG_BF16, false, 256},
    {"causal", 16 * 16384, 64, 3, CAUSAL, causal, 0, 0, MG_BF16, MG_BF16, false, 16},
    {"causal", 4 * 16 * 4096, 128, 3, CAUSAL, causal, 0, 0, MG_BF16, MG_BF16, false, 64},
    {"causal", 16 * 16384, 128, 3, CAUSAL, causal, 0, 0, MG_BF16, MG_BF16, false, 16},
    {"chain", ROWS, ROW, 1, "gelu(x0) * sigmoid(x0)", chain, 0, 0, MG_F32, MG_F32, false, 0},
    {"softmax", ROWS, ROW, 1, "softmax(x0, axis = -1)", softmax, 0, 0, MG_F32, MG_F32, false, 0},
    {"layer_norm", ROWS, ROW, 1, "layer_norm(x0)", layer_norm, 0, 0, MG_F32, MG_F32, false, 0},
    {"softmax", MANY, SHORT, 1, "softmax(x0, axis = -1)", softmax, 0, 0, MG_F32, MG_F32, false, 0},
    {"softmax", FEW, LONG, 1, "softmax(x0, axis = -1)", softmax, 0, 0, MG_F32, MG_F32, false, 0},
    {"layer_norm", FEW, LONG, 1, "layer_norm(x0)", layer_norm, 0, 0, MG_F32, MG_F32, false, 0},
    {"row_sum", FEW, LONG, 1, "sum(x0, axes = [1], keepdims = true)", row_sum, FEW, 1, MG_F32,
     MG_F32, false, 0},
    {"column_sum", ROWS, ROW, 1, "sum(x0, axes = [0], keepdims = true)", column_sum, 1, ROW, MG_F32,
     MG_F32, false, 0},
    {"argmax", ROWS, ROW, 1, "argmax(x0, axis = -1, keepdims = true)", argmax, ROWS, 1, MG_F32,
     MG_I64, false, 0},
    {"argmax", FEW, LONG, 1, "argmax(x0, axis = -1, keepdims = true)", argmax, FEW, 1, MG_F32,
     MG_I64, false, 0},
    {"sort", 1, MILLION, 1, "sort(x0)", sorted, 0, 0, MG_F32, MG_F32, false, 0},
    {"sort", ROW, ROW, 1, "sort(x0)", sorted, 0, 0, MG_F32, MG_F32, false, 0},
    {"cumsum", 1, MILLION, 1, "cumsum(x0)", prefix, 0, 0, MG_F32, MG_F32, false, 0},
    {"cumsum", FEW, MILLION, 1, "cumsum(x0)", prefix, 0, 0, MG_F32, MG_F32, false, 0},
    {"cumsum", 4096, 4096, 1, "cumsum(x0)", prefix, 0, 0, MG_F32, MG_F32, false, 0},
    {"transpose", SQUARE, SQUARE, 1, "transpose(x0, perm = [1, 0])", transposed, 0, 0, MG_F32,
     MG_F32, false, 0},
    {"transpose", MANY, SHORT, 1, "transpose(x0, perm = [1, 0])", transposed, SHORT, MANY, MG_F32,
     MG_F32, false, 0},
};

typedef struct Times {
    double kernel[RUNS]; // each run's kernel time in seconds
    int runs;
} Times;

static void note(void *user, const MgTiming *t) {
    Times *times = user;
    if (t->kind == MG_TIMING_KERNEL && times->runs < RUNS)
        times->kernel[times->runs] += 1e-9 * (double)(t->end - t->begin);
}

enum { MOST_INPUTS = 3, MOST_RANK = 4 };

// Numbers of a type, in that type and as floats.
typedef struct Numbers {
    float *x;
    unsigned char *bits;
    int64_t shape[MOST_RANK];
    uint32_t rank;
} Numbers;

static bool make_numbers(MgDType type, uint32_t seed, Numbers *out) {
    int64_t n = 1;
    for (uint32_t d = 0; d < out->rank; d++)
        n *= out->shape[d];
    size_t size = mg_dtype_size(type);
    out->x = malloc((size_t)n * sizeof *out->x);
    out->bits = malloc((size_t)n * size);
    for (int64_t i = 0; out->x && out->bits && i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        double value = (double)(seed >> 8) * 0x1p-22 - 2;
        MgBits bits = mg_bits_from_double(type, mg_is_float(type) ? value : value * 63);
        out->x[i] = (float)mg_bits_to_double(type, bits);
        memcpy(out->bits + (size_t)i * size, &bits, size);
    }
    return out->x && out->bits;
}

// The shape of rows that may belong to heads. Returns its rank.
static uint32_t shape_of_rows(const Case *c, int64_t rows, int64_t columns, int64_t *shape) {
    if (c->heads) {
        memcpy(shape, (int64_t[]){1, c->heads, rows / c->heads, columns}, 4 * sizeof *shape);
        return 4;
    }
    memcpy(shape, (int64_t[]){rows, columns}, 2 * sizeof *shape);
    return 2;
}

// The shape of an input; that of the second one follows from the product.
static uint32_t shape_of(const Case *c, uint32_t input, int64_t *shape) {
    int64_t rows = input && c->expected == linear    ? out_columns(c)
                   : input && c->expected == product ? c->columns
                                                     : c->rows;
    bool wide = input && (c->expected == product || c->expected == across);
    return shape_of_rows(c, rows, wide ? out_columns(c) : c->columns, shape);
}

// The largest error of the checked elements, relative to the largest of them.
static double error_of(const Case *c, const float *const *x, const void *y) {
    double worst = 0, most = 1e-30;
    uint32_t seed = 5;
    int64_t row = c->expected == transposed ? 1 : c->columns; // the work to check one element
    for (int n = 0; n < CHECKED && n * row < MOST_CHECKED; n++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t i = (seed >> 8) % out_rows(c), j = (seed >> 4) % out_columns(c);
        int64_t at = i * out_columns(c) + j;
        double want = c->expected(c, x, i, j);
        MgBits bits = 0;
        memcpy(&bits, (const char *)y + (size_t)at * mg_dtype_size(c->out), mg_dtype_size(c->out));
        double got = mg_bits_to_double(c->out, bits);
        worst = fabs(got - want) > worst || isnan(got) ? fabs(got - want) : worst;
        most = fabs(want) > most ? fabs(want) : most;
    }
    return worst / most;
}

// Half a unit in the last place of the result's type, and the rounding of sums in the factors'
// type.
static double most_error(const Case *c) {
    double place = c->out == MG_BF16 ? 0x1p-8 : c->out == MG_F16 ? 0x1p-11 : 0;
    return place + (c->in == MG_F8E4M3 ? 1e-2 : c->tf32 ? 1e-3 : 1e-4);
}

static bool measure(const Case *c, MgInstance *instance) {
    Times times = {.runs = 0};
    Numbers in[MOST_INPUTS] = {{0}};
    const void *y;
    const int64_t *dims;
    long long bytes = (long long)mg_dtype_size(c->out) * out_rows(c) * out_columns(c);
    bool ok = true;
    for (uint32_t i = 0; i < c->inputs && ok; i++) {
        in[i].rank = shape_of(c, i, in[i].shape);
        ok = make_numbers(c->in, i + 1, &in[i]) &&
             mg_bind_input(instance, i, in[i].bits, in[i].rank, in[i].shape) == MG_OK;
        long long size = mg_dtype_size(c->in);
        for (uint32_t d = 0; d < in[i].rank; d++)
            size *= in[i].shape[d];
        bytes += size;
    }
    mg_set_timing(instance, note, &times);
    for (int r = 0; r < 3 && ok; r++) { // warm
        ok = mg_run(instance) == MG_OK;
        memset(times.kernel, 0, sizeof times.kernel);
    }
    for (times.runs = 0; times.runs < RUNS && ok; times.runs++)
        ok = mg_run(instance) == MG_OK;
    ok = ok && mg_output(instance, 0, &y, &dims) == MG_OK;
    const float *x[MOST_INPUTS] = {in[0].x, in[1].x, in[2].x};
    double error = ok ? error_of(c, x, y) : 0;
    if (ok) {
        double seconds = bench_median(times.kernel, RUNS);
        printf("{\"name\": \"%s\", \"size\": \"%lld x %lld\", \"heads\": %lld, \"bytes\": %lld, "
               "\"mg\": %.5g, \"spread\": %.3f, \"error\": %.1e}\n",
               c->name, (long long)c->rows, (long long)c->columns, (long long)c->heads, bytes,
               seconds, (times.kernel[RUNS * 3 / 4] - times.kernel[RUNS / 4]) / seconds, error);
        fflush(stdout);
    }
    for (uint32_t i = 0; i < MOST_INPUTS; i++) {
        free(in[i].x);
        free(in[i].bits);
    }
    return ok && error < most_error(c);
}

static size_t put_type(char *to, size_t room, MgDType type, uint32_t rank, const int64_t *shape) {
    size_t n = (size_t)snprintf(to, room, "%s[", mg_dtype(type)->name);
    for (uint32_t d = 0; d < rank; d++)
        n += (size_t)snprintf(to + n, room - n, "%s%lld", d ? ", " : "", (long long)shape[d]);
    return n + (size_t)snprintf(to + n, room - n, "]");
}

static bool run_case(const Case *c, MgContext *context) {
    char text[512];
    MgModel *model;
    MgInstance *instance = NULL;
    MgCompileOptions options = {.level = 2,
                                .target = "gpu",
                                .precision = c->tf32 ? MG_PRECISION_TF32 : MG_PRECISION_F32,
                                .short_sums = true};
    size_t n = (size_t)snprintf(text, sizeof text, "mg 1\ngraph net(");
    for (uint32_t i = 0; i < c->inputs; i++) {
        int64_t shape[MOST_RANK];
        uint32_t rank = shape_of(c, i, shape);
        n += (size_t)snprintf(text + n, sizeof text - n, "%sx%u: ", i ? ", " : "", i);
        n += put_type(text + n, sizeof text - n, c->in, rank, shape);
    }
    int64_t shape[MOST_RANK];
    uint32_t rank = shape_of_rows(c, out_rows(c), out_columns(c), shape);
    n += (size_t)snprintf(text + n, sizeof text - n, ") -> (y: ");
    n += put_type(text + n, sizeof text - n, c->out, rank, shape);
    n += (size_t)snprintf(text + n, sizeof text - n, ") { y = %s }\n", c->body);
    if (mg_model_compile(context, "net.mg", text, n, &options, &model)) {
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

static int64_t smaller(int64_t n) {
    return n > 64 ? n / 64 > 32 ? n / 64 : 32 : n;
}

static Case small_case(Case c) {
    c.rows = smaller(c.rows);
    c.columns = smaller(c.columns);
    c.out_rows = smaller(c.out_rows);
    c.out_columns = smaller(c.out_columns);
    c.heads = c.heads > 1 ? 2 : c.heads;
    return c;
}

static void print_names(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen |= !strcmp(cases[i].name, cases[j].name);
        if (!seen)
            puts(cases[i].name);
    }
}

int main(int argc, char **argv) {
    MgContext *context;
    bool ok = true, small = argc > 1 && !strcmp(argv[1], "--small");
    if (argc == 2 && !strcmp(argv[1], "--names")) {
        print_names();
        return 0;
    }
    if (mg_context_new(NULL, &context))
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = small ? small_case(cases[i]) : cases[i];
        bool wanted = argc < 2 + small;
        for (int a = 1 + small; a < argc; a++)
            wanted |= !strcmp(argv[a], c.name);
        ok = (!wanted || run_case(&c, context)) && ok;
    }
    mg_context_free(context);
    return !ok;
}
