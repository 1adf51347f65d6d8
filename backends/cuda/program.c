// Programs: OpenCL C, which OpenCL's compiler turns into PTX, from which the CUDA driver makes a
// binary.
#include "backends/cuda/host.h"
#include "backends/cuda/ptx.h"

#include "backends/opencl/host/compiler.h"
#include "backends/opencl/host/ptx.h"

#include <stdlib.h>
#include <string.h>

enum { LOG = 8192 };

static MgHostStatus load(MgCuHost *d, void *cubin, size_t bytes, MgHostProgram **program) {
    MgHostProgram *p = calloc(1, sizeof *p);
    void *copy = p ? malloc(bytes) : NULL;
    if (!copy) {
        free(p);
        return MG_CU_OUT_OF_MEMORY;
    }
    *p = (MgHostProgram){.references = 1, .cubin = memcpy(copy, cubin, bytes), .bytes = bytes};
    MgHostStatus status = d->cu.load(&p->module, cubin);
    if (status) {
        free(copy);
        free(p);
    } else {
        *program = p;
    }
    return status;
}

static MgHostStatus assemble(MgCuHost *d, char *ptx, MgHostProgram **program, char *log) {
    MgCuLink link = NULL;
    int options[] = {MG_CU_ERROR_LOG, MG_CU_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)LOG}, *cubin;
    size_t bytes;
    MgHostStatus status = d->cu.link(2, options, values, &link);
    status = status ? status
                    : d->cu.link_add(link, MG_CU_INPUT_PTX, ptx, strlen(ptx) + 1, "kernels", 0,
                                     NULL, NULL);
    status = status ? status : d->cu.link_end(link, &cubin, &bytes);
    status = status ? status : load(d, cubin, bytes, program);
    if (link)
        d->cu.link_free(link);
    return status;
}

// plain: without the instructions that stand behind marks. *log stays NULL unless the compiler or
// the assembler refuses the code.
static MgHostStatus from_source(MgCuHost *d, const MgHostCode *code, bool plain,
                                MgHostProgram **program, char **log) {
    unsigned char *ptx = NULL;
    size_t length = 0;
    MgHostStatus status =
        mg_cl_to_ptx(d->compiler, code, plain ? "MG_PLAIN" : "MG_BOXES", &ptx, &length, log);
    if (status)
        return MG_CU_INVALID_PTX;
    char *unmarked = plain || !mg_ptx_is_marked(ptx, length)
                         ? strndup((char *)ptx, length)
                         : mg_ptx_unmarked(ptx, length, &length);
    char *text = unmarked ? mg_cu_ptx(unmarked) : NULL, *refused = calloc(1, LOG + 1);
    status = text && refused ? assemble(d, text, program, refused) : MG_CU_OUT_OF_MEMORY;
    if (status && refused && refused[0]) {
        *log = refused;
        refused = NULL;
    }
    free(ptx);
    free(unmarked);
    free(text);
    free(refused);
    return status;
}

MgHostStatus mg_cu_build(MgHostDevice *device, const MgHostCode *code, MgHostProgram **program,
                         char **log) {
    MgCuHost *d = mg_cu(device);
    *program = NULL;
    MgHostStatus status = mg_cu_enter(d);
    if (status)
        return status;
    if (code->binary) {
        status = load(d, (void *)(uintptr_t)code->bytes, code->length, program);
    } else {
        status = from_source(d, code, false, program, log);
        if (status && mg_ptx_is_marked(code->bytes, code->length)) {
            free(*log);
            *log = NULL;
            status = from_source(d, code, true, program, log);
        }
    }
    return mg_cu_leave(d, status);
}

bool mg_cu_binary(MgHostDevice *device, MgHostProgram *p, unsigned char **bytes, size_t *length) {
    (void)device;
    *bytes = malloc(p->bytes + 1);
    if (*bytes)
        memcpy(*bytes, p->cubin, p->bytes);
    *length = p->bytes;
    return *bytes;
}

void mg_cu_free_program(MgHostDevice *device, MgHostProgram *p) {
    MgCuHost *d = mg_cu(device);
    if (atomic_fetch_sub(&p->references, 1) > 1)
        return;
    if (!mg_cu_enter(d))
        mg_cu_leave(d, d->cu.unload(p->module));
    free(p->cubin);
    free(p);
}
