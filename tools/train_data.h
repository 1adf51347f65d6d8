// What a training learns from: tensors of samples, or streams of elements of which a sample is a
// window. Which sample comes when is a function of a seed and the sample's number, so a training
// that stops and goes on sees the same samples as one that never stopped.
#ifndef MG_TOOLS_TRAIN_DATA_H
#define MG_TOOLS_TRAIN_DATA_H

#include "runtime/context.h"
#include "tools/options.h"

typedef struct MgcSource {
    uint32_t input; // of the model
    MgTensor *all;  // samples along the first axis; of a stream, its elements
    bool stream;
    int64_t ahead;   // elements of a stream that its windows begin later
    int64_t *shape;  // of one sample
    size_t bytes;    // of one sample
    MgTensor *batch; // of the last mgc_data_batch
} MgcSource;

typedef struct MgcData {
    MgcSource *sources;
    uint32_t n_sources;
    int64_t first, count; // the samples in use
    int64_t window; // of a stream: the elements from a sample's first to its last, in all sources
    int64_t every;  // in order: from the beginning of one sample to that of the next
    bool stream;
    uint64_t seed;
    bool shuffled; // otherwise in order
} MgcData;

// Opens what `specs` name (--data's values) for the inputs of the model that `wanted` marks. `sets`
// are --set's. Returns 0, or the exit status after a message. Close it in either case.
int mgc_data_open(MgArena *arena, MgContext *context, MgModel *model, const MgcList *specs,
                  const MgcList *sets, const bool *wanted, MgcData *data);
// Uses, in order, the samples from `first` on, which are `count`. Windows of a stream that would
// overlap are left out.
void mgc_data_in_order(MgcData *data, int64_t first, int64_t count);
void mgc_data_close(MgcData *data);
// Gathers samples number `at` to `at + n` into each source's `batch`, and binds it to the instance.
// Numbers go on beyond the count: each round has another order. Returns 0, or the exit status after
// a message.
int mgc_data_batch(MgcData *data, MgInstance *instance, uint64_t at, uint32_t n);
// A number from two, each bit of which depends on all of theirs. (splitmix64)
uint64_t mgc_mix(uint64_t a, uint64_t b);

#endif
