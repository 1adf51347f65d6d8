// Prints kernel IR as OpenCL C 1.2.
#ifndef MG_BACKENDS_OPENCL_PRINT_H
#define MG_BACKENDS_OPENCL_PRINT_H

#include "backends/device_text.h"
#include "ir/kernel.h"

// One OpenCL source text: several kernels and the helper functions they share.
typedef struct MgClSource {
    MgText *out;
    MgMap helpers; // hashes of the names of helpers that are printed already
    MgMap kernels; // the number of kernels of each name
    bool meets;    // the functions by which groups synchronise are printed already
} MgClSource;
// Prints the lines before the kernels, which turn contraction off and f64 on.
void mg_opencl_source_begin(MgClSource *source, MgArena *arena, MgText *out);

// Prints a kernel and the helper functions it uses. k must be legalised, and its barriers over the
// grid split off (ir/program_split.h), unless its groups meet. False with a diagnostic if k has
// something that OpenCL C lacks. *name (unless name is NULL) becomes the kernel's name in the
// source: mg_ and its own name, with a number if several kernels share it.
//
// Its arguments are the buffers (parameters, then the scratch of workers and of the call; a
// worker's scratch has one copy per work-group), each as an object and a long, the byte where it
// begins; then the scalars as longs; then, if k can trap, an int that receives the trap's code. A
// work-group is a worker. Groups have one work-item unless the kernel has loops over items.
bool mg_opencl_print_kernel(MgSession *session, const MgKernel *k, MgClSource *source,
                            const char **name);
// Prints a kernel with nothing but a meeting of groups, mg_meeting(words, int rounds, int *trap),
// to measure the cost of a launch and of a barrier over the grid. words has four uints that start
// at zero; the last one becomes the number of groups that ran at the same time.
void mg_opencl_print_meeting(MgClSource *source);

#endif
