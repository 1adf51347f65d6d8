// One piece of an equation during its derivation, and the adjoint that its reducer passes to a
// term:
//
//   sum         the adjoint
//   mean        the adjoint, divided by the number of terms
//   max, min    the adjoint at the first term that attains the extreme
//   prod        the adjoint, times the products of the terms before and after
//   last        the adjoint at the last term
//
// These factors are the same for the tangent of a term, which replaces the adjoint.
#include "derive/part.h"

// ---------------------------------------------------------------- positions

static uint32_t same_value(void *ctx, uint32_t k) {
    const MgOp *op = ctx;
    return op->operands[k];
}

const MgSx *mg_name_values(MgDerivation *d, const MgOp *op, const MgSx *x) {
    MgIx *with = MG_NEW_N(d->scratch, MgIx, MG_DRAFT_INDICES);
    for (uint32_t i = 0; i < MG_DRAFT_INDICES; i++)
        with[i] = mg_ix_idx(d->ix, d->n_extra + i);
    MgSxMap map = {d->m, with, MG_DRAFT_INDICES, same_value, (void *)(uintptr_t)op, {0}};
    mg_map_init(&map.done, d->scratch);
    return mg_sx_map(&map, x);
}

static void add_extras(MgDraft *draft) {
    MgDerivation *d = draft->d;
    for (uint32_t i = 0; i < d->n_extra; i++)
        mg_draft_index(draft, mg_symf(d->m->session->names, "e%u", i), mg_ix_const(d->ix, 0),
                       d->extra[i]);
}

bool mg_part_open(Part *p, const MgPiece *piece) {
    MgDerivation *d = p->d;
    const MgOp *op = mg_op(d->g, p->op);
    MgIx zero = mg_ix_const(d->ix, 0), with[MG_DRAFT_INDICES];
    uint32_t rank = mg_value(d->g, p->result)->rank;
    p->draft = (MgDraft){.d = d};
    if (2 * (d->n_extra + piece->n_indices) > MG_DRAFT_INDICES - rank)
        return mg_derive_refuse(d, p->op, "it has too many indices");
    add_extras(&p->draft);
    p->first = d->n_extra;
    p->n_free = p->first + piece->n_free;
    p->n = p->first + piece->n_indices;
    p->reducer = piece->reducer;
    p->scatter = piece->scatter;
    p->write = piece->scatter ? piece->write : MG_BOUNDS_PROVED;
    for (uint32_t i = 0; i < piece->n_indices; i++) { // free indices begin at 0
        const MgIndex *index = &piece->indices[i];
        MgIx low = mg_ix_subst_indices(d->ix, index->low, with, i),
             high = mg_ix_subst_indices(d->ix, index->high, with, i),
             at = mg_ix_idx(d->ix, p->first + i);
        bool shift = i < piece->n_free && low != zero;
        with[i] = shift ? mg_ix_add(d->ix, at, low) : at;
        mg_draft_index(&p->draft, index->name, shift ? zero : low,
                       shift ? mg_ix_sub(d->ix, high, low) : high);
    }
    MgSxMap map = {d->m, with, piece->n_indices, same_value, (void *)(uintptr_t)op, {0}};
    mg_map_init(&map.done, d->scratch);
    p->body = mg_sx_map(&map, piece->expr);
    p->target = MG_NEW_N(d->scratch, MgTarget, rank);
    for (uint32_t k = 0; k < rank; k++)
        p->target[k].sub = mg_sx_map(&map, piece->target[k].sub);
    if (op->equation->has_base)
        p->base = mg_part_place(p, op->operands[op->n_operands - 1], false, NULL);
    return true;
}

// ---------------------------------------------------------------- values at the piece's place

const MgSx *mg_part_place(Part *p, MgValueId v, bool extras, const MgSx *otherwise) {
    MgDerivation *d = p->d;
    uint32_t rank = mg_value(d->g, p->result)->rank, n = 0;
    const MgSx *subs[2 * MG_DRAFT_INDICES];
    for (uint32_t i = 0; extras && i < d->n_extra; i++)
        subs[n++] = mg_derive_ix(d, mg_ix_idx(d->ix, i));
    for (uint32_t k = 0; k < rank; k++)
        subs[n++] = p->target[k].sub;
    MgDType type = mg_dtype(mg_value(d->g, v)->dtype)->compute;
    if (p->write == MG_BOUNDS_ELSE && !otherwise)
        otherwise = mg_sx_int(d->m, type, 0);
    return mg_sx_read(d->m, v, type, subs, n, p->write,
                      p->write == MG_BOUNDS_ELSE ? otherwise : NULL);
}

// An equation over the piece's points that helps its derivative: a reduction like the piece's own,
// but of another expression, into its free indices or, for a scatter, into its places. Returns a
// read of it.
static const MgSx *reduce_like(Part *p, const char *suffix, MgReducer reducer, const MgSx *expr,
                               const MgSx *otherwise) {
    MgDerivation *d = p->d;
    MgNames *names = d->m->session->names;
    const MgValue y = *mg_value(d->g, p->result);
    MgDraft draft = p->draft;
    MgIx shape[MG_DRAFT_INDICES];
    draft.reducer = reducer;
    draft.scatter = p->scatter;
    draft.write = p->write;
    draft.expr = expr;
    for (uint32_t i = p->first; i < p->n_free; i++)
        if (p->scatter)
            draft.free[draft.n_free++] = i;
        else
            mg_draft_target(&draft, i);
    for (uint32_t i = p->n_free; i < p->n; i++)
        draft.bound[draft.n_bound++] = i;
    for (uint32_t k = 0; p->scatter && k < y.rank; k++)
        draft.target[draft.rank++] = p->target[k];
    for (uint32_t k = 0; k < draft.rank; k++)
        shape[k] = p->scatter ? y.shape[k] : draft.at[draft.free[k]].high;
    bool place = reducer == MG_REDUCE_ARGMAX || reducer == MG_REDUCE_ARGMIN;
    MgDType type = place ? MG_I64 : expr->dtype;
    MgValueId v =
        mg_draft_emit(&draft, mg_symf(names, "%s_%s", mg_name(names, y.name), suffix), type, shape);
    if (p->scatter)
        return mg_part_place(p, v, false, otherwise);
    const MgSx *subs[MG_DRAFT_INDICES];
    for (uint32_t k = 0; k < draft.rank; k++)
        subs[k] = draft.target[k].sub;
    return mg_sx_read(d->m, v, type, subs, draft.rank, MG_BOUNDS_PROVED, NULL);
}

// Do the ranges of bound indices depend on no other bound index?
static bool is_box(const Part *p) {
    for (uint32_t i = p->n_free; i < p->n; i++)
        for (uint32_t k = p->n_free; k < i; k++) {
            MgIxSym s = mg_ix_index(p->d->ix, k);
            if (mg_ix_mentions(p->d->ix, p->draft.at[i].low, s) ||
                mg_ix_mentions(p->d->ix, p->draft.at[i].high, s))
                return false;
        }
    return true;
}

// The number of a term among the piece's bound points, in row-major order.
static MgIx term_number(const Part *p) {
    MgIxTable *t = p->d->ix;
    MgIx number = mg_ix_const(t, 0);
    for (uint32_t i = p->n_free; i < p->n; i++) {
        const MgIndex *index = &p->draft.at[i];
        number = mg_ix_add(t, mg_ix_mul(t, number, mg_ix_sub(t, index->high, index->low)),
                           mg_ix_sub(t, mg_ix_idx(t, i), index->low));
    }
    return number;
}

// x at the end of the range of each earlier index that makes x largest (or smallest).
static MgIx extreme(Part *p, MgIx x, uint32_t before, bool largest) {
    MgIxTable *t = p->d->ix;
    for (uint32_t i = before; i-- > p->first;) {
        MgIx with[MG_DRAFT_INDICES], ends[2];
        if (!mg_ix_mentions(t, x, mg_ix_index(t, i)))
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            for (uint32_t j = 0; j < p->draft.n; j++)
                with[j] = mg_ix_idx(t, j);
            with[i] = k ? mg_ix_sub(t, p->draft.at[i].high, mg_ix_const(t, 1)) : p->draft.at[i].low;
            ends[k] = mg_ix_subst_indices(t, x, with, p->draft.n);
        }
        x = largest ? mg_ix_max(t, ends[0], ends[1]) : mg_ix_min(t, ends[0], ends[1]);
    }
    return x;
}

static bool is_proved(Part *p, MgIx nonnegative) {
    MgDerivation *d = p->d;
    MgIxRanges ranges = mg_draft_ranges(&p->draft);
    return mg_ix_nonnegative(d->ix, nonnegative, &ranges, d->facts, d->n_facts) == MG_PROVED;
}

// Gives each bound index a range that depends on no other index. Terms that the piece doesn't have
// become `identity`. False if this is impossible.
static bool make_box(Part *p, const MgSx *identity) {
    MgDerivation *d = p->d;
    const MgSx *inside = NULL;
    bool may_trap = false;
    for (uint32_t i = p->n_free; i < p->n; i++) {
        MgIndex *index = &p->draft.at[i];
        const MgIndex was = *index;
        if (!mg_ix_mentions_index(d->ix, was.low) && !mg_ix_mentions_index(d->ix, was.high))
            continue;
        index->low = extreme(p, was.low, i, false);
        index->high = extreme(p, was.high, i, true);
        if (!is_proved(p, mg_ix_sub(d->ix, was.low, index->low)) ||
            !is_proved(p, mg_ix_sub(d->ix, index->high, was.high)))
            return false;
        const MgSx *at = mg_derive_ix(d, mg_ix_idx(d->ix, i));
        inside = mg_derive_both(d, inside,
                                mg_derive_compare(d, MG_PRIM_GE, at, mg_derive_ix(d, was.low)));
        inside = mg_derive_both(d, inside,
                                mg_derive_compare(d, MG_PRIM_LT, at, mg_derive_ix(d, was.high)));
    }
    if (!inside)
        return true;
    const MgSx *args[] = {inside, mg_settle_reads(&p->draft, p->body, &may_trap), identity};
    p->body = mg_sx_prim(d->m, MG_PRIM_WHERE, p->body->dtype, args, 3);
    return !may_trap;
}

// ---------------------------------------------------------------- reducers

static const MgSx *count_terms(Part *p, MgDType type) {
    MgIxTable *t = p->d->ix;
    MgIx n = mg_ix_const(t, 1);
    bool box = !p->scatter;
    for (uint32_t i = p->n_free; i < p->n; i++) {
        box &= !mg_ix_mentions_index(t, p->draft.at[i].low) &&
               !mg_ix_mentions_index(t, p->draft.at[i].high);
        n = mg_ix_mul(t, n, mg_ix_sub(t, p->draft.at[i].high, p->draft.at[i].low));
    }
    int64_t known;
    if (box && mg_ix_is_const(t, n, &known))
        return mg_sx_double(p->d->m, type, (double)known);
    return box ? mg_sx_ix(p->d->m, type, n)
               : reduce_like(p, "count", MG_REDUCE_SUM, mg_sx_int(p->d->m, type, 1), NULL);
}

// Does the reduction have a term at every point of the result? Nothing is known from its indices,
// which have values only if it does.
static bool has_terms(const Part *p) {
    MgDerivation *d = p->d;
    bool has = true;
    for (uint32_t i = p->n_free; i < p->n && has; i++) {
        const MgIndex *index = &p->draft.at[i];
        MgIx more =
            mg_ix_sub(d->ix, mg_ix_sub(d->ix, index->high, index->low), mg_ix_const(d->ix, 1));
        has = mg_ix_nonnegative(d->ix, more, NULL, d->facts, d->n_facts) == MG_PROVED;
    }
    return has;
}

// Is a term, or the base, equal to the extreme y, or NaN as y then is?
static const MgSx *attains(MgDerivation *d, const MgSx *term, const MgSx *y) {
    const MgSx *equal = mg_derive_compare(d, MG_PRIM_EQ, term, y);
    if (!mg_is_float(term->dtype))
        return equal;
    const MgSx *nan = mg_sx_prim(d->m, MG_PRIM_ISNAN, MG_BOOL, &term, 1);
    return mg_sx_prim(d->m, MG_PRIM_OR, MG_BOOL, (const MgSx *[]){equal, nan}, 2);
}

// The adjoint if this term is the one that attains the extreme: the first of equal ones, and of
// those that are NaN. An argmax finds it, but not among no terms.
static const MgSx *at_extreme(Part *p, const MgSx *g) {
    MgDerivation *d = p->d;
    bool max = p->reducer == MG_REDUCE_MAX;
    const MgSx *number = mg_derive_ix(d, term_number(p));
    if (!p->scatter && has_terms(p)) {
        MgReducer place = max ? MG_REDUCE_ARGMAX : MG_REDUCE_ARGMIN;
        const MgSx *first = reduce_like(p, "at", place, p->body, NULL);
        return mg_derive_where(d, mg_derive_compare(d, MG_PRIM_EQ, number, first), g);
    }
    const MgSx *y = mg_part_place(p, p->result, false, NULL),
               *none = mg_sx_int(d->m, MG_I64, INT64_MAX);
    const MgSx *here = attains(d, p->body, y);
    if (p->base) { // it comes first
        const MgSx *base = attains(d, p->base, y);
        here = mg_derive_both(d, here, mg_sx_prim(d->m, MG_PRIM_NOT, MG_BOOL, &base, 1));
    }
    const MgSx *candidate =
        mg_sx_prim(d->m, MG_PRIM_WHERE, MG_I64, (const MgSx *[]){here, number, none}, 3);
    const MgSx *first = reduce_like(p, "at", MG_REDUCE_MIN, candidate, none);
    return mg_derive_where(d, mg_derive_compare(d, MG_PRIM_EQ, number, first), g);
}

static const MgSx *at_last(Part *p, const MgSx *g) {
    MgDerivation *d = p->d;
    const MgSx *number = mg_derive_ix(d, term_number(p)), *none = mg_sx_int(d->m, MG_I64, -1);
    const MgSx *last = reduce_like(p, "at", MG_REDUCE_MAX, number, none);
    return mg_derive_where(d, mg_derive_compare(d, MG_PRIM_EQ, number, last), g);
}

// The product of the terms before (or after) `level` at the piece's point, where terms are products
// of `body` over the bound indices inside it. Unlike a quotient, it is exact if terms are 0.
static const MgSx *product_beside(Part *p, uint32_t level, const MgSx *body, bool after) {
    MgDerivation *d = p->d;
    MgIxTable *t = d->ix;
    MgDraft draft = p->draft;
    MgNames *names = d->m->session->names;
    MgIx shape[MG_DRAFT_INDICES], with[MG_DRAFT_INDICES], one = mg_ix_const(t, 1);
    MgIx here = mg_ix_idx(t, level);
    draft.reducer = MG_REDUCE_PROD;
    for (uint32_t i = p->first; i <= level; i++)
        mg_draft_target(&draft, i);
    uint32_t other = mg_draft_index(
        &draft, mg_symf(names, "%s_other", mg_name(names, draft.at[level].name)),
        after ? mg_ix_add(t, here, one) : mg_ix_const(t, 0), after ? draft.at[level].high : here);
    draft.bound[draft.n_bound++] = other;
    for (uint32_t i = level + 1; i < p->n; i++)
        draft.bound[draft.n_bound++] = i;
    for (uint32_t i = 0; i < draft.n; i++)
        with[i] = mg_ix_idx(t, i == level ? other : i);
    draft.expr = mg_sx_subst_indices(d->m, body, with, draft.n);
    for (uint32_t k = 0; k < draft.rank; k++)
        shape[k] = draft.at[draft.free[k]].high;
    const char *y = mg_name(names, mg_value(d->g, p->result)->name);
    MgValueId v = mg_draft_emit(&draft, mg_symf(names, "%s_%s", y, after ? "after" : "before"),
                                body->dtype, shape);
    const MgSx *subs[MG_DRAFT_INDICES];
    for (uint32_t k = 0; k < draft.rank; k++)
        subs[k] = draft.target[k].sub;
    return mg_sx_read(d->m, v, body->dtype, subs, draft.rank, MG_BOUNDS_PROVED, NULL);
}

static const MgSx *choose(Part *p, const MgSx *condition, const MgSx *a, const MgSx *b) {
    return mg_sx_prim(p->d->m, MG_PRIM_WHERE, a->dtype, (const MgSx *[]){condition, a, b}, 3);
}

// For the terms that are multiplied into each place: the product of those that are not 0, and the
// number of zeros.
static void multiply_places(Part *p, const MgSx **product, const MgSx **zeros) {
    MgDerivation *d = p->d;
    MgDType type = p->body->dtype;
    const MgSx *is_zero = mg_derive_compare(d, MG_PRIM_EQ, p->body, mg_sx_double(d->m, type, 0));
    *product = reduce_like(p, "product", MG_REDUCE_PROD,
                           choose(p, is_zero, mg_sx_double(d->m, type, 1), p->body), NULL);
    *zeros = reduce_like(p, "zeros", MG_REDUCE_SUM,
                         choose(p, is_zero, mg_sx_int(d->m, MG_I64, 1), mg_sx_int(d->m, MG_I64, 0)),
                         NULL);
}

// The product of the other terms of the place, without this one, which may be 0.
static const MgSx *times_others_of_place(Part *p, const MgSx *g) {
    MgDerivation *d = p->d;
    const MgSx *product, *zeros, *zero = mg_sx_double(d->m, p->body->dtype, 0);
    multiply_places(p, &product, &zeros);
    const MgSx *is_zero = mg_derive_compare(d, MG_PRIM_EQ, p->body, zero);
    const MgSx *allowed =
        choose(p, is_zero, mg_sx_int(d->m, MG_I64, 1), mg_sx_int(d->m, MG_I64, 0));
    const MgSx *divisor = choose(p, is_zero, mg_sx_double(d->m, p->body->dtype, 1), p->body);
    g = mg_derive_binary(d, MG_PRIM_MUL, g, mg_derive_binary(d, MG_PRIM_DIV, product, divisor));
    if (p->base)
        g = mg_derive_binary(d, MG_PRIM_MUL, g, p->base);
    return mg_derive_where(d, mg_derive_compare(d, MG_PRIM_EQ, zeros, allowed), g);
}

static const MgSx *times_others(Part *p, const MgSx *g) {
    MgDerivation *d = p->d;
    if (p->scatter)
        return times_others_of_place(p, g);
    for (uint32_t level = p->n_free; level < p->n; level++)
        for (int after = 0; after < 2; after++)
            g = mg_derive_binary(d, MG_PRIM_MUL, g, product_beside(p, level, p->body, after));
    return g;
}

const MgSx *mg_part_term(Part *p, const MgSx *g) {
    switch (p->reducer) {
    case MG_REDUCE_MEAN:
        if (p->base) {
            mg_derive_refuse(p->d, p->op, "it is a mean over a base");
            return NULL;
        }
        return mg_derive_binary(p->d, MG_PRIM_DIV, g, count_terms(p, g->dtype));
    case MG_REDUCE_MAX:
    case MG_REDUCE_MIN:
        return at_extreme(p, g);
    case MG_REDUCE_PROD:
        return times_others(p, g);
    case MG_REDUCE_LAST:
        return at_last(p, g);
    default: // a sum, or one term
        return g;
    }
}

// ---------------------------------------------------------------- ranges that the rules need

// Shifts bound indices so that they begin at 0, too.
static void shift_bound(Part *p) {
    MgDerivation *d = p->d;
    MgIx with[MG_DRAFT_INDICES];
    for (uint32_t i = 0; i < p->draft.n; i++) {
        MgIndex *index = &p->draft.at[i];
        with[i] = mg_ix_idx(d->ix, i);
        if (i < p->n_free)
            continue;
        with[i] = mg_ix_add(d->ix, with[i], index->low);
        index->high = mg_ix_sub(d->ix, index->high, index->low);
        index->low = mg_ix_const(d->ix, 0);
    }
    p->body = mg_sx_subst_indices(d->m, p->body, with, p->draft.n);
}

bool mg_part_settle(Part *p) {
    MgDerivation *d = p->d;
    MgDType type = p->body->dtype;
    bool max = p->reducer == MG_REDUCE_MAX;
    const MgSx *lost;
    switch (p->reducer) {
    case MG_REDUCE_MAX:
    case MG_REDUCE_MIN:
        lost = mg_sx_const(d->m, type, max ? mg_lowest(type) : mg_highest(type));
        return is_box(p) || (!p->scatter && make_box(p, lost)) ||
               mg_derive_refuse(d, p->op,
                                "the range of one index of an extreme depends on another");
    case MG_REDUCE_LAST:
        return is_box(p) ||
               mg_derive_refuse(d, p->op, "the range of one index of `last` depends on another");
    case MG_REDUCE_PROD:
        if (p->scatter)
            return true;
        if (!make_box(p, mg_sx_double(d->m, type, 1)))
            return mg_derive_refuse(d, p->op,
                                    "the range of one index of a product depends on another");
        shift_bound(p);
        return true;
    default:
        return true;
    }
}

// ---------------------------------------------------------------- the base of a scatter

MgValueId mg_part_base(Part *p, MgValueId base, MgValueId from, MgSym name) {
    MgDerivation *d = p->d;
    MgNames *names = d->m->session->names;
    const MgValue v = *mg_value(d->g, base);
    Part whole = *p;
    MgDraft *draft = &whole.draft;
    *draft = (MgDraft){.d = d};
    add_extras(draft);
    for (uint32_t i = 0; i < d->n_extra; i++)
        mg_draft_target(draft, i);
    MgTarget *target = MG_NEW_N(d->scratch, MgTarget, v.rank);
    for (uint32_t k = 0; k < v.rank; k++) {
        uint32_t i =
            mg_draft_index(draft, mg_symf(names, "i%u", k), mg_ix_const(d->ix, 0), v.shape[k]);
        mg_draft_target(draft, i);
        target[k] = draft->target[draft->rank - 1];
    }
    whole.target = target;
    whole.write = MG_BOUNDS_PROVED;
    const MgSx *g = mg_part_place(&whole, from, true, NULL), *kept = NULL;
    if (p->reducer == MG_REDUCE_MAX || p->reducer == MG_REDUCE_MIN) {
        kept = attains(d, mg_part_place(&whole, base, false, NULL),
                       mg_part_place(&whole, p->result, false, NULL));
    } else if (p->reducer == MG_REDUCE_LAST) {
        const MgSx *last =
            reduce_like(p, "written", MG_REDUCE_MAX, mg_derive_ix(d, mg_ix_const(d->ix, 1)), NULL);
        const MgSx *written = mg_part_place(&whole, last->operand, false, NULL);
        kept = mg_derive_compare(d, MG_PRIM_NE, written, mg_sx_int(d->m, MG_I64, 1));
    } else if (p->reducer == MG_REDUCE_PROD) {
        const MgSx *product, *zeros;
        multiply_places(p, &product, &zeros);
        zeros = mg_part_place(&whole, zeros->operand, false, NULL);
        kept = mg_derive_compare(d, MG_PRIM_EQ, zeros, mg_sx_int(d->m, MG_I64, 0));
        g = mg_derive_binary(d, MG_PRIM_MUL, g,
                             mg_part_place(&whole, product->operand, false, NULL));
    } else if (p->reducer != MG_REDUCE_SUM) {
        mg_derive_refuse(d, p->op, "it is a mean over a base");
        return MG_NONE;
    }
    draft->expr = mg_derive_where(d, kept, g);
    return mg_draft_emit(draft, name, v.dtype, mg_adjoint_shape(d, base));
}
