#include "support/clock.h"

#include <time.h>

uint64_t mg_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double mg_now_seconds(void) {
    return (double)mg_now_ns() * 1e-9;
}
