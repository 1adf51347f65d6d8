// Finds where a training's first number that is not finite came from.
#ifndef MG_TOOLS_TRAIN_FINITE_H
#define MG_TOOLS_TRAIN_FINITE_H

#include "include/mg.h"
#include "support/diag.h"

// Binds the inputs of the step's batch of this number, from 0, to an instance. Returns 0, or the
// exit status after a message.
typedef int MgcBindFn(void *ctx, MgInstance *instance, uint64_t batch);

typedef struct MgcStep {
    MgTrain *train; // the training, right after the batch at fault
    uint64_t batch; // its number
    const char *file;
    MgCompileOptions compile;
    bool color;      // of messages
    const char *key; // of the parameter that got such a number; NULL: the loss got it
    MgcBindFn *bind;
    void *ctx;
} MgcStep;

// The key of a parameter that holds a number that is not finite, or NULL. Examines all parameters,
// which on a device it copies first, and buffers if that is asked for.
const char *mgc_finite_exception(MgTrain *train, const MgModel *model, bool buffers);
// Undoes the step, repeats it with the reference interpreter, and says on standard error which op
// made the first such number on the way to the loss or parameter. This is slow, but happens once.
void mgc_finite_explain(MgSession *session, const MgcStep *step);

#endif
