// Interval arithmetic on normal forms. A term with a positive coefficient is largest if its factors
// are largest; a term with a negative coefficient is largest if its factors are smallest.
#include "ir/ix_bound.h"

#include "ir/ix_internal.h"

typedef struct Bound {
    MgIxTable *t;
    MgIxMapFn *highest;
    void *ctx;
} Bound;

static MgIx bound(const Bound *b, MgIx x, bool up);

static MgIx symbol(const Bound *b, MgIxAtom id, bool up) {
    MgIxSym s = mg_ix_atom(b->t, id)->sym;
    MgIx to;
    int64_t low, high;
    if (!b->highest(b->ctx, s, &to))
        return mg_ix_of_atom(b->t, id);
    mg_ix_sym_bounds(b->t, s, &low, &high);
    return up ? to : mg_ix_const(b->t, low);
}

// floor(x / y). The divisor is a size, which is never negative.
static MgIx quotient(const Bound *b, const MgIxAtomRow *atom, bool up) {
    MgIx x = bound(b, atom->a, up), zero = mg_ix_const(b->t, 0);
    if (bound(b, atom->b, true) == atom->b)
        return mg_ix_div(b->t, x, atom->b);
    return up ? mg_ix_max(b->t, x, zero) : mg_ix_min(b->t, x, zero);
}

static MgIx factor(const Bound *b, MgIxAtom id, bool up) {
    const MgIxAtomRow atom = *mg_ix_atom(b->t, id);
    if (atom.kind == MG_IX_ATOM_SYM)
        return symbol(b, id, up);
    if (atom.kind == MG_IX_ATOM_DIV)
        return quotient(b, &atom, up);
    return mg_ix_rebuild(b->t, atom.kind, bound(b, atom.a, up), bound(b, atom.b, up));
}

// Bounds of factors may be multiplied if no factor is negative; a single factor may be negative.
static MgIx term(const Bound *b, MgIxTerm term, bool up) {
    const MgIxMonoRow mono = *mg_ix_mono(b->t, term.mono);
    MgIx product = mg_ix_const(b->t, term.coef);
    bool highest = up == (term.coef > 0), alone = mono.n == 1 && mono.factors[0].power == 1;
    for (uint32_t f = 0; f < mono.n; f++) {
        int64_t low, high;
        MgIx least = factor(b, mono.factors[f].atom, false),
             part = factor(b, mono.factors[f].atom, highest);
        mg_ix_interval(b->t, least, NULL, &low, &high);
        if (low < 0 && !alone)
            return MG_IX_ERROR;
        for (uint32_t k = 0; k < mono.factors[f].power; k++)
            product = mg_ix_mul(b->t, product, part);
    }
    return product;
}

static MgIx bound(const Bound *b, MgIx x, bool up) {
    const MgIxPoly poly = *mg_ix_poly(b->t, x);
    MgIx sum = mg_ix_const(b->t, 0);
    for (uint32_t i = 0; i < poly.n; i++)
        sum = mg_ix_add(b->t, sum, term(b, poly.terms[i], up));
    return sum;
}

typedef struct OneMore {
    MgIxTable *t;
    MgIxSym sym;
} OneMore;

static bool one_more(void *ctx, MgIxSym s, MgIx *to) {
    const OneMore *o = ctx;
    *to = s == o->sym ? mg_ix_add(o->t, mg_ix_sym(o->t, s), mg_ix_const(o->t, 1)) : 0;
    return s == o->sym;
}

// Is x known not to decrease as any of the symbols grows?
static bool grows(const Bound *b, MgIx x) {
    for (MgIxSym s = 1; s < mg_ix_n_syms(b->t); s++) {
        MgIx to;
        if (!mg_ix_mentions(b->t, x, s) || !b->highest(b->ctx, s, &to))
            continue;
        OneMore more = {b->t, s};
        MgIx step = mg_ix_sub(b->t, mg_ix_subst(b->t, x, one_more, &more), x);
        if (mg_ix_nonnegative(b->t, step, NULL, NULL, 0) != MG_PROVED)
            return false;
    }
    return true;
}

MgIx mg_ix_upper(MgIxTable *t, MgIx x, MgIxMapFn *highest, void *ctx) {
    Bound b = {t, highest, ctx};
    MgIx at_highest = mg_ix_subst(t, x, highest, ctx);
    if (at_highest == x || grows(&b, x))
        return at_highest;
    MgIx upper = bound(&b, x, true);
    return upper ? upper : at_highest;
}
