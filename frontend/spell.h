// How names and strings are written so that they read back: backticks and escapes where needed.
#ifndef MG_FRONTEND_SPELL_H
#define MG_FRONTEND_SPELL_H

#include "support/map.h"
#include "support/text.h"

typedef enum MgSpell {
    MG_SPELL_PATH = 1,    // a dotted path may stand here
    MG_SPELL_REDUCER = 2, // so may a reducer's name (sum, max)
    MG_SPELL_WORD = 4,    // so may any word of the language (attributes)
    MG_SPELL_IDENT = 8,   // not even the words that are not reserved
} MgSpell;

// Adds a name. With MG_SPELL_PATH it is right wherever a value's or an item's name may stand.
void mg_spell_name(const MgNames *names, MgSym name, unsigned where, MgText *out);
// Adds a string in quotes, escaped.
void mg_spell_string(const char *text, MgText *out);

#endif
