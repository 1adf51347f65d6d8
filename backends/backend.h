// What a backend is: one table of functions. mgc finds backends in mg_backends[].
#ifndef MG_BACKENDS_BACKEND_H
#define MG_BACKENDS_BACKEND_H

#include "backends/library.h"

typedef struct MgBackend {
    const char *name; // "cpu", "opencl", "null"
    // Fills the numbers a schedule may use. march NULL: the host. False with a diagnostic.
    bool (*target_info)(MgSession *session, const char *march, MgTargetInfo *info);
    // Begins in the background what making an object will need; called as soon as one is known to
    // be made, and then once. What it begins ends with the session. NULL: there is nothing.
    void (*prepare)(MgSession *session);
    // The program as text: "kernels" level source of the target (LLVM IR, OpenCL C), or assembly.
    bool (*emit)(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out);
    // One object file's bytes (ELF), malloc'd, owned by the caller.
    bool (*object)(MgSession *session, MgProgram *program, const char *march, unsigned char **bytes,
                   size_t *length);
    // A library that stands alone, as one object file; malloc'd. NULL: the backend makes none.
    bool (*library)(MgSession *session, const MgLibrary *library, const char *march,
                    unsigned char **bytes, size_t *length);
    // Its objects launch kernels on a device (MgImage.device), and march tells that device's
    // numbers.
    bool on_device;
    // Can this machine run objects made for march? False with a diagnostic. NULL: it can.
    bool (*runs_here)(MgSession *session, const char *march);
    // What distinguishes objects made for march from those for another CPU or by another code
    // generator, as text for a cache key. NULL: nothing does.
    bool (*target_key)(MgSession *session, const char *march, MgText *out);
} MgBackend;
extern const MgBackend *const mg_backends[]; // NULL-terminated
const MgBackend *mg_backend_find(const char *name);

#endif
