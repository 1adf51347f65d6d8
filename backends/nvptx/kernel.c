// Kernels: what can be emitted, parameters, and arrays.
#include "backends/nvptx/emit.h"

#include "backends/device_text.h"
#include "ir/kernel_walk.h"

// ---------------------------------------------------------------- what can be emitted

// Functions that neither the device nor LLVM has, or not exactly.
static bool is_missing(const MgKx *x) {
    MgDType from = x->n_args && x->args[0] ? x->args[0]->type.dtype : x->type.dtype;
    bool single = x->type.dtype == MG_F32, floats = mg_is_float(from);
    switch (x->prim) {
    case MG_PRIM_ADD:
    case MG_PRIM_SUB:
    case MG_PRIM_MUL:
    case MG_PRIM_DIV:
    case MG_PRIM_NEG:
    case MG_PRIM_ABS:
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
    case MG_PRIM_FMA:
    case MG_PRIM_SQRT:
    case MG_PRIM_FLOOR:
    case MG_PRIM_CEIL:
    case MG_PRIM_ROUND:
    case MG_PRIM_TRUNC:
    case MG_PRIM_EQ:
    case MG_PRIM_NE:
    case MG_PRIM_LT:
    case MG_PRIM_LE:
    case MG_PRIM_GT:
    case MG_PRIM_GE:
    case MG_PRIM_ISNAN:
        return mg_is_short_float(from);
    case MG_PRIM_AND:
    case MG_PRIM_OR:
    case MG_PRIM_XOR:
    case MG_PRIM_NOT:
    case MG_PRIM_SHL:
    case MG_PRIM_SHR:
    case MG_PRIM_WHERE:
    case MG_PRIM_BITCAST:
        return false;
    case MG_PRIM_REM:
        return floats;
    case MG_PRIM_EXP2:
        return !x->near || !single;
    case MG_PRIM_CAST:
        if (x->type.dtype == MG_BF16)
            return from != MG_F32 || x->type.lanes == 3;
        if (mg_is_short_float(x->type.dtype) && x->type.dtype != MG_F16)
            return true;
        if (mg_is_short_float(from) && from != MG_F16)
            return true;
        return (x->type.dtype == MG_F16 && from != MG_F32) ||
               (from == MG_F16 && x->type.dtype != MG_F32);
    default:
        return true;
    }
}

static bool is_unknown_node(void *ctx, const MgKx *x) {
    (void)ctx;
    switch (x->kind) {
    case MG_KX_PRIM:
        return is_missing(x);
    case MG_KX_FOLD:
    case MG_KX_WORDS:
    case MG_KX_DOT:
        return true;
    default:
        return x->type.lanes > 16;
    }
}

static bool is_unknown(void *ctx, const MgKs *s) {
    const MgKernel *k = ctx;
    switch (s->kind) {
    case MG_KS_CALL:
        return true;
    case MG_KS_BARRIER:
        return s->barrier == MG_BARRIER_GRID;
    case MG_KS_STORE:
        return s->mask && s->x->type.lanes > 1 && k->bufs.at[s->buf].elem.lanes > 1;
    default:
        return false;
    }
}

static bool is_odd_array(const MgKBuf *b) {
    return !mg_kbuf_is_bound(b) && b->count->kind != MG_KX_CONST;
}

bool mg_nv_can_emit(const MgKernel *k) {
    bool odd = k->meets;
    for (uint32_t i = 0; i < k->bufs.len && !odd; i++)
        odd = is_odd_array(&k->bufs.at[i]) || k->bufs.at[i].elem.lanes == 3;
    const MgKAsk ask = {
        .statement = is_unknown, .node = is_unknown_node, .ctx = (void *)(uintptr_t)k};
    return !odd && !mg_kblock_any(&k->body, &ask);
}

// ---------------------------------------------------------------- arrays

LLVMValueRef mg_nv_shared(MgNvEmit *n, const char *name, LLVMTypeRef element, uint64_t count,
                          uint32_t align) {
    LLVMTypeRef type = LLVMArrayType2(element, count);
    LLVMValueRef array = LLVMAddGlobalInAddressSpace(
        n->e.module, type, mg_arena_printf(n->e.arena, "%s_%s", n->name, name), MG_NV_SHARED);
    LLVMSetInitializer(array, LLVMGetPoison(type));
    LLVMSetLinkage(array, LLVMInternalLinkage);
    LLVMSetAlignment(array, align);
    return array;
}

// Buffers that use the same bytes in turn.
static LLVMValueRef overlay(MgNvEmit *n) {
    uint32_t align;
    int64_t bytes = mg_kernel_overlay(n->e.k, &align);
    return bytes ? mg_nv_shared(n, "overlay", n->e.t.i8, (uint64_t)bytes, align) : NULL;
}

static LLVMValueRef array_of(MgNvEmit *n, MgKBufId id, LLVMValueRef overlaid) {
    const MgKBuf *b = &n->e.k->bufs.at[id];
    LLVMTypeRef element = mg_nv_element(n, b);
    if (b->overlay)
        return mg_nv_step(n, n->e.t.i8, overlaid, mg_nv_i32(n, b->overlay - 1));
    if (b->space == MG_SPACE_SHARED)
        return mg_nv_shared(n, mg_arena_printf(n->e.arena, "b%u", id), element, b->count->bits,
                            b->align);
    LLVMValueRef array = LLVMBuildAlloca(n->e.allocas, LLVMArrayType2(element, b->count->bits), "");
    LLVMSetAlignment(array, 16);
    return array;
}

// ---------------------------------------------------------------- parameters

static void argument_attributes(MgNvEmit *n, const MgKBuf *b, uint32_t place) {
    if (b->noalias)
        mg_cpu_attribute(&n->e, n->e.function, place, "noalias", 0);
    if (!b->writes)
        mg_cpu_attribute(&n->e, n->e.function, place, "readonly", 0);
}

static LLVMValueRef declare(MgNvEmit *n, const MgKernel *k) {
    uint32_t at = 0, most = 2 * k->bufs.len + k->scalars.len + 1 + n->boxes.list.len;
    LLVMTypeRef *types = MG_NEW_N(n->e.arena, LLVMTypeRef, most);
    LLVMTypeRef global = LLVMPointerTypeInContext(n->e.context, MG_NV_GLOBAL);
    for (uint32_t i = 0; i < k->bufs.len; i++)
        if (mg_kbuf_is_bound(&k->bufs.at[i])) {
            types[at++] = global;
            types[at++] = n->e.t.i64;
        }
    for (uint32_t i = 0; i < k->scalars.len; i++)
        types[at++] = n->e.t.i64;
    if (mg_device_can_trap(k))
        types[at++] = global;
    n->arguments = at;
    for (uint32_t i = 0; i < n->boxes.list.len; i++)
        types[at++] = LLVMVectorType(n->e.t.i64, 16);
    LLVMTypeRef type = LLVMFunctionType(n->e.t.none, types, at, false);
    LLVMValueRef f = LLVMAddFunction(n->e.module, n->name, type);
    enum { PTX_KERNEL = 71 }; // llvm/IR/CallingConv.h
    LLVMSetFunctionCallConv(f, PTX_KERNEL);
    n->e.function = f;
    mg_cpu_attribute(&n->e, f, LLVMAttributeFunctionIndex, "nounwind", 0);
    mg_cpu_attribute(&n->e, f, LLVMAttributeFunctionIndex, "convergent", 0);
    return f;
}

// Says in the module's metadata how many items a group has.
static void annotate(MgNvEmit *n) {
    LLVMMetadataRef row[] = {LLVMValueAsMetadata(n->e.function),
                             LLVMMDStringInContext2(n->e.context, "reqntidx", 8),
                             LLVMValueAsMetadata(mg_nv_i32(n, n->e.k->items))};
    LLVMAddNamedMetadataOperand(
        n->e.module, "nvvm.annotations",
        LLVMMetadataAsValue(n->e.context, LLVMMDNodeInContext2(n->e.context, row, 3)));
}

// Binds arguments; of scratch that each worker has, this worker's part.
static void bind(MgNvEmit *n) {
    const MgKernel *k = n->e.k;
    LLVMBuilderRef b = n->e.builder;
    uint32_t at = 0;
    for (uint32_t i = 0; i < k->scalars.len; i++) {
        uint32_t place = n->arguments - mg_device_can_trap(k) - k->scalars.len + i;
        n->e.vars[k->scalars.at[i]] = LLVMGetParam(n->e.function, place);
    }
    if (mg_device_can_trap(k))
        n->trap = LLVMGetParam(n->e.function, n->arguments - 1);
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        const MgKBuf *buf = &k->bufs.at[i];
        if (!mg_kbuf_is_bound(buf))
            continue;
        argument_attributes(n, buf, at + 1); // parameter p has attribute index p + 1
        LLVMValueRef base = LLVMGetParam(n->e.function, at++);
        n->e.bufs[i] = mg_nv_step(n, n->e.t.i8, base, LLVMGetParam(n->e.function, at++));
        if (buf->scope != MG_SCOPE_WORKER)
            continue;
        LLVMValueRef own = LLVMBuildMul(b, LLVMBuildSExt(b, n->group, n->e.t.i64, ""),
                                        mg_cpu_value(&n->e, buf->count), "");
        n->e.bufs[i] = mg_nv_step(n, mg_nv_element(n, buf), n->e.bufs[i], own);
    }
}

static LLVMValueRef special(MgNvEmit *n, const char *name) {
    return mg_cpu_intrinsic(&n->e, name, NULL, 0, NULL, 0);
}

void mg_nv_kernel(MgNvEmit *n, const MgKernel *k, const char *name) {
    MgCpuEmit *e = &n->e;
    e->k = k;
    n->name = name;
    n->facts = mg_kfacts(e->arena, k);
    n->wide = mg_kernel_has_wide(k);
    n->boxes = mg_kernel_boxes(e->arena, k);
    n->releases = mg_kernel_releases(k);
    declare(n, k);
    annotate(n);
    e->vars = MG_NEW_N(e->arena, LLVMValueRef, k->vars.len + 1);
    e->bufs = MG_NEW_N(e->arena, LLVMValueRef, k->bufs.len + 1);
    e->scalar_of = MG_NEW_N(e->arena, uint32_t, k->vars.len + 1);
    LLVMPositionBuilderAtEnd(e->allocas, mg_cpu_block(e, "entry"));
    LLVMBasicBlockRef body = mg_cpu_block(e, "body");
    LLVMPositionBuilderAtEnd(e->builder, body);
    n->item = special(n, "llvm.nvvm.read.ptx.sreg.tid.x");
    n->group = special(n, "llvm.nvvm.read.ptx.sreg.ctaid.x");
    n->groups = special(n, "llvm.nvvm.read.ptx.sreg.nctaid.x");
    bind(n);
    LLVMValueRef overlaid = overlay(n);
    for (uint32_t i = 0; i < k->bufs.len; i++)
        if (!mg_kbuf_is_bound(&k->bufs.at[i]))
            e->bufs[i] = array_of(n, i, overlaid);
    mg_nv_begin_boxes(n);
    mg_nv_statements(n, &k->body);
    LLVMBuildBr(e->allocas, body);
    LLVMBuildRetVoid(e->builder);
}
