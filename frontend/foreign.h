// Words of other frameworks and languages, and MG's words for the same things: lang/foreign.def.
#ifndef MG_FRONTEND_FOREIGN_H
#define MG_FRONTEND_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum MgForeignKind {
    MG_FOREIGN_TYPE,
    MG_FOREIGN_ATTRIBUTE,
    MG_FOREIGN_OPERATOR,
    MG_FOREIGN_VALUE,
    MG_FOREIGN_MEMBER,
    MG_FOREIGN_SYNTAX,
    MG_FOREIGN_INFIX,
    MG_FOREIGN_SUBSCRIPT,
    MG_FOREIGN_MODULE,
} MgForeignKind;

typedef struct MgForeign {
    MgForeignKind kind;
    const char *word, *meant;
} MgForeign;
extern const MgForeign mg_foreign_words[]; // ends with a NULL word

// MG's word for `word`, or NULL.
const char *mg_foreign(MgForeignKind kind, const char *word);
// Is the row's text advice, which is printed as it is? Other rows offer a name.
bool mg_foreign_is_advice(const char *meant);
// The advice for the characters or the word at `at`, or NULL. The second `*` of `**` also finds its
// row. The text starts at `begin` and ends with NUL.
const char *mg_foreign_syntax(const char *begin, const char *at);

#endif
