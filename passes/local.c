// See local.h.
#include "passes/local.h"

typedef struct Walk {
    MgLocal local;
    MgLocalFn *f;
} Walk;

static const MgSx *call(void *ctx, const MgSx *x) {
    Walk *w = ctx;
    return w->f(&w->local, x);
}

static bool rewrite_op(Walk *w, MgOpId id) {
    MgGraph *g = w->local.g;
    MgArena *arena = g->module->arena;
    MgEquation *e = mg_arena_copy(arena, mg_op(g, id)->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    bool changed = false;
    w->local.op = id;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        w->local.piece = p;
        const MgSx *expr = mg_sx_rewrite(g->module, p->expr, call, w);
        changed |= expr != p->expr;
        p->expr = expr;
    }
    if (!changed)
        return false;
    mg_op(g, id)->equation = e;
    mg_normalise_operands(g, id, w->local.context->scratch);
    return true;
}

bool mg_each_expression(MgGraph *g, MgPassContext *context, MgLocalFn *f, void *ctx) {
    Walk w = {{.g = g, .m = g->module, .context = context, .ctx = ctx}, f};
    bool changed = false;
    for (MgOpId id = 1, n = g->ops.len; id < n; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            changed |= rewrite_op(&w, id);
    return changed;
}

MgValueId mg_local_map(MgLocal *l, const MgSx *read, const char *suffix, MgElementFn *f) {
    MgGraph *g = l->g;
    MgNames *names = l->m->session->names;
    MgValueId from = mg_op(g, l->op)->operands[read->operand];
    MgValue v = *mg_value(g, from);
    MgOpId made = mg_op_new_before(g, l->op, MG_OP_EQUATION, &from, 1, mg_op(g, l->op)->origin);
    MgSym name = mg_symf(names, "%s_%s", mg_name(names, v.name), suffix);
    MgValueId result = mg_op_result(g, made, mg_unique_name(g, name), v.dtype, v.rank, v.shape);
    MgEquation *e = mg_plain_copy(g, &v);
    e->pieces[0].expr = f(l->m, e->pieces[0].expr);
    mg_op(g, made)->equation = e;
    return result;
}

const MgSx *mg_local_read(MgLocal *l, MgValueId v, const MgSx *at) {
    uint32_t position = mg_add_operand(l->g, l->op, v);
    return mg_sx_read(l->m, position, at->dtype, at->args, at->n_args, at->bounds, at->otherwise);
}
