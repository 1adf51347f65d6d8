// The words of the language, which names must not be without quotes. Printers and the front end's
// lexer use them.
#ifndef MG_IR_WORDS_H
#define MG_IR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct MgWord {
    const char *text;
    bool reserved;
} MgWord;
extern const MgWord mg_words[]; // in the order of lang/words.def; ends with a NULL text
const MgWord *mg_word_find(const char *text, size_t length); // NULL: an ordinary identifier
bool mg_is_reducer(const char *text, size_t length);
extern const char *const mg_reducer_names[]; // ends with NULL

#endif
