// Compares random kernels that the CPU backend compiles with the kernel interpreter. Every output
// byte has to be the same, but any NaN stands for any other. Kernels use only what is exact on both
// sides: no transcendentals, and no max or min of floats, where the sign of a zero is open.
#include "backends/cpu/hand_program.h"

#include "tests/unit/check.h"
#include <math.h>
#include <string.h>

enum { INPUTS = 64, OUTPUTS = 512, KERNELS = 40, DEPTH = 4 };
// one input and one output buffer of each
static const MgDType types[] = {MG_F64, MG_F32, MG_F16,  MG_BF16,   MG_I64,
                                MG_I32, MG_I16, MG_I8,   MG_U64,    MG_U32,
                                MG_U16, MG_U8,  MG_BOOL, MG_F8E4M3, MG_F8E5M2};
enum { TYPES = sizeof types / sizeof *types };
_Static_assert(TYPES == (int)MG_DTYPE_COUNT, "every element type, in order of its number");

typedef struct Random {
    MgCpuProgram *c;
    MgKernel *k;
    uint64_t state;
    const MgKx *scope[64]; // variables that may be used here
    uint32_t n_scope;
    uint32_t next_output[TYPES];
    MgKBufId tile; // private f32<8>[4]
} Random;

static uint32_t pick(Random *r, uint32_t n) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % n;
}

static MgPrim choose(Random *r, const MgPrim *from, uint32_t n) {
    return from[pick(r, n)];
}
#define CHOOSE(r, ...)                                                                             \
    choose(r, (const MgPrim[]){__VA_ARGS__}, sizeof((const MgPrim[]){__VA_ARGS__}) / sizeof(MgPrim))

static const MgKx *expr(Random *r, MgKType t, uint32_t depth);

// An index below `limit`, scalar or a vector.
static const MgKx *inside(Random *r, uint32_t lanes, int64_t limit, uint32_t depth) {
    MgKType t = mg_kt(MG_I64, lanes);
    const MgKx *top = mg_kconst(r->k, t, (MgBits)limit);
    return mg_kprim(r->k, MG_PRIM_FMOD, expr(r, t, depth), top, NULL);
}

static const MgKx *leaf(Random *r, MgKType t) {
    MgKernel *k = r->k;
    for (uint32_t tries = 0; r->n_scope && tries < 4; tries++) {
        const MgKx *v = r->scope[pick(r, r->n_scope)];
        if (v->type.dtype == t.dtype && (v->type.lanes == t.lanes || v->type.lanes == 1))
            return mg_ksplat(k, v, t.lanes);
    }
    static const double values[] = {0, 1, -1, 2, 0.5, 3, 100, 1e6};
    if (t.dtype == MG_I64 && t.lanes > 1 && pick(r, 2))
        return mg_kramp(k, leaf(r, mg_kt(MG_I64, 1)), mg_kint(k, (int64_t)pick(r, 4) - 1), t.lanes);
    if (pick(r, 3))
        return mg_kload(k, t.dtype, mg_kint(k, pick(r, INPUTS - t.lanes + 1)), t.lanes, NULL, NULL);
    return mg_kconst(k, t, mg_bits_from_double(t.dtype, values[pick(r, 8)]));
}

static const MgKx *load(Random *r, MgKType t, uint32_t depth) {
    MgKernel *k = r->k;
    const MgKx *mask = pick(r, 2) ? expr(r, mg_kt(MG_BOOL, t.lanes), depth) : NULL;
    const MgKx *other = mask && pick(r, 2) ? leaf(r, t) : NULL;
    if (t.lanes > 1 && pick(r, 2))
        return mg_kload(k, t.dtype, inside(r, t.lanes, INPUTS, depth), t.lanes, mask, other);
    return mg_kload(k, t.dtype, inside(r, 1, INPUTS - t.lanes + 1, depth), t.lanes, mask, other);
}

// Converts other types and lanes to t.
static const MgKx *convert(Random *r, MgKType t, uint32_t depth) {
    MgKernel *k = r->k;
    uint8_t lanes[16];
    const MgKx *x;
    switch (pick(r, 4)) {
    case 0: {
        MgKType from = mg_kt(types[pick(r, TYPES)], t.lanes);
        bool saturates = mg_is_int(t.dtype) && from.dtype != MG_BOOL && pick(r, 3) == 0;
        return mg_kcast(k, saturates ? MG_PRIM_SATURATE : MG_PRIM_CAST, t.dtype,
                        expr(r, from, depth));
    }
    case 1:
        if (t.lanes > 1)
            return mg_ksplat(k, expr(r, mg_kt(t.dtype, 1), depth), t.lanes);
        return mg_klane(k, expr(r, mg_kt(t.dtype, 8), depth), pick(r, 8));
    case 2:
        x = expr(r, mg_kt(t.dtype, 8), depth);
        for (uint32_t i = 0; i < t.lanes; i++)
            lanes[i] = (uint8_t)pick(r, 16);
        return t.lanes > 1 ? mg_kpermute(k, x, expr(r, x->type, depth), lanes, t.lanes)
                           : mg_klane(k, x, 3);
    default:
        return load(r, t, depth);
    }
}

// f32 from a table, chosen by arbitrary bits.
static const MgKx *lookup(Random *r, uint32_t lanes, uint32_t depth) {
    static const double values[32] = {1,  -2, 3.5, 0,  8,  13, 21, 34, -0.0, 5,   6,
                                      7,  9,  10,  11, 12, 14, 15, 16, 17,   18,  19,
                                      20, 22, 23,  24, 25, 26, 27, 28, 29,   0.25};
    return mg_klookup(r->k, MG_F32, values, 1u << pick(r, 6), expr(r, mg_kt(MG_U32, lanes), depth));
}

static const MgKx *compare(Random *r, MgKType t, uint32_t depth) {
    MgKType of = mg_kt(types[pick(r, TYPES)], t.lanes);
    if (mg_is_short_float(of.dtype) || of.dtype == MG_BOOL)
        of.dtype = MG_F32;
    MgPrim p = CHOOSE(r, MG_PRIM_EQ, MG_PRIM_NE, MG_PRIM_LT, MG_PRIM_LE, MG_PRIM_GT, MG_PRIM_GE);
    return mg_kprim(r->k, p, expr(r, of, depth), expr(r, of, depth), NULL);
}

static const MgKx *arithmetic(Random *r, MgKType t, uint32_t depth) {
    MgKernel *k = r->k;
    if (t.dtype == MG_BOOL) {
        if (pick(r, 2))
            return compare(r, t, depth);
        MgPrim p = CHOOSE(r, MG_PRIM_AND, MG_PRIM_OR, MG_PRIM_XOR, MG_PRIM_EQ);
        return mg_kprim(k, p, expr(r, t, depth), expr(r, t, depth), NULL);
    }
    if (mg_is_short_float(t.dtype))
        return convert(r, t, depth);
    if (t.dtype == MG_F32 && pick(r, 8) == 0)
        return lookup(r, t.lanes, depth);
    const MgKx *a = expr(r, t, depth), *b = expr(r, t, depth);
    if (mg_is_float(t.dtype) && pick(r, 4) == 0)
        return mg_kprim(k, MG_PRIM_FMA, a, b, expr(r, t, depth));
    if (mg_is_float(t.dtype) && pick(r, 3) == 0)
        return mg_kprim(k,
                        CHOOSE(r, MG_PRIM_SQRT, MG_PRIM_FLOOR, MG_PRIM_CEIL, MG_PRIM_ROUND,
                               MG_PRIM_TRUNC, MG_PRIM_NEG, MG_PRIM_ABS, MG_PRIM_SIGN),
                        a, NULL, NULL);
    if (mg_is_float(t.dtype))
        return mg_kprim(
            k, CHOOSE(r, MG_PRIM_ADD, MG_PRIM_SUB, MG_PRIM_MUL, MG_PRIM_DIV, MG_PRIM_SCALEB), a, b,
            NULL);
    if (pick(r, 4) == 0)
        return mg_kprim(k, CHOOSE(r, MG_PRIM_NEG, MG_PRIM_ABS, MG_PRIM_SIGN, MG_PRIM_NOT), a, NULL,
                        NULL);
    return mg_kprim(k,
                    CHOOSE(r, MG_PRIM_ADD, MG_PRIM_SUB, MG_PRIM_MUL, MG_PRIM_DIV, MG_PRIM_REM,
                           MG_PRIM_FDIV, MG_PRIM_FMOD, MG_PRIM_MIN, MG_PRIM_MAX, MG_PRIM_AND,
                           MG_PRIM_OR, MG_PRIM_XOR, MG_PRIM_SHL, MG_PRIM_SHR),
                    a, b, NULL);
}

static const MgKx *expr(Random *r, MgKType t, uint32_t depth) {
    if (depth == 0 || pick(r, 6) == 0)
        return leaf(r, t);
    switch (pick(r, 6)) {
    case 0:
        return convert(r, t, depth - 1);
    case 1:
        return mg_kprim(r->k, MG_PRIM_WHERE, expr(r, mg_kt(MG_BOOL, t.lanes), depth - 1),
                        expr(r, t, depth - 1), expr(r, t, depth - 1));
    case 2:
        if (t.lanes == 1 && mg_is_int(t.dtype))
            return mg_kfold(r->k,
                            CHOOSE(r, MG_PRIM_ADD, MG_PRIM_MUL, MG_PRIM_MIN, MG_PRIM_MAX,
                                   MG_PRIM_AND, MG_PRIM_OR),
                            expr(r, mg_kt(t.dtype, pick(r, 2) ? 8 : 3), depth - 1));
        return arithmetic(r, t, depth - 1);
    default:
        return arithmetic(r, t, depth - 1);
    }
}

static void block(Random *r, MgKBlock *b, uint32_t depth);

static MgKType any_type(Random *r) {
    static const uint16_t lanes[] = {1, 4, 8, 16};
    return mg_kt(types[pick(r, TYPES)], lanes[pick(r, 4)]);
}

// Each store has a place of its own, so that a scatter does not depend on their order.
static void store(Random *r, MgKBlock *b) {
    MgKernel *k = r->k;
    MgKType t = any_type(r);
    uint32_t at = r->next_output[t.dtype];
    if (at + 32 > OUTPUTS)
        return;
    r->next_output[t.dtype] += 32;
    const MgKx *x = expr(r, t, DEPTH), *index = mg_kint(k, at);
    const MgKx *mask = pick(r, 3) == 0 ? expr(r, mg_kt(MG_BOOL, t.lanes), 2) : NULL;
    if (t.lanes > 1 && pick(r, 3) == 0)
        index = mg_kramp(k, index, mg_kint(k, 1 + (int64_t)pick(r, 2)), t.lanes);
    mg_kstore(k, b, TYPES + t.dtype, index, x, mask);
}

static void control(Random *r, MgKBlock *b, uint32_t depth) {
    MgKernel *k = r->k;
    uint32_t scope = r->n_scope;
    if (pick(r, 2)) {
        MgLoopKind kind = pick(r, 3) ? MG_LOOP_SERIAL : MG_LOOP_UNROLLED;
        MgKs *loop = mg_kfor(k, b, kind, "i", mg_kint(k, pick(r, 3)), mg_kint(k, pick(r, 9)),
                             1 + pick(r, 3));
        if (r->n_scope < 64)
            r->scope[r->n_scope++] = mg_kvar(k, loop->var);
        block(r, &loop->body, depth - 1);
    } else {
        MgKs *branch = mg_kif(k, b, expr(r, mg_kt(MG_BOOL, 1), 2));
        block(r, &branch->body, depth - 1);
        r->n_scope = scope;
        if (pick(r, 2))
            block(r, &branch->orelse, depth - 1);
    }
    r->n_scope = scope;
}

static void block(Random *r, MgKBlock *b, uint32_t depth) {
    for (uint32_t n = 1 + pick(r, 4); n--;) {
        const MgKx *zero = mg_kint(r->k, pick(r, 4));
        switch (pick(r, 5)) {
        case 0:
            if (depth)
                control(r, b, depth);
            break;
        case 1:
            if (r->n_scope < 64) {
                const MgKx *x = expr(r, any_type(r), DEPTH - 1);
                r->scope[r->n_scope++] = mg_klet_x(r->k, b, "v", x);
            }
            break;
        case 2:
            mg_kstore(r->k, b, r->tile, zero,
                      mg_kprim(r->k, MG_PRIM_ADD, mg_kload(r->k, r->tile, zero, 8, NULL, NULL),
                               expr(r, mg_kt(MG_F32, 8), 2), NULL),
                      NULL);
            break;
        default:
            store(r, b);
        }
    }
}

static MgKernel *random_kernel(MgCpuProgram *c, uint64_t seed) {
    Random r = {.c = c, .k = mg_hand_kernel(c, "random"), .state = seed};
    for (uint32_t i = 0; i < TYPES; i++)
        mg_kparam(r.k, mg_dtype(types[i])->name, types[i], true, false);
    for (uint32_t i = 0; i < TYPES; i++)
        mg_kparam(r.k, "out", types[i], false, true);
    MgKType v = mg_kt(MG_F32, 8);
    r.tile = mg_kalloc(r.k, "tile", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(r.k, 4));
    for (int64_t i = 0; i < 4; i++)
        mg_kstore(r.k, &r.k->body, r.tile, mg_kint(r.k, i), mg_kfloat(r.k, v, (double)i), NULL);
    for (int i = 0; i < 3; i++)
        block(&r, &r.k->body, 3);
    for (int64_t i = 0; i < 4; i++)
        mg_kstore(r.k, &r.k->body, TYPES + MG_F32, mg_kint(r.k, OUTPUTS + i * 8),
                  mg_kload(r.k, r.tile, mg_kint(r.k, i), 8, NULL, NULL), NULL);
    return r.k;
}

static void fill(void *data, MgDType d, uint64_t seed) {
    static const double values[] = {0,   1,   -1,  2,     0.5, -2.5, 7,        63,
                                    100, 255, 256, 40000, 1e6, 3e9,  INFINITY, NAN};
    Random r = {.state = seed};
    for (uint32_t i = 0; i < INPUTS; i++) {
        MgBits bits = d == MG_BOOL ? pick(&r, 2) : mg_bits_from_double(d, values[pick(&r, 16)]);
        memcpy((char *)data + i * mg_dtype_size(d), &bits, mg_dtype_size(d));
    }
}

static bool same(MgDType d, const char *a, const char *b) {
    MgBits x = 0, y = 0;
    memcpy(&x, a, mg_dtype_size(d));
    memcpy(&y, b, mg_dtype_size(d));
    if (x == y || !mg_is_float(d))
        return x == y;
    double u = mg_bits_to_double(d, x), v = mg_bits_to_double(d, y);
    return u != u && v != v;
}

// What a failure prints: the kernel, made again as it was before it was expanded.
static void show(MgCpuProgram *c, uint64_t seed, MgDType d, const char *got, const char *want) {
    MgText out = mg_text(c->session->arena);
    MgBits bits[2] = {0, 0};
    memcpy(&bits[0], got, mg_dtype_size(d));
    memcpy(&bits[1], want, mg_dtype_size(d));
    mg_kernel_print(random_kernel(c, seed), &out);
    fprintf(stderr, "%s\ngot %#llx (%g), expected %#llx (%g)\n", mg_text_str(&out),
            (unsigned long long)bits[0], mg_bits_to_double(d, bits[0]), (unsigned long long)bits[1],
            mg_bits_to_double(d, bits[1]));
}

static void run_seed(uint64_t seed) {
    MgCpuProgram c;
    mg_hand_begin(&c);
    size_t size = (OUTPUTS + 32) * 8;
    static _Alignas(64) char in[TYPES][INPUTS * 8];
    char *got[KERNELS][TYPES], *want[KERNELS][TYPES];
    MgKernel *kernels[KERNELS];
    for (uint32_t t = 0; t < TYPES; t++) {
        fill(in[t], types[t], seed + t);
        mg_hand_port(&c, in[t], types[t], INPUTS);
    }
    for (uint32_t n = 0; n < KERNELS; n++)
        for (uint32_t t = 0; t < TYPES; t++) {
            got[n][t] = mg_arena_alloc(c.session->arena, size, 1);
            want[n][t] = mg_arena_alloc(c.session->arena, size, 1);
            mg_hand_port(&c, got[n][t], types[t], OUTPUTS + 32);
        }
    mg_hand_ports_end(&c);
    for (uint32_t n = 0; n < KERNELS; n++) {
        MgKBufId buffers[2 * TYPES];
        MgKBufferArg args[2 * TYPES + 1];
        uint32_t trap = 0;
        kernels[n] = random_kernel(&c, seed * 1000 + n);
        for (uint32_t t = 0; t < TYPES; t++) {
            buffers[t] = t;
            buffers[TYPES + t] = TYPES + n * TYPES + t;
            args[t] = (MgKBufferArg){in[t], INPUTS * mg_dtype_size(types[t])};
            args[TYPES + t] = (MgKBufferArg){want[n][t], size};
        }
        bool good = mg_kernel_verify(c.session, kernels[n]) &&
                    mg_kernel_interp(c.session, kernels[n], args, NULL, 1, &trap);
        if (!good)
            mg_hand_show_errors(&c);
        ck_assert_msg(good, "seed %llu kernel %u", (unsigned long long)seed, n);
        mg_hand_call(&c, &c.program->plan->body, kernels[n], buffers, NULL);
    }
    ck_assert(mg_hand_compile(&c, NULL));
    mg_hand_run(&c, NULL, 1);
    for (uint32_t n = 0; n < KERNELS; n++)
        for (uint32_t t = 0; t < TYPES; t++)
            for (size_t i = 0; i < OUTPUTS + 32; i++) {
                size_t at = i * mg_dtype_size(types[t]);
                if (same(types[t], got[n][t] + at, want[n][t] + at))
                    continue;
                show(&c, seed * 1000 + n, types[t], got[n][t] + at, want[n][t] + at);
                ck_abort_msg("seed %llu, kernel %u: element %zu of %s differs",
                             (unsigned long long)seed, n, i, mg_dtype(types[t])->name);
            }
    mg_hand_end(&c);
}

START_TEST(random_kernels) {
    run_seed((uint64_t)_i + 1);
}
END_TEST

// MG_RANDOM_SEEDS=n runs n programs instead of a few.
int main(void) {
    const char *seeds = getenv("MG_RANDOM_SEEDS");
    Suite *suite = suite_create("cpu_random");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, random_kernels, 0, seeds ? atoi(seeds) : 3);
    suite_add_tcase(suite, tcase);
    return mg_test_run(suite, CK_FORK);
}
