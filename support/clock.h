// The one clock: what runs, passes, benchmarks and tools took is told by it.
#ifndef MG_SUPPORT_CLOCK_H
#define MG_SUPPORT_CLOCK_H

#include <stdint.h>

uint64_t mg_now_ns(void);    // that never goes back; from an arbitrary beginning
double mg_now_seconds(void); // the same

#endif
