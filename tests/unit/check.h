// What every unit test starts from: Check, a session, and main.
//
//   START_TEST(adds) { ck_assert_int_eq(1 + 1, 2); } END_TEST
//   MG_TEST_MAIN("support", adds, subtracts)
#ifndef MG_TESTS_UNIT_CHECK_H
#define MG_TESTS_UNIT_CHECK_H

#include <check.h>
#include <stdlib.h>

#include "support/diag.h"

// Runs the tests; the exit status is 0 if none failed.
static inline int mg_test_main(const char *name, const TTest *const *tests, size_t n) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < n; i++) {
        TCase *tests_case = tcase_create(tests[i]->name);
        tcase_set_timeout(tests_case, 60);
        tcase_add_test(tests_case, tests[i]);
        suite_add_tcase(suite, tests_case);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
#define MG_TEST_MAIN(name, ...)                                                                    \
    int main(void) {                                                                               \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return mg_test_main(name, tests, sizeof tests / sizeof *tests);                            \
    }

// The session's diagnostics as the user would read them.
static inline const char *mg_test_diags(MgSession *session) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    return mg_text_str(&out);
}

#endif
