// Integer expressions: inspection, substitution, evaluation, and numeric intervals.
#include "ir/ix_internal.h"

#include <stdlib.h>

// ---------------------------------------------------------------- inspection

bool mg_ix_is_const(const MgIxTable *t, MgIx x, int64_t *value) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    if (!x || poly->n > 1 || (poly->n && poly->terms[0].mono))
        return false;
    if (value)
        *value = poly->n ? poly->terms[0].coef : 0;
    return true;
}

// Calls see(ctx, s) for the symbols in x until it returns true.
typedef bool SeeFn(void *ctx, MgIxSym s);
static bool each_symbol(const MgIxTable *t, MgIx x, SeeFn *see, void *ctx) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        for (uint32_t f = 0; f < mono->n; f++) {
            const MgIxAtomRow *atom = mg_ix_atom(t, mono->factors[f].atom);
            if (atom->kind == MG_IX_ATOM_SYM
                    ? see(ctx, atom->sym)
                    : each_symbol(t, atom->a, see, ctx) || each_symbol(t, atom->b, see, ctx))
                return true;
        }
    }
    return false;
}

static bool is_wanted(void *ctx, MgIxSym s) {
    return s == *(const MgIxSym *)ctx;
}

bool mg_ix_mentions(const MgIxTable *t, MgIx x, MgIxSym s) {
    return (mg_ix_poly(t, x)->mask >> (s & 63) & 1) && each_symbol(t, x, is_wanted, &s);
}

static bool is_index(void *ctx, MgIxSym s) {
    return mg_ix_sym_is_index(ctx, s, NULL);
}

bool mg_ix_mentions_index(const MgIxTable *t, MgIx x) {
    return each_symbol(t, x, is_index, (void *)t);
}

uint64_t mg_ix_largest_factor(const MgIxTable *t, MgIx x) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    uint64_t largest = 0;
    for (uint32_t i = 0; x && i < poly->n; i++) {
        int64_t coef = poly->terms[i].coef;
        uint64_t factor = coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef;
        if (poly->terms[i].mono && factor > largest)
            largest = factor;
    }
    return largest;
}

bool mg_ix_linear_in_atom(MgIxTable *t, MgIx x, MgIxAtom atom, MgIx *coefficient, MgIx *rest) {
    const MgIxPoly poly = *mg_ix_poly(t, x);
    *coefficient = *rest = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly.terms[i].mono);
        uint32_t power = 0;
        for (uint32_t f = 0; f < mono->n; f++)
            if (mono->factors[f].atom == atom)
                power = mono->factors[f].power;
        if (power > 1)
            return false;
        MgIx *into = power ? coefficient : rest;
        MgIxMono m = poly.terms[i].mono;
        if (power)
            mg_ix_mono_div(t, m, mg_ix_poly(t, mg_ix_of_atom(t, atom))->terms[0].mono, &m);
        *into = mg_ix_add(t, *into, mg_ix_of_term(t, poly.terms[i].coef, m));
    }
    return true;
}

bool mg_ix_linear(MgIxTable *t, MgIx x, MgIxSym s, MgIx *coefficient, MgIx *rest) {
    return x && mg_ix_linear_in_atom(t, x, t->syms.at[s].atom, coefficient, rest) &&
           !mg_ix_mentions(t, *coefficient, s) && !mg_ix_mentions(t, *rest, s);
}

bool mg_ix_is_sym(const MgIxTable *t, MgIx x, MgIxSym *s) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    if (poly->n != 1 || poly->terms[0].coef != 1)
        return false;
    const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[0].mono);
    if (mono->n != 1 || mono->factors[0].power != 1 ||
        mg_ix_atom(t, mono->factors[0].atom)->kind != MG_IX_ATOM_SYM)
        return false;
    if (s)
        *s = mg_ix_atom(t, mono->factors[0].atom)->sym;
    return true;
}

typedef struct Symbols {
    MgArena *arena;
    MG_VEC(MgIxSym) all;
} Symbols;

static bool note_symbol(void *ctx, MgIxSym s) {
    Symbols *symbols = ctx;
    mg_push(symbols->arena, &symbols->all, s);
    return false;
}

static int by_number(const void *a, const void *b) {
    MgIxSym x = *(const MgIxSym *)a, y = *(const MgIxSym *)b;
    return x < y ? -1 : x > y;
}

uint32_t mg_ix_symbols(const MgIxTable *t, MgIx x, MgArena *arena, MgIxSym **out) {
    Symbols symbols = {.arena = arena};
    each_symbol(t, x, note_symbol, &symbols);
    uint32_t n = 0;
    if (symbols.all.len)
        qsort(symbols.all.at, symbols.all.len, sizeof *symbols.all.at, by_number);
    for (uint32_t i = 0; i < symbols.all.len; i++)
        if (!n || symbols.all.at[n - 1] != symbols.all.at[i])
            symbols.all.at[n++] = symbols.all.at[i];
    *out = symbols.all.at;
    return n;
}

// ---------------------------------------------------------------- substitution

typedef struct Mapping {
    MgIxTable *table;
    MgIxMapFn *map;
    void *ctx;
    uint32_t walk;
} Mapping;

bool mg_ix_memo_find(const MgIxMemo *m, uint32_t walk, MgIxAtom id, MgIx *to) {
    if (id >= m->made.len || m->made.at[id].walk != walk)
        return false;
    *to = m->made.at[id].to;
    return true;
}

MgIx mg_ix_memo_put(MgIxTable *t, MgIxMemo *m, uint32_t walk, MgIxAtom id, MgIx to) {
    while (m->made.len <= id)
        mg_push(t->arena, &m->made, (MgIxMade){0});
    m->made.at[id] = (MgIxMade){walk, to};
    return to;
}

static bool is_mapped(void *ctx, MgIxSym s) {
    const Mapping *m = ctx;
    MgIx to;
    return m->map(m->ctx, s, &to);
}

MgIx mg_ix_map_atoms(MgIxTable *t, MgIx x, IxMapAtomFn *map, void *ctx) {
    const MgIxPoly poly = *mg_ix_poly(t, x);
    MgIx sum = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        const MgIxMonoRow mono = *mg_ix_mono(t, poly.terms[i].mono);
        MgIx product = mg_ix_const(t, poly.terms[i].coef);
        for (uint32_t f = 0; f < mono.n; f++) {
            MgIx factor = map(ctx, mono.factors[f].atom);
            for (uint32_t k = 0; k < mono.factors[f].power; k++)
                product = mg_ix_mul(t, product, factor);
        }
        sum = mg_ix_add(t, sum, product);
    }
    return sum;
}

static MgIx subst_atom(void *ctx, MgIxAtom id);

static MgIx subst(Mapping *m, MgIx x) {
    return each_symbol(m->table, x, is_mapped, m) ? mg_ix_map_atoms(m->table, x, subst_atom, m) : x;
}

static MgIx subst_atom(void *ctx, MgIxAtom id) {
    Mapping *m = ctx;
    const MgIxAtomRow atom = *mg_ix_atom(m->table, id);
    MgIx to;
    if (atom.kind == MG_IX_ATOM_SYM)
        return m->map(m->ctx, atom.sym, &to) ? to : mg_ix_of_atom(m->table, id);
    MgIxMemo *memo = &m->table->replaced;
    if (mg_ix_memo_find(memo, m->walk, id, &to))
        return to;
    to = mg_ix_rebuild(m->table, atom.kind, subst(m, atom.a), subst(m, atom.b));
    return mg_ix_memo_put(m->table, memo, m->walk, id, to);
}

MgIx mg_ix_subst(MgIxTable *t, MgIx x, MgIxMapFn *map, void *ctx) {
    Mapping m = {t, map, ctx, ++t->replaced.walks};
    return subst(&m, x);
}

typedef struct Indices {
    const MgIxTable *table;
    const MgIx *with;
    uint32_t n;
} Indices;

static bool map_index(void *ctx, MgIxSym s, MgIx *to) {
    const Indices *indices = ctx;
    uint32_t position;
    if (!mg_ix_sym_is_index(indices->table, s, &position) || position >= indices->n)
        return false;
    *to = indices->with[position];
    return true;
}

MgIx mg_ix_subst_indices(MgIxTable *t, MgIx x, const MgIx *with, uint32_t n) {
    Indices indices = {t, with, n};
    return mg_ix_subst(t, x, map_index, &indices);
}

typedef struct One {
    MgIxSym index;
    MgIx to;
} One;

static bool map_one(void *ctx, MgIxSym s, MgIx *to) {
    const One *one = ctx;
    *to = one->to;
    return s == one->index;
}

MgIx mg_ix_subst_index(MgIxTable *t, MgIx x, uint32_t index, MgIx to) {
    return mg_ix_subst(t, x, map_one, &(One){mg_ix_index(t, index), to});
}

MgIx mg_ix_subst_atom(MgIxTable *t, MgIx x, MgIxAtom atom, MgIx to) {
    const MgIxPoly poly = *mg_ix_poly(t, x);
    MgIx sum = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        const MgIxMonoRow mono = *mg_ix_mono(t, poly.terms[i].mono);
        MgIx product = mg_ix_const(t, poly.terms[i].coef);
        for (uint32_t f = 0; f < mono.n; f++)
            for (uint32_t k = 0; k < mono.factors[f].power; k++)
                product = mg_ix_mul(
                    t, product,
                    mono.factors[f].atom == atom ? to : mg_ix_of_atom(t, mono.factors[f].atom));
        sum = mg_ix_add(t, sum, product);
    }
    return sum;
}

// ---------------------------------------------------------------- evaluation

static bool eval(const MgIxTable *t, MgIx x, MgIxValueFn *value, void *ctx, int64_t *result);

static bool eval_atom(const MgIxTable *t, MgIxAtom id, MgIxValueFn *value, void *ctx,
                      int64_t *result) {
    const MgIxAtomRow *atom = mg_ix_atom(t, id);
    int64_t a, b;
    if (atom->kind == MG_IX_ATOM_SYM)
        return value(ctx, atom->sym, result);
    if (!eval(t, atom->a, value, ctx, &a) || !eval(t, atom->b, value, ctx, &b))
        return false;
    if (atom->kind != MG_IX_ATOM_DIV)
        *result = (atom->kind == MG_IX_ATOM_MIN) == (a < b) ? a : b;
    else if (b == -1)
        return !__builtin_sub_overflow(0, a, result);
    else
        *result = b ? a / b - (a % b != 0 && (a % b < 0) != (b < 0)) : 0;
    return true;
}

static bool eval(const MgIxTable *t, MgIx x, MgIxValueFn *value, void *ctx, int64_t *result) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    int64_t sum = 0;
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        int64_t product = poly->terms[i].coef, factor;
        for (uint32_t f = 0; f < mono->n; f++) {
            if (!eval_atom(t, mono->factors[f].atom, value, ctx, &factor))
                return false;
            for (uint32_t k = 0; k < mono->factors[f].power; k++)
                if (__builtin_mul_overflow(product, factor, &product))
                    return false;
        }
        if (__builtin_add_overflow(sum, product, &sum))
            return false;
    }
    *result = sum;
    return x != MG_IX_ERROR;
}

bool mg_ix_eval(const MgIxTable *t, MgIx x, MgIxValueFn *value, void *ctx, int64_t *result) {
    return eval(t, x, value, ctx, result);
}

// ---------------------------------------------------------------- intervals
// Ends saturate at -INF and INF. INF + -INF can't occur, since lows are only added to lows.

typedef struct Interval {
    int64_t low, high;
} Interval;

static const Interval everything = {-MG_IX_INF, MG_IX_INF};

static int64_t clamp128(__int128 v) {
    return v > MG_IX_INF ? MG_IX_INF : v < -MG_IX_INF ? -MG_IX_INF : (int64_t)v;
}

static int64_t end_mul(int64_t a, int64_t b) {
    return clamp128((__int128)a * b);
}

// Adds lows (toward = -1) or highs (toward = 1), staying infinite once infinite.
static int64_t end_add(int64_t a, int64_t b, int toward) {
    int64_t inf = toward < 0 ? -MG_IX_INF : MG_IX_INF;
    return a == inf || b == inf ? inf : clamp128((__int128)a + b);
}

static Interval hull4(int64_t a, int64_t b, int64_t c, int64_t d) {
    Interval r = {a, a};
    const int64_t rest[] = {b, c, d};
    for (int i = 0; i < 3; i++) {
        r.low = rest[i] < r.low ? rest[i] : r.low;
        r.high = rest[i] > r.high ? rest[i] : r.high;
    }
    return r;
}

static Interval interval_mul(Interval a, Interval b) {
    return hull4(end_mul(a.low, b.low), end_mul(a.low, b.high), end_mul(a.high, b.low),
                 end_mul(a.high, b.high));
}

static int64_t end_div(int64_t a, int64_t b) { // b > 0
    if (a == MG_IX_INF || a == -MG_IX_INF)
        return b == MG_IX_INF ? (a < 0 ? -MG_IX_INF : MG_IX_INF) : a;
    if (b == MG_IX_INF)
        return a < 0 ? -1 : 0;
    return a / b - (a % b < 0);
}

static Interval interval_div(Interval a, Interval b) {
    if (b.low < 0)
        return everything;
    bool zero = b.low == 0;
    int64_t low = zero ? 1 : b.low, high = b.high < low ? low : b.high;
    Interval r = hull4(end_div(a.low, low), end_div(a.low, high), end_div(a.high, low),
                       end_div(a.high, high));
    if (zero) {
        r.low = r.low > 0 ? 0 : r.low;
        r.high = r.high < 0 ? 0 : r.high;
    }
    return r;
}

// The intervals of atoms that a query has found. A remainder has its dividend twice, so one of
// nested remainders would be looked at exponentially often.
enum { KNOWN = 16 };
typedef struct Query {
    MgIxTable *t;
    const MgIxRanges *ranges;
    struct {
        uint32_t end; // n_indices + 1; 0: nothing is known
        MgIxAtom atom;
        Interval interval;
    } known[KNOWN];
} Query;

static Interval interval_of(Query *q, MgIx x, uint32_t n_indices);

static Interval interval_of_symbol(Query *q, MgIxSym s, uint32_t n_indices) {
    const MgIxSymRow row = q->t->syms.at[s];
    if (!row.index || !q->ranges || row.position >= n_indices)
        return (Interval){row.low, row.high};
    // The ends of an index's range mention only earlier indices.
    Interval low = interval_of(q, q->ranges->low[row.position], row.position);
    Interval high = interval_of(q, q->ranges->high[row.position], row.position);
    int64_t last = end_add(high.high, -1, 1);
    return (Interval){low.low, last < low.low ? low.low : last};
}

bool mg_ix_is_choice(const MgIxTable *t, MgIx x, bool *min, MgIx *a, MgIx *b) {
    const MgIxPoly *poly = mg_ix_poly(t, x);
    if (!x || poly->n != 1 || poly->terms[0].coef != 1)
        return false;
    const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[0].mono);
    if (mono->n != 1 || mono->factors[0].power != 1)
        return false;
    const MgIxAtomRow *atom = mg_ix_atom(t, mono->factors[0].atom);
    *min = atom->kind == MG_IX_ATOM_MIN;
    *a = atom->a;
    *b = atom->b;
    return *min || atom->kind == MG_IX_ATOM_MAX;
}

static Interval find_atom(Query *q, MgIxAtom id, uint32_t n_indices) {
    const MgIxAtomRow atom = *mg_ix_atom(q->t, id);
    if (atom.kind == MG_IX_ATOM_SYM)
        return interval_of_symbol(q, atom.sym, n_indices);
    Interval a = interval_of(q, atom.a, n_indices);
    Interval b = interval_of(q, atom.b, n_indices);
    if (atom.kind == MG_IX_ATOM_DIV)
        return interval_div(a, b);
    bool min = atom.kind == MG_IX_ATOM_MIN;
    return (Interval){(a.low < b.low) == min ? a.low : b.low,
                      (a.high < b.high) == min ? a.high : b.high};
}

static Interval interval_of_atom(Query *q, MgIxAtom id, uint32_t n_indices) {
    uint32_t at = id % KNOWN;
    if (q->known[at].end == n_indices + 1 && q->known[at].atom == id)
        return q->known[at].interval;
    Interval found = find_atom(q, id, n_indices);
    q->known[at].end = n_indices + 1;
    q->known[at].atom = id;
    q->known[at].interval = found;
    return found;
}

static Interval interval_of(Query *q, MgIx x, uint32_t n_indices) {
    if (!x)
        return everything;
    const MgIxPoly poly = *mg_ix_poly(q->t, x);
    Interval sum = {0, 0};
    for (uint32_t i = 0; i < poly.n; i++) {
        const MgIxMonoRow mono = *mg_ix_mono(q->t, poly.terms[i].mono);
        Interval product = {1, 1};
        for (uint32_t f = 0; f < mono.n; f++) {
            Interval factor = interval_of_atom(q, mono.factors[f].atom, n_indices);
            Interval power = factor;
            for (uint32_t k = 1; k < mono.factors[f].power; k++)
                power = interval_mul(power, factor);
            if (mono.factors[f].power % 2 == 0 && power.low < 0)
                power.low = 0;
            product = f ? interval_mul(product, power) : power;
        }
        product = interval_mul(product, (Interval){poly.terms[i].coef, poly.terms[i].coef});
        sum = (Interval){end_add(sum.low, product.low, -1), end_add(sum.high, product.high, 1)};
    }
    return sum;
}

void mg_ix_interval(MgIxTable *t, MgIx x, const MgIxRanges *ranges, int64_t *low, int64_t *high) {
    Query q = {.t = t, .ranges = ranges};
    Interval r = interval_of(&q, x, ranges ? ranges->n : 0);
    *low = r.low;
    *high = r.high;
}

static bool likely_size(void *ctx, MgIxSym sym, int64_t *value) {
    enum { LIKELY = 64, MOST = 1 << 20 };
    int64_t low, high;
    mg_ix_sym_bounds(ctx, sym, &low, &high);
    *value = high < MOST ? high : low > LIKELY ? low : LIKELY;
    return true;
}

int64_t mg_ix_likely(const MgIxTable *t, MgIx x) {
    int64_t value;
    return mg_ix_eval(t, x, likely_size, (void *)(uintptr_t)t, &value) && value > 0 ? value : 0;
}
