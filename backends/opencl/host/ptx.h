// Instructions of NVIDIA's target "sm_90a", for which OpenCL C can't be compiled. A source contains
// them in assembly, as comments after marks (MG_PTX_MARK). The driver's compiler turns the source
// into PTX, a text. Removing the marks from it gives a program for that target.
#ifndef MG_BACKENDS_OPENCL_HOST_PTX_H
#define MG_BACKENDS_OPENCL_HOST_PTX_H

#include "backends/opencl/print.h"

#include <stdbool.h>
#include <stddef.h>

// Does a text of `length` bytes contain a mark?
bool mg_ptx_is_marked(const void *text, size_t length);
// The PTX without marks, for sm_90a, from malloc. NULL if it is not PTX for sm_90, or if memory
// runs out.
char *mg_ptx_unmarked(const void *ptx, size_t length, size_t *unmarked);
// The bytes of a source before its first module (MG_PTX_MODULE); all of them if it has none.
size_t mg_ptx_source_length(const void *source, size_t length);

#endif
