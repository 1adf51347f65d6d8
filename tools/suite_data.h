// A data set of a case: its inputs and outputs, as a model's ports want them. Tensor K lies in
// input_K.pb or input_K.npy, or is the array input_K of data.npz; outputs likewise.
#ifndef MG_TOOLS_SUITE_DATA_H
#define MG_TOOLS_SUITE_DATA_H

#include "include/mg.h"
#include "support/mem.h"

// The number of tensors of a kind that a set has room for: the largest K plus one.
uint32_t mgc_set_count(MgArena *arena, MgContext *context, const char *set, const char *kind);
// Tensor K of a kind. NULL where there is none (then *status is MG_OK), or where the context says
// why not.
MgTensor *mgc_set_tensor(MgArena *arena, MgContext *context, const char *set, const char *kind,
                         uint32_t number, MgStatus *status);

// KIND_K.pb where it holds a sequence or an optional: its tensors, whose references the caller
// owns, and *is_list; else there is none.
MgTensor **mgc_set_list(MgArena *arena, MgContext *context, const char *set, const char *kind,
                        uint32_t number, uint32_t *n, bool *is_list);

// t with elements of another type: floats are converted, and bits that only have another name stay
// as they are. Takes over t's reference. NULL if memory runs out.
MgTensor *mgc_as_type(MgTensor *t, MgElement element);
// Some writers of data sets store a scalar as a vector of one element; this undoes it.
void mgc_as_scalar(MgTensor *t, const MgPortInfo *port);
// An input as its port has it. numpy has no bf16: data sets hold its bits as u16. And a data set
// may be that of the same net in another precision: then *other is set. Takes over t's reference.
MgTensor *mgc_as_input(MgTensor *t, const MgPortInfo *port, bool *other);
// The same for a wanted output, but that a float of another type stays one.
MgTensor *mgc_as_output(MgTensor *t, const MgPortInfo *port);

#endif
