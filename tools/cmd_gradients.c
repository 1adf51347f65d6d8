// mgc check-gradients compares the derivatives of a graph with central differences.
#include "frontend/sema.h"
#include "tools/gradients.h"
#include "tools/mgc.h"
#include "tools/spec.h"

#include <stdio.h>

typedef struct Report {
    uint32_t count[MG_GRADIENT_VERDICTS];
} Report;

static void tell(void *ctx, const MgGradient *r) {
    static const char *const words[] = {"right", "WRONG", "zero", "none", "undecided", "not run"};
    Report *report = ctx;
    report->count[r->verdict]++;
    printf("%-9s %s", words[r->verdict], r->y);
    if (r->x)
        printf(" by %s", r->x);
    if (r->why)
        printf(": %s", r->why);
    if (r->verdict == MG_GRADIENT_RIGHT)
        printf(": %.1e", r->worst);
    if (r->verdict == MG_GRADIENT_WRONG) {
        printf(": the derivative is %.9g, the difference %.9g, ", r->derived, r->measured);
        if (r->element < 0)
            printf("along a random direction");
        else
            printf("at element %lld", (long long)r->element);
    }
    printf("\n");
}

static bool is_of_input(MgGraph *g, MgIxSym dim) {
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const MgValue *v = mg_value(g, g->inputs.at[i].value);
        for (uint32_t k = 0; k < v->rank; k++)
            if (mg_ix_mentions(g->module->ix, v->shape[k], dim))
                return true;
    }
    return false;
}

// The graph with the derivatives that ops state, lowered once more from the same source. NULL if no
// op states any.
static MgGraph *with_stated(MgSession *session, const MgGraph *g) {
    const MgSources *sources = &session->sources;
    const char *name = mg_name(session->names, g->module->source);
    uint32_t source = sources->all.len;
    while (source > 1 && strcmp(sources->all.at[source - 1].name, name) != 0)
        source--;
    session->lowering = &(MgLowerOptions){.stated = true};
    MgModule *module = source > 1 ? mg_load_source(session, source - 1) : NULL;
    session->lowering = NULL;
    MgGraph *again = module ? mg_graph_find(module, g->name) : NULL;
    return again && again->outputs.len > g->outputs.len ? again : NULL;
}

static int check(MgSession *session, const MgcOptions *options) {
    MgModule *module = mgc_module_open(session, options);
    MgGraph *g = module ? mg_choose_graph(module, options->graph) : NULL;
    if (!g)
        return 1;
    int64_t *dims;
    int status = mgc_set_dims(session->arena, g, &options->sets, &dims);
    for (uint32_t i = 0; i < g->dims.len && !status; i++)
        if (dims[i] < 0 && is_of_input(g, g->dims.at[i])) {
            const char *name = mg_name(session->names, mg_ix_sym_name(module->ix, g->dims.at[i]));
            status = mgc_fail(2, "dimension '%s' is open: give --set %s=SIZE", name, name);
        }
    if (status)
        return status;
    Report report = {0};
    MgGraph *stated = with_stated(session, g);
    mg_check_gradients(&(MgGradientCheck){.graph = mg_compile_copy(g, dims),
                                          .stated = stated ? mg_compile_copy(stated, dims) : NULL,
                                          .seed = (uint64_t)options->seeds,
                                          .most = (uint32_t)options->most},
                       tell, &report);
    const uint32_t *n = report.count;
    printf("%u right, %u wrong, %u zero, %u without a derivative, %u undecided, %u not run\n",
           n[MG_GRADIENT_RIGHT], n[MG_GRADIENT_WRONG], n[MG_GRADIENT_ZERO], n[MG_GRADIENT_NONE],
           n[MG_GRADIENT_UNDECIDED], n[MG_GRADIENT_NOT_RUN]);
    return n[MG_GRADIENT_WRONG] > 0;
}

int mgc_check_gradients(const MgcOptions *options) {
    return mgc_in_session(options, check);
}
