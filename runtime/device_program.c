// Programs of a device: each source is built once, and the program is kept in memory and, as the
// driver's own binary, on disk. The key on disk covers whatever decides the binary: source,
// options, device, driver. If the driver refuses a binary (the file is checked, but drivers
// change), the program is built again.
#include "runtime/device_impl.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdlib.h>
#include <string.h>

struct MgDeviceProgram {
    MgDeviceProgram *next;
    MgCacheKey key;
    cl_program program;
    uint64_t begin, end; // of its build
    bool fresh;          // for one use only: no later call finds it
};

enum { LOG_MAX = 4096 };

static MgCacheKey key_of(const MgDevice *d, const char *source, size_t length) {
    MgCachePart parts[] = {{"opencl program", 14},
                           {source, length},
                           {d->options, strlen(d->options)},
                           {d->info.name, strlen(d->info.name)},
                           {d->info.platform, strlen(d->info.platform)},
                           {d->info.version, strlen(d->info.version)},
                           {d->info.driver, strlen(d->info.driver)}};
    return mg_cache_key(parts, sizeof parts / sizeof *parts);
}

static cl_program from_disk(MgDevice *d, MgCacheKey key) {
    void *bytes;
    size_t length;
    cl_int status, binary = CL_SUCCESS;
    if (!d->cache || !mg_cache_get(d->cache, key, &bytes, &length))
        return NULL;
    const unsigned char *text = bytes;
    cl_program p =
        d->cl.clCreateProgramWithBinary(d->context, 1, &d->id, &length, &text, &binary, &status);
    if (p && (status || binary || d->cl.clBuildProgram(p, 1, &d->id, d->options, NULL, NULL))) {
        d->cl.clReleaseProgram(p);
        p = NULL;
    }
    free(bytes);
    return p;
}

static void to_disk(MgDevice *d, MgCacheKey key, cl_program p) {
    size_t length = 0;
    if (!d->cache ||
        d->cl.clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL) || !length)
        return;
    unsigned char *bytes = malloc(length);
    if (bytes && !d->cl.clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL))
        mg_cache_put(d->cache, key, bytes, length);
    free(bytes);
}

static MgStatus build_failed(MgDevice *d, cl_program p, cl_int status, char **message) {
    char log[LOG_MAX] = "";
    size_t length = 0;
    d->cl.clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *all = malloc(length + 1);
    if (all) {
        d->cl.clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, length, all, NULL);
        all[length] = 0;
        strncpy(log, all, LOG_MAX - 1);
    }
    free(all);
    mg_message_set(message,
                   "%s: its compiler (driver %s) refuses the kernels: %s (%d)\n%s%s"
                   "`--emit-opencl` prints what was compiled",
                   d->info.name, d->info.driver, mg_cl_status(status), status, log,
                   log[0] ? "\n" : "");
    return MG_RUN_FAILED;
}

static MgStatus build(MgDevice *d, const char *source, size_t length, cl_program *program,
                      char **message) {
    cl_int status;
    cl_program p = d->cl.clCreateProgramWithSource(d->context, 1, &source, &length, &status);
    if (status)
        return mg_device_fail(d, message, "a program can't be made", status);
    status = d->cl.clBuildProgram(p, 1, &d->id, d->options, NULL, NULL);
    if (status) {
        MgStatus failed = build_failed(d, p, status, message);
        d->cl.clReleaseProgram(p);
        return failed;
    }
    *program = p;
    return MG_OK;
}

static MgDeviceProgram *find(const MgDevice *d, MgCacheKey key) {
    MgDeviceProgram *p = d->programs;
    while (p && (p->fresh || p->key.low != key.low || p->key.high != key.high))
        p = p->next;
    return p;
}

static MgStatus make(MgDevice *d, const char *source, size_t length, MgCacheKey key,
                     MgDeviceProgram **program, char **message) {
    MgDeviceProgram *p = calloc(1, sizeof *p);
    MgStatus status = MG_OK;
    if (!p) {
        mg_message_set(message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    p->key = key;
    p->begin = mg_now_ns();
    p->fresh = d->fresh;
    p->program = d->fresh ? NULL : from_disk(d, key);
    if (!p->program) {
        status = build(d, source, length, &p->program, message);
        if (!status && !d->fresh)
            to_disk(d, key, p->program);
    }
    p->end = mg_now_ns();
    if (status) {
        free(p);
        return status;
    }
    p->next = d->programs;
    d->programs = *program = p;
    return MG_OK;
}

// Releases programs for one use when the next program is asked for: by then their kernels hold what
// they need.
static void release_used(MgDevice *d) {
    for (MgDeviceProgram *p = d->programs; p; p = p->next)
        if (p->fresh && p->program) {
            d->cl.clReleaseProgram(p->program);
            p->program = NULL;
        }
}

void mg_device_set_fresh(MgDevice *d, bool fresh) {
    pthread_mutex_lock(&d->program_lock);
    d->fresh = fresh;
    pthread_mutex_unlock(&d->program_lock);
}

MgStatus mg_device_program(MgDevice *d, const char *source, size_t length,
                           MgDeviceProgram **program, char **message) {
    MgCacheKey key = key_of(d, source, length);
    pthread_mutex_lock(&d->program_lock); // if two threads want the same program, one builds it
    MgStatus status = MG_OK;
    release_used(d);
    *program = d->fresh ? NULL : find(d, key);
    if (!*program)
        status = make(d, source, length, key, program, message);
    pthread_mutex_unlock(&d->program_lock);
    return status;
}

void mg_device_programs_free(MgDevice *d) {
    while (d->programs) {
        MgDeviceProgram *p = d->programs;
        d->programs = p->next;
        if (p->program && mg_device_here(d, NULL))
            d->cl.clReleaseProgram(p->program);
        free(p);
    }
}

cl_program mg_device_program_handle(const MgDeviceProgram *p) {
    return p->program;
}

void mg_device_program_built(const MgDeviceProgram *p, uint64_t *begin, uint64_t *end) {
    *begin = p->begin;
    *end = p->end;
}
