// Scalar expressions of the graph as kernel expressions, at one point or at a vector of points.
//
// An address is an integer expression over loop symbols. Along the vector symbol it is constant (a
// scalar load), moves by one (a contiguous load), or does anything else (a gather). Checks that
// always hold in the range of the loops are left out.
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"
#include "passes/weigh.h"

static bool moves(MgPoint *p, MgIx x) {
    return p->vector >= 0 &&
           mg_ix_mentions(p->kb->s->ix, x, mg_ix_index(p->kb->s->ix, (uint32_t)p->vector));
}

const MgKx *mg_point_ix(MgPoint *p, MgIx x) {
    MgKb *kb = p->kb;
    if (p->vector == MG_EACH_LANE)
        return mg_kb_narrow_ix(kb, x, p->loop, &p->ranges);
    if (!moves(p, x))
        return mg_kb_ix(kb, x, p->loop);
    const MgKx *loop[64];
    for (uint32_t i = 0; i < 64; i++)
        loop[i] = p->loop[i];
    loop[p->vector] = mg_kramp(kb->k, loop[p->vector], num(kb->k, 1), p->lanes);
    // Masked lanes may be up to a vector past the end of the range.
    MgIx high[64];
    memcpy(high, p->ranges.high, sizeof high);
    high[p->vector] = mg_ix_add(kb->s->ix, high[p->vector], mg_ix_const(kb->s->ix, p->lanes));
    MgIxRanges ranges = {p->ranges.low, high, p->ranges.n};
    return mg_kb_narrow_ix(kb, x, loop, &ranges);
}

// Lanes of i64, the type that gathers take.
static const MgKx *wide(MgKernel *k, const MgKx *x) {
    return x->type.dtype == MG_I64 ? x : cast(k, MG_I64, x);
}

// Loads one element or lanes, depending on how the index moves.
static const MgKx *load_at(MgPoint *p, MgKBufId buf, const MgKx *index, bool straight,
                           const MgKx *mask) {
    uint32_t lanes = straight ? p->lanes : index->type.lanes;
    if (mask)
        mask = mg_ksplat(p->kb->k, mask, lanes);
    const MgKx *x = mg_kload(p->kb->k, buf, index, lanes, mask, NULL);
    return p->bare ? x : named(p->kb->k, p->block, "v", x);
}

// Does the address move by one element per lane?
static bool contiguous(MgPoint *p, MgIx address) {
    MgIxTable *t = p->kb->s->ix;
    return mg_moves_by_one(t, address, mg_ix_index(t, (uint32_t)p->vector));
}

static const MgKx *add_lanes(MgKernel *k, const MgKx *a, const MgKx *b) {
    widened(k, &a, &b);
    return add(k, a, b);
}

const MgKx *mg_point_load(MgPoint *p, MgKBufId buf, MgIx address, const MgKx *base,
                          const MgKx *mask) {
    MgKernel *k = p->kb->k;
    bool moving = moves(p, address), straight = moving && contiguous(p, address);
    const MgKx *index =
        straight ? mg_kb_ix(p->kb, address, p->loop) : wide(k, mg_point_ix(p, address));
    if (base)
        index = add_lanes(k, index, base);
    if (moving)
        mask = both_wide(k, p->mask, mask);
    // A condition that varies along the vector requires a load that varies, too.
    if (mask && mask->type.lanes > 1 && !straight)
        index = mg_ksplat(k, index, mask->type.lanes);
    return load_at(p, buf, index, straight, mask);
}

const MgKx *mg_point_strided(MgPoint *p, MgIx address) {
    bool strided = moves(p, address) && !contiguous(p, address);
    return strided ? wide(p->kb->k, mg_point_ix(p, address)) : NULL;
}

void mg_point_store(MgPoint *p, MgKBufId buf, MgDType storage, MgIx address, const MgKx *x) {
    MgKernel *k = p->kb->k;
    x = converted(k, storage, x);
    if (!moves(p, address)) {
        store(k, p->block, buf, mg_kb_ix(p->kb, address, p->loop), x);
        return;
    }
    const MgKx *index = contiguous(p, address) ? mg_kb_ix(p->kb, address, p->loop)
                                               : wide(k, mg_point_ix(p, address));
    mg_kstore(k, p->block, buf, index, mg_ksplat(k, x, p->lanes), p->mask);
}

// ---------------------------------------------------------------- reads
static const MgKx *compare(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    if (a->type.dtype != b->type.dtype) // a narrow subscript is below any bound that does not fit
                                        // its type
        b = cast(k, a->type.dtype, least(k, b, num(k, INT32_MAX)));
    widened(k, &a, &b);
    return bin(k, prim, a, b);
}

// Is x never below 0, by the ranges of its own symbols alone? A proof assumes that a point exists,
// and other symbols may belong to an earlier sum, which may have no terms.
static bool never_negative(MgPoint *p, MgIx x) {
    MgIxTable *t = p->kb->s->ix;
    MgIx low[64], high[64], zero = mg_ix_const(t, 0), one = mg_ix_const(t, 1);
    uint32_t n = p->ranges.n;
    for (uint32_t i = n; i-- > 0;) {
        MgIxSym sym = mg_ix_index(t, i);
        bool made_of = mg_ix_mentions(t, x, sym);
        for (uint32_t k = i + 1; k < n && !made_of; k++) // a range mentions earlier symbols
            made_of = mg_ix_mentions(t, low[k], sym) || mg_ix_mentions(t, high[k], sym);
        low[i] = made_of ? p->ranges.low[i] : zero;
        high[i] = made_of ? p->ranges.high[i] : one;
    }
    MgIxRanges ranges = {low, high, n};
    return mg_ix_nonnegative(t, x, &ranges, NULL, 0) == MG_PROVED;
}

// The condition under which subscript x (an ix over loops, or a value) is inside [0, extent); NULL:
// always.
static const MgKx *inside_ix(MgPoint *p, MgIx x, MgIx extent) {
    MgIxTable *t = p->kb->s->ix;
    MgKernel *k = p->kb->k;
    const MgKx *cond = NULL;
    if (!never_negative(p, x))
        cond = compare(k, MG_PRIM_GE, mg_point_ix(p, x), num(k, 0));
    MgIx room = mg_ix_sub(t, mg_ix_sub(t, extent, mg_ix_const(t, 1)), x);
    if (!never_negative(p, room))
        cond = both_wide(
            k, cond, compare(k, MG_PRIM_LT, mg_point_ix(p, x), mg_kb_ix(p->kb, extent, p->loop)));
    return cond;
}

const MgKx *mg_point_inside(MgPoint *p, const MgSx *read) {
    MgSched *s = p->kb->s;
    const MgIx *shape = mg_value(s->g, mg_op(s->g, p->op)->operands[read->operand])->shape;
    const MgKx *inside = NULL;
    for (uint32_t i = 0; i < read->n_args && read->bounds != MG_BOUNDS_PROVED; i++) {
        MgIx x = mg_ix_subst_indices(s->ix, read->args[i]->ix, p->with, p->n_with);
        inside = both_wide(p->kb->k, inside, inside_ix(p, x, shape[i]));
    }
    return inside;
}

// A subscript that may be outside: its number, its value, and the condition that it is inside.
typedef struct Check {
    uint32_t position;
    const MgKx *x, *inside;
} Check;

static const MgKx *inside_value(MgPoint *p, const MgKx *x, MgIx extent) {
    MgKernel *k = p->kb->k;
    return both_wide(k, compare(k, MG_PRIM_GE, x, num(k, 0)),
                     compare(k, MG_PRIM_LT, x, mg_kb_ix(p->kb, extent, p->loop)));
}

// The active lanes in which cond fails.
static const MgKx *lanes_outside(MgPoint *p, const MgKx *cond) {
    const MgKx *bad = un(p->kb->k, MG_PRIM_NOT, cond);
    return p->mask && bad->type.lanes > 1 ? both_wide(p->kb->k, bad, p->mask) : bad;
}

static const MgKx *any_lane(MgKernel *k, const MgKx *bad) {
    return bad->type.lanes > 1 ? mg_kfold(k, MG_PRIM_OR, bad) : bad;
}

// Records a trap with the value of a lane that is outside: the largest one.
static void trap(MgPoint *p, MgKBlock *block, const MgSx *read, const Check *c) {
    MgKernel *k = p->kb->k;
    MgValueId v = mg_op(p->kb->s->g, p->op)->operands[read->operand];
    const MgKx *x = wide(k, c->x), *bad = lanes_outside(p, c->inside);
    if (bad->type.lanes > 1) {
        x = mg_ksplat(k, x, bad->type.lanes);
        x = where(k, bad, x, mg_kconst(k, x->type, (uint64_t)INT64_MIN));
        x = mg_kfold(k, MG_PRIM_MAX, x);
    }
    mg_ktrap(k, block, mg_kb_trap_subscript(p->kb, p->op, v, c->position), x);
}

// Records a trap if `inside`, which combines the n checks, fails in an active lane.
static void trap_unless(MgPoint *p, const MgKx *inside, const MgSx *read, const Check *checks,
                        uint32_t n) {
    MgKernel *k = p->kb->k;
    MgKBlock *outside = block_if(k, p->block, any_lane(k, lanes_outside(p, inside)));
    for (uint32_t i = 0; i < n; i++) {
        const MgKx *bad = n > 1 ? any_lane(k, lanes_outside(p, checks[i].inside)) : NULL;
        trap(p, bad ? block_if(k, outside, bad) : outside, read, &checks[i]);
    }
}

const MgKx *mg_point_checked(MgPoint *p, const MgSx *read, uint32_t position) {
    MgKernel *k = p->kb->k;
    MgGraph *g = p->kb->s->g;
    MgIx extent = mg_value(g, mg_op(g, p->op)->operands[read->operand])->shape[position];
    const MgKx *x = named(k, p->block, "sub", mg_point_expr(p, read->args[position]));
    const MgKx *inside = named(k, p->block, "inside", inside_value(p, x, extent));
    trap_unless(p, inside, read, &(Check){position, x, inside}, 1);
    return where(k, inside, x, mg_kconst(k, x->type, 0));
}

static bool was_checked(const MgPoint *p, const MgSx *sub) {
    bool found = false;
    for (uint32_t i = 0; i < p->n_inside; i++)
        found |= p->inside[i] == sub;
    return found;
}

typedef struct Subscripts {
    MgIx affine;          // address part of the affine subscripts
    const MgKx *computed; // address part of the data-dependent ones, NULL if none
    const MgKx *inside;   // NULL: always
    Check checks[64];     // the checks that it combines
    uint32_t n_checks;
} Subscripts;

static Subscripts subscripts(MgPoint *p, const MgSx *read, MgValueId v, uint32_t depth) {
    MgSched *s = p->kb->s;
    MgIxTable *t = s->ix;
    MgKernel *k = p->kb->k;
    Subscripts r = {.affine = mg_ix_const(t, 0)};
    const MgIx *shape = mg_value(s->g, v)->shape;
    MgIx stride = mg_ix_const(t, 1);
    for (uint32_t i = read->n_args; i-- > depth;) {
        const MgSx *sub = read->args[i];
        const MgKx *inside = NULL, *x = NULL;
        if (sub->kind == MG_SX_IX) {
            MgIx place = mg_ix_subst_indices(t, sub->ix, p->with, p->n_with);
            r.affine = mg_ix_add(t, r.affine, mg_ix_mul(t, place, stride));
            if (read->bounds != MG_BOUNDS_PROVED)
                inside = inside_ix(p, place, shape[i]);
            if (inside && read->bounds == MG_BOUNDS_CHECKED)
                x = mg_point_ix(p, place);
        } else {
            x = mg_point_expr(p, sub);
            x = was_checked(p, sub) ? x : named(k, p->block, "sub", x);
            if (read->bounds != MG_BOUNDS_PROVED && !was_checked(p, sub))
                inside = inside_value(p, x, shape[i]);
            const MgKx *step = mg_ksplat(k, mg_kb_ix(p->kb, stride, p->loop), x->type.lanes);
            const MgKx *part = mul(k, x, step);
            r.computed = r.computed ? add_lanes(k, r.computed, part) : part;
        }
        r.inside = both_wide(k, r.inside, inside);
        if (inside)
            r.checks[r.n_checks++] = (Check){i, x, inside};
        stride = mg_ix_mul(t, stride, shape[i]);
    }
    if (r.inside)
        r.inside = named(k, p->block, "inside", r.inside);
    return r;
}

// x if the read is inside, its else-value otherwise.
static const MgKx *or_else(MgPoint *p, const MgSx *read, const MgKx *inside, const MgKx *x) {
    MgKernel *k = p->kb->k;
    const MgKx *other = mg_point_expr(p, read->otherwise);
    uint32_t lanes = x->type.lanes > other->type.lanes ? x->type.lanes : other->type.lanes;
    lanes = inside->type.lanes > lanes ? inside->type.lanes : lanes;
    return where(k, mg_ksplat(k, inside, lanes), mg_ksplat(k, x, lanes),
                 mg_ksplat(k, other, lanes));
}

static const MgKx *lower_read(MgPoint *p, const MgSx *read) {
    MgKb *kb = p->kb;
    MgKernel *k = kb->k;
    MgValueId v = mg_op(kb->s->g, p->op)->operands[read->operand];
    MgDType storage = mg_value(kb->s->g, v)->dtype;
    const MgKbValue *local = mg_kb_local(kb, v);
    if (local && local->reg)
        return local->reg;
    MgKBufId buf = local ? local->buf : mg_kb_value(kb, v);
    Subscripts sub = subscripts(p, read, v, local ? local->depth : 0);
    if (sub.inside && read->bounds == MG_BOUNDS_CHECKED)
        trap_unless(p, sub.inside, read, sub.checks, sub.n_checks);
    const MgKx *base = local ? local->base : NULL, *x;
    bool row = sub.computed && sub.computed->type.lanes == 1 && moves(p, sub.affine) &&
               contiguous(p, sub.affine) && (!sub.inside || sub.inside->type.lanes == 1);
    if (row) { // data decide where the lanes start
        const MgKx *at = add(k, mg_kb_ix(kb, sub.affine, p->loop), wide(k, sub.computed));
        x = load_at(p, buf, base ? add(k, at, base) : at, true, both_wide(k, sub.inside, p->mask));
    } else if (sub.computed) { // the address depends on data: one element, or a gather
        const MgKx *at = add_lanes(k, wide(k, mg_point_ix(p, sub.affine)), sub.computed);
        if (base)
            at = add_lanes(k, at, base);
        const MgKx *mask = at->type.lanes > 1 ? both_wide(k, sub.inside, p->mask) : sub.inside;
        if (mask)
            at = mg_ksplat(k, at, mask->type.lanes);
        x = load_at(p, buf, at, false, mask);
    } else {
        x = mg_point_load(p, buf, sub.affine, base, sub.inside);
    }
    if (read->dtype != storage)
        x = cast(k, read->dtype, x);
    if (p->early)
        x = named(k, p->block, "v", x);
    return sub.inside && read->bounds == MG_BOUNDS_ELSE ? or_else(p, read, sub.inside, x) : x;
}

static bool is_product(const MgKx *x) {
    return x->kind == MG_KX_PRIM && x->prim == MG_PRIM_MUL;
}

// x = a + b or a - b with a product as an operand, rounded once. NULL if x is no such sum, or may
// not be contracted.
static const MgKx *multiply_add(MgPoint *p, const MgSx *x, const MgKx *a, const MgKx *b) {
    const MgScheduleOptions *options = p->kb->s->options;
    MgKernel *k = p->kb->k;
    bool adds = x->prim == MG_PRIM_ADD, real = x->dtype == MG_F32 || x->dtype == MG_F64;
    if ((!adds && x->prim != MG_PRIM_SUB) || !real || options->level < 2 ||
        !mg_contracts(options) || mg_sx_in(&p->kb->s->fixed, x))
        return NULL;
    if (is_product(a)) {
        b = adds ? b : un(k, MG_PRIM_NEG, b);
        return mg_kprim(k, MG_PRIM_FMA, a->args[0], a->args[1], b);
    }
    if (!is_product(b))
        return NULL;
    const MgKx *c = adds ? b->args[0] : un(k, MG_PRIM_NEG, b->args[0]);
    return mg_kprim(k, MG_PRIM_FMA, c, b->args[1], a);
}

// A vector's quotient by one number, as a product with its inverse. NULL: it is no vector, or its
// lanes have divisors of their own.
static const MgKx *by_inverse(MgKernel *k, const MgKx *x, const MgKx *by) {
    if (x->type.lanes == 1 || by->type.lanes > 1)
        return NULL;
    const MgKx *once = bin(k, MG_PRIM_DIV, mg_kfloat(k, by->type, 1), by);
    return bin(k, MG_PRIM_MUL, x, mg_ksplat(k, once, x->type.lanes));
}

// The terms of a softmax and their quotients by its sum, for workers. A term's operand is not above
// 0; and a row's sum has a reciprocal, so that each quotient is a product. NULL: x is none.
static const MgKx *softmax(MgPoint *p, const MgSx *x, const MgKx *const *args) {
    const MgSched *s = p->kb->s;
    MgKernel *k = p->kb->k;
    bool may = (x->prim == MG_PRIM_EXP || x->prim == MG_PRIM_DIV) && s->options->level >= 2 &&
               !s->options->strict && !s->options->target.gpu && x->dtype == MG_F32;
    if (!may || mg_sx_in(&s->fixed, x))
        return NULL;
    if (x->prim == MG_PRIM_EXP)
        return mg_is_softmax_power(s->g, p->op, x) ? mg_kexp_below(k, args[0]) : NULL;
    const MgSx *by = x->args[1];
    return by->kind == MG_SX_READ &&
                   mg_is_softmax_sum(s->g, mg_op(s->g, p->op)->operands[by->operand])
               ? by_inverse(k, args[0], args[1])
               : NULL;
}

// A vector's quotient by one root is a product: a root's inverse is neither infinite, unless the
// root is 0, nor subnormal. A GPU divides in some ten instructions with a branch, for each element.
// NULL: x is no such quotient.
static const MgKx *by_root(MgPoint *p, const MgSx *x, const MgKx *const *args) {
    const MgScheduleOptions *o = p->kb->s->options;
    bool may = x->prim == MG_PRIM_DIV && x->args[1]->kind == MG_SX_PRIM &&
               x->args[1]->prim == MG_PRIM_SQRT && o->target.gpu && o->level >= 3 && !o->strict;
    return may && !mg_sx_in(&p->kb->s->fixed, x) ? by_inverse(p->kb->k, args[0], args[1]) : NULL;
}

static const MgKx *lower_prim(MgPoint *p, const MgSx *x) {
    MgKernel *k = p->kb->k;
    const MgKx *args[3] = {0};
    uint32_t lanes = 1;
    for (uint32_t i = 0; i < x->n_args; i++) {
        args[i] = mg_point_expr(p, x->args[i]);
        if (args[i]->type.lanes > lanes)
            lanes = args[i]->type.lanes;
    }
    if (mg_prim(x->prim)->result == MG_RESULT_CONVERT)
        return mg_kcast(k, x->prim, x->dtype, args[0]);
    if (mg_is_rough(p->kb->s, x))
        return (x->prim == MG_PRIM_EXP ? mg_kexp_rough : mg_kerfc_near)(k, args[0]);
    const MgKx *part = softmax(p, x, args);
    part = part ? part : by_root(p, x, args);
    if (part)
        return part;
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = mg_ksplat(k, args[i], lanes);
    const MgKx *once = x->n_args == 2 ? multiply_add(p, x, args[0], args[1]) : NULL;
    return once ? once : mg_kprim(k, x->prim, args[0], args[1], args[2]);
}

const MgKx *mg_point_expr(MgPoint *p, const MgSx *x) {
    MgKernel *k = p->kb->k;
    if (x->kind == MG_SX_CONST)
        return mg_kconst(k, mg_kt(x->dtype, 1), x->bits);
    if (!p->memo_on) {
        mg_map_init(&p->memo, p->kb->s->arena);
        p->memo_on = true;
    }
    uint64_t *known = mg_map_find(&p->memo, (uint64_t)(uintptr_t)x);
    if (known)
        return (const MgKx *)(uintptr_t)*known;
    const MgKx *result;
    if (x->kind == MG_SX_IX) {
        MgIx ix = mg_ix_subst_indices(p->kb->s->ix, x->ix, p->with, p->n_with);
        result = mg_point_ix(p, ix);
        if (x->dtype != result->type.dtype)
            result = cast(k, x->dtype, result);
    } else {
        result = x->kind == MG_SX_READ ? lower_read(p, x) : lower_prim(p, x);
    }
    mg_map_put(&p->memo, (uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)result);
    return result;
}

const MgKx *mg_point_factor(MgPoint *p, const MgSx *x) {
    MgKernel *k = p->kb->k;
    const MgKx *v = mg_ksplat(k, mg_point_expr(p, x), p->lanes);
    return p->mask ? where(k, p->mask, v, mg_kfloat(k, v->type, 0)) : v;
}

const MgKx *mg_multiply_add(MgSched *s, MgKernel *k, const MgKx *a, const MgKx *b,
                            const MgKx *sum) {
    return mg_contracts(s->options) && mg_is_float(sum->type.dtype)
               ? mg_kprim(k, MG_PRIM_FMA, a, b, sum)
               : add(k, sum, mul(k, a, b));
}

const MgKx *mg_narrowed(MgKernel *k, const MgKx *x, MgDType type) {
    if (x->type.dtype == type)
        return x;
    if (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_WHERE) {
        const MgKx *a = mg_narrowed(k, x->args[1], type), *b = mg_narrowed(k, x->args[2], type);
        return a && b ? where(k, x->args[0], a, b) : NULL;
    }
    bool widens = x->kind == MG_KX_PRIM && x->prim == MG_PRIM_CAST;
    return x->kind == MG_KX_CONST || (widens && x->args[0]->type.dtype == type) ? cast(k, type, x)
                                                                                : NULL;
}

void mg_lanes_loop(MgKernel *k, MgKBlock *block, const MgKx **at, const MgKx *low, const MgKx *high,
                   uint32_t lanes, bool whole, MgLanesFn *body, void *ctx) {
    const MgKx *extent = sub(k, high, low);
    bool known = extent->kind == MG_KX_CONST;
    int64_t n = known ? (int64_t)extent->bits : 0;
    if (!known || n >= lanes) {
        Loop loop = each_from(k, block, "v", low, minus(k, high, lanes - 1), lanes);
        *at = loop.at;
        body(ctx, loop.body, NULL);
    }
    if (whole || (known && (n <= 0 || n % lanes == 0)))
        return;
    extent = greatest(k, extent, num(k, 0));
    const MgKx *tail = add(k, low, times(k, over(k, extent, lanes), lanes));
    *at = named(k, block, "tail", tail);
    if (!known)
        block = block_if(k, block, less(k, *at, high));
    body(ctx, block, named(k, block, "mask", lanes_below(k, *at, high, lanes)));
}
