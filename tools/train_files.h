// Checkpoints of a training: a folder with one folder for each, and a file that names the latest.
//
//     DIR/latest                            "step-000500"
//     DIR/step-000500/weights.safetensors   the parameters
//     DIR/step-000500/state.safetensors     the buffers
//     DIR/step-000500/train.json            where the training was, and its batches
//
// `latest` is replaced last, so after a kill at any moment it names a complete checkpoint. The
// checkpoint before it is kept; older ones are removed.
#ifndef MG_TOOLS_TRAIN_FILES_H
#define MG_TOOLS_TRAIN_FILES_H

#include "include/mg.h"
#include "support/diag.h"

typedef struct MgcTrainPlace {
    uint64_t step, samples, seed; // steps made, samples seen
    uint64_t batch, accumulate;   // samples of a batch, batches of a step
} MgcTrainPlace;

// Each returns 0, or the exit status after a message.
int mgc_checkpoint_check(const char *folder); // makes the folder, before long work begins
int mgc_checkpoint_save(MgSession *session, MgTrain *train, const char *folder,
                        const MgcTrainPlace *place);
// Takes the place from the checkpoint, except batch and accumulate; if these differ, it says so.
int mgc_checkpoint_load(MgSession *session, MgTrain *train, const char *folder,
                        MgcTrainPlace *place);

#endif
