// What the files of the device runtime share: device.c lists and opens devices, device_memory.c has
// the memory, device_program.c builds and caches programs, device_run.c launches.
#ifndef MG_RUNTIME_DEVICE_IMPL_H
#define MG_RUNTIME_DEVICE_IMPL_H

#include "runtime/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct MgDevice {
    atomic_uint references;
    pid_t process; // the process that opened it
    const MgDeviceHost *host;
    MgHostDevice *driver; // the host's object
    MgDeviceInfo info;
    char march[192];
    MgHostQueue *transfers;      // for mg_device_copy; made when first needed
    MgCache *cache;              // its own handle, or NULL
    pthread_mutex_t memory_lock; // guards the table of memory objects
    MgHostMemory **memories;     // by number; NULL: free
    uint32_t n_memories, room;
    atomic_uint_fast64_t freed;   // the number of memory objects freed so far: after a change, an
                                  // address may belong to another object
    pthread_mutex_t program_lock; // guards the programs; held while one is built
    MgDeviceProgram *programs;
    bool fresh; // every program is built each time it is asked for, and not kept
};

// Sets *message to what failed with the status' name; returns MG_RUN_FAILED.
MgStatus mg_device_fail(const MgDevice *device, char **message, const char *what,
                        MgHostStatus status);
// device_memory.c
// The memory object of an address, and the byte in it.
MgHostMemory *mg_device_memory(MgDevice *device, int64_t address, int64_t *offset);
void mg_device_memories_free(MgDevice *device);
// device_run.c
MgHostQueue *mg_device_run_queue(const MgDeviceRun *run);
// The costs that an earlier measurement left in the cache; false if there are none.
// (device_costs.c)
bool mg_device_costs_known(const MgDevice *device, MgDeviceCosts *costs);
// device_program.c
void mg_device_programs_free(MgDevice *device);
MgHostProgram *mg_device_program_handle(const MgDeviceProgram *program);
// Releases a program for one use. Its kernels are made and hold what they need.
void mg_device_program_used(MgDevice *device, MgDeviceProgram *program);
// When the program was built or read, on the clock of mg_now_ns.
void mg_device_program_built(const MgDeviceProgram *program, uint64_t *begin, uint64_t *end);

#endif
