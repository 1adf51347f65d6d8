// Texts of messages with {formulas} over dimensions, which are filled in when a message is shown.
#ifndef MG_IR_FILL_H
#define MG_IR_FILL_H

#include "support/mem.h"

// Finds the value of the dimension with that name. False if it is not known.
typedef bool (*MgValueOfName)(void *context, const char *name, size_t length, int64_t *value);

// The text, with each {formula} replaced by its number, or by the formula itself if a name in it
// has no value. value_of may be NULL: then no name has one. The result lives in the arena.
const char *mg_fill(MgArena *arena, const char *text, MgValueOfName value_of, void *context);

#endif
