// canonicalise: of several forms with one meaning, keeps one.
//
// - The rules of rules.def and evaluation (simplify.c) simplify expressions.
// - A read with `else`, or with a check, loses it if the read is proved to be inside. If it is
//   proved to be outside, the `else` replaces it.
// - max(v, c) becomes v if every element of v is a maximum with c already.
// - A read of a known element, of a constant or of a value of equal elements, becomes the element.
// - Bound indices with one point are removed, as are such indices inside a tuple, and pieces
//   without a point.
// - A scatter that writes every place once, as y[i + 1] for i in -1..N-1 does, is no scatter.
// - Operands are put into the order of their first read.
//
// Needs: nothing. Keeps: the bits of every element, except that a sum of one term may turn +0.0
// back into -0.0, and that a level may allow rules that round differently where rounding is not
// fixed (ir/rounding.h). Ends: each rewrite makes an expression, a list of indices or a list of
// checks smaller; the pass goes on until none applies.
#include "ir/rounding.h"
#include "passes/rewrite.h"
#include "passes/rules.h"
#include "passes/simplify.h"

typedef struct Canon {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    const MgOp *op;
    const MgPiece *piece;
    MgIxRanges ranges;
    MgIx *facts;
    uint32_t n_facts;
    MgRules *exact, *all; // rules that keep every bit; those that the level allows
    MgRounding rounding;
    MgMap fixed;              // expressions of the current op whose rounding is fixed
    MG_VEC(uint32_t) applied; // rules applied to the current op
    MgOpId id;                // of op
    bool *held; // by op id: --debug-counter held a rewrite of it back, so later rounds skip it
} Canon;

// ---------------------------------------------------------------- expressions

static const MgSx *as_index(Canon *c, const MgSx *x) {
    return mg_sx_ix(c->m, MG_I64, mg_ix_const(c->m->ix, mg_bits_to_int(MG_I64, x->bits)));
}

// Makes every constant subscript an integer expression.
static const MgSx *with_index_subs(Canon *c, const MgSx *x) {
    const MgSx **subs = NULL;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_CONST)
            continue;
        if (!subs)
            subs = mg_arena_copy(c->context->scratch, x->args, x->n_args, sizeof *x->args);
        subs[i] = as_index(c, x->args[i]);
    }
    return subs ? mg_sx_read(c->m, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise)
                : x;
}

// The constant in v's type, as reads of v give it.
static const MgSx *element(Canon *c, const MgValue *v, MgDType type, MgBits stored) {
    MgDType compute = mg_dtype(v->dtype)->compute;
    if (type != v->dtype)
        stored = mg_prim_eval(MG_PRIM_CAST, type, v->dtype, &stored);
    if (compute != v->dtype)
        stored = mg_prim_eval(MG_PRIM_CAST, v->dtype, compute, &stored);
    return mg_sx_const(c->m, compute, stored);
}

// The element that x reads, if x reads a known place of a constant, or a value whose elements are
// all the same constant; else x.
static const MgSx *known_element(Canon *c, const MgSx *x) {
    const MgValue *v = mg_value(c->g, c->op->operands[x->operand]);
    const MgOp *def = mg_def(c->g, c->op->operands[x->operand]);
    const MgPiece *p = mg_only_piece(def);
    if (p && !p->scatter && x->bounds == MG_BOUNDS_PROVED && p->reducer == MG_REDUCE_NONE &&
        p->expr->kind == MG_SX_CONST)
        return element(c, v, p->expr->dtype, p->expr->bits);
    if (!def || def->kind != MG_OP_CONST || !def->data)
        return x;
    size_t at = 0;
    for (uint32_t i = 0; i < v->rank; i++) {
        int64_t sub, extent;
        if (x->args[i]->kind != MG_SX_IX || !mg_ix_is_const(c->m->ix, x->args[i]->ix, &sub) ||
            !mg_ix_is_const(c->m->ix, v->shape[i], &extent) || sub < 0 || sub >= extent)
            return x;
        at = at * (size_t)extent + (size_t)sub;
    }
    return element(c, v, v->dtype, mg_bits_at(v->dtype, def->data, at));
}

static void explain(Canon *c, const MgSx *read, MgProof inside) {
    if (c->context->guard)
        c->context->guard(c->context->guard_ctx, c->g, c->op, c->piece, read, inside);
}

static const MgSx *simplify_read(Canon *c, const MgSx *x) {
    x = with_index_subs(c, x);
    const MgSx *known = known_element(c, x);
    if (known != x)
        return known;
    if (x->bounds == MG_BOUNDS_PROVED)
        return x;
    MgProof inside = mg_read_inside(c->g, c->op, x, &c->ranges, c->facts, c->n_facts);
    bool outside = inside == MG_REFUTED && x->bounds == MG_BOUNDS_ELSE;
    if (outside || inside == MG_PROVED)
        explain(c, x, inside);
    if (outside)
        return x->otherwise;
    return inside == MG_PROVED
               ? mg_sx_read(c->m, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_PROVED, NULL)
               : x;
}

// The expression of every element of v, or of the value whose elements v only moves. NULL if there
// is none.
static const MgSx *made_of(Canon *c, MgValueId v) {
    for (;;) {
        const MgOp *def = mg_def(c->g, v);
        const MgPiece *p = mg_only_piece(def);
        if (!p || def->equation->has_base || p->reducer != MG_REDUCE_NONE)
            return NULL;
        const MgSx *made = p->expr;
        if (made->kind != MG_SX_READ || made->bounds != MG_BOUNDS_PROVED ||
            mg_value(c->g, v)->dtype != made->dtype)
            return made;
        v = def->operands[made->operand];
    }
}

// max(v, c) is v if v is max(…, c) at every point, as a ReLU of a ReLU is. min works alike.
static const MgSx *drop_repeated(Canon *c, const MgSx *x) {
    if (x->kind != MG_SX_PRIM || (x->prim != MG_PRIM_MAX && x->prim != MG_PRIM_MIN))
        return x;
    for (int side = 0; side < 2; side++) {
        const MgSx *read = x->args[side], *bound = x->args[1 - side];
        if (read->kind != MG_SX_READ || read->bounds != MG_BOUNDS_PROVED ||
            bound->kind != MG_SX_CONST)
            continue;
        MgValueId v = c->op->operands[read->operand];
        const MgSx *made = mg_value(c->g, v)->dtype == x->dtype ? made_of(c, v) : NULL;
        if (made && made->kind == MG_SX_PRIM && made->prim == x->prim && made->dtype == x->dtype &&
            mg_sx_equal(made->args[1 - side], bound))
            return read;
    }
    return x;
}

static bool may_apply(void *ctx, uint32_t row) {
    Canon *c = ctx;
    MgRuleCount *count = c->context->rules ? &c->context->rules[row] : NULL;
    if (!count)
        return true;
    count->counted++;
    if (count->counted < count->first || count->counted > count->last) {
        c->held[c->id] = true;
        return false;
    }
    count->made++;
    mg_push(c->context->scratch, &c->applied, row);
    return true;
}

static const MgSx *simplify_prim(Canon *c, const MgSx *x) {
    for (const MgSx *before = NULL; x != before && x->kind == MG_SX_PRIM;) {
        before = x;
        x = mg_simplify_prim(c->m, x);
        if (x == before)
            x = mg_rules_apply(c->exact, c->m, x, may_apply, c);
    }
    return x;
}

static const MgSx *simplify(void *ctx, const MgSx *x) {
    Canon *c = ctx;
    int64_t value;
    if (x->kind == MG_SX_READ)
        return simplify_read(c, x);
    if (x->kind == MG_SX_PRIM)
        return drop_repeated(c, simplify_prim(c, x));
    if (x->kind != MG_SX_IX)
        return x;
    MgIx ix = mg_ix_narrow(c->m->ix, x->ix, &c->ranges);
    if (mg_ix_is_const(c->m->ix, ix, &value))
        return mg_sx_int(c->m, x->dtype, value);
    return ix == x->ix ? x : mg_sx_ix(c->m, x->dtype, ix);
}

// Exact rules have been tried before.
static bool may_loosen(void *ctx, uint32_t row) {
    uint32_t n;
    return mg_rule_rows(&n)[row].class != MG_RULE_EXACT && may_apply(ctx, row);
}

static const MgSx *loosen(void *ctx, const MgSx *x) {
    Canon *c = ctx;
    if (x->kind != MG_SX_PRIM || mg_sx_in(&c->fixed, x))
        return x;
    const MgSx *y = mg_rules_apply(c->all, c->m, x, may_loosen, c);
    return y == x ? x : simplify_prim(c, y);
}

// Applies the rules that may round differently, where rounding is not fixed. The new nodes of a
// rewrite don't have fixed rounding, since everything below such a node would have it too.
static bool loosen_pieces(Canon *c, MgOpId id, MgEquation *e) {
    if (!c->all)
        return false;
    mg_map_init(&c->fixed, c->context->scratch);
    MgEquation *before = mg_op(c->g, id)->equation;
    mg_op(c->g, id)->equation = e;
    mg_rounding_fixed(&c->rounding, c->g, id, &c->fixed);
    mg_op(c->g, id)->equation = before;
    bool changed = false;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        const MgSx *expr = mg_sx_rewrite(c->m, e->pieces[i].expr, loosen, c);
        if (expr == e->pieces[i].expr || mg_sx_equal(expr, e->pieces[i].expr))
            continue;
        e->pieces[i].expr = expr;
        changed = true;
    }
    return changed;
}

// ---------------------------------------------------------------- indices of one point

static bool is_one_point(MgIxTable *t, const MgIndex *index) {
    return index->high == mg_ix_add(t, index->low, mg_ix_const(t, 1));
}

static bool in_tuple(const MgPiece *p, uint32_t rank, uint32_t position) {
    for (uint32_t d = 0; d < rank; d++)
        for (uint32_t i = 0; i < p->target[d].n_tuple; i++)
            if (p->target[d].tuple[i] == position)
                return p->target[d].n_tuple > 1;
    return false;
}

static bool drop_points(Canon *c, MgOpId id, MgPiece *p) {
    MgIxTable *t = c->m->ix;
    uint32_t rank = mg_value(c->g, mg_op(c->g, id)->results[0])->rank;
    bool changed = false,
         position = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
    if (p->scatter)
        return false;
    for (uint32_t i = p->n_indices; i-- > 0;) {
        bool bound = i >= p->n_free;
        if (!is_one_point(t, &p->indices[i]) || (!bound && !in_tuple(p, rank, i)) ||
            (bound && position && p->n_indices == p->n_free + 1))
            continue;
        mg_drop_index(c->g, id, p, i, p->indices[i].low);
        changed = true;
    }
    if (p->reducer != MG_REDUCE_NONE && p->n_indices == p->n_free && !position) {
        p->reducer = MG_REDUCE_NONE; // a sum of one term is the term
        changed = true;
    }
    return changed;
}

// ---------------------------------------------------------------- scatters that fill a box

// The index i with sub = i + shift, which takes the coordinate from 0 to its extent. False if there
// is none.
static bool fills(Canon *c, const MgPiece *p, MgIx sub, MgIx extent, uint32_t *index, MgIx *shift) {
    MgIxTable *t = c->m->ix;
    MgIx by;
    for (*index = 0; *index < p->n_indices; ++*index) {
        const MgIndex *i = &p->indices[*index];
        if (mg_ix_linear(t, sub, mg_ix_index(t, *index), &by, shift) && by == mg_ix_const(t, 1) &&
            !mg_ix_mentions_index(t, *shift) && mg_ix_add(t, i->low, *shift) == mg_ix_const(t, 0) &&
            mg_ix_add(t, i->high, *shift) == extent)
            return true;
    }
    return false;
}

// Makes a scatter that writes every place once an equation over the box of its result.
static bool fill_box(Canon *c, MgOpId id, MgEquation *e) {
    MgIxTable *t = c->m->ix;
    MgPiece *p = &e->pieces[0];
    const MgValue *v = mg_value(c->g, mg_op(c->g, id)->results[0]);
    if (!p->scatter || p->n_indices != v->rank || p->reducer == MG_REDUCE_ARGMAX ||
        p->reducer == MG_REDUCE_ARGMIN || (e->has_base && p->reducer != MG_REDUCE_LAST))
        return false;
    MgIndex *indices = MG_NEW_N(c->context->scratch, MgIndex, v->rank);
    MgIx *with = MG_NEW_N(c->context->scratch, MgIx, v->rank);
    for (uint32_t d = 0; d < v->rank; d++) {
        const MgSx *sub = p->target[d].sub;
        uint32_t index;
        MgIx shift;
        if (sub->kind != MG_SX_IX || !fills(c, p, sub->ix, v->shape[d], &index, &shift) ||
            with[index])
            return false;
        indices[d] = (MgIndex){p->indices[index].name, mg_ix_const(t, 0), v->shape[d]};
        with[index] = mg_ix_sub(t, mg_ix_idx(t, d), shift);
    }
    *p = (MgPiece){.indices = mg_arena_copy(c->m->arena, indices, v->rank, sizeof *indices),
                   .n_free = v->rank,
                   .n_indices = v->rank,
                   .target = mg_plain_target(c->m, v->rank),
                   .expr = mg_sx_subst_indices(c->m, p->expr, with, v->rank)};
    e->has_base = false;
    return true;
}

// Simplifies the subscripts of what a piece writes.
static bool simplify_target(Canon *c, MgPiece *p, uint32_t rank) {
    bool changed = false;
    for (uint32_t d = 0; d < rank; d++) {
        const MgSx *old = p->target[d].sub;
        const MgSx *sub = old->kind == MG_SX_IX ? old : mg_sx_rewrite(c->m, old, simplify, c);
        if (sub == old || mg_sx_equal(sub, old))
            continue;
        if (!changed)
            p->target = mg_arena_copy(c->m->arena, p->target, rank, sizeof *p->target);
        p->target[d].sub = sub->kind == MG_SX_CONST ? as_index(c, sub) : sub;
        changed = true;
    }
    return changed;
}

// ---------------------------------------------------------------- one op

static bool is_empty(MgIxTable *t, const MgPiece *p) {
    for (uint32_t i = 0; i < p->n_free && !p->scatter; i++) {
        int64_t size;
        if (mg_ix_is_const(t, mg_ix_sub(t, p->indices[i].high, p->indices[i].low), &size) &&
            size <= 0)
            return true;
    }
    return false;
}

// A piece that covers a tensor without elements and reads nothing.
static MgPiece of_nothing(Canon *c, const MgValue *v) {
    MgIxTable *t = c->m->ix;
    MgIndex *indices = MG_NEW_N(c->m->arena, MgIndex, v->rank);
    MgTarget *target = mg_plain_target(c->m, v->rank);
    for (uint32_t d = 0; d < v->rank; d++) {
        MgSym name = mg_symf(c->m->session->names, "s%u", d);
        indices[d] = (MgIndex){name, mg_ix_const(t, 0), v->shape[d]};
    }
    return (MgPiece){.indices = indices,
                     .n_free = v->rank,
                     .n_indices = v->rank,
                     .target = target,
                     .expr = mg_sx_const(c->m, mg_dtype(v->dtype)->compute, 0)};
}

// Drops pieces without a point, such as a part of size 0 in a concatenation. If no piece has a
// point, one is left, which reads nothing.
static bool drop_empty(Canon *c, MgOpId id, MgEquation *e) {
    const MgOp *op = mg_op(c->g, id);
    uint32_t n = 0, before = e->n_pieces;
    for (uint32_t i = 0; i < before; i++)
        if (!is_empty(c->m->ix, &e->pieces[i]))
            e->pieces[n++] = e->pieces[i];
    bool nothing = n == 0;
    if (nothing && before == 1 && !op->n_operands)
        return false;
    if (nothing)
        e->pieces[n++] = of_nothing(c, mg_value(c->g, op->results[0]));
    e->n_pieces = n;
    return nothing || n < before;
}

// One round over an op. A rule's result may match another rule, and without a removed index a read
// may be proved inside.
static bool canonicalise(Canon *c, MgOpId id) {
    MgOp *op = mg_op(c->g, id);
    MgEquation *e = mg_arena_copy(c->m->arena, op->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(c->m->arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    bool changed = drop_empty(c, id, e);
    uint32_t rank = mg_value(c->g, op->results[0])->rank;
    c->op = op;
    c->id = id;
    c->applied.len = 0;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        changed |= drop_points(c, id, p);
        c->piece = p;
        c->ranges = mg_piece_ranges(p, c->context->scratch);
        changed |= simplify_target(c, p, rank);
        const MgSx *expr = mg_sx_rewrite(c->m, p->expr, simplify, c);
        if (expr == p->expr || mg_sx_equal(expr, p->expr))
            continue;
        p->expr = expr;
        changed = true;
    }
    changed |= loosen_pieces(c, id, e);
    changed |= fill_box(c, id, e);
    if (changed && !mg_pass_may(c->context, id)) {
        changed = false;
        c->held[id] = true;
        for (uint32_t i = 0; i < c->applied.len; i++)
            c->context->rules[c->applied.at[i]].made--;
    }
    if (changed)
        op->equation = e;
    return mg_normalise_operands(c->g, id, c->context->scratch) || changed;
}

// Drops requires that always hold.
static bool drop_requires(MgGraph *g) {
    uint32_t n = 0;
    int64_t v;
    for (uint32_t i = 0; i < g->requires.len; i++)
        if (!mg_ix_is_const(g->module->ix, g->requires.at[i].nonnegative, &v) || v < 0)
    g->requires.at[n++] = g->requires.at[i];
    bool changed = n < g->requires.len;
    g->requires.len = n;
    return changed;
}

static bool one_round(Canon *c) {
    MgGraph *g = c->g;
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++)
        while (!c->held[id] && mg_op(g, id)->kind == MG_OP_EQUATION && canonicalise(c, id))
            changed = true;
    return changed;
}

bool mg_pass_canonicalise(MgGraph *g, MgPassContext *context) {
    Canon c = {.g = g, .m = g->module, .context = context};
    uint32_t n;
    const MgRuleRow *rows = mg_rule_rows(&n);
    bool changed = drop_requires(g);
    c.exact = mg_rules_new(context->scratch, rows, n, 0, true);
    if (context->level >= 2 && !context->strict) {
        c.all = mg_rules_new(context->scratch, rows, n, context->level, false);
        c.rounding = mg_rounding(g, context->scratch);
    }
    c.n_facts = mg_graph_facts(g, context->scratch, &c.facts);
    c.held = MG_NEW_N(context->scratch, bool, g->ops.len);
    while (one_round(&c)) // a rewrite of one op may enable another
        changed = true;
    return changed;
}
