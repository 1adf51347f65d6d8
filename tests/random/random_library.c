// Statements that call the standard library. Products, windows and moves have files of their own.
#include "tests/random/random_internal.h"

// ---------------------------------------------------------------- functions of one operand
// % is the operand. The result's magnitude is at most `bound` if that is not 0, else grow * size +
// 1.
typedef struct UnaryRow {
    const char *text;
    double bound, grow;
} UnaryRow;
static const UnaryRow unary_rows[] = {
    {"exp(minimum(%, 3))", 21, 0},
    {"exp2(minimum(%, 4))", 17, 0},
    {"expm1(minimum(%, 3))", 21, 0},
    {"log(abs(%) + 0.125)", 0, 1},
    {"log2(abs(%) + 0.125)", 0, 1},
    {"log1p(abs(%))", 0, 1},
    {"sqrt(abs(%))", 0, 1},
    {"rsqrt(abs(%) + 0.25)", 2, 0},
    {"sin(%)", 1, 0},
    {"cos(%)", 1, 0},
    {"tan(hard_tanh(%))", 2, 0},
    {"asin(hard_tanh(%) * 0.875)", 2, 0},
    {"acos(hard_tanh(%) * 0.875)", 4, 0},
    {"atan(%)", 2, 0},
    {"sinh(hard_tanh(%) * 2)", 4, 0},
    {"cosh(hard_tanh(%) * 2)", 4, 0},
    {"tanh(%)", 1, 0},
    {"asinh(%)", 0, 1},
    {"acosh(abs(%) + 1.5)", 0, 1},
    {"atanh(hard_tanh(%) * 0.75)", 1, 0},
    {"erf(%)", 1, 0},
    {"erfc(%)", 2, 0},
    {"floor(%)", 0, 1},
    {"ceil(%)", 0, 1},
    {"round(%)", 0, 1},
    {"trunc(%)", 0, 1},
    {"sign(%)", 1, 0},
    {"neg(%)", 0, 1},
    {"abs(%)", 0, 1},
    {"square(%)", 0, 4},
    {"reciprocal(abs(%) + 0.5)", 2, 0},
    {"relu(%)", 0, 1},
    {"relu6(%)", 6, 0},
    {"leaky_relu(%, slope = 0.125)", 0, 1},
    {"elu(%)", 0, 1},
    {"selu(%)", 0, 2},
    {"celu(%, alpha = 0.5)", 0, 1},
    {"sigmoid(%)", 1, 0},
    {"log_sigmoid(%)", 0, 1},
    {"gelu(%)", 0, 1},
    {"gelu_tanh(%)", 0, 1},
    {"silu(%)", 0, 1},
    {"mish(%)", 0, 1},
    {"hard_sigmoid(%)", 1, 0},
    {"hard_swish(%)", 0, 1},
    {"hard_tanh(%)", 1, 0},
    {"softplus(%)", 0, 1},
    {"softsign(%)", 1, 0},
    {"tanh_shrink(%)", 0, 1},
    {"shrink(%, threshold = 0.25)", 0, 1},
    {"thresholded_relu(%, alpha = 0.5)", 0, 1},
    {"identity(%)", 0, 1},
    // without a guard: NaN where the domain ends
    {"log(%)", 0, 1},
    {"sqrt(%)", 0, 1},
    {"asin(%)", 2, 0},
    {"exp(%)", 1e9, 0},
    {"reciprocal(%)", 1e9, 0},
};

const char *put(Gen *g, const char *text, const char *operand) {
    const char *at = strchr(text, '%');
    return format(g, "%.*s%s%s", (int)(at - text), text, operand, at + 1);
}

bool unary(Gen *g) {
    Value x = use_float(g);
    const UnaryRow *row = &unary_rows[below(g, sizeof unary_rows / sizeof *unary_rows)];
    double size = row->bound ? row->bound : row->grow * x.size + 1;
    bind_value(g, result(fresh(g), x.dtype, x.rank, x.dims, size), put(g, row->text, x.name));
    return true;
}

// ---------------------------------------------------------------- broadcasting
// A shape that broadcasts to x's: it leaves out leading dimensions, and some others are 1.
static Value broadcast_partner(Gen *g, const Value *x) {
    uint32_t drop = chance(g, 60) ? 0 : below(g, x->rank + 1), rank = x->rank - drop;
    Dim dims[MAX_RANK];
    bool stretch = chance(g, 40);
    for (uint32_t k = 0; k < rank; k++) {
        dims[k] = x->dims[drop + k];
        if (stretch && chance(g, 40))
            dims[k] = number(g, 1);
    }
    return need(g, x->dtype, rank, dims);
}

typedef struct BinaryRow {
    const char *text; // a and b are the operands
    bool floats, ints;
    double bound, grow; // grow * a + b, or a * b if grow is 0
} BinaryRow;
static const BinaryRow binary_rows[] = {
    {"add(@, #)", true, true, 0, 1},
    {"sub(@, #)", true, true, 0, 1},
    {"@ + #", true, true, 0, 1},
    {"mul(@, #)", true, true, 0, 0},
    {"@ * # - @", true, true, 0, 0},
    {"maximum(@, #)", true, true, 0, 1},
    {"minimum(@, #)", true, true, 0, 1},
    {"@ / (abs(#) + 0.5)", true, false, 0, 2},
    {"pow(abs(@) + 0.25, hard_tanh(#))", true, false, 0, 4},
    {"rem(@, #)", true, true, 0, 1},
    {"mod(@, #)", true, true, 0, 1},
    {"prelu(@, #)", true, false, 0, 0},
    {"div(@, #)", false, true, 0, 1},
    {"floor_div(@, #)", false, true, 0, 1},
    {"bit_and(@, #)", false, true, 0, 1},
    {"bit_or(@, #)", false, true, 0, 1},
    {"bit_xor(@, #)", false, true, 0, 1},
    {"shift_left(@, #)", false, true, 0, 1},
    {"shift_right(@, #)", false, true, 0, 1},
};

static const char *put2(Gen *g, const char *text, const char *a, const char *b) {
    MgText out = mg_text(g->arena);
    for (; *text; text++)
        if (*text == '@' || *text == '#')
            mg_text_add(&out, *text == '@' ? a : b);
        else
            mg_text_add_n(&out, text, 1);
    return mg_text_str(&out);
}

bool binary(Gen *g) {
    bool floats = chance(g, 75);
    Value a = floats ? use_float(g) : use_int(g), b = broadcast_partner(g, &a);
    const BinaryRow *row;
    do
        row = &binary_rows[below(g, sizeof binary_rows / sizeof *binary_rows)];
    while (!(floats ? row->floats : row->ints));
    double size = row->grow ? row->grow * (a.size + b.size) : a.size * (b.size + 1);
    bind_value(g, result(fresh(g), a.dtype, a.rank, a.dims, size),
               put2(g, row->text, a.name, b.name));
    return true;
}

// ---------------------------------------------------------------- comparison, choice, types
static const char *const comparisons[] = {"equal",   "not_equal",  "less",
                                          "greater", "less_equal", "greater_equal"};

static bool compare(Gen *g) {
    Value a = chance(g, 60) ? use_float(g) : use_int(g), b = broadcast_partner(g, &a);
    const char *op = comparisons[below(g, 6)];
    bind_value(g, result(fresh(g), MG_BOOL, a.rank, a.dims, 1),
               format(g, "%s(%s, %s)", op, a.name, b.name));
    return true;
}

static bool choose(Gen *g) {
    Value c = use_bool(g);
    MgDType dtype = chance(g, 70) ? float_type(g) : int_type(g);
    Value a = need(g, dtype, c.rank, c.dims), b = broadcast_partner(g, &a);
    bind_value(g, result(fresh(g), dtype, c.rank, c.dims, a.size + b.size),
               format(g, "where(%s, %s, %s)", c.name, a.name, b.name));
    return true;
}

static bool logic(Gen *g) {
    static const char *const ops[] = {"logical_and", "logical_or", "logical_xor"};
    Value a = use_bool(g), b = broadcast_partner(g, &a);
    const char *op = ops[below(g, 3)];
    bind_value(g, result(fresh(g), MG_BOOL, a.rank, a.dims, 1),
               chance(g, 20) ? format(g, "logical_not(%s)", a.name)
                             : format(g, "%s(%s, %s)", op, a.name, b.name));
    return true;
}

static bool cast(Gen *g) {
    bool from_float = chance(g, 60);
    Value x = from_float ? use_float(g) : chance(g, 80) ? use_int(g) : use_bool(g);
    MgDType to = chance(g, 50) ? float_type(g) : int_type(g);
    bool saturates = mg_is_int(to) && x.dtype != MG_BOOL && chance(g, 40);
    bind_value(
        g, result(fresh(g), to, x.rank, x.dims, from_float ? x.size : 1e9),
        format(g, "%s(%s, to = %s)", saturates ? "saturate" : "cast", x.name, mg_dtype(to)->name));
    return true;
}

static bool clip(Gen *g) {
    Value x = use_float(g), lo = need(g, x.dtype, 0, NULL);
    bind_value(g, result(fresh(g), x.dtype, x.rank, x.dims, x.size + 2),
               chance(g, 50) ? format(g, "clip(%s, %s)", x.name, lo.name)
                             : format(g, "clip(%s, %s, %s + 1)", x.name, lo.name, lo.name));
    return true;
}

// ---------------------------------------------------------------- reductions
typedef struct ReduceRow {
    const char *name;
    bool floats, ints;
    bool grows; // the result grows with the number of elements
} ReduceRow;
static const ReduceRow reduce_rows[] = {
    {"sum", true, true, true},           {"mean", true, false, false},
    {"max", true, true, false},          {"min", true, true, false},
    {"prod", false, true, false},        {"sum_square", true, true, true},
    {"norm1", true, true, true},         {"norm2", true, false, true},
    {"log_sum_exp", true, false, false}, {"variance", true, false, true}};

// Chooses axes. Writes them as a list into text, and returns the remaining dimensions.
static uint32_t choose_axes(Gen *g, const Value *x, bool keepdims, const char **text, Dim *dims,
                            double *reduced) {
    MgText out = mg_text(g->arena);
    uint32_t rank = 0, n = 0;
    *reduced = 1;
    uint32_t must = below(g, x->rank);
    for (uint32_t k = 0; k < x->rank; k++) {
        bool reduce = k == must || chance(g, 35);
        if (!reduce) {
            dims[rank++] = x->dims[k];
            continue;
        }
        *reduced *= (double)x->dims[k].n;
        int axis = chance(g, 30) ? (int)k - (int)x->rank : (int)k;
        mg_textf(&out, "%s%d", n++ ? ", " : "", axis);
        if (keepdims)
            dims[rank++] = number(g, 1);
    }
    *text = mg_text_str(&out);
    return rank;
}

bool reduce_axes(Gen *g) {
    bool floats = chance(g, 75);
    Value x = floats ? use_float(g) : use_int(g);
    if (x.rank == 0)
        return false;
    const ReduceRow *row;
    do
        row = &reduce_rows[below(g, sizeof reduce_rows / sizeof *reduce_rows)];
    while (!(floats ? row->floats : row->ints));
    bool keepdims = chance(g, 30);
    Dim dims[MAX_RANK];
    const char *axes;
    double n;
    uint32_t rank = choose_axes(g, &x, keepdims, &axes, dims, &n);
    double size = row->grows ? x.size * (x.size + 1) * (n + 1) : x.size + n;
    bind_value(g, result(fresh(g), x.dtype, rank, dims, size),
               format(g, "%s(%s, axes = [%s]%s)", row->name, x.name, axes,
                      keepdims ? ", keepdims = true" : ""));
    return true;
}

static bool reduce_bool(Gen *g) {
    static const char *const ops[] = {"any", "all", "count"};
    Value x = use_bool(g);
    Dim dims[MAX_RANK];
    const char *axes;
    double n;
    uint32_t rank = choose_axes(g, &x, false, &axes, dims, &n), op = below(g, 3);
    bind_value(g, result(fresh(g), op == 2 ? MG_I64 : MG_BOOL, rank, dims, 1),
               format(g, "%s(%s, axes = [%s])", ops[op], x.name, axes));
    return true;
}

static bool axis_op(Gen *g) { // same shape, along one axis
    static const char *const ops[] = {"softmax(%s, axis = %d)",
                                      "log_softmax(%s, axis = %d)",
                                      "hardmax(%s, axis = %d)",
                                      "cumsum(%s, axis = %d)",
                                      "cumsum(%s, axis = %d, exclusive = true)",
                                      "cumsum(%s, axis = %d, reverse = true)",
                                      "cumsum(%s, axis = %d, exclusive = true, reverse = true)",
                                      "cummax(%s, axis = %d)",
                                      "cummin(%s, axis = %d)",
                                      "normalize(%s, axis = %d, eps = 0.01)",
                                      "layer_norm(%s, axis = %d)",
                                      "rms_norm(%s, axis = %d, eps = 0.125)",
                                      "sort(%s, axis = %d)",
                                      "sort(%s, axis = %d, descending = true)",
                                      "roll(%s, axis = %d, shift = 2)"};
    Value x = use_ranked(g, 1, 4);
    uint32_t axis = below(g, x.rank), op = below(g, sizeof ops / sizeof *ops);
    if (op == 2 && x.dims[axis].n == 0)
        return false; // argmax of nothing
    int shown = chance(g, 40) ? (int)axis - (int)x.rank : (int)axis;
    double size = op < 3 ? 1 : x.size * (double)(x.dims[axis].n + 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    bind_value(g, result(fresh(g), x.dtype, x.rank, x.dims, size),
               format(g, ops[op], x.name, shown));
#pragma GCC diagnostic pop
    return true;
}

static bool arg_reduce(Gen *g) {
    Value x = chance(g, 60) ? use_float(g) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank), rank = 0;
    if (x.dims[axis].n == 0)
        return false;
    bool keepdims = chance(g, 30);
    Dim dims[MAX_RANK];
    for (uint32_t k = 0; k < x.rank; k++)
        if (k != axis)
            dims[rank++] = x.dims[k];
        else if (keepdims)
            dims[rank++] = number(g, 1);
    const char *op = chance(g, 50) ? "argmax" : "argmin";
    const char *last = chance(g, 25) ? ", select_last = true" : "";
    bind_value(g, result(fresh(g), MG_I64, rank, dims, 1e3),
               format(g, "%s(%s, axis = %u%s%s)", op, x.name, axis,
                      keepdims ? ", keepdims = true" : "", last));
    return true;
}

static bool top(Gen *g) {
    Value x = chance(g, 70) ? use_float(g) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank);
    if (x.dims[axis].n == 0)
        return false;
    const char *places = fresh(g), *values = fresh(g);
    if (chance(g, 40)) {
        bind_value(g, result(places, MG_I64, x.rank, x.dims, 1e3),
                   format(g, "argsort(%s, axis = %u%s)", x.name, axis,
                          chance(g, 50) ? ", descending = true" : ""));
        return true;
    }
    Dim k = number(g, between(g, 1, x.dims[axis].n));
    mg_textf(&g->body, "    %s, %s = topk(%s, k = %s, axis = %u%s)\n", values, places, x.name,
             k.text, axis, chance(g, 30) ? ", largest = false" : "");
    x.dims[axis] = k;
    keep(g, result(values, x.dtype, x.rank, x.dims, x.size));
    keep(g, result(places, MG_I64, x.rank, x.dims, 1e3));
    return true;
}

const StatementRow library_statements[] = {
    {unary, 18},       {binary, 14},   {compare, 4},     {choose, 5},      {logic, 2},
    {cast, 6},         {clip, 2},      {reduce_axes, 9}, {reduce_bool, 2}, {axis_op, 8},
    {arg_reduce, 3},   {top, 3},       {matmul, 6},      {conv, 6},        {pool, 4},
    {channel_norm, 3}, {transpose, 4}, {reshape, 3},     {join, 4},        {slice, 3},
    {pad, 3},          {rearrange, 5}, {gather, 5},      {one_hot, 1},     {0}};
