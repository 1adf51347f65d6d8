// A program of hand-built kernels that the CPU backend compiles, loads and runs on given memory.
// Tests, benchmarks and mgc probe share it. Every kernel's parameters are ports of the graph.
#ifndef MG_BACKENDS_CPU_HAND_PROGRAM_H
#define MG_BACKENDS_CPU_HAND_PROGRAM_H

#include "backends/backend.h"
#include "image/load.h"
#include "support/threads.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct MgCpuProgram {
    MgSession *session;
    MgModule *module;
    MgProgram *program;
    MG_VEC(void *) ports;
    MgKBufId arena_buf; // of the plan; the ports are 0, 1, …
    int64_t arena_bytes;
    MgLoadedImage *loaded;
    uint32_t error; // of the last run
    uint64_t *ticks;
} MgCpuProgram;

static inline MgKernel *mg_hand_kernel(MgCpuProgram *c, const char *name) {
    return mg_kernel_new(c->session->arena, c->session->names, mg_sym(c->session->names, name));
}

static inline void mg_hand_begin(MgCpuProgram *c) {
    *c = (MgCpuProgram){.session = mg_session_new(0)};
    MgNames *names = c->session->names;
    c->module = mg_module_new(c->session, mg_sym(names, "test.mg"));
    MgProgram *p = MG_NEW(c->session->arena, MgProgram);
    p->arena = c->session->arena;
    p->graph = mg_graph_new(c->module, mg_sym(names, "main"));
    p->n_slots = 2;
    p->max_workers = 8;
    p->plan = mg_hand_kernel(c, "plan");
    p->bind = mg_hand_kernel(c, "bind");
    c->program = p;
}

// Adds a port of `count` elements of memory that calls can bind, and returns its number.
static inline MgKBufId mg_hand_port(MgCpuProgram *c, void *data, MgDType dtype, int64_t count) {
    MgNames *names = c->session->names;
    MgIx shape = mg_ix_const(c->module->ix, count);
    uint32_t n = c->ports.len;
    MgValueId v =
        mg_input_new(c->program->graph, mg_symf(names, "p%u", n), dtype, 1, &shape, MG_NONE);
    mg_push(c->session->arena, &c->program->bufs, (MgPlanBuf){MG_PLAN_INPUT, n, v});
    mg_push(c->session->arena, &c->ports, data);
    return mg_kparam(c->program->plan, mg_name(names, mg_symf(names, "p%u", n)), dtype, true, true);
}

// Adds the plan's other buffers. Call it after adding the last port.
static inline void mg_hand_ports_end(MgCpuProgram *c) {
    MgKernel *plan = c->program->plan;
    mg_push(c->session->arena, &c->program->bufs, (MgPlanBuf){MG_PLAN_ARENA, 0, MG_NONE});
    c->arena_buf = mg_kparam(plan, "arena", MG_U8, true, true);
    mg_kparam(plan, "slots", MG_I64, true, false);
    mg_kparam(plan, "dims", MG_I64, true, true);
}

static inline MgKs *mg_hand_call(MgCpuProgram *c, MgKBlock *block, MgKernel *k,
                                 const MgKBufId *buffers, const int64_t *scalars) {
    MgArena *arena = c->session->arena;
    MgKernel *plan = c->program->plan;
    MgKCall *call = MG_NEW(arena, MgKCall);
    call->kernel = c->program->kernels.len;
    for (uint32_t i = 0; i < c->program->kernels.len; i++)
        if (c->program->kernels.at[i] == k)
            call->kernel = i;
    if (call->kernel == c->program->kernels.len)
        mg_push(arena, &c->program->kernels, k);
    call->site = c->program->sites.len;
    mg_push(arena, &c->program->sites,
            (MgSite){.kernel = call->kernel, .name = k->name, .kind = "test"});
    MgSite *site = &c->program->sites.at[call->site];
    site->cost =
        (MgCost){mg_ix_const(c->module->ix, 100 + call->site), mg_ix_const(c->module->ix, 7)};
    call->n_buffers = k->n_params;
    call->buffers =
        (struct MgKBinding *)mg_arena_alloc(arena, k->n_params + 1, sizeof *call->buffers);
    for (uint32_t i = 0; i < k->n_params; i++)
        call->buffers[i] = (struct MgKBinding){buffers[i], mg_kint(plan, 0), -1, 0};
    call->n_scalars = k->scalars.len;
    call->scalars = MG_NEW_N(arena, const MgKx *, k->scalars.len + 1);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        call->scalars[i] = mg_kint(plan, scalars[i]);
    MgKs *s = MG_NEW(arena, MgKs);
    *s = (MgKs){.kind = MG_KS_CALL, .call = call};
    mg_push(arena, &block->list, s);
    return s;
}

static inline void mg_hand_show_errors(MgCpuProgram *c) {
    MgText out = mg_text(c->session->arena);
    mg_diags_render(c->session, &out, false);
    fputs(mg_text_str(&out), stderr);
}

// Compiles and loads the program. Call it after mg_hand_ports_end and after adding the plan's
// calls.
static inline bool mg_hand_compile(MgCpuProgram *c, const char *march) {
    MgKernel *bind = c->program->bind;
    MgKBufId slots = mg_kparam(bind, "slots", MG_I64, false, true);
    mg_kstore(bind, &bind->body, slots, mg_kint(bind, 0), mg_kint(bind, c->arena_bytes), NULL);
    mg_kstore(bind, &bind->body, slots, mg_kint(bind, 1), mg_kint(bind, 0), NULL);
    unsigned char *bytes;
    size_t length;
    char error[MG_IMAGE_ERROR_MAX] = "";
    if (mg_backend_find("cpu")->object(c->session, c->program, march, &bytes, &length)) {
        c->loaded = mg_image_load(bytes, length, error);
        free(bytes);
    }
    if (c->loaded)
        return true;
    fprintf(stderr, "%s\n", error);
    mg_hand_show_errors(c);
    return false;
}

typedef struct MgCpuTask {
    const MgImage *image;
    MgCall call;
} MgCpuTask;

static inline void mg_hand_task(void *context, uint32_t worker, uint32_t workers) {
    MgCpuTask *task = (MgCpuTask *)context;
    task->image->run(&task->call, worker, workers);
}

static inline void mg_hand_run(MgCpuProgram *c, MgThreads *threads, uint32_t workers) {
    MgCpuTask task = {.image = mg_loaded_image(c->loaded)};
    int64_t slots[2] = {-1, -1}, none[1] = {0};
    task.image->bind(none, slots);
    task.call = (MgCall){.ports = (void *const *)c->ports.at, .dims = none, .slots = slots};
    task.call.constants = task.image->constants;
    task.call.ticks = c->ticks;
    task.call.arena = (unsigned char *)aligned_alloc(64, (size_t)(slots[0] + 64) / 64 * 64);
    if (threads)
        mg_threads_run(threads, mg_hand_task, &task, workers);
    else
        mg_hand_task(&task, 0, 1);
    c->error = task.call.error;
    free(task.call.arena);
}

static inline void mg_hand_end(MgCpuProgram *c) {
    mg_image_unload(c->loaded);
    mg_session_free(c->session);
}

#endif
