// Devices: where the kernels of an image for a device run. A table of functions
// (backends/device_host.h) hides the driver; everything here is the same for all drivers.
//
// A context opens a device once, with its programs, which its models share. Each instance that runs
// there has a queue, memory and kernels of its own (MgDeviceRun). A device is reference counted:
// models and buffers keep it open after their context is gone. Drivers don't survive fork(): in a
// child, a device of the parent fails and frees nothing. Every failure is a text for the user in
// *message, and MG_RUN_FAILED.
#ifndef MG_RUNTIME_DEVICE_H
#define MG_RUNTIME_DEVICE_H

#include "backends/device_host.h"
#include "image/image.h"
#include "include/mg.h"
#include "runtime/cache.h"

typedef struct MgDevice MgDevice;
typedef struct MgDeviceProgram MgDeviceProgram;
typedef struct MgDeviceRun MgDeviceRun;

// Lists the devices of all hosts, GPUs first, otherwise in the order of the hosts and their
// drivers. The list comes from malloc and is the caller's. If there are none: MG_RUN_FAILED, and
// the message says what to install.
MgStatus mg_devices(MgDeviceInfo **list, uint32_t *n, char **message);
const char *mg_device_type_name(MgDeviceType type); // "gpu"

// which: a number of the list, a type, or part of a name; NULL: $MG_DEVICE, else the first of the
// list. With the name of a host and a colon in front, only its devices count ("opencl:0"); the name
// alone is its first device.
// cache: keeps its programs, through a handle of its own; NULL: no program is kept.
MgStatus mg_device_open(const char *which, const MgCache *cache, MgDevice **device, char **message);
// Did this process open the device? False with a message in a child of fork().
bool mg_device_here(const MgDevice *device, char **message);
MgDevice *mg_device_retain(MgDevice *device);
void mg_device_release(MgDevice *device); // the last call closes it; NULL is allowed
const MgDeviceInfo *mg_device_info(const MgDevice *device);
// The numbers for which code is made, as a backend's `march`:
// "cu=132,items=1024,local=49152,warp=32". Measured costs follow them: ",launch=4100,barrier=900".
const char *mg_device_march(const MgDevice *device);
// The backend whose kernels it runs.
const char *mg_device_backend(const MgDevice *device);

// The costs that choose between forms of launching, in nanoseconds.
typedef struct MgDeviceCosts {
    uint32_t launch;    // of one launch among many that do nothing
    uint32_t barrier;   // over the grid, with a group on each compute unit; 0: groups can't meet
    uint32_t groups;    // the number of groups that met
    uint32_t disturbed; // the groups can meet, but didn't in time because the device was busy.
                        // Nothing is kept
} MgDeviceCosts;
// Measures the costs (tens of milliseconds; some seconds on a busy device) and keeps them in the
// cache on disk, by device and driver. Devices that are opened later have them in their march.
MgStatus mg_device_measure(MgDevice *device, MgDeviceCosts *costs, char **message);

// The built program of a source: from memory, from the disk cache, or compiled. It lives as long as
// the device, and the same source gives the same program. Safe from several threads.
MgStatus mg_device_program(MgDevice *device, const char *source, size_t length,
                           MgDeviceProgram **program, char **message);

// While a device is fresh, every program is built each time it is asked for, and is not kept in
// memory or on disk. Mode immediate uses this. (A driver may have a cache of its own.)
void mg_device_set_fresh(MgDevice *device, bool fresh);

// ------------------------------------------------------------------------------------------ memory
// Allocates memory on the device; image.h defines the address. Returns 0 with a message if there is
// not enough memory.
int64_t mg_device_alloc(MgDevice *device, size_t bytes, const void *content, char **message);
void mg_device_free(MgDevice *device, int64_t address);
// The address and size of the caller's memory on the device: an object of the driver, which is
// retained. interface: the name of the host that owns the object. MG_BAD_USAGE with a message if it
// is not memory of this device.
MgStatus mg_device_adopt(MgDevice *device, const char *interface, void *object, int64_t *address,
                         size_t *bytes, char **message);
// The address of the caller's memory, where the driver's memory has addresses of its own, which
// `driver` is. Nothing is retained, and it isn't freed. 0 with a message if this is not memory of
// the device.
int64_t mg_device_at(MgDevice *device, uint64_t driver, size_t bytes, char **message);
// Copies between host and device, and waits. One of from and to is NULL.
MgStatus mg_device_copy(MgDevice *device, int64_t address, const void *from, void *to, size_t bytes,
                        char **message);
// The driver's objects. NULL if the device's host has another name than `interface`. The first
// function takes any host if that is NULL.
void *mg_device_memory_object(MgDevice *device, const char *interface, int64_t address);
void *mg_device_object(const MgDevice *device, const char *interface, MgHostObject which);
// Is that the name of the device's host, and can its runs follow a stream of the caller's?
bool mg_device_has_streams(const MgDevice *device, const char *interface);

// ------------------------------------------------------------------------------------------ runs
// What one instance needs to run one image: a queue, a kernel object for every launch of its plan,
// whose arguments are kept from run to run, and events if it is timed.
MgStatus mg_device_run_new(MgDevice *device, const MgImage *image, bool timed, MgDeviceRun **run,
                           char **message);
void mg_device_run_free(MgDeviceRun *run); // NULL is allowed
MgCallDevice *mg_device_run_hooks(MgDeviceRun *run);
bool mg_device_run_timed(const MgDeviceRun *run);
// What is enqueued from here on repeats a run of the plan, if possible as one command.
void mg_device_begin_pass(MgDeviceRun *run);
// These are enqueued in order. Until the next finish, host memory must stay unchanged, and
// downloaded data may be incomplete.
void mg_device_upload(MgDeviceRun *run, int64_t to, const void *from, size_t bytes);
void mg_device_download(MgDeviceRun *run, void *to, int64_t from, size_t bytes);
void mg_device_move(MgDeviceRun *run, int64_t to, int64_t from, size_t bytes); // on the device
// What is enqueued from here on waits for what is in a stream of the caller's, an object of the
// driver.
void mg_device_follow(MgDeviceRun *run, void *stream);
// Ends the run without waiting for it: what the stream gets from here on waits for what is
// enqueued. False: it failed, which finish reports.
bool mg_device_lead(MgDeviceRun *run, void *stream);
// Waits for everything that is enqueued and reports what went wrong since the last call: MG_OK, or
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
