// Programs of a device. Each source is built once, and the program is kept in memory and, as the
// driver's own binary, on disk. The key on disk covers everything that determines the binary:
// source, options, device, driver. If the driver refuses a binary (the file is checked, but drivers
// change), the program is built again.
#include "runtime/device_impl.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdlib.h>
#include <string.h>

struct MgDeviceProgram {
    MgDeviceProgram *next;
    MgCacheKey key;
    MgHostProgram *program;
    uint64_t begin, end; // of its build
    bool fresh;          // for one use only: no later call finds it
};

enum { LOG_MAX = 4096 };

static MgCacheKey key_of(const MgDevice *d, const char *source, size_t length) {
    const char *options = d->host->options(d->driver);
    MgCachePart parts[] = {{d->host->name, strlen(d->host->name)},
                           {"program", 7},
                           {source, length},
                           {options, strlen(options)},
                           {d->info.name, strlen(d->info.name)},
                           {d->info.platform, strlen(d->info.platform)},
                           {d->info.version, strlen(d->info.version)},
                           {d->info.driver, strlen(d->info.driver)}};
    return mg_cache_key(parts, sizeof parts / sizeof *parts);
}

static MgHostProgram *from_disk(MgDevice *d, MgCacheKey key) {
    MgHostCode code = {.binary = true};
    MgHostProgram *p = NULL;
    char *log = NULL;
    void *bytes;
    if (!d->cache || !mg_cache_get(d->cache, key, &bytes, &code.length))
        return NULL;
    code.bytes = bytes;
    if (d->host->build(d->driver, &code, &p, &log))
        p = NULL;
    free(log);
    free(bytes);
    return p;
}

static void to_disk(MgDevice *d, MgCacheKey key, MgHostProgram *p) {
    unsigned char *bytes;
    size_t length;
    if (!d->cache || !d->host->binary(d->driver, p, &bytes, &length))
        return;
    mg_cache_put(d->cache, key, bytes, length);
    free(bytes);
}

static MgStatus build(MgDevice *d, const char *source, size_t length, MgHostProgram **program,
                      char **message) {
    MgHostCode code = {.bytes = source, .length = length};
    char *log = NULL;
    MgHostStatus status = d->host->build(d->driver, &code, program, &log);
    if (!status)
        return MG_OK;
    if (!log)
        return mg_device_fail(d, message, "a program can't be made", status);
    mg_message_set(message,
                   "%s: its compiler (driver %s) refuses the kernels: %s (%d)\n%.*s%s"
                   "`--emit-%s` prints what was compiled",
                   d->info.name, d->info.driver, d->host->status_name(status), status, LOG_MAX - 1,
                   log, log[0] ? "\n" : "", d->host->backend);
    free(log);
    return MG_RUN_FAILED;
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

void mg_device_program_used(MgDevice *d, MgDeviceProgram *p) {
    if (!p->fresh || !p->program)
        return;
    d->host->free_program(d->driver, p->program);
    p->program = NULL;
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
            d->host->free_program(d->driver, p->program);
        free(p);
    }
}

MgHostProgram *mg_device_program_handle(const MgDeviceProgram *p) {
    return p->program;
}

void mg_device_program_built(const MgDeviceProgram *p, uint64_t *begin, uint64_t *end) {
    *begin = p->begin;
    *end = p->end;
}
