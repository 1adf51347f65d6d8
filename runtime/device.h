// Devices: where the kernels of an image for a device run. They speak OpenCL 1.2 through the ICD
// loader, which is opened at run time. So nothing in MG depends on it, and on a machine without it
// the user is told what to install.
//
// A context opens a device once: an OpenCL context and its programs, which its models share. Each
// instance that runs there has a queue, memory and kernel objects of its own (MgDeviceRun). A
// device is reference counted: models and buffers keep it open when their context is gone. Drivers
// don't survive fork(): in a child, a device of the parent fails and frees nothing. Every failure
// is a text in *message, for the user, and MG_RUN_FAILED.
#ifndef MG_RUNTIME_DEVICE_H
#define MG_RUNTIME_DEVICE_H

#include "image/image.h"
#include "include/mg.h"
#include "runtime/cache.h"

typedef struct MgDevice MgDevice;
typedef struct MgDeviceProgram MgDeviceProgram;
typedef struct MgDeviceRun MgDeviceRun;

typedef enum MgDeviceType { MG_DEVICE_GPU, MG_DEVICE_ACCELERATOR, MG_DEVICE_CPU } MgDeviceType;

typedef struct MgDeviceInfo {
    uint32_t number; // in the list, GPUs first; --device takes this number
    MgDeviceType type;
    char name[128], platform[128], driver[64], version[128];
    uint32_t compute_units, max_group; // largest work-group, in items
    uint32_t warp;                     // items that run in step, as far as the device tells
    uint32_t clock_mhz;
    uint64_t memory, max_allocation, local_memory, cache; // bytes
    bool f64;
} MgDeviceInfo;

// Lists every device of every platform, GPUs first, otherwise in the platforms' order; from malloc,
// the caller's. If there is none: MG_RUN_FAILED, and the message says what to install.
MgStatus mg_devices(MgDeviceInfo **list, uint32_t *n, char **message);
const char *mg_device_type_name(MgDeviceType type); // "gpu"

// which: a number of the list, or part of a name; NULL: $MG_DEVICE, else the first of the list.
// cache: keeps its programs, through a handle of its own; NULL: none is kept.
MgStatus mg_device_open(const char *which, const MgCache *cache, MgDevice **device, char **message);
// Did this process open the device? False with a message in a child of fork().
bool mg_device_here(const MgDevice *device, char **message);
MgDevice *mg_device_retain(MgDevice *device);
void mg_device_release(MgDevice *device); // the last call closes it; NULL is allowed
const MgDeviceInfo *mg_device_info(const MgDevice *device);
// The numbers that code is made for, as a backend's `march`:
// "cu=132,items=1024,local=49152,warp=32". Measured costs follow them: ",launch=4100,barrier=900".
const char *mg_device_march(const MgDevice *device);

// The costs that choose between forms of launching, in nanoseconds.
typedef struct MgDeviceCosts {
    uint32_t launch;    // of one among many launches that do nothing
    uint32_t barrier;   // over the grid, with a group on each compute unit; 0: groups can't meet
    uint32_t groups;    // the number that met
    uint32_t disturbed; // they can meet, but didn't in time: the device was busy. Nothing is kept
} MgDeviceCosts;
// Measures the costs (tens of milliseconds; some seconds on a busy device) and keeps them in the
// cache on disk, by device and driver. Devices opened later have them in their march.
MgStatus mg_device_measure(MgDevice *device, MgDeviceCosts *costs, char **message);

// The built program of a source: from memory, from the disk cache, or compiled. It lives as long as
// the device, and the same source gives the same program. Safe from several threads.
MgStatus mg_device_program(MgDevice *device, const char *source, size_t length,
                           MgDeviceProgram **program, char **message);

// While a device is fresh, every program is built each time it is asked for, and is not kept in
// memory or on disk. Mode immediate does that. (A driver may have a cache of its own.)
void mg_device_set_fresh(MgDevice *device, bool fresh);

// ------------------------------------------------------------------------------------------ memory
// Allocates memory on the device; image.h defines the address. Returns 0 with a message if there is
// none left.
int64_t mg_device_alloc(MgDevice *device, size_t bytes, const void *content, char **message);
void mg_device_free(MgDevice *device, int64_t address);
// The address and size of an OpenCL object of the caller's, which is retained. MG_BAD_USAGE with a
// message if it is not a buffer of this device's context.
MgStatus mg_device_adopt(MgDevice *device, void *cl_mem, int64_t *address, size_t *bytes,
                         char **message);
// Copies between host and device, and waits. One of from and to is NULL.
MgStatus mg_device_copy(MgDevice *device, int64_t address, const void *from, void *to, size_t bytes,
                        char **message);
void *mg_device_object(MgDevice *device, int64_t address); // its cl_mem
void *mg_device_context(const MgDevice *device);           // cl_context
void *mg_device_id(const MgDevice *device);                // cl_device_id

// ------------------------------------------------------------------------------------------ runs
// What one instance needs to run one image: a queue, a kernel object for every launch of its plan,
// whose arguments are kept from run to run, and events if it is timed.
MgStatus mg_device_run_new(MgDevice *device, const MgImage *image, bool timed, MgDeviceRun **run,
                           char **message);
void mg_device_run_free(MgDeviceRun *run); // NULL is allowed
MgCallDevice *mg_device_run_hooks(MgDeviceRun *run);
bool mg_device_run_timed(const MgDeviceRun *run);
// These are enqueued in order. Until the next finish, host memory must stay as it is, and what is
// downloaded may not be there.
void mg_device_upload(MgDeviceRun *run, int64_t to, const void *from, size_t bytes);
void mg_device_download(MgDeviceRun *run, void *to, int64_t from, size_t bytes);
void mg_device_move(MgDeviceRun *run, int64_t to, int64_t from, size_t bytes); // on the device
// Waits for everything enqueued and reports what went wrong since the last call: MG_OK, or
// MG_RUN_FAILED with a message. *trap becomes the first trap, or zeros.
MgStatus mg_device_finish(MgDeviceRun *run, MgDeviceTrap *trap, char **message);

// When the image's program was built or fetched from the cache, in nanoseconds of mg_now_ns.
void mg_device_run_built(const MgDeviceRun *run, uint64_t *begin, uint64_t *end);
// The events of a timed run since the finish before the last, in order, on the same clock. Valid
// until the next command is enqueued.
typedef enum MgDeviceEventKind {
    MG_EVENT_UPLOAD,
    MG_EVENT_DOWNLOAD,
    MG_EVENT_KERNEL
} MgDeviceEventKind;
typedef struct MgDeviceEvent {
    MgDeviceEventKind kind;
    uint32_t launch; // KERNEL: number in the image
    uint64_t begin, end, bytes;
} MgDeviceEvent;
uint32_t mg_device_events(MgDeviceRun *run, const MgDeviceEvent **events);

#endif
