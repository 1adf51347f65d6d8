// From graph to object: passes, schedule, backend, with the compile cache around them. What mgc prints
// at each stage and what an instance runs come from the same calls.
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
    uint32_t winograd;           // MG_WINO_…
    bool repeats;                // for many passes, one after another
    bool tf32;                   // contractions may round their factors to tf32
    bool share_all;              // among the workers, however little it is (CPU)
    bool strict, unfused;        // unfused: without the passes that make one op of several
    bool to_read;                // kernels are for a reader: exp is exp, and no polynomial
    const MgTuning *tuning;      // parameters found by measuring; NULL: none
    const MgPassOptions *passes; // which, and what to print around them; level and strict are those
                                 // above. NULL: those of the level
} MgCompileSettings;

// Are the passes, or what is said about them, others than those of the level? Then no object comes
// from a cache or a package.
static inline bool mg_compile_is_special(const MgCompileSettings *settings) {
    return settings->passes && !settings->passes->level_only;
}

// A copy of g, as it came from the front end, where the dimensions that dims knows (one per
// dimension of g, -1 where it is open; NULL: none) are constants: what the calls below begin with.
MgGraph *mg_compile_copy(MgGraph *g, const int64_t *dims);
// The passes of the level over g, in place. False with diagnostics.
bool mg_compile_passes(MgGraph *g, const MgCompileSettings *settings);
// The program of a graph that has been through its passes. NULL with diagnostics.
MgProgram *mg_compile_schedule(MgGraph *g, const MgCompileSettings *settings);
// Both over such a copy, which becomes the program's graph. NULL with diagnostics.
MgProgram *mg_compile_program(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings);
// The object of g, as it came from the front end, for these dimensions (one per dimension of g, -1
// where it is open; NULL: for all): from the cache if it is there (NULL: there is none), else made,
// and kept. g itself is not changed. malloc'd bytes; false with diagnostics.
bool mg_compile_object(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                       MgCache *cache, unsigned char **bytes, size_t *length);
// What tells the objects of one graph apart: target, options, dimensions.
bool mg_compile_name(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                     MgText *out);

#endif
