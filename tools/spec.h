// --input NAME=SPEC and --set DIM=SIZE: turns words into the tensors of a model's inputs.
#ifndef MG_TOOLS_SPEC_H
#define MG_TOOLS_SPEC_H

#include "runtime/context.h"
#include "tools/options.h"

// Fills tensors, which has room for one tensor per input of the model, in order; the caller owns
// the references. It is an error if a size is given by no file, no --set and no literal's length.
// Returns the exit status; a failure has a message.
int mgc_inputs(MgArena *arena, MgContext *context, MgModel *model, const MgcOptions *options,
               MgTensor **tensors);

// What --input gives to a model that is not loaded yet, by the inputs' names: tensors of files that
// can be read, and literals of whole numbers as i64 vectors. The caller owns the references.
MgGiven *mgc_given(MgArena *arena, MgContext *context, const MgcOptions *options, uint32_t *n);

// The sizes that --set gives to the dimensions of g, and -1 for the others, in the arena. Returns
// the exit status.
int mgc_set_dims(MgArena *arena, MgGraph *g, const MgcList *sets, int64_t **dims);

// Splits one word of --set into a dimension's name, in the arena, and its size. Returns the exit
// status.
int mgc_read_set(MgArena *arena, const char *word, const char **name, int64_t *size);

// The number of the graph's input (or output or dimension, as `what` says) whose name is the first
// `length` characters of word. Returns -1 after a message that suggests the nearest name.
int32_t mgc_resolve(MgArena *arena, const char *graph, const char *what, const char *word,
                    size_t length, const char *const *names, uint32_t n);

// Splits NAME=REST. Returns REST and the length of NAME, or NULL if there is no `=`.
const char *mgc_split(const char *word, size_t *name_length);

#endif
