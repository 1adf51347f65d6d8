// Runs a graph: its ops in order, its regions, the dimensions that data decide, and the tensors
// between ops.
#include "ir/interp_internal.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- dimensions and diagnostics
static bool dim_value(void *ctx, MgIxSym s, int64_t *value) {
    const MgInterpRun *run = ctx;
    *value = run->dims[s];
    return run->known[s];
}

int64_t mg_interp_run_ix(MgInterpRun *run, MgIx x, bool *ok) {
    int64_t v = 0;
    if (!mg_ix_eval(run->module->ix, x, dim_value, run, &v))
        *ok = false;
    return v;
}

static void set_dim(MgInterpRun *run, MgIxSym s, int64_t value) {
    run->dims[s] = value;
    run->known[s] = true;
}

MgSpan mg_interp_run_span(const MgInterpRun *run) {
    if (run->op == MG_NONE)
        return mg_origin_span(run->module, run->g->origin);
    return mg_origin_user_span(run->module, mg_op(run->g, run->op)->origin);
}

const char *mg_interp_run_value_name(MgInterpRun *run, MgValueId v) {
    return mg_name(run->module->session->names, mg_value(run->g, v)->name);
}

bool mg_interp_run_steps(MgInterpRun *run, uint64_t steps) {
    run->steps += steps;
    uint64_t max = run->options ? run->options->max_steps : 0;
    if (max == 0 || run->steps <= max)
        return true;
    return mg_interp_run_fail(run, MG_D_interp_steps, (unsigned long long)max);
}

uint32_t mg_interp_workers(const MgInterpRun *run, size_t elements) {
    enum { FEW = 1 << 12 }; // take longer than to wake a thread
    MgThreads *threads = run->options ? run->options->threads : NULL;
    size_t most = elements / FEW, n = threads ? mg_threads_count(threads) : 1;
    return (uint32_t)(most < 2 ? 1 : most < n ? most : n);
}

// ---------------------------------------------------------------- tensors
MgInterpTensor mg_interp_tensor_new(MgInterpRun *run, MgDType dtype, uint32_t rank,
                                    const int64_t *shape) {
    MgInterpTensor t = {.dtype = dtype, .rank = rank, .n = 1};
    bool empty = false, overflow = false;
    t.shape = mg_arena_copy(run->arena, shape, rank, sizeof *shape);
    for (uint32_t k = 0; k < rank; k++) {
        empty |= shape[k] == 0;
        overflow |= __builtin_mul_overflow(t.n, (size_t)shape[k], &t.n);
    }
    if (empty)
        t.n = 0; // whatever the other dimensions are
    else if (overflow)
        mg_mem_fail(run->module->session->mem);
    t.data = mg_arena_alloc(run->arena, t.n, mg_dtype_size(dtype));
    if (run->bounds) {
        t.exempt = MG_NEW_N(run->arena, uint8_t, t.n);
        if (mg_is_float(dtype))
            t.bound = MG_NEW_N(run->arena, double, t.n);
    }
    return t;
}

static bool value_shape(MgInterpRun *run, MgValueId v, int64_t **shape) {
    const MgValue *value = mg_value(run->g, v);
    *shape = MG_NEW_N(run->scratch, int64_t, value->rank + 1);
    for (uint32_t k = 0; k < value->rank; k++) {
        bool ok = true;
        (*shape)[k] = mg_interp_run_ix(run, value->shape[k], &ok);
        if (!ok)
            return mg_interp_run_fail(run, MG_D_interp_unknown_dim,
                                      mg_interp_run_value_name(run, v), k + 1);
        if ((*shape)[k] < 0)
            return mg_interp_run_fail(run, MG_D_interp_negative, mg_interp_run_value_name(run, v),
                                      k + 1, (long long)(*shape)[k]);
    }
    return true;
}

bool mg_interp_run_tensor(MgInterpRun *run, MgValueId v, MgInterpTensor *out) {
    int64_t *shape;
    if (!value_shape(run, v, &shape))
        return false;
    *out = mg_interp_tensor_new(run, mg_value(run->g, v)->dtype, mg_value(run->g, v)->rank, shape);
    return true;
}

static MgInterpTensor tensor_copy(MgArena *arena, const MgInterpTensor *t) {
    MgInterpTensor c = *t;
    c.shape = mg_arena_copy(arena, t->shape, t->rank, sizeof *t->shape);
    c.data = mg_arena_copy(arena, t->data, t->n, mg_dtype_size(t->dtype));
    if (t->bound)
        c.bound = mg_arena_copy(arena, t->bound, t->n, sizeof *t->bound);
    if (t->exempt)
        c.exempt = mg_arena_copy(arena, t->exempt, t->n, 1);
    return c;
}

// Copies t to row number `row` of out, along its first axis.
static void copy_row(MgInterpTensor *out, size_t row, const MgInterpTensor *t) {
    size_t size = mg_dtype_size(t->dtype);
    if (t->n == 0)
        return;
    memcpy((char *)out->data + row * t->n * size, t->data, t->n * size);
    if (out->bound && t->bound)
        memcpy(out->bound + row * t->n, t->bound, t->n * sizeof *t->bound);
    if (out->exempt && t->exempt)
        memcpy(out->exempt + row * t->n, t->exempt, t->n);
}

static void make_exempt(MgInterpTensor *t) {
    if (t->exempt)
        memset(t->exempt, 1, t->n);
}

// ---------------------------------------------------------------- ops
static bool run_region(MgInterpRun *run, MgRegionId region);

// The yield that ends a region.
static const MgOp *yield_of(MgInterpRun *run, MgRegionId region) {
    const MgRegion *r = mg_region(run->g, region);
    for (uint32_t i = r->ops.len; i-- > 0;)
        if (mg_op(run->g, r->ops.at[i])->kind == MG_OP_YIELD)
            return mg_op(run->g, r->ops.at[i]);
    return NULL;
}

static bool run_param(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    MgInterpTensor *out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    size_t bytes = out->n * mg_dtype_size(out->dtype);
    const void *data = NULL;
    if (run->options && run->options->param)
        data = run->options->param(run->options->ctx, op->key, mg_value(run->g, op->results[0]),
                                   bytes);
    if (!data)
        return run->options && run->options->param
                   ? false
                   : mg_interp_run_fail(run, MG_D_interp_param,
                                        mg_name(run->module->session->names, op->key));
    if (bytes)
        memcpy(out->data, data, bytes);
    return true;
}

static bool run_const(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    MgInterpTensor *out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    if (!op->data && out->n)
        return mg_interp_run_fail(run, MG_D_interp_const,
                                  mg_interp_run_value_name(run, op->results[0]));
    if (out->n)
        memcpy(out->data, op->data, out->n * mg_dtype_size(out->dtype));
    return true;
}

static bool run_dim(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    const MgInterpTensor *t = &run->values[op->operands[0]];
    int64_t v = mg_interp_load_int(t->dtype, t->data, 0), low, high;
    mg_ix_sym_bounds(run->module->ix, op->dim, &low, &high);
    if (v < low || v > high)
        return mg_interp_run_fail(
            run, MG_D_interp_dim,
            mg_name(run->module->session->names, mg_ix_sym_name(run->module->ix, op->dim)),
            (long long)v, (long long)low, (long long)high);
    run->unsure |= t->exempt && t->exempt[0];
    set_dim(run, op->dim, v);
    return true;
}

static bool run_require(MgInterpRun *run, MgOpId id) {
    const MgRequire *require = &mg_op(run->g, id)->require;
    bool ok = true;
    if (mg_interp_run_ix(run, require->nonnegative, &ok) >= 0 && ok)
        return true;
    int64_t *dims = MG_NEW_N(run->scratch, int64_t, run->g->dims.len + 1);
    for (uint32_t k = 0; k < run->g->dims.len; k++)
        dims[k] = run->known[run->g->dims.at[k]] ? run->dims[run->g->dims.at[k]] : -1;
    mg_require_failed(run->g, require, dims);
    return false;
}

static bool run_fused(MgInterpRun *run, MgOpId id) {
    MgRegionId body = mg_op(run->g, id)->regions[0];
    if (!run_region(run, body))
        return false;
    const MgOp *op = mg_op(run->g, id), *yield = yield_of(run, body);
    for (uint32_t k = 0; k < op->n_results && yield; k++)
        run->values[op->results[k]] = run->values[yield->operands[k]];
    return true;
}

static bool is_true(MgInterpRun *run, const MgInterpTensor *t) {
    run->unsure |= t->exempt && t->exempt[0];
    return mg_interp_load_int(t->dtype, t->data, 0) != 0;
}

static bool run_if(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    MgRegionId chosen = op->regions[is_true(run, &run->values[op->operands[0]]) ? 0 : 1];
    if (!run_region(run, chosen))
        return false;
    const MgOp *yield = yield_of(run, chosen);
    for (uint32_t k = 0; k < op->n_results && yield; k++)
        run->values[op->results[k]] = run->values[yield->operands[k]];
    return true;
}

// ---------------------------------------------------------------- loops
typedef MG_VEC(MgInterpTensor) Rows; // one emitted value, one row per trip

typedef struct LoopRun {
    MgInterpRun *run;
    const MgOp *op;
    const MgLoop *loop;
    MgInterpTensor *carried;
    Rows *emitted;
    MgArena *outer, *previous; // `previous` holds the carried values
} LoopRun;

static void enter_region(LoopRun *l, MgRegionId region) {
    const MgRegion *r = mg_region(l->run->g, region);
    for (uint32_t k = 0; k < l->loop->n_carried && k < r->params.len; k++)
        l->run->values[r->params.at[k]] = l->carried[k];
}

static bool loop_continues(LoopRun *l, bool *goes_on) {
    *goes_on = true;
    if (!l->loop->has_while)
        return true;
    MgRegionId condition = l->op->regions[1];
    enter_region(l, condition);
    if (!run_region(l->run, condition))
        return false;
    *goes_on = is_true(l->run, &l->run->values[yield_of(l->run, condition)->operands[0]]);
    return true;
}

// Runs one trip in an arena of its own. That arena holds the carried values until the next trip has
// ended.
static bool loop_trip(LoopRun *l) {
    MgInterpRun *run = l->run;
    enter_region(l, l->op->regions[0]);
    if (!run_region(run, l->op->regions[0]))
        return false;
    const MgOp *yield = yield_of(run, l->op->regions[0]);
    for (uint32_t k = 0; k < l->loop->n_carried; k++)
        l->carried[k] = tensor_copy(run->arena, &run->values[yield->operands[k]]);
    for (uint32_t k = 0; k < l->loop->n_emitted; k++)
        mg_push(l->outer, &l->emitted[k],
                tensor_copy(l->outer, &run->values[yield->operands[l->loop->n_carried + k]]));
    if (l->previous)
        mg_arena_free(l->previous);
    l->previous = run->arena;
    return true;
}

static bool loop_trips(LoopRun *l, int64_t low, int64_t high, int64_t *trips) {
    MgInterpRun *run = l->run;
    for (*trips = 0; low + *trips < high; ++*trips) {
        set_dim(run, l->loop->counter, low + *trips);
        run->arena = mg_arena_new(run->module->session->mem);
        bool goes_on;
        if (!loop_continues(l, &goes_on) || (goes_on && !loop_trip(l)) ||
            !mg_interp_run_steps(run, 1)) {
            if (run->arena != l->previous)
                mg_arena_free(run->arena);
            return false;
        }
        if (!goes_on) {
            mg_arena_free(run->arena);
            return true;
        }
    }
    return true;
}

static bool loop_results(LoopRun *l, int64_t trips) {
    MgInterpRun *run = l->run;
    for (uint32_t k = 0; k < l->loop->n_carried; k++)
        run->values[l->op->results[k]] = tensor_copy(run->arena, &l->carried[k]);
    if (l->loop->has_while && l->loop->n_emitted)
        set_dim(run, l->loop->trips, trips);
    for (uint32_t k = 0; k < l->loop->n_emitted; k++) {
        MgInterpTensor *out = &run->values[l->op->results[l->loop->n_carried + k]];
        if (!mg_interp_run_tensor(run, l->op->results[l->loop->n_carried + k], out))
            return false;
        for (uint32_t row = 0; row < l->emitted[k].len; row++)
            copy_row(out, row, &l->emitted[k].at[row]);
    }
    return true;
}

static bool run_loop(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    LoopRun l = {.run = run, .op = op, .loop = op->loop, .outer = run->arena};
    bool ok = true;
    int64_t low = l.loop->counted ? mg_interp_run_ix(run, l.loop->low, &ok) : 0, trips = 0;
    int64_t high = l.loop->counted ? mg_interp_run_ix(run, l.loop->high, &ok) : INT64_MAX;
    if (!ok)
        return mg_interp_run_fail(run, MG_D_interp_overflow);
    l.carried = MG_NEW_N(run->scratch, MgInterpTensor, l.loop->n_carried + 1);
    l.emitted = MG_NEW_N(run->scratch, Rows, l.loop->n_emitted + 1);
    for (uint32_t k = 0; k < l.loop->n_carried; k++)
        l.carried[k] = run->values[op->operands[k]];
    ok = loop_trips(&l, low, high, &trips);
    run->arena = l.outer;
    ok = ok && loop_results(&l, trips);
    if (l.previous)
        mg_arena_free(l.previous);
    return ok;
}

// ---------------------------------------------------------------- regions
static bool run_op(MgInterpRun *run, MgOpId id) {
    static bool (*const run_kind[])(MgInterpRun *,
                                    MgOpId) = {[MG_OP_EQUATION] = mg_interp_run_equation,
                                               [MG_OP_BUILTIN] = mg_interp_run_builtin,
                                               [MG_OP_PARAM] = run_param,
                                               [MG_OP_CONST] = run_const,
                                               [MG_OP_FUSED] = run_fused,
                                               [MG_OP_LOOP] = run_loop,
                                               [MG_OP_IF] = run_if,
                                               [MG_OP_DIM] = run_dim,
                                               [MG_OP_REQUIRE] = run_require};
    MgOpKind kind = mg_op(run->g, id)->kind;
    if (kind == MG_OP_ERASED || kind == MG_OP_YIELD)
        return true;
    MgArena *scratch = run->scratch;
    run->scratch = mg_arena_new(run->module->session->mem);
    run->op = id;
    bool ok = run_kind[kind](run, id);
    mg_arena_free(run->scratch);
    run->scratch = scratch;
    return ok;
}

static void observe(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    if (op->kind == MG_OP_ERASED || op->n_results == 0)
        return;
    MgInterpTensor *results = MG_NEW_N(run->scratch, MgInterpTensor, op->n_results);
    for (uint32_t k = 0; k < op->n_results; k++)
        results[k] = run->values[op->results[k]];
    run->options->observe(run->options->ctx, run->g, id, results, op->n_results);
}

static bool run_region(MgInterpRun *run, MgRegionId region) {
    for (uint32_t i = 0; i < mg_region(run->g, region)->ops.len; i++) {
        MgOpId id = mg_region(run->g, region)->ops.at[i];
        if (!run_op(run, id))
            return false;
        if (region == 0 && run->options && run->options->observe)
            observe(run, id);
    }
    return true;
}

// ---------------------------------------------------------------- the graph
static bool bind_inputs(MgInterpRun *run, const MgInterpTensor *inputs) {
    MgGraph *g = run->g;
    const int64_t **shapes = MG_NEW_N(run->scratch, const int64_t *, g->inputs.len + 1);
    for (uint32_t k = 0; k < g->inputs.len; k++) {
        const MgValue *v = mg_value(g, g->inputs.at[k].value);
        if (inputs[k].dtype != v->dtype || inputs[k].rank != v->rank)
            return mg_interp_run_fail(
                run, MG_D_interp_input, mg_name(run->module->session->names, g->inputs.at[k].name),
                mg_dtype(v->dtype)->name, v->rank, mg_dtype(inputs[k].dtype)->name, inputs[k].rank);
        shapes[k] = inputs[k].shape;
        run->values[g->inputs.at[k].value] = inputs[k];
    }
    int64_t *dims = MG_NEW_N(run->scratch, int64_t, g->dims.len + 1);
    if (!mg_bind_dims(g, shapes, dims))
        return false;
    for (uint32_t k = 0; k < g->dims.len; k++)
        if (dims[k] >= 0)
            set_dim(run, g->dims.at[k], dims[k]);
    return true;
}

static bool run_graph(MgInterpRun *run, const MgInterpTensor *inputs) {
    uint32_t n_syms = mg_ix_n_syms(run->module->ix);
    run->values = MG_NEW_N(run->scratch, MgInterpTensor, run->g->values.len + 1);
    run->dims = MG_NEW_N(run->scratch, int64_t, n_syms + 1);
    run->known = MG_NEW_N(run->scratch, bool, n_syms + 1);
    if (run->bounds)
        run->rounding = mg_rounding(run->g, run->scratch);
    return bind_inputs(run, inputs) && run_region(run, 0);
}

bool mg_interp(MgGraph *g, const MgInterpTensor *inputs, MgInterpTensor *outputs,
               const MgInterpOptions *options, MgArena *arena) {
    MgMem *mem = mg_arena_mem(arena);
    MgArena *work = mg_arena_new(mem);
    MgInterpRun run = {.g = g,
                       .module = g->module,
                       .options = options,
                       .arena = work,
                       .scratch = work,
                       .bounds = options && options->bounds};
    bool ok = run_graph(&run, inputs);
    for (uint32_t k = 0; ok && k < g->outputs.len; k++) {
        outputs[k] = tensor_copy(arena, &run.values[g->outputs.at[k].value]);
        if (run.unsure)
            make_exempt(&outputs[k]);
    }
    mg_arena_free(work);
    return ok;
}

MgComparison mg_interp_compare(const MgInterpTensor *expected, const void *got) {
    MgComparison c = {.ok = true, .n = expected->n};
    for (size_t i = 0; i < expected->n; i++) {
        if (expected->exempt && expected->exempt[i]) {
            c.n_exempt++;
            continue;
        }
        bool is_float = mg_is_float(expected->dtype);
        double e = is_float && expected->bound ? expected->bound[i] : 0, v, g;
        bool ok;
        if (is_float) {
            v = mg_interp_load_float(expected->dtype, expected->data, i);
            g = mg_interp_load_float(expected->dtype, got, i);
            ok = isnan(v) || isnan(g) || isinf(v) || isinf(g) ? (isnan(v) && isnan(g)) || v == g
                                                              : fabs(g - v) <= 8 * e;
        } else { // integers are compared as 64 bits, bool as 0 or 1
            int64_t a = mg_interp_load_int(expected->dtype, expected->data, i);
            int64_t b = mg_interp_load_int(expected->dtype, got, i);
            v = (double)a, g = (double)b;
            ok = a == b;
        }
        double ratio = ok && (v == g || isnan(v)) ? 0 : fabs(g - v) / fmax(e, 1e-320);
        if (isnan(ratio))
            ratio = HUGE_VAL;
        bool first_bad = !ok && c.ok;
        if (first_bad || (c.ok && ratio >= c.worst)) {
            c.got = g, c.expected = v, c.bound = e;
        }
        if (first_bad)
            c.first_bad = i;
        c.ok = c.ok && ok;
        c.worst = fmax(c.worst, ratio);
    }
    return c;
}
