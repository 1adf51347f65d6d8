// A body that grows statement by statement, for a front end that writes MG. After each statement
// the front end can ask for the type of the bound value, so the library's shape rules are its only
// shape inference. The lowered graph is thrown away; only the text counts.
#ifndef MG_FRONTEND_SEMA_SCOPE_H
#define MG_FRONTEND_SEMA_SCOPE_H

#include "frontend/sema.h"

typedef struct MgSemaScope MgSemaScope;

typedef struct MgScopeType {
    MgDType dtype;
    uint32_t rank;
    const MgIx *shape; // in the scope's table
} MgScopeType;

// Opens a scope. header: a file of one graph, whose inputs and clauses the scope has; the graph's
// results are ignored. NULL after diagnostics.
MgSemaScope *mg_scope_open(MgSession *session, const char *header);
// Lowers statements. label: the name of their text in messages. False after diagnostics.
bool mg_scope_add(MgSemaScope *scope, const char *label, const char *statements);
// The last two sizes that the latest statements required to be equal, if each is a name or a number
// and no fact makes them equal. False if there are none.
bool mg_scope_unequal(const MgSemaScope *scope, MgIx *a, MgIx *b);
// False if the statements so far require something that does not hold for these values of
// dimensions. What depends on other dimensions is passed over.
bool mg_scope_allows(const MgSemaScope *scope, MgIxValueFn *value_of, void *context);
// Gives a tensor other sizes from here on. Values computed from it keep theirs, so after that the
// scope serves only to find more errors.
void mg_scope_reshape(MgSemaScope *scope, MgSym name, MgIx *shape);
// Like mg_scope_add, in the outermost scope. Statements at the beginning of the text bind names for
// all scopes.
bool mg_scope_declare(MgSemaScope *scope, const char *label, const char *statements);
// The type of the tensor that name is bound to. False if there is none.
bool mg_scope_type(MgSemaScope *scope, MgSym name, MgScopeType *type);
// Enters an inner scope, which sees the outer scope's names and drops its own when it is left. It
// serves to try the body of a loop or branch before the statement around it is written.
void mg_scope_enter(MgSemaScope *scope);
void mg_scope_leave(MgSemaScope *scope);
// Names the type's dimensions that the graph's data decide, as a type after the value's name would
// declare them. False if each of them has a name already.
bool mg_scope_name_dims(MgSemaScope *scope, const MgScopeType *type);
// Binds name to a loop's counter, in 0..end.
MgIx mg_scope_counter(MgSemaScope *scope, MgSym name, MgIx end);
// Binds name to an unspecified value of this type.
void mg_scope_assume(MgSemaScope *scope, MgSym name, const MgScopeType *type);
// The size to which name is bound. False if there is none.
bool mg_scope_size(MgSemaScope *scope, MgSym name, MgIx *size);
bool mg_scope_is_inner(const MgSemaScope *scope);
bool mg_scope_is_outermost(const MgSemaScope *scope, MgSym name); // is the name bound there?
// Are all its sizes known in this scope?
bool mg_scope_is_outer(const MgSemaScope *scope, MgIx x);
bool mg_scope_is_early(const MgSemaScope *scope,
                       MgIx x); // is it known before the graph runs?
MgIxTable *mg_scope_ix(MgSemaScope *scope);
// Tries to prove x >= 0 from the facts about dimensions in the scope.
MgProof mg_scope_prove(MgSemaScope *scope, MgIx x);
bool mg_scope_binds(MgSemaScope *scope, MgSym name); // is the name taken?
bool mg_scope_has_op(const MgSemaScope *scope,
                     MgSym name); // is it an operator of the library?

#endif
