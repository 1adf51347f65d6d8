// Tests convolutions of a table of sizes against the reference interpreter: one image with a bias
// and two without, with and without a residual, followed by a ReLU; at -O2 (some at -O3 too), with
// one thread and two. The sizes are small and fill vectors, strips and tiles in every way; there is
// one for each way in which threads share the work.
//
// The last line is 'N passed, N failed'.
#include "runtime/tuned.h"
#include "support/files.h"
#include "tests/exec/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Layer {
    int channels, maps, groups, height, width, kernel, stride, pad, dilation;
    int columns; // columns of a block, as mgc tune could choose them; 0: the default
} Layer;

static const Layer LAYERS[] = {
    // small images, outputs that fill strips of two vectors, half of one, or none
    {8, 48, 1, 7, 7, 3, 1, 1, 1, 0},
    {4, 80, 1, 7, 7, 3, 1, 1, 1, 0},
    {2, 208, 1, 7, 7, 3, 1, 1, 1, 0},
    {3, 100, 1, 7, 7, 3, 1, 1, 1, 0},
    {12, 48, 1, 4, 5, 3, 1, 1, 1, 0},
    {8, 80, 1, 4, 5, 3, 1, 1, 1, 0},
    {5, 208, 1, 4, 5, 3, 1, 1, 1, 0},
    {40, 48, 1, 7, 7, 1, 1, 0, 1, 0},
    {60, 80, 1, 4, 5, 1, 1, 0, 1, 0},
    // strides, no padding, groups, other windows
    {12, 48, 1, 7, 7, 3, 2, 1, 1, 0},
    {8, 208, 1, 4, 5, 3, 2, 1, 1, 0},
    {48, 80, 1, 7, 7, 1, 2, 0, 1, 0},
    {17, 80, 1, 4, 5, 3, 1, 0, 1, 0},
    {6, 96, 2, 7, 7, 3, 1, 1, 1, 0},
    {16, 80, 4, 4, 5, 3, 1, 1, 1, 0},
    {10, 416, 2, 7, 7, 1, 1, 0, 1, 0},
    {2, 48, 1, 7, 7, 5, 1, 2, 1, 0},
    {4, 80, 1, 7, 7, 3, 1, 2, 2, 0},
    // taps far apart, most of which are outside: sums of their own, with a stride, for some rows
    {64, 48, 1, 11, 26, 3, 1, 8, 8, 0},
    {48, 32, 1, 29, 13, 3, 2, 10, 10, 0},
    {32, 16, 1, 10, 9, 3, 1, 12, 12, 0},
    // sums in parts
    {180, 12, 1, 4, 4, 3, 1, 1, 1, 0},
    // shared among threads: tiles of packed rows or columns, strips; a first layer with many taps
    {6, 256, 1, 5, 13, 3, 1, 1, 1, 0},
    {1, 64, 1, 17, 16, 3, 1, 1, 1, 0},
    {1, 16, 1, 28, 28, 3, 1, 1, 1, 0},
    {1, 20, 1, 35, 29, 11, 4, 2, 1, 0},
    // each worker's strips fill its blocks, and the last one has a narrow strip after them
    {16, 33, 1, 30, 37, 1, 2, 0, 1, 16},
    {16, 33, 1, 29, 59, 1, 2, 0, 1, 48},
};

typedef struct Form {
    int images;
    bool bias, residual, relu;
} Form;

enum { FORMS = 2, MOST_INPUTS = 2 * FORMS };

// Number f of a layer; every other layer has them in reverse.
static Form form(const Layer *l, int f) {
    bool odd = (l - LAYERS) % 2;
    return (Form){.images = 1 + f, .bias = !f, .residual = odd == !f, .relu = odd == !!f};
}

static int out_size(const Layer *l, int size) {
    return (size + 2 * l->pad - l->dilation * (l->kernel - 1) - 1) / l->stride + 1;
}

// Each form has its own images and weights, so that no two share a value. Weights are a function of
// their position, so they are known at compile time.
static const char *source(const Layer *l, MgArena *arena) {
    MgText t = mg_text(arena);
    const char *comma = "";
    mg_textf(&t, "mg 1\ngraph g(");
    for (int f = 0; f < FORMS; f++) {
        mg_textf(&t, "%sx%d: f32[%d, %d, %d, %d]", comma, f, form(l, f).images, l->channels,
                 l->height, l->width);
        comma = ", ";
        if (form(l, f).residual)
            mg_textf(&t, ", z%d: f32[%d, %d, %d, %d]", f, form(l, f).images, l->maps,
                     out_size(l, l->height), out_size(l, l->width));
    }
    mg_textf(&t, ") -> (y0, y1)\n{\n    b[m in 0..%d]: f32[%d] = cos(m)\n", l->maps, l->maps);
    for (int f = 0; f < FORMS; f++) {
        int c = l->channels / l->groups, k = l->kernel;
        mg_textf(&t,
                 "    w%d[m in 0..%d, c in 0..%d, i in 0..%d, j in 0..%d]: f32[%d, %d, %d, %d] = "
                 "sin(7 * m + 3 * c + 11 * i * i + 5 * j + %d)\n",
                 f, l->maps, c, k, k, l->maps, c, k, k, f);
        mg_textf(&t,
                 "    s%d = conv2d(x%d, w%d%s, stride = %d, pad = %d, dilation = %d, "
                 "groups = %d)\n    y%d = ",
                 f, f, f, form(l, f).bias ? ", b" : "", l->stride, l->pad, l->dilation, l->groups,
                 f);
        if (form(l, f).relu)
            mg_textf(&t, "relu(");
        mg_textf(&t, "s%d", f);
        if (form(l, f).residual)
            mg_textf(&t, " + z%d", f);
        mg_textf(&t, form(l, f).relu ? ")\n" : "\n");
    }
    mg_textf(&t, "}\n");
    return mg_text_str(&t);
}

static MgInterpTensor tensor(MgArena *arena, int n, int c, int h, int w, uint32_t *random) {
    int64_t shape[] = {n, c, h, w};
    MgInterpTensor t = {.dtype = MG_F32, .rank = 4, .n = (size_t)(shape[0] * c * h * w)};
    t.shape = mg_arena_copy(arena, shape, 4, sizeof *shape);
    float *x = MG_NEW_N(arena, float, t.n);
    for (size_t i = 0; i < t.n; i++) {
        *random = *random * 1664525 + 1013904223; // Knuth's
        x[i] = (float)(*random >> 8) / (float)(1 << 23) - 1;
    }
    t.data = x;
    return t;
}

// Writes a file of parameters with this number of columns per block. NULL if it can't.
static const char *tuned_file(MgSession *session, int columns) {
    const char *path = mg_arena_printf(session->arena, "%s/mg-convolutions-tuned-%lld",
                                       mg_temporary_folder(), (long long)getpid());
    FILE *f = columns ? fopen(path, "w") : NULL;
    if (!f)
        return NULL;
    fprintf(f, "mg tuned 1\nmachine %s\nevery contraction.columns=%d\n", mg_tuned_machine(session),
            columns);
    return fclose(f) ? NULL : path;
}

static bool run(const Layer *l) {
    MgSession *session = mg_session_new(0);
    const char *text = source(l, session->arena);
    MgInterpTensor inputs[MOST_INPUTS];
    uint32_t n = 0, random = 1;
    for (int f = 0; f < FORMS; f++) {
        int images = form(l, f).images;
        inputs[n++] = tensor(session->arena, images, l->channels, l->height, l->width, &random);
        if (form(l, f).residual)
            inputs[n++] = tensor(session->arena, images, l->maps, out_size(l, l->height),
                                 out_size(l, l->width), &random);
    }
    MgExecOptions options = {.levels = (l - LAYERS) % 6 ? "2" : "23",
                             .threads = "12",
                             .tuned = tuned_file(session, l->columns)};
    MgExecResult r =
        mg_exec_compare(session, "conv.mg", text, strlen(text), NULL, inputs, n, &options);
    if (options.tuned)
        unlink(options.tuned);
    r.ok &= !l->columns == !options.tuned; // it could be written
    printf("%d x %d x %d to %d: %s: %zu elements, worst %.2f of 8\n", l->channels, l->height,
           l->width, l->maps, r.ok ? "passed" : "FAILED", r.elements, r.worst);
    if (!r.ok)
        printf("%s\n%s", r.what, text);
    mg_session_free(session);
    return r.ok;
}

int main(void) {
    uint32_t passed = 0, all = sizeof LAYERS / sizeof *LAYERS;
    for (uint32_t i = 0; i < all; i++)
        passed += run(&LAYERS[i]);
    printf("%u passed, %u failed\n", passed, all - passed);
    return passed == all ? EXIT_SUCCESS : EXIT_FAILURE;
}
