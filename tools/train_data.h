// What a training learns from: tensors of samples, or streams of elements of which a sample is a
// window. The order of the samples is a function of a seed and the sample's number, so a training
// that stops and resumes sees the same samples as one that never stopped.
#ifndef MG_TOOLS_TRAIN_DATA_H
#define MG_TOOLS_TRAIN_DATA_H

#include "runtime/context.h"
#include "tools/options.h"
#include "tools/train_source.h"

typedef struct MgcReader MgcReader; // the thread that reads batches ahead

// Samples `at` to `at + n` (excluded), of each source.
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
    int64_t every;  // if not shuffled: the elements from the beginning of one sample to that of the
                    // next
    bool stream;
    uint64_t seed;
    bool shuffled; // otherwise in order
    MgcBatch batches[2];
    uint32_t now;  // the batch that the instance uses; the other one is read ahead
    uint32_t slow; // the number of latest readings that took long enough to be done ahead
    MgcReader *reader;
} MgcData;

// Opens what `specs` (the values of --data) name for the inputs of the model that `wanted` marks.
// `sets` are those of --set. Returns 0, or the exit status after a message. Close it in either
// case.
int mgc_data_open(MgArena *arena, MgContext *context, MgModel *model, const MgcList *specs,
                  const MgcList *sets, const bool *wanted, MgcData *data);
// Uses, in order, the `count` samples from `first` on. Windows of a stream that would overlap are
// left out.
void mgc_data_in_order(MgcData *data, int64_t first, int64_t count);
void mgc_data_close(MgcData *data);
// Binds samples `at` to `at + n` (excluded) to the instance. Numbers continue beyond the count:
// each round has another order. If reading is slow, a thread then reads the next n ahead. Returns
// 0, or the exit status after a message.
int mgc_data_batch(MgcData *data, MgInstance *instance, uint64_t at, uint32_t n);
// A number from two numbers; each of its bits depends on all of their bits (splitmix64).
uint64_t mgc_mix(uint64_t a, uint64_t b);

#endif
