// Tests the reference interpreter on programs in text: control flow, sizes that data decide, and
// its messages when a run fails.
#include "frontend/sema.h"
#include "ir/interp.h"

#include "tests/unit/check.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

static MgSession *session;
static MgInterpTensor in[4], out[6];
static uint64_t max_steps;

static void setup(void) {
    session = mg_session_new(0);
    max_steps = 100000000;
}

static void teardown(void) {
    mg_session_free(session);
}

static const char *messages(void) {
    MgText text = mg_text(session->arena);
    mg_diags_render(session, &text, false);
    return mg_text_str(&text);
}

static void give(uint32_t k, MgDType type, int64_t n, const void *data) { // n < 0: rank 0
    int64_t *shape = MG_NEW(session->arena, int64_t);
    *shape = n;
    in[k] = (MgInterpTensor){.dtype = type,
                             .rank = n >= 0,
                             .shape = shape,
                             .n = n < 0 ? 1 : (size_t)n,
                             .data = (void *)data};
}

static bool tf32;
static MgThreads *threads;

static bool run(const char *body) {
    const char *text = mg_arena_printf(session->arena, "mg 1\n%s", body);
    MgModule *m = mg_load_module_text(session, "t.mg", text, strlen(text));
    ck_assert_msg(m != NULL, "%s", messages());
    MgInterpOptions options = {
        .bounds = true, .tf32 = tf32, .max_steps = max_steps, .threads = threads};
    return mg_interp(m->graphs.at[0], in, out, &options, session->arena);
}

static void expect(uint32_t k, size_t n, const double *values) {
    ck_assert_uint_eq(out[k].n, n);
    for (size_t i = 0; i < n; i++) {
        double v = out[k].dtype == MG_F32   ? ((float *)out[k].data)[i]
                   : out[k].dtype == MG_I64 ? (double)((int64_t *)out[k].data)[i]
                                            : ((uint8_t *)out[k].data)[i];
        ck_assert_msg(v == values[i], "output %u, element %zu is %g, not %g", k, i, v, values[i]);
    }
}
#define EXPECT(k, ...)                                                                             \
    expect((k), sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

START_TEST(a_loop_ends_by_its_condition) {
    float x[] = {1, 2};
    int64_t n = 0;
    give(0, MG_F32, 2, x);
    give(1, MG_I64, -1, &n);
    ck_assert(run("graph g(x: f32[2], n: i64[]) -> (end, count, rows) {\n"
                  "    end, count, rows = loop t in 0..10 carry (a = x, k = n) while less(k, 6) {\n"
                  "        b = a + a\n        m = k + 2\n        next a = b, k = m\n        emit "
                  "b\n    }\n}\n"));
    EXPECT(0, 8, 16);
    EXPECT(1, 6);
    EXPECT(2, 2, 4, 4, 8, 8, 16);
    ck_assert_int_eq(out[2].shape[0], 3);
}
END_TEST

START_TEST(a_loop_without_trips_gives_what_it_was_given) {
    float x[] = {1, 2};
    give(0, MG_F32, 2, x);
    ck_assert(run("graph g(x: f32[2]) -> (end, rows) {\n"
                  "    end, rows = loop t in 3..1 carry (a = x) {\n"
                  "        b = a + a\n        next a = b\n        emit b\n    }\n}\n"));
    EXPECT(0, 1, 2);
    ck_assert_int_eq(out[1].shape[0], 0);
}
END_TEST

START_TEST(carried_values_may_change_places) {
    float x[] = {1, 2}, y[] = {3, 4};
    give(0, MG_F32, 2, x);
    give(1, MG_F32, 2, y);
    ck_assert(run("graph g(x: f32[2], y: f32[2]) -> (p, q) {\n"
                  "    p, q = loop t in 0..3 carry (a = x, b = y) { next a = b, b = a }\n}\n"));
    EXPECT(0, 3, 4);
    EXPECT(1, 1, 2);
}
END_TEST

START_TEST(one_branch_runs) {
    float x[] = {1, 2};
    uint8_t c = 0;
    give(0, MG_F32, 2, x);
    give(1, MG_BOOL, -1, &c);
    ck_assert(run("graph g(x: f32[2], c: bool[]) -> (y) {\n"
                  "    y = if c { yield x } else { z = x * 3\n        yield z }\n}\n"));
    EXPECT(0, 3, 6);
}
END_TEST

START_TEST(data_fix_a_size) {
    float x[] = {1, 2, 3, 4};
    uint8_t keep[] = {1, 0, 1, 1};
    give(0, MG_F32, 4, x);
    give(1, MG_BOOL, 4, keep);
    ck_assert(run("graph g(x: f32[N], keep: bool[N]) -> (y) { y = compress(x, keep) }\n"));
    EXPECT(0, 1, 3, 4);
}
END_TEST

START_TEST(a_size_in_doubt_makes_everything_exempt) {
    float x[] = {0.1f, 2};
    give(0, MG_F32, 2, x);
    ck_assert(run("graph g(x: f32[2]) -> (y) {\n    m = greater(x * 10 * exp(x - x), 1)\n    y = "
                  "compress(x, m)\n}\n"));
    ck_assert(out[0].exempt[0]);
}
END_TEST

START_TEST(a_read_outside_names_line_and_values) {
    float x[] = {1, 2, 3};
    int64_t ids[] = {2, 7};
    give(0, MG_F32, 3, x);
    give(1, MG_I64, 2, ids);
    ck_assert(!run("graph g(x: f32[3], ids: i64[2]) -> (y) {\n    y[i] = x[ids[i]]\n}\n"));
    ck_assert_str_eq(messages(), "t.mg:3:5: error: 'x' is read out of bounds: the subscript at "
                                 "axis 0 is 7, the dimension is "
                                 "3\n"
                                 "    3 |     y[i] = x[ids[i]]\n"
                                 "      |     ^~~~~~~~~~~~~~~~\n");
}
END_TEST

START_TEST(a_read_outside_in_the_library_names_the_users_line) {
    float x[] = {1, 2, 3};
    int64_t ids[] = {2, 7};
    give(0, MG_F32, 3, x);
    give(1, MG_I64, 2, ids);
    ck_assert(!run("graph g(x: f32[3], ids: i64[2]) -> (y) {\n    y = gather(x, ids)\n}\n"));
    ck_assert_str_eq(messages(), "t.mg:3:9: error: 'x' is read out of bounds: the subscript at "
                                 "axis 0 is 7, the dimension is "
                                 "3\n"
                                 "    3 |     y = gather(x, ids)\n"
                                 "      |         ^~~~~~~~~~~~~~\n");
}
END_TEST

START_TEST(a_dimension_outside_its_bound_is_an_error) {
    int64_t n = 5;
    give(0, MG_I64, -1, &n);
    ck_assert(
        !run("graph g(n: i64[]) -> (y) {\n    dim K <= 4 = n\n    y[i in 0..K]: i64[K] = i\n}\n"));
    ck_assert(strstr(messages(), "K is 5; expected a value from 0 to 4") != NULL);
    n = 3;
    ck_assert(
        run("graph g(n: i64[]) -> (y) {\n    dim K <= 4 = n\n    y[i in 0..K]: i64[K] = i\n}\n"));
    EXPECT(0, 0, 1, 2);
}
END_TEST

START_TEST(a_requirement_of_inputs_speaks_in_their_names) {
    float x[] = {1, 2, 3};
    give(0, MG_F32, 3, x);
    ck_assert(!run("graph g(x: f32[N]) -> (y)\n    require N % 2 == 0 : \"{N} is odd\"\n{\n    y = "
                   "x + x\n}\n"));
    ck_assert(strstr(messages(), "3 is odd") != NULL);
}
END_TEST

// Rounds to a number of mantissa bits, to nearest with ties to even, or truncates.
static float rounded(float v, unsigned bits, bool nearest) {
    uint32_t u, drop = 23 - bits;
    memcpy(&u, &v, sizeof u);
    if (nearest)
        u += (1u << (drop - 1)) - 1 + (u >> drop & 1);
    u &= ~((1u << drop) - 1);
    memcpy(&v, &u, sizeof v);
    return v;
}

// The bound of tf32 covers factors of 10 mantissa bits, but not of 4; that of f32 covers neither.
// Ops that are no contractions have the same bound in both.
START_TEST(tf32_is_a_class_of_its_own) {
    enum { K = 64 };
    float a[K], b[K], exact = 0, narrow[2] = {0};
    for (int k = 0; k < K; k++) {
        a[k] = 1.5f + sinf((float)(k + 1));
        b[k] = 1.5f + cosf((float)(3 * k));
    }
    for (int k = 0; k < K; k++) {
        exact += a[k] * b[k];
        narrow[0] += rounded(a[k], 10, true) * rounded(b[k], 10, true);
        narrow[1] += rounded(a[k], 4, false) * rounded(b[k], 4, false);
    }
    double plain[2];
    for (int pass = 0; pass < 2; pass++) {
        tf32 = pass;
        give(0, MG_F32, K, a);
        give(1, MG_F32, K, b);
        ck_assert(run("graph g(a: f32[64], b: f32[64]) -> (y, s) {\n"
                      "    y[]: f32[] = sum[k] a[k] * b[k]\n"
                      "    s[]: f32[] = sum[k] a[k]\n}\n"));
        ck_assert(mg_interp_compare(&out[0], &exact).ok);
        ck_assert(mg_interp_compare(&out[0], &narrow[0]).ok == (pass == 1));
        ck_assert(!mg_interp_compare(&out[0], &narrow[1]).ok);
        plain[pass] = out[1].bound[0];
    }
    ck_assert(plain[0] == plain[1]);
    tf32 = false;
}
END_TEST

// ---------------------------------------------------------------- threads

static const char large[] =
    "graph g(x: f32[N], seed: u64[]) -> (wide, long, window, prefix, kept, most)\n"
    "    require N >= 8\n"
    "{\n"
    "    wide[i in 0..3, j in 0..N] = exp(x[j]) * f32(i + 1)\n"
    "    bits = random_bits(seed, shape = [2, 30000])\n"
    "    long[i in 0..2, j in 0..30000] = f32(bits[1 - i, j]) + f32(j)\n"
    "    window[i in 0..N] = sum[k in 0..5] 0.1 * (x[i + k - 2] else 7)\n"
    "    prefix[i in 0..N, j in 0..2] = max[k in 0..i % 8 + j] x[k] * 0.3\n"
    "    ratio[]: f32[] = 0.4\n"
    "    kept = random_keeps(ratio, seed, shape = [N])\n"
    "    most[i in 0..N] = argmax[k in 0..3] sin(x[(i + k) % N])\n"
    "}\n";
enum { LARGE = 20011 };

static void run_large(MgInterpTensor *results) {
    static float x[LARGE];
    static uint64_t seed = 7;
    for (int i = 0; i < LARGE; i++)
        x[i] = sinf((float)i * 0.37f) * 3;
    give(0, MG_F32, LARGE, x);
    give(1, MG_U64, -1, &seed);
    ck_assert_msg(run(large), "%s", messages());
    memcpy(results, out, 6 * sizeof *out);
}

START_TEST(threads_give_the_same_bits) {
    MgInterpTensor alone[6], shared[6];
    run_large(alone);
    for (uint32_t n = 1; n <= 5; n++) {
        threads = mg_threads_new(n, false);
        run_large(shared);
        for (int k = 0; k < 6; k++) {
            ck_assert_uint_eq(alone[k].n, shared[k].n);
            ck_assert_mem_eq(alone[k].data, shared[k].data,
                             alone[k].n * mg_dtype_size(alone[k].dtype));
            ck_assert_mem_eq(alone[k].exempt, shared[k].exempt, alone[k].n);
            if (alone[k].bound)
                ck_assert_mem_eq(alone[k].bound, shared[k].bound,
                                 alone[k].n * sizeof *alone[k].bound);
        }
        mg_threads_free(threads);
    }
    threads = NULL;
}
END_TEST

// The steps of all workers count, though each has fewer than the limit.
START_TEST(threads_end_at_the_same_step) {
    static float x[LARGE];
    static const char body[] = "graph g(x: f32[N]) -> (y) {\n    y[i in 0..N] = sin(x[i]) + 1\n}\n";
    give(0, MG_F32, LARGE, x);
    uint64_t most = max_steps, few = 1;
    while (few < most) { // the least limit that suffices
        max_steps = few + (most - few) / 2;
        if (run(body))
            most = max_steps;
        else
            few = max_steps + 1;
    }
    for (uint32_t n = 1; n <= 4; n++) {
        threads = mg_threads_new(n, false);
        max_steps = few;
        ck_assert(run(body));
        session->diags.len = 0;
        max_steps = few - 1;
        ck_assert(!run(body));
        ck_assert_uint_eq(session->diags.len, 1);
        ck_assert_int_eq(session->diags.at[0].id, MG_D_interp_steps);
        mg_threads_free(threads);
    }
    threads = NULL;
}
END_TEST

static double used(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

START_TEST(threads_take_their_part) {
    threads = mg_threads_new(4, false);
    MgInterpTensor results[6];
    run_large(results); // it compiles, too
    double own = used(CLOCK_THREAD_CPUTIME_ID), all = used(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < 8; i++)
        run_large(results);
    own = used(CLOCK_THREAD_CPUTIME_ID) - own;
    all = used(CLOCK_PROCESS_CPUTIME_ID) - all;
    ck_assert_msg(own < 0.6 * all, "the caller took %g of %g s", own, all);
    mg_threads_free(threads);
    threads = NULL;
}
END_TEST

// The first of many failures is reported, and once.
START_TEST(threads_report_as_one) {
    static const char body[] = "graph g(x: f32[N], at: i64[N]) -> (y) {\n"
                               "    y[i in 0..N] = x[at[i]]\n}\n";
    static float x[LARGE];
    static int64_t at[LARGE];
    for (int i = 0; i < LARGE; i++)
        at[i] = i < 100 ? i : LARGE + i;
    for (uint32_t n = 0; n < 4; n++) {
        threads = n ? mg_threads_new(n, false) : NULL;
        session->diags.len = 0;
        give(0, MG_F32, LARGE, x);
        give(1, MG_I64, LARGE, at);
        ck_assert(!run(body));
        ck_assert_uint_eq(session->diags.len, 1);
        ck_assert_msg(strstr(messages(), "the subscript at axis 0 is 20111") != NULL, "%s",
                      messages());
        mg_threads_free(threads);
    }
    threads = NULL;
}
END_TEST

MG_TEST_MAIN_WITH("interp_run", setup, teardown, a_loop_ends_by_its_condition,
                  a_loop_without_trips_gives_what_it_was_given, carried_values_may_change_places,
                  one_branch_runs, data_fix_a_size, a_size_in_doubt_makes_everything_exempt,
                  a_read_outside_names_line_and_values,
                  a_read_outside_in_the_library_names_the_users_line,
                  a_dimension_outside_its_bound_is_an_error,
                  a_requirement_of_inputs_speaks_in_their_names, tf32_is_a_class_of_its_own,
                  threads_give_the_same_bits, threads_end_at_the_same_step, threads_take_their_part,
                  threads_report_as_one)
