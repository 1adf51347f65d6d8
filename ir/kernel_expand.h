// Expansions of primitives into those that every target has. All work on any number of lanes.
#ifndef MG_IR_KERNEL_EXPAND_H
#define MG_IR_KERNEL_EXPAND_H

#include "ir/kernel_impl.h"

// Is an i64 expression known not to be negative?
typedef bool MgKxNonNegative(void *ctx, const MgKx *x);

typedef struct MgExpander {
    MgKernel *k;
    const MgLegaliseOptions *options;
    MgKxNonNegative *nonnegative;
    void *ctx;
} MgExpander;

// Expands the primitive node x, whose operands are already legal.
const MgKx *mg_expand_prim(MgExpander *e, const MgKx *x, const MgKx *const *args);
// CAST and SATURATE.
const MgKx *mg_expand_cast(MgExpander *e, MgPrim prim, MgDType to, const MgKx *a);
// Expands a transcendental function of f32, or f32 remainder. b is NULL except for POW and REM.
const MgKx *mg_expand_math(MgKernel *k, const MgKx *x, const MgKx *a, const MgKx *b);

// c + exp(a) of f32, for a constant c that mg_plus_exp_suits accepts.
const MgKx *mg_math_plus_exp(MgKernel *k, const MgKx *c, const MgKx *a);
bool mg_plus_exp_suits(const MgKernel *k, const MgKx *c);

// a 2^floor(b) of f32 or f64; ir/kernel_math_scaleb.c.
const MgKx *mg_expand_scaleb(MgKernel *k, const MgKx *a, const MgKx *b);

// Short names, for formulas.
static inline const MgKx *mg_k1(MgKernel *k, MgPrim prim, const MgKx *a) {
    return mg_kprim(k, prim, a, NULL, NULL);
}
static inline const MgKx *mg_k2(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, prim, a, b, NULL);
}
static inline const MgKx *mg_kwhere(MgKernel *k, const MgKx *c, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_WHERE, c, a, b);
}
// A constant of type dtype with as many lanes as x.
const MgKx *mg_klike_int(MgKernel *k, const MgKx *x, MgDType dtype, int64_t value);
const MgKx *mg_klike_float(MgKernel *k, const MgKx *x, MgDType dtype, double value);

#endif
