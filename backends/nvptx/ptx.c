// Each kernel is a module of its own in LLVM, which threads optimise and print.
//
// LLVM's usual passes run, since loops of items are written for a compiler that unrolls them, and
// addresses for one that shares them. NVIDIA's assembler schedules instructions and gives them
// registers.
#include "backends/nvptx/ptx.h"

#include "backends/cpu/unit.h"
#include "backends/device_text.h"
#include "backends/nvptx/emit.h"
#include "support/threads.h"

#include <stdatomic.h>

static const char pipeline[] = "default<O3>";
static const MgCpuTarget device = {
    .arch = MG_CPU_NVPTX, .cpu = "sm_90a", .features = "+ptx80", .f16 = true, .fma = true};

typedef struct Work {
    MgCpuUnit **units;
    uint32_t n;
    MgNvText what;
    atomic_uint next;
} Work;

static void build(MgSession *session, const MgKernel *k, const char *name, MgCpuUnit *u) {
    MgArena *arena = mg_arena_new(session->mem);
    MgNvEmit n = {.e = mg_cpu_new_module(session, arena, &device, "kernel", u)};
    n.e.own = mg_nv_own;
    mg_nv_kernel(&n, k, name);
    mg_arena_free(arena);
}

// Text of LLVM IR is made when it is written, from the module.
static void generate(MgCpuUnit *u, MgNvText what) {
    u->good = mg_cpu_verify(u) && mg_cpu_run_passes(u, pipeline);
    if (what == MG_NV_LLVM)
        return;
    u->good = u->good && mg_cpu_generate(u, LLVMAssemblyFile);
    mg_cpu_drop(u);
}

static void generate_all(void *work, uint32_t worker, uint32_t workers) {
    Work *w = work;
    (void)worker, (void)workers;
    for (uint32_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        generate(w->units[i], w->what);
}

static void share(Work *w) {
    uint32_t cpus = mg_threads_available(), workers = w->n < cpus ? w->n : cpus;
    MgThreads *threads = workers > 1 ? mg_threads_new(workers, false) : NULL;
    if (!threads || !mg_threads_run(threads, generate_all, w, workers))
        generate_all(w, 0, 1);
    mg_threads_free(threads);
}

static bool write(MgSession *session, const MgCpuUnit *u, MgText *out) {
    if (!u->good)
        return mg_cpu_report(session, u);
    if (u->module) {
        char *text = LLVMPrintModuleToString(u->module);
        mg_text_add(out, text);
        LLVMDisposeMessage(text);
        return true;
    }
    mg_text_add(out, "\n" MG_PTX_MODULE "\n");
    mg_text_add_n(out, LLVMGetBufferStart(u->result), LLVMGetBufferSize(u->result));
    return true;
}

bool mg_nv_write(MgSession *session, const MgProgram *p, const char *const *names, MgNvText what,
                 MgText *out) {
    Work w = {.units = MG_NEW_N(session->arena, MgCpuUnit *, p->kernels.len + 1), .what = what};
    bool good = mg_cpu_load(session);
    for (uint32_t i = 0; i < p->kernels.len && good; i++) {
        const MgKernel *k = p->kernels.at[i];
        if (!names[i] || !mg_nv_can_emit(k))
            continue;
        MgCpuUnit *u = w.units[w.n++] = mg_cpu_begin(session, &device);
        good = u != NULL;
        if (good)
            build(session, k, names[i], u);
    }
    if (good)
        share(&w);
    for (uint32_t i = 0; i < w.n; i++) {
        good = good && write(session, w.units[i], out);
        mg_cpu_end(session, w.units[i]);
    }
    return good;
}
