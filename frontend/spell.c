// Writes names and strings so that they read back.
#include "frontend/spell.h"

#include "frontend/parse.h"
#include "ir/words.h"

static bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool word_char(char c) {
    return letter(c) || (c >= '0' && c <= '9');
}

// 1 for an identifier, 2 for a dotted path, 0 for anything else.
static int shape_of(const char *text) {
    int shape = 1;
    if (!letter(text[0]))
        return 0;
    for (const char *c = text; *c; c++) {
        if (*c == '.')
            shape = 2;
        if (!word_char(*c) && (*c != '.' || !word_char(c[1])))
            return 0;
    }
    return shape;
}

static bool plain(const char *text, unsigned where) {
    int shape = shape_of(text);
    if (shape != 1)
        return shape == 2 && (where & MG_SPELL_PATH);
    size_t length = strlen(text);
    if (mg_is_reducer(text, length))
        return where & (MG_SPELL_REDUCER | MG_SPELL_WORD);
    const MgWord *word = mg_word_find(text, length);
    return !word || (where & MG_SPELL_WORD) || (!word->reserved && !(where & MG_SPELL_IDENT));
}

void mg_spell_name(const MgNames *names, MgSym name, unsigned where, MgText *out) {
    const char *text = mg_name(names, name);
    mg_textf(out, plain(text, where) ? "%s" : "`%s`", text);
}

void mg_spell_string(const char *text, MgText *out) {
    mg_text_add(out, "\"");
    for (; *text; text++) {
        static const char known[] = "\nn\tt\rr\"\"\\\\";
        const char *k = known;
        while (*k && *k != *text)
            k += 2;
        if (*k)
            mg_textf(out, "\\%c", k[1]);
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            mg_textf(out, "\\u{%x}", (unsigned)(unsigned char)*text);
        else
            mg_text_add_n(out, text, 1);
    }
    mg_text_add(out, "\"");
}
