// Exponentials whose relative error is that of the weight. A weight is rounded to 16 bits, so these
// need no more accuracy than an instruction of the device has.
#include "passes/schedule/attention/attention.h"

typedef enum Share { // of an error in an expression
    NONE,            // it reads no value with the error
    RELATIVE,        // its own relative error is as large, or a few times as large
    OTHER
} Share;

// How much of the error of rough steps is in x, an expression of op?
static Share share_of(const MgAttn *t, const MgOp *op, const MgSx *x, const bool *rough) {
    for (uint32_t s = 0; x->kind == MG_SX_READ && s < t->a->n_steps; s++)
        if (rough[s] && mg_op(t->s->g, t->a->steps[s].op)->results[0] == op->operands[x->operand])
            return RELATIVE;
    if (x->kind != MG_SX_PRIM)
        return NONE;
    Share most = NONE;
    for (uint32_t i = 0; i < x->n_args && most != OTHER; i++) {
        Share own = share_of(t, op, x->args[i], rough);
        bool choice = x->prim == MG_PRIM_WHERE && i == 0;
        most = own == NONE ? most : choice ? OTHER : own;
    }
    bool keeps = x->prim == MG_PRIM_MUL || x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_NEG ||
                 x->prim == MG_PRIM_WHERE || mg_attention_may_skip(x);
    return most == RELATIVE && !keeps ? OTHER : most;
}

static const MgSx *expr_of(const MgAttn *t, uint32_t step) {
    return step == t->a->values ? t->a->score
                                : mg_op(t->s->g, t->a->steps[step].op)->equation->pieces[0].expr;
}

void mg_attention_find_rough(MgAttn *t) {
    for (uint32_t e = 0; e < t->a->n_steps; e++) {
        const MgSx *x = expr_of(t, e);
        bool rough[MG_ATTENTION_STEPS] = {false}, ok = t->a->type == MG_F32;
        if (t->a->steps[e].role != MG_ATTENTION_SCORE || x->kind != MG_SX_PRIM ||
            x->prim != MG_PRIM_EXP)
            continue;
        rough[e] = true;
        for (uint32_t s = e + 1; s < t->a->n_steps && ok; s++) {
            Share own = share_of(t, mg_op(t->s->g, t->a->steps[s].op), expr_of(t, s), rough);
            rough[s] = own == RELATIVE;
            ok = own != OTHER;
        }
        t->rough[e] = ok;
    }
}
