// A body that grows statement by statement, for a front end that writes MG: after each statement it
// can ask for the type of what was bound, so that the library's shape rules are its only shape
// inference. What is lowered here is thrown away; the text is what counts.
#ifndef MG_FRONTEND_SEMA_SCOPE_H
#define MG_FRONTEND_SEMA_SCOPE_H

#include "frontend/sema.h"

typedef struct MgScope MgScope;

typedef struct MgScopeType {
    MgDType dtype;
    uint32_t rank;
    const MgIx *shape; // in the scope's table
} MgScopeType;

// header: a file of one graph, whose inputs and clauses open the scope; its results don't matter.
// NULL after diagnostics.
MgScope *mg_scope_open(MgSession *session, const char *header);
// Lowers statements. label: what messages call their text. False after diagnostics.
bool mg_scope_add(MgScope *scope, const char *label, const char *statements);
// The same in the outermost scope: what statements at the text's beginning bind is known
// everywhere.
bool mg_scope_declare(MgScope *scope, const char *label, const char *statements);
// The tensor that name is bound to; false if there is none.
bool mg_scope_type(MgScope *scope, MgSym name, MgScopeType *type);
// An inner scope sees the outer one's names; what it binds goes with it. To try the body of a loop
// or branch before the statement around it can be written.
void mg_scope_enter(MgScope *scope);
void mg_scope_leave(MgScope *scope);
// Binds the dimensions of the type that the graph's data decide to their names, as a type written
// after the value's name does. False if there is none without a name.
bool mg_scope_name_dims(MgScope *scope, const MgScopeType *type);
// Binds name to a number from 0 on and below `end`, as a loop counts.
MgIx mg_scope_counter(MgScope *scope, MgSym name, MgIx end);
// Binds name to a value of this type, whatever it is.
void mg_scope_assume(MgScope *scope, MgSym name, const MgScopeType *type);
// The size that name is bound to; false if it is bound to none.
bool mg_scope_size(MgScope *scope, MgSym name, MgIx *size);
bool mg_scope_is_inner(const MgScope *scope);
bool mg_scope_is_outermost(const MgScope *scope, MgSym name); // is the name bound there?
bool mg_scope_is_outer(const MgScope *scope, MgIx x); // are all sizes in it known where we are?
bool mg_scope_is_early(const MgScope *scope, MgIx x); // known before the graph runs
MgIxTable *mg_scope_ix(MgScope *scope);
// Is x >= 0, by what the scope knows of its dimensions?
MgProof mg_scope_prove(MgScope *scope, MgIx x);
bool mg_scope_binds(MgScope *scope, MgSym name);        // is the name taken?
bool mg_scope_has_op(const MgScope *scope, MgSym name); // is it one of the library's operators?

#endif
