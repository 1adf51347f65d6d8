// Tests programs whose jumps exact arithmetic decides: resizes of every kind, and random index
// arithmetic, in one op and across several. At every level and on both targets the result must
// equal the interpreter's, and no element may be exempt.
//
//   exec_rounding FIRST COUNT [--levels=…] [--threads=…] [--target=gpu]
//
// The last line is 'N passed, N failed'.
#include "tests/exec/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96 }; // elements of the inputs of index arithmetic

typedef struct Random {
    uint64_t state;
    MgText *out;
} Random;

static uint32_t draw(Random *r, uint32_t n) { // Knuth's generator, its upper bits
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % n);
}

#define PICK(r, table) (table)[draw(r, sizeof(table) / sizeof *(table))]

// ---------------------------------------------------------------- resizes

static const char *const coordinates[] = {
    "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel",  "asymmetric",
    "align_corners", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

static const char *word(Random *r, const char *one, const char *other) {
    return draw(r, 2) ? one : other;
}

// The options of each operator, after the coordinates. inside: no place may be far outside the
// input, where all weights would be excluded and there would be none to divide by.
static void write_nearest(Random *r, bool inside) {
    (void)inside;
    mg_textf(r->out, ", rounding = \"%s\"", PICK(r, roundings));
}

static void write_cubic(Random *r, bool inside) {
    mg_textf(r->out, ", exclude_outside = %s", word(r, inside ? "true" : "false", "false"));
}

static void write_antialias(Random *r, bool inside) {
    mg_textf(r->out, ", mode = \"%s\"", word(r, "linear", "cubic"));
    write_cubic(r, inside);
}

static void write_axis(Random *r, bool inside) {
    const char *mode = draw(r, 3) ? word(r, "linear", "cubic") : "nearest";
    mg_textf(r->out, ", mode = \"%s\", antialias = %s, outside = 7", mode,
             word(r, "true", "false"));
    write_nearest(r, inside);
    write_cubic(r, inside);
}

static const struct Resize {
    const char *name;
    void (*options)(Random *r, bool inside); // NULL: none
} resizes[] = {{"nearest", write_nearest}, {"nearest", write_nearest},     {"linear", NULL},
               {"cubic", write_cubic},     {"antialias", write_antialias}, {"axis", write_axis}};

// Scales are given as in real models: they determine the size, rounded down, and the length need
// not be whole.
static void write_scale(Random *r, uint32_t from) {
    static const double scales[] = {0.25, 0.3, 0.5, 0.6, 0.7, 0.9, 1.1, 1.3, 1.5, 2, 2.7, 3.3};
    double scale = PICK(r, scales);
    uint32_t to = (uint32_t)(from * scale);
    to = to ? to : 1;
    mg_textf(r->out, ", to = %u, scale = %g", to, scale);
}

static void write_size(Random *r, uint32_t from) {
    uint32_t to = draw(r, 2) ? 1 + draw(r, 130) : from * (1 + draw(r, 6));
    mg_textf(r->out, ", to = %u", to);
}

// Returns the size of the input.
static int64_t write_resize(Random *r) {
    const struct Resize *kind = &PICK(r, resizes);
    uint32_t from = 1 + draw(r, 60);
    mg_textf(r->out, "mg 1\ngraph g(x: f32[%u]) -> (y) {\n    y = resize_%s(x", from, kind->name);
    if (draw(r, 3))
        write_size(r, from);
    else
        write_scale(r, from);
    const char *of = PICK(r, coordinates);
    mg_textf(r->out, ", axis = 0, coordinates = \"%s\"", of);
    bool inside = strcmp(of, "tf_crop_and_resize") != 0 || draw(r, 2);
    if (!inside)
        mg_textf(r->out, ", begin = 0.%u, end = 1.%u", draw(r, 10), draw(r, 10));
    if (kind->options)
        kind->options(r, inside);
    mg_textf(r->out, ")\n}\n");
    return from;
}

// Images, along both axes. Returns the size of the input.
static int64_t write_images(Random *r) {
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    uint32_t height = 1 + draw(r, 9), width = 1 + draw(r, 9);
    mg_textf(r->out, "mg 1\ngraph g(x: f32[%u]) -> (y) {\n", height * width);
    mg_textf(r->out, "    i = reshape(x, shape = [1, 1, %u, %u])\n", height, width);
    mg_textf(r->out, "    y = resize2d(i, height = %u, width = %u, mode = \"%s\"", 1 + draw(r, 20),
             1 + draw(r, 20), PICK(r, modes));
    mg_textf(r->out, ", coordinates = \"%s\")\n}\n", coordinates[draw(r, 5)]); // the operator's own
    return height * width;
}

// ---------------------------------------------------------------- index arithmetic

static void write_number(Random *r) {
    static const char *const numbers[] = {"0.1", "0.2", "0.3", "0.5",  "0.7",   "1.5",
                                          "3",   "7",   "10",  "0.01", "6.283", "1.1"};
    mg_textf(r->out, "%s", PICK(r, numbers));
}

// An exact expression over the index i, the inputs and the values so far.
static void write_exact(Random *r, uint32_t values, uint32_t depth) {
    static const char *const infix[] = {"+", "-", "*"};
    if (depth == 0 || draw(r, 6) == 0) {
        uint32_t leaf = draw(r, 3 + values);
        if (leaf == 0)
            mg_textf(r->out, "f32(i)");
        else if (leaf < 3)
            mg_textf(r->out, "%s[i]", leaf == 1 ? "x" : "t");
        else
            mg_textf(r->out, "f32(v%u[i])", leaf - 3);
        return;
    }
    uint32_t form = draw(r, 8);
    mg_textf(r->out, form == 7 ? "sqrt(abs(" : "(");
    write_exact(r, values, depth - 1);
    if (form == 7) {
        mg_textf(r->out, ") + 1)");
    } else if (form < 3) {
        mg_textf(r->out, " %s ", PICK(r, infix));
        write_exact(r, values, depth - 1);
        mg_textf(r->out, ")");
    } else { // quotients by constants, and sums that fma would contract
        mg_textf(r->out, " %s ", form < 5 ? "/" : form == 5 ? "*" : "+");
        write_number(r);
        mg_textf(r->out, ")");
    }
}

static void write_jump(Random *r, uint32_t values) {
    static const char *const jumps[] = {"floor(@)",
                                        "ceil(@)",
                                        "round(@)",
                                        "trunc(@)",
                                        "sign(@)",
                                        "f32(i32(@))",
                                        "f32(saturate(@, i8))",
                                        "where(@ > 3, x[i], t[i])",
                                        "where(@ == f32(i), x[i], t[i])",
                                        "where(@ <= t[i], 1, 2)",
                                        "x[clamp(i64(@), 96)]",
                                        "@ % 7",
                                        "f32(argmax[k in 0..5] @ * (k - 2) / 3)"};
    const char *at = PICK(r, jumps);
    for (; *at; at++)
        if (*at == '@')
            write_exact(r, values, 1 + draw(r, 3));
        else
            mg_textf(r->out, "%c", *at);
}

static int64_t write_arithmetic(Random *r) {
    uint32_t values = draw(r, 4);
    mg_textf(r->out, "mg 1\ngraph g(x: f32[%d], t: f32[%d]) -> (y: f32[%d]) {\n", N, N, N);
    for (uint32_t v = 0; v < values; v++) {
        bool half = !draw(r, 4); // kept small, since values that nearly overflow are exempt
        mg_textf(r->out, "    v%u[i in 0..%d]: %s[%d] = ", v, N, half ? "f16" : "f32", N);
        mg_textf(r->out, half ? "min(max((" : "(");
        write_exact(r, v, 1 + draw(r, 3));
        mg_textf(r->out, ") / ");
        write_number(r);
        mg_textf(r->out, half ? ", -999), 999)\n" : "\n");
    }
    mg_textf(r->out, "    y[i in 0..%d]: f32[%d] = ", N, N);
    write_jump(r, values);
    mg_textf(r->out, "\n}\n");
    return N;
}

// ---------------------------------------------------------------- one program

// Small whole numbers, halves and tenths, which bring arithmetic close to jumps.
static MgInterpTensor input(Random *r, MgArena *arena, int64_t n, bool counts) {
    float *x = MG_NEW_N(arena, float, (size_t)n);
    static const float units[] = {1, 0.5F, 0.1F, 1.0F / 3};
    for (int64_t i = 0; i < n; i++)
        x[i] = counts ? (float)i : (float)draw(r, 41) * PICK(r, units) - 5;
    return (MgInterpTensor){.dtype = MG_F32,
                            .rank = 1,
                            .shape = mg_arena_copy(arena, &n, 1, sizeof n),
                            .n = (size_t)n,
                            .data = x};
}

static bool run(uint64_t seed, const MgExecOptions *options) {
    MgSession *session = mg_session_new(0);
    MgText text = mg_text(session->arena);
    Random r = {seed * 977 + 5, &text};
    for (int i = 0; i < 4; i++)
        draw(&r, 2);
    bool resize = seed % 2;
    int64_t n = seed % 8 == 3 ? write_images(&r) : resize ? write_resize(&r) : write_arithmetic(&r);
    const char *program = mg_text_str(&text);
    MgInterpTensor inputs[] = {input(&r, session->arena, n, resize),
                               input(&r, session->arena, n, false)};
    MgExecResult result = mg_exec_compare(session, "rounding.mg", program, strlen(program), NULL,
                                          inputs, resize ? 1 : 2, options);
    if (result.ok && result.exempt) {
        result.ok = false;
        result.what = "elements are exempt though their jumps are exact";
    }
    if (!result.ok || options->verbose)
        printf("seed %llu: %s\n%s\n", (unsigned long long)seed, result.ok ? "passed" : result.what,
               program);
    mg_session_free(session);
    return result.ok;
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 20;
    MgExecOptions options = {.levels = "0123", .threads = "1"};
    for (int i = 3; i < argc; i++)
        if (!mg_exec_option(&options, argv[i])) {
            fprintf(stderr, "unknown flag %s\n", argv[i]);
            return 2;
        }
    if (!mg_exec_has_target(&options))
        return 77;
    uint32_t passed = 0, failed = 0;
    for (uint64_t i = 0; i < count; i++)
        if (run(first + i, &options))
            passed++;
        else
            failed++;
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
