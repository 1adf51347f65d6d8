// Float functions that LLVM has only in a slow form, as in OpenCL C (backends/opencl/print_float.c,
// which says why they are right).
#include "backends/nvptx/emit.h"

static LLVMValueRef call(MgNvEmit *n, const char *intrinsic, LLVMValueRef a) {
    return mg_cpu_intrinsic(&n->e, intrinsic, NULL, 0, &a, 1);
}

LLVMValueRef mg_nv_fma(MgNvEmit *n, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b, c};
    return mg_cpu_intrinsic(&n->e, "llvm.fma", &type, 1, args, 3);
}

static LLVMValueRef negated(MgNvEmit *n, LLVMValueRef a) {
    return LLVMBuildFNeg(n->e.builder, a, "");
}

static LLVMValueRef magnitude(MgNvEmit *n, LLVMValueRef a) {
    LLVMTypeRef type = LLVMTypeOf(a);
    return mg_cpu_intrinsic(&n->e, "llvm.fabs", &type, 1, &a, 1);
}

static bool is_vector(LLVMValueRef x) {
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}

// The same number in every lane, as x has them.
static LLVMValueRef all(LLVMValueRef x, double value) {
    LLVMTypeRef type = LLVMTypeOf(x);
    if (!is_vector(x))
        return LLVMConstReal(type, value);
    LLVMValueRef lanes[64];
    for (uint32_t i = 0; i < LLVMGetVectorSize(type); i++)
        lanes[i] = LLVMConstReal(LLVMGetElementType(type), value);
    return LLVMConstVector(lanes, LLVMGetVectorSize(type));
}

// A function of one lane for each lane.
static LLVMValueRef each(MgNvEmit *n, const char *intrinsic, LLVMValueRef x) {
    if (!is_vector(x))
        return call(n, intrinsic, x);
    LLVMValueRef lanes[64];
    for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(x)); i++)
        lanes[i] = call(n, intrinsic, mg_nv_lane(n, x, i));
    return mg_nv_vector(n, lanes, LLVMGetVectorSize(LLVMTypeOf(x)));
}

static LLVMValueRef compare(MgNvEmit *n, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(n->e.builder, p, a, b, "");
}

// Does the comparison hold in every lane?
static LLVMValueRef everywhere(MgNvEmit *n, LLVMValueRef holds) {
    if (!is_vector(holds))
        return holds;
    LLVMValueRef whole = mg_nv_lane(n, holds, 0);
    for (uint32_t i = 1; i < LLVMGetVectorSize(LLVMTypeOf(holds)); i++)
        whole = mg_nv_binary(n, LLVMAnd, whole, mg_nv_lane(n, holds, i));
    return whole;
}

// ---------------------------------------------------------------- quotients

// The nearest of any two numbers' quotient, by f64.
static LLVMValueRef any_quotient(MgNvEmit *n, LLVMValueRef x, LLVMValueRef y) {
    LLVMBuilderRef at = n->e.builder;
    LLVMTypeRef wide = LLVMDoubleTypeInContext(n->e.context);
    LLVMValueRef a = LLVMBuildFPExt(at, x, wide, ""), b = LLVMBuildFPExt(at, y, wide, "");
    LLVMValueRef r = call(n, "llvm.nvvm.rcp.approx.ftz.d", b), minus = negated(n, b);
    LLVMValueRef s = LLVMBuildFMul(at, a, r, "");
    LLVMValueRef i = mg_nv_fma(n, r, mg_nv_fma(n, minus, r, all(r, 1)), r);
    LLVMValueRef q = LLVMBuildFMul(at, a, i, "");
    LLVMValueRef right = mg_nv_fma(n, mg_nv_fma(n, minus, q, a), i, q), size = magnitude(n, s);
    LLVMValueRef normal = mg_nv_binary(n, LLVMAnd, compare(n, LLVMRealOGT, size, all(s, 0)),
                                       compare(n, LLVMRealOLT, size, all(s, __builtin_inf())));
    return LLVMBuildFPTrunc(at, LLVMBuildSelect(at, normal, right, s, ""),
                            LLVMFloatTypeInContext(n->e.context), "");
}

static LLVMValueRef any_quotients(MgNvEmit *n, LLVMValueRef a, LLVMValueRef b) {
    if (!is_vector(a))
        return any_quotient(n, a, b);
    LLVMValueRef lanes[64];
    for (uint32_t i = 0; i < LLVMGetVectorSize(LLVMTypeOf(a)); i++)
        lanes[i] = any_quotient(n, mg_nv_lane(n, a, i), mg_nv_lane(n, b, i));
    return mg_nv_vector(n, lanes, LLVMGetVectorSize(LLVMTypeOf(a)));
}

// One branch for all lanes handles numbers for which the steps do not round correctly.
static LLVMValueRef unless_odd(MgNvEmit *n, LLVMValueRef right, LLVMValueRef value, LLVMValueRef a,
                               LLVMValueRef b) {
    MgNvIf odd = mg_nv_if(n, LLVMBuildNot(n->e.builder, everywhere(n, right), ""));
    return mg_nv_join(n, &odd, any_quotients(n, a, b), value);
}

static bool is_inverse(const MgKx *x) {
    return x->args[0]->kind == MG_KX_CONST && mg_bits_to_double(MG_F32, x->args[0]->bits) == 1;
}

LLVMValueRef mg_nv_quotient(MgNvEmit *n, const MgKx *x) {
    LLVMBuilderRef at = n->e.builder;
    LLVMValueRef a = mg_cpu_value(&n->e, x->args[0]), b = mg_cpu_value(&n->e, x->args[1]);
    LLVMValueRef r = each(n, "llvm.nvvm.rcp.approx.ftz.f", b), minus = negated(n, b);
    if (x->near) {
        LLVMValueRef q = LLVMBuildFMul(at, a, r, "");
        return mg_nv_fma(n, mg_nv_fma(n, negated(n, q), b, a), r, q);
    }
    LLVMValueRef e = mg_nv_fma(n, minus, r, all(b, 1)), i = mg_nv_fma(n, r, e, r);
    if (is_inverse(x))
        return unless_odd(n, compare(n, LLVMRealOLT, magnitude(n, e), all(e, 0.5)), i, a, b);
    LLVMValueRef q = LLVMBuildFMul(at, a, i, ""), size = magnitude(n, q);
    LLVMValueRef right = compare(n, LLVMRealOGE, magnitude(n, a), all(a, 0x1p-100));
    right = mg_nv_binary(n, LLVMAnd, right, compare(n, LLVMRealOGE, size, all(q, 0x1p-64)));
    right = mg_nv_binary(n, LLVMAnd, right, compare(n, LLVMRealOLE, size, all(q, 0x1p64)));
    return unless_odd(n, right, mg_nv_fma(n, mg_nv_fma(n, minus, q, a), i, q), a, b);
}

// ---------------------------------------------------------------- other functions

LLVMValueRef mg_nv_root(MgNvEmit *n, const MgKx *given) {
    LLVMBuilderRef at = n->e.builder;
    LLVMValueRef x = mg_cpu_value(&n->e, given->args[0]);
    LLVMValueRef small = compare(n, LLVMRealOLT, x, all(x, 0x1p-100));
    LLVMValueRef s = LLVMBuildSelect(at, small, LLVMBuildFMul(at, x, all(x, 0x1p64), ""), x, "");
    LLVMValueRef r = each(n, "llvm.nvvm.rsqrt.approx.ftz.f", s), q = LLVMBuildFMul(at, s, r, "");
    LLVMValueRef y =
        mg_nv_fma(n, mg_nv_fma(n, negated(n, q), q, s), LLVMBuildFMul(at, r, all(r, 0.5), ""), q);
    y = LLVMBuildSelect(at, small, LLVMBuildFMul(at, y, all(y, 0x1p-32), ""), y, "");
    LLVMValueRef itself = mg_nv_binary(n, LLVMOr, compare(n, LLVMRealOEQ, x, all(x, 0)),
                                       compare(n, LLVMRealOEQ, x, all(x, __builtin_inf())));
    return LLVMBuildSelect(at, itself, x, y, "");
}

LLVMValueRef mg_nv_rough_exp2(MgNvEmit *n, const MgKx *x) {
    return each(n, "llvm.nvvm.ex2.approx.ftz.f", mg_cpu_value(&n->e, x->args[0]));
}

// The first operand if it is not beaten or is NaN.
LLVMValueRef mg_nv_extremum_f64(MgNvEmit *n, const MgKx *x) {
    LLVMValueRef a = mg_cpu_value(&n->e, x->args[0]), b = mg_cpu_value(&n->e, x->args[1]);
    LLVMRealPredicate stays = x->prim == MG_PRIM_MAX ? LLVMRealOGE : LLVMRealOLE;
    LLVMValueRef first =
        mg_nv_binary(n, LLVMOr, compare(n, stays, a, b), compare(n, LLVMRealUNO, a, a));
    return LLVMBuildSelect(n->e.builder, first, a, b, "");
}

// Two elements in a word, by one instruction.
LLVMValueRef mg_nv_to_bf16(MgNvEmit *n, const MgKx *x) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef value = mg_cpu_value(&n->e, x->args[0]), words[32];
    uint32_t lanes = x->type.lanes, pairs = (lanes + 1) / 2;
    const MgNvAsm two = {.text = "cvt.rn.bf16x2.f32 $0, $1, $2;",
                         .constraints = "=r,f,f",
                         .result = n->e.t.i32,
                         .n_results = 1,
                         .pure = true};
    for (uint32_t i = 0; i < pairs; i++) {
        LLVMValueRef low = lanes > 1 ? mg_nv_lane(n, value, 2 * i) : value;
        LLVMValueRef args[] = {2 * i + 1 < lanes ? mg_nv_lane(n, value, 2 * i + 1)
                                                 : LLVMConstNull(LLVMTypeOf(low)),
                               low};
        words[i] = mg_nv_asm(n, &two, args, 2);
    }
    LLVMTypeRef type = mg_cpu_type(&n->e, x->type);
    if (lanes == 1)
        return LLVMBuildTrunc(b, words[0], type, "");
    return LLVMBuildBitCast(b, pairs == 1 ? words[0] : mg_nv_vector(n, words, pairs), type, "");
}
