// Statements whose values may be stored in several orders: images that alternate between channels
// first and channels last around convolutions, pools and elementwise steps, and products of heads
// that are split and merged again.
#include "tests/random/random_internal.h"

// An image on its way from step to step. Only the last one is kept.
typedef struct Image {
    const char *name;
    bool last; // channels are its last axis
    Dim n, c, h, w;
    MgDType type;
    double size;
} Image;

static void dims_of(const Image *x, Dim *dims) {
    dims[0] = x->n;
    dims[1] = x->last ? x->h : x->c;
    dims[2] = x->last ? x->w : x->h;
    dims[3] = x->last ? x->c : x->w;
}

// Intermediate values have no other use, so their order is free.
static void let(Gen *g, Image *x, const char *text) {
    x->name = fresh(g);
    mg_textf(&g->body, "    %s = %s\n", x->name, text);
}

static void turn(Gen *g, Image *x, bool last) {
    if (x->last == last)
        return;
    x->last = last;
    let(g, x,
        format(g, "transpose(%s, perm = %s)", x->name, last ? "[0, 2, 3, 1]" : "[0, 3, 1, 2]"));
}

static void convolve(Gen *g, Image *x) {
    bool depthwise = chance(g, 30);
    int64_t k = x->h.n > 2 && x->w.n > 2 && chance(g, 60) ? 3 : 1, groups = depthwise ? x->c.n : 1;
    int64_t stride = chance(g, 25) ? 2 : 1, pad = k == 3 && chance(g, 60);
    Dim m = depthwise ? x->c : number(g, between(g, 1, 9));
    Dim dims[] = {m, depthwise ? number(g, 1) : x->c, number(g, k), number(g, k)};
    turn(g, x, false);
    Value weight = need(g, x->type, 4, dims);
    let(g, x,
        format(g, "tanh(conv2d(%s, %s, stride = %lld, pad = %lld, groups = %lld))", x->name,
               weight.name, (long long)stride, (long long)pad, (long long)groups));
    x->c = m;
    x->h = number(g, (x->h.n + 2 * pad - k) / stride + 1);
    x->w = number(g, (x->w.n + 2 * pad - k) / stride + 1);
    x->size = 1;
}

static void average(Gen *g, Image *x) {
    if (x->h.n < 2 || x->w.n < 2)
        return;
    turn(g, x, false);
    let(g, x,
        format(g, "%s(%s, kernel = 2, stride = 1)", chance(g, 50) ? "max_pool2d" : "avg_pool2d",
               x->name));
    x->h = number(g, x->h.n - 1);
    x->w = number(g, x->w.n - 1);
}

// Scales each channel by a factor, in either order of axes.
static void scale(Gen *g, Image *x) {
    Dim dims[4];
    dims_of(x, dims);
    Value v = need(g, x->type, 1, &x->c);
    if (x->last)
        let(g, x, format(g, "relu(%s * %s)", x->name, v.name));
    else
        let(g, x, format(g, "maximum(%s, unsqueeze(%s, axes = [1, 2]))", x->name, v.name));
    x->size *= v.size + 1;
}

// Adds the results of two paths with different orders.
static void fork(Gen *g, Image *x) {
    Image a = *x, b = *x;
    turn(g, &a, true);
    let(g, &a, format(g, "sigmoid(%s)", a.name));
    turn(g, &b, false);
    let(g, &b, format(g, "abs(%s)", b.name));
    bool last = chance(g, 50);
    turn(g, &a, last);
    turn(g, &b, last);
    *x = a;
    let(g, x, format(g, "%s + %s", a.name, b.name));
    x->size += 1;
}

static void widen(Gen *g, Image *x) { // joins channels
    let(g, x, format(g, "concat(%s, abs(%s), axis = %d)", x->name, x->name, x->last ? 3 : 1));
    x->c = number(g, 2 * x->c.n);
}

static bool turned_image(Gen *g) {
    Image x = {.n = chance(g, 20) ? any_dim(g) : number(g, between(g, 1, 2)),
               .c = number(g, between(g, 1, 8)),
               .h = number(g, between(g, 2, 7)),
               .w = number(g, between(g, 2, 7)),
               .last = chance(g, 50),
               .type = chance(g, 80) ? MG_F32 : float_type(g)};
    if (x.n.n * x.c.n * x.h.n * x.w.n > MAX_ELEMENTS / 4)
        return false;
    Dim dims[4];
    dims_of(&x, dims);
    Value from = need(g, x.type, 4, dims);
    x.name = from.name;
    x.size = from.size;
    for (int64_t steps = between(g, 2, 5); steps > 0; steps--) {
        uint32_t step = below(g, 6);
        if (chance(g, 50))
            turn(g, &x, !x.last);
        if (step < 2)
            convolve(g, &x);
        else if (step == 2)
            average(g, &x);
        else if (step == 3)
            scale(g, &x);
        else if (step == 4)
            fork(g, &x);
        else if (x.c.n <= 8)
            widen(g, &x);
    }
    bool sum = chance(g, 20);
    turn(g, &x, chance(g, 50));
    dims_of(&x, dims);
    if (sum)
        bind_value(g, result(fresh(g), x.type, 3, dims, x.size * (double)dims[3].n),
                   format(g, "mean(%s, axes = [3])", x.name));
    else
        bind_value(g, result(fresh(g), x.type, 4, dims, x.size), format(g, "tanh(%s)", x.name));
    return true;
}

// Splits heads off two projections, multiplies them, and merges them again.
static bool heads(Gen *g) {
    int64_t h = between(g, 1, 4), e = between(g, 1, 8);
    Dim b = chance(g, 30) ? any_dim(g) : number(g, between(g, 1, 2));
    Dim s = chance(g, 30) ? any_dim(g) : number(g, between(g, 1, 9));
    Dim dims[] = {b, s, number(g, h * e)}, w_dims[] = {dims[2], dims[2]};
    if (b.n * s.n * h * e > MAX_ELEMENTS / 2)
        return false;
    Value x = need(g, MG_F32, 3, dims), w = need(g, MG_F32, 2, w_dims);
    const char *q = fresh(g), *k = fresh(g), *p = fresh(g), *y = fresh(g);
    mg_textf(&g->body, "    %s = split_heads(tanh(linear(%s, %s)), heads = %lld)\n", q, x.name,
             w.name, (long long)h);
    mg_textf(&g->body, "    %s = split_heads(%s, heads = %lld)\n", k, x.name, (long long)h);
    mg_textf(&g->body, "    %s = tanh(matmul(%s, transpose(%s, perm = [0, 1, 3, 2])))\n", p, q, k);
    mg_textf(&g->body, "    %s = %s(matmul(%s, %s))\n", y, chance(g, 50) ? "relu" : "tanh", p, q);
    bind_value(g, result(fresh(g), MG_F32, 3, dims, (double)s.n + 1),
               chance(g, 50) ? format(g, "linear(merge_heads(%s), %s)", y, w.name)
                             : format(g, "merge_heads(%s) + %s", y, x.name));
    return true;
}

const StatementRow layout_statements[] = {{turned_image, 5}, {heads, 2}, {0}};
