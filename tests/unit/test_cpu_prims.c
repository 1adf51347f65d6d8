// Compares every primitive and every cast that the CPU backend compiles with its meaning on bits
// (mg_prim_eval), over special values, as scalars and in vectors with a masked remainder.
#include "backends/cpu/hand_program.h"

#include "tests/unit/check.h"
#include <math.h>
#include <string.h>

enum { N = 75, LANES = 8 }; // not a multiple of the lanes

static const double floats[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                -0.5,
                                1.5,
                                2.5,
                                -2.5,
                                3.7,
                                -3.2,
                                1e-3,
                                -1e-3,
                                7.0,
                                100.25,
                                -117.5,
                                127.0,
                                128.0,
                                -128.0,
                                -129.0,
                                255.0,
                                256.0,
                                32767.0,
                                32768.0,
                                -32769.0,
                                65504.0,
                                65519.0,
                                65520.0,
                                65536.0,
                                1e5,
                                2147483520.0,
                                2147483648.0,
                                -2147483648.0,
                                -2147483904.0,
                                4294967040.0,
                                4294967296.0,
                                9.2233720368547758e18,
                                -9.2233720368547758e18,
                                1.8446744073709552e19,
                                1e20,
                                -1e20,
                                6.1e-5,
                                5.96e-8,
                                2.98e-8,
                                2.99e-8,
                                1e-40,
                                1.17549435e-38,
                                3.4e38,
                                -3.4e38,
                                1e300,
                                -1e300,
                                1e-310,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                0.1,
                                0.33333333333,
                                -0.7,
                                2.0,
                                4.0,
                                9.0,
                                10.0,
                                12.5,
                                -12.5,
                                88.0,
                                -87.0,
                                709.0,
                                1.0000001,
                                0.99999994,
                                3.14159265,
                                1.57079633,
                                1e10,
                                65505.0,
                                1.00048828125,
                                -20.0};
static const int64_t ints[] = {0,
                               1,
                               -1,
                               2,
                               -2,
                               3,
                               -3,
                               5,
                               7,
                               -7,
                               8,
                               10,
                               15,
                               16,
                               17,
                               31,
                               32,
                               33,
                               63,
                               64,
                               65,
                               100,
                               -100,
                               126,
                               127,
                               128,
                               -127,
                               -128,
                               -129,
                               200,
                               254,
                               255,
                               256,
                               1000,
                               -1000,
                               32766,
                               32767,
                               32768,
                               -32767,
                               -32768,
                               -32769,
                               65534,
                               65535,
                               65536,
                               16777216,
                               16777217,
                               -16777217,
                               2147483646,
                               2147483647,
                               2147483648,
                               -2147483647,
                               -2147483648,
                               -2147483649,
                               4294967294,
                               4294967295,
                               4294967296,
                               9007199254740992,
                               9007199254740993,
                               -9007199254740993,
                               9223372036854775806,
                               9223372036854775807,
                               -9223372036854775807,
                               INT64_MIN,
                               123456789,
                               -123456789,
                               987654321987,
                               -987654321987,
                               42,
                               -42,
                               2049,
                               2051,
                               4097,
                               65519,
                               65520,
                               65521};
_Static_assert(sizeof floats / sizeof *floats == N && sizeof ints / sizeof *ints == N,
               "as many of both");

static MgBits value_of(MgDType d, uint32_t i, uint32_t salt) {
    uint32_t at = (i * (salt ? 31 : 1) + salt * 7) % N;
    if (d == MG_BOOL)
        return (i >> salt) & 1;
    return mg_is_float(d) ? mg_bits_from_double(d, floats[at]) : mg_bits_from_int(d, ints[at]);
}

static void put(void *data, MgDType d, uint32_t i, MgBits bits) {
    memcpy((char *)data + i * mg_dtype_size(d), &bits, mg_dtype_size(d));
}

static MgBits get(const void *data, MgDType d, uint32_t i) {
    MgBits bits = 0;
    memcpy(&bits, (const char *)data + i * mg_dtype_size(d), mg_dtype_size(d));
    return bits;
}

typedef struct Case {
    MgPrim prim;
    MgDType from, to; // operands and result
    uint32_t lanes;
    void *args[3], *result;
} Case;
typedef struct Cases {
    MgCpuProgram c;
    MG_VEC(Case) all;
} Cases;

static MgDType arg_type(const Case *t, uint32_t arg) {
    return t->prim == MG_PRIM_WHERE && arg == 0 ? MG_BOOL : t->from;
}

static void add_case(Cases *cs, MgPrim prim, MgDType from, MgDType to, uint32_t lanes) {
    MgArena *arena = cs->c.session->arena;
    Case t = {.prim = prim, .from = from, .to = to, .lanes = lanes};
    for (uint32_t a = 0; a < mg_prim(prim)->arity; a++) {
        t.args[a] = mg_arena_alloc(arena, N, 8);
        for (uint32_t i = 0; i < N; i++)
            put(t.args[a], arg_type(&t, a), i, value_of(arg_type(&t, a), i, a));
    }
    t.result = mg_arena_alloc(arena, N, 8);
    memset(t.result, 0x55, N * 8);
    mg_push(arena, &cs->all, t);
}

// result[i] = prim(args[i]…), lanes at a time, the last ones under a mask.
static MgKernel *kernel_of(Cases *cs, const Case *t) {
    MgCpuProgram *c = &cs->c;
    MgKernel *k = mg_hand_kernel(c, mg_prim(t->prim)->name);
    MgKBufId args[3], out;
    uint32_t arity = mg_prim(t->prim)->arity;
    for (uint32_t a = 0; a < arity; a++)
        args[a] = mg_kparam(k, "x", arg_type(t, a), true, false);
    out = mg_kparam(k, "y", t->to, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, N), t->lanes);
    const MgKx *i = mg_kvar(k, loop->var), *x[3] = {0}, *mask = NULL;
    if (t->lanes > 1)
        mask = mg_kprim(k, MG_PRIM_LT, mg_kramp(k, i, mg_kint(k, 1), t->lanes),
                        mg_ksplat(k, mg_kint(k, N), t->lanes), NULL);
    for (uint32_t a = 0; a < arity; a++)
        x[a] = mg_kload(k, args[a], i, t->lanes, mask, NULL);
    const MgKx *y = mg_prim(t->prim)->result == MG_RESULT_CONVERT
                        ? mg_kcast(k, t->prim, t->to, x[0])
                        : mg_kprim(k, t->prim, x[0], x[1], x[2]);
    mg_kstore(k, &loop->body, out, i, y, mask);
    return k;
}

static bool near(MgPrim prim, MgDType d, MgBits got, MgBits want) {
    if (!mg_is_float(d))
        return got == want;
    double a = mg_bits_to_double(d, got), b = mg_bits_to_double(d, want);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (got == want || a == b)
        return true;
    if (mg_prim(prim)->kind != MG_KIND_APPROX || d != MG_F32)
        return mg_prim(prim)->kind == MG_KIND_APPROX &&
               fabs(a - b) <= 4 * 0x1p-52 * fabs(b) + 0x1p-1074;
    return fabs(a - b) <=
           mg_prim(prim)->ulp * (double)(nextafterf(fabsf((float)b), INFINITY) - fabsf((float)b));
}

static uint32_t check_case(const Case *t) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < N; i++) {
        MgBits args[3] = {0};
        for (uint32_t a = 0; a < mg_prim(t->prim)->arity; a++)
            args[a] = get(t->args[a], arg_type(t, a), i);
        MgBits want = mg_prim_eval(t->prim, t->from, t->to, args), got = get(t->result, t->to, i);
        if (!near(t->prim, t->to, got, want) && bad++ < 3)
            fprintf(stderr,
                    "%s %s->%s lanes %u, element %u (%.17g, %.17g): got %.17g, expected %.17g\n",
                    mg_prim(t->prim)->name, mg_dtype(t->from)->name, mg_dtype(t->to)->name,
                    t->lanes, i, mg_bits_to_double(t->from, args[0]),
                    mg_bits_to_double(t->from, args[1]), mg_bits_to_double(t->to, got),
                    mg_bits_to_double(t->to, want));
    }
    return bad;
}

static void run_cases(Cases *cs, const char *march) {
    MgCpuProgram *c = &cs->c;
    uint32_t bad = 0;
    MgKBufId first = 0;
    for (uint32_t n = 0; n < cs->all.len; n++) {
        Case *t = &cs->all.at[n];
        for (uint32_t a = 0; a < mg_prim(t->prim)->arity; a++)
            mg_hand_port(c, t->args[a], arg_type(t, a), N);
        mg_hand_port(c, t->result, t->to, N);
    }
    mg_hand_ports_end(c);
    for (uint32_t n = 0; n < cs->all.len; n++) {
        Case *t = &cs->all.at[n];
        uint32_t n_buffers = mg_prim(t->prim)->arity + 1;
        MgKBufId buffers[4] = {first, first + 1, first + 2, first + 3};
        first += n_buffers;
        mg_hand_call(c, &c->program->plan->body, kernel_of(cs, t), buffers, NULL);
    }
    ck_assert(mg_hand_compile(c, march));
    mg_hand_run(c, NULL, 1);
    for (uint32_t n = 0; n < cs->all.len; n++)
        bad += check_case(&cs->all.at[n]);
    ck_assert_uint_eq(bad, 0);
}

// The types that primitives are computed in; i is the number of the loop test.
static const MgDType computed[] = {MG_F64, MG_F32, MG_I64, MG_I32, MG_I16, MG_I8,
                                   MG_U64, MG_U32, MG_U16, MG_U8,  MG_BOOL};

static void prims_of(MgDType d, const char *march) {
    Cases cs = {0};
    mg_hand_begin(&cs.c);
    for (MgPrim p = 0; p < MG_PRIM_COUNT; p++) {
        const MgPrimRow *row = mg_prim(p);
        if (row->result == MG_RESULT_CONVERT || !mg_operands_admit(row->operands, d))
            continue;
        add_case(&cs, p, d, row->result == MG_RESULT_BOOL ? MG_BOOL : d, 1);
        add_case(&cs, p, d, row->result == MG_RESULT_BOOL ? MG_BOOL : d, LANES);
    }
    run_cases(&cs, march);
    mg_hand_end(&cs.c);
}

static void casts_from(MgDType d, const char *march) {
    Cases cs = {0};
    mg_hand_begin(&cs.c);
    for (MgDType to = 0; to < MG_DTYPE_COUNT; to++)
        for (uint32_t lanes = 1; lanes <= LANES; lanes *= LANES) {
            add_case(&cs, MG_PRIM_CAST, d, to, lanes);
            if (mg_is_int(to) && d != MG_BOOL)
                add_case(&cs, MG_PRIM_SATURATE, d, to, lanes);
            if (mg_dtype(to)->bits == mg_dtype(d)->bits && to != MG_BOOL && d != MG_BOOL)
                add_case(&cs, MG_PRIM_BITCAST, d, to, lanes);
        }
    run_cases(&cs, march);
    mg_hand_end(&cs.c);
}

START_TEST(primitives) {
    prims_of(computed[_i], NULL);
}
END_TEST

START_TEST(casts) {
    casts_from((MgDType)_i, NULL);
}
END_TEST

START_TEST(oldest_cpu) { // no fma, no f16 conversion, 16 byte vectors
    prims_of(MG_F32, "x86-64-v2");
    prims_of(MG_I32, "x86-64-v2");
    casts_from(MG_F32, "x86-64-v2");
    casts_from(MG_F16, "x86-64-v2");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cpu_prims");
    TCase *tcase = tcase_create("prims");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, primitives, 0, sizeof computed / sizeof *computed);
    tcase_add_loop_test(tcase, casts, 0, MG_DTYPE_COUNT);
    tcase_add_test(tcase, oldest_cpu);
    suite_add_tcase(suite, tcase);
    return mg_test_run(suite, CK_FORK);
}
