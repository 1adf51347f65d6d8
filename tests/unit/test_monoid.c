// Tests the monoids' formulas on constants, which the kernel's constructors evaluate: parts of
// drawn sequences, joined in drawn groups, give what the definition gives.
#include "passes/schedule/group/monoid.h"
#include "tests/unit/check.h"

#include <math.h>

enum { MOST = 24, DRAWS = 4000 };

static MgMem *mem;
static MgArena *arena;
static MgKernel *k;
static uint64_t seed;

static void begin(void) {
    mem = mg_mem_new(0);
    arena = mg_arena_new(mem);
    MgNames *names = mg_names_new(arena);
    k = mg_kernel_new(arena, names, mg_sym(names, "k"));
    seed = 1;
}

static void end(void) {
    mg_arena_free(arena);
    mg_mem_free(mem);
}

static uint32_t draw(uint32_t n) {
    seed = mg_hash_mix(seed, 1);
    return (uint32_t)(seed >> 33) % n;
}

static const MgKx *real(double v) {
    return mg_kfloat(k, mg_kt(MG_F64, 1), v);
}

static double value(const MgKx *x) {
    ck_assert_int_eq(x->kind, MG_KX_CONST);
    return mg_bits_to_double(x->type.dtype, x->bits);
}

static double draw_value(bool special) {
    static const double values[] = {-INFINITY, INFINITY, NAN, 0, -0.0, 1e300};
    if (special && draw(4) == 0)
        return values[draw(sizeof values / sizeof *values)];
    return (double)draw(64) / 4 - 8;
}

static bool same(double a, double b, double bound) {
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= bound * (fabs(a) + fabs(b));
}

// ---------------------------------------------------------------- leaders
static MgPartial join_leader(MgMonoid m, MgPartial a, MgPartial b) {
    return (MgPartial){mg_kprim(k, mg_monoid(m)->leader, a.x, b.x, NULL), NULL};
}

START_TEST(identities_are_neutral) {
    for (unsigned m = 0; m < MG_N_MONOIDS; m++) {
        MgDType type = m == MG_MONOID_ANY || m == MG_MONOID_ALL ? MG_BOOL : MG_F64;
        MgPartial none = mg_monoid_identity(k, (MgMonoid)m, mg_kt(type, 1), MG_I64);
        if (mg_monoid((MgMonoid)m)->leader == MG_PRIM_COUNT)
            continue; // nothing joins these
        for (int i = 0; i < DRAWS; i++) {
            double v = type == MG_BOOL ? draw(2) : draw_value(true);
            MgPartial x = {mg_kconst(k, mg_kt(type, 1), mg_bits_from_double(type, v)), NULL};
            ck_assert(same(value(join_leader((MgMonoid)m, none, x).x), v, 0));
            ck_assert(same(value(join_leader((MgMonoid)m, x, none).x), v, 0));
        }
    }
}
END_TEST

// ---------------------------------------------------------------- extremes
// The definition: the first NaN, otherwise the first of the best elements.
static int64_t first_best(const double *v, uint32_t n, bool most) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (!isnan(v[best]) && (isnan(v[i]) || (most ? v[i] > v[best] : v[i] < v[best])))
            best = i;
    return best;
}

static MgPartial best_of(MgKBlock *block, MgMonoid m, const double *v, uint32_t low,
                         uint32_t high) {
    MgPartial p = mg_monoid_identity(k, m, mg_kt(MG_F64, 1), MG_I64);
    for (uint32_t i = low; i < high; i++)
        p = mg_monoid_better(k, block, m, p, (MgPartial){real(v[i]), mg_kint(k, i)}, true, NULL);
    return p;
}

// Parts may be empty; neighbours are combined in order, or any two in either order.
START_TEST(extremes_are_the_first) {
    for (int i = 0; i < DRAWS; i++) {
        double v[MOST];
        uint32_t n = 1 + draw(MOST), n_parts = 1 + draw(5), low = 0;
        MgMonoid m = draw(2) ? MG_MONOID_ARGMAX : MG_MONOID_ARGMIN;
        for (uint32_t j = 0; j < n; j++)
            v[j] = draw(2) ? draw_value(true) : (double)draw(2) - 1;
        MgPartial parts[5], in_order = {NULL, NULL};
        for (uint32_t p = 0; p < n_parts; p++) {
            uint32_t high = p + 1 < n_parts ? low + draw(n - low + 1) : n;
            parts[p] = best_of(&k->body, m, v, low, high);
            in_order =
                p ? mg_monoid_better(k, &k->body, m, in_order, parts[p], true, NULL) : parts[p];
            low = high;
        }
        int64_t wanted = first_best(v, n, m == MG_MONOID_ARGMAX);
        ck_assert_int_eq((int64_t)in_order.at->bits, wanted);
        ck_assert(same(value(in_order.x), v[wanted], 0));
        for (; n_parts > 1; n_parts--) { // any two, in either order
            uint32_t a = draw(n_parts - 1), b = n_parts - 1;
            bool turned = draw(2);
            parts[a] = mg_monoid_better(k, &k->body, m, parts[turned ? b : a],
                                        parts[turned ? a : b], false, NULL);
        }
        ck_assert_int_eq((int64_t)parts[0].at->bits, wanted);
    }
}
END_TEST

// ---------------------------------------------------------------- sums beside a leader
typedef struct Sums {
    MgPartial p;
    const MgKx *n; // points
} Sums;

static Sums sums_of(MgMonoid m, const double *v, uint32_t n) {
    Sums s = {mg_monoid_identity(k, m, mg_kt(MG_F64, 1), MG_I64), real(n)};
    for (uint32_t i = 0; i < n; i++)
        s.p.x = mg_kprim(k, mg_monoid(m)->leader, s.p.x, real(v[i]), NULL);
    const MgKx *about = mg_monoid_shift(k, &k->body, m, s.p.x, s.n);
    for (uint32_t i = 0; i < n; i++)
        s.p.at =
            mg_kprim(k, MG_PRIM_ADD, s.p.at, mg_monoid_term(k, m, real(v[i]), about, false), NULL);
    return s;
}

static const MgKx *moved(MgMonoid m, Sums s, const MgKx *about) {
    return mg_monoid_moved(k, &k->body, m, s.p.at, s.p.x, s.n, about, false);
}

static Sums join(MgMonoid m, Sums a, Sums b) {
    Sums s = {.n = mg_kprim(k, MG_PRIM_ADD, a.n, b.n, NULL)};
    s.p.x = mg_kprim(k, mg_monoid(m)->leader, a.p.x, b.p.x, NULL);
    const MgKx *about = mg_monoid_shift(k, &k->body, m, s.p.x, s.n);
    s.p.at = mg_kprim(k, MG_PRIM_ADD, moved(m, a, about), moved(m, b, about), NULL);
    return s;
}

// The definition's shift is a function of the leader. For a mean it is near the leader: they differ
// by rounding.
static double definition(MgMonoid m, const double *v, uint32_t n, double *b) {
    double x = m == MG_MONOID_SHIFTED ? -INFINITY : 0, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        x = m == MG_MONOID_MOMENTS ? x + v[i] : isnan(x) || x > v[i] ? x : v[i];
    *b = m == MG_MONOID_MOMENTS ? x / n : draw(2) ? x : x < 5 ? x / 2 : 5;
    for (uint32_t i = 0; i < n; i++)
        sum += m == MG_MONOID_MOMENTS ? (v[i] - *b) * (v[i] - *b) : exp(v[i] - *b);
    return sum;
}

static void check_sums(MgMonoid m, bool special) {
    for (int i = 0; i < DRAWS; i++) {
        double v[MOST], b, offset = draw(2) ? 1000 : 0;
        uint32_t n = 1 + draw(MOST), at = 0;
        for (uint32_t j = 0; j < n; j++)
            v[j] = draw_value(special) + offset;
        double wanted = definition(m, v, n, &b);
        Sums all = sums_of(m, v, 0);
        while (at < n) { // a part joins those before it, or several are joined first
            uint32_t half = draw(n - at + 1), rest = draw(n - at - half + 1);
            Sums part = join(m, sums_of(m, v + at, half), sums_of(m, v + at + half, rest));
            all = join(m, all, part);
            at += half + rest;
        }
        double got = value(moved(m, all, real(b)));
        ck_assert_msg(same(got, wanted, 1e-11) || (!special && fabs(got - wanted) < 1e-9),
                      "%s: %g for %g", mg_monoid(m)->word, got, wanted);
    }
}

START_TEST(sums_move_to_any_shift) {
    check_sums(MG_MONOID_SHIFTED, false);
    check_sums(MG_MONOID_MOMENTS, false);
}
END_TEST

START_TEST(infinities_and_nan_give_what_the_definition_gives) {
    check_sums(MG_MONOID_SHIFTED, true);
    check_sums(MG_MONOID_MOMENTS, true);
}
END_TEST

MG_TEST_MAIN_WITH("monoid", begin, end, identities_are_neutral, extremes_are_the_first,
                  sums_move_to_any_shift, infinities_and_nan_give_what_the_definition_gives)
