// Finds the roof of a kernel by the roofline model (Williams, Waterman, Patterson, CACM 52, 2009),
// with a bandwidth for each level of memory and the fixed cost of a launch.
#include "tools/probe.h"

#include <math.h>
#include <string.h>

const MgcWord mgc_bounds[MGC_N_BOUNDS] = {
    [MGC_COMPUTE] = {"compute", "the rate of f32 fused multiply-add"},
    [MGC_MEMORY] = {"memory", "the bandwidth of the level of memory that its bytes fit in"},
    [MGC_OVERHEAD] = {"overhead", "the fixed cost of a call, a launch or a barrier"}};

static bool is_name(const char *name, size_t room) {
    const char *end = memchr(name, 0, room);
    return end && end > name;
}

static bool all_rates(const double *x, size_t n) {
    bool all = true;
    for (size_t i = 0; i < n; i++)
        all &= isfinite(x[i]) && x[i] >= 0;
    return all;
}

bool mgc_limits_read(const void *bytes, size_t length, MgcLimits *l) {
    if (length != sizeof *l)
        return false;
    memcpy(l, bytes, length);
    const double own[] = {l->fma, l->fma_all, l->copy_all, l->overhead, l->barrier, l->spread};
    bool sound = l->version == MGC_LIMITS_VERSION && is_name(l->machine, sizeof l->machine) &&
                 l->workers && all_rates(own, sizeof own / sizeof *own) && l->n_levels &&
                 l->n_levels <= MGC_LEVELS;
    for (uint32_t i = 0; sound && i < l->n_levels; i++) {
        const MgcLevel *v = &l->levels[i];
        sound = is_name(v->name, sizeof v->name) &&
                all_rates((double[]){v->read, v->write, v->copy, v->latency}, 4);
    }
    return sound;
}

void mgc_limits_figures(const MgcLimits *l, const char *from, MgMachine *m) {
    mg_machine_set(m, MG_FIG_products, l->fma / 2e9, from);
    for (uint32_t i = 0; i < l->n_levels; i++) {
        const MgcLevel *v = &l->levels[i];
        bool last = !strcmp(v->name, "L3"), memory = i > 0 && i + 1 == l->n_levels;
        if ((last || memory) && v->read > 0)
            mg_machine_set(m, last ? MG_FIG_last_byte : MG_FIG_memory_byte, 1e9 / v->read, from);
    }
    if (l->barrier > 0)
        mg_machine_set(m, MG_FIG_barrier, l->barrier * 1e9, from);
}

uint32_t mgc_roofs(const MgcLimits *l, uint32_t workers, MgcRoof roofs[MGC_LEVELS]) {
    uint32_t n = l->n_levels ? l->n_levels : 1;
    for (uint32_t i = 0; i + 1 < n; i++)
        roofs[i] = (MgcRoof){l->levels[i].name, (double)l->levels[i].capacity * workers,
                             l->levels[i].copy * workers};
    double alone = l->n_levels ? l->levels[n - 1].copy : 0;
    roofs[n - 1] =
        (MgcRoof){mgc_bounds[MGC_MEMORY].name, 0, workers > 1 || alone <= 0 ? l->copy_all : alone};
    return n;
}

double mgc_peak(const MgcLimits *l, uint32_t workers) {
    return workers >= l->workers ? l->fma_all : l->fma * workers;
}

// The level of memory that holds the kernel's bytes.
static MgcRoof roof_for(const MgcLimits *l, uint32_t workers, double bytes) {
    MgcRoof roofs[MGC_LEVELS];
    uint32_t n = mgc_roofs(l, workers, roofs), i = 0;
    while (i + 1 < n && bytes > roofs[i].capacity)
        i++;
    return roofs[i];
}

MgcRegime mgc_regime(const MgcLimits *l, uint32_t workers, double flops, double bytes,
                     double seconds) {
    double peak = mgc_peak(l, workers);
    MgcRoof roof = roof_for(l, workers, bytes);
    double compute = peak > 0 ? flops / peak : 0, memory = roof.rate > 0 ? bytes / roof.rate : 0;
    double overhead = workers > 1 && l->barrier > 0 && !l->met ? l->barrier : l->overhead;
    double floor = compute > memory ? compute : memory;
    MgcBound nearest = compute >= memory ? MGC_COMPUTE : MGC_MEMORY;
    MgcBound bound = floor < overhead && seconds < 4 * overhead ? MGC_OVERHEAD : nearest;
    return (MgcRegime){mgc_bounds[bound].name,
                       nearest == MGC_COMPUTE ? mgc_bounds[MGC_COMPUTE].name : roof.name,
                       seconds > 0 ? floor / seconds : 0, floor};
}
