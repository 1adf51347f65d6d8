// Statements in index notation: maps, contractions in odd index orders, windows, prefix ranges,
// boxes, tuples, computed writes.
#include "tests/random/random_internal.h"

static const char *const index_names[] = {"i", "j", "k", "l", "m", "n", "p", "q"};

// "name[i, k, j]" for a value whose axis a has index at[a].
static const char *read(Gen *g, const char *name, uint32_t rank, const uint32_t *at) {
    MgText out = mg_text(g->arena);
    mg_textf(&out, "%s[", name);
    for (uint32_t k = 0; k < rank; k++)
        mg_textf(&out, "%s%s", k ? ", " : "", index_names[at[k]]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

static const char *brackets(Gen *g, uint32_t n, const uint32_t *at) {
    return read(g, "", n, at);
}

// ": f16[D0, 3]"
static const char *type_of(Gen *g, const Value *v) {
    MgText out = mg_text(g->arena);
    mg_textf(&out, ": %s[", mg_dtype(v->dtype)->name);
    for (uint32_t k = 0; k < v->rank; k++)
        mg_textf(&out, "%s%s", k ? ", " : "", v->dims[k].text);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

// Defines v by an equation: its name, indices, type and text. Without a type it has the compute
// type.
static void define(Gen *g, Value v, const uint32_t *at, const char *text, bool typed) {
    const char *plain = v.name;
    if (!typed)
        v.dtype = mg_dtype(v.dtype)->compute;
    mg_textf(&g->body, "    %s%s%s = %s\n", plain, brackets(g, v.rank, at),
             typed ? type_of(g, &v) : "", text);
    if (mg_is_float(v.dtype) && v.size > size_limit(v.dtype)) {
        const char *squashed = fresh(g);
        mg_textf(&g->body, "    %s = softsign(%s)\n", squashed, plain);
        v.name = squashed;
        v.size = 1;
    }
    keep(g, v);
}

static void identity(uint32_t *at, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        at[k] = k;
}

// ---------------------------------------------------------------- scalar expressions
// A float expression over the leaves. *size bounds the leaves before the call, and the result after
// it.
static const char *expression(Gen *g, const char *const *leaves, uint32_t n, int depth,
                              double *size) {
    if (depth == 0 || chance(g, 15))
        return leaves[below(g, n)];
    double sa = *size, sb = *size;
    const char *a = expression(g, leaves, n, depth - 1, &sa);
    uint32_t kind = below(g, 15);
    const char *b = kind >= 7 ? "" : expression(g, leaves, n, depth - 1, &sb);
    if (kind < 5 && chance(g, 25)) {
        static const char *const literals[] = {"0", "0.5", "1", "1.75", "2", "-1.25", "3", "1e-3"};
        b = literals[below(g, 8)];
    }
    switch (kind) {
    case 0:
    case 1:
        *size = sa + sb;
        return format(g, "(%s %s %s)", a, chance(g, 50) ? "+" : "-", b);
    case 2:
    case 3:
        *size = sa * sb + 1;
        return format(g, "%s * (%s)", a, b);
    case 4:
        *size = sa + sb;
        return format(g, "%s(%s, %s)", chance(g, 50) ? "max" : "min", a, b);
    case 5:
        *size = 2 * sa + 1;
        return format(g, "(%s) / (abs(%s) + 0.5)", a, b);
    case 6:
        *size = sa + sb;
        return format(g, "where(%s < %s, %s, -(%s))", a, b, b, a);
    case 7:
        *size = 21;
        return format(g, "exp(min(%s, 3))", a);
    case 8:
        *size = 1;
        return format(g, "tanh(%s)", a);
    case 9:
        *size = 1;
        return format(g, "sigmoid(%s)", a);
    case 10:
        *size = sa + 1;
        return format(g, "sqrt(abs(%s))", a);
    case 11:
        *size = sa + 3;
        return format(g, "log(abs(%s) + 0.125)", a);
    case 12:
        *size = 1;
        return format(g, "%s(%s)", chance(g, 50) ? "sin" : "erf", a);
    case 13:
        *size = 8 * sa;
        return format(g, "scaleb(%s, min(%s, 3))", a, a);
    default:
        *size = sa;
        return format(g, "%s(%s)", chance(g, 50) ? "abs" : "relu", a);
    }
}

// y[i, j] = an expression over x[i, j], w[j], b[i, 0], s[]
static bool map(Gen *g) {
    Value x = use_ranked(g, 1, 4);
    uint32_t at[MAX_RANK];
    identity(at, x.rank);
    const char *leaves[4] = {read(g, x.name, x.rank, at)};
    uint32_t n = 1, extra = below(g, 3);
    double size = x.size;
    for (uint32_t e = 0; e < extra; e++) { // operands over some of the indices, in any order
        uint32_t order[MAX_RANK], rank = below(g, x.rank + 1);
        permute(g, order, x.rank);
        Dim dims[MAX_RANK];
        for (uint32_t k = 0; k < rank; k++)
            dims[k] = x.dims[order[k]];
        Value w = need(g, x.dtype, rank, dims);
        leaves[n++] = read(g, w.name, rank, order);
        size = size > w.size ? size : w.size;
    }
    int depth = (int)between(g, 1, 3);
    const char *text = expression(g, leaves, n, depth, &size);
    if (!strstr(text, leaves[0])) // one read must give every index its range
        text = format(g, "%s + %s", leaves[0], text);
    uint32_t order[MAX_RANK]; // the result's axes may have another order than x's
    identity(order, x.rank);
    if (chance(g, 30))
        permute(g, order, x.rank);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, size + x.size);
    for (uint32_t k = 0; k < x.rank; k++)
        y.dims[k] = x.dims[order[k]];
    // A bare read has its operand's type. It is declared if it is not the compute type.
    bool bare = strcmp(text, leaves[0]) == 0;
    define(g, y, order, text, bare || chance(g, 40));
    return true;
}

static bool integer_map(Gen *g) {
    static const char *const forms[] = {"@ * # + 3",
                                        "max(@, #) - @",
                                        "where(@ < #, @ - #, # * 2)",
                                        "@ / # + @ % #",
                                        "(@ and #) + 1",
                                        "xor(@, #) or @",
                                        "shl(@, 1) - shr(#, 2)",
                                        "abs(@ - #)",
                                        "not @",
                                        "min(@ * @, #)",
                                        "sign(@) * #"};
    Value x = use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t at[MAX_RANK];
    identity(at, x.rank);
    Value w = need(g, x.dtype, x.rank, x.dims);
    const char *form = forms[below(g, sizeof forms / sizeof *forms)];
    MgText out = mg_text(g->arena);
    for (; *form; form++)
        if (*form == '@' || *form == '#')
            mg_text_add(&out, read(g, *form == '@' ? x.name : w.name, x.rank, at));
        else
            mg_text_add_n(&out, form, 1);
    define(g, result(fresh(g), x.dtype, x.rank, x.dims, 9), at, mg_text_str(&out), false);
    return true;
}

// ---------------------------------------------------------------- contractions
// y[out] = sum[k...] a[...] * b[...]: each index in a, b or both, in any order.
static bool contract(Gen *g) {
    uint32_t n = (uint32_t)between(g, 2, 4), order[8], a_at[MAX_RANK], b_at[MAX_RANK],
             y_at[MAX_RANK];
    uint32_t a_rank = 0, b_rank = 0, y_rank = 0, n_bound = 0, bound[8];
    Dim dims[8], a_dims[MAX_RANK], b_dims[MAX_RANK], y_dims[MAX_RANK];
    double points = 1, terms = 1;
    for (uint32_t k = 0; k < n; k++) {
        dims[k] = any_dim(g);
        if (points * (double)dims[k].n > 6000)
            dims[k] = number(g, 2);
        points *= (double)dims[k].n;
    }
    permute(g, order, n);
    for (uint32_t k = 0; k < n; k++) { // 0: in both and the result, 1, 2: in one, 3: bound
        uint32_t i = order[k], role = k == 0 ? 3 : below(g, 4);
        if (role != 2)
            a_at[a_rank] = i, a_dims[a_rank++] = dims[i];
        if (role != 1)
            b_at[b_rank] = i, b_dims[b_rank++] = dims[i];
        if (role != 3)
            y_at[y_rank] = i, y_dims[y_rank++] = dims[i];
        else
            bound[n_bound++] = i, terms *= (double)dims[i].n;
    }
    MgDType type = chance(g, 85) ? float_type(g) : MG_I32;
    uint32_t shuffle[MAX_RANK], at[MAX_RANK];
    Dim shuffled[MAX_RANK];
    permute(g, shuffle, b_rank); // b's axes have an order of their own
    for (uint32_t k = 0; k < b_rank; k++) {
        at[k] = b_at[shuffle[k]];
        shuffled[k] = b_dims[shuffle[k]];
    }
    Value a = need(g, type, a_rank, a_dims), b = need(g, type, b_rank, shuffled);
    const char *ra = read(g, a.name, a_rank, a_at), *rb = read(g, b.name, b_rank, at);
    const char *body =
        chance(g, 80) ? format(g, "%s * %s", ra, rb) : format(g, "(%s + %s) * %s", ra, rb, ra);
    const char *sum = format(g, "sum%s %s", brackets(g, n_bound, bound), body);
    double size = 2 * a.size * (a.size + b.size + 1) * (terms + 1);
    if (mg_is_float(type) && chance(g, 35)) { // an epilogue
        static const char *const epilogues[] = {"max((%s), 0)", "tanh((%s))", "(%s) * 0.5 + 1"};
        const char *form = epilogues[below(g, 3)], *hole = strchr(form, '%');
        sum = format(g, "%.*s%s%s", (int)(hole - form), form, sum, hole + 2);
    }
    define(g, result(fresh(g), type, y_rank, y_dims, size), y_at, sum, chance(g, 40));
    return true;
}

// y[kept] = reducer[others] f(x)
static bool reduce(Gen *g) {
    static const char *const reducers[] = {"sum", "mean", "max", "min", "prod"};
    Value x = use_ranked(g, 1, 4);
    uint32_t at[MAX_RANK], kept[MAX_RANK], bound[MAX_RANK], n_kept = 0, n_bound = 0;
    Dim dims[MAX_RANK];
    double terms = 1;
    identity(at, x.rank);
    uint32_t order[MAX_RANK], must = below(g, x.rank);
    permute(g, order, x.rank);
    for (uint32_t k = 0; k < x.rank; k++) {
        uint32_t i = order[k];
        if (i == must || chance(g, 30)) {
            bound[n_bound++] = i;
            terms *= (double)x.dims[i].n;
        } else {
            dims[n_kept] = x.dims[i];
            kept[n_kept++] = i;
        }
    }
    uint32_t r = below(g, 5);
    const char *leaf = read(g, x.name, x.rank, at);
    double size = x.size;
    const char *body = r == 4 ? format(g, "(1 + 0.125 * tanh(%s))", leaf)
                              : format(g, "(%s)", expression(g, &leaf, 1, 2, &size));
    define(g, result(fresh(g), x.dtype, n_kept, dims, r == 4 ? 50 : (size + x.size) * (terms + 1)),
           kept, format(g, "%s%s %s", reducers[r], brackets(g, n_bound, bound), body),
           chance(g, 40));
    return true;
}

// ---------------------------------------------------------------- windows and prefix ranges
static bool window(Gen *g) {
    Value x = use_ranked(g, 1, 3);
    uint32_t axis = below(g, x.rank);
    int64_t kernel = between(g, 1, 4), stride = between(g, 1, 2), pad = between(g, -1, 2);
    Dim taps = number(g, kernel), out = number(g, between(g, 1, 9));
    Value w = need(g, x.dtype, 1, &taps), y = result(fresh(g), x.dtype, x.rank, x.dims, 4 * x.size);
    y.dims[axis] = out;
    MgText subs = mg_text(g->arena), target = mg_text(g->arena), type = mg_text(g->arena);
    for (uint32_t k = 0; k < x.rank; k++) {
        const char *comma = k ? ", " : "", *i = index_names[k];
        mg_textf(&target, "%s%s", comma, i);
        mg_textf(&type, "%s%s", comma, y.dims[k].text);
        if (k == axis)
            mg_textf(&subs, "%s%s * %lld + t - %lld", comma, i, (long long)stride, (long long)pad);
        else
            mg_textf(&subs, "%s%s", comma, i);
    }
    y.size *= w.size;
    mg_textf(&g->body, "    %s[%s]: %s[%s] = ", y.name, mg_text_str(&target),
             mg_dtype(x.dtype)->name, mg_text_str(&type));
    const char *otherwise = chance(g, 70) ? "0" : "1";
    if (chance(g, 60))
        mg_textf(&g->body, "sum[t] (%s[%s] else %s) * %s[t]\n", x.name, mg_text_str(&subs),
                 otherwise, w.name);
    else
        mg_textf(&g->body, "%s[t in 0..%s] (%s[%s] else %s)\n", chance(g, 50) ? "max" : "sum",
                 taps.text, x.name, mg_text_str(&subs), otherwise);
    keep(g, y);
    return true;
}

static bool prefix(Gen *g) {
    static const char *const ranges[] = {"t in 0..%s + 1", "t in 0..%s", "t in %s..",
                                         "t in %s + 1.."};
    static const char *const reducers[] = {"sum", "max", "min", "mean", "prod"};
    Value x = use_ranked(g, 1, 3);
    uint32_t axis = below(g, x.rank), r = below(g, 4), at[MAX_RANK], reducer = below(g, 5);
    identity(at, x.rank);
    const char *i = index_names[axis], *hole = strchr(ranges[r], '%');
    const char *range = format(g, "%.*s%s%s%s", (int)(hole - ranges[r]), ranges[r], i, hole + 2,
                               r >= 2 ? x.dims[axis].text : "");
    MgText subs = mg_text(g->arena);
    for (uint32_t k = 0; k < x.rank; k++)
        mg_textf(&subs, "%s%s", k ? ", " : "", k == axis ? "t" : index_names[k]);
    const char *term = format(g, "%s[%s]", x.name, mg_text_str(&subs));
    if (reducer == 4)
        term = format(g, "tanh(%s)", term);
    double size = reducer == 0 ? x.size * (double)(x.dims[axis].n + 1) : x.size + 1;
    define(g, result(fresh(g), x.dtype, x.rank, x.dims, size), at,
           format(g, "%s[%s] %s", reducers[reducer], range, term), true);
    return true;
}

// ---------------------------------------------------------------- boxes, tuples, diagonals
// y[i in 0..A] = a[i]   y[i in A..A + B] = f(b[i - A])
static bool boxes(Gen *g) {
    Value a = use_ranked(g, 1, 3);
    uint32_t axis = below(g, a.rank);
    Value like = a;
    like.dims[axis] = any_dim(g);
    if (count(&like) > 400)
        return false;
    Value b = need(g, a.dtype, a.rank, like.dims);
    const char *at = a.dims[axis].text, *i = index_names[axis];
    const char *end = format(g, "%s + %s", at, b.dims[axis].text);
    Value y = result(fresh(g), a.dtype, a.rank, a.dims, a.size + b.size);
    y.dims[axis] = (Dim){a.dims[axis].n + b.dims[axis].n, format(g, "(%s)", end)};
    for (int piece = 0; piece < 2; piece++) {
        MgText target = mg_text(g->arena), subs = mg_text(g->arena), type = mg_text(g->arena);
        for (uint32_t k = 0; k < a.rank; k++) {
            const char *comma = k ? ", " : "", *name = index_names[k];
            mg_textf(&type, "%s%s", comma, y.dims[k].text);
            if (k != axis) {
                mg_textf(&target, "%s%s", comma, name);
                mg_textf(&subs, "%s%s", comma, name);
            } else if (piece == 0) {
                mg_textf(&target, "%s%s in 0..%s", comma, i, at);
                mg_textf(&subs, "%s%s", comma, i);
            } else {
                mg_textf(&target, "%s%s in %s..%s", comma, i, at, end);
                mg_textf(&subs, "%s%s - %s", comma, i, at);
            }
        }
        mg_textf(&g->body, "    %s[%s]: %s[%s] = %s%s[%s]%s\n", y.name, mg_text_str(&target),
                 mg_dtype(a.dtype)->name, mg_text_str(&type), piece ? "-" : "",
                 piece ? b.name : a.name, mg_text_str(&subs), piece && chance(g, 50) ? " * 2" : "");
    }
    y.size *= 2;
    keep(g, y);
    return true;
}

// y[(i, j), k] = x[i, j, k], or the inverse by a typed target
static bool tuples(Gen *g) {
    Value x = use_ranked(g, 2, 4);
    uint32_t at = below(g, x.rank - 1);
    if (count(&x) == 0)
        return false;
    Value y = result(fresh(g), x.dtype, x.rank - 1, x.dims, x.size);
    MgText target = mg_text(g->arena), subs = mg_text(g->arena), type = mg_text(g->arena);
    uint32_t first = at, second = at + 1;
    bool swap = chance(g, 40);
    for (uint32_t k = 0, r = 0; k < x.rank; k++) {
        mg_textf(&subs, "%s%s", k ? ", " : "", index_names[k]);
        if (k == second)
            continue;
        if (k == first) {
            mg_textf(&target, "%s(%s, %s)", r ? ", " : "", index_names[swap ? second : first],
                     index_names[swap ? first : second]);
            y.dims[r] = (Dim){x.dims[first].n * x.dims[second].n,
                              format(g, "%s * %s", x.dims[swap ? second : first].text,
                                     x.dims[swap ? first : second].text)};
        } else {
            mg_textf(&target, "%s%s", r ? ", " : "", index_names[k]);
            y.dims[r] = x.dims[k];
        }
        mg_textf(&type, "%s%s", r ? ", " : "", y.dims[r].text);
        r++;
    }
    mg_textf(&g->body, "    %s[%s]: %s[%s] = %s[%s]\n", y.name, mg_text_str(&target),
             mg_dtype(x.dtype)->name, mg_text_str(&type), x.name, mg_text_str(&subs));
    for (uint32_t k = 0; k < y.rank; k++) // a formula needs parentheses in later shapes
        y.dims[k].text = format(g, "(%s)", y.dims[k].text);
    keep(g, y);
    return true;
}

static bool diagonal(Gen *g) {
    Dim d = any_dim(g), dims[] = {d, d, any_dim(g)};
    if (d.n > 12)
        return false;
    uint32_t rank = 2 + below(g, 2);
    Value x = need(g, float_type(g), rank, dims);
    uint32_t kept[] = {0, 2};
    const char *leaf = rank == 2 ? format(g, "%s[i, i]", x.name) : format(g, "%s[i, i, k]", x.name);
    Dim kept_dims[] = {d, dims[2]};
    define(g, result(fresh(g), x.dtype, rank - 1, kept_dims, x.size + 1), kept,
           format(g, "%s + 1", leaf), chance(g, 40));
    return true;
}

// ---------------------------------------------------------------- computed writes
static bool scatter(Gen *g) {
    Value x = use_ranked(g, 1, 2);
    Dim n = number(g, between(g, 1, 9)), dims[] = {n, x.dims[x.rank - 1]};
    static const char *const reducers[] = {"sum", "max", "min", "prod"};
    const char *reducer = reducers[below(g, 4)], *row = x.rank == 2 ? ", j" : "";
    Value y = result(fresh(g), x.dtype, x.rank, dims, x.size * 6);
    if (chance(g, 40)) { // by data
        Value ids = new_input(g, MG_I64, 1, &x.dims[0], DRAW_ANY, 0);
        mg_textf(&g->body, "    %s[%s[i]%s]: %s[%s%s%s] else none = %s[i] %s[i%s]\n", y.name,
                 ids.name, row, mg_dtype(x.dtype)->name, n.text, x.rank == 2 ? ", " : "",
                 x.rank == 2 ? dims[1].text : "", reducer, x.name, row);
    } else { // by a formula, over a base
        Value base = need(g, x.dtype, x.rank, dims);
        mg_textf(&g->body,
                 "    %s[i * %lld - %lld%s]: %s[%s%s%s] else none = %s[i] %s[i%s] over %s\n",
                 y.name, (long long)between(g, 1, 3), (long long)between(g, 0, 2), row,
                 mg_dtype(x.dtype)->name, n.text, x.rank == 2 ? ", " : "",
                 x.rank == 2 ? dims[1].text : "", reducer, x.name, row, base.name);
    }
    Value bounded = y; // the max of nothing is -inf
    bounded.name = fresh(g);
    bounded.size = 1;
    mg_textf(&g->body, "    %s = softsign(%s)\n", bounded.name, y.name);
    y.uses = 1;
    keep(g, bounded);
    return true;
}

// Sums into places that are affine in two indices, of products that may be summed over a third
// index.
static bool affine_scatter(Gen *g) {
    Value x = use_ranked(g, 2, 2);
    static const int64_t steps[] = {1, 1, 2, 2, 3, 4, -1, -2};
    static const char *const reducers[] = {"sum", "sum", "max", "min"};
    int64_t step = steps[below(g, 8)], by = between(g, -3, 3), taps = between(g, 1, 4);
    Dim dims[] = {number(g, between(g, 1, 4)), number(g, between(g, 1, 12))};
    Dim w_dims[] = {dims[0], x.dims[1], number(g, taps)};
    Value w = need(g, x.dtype, 3, w_dims);
    bool alone = chance(g, 50); // is the third index summed, or in the result?
    Dim kept[] = {dims[0], x.dims[1], dims[1]};
    Value y = result(fresh(g), x.dtype, alone ? 2 : 3, alone ? dims : kept,
                     x.size * w.size * 4 * (double)(alone ? x.dims[1].n : 1));
    mg_textf(&g->body, "    %s[m, %si * %lld + k * %lld + %lld]: %s[%s, ", y.name,
             alone ? "" : "j, ", (long long)step, (long long)by, (long long)between(g, -4, 6),
             mg_dtype(x.dtype)->name, dims[0].text);
    mg_textf(&g->body, "%s%s%s] else none = %s[i, %sk] %s[i, j] * %s[m, j, k]",
             alone ? "" : x.dims[1].text, alone ? "" : ", ", dims[1].text, reducers[below(g, 4)],
             alone ? "j, " : "", x.name, w.name);
    if (chance(g, 25))
        mg_textf(&g->body, " over %s", need(g, x.dtype, y.rank, y.dims).name);
    mg_textf(&g->body, "\n");
    Value bounded = y; // the max of nothing is -inf
    bounded.name = fresh(g);
    bounded.size = 1;
    mg_textf(&g->body, "    %s = softsign(%s)\n", bounded.name, y.name);
    keep(g, bounded);
    return true;
}

const StatementRow index_statements[] = {
    {map, 16},  {integer_map, 5}, {contract, 12}, {reduce, 8},  {window, 6},         {prefix, 4},
    {boxes, 4}, {tuples, 4},      {diagonal, 2},  {scatter, 4}, {affine_scatter, 4}, {0}};
