// Is a plan faster as one kernel whose groups meet than as separate launches? A model of launches,
// barriers and work.
//
// Launches wait for the host, or else for the kernel before them; a barrier is shorter, but hides
// nowhere, and the code of one kernel for a whole graph comes through no cache. What neither form
// changes, the work, decides which of them matters.
#include "passes/schedule/persistent.h"

enum { LEAST_CALLS = 4, LEAST_WARP = 16 };

static double most(double a, double b) {
    return a > b ? a : b;
}

typedef struct Work { // of a pass
    double us;
    uint32_t launches;
} Work;

// Of NVIDIA's Hopper, fitted to a chain of 33 products of 32 to 512 rows (docs/gpu-results.md):
// floating-point operations a unit and microsecond at the share of the peak that small kernels
// reach, bytes a microsecond, the least time of a kernel, and the latency of a step of a sum that
// nothing hides, as tiles of a contraction have it (gpu_contraction.c); from one kernel's end to
// the next one's beginning; how much longer work takes in one kernel with all else.
static const struct {
    double flops, bytes, kernel_us, step_us, after_us, joined;
} model = {128 * 2 * 0.5 * 1700, 3e6, 1.5, 0.4 / 32, 1.9, 1.15};

static Work work_of_op(MgSched *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    MgCost cost = mg_cost(s->g, id);
    int64_t flops = 0, bytes = 0, elements = 1;
    mg_ix_is_const(s->ix, cost.flops, &flops);
    mg_ix_is_const(s->ix, cost.bytes, &bytes);
    if (op->n_results)
        mg_ix_is_const(s->ix, mg_value_elements(s->g, op->results[0]), &elements);
    double steps = elements > 0 ? (double)flops / 2 / (double)elements : 0;
    double latency = model.kernel_us + (steps < 2048 ? steps : 2048) * model.step_us;
    return (Work){most(latency, most((double)flops / model.flops / s->options->target.compute_units,
                                     (double)bytes / model.bytes)),
                  1};
}

static Work work_of(MgSched *s, MgRegionId r) {
    const MgRegion *body = mg_region(s->g, r);
    Work all = {0};
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(s->g, body->ops.at[i]);
        int64_t low = 0, high = 1;
        Work w = {0};
        if (op->kind == MG_OP_LOOP || op->kind == MG_OP_IF) {
            bool known = op->kind == MG_OP_LOOP && op->loop->counted &&
                         mg_ix_is_const(s->ix, op->loop->low, &low) &&
                         mg_ix_is_const(s->ix, op->loop->high, &high);
            double trips = known ? (double)(high > low ? high - low : 0) : 1;
            w = work_of(s, op->regions[0]);
            w = (Work){w.us * trips, (uint32_t)most(0, w.launches * (trips < 1e6 ? trips : 1e6))};
        } else if (op->kind == MG_OP_EQUATION || op->kind == MG_OP_FUSED ||
                   op->kind == MG_OP_BUILTIN || op->kind == MG_OP_DIM) {
            w = work_of_op(s, body->ops.at[i]);
        }
        all.us += w.us;
        all.launches += w.launches;
    }
    return all;
}

bool mg_persistent_pays(MgSched *s) {
    const MgTargetInfo *target = &s->options->target;
    double launch = target->launch_ns * 1e-3, barrier = target->barrier_ns * 1e-3;
    Work w = work_of(s, 0);
    uint32_t n = w.launches;
    double separate = most(w.us + n * model.after_us, n * launch);
    double joined = w.us * model.joined + n * barrier;
    bool pays = s->options->repeats && n >= LEAST_CALLS && joined < 0.8 * separate &&
                target->warp >= LEAST_WARP;
    bool asked = s->options->launch == MG_LAUNCH_PERSISTENT;
    s->p->launch_why =
        mg_arena_printf(s->arena,
                        "%sone kernel with barriers, about %.3g us a pass; %u separate launches, "
                        "about %.3g us: %s\n",
                        s->p->launch_why ? s->p->launch_why : "", joined, n, separate,
                        asked                  ? "asked for"
                        : pays                 ? "chosen"
                        : !s->options->repeats ? "not taken: it is for many passes (--mode=loop)"
                        : target->warp < LEAST_WARP ? "not taken: the device runs few items in step"
                        : n < LEAST_CALLS           ? "not taken: there is little to save"
                                                    : "not taken: too little is saved");
    return pays;
}
