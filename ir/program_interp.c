// The plan interpreter. It runs a whole program by its meaning, and checks every kernel for bounds
// and races, and the calls of a CPU's program for races between them. A backend's calls can be
// compared with it one by one.
#include "ir/kernel_history.h"
#include "ir/program.h"

typedef struct Run {
    MgSession *session;
    const MgProgram *p;
    MgKHistory *history; // NULL on a GPU, whose calls are launches, one after another
    uint32_t workers, trap;
} Run;

static bool by_interpreter(void *ctx, const MgKCall *c, const MgKBufferArg *buffers,
                           const int64_t *scalars) {
    Run *r = ctx;
    uint32_t trap;
    const MgKernel *k = r->p->kernels.at[c->kernel];
    if (!mg_kernel_interp_call(r->session, k, buffers, scalars, r->workers, c->alone, r->history,
                               &trap))
        return false;
    r->trap = r->trap ? r->trap : trap;
    return true;
}

// The bytes of a constant, as the graph holds them.
static MgKBufferArg constant(const MgProgram *p, MgValueId id) {
    const MgValue *v = mg_value(p->graph, id);
    int64_t n = 1, d = 0;
    for (uint32_t a = 0; a < v->rank; a++)
        n *= mg_ix_is_const(p->graph->module->ix, v->shape[a], &d) ? d : 0;
    return (MgKBufferArg){(void *)(uintptr_t)mg_op(p->graph, v->def)->data,
                          (size_t)n * mg_dtype_size(v->dtype)};
}

bool mg_program_interp(MgSession *session, const MgProgram *p, const MgKBufferArg *memory,
                       const int64_t *dims, uint32_t workers, MgKCallFn *call, void *ctx,
                       uint32_t *trap) {
    MgArena *arena = mg_arena_new(session->mem);
    Run r = {.session = session, .p = p, .workers = workers};
    size_t slot_bytes = p->n_slots * sizeof(int64_t), dim_bytes = p->graph->dims.len * sizeof *dims;
    int64_t *slots = mg_arena_alloc(arena, p->n_slots + 2, sizeof *slots);
    MgKBufferArg slot_arg = {slots, slot_bytes};
    bool ok = mg_kernel_interp(session, p->bind, &slot_arg, dims, 1, NULL);
    if (ok && slots[1]) {
        mg_diag(session, mg_no_span(), MG_D_program_require, (long long)slots[1]);
        ok = false;
    }
    MgKBufferArg *args = MG_NEW_N(arena, MgKBufferArg, p->bufs.len + 2);
    for (uint32_t i = 0; ok && i < p->bufs.len; i++) {
        args[i] = memory[i];
        if (p->bufs.at[i].kind == MG_PLAN_ARENA)
            args[i] = (MgKBufferArg){mg_arena_alloc(arena, (size_t)slots[0], 1), (size_t)slots[0]};
        else if (p->bufs.at[i].kind == MG_PLAN_CONST && !args[i].data)
            args[i] = constant(p, p->bufs.at[i].value);
    }
    args[p->bufs.len] = slot_arg;
    args[p->bufs.len + 1] =
        (MgKBufferArg){mg_arena_copy(arena, dims, p->graph->dims.len, sizeof *dims), dim_bytes};
    r.history = call || (p->target && p->target->gpu) ? NULL : mg_khistory_new(arena);
    ok = ok && mg_kernel_interp_plan(session, p->plan, args, dims, r.history,
                                     call ? call : by_interpreter, call ? ctx : &r);
    if (trap)
        *trap = r.trap;
    mg_arena_free(arena);
    return ok;
}
