// Facts about the integers of a kernel for a GPU: their range, and a divisor. They are proved from
// constants, loop bounds and facts about earlier variables, in the order of the statements.
//
// An index whose every step fits in 32 bits is computed in them, because a GPU needs several
// instructions for 64 bits. A vector whose index is a multiple of its width is accessed whole,
// because a device splits an access of unknown alignment.
#ifndef MG_IR_KERNEL_FACTS_H
#define MG_IR_KERNEL_FACTS_H

#include "ir/kernel.h"

typedef struct MgKFact { // about a variable
    bool counts;         // it is a loop counter, a scalar, or computed only from these
    bool narrow;         // it is computed in 32 bits
    bool bounded;        // low and high are known
    int64_t low, high;   // inclusive
    int64_t divisor;     // divides every value; 0: all are 0
} MgKFact;

typedef struct MgKFacts {
    const MgKernel *k;
    MgKFact *of; // by variable
} MgKFacts;

// What is known before the first statement. It is allocated in the arena.
MgKFacts mg_kfacts(MgArena *arena, const MgKernel *k);
// Records facts about the variable of a LET or loop whose text comes next.
void mg_kfacts_let(MgKFacts *f, const MgKs *s);
void mg_kfacts_loop(MgKFacts *f, const MgKs *s);
// Is x a sum or product of counters, scalars and constants? Then it is an address and can't
// overflow.
bool mg_kfacts_counts(const MgKFacts *f, const MgKx *x);
// Is x, an i64, computed in 32 bits?
bool mg_kfacts_narrow(const MgKFacts *f, const MgKx *x);
// Does a vector of that many lanes at index start at a multiple of its own size?
bool mg_kfacts_aligned(const MgKFacts *f, MgKBufId buf, const MgKx *index, uint32_t lanes);

#endif
