// Passes that are wrong on purpose, for the test of mgc bisect. In the first, a sum of two reads
// becomes a difference if its second operand is named `bad`; every other sum is only
// counted.
#include "passes/plugin.h"

#include <signal.h>

typedef struct Wrong {
    MgGraph *g;
    const MgOp *op;
} Wrong;

static bool reads_bad(Wrong *w, const MgSx *x) {
    const MgNames *names = w->g->module->session->names;
    return x->kind == MG_SX_READ &&
           !strcmp(mg_name(names, mg_value(w->g, w->op->operands[x->operand])->name), "bad");
}

static const MgSx *rewrite(void *ctx, const MgSx *x) {
    Wrong *w = ctx;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_ADD || !reads_bad(w, x->args[1]))
        return x;
    return mg_sx_prim(w->g->module, MG_PRIM_SUB, x->dtype, x->args, 2);
}

static bool wrong(MgGraph *g, MgPassContext *context) {
    for (MgOpId id = 1; id < g->ops.len; id++) {
        Wrong w = {g, mg_op(g, id)};
        if (w.op->kind != MG_OP_EQUATION || !mg_pass_may(context, id))
            continue;
        MgPiece *p = &w.op->equation->pieces[0];
        p->expr = mg_sx_rewrite(g->module, p->expr, rewrite, &w);
    }
    return true;
}

// An op that reads `bad`, which the passes below look for.
static bool finds_bad(MgGraph *g, const MgOp *op) {
    bool found = false;
    for (uint32_t i = 0; i < op->n_operands; i++)
        found |=
            !strcmp(mg_name(g->module->session->names, mg_value(g, op->operands[i])->name), "bad");
    return found;
}

static bool crashes(MgGraph *g, MgPassContext *context) {
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION && mg_pass_may(context, id) &&
            finds_bad(g, mg_op(g, id)))
            raise(SIGSEGV);
    return false;
}

static bool breaks(MgGraph *g, MgPassContext *context) {
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION && mg_pass_may(context, id) &&
            finds_bad(g, mg_op(g, id)))
            mg_value(g, mg_op(g, id)->results[0])->dtype = MG_I32;
    return true;
}

// Divides by multiplying by the reciprocal, which rounds twice: this is within the bounds, unless a
// jump depends on it.
static const MgSx *by_reciprocal(void *ctx, const MgSx *x) {
    MgModule *m = ctx;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_DIV || x->dtype != MG_F32 ||
        x->args[1]->kind != MG_SX_CONST)
        return x;
    float by = (float)mg_bits_to_double(MG_F32, x->args[1]->bits);
    const MgSx *factors[] = {x->args[0], mg_sx_double(m, MG_F32, 1 / by)};
    return mg_sx_prim(m, MG_PRIM_MUL, MG_F32, factors, 2);
}

static bool reciprocal(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        if (mg_op(g, id)->kind != MG_OP_EQUATION)
            continue;
        MgPiece *p = &mg_op(g, id)->equation->pieces[0];
        const MgSx *expr = mg_sx_rewrite(g->module, p->expr, by_reciprocal, g->module);
        if (expr == p->expr || !mg_pass_may(context, id))
            continue;
        p->expr = expr;
        changed = true;
    }
    return changed;
}

MG_PASS_PLUGIN({"wrong", wrong, 1, "a sum becomes a difference, sometimes"},
               {"reciprocal", reciprocal, 1, "quotients by constants become products"},
               {"crashes", crashes, 1, "crashes, sometimes"},
               {"breaks", breaks, 1, "leaves another type, sometimes"})
