// Words by which the kernels of a device's program speak to the host that loads it.
#ifndef MG_BACKENDS_DEVICE_TEXT_H
#define MG_BACKENDS_DEVICE_TEXT_H

#include "ir/kernel.h"

// Marks an instruction as a comment until the host removes the mark.
#define MG_PTX_MARK "//MG: "
// A comment that begins with this describes a tensor of which the kernel needs a map
// (backends/cuda/boxes.h).
#define MG_PTX_BOX "MG_BOX"
// A comment with the items of a group, and how many groups share a unit: registers must suffice for
// all of them.
#define MG_PTX_RESIDENT "MG_RESIDENT"
// A line behind the OpenCL C. A module of PTX for a kernel of the same name follows, up to the next
// such line (backends/nvptx/ptx.h).
#define MG_PTX_MODULE "//MG module"

// Does a kernel have an argument that receives a trap's code? It is the last one before the maps.
bool mg_device_can_trap(const MgKernel *k);

#endif
