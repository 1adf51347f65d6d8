// The transcendental functions of f32, as formulas over kernel IR: which builder serves which
// primitive.
//
// One source for every target, in operations that every target has: f32 arithmetic with fma, bits
// of floats, selects. Branch-free, on any number of lanes. Methods and error bounds stand at each
// builder; tests/kernels/math_ulp.c measures them over all f32 inputs.
#include "ir/kernel_expand.h"

typedef const MgKx *Unary(MgKernel *k, const MgKx *x);

static Unary *const unary[MG_PRIM_COUNT] = {[MG_PRIM_EXP] = NULL};

const MgKx *mg_expand_math(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    if (unary[prim])
        return unary[prim](k, a);
    return mg_kprim(k, prim, a, b, NULL);
}
