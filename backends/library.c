// The numbers that a library's header and its object must agree on.
#include "backends/library.h"

static uint32_t count_weights(const MgProgram *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->bufs.len; i++)
        n += p->bufs.at[i].kind == MG_PLAN_WEIGHT;
    return n;
}

MgLibraryLayout mg_library_layout(const MgLibraryGraph *g) {
    MgLibraryLayout l = {.dims = g->graph->dims.len ? g->graph->dims.len : 1,
                         .ports = g->graph->inputs.len + g->graph->outputs.len,
                         .sites = 1};
    for (uint32_t i = 0; i < g->forms.len; i++) {
        const MgProgram *p = g->forms.at[i].program;
        uint32_t weights = g->beside ? count_weights(p) : 0;
        l.slots = p->n_slots > l.slots ? p->n_slots : l.slots;
        l.weights = weights > l.weights ? weights : l.weights;
        l.sites = p->sites.len > l.sites ? p->sites.len : l.sites;
    }
    return l;
}

uint32_t mg_library_given_dims(MgGraph *g) {
    uint32_t n = 0;
    for (uint32_t d = 0; d < g->dims.len; d++)
        for (uint32_t i = 0; i < g->inputs.len; i++) {
            const MgValue *v = mg_value(g, g->inputs.at[i].value);
            for (uint32_t a = 0; a < v->rank; a++)
                if (mg_ix_mentions(g->module->ix, v->shape[a], g->dims.at[d]))
                    n = d + 1;
        }
    return n;
}
