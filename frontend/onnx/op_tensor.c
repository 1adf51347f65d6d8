// Operators of ops_tensor.def, except Einsum (op_einsum.c) and attention (op_attention.c).
#include "frontend/onnx/ops.h"

// ---------------------------------------------------------------- n-grams
// Writes numbers as a constant of the text: `type`, which includes the dimensions, and the list.
static const char *constant(MgOnnxNode *n, const char *hint, const char *type, const char *list) {
    MgSym name = mg_onnx_fresh(n->t, NULL, hint);
    const char *spelled = mg_onnx_spelled(n->t, name);
    if (!mg_onnx_say(n, mg_onnx_text(n, "const %s: %s = %s", spelled, type, list)))
        return "_";
    return spelled;
}

static const char *float_list(const MgOnnxNode *n, const float *at, uint32_t count) {
    MgText out = mg_text(n->t->arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&out, "%s%.9g", i ? ", " : "[", (double)at[i]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

typedef struct Grams {
    MgOnnxInts pool, starts, ids;
    int64_t shortest, longest;
} Grams;

static bool check_grams(MgOnnxNode *n, const Grams *g) {
    if (!g->pool.n || !g->starts.n || !g->ids.n)
        return mg_onnx_unsupported(n, "n-grams that are not integers");
    if (g->shortest < 1 || g->longest < g->shortest)
        return mg_onnx_fail(
            n, "its n-grams are of length %lld to %lld; expected at least 1, and as many or more",
            (long long)g->shortest, (long long)g->longest);
    int64_t last = 0;
    for (uint32_t k = 0; k < g->starts.n; k++) {
        if (g->starts.at[k] < last || g->starts.at[k] > g->pool.n)
            return mg_onnx_fail(n, "attribute 'ngram_counts' must grow, within the pool");
        last = g->starts.at[k];
    }
    for (uint32_t k = 0; k < g->ids.n; k++)
        if (g->ids.at[k] < 0 || g->ids.at[k] > INT32_MAX)
            return mg_onnx_fail(n, "attribute 'ngram_indexes' has %lld; expected 0 to 2147483647",
                                (long long)g->ids.at[k]);
    return true;
}

// Counts all n-grams; each has its column of y.
static const char *count_grams(MgOnnxNode *n, const Grams *g, const char *y) {
    uint32_t at = 0; // the number of the n-gram
    for (uint32_t k = 0; k < g->starts.n; k++) {
        int64_t from = g->starts.at[k], length = k + 1;
        int64_t to = k + 1 < g->starts.n ? g->starts.at[k + 1] : g->pool.n;
        uint32_t count = (uint32_t)((to - from) / length);
        if ((to - from) % length || at + count > g->ids.n) {
            mg_onnx_fail(n, "the pool doesn't split into n-grams of %lld", (long long)length);
            return "_";
        }
        if (count && length >= g->shortest && length <= g->longest) {
            const char *type = mg_dtype(n->inputs[0]->type.dtype)->name;
            const char *grams = constant(
                n, "grams", mg_onnx_text(n, "%s[%u, %lld]", type, count, (long long)length),
                mg_onnx_list(n, g->pool.at + from, (uint32_t)(to - from)));
            const char *ids = constant(n, "columns", mg_onnx_text(n, "i64[%u]", count),
                                       mg_onnx_list(n, g->ids.at + at, count));
            const char *skips = length > 1 ? "{, skips = @max_skip_count}" : "";
            y = mg_onnx_text(n, "put_columns(%s, ngram_counts($0, %s%s), %s)", y, grams, skips,
                             ids);
        }
        at += count;
    }
    return y;
}

MG_ONNX_OP(tf_idf) {
    (void)text;
    const char *mode = mg_onnx_str(n, "mode", "TF");
    MgOnnxFloats weights = mg_onnx_floats(n, "weights");
    Grams g = {.pool = mg_onnx_ints(n, "pool_int64s"),
               .starts = mg_onnx_ints(n, "ngram_counts"),
               .ids = mg_onnx_ints(n, "ngram_indexes"),
               .shortest = mg_onnx_int(n, "min_gram_length", 1),
               .longest = mg_onnx_int(n, "max_gram_length", 1)};
    if (!mg_onnx_takes(n, 1) || !check_grams(n, &g))
        return false;
    const MgScopeType *x = &n->inputs[0]->type;
    int64_t width = 0;
    for (uint32_t k = 0; k < g.ids.n; k++)
        width = g.ids.at[k] + 1 > width ? g.ids.at[k] + 1 : width;
    if (x->rank != 1 && x->rank != 2)
        return mg_onnx_fail(n, "input 0 has %u dimension%s; expected 1 or 2", x->rank,
                            mg_plural(x->rank));
    const char *rows = x->rank == 2 ? mg_onnx_text(n, "%s, ", mg_onnx_ix(n, x->shape[0])) : "";
    const char *zeros = mg_onnx_text(n, "zeros(shape = [%s%lld])", rows, (long long)width);
    MgOnnxValue *counts = mg_onnx_let(n, "counts", count_grams(n, &g, zeros));
    if (!counts)
        return false;
    const char *tf = mg_onnx_operand(n, counts);
    if (!strcmp(mode, "IDF"))
        tf = mg_onnx_text(n, "cast(greater(%s, 0), to = f32)", tf);
    if (!strcmp(mode, "TF") || !weights.n)
        return mg_onnx_give(n, 0, tf);
    float *by_column = MG_NEW_N(n->t->arena, float, (size_t)width);
    for (uint32_t k = 0; k < g.ids.n && k < weights.n; k++)
        by_column[g.ids.at[k]] = weights.at[k];
    const char *w = constant(n, "weights", mg_onnx_text(n, "f32[%lld]", (long long)width),
                             float_list(n, by_column, (uint32_t)width));
    return mg_onnx_give(n, 0, mg_onnx_text(n, "mul(%s, %s)", tf, w));
}
