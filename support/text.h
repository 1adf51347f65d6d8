// A growing text buffer in an arena, for printers.
#ifndef MG_SUPPORT_TEXT_H
#define MG_SUPPORT_TEXT_H

#include "support/mem.h"

typedef struct MgText {
    MgArena *arena;
    MG_VEC(char) bytes; // NUL-terminated by mg_text_str
} MgText;

static inline MgText mg_text(MgArena *arena) {
    return (MgText){.arena = arena};
}
void mg_text_add(MgText *text, const char *string);
void mg_text_add_n(MgText *text, const char *string, size_t length);
void mg_textf(MgText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mg_text_add_xml(MgText *text, const char *string); // as text or an attribute of XML
// The text so far, NUL-terminated; lives in the arena, valid until the next addition.
const char *mg_text_str(MgText *text);

// The plural ending of a noun that n counts, as in "%u dimension%s".
static inline const char *mg_plural(uint64_t n) {
    return n == 1 ? "" : "s";
}
// A number with its noun: "1 subscript", "2 subscripts".
const char *mg_counted(MgArena *arena, uint64_t n, const char *noun);
// The units of one quantity, smaller ones first. An empty unit ends them.
typedef struct MgScale {
    double factor;
    const char *name;
} MgScale;
extern const MgScale mg_time_scales[]; // of seconds
// A value, rounded to `digits` digits, in the largest unit that it reaches: "2.5 µs", "32 KiB".
// Large values have no exponent.
const char *mg_scaled(MgArena *arena, const MgScale *scales, double value, int digits);
// A time to three digits, never with an exponent: "12.3 µs", "1.23 ms", "4500 s".
const char *mg_time_text(MgArena *arena, double us);

// The number of characters in UTF-8; each is assumed to be one column wide.
size_t mg_columns(const char *text, size_t length);
// The shortest decimal that reads back as value, always with a point or exponent; or inf, -inf,
// nan.
const char *mg_float_str(MgArena *arena, double value, bool single);

#endif
