// Where the samples of one input come from: a tensor in memory, a file of elements, which is read
// on demand, or a folder of pictures.
#ifndef MG_TOOLS_TRAIN_SOURCE_H
#define MG_TOOLS_TRAIN_SOURCE_H

#include "formats/tensor.h"
#include "runtime/context.h"
#include "tools/train_pictures.h"

enum { MGC_MESSAGE = 512 };

typedef struct MgcSource {
    uint32_t input; // of the model's inputs
    MgElement element;
    uint32_t rank; // the rank of the data; with one axis, it may be a stream
    int64_t dims[MG_TENSOR_RANK_MAX];
    bool stream;
    int64_t ahead; // of a stream: how many elements later its windows begin
    // One sample:
    uint32_t sample_rank;
    int64_t *shape;
    size_t bytes;
    // One of these:
    MgTensor *all;
    int file; // -1: none
    const MgcPictures *pictures;

    const char *path; // of the file
    uint8_t *scratch; // of pictures: one picture, with channels innermost; NULL: classes are
                      // wanted, not pixels
    bool planes;      // channels are outermost
} MgcSource;

// Opens what `spec` names for the input. `dims` are the sizes of the graph's dimensions, or -1.
// Close it in either case. Returns 0, or the exit status after a message.
int mgc_source_open(MgArena *arena, MgContext *context, MgModel *model, uint32_t input,
                    const char *spec, const int64_t *dims, MgcSource *source);
void mgc_source_close(MgcSource *source);
// The number of samples; windows of a stream may begin at any element.
int64_t mgc_source_samples(const MgcSource *source);
// Copies sample `k` to `to`, which has room for its bytes. Only one thread at a time may call it.
// False with a message of at most MGC_MESSAGE bytes.
bool mgc_source_read(const MgcSource *source, int64_t k, void *to, char *message);
// Does the path serve all inputs? FILE.npz and FILE.safetensors have an array for each input; a
// folder has pictures and classes.
bool mgc_source_is_for_all(const char *path);

#endif
