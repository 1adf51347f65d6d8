// Tokens of MLIR's text, and messages about places in it.
#include "frontend/stablehlo/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool in_word(char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '$' || c == '-';
}

static const char *word_end(const char *at) {
    while (in_word(*at) && !(at[0] == '-' && at[1] == '>'))
        at++;
    return at;
}

static const char *string_end(const char *at) { // NULL if it does not end on its line
    for (at++; *at && *at != '"' && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at == '"' ? at + 1 : NULL;
}

static const char *number_end(const char *at) {
    at += *at == '-';
    if (at[0] == '0' && at[1] == 'x') {
        for (at += 2; is_digit(*at) || (*at >= 'a' && *at <= 'f') || (*at >= 'A' && *at <= 'F');)
            at++;
        return at;
    }
    while (is_digit(*at))
        at++;
    if (*at == '.')
        for (at++; is_digit(*at);)
            at++;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '-' || at[1] == '+');
        if (is_digit(*power))
            for (at = power; is_digit(*at);)
                at++;
    }
    return at;
}

static const char *type_end(const char *at) { // after the > of tensor<…>; NULL if there is none
    int depth = 0;
    for (; *at && *at != '\n'; at++) {
        depth += (*at == '<') - (*at == '>' && at[-1] != '-');
        if (*at == '>' && !depth)
            return at + 1;
    }
    return NULL;
}

static MgHloToken token(MgHloTokenKind kind, const char *at, const char *end, bool first) {
    if (!end || end == at)
        return (MgHloToken){MG_HLO_WRONG, at, 1, first};
    return (MgHloToken){kind, at, (uint32_t)(end - at), first};
}

static MgHloToken name_token(const char *at, bool first) { // %, @, #, ^ and words
    if (*at == '@' && at[1] == '"')
        return token(MG_HLO_SYMBOL, at, string_end(at + 1), first);
    const char *end = word_end(at + 1);
    if (*at == '@' || *at == '^')
        return token(*at == '@' ? MG_HLO_SYMBOL : MG_HLO_CARET, at, end, first);
    if (*at == '#')
        return token(MG_HLO_HASH, at, end, first);
    if (end == at + 1)
        return token(MG_HLO_WRONG, at, NULL, first);
    if (*end == '#' && is_digit(end[1]))
        for (end++; is_digit(*end);)
            end++;
    return token(MG_HLO_VALUE, at, end, first);
}

MgHloToken mg_hlo_token(const char *text, const char *at) {
    bool first = at == text;
    for (;; at++)
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n") - 1;
        else if (*at == '\n')
            first = true;
        else if (*at != ' ' && *at != '\t' && *at != '\r')
            break;
    if (!*at)
        return (MgHloToken){MG_HLO_END, at, 0, true};
    if (*at == '"')
        return token(MG_HLO_STRING, at, string_end(at), first);
    if (*at == '%' || *at == '@' || *at == '#' || *at == '^')
        return name_token(at, first);
    if (!strncmp(at, "tensor<", 7))
        return token(MG_HLO_TYPE, at, type_end(at), first);
    if (is_letter(*at))
        return token(MG_HLO_WORD, at, word_end(at), first);
    if (is_digit(*at) || (*at == '-' && is_digit(at[1])))
        return token(MG_HLO_NUMBER, at, number_end(at), first);
    if (at[0] == '-' && at[1] == '>')
        return token(MG_HLO_PUNCT, at, at + 2, first);
    return token(strchr("()[]{}<>,:=?*+|-!", *at) ? MG_HLO_PUNCT : MG_HLO_WRONG, at, at + 1, first);
}

bool mg_hlo_is(const MgHloToken *token, const char *word) {
    return token->length == strlen(word) && !memcmp(token->at, word, token->length);
}

// ---------------------------------------------------------------- messages
static void report(MgHlo *t, const char *at, int id, const char *format, va_list list) {
    char text[512];
    vsnprintf(text, sizeof text, format, list);
    MgHloToken token = mg_hlo_token(t->text, at);
    uint32_t begin = (uint32_t)(token.at - t->text), length = token.length ? token.length : 1;
    if (!t->failed || id == MG_D_stablehlo_unsupported) // one mistake leads to others
        mg_diag(t->session, (MgSpan){t->source, begin, begin + length}, id, text);
    t->failed = true;
}

bool mg_hlo_fail(MgHlo *t, const char *at, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(t, at, MG_D_stablehlo, format, list);
    va_end(list);
    return false;
}

bool mg_hlo_unsupported(MgHlo *t, const char *at, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(t, at, MG_D_stablehlo_unsupported, format, list);
    va_end(list);
    return false;
}
