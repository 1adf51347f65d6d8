// --time and --profile: how long the counted runs took, in total and per kernel.
#ifndef MG_TOOLS_MEASURE_H
#define MG_TOOLS_MEASURE_H

#include "runtime/context.h"
#include "support/text.h"
#include "tools/options.h"

// Are `runs` runs, which took `ns` together, enough of a warm-up? Everything that prints times uses
// this: --time, --profile, bench and tune. Ten runs are enough, or as many as fit into a tenth of a
// second, but at least one.
static inline bool mgc_is_warm(uint64_t runs, double ns) {
    return runs >= 10 || (runs && ns >= 1e8);
}

// Checks, before long work begins, that --profile's file can be written. Returns 0, or the exit
// status after a message.
int mgc_profile_check(MgSession *session, const MgcOptions *options);
// Runs the instance warmup + repeat times as the options say, then prints what they ask for to
// `out`: a text table or the fields of a JSON object (each preceded by a comma). Returns the status
// of the first run that failed.
MgStatus mgc_measure(MgInstance *instance, const MgcOptions *options, MgText *out,
                     MgSession *session);

#endif
