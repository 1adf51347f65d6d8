// A program: a scheduled graph, before a backend prints it. It has the kernels, the plan that calls
// them, the place of every buffer, and what the host must supply.
#ifndef MG_IR_PROGRAM_H
#define MG_IR_PROGRAM_H

#include "ir/interp.h"
#include "ir/kernel.h"
#include "machines/machine.h"

// The plan's buffers, in this order: ports (inputs, then outputs), then weights, constants, the
// arena.
typedef enum MgPlanBufKind {
    MG_PLAN_INPUT,
    MG_PLAN_OUTPUT,
    MG_PLAN_WEIGHT,
    MG_PLAN_CONST,
    MG_PLAN_ARENA
} MgPlanBufKind;
typedef struct MgPlanBuf {
    MgPlanBufKind kind;
    uint32_t number; // among its kind
    MgValueId value; // MG_NONE for the arena
} MgPlanBuf;

// A site: one call in the plan, for timing, profiles and error messages.
typedef struct MgSite {
    uint32_t kernel;
    MgSym name;        // of the main result; if several calls make it, followed by the part: "y
                       // (piece 2 of 3)"
    MgOriginId origin; // of the main result
    const char *part;  // the text in parentheses, or NULL
    const MgOpId *ops; // the ops that it runs, in order; none for a call that packs weights
    uint32_t n_ops;
    uint32_t n_riders; // behind them: writes that the kernel has as well (passes/schedule/riders.h)
    const char *kind;  // the schedule's word: "elementwise", "row", "reduction", "contraction",
                       // "nest", "copy", ...
    MgCost cost;
    double faster; // how many products its atom adds in the time of one f32 multiply-add; 0: it has
                   // no atom
    uint64_t unit; // its key in tuning files; 0: it has no parameters
    const MgTiled *tiled;      // how ops[0] is computed; NULL: by its definition
    const struct MgNest *nest; // the schedule (passes/nest/nest.h) from which the kernel is made;
                               // NULL: it is not that of equations
    MgIx rows; // of the block of rows for which the call is made, if a worker takes it through
               // several calls; 0: it doesn't
    uint32_t number; // the number of its unit, in the order of scheduling
} MgSite;

typedef struct MgTrapSite { // code c of MG_KS_TRAP is traps[c - 1]
    MgOriginId origin;
    const char *reason; // "subscript 1 of 'ids', computed from data, is outside 0 to 9", …
} MgTrapSite;

// One line of the memory plan, for --emit-memplan.
typedef struct MgPlacement {
    MgValueId value;      // MG_NONE: scratch of a kernel, or packed data
    MgOriginId origin;    // of the value, or of the op whose kernel uses it
    bool packed;          // in the first run for all runs that follow, or before a loop for its
                          // trips
    uint32_t first, last; // the steps of the plan that first write it and last read it
    MgIx bytes;
    const MgKx *offset;    // bytes, over the plan's scalars
    int64_t known_offset;  // in the arena; -1 if it depends on dims, or is not in the arena
    bool depends;          // it is in the arena, at an offset that bind computes
    MgValueId in_place_of; // the value whose bytes it takes; MG_NONE: it has its own
    MgSym reason;
} MgPlacement;

// The slot that is 0 until the plan has run once. The first run computes values that depend only on
// weights, and they stay in the arena.
#define MG_SLOT_RAN 2
// The slot with the number of workers that a call of these sizes is worth. Any smaller number is
// correct, too.
#define MG_SLOT_WORKERS 3

// How the work of a graph is launched on a GPU.
typedef enum MgLaunch {
    MG_LAUNCH_AUTO,      // the form that the cost model finds fastest
    MG_LAUNCH_SEPARATE,  // one launch for each call of the plan
    MG_LAUNCH_OWNED,     // one kernel, in which each group runs all layers for its own rows
    MG_LAUNCH_PERSISTENT // one kernel, whose groups meet at barriers between the calls
} MgLaunch;

typedef struct MgProgram {
    MgArena *arena;
    MgGraph *graph;
    MG_VEC(MgKernel *) kernels; // distinct
    MG_VEC(MgSite) sites;
    MG_VEC(MgTrapSite) traps;
    MG_VEC(MgPlanBuf) bufs; // parallel to the plan's params
    MG_VEC(MgPlacement) placements;
    // The scalars of plan and bind begin with every dimension of graph->dims, in order. bind has
    // one buffer param, `slots` (i64). It writes the bytes of the arena to slot 0; 1 + the number
    // of the first failed require, or 0, to slot 1; 0 to slot 2 (the plan sets it once it has run);
    // the number of workers that the call is worth to slot 3; then n_slots - 4 derived offsets.
    // plan takes slots as its last buffer param, after `dims` (i64), which kernels of
    // data-dependent sizes write.
    MgKernel *bind, *plan;
    uint32_t n_slots;
    MgIx arena_lower_bound;            // the most bytes that are alive at once
    int64_t arena_bytes;               // the bytes that the plan takes; -1 if they depend on dims
    uint32_t max_workers;              // there is scratch for this many workers
    const struct MgTargetInfo *target; // the target for which it was scheduled
    bool specialised;                  // all dims of the inputs are constants
    MgLaunch launch;                   // its form of launching (GPU)
    bool rounds;                       // a contraction rounds its factors to tf32
    bool *in_place; // by output: it is made in the memory of the input that it aliases. NULL: none
    bool loops;     // the plan runs MG_PASSES_DIM passes, each on the results of the one
                    // before
    const char *launch_why; // for --explain=launch; NULL: nothing to explain
    const char *share_why;  // the same for the number of workers
} MgProgram;

// The dimension that gives the number of passes of a plan with `loops`; below 1 counts as 1.
#define MG_PASSES_DIM "#passes"

// What a schedule may know about a target.
typedef struct MgTargetInfo {
    const char *name;
    uint32_t vector_bytes; // 64 for AVX-512
    uint32_t vector_registers;
    uint32_t fma_units; // per core; 0: it has no fused multiply-add
    uint32_t l1_bytes, l2_bytes, l3_bytes;
    uint32_t workers;   // threads that will run the program
    uint32_t dots;      // the atoms by which it adds dot products (MG_KX_DOT): bit i for number i
    uint32_t max_lanes; // the lanes of the widest vector type that the backend prints; 0: any (it
                        // splits them)
    bool gpu, f16, bf16, scaleb, lookup, lookup4, rough_exp2; // see MgLegaliseOptions
    bool masks; // a CPU's: storing some lanes of a vector costs no more than storing all
    // For a GPU: units that run groups, items of the largest group, local memory of a group, items
    // that run in lockstep, and 32-bit registers that an item may have.
    uint32_t compute_units, max_items, local_bytes, warp, registers;
    uint32_t local_most; // the local memory that arrays may take: local_bytes, or more if the
                         // device is known to have it
    bool boxes;          // it copies boxes of tensors to local memory by itself (MgKBox)
    bool posts;          // its groups can wait for what earlier ones post (MG_KS_COLLECT)
    // The costs of one launch among many and of a barrier over the grid. On a CPU: of starting a
    // worker beside the first, and of the barrier after a kernel; 0 there means: always use all
    // workers.
    uint32_t launch_ns, barrier_ns;
    bool launch_measured, barrier_measured; // otherwise the cost is a guess
    MgMachine machine;                      // the figures that most numbers above come from
} MgTargetInfo;

// Sets the numbers that come from the figures.
static inline void mg_target_use(MgTargetInfo *t, const MgMachine *m) {
    t->machine = *m;
    t->vector_bytes = (uint32_t)m->vector_size;
    t->vector_registers = (uint32_t)m->vector_registers;
    t->l1_bytes = (uint32_t)m->l1_size;
    t->l2_bytes = (uint32_t)m->l2_size;
    t->l3_bytes = (uint32_t)m->l3_size;
    t->compute_units = (uint32_t)m->units;
    t->max_items = (uint32_t)m->group_items;
    t->local_bytes = (uint32_t)m->local_size;
    t->local_most = (uint32_t)(m->local_most > 0 ? m->local_most : m->local_size);
    t->warp = (uint32_t)m->step_items;
    t->registers = (uint32_t)m->item_registers;
    t->boxes = m->boxes > 0;
    t->posts = m->posts > 0;
    t->launch_ns = (uint32_t)m->launch;
    t->barrier_ns = (uint32_t)(m->barrier + (t->gpu ? 0 : m->after_barrier));
}

// Has it an instruction that multiplies factors of the atom's types?
static inline bool mg_target_has_atom(const MgTargetInfo *t, MgAtom atom) {
    const MgAtomRow *row = mg_atom(atom);
    return t->gpu ? row->step && t->machine.ptx >= row->since : t->dots >> atom & 1;
}

// The values of MgWinograd (include/mg.h).
enum { MG_WINO_AUTO, MG_WINO_NEVER, MG_WINO_TILES_2, MG_WINO_TILES_4 };

typedef struct MgScheduleOptions {
    MgLaunch launch;   // a form that the graph cannot have becomes separate launches
    bool repeats;      // the program is for many passes, which justify a longer compilation
    uint32_t level;    // -O
    bool strict;       // no reordering of sums, no contraction to fma, no skipped rounding
    bool tf32;         // contractions may round factors to tf32
    bool short_sums;   // sums of products of floats of eight bits may keep fewer bits than f32
    bool in_place;     // next values may be made in the memory of their parameters
    uint32_t winograd; // MG_WINO_…
    bool to_read;      // the kernels are for human readers: exp stays exp
    const struct MgTuning *tuning; // parameters found by measuring; NULL: none
    const struct MgNestFile
        *schedules; // the schedules that the user gave (passes/nest/nest.h); NULL: none
    MgTargetInfo target;
    // For --explain, or NULL. Called for operand `i` of an op in a group that no schedule took as a
    // whole, with the reason why its producer is another kernel.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    void *edge_ctx;
} MgScheduleOptions;

// Makes a program from a graph (passes/schedule/). NULL after diagnostics.
MgProgram *mg_schedule(MgGraph *g, const MgScheduleOptions *options);
// Returns `expected`, the interpreter's outputs of the program's source with their bounds, widened
// by the errors of the algorithms that p uses in place of definitions. The options are those of the
// interpreter's run. The result lives in the arena. NULL after diagnostics.
MgInterpTensor *mg_program_widen(const MgProgram *p, const MgInterpTensor *inputs,
                                 const MgInterpTensor *expected, const MgInterpOptions *options,
                                 MgArena *arena);
void mg_program_print(MgProgram *p, MgText *out, bool kernels,
                      bool plan); // --emit-kernels, --emit-plan
// The text to print above a site's schedule, or NULL.
typedef const char *MgSiteNote(void *ctx, const MgProgram *p, uint32_t site);
// Prints --explain=precision.
void mg_precision_print(MgProgram *p, const MgScheduleOptions *options, MgText *out);
// Prints --emit-schedule. note may be NULL.
void mg_schedule_print(MgProgram *p, MgSiteNote *note, void *ctx, MgText *out);
void mg_memplan_print(MgProgram *p, MgText *out, bool json); // --emit-memplan
// Draws the plan of the arena as SVG. False if its offsets depend on dimensions.
bool mg_memplan_svg(MgProgram *p, MgText *out);

// Runs bind, then the plan, with every call through `call` (NULL: the kernel interpreter, with
// `workers` workers). memory: the bytes of each of p->bufs except the arena; constants may be NULL
// and are then taken from the graph. dims: the value of each of graph->dims. *trap receives the
// code of the first trap, or 0. False after diagnostics (ir/program_interp.c).
bool mg_program_interp(MgSession *session, const MgProgram *p, const MgKBufferArg *memory,
                       const int64_t *dims, uint32_t workers, MgKCallFn *call, void *ctx,
                       uint32_t *trap);

#endif
