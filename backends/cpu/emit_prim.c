// Primitives as LLVM instructions. A table covers those that are a single instruction; functions
// cover the rest.
//
// Transcendentals of f32, division whose divisor may be zero, and saturating casts are missing:
// mg_kernel_legalise has expanded them. Meeting one is a bug, and is reported.
#include "backends/cpu/emit.h"

typedef enum Form {
    FORM_NONE,
    FORM_BINARY,    // an opcode for each class of type
    FORM_COMPARE,   // a predicate for each class of type
    FORM_INTRINSIC, // for floats only
    FORM_LIBM,      // for f64: one call for each lane
    FORM_OTHER      // a function below
} Form;

typedef struct Row {
    Form form;
    int of_float, of_signed, of_unsigned; // opcodes or predicates
    const char *name;                     // of an intrinsic, or of a function of libm
} Row;

static const Row rows[MG_PRIM_COUNT] = {
    [MG_PRIM_ADD] = {FORM_BINARY, LLVMFAdd, LLVMAdd, LLVMAdd, NULL},
    [MG_PRIM_SUB] = {FORM_BINARY, LLVMFSub, LLVMSub, LLVMSub, NULL},
    [MG_PRIM_MUL] = {FORM_BINARY, LLVMFMul, LLVMMul, LLVMMul, NULL},
    [MG_PRIM_DIV] = {FORM_BINARY, LLVMFDiv, LLVMSDiv, LLVMUDiv, NULL},
    [MG_PRIM_REM] = {FORM_BINARY, LLVMFRem, LLVMSRem, LLVMURem, NULL},
    [MG_PRIM_AND] = {FORM_BINARY, 0, LLVMAnd, LLVMAnd, NULL},
    [MG_PRIM_OR] = {FORM_BINARY, 0, LLVMOr, LLVMOr, NULL},
    [MG_PRIM_XOR] = {FORM_BINARY, 0, LLVMXor, LLVMXor, NULL},
    [MG_PRIM_SHL] = {FORM_BINARY, 0, LLVMShl, LLVMShl, NULL},
    [MG_PRIM_SHR] = {FORM_BINARY, 0, LLVMAShr, LLVMLShr, NULL},
    [MG_PRIM_EQ] = {FORM_COMPARE, LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ, NULL},
    [MG_PRIM_NE] = {FORM_COMPARE, LLVMRealUNE, LLVMIntNE, LLVMIntNE, NULL},
    [MG_PRIM_LT] = {FORM_COMPARE, LLVMRealOLT, LLVMIntSLT, LLVMIntULT, NULL},
    [MG_PRIM_LE] = {FORM_COMPARE, LLVMRealOLE, LLVMIntSLE, LLVMIntULE, NULL},
    [MG_PRIM_GT] = {FORM_COMPARE, LLVMRealOGT, LLVMIntSGT, LLVMIntUGT, NULL},
    [MG_PRIM_GE] = {FORM_COMPARE, LLVMRealOGE, LLVMIntSGE, LLVMIntUGE, NULL},
    [MG_PRIM_FMA] = {FORM_INTRINSIC, 0, 0, 0, "llvm.fma"},
    [MG_PRIM_SQRT] = {FORM_INTRINSIC, 0, 0, 0, "llvm.sqrt"},
    [MG_PRIM_FLOOR] = {FORM_INTRINSIC, 0, 0, 0, "llvm.floor"},
    [MG_PRIM_CEIL] = {FORM_INTRINSIC, 0, 0, 0, "llvm.ceil"},
    [MG_PRIM_ROUND] = {FORM_INTRINSIC, 0, 0, 0, "llvm.roundeven"},
    [MG_PRIM_TRUNC] = {FORM_INTRINSIC, 0, 0, 0, "llvm.trunc"},
    [MG_PRIM_EXP] = {FORM_LIBM, 0, 0, 0, "exp"},
    [MG_PRIM_EXP2] = {FORM_LIBM, 0, 0, 0, "exp2"},
    [MG_PRIM_EXPM1] = {FORM_LIBM, 0, 0, 0, "expm1"},
    [MG_PRIM_LOG] = {FORM_LIBM, 0, 0, 0, "log"},
    [MG_PRIM_LOG2] = {FORM_LIBM, 0, 0, 0, "log2"},
    [MG_PRIM_LOG1P] = {FORM_LIBM, 0, 0, 0, "log1p"},
    [MG_PRIM_SIN] = {FORM_LIBM, 0, 0, 0, "sin"},
    [MG_PRIM_COS] = {FORM_LIBM, 0, 0, 0, "cos"},
    [MG_PRIM_TAN] = {FORM_LIBM, 0, 0, 0, "tan"},
    [MG_PRIM_ASIN] = {FORM_LIBM, 0, 0, 0, "asin"},
    [MG_PRIM_ACOS] = {FORM_LIBM, 0, 0, 0, "acos"},
    [MG_PRIM_ATAN] = {FORM_LIBM, 0, 0, 0, "atan"},
    [MG_PRIM_SINH] = {FORM_LIBM, 0, 0, 0, "sinh"},
    [MG_PRIM_COSH] = {FORM_LIBM, 0, 0, 0, "cosh"},
    [MG_PRIM_TANH] = {FORM_LIBM, 0, 0, 0, "tanh"},
    [MG_PRIM_ASINH] = {FORM_LIBM, 0, 0, 0, "asinh"},
    [MG_PRIM_ACOSH] = {FORM_LIBM, 0, 0, 0, "acosh"},
    [MG_PRIM_ATANH] = {FORM_LIBM, 0, 0, 0, "atanh"},
    [MG_PRIM_ERF] = {FORM_LIBM, 0, 0, 0, "erf"},
    [MG_PRIM_ERFC] = {FORM_LIBM, 0, 0, 0, "erfc"},
    [MG_PRIM_POW] = {FORM_LIBM, 0, 0, 0, "pow"},
    [MG_PRIM_RSQRT] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_NEG] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_ABS] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_NOT] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_MIN] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_MAX] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_SCALEB] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_ISNAN] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_WHERE] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_CAST] = {FORM_OTHER, 0, 0, 0, NULL},
    [MG_PRIM_BITCAST] = {FORM_OTHER, 0, 0, 0, NULL},
};

static int by_class(const Row *row, MgDType dtype) {
    return mg_is_float(dtype)    ? row->of_float
           : mg_is_signed(dtype) ? row->of_signed
                                 : row->of_unsigned;
}

static LLVMValueRef lane_of(MgCpuEmit *e, LLVMValueRef vector, uint32_t lane) {
    return LLVMBuildExtractElement(e->builder, vector, LLVMConstInt(e->t.i32, lane, false), "");
}

LLVMValueRef mg_cpu_not_legal(MgCpuEmit *e, MgPrim prim, MgKType type, LLVMTypeRef result) {
    mg_diag(e->session, mg_no_span(), MG_D_cpu_not_legal, mg_prim(prim)->name,
            mg_dtype(type.dtype)->name, mg_name(e->k->names, e->k->name));
    return LLVMGetPoison(result);
}

static LLVMValueRef compare(MgCpuEmit *e, int predicate, MgDType dtype, LLVMValueRef a,
                            LLVMValueRef b) {
    return mg_is_float(dtype) ? LLVMBuildFCmp(e->builder, (LLVMRealPredicate)predicate, a, b, "")
                              : LLVMBuildICmp(e->builder, (LLVMIntPredicate)predicate, a, b, "");
}

static LLVMValueRef min_max_int(MgCpuEmit *e, MgPrim prim, MgDType dtype, LLVMValueRef a,
                                LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    if (dtype == MG_BOOL)
        return LLVMBuildBinOp(e->builder, prim == MG_PRIM_MAX ? LLVMOr : LLVMAnd, a, b, "");
    const char *name = mg_is_signed(dtype) ? (prim == MG_PRIM_MAX ? "llvm.smax" : "llvm.smin")
                                           : (prim == MG_PRIM_MAX ? "llvm.umax" : "llvm.umin");
    return mg_cpu_intrinsic(e, name, &type, 1, args, 2);
}

// The CPU's max returns its second operand if one is NaN. So it is masked out in lanes where the
// first is NaN: two instructions, where llvm.maximum takes three.
static LLVMValueRef masked_min_max(MgCpuEmit *e, MgPrim prim, LLVMValueRef a, LLVMValueRef b) {
    LLVMBuilderRef at = e->builder;
    LLVMRealPredicate better = prim == MG_PRIM_MAX ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef x = LLVMBuildSelect(at, LLVMBuildFCmp(at, better, a, b, ""), a, b, "");
    return LLVMBuildSelect(at, LLVMBuildFCmp(at, LLVMRealORD, a, a, ""), x, a, "");
}

// Floats propagate NaN. Leaving open which of two zeros wins saves four instructions: what remains
// is the CPU's max, and a select for a NaN in the first operand unless LLVM can rule it out.
static LLVMValueRef min_max(MgCpuEmit *e, MgPrim prim, MgDType dtype, LLVMValueRef a,
                            LLVMValueRef b) {
    if (!mg_is_float(dtype))
        return min_max_int(e, prim, dtype, a, b);
    LLVMTypeRef type = LLVMTypeOf(a);
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    if (e->target->masks && vector && !LLVMIsConstant(a) && !LLVMIsConstant(b))
        return masked_min_max(e, prim, a, b);
    LLVMValueRef args[] = {a, b};
    const char *name = prim == MG_PRIM_MAX ? "llvm.maximum" : "llvm.minimum";
    LLVMValueRef x = mg_cpu_intrinsic(e, name, &type, 1, args, 2);
    if (LLVMCanValueUseFastMathFlags(x))
        LLVMSetFastMathFlags(x, LLVMFastMathNoSignedZeros);
    return x;
}

static LLVMValueRef fabs_of(MgCpuEmit *e, MgDType dtype, LLVMValueRef a) {
    LLVMTypeRef type = LLVMTypeOf(a);
    if (mg_is_float(dtype))
        return mg_cpu_intrinsic(e, "llvm.fabs", &type, 1, &a, 1);
    LLVMValueRef args[] = {a, LLVMConstInt(e->t.i1, 0, false)};
    return mg_is_signed(dtype) ? mg_cpu_intrinsic(e, "llvm.abs", &type, 1, args, 2) : a;
}

static LLVMValueRef libm(MgCpuEmit *e, const char *name, MgKType type, LLVMValueRef *args,
                         uint32_t n) {
    LLVMTypeRef scalar = LLVMDoubleTypeInContext(e->context), params[2] = {scalar, scalar};
    LLVMTypeRef signature = LLVMFunctionType(scalar, params, n, false);
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
    if (!function) {
        function = LLVMAddFunction(e->module, name, signature);
        mg_cpu_attribute(e, function, LLVMAttributeFunctionIndex, "nounwind", 0);
        mg_cpu_attribute(e, function, LLVMAttributeFunctionIndex, "willreturn", 0);
    }
    if (type.lanes == 1)
        return LLVMBuildCall2(e->builder, signature, function, args, n, "");
    LLVMValueRef result = LLVMGetPoison(mg_cpu_type(e, type));
    for (uint32_t lane = 0; lane < type.lanes; lane++) {
        LLVMValueRef at = LLVMConstInt(e->t.i32, lane, false), of_lane[2];
        for (uint32_t i = 0; i < n; i++)
            of_lane[i] = LLVMBuildExtractElement(e->builder, args[i], at, "");
        LLVMValueRef one = LLVMBuildCall2(e->builder, signature, function, of_lane, n, "");
        result = LLVMBuildInsertElement(e->builder, result, one, at, "");
    }
    return result;
}

// A short float that the CPU doesn't convert.
static bool is_raw(const MgCpuEmit *e, MgDType dtype) {
    return mg_is_short_float(dtype) && !(dtype == MG_F16 && e->target->f16);
}

static LLVMValueRef cast(MgCpuEmit *e, const MgKx *x, LLVMValueRef a) {
    MgDType from = x->args[0]->type.dtype, to = x->type.dtype;
    LLVMTypeRef type = mg_cpu_type(e, x->type);
    LLVMBuilderRef b = e->builder;
    if (from == to)
        return a;
    if (to == MG_BOOL)
        return compare(e, mg_is_float(from) ? (int)LLVMRealUNE : (int)LLVMIntNE, from, a,
                       LLVMConstNull(LLVMTypeOf(a)));
    bool raw = is_raw(e, from) || is_raw(e, to);
    bool two_steps = (from == MG_F16 || to == MG_F16) && from != MG_F32 && to != MG_F32;
    if (raw || two_steps)
        return mg_cpu_not_legal(e, MG_PRIM_CAST, x->args[0]->type, type);
    if (mg_is_float(from) && mg_is_float(to))
        return mg_dtype(to)->bits > mg_dtype(from)->bits ? LLVMBuildFPExt(b, a, type, "")
                                                         : LLVMBuildFPTrunc(b, a, type, "");
    if (mg_is_float(from))
        return mg_is_signed(to) ? LLVMBuildFPToSI(b, a, type, "") : LLVMBuildFPToUI(b, a, type, "");
    if (mg_is_float(to))
        return mg_is_signed(from) ? LLVMBuildSIToFP(b, a, type, "")
                                  : LLVMBuildUIToFP(b, a, type, "");
    return LLVMBuildIntCast2(b, a, type, mg_is_signed(from), "");
}

// Divides integer vectors lane by lane, as the CPU does in any case. LLVM 19 treats a vector
// divisor with one constant zero lane as undefined in every lane, even if a select discards that
// lane. Division by a constant stays a vector operation: LLVM turns it into a multiplication.
static LLVMValueRef divide(MgCpuEmit *e, int opcode, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMIsConstant(b))
        return LLVMBuildBinOp(e->builder, (LLVMOpcode)opcode, a, b, "");
    LLVMValueRef result = LLVMGetPoison(type);
    for (uint32_t lane = 0; lane < LLVMGetVectorSize(type); lane++) {
        LLVMValueRef x = lane_of(e, a, lane), y = lane_of(e, b, lane);
        LLVMValueRef q = LLVMBuildBinOp(e->builder, (LLVMOpcode)opcode, x, y, "");
        result =
            LLVMBuildInsertElement(e->builder, result, q, LLVMConstInt(e->t.i32, lane, false), "");
    }
    return result;
}

static LLVMValueRef other(MgCpuEmit *e, const MgKx *x, LLVMValueRef *args) {
    MgDType dtype = x->args[0]->type.dtype;
    LLVMTypeRef type = mg_cpu_type(e, x->type);
    LLVMBuilderRef b = e->builder;
    switch (x->prim) {
    case MG_PRIM_NEG:
        return mg_is_float(dtype) ? LLVMBuildFNeg(b, args[0], "") : LLVMBuildNeg(b, args[0], "");
    case MG_PRIM_ABS:
        return fabs_of(e, dtype, args[0]);
    case MG_PRIM_NOT:
        return LLVMBuildNot(b, args[0], "");
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return min_max(e, x->prim, dtype, args[0], args[1]);
    case MG_PRIM_SCALEB:
        return e->target->scaleb ? mg_cpu_scaleb(e, x->type, args)
                                 : mg_cpu_not_legal(e, x->prim, x->type, type);
    case MG_PRIM_ISNAN:
        return LLVMBuildFCmp(b, LLVMRealUNO, args[0], args[0], "");
    case MG_PRIM_WHERE:
        return LLVMBuildSelect(b, args[0], args[1], args[2], "");
    case MG_PRIM_CAST:
        return cast(e, x, args[0]);
    case MG_PRIM_BITCAST:
        return LLVMBuildBitCast(b, args[0], type, "");
    case MG_PRIM_RSQRT: {
        LLVMValueRef root = mg_cpu_intrinsic(e, "llvm.sqrt", &type, 1, args, 1);
        const MgKx one = {
            .kind = MG_KX_CONST, .type = x->type, .bits = mg_bits_from_double(dtype, 1)};
        return LLVMBuildFDiv(b, mg_cpu_value(e, &one), root, "");
    }
    default:
        return mg_cpu_not_legal(e, x->prim, x->args[0]->type, type);
    }
}

// Computes fma in f64. Without an fma instruction LLVM would call libm for every lane. In f64 the
// product is exact but the sum is rounded twice, which differs by half an ulp in one of 2^29 cases.
static LLVMValueRef fma_by_f64(MgCpuEmit *e, MgKType type, LLVMValueRef *args) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef wide = mg_cpu_type(e, (MgKType){MG_F64, type.lanes});
    LLVMValueRef x[3];
    for (int i = 0; i < 3; i++)
        x[i] = LLVMBuildFPExt(b, args[i], wide, "");
    LLVMValueRef sum = LLVMBuildFAdd(b, LLVMBuildFMul(b, x[0], x[1], ""), x[2], "");
    return LLVMBuildFPTrunc(b, sum, mg_cpu_type(e, type), "");
}

LLVMValueRef mg_cpu_prim(MgCpuEmit *e, const MgKx *x, LLVMValueRef *args) {
    const Row *row = &rows[x->prim];
    MgDType dtype = x->args[0]->type.dtype;
    LLVMTypeRef type = mg_cpu_type(e, x->type);
    if (mg_is_short_float(dtype) && row->form != FORM_OTHER) // it is only moved and converted
        return mg_cpu_not_legal(e, x->prim, x->args[0]->type, type);
    switch (row->form) {
    case FORM_BINARY: {
        int opcode = by_class(row, dtype);
        if (opcode && mg_is_int(dtype) && (x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_REM))
            return divide(e, opcode, args[0], args[1]);
        if (opcode)
            return LLVMBuildBinOp(e->builder, (LLVMOpcode)opcode, args[0], args[1], "");
        break;
    }
    case FORM_COMPARE:
        return compare(e, by_class(row, dtype), dtype, args[0], args[1]);
    case FORM_INTRINSIC:
        if (x->prim == MG_PRIM_FMA && dtype == MG_F32 && !e->target->fma)
            return fma_by_f64(e, x->type, args);
        return mg_cpu_intrinsic(e, row->name, &type, 1, args, x->n_args);
    case FORM_LIBM:
        if (dtype == MG_F64)
            return libm(e, row->name, x->type, args, x->n_args);
        break;
    case FORM_OTHER:
        return other(e, x, args);
    case FORM_NONE:
        break;
    }
    return mg_cpu_not_legal(e, x->prim, x->args[0]->type, type);
}
