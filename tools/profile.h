// --profile: how long the kernels of the counted runs took, and what bounds each of them.
#ifndef MG_TOOLS_PROFILE_H
#define MG_TOOLS_PROFILE_H

#include "runtime/instance.h"
#include "support/text.h"
#include "tools/probe.h"

typedef struct MgcRuns {
    MgArena *arena;
    MG_VEC(double) runs;      // nanoseconds each
    MG_VEC(MgTiming) records; // of all runs that count
    MG_VEC(uint32_t) ends;    // number of records at the end of each run
    bool counts;
} MgcRuns;

typedef struct MgcKernelRow { // of one site
    const MgTiming *kernel;   // one of its records
    double ns;                // of a run: the median
    double share;             // of the time of all rows
    double flops, bytes;      // of a run
    double faster;            // MgTiming.faster
    uint32_t times;           // how often one worker (or the device) ran it in a run
    MgcRegime regime;
} MgcKernelRow;

enum { MGC_BESIDE = 3 }; // compiling, transfers, launching

typedef struct MgcProfile {
    const MgcLimits *limits;
    uint32_t workers;
    const MgcKernelRow *rows; // sorted by time, the longest first
    uint32_t n_rows;
    double beside[MGC_BESIDE]; // nanoseconds of a run, on average
} MgcProfile;

// Rows live in the arena of the runs. limits must live as long.
MgcProfile mgc_profile(const MgcRuns *runs, const MgcLimits *limits, uint32_t workers);
void mgc_profile_table(const MgcProfile *profile, MgText *out);
void mgc_profile_json(const MgcProfile *profile, MgText *out); // a list of objects
// The kind of a record, printed beside its name: a kernel's schedule, "call", "transfer", …
const char *mgc_timing_kind(const MgTiming *timing);
// The trace-event format of Chrome and Perfetto: complete events, microseconds, a thread per
// worker. False with a diagnostic.
bool mgc_trace_write(const MgcRuns *runs, MgSession *session, const char *path);

// tools/measure.c: mgc_by_value orders doubles for qsort. mgc_percentile takes 0 <= p <= 1, and
// interpolates between the two nearest values.
int mgc_by_value(const void *a, const void *b);
double mgc_percentile(const double *sorted, uint32_t n, double p);
// A time in a sentence: "0.796 µs", "1.234 ms". Tables have columns in microseconds instead.
const char *mgc_duration(MgArena *arena, double ns);

#endif
