// The OpenCL backend as mgc sees it: it prints kernels.
#include "backends/backend.h"
#include "backends/opencl/print.h"

// A portable target: vectors of eight floats, which a compiler splits where the device has less;
// OpenCL C has vectors of up to 16 lanes.
static bool target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)session, (void)march;
    *info = (MgTargetInfo){.name = "opencl",
                           .vector_bytes = 32,
                           .max_lanes = 16,
                           .vector_registers = 16,
                           .fma_units = 2,
                           .l1_bytes = 32 << 10,
                           .l2_bytes = 1 << 20,
                           .l3_bytes = 16 << 20,
                           .workers = 16};
    return true;
}

static bool emit(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out) {
    (void)march, (void)what;
    MgLegaliseOptions options = {.f16 = false};
    bool ok = true;
    MgClSource source;
    mg_opencl_source_begin(&source, session->arena, out);
    for (uint32_t i = 0; i < program->kernels.len; i++) {
        mg_kernel_legalise(program->kernels.at[i], &options);
        ok &= mg_opencl_print_kernel(session, program->kernels.at[i], &source, NULL) > 0;
    }
    return ok;
}

const MgBackend mg_opencl_backend = {.name = "opencl", .target_info = target_info, .emit = emit};
