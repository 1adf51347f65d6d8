// Where the mean of gradients belongs: between the derivatives and what uses them. A derivative of
// a derivative also uses gradients, but those of its own batch. So an op from which a gradient
// follows keeps reading the gradients of its batch; all other ops read the mean.
#include "passes/accumulate.h"

#include "passes/rewrite.h"

typedef enum Flags {
    OF_BATCH = 1,    // it depends on the elements of a batch, and not only through a mean
    OF_GRADIENT = 2, // it depends on a mean
} Flags;

typedef struct Accumulator {
    MgGraph *g;
    MgArena *arena;
    MgReaders readers;
    MgOpId *body;     // the ops by place, before any change
    uint32_t *place;  // by op: its place in the body, or that of the op that holds it
    bool *leads;      // by place: a gradient follows from it
    bool *gradient;   // by value
    MgValueId batch;  // the number of the batch
    MgValueId *means; // by value: the mean of this gradient, or MG_NONE
    uint8_t *flags;   // by value
    uint32_t *input;  // by value: 1 + the number of an input that it depends on
    uint32_t n_values;
} Accumulator;

// ---------------------------------------------------------------- what leads to a gradient

static void number_ops(Accumulator *a, MgRegionId r, uint32_t place) {
    const MgRegion *region = mg_region(a->g, r);
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(a->g, region->ops.at[i]);
        uint32_t at = r ? place : i;
        a->place[region->ops.at[i]] = at;
        for (uint32_t k = 0; k < op->n_regions; k++)
            number_ops(a, op->regions[k], at);
    }
}

static bool value_leads(const Accumulator *a, MgValueId v) {
    for (uint32_t k = a->readers.first[v]; k < a->readers.first[v + 1]; k++)
        if (a->leads[a->place[a->readers.ops[k]]])
            return true;
    return false;
}

static void find_leading(Accumulator *a) {
    MgRegion *body = mg_region(a->g, 0);
    for (uint32_t i = body->ops.len; i-- > 0;) {
        const MgOp *op = mg_op(a->g, body->ops.at[i]);
        for (uint32_t k = 0; k < op->n_results && !a->leads[i]; k++)
            a->leads[i] = a->gradient[op->results[k]] || value_leads(a, op->results[k]);
    }
}

// ---------------------------------------------------------------- sums and means

// A state of the training: an input whose key is the parameter's key with a suffix.
static MgValueId state(Accumulator *a, MgTurn turn, MgSym key, MgDType type, uint32_t rank,
                       const MgIx *shape, MgOriginId origin) {
    MgGraph *g = a->g;
    MgNames *names = g->module->session->names;
    bool taken = true;
    while (taken) {
        taken = false;
        for (uint32_t i = 0; i < g->inputs.len; i++)
            taken |= g->inputs.at[i].key == key || g->inputs.at[i].name == key;
        if (taken)
            key = mg_symf(names, "%s_", mg_name(names, key));
    }
    MgValueId v = mg_input_new(g, mg_unique_name(g, key), type, rank, shape, origin);
    MgPort *port = &g->inputs.at[g->inputs.len - 1];
    port->key = key;
    port->buffer = port->has_initial = true;
    port->turn = turn;
    return v;
}

static const MgSx *number_of_batch(const Accumulator *a, uint32_t operand, MgDType type) {
    MgModule *m = a->g->module;
    const MgSx *x = mg_sx_read(m, operand, MG_F32, NULL, 0, MG_BOUNDS_PROVED, NULL);
    return type == MG_F32 ? x : mg_sx_prim(m, MG_PRIM_CAST, type, &x, 1);
}

// An equation of two or three operands. The last one is the number of the batch; the others have
// the equation's shape and are read at its point.
static MgOpId equation(Accumulator *a, MgOpId before, const MgValueId *operands, uint32_t n,
                       const MgSx **reads) {
    MgGraph *g = a->g;
    MgModule *m = g->module;
    const MgValue *v = mg_value(g, operands[0]);
    MgEquation *e = mg_plain_copy(g, v);
    const MgSx *read = e->pieces[0].expr;
    for (uint32_t k = 0; k + 1 < n; k++)
        reads[k] = mg_sx_read(m, k, mg_dtype(v->dtype)->compute, read->args, read->n_args,
                              read->bounds, NULL);
    reads[n - 1] = number_of_batch(a, n - 1, mg_dtype(v->dtype)->compute);
    MgOriginId origin = v->def ? mg_op(g, v->def)->origin : v->origin;
    MgOpId op = before ? mg_op_new_before(g, before, MG_OP_EQUATION, operands, n, origin)
                       : mg_op_new(g, 0, MG_OP_EQUATION, operands, n, origin);
    mg_op(g, op)->equation = e;
    return op;
}

static MgValueId result(Accumulator *a, MgOpId op, const MgSx *expr, const char *name, MgDType type,
                        const MgValue *like) {
    MgGraph *g = a->g;
    MgSym sym = mg_unique_name(g, mg_sym(g->module->session->names, name));
    MgValueId v = mg_op_result(g, op, sym, type, like->rank, like->shape);
    mg_op(g, op)->equation->pieces[0].expr = expr;
    mg_normalise_operands(g, op, a->arena);
    return v;
}

// The mean of the gradient, computed before the op (MG_NONE: at the end).
static MgValueId mean_of(Accumulator *a, const MgParamGradient *gradient, MgOpId before) {
    MgGraph *g = a->g;
    MgModule *m = g->module;
    MgNames *names = m->session->names;
    MgValue v = *mg_value(g, gradient->value);
    MgDType type = mg_dtype(v.dtype)->compute;
    const char *key = mg_name(names, gradient->key);
    MgOriginId origin = v.def ? mg_op(g, v.def)->origin : v.origin;
    MgValueId past =
        state(a, MG_TURN_SUM, mg_symf(names, "%s.gradient", key), type, v.rank, v.shape, origin);
    const MgSx *r[3];
    MgOpId op = equation(a, before, (const MgValueId[]){gradient->value, past, a->batch}, 3, r);
    const MgSx *first =
        mg_sx_prim(m, MG_PRIM_LE, MG_BOOL, (const MgSx *[]){r[2], mg_sx_double(m, type, 1)}, 2);
    const MgSx *more = mg_sx_prim(m, MG_PRIM_ADD, type, (const MgSx *[]){r[1], r[0]}, 2);
    const MgSx *both = mg_sx_prim(m, MG_PRIM_WHERE, type, (const MgSx *[]){first, r[0], more}, 3);
    MgValueId sum = result(a, op, both, mg_arena_printf(a->arena, "%s.sum", key), type, &v);
    MgPort port = g->inputs.at[g->inputs.len - 1];
    port.aliases = (int32_t)g->inputs.len - 1;
    port.value = sum;
    port.name = mg_value(g, sum)->name;
    mg_push(m->arena, &g->outputs, port);
    op = equation(a, before, (const MgValueId[]){sum, a->batch}, 2, r);
    return result(a, op, mg_sx_prim(m, MG_PRIM_DIV, type, r, 2),
                  mg_arena_printf(a->arena, "%s.mean", key), v.dtype, &v);
}

// Makes the uses of a gradient read its mean, except for those from which a gradient follows.
static void average(Accumulator *a, const MgParamGradient *gradient) {
    MgGraph *g = a->g;
    MgValueId v = gradient->value;
    uint32_t first = UINT32_MAX, n_outputs = g->outputs.len;
    bool given = false;
    for (uint32_t k = a->readers.first[v]; k < a->readers.first[v + 1]; k++) {
        uint32_t at = a->place[a->readers.ops[k]];
        first = !a->leads[at] && at < first ? at : first;
    }
    for (uint32_t i = 0; i < n_outputs; i++)
        given |= g->outputs.at[i].value == v;
    if (first == UINT32_MAX && !given)
        return;
    a->means[v] = mean_of(a, gradient, first == UINT32_MAX ? MG_NONE : a->body[first]);
    for (uint32_t k = a->readers.first[v]; k < a->readers.first[v + 1]; k++) {
        MgOp *op = mg_op(g, a->readers.ops[k]);
        for (uint32_t i = 0; i < op->n_operands && !a->leads[a->place[a->readers.ops[k]]]; i++)
            if (op->operands[i] == v)
                op->operands[i] = a->means[v];
    }
    for (uint32_t i = 0; i < n_outputs; i++)
        if (g->outputs.at[i].value == v)
            g->outputs.at[i].value = a->means[v];
}

// ---------------------------------------------------------------- what the next values depend on

static void depend(Accumulator *a, const MgOp *op, uint8_t *flags, uint32_t *input) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        *flags |= a->flags[op->operands[i]];
        *input = *input ? *input : a->input[op->operands[i]];
    }
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(a->g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            depend(a, mg_op(a->g, region->ops.at[i]), flags, input);
    }
}

static void find_dependences(Accumulator *a) {
    MgGraph *g = a->g;
    a->flags = MG_NEW_N(a->arena, uint8_t, g->values.len);
    a->input = MG_NEW_N(a->arena, uint32_t, g->values.len);
    bool *mean = MG_NEW_N(a->arena, bool, g->values.len);
    for (uint32_t v = 0; v < a->n_values; v++)
        mean[a->means[v]] |= a->means[v] != MG_NONE;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        MgValueId v = g->inputs.at[i].value;
        if (!g->inputs.at[i].key && mg_value(g, v)->rank) {
            a->flags[v] = OF_BATCH;
            a->input[v] = i + 1;
        }
    }
    const MgRegion *body = mg_region(g, 0);
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        uint8_t flags = 0;
        uint32_t input = 0;
        depend(a, op, &flags, &input);
        for (uint32_t k = 0; k < op->n_results; k++) {
            MgValueId v = op->results[k];
            a->flags[v] = mean[v] ? OF_GRADIENT : flags;
            a->input[v] = mean[v] ? 0 : input;
        }
    }
}

// A buffer that depends on the batch alone, such as a running mean, changes with every batch. Any
// other next value must depend on the batches through means only, since it must see all of them.
static bool classify(Accumulator *a) {
    MgGraph *g = a->g;
    const MgNames *names = g->module->session->names;
    bool ok = true;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        MgPort *port = &g->outputs.at[i];
        uint8_t flags = a->flags[port->value];
        if (port->turn == MG_TURN_SUM)
            continue;
        port->turn = flags == OF_BATCH || (!port->key && !flags) ? MG_TURN_BATCH : MG_TURN_STEP;
        if (!port->key || !(flags & OF_BATCH) || (flags == OF_BATCH && port->buffer))
            continue;
        const MgValue *v = mg_value(g, port->value);
        MgOriginId origin = v->def ? mg_op(g, v->def)->origin : v->origin;
        mg_diag(g->module->session, mg_origin_user_span(g->module, origin), MG_D_accumulate_batch,
                mg_name(names, port->key),
                mg_name(names, g->inputs.at[a->input[port->value] - 1].name));
        ok = false;
    }
    return ok;
}

bool mg_accumulate(MgGraph *g) {
    MgSession *session = g->module->session;
    MgArena *arena = session->arena;
    mg_graph_compact(g);
    uint32_t n_ops = mg_region(g, 0)->ops.len;
    Accumulator a = {.g = g,
                     .arena = arena,
                     .readers = mg_readers(g, arena),
                     .body = mg_arena_copy(arena, mg_region(g, 0)->ops.at, n_ops, sizeof(MgOpId)),
                     .place = MG_NEW_N(arena, uint32_t, g->ops.len),
                     .leads = MG_NEW_N(arena, bool, n_ops + 1),
                     .gradient = MG_NEW_N(arena, bool, g->values.len),
                     .means = MG_NEW_N(arena, MgValueId, g->values.len),
                     .n_values = g->values.len};
    for (uint32_t i = 0; i < g->gradients.len; i++)
        a.gradient[g->gradients.at[i].value] = true;
    number_ops(&a, 0, 0);
    find_leading(&a);
    a.batch =
        state(&a, MG_TURN_NUMBER, mg_sym(session->names, "batch"), MG_F32, 0, NULL, g->origin);
    uint32_t before = g->outputs.len;
    for (uint32_t i = 0; i < g->gradients.len; i++)
        if (!a.means[g->gradients.at[i].value])
            average(&a, &g->gradients.at[i]);
    if (g->outputs.len == before) {
        mg_diag(session, mg_origin_user_span(g->module, g->origin), MG_D_accumulate_none,
                mg_name(session->names, g->name));
        return false;
    }
    find_dependences(&a);
    return classify(&a);
}

// ---------------------------------------------------------------- without next values

static MgValueId nothing(MgGraph *g, const MgValue *like) {
    MgModule *m = g->module;
    MgIx none = mg_ix_const(m->ix, 0);
    MgValue empty = {.dtype = like->dtype, .rank = 1, .shape = &none};
    MgEquation *e = mg_plain_copy(g, &empty);
    MgDType type = mg_dtype(like->dtype)->compute;
    e->pieces[0].expr = mg_is_float(type) ? mg_sx_double(m, type, 0) : mg_sx_int(m, type, 0);
    MgOriginId origin = like->def ? mg_op(g, like->def)->origin : like->origin;
    MgOpId op = mg_op_new(g, 0, MG_OP_EQUATION, NULL, 0, origin);
    mg_op(g, op)->equation = e;
    return mg_op_result(g, op, mg_unique_name(g, like->name), like->dtype, 1,
                        mg_arena_copy(m->arena, &none, 1, sizeof none));
}

void mg_leave_out_next(MgGraph *g, bool all) {
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        MgPort *port = &g->outputs.at[i];
        if (!port->key || (!all && port->turn != MG_TURN_STEP))
            continue;
        MgValue like = *mg_value(g, port->value);
        *port = (MgPort){.value = nothing(g, &like), .name = port->name, .aliases = -1};
    }
}
