// Tests the error bound of Winograd's algorithm. An op has it only if the schedule uses the
// algorithm. It depends on the values that are summed in a tile, and it is so narrow that a kernel
// with one wrong coefficient is out of bounds.
#include "frontend/sema.h"
#include "runtime/compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The filters of `plain` have 5 x 5 taps, which the algorithm doesn't take. The second graph is
// computed by the algorithm's adjoint.
static const char *const sources[] = {
    "mg 1\n"
    "graph g(x: f32[1, 8, 14, 14], v: f32[16, 8, 5, 5]) -> (taken, plain) {\n"
    "    w[m in 0..16, c in 0..8, i in 0..3, j in 0..3]: f32[16, 8, 3, 3] =\n"
    "        sin(7 * m + 3 * c + 11 * i * i + 5 * j)\n"
    "    taken = conv2d(x, w, pad = 1)\n"
    "    plain = conv2d(x, v, pad = 2)\n"
    "}\n",
    "mg 1\n"
    "graph g(x: f32[1, 8, 14, 14], v: f32[16, 8, 5, 5]) -> (taken, plain) {\n"
    "    g[m in 0..16, i in 0..9, j in 0..9]: f32[16, 9, 9] = cos(7 * m + 3 * i * j + 5 * j)\n"
    "    taken[m in 0..16, c in 0..8, k in 0..3, l in 0..3] =\n"
    "        sum[n, i in 0..9, j in 0..9] g[m, i, j] * (x[n, c, i + k - 1, j + l - 1] else 0)\n"
    "    plain = v * 2\n"
    "}\n"};
enum { TAKEN, PLAIN, N_OUTPUTS, PIXELS = 8 * 14 * 14, WEIGHTS = 16 * 8 * 25 };

typedef struct Case {
    MgSession *session;
    MgProgram *program;
    MgInterpTensor inputs[2], defined[N_OUTPUTS], *expected;
} Case;

static float number(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 23) - 1;
}

// first: the value of the image's first pixel.
static bool make(Case *c, uint32_t winograd, bool of_taps, float first) {
    static int64_t shapes[2][4] = {{1, 8, 14, 14}, {16, 8, 5, 5}};
    c->session = mg_session_new(0);
    MgArena *arena = c->session->arena;
    float *data[2] = {MG_NEW_N(arena, float, PIXELS), MG_NEW_N(arena, float, WEIGHTS)};
    uint32_t state = 7;
    for (uint32_t k = 0; k < 2; k++) {
        size_t n = k ? WEIGHTS : PIXELS;
        for (size_t i = 0; i < n; i++)
            data[k][i] = number(&state);
        c->inputs[k] = (MgInterpTensor){
            .dtype = MG_F32, .rank = 4, .shape = shapes[k], .n = n, .data = data[k]};
    }
    data[0][0] = first;
    MgModule *m =
        mg_load_module_text(c->session, "bounds.mg", sources[of_taps], strlen(sources[of_taps]));
    MgCompileSettings settings = {
        .backend = mg_backend_find("cpu"), .level = 3, .workers = 1, .winograd = winograd};
    MgInterpOptions options = {.bounds = true};
    return m && mg_interp(m->graphs.at[0], c->inputs, c->defined, &options, arena) &&
           (c->program = mg_compile_program(m->graphs.at[0], NULL, &settings)) &&
           (c->expected = mg_program_widen(c->program, c->inputs, c->defined, &options, arena)) !=
               NULL;
}

// ---------------------------------------------------------------- which ops have the bound
static bool same_bounds(const MgInterpTensor *a, const MgInterpTensor *b) {
    return !memcmp(a->bound, b->bound, a->n * sizeof *a->bound);
}

static bool wider_everywhere(const MgInterpTensor *wide, const MgInterpTensor *than) {
    for (size_t i = 0; i < wide->n; i++)
        if (!(wide->bound[i] > than->bound[i]))
            return false;
    return true;
}

static bool where_used(uint32_t winograd, bool of_taps) {
    Case c;
    bool ok = make(&c, winograd, of_taps, 1) && same_bounds(&c.expected[PLAIN], &c.defined[PLAIN]);
    ok = ok && (winograd == MG_WINO_NEVER ? same_bounds : wider_everywhere)(&c.expected[TAKEN],
                                                                            &c.defined[TAKEN]);
    mg_session_free(c.session);
    return ok;
}

// A large pixel widens the bounds of its own tile only, also of outputs there that don't read it.
static bool by_tile(uint32_t winograd) {
    Case small, large;
    bool ok = make(&small, winograd, false, 1) && make(&large, winograd, false, 1e6f);
    size_t beside = 14 * 2 + 2, beyond = 14 * 13 + 13; // the filter reads the pixel at neither
    if (ok && winograd == MG_WINO_TILES_4)
        ok = large.expected[TAKEN].bound[beside] > 1e3 * small.expected[TAKEN].bound[beside];
    ok = ok && large.expected[TAKEN].bound[beyond] == small.expected[TAKEN].bound[beyond];
    mg_session_free(small.session);
    mg_session_free(large.session);
    return ok;
}

// ---------------------------------------------------------------- wrong coefficients
static bool passes(Case *c) {
    const MgProgram *p = c->program;
    MgArena *arena = c->session->arena;
    MgKBufferArg *memory = MG_NEW_N(arena, MgKBufferArg, p->bufs.len);
    for (uint32_t i = 0; i < p->bufs.len; i++) {
        uint32_t n = p->bufs.at[i].number;
        if (p->bufs.at[i].kind == MG_PLAN_INPUT)
            memory[i] = (MgKBufferArg){c->inputs[n].data, c->inputs[n].n * sizeof(float)};
        else if (p->bufs.at[i].kind == MG_PLAN_OUTPUT)
            memory[i] = (MgKBufferArg){MG_NEW_N(arena, float, c->expected[n].n),
                                       c->expected[n].n * sizeof(float)};
    }
    uint32_t trap;
    int64_t none = 0;
    bool ok = mg_program_interp(c->session, p, memory, &none, 1, NULL, NULL, &trap) && !trap;
    for (uint32_t i = 0; ok && i < p->bufs.len; i++)
        if (p->bufs.at[i].kind == MG_PLAN_OUTPUT)
            ok = mg_interp_compare(&c->expected[p->bufs.at[i].number], memory[i].data).ok;
    return ok;
}

typedef struct Constants {
    double values[64]; // their magnitudes, each once
    uint32_t n;
    double wrong; // the one to change; 0: they are collected
} Constants;

static void see(Constants *c, const MgKx *x) {
    if (!x)
        return;
    for (uint32_t i = 0; i < x->n_args; i++)
        see(c, x->args[i]);
    if (x->kind != MG_KX_CONST || !mg_is_float(x->type.dtype))
        return;
    double v = mg_bits_to_double(x->type.dtype, x->bits), size = fabs(v);
    if (c->wrong && size == c->wrong)
        ((MgKx *)(uintptr_t)x)->bits = mg_bits_from_double(x->type.dtype, v * 1.001);
    if (c->wrong || size == 0 || !isfinite(size))
        return;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->values[i] == size)
            return;
    if (c->n < sizeof c->values / sizeof *c->values)
        c->values[c->n++] = size;
}

static void see_block(Constants *c, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        see(c, s->x);
        see_block(c, &s->body);
        see_block(c, &s->orelse);
    }
}

static void see_all(Constants *c, const MgProgram *p) {
    for (uint32_t i = 0; i < p->sites.len; i++)
        if (!strcmp(p->sites.at[i].kind, "winograd") || !strcmp(p->sites.at[i].kind, "transform"))
            see_block(c, &p->kernels.at[p->sites.at[i].kernel]->body);
}

// Makes each coefficient of the transforms in turn wrong by a thousandth.
static bool wrong_ones_fail(uint32_t winograd, bool of_taps, uint32_t least) {
    Case c;
    Constants found = {.n = 0};
    bool ok = make(&c, winograd, of_taps, 1) && passes(&c);
    if (ok)
        see_all(&found, c.program);
    mg_session_free(c.session);
    for (uint32_t i = 0; ok && i < found.n; i++) {
        Constants change = {.wrong = found.values[i]};
        ok = make(&c, winograd, of_taps, 1);
        if (ok)
            see_all(&change, c.program);
        if (ok && passes(&c)) {
            printf("%g may be wrong\n", found.values[i]);
            ok = false;
        }
        mg_session_free(c.session);
    }
    return ok && found.n >= least;
}

int main(void) {
    const struct {
        const char *what;
        bool ok;
    } checks[] = {
        {"nothing is widened without the algorithm", where_used(MG_WINO_NEVER, false)},
        {"tiles of 2: one op is widened", where_used(MG_WINO_TILES_2, false)},
        {"tiles of 4: one op is widened", where_used(MG_WINO_TILES_4, false)},
        {"the adjoint: one op is widened, with the algorithm",
         where_used(MG_WINO_NEVER, true) && where_used(MG_WINO_TILES_4, true)},
        {"tiles of 2: by what meets in a tile", by_tile(MG_WINO_TILES_2)},
        {"tiles of 4: by what meets in a tile", by_tile(MG_WINO_TILES_4)},
        {"tiles of 2: wrong coefficients", wrong_ones_fail(MG_WINO_TILES_2, false, 1)},
        {"tiles of 4: wrong coefficients", wrong_ones_fail(MG_WINO_TILES_4, false, 8)},
        {"tiles of 2: wrong ones of the adjoint", wrong_ones_fail(MG_WINO_TILES_2, true, 1)},
        {"tiles of 4: wrong ones of the adjoint", wrong_ones_fail(MG_WINO_TILES_4, true, 8)},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        printf("%s: %s\n", checks[i].what, checks[i].ok ? "passed" : "FAILED");
        failed += !checks[i].ok;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
