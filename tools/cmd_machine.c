// mgc machine prints the figures by which kernels are chosen, in the form of a machine's file.
#include "tools/mgc.h"

#include "runtime/device.h"
#include "runtime/machine_file.h"

#include <stdlib.h>

// This CPU's figures, with those that mgc probe kept.
static int machine_here(MgSession *session, const MgcOptions *options, MgMachine *machine) {
    MgTargetInfo info;
    const MgMachine *kept = NULL;
    MgCache *cache = mgc_cache_open(options);
    bool ok = mg_backend_find("cpu")->target_info(session, NULL, &info) &&
              mg_machine_choose(session, NULL, cache, &kept);
    mg_cache_close(cache);
    *machine = kept ? *kept : info.machine;
    return !ok;
}

static int machine_of_device(MgSession *session, const MgcOptions *options, MgMachine *machine) {
    MgTargetInfo info;
    MgDevice *device;
    char *message = NULL;
    MgStatus status = mg_device_open(options->device, NULL, &device, &message);
    if (status) {
        mgc_fail((int)status, "%s", message ? message : "out of memory");
        free(message);
        return (int)status;
    }
    bool ok = mg_backend_find("opencl")->target_info(session, mg_device_march(device), &info);
    mg_device_release(device);
    if (ok)
        *machine = info.machine;
    return !ok;
}

static int machine(MgSession *session, const MgcOptions *options) {
    MgMachine machine;
    const MgMachine *named = NULL;
    MgText out = mg_text(session->arena);
    bool gpu = options->target && strcmp(options->target, "cpu") != 0;
    if (options->file && !mg_machine_choose(session, options->file, NULL, &named))
        return 1;
    int status = named ? 0
                 : gpu ? machine_of_device(session, options, &machine)
                       : machine_here(session, options, &machine);
    if (status)
        return status;
    if (named)
        machine = *named;
    bool device = !strcmp(machine.isa, "opencl");
    mg_machine_print(&machine, device ? MG_FIGURE_GPU : MG_FIGURE_CPU, &out);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_machine(const MgcOptions *options) {
    return mgc_in_session(options, machine);
}
