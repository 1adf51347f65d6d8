// The OpenCL backend: it prints kernels as OpenCL C, and makes an image that launches them. The CPU
// backend makes the image's host code.
#include "backends/backend.h"
#include "backends/device_code.h"
#include "backends/nvptx/ptx.h"
#include "backends/opencl/print.h"
#include "ir/kernel_walk.h"
#include "ir/program_split.h"

#include <stdio.h>
#include <stdlib.h>

// The meaning of the names in a device's march.
static const struct {
    const char *name;
    MgFigure figure;
} properties[] = {{"cu", MG_FIG_units},
                  {"items", MG_FIG_group_items},
                  {"local", MG_FIG_local_size},
                  {"warp", MG_FIG_step_items},
                  {"registers", MG_FIG_item_registers},
                  {"ptx", MG_FIG_ptx},
                  {"boxes", MG_FIG_boxes},
                  {"posts", MG_FIG_posts},
                  {"launch", MG_FIG_launch},
                  {"barrier", MG_FIG_barrier}};

// The value of a name in "machine,name=value,name=value", or 0 if it is missing.
static uint32_t number(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && at[length] == '=') {
            unsigned long v = strtoul(at + length + 1, NULL, 10);
            return v > 0 && v < 1u << 30 ? (uint32_t)v : 0;
        }
    return 0;
}

// The machine with which a march begins, or else the one nearest to a device.
static bool find_machine(MgSession *session, const char *march, MgMachine *machine) {
    char name[MG_MACHINE_NAME];
    size_t length = march ? strcspn(march, ",") : 0;
    bool named = length && !memchr(march, '=', length);
    if (!named)
        return mg_machine_find(number(march, "ptx") / 10 == 9 ? "hopper" : "gpu", machine);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), march);
    if (mg_machine_find(name, machine) && !strcmp(machine->isa, "opencl"))
        return true;
    mg_diag(session, mg_no_span(), MG_D_opencl_march, march);
    return false;
}

// march holds a device's properties, "cu=132,items=1024,local=49152,warp=32,registers=255", and
// measurements, "launch=4100,barrier=900". They may follow a machine's name, which gives the
// others.
static bool target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    MgMachine machine;
    if (!find_machine(session, march, &machine))
        return false;
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        uint32_t value = number(march, properties[i].name);
        if (value)
            mg_machine_set(&machine, properties[i].figure, value, "this device");
    }
    *info = (MgTargetInfo){.name = "opencl",
                           .gpu = true,
                           .max_lanes = 4,
                           .f16 = true, // vload_half and vstore_half are core functions
                           .rough_exp2 = true,
                           .fma_units = 1,
                           .launch_measured = number(march, "launch") != 0,
                           .barrier_measured = number(march, "barrier") != 0};
    mg_target_use(info, &machine);
    info->bf16 = mg_machine_has_units(&machine);
    info->workers = info->compute_units * 4;
    return true;
}

static bool mark_called(void *called, const MgKs *s) {
    if (s->kind == MG_KS_CALL)
        ((bool *)called)[s->call->kernel] = true;
    return false;
}

// Prints every kernel that the plan calls. No barrier over the grid is left in them. Returns the
// kernels' names, NULL for one that nothing calls; or NULL with a diagnostic if OpenCL C lacks what
// a kernel has.
static const char **print_all(MgSession *session, MgProgram *p, MgText *out) {
    MgLegaliseOptions options = {.f16 = true};
    MgClSource source;
    if (!mg_program_split(p)) // splitting adds kernels, so it comes before counting
        return NULL;
    const char **names = MG_NEW_N(session->arena, const char *, p->kernels.len + 1);
    bool ok = true, *called = MG_NEW_N(session->arena, bool, p->kernels.len + 1);
    mg_kblock_any(&p->plan->body, &(MgKAsk){.statement = mark_called, .ctx = called});
    mg_opencl_source_begin(&source, session->arena, out);
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        if (!called[i])
            continue;
        mg_kernel_legalise(p->kernels.at[i], &options);
        ok &= mg_opencl_print_kernel(session, p->kernels.at[i], &source, &names[i]);
    }
    return ok ? names : NULL;
}

// Is march a device that runs PTX of LLVM's? Its host makes maps of tensors, and its capability is
// the one that the PTX is for.
static bool runs_ptx(MgSession *session, const char *march) {
    MgTargetInfo info;
    return target_info(session, march, &info) && info.boxes && mg_machine_has_wide(&info.machine);
}

static bool emit(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out) {
    bool c = !strcmp(what, "opencl") || !runs_ptx(session, march);
    MgText source = mg_text(session->arena);
    const char **names = print_all(session, program, c ? out : &source);
    return names && (c || mg_nv_write(session, program, names,
                                      strcmp(what, "llvm") ? MG_NV_PTX : MG_NV_LLVM, out));
}

static bool object(MgSession *session, MgProgram *program, const char *march, unsigned char **bytes,
                   size_t *length) {
    MgText source = mg_text(session->arena);
    const char **names = print_all(session, program, &source);
    if (!names ||
        (runs_ptx(session, march) && !mg_nv_write(session, program, names, MG_NV_PTX, &source)))
        return false;
    MgDeviceKernel *kernels = MG_NEW_N(session->arena, MgDeviceKernel, program->kernels.len + 1);
    for (uint32_t i = 0; i < program->kernels.len; i++)
        if (names[i])
            kernels[i] = (MgDeviceKernel){names[i], mg_device_can_trap(program->kernels.at[i])};
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
