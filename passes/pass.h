// Passes over graph IR and their manager.
//
// A pass is a function that rewrites a graph in place and says whether it changed anything. A row
// of passes.def names it. It may be run alone, twice, or at any point of a pipeline: the graph
// stays valid, and its meaning stays the same, within the rounding that the level allows.
#ifndef MG_PASSES_PASS_H
#define MG_PASSES_PASS_H

#include "ir/graph.h"
#include "machines/machine.h"

// A range of rewrites, counted from 1 over all runs of one pass (or one rule) in a pipeline. Other
// rewrites are not made. --debug-counter sets it, and bisecting searches for it.
typedef struct MgDebugCounter {
    const char *pass;
    uint64_t first, last;
} MgDebugCounter;

// The counter of one rule of rules.def: which applications to make, and how many were possible and
// how many were made so far, in all runs of the pipeline.
typedef struct MgRuleCount {
    uint64_t first, last, counted, made;
} MgRuleCount;

// What remat recomputes: nothing, what is cheaper to recompute than to keep, everything that it
// can, or as much as the limit on the plan's bytes requires.
typedef enum MgRemat { MG_REMAT_NONE, MG_REMAT_AUTO, MG_REMAT_ALL, MG_REMAT_BYTES } MgRemat;
typedef struct MgRematPlan {
    MgRemat kind;
    int64_t bytes;     // of MG_REMAT_BYTES
    double price;      // the price of a byte that is kept, in nanoseconds, in addition to the time
                       // that it costs
    double part;       // the part of the forward pass, from its beginning, for which this holds
    double rest_price; // the price behind it
    bool sums;         // sums over the trips of a loop may be added up in another order
} MgRematPlan;
// Reads "none", "auto", "all" or a number of bytes such as 800000 or 64MiB; NULL means "none".
bool mg_remat_parse(const char *text, MgRematPlan *plan);

// What a report says about a loop whose trips derivatives read, or about a sum over its trips.
typedef struct MgCheckpointTold {
    bool sum;            // a sum, which is added up trip by trip
    double trips, every; // every: the trips of a segment; 0: what derivatives read is kept
    double bytes, all;   // what is kept, and what would be kept of all trips
    double ns;           // what this costs
} MgCheckpointTold;

typedef struct MgPassContext {
    MgArena *scratch;         // freed after the pass
    uint32_t level;           // -O
    bool strict;              // no rounding may be skipped
    bool gpu;                 // the target is a GPU: orders may be chosen for its kernels
    const MgMachine *machine; // what costs are estimated for
    uint64_t first, last;     // the rewrites to make, counted from 1; others are not made
    uint64_t counted;         // the rewrites that were possible so far, earlier runs of this pass
                              // included
    uint64_t made;            // the rewrites that this run made
    MgOpId latest;            // the op of the latest rewrite
    MgRuleCount *rules;       // parallel to mg_rule_rows; NULL: not counted
    // For --explain=fusion: the producer of operand `i` joined the op's kernel (why is NULL), or
    // did not. May be NULL.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    // For --explain=layouts: the order in which a value is stored, and why. May be NULL.
    void (*layout)(void *ctx, MgGraph *g, MgValueId v, const char *text);
    // For --explain=fusion: the sum of products `op` was merged with `first`, which reads the same
    // factor (why is NULL), or it was not. May be NULL.
    void (*sibling)(void *ctx, MgGraph *g, MgOpId first, MgOpId op, const char *why);
    // For --explain=remat: derivatives need v, which is kept or recomputed. ns: the cost. May be
    // NULL.
    void (*remat_tell)(void *ctx, MgGraph *g, MgValueId v, bool again, double bytes, double ns);
    // For --explain=remat: the same for all trips of the loop of which v is a result, or for a sum
    // over them. May be NULL.
    void (*checkpoint_tell)(void *ctx, MgGraph *g, MgValueId v, const MgCheckpointTold *told);
    void *edge_ctx;           // for all of these
    const MgRematPlan *remat; // NULL: none
    // For --explain=guards: a pass proved that a read with `else` or a check is inside (PROVED) or
    // outside (REFUTED). May be NULL.
    void (*guard)(void *ctx, MgGraph *g, const MgOp *op, const MgPiece *piece, const MgSx *read,
                  MgProof inside);
    void *guard_ctx;
    // Called by mg_pass_may just before each rewrite. May be NULL.
    void (*made_one)(void *ctx, const struct MgPassContext *context);
    void *made_ctx;
} MgPassContext;

// May this rewrite be made? A pass asks before every rewrite, with the op that it is about to
// change, so that a wrong result can be traced to one rewrite. The rewrite is counted.
bool mg_pass_may(MgPassContext *context, MgOpId op);

typedef bool MgPassFn(MgGraph *g, MgPassContext *context);

typedef struct MgPassRow {
    const char *name;
    MgPassFn *run;
    uint32_t level;
    const char *documentation;
} MgPassRow;
// Passes from outside the tree. They are looked up before the rows of passes.def.
typedef struct MgPassList {
    const MgPassRow *rows;
    uint32_t n;
} MgPassList;
// NULL if no pass has the name. more may be NULL.
const MgPassRow *mg_pass_of_name(const char *name, const MgPassList *more);
// The pass whose name is nearest to a misspelt one, or NULL.
const char *mg_pass_near(const char *name, const MgPassList *more);

#ifndef MG_PASSES_PLUGIN_H // a plugin's static functions may have the names of the tree's
#define MG_PASS(name, function, level, documentation) MgPassFn function;
#define MG_PIPELINE(level, passes)
#include "passes/passes.def"
#undef MG_PASS
#undef MG_PIPELINE
#endif

// What the manager does besides running the passes. A zeroed structure asks for nothing.
typedef struct MgPassOptions {
    uint32_t level;
    bool strict, gpu;
    const MgMachine *machine; // NULL: a machine of which nothing is known
    const char *passes; // the passes to run, separated by commas, in this order; `default` stands
                        // for those of the level. NULL: those of the level
    MgPassList more;    // passes that may be named in addition to those of passes.def
    const MgDebugCounter *counters;
    uint32_t n_counters;
    uint32_t most; // the number of passes to run; 0: all
    bool unfused;  // omits the level's passes that make one op of several
    // Only level, strict, gpu, machine and entered are set, so a cached object can be used.
    bool level_only;
    const char *const *print_before, *const *print_after; // names
    uint32_t n_print_before, n_print_after;
    bool color; // colour for --print-changed, on a terminal
    bool print_after_all, print_changed, verify_each, time_passes, statistics;
    bool explain_launch;    // report in which form a GPU gets the work, and why
    bool explain_precision; // report by which instructions and in which types sums of products are
                            // computed, and why not by others
    MgPrintOptions print;
    // Receives the printed text. May be NULL if nothing is to be printed.
    void (*put)(void *ctx, const char *text, size_t length);
    // The beginning of the command line that replays a pass: a command, its file and the plugins.
    // NULL: `mgc --emit-ir FILE`.
    const char *replay;
    // Called with a pass's name when it begins, and with NULL when it ends, so that a tool knows
    // which pass crashed. May be NULL.
    void (*entered)(void *ctx, const char *pass);
    // Called before each pass, unless it is NULL, with a file that reproduces it: a comment with
    // the command, then the IR before the pass. A tool keeps the file, and its signal handler
    // writes it out if the pass crashes.
    void (*before)(void *ctx, const char *pass, const char *text, size_t length);
    // Called with the same text when a pass leaves IR that the verifier refuses.
    void (*broken)(void *ctx, const char *pass, const char *text, size_t length);
    // Called before each rewrite, and with op MG_NONE when a pass begins and ends. May be NULL.
    void (*rewrite)(void *ctx, MgGraph *g, MgOpId op, uint64_t counted);
    // As in MgPassContext, but called with ctx.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    void (*layout)(void *ctx, MgGraph *g, MgValueId v, const char *text);
    void (*sibling)(void *ctx, MgGraph *g, MgOpId first, MgOpId op, const char *why);
    void (*remat_tell)(void *ctx, MgGraph *g, MgValueId v, bool again, double bytes, double ns);
    void (*checkpoint_tell)(void *ctx, MgGraph *g, MgValueId v, const MgCheckpointTold *told);
    MgRematPlan remat;
    bool explain_guards; // report what is checked at run time, and what was proved
    void *ctx;
} MgPassOptions;

// Runs passes over g. False with diagnostics if a name is unknown or the IR becomes invalid.
bool mg_passes_run(MgGraph *g, const MgPassOptions *options);
// The same over every graph of a module.
bool mg_module_passes_run(MgModule *module, const MgPassOptions *options);
void mg_passes_list(const MgPassList *more, MgText *out); // --list-passes
const char *mg_passes_of_level(uint32_t level);           // names, separated by commas

#endif
