// Long stretches of a plan as a table: rows of numbers that one loop walks.
//
// A plan of thousands of calls as straight code costs more to compile than its kernels do. A row is
// a call: which kernel, whether a barrier follows, and where each argument is found. A kernel's
// `step` function reads its arguments from the row and calls it. Short stretches stay code, which
// is quicker to run by some nanoseconds an argument.
#include "backends/cpu/emit.h"

#include "runtime/image.h"

#include <stddef.h>

enum {
    LONG = 64, // calls: from here a stretch is a table
    // the first word of a row
    TIMED = 1,
    BARRIER = 2,
    SITE_SHIFT = 2,
    KERNEL_SHIFT = 34,
    // the first word of a buffer; the second is a number of bytes to add
    SLOT_SHIFT = 32, // 1 + a slot whose value is added too
    ARRAY_SHIFT = 56,
    // of what is in MgCall, the pointer that an index counts from; ARENA: the call itself
    PORTS = 0,
    WEIGHTS = 1,
    CONSTANTS = 2,
    ARENA = 3
};
_Static_assert(offsetof(MgCall, ports) == 8 * PORTS && offsetof(MgCall, weights) == 8 * WEIGHTS &&
                   offsetof(MgCall, constants) == 8 * CONSTANTS &&
                   offsetof(MgCall, arena) == 8 * ARENA,
               "rows name these fields by their numbers");

typedef struct Where { // an argument in a row
    uint64_t words[2];
} Where;

// ---------------------------------------------------------------- what fits into a row

static bool is_const(const MgKx *x) {
    return x->kind == MG_KX_CONST && x->type.lanes == 1;
}

static bool buffer_where(const MgProgram *p, const struct MgKBinding *b, Where *w) {
    static const uint64_t arrays[] = {[MG_PLAN_INPUT] = PORTS,
                                      [MG_PLAN_OUTPUT] = PORTS,
                                      [MG_PLAN_WEIGHT] = WEIGHTS,
                                      [MG_PLAN_CONST] = CONSTANTS,
                                      [MG_PLAN_ARENA] = ARENA};
    if (b->base >= p->bufs.len || !mg_cpu_is_bound(&p->plan->bufs.at[b->base]))
        return false;
    const MgPlanBuf *buf = &p->bufs.at[b->base];
    uint64_t index = buf->kind == MG_PLAN_ARENA    ? ARENA
                     : buf->kind == MG_PLAN_OUTPUT ? (uint64_t)p->graph->inputs.len + buf->number
                                                   : buf->number;
    const MgKx *offset = b->offset;
    w->words[0] = arrays[buf->kind] << ARRAY_SHIFT | index;
    w->words[1] = 0;
    if (is_const(offset)) {
        w->words[1] = offset->bits;
        return true;
    }
    if (offset->kind != MG_KX_LOAD || offset->buf != p->bufs.len || !is_const(offset->args[0]) ||
        offset->args[0]->bits >= (1u << (ARRAY_SHIFT - SLOT_SHIFT)) - 1)
        return false;
    w->words[0] |= (offset->args[0]->bits + 1) << SLOT_SHIFT;
    return true;
}

// A number, or 1 + the dimension that it is.
static bool scalar_where(const CpuEmit *e, const MgKx *x, Where *w) {
    uint32_t dim = x->kind == MG_KX_VAR ? e->scalar_of[x->var] : 0;
    w->words[0] = dim;
    w->words[1] = is_const(x) ? x->bits : 0;
    return dim || is_const(x);
}

static uint32_t words_of(const MgKCall *c) {
    return 1 + 2 * (c->n_buffers + c->n_scalars);
}

static bool row_of(const CpuEmit *e, const MgKCall *c, bool barrier, uint64_t *row) {
    row[0] = (uint64_t)c->kernel << KERNEL_SHIFT | (uint64_t)c->site << SITE_SHIFT |
             (barrier ? BARRIER : 0) | (c->untimed ? 0 : TIMED);
    Where *args = (Where *)(row + 1);
    bool fits = c->kernel < 1u << (64 - KERNEL_SHIFT - 1);
    for (uint32_t i = 0; fits && i < c->n_buffers; i++)
        fits = buffer_where(e->program, &c->buffers[i], args++);
    for (uint32_t i = 0; fits && i < c->n_scalars; i++)
        fits = scalar_where(e, c->scalars[i], args++);
    return fits;
}

// ---------------------------------------------------------------- functions that read rows

typedef struct Saved { // of the function that is being emitted
    LLVMValueRef function, call;
    LLVMBasicBlockRef block;
} Saved;

static Saved begin(CpuEmit *e, LLVMValueRef f) {
    Saved s = {e->function, e->call, LLVMGetInsertBlock(e->builder)};
    e->function = f;
    e->call = LLVMGetParam(f, 0);
    LLVMPositionBuilderAtEnd(e->builder, mg_cpu_block(e, "entry"));
    return s;
}

static void end(CpuEmit *e, const Saved *s) {
    e->function = s->function;
    e->call = s->call;
    LLVMPositionBuilderAtEnd(e->builder, s->block);
}

static LLVMValueRef word(CpuEmit *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef index) {
    LLVMValueRef at = LLVMBuildInBoundsGEP2(e->builder, e->t.i64, base, &index, 1, "");
    return LLVMBuildLoad2(e->builder, type, at, "");
}

static LLVMValueRef bits(CpuEmit *e, LLVMValueRef x, uint32_t low, uint32_t n) {
    LLVMBuilderRef b = e->builder;
    x = LLVMBuildBinOp(b, LLVMLShr, x, mg_cpu_int(e, low), "");
    return low + n == 64 ? x : LLVMBuildBinOp(b, LLVMAnd, x, mg_cpu_int(e, (1ll << n) - 1), "");
}

static LLVMValueRef call_field(CpuEmit *e, size_t offset) {
    return word(e, e->t.ptr, e->call, mg_cpu_int(e, (int64_t)offset / 8));
}

// ptr address(MgCall *, const i64 *where)
static LLVMValueRef address_function(CpuEmit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef params[] = {e->t.ptr, e->t.ptr};
    LLVMValueRef f = mg_cpu_function(e, "step_address", e->t.ptr, params, 2, true);
    mg_cpu_attribute(e, f, LLVMAttributeFunctionIndex, "noinline", 0);
    Saved saved = begin(e, f);
    LLVMValueRef where = word(e, e->t.i64, LLVMGetParam(f, 1), mg_cpu_int(e, 0)),
                 bytes = word(e, e->t.i64, LLVMGetParam(f, 1), mg_cpu_int(e, 1)),
                 array = bits(e, where, ARRAY_SHIFT, 64 - ARRAY_SHIFT),
                 slot = bits(e, where, SLOT_SHIFT, ARRAY_SHIFT - SLOT_SHIFT);
    LLVMValueRef arena = LLVMBuildICmp(b, LLVMIntEQ, array, mg_cpu_int(e, ARENA), "");
    LLVMValueRef from = LLVMBuildSelect(b, arena, e->call, word(e, e->t.ptr, e->call, array), "");
    LLVMValueRef base = word(e, e->t.ptr, from, bits(e, where, 0, SLOT_SHIFT));
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, slot, mg_cpu_int(e, 0), "");
    // there are always slots: what is loaded without one is not used
    LLVMValueRef index =
        LLVMBuildSelect(b, none, slot, LLVMBuildSub(b, slot, mg_cpu_int(e, 1), ""), "");
    LLVMValueRef more = word(e, e->t.i64, call_field(e, offsetof(MgCall, slots)), index);
    more = LLVMBuildSelect(b, none, mg_cpu_int(e, 0), more, "");
    LLVMBuildRet(b, mg_cpu_byte_address(e, base, LLVMBuildAdd(b, bytes, more, "")));
    end(e, &saved);
    return f;
}

// The value of a scalar argument: a number, or a dimension.
static LLVMValueRef scalar_value(CpuEmit *e, LLVMValueRef where) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef dim = word(e, e->t.i64, where, mg_cpu_int(e, 0)),
                 number = word(e, e->t.i64, where, mg_cpu_int(e, 1));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), load = mg_cpu_block(e, "dimension"),
                      done = mg_cpu_block(e, "scalar");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, dim, mg_cpu_int(e, 0), "");
    LLVMBuildCondBr(b, none, done, load);
    LLVMPositionBuilderAtEnd(b, load);
    LLVMValueRef size = word(e, e->t.i64, call_field(e, offsetof(MgCall, dims)),
                             LLVMBuildSub(b, dim, mg_cpu_int(e, 1), ""));
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef value = LLVMBuildPhi(b, e->t.i64, ""), values[] = {number, size};
    LLVMBasicBlockRef from[] = {before, load};
    LLVMAddIncoming(value, values, from, 2);
    return value;
}

// const i64 *step(MgCall *, i64 worker, i64 workers, const i64 *args): calls the kernel that c
// calls, with the arguments at args; what lies behind them.
static LLVMValueRef step_function(CpuEmit *e, const MgKCall *c) {
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64, e->t.i64, e->t.ptr};
    LLVMValueRef kernel = e->kernels[c->kernel];
    LLVMValueRef f = mg_cpu_function(e, "step", e->t.ptr, params, 4, true);
    LLVMValueRef *args = MG_NEW_N(e->arena, LLVMValueRef, 3 + c->n_buffers + c->n_scalars);
    LLVMTypeRef address = LLVMGlobalGetValueType(e->steps.address);
    Saved saved = begin(e, f);
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3; i++)
        args[n++] = LLVMGetParam(f, i);
    LLVMValueRef where = LLVMGetParam(f, 3), two = mg_cpu_int(e, 16);
    for (uint32_t i = 0; i < c->n_buffers + c->n_scalars; i++) {
        LLVMValueRef at[] = {e->call, where};
        args[n++] = i < c->n_buffers
                        ? LLVMBuildCall2(e->builder, address, e->steps.address, at, 2, "")
                        : scalar_value(e, where);
        where = mg_cpu_byte_address(e, where, two);
    }
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(kernel), kernel, args, n, "");
    LLVMBuildRet(e->builder, where);
    end(e, &saved);
    return f;
}

// Emits what is done only if `flag` of the row's first word is set; returns the block to go on in.
static LLVMBasicBlockRef only_if(CpuEmit *e, LLVMValueRef head, uint32_t flag) {
    LLVMBasicBlockRef then = mg_cpu_block(e, "set"), after = mg_cpu_block(e, "after");
    LLVMValueRef set = LLVMBuildBinOp(e->builder, LLVMAnd, head, mg_cpu_int(e, flag), "");
    set = LLVMBuildICmp(e->builder, LLVMIntNE, set, mg_cpu_int(e, 0), "");
    LLVMBuildCondBr(e->builder, set, then, after);
    LLVMPositionBuilderAtEnd(e->builder, then);
    return after;
}

static void go_on(CpuEmit *e, LLVMBasicBlockRef after) {
    LLVMBuildBr(e->builder, after);
    LLVMPositionBuilderAtEnd(e->builder, after);
}

// A tick at the begin (0) or end (1) of the row's site.
static void row_tick(CpuEmit *e, LLVMValueRef head, uint32_t place) {
    LLVMBasicBlockRef after = only_if(e, head, TIMED);
    LLVMValueRef site = bits(e, head, SITE_SHIFT, KERNEL_SHIFT - SITE_SHIFT);
    LLVMValueRef at = LLVMBuildMul(e->builder, site, mg_cpu_int(e, 2), "");
    mg_cpu_tick(e, LLVMBuildAdd(e->builder, at, mg_cpu_int(e, place), ""));
    go_on(e, after);
}

// The loop over rows, in the function of the plan; e->steps.functions is filled at its end.
static void walk(CpuEmit *e, LLVMValueRef rows, uint32_t count) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = mg_cpu_block(e, "step"),
                      done = mg_cpu_block(e, "steps");
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64, e->t.i64, e->t.ptr};
    LLVMTypeRef type = LLVMFunctionType(e->t.ptr, params, 4, false);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef row = LLVMBuildPhi(b, e->t.ptr, "row"), left = LLVMBuildPhi(b, e->t.i64, "left");
    LLVMValueRef head = word(e, e->t.i64, row, mg_cpu_int(e, 0));
    row_tick(e, head, 0);
    LLVMValueRef kernel = bits(e, head, KERNEL_SHIFT, 64 - KERNEL_SHIFT);
    LLVMValueRef f = word(e, e->t.ptr, e->steps.functions, kernel);
    LLVMValueRef args[] = {e->call, e->worker, e->workers,
                           mg_cpu_byte_address(e, row, mg_cpu_int(e, 8))};
    LLVMValueRef next = LLVMBuildCall2(b, type, f, args, 4, "");
    row_tick(e, head, 1);
    LLVMBasicBlockRef after = only_if(e, head, BARRIER);
    mg_cpu_grid_barrier(e);
    go_on(e, after);
    LLVMValueRef less = LLVMBuildSub(b, left, mg_cpu_int(e, 1), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(b), from[] = {before, last};
    LLVMValueRef rests[] = {mg_cpu_int(e, count), less}, places[] = {rows, next};
    LLVMAddIncoming(left, rests, from, 2);
    LLVMAddIncoming(row, places, from, 2);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, less, mg_cpu_int(e, 0), ""), done, loop);
    LLVMPositionBuilderAtEnd(b, done);
}

// ---------------------------------------------------------------- stretches

static bool is_barrier(const MgKBlock *block, uint32_t i) {
    return i < block->list.len && block->list.at[i]->kind == MG_KS_BARRIER &&
           block->list.at[i]->barrier == MG_BARRIER_GRID;
}

static LLVMValueRef constants(CpuEmit *e, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                              uint32_t n) {
    LLVMValueRef g = LLVMAddGlobal(e->module, LLVMArrayType2(type, n), name);
    if (items)
        LLVMSetInitializer(g, LLVMConstArray2(type, items, n));
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetAlignment(g, 8);
    return g;
}

static void prepare(CpuEmit *e) {
    uint32_t n = e->program->kernels.len;
    if (e->steps.address)
        return;
    e->steps.address = address_function(e);
    e->steps.of_kernel = MG_NEW_N(e->arena, LLVMValueRef, n);
    e->steps.functions = constants(e, "step_functions", e->t.ptr, NULL, n);
}

uint32_t mg_cpu_steps(CpuEmit *e, const MgKBlock *block, uint32_t first) {
    uint32_t at = first, calls = 0;
    MG_VEC(uint64_t) words = {0};
    while (at < block->list.len && block->list.at[at]->kind == MG_KS_CALL) {
        const MgKCall *c = block->list.at[at]->call;
        uint64_t *row = MG_NEW_N(e->arena, uint64_t, words_of(c));
        if (!row_of(e, c, is_barrier(block, at + 1), row))
            break;
        for (uint32_t i = 0; i < words_of(c); i++)
            mg_push(e->arena, &words, row[i]);
        for (at++; is_barrier(block, at); at++) // one meets as well as several do
            ;
        calls++;
    }
    if (calls < LONG)
        return 0;
    prepare(e);
    for (uint32_t i = first; i < at; i++) {
        const MgKCall *c = block->list.at[i]->call;
        if (c && !e->steps.of_kernel[c->kernel])
            e->steps.of_kernel[c->kernel] = step_function(e, c);
    }
    LLVMValueRef *items = MG_NEW_N(e->arena, LLVMValueRef, words.len);
    for (uint32_t i = 0; i < words.len; i++)
        items[i] = LLVMConstInt(e->t.i64, words.at[i], false);
    walk(e, constants(e, "rows", e->t.i64, items, words.len), calls);
    return at - first;
}

void mg_cpu_end_steps(CpuEmit *e) {
    uint32_t n = e->program->kernels.len;
    if (!e->steps.address)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (!e->steps.of_kernel[i])
            e->steps.of_kernel[i] = LLVMConstNull(e->t.ptr);
    LLVMSetInitializer(e->steps.functions, LLVMConstArray2(e->t.ptr, e->steps.of_kernel, n));
}
