// The functions of OpenCL 1.2 that MG calls. They are looked up in libOpenCL.so.1 when first
// needed, so nothing in MG depends on it.
#ifndef MG_BACKENDS_OPENCL_HOST_API_H
#define MG_BACKENDS_OPENCL_HOST_API_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define MG_CL_FUNCTIONS(X)                                                                         \
    X(clGetPlatformIDs)                                                                            \
    X(clGetPlatformInfo)                                                                           \
    X(clGetDeviceIDs)                                                                              \
    X(clGetDeviceInfo)                                                                             \
    X(clCreateContext)                                                                             \
    X(clReleaseContext)                                                                            \
    X(clCreateCommandQueue)                                                                        \
    X(clReleaseCommandQueue)                                                                       \
    X(clCreateProgramWithSource)                                                                   \
    X(clCreateProgramWithBinary)                                                                   \
    X(clBuildProgram)                                                                              \
    X(clGetProgramInfo)                                                                            \
    X(clGetProgramBuildInfo)                                                                       \
    X(clReleaseProgram)                                                                            \
    X(clCreateKernel)                                                                              \
    X(clReleaseKernel)                                                                             \
    X(clSetKernelArg)                                                                              \
    X(clGetKernelWorkGroupInfo)                                                                    \
    X(clCreateBuffer)                                                                              \
    X(clRetainMemObject)                                                                           \
    X(clReleaseMemObject)                                                                          \
    X(clGetMemObjectInfo)                                                                          \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueCopyBuffer)                                                                         \
    X(clEnqueueMapBuffer)                                                                          \
    X(clEnqueueUnmapMemObject)                                                                     \
    X(clWaitForEvents)                                                                             \
    X(clGetEventProfilingInfo)                                                                     \
    X(clReleaseEvent)                                                                              \
    X(clFlush)                                                                                     \
    X(clFinish)

typedef struct MgClApi {
#define X(name) __typeof__(name) *name;
    MG_CL_FUNCTIONS(X)
#undef X
} MgClApi;

// Fills in *api. Returns NULL, or why that failed. The library stays loaded, because drivers leave
// threads and exit handlers behind that need its code.
const char *mg_cl_api(MgClApi *api);
// The name of a status, such as "CL_OUT_OF_RESOURCES", or its number.
const char *mg_cl_status(cl_int status);
// The options with which every program is built. They keep f32 arithmetic as the source says.
const char *mg_cl_build_options(const MgClApi *api, cl_device_id device);

#endif
