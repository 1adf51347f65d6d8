// Exponentials that need no more accuracy than an instruction of the device has, 2^-21 of the
// result, some eight units in the last place; and erfc, which takes such an exponential.
//
// An error stays as small, against the operand that has it, through products, quotients, sums,
// extremes and choices between values. What stores or reads the result in 16 bits rounds it by
// 2^-12 or more. A sum of n terms rounds by the square root of n units, by the bound of the
// interpreter, so a long one is no worse for terms that are off by eight. An exponential is rough
// if all that depends on it ends so.
//
// The operand must be an operation's result, whose own rounding moves the exponential as much as
// that of its product with log2(e) does.
#include "passes/schedule/schedule.h"

enum { LONG_SUM = 64 }; // terms

typedef enum Need { ROUGH = 1, ACCURATE } Need; // what the map of expressions holds

typedef struct Rough {
    MgSched *s;
    const MgOp *op;
    bool *accurate; // by value id: something needs its accuracy
} Rough;

static bool is_narrow(MgDType type) {
    return mg_is_float(type) && mg_dtype(type)->bits <= 16;
}

// Is the error of its operands that of its result?
static bool passes(const MgSx *x, uint32_t operand) {
    switch (x->prim) {
    case MG_PRIM_ADD:
    case MG_PRIM_SUB:
    case MG_PRIM_MUL:
    case MG_PRIM_DIV:
    case MG_PRIM_NEG:
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return true;
    case MG_PRIM_WHERE:
        return operand > 0;
    case MG_PRIM_CAST:
        return mg_is_float(x->dtype);
    default:
        return false;
    }
}

static void look(Rough *r, const MgSx *x, bool accurate) {
    if (x->kind == MG_SX_READ)
        r->accurate[r->op->operands[x->operand]] |= accurate;
    if (x->kind == MG_SX_READ && x->otherwise)
        look(r, x->otherwise, accurate);
    bool prim = x->kind == MG_SX_PRIM;
    bool may = prim && (x->prim == MG_PRIM_EXP || x->prim == MG_PRIM_ERFC);
    if (may && x->dtype == MG_F32 && x->args[0]->kind == MG_SX_PRIM) {
        uint64_t key = (uint64_t)(uintptr_t)x;
        if (accurate || !mg_map_find(&r->s->rough, key))
            mg_map_put(&r->s->rough, key, accurate ? ACCURATE : ROUGH);
    }
    bool rounds = prim && x->prim == MG_PRIM_CAST && is_narrow(x->dtype);
    for (uint32_t i = 0; i < x->n_args; i++)
        look(r, x->args[i], !(prim && passes(x, i)) || (accurate && !rounds));
}

static bool is_long_sum(const MgSched *s, const MgPiece *p) {
    int64_t terms = 1, low, high;
    for (uint32_t i = p->n_free; i < p->n_indices && terms < LONG_SUM; i++)
        if (!mg_ix_is_const(s->ix, p->indices[i].low, &low) ||
            !mg_ix_is_const(s->ix, p->indices[i].high, &high) ||
            __builtin_mul_overflow(terms, high - low, &terms))
            return false;
    return mg_piece_reduces(p) && mg_reducer(p->reducer)->monoid == MG_MONOID_SUM &&
           terms >= LONG_SUM;
}

static void look_at_equation(Rough *r, const MgOp *op) {
    const MgEquation *e = op->equation;
    MgValueId v = op->results[0];
    bool accurate = r->accurate[v] && !is_narrow(mg_value(r->s->g, v)->dtype);
    r->op = op;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        const MgPiece *p = &e->pieces[i];
        bool folds = !mg_piece_reduces(p) || mg_reducer(p->reducer)->monoid == MG_MONOID_SUM;
        look(r, p->expr, !folds || (accurate && !is_long_sum(r->s, p)));
        for (uint32_t d = 0; d < mg_value(r->s->g, v)->rank; d++)
            look(r, p->target[d].sub, true);
    }
    if (e->has_base)
        r->accurate[op->operands[op->n_operands - 1]] = true;
}

static void look_at_region(Rough *r, MgRegionId region) {
    MgGraph *g = r->s->g;
    for (uint32_t i = mg_region(g, region)->ops.len; i-- > 0;) {
        const MgOp *op = mg_op(g, mg_region(g, region)->ops.at[i]);
        const MgOp *around =
            mg_region(g, region)->parent ? mg_op(g, mg_region(g, region)->parent) : NULL;
        bool fused = op->kind == MG_OP_YIELD && around && around->kind == MG_OP_FUSED;
        if (op->kind == MG_OP_EQUATION)
            look_at_equation(r, op);
        else
            for (uint32_t k = 0; k < op->n_operands; k++)
                r->accurate[op->operands[k]] |= !fused || r->accurate[around->results[k]];
        for (uint32_t k = 0; k < op->n_regions; k++)
            look_at_region(r, op->regions[k]);
    }
}

void mg_find_rough(MgSched *s) {
    Rough r = {s, NULL, MG_NEW_N(s->arena, bool, s->g->values.len)};
    mg_map_init(&s->rough, s->arena);
    if (s->options->level < 2 || s->options->strict || !s->options->target.rough_exp2)
        return;
    for (uint32_t i = 0; i < s->g->outputs.len; i++)
        r.accurate[s->g->outputs.at[i].value] = true;
    look_at_region(&r, 0);
}

bool mg_is_rough(const MgSched *s, const MgSx *x) {
    uint64_t *found = mg_map_find(&s->rough, (uint64_t)(uintptr_t)x);
    return found && *found == ROUGH;
}
