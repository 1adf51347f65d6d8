// Messages with formulas: what is filled in, and what stays as it is written.
#include "ir/fill.h"

#include <check.h>
#include <string.h>

static bool value_of(void *context, const char *name, size_t length, int64_t *value) {
    (void)context;
    *value = 7;
    if (length == 1 && *name == 'N')
        return true;
    *value = -2;
    return length == 5 && !memcmp(name, "a b.c", 5);
}

static void check_fill(MgArena *arena, const char *text, const char *expected) {
    ck_assert_str_eq(mg_fill(arena, text, value_of, NULL), expected);
}

START_TEST(formulas) {
    MgMem *mem = mg_mem_new(0);
    MgTry frame;
    ck_assert(mem && MG_TRY(mem, frame));
    MgArena *arena = mg_arena_new(mem);
    check_fill(arena, "{N} of [{2*N + 1}, 3]", "7 of [15, 3]");
    check_fill(arena, "{(N + 3)/4 - 1} and {-N % 4} and {min(N, 5) - max(N, 9)}", "1 and 1 and -4");
    check_fill(arena, "{`a b.c` * N}", "-14");
    check_fill(arena, "{N + M}, {}, {N +}, {`N}, {N} N}, {N", "N + M, , N +, `N, 7 N}, {N");
    ck_assert_str_eq(mg_fill(arena, "{N} of {M}", NULL, NULL), "N of M");
    char deep[500];
    memset(deep, '(', sizeof deep);
    deep[0] = '{', deep[498] = '}', deep[499] = 0;
    ck_assert_uint_eq(strlen(mg_fill(arena, deep, value_of, NULL)), 497);
    mg_try_end(mem, &frame);
    mg_mem_free(mem);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fill");
    TCase *tests = tcase_create("fill");
    tcase_add_test(tests, formulas);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
