// Kernel IR as OpenCL C 1.2.
#ifndef MG_BACKENDS_OPENCL_PRINT_H
#define MG_BACKENDS_OPENCL_PRINT_H

#include "ir/kernel.h"

// What stands before the kernels of a program: contraction off, f64 on.
void mg_opencl_print_prelude(MgText *out);

// The kernel and the helper functions it uses. k is legalised without options->f16. A kernel with
// barriers over the grid becomes several, name_0, name_1, … to be launched one after another; the
// number of them is returned, 0 with a diagnostic if k has something that OpenCL C lacks.
//
// Arguments: the buffers (parameters, then scratch of the workers and of the call; a worker's
// scratch has one copy for each work-group), the scalars as long, and, if k can trap, an int that
// receives the code of a trap. A work-group is a worker; groups have one work-item unless the
// kernel has loops over items.
uint32_t mg_opencl_print_kernel(MgSession *session, const MgKernel *k, MgText *out);
bool mg_opencl_can_trap(const MgKernel *k);
// The name of a kernel in the printed source.
const char *mg_opencl_kernel_name(const MgKernel *k, MgArena *arena);

#endif
