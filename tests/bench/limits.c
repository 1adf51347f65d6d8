// Prints the machine's limits as mgc probe measures them, one JSON line each. Other measurements
// are judged by them.
#include "tools/probe.h"

#include <stdio.h>

static void report(const char *name, uint32_t threads, double value, const char *unit) {
    printf("{\"name\": \"%s\", \"threads\": %u, \"mg\": %.4g, \"unit\": \"%s\"}\n", name, threads,
           value, unit);
}

int main(void) {
    MgcLimits l = {0};
    if (!mgc_limits_cpu(&l)) {
        fputs("limits: the machine can't be probed\n", stderr);
        return 1;
    }
    report("fma_peak", 1, l.fma * 1e-9, "GFLOP/s");
    report("fma_peak", l.workers, l.fma_all * 1e-9, "GFLOP/s");
    report("copy", l.workers, l.copy_all * 1e-9, "GB/s");
    report("call", 1, l.overhead * 1e9, "ns");
    report("barrier", l.workers, l.barrier * 1e9, "ns");
    report("spread", l.workers, l.spread, "");
    return 0;
}
