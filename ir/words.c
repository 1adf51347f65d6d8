// The words of the language and the names of reducers.
#include "ir/words.h"

#include <string.h>

const MgWord mg_words[] = {
#define MG_WORD(token, spelling, reserved) {spelling, reserved},
#include "lang/words.def"
#undef MG_WORD
    {NULL, false}};

const char *const mg_reducer_names[] = {
#define MG_PRIM(...)
#define MG_REDUCER(id, spelling, operands, empty, monoid) spelling,
#include "lang/prims.def"
#undef MG_REDUCER
#undef MG_PRIM
    NULL};

static bool same(const char *word, const char *text, size_t length) {
    return *word == *text && !strncmp(word, text, length) && !word[length];
}

const MgWord *mg_word_find(const char *text, size_t length) {
    for (const MgWord *word = mg_words; word->text; word++)
        if (same(word->text, text, length))
            return word;
    return NULL;
}

bool mg_is_reducer(const char *text, size_t length) {
    for (size_t i = 0; mg_reducer_names[i]; i++)
        if (same(mg_reducer_names[i], text, length))
            return true;
    return false;
}
