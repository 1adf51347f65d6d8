// PTX that OpenCL's compiler made, as the CUDA driver takes it.
#ifndef MG_BACKENDS_CUDA_PTX_H
#define MG_BACKENDS_CUDA_PTX_H

#include "backends/cuda/parts.h"

// More local memory than this must be asked for when a kernel is launched. The kernel's array then
// has no size. A variable of the module with this suffix to the kernel's name is as large.
enum { MG_CU_MOST_STATIC = 48 << 10 };
#define MG_CU_LOCAL_SUFFIX "_local"

// Rewrites the kernels of a text, and makes parts of it: one of each kernel that can't be linked,
// and one of the others. False if memory runs out.
bool mg_cu_ptx(const char *text, MgCuParts *parts);

#endif
