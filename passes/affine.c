// affine: combines the constant factors and terms around a sum into one factor and one term.
//
// In (z - mean) / sqrt(var + eps) * weight + bias, z is a sum of products (a convolution, a matrix
// product), and the rest are parameters and constants. It becomes z * s + t. s and t are equations
// of their own over the indices that they mention. Their operands never change, so they are
// computed once. Needs: inline before it, which makes the chain one expression. Changes rounding,
// so --strict disables it, and it only applies around a sum, whose own rounding is as large (a
// difference of two exact inputs may cancel). Ends: the remaining chain is too short to match
// again.
#include "passes/rewrite.h"

typedef struct Affine {
    MgGraph *g;
    MgPassContext *context;
    MgOpId op;
    bool changed;
} Affine;

// factor * sum + term. A NULL factor is 1, a NULL term 0.
typedef struct Form {
    const MgSx *sum, *factor, *term;
    uint32_t steps;
} Form;

// ---------------------------------------------------------------- what never changes
typedef struct Constant {
    Affine *a;
    bool ok;
} Constant;

static void check_constant(void *ctx, const MgSx *x) {
    Constant *c = ctx;
    const MgOp *op = mg_op(c->a->g, c->a->op);
    if (x->kind == MG_SX_READ)
        c->ok &= x->bounds == MG_BOUNDS_PROVED &&
                 mg_is_param_or_const(c->a->g, op->operands[x->operand]);
    for (uint32_t i = 0; x->kind == MG_SX_READ && i < x->n_args; i++)
        c->ok &= x->args[i]->kind == MG_SX_IX;
}

static bool is_constant(Affine *a, const MgSx *x) {
    Constant c = {a, true};
    mg_sx_walk(x, check_constant, &c);
    return c.ok;
}

// The op that computes a read's value, if it is an equation of one piece; else MG_NONE.
static MgOpId source_of(Affine *a, MgOpId reader, const MgSx *x) {
    if (x->kind != MG_SX_READ)
        return MG_NONE;
    MgValueId v = mg_op(a->g, reader)->operands[x->operand];
    return mg_only_piece(mg_def(a->g, v)) ? mg_value(a->g, v)->def : MG_NONE;
}

static bool sums_products(Affine *a, MgOpId def) {
    if (!def)
        return false;
    return mg_piece_sums_products(&mg_op(a->g, def)->equation->pieces[0]);
}

// A read of a sum of products, or of such a sum plus a bias.
static bool is_sum(Affine *a, const MgSx *x) {
    MgOpId def = source_of(a, a->op, x);
    if (!def || sums_products(a, def))
        return def != MG_NONE;
    const MgSx *y = mg_op(a->g, def)->equation->pieces[0].expr;
    if (y->kind != MG_SX_PRIM || y->prim != MG_PRIM_ADD)
        return false;
    return sums_products(a, source_of(a, def, y->args[0])) ||
           sums_products(a, source_of(a, def, y->args[1]));
}

// ---------------------------------------------------------------- the form of a chain
static const MgSx *combine(Affine *a, MgPrim prim, const MgSx *x, const MgSx *y) {
    const MgSx *args[] = {x, y};
    return mg_sx_prim(a->g->module, prim, y->dtype, args, 2);
}

static const MgSx *times(Affine *a, const MgSx *x, const MgSx *factor) {
    return x ? combine(a, MG_PRIM_MUL, x, factor) : factor;
}

// A quotient becomes a product with the reciprocal only if the divisor can't be 0 by accident.
static bool divides(const MgSx *x) {
    return (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_SQRT) ||
           (x->kind == MG_SX_CONST && mg_bits_to_double(x->dtype, x->bits) != 0);
}

static bool form_of(Affine *a, const MgSx *x, Form *f) {
    MgModule *m = a->g->module;
    if (is_sum(a, x)) {
        *f = (Form){.sum = x};
        return true;
    }
    if (x->kind != MG_SX_PRIM || x->n_args != 2 || x->args[0]->dtype != x->dtype ||
        (x->dtype != MG_F32 && x->dtype != MG_F64))
        return false;
    bool left = !is_constant(a, x->args[0]);
    const MgSx *chain = x->args[!left], *constant = x->args[left];
    if (!is_constant(a, constant) || !form_of(a, chain, f))
        return false;
    const MgSx *one = mg_sx_double(m, x->dtype, 1), *zero = mg_sx_double(m, x->dtype, 0);
    f->steps++;
    switch (x->prim) {
    case MG_PRIM_ADD:
        f->term = f->term ? combine(a, MG_PRIM_ADD, f->term, constant) : constant;
        return true;
    case MG_PRIM_SUB:
        if (left) {
            f->term = combine(a, MG_PRIM_SUB, f->term ? f->term : zero, constant);
        } else {
            f->term = f->term ? combine(a, MG_PRIM_SUB, constant, f->term) : constant;
            f->factor = combine(a, MG_PRIM_SUB, zero, f->factor ? f->factor : one);
        }
        return true;
    case MG_PRIM_MUL:
        f->factor = times(a, f->factor, constant);
        f->term = f->term ? combine(a, MG_PRIM_MUL, f->term, constant) : NULL;
        return true;
    case MG_PRIM_DIV:
        if (!left || !divides(constant))
            return false;
        f->factor = combine(a, MG_PRIM_DIV, f->factor ? f->factor : one, constant);
        f->term = f->term ? combine(a, MG_PRIM_DIV, f->term, constant) : NULL;
        return true;
    default:
        return false;
    }
}

// ---------------------------------------------------------------- the new operands
enum { MOST = 1 << 16 }; // elements of a factor or a term

// The indices that x mentions, in order. False if they span too many points.
static bool indices_of(Affine *a, const MgSx *x, uint32_t *index, uint32_t *n) {
    MgIxTable *t = a->g->module->ix;
    const MgPiece *p = &mg_op(a->g, a->op)->equation->pieces[0];
    int64_t low, high, points = 1;
    *n = 0;
    for (uint32_t i = 0; i < p->n_free; i++) {
        if (!mg_sx_mentions(a->g->module, x, i))
            continue;
        if (!mg_ix_is_const(t, p->indices[i].low, &low) || low || *n == 8 ||
            !mg_ix_is_const(t, p->indices[i].high, &high) || high > MOST || points * high > MOST)
            return false;
        points *= high;
        index[(*n)++] = i;
    }
    return true;
}

// A read of a new equation for x, placed before the op; x itself if it is simple enough.
static const MgSx *apart(Affine *a, const MgSx *x, const char *what) {
    MgGraph *g = a->g;
    MgModule *m = g->module;
    uint32_t index[8], n;
    if (!x || x->kind == MG_SX_CONST || x->kind == MG_SX_READ || !indices_of(a, x, index, &n))
        return x;
    const MgPiece *p = &mg_op(g, a->op)->equation->pieces[0];
    MgIx with[64], shape[8];
    MgIndex *indices = MG_NEW_N(m->arena, MgIndex, n + 1);
    MgTarget *target = mg_plain_target(m, n);
    const MgSx *subs[8];
    for (uint32_t i = 0; i < p->n_free && i < 64; i++)
        with[i] = mg_ix_idx(m->ix, i);
    for (uint32_t i = 0; i < n; i++) {
        indices[i] = p->indices[index[i]];
        with[index[i]] = mg_ix_idx(m->ix, i);
        shape[i] = indices[i].high;
        subs[i] = mg_sx_ix(m, MG_I64, mg_ix_idx(m->ix, index[i]));
    }
    MgOp op = *mg_op(g, a->op);
    MgNames *names = m->session->names;
    MgSym name = mg_symf(names, "%s_%s", mg_name(names, mg_value(g, op.results[0])->name), what);
    MgOpId made = mg_op_new_before(g, a->op, MG_OP_EQUATION, op.operands, op.n_operands, op.origin);
    MgValueId v = mg_op_result(g, made, mg_unique_name(g, name), x->dtype, n, shape);
    MgPiece piece = {.indices = indices,
                     .n_free = n,
                     .n_indices = n,
                     .target = target,
                     .expr = mg_sx_subst_indices(m, x, with, p->n_free)};
    mg_op(g, made)->equation = mg_equation_of(m, piece);
    mg_normalise_operands(g, made, a->context->scratch);
    uint32_t operand = mg_add_operand(g, a->op, v);
    return mg_sx_read(m, operand, x->dtype, subs, n, MG_BOUNDS_PROVED, NULL);
}

static const MgSx *rewrite(Affine *a, const MgSx *x) {
    Form f;
    if (form_of(a, x, &f) && f.steps > 2 && mg_pass_may(a->context, a->op)) {
        a->changed = true;
        const MgSx *factor = apart(a, f.factor, "factor"), *term = apart(a, f.term, "term");
        x = factor ? combine(a, MG_PRIM_MUL, f.sum, factor) : f.sum;
        return term ? combine(a, MG_PRIM_ADD, x, term) : x;
    }
    if (x->kind != MG_SX_PRIM)
        return x;
    const MgSx *args[3];
    bool same = true;
    for (uint32_t i = 0; i < x->n_args; i++) {
        args[i] = rewrite(a, x->args[i]);
        same &= args[i] == x->args[i];
    }
    return same ? x : mg_sx_prim(a->g->module, x->prim, x->dtype, args, x->n_args);
}

bool mg_pass_affine(MgGraph *g, MgPassContext *context) {
    Affine a = {.g = g, .context = context};
    uint32_t n = g->ops.len;
    for (MgOpId id = 1; id < n && !context->strict; id++) {
        const MgOp *op = mg_op(g, id);
        const MgPiece *p = mg_only_piece(op);
        if (!p || op->equation->has_base || p->reducer != MG_REDUCE_NONE)
            continue;
        a.op = id;
        const MgSx *x = rewrite(&a, p->expr);
        op = mg_op(g, id);
        if (x == op->equation->pieces[0].expr)
            continue;
        MgEquation *e = mg_arena_copy(g->module->arena, op->equation, 1, sizeof *e);
        e->pieces = mg_arena_copy(g->module->arena, e->pieces, 1, sizeof *e->pieces);
        e->pieces[0].expr = x;
        mg_op(g, id)->equation = e;
        mg_normalise_operands(g, id, context->scratch);
    }
    return a.changed;
}
