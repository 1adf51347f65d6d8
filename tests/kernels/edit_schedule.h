// Random edits of a schedule's text, right or wrong, as a person may make them: other numbers,
// loops, places and orders of lines.
#ifndef MG_TESTS_KERNELS_EDIT_SCHEDULE_H
#define MG_TESTS_KERNELS_EDIT_SCHEDULE_H

#include "support/text.h"

// Returns the text after a few edits of one of its schedules, which the seed decides. It lives in
// the arena.
const char *mg_edit_schedule(MgArena *arena, const char *text, uint64_t seed);

#endif
