// What workers did to memory since they last met, over all calls of a plan in between.
#ifndef MG_IR_KERNEL_HISTORY_H
#define MG_IR_KERNEL_HISTORY_H

#include "support/mem.h"

#include <stdbool.h>

typedef struct MgKHistory MgKHistory;

// Beside workers, counted from 0: whichever worker makes a call alone; and all workers, each of
// which runs the plan itself. Two calls made alone count as made by the same worker. So races
// between the blocks of a run by rows, which workers share out, are not found.
enum { MG_K_ANYONE = 0xfffd, MG_K_EVERYONE };

MgKHistory *mg_khistory_new(MgArena *arena);
// All workers have met: what follows is ordered after what came before.
void mg_khistory_meet(MgKHistory *h);
// `who` reads or writes these bytes. False if another worker has written them, or, for a write,
// has read them, since they met.
bool mg_khistory_access(MgKHistory *h, const void *at, size_t bytes, uint32_t who, bool writes);

#endif
