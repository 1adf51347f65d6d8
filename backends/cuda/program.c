// Programs: modules of PTX, and OpenCL C, which OpenCL's compiler turns into PTX. The CUDA driver's
// assembler compiles all PTX. Threads do both for parts of a program (parts.h).
//
// NVIDIA's OpenCL compiler does most of its work under a lock. But the assembler, which takes as
// long, has none, so it works while other parts are compiled.
#include "backends/cuda/host.h"
#include "backends/cuda/ptx.h"

#include "backends/opencl/host/compiler.h"
#include "backends/opencl/host/ptx.h"
#include "support/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LOG = 8192 };
// Sources are compiled with the instructions that stand behind marks, or else without them.
static const char boxes[] = "MG_BOXES", plain[] = "MG_PLAIN";

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

// Parts from which threads make a program.
typedef struct Work {
    MgCuHost *d;
    MgHostDevice *compiler; // of sources; NULL: parts have none
    const char *defined;    // with what they are compiled
    MgCuParts parts;
    atomic_uint next;
    pthread_mutex_t lock;   // guards what follows
    MgHostProgram *program; // what is made so far
    uint32_t failed;        // the first part that fails, with its status, and the compilers' words
    MgHostStatus status;
    char *log; // from malloc; NULL: there are none
} Work;

// Adds a part with its module to the program.
static MgHostStatus add(Work *w, MgCuPart part, MgCuModule module) {
    pthread_mutex_lock(&w->lock);
    MgHostProgram *p = w->program;
    uint32_t n = p->parts.n;
    MgCuPart *parts = realloc(p->parts.at, (n + 1) * sizeof *parts);
    p->parts.at = parts ? parts : p->parts.at;
    MgCuModule *modules = realloc(p->modules, (n + 1) * sizeof *modules);
    p->modules = modules ? modules : p->modules;
    bool ok = parts && modules;
    if (ok) {
        parts[n] = part;
        modules[n] = module;
        p->parts.n++;
    }
    pthread_mutex_unlock(&w->lock);
    return ok ? 0 : MG_CU_OUT_OF_MEMORY;
}

// Replaces PTX by the linker's binary.
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
        *part = (MgCuPart){code, bytes, MG_CU_LOADABLE};
    } else if (!status)
        status = MG_CU_OUT_OF_MEMORY;
    if (link)
        d->cu.link_free(link);
    return status;
}

// Adds the module of PTX or a binary to the program. Takes the part over.
static MgHostStatus load(Work *w, MgCuPart part, char **log) {
    MgCuHost *d = w->d;
    MgCuModule module = NULL;
    Log words = {0};
    MgHostStatus status = mg_cu_enter(d);
    if (!status) {
        if (part.stage == MG_CU_PTX)
            status = link_part(d, &part, &words);
        if (!status)
            status = d->cu.load(&module, part.code, 2, words.options, fresh(&words));
        if (!status && (status = add(w, part, module)))
            d->cu.unload(module);
        mg_cu_leave(d, status);
    }
    if (status)
        free(part.code);
    if (status && words.text[0])
        *log = strdup(words.text);
    return status;
}

static MgHostStatus compile(Work *w, const MgCuPart *source, MgCuParts *parts, char **log) {
    unsigned char *ptx = NULL;
    size_t length = 0;
    MgHostCode code = {.bytes = source->code, .length = source->bytes};
    if (mg_cl_to_ptx(w->compiler, &code, w->defined, &ptx, &length, log))
        return MG_CU_INVALID_PTX;
    char *text = w->defined == plain || !mg_ptx_is_marked(ptx, length)
                     ? strndup((char *)ptx, length)
                     : mg_ptx_unmarked(ptx, length, &length);
    bool made = text && mg_cu_ptx(text, parts);
    free(ptx);
    free(text);
    return made ? 0 : MG_CU_OUT_OF_MEMORY;
}

// Makes the modules of a part. Takes its code over, unless that is a source or PTX of LLVM's.
static MgHostStatus make_part(Work *w, MgCuPart *part, char **log) {
    MgCuParts made = {part, 1};
    MgHostStatus status = 0;
    if (part->stage == MG_CU_SOURCE)
        status = compile(w, part, &made, log);
    else if (part->stage == MG_CU_MODULES && !mg_cu_ptx(part->code, &made))
        status = MG_CU_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < made.n && !status; i++) {
        status = load(w, made.at[i], log);
        made.at[i].code = NULL;
    }
    if (made.at != part)
        mg_cu_parts_free(&made);
    return status;
}

static void make_parts(void *work, uint32_t worker, uint32_t workers) {
    Work *w = work;
    (void)worker, (void)workers;
    for (uint32_t i; (i = atomic_fetch_add(&w->next, 1)) < w->parts.n;) {
        char *log = NULL;
        MgHostStatus status = make_part(w, &w->parts.at[i], &log);
        pthread_mutex_lock(&w->lock);
        if (status && i < w->failed) {
            free(w->log);
            w->failed = i;
            w->status = status;
            w->log = log;
        } else
            free(log);
        pthread_mutex_unlock(&w->lock);
    }
}

static void unload(MgCuHost *d, MgHostProgram *p) {
    if (!mg_cu_enter(d)) {
        for (uint32_t i = 0; i < p->parts.n; i++)
            d->cu.unload(p->modules[i]);
        mg_cu_leave(d, 0);
    }
    mg_cu_parts_free(&p->parts);
    free(p->modules);
    free(p);
}

// Makes a program of parts, which it takes over. *log stays NULL unless a compiler refuses the
// code.
static MgHostStatus make(MgCuHost *d, MgHostDevice *compiler, MgCuParts parts, const char *defined,
                         MgHostProgram **program, char **log) {
    uint32_t n = parts.n, cpus = mg_threads_available(), workers = n < cpus ? n : cpus;
    Work w = {.d = d,
              .compiler = compiler,
              .defined = defined,
              .parts = parts,
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .program = calloc(1, sizeof *w.program),
              .failed = n};
    MgThreads *threads = w.program && workers > 1 ? mg_threads_new(workers, false) : NULL;
    if (!w.program)
        w.status = MG_CU_OUT_OF_MEMORY;
    else if (!threads || !mg_threads_run(threads, make_parts, &w, workers))
        make_parts(&w, 0, 1);
    mg_threads_free(threads);
    pthread_mutex_destroy(&w.lock);
    mg_cu_parts_free(&w.parts);
    *log = w.log;
    if (w.program && w.status)
        unload(d, w.program);
    else if (w.program) {
        w.program->references = 1;
        *program = w.program;
    }
    return w.status;
}

// ---------------------------------------------------------------- building

static bool has_sources(const MgCuParts *parts) {
    for (uint32_t i = 0; i < parts->n; i++)
        if (parts->at[i].stage == MG_CU_SOURCE)
            return true;
    return false;
}

// The compiler's context takes memory of the device, so it is only there while a source is
// compiled.
static MgHostStatus with_instructions(MgCuHost *d, const MgHostCode *code, const char *defined,
                                      MgHostProgram **program, char **log) {
    MgHostDevice *compiler = NULL;
    MgCuParts parts;
    if (!mg_cu_divide(code->bytes, code->length, defined == boxes, mg_threads_available(), &parts))
        return MG_CU_OUT_OF_MEMORY;
    if (has_sources(&parts) && mg_opencl_host.open(&d->compiler, &compiler)) {
        mg_cu_parts_free(&parts);
        return MG_CU_NO_DEVICE;
    }
    MgHostStatus status = make(d, compiler, parts, defined, program, log);
    if (compiler)
        mg_opencl_host.close(compiler);
    return status;
}

static MgHostStatus from_source(MgCuHost *d, const MgHostCode *code, MgHostProgram **program,
                                char **log) {
    MgHostStatus status = with_instructions(d, code, boxes, program, log);
    if (!status || (!mg_ptx_is_marked(code->bytes, code->length) &&
                    mg_ptx_source_length(code->bytes, code->length) == code->length))
        return status;
    free(*log);
    *log = NULL;
    return with_instructions(d, code, plain, program, log);
}

static MgHostStatus from_image(MgCuHost *d, const MgHostCode *code, MgHostProgram **program) {
    MgCuParts parts;
    char *unread = NULL;
    MgCuRead read = mg_cu_parts_read(code->bytes, code->length, &parts);
    MgHostStatus status = read == MG_CU_READ      ? make(d, NULL, parts, NULL, program, &unread)
                          : read == MG_CU_NO_ROOM ? MG_CU_OUT_OF_MEMORY
                                                  : MG_CU_INVALID_IMAGE;
    free(unread);
    return status;
}

MgHostStatus mg_cu_build(MgHostDevice *device, const MgHostCode *code, MgHostProgram **program,
                         char **log) {
    MgCuHost *d = mg_cu(device);
    *program = NULL;
    return code->binary ? from_image(d, code, program) : from_source(d, code, program, log);
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
