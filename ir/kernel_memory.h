// The memory of the kernel interpreter. It checks every access against bounds, and keeps shadow
// memory.
#ifndef MG_IR_KERNEL_MEMORY_H
#define MG_IR_KERNEL_MEMORY_H

#include "ir/kernel.h"
#include "ir/kernel_history.h"

typedef struct MgKMemory MgKMemory;

// Makes the buffers of k for `workers` groups of `items` items. A buffer that k allocates has
// counts[i] elements.
MgKMemory *mg_kmemory_new(MgArena *arena, const MgKernel *k, const MgKBufferArg *params,
                          const int64_t *counts, uint32_t workers, uint32_t items);
// Accesses of parameters are checked against the history, too, which records them. `who` makes
// them, or each group (`each`) is a worker. The plan's own stores are not recorded.
void mg_kmemory_watch(MgKMemory *m, MgKHistory *history, bool each, uint32_t who);
typedef struct MgKItem {
    uint32_t group, item; // item: its number in the group
} MgKItem;
// An item accesses scalar `index` of a buffer (a vector element is `lanes` scalars). Returns NULL,
// or a text in the arena that says what is wrong.
const char *mg_kmemory_read(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, MgBits *bits);
const char *mg_kmemory_write(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, MgBits bits);
// The same for a scalar that all groups share, to which `adds` is added; without adding, other
// items may have written it since they met.
const char *mg_kmemory_shared(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, uint32_t adds,
                              MgBits *bits);
// Memory of the group that boxes fill: nobody uses it from EMPTY to LAND, which brings a scalar to
// a slot, nor an item that released the slot, until it is filled again. If another slot or stores
// filled it before, all items must have met since they used it.
const char *mg_kmemory_empty(MgKMemory *m, MgKBufId buf, uint32_t group, int64_t index,
                             uint32_t slot);
const char *mg_kmemory_land(MgKMemory *m, MgKBufId buf, uint32_t group, int64_t index, MgBits bits,
                            uint32_t slot);
// An item has finished with a slot: false if it had before; and a slot was filled again, for all
// items of a group.
bool mg_kmemory_release(MgKMemory *m, MgKItem who, uint32_t slot);
void mg_kmemory_landed(MgKMemory *m, uint32_t group, uint32_t slot);
// All items of a group have met: their later accesses are ordered after their earlier ones.
void mg_kmemory_group_barrier(MgKMemory *m, uint32_t group);
// All workers have met: their later accesses are ordered after their earlier ones.
void mg_kmemory_barrier(MgKMemory *m);

#endif
