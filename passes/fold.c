// fold: replaces small equations over constants by constants.
//
// Needs: nothing. Keeps: the value of every element, as the reference interpreter computes it.
// Small means at most 64 elements, which the flat form prints in place. A larger value stays an
// equation over constants. Ends: there is one walk.
#include "ir/interp.h"
#include "passes/pass.h"

enum { MAX_ELEMENTS = 64, MAX_STEPS = 100000 };

static bool known_size(MgGraph *g, MgValueId v, size_t *bytes) {
    int64_t n, size;
    if (!mg_ix_is_const(g->module->ix, mg_value_elements(g, v), &n) || n < 0 || n > MAX_ELEMENTS ||
        !mg_ix_is_const(g->module->ix, mg_value_bytes(g, v), &size))
        return false;
    *bytes = (size_t)size;
    return true;
}

// Does an expression depend on a dimension, or on the trip number of a loop?
typedef struct Dims {
    MgGraph *g;
    MgArena *scratch;
    bool found;
} Dims;

static void see_ix(Dims *d, MgIx x) {
    MgIxTable *t = d->g->module->ix;
    MgIxSym *syms;
    uint32_t n = mg_ix_symbols(t, x, d->scratch, &syms);
    for (uint32_t i = 0; i < n; i++)
        d->found |= !mg_ix_sym_is_index(t, syms[i], NULL);
}

static void see_sx(void *dims, const MgSx *x) {
    if (x->kind == MG_SX_IX)
        see_ix(dims, x->ix);
}

static bool depends_on_dims(MgGraph *g, const MgOp *op, MgArena *scratch) {
    Dims d = {g, scratch, false};
    const MgEquation *e = op->equation;
    uint32_t rank = mg_value(g, op->results[0])->rank;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        const MgPiece *p = &e->pieces[i];
        for (uint32_t k = 0; k < p->n_indices; k++) {
            see_ix(&d, p->indices[k].low);
            see_ix(&d, p->indices[k].high);
        }
        for (uint32_t k = 0; k < rank; k++)
            mg_sx_walk(p->target[k].sub, see_sx, &d);
        mg_sx_walk(p->expr, see_sx, &d);
    }
    return d.found;
}

// A group is a kernel, which computes at least its last value.
static bool is_in_group(MgGraph *g, const MgOp *op) {
    MgOpId parent = mg_region(g, op->region)->parent;
    return parent && mg_op(g, parent)->kind == MG_OP_FUSED;
}

static bool is_foldable(MgGraph *g, const MgOp *op, MgArena *scratch) {
    size_t bytes;
    if (op->kind != MG_OP_EQUATION || is_in_group(g, op) || !known_size(g, op->results[0], &bytes))
        return false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(g, op->operands[i])->def;
        if (!def || mg_op(g, def)->kind != MG_OP_CONST || !mg_op(g, def)->data)
            return false;
    }
    return !depends_on_dims(g, op, scratch);
}

static MgInterpTensor tensor_of(MgGraph *g, MgValueId v, const void *data, MgArena *arena) {
    const MgValue *value = mg_value(g, v);
    MgInterpTensor t = {.dtype = value->dtype, .rank = value->rank, .n = 1, .data = (void *)data};
    t.shape = MG_NEW_N(arena, int64_t, value->rank);
    for (uint32_t i = 0; i < value->rank; i++) {
        t.shape[i] = mg_ix_const_or(g->module->ix, value->shape[i], 0);
        t.n *= (size_t)t.shape[i];
    }
    return t;
}

// Runs the interpreter on a graph of this one op, with its operands as inputs. NULL if that fails:
// the run then reports a read outside where it happens.
static void *evaluate(MgGraph *g, MgOpId id, MgArena *scratch) {
    MgModule *m = g->module;
    const MgOp op = *mg_op(g, id);
    MgGraph *one = mg_graph_new(m, g->name);
    m->graphs.len--; // the graph is temporary
    MgInterpTensor *inputs = MG_NEW_N(scratch, MgInterpTensor, op.n_operands), output = {0};
    MgValueId *operands = MG_NEW_N(scratch, MgValueId, op.n_operands);
    for (uint32_t i = 0; i < op.n_operands; i++) {
        const MgValue v = *mg_value(g, op.operands[i]);
        operands[i] = mg_input_new(one, v.name, v.dtype, v.rank, v.shape, v.origin);
        inputs[i] = tensor_of(g, op.operands[i], mg_op(g, v.def)->data, scratch);
    }
    MgOpId copy = mg_op_new(one, 0, MG_OP_EQUATION, operands, op.n_operands, op.origin);
    mg_op(one, copy)->equation = op.equation;
    const MgValue v = *mg_value(g, op.results[0]);
    MgValueId result = mg_op_result(one, copy, v.name, v.dtype, v.rank, v.shape);
    mg_push(m->arena, &one->outputs, (MgPort){.value = result, .name = v.name, .aliases = -1});
    uint32_t diags = m->session->diags.len, errors = m->session->n_errors;
    MgInterpOptions options = {.max_steps = MAX_STEPS};
    bool ok = mg_interp(one, inputs, &output, &options, scratch);
    m->session->diags.len = diags;
    m->session->n_errors = errors;
    return ok ? output.data : NULL;
}

bool mg_pass_fold(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    uint32_t n = g->ops.len;
    for (MgOpId id = 1; id < n; id++) {
        size_t bytes;
        if (!is_foldable(g, mg_op(g, id), context->scratch) ||
            !known_size(g, mg_op(g, id)->results[0], &bytes))
            continue;
        void *data = evaluate(g, id, context->scratch);
        if (!data || !mg_pass_may(context, id))
            continue;
        MgOp *op = mg_op(g, id);
        op->kind = MG_OP_CONST;
        op->equation = NULL;
        op->n_operands = 0;
        op->data = mg_arena_copy(g->module->arena, data, bytes, 1);
        op->data_hash = mg_hash(op->data, bytes, 0);
        changed = true;
    }
    return changed;
}
