// A backend is one table of functions. mgc finds backends in mg_backends[].
#ifndef MG_BACKENDS_BACKEND_H
#define MG_BACKENDS_BACKEND_H

#include "backends/library.h"

typedef struct MgBackend {
    const char *name; // "cpu", "opencl", "null"
    // Fills in the numbers that schedules may use; if march is NULL, those of the host. Returns
    // false with a diagnostic on failure.
    bool (*target_info)(MgSession *session, const char *march, MgTargetInfo *info);
    // Begins to load, in the background, what making an object needs. It is called once, as soon as
    // it is known that an object will be made, and its work ends with the session. May be NULL.
    void (*prepare)(MgSession *session);
    // The program as text: source of the target at level "kernels" (LLVM IR, OpenCL C), or
    // assembly.
    bool (*emit)(MgSession *session, MgProgram *program, const char *march, const char *what,
                 MgText *out);
    // Makes the bytes of one ELF object file, malloc'd; the caller owns them.
    bool (*object)(MgSession *session, MgProgram *program, const char *march, unsigned char **bytes,
                   size_t *length);
    // Makes a stand-alone library as one object file, malloc'd. NULL if the backend makes no
    // libraries.
    bool (*library)(MgSession *session, const MgLibrary *library, const char *march,
                    unsigned char **bytes, size_t *length);
    // Do its objects launch kernels on a device (MgImage.device)? If so, march holds the numbers of
    // that device.
    bool on_device;
    // Can this machine run objects made for march? If not, leaves a diagnostic. NULL if it always
    // can.
    bool (*runs_here)(MgSession *session, const char *march);
    // Writes text for a cache key that differs between objects for march and objects for another
    // CPU or from another code generator. May be NULL.
    bool (*target_key)(MgSession *session, const char *march, MgText *out);
} MgBackend;
extern const MgBackend *const mg_backends[]; // NULL-terminated
const MgBackend *mg_backend_find(const char *name);

#endif
