// The only model of separate launches. Each launch waits for the host, or else for the previous
// kernel, and takes the time of its work at the share of the peak that small kernels reach. The
// figures were fitted to a chain of 33 products of 32 to 512 rows (docs/log/gpu.md).
#include "passes/schedule/plan/launch_cost.h"
#include "support/text.h"

#include <math.h>
#include <stdarg.h>

// Nested loops may have any number of launches: counts are limited to this one.
static uint32_t launches(double n) {
    const double many = 1e9;
    return (uint32_t)(n < many ? fmax(n, 0) : many);
}

static MgLaunches work_of_op(MgSched *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    const MgMachine *machine = &s->options->target.machine;
    MgCost cost = mg_cost(s->g, id);
    int64_t flops = mg_ix_const_or(s->ix, cost.flops, 0),
            bytes = mg_ix_const_or(s->ix, cost.bytes, 0), elements = 1;
    if (op->n_results)
        elements = mg_ix_const_or(s->ix, mg_value_elements(s->g, op->results[0]), 1);
    double steps = elements > 0 ? (double)flops / 2 / (double)elements : 0;
    double latency = machine->least_kernel + (steps < 2048 ? steps : 2048) * machine->sum_step;
    double peak = machine->unit_products * 2 * machine->small_share * machine->clock *
                  s->options->target.compute_units;
    return (MgLaunches){.work_us = 1e-3 * fmax(latency, fmax((double)flops / peak,
                                                             (double)bytes / machine->memory_rate)),
                        .n = 1};
}

static MgLaunches work_of(MgSched *s, MgRegionId r) {
    const MgRegion *body = mg_region(s->g, r);
    MgLaunches all = {0};
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(s->g, body->ops.at[i]);
        int64_t low = 0, high = 1;
        MgLaunches w = {0};
        if (op->kind == MG_OP_LOOP || op->kind == MG_OP_IF) {
            bool known = op->kind == MG_OP_LOOP && op->loop->counted &&
                         mg_ix_is_const(s->ix, op->loop->low, &low) &&
                         mg_ix_is_const(s->ix, op->loop->high, &high);
            double trips = known ? fmax((double)high - (double)low, 0) : 1;
            w = work_of(s, op->regions[0]);
            w = (MgLaunches){.work_us = w.work_us * trips, .n = launches(w.n * trips)};
        } else if (op->kind == MG_OP_EQUATION || op->kind == MG_OP_FUSED ||
                   op->kind == MG_OP_BUILTIN || op->kind == MG_OP_DIM) {
            w = work_of_op(s, body->ops.at[i]);
        }
        all.work_us += w.work_us;
        all.n = launches((double)all.n + w.n);
    }
    return all;
}

void mg_say_launch(MgSched *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *line = mg_arena_vprintf(s->arena, format, args);
    va_end(args);
    const char *before = s->p->launch_why ? s->p->launch_why : "";
    s->p->launch_why = mg_arena_printf(s->arena, "%s%s\n", before, line);
}

const char *mg_launches_misfit(const MgSched *s) {
    const MgMachine *machine = &s->options->target.machine;
    return s->launch.separate.n < machine->least_launches ? "not taken: there is little to save"
           : s->options->target.warp < machine->least_step
               ? "not taken: the device runs few items in step"
               : NULL;
}

void mg_launches_estimate(MgSched *s) {
    if (!s->options->target.gpu)
        return;
    MgLaunches l = work_of(s, 0);
    l.us = fmax(l.work_us + l.n * s->options->target.machine.after_kernel * 1e-3,
                l.n * s->options->target.launch_ns * 1e-3);
    s->launch.separate = l;
    mg_say_launch(s, "%u separate launch%s, %s %s a pass", l.n, l.n == 1 ? "" : "es",
                  s->p->specialised ? "about" : "at least", mg_time_text(s->arena, l.us));
}
