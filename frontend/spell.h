// Writes names and strings so that they read back, with backticks and escapes where they are
// needed.
#ifndef MG_FRONTEND_SPELL_H
#define MG_FRONTEND_SPELL_H

#include "support/map.h"
#include "support/text.h"

typedef enum MgSpell {
    MG_SPELL_PATH = 1,    // a dotted path may stand here
    MG_SPELL_REDUCER = 2, // a reducer's name (sum, max) may stand here
    MG_SPELL_WORD = 4,    // any word of the language may stand here (attributes)
    MG_SPELL_IDENT = 8,   // no word of the language may stand here, reserved or not
} MgSpell;

// Adds a name. MG_SPELL_PATH suits every place where the name of a value or an item may stand.
void mg_spell_name(const MgNames *names, MgSym name, unsigned where, MgText *out);
// Adds a string in quotes, escaped.
void mg_spell_string(const char *text, MgText *out);

#endif
