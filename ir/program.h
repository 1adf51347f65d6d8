// A program: what a scheduled graph is before a backend prints it. Kernels, the plan that calls
// them, where every byte lives, and what the host has to bring.
#ifndef MG_IR_PROGRAM_H
#define MG_IR_PROGRAM_H

#include "ir/interp.h"
#include "ir/kernel.h"

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
    MgOriginId origin; // of its main op
    MgSym name;        // its main result's name; where several calls make it, with the part of this
                       // one behind it: "y (piece 2 of 3)"
    const char *part;  // the text in the parentheses, or NULL
    const MgOpId *ops; // that it runs, in order; none of a call that packs weights
    uint32_t n_ops;
    const char *kind; // "elementwise", "row", "reduction", "contraction", "nest", "copy", ...: the
                      // schedule's
    MgCost cost;
    uint64_t unit;        // by which tuning knows it; 0: it has no parameters
    const MgTiled *tiled; // how ops[0] is computed; NULL: by its definition
} MgSite;

typedef struct MgTrapSite { // code c of MG_KS_TRAP is traps[c - 1]
    MgOriginId origin;
    const char *reason; // "subscript 1 of 'ids', computed from data, is outside 0 to 9", …
} MgTrapSite;

// One line of the memory plan, for --emit-memplan.
typedef struct MgPlacement {
    MgValueId value;      // MG_NONE: a kernel's own: scratch, or what it has packed
    MgOriginId origin;    // of the value, or of the op whose kernel it is
    bool kept;            // written in the first run, for all that follow
    uint32_t first, last; // steps of the plan that write it first and read it last
    MgIx bytes;
    const MgKx *offset;    // bytes, in terms of the plan
    int64_t known_offset;  // in the arena; -1 if it depends on dims, or is not there
    bool depends;          // in the arena, at an offset that bind computes
    MgValueId in_place_of; // MG_NONE: it has its own bytes
    MgSym reason;
} MgPlacement;

// Of bind's slots, that which is 0 until the plan has run once: what depends on weights alone is
// computed then, and stays in the arena.
#define MG_SLOT_RAN 2
// How many workers a call of these sizes is worth; one that fewer enter is right too.
#define MG_SLOT_WORKERS 3

// How a GPU gets the work of a graph.
typedef enum MgLaunch {
    MG_LAUNCH_AUTO,      // what the cost model finds fastest
    MG_LAUNCH_SEPARATE,  // a launch for each call of the plan
    MG_LAUNCH_OWNED,     // one kernel, each group walks all layers for its own rows
    MG_LAUNCH_PERSISTENT // one kernel, its groups meet at barriers between the calls
} MgLaunch;

typedef struct MgProgram {
    MgArena *arena;
    MgGraph *graph;
    MG_VEC(MgKernel *) kernels; // distinct
    MG_VEC(MgSite) sites;
    MG_VEC(MgTrapSite) traps;
    MG_VEC(MgPlanBuf) bufs; // parallel to the plan's params
    MG_VEC(MgPlacement) placements;
    // Scalars of plan and bind: first every dimension of graph->dims, in order. bind has one buffer
    // param, `slots` (i64): it writes slot 0: bytes of arena, slot 1: number + 1 of the first
    // failed require or 0, slot 2: 0 (the plan sets it once it has run), slot 3: how many workers
    // it is worth, then n_slots - 4 derived offsets. plan takes slots as its last buffer param, and
    // `dims` (i64, written by kernels of data-dependent sizes).
    MgKernel *bind, *plan;
    uint32_t n_slots;
    MgIx arena_lower_bound; // most bytes live at once
    int64_t arena_bytes;    // what the plan takes; -1 if it depends on dims
    uint32_t max_workers;   // worker scratch is placed for this many
    bool specialised;       // all dims of inputs are constants
    bool grid_barriers;     // the plan or a kernel has one
    MgLaunch launch;        // the form that it has (GPU)
    bool rounds;            // a contraction rounds its factors to tf32
    bool loops;             // the plan runs MG_PASSES_DIM passes, each fed with the one before
    const char *launch_why; // for --explain=launch, NULL: nothing to explain
    const char *share_why;  // likewise: by how many workers it is run, and why
} MgProgram;

// The dimension that says how many passes a plan with `loops` runs; below 1 counts as 1.
#define MG_PASSES_DIM "#passes"

// What a schedule may know of a target.
typedef struct MgTarget_ {
    const char *name;
    uint32_t vector_bytes; // 64 for AVX-512
    uint32_t vector_registers;
    uint32_t fma_units; // per core; 0: it cannot multiply and add in one
    uint32_t l1_bytes, l2_bytes, l3_bytes;
    uint32_t workers;   // threads that will run it
    uint32_t max_lanes; // widest vector type the backend prints, 0: any (it splits them)
    bool gpu, f16, bf16_dot, scaleb, lookup;
    // Of a GPU: what runs groups, the largest group, local memory of a group, items that run in
    // step, registers of 32 bits an item may have.
    uint32_t compute_units, max_items, local_bytes, warp, registers;
    uint32_t local_most; // of local memory, what arrays may have: local_bytes, or more where a
                         // device is known to have it
    uint32_t ptx;        // NVIDIA's compute capability, 10 * major + minor; 0: of another vendor
    // Of a launch among many, of a barrier over the grid; on a CPU, of a worker that begins beside
    // the first, and of a kernel's end for all of them. 0 there: they share whatever there is.
    uint32_t launch_ns, barrier_ns;
    bool launch_measured, barrier_measured; // else it is a guess
} MgTargetInfo;

// Numbers of MgWinograd (include/mg.h).
enum { MG_WINO_AUTO, MG_WINO_NEVER, MG_WINO_TILES_2, MG_WINO_TILES_4 };

typedef struct MgScheduleOptions {
    MgLaunch launch;   // a form that the graph does not have falls back to separate launches
    bool repeats;      // it is for many passes, which pay for a longer compilation
    uint32_t level;    // -O
    bool strict;       // no reordering of sums, no contraction to fma, no skipped rounding
    bool tf32;         // contractions may round factors to tf32
    uint32_t winograd; // MG_WINO_…
    bool to_read;      // kernels are for a reader: exp is exp, and no polynomial
    const struct MgTuning *tuning; // parameters found by measuring; NULL: none
    MgTargetInfo target;
    // For --explain: of an op in a group that no schedule took whole, why the producer of operand
    // `i` is another kernel. May be NULL.
    void (*edge)(void *ctx, MgGraph *g, MgOpId op, uint32_t i, const char *why);
    void *edge_ctx;
} MgScheduleOptions;

// passes/schedule/: from a graph to a program. NULL with diagnostics.
MgProgram *mg_schedule(MgGraph *g, const MgScheduleOptions *options);
// `expected`, the outputs of the program's source by the interpreter with bounds, with the errors
// added of the algorithms by which p computes ops otherwise than they are defined. The options are
// those of the interpreter's run; what is returned lies in the arena. NULL with diagnostics.
MgInterpTensor *mg_program_widen(const MgProgram *p, const MgInterpTensor *inputs,
                                 const MgInterpTensor *expected, const MgInterpOptions *options,
                                 MgArena *arena);
void mg_program_print(MgProgram *p, MgText *out, bool kernels,
                      bool plan);                            // --emit-kernels, --emit-plan
void mg_memplan_print(MgProgram *p, MgText *out, bool json); // --emit-memplan
// The plan of the arena as an SVG picture. False if its offsets depend on dimensions.
bool mg_memplan_svg(MgProgram *p, MgText *out);

// ir/program_interp.c: runs bind, then the plan with every call through `call` (NULL: the kernel
// interpreter, with `workers` workers). memory: the bytes of each of p->bufs but the arena;
// constants may be NULL and are then the graph's. dims: the value of each of graph->dims. *trap
// receives the first trap's code, or 0. False with diagnostics.
bool mg_program_interp(MgSession *session, const MgProgram *p, const MgKBufferArg *memory,
                       const int64_t *dims, uint32_t workers, MgKCallFn *call, void *ctx,
                       uint32_t *trap);

#endif
