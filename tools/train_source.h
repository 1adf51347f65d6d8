// Where one input's samples come from: a tensor in memory, a file of elements, which is read where
// it is needed, or a folder of pictures.
#ifndef MG_TOOLS_TRAIN_SOURCE_H
#define MG_TOOLS_TRAIN_SOURCE_H

#include "formats/tensor.h"
#include "runtime/context.h"
#include "tools/train_pictures.h"

enum { MGC_MESSAGE = 512 };

typedef struct MgcSource {
    uint32_t input; // of the model
    MgElement element;
    uint32_t rank; // of what it has; with one axis, it may be a stream
    int64_t dims[MG_TENSOR_RANK_MAX];
    bool stream;
    int64_t ahead; // elements of a stream that its windows begin later
    // one sample:
    uint32_t sample_rank;
    int64_t *shape;
    size_t bytes;
    // one of these:
    MgTensor *all;
    int file; // -1: none
    const MgcPictures *pictures;

    const char *path; // of the file
    uint8_t *scratch; // of the pictures: one, with channels innermost; NULL: pixels are not wanted,
                      // but classes
    bool planes;      // channels stand outermost
} MgcSource;

// Opens what `spec` names for the input. `dims` are sizes of the graph's dimensions, or -1. Close
// it in either case. Returns 0, or the exit status after a message.
int mgc_source_open(MgArena *arena, MgContext *context, MgModel *model, uint32_t input,
                    const char *spec, const int64_t *dims, MgcSource *source);
void mgc_source_close(MgcSource *source);
// The number of samples; windows of a stream may begin at each element.
int64_t mgc_source_samples(const MgcSource *source);
// Copies sample `k` to a place for its bytes. One thread at a time. False with a message of at most
// MGC_MESSAGE bytes.
bool mgc_source_read(const MgcSource *source, int64_t k, void *to, char *message);
// FILE.npz and FILE.safetensors have an array for each input; a folder has pictures and classes.
bool mgc_source_is_for_all(const char *path);

#endif
