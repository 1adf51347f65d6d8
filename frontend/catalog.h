// The contents of the standard library: every operator and layer with its signature, its
// description and an example. All of it is read from the library's own text, so there is no second
// list.
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

// Makes a catalog in the session's arena. The items' text becomes sources of the session.
MgCatalog *mg_catalog(MgSession *session);
// NULL if the library has no item of this name. Only names of the file `nn` need their prefix.
const MgCatalogEntry *mg_catalog_find(const MgCatalog *catalog, MgSym name);

// The signature of any item: its text from the first word up to the body.
const char *mg_item_signature(MgSession *session, const MgAstItem *item);
// The comment lines right above the item, without their slashes, joined by line ends; "" if there
// are none.
const char *mg_item_description(MgSession *session, const MgAstItem *item);

#endif
