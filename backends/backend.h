// A backend is one table of functions. mgc finds backends in mg_backends[].
#ifndef MG_BACKENDS_BACKEND_H
#define MG_BACKENDS_BACKEND_H

#include "backends/library.h"

typedef struct MgBackend {
    const char *name; // "cpu", "opencl", "null"
    // Fills in the numbers that schedules may use: the host's if march is NULL. Returns false with
    // a diagnostic on failure.
    bool (*target_info)(MgSession *session, const char *march, MgTargetInfo *info);
    // Begins, in the background, to load what making an object needs. It is called once, as soon as
    // it is clear that an object will be made, and its work ends with the session. May be NULL.
    void (*prepare)(MgSession *session);
    // The program as text: "kernels" level source of the target (LLVM IR, OpenCL C), or assembly.
    bool (*emit)(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out);
    // Makes the bytes of one ELF object file, malloc'd and owned by the caller.
    bool (*object)(MgSession *session, MgProgram *program, const char *march, unsigned char **bytes,
                   size_t *length);
    // Makes a library that stands alone, as one object file, malloc'd. NULL if the backend makes no
    // libraries.
    bool (*library)(MgSession *session, const MgLibrary *library, const char *march,
                    unsigned char **bytes, size_t *length);
    // Whether its objects launch kernels on a device (MgImage.device). If so, march holds that
    // device's numbers.
    bool on_device;
    // Whether this machine can run objects made for march. If not, it leaves a diagnostic. NULL if
    // it always can.
    bool (*runs_here)(MgSession *session, const char *march);
    // Text for a cache key that differs between objects for march and those for another CPU or from
    // another code generator. May be NULL.
    bool (*target_key)(MgSession *session, const char *march, MgText *out);
} MgBackend;
extern const MgBackend *const mg_backends[]; // NULL-terminated
const MgBackend *mg_backend_find(const char *name);

#endif
