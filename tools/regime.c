// Under which roof a kernel stands: the roofline model (Williams, Waterman, Patterson, CACM 52,
// 2009), with a bandwidth for each level of memory and the time that a launch costs by itself.
#include "tools/probe.h"

// By the level that the kernel's bytes fit in.
static double bandwidth_for(const MgcLimits *l, uint32_t workers, double bytes) {
    for (uint32_t i = 0; i + 1 < l->n_levels; i++)
        if (bytes <= (double)l->levels[i].capacity * workers)
            return l->levels[i].copy * workers;
    const MgcLevel *memory = &l->levels[l->n_levels - 1];
    return workers > 1 || !memory->copy ? l->copy_all : memory->copy;
}

MgcRegime mgc_regime(const MgcLimits *l, uint32_t workers, double flops, double bytes,
                     double seconds) {
    double peak = workers >= l->workers ? l->fma_all : l->fma * workers;
    double rate = l->n_levels ? bandwidth_for(l, workers, bytes) : l->copy_all;
    double compute = peak > 0 ? flops / peak : 0, memory = rate > 0 ? bytes / rate : 0;
    double overhead = workers > 1 && l->barrier > 0 ? l->barrier : l->overhead;
    double floor = compute > memory ? compute : memory;
    const char *name = floor < overhead && seconds < 4 * overhead ? "overhead"
                       : compute >= memory                        ? "compute"
                                                                  : "memory";
    return (MgcRegime){name, seconds > 0 ? floor / seconds : 0, floor};
}
