// The OpenCL backend: it prints kernels as OpenCL C, and makes an image that launches them. The CPU
// backend makes the image's host code.
#include "backends/backend.h"
#include "backends/device_code.h"
#include "backends/opencl/print.h"
#include "ir/program_split.h"

#include <stdlib.h>

// The value of a name in "name=value,name=value", or `otherwise` if it is missing.
static uint32_t number(const char *list, const char *name, uint32_t otherwise) {
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && at[length] == '=') {
            unsigned long v = strtoul(at + length + 1, NULL, 10);
            return v > 0 && v < 1u << 30 ? (uint32_t)v : otherwise;
        }
    return otherwise;
}

// march holds a device's properties, "cu=132,items=1024,local=49152,warp=32,registers=255", and
// measurements, "launch=4100,barrier=900". What it leaves out defaults to what every current device
// has. Vectors have 16 bytes, which a GPU loads at once.
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
                           .registers = number(march, "registers", 255),
                           .ptx = number(march, "ptx", 0),
                           .launch_ns = number(march, "launch", 5000),
                           .barrier_ns = number(march, "barrier", 900),
                           .launch_measured = number(march, "launch", 0) != 0,
                           .barrier_measured = number(march, "barrier", 0) != 0};
    info->workers = info->compute_units * 4;
    // A Hopper's groups may use 227 KiB (measured), although OpenCL reports 48. Some later devices
    // have less than half of that.
    info->local_most = info->ptx / 10 == 9 ? 227 << 10 : info->local_bytes;
    return true;
}

static void mark_called(const MgKBlock *b, bool *called) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        if (s->kind == MG_KS_CALL)
            called[s->call->kernel] = true;
        mark_called(&s->body, called);
        mark_called(&s->orelse, called);
    }
}

// Prints every kernel that the plan calls. No barrier over the grid is left in them.
static bool print_all(MgSession *session, MgProgram *p, MgText *out, MgDeviceKernel *kernels) {
    MgLegaliseOptions options = {.f16 = false};
    MgClSource source;
    if (!mg_program_split(p))
        return false;
    bool ok = true, *called = MG_NEW_N(session->arena, bool, p->kernels.len + 1);
    mark_called(&p->plan->body, called);
    mg_opencl_source_begin(&source, session->arena, out);
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        const char *name = NULL;
        if (!called[i])
            continue;
        mg_kernel_legalise(p->kernels.at[i], &options);
        ok &= mg_opencl_print_kernel(session, p->kernels.at[i], &source, &name);
        if (kernels)
            kernels[i] = (MgDeviceKernel){name, mg_opencl_can_trap(p->kernels.at[i])};
    }
    return ok;
}

static bool emit(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out) {
    (void)march, (void)what;
    return print_all(session, program, out, NULL);
}

static bool object(MgSession *session, MgProgram *program, const char *march, unsigned char **bytes,
                   size_t *length) {
    MgText source = mg_text(session->arena);
    if (!mg_program_split(program)) // splitting adds kernels, so it comes before counting
        return false;
    MgDeviceKernel *kernels = MG_NEW_N(session->arena, MgDeviceKernel, program->kernels.len + 1);
    if (!print_all(session, program, &source, kernels))
        return false;
    MgDeviceCode code = {.target = march ? march : "opencl",
                         .source = mg_text_str(&source),
                         .length = source.bytes.len,
                         .kernels = kernels};
    return mg_cpu_object_for_device(session, program, &code, bytes, length);
}

// The kernels depend on march, the host code on this machine.
static bool target_key(MgSession *session, const char *march, MgText *out) {
    mg_textf(out, "%s, host ", march ? march : "portable");
    return mg_cpu_host_key(session, out);
}

const MgBackend mg_opencl_backend = {.name = "opencl",
                                     .target_info = target_info,
                                     .prepare = mg_cpu_prepare_host,
                                     .emit = emit,
                                     .object = object,
                                     .on_device = true,
                                     .target_key = target_key};
