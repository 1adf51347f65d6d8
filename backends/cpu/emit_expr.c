// Expressions: constants, loads, lanes. Primitives are in emit_prim.c.
//
// bool is i1 in registers and a byte in memory. bf16 is i16 everywhere, as is f16 where the CPU has
// no conversion, and a float of eight bits is i8: legalised kernels only move and bit-cast them.
#include "backends/cpu/dot.h"
#include "backends/cpu/emit.h"

static LLVMTypeRef scalar_type(MgCpuEmit *e, MgDType dtype) {
    switch (dtype) {
    case MG_F64:
        return LLVMDoubleTypeInContext(e->context);
    case MG_F32:
        return LLVMFloatTypeInContext(e->context);
    case MG_F16:
        if (e->target->f16)
            return LLVMHalfTypeInContext(e->context);
        break;
    case MG_BOOL:
        return e->t.i1;
    default:
        break;
    }
    return LLVMIntTypeInContext(e->context, mg_dtype(dtype)->bits);
}

LLVMTypeRef mg_cpu_type(MgCpuEmit *e, MgKType type) {
    LLVMTypeRef scalar = scalar_type(e, type.dtype);
    return type.lanes > 1 ? LLVMVectorType(scalar, type.lanes) : scalar;
}

LLVMTypeRef mg_cpu_memory_type(MgCpuEmit *e, MgKType type) {
    if (type.dtype != MG_BOOL)
        return mg_cpu_type(e, type);
    return type.lanes > 1 ? LLVMVectorType(e->t.i8, type.lanes) : e->t.i8;
}

LLVMValueRef mg_cpu_int(MgCpuEmit *e, int64_t value) {
    return LLVMConstInt(e->t.i64, (uint64_t)value, true);
}

LLVMValueRef mg_cpu_intrinsic(MgCpuEmit *e, const char *name, LLVMTypeRef *overload,
                              uint32_t n_overload, LLVMValueRef *args, uint32_t n_args) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, overload, n_overload);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->context, id, overload, n_overload);
    return LLVMBuildCall2(e->builder, type, function, args, n_args, "");
}

static LLVMValueRef splat_constant(MgCpuEmit *e, LLVMValueRef scalar, uint32_t lanes) {
    if (lanes == 1)
        return scalar;
    LLVMValueRef *all = MG_NEW_N(e->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        all[i] = scalar;
    return LLVMConstVector(all, lanes);
}

static LLVMValueRef constant(MgCpuEmit *e, const MgKx *x) {
    LLVMTypeRef type = scalar_type(e, x->type.dtype), same_width = type;
    uint64_t bits = x->bits;
    if (x->type.dtype == MG_BOOL)
        bits = bits != 0;
    else
        same_width = LLVMIntTypeInContext(e->context, mg_dtype(x->type.dtype)->bits);
    LLVMValueRef scalar = LLVMConstInt(same_width, bits, false);
    if (type != same_width)
        scalar = LLVMConstBitCast(scalar, type);
    return splat_constant(e, scalar, x->type.lanes);
}

LLVMValueRef mg_cpu_splat(MgCpuEmit *e, LLVMValueRef scalar, uint32_t lanes) {
    if (lanes == 1 || LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMVectorTypeKind)
        return scalar;
    if (LLVMIsConstant(scalar))
        return splat_constant(e, scalar, lanes);
    LLVMValueRef none = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(scalar), lanes));
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(e->t.i32, lanes));
    LLVMValueRef first =
        LLVMBuildInsertElement(e->builder, none, scalar, LLVMConstInt(e->t.i32, 0, false), "");
    return LLVMBuildShuffleVector(e->builder, first, none, zeros, "");
}

static LLVMValueRef ramp(MgCpuEmit *e, const MgKx *x) {
    uint32_t lanes = x->type.lanes;
    LLVMValueRef base = mg_cpu_value(e, x->args[0]), stride = mg_cpu_value(e, x->args[1]);
    LLVMTypeRef scalar = LLVMTypeOf(base);
    LLVMValueRef *steps = MG_NEW_N(e->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        steps[i] = LLVMConstInt(scalar, i, false);
    LLVMValueRef offsets =
        LLVMBuildMul(e->builder, LLVMConstVector(steps, lanes), mg_cpu_splat(e, stride, lanes), "");
    return LLVMBuildAdd(e->builder, mg_cpu_splat(e, base, lanes), offsets, "");
}

static LLVMValueRef permute(MgCpuEmit *e, const MgKx *x) {
    uint32_t lanes = x->type.lanes;
    LLVMValueRef a = mg_cpu_value(e, x->args[0]);
    LLVMValueRef b =
        x->n_args > 1 && x->args[1] ? mg_cpu_value(e, x->args[1]) : LLVMGetPoison(LLVMTypeOf(a));
    LLVMValueRef *mask = MG_NEW_N(e->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        mask[i] = LLVMConstInt(e->t.i32, x->lanes[i], false);
    return LLVMBuildShuffleVector(e->builder, a, b, LLVMConstVector(mask, lanes), "");
}

// ---------------------------------------------------------------- memory

LLVMValueRef mg_cpu_byte_address(MgCpuEmit *e, LLVMValueRef base, LLVMValueRef bytes) {
    return LLVMBuildGEP2(e->builder, e->t.i8, base, &bytes, 1, "");
}

LLVMValueRef mg_cpu_call_field(MgCpuEmit *e, size_t offset) {
    return mg_cpu_byte_address(e, e->call, mg_cpu_int(e, (int64_t)offset));
}

// A vector in a scalar buffer may start at any element, unless its index is known to be a multiple
// of its lanes.
uint32_t mg_cpu_align(const MgCpuEmit *e, MgKBufId buf, MgKType accessed, bool whole_vector) {
    const MgKBuf *b = &e->k->bufs.at[buf];
    uint32_t size = (uint32_t)mg_dtype_size(b->elem.dtype) * b->elem.lanes;
    if (whole_vector)
        size = (uint32_t)mg_dtype_size(accessed.dtype) * accessed.lanes;
    uint32_t natural = size & (~size + 1), base = b->align;
    if (b->scope == MG_SCOPE_THREAD || b->scope == MG_SCOPE_GROUP)
        base = 64; // how mg_cpu_begin_body allocates it
    if (base < mg_dtype_size(b->elem.dtype))
        base = (uint32_t)mg_dtype_size(b->elem.dtype);
    return natural < base ? natural : base;
}

LLVMValueRef mg_cpu_mask(MgCpuEmit *e, const MgKx *mask, uint32_t lanes) {
    if (!mask)
        return LLVMConstAllOnes(LLVMVectorType(e->t.i1, lanes));
    LLVMValueRef value = mg_cpu_value(e, mask);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
        return value;
    LLVMTypeRef type = LLVMVectorType(e->t.i1, lanes);
    if (lanes > 1)
        return mg_cpu_splat(e, value, lanes);
    return LLVMBuildInsertElement(e->builder, LLVMGetPoison(type), value,
                                  LLVMConstInt(e->t.i32, 0, false), "");
}

// A masked contiguous load, or a gather. A scalar with a mask becomes a vector of one lane.
static LLVMValueRef masked_load(MgCpuEmit *e, const MgKx *x, const MgKx *index) {
    bool gather = index->type.lanes > 1;
    uint32_t lanes = x->type.lanes;
    LLVMTypeRef scalar = mg_cpu_memory_type(e, mg_kt(x->type.dtype, 1));
    LLVMTypeRef vector = LLVMVectorType(scalar, lanes);
    LLVMValueRef address = mg_cpu_place(e, x->buf, index);
    LLVMValueRef mask = mg_cpu_mask(e, x->n_args > 1 ? x->args[1] : NULL, lanes);
    LLVMValueRef other = LLVMConstNull(vector);
    if (x->n_args > 2 && x->args[2]) {
        other = mg_cpu_splat(e, mg_cpu_value(e, x->args[2]), lanes);
        if (x->type.dtype == MG_BOOL)
            other = LLVMBuildZExt(e->builder, other, mg_cpu_memory_type(e, x->type), "");
        if (lanes == 1)
            other = LLVMBuildInsertElement(e->builder, LLVMGetPoison(vector), other,
                                           LLVMConstInt(e->t.i32, 0, false), "");
    }
    uint32_t align =
        gather ? (uint32_t)mg_dtype_size(x->type.dtype) : mg_cpu_align(e, x->buf, x->type, false);
    LLVMTypeRef overload[] = {vector, LLVMTypeOf(address)};
    LLVMValueRef args[] = {address, LLVMConstInt(e->t.i32, align, false), mask, other};
    LLVMValueRef loaded = mg_cpu_intrinsic(e, gather ? "llvm.masked.gather" : "llvm.masked.load",
                                           overload, 2, args, 4);
    if (lanes > 1)
        return loaded;
    return LLVMBuildExtractElement(e->builder, loaded, LLVMConstInt(e->t.i32, 0, false), "");
}

const MgKx *mg_cpu_index(const MgKx *index) {
    bool consecutive = index->kind == MG_KX_RAMP && index->args[1]->kind == MG_KX_CONST &&
                       index->args[1]->bits == 1;
    return consecutive ? index->args[0] : index;
}

static LLVMValueRef load(MgCpuEmit *e, const MgKx *x) {
    const MgKx *index = mg_cpu_index(x->args[0]);
    LLVMValueRef loaded;
    if (index->type.lanes > 1 || (x->n_args > 1 && x->args[1])) {
        loaded = masked_load(e, x, index);
    } else {
        LLVMValueRef address = mg_cpu_is_device_memory(e, x->buf) ? mg_cpu_device_load(e, x, index)
                                                                  : mg_cpu_place(e, x->buf, index);
        loaded = LLVMBuildLoad2(e->builder, mg_cpu_memory_type(e, x->type), address, "");
        LLVMSetAlignment(loaded, mg_cpu_align(e, x->buf, x->type, false));
    }
    if (x->type.dtype != MG_BOOL)
        return loaded;
    return LLVMBuildICmp(e->builder, LLVMIntNE, loaded, LLVMConstNull(LLVMTypeOf(loaded)), "");
}

// ---------------------------------------------------------------- positions
// Compares the positions base, base + 1, ... with an end. As 64-bit lanes they would fill two
// vectors or more, so the number of positions before the end is computed once, and compared with
// narrow lane numbers. NULL if x has another form, or if all is constant and LLVM folds it.
static LLVMValueRef compare_places(MgCpuEmit *e, const MgKx *x) {
    const MgKx *places = x->args[0], *end = x->n_args > 1 ? x->args[1] : NULL;
    uint32_t lanes = x->type.lanes;
    bool below = x->prim == MG_PRIM_LT || x->prim == MG_PRIM_LE,
         less = x->prim == MG_PRIM_LT || x->prim == MG_PRIM_GE;
    if (lanes < 8 || lanes > 128 || (!below && x->prim != MG_PRIM_GT && x->prim != MG_PRIM_GE) ||
        places->kind != MG_KX_RAMP || places->type.dtype != MG_I64 ||
        mg_cpu_index(places) == places || (end->kind != MG_KX_SPLAT && end->kind != MG_KX_CONST))
        return NULL;
    LLVMValueRef base = mg_cpu_value(e, places->args[0]), stop;
    stop = end->kind == MG_KX_SPLAT ? mg_cpu_value(e, end->args[0])
                                    : mg_cpu_int(e, (int64_t)end->bits);
    if (LLVMIsConstant(base) && LLVMIsConstant(stop))
        return NULL;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef count = LLVMBuildSub(b, stop, base, "");
    if (!less)
        count = LLVMBuildAdd(b, count, mg_cpu_int(e, 1), "");
    LLVMValueRef least[] = {count, mg_cpu_int(e, 0)};
    LLVMValueRef most[] = {mg_cpu_intrinsic(e, "llvm.smax", &e->t.i64, 1, least, 2),
                           mg_cpu_int(e, lanes)};
    LLVMTypeRef type = lanes >= 64   ? e->t.i8
                       : lanes >= 32 ? LLVMIntTypeInContext(e->context, 16)
                                     : e->t.i32;
    count = mg_cpu_intrinsic(e, "llvm.smin", &e->t.i64, 1, most, 2);
    count = LLVMBuildTrunc(b, count, type, "");
    LLVMValueRef *numbers = MG_NEW_N(e->arena, LLVMValueRef, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        numbers[i] = LLVMConstInt(type, i, false);
    return LLVMBuildICmp(b, below ? LLVMIntULT : LLVMIntUGE, LLVMConstVector(numbers, lanes),
                         mg_cpu_splat(e, count, lanes), "");
}

// ---------------------------------------------------------------- words
// The intrinsic's operands have its own types: words, or vectors of the elements in words.
static LLVMValueRef dot(MgCpuEmit *e, const MgKx *x) {
    const MgAtomRow *atom = mg_atom((MgAtom)x->value);
    uint32_t bits = x->type.lanes * 32, narrow = mg_dtype(atom->row)->bits;
    const char *name = mg_cpu_dot_intrinsic(e->target, (MgAtom)x->value, bits);
    LLVMTypeRef type = mg_cpu_type(e, x->type);
    if (!name)
        return mg_cpu_not_legal(e, MG_PRIM_FMA, x->type, type);
    LLVMTypeRef element = atom->row == MG_BF16 ? LLVMBFloatTypeInContext(e->context)
                                               : LLVMIntTypeInContext(e->context, narrow);
    LLVMTypeRef overload[] = {type, LLVMVectorType(element, bits / narrow)}, params[3] = {type};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name)),
             n = LLVMIntrinsicIsOverloaded(id) ? 2 : 0;
    LLVMTypeRef signature = LLVMIntrinsicGetType(e->context, id, overload, n);
    bool adds = LLVMCountParamTypes(signature) == 3;
    LLVMGetParamTypes(signature, params + !adds);
    // An unsigned factor comes first. Otherwise the column does, since instructions take an element
    // for all lanes, which the row is, as their last operand.
    bool row_first = !mg_is_signed(atom->row) && mg_is_signed(atom->column);
    LLVMValueRef args[3];
    for (uint32_t i = 0; i < 3; i++) {
        const MgKx *arg = x->args[row_first || !i ? i : 3 - i];
        args[i] = LLVMBuildBitCast(e->builder, mg_cpu_value(e, arg), params[i], "");
    }
    if (adds)
        return mg_cpu_intrinsic(e, name, overload, n, args, 3);
    LLVMValueRef products = mg_cpu_intrinsic(e, name, overload, n, args + 1, 2);
    return LLVMBuildAdd(e->builder, args[0], products, "");
}

// ---------------------------------------------------------------- everything

LLVMValueRef mg_cpu_value(MgCpuEmit *e, const MgKx *x) {
    LLVMValueRef args[3], places, own = e->own ? e->own(e, x) : NULL;
    if (own)
        return own;
    switch (x->kind) {
    case MG_KX_CONST:
        return constant(e, x);
    case MG_KX_VAR:
        return e->scalar_of[x->var] ? e->scalar_value(e, e->scalar_of[x->var] - 1)
                                    : e->vars[x->var];
    case MG_KX_LOAD:
        return load(e, x);
    case MG_KX_PRIM:
        places = compare_places(e, x);
        if (places)
            return places;
        for (uint32_t i = 0; i < x->n_args; i++)
            args[i] = mg_cpu_value(e, x->args[i]);
        return mg_cpu_prim(e, x, args);
    case MG_KX_RAMP:
        return ramp(e, x);
    case MG_KX_SPLAT:
        return mg_cpu_splat(e, mg_cpu_value(e, x->args[0]), x->type.lanes);
    case MG_KX_LANE:
        return LLVMBuildExtractElement(e->builder, mg_cpu_value(e, x->args[0]),
                                       LLVMConstInt(e->t.i32, x->value, false), "");
    case MG_KX_PERMUTE:
        return permute(e, x);
    case MG_KX_LOOKUP:
        return mg_cpu_lookup(e, x);
    case MG_KX_WORDS:
        return LLVMBuildBitCast(e->builder, mg_cpu_value(e, x->args[0]), mg_cpu_type(e, x->type),
                                "");
    case MG_KX_DOT:
        return dot(e, x);
    case MG_KX_FOLD:
        return mg_cpu_not_legal(e, x->prim, x->args[0]->type, mg_cpu_type(e, x->type));
    case MG_KX_WORKER:
        return e->worker;
    case MG_KX_WORKERS:
        return e->workers;
    case MG_KX_LOCAL_ID: // a work-group of one item
        return mg_cpu_int(e, 0);
    case MG_KX_LOCAL_SIZE:
        return mg_cpu_int(e, 1);
    }
    return NULL;
}
