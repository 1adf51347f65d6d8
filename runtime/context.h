// The contents of a context, a model and an instance, for the files of the runtime and for mgc.
#ifndef MG_RUNTIME_CONTEXT_H
#define MG_RUNTIME_CONTEXT_H

#include "image/load.h"
#include "include/mg.h"
#include "ir/graph.h"
#include "ir/interp.h"
#include "passes/pass.h"
#include "runtime/cache.h"
#include "runtime/compile.h"
#include "runtime/device.h"
#include "runtime/package.h"
#include "runtime/weights.h"
#include "support/threads.h"

#include <pthread.h>
#include <stdatomic.h>

// An observer of the reference interpreter.
typedef struct MgObserver {
    // Called with the results after each op of the graph's body.
    void (*op)(void *ctx, MgGraph *g, MgOpId op, const MgInterpTensor *results, uint32_t n);
    void *ctx;
} MgObserver;

struct MgContext {
    MgContextOptions options;     // with defaults filled in
    MgThreads *pool;              // NULL: one worker, or the caller's hook
    MgCache *cache;               // NULL: none
    bool told_cache;              // the user has been told that the cache is refused
    char *message;                // malloc'd, or NULL
    bool color;                   // messages for a terminal
    bool unsupported;             // the last load failed only because something is not supported
    const MgPassOptions *passes;  // from mgc's flags, or NULL
    MgTuneLog *tune_log;          // for mgc tune, or NULL
    const MgObserver *observer;   // of interpreted runs, or NULL
    struct MgOpenDevice *devices; // those that are open
    uint32_t n_devices;
    MgDevice *device; // the device of all models that run on one; NULL: the device of their options
};

// The tensors of a .pb file that holds a sequence or an optional.
typedef struct MgTensorList {
    MgArena *arena;     // the caller's; the array lies there
    bool is_list;       // false: the file holds something else
    MgTensor **tensors; // the caller owns the references
    uint32_t n;
} MgTensorList;
// *list is passed with only its arena set. A status other than MG_OK leaves a message in the
// context.
MgStatus mg_tensors_read(MgContext *context, const char *place, MgTensorList *list);

// The device that `which` names (as in MgCompileOptions). It is opened when it is first asked for,
// and the context holds a reference. A status other than MG_OK leaves a message in the context.
MgStatus mg_context_device(MgContext *context, const char *which, MgDevice **device);

// Sets the context's message: memory ran out, and what the limit is. Returns MG_OUT_OF_MEMORY.
MgStatus mg_message_memory(MgContext *context);
// Replaces *message by the formatted text, or by the text of MG_OUT_OF_MEMORY if there is no memory
// for it.
void mg_message_set(char **message, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same for wrong usage: returns MG_BAD_USAGE.
MgStatus mg_message_misuse(char **message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Renders the session's diagnostics into *message and forgets them.
void mg_message_take(char **message, MgSession *session, bool color);
const char *mg_message_text(const char *message);

// One compiled form of the model's graph: for one set of input dimensions, or for all of them.
// What a run of a training graph computes.
typedef enum MgPart {
    MG_PART_ALL,
    MG_PART_ADD, // a batch that is not the last of its step: no next value that only the step needs
    MG_PART_TRY, // no next value at all
    MG_PARTS
} MgPart;

typedef struct MgVariant {
    MgLoadedImage *loaded;
    const MgImage *image;
    int64_t *dims;        // by dimension of the graph; NULL: for all sizes
    const void **weights; // parallel to image->weights; on a device: addresses there
    const MgWeight **of;  // parallel to image->weights: the model's weights
    void **constants;     // the same for image->constants, on a device only
    uint32_t *dim_of;     // by dimension of the image: the graph's number, or UINT32_MAX
    uint32_t workers;     // the workers of the context for which it was made; fewer may run it
    MgPart part;
} MgVariant;

// The number of sets of dimensions that get code of their own; after that, generic code serves all.
// The count begins again for a context with more workers than those before.
#define MG_STATIC_VARIANTS 4

struct MgModel {
    atomic_uint references;
    pthread_mutex_t lock; // guards the session (with its diagnostics and memory) and the variants
    MgSession *session;
    MgModule *module;
    MgGraph *graph;
    MgGraph *parts[MG_PARTS];           // graphs of parts, except the whole; NULL: not made yet
    MgCompileOptions options;           // its strings are in the session
    MgTuning tuning;                    // parameters found by measuring
    MgRematPlan remat;                  // the option, parsed
    const struct MgNestFile *schedules; // the schedules that the user gave; NULL: none
    const MgMachine *machine;           // the machine used instead of march's; NULL: none
    const MgBackend *backend;           // of the target
    MgDevice *device;                   // the device that it runs on, retained; NULL: the CPU
    bool any_sizes;                     // use generic code from the first call on; tests set it
    bool device_failed;                 // the diagnostics are about a failure of the device
    int64_t *device_weights;            // addresses, parallel to weights.all; 0: not on the device
                                        // yet
    const MgPackage *package;           // of a .mgb; otherwise NULL
    MgWeights weights;
    uint64_t weights_seed; // of random weights
    bool initial_weights;  // parameters that state an initial value have it
    bool bound_weights;    // no file is read: instances bind them (mg_bind_parameter)
    MgModel *shares;       // the model whose weights it uses, retained; NULL: none
    MgPortInfo *inputs, *outputs;
    const char **dim_names;
    MgIx **output_bounds; // by output and axis: its largest size, over the dimensions of inputs
    MG_VEC(const MgVariant *) variants;
};

// The graph of this name, or the module's only graph if name is NULL. NULL after a diagnostic.
MgGraph *mg_choose_graph(MgModule *module, const char *name);

// Writes the roundings that these options mean into the graph, before any pass: of weights first,
// then those of a precision.
void mg_round_graph(MgGraph *g, MgWeightsType weights, MgPrecision precision);

// The settings for the model's code in this context.
MgCompileSettings mg_model_settings(const MgModel *model, const MgContext *context);
// The variant for these dimensions (one per dimension of the graph, -1 for those that data decide).
// It is compiled or loaded if there is none yet. The caller holds the lock. NULL after diagnostics
// in the session.
const MgVariant *mg_model_variant(MgModel *model, MgContext *context, const int64_t *dims,
                                  MgPart part);

#endif
