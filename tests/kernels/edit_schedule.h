// Random edits of a schedule's text: other numbers, loops, places and orders of lines, as a person
// may make them, right or wrong.
#ifndef MG_TESTS_KERNELS_EDIT_SCHEDULE_H
#define MG_TESTS_KERNELS_EDIT_SCHEDULE_H

#include "support/text.h"

// Returns the text after a few edits of one of its schedules, which the seed decides. It lives in
// the arena.
const char *mg_edit_schedule(MgArena *arena, const char *text, uint64_t seed);

#endif
