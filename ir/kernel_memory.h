// Memory of the kernel interpreter: every access checked against bounds, and shadowed.
#ifndef MG_IR_KERNEL_MEMORY_H
#define MG_IR_KERNEL_MEMORY_H

#include "ir/kernel.h"

typedef struct MgKMemory MgKMemory;

// Buffers of k for `workers` workers; counts[i] elements for those that the kernel allocates.
MgKMemory *mg_kmemory_new(MgArena *arena, const MgKernel *k, const MgKBufferArg *params,
                          const int64_t *counts, uint32_t workers);
// Accesses scalar element `index` (a vector element is `lanes` scalars, index counts scalars) by a
// worker. NULL if it went well, else what is wrong, in the arena.
const char *mg_kmemory_read(MgKMemory *m, MgKBufId buf, uint32_t worker, int64_t index,
                            MgBits *bits);
const char *mg_kmemory_write(MgKMemory *m, MgKBufId buf, uint32_t worker, int64_t index,
                             MgBits bits);
// All workers have met: what follows is ordered after what was before.
void mg_kmemory_barrier(MgKMemory *m);

#endif
