// Solves the coordinates of a scatter; see gather.h.
#include "ir/number.h"
#include "passes/gather.h"

MgIx mg_gather_int(MgGather *s, int64_t value) {
    return mg_ix_const(s->m->ix, value);
}

// ---------------------------------------------------------------- conditions

static bool takes_any_order(const MgPiece *p) {
    MgIdentity identity = mg_reducer(p->reducer)->empty;
    return p->reducer != MG_REDUCE_NONE && identity != MG_IDENTITY_NONE &&
           identity != MG_IDENTITY_NAN;
}

static bool is_box(MgGather *s) {
    for (uint32_t i = 0; i < s->piece.n_indices; i++)
        if (mg_ix_mentions_index(s->m->ix, s->piece.indices[i].low) ||
            mg_ix_mentions_index(s->m->ix, s->piece.indices[i].high))
            return false;
    return true;
}

// Shifts the piece's ranges so that they begin at 0.
static void begin_at_zero(MgGather *s) {
    MgIxTable *t = s->m->ix;
    MgPiece *p = &s->piece;
    MgIx *with = MG_NEW_N(s->m->arena, MgIx, p->n_indices);
    p->indices = mg_arena_copy(s->m->arena, p->indices, p->n_indices, sizeof *p->indices);
    p->target = mg_arena_copy(s->m->arena, p->target, s->rank, sizeof *p->target);
    for (uint32_t i = 0; i < p->n_indices; i++) {
        MgIndex *index = &p->indices[i];
        with[i] = mg_ix_add(t, mg_ix_idx(t, i), index->low);
        index->high = mg_ix_sub(t, index->high, index->low);
        index->low = mg_ix_const(t, 0);
    }
    p->expr = mg_sx_subst_indices(s->m, p->expr, with, p->n_indices);
    for (uint32_t d = 0; d < s->rank; d++)
        p->target[d].sub = mg_sx_subst_indices(s->m, p->target[d].sub, with, p->n_indices);
}

// Does coordinate d consist of free indices alone, which fill it?
static bool is_filled(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    const MgTarget *target = &s->piece.target[d];
    MgIx extent = mg_gather_int(s, 1), place = mg_gather_int(s, 0);
    for (uint32_t i = 0; i < s->piece.n_free; i++) {
        if (!mg_ix_mentions(t, target->sub->ix, mg_ix_index(t, i)))
            continue;
        if (s->coordinate[i] != MG_GATHER_INDICES)
            return false;
        s->coordinate[i] = d;
        place = mg_ix_add(t, mg_ix_mul(t, place, s->piece.indices[i].high), mg_ix_idx(t, i));
        extent = mg_ix_mul(t, extent, s->piece.indices[i].high);
    }
    return place == target->sub->ix &&
           extent == mg_value(s->g, mg_op(s->g, s->op)->results[0])->shape[d];
}

static int64_t divisor(int64_t a, int64_t b) {
    return b ? divisor(b, a % b) : a;
}

// Chooses the index for which coordinate d is solved: the one with the longest range.
static bool choose_solved(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    MgCoordinate *c = &s->of[d];
    MgIx sub = s->piece.target[d].sub->ix;
    int64_t longest = -1;
    for (uint32_t i = 0; i < s->piece.n_indices; i++) {
        MgIx rest;
        int64_t step;
        if (!mg_ix_mentions(t, sub, mg_ix_index(t, i)))
            continue;
        if (i < s->piece.n_free || s->coordinate[i] != MG_GATHER_INDICES ||
            !mg_ix_steps(t, sub, mg_ix_index(t, i), &step, &rest) || step == INT64_MIN)
            return false;
        s->coordinate[i] = d;
        int64_t length = mg_ix_likely(t, s->piece.indices[i].high);
        if (length <= longest)
            continue;
        longest = length;
        c->solved = i;
        c->sign = step < 0 ? -1 : 1;
        c->step = step * c->sign;
        c->rest = mg_ix_mul(t, rest, mg_gather_int(s, -c->sign));
    }
    c->is_solved = true;
    c->tap = MG_GATHER_INDICES;
    c->common = c->step;
    return true;
}

// Chooses the tap that walks its residue class: the one whose coefficient shares the smallest
// divisor with the step.
static bool choose_tap(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    MgCoordinate *c = &s->of[d];
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices && c->step > 1; i++) {
        MgIx rest;
        int64_t step;
        if (s->coordinate[i] != d || i == c->solved)
            continue;
        if (!mg_ix_steps(t, c->rest, mg_ix_index(t, i), &step, &rest) || step == INT64_MIN)
            return false;
        int64_t common = divisor(c->step, step < 0 ? -step : step);
        if (common < c->common) {
            c->common = common;
            c->tap = i;
            c->by = -step; // `rest` contains it with the opposite sign
        }
    }
    if (c->tap != MG_GATHER_INDICES)
        mg_ix_linear(t, c->rest, mg_ix_index(t, c->tap), &(MgIx){0}, &c->rest);
    return true;
}

// The tap whose coefficient is `weight`, or MG_GATHER_INDICES.
static uint32_t tap_of_weight(MgGather *s, uint32_t d, MgIx weight) {
    MgIx sub = s->piece.target[d].sub->ix, by, rest;
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
        if (s->coordinate[i] == d && i != s->of[d].solved &&
            mg_ix_linear(s->m->ix, sub, mg_ix_index(s->m->ix, i), &by, &rest) && by == weight)
            return i;
    return MG_GATHER_INDICES;
}

// Are the solved index and the taps the digits of the place, as in y[h*64 + e + 3] with e in 0..64?
// Then the place says what each of them is.
static bool are_digits(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    const MgCoordinate *c = &s->of[d];
    MgIx weight = s->piece.indices[c->solved].high;
    uint32_t n = 0, found = 0, tap;
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
        n += s->coordinate[i] == d && i != c->solved;
    for (; (tap = tap_of_weight(s, d, weight)) != MG_GATHER_INDICES && found <= n; found++)
        weight = mg_ix_mul(t, weight, s->piece.indices[tap].high);
    return n && found == n && c->step == 1 && c->sign == 1;
}

// Removes indices of one point from tuples.
static void drop_points(MgGather *s) {
    MgPiece *p = &s->piece;
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = p->target[d].n_tuple; i-- > 0;) {
            uint32_t position = p->target[d].tuple[i];
            if (p->target[d].n_tuple > 1 && p->indices[position].high == mg_gather_int(s, 1))
                mg_drop_index(s->g, s->op, p, position, mg_gather_int(s, 0));
        }
}

bool mg_gather_find(MgGather *s) {
    MgIxTable *t = s->m->ix;
    const MgOp *op = mg_op(s->g, s->op);
    if (!mg_only_piece(op))
        return false;
    s->piece = *mg_only_piece(op);
    s->rank = mg_value(s->g, op->results[0])->rank;
    if (!s->piece.scatter || !takes_any_order(&s->piece) || !is_box(s) ||
        2 * s->piece.n_indices > MG_GATHER_INDICES || s->rank > MG_GATHER_INDICES / 2)
        return false;
    for (uint32_t i = 0; i < MG_GATHER_INDICES; i++)
        s->coordinate[i] = MG_GATHER_INDICES;
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->piece.target[d].sub->kind != MG_SX_IX)
            return false;
    begin_at_zero(s);
    drop_points(s);
    for (uint32_t d = 0; d < s->rank; d++) {
        bool bound = false;
        for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++)
            bound |= mg_ix_mentions(t, s->piece.target[d].sub->ix, mg_ix_index(t, i));
        s->of[d] = (MgCoordinate){0};
        if (bound ? !choose_solved(s, d) || !choose_tap(s, d) : !is_filled(s, d))
            return false;
        s->of[d].digits = bound && are_digits(s, d);
    }
    for (uint32_t i = 0; i < s->piece.n_free; i++)
        if (s->coordinate[i] == MG_GATHER_INDICES) // every point would write the same places
            return false;
    return true;
}

// ---------------------------------------------------------------- the gathered box

bool mg_gather_alone(const MgGather *s, uint32_t i) {
    return i >= s->piece.n_free && s->coordinate[i] == MG_GATHER_INDICES;
}

uint32_t mg_gather_add_index(MgGather *s, uint32_t like, const char *suffix, MgIx high) {
    MgNames *names = s->m->session->names;
    MgSym name = mg_symf(names, "%s%s", mg_name(names, s->piece.indices[like].name), suffix);
    s->to.indices[s->to.n_indices] = (MgIndex){name, mg_gather_int(s, 0), high};
    return s->to.n_indices++;
}

static MgIx ceiling(MgGather *s, MgIx x, int64_t by) {
    MgIxTable *t = s->m->ix;
    return mg_ix_div(t, mg_ix_add(t, x, mg_gather_int(s, by - 1)), mg_gather_int(s, by));
}

// Adds the free indices of coordinate d: those that fill it, or those of the place.
static void add_place(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    MgCoordinate *c = &s->of[d];
    MgTarget *target = &s->to.target[d];
    MgIx extent = mg_value(s->g, mg_op(s->g, s->op)->results[0])->shape[d];
    uint32_t first = s->to.n_indices;
    if (!c->is_solved) {
        for (uint32_t i = 0; i < s->piece.n_free; i++)
            if (s->coordinate[i] == d)
                s->with[i] = mg_ix_idx(t, mg_gather_add_index(s, i, "", s->piece.indices[i].high));
    } else {
        mg_gather_add_index(s, c->solved, "", ceiling(s, extent, c->step));
        if (c->step > 1)
            mg_gather_add_index(s, c->solved, "_step", mg_gather_int(s, c->step));
    }
    MgIx place = mg_gather_int(s, 0);
    s->shape[d] = mg_gather_int(s, 1);
    target->tuple = MG_NEW_N(s->m->arena, uint32_t, s->to.n_indices - first);
    for (uint32_t i = first; i < s->to.n_indices; i++) {
        MgIx high = s->to.indices[i].high;
        s->shape[d] = mg_ix_mul(t, s->shape[d], high);
        place = mg_ix_add(t, mg_ix_mul(t, place, high), mg_ix_idx(t, i));
        target->tuple[target->n_tuple++] = i;
    }
    if (target->n_tuple == 1)
        target->n_tuple = 0;
    target->sub = mg_sx_ix(s->m, MG_I64, place);
    c->place = mg_ix_mul(t, place, mg_gather_int(s, c->sign));
}

// Adds the bound indices of coordinate d: its taps, one of them by steps of its residue class.
static void add_taps(MgGather *s, uint32_t d) {
    MgCoordinate *c = &s->of[d];
    for (uint32_t i = s->piece.n_free; i < s->piece.n_indices; i++) {
        MgIx high = s->piece.indices[i].high;
        if (s->coordinate[i] != d || i == c->solved || c->digits)
            continue;
        if (i == c->tap)
            high = ceiling(s, high, c->step / c->common);
        s->with[i] = high == mg_gather_int(s, 1)
                         ? mg_gather_int(s, 0)
                         : mg_ix_idx(s->m->ix, mg_gather_add_index(s, i, "", high));
    }
}

const MgSx *mg_gather_both(MgGather *s, const MgSx *a, const MgSx *b) {
    const MgSx *args[] = {a, b};
    return a ? mg_sx_prim(s->m, MG_PRIM_AND, MG_BOOL, args, 2) : b;
}

const MgSx *mg_gather_compare(MgGather *s, MgPrim prim, MgIx a, MgIx b) {
    const MgSx *args[] = {mg_sx_ix(s->m, MG_I64, a), mg_sx_ix(s->m, MG_I64, b)};
    return mg_sx_prim(s->m, prim, MG_BOOL, args, 2);
}

// Solves coordinate d, whose indices are the digits of the place.
static void solve_digits(MgGather *s, uint32_t d) {
    MgIxTable *t = s->m->ix;
    const MgCoordinate *c = &s->of[d];
    MgIx *zeros = MG_NEW_N(s->context->scratch, MgIx, s->piece.n_indices);
    for (uint32_t i = 0; i < s->piece.n_indices; i++)
        zeros[i] = mg_gather_int(s, 0);
    MgIx offset = mg_ix_subst_indices(t, c->rest, zeros, s->piece.n_indices);
    MgIx left = mg_ix_add(t, c->place, offset), weight = mg_gather_int(s, 1);
    for (uint32_t i = c->solved; i != MG_GATHER_INDICES; i = tap_of_weight(s, d, weight)) {
        MgIx extent = s->piece.indices[i].high;
        weight = mg_ix_mul(t, weight, extent);
        bool last = tap_of_weight(s, d, weight) == MG_GATHER_INDICES;
        s->with[i] = last ? left : mg_ix_mod(t, left, extent);
        left = mg_ix_div(t, left, extent);
    }
}

// Solves coordinate d, whose other taps have values: its tap by residue class, then its index. Adds
// the divisibility that this needs to the condition.
static const MgSx *solve(MgGather *s, uint32_t d, const MgSx *condition) {
    MgIxTable *t = s->m->ix;
    MgCoordinate *c = &s->of[d];
    if (c->digits) {
        solve_digits(s, d);
        return condition;
    }
    MgIx rest = mg_ix_subst_indices(t, c->rest, s->with, s->piece.n_indices);
    rest = mg_ix_add(t, rest, c->place);
    MgIx left = mg_ix_mod(t, rest, mg_gather_int(s, c->common));
    if (left != mg_gather_int(s, 0))
        condition = mg_gather_both(s, condition,
                                   mg_gather_compare(s, MG_PRIM_EQ, left, mg_gather_int(s, 0)));
    if (c->tap != MG_GATHER_INDICES) {
        int64_t m = c->step / c->common;
        MgIx first = mg_ix_mul(t, mg_ix_div(t, rest, mg_gather_int(s, c->common)),
                               mg_gather_int(s, mg_inverse_modulo(c->by / c->common, m)));
        s->with[c->tap] = mg_ix_add(t, mg_ix_mod(t, first, mg_gather_int(s, m)),
                                    mg_ix_mul(t, s->with[c->tap], mg_gather_int(s, m)));
        rest = mg_ix_sub(t, rest, mg_ix_mul(t, s->with[c->tap], mg_gather_int(s, c->by)));
    }
    s->with[c->solved] = mg_ix_div(t, rest, mg_gather_int(s, c->step));
    return condition;
}

// Makes the box of the gathered piece, and an expression over it for every index of the scatter
// except those in no coordinate. False if numbers overflow.
bool mg_gather_make_box(MgGather *s, const MgSx **condition) {
    s->to = (MgPiece){.indices = MG_NEW_N(s->m->arena, MgIndex, 2 * MG_GATHER_INDICES),
                      .target = MG_NEW_N(s->m->arena, MgTarget, s->rank)};
    for (uint32_t d = 0; d < s->rank; d++)
        add_place(s, d);
    s->to.n_free = s->to.n_indices;
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->of[d].is_solved)
            add_taps(s, d);
    bool ok = true;
    *condition = NULL;
    s->ranges = mg_piece_ranges(&s->to, s->context->scratch);
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->of[d].is_solved)
            *condition = solve(s, d, *condition);
    for (uint32_t i = 0; i < s->piece.n_indices; i++) {
        if (s->coordinate[i] == MG_GATHER_INDICES)
            continue;
        s->with[i] = mg_ix_narrow(s->m->ix, s->with[i], &s->ranges);
        ok &= s->with[i] != MG_IX_ERROR;
    }
    for (uint32_t i = 0; i < s->to.n_indices; i++)
        ok &= s->to.indices[i].high != MG_IX_ERROR;
    return ok;
}
