// Messages about unknown names, with a guess at what was meant.
#ifndef MG_FRONTEND_SEMA_SUGGEST_H
#define MG_FRONTEND_SEMA_SUGGEST_H

#include "frontend/foreign.h"
#include "frontend/sema_eq.h"

// "; did you mean 'x'?", or "" if no candidate is close enough.
const char *mg_suggest(MgSema *s, MgSym name, const MgSym *candidates, size_t n);
// The same, but the MG name for a word of another framework has priority.
const char *mg_suggest_foreign(MgSema *s, MgForeignKind kind, MgSym name, const MgSym *candidates,
                               size_t n);

// Does the name occur in text that a syntax error left out? If so, something that seems to be
// missing may be there.
bool mg_was_skipped(MgEnv *env, MgSym name);
// Could the definition of a result, in the body at span, be in such text?
bool mg_definition_was_skipped(MgEnv *env, MgSym result, MgSpan span);
// Did a syntax error leave out a part of the span?
bool mg_has_skipped(const MgEnv *env, MgSpan span);
// Does the span begin in such text? Then it was read only in part.
bool mg_in_skipped(const MgEnv *env, MgSpan span);

// Report an unknown name, unless the error that caused it has been reported.
void mg_unknown_op(MgCtx *c, const MgAstName *name, bool layer);
void mg_unknown_value(MgCtx *c, MgSym name, MgSpan span);

#endif
