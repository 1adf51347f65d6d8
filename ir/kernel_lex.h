// The tokens of the notation of kernels.
#ifndef MG_IR_KERNEL_LEX_H
#define MG_IR_KERNEL_LEX_H

#include "ir/kernel_text.h"

typedef enum MgKTokenKind {
    MG_K_END,    // of the file
    MG_K_NAME,   // a word
    MG_K_QUOTED, // a name in backquotes
    MG_K_NUMBER, // with its type, if it has one
    MG_K_SIGN
} MgKTokenKind;

typedef struct MgKToken {
    MgKTokenKind kind;
    const char *text; // of a quoted name without its backquotes
    bool spaced;      // there are blanks or a new line before it
    bool first;       // it is the first token of its line
    MgSpan span;
} MgKToken;

typedef struct MgKLexer {
    MgSession *session;
    const char *text;
    uint32_t source, at, length;
    MgKToken token; // the next one
    bool failed;    // an error was reported; later errors would only follow from it
} MgKLexer;

void mg_k_lex(MgKLexer *l, MgSession *session, uint32_t source);
void mg_k_next(MgKLexer *l);
// Reports "expected WHAT, found the next token", unless an error was reported.
void mg_k_refuse(MgKLexer *l, const char *what);
// Reports any other error, unless an error was reported.
void mg_k_wrong(MgKLexer *l, MgSpan span, const char *what);
// Is the next token this word or sign?
bool mg_k_is(const MgKLexer *l, const char *word);
// The same, without a blank before it.
bool mg_k_touches(const MgKLexer *l, const char *sign);
// Skips the word if it is next.
bool mg_k_take(MgKLexer *l, const char *word);
void mg_k_expect(MgKLexer *l, const char *word);
// An integer without a type, from low to high.
int64_t mg_k_integer(MgKLexer *l, int64_t low, int64_t high);
// Reads a word of the table. Returns its row, or n if the next token is not in the table.
uint32_t mg_k_word_of(MgKLexer *l, const char *const *words, uint32_t n);

#endif
