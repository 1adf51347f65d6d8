// Timing. A run stores its core's counter before and after every kernel. Afterwards the counters
// are scaled to nanoseconds and passed to the hook. So measuring costs a run two counter reads per
// kernel, and no call.
#include "runtime/instance.h"

// The counter that compiled code reads (backends/cpu/emit_plan.c).
uint64_t mg_now_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return mg_now_ns();
#endif
}

// Did a worker before w run the site? Each of them reports the cost of all workers.
static bool told_before(const MgInstance *i, uint32_t w, uint32_t site) {
    uint32_t n = i->variant->image->n_sites;
    while (w--)
        if (i->ticks[2 * ((size_t)w * n + site) + 1])
            return true;
    return false;
}

void mg_instance_report(MgInstance *i, uint64_t begin, uint64_t end) {
    MgTiming call = {.kind = MG_TIMING_CALL,
                     .name = mg_model_graph(i->model),
                     .schedule = "",
                     .place = "",
                     .begin = begin,
                     .end = end,
                     .faster = 1};
    if (i->ticks) {
        const MgImage *image = i->variant->image;
        uint64_t ticks = mg_now_ticks() - i->clock_ticks;
        double scale = ticks ? (double)(mg_now_ns() - i->clock_ns) / (double)ticks : 1;
        for (uint32_t w = 0; w < i->workers; w++)
            for (uint32_t s = 0; s < image->n_sites; s++) {
                const uint64_t *at = &i->ticks[2 * ((size_t)w * image->n_sites + s)];
                if (!at[1])
                    continue; // not reached: another branch, or an empty loop
                MgTiming kernel = {
                    .kind = MG_TIMING_KERNEL,
                    .name = image->sites[s].name,
                    .schedule = image->sites[s].kind,
                    .place = image->sites[s].place,
                    .site = s,
                    .worker = w,
                    .begin = i->clock_ns + (uint64_t)((double)(at[0] - i->clock_ticks) * scale),
                    .end = i->clock_ns + (uint64_t)((double)(at[1] - i->clock_ticks) * scale),
                    .flops = i->costs[2 * s],
                    .bytes = i->costs[2 * s + 1],
                    .faster = image->sites[s].faster};
                i->hook(i->hook_user, &kernel);
                if (!told_before(i, w, s)) {
                    call.flops += kernel.flops;
                    call.bytes += kernel.bytes;
                }
            }
    }
    i->hook(i->hook_user, &call);
}
