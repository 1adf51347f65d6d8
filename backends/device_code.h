// From a backend of a device to the CPU backend, which makes the object: the kernels as text of the
// device's language, and what launching them takes. Host code stays the CPU backend's business.
#ifndef MG_BACKENDS_DEVICE_CODE_H
#define MG_BACKENDS_DEVICE_CODE_H

#include "ir/program.h"

typedef struct MgDeviceKernel {
    const char *name; // in the source; NULL: nothing calls it
    bool traps;
} MgDeviceKernel;

typedef struct MgDeviceCode {
    const char *target; // whom it is made for, as the image tells
    const char *source;
    size_t length;
    const MgDeviceKernel *kernels; // parallel to the program's
} MgDeviceCode;

// One object file's bytes (ELF, malloc'd, the caller's): p's plan, bind and costs as code of this
// machine, which launches device's kernels. p is split (ir/program_split.h) and legalised.
bool mg_cpu_object_for_device(MgSession *session, MgProgram *p, const MgDeviceCode *device,
                              unsigned char **bytes, size_t *length);
// What distinguishes host code made here from that made elsewhere, as text for a cache key.
bool mg_cpu_host_key(MgSession *session, MgText *out);
// MgBackend's prepare for code of this machine: a thread of the session's loads LLVM.
void mg_cpu_prepare_host(MgSession *session);

#endif
