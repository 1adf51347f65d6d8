// The functions of OpenCL 1.2 that MG calls, found in libOpenCL.so.1 when they are first needed, so
// that nothing of MG depends on it.
#ifndef MG_BACKENDS_OPENCL_API_H
#define MG_BACKENDS_OPENCL_API_H

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

// NULL, or why there are none. The library stays loaded: drivers leave threads and exit handlers
// behind that must not lose their code.
const char *mg_cl_api(MgClApi *api);
// "CL_OUT_OF_RESOURCES", or a number.
const char *mg_cl_status(cl_int status);
// The options that every program is built with on a device: f32 stays what the source says.
const char *mg_cl_build_options(const MgClApi *api, cl_device_id device);

#endif
