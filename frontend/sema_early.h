// Integers that follow from the tree alone: attributes as a call gives them, indices of
// compile-time loops, and what is computed from both. Nothing is instantiated or reported.
#ifndef MG_FRONTEND_SEMA_EARLY_H
#define MG_FRONTEND_SEMA_EARLY_H

#include "frontend/sema_internal.h"

typedef enum MgEarlyKind { MG_EARLY_UNKNOWN, MG_EARLY_INT, MG_EARLY_LIST } MgEarlyKind;

typedef struct MgEarly MgEarly;
struct MgEarly {
    MgEarlyKind kind;
    int64_t n;         // the integer, a bool as 0 or 1, or the length of the list
    const MgEarly *at; // the elements of a list; NULL if there are more than a few
};

// The names of one body.
typedef struct MgEarlyNames {
    MgSema *s;
    const MgAstItem *item;
    MgMap values;   // name -> MgEarly *
    MgMap bindings; // name -> number of statements of the body that bind it
} MgEarlyNames;

MgEarlyNames mg_early_names(MgSema *s, const MgAstItem *item);
// Gives the name this value from here on. Ignored if the body's statements may change it.
void mg_early_set(MgEarlyNames *names, MgSym name, MgEarly value);
// The same for a name that a statement binds. Ignored if another statement binds it, too.
void mg_early_bind(MgEarlyNames *names, MgSym name, MgEarly value);
MgEarly mg_early(const MgEarlyNames *names, const MgAstExpr *e);
bool mg_early_same(const MgEarly *a, const MgEarly *b);
uint64_t mg_early_hash(const MgEarly *value, uint64_t seed);
// The values of the callee's parameters, in order: from the call's attributes, or the defaults.
MgEarly *mg_early_arguments(const MgEarlyNames *names, const MgAstExpr *call,
                            const MgAstItem *callee);

#endif
