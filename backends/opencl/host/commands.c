// Kernels with their arguments, queues, and the commands in them.
#include "backends/opencl/host/host.h"

// ---------------------------------------------------------------- kernels
MgHostStatus mg_cl_kernel(MgHostDevice *d, MgHostProgram *program, const char *name,
                          MgHostKernel **kernel) {
    cl_int status;
    *kernel = (MgHostKernel *)d->cl.clCreateKernel((cl_program)program, name, &status);
    return status;
}

void mg_cl_free_kernel(MgHostDevice *d, MgHostKernel *kernel) {
    d->cl.clReleaseKernel((cl_kernel)kernel);
}

MgHostStatus mg_cl_set_value(MgHostDevice *d, MgHostKernel *kernel, uint32_t argument, size_t bytes,
                             const void *value) {
    return d->cl.clSetKernelArg((cl_kernel)kernel, argument, bytes, value);
}

MgHostStatus mg_cl_set_memory(MgHostDevice *d, MgHostKernel *kernel, uint32_t argument,
                              MgHostMemory *memory) {
    cl_mem object = (cl_mem)memory;
    return d->cl.clSetKernelArg((cl_kernel)kernel, argument, sizeof object, &object);
}

// ---------------------------------------------------------------- queues
// Passes the event of a command to a caller who wants it.
static MgHostStatus enqueued(cl_int status, cl_event made, MgHostEvent **event) {
    if (event)
        *event = status ? NULL : (MgHostEvent *)made;
    return status;
}

MgHostStatus mg_cl_queue(MgHostDevice *d, bool timed, MgHostQueue **queue) {
    cl_int status;
    *queue = (MgHostQueue *)d->cl.clCreateCommandQueue(
        d->context, d->id, timed ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    return status;
}

void mg_cl_free_queue(MgHostDevice *d, MgHostQueue *queue) {
    d->cl.clReleaseCommandQueue((cl_command_queue)queue);
}

MgHostStatus mg_cl_launch(MgHostDevice *d, MgHostQueue *queue, MgHostKernel *kernel, size_t groups,
                          size_t items, MgHostEvent **event) {
    size_t global = groups * items;
    cl_event made = NULL;
    cl_int status =
        d->cl.clEnqueueNDRangeKernel((cl_command_queue)queue, (cl_kernel)kernel, 1, NULL, &global,
                                     &items, 0, NULL, event ? &made : NULL);
    return enqueued(status, made, event);
}

MgHostStatus mg_cl_write(MgHostDevice *d, MgHostQueue *queue, MgHostMemory *to, size_t at,
                         const void *from, size_t bytes, bool wait, MgHostEvent **event) {
    cl_event made = NULL;
    cl_int status = d->cl.clEnqueueWriteBuffer((cl_command_queue)queue, (cl_mem)to, wait, at, bytes,
                                               from, 0, NULL, event ? &made : NULL);
    return enqueued(status, made, event);
}

MgHostStatus mg_cl_read(MgHostDevice *d, MgHostQueue *queue, MgHostMemory *from, size_t at,
                        void *to, size_t bytes, bool wait, MgHostEvent **event) {
    cl_event made = NULL;
    cl_int status = d->cl.clEnqueueReadBuffer((cl_command_queue)queue, (cl_mem)from, wait, at,
                                              bytes, to, 0, NULL, event ? &made : NULL);
    return enqueued(status, made, event);
}

MgHostStatus mg_cl_copy(MgHostDevice *d, MgHostQueue *queue, MgHostMemory *to, size_t to_at,
                        MgHostMemory *from, size_t from_at, size_t bytes) {
    return d->cl.clEnqueueCopyBuffer((cl_command_queue)queue, (cl_mem)from, (cl_mem)to, from_at,
                                     to_at, bytes, 0, NULL, NULL);
}

MgHostStatus mg_cl_finish(MgHostDevice *d, MgHostQueue *queue) {
    return d->cl.clFinish((cl_command_queue)queue);
}

// ---------------------------------------------------------------- events
uint64_t mg_cl_moment(MgHostDevice *d, MgHostEvent *event, MgHostMoment which) {
    static const cl_profiling_info names[] = {[MG_HOST_QUEUED] = CL_PROFILING_COMMAND_QUEUED,
                                              [MG_HOST_BEGIN] = CL_PROFILING_COMMAND_START,
                                              [MG_HOST_END] = CL_PROFILING_COMMAND_END};
    cl_ulong ns = 0;
    d->cl.clGetEventProfilingInfo((cl_event)event, names[which], sizeof ns, &ns, NULL);
    return ns;
}

void mg_cl_free_event(MgHostDevice *d, MgHostEvent *event) {
    d->cl.clReleaseEvent((cl_event)event);
}

// ---------------------------------------------------------------- pinned memory
MgHostMemory *mg_cl_pin(MgHostDevice *d, MgHostQueue *queue, size_t bytes, void **at) {
    cl_int status;
    cl_mem memory = d->cl.clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                         bytes, NULL, &status);
    if (!memory)
        return NULL;
    *at = d->cl.clEnqueueMapBuffer((cl_command_queue)queue, memory, CL_TRUE,
                                   CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &status);
    if (*at)
        return (MgHostMemory *)memory;
    d->cl.clReleaseMemObject(memory);
    return NULL;
}

void mg_cl_unpin(MgHostDevice *d, MgHostQueue *queue, MgHostMemory *memory, void *at) {
    d->cl.clEnqueueUnmapMemObject((cl_command_queue)queue, (cl_mem)memory, at, 0, NULL, NULL);
    d->cl.clReleaseMemObject((cl_mem)memory);
}
