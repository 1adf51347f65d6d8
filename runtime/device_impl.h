// What the files of the device runtime share: device.c lists, opens and allocates; device_program.c
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
    pid_t process; // that opened it
    MgClApi cl;
    MgDeviceInfo info;
    cl_device_id id;
    cl_context context;
    const char *options; // of building
    char march[192];
    cl_command_queue transfers;  // of mg_device_copy, made when it is first needed
    bool unified;                // its memory is the host's: no staging
    MgCache *cache;              // its own handle, or NULL
    pthread_mutex_t memory_lock; // guards the table of memory objects
    cl_mem *memories;            // by number; NULL: free
    uint32_t n_memories, room;
    atomic_uint_fast64_t freed;   // memory objects so far: an address may be another's since
    pthread_mutex_t program_lock; // guards the programs; held while one is built
    MgDeviceProgram *programs;
    bool fresh; // programs are built whenever one is asked for, and not kept
};

// Sets *message to what failed and the status' name; gives MG_RUN_FAILED.
MgStatus mg_device_fail(const MgDevice *device, char **message, const char *what, cl_int status);
// The memory object of an address, and the byte in it.
cl_mem mg_device_memory(MgDevice *device, int64_t address, int64_t *offset);
cl_command_queue mg_device_run_queue(const MgDeviceRun *run);
// device_costs.c: the costs that an earlier measurement left in the cache. False if there is none.
bool mg_device_costs_known(const MgDevice *device, MgDeviceCosts *costs);
// device_program.c
void mg_device_programs_free(MgDevice *device);
cl_program mg_device_program_handle(const MgDeviceProgram *program);
// When it was built or read, on mg_now_ns' clock.
void mg_device_program_built(const MgDeviceProgram *program, uint64_t *begin, uint64_t *end);

#endif
