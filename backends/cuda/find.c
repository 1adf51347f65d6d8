// Finds the devices that both the CUDA driver and OpenCL drive: one runs what the other compiles.
// They are the same if they have the same place on the PCI bus.
#include "backends/cuda/host.h"

#include "backends/opencl/host/compiler.h"

enum { MAX_DEVICES = 64 };

static MgPciPlace place_of(const MgCuApi *cu, MgCuDevice device) {
    int bus = -1, slot = -1, domain = -1;
    cu->attribute(&bus, MG_CU_PCI_BUS, device);
    cu->attribute(&slot, MG_CU_PCI_SLOT, device);
    cu->attribute(&domain, MG_CU_PCI_DOMAIN, device);
    return (MgPciPlace){.domain = domain, .bus = bus, .slot = slot};
}

// The one of OpenCL's devices that is at the place, or NULL.
static const MgFoundDevice *at_place(const MgFoundDevice *found, uint32_t n, MgPciPlace place) {
    for (uint32_t i = 0; i < n; i++) {
        MgPciPlace other;
        if (mg_cl_pci_place(&found[i], &other) && other.bus == place.bus &&
            other.slot == place.slot && other.domain == place.domain)
            return &found[i];
    }
    return NULL;
}

bool mg_cu_find_compiler(const MgCuApi *cu, MgCuDevice device, MgFoundDevice *compiler) {
    MgFoundDevice found[MAX_DEVICES];
    uint32_t n;
    if (mg_cl_find(found, MAX_DEVICES, &n))
        return false;
    const MgFoundDevice *same = at_place(found, n, place_of(cu, device));
    if (same)
        *compiler = *same;
    return same;
}

const char *mg_cu_find(MgFoundDevice *found, uint32_t room, uint32_t *n) {
    MgCuApi cu;
    MgFoundDevice compilers[MAX_DEVICES];
    uint32_t n_compilers;
    int count = 0;
    *n = 0;
    const char *missing = mg_cu_api(&cu);
    missing = missing ? missing : mg_cl_find(compilers, MAX_DEVICES, &n_compilers);
    if (missing)
        return missing;
    cu.device_count(&count);
    for (int i = 0; i < count && *n < room; i++) {
        MgCuDevice device;
        if (cu.device(&device, i))
            continue;
        const MgFoundDevice *same = at_place(compilers, n_compilers, place_of(&cu, device));
        if (!same)
            continue;
        MgFoundDevice *f = &found[(*n)++];
        *f = *same;
        f->info.boxes = f->info.ptx / 10 == 9;
        f->id = (void *)(uintptr_t)(uint32_t)device;
    }
    return *n ? NULL : "no device of CUDA is one of OpenCL, whose compiler it needs";
}
