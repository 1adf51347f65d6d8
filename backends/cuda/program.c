// Programs: OpenCL C, which OpenCL's compiler turns into PTX, which the CUDA driver's assembler
// compiles in two parts (ptx.h).
#include "backends/cuda/host.h"
#include "backends/cuda/ptx.h"

#include "backends/opencl/host/compiler.h"
#include "backends/opencl/host/ptx.h"

#include <stdlib.h>
#include <string.h>

enum { LOG = 8192 };

typedef struct Log { // the assembler's words
    char text[LOG + 1];
    int options[2];
    void *values[2];
} Log;

// Sets the options, and returns their values; the driver writes how much it wrote into the size.
static void **fresh(Log *log) {
    log->options[0] = MG_CU_ERROR_LOG;
    log->options[1] = MG_CU_ERROR_LOG_SIZE;
    log->values[0] = log->text;
    log->values[1] = (void *)(uintptr_t)LOG;
    return log->values;
}

// ---------------------------------------------------------------- images

// Makes an image of both parts; `ptx` is NULL if there is none.
static bool join(const void *cubin, size_t bytes, const char *ptx, MgCuImage *image) {
    uint64_t n = bytes;
    size_t rest = ptx ? strlen(ptx) + 1 : 0;
    *image = (MgCuImage){malloc(sizeof n + bytes + rest), sizeof n + bytes + rest};
    if (!image->at)
        return false;
    memcpy(image->at, &n, sizeof n);
    if (bytes)
        memcpy(image->at + sizeof n, cubin, bytes);
    if (rest)
        memcpy(image->at + sizeof n + bytes, ptx, rest);
    return true;
}

// Loads the modules of an image, which the program takes over.
static MgHostStatus load(MgCuHost *d, MgCuImage image, Log *log, MgHostProgram **program) {
    uint64_t n = 0;
    if (image.bytes >= sizeof n)
        memcpy(&n, image.at, sizeof n);
    bool whole = image.bytes >= sizeof n && n <= image.bytes - sizeof n;
    size_t rest = whole ? image.bytes - sizeof n - n : 0;
    whole &= !rest || !image.at[image.bytes - 1];
    MgHostProgram *p = whole ? calloc(1, sizeof *p) : NULL;
    MgHostStatus status = whole ? p ? 0 : MG_CU_OUT_OF_MEMORY : MG_CU_INVALID_IMAGE;
    if (!status && n)
        status =
            d->cu.load(&p->modules[MG_CU_LINKED], image.at + sizeof n, 2, log->options, fresh(log));
    if (!status && rest)
        status = d->cu.load(&p->modules[MG_CU_WHOLE], image.at + sizeof n + n, 2, log->options,
                            fresh(log));
    if (status) {
        if (p && p->modules[MG_CU_LINKED])
            d->cu.unload(p->modules[MG_CU_LINKED]);
        free(p);
        free(image.at);
        return status;
    }
    p->references = 1;
    p->image = image;
    *program = p;
    return 0;
}

// ---------------------------------------------------------------- building

static MgHostStatus assemble(MgCuHost *d, char *linked, const char *whole, Log *log,
                             MgHostProgram **program) {
    MgCuLink link = NULL;
    MgCuImage image = {0};
    void *cubin = NULL;
    size_t bytes = 0;
    MgHostStatus status = linked ? d->cu.link(2, log->options, fresh(log), &link) : 0;
    if (!status && linked)
        status = d->cu.link_add(link, MG_CU_INPUT_PTX, linked, strlen(linked) + 1, "kernels", 0,
                                NULL, NULL);
    if (!status && linked)
        status = d->cu.link_end(link, &cubin, &bytes);
    if (!status && !join(cubin, bytes, whole, &image))
        status = MG_CU_OUT_OF_MEMORY;
    if (link)
        d->cu.link_free(link);
    return status ? status : load(d, image, log, program);
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
    char *parts[MG_CU_PARTS] = {NULL};
    uint32_t n[MG_CU_PARTS] = {0};
    Log words = {0};
    bool made = unmarked;
    for (int i = 0; i < MG_CU_PARTS && made; i++) {
        parts[i] = mg_cu_ptx(unmarked, (MgCuPart)i, &n[i]);
        made = parts[i];
    }
    status = made ? assemble(d, n[MG_CU_LINKED] || !n[MG_CU_WHOLE] ? parts[MG_CU_LINKED] : NULL,
                             n[MG_CU_WHOLE] ? parts[MG_CU_WHOLE] : NULL, &words, program)
                  : MG_CU_OUT_OF_MEMORY;
    if (status && words.text[0])
        *log = strdup(words.text);
    for (int i = 0; i < MG_CU_PARTS; i++)
        free(parts[i]);
    free(ptx);
    free(unmarked);
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
        MgCuImage image = {malloc(code->length + 1), code->length};
        Log unread = {0};
        status = MG_CU_OUT_OF_MEMORY;
        if (image.at) {
            memcpy(image.at, code->bytes, code->length);
            status = load(d, image, &unread, program);
        }
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
    *bytes = malloc(p->image.bytes + 1);
    if (*bytes)
        memcpy(*bytes, p->image.at, p->image.bytes);
    *length = p->image.bytes;
    return *bytes;
}

void mg_cu_free_program(MgHostDevice *device, MgHostProgram *p) {
    MgCuHost *d = mg_cu(device);
    if (atomic_fetch_sub(&p->references, 1) > 1)
        return;
    if (!mg_cu_enter(d)) {
        MgHostStatus status = 0;
        for (int i = 0; i < MG_CU_PARTS; i++) {
            MgHostStatus unloaded = p->modules[i] ? d->cu.unload(p->modules[i]) : 0;
            status = status ? status : unloaded;
        }
        mg_cu_leave(d, status);
    }
    free(p->image.at);
    free(p);
}
