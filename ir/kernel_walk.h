// Visits and maps a kernel's statements and expressions. A visit sees each before what is inside
// it.
#ifndef MG_IR_KERNEL_WALK_H
#define MG_IR_KERNEL_WALK_H

#include "ir/kernel.h"

// What a walk asks. It ends at the first answer of true. A function that always answers false sees
// everything.
typedef struct MgKAsk {
    bool (*statement)(void *ctx, const MgKs *s); // NULL: no statement is asked
    bool (*node)(void *ctx, const MgKx *x);      // NULL: expressions are left out
    void *ctx;
} MgKAsk;

// Is an answer true, for a node of x; for s and what it has inside; for a statement of the block?
// The expressions of a call are left out: their meaning is the callee's.
bool mg_kx_any(const MgKx *x, const MgKAsk *ask);
bool mg_ks_any(const MgKs *s, const MgKAsk *ask);
bool mg_kblock_any(const MgKBlock *b, const MgKAsk *ask);

// Replaces each own expression of s by f of it; what s has inside stays.
typedef const MgKx *MgKxMap(void *ctx, const MgKx *x);
void mg_ks_map(MgKs *s, MgKxMap *f, void *ctx);
// A copy of x whose operands are f of x's.
MgKx *mg_kx_map(MgArena *arena, const MgKx *x, MgKxMap *f, void *ctx);

#endif
