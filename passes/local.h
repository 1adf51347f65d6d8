// Helpers for a pass that matches an expression, makes an op, and replaces the expression. The pass
// adds only its own match.
//
// The pass supplies a function that is called for every node of every expression, operands first.
// It returns the node's replacement, or the node. It must ask mg_local_may before it replaces one.
#ifndef MG_PASSES_LOCAL_H
#define MG_PASSES_LOCAL_H

#include "passes/rewrite.h"

typedef struct MgLocal {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgOpId op;            // the op that has the expression
    const MgPiece *piece; // the piece of the op's equation
    void *ctx;            // the caller's context
} MgLocal;

typedef const MgSx *MgLocalFn(MgLocal *local, const MgSx *x);
// Calls f for the equations that exist at the beginning, and stores the results. Returns whether
// anything changed.
bool mg_each_expression(MgGraph *g, MgPassContext *context, MgLocalFn *f, void *ctx);

// Calls mg_pass_may for the current op.
static inline bool mg_local_may(MgLocal *local) {
    return mg_pass_may(local->context, local->op);
}
// Is it a read, with any subscripts, that is known to be inside?
static inline bool mg_is_plain_read(const MgSx *x) {
    return x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_PROVED;
}
// Makes an op before the current one, with the shape and type of the value that `read` reads:
// made[i, …] = f(value[i, …]). Its name is the value's name with the suffix.
typedef const MgSx *MgElementFn(MgModule *m, const MgSx *element);
MgValueId mg_local_map(MgLocal *local, const MgSx *read, const char *suffix, MgElementFn *f);
// A read of v, which has the shape of the value that `at` reads, with the subscripts of `at`.
const MgSx *mg_local_read(MgLocal *local, MgValueId v, const MgSx *at);

#endif
