// Layers of image networks, at sizes that the schedules of convolutions and windows take. Channels
// do and don't fill vectors and tiles, one to three images are 4 x 4 to 20 x 20 or of open size,
// and each layer is followed by the ops that follow it in real networks.
#include "tests/random/random_internal.h"

#include <math.h>

// An image on its way from layer to layer. Only the last one is kept.
typedef struct Image {
    const char *name;
    MgDType type;
    Dim at[4]; // images, channels, lines, columns
    double size;
} Image;

typedef struct Layer { // arrays: for both directions
    int64_t kernel[2], stride[2], dilation[2], pad[2], end[2];
    int64_t groups, in, out; // channels of a group
    Dim to[2];
} Layer;

static const int64_t channel_counts[] = {1,  2,  3,  5,  8,  12, 16, 16,  17, 24,
                                         30, 32, 33, 48, 64, 80, 96, 100, 208};

static int64_t some_channels(Gen *g) {
    return channel_counts[below(g, sizeof channel_counts / sizeof *channel_counts)];
}

static void let(Gen *g, Image *x, const char *text) {
    x->name = fresh(g);
    mg_textf(&g->body, "    %s = %s\n", x->name, text);
    if (x->size > size_limit(x->type)) {
        const char *squashed = fresh(g);
        mg_textf(&g->body, "    %s = softsign(%s)\n", squashed, x->name);
        x->name = squashed;
        x->size = 1;
    }
}

static bool is_open(const Image *x) {
    return !is_number(x->at[2]) || !is_number(x->at[3]);
}

// (x + more) / stride + 1, rounded down
static Dim strided(Gen *g, Dim x, int64_t more, int64_t stride) {
    int64_t n = (x.n + more) / stride + 1;
    if (is_number(x))
        return number(g, n);
    if (stride == 1 && more == -1)
        return x;
    return (Dim){n, format(g, "((%s %c %lld) / %lld + 1)", x.text, more < 0 ? '-' : '+',
                           (long long)(more < 0 ? -more : more), (long long)stride)};
}

// ---------------------------------------------------------------- windows
static void draw_windows(Gen *g, Layer *l, const int64_t *kernels, uint32_t n) {
    bool square = chance(g, 80), same = chance(g, 50), even = chance(g, 60);
    for (int d = 0; d < 2; d++) {
        bool again = d && square;
        l->kernel[d] = again ? l->kernel[0] : kernels[below(g, n)];
        l->stride[d] = again ? l->stride[0] : chance(g, 60) ? 1 : between(g, 1, 4);
        l->dilation[d] = again ? l->dilation[0] : chance(g, 80) ? 1 : between(g, 2, 3);
        int64_t reach = l->dilation[d] * (l->kernel[d] - 1);
        l->pad[d] = same ? reach / 2 : chance(g, 50) ? 0 : between(g, 0, l->kernel[d] - 1);
        l->end[d] = same ? reach - reach / 2 : even ? l->pad[d] : between(g, 0, l->kernel[d] - 1);
    }
}

// Computes the sizes of x after a window. False if nothing is left.
static bool window_sizes(Gen *g, const Image *x, Layer *l) {
    for (int d = 0; d < 2; d++) {
        int64_t more = l->pad[d] + l->end[d] - l->dilation[d] * (l->kernel[d] - 1) - 1;
        if (x->at[2 + d].n + more < 0)
            return false;
        l->to[d] = strided(g, x->at[2 + d], more, l->stride[d]);
    }
    return true;
}

static const char *attributes(Gen *g, const Layer *l) {
    return format(g, "stride = %s, dilation = %s, pad = %s, pad_end = %s", list(g, l->stride, 2),
                  list(g, l->dilation, 2), list(g, l->pad, 2), list(g, l->end, 2));
}

// ---------------------------------------------------------------- convolutions
// Draws channels such that the layer has at most WORK products. False if there are none.
static bool draw_channels(Gen *g, const Image *x, Layer *l) {
    enum { WORK = 400000, WEIGHTS = 20000 };
    int64_t c = x->at[1].n, taps = l->kernel[0] * l->kernel[1];
    l->groups = chance(g, 25)                 ? c
                : c % 4 == 0 && chance(g, 15) ? 4
                : c % 2 == 0 && chance(g, 15) ? 2
                                              : 1;
    l->in = c / l->groups;
    for (int tries = 0; tries < 20; tries++) {
        l->out = l->in == 1 && l->groups > 1 ? 1 + (chance(g, 20) ? 1 : 0)
                 : tries < 15                ? (some_channels(g) + l->groups - 1) / l->groups
                                             : between(g, 1, 4);
        int64_t weights = c * l->out * taps,
                places = x->at[0].n * (l->to[0].n * l->to[1].n > x->at[2].n * x->at[3].n
                                           ? l->to[0].n * l->to[1].n
                                           : x->at[2].n * x->at[3].n);
        if (weights <= WEIGHTS && weights * places / (l->stride[0] * l->stride[1]) <= WORK)
            return true;
    }
    return false;
}

// Weights [a, b, kernel]: constant or an input.
static const char *weights(Gen *g, MgDType type, int64_t a, int64_t b, const int64_t *kernel) {
    int64_t n[] = {a, b, kernel[0], kernel[1]};
    if (chance(g, 60))
        return constant(g, mg_dtype(type)->name, 4, n);
    Dim dims[] = {number(g, a), number(g, b), number(g, kernel[0]), number(g, kernel[1])};
    return need(g, type, 4, dims).name;
}

static const char *per_channel(Gen *g, const Image *x, const Dim *c) {
    return chance(g, 60) ? constant(g, mg_dtype(x->type)->name, 1, &c->n)
                         : need(g, x->type, 1, c).name;
}

// Adds the ops after a layer.
static void behind(Gen *g, Image *x, const Image *from) {
    static const char *const functions[] = {
        "relu(%)",    "relu6(%)", "hard_swish(%)", "silu(%)",
        "sigmoid(%)", "tanh(%)",  "gelu(%)",       "leaky_relu(%, slope = 0.125)"};
    if (chance(g, 25)) {
        const char *mean = per_channel(g, x, &x->at[1]), *variance = per_channel(g, x, &x->at[1]);
        const char *w = per_channel(g, x, &x->at[1]), *b = per_channel(g, x, &x->at[1]);
        let(g, x,
            format(g, "batch_norm(%s, %s, abs(%s) + 0.5, %s, %s)", x->name, mean, variance, w, b));
        x->size = 3 * x->size + 6;
    }
    bool first = chance(g, 50);
    if (first && chance(g, 60))
        let(g, x, put(g, functions[below(g, 8)], x->name));
    if (chance(g, 25)) {
        bool skips = true;
        for (int k = 0; k < 4; k++)
            skips = skips && strcmp(from->at[k].text, x->at[k].text) == 0;
        const char *other = skips ? from->name : need(g, x->type, 4, x->at).name;
        let(g, x, format(g, "%s + %s", x->name, other));
        x->size += skips ? from->size : 2;
    }
    if (!first && chance(g, 60))
        let(g, x, put(g, functions[below(g, 8)], x->name));
}

static bool convolve(Gen *g, Image *x) {
    static const int64_t kernels[] = {1, 1, 3, 3, 3, 3, 5, 7};
    Layer l;
    draw_windows(g, &l, kernels, 8);
    if (!window_sizes(g, x, &l) || !draw_channels(g, x, &l))
        return false;
    Image from = *x;
    x->at[1] = number(g, l.groups * l.out);
    const char *w = weights(g, x->type, l.groups * l.out, l.in, l.kernel);
    const char *bias = chance(g, 50) ? format(g, ", %s", per_channel(g, x, &x->at[1])) : "";
    x->size = x->size * 3 * sqrt((double)(l.in * l.kernel[0] * l.kernel[1])) + 2;
    x->at[2] = l.to[0];
    x->at[3] = l.to[1];
    let(g, x,
        format(g, "conv2d(%s, %s%s, %s, groups = %lld)", x->name, w, bias, attributes(g, &l),
               (long long)l.groups));
    behind(g, x, &from);
    return true;
}

static bool convolve_back(Gen *g, Image *x) {
    static const int64_t kernels[] = {1, 2, 2, 3, 3, 4, 5};
    Layer l;
    draw_windows(g, &l, kernels, 7);
    int64_t out_pad[2];
    for (int d = 0; d < 2; d++) {
        Dim *in = &x->at[2 + d];
        out_pad[d] = l.stride[d] > 1 && chance(g, 40) ? 1 : 0;
        int64_t more = l.dilation[d] * (l.kernel[d] - 1) + 1 - l.pad[d] - l.end[d] + out_pad[d];
        int64_t n = (in->n - 1) * l.stride[d] + more;
        if (n < 1)
            return false;
        l.to[d] = is_number(*in)
                      ? number(g, n)
                      : (Dim){n, format(g, "((%s - 1) * %lld + %lld - %lld)", in->text,
                                        (long long)l.stride[d], (long long)(more + 99), 99LL)};
    }
    if (!draw_channels(g, x, &l) || x->at[0].n * l.groups * l.out * l.to[0].n * l.to[1].n > LARGE)
        return false;
    Image from = *x;
    const char *w = weights(g, x->type, l.groups * l.in, l.out, l.kernel);
    x->at[1] = number(g, l.groups * l.out);
    const char *bias = chance(g, 50) ? format(g, ", %s", per_channel(g, x, &x->at[1])) : "";
    x->size = x->size * 3 * sqrt((double)(l.in * l.kernel[0] * l.kernel[1])) + 2;
    x->at[2] = l.to[0];
    x->at[3] = l.to[1];
    let(g, x,
        format(g, "conv_transpose(%s, %s%s, %s, out_pad = %s, groups = %lld)", x->name, w, bias,
               attributes(g, &l), list(g, out_pad, 2), (long long)l.groups));
    behind(g, x, &from);
    return true;
}

// ---------------------------------------------------------------- pools
static bool pool_images(Gen *g, Image *x) {
    static const int64_t kernels[] = {1, 2, 2, 3, 3, 3, 4, 5, 7};
    static const char *const pools[] = {"max_pool", "max_pool", "avg_pool", "avg_pool", "lp_pool"};
    Layer l;
    draw_windows(g, &l, kernels, 9);
    if (chance(g, 40)) // windows that don't overlap
        memcpy(l.stride, l.kernel, sizeof l.stride);
    for (int d = 0; d < 2; d++) {
        l.pad[d] = l.pad[d] < l.kernel[d] ? l.pad[d] : l.kernel[d] - 1;
        l.end[d] = l.end[d] < l.kernel[d] ? l.end[d] : l.kernel[d] - 1;
    }
    if (!window_sizes(g, x, &l))
        return false;
    bool ceil = !is_open(x) && chance(g, 30);
    for (int d = 0; ceil && d < 2; d++) {
        int64_t room = x->at[2 + d].n + l.pad[d] + l.end[d] - l.dilation[d] * (l.kernel[d] - 1) - 1;
        int64_t up = (room + l.stride[d] - 1) / l.stride[d] + 1;
        int64_t most = (x->at[2 + d].n + l.pad[d] + l.stride[d] - 1) / l.stride[d];
        l.to[d] = number(g, up < most ? up : most);
    }
    uint32_t which = below(g, 5);
    x->at[2] = l.to[0];
    x->at[3] = l.to[1];
    let(g, x,
        format(g, "%s(%s, kernel = %s, %s%s%s)", pools[which], x->name, list(g, l.kernel, 2),
               attributes(g, &l), ceil ? ", ceil_mode = true" : "",
               which / 2 == 1 && chance(g, 50) ? ", count_pad = true" : ""));
    x->size *= which == 4 ? 7 : 1;
    return true;
}

// ---------------------------------------------------------------- between layers
static bool between_layers(Gen *g, Image *x) {
    int64_t c = x->at[1].n;
    switch (below(g, 4)) {
    case 0: { // join the channels of another path
        Dim more = number(g, between(g, 1, 20)), dims[] = {x->at[0], more, x->at[2], x->at[3]};
        Value other = need(g, x->type, 4, dims);
        let(g, x, format(g, "concat(%s, %s, axis = 1)", x->name, other.name));
        x->at[1] = number(g, c + more.n);
        return true;
    }
    case 1: // deal channels out to groups
        if (c % 2 || c < 4)
            return false;
        let(g, x,
            format(g,
                   "reshape(transpose(reshape(%s, shape = [%s, 2, %lld, %s, %s]), perm = [0, 2, 1, "
                   "3, 4]), "
                   "shape = [%s, %lld, %s, %s])",
                   x->name, x->at[0].text, (long long)c / 2, x->at[2].text, x->at[3].text,
                   x->at[0].text, (long long)c, x->at[2].text, x->at[3].text));
        return true;
    case 2: // scale each channel by a function of all its pixels
        let(g, x,
            format(g, "%s * sigmoid(mean(%s, axes = [2, 3], keepdims = true))", x->name, x->name));
        return true;
    default:
        if (is_open(x) || x->at[0].n * c * x->at[2].n * x->at[3].n > LARGE / 4)
            return false;
        let(g, x, format(g, "upsample2d(%s, scale = 2)", x->name));
        x->at[2] = number(g, 2 * x->at[2].n);
        x->at[3] = number(g, 2 * x->at[3].n);
        return true;
    }
}

// Transposes the image to channels last or first. Networks that keep channels last do this often.
static void turn(Gen *g, Image *x, bool last) {
    let(g, x,
        format(g, "transpose(%s, perm = %s)", x->name, last ? "[0, 2, 3, 1]" : "[0, 3, 1, 2]"));
}

static bool layer(Gen *g, Image *x) {
    uint32_t kind = below(g, 10);
    return kind < 6    ? convolve(g, x)
           : kind == 6 ? convolve_back(g, x)
           : kind < 9  ? pool_images(g, x)
                       : between_layers(g, x);
}

static bool image_layers(Gen *g) {
    Image x = {.type = chance(g, 75) ? MG_F32 : float_type(g), .size = 2};
    x.at[0] = open_or(g, 0, between(g, 1, 3));
    x.at[1] = number(g, some_channels(g));
    x.at[2] = open_or(g, 1, between(g, 4, 20));
    x.at[3] = open_or(g, 1, between(g, 4, 20));
    if (x.at[0].n * x.at[1].n * x.at[2].n * x.at[3].n > LARGE)
        return false;
    bool last = chance(g, 30);
    Dim turned[] = {x.at[0], x.at[2], x.at[3], x.at[1]};
    x.name = need(g, x.type, 4, last ? turned : x.at).name;
    if (last)
        turn(g, &x, false);
    uint32_t made = 0;
    for (int64_t layers = between(g, 1, 3), tries = 0; layers > 0 && tries < 12; tries++) {
        bool ok = layer(g, &x);
        layers -= ok;
        made += ok;
        if (ok && last && layers > 0) {
            turn(g, &x, true);
            if (chance(g, 40))
                let(g, &x, format(g, "relu6(%s)", x.name));
            turn(g, &x, false);
        }
    }
    if (last)
        turn(g, &x, true);
    Dim to[] = {x.at[0], x.at[2], x.at[3], x.at[1]};
    bind_value(g, result(fresh(g), x.type, 4, last ? to : x.at, x.size + 1),
               chance(g, 70) && made ? format(g, "identity(%s)", x.name)
                                     : format(g, "tanh(%s)", x.name));
    return true;
}

// Windows of an image whose channels are innermost, written as an equation.
static bool windows_last(Gen *g) {
    static const char *const forms[] = {"max[i in 0..%s, j in 0..%s] (%s else -inf)",
                                        "sum[i in 0..%s, j in 0..%s] (%s else 0)",
                                        "min[i in 0..%s, j in 0..%s] (%s else inf)",
                                        "sum[i in 0..%s, j in 0..%s] (%s else 0) * %s[i, j, c]"};
    Dim n = open_or(g, 0, between(g, 1, 2)), c = number(g, some_channels(g)),
        size[] = {number(g, between(g, 6, 20)), number(g, between(g, 6, 40))};
    MgDType type = chance(g, 80) ? MG_F32 : MG_F64;
    int64_t k[2], stride[2], pad[2], dilation = chance(g, 80) ? 1 : 2;
    Dim to[2], x_dims[] = {n, size[0], size[1], c};
    for (int d = 0; d < 2; d++) {
        k[d] = between(g, 1, 4);
        stride[d] = chance(g, 60) ? 1 : 2;
        pad[d] = between(g, 0, k[d] - 1);
        to[d] = number(g, (size[d].n + 2 * pad[d] - dilation * (k[d] - 1) - 1) / stride[d] + 1);
    }
    if (n.n * c.n * size[0].n * size[1].n > LARGE || c.n * to[0].n * to[1].n * k[0] * k[1] > 200000)
        return false;
    Value x = need(g, type, 4, x_dims);
    const char *y = fresh(g), *rows = format(g, "%lld", (long long)k[0]),
               *columns = format(g, "%lld", (long long)k[1]), *factor = "";
    uint32_t form = below(g, 4);
    if (form == 3)
        factor = need(g, type, 3, (Dim[]){number(g, k[0]), number(g, k[1]), c}).name;
    const char *read = format(g, "%s[n, h * %lld + i * %lld - %lld, w * %lld + j * %lld - %lld, c]",
                              x.name, (long long)stride[0], (long long)dilation, (long long)pad[0],
                              (long long)stride[1], (long long)dilation, (long long)pad[1]);
    Dim y_dims[] = {n, to[0], to[1], c};
    mg_textf(&g->body, "    %s[n, h, w, c]: %s[%s, %s, %s, %s] = ", y, mg_dtype(type)->name, n.text,
             to[0].text, to[1].text, c.text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
    mg_textf(&g->body, forms[form], rows, columns, read, factor);
#pragma GCC diagnostic pop
    mg_text_add(&g->body, "\n");
    keep(g, result(y, type, 4, y_dims, x.size * 32));
    return true;
}

// Pools, and returns the position of each maximum.
static bool pool_places(Gen *g) {
    Dim dims[] = {open_or(g, 0, between(g, 1, 2)), number(g, between(g, 1, 20)),
                  number(g, 2 * between(g, 2, 9)), number(g, 2 * between(g, 2, 9))};
    Value x = need(g, MG_F32, 4, dims);
    const char *y = fresh(g), *at = fresh(g);
    mg_textf(&g->body, "    %s, %s = max_pool_index(%s, kernel = 2, stride = 2%s)\n", y, at, x.name,
             chance(g, 50) ? ", per_channel = true" : "");
    dims[2] = number(g, dims[2].n / 2);
    dims[3] = number(g, dims[3].n / 2);
    keep(g, result(y, MG_F32, 4, dims, x.size));
    keep(g, result(at, MG_I64, 4, dims, 1e4));
    return true;
}

const StatementRow image_statements[] = {
    {image_layers, 8}, {windows_last, 2}, {pool_places, 1}, {0}};
