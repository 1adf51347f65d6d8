// What a device's backend hands to the CPU backend, which makes the object: the kernels as text in
// the device's language, and the facts needed to launch them. Only the CPU backend generates host
// code.
#ifndef MG_BACKENDS_DEVICE_CODE_H
#define MG_BACKENDS_DEVICE_CODE_H

#include "ir/program.h"

typedef struct MgDeviceKernel {
    const char *name; // its name in the source; NULL: nothing calls it
    bool traps;
} MgDeviceKernel;

typedef struct MgDeviceCode {
    const char *target; // the device for which it was made, as the image reports it
    const char *source;
    size_t length;
    const MgDeviceKernel *kernels; // parallel to the program's kernels
} MgDeviceCode;

// Makes the bytes of one ELF object file (malloc'd; the caller owns them): p's plan, bind and costs
// as code of this machine, which launches the device's kernels. p must be split
// (ir/program_split.h) and legalised.
bool mg_cpu_object_for_device(MgSession *session, MgProgram *p, const MgDeviceCode *device,
                              unsigned char **bytes, size_t *length);
// Writes text for a cache key that differs between host code made here and host code made
// elsewhere.
bool mg_cpu_host_key(MgSession *session, MgText *out);
// MgBackend's prepare for code of this machine: a thread of the session loads LLVM.
void mg_cpu_prepare_host(MgSession *session);

#endif
