// Unknown names: one message, with what was likely meant.
#ifndef MG_FRONTEND_SEMA_SUGGEST_H
#define MG_FRONTEND_SEMA_SUGGEST_H

#include "frontend/foreign.h"
#include "frontend/sema_eq.h"

// "; did you mean 'x'?", or "" if no candidate is near.
const char *mg_suggest(MgSema *s, MgSym name, const MgSym *candidates, size_t n);
// The same; what another framework calls so comes first.
const char *mg_suggest_foreign(MgSema *s, MgForeignKind kind, MgSym name, const MgSym *candidates,
                               size_t n);

// Does the name stand in text that a syntax error left out? Then the tree knows less than the file
// says, and what seems to be missing may be there.
bool mg_was_skipped(MgEnv *env, MgSym name);
// Did a syntax error leave out a part of the span?
bool mg_has_skipped(const MgEnv *env, MgSpan span);

// These report a name, unless an error that caused it has been reported.
void mg_unknown_op(MgCtx *c, const MgAstName *name, bool layer);
void mg_unknown_value(MgCtx *c, MgSym name, MgSpan span);

#endif
