// Does the minimum that a program with a device can do. It opens a context on the device that mgc
// would take, builds one kernel from a kept binary (argv[1]; it is made if it is missing), runs it,
// and prints its result. The time to the first result of other programs is measured against it.
#include "backends/opencl/host/api.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static const char source[] = "__kernel void twice(__global float *x) {\n"
                             "    x[get_global_id(0)] *= 2.0f;\n"
                             "}\n";

// GPUs come first, as in the runtime.
static cl_device_id choose(const MgClApi *cl) {
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_uint n = 0;
    cl_device_id device = NULL;
    if (cl->clGetPlatformIDs(16, platforms, &n))
        return NULL;
    for (int t = 0; t < 2; t++)
        for (cl_uint p = 0; p < n && p < 16; p++)
            if (!device && cl->clGetDeviceIDs(platforms[p], types[t], 1, &device, NULL))
                device = NULL;
    return device;
}

static cl_program from_file(const MgClApi *cl, cl_context context, cl_device_id device,
                            const char *path) {
    static unsigned char bytes[1 << 22];
    const unsigned char *at = bytes;
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    size_t length = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    cl_int status;
    return cl->clCreateProgramWithBinary(context, 1, &device, &length, &at, NULL, &status);
}

static void to_file(const MgClApi *cl, cl_program program, const char *path) {
    size_t length = 0;
    cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL);
    unsigned char *bytes = malloc(length + 1);
    FILE *f = fopen(path, "wb");
    if (f && bytes &&
        !cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL))
        fwrite(bytes, 1, length, f);
    if (f)
        fclose(f);
    free(bytes);
}

int main(int argc, char **argv) {
    MgClApi cl;
    const char *missing = mg_cl_api(&cl), *text = source;
    cl_device_id device = missing || argc < 2 ? NULL : choose(&cl);
    cl_int status;
    if (!device)
        return 1;
    cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = cl.clCreateCommandQueue(context, device, 0, &status);
    cl_program program = from_file(&cl, context, device, argv[1]);
    bool kept = program && !cl.clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (!kept) {
        program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);
        if (cl.clBuildProgram(program, 1, &device, "", NULL, NULL))
            return 1;
    }
    cl_kernel kernel = cl.clCreateKernel(program, "twice", &status);
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    cl_mem memory = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof x, NULL, &status);
    size_t n = N;
    status = cl.clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof x, x, 0, NULL, NULL);
    status |= cl.clSetKernelArg(kernel, 0, sizeof memory, &memory);
    status |= cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    status |= cl.clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL);
    if (status || x[N - 1] != 2 * (N - 1))
        return 1;
    if (!kept)
        to_file(&cl, program, argv[1]);
    printf("%g\n", (double)x[N - 1]);
    return 0;
}
