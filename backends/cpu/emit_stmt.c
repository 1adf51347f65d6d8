// Functions and statements. A loop has its test at the bottom behind a guard, and its variable is a
// phi. Other mutable values live in allocations of the entry block, which LLVM turns into
// registers.
#include "backends/cpu/emit.h"

#include "image/image.h"
#include "ir/kernel_walk.h"

#include <string.h>

// ---------------------------------------------------------------- functions

void mg_cpu_attribute(MgCpuEmit *e, LLVMValueRef function, uint32_t place, const char *name,
                      uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, place, LLVMCreateEnumAttribute(e->context, kind, value));
}

static void text_attribute(MgCpuEmit *e, LLVMValueRef function, const char *name,
                           const char *value) {
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(e->context, name, (unsigned)strlen(name),
                                                           value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

LLVMValueRef mg_cpu_function(MgCpuEmit *e, const char *name, LLVMTypeRef result,
                             LLVMTypeRef *params, uint32_t n, bool internal) {
    LLVMValueRef f = LLVMAddFunction(e->module, name, LLVMFunctionType(result, params, n, false));
    if (internal)
        LLVMSetLinkage(f, LLVMInternalLinkage);
    mg_cpu_attribute(e, f, LLVMAttributeFunctionIndex, "nounwind", 0);
    text_attribute(e, f, "target-cpu", e->target->cpu);
    text_attribute(e, f, "target-features", e->target->features);
    text_attribute(e, f, "prefer-vector-width", e->target->vector_bits);
    return f;
}

LLVMBasicBlockRef mg_cpu_block(MgCpuEmit *e, const char *name) {
    return LLVMAppendBasicBlockInContext(e->context, e->function, name);
}

static LLVMValueRef bound_buffer(MgCpuEmit *e, MgKBufId buf) {
    return e->bufs[buf];
}

static LLVMValueRef bound_scalar(MgCpuEmit *e, uint32_t scalar) {
    return e->vars[e->k->scalars.at[scalar]];
}

static uint64_t buffer_bytes(const MgKBuf *b) { // 0 if unknown
    if (!b->count || b->count->kind != MG_KX_CONST)
        return 0;
    uint64_t bytes;
    return __builtin_mul_overflow(b->count->bits, mg_dtype_size(b->elem.dtype) * b->elem.lanes,
                                  &bytes)
               ? 0
               : bytes;
}

// Allocates private arrays, and a work-group's shared ones, since a group has one item here.
static void allocate(MgCpuEmit *e, MgKBufId id) {
    const MgKBuf *b = &e->k->bufs.at[id];
    uint64_t count = b->count && b->count->kind == MG_KX_CONST ? b->count->bits : 1;
    LLVMTypeRef type = LLVMArrayType2(mg_cpu_memory_type(e, b->elem), count);
    e->bufs[id] = LLVMBuildAlloca(e->allocas, type, mg_name(e->k->names, b->name));
    LLVMSetAlignment(e->bufs[id], 64);
}

void mg_cpu_begin_body(MgCpuEmit *e, const MgKernel *k, LLVMValueRef function) {
    e->k = k;
    e->function = function;
    e->vars = MG_NEW_N(e->arena, LLVMValueRef, k->vars.len + 1);
    e->lets = MG_NEW_N(e->arena, const MgKx *, k->vars.len + 1);
    e->bufs = MG_NEW_N(e->arena, LLVMValueRef, k->bufs.len + 1);
    e->scalar_of = MG_NEW_N(e->arena, uint32_t, k->vars.len + 1);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        e->scalar_of[k->scalars.at[i]] = i + 1;
    LLVMPositionBuilderAtEnd(e->allocas, mg_cpu_block(e, "entry"));
    for (uint32_t i = 0; i < k->bufs.len; i++)
        if (!mg_kbuf_is_bound(&k->bufs.at[i]))
            allocate(e, i);
    for (int i = 0; i < 2 && k->flushes; i++)
        e->modes[i] = LLVMBuildAlloca(e->allocas, e->t.i32, "modes");
    LLVMBasicBlockRef body = mg_cpu_block(e, "body");
    LLVMBuildBr(e->allocas, body);
    LLVMPositionBuilderAtEnd(e->builder, body);
}

void mg_cpu_end_body(MgCpuEmit *e) {
    LLVMBuildRetVoid(e->builder);
}

static void buffer_attributes(MgCpuEmit *e, const MgKBuf *b, LLVMValueRef function,
                              uint32_t place) {
    uint64_t bytes = buffer_bytes(b);
    mg_cpu_attribute(e, function, place, "nocapture", 0);
    mg_cpu_attribute(e, function, place, "noundef", 0);
    if (b->noalias)
        mg_cpu_attribute(e, function, place, "noalias", 0);
    if (b->reads != b->writes)
        mg_cpu_attribute(e, function, place, b->reads ? "readonly" : "writeonly", 0);
    if (b->align > 1)
        mg_cpu_attribute(e, function, place, "align", b->align);
    if (bytes)
        mg_cpu_attribute(e, function, place, "dereferenceable", bytes);
}

static bool streams(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->nontemporal;
}

LLVMValueRef mg_cpu_declare_kernel(MgCpuEmit *e, const MgKernel *k) {
    uint32_t n = 3;
    LLVMTypeRef *params = MG_NEW_N(e->arena, LLVMTypeRef, 3 + k->bufs.len + k->scalars.len);
    params[0] = e->t.ptr;
    params[1] = params[2] = e->t.i64;
    for (uint32_t i = 0; i < k->bufs.len; i++)
        if (mg_kbuf_is_bound(&k->bufs.at[i]))
            params[n++] = e->t.ptr;
    for (uint32_t i = 0; i < k->scalars.len; i++)
        params[n++] = e->t.i64;
    // The prefix keeps a kernel's name apart from libm's functions.
    const char *name = mg_arena_printf(e->arena, "k_%s", mg_name(k->names, k->name));
    return mg_cpu_function(e, name, e->t.none, params, n, true);
}

// Calls an instruction of x86 that stores or loads the modes of arithmetic.
static void move_modes(MgCpuEmit *e, const char *name, LLVMValueRef place) {
    mg_cpu_intrinsic(e, name, NULL, 0, &place, 1);
}

// Runs the body with subnormal operands and results that count as 0: on Intel's CPUs, an
// instruction with one takes more than a hundred cycles.
static void flushing(MgCpuEmit *e, const MgKBlock *body) {
    enum { OPERANDS = 0x40, RESULTS = 0x8000 };
    move_modes(e, "llvm.x86.sse.stmxcsr", e->modes[0]);
    LLVMValueRef modes = LLVMBuildLoad2(e->builder, e->t.i32, e->modes[0], "");
    modes = LLVMBuildOr(e->builder, modes, LLVMConstInt(e->t.i32, OPERANDS | RESULTS, false), "");
    LLVMBuildStore(e->builder, modes, e->modes[1]);
    move_modes(e, "llvm.x86.sse.ldmxcsr", e->modes[1]);
    mg_cpu_statements(e, body);
    move_modes(e, "llvm.x86.sse.ldmxcsr", e->modes[0]);
}

LLVMValueRef mg_cpu_kernel(MgCpuEmit *e, const MgKernel *k) {
    LLVMValueRef f = mg_cpu_declare_kernel(e, k);
    uint32_t n = 3;
    mg_cpu_begin_body(e, k, f);
    e->buffer_of = bound_buffer;
    e->scalar_value = bound_scalar;
    e->call = LLVMGetParam(f, 0);
    e->worker = LLVMGetParam(f, 1);
    e->workers = LLVMGetParam(f, 2);
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        if (!mg_kbuf_is_bound(&k->bufs.at[i]))
            continue;
        const char *name = mg_name(k->names, k->bufs.at[i].name);
        LLVMSetValueName2(LLVMGetParam(f, n), name, strlen(name));
        e->bufs[i] = LLVMGetParam(f, n);
        buffer_attributes(e, &k->bufs.at[i], f, ++n); // parameter p has attribute index p + 1
    }
    for (uint32_t i = 0; i < k->scalars.len; i++) {
        const char *name = mg_name(k->names, k->vars.at[k->scalars.at[i]].name);
        LLVMSetValueName2(LLVMGetParam(f, n), name, strlen(name));
        e->vars[k->scalars.at[i]] = LLVMGetParam(f, n++);
    }
    bool flushes = k->flushes && e->target->arch == MG_CPU_X86;
    (flushes ? flushing : mg_cpu_statements)(e, &k->body);
    // Streaming stores are weakly ordered: without a fence another worker could learn of them
    // before they are visible.
    if (mg_kblock_any(&k->body, &(MgKAsk){.statement = streams}))
        LLVMBuildFence(e->builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    mg_cpu_end_body(e);
    return f;
}

// ---------------------------------------------------------------- statements

static void store_past_caches(MgCpuEmit *e, LLVMValueRef value, LLVMValueRef address,
                              uint32_t align) {
    LLVMValueRef stored = LLVMBuildStore(e->builder, value, address);
    LLVMSetAlignment(stored, align);
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(e->t.i32, 1, false));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &one, 1);
    LLVMSetMetadata(stored, LLVMGetMDKindIDInContext(e->context, "nontemporal", 11),
                    LLVMMetadataAsValue(e->context, node));
}

// The n lanes from number `at` on, and where they are stored.
static LLVMValueRef lanes_of(MgCpuEmit *e, LLVMValueRef value, uint32_t at, uint32_t n) {
    LLVMValueRef *select = MG_NEW_N(e->arena, LLVMValueRef, n);
    for (uint32_t i = 0; i < n; i++)
        select[i] = LLVMConstInt(e->t.i32, at + i, false);
    return LLVMBuildShuffleVector(e->builder, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(select, n), "");
}

static LLVMValueRef lane_address(MgCpuEmit *e, LLVMValueRef value, LLVMValueRef address,
                                 uint32_t at) {
    LLVMTypeRef lane = LLVMGetElementType(LLVMTypeOf(value));
    LLVMValueRef offset = mg_cpu_int(e, at);
    return LLVMBuildGEP2(e->builder, lane, address, &offset, 1, "");
}

// Branches on whether the address is a multiple of `unit`. Returns the block for the aligned case;
// the builder is left in the other.
static LLVMBasicBlockRef where_aligned(MgCpuEmit *e, LLVMValueRef address, uint32_t unit) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef aligned = mg_cpu_block(e, "aligned"), other = mg_cpu_block(e, "unaligned");
    LLVMValueRef low = LLVMBuildPtrToInt(b, address, e->t.i64, "");
    low = LLVMBuildBinOp(b, LLVMAnd, low, mg_cpu_int(e, unit - 1), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, low, mg_cpu_int(e, 0), ""), aligned, other);
    LLVMPositionBuilderAtEnd(b, other);
    return aligned;
}

// Streaming stores must be aligned, which a caller's buffer need not be. It uses whole vectors if
// they are aligned, 16-byte vectors if those are (as memory from malloc is), and ordinary stores
// otherwise.
static void stream(MgCpuEmit *e, LLVMValueRef value, LLVMValueRef address, uint32_t bytes,
                   uint32_t align) {
    enum { SMALL = 16 };
    LLVMBuilderRef b = e->builder;
    uint32_t unit = e->target->vector_bytes < bytes ? e->target->vector_bytes : bytes;
    if (align >= unit || bytes < SMALL || bytes & (bytes - 1)) {
        store_past_caches(e, value, address, align);
        return;
    }
    LLVMBasicBlockRef after = mg_cpu_block(e, "stored"), whole = where_aligned(e, address, unit),
                      parts = NULL;
    if (unit > SMALL)
        parts = where_aligned(e, address, SMALL);
    LLVMSetAlignment(LLVMBuildStore(b, value, address), align);
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, whole);
    store_past_caches(e, value, address, unit);
    LLVMBuildBr(b, after);
    if (parts) {
        LLVMPositionBuilderAtEnd(b, parts);
        uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(value)), n = lanes * SMALL / bytes;
        for (uint32_t at = 0; at < lanes; at += n)
            store_past_caches(e, lanes_of(e, value, at, n), lane_address(e, value, address, at),
                              SMALL);
        LLVMBuildBr(b, after);
    }
    LLVMPositionBuilderAtEnd(b, after);
}

// Stores the lanes of a constant mask, `element` bytes each, by halves, quarters and so on of the
// vector.
static void store_fixed(MgCpuEmit *e, LLVMValueRef value, LLVMValueRef address, uint32_t element,
                        LLVMValueRef mask) {
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(value)), n;
    for (uint32_t at = 0; at < lanes; at += n) {
        uint32_t on = 0;
        while (at + on < lanes && !LLVMIsNull(LLVMGetAggregateElement(mask, at + on)))
            on++;
        for (n = 1; 2 * n <= on && at % (2 * n) == 0;)
            n *= 2;
        if (on)
            LLVMSetAlignment(LLVMBuildStore(e->builder, lanes_of(e, value, at, n),
                                            lane_address(e, value, address, at)),
                             element);
    }
}

// Calls an intrinsic that stores the lanes of a mask.
static void store_masked(MgCpuEmit *e, const char *name, LLVMValueRef value, LLVMValueRef address,
                         uint32_t align, LLVMValueRef mask) {
    LLVMTypeRef overload[] = {LLVMTypeOf(value), LLVMTypeOf(address)};
    LLVMValueRef args[] = {value, address, LLVMConstInt(e->t.i32, align, false), mask};
    mg_cpu_intrinsic(e, name, overload, 2, args, 4);
}

// Stores some lanes of a vector. If masks cost something, an instruction that takes one may take
// ten times as long as an ordinary store, or there is none; and most vectors have all lanes.
static void store_some(MgCpuEmit *e, LLVMValueRef value, LLVMValueRef address, uint32_t align,
                       LLVMValueRef mask) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef after = NULL;
    uint32_t lanes = LLVMGetVectorSize(LLVMTypeOf(value));
    if (!e->target->masks && lanes > 1) {
        LLVMBasicBlockRef whole = mg_cpu_block(e, "whole"), some = mg_cpu_block(e, "some");
        LLVMTypeRef bits = LLVMIntTypeInContext(e->context, lanes);
        after = mg_cpu_block(e, "stored");
        LLVMValueRef all = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildBitCast(b, mask, bits, ""),
                                         LLVMConstAllOnes(bits), "");
        LLVMBuildCondBr(b, all, whole, some);
        LLVMPositionBuilderAtEnd(b, whole);
        LLVMSetAlignment(LLVMBuildStore(b, value, address), align);
        LLVMBuildBr(b, after);
        LLVMPositionBuilderAtEnd(b, some);
    }
    store_masked(e, "llvm.masked.store", value, address, align, mask);
    if (after) {
        LLVMBuildBr(b, after);
        LLVMPositionBuilderAtEnd(b, after);
    }
}

static void store(MgCpuEmit *e, const MgKs *s) {
    const MgKx *index = mg_cpu_index(s->index);
    LLVMValueRef value = mg_cpu_value(e, s->x);
    MgKType type = s->x->type;
    bool scatter = index->type.lanes > 1;
    if (type.dtype == MG_BOOL)
        value = LLVMBuildZExt(e->builder, value, mg_cpu_memory_type(e, type), "");
    LLVMValueRef address = mg_cpu_place(e, s->buf, index);
    if (!s->mask && !scatter) {
        if (s->nontemporal)
            stream(e, value, address, type.lanes * (uint32_t)mg_dtype_size(type.dtype),
                   mg_cpu_align(e, s->buf, type, true));
        else
            LLVMSetAlignment(LLVMBuildStore(e->builder, value, address),
                             mg_cpu_align(e, s->buf, type, false));
        return;
    }
    LLVMValueRef mask = mg_cpu_mask(e, s->mask, type.lanes);
    LLVMValueRef zero = LLVMConstInt(e->t.i32, 0, false);
    if (type.lanes == 1) // it becomes a vector of one lane
        value = LLVMBuildInsertElement(
            e->builder, LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value), 1)), value, zero, "");
    uint32_t element = (uint32_t)mg_dtype_size(type.dtype);
    if (scatter)
        store_masked(e, "llvm.masked.scatter", value, address, element, mask);
    else if (!e->target->masks && LLVMIsConstant(mask) && LLVMGetAggregateElement(mask, 0))
        store_fixed(e, value, address, element, mask);
    else
        store_some(e, value, address, mg_cpu_align(e, s->buf, type, false), mask);
}

// n * w / W.
static LLVMValueRef share(MgCpuEmit *e, LLVMValueRef n, LLVMValueRef w) {
    LLVMValueRef product = LLVMBuildNUWMul(e->builder, n, w, "");
    return LLVMBuildUDiv(e->builder, product, e->workers, "");
}

// Narrows [low, high) to this worker's contiguous, balanced share of the trips.
static void divide(MgCpuEmit *e, int64_t step, LLVMValueRef *low, LLVMValueRef *high) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef zero = mg_cpu_int(e, 0), one = mg_cpu_int(e, 1), by = mg_cpu_int(e, step);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), many = mg_cpu_block(e, "divide"),
                      after = mg_cpu_block(e, "parallel");
    LLVMValueRef several = LLVMBuildICmp(b, LLVMIntNE, e->workers, one, "");
    LLVMBuildCondBr(b, several, many, after);
    LLVMPositionBuilderAtEnd(b, many);
    LLVMValueRef length = LLVMBuildSub(b, *high, *low, "");
    LLVMValueRef args[] = {length, zero};
    length = mg_cpu_intrinsic(e, "llvm.smax", &e->t.i64, 1, args, 2);
    LLVMValueRef trips = length;
    if (step != 1)
        trips = LLVMBuildUDiv(b, LLVMBuildAdd(b, length, mg_cpu_int(e, step - 1), ""), by, "");
    LLVMValueRef first = share(e, trips, e->worker);
    LLVMValueRef last = share(e, trips, LLVMBuildAdd(b, e->worker, one, ""));
    LLVMValueRef begin = LLVMBuildAdd(b, *low, LLVMBuildMul(b, first, by, ""), "");
    LLVMValueRef end = LLVMBuildAdd(b, *low, LLVMBuildMul(b, last, by, ""), "");
    args[0] = end; // the last block's end may exceed high by less than a step
    args[1] = *high;
    end = mg_cpu_intrinsic(e, "llvm.smin", &e->t.i64, 1, args, 2);
    many = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
    LLVMBasicBlockRef from[] = {before, many};
    LLVMValueRef lows[] = {*low, begin}, highs[] = {*high, end};
    *low = LLVMBuildPhi(b, e->t.i64, "");
    LLVMAddIncoming(*low, lows, from, 2);
    *high = LLVMBuildPhi(b, e->t.i64, "");
    LLVMAddIncoming(*high, highs, from, 2);
}

// The trip to run after `i`. A single worker takes the next one. Several workers start with one
// trip each, in order, and then take the next trip that no worker has taken.
static LLVMValueRef deal(MgCpuEmit *e, int64_t step, LLVMValueRef low, LLVMValueRef i) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), many = mg_cpu_block(e, "deal"),
                      after = mg_cpu_block(e, "dealt");
    LLVMValueRef several = LLVMBuildICmp(b, LLVMIntNE, e->workers, mg_cpu_int(e, 1), "");
    LLVMBuildCondBr(b, several, many, after);
    LLVMPositionBuilderAtEnd(b, many);
    LLVMValueRef taken =
        LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, mg_cpu_call_field(e, offsetof(MgCall, dealt)),
                           mg_cpu_int(e, 1), LLVMAtomicOrderingMonotonic, false);
    taken = LLVMBuildAdd(b, taken, e->workers, "");
    taken = LLVMBuildAdd(b, low, LLVMBuildMul(b, taken, mg_cpu_int(e, step), ""), "");
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
    LLVMBasicBlockRef from[] = {before, many};
    LLVMValueRef values[] = {i, taken}, next = LLVMBuildPhi(b, e->t.i64, "");
    LLVMAddIncoming(next, values, from, 2);
    return next;
}

static void loop(MgCpuEmit *e, const MgKs *s) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = mg_cpu_type(e, e->k->vars.at[s->var].type);
    LLVMValueRef low = mg_cpu_value(e, s->low), high = mg_cpu_value(e, s->high), base = low;
    if (s->dealt)
        low = LLVMBuildAdd(b, low, LLVMBuildMul(b, e->worker, mg_cpu_int(e, s->step), ""), "");
    else if (s->loop == MG_LOOP_PARALLEL || s->loop == MG_LOOP_GROUP)
        divide(e, s->step, &low, &high);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), body = mg_cpu_block(e, "loop");
    LLVMBasicBlockRef after = mg_cpu_block(e, "end");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, low, high, ""), body, after);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef i = LLVMBuildPhi(b, type, mg_name(e->k->names, e->k->vars.at[s->var].name));
    e->vars[s->var] = i;
    mg_cpu_statements(e, &s->body);
    LLVMValueRef next = LLVMBuildNSWAdd(b, i, LLVMConstInt(type, (uint64_t)s->step, true), "");
    if (s->dealt)
        next = deal(e, s->step, base, next);
    LLVMBasicBlockRef last = LLVMGetInsertBlock(b);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, next, high, ""), body, after);
    LLVMValueRef values[] = {low, next};
    LLVMBasicBlockRef from[] = {before, last};
    LLVMAddIncoming(i, values, from, 2);
    LLVMPositionBuilderAtEnd(b, after);
    if (s->dealt) // otherwise another dealt loop could take this one's trips
        mg_cpu_grid_barrier(e);
}

static void while_loop(MgCpuEmit *e, const MgKs *s) {
    LLVMBasicBlockRef test = mg_cpu_block(e, "while"), body = mg_cpu_block(e, "do"),
                      after = mg_cpu_block(e, "done");
    LLVMBuildBr(e->builder, test);
    LLVMPositionBuilderAtEnd(e->builder, test);
    LLVMBuildCondBr(e->builder, mg_cpu_value(e, s->x), body, after);
    LLVMPositionBuilderAtEnd(e->builder, body);
    mg_cpu_statements(e, &s->body);
    LLVMBuildBr(e->builder, test);
    LLVMPositionBuilderAtEnd(e->builder, after);
}

static void branch(MgCpuEmit *e, const MgKs *s) {
    LLVMBasicBlockRef then = mg_cpu_block(e, "then"), after = mg_cpu_block(e, "endif");
    LLVMBasicBlockRef orelse = s->orelse.list.len ? mg_cpu_block(e, "else") : after;
    LLVMBuildCondBr(e->builder, mg_cpu_value(e, s->x), then, orelse);
    LLVMPositionBuilderAtEnd(e->builder, then);
    mg_cpu_statements(e, &s->body);
    LLVMBuildBr(e->builder, after);
    if (orelse != after) {
        LLVMPositionBuilderAtEnd(e->builder, orelse);
        mg_cpu_statements(e, &s->orelse);
        LLVMBuildBr(e->builder, after);
    }
    LLVMPositionBuilderAtEnd(e->builder, after);
}

static void prefetch(MgCpuEmit *e, const MgKs *s) {
    LLVMValueRef address = mg_cpu_place(e, s->buf, s->index);
    LLVMValueRef args[] = {address, LLVMConstInt(e->t.i32, 0, false), // a read
                           // the caches that should keep it
                           LLVMConstInt(e->t.i32, s->far ? 2 : 3, false),
                           LLVMConstInt(e->t.i32, 1, false)}; // data
    mg_cpu_intrinsic(e, "llvm.prefetch", &e->t.ptr, 1, args, 4);
}

// Records a trap and its value. The first trap of any worker stays.
static void trap(MgCpuEmit *e, const MgKs *s) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef value = s->x ? mg_cpu_value(e, s->x) : NULL;
    LLVMValueRef was = LLVMBuildAtomicCmpXchg(
        b, mg_cpu_call_field(e, offsetof(MgCall, error)), LLVMConstInt(e->t.i32, 0, false),
        LLVMConstInt(e->t.i32, s->code, false), LLVMAtomicOrderingMonotonic,
        LLVMAtomicOrderingMonotonic, false);
    if (!value)
        return;
    LLVMBasicBlockRef first = mg_cpu_block(e, "first"), after = mg_cpu_block(e, "trapped");
    LLVMBuildCondBr(b, LLVMBuildExtractValue(b, was, 1, ""), first, after);
    LLVMPositionBuilderAtEnd(b, first);
    LLVMBuildStore(b, value, mg_cpu_call_field(e, offsetof(MgCall, value)));
    LLVMBuildStore(b, LLVMConstInt(e->t.i32, 1, false),
                   mg_cpu_call_field(e, offsetof(MgCall, valued)));
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
}

static void statement(MgCpuEmit *e, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        e->vars[s->var] = mg_cpu_value(e, s->x);
        e->lets[s->var] = s->x;
        break;
    case MG_KS_STORE:
        store(e, s);
        break;
    case MG_KS_FOR:
        loop(e, s);
        break;
    case MG_KS_WHILE:
        while_loop(e, s);
        break;
    case MG_KS_IF:
        branch(e, s);
        break;
    case MG_KS_BARRIER:
        if (s->barrier == MG_BARRIER_GRID)
            mg_cpu_grid_barrier(e);
        break;
    case MG_KS_PREFETCH:
        prefetch(e, s);
        break;
    case MG_KS_PRODUCT: // schedules for the CPU make none
    case MG_KS_TALLY:
    case MG_KS_TAKE:
    case MG_KS_POST:
    case MG_KS_COLLECT:
    case MG_KS_AWAIT:
    case MG_KS_BOX:
    case MG_KS_LANDED:
    case MG_KS_RELEASE:
        break;
    case MG_KS_TRAP:
        trap(e, s);
        break;
    case MG_KS_CALL:
        mg_cpu_call(e, s->call);
        break;
    }
}

void mg_cpu_statements(MgCpuEmit *e, const MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        uint32_t steps = e->k == e->program->plan && !e->device ? mg_cpu_steps(e, block, i) : 0;
        if (steps)
            i += steps - 1;
        else
            statement(e, block->list.at[i]);
    }
}
