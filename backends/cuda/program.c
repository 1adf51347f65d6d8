// Programs: OpenCL C, which OpenCL's compiler turns into PTX, which the CUDA driver's assembler
// compiles in parts at the same time (parts.h).
#include "backends/cuda/host.h"
#include "backends/cuda/ptx.h"

#include "backends/opencl/host/compiler.h"
#include "backends/opencl/host/ptx.h"
#include "support/threads.h"

#include <pthread.h>
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

// ---------------------------------------------------------------- parts

// The parts of a program while threads make their modules.
typedef struct Work {
    MgCuHost *d;
    MgHostProgram *p;
    atomic_uint next;
    pthread_mutex_t lock; // guards what follows, which is about the first part that fails
    uint32_t failed;
    MgHostStatus status;
    char *log; // from malloc; NULL: the assembler said nothing
} Work;

// Replaces the code of a part by the linker's binary.
static MgHostStatus link_part(MgCuHost *d, MgCuPart *part, Log *log) {
    MgCuLink link = NULL;
    void *cubin = NULL;
    size_t bytes = 0;
    MgHostStatus status = d->cu.link(2, log->options, fresh(log), &link);
    if (!status)
        status = d->cu.link_add(link, MG_CU_INPUT_PTX, part->code, part->bytes + 1, "kernels", 0,
                                NULL, NULL);
    if (!status)
        status = d->cu.link_end(link, &cubin, &bytes);
    char *code = status ? NULL : malloc(bytes + 1);
    if (code) {
        code[bytes] = 0;
        memcpy(code, cubin, bytes);
        free(part->code);
        *part = (MgCuPart){.code = code, .bytes = bytes};
    } else if (!status)
        status = MG_CU_OUT_OF_MEMORY;
    if (link)
        d->cu.link_free(link);
    return status;
}

static void make_module(Work *w, uint32_t i) {
    MgCuPart *part = &w->p->parts.at[i];
    Log log = {0};
    MgHostStatus status = mg_cu_enter(w->d);
    if (!status) {
        if (part->links)
            status = link_part(w->d, part, &log);
        if (!status)
            status = w->d->cu.load(&w->p->modules[i], part->code, 2, log.options, fresh(&log));
        mg_cu_leave(w->d, status);
    }
    pthread_mutex_lock(&w->lock);
    if (status && i < w->failed) {
        free(w->log);
        w->failed = i;
        w->status = status;
        w->log = log.text[0] ? strdup(log.text) : NULL;
    }
    pthread_mutex_unlock(&w->lock);
}

static void make_modules(void *work, uint32_t worker, uint32_t workers) {
    Work *w = work;
    (void)worker, (void)workers;
    for (uint32_t i; (i = atomic_fetch_add(&w->next, 1)) < w->p->parts.n;)
        make_module(w, i);
}

static void unload(MgCuHost *d, MgHostProgram *p) {
    if (!mg_cu_enter(d)) {
        for (uint32_t i = 0; i < p->parts.n; i++)
            if (p->modules[i])
                d->cu.unload(p->modules[i]);
        mg_cu_leave(d, 0);
    }
    mg_cu_parts_free(&p->parts);
    free(p);
}

// Makes the modules of a program at the same time: the driver's linker and assembler hold no lock.
static MgHostStatus make_all(MgCuHost *d, MgHostProgram *p, char **log) {
    uint32_t n = p->parts.n, cpus = mg_threads_available(), workers = n < cpus ? n : cpus;
    Work w = {.d = d, .p = p, .lock = PTHREAD_MUTEX_INITIALIZER, .failed = n};
    MgThreads *threads = workers > 1 ? mg_threads_new(workers, false) : NULL;
    if (!threads || !mg_threads_run(threads, make_modules, &w, workers))
        make_modules(&w, 0, 1);
    mg_threads_free(threads);
    pthread_mutex_destroy(&w.lock);
    *log = w.log;
    return w.status;
}

// Makes a program of parts, which it takes over.
static MgHostStatus make(MgCuHost *d, MgCuParts parts, MgHostProgram **program, char **log) {
    MgHostProgram *p = calloc(1, sizeof *p + parts.n * sizeof *p->modules);
    if (!p) {
        mg_cu_parts_free(&parts);
        return MG_CU_OUT_OF_MEMORY;
    }
    p->references = 1;
    p->parts = parts;
    MgHostStatus status = make_all(d, p, log);
    if (status)
        unload(d, p);
    else
        *program = p;
    return status;
}

// ---------------------------------------------------------------- building

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
    MgCuParts parts = {0};
    bool made = unmarked && mg_cu_ptx(unmarked, mg_threads_available(), &parts);
    free(ptx);
    free(unmarked);
    return made ? make(d, parts, program, log) : MG_CU_OUT_OF_MEMORY;
}

static MgHostStatus from_image(MgCuHost *d, const MgHostCode *code, MgHostProgram **program) {
    MgCuParts parts;
    char *unread = NULL;
    MgCuRead read = mg_cu_parts_read(code->bytes, code->length, &parts);
    MgHostStatus status = read == MG_CU_READ      ? make(d, parts, program, &unread)
                          : read == MG_CU_NO_ROOM ? MG_CU_OUT_OF_MEMORY
                                                  : MG_CU_INVALID_IMAGE;
    free(unread);
    return status;
}

MgHostStatus mg_cu_build(MgHostDevice *device, const MgHostCode *code, MgHostProgram **program,
                         char **log) {
    MgCuHost *d = mg_cu(device);
    *program = NULL;
    if (code->binary)
        return from_image(d, code, program);
    MgHostStatus status = from_source(d, code, false, program, log);
    if (status && mg_ptx_is_marked(code->bytes, code->length)) {
        free(*log);
        *log = NULL;
        status = from_source(d, code, true, program, log);
    }
    return status;
}

bool mg_cu_binary(MgHostDevice *device, MgHostProgram *p, unsigned char **bytes, size_t *length) {
    (void)device;
    *bytes = mg_cu_parts_write(&p->parts, length);
    return *bytes;
}

void mg_cu_free_program(MgHostDevice *device, MgHostProgram *p) {
    if (atomic_fetch_sub(&p->references, 1) == 1)
        unload(mg_cu(device), p);
}
