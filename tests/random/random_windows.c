// Statements that call the library's products, convolutions, pools and normalisations of channels.
#include "tests/random/random_internal.h"

bool matmul(Gen *g) {
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
        bind_value(g, y,
                   chance(g, 50) ? format(g, "linear(%s, %s, %s)", a.name, w.name, b.name)
                                 : format(g, "linear(%s, %s)", a.name, w.name));
        return true;
    }
    Value b = need(g, a.dtype, batch + 2, dims),
          y = result(fresh(g), a.dtype, a.rank, a.dims, size * b.size);
    y.dims[a.rank - 1] = p;
    bind_value(g, y, format(g, "matmul(%s, %s)", a.name, b.name));
    return true;
}

typedef struct Window {
    uint32_t n; // spatial dimensions
    int64_t kernel[3], stride[3], dilation[3], pad[3], end[3], out[3];
    const char *kernels, *strides, *dilations, *pads, *ends;
    bool ceil;
} Window;

// A window over spatial dimensions x. False if nothing would be left.
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

// [N, C, ..X] with numbers as spatial dimensions, so that the sizes of results are known here.
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

bool conv(Gen *g) {
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
    bind_value(
        g, y,
        format(g, "%s(%s, %s%s%s, stride = %s, dilation = %s, pad = %s, pad_end = %s, groups = %u)",
               transposed ? "conv_transpose" : "conv", x.name, weight.name, biased ? ", " : "",
               biased ? bias.name : "", w.strides, w.dilations, w.pads, w.ends, groups));
    return true;
}

bool pool(Gen *g) {
    uint32_t spatial = (uint32_t)between(g, 1, 3);
    Value x = image(g, spatial, 1, between(g, 1, 4));
    Window w;
    if (!make_window(g, x.dims + 2, spatial, true, &w))
        return false;
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    for (uint32_t k = 0; k < spatial; k++)
        y.dims[2 + k] = number(g, w.out[k]);
    bool average = chance(g, 50);
    bind_value(g, y,
               format(g,
                      "%s(%s, kernel = %s, stride = %s, dilation = %s, pad = %s, pad_end = %s%s%s)",
                      average ? "avg_pool" : "max_pool", x.name, w.kernels, w.strides, w.dilations,
                      w.pads, w.ends, w.ceil ? ", ceil_mode = true" : "",
                      average && chance(g, 50) ? ", count_pad = true" : ""));
    return true;
}

bool channel_norm(Gen *g) {
    uint32_t groups = 1 + below(g, 3), spatial = (uint32_t)between(g, 1, 2);
    Value x = image(g, spatial, groups, between(g, 1, 3));
    Value w = need(g, x.dtype, 1, &x.dims[1]), b = need(g, x.dtype, 1, &x.dims[1]);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, 20);
    switch (below(g, 4)) {
    case 0:
        bind_value(g, y,
                   format(g, "group_norm(%s, %s, %s, groups = %u, eps = 0.01)", x.name, w.name,
                          b.name, groups));
        break;
    case 1:
        bind_value(g, y,
                   format(g, "instance_norm(%s, %s, %s, eps = 0.01)", x.name, w.name, b.name));
        break;
    case 2:
        bind_value(g, y,
                   format(g, "batch_norm(%s, %s, abs(%s), eps = 0.01)", x.name, w.name, b.name));
        break;
    default:
        bind_value(g, y, format(g, "lrn(%s, span = %u)", x.name, 1 + below(g, 4)));
    }
    return true;
}
