// What the standard library offers: every operator and layer with its signature, its description
// and an example. Everything is read from the library's own text, so no second list is kept.
#ifndef MG_FRONTEND_CATALOG_H
#define MG_FRONTEND_CATALOG_H

#include "frontend/ast.h"

typedef struct MgCatalogEntry {
    const char *file; // "activation" for lang/std/activation.mg
    const MgAstItem *item;
    const char *name; // as a program writes it: relu, nn.linear
    const char *signature, *description;
} MgCatalogEntry;

typedef struct MgCatalog {
    MG_VEC(MgCatalogEntry) entries; // in the order of the files and of their text
    MgMap by_name;                  // symbol of the full name -> index
} MgCatalog;

// In the session's arena: a catalog, and its items' text as sources of the session.
MgCatalog *mg_catalog(MgSession *session);
// NULL if the library has no item of this name. `nn` is the one file whose names need its own.
const MgCatalogEntry *mg_catalog_find(const MgCatalog *catalog, MgSym name);

// Of any item: the text from its first word to where its body begins, without the body.
const char *mg_item_signature(MgSession *session, const MgAstItem *item);
// The comment lines right above it, without their slashes, joined by line ends; "" without any.
const char *mg_item_description(MgSession *session, const MgAstItem *item);

#endif
