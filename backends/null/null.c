// A backend as a worked template: it prints one line of summary for each kernel. docs/hacking.md
// explains it.
//
// A backend is a table of functions (backends/backend.h). It prints legalised kernel IR, so it only
// meets loops, loads, stores and plain arithmetic. The visit below is the start of any printer.
#include "backends/backend.h"
#include "ir/kernel_walk.h"

#include <inttypes.h>

typedef struct Counts {
    uint64_t loops, stores, barriers, nodes;
} Counts;

static bool count_node(void *counts, const MgKx *x) {
    (void)x;
    ((Counts *)counts)->nodes++; // expressions are trees, after legalisation
    return false;
}

static bool count_statement(void *counts, const MgKs *s) {
    Counts *c = counts;
    c->loops += s->kind == MG_KS_FOR || s->kind == MG_KS_WHILE;
    c->stores += s->kind == MG_KS_STORE;
    c->barriers += s->kind == MG_KS_BARRIER;
    return false;
}

// The target that schedules see. It has scalars only.
static bool target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    static const char from[] = "null";
    (void)session, (void)march;
    MgMachine machine = *mg_machine_usual();
    mg_machine_set(&machine, MG_FIG_vector_size, 8, from);
    mg_machine_set(&machine, MG_FIG_l2_size, 1 << 20, from);
    *info = (MgTargetInfo){.name = "null", .fma_units = 1, .workers = 1};
    mg_target_use(info, &machine);
    info->launch_ns = info->barrier_ns = 0; // it has one worker
    return true;
}

static bool emit(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out) {
    (void)session, (void)march, (void)what;
    MgLegaliseOptions options = {.f16 = false};
    for (uint32_t i = 0; i < program->kernels.len; i++) {
        MgKernel *k = program->kernels.at[i];
        mg_kernel_legalise(k, &options);
        Counts c = {0};
        mg_kblock_any(&k->body, &(MgKAsk){count_statement, count_node, &c});
        mg_textf(out,
                 "%s: %u buffers, %u scalars, %" PRIu64 " loops, %" PRIu64 " stores, %" PRIu64
                 " barriers, %" PRIu64 " nodes\n",
                 mg_name(k->names, k->name), k->n_params, k->scalars.len, c.loops, c.stores,
                 c.barriers, c.nodes);
    }
    return true;
}

const MgBackend mg_null_backend = {.name = "null", .target_info = target_info, .emit = emit};
