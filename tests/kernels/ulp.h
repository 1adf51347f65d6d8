// Shared by the tests of the transcendental primitives: the C library's functions in f64, which are
// the reference, and errors in units in the last place of f32.
#ifndef MG_TESTS_KERNELS_ULP_H
#define MG_TESTS_KERNELS_ULP_H

#include "ir/types.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef double Unary(double);
typedef double Binary(double, double);

static inline double reciprocal_root(double x) {
    return 1 / sqrt(x);
}

static const struct Reference {
    MgPrim prim;
    Unary *unary;
    Binary *binary;
} references[] = {
    {MG_PRIM_RSQRT, reciprocal_root, NULL},
    {MG_PRIM_EXP, exp, NULL},
    {MG_PRIM_EXP2, exp2, NULL},
    {MG_PRIM_EXPM1, expm1, NULL},
    {MG_PRIM_LOG, log, NULL},
    {MG_PRIM_LOG2, log2, NULL},
    {MG_PRIM_LOG1P, log1p, NULL},
    {MG_PRIM_SIN, sin, NULL},
    {MG_PRIM_COS, cos, NULL},
    {MG_PRIM_TAN, tan, NULL},
    {MG_PRIM_ASIN, asin, NULL},
    {MG_PRIM_ACOS, acos, NULL},
    {MG_PRIM_ATAN, atan, NULL},
    {MG_PRIM_SINH, sinh, NULL},
    {MG_PRIM_COSH, cosh, NULL},
    {MG_PRIM_TANH, tanh, NULL},
    {MG_PRIM_ASINH, asinh, NULL},
    {MG_PRIM_ACOSH, acosh, NULL},
    {MG_PRIM_ATANH, atanh, NULL},
    {MG_PRIM_ERF, erf, NULL},
    {MG_PRIM_ERFC, erfc, NULL},
    {MG_PRIM_POW, NULL, pow},
    {MG_PRIM_REM, NULL, fmod},
};

typedef struct Worst {
    double ulp;
    float x, z, got;
    double want;
    uint64_t wrong; // wrong NaNs, infinities or signs of zero
} Worst;

static inline float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

// |got - want| in units in the last place of f32 at want. Beyond the range, infinity stands for
// 2^128.
static inline double error_in_ulp(float got, double want) {
    int exponent;
    double w = fabs(want) > 0x1p128 ? copysign(0x1p128, want) : want;
    double g = isinf(got) ? copysign(0x1p128, got) : (double)got;
    frexp(w, &exponent);
    if (exponent > 128)
        exponent = 128;
    double unit = ldexp(1, exponent < -125 ? -149 : exponent - 24);
    return fabs(g - w) / unit;
}

static inline void judge(Worst *worst, float x, float z, float y, double want) {
    bool exact_zero = want == 0 && y == 0;
    bool misplaced = isnan(want) != isnan(y) || (isinf(want) && (double)y != want) ||
                     (exact_zero && !signbit(want) != !signbit(y)) ||
                     (isinf(y) && fabs(want) < FLT_MAX * (1 - 0x1p-22));
    double error = isnan(want) || isinf(want) ? 0 : error_in_ulp(y, want);
    if (!(error > worst->ulp) && !(misplaced && !worst->wrong)) {
        worst->wrong += misplaced;
        return;
    }
    worst->wrong += misplaced;
    worst->ulp = error > worst->ulp ? error : worst->ulp;
    worst->x = x;
    worst->z = z;
    worst->got = y;
    worst->want = want;
}

// Prints a line, and returns whether the errors are within `most`.
static inline bool report(const char *target, const char *name, const Worst *worst, double most,
                          bool binary) {
    bool ok = worst->ulp <= most && !worst->wrong;
    printf("%-9s %-6s %8.4f ulp of %g at %a", target, name, worst->ulp, most, (double)worst->x);
    if (binary)
        printf(", %a", (double)worst->z);
    printf(": %a, exactly %a", (double)worst->got, worst->want);
    if (worst->wrong)
        printf("; %" PRIu64 " special values wrong", worst->wrong);
    printf("%s\n", ok ? "" : "  FAILED");
    fflush(stdout);
    return ok;
}

#endif
