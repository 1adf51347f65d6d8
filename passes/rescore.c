// rescore: computes the weights of attention again for derivatives, which then need not be kept.
//
// Needs: derivatives' origins (#backward), so that both passes can be told apart. Keeps: every
// value; copies are the same equations over the same operands. Ends: each attention is looked at
// once.
//
// An attention whose weights only its last step reads is one kernel, which keeps no (row, key)
// value (attention.h). Its derivative reads such values. This pass gives the derivative copies of
// the steps that it reads, from the scores on; the rows' maxima and sums are those that the kernel
// has found. A sum over the keys of weights times their derivatives becomes one over the columns of
// the result (rescore.h): Dao et al., FlashAttention, 2022.
#include "passes/rescore.h"
#include "passes/remat.h"

typedef struct Rescore {
    MgGraph *g;
    MgPassContext *context;
    MgAttention a;
    MgReaders readers;
    MG_VEC(MgOpId) outside; // readers of steps with keys, which are none of the steps
    MgMap copies;           // value -> its copy
} Rescore;

static bool has_keys(const Rescore *r, uint32_t step) {
    return step != r->a.values && !mg_attention_is_of_rows(&r->a.steps[step]);
}

static MgValueId value_of(const Rescore *r, uint32_t step) {
    return mg_op(r->g, r->a.steps[step].op)->results[0];
}

static bool is_step(const Rescore *r, MgOpId op) {
    bool found = false;
    for (uint32_t s = 0; s < r->a.n_steps; s++)
        found |= r->a.steps[s].op == op;
    return found;
}

static bool is_late(const Rescore *r, MgOpId id) {
    const MgOp *op = mg_op(r->g, id);
    return op->kind == MG_OP_EQUATION && mg_origin_is_backward(r->g->module, op->origin) &&
           op->region == mg_op(r->g, r->a.steps[0].op)->region;
}

// Finds the readers outside. False if there are none, or if one is not of a derivative.
static bool find_outside(Rescore *r) {
    r->outside.len = 0;
    for (uint32_t s = 0; s < r->a.n_steps; s++) {
        MgValueId v = value_of(r, s);
        for (uint32_t i = r->readers.first[v]; has_keys(r, s) && i < r->readers.first[v + 1]; i++) {
            MgOpId op = r->readers.ops[i];
            if (is_step(r, op))
                continue;
            if (!is_late(r, op))
                return false;
            mg_push(r->context->scratch, &r->outside, op);
        }
        for (uint32_t i = 0; has_keys(r, s) && i < r->g->outputs.len; i++)
            if (r->g->outputs.at[i].value == v)
                return false;
    }
    return r->outside.len;
}

// If the weights are kept, attention is three kernels: scores are written and read, and so are
// weights.
static bool pays(const Rescore *r) {
    double bytes = mg_remat_bytes(r->g, value_of(r, r->a.argument)) * 2;
    const MgOp *scores = mg_op(r->g, r->a.steps[r->a.products[0].step].op);
    return mg_remat_product_ns(r->g, r->context, scores) <
           mg_remat_memory_ns(r->context, 2 * bytes);
}

// The first op of the region that is in the list, or MG_NONE if a step of the attention comes
// later.
static MgOpId first_outside(const Rescore *r) {
    const MgRegion *region = mg_region(r->g, mg_op(r->g, r->a.steps[0].op)->region);
    MgOpId first = MG_NONE;
    for (uint32_t i = 0; i < region->ops.len; i++) {
        bool outside = false;
        for (uint32_t k = 0; k < r->outside.len; k++)
            outside |= r->outside.at[k] == region->ops.at[i];
        first = outside && !first ? region->ops.at[i] : first;
        if (first && is_step(r, region->ops.at[i]))
            return MG_NONE;
    }
    return first;
}

static uint32_t step_of(const Rescore *r, MgValueId v) {
    for (uint32_t s = 0; s < r->a.n_steps; s++)
        if (value_of(r, s) == v)
            return s;
    return UINT32_MAX;
}

// Makes a copy of a value with keys, and of those that it is computed from, before the op. Other
// values are their own.
static MgValueId copy_of(Rescore *r, MgValueId v, MgOpId before) {
    uint32_t step = step_of(r, v);
    uint64_t made = mg_map_get(&r->copies, v, 0);
    if (made || step == UINT32_MAX || !has_keys(r, step))
        return made ? (MgValueId)made : v;
    const MgOp op = *mg_op(r->g, r->a.steps[step].op);
    MgValueId *operands =
        mg_arena_copy(r->context->scratch, op.operands, op.n_operands, sizeof *operands);
    for (uint32_t i = 0; i < op.n_operands; i++)
        operands[i] = copy_of(r, operands[i], before);
    MgValueId result = mg_remat_copy(r->g, r->a.steps[step].op, operands, before);
    mg_map_put(&r->copies, v, result);
    return result;
}

static bool multiplies(const Rescore *r, MgOpId op) {
    const MgPiece *p = &mg_op(r->g, op)->equation->pieces[0];
    return mg_piece_contraction(r->g->module, p) >= MG_CONTRACTS_VECTORS;
}

// Makes a reader outside read copies, which are made before the op.
static void read_copies(Rescore *r, MgOpId reader, MgOpId before) {
    for (uint32_t k = 0; k < mg_op(r->g, reader)->n_operands; k++) {
        MgValueId to = copy_of(r, mg_op(r->g, reader)->operands[k], before);
        mg_op(r->g, reader)->operands[k] = to;
    }
}

// Is all that the op reads computed before the other op?
static bool may_precede(const Rescore *r, MgOpId id, MgOpId before) {
    const MgOp *op = mg_op(r->g, id);
    const MgRegion *region = mg_region(r->g, op->region);
    uint32_t found = 0, n = 0;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        MgOpId def = mg_value(r->g, op->operands[k])->def;
        n += def && mg_op(r->g, def)->region == op->region;
    }
    for (uint32_t i = 0; i < region->ops.len && region->ops.at[i] != before; i++)
        for (uint32_t k = 0; k < op->n_operands; k++)
            found += mg_value(r->g, op->operands[k])->def == region->ops.at[i];
    return found == n;
}

// A product reads its factors from memory, so weights for products are computed where the scores'
// sums are, and the product follows: what comes after it can't join the kernel of these. Any other
// reader has weights of its own, which its kernel computes from these sums: they are often narrower
// than weights.
static void make_copies(Rescore *r, MgOpId before) {
    MgArena *arena = r->context->scratch;
    MgValueId sums = value_of(r, r->a.products[0].step);
    mg_map_init(&r->copies, arena);
    MgValueId shared = copy_of(r, sums, before);
    for (uint32_t i = 0; i < r->outside.len; i++)
        if (multiplies(r, r->outside.at[i])) {
            read_copies(r, r->outside.at[i], before);
            if (r->outside.at[i] != before && may_precede(r, r->outside.at[i], before))
                mg_op_move_before(r->g, r->outside.at[i], before);
        }
    for (uint32_t i = 0; i < r->outside.len; i++) {
        mg_map_init(&r->copies, arena);
        mg_map_put(&r->copies, sums, shared);
        read_copies(r, r->outside.at[i], r->outside.at[i]);
    }
}

static bool rescore(Rescore *r) {
    bool changed = false;
    for (uint32_t i = 0; i < r->outside.len; i++)
        changed |= mg_rescore_rows(r->g, r->context, &r->a, r->outside.at[i]);
    if (changed)
        r->readers = mg_readers(r->g, r->context->scratch);
    MgOpId before = find_outside(r) ? first_outside(r) : MG_NONE;
    if (!before || !mg_pass_may(r->context, before))
        return changed;
    make_copies(r, before);
    return true;
}

bool mg_pass_rescore(MgGraph *g, MgPassContext *context) {
    Rescore r = {.g = g, .context = context};
    bool changed = false;
    if (context->strict)
        return false;
    r.readers = mg_readers(g, context->scratch);
    for (MgOpId id = 1, n = g->ops.len; id < n; id++) {
        const char *why;
        if (mg_op(g, id)->kind != MG_OP_EQUATION || !mg_attention_find(g, id, NULL, &r.a, &why) ||
            !find_outside(&r) || !first_outside(&r) || !pays(&r) || !rescore(&r))
            continue;
        changed = true;
        r.readers = mg_readers(g, context->scratch);
    }
    if (changed)
        mg_graph_compact(g);
    return changed;
}
