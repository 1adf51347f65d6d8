// Passes over graph IR and their manager.
//
// A pass is a function that rewrites a graph in place and says whether it changed anything; a row
// of passes.def names it. It may be run alone, twice, or at any point of a pipeline: it keeps the
// verifier satisfied and the meaning the same, by the rules of rounding at its level.
#ifndef MG_PASSES_PASS_H
#define MG_PASSES_PASS_H

#include "ir/graph.h"

// A range of rewrites, counted from 1 over all runs of one pass (or of one rule) in a pipeline: the
// others are held back. What --debug-counter sets, and what bisecting searches.
typedef struct MgDebugCounter {
    const char *pass;
    uint64_t first, last;
} MgDebugCounter;

// Of one rule of rules.def: the applications to make, as of a pass, and those that were possible
// and made so far, in all runs of the pipeline.
typedef struct MgRuleCount {
    uint64_t first, last, counted, made;
} MgRuleCount;

typedef struct MgPassContext {
    MgArena *scratch;     // freed after the pass
    uint32_t level;       // -O
    bool strict;          // no rounding may be skipped
    bool gpu;             // what is compiled for: orders may be chosen for its kernels
    uint64_t first, last; // rewrites to make, counted from 1; the others are held back
    uint64_t counted;     // rewrites that were possible, in earlier runs of this pass too
    uint64_t made;        // by this run
    MgOpId latest;        // where the latest was made
    MgRuleCount *rules;   // parallel to mg_rule_rows; NULL: not counted
    // For --explain: of an op, whether the producer of operand `i` became one kernel with it (why
    // NULL), or why not. May be NULL.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    // For --explain=layouts: the order in which a value is stored, and why. May be NULL.
    void (*layout)(void *ctx, MgGraph *g, MgValueId v, const char *text);
    // For --explain=fusion: whether the sum of products `op` became one with `first`, which reads a
    // factor that it reads (why NULL), or why not. May be NULL.
    void (*sibling)(void *ctx, MgGraph *g, MgOpId first, MgOpId op, const char *why);
    void *edge_ctx; // of all three
    // For --explain=guards: a pass found of a read with `else` or a check whether it is inside
    // (PROVED or REFUTED). May be NULL.
    void (*guard)(void *ctx, MgGraph *g, const MgOp *op, const MgPiece *piece, const MgSx *read,
                  MgProof inside);
    void *guard_ctx;
    // Called by mg_pass_may for each rewrite that is made, before it is. May be NULL.
    void (*made_one)(void *ctx, const struct MgPassContext *context);
    void *made_ctx;
} MgPassContext;

// Asked by a pass before every rewrite, at the op that it is about to change: counts it, and says
// whether it may be made. Every pass asks, so that any wrong result can be traced to one rewrite.
bool mg_pass_may(MgPassContext *context, MgOpId op);

typedef bool MgPassFn(MgGraph *g, MgPassContext *context);

typedef struct MgPassRow {
    const char *name;
    MgPassFn *run;
    uint32_t level;
    const char *documentation;
} MgPassRow;
// Passes from outside the tree, found by name before the rows of passes.def.
typedef struct MgPassList {
    const MgPassRow *rows;
    uint32_t n;
} MgPassList;
// more may be NULL. NULL if there is none.
const MgPassRow *mg_pass_of_name(const char *name, const MgPassList *more);
// The name that a misspelt one may mean, or NULL.
const char *mg_pass_near(const char *name, const MgPassList *more);

#ifndef MG_PASSES_PLUGIN_H // a plugin's static functions may have the names of the tree's
#define MG_PASS(name, function, level, documentation) MgPassFn function;
#define MG_PIPELINE(level, passes)
#include "passes/passes.def"
#undef MG_PASS
#undef MG_PIPELINE
#endif

// What the manager does around the passes. Zeroed: nothing.
typedef struct MgPassOptions {
    uint32_t level;
    bool strict, gpu;
    const char *passes; // exactly these, separated by commas, in this order, `default` standing for
                        // those of the level; NULL: those of the level
    MgPassList more;    // passes that may be named beside those of passes.def
    const MgDebugCounter *counters;
    uint32_t n_counters;
    uint32_t most;   // passes of the pipeline that run, 0: all
    bool unfused;    // without those of the level that make one op of several
    bool level_only; // none of what follows but `entered` is set, and none of the above but level,
                     // strict and gpu: an object of the cache serves as well
    const char *const *print_before, *const *print_after; // names
    uint32_t n_print_before, n_print_after;
    bool print_after_all, print_changed, verify_each, time_passes, statistics;
    bool explain_launch; // the form in which a GPU is given the work, and why
    MgPrintOptions print;
    // Takes what is printed. May be NULL if nothing is asked for.
    void (*put)(void *ctx, const char *text, size_t length);
    // How the command line that replays a pass begins: a command, its file, the plugins. NULL:
    // `mgc --emit-ir FILE`.
    const char *replay;
    // Called with a pass's name as it begins, and with NULL as it ends, so that a tool can tell
    // which pass crashed. May be NULL.
    void (*entered)(void *ctx, const char *pass);
    // Called before each pass, if not NULL, with a file that reproduces it: a comment with the
    // command, then the IR before the pass. A tool keeps it, and writes it out from its signal
    // handler if the pass crashes.
    void (*before)(void *ctx, const char *pass, const char *text, size_t length);
    // Called with the same text when a pass leaves IR that the verifier refuses.
    void (*broken)(void *ctx, const char *pass, const char *text, size_t length);
    // Called before each rewrite that is made, if not NULL; and with op MG_NONE as a pass begins
    // and ends.
    void (*rewrite)(void *ctx, MgGraph *g, MgOpId op, uint64_t counted);
    // As in MgPassContext; called with ctx.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    void (*layout)(void *ctx, MgGraph *g, MgValueId v, const char *text);
    void (*sibling)(void *ctx, MgGraph *g, MgOpId first, MgOpId op, const char *why);
    bool explain_guards; // what is checked while running, and what need not be
    void *ctx;
} MgPassOptions;

// Runs passes over g. False with diagnostics: an unknown name, IR that doesn't verify.
bool mg_passes_run(MgGraph *g, const MgPassOptions *options);
// The same over every graph of a module.
bool mg_module_passes_run(MgModule *module, const MgPassOptions *options);
void mg_passes_list(const MgPassList *more, MgText *out); // --list-passes
const char *mg_passes_of_level(uint32_t level);           // names, separated by commas

#endif
