// Visits and maps a kernel's statements and expressions, parents before children.
#ifndef MG_IR_KERNEL_WALK_H
#define MG_IR_KERNEL_WALK_H

#include "ir/kernel.h"

// The questions of a walk. The walk ends at the first answer of true. A function that always
// answers false sees everything.
typedef struct MgKAsk {
    bool (*statement)(void *ctx, const MgKs *s); // NULL: skips statements
    bool (*node)(void *ctx, const MgKx *x);      // NULL: skips expressions
    void *ctx;
} MgKAsk;

// Is an answer true for a node of x; for s or anything inside it; for a statement of the block? The
// expressions of a call are skipped, since their meaning is the callee's.
bool mg_kx_any(const MgKx *x, const MgKAsk *ask);
bool mg_ks_any(const MgKs *s, const MgKAsk *ask);
bool mg_kblock_any(const MgKBlock *b, const MgKAsk *ask);

// Replaces each of the statement's own expressions x by f(x). What is inside s stays.
typedef const MgKx *MgKxMap(void *ctx, const MgKx *x);
void mg_ks_map(MgKs *s, MgKxMap *f, void *ctx);
// A copy of x with f applied to its operands.
MgKx *mg_kx_map(MgArena *arena, const MgKx *x, MgKxMap *f, void *ctx);

#endif
