// From graph to object: passes, schedule, backend, and the compile cache around them. mgc prints
// its stages, and an instance runs its code, through the same calls.
#ifndef MG_RUNTIME_COMPILE_H
#define MG_RUNTIME_COMPILE_H

#include "backends/backend.h"
#include "passes/pass.h"
#include "passes/schedule/tuning.h"
#include "runtime/cache.h"

#define MG_DEFAULT_LEVEL 2

typedef struct MgCompileSettings {
    const MgBackend *backend;
    const char *march; // NULL: this machine
    uint32_t level, workers;
    MgLaunch launch;
    uint32_t winograd;                  // MG_WINO_…
    bool repeats;                       // for many passes, one after another
    bool tf32;                          // contractions may round their factors to tf32
    bool short_sums;                    // sums of products of 8-bit floats may keep few bits
    bool in_place;                      // next values are made in their parameters' memory
    bool share_all;                     // workers share all work, however little there is (CPU)
    MgRematPlan remat;                  // what derivatives recompute
    bool strict, unfused;               // unfused: without the passes that merge ops
    bool to_read;                       // the kernels are for human readers: exp stays exp
    const MgMachine *machine;           // figures instead of march's own; NULL: march's own
    const MgTuning *tuning;             // parameters found by measuring; NULL: none
    const struct MgNestFile *schedules; // schedules that the user gave; NULL: none
    const MgPassOptions *passes; // which passes, and what to print around them; level and strict
                                 // are the fields above. NULL: the passes of the level
} MgCompileSettings;

// Finds the target of the settings. False with a diagnostic.
bool mg_compile_target(MgSession *session, const MgCompileSettings *settings, MgTargetInfo *target);

// Do the passes, or what is printed around them, differ from those of the level? If so, no object
// comes from a cache or a package.
static inline bool mg_compile_is_special(const MgCompileSettings *settings) {
    return settings->passes && !settings->passes->level_only;
}

// A copy of g, as it came from the front end, with the dimensions that dims knows as constants (one
// per dimension of g, -1 if it is open; NULL: all are open). The calls below begin with such a
// copy.
MgGraph *mg_compile_copy(MgGraph *g, const int64_t *dims);
// Runs the passes of the level over g, in place. False after diagnostics.
bool mg_compile_passes(MgGraph *g, const MgCompileSettings *settings);
// Finds the price at which the graph's plan takes at most the bytes that settings->remat allows.
// False after diagnostics.
bool mg_compile_remat(MgGraph *g, const MgCompileSettings *settings, MgRematPlan *plan);
// Reads the schedules of a file. NULL after diagnostics.
const struct MgNestFile *mg_compile_schedules(MgSession *session, const char *path);
// Makes the program of a graph that has been through its passes. NULL after diagnostics.
MgProgram *mg_compile_schedule(MgGraph *g, const MgCompileSettings *settings);
// Runs the passes and makes the program of such a copy, which becomes the program's graph. NULL
// after diagnostics.
MgProgram *mg_compile_program(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings);
// The object of g, as it came from the front end, for these dimensions (one per dimension of g, -1
// if it is open; NULL: for all sizes). It comes from the cache (NULL: none), or is made and stored
// there. g itself is not changed. The bytes come from malloc. False after diagnostics.
bool mg_compile_object(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                       MgCache *cache, unsigned char **bytes, size_t *length);
// Writes a text that differs between the objects of one graph: target, options, dimensions.
bool mg_compile_name(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                     MgText *out);

#endif
