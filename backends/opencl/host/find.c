// Finds OpenCL devices and queries their properties.
#include "backends/opencl/host/host.h"

#include <ctype.h>
#include <string.h>

// Queries of vendors' extensions. A device that doesn't know one leaves the value as it is.
enum {
    NV_COMPUTE_MAJOR = 0x4000,
    NV_COMPUTE_MINOR = 0x4001,
    NV_WARP_SIZE = 0x4003,
    NV_PCI_BUS = 0x4008,
    NV_PCI_SLOT = 0x4009,
    NV_PCI_DOMAIN = 0x400a,
    AMD_WAVEFRONT_WIDTH = 0x4043
};
enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

static const char none[] =
    "there is no OpenCL device: install your GPU's driver with its OpenCL part, or PoCL to run on "
    "the CPU (Debian: pocl-opencl-icd); `mgc devices` lists what is found";

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

static void describe(const MgClApi *cl, cl_platform_id platform, MgFoundDevice *f) {
    MgDeviceInfo *i = &f->info;
    cl_device_type type = 0;
    cl_device_fp_config f64 = 0;
    size_t group = 1;
    cl_bool unified = false;
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
    GET(CL_DEVICE_HOST_UNIFIED_MEMORY, unified);
    GET(NV_COMPUTE_MAJOR, major);
    GET(NV_COMPUTE_MINOR, minor);
    if (GET(NV_WARP_SIZE, warp) != CL_SUCCESS || !warp)
        GET(AMD_WAVEFRONT_WIDTH, warp);
#undef GET
    trim(i->name);
    i->type = type_of(type);
    i->max_group = (uint32_t)group;
    i->warp = warp ? warp : i->type == MG_DEVICE_GPU ? 32 : 8;
    i->ptx = major * 10 + minor;
    // PoCL's threads all go on; it drives GPUs, too, that promise nothing.
    i->posts = major >= 7 ||
               (i->type == MG_DEVICE_CPU && !strcmp(i->platform, "Portable Computing Language"));
    i->f64 = f64 != 0;
    i->unified = unified || i->type == MG_DEVICE_CPU;
}

const char *mg_cl_find(MgFoundDevice *found, uint32_t room, uint32_t *n) {
    MgClApi cl;
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n_platforms = 0;
    *n = 0;
    const char *missing = mg_cl_api(&cl);
    if (missing)
        return missing;
    if (cl.clGetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms) != CL_SUCCESS)
        return none;
    for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
        cl_device_id ids[MAX_DEVICES];
        cl_uint count = 0;
        if (cl.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count))
            continue;
        for (cl_uint k = 0; k < count && k < MAX_DEVICES && *n < room; k++) {
            found[*n] = (MgFoundDevice){.id = ids[k]};
            describe(&cl, platforms[p], &found[(*n)++]);
        }
    }
    return *n ? NULL : none;
}

bool mg_cl_pci_place(const MgFoundDevice *device, MgPciPlace *place) {
    MgClApi cl;
    cl_uint bus = 0, slot = 0, domain = 0;
    if (mg_cl_api(&cl) ||
        cl.clGetDeviceInfo(device->id, NV_PCI_BUS, sizeof bus, &bus, NULL) != CL_SUCCESS ||
        cl.clGetDeviceInfo(device->id, NV_PCI_SLOT, sizeof slot, &slot, NULL) != CL_SUCCESS)
        return false;
    cl.clGetDeviceInfo(device->id, NV_PCI_DOMAIN, sizeof domain, &domain,
                       NULL); // else there is one
    *place = (MgPciPlace){.domain = (int)domain, .bus = (int)bus, .slot = (int)slot};
    return true;
}
