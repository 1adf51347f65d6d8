// --time and --profile: what the runs that count took, in all and per kernel.
#ifndef MG_TOOLS_MEASURE_H
#define MG_TOOLS_MEASURE_H

#include "runtime/context.h"
#include "support/text.h"
#include "tools/options.h"

// The warm-up of everything that tells times: --time, --profile, bench and tune. Are so many runs,
// which took `ns` together, enough? Ten are, or as many as fit a tenth of a second, but one at
// least.
static inline bool mgc_is_warm(uint64_t runs, double ns) {
    return runs >= 10 || (runs && ns >= 1e8);
}

// Runs the instance warmup + repeat times as the options say, then prints what they ask for: into
// `out`, a text table or the fields of a JSON object (each preceded by a comma). Gives the status
// of the first run that failed.
MgStatus mgc_measure(MgInstance *instance, const MgcOptions *options, MgText *out,
                     MgSession *session);

#endif
