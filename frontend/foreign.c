// Words of other frameworks and languages.
#include "frontend/foreign.h"

#include <string.h>
#include <strings.h>

const MgForeign mg_foreign_words[] = {
#define MG_FOREIGN(kind, word, meant) {MG_FOREIGN_##kind, word, meant},
#include "lang/foreign.def"
#undef MG_FOREIGN
    {0}};

const char *mg_foreign(MgForeignKind kind, const char *word) {
    for (const MgForeign *f = mg_foreign_words; f->word; f++)
        if (f->kind == kind && !(kind == MG_FOREIGN_OPERATOR ? strcasecmp : strcmp)(f->word, word))
            return f->meant;
    return NULL;
}

bool mg_foreign_is_advice(const char *meant) {
    return strchr(meant, ' ') != NULL;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Does the text, which starts at `begin`, have the row's characters around `at`?
static bool stands_at(const char *row, const char *begin, const char *at) {
    size_t n = strlen(row);
    if (is_letter(row[0]))
        return !strncmp(at, row, n) && !is_letter(at[n]);
    for (size_t back = 0; back < n && back <= (size_t)(at - begin); back++)
        if (!strncmp(at - back, row, n))
            return true;
    return false;
}

const char *mg_foreign_syntax(const char *begin, const char *at) {
    const MgForeign *best = NULL;
    for (const MgForeign *f = mg_foreign_words; f->word; f++)
        if (f->kind == MG_FOREIGN_SYNTAX && stands_at(f->word, begin, at) &&
            (!best || strlen(f->word) > strlen(best->word)))
            best = f;
    return best ? best->meant : NULL;
}
