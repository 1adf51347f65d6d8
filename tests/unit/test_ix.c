// Tests integer expressions: equal expressions have equal normal forms, normal forms evaluate like
// the original tree, and the proofs that windows, slices and pools need succeed.
#include "ir/ix.h"

#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>

static MgMem *mem;
static MgArena *arena;
static MgNames *names;
static MgIxTable *t;

static void setup(void) {
    mem = mg_mem_new(0);
    arena = mg_arena_new(mem);
    names = mg_names_new(arena);
    t = mg_ix_table_new(arena);
}

static void teardown(void) {
    mg_mem_free(mem);
}

static MgIx dim_in(const char *name, int64_t low, int64_t high) {
    return mg_ix_sym(t, mg_ix_dim(t, mg_sym(names, name), low, high));
}
static MgIx dim(const char *name) {
    return dim_in(name, 0, MG_IX_INF);
}
static MgIx num(int64_t v) {
    return mg_ix_const(t, v);
}
#define add(a, b) mg_ix_add(t, a, b)
#define sub(a, b) mg_ix_sub(t, a, b)
#define mul(a, b) mg_ix_mul(t, a, b)
#define div(a, b) mg_ix_div(t, a, b)
#define mod(a, b) mg_ix_mod(t, a, b)

static const char *index_name(void *ctx, uint32_t position) {
    static char text[8][4];
    (void)ctx;
    snprintf(text[position % 8], sizeof text[0], "i%u", position % 8);
    return text[position % 8];
}

static const char *text_of(MgIx x) {
    MgText out = mg_text(arena);
    mg_ix_print(t, names, x, index_name, NULL, &out);
    return mg_text_str(&out);
}

static MgProof prove(MgIx x, const MgIx *low, const MgIx *high, uint32_t n) {
    MgIxRanges ranges = {low, high, n};
    return mg_ix_nonnegative(t, x, &ranges, NULL, 0);
}

START_TEST(equal_expressions_are_one) {
    MgIx a = dim("a"), b = dim("b"), s = dim("s");
    ck_assert_uint_eq(mul(add(a, b), sub(a, b)), sub(mul(a, a), mul(b, b)));
    ck_assert_uint_eq(mul(s, div(a, s)), sub(a, mod(a, s)));
    ck_assert_uint_eq(add(mul(num(3), div(a, num(3))), mod(a, num(3))), a);
    ck_assert_uint_eq(div(mul(mul(a, b), num(6)), mul(b, num(2))), mul(a, num(3)));
    ck_assert_uint_eq(div(add(mul(a, s), mul(s, s)), s), add(a, s));
    ck_assert_uint_eq(mod(add(a, mul(num(7), b)), num(7)), mod(a, num(7)));
    ck_assert_uint_eq(div(div(a, num(3)), num(4)), div(a, num(12)));
    ck_assert_uint_eq(div(add(mul(num(4), a), num(7)), num(8)), div(add(a, num(1)), num(2)));
    ck_assert_uint_eq(div(mul(add(a, num(1)), add(b, num(2))), add(b, num(2))), add(a, num(1)));
    ck_assert_uint_eq(div(a, num(0)), num(0));
    ck_assert_uint_eq(mg_ix_min(t, a, add(a, num(1))), a);
    ck_assert_uint_eq(mg_ix_max(t, mg_ix_max(t, a, b), s), mg_ix_max(t, b, mg_ix_max(t, s, a)));
    // (H + 2p - k)/s + 1 written in two ways
    ck_assert_uint_eq(add(div(sub(a, num(2)), num(2)), num(1)), div(a, num(2)));
    ck_assert_uint_eq(div(num(-7), num(2)), num(-4));
    ck_assert_uint_eq(mod(num(-7), num(2)), num(1));
}
END_TEST

START_TEST(text_is_readable) {
    MgIx H = dim("H"), p = dim("p"), k = dim("k"), o = mg_ix_idx(t, 0), r = mg_ix_idx(t, 1);
    ck_assert_str_eq(text_of(sub(add(mul(o, num(2)), r), num(1))), "2*i0 + i1 - 1");
    ck_assert_str_eq(text_of(div(sub(add(H, mul(num(2), p)), k), num(3))), "(H + 2*k + 2*p)/3 - k");
    ck_assert_str_eq(text_of(add(num(1), mod(mul(o, H), num(5)))), "i0*H % 5 + 1");
    ck_assert_str_eq(text_of(mul(num(2), mg_ix_min(t, p, H))), "2*min(H, p)");
    ck_assert_str_eq(text_of(sub(num(0), mul(p, H))), "-(H*p)");
    ck_assert_str_eq(text_of(num(-3)), "-3");
    ck_assert_str_eq(text_of(num(0)), "0");
}
END_TEST

START_TEST(overflow_is_an_error) {
    MgIx big = num(INT64_MAX), a = dim("a");
    ck_assert_uint_eq(add(big, num(1)), MG_IX_ERROR);
    ck_assert_uint_eq(mul(mul(big, a), num(2)), MG_IX_ERROR);
    ck_assert_uint_eq(add(MG_IX_ERROR, a), MG_IX_ERROR);
    ck_assert_uint_eq(div(num(INT64_MIN), num(-1)), MG_IX_ERROR);
    MgIx x = add(a, num(1)), p = x;
    for (int i = 0; i < 200; i++) // (a + 1)^200 would have huge coefficients
        p = mul(p, x);
    ck_assert_uint_eq(p, MG_IX_ERROR);
    MgIx deep = a;
    for (int i = 0; i < 1000; i++)
        deep = div(add(mul(a, num(3)), num(1)), add(deep, num(2)));
    ck_assert_uint_eq(deep, MG_IX_ERROR);
}
END_TEST

START_TEST(linear_solves) {
    MgIxSym s = mg_ix_dim(t, mg_sym(names, "C"), 0, MG_IX_INF);
    MgIx C = mg_ix_sym(t, s), g = dim("groups"), coefficient, rest;
    ck_assert(mg_ix_linear(t, add(mul(g, C), num(3)), s, &coefficient, &rest));
    ck_assert_uint_eq(coefficient, g);
    ck_assert_uint_eq(rest, num(3));
    ck_assert(!mg_ix_linear(t, mul(C, C), s, &coefficient, &rest));
    ck_assert(!mg_ix_linear(t, div(C, num(2)), s, &coefficient, &rest));
}
END_TEST

// o in [0, (X + 2p - k)/s + 1), r in [0, k): o*s + r stays below X + 2p.
START_TEST(windows_are_proved) {
    for (int form = 0; form < 3; form++) {
        MgIx X = dim("X"), p = form == 0 ? dim("p") : num(2), k = form == 0 ? dim("k") : num(3);
        MgIx s = form == 2 ? dim_in("s", 1, MG_IX_INF) : num(2), o = mg_ix_idx(t, 0),
             r = mg_ix_idx(t, 1), padded = add(X, mul(num(2), p));
        MgIx low[] = {num(0), num(0)}, high[] = {add(div(sub(padded, k), s), num(1)), k};
        MgIx at = add(mul(o, s), r);
        ck_assert_int_eq(prove(sub(sub(padded, num(1)), at), low, high, 2), MG_PROVED);
        ck_assert_int_eq(prove(at, low, high, 2), MG_PROVED);
        // unpadded, it can't be proved
        ck_assert_int_eq(prove(sub(at, p), low, high, 2), MG_UNKNOWN);
    }
}
END_TEST

START_TEST(pools_with_ceil_are_proved) {
    // O = min(ceildiv(X - k, s) + 1, ceildiv(X, s)): the window's first element is inside
    MgIx X = dim_in("X", 1, MG_IX_INF), k = num(3), s = num(2), o = mg_ix_idx(t, 0);
    MgIx up = add(mg_ix_neg(t, div(mg_ix_neg(t, sub(X, k)), s)), num(1));
    MgIx low[] = {num(0)}, high[] = {mg_ix_min(t, up, mg_ix_neg(t, div(mg_ix_neg(t, X), s)))};
    ck_assert_int_eq(prove(sub(sub(X, num(1)), mul(o, s)), low, high, 1), MG_PROVED);
}
END_TEST

START_TEST(slices_are_proved) {
    // L = max(0, -((start - stop)/step)): start + i*step < stop
    MgIx D = dim("D"), step = num(3), start = num(1), i = mg_ix_idx(t, 0);
    MgIx low[] = {num(0)};
    MgIx high[] = {mg_ix_max(t, num(0), mg_ix_neg(t, div(sub(start, D), step)))};
    MgIx at = add(start, mul(i, step));
    ck_assert_int_eq(prove(sub(sub(D, num(1)), at), low, high, 1), MG_PROVED);
    ck_assert_int_eq(prove(at, low, high, 1), MG_PROVED);
    ck_assert_int_eq(prove(sub(num(-1), at), low, high, 1), MG_REFUTED);
    // the other way: from D - 1 down
    MgIx down = sub(sub(D, num(1)), i), all[] = {D};
    ck_assert_int_eq(prove(down, low, all, 1), MG_PROVED);
    ck_assert_int_eq(prove(sub(sub(D, num(1)), down), low, all, 1), MG_PROVED);
}
END_TEST

START_TEST(products_and_prefixes_are_proved) {
    MgIx G = dim("G"), C = dim("C"), H = dim("H"), g = mg_ix_idx(t, 0), c = mg_ix_idx(t, 1),
         h = mg_ix_idx(t, 2);
    MgIx low[] = {num(0), num(0), num(0)}, high[] = {G, C, H};
    MgIx at = add(mul(add(mul(g, C), c), H), h);
    ck_assert_int_eq(prove(sub(sub(mul(mul(G, C), H), num(1)), at), low, high, 3), MG_PROVED);
    MgIx prefix[] = {G, add(g, num(1))};
    ck_assert_int_eq(prove(sub(sub(G, num(1)), c), low, prefix, 2), MG_PROVED);
    // div and mod of a row-major number
    MgIx line[] = {mul(G, num(6))};
    ck_assert_int_eq(prove(sub(sub(G, num(1)), div(g, num(6))), low, line, 1), MG_PROVED);
    ck_assert_int_eq(prove(sub(num(5), mod(g, num(6))), low, line, 1), MG_PROVED);
    ck_assert_int_eq(prove(mod(g, num(6)), low, line, 1), MG_PROVED);
}
END_TEST

START_TEST(facts_are_used) {
    MgIx X = dim("X"), k = dim("k"), i = mg_ix_idx(t, 0);
    MgIx low[] = {num(0)}, high[] = {k};
    MgIxRanges ranges = {low, high, 1};
    MgIx fact = sub(X, k);
    MgIx x = sub(sub(X, num(1)), i);
    ck_assert_int_eq(mg_ix_nonnegative(t, x, &ranges, NULL, 0), MG_UNKNOWN);
    ck_assert_int_eq(mg_ix_nonnegative(t, x, &ranges, &fact, 1), MG_PROVED);
    // equality, as the minimum of both differences
    MgIx equal = mg_ix_min(t, sub(X, k), sub(k, X));
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(k, X), NULL, &equal, 1), MG_PROVED);
    // A chain of equal sizes, each of which contains a floor; another dimension offers steps that
    // lead nowhere.
    MgIx size[5], chain[8], other = dim("Y");
    uint32_t n = 0;
    chain[n++] = sub(div(add(other, num(320)), num(512)), num(1));
    chain[n++] = sub(div(add(other, num(160)), num(256)), num(1));
    for (int k = 0; k < 5; k++)
        size[k] = div(add(X, num((2 << k) - 1)), num(2 << k));
    for (int k = 0; k < 3; k++) {
        MgIx more = sub(mul(num(2), size[k + 1]), size[k]);
        chain[n++] = mg_ix_min(t, more, sub(num(0), more));
    }
    MgIx whole[] = {size[0], other}, none[] = {num(0), num(0)};
    MgIxRanges both = {none, whole, 2};
    MgIx last = sub(mul(num(8), size[3]), num(1));
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(last, i), &both, chain, n), MG_PROVED);
    ck_assert_int_eq(mg_ix_nonnegative(t, chain[0], &both, chain, n), MG_PROVED);
    ck_assert_int_ne(mg_ix_nonnegative(t, sub(sub(last, num(1)), i), &both, chain, n), MG_PROVED);
    MgIx bounded = dim_in("B", 0, 64);
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(num(64), bounded), NULL, NULL, 0), MG_PROVED);
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(num(63), bounded), NULL, NULL, 0), MG_UNKNOWN);
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(bounded, num(65)), NULL, NULL, 0), MG_REFUTED);
}
END_TEST

// ---------------------------------------------------------------- random trees
#define N_SYMS 4
typedef struct Point {
    int64_t v[1 + N_SYMS + 2]; // by symbol, which count from 1
} Point;

static bool value_of(void *ctx, MgIxSym s, int64_t *v) {
    *v = ((const Point *)ctx)->v[s];
    return true;
}

static int64_t floordiv(int64_t a, int64_t b) {
    return b ? a / b - (a % b != 0 && (a % b < 0) != (b < 0)) : 0;
}

#define N_POINTS 6
typedef struct Sample {
    MgIx ix;
    int64_t v[N_POINTS];    // at each point, by the direct meaning
    bool by_zero[N_POINTS]; // a division by 0 inside, which exact division may have cancelled
} Sample;

static Sample random_tree(int depth, const Point *points) {
    Sample s;
    if (depth == 0 || rand() % 5 == 0) {
        uint32_t sym = 1 + (uint32_t)rand() % (N_SYMS + 2);
        int64_t c = rand() % 9 - 4;
        bool constant = rand() % 3 == 0;
        s.ix = constant ? num(c) : mg_ix_sym(t, sym);
        for (int i = 0; i < N_POINTS; i++)
            s.v[i] = constant ? c : points[i].v[sym], s.by_zero[i] = false;
        return s;
    }
    Sample a = random_tree(depth - 1, points), b = random_tree(depth - 1, points);
    int op = rand() % 7;
    MgIx (*const make[])(MgIxTable *, MgIx, MgIx) = {mg_ix_add, mg_ix_sub, mg_ix_mul, mg_ix_div,
                                                     mg_ix_mod, mg_ix_min, mg_ix_max};
    s.ix = make[op](t, a.ix, b.ix);
    for (int i = 0; i < N_POINTS; i++) {
        int64_t x = a.v[i], y = b.v[i], low = x < y ? x : y;
        const int64_t by_op[] = {x + y, x - y,      x * y, floordiv(x, y), x - y * floordiv(x, y),
                                 low,   x + y - low};
        s.v[i] = by_op[op];
        s.by_zero[i] = a.by_zero[i] || b.by_zero[i] || ((op == 3 || op == 4) && y == 0);
    }
    return s;
}

static int64_t eval_tree(const MgIxNode *n, const Point *p) {
    if (n->op == MG_IX_CONST)
        return n->value;
    if (n->op == MG_IX_SYM)
        return p->v[n->sym];
    int64_t a = eval_tree(n->a, p), b = eval_tree(n->b, p), low = a < b ? a : b;
    switch (n->op) {
    case MG_IX_ADD:
        return a + b;
    case MG_IX_SUB:
        return a - b;
    case MG_IX_MUL:
        return a * b;
    case MG_IX_DIV:
        return floordiv(a, b);
    case MG_IX_MOD:
        return a - b * floordiv(a, b);
    default:
        return n->op == MG_IX_MIN ? low : a + b - low;
    }
}

static MgIx rebuild(const MgIxNode *n) {
    if (n->op == MG_IX_CONST)
        return num(n->value);
    if (n->op == MG_IX_SYM)
        return mg_ix_sym(t, n->sym);
    MgIx (*const make[])(MgIxTable *, MgIx, MgIx) = {
        [MG_IX_ADD] = mg_ix_add, [MG_IX_SUB] = mg_ix_sub, [MG_IX_MUL] = mg_ix_mul,
        [MG_IX_DIV] = mg_ix_div, [MG_IX_MOD] = mg_ix_mod, [MG_IX_MIN] = mg_ix_min,
        [MG_IX_MAX] = mg_ix_max};
    return make[n->op](t, rebuild(n->a), rebuild(n->b));
}

// Dimensions are 1 to 9 (a divisor that divides exactly is taken not to be 0), indices 0 to 5.
START_TEST(normal_forms_keep_their_value) {
    for (int i = 0; i < N_SYMS; i++)
        dim_in((const char *[]){"a", "b", "c", "d"}[i], 1, 9);
    mg_ix_idx(t, 0);
    mg_ix_idx(t, 1);
    MgIx low[] = {num(0), num(0)}, high[] = {num(6), num(6)};
    MgIxRanges ranges = {low, high, 2};
    for (int round = 0; round < 3000; round++) {
        Point points[N_POINTS];
        srand((unsigned)round);
        for (int p = 0; p < N_POINTS; p++)
            for (int i = 1; i <= N_SYMS + 2; i++)
                points[p].v[i] = i <= N_SYMS ? 1 + rand() % 9 : rand() % 6;
        Sample s = random_tree(1 + round % 5, points);
        if (!s.ix)
            continue;
        MgIxNode *tree = mg_ix_tree(t, s.ix, arena);
        ck_assert_msg(rebuild(tree) == s.ix, "seed %d: %s", round, text_of(s.ix));
        int64_t least, most, value;
        mg_ix_interval(t, s.ix, &ranges, &least, &most);
        MgProof proof = mg_ix_nonnegative(t, s.ix, &ranges, NULL, 0);
        for (int p = 0; p < N_POINTS; p++) {
            ck_assert(mg_ix_eval(t, s.ix, value_of, &points[p], &value));
            ck_assert_msg(s.by_zero[p] || value == s.v[p], "seed %d: %s", round, text_of(s.ix));
            ck_assert_int_eq(value, eval_tree(tree, &points[p]));
            ck_assert_int_ge(value, least);
            ck_assert_int_le(value, most);
            ck_assert_msg(proof != MG_PROVED || value >= 0, "seed %d: %s", round, text_of(s.ix));
            ck_assert_msg(proof != MG_REFUTED || value < 0, "seed %d: %s", round, text_of(s.ix));
        }
    }
}
END_TEST

static bool by_position(void *ctx, MgIxSym s, int64_t *value) {
    uint32_t k;
    *value = mg_ix_sym_is_index(t, s, &k) ? ((const int64_t *)ctx)[k] : 0;
    return true;
}

// As windows of windows: each level's parts are used twice, so many paths lead to the innermost.
START_TEST(narrowing_keeps_the_value) {
    MgIx i = mg_ix_idx(t, 0), j = mg_ix_idx(t, 1), low[] = {num(0), num(0)},
         high[] = {num(56), num(56)};
    MgIxRanges ranges = {low, high, 2};
    ck_assert(mg_ix_narrow(t, div(mod(i, num(8)), num(8)), &ranges) == num(0));
    ck_assert(mg_ix_narrow(t, div(i, num(56)), &ranges) == num(0));
    ck_assert(mg_ix_narrow(t, div(i, num(55)), &ranges) == div(i, num(55)));
    // tuples of sizes that are sums, or that facts relate
    MgIx n = dim("n"), m = dim("m"), one = add(n, num(1)), fact = sub(m, n);
    MgIx high3[] = {num(3), one, num(8)}, low3[] = {num(0), num(0), num(0)};
    MgIxRanges sums = {low3, high3, 3};
    MgIx inner = add(mul(j, num(8)), mg_ix_idx(t, 2));
    MgIx at = add(mul(mul(i, one), num(8)), inner), row = mul(one, num(8));
    ck_assert(mg_ix_narrow(t, div(at, row), &sums) == i);
    ck_assert(mg_ix_narrow(t, mod(at, row), &sums) == inner);
    ck_assert(div(sub(at, inner), row) == i && div(n, one) != num(1));
    MgIx wider = mul(add(m, num(1)), num(8));
    ck_assert(mg_ix_narrow(t, div(inner, wider), &sums) == div(inner, wider));
    ck_assert(mg_ix_narrow_by(t, div(inner, wider), &sums, &fact, 1) == num(0));
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(i, j), &ranges, NULL, 0), MG_UNKNOWN);
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(i, num(55)), &ranges, NULL, 0), MG_UNKNOWN);
    ck_assert_int_eq(mg_ix_nonnegative(t, sub(mod(i, num(8)), num(8)), &ranges, NULL, 0),
                     MG_REFUTED);
    MgIx x = add(mul(i, num(56)), j);
    for (int64_t c = 7; c <= 8; c++)
        x = add(mul(mod(x, num(8 * c)), num(57)), div(x, num(c)));
    MgIx y = mg_ix_narrow(t, mod(x, num(56)), &ranges);
    ck_assert(x && y);
    for (int64_t at[2] = {0}; at[0] < 56; at[0]++)
        for (at[1] = 0; at[1] < 56; at[1]++) {
            int64_t a, b;
            ck_assert(mg_ix_eval(t, x, by_position, at, &a));
            ck_assert(mg_ix_eval(t, y, by_position, at, &b));
            ck_assert_int_eq(a % 56, b);
        }
}
END_TEST

MG_TEST_MAIN_WITH("ix", setup, teardown, equal_expressions_are_one, text_is_readable,
                  overflow_is_an_error, linear_solves, windows_are_proved,
                  pools_with_ceil_are_proved, slices_are_proved, products_and_prefixes_are_proved,
                  facts_are_used, narrowing_keeps_the_value, normal_forms_keep_their_value)
