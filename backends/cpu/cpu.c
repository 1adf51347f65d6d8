// The CPU backend. It emits a program as LLVM IR, as assembly or as one ELF object, and several
// programs as a library.
#include "backends/backend.h"
#include "backends/cpu/library.h"

static bool emit(MgSession *session, MgProgram *p, const char *march, const char *what,
                 MgText *out) {
    bool llvm = strcmp(what, "llvm") == 0;
    MgCpuTarget target;
    if (!llvm && strcmp(what, "asm") != 0) {
        mg_diag(session, mg_no_span(), MG_D_cpu_what, what);
        return false;
    }
    if (!mg_cpu_target(session, march, &target))
        return false;
    MgCpuUnit *u = mg_cpu_begin(session, &target);
    mg_cpu_legalise(p, &target);
    bool good = u && mg_cpu_build(session, p, &target, NULL, u) &&
                (mg_cpu_optimise(u) || mg_cpu_report(session, u));
    if (good && llvm) {
        char *text = LLVMPrintModuleToString(u->module);
        mg_text_add(out, text);
        LLVMDisposeMessage(text);
    } else if (good) {
        good = mg_cpu_generate(u, LLVMAssemblyFile) || mg_cpu_report(session, u);
        if (good)
            mg_text_add_n(out, LLVMGetBufferStart(u->result), LLVMGetBufferSize(u->result));
    }
    mg_cpu_end(session, u);
    return good;
}

static bool make_object(MgSession *session, MgProgram *p, const char *march,
                        const MgDeviceCode *device, unsigned char **bytes, size_t *length) {
    MgCpuTarget target;
    if (!mg_cpu_target(session, march, &target))
        return false;
    return mg_cpu_image_object(session, p, &target, device, bytes, length);
}

static bool object(MgSession *session, MgProgram *p, const char *march, unsigned char **bytes,
                   size_t *length) {
    return make_object(session, p, march, NULL, bytes, length);
}

bool mg_cpu_object_for_device(MgSession *session, MgProgram *p, const MgDeviceCode *device,
                              unsigned char **bytes, size_t *length) {
    return make_object(session, p, NULL, device, bytes, length);
}

bool mg_cpu_host_key(MgSession *session, MgText *out) {
    return mg_cpu_target_key(session, NULL, out);
}

const MgBackend mg_cpu_backend = {.name = "cpu",
                                  .target_info = mg_cpu_target_info,
                                  .prepare = mg_cpu_prepare_host,
                                  .emit = emit,
                                  .object = object,
                                  .library = mg_cpu_library,
                                  .runs_here = mg_cpu_runs_here,
                                  .target_key = mg_cpu_target_key};
