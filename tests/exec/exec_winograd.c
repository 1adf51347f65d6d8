// Tests random convolutions of every form that Winograd's algorithm takes against the reference
// interpreter: odd sizes, padding, groups, several images, epilogues, infinities, and numbers that
// overflow on the way; at -O3, with one thread and two. The weights are known, or an input, which
// may be read as derivatives read it. Every second one runs again at -O3 or -O2 with open image
// sizes and an open number of images.
//
//   exec_winograd FIRST COUNT
//
// The last line is 'N passed, N failed'.
#include "frontend/sema.h"
#include "runtime/bounds.h"
#include "tests/exec/compare.h"
#include "tests/exec/seeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float number(Random *r) {
    return ((float)draw(r, 65536) - 32768.0f) / 16384.0f;
}

typedef struct Layer {
    int64_t images, groups, channels, maps, height, width, pad;
    bool bias, relu, residual, special;
    bool given, turned, backward; // the weights are given, and turned; the image is read backward
} Layer;

enum { OTHERS = 5 }; // more sets of sizes than are compiled for

static Layer draw_layer(Random *r) {
    Layer l = {.images = 1 + draw(r, 2),
               .groups = draw(r, 3) ? 1 : 2,
               .channels = 9 + draw(r, 30),
               .maps = 9 + draw(r, 40),
               .height = 1 + draw(r, 19),
               .width = 1 + draw(r, 23),
               .pad = draw(r, 3)};
    l.height += l.pad ? 0 : 2;
    l.width += l.pad ? 0 : 2;
    if (draw(r, 8) == 0) { // so deep that sums are split into parts
        l.channels = 180;
        l.height = 3 + l.height % 4;
    }
    l.bias = draw(r, 2);
    l.relu = draw(r, 2);
    l.residual = draw(r, 3) == 0;
    l.special = draw(r, 4) == 0;
    l.given = draw(r, 2);
    l.turned = l.given && l.groups == 1 && draw(r, 2);
    l.backward = l.groups == 1 && draw(r, 3) == 0;
    if (l.given && draw(r, 2)) { // several images are a block
        l.images = 2 + draw(r, 7);
        l.height = 3 + draw(r, 5);
        l.width = 3 + draw(r, 5);
    }
    return l;
}

static void add_weights(const Layer *l, MgText *t) {
    long long m = l->groups * l->maps, c = l->channels;
    if (l->turned)
        mg_textf(
            t, "    w[m, c, i in 0..3, j in 0..3]: f32[%lld, %lld, 3, 3] = v[c, m, 2 - i, 2 - j]\n",
            m, c);
    else if (l->given)
        mg_textf(t, "    w = v\n");
    else
        mg_textf(t,
                 "    w[m in 0..%lld, c in 0..%lld, i in 0..3, j in 0..3]: f32[%lld, %lld, 3, 3]"
                 " = sin(7 * m + 3 * c + 11 * i * i + 5 * j)\n",
                 m, c, m, c);
}

// A convolution that reads the image at place - tap.
static void add_backward(const Layer *l, bool open, MgText *t) {
    long long more = 2 * l->pad - 2, pad = 2 - l->pad;
    mg_textf(t, "    s[n, m, h in 0..");
    mg_textf(t, open ? "H + %lld, l in 0..W + %lld" : "%lld, l in 0..%lld",
             open ? more : l->height + more, open ? more : l->width + more);
    mg_textf(t,
             "] = sum[c, i in 0..3, j in 0..3] (x[n, c, h + %lld - i, l + %lld - j] else 0)"
             " * w[m, c, i, j]\n",
             pad, pad);
}

static const char *source(const Layer *l, bool open, MgArena *arena) {
    int64_t c = l->groups * l->channels, m = l->groups * l->maps;
    int64_t h = l->height + 2 * l->pad - 2, w = l->width + 2 * l->pad - 2;
    MgText t = mg_text(arena);
    if (open)
        mg_textf(&t, "mg 1\ngraph g(x: f32[N, %lld, H, W], z: f32[N, %lld, H + %lld, W + %lld]",
                 (long long)c, (long long)m, (long long)(2 * l->pad - 2),
                 (long long)(2 * l->pad - 2));
    else
        mg_textf(&t, "mg 1\ngraph g(x: f32[%lld, %lld, %lld, %lld], z: f32[%lld, %lld, %lld, %lld]",
                 (long long)l->images, (long long)c, (long long)l->height, (long long)l->width,
                 (long long)l->images, (long long)m, (long long)h, (long long)w);
    if (l->given)
        mg_textf(&t, ", v: f32[%lld, %lld, 3, 3]", (long long)(l->turned ? l->channels : m),
                 (long long)(l->turned ? m : l->channels));
    mg_textf(&t, ") -> (y)\n{\n");
    add_weights(l, &t);
    mg_textf(&t, "    b[m in 0..%lld]: f32[%lld] = cos(m)\n", (long long)m, (long long)m);
    if (l->backward)
        add_backward(l, open, &t);
    else
        mg_textf(&t, "    s = conv2d(x, w%s, pad = %lld, groups = %lld)\n", l->bias ? ", b" : "",
                 (long long)l->pad, (long long)l->groups);
    mg_textf(&t, "    t = %s\n", l->residual ? "s + z" : "s");
    mg_textf(&t, "    y = %s\n}\n", l->relu ? "relu(t)" : "t * 1.5");
    return mg_text_str(&t);
}

static MgInterpTensor tensor(Random *r, MgArena *arena, int64_t n, int64_t c, int64_t h, int64_t w,
                             bool special) {
    MgInterpTensor t = {.dtype = MG_F32, .rank = 4, .n = (size_t)(n * c * h * w)};
    int64_t shape[] = {n, c, h, w};
    static const float specials[] = {INFINITY, -INFINITY, NAN, 3e38f, -2e37f};
    t.shape = mg_arena_copy(arena, shape, 4, sizeof *shape);
    float *x = MG_NEW_N(arena, float, t.n);
    for (size_t i = 0; i < t.n; i++)
        x[i] = number(r);
    for (int i = 0; special && i < 3; i++)
        x[draw(r, (uint32_t)t.n)] = specials[draw(r, 5)];
    t.data = x;
    return t;
}

static MgInterpTensor weights(Random *r, MgArena *arena, const Layer *l) {
    int64_t maps = l->groups * l->maps, channels = l->channels;
    return l->turned ? tensor(r, arena, channels, maps, 3, 3, false)
                     : tensor(r, arena, maps, channels, 3, 3, false);
}

// ---------------------------------------------------------------- open sizes

static bool run_size(MgInstance *instance, const MgInterpTensor *in, uint32_t n,
                     const MgInterpTensor *out) {
    const void *data;
    const int64_t *dims;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = mg_bind_input(instance, i, in[i].data, in[i].rank, in[i].shape) == MG_OK;
    ok = ok && mg_run(instance) == MG_OK && mg_output(instance, 0, &data, &dims) == MG_OK;
    if (!ok)
        printf("%s\n", mg_instance_message(instance));
    MgComparison c = {.ok = ok};
    if (ok && out)
        c = mg_interp_compare(out, data);
    if (ok && !c.ok)
        printf("[%zu] is %g, expected %g, bound %g\n", c.first_bad, c.got, c.expected, c.bound);
    return c.ok || (ok && !out);
}

// A narrow image with few lines, or a wide one, which has several blocks side by side.
static void other_sizes(const Layer *l, uint64_t seed, Layer *to) {
    *to = *l;
    to->height = 3 + (int64_t)(seed % 4);
    to->width = seed % 2 ? 140 : 5;
}

static bool run_open(MgSession *session, Random *r, const Layer *l, uint64_t seed, int32_t level) {
    MgContextOptions of_context = {.threads = 1 + (uint32_t)seed % 2, .cache_folder = ""};
    MgCompileOptions options = {.level = level};
    MgContext *context;
    MgModel *model = NULL;
    MgInstance *instance = NULL;
    const char *text = source(l, true, session->arena);
    MgModule *module = mg_load_module_text(session, "open.mg", text, strlen(text));
    if (!module || mg_context_new(&of_context, &context) != MG_OK)
        return false;
    bool ok = mg_model_compile(context, "open.mg", text, strlen(text), &options, &model) == MG_OK &&
              mg_instance_new(model, context, &instance) == MG_OK;
    for (int k = 0; ok && k <= OTHERS; k++) {
        Layer size = *l, other;
        other_sizes(l, seed + (uint64_t)k, &other);
        if (k < OTHERS)
            size = (Layer){.images = 1, .height = 3 + k, .width = 4 + k};
        else if (seed % 3 == 0)
            size = other;
        int64_t h = size.height + 2 * l->pad - 2, w = size.width + 2 * l->pad - 2;
        MgInterpTensor out, *wide = NULL;
        MgInterpTensor in[] = {
            tensor(r, session->arena, size.images, l->groups * l->channels, size.height, size.width,
                   k == OTHERS && l->special),
            tensor(r, session->arena, size.images, l->groups * l->maps, h, w, false),
            weights(r, session->arena, l)};
        MgInterpOptions interp = {.bounds = true};
        ok = k < OTHERS || (mg_interp(module->graphs.at[0], in, &out, &interp, session->arena) &&
                            (wide = mg_model_widen(model, context, in, &out, session->arena)));
        ok = ok && run_size(instance, in, l->given ? 3 : 2, wide);
    }
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    if (!ok)
        printf("seed %llu: open sizes at -O%d\n%s", (unsigned long long)seed, level, text);
    return ok;
}

// ---------------------------------------------------------------- derivatives by weights
// The sum over images and places, and what an optimiser adds to it.
static const char *taps_source(const Layer *l, MgArena *arena) {
    long long n = l->images, c = l->channels, m = l->maps, pad = l->pad;
    long long h = l->height, w = l->width;
    MgText t = mg_text(arena);
    mg_textf(&t, "mg 1\ngraph g(x: f32[%lld, %lld, %lld, %lld], d: f32[%lld, %lld, %lld, %lld]", n,
             c, h, w, n, m, h + 2 * pad - 2, w + 2 * pad - 2);
    mg_textf(&t, ", v: f32[%lld, %lld, 3, 3]) -> (y)\n{\n", m, c);
    mg_textf(&t,
             "    s[m, c, k in 0..3, l in 0..3] = sum[n, i, j] %s * (x[n, c, i + k - %lld, "
             "j + l - %lld] else 0)\n",
             l->relu ? "max(d[n, m, i, j], 0)" : "d[n, m, i, j]", pad, pad);
    mg_textf(&t, "    y = %s\n}\n", l->residual ? "v - 0.5 * s" : "s");
    return mg_text_str(&t);
}

static bool run_taps(uint64_t seed) {
    MgSession *session = mg_session_new(0);
    Random r = mg_seed(seed + 1000000);
    Layer l = draw_layer(&r);
    l.images = 1 + draw(&r, 3);
    l.channels = 1 + draw(&r, 24);
    l.maps = 1 + draw(&r, 24);
    int64_t h = l.height + 2 * l.pad - 2, w = l.width + 2 * l.pad - 2;
    const char *text = taps_source(&l, session->arena);
    MgInterpTensor inputs[] = {
        tensor(&r, session->arena, l.images, l.channels, l.height, l.width, l.special),
        tensor(&r, session->arena, l.images, l.maps, h, w, l.special && draw(&r, 2)),
        tensor(&r, session->arena, l.maps, l.channels, 3, 3, false)};
    MgExecOptions options = {
        .levels = "3", .threads = "12", .winograd = (MgWinograd)(seed % 4 ? seed % 2 + 2 : 0)};
    MgExecResult result =
        mg_exec_compare(session, "taps.mg", text, strlen(text), NULL, inputs, 3, &options);
    printf("seed %llu: by weights %s: %zu elements, worst %.2f of 8\n", (unsigned long long)seed,
           result.ok ? "passed" : "FAILED", result.elements, result.worst);
    if (!result.ok)
        printf("%s\n%s", result.what, text);
    mg_session_free(session);
    return result.ok;
}

static bool run(uint64_t seed) {
    MgSession *session = mg_session_new(0);
    Random r = mg_seed(seed);
    Layer l = draw_layer(&r);
    const char *text = source(&l, false, session->arena);
    int64_t h = l.height + 2 * l.pad - 2, w = l.width + 2 * l.pad - 2;
    MgInterpTensor inputs[] = {
        tensor(&r, session->arena, l.images, l.groups * l.channels, l.height, l.width, l.special),
        tensor(&r, session->arena, l.images, l.groups * l.maps, h, w, false),
        weights(&r, session->arena, &l)};
    MgExecOptions options = {
        .levels = "3", .threads = "12", .winograd = (MgWinograd)(seed % 3 ? seed % 3 + 1 : 0)};
    MgExecResult result = mg_exec_compare(session, "winograd.mg", text, strlen(text), NULL, inputs,
                                          l.given ? 3 : 2, &options);
    printf("seed %llu: %s: %zu elements, worst %.2f of 8\n", (unsigned long long)seed,
           result.ok ? "passed" : "FAILED", result.elements, result.worst);
    if (!result.ok)
        printf("%s\n%s", result.what, text);
    bool ok = result.ok && (seed % 4 || run_open(session, &r, &l, seed, 3)) &&
              (seed % 4 != 2 || run_open(session, &r, &l, seed, 2));
    mg_session_free(session);
    return run_taps(seed) && ok;
}

int main(int argc, char **argv) {
    return mg_run_seeds(argc, argv, run);
}
