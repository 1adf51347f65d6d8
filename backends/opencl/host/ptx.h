// Instructions of NVIDIA's target "sm_90a", which OpenCL C can't be compiled for. A source has them
// in assembly, as comments behind marks (MG_PTX_MARK). What its compiler makes of it is PTX, a
// text, from which the marks are taken away, and which then is a program for that target.
#ifndef MG_BACKENDS_OPENCL_HOST_PTX_H
#define MG_BACKENDS_OPENCL_HOST_PTX_H

#include "backends/opencl/print.h"

#include <stdbool.h>
#include <stddef.h>

// Whether a text of `length` bytes has a mark.
bool mg_ptx_is_marked(const void *text, size_t length);
// The PTX without marks, for sm_90a, from malloc. NULL: it is no PTX for sm_90, or memory is
// exhausted.
char *mg_ptx_unmarked(const void *ptx, size_t length, size_t *unmarked);

#endif
