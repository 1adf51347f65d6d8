// A libcuda.so.1 with one device, which counts what it is asked for and computes nothing: launches
// leave memory as it is. It is the device of OpenCL's at the place MG_PCI on the bus, if
// failing_opencl.c has that, too.
//
// MG_CUDA=STATUS is the result of every call (default: 0, success). MG_CUDA_FAIL=N=STATUS lets the
// Nth call fail, MG_CUDA_FAIL=N+=STATUS every one from the Nth on. A call that frees does so even
// if it fails. An object that is used after it was freed, or a call without a context, ends the
// process. MG_CUDA_LOG=FILE gets the numbers of calls, launches, recordings, replays and links,
// what failed, and which objects are alive at the end. other_cuda_calls says how often a function
// was called, and other_cuda_order what waits for what: "1<2 2<1 ", where the streams of callers
// are 1 and 2, as CUDA numbers its default streams, and all others are 0.
#include "backends/cuda/api.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { FREED, MEMORY, PINNED, LINK, MODULE, STREAM, EVENT, GRAPH, GRAPH_RUN } Kind;
enum { KINDS = GRAPH_RUN + 1, NO_CONTEXT = 201, NOT_FOUND = 500, INVALID = 400 };
static const char *const kinds[] = {"freed",  "memory", "pinned", "link",     "module",
                                    "stream", "event",  "graph",  "graph run"};

typedef struct Object {
    _Atomic Kind kind;
    bool recorded; // an event
    int stream;    // of an event: where it was recorded last
    int launches;  // of a graph
    size_t bytes;
    struct Object *next;
    max_align_t content[];
} Object;

static Object *_Atomic objects; // freed ones, too. Threads add them and look at them
static atomic_int calls, launches, recordings, replays, contexts;
static _Thread_local int current; // contexts that are pushed
static char failed[64] = "nothing";

static void wrong(const char *what) {
    fprintf(stderr, "libcuda: %s\n", what);
    abort();
}

static const char *const names[] = {
#define X(name, member, parameters) #name,
    MG_CU_FUNCTIONS(X)
#undef X
};
static atomic_int counts[sizeof names / sizeof *names];
static char order[256];

static atomic_int *count_of(const char *name) {
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(names[k], name))
            return &counts[k];
    wrong(name);
    return NULL;
}

int other_cuda_calls(const char *name);
int other_cuda_calls(const char *name) {
    return *count_of(name);
}

// The order since the last call.
const char *other_cuda_order(void);
const char *other_cuda_order(void) {
    static char result[sizeof order];
    memcpy(result, order, sizeof order);
    order[0] = 0;
    return result;
}

static MgCuResult next_call(const char *name) {
    const char *all = getenv("MG_CUDA"), *at = getenv("MG_CUDA_FAIL");
    int call = atomic_fetch_add(&calls, 1) + 1, n = 0, status = 0;
    ++*count_of(name);
    if (all)
        return atoi(all);
    bool onward = at && sscanf(at, "%d+=%d", &n, &status) == 2;
    if (!onward && (!at || sscanf(at, "%d=%d", &n, &status) != 2))
        return 0;
    if (onward ? call < n : call != n)
        return 0;
    if (call == n)
        snprintf(failed, sizeof failed, "%s", name);
    return status;
}
#define CALL()                                                                                     \
    MgCuResult result = next_call(__func__);                                                       \
    if (result)                                                                                    \
    return result
#define CALL_IN_CONTEXT()                                                                          \
    CALL();                                                                                        \
    if (!current)                                                                                  \
    wrong("there is no context")

static Object *make(Kind kind, size_t bytes) {
    Object *o = calloc(1, sizeof *o + bytes);
    if (!o)
        abort();
    o->kind = kind;
    o->bytes = bytes;
    o->next = objects;
    while (!atomic_compare_exchange_weak(&objects, &o->next, o))
        ;
    return o;
}

static Object *check(const void *object, Kind kind) {
    for (Object *o = objects; o; o = o->next)
        if (o == object && o->kind == kind)
            return o;
    wrong(kinds[kind]);
    return NULL;
}

// The memory that has the address.
static Object *memory_at(MgCuPointer at) {
    for (Object *o = objects; o; o = o->next)
        if ((o->kind == MEMORY || o->kind == PINNED) && at >= (uintptr_t)o->content &&
            at < (uintptr_t)o->content + o->bytes)
            return o;
    return NULL;
}

static MgCuResult drop(void *object, Kind kind, MgCuResult status) {
    if (!current)
        wrong("there is no context");
    check(object, kind)->kind = FREED;
    return status;
}

static void check_memory(MgCuPointer at, size_t bytes) {
    Object *o = memory_at(at);
    if (!o || at - (uintptr_t)o->content + bytes > o->bytes)
        wrong("memory");
}

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("MG_CUDA_LOG");
    FILE *log = name ? fopen(name, "w") : NULL;
    if (!log)
        return;
    fprintf(log, "%d calls\n%d launches\n%d recordings\n%d replays\n%d links\nfailed: %s\n", calls,
            launches, recordings, replays, *count_of("cuLinkComplete"), failed);
    int alive[KINDS] = {0};
    for (const Object *o = objects; o; o = o->next)
        alive[o->kind]++;
    for (int k = FREED + 1; k < KINDS; k++)
        if (alive[k])
            fprintf(log, "alive: %d of %s\n", alive[k], kinds[k]);
    if (contexts)
        fprintf(log, "alive: %d contexts\n", contexts);
    fclose(log);
}

#define X(name, member, parameters) MgCuResult name parameters;
MG_CU_FUNCTIONS(X)
#undef X
#pragma GCC diagnostic ignored "-Wunused-parameter"

// ---------------------------------------------------------------- devices
MgCuResult cuInit(unsigned flags) {
    CALL();
    return 0;
}

MgCuResult cuGetErrorName(MgCuResult status, const char **name) {
    *name = "CUDA_ERROR_OF_A_TEST";
    return 0;
}

MgCuResult cuDeviceGetCount(int *n) {
    *n = 1;
    CALL();
    return 0;
}

MgCuResult cuDeviceGet(MgCuDevice *device, int number) {
    CALL();
    *device = number;
    return 0;
}

MgCuResult cuDeviceGetAttribute(int *value, int attribute, MgCuDevice device) {
    CALL();
    const char *place = getenv("MG_PCI");
    if (!place)
        return 0;
    *value = attribute == MG_CU_PCI_BUS ? atoi(place) : 0;
    return 0;
}

MgCuResult cuDevicePrimaryCtxRetain(MgCuContext *context, MgCuDevice device) {
    CALL();
    contexts++;
    *context = (MgCuContext)&contexts;
    return 0;
}

MgCuResult cuDevicePrimaryCtxRelease_v2(MgCuDevice device) {
    if (--contexts < 0)
        wrong("a context is released twice");
    CALL();
    return 0;
}

MgCuResult cuCtxPushCurrent_v2(MgCuContext context) {
    if (context != (MgCuContext)&contexts || !contexts)
        wrong("no such context");
    CALL();
    current++;
    return 0;
}

MgCuResult cuCtxPopCurrent_v2(MgCuContext *context) {
    if (--current < 0)
        wrong("no context is current");
    CALL();
    return 0;
}

// ---------------------------------------------------------------- memory
MgCuResult cuMemAlloc_v2(MgCuPointer *at, size_t bytes) {
    CALL_IN_CONTEXT();
    *at = (uintptr_t)make(MEMORY, bytes)->content;
    return 0;
}

MgCuResult cuMemFree_v2(MgCuPointer at) {
    MgCuResult status = next_call(__func__);
    Object *o = memory_at(at);
    return o ? drop(o, MEMORY, status) : (wrong("memory"), status);
}

MgCuResult cuMemGetAddressRange_v2(MgCuPointer *base, size_t *bytes, MgCuPointer at) {
    CALL_IN_CONTEXT();
    const Object *o = memory_at(at);
    if (!o)
        return NOT_FOUND;
    *base = (uintptr_t)o->content;
    *bytes = o->bytes;
    return 0;
}

MgCuResult cuPointerGetAttribute(void *value, int attribute, MgCuPointer at) {
    CALL_IN_CONTEXT();
    if (!memory_at(at) || attribute != MG_CU_POINTER_DEVICE)
        return INVALID;
    *(int *)value = 0;
    return 0;
}

MgCuResult cuMemHostAlloc(void **at, size_t bytes, unsigned flags) {
    CALL_IN_CONTEXT();
    *at = make(PINNED, bytes)->content;
    return 0;
}

MgCuResult cuMemFreeHost(void *at) {
    MgCuResult status = next_call(__func__);
    Object *o = memory_at((uintptr_t)at);
    return o ? drop(o, PINNED, status) : (wrong("pinned memory"), status);
}

MgCuResult cuMemcpyHtoD_v2(MgCuPointer to, const void *from, size_t bytes) {
    CALL_IN_CONTEXT();
    check_memory(to, bytes);
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

// A copy in a stream. MG records no copies.
static MgCuResult transfer(void *to, const void *from, size_t bytes, MgCuStream stream) {
    check(stream, STREAM);
    memmove(to, from, bytes);
    return 0;
}

MgCuResult cuMemcpyHtoDAsync_v2(MgCuPointer to, const void *from, size_t bytes, MgCuStream stream) {
    CALL_IN_CONTEXT();
    check_memory(to, bytes);
    return transfer((void *)(uintptr_t)to, from, bytes, stream);
}

MgCuResult cuMemcpyDtoHAsync_v2(void *to, MgCuPointer from, size_t bytes, MgCuStream stream) {
    CALL_IN_CONTEXT();
    check_memory(from, bytes);
    return transfer(to, (void *)(uintptr_t)from, bytes, stream);
}

MgCuResult cuMemcpyDtoDAsync_v2(MgCuPointer to, MgCuPointer from, size_t bytes, MgCuStream stream) {
    CALL_IN_CONTEXT();
    check_memory(from, bytes);
    check_memory(to, bytes);
    return transfer((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes, stream);
}

// ---------------------------------------------------------------- programs
MgCuResult cuLinkCreate_v2(unsigned n, int *options, void **values, MgCuLink *link) {
    CALL_IN_CONTEXT();
    *link = (MgCuLink)make(LINK, sizeof(int));
    return 0;
}

MgCuResult cuLinkAddData_v2(MgCuLink link, int kind, void *data, size_t bytes, const char *name,
                            unsigned n, int *options, void **values) {
    CALL_IN_CONTEXT();
    check(link, LINK);
    return 0;
}

MgCuResult cuLinkComplete(MgCuLink link, void **cubin, size_t *bytes) {
    CALL_IN_CONTEXT();
    *cubin = check(link, LINK)->content;
    *bytes = sizeof(int);
    return 0;
}

MgCuResult cuLinkDestroy(MgCuLink link) {
    return drop(link, LINK, next_call(__func__));
}

MgCuResult cuModuleLoadDataEx(MgCuModule *module, const void *image, unsigned n, int *options,
                              void **values) {
    CALL_IN_CONTEXT();
    *module = (MgCuModule)make(MODULE, 0);
    return 0;
}

MgCuResult cuModuleUnload(MgCuModule module) {
    return drop(module, MODULE, next_call(__func__));
}

MgCuResult cuModuleGetGlobal_v2(MgCuPointer *at, size_t *bytes, MgCuModule module,
                                const char *name) {
    CALL_IN_CONTEXT();
    check(module, MODULE);
    return NOT_FOUND;
}

MgCuResult cuFuncSetAttribute(MgCuFunction f, int attribute, int value) {
    CALL_IN_CONTEXT();
    return 0;
}

// A function is its module.
MgCuResult cuModuleGetFunction(MgCuFunction *f, MgCuModule module, const char *name) {
    CALL_IN_CONTEXT();
    *f = (MgCuFunction)check(module, MODULE);
    return 0;
}

// ---------------------------------------------------------------- streams and events
MgCuResult cuStreamCreate(MgCuStream *stream, unsigned flags) {
    CALL_IN_CONTEXT();
    *stream = (MgCuStream)make(STREAM, 0);
    return 0;
}

MgCuResult cuStreamDestroy_v2(MgCuStream stream) {
    return drop(stream, STREAM, next_call(__func__));
}

MgCuResult cuStreamSynchronize(MgCuStream stream) {
    CALL_IN_CONTEXT();
    if (stream)
        check(stream, STREAM);
    return 0;
}

MgCuResult cuLaunchKernel(MgCuFunction f, unsigned groups, unsigned groups_y, unsigned groups_z,
                          unsigned items, unsigned items_y, unsigned items_z, unsigned local,
                          MgCuStream stream, void **arguments, void **extra) {
    CALL_IN_CONTEXT();
    check(f, MODULE);
    check(stream, STREAM);
    launches++;
    return 0;
}

// Kernels here have no boxes.
MgCuResult cuTensorMapEncodeTiled(MgCuMap *map, int type, uint32_t rank, MgCuPointer at,
                                  const uint64_t *sizes, const uint64_t *strides,
                                  const uint32_t *extents, const uint32_t *steps, int interleaved,
                                  int swizzled, int promoted, int outside) {
    wrong("a map of a tensor");
    return INVALID;
}

MgCuResult cuTensorMapEncodeIm2col(MgCuMap *map, int type, uint32_t rank, MgCuPointer at,
                                   const uint64_t *sizes, const uint64_t *strides, const int *low,
                                   const int *high, uint32_t channels, uint32_t pixels,
                                   const uint32_t *steps, int interleaved, int swizzled,
                                   int promoted, int outside) {
    wrong("a map of a tensor's pixels");
    return INVALID;
}

MgCuResult cuEventCreate(MgCuEvent *event, unsigned flags) {
    CALL_IN_CONTEXT();
    *event = (MgCuEvent)make(EVENT, 0);
    return 0;
}

MgCuResult cuEventDestroy_v2(MgCuEvent event) {
    return drop(event, EVENT, next_call(__func__));
}

static int number_of(MgCuStream stream) {
    bool of_caller = (uintptr_t)stream == 1 || (uintptr_t)stream == 2;
    return of_caller ? (int)(uintptr_t)stream : (check(stream, STREAM), 0);
}

MgCuResult cuEventRecord(MgCuEvent event, MgCuStream stream) {
    CALL_IN_CONTEXT();
    Object *e = check(event, EVENT);
    e->stream = number_of(stream);
    e->recorded = true;
    return 0;
}

MgCuResult cuStreamWaitEvent(MgCuStream stream, MgCuEvent event, unsigned flags) {
    CALL_IN_CONTEXT();
    const Object *e = check(event, EVENT);
    size_t n = strlen(order);
    if (!e->recorded)
        return INVALID;
    snprintf(order + n, sizeof order - n, "%d<%d ", e->stream, number_of(stream));
    return 0;
}

MgCuResult cuEventElapsedTime(float *milliseconds, MgCuEvent from, MgCuEvent to) {
    CALL_IN_CONTEXT();
    if (!from || !to || !check(from, EVENT)->recorded || !check(to, EVENT)->recorded)
        return INVALID;
    *milliseconds = 1;
    return 0;
}

// ---------------------------------------------------------------- graphs
MgCuResult cuGraphCreate(MgCuGraph *graph, unsigned flags) {
    CALL_IN_CONTEXT();
    *graph = (MgCuGraph)make(GRAPH, 0);
    return 0;
}

// A node is the number of launches in its graph that come before it, plus 1.
MgCuResult cuGraphAddKernelNode(MgCuNode *node, MgCuGraph graph, const MgCuNode *after, size_t n,
                                const MgCuLaunch *launch) {
    CALL_IN_CONTEXT();
    check(launch->f, MODULE);
    Object *g = check(graph, GRAPH);
    for (size_t i = 0; i < n; i++)
        if (!after[i] || (uintptr_t)after[i] > (uintptr_t)g->launches)
            wrong("a launch that waits for one that is not there");
    *node = (MgCuNode)(uintptr_t)++g->launches;
    return 0;
}

MgCuResult cuGraphInstantiateWithFlags(MgCuGraphRun *run, MgCuGraph graph,
                                       unsigned long long flags) {
    CALL_IN_CONTEXT();
    Object *r = make(GRAPH_RUN, 0);
    r->launches = check(graph, GRAPH)->launches;
    recordings++;
    *run = (MgCuGraphRun)r;
    return 0;
}

MgCuResult cuGraphDestroy(MgCuGraph graph) {
    return drop(graph, GRAPH, next_call(__func__));
}

MgCuResult cuGraphLaunch(MgCuGraphRun run, MgCuStream stream) {
    CALL_IN_CONTEXT();
    launches += check(run, GRAPH_RUN)->launches;
    replays++;
    check(stream, STREAM);
    return 0;
}

MgCuResult cuGraphExecDestroy(MgCuGraphRun run) {
    return drop(run, GRAPH_RUN, next_call(__func__));
}
