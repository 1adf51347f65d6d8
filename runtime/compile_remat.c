// Finds how much a plan has to recompute to fit into a given number of bytes. A byte that is kept
// gets a price, which grows until the resulting plan fits. So as little as possible is recomputed.
// If no price suffices, sums over the trips of loops may be added up trip by trip as well, which
// changes their rounding.
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

bool mg_compile_remat(MgGraph *g, const MgCompileSettings *settings, MgRematPlan *plan) {
    enum { PRICES = 14 };
    static const double cheapest = 1e-3, factor = 3; // about 1e-3 to 1e4 ns a byte
    MgSession *session = g->module->session;
    int64_t least = INT64_MAX;
    *plan = settings->remat;
    if (plan->kind != MG_REMAT_BYTES)
        return true;
    for (int i = 0; i <= 2 * PRICES; i++) { // the first price that fits costs the least time
        plan->kind = i ? MG_REMAT_AUTO : MG_REMAT_NONE;
        plan->sums = i > PRICES;
        plan->price = i ? cheapest * pow(factor, plan->sums ? i - PRICES : i) : 0;
        int64_t bytes = planned(g, settings, plan);
        if (bytes == -2)
            return false;
        if (bytes == -1) {
            mg_diag(session, mg_no_span(), MG_D_remat_open, mg_name(session->names, g->name));
            return false;
        }
        if (bytes <= plan->bytes)
            return true;
        least = bytes < least ? bytes : least;
    }
    mg_diag(session, mg_no_span(), MG_D_remat_bytes, mg_name(session->names, g->name),
            (long long)plan->bytes, (long long)least);
    return false;
}
