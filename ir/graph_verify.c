// The verifier of graph IR: it checks what every pass may rely on and must preserve.
//
// Each region is walked in order with the set of values that are visible there. The verifier does
// not trust any claim of an op. Reads marked as proved are proved again, from the ranges, the
// graph's requires, the requires passed so far and the bounds of loop counters. Pieces must be
// disjoint, inside their target, and together as large as it, so that they cover it.
// equation_verify.c checks equations.
#include "ir/verify_internal.h"

bool mg_verify_fail(MgVerifier *v, MgOpId op, const char *what) {
    mg_diag(v->g->module->session, mg_verify_span(v, op), MG_D_verify_structure,
            mg_verify_name(v, op), what);
    v->ok = false;
    return false;
}

MgSpan mg_verify_span(const MgVerifier *v, MgOpId op) {
    return mg_origin_user_span(v->g->module, op ? mg_op(v->g, op)->origin : v->g->origin);
}

const char *mg_verify_name(const MgVerifier *v, MgOpId id) {
    const MgNames *names = v->g->module->session->names;
    const MgOp *op = mg_op(v->g, id);
    return mg_name(names, id && op->n_results ? mg_value(v->g, op->results[0])->name : v->g->name);
}

static void define(MgVerifier *v, MgValueId value) {
    v->visible[value] = true;
}

// ---------------------------------------------------------------- operands and results

static bool check_operands(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgValueId value = op->operands[i];
        if (value == MG_NONE || value >= v->g->values.len)
            return mg_verify_fail(v, id, "an operand is not a value");
        if (v->visible[value])
            continue;
        mg_diag(v->g->module->session, mg_verify_span(v, id), MG_D_verify_dominance,
                mg_verify_name(v, id),
                mg_name(v->g->module->session->names, mg_value(v->g, value)->name));
        return v->ok = false;
    }
    return true;
}

static bool check_results(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    for (uint32_t i = 0; i < op->n_results; i++) {
        MgValueId value = op->results[i];
        if (value == MG_NONE || value >= v->g->values.len)
            return mg_verify_fail(v, id, "a result is not a value");
        const MgValue *row = mg_value(v->g, value);
        if (row->def != id || row->result != i)
            return mg_verify_fail(v, id, "a result doesn't name the op as its definition");
        if (mg_map_find(&v->names, row->name))
            return mg_verify_fail(v, id, "another value has its name");
        mg_map_put(&v->names, row->name, value);
    }
    return true;
}

static bool same_type(MgVerifier *v, MgValueId a, MgValueId b) {
    const MgValue *x = mg_value(v->g, a), *y = mg_value(v->g, b);
    if (x->dtype != y->dtype || x->rank != y->rank)
        return false;
    for (uint32_t i = 0; i < x->rank; i++)
        if (x->shape[i] != y->shape[i])
            return false;
    return true;
}

static bool is_scalar_of(MgVerifier *v, MgValueId value, MgDType dtype) {
    return mg_value(v->g, value)->rank == 0 && mg_value(v->g, value)->dtype == dtype;
}

// ---------------------------------------------------------------- regions

static void check_region(MgVerifier *v, MgRegionId r);

// The yield that ends a region. NULL after a report.
static const MgOp *yield_of(MgVerifier *v, MgOpId id, MgRegionId r) {
    const MgRegion *region = mg_region(v->g, r);
    const MgOp *last = NULL;
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(v->g, region->ops.at[i]);
        if (op->kind == MG_OP_ERASED || op->region != r)
            continue;
        if (last && last->kind == MG_OP_YIELD)
            last = NULL;
        else
            last = op;
        if (!last)
            break;
    }
    if (!last || last->kind != MG_OP_YIELD) {
        mg_verify_fail(v, id, "a region doesn't end with its yield");
        return NULL;
    }
    return last;
}

static void check_yields(MgVerifier *v, MgOpId id, MgRegionId r) {
    const MgOp *op = mg_op(v->g, id), *yield = yield_of(v, id, r);
    if (!yield)
        return;
    if (yield->n_operands != op->n_results) {
        mg_verify_fail(v, id,
                       "the number of values that a region yields is not the number of results");
        return;
    }
    for (uint32_t i = 0; i < op->n_results; i++)
        if (!same_type(v, yield->operands[i], op->results[i]))
            mg_verify_fail(v, id, "a region's yield has not the type of its result");
}

static void check_loop(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    const MgLoop *loop = op->loop;
    if (!loop || op->n_regions != 1u + loop->has_while || op->n_operands != loop->n_carried ||
        op->n_results != loop->n_carried + loop->n_emitted) {
        mg_verify_fail(v, id, "a loop's regions, operands and results don't fit");
        return;
    }
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = mg_region(v->g, op->regions[r]);
        if (region->params.len != loop->n_carried)
            mg_verify_fail(v, id, "a region's parameters are not the carried values");
        for (uint32_t i = 0; i < loop->n_carried && i < region->params.len; i++)
            if (!same_type(v, region->params.at[i], op->operands[i]))
                mg_verify_fail(v, id, "a carried value changes its type");
    }
    const MgOp *yield = yield_of(v, id, op->regions[0]);
    if (!yield || yield->n_operands != op->n_results) {
        mg_verify_fail(v, id, "the body doesn't yield the carried and the emitted values");
        return;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        const MgValue *result = mg_value(v->g, op->results[i]);
        const MgValue *from = mg_value(v->g, yield->operands[i]);
        bool emitted = i >= loop->n_carried; // stacked along a new first axis
        if (emitted ? result->dtype != from->dtype || result->rank != from->rank + 1 ||
                          memcmp(result->shape + 1, from->shape, from->rank * sizeof *from->shape)
                    : !same_type(v, op->results[i], yield->operands[i]))
            mg_verify_fail(v, id, "a result's type is not that of the body's yield");
    }
    if (loop->has_while) {
        yield = yield_of(v, id, op->regions[1]);
        if (yield && (yield->n_operands != 1 || !is_scalar_of(v, yield->operands[0], MG_BOOL)))
            mg_verify_fail(v, id, "the condition doesn't yield one bool[]");
    }
}

static void enter_regions(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    uint32_t n_facts = v->facts.len;
    bool never = v->never;
    int64_t trips;
    MgIxTable *t = v->g->module->ix;
    if (op->kind == MG_OP_LOOP && op->loop) {
        if (op->loop->counted &&
            mg_ix_is_const(t, mg_ix_sub(t, op->loop->high, op->loop->low), &trips) && trips <= 0)
            v->never = true;
        MgIx counter = mg_ix_sym(t, op->loop->counter), one = mg_ix_const(t, 1);
        mg_push(v->arena, &v->facts, mg_ix_sub(t, counter, op->loop->low));
        if (op->loop->counted) {
            mg_push(v->arena, &v->facts, mg_ix_sub(t, mg_ix_sub(t, op->loop->high, one), counter));
            mg_push(v->arena, &v->facts,
                    mg_ix_sub(t, mg_ix_sub(t, op->loop->high, one),
                              op->loop->low)); // it runs
        }
    }
    for (uint32_t r = 0; r < op->n_regions; r++) {
        if (op->regions[r] >= v->g->regions.len || mg_region(v->g, op->regions[r])->parent != id) {
            mg_verify_fail(v, id, "a region belongs to another op");
            continue;
        }
        check_region(v, op->regions[r]);
    }
    v->facts.len = n_facts;
    v->never = never;
}

// ---------------------------------------------------------------- ops

static void check_shape_of_op(MgVerifier *v, MgOpId id) {
    static const struct {
        int operands, results, regions; // -1: any
    } arity[] = {
        [MG_OP_EQUATION] = {-1, 1, 0}, [MG_OP_BUILTIN] = {-1, -1, 0}, [MG_OP_PARAM] = {0, 1, 0},
        [MG_OP_CONST] = {0, 1, 0},     [MG_OP_FUSED] = {0, -1, 1},    [MG_OP_LOOP] = {-1, -1, -1},
        [MG_OP_IF] = {1, -1, 2},       [MG_OP_DIM] = {1, 0, 0},       [MG_OP_REQUIRE] = {0, 0, 0},
        [MG_OP_YIELD] = {-1, 0, 0},
    };
    const MgOp *op = mg_op(v->g, id);
    if ((arity[op->kind].operands >= 0 && op->n_operands != (uint32_t)arity[op->kind].operands) ||
        (arity[op->kind].results >= 0 && op->n_results != (uint32_t)arity[op->kind].results) ||
        (arity[op->kind].regions >= 0 && op->n_regions != (uint32_t)arity[op->kind].regions))
        mg_verify_fail(v, id, "it has the wrong number of operands, results or regions");
}

static void check_kind(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    switch (op->kind) {
    case MG_OP_EQUATION:
        mg_verify_equation(v, id);
        break;
    case MG_OP_BUILTIN: {
        const MgBuiltinRow *row = mg_builtin(op->builtin);
        if ((row->n_operands >= 0 && op->n_operands != (uint32_t)row->n_operands) ||
            op->n_results != (uint32_t)row->n_results)
            mg_verify_fail(v, id, "a builtin has the wrong number of operands or results");
        break;
    }
    case MG_OP_FUSED:
        if (!op->n_results) // schedules name a kernel after its results
            mg_verify_fail(v, id, "a fused op has no result");
        // fall through
    case MG_OP_IF:
        for (uint32_t r = 0; r < op->n_regions; r++)
            check_yields(v, id, op->regions[r]);
        if (op->kind == MG_OP_IF && !is_scalar_of(v, op->operands[0], MG_BOOL))
            mg_verify_fail(v, id, "the condition is not bool[]");
        break;
    case MG_OP_LOOP:
        check_loop(v, id);
        break;
    case MG_OP_DIM:
        if (!is_scalar_of(v, op->operands[0], MG_I64))
            mg_verify_fail(v, id, "the operand of a dimension is not i64[]");
        break;
    case MG_OP_REQUIRE:
        mg_push(v->arena, &v->facts, op->require.nonnegative);
        break;
    default:
        break;
    }
}

static void guard_op(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    enter_regions(v, id);
    if (op->kind == MG_OP_EQUATION)
        mg_guard_equation(v, id);
    else if (op->kind == MG_OP_REQUIRE)
        mg_push(v->arena, &v->facts, op->require.nonnegative);
}

static void check_op(MgVerifier *v, MgOpId id) {
    if (v->guards) {
        guard_op(v, id);
        return;
    }
    bool operands = check_operands(v, id);
    check_shape_of_op(v, id);
    if (!check_results(v, id) || !operands || !v->ok)
        return;
    enter_regions(v, id);
    if (v->ok)
        check_kind(v, id);
}

static void check_region(MgVerifier *v, MgRegionId r) {
    const MgRegion *region = mg_region(v->g, r);
    uint32_t n_facts = v->facts.len;
    for (uint32_t i = 0; i < region->params.len; i++)
        define(v, region->params.at[i]);
    for (uint32_t i = 0; i < region->ops.len && v->ok; i++) {
        MgOpId id = region->ops.at[i];
        const MgOp *op = mg_op(v->g, id);
        if (op->kind == MG_OP_ERASED || op->region != r)
            continue;
        if (v->seen[id] && !v->guards)
            mg_verify_fail(v, id, "it is in the list of ops twice");
        v->seen[id] = true;
        check_op(v, id);
        if (op->dim && op->dim_bound) // the run checks it when the dimension gets its value
            mg_push(
                v->arena, &v->facts,
                mg_ix_sub(v->g->module->ix, op->dim_bound, mg_ix_sym(v->g->module->ix, op->dim)));
        for (uint32_t k = 0; k < op->n_results && v->ok; k++)
            define(v, op->results[k]);
    }
    if (r == 0)
        return;
    // The yield may use what the region defines; code outside may not.
    v->facts.len = n_facts;
    for (uint32_t i = 0; i < region->params.len; i++)
        v->visible[region->params.at[i]] = false;
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(v->g, region->ops.at[i]);
        for (uint32_t k = 0; op->region == r && k < op->n_results; k++)
            v->visible[op->results[k]] = false;
    }
}

static MgVerifier begin(MgGraph *g) {
    MgArena *arena = mg_arena_new(mg_arena_mem(g->module->arena));
    MgVerifier v = {.g = g, .arena = arena, .ok = true};
    v.visible = MG_NEW_N(arena, bool, g->values.len);
    v.seen = MG_NEW_N(arena, bool, g->ops.len);
    mg_map_init(&v.names, arena);
    for (uint32_t i = 0; i < g->requires.len; i++)
        mg_push(arena, &v.facts, g->requires.at[i].nonnegative);
    return v;
}

void mg_graph_guard(MgGraph *g) {
    MgVerifier v = begin(g);
    v.guards = true;
    check_region(&v, 0);
    mg_arena_free(v.arena);
}

bool mg_graph_verify(MgGraph *g) {
    MgVerifier v = begin(g);
    check_region(&v, 0);
    for (uint32_t i = 0; i < g->outputs.len && v.ok; i++)
        if (!v.visible[g->outputs.at[i].value])
            mg_verify_fail(&v, MG_NONE, "an output is defined nowhere");
    mg_arena_free(v.arena);
    return v.ok;
}

bool mg_module_verify(MgModule *module) {
    bool ok = true;
    for (uint32_t i = 0; i < module->graphs.len; i++)
        ok &= mg_graph_verify(module->graphs.at[i]);
    return ok;
}
