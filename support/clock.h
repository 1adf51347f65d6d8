// The clock that times runs, passes, benchmarks and tools.
#ifndef MG_SUPPORT_CLOCK_H
#define MG_SUPPORT_CLOCK_H

#include <stdint.h>

uint64_t mg_now_ns(void);    // monotonic, from an arbitrary zero
double mg_now_seconds(void); // the same

#endif
