// Decoding tokens: the words of the language, quoted names, strings and numbers.
#include "frontend/lex.h"

#include "frontend/foreign.h"
#include "ir/words.h"

#include <stdlib.h>

#include "frontend/parser.h"

static const int tokens[] = {
// Parallel to mg_words.
#define MG_WORD(token, spelling, reserved) MG_TOK_##token,
#include "lang/words.def"
#undef MG_WORD
};

static const char *text_of(const MgParser *p, MgSpan span, size_t *length) {
    *length = span.end - span.begin;
    return p->text->text + span.begin;
}

static MgSym symbol(MgParser *p, MgSpan span) {
    return mg_sym_n(p->session->names, p->text->text + span.begin, span.end - span.begin);
}

int mg_lex_word(MgParser *p, MgSpan span, MgAstName *name) {
    size_t length;
    const char *text = text_of(p, span, &length);
    *name = (MgAstName){symbol(p, span), span};
    if (mg_is_reducer(text, length))
        return MG_TOK_REDUCER;
    const MgWord *word = mg_word_find(text, length);
    return word ? tokens[word - mg_words] : MG_TOK_IDENT;
}

int mg_lex_path(MgParser *p, MgSpan span, MgAstName *name) {
    *name = (MgAstName){symbol(p, span), span};
    return MG_TOK_PATH;
}

int mg_lex_quoted(MgParser *p, MgSpan span, MgAstName *name) {
    MgSpan inner = {span.source, span.begin + 1, span.end - 1};
    *name = (MgAstName){symbol(p, inner), span};
    return MG_TOK_IDENT;
}

// After an error the lexer skips the rest of the line and reports none of its characters.
static bool is_skipped(const MgParser *p, MgSpan span) {
    for (uint32_t i = p->last.span.end; i < span.begin; i++)
        if (p->text->text[i] == '\n')
            return false;
    return p->recovering;
}

int mg_lex_bad(MgParser *p, MgSpan span, MgDiagId message) {
    mg_diag(p->session, span, message);
    return MG_TOK_INVALID;
}

int mg_lex_stray(MgParser *p, MgSpan span) {
    const char *at = p->text->text + span.begin;
    const char *advice = mg_foreign_syntax(p->text->text, at);
    if (!is_skipped(p, span))
        mg_diag(p->session, span, MG_D_syntax_character, (int)(span.end - span.begin), at,
                advice ? mg_arena_printf(p->arena, "; %s", advice) : "");
    return MG_TOK_INVALID;
}

void mg_lex_comment(MgParser *p, MgSpan span) {
    while (span.end > span.begin && strchr(" \t\r", p->text->text[span.end - 1]))
        span.end--;
    mg_push(p->arena, &p->file->comments, span);
}

// ---------------------------------------------------------------- strings

static void add_utf8(MgText *out, uint32_t c) {
    char b[4];
    if (c < 0x80) {
        b[0] = (char)c;
        mg_text_add_n(out, b, 1);
    } else if (c < 0x800) {
        b[0] = (char)(0xc0 | c >> 6), b[1] = (char)(0x80 | (c & 0x3f));
        mg_text_add_n(out, b, 2);
    } else if (c < 0x10000) {
        b[0] = (char)(0xe0 | c >> 12), b[1] = (char)(0x80 | (c >> 6 & 0x3f));
        b[2] = (char)(0x80 | (c & 0x3f));
        mg_text_add_n(out, b, 3);
    } else {
        b[0] = (char)(0xf0 | c >> 18), b[1] = (char)(0x80 | (c >> 12 & 0x3f));
        b[2] = (char)(0x80 | (c >> 6 & 0x3f)), b[3] = (char)(0x80 | (c & 0x3f));
        mg_text_add_n(out, b, 4);
    }
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Decodes `u{1F600}` after a backslash. Returns the length of the escape, or 0 if it names no
// character.
static size_t unicode_escape(const char *at, const char *end, MgText *out) {
    uint32_t code = 0;
    size_t i = 2;
    if (end - at < 4 || at[0] != 'u' || at[1] != '{')
        return 0;
    for (; at + i < end && hex_digit(at[i]) >= 0 && i < 8; i++)
        code = code * 16 + (uint32_t)hex_digit(at[i]);
    if (i == 2 || at + i >= end || at[i] != '}')
        return 0;
    if (!code || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    add_utf8(out, code);
    return i + 1;
}

int mg_lex_string(MgParser *p, MgSpan span, MgAstName *name) {
    static const char escapes[] = "n\nt\tr\r\"\"\\\\";
    const char *text = p->text->text, *end = text + span.end - 1;
    MgText out = mg_text(p->arena);
    for (const char *c = text + span.begin + 1; c < end; c++) {
        if (*c != '\\') {
            mg_text_add_n(&out, c, 1);
            continue;
        }
        const char *e = escapes;
        while (*e && *e != c[1])
            e += 2;
        size_t n = 1;
        if (*e)
            mg_text_add_n(&out, e + 1, 1);
        else
            n = unicode_escape(c + 1, end, &out);
        if (!n) {
            uint32_t at = (uint32_t)(c - text);
            mg_diag(p->session, (MgSpan){span.source, at, at + 2}, MG_D_syntax_escape, c[1]);
            n = 1;
        }
        c += n;
    }
    *name = (MgAstName){mg_sym_n(p->session->names, out.bytes.at, out.bytes.len), span};
    return MG_TOK_STRING;
}

// ---------------------------------------------------------------- numbers

int mg_lex_int(MgParser *p, MgSpan span, uint64_t *value) {
    size_t length, i = 0;
    const char *text = text_of(p, span, &length);
    unsigned base = length > 1 && (text[1] | 32) == 'x' ? 16 : 10;
    *value = 0;
    for (i = base == 16 ? 2 : 0; i < length; i++)
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, (uint64_t)hex_digit(text[i]), value)) {
            mg_diag(p->session, span, MG_D_syntax_int_range);
            *value = 0;
            break;
        }
    return MG_TOK_INT;
}

int mg_lex_float(MgParser *p, MgSpan span, double *value, MgSym *spelling) {
    *spelling = symbol(p, span);
    *value = strtod_l(mg_name(p->session->names, *spelling), NULL, p->c_locale);
    if (*value > 1.7976931348623157e308) {
        mg_diag(p->session, span, MG_D_syntax_float_range);
        *value = 0;
    }
    return MG_TOK_FLOAT;
}
