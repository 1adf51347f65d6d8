// The OpenCL host: OpenCL 1.2 through the ICD loader, which is opened at run time. So nothing in MG
// depends on it, and on a machine without it the user is told what to install.
#include "backends/opencl/host/host.h"

#include "backends/opencl/host/ptx.h"
#include "backends/opencl/print.h"

#include <stdio.h>
#include <stdlib.h>

static void close_device(MgHostDevice *d) {
    if (d->context)
        d->cl.clReleaseContext(d->context);
    free(d);
}

static MgHostStatus open_device(const MgFoundDevice *found, MgHostDevice **device) {
    cl_int status = CL_OUT_OF_HOST_MEMORY;
    MgHostDevice *d = calloc(1, sizeof *d);
    if (!d)
        return status;
    d->id = found->id;
    d->max_allocation = found->info.max_allocation;
    if (mg_cl_api(&d->cl)) {
        free(d);
        return CL_DEVICE_NOT_AVAILABLE;
    }
    d->options = mg_cl_build_options(&d->cl, d->id);
    d->context = d->cl.clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
    if (status)
        close_device(d);
    else
        *device = d;
    return status;
}

static void *object(const MgHostDevice *d, MgHostObject which) {
    return which == MG_HOST_CONTEXT ? (void *)d->context : (void *)d->id;
}

// ---------------------------------------------------------------- memory
static MgHostStatus alloc(MgHostDevice *d, size_t bytes, const void *content,
                          MgHostMemory **memory) {
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (bytes > d->max_allocation)
        return status;
    *memory = (MgHostMemory *)d->cl.clCreateBuffer(
        d->context, CL_MEM_READ_WRITE | (content && bytes ? CL_MEM_COPY_HOST_PTR : 0),
        bytes ? bytes : 16, bytes ? (void *)(uintptr_t)content : NULL, &status);
    return status;
}

static const char *adopt(MgHostDevice *d, void *object, MgHostMemory **adopted, size_t *bytes) {
    cl_mem memory = object;
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_int status = CL_INVALID_MEM_OBJECT;
    if (memory) {
        status = d->cl.clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL);
        status |=
            d->cl.clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof(cl_context), &context, NULL);
        status |= d->cl.clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof *bytes, bytes, NULL);
    }
    if (status)
        return "this is not an OpenCL memory object";
    if (context != d->context)
        return "the memory object belongs to another OpenCL context than the model, whose own "
               "mg_opencl_context gives";
    if (type != CL_MEM_OBJECT_BUFFER)
        return "the memory object is not a plain buffer";
    if (d->cl.clRetainMemObject(memory))
        return "the memory object can't be retained";
    *adopted = (MgHostMemory *)memory;
    return NULL;
}

static void *memory_object(const MgHostDevice *d, const MgHostMemory *memory) {
    (void)d;
    return (void *)(uintptr_t)memory; // it is the cl_mem
}

static void free_memory(MgHostDevice *d, MgHostMemory *memory) {
    d->cl.clReleaseMemObject((cl_mem)memory);
}

// ---------------------------------------------------------------- programs
static const char *options(const MgHostDevice *d) {
    return d->options;
}

const char *mg_cl_options(const MgFoundDevice *device) {
    MgClApi cl;
    return mg_cl_api(&cl) ? NULL : mg_cl_build_options(&cl, device->id);
}

static char *build_log(MgHostDevice *d, cl_program p) {
    size_t length = 0;
    d->cl.clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *log = malloc(length + 1);
    if (log) {
        d->cl.clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, length, log, NULL);
        log[length] = 0;
    }
    return log;
}

static cl_program compile(MgHostDevice *d, const MgHostCode *code, const char *options,
                          cl_int *status, char **log) {
    cl_int binary = CL_SUCCESS;
    const unsigned char *bytes = code->bytes;
    const char *text = code->bytes;
    cl_program p =
        code->binary ? d->cl.clCreateProgramWithBinary(d->context, 1, &d->id, &code->length, &bytes,
                                                       &binary, status)
                     : d->cl.clCreateProgramWithSource(d->context, 1, &text, &code->length, status);
    *status = *status ? *status : binary;
    if (!*status) {
        *status = d->cl.clBuildProgram(p, 1, &d->id, options, NULL, NULL);
        *log = *status ? build_log(d, p) : NULL;
    }
    if (*status && p) {
        d->cl.clReleaseProgram(p);
        p = NULL;
    }
    return p;
}

static bool binary(MgHostDevice *d, MgHostProgram *program, unsigned char **bytes, size_t *length) {
    cl_program p = (cl_program)program;
    *length = 0;
    if (d->cl.clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof *length, length, NULL) ||
        !*length)
        return false;
    *bytes = malloc(*length);
    if (*bytes && !d->cl.clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof *bytes, bytes, NULL))
        return true;
    free(*bytes);
    *bytes = NULL;
    return false;
}

static cl_program compile_with(MgHostDevice *d, const MgHostCode *code, const char *defined,
                               cl_int *status, char **log) {
    char options[1024];
    snprintf(options, sizeof options, "%s -D%s", d->options, defined);
    return compile(d, code, options, status, log);
}

// The program with the marked instructions of its source enabled. If the driver rejects them, the
// program is compiled without them.
static cl_program unmarked(MgHostDevice *d, const MgHostCode *code, cl_program marked,
                           cl_int *status, char **log) {
    MgHostCode made = {.binary = true};
    unsigned char *ptx = NULL;
    char *text = NULL;
    cl_program p = NULL;
    if (!binary(d, (MgHostProgram *)marked, &ptx, &made.length) ||
        !mg_ptx_is_marked(ptx, made.length)) {
        free(ptx);
        return marked;
    }
    made.bytes = text = mg_ptx_unmarked(ptx, made.length, &made.length);
    if (text)
        p = compile(d, &made, d->options, status, log);
    free(ptx);
    free(text);
    d->cl.clReleaseProgram(marked);
    if (p)
        return p;
    free(*log);
    *log = NULL;
    return compile_with(d, code, "MG_PLAIN", status, log);
}

MgHostStatus mg_cl_to_ptx(MgHostDevice *d, const MgHostCode *code, const char *defined,
                          unsigned char **ptx, size_t *length, char **log) {
    cl_int status = CL_SUCCESS;
    cl_program p = compile_with(d, code, defined, &status, log);
    if (!p)
        return status;
    bool made = binary(d, (MgHostProgram *)p, ptx, length);
    d->cl.clReleaseProgram(p);
    return made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

// Modules of PTX behind a source are for another driver.
static MgHostStatus build(MgHostDevice *d, const MgHostCode *given, MgHostProgram **program,
                          char **log) {
    cl_int status = CL_SUCCESS;
    MgHostCode own = *given, *code = &own;
    if (!own.binary)
        own.length = mg_ptx_source_length(own.bytes, own.length);
    cl_program p = compile(d, code, d->options, &status, log);
    if (p && !code->binary && mg_ptx_is_marked(code->bytes, code->length))
        p = unmarked(d, code, p, &status, log);
    *program = (MgHostProgram *)p;
    return status;
}

static void free_program(MgHostDevice *d, MgHostProgram *program) {
    d->cl.clReleaseProgram((cl_program)program);
}

static void meeting(MgArena *arena, MgText *source) {
    MgClSource cl;
    mg_opencl_source_begin(&cl, arena, source);
    mg_opencl_print_meeting(&cl);
}

const MgDeviceHost mg_opencl_host = {.name = "opencl",
                                     .backend = "opencl",
                                     .no_memory = CL_OUT_OF_HOST_MEMORY,
                                     .find = mg_cl_find,
                                     .status_name = mg_cl_status,
                                     .open = open_device,
                                     .close = close_device,
                                     .object = object,
                                     .alloc = alloc,
                                     .adopt = adopt,
                                     .memory_object = memory_object,
                                     .free = free_memory,
                                     .pin = mg_cl_pin,
                                     .unpin = mg_cl_unpin,
                                     .options = options,
                                     .build = build,
                                     .binary = binary,
                                     .free_program = free_program,
                                     .kernel = mg_cl_kernel,
                                     .free_kernel = mg_cl_free_kernel,
                                     .set_value = mg_cl_set_value,
                                     .set_memory = mg_cl_set_memory,
                                     .queue = mg_cl_queue,
                                     .free_queue = mg_cl_free_queue,
                                     .launch = mg_cl_launch,
                                     .write = mg_cl_write,
                                     .read = mg_cl_read,
                                     .copy = mg_cl_copy,
                                     .finish = mg_cl_finish,
                                     .moment = mg_cl_moment,
                                     .free_event = mg_cl_free_event,
                                     .meeting = meeting};
