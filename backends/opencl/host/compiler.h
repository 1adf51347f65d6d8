// What a host of another driver needs of OpenCL's: its devices, and the PTX that its compiler makes
// of OpenCL C for them. Devices are those of the OpenCL host's table.
#ifndef MG_BACKENDS_OPENCL_HOST_COMPILER_H
#define MG_BACKENDS_OPENCL_HOST_COMPILER_H

#include "backends/device_host.h"

extern const MgDeviceHost mg_opencl_host;

// As in the table. (find.c)
const char *mg_cl_find(MgFoundDevice *found, uint32_t room, uint32_t *n);

typedef struct MgPciPlace {
    int domain, bus, slot;
} MgPciPlace;
// The place of a device on the PCI bus. False if the driver doesn't tell. (find.c)
bool mg_cl_pci_place(const MgFoundDevice *device, MgPciPlace *place);

// The options with which sources are compiled for a device, as the host's table gives them once it
// is open. NULL if OpenCL can't be used. (host.c)
const char *mg_cl_options(const MgFoundDevice *device);

// Compiles a source to PTX, from malloc. `defined` is a name that it is compiled with: MG_BOXES, if
// the caller makes maps of tensors (print_box.c), or MG_PLAIN: without the instructions that stand
// behind marks (ptx.h). *log is as in the table's build. (host.c)
MgHostStatus mg_cl_to_ptx(MgHostDevice *device, const MgHostCode *code, const char *defined,
                          unsigned char **ptx, size_t *length, char **log);

#endif
