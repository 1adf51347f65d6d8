// Which launches must wait for which. A launch waits for another before it if one of them writes
// memory that the other uses; all others may run side by side.
#ifndef MG_RUNTIME_DEVICE_ORDER_H
#define MG_RUNTIME_DEVICE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MgLaunchUse { // of memory by a launch
    uint64_t begin, end;     // addresses on the device
    uint32_t part_of;        // Parts of one value that begin at different addresses have no element
                             // in common, although their rows alternate. 0: it is no such part.
    bool writes;             // it may always read
} MgLaunchUse;

typedef struct MgLaunchOrder {
    uint32_t *first; // by launch, with one more at the end
    uint32_t *after; // launch i waits for after[first[i]] up to, but excluding, after[first[i + 1]]
} MgLaunchOrder;

// uses: of launch i those from first_use[i] to first_use[i + 1]. What others already wait for is
// left out. False: memory ran out, or there are too many launches. The order is from malloc.
bool mg_order_launches(const MgLaunchUse *uses, const uint32_t *first_use, uint32_t n,
                       MgLaunchOrder *order);
void mg_order_free(MgLaunchOrder *order);

#endif
