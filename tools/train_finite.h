// Where a training's first number that is not finite came from.
#ifndef MG_TOOLS_TRAIN_FINITE_H
#define MG_TOOLS_TRAIN_FINITE_H

#include "include/mg.h"
#include "support/diag.h"

// Binds a step's inputs to an instance. Returns 0, or the exit status after a message.
typedef int MgcBindFn(void *ctx, MgInstance *instance);

typedef struct MgcStep {
    MgTrain *train; // right after the step
    const char *file;
    MgCompileOptions compile;
    bool color;      // of messages
    const char *key; // of the parameter that got such a number; NULL: the loss is one
    MgcBindFn *bind;
    void *ctx;
} MgcStep;

// The key of a parameter that holds a number that is not finite, or NULL. Looks at all of them, and
// on a device copies them first.
const char *mgc_finite_exception(MgTrain *train);
// Undoes the step, repeats it with the reference interpreter, and says on standard error which op
// made the first such number on the way to the loss or parameter. It is slow, but runs once.
void mgc_finite_explain(MgSession *session, const MgcStep *step);

#endif
