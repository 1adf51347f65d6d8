// The transcendental functions of f32 as formulas over kernel IR: the table of primitives and their
// builders.
//
// One source serves every target, in operations that every target has: f32 arithmetic with fma, the
// bits of floats, selects (and f64 for pow, remainder and the reduction of large angles). It has no
// branches and works on any number of lanes. Each builder documents its method. fit_polynomials.py
// makes the polynomials in kernel_polynomials.h; tests/kernels/math_ulp.c measures every function
// over all f32 inputs.
#include "ir/kernel_math.h"

typedef X Unary(MgKernel *k, X x);

static Unary *const unary[MG_PRIM_COUNT] = {
    [MG_PRIM_RSQRT] = mg_math_rsqrt, [MG_PRIM_EXP] = mg_math_exp,
    [MG_PRIM_EXP2] = mg_math_exp2,   [MG_PRIM_EXPM1] = mg_math_expm1,
    [MG_PRIM_LOG] = mg_math_log,     [MG_PRIM_LOG2] = mg_math_log2,
    [MG_PRIM_LOG1P] = mg_math_log1p, [MG_PRIM_SIN] = mg_math_sin,
    [MG_PRIM_COS] = mg_math_cos,     [MG_PRIM_TAN] = mg_math_tan,
    [MG_PRIM_ASIN] = mg_math_asin,   [MG_PRIM_ACOS] = mg_math_acos,
    [MG_PRIM_ATAN] = mg_math_atan,   [MG_PRIM_SINH] = mg_math_sinh,
    [MG_PRIM_COSH] = mg_math_cosh,   [MG_PRIM_TANH] = mg_math_tanh,
    [MG_PRIM_ASINH] = mg_math_asinh, [MG_PRIM_ACOSH] = mg_math_acosh,
    [MG_PRIM_ATANH] = mg_math_atanh, [MG_PRIM_ERF] = mg_math_erf,
    [MG_PRIM_ERFC] = mg_math_erfc,
};

X mg_expand_math(MgKernel *k, X x, X a, X b) {
    if (x->prim == MG_PRIM_POW)
        return mg_math_pow(k, a, b);
    if (x->prim == MG_PRIM_REM)
        return mg_math_rem(k, a, b);
    if (x->near && x->prim == MG_PRIM_ERFC && k->rough_exp2)
        return mg_math_erfc_near(k, a);
    return x->near && x->prim == MG_PRIM_EXP ? mg_math_exp_below(k, a) : unary[x->prim](k, a);
}
