// Each kernel is a module of its own in LLVM, which threads optimise and print.
//
// LLVM's usual passes run, since loops of items are written for a compiler that unrolls them, and
// addresses for one that shares them. NVIDIA's assembler schedules instructions and gives them
// registers.
#include "backends/nvptx/ptx.h"

#include "backends/device_text.h"
#include "backends/nvptx/emit.h"
#include "support/threads.h"

#include <stdatomic.h>
#include <stdlib.h>

static const char triple[] = "nvptx64-nvidia-cuda", cpu[] = "sm_90a", features[] = "+ptx80";
static const char pipeline[] = "default<O3>";

typedef struct Unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMMemoryBufferRef ptx;
    char *text, *message; // of LLVM
    bool good;
} Unit;

typedef struct Work {
    Unit *units;
    uint32_t n;
    MgNvText what;
    atomic_uint next;
} Work;

static void release(Unit *u) {
    if (u->ptx)
        LLVMDisposeMemoryBuffer(u->ptx);
    if (u->text)
        LLVMDisposeMessage(u->text);
    if (u->message)
        LLVMDisposeMessage(u->message);
    if (u->module)
        LLVMDisposeModule(u->module);
    if (u->context)
        LLVMContextDispose(u->context);
    if (u->machine)
        LLVMDisposeTargetMachine(u->machine);
    *u = (Unit){0};
}

static void release_all(void *object) {
    Work *w = object;
    for (uint32_t i = 0; i < w->n; i++)
        release(&w->units[i]);
    free(w->units);
    free(w);
}

// ---------------------------------------------------------------- modules

static bool begin(Unit *u) {
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &u->message))
        return false;
    u->machine = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelAggressive,
                                         LLVMRelocDefault, LLVMCodeModelDefault);
    u->context = LLVMContextCreate();
    u->module = LLVMModuleCreateWithNameInContext("kernel", u->context);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(u->machine);
    LLVMSetModuleDataLayout(u->module, layout);
    LLVMSetTarget(u->module, triple);
    LLVMDisposeTargetData(layout);
    return true;
}

// The properties by which kernels are emitted as for a CPU.
static const MgCpuTarget as_cpu = {.arch = MG_CPU_NVPTX, .f16 = true, .fma = true};

static void build(MgSession *session, const MgKernel *k, const char *name, Unit *u) {
    MgArena *arena = mg_arena_new(session->mem);
    LLVMContextRef c = u->context;
    MgNvEmit n = {.e = {.session = session,
                        .arena = arena,
                        .target = &as_cpu,
                        .context = c,
                        .module = u->module,
                        .builder = LLVMCreateBuilderInContext(c),
                        .allocas = LLVMCreateBuilderInContext(c),
                        .t = {.none = LLVMVoidTypeInContext(c),
                              .ptr = LLVMPointerTypeInContext(c, 0),
                              .i1 = LLVMInt1TypeInContext(c),
                              .i8 = LLVMInt8TypeInContext(c),
                              .i32 = LLVMInt32TypeInContext(c),
                              .i64 = LLVMInt64TypeInContext(c)},
                        .own = mg_nv_own}};
    mg_nv_kernel(&n, k, name);
    LLVMDisposeBuilder(n.e.builder);
    LLVMDisposeBuilder(n.e.allocas);
    mg_arena_free(arena);
}

// ---------------------------------------------------------------- code

static bool run_passes(Unit *u) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(u->module, pipeline, u->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    u->message = LLVMCreateMessage(message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool verify(Unit *u) {
    if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &u->message))
        return false;
    LLVMDisposeMessage(u->message);
    u->message = NULL;
    return true;
}

static bool generate(Unit *u, MgNvText what) {
    if (!verify(u) || !run_passes(u))
        return false;
    if (what == MG_NV_LLVM) {
        u->text = LLVMPrintModuleToString(u->module);
        return true;
    }
    bool good = !LLVMTargetMachineEmitToMemoryBuffer(u->machine, u->module, LLVMAssemblyFile,
                                                     &u->message, &u->ptx);
    LLVMDisposeModule(u->module);
    u->module = NULL;
    return good;
}

static void generate_all(void *work, uint32_t worker, uint32_t workers) {
    Work *w = work;
    (void)worker, (void)workers;
    for (uint32_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        w->units[i].good = generate(&w->units[i], w->what);
}

static void share(Work *w) {
    uint32_t cpus = mg_threads_available(), workers = w->n < cpus ? w->n : cpus;
    MgThreads *threads = workers > 1 ? mg_threads_new(workers, false) : NULL;
    if (!threads || !mg_threads_run(threads, generate_all, w, workers))
        generate_all(w, 0, 1);
    mg_threads_free(threads);
}

static bool write(MgSession *session, const Unit *u, MgText *out) {
    if (!u->good) {
        mg_diag(session, mg_no_span(), MG_D_cpu_llvm, u->message ? u->message : "unknown");
        return false;
    }
    if (u->text)
        mg_text_add(out, u->text);
    else {
        mg_text_add(out, "\n" MG_PTX_MODULE "\n");
        mg_text_add_n(out, LLVMGetBufferStart(u->ptx), LLVMGetBufferSize(u->ptx));
    }
    return true;
}

static bool load(MgSession *session) {
    bool memory;
    const char *why = mg_llvm_load(&memory);
    if (memory)
        mg_mem_fail(session->mem);
    if (why)
        mg_diag(session, mg_no_span(), MG_D_cpu_no_llvm, why);
    else
        mg_cpu_initialise(MG_CPU_NVPTX);
    return !why;
}

bool mg_nv_write(MgSession *session, const MgProgram *p, const char *const *names, MgNvText what,
                 MgText *out) {
    if (!load(session))
        return false;
    Work *w = calloc(1, sizeof *w);
    if (!w || !(w->units = calloc(p->kernels.len + 1, sizeof *w->units))) {
        free(w);
        mg_mem_fail(session->mem);
    }
    w->what = what;
    mg_mem_defer(session->mem, release_all, w);
    bool good = true;
    for (uint32_t i = 0; i < p->kernels.len && good; i++) {
        const MgKernel *k = p->kernels.at[i];
        if (!names[i] || !mg_nv_can_emit(k))
            continue;
        Unit *u = &w->units[w->n++];
        good = begin(u);
        if (good)
            build(session, k, names[i], u);
    }
    if (good)
        share(w);
    for (uint32_t i = 0; i < w->n; i++)
        good = write(session, &w->units[i], out) && good;
    mg_mem_undefer(session->mem, w);
    release_all(w);
    return good;
}
