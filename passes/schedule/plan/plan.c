// The plan: the order in which kernels run, as a kernel-IR function that every worker enters.
//
// Ops become calls in source order, each followed by a grid barrier; control flow becomes the
// plan's own loops and branches. Carried values of a loop live in the loop's results and are
// replaced at the end of each trip. Runs of ops that workers can walk by rows have a barrier only
// at their end (owned_workers.c).
#include "passes/schedule/plan/owned_workers.h"
#include "passes/schedule/riders.h"
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"

static void plan_region(MgSched *s, MgRegionId r, MgKBlock *block);

const MgKx *mg_plan_dim(MgSched *s, MgIxSym sym) {
    uint64_t *known = mg_map_find(&s->draft->dims.vars, sym);
    return known ? (const MgKx *)(uintptr_t)*known : num(s->p->plan, 0);
}

static void set_dim(MgSched *s, MgIxSym sym, const MgKx *x) {
    mg_map_put(&s->draft->dims.vars, sym, (uint64_t)(uintptr_t)x);
}

static const MgKx *dim_of_sym(void *ctx, MgIxSym sym) {
    return mg_plan_dim(ctx, sym);
}

const MgKx *mg_plan_ix(MgSched *s, MgIx x) {
    return mg_kx_of_ix(s->p->plan, s->ix, x, dim_of_sym, s);
}

uint32_t mg_dim_slot(MgSched *s, MgIxSym sym) {
    for (uint32_t i = 0; i < s->g->dims.len; i++)
        if (s->g->dims.at[i] == sym)
            return i;
    mg_push(s->m->arena, &s->g->dims, sym);
    return s->g->dims.len - 1;
}

MgIx mg_bound_of(MgSched *s, MgIx x) {
    return mg_bound_dims(&s->draft->dims.makers, x);
}

MgIx mg_bytes_bound(MgSched *s, MgValueId v) {
    return mg_bound_of(s, mg_value_bytes(s->g, v));
}

// Is copying a value so little work that the first worker does it alone?
static bool is_small_copy(MgSched *s, MgValueId v) {
    MgIx work = mg_ix_mul(s->ix, mg_value_bytes(s->g, v), mg_ix_const(s->ix, 2));
    return !s->alone && !s->walk && mg_share_is_small(s, work);
}

// Copies a value from one of its storages to another one.
static void copy_storage(MgSched *s, MgKBlock *plan, MgValueId from, MgStorageId at, MgStorageId to,
                         const MgKx *extra, MgOpId op) {
    if (is_small_copy(s, from)) {
        MgSched alone;
        MgKBlock *block = mg_share_open_alone(s, plan, &alone);
        copy_storage(&alone, block, from, at, to, extra, op);
        mg_share_close_alone(s, plan);
        return;
    }
    MgUnit unit = {.ops = &op, .outputs = &from};
    MgKb kb;
    mg_kb_begin(&kb, s, &unit, "copy");
    unit.n_outputs = 1;
    MgDType dtype = mg_value(s->g, from)->dtype;
    MgKernel *k = kb.k;
    MgKBufId source = mg_kb_extra(&kb, "from", dtype, at, NULL, true, false);
    MgKBufId target = mg_kb_extra(&kb, "to", dtype, to, extra, false, true);
    const MgKx *n = mg_kb_ix(&kb, mg_value_elements(s->g, from), NULL);
    uint32_t lanes = mg_kb_lanes(&kb, dtype == MG_BOOL ? MG_U8 : dtype);
    const MgKx *whole = over(k, n, lanes);
    MgKBlock *block = &k->body;
    const MgKx *i = times(k, mg_kb_share(&kb, &block, "i", whole), lanes);
    store(k, block, target, i, loaded(k, source, i, lanes));
    block = mg_kb_alone(&kb, &k->body);
    Loop rest = each_from(k, block, "i", times(k, whole, lanes), n, 1);
    store(k, rest.body, target, rest.at, loaded(k, source, rest.at, 1));
    mg_kb_end(&kb, plan, op);
    s->draft->calls.at[s->draft->calls.len - 1].call->copies = true;
}

// Copies a value to storage `to`, `extra` bytes from its beginning (an expression of the plan).
static void copy_value(MgSched *s, MgKBlock *plan, MgValueId from, MgStorageId to,
                       const MgKx *extra, MgOpId op) {
    copy_storage(s, plan, from, s->storage_of[from], to, extra, op);
}

// A bool[] that the plan reads.
static const MgKx *plan_condition(MgSched *s, MgValueId v) {
    MgKernel *plan = s->p->plan;
    MgKx *load = MG_NEW(s->arena, MgKx);
    *load = *loaded(plan, 0, num(plan, 0), 1);
    MgPendingLoad pending = {load, s->storage_of[v]};
    mg_storage_touch(s, s->storage_of[v], s->draft->step);
    mg_push(s->arena, &s->draft->placing.loads, pending);
    return bin(plan, MG_PRIM_NE, load, mg_kconst(plan, mg_kt(MG_U8, 1), 0));
}

// A value that is alive in a loop is alive throughout the loop.
static void close_loop(MgSched *s, uint32_t start, const MgOp *loop) {
    uint32_t end = s->draft->step ? s->draft->step - 1 : 0;
    for (MgStorageId id = 1; id < s->draft->storages.len; id++) {
        MgStorage *st = &s->draft->storages.at[id];
        if (st->first < start && st->last >= start)
            st->last = end;
    }
    for (uint32_t i = 0; i < loop->n_results; i++) {
        MgStorage *st = &s->draft->storages.at[s->storage_of[loop->results[i]]];
        if (st->first > start)
            st->first = start;
        if (st->last < end || st->first == UINT32_MAX)
            st->last = end;
    }
}

// The next values replace the carried ones. They go through temporaries if one of them is another's
// old value.
static void carry(MgSched *s, MgKBlock *block, const MgOp *loop, MgOpId id) {
    MgGraph *g = s->g;
    const MgRegion *body = mg_region(g, loop->regions[0]);
    const MgOp *yield = mg_yield_of(g, loop->regions[0]);
    uint32_t n = loop->loop->n_carried;
    bool crossed = false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            crossed |=
                i != j && s->storage_of[yield->operands[i]] == s->storage_of[body->params.at[j]];
    MgStorageId *from = MG_NEW_N(s->arena, MgStorageId, n);
    for (uint32_t i = 0; i < n; i++) {
        MgValueId next = yield->operands[i];
        from[i] = s->storage_of[next];
        if (crossed && from[i] != s->storage_of[body->params.at[i]]) {
            from[i] = mg_storage_new(s, MG_PLAN_ARENA, mg_bytes_bound(s, next), MG_NONE);
            copy_value(s, block, next, from[i], NULL, id);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        MgStorageId to = s->storage_of[body->params.at[i]];
        if (from[i] != to)
            copy_storage(s, block, yield->operands[i], from[i], to, NULL, id);
    }
}

// Emits carried values, or the others. Those that workers share the copying of come first, so that
// the others, and the next values, are copied without a barrier between them.
static void emit(MgSched *s, MgKBlock *block, MgOpId id, const MgKx *trip, bool carried) {
    const MgOp loop = *mg_op(s->g, id);
    const MgOp *yield = mg_yield_of(s->g, loop.regions[0]);
    uint32_t first = loop.loop->n_carried;
    for (int small = 0; small < 2; small++)
        for (uint32_t i = first; i < first + loop.loop->n_emitted; i++) {
            MgValueId v = yield->operands[i];
            if (is_small_copy(s, v) != (bool)small || mg_emits_first(s, yield, i) != carried)
                continue;
            const MgKx *slice = mul(s->p->plan, trip, mg_plan_ix(s, mg_value_bytes(s->g, v)));
            copy_value(s, block, v, s->storage_of[loop.results[i]], slice, id);
        }
}

static void plan_trip(MgSched *s, MgKBlock *block, MgOpId id, const MgKx *counter, MgIx low) {
    MgGraph *g = s->g;
    const MgOp op = *mg_op(g, id);
    set_dim(s, op.loop->counter, counter);
    const MgKx *trip = sub(s->p->plan, counter, mg_plan_ix(s, low));
    emit(s, block, id, trip, true);
    plan_region(s, op.regions[0], block);
    emit(s, block, id, trip, false);
    carry(s, block, &op, id);
}

static void store_dim(MgSched *s, MgKBlock *block, MgIxSym sym, const MgKx *x) {
    MgKernel *plan = s->p->plan;
    store(plan, first_worker(plan, block), s->draft->storages.at[s->draft->dims.storage].plan_buf,
          num(plan, mg_dim_slot(s, sym)), x);
}

// loop … while: the condition is computed before each trip; the trips are counted in a private
// variable.
static void plan_while(MgSched *s, MgKBlock *block, MgOpId id) {
    MgKernel *plan = s->p->plan;
    const MgOp op = *mg_op(s->g, id);
    MgKBufId t =
        mg_kalloc(plan, "t", mg_kt(MG_I64, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(plan, 1));
    MgKBufId go =
        mg_kalloc(plan, "go", mg_kt(MG_I64, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(plan, 1));
    MgIx low = op.loop->counted ? op.loop->low : mg_ix_const(s->ix, 0);
    set_held(plan, block, t, mg_plan_ix(s, low));
    set_held(plan, block, go, num(plan, 1));
    MgKs *loop = mg_kwhile(plan, block, bin(plan, MG_PRIM_NE, held(plan, go), num(plan, 0)));
    MgKBlock *body = &loop->body;
    const MgKx *counter = named(plan, body, "t", held(plan, t));
    set_held(plan, body, go, num(plan, 0));
    if (op.loop->counted)
        body = block_if(plan, body, less(plan, counter, mg_plan_ix(s, op.loop->high)));
    set_dim(s, op.loop->counter, counter);
    plan_region(s, op.regions[1], body);
    const MgKx *cond =
        named(plan, body, "go", plan_condition(s, mg_yield_of(s->g, op.regions[1])->operands[0]));
    mg_kbarrier(plan, body, MG_BARRIER_GRID); // all workers have read it before it is computed
                                              // again
    body = block_if(plan, body, cond);
    plan_trip(s, body, id, counter, low);
    set_held(plan, body, t, plus(plan, counter, 1));
    set_held(plan, body, go, num(plan, 1));
    if (op.loop->trips) {
        const MgKx *trips = sub(plan, held(plan, t), mg_plan_ix(s, low));
        trips = named(plan, block, "trips", trips);
        set_dim(s, op.loop->trips, trips);
        store_dim(s, block, op.loop->trips, trips);
    }
}

// What trips need but don't change is computed before the loop, in a step of its own, which ends a
// run of calls without barriers: these have one step. Returns what schedules see inside the loop.
static MgSched open_loop(MgSched *s, MgPlanLoop *loop, MgOpId id) {
    MgSched inside = *s;
    *loop = (MgPlanLoop){.outer = s->loop, .op = id, .step = s->draft->step};
    if (s->options->target.gpu || !s->once)
        return inside;
    s->draft->step++;
    s->draft->share.together = 0;
    inside.loop = loop;
    return inside;
}

// Puts what is computed before the loop in front of statement `at` of the block.
static void close_before(MgSched *s, const MgPlanLoop *loop, MgKBlock *block, uint32_t at) {
    uint32_t n = loop->before.list.len, after = block->list.len - at;
    for (uint32_t i = 0; i < n; i++)
        mg_push(s->arena, &block->list, loop->before.list.at[i]);
    MgKs **from = block->list.at + at;
    memmove(from + n, from, after * sizeof *from);
    for (uint32_t i = 0; i < n; i++)
        from[i] = loop->before.list.at[i];
}

static void plan_loop(MgSched *s, MgKBlock *block, MgOpId id) {
    MgKernel *plan = s->p->plan;
    const MgOp op = *mg_op(s->g, id);
    MgPlanLoop ahead;
    uint32_t at = block->list.len;
    MgSched inside = open_loop(s, &ahead, id);
    uint32_t start = s->draft->step;
    for (uint32_t i = 0; i < op.loop->n_carried; i++)
        if (s->storage_of[op.operands[i]] != s->storage_of[op.results[i]])
            copy_value(&inside, block, op.operands[i], s->storage_of[op.results[i]], NULL, id);
    uint32_t first = s->draft->step;
    if (op.loop->has_while) {
        plan_while(&inside, block, id);
    } else {
        Loop loop = each_from(plan, block, "t", mg_plan_ix(s, op.loop->low),
                              mg_plan_ix(s, op.loop->high), 1);
        plan_trip(&inside, loop.body, id, loop.at, op.loop->low);
    }
    close_loop(s, first > start ? start : first, &op);
    close_before(s, &ahead, block, at);
}

static void plan_if(MgSched *s, MgKBlock *block, MgOpId id) {
    const MgOp op = *mg_op(s->g, id);
    const MgKx *cond = named(s->p->plan, block, "cond", plan_condition(s, op.operands[0]));
    MgKs *branch = mg_kif(s->p->plan, block, cond);
    uint32_t start = s->draft->step;
    for (int b = 0; b < 2; b++) {
        MgKBlock *arm = b ? &branch->orelse : &branch->body;
        plan_region(s, op.regions[b], arm);
        const MgOp *yield = mg_yield_of(s->g, op.regions[b]);
        for (uint32_t i = 0; i < op.n_results; i++)
            copy_value(s, arm, yield->operands[i], s->storage_of[op.results[i]], NULL, id);
    }
    close_loop(s, start, &op);
}

static void plan_fused(MgSched *s, MgKBlock *block, MgOpId id) {
    MgGraph *g = s->g;
    const MgOp op = *mg_op(g, id);
    const MgRegion *r = mg_region(g, op.regions[0]);
    const MgOp *yield = mg_yield_of(g, op.regions[0]);
    MgUnit unit = {.ops = MG_NEW_N(s->arena, MgOpId, r->ops.len),
                   .outputs = MG_NEW_N(s->arena, MgValueId, yield->n_operands)};
    MgMap seen;
    mg_map_init(&seen, s->arena);
    for (uint32_t i = 0; i < r->ops.len; i++)
        if (mg_op(g, r->ops.at[i])->kind != MG_OP_ERASED &&
            mg_op(g, r->ops.at[i])->kind != MG_OP_YIELD)
            unit.ops[unit.n_ops++] = r->ops.at[i];
    for (uint32_t i = 0; i < yield->n_operands; i++) {
        MgOpId def = mg_value(g, yield->operands[i])->def;
        if (def && mg_op(g, def)->region == op.regions[0] &&
            !mg_map_find(&seen, yield->operands[i])) {
            unit.outputs[unit.n_outputs++] = yield->operands[i];
            mg_map_put(&seen, yield->operands[i], 1);
        }
    }
    mg_unit_index(s, &unit);
    mg_riders_board(s, id, &unit);
    if (unit.n_ops)
        mg_schedule_unit(s, &unit, block);
    for (uint32_t i = 0; i < yield->n_operands; i++)
        if (s->storage_of[yield->operands[i]] != s->storage_of[op.results[i]])
            copy_value(s, block, yield->operands[i], s->storage_of[op.results[i]], NULL, id);
}

// After a call that computed dimension sym, every worker reads it.
static void read_dim(MgSched *s, MgKBlock *block, MgIxSym sym) {
    MgKernel *plan = s->p->plan;
    const MgKx *slot = num(plan, mg_dim_slot(s, sym));
    const char *name = mg_name(s->m->session->names, mg_ix_sym_name(s->ix, sym));
    MgKBufId dims = s->draft->storages.at[s->draft->dims.storage].plan_buf;
    set_dim(s, sym, named(plan, block, name, loaded(plan, dims, slot, 1)));
}

static void plan_require(MgSched *s, MgKBlock *block, MgOpId id) {
    MgKernel *plan = s->p->plan;
    const MgOp *op = mg_op(s->g, id);
    MgSym message = op->require.message;
    MgTrapSite site = {op->origin, message ? mg_name(s->m->session->names, message)
                                           : mg_require_text(s->g, &op->require)};
    mg_push(s->arena, &s->p->traps, site);
    const MgKx *x = mg_plan_ix(s, op->require.nonnegative);
    MgKs *bad = mg_kif(plan, block, less(plan, x, num(plan, 0)));
    mg_ktrap(plan, &bad->body, s->p->traps.len, NULL);
}

void mg_plan_op(MgSched *s, MgKBlock *block, MgOpId id) {
    const MgOp op = *mg_op(s->g, id);
    MgUnit unit = {.ops = &id, .n_ops = 1, .outputs = op.results, .n_outputs = op.n_results};
    switch (op.kind) {
    case MG_OP_EQUATION:
        if (op.n_operands && s->storage_of[op.results[0]] == s->storage_of[op.operands[0]] &&
            mg_traits(s->g, id).view)
            return; // the same bytes
        if (mg_has_ridden(s, id))
            return;
        bool once = s->once && s->draft->storages.at[s->storage_of[op.results[0]]].kept;
        if (!once)
            mg_riders_board(s, id, &unit);
        mg_schedule_unit(s, &unit, once ? s->once : block);
        return;
    case MG_OP_BUILTIN:
        mg_schedule_unit(s, &unit, block);
        if (op.dim)
            read_dim(s, block, op.dim);
        return;
    case MG_OP_DIM:
        mg_schedule_size(s, id, block);
        read_dim(s, block, op.dim);
        return;
    case MG_OP_FUSED:
        plan_fused(s, block, id);
        return;
    case MG_OP_LOOP:
        plan_loop(s, block, id);
        return;
    case MG_OP_IF:
        plan_if(s, block, id);
        return;
    case MG_OP_REQUIRE:
        plan_require(s, block, id);
        return;
    default: // parameters and constants are bound, yields are handled with their op
        return;
    }
}

static void plan_region(MgSched *s, MgRegionId r, MgKBlock *block) {
    const MgOpId *ops = mg_region(s->g, r)->ops.at;
    uint32_t n = mg_region(s->g, r)->ops.len;
    for (uint32_t i = 0, looked = 0; i < n && !s->draft->failed; i++) {
        uint32_t run = i < looked ? 0 : mg_owned_walk(s, ops + i, n - i, block, &looked);
        looked = i < looked ? looked : i + looked;
        if (run)
            i += run - 1;
        else
            mg_plan_op(s, block, ops[i]);
    }
}

// Only the first run executes `once`. Each worker reads the slot before the first barrier in it,
// and the slot is written after the last one.
static void open_once(MgSched *s) {
    MgKernel *plan = s->p->plan;
    const MgKx *ran = loaded(plan, s->p->bufs.len, num(plan, MG_SLOT_RAN), 1);
    MgKs *first = mg_kif(plan, &plan->body, equal(plan, ran, num(plan, 0)));
    s->once = &first->body;
    s->draft->first.epoch = 1;
}

static void close_once(MgSched *s) {
    MgKernel *plan = s->p->plan;
    if (!s->once->list.len) { // nothing runs once
        memmove(plan->body.list.at, plan->body.list.at + 1,
                (plan->body.list.len - 1) * sizeof *plan->body.list.at);
        plan->body.list.len--;
        return;
    }
    mg_kbarrier(plan, s->once, MG_BARRIER_GRID);
    store(plan, first_worker(plan, s->once), s->p->bufs.len, num(plan, MG_SLOT_RAN), num(plan, 1));
}

// An output that takes over an input begins as a copy of it.
static void bring_inputs(MgSched *s) {
    for (uint32_t i = 0; i < s->g->outputs.len; i++) {
        const MgPort *port = &s->g->outputs.at[i];
        MgStorageId out = mg_output_storage(s, i);
        MgValueId input = port->aliases < 0 ? MG_NONE : s->g->inputs.at[port->aliases].value;
        if (input && s->storage_of[input] == out)
            copy_storage(s, &s->p->plan->body, input, mg_input_storage((uint32_t)port->aliases),
                         out, NULL, mg_value(s->g, port->value)->def);
    }
}

// Is the value in an input's memory, which the copy to an output that takes it over overwrites?
static bool is_overwritten(const MgSched *s, MgValueId v) {
    for (uint32_t i = 0; i < s->g->outputs.len; i++) {
        const MgPort *port = &s->g->outputs.at[i];
        if (port->aliases >= 0 && !port->key &&
            s->storage_of[v] == mg_input_storage((uint32_t)port->aliases))
            return true;
    }
    return false;
}

// Copies outputs that were not computed in their place. What these copies might overwrite is saved
// first.
static void copy_outputs(MgSched *s) {
    MgGraph *g = s->g;
    MgStorageId *from = MG_NEW_N(s->arena, MgStorageId, g->outputs.len + 1);
    for (int saves = 1; saves >= 0; saves--)
        for (uint32_t i = 0; i < g->outputs.len; i++) {
            MgValueId v = g->outputs.at[i].value;
            MgOpId op = mg_value(g, v)->def;
            MgStorageId out = mg_output_storage(s, i);
            if (s->storage_of[v] == out || s->p->in_place[i] ||
                mg_value_bytes(g, v) == mg_ix_const(s->ix, 0))
                continue;
            if (!saves) {
                copy_storage(s, &s->p->plan->body, v, from[i], out, NULL, op);
                continue;
            }
            from[i] = s->storage_of[v];
            if (!is_overwritten(s, v))
                continue;
            from[i] = mg_storage_new(s, MG_PLAN_ARENA, mg_bytes_bound(s, v), v);
            copy_storage(s, &s->p->plan->body, v, s->storage_of[v], from[i], NULL, op);
        }
}

void mg_plan_build(MgSched *s) {
    MgKernel *plan = s->p->plan;
    if (mg_may_keep(s))
        open_once(s);
    bring_inputs(s);
    s->draft->first.front = plan->body.list.len;
    mg_riders_find(s);
    plan_region(s, 0, &plan->body);
    uint32_t before = plan->body.list.len;
    if (s->once)
        close_once(s);
    s->draft->first.front -= before - plan->body.list.len;
    copy_outputs(s);
}
