// Rewriting equations; see rewrite.h. Copies of a graph in one module share equations, so a pass
// changes a copy of a piece, never the piece itself.
#include "passes/rewrite.h"

// ---------------------------------------------------------------- operands

typedef struct Operands {
    MgModule *module;
    const MgOp *op;
    uint32_t *number; // new position + 1, by old position
    MgMap position;   // new position + 1, by value
    MgValueId *values;
    uint32_t n;
} Operands;

static void note_read(void *ctx, const MgSx *x) {
    Operands *o = ctx;
    if (x->kind != MG_SX_READ || o->number[x->operand])
        return;
    MgValueId v = o->op->operands[x->operand];
    uint32_t known = (uint32_t)mg_map_get(&o->position, v, 0);
    if (!known) {
        o->values[o->n++] = v;
        mg_map_put(&o->position, v, known = o->n);
    }
    o->number[x->operand] = known;
}

static const MgSx *renumber(void *ctx, const MgSx *x) {
    const Operands *o = ctx;
    if (x->kind != MG_SX_READ || o->number[x->operand] == x->operand + 1)
        return x;
    return mg_sx_read(o->module, o->number[x->operand] - 1, x->dtype, x->args, x->n_args, x->bounds,
                      x->otherwise);
}

static void each_expression(MgGraph *g, const MgOp *op, void (*see)(void *ctx, const MgSx *x),
                            void *ctx) {
    uint32_t rank = mg_value(g, op->results[0])->rank;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        mg_sx_walk(op->equation->pieces[i].expr, see, ctx);
        for (uint32_t d = 0; d < rank; d++)
            mg_sx_walk(op->equation->pieces[i].target[d].sub, see, ctx);
    }
}

bool mg_normalise_operands(MgGraph *g, MgOpId id, MgArena *scratch) {
    MgOp *op = mg_op(g, id);
    MgEquation *e = op->equation;
    MgArena *arena = g->module->arena;
    Operands o = {.module = g->module,
                  .op = op,
                  .number = MG_NEW_N(scratch, uint32_t, op->n_operands),
                  .values = MG_NEW_N(arena, MgValueId, op->n_operands)};
    mg_map_init(&o.position, scratch);
    each_expression(g, op, note_read, &o);
    if (e->has_base)
        o.values[o.n++] = op->operands[op->n_operands - 1];
    if (o.n == op->n_operands && !memcmp(o.values, op->operands, o.n * sizeof *o.values))
        return false;
    MgEquation *copy = mg_arena_copy(arena, e, 1, sizeof *e);
    copy->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    uint32_t rank = mg_value(g, op->results[0])->rank;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &copy->pieces[i];
        p->expr = mg_sx_rewrite(g->module, p->expr, renumber, &o);
        p->target = mg_arena_copy(arena, p->target, rank, sizeof *p->target);
        for (uint32_t d = 0; d < rank; d++)
            p->target[d].sub = mg_sx_rewrite(g->module, p->target[d].sub, renumber, &o);
    }
    op->equation = copy;
    op->operands = o.values;
    op->n_operands = o.n;
    return true;
}

uint32_t mg_add_operand(MgGraph *g, MgOpId id, MgValueId value) {
    MgOp *op = mg_op(g, id);
    uint32_t reads = op->n_operands - (op->equation->has_base ? 1 : 0);
    for (uint32_t i = 0; i < reads; i++)
        if (op->operands[i] == value)
            return i;
    MgValueId *operands = MG_NEW_N(g->module->arena, MgValueId, op->n_operands + 1);
    if (reads)
        memcpy(operands, op->operands, reads * sizeof *operands);
    operands[reads] = value;
    if (op->equation->has_base)
        operands[reads + 1] = op->operands[reads];
    op->operands = operands;
    op->n_operands++;
    return reads;
}

// ---------------------------------------------------------------- indices

void mg_drop_index(MgGraph *g, MgOpId id, MgPiece *piece, uint32_t position, MgIx at) {
    MgModule *m = g->module;
    MgIxTable *t = m->ix;
    uint32_t rank = mg_value(g, mg_op(g, id)->results[0])->rank, n = piece->n_indices;
    MgIx *with = MG_NEW_N(m->arena, MgIx, n);
    for (uint32_t i = 0; i < n; i++)
        with[i] = i == position ? at : mg_ix_idx(t, i - (i > position));
    MgIndex *indices = MG_NEW_N(m->arena, MgIndex, n);
    for (uint32_t i = 0, k = 0; i < n; i++)
        if (i != position) {
            indices[k].name = piece->indices[i].name;
            indices[k].low = mg_ix_subst_indices(t, piece->indices[i].low, with, n);
            indices[k++].high = mg_ix_subst_indices(t, piece->indices[i].high, with, n);
        }
    MgTarget *target = MG_NEW_N(m->arena, MgTarget, rank);
    for (uint32_t d = 0; d < rank; d++) {
        const MgTarget *old = &piece->target[d];
        target[d].sub = mg_sx_subst_indices(m, old->sub, with, n);
        target[d].tuple = MG_NEW_N(m->arena, uint32_t, old->n_tuple);
        for (uint32_t i = 0; i < old->n_tuple; i++)
            if (old->tuple[i] != position)
                target[d].tuple[target[d].n_tuple++] = old->tuple[i] - (old->tuple[i] > position);
        if (target[d].n_tuple == 1)
            target[d].n_tuple = 0;
    }
    piece->expr = mg_sx_subst_indices(m, piece->expr, with, n);
    piece->indices = indices;
    piece->target = target;
    piece->n_indices--;
    piece->n_free -= position < piece->n_free;
}

uint32_t mg_sx_size(const MgSx *x, uint32_t most) {
    uint32_t n = 1;
    for (uint32_t i = 0; i < x->n_args && n < most; i++)
        n += mg_sx_size(x->args[i], most - n);
    if (x->otherwise && n < most)
        n += mg_sx_size(x->otherwise, most - n);
    return n;
}

void mg_pin_shapes(const MgGraph *g, bool *pinned) {
    for (uint32_t i = 0; i < g->outputs.len; i++)
        pinned[g->outputs.at[i].value] = true;
    mg_pin_operands(g, pinned);
}

void mg_pin_operands(const MgGraph *g, bool *pinned) {
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = &g->ops.at[id];
        bool equation = op->kind == MG_OP_EQUATION;
        for (uint32_t i = 0; i < op->n_operands && op->kind != MG_OP_ERASED; i++)
            if (!equation || (op->equation->has_base && i == op->n_operands - 1))
                pinned[op->operands[i]] = true;
    }
}

MgSym mg_unused_index(MgGraph *g, const MgPiece *p, MgSym name) {
    MgNames *names = g->module->session->names;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (p->indices[i].name == name)
            return mg_unused_index(g, p, mg_symf(names, "%s_", mg_name(names, name)));
    return name;
}

MgTarget *mg_plain_target(MgModule *module, uint32_t rank) {
    MgTarget *target = MG_NEW_N(module->arena, MgTarget, rank);
    for (uint32_t i = 0; i < rank; i++)
        target[i].sub = mg_sx_ix(module, MG_I64, mg_ix_idx(module->ix, i));
    return target;
}

MgEquation *mg_equation_of(MgModule *module, MgPiece piece) {
    MgEquation *e = MG_NEW(module->arena, MgEquation);
    e->pieces = mg_arena_copy(module->arena, &piece, 1, sizeof piece);
    e->n_pieces = 1;
    return e;
}

// y[i0, i1, …] = v[i0, i1, …] over the box of y.
MgEquation *mg_plain_copy(MgGraph *g, const MgValue *v) {
    MgModule *module = g->module;
    MgIndex *indices = MG_NEW_N(module->arena, MgIndex, v->rank);
    MgTarget *target = mg_plain_target(module, v->rank);
    const MgSx **subs = MG_NEW_N(module->arena, const MgSx *, v->rank);
    for (uint32_t i = 0; i < v->rank; i++) {
        indices[i] = (MgIndex){mg_symf(module->session->names, "i%u", i),
                               mg_ix_const(module->ix, 0), v->shape[i]};
        subs[i] = target[i].sub;
    }
    MgPiece piece = {.indices = indices,
                     .n_free = v->rank,
                     .n_indices = v->rank,
                     .target = target,
                     .expr = mg_sx_read(module, 0, mg_dtype(v->dtype)->compute, subs, v->rank,
                                        MG_BOUNDS_PROVED, NULL)};
    return mg_equation_of(module, piece);
}

void mg_output_apart(MgGraph *g, MgValueId v) {
    MgValueId copy = MG_NONE;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        if (g->outputs.at[i].value != v)
            continue;
        if (!copy) {
            MgValue like = *mg_value(g, v);
            MgOpId op = mg_op_new(g, 0, MG_OP_EQUATION, &v, 1, mg_op(g, like.def)->origin);
            copy = mg_op_result(g, op, mg_unique_name(g, like.name), like.dtype, like.rank,
                                like.shape);
            mg_op(g, op)->equation = mg_plain_copy(g, &like);
        }
        g->outputs.at[i].value = copy;
    }
}

void mg_set_copy(MgGraph *g, MgOpId id, MgValueId from) {
    MgOp *op = mg_op(g, id);
    op->operands = mg_arena_copy(g->module->arena, &from, 1, sizeof from);
    op->n_operands = 1;
    op->equation = mg_plain_copy(g, mg_value(g, op->results[0]));
}

bool mg_is_copy(MgGraph *g, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->n_operands != 1)
        return false;
    const MgValue *from = mg_value(g, op->operands[0]), *to = mg_value(g, op->results[0]);
    const MgSx *x = p->expr;
    bool same = x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_PROVED &&
                from->dtype == to->dtype && from->rank == to->rank && p->n_indices == p->n_free &&
                mg_piece_is_plain(g, p, op->results[0]);
    for (uint32_t i = 0; same && i < to->rank; i++)
        same = from->shape[i] == to->shape[i] && x->args[i]->kind == MG_SX_IX &&
               x->args[i]->ix == mg_ix_idx(g->module->ix, i);
    return same && from->def && mg_op(g, from->def)->region == op->region;
}

bool mg_drop_copies(MgGraph *g, MgPassContext *context) {
    bool *pinned = MG_NEW_N(context->scratch, bool, g->values.len), changed = false;
    MgValueId *with = MG_NEW_N(context->scratch, MgValueId, g->values.len);
    mg_pin_shapes(g, pinned);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        MgOp *op = mg_op(g, id);
        if (!mg_is_copy(g, id) || pinned[op->results[0]] || !mg_pass_may(context, id))
            continue;
        with[op->results[0]] = op->operands[0];
        op->kind = MG_OP_ERASED;
        changed = true;
    }
    if (!changed)
        return false;
    for (MgValueId v = 1; v < g->values.len; v++) // resolve copies of copies
        while (with[v] && with[with[v]])
            with[v] = with[with[v]];
    mg_replace_all_uses(g, with);
    mg_graph_compact(g);
    return true;
}

uint32_t mg_take_operand(void *taken, uint32_t k) {
    MgTaken *t = taken;
    MgValueId v = mg_op(t->g, t->from)->operands[k];
    for (uint32_t i = 0; i < t->values.len; i++)
        if (t->values.at[i] == v)
            return i;
    mg_push(t->g->module->arena, &t->values, v);
    return t->values.len - 1;
}

const MgSx *mg_rounded(MgModule *module, const MgSx *x, MgDType narrow) {
    const MgSx *stored = mg_sx_prim(module, MG_PRIM_CAST, narrow, &x, 1);
    return mg_sx_prim(module, MG_PRIM_CAST, x->dtype, &stored, 1);
}

MgValueId mg_copy_behind(MgGraph *g, MgValueId v, const char *suffix, MgDType type) {
    MgValue value = *mg_value(g, v);
    MgRegionId r = value.def ? mg_op(g, value.def)->region : value.param_of;
    const MgRegion *region = mg_region(g, r);
    uint32_t at = 0;
    while (value.def && region->ops.at[at] != value.def)
        at++;
    at += value.def != MG_NONE;
    MgOpId next = at < region->ops.len ? region->ops.at[at] : MG_NONE;
    MgOriginId origin = value.def ? mg_op(g, value.def)->origin : value.origin;
    MgOpId op = next ? mg_op_new_before(g, next, MG_OP_EQUATION, &v, 1, origin)
                     : mg_op_new(g, r, MG_OP_EQUATION, &v, 1, origin);
    MgEquation *e = mg_plain_copy(g, &value);
    if (mg_dtype(type)->bits < mg_dtype(value.dtype)->bits)
        e->pieces[0].expr = mg_rounded(g->module, e->pieces[0].expr, type);
    mg_op(g, op)->equation = e;
    MgNames *names = g->module->session->names;
    MgSym name = mg_unique_name(g, mg_symf(names, "%s_%s", mg_name(names, value.name), suffix));
    return mg_op_result(g, op, name, type, value.rank, value.shape);
}

bool mg_is_param_or_const(MgGraph *g, MgValueId v) {
    const MgOp *def = mg_def(g, v);
    return def && (def->kind == MG_OP_PARAM || def->kind == MG_OP_CONST);
}

bool mg_is_view(MgGraph *g, MgOpId op) {
    const MgOp *it = mg_op(g, op);
    return it->kind == MG_OP_EQUATION && it->n_operands && mg_traits(g, op).view;
}
