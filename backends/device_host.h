// A device host is one table of functions over a driver. Through it the runtime uses the devices of
// the driver. The runtime finds hosts in mg_device_hosts[].
//
// A host does what its driver does, and keeps nothing that the runtime keeps (runtime/device.h):
// addresses, caches of programs, arguments from run to run, the first error. It makes objects of
// its own, which the runtime gives back to functions of the same device. A status is the driver's
// own number, 0 on success; after another, the place of an object is NULL or as it was. Functions
// that take a device may be called from several threads, if no two use the same queue or kernel.
#ifndef MG_BACKENDS_DEVICE_HOST_H
#define MG_BACKENDS_DEVICE_HOST_H

#include "support/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum MgDeviceType { MG_DEVICE_GPU, MG_DEVICE_ACCELERATOR, MG_DEVICE_CPU } MgDeviceType;

typedef struct MgDeviceInfo {
    uint32_t number;       // in the list of all devices, GPUs first; --device takes this number
    const char *interface; // the name of its host
    MgDeviceType type;
    char name[128], platform[128], driver[64], version[128];
    uint32_t compute_units, max_group; // largest work-group, in items
    uint32_t warp;                     // items that run in lockstep, as far as the driver tells
    uint32_t ptx;                      // NVIDIA's compute capability, 80 for 8.0; 0: none
    bool boxes;                        // its host makes maps of tensors for it (MgKBox)
    bool posts;                        // its groups can wait for earlier ones (MG_KS_COLLECT)
    uint32_t clock_mhz;
    uint64_t memory, max_allocation, local_memory, cache; // bytes
    bool f64;
    bool unified; // it shares the host's memory: transfers need no staging
} MgDeviceInfo;

typedef struct MgFoundDevice {
    void *id; // the host's own id
    MgDeviceInfo info;
} MgFoundDevice;

// Objects of a host; only the host that made them knows what they are.
typedef struct MgHostDevice MgHostDevice;
typedef struct MgHostMemory MgHostMemory;
typedef struct MgHostProgram MgHostProgram;
typedef struct MgHostKernel MgHostKernel;
typedef struct MgHostQueue MgHostQueue;         // runs its commands in order
typedef struct MgHostEvent MgHostEvent;         // of one command in a timed queue
typedef struct MgHostRecording MgHostRecording; // of launches, with their arguments

typedef int32_t MgHostStatus;

// The source or the binary of a program.
typedef struct MgHostCode {
    const void *bytes;
    size_t length;
    bool binary; // bytes are the result of `binary`
} MgHostCode;

typedef enum MgHostMoment { MG_HOST_QUEUED, MG_HOST_BEGIN, MG_HOST_END } MgHostMoment;

// The driver's objects of a device, for callers who use the driver themselves.
typedef enum MgHostObject { MG_HOST_CONTEXT, MG_HOST_DEVICE } MgHostObject;

typedef struct MgDeviceHost {
    const char *name;       // of the driver's interface: "opencl"
    bool second;            // another host has its devices, too: it isn't missed if it finds none
    const char *backend;    // the backend whose kernels its devices run
    MgHostStatus no_memory; // the status for exhausted host memory

    // Finds at most `room` devices. Returns NULL, or why there are none and what to install.
    const char *(*find)(MgFoundDevice *found, uint32_t room, uint32_t *n);
    const char *(*status_name)(MgHostStatus status);
    MgHostStatus (*open)(const MgFoundDevice *found, MgHostDevice **device);
    void (*close)(MgHostDevice *device);
    void *(*object)(const MgHostDevice *device, MgHostObject which);

    // Memory. content (NULL: undefined) is copied. adopt takes memory of the caller, an object of
    // the driver, and retains it until `free`. It returns NULL, or why it can't.
    MgHostStatus (*alloc)(MgHostDevice *device, size_t bytes, const void *content,
                          MgHostMemory **memory);
    const char *(*adopt)(MgHostDevice *device, void *object, MgHostMemory **memory, size_t *bytes);
    void *(*memory_object)(const MgHostDevice *device, const MgHostMemory *memory);
    void (*free)(MgHostDevice *device, MgHostMemory *memory);
    // For a driver whose memory has addresses; otherwise NULL. `space` is all of it as one object,
    // in which a byte's number is its address. `outside` returns NULL, or why the caller's bytes at
    // an address are not memory of the device.
    MgHostMemory *(*space)(MgHostDevice *device);
    const char *(*outside)(MgHostDevice *device, uint64_t at, size_t bytes);
    // Pinned host memory, for transfers in the queue. NULL: there is none.
    MgHostMemory *(*pin)(MgHostDevice *device, MgHostQueue *queue, size_t bytes, void **at);
    void (*unpin)(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *memory, void *at);

    // Programs. options is the text that, together with the code, determines what is built. If the
    // driver's compiler refuses the code, *log is its text, from malloc; otherwise it stays NULL.
    const char *(*options)(const MgHostDevice *device);
    MgHostStatus (*build)(MgHostDevice *device, const MgHostCode *code, MgHostProgram **program,
                          char **log);
    bool (*binary)(MgHostDevice *device, MgHostProgram *program, unsigned char **bytes,
                   size_t *length); // from malloc; false: the driver gives no binary
    void (*free_program)(MgHostDevice *device, MgHostProgram *program);

    // Kernels keep their arguments, which are numbered from 0.
    MgHostStatus (*kernel)(MgHostDevice *device, MgHostProgram *program, const char *name,
                           MgHostKernel **kernel);
    void (*free_kernel)(MgHostDevice *device, MgHostKernel *kernel);
    MgHostStatus (*set_value)(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                              size_t bytes, const void *value);
    MgHostStatus (*set_memory)(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                               MgHostMemory *memory);

    // Commands. event (NULL: none) receives the command's event in a timed queue. Without `wait`, a
    // transfer may happen at any time until `finish`, and the host's memory must stay unchanged.
    MgHostStatus (*queue)(MgHostDevice *device, bool timed, MgHostQueue **queue);
    void (*free_queue)(MgHostDevice *device, MgHostQueue *queue);
    MgHostStatus (*launch)(MgHostDevice *device, MgHostQueue *queue, MgHostKernel *kernel,
                           size_t groups, size_t items, MgHostEvent **event);
    MgHostStatus (*write)(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t at,
                          const void *from, size_t bytes, bool wait, MgHostEvent **event);
    MgHostStatus (*read)(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *from, size_t at,
                         void *to, size_t bytes, bool wait, MgHostEvent **event);
    MgHostStatus (*copy)(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t to_at,
                         MgHostMemory *from, size_t from_at, size_t bytes);
    MgHostStatus (*finish)(MgHostDevice *device, MgHostQueue *queue);
    // The order between a queue and a stream of the caller's, an object of the driver; NULL: the
    // driver has none. After `follow`, commands of the queue wait for all that are in the stream;
    // after `lead`, commands of the stream wait for all that are in the queue.
    MgHostStatus (*follow)(MgHostDevice *device, MgHostQueue *queue, void *stream);
    MgHostStatus (*lead)(MgHostDevice *device, MgHostQueue *queue, void *stream);
    // Between `record` and `recorded`, launches in the queue don't run, but are kept. `replay` runs
    // them with the arguments that they had, and takes less time than so many launches. The queue
    // must not be timed. NULL, all five: the driver has no such thing.
    MgHostStatus (*record)(MgHostDevice *device, MgHostQueue *queue);
    // The next launch that is kept waits for these alone, and all that they wait for: numbers of
    // launches of the recording. Otherwise it waits for the one before it.
    MgHostStatus (*record_after)(MgHostDevice *device, MgHostQueue *queue, const uint32_t *launches,
                                 uint32_t n);
    MgHostStatus (*recorded)(MgHostDevice *device, MgHostQueue *queue, MgHostRecording **recording);
    MgHostStatus (*replay)(MgHostDevice *device, MgHostQueue *queue, MgHostRecording *recording);
    void (*free_recording)(MgHostDevice *device, MgHostRecording *recording);
    // Nanoseconds of the device's own clock. The command must be complete.
    uint64_t (*moment)(MgHostDevice *device, MgHostEvent *event, MgHostMoment which);
    void (*free_event)(MgHostDevice *device, MgHostEvent *event);

    // The source of a kernel with nothing but a meeting of groups, mg_meeting(words, int32 rounds,
    // trap). The runtime uses it to measure launches and barriers. words are four uint32 that start
    // at zero; the last one becomes the number of groups that ran at the same time. trap is an
    // int32.
    void (*meeting)(MgArena *arena, MgText *source);
} MgDeviceHost;
extern const MgDeviceHost *const mg_device_hosts[]; // NULL-terminated

#endif
