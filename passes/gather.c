// gather: rewrites a sum into places that are affine in its indices as a sum over the sources.
//
// y[2*i + k - 1] else none = sum[c, i, k] x[c, i] * w[c, k], the form of a transposed convolution
// and of a convolution's derivative, adds to each element in turn. This pass solves each coordinate
// of the result for one index of its own, which becomes an expression over the place:
//
//   y_terms[k, i] = sum[c] x[c, i] * w[c, k]
//   y[(q, r)] = sum[j] y_terms[2*j + (r + 1) % 2, q + (r + 1) / 2 - j] else 0
//
// With stride s, the place is s*q + r. Of the coordinate's other indices, the taps, one takes the
// steps j of its residue class, since only taps with stride * i + tap = place contribute. Indices
// in no subscript (c) are summed first, in an equation of its own, which is an ordinary
// contraction. If that would be too large, or nothing is left to sum, the terms are computed inside
// the sum over taps, under a condition. Either way there is no term that the definition lacks: 0
// times an infinity doesn't appear.
//
// Needs: integer coefficients, ranges that depend on no index, reducers that take their terms in
// any order. Keeps: the terms of every element. Sums add them in another order, so --strict
// rewrites only sums with one tap for each element. Ends: the result writes no computed place.
#include "passes/gather.h"

enum { MOST_GROWTH = 32, MOST_ADDED = 9 };

static const MgSx *identity(MgGather *s, MgDType type) {
    switch (mg_reducer(s->piece.reducer)->empty) {
    case MG_IDENTITY_LOWEST:
        return mg_sx_const(s->m, type, mg_lowest(type));
    case MG_IDENTITY_HIGHEST:
        return mg_sx_const(s->m, type, mg_highest(type));
    case MG_IDENTITY_ONE:
    case MG_IDENTITY_TRUE:
        return mg_sx_int(s->m, type, 1);
    default:
        return mg_sx_int(s->m, type, 0);
    }
}

// ---------------------------------------------------------------- terms

// Is there a sum that is worth an equation of its own? A sum of one term, as over the channels of a
// depthwise convolution, is not.
static bool sums_alone(const MgGather *s) {
    bool some = false;
    int64_t count;
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
        some |= mg_gather_alone(s, i) &&
                !(mg_ix_is_const(s->m->ix, s->piece.indices[i].high, &count) && count == 1);
    return some;
}

// Lists the scatter's indices in the order of the terms: free ones, taps, solved ones; then the
// indices that are summed alone. Without taps the terms are the results, in their order. Returns
// the number of indices of the terms.
static uint32_t order_terms(const MgGather *s, uint32_t *order) {
    uint32_t n = 0, n_terms = 0;
    bool taps = false;
    for (uint32_t part = 0; part < 4; part++) {
        for (uint32_t i = 0; i < s->piece.n_indices; i++) {
            bool free = i < s->piece.n_free, alone = mg_gather_alone(s, i);
            bool solved = !free && !alone && s->of[s->coordinate[i]].solved == i;
            if (part == (free ? 0 : alone ? 3 : solved ? 2 : 1))
                order[n++] = i;
        }
        taps |= part == 1 && n > n_terms;
        n_terms = part < 3 ? n : n_terms;
    }
    for (uint32_t i = 1; i < n_terms && !taps; i++)
        for (uint32_t k = i; k && s->coordinate[order[k]] < s->coordinate[order[k - 1]]; k--) {
            uint32_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    return n_terms;
}

// Do the terms outnumber the results by so much that storing them is not worth the memory?
static bool are_too_many(MgGather *s, const uint32_t *order, uint32_t n) {
    double terms = 1, results = 1;
    for (uint32_t i = 0; i < n; i++)
        terms *= (double)mg_ix_likely(s->m->ix, s->piece.indices[order[i]].high);
    for (uint32_t d = 0; d < s->rank; d++)
        results *= (double)mg_ix_likely(s->m->ix, s->shape[d]);
    return terms > MOST_GROWTH * results;
}

// y_terms[free, taps, solved] = sum[alone] term
static MgValueId make_terms(MgGather *s, const uint32_t *order, uint32_t n) {
    MgModule *m = s->m;
    MgPiece *p = MG_NEW(m->arena, MgPiece);
    *p = s->piece;
    p->scatter = false;
    p->n_free = n;
    p->reducer = n < p->n_indices ? p->reducer : MG_REDUCE_NONE;
    p->indices = MG_NEW_N(m->arena, MgIndex, p->n_indices);
    p->target = mg_plain_target(m, n);
    MgIx with[MG_GATHER_INDICES], shape[MG_GATHER_INDICES];
    for (uint32_t i = 0; i < p->n_indices; i++) {
        with[order[i]] = mg_ix_idx(m->ix, i);
        p->indices[i] = s->piece.indices[order[i]];
        if (i < n)
            shape[i] = p->indices[i].high;
    }
    p->expr = mg_sx_subst_indices(m, p->expr, with, p->n_indices);
    MgOp op = *mg_op(s->g, s->op);
    MgValue y = *mg_value(s->g, op.results[0]);
    MgOpId made =
        mg_op_new_before(s->g, s->op, MG_OP_EQUATION, op.operands, op.n_operands, op.origin);
    MgSym name = mg_symf(m->session->names, "%s_terms", mg_name(m->session->names, y.name));
    MgValueId v =
        mg_op_result(s->g, made, mg_unique_name(s->g, name), mg_dtype(y.dtype)->compute, n, shape);
    mg_op(s->g, made)->equation = mg_equation_of(m, *p);
    mg_normalise_operands(s->g, made, s->context->scratch);
    return v;
}

static const MgSx *where(MgGather *s, const MgSx *condition, const MgSx *x) {
    const MgSx *args[] = {condition, x, identity(s, x->dtype)};
    return condition ? mg_sx_prim(s->m, MG_PRIM_WHERE, x->dtype, args, 3) : x;
}

// Reads a term from memory; outside the tensor, the term is the reducer's identity.
static const MgSx *read_term(MgGather *s, MgValueId terms, const uint32_t *order, uint32_t n) {
    const MgSx *subs[MG_GATHER_INDICES];
    MgDType type = mg_value(s->g, terms)->dtype;
    for (uint32_t i = 0; i < n; i++)
        subs[i] = mg_sx_ix(s->m, MG_I64, s->with[order[i]]);
    return mg_sx_read(s->m, 0, type, subs, n, MG_BOUNDS_ELSE, identity(s, type));
}

// A read that is inside for all of the scatter's indices may be outside where no term contributes.
static const MgSx *settle_read(MgGather *s, const MgSx *x) {
    MgOp reader = {.operands = s->operands};
    if (x->bounds == MG_BOUNDS_CHECKED)
        return x;
    MgProof inside = mg_read_inside(s->g, &reader, x, &s->ranges, s->facts, s->n_facts);
    const MgSx *otherwise = x->otherwise ? x->otherwise : mg_sx_int(s->m, x->dtype, 0);
    if (inside == MG_REFUTED)
        return otherwise;
    return mg_sx_read(s->m, x->operand, x->dtype, x->args, x->n_args,
                      inside == MG_PROVED ? MG_BOUNDS_PROVED : MG_BOUNDS_ELSE,
                      inside == MG_PROVED ? NULL : otherwise);
}

// Resolves a comparison of integer expressions, as `compare` makes them, if it is the same
// everywhere.
static const MgSx *settle_comparison(MgGather *s, const MgSx *x) {
    MgIxTable *t = s->m->ix;
    MgIx more = mg_ix_sub(t, x->args[0]->ix, x->args[1]->ix), less = mg_ix_neg(t, more);
    if (x->prim == MG_PRIM_EQ)
        more = mg_ix_min(t, more, less);
    if (x->prim == MG_PRIM_LT)
        more = mg_ix_sub(t, less, mg_gather_int(s, 1));
    MgProof holds = mg_ix_nonnegative(t, more, &s->ranges, s->facts, s->n_facts);
    return holds == MG_UNKNOWN ? x : mg_sx_int(s->m, MG_BOOL, holds == MG_PROVED);
}

// Simplifies a node whose operands are simplified: an MgSxVisitFn.
static const MgSx *settle(void *ctx, const MgSx *x) {
    MgGather *s = ctx;
    if (x->kind == MG_SX_READ)
        return settle_read(s, x);
    if (x->kind != MG_SX_PRIM)
        return x;
    const MgSx *first = x->args[0];
    bool compares = x->prim == MG_PRIM_GE || x->prim == MG_PRIM_LT || x->prim == MG_PRIM_EQ;
    if (compares && first->kind == MG_SX_IX && x->args[1]->kind == MG_SX_IX)
        return settle_comparison(s, x);
    if (x->prim == MG_PRIM_WHERE && first->kind == MG_SX_CONST)
        return x->args[first->bits ? 1 : 2];
    if (x->prim == MG_PRIM_AND && x->dtype == MG_BOOL)
        for (uint32_t i = 0; i < 2; i++)
            if (x->args[i]->kind == MG_SX_CONST)
                return x->args[x->args[i]->bits ? 1 - i : i];
    return x;
}

// Unrolls a sum over few taps into an elementwise equation.
static void add_up(MgGather *s) {
    MgIxTable *t = s->m->ix;
    MgPiece *to = &s->to;
    const MgSx *all = NULL;
    MgIx with[2 * MG_GATHER_INDICES];
    int64_t count[2 * MG_GATHER_INDICES], n = 1;
    for (uint32_t i = to->n_free; i < to->n_indices && n <= MOST_ADDED; i++)
        n = mg_ix_is_const(t, to->indices[i].high, &count[i]) && count[i] <= MOST_ADDED
                ? n * count[i]
                : MOST_ADDED + 1;
    if (!n || n > MOST_ADDED)
        return;
    for (int64_t k = 0; k < n; k++) {
        int64_t left = k;
        for (uint32_t i = to->n_indices; i-- > 0;) {
            with[i] = i < to->n_free ? mg_ix_idx(t, i) : mg_gather_int(s, left % count[i]);
            left /= i < to->n_free ? 1 : count[i];
        }
        const MgSx *args[] = {all, mg_sx_subst_indices(s->m, to->expr, with, to->n_indices)};
        all = all ? mg_sx_prim(s->m, mg_reduce_prim(s->piece.reducer), args[1]->dtype, args, 2)
                  : args[1];
    }
    to->expr = all;
    to->n_indices = to->n_free;
}

// ---------------------------------------------------------------- terms computed in place

static const MgSx *in_range(MgGather *s, uint32_t i, const MgSx *condition) {
    MgIx x = s->with[i], zero = mg_gather_int(s, 0);
    condition = mg_gather_both(s, condition, mg_gather_compare(s, MG_PRIM_GE, x, zero));
    condition =
        mg_gather_both(s, condition, mg_gather_compare(s, MG_PRIM_LT, x, s->piece.indices[i].high));
    return condition;
}

static const MgSx *compute_term(MgGather *s, const MgSx *condition) {
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
        if (mg_gather_alone(s, i))
            s->with[i] =
                mg_ix_idx(s->m->ix, mg_gather_add_index(s, i, "", s->piece.indices[i].high));
    s->ranges = mg_piece_ranges(&s->to, s->context->scratch);
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
        if (!mg_gather_alone(s, i))
            condition = in_range(s, i, condition);
    return where(s, condition,
                 mg_sx_subst_indices(s->m, s->piece.expr, s->with, s->piece.n_indices));
}

static void note_unproved(void *ctx, const MgSx *x) {
    bool *some = ctx;
    *some |= x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_CHECKED;
}

// Does the expression have a read that may trap? Such a read must stay in the scatter's form.
static bool may_trap(const MgGather *s) {
    bool some = false;
    mg_sx_walk(s->piece.expr, note_unproved, &some);
    return some;
}

// ---------------------------------------------------------------- the pass

static bool keeps_order(MgGather *s) {
    MgDType type = s->piece.expr->dtype;
    return !s->context->strict || s->to.n_indices == s->to.n_free || !mg_is_float(type) ||
           mg_reduce_order(s->piece.reducer) != MG_ORDER_SUM;
}

// Few contributions to a large base are better added in place.
static bool is_worth_gathering(MgGather *s) {
    const MgOp *op = mg_op(s->g, s->op);
    double writes = 1, results = 1;
    for (uint32_t i = 0; i < s->piece.n_indices; i++)
        if (!mg_gather_alone(s, i))
            writes *= (double)mg_ix_likely(s->m->ix, s->piece.indices[i].high);
    for (uint32_t d = 0; d < s->rank; d++)
        results *= (double)mg_ix_likely(s->m->ix, mg_value(s->g, op->results[0])->shape[d]);
    return !op->equation->has_base || writes * 4 >= results;
}

static bool is_rounded_up(MgGather *s) {
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->shape[d] != mg_value(s->g, mg_op(s->g, s->op)->results[0])->shape[d])
            return true;
    return false;
}

static void set_equation(MgGather *s, MgOpId id, MgEquation *e) {
    mg_op(s->g, id)->equation = e;
    mg_normalise_operands(s->g, id, s->context->scratch);
}

// Turns the op into y = t, or y = base + t, where t has the gathered piece with its coordinates
// rounded up to whole steps.
static void make_apart(MgGather *s, MgEquation *e) {
    MgOp op = *mg_op(s->g, s->op);
    MgValue y = *mg_value(s->g, op.results[0]);
    MgNames *names = s->m->session->names;
    MgOpId made =
        mg_op_new_before(s->g, s->op, MG_OP_EQUATION, s->operands, s->n_operands, op.origin);
    MgSym name = mg_unique_name(s->g, mg_symf(names, "%s_whole", mg_name(names, y.name)));
    MgDType type = op.equation->has_base ? mg_dtype(y.dtype)->compute : y.dtype;
    MgValueId t = mg_op_result(s->g, made, name, type, s->rank, s->shape);
    set_equation(s, made, e);
    mg_set_copy(s->g, s->op, t);
    if (!op.equation->has_base)
        return;
    MgValueId base = op.operands[op.n_operands - 1];
    MgPiece *p = &mg_op(s->g, s->op)->equation->pieces[0];
    const MgSx *sum = p->expr;
    const MgSx *args[] = {mg_sx_read(s->m, mg_add_operand(s->g, s->op, base), sum->dtype, sum->args,
                                     sum->n_args, MG_BOUNDS_PROVED, NULL),
                          sum};
    p->expr = mg_sx_prim(s->m, mg_reduce_prim(s->piece.reducer), sum->dtype, args, 2);
    mg_normalise_operands(s->g, s->op, s->context->scratch);
}

static void make_terms_or_sum(MgGather *s, const MgSx *condition, bool keeps_terms,
                              const uint32_t *order, uint32_t n) {
    const MgOp *op = mg_op(s->g, s->op);
    s->n_operands = op->n_operands - op->equation->has_base;
    s->operands = mg_arena_copy(s->m->arena, op->operands, s->n_operands, sizeof *op->operands);
    if (keeps_terms) {
        MgValueId terms = make_terms(s, order, n);
        s->operands = mg_arena_copy(s->m->arena, &terms, 1, sizeof terms);
        s->n_operands = 1;
        s->to.expr = where(s, condition, read_term(s, terms, order, n));
    } else {
        s->to.expr = compute_term(s, condition);
    }
    add_up(s);
    s->ranges = mg_piece_ranges(&s->to, s->context->scratch);
    s->to.expr = mg_sx_rewrite(s->m, s->to.expr, settle, s);
    s->to.reducer = s->to.n_indices > s->to.n_free ? s->piece.reducer : MG_REDUCE_NONE;
}

static bool visit(MgGather *s) {
    const MgSx *condition;
    uint32_t order[MG_GATHER_INDICES];
    if (!mg_gather_find(s) || !is_worth_gathering(s) || !mg_gather_make_box(s, &condition))
        return false;
    uint32_t n = order_terms(s, order);
    bool traps = may_trap(s), many = are_too_many(s, order, n);
    if ((traps && many) || !keeps_order(s) || !mg_pass_may(s->context, s->op))
        return false;
    make_terms_or_sum(s, condition, (traps || sums_alone(s)) && !many, order, n);
    MgEquation *e = mg_equation_of(s->m, s->to);
    if (mg_op(s->g, s->op)->equation->has_base || is_rounded_up(s)) {
        make_apart(s, e);
        return true;
    }
    mg_op(s->g, s->op)->operands = s->operands;
    mg_op(s->g, s->op)->n_operands = s->n_operands;
    set_equation(s, s->op, e);
    return true;
}

bool mg_pass_gather(MgGraph *g, MgPassContext *context) {
    MgGather s = {.g = g, .m = g->module, .context = context};
    s.n_facts = mg_graph_facts(g, context->scratch, &s.facts);
    bool changed = false;
    uint32_t n = g->ops.len;
    for (s.op = 1; s.op < n; s.op++)
        changed |= visit(&s);
    return changed;
}
