// The functions of NVIDIA's driver that MG calls (CUDA Driver API, version 12). They are looked up
// in libcuda.so.1 when first needed, so nothing in MG depends on it, and nothing of CUDA is needed
// to build MG: the declarations below repeat the driver's interface.
#ifndef MG_BACKENDS_CUDA_API_H
#define MG_BACKENDS_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef int MgCuResult; // 0: success
typedef int MgCuDevice;
typedef uint64_t MgCuPointer; // an address on a device
typedef struct MgCuContext *MgCuContext;
typedef struct MgCuModule *MgCuModule;
typedef struct MgCuFunction *MgCuFunction;
typedef struct MgCuStream *MgCuStream;
typedef struct MgCuEvent *MgCuEvent;
typedef struct MgCuLink *MgCuLink;
typedef struct MgCuGraph *MgCuGraph;
typedef struct MgCuGraphRun *MgCuGraphRun;
typedef struct MgCuNode *MgCuNode; // a launch of a graph
typedef struct MgCuLaunch {        // CUDA_KERNEL_NODE_PARAMS_v1 of cuda.h
    MgCuFunction f;
    unsigned groups, groups_y, groups_z, items, items_y, items_z, local;
    void **arguments, **extra;
} MgCuLaunch;
typedef struct MgCuMap { // of a tensor; the driver knows what is in it
    _Alignas(64) uint64_t opaque[16];
} MgCuMap;

enum {
    MG_CU_INVALID_VALUE = 1,
    MG_CU_OUT_OF_MEMORY = 2,
    MG_CU_NO_DEVICE = 100,
    MG_CU_INVALID_IMAGE = 200,
    MG_CU_INVALID_PTX = 218,
    MG_CU_NOT_FOUND = 500
};
enum { MG_CU_PCI_BUS = 33, MG_CU_PCI_SLOT = 34, MG_CU_PCI_DOMAIN = 50 }; // attributes of a device
enum { MG_CU_INPUT_PTX = 1 };                           // cuLinkAddData: the kind of the input
enum { MG_CU_ERROR_LOG = 5, MG_CU_ERROR_LOG_SIZE = 6 }; // options of a link or module
enum { MG_CU_STREAM_NON_BLOCKING = 1, MG_CU_EVENT_DEFAULT = 0, MG_CU_EVENT_UNTIMED = 2 };
enum { MG_CU_POINTER_DEVICE = 9 }; // attribute of an address: the number of its device

enum {
    MG_CU_U8 = 0,
    MG_CU_U16 = 1,
    MG_CU_U32 = 2,
    MG_CU_TF32 = 11
}; // types of a tensor's elements
// How boxes lie in local memory, the bytes that a miss fetches, and what is outside a tensor.
enum {
    MG_CU_NOT_INTERLEAVED = 0,
    MG_CU_SWIZZLE_128 = 3,
    MG_CU_PROMOTE_256 = 3,
    MG_CU_ZEROS_OUTSIDE = 0
};
enum { MG_CU_LOCAL_BYTES = 8 }; // cuFuncSetAttribute: the most local memory of a launch

// X(name in the library, name in MgCuApi, parameters)
#define MG_CU_FUNCTIONS(X)                                                                         \
    X(cuInit, init, (unsigned flags))                                                              \
    X(cuGetErrorName, error_name, (MgCuResult result, const char **name))                          \
    X(cuDeviceGetCount, device_count, (int *n))                                                    \
    X(cuDeviceGet, device, (MgCuDevice * device, int number))                                      \
    X(cuDeviceGetAttribute, attribute, (int *value, int attribute, MgCuDevice device))             \
    X(cuDevicePrimaryCtxRetain, retain_context, (MgCuContext * context, MgCuDevice device))        \
    X(cuDevicePrimaryCtxRelease_v2, release_context, (MgCuDevice device))                          \
    X(cuCtxPushCurrent_v2, push_context, (MgCuContext context))                                    \
    X(cuCtxPopCurrent_v2, pop_context, (MgCuContext * context))                                    \
    X(cuMemAlloc_v2, alloc, (MgCuPointer * at, size_t bytes))                                      \
    X(cuMemFree_v2, free, (MgCuPointer at))                                                        \
    X(cuMemGetAddressRange_v2, range, (MgCuPointer * base, size_t * bytes, MgCuPointer at))        \
    X(cuPointerGetAttribute, pointer, (void *value, int attribute, MgCuPointer at))                \
    X(cuMemHostAlloc, alloc_host, (void **at, size_t bytes, unsigned flags))                       \
    X(cuMemFreeHost, free_host, (void *at))                                                        \
    X(cuMemcpyHtoD_v2, write_now, (MgCuPointer to, const void *from, size_t bytes))                \
    X(cuMemcpyHtoDAsync_v2, write,                                                                 \
      (MgCuPointer to, const void *from, size_t bytes, MgCuStream stream))                         \
    X(cuMemcpyDtoHAsync_v2, read, (void *to, MgCuPointer from, size_t bytes, MgCuStream stream))   \
    X(cuMemcpyDtoDAsync_v2, copy,                                                                  \
      (MgCuPointer to, MgCuPointer from, size_t bytes, MgCuStream stream))                         \
    X(cuLinkCreate_v2, link, (unsigned n, int *options, void **values, MgCuLink *link))            \
    X(cuLinkAddData_v2, link_add,                                                                  \
      (MgCuLink link, int kind, void *data, size_t bytes, const char *name, unsigned n,            \
       int *options, void **values))                                                               \
    X(cuLinkComplete, link_end, (MgCuLink link, void **cubin, size_t *bytes))                      \
    X(cuLinkDestroy, link_free, (MgCuLink link))                                                   \
    X(cuModuleLoadDataEx, load,                                                                    \
      (MgCuModule * module, const void *image, unsigned n, int *options, void **values))           \
    X(cuModuleUnload, unload, (MgCuModule module))                                                 \
    X(cuModuleGetGlobal_v2, global,                                                                \
      (MgCuPointer * at, size_t * bytes, MgCuModule module, const char *name))                     \
    X(cuFuncSetAttribute, set_function, (MgCuFunction f, int attribute, int value))                \
    X(cuModuleGetFunction, function, (MgCuFunction * f, MgCuModule module, const char *name))      \
    X(cuStreamCreate, stream, (MgCuStream * stream, unsigned flags))                               \
    X(cuStreamDestroy_v2, free_stream, (MgCuStream stream))                                        \
    X(cuStreamSynchronize, wait, (MgCuStream stream))                                              \
    X(cuStreamWaitEvent, await, (MgCuStream stream, MgCuEvent event, unsigned flags))              \
    X(cuLaunchKernel, launch,                                                                      \
      (MgCuFunction f, unsigned groups, unsigned groups_y, unsigned groups_z, unsigned items,      \
       unsigned items_y, unsigned items_z, unsigned local, MgCuStream stream, void **arguments,    \
       void **extra))                                                                              \
    X(cuTensorMapEncodeTiled, map,                                                                 \
      (MgCuMap * map, int type, uint32_t rank, MgCuPointer at, const uint64_t *sizes,              \
       const uint64_t *strides, const uint32_t *extents, const uint32_t *steps, int interleaved,   \
       int swizzled, int promoted, int outside))                                                   \
    X(cuTensorMapEncodeIm2col, map_pixels,                                                         \
      (MgCuMap * map, int type, uint32_t rank, MgCuPointer at, const uint64_t *sizes,              \
       const uint64_t *strides, const int *low, const int *high, uint32_t channels,                \
       uint32_t pixels, const uint32_t *steps, int interleaved, int swizzled, int promoted,        \
       int outside))                                                                               \
    X(cuEventCreate, event, (MgCuEvent * event, unsigned flags))                                   \
    X(cuEventDestroy_v2, free_event, (MgCuEvent event))                                            \
    X(cuEventRecord, record_event, (MgCuEvent event, MgCuStream stream))                           \
    X(cuEventElapsedTime, elapsed, (float *milliseconds, MgCuEvent from, MgCuEvent to))            \
    X(cuGraphCreate, graph, (MgCuGraph * graph, unsigned flags))                                   \
    X(cuGraphAddKernelNode, add_launch,                                                            \
      (MgCuNode * node, MgCuGraph graph, const MgCuNode *after, size_t n,                          \
       const MgCuLaunch *launch))                                                                  \
    X(cuGraphInstantiateWithFlags, graph_run,                                                      \
      (MgCuGraphRun * run, MgCuGraph graph, unsigned long long flags))                             \
    X(cuGraphDestroy, free_graph, (MgCuGraph graph))                                               \
    X(cuGraphLaunch, replay, (MgCuGraphRun run, MgCuStream stream))                                \
    X(cuGraphExecDestroy, free_graph_run, (MgCuGraphRun run))

typedef struct MgCuApi {
#define X(name, member, parameters) MgCuResult(*member) parameters;
    MG_CU_FUNCTIONS(X)
#undef X
} MgCuApi;

// Fills in *api and initialises the driver. Returns NULL, or why that failed. The library stays
// loaded.
const char *mg_cu_api(MgCuApi *api);
// The name of a result, such as "CUDA_ERROR_OUT_OF_MEMORY".
const char *mg_cu_status(MgCuResult result);

#endif
