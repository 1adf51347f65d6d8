// Turns the derivative of a read, which is a write, into an equation over the value that is read.
//
// d_x[t(i)] = sum[i] h(i) becomes d_x[p] = sum[rest] h(i(p, rest)), if each coordinate of t can be
// solved for an index of its own. Then (p, rest) and the original indices correspond one to one,
// and only the order of the sum changes:
//
//   t = j             j = p
//   t = r + j, r - j  j = p - r, r - p; r may mention other indices, which stay in the sum
//   t = j*K + k + c   a row-major tuple: the place has an index for each
//   t = 2*j + k       p = 2*q + r: a sum for each residue r, over the k that arrive there
//   t = c             the term contributes where p == c
//   t = data          the same, if all of its indices are solved by other coordinates
//
// If p - r is no value of j, nothing contributes: a factor of h that is read there gives 0, or the
// term has a condition. A coordinate that can't be solved stays a computed write, and so does a
// step whose terms don't overlap: the pass `gather` moves each of those to its place.
#include "derive/internal.h"
#include "ir/number.h"

typedef struct Solve {
    MgDerivation *d;
    MgIxTable *ix;
    const MgShare *share;
    MgDraft to;                    // positions: those of the piece, then those of the place
    uint32_t first, n;             // the piece's indices
    MgIx with[MG_DRAFT_INDICES];   // by position: its replacement
    bool solved[MG_DRAFT_INDICES]; // by position
    MG_VEC(uint32_t) order;        // solved positions
    const MgSx *condition;
    MgIx low[MG_DRAFT_INDICES], size[MG_DRAFT_INDICES]; // of the range that is reached, by axis
    MgClasses classes;
    bool overlaps; // several terms of an index with a step reach one place
    bool empty;    // no term reaches places of this class
    bool whole;    // no slabs
} Solve;

static MgIx constant(Solve *s, int64_t value) {
    return mg_ix_const(s->ix, value);
}

static bool is_piece_index(Solve *s, MgIx x, uint32_t *position) {
    MgIxSym symbol;
    return mg_ix_is_sym(s->ix, x, &symbol) && mg_ix_sym_is_index(s->ix, symbol, position) &&
           *position >= s->first && *position < s->n;
}

static bool mentions(Solve *s, MgIx x, uint32_t position) {
    return mg_ix_mentions(s->ix, x, mg_ix_index(s->ix, position));
}

// Does x mention an index of the piece that isn't solved?
static bool is_open(Solve *s, MgIx x) {
    for (uint32_t i = s->first; i < s->n; i++)
        if (!s->solved[i] && mentions(s, x, i))
            return true;
    return false;
}

static MgIx replace(Solve *s, MgIx x) {
    return mg_ix_subst_indices(s->ix, x, s->with, s->to.n);
}

// Records that the index equals x, which mentions indices of the place and unsolved ones.
static void set_solved(Solve *s, uint32_t index, MgIx x) {
    MgIx one[MG_DRAFT_INDICES];
    for (uint32_t i = 0; i < s->to.n; i++)
        one[i] = i == index ? x : mg_ix_idx(s->ix, i);
    for (uint32_t i = 0; i < s->to.n; i++)
        s->with[i] = mg_ix_subst_indices(s->ix, s->with[i], one, s->to.n);
    s->with[index] = x;
    s->solved[index] = true;
    mg_push(s->d->scratch, &s->order, index);
}

static MgIx size_of(Solve *s, uint32_t axis) {
    return mg_value(s->d->g, s->share->read->operand)->shape[axis];
}

// An index of the place along an axis.
static uint32_t add_place(Solve *s, MgSym name, MgIx size) {
    uint32_t at = mg_draft_index(&s->to, name, constant(s, 0), size);
    s->with[at] = mg_ix_idx(s->ix, at);
    return at;
}

static void both(Solve *s, const MgSx *condition) {
    s->condition = mg_derive_both(s->d, s->condition, condition);
}

// ---------------------------------------------------------------- coordinates

// Is the read always inside, at a place that no index moves? Then it may belong to a slab.
static bool may_be_slab(Solve *s, MgIx at) {
    return !s->whole && s->share->read->bounds == MG_BOUNDS_PROVED &&
           !mg_ix_mentions_index(s->ix, at);
}

// Is sub the row-major number of unsolved indices that begin at 0 and fill the axis, or several of
// them that fill a slab of it? Lists them, outermost first. The factor of each is the product of
// the ranges inside it.
static uint32_t find_tuple(Solve *s, MgIx sub, uint32_t axis, uint32_t *members) {
    MgIx width = constant(s, 1), rest = sub;
    uint32_t n = 0;
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = s->first; i < s->n && !more; i++) {
            MgIx by, without;
            const MgIndex *index = &s->to.at[i];
            if (s->solved[i] || index->low != constant(s, 0) ||
                mg_ix_mentions_index(s->ix, index->high) || !mentions(s, rest, i) ||
                !mg_ix_linear(s->ix, rest, mg_ix_index(s->ix, i), &by, &without) || by != width)
                continue;
            // Of two indices with factor 1, one may be a tap of the other: this is not a tuple.
            rest = without;
            width = mg_ix_mul(s->ix, width, index->high);
            members[n++] = i;
            more = true;
        }
    }
    if (rest != constant(s, 0) || width != size_of(s, axis)) {
        if (n < 2 || !may_be_slab(s, rest))
            return 0;
        s->low[axis] = rest;
        s->size[axis] = width;
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t t = members[i];
        members[i] = members[n - 1 - i];
        members[n - 1 - i] = t;
    }
    return n;
}

static void solve_tuple(Solve *s, const uint32_t *members, uint32_t n) {
    MgTarget *target = &s->to.target[s->to.rank++];
    MgIx place = constant(s, 0);
    *target = (MgTarget){.tuple = MG_NEW_N(s->d->scratch, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++) {
        const MgIndex index = s->to.at[members[i]];
        uint32_t at = add_place(s, index.name, index.high);
        s->to.free[s->to.n_free++] = at;
        target->tuple[target->n_tuple++] = at;
        place = mg_ix_add(s->ix, mg_ix_mul(s->ix, place, index.high), mg_ix_idx(s->ix, at));
        set_solved(s, members[i], mg_ix_idx(s->ix, at));
    }
    if (n == 1)
        target->n_tuple = 0;
    target->sub = mg_derive_ix(s->d, place);
}

// An unsolved index that a subscript has with a constant factor: sub = by * index + rest.
typedef struct Linear {
    uint32_t index;
    int64_t by;
    MgIx rest;
} Linear;

static bool is_linear(Solve *s, MgIx sub, uint32_t i, Linear *of) {
    of->index = i;
    return !s->solved[i] && mentions(s, sub, i) &&
           mg_ix_steps(s->ix, sub, mg_ix_index(s->ix, i), &of->by, &of->rest) &&
           of->by != INT64_MIN;
}

// Finds the linear index with the longest range.
static bool find_linear(Solve *s, MgIx sub, Linear *best) {
    int64_t longest = -1;
    for (uint32_t i = s->first; i < s->n; i++) {
        Linear one;
        if (!is_linear(s, sub, i, &one))
            continue;
        int64_t length = mg_ix_likely(s->ix, mg_ix_sub(s->ix, s->to.at[i].high, s->to.at[i].low));
        if (length <= longest)
            continue;
        longest = length;
        *best = one;
    }
    return longest >= 0;
}

// The index of the place is solved for the one of the piece: over the whole axis, or over the part
// that the piece reads.
static void solve_plain(Solve *s, uint32_t axis, const Linear *of) {
    const MgIndex index = s->to.at[of->index];
    MgIx rest = of->rest;
    bool slab = may_be_slab(s, rest) && index.low == constant(s, 0) &&
                !mg_ix_mentions_index(s->ix, index.high);
    if (slab) {
        MgIx last = mg_ix_sub(s->ix, index.high, constant(s, 1));
        s->low[axis] = of->by < 0 ? mg_ix_sub(s->ix, rest, last) : rest;
        s->size[axis] = index.high;
        rest = of->by < 0 ? last : constant(s, 0);
    }
    uint32_t at = add_place(s, index.name, s->size[axis]);
    MgIx place = mg_ix_idx(s->ix, at);
    mg_draft_target(&s->to, at);
    set_solved(s, of->index,
               of->by < 0 ? mg_ix_sub(s->ix, rest, place) : mg_ix_sub(s->ix, place, rest));
}

// The index of `rest` whose factor shares the smallest divisor with the step, if it begins at 0.
static bool find_tap(Solve *s, MgIx rest, int64_t step, uint32_t but, Linear *tap) {
    int64_t least = step;
    for (uint32_t i = s->first; i < s->n; i++) {
        Linear one;
        if (i == but || !is_linear(s, rest, i, &one))
            continue;
        int64_t common = mg_gcd(step, one.by);
        if (common >= least || s->to.at[i].low != constant(s, 0) ||
            mg_ix_mentions_index(s->ix, s->to.at[i].high))
            continue;
        least = common;
        *tap = one;
    }
    return least < step;
}

// Of a tap k, only k = class->every * j + class->first contribute; from here on, the position is
// j's.
static void take_every(Solve *s, uint32_t k, const MgTapClass *class) {
    MgIx one[MG_DRAFT_INDICES], every = constant(s, class->every),
                                first = constant(s, class->first);
    MgIndex *index = &s->to.at[k];
    int64_t taps;
    s->overlaps |= mg_ix_likely(s->ix, index->high) > class->every;
    s->empty |= mg_ix_is_const(s->ix, index->high, &taps) && taps <= class->first;
    index->high =
        mg_ix_sub(s->ix, mg_ix_add(s->ix, index->high, every), constant(s, class->first + 1));
    index->high = mg_ix_div(s->ix, index->high, every);
    for (uint32_t i = 0; i < s->to.n; i++)
        one[i] = mg_ix_idx(s->ix, i);
    one[k] = mg_ix_add(s->ix, mg_ix_mul(s->ix, every, one[k]), first);
    for (uint32_t i = 0; i < s->to.n; i++)
        s->with[i] = mg_ix_subst_indices(s->ix, s->with[i], one, s->to.n);
}

// Solves by * j + rest = step * q + r, for the residue r of this class. False if the residue of the
// terms besides the tap isn't known.
static bool solve_class(Solve *s, uint32_t axis, const Linear *of) {
    int64_t step = of->by < 0 ? -of->by : of->by, left;
    MgIx rest = of->rest, step_ix = constant(s, step);
    Linear tap = {.index = MG_DRAFT_INDICES, .by = 0};
    if (find_tap(s, rest, step, of->index, &tap))
        rest = tap.rest;
    MgIx ahead = mg_ix_sub(s->ix, constant(s, s->classes.residue[axis]), rest);
    if (!mg_ix_is_const(s->ix, mg_ix_mod(s->ix, ahead, step_ix), &left))
        return false;
    MgTapClass class = mg_tap_class(step, tap.by, left);
    s->classes.step[axis] = step;
    s->empty |= !class.some;
    MgIx size = mg_ix_add(s->ix, s->size[axis], constant(s, step - 1));
    s->size[axis] = mg_ix_div(s->ix, size, step_ix);
    uint32_t at = add_place(s, s->to.at[of->index].name, s->size[axis]);
    MgIx j = mg_ix_sub(s->ix, ahead, constant(s, tap.by * class.first));
    j = mg_ix_add(s->ix, mg_ix_idx(s->ix, at), mg_ix_div(s->ix, j, step_ix));
    if (tap.by) {
        take_every(s, tap.index, &class);
        MgIx by = constant(s, tap.by / class.common);
        j = mg_ix_sub(s->ix, j, mg_ix_mul(s->ix, by, mg_ix_idx(s->ix, tap.index)));
    }
    mg_draft_target(&s->to, at);
    set_solved(s, of->index, of->by < 0 ? mg_ix_neg(s->ix, j) : j);
    return true;
}

// The subscript mentions no unsolved index: the term contributes to a part of one element, or to
// the places that the subscript takes.
static void solve_fixed(Solve *s, uint32_t axis, MgIx x) {
    bool slab = may_be_slab(s, x);
    if (slab) {
        s->low[axis] = x;
        s->size[axis] = constant(s, 1);
    }
    uint32_t at = add_place(s, mg_symf(s->d->m->session->names, "i%u", axis), s->size[axis]);
    mg_draft_target(&s->to, at);
    if (!slab)
        both(s, mg_derive_compare(s->d, MG_PRIM_EQ, mg_derive_ix(s->d, x),
                                  mg_derive_ix(s->d, mg_ix_idx(s->ix, at))));
}

static bool solve_axis(Solve *s, uint32_t axis) {
    const MgSx *sub = s->share->read->args[axis];
    uint32_t members[MG_DRAFT_INDICES], n;
    Linear of = {0};
    if (s->to.n + s->n - s->first > MG_DRAFT_INDICES)
        return false;
    if (sub->kind != MG_SX_IX) { // for later: data
        mg_draft_target(
            &s->to, add_place(s, mg_symf(s->d->m->session->names, "i%u", axis), size_of(s, axis)));
        return true;
    }
    MgIx x = replace(s, sub->ix);
    if ((n = find_tuple(s, x, axis, members)))
        solve_tuple(s, members, n);
    else if (!is_open(s, x))
        solve_fixed(s, axis, x);
    else if (!find_linear(s, x, &of))
        return false;
    else if (of.by == 1 || of.by == -1)
        solve_plain(s, axis, &of);
    else
        return solve_class(s, axis, &of);
    return true;
}

// Is every index that a subscript mentions solved? See mg_sx_walk.
typedef struct Closed {
    Solve *s;
    bool all;
} Closed;

static void see_closed(void *ctx, const MgSx *x) {
    Closed *c = ctx;
    if (x->kind == MG_SX_IX)
        c->all &= !is_open(c->s, x->ix);
}

static const MgSx *replace_sx(Solve *s, const MgSx *x) {
    return mg_sx_subst_indices(s->d->m, x, s->with, s->to.n);
}

static bool solve_data(Solve *s) {
    const MgSx *read = s->share->read;
    uint32_t extras = s->first;
    for (uint32_t axis = 0; axis < read->n_args; axis++) {
        Closed closed = {s, true};
        if (read->args[axis]->kind == MG_SX_IX)
            continue;
        mg_sx_walk(read->args[axis], see_closed, &closed);
        if (!closed.all)
            return false;
        both(s, mg_derive_compare(s->d, MG_PRIM_EQ, replace_sx(s, read->args[axis]),
                                  s->to.target[extras + axis].sub));
    }
    return true;
}

// ---------------------------------------------------------------- conditions

// Is a factor of h read at the index, over all of the read's axis? Then the read itself is 0 if the
// index is outside.
static bool vanishes_outside(Solve *s, const MgSx *h, uint32_t index, const MgIndex *range) {
    if (h->kind == MG_SX_PRIM && h->prim == MG_PRIM_MUL)
        return vanishes_outside(s, h->args[0], index, range) ||
               vanishes_outside(s, h->args[1], index, range);
    if (h->kind == MG_SX_PRIM && (h->prim == MG_PRIM_NEG || h->prim == MG_PRIM_DIV))
        return vanishes_outside(s, h->args[0], index, range);
    if (h->kind == MG_SX_PRIM && h->prim == MG_PRIM_WHERE)
        return vanishes_outside(s, h->args[1], index, range) && h->args[2]->kind == MG_SX_CONST &&
               !h->args[2]->bits;
    if (h->kind != MG_SX_READ || h->bounds != MG_BOUNDS_PROVED)
        return false;
    for (uint32_t k = 0; k < h->n_args; k++)
        if (h->args[k]->kind == MG_SX_IX && h->args[k]->ix == mg_ix_idx(s->ix, index) &&
            range->low == constant(s, 0) && range->high == mg_value(s->d->g, h->operand)->shape[k])
            return true;
    return false;
}

// The larger of a and b.
static MgIx larger(Solve *s, MgIx a, MgIx b) {
    MgIxRanges ranges = mg_draft_ranges(&s->to);
    MgIx more = mg_ix_sub(s->ix, b, a);
    if (mg_ix_nonnegative(s->ix, more, &ranges, s->d->facts, s->d->n_facts) == MG_PROVED)
        return b;
    more = mg_ix_neg(s->ix, more);
    if (mg_ix_nonnegative(s->ix, more, &ranges, s->d->facts, s->d->n_facts) == MG_PROVED)
        return a;
    return mg_ix_max(s->ix, a, b);
}

// Narrows the range of an unsolved index so that x, which is linear in it, is not negative. False
// if x is linear in none, or if the new end would mention a later index.
static bool narrow(Solve *s, MgIx x) {
    for (uint32_t i = s->n; i-- > s->first;) {
        MgIx by, rest;
        bool later = false;
        if (s->solved[i] || !mentions(s, x, i) ||
            !mg_ix_linear(s->ix, x, mg_ix_index(s->ix, i), &by, &rest))
            continue;
        for (uint32_t k = i; k < s->n; k++)
            later |= mentions(s, rest, k);
        MgIndex *index = &s->to.at[i];
        if (later)
            continue;
        if (by == constant(s, 1)) { // i >= -rest
            index->low = larger(s, index->low, mg_ix_neg(s->ix, rest));
            return true;
        }
        if (by == constant(s, -1)) { // i <= rest
            MgIx end = mg_ix_add(s->ix, rest, constant(s, 1));
            index->high =
                mg_ix_neg(s->ix, larger(s, mg_ix_neg(s->ix, index->high), mg_ix_neg(s->ix, end)));
            return true;
        }
    }
    return false;
}

// Ensures x >= 0, so that an index is in its range: by a proof, a narrower range, or a condition.
static void require(Solve *s, MgIx x, bool triangle) {
    MgIxRanges ranges = mg_draft_ranges(&s->to);
    if (mg_ix_nonnegative(s->ix, x, &ranges, s->d->facts, s->d->n_facts) == MG_PROVED ||
        (triangle && narrow(s, x)))
        return;
    both(s, mg_derive_compare(s->d, MG_PRIM_GE, mg_derive_ix(s->d, x),
                              mg_derive_ix(s->d, constant(s, 0))));
}

// Keeps the ranges of the solved indices as facts. These are not indices of the new box, whose
// proofs must not assume that their ranges are not empty.
static void keep_ranges(Solve *s) {
    const MgDraft before = s->to;
    for (uint32_t i = s->first; i < s->n; i++) {
        MgIndex *index = &s->to.at[i];
        index->low = s->solved[i] ? constant(s, 0) : replace(s, index->low);
        index->high = s->solved[i] ? constant(s, 1) : replace(s, index->high);
    }
    for (uint32_t k = 0; k < s->order.len; k++) {
        uint32_t i = s->order.at[k];
        const MgIndex *index = &before.at[i];
        bool triangle =
            mg_ix_mentions_index(s->ix, index->low) || mg_ix_mentions_index(s->ix, index->high);
        MgIx last = mg_ix_sub(s->ix, replace(s, index->high), constant(s, 1));
        if (!triangle && vanishes_outside(s, s->share->adjoint, i, index))
            continue;
        require(s, mg_ix_sub(s->ix, s->with[i], replace(s, index->low)), triangle);
        require(s, mg_ix_sub(s->ix, last, s->with[i]), triangle);
    }
}

// Do the ranges of the sum mention only the place and earlier indices?
static bool are_ranges_ordered(Solve *s) {
    for (uint32_t i = s->first; i < s->n; i++)
        for (uint32_t k = i; k < s->n && !s->solved[i]; k++)
            if (mentions(s, s->to.at[i].low, k) || mentions(s, s->to.at[i].high, k))
                return false;
    return true;
}

// ---------------------------------------------------------------- the two forms

static MgValueId emit(Solve *s, MgSym name) {
    MgDerivation *d = s->d;
    MgValueId x = s->share->read->operand;
    MgIx *shape = mg_adjoint_shape(d, x);
    memcpy(shape + s->first, s->size, mg_value(d->g, x)->rank * sizeof *shape);
    return mg_draft_emit(&s->to, name, mg_value(d->g, x)->dtype, shape);
}

static void begin(Solve *s, MgDraft *piece, const MgShare *share) {
    *s = (Solve){.d = piece->d, .ix = piece->d->ix, .share = share, .to = *piece};
    s->first = s->d->n_extra;
    s->n = piece->n;
    for (uint32_t i = 0; i < MG_DRAFT_INDICES; i++) {
        s->with[i] = mg_ix_idx(s->ix, i);
        s->classes.step[i] = 1;
    }
    for (uint32_t i = 0; i < s->first; i++)
        mg_draft_target(&s->to, i);
    for (uint32_t k = 0; k < share->read->n_args; k++) {
        s->low[k] = constant(s, 0);
        s->size[k] = size_of(s, k);
    }
}

static bool solve_axes(Solve *s) {
    for (uint32_t axis = 0; axis < s->share->read->n_args; axis++)
        if (!solve_axis(s, axis))
            return false;
    return solve_data(s);
}

// Sums the contributions to each place, once the axes are solved.
static bool sum_over_places(Solve *s) {
    keep_ranges(s);
    for (uint32_t i = s->first; i < s->n; i++)
        if (!s->solved[i])
            s->to.bound[s->to.n_bound++] = i;
    for (uint32_t i = s->first; i < s->n; i++)
        if (s->with[i] == MG_IX_ERROR)
            return false;
    if (!are_ranges_ordered(s))
        return false;
    bool may_trap;
    const MgSx *h = mg_settle_reads(&s->to, replace_sx(s, s->share->adjoint), &may_trap);
    if (may_trap && s->condition)
        return false;
    s->to.expr = mg_derive_where(s->d, s->condition, h);
    s->to.reducer = MG_REDUCE_SUM;
    return true;
}

static void reach_places(Solve *s) {
    MgDerivation *d = s->d;
    MgValueId x = s->share->read->operand;
    const MgIx *shape = mg_value(d->g, x)->shape;
    bool whole = true;
    for (uint32_t k = 0; k < s->share->read->n_args; k++)
        whole &= s->low[k] == constant(s, 0) && s->size[k] == shape[k];
    if (whole) {
        mg_reach(d, x, emit(s, mg_adjoint_name(d, x)));
        return;
    }
    MgSlab *slab = MG_NEW(d->scratch, MgSlab);
    slab->draft = s->to;
    for (uint32_t k = 0; k < s->to.rank; k++) {
        slab->low[k] = k < s->first ? constant(s, 0) : s->low[k - s->first];
        slab->size[k] = k < s->first ? d->extra[k] : s->size[k - s->first];
    }
    mg_reach_slab(d, x, slab);
}

// Makes an equation for the places of each class, and one that joins them. One sum per class is
// worth it only if each place gets several terms.
static bool reach_classes(Solve *s, MgDraft *piece) {
    MgDerivation *d = s->d;
    MgClasses classes = s->classes;
    const MgShare *share = s->share;
    MgValueId x = share->read->operand, of[MG_MOST_CLASSES] = {MG_NONE};
    uint32_t n = mg_count_classes(&classes);
    MgNames *names = d->m->session->names;
    MgSym name = mg_symf(names, "%s_class", mg_name(names, mg_adjoint_name(d, x)));
    if (!s->overlaps || n > MG_MOST_CLASSES)
        return false;
    for (uint32_t number = 0; number < n; number++) {
        begin(s, piece, share);
        mg_number_class(&classes, number);
        s->whole = true;
        memcpy(s->classes.residue, classes.residue, sizeof classes.residue);
        if (!solve_axes(s) || (!s->empty && !sum_over_places(s)))
            return false;
        of[number] = s->empty ? MG_NONE : emit(s, name);
    }
    mg_reach(d, x, mg_join_classes(d, x, &classes, of));
    return true;
}

static bool reach(Solve *s, MgDraft *piece) {
    if (!solve_axes(s))
        return false;
    if (mg_count_classes(&s->classes) > 1)
        return reach_classes(s, piece);
    if (!sum_over_places(s))
        return false;
    reach_places(s);
    return true;
}

// Writes d_x[t(i)] = sum[i] h(i), where an index that is a coordinate of its own, over all of it,
// is free.
static void write_places(Solve *s) {
    const MgSx *read = s->share->read;
    for (uint32_t axis = 0; axis < read->n_args; axis++) {
        const MgSx *sub = read->args[axis];
        uint32_t index;
        bool own = sub->kind == MG_SX_IX && is_piece_index(s, sub->ix, &index) &&
                   s->to.at[index].low == constant(s, 0) &&
                   s->to.at[index].high == size_of(s, axis);
        for (uint32_t k = 0; k < read->n_args && own; k++)
            own = k == axis || !mg_sx_mentions(s->d->m, read->args[k], index);
        if (own) {
            mg_draft_target(&s->to, index);
            s->solved[index] = true;
        } else {
            s->to.target[s->to.rank++] = (MgTarget){.sub = sub};
        }
    }
    for (uint32_t i = s->first; i < s->n; i++)
        if (!s->solved[i])
            s->to.bound[s->to.n_bound++] = i;
    if (!s->to.n_bound) {
        MgSym name = mg_sym(s->d->m->session->names, "once");
        s->to.bound[s->to.n_bound++] = mg_draft_index(&s->to, name, constant(s, 0), constant(s, 1));
    }
    s->to.scatter = true;
    s->to.write = read->bounds;
    s->to.expr = s->share->adjoint;
    s->to.reducer = MG_REDUCE_SUM;
    mg_reach(s->d, read->operand, emit(s, mg_adjoint_name(s->d, read->operand)));
}

bool mg_contribute(MgDraft *piece, MgOpId op, const MgShare *share) {
    Solve *s = MG_NEW(piece->d->scratch, Solve);
    begin(s, piece, share);
    if (reach(s, piece))
        return true;
    begin(s, piece, share);
    if (s->to.n == MG_DRAFT_INDICES)
        return mg_derive_refuse(piece->d, op, "it has too many indices");
    write_places(s);
    return true;
}
