// Devices: listing, choosing, opening.
#include "runtime/device_impl.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEVICES = 64 };

const char *mg_device_type_name(MgDeviceType type) {
    static const char *const names[] = {"gpu", "accelerator", "cpu"};
    return names[type];
}

MgStatus mg_device_fail(const MgDevice *d, char **message, const char *what, MgHostStatus status) {
    mg_message_set(message, "%s: %s: %s (%d)", d->info.name, what, d->host->status_name(status),
                   status);
    return MG_RUN_FAILED;
}

// ---------------------------------------------------------------- listing
typedef struct Found {
    const MgDeviceHost *host;
    MgFoundDevice device;
} Found;

typedef struct FoundList {
    Found at[MAX_DEVICES];
    uint32_t n;
    const char *missing[4]; // why hosts found none
    uint32_t n_missing;
} FoundList;

static void add_devices_of(const MgDeviceHost *host, bool all, FoundList *list) {
    MgFoundDevice found[MAX_DEVICES];
    uint32_t n;
    const char *missing = host->find(found, MAX_DEVICES - list->n, &n);
    if (missing && !(all && host->second) &&
        list->n_missing < sizeof list->missing / sizeof *list->missing)
        list->missing[list->n_missing++] = missing;
    for (uint32_t k = 0; k < n; k++)
        found[k].info.interface = host->name, list->at[list->n++] = (Found){host, found[k]};
}

// Finds every device of one host, or of all hosts, GPUs first.
static void find(const MgDeviceHost *only, FoundList *list) {
    FoundList all = {.n = 0};
    for (const MgDeviceHost *const *host = mg_device_hosts; *host; host++)
        if (!only || *host == only)
            add_devices_of(*host, !only, &all);
    *list = all;
    list->n = 0;
    for (MgDeviceType type = MG_DEVICE_GPU; type <= MG_DEVICE_CPU; type++)
        for (uint32_t k = 0; k < all.n; k++)
            if (all.at[k].device.info.type == type) {
                list->at[list->n] = all.at[k];
                list->at[list->n].device.info.number = list->n;
                list->n++;
            }
}

// Reports why no host found a device.
static void say_none(const FoundList *list, char **message) {
    char all[2048] = "";
    size_t at = 0;
    for (uint32_t k = 0; k < list->n_missing && at < sizeof all; k++)
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", k ? "\n" : "", list->missing[k]);
    mg_message_set(message, "%s", all);
}

MgStatus mg_devices(MgDeviceInfo **list, uint32_t *n, char **message) {
    FoundList found;
    find(NULL, &found);
    *n = found.n;
    *list = *n ? calloc(*n, sizeof **list) : NULL;
    for (uint32_t k = 0; *list && k < *n; k++)
        (*list)[k] = found.at[k].device.info;
    if (*list)
        return MG_OK;
    if (*n)
        mg_message_set(message, "out of memory");
    else
        say_none(&found, message);
    *n = 0;
    return MG_RUN_FAILED;
}

// ---------------------------------------------------------------- choosing and opening

// The host that a text names by what stands before its colon, or as a whole; NULL: none. *rest
// becomes what follows.
static const MgDeviceHost *named_host(const char *text, const char **rest) {
    size_t n = text ? strcspn(text, ":") : 0;
    *rest = text;
    for (const MgDeviceHost *const *host = mg_device_hosts; n && *host; host++)
        if (strlen((*host)->name) == n && !strncasecmp((*host)->name, text, n)) {
            *rest = text[n] ? text + n + 1 : NULL;
            return *host;
        }
    return NULL;
}

static const Found *choose(const Found *found, uint32_t n, const char *which) {
    char *end;
    if (!which || !which[0])
        return &found[0];
    unsigned long number = strtoul(which, &end, 10);
    if (!*end)
        return number < n ? &found[number] : NULL;
    for (uint32_t k = 0; k < n; k++)
        if (!strcasecmp(mg_device_type_name(found[k].device.info.type), which))
            return &found[k];
    for (uint32_t k = 0; k < n; k++)
        if (strcasestr(found[k].device.info.name, which))
            return &found[k];
    return NULL;
}

static MgStatus no_such_device(const Found *found, uint32_t n, const char *which, char **message) {
    char names[1024] = "";
    size_t at = 0;
    for (uint32_t k = 0; k < n && at < sizeof names - 160; k++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%u (%s, %s)", k ? ", " : "", k,
                               mg_device_type_name(found[k].device.info.type),
                               found[k].device.info.name);
    mg_message_set(message, "no device has the number, type or name '%s'; the devices are: %s",
                   which, names);
    return MG_BAD_USAGE;
}

static void write_march(MgDevice *d) {
    const MgDeviceInfo *i = &d->info;
    int n = snprintf(d->march, sizeof d->march, "cu=%u,items=%u,local=%llu,warp=%u",
                     i->compute_units, i->max_group, (unsigned long long)i->local_memory, i->warp);
    if (i->ptx)
        n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",ptx=%u", i->ptx);
    if (i->boxes)
        n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",boxes=1");
    if (i->posts)
        n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",posts=1");
    MgDeviceCosts costs;
    if (!mg_device_costs_known(d, &costs))
        return;
    n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",launch=%u", costs.launch);
    if (costs.barrier)
        snprintf(d->march + n, sizeof d->march - (size_t)n, ",barrier=%u", costs.barrier);
}

static MgStatus open_chosen(MgDevice *d, const Found *f, char **message) {
    d->host = f->host;
    d->info = f->device.info;
    write_march(d);
    if (!d->info.f64) {
        mg_message_set(message, "%s has no f64, in which MG adds up sums: choose another device",
                       d->info.name);
        return MG_RUN_FAILED;
    }
    MgHostStatus status = d->host->open(&f->device, &d->driver);
    return status ? mg_device_fail(d, message, "the device can't be opened", status) : MG_OK;
}

MgStatus mg_device_open(const char *which, const MgCache *cache, MgDevice **device,
                        char **message) {
    FoundList found;
    MgDevice *d = *device = calloc(1, sizeof *d);
    if (!d)
        return MG_OUT_OF_MEMORY;
    d->references = 1;
    d->process = getpid();
    pthread_mutex_init(&d->memory_lock, NULL);
    pthread_mutex_init(&d->program_lock, NULL);
    d->cache = mg_cache_share(cache);
    MgStatus status = MG_RUN_FAILED;
    if (!which)
        which = getenv("MG_DEVICE");
    find(named_host(which, &which), &found);
    const Found *chosen = found.n ? choose(found.at, found.n, which) : NULL;
    if (chosen)
        status = open_chosen(d, chosen, message);
    else if (found.n)
        status = no_such_device(found.at, found.n, which, message);
    else
        say_none(&found, message);
    if (status) {
        mg_device_release(d);
        *device = NULL;
    }
    return status;
}

bool mg_device_here(const MgDevice *d, char **message) {
    if (d->process == getpid())
        return true;
    if (message)
        mg_message_set(message,
                       "%s was opened before fork(), and its driver doesn't work in the child: "
                       "open the device in the process that uses it (in Python's multiprocessing: "
                       "the start method spawn)",
                       d->info.name);
    return false;
}

MgDevice *mg_device_retain(MgDevice *d) {
    atomic_fetch_add_explicit(&d->references, 1, memory_order_relaxed);
    return d;
}

void mg_device_release(MgDevice *d) {
    if (!d || atomic_fetch_sub_explicit(&d->references, 1, memory_order_acq_rel) != 1)
        return;
    mg_device_programs_free(d);
    mg_device_memories_free(d);
    if (d->driver && mg_device_here(d, NULL))
        d->host->close(d->driver);
    pthread_mutex_destroy(&d->memory_lock);
    pthread_mutex_destroy(&d->program_lock);
    mg_cache_close(d->cache);
    free(d);
}

const MgDeviceInfo *mg_device_info(const MgDevice *d) {
    return &d->info;
}

const char *mg_device_march(const MgDevice *d) {
    return d->march;
}

const char *mg_device_backend(const MgDevice *d) {
    return d->host->backend;
}

void *mg_device_object(const MgDevice *d, const char *interface, MgHostObject which) {
    return strcmp(d->host->name, interface) ? NULL : d->host->object(d->driver, which);
}

bool mg_device_has_streams(const MgDevice *d, const char *interface) {
    return d->host->follow && !strcmp(d->host->name, interface);
}
