// Integer expressions: proofs that x >= 0, for all dimensions and all points of an index box.
//
// A goal is closed if its numeric interval is not negative, or if every coefficient is non-negative
// once each symbol is counted from its lowest value. Otherwise the goal is replaced by a stronger
// one that lacks one of its parts:
//   min, max   each operand in its place, under the fact that it is the one chosen
//   index      where x is monotone in it, the end of its range at which x is least
//   floor      q = a/c, c > 0: c*q <= a if q counts negatively, c*q >= a - c + 1 otherwise
//   fact f     x - lambda*f, with lambda >= 0 chosen so that a negative term cancels
// Each step is sound, so what is proved holds; what isn't proved may still be true. A budget of
// steps bounds the work. A plain attempt comes first: it keeps floors, and multiplies facts only by
// numbers. It finds chains of facts (sizes that are equal by requirement). The full search would
// spend its budget on the many weaker goals that floors and symbolic factors lead to.
#include "ir/ix_internal.h"
#include "ir/number.h"

#define MAX_FACTS 48
#define MAX_STEPS 400
#define MAX_FACT_USES 3

typedef struct Prover {
    MgIxTable *t;
    const MgIxRanges *ranges;
    MgIx facts[MAX_FACTS];
    uint32_t n_facts;
    uint32_t fact_uses; // on the path to the current goal
    uint32_t steps;
    bool plain;
    bool held; // `plain` made it skip a step
} Prover;

static bool prove(Prover *p, MgIx x);

static bool interval_nonnegative(Prover *p, MgIx x) {
    int64_t low, high;
    mg_ix_interval(p->t, x, p->ranges, &low, &high);
    return x && low >= 0;
}

// Is this the plain attempt, which skips such a step?
static bool held(Prover *p) {
    p->held |= p->plain;
    return p->plain;
}

// ---------------------------------------------------------------- counting from lowest values

typedef struct Shift {
    const MgIxTable *t;
    bool any;
} Shift;

static bool shift_symbol(void *ctx, MgIxSym s, MgIx *to) {
    Shift *shift = ctx;
    MgIxTable *t = (MgIxTable *)shift->t;
    int64_t low, high;
    mg_ix_sym_bounds(t, s, &low, &high);
    if (low == -MG_IX_INF || low == 0 || mg_ix_sym_is_index(t, s, NULL))
        return false;
    shift->any = true;
    *to = mg_ix_add(t, mg_ix_sym(t, s), mg_ix_const(t, low));
    return true;
}

static bool is_polynomial_of_dims(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        for (uint32_t f = 0; f < mono->n; f++) {
            const MgIxAtomRow *atom = mg_ix_atom(t, mono->factors[f].atom);
            if (atom->kind != MG_IX_ATOM_SYM || mg_ix_sym_is_index(t, atom->sym, NULL) ||
                t->syms.at[atom->sym].low < 0)
                return false;
        }
    }
    return true;
}

// With s = s' + low, s' >= 0, are all coefficients >= 0? The shifted polynomial reuses the symbols
// for s', so it must hold no atom whose construction looks at a symbol's bounds.
static bool shifted_nonnegative(Prover *p, MgIx x) {
    MgIxTable *t = p->t;
    Shift shift = {t, false};
    if (!is_polynomial_of_dims(t, x))
        return false;
    MgIx shifted = mg_ix_subst(t, x, shift_symbol, &shift);
    const MgIxPoly *poly = mg_ix_poly(t, shifted);
    for (uint32_t i = 0; i < poly->n; i++)
        if (poly->terms[i].coef < 0)
            return false;
    return shifted && shift.any;
}

// ---------------------------------------------------------------- signs and directions

// 1: never negative, -1: never positive, 0: not known.
static int sign(Prover *p, MgIx x) {
    int64_t low, high;
    mg_ix_interval(p->t, x, p->ranges, &low, &high);
    if (low >= 0)
        return 1;
    if (high <= 0)
        return -1;
    return prove(p, x) ? 1 : prove(p, mg_ix_neg(p->t, x)) ? -1 : 0;
}

enum { CONSTANT = MG_IX_CONSTANT, UP = MG_IX_UP, DOWN = MG_IX_DOWN, MIXED = MG_IX_MIXED };

static int join(int a, int b) {
    return a == CONSTANT ? b : b == CONSTANT || a == b ? a : MIXED;
}

static int direction(Prover *p, MgIx x, MgIxSym s);

static int atom_direction(Prover *p, MgIxAtom id, MgIxSym s) {
    const MgIxAtomRow atom = *mg_ix_atom(p->t, id);
    int64_t low, high;
    if (atom.kind == MG_IX_ATOM_SYM)
        return atom.sym == s ? UP : CONSTANT;
    if (atom.kind != MG_IX_ATOM_DIV)
        return join(direction(p, atom.a, s), direction(p, atom.b, s));
    mg_ix_interval(p->t, atom.b, p->ranges, &low, &high);
    int up = direction(p, atom.a, s), down = direction(p, atom.b, s);
    if (down == CONSTANT && (up == CONSTANT || low > 0))
        return up;
    return MIXED;
}

// How x changes as s grows, the other symbols fixed.
static int direction(Prover *p, MgIx x, MgIxSym s) {
    if (!mg_ix_mentions(p->t, x, s))
        return CONSTANT;
    const MgIxPoly poly = *mg_ix_poly(p->t, x);
    int all = CONSTANT;
    for (uint32_t i = 0; i < poly.n; i++) {
        const MgIxMonoRow mono = *mg_ix_mono(p->t, poly.terms[i].mono);
        int term = CONSTANT;
        bool factors_positive = true;
        for (uint32_t f = 0; f < mono.n; f++) {
            term = join(term, atom_direction(p, mono.factors[f].atom, s));
            if (mono.n > 1 || mono.factors[f].power > 1)
                factors_positive &=
                    interval_nonnegative(p, mg_ix_of_atom(p->t, mono.factors[f].atom));
        }
        if (term != CONSTANT && !factors_positive)
            return MIXED;
        all = join(all, term == MIXED ? MIXED : poly.terms[i].coef < 0 ? -term : term);
    }
    return all;
}

// ---------------------------------------------------------------- steps

static bool with_fact(Prover *p, MgIx fact, MgIx goal) {
    if (p->n_facts == MAX_FACTS)
        return prove(p, goal);
    p->facts[p->n_facts++] = fact;
    bool proved = prove(p, goal);
    p->n_facts--;
    return proved;
}

// Finds the first atom of one of two kinds that is a factor in x. False if there is none.
static bool find_atom(const MgIxTable *t, MgIx x, MgIxAtomKind one, MgIxAtomKind other,
                      uint32_t skip, MgIxAtom *found) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        for (uint32_t f = 0; f < mono->n; f++) {
            MgIxAtomKind kind = mg_ix_atom(t, mono->factors[f].atom)->kind;
            if ((kind == one || kind == other) && skip-- == 0) {
                *found = mono->factors[f].atom;
                return true;
            }
        }
    }
    return false;
}

static bool by_choice(Prover *p, MgIx x, MgIxAtom id) {
    MgIxTable *t = p->t;
    const MgIxAtomRow atom = *mg_ix_atom(t, id);
    MgIx with_a = mg_ix_subst_atom(t, x, id, atom.a), with_b = mg_ix_subst_atom(t, x, id, atom.b);
    MgIx b_over_a = mg_ix_sub(t, atom.b, atom.a), a_over_b = mg_ix_neg(t, b_over_a);
    bool min = atom.kind == MG_IX_ATOM_MIN;
    return with_fact(p, min ? b_over_a : a_over_b, with_a) &&
           with_fact(p, min ? a_over_b : b_over_a, with_b);
}

typedef struct Replace {
    MgIxSym s;
    MgIx to;
} Replace;

static bool replace_symbol(void *ctx, MgIxSym s, MgIx *to) {
    const Replace *r = ctx;
    *to = r->to;
    return s == r->s;
}

static bool by_index(Prover *p, MgIx x, bool *applied) {
    MgIxTable *t = p->t;
    for (uint32_t k = p->ranges ? p->ranges->n : 0; k-- > 0;) {
        MgIxSym s = mg_ix_index(t, k);
        if (!mg_ix_mentions(t, x, s))
            continue;
        MgIx slope, rest;
        int d = direction(p, x, s);
        if (d == MIXED && mg_ix_linear(t, x, s, &slope, &rest)) {
            int slope_sign = sign(p, slope);
            d = slope_sign ? slope_sign : MIXED;
        }
        if (d == MIXED)
            continue;
        Replace r = {s, d == UP ? p->ranges->low[k]
                                : mg_ix_sub(t, p->ranges->high[k], mg_ix_const(t, 1))};
        *applied = true;
        return prove(p, mg_ix_subst(t, x, replace_symbol, &r));
    }
    return false;
}

// Writes q = floor(a/c) as floor(floor(a/m)/(c/m)) if floor(a/m), or floor((a - k*m)/m), is another
// factor in x.
static void divide_again(MgIxTable *t, MgIx x, MgIxAtomRow *q) {
    int64_t c, m, beyond;
    MgIxAtom other;
    if (!mg_ix_is_const(t, q->b, &c))
        return;
    for (uint32_t i = 0; find_atom(t, x, MG_IX_ATOM_DIV, MG_IX_ATOM_DIV, i, &other); i++) {
        const MgIxAtomRow *row = mg_ix_atom(t, other);
        MgIx divisor = row->b, difference = mg_ix_sub(t, q->a, row->a);
        if (!mg_ix_is_const(t, divisor, &m) || m <= 1 || m >= c || c % m ||
            !mg_ix_is_const(t, difference, &beyond) || beyond % m)
            continue;
        q->a = mg_ix_add(t, mg_ix_of_atom(t, other), mg_ix_const(t, beyond / m));
        q->b = mg_ix_const(t, c / m);
        return;
    }
}

// Eliminates q = floor(a/c) from x = A*q + R.
static bool by_floor(Prover *p, MgIx x, MgIxAtom id) {
    MgIxTable *t = p->t;
    MgIxAtomRow atom = *mg_ix_atom(t, id);
    MgIx factor, rest, ratio;
    if (!interval_nonnegative(p, mg_ix_sub(t, atom.b, mg_ix_const(t, 1))) ||
        !mg_ix_linear_in_atom(t, x, id, &factor, &rest))
        return false;
    divide_again(t, rest, &atom);
    MgIx bound = atom.a;
    int s = sign(p, factor);
    if (!s)
        return false;
    if (s > 0)
        bound = mg_ix_add(t, mg_ix_sub(t, atom.a, atom.b), mg_ix_const(t, 1));
    ratio = mg_ix_div(t, factor, atom.b);
    if (mg_ix_mul(t, ratio, atom.b) == factor)
        return prove(p, mg_ix_add(t, mg_ix_mul(t, ratio, bound), rest));
    return prove(p, mg_ix_add(t, mg_ix_mul(t, factor, bound), mg_ix_mul(t, atom.b, rest)));
}

// alpha*x - lambda*f such that the term `negative` of x cancels against a negative term of f.
static MgIx cancelled(Prover *p, MgIx x, MgIxTerm negative, MgIx f) {
    MgIxTable *t = p->t;
    const MgIxPoly poly = *mg_ix_poly(t, f);
    for (uint32_t i = 0; i < poly.n; i++) {
        MgIxMono left;
        int64_t have = poly.terms[i].coef;
        if (have >= 0 || have == INT64_MIN ||
            !mg_ix_mono_div(t, negative.mono, poly.terms[i].mono, &left))
            continue;
        MgIx factor = mg_ix_of_term(t, 1, left);
        if (!interval_nonnegative(p, factor) || (!mg_ix_is_const(t, factor, NULL) && held(p)))
            continue;
        int64_t g = mg_gcd(-negative.coef, -have);
        MgIx lambda = mg_ix_of_term(t, -negative.coef / g, left);
        return mg_ix_sub(t, mg_ix_scale(t, x, -have / g), mg_ix_mul(t, lambda, f));
    }
    return MG_IX_ERROR;
}

static bool by_facts(Prover *p, MgIx x) {
    if (p->fact_uses == MAX_FACT_USES)
        return false;
    const MgIxPoly poly = *mg_ix_poly(p->t, x);
    bool proved = false;
    p->fact_uses++;
    for (uint32_t i = 0; i < poly.n && !proved; i++) {
        if (poly.terms[i].coef >= 0 || poly.terms[i].coef == INT64_MIN)
            continue;
        for (uint32_t f = 0; f < p->n_facts && !proved; f++) {
            MgIx goal = cancelled(p, x, poly.terms[i], p->facts[f]);
            proved = goal && prove(p, goal);
        }
    }
    p->fact_uses--;
    return proved;
}

// Does one fact prove it, as a statement about a min or max as a whole? Choosing operands would
// take that apart.
static bool by_one_fact(Prover *p, MgIx x) {
    const MgIxPoly poly = *mg_ix_poly(p->t, x);
    for (uint32_t i = 0; i < poly.n; i++) {
        if (poly.terms[i].coef >= 0 || poly.terms[i].coef == INT64_MIN)
            continue;
        for (uint32_t f = 0; f < p->n_facts; f++) {
            MgIx rest = cancelled(p, x, poly.terms[i], p->facts[f]);
            if (rest && interval_nonnegative(p, rest))
                return true;
        }
    }
    return false;
}

static bool prove(Prover *p, MgIx x) {
    MgIxAtom atom;
    bool applied = false;
    if (!x || p->steps++ >= MAX_STEPS)
        return false;
    if (interval_nonnegative(p, x) || shifted_nonnegative(p, x))
        return true;
    if (find_atom(p->t, x, MG_IX_ATOM_MIN, MG_IX_ATOM_MAX, 0, &atom))
        return by_one_fact(p, x) || by_choice(p, x, atom);
    if (by_index(p, x, &applied))
        return true;
    for (uint32_t skip = 0; find_atom(p->t, x, MG_IX_ATOM_DIV, MG_IX_ATOM_DIV, skip, &atom); skip++)
        if (!held(p) && by_floor(p, x, atom))
            return true;
    return by_facts(p, x);
}

static bool prove_within_budget(Prover *p, MgIx x) {
    p->plain = true, p->held = false;
    p->steps = 0;
    if (prove(p, x))
        return true;
    p->plain = false;
    p->steps = 0;
    return p->held && prove(p, x);
}

// ---------------------------------------------------------------- entry

MgIxDirection mg_ix_direction(MgIxTable *t, MgIx x, MgIxSym s, const MgIxRanges *ranges) {
    Prover p = {.t = t, .ranges = ranges};
    return (MgIxDirection)direction(&p, x, s);
}

static bool is_negative(Prover *p, MgIx x) {
    return prove(p, mg_ix_sub(p->t, mg_ix_const(p->t, -1), x));
}

// Adds a fact unless it follows from a known fact. It replaces a known fact that follows from it.
static void keep_fact(Prover *p, MgIx fact) {
    int64_t value;
    if (mg_ix_is_const(p->t, fact, &value) && value >= 0)
        return;
    for (uint32_t i = 0; i < p->n_facts; i++) {
        MgIx more = mg_ix_sub(p->t, fact, p->facts[i]);
        if (interval_nonnegative(p, more))
            return;
        if (interval_nonnegative(p, mg_ix_neg(p->t, more))) {
            p->facts[i] = fact;
            return;
        }
    }
    if (p->n_facts < MAX_FACTS / 2)
        p->facts[p->n_facts++] = fact;
}

static void add_fact(Prover *p, MgIx fact);

// A maximum in a fact says that one of two things holds. If the facts so far exclude one of them,
// adds the other.
static bool add_alternative(Prover *p, MgIx fact) {
    MgIxTable *t = p->t;
    MgIx factor, rest;
    MgIxAtom atom;
    if (!find_atom(t, fact, MG_IX_ATOM_MAX, MG_IX_ATOM_MAX, 0, &atom) ||
        !mg_ix_linear_in_atom(t, fact, atom, &factor, &rest) || !mg_ix_is_const(t, factor, NULL) ||
        !interval_nonnegative(p, factor))
        return false;
    const MgIxAtomRow row = *mg_ix_atom(t, atom);
    MgIx a = mg_ix_subst_atom(t, fact, atom, row.a), b = mg_ix_subst_atom(t, fact, atom, row.b);
    bool not_a = is_negative(p, a);
    if (!not_a && !is_negative(p, b))
        return false;
    add_fact(p, not_a ? b : a);
    return true;
}

// Adds a fact. A minimum is split into its operands, and the bound of a floor in the fact is added.
static void add_fact(Prover *p, MgIx fact) {
    MgIxAtom atom;
    if (!fact || add_alternative(p, fact))
        return;
    const MgIxPoly *poly = mg_ix_poly(p->t, fact);
    if (find_atom(p->t, fact, MG_IX_ATOM_MIN, MG_IX_ATOM_MIN, 0, &atom) && poly->n == 1 &&
        fact == mg_ix_of_atom(p->t, atom)) {
        const MgIxAtomRow row = *mg_ix_atom(p->t, atom);
        add_fact(p, row.a);
        add_fact(p, row.b);
        return;
    }
    keep_fact(p, fact);
    // If q >= 0 is known, c*q <= a holds. This bounds the numerator of a window's extent.
    MgIx factor, rest;
    if (find_atom(p->t, fact, MG_IX_ATOM_DIV, MG_IX_ATOM_DIV, 0, &atom) &&
        mg_ix_linear_in_atom(p->t, fact, atom, &factor, &rest) &&
        mg_ix_is_const(p->t, factor, NULL) && interval_nonnegative(p, factor)) {
        const MgIxAtomRow row = *mg_ix_atom(p->t, atom);
        if (interval_nonnegative(p, mg_ix_sub(p->t, row.b, mg_ix_const(p->t, 1))))
            keep_fact(
                p, mg_ix_add(p->t, mg_ix_mul(p->t, factor, row.a), mg_ix_mul(p->t, row.b, rest)));
    }
}

// Does the box have no points, whatever the dimensions are? Then everything is true of its points.
static bool is_empty_box(MgIxTable *t, const MgIxRanges *ranges) {
    for (uint32_t k = 0; ranges && k < ranges->n; k++) {
        int64_t low, high;
        mg_ix_interval(t, mg_ix_sub(t, ranges->high[k], ranges->low[k]), ranges, &low, &high);
        if (high <= 0)
            return true;
    }
    return false;
}

// Does the fact prove x >= 0, alone or as one operand of a minimum?
static bool says(const MgIxTable *t, MgIx fact, MgIx x) {
    bool min;
    MgIx a, b;
    return fact == x ||
           (mg_ix_is_choice(t, fact, &min, &a, &b) && min && (says(t, a, x) || says(t, b, x)));
}

// x, with each index in which it is linear at the end of its range where x is smallest.
static MgIx at_ends(MgIxTable *t, MgIx x, const MgIxRanges *ranges) {
    MgIx slope, rest;
    int64_t low, high;
    for (uint32_t k = ranges ? ranges->n : 0; k-- > 0 && x;) {
        MgIxSym s = mg_ix_index(t, k);
        if (!mg_ix_mentions(t, x, s) || !mg_ix_linear(t, x, s, &slope, &rest))
            continue;
        mg_ix_interval(t, slope, ranges, &low, &high);
        MgIx last = mg_ix_sub(t, ranges->high[k], mg_ix_const(t, 1));
        if (low >= 0 || high <= 0)
            x = mg_ix_add(t, rest, mg_ix_mul(t, slope, low >= 0 ? ranges->low[k] : last));
    }
    return x;
}

// Is x proved without a search? At the ends of all ranges it is at least 0, or at least an
// expression that a fact says is.
static bool is_plain(MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                     uint32_t n_facts) {
    int64_t low, high;
    if (!(x = at_ends(t, x, ranges)))
        return false;
    mg_ix_interval(t, x, ranges, &low, &high);
    bool found = low >= 0;
    for (uint32_t i = 0; i < n_facts && !found; i++)
        found = facts[i] && says(t, facts[i], x);
    return found;
}

static uint64_t question(const MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                         uint32_t n_facts) {
    uint64_t hash = mg_hash_mix(x, t->narrowed);
    for (uint32_t k = 0; ranges && k < ranges->n; k++)
        hash = mg_hash_mix(mg_hash_mix(hash, ranges->low[k]), ranges->high[k]);
    return mg_hash(facts, n_facts * sizeof *facts, hash);
}

// Is x a sum with INT64_MIN? Its other terms add at most INT64_MAX.
static bool is_below_all(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    return poly->n && !poly->terms[0].mono && poly->terms[0].coef == INT64_MIN;
}

MgProof mg_ix_nonnegative(MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                          uint32_t n_facts) {
    Prover p = {.t = t, .ranges = ranges};
    int64_t low, high;
    if (!x)
        return MG_UNKNOWN;
    mg_ix_interval(t, x, ranges, &low, &high);
    if (low >= 0 || is_empty_box(t, ranges) || is_plain(t, x, ranges, facts, n_facts))
        return MG_PROVED;
    if (high < 0 || is_below_all(t, x))
        return MG_REFUTED;
    uint64_t key = question(t, x, ranges, facts, n_facts);
    if (mg_map_find(&t->unproved, key))
        return MG_UNKNOWN;
    uint64_t about = mg_ix_poly(t, x)->mask; // symbols that a useful fact mentions
    for (uint32_t k = 0; ranges && k < ranges->n; k++)
        about |= mg_ix_poly(t, ranges->low[k])->mask | mg_ix_poly(t, ranges->high[k])->mask;
    for (uint32_t k = 0; ranges && k < ranges->n; k++) // the box has a point, so no range is empty
        add_fact(&p,
                 mg_ix_sub(t, mg_ix_sub(t, ranges->high[k], ranges->low[k]), mg_ix_const(t, 1)));
    for (uint32_t i = 0; i < n_facts; i++) {
        if (mg_ix_is_const(t, facts[i], &low) && low < 0)
            return MG_PROVED; // everything is true in code that never runs
        if (mg_ix_poly(t, facts[i])->mask & about)
            add_fact(&p, facts[i]);
    }
    unsigned signs = n_facts ? 0 : mg_ix_signs(t, x, ranges); // a fact may exclude a point
    if (!(signs & MG_IX_NEGATIVE) && prove_within_budget(&p, x))
        return MG_PROVED;
    if (!(signs & MG_IX_NONNEGATIVE) &&
        prove_within_budget(&p, mg_ix_sub(t, mg_ix_const(t, -1), x)))
        return MG_REFUTED;
    mg_map_put(&t->unproved, key, 1);
    return MG_UNKNOWN;
}

// ---------------------------------------------------------------- divisions that give 0

bool mg_ix_has_division(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        for (uint32_t f = 0; f < mono->n; f++) {
            const MgIxAtomRow *atom = mg_ix_atom(t, mono->factors[f].atom);
            if (atom->kind == MG_IX_ATOM_DIV ||
                (atom->kind != MG_IX_ATOM_SYM &&
                 (mg_ix_has_division(t, atom->a) || mg_ix_has_division(t, atom->b))))
                return true;
        }
    }
    return false;
}

typedef struct Narrow {
    MgIxTable *table;
    const MgIxRanges *ranges;
    const MgIx *facts;
    uint32_t n_facts, walk;
} Narrow;

static MgIx narrow_atom(void *ctx, MgIxAtom id);

static MgIx narrow(Narrow *n, MgIx x) {
    return mg_ix_has_division(n->table, x) ? mg_ix_map_atoms(n->table, x, narrow_atom, n) : x;
}

static MgIx narrow_atom(void *ctx, MgIxAtom id) {
    Narrow *n = ctx;
    MgIxTable *t = n->table;
    const MgIxAtomRow atom = *mg_ix_atom(t, id);
    MgIx to;
    if (atom.kind == MG_IX_ATOM_SYM)
        return mg_ix_of_atom(t, id);
    if (mg_ix_memo_find(&t->shortened, n->walk, id, &to))
        return to;
    MgIx a = narrow(n, atom.a), b = narrow(n, atom.b);
    MgIx room = mg_ix_sub(t, mg_ix_sub(t, b, a), mg_ix_const(t, 1));
    if (atom.kind == MG_IX_ATOM_DIV &&
        mg_ix_nonnegative(t, a, n->ranges, n->facts, n->n_facts) == MG_PROVED &&
        mg_ix_nonnegative(t, room, n->ranges, n->facts, n->n_facts) == MG_PROVED)
        to = mg_ix_const(t, 0);
    else
        to = mg_ix_rebuild(t, atom.kind, a, b);
    return mg_ix_memo_put(t, &t->shortened, n->walk, id, to);
}

MgIx mg_ix_narrow_by(MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                     uint32_t n_facts) {
    Narrow n = {t, ranges, facts, n_facts, ++t->shortened.walks};
    return narrow(&n, x);
}

MgIx mg_ix_narrow(MgIxTable *t, MgIx x, const MgIxRanges *ranges) {
    return mg_ix_narrow_by(t, x, ranges, NULL, 0);
}
