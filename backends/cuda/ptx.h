// PTX that OpenCL's compiler made, as the CUDA driver takes it.
#ifndef MG_BACKENDS_CUDA_PTX_H
#define MG_BACKENDS_CUDA_PTX_H

#include <stdint.h>

// More local memory than this must be asked for when a kernel is launched. The kernel's array then
// has no size. A variable of the module with this suffix to the kernel's name is as large.
enum { MG_CU_MOST_STATIC = 48 << 10 };
#define MG_CU_LOCAL_SUFFIX "_local"

// The driver's linker gives its binary away, but it compiles kernels as if other modules might have
// functions that they call, as division does, and then wide products wait for one another. So the
// kernels that have both make a module of their own, which the driver compiles as a whole.
typedef enum MgCuPart { MG_CU_LINKED, MG_CU_WHOLE, MG_CU_PARTS } MgCuPart;

// Rewrites the kernels of a part of a text, *n of them, from malloc; NULL if memory runs out.
char *mg_cu_ptx(const char *text, MgCuPart part, uint32_t *n);

#endif
