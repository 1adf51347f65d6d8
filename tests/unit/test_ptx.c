// Tests how marked instructions in PTX are enabled (backends/opencl/host/ptx.h).
#include "backends/opencl/host/ptx.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static const char marked[] = ".version 9.0\n"
                             ".target sm_90, texmode_independent\n"
                             "\t// begin inline asm\n"
                             "\t//MG: wgmma.fence.sync.aligned;\n"
                             "\t// end inline asm\n"
                             "\t//MG: wgmma.commit_group.sync.aligned;";

START_TEST(marks_are_found) {
    ck_assert(mg_ptx_is_marked(marked, strlen(marked)));
    ck_assert(!mg_ptx_is_marked(marked, 10));
    ck_assert(!mg_ptx_is_marked("//MG:", 5));
    ck_assert(!mg_ptx_is_marked("", 0));
}
END_TEST

START_TEST(marks_go_and_the_target_changes) {
    size_t length = 0;
    char *text =
        mg_ptx_unmarked(marked, sizeof marked, &length); // as drivers return it, with its end
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, ".version 9.0\n"
                           ".target sm_90a, texmode_independent\n"
                           "\t// begin inline asm\n"
                           "\twgmma.fence.sync.aligned;\n"
                           "\t// end inline asm\n"
                           "\twgmma.commit_group.sync.aligned;");
    ck_assert_uint_eq(length, strlen(text));
    free(text);
}
END_TEST

START_TEST(other_targets_are_refused) {
    static const char *const others[] = {"", ".target sm_90", ".target sm_90a\n", ".target sm_80\n",
                                         "\177ELF, no text at all"};
    size_t length;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_ptr_null(mg_ptx_unmarked(others[i], strlen(others[i]), &length));
}
END_TEST

MG_TEST_MAIN("ptx", marks_are_found, marks_go_and_the_target_changes, other_targets_are_refused)
