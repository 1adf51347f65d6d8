// The command line of mgc. Parsing, --help and the suggestions in error messages derive from one
// table of commands and one of flags.
#ifndef MG_TOOLS_OPTIONS_H
#define MG_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum MgcCommand {
    MGC_BUILD = 1 << 0, // mgc FILE
    MGC_EMIT = 1 << 1,  // mgc --emit-… FILE: a build that stops early
    MGC_RUN = 1 << 2,
    MGC_FMT = 1 << 3,
    MGC_CACHE = 1 << 4,
    MGC_VERSION = 1 << 5,
    MGC_HELP = 1 << 6,
    MGC_LSP = 1 << 10,
    MGC_OPS = 1 << 11,
    MGC_TEST = 1 << 7,
    MGC_BENCH = 1 << 12,
    MGC_DEVICES = 1 << 13,
    MGC_IMPORT = 1 << 9,
    MGC_BISECT = 1 << 14,
    MGC_REDUCE = 1 << 15,
    MGC_TUNE = 1 << 16,
    MGC_PROBE = 1 << 8,
    MGC_WEIGHTS = 1 << 17,
    MGC_GRADIENTS = 1 << 18,
    MGC_MACHINE = 1 << 19,
    MGC_TRAIN = 1 << 20,
    MGC_KERNELS = 1 << 21
} MgcCommand;

// The stages that --emit-… can show, in the order of the pipeline.
#define MGC_EMITS(X)                                                                               \
    X(AST, "ast", "the syntax tree")                                                               \
    X(IR, "ir", "the graph in flat form, after the passes of the level")                           \
    X(DOT, "dot", "the graph for Graphviz; with -o FILE.svg as a picture")                         \
    X(SCHEDULE, "schedule",                                                                        \
      "the schedules: each unit's loop nest as a text that --schedule reads")                      \
    X(KERNELS, "kernels", "the kernels that the schedules made")                                   \
    X(PLAN, "plan", "the plan: which kernel runs when, on which bytes")                            \
    X(MEMPLAN, "memplan",                                                                          \
      "each buffer's lifetime, place and reason; with -o FILE.svg as a picture")                   \
    X(LLVM, "llvm", "LLVM IR")                                                                     \
    X(ASM, "asm", "assembly of the target")                                                        \
    X(OPENCL, "opencl", "the kernels as OpenCL C")
typedef enum MgcEmit {
    MGC_EMIT_NONE,
#define X(id, name, help) MGC_EMIT_##id,
    MGC_EMITS(X)
#undef X
} MgcEmit;

typedef enum MgcExplain {
    MGC_EXPLAIN_NOTHING,
    MGC_EXPLAIN_FUSION,
    MGC_EXPLAIN_LAUNCH,
    MGC_EXPLAIN_GUARDS,
    MGC_EXPLAIN_LAYOUTS,
    MGC_EXPLAIN_REMAT,
    MGC_EXPLAIN_PRECISION
} MgcExplain; // as in --explain's row

typedef struct MgcList { // values of a flag that may be repeated, in order
    const char **at;
    uint32_t n;
} MgcList;

typedef struct MgcOptions {
    MgcCommand command;
    const char *file; // the positional argument: a source, or a word such as `clear`
    MgcList files;    // all positional arguments, if the command takes several
    const char *test; // of mgc reduce: a shell command
    MgcEmit emit;
    int64_t level;
    char device_of_driver[256]; // the device's name with the driver's in front
    const char *target, *driver, *device, *march, *output, *graph;
    const char *cache_folder;
    int64_t memory_limit; // MiB, 0: the default
    int64_t threads, warmup, repeat;
    int64_t seconds;       // of a search; 0: one pass over all parameters
    int64_t jobs, timeout; // children at once (0: as many as cores), and the seconds for each
    double tolerance;      // below 0: the default
    MgcList inputs, outputs, sets;
    bool save, strict, short_sums, interpret, no_cache, time, profile, in_place, overwrite,
        training, check, markdown, man, places, no_annotations, version, help;
    int64_t completion;                                  // 0: none, bash, zsh, fish
    const char *profile_file;                            // NULL: no trace
    int64_t json;                                        // --format=json
    int64_t weights_type;                                // MgWeightsType
    int64_t launch;                                      // MgLaunch
    int64_t winograd;                                    // MgWinograd
    const char *remat;                                   // NULL: none
    int64_t precision;                                   // MgPrecision
    int64_t sharing;                                     // MgSharing
    int64_t mode;                                        // MgMode
    int64_t weights_place;                               // of a library: an MgWeightsPlace
    const char *weights;                                 // "random…", or NULL: those of the file
    const char *prefix;                                  // of a library's names
    const char *soname;                                  // of a shared object
    const char *sizes, *depths, *modes, *targets, *plot; // of bench; lists with commas, or NULL
    int64_t samples, seeds, most;
    MgcList data, validate; // of train
    int64_t steps, batch, accumulate, report, seed;
    double rate;                      // of learning; below 0: not given
    const char *checkpoints, *resume; // folders of checkpoints
    const char *check_what;           // --check=WHAT, of train: "finite"
    int64_t explain;                  // MgcExplain
    const char *schedule;             // a file of schedules
    const char *tuned;                // a file of mgc tune, or "none"; NULL: the cache folder's
    const char *machine;              // a file, a name or "none"; NULL: the cache folder's
    const char *passes;               // NULL: those of the level
    MgcList print_before, print_after, plugins, counters;
    bool list_passes, list_ops, pass_stats, print_after_all, print_changed, verify_each,
        time_passes, reproduce, run;
} MgcOptions;

// Fills *options, whose strings point into argv. Returns false after a message on standard error if
// the usage is wrong. Free the lists with mgc_options_free.
bool mgc_options_parse(int argc, char **argv, MgcOptions *options);
void mgc_options_free(MgcOptions *options);
int mgc_help(const MgcOptions *options); // prints on standard output; returns the exit status

#endif
