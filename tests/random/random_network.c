// Statements of several equations, as in real networks: attention, recurrence, gates, indices of
// rank two.
#include "tests/random/random_internal.h"

static bool attention(Gen *g) {
    int64_t batch = between(g, 1, 2), heads = between(g, 1, 2), group = between(g, 1, 2);
    int64_t depth = between(g, 1, 9), width = between(g, 1, 5);
    Dim queries = number(g, chance(g, 50) ? between(g, 12, 20) : between(g, 1, 6));
    bool square = chance(g, 50), causal = chance(g, 40), masked = chance(g, 30);
    Dim keys = square || causal ? queries : any_dim(g);
    if (keys.n == 0)
        return false;
    MgDType type = float_type(g);
    Dim q_dims[] = {number(g, batch), number(g, heads * group), queries, number(g, depth)};
    Dim k_dims[] = {q_dims[0], number(g, heads), keys, q_dims[3]};
    Dim v_dims[] = {q_dims[0], k_dims[1], keys, number(g, width)};
    Dim y_dims[] = {q_dims[0], q_dims[1], queries, v_dims[3]};
    Value q = need(g, type, 4, q_dims), k = need(g, type, 4, k_dims), v = need(g, type, 4, v_dims);
    const char *mask = "";
    if (masked) {
        Value m = need(g, type, 2, (Dim[]){queries, keys});
        mask = format(g, ", %s", m.name);
    }
    Value y = result(fresh(g), type, 4, y_dims, v.size);
    bind_value(g, y,
               format(g, "attention(%s, %s, %s%s%s)", q.name, k.name, v.name, mask,
                      causal ? ", causal = true" : ""));
    if (!chance(g, 60))
        return true;
    static const char *const behind[] = {"add(%s, relu(%s))", "add(sigmoid(%s), %s)",
                                         "sub(%s, tanh(%s))"};
    Value x = need(g, type, 4, y_dims);
    bind_value(g, result(fresh(g), type, 4, y_dims, y.size + x.size + 1),
               format(g, behind[below(g, 3)], y.name, x.name));
    return true;
}

// A product with few columns, and the ops that follow it row by row.
static bool narrow_layer(Gen *g) {
    static const char *const ends[] = {"softmax(relu(linear(%s, %s)))", "softmax(linear(%s, %s))",
                                       "log_softmax(linear(%s, %s))"};
    Dim rows = chance(g, 40) ? any_dim(g) : number(g, between(g, 1, 20));
    Dim inputs = number(g, between(g, 1, 60)), columns = number(g, between(g, 1, 18));
    MgDType type = float_type(g);
    Value x = need(g, type, 2, (Dim[]){rows, inputs});
    Value w = need(g, type, 2, (Dim[]){columns, inputs});
    uint32_t end = below(g, 3);
    bind_value(g, result(fresh(g), type, 2, (Dim[]){rows, columns}, 20),
               format(g, ends[end], x.name, w.name));
    return true;
}

static bool recurrence(Gen *g) {
    static const char *const cells[] = {"lstm", "gru", "rnn"};
    static const int64_t gates[] = {4, 3, 1};
    uint32_t cell = below(g, 3);
    int64_t hidden = between(g, 1, 5), in = between(g, 1, 6);
    Dim steps = any_dim(g), batch = number(g, between(g, 1, 3)), h = number(g, hidden);
    MgDType type = chance(g, 80) ? MG_F32 : MG_F64; // an error grows with every step
    Dim x_dims[] = {steps, batch, number(g, in)}, h_dims[] = {batch, h},
        y_dims[] = {steps, batch, h};
    Dim rows = number(g, gates[cell] * hidden);
    Value x = need(g, type, 3, x_dims), h0 = need(g, type, 2, h_dims), c0 = h0;
    if (cell == 0)
        c0 = need(g, type, 2, h_dims);
    Value w = need(g, type, 2, (Dim[]){rows, x_dims[2]}), u = need(g, type, 2, (Dim[]){rows, h});
    const char *y = fresh(g), *last = fresh(g), *end = fresh(g);
    const char *state = cell == 0 ? format(g, "%s, %s", h0.name, c0.name) : h0.name;
    const char *biases = "";
    if (chance(g, 50)) {
        Value b = need(g, type, 1, &rows);
        biases = format(g, ", %s, %s", b.name, b.name);
    }
    mg_textf(&g->body, "    %s, %s%s%s = %s(%s, %s, %s, %s%s%s)\n", y, last, cell == 0 ? ", " : "",
             cell == 0 ? end : "", cells[cell], x.name, state, w.name, u.name, biases,
             chance(g, 30) ? ", reverse = true" : "");
    keep(g, result(y, type, 3, y_dims, 1));
    keep(g, result(last, type, 2, h_dims, 1));
    if (cell == 0)
        keep(g, result(end, type, 2, h_dims, (double)steps.n + 2));
    return true;
}

static bool gate(Gen *g) {
    Dim dims[] = {any_dim(g), number(g, 2 * between(g, 1, 9))};
    Value x = need(g, float_type(g), 2, dims);
    Dim half[] = {dims[0], number(g, dims[1].n / 2)};
    const char *op = chance(g, 50) ? "glu" : "swiglu";
    bind_value(g, result(fresh(g), x.dtype, 2, half, x.size * x.size),
               format(g, "%s(%s)", op, x.name));
    return true;
}

// A constant tensor. Each element is a multiple of 1.5/13 around 0.
const char *constant(Gen *g, const char *type, uint32_t rank, const int64_t *n) {
    const char *w = fresh(g);
    MgText box = mg_text(g->arena), shape = mg_text(g->arena), place = mg_text(g->arena);
    for (uint32_t k = 0; k < rank; k++) {
        const char *comma = k ? ", " : "";
        mg_textf(&box, "%si%u in 0..%lld", comma, k, (long long)n[k]);
        mg_textf(&shape, "%s%lld", comma, (long long)n[k]);
        mg_textf(&place, "%lld * i%u + ", (long long)between(g, 2, 12), k);
    }
    mg_textf(&g->body, "    %s[%s]: %s[%s] = 0.125 * %s((%s%lld) %% 13) - 0.75\n", w,
             mg_text_str(&box), type, mg_text_str(&shape), type, mg_text_str(&place),
             (long long)between(g, 1, 7));
    return w;
}

// Writes elementwise steps after a product. Returns the last value's name.
static const char *steps_behind(Gen *g, const char *v, const char *type, const Dim *dims,
                                Value beside) {
    static const char *const ops[] = {"relu", "tanh", "sigmoid", "softsign", "neg"};
    const char *shape = format(g, "%s[%s, %s]", type, dims[0].text, dims[1].text);
    for (uint32_t n = below(g, 4); n-- > 0;) {
        const char *y = fresh(g);
        uint32_t kind = below(g, 4);
        if (kind == 0)
            mg_textf(&g->body, "    %s[i in 0..%s, o in 0..%s]: %s = %s[i, o] + %s[o]\n", y,
                     dims[0].text, dims[1].text, shape, v, constant(g, type, 1, &dims[1].n));
        else if (kind == 1 && beside.name)
            mg_textf(&g->body, "    %s[i in 0..%s, o in 0..%s]: %s = %s[i, o] + %s[i]\n", y,
                     dims[0].text, dims[1].text, shape, v, beside.name);
        else if (kind == 2)
            mg_textf(&g->body, "    %s = mul(%s, %s(%s))\n", y, v, ops[below(g, 5)], v);
        else
            mg_textf(&g->body, "    %s = %s(%s)\n", y, ops[below(g, 5)], v);
        v = y;
    }
    return v;
}

// Several products with one shared factor, like projections or gates, and ops after each. Weights
// are constants, slices of one tensor, or tensors of their own.
bool siblings(Gen *g) {
    MgDType dtype = float_type(g);
    const char *type = mg_dtype(dtype)->name, *parts = "", *given = NULL;
    Dim dims[] = {any_dim(g), number(g, between(g, 1, g->large ? 60 : 18))};
    Value x = need(g, dtype, 2, dims), beside = {0};
    int64_t n = between(g, 2, 4), sizes[4], all = 0;
    for (int64_t p = 0; p < n; p++)
        all += sizes[p] = p && chance(g, 50) ? sizes[0] : between(g, 1, g->large ? 70 : 20);
    uint32_t kind = below(g, 4);
    if (kind == 0)
        given = need(g, dtype, 2, (Dim[]){number(g, all), dims[1]}).name;
    if (chance(g, 30))
        beside = need(g, dtype, 1, dims);
    for (int64_t p = 0, at = 0; p < n; at += sizes[p++]) {
        Dim out[] = {dims[0], number(g, sizes[p])};
        const char *y = fresh(g), *w = given,
                   *from = given ? format(g, " + %lld", (long long)at) : "";
        if (kind == 1)
            w = need(g, dtype, 2, (Dim[]){out[1], dims[1]}).name;
        else if (kind > 1)
            w = constant(g, type, 2, (int64_t[]){sizes[p], dims[1].n});
        mg_textf(&g->body,
                 "    %s[i in 0..%s, o in 0..%s]: %s[%s, %s] = sum[k] %s[i, k] * %s[o%s, k]\n", y,
                 out[0].text, out[1].text, type, out[0].text, out[1].text, x.name, w, from);
        y = steps_behind(g, y, type, out, beside);
        parts = format(g, "%s%s%s", parts, p ? ", " : "", y);
        if (chance(g, 10)) // an output
            keep(g, result(y, dtype, 2, out, 100));
    }
    bind_value(g, result(fresh(g), dtype, 2, (Dim[]){dims[0], number(g, all)}, 1e5),
               format(g, "concat(%s, axis = 1)", parts));
    return true;
}

static bool index_pairs(Gen *g) { // gather_nd and scatter_nd
    Value x = use_ranked(g, 2, 3);
    int64_t least = x.dims[0].n < x.dims[1].n ? x.dims[0].n : x.dims[1].n;
    if (least == 0)
        return false;
    Dim ids_dims[] = {number(g, between(g, 1, 5)), number(g, 2)};
    Value ids = new_input(g, chance(g, 50) ? MG_I64 : MG_I32, 2, ids_dims, DRAW_BELOW, least);
    Dim dims[] = {ids_dims[0], x.rank == 3 ? x.dims[2] : x.dims[0]};
    if (chance(g, 50)) {
        bind_value(g, result(fresh(g), x.dtype, x.rank - 1, dims, x.size),
                   format(g, "gather_nd(%s, %s)", x.name, ids.name));
        return true;
    }
    static const char *const reductions[] = {"none", "add", "mul", "max", "min"};
    Value u = need(g, x.dtype, x.rank - 1, dims);
    const char *reduction = reductions[below(g, 5)];
    bind_value(g, result(fresh(g), x.dtype, x.rank, x.dims, (x.size + u.size) * 8),
               format(g, "scatter_nd(%s, %s, %s, reduction = \"%s\")", x.name, ids.name, u.name,
                      reduction));
    return true;
}

static bool classify(Gen *g) {
    static const char *const ops[] = {"is_nan", "is_inf", "is_finite"};
    Value x = use_float(g);
    const char *op = ops[below(g, 3)];
    bind_value(g, result(fresh(g), MG_BOOL, x.rank, x.dims, 1), format(g, "%s(%s)", op, x.name));
    return true;
}

static bool resize(Gen *g) {
    static const char *const ops[] = {"resize_nearest", "resize_linear", "resize_cubic"};
    Value x = use_ranked(g, 1, 3);
    uint32_t axis = below(g, x.rank), op = below(g, 3);
    if (x.dims[axis].n == 0 || strspn(x.dims[axis].text, "0123456789") != strlen(x.dims[axis].text))
        return false;
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, 2 * x.size);
    y.dims[axis] = number(g, between(g, 1, 9));
    bind_value(g, y,
               format(g, "%s(%s, to = %s, axis = %u)", ops[op], x.name, y.dims[axis].text, axis));
    return true;
}

const StatementRow network_statements[] = {{attention, 4}, {siblings, 3},     {recurrence, 2},
                                           {gate, 1},      {narrow_layer, 2}, {index_pairs, 2},
                                           {classify, 1},  {resize, 1},       {0}};
