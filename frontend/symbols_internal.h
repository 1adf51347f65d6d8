// The state that the two files of the index share: scopes, and how names enter them.
#ifndef MG_FRONTEND_SYMBOLS_INTERNAL_H
#define MG_FRONTEND_SYMBOLS_INTERNAL_H

#include "frontend/symbols.h"

// A scope in which names are looked up. Statements of a compile-time `for` or `if` bind their names
// in the enclosing body: `binds` is the scope that takes a statement's definitions.
typedef struct MgNameScope {
    uint32_t parent, binds;
    MgSpan span;
} MgNameScope;

// The meaning of an unknown name in a shape or subscript.
typedef enum MgUnknown { MG_UNKNOWN_OUTSIDE, MG_UNKNOWN_DIM, MG_UNKNOWN_INDEX } MgUnknown;

typedef struct MgIndexer {
    MgSession *session;
    MgArena *arena;
    MgSymbols *out;
    MG_VEC(MgNameScope) scopes; // 0 is the file's
    MgMap names;                // scope << 32 | name -> symbol
    uint32_t scope;             // the current one
    uint32_t item;              // the symbol of the current item
    MgSpan whole;               // the statement or parameter being read
} MgIndexer;

uint32_t mg_names_enter(MgIndexer *x, MgSpan span, bool binds); // returns the scope to return to
uint32_t mg_names_lookup(const MgIndexer *x, MgSym name);       // or MG_NO_SYMBOL
// Defines name in the scope that takes definitions (if `inner`, in the current one), or redefines
// it there. Returns the symbol's number.
uint32_t mg_names_define(MgIndexer *x, MgSymbolKind kind, MgAstName name, bool inner);
void mg_names_use(MgIndexer *x, MgAstName name, MgUnknown unknown);
void mg_names_attribute(MgIndexer *x, MgAstName callee, MgAstName attribute);
void mg_names_message(MgIndexer *x, MgAstName text); // the names in its braces

void mg_names_expr(MgIndexer *x, const MgAstExpr *e, MgUnknown unknown);
void mg_names_subs(MgIndexer *x, const MgAstSubs *subs, MgUnknown unknown);
void mg_names_type(MgIndexer *x, const MgAstType *type);
void mg_names_block(MgIndexer *x, const MgAstBlock *block);

#endif
