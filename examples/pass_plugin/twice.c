// twice: x * 2 becomes x + x. A pass outside the tree, loaded with --pass-plugin.
//
// Needs: nothing. Keeps: every bit, since both are exact. Each product goes once, so it ends.
#include "passes/plugin.h"

typedef struct Twice {
    MgModule *m;
    bool found;
} Twice;

static const MgSx *rewrite(void *ctx, const MgSx *x) {
    Twice *t = ctx;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_MUL || !mg_is_float(x->dtype) ||
        x->args[1]->kind != MG_SX_CONST || mg_bits_to_double(x->dtype, x->args[1]->bits) != 2)
        return x;
    const MgSx *sum[] = {x->args[0], x->args[0]};
    t->found = true;
    return mg_sx_prim(t->m, MG_PRIM_ADD, x->dtype, sum, 2);
}

static bool twice(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgEquation *e = mg_op(g, id)->equation;
        for (uint32_t p = 0; mg_op(g, id)->kind == MG_OP_EQUATION && p < e->n_pieces; p++) {
            Twice t = {.m = g->module};
            const MgSx *expr = mg_sx_rewrite(g->module, e->pieces[p].expr, rewrite, &t);
            if (!t.found || !mg_pass_may(context, id))
                continue;
            e->pieces[p].expr = expr;
            changed = true;
        }
    }
    return changed;
}

MG_PASS_PLUGIN({"twice", twice, 1, "a product with 2 becomes a sum"})
