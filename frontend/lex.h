// Decodes the text of a token: a name, a string or a number. Each function returns the token's
// kind, which is INVALID after a diagnostic.
#ifndef MG_FRONTEND_LEX_H
#define MG_FRONTEND_LEX_H

#include "frontend/parse.h"

int mg_lex_word(MgParser *p, MgSpan span, MgAstName *name);
int mg_lex_path(MgParser *p, MgSpan span, MgAstName *name);
int mg_lex_quoted(MgParser *p, MgSpan span, MgAstName *name);
int mg_lex_string(MgParser *p, MgSpan span, MgAstName *text);
int mg_lex_int(MgParser *p, MgSpan span, uint64_t *value);
int mg_lex_float(MgParser *p, MgSpan span, double *value, MgSym *spelling);
int mg_lex_bad(MgParser *p, MgSpan span, MgDiagId message);
int mg_lex_stray(MgParser *p, MgSpan span);
void mg_lex_comment(MgParser *p, MgSpan span);

#endif
