// Layers of networks of rows, at sizes that the schedules of products, attention, long rows and
// columns take, open sizes included. They have the forms of the statements of small values, but
// they fill tiles, vectors, blocks and parts, or are slightly too small for them.
#include "tests/random/random_internal.h"

#include <math.h>

enum { WORK = 400000 }; // the most products of one layer

static const int64_t row_counts[] = {1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 33, 48, 64, 70};
static const int64_t widths[] = {1,  2,  3,  8,  10, 15,  16,  17,  30,  31,
                                 48, 50, 64, 70, 96, 100, 128, 150, 257, 300};

static int64_t some_rows(Gen *g) {
    return row_counts[below(g, sizeof row_counts / sizeof *row_counts)];
}

static int64_t some_width(Gen *g) {
    return widths[below(g, sizeof widths / sizeof *widths)];
}

static const char *let(Gen *g, const char *text) {
    const char *name = fresh(g);
    mg_textf(&g->body, "    %s = %s\n", name, text);
    return name;
}

// [a, b], constant or an input
static const char *matrix(Gen *g, MgDType type, int64_t a, int64_t b) {
    if (chance(g, 60))
        return constant(g, mg_dtype(type)->name, 2, (int64_t[]){a, b});
    return need(g, type, 2, (Dim[]){number(g, a), number(g, b)}).name;
}

static const char *vector(Gen *g, MgDType type, int64_t n) {
    if (chance(g, 60))
        return constant(g, mg_dtype(type)->name, 1, &n);
    Dim dim = number(g, n);
    return need(g, type, 1, &dim).name;
}

// ---------------------------------------------------------------- products
static const char *const row_steps[] = {
    "relu(%)",        "tanh(%)",       "gelu(%)",
    "silu(%)",        "softsign(%)",   "softmax(%)",
    "log_softmax(%)", "layer_norm(%)", "rms_norm(%, eps = 0.01)",
    "hard_swish(%)"};

// Linear layers one after another, each with the ops that follow it.
static bool linear_layers(Gen *g) {
    MgDType type = chance(g, 75) ? MG_F32 : float_type(g);
    bool batched = chance(g, 20);
    Dim dims[3] = {number(g, between(g, 1, 3))};
    Dim *rows = &dims[batched], *width = rows + 1;
    uint32_t rank = 2 + batched;
    *rows = open_or(g, 2, some_rows(g));
    *width = number(g, some_width(g));
    Value x = need(g, type, rank, dims);
    const char *y = x.name;
    double size = x.size;
    for (int64_t layers = between(g, 1, 4); layers > 0; layers--) {
        int64_t k = width->n, out = some_width(g), n = (batched ? dims[0].n : 1) * rows->n;
        if (n * k * out > WORK || k * out > WORK / 10)
            out = between(g, 1, 16);
        const char *w = matrix(g, type, out, k),
                   *bias = chance(g, 60) ? format(g, ", %s", vector(g, type, out)) : "";
        const char *from = y;
        y = let(g, format(g, "linear(%s, %s%s)", y, w, bias));
        size = 3 * size * sqrt((double)k) + 2;
        *width = number(g, out);
        if (size > size_limit(type) || chance(g, 60)) {
            bool rounds = size > size_limit(type); // keeps the values small
            y = let(g, put(g, row_steps[rounds ? 4 : below(g, 10)], y));
            size = rounds ? 1 : size + 8;
        }
        if (out == k && chance(g, 60)) {
            y = let(g, format(g, "%s + %s", y, from));
            size += 10;
        }
    }
    bind_value(g, result(fresh(g), type, rank, dims, size), format(g, "identity(%s)", y));
    return true;
}

// A product of matrices or vectors, batched or not, with either operand transposed.
static bool product(Gen *g) {
    MgDType type = chance(g, 75) ? MG_F32 : float_type(g);
    int64_t batch = chance(g, 60) ? 1 : between(g, 2, 5);
    Dim m = open_or(g, 2, some_rows(g)), k = number(g, some_width(g)), n = number(g, some_width(g));
    static const int64_t far[] = {513, 600, 1000, 1537, 2100, 4000};
    uint32_t shape = below(g, 6); // deeper than a block, wider than one, or neither
    if (shape == 0)
        k = number(g, far[below(g, 6)]), n = number(g, between(g, 1, 40));
    else if (shape == 1)
        n = number(g, far[below(g, 6)]), k = number(g, between(g, 1, 20));
    if (shape < 2 && batch * m.n * k.n * n.n > WORK)
        batch = 1, m = number(g, between(g, 1, 6));
    while (batch * m.n * k.n * n.n > WORK || batch * n.n * k.n > 2 * LARGE)
        k.n > n.n ? (k = number(g, (k.n + 2) / 3)) : (n = number(g, (n.n + 2) / 3));
    bool turn_a = chance(g, 30), turn_b = chance(g, 30), shared = chance(g, 40);
    uint32_t rank = 2 + (batch > 1), b_rank = shared ? 2 : rank;
    Dim b = number(g, batch), a_dims[] = {b, turn_a ? k : m, turn_a ? m : k},
        b_dims[] = {b, turn_b ? n : k, turn_b ? k : n}, y_dims[] = {b, m, n};
    Value x = need(g, type, rank, a_dims + 3 - rank),
          w = need(g, type, b_rank, b_dims + 3 - b_rank);
    const char *turned[] = {"[1, 0]", "[0, 2, 1]"};
    const char *l =
        turn_a ? let(g, format(g, "transpose(%s, perm = %s)", x.name, turned[rank - 2])) : x.name;
    const char *r =
        turn_b ? let(g, format(g, "transpose(%s, perm = %s)", w.name, turned[b_rank - 2])) : w.name;
    const char *y = let(g, format(g, "matmul(%s, %s)", l, r));
    double size = 3 * x.size * w.size * sqrt((double)k.n) + 2;
    if (chance(g, 40))
        y = let(g, put(g, row_steps[below(g, 5)], y));
    bind_value(g, result(fresh(g), type, rank, y_dims + 3 - rank, size),
               chance(g, 50)
                   ? format(g, "%s * 0.5", y)
                   : format(g, "%s + %s", y, need(g, type, rank, y_dims + 3 - rank).name));
    return true;
}

// ---------------------------------------------------------------- attention
static bool attend(Gen *g) {
    MgDType type = chance(g, 80) ? MG_F32 : float_type(g);
    static const int64_t depths[] = {4, 8, 12, 16, 24, 32, 40, 64};
    int64_t batch = between(g, 1, 2), heads = between(g, 1, 3), group = chance(g, 75) ? 1 : 2;
    int64_t depth = depths[below(g, 8)];
    Dim s = open_or(g, 2, some_rows(g)), l = chance(g, 40) ? s : number(g, between(g, 1, 300));
    if (batch * heads * group * s.n * l.n * depth > WORK) {
        batch = heads = group = 1;
        if (s.n * l.n * depth > WORK)
            l = s;
    }
    bool causal = l.n >= s.n && chance(g, 40) && (is_number(s) || strcmp(s.text, l.text) == 0);
    Dim b = number(g, batch), h = number(g, heads), e = number(g, depth),
        hs = number(g, heads * group);
    Dim q_dims[] = {b, hs, s, e}, k_dims[] = {b, h, l, e};
    Value q = need(g, type, 4, q_dims), k = need(g, type, 4, k_dims), v = need(g, type, 4, k_dims);
    const char *mask = "", *y;
    if (chance(g, 30))
        mask = format(g, ", %s", need(g, type, 2, (Dim[]){s, l}).name);
    if (chance(g, 75)) {
        y = let(g, format(g, "attention(%s, %s, %s%s%s)", q.name, k.name, v.name, mask,
                          causal ? ", causal = true" : ""));
    } else { // an op changes the scores first
        const char *p =
            let(g, format(g, "soft_cap(attention_scores(%s, %s), cap = 3)", q.name, k.name));
        if (causal)
            p = let(g, format(g, "causal_mask(%s)", p));
        y = let(g, format(g, "attend_values(softmax(%s), %s)", p, v.name));
    }
    if (chance(g, 50)) {
        bind_value(g, result(fresh(g), type, 4, q_dims, v.size + 2),
                   chance(g, 50) ? format(g, "%s + %s", y, q.name) : format(g, "relu(%s)", y));
        return true;
    }
    Dim y_dims[] = {b, s, number(g, heads * group * depth)};
    y = let(g, format(g, "merge_heads(%s)", y));
    if (y_dims[2].n <= 64 && chance(g, 60)) {
        y = let(g, format(g, "linear(%s, %s, %s)", y, matrix(g, type, y_dims[2].n, y_dims[2].n),
                          vector(g, type, y_dims[2].n)));
        v.size *= 3 * sqrt((double)y_dims[2].n);
    }
    bind_value(g, result(fresh(g), type, 3, y_dims, v.size + 2),
               format(g, "%s + %s", y, need(g, type, 3, y_dims).name));
    return true;
}

// ---------------------------------------------------------------- rows and columns, short and long
// A tensor whose axis `axis` is long or short. The other axes make it as large as allowed.
static Value long_axis(Gen *g, uint32_t *axis) {
    static const int64_t lengths[] = {1,   4,   5,   16,  31,   33,   64,
                                      100, 128, 257, 500, 1000, 1024, 5000};
    int64_t n = lengths[below(g, 14)], others = LARGE / 2 / n;
    uint32_t rank = 2 + below(g, 2);
    *axis = chance(g, 60) ? rank - 1 : below(g, rank);
    Dim dims[3];
    for (uint32_t k = 0; k < rank; k++) {
        dims[k] = k == *axis ? number(g, n) : open_or(g, 2, k ? between(g, 1, 9) : some_rows(g));
        if (k != *axis && dims[k].n > others)
            dims[k] = number(g, others < 1 ? 1 : others < 3 ? others : 3);
        others /= k == *axis ? 1 : dims[k].n;
    }
    return need(g, chance(g, 75) ? MG_F32 : float_type(g), rank, dims);
}

static bool row_op(Gen *g) {
    static const char *const ops[] = {"softmax",    "log_softmax", "normalize",
                                      "layer_norm", "rms_norm",    "cumsum",
                                      "cummax",     "hardmax",     "sort"};
    static const char *const before[] = {"%", "%", "% * 0.5 + 1", "gelu(%)", "abs(%)"};
    static const char *const after[] = {"identity(%)", "% * 2", "tanh(%)", "relu(% - 0.25)"};
    uint32_t axis, op = below(g, 9);
    Value x = long_axis(g, &axis);
    if ((op == 5 || op == 6) && x.dims[axis].n > 1024) // the interpreter computes it by the
                                                       // definition
        return false;
    const char *y =
        let(g, format(g, "%s(%s, axis = %u)", ops[op], put(g, before[below(g, 5)], x.name), axis));
    bind_value(g,
               result(fresh(g), x.dtype, x.rank, x.dims,
                      op == 5 ? 3 * x.size * (double)x.dims[axis].n : 2 * x.size + 40),
               put(g, after[below(g, 4)], y));
    return true;
}

static bool row_reduction(Gen *g) {
    static const char *const ops[] = {"sum",   "mean",        "max",      "min",    "norm1",
                                      "norm2", "log_sum_exp", "variance", "argmax", "argmin"};
    static const char *const before[] = {"%", "%", "% * 0.5 + 1", "sigmoid(%)", "square(%)"};
    uint32_t axis, op = below(g, 10), rank = 0;
    Value x = long_axis(g, &axis);
    Dim dims[3];
    for (uint32_t k = 0; k < x.rank; k++)
        if (k != axis)
            dims[rank++] = x.dims[k];
    bool all = op < 8 && chance(g, 15); // reduce all axes
    double size = op < 8 ? (x.size * x.size + 2) * (double)x.dims[axis].n : 1e3;
    bind_value(
        g, result(fresh(g), op < 8 ? x.dtype : MG_I64, all ? 0 : rank, dims, all ? 1e9 : size),
        all ? format(g, "%s(%s)", ops[op], put(g, before[below(g, 5)], x.name))
        : op < 8
            ? format(g, "%s(%s, axes = [%u])", ops[op], put(g, before[below(g, 5)], x.name), axis)
            : format(g, "%s(%s, axis = %u)", ops[op], put(g, before[below(g, 5)], x.name), axis));
    return true;
}

// ---------------------------------------------------------------- rows shared among workers
// Rows so long that workers share their parts, and sums over as many columns.
static bool long_rows(Gen *g) {
    static const char *const ops[] = {"softmax(%, axis = 1)", "log_softmax(%, axis = 1)",
                                      "layer_norm(%, axis = 1)", "rms_norm(%, axis = 1)",
                                      "normalize(%, axis = 1)"};
    static const char *const sums[] = {"sum(%, axes = [1])",         "max(%, axes = [1])",
                                       "variance(%, axes = [1])",    "mean(relu(%), axes = [1])",
                                       "log_sum_exp(%, axes = [1])", "norm2(%, axes = [1])",
                                       "min(% * 2, axes = [1])"};
    Dim dims[] = {number(g, between(g, 1, 2)), number(g, (1 << 16) + between(g, 0, 3000))};
    Value x = new_input(g, chance(g, 80) ? MG_F32 : float_type(g), 2, dims, DRAW_ANY, 0);
    if (chance(g, 50))
        bind_value(g, result(fresh(g), x.dtype, 2, dims, 1e5), put(g, ops[below(g, 5)], x.name));
    else if (chance(g, 80))
        bind_value(g, result(fresh(g), x.dtype, 1, dims, 1e5), put(g, sums[below(g, 7)], x.name));
    else
        bind_value(g, result(fresh(g), MG_I64, 1, dims, 1e5),
                   put(g, "argmax(%, axis = 1)", x.name));
    return true;
}

static bool long_columns(Gen *g) {
    static const char *const sums[] = {"sum(%, axes = [0])",   "max(%, axes = [0])",
                                       "mean(%, axes = [0])",  "min(abs(%), axes = [0])",
                                       "norm1(%, axes = [0])", "norm2(%, axes = [0])"};
    Dim dims[] = {open_or(g, 2, between(g, 16, 80)), number(g, between(g, 256, 1500))};
    if (dims[0].n * dims[1].n < 1 << 15)
        dims[1] = number(g, (1 << 15) / dims[0].n + between(g, 1, 20));
    Value x = new_input(g, chance(g, 80) ? MG_F32 : float_type(g), 2, dims, DRAW_ANY, 0);
    uint32_t kind = below(g, 4);
    if (kind == 0)
        bind_value(g, result(fresh(g), MG_I64, 1, dims + 1, 1e5),
                   put(g, chance(g, 50) ? "argmax(%, axis = 0)" : "argmin(%, axis = 0)", x.name));
    else if (kind == 1) // a vector times a matrix
        bind_value(g, result(fresh(g), x.dtype, 1, dims + 1, 1e5),
                   format(g, "matvec(transpose(%s, perm = [1, 0]), %s)", x.name,
                          need(g, x.dtype, 1, dims).name));
    else
        bind_value(g, result(fresh(g), x.dtype, 1, dims + 1, 1e5),
                   put(g, sums[below(g, 6)], x.name));
    return true;
}

// ---------------------------------------------------------------- moves
static bool move_rows(Gen *g) {
    Dim rows = open_or(g, 2, some_rows(g)), width = number(g, some_width(g)),
        dims[] = {rows, width};
    MgDType type = chance(g, 60) ? MG_F32 : float_type(g);
    Value x = need(g, type, 2, dims);
    Dim n = number(g, between(g, 1, 60));
    switch (below(g, 5)) {
    case 0: // across, into rows of another width
        dims[0] = width, dims[1] = rows;
        bind_value(g, result(fresh(g), type, 2, dims, x.size + 1),
                   chance(g, 50) ? format(g, "transpose(%s, perm = [1, 0])", x.name)
                                 : format(g, "transpose(%s, perm = [1, 0]) * 2 + 1", x.name));
        return true;
    case 1: { // rows that data choose
        Value ids = new_input(g, chance(g, 70) ? MG_I64 : MG_I32, 1, &n, DRAW_BELOW, rows.n);
        dims[0] = n;
        bind_value(
            g, result(fresh(g), type, 2, dims, x.size + 1),
            format(g, chance(g, 50) ? "gather(%s, %s, axis = 0)" : "relu(gather(%s, %s, axis = 0))",
                   x.name, ids.name));
        return true;
    }
    case 2: { // elements of rows
        Value ids = new_input(g, MG_I64, 1, &n, DRAW_BELOW, width.n);
        dims[1] = n;
        bind_value(g, result(fresh(g), type, 2, dims, x.size),
                   format(g, "gather(%s, %s, axis = 1)", x.name, ids.name));
        return true;
    }
    case 3: { // rows added at places that data choose
        Dim u_dims[] = {n, width};
        Value ids = new_input(g, MG_I64, 2, u_dims, DRAW_BELOW, rows.n),
              u = need(g, type, 2, u_dims);
        bind_value(g, result(fresh(g), type, 2, dims, x.size + u.size * (double)n.n),
                   format(g, "scatter_elements(%s, %s, %s, axis = 0, reduction = \"add\")", x.name,
                          ids.name, u.name));
        return true;
    }
    default: // beside another, padded
        dims[1] = number(g, width.n + n.n + 3);
        bind_value(g, result(fresh(g), type, 2, dims, x.size),
                   format(g, "pad(concat(%s, %s, axis = 1), before = [0, 1], after = [0, 2])",
                          x.name, need(g, type, 2, (Dim[]){rows, n}).name));
        return true;
    }
}

const StatementRow row_statements[] = {
    {linear_layers, 5}, {product, 4},      {attend, 4},    {row_op, 4},   {row_reduction, 3},
    {long_rows, 2},     {long_columns, 1}, {move_rows, 3}, {siblings, 1}, {0}};
