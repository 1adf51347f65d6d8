// Devices: listing, choosing, opening, memory.
#include "runtime/device_impl.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Queries of vendors' extensions. A device that doesn't know one leaves the value as it is.
enum {
    NV_COMPUTE_MAJOR = 0x4000,
    NV_COMPUTE_MINOR = 0x4001,
    NV_WARP_SIZE = 0x4003,
    AMD_WAVEFRONT_WIDTH = 0x4043
};
enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

static const char none[] =
    "there is no OpenCL device: install your GPU's driver with its OpenCL part, or PoCL to run on "
    "the CPU (Debian: pocl-opencl-icd); `mgc devices` lists what is found";

const char *mg_device_type_name(MgDeviceType type) {
    static const char *const names[] = {"gpu", "accelerator", "cpu"};
    return names[type];
}

MgStatus mg_device_fail(const MgDevice *d, char **message, const char *what, cl_int status) {
    mg_message_set(message, "%s: %s: %s (%d)", d->info.name, what, mg_cl_status(status), status);
    return MG_RUN_FAILED;
}

// ---------------------------------------------------------------- listing
typedef struct Found {
    cl_device_id id;
    MgDeviceInfo info;
    uint32_t compute; // NVIDIA's compute capability, 10 * major + minor; 0: other vendor
} Found;

static MgDeviceType type_of(cl_device_type type) {
    return type & CL_DEVICE_TYPE_GPU           ? MG_DEVICE_GPU
           : type & CL_DEVICE_TYPE_ACCELERATOR ? MG_DEVICE_ACCELERATOR
                                               : MG_DEVICE_CPU;
}

static void trim(char *text) { // some drivers pad names
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = 0;
}

static void describe(const MgClApi *cl, cl_platform_id platform, Found *f) {
    MgDeviceInfo *i = &f->info;
    cl_device_type type = 0;
    cl_device_fp_config f64 = 0;
    size_t group = 1;
    cl_uint major = 0, minor = 0, warp = 0;
#define GET(name, to) cl->clGetDeviceInfo(f->id, name, sizeof(to), &(to), NULL)
    GET(CL_DEVICE_TYPE, type);
    GET(CL_DEVICE_NAME, i->name);
    GET(CL_DEVICE_VERSION, i->version);
    GET(CL_DRIVER_VERSION, i->driver);
    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof i->platform, i->platform, NULL);
    GET(CL_DEVICE_MAX_COMPUTE_UNITS, i->compute_units);
    GET(CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
    GET(CL_DEVICE_MAX_CLOCK_FREQUENCY, i->clock_mhz);
    GET(CL_DEVICE_GLOBAL_MEM_SIZE, i->memory);
    GET(CL_DEVICE_MAX_MEM_ALLOC_SIZE, i->max_allocation);
    GET(CL_DEVICE_LOCAL_MEM_SIZE, i->local_memory);
    GET(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, i->cache);
    GET(CL_DEVICE_DOUBLE_FP_CONFIG, f64);
    GET(NV_COMPUTE_MAJOR, major);
    GET(NV_COMPUTE_MINOR, minor);
    if (GET(NV_WARP_SIZE, warp) != CL_SUCCESS || !warp)
        GET(AMD_WAVEFRONT_WIDTH, warp);
#undef GET
    trim(i->name);
    i->type = type_of(type);
    i->max_group = (uint32_t)group;
    i->warp = warp ? warp : i->type == MG_DEVICE_GPU ? 32 : 8;
    i->f64 = f64 != 0;
    f->compute = major * 10 + minor;
}

// Finds every device, GPUs first, and returns their number.
static uint32_t find_all(const MgClApi *cl, Found *found) {
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n_platforms = 0, n = 0;
    Found all[MAX_DEVICES];
    if (cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms) != CL_SUCCESS)
        return 0;
    for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
        cl_device_id ids[MAX_DEVICES];
        cl_uint count = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count))
            continue;
        for (cl_uint k = 0; k < count && k < MAX_DEVICES && n < MAX_DEVICES; k++) {
            all[n] = (Found){.id = ids[k]};
            describe(cl, platforms[p], &all[n++]);
        }
    }
    uint32_t m = 0;
    for (MgDeviceType type = MG_DEVICE_GPU; type <= MG_DEVICE_CPU; type++)
        for (cl_uint k = 0; k < n; k++)
            if (all[k].info.type == type) {
                found[m] = all[k];
                found[m].info.number = m;
                m++;
            }
    return m;
}

MgStatus mg_devices(MgDeviceInfo **list, uint32_t *n, char **message) {
    MgClApi cl;
    Found found[MAX_DEVICES];
    const char *missing = mg_cl_api(&cl);
    *n = missing ? 0 : find_all(&cl, found);
    *list = *n ? calloc(*n, sizeof **list) : NULL;
    for (uint32_t k = 0; *list && k < *n; k++)
        (*list)[k] = found[k].info;
    if (*list)
        return MG_OK;
    mg_message_set(message, "%s", missing ? missing : *n ? "out of memory" : none);
    *n = 0;
    return MG_RUN_FAILED;
}

// ---------------------------------------------------------------- choosing and opening
static const Found *choose(const Found *found, uint32_t n, const char *which) {
    char *end;
    if (!which || !which[0])
        return &found[0];
    unsigned long number = strtoul(which, &end, 10);
    if (!*end)
        return number < n ? &found[number] : NULL;
    for (uint32_t k = 0; k < n; k++)
        if (!strcasecmp(mg_device_type_name(found[k].info.type), which))
            return &found[k];
    for (uint32_t k = 0; k < n; k++)
        if (strcasestr(found[k].info.name, which))
            return &found[k];
    return NULL;
}

static MgStatus no_such_device(const Found *found, uint32_t n, const char *which, char **message) {
    char names[1024] = "";
    size_t at = 0;
    for (uint32_t k = 0; k < n && at < sizeof names - 160; k++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%u (%s, %s)", k ? ", " : "", k,
                               mg_device_type_name(found[k].info.type), found[k].info.name);
    mg_message_set(message, "no device has the number, type or name '%s'; the devices are: %s",
                   which, names);
    return MG_BAD_USAGE;
}

static void write_march(MgDevice *d, uint32_t compute) {
    const MgDeviceInfo *i = &d->info;
    int n = snprintf(d->march, sizeof d->march, "cu=%u,items=%u,local=%llu,warp=%u",
                     i->compute_units, i->max_group, (unsigned long long)i->local_memory, i->warp);
    if (compute)
        n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",ptx=%u", compute);
    MgDeviceCosts costs;
    if (!mg_device_costs_known(d, &costs))
        return;
    n += snprintf(d->march + n, sizeof d->march - (size_t)n, ",launch=%u", costs.launch);
    if (costs.barrier)
        snprintf(d->march + n, sizeof d->march - (size_t)n, ",barrier=%u", costs.barrier);
}

static MgStatus open_chosen(MgDevice *d, const Found *f, char **message) {
    cl_int status;
    cl_bool unified = false;
    d->info = f->info;
    d->id = f->id;
    write_march(d, f->compute);
    if (!d->info.f64) {
        mg_message_set(message, "%s has no f64, in which MG adds up sums: choose another device",
                       d->info.name);
        return MG_RUN_FAILED;
    }
    d->options = mg_cl_build_options(&d->cl, d->id);
    d->cl.clGetDeviceInfo(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
    d->unified = unified || d->info.type == MG_DEVICE_CPU;
    d->context = d->cl.clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
    return status ? mg_device_fail(d, message, "the device can't be opened", status) : MG_OK;
}

MgStatus mg_device_open(const char *which, const MgCache *cache, MgDevice **device,
                        char **message) {
    Found found[MAX_DEVICES];
    MgDevice *d = *device = calloc(1, sizeof *d);
    if (!d)
        return MG_OUT_OF_MEMORY;
    d->references = 1;
    d->process = getpid();
    pthread_mutex_init(&d->memory_lock, NULL);
    pthread_mutex_init(&d->program_lock, NULL);
    d->cache = mg_cache_share(cache);
    const char *missing = mg_cl_api(&d->cl);
    uint32_t n = missing ? 0 : find_all(&d->cl, found);
    MgStatus status = MG_RUN_FAILED;
    if (!which)
        which = getenv("MG_DEVICE");
    const Found *chosen = n ? choose(found, n, which) : NULL;
    if (chosen)
        status = open_chosen(d, chosen, message);
    else if (n)
        status = no_such_device(found, n, which, message);
    else
        mg_message_set(message, "%s", missing ? missing : none);
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
                       "%s was opened before fork(), and an OpenCL driver doesn't work in the "
                       "child: open the device in the process that uses it (in Python's "
                       "multiprocessing: the start method spawn)",
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
    bool here = mg_device_here(d, NULL);
    mg_device_programs_free(d);
    for (uint32_t k = 0; k < d->n_memories && here; k++)
        if (d->memories[k])
            d->cl.clReleaseMemObject(d->memories[k]);
    if (d->transfers && here)
        d->cl.clReleaseCommandQueue(d->transfers);
    if (d->context && here)
        d->cl.clReleaseContext(d->context);
    pthread_mutex_destroy(&d->memory_lock);
    pthread_mutex_destroy(&d->program_lock);
    mg_cache_close(d->cache);
    free(d->memories);
    free(d);
}

const MgDeviceInfo *mg_device_info(const MgDevice *d) {
    return &d->info;
}

const char *mg_device_march(const MgDevice *d) {
    return d->march;
}

// ------------------------------------------------------------------------------------------ memory
// Takes a free number for an object, from 1 on, since address 0 means none. UINT32_MAX: out of
// memory.
static uint32_t take_number(MgDevice *d, cl_mem memory) {
    for (uint32_t k = 1; k < d->n_memories; k++)
        if (!d->memories[k]) {
            d->memories[k] = memory;
            return k;
        }
    if (d->n_memories + 1 >= d->room) {
        uint32_t room = d->room ? 2 * d->room : 64;
        cl_mem *grown = realloc(d->memories, room * sizeof *grown);
        if (!grown)
            return UINT32_MAX;
        d->memories = grown;
        d->room = room;
    }
    if (!d->n_memories)
        d->memories[d->n_memories++] = NULL;
    d->memories[d->n_memories] = memory;
    return d->n_memories++;
}

// The address of an object; the table takes over its reference. 0: out of memory.
static int64_t enter(MgDevice *d, cl_mem memory, char **message) {
    pthread_mutex_lock(&d->memory_lock);
    uint32_t number = take_number(d, memory);
    pthread_mutex_unlock(&d->memory_lock);
    if (number == UINT32_MAX) {
        d->cl.clReleaseMemObject(memory);
        mg_message_set(message, "out of memory");
        return 0;
    }
    return (int64_t)number << MG_DEVICE_SHIFT;
}

int64_t mg_device_alloc(MgDevice *d, size_t bytes, const void *content, char **message) {
    cl_int status = CL_INVALID_BUFFER_SIZE;
    cl_mem memory = NULL;
    if (!mg_device_here(d, message))
        return 0;
    if (bytes <= d->info.max_allocation)
        memory = d->cl.clCreateBuffer(
            d->context, CL_MEM_READ_WRITE | (content && bytes ? CL_MEM_COPY_HOST_PTR : 0),
            bytes ? bytes : 16, bytes ? (void *)(uintptr_t)content : NULL, &status);
    if (!memory) {
        mg_message_set(message, "%s: out of memory: %zu bytes in one piece (%s); it has %llu MiB",
                       d->info.name, bytes, mg_cl_status(status),
                       (unsigned long long)(d->info.memory >> 20));
        return 0;
    }
    return enter(d, memory, message);
}

void mg_device_free(MgDevice *d, int64_t address) {
    uint64_t number = (uint64_t)address >> MG_DEVICE_SHIFT;
    if (!number || !mg_device_here(d, NULL))
        return;
    pthread_mutex_lock(&d->memory_lock);
    cl_mem memory = d->memories[number];
    d->memories[number] = NULL;
    d->freed++;
    pthread_mutex_unlock(&d->memory_lock);
    d->cl.clReleaseMemObject(memory);
}

cl_mem mg_device_memory(MgDevice *d, int64_t address, int64_t *offset) {
    uint64_t number = (uint64_t)address >> MG_DEVICE_SHIFT;
    *offset = address & (((int64_t)1 << MG_DEVICE_SHIFT) - 1);
    pthread_mutex_lock(&d->memory_lock);
    cl_mem memory = number < d->n_memories ? d->memories[number] : NULL;
    pthread_mutex_unlock(&d->memory_lock);
    return memory;
}

MgStatus mg_device_adopt(MgDevice *d, void *object, int64_t *address, size_t *bytes,
                         char **message) {
    cl_mem memory = object;
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_int status = CL_INVALID_MEM_OBJECT;
    if (!mg_device_here(d, message))
        return MG_RUN_FAILED;
    if (memory) {
        status = d->cl.clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL);
        status |=
            d->cl.clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof(cl_context), &context, NULL);
        status |= d->cl.clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof *bytes, bytes, NULL);
    }
    if (status || type != CL_MEM_OBJECT_BUFFER || context != d->context) {
        mg_message_set(message, status ? "this is not an OpenCL memory object"
                                : context != d->context
                                    ? "the memory object belongs to another "
                                      "OpenCL context than the model, whose "
                                      "own mg_opencl_context gives"
                                    : "the memory object is not a plain buffer");
        return MG_BAD_USAGE;
    }
    d->cl.clRetainMemObject(memory);
    *address = enter(d, memory, message);
    return *address ? MG_OK : MG_OUT_OF_MEMORY;
}

static cl_int transfer_queue(MgDevice *d) {
    cl_int status = CL_SUCCESS;
    pthread_mutex_lock(&d->memory_lock);
    if (!d->transfers)
        d->transfers = d->cl.clCreateCommandQueue(d->context, d->id, 0, &status);
    pthread_mutex_unlock(&d->memory_lock);
    return status;
}

MgStatus mg_device_copy(MgDevice *d, int64_t address, const void *from, void *to, size_t bytes,
                        char **message) {
    int64_t at;
    if (!mg_device_here(d, message))
        return MG_RUN_FAILED;
    cl_mem memory = mg_device_memory(d, address, &at);
    cl_int status = transfer_queue(d);
    if (!status && bytes)
        status = from ? d->cl.clEnqueueWriteBuffer(d->transfers, memory, CL_TRUE, (size_t)at, bytes,
                                                   from, 0, NULL, NULL)
                      : d->cl.clEnqueueReadBuffer(d->transfers, memory, CL_TRUE, (size_t)at, bytes,
                                                  to, 0, NULL, NULL);
    return status ? mg_device_fail(d, message, "memory of the device can't be copied", status)
                  : MG_OK;
}

void *mg_device_object(MgDevice *d, int64_t address) {
    int64_t at;
    return mg_device_memory(d, address, &at);
}

void *mg_device_context(const MgDevice *d) {
    return d->context;
}

void *mg_device_id(const MgDevice *d) {
    return d->id;
}
