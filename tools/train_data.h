// What a training learns from: tensors of samples, or streams of elements of which a sample is a
// window. Which sample comes when is a function of a seed and the sample's number, so a training
// that stops and goes on sees the same samples as one that never stopped.
#ifndef MG_TOOLS_TRAIN_DATA_H
#define MG_TOOLS_TRAIN_DATA_H

#include "runtime/context.h"
#include "tools/options.h"
#include "tools/train_source.h"

typedef struct MgcReader MgcReader; // the thread that reads batches ahead

// Samples number `at` to `at + n`, of each source.
typedef struct MgcBatch {
    uint64_t at;
    uint32_t n; // 0: nothing was read
    MgTensor **tensors;
    char failure[MGC_MESSAGE]; // "": none
} MgcBatch;

typedef struct MgcData {
    MgcSource *sources;
    uint32_t n_sources;
    int64_t first, count; // the samples in use
    int64_t window; // of a stream: the elements from a sample's first to its last, in all sources
    int64_t every;  // in order: from the beginning of one sample to that of the next
    bool stream;
    uint64_t seed;
    bool shuffled; // otherwise in order
    MgcBatch batches[2];
    uint32_t now;  // the batch that the instance has; the other one is read ahead
    uint32_t slow; // the latest readings in turn that took long enough to be done ahead
    MgcReader *reader;
} MgcData;

// Opens what `specs` name (--data's values) for the inputs of the model that `wanted` marks. `sets`
// are --set's. Returns 0, or the exit status after a message. Close it in either case.
int mgc_data_open(MgArena *arena, MgContext *context, MgModel *model, const MgcList *specs,
                  const MgcList *sets, const bool *wanted, MgcData *data);
// Uses, in order, the samples from `first` on, which are `count`. Windows of a stream that would
// overlap are left out.
void mgc_data_in_order(MgcData *data, int64_t first, int64_t count);
void mgc_data_close(MgcData *data);
// Binds samples number `at` to `at + n` to the instance. Numbers go on beyond the count: each round
// has another order. If reading is slow, a thread then reads the next n ahead. Returns 0, or the
// exit status after a message.
int mgc_data_batch(MgcData *data, MgInstance *instance, uint64_t at, uint32_t n);
// A number from two, each bit of which depends on all of theirs. (splitmix64)
uint64_t mgc_mix(uint64_t a, uint64_t b);

#endif
