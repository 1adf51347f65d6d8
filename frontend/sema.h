// From syntax to graph IR: resolves names, types and dimensions, and instantiates every operator
// and layer as equations. The result has no packs, places, optionals, sugar or static control flow.
#ifndef MG_FRONTEND_SEMA_H
#define MG_FRONTEND_SEMA_H

#include "frontend/ast.h"
#include "ir/graph.h"

// An observer of lowering, for editors.
typedef struct MgLowerObserver {
    void *context;
    // The name at `name` has this type: "f32[B, 10]" for a tensor, "12" for a number. A name in the
    // body of an operator or a loop is reported once for each instantiation.
    void (*type)(void *context, MgSpan name, const char *type);
    // Called before each statement. False stops the lowering without a diagnostic.
    bool (*go_on)(void *context);
} MgLowerObserver;

typedef struct MgLowerOptions {
    uint32_t max_unrolled;           // the statements to which a graph may unroll (default 1
                                     // million)
    uint32_t max_depth;              // the nesting of calls (default 200)
    const MgLowerObserver *observer; // NULL: none
    // Where the graph calls ops that state derivatives, it also has the derivatives of its outputs
    // y with respect to its inputs and parameters x, all floats: outputs "back from y to x" and
    // "forward from y to x", along an input "g for y" and towards an input "v for x". Pairs
    // without a derivative are left out.
    bool stated;
} MgLowerOptions;

// Lowers every graph of a parsed file. The library and imports are loaded as needed; import paths
// are relative to the file. All errors are reported. NULL if there was an error or the observer
// stopped the work. options may be NULL.
MgModule *mg_lower_file(MgSession *session, const MgAstFile *file, const MgLowerOptions *options);
// Parses and lowers a file. Path "-" is standard input.
MgModule *mg_load_module(MgSession *session, const char *path);
// The same for a source that the session already holds.
MgModule *mg_load_source(MgSession *session, uint32_t source);
MgModule *mg_load_module_text(MgSession *session, const char *name, const char *text,
                              size_t length);

#endif
