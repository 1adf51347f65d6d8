// Tests the support library: arenas and their limit, maps and names, text, diagnostics.
#include <float.h>
#include <math.h>

#include "tests/unit/check.h"

static MgSession *session(void) {
    MgSession *s = mg_session_new(0);
    ck_assert_ptr_nonnull(s);
    return s;
}

START_TEST(memory_limit_unwinds) {
    MgMem *mem = mg_mem_new(1 << 20);
    MgTry frame;
    volatile bool failed = false;
    if (MG_TRY(mem, frame)) {
        MgArena *arena = mg_arena_new(mem);
        for (;;)
            memset(mg_arena_alloc(arena, 1, 4096), 1, 4096);
    } else
        failed = true;
    ck_assert(failed);
    ck_assert_uint_le(mg_mem_peak(mem), 1 << 20);
    mg_mem_free(mem);
}
END_TEST

START_TEST(memory_overflow_unwinds) {
    MgMem *mem = mg_mem_new(0);
    MgTry frame;
    volatile bool failed = false;
    if (MG_TRY(mem, frame)) {
        mg_arena_alloc(mg_arena_new(mem), SIZE_MAX / 2, 4);
        mg_try_end(mem, &frame);
    } else
        failed = true;
    ck_assert(failed);
    mg_mem_free(mem);
}
END_TEST

// An arena that fills the account's pages with ones, and an arena that reuses them.
START_TEST(memory_is_zeroed) {
    enum { N = 3000, SIZE = 1000 };
    static const char zeros[SIZE];
    MgMem *mem = mg_mem_new(0);
    MgTry frame;
    ck_assert(MG_TRY(mem, frame));
    for (int round = 0; round < 4; round++) {
        MgArena *arena = mg_arena_new(mem);
        size_t before = mg_mem_used(mem);
        for (int i = 0; i < N; i++) {
            char *at = mg_arena_alloc(arena, 1, SIZE);
            ck_assert_mem_eq(at, zeros, SIZE);
            memset(at, 1, SIZE);
        }
        ck_assert_uint_ge(mg_mem_used(mem), before + (size_t)N * SIZE);
        mg_arena_free(arena);
        ck_assert_uint_eq(mg_mem_used(mem), before);
        if (round % 2)
            mg_mem_trim(mem);
    }
    mg_try_end(mem, &frame);
    mg_mem_free(mem);
}
END_TEST

static void count_release(void *object) {
    ++*(int *)object;
}

START_TEST(memory_defers) {
    int kept = 0, dropped = 0;
    MgMem *mem = mg_mem_new(0);
    mg_mem_defer(mem, count_release, &kept);
    mg_mem_defer(mem, count_release, &dropped);
    ck_assert(mg_mem_undefer(mem, &dropped));
    ck_assert(!mg_mem_undefer(mem, &dropped));
    mg_mem_free(mem);
    ck_assert_int_eq(kept, 1);
    ck_assert_int_eq(dropped, 0);
}
END_TEST

START_TEST(map_many) {
    MgSession *s = session();
    MgMap map;
    mg_map_init(&map, s->arena);
    ck_assert_ptr_null(mg_map_find(&map, 0));
    for (uint64_t i = 0; i < 10000; i++)
        mg_map_put(&map, i << 32, i);
    mg_map_put(&map, 7ull << 32, 70);
    for (uint64_t i = 0; i < 10000; i++)
        ck_assert_uint_eq(mg_map_get(&map, i << 32, 1), i == 7 ? 70 : i);
    ck_assert_uint_eq(mg_map_get(&map, 5, 99), 99);
    for (uint32_t i = 0; i < map.entries.len; i++) // in order of insertion
        ck_assert_uint_eq(map.entries.at[i].key, (uint64_t)i << 32);
    mg_session_free(s);
}
END_TEST

// Adds numbers until memory runs out, and returns their count.
static uint64_t fill(MgMem *mem, MgMap *map) {
    volatile uint64_t n = 0;
    MgTry frame;
    if (MG_TRY(mem, frame)) {
        mg_map_init(map, mg_arena_new(mem));
        for (;; n++)
            mg_map_put(map, n << 32, n);
    }
    return n;
}

START_TEST(map_outlives_its_memory) { // entries remain, wherever memory runs out
    for (size_t limit = 1 << 17; limit < 1 << 20; limit += 1 << 14) {
        MgMem *mem = mg_mem_new(limit);
        MgMap map;
        uint64_t n = fill(mem, &map);
        for (uint64_t i = 0; i < n; i++)
            ck_assert_uint_eq(mg_map_get(&map, i << 32, 1), i);
        mg_mem_free(mem);
    }
}
END_TEST

START_TEST(names_are_interned) {
    MgSession *s = session();
    MgSym a = mg_sym(s->names, "weight"), b = mg_sym_n(s->names, "weights", 6);
    ck_assert_uint_eq(a, b);
    ck_assert_uint_ne(a, mg_sym(s->names, "weights"));
    ck_assert_uint_eq(mg_sym(s->names, ""), 0);
    ck_assert_str_eq(mg_name(s->names, mg_symf(s->names, "%s.%d", "h", 12)), "h.12");
    mg_session_free(s);
}
END_TEST

START_TEST(nearest_name) {
    static const char *const words[] = {"softmax", "sigmoid", "conv", "relu"};
    ck_assert_int_eq(mg_nearest("sofmtax", words, 4), 0);
    ck_assert_int_eq(mg_nearest("sigmod", words, 4), 1);
    ck_assert_int_eq(mg_nearest("rleu", words, 4), 3);
    ck_assert_int_eq(mg_nearest("embedding", words, 4), -1);
    ck_assert_int_eq(mg_nearest("n", (const char *const[]){"x", "N"}, 2), 1);
    ck_assert_int_eq(mg_nearest("yy", (const char *const[]){"x", "y"}, 2), 1);
    ck_assert_int_eq(mg_nearest("q", (const char *const[]){"M"}, 1), -1);
    ck_assert_int_eq(mg_nearest("fro", (const char *const[]){"add", "for"}, 2), 1);
    ck_assert_int_eq(mg_nearest("foo", (const char *const[]){"add", "fbb"}, 2), -1);
    ck_assert_int_eq(mg_nearest("--frob", (const char *const[]){"--plot"}, 1), -1);
    ck_assert_int_eq(mg_nearest("--plto", (const char *const[]){"--prefix", "--plot"}, 2), 1);
    MgSession *s = session();
    MgSym candidates[] = {mg_sym(s->names, "fc1.weight"), mg_sym(s->names, "fc1.bias")};
    ck_assert_uint_eq(mg_nearest_name(s->names, mg_sym(s->names, "fc1.wieght"), candidates, 2),
                      candidates[0]);
    ck_assert_uint_eq(mg_nearest_name(s->names, mg_sym(s->names, "embedding"), candidates, 2), 0);
    mg_session_free(s);
}
END_TEST

START_TEST(floats_read_back) {
    MgSession *s = session();
    static const double doubles[] = {0.1,          1e-5,    1.0 / 3, 1e300, DBL_MIN,
                                     DBL_TRUE_MIN, DBL_MAX, -0.0,    100,   123456789012345678.0,
                                     5e-324,       1.5e22,  0.75};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        const char *text = mg_float_str(s->arena, doubles[i], false);
        ck_assert_double_eq(strtod(text, NULL), doubles[i]);
        ck_assert_msg(strpbrk(text, ".e") != NULL, "%s reads as an integer", text);
    }
    ck_assert_str_eq(mg_float_str(s->arena, 0.1f, true), "0.1");
    ck_assert_str_eq(mg_float_str(s->arena, -0.0, false), "-0.0");
    ck_assert_str_eq(mg_float_str(s->arena, 3, false), "3.0");
    ck_assert_str_eq(mg_float_str(s->arena, INFINITY, false), "inf");
    ck_assert_str_eq(mg_float_str(s->arena, NAN, true), "nan");
    mg_session_free(s);
}
END_TEST

START_TEST(times_have_no_exponent) {
    MgSession *s = session();
    static const struct {
        double us;
        const char *text;
    } times[] = {{0, "0 µs"},       {1e-9, "0 µs"},   {0.5, "0.5 µs"},    {12.345, "12.3 µs"},
                 {999.4, "999 µs"}, {999.6, "1 ms"},  {123456, "123 ms"}, {999.7e3, "1 s"},
                 {4.5e6, "4.5 s"},  {4.5e9, "4500 s"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        ck_assert_str_eq(mg_time_text(s->arena, times[i].us), times[i].text);
    mg_session_free(s);
}
END_TEST

START_TEST(text_grows) {
    MgSession *s = session();
    MgText t = mg_text(s->arena);
    for (int i = 0; i < 1000; i++)
        mg_textf(&t, "%d,", i);
    ck_assert_uint_eq(t.bytes.len, 10 * 2 + 90 * 3 + 900 * 4);
    char *long_text = mg_arena_alloc(s->arena, 1001, 1);
    memset(long_text, 'x', 1000);
    mg_textf(&t, "%s!", long_text);
    const char *all = mg_text_str(&t);
    ck_assert_uint_eq(strlen(all), 10 * 2 + 90 * 3 + 900 * 4 + 1001);
    ck_assert_int_eq(all[strlen(all) - 1], '!');
    mg_session_free(s);
}
END_TEST

START_TEST(places_count_characters) {
    MgSession *s = session();
    const char *text = "mg 1\ny = \"é\" + z\n";
    uint32_t n = mg_add_source(s, "a.mg", text, strlen(text));
    MgPlace place = mg_place(s, n, (uint32_t)(strchr(text, 'z') - text));
    ck_assert_str_eq(place.file, "a.mg");
    ck_assert_uint_eq(place.line, 2);
    ck_assert_uint_eq(place.column, 11);
    mg_session_free(s);
}
END_TEST

START_TEST(diagnostics_render_sorted) {
    MgSession *s = session();
    const char *text = "mg 1\n\ta = é + b\nc = d\n";
    uint32_t n = mg_add_source(s, "a.mg", text, strlen(text));
    uint32_t c = (uint32_t)(strchr(text, 'c') - text), b = (uint32_t)(strchr(text, 'b') - text);
    mg_diag(s, (MgSpan){n, c, c + 5}, MG_D_plain, "second");
    mg_diag_note(s, (MgSpan){n, b, b + 1}, MG_D_plain_note, "of the second");
    mg_diag(s, (MgSpan){n, b - 5, b + 1}, MG_D_plain, "first");
    mg_diag(s, mg_no_span(), MG_D_plain_warning, "nowhere");
    ck_assert_uint_eq(s->n_errors, 2);
    ck_assert_str_eq(mg_test_diags(s), "warning: nowhere\n"
                                       "a.mg:2:6: error: first\n"
                                       "    2 | \ta = é + b\n"
                                       "      | \t    ^~~~~\n"
                                       "a.mg:3:1: error: second\n"
                                       "    3 | c = d\n"
                                       "      | ^~~~~\n"
                                       "a.mg:2:10: note: of the second\n"
                                       "    2 | \ta = é + b\n"
                                       "      | \t        ^\n");
    mg_session_free(s);
}
END_TEST

START_TEST(diagnostics_are_limited) {
    MgSession *s = session();
    s->max_errors = 3;
    for (int i = 0; i < 10; i++)
        mg_diag(s, mg_no_span(), MG_D_plain, "wrong");
    ck_assert_uint_eq(s->n_errors, 10);
    ck_assert_uint_eq(s->diags.len, 3);
    ck_assert_ptr_nonnull(strstr(mg_test_diags(s), "7 more errors are not shown\n"));
    mg_session_free(s);
}
END_TEST

MG_TEST_MAIN("support", memory_limit_unwinds, memory_overflow_unwinds, memory_is_zeroed,
             memory_defers, map_many, map_outlives_its_memory, names_are_interned, nearest_name,
             floats_read_back, times_have_no_exponent, text_grows, places_count_characters,
             diagnostics_render_sorted, diagnostics_are_limited)
