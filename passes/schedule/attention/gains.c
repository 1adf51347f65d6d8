// Gains: factors of the weights that no step computes. A choice between the weight and 0 stays one,
// since a product of 0 and NaN is NaN.
//
// A row that sees no key, or a score that is NaN, has weights that are NaN, which the row's factor
// brings in at its end. If gains drop all of them, their sums are those of zeros all the same, as
// in attention that is masked before the softmax and behind it. Such rows look at all choices
// again.
#include "passes/schedule/attention/attention.h"
#include "passes/schedule/words.h"

#include <math.h>

// Which branch of a gain is 0? 0: it is no such choice.
static uint32_t drops_in(const MgSx *x) {
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_WHERE)
        return 0;
    return mg_sx_is_number(x->args[1], 0) ? 1 : mg_sx_is_number(x->args[2], 0) ? 2 : 0;
}

static bool is_product(const MgSx *x) {
    return x->kind == MG_SX_PRIM && x->prim == MG_PRIM_MUL;
}

static bool has_choice(const MgSx *gain) {
    return is_product(gain) ? has_choice(gain->args[0]) || has_choice(gain->args[1])
                            : drops_in(gain) != 0;
}

static const MgKx *splat(MgAttn *t, double v) {
    return mg_kfloat(t->kb.k, mg_kt(t->a->type, t->lanes), v);
}

static const MgKx *value_of(MgAttn *t, MgPoint *p, const MgSx *x) {
    return mg_ksplat(t->kb.k, mg_point_expr(p, x), t->lanes);
}

// w times a gain.
static const MgKx *times_gain(MgAttn *t, MgPoint *p, const MgSx *gain, const MgKx *w) {
    MgKernel *k = t->kb.k;
    uint32_t zero = drops_in(gain);
    if (mg_sx_is_number(gain, 1))
        return w;
    if (is_product(gain))
        return times_gain(t, p, gain->args[1], times_gain(t, p, gain->args[0], w));
    if (!zero)
        return mul(k, w, value_of(t, p, gain));
    const MgKx *args[] = {value_of(t, p, gain->args[0]), splat(t, 0), splat(t, 0)};
    args[3 - zero] = times_gain(t, p, gain->args[3 - zero], w);
    return where(k, args[0], args[1], args[2]);
}

const MgKx *mg_attention_gained(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *exists,
                                const MgKx *w) {
    MgKernel *k = t->kb.k;
    const MgKx *gained = w;
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        MgPoint p = mg_attention_point(t, s, block, MG_ATTN_ROW, mask);
        if (t->a->steps[s].gain)
            gained = times_gain(t, &p, t->a->steps[s].gain, gained);
    }
    gained = exists && gained != w ? where(k, exists, gained, w) : gained;
    return gained != w ? named(k, block, "gained", gained) : w;
}

// 1 where choices of a gain keep the weight, else 0; NULL: it has none.
static const MgKx *kept_by(MgAttn *t, MgPoint *p, const MgSx *gain) {
    MgKernel *k = t->kb.k;
    uint32_t zero = drops_in(gain);
    if (is_product(gain)) {
        const MgKx *a = kept_by(t, p, gain->args[0]), *b = kept_by(t, p, gain->args[1]);
        return a && b ? least(k, a, b) : a ? a : b;
    }
    if (!zero)
        return NULL;
    const MgKx *args[] = {value_of(t, p, gain->args[0]), splat(t, 0), splat(t, 0)};
    const MgKx *inner = kept_by(t, p, gain->args[3 - zero]);
    args[3 - zero] = inner ? inner : splat(t, 1);
    return where(k, args[0], args[1], args[2]);
}

static const MgKx *kept(MgAttn *t, MgKBlock *block, const MgKx *mask) {
    const MgKx *all = NULL;
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        MgPoint p = mg_attention_point(t, s, block, MG_ATTN_ROW, mask);
        const MgKx *own = t->a->steps[s].gain ? kept_by(t, &p, t->a->steps[s].gain) : NULL;
        all = all && own ? least(t->kb.k, all, own) : all ? all : own;
    }
    return all;
}

const MgKx *mg_attention_or_dropped(MgAttn *t, MgKBlock *block, const MgKx *mask,
                                    const MgKx *factor) {
    MgKernel *k = t->kb.k;
    bool drops = false;
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        drops |= t->a->steps[s].gain && has_choice(t->a->steps[s].gain);
    if (!drops)
        return factor;
    const MgKx *none = splat(t, 0);
    const MgKx *finite = less(k, un(k, MG_PRIM_ABS, factor), splat(t, INFINITY));
    finite = named(k, block, "finite", where(k, finite, splat(t, 1), none));
    MgKBufId some = mg_kb_held(&t->kb, block, "some", finite); // 1: the row keeps a weight
    const MgKx *least_lane = held(k, some);
    least_lane = t->lanes > 1 ? mg_kfold(k, MG_PRIM_MIN, least_lane) : least_lane;
    MgKBlock *in = block_if(k, block, equal(k, least_lane, mg_kfloat(k, least_lane->type, 0)));
    Loop loop = each_of(k, in, "key", mg_kb_ix(&t->kb, t->size.keys, t->at.loop));
    t->at.loop[MG_ATTN_KEY] = loop.at;
    set_held(k, loop.body, some, greatest(k, held(k, some), kept(t, loop.body, mask)));
    t->at.loop[MG_ATTN_KEY] = num(k, 0);
    const MgKx *keeps = less(k, none, held(k, some));
    return named(k, block, "factor", where(k, keeps, factor, none));
}
