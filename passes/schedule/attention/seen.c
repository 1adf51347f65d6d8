// Keys that no row of a strip sees. In causal attention the last step of the scores is -inf for
// every key from some key on, which moves with the row. Blocks of keys end there.
//
// Without a softmax, steps choose by such a condition, and weights of keys that are not seen must
// depend on no row and on no product of scores; often they are 0. There, rows may also see only
// the keys from some key on, as in the derivative with respect to the keys of attention.
//
// A key that is not seen has the weight 0, but it can't simply be skipped: 0 times an infinite or
// NaN value is NaN, for all rows of the strip. So the products with 0 are summed once for the
// strip, a vector of columns at a time, and its sums begin with them. This takes two operations
// where a strip of 64 rows takes 256.
#include "passes/schedule/attention/attention.h"
#include "passes/schedule/words.h"

#include <math.h>

static bool is_hidden(const MgSx *x) {
    return mg_sx_is_number(x, -INFINITY);
}

// Finds e such that a comparison of places holds if e is not negative. False if x is something
// else.
static bool where_it_holds(MgIxTable *ix, const MgSx *x, MgIx *e) {
    bool places = x->kind == MG_SX_PRIM && x->n_args == 2 && x->args[0]->kind == MG_SX_IX &&
                  x->args[1]->kind == MG_SX_IX && x->args[0]->dtype == MG_I64;
    if (!places)
        return false;
    bool less = x->prim == MG_PRIM_LT || x->prim == MG_PRIM_LE;
    MgIx a = x->args[less]->ix, b = x->args[!less]->ix;
    *e = mg_ix_sub(ix, a, b);
    if (x->prim == MG_PRIM_LT || x->prim == MG_PRIM_GT)
        *e = mg_ix_sub(ix, *e, mg_ix_const(ix, 1));
    return less || x->prim == MG_PRIM_GE || x->prim == MG_PRIM_GT;
}

// The step whose value x, an expression of a step, reads; NULL: it reads another value.
static const MgAttentionStep *step_read(const MgAttn *t, const MgAttentionStep *step,
                                        const MgSx *x) {
    MgValueId v = mg_op(t->s->g, step->op)->operands[x->operand];
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        if (mg_op(t->s->g, t->a->steps[s].op)->results[0] == v)
            return &t->a->steps[s];
    return NULL;
}

// The step that the exponential's argument reads unchanged: the last step of the scores.
static const MgAttentionStep *last_score(const MgAttn *t) {
    const MgSx *score = t->a->score;
    if (score->kind != MG_SX_READ)
        return NULL;
    const MgAttentionStep *step = step_read(t, &t->a->steps[t->a->argument], score);
    return step && step->role == MG_ATTENTION_SCORE ? step : NULL;
}

static const MgSx *expr_of(const MgAttn *t, const MgAttentionStep *step) {
    return mg_op(t->s->g, step->op)->equation->pieces[0].expr;
}

// Does the step choose by a comparison of places? It holds if e, over the attention's own symbols,
// is not negative.
static bool chooses(const MgAttn *t, const MgAttentionStep *step, MgIx *e) {
    MgIxTable *ix = t->s->ix;
    const MgSx *x = expr_of(t, step);
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_WHERE || !where_it_holds(ix, x->args[0], e))
        return false;
    MgIx with[MG_ATTENTION_SYMBOLS];
    for (uint32_t i = 0; i < MG_ATTENTION_SYMBOLS; i++)
        with[i] = step->with[i] ? step->with[i] : mg_ix_const(ix, 0);
    *e = mg_ix_subst_indices(ix, *e, with, MG_ATTENTION_SYMBOLS);
    return true;
}

// e is negative where the other is not.
static MgIx opposite(MgIxTable *ix, MgIx e) {
    return mg_ix_sub(ix, mg_ix_const(ix, -1), e);
}

// Finds e such that a score is more than -inf only if e is not negative.
static bool where_seen(MgAttn *t, MgIx *e) {
    const MgAttentionStep *step = last_score(t);
    const MgSx *x = step ? expr_of(t, step) : NULL;
    if (!x || !chooses(t, step, e) || is_hidden(x->args[1]) == is_hidden(x->args[2]))
        return false;
    bool first = is_hidden(x->args[1]);
    t->seen.branch[step - t->a->steps] = first ? 1 : 2;
    *e = first ? opposite(t->s->ix, *e) : *e;
    return true;
}

// Does x, an expression of a step, depend on the row, or on a step that is open?
static bool is_open(const MgAttn *t, const MgAttentionStep *step, const MgSx *x, const bool *open) {
    MgIxTable *ix = t->s->ix;
    bool found = false;
    for (uint32_t i = 0; x->kind == MG_SX_IX && i < t->a->n_symbols; i++)
        if (t->a->rows >> i & 1) {
            MgIx at = mg_ix_subst_indices(ix, x->ix, step->with, MG_ATTENTION_SYMBOLS);
            found |= mg_ix_mentions(ix, at, mg_ix_index(ix, i));
        }
    const MgAttentionStep *read = x->kind == MG_SX_READ ? step_read(t, step, x) : NULL;
    if (read)
        return open[read - t->a->steps];
    for (uint32_t i = 0; i < x->n_args && !found; i++)
        found = is_open(t, step, x->args[i], open);
    return found || (x->otherwise && is_open(t, step, x->otherwise, open));
}

// What the step, or the weight, is if a key is not seen.
static const MgSx *unseen_expr(const MgAttn *t, const MgAttentionStep *step) {
    uint32_t s = (uint32_t)(step - t->a->steps);
    const MgSx *x = s == t->a->values ? t->a->score : expr_of(t, step);
    return t->seen.branch[s] ? x->args[t->seen.branch[s]] : x;
}

// Do weights depend neither on the row nor on a product, where steps choose as they do for keys
// that are not seen?
static bool closes(const MgAttn *t) {
    bool open[MG_ATTENTION_STEPS];
    for (uint32_t s = 0; s < t->a->n_steps; s++) { // each follows the steps that it reads
        const MgAttentionStep *step = &t->a->steps[s];
        open[s] = step->role == MG_ATTENTION_SCORES || is_open(t, step, unseen_expr(t, step), open);
    }
    return !open[t->a->values];
}

// Does x, an expression of a step, read no step? Then it is the same if a key is not seen.
static bool reads_no_step(const MgAttn *t, const MgAttentionStep *step, const MgSx *x) {
    bool none = x->kind != MG_SX_READ || !step_read(t, step, x);
    for (uint32_t i = 0; i < x->n_args && none; i++)
        none = reads_no_step(t, step, x->args[i]);
    return none && (!x->otherwise || reads_no_step(t, step, x->otherwise));
}

// Is x, an expression of a step, this number if a key is not seen, 0 or -inf? It may also be NaN,
// but only by numbers that make it infinite or NaN if the key is seen.
static bool is_unseen(const MgAttn *t, const MgAttentionStep *step, const MgSx *x, double number) {
    x = mg_attention_unrounded(x);
    const MgAttentionStep *read = x->kind == MG_SX_READ ? step_read(t, step, x) : NULL;
    if (read && t->seen.branch[read - t->a->steps])
        return mg_sx_is_number(unseen_expr(t, read), number);
    if (read)
        return read->role == MG_ATTENTION_SCORE && is_unseen(t, read, expr_of(t, read), number);
    if (x->kind != MG_SX_PRIM)
        return false;
    if (x->prim == MG_PRIM_EXP)
        return number == 0 && is_unseen(t, step, x->args[0], -INFINITY);
    bool product = x->prim == MG_PRIM_MUL && number == 0;
    bool less = x->prim == MG_PRIM_SUB && number != 0, found = false;
    for (uint32_t i = 0; i < (product ? 2 : less); i++)
        found |= is_unseen(t, step, x->args[i], number) && reads_no_step(t, step, x->args[1 - i]);
    return found;
}

bool mg_attention_unseen_is_nothing(const MgAttn *t) {
    return t->a->softmax || is_unseen(t, &t->a->steps[t->a->values], t->a->score, 0);
}

// The same for weights without a softmax: those of keys that are not seen are the same for all
// rows.
static bool where_weighted(MgAttn *t, MgIx *e) {
    MgIxTable *ix = t->s->ix;
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        for (uint32_t turn = 0; turn < 2; turn++) {
            if (t->a->steps[s].role != MG_ATTENTION_SCORE || !chooses(t, &t->a->steps[s], e))
                continue;
            *e = turn ? opposite(ix, *e) : *e;
            for (uint32_t i = 0; i < t->a->n_steps; i++) {
                MgIx own;
                bool choice =
                    t->a->steps[i].role == MG_ATTENTION_SCORE && chooses(t, &t->a->steps[i], &own);
                t->seen.branch[i] = !choice ? 0 : own == *e ? 2 : own == opposite(ix, *e) ? 1 : 0;
            }
            if (closes(t))
                return true;
        }
    return false;
}

// May a score or a gain trap? It must trap whether the key is seen or not.
static bool may_trap(const MgAttn *t) {
    bool found = false;
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        const MgAttentionStep *step = &t->a->steps[s];
        const MgSx *x = step->role == MG_ATTENTION_SCORE ? expr_of(t, step) : step->gain;
        MgAccesses reads = x ? mg_reads(t->s, step->op, x) : (MgAccesses){0};
        for (uint32_t r = 0; r < reads.n; r++)
            found |= reads.at[r].read->bounds == MG_BOUNDS_CHECKED;
    }
    return found;
}

// The last symbol of a class that has more than one point; MG_ATTN_SYMS: none.
static uint32_t last_symbol(const MgAttn *t, uint64_t set) {
    MgIx one = mg_ix_const(t->s->ix, 1);
    for (uint32_t i = t->a->n_symbols; i-- > 0;)
        if ((set >> i & 1) && t->a->extent[i] != one)
            return i;
    return MG_ATTN_SYMS;
}

void mg_attention_find_seen(MgAttn *t) {
    MgIxTable *ix = t->s->ix;
    MgIx e, rest;
    int64_t step;
    uint32_t key = last_symbol(t, t->a->keys), row = last_symbol(t, t->a->rows);
    if (key == MG_ATTN_SYMS || row == MG_ATTN_SYMS || t->size.keys != t->a->extent[key] ||
        may_trap(t) || !mg_attention_gains_are_finite(t->a) ||
        !(t->a->softmax ? where_seen : where_weighted)(t, &e) ||
        !mg_ix_steps(ix, e, mg_ix_index(ix, key), &step, &rest) ||
        (step != -1 && (step != 1 || t->a->softmax)))
        return;
    bool after = step == 1; // the keys from one on are seen, not those before it
    MgIx end =
        after ? mg_ix_mul(ix, rest, mg_ix_const(ix, -1)) : mg_ix_add(ix, rest, mg_ix_const(ix, 1));
    if (!mg_ix_steps(ix, end, mg_ix_index(ix, row), &step, &rest) || step < 0)
        return;
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (!(t->a->batch >> i & 1) && mg_ix_mentions(ix, rest, mg_ix_index(ix, i)))
            return;
    t->seen.keys = end;
    t->seen.row = row;
    t->seen.after = after;
}

// The number of keys that a row, and no row before it, sees more than -inf.
static const MgKx *seen_at(MgAttn *t, MgKBlock *block, const MgKx *row) {
    MgKernel *k = t->kb.k;
    const MgKx *keys = mg_kb_ix(&t->kb, t->size.keys, t->at.loop), *zero = num(k, 0);
    const MgKx *before = t->at.loop[t->seen.row];
    t->at.loop[t->seen.row] = named(k, block, "row", row);
    const MgKx *end = mg_kb_ix(&t->kb, t->seen.keys, t->at.loop);
    t->at.loop[t->seen.row] = before;
    return named(k, block, "seen", greatest(k, least(k, end, keys), zero));
}

// The strip's first row, numbered along the symbol with which seen keys move.
static const MgKx *first_along(MgAttn *t, const MgKx *first, const MgKx *extent) {
    return t->size.rows == t->a->extent[t->seen.row] ? first : remainder_of(t->kb.k, first, extent);
}

const MgKx *mg_attention_seen(MgAttn *t, MgKBlock *block, const MgKx *first) {
    MgKernel *k = t->kb.k;
    const MgKx *extent = mg_kb_ix(&t->kb, t->a->extent[t->seen.row], t->at.loop);
    const MgKx *last = plus(k, first_along(t, first, extent), t->width - 1);
    return seen_at(t, block, least(k, last, minus(k, extent, 1)));
}

// A strip may end one run along that symbol and begin the next, with its row 0. So the number of
// keys before the first that any of its rows sees, if they see those from one on, is this, too.
const MgKx *mg_attention_seen_by_all(MgAttn *t, MgKBlock *block, const MgKx *first) {
    MgKernel *k = t->kb.k;
    const MgKx *extent = mg_kb_ix(&t->kb, t->a->extent[t->seen.row], t->at.loop);
    const MgKx *row = first_along(t, first, extent);
    const MgKx *inside = bin(k, MG_PRIM_LE, plus(k, row, t->width), extent);
    bool one_run = t->size.rows == t->a->extent[t->seen.row];
    return seen_at(t, block, one_run ? row : where(k, inside, row, num(k, 0)));
}

const MgAttentionStep *mg_attention_choice(const MgAttn *t) {
    uint32_t s = t->a->n_steps;
    while (s && !t->seen.branch[s - 1])
        s--;
    return s ? &t->a->steps[s - 1] : NULL;
}

void mg_attention_sum_unseen(MgAttn *t, MgKBlock *block, const MgKx *seen) {
    MgKernel *k = t->kb.k;
    const MgKx *columns = mg_kb_ix(&t->kb, t->size.columns, t->at.loop);
    const MgKx *pitch = mg_kb_ix(&t->kb, t->v.pitch, t->at.loop);
    const MgKx *none = mg_kfloat(k, mg_kt(t->a->type, t->lanes), 0), *at[MG_ATTN_VECTORS],
               *mask[MG_ATTN_VECTORS];
    Loop loop = each_from(k, block, "column", num(k, 0),
                          mg_kb_ix(&t->kb, mg_attn_unseen_lines(t), t->at.loop), t->width);
    bool whole = mg_attn_known_or(t, t->size.columns, 1) % t->width == 0;
    for (uint32_t v = 0; v < t->plan.nv; v++) {
        at[v] = plus(k, loop.at, v * t->lanes);
        const MgKx *inside = lanes_below(k, at[v], columns, t->lanes);
        mask[v] = whole ? NULL : named(k, loop.body, "mask", inside);
        store(k, loop.body, t->strip.tile, num(k, v), none);
    }
    Loop keys = each_from(k, loop.body, "key", seen, mg_kb_ix(&t->kb, t->size.keys, t->at.loop), 1);
    const MgKx *line = add(k, t->v.base, mul(k, keys.at, pitch));
    for (uint32_t v = 0; v < t->plan.nv; v++) {
        const MgKx *x =
            mg_kload(k, t->v.buf, add(k, line, at[v]), t->lanes, mask[v], mask[v] ? none : NULL);
        const MgKx *sum = loaded(k, t->strip.tile, num(k, v), t->lanes);
        store(k, keys.body, t->strip.tile, num(k, v), mg_multiply_add(t->s, k, x, none, sum));
    }
    for (uint32_t v = 0; v < t->plan.nv; v++)
        store(k, loop.body, t->strip.unseen.buf, add(k, t->strip.unseen.base, at[v]),
              loaded(k, t->strip.tile, num(k, v), t->lanes));
}
