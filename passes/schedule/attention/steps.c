// What the kernels of an attention for workers and for GPUs have in common, on a row or a vector of
// rows: symbols, factors, a score, and the final scaling of a row's sums.
//
// The softmax's shift h may be any function of the maximum, and may be infinite or NaN if a row is
// masked out. Blocks of keys use a shift of their own: the largest score so far, or 0 if that is
// -inf. At the end, exp(own - h) converts the sums to the definition's sums, and makes them NaN if
// those are NaN. The weights are the exponential times a factor of the row; this factor is applied
// once, at the end. A gain is applied to each weight, when it has been added to its row's sum.
#include "passes/schedule/attention/attention.h"
#include "passes/schedule/words.h"

#include <math.h>

static const MgKx *splat(MgAttn *t, double v) {
    return mg_kfloat(t->kb.k, mg_kt(t->a->type, t->lanes), v);
}

// ---------------------------------------------------------------- symbols
// Turns the symbols of a class into digits of one symbol; returns the product of their sizes.
static MgIx flatten(MgAttn *t, uint64_t set, uint32_t sym, MgIx *flat) {
    MgIxTable *ix = t->s->ix;
    MgIx stride = mg_ix_const(ix, 1), one = stride;
    uint32_t first = 0;
    while (first < t->a->n_symbols && (!(set >> first & 1) || t->a->extent[first] == one))
        first++;
    for (uint32_t i = t->a->n_symbols; i-- > 0;) {
        if (!(set >> i & 1))
            continue;
        MgIx digit = i < first ? mg_ix_const(ix, 0) : mg_ix_div(ix, mg_ix_idx(ix, sym), stride);
        flat[i] = i > first ? mg_ix_mod(ix, digit, t->a->extent[i]) : digit;
        stride = mg_ix_mul(ix, stride, t->a->extent[i]);
    }
    t->at.high[sym] = stride;
    return stride;
}

static void name_symbols(MgAttn *t) {
    MgIx flat[MG_ATTN_SYMS];
    MgIxTable *ix = t->s->ix;
    for (uint32_t i = 0; i < MG_ATTN_SYMS; i++) {
        flat[i] = mg_ix_idx(ix, i);
        t->at.low[i] = mg_ix_const(ix, 0);
        bool batch = i < t->a->n_symbols && (t->a->batch >> i & 1);
        t->at.high[i] = batch ? t->a->extent[i] : mg_ix_const(ix, 1);
    }
    t->size.rows = flatten(t, t->a->rows, MG_ATTN_ROW, flat);
    t->size.keys = flatten(t, t->a->keys, MG_ATTN_KEY, flat);
    t->size.columns = flatten(t, t->a->columns, MG_ATTN_COLUMN, flat);
    for (uint32_t i = 0; i < t->a->n_products; i++) {
        const MgAttentionProduct *p = &t->a->products[i];
        uint32_t sym = MG_ATTN_DEPTH + i;
        MgIx depth = flatten(t, p->depth, sym, flat);
        t->products[i] = (MgAttnProduct){{p->step, MG_ATTN_ROW, sym, p->q, depth},
                                         {p->step, MG_ATTN_KEY, sym, p->k, depth}};
    }
    t->size.depth = t->products[0].q.n;
    t->size.batches = mg_ix_const(ix, 1);
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (t->a->batch >> i & 1)
            t->size.batches = mg_ix_mul(ix, t->size.batches, t->a->extent[i]);
    t->value_factor =
        (MgAttnFactor){t->a->values, MG_ATTN_KEY, MG_ATTN_COLUMN, t->a->v, t->size.columns};
    MgIxRanges ranges = {t->at.low, t->at.high, MG_ATTN_SYMS};
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        for (uint32_t i = 0; i < MG_ATTENTION_SYMBOLS; i++) {
            MgIx at = t->a->steps[s].with[i];
            at = at ? mg_ix_subst_indices(ix, at, flat, MG_ATTN_SYMS) : mg_ix_const(ix, 0);
            t->at.with[s][i] = mg_ix_narrow(ix, at, &ranges);
        }
}

// Is v one value for each of the attention's rows?
static bool is_of_rows(const MgAttn *t, MgValueId v) {
    bool found = false;
    for (uint32_t i = 0; i < t->a->n_steps; i++)
        found |= mg_op(t->s->g, t->a->steps[i].op)->results[0] == v &&
                 mg_attention_is_of_rows(&t->a->steps[i]);
    return found;
}

// Are the unit's first n ops an attention?
static bool ends_in(MgAttn *t, uint32_t n) {
    MgOpId op = t->unit->ops[n - 1];
    const char *why;
    bool found = mg_attention_find(t->s->g, op, NULL, t->a, &why) && t->a->n_steps == n;
    for (uint32_t i = 0; i < 2 && !found; i++)
        found = mg_attention_find_weighted(t->s->g, op, i, NULL, t->a) && t->a->n_steps == n;
    return found;
}

// Are the unit's first ops an attention, do the others follow its result point by point, and is
// nothing else used outside, except values of rows?
static bool find_in_unit(MgAttn *t) {
    const MgUnit *unit = t->unit;
    uint32_t n = unit->n_ops;
    while (n > 0 && !ends_in(t, n))
        n--;
    if (!n)
        return false;
    t->tail = (MgUnit){.ops = unit->ops + n - 1,
                       .n_ops = unit->n_ops - (n - 1),
                       .outputs = unit->outputs,
                       .n_outputs = unit->n_outputs};
    for (uint32_t i = 0; i < unit->n_outputs; i++)
        if (!mg_unit_def(&t->tail, t->s->g, unit->outputs[i]) && !is_of_rows(t, unit->outputs[i]))
            return false;
    return t->tail.n_ops == 1 || mg_unit_has_epilogue(t->s, &t->tail);
}

bool mg_attention_of_unit(MgAttn *t, MgSched *s, const MgUnit *unit) {
    *t = (MgAttn){.s = s, .unit = unit, .kb = {.s = s}};
    if (s->options->level < 2 || s->options->strict || unit->n_ops < 2)
        return false;
    t->a = MG_NEW(s->arena, MgAttention);
    if (!find_in_unit(t))
        return false;
    name_symbols(t);
    return true;
}

void mg_attention_begin(MgAttn *t) {
    mg_kb_begin(&t->kb, t->s, t->unit, "attention");
    t->kb.anchor = t->unit->n_ops - t->tail.n_ops;
    for (uint32_t i = 0; i < MG_ATTN_SYMS; i++)
        t->at.loop[i] = num(t->kb.k, 0);
}

const MgKx *mg_attention_batches(MgAttn *t) {
    const MgKx *n = num(t->kb.k, 1);
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (t->a->batch >> i & 1)
            n = mul(t->kb.k, n, mg_kb_ix(&t->kb, t->a->extent[i], t->at.loop));
    return n;
}

void mg_attention_batch(MgAttn *t, MgKBlock *block, const MgKx *left) {
    MgKernel *k = t->kb.k;
    for (uint32_t i = t->a->n_symbols; i-- > 0;) {
        if (!(t->a->batch >> i & 1))
            continue;
        const MgKx *size = mg_kb_ix(&t->kb, t->a->extent[i], t->at.loop);
        t->at.loop[i] = named(k, block, "i", remainder_of(k, left, size));
        left = named(k, block, "left", quotient(k, left, size));
    }
}

// ---------------------------------------------------------------- factors
MgPoint mg_attention_point(MgAttn *t, uint32_t step, MgKBlock *block, int vector,
                           const MgKx *mask) {
    MgPoint p = mg_point(&t->kb, t->a->steps[step].op, block, t->at.with[step], MG_ATTN_SYMS,
                         t->at.loop, (MgIxRanges){t->at.low, t->at.high, MG_ATTN_SYMS});
    return mg_vector_of(p, t->lanes > 1 ? vector : -1, vector < 0 ? 1 : t->lanes, mask);
}

const MgKx *mg_attention_factor(MgAttn *t, MgKBlock *block, uint32_t step, const MgSx *x,
                                int vector, const MgKx *mask) {
    MgPoint p = mg_attention_point(t, step, block, vector, mask);
    return mg_point_factor(&p, x);
}

// Are all reads of x that move with the symbol contiguous along it?
static bool is_straight(MgAttn *t, MgOpId op, const MgSx *x, const MgIx *with, uint32_t sym,
                        bool proved) {
    MgAccesses all = mg_accesses(t->s, op, x, with, MG_ATTN_SYMS);
    for (uint32_t i = 0; i < all.n; i++)
        if (mg_moves(t->s, &all.at[i], sym) == MG_JUMPS ||
            (proved && all.at[i].read->bounds != MG_BOUNDS_PROVED))
            return false;
    return true;
}

bool mg_attention_straight(MgAttn *t, uint32_t step, const MgSx *x, uint32_t sym) {
    return is_straight(t, t->a->steps[step].op, x, t->at.with[step], sym, false);
}

bool mg_attention_tail_straight(MgAttn *t, uint32_t sym) {
    bool all = true;
    for (uint32_t o = 1; o < t->tail.n_ops && all; o++)
        all =
            is_straight(t, t->tail.ops[o], mg_op(t->s->g, t->tail.ops[o])->equation->pieces[0].expr,
                        t->at.with[t->a->values], sym, true);
    return all;
}

// ---------------------------------------------------------------- rows
const MgKx *mg_attention_larger(MgAttn *t, const MgKx *a, const MgKx *b) {
    return where(t->kb.k, less(t->kb.k, a, b), b, a);
}

const MgKx *mg_attention_shift(MgAttn *t, const MgKx *peak) {
    return where(t->kb.k, equal(t->kb.k, peak, splat(t, -INFINITY)), splat(t, 0), peak);
}

// The value of a step at the point; later steps read it. It is rounded as it is declared, unless to
// 16 bits, which only --strict demands.
static const MgKx *define(MgAttn *t, uint32_t step, MgKBlock *block, const MgKx *x) {
    MgKernel *k = t->kb.k;
    MgValueId v = mg_op(t->s->g, t->a->steps[step].op)->results[0];
    MgDType storage = mg_value(t->s->g, v)->dtype;
    x = mg_ksplat(k, x, t->lanes);
    if (x->type.dtype != storage && mg_dtype(storage)->bits != 16)
        x = cast(k, x->type.dtype, cast(k, storage, x));
    x = named(k, block, "x", x);
    mg_kb_define(&t->kb, (MgKbValue){.value = v, .reg = x});
    return x;
}

// The same for a step that has one value for each row; it is stored if it is used outside.
static void leave(MgAttn *t, uint32_t step, MgKBlock *block, const MgKx *mask, const MgKx *x) {
    MgValueId v = mg_op(t->s->g, t->a->steps[step].op)->results[0];
    bool output = mg_unit_is_output(t->unit, v);
    MgKBufId buf = output ? mg_kb_value(&t->kb, v) : 0;
    x = define(t, step, block, x);
    if (!output)
        return;
    block = t->leaves ? &mg_kif(t->kb.k, block, t->leaves)->body : block;
    MgPoint p = mg_attention_point(t, step, block, MG_ATTN_ROW, mask);
    MgIx at = mg_unit_target(t->s, t->a->steps[step].op, t->at.with[step], MG_ATTN_SYMS);
    mg_point_store(&p, buf, mg_value(t->s->g, v)->dtype, at, x);
}

static const MgSx *expr_of(MgAttn *t, uint32_t step) {
    return mg_op(t->s->g, t->a->steps[step].op)->equation->pieces[0].expr;
}

// A value that was transposed beforehand is not read again.
static void know_across(MgAttn *t, uint32_t step, MgPoint *p) {
    mg_map_init(&p->memo, t->s->arena);
    p->memo_on = true;
    for (uint32_t i = 0; i < t->across.n; i++)
        if (t->across.at[i].step == step && t->across.at[i].now)
            mg_map_put(&p->memo, (uint64_t)(uintptr_t)t->across.at[i].read,
                       (uint64_t)(uintptr_t)t->across.at[i].now);
}

// Defines the steps of a role in order, lanes along the rows; returns the last one.
static const MgKx *define_all(MgAttn *t, MgAttentionRole role, MgKBlock *block, const MgKx *mask,
                              const MgKx *x) {
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        if (t->a->steps[s].role != role)
            continue;
        MgPoint p = mg_attention_point(t, s, block, MG_ATTN_ROW, mask);
        know_across(t, s, &p);
        const MgOp *op = mg_op(t->s->g, t->a->steps[s].op);
        const MgSx *own = expr_of(t, s);
        if (t->sees && t->seen.branch[s])
            own = own->args[t->sees == MG_SEES_NONE ? t->seen.branch[s] : 3 - t->seen.branch[s]];
        x = op == t->scaling ? x : mg_point_expr(&p, own);
        x = define(t, s, block, x);
    }
    return x;
}

// ---------------------------------------------------------------- a factor of all scores

// Is x the value v, which rounding to its own type does not change?
static bool is_read_of(MgGraph *g, const MgOp *op, const MgSx *x, MgValueId v) {
    x = mg_sx_unrounded(x, mg_value(g, v)->dtype);
    return x->kind == MG_SX_READ && op->operands[x->operand] == v;
}

// The positive factor with which x, an expression of op, multiplies v; 0: it does something else.
static double factor_of(MgGraph *g, const MgOp *op, const MgSx *x, MgValueId v) {
    bool product = x->kind == MG_SX_PRIM && x->prim == MG_PRIM_MUL;
    for (uint32_t i = 0; i < 2 && product; i++)
        if (x->args[i]->kind == MG_SX_CONST && is_read_of(g, op, x->args[1 - i], v)) {
            double factor = mg_bits_to_double(x->args[i]->dtype, x->args[i]->bits);
            return isfinite(factor) && factor > 0 ? factor : 0;
        }
    return 0;
}

// Is x the value v, or a choice between v and -inf that does not depend on v?
static bool passes_on(MgSched *s, MgOpId id, const MgSx *x, MgValueId v) {
    MgGraph *g = s->g;
    const MgOp *op = mg_op(g, id);
    bool found = false;
    if (is_read_of(g, op, x, v))
        return true;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_WHERE)
        return false;
    MgAccesses condition = mg_reads(s, id, x->args[0]);
    for (uint32_t i = 0; i < condition.n; i++)
        found |= condition.at[i].value == v;
    const MgSx *other = is_read_of(g, op, x->args[1], v) ? x->args[2] : x->args[1];
    return !found && mg_sx_is_number(other, -INFINITY) &&
           (is_read_of(g, op, x->args[1], v) || is_read_of(g, op, x->args[2], v));
}

double mg_attention_leave_factor(MgAttn *t) {
    MgGraph *g = t->s->g;
    MgValueId v = mg_op(g, t->a->steps[t->a->products[0].step].op)->results[0];
    double factor = 0;
    const MgOp *first = NULL;
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        const MgOp *op = mg_op(g, t->a->steps[s].op);
        if (t->a->steps[s].role != MG_ATTENTION_SCORE)
            continue;
        if (mg_value(g, op->results[0])->dtype != t->a->type)
            return 1;
        factor = first ? factor : factor_of(g, op, expr_of(t, s), v);
        if (factor == 0 || (first && !passes_on(t->s, t->a->steps[s].op, expr_of(t, s), v)))
            return 1;
        first = first ? first : op;
        v = op->results[0];
    }
    if (!first || !is_read_of(g, mg_op(g, t->a->steps[t->a->argument].op), t->a->score, v))
        return 1;
    t->scaling = first;
    return factor;
}

const MgKx *mg_attention_score(MgAttn *t, MgKBlock *block, const MgKx *mask,
                               const MgKx *const *sums) {
    MgKernel *k = t->kb.k;
    uint32_t locals = t->kb.sources.len;
    const MgKx *sum = NULL;
    for (uint32_t i = 0; i < t->a->n_products; i++)
        sum = define(t, t->a->products[i].step, block, named(k, block, "s", sums[i]));
    define_all(t, MG_ATTENTION_SCORE, block, mask, sum);
    MgPoint p = mg_attention_point(t, t->a->argument, block, MG_ATTN_ROW, mask);
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, t->a->score), t->lanes);
    mg_kb_forget(&t->kb, locals);
    return named(k, block, "x", x);
}

const MgKx *mg_attention_unseen_weight(MgAttn *t, MgKBlock *block) {
    const MgKx *sums[MG_ATTENTION_PRODUCTS];
    if (t->a->softmax)
        return splat(t, 0);
    for (uint32_t i = 0; i < t->a->n_products; i++)
        sums[i] = splat(t, 0); // nothing depends on them
    t->sees = MG_SEES_NONE;
    const MgKx *x = mg_attention_score(t, block, NULL, sums);
    t->sees = MG_SEES_SOME;
    return x;
}

// The exponential at 1, converted from the blocks' shift to the definition's.
static const MgKx *unit(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *peak) {
    MgKernel *k = t->kb.k;
    MgPoint p = mg_attention_point(t, t->a->argument, block, MG_ATTN_ROW, mask);
    const MgKx *own = mg_ksplat(k, mg_point_expr(&p, t->a->shift), t->lanes);
    const MgKx *x = sub(k, mg_attention_shift(t, peak), own);
    return named(k, block, "unit", un(k, MG_PRIM_EXP, x));
}

// The maximum of a row, of which blocks pass over NaN: the sum has it. An infinite score makes the
// sum NaN, too.
static const MgKx *maximum(MgAttn *t, const MgKx *peak, const MgKx *sum) {
    MgKernel *k = t->kb.k;
    peak = mg_ksplat(k, peak, t->lanes);
    sum = mg_ksplat(k, sum, t->lanes);
    const MgKx *finite = less(k, peak, splat(t, INFINITY));
    return where(k, un(k, MG_PRIM_ISNAN, sum), where(k, finite, sum, peak), peak);
}

const MgKx *mg_attention_row_factor(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *peak,
                                    const MgKx *sum) {
    MgKernel *k = t->kb.k;
    uint32_t locals = t->kb.sources.len;
    t->at.loop[MG_ATTN_KEY] = t->at.loop[MG_ATTN_COLUMN] = num(k, 0);
    const MgKx *one = NULL, *x = NULL;
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        MgValueId result = mg_op(t->s->g, t->a->steps[s].op)->results[0];
        MgPoint p = mg_attention_point(t, s, block, MG_ATTN_ROW, mask);
        switch (t->a->steps[s].role) {
        case MG_ATTENTION_MAX:
            leave(t, s, block, mask, maximum(t, peak, sum));
            break;
        case MG_ATTENTION_ROW:
            leave(t, s, block, mask, mg_point_expr(&p, expr_of(t, s)));
            break;
        case MG_ATTENTION_EXP:
            one = unit(t, block, mask, peak);
            mg_kb_define(&t->kb, (MgKbValue){.value = result, .reg = one});
            break;
        case MG_ATTENTION_SUM:
            leave(t, s, block, mask, mul(k, sum, one));
            break;
        case MG_ATTENTION_WEIGHT: // the weights are not rounded here: their sums are
        case MG_ATTENTION_VALUES:
            x = mg_point_expr(&p, t->a->steps[s].weight);
            x = named(k, block, "weight", mg_ksplat(k, x, t->lanes));
            mg_kb_define(&t->kb, (MgKbValue){.value = result, .reg = x});
            break;
        default:
            break;
        }
    }
    mg_kb_forget(&t->kb, locals);
    MgIxRanges none = {0};
    MgIx some = mg_ix_sub(t->s->ix, t->size.keys, mg_ix_const(t->s->ix, 1));
    if (mg_ix_nonnegative(t->s->ix, some, &none, NULL, 0) != MG_PROVED) // an empty sum is 0
        x = where(
            k,
            mg_ksplat(k, bin(k, MG_PRIM_GT, mg_kb_ix(&t->kb, t->size.keys, t->at.loop), num(k, 0)),
                      t->lanes),
            x, splat(t, 0));
    return mg_attention_or_dropped(t, block, mask, named(k, block, "factor", x));
}
