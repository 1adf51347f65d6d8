// The verifier of equations: ranges, types, bounds of reads and writes, and pieces that partition
// their target.
#include "ir/equation.h"
#include "ir/verify_internal.h"

typedef struct Check {
    MgVerifier *v;
    MgOpId id;
    const MgOp *op;
    const MgPiece *piece;
    MgIxRanges ranges;
    bool ok;
} Check;

static void fail(Check *c, const char *what) {
    if (c->ok)
        mg_verify_fail(c->v, c->id, what);
    c->ok = false;
}

static MgIxTable *table(const Check *c) {
    return c->v->g->module->ix;
}

// ---------------------------------------------------------------- proofs

static bool is_nonnegative(void *ctx, MgIx x) {
    const Check *c = ctx;
    return c->v->never ||
           mg_ix_nonnegative(table(c), x, &c->ranges, c->v->facts.at, c->v->facts.len) == MG_PROVED;
}

static bool nonnegative(Check *c, MgIx x) {
    return is_nonnegative(c, x);
}

static bool is_inside(Check *c, const MgSx *sub, uint32_t axis, MgValueId value) {
    MgIxTable *t = table(c);
    MgIx last = mg_ix_sub(t, mg_value(c->v->g, value)->shape[axis], mg_ix_const(t, 1));
    return mg_sub_within(t, sub, mg_ix_const(t, 0), true, is_nonnegative, c) &&
           mg_sub_within(t, sub, last, false, is_nonnegative, c);
}

static void check_inside(Check *c, const MgSx *sub, uint32_t axis, MgValueId value) {
    const MgValue *v = mg_value(c->v->g, value);
    if (!c->ok || is_inside(c, sub, axis, value))
        return;
    mg_diag(c->v->g->module->session, mg_verify_span(c->v, c->id), MG_D_verify_bounds,
            mg_verify_name(c->v, c->id), axis, mg_name(c->v->g->module->session->names, v->name));
    c->v->ok = c->ok = false;
}

// ---------------------------------------------------------------- expressions

static bool indices_known(Check *c, MgIx x) {
    MgIxSym *syms;
    uint32_t n = mg_ix_symbols(table(c), x, c->v->arena, &syms), position;
    for (uint32_t i = 0; i < n; i++)
        if (mg_ix_sym_is_index(table(c), syms[i], &position) && position >= c->ranges.n)
            return false;
    return x != MG_IX_ERROR;
}

static void check_prim(Check *c, const MgSx *x) {
    const MgPrimRow *row = mg_prim(x->prim);
    uint32_t first = x->prim == MG_PRIM_WHERE ? 1 : 0;
    if (x->n_args != row->arity) {
        fail(c, "a primitive has the wrong number of operands");
        return;
    }
    MgDType d = x->args[first]->dtype;
    for (uint32_t i = first; i < x->n_args; i++)
        if (x->args[i]->dtype != d)
            fail(c, "a primitive's operands differ in type");
    if (first && x->args[0]->dtype != MG_BOOL)
        fail(c, "a condition is not bool");
    if (!mg_operands_admit(row->operands, d))
        fail(c, "a primitive is applied to a type that it doesn't take");
    if (row->result != MG_RESULT_CONVERT &&
        x->dtype != (row->result == MG_RESULT_BOOL ? MG_BOOL : d))
        fail(c, "a primitive's result has the wrong type");
}

static void check_read(Check *c, const MgSx *x) {
    if (x->operand >= c->op->n_operands) {
        fail(c, "a read names no operand");
        return;
    }
    MgValueId value = c->op->operands[x->operand];
    const MgValue *v = mg_value(c->v->g, value);
    if (x->n_args != v->rank)
        fail(c, "the number of a read's subscripts is not its operand's rank");
    else if (x->dtype != mg_dtype(v->dtype)->compute)
        fail(c, "a read is not of its operand's compute type");
    else if ((x->bounds == MG_BOUNDS_ELSE) != (x->otherwise != NULL))
        fail(c, "a read has an `else` without a value, or a value without `else`");
    else if (x->otherwise && x->otherwise->dtype != x->dtype)
        fail(c, "the `else` of a read has another type");
    for (uint32_t i = 0; c->ok && i < x->n_args; i++) {
        if (x->args[i]->dtype != MG_I64)
            fail(c, "a subscript is not i64");
        else if (x->bounds == MG_BOUNDS_PROVED)
            check_inside(c, x->args[i], i, value);
    }
}

static void check_node(void *ctx, const MgSx *x) {
    Check *c = ctx;
    if (!c->ok)
        return;
    if (x->kind == MG_SX_PRIM)
        check_prim(c, x);
    else if (x->kind == MG_SX_READ)
        check_read(c, x);
    else if (x->kind == MG_SX_IX && !indices_known(c, x->ix))
        fail(c, "an expression mentions an index that the equation doesn't have");
    else if (x->kind == MG_SX_IX && x->dtype == MG_BOOL)
        fail(c, "an integer expression is of type bool");
}

// ---------------------------------------------------------------- pieces

static void check_ranges(Check *c) {
    const MgPiece *p = c->piece;
    if (p->n_free > p->n_indices || (p->reducer == MG_REDUCE_NONE) != (p->n_free == p->n_indices))
        fail(c, "a piece's indices don't fit its reducer");
    for (uint32_t i = 0; c->ok && i < p->n_indices; i++) {
        c->ranges.n = i; // a range may mention only earlier indices
        if (!indices_known(c, p->indices[i].low) || !indices_known(c, p->indices[i].high))
            fail(c, "a range mentions an index that comes later");
        for (uint32_t k = 0; k < i; k++)
            if (p->indices[k].name == p->indices[i].name)
                fail(c, "two indices have the same name");
    }
    c->ranges.n = p->n_indices;
}

static void check_target(Check *c, uint32_t axis) {
    const MgTarget *target = &c->piece->target[axis];
    MgIxTable *t = table(c);
    MgIx number = mg_ix_const(t, 0), places = mg_ix_const(t, 1);
    if (target->sub->dtype != MG_I64)
        fail(c, "a target subscript is not i64");
    for (uint32_t i = 0; i < target->n_tuple; i++) {
        if (target->tuple[i] >= c->piece->n_indices) {
            fail(c, "a tuple names no index");
            return;
        }
        const MgIndex *index = &c->piece->indices[target->tuple[i]];
        if (index->low != mg_ix_const(t, 0))
            fail(c, "an index of a tuple doesn't start at 0");
        number = mg_ix_add(t, mg_ix_mul(t, number, index->high), mg_ix_idx(t, target->tuple[i]));
        places = mg_ix_mul(t, places, index->high);
    }
    if (target->n_tuple && (target->sub->kind != MG_SX_IX || target->sub->ix != number))
        fail(c, "a tuple's number is not the row-major one");
    mg_sx_walk(target->sub, check_node, c);
    // By its form, a tuple has as many places as there are tuples.
    bool all = target->n_tuple && places == mg_value(c->v->g, c->op->results[0])->shape[axis];
    if (c->ok && !all && (!c->piece->scatter || c->piece->write == MG_BOUNDS_PROVED))
        check_inside(c, target->sub, axis, c->op->results[0]);
}

static void check_types(Check *c) {
    const MgPiece *p = c->piece;
    MgDType target = mg_dtype(mg_value(c->v->g, c->op->results[0])->dtype)->compute;
    bool position = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
    if (position ? target != MG_I64 : p->expr->dtype != target)
        fail(c, "the expression is not of the target's compute type");
    if (p->reducer != MG_REDUCE_NONE &&
        !mg_operands_admit(mg_reducer(p->reducer)->operands, p->expr->dtype))
        fail(c, "a reducer is applied to a type that it doesn't take");
    if (p->scatter && p->reducer == MG_REDUCE_NONE)
        fail(c, "a computed write without a reduction");
}

// The number of points in the free box; MG_IX_ERROR if its sides depend on each other.
static MgIx volume(MgIxTable *t, const MgPiece *p) {
    MgIx product = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < p->n_free; i++) {
        MgIx extent = mg_ix_sub(t, p->indices[i].high, p->indices[i].low);
        if (mg_ix_mentions_index(t, extent))
            return MG_IX_ERROR;
        product = mg_ix_mul(t, product, extent);
    }
    return product;
}

// The range [low, high) of a target subscript that is a plain index or one fixed place. False if it
// is neither.
static bool side(Check *c, const MgPiece *p, uint32_t axis, MgIx *low, MgIx *high) {
    MgIxSym s;
    uint32_t position;
    const MgSx *sub = p->target[axis].sub;
    if (sub->kind == MG_SX_IX && !mg_ix_mentions_index(table(c), sub->ix)) {
        *low = sub->ix;
        *high = mg_ix_add(table(c), sub->ix, mg_ix_const(table(c), 1));
        return true;
    }
    if (sub->kind != MG_SX_IX || !mg_ix_is_sym(table(c), sub->ix, &s) ||
        !mg_ix_sym_is_index(table(c), s, &position) || position >= p->n_free)
        return false;
    *low = p->indices[position].low;
    *high = p->indices[position].high;
    return true;
}

static bool are_disjoint(Check *c, const MgPiece *a, const MgPiece *b, uint32_t rank) {
    MgIxTable *t = table(c);
    c->ranges.n = 0;
    MgIx none = mg_ix_const(t, 0);
    if (volume(t, a) == none || volume(t, b) == none)
        return true;
    for (uint32_t axis = 0; axis < rank; axis++) {
        MgIx low_a, high_a, low_b, high_b;
        if (side(c, a, axis, &low_a, &high_a) && side(c, b, axis, &low_b, &high_b) &&
            (nonnegative(c, mg_ix_sub(t, low_b, high_a)) ||
             nonnegative(c, mg_ix_sub(t, low_a, high_b))))
            return true;
    }
    return false;
}

// Do the pieces follow one another along an axis, like those of a concatenation? Then they are
// disjoint, and pairs need not be compared.
static bool follow_along(Check *c, const MgEquation *e, uint32_t axis) {
    MgIxTable *t = table(c);
    MgIx low, high, end = mg_ix_const(t, 0);
    c->ranges.n = 0;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        if (!side(c, &e->pieces[i], axis, &low, &high) || !nonnegative(c, mg_ix_sub(t, low, end)) ||
            !nonnegative(c, mg_ix_sub(t, high, low)))
            return false;
        end = high;
    }
    return true;
}

static void check_partition(Check *c) {
    const MgEquation *e = c->op->equation;
    MgIxTable *t = table(c);
    MgSession *session = c->v->g->module->session;
    const MgValue *v = mg_value(c->v->g, c->op->results[0]);
    MgIx sum = mg_ix_const(t, 0);
    bool follow = false;
    for (uint32_t axis = 0; axis < v->rank && !follow; axis++)
        follow = follow_along(c, e, axis);
    for (uint32_t i = 0; i < e->n_pieces && c->ok; i++) {
        sum = mg_ix_add(t, sum, volume(t, &e->pieces[i]));
        for (uint32_t k = 0; k < i && c->ok && !follow; k++)
            if (!are_disjoint(c, &e->pieces[k], &e->pieces[i], v->rank)) {
                mg_diag(session, mg_verify_span(c->v, c->id), MG_D_verify_pieces,
                        mg_verify_name(c->v, c->id), k + 1, i + 1);
                c->v->ok = c->ok = false;
            }
    }
    c->ranges.n = 0;
    MgIx missing = mg_ix_sub(t, mg_ix_product(t, v->shape, v->rank), sum);
    bool whole = missing == mg_ix_const(t, 0) ||
                 (nonnegative(c, missing) && nonnegative(c, mg_ix_neg(t, missing)));
    if (c->ok && !whole) {
        mg_diag(session, mg_verify_span(c->v, c->id), MG_D_verify_cover,
                mg_verify_name(c->v, c->id));
        c->v->ok = c->ok = false;
    }
}

void mg_verify_equation(MgVerifier *v, MgOpId id) {
    const MgOp *op = mg_op(v->g, id);
    const MgEquation *e = op->equation;
    Check c = {.v = v, .id = id, .op = op, .ok = true};
    if (!e || !e->n_pieces || (e->has_base && !op->n_operands)) {
        fail(&c, "an equation has no piece, or no base where it says so");
        return;
    }
    uint32_t rank = mg_value(v->g, op->results[0])->rank;
    for (uint32_t i = 0; i < e->n_pieces && c.ok; i++) {
        c.piece = &e->pieces[i];
        c.ranges = mg_piece_ranges(c.piece, v->arena);
        check_ranges(&c);
        if (c.ok)
            mg_sx_walk(c.piece->expr, check_node, &c);
        if (c.ok)
            check_types(&c);
        for (uint32_t axis = 0; axis < rank && c.ok; axis++)
            check_target(&c, axis);
    }
    bool scatter = e->pieces[0].scatter;
    if (c.ok && (scatter ? e->n_pieces > 1 : e->has_base))
        fail(&c, "a base without a computed write, or several pieces with one");
    if (c.ok && !scatter)
        check_partition(&c);
}

// ---------------------------------------------------------------- guards

static const MgSx *guard_read(void *ctx, const MgSx *x) {
    Check *c = ctx;
    MgModule *m = c->v->g->module;
    bool inside = true;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED)
        return x;
    for (uint32_t i = 0; i < x->n_args && inside; i++)
        inside = is_inside(c, x->args[i], i, c->op->operands[x->operand]);
    return inside ? x
                  : mg_sx_read(m, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_ELSE,
                               mg_sx_const(m, x->dtype, 0));
}

void mg_guard_equation(MgVerifier *v, MgOpId id) {
    Check c = {.v = v, .id = id, .op = mg_op(v->g, id), .ok = true};
    for (uint32_t i = 0; i < c.op->equation->n_pieces; i++) {
        MgPiece *piece = &c.op->equation->pieces[i];
        c.piece = piece;
        c.ranges = mg_piece_ranges(piece, v->arena);
        piece->expr = mg_sx_rewrite(v->g->module, piece->expr, guard_read, &c);
    }
}
