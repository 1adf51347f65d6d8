// The OpenCL backend as mgc sees it: it prints kernels.
#include "backends/backend.h"
#include "backends/opencl/print.h"

#include <stdlib.h>

// The value of a name in "name=value,name=value", or what it is without one.
static uint32_t number(const char *list, const char *name, uint32_t otherwise) {
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && at[length] == '=') {
            unsigned long v = strtoul(at + length + 1, NULL, 10);
            return v > 0 && v < 1u << 30 ? (uint32_t)v : otherwise;
        }
    return otherwise;
}

// march: the numbers of a device, "cu=132,items=1024,local=49152,warp=32,registers=255"; what it
// does not say is what every device of today has. Vectors are of 16 bytes, which a GPU loads at
// once.
static bool target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)session;
    *info = (MgTargetInfo){.name = "opencl",
                           .gpu = true,
                           .vector_bytes = 16,
                           .max_lanes = 4,
                           .vector_registers = 16,
                           .fma_units = 1,
                           .l1_bytes = 32 << 10,
                           .l2_bytes = 1 << 20,
                           .l3_bytes = 16 << 20,
                           .compute_units = number(march, "cu", 32),
                           .max_items = number(march, "items", 256),
                           .local_bytes = number(march, "local", 32 << 10),
                           .warp = number(march, "warp", 32),
                           .registers = number(march, "registers", 255)};
    info->workers = info->compute_units * 4;
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
