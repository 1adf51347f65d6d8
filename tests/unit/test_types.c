// Tests scalars: conversions round once, and primitives are total.
#include "ir/types.h"

#include "tests/unit/check.h"
#include <math.h>
#include <stdlib.h>

static MgBits f32(double x) {
    return mg_bits_from_double(MG_F32, x);
}

START_TEST(halves_survive_a_round_trip) {
    for (uint32_t h = 0; h < 0x10000; h++) {
        float f = mg_half_to_float((uint16_t)h);
        if (isnan(f))
            ck_assert(isnan(mg_half_to_float(mg_half_from_float(f))));
        else
            ck_assert_uint_eq(mg_half_from_float(f), h);
        float b = mg_bfloat_to_float((uint16_t)h);
        if (!isnan(b))
            ck_assert_uint_eq(mg_bfloat_from_float(b), h);
    }
}
END_TEST

// The nearest half by search over neighbours, ties to even: an independent definition.
static uint16_t nearest_half(double x) {
    uint16_t best = 0;
    double distance = INFINITY;
    for (uint32_t h = 0; h < 0x7c00; h++) {
        double d = fabs((double)mg_half_to_float((uint16_t)h) - fabs(x));
        if (d < distance || (d == distance && !(h & 1))) {
            distance = d;
            best = (uint16_t)h;
        }
    }
    if (fabs(x) >= 65520)
        best = 0x7c00;
    return (uint16_t)(best | (signbit(x) ? 0x8000 : 0));
}

START_TEST(halves_round_to_nearest_even) {
    const double special[] = {65519.99, 65520, 1e300,   0x1p-25,           0x1.0000001p-25,
                              0x1p-24,  0.1,   -1. / 3, 1 + 0x1p-11,       1 + 0x1p-11 + 0x1p-40,
                              2049,     2051,  -0.0,    0x1.ffcp-15 * 1.1, 6.1e-5};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        ck_assert_uint_eq(mg_bits_from_double(MG_F16, special[i]), nearest_half(special[i]));
    srand(1);
    for (int i = 0; i < 200; i++) {
        double x = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 40 - 25);
        ck_assert_uint_eq(mg_bits_from_double(MG_F16, x), nearest_half(x));
    }
    // just above a tie of bf16, lost if the f64 is first rounded to f32
    ck_assert_uint_eq(mg_bits_from_double(MG_BF16, 1 + 0x1p-8 + 0x1p-40), 0x3f81);
    ck_assert_uint_eq(mg_bits_from_double(MG_BF16, 1 + 0x1p-8), 0x3f80);
}
END_TEST

// A magnitude of a float of 8 bits, from its parts: an independent definition.
static double byte_value(MgDType type, uint32_t code) {
    int digits = type == MG_F8E4M3 ? 3 : 2, bias = type == MG_F8E4M3 ? 7 : 15;
    int exponent = (int)(code >> digits), m = (int)code & ((1 << digits) - 1);
    return exponent ? ldexp(1 + ldexp(m, -digits), exponent - bias) : ldexp(m, 1 - bias - digits);
}

// The code of a magnitude, by search: the nearest number, or what follows the largest one.
static uint32_t byte_code(MgDType type, double x) {
    const uint32_t over = type == MG_F8E4M3 ? 0x7f : 0x7c; // NaN, or infinity
    uint32_t best = 0;
    for (uint32_t code = 0; code <= over; code++) {
        double d = fabs(byte_value(type, code) - x), least = fabs(byte_value(type, best) - x);
        if (d < least || (d == least && !(code & 1)))
            best = code;
    }
    return x > byte_value(type, over) ? over : best;
}

START_TEST(bytes_have_the_values_of_the_standard) {
    for (uint32_t code = 0; code < 256; code++) {
        double four = mg_bits_to_double(MG_F8E4M3, code), five = mg_bits_to_double(MG_F8E5M2, code);
        double sign = code & 0x80 ? -1 : 1;
        uint32_t magnitude = code & 0x7f;
        if (magnitude == 0x7f)
            ck_assert(isnan(four));
        else
            ck_assert(four == sign * byte_value(MG_F8E4M3, magnitude));
        if (magnitude > 0x7c)
            ck_assert(isnan(five));
        else
            ck_assert(five == (magnitude == 0x7c ? sign * INFINITY
                                                 : sign * byte_value(MG_F8E5M2, magnitude)));
        if (!isnan(four))
            ck_assert_uint_eq(mg_bits_from_double(MG_F8E4M3, four), code);
        if (!isnan(five))
            ck_assert_uint_eq(mg_bits_from_double(MG_F8E5M2, five), code);
    }
    ck_assert(mg_bits_to_double(MG_F8E4M3, mg_highest(MG_F8E4M3)) == 448);
    ck_assert(mg_bits_to_double(MG_F8E5M2, mg_lowest(MG_F8E5M2)) == -INFINITY);
}
END_TEST

START_TEST(bytes_round_to_nearest_even) {
    static const MgDType types[] = {MG_F8E4M3, MG_F8E5M2};
    for (int t = 0; t < 2; t++) {
        MgDType type = types[t];
        for (uint32_t code = 0; code < (type == MG_F8E4M3 ? 0x7fu : 0x7cu); code++) {
            double tie = (byte_value(type, code) + byte_value(type, code + 1)) / 2;
            const double near[] = {tie, tie * (1 - 0x1p-30), tie * (1 + 0x1p-30), tie * 1.25};
            for (int i = 0; i < 4; i++) {
                ck_assert_uint_eq(mg_bits_from_double(type, near[i]), byte_code(type, near[i]));
                ck_assert_uint_eq(mg_bits_from_double(type, -near[i]),
                                  byte_code(type, near[i]) | 0x80);
            }
        }
    }
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E4M3, 464), 0x7e); // a tie between 448 and 480
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E4M3, 464.001), 0x7f);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E4M3, -INFINITY), 0xff);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E4M3, NAN) & 0x7f, 0x7f);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E5M2, 61439.9), 0x7b);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E5M2, 61440), 0x7c);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E5M2, -1e300), 0xfc);
    ck_assert_uint_eq(mg_bits_from_double(MG_F8E5M2, NAN) & 0x7f, 0x7f);
    ck_assert_uint_eq(mg_bits_from_int(MG_F8E4M3, -17), mg_bits_from_double(MG_F8E4M3, -16));
}
END_TEST

START_TEST(types_hold_others) {
    static const MgDType wide[] = {MG_F16, MG_BF16, MG_F32, MG_F64};
    for (int i = 0; i < 4; i++) {
        ck_assert(mg_dtype_holds(wide[i], MG_F8E4M3));
        ck_assert(mg_dtype_holds(wide[i], MG_F8E5M2));
        ck_assert(!mg_dtype_holds(MG_F8E4M3, wide[i]));
    }
    ck_assert(!mg_dtype_holds(MG_F8E4M3, MG_F8E5M2));
    ck_assert(!mg_dtype_holds(MG_F8E5M2, MG_F8E4M3));
    ck_assert(!mg_dtype_holds(MG_F8E4M3, MG_I8));
}
END_TEST

START_TEST(integers_convert) {
    ck_assert_uint_eq(mg_bits_from_double(MG_I8, 200), 127);
    ck_assert_uint_eq(mg_bits_from_double(MG_I8, -200), 0x80);
    ck_assert_uint_eq(mg_bits_from_double(MG_U8, -1), 0);
    ck_assert_uint_eq(mg_bits_from_double(MG_I32, NAN), 0);
    ck_assert_uint_eq(mg_bits_from_double(MG_I32, -2.9), 0xfffffffe);
    ck_assert_uint_eq(mg_bits_from_double(MG_U64, 0x1p63), (uint64_t)1 << 63);
    ck_assert_uint_eq(mg_bits_from_double(MG_I64, 0x1p63), INT64_MAX);
    ck_assert_int_eq(mg_bits_to_int(MG_I16, 0xffff), -1);
    ck_assert_int_eq(mg_bits_to_int(MG_U16, 0xffff), 65535);
    // 2^24 + 1 plus a bit far below: f64 would round first to a tie
    int64_t v = ((int64_t)1 << 60) + ((int64_t)1 << 36) + 1;
    ck_assert(mg_bits_from_int(MG_F32, v) == f32(0x1p60 + 0x1p37));
    ck_assert(mg_bits_from_int(MG_F32, -v) == f32(-0x1p60 - 0x1p37));
}
END_TEST

static int64_t int_prim(MgPrim prim, MgDType d, int64_t a, int64_t b) {
    MgBits args[] = {mg_bits_from_int(d, a), mg_bits_from_int(d, b)};
    return mg_bits_to_int(d, mg_prim_eval(prim, d, d, args));
}

START_TEST(integer_primitives_are_total) {
    ck_assert_int_eq(int_prim(MG_PRIM_DIV, MG_I32, 7, 0), 0);
    ck_assert_int_eq(int_prim(MG_PRIM_DIV, MG_I32, INT32_MIN, -1), INT32_MIN);
    ck_assert_int_eq(int_prim(MG_PRIM_DIV, MG_I64, INT64_MIN, -1), INT64_MIN);
    ck_assert_int_eq(int_prim(MG_PRIM_REM, MG_I64, INT64_MIN, -1), 0);
    ck_assert_int_eq(int_prim(MG_PRIM_DIV, MG_I32, -7, 2), -3);
    ck_assert_int_eq(int_prim(MG_PRIM_FDIV, MG_I32, -7, 2), -4);
    ck_assert_int_eq(int_prim(MG_PRIM_REM, MG_I32, -7, 2), -1);
    ck_assert_int_eq(int_prim(MG_PRIM_FMOD, MG_I32, -7, 2), 1);
    ck_assert_int_eq(int_prim(MG_PRIM_ADD, MG_I8, 127, 1), -128);
    ck_assert_int_eq(int_prim(MG_PRIM_SHL, MG_I8, 1, 8), 0);
    ck_assert_int_eq(int_prim(MG_PRIM_SHL, MG_I8, 1, 7), -128);
    ck_assert_int_eq(int_prim(MG_PRIM_SHR, MG_I8, -128, 9), -1);
    ck_assert_int_eq(int_prim(MG_PRIM_SHR, MG_U8, 128, 9), 0);
    ck_assert_int_eq(int_prim(MG_PRIM_ABS, MG_I8, -128, 0), -128);
    ck_assert_int_eq(int_prim(MG_PRIM_SIGN, MG_I8, -5, 0), -1);
    ck_assert_int_eq(int_prim(MG_PRIM_MAX, MG_U8, 200, 3), 200);
    ck_assert_int_eq(int_prim(MG_PRIM_MAX, MG_I8, -56, 3), 3);
    ck_assert_int_eq(int_prim(MG_PRIM_NOT, MG_BOOL, 1, 0), 0);
}
END_TEST

START_TEST(float_primitives) {
    MgBits nan = f32(NAN), one = f32(1), two = f32(2);
    ck_assert(isnan(mg_bits_to_double(
        MG_F32, mg_prim_eval(MG_PRIM_MAX, MG_F32, MG_F32, (MgBits[]){one, nan}))));
    ck_assert(isnan(mg_bits_to_double(
        MG_F32, mg_prim_eval(MG_PRIM_MIN, MG_F32, MG_F32, (MgBits[]){nan, one}))));
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_WHERE, MG_F32, MG_F32, (MgBits[]){0, one, two}), two);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_LT, MG_F32, MG_BOOL, (MgBits[]){one, nan}), 0);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_NE, MG_F32, MG_BOOL, (MgBits[]){nan, nan}), 1);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_ROUND, MG_F32, MG_F32, (MgBits[]){f32(2.5)}), two);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_DIV, MG_F32, MG_F32, (MgBits[]){one, f32(3)}),
                      f32((double)(1.0f / 3.0f)));
    // a*b + c such that rounding it to f64 first gives a tie
    MgBits fma_args[] = {f32(1 + 0x1p-23), f32(1 + 0x1p-23), f32(0x1p-60)};
    float expected = fmaf(1 + 0x1p-23f, 1 + 0x1p-23f, 0x1p-60f);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_FMA, MG_F32, MG_F32, fma_args), f32((double)expected));
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_SATURATE, MG_I32, MG_U8, (MgBits[]){0xffffffff}), 0);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_SATURATE, MG_I32, MG_I8, (MgBits[]){300}), 127);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_CAST, MG_I32, MG_U8, (MgBits[]){300}), 44);
    ck_assert_uint_eq(mg_prim_eval(MG_PRIM_CAST, MG_U64, MG_F32, (MgBits[]){UINT64_MAX}),
                      f32(0x1p64));
}
END_TEST

START_TEST(names_are_found) {
    ck_assert_int_eq(mg_dtype_of_name("bf16"), MG_BF16);
    ck_assert_int_eq(mg_dtype_of_name("f23"), MG_DTYPE_COUNT);
    ck_assert_int_eq(mg_prim_of_name("<="), MG_PRIM_LE);
    ck_assert_int_eq(mg_prim_of_name("erfc"), MG_PRIM_ERFC);
    ck_assert_int_eq(mg_reducer_of_name("argmax"), MG_REDUCE_ARGMAX);
    ck_assert_int_eq(mg_reducer_of_name("average"), MG_REDUCE_NONE);
    ck_assert(mg_operands_admit(MG_OPERANDS_LOGIC, MG_U8));
    ck_assert(!mg_operands_admit(MG_OPERANDS_NUMBER, MG_BOOL));
}
END_TEST

MG_TEST_MAIN("types", halves_survive_a_round_trip, halves_round_to_nearest_even,
             bytes_have_the_values_of_the_standard, bytes_round_to_nearest_even, types_hold_others,
             integers_convert, integer_primitives_are_total, float_primitives, names_are_found)
