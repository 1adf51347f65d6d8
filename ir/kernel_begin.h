// Where a kernel begins to read a buffer (kernel_begin.c).
#ifndef MG_IR_KERNEL_BEGIN_H
#define MG_IR_KERNEL_BEGIN_H

#include "ir/kernel.h"

// Takes the constant that the addresses of all loads from a parameter have in common from them, and
// returns it, in elements. The caller has to bind the parameter that much further on. 0: there is
// none, it is not below `elements`, or an address might be negative without it. The parameter must
// only be read, and by loads.
int64_t mg_kernel_take_begin(MgKernel *k, MgKBufId buf, int64_t elements);

#endif
