// Statements that call the standard library.
#include "tests/random/random_internal.h"

// ---------------------------------------------------------------- functions of one operand
// % is the operand; the result's size is at most `bound` if that is not 0, else grow * size + 1.
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
    // bare, on whatever comes: NaN where the domain ends
    {"log(%)", 0, 1},
    {"sqrt(%)", 0, 1},
    {"asin(%)", 2, 0},
    {"exp(%)", 1e9, 0},
    {"reciprocal(%)", 1e9, 0},
};

static const char *put(Gen *g, const char *text, const char *operand) {
    const char *at = strchr(text, '%');
    return format(g, "%.*s%s%s", (int)(at - text), text, operand, at + 1);
}

static bool unary(Gen *g) {
    Value x = use_float(g);
    const UnaryRow *row = &unary_rows[below(g, sizeof unary_rows / sizeof *unary_rows)];
    double size = row->bound ? row->bound : row->grow * x.size + 1;
    bind(g, result(fresh(g), x.dtype, x.rank, x.dims, size), put(g, row->text, x.name));
    return true;
}

// ---------------------------------------------------------------- broadcasting
// A shape that broadcasts into x's: leading dimensions left out, some of the others 1.
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
    const char *text; // a and b stand for the operands
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

static bool binary(Gen *g) {
    bool floats = chance(g, 75);
    Value a = floats ? use_float(g) : use_int(g), b = broadcast_partner(g, &a);
    const BinaryRow *row;
    do
        row = &binary_rows[below(g, sizeof binary_rows / sizeof *binary_rows)];
    while (!(floats ? row->floats : row->ints));
    double size = row->grow ? row->grow * (a.size + b.size) : a.size * (b.size + 1);
    bind(g, result(fresh(g), a.dtype, a.rank, a.dims, size), put2(g, row->text, a.name, b.name));
    return true;
}

// ---------------------------------------------------------------- comparison, choice, types
static const char *const comparisons[] = {"equal",   "not_equal",  "less",
                                          "greater", "less_equal", "greater_equal"};

static bool compare(Gen *g) {
    Value a = chance(g, 60) ? use_float(g) : use_int(g), b = broadcast_partner(g, &a);
    const char *op = comparisons[below(g, 6)];
    bind(g, result(fresh(g), MG_BOOL, a.rank, a.dims, 1),
         format(g, "%s(%s, %s)", op, a.name, b.name));
    return true;
}

static bool choose(Gen *g) {
    Value c = use_bool(g);
    MgDType dtype = chance(g, 70) ? float_type(g) : int_type(g);
    Value a = need(g, dtype, c.rank, c.dims), b = broadcast_partner(g, &a);
    bind(g, result(fresh(g), dtype, c.rank, c.dims, a.size + b.size),
         format(g, "where(%s, %s, %s)", c.name, a.name, b.name));
    return true;
}

static bool logic(Gen *g) {
    static const char *const ops[] = {"logical_and", "logical_or", "logical_xor"};
    Value a = use_bool(g), b = broadcast_partner(g, &a);
    const char *op = ops[below(g, 3)];
    bind(g, result(fresh(g), MG_BOOL, a.rank, a.dims, 1),
         chance(g, 20) ? format(g, "logical_not(%s)", a.name)
                       : format(g, "%s(%s, %s)", op, a.name, b.name));
    return true;
}

static bool cast(Gen *g) {
    bool from_float = chance(g, 60);
    Value x = from_float ? use_float(g) : chance(g, 80) ? use_int(g) : use_bool(g);
    MgDType to = chance(g, 50) ? float_type(g) : int_type(g);
    bool saturates = mg_is_int(to) && x.dtype != MG_BOOL && chance(g, 40);
    bind(g, result(fresh(g), to, x.rank, x.dims, from_float ? x.size : 1e9),
         format(g, "%s(%s, to = %s)", saturates ? "saturate" : "cast", x.name, mg_dtype(to)->name));
    return true;
}

static bool clip(Gen *g) {
    Value x = use_float(g), lo = need(g, x.dtype, 0, NULL);
    bind(g, result(fresh(g), x.dtype, x.rank, x.dims, x.size + 2),
         chance(g, 50) ? format(g, "clip(%s, %s)", x.name, lo.name)
                       : format(g, "clip(%s, %s, %s + 1)", x.name, lo.name, lo.name));
    return true;
}

// ---------------------------------------------------------------- reductions
typedef struct ReduceRow {
    const char *name;
    bool floats, ints;
    bool grows; // with the number of elements
} ReduceRow;
static const ReduceRow reduce_rows[] = {
    {"sum", true, true, true},           {"mean", true, false, false},
    {"max", true, true, false},          {"min", true, true, false},
    {"prod", false, true, false},        {"sum_square", true, true, true},
    {"norm1", true, true, true},         {"norm2", true, false, true},
    {"log_sum_exp", true, false, false}, {"variance", true, false, true}};

// Chooses axes; writes them as a list into text, and the kept dimensions.
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

static bool reduce(Gen *g) {
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
    bind(g, result(fresh(g), x.dtype, rank, dims, size),
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
    bind(g, result(fresh(g), op == 2 ? MG_I64 : MG_BOOL, rank, dims, 1),
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
    bind(g, result(fresh(g), x.dtype, x.rank, x.dims, size), format(g, ops[op], x.name, shown));
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
    bind(g, result(fresh(g), MG_I64, rank, dims, 1e3),
         format(g, "%s(%s, axis = %u%s%s)", op, x.name, axis, keepdims ? ", keepdims = true" : "",
                last));
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
        bind(g, result(places, MG_I64, x.rank, x.dims, 1e3),
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

// ---------------------------------------------------------------- contractions and windows
static bool matmul(Gen *g) {
    Value a = use_ranked(g, 2, 4);
    Dim k = a.dims[a.rank - 1], p = any_dim(g), dims[MAX_RANK];
    uint32_t batch = chance(g, 50) ? a.rank - 2 : 0;
    for (uint32_t i = 0; i < batch; i++)
        dims[i] = chance(g, 25) ? number(g, 1) : a.dims[i];
    dims[batch] = k;
    dims[batch + 1] = p;
    if (count(&a) * (size_t)p.n > 20000)
        return false;
    double size = a.size * 2 * (double)k.n;
    if (chance(g, 40)) {
        Value w = need(g, a.dtype, 2, (Dim[]){p, k}), b = need(g, a.dtype, 1, &p);
        Value y = result(fresh(g), a.dtype, a.rank, a.dims, size);
        y.dims[a.rank - 1] = p;
        bind(g, y,
             chance(g, 50) ? format(g, "linear(%s, %s, %s)", a.name, w.name, b.name)
                           : format(g, "linear(%s, %s)", a.name, w.name));
        return true;
    }
    Value b = need(g, a.dtype, batch + 2, dims),
          y = result(fresh(g), a.dtype, a.rank, a.dims, size * b.size);
    y.dims[a.rank - 1] = p;
    bind(g, y, format(g, "matmul(%s, %s)", a.name, b.name));
    return true;
}

typedef struct Window {
    uint32_t n; // spatial dimensions
    int64_t kernel[3], stride[3], dilation[3], pad[3], end[3], out[3];
    const char *kernels, *strides, *dilations, *pads, *ends;
    bool ceil;
} Window;

static const char *list(Gen *g, const int64_t *at, uint32_t n) {
    MgText out = mg_text(g->arena);
    for (uint32_t k = 0; k < n; k++)
        mg_textf(&out, "%s%lld", k ? ", " : "[", (long long)at[k]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

// A window over spatial dimensions x; false if there would be no result.
static bool make_window(Gen *g, const Dim *x, uint32_t n, bool can_ceil, Window *w) {
    *w = (Window){.n = n, .ceil = can_ceil && chance(g, 30)};
    for (uint32_t k = 0; k < n; k++) {
        w->kernel[k] = between(g, 1, 3);
        w->stride[k] = chance(g, 50) ? 1 : between(g, 1, 3);
        w->dilation[k] = chance(g, 75) ? 1 : 2;
        w->pad[k] = chance(g, 50) ? 0 : between(g, 0, w->kernel[k] - 1);
        w->end[k] = chance(g, 70) ? w->pad[k] : between(g, 0, w->kernel[k] - 1);
        int64_t room = x[k].n + w->pad[k] + w->end[k] - w->dilation[k] * (w->kernel[k] - 1) - 1;
        if (room < 0 || x[k].n == 0)
            return false;
        w->out[k] = room / w->stride[k] + 1;
        if (w->ceil) {
            int64_t up = (room + w->stride[k] - 1) / w->stride[k] + 1;
            int64_t most = (x[k].n + w->pad[k] + w->stride[k] - 1) / w->stride[k];
            w->out[k] = up < most ? up : most;
        }
    }
    w->kernels = list(g, w->kernel, n);
    w->strides = list(g, w->stride, n);
    w->dilations = list(g, w->dilation, n);
    w->pads = list(g, w->pad, n);
    w->ends = list(g, w->end, n);
    return true;
}

// [N, C, ..X] whose spatial dimensions are numbers, so that results have sizes known here.
static Value image(Gen *g, uint32_t spatial, uint32_t groups, int64_t channels) {
    Dim dims[MAX_RANK];
    dims[0] = chance(g, 70) ? number(g, between(g, 1, 2)) : any_dim(g);
    if (dims[0].n > 4)
        dims[0] = number(g, 2);
    dims[1] = number(g, groups * channels);
    for (uint32_t k = 0; k < spatial; k++)
        dims[2 + k] = number(g, between(g, 3, spatial == 1 ? 17 : spatial == 2 ? 8 : 4));
    return need(g, float_type(g), 2 + spatial, dims);
}

static bool conv(Gen *g) {
    uint32_t spatial = (uint32_t)between(g, 1, 3), groups = chance(g, 70) ? 1 : 1 + below(g, 3);
    int64_t c = between(g, 1, 3), m = between(g, 1, 4);
    Value x = image(g, spatial, groups, c);
    Window w;
    if (!make_window(g, x.dims + 2, spatial, false, &w))
        return false;
    bool transposed = chance(g, 30);
    Dim dims[MAX_RANK] = {number(g, groups * (transposed ? c : m)), number(g, transposed ? m : c)};
    Value y = x;
    y.name = fresh(g);
    y.dims[1] = number(g, groups * m);
    for (uint32_t k = 0; k < spatial; k++) {
        dims[2 + k] = number(g, w.kernel[k]);
        int64_t full = (x.dims[2 + k].n - 1) * w.stride[k] + w.dilation[k] * (w.kernel[k] - 1) + 1 -
                       w.pad[k] - w.end[k];
        if (transposed && full < 1)
            return false;
        y.dims[2 + k] = number(g, transposed ? full : w.out[k]);
    }
    if (count(&y) > MAX_ELEMENTS)
        return false;
    Value weight = need(g, x.dtype, 2 + spatial, dims), bias = need(g, x.dtype, 1, &y.dims[1]);
    y.size = x.size * weight.size * 27;
    y.uses = 0;
    y.is_input = false;
    bool biased = chance(g, 60);
    bind(g, y,
         format(g,
                "%s(%s, %s%s%s, stride = %s, dilation = %s, pad = %s, pad_end = %s, groups = %u)",
                transposed ? "conv_transpose" : "conv", x.name, weight.name, biased ? ", " : "",
                biased ? bias.name : "", w.strides, w.dilations, w.pads, w.ends, groups));
    return true;
}

static bool pool(Gen *g) {
    uint32_t spatial = (uint32_t)between(g, 1, 3);
    Value x = image(g, spatial, 1, between(g, 1, 4));
    Window w;
    if (!make_window(g, x.dims + 2, spatial, true, &w))
        return false;
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    for (uint32_t k = 0; k < spatial; k++)
        y.dims[2 + k] = number(g, w.out[k]);
    bool average = chance(g, 50);
    bind(g, y,
         format(g, "%s(%s, kernel = %s, stride = %s, dilation = %s, pad = %s, pad_end = %s%s%s)",
                average ? "avg_pool" : "max_pool", x.name, w.kernels, w.strides, w.dilations,
                w.pads, w.ends, w.ceil ? ", ceil_mode = true" : "",
                average && chance(g, 50) ? ", count_pad = true" : ""));
    return true;
}

static bool channel_norm(Gen *g) {
    uint32_t groups = 1 + below(g, 3), spatial = (uint32_t)between(g, 1, 2);
    Value x = image(g, spatial, groups, between(g, 1, 3));
    Value w = need(g, x.dtype, 1, &x.dims[1]), b = need(g, x.dtype, 1, &x.dims[1]);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, 20);
    switch (below(g, 4)) {
    case 0:
        bind(g, y,
             format(g, "group_norm(%s, %s, %s, groups = %u, eps = 0.01)", x.name, w.name, b.name,
                    groups));
        break;
    case 1:
        bind(g, y, format(g, "instance_norm(%s, %s, %s, eps = 0.01)", x.name, w.name, b.name));
        break;
    case 2:
        bind(g, y, format(g, "batch_norm(%s, %s, abs(%s), eps = 0.01)", x.name, w.name, b.name));
        break;
    default:
        bind(g, y, format(g, "lrn(%s, span = %u)", x.name, 1 + below(g, 4)));
    }
    return true;
}

// ---------------------------------------------------------------- movement
static bool transpose(Gen *g) {
    Value x = chance(g, 75) ? use_float(g) : use_int(g), y = x;
    uint32_t perm[MAX_RANK];
    int64_t shown[MAX_RANK];
    permute(g, perm, x.rank);
    for (uint32_t k = 0; k < x.rank; k++) {
        y.dims[k] = x.dims[perm[k]];
        shown[k] = perm[k];
    }
    if (x.rank == 0)
        return false;
    bind(g, result(fresh(g), x.dtype, x.rank, y.dims, x.size),
         format(g, "transpose(%s, perm = %s)", x.name, list(g, shown, x.rank)));
    return true;
}

static bool reshape(Gen *g) {
    Value x = use_ranked(g, 1, 4);
    if (count(&x) == 0)
        return false;
    // neighbours merge, so that the sizes may be names
    uint32_t at = below(g, x.rank), rank = 0;
    Dim dims[MAX_RANK];
    MgText shape = mg_text(g->arena);
    for (uint32_t k = 0; k < x.rank; k++) {
        Dim d = x.dims[k];
        if (k == at && k + 1 < x.rank) {
            d = (Dim){d.n * x.dims[k + 1].n, format(g, "%s * (%s)", d.text, x.dims[k + 1].text)};
            if (x.dims[k].text[0] >= '0' && x.dims[k].text[0] <= '9' &&
                x.dims[k + 1].text[0] >= '0' && x.dims[k + 1].text[0] <= '9')
                d = number(g, d.n);
            k++;
        }
        mg_textf(&shape, "%s%s", rank ? ", " : "", d.text);
        dims[rank++] = d;
    }
    if (chance(g, 50) && rank < MAX_RANK) {
        dims[rank++] = number(g, 1);
        mg_text_add(&shape, ", 1");
    }
    bind(g, result(fresh(g), x.dtype, rank, dims, x.size),
         format(g, "reshape(%s, shape = [%s])", x.name, mg_text_str(&shape)));
    return true;
}

static bool is_number(Dim d) {
    return d.text[0] >= '0' && d.text[0] <= '9' && strspn(d.text, "0123456789") == strlen(d.text);
}

static Dim plus(Gen *g, Dim a, Dim b) {
    return is_number(a) && is_number(b) ? number(g, a.n + b.n)
                                        : (Dim){a.n + b.n, format(g, "(%s + %s)", a.text, b.text)};
}

static bool join(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 4) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank), n = 2 + below(g, 2);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    MgText text = mg_text(g->arena);
    mg_textf(&text, "concat(%s", x.name);
    for (uint32_t k = 1; k < n; k++) {
        Value other = x;
        other.dims[axis] = any_dim(g);
        if (count(&other) > 400)
            other.dims[axis] = number(g, 1);
        other = need(g, x.dtype, x.rank, other.dims);
        y.dims[axis] = plus(g, y.dims[axis], other.dims[axis]);
        y.size = y.size > other.size ? y.size : other.size;
        mg_textf(&text, ", %s", other.name);
    }
    if (count(&y) > MAX_ELEMENTS || count(&y) == 0)
        return false;
    mg_textf(&text, ", axis = %u)", axis);
    bind(g, y, mg_text_str(&text));
    return true;
}

static bool slice(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 4) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank);
    if (!is_number(x.dims[axis]) || x.dims[axis].n == 0)
        return false;
    int64_t n = x.dims[axis].n, low = between(g, 0, n - 1), high = between(g, low, n);
    int64_t step = between(g, 1, 3);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    y.dims[axis] = number(g, (high - low + step - 1) / step);
    if (chance(g, 30)) {
        // backwards from the last element
        y.dims[axis] = number(g, (n + step - 1) / step);
        bind(g, y, format(g, "slice(%s, axis = %u, step = %lld)", x.name, axis, (long long)-step));
        return true;
    }
    bind(g, y,
         format(g, "slice(%s, axis = %u, start = %lld, stop = %lld, step = %lld)", x.name, axis,
                (long long)low, (long long)high, (long long)step));
    return true;
}

static bool pad(Gen *g) {
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    Value x = use_ranked(g, 1, 3), y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    uint32_t mode = below(g, 4);
    int64_t before[MAX_RANK], after[MAX_RANK];
    for (uint32_t k = 0; k < x.rank; k++) {
        if (mode && x.dims[k].n == 0)
            return false;
        int64_t most = mode == 1 && x.dims[k].n < 3 ? x.dims[k].n - 1 : 2;
        before[k] = between(g, 0, most);
        after[k] = between(g, 0, most);
        y.dims[k] = plus(g, x.dims[k], number(g, before[k] + after[k]));
    }
    if (count(&y) > MAX_ELEMENTS)
        return false;
    bind(g, y,
         format(g, "pad(%s, before = %s, after = %s, mode = \"%s\")", x.name,
                list(g, before, x.rank), list(g, after, x.rank), modes[mode]));
    return true;
}

static bool rearrange(Gen *g) { // flip, tile, repeat, stack, unsqueeze, select, trilu
    Value x = use_ranked(g, 1, 3), y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    uint32_t axis = below(g, x.rank);
    Dim *d = &y.dims[axis];
    switch (below(g, 7)) {
    case 0:
        bind(g, y, format(g, "flip(%s, axes = [%u])", x.name, axis));
        return true;
    case 1:
        *d = is_number(*d) ? number(g, d->n * 2) : (Dim){d->n * 2, format(g, "(%s * 2)", d->text)};
        bind(g, y, format(g, "repeat(%s, times = 2, axis = %u)", x.name, axis));
        return true;
    case 2: {
        int64_t times[MAX_RANK] = {1, 1, 1, 1, 1};
        times[axis] = 2;
        *d = is_number(*d) ? number(g, d->n * 2) : (Dim){d->n * 2, format(g, "(%s * 2)", d->text)};
        bind(g, y, format(g, "tile(%s, times = %s)", x.name, list(g, times, x.rank)));
        return true;
    }
    case 3: {
        Value b = need(g, x.dtype, x.rank, x.dims);
        for (uint32_t k = x.rank; k > axis; k--)
            y.dims[k] = y.dims[k - 1];
        y.dims[axis] = number(g, 2);
        y.rank++;
        bind(g, y, format(g, "stack(%s, %s, axis = %u)", x.name, b.name, axis));
        return true;
    }
    case 4:
        for (uint32_t k = x.rank; k > axis; k--)
            y.dims[k] = y.dims[k - 1];
        y.dims[axis] = number(g, 1);
        y.rank++;
        bind(g, y, format(g, "unsqueeze(%s, axes = [%u])", x.name, axis));
        return true;
    case 5:
        if (d->n == 0)
            return false;
        for (uint32_t k = axis; k + 1 < x.rank; k++)
            y.dims[k] = y.dims[k + 1];
        y.rank--;
        bind(g, y,
             format(g, "select(%s, index = %lld, axis = %u)", x.name,
                    (long long)(is_number(x.dims[axis]) ? between(g, 0, x.dims[axis].n - 1) : 0),
                    axis));
        return true;
    default:
        if (x.rank < 2)
            return false;
        bind(g, y,
             format(g, "trilu(%s, k = %lld, upper = %s)", x.name, (long long)between(g, -1, 1),
                    chance(g, 50) ? "true" : "false"));
        return true;
    }
}

// ---------------------------------------------------------------- gather and scatter
static bool gather(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 3) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank);
    int64_t n = x.dims[axis].n;
    if (n == 0)
        return false;
    MgDType type = chance(g, 60) || n > 100 ? MG_I64 : chance(g, 50) ? MG_I32 : MG_I8;
    Dim dims[MAX_RANK];
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    if (chance(g, 50)) { // gather_elements and scatter_elements: as many places in each slice
        memcpy(dims, x.dims, sizeof dims);
        dims[axis] = number(g, between(g, 1, 4));
        Value ids = new_input(g, type, x.rank, dims, DRAW_BELOW, n);
        if (chance(g, 50)) {
            y.dims[axis] = dims[axis];
            bind(g, y, format(g, "gather_elements(%s, %s, axis = %u)", x.name, ids.name, axis));
            return true;
        }
        static const char *const reductions[] = {"none", "add", "mul", "max", "min"};
        Value u = need(g, x.dtype, x.rank, dims);
        y.size = (x.size + u.size) * 8;
        bind(g, y,
             format(g, "scatter_elements(%s, %s, %s, axis = %u, reduction = \"%s\")", x.name,
                    ids.name, u.name, axis, reductions[below(g, 5)]));
        return true;
    }
    uint32_t rank = 1 + below(g, 2);
    if (x.rank - 1 + rank > MAX_RANK)
        return false;
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = number(g, between(g, 1, 4));
    Value ids = new_input(g, type, rank, dims, DRAW_BELOW, n);
    y.rank = 0;
    for (uint32_t k = 0; k < x.rank; k++) {
        if (k != axis)
            y.dims[y.rank++] = x.dims[k];
        for (uint32_t j = 0; k == axis && j < rank; j++)
            y.dims[y.rank++] = dims[j];
    }
    if (count(&y) > MAX_ELEMENTS)
        return false;
    bind(g, y, format(g, "gather(%s, %s, axis = %u)", x.name, ids.name, axis));
    return true;
}

static bool one_hot(Gen *g) {
    Dim d = any_dim(g), dims[2] = {d, number(g, between(g, 1, 6))};
    Value ids = new_input(g, int_type(g), 1, &d, DRAW_ANY, 0);
    MgDType type = float_type(g);
    Value off = need(g, type, 0, NULL), on = need(g, type, 0, NULL);
    bind(g, result(fresh(g), type, 2, dims, 2),
         format(g, "one_hot(%s, %s, %s, depth = %s)", ids.name, off.name, on.name, dims[1].text));
    return true;
}

const StatementRow library_statements[] = {
    {unary, 18},       {binary, 14},   {compare, 4}, {choose, 5},      {logic, 2},
    {cast, 6},         {clip, 2},      {reduce, 9},  {reduce_bool, 2}, {axis_op, 8},
    {arg_reduce, 3},   {top, 3},       {matmul, 6},  {conv, 6},        {pool, 4},
    {channel_norm, 3}, {transpose, 4}, {reshape, 3}, {join, 4},        {slice, 3},
    {pad, 3},          {rearrange, 5}, {gather, 5},  {one_hot, 1},     {0}};
