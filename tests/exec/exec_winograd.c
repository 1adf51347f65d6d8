// Convolutions of every form that Winograd's algorithm takes, drawn at random: odd sizes, padding,
// groups, several images, epilogues, infinities and numbers that overflow on the way; at -O3, one
// and two threads, against the reference interpreter.
//
//   exec_winograd FIRST COUNT
//
// The last line is 'N passed, N failed'.
#include "tests/exec/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Random {
    uint64_t state;
} Random;

static uint32_t draw(Random *r, uint32_t n) { // Knuth's generator, its upper bits
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % n);
}

static float number(Random *r) {
    return ((float)draw(r, 65536) - 32768.0f) / 16384.0f;
}

typedef struct Layer {
    int64_t images, groups, channels, maps, height, width, pad;
    bool bias, relu, residual, special;
} Layer;

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
    l.bias = draw(r, 2);
    l.relu = draw(r, 2);
    l.residual = draw(r, 3) == 0;
    l.special = draw(r, 4) == 0;
    return l;
}

// Weights are a function of their place: known when it is compiled.
static const char *source(const Layer *l, MgArena *arena) {
    int64_t c = l->groups * l->channels, m = l->groups * l->maps;
    int64_t h = l->height + 2 * l->pad - 2, w = l->width + 2 * l->pad - 2;
    MgText t = mg_text(arena);
    mg_textf(&t,
             "mg 1\ngraph g(x: f32[%lld, %lld, %lld, %lld], z: f32[%lld, %lld, %lld, %lld]) "
             "-> (y)\n{\n",
             (long long)l->images, (long long)c, (long long)l->height, (long long)l->width,
             (long long)l->images, (long long)m, (long long)h, (long long)w);
    mg_textf(&t,
             "    w[m in 0..%lld, c in 0..%lld, i in 0..3, j in 0..3]: f32[%lld, %lld, 3, 3]"
             " = sin(7 * m + 3 * c + 11 * i * i + 5 * j)\n",
             (long long)m, (long long)l->channels, (long long)m, (long long)l->channels);
    mg_textf(&t, "    b[m in 0..%lld]: f32[%lld] = cos(m)\n", (long long)m, (long long)m);
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

static bool run(uint64_t seed) {
    MgSession *session = mg_session_new(0);
    Random r = {seed * 977 + 5};
    for (int i = 0; i < 4; i++)
        draw(&r, 2);
    Layer l = draw_layer(&r);
    const char *text = source(&l, session->arena);
    int64_t h = l.height + 2 * l.pad - 2, w = l.width + 2 * l.pad - 2;
    MgInterpTensor inputs[] = {
        tensor(&r, session->arena, l.images, l.groups * l.channels, l.height, l.width, l.special),
        tensor(&r, session->arena, l.images, l.groups * l.maps, h, w, false)};
    MgExecOptions options = {
        .levels = "3", .threads = "12", .winograd = (MgWinograd)(seed % 3 ? seed % 3 + 1 : 0)};
    MgExecResult result =
        mg_exec_compare(session, "winograd.mg", text, strlen(text), NULL, inputs, 2, &options);
    printf("seed %llu: %s: %zu elements, worst %.2f of 8\n", (unsigned long long)seed,
           result.ok ? "passed" : "FAILED", result.elements, result.worst);
    if (!result.ok)
        printf("%s\n%s", result.what, text);
    mg_session_free(session);
    return result.ok;
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 20;
    uint32_t passed = 0, failed = 0;
    for (uint64_t i = 0; i < count; i++)
        if (run(first + i))
            passed++;
        else
            failed++;
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
