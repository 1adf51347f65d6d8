// Expressions that differ from a CPU's: integers that fit in 32 bits are computed in them, memory
// has address spaces, and a load under a condition is a branch.
#include "backends/nvptx/emit.h"

LLVMValueRef mg_nv_i32(MgNvEmit *n, int64_t value) {
    return LLVMConstInt(n->e.t.i32, (uint64_t)value, true);
}

LLVMValueRef mg_nv_binary(MgNvEmit *n, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildBinOp(n->e.builder, op, a, b, "");
}

LLVMValueRef mg_nv_lane(MgNvEmit *n, LLVMValueRef vector, uint32_t lane) {
    return LLVMBuildExtractElement(n->e.builder, vector, mg_nv_i32(n, lane), "");
}

LLVMValueRef mg_nv_vector(MgNvEmit *n, LLVMValueRef *lanes, uint32_t count) {
    LLVMValueRef whole = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(lanes[0]), count));
    for (uint32_t i = 0; i < count; i++)
        whole = LLVMBuildInsertElement(n->e.builder, whole, lanes[i], mg_nv_i32(n, i), "");
    return whole;
}

LLVMValueRef mg_nv_local(MgNvEmit *n, LLVMValueRef pointer) {
    return LLVMBuildPtrToInt(n->e.builder, pointer, n->e.t.i32, "");
}

LLVMValueRef mg_nv_asm(MgNvEmit *n, const MgNvAsm *what, LLVMValueRef *args, uint32_t n_args) {
    LLVMTypeRef *types = MG_NEW_N(n->e.arena, LLVMTypeRef, n_args + what->n_results + 1);
    for (uint32_t i = 0; i < n_args; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef result = what->n_results ? what->result : n->e.t.none;
    if (what->n_results > 1) {
        LLVMTypeRef *parts = MG_NEW_N(n->e.arena, LLVMTypeRef, what->n_results);
        for (uint32_t i = 0; i < what->n_results; i++)
            parts[i] = what->result;
        result = LLVMStructTypeInContext(n->e.context, parts, what->n_results, false);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, n_args, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, what->text, strlen(what->text), what->constraints,
                                         strlen(what->constraints), !what->pure, false,
                                         LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(n->e.builder, type, code, args, n_args, "");
    const char *attributes[] = {"nounwind", what->pure ? NULL : "convergent"};
    for (int i = 0; i < 2 && attributes[i]; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(n->e.context, kind, 0));
    }
    return call;
}

// ---------------------------------------------------------------- integers

static LLVMOpcode opcode_of(MgPrim prim) {
    static const LLVMOpcode rows[MG_PRIM_COUNT] = {
        [MG_PRIM_DIV] = LLVMSDiv, [MG_PRIM_REM] = LLVMSRem, [MG_PRIM_AND] = LLVMAnd,
        [MG_PRIM_XOR] = LLVMXor,  [MG_PRIM_SHR] = LLVMAShr, [MG_PRIM_OR] = LLVMOr,
        [MG_PRIM_SHL] = LLVMShl};
    return rows[prim];
}

static LLVMValueRef narrow_prim(MgNvEmit *n, const MgKx *x) {
    LLVMBuilderRef b = n->e.builder;
    if (x->prim == MG_PRIM_CAST)
        return LLVMBuildIntCast2(b, mg_cpu_value(&n->e, x->args[0]), n->e.t.i32,
                                 mg_is_signed(x->args[0]->type.dtype), "");
    if (x->prim == MG_PRIM_WHERE)
        return LLVMBuildSelect(b, mg_cpu_value(&n->e, x->args[0]), mg_nv_word(n, x->args[1]),
                               mg_nv_word(n, x->args[2]), "");
    LLVMValueRef args[] = {mg_nv_word(n, x->args[0]), mg_nv_word(n, x->args[1])};
    switch (x->prim) {
    case MG_PRIM_ADD:
        return LLVMBuildNSWAdd(b, args[0], args[1], "");
    case MG_PRIM_SUB:
        return LLVMBuildNSWSub(b, args[0], args[1], "");
    case MG_PRIM_MUL:
        return LLVMBuildNSWMul(b, args[0], args[1], "");
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return mg_cpu_intrinsic(&n->e, x->prim == MG_PRIM_MIN ? "llvm.smin" : "llvm.smax",
                                &n->e.t.i32, 1, args, 2);
    default:
        return mg_nv_binary(n, opcode_of(x->prim), args[0], args[1]);
    }
}

static LLVMValueRef narrow(MgNvEmit *n, const MgKx *x) {
    switch (x->kind) {
    case MG_KX_CONST:
        return mg_nv_i32(n, (int64_t)x->bits);
    case MG_KX_VAR:
        return n->e.vars[x->var];
    case MG_KX_WORKER:
        return n->group;
    case MG_KX_WORKERS:
        return n->groups;
    case MG_KX_LOCAL_ID:
        return n->item;
    case MG_KX_LOCAL_SIZE:
        return mg_nv_i32(n, n->e.k->items);
    default:
        return narrow_prim(n, x);
    }
}

static bool is_narrow(const MgNvEmit *n, const MgKx *x) {
    return x->type.dtype == MG_I64 && x->type.lanes == 1 && mg_kfacts_narrow(&n->facts, x);
}

LLVMValueRef mg_nv_word(MgNvEmit *n, const MgKx *x) {
    return is_narrow(n, x) ? narrow(n, x)
                           : LLVMBuildTrunc(n->e.builder, mg_cpu_value(&n->e, x), n->e.t.i32, "");
}

// The value of an index: an i32 if it is narrow, otherwise an i64.
static LLVMValueRef index_of(MgNvEmit *n, const MgKx *x) {
    return is_narrow(n, x) ? narrow(n, x) : mg_cpu_value(&n->e, x);
}

// ---------------------------------------------------------------- memory

LLVMTypeRef mg_nv_element(MgNvEmit *n, const MgKBuf *b) {
    uint32_t words = mg_kbuf_words(b);
    if (!words)
        return mg_cpu_memory_type(&n->e, b->elem);
    return words == 1 ? n->e.t.i32 : LLVMVectorType(n->e.t.i32, words);
}

LLVMValueRef mg_nv_step(MgNvEmit *n, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef by) {
    return LLVMBuildInBoundsGEP2(n->e.builder, element, base, &by, 1, "");
}

LLVMValueRef mg_nv_place(MgNvEmit *n, MgKBufId buf, const MgKx *index) {
    const MgKBuf *b = &n->e.k->bufs.at[buf];
    return mg_nv_step(n, mg_nv_element(n, b), n->e.bufs[buf], index_of(n, index));
}

uint32_t mg_nv_align(const MgNvEmit *n, MgKBufId buf, const MgKx *index, MgKType t) {
    const MgKBuf *b = &n->e.k->bufs.at[buf];
    uint32_t size = (uint32_t)mg_dtype_size(t.dtype), lanes = t.lanes;
    if (b->elem.lanes > 1 || t.lanes == 1) { // a whole element
        uint32_t whole = size * t.lanes;
        return whole & (whole - 1) ? size : whole < 16 ? whole : 16;
    }
    for (; lanes > 1; lanes /= 2)
        if (t.lanes % lanes == 0 && mg_kfacts_aligned(&n->facts, buf, index, lanes))
            return size * lanes;
    return size;
}

LLVMValueRef mg_nv_load(MgNvEmit *n, LLVMTypeRef type, LLVMValueRef address, uint32_t align) {
    LLVMValueRef loaded = LLVMBuildLoad2(n->e.builder, type, address, "");
    LLVMSetAlignment(loaded, align);
    return loaded;
}

void mg_nv_store(MgNvEmit *n, LLVMValueRef value, LLVMValueRef address, uint32_t align) {
    LLVMSetAlignment(LLVMBuildStore(n->e.builder, value, address), align);
}

static LLVMValueRef gather(MgNvEmit *n, const MgKx *x, LLVMTypeRef type) {
    LLVMValueRef address = mg_nv_place(n, x->buf, x->args[0]);
    LLVMValueRef lanes[64];
    uint32_t size = (uint32_t)mg_dtype_size(x->type.dtype);
    for (uint32_t i = 0; i < x->type.lanes; i++)
        lanes[i] = mg_nv_load(n, LLVMGetElementType(type), mg_nv_lane(n, address, i), size);
    return mg_nv_vector(n, lanes, x->type.lanes);
}

// A load without its mask, in memory's type.
static LLVMValueRef plain_load(MgNvEmit *n, const MgKx *x) {
    LLVMTypeRef type = mg_cpu_memory_type(&n->e, x->type);
    if (x->args[0]->type.lanes > 1)
        return gather(n, x, type);
    const MgKBuf *b = &n->e.k->bufs.at[x->buf];
    LLVMTypeRef element = mg_nv_element(n, b);
    bool whole = b->elem.lanes > 1;
    LLVMValueRef loaded = mg_nv_load(n, whole ? element : type, mg_nv_place(n, x->buf, x->args[0]),
                                     mg_nv_align(n, x->buf, x->args[0], x->type));
    return whole ? LLVMBuildBitCast(n->e.builder, loaded, type, "") : loaded;
}

static LLVMValueRef from_memory(MgNvEmit *n, const MgKx *x, LLVMValueRef loaded) {
    return x->type.dtype == MG_BOOL ? LLVMBuildICmp(n->e.builder, LLVMIntNE, loaded,
                                                    LLVMConstNull(LLVMTypeOf(loaded)), "")
                                    : loaded;
}

// What a load gives where it reads nothing: a scalar stands for all lanes.
static LLVMValueRef otherwise(MgNvEmit *n, const MgKx *x) {
    return mg_cpu_splat(&n->e, mg_cpu_value(&n->e, x->args[2]), x->type.lanes);
}

static LLVMValueRef load_if(MgNvEmit *n, const MgKx *x, const MgKx *condition) {
    LLVMValueRef other = otherwise(n, x);
    MgNvIf branch = mg_nv_if(n, mg_cpu_value(&n->e, condition));
    return mg_nv_join(n, &branch, from_memory(n, x, plain_load(n, x)), other);
}

// A mask leaves lanes out.
static LLVMValueRef masked_load(MgNvEmit *n, const MgKx *x) {
    LLVMBuilderRef b = n->e.builder;
    LLVMTypeRef type = mg_cpu_memory_type(&n->e, x->type);
    LLVMValueRef address = mg_nv_place(n, x->buf, x->args[0]);
    LLVMValueRef mask = mg_cpu_mask(&n->e, x->args[1], x->type.lanes);
    LLVMValueRef other = otherwise(n, x);
    if (x->type.dtype == MG_BOOL)
        other = LLVMBuildZExt(b, other, type, "");
    LLVMTypeRef overload[] = {type, LLVMTypeOf(address)};
    uint32_t align = (uint32_t)mg_dtype_size(x->type.dtype);
    LLVMValueRef args[] = {address, mg_nv_i32(n, align), mask, other};
    bool scattered = x->args[0]->type.lanes > 1;
    return from_memory(n, x,
                       mg_cpu_intrinsic(&n->e,
                                        scattered ? "llvm.masked.gather" : "llvm.masked.load",
                                        overload, 2, args, 4));
}

static LLVMValueRef load(MgNvEmit *n, const MgKx *x) {
    if (x->n_args == 1 || !x->args[1])
        return from_memory(n, x, plain_load(n, x));
    const MgKx *condition = mg_kload_condition(x);
    return condition ? load_if(n, x, condition) : masked_load(n, x);
}

// ---------------------------------------------------------------- lanes

// Scalars joined to a vector. NULL: the operands are vectors.
static LLVMValueRef join(MgNvEmit *n, const MgKx *x) {
    LLVMValueRef from[2], lanes[64];
    if (x->args[0]->type.lanes > 1)
        return NULL;
    for (uint32_t i = 0; i < x->n_args; i++)
        from[i] = mg_cpu_value(&n->e, x->args[i]);
    for (uint32_t i = 0; i < x->type.lanes; i++)
        lanes[i] = from[x->lanes[i]];
    return x->type.lanes > 1 ? mg_nv_vector(n, lanes, x->type.lanes) : lanes[0];
}

// The table is a constant in memory.
static LLVMValueRef lookup(MgNvEmit *n, const MgKx *x) {
    LLVMTypeRef type = mg_cpu_type(&n->e, mg_kt(x->type.dtype, 1));
    LLVMValueRef entries[64], lanes[64], index = mg_cpu_value(&n->e, x->args[0]);
    MgKx entry = {.kind = MG_KX_CONST, .type = mg_kt(x->type.dtype, 1)};
    for (uint32_t i = 0; i < x->value; i++) {
        entry.bits = x->table[i];
        entries[i] = mg_cpu_value(&n->e, &entry);
    }
    LLVMValueRef values = LLVMConstArray2(type, entries, x->value);
    LLVMValueRef table = LLVMAddGlobalInAddressSpace(
        n->e.module, LLVMTypeOf(values), mg_arena_printf(n->e.arena, "%s_table", n->name),
        MG_NV_CONSTANT);
    LLVMSetInitializer(table, values);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        LLVMValueRef at = x->type.lanes == 1 ? index : mg_nv_lane(n, index, i);
        at = mg_nv_binary(n, LLVMAnd, at, mg_nv_i32(n, x->value - 1));
        lanes[i] = mg_nv_load(n, type, mg_nv_step(n, type, table, at),
                              (uint32_t)mg_dtype_size(x->type.dtype));
    }
    return x->type.lanes == 1 ? lanes[0] : mg_nv_vector(n, lanes, x->type.lanes);
}

// ---------------------------------------------------------------- primitives

static LLVMValueRef cast_narrow(MgNvEmit *n, const MgKx *x) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef value = narrow(n, x->args[0]);
    LLVMTypeRef type = mg_cpu_type(&n->e, x->type);
    if (x->type.dtype == MG_BOOL)
        return LLVMBuildICmp(b, LLVMIntNE, value, mg_nv_i32(n, 0), "");
    return mg_is_float(x->type.dtype) ? LLVMBuildSIToFP(b, value, type, "")
                                      : LLVMBuildIntCast2(b, value, type, true, "");
}

static LLVMValueRef compare_narrow(MgNvEmit *n, const MgKx *x) {
    static const LLVMIntPredicate rows[MG_PRIM_COUNT] = {
        [MG_PRIM_EQ] = LLVMIntEQ,  [MG_PRIM_NE] = LLVMIntNE,  [MG_PRIM_LT] = LLVMIntSLT,
        [MG_PRIM_LE] = LLVMIntSLE, [MG_PRIM_GT] = LLVMIntSGT, [MG_PRIM_GE] = LLVMIntSGE};
    return rows[x->prim] && is_narrow(n, x->args[0]) && is_narrow(n, x->args[1])
               ? LLVMBuildICmp(n->e.builder, rows[x->prim], narrow(n, x->args[0]),
                               narrow(n, x->args[1]), "")
               : NULL;
}

static LLVMValueRef prim(MgNvEmit *n, const MgKx *x) {
    MgDType dtype = x->args[0]->type.dtype;
    bool single = x->type.dtype == MG_F32;
    switch (x->prim) {
    case MG_PRIM_CAST:
        if (x->type.dtype == MG_BF16)
            return mg_nv_to_bf16(n, x);
        return is_narrow(n, x->args[0]) && !mg_is_short_float(x->type.dtype) ? cast_narrow(n, x)
                                                                             : NULL;
    case MG_PRIM_DIV:
        return single ? mg_nv_quotient(n, x) : NULL;
    case MG_PRIM_SQRT:
        return single ? mg_nv_root(n, x) : NULL;
    case MG_PRIM_EXP2:
        return mg_nv_rough_exp2(n, x);
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return dtype == MG_F64 ? mg_nv_extremum_f64(n, x) : NULL;
    default:
        return compare_narrow(n, x);
    }
}

LLVMValueRef mg_nv_own(MgCpuEmit *e, const MgKx *x) {
    MgNvEmit *n = mg_nv(e);
    if (x->kind != MG_KX_CONST && is_narrow(n, x))
        return LLVMBuildSExt(e->builder, narrow(n, x), e->t.i64, "");
    switch (x->kind) {
    case MG_KX_LOAD:
        return load(n, x);
    case MG_KX_PRIM:
        return prim(n, x);
    case MG_KX_PERMUTE:
        return join(n, x);
    case MG_KX_LOOKUP:
        return lookup(n, x);
    default:
        return NULL;
    }
}
