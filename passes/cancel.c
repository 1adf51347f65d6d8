// cancel: replaces values of derivatives that are 0 except for rounding by 0, and removes what then
// has no effect.
//
// The derivative through a softmax's maximum is such a value, and so is the one through a
// variance's mean. Each costs a reduction, and the first also a search for the position of the
// maximum.
//
// A sum over a row in which a condition picks one element, as in a cross-entropy's derivative, is
// replaced by that element. Factors that are the same for all terms are moved out of a sum: the
// remaining sums of a normalisation's derivatives are then equal, and `cse` keeps one.
//
// Needs: derivatives' origins (#backward), and values in the form that terms.h describes:
// reductions that no pass has merged yet. Keeps: values within the bounds of -O2, unless they are
// not finite: 0 times an infinity is 0 here. So it doesn't run with --strict. Ends: each rewrite
// makes a value 0 for good, or removes a sum.
#include "passes/rewrite.h"
#include "passes/terms.h"

static bool is_backward(MgGraph *g, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    return op->kind == MG_OP_EQUATION && !op->equation->has_base &&
           mg_is_float(mg_value(g, op->results[0])->dtype) &&
           mg_origin_is_backward(g->module, op->origin);
}

// Is every element of the value the number 0?
static bool is_zero_value(MgGraph *g, MgValueId v) {
    const MgOp *op = mg_def(g, v);
    const MgPiece *p = mg_only_piece(op);
    return p && !op->equation->has_base && p->reducer == MG_REDUCE_NONE &&
           mg_sx_is_number(p->expr, 0);
}

static void set_zero(MgGraph *g, MgOpId id) {
    MgModule *m = g->module;
    MgOp *op = mg_op(g, id);
    MgEquation *e = MG_NEW(m->arena, MgEquation);
    const MgPiece *before = &op->equation->pieces[0];
    MgPiece *p = mg_arena_copy(m->arena, before, 1, sizeof *p);
    p->n_indices = p->n_free;
    p->reducer = MG_REDUCE_NONE;
    p->expr = mg_sx_int(m, before->expr->dtype, 0);
    *e = (MgEquation){.pieces = p, .n_pieces = 1};
    op->equation = e;
    op->n_operands = 0;
}

// ---------------------------------------------------------------- consequences

typedef struct Follow {
    MgGraph *g;
    MgOpId op;
} Follow;

static bool reads_zero(const Follow *f, const MgSx *x) {
    return x->kind == MG_SX_READ && x->bounds != MG_BOUNDS_CHECKED &&
           (!x->otherwise || mg_sx_is_number(x->otherwise, 0)) &&
           is_zero_value(f->g, mg_op(f->g, f->op)->operands[x->operand]);
}

static const MgSx *without_zeros(void *ctx, const MgSx *x) {
    const Follow *f = ctx;
    MgModule *m = f->g->module;
    if (reads_zero(f, x))
        return mg_sx_int(m, x->dtype, 0);
    if (x->kind != MG_SX_PRIM || !mg_is_float(x->dtype))
        return x;
    bool first = mg_sx_is_number(x->args[0], 0),
         second = x->n_args > 1 && mg_sx_is_number(x->args[1], 0);
    switch (x->prim) {
    case MG_PRIM_ADD:
        return first ? x->args[1] : second ? x->args[0] : x;
    case MG_PRIM_SUB:
        if (first && !second)
            return mg_sx_prim(m, MG_PRIM_NEG, x->dtype, x->args + 1, 1);
        return second ? x->args[0] : x;
    case MG_PRIM_MUL:
        return first ? x->args[0] : second ? x->args[1] : x;
    case MG_PRIM_NEG:
    case MG_PRIM_DIV:
        return first ? x->args[0] : x;
    case MG_PRIM_WHERE:
        return second && mg_sx_is_number(x->args[2], 0) ? x->args[1] : x;
    default:
        return x;
    }
}

static bool has_zero(MgGraph *g, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    bool has = false;
    for (uint32_t k = 0; k < op->n_operands && !has; k++)
        has = is_zero_value(g, op->operands[k]);
    return has;
}

// Rewrites the expressions of an op that reads values which are 0.
static bool follow(MgGraph *g, MgPassContext *context, MgOpId id) {
    MgModule *m = g->module;
    Follow f = {g, id};
    const MgEquation *before = mg_op(g, id)->equation;
    MgPiece *pieces = mg_arena_copy(m->arena, before->pieces, before->n_pieces, sizeof *pieces);
    bool changed = false;
    for (uint32_t i = 0; i < before->n_pieces; i++) {
        pieces[i].expr = mg_sx_rewrite(m, pieces[i].expr, without_zeros, &f);
        changed |= pieces[i].expr != before->pieces[i].expr;
    }
    if (!changed || !mg_pass_may(context, id))
        return false;
    MgEquation *e = mg_op(g, id)->equation = mg_arena_copy(m->arena, before, 1, sizeof *e);
    e->pieces = pieces;
    if (e->n_pieces == 1 && mg_sx_is_number(pieces[0].expr, 0) && !pieces[0].scatter)
        set_zero(g, id);
    else
        mg_normalise_operands(g, id, context->scratch);
    return true;
}

// ---------------------------------------------------------------- sums of one element

typedef struct Inlined {
    MgGraph *g;
    MgOpId op, from;
} Inlined;

static uint32_t take_operand(void *ctx, uint32_t k) {
    const Inlined *in = ctx;
    return mg_add_operand(in->g, in->op, mg_op(in->g, in->from)->operands[k]);
}

// Replaces a read of an elementwise value of derivatives by the expression that computes the value.
static const MgSx *compute_again(void *ctx, const MgSx *x) {
    Inlined *in = ctx;
    MgGraph *g = in->g;
    MgIx subs[64];
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || x->n_args > 64 ||
        !mg_read_subs(x, subs))
        return x;
    in->from = mg_value(g, mg_op(g, in->op)->operands[x->operand])->def;
    if (!in->from || !is_backward(g, in->from) || mg_op(g, in->from)->equation->n_pieces != 1)
        return x;
    const MgPiece *p = &mg_op(g, in->from)->equation->pieces[0];
    if (p->n_indices > p->n_free || !mg_piece_is_plain(g, p, mg_op(g, in->from)->results[0]) ||
        mg_sx_size(p->expr, 64) >= 64)
        return x;
    MgSxMap map = {g->module, subs, x->n_args, take_operand, in, {0}};
    mg_map_init(&map.done, g->module->arena);
    return mg_sx_map(&map, p->expr);
}

// If x = where(at == index, e, 0), or its negative, and neither `at` nor e mentions the index: the
// sum of x over the index's range, as an expression. Otherwise NULL.
static const MgSx *pick(MgModule *m, const MgSx *x, const MgPiece *p) {
    uint32_t index = p->n_free;
    if (x->kind != MG_SX_PRIM)
        return NULL;
    if (x->prim == MG_PRIM_NEG) {
        const MgSx *picked = pick(m, x->args[0], p);
        return picked ? mg_sx_prim(m, MG_PRIM_NEG, x->dtype, &picked, 1) : NULL;
    }
    const MgSx *c = x->args[0];
    if (x->prim != MG_PRIM_WHERE || !mg_sx_is_number(x->args[2], 0) || c->kind != MG_SX_PRIM ||
        c->prim != MG_PRIM_EQ || mg_sx_mentions(m, x->args[1], index))
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const MgSx *at = c->args[i], *other = c->args[1 - i];
        if (other->kind != MG_SX_IX || other->ix != mg_ix_idx(m->ix, index) ||
            mg_sx_mentions(m, at, index))
            continue;
        const MgSx *low[] = {at, mg_sx_ix(m, at->dtype, p->indices[index].low)},
                   *high[] = {at, mg_sx_ix(m, at->dtype, p->indices[index].high)};
        const MgSx *inside[] = {mg_sx_prim(m, MG_PRIM_GE, MG_BOOL, low, 2),
                                mg_sx_prim(m, MG_PRIM_LT, MG_BOOL, high, 2)};
        const MgSx *args[] = {mg_sx_prim(m, MG_PRIM_AND, MG_BOOL, inside, 2), x->args[1],
                              x->args[2]};
        return mg_sx_prim(m, MG_PRIM_WHERE, x->dtype, args, 3);
    }
    return NULL;
}

static bool sums_one(MgGraph *g, MgPassContext *context, MgOpId id) {
    MgModule *m = g->module;
    const MgEquation *before = mg_op(g, id)->equation;
    const MgPiece *p = &before->pieces[0];
    if (before->n_pieces != 1 || p->scatter || p->reducer != MG_REDUCE_SUM ||
        p->n_indices != p->n_free + 1)
        return false;
    MgOp op = *mg_op(g, id);
    Inlined in = {g, id, MG_NONE};
    const MgSx *picked = pick(m, mg_sx_rewrite(m, p->expr, compute_again, &in), p);
    if (!picked || !mg_pass_may(context, id)) {
        mg_op(g, id)->operands = op.operands;
        mg_op(g, id)->n_operands = op.n_operands;
        return false;
    }
    MgPiece *now = mg_arena_copy(m->arena, p, 1, sizeof *p);
    now->reducer = MG_REDUCE_NONE;
    now->n_indices = p->n_free;
    now->expr = picked;
    MgEquation *e = mg_op(g, id)->equation = mg_arena_copy(m->arena, before, 1, sizeof *e);
    e->pieces = now;
    mg_normalise_operands(g, id, context->scratch);
    return true;
}

// ---------------------------------------------------------------- factors of a whole sum

typedef struct Product {
    MgModule *m;
    const MgPiece *piece;
    const MgSx *inner, *outer; // factors with and without bound indices; NULL: 1
    bool negative, worth_it;   // outer is more than a number
} Product;

static bool is_bound(const Product *p, const MgSx *x) {
    bool bound = false;
    for (uint32_t i = p->piece->n_free; i < p->piece->n_indices; i++)
        bound |= mg_sx_mentions(p->m, x, i);
    return bound;
}

static const MgSx *times(MgModule *m, const MgSx *a, const MgSx *b) {
    return a ? mg_sx_prim(m, MG_PRIM_MUL, b->dtype, (const MgSx *[]){a, b}, 2) : b;
}

static void factorise(Product *p, const MgSx *x) {
    if (!is_bound(p, x)) {
        p->outer = times(p->m, p->outer, x);
        p->worth_it |= x->kind != MG_SX_CONST;
    } else if (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_NEG) {
        p->negative = !p->negative;
        factorise(p, x->args[0]);
    } else if (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_MUL) {
        factorise(p, x->args[0]);
        factorise(p, x->args[1]);
    } else if (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_DIV && !is_bound(p, x->args[1])) {
        factorise(p, x->args[0]);
        const MgSx *args[] = {p->outer ? p->outer : mg_sx_int(p->m, x->dtype, 1), x->args[1]};
        p->outer = mg_sx_prim(p->m, MG_PRIM_DIV, x->dtype, args, 2);
        p->worth_it = true;
    } else {
        p->inner = times(p->m, p->inner, x);
    }
}

// Rewrites y = sum f * e, where f is a factor of the whole sum, to y = f * y_core with y_core = sum
// e.
static bool take_out(MgGraph *g, MgPassContext *context, MgOpId id) {
    MgModule *m = g->module;
    MgOp op = *mg_op(g, id);
    const MgPiece *p = &op.equation->pieces[0];
    MgValue y = *mg_value(g, op.results[0]);
    Product product = {.m = m, .piece = p};
    if (op.equation->n_pieces != 1 || p->reducer != MG_REDUCE_SUM ||
        !mg_piece_is_plain(g, p, op.results[0]) || mg_traits(g, id).contraction)
        return false;
    factorise(&product, p->expr);
    MgPiece sum = *p;
    sum.expr = product.inner;
    // A sum that is a product of a matrix and a vector would no longer be part of its rows' kernel.
    if (!product.worth_it || !product.inner || mg_piece_contraction(m, &sum) > MG_CONTRACTS_ROWS ||
        !mg_pass_may(context, id))
        return false;
    MgOpId made = mg_op_new_before(g, id, MG_OP_EQUATION, op.operands, op.n_operands, op.origin);
    MgSym name = mg_symf(m->session->names, "%s_core", mg_name(m->session->names, y.name));
    MgDType type = mg_dtype(y.dtype)->compute;
    MgValueId core = mg_op_result(g, made, mg_unique_name(g, name), type, y.rank, y.shape);
    MgPiece *rest = mg_arena_copy(m->arena, p, 1, sizeof *p);
    MgEquation *e = mg_op(g, made)->equation = mg_arena_copy(m->arena, op.equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(m->arena, &sum, 1, sizeof sum);
    mg_normalise_operands(g, made, context->scratch);
    const MgSx *subs[64];
    for (uint32_t k = 0; k < y.rank; k++)
        subs[k] = p->target[k].sub;
    uint32_t at = mg_add_operand(g, id, core);
    rest->expr =
        times(m, product.outer, mg_sx_read(m, at, type, subs, y.rank, MG_BOUNDS_PROVED, NULL));
    if (product.negative)
        rest->expr = mg_sx_prim(m, MG_PRIM_NEG, type, &rest->expr, 1);
    rest->reducer = MG_REDUCE_NONE;
    rest->n_indices = p->n_free;
    e = mg_op(g, id)->equation = mg_arena_copy(m->arena, op.equation, 1, sizeof *e);
    e->pieces = rest;
    mg_normalise_operands(g, id, context->scratch);
    return true;
}

// May terms of the op cancel? They may if it is a statistic of rows, or reads one.
static bool may_cancel(MgGraph *g, MgTerms *terms, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    bool may = mg_terms_is_figure(terms, op->results[0]);
    for (uint32_t k = 0; k < op->n_operands && !may; k++)
        may = mg_terms_is_figure(terms, op->operands[k]);
    return may && !is_zero_value(g, op->results[0]);
}

bool mg_pass_cancel(MgGraph *g, MgPassContext *context) {
    if (context->strict)
        return false;
    MgTerms *terms = mg_terms_new(g, context->scratch);
    bool changed = false, more = true;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        if (!is_backward(g, id) || !may_cancel(g, terms, id) ||
            !mg_terms_cancel(terms, mg_op(g, id)->results[0]) || !mg_pass_may(context, id))
            continue;
        set_zero(g, id);
        changed = true;
    }
    while (more) {
        more = false;
        for (MgOpId id = 1; id < g->ops.len; id++)
            more |= is_backward(g, id) && has_zero(g, id) && follow(g, context, id);
        changed |= more;
    }
    uint32_t n = g->ops.len;
    for (MgOpId id = 1; id < n; id++)
        changed |= is_backward(g, id) && (sums_one(g, context, id) || take_out(g, context, id));
    return changed;
}
