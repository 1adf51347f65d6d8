// The functions of an image: run (the plan), bind and costs, and the two helpers that plans call.
//
// A plan may have thousands of buffers and calls, so it stays straight-line code: it loads
// addresses and dimensions from the call at each use, and each tick is a call to a helper that
// returns at once if there is no tick array.
#include "backends/cpu/emit.h"

#include "image/image.h"

#include <stddef.h>

static LLVMValueRef i32_const(MgCpuEmit *e, uint32_t value) {
    return LLVMConstInt(e->t.i32, value, false);
}

// A program that was made by hand has no target.
static uint32_t most_spins(const MgCpuEmit *e) {
    const MgTargetInfo *target = e->program->target;
    return (uint32_t)(target ? &target->machine : mg_machine_usual())->spins;
}

static LLVMValueRef field(MgCpuEmit *e, LLVMTypeRef type, size_t offset) {
    return LLVMBuildLoad2(e->builder, type, mg_cpu_call_field(e, offset), "");
}

static LLVMValueRef element(MgCpuEmit *e, LLVMTypeRef type, LLVMValueRef base, uint64_t index) {
    LLVMValueRef at = mg_cpu_int(e, (int64_t)index);
    LLVMValueRef address = LLVMBuildInBoundsGEP2(e->builder, type, base, &at, 1, "");
    return LLVMBuildLoad2(e->builder, type, address, "");
}

// Turns optimisation off for straight code without a hot loop. LLVM's schedulers and GVN take time
// quadratic in a block's length, and large graphs make long blocks.
static void leave_as_is(MgCpuEmit *e, LLVMValueRef function) {
    mg_cpu_attribute(e, function, LLVMAttributeFunctionIndex, "noinline", 0);
    mg_cpu_attribute(e, function, LLVMAttributeFunctionIndex, "optnone", 0);
}

// ---------------------------------------------------------------- barrier

static LLVMValueRef atomic_load(MgCpuEmit *e, LLVMValueRef address) {
    LLVMValueRef value = LLVMBuildLoad2(e->builder, e->t.i32, address, "");
    LLVMSetOrdering(value, LLVMAtomicOrderingAcquire);
    LLVMSetAlignment(value, 4);
    return value;
}

static void atomic_store(MgCpuEmit *e, LLVMValueRef address, LLVMValueRef value) {
    LLVMValueRef stored = LLVMBuildStore(e->builder, value, address);
    LLVMSetOrdering(stored, LLVMAtomicOrderingRelease);
    LLVMSetAlignment(stored, 4);
}

static void pause_cpu(MgCpuEmit *e) {
    LLVMValueRef yield = i32_const(e, 1); // the number of the YIELD hint
    if (e->target->arch == MG_CPU_X86)
        mg_cpu_intrinsic(e, "llvm.x86.sse2.pause", NULL, 0, NULL, 0);
    else
        mg_cpu_intrinsic(e, "llvm.aarch64.hint", NULL, 0, &yield, 1);
}

// Spins, from the builder's block on, until *sense differs from `generation`, then goes to done.
static void spin(MgCpuEmit *e, LLVMValueRef sense, LLVMValueRef generation,
                 LLVMBasicBlockRef done) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), test = mg_cpu_block(e, "spin"),
                      wait = mg_cpu_block(e, "wait"), give = mg_cpu_block(e, "yield");
    LLVMTypeRef yield_type = LLVMFunctionType(e->t.i32, NULL, 0, false);
    LLVMValueRef yield = LLVMAddFunction(e->module, "sched_yield", yield_type);
    LLVMBuildBr(b, test);
    LLVMPositionBuilderAtEnd(b, test);
    LLVMValueRef spins = LLVMBuildPhi(b, e->t.i32, "spins");
    LLVMValueRef more = LLVMBuildAdd(b, spins, i32_const(e, 1), "");
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, atomic_load(e, sense), generation, "");
    LLVMBuildCondBr(b, same, wait, done);
    LLVMPositionBuilderAtEnd(b, wait);
    pause_cpu(e);
    LLVMValueRef often = LLVMBuildICmp(b, LLVMIntUGT, spins, i32_const(e, most_spins(e)), "");
    LLVMBuildCondBr(b, often, give, test);
    LLVMPositionBuilderAtEnd(b, give);
    LLVMBuildCall2(b, yield_type, yield, NULL, 0, "");
    LLVMBuildBr(b, test);
    LLVMValueRef values[] = {i32_const(e, 0), more, i32_const(e, 0)};
    LLVMBasicBlockRef from[] = {before, wait, give};
    LLVMAddIncoming(spins, values, from, 3);
}

// void barrier(MgCall *, i64 workers). The last worker to arrive opens the next generation. Each
// reads the generation before it arrives, so none can miss the change, and the counter is reset
// before the change.
static void barrier_body(MgCpuEmit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMPositionBuilderAtEnd(b, mg_cpu_block(e, "entry"));
    LLVMBasicBlockRef several = mg_cpu_block(e, "several"), last = mg_cpu_block(e, "last"),
                      others = mg_cpu_block(e, "others"), done = mg_cpu_block(e, "done");
    LLVMValueRef workers = LLVMGetParam(e->function, 1);
    LLVMValueRef alone = LLVMBuildICmp(b, LLVMIntEQ, workers, mg_cpu_int(e, 1), "");
    LLVMBuildCondBr(b, alone, done, several);
    LLVMPositionBuilderAtEnd(b, several);
    LLVMValueRef count = mg_cpu_call_field(e, offsetof(MgCall, barrier_count));
    LLVMValueRef sense = mg_cpu_call_field(e, offsetof(MgCall, barrier_sense));
    LLVMValueRef generation = atomic_load(e, sense);
    LLVMValueRef arrived = LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, count, i32_const(e, 1),
                                              LLVMAtomicOrderingAcquireRelease, false);
    arrived = LLVMBuildAdd(b, arrived, i32_const(e, 1), "");
    LLVMValueRef all =
        LLVMBuildICmp(b, LLVMIntEQ, arrived, LLVMBuildTrunc(b, workers, e->t.i32, ""), "");
    LLVMBuildCondBr(b, all, last, others);
    LLVMPositionBuilderAtEnd(b, last);
    atomic_store(e, count, i32_const(e, 0));
    LLVMBuildStore(b, mg_cpu_int(e, 0), mg_cpu_call_field(e, offsetof(MgCall, dealt)));
    atomic_store(e, sense, LLVMBuildAdd(b, generation, i32_const(e, 1), ""));
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, others);
    spin(e, sense, generation, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

// The counter that user programs may read: cycles at a steady rate on x86, the virtual timer on
// AArch64. There the cycle counter is reserved to the system, and LLVM's steady counter returns 0.
static LLVMValueRef counter(MgCpuEmit *e) {
    if (e->target->arch == MG_CPU_X86)
        return mg_cpu_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0);
    static const char name[] = "cntvct_el0";
    LLVMMetadataRef text = LLVMMDStringInContext2(e->context, name, sizeof name - 1);
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &text, 1);
    LLVMValueRef which = LLVMMetadataAsValue(e->context, node);
    return mg_cpu_intrinsic(e, "llvm.read_volatile_register", &e->t.i64, 1, &which, 1);
}

// void tick(i64 *ticks, i64 index): ticks[index] = the counter, unless ticks is null. A call that
// is made again in the same run shifts its start by the time between, so that its times add up.
static void tick_body(MgCpuEmit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMPositionBuilderAtEnd(b, mg_cpu_block(e, "entry"));
    LLVMBasicBlockRef timed = mg_cpu_block(e, "timed"), done = mg_cpu_block(e, "done");
    LLVMValueRef ticks = LLVMGetParam(e->function, 0), index = LLVMGetParam(e->function, 1);
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, ticks, ""), done, timed);
    LLVMPositionBuilderAtEnd(b, timed);
    LLVMValueRef now = counter(e);
    LLVMValueRef end = LLVMBuildOr(b, index, mg_cpu_int(e, 1), "");
    LLVMValueRef place = LLVMBuildInBoundsGEP2(b, e->t.i64, ticks, &index, 1, "");
    LLVMValueRef last = LLVMBuildInBoundsGEP2(b, e->t.i64, ticks, &end, 1, "");
    LLVMValueRef away = LLVMBuildSub(b, LLVMBuildLoad2(b, e->t.i64, place, ""),
                                     LLVMBuildLoad2(b, e->t.i64, last, ""), "");
    LLVMBuildStore(b, LLVMBuildAdd(b, now, away, ""), place);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
}

// Emits a helper with parameters (ptr, i64) while another function is being emitted.
static LLVMValueRef helper(MgCpuEmit *e, const char *name, void (*body)(MgCpuEmit *e)) {
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64};
    LLVMValueRef f = mg_cpu_function(e, name, e->t.none, params, 2, true);
    mg_cpu_attribute(e, f, LLVMAttributeFunctionIndex, "noinline", 0);
    LLVMValueRef function = e->function, call = e->call;
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
    e->function = f;
    e->call = LLVMGetParam(f, 0);
    body(e);
    e->function = function;
    e->call = call;
    LLVMPositionBuilderAtEnd(e->builder, block);
    return f;
}

static void call_helper(MgCpuEmit *e, LLVMValueRef f, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, args, 2, "");
}

void mg_cpu_grid_barrier(MgCpuEmit *e) {
    if (e->device) // launches on the device run in order anyway
        return;
    if (!e->barrier)
        e->barrier = helper(e, "barrier", barrier_body);
    call_helper(e, e->barrier, e->call, e->workers);
}

void mg_cpu_tick(MgCpuEmit *e, LLVMValueRef index) {
    if (!e->tick)
        e->tick = helper(e, "tick", tick_body);
    call_helper(e, e->tick, e->ticks, index);
}

static void tick(MgCpuEmit *e, uint32_t site, uint32_t end) {
    mg_cpu_tick(e, mg_cpu_int(e, 2 * (int64_t)site + end));
}

// ---------------------------------------------------------------- run

// The address of a plan's buffer: a parameter, weight or constant of the call, the arena, or
// (numbered after those) slots and dims; or one of the plan's own buffers, which each worker has.
static LLVMValueRef plan_buffer(MgCpuEmit *e, MgKBufId buf) {
    const MgProgram *p = e->program;
    if (!mg_kbuf_is_bound(&e->k->bufs.at[buf]))
        return e->bufs[buf];
    if (buf >= p->bufs.len) {
        bool slots = buf == p->bufs.len;
        return field(e, e->t.ptr, slots ? offsetof(MgCall, slots) : offsetof(MgCall, dims));
    }
    const MgPlanBuf *b = &p->bufs.at[buf];
    switch (b->kind) {
    case MG_PLAN_INPUT:
        return element(e, e->t.ptr, field(e, e->t.ptr, offsetof(MgCall, ports)), b->number);
    case MG_PLAN_OUTPUT:
        return element(e, e->t.ptr, field(e, e->t.ptr, offsetof(MgCall, ports)),
                       (uint64_t)p->graph->inputs.len + b->number);
    case MG_PLAN_WEIGHT:
        return element(e, e->t.ptr, field(e, e->t.ptr, offsetof(MgCall, weights)), b->number);
    case MG_PLAN_CONST:
        return element(e, e->t.ptr, field(e, e->t.ptr, offsetof(MgCall, constants)), b->number);
    case MG_PLAN_ARENA:
        break;
    }
    return field(e, e->t.ptr, offsetof(MgCall, arena));
}

static LLVMValueRef plan_scalar(MgCpuEmit *e, uint32_t scalar) {
    return element(e, e->t.i64, field(e, e->t.ptr, offsetof(MgCall, dims)), scalar);
}

static LLVMValueRef address_of(MgCpuEmit *e, const MgKCall *call, uint32_t buffer) {
    LLVMValueRef base = e->buffer_of(e, call->buffers[buffer].base);
    return mg_cpu_byte_address(e, base, mg_cpu_value(e, call->buffers[buffer].offset));
}

static void call_kernel(MgCpuEmit *e, const MgKCall *call) {
    uint32_t n = 3;
    LLVMValueRef f = e->kernels[call->kernel];
    if (!call->untimed)
        // Before the addresses are loaded, so that nothing has to survive the call.
        tick(e, call->site, 0);
    LLVMValueRef *args = MG_NEW_N(e->arena, LLVMValueRef, 3 + call->n_buffers + call->n_scalars);
    args[0] = e->call;
    args[1] = call->alone ? mg_cpu_int(e, 0) : e->worker;
    args[2] = call->alone ? mg_cpu_int(e, 1) : e->workers;
    for (uint32_t i = 0; i < call->n_buffers; i++)
        args[n++] = address_of(e, call, i);
    for (uint32_t i = 0; i < call->n_scalars; i++)
        args[n++] = mg_cpu_value(e, call->scalars[i]);
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, args, n, "");
    if (!call->untimed)
        tick(e, call->site, 1);
}

void mg_cpu_call(MgCpuEmit *e, const MgKCall *call) {
    void (*make)(MgCpuEmit *, const MgKCall *) = e->device ? mg_cpu_launch : call_kernel;
    if (!call->copies) {
        make(e, call);
        return;
    }
    LLVMValueRef apart =
        LLVMBuildICmp(e->builder, LLVMIntNE, address_of(e, call, 0), address_of(e, call, 1), "");
    LLVMBasicBlockRef then = mg_cpu_block(e, "copy"), end = mg_cpu_block(e, "copied");
    LLVMBuildCondBr(e->builder, apart, then, end);
    LLVMPositionBuilderAtEnd(e->builder, then);
    make(e, call);
    LLVMBuildBr(e->builder, end);
    LLVMPositionBuilderAtEnd(e->builder, end);
}

// The address of this worker's counters, computed so that a null array stays null.
static LLVMValueRef worker_ticks(MgCpuEmit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef all = field(e, e->t.ptr, offsetof(MgCall, ticks));
    LLVMValueRef before =
        LLVMBuildMul(b, e->worker, mg_cpu_int(e, 16 * (int64_t)e->program->sites.len), "");
    LLVMValueRef mine = mg_cpu_byte_address(e, all, before);
    return LLVMBuildSelect(b, LLVMBuildIsNull(b, all, ""), all, mine, "");
}

LLVMValueRef mg_cpu_run(MgCpuEmit *e) {
    LLVMTypeRef params[] = {e->t.ptr, e->t.i32, e->t.i32};
    LLVMValueRef f = mg_cpu_function(e, "run", e->t.none, params, 3, true);
    leave_as_is(e, f);
    mg_cpu_begin_body(e, e->program->plan, f);
    e->buffer_of = plan_buffer;
    e->scalar_value = plan_scalar;
    e->call = LLVMGetParam(f, 0);
    e->worker = LLVMBuildZExt(e->builder, LLVMGetParam(f, 1), e->t.i64, "worker");
    e->workers = LLVMBuildZExt(e->builder, LLVMGetParam(f, 2), e->t.i64, "workers");
    e->ticks = worker_ticks(e);
    mg_cpu_statements(e, &e->program->plan->body);
    mg_cpu_end_steps(e);
    mg_cpu_end_body(e);
    return f;
}

// ---------------------------------------------------------------- bind and costs
// Each is a kernel over the dimensions, called by a function of (const i64 *dims, i64 *out).

static LLVMValueRef over_dims(MgCpuEmit *e, const char *name, LLVMTypeRef result,
                              const MgKernel *k) {
    LLVMValueRef kernel = mg_cpu_kernel(e, k);
    leave_as_is(e, kernel);
    LLVMTypeRef params[] = {e->t.ptr, e->t.ptr};
    LLVMValueRef f = mg_cpu_function(e, name, result, params, 2, true);
    LLVMValueRef *args = MG_NEW_N(e->arena, LLVMValueRef, 4 + k->scalars.len);
    e->function = f;
    LLVMPositionBuilderAtEnd(e->builder, mg_cpu_block(e, "entry"));
    args[0] = LLVMConstNull(e->t.ptr);
    args[1] = mg_cpu_int(e, 0);
    args[2] = mg_cpu_int(e, 1);
    args[3] = LLVMGetParam(f, 1);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        args[4 + i] = element(e, e->t.i64, LLVMGetParam(f, 0), i);
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(kernel), kernel, args, 4 + k->scalars.len,
                   "");
    return f;
}

LLVMValueRef mg_cpu_bind(MgCpuEmit *e) {
    LLVMValueRef f = over_dims(e, "bind", e->t.i32, e->program->bind);
    LLVMValueRef failed = element(e, e->t.i64, LLVMGetParam(f, 1), 1); // slot 1
    LLVMBuildRet(e->builder, LLVMBuildTrunc(e->builder, failed, e->t.i32, ""));
    return f;
}

typedef struct DimVars {
    MgKernel *k;
    const MgGraph *g;
} DimVars;

static const MgKx *dim_value(void *ctx, MgIxSym s) {
    DimVars *d = ctx;
    for (uint32_t i = 0; i < d->g->dims.len; i++)
        if (d->g->dims.at[i] == s)
            return mg_kvar(d->k, d->k->scalars.at[i]);
    return mg_kint(d->k, 0);
}

// The value of x. Equal formulas share one variable.
static const MgKx *cost_value(DimVars *d, MgMap *known, MgIx x) {
    const MgKx *value = (const MgKx *)(uintptr_t)mg_map_get(known, x, 0);
    if (value)
        return value;
    value = mg_kx_of_ix(d->k, d->g->module->ix, x, dim_value, d);
    value = mg_klet_x(d->k, &d->k->body, "cost", value);
    mg_map_put(known, x, (uint64_t)(uintptr_t)value);
    return value;
}

// Begins a kernel over the dimensions that fills an array of i64.
static DimVars begin_dims(MgCpuEmit *e, const char *name, MgKBufId *out, MgMap *known) {
    const MgGraph *g = e->program->graph;
    MgNames *names = e->session->names;
    DimVars d = {mg_kernel_new(e->arena, names, mg_sym(names, name)), g};
    *out = mg_kparam(d.k, "out", MG_I64, false, true);
    mg_map_init(known, e->arena);
    for (uint32_t i = 0; i < g->dims.len; i++)
        mg_kscalar(d.k, mg_name(names, mg_ix_sym_name(g->module->ix, g->dims.at[i])));
    return d;
}

static LLVMValueRef end_dims(MgCpuEmit *e, const DimVars *d, const char *name) {
    MgLegaliseOptions options = mg_cpu_legal(e->target);
    mg_kernel_legalise(d->k, &options);
    LLVMValueRef f = over_dims(e, name, e->t.none, d->k);
    LLVMBuildRetVoid(e->builder);
    return f;
}

static void put_dims(DimVars *d, MgMap *known, MgKBufId out, uint32_t at, MgIx x) {
    mg_kstore(d->k, &d->k->body, out, mg_kint(d->k, at), cost_value(d, known, x), NULL);
}

LLVMValueRef mg_cpu_costs(MgCpuEmit *e) {
    MgProgram *p = e->program;
    MgKBufId out;
    MgMap known;
    DimVars d = begin_dims(e, "costs_of", &out, &known);
    for (uint32_t i = 0; i < 2 * p->sites.len; i++) {
        const MgCost *cost = &p->sites.at[i / 2].cost;
        put_dims(&d, &known, out, i, i % 2 ? cost->bytes : cost->flops);
    }
    return end_dims(e, &d, "costs");
}

static LLVMValueRef emit_shapes(MgCpuEmit *e, const char *name) {
    MgGraph *g = e->program->graph;
    MgKBufId out;
    MgMap known;
    uint32_t n = 0;
    DimVars d = begin_dims(e, "shapes", &out, &known);
    for (uint32_t i = 0; i < g->inputs.len + g->outputs.len; i++) {
        const MgPort *port =
            i < g->inputs.len ? &g->inputs.at[i] : &g->outputs.at[i - g->inputs.len];
        const MgValue *v = mg_value(g, port->value);
        for (uint32_t a = 0; a < v->rank; a++)
            put_dims(&d, &known, out, n++, v->shape[a]);
    }
    return end_dims(e, &d, name);
}

static LLVMValueRef emit_bounds(MgCpuEmit *e, const char *name) {
    MgGraph *g = e->program->graph;
    MgKBufId out;
    MgMap known;
    DimVars d = begin_dims(e, "bounds", &out, &known);
    MgDimMakers makers = mg_dim_makers(g, e->arena);
    for (uint32_t i = 0; i < g->dims.len; i++)
        put_dims(&d, &known, out, i,
                 mg_bound_dims(&makers, mg_ix_sym(g->module->ix, g->dims.at[i])));
    return end_dims(e, &d, name);
}

void mg_cpu_sizes(MgCpuEmit *e) {
    const char *prefix = e->form->graph->prefix;
    LLVMValueRef made[] = {emit_shapes(e, mg_arena_printf(e->arena, "%s.shapes_of", prefix)),
                           emit_bounds(e, mg_arena_printf(e->arena, "%s.bounds_of", prefix))};
    for (int i = 0; i < 2; i++)
        LLVMSetLinkage(made[i], LLVMExternalLinkage);
}
