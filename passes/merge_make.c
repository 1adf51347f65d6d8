// Applies a planned merge; see merge.h.
#include "passes/merge_plan.h"

static MgSym name_of(MgGraph *g, MgValueId like) {
    MgNames *names = g->module->session->names;
    return mg_unique_name(g, mg_symf(names, "%s_all", mg_name(names, mg_value(g, like)->name)));
}

// A piece that copies all of v, which is `operand`, to position `low` along an axis.
static MgPiece whole(MgGraph *g, MgValueId value, uint32_t operand, uint32_t axis, MgIx low) {
    MgModule *module = g->module;
    MgIxTable *t = module->ix;
    const MgValue *v = mg_value(g, value);
    MgIndex *indices = MG_NEW_N(module->arena, MgIndex, v->rank);
    const MgSx *args[MG_MERGE_INDICES];
    for (uint32_t i = 0; i < v->rank; i++) {
        MgIx from = i == axis ? low : mg_ix_const(t, 0);
        indices[i] = (MgIndex){mg_symf(module->session->names, "i%u", i), from,
                               mg_ix_add(t, from, v->shape[i])};
        args[i] = mg_sx_ix(module, MG_I64, mg_ix_sub(t, mg_ix_idx(t, i), from));
    }
    return (MgPiece){.indices = indices,
                     .n_free = v->rank,
                     .n_indices = v->rank,
                     .target = mg_plain_target(module, v->rank),
                     .expr = mg_sx_read(module, operand, mg_dtype(v->dtype)->compute, args, v->rank,
                                        MG_BOUNDS_PROVED, NULL)};
}

// Moves the computation of a value that never changes before its first use. Other values are
// already computed there.
static void hoist(MgMerge *m, MgValueId v, MgOpId before) {
    MgGraph *g = m->g;
    MgOpId def = mg_value(g, v)->def;
    if (!def || mg_merge_position(m, def) < mg_merge_position(m, before))
        return;
    for (uint32_t i = 0; i < mg_op(g, def)->n_operands; i++)
        hoist(m, mg_op(g, def)->operands[i], before);
    mg_op_move_before(g, def, before);
    mg_merge_index_before(m->index, g, def, before);
}

static void make_joined(MgMerge *m, MgMergeJoined *j) {
    MgGraph *g = m->g;
    MgModule *module = g->module;
    MgValue first = *mg_value(g, j->part[0]);
    MgIx shape[MG_MERGE_INDICES], end = mg_ix_const(module->ix, 0);
    MgEquation *e = MG_NEW(module->arena, MgEquation);
    e->pieces = MG_NEW_N(module->arena, MgPiece, m->n);
    e->n_pieces = m->n;
    for (uint32_t p = 0; p < m->n; p++) {
        e->pieces[p] = whole(g, j->part[p], p, j->axis, end);
        end = mg_ix_add(module->ix, end, mg_value(g, j->part[p])->shape[j->axis]);
    }
    for (uint32_t i = 0; i < first.rank; i++)
        shape[i] = i == j->axis ? end : first.shape[i];
    MgOpId before = mg_merge_in_body(g, m->steps[0].at);
    for (uint32_t p = 0; p < m->n; p++)
        hoist(m, j->part[p], before);
    MgOpId made = mg_op_new_before(g, before, MG_OP_EQUATION, j->part, m->n,
                                   mg_op(g, m->steps[0].at)->origin);
    j->result = mg_op_result(g, made, name_of(g, j->part[0]), first.dtype, first.rank, shape);
    mg_op(g, made)->equation = e;
    mg_normalise_operands(g, made, m->arena);
    mg_merge_index_before(m->index, g, made, before);
}

static void make_step(MgMerge *m, MgMergeStep *step) {
    MgGraph *g = m->g;
    MgModule *module = g->module;
    MgOp like = *mg_op(g, step->at);
    MgValue v = *mg_value(g, like.results[0]);
    MgPiece *p = mg_arena_copy(module->arena, like.equation->pieces, 1, sizeof *p);
    MgIx *shape = mg_arena_copy(module->arena, v.shape, v.rank, sizeof *shape);
    for (uint32_t i = 0; i < step->operands.len; i++) {
        MgValueId *x = &step->operands.at[i];
        *x = *x >= MG_MERGE_IN_JOINED ? m->joined[*x - MG_MERGE_IN_JOINED].result
             : *x >= MG_MERGE_IN_STEP ? m->steps[*x - MG_MERGE_IN_STEP].result
                                      : *x;
    }
    shape[m->axis] = m->start[m->n];
    p->indices = mg_arena_copy(module->arena, p->indices, p->n_indices, sizeof *p->indices);
    p->indices[m->axis].high = m->start[m->n];
    p->target = mg_plain_target(module, v.rank);
    p->expr = step->expr;
    MgOpId made = mg_op_new_before(g, step->at, MG_OP_EQUATION, step->operands.at,
                                   step->operands.len, like.origin);
    step->result = mg_op_result(g, made, name_of(g, like.results[0]), v.dtype, v.rank, shape);
    mg_op(g, made)->equation = mg_equation_of(module, *p);
    mg_normalise_operands(g, made, m->arena);
    mg_merge_index_before(m->index, g, made, step->at);
}

typedef struct Redirect {
    MgMerge *m;
    MgOpId op;
} Redirect;
static const MgSx *redirect(void *ctx, const MgSx *x) {
    Redirect *r = ctx;
    MgMerge *m = r->m;
    uint32_t part, s;
    if (x->kind != MG_SX_READ)
        return x;
    s = mg_merge_step_of(m, mg_op(m->g, r->op)->operands[x->operand], r->op, &part);
    if (s == UINT32_MAX)
        return x;
    uint32_t to = mg_add_operand(m->g, r->op, m->steps[s].result);
    return mg_merge_moved(m->g->module, x, to, m->axis, m->start[part]);
}

// Readers of the parts now read the whole.
static void redirect_op(MgMerge *m, MgOpId id) {
    MgGraph *g = m->g;
    MgArena *arena = g->module->arena;
    Redirect r = {m, id};
    uint32_t part, n = mg_op(g, id)->n_operands,
                   rank = mg_value(g, mg_merge_result_of(m, id))->rank;
    bool some = false;
    for (uint32_t i = 0; i < n; i++)
        some |= mg_merge_step_of(m, mg_op(g, id)->operands[i], MG_NONE, &part) != UINT32_MAX;
    if (!some)
        return;
    MgEquation *e = mg_arena_copy(arena, mg_op(g, id)->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        p->expr = mg_sx_rewrite(g->module, p->expr, redirect, &r);
        p->target = mg_arena_copy(arena, p->target, rank, sizeof *p->target);
        for (uint32_t a = 0; a < rank; a++)
            p->target[a].sub = mg_sx_rewrite(g->module, p->target[a].sub, redirect, &r);
    }
    mg_op(g, id)->equation = e;
    mg_normalise_operands(g, id, m->arena);
    mg_merge_index_op(m->index, g, id);
}

void mg_merge_make(MgMerge *m) {
    MgGraph *g = m->g;
    for (uint32_t p = 0; p < m->n; p++)
        mg_merge_index_output(m->index, g, mg_merge_result_of(m, m->steps[0].op[p]));
    MgOpId n = g->ops.len; // the first op that is added from here on
    for (uint32_t i = 0; i < m->n_joined; i++)
        make_joined(m, &m->joined[i]);
    for (uint32_t s = 0; s < m->n_steps; s++)
        make_step(m, &m->steps[s]);
    for (uint32_t s = 0; s < m->n_steps; s++)
        for (uint32_t p = 0; p < m->n; p++) {
            if (!m->steps[s].op[p])
                continue;
            const MgMergeValue v =
                // It is copied, since the list may move.
                m->index->values.at[mg_merge_result_of(m, m->steps[s].op[p])];
            for (uint32_t i = 0; i < v.readers.len; i++)
                if (v.readers.at[i] < n && mg_op(g, v.readers.at[i])->kind == MG_OP_EQUATION)
                    redirect_op(m, v.readers.at[i]);
        }
    for (uint32_t s = 0; s < m->n_steps; s++)
        for (uint32_t p = 0; p < m->n; p++)
            if (m->steps[s].op[p])
                mg_op_erase(g, m->steps[s].op[p]);
}
