// One compilation in LLVM: a program becomes a module, which is optimised and becomes text or an
// object.
//
// LLVM's optimiser cleans up after a printer of loops (private arrays to registers, common
// addresses, loop invariants). It doesn't vectorise, unroll or inline: the schedule has done that,
// and a short pipeline keeps compilation fast.
#include "backends/cpu/unit.h"

#include "backends/cpu/thread.h"

#include <stdlib.h>
#include <string.h>

static const char pipeline[] =
    "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

void mg_cpu_drop(MgCpuUnit *u) {
    if (u->builder)
        LLVMDisposeBuilder(u->builder);
    if (u->allocas)
        LLVMDisposeBuilder(u->allocas);
    if (u->module)
        LLVMDisposeModule(u->module);
    if (u->all)
        LLVMDisposeModule(u->all);
    if (u->context)
        LLVMContextDispose(u->context);
    if (u->machine)
        LLVMDisposeTargetMachine(u->machine);
    u->builder = u->allocas = NULL;
    u->module = u->all = NULL;
    u->context = NULL;
    u->machine = NULL;
}

static void release(void *object) {
    MgCpuUnit *u = object;
    if (u->threaded)
        pthread_join(u->thread, NULL);
    if (u->message)
        LLVMDisposeMessage(u->message);
    if (u->result)
        LLVMDisposeMemoryBuffer(u->result);
    mg_cpu_drop(u);
    free(u);
}

bool mg_cpu_report(MgSession *session, const MgCpuUnit *u) {
    mg_diag(session, mg_no_span(), MG_D_cpu_llvm, u->message ? u->message : "unknown");
    return false;
}

static MgCpuTypes types_of(LLVMContextRef c) {
    return (MgCpuTypes){.none = LLVMVoidTypeInContext(c),
                        .ptr = LLVMPointerTypeInContext(c, 0),
                        .i1 = LLVMInt1TypeInContext(c),
                        .i8 = LLVMInt8TypeInContext(c),
                        .i32 = LLVMInt32TypeInContext(c),
                        .i64 = LLVMInt64TypeInContext(c)};
}

void mg_cpu_legalise(MgProgram *p, const MgCpuTarget *target) {
    MgLegaliseOptions options = mg_cpu_legal(target);
    for (uint32_t i = 0; i < p->kernels.len; i++)
        mg_kernel_legalise(p->kernels.at[i], &options);
    mg_kernel_legalise(p->plan, &options);
    mg_kernel_legalise(p->bind, &options);
}

static void set_module(MgCpuUnit *u, const char *name) {
    u->module = LLVMModuleCreateWithNameInContext(name, u->context);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(u->machine);
    char *triple = LLVMGetTargetMachineTriple(u->machine);
    LLVMSetModuleDataLayout(u->module, layout);
    LLVMSetTarget(u->module, triple);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
}

// Declares kernels of other parts, and exports this part's kernels to them.
static LLVMValueRef kernel(MgCpuEmit *e, const MgCpuUnit *u, uint32_t i) {
    const MgKernel *k = e->program->kernels.at[i];
    bool whole = !u->part_of, here = whole || u->part_of[i] == u->part;
    LLVMValueRef f = here ? mg_cpu_kernel(e, k) : mg_cpu_declare_kernel(e, k);
    if (whole)
        return f;
    // Kernels may share a name; the number tells them apart in every part.
    const char *name = mg_arena_printf(e->arena, "k%u_%s", i, mg_name(k->names, k->name));
    LLVMSetValueName2(f, name, strlen(name));
    LLVMSetLinkage(f, LLVMExternalLinkage);
    return f;
}

static void build_image(MgCpuEmit *e, const MgCpuForm *form) {
    LLVMValueRef run = mg_cpu_run(e), bind = mg_cpu_bind(e), costs = mg_cpu_costs(e);
    mg_cpu_image(e, run, bind, costs);
    if (form && form->generic)
        mg_cpu_sizes(e);
}

MgCpuEmit mg_cpu_new_module(MgSession *session, MgArena *arena, const MgCpuTarget *target,
                            const char *name, MgCpuUnit *u) {
    set_module(u, name);
    return (MgCpuEmit){.session = session,
                       .arena = arena,
                       .target = target,
                       .context = u->context,
                       .module = u->module,
                       .builder = u->builder,
                       .allocas = u->allocas,
                       .t = types_of(u->context)};
}

bool mg_cpu_build(MgSession *session, MgProgram *p, const MgCpuTarget *target,
                  const MgCpuForm *form, MgCpuUnit *u) {
    uint32_t errors = session->n_errors;
    MgArena *arena = mg_arena_new(session->mem);
    MgCpuEmit e =
        mg_cpu_new_module(session, arena, target, mg_name(session->names, p->graph->name), u);
    e.program = p;
    e.form = form;
    e.device = u->device;
    e.kernels = MG_NEW_N(arena, LLVMValueRef, p->kernels.len + 1);
    for (uint32_t i = 0; i < p->kernels.len && !e.device; i++)
        if (!u->part || u->part_of[i] == u->part)
            e.kernels[i] = kernel(&e, u, i);
    if (!u->part)
        build_image(&e, form);
    mg_arena_free(arena);
    return session->n_errors == errors;
}

bool mg_cpu_verify(MgCpuUnit *u) {
    if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &u->message))
        return false;
    LLVMDisposeMessage(u->message);
    u->message = NULL;
    return true;
}

bool mg_cpu_run_passes(MgCpuUnit *u, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(u->module, passes, u->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    u->message = LLVMCreateMessage(message);
    LLVMDisposeErrorMessage(message);
    return false;
}

bool mg_cpu_optimise(MgCpuUnit *u) {
    return mg_cpu_verify(u) && mg_cpu_run_passes(u, pipeline);
}

bool mg_cpu_generate(MgCpuUnit *u, LLVMCodeGenFileType type) {
    return !LLVMTargetMachineEmitToMemoryBuffer(u->machine, u->module, type, &u->message,
                                                &u->result);
}

static void *make_object(void *object) {
    MgCpuUnit *u = object;
    u->good = mg_cpu_optimise(u) && mg_cpu_generate(u, LLVMObjectFile);
    mg_cpu_drop(u);
    return NULL;
}

void mg_cpu_start(MgCpuUnit *u) {
    u->threaded = mg_cpu_thread(&u->thread, make_object, u);
}

bool mg_cpu_finish(MgCpuUnit *u) {
    if (u->threaded)
        pthread_join(u->thread, NULL);
    else
        make_object(u);
    u->threaded = false;
    return u->good;
}

void mg_cpu_take(MgSession *session, MgCpuUnit *u, unsigned char **bytes, size_t *length) {
    *length = LLVMGetBufferSize(u->result);
    *bytes = malloc(*length + 1);
    if (!*bytes)
        mg_mem_fail(session->mem);
    memcpy(*bytes, LLVMGetBufferStart(u->result), *length);
}

MgCpuUnit *mg_cpu_begin(MgSession *session, const MgCpuTarget *target) {
    MgCpuUnit *u = calloc(1, sizeof *u);
    if (!u)
        mg_mem_fail(session->mem);
    mg_mem_defer(session->mem, release, u);
    u->context = LLVMContextCreate();
    u->builder = LLVMCreateBuilderInContext(u->context);
    u->allocas = LLVMCreateBuilderInContext(u->context);
    u->machine = mg_cpu_machine(session, target);
    if (u->machine)
        return u;
    mg_cpu_end(session, u);
    return NULL;
}

void mg_cpu_end(MgSession *session, MgCpuUnit *u) {
    if (!u)
        return;
    mg_mem_undefer(session->mem, u);
    release(u);
}
