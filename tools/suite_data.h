// A data set of a case: its inputs and outputs, in the types of the model's ports. Tensor K is in
// input_K.pb or input_K.npy, or is the array input_K of data.npz; the same for outputs.
#ifndef MG_TOOLS_SUITE_DATA_H
#define MG_TOOLS_SUITE_DATA_H

#include "include/mg.h"
#include "support/mem.h"

// 1 + the largest K of a kind. A set may lack tensors below it.
uint32_t mgc_set_count(MgArena *arena, MgContext *context, const char *set, const char *kind);
// Tensor K of a kind. Returns NULL if there is none (*status is then MG_OK), or if it can't be
// read; then the context has the reason.
MgTensor *mgc_set_tensor(MgArena *arena, MgContext *context, const char *set, const char *kind,
                         uint32_t number, MgStatus *status);

// If KIND_K.pb holds a sequence or an optional, sets *is_list and returns its tensors, whose
// references the caller owns.
MgTensor **mgc_set_list(MgArena *arena, MgContext *context, const char *set, const char *kind,
                        uint32_t number, uint32_t *n, bool *is_list);

// Gives t another element type: floats are converted; a type that only renames the bits keeps them.
// Takes over t's reference. Returns NULL if memory runs out.
MgTensor *mgc_as_type(MgTensor *t, MgElement element);
// Some writers of data sets store a scalar as a vector of one element; this undoes it.
void mgc_as_scalar(MgTensor *t, const MgPortInfo *port);
// Gives an input the type of its port. numpy has no bf16, so data sets hold its bits as u16. A data
// set may belong to the same net in another precision, which sets *other. Takes over t's reference.
MgTensor *mgc_as_input(MgTensor *t, const MgPortInfo *port, bool *other);
// The same for an expected output, except that a float of another type keeps its type.
MgTensor *mgc_as_output(MgTensor *t, const MgPortInfo *port);

#endif
