// The limits of a machine or device: its peak rate of fused multiply-add, the bandwidth and latency
// of each level of its memory, and the cost of a launch. `mgc probe` shows them, and `--profile`
// compares kernels with them.
#ifndef MG_TOOLS_PROBE_H
#define MG_TOOLS_PROBE_H

#include "machines/machine.h"
#include "runtime/context.h"

typedef struct MgcLevel {
    char name[16];     // "L1", "memory"
    uint64_t capacity; // in bytes; 0 for memory
    uint64_t probed;   // bytes that were walked
    // Bytes per second of one worker; a copy counts the bytes read and the bytes written. A device
    // has only the rate of a copy.
    double read, write, copy;
    double latency; // seconds from one address to the next that depends on it; 0: not measured
} MgcLevel;

enum { MGC_LEVELS = 4, MGC_LIMITS_VERSION = 5 };

typedef struct MgcLimits {
    uint32_t version;
    char machine[128];
    uint32_t lanes, workers;  // f32 of a vector; cores, or compute units
    double fma;               // f32 FLOP/s of one worker, or of the whole device
    double fma_all, copy_all; // of all workers; bytes per second beyond the caches
    double overhead;          // seconds of a call, or of one launch among many
    double barrier;           // seconds of a grid barrier; 0: not measured
    double spread;            // of runs that should have taken the same time; 0 for a device
    uint32_t met;             // of a device: the groups that met at it; 0: it is a CPU
    uint32_t disturbed;       // of a device: it was busy, and its groups came late to the barrier
    uint32_t n_levels;        // at least one
    MgcLevel levels[MGC_LEVELS];
} MgcLimits;

// Gets the limits of this CPU or of a device (named as by --device) from the cache or, in under a
// second, by measuring. New limits are stored in the cache. Returns the exit status; a failure has
// a message.
int mgc_limits(MgSession *session, MgContext *context, bool gpu, const char *device, bool again,
               MgcLimits *limits);
// Reads limits from the cache. False if the bytes are of another version, or are not limits that
// mgc_limits would have written.
bool mgc_limits_read(const void *bytes, size_t length, MgcLimits *limits); // regime.c
// Sets the figures that the limits give; `from` says where they come from.
void mgc_limits_figures(const MgcLimits *limits, const char *from, MgMachine *machine); // regime.c
// A line that says why the limits may be below those of an idle machine, or "".
const char *mgc_limits_note(MgArena *arena, const MgcLimits *limits);
// The model name of the CPU, or "this CPU".
void mgc_machine_name(char *name, size_t room);                                // probe_cpu.c
bool mgc_limits_cpu(MgcLimits *limits);                                        // probe_cpu.c
int mgc_limits_gpu(MgContext *context, const char *device, MgcLimits *limits); // probe_gpu.c

typedef struct MgcRoof { // of one level of memory
    const char *name;    // the level's, of the limits
    double capacity;     // in bytes, of all workers; 0 for memory
    double rate;         // bytes per second, read and written by all workers
} MgcRoof;
// Fills roofs from the nearest level to memory, which is always present. Returns their number.
uint32_t mgc_roofs(const MgcLimits *limits, uint32_t workers, MgcRoof roofs[MGC_LEVELS]);
double mgc_peak(const MgcLimits *limits, uint32_t workers); // FLOP/s of `workers` workers

// What can bound a kernel. All output takes its words from this table: tables, JSON and pages.
typedef enum MgcBound { MGC_COMPUTE, MGC_MEMORY, MGC_OVERHEAD, MGC_N_BOUNDS } MgcBound;
typedef struct MgcWord {
    const char *name, *meaning;
} MgcWord;
extern const MgcWord mgc_bounds[MGC_N_BOUNDS];

typedef struct MgcRegime {
    const char *name; // what bounds the kernel, as in mgc_bounds
    const char *roof; // the roof that it is under: "compute", or the name of a level of memory
    double share;     // of its roof: the floor over the time
    double floor;     // seconds: the larger of operations over peak and bytes over bandwidth
} MgcRegime;
MgcRegime mgc_regime(const MgcLimits *limits, uint32_t workers, double flops, double bytes,
                     double seconds);

// A walk over memory in one pattern. measure gives the nanoseconds of one access.
typedef struct MgcWalk {
    const char *name, *what;
    double (*measure)(uint64_t bytes);
} MgcWalk;
// Both tables end with a NULL name. An access of a walk has 8 bytes. A traversal walks a square f32
// matrix of `bytes` bytes; its access is one element.
extern const MgcWalk mgc_walks[], mgc_traversals[];
double mgc_latency(uint64_t bytes); // nanoseconds of an access that waits for the one before
// Bytes per second of one worker that walks `bytes` bytes again and again. kind: 0 reads, 1 writes,
// 2 copies.
double mgc_bandwidth(uint64_t bytes, int kind);

#endif
