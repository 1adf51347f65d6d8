// Measures the memory plan on random graphs: the excess of its peak over the most bytes alive at
// once, and the excess of the chosen order of ops over the best order.
//
//   memory [FIRST] [--print]
//
// FIRST (1): the seed of the first graph; the others follow. Fails over the limits that
// docs/architecture.md gives.
#include "frontend/sema.h"
#include "passes/order.h"
#include "runtime/compile.h"
#include "tests/random/random_memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { GRAPHS = 200, SMALL = 200 };

static int up(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static MgGraph *load(MgSession *session, const char *text) {
    MgModule *m = mg_load_module_text(session, "memory.mg", text, strlen(text));
    return m && m->graphs.len ? m->graphs.at[0] : NULL;
}

// The arena's bytes and their lower bound, with the passes of -O2 (all, or all but order).
static bool plan(const char *text, bool ordered, int64_t *bytes, int64_t *bound) {
    MgSession *session = mg_session_new(0);
    MgCompileSettings settings = {.backend = mg_backend_find("cpu"), .level = 2, .workers = 1};
    MgDebugCounter none = {"order", 1, 0};
    MgPassOptions passes = {.counters = &none, .n_counters = 1};
    if (!ordered)
        settings.passes = &passes;
    MgGraph *g = load(session, text);
    MgProgram *p = NULL;
    if (g && mg_compile_passes(g, &settings))
        p = mg_compile_schedule(g, &settings);
    bool ok =
        p && p->arena_bytes >= 0 && mg_ix_is_const(g->module->ix, p->arena_lower_bound, bound);
    *bytes = p ? p->arena_bytes : 0;
    if (!ok) {
        MgText out = mg_text(session->arena);
        mg_diags_render(session, &out, false);
        printf("does not compile:\n%s%s", text, mg_text_str(&out));
    }
    mg_session_free(session);
    return ok;
}

static bool check_placement(uint32_t first, bool print) {
    double ratio[GRAPHS];
    uint32_t worse = 0;
    double gained = 0;
    for (uint32_t k = 0; k < GRAPHS; k++) {
        MgMem *mem = mg_mem_new(0);
        const char *text = mg_random_memory(first + k, 4 + k * 3 / 5, mg_arena_new(mem));
        int64_t bytes, bound, source_bytes, source_bound;
        if (!plan(text, true, &bytes, &bound) || !plan(text, false, &source_bytes, &source_bound))
            return false;
        ratio[k] = bound ? (double)bytes / (double)bound : 1;
        worse += bound > source_bound;
        gained += source_bytes ? (double)bytes / (double)source_bytes : 1;
        if (print)
            printf("seed %u: %lld bytes, bound %lld; in source order %lld, bound %lld\n", k + 1,
                   (long long)bytes, (long long)bound, (long long)source_bytes,
                   (long long)source_bound);
        mg_mem_free(mem);
    }
    qsort(ratio, GRAPHS, sizeof *ratio, up);
    printf("placement over %d graphs: peak over the lower bound: median %.3f, 95th percentile "
           "%.3f, worst %.3f; against the order of the source %.3f on average, over it (by the "
           "scratch "
           "of kernels, which the order does not know) in %u\n",
           GRAPHS, ratio[GRAPHS / 2], ratio[GRAPHS * 95 / 100], ratio[GRAPHS - 1], gained / GRAPHS,
           worse);
    return ratio[GRAPHS / 2] <= 1 && ratio[GRAPHS * 95 / 100] <= 1.05 && ratio[GRAPHS - 1] <= 1.2 &&
           gained / GRAPHS <= 0.95;
}

// ---------------------------------------------------------------- all orders
typedef struct Orders {
    const MgOrderProblem *p;
    MgArena *arena;
    uint32_t *order;
    int64_t best;
} Orders;

static void try_all(Orders *o, uint32_t n, uint64_t done) {
    int64_t so_far = mg_order_peak(o->p, o->order, n, o->arena);
    if (so_far >= o->best)
        return;
    if (n == o->p->n_steps) {
        o->best = so_far;
        return;
    }
    for (uint32_t i = 0; i < o->p->n_steps; i++) {
        const MgOrderStep *s = &o->p->steps[i];
        bool ready = !(done >> i & 1);
        for (uint32_t k = 0; k < s->n_needs; k++)
            ready &= done >> s->needs[k] & 1;
        if (!ready)
            continue;
        o->order[n] = i;
        try_all(o, n + 1, done | UINT64_C(1) << i);
    }
}

static bool check_orders(uint32_t first) {
    uint32_t best = 0, worse = 0, counted = 0;
    for (uint32_t k = 0; counted < SMALL; k++) {
        MgSession *session = mg_session_new(0);
        MgGraph *g = load(session, mg_random_memory(first + k, 3 + k % 7, session->arena));
        MgOrderProblem p = {0};
        if (g)
            p = mg_order_problem(g, 0, session->arena);
        if (p.n_steps && p.n_steps <= 12) {
            uint32_t *source = MG_NEW_N(session->arena, uint32_t, p.n_steps);
            for (uint32_t i = 0; i < p.n_steps; i++)
                source[i] = i;
            int64_t before = mg_order_peak(&p, source, p.n_steps, session->arena);
            Orders o = {&p, session->arena, source, before + 1};
            uint32_t *found = mg_order_search(&p, session->arena);
            int64_t after = mg_order_peak(&p, found, p.n_steps, session->arena);
            try_all(&o, 0, 0);
            counted++;
            best += after <= o.best;
            worse += after > before;
        }
        mg_session_free(session);
    }
    printf("order of %u graphs of up to 12 ops: the best of all orders in %u, worse than the "
           "source in %u\n",
           counted, best, worse);
    return best * 100 >= counted * 95 && !worse;
}

int main(int argc, char **argv) {
    uint32_t first = 1;
    bool print = false;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--print") == 0)
            print = true;
        else
            first = (uint32_t)strtoul(argv[k], NULL, 10);
    bool placed = check_placement(first, print), ordered = check_orders(first + 999);
    return placed && ordered ? 0 : 1;
}
