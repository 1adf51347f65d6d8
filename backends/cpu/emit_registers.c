// Operations that LLVM offers only at a register's width: scaling by a power of two, and a table
// lookup by permutation. A vector of another width is processed register by register.
#include "backends/cpu/emit.h"

static LLVMValueRef number(MgCpuEmit *e, uint32_t i) {
    return LLVMConstInt(e->t.i32, i, false);
}

// Lanes [first, first + n) of a vector, or the one lane of a scalar. Lanes past the end are
// undefined.
static LLVMValueRef some_lanes(MgCpuEmit *e, LLVMValueRef x, uint32_t have, uint32_t first,
                               uint32_t n) {
    if (have == n)
        return x;
    LLVMTypeRef type = LLVMTypeOf(x);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMBuildInsertElement(e->builder, LLVMGetPoison(LLVMVectorType(type, n)), x,
                                      number(e, 0), "");
    LLVMValueRef *at = MG_NEW_N(e->arena, LLVMValueRef, n);
    for (uint32_t i = 0; i < n; i++)
        at[i] = first + i < have ? number(e, first + i) : LLVMGetPoison(e->t.i32);
    return LLVMBuildShuffleVector(e->builder, x, LLVMGetPoison(type), LLVMConstVector(at, n), "");
}

// Puts the n lanes of y into lanes [first, first + n) of whole, which has `have` lanes.
static LLVMValueRef with_lanes(MgCpuEmit *e, LLVMValueRef whole, LLVMValueRef y, uint32_t have,
                               uint32_t first, uint32_t n) {
    if (have == n)
        return y;
    if (have == 1)
        return LLVMBuildExtractElement(e->builder, y, number(e, 0), "");
    for (uint32_t i = first; i < first + n && i < have; i++) {
        LLVMValueRef lane = LLVMBuildExtractElement(e->builder, y, number(e, i - first), "");
        whole = LLVMBuildInsertElement(e->builder, whole, lane, number(e, i), "");
    }
    return whole;
}

// Emits VSCALEFPS or VSCALEFPD.
LLVMValueRef mg_cpu_scaleb(MgCpuEmit *e, MgKType type, LLVMValueRef *args) {
    uint32_t bits = mg_dtype(type.dtype)->bits, n = 128 / bits;
    while (n < type.lanes && n < 512 / bits)
        n *= 2;
    const char *name = mg_arena_printf(e->arena, "llvm.x86.avx512.mask.scalef.p%c.%u",
                                       bits == 64 ? 'd' : 's', n * bits);
    LLVMTypeRef mask = LLVMIntTypeInContext(e->context, n > 8 ? n : 8);
    LLVMValueRef whole = LLVMGetPoison(mg_cpu_type(e, type));
    for (uint32_t first = 0; first < type.lanes; first += n) {
        LLVMValueRef x = some_lanes(e, args[0], type.lanes, first, n);
        LLVMValueRef call[] = {x, some_lanes(e, args[1], type.lanes, first, n), x,
                               LLVMConstAllOnes(mask), number(e, 4)};
        LLVMValueRef y = mg_cpu_intrinsic(e, name, NULL, 0, call, n * bits == 512 ? 5 : 4);
        whole = with_lanes(e, whole, y, type.lanes, first, n);
    }
    return whole;
}

// The table as a vector, repeated to n entries.
static LLVMValueRef table_of(MgCpuEmit *e, const MgKx *x, uint32_t n) {
    LLVMValueRef *entries = MG_NEW_N(e->arena, LLVMValueRef, n);
    MgKx entry = {.kind = MG_KX_CONST, .type = mg_kt(x->type.dtype, 1)};
    for (uint32_t i = 0; i < n; i++) {
        entry.bits = x->table[i % x->value];
        entries[i] = mg_cpu_value(e, &entry);
    }
    return LLVMConstVector(entries, n);
}

// Looks up each lane in memory.
static LLVMValueRef lookup_in_memory(MgCpuEmit *e, const MgKx *x, LLVMValueRef index) {
    LLVMValueRef values = table_of(e, x, x->value), whole = LLVMGetPoison(mg_cpu_type(e, x->type));
    LLVMValueRef table = LLVMAddGlobal(e->module, LLVMTypeOf(values), "table");
    LLVMSetInitializer(table, values);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMTypeRef type = mg_cpu_type(e, mg_kt(x->type.dtype, 1));
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        LLVMValueRef at = x->type.lanes == 1
                              ? index
                              : LLVMBuildExtractElement(e->builder, index, number(e, i), "");
        at = LLVMBuildBinOp(e->builder, LLVMAnd, at, number(e, x->value - 1), "");
        at = LLVMBuildZExt(e->builder, at, e->t.i64, "");
        LLVMValueRef address = LLVMBuildGEP2(e->builder, type, table, &at, 1, "");
        LLVMValueRef y = LLVMBuildLoad2(e->builder, type, address, "");
        if (x->type.lanes == 1)
            return y;
        whole = LLVMBuildInsertElement(e->builder, whole, y, number(e, i), "");
    }
    return whole;
}

// Emits VPERMPS, which takes an index modulo 16, or VPERMILPS, whose index is modulo 4 and whose
// table is repeated.
LLVMValueRef mg_cpu_lookup(MgCpuEmit *e, const MgKx *x) {
    LLVMValueRef index = mg_cpu_value(e, x->args[0]);
    uint32_t lanes = x->type.lanes;
    uint32_t most = e->target->lookup ? 16 : e->target->lookup4 ? 4 : 0;
    if (x->type.dtype != MG_F32 || x->value > most || lanes == 1)
        return lookup_in_memory(e, x, index);
    uint32_t n = e->target->lookup ? 16 : 8;
    const char *name =
        e->target->lookup ? "llvm.x86.avx512.permvar.sf.512" : "llvm.x86.avx.vpermilvar.ps.256";
    LLVMValueRef whole = LLVMGetPoison(mg_cpu_type(e, x->type)), table = table_of(e, x, n);
    for (uint32_t first = 0; first < lanes; first += n) {
        LLVMValueRef call[] = {table, some_lanes(e, index, lanes, first, n)};
        LLVMValueRef y = mg_cpu_intrinsic(e, name, NULL, 0, call, 2);
        whole = with_lanes(e, whole, y, lanes, first, n);
    }
    return whole;
}
