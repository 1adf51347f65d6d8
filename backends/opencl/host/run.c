// A minimal host for OpenCL kernels: one device, one in-order queue, everything copied in and out.
//
// The session releases the device's objects, even if memory runs out.
#include "backends/opencl/host/run.h"

#include "backends/opencl/print.h"

#include "backends/opencl/host/api.h"
#include "image/image.h"

struct MgClDevice {
    MgSession *session;
    MgClApi api;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char name[256];
    const char *options;
    const char *beginning; // of sources
};

static void fail(MgClDevice *d, const char *what) {
    mg_diag(d->session, mg_no_span(), MG_D_opencl_failed, what);
}

static bool check(MgClDevice *d, cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return true;
    fail(d, mg_arena_printf(d->session->arena, "%s: %s (%d)", what, mg_cl_status(status), status));
    return false;
}

// ---------------------------------------------------------------- the device

static void close_device(void *object) {
    MgClDevice *d = object;
    if (d->queue)
        d->api.clReleaseCommandQueue(d->queue);
    if (d->context)
        d->api.clReleaseContext(d->context);
}

static bool find_device(MgClDevice *d, MgClDeviceType type) {
    cl_platform_id platforms[16];
    cl_uint n = 0;
    if (d->api.clGetPlatformIDs(16, platforms, &n) != CL_SUCCESS || n == 0) {
        fail(d, "there is no OpenCL platform: install a driver, such as PoCL for the CPU");
        return false;
    }
    cl_device_type wanted = type == MG_CL_CPU ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
    for (cl_uint i = 0; i < n && i < 16; i++)
        if (d->api.clGetDeviceIDs(platforms[i], wanted, 1, &d->device, NULL) == CL_SUCCESS)
            return true;
    fail(d, type == MG_CL_CPU ? "no OpenCL platform has a CPU" : "no OpenCL platform has a GPU");
    return false;
}

MgClDevice *mg_opencl_open(MgSession *session, MgClDeviceType type) {
    MgClDevice *d = MG_NEW(session->arena, MgClDevice);
    d->session = session;
    d->beginning = "";
    mg_mem_defer(session->mem, close_device, d);
    const char *missing = mg_cl_api(&d->api);
    if (missing)
        fail(d, missing);
    if (missing || !find_device(d, type))
        return NULL;
    cl_int status;
    d->options = mg_cl_build_options(&d->api, d->device);
    d->api.clGetDeviceInfo(d->device, CL_DEVICE_NAME, sizeof d->name - 1, d->name, NULL);
    d->context = d->api.clCreateContext(NULL, 1, &d->device, NULL, NULL, &status);
    if (!check(d, status, "creating a context"))
        return NULL;
    d->queue = d->api.clCreateCommandQueue(d->context, d->device, 0, &status);
    return check(d, status, "creating a queue") ? d : NULL;
}

const char *mg_opencl_device_name(const MgClDevice *d) {
    return d->name;
}

void mg_opencl_begin(MgClDevice *d, const char *text) {
    d->beginning = text;
}

// ---------------------------------------------------------------- a run

typedef struct Run {
    MgClDevice *d;
    const MgKernel *k;
    const MgKBufferArg *args;
    const int64_t *scalars;
    uint32_t groups, items;
    const char *name; // of the kernel in the source
    cl_program program;
    cl_mem *mems; // one per buffer of the kernel, then the trap
    bool *owned;
    const void **before; // the initial contents of the parameters
} Run;

static bool build(Run *r, const char *source) {
    MgClDevice *d = r->d;
    cl_int status;
    const char *texts[] = {d->beginning, source};
    r->program = d->api.clCreateProgramWithSource(d->context, 2, texts, NULL, &status);
    if (!check(d, status, "creating a program"))
        return false;
    status = d->api.clBuildProgram(r->program, 1, &d->device, d->options, NULL, NULL);
    if (status == CL_SUCCESS)
        return true;
    char log[4096] = "";
    d->api.clGetProgramBuildInfo(r->program, d->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                 NULL);
    fail(d, mg_arena_printf(d->session->arena, "compiling kernel %s: status %d\n%s\n%s",
                            mg_name(r->k->names, r->k->name), status, log, source));
    return false;
}

// The value of a count: an expression over constants and scalars.
static int64_t count_of(const Run *r, const MgKx *x) {
    if (x->kind == MG_KX_CONST)
        return (int64_t)x->bits;
    if (x->kind == MG_KX_VAR) {
        for (uint32_t i = 0; i < r->k->scalars.len; i++)
            if (r->k->scalars.at[i] == x->var)
                return r->scalars[i];
        return 0;
    }
    MgBits args[3] = {0};
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = (MgBits)count_of(r, x->args[i]);
    return (int64_t)mg_prim_eval(x->prim, MG_I64, MG_I64, args);
}

static bool new_buffer(Run *r, uint32_t at, size_t bytes, void *data) {
    cl_int status;
    r->mems[at] = r->d->api.clCreateBuffer(
        r->d->context, CL_MEM_READ_WRITE | (data && bytes ? CL_MEM_COPY_HOST_PTR : 0),
        bytes ? bytes : 1, bytes ? data : NULL, &status);
    r->owned[at] = status == CL_SUCCESS;
    return check(r->d, status, "creating a buffer");
}

static bool make_buffers(Run *r) {
    const MgKernel *k = r->k;
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        if (i < k->n_params) {
            for (uint32_t j = 0; j < i && !r->mems[i]; j++)
                if (r->args[j].data == r->args[i].data && r->args[j].bytes == r->args[i].bytes)
                    r->mems[i] = r->mems[j];
            if (!r->mems[i] && !new_buffer(r, i, r->args[i].bytes, r->args[i].data))
                return false;
        } else if (b->scope == MG_SCOPE_WORKER || b->scope == MG_SCOPE_CALL) {
            size_t bytes =
                (size_t)count_of(r, b->count) * b->elem.lanes * mg_dtype_size(b->elem.dtype);
            if (!new_buffer(r, i, b->scope == MG_SCOPE_WORKER ? bytes * r->groups : bytes, NULL))
                return false;
        }
    }
    MgDeviceTrap none = {0}; // a kernel leaves its code and a value here
    return new_buffer(r, k->bufs.len, sizeof none, &none);
}

static bool launch(Run *r) {
    MgClApi *api = &r->d->api;
    cl_int status;
    cl_kernel kernel = api->clCreateKernel(r->program, r->name, &status);
    if (!check(r->d, status, "finding a kernel"))
        return false;
    cl_uint n = 0;
    static const cl_long at = 0;
    for (uint32_t i = 0; i < r->k->bufs.len; i++)
        if (r->mems[i]) {
            status |= api->clSetKernelArg(kernel, n++, sizeof(cl_mem), &r->mems[i]);
            status |= api->clSetKernelArg(kernel, n++, sizeof at, &at);
        }
    for (uint32_t i = 0; i < r->k->scalars.len; i++)
        status |= api->clSetKernelArg(kernel, n++, sizeof(cl_long), &r->scalars[i]);
    if (mg_device_can_trap(r->k))
        status |= api->clSetKernelArg(kernel, n++, sizeof(cl_mem), &r->mems[r->k->bufs.len]);
    size_t local = r->items, global = local * r->groups;
    bool ok = check(r->d, status, "setting the arguments of a kernel");
    if (ok) {
        status = api->clEnqueueNDRangeKernel(r->d->queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                             NULL);
        ok = check(r->d, status, "launching a kernel");
    }
    api->clReleaseKernel(kernel);
    return ok;
}

// Writes only the bytes that differ from `before` to data, since other buffers may overlap it.
static bool read_back(Run *r, uint32_t at, void *data, const void *before, size_t bytes) {
    MgArena *arena = mg_arena_new(r->d->session->mem);
    unsigned char *after = mg_arena_alloc(arena, bytes, 1), *to = data;
    const unsigned char *from = before;
    cl_int status = bytes ? r->d->api.clEnqueueReadBuffer(r->d->queue, r->mems[at], CL_TRUE, 0,
                                                          bytes, after, 0, NULL, NULL)
                          : CL_SUCCESS;
    for (size_t i = 0; i < bytes && status == CL_SUCCESS; i++)
        if (after[i] != from[i])
            to[i] = after[i];
    mg_arena_free(arena);
    return check(r->d, status, "reading a buffer");
}

static bool launch_and_read(Run *r, uint32_t *trap) {
    if (!launch(r) || !check(r->d, r->d->api.clFinish(r->d->queue), "running a kernel"))
        return false;
    for (uint32_t i = 0; i < r->k->n_params; i++)
        if (r->k->bufs.at[i].writes &&
            !read_back(r, i, r->args[i].data, r->before[i], r->args[i].bytes))
            return false;
    uint32_t none = 0;
    if (trap)
        *trap = 0;
    return !trap || read_back(r, r->k->bufs.len, trap, &none, sizeof none); // the trap's code
}

bool mg_opencl_run(MgClDevice *d, const MgKernel *k, const MgKBufferArg *buffers,
                   const int64_t *scalars, uint32_t groups, uint32_t items, uint32_t *trap) {
    MgArena *arena = mg_arena_new(d->session->mem);
    Run r = {.d = d, .k = k, .args = buffers, .scalars = scalars, .groups = groups, .items = items};
    r.mems = MG_NEW_N(arena, cl_mem, k->bufs.len + 1);
    r.owned = MG_NEW_N(arena, bool, k->bufs.len + 1);
    r.before = MG_NEW_N(arena, const void *, k->n_params + 1);
    for (uint32_t i = 0; i < k->n_params; i++)
        r.before[i] = mg_arena_copy(arena, buffers[i].data, buffers[i].bytes, 1);
    MgText source = mg_text(arena);
    MgClSource cl;
    mg_opencl_source_begin(&cl, arena, &source);
    bool ok = mg_opencl_print_kernel(d->session, k, &cl, &r.name) &&
              build(&r, mg_text_str(&source)) && make_buffers(&r) && launch_and_read(&r, trap);
    for (uint32_t i = 0; i <= k->bufs.len; i++)
        if (r.owned[i])
            d->api.clReleaseMemObject(r.mems[i]);
    if (r.program)
        d->api.clReleaseProgram(r.program);
    mg_arena_free(arena);
    return ok;
}
