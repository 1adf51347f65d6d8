// The CPU backend: a program as LLVM IR, assembly or one ELF object.
//
// LLVM's optimiser is used for what a printer of loops leaves behind (private arrays to registers,
// common addresses, invariant loads), not for vectorising, unrolling or inlining: the schedule has
// done that, and a short pipeline keeps compilation fast.
#include "backends/backend.h"
#include "backends/cpu/emit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>

static const char pipeline[] =
    "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

// What of LLVM one compilation holds; released also if memory runs out in between.
typedef struct Unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder, allocas;
    LLVMTargetMachineRef machine;
    LLVMMemoryBufferRef result;
} Unit;

static void release(void *object) {
    Unit *u = object;
    if (u->result)
        LLVMDisposeMemoryBuffer(u->result);
    if (u->builder)
        LLVMDisposeBuilder(u->builder);
    if (u->allocas)
        LLVMDisposeBuilder(u->allocas);
    if (u->module)
        LLVMDisposeModule(u->module);
    if (u->context)
        LLVMContextDispose(u->context);
    if (u->machine)
        LLVMDisposeTargetMachine(u->machine);
    free(u);
}

static bool llvm_error(MgSession *session, char *message) {
    mg_diag(session, mg_no_span(), MG_D_cpu_llvm, message ? message : "unknown");
    LLVMDisposeMessage(message);
    return false;
}

static void set_types(CpuEmit *e) {
    LLVMContextRef c = e->context;
    e->t = (CpuTypes){.none = LLVMVoidTypeInContext(c),
                      .ptr = LLVMPointerTypeInContext(c, 0),
                      .i1 = LLVMInt1TypeInContext(c),
                      .i8 = LLVMInt8TypeInContext(c),
                      .i32 = LLVMInt32TypeInContext(c),
                      .i64 = LLVMInt64TypeInContext(c)};
}

static void legalise(MgProgram *p, const CpuTarget *target) {
    MgLegaliseOptions options = {.f16 = target->f16};
    for (uint32_t i = 0; i < p->kernels.len; i++)
        mg_kernel_legalise(p->kernels.at[i], &options);
    mg_kernel_legalise(p->plan, &options);
    mg_kernel_legalise(p->bind, &options);
}

static void set_module(Unit *u, const char *name) {
    u->module = LLVMModuleCreateWithNameInContext(name, u->context);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(u->machine);
    char *triple = LLVMGetTargetMachineTriple(u->machine);
    LLVMSetModuleDataLayout(u->module, layout);
    LLVMSetTarget(u->module, triple);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
}

// The module of a program, verified, not yet optimised.
static bool build(MgSession *session, MgProgram *p, const CpuTarget *target, Unit *u) {
    uint32_t errors = session->n_errors;
    MgArena *arena = mg_arena_new(session->mem);
    u->context = LLVMContextCreate();
    u->builder = LLVMCreateBuilderInContext(u->context);
    u->allocas = LLVMCreateBuilderInContext(u->context);
    u->machine = mg_cpu_machine(session, target);
    if (!u->machine)
        return false;
    set_module(u, mg_name(session->names, p->graph->name));
    legalise(p, target);
    CpuEmit e = {.session = session,
                 .arena = arena,
                 .program = p,
                 .target = target,
                 .context = u->context,
                 .module = u->module,
                 .builder = u->builder,
                 .allocas = u->allocas};
    set_types(&e);
    e.kernels = MG_NEW_N(arena, LLVMValueRef, p->kernels.len + 1);
    for (uint32_t i = 0; i < p->kernels.len; i++)
        e.kernels[i] = mg_cpu_kernel(&e, p->kernels.at[i]);
    LLVMValueRef run = mg_cpu_run(&e), bind = mg_cpu_bind(&e), costs = mg_cpu_costs(&e);
    mg_cpu_image(&e, run, bind, costs);
    mg_arena_free(arena);
    char *message = NULL;
    if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &message))
        return llvm_error(session, message);
    LLVMDisposeMessage(message);
    return session->n_errors == errors;
}

static bool optimise(MgSession *session, Unit *u) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(u->module, pipeline, u->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    mg_diag(session, mg_no_span(), MG_D_cpu_llvm, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool generate(MgSession *session, Unit *u, LLVMCodeGenFileType type) {
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(u->machine, u->module, type, &message, &u->result))
        return llvm_error(session, message);
    return true;
}

static Unit *begin(MgSession *session) {
    Unit *u = calloc(1, sizeof *u);
    if (!u)
        mg_mem_fail(session->mem);
    mg_mem_defer(session->mem, release, u);
    return u;
}

static void end(MgSession *session, Unit *u) {
    mg_mem_undefer(session->mem, u);
    release(u);
}

static bool emit(MgSession *session, MgProgram *p, const char *march, const char *what,
                 MgText *out) {
    bool llvm = strcmp(what, "llvm") == 0;
    CpuTarget target;
    if (!llvm && strcmp(what, "asm") != 0) {
        mg_diag(session, mg_no_span(), MG_D_cpu_what, what);
        return false;
    }
    if (!mg_cpu_target(session, march, &target))
        return false;
    Unit *u = begin(session);
    bool good = build(session, p, &target, u) && optimise(session, u);
    if (good && llvm) {
        char *text = LLVMPrintModuleToString(u->module);
        mg_text_add(out, text);
        LLVMDisposeMessage(text);
    } else if (good) {
        good = generate(session, u, LLVMAssemblyFile);
        if (good)
            mg_text_add_n(out, LLVMGetBufferStart(u->result), LLVMGetBufferSize(u->result));
    }
    end(session, u);
    return good;
}

static bool object(MgSession *session, MgProgram *p, const char *march, unsigned char **bytes,
                   size_t *length) {
    CpuTarget target;
    if (!mg_cpu_target(session, march, &target))
        return false;
    Unit *u = begin(session);
    bool good = build(session, p, &target, u) && optimise(session, u) &&
                generate(session, u, LLVMObjectFile);
    if (good) {
        *length = LLVMGetBufferSize(u->result);
        *bytes = malloc(*length + 1);
        good = *bytes != NULL;
        if (good)
            memcpy(*bytes, LLVMGetBufferStart(u->result), *length);
    }
    end(session, u);
    return good;
}

const MgBackend mg_cpu_backend = {.name = "cpu",
                                  .target_info = mg_cpu_target_info,
                                  .emit = emit,
                                  .object = object,
                                  .target_key = mg_cpu_target_key};
