// Finds how much a plan has to recompute to fit into a given number of bytes. A byte that is kept
// gets a price, which grows until the resulting plan fits. Then the price holds for as small a part
// of the forward pass as possible, and the one before it for the rest: layers are alike, so at one
// price either all of them recompute something or none does. So as little as possible is
// recomputed. If no price suffices, sums over the trips of loops may be added up trip by trip as
// well, which changes their rounding.
#include "runtime/compile.h"

#include <math.h>

// The bytes of the plan at this price; -1 if they depend on open dimensions, -2 after diagnostics.
static int64_t planned(MgGraph *g, const MgCompileSettings *settings, const MgRematPlan *plan) {
    MgPassOptions quiet = {0};
    if (settings->passes)
        quiet = (MgPassOptions){.passes = settings->passes->passes,
                                .more = settings->passes->more,
                                .counters = settings->passes->counters,
                                .n_counters = settings->passes->n_counters};
    MgCompileSettings trial = *settings;
    MgGraph *copy = mg_graph_copy(g);
    trial.passes = &quiet;
    trial.remat = *plan;
    trial.remat.bytes = 0;
    if (!mg_compile_passes(copy, &trial))
        return -2;
    const MgProgram *program = mg_compile_schedule(copy, &trial);
    return program ? program->arena_bytes : -2;
}

static bool has_loops(MgGraph *g) {
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_LOOP)
            return true;
    return false;
}

// The plan fits with the price. Halves the part of the forward pass for which the price holds as
// long as it still does.
static bool lessen(MgGraph *g, const MgCompileSettings *settings, MgRematPlan *plan) {
    double fits = 1;
    for (double step = 0.5; step > 0.05; step /= 2) {
        plan->part = fits - step;
        int64_t bytes = planned(g, settings, plan);
        if (bytes == -2)
            return false;
        fits = bytes <= plan->bytes ? plan->part : fits;
    }
    plan->part = fits;
    return true;
}

// The first try recomputes nothing, the second what costs no time. Then prices grow. The last one
// is paid for every byte, also for those that seem not to raise the peak.
static MgRematPlan try_number(const MgRematPlan *plan, int i, int prices) {
    static const double cheapest = 3e-3, factor = 3; // to about 1e4 ns a byte
    MgRematPlan at = {.kind = i ? MG_REMAT_AUTO : MG_REMAT_NONE, .bytes = plan->bytes, .part = 1};
    at.sums = i > prices + 1;
    i -= at.sums ? prices : 0;
    at.price = i > 1 ? cheapest * pow(factor, i - 2) : 0;
    at.rest_price = i > 2 ? at.price / factor : 0;
    at.kind = i > prices ? MG_REMAT_ALL : at.kind;
    return at;
}

bool mg_compile_remat(MgGraph *g, const MgCompileSettings *settings, MgRematPlan *plan) {
    enum { PRICES = 15 };
    MgSession *session = g->module->session;
    int64_t least = INT64_MAX;
    *plan = settings->remat;
    if (plan->kind != MG_REMAT_BYTES)
        return true;
    int tries = 2 + (has_loops(g) ? 2 : 1) * PRICES;
    for (int i = 0; i < tries; i++) { // the first price that fits costs the least time
        *plan = try_number(&settings->remat, i, PRICES);
        int64_t bytes = planned(g, settings, plan);
        if (bytes == -2)
            return false;
        if (bytes == -1) {
            mg_diag(session, mg_no_span(), MG_D_remat_open, mg_name(session->names, g->name));
            return false;
        }
        if (bytes <= plan->bytes)
            return plan->price > 0 && plan->kind == MG_REMAT_AUTO && !plan->sums
                       ? lessen(g, settings, plan)
                       : true;
        least = bytes < least ? bytes : least;
    }
    mg_diag(session, mg_no_span(), MG_D_remat_bytes, mg_name(session->names, g->name),
            (long long)settings->remat.bytes, (long long)least);
    return false;
}
