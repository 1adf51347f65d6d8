// Splits the text of kernels into tokens. Blanks matter in two places: `<>` or `{}` directly after
// a name or a number belongs to it, and a statement begins a line.
#include "ir/kernel_lex.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void mg_k_wrong(MgKLexer *l, MgSpan span, const char *what) {
    if (!l->failed)
        mg_diag(l->session, span, MG_D_kernel_wrong, what);
    l->failed = true;
}

void mg_k_refuse(MgKLexer *l, const char *what) {
    MgSpan span = l->token.span;
    uint32_t length = span.end - span.begin;
    const char *found =
        length ? mg_arena_printf(l->session->arena, "'%.*s'", (int)length, l->text + span.begin)
               : "the end of the file";
    if (!l->failed)
        mg_diag(l->session, span, MG_D_kernel_text, what, found);
    l->failed = true;
}

// Skips blanks and comments.
static void skip(MgKLexer *l) {
    for (;;) {
        char c = l->text[l->at];
        if (c == '/' && l->text[l->at + 1] == '/')
            while (l->at < l->length && l->text[l->at] != '\n')
                l->at++;
        else if (l->at < l->length && (c == ' ' || c == '\n' || c == '\r'))
            l->at++;
        else
            return;
        l->token.spaced = true;
        l->token.first |= c == '\n';
    }
}

// The length of a number: digits, a fraction, an exponent, and letters directly after these.
static uint32_t number_length(const char *text) {
    uint32_t n = 0;
    while (mg_k_digit(text[n]))
        n++;
    if (text[n] == '.' && mg_k_digit(text[n + 1]))
        n++;
    while (mg_k_digit(text[n]) || mg_k_letter(text[n]) ||
           ((text[n] == '-' || text[n] == '+') && text[n - 1] == 'e' && mg_k_digit(text[n + 1])))
        n++;
    return n;
}

static uint32_t sign_length(const char *text) {
    static const char *const pairs[] = {"..", "+=", "==", "!=", "<=", ">="};
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strncmp(text, pairs[i], 2))
            return 2;
    return 1;
}

static uint32_t quoted_length(MgKLexer *l, const char *text) {
    uint32_t n = (uint32_t)strcspn(text + 1, "`\n") + 1;
    if (text[n] != '`' || n == 1)
        mg_k_wrong(l, (MgSpan){l->source, l->at, l->at + n},
                   n == 1 ? "a name has no letter" : "a name lacks its closing `");
    return text[n] == '`' ? n + 1 : n;
}

void mg_k_next(MgKLexer *l) {
    l->token = (MgKToken){.first = l->at == 0};
    skip(l);
    const char *text = l->text + l->at;
    uint32_t n = 0, quote = 0;
    if (l->at >= l->length || l->failed) {
        l->token.kind = MG_K_END;
    } else if ((n = (uint32_t)mg_k_name_length(text))) {
        l->token.kind = MG_K_NAME;
    } else if (mg_k_digit(*text)) {
        l->token.kind = MG_K_NUMBER;
        n = number_length(text);
    } else if (*text == '`') {
        l->token.kind = MG_K_QUOTED;
        n = quoted_length(l, text);
        quote = 1;
    } else {
        l->token.kind = MG_K_SIGN;
        n = sign_length(text);
    }
    l->token.span = (MgSpan){l->source, l->at, l->at + n};
    l->token.text =
        mg_arena_str(l->session->arena, text + quote, n > 2 * quote ? n - 2 * quote : 0);
    l->at += n;
}

void mg_k_lex(MgKLexer *l, MgSession *session, uint32_t source) {
    const MgSource *s = &session->sources.all.at[source];
    *l = (MgKLexer){.session = session, .text = s->text, .source = source, .length = s->length};
    mg_k_next(l);
}

bool mg_k_is(const MgKLexer *l, const char *word) {
    return !l->failed && (l->token.kind == MG_K_NAME || l->token.kind == MG_K_SIGN) &&
           !strcmp(l->token.text, word);
}

bool mg_k_touches(const MgKLexer *l, const char *sign) {
    return !l->token.spaced && mg_k_is(l, sign);
}

bool mg_k_take(MgKLexer *l, const char *word) {
    if (!mg_k_is(l, word))
        return false;
    mg_k_next(l);
    return true;
}

void mg_k_expect(MgKLexer *l, const char *word) {
    if (!mg_k_take(l, word))
        mg_k_refuse(l, mg_arena_printf(l->session->arena, "'%s'", word));
}

int64_t mg_k_integer(MgKLexer *l, int64_t low, int64_t high) {
    bool minus = low < 0 && mg_k_take(l, "-");
    char *end;
    errno = 0;
    long long value = l->token.kind == MG_K_NUMBER ? strtoll(l->token.text, &end, 10) : 0;
    value = minus ? -value : value;
    if (l->failed || l->token.kind != MG_K_NUMBER || *end || errno || value < low || value > high) {
        mg_k_refuse(l, mg_arena_printf(l->session->arena, "a number from %" PRId64 " to %" PRId64,
                                       low, high));
        return low > 1 ? low : 1;
    }
    mg_k_next(l);
    return value;
}

uint32_t mg_k_word_of(MgKLexer *l, const char *const *words, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (l->token.kind == MG_K_NAME && mg_k_take(l, words[i]))
            return i;
    return n;
}
