// PTX for NVIDIA's compute capability 9.0, which LLVM makes of kernel IR. It stands behind a
// program's OpenCL C (backends/opencl/opencl.c), so that the CUDA driver need not compile that.
#ifndef MG_BACKENDS_NVPTX_PTX_H
#define MG_BACKENDS_NVPTX_PTX_H

#include "ir/program.h"

typedef enum MgNvText { MG_NV_LLVM, MG_NV_PTX } MgNvText;

// Writes a text for each kernel that has a name and can be emitted, in their order. PTX is a module
// of its own after a line MG_PTX_MODULE (backends/opencl/print.h). names are those of the OpenCL C,
// whose kernels have the same arguments; NULL: nothing calls the kernel. p's kernels are legalised
// as for OpenCL C. Threads share the work; the text doesn't depend on their number. False with a
// diagnostic.
bool mg_nv_write(MgSession *session, const MgProgram *p, const char *const *names, MgNvText what,
                 MgText *out);

#endif
