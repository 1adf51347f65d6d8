// taps: multiplies nothing by padding.
//
// A sum over the taps of a window reads 0 where a tap is outside. If taps are far apart, as in
// dilated convolutions, or the image is small, most products have such a factor. This pass makes a
// sum of its own for taps that are inside at the same places, over these places alone, and adds up
// the sums. Taps that are inside nowhere are dropped:
//
//   y[f, i in 0..9] = sum[c, k in 0..3] (x[c, i + 5*k - 5] else 0) * w[f, c, k]      becomes
//
//   y_0[f, i in 0..4] = sum[c] x[c, i] * w[f, c, 0]
//   y_1[f, i in 0..9] = sum[c] x[c, i] * w[f, c, 1]
//   y_2[f, i in 0..4] = sum[c] x[c, i + 5] * w[f, c, 2]
//   y[f, i in 0..9] = (y_0[f, i - 5] else 0) + y_1[f, i] + (y_2[f, i] else 0)
//
// The sums multiply less and have no conditions, but there are more of them, and they are stored.
// The machine's figures decide, for each axis of the window: weights that change with every run may
// take longer to read tap by tap than all at once. On a GPU, taps are only dropped.
//
// Needs: known sizes along the window; canonicalise after it, which proves the reads inside. Keeps:
// the terms of every sum but those with a factor of 0 from outside: an infinite weight times that 0
// doesn't appear. Sums add their terms in another order, so it doesn't run with --strict. Ends:
// no sum that it makes reads outside along an axis that was cut.
#include "passes/rewrite.h"

#include <math.h>

enum {
    MOST_AXES = 3,
    MOST_GROUPS = 9,
    MOST_SUMS = 81,
    MOST_INDICES = 64,
    WORTH = 80 /* per cent */
};

typedef struct Group { // neighbouring taps that are inside at the same places
    int64_t first, taps, low, high;
} Group;

typedef struct Axis { // of a window: the subscript step * free + apart * bound + offset
    uint32_t free, bound;
    int64_t places, taps;
    Group groups[MOST_GROUPS], all; // all: the taps that are inside anywhere, at all places
    uint32_t n_groups;              // 0: too many
    bool cut;
} Axis;

typedef struct Taps {
    MgGraph *g;
    MgPassContext *context;
    MgOpId op;
    MgPiece piece;
    Axis axes[MOST_AXES];
    uint32_t n_axes;
} Taps;

static bool known_size(const Taps *s, uint32_t index, int64_t *size) {
    const MgIndex *i = &s->piece.indices[index];
    return i->low == mg_ix_const(s->g->module->ix, 0) &&
           mg_ix_is_const(s->g->module->ix, i->high, size);
}

// ---------------------------------------------------------------- finding the axes

static int64_t rounded_up(int64_t x, int64_t by) {
    return x / by + (x % by > 0);
}

// The places at which a tap is inside: 0 <= step * place + at < size.
static Group places_of(int64_t tap, int64_t step, int64_t at, int64_t size, int64_t places) {
    int64_t low = rounded_up(-at, step), high = rounded_up(size - at, step);
    low = low < 0 ? 0 : low;
    high = high > places ? places : high;
    return (Group){tap, 1, low, high};
}

static void find_groups(Axis *a, int64_t step, int64_t apart, int64_t offset, int64_t size) {
    bool fits = true;
    for (int64_t tap = 0; tap < a->taps; tap++) {
        Group g = places_of(tap, step, offset + apart * tap, size, a->places);
        if (g.low >= g.high)
            continue;
        Group *last = a->n_groups ? &a->groups[a->n_groups - 1] : NULL;
        if (!a->all.taps)
            a->all = (Group){tap, 0, 0, a->places};
        a->all.taps = tap + 1 - a->all.first;
        if (last && last->low == g.low && last->high == g.high && last->first + last->taps == tap)
            last->taps++;
        else if (a->n_groups < MOST_GROUPS)
            a->groups[a->n_groups++] = g;
        else
            fits = false;
    }
    a->n_groups = fits ? a->n_groups : 0;
}

static bool is_taken(const Taps *s, uint32_t free, uint32_t bound) {
    for (uint32_t i = 0; i < s->n_axes; i++)
        if (s->axes[i].free == free || s->axes[i].bound == bound)
            return true;
    return false;
}

// Is the subscript of a dimension of the size made of these two indices alone? Then it is an axis.
static void add_axis(Taps *s, MgIx sub, MgIx extent, uint32_t free, uint32_t bound) {
    enum { MOST = 1 << 24 }; // larger numbers are not worth checks for overflow
    MgIxTable *t = s->g->module->ix;
    Axis a = {.free = free, .bound = bound};
    MgIx by, rest, away, left;
    int64_t step, apart, offset, size;
    if (!mg_ix_linear(t, sub, mg_ix_index(t, free), &by, &rest) ||
        !mg_ix_linear(t, rest, mg_ix_index(t, bound), &away, &left) ||
        !mg_ix_is_const(t, by, &step) || !mg_ix_is_const(t, away, &apart) ||
        !mg_ix_is_const(t, left, &offset) || !mg_ix_is_const(t, extent, &size) ||
        !known_size(s, free, &a.places) || !known_size(s, bound, &a.taps))
        return;
    bool small = step > 0 && step < MOST && apart && apart > -MOST && apart < MOST &&
                 offset > -MOST && offset < MOST && size < MOST && a.places < MOST && a.taps < MOST;
    if (!small || is_taken(s, free, bound))
        return;
    find_groups(&a, step, apart, offset, size);
    if (a.all.taps)
        s->axes[s->n_axes++] = a;
}

// Finds the axes of a factor that is 0 outside.
static void find_axes(Taps *s, const MgSx *x) {
    bool padded = x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_ELSE &&
                  x->otherwise->kind == MG_SX_CONST && !x->otherwise->bits;
    if (!padded)
        return;
    const MgValue *v = mg_value(s->g, mg_op(s->g, s->op)->operands[x->operand]);
    for (uint32_t k = 0; k < x->n_args; k++)
        for (uint32_t i = 0; i < s->piece.n_free; i++)
            for (uint32_t b = s->piece.n_free; b < s->piece.n_indices; b++)
                if (x->args[k]->kind == MG_SX_IX && s->n_axes < MOST_AXES)
                    add_axis(s, x->args[k]->ix, v->shape[k], i, b);
}

static bool find(Taps *s) {
    const MgOp *op = mg_op(s->g, s->op);
    const MgPiece *p = mg_only_piece(op);
    s->n_axes = 0;
    if (!p || op->equation->has_base || !mg_piece_sums_products(p) || p->n_indices > MOST_INDICES ||
        !mg_piece_is_plain(s->g, p, op->results[0]) || mg_piece_is_scanned(s->g->module, p))
        return false;
    s->piece = *p;
    for (uint32_t i = 0; i < 2; i++)
        find_axes(s, p->expr->args[i]);
    return s->n_axes;
}

// ---------------------------------------------------------------- which axes are cut

static uint32_t parts_of(const Axis *a) {
    return a->cut ? a->n_groups : 1;
}

// The number of sums.
static uint32_t count_parts(const Taps *s) {
    uint32_t n = 1;
    for (uint32_t i = 0; i < s->n_axes; i++)
        n *= parts_of(&s->axes[i]);
    return n;
}

// Finds each axis's group of a part.
static void groups_of(const Taps *s, uint32_t part, const Group **groups) {
    for (uint32_t i = s->n_axes; i-- > 0;) {
        const Axis *a = &s->axes[i];
        groups[i] = a->cut ? &a->groups[part % a->n_groups] : &a->all;
        part /= parts_of(a);
    }
}

// The nanoseconds for reading a factor of the taps. A product's kernel packs a parameter or a
// constant once. Where a part's taps lie beside others, it reads the lines of all.
static double reading(const Taps *s, const MgSx *x, const Group *const *groups) {
    const MgMachine *m = s->context->machine;
    MgIxTable *t = s->g->module->ix;
    if (x->kind != MG_SX_READ)
        return 0;
    MgValueId factor = mg_op(s->g, s->op)->operands[x->operand];
    if (mg_is_param_or_const(s->g, factor))
        return 0;
    const MgValue *v = mg_value(s->g, factor);
    double elements = 1, apart = 1, size = mg_dtype_size(v->dtype);
    bool inner = true, some = false;
    for (uint32_t k = x->n_args; k-- > 0;) {
        double all = (double)mg_ix_likely(t, v->shape[k]), read = all;
        bool taps = false;
        for (uint32_t i = 0; i < s->n_axes && !taps; i++) {
            const MgSx *at = x->args[k];
            taps = at->kind == MG_SX_IX && at->ix == mg_ix_idx(t, s->axes[i].bound);
            read = taps ? (double)groups[i]->taps : all;
        }
        some |= taps;
        inner &= taps || all == 1;
        elements *= read;
        apart *= inner ? all / read : 1;
    }
    return some ? elements * fmin(apart, m->line / size) * m->pass * size / 4 : 0;
}

// The nanoseconds that the sums take, and adding them up.
static double cost(const Taps *s) {
    const MgMachine *m = s->context->machine;
    double lanes = m->vector_size / 4, others = 1, places = 1, ns = 0;
    for (uint32_t i = 0; i < s->piece.n_indices; i++)
        others *= (double)mg_ix_likely(s->g->module->ix, s->piece.indices[i].high);
    for (uint32_t i = 0; i < s->n_axes; i++) {
        others /= (double)s->axes[i].places * (double)s->axes[i].taps;
        places *= (double)s->axes[i].places;
    }
    uint32_t n = count_parts(s);
    for (uint32_t part = 0; part < n; part++) {
        const Group *groups[MOST_AXES];
        double points = 1, taps = 1;
        groups_of(s, part, groups);
        for (uint32_t i = 0; i < s->n_axes; i++) {
            points *= (double)(groups[i]->high - groups[i]->low);
            taps *= (double)groups[i]->taps;
        }
        ns += m->kernel + others * taps * ceil(points / lanes) * lanes / m->products;
        for (uint32_t i = 0; i < 2; i++)
            ns += reading(s, s->piece.expr->args[i], groups);
    }
    double results = places, add = m->pass + 2 * m->operation / lanes;
    for (uint32_t i = 0; i < s->piece.n_free; i++) {
        bool counted = false;
        for (uint32_t k = 0; k < s->n_axes; k++)
            counted |= s->axes[k].free == i;
        results *= counted ? 1 : (double)mg_ix_likely(s->g->module->ix, s->piece.indices[i].high);
    }
    return n > 1 ? ns + n * results * add : ns;
}

// Cuts the axes for which this is worth it. False if nothing changes.
static bool choose(Taps *s) {
    uint32_t best = 0;
    double least = 0, whole = 0;
    for (uint32_t cut = 0; cut < 1u << s->n_axes && !(cut && s->context->gpu); cut++) {
        bool fits = true;
        for (uint32_t i = 0; i < s->n_axes; i++) {
            s->axes[i].cut = cut >> i & 1;
            fits &= !s->axes[i].cut || s->axes[i].n_groups;
        }
        fits &= count_parts(s) <= MOST_SUMS; // each is compiled
        double ns = fits ? cost(s) : INFINITY;
        whole = cut ? whole : ns;
        if (!cut || (100 * ns < WORTH * whole && ns < least)) {
            best = cut;
            least = ns;
        }
    }
    bool some = best;
    for (uint32_t i = 0; i < s->n_axes; i++) {
        s->axes[i].cut = best >> i & 1;
        some |= s->axes[i].all.taps < s->axes[i].taps;
    }
    return some;
}

// ---------------------------------------------------------------- making the sums

// The piece over the places and the taps of the groups.
static MgPiece piece_of(const Taps *s, const Group *const *groups) {
    MgModule *m = s->g->module;
    MgPiece p = s->piece;
    MgIx with[MOST_INDICES];
    p.indices = mg_arena_copy(m->arena, p.indices, p.n_indices, sizeof *p.indices);
    for (uint32_t i = 0; i < p.n_indices; i++)
        with[i] = mg_ix_idx(m->ix, i);
    for (uint32_t i = 0; i < s->n_axes; i++) {
        const Axis *a = &s->axes[i];
        const Group *g = groups[i];
        p.indices[a->free].high = mg_ix_const(m->ix, g->high - g->low);
        p.indices[a->bound].high = mg_ix_const(m->ix, g->taps);
        with[a->free] = mg_ix_add(m->ix, with[a->free], mg_ix_const(m->ix, g->low));
        with[a->bound] = mg_ix_add(m->ix, with[a->bound], mg_ix_const(m->ix, g->first));
    }
    p.expr = mg_sx_subst_indices(m, p.expr, with, p.n_indices);
    return p;
}

static MgValueId make_part(Taps *s, uint32_t part, const Group *const *groups) {
    MgModule *m = s->g->module;
    MgPiece p = piece_of(s, groups);
    MgOp op = *mg_op(s->g, s->op);
    MgValue y = *mg_value(s->g, op.results[0]);
    MgIx shape[MOST_INDICES];
    for (uint32_t i = 0; i < p.n_free; i++)
        shape[i] = p.indices[i].high;
    MgOpId made =
        mg_op_new_before(s->g, s->op, MG_OP_EQUATION, op.operands, op.n_operands, op.origin);
    MgSym name = mg_symf(m->session->names, "%s_%u", mg_name(m->session->names, y.name), part);
    MgValueId v =
        mg_op_result(s->g, made, mg_unique_name(s->g, name), p.expr->dtype, p.n_free, shape);
    p.target = mg_plain_target(m, p.n_free);
    mg_op(s->g, made)->equation = mg_equation_of(m, p);
    mg_normalise_operands(s->g, made, s->context->scratch);
    return v;
}

// Reads a part at the places of the whole.
static const MgSx *read_part(const Taps *s, uint32_t part, const Group *const *groups) {
    MgModule *m = s->g->module;
    MgDType type = s->piece.expr->dtype;
    const MgSx *subs[MOST_INDICES];
    for (uint32_t i = 0; i < s->piece.n_free; i++) {
        MgIx at = mg_ix_idx(m->ix, i);
        for (uint32_t k = 0; k < s->n_axes; k++)
            if (s->axes[k].free == i)
                at = mg_ix_sub(m->ix, at, mg_ix_const(m->ix, groups[k]->low));
        subs[i] = mg_sx_ix(m, MG_I64, at);
    }
    return mg_sx_read(m, part, type, subs, s->piece.n_free, MG_BOUNDS_ELSE, mg_sx_int(m, type, 0));
}

// Turns the op into the sum of the parts.
static void cut(Taps *s) {
    MgModule *m = s->g->module;
    uint32_t n = count_parts(s);
    MgValueId *parts = MG_NEW_N(m->arena, MgValueId, n);
    MgPiece p = s->piece;
    const Group *groups[MOST_AXES];
    p.expr = NULL;
    for (uint32_t part = 0; part < n; part++) {
        groups_of(s, part, groups);
        parts[part] = make_part(s, part, groups);
        const MgSx *args[] = {p.expr, read_part(s, part, groups)};
        p.expr = part ? mg_sx_prim(m, MG_PRIM_ADD, args[1]->dtype, args, 2) : args[1];
    }
    p.n_indices = p.n_free;
    p.reducer = MG_REDUCE_NONE;
    MgOp *op = mg_op(s->g, s->op);
    op->operands = parts;
    op->n_operands = n;
    op->equation = mg_equation_of(m, p);
    mg_normalise_operands(s->g, s->op, s->context->scratch);
}

// Drops taps that are inside nowhere.
static void drop(Taps *s) {
    const Group *groups[MOST_AXES];
    groups_of(s, 0, groups);
    mg_op(s->g, s->op)->equation = mg_equation_of(s->g->module, piece_of(s, groups));
}

static bool visit(Taps *s) {
    if (!find(s) || !choose(s) || !mg_pass_may(s->context, s->op))
        return false;
    bool some = false;
    for (uint32_t i = 0; i < s->n_axes; i++)
        some |= s->axes[i].cut;
    if (some)
        cut(s);
    else
        drop(s);
    return true;
}

bool mg_pass_taps(MgGraph *g, MgPassContext *context) {
    Taps s = {.g = g, .context = context};
    bool changed = false;
    uint32_t n = context->strict ? 0 : g->ops.len;
    for (s.op = 1; s.op < n; s.op++)
        changed |= visit(&s);
    return changed;
}
