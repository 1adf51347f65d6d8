// Kernel IR as OpenCL C 1.2.
#ifndef MG_BACKENDS_OPENCL_PRINT_H
#define MG_BACKENDS_OPENCL_PRINT_H

#include "ir/kernel.h"

// One OpenCL source text: several kernels and the helper functions they share.
typedef struct MgClSource {
    MgText *out;
    MgMap helpers; // printed already, by hash of their names
    MgMap kernels; // number of kernels of each name
    bool meets;    // what groups meet by is printed already
} MgClSource;
// Prints what stands before the kernels: contraction off, f64 on.
void mg_opencl_source_begin(MgClSource *source, MgArena *arena, MgText *out);

// A kernel and the helper functions it uses. k is legalised, and barriers over the grid have been
// split off (ir/program_split.h), but in a kernel whose groups meet. False with a diagnostic if k
// has something that OpenCL C lacks. *name (if not NULL) becomes the kernel's name in the source:
// mg_ and its own, numbered if there are several of that name.
//
// Arguments: the buffers (parameters, then scratch of the workers and of the call; a worker's
// scratch has one copy for each work-group), each an object and a long, the byte where it begins;
// the scalars as long, and, if k can trap, an int that
// receives the code of a trap. A work-group is a worker; groups have one work-item unless the
// kernel has loops over items.
bool mg_opencl_print_kernel(MgSession *session, const MgKernel *k, MgClSource *source,
                            const char **name);
bool mg_opencl_can_trap(const MgKernel *k);
// A kernel that does nothing but meet, mg_meeting(words, int rounds, int *trap): what a launch and
// a barrier over the grid cost is measured by it. words: four uints, zero at the start; the last
// becomes the number of groups that ran at the same time.
void mg_opencl_print_meeting(MgClSource *source);

#endif
