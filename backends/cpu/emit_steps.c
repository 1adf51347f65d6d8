// Long stretches of a plan as a table of numbers that one loop walks.
//
// Compiling a plan of thousands of calls as straight code costs more than compiling its kernels.
// Each row of the table is a call: the kernel, whether a barrier follows, and the place of each
// argument. Terms of an argument that vary (the first row of a block, a worker's memory) are
// computed once, before the stretch. A kernel's `step` function reads its arguments from the row
// and calls the kernel. Short stretches stay code, which is faster by a few nanoseconds per
// argument.
#include "backends/cpu/emit.h"

#include "image/image.h"

#include <stddef.h>

enum {
    LONG = 64, // the fewest calls that make a table
    // the first word of a row
    TIMED = 1,
    BARRIER = 2,
    ALONE = 4,
    SITE_SHIFT = 3,
    KERNEL_SHIFT = 34,
    // the first word of a buffer argument; the second is a byte offset
    SLOT_SHIFT = 32, // 1 + the number of a slot, or of a precomputed value, to add to it
    MADE_SHIFT = 55, // 1: the number is that of a precomputed value
    ARRAY_SHIFT = 56,
    // which array of MgCall holds the pointer; ARENA: the call itself does
    PORTS = 0,
    WEIGHTS = 1,
    CONSTANTS = 2,
    ARENA = 3
};
_Static_assert(offsetof(MgCall, ports) == 8 * PORTS && offsetof(MgCall, weights) == 8 * WEIGHTS &&
                   offsetof(MgCall, constants) == 8 * CONSTANTS &&
                   offsetof(MgCall, arena) == 8 * ARENA,
               "rows name these fields by their numbers");

typedef struct Where { // where a row finds an argument
    uint64_t words[2];
} Where;

typedef MG_VEC(const MgKx *) Made; // values computed before a stretch

// ---------------------------------------------------------------- rows

static bool is_const(const MgKx *x) {
    return x->kind == MG_KX_CONST && x->type.lanes == 1;
}

// Adds x's constant terms to *sum and returns the rest of x, or NULL if nothing is left.
static const MgKx *without_constants(const MgKx *x, uint64_t *sum) {
    if (is_const(x)) {
        *sum += x->bits;
        return NULL;
    }
    if (x->kind != MG_KX_PRIM || x->prim != MG_PRIM_ADD)
        return x;
    uint64_t before = *sum;
    const MgKx *a = without_constants(x->args[0], sum), *b = without_constants(x->args[1], sum);
    if (!a || !b)
        return a ? a : b;
    *sum = before; // two varying terms: x stays whole
    return x;
}

// Are both certainly the same integer?
static bool same(const MgKx *a, const MgKx *b) {
    if (a == b)
        return true;
    if (a->kind != b->kind || a->n_args != b->n_args || a->prim != b->prim || a->buf != b->buf ||
        a->var != b->var || a->bits != b->bits || a->type.lanes > 1 || a->type.dtype != MG_I64 ||
        b->type.dtype != MG_I64)
        return false;
    for (uint32_t i = 0; i < a->n_args; i++)
        if (!same(a->args[i], b->args[i]))
            return false;
    return true;
}

// Gives x a number among the values computed before the stretch. Returns that number plus 1.
static uint64_t made(const MgCpuEmit *e, Made *all, const MgKx *x) {
    for (uint32_t i = 0; i < all->len; i++)
        if (same(all->at[i], x))
            return i + 1;
    mg_push(e->arena, all, x);
    return all->len;
}

static bool buffer_where(const MgCpuEmit *e, const struct MgKBinding *b, Made *all, Where *w) {
    const MgProgram *p = e->program;
    static const uint64_t arrays[] = {[MG_PLAN_INPUT] = PORTS,
                                      [MG_PLAN_OUTPUT] = PORTS,
                                      [MG_PLAN_WEIGHT] = WEIGHTS,
                                      [MG_PLAN_CONST] = CONSTANTS,
                                      [MG_PLAN_ARENA] = ARENA};
    if (b->base >= p->bufs.len || !mg_kbuf_is_bound(&p->plan->bufs.at[b->base]))
        return false;
    const MgPlanBuf *buf = &p->bufs.at[b->base];
    uint64_t index = buf->kind == MG_PLAN_ARENA    ? ARENA
                     : buf->kind == MG_PLAN_OUTPUT ? (uint64_t)p->graph->inputs.len + buf->number
                                                   : buf->number;
    w->words[0] = arrays[buf->kind] << ARRAY_SHIFT | index;
    w->words[1] = 0;
    const MgKx *offset = without_constants(b->offset, &w->words[1]);
    if (!offset)
        return true;
    bool slot =
        offset->kind == MG_KX_LOAD && offset->buf == p->bufs.len && is_const(offset->args[0]);
    uint64_t number = slot ? offset->args[0]->bits + 1 : made(e, all, offset);
    w->words[0] |= number << SLOT_SHIFT | (uint64_t)!slot << MADE_SHIFT;
    return number < 1u << (MADE_SHIFT - SLOT_SHIFT);
}

// Encodes a scalar: a constant, 1 + the number of a dimension, or the number of a precomputed
// value.
static void scalar_where(const MgCpuEmit *e, const MgKx *x, Made *all, Where *w) {
    uint32_t dim = x->kind == MG_KX_VAR ? e->scalar_of[x->var] : 0;
    bool known = dim || is_const(x);
    w->words[0] = known ? dim : made(e, all, x) | (uint64_t)1 << MADE_SHIFT;
    w->words[1] = is_const(x) ? x->bits : 0;
}

static uint32_t words_of(const MgKCall *c) {
    return 1 + 2 * (c->n_buffers + c->n_scalars);
}

static bool row_of(const MgCpuEmit *e, const MgKCall *c, bool barrier, Made *all, uint64_t *row) {
    row[0] = (uint64_t)c->kernel << KERNEL_SHIFT | (uint64_t)c->site << SITE_SHIFT |
             (barrier ? BARRIER : 0) | (c->untimed ? 0 : TIMED) | (c->alone ? ALONE : 0);
    Where *args = (Where *)(row + 1);
    bool fits = c->kernel < 1u << (64 - KERNEL_SHIFT - 1);
    for (uint32_t i = 0; fits && i < c->n_buffers; i++)
        fits = buffer_where(e, &c->buffers[i], all, args++);
    for (uint32_t i = 0; fits && i < c->n_scalars; i++)
        scalar_where(e, c->scalars[i], all, args++);
    return fits;
}

// ---------------------------------------------------------------- functions that read rows

typedef struct Saved { // the state of the function that is being emitted
    LLVMValueRef function, call;
    LLVMBasicBlockRef block;
} Saved;

static Saved begin(MgCpuEmit *e, LLVMValueRef f) {
    Saved s = {e->function, e->call, LLVMGetInsertBlock(e->builder)};
    e->function = f;
    e->call = LLVMGetParam(f, 0);
    LLVMPositionBuilderAtEnd(e->builder, mg_cpu_block(e, "entry"));
    return s;
}

static void end(MgCpuEmit *e, const Saved *s) {
    e->function = s->function;
    e->call = s->call;
    LLVMPositionBuilderAtEnd(e->builder, s->block);
}

static LLVMValueRef word(MgCpuEmit *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef index) {
    LLVMValueRef at = LLVMBuildInBoundsGEP2(e->builder, e->t.i64, base, &index, 1, "");
    return LLVMBuildLoad2(e->builder, type, at, "");
}

static LLVMValueRef bits(MgCpuEmit *e, LLVMValueRef x, uint32_t low, uint32_t n) {
    LLVMBuilderRef b = e->builder;
    x = LLVMBuildBinOp(b, LLVMLShr, x, mg_cpu_int(e, low), "");
    return low + n == 64 ? x : LLVMBuildBinOp(b, LLVMAnd, x, mg_cpu_int(e, (1ll << n) - 1), "");
}

static LLVMValueRef call_field(MgCpuEmit *e, size_t offset) {
    return word(e, e->t.ptr, e->call, mg_cpu_int(e, (int64_t)offset / 8));
}

// ptr address(MgCall *, const i64 *where, const i64 *made)
static LLVMValueRef address_function(MgCpuEmit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef params[] = {e->t.ptr, e->t.ptr, e->t.ptr};
    LLVMValueRef f = mg_cpu_function(e, "step_address", e->t.ptr, params, 3, true);
    mg_cpu_attribute(e, f, LLVMAttributeFunctionIndex, "noinline", 0);
    Saved saved = begin(e, f);
    LLVMValueRef where = word(e, e->t.i64, LLVMGetParam(f, 1), mg_cpu_int(e, 0)),
                 bytes = word(e, e->t.i64, LLVMGetParam(f, 1), mg_cpu_int(e, 1)),
                 array = bits(e, where, ARRAY_SHIFT, 64 - ARRAY_SHIFT),
                 slot = bits(e, where, SLOT_SHIFT, MADE_SHIFT - SLOT_SHIFT),
                 is_made = bits(e, where, MADE_SHIFT, 1);
    LLVMValueRef arena = LLVMBuildICmp(b, LLVMIntEQ, array, mg_cpu_int(e, ARENA), "");
    LLVMValueRef from = LLVMBuildSelect(b, arena, e->call, word(e, e->t.ptr, e->call, array), "");
    LLVMValueRef base = word(e, e->t.ptr, from, bits(e, where, 0, SLOT_SHIFT));
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, slot, mg_cpu_int(e, 0), "");
    // There is always a slot to load from; without a number, the loaded value is not used.
    LLVMValueRef index =
        LLVMBuildSelect(b, none, slot, LLVMBuildSub(b, slot, mg_cpu_int(e, 1), ""), "");
    is_made = LLVMBuildICmp(b, LLVMIntNE, is_made, mg_cpu_int(e, 0), "");
    LLVMValueRef slots = call_field(e, offsetof(MgCall, slots));
    slots = LLVMBuildSelect(b, is_made, LLVMGetParam(f, 2), slots, "");
    LLVMValueRef more = word(e, e->t.i64, slots, index);
    more = LLVMBuildSelect(b, none, mg_cpu_int(e, 0), more, "");
    LLVMBuildRet(b, mg_cpu_byte_address(e, base, LLVMBuildAdd(b, bytes, more, "")));
    end(e, &saved);
    return f;
}

// The value of a scalar argument: a constant, a dimension, or a precomputed value.
static LLVMValueRef scalar_value(MgCpuEmit *e, LLVMValueRef where, LLVMValueRef made_before) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef from = word(e, e->t.i64, where, mg_cpu_int(e, 0)),
                 number = word(e, e->t.i64, where, mg_cpu_int(e, 1)),
                 dim = bits(e, from, 0, MADE_SHIFT), is_made = bits(e, from, MADE_SHIFT, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), load = mg_cpu_block(e, "dimension"),
                      done = mg_cpu_block(e, "scalar");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, dim, mg_cpu_int(e, 0), "");
    LLVMBuildCondBr(b, none, done, load);
    LLVMPositionBuilderAtEnd(b, load);
    is_made = LLVMBuildICmp(b, LLVMIntNE, is_made, mg_cpu_int(e, 0), "");
    LLVMValueRef dims = call_field(e, offsetof(MgCall, dims));
    dims = LLVMBuildSelect(b, is_made, made_before, dims, "");
    LLVMValueRef size = word(e, e->t.i64, dims, LLVMBuildSub(b, dim, mg_cpu_int(e, 1), ""));
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef value = LLVMBuildPhi(b, e->t.i64, ""), values[] = {number, size};
    LLVMBasicBlockRef blocks[] = {before, load};
    LLVMAddIncoming(value, values, blocks, 2);
    return value;
}

// const i64 *step(MgCall *, i64 worker, i64 workers, const i64 *args, const i64 *made). It calls
// c's kernel with the arguments at args, and returns the address past them.
static LLVMValueRef step_function(MgCpuEmit *e, const MgKCall *c) {
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64, e->t.i64, e->t.ptr, e->t.ptr};
    LLVMValueRef kernel = e->kernels[c->kernel];
    LLVMValueRef f = mg_cpu_function(e, "step", e->t.ptr, params, 5, true);
    LLVMValueRef *args = MG_NEW_N(e->arena, LLVMValueRef, 3 + c->n_buffers + c->n_scalars);
    LLVMTypeRef address = LLVMGlobalGetValueType(e->steps.address);
    Saved saved = begin(e, f);
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3; i++)
        args[n++] = LLVMGetParam(f, i);
    LLVMValueRef where = LLVMGetParam(f, 3), before = LLVMGetParam(f, 4), two = mg_cpu_int(e, 16);
    for (uint32_t i = 0; i < c->n_buffers + c->n_scalars; i++) {
        LLVMValueRef at[] = {e->call, where, before};
        args[n++] = i < c->n_buffers
                        ? LLVMBuildCall2(e->builder, address, e->steps.address, at, 3, "")
                        : scalar_value(e, where, before);
        where = mg_cpu_byte_address(e, where, two);
    }
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(kernel), kernel, args, n, "");
    LLVMBuildRet(e->builder, where);
    end(e, &saved);
    return f;
}

// Emits a branch that is taken only if `flag` is set in the row's first word. Returns the block in
// which to continue.
static LLVMBasicBlockRef only_if(MgCpuEmit *e, LLVMValueRef head, uint32_t flag) {
    LLVMBasicBlockRef then = mg_cpu_block(e, "set"), after = mg_cpu_block(e, "after");
    LLVMValueRef set = LLVMBuildBinOp(e->builder, LLVMAnd, head, mg_cpu_int(e, flag), "");
    set = LLVMBuildICmp(e->builder, LLVMIntNE, set, mg_cpu_int(e, 0), "");
    LLVMBuildCondBr(e->builder, set, then, after);
    LLVMPositionBuilderAtEnd(e->builder, then);
    return after;
}

static void go_on(MgCpuEmit *e, LLVMBasicBlockRef after) {
    LLVMBuildBr(e->builder, after);
    LLVMPositionBuilderAtEnd(e->builder, after);
}

// Records a tick at the start (0) or end (1) of the row's site.
static void row_tick(MgCpuEmit *e, LLVMValueRef head, uint32_t place) {
    LLVMBasicBlockRef after = only_if(e, head, TIMED);
    LLVMValueRef site = bits(e, head, SITE_SHIFT, KERNEL_SHIFT - SITE_SHIFT);
    LLVMValueRef at = LLVMBuildMul(e->builder, site, mg_cpu_int(e, 2), "");
    mg_cpu_tick(e, LLVMBuildAdd(e->builder, at, mg_cpu_int(e, place), ""));
    go_on(e, after);
}

// Computes the values into an array of the plan's function.
static LLVMValueRef make(MgCpuEmit *e, const Made *all) {
    LLVMTypeRef type = LLVMArrayType2(e->t.i64, all->len);
    if (!all->len)
        return LLVMConstNull(e->t.ptr);
    // It is in the entry block, since stretches may be inside loops.
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
    LLVMPositionBuilderBefore(e->allocas, LLVMGetBasicBlockTerminator(entry));
    LLVMValueRef array = LLVMBuildAlloca(e->allocas, type, "made");
    for (uint32_t i = 0; i < all->len; i++) {
        LLVMValueRef at = mg_cpu_byte_address(e, array, mg_cpu_int(e, 8 * (int64_t)i));
        LLVMBuildStore(e->builder, mg_cpu_value(e, all->at[i]), at);
    }
    return array;
}

// The loop over rows, in the plan's function. e->steps.functions is filled in at the plan's end.
static void walk(MgCpuEmit *e, LLVMValueRef rows, uint32_t count, LLVMValueRef made_before) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = mg_cpu_block(e, "step"),
                      done = mg_cpu_block(e, "steps");
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64, e->t.i64, e->t.ptr, e->t.ptr};
    LLVMTypeRef type = LLVMFunctionType(e->t.ptr, params, 5, false);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef row = LLVMBuildPhi(b, e->t.ptr, "row"), left = LLVMBuildPhi(b, e->t.i64, "left");
    LLVMValueRef head = word(e, e->t.i64, row, mg_cpu_int(e, 0));
    row_tick(e, head, 0);
    LLVMValueRef kernel = bits(e, head, KERNEL_SHIFT, 64 - KERNEL_SHIFT);
    LLVMValueRef f = word(e, e->t.ptr, e->steps.functions, kernel);
    LLVMValueRef alone = LLVMBuildBinOp(b, LLVMAnd, head, mg_cpu_int(e, ALONE), "");
    alone = LLVMBuildICmp(b, LLVMIntNE, alone, mg_cpu_int(e, 0), "");
    LLVMValueRef args[] = {e->call, LLVMBuildSelect(b, alone, mg_cpu_int(e, 0), e->worker, ""),
                           LLVMBuildSelect(b, alone, mg_cpu_int(e, 1), e->workers, ""),
                           mg_cpu_byte_address(e, row, mg_cpu_int(e, 8)), made_before};
    LLVMValueRef next = LLVMBuildCall2(b, type, f, args, 5, "");
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

static LLVMValueRef constants(MgCpuEmit *e, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                              uint32_t n) {
    LLVMValueRef g = LLVMAddGlobal(e->module, LLVMArrayType2(type, n), name);
    if (items)
        LLVMSetInitializer(g, LLVMConstArray2(type, items, n));
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetAlignment(g, 8);
    return g;
}

static void prepare(MgCpuEmit *e) {
    uint32_t n = e->program->kernels.len;
    if (e->steps.address)
        return;
    e->steps.address = address_function(e);
    e->steps.of_kernel = MG_NEW_N(e->arena, LLVMValueRef, n);
    e->steps.functions = constants(e, "step_functions", e->t.ptr, NULL, n);
}

uint32_t mg_cpu_steps(MgCpuEmit *e, const MgKBlock *block, uint32_t first) {
    uint32_t at = first, calls = 0;
    MG_VEC(uint64_t) words = {0};
    Made all = {0};
    while (at < block->list.len && block->list.at[at]->kind == MG_KS_CALL &&
           !block->list.at[at]->call->copies) {
        const MgKCall *c = block->list.at[at]->call;
        uint64_t *row = MG_NEW_N(e->arena, uint64_t, words_of(c));
        if (!row_of(e, c, is_barrier(block, at + 1), &all, row))
            break;
        for (uint32_t i = 0; i < words_of(c); i++)
            mg_push(e->arena, &words, row[i]);
        for (at++; is_barrier(block, at); at++) // of adjacent barriers, one is enough
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
    walk(e, constants(e, "rows", e->t.i64, items, words.len), calls, make(e, &all));
    return at - first;
}

void mg_cpu_end_steps(MgCpuEmit *e) {
    uint32_t n = e->program->kernels.len;
    if (!e->steps.address)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (!e->steps.of_kernel[i])
            e->steps.of_kernel[i] = LLVMConstNull(e->t.ptr);
    LLVMSetInitializer(e->steps.functions, LLVMConstArray2(e->t.ptr, e->steps.of_kernel, n));
}
