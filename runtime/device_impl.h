// Shared by the files of the device runtime: device.c lists, opens and allocates; device_program.c
// builds and caches programs; device_run.c launches.
#ifndef MG_RUNTIME_DEVICE_IMPL_H
#define MG_RUNTIME_DEVICE_IMPL_H

#include "backends/opencl/api.h"
#include "runtime/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct MgDevice {
    atomic_uint references;
    pid_t process; // the process that opened it
    MgClApi cl;
    MgDeviceInfo info;
    cl_device_id id;
    cl_context context;
    const char *options; // of a build
    char march[192];
    cl_command_queue transfers;  // for mg_device_copy, made when first needed
    bool unified;                // it shares the host's memory: no staging
    MgCache *cache;              // its own handle, or NULL
    pthread_mutex_t memory_lock; // guards the table of memory objects
    cl_mem *memories;            // by number; NULL: free
    uint32_t n_memories, room;
    atomic_uint_fast64_t freed;   // memory objects freed so far: an address may have a new owner
                                  // since
    pthread_mutex_t program_lock; // guards the programs; held while one is built
    MgDeviceProgram *programs;
    bool fresh; // every program is built when it is asked for, and not kept
};

// Sets *message to what failed with the status' name; returns MG_RUN_FAILED.
MgStatus mg_device_fail(const MgDevice *device, char **message, const char *what, cl_int status);
// The memory object of an address, and the byte in it.
cl_mem mg_device_memory(MgDevice *device, int64_t address, int64_t *offset);
cl_command_queue mg_device_run_queue(const MgDeviceRun *run);
// The costs that an earlier measurement left in the cache; false if there are none.
// (device_costs.c)
bool mg_device_costs_known(const MgDevice *device, MgDeviceCosts *costs);
// device_program.c
void mg_device_programs_free(MgDevice *device);
cl_program mg_device_program_handle(const MgDeviceProgram *program);
// When it was built or read, on the clock of mg_now_ns.
void mg_device_program_built(const MgDeviceProgram *program, uint64_t *begin, uint64_t *end);

#endif
