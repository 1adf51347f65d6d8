// Every unit test needs this: Check, a session, and main.
//
//   START_TEST(adds) { ck_assert_int_eq(1 + 1, 2); } END_TEST
//   MG_TEST_MAIN("support", adds, subtracts)
//
// A program with, for example, loop tests makes its own suite and ends with mg_test_run.
#ifndef MG_TESTS_UNIT_CHECK_H
#define MG_TESTS_UNIT_CHECK_H

#include <check.h>
#include <stdlib.h>

#include "support/diag.h"

// Runs the suite and frees it. The exit status is 0 if no test failed.
static inline int mg_test_run(Suite *suite, enum fork_status fork) {
    SRunner *runner = srunner_create(suite);
    if (fork == CK_NOFORK)
        srunner_set_fork_status(runner, fork);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

// Makes a case of each test, with functions that run before and after it (or NULL).
static inline Suite *mg_test_suite(const char *name, SFun setup, SFun teardown,
                                   const TTest *const *tests, size_t n) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < n; i++) {
        TCase *one = tcase_create(tests[i]->name);
        tcase_set_timeout(one, 60); // for tests that run in a process of their own
        tcase_add_checked_fixture(one, setup, teardown);
        tcase_add_test(one, tests[i]);
        suite_add_tcase(suite, one);
    }
    return suite;
}
#define MG_TEST_MAIN(name, ...) MG_TEST_MAIN_WITH(name, NULL, NULL, __VA_ARGS__)
#define MG_TEST_MAIN_WITH(name, setup, teardown, ...)                                              \
    int main(void) {                                                                               \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        size_t n = sizeof tests / sizeof *tests;                                                   \
        return mg_test_run(mg_test_suite(name, setup, teardown, tests, n), CK_FORK);               \
    }

// The session's diagnostics as the user would read them.
static inline const char *mg_test_diags(MgSession *session) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    return mg_text_str(&out);
}

#endif
