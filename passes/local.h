// A pass in three steps: match an expression, make an op, replace the expression. What such a pass
// needs beside its own match is here.
//
// The pass gives a function that is called for every node of every expression, operands first, and
// returns what replaces the node, or the node. It asks mg_local_may before it replaces one.
#ifndef MG_PASSES_LOCAL_H
#define MG_PASSES_LOCAL_H

#include "passes/rewrite.h"

typedef struct MgLocal {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgOpId op;            // whose expression it is
    const MgPiece *piece; // of its equation
    void *ctx;            // the caller's
} MgLocal;

typedef const MgSx *MgLocalFn(MgLocal *local, const MgSx *x);
// Calls f for the equations that are there when it begins, and keeps what it returns. Says whether
// anything changed.
bool mg_each_expression(MgGraph *g, MgPassContext *context, MgLocalFn *f, void *ctx);

// mg_pass_may, at the op at hand.
static inline bool mg_local_may(MgLocal *local) {
    return mg_pass_may(local->context, local->op);
}
// A read of one element that is known to be inside, of whatever subscripts.
static inline bool mg_is_plain_read(const MgSx *x) {
    return x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_PROVED;
}
// Makes, before the op at hand, an op of the shape and type of the value that `read` reads:
// made[i, …] = f(value[i, …]). Its name is the value's with the suffix.
typedef const MgSx *MgElementFn(MgModule *m, const MgSx *element);
MgValueId mg_local_map(MgLocal *local, const MgSx *read, const char *suffix, MgElementFn *f);
// The element of v, which has the shape of what `at` reads, at the same subscripts.
const MgSx *mg_local_read(MgLocal *local, MgValueId v, const MgSx *at);

#endif
