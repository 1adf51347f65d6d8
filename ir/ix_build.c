// Integer expressions: floor division, mod, min and max, brought to normal form on construction.
//
// For floor(a/c) with a constant c, every coefficient of a is reduced to [0, c), and the multiples
// of c that this splits off move outside. Common factors are cancelled, and floor((floor(a/m) +
// p)/n) is floor((a + m*p)/(m*n)). A divisor of one term takes out the terms that it divides; any
// other divisor takes out its multiples if fewer terms are left. min and max are flat sets of
// operands; an operand that is known never to win is dropped. Each rule makes the numerator or the
// nesting smaller, so construction ends.
#include "ir/ix_internal.h"
#include "ir/number.h"

#include <stdlib.h>

#define MAX_CHOICES 16 // operands of one min or max
#define MAX_STEPS 64   // of a polynomial division

static int64_t floor_div(int64_t a, int64_t b) { // b > 0
    return a / b - (a % b < 0);
}

// ---------------------------------------------------------------- division

// a = c*m * quotient + rest, term by term. In terms that m divides, the coefficients of the rest
// are in [0, c).
static void split(MgIxTable *t, MgIx a, int64_t c, MgIxMono m, MgIx *quotient, MgIx *rest) {
    const MgIxPoly poly = *mg_ix_poly(t, a);
    *quotient = *rest = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        MgIxTerm term = poly.terms[i];
        MgIxMono left;
        if (mg_ix_mono_div(t, term.mono, m, &left)) {
            int64_t q = floor_div(term.coef, c);
            *quotient = mg_ix_add(t, *quotient, mg_ix_of_term(t, q, left));
            term.coef = (int64_t)((uint64_t)term.coef - (uint64_t)q * (uint64_t)c); // in [0, c)
        }
        *rest = mg_ix_add(t, *rest, mg_ix_of_term(t, term.coef, term.mono));
    }
}

static MgIx floor_atom(MgIxTable *t, MgIx a, MgIx b) {
    int64_t low, high, below, unused;
    mg_ix_interval(t, a, NULL, &low, &high);
    mg_ix_interval(t, mg_ix_sub(t, b, a), NULL, &below, &unused);
    if (low >= 0 && below > 0)
        return mg_ix_const(t, 0);
    return mg_ix_new_atom(t, MG_IX_ATOM_DIV, a, b);
}

// Is a = floor(inner / m) + p for a constant m, without any other division? If so, sets p, inner
// and m.
static bool nested_floor(MgIxTable *t, MgIx a, MgIx *inner, int64_t *m, MgIx *p) {
    const MgIxPoly *poly = mg_ix_poly(t, a);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        for (uint32_t f = 0; f < mono->n; f++)
            if (mg_ix_atom(t, mono->factors[f].atom)->kind == MG_IX_ATOM_DIV) {
                if (found != UINT32_MAX || mono->n != 1 || mono->factors[0].power != 1 ||
                    poly->terms[i].coef != 1)
                    return false;
                found = mono->factors[0].atom;
            }
    }
    if (found == UINT32_MAX || !mg_ix_is_const(t, mg_ix_atom(t, found)->b, m))
        return false;
    *inner = mg_ix_atom(t, found)->a;
    *p = mg_ix_sub(t, a, mg_ix_of_atom(t, found));
    return true;
}

static MgIx div_const(MgIxTable *t, MgIx a, int64_t k) {
    MgIx quotient, rest, inner, p;
    int64_t value, m;
    if (k == INT64_MIN)
        return mg_ix_lost(t, true);
    if (k < 0) {
        k = -k;
        a = mg_ix_neg(t, a);
    }
    if (k <= 1)
        return k ? a : mg_ix_const(t, 0);
    split(t, a, k, 0, &quotient, &rest);
    if (!quotient || !rest)
        return MG_IX_ERROR;
    int64_t g = k;
    const MgIxPoly poly = *mg_ix_poly(t, rest);
    for (uint32_t i = 0; i < poly.n; i++)
        if (poly.terms[i].mono)
            g = mg_gcd(g, poly.terms[i].coef);
    if (g > 1) {
        k /= g;
        rest = mg_ix_const(t, 0);
        for (uint32_t i = 0; i < poly.n; i++)
            rest = mg_ix_add(t, rest, mg_ix_of_term(t, poly.terms[i].coef / g, poly.terms[i].mono));
    }
    if (k == 1 || mg_ix_is_const(t, rest, &value)) // the rest is a constant in [0, k)
        return mg_ix_add(t, quotient, k == 1 ? rest : mg_ix_const(t, 0));
    int64_t product;
    if (nested_floor(t, rest, &inner, &m, &p) && !__builtin_mul_overflow(m, k, &product))
        return mg_ix_add(t, quotient,
                         div_const(t, mg_ix_add(t, inner, mg_ix_scale(t, p, m)), product));
    return mg_ix_add(t, quotient, floor_atom(t, rest, mg_ix_const(t, k)));
}

// Divides a and b by the largest monomial and the largest integer that divide every term of both.
static void cancel_content(MgIxTable *t, MgIx *a, MgIx *b) {
    int64_t g = 0;
    MgIxMono common = mg_ix_poly(t, *b)->terms[0].mono;
    const MgIx both[] = {*a, *b};
    for (int side = 0; side < 2; side++) {
        const MgIxPoly poly = *mg_ix_poly(t, both[side]);
        for (uint32_t i = 0; i < poly.n; i++) {
            g = mg_gcd(g, poly.terms[i].coef);
            const MgIxMonoRow *row = mg_ix_mono(t, common);
            MgIxMono next = 0, q;
            for (uint32_t f = 0; f < row->n; f++) // the highest power that divides
                for (uint32_t power = row->factors[f].power; power; power--) {
                    MgIxFactor factor = {row->factors[f].atom, power};
                    MgIx one = mg_ix_of_atom(t, factor.atom);
                    MgIxMono atom = mg_ix_poly(t, one)->terms[0].mono, m = 0;
                    for (uint32_t k = 0; k < power; k++)
                        m = mg_ix_mono_mul(t, m, atom);
                    row = mg_ix_mono(t, common);
                    if (mg_ix_mono_div(t, poly.terms[i].mono, m, &q)) {
                        next = mg_ix_mono_mul(t, next, m);
                        break;
                    }
                }
            common = next;
        }
    }
    if (g <= 1 && !common)
        return;
    MgIx *out[] = {a, b};
    for (int side = 0; side < 2; side++) {
        const MgIxPoly poly = *mg_ix_poly(t, both[side]);
        MgIx sum = mg_ix_const(t, 0);
        for (uint32_t i = 0; i < poly.n; i++) {
            MgIxMono q = 0;
            mg_ix_mono_div(t, poly.terms[i].mono, common, &q);
            sum = mg_ix_add(t, sum, mg_ix_of_term(t, poly.terms[i].coef / g, q));
        }
        *out[side] = sum;
    }
}

// Lexicographic order: an atom of smaller number outweighs all later ones. Polynomial division
// needs such an admissible order.
static bool mono_less(const MgIxTable *t, MgIxMono a, MgIxMono b) {
    const MgIxMonoRow *x = mg_ix_mono(t, a), *y = mg_ix_mono(t, b);
    for (uint32_t i = 0; i < x->n && i < y->n; i++) {
        if (x->factors[i].atom != y->factors[i].atom)
            return x->factors[i].atom > y->factors[i].atom;
        if (x->factors[i].power != y->factors[i].power)
            return x->factors[i].power < y->factors[i].power;
    }
    return x->n < y->n;
}

static MgIxTerm leading_term(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    MgIxTerm best = poly->terms[0];
    for (uint32_t i = 1; i < poly->n; i++)
        if (mono_less(t, best.mono, poly->terms[i].mono))
            best = poly->terms[i];
    return best;
}

static bool divide_exactly(MgIxTable *t, MgIx a, MgIx b, MgIx *quotient) {
    MgIx zero = mg_ix_const(t, 0);
    MgIxTerm lead = leading_term(t, b);
    *quotient = zero;
    for (int step = 0; step < MAX_STEPS && a && *quotient; step++) {
        if (a == zero)
            return true;
        MgIxTerm term = leading_term(t, a);
        MgIxMono m;
        if (term.coef % lead.coef || !mg_ix_mono_div(t, term.mono, lead.mono, &m))
            return false;
        MgIx q = mg_ix_of_term(t, term.coef / lead.coef, m);
        *quotient = mg_ix_add(t, *quotient, q);
        a = mg_ix_sub(t, a, mg_ix_mul(t, q, b));
    }
    return false;
}

static bool has_int64_min(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    for (uint32_t i = 0; i < poly->n; i++)
        if (poly->terms[i].coef == INT64_MIN)
            return true;
    return false;
}

// a = b * quotient + rest: takes a multiple of b, which has several terms, out of a if the rest has
// fewer terms. So p*(n + 1) + q gives p, and n / (n + 1) stays.
static bool take_multiple(MgIxTable *t, MgIx b, MgIx *a, MgIx *quotient) {
    MgIxTerm lead = leading_term(t, b);
    const MgIxPoly poly = *mg_ix_poly(t, *a);
    for (uint32_t i = 0; i < poly.n; i++) {
        MgIxMono m;
        if (poly.terms[i].coef % lead.coef || !mg_ix_mono_div(t, poly.terms[i].mono, lead.mono, &m))
            continue;
        MgIx q = mg_ix_of_term(t, poly.terms[i].coef / lead.coef, m);
        MgIx rest = mg_ix_sub(t, *a, mg_ix_mul(t, q, b)), sum = mg_ix_add(t, *quotient, q);
        if (!rest || !sum || mg_ix_poly(t, rest)->n >= poly.n || has_int64_min(t, rest))
            continue;
        *a = rest;
        *quotient = sum;
        return true;
    }
    return false;
}

MgIx mg_ix_div(MgIxTable *t, MgIx a, MgIx b) {
    int64_t k;
    MgIx quotient, zero = mg_ix_const(t, 0);
    if (!a || !b)
        return MG_IX_ERROR;
    if (has_int64_min(t, a) || has_int64_min(t, b))
        return mg_ix_lost(t, true);
    if (mg_ix_is_const(t, b, &k))
        return div_const(t, a, k);
    if (a == zero || divide_exactly(t, a, b, &quotient))
        return a == zero ? zero : quotient;
    MgIxTerm lead = mg_ix_poly(t, b)->terms[0];
    quotient = zero;
    if (mg_ix_poly(t, b)->n == 1) {
        if (lead.coef < 0) {
            a = mg_ix_neg(t, a);
            b = mg_ix_neg(t, b);
            lead.coef = -lead.coef;
        }
        split(t, a, lead.coef, lead.mono, &quotient, &a);
    }
    while (mg_ix_poly(t, b)->n > 1 && take_multiple(t, b, &a, &quotient))
        ;
    if (!a || !b || !quotient)
        return MG_IX_ERROR;
    if (a == zero)
        return quotient;
    cancel_content(t, &a, &b);
    return mg_ix_add(t, quotient,
                     mg_ix_is_const(t, b, &k) ? div_const(t, a, k) : floor_atom(t, a, b));
}

MgIx mg_ix_mod(MgIxTable *t, MgIx a, MgIx b) {
    return mg_ix_sub(t, a, mg_ix_mul(t, b, mg_ix_div(t, a, b)));
}

// ---------------------------------------------------------------- min and max

typedef struct Choices {
    MgIx at[MAX_CHOICES];
    uint32_t n;
} Choices;

// Can a never win against b (kind MIN: a >= b)?
static bool beaten(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b) {
    int64_t low, high;
    MgIx d = kind == MG_IX_ATOM_MIN ? mg_ix_sub(t, a, b) : mg_ix_sub(t, b, a);
    if (!d)
        return false;
    mg_ix_interval(t, d, NULL, &low, &high);
    return low >= 0;
}

// Adds the operands of x. An atom of the same kind adds its own operands one by one.
static bool collect(MgIxTable *t, MgIxAtomKind kind, MgIx x, Choices *out) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    if (poly->n == 1 && poly->terms[0].coef == 1) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[0].mono);
        if (mono->n == 1 && mono->factors[0].power == 1) {
            const MgIxAtomRow atom = *mg_ix_atom(t, mono->factors[0].atom);
            if (atom.kind == kind)
                return collect(t, kind, atom.a, out) && collect(t, kind, atom.b, out);
        }
    }
    for (uint32_t i = 0; i < out->n; i++)
        if (beaten(t, kind, x, out->at[i]))
            return true;
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++)
        if (!beaten(t, kind, out->at[i], x))
            out->at[n++] = out->at[i];
    out->n = n;
    if (n == MAX_CHOICES)
        return false;
    out->at[out->n++] = x;
    return true;
}

static int by_id(const void *a, const void *b) {
    MgIx x = *(const MgIx *)a, y = *(const MgIx *)b;
    return x < y ? -1 : x > y;
}

static MgIx choose(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b) {
    Choices choices = {.n = 0};
    if (!a || !b)
        return MG_IX_ERROR;
    if (!collect(t, kind, a, &choices) || !collect(t, kind, b, &choices))
        return mg_ix_lost(t, false);
    qsort(choices.at, choices.n, sizeof *choices.at, by_id);
    MgIx x = choices.at[choices.n - 1];
    for (uint32_t i = choices.n - 1; i-- > 0;)
        x = mg_ix_new_atom(t, kind, choices.at[i], x);
    return x;
}

MgIx mg_ix_min(MgIxTable *t, MgIx a, MgIx b) {
    return choose(t, MG_IX_ATOM_MIN, a, b);
}

MgIx mg_ix_max(MgIxTable *t, MgIx a, MgIx b) {
    return choose(t, MG_IX_ATOM_MAX, a, b);
}

MgIx mg_ix_rebuild(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b) {
    if (kind == MG_IX_ATOM_DIV)
        return mg_ix_div(t, a, b);
    return choose(t, kind, a, b);
}
