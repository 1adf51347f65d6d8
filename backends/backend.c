// The tables of backends and of device hosts.
#include "backends/backend.h"
#include "backends/device_host.h"

extern const MgBackend mg_cpu_backend, mg_opencl_backend, mg_null_backend;

const MgBackend *const mg_backends[] = {&mg_cpu_backend, &mg_opencl_backend, &mg_null_backend,
                                        NULL};

extern const MgDeviceHost mg_cuda_host, mg_opencl_host;

const MgDeviceHost *const mg_device_hosts[] = {&mg_cuda_host, &mg_opencl_host, NULL};

const MgBackend *mg_backend_find(const char *name) {
    if (!strcmp(name, "gpu"))
        name = "opencl";
    for (const MgBackend *const *b = mg_backends; *b; b++)
        if (!strcmp((*b)->name, name))
            return *b;
    return NULL;
}
