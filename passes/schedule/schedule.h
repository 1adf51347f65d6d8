// Schedules: how a group of equations becomes a kernel.
//
// The driver (plan/program.c) walks the graph once: it decides which values share storage
// (plan/storage.c, plan/storage_place.c), turns each unit (one op, or a fused group) into a kernel
// by the first schedule that takes it (the table in schedule.c), and calls it from the plan
// (plan/plan.c). Schedules see structure and the target's numbers only.
#ifndef MG_PASSES_SCHEDULE_SCHEDULE_H
#define MG_PASSES_SCHEDULE_SCHEDULE_H

#include "ir/program.h"
#include "ir/rounding.h"
#include "passes/schedule/tuning.h"

// May a product and a sum become one operation, rounded once? Only where the CPU has it: elsewhere
// it is a call of libm for every element.
static inline bool mg_contracts(const MgScheduleOptions *options) {
    return !options->strict && options->target.fma_units > 0;
}

// ---------------------------------------------------------------- storage
// Where a value's bytes are. Values that share bytes (views, in-place results) have one storage.
typedef uint32_t MgStorageId; // 0: none
typedef struct MgStorage {
    MgPlanBufKind kind;
    MgKBufId plan_buf;    // parameter of the plan; the arena's for MG_PLAN_ARENA
    MgIx bytes;           // of the largest value in it, with `some` dims at their largest
    MgValueId value;      // the value for which it was made; MG_NONE: scratch
    MgOriginId origin;    // of the value, or of the unit whose kernel uses it as scratch
    uint32_t first, last; // arena: the steps at which it is first written and last read
    int64_t known_offset; // arena: its offset in bytes, once placed; -1 if it depends on dims
    uint32_t slot;        // arena: the slot of bind that holds its offset, if that depends on dims
    bool kept;            // arena: the first run writes it for all runs that follow
    bool ahead;           // arena: it is packed before a loop for all of its trips
    uint32_t epoch;       // kept: 1 + the number of barriers of the first-run block before its
                          // writer
    uint32_t once_first, once_last; // the calls of the first-run block that use it; once_first
                                    // UINT32_MAX: none
    MgStorageId part_of;            // the storage of which it is a part, `shift` bytes from the
                                    // beginning; 0: none
    const MgKx *shift;              // an expression of the plan
    bool walked; // its value stays in rows that a worker owns (plan/owned_workers.c)
} MgStorage;

// What a kernel's parameters are bound to.
typedef struct MgCallWith {
    uint32_t n_buffers, n_scalars;
    MgStorageId *storages; // by buffer
    const MgKx **extra;    // by buffer: bytes to add (an expression of the plan), or NULL
    const MgIxSym *sizes;  // by scalar: its dimension
} MgCallWith;
// A call whose buffers get their offsets when storage is placed.
typedef struct MgPendingCall {
    MgKCall *call;
    MgCallWith to;
    bool once; // made only in the first run
} MgPendingCall;
// A scalar that the plan itself reads (a condition, a size): a load whose index is patched
// likewise.
typedef struct MgPendingLoad {
    MgKx *load;
    MgStorageId storage;
} MgPendingLoad;

// A unit that has been scheduled: its calls, and where each of their buffers comes from.
typedef struct MgMemo {
    uint64_t check;
    uint32_t call, n_calls; // among MgSched.calls
    uint32_t **positions;   // by call and buffer: the number among the unit's operands and results,
                            // or scratch
    bool rides;             // its kernels have its riders
} MgMemo;

typedef struct MgRowWalk MgRowWalk; // plan/owned_workers.c

// A loop of the graph whose trips are being planned.
typedef struct MgPlanLoop {
    struct MgPlanLoop *outer; // NULL: none
    MgOpId op;
    MgKBlock before; // what the plan computes before the loop, for all trips
    uint32_t step;   // of the calls in it
} MgPlanLoop;

// a / b rounded up. a must not be negative, and a + b must not overflow.
static inline int64_t mg_ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}
static inline int64_t mg_round_up(int64_t n, int64_t unit) {
    return mg_ceil_div(n, unit) * unit;
}

typedef struct MgLaunches { // the graph as separate launches (plan/launch_cost.h)
    double work_us;         // the time of all kernels of a pass
    double us;              // the time of a pass
    uint32_t n;
} MgLaunches;

// What is noted of storages until they are placed.
typedef struct MgPlacing {
    MgValueId *in_place_of; // by value id: the value whose bytes a result takes over, or MG_NONE
    const char **because;   // by value id: why it is where it is
    MG_VEC(MgPendingLoad) loads;
} MgPlacing;

// What has been made before, so that equal units and kernels are made once.
typedef struct MgMade {
    MgMap kernels; // hash -> number of a kernel
    MgMap kept;    // for mg_plan_keep: hash -> number of a call that is made once
    MG_VEC(MgMemo) memos;
    MgMap memo_by_key;
} MgMade;

// Dimensions that the plan knows.
typedef struct MgPlanDims {
    MgDimMakers makers;
    MgMap vars;          // MgIxSym -> value in the plan (const MgKx *)
    MgStorageId storage; // the dims buffer, which kernels of data-dependent sizes write
} MgPlanDims;

// The place in the plan at which calls of the first run, and those after it, are made.
typedef struct MgFirstRun {
    uint32_t epoch; // 1 + the number of barriers in the first-run block so far
    uint32_t front; // the number of the plan's statements before the graph's own work
    uint32_t step;  // the number of the next call that is made only in the first run
} MgFirstRun;

// Which work the workers share (share.c).
typedef struct MgWorkSharing {
    MgIx work;         // the work of the program; 0: nobody asks for it
    MgKs *alone;       // the latest block of the plan that the first worker runs alone
    uint32_t n_shared; // calls, and runs by rows, in which all workers take part
    uint32_t together; // the latest calls, which have no barrier between them
} MgWorkSharing;

// How a GPU is given the graph (plan/launch_cost.h).
typedef struct MgLaunching {
    MgLaunches separate;
    bool one_kernel; // the plan becomes one kernel, so it has no part for the first run alone
} MgLaunching;

// The unit that is being scheduled.
typedef struct MgUnitNow {
    MgOriginId origin;
    uint32_t number;
    uint32_t of_name;           // its number among the units of its name, from 1
    const char *apart_why;      // why it is not one kernel, if a schedule said so
    bool reused;                // it uses data that a call for another unit keeps
    const struct MgUnit *tuned; // the unit that last asked for a parameter, and its key
    uint64_t key;
} MgUnitNow;

// The schedules that the user gave.
typedef struct MgGivenFile {
    MgMap by_name; // name -> number of units with that name
    bool *taken;   // by schedule of the file: a unit has used it
} MgGivenFile;

// The program as far as it is made: what schedules add to.
typedef struct MgDraftProgram {
    MG_VEC(MgStorage) storages; // [0] unused
    MG_VEC(MgPendingCall) calls;
    MgPlacing placing;
    MgMade known;
    MgPlanDims dims;
    uint32_t step; // the number of the plan's next call
    MgFirstRun first;
    MgWorkSharing share;
    MgUnitNow unit;
    MgGivenFile given;
    struct MgRiders *riders; // riders.h; NULL: there are none
    MgGraph *narrow;         // the graph, in which runs by rows are narrowed to a block of rows
                             // (plan/owned_workers.c); NULL: there was no run
    bool failed;
} MgDraftProgram;

// Where a value lies that is made in its place in a larger one: each row, which is the axes from
// number `axes` on, begins `step` elements behind the one before.
typedef struct MgInWhole {
    bool in;
    uint32_t axes;
    MgIx step;
} MgInWhole;

// What a schedule sees of the program. It is a value: to schedule something in another way, for one
// worker or for a block of rows, pass a copy. All copies add to the same draft.
typedef struct MgSched {
    MgGraph *g;
    MgModule *m;
    MgProgram *p;
    MgArena *arena;
    MgIxTable *ix;
    const MgScheduleOptions *options;
    MgDraftProgram *draft;
    MgStorageId *storage_of; // by value id
    MgInWhole *placed;       // by value id
    MgRounding rounding;
    MgMap fixed; // of all ops: the operations whose rounding is fixed, MgSx * (ir/rounding.h)
    MgMap rough; // see mg_is_rough
    MgLaunching launch;
    MgKBlock *once;   // the plan's block that only the first run executes; NULL: there is none
    MgPlanLoop *loop; // the innermost loop that is being planned; NULL: none
    uint32_t workers; // that enter each kernel
    bool alone;       // calls are made by the first worker, while the others wait
    MgRowWalk *walk;  // the run of rows whose calls each worker makes for itself; NULL: none
    const char *part; // the part of the unit that a call makes; NULL: all of it
} MgSched;

// A figure of the target's machine, in whole units.
#define mg_figure(s, name) ((int64_t)(s)->options->target.machine.name)
// The bytes of a cache line, a power of two.
static inline int64_t mg_line(const MgSched *s) {
    int64_t line = 64;
    while (2 * line <= mg_figure(s, line))
        line *= 2;
    return line;
}

// ---------------------------------------------------------------- units
// What one kernel computes: equations in order. The values in `outputs` are used outside.
typedef struct MgUnit {
    MgOpId *ops;
    uint32_t n_ops;
    MgValueId *outputs;
    uint32_t n_outputs;
    uint32_t n_riders; // behind its ops: writes that its kernel may have as well (riders.h)
    MgMap members;     // its ops and outputs, filled in by mg_unit_index; empty: the arrays are
                       // searched
} MgUnit;
// Indexes a unit that may have many ops or outputs, so that questions about it take constant time.
void mg_unit_index(MgSched *s, MgUnit *u);
bool mg_unit_is_output(const MgUnit *u, MgValueId v);
// A number that a schedule uses for the unit: the measured one if there is one, otherwise `value`.
int64_t mg_param(MgSched *s, const MgUnit *unit, MgParam param, int64_t value);
void mg_tuning_begin(MgSched *s); // call these before and after the units of a program
void mg_tuning_end(MgSched *s);
// The op of the unit that defines v, or MG_NONE.
MgOpId mg_unit_def(const MgUnit *u, MgGraph *g, MgValueId v);

// Do all reads of values that the unit defines stand at the outer point? Then their first `depth`
// subscripts are the equation's first indices, in order.
bool mg_unit_reads_in_place(MgSched *s, const MgUnit *u, uint32_t depth);

// The row-major address of a piece's target, over loop symbols (with == NULL: over its indices), in
// a buffer that lacks the `depth` leading axes; and that of op's only piece.
MgIx mg_target_address(MgSched *s, const MgPiece *piece, MgValueId result, const MgIx *with,
                       uint32_t n_with, uint32_t depth);
MgIx mg_unit_target(MgSched *s, MgOpId op, const MgIx *with, uint32_t n_with);
// Are all ops after the first elementwise over the same box, and do they read the unit's values in
// place? (Each has one piece; the first may reduce.)
bool mg_unit_has_epilogue(MgSched *s, const MgUnit *u);

// ---------------------------------------------------------------- accesses (access.c)
// Does x move by exactly one along symbol sym?
bool mg_moves_by_one(MgIxTable *t, MgIx x, MgIxSym sym);
// The row-major element number of subscripts in a value's buffer that lacks the `depth` leading
// axes.
MgIx mg_address(MgSched *s, MgValueId v, const MgIx *subs, uint32_t n, uint32_t depth);
// The same for a read of v whose indices are replaced by with[0..n). False if a subscript depends
// on data.
bool mg_read_address(MgSched *s, MgValueId v, const MgSx *read, const MgIx *with, uint32_t n,
                     MgIx *address);
// Is a read, whose indices are replaced by with[0..n), inside or outside alike for all values of
// symbol sym in its range? False if a subscript depends on data.
bool mg_read_is_inside_along(MgSched *s, MgValueId v, const MgSx *read, const MgIx *with,
                             uint32_t n, const MgIxRanges *ranges, MgIxSym sym);
// Are the first `depth` subscripts of a read the first indices, in order? It has as many.
bool mg_reads_at(const MgSched *s, const MgSx *read, uint32_t depth);
typedef struct MgAccess {
    const MgSx *read;
    MgValueId value;
    MgIx address; // the row-major number of the element, if it is known
    bool known;   // false: data decide the address, or nobody asked for it
} MgAccess;
typedef struct MgAccesses {
    MgAccess *at;
    uint32_t n;
} MgAccesses;
// The reads in x, an expression of op; and the same with their addresses, in which indices are
// replaced by with[0..n).
MgAccesses mg_reads(MgSched *s, MgOpId op, const MgSx *x);
MgAccesses mg_accesses(MgSched *s, MgOpId op, const MgSx *x, const MgIx *with, uint32_t n);
// How an address moves along an index: not at all, by one, or in any other way (as one that data
// decide does).
typedef enum MgMove { MG_STAYS, MG_STEPS, MG_JUMPS } MgMove;
MgMove mg_moves(const MgSched *s, const MgAccess *a, uint32_t index);

// ---------------------------------------------------------------- building one kernel
// Where a value that the unit defines can be read. Every other value is a parameter.
typedef struct MgKbValue {
    MgValueId value;
    const MgKx *reg;  // its element at the current point, in its compute type; NULL: it is in a
                      // buffer
    MgKBufId buf;     // the buffer
    uint32_t depth;   // leading axes that the buffer lacks (scratch for one row)
    const MgKx *base; // elements to add to addresses (a worker's part of scratch), or NULL
} MgKbValue;

typedef struct MgKb {
    MgSched *s;
    MgKernel *k;
    const MgUnit *unit;
    const MgPiece *piece; // a piece of the unit's only op, which has several; NULL: the whole unit
    const char *kind;
    const MgTiled *tiled;      // how ops[0] is computed, if not by its definition; otherwise NULL
    const struct MgNest *nest; // the nest that it is made from; NULL: it is not that of equations
    MgKBlock *plan;            // of a form: the block of the plan that calls it
    bool rides;                // the kernel has the riders of the unit
    uint32_t anchor; // the number of the op with whose value the epilogue begins, mostly the first
    MG_VEC(MgKbValue) sources;
    MG_VEC(MgStorageId) params; // by buffer parameter: the storage bound to it
    MgMap param_of;             // storage of a value -> 1 + its parameter
    MG_VEC(const MgKx *) extra; // by parameter: bytes to add, an expression of the plan, or NULL
    MG_VEC(MgIxSym) scalars;    // by scalar parameter: the dimension bound to it
} MgKb;

// Begins a kernel with a parameter for every value that the unit reads from outside or writes for
// outside.
void mg_kb_begin(MgKb *kb, MgSched *s, const MgUnit *unit, const char *kind);
// The same for one of several pieces of the unit's only op; only what that piece reads gets a
// parameter.
void mg_kb_begin_piece(MgKb *kb, MgSched *s, const MgUnit *unit, const MgPiece *piece,
                       const char *kind);
// Adds a parameter for another value that the kernel reads or writes, if it has none.
void mg_kb_add_value(MgKb *kb, MgValueId v, bool write);
// The kernel parameter through which value v is accessed.
MgKBufId mg_kb_value(MgKb *kb, MgValueId v);
// The source of v inside the unit; NULL if v is not local. mg_kb_forget drops registers.
MgKbValue *mg_kb_local(MgKb *kb, MgValueId v);
void mg_kb_define(MgKb *kb, MgKbValue source);
void mg_kb_forget(MgKb *kb, uint32_t n_sources); // keeps the first n
// Lowers an integer expression over dims (scalar parameters are made on first use) and indices
// (index[k], scalar).
const MgKx *mg_kb_ix(MgKb *kb, MgIx x, const MgKx *const *index);
// The same in 32 bits, which takes half the vector, if no intermediate value overflows for indices
// in the ranges; otherwise in 64 bits.
const MgKx *mg_kb_narrow_ix(MgKb *kb, MgIx x, const MgKx *const *index, const MgIxRanges *ranges);
// Sets indices to the digits of a number; the last one changes fastest.
typedef struct MgKDigit {
    uint32_t index;
    const MgKx *low, *size; // its first value, and the number of its values
} MgKDigit;
void mg_kb_digits(MgKb *kb, MgKBlock *block, const MgKDigit *digits, uint32_t n, const MgKx *number,
                  const MgKx **index);
// The same for n indices of a piece that begin at 0.
void mg_kb_positions(MgKb *kb, MgKBlock *block, const MgPiece *piece, const uint32_t *which,
                     uint32_t n, const MgKx *number, const MgKx **index);
// The bytes between data that two workers write. CPUs prefetch the lines after those in use, up to
// the end of a page, and would take them away from the core that writes them.
static inline int64_t mg_worker_gap(const MgSched *s) {
    return mg_ceil_div(mg_figure(s, page), mg_line(s)) * mg_line(s);
}
// Scratch of `count` elements in the arena, of scope WORKER (one copy each; *base is this worker's)
// or CALL, as the second always is. It is a parameter of the kernel, so make it before any private
// buffer.
MgKBufId mg_kb_common(MgKb *kb, const char *name, MgDType elem, MgIx count);
MgKBufId mg_kb_scratch(MgKb *kb, const char *name, MgDType elem, MgIx count, MgScope scope,
                       const MgKx **base);
// Both open a loop over trips that need nothing of each other; *block becomes its body. Returns the
// number of the trip. The first is for groups of `items` items on a GPU, and sets what the kernel
// says of them; the second is for workers, or for a GPU's groups of as many items as the kernel has
// already (else MG_SHARING_ITEMS). And the block of what one worker, or one item, does for all.
enum { MG_SHARING_ITEMS = 128 };
const MgKx *mg_share_items(MgKernel *k, MgKBlock **block, const MgKx *trips, uint32_t items);
const MgKx *mg_kb_share(MgKb *kb, MgKBlock **block, const char *name, const MgKx *trips);
MgKBlock *mg_kb_alone(MgKb *kb, MgKBlock *block);
// A parameter bound to a storage that holds no value of the unit, plus `extra` bytes (an expression
// of the plan, or NULL).
MgKBufId mg_kb_extra(MgKb *kb, const char *name, MgDType elem, MgStorageId storage,
                     const MgKx *extra, bool reads, bool writes);
// A private accumulator or register tile of `count` elements.
MgKBufId mg_kb_private(MgKb *kb, const char *name, MgKType elem, int64_t count);
// A private buffer of one element, which begins as x (words.h has its value and what sets it).
MgKBufId mg_kb_held(MgKb *kb, MgKBlock *block, const char *name, const MgKx *x);
// Traps for a number from data that is not in 0 to high, and for subscript `position` of v.
uint32_t mg_kb_trap_outside(MgKb *kb, MgOpId op, const char *what, MgIx high);
uint32_t mg_kb_trap_subscript(MgKb *kb, MgOpId op, MgValueId v, uint32_t position);
// stream.c: makes stores bypass the caches if the outputs are too large for them. For kernels that
// write each element once. Call it when the body is complete.
void mg_kb_stream(MgKb *kb);
// Finishes the kernel: finds an equal one or adds this one, and appends the call to the plan.
void mg_kb_end(MgKb *kb, MgKBlock *plan, MgOpId main_op);
// The same for a kernel that fills `storage` ahead of the op: in the first run, which keeps it, or
// before a loop (`ahead`: mg_plan_ahead). If an earlier call of the first run already keeps the
// same data, no call is made. Returns the storage to read.
MgStorageId mg_kb_end_ahead(MgKb *kb, MgOpId main_op, MgKBlock *ahead, MgStorageId storage);
// The lanes of a vector of this type on the target; 1 at -O0.
uint32_t mg_kb_lanes(const MgKb *kb, MgDType dtype);

// ---------------------------------------------------------------- expressions in a kernel
enum { MG_EACH_LANE = -2 }; // each loop symbol may have a value per lane

// A point of an equation's box, possibly a vector of points along one index.
typedef struct MgPoint {
    MgKb *kb;
    MgOpId op;
    MgKBlock *block;  // receives lets and traps
    const MgIx *with; // index k of the equation as an expression over loop symbols
    uint32_t n_with;
    const MgKx *const *loop; // the value of each loop symbol, a scalar; for the vector symbol, the
                             // value of lane 0
    int vector;              // the loop symbol that runs along the lanes; -1: none; or MG_EACH_LANE
    uint32_t lanes;
    const MgKx *mask;  // active lanes, NULL: all
    bool bare;         // loads are part of the expression and get no variable
    MgIxRanges ranges; // of the loop symbols; they prove that checks can be left out
    MgMap memo;        // shared subexpressions of this point
    bool memo_on;
    bool early; // what is loaded is converted at once: compilers put a load where its conversion is
    const MgSx *inside[8]; // subscripts in the memo that have been checked
    uint32_t n_inside;
} MgPoint;
// A scalar point of op over loops with these values and ranges.
static inline MgPoint mg_point(MgKb *kb, MgOpId op, MgKBlock *block, const MgIx *with,
                               uint32_t n_with, const MgKx *const *loop, MgIxRanges ranges) {
    return (MgPoint){.kb = kb,
                     .op = op,
                     .block = block,
                     .with = with,
                     .n_with = n_with,
                     .loop = loop,
                     .vector = -1,
                     .lanes = 1,
                     .ranges = ranges};
}
// The same for a vector of points along a symbol.
static inline MgPoint mg_vector_of(MgPoint p, int vector, uint32_t lanes, const MgKx *mask) {
    p.vector = vector;
    p.lanes = lanes;
    p.mask = mask;
    return p;
}
// Subscript `position` of a read, computed from data. If it is not inside its axis, the kernel
// traps, and the subscript becomes 0.
const MgKx *mg_point_checked(MgPoint *p, const MgSx *read, uint32_t position);

// rough.c: finds the exponentials of the graph that need no more accuracy than an instruction of
// the device has, if it has one; and is x, an expression of the graph, one of these?
void mg_find_rough(MgSched *s);
bool mg_is_rough(const MgSched *s, const MgSx *x);

// The value of expr at the point, in its dtype, with p->lanes lanes (or scalar if it does not
// change along the vector).
const MgKx *mg_point_expr(MgPoint *p, const MgSx *expr);
// The same in all lanes of the point, and 0 where its mask is off.
const MgKx *mg_point_factor(MgPoint *p, const MgSx *x);
// Loads lanes from a buffer at an address over loop symbols, plus `base` elements (or NULL), where
// mask (or NULL) is true.
const MgKx *mg_point_load(MgPoint *p, MgKBufId buf, MgIx address, const MgKx *base,
                          const MgKx *mask);
// The condition under which a read with affine subscripts is inside its operand; NULL: always.
const MgKx *mg_point_inside(MgPoint *p, const MgSx *read);
// The i64 addresses of the lanes if they are not consecutive along the vector; otherwise NULL.
const MgKx *mg_point_strided(MgPoint *p, MgIx address);
// Stores lanes to a buffer of `storage` elements, rounded to that type.
void mg_point_store(MgPoint *p, MgKBufId buf, MgDType storage, MgIx address, const MgKx *x);
// Passes the anchor's finished value x at the point through the ops after the anchor, and stores
// what is used outside the unit.
void mg_kb_epilogue(const MgPoint *at, const MgKx *x);
// The same if rows end the unit (row_end.h): x has the first op's finished values at n points,
// which are all vectors of one row.
void mg_kb_row_end(const MgPoint *at, uint32_t n, const MgKx *const *x);
// The value of an ix at the point: an i64 scalar if it does not change along the vector, otherwise
// lanes of i64, or of i32 if that is enough.
const MgKx *mg_point_ix(MgPoint *p, MgIx x);

// Emits body(ctx, block, mask) for the positions from low to high, a vector at a time: the whole
// vectors in a loop, and what is left under a mask. *at becomes the first position of a vector.
// whole: nothing is left. A range that ends before it begins is empty.
typedef void MgLanesFn(void *ctx, MgKBlock *block, const MgKx *mask);
void mg_lanes_loop(MgKernel *k, MgKBlock *block, const MgKx **at, const MgKx *low, const MgKx *high,
                   uint32_t lanes, bool whole, MgLanesFn *body, void *ctx);

// sum + a*b, rounded once if the options and the target allow it.
const MgKx *mg_multiply_add(MgSched *s, MgKernel *k, const MgKx *a, const MgKx *b, const MgKx *sum);
// x in a type that holds it exactly, if x was widened from that type; otherwise NULL.
const MgKx *mg_narrowed(MgKernel *k, const MgKx *x, MgDType type);
// group/monoid.c: an accumulated value joined with x, and the value of an empty reduction.
const MgKx *mg_reduce_step(MgKernel *k, MgReducer r, const MgKx *acc, const MgKx *x);
const MgKx *mg_reduce_identity(MgKernel *k, MgReducer r, MgKType type);
// Joins x to what the private buffer holds.
void mg_reduce_held(MgKernel *k, MgKBlock *block, MgReducer r, MgKBufId acc, const MgKx *x);

// ---------------------------------------------------------------- schedules
// Each builds a kernel and its call, or returns false without side effects if the unit is not of
// its kind.
typedef bool MgScheduleFn(MgSched *s, const MgUnit *unit, MgKBlock *plan);
MgScheduleFn mg_schedule_group, mg_schedule_builtin, mg_schedule_gpu_group;
void mg_schedule_unit(MgSched *s, const MgUnit *unit, MgKBlock *plan);
// given.c: did the user give a nest for the unit that is being scheduled?
bool mg_nest_is_given(MgSched *s, const MgUnit *unit);
// Does the file have a nest for the op as a unit?
bool mg_nest_is_named(MgSched *s, MgOpId op);
// Counts the unit among those of its name.
void mg_nest_count(MgSched *s, const MgUnit *unit);
// Call it after all units. Reports schedules that belong to no unit. False if there are any.
bool mg_nest_all_taken(MgSched *s);
// Is v, which a fused op yields, defined inside it?
static inline bool mg_is_inside(MgGraph *g, const MgOp *fused, MgValueId v) {
    MgOpId def = mg_value(g, v)->def;
    return def && mg_op(g, def)->region == fused->regions[0];
}
// memo.c: the first repeats the calls of an equal unit for this one, or returns false if there was
// none; the second remembers a unit.
bool mg_memo_replay(MgSched *s, const MgUnit *unit, MgKBlock *plan);
void mg_memo_note(MgSched *s, const MgUnit *unit, uint32_t first_call, uint32_t first_trap);
// Appends a call of the first run that writes `storage`, a bound one, which is kept. If an
// earlier call does the same, none is appended. Returns the storage that has the data.
MgStorageId mg_plan_keep(MgSched *s, MgSite site, MgCallWith to, MgStorageId storage);
// plan/owned_workers.c. While the calls of a run are made (s->walk): scratch in the memory of the
// worker that makes the call; the rows of a block; the cost of an op over all rows of the run; and
// the part of a cost that belongs to these calls.
MgStorageId mg_walk_scratch(MgRowWalk *w, MgIx bytes);
MgIx mg_walk_rows(const MgRowWalk *w);
MgCost mg_walk_cost(MgRowWalk *w, MgOpId id);
MgIx mg_walk_part(const MgRowWalk *w, MgIx cost);
// Appends a call and a barrier after it.
void mg_plan_call(MgSched *s, MgKBlock *plan, MgSite site, MgCallWith to);
// Writes the value of a MG_OP_DIM's operand to the dims buffer, checked against its bound.
void mg_schedule_size(MgSched *s, MgOpId op, MgKBlock *plan);
uint32_t mg_dim_slot(MgSched *s, MgIxSym sym); // number of a dimension among graph->dims

// ---------------------------------------------------------------- storage and plan
// g, or one like it, in which no range ends before it begins (ranges.c).
MgGraph *mg_ranges_not_negative(MgGraph *g, MgArena *arena);
void mg_storage_assign(MgSched *s);
// storage_parts.c, for mg_storage_assign: values that a concatenation copies are made in their
// place, and is a piece such a copy, so that nothing is left to do?
void mg_storage_parts(MgSched *s);
bool mg_is_in_place(MgSched *s, MgOpId op, const MgPiece *piece);
// Does a trip emit this operand of the yield before its ops run, because it is a carried value
// whose bytes the next one takes over?
bool mg_emits_first(const MgSched *s, const MgOp *yield, uint32_t operand);
// The storages of ports come first.
static inline MgStorageId mg_input_storage(uint32_t input) {
    return 1 + input;
}
static inline MgStorageId mg_output_storage(const MgSched *s, uint32_t output) {
    return 1 + s->g->inputs.len + output;
}
// Gives outputs that take over inputs one memory with them where that is possible, and delays
// updates until it is; for mg_storage_assign, once inputs and outputs have storages. Elsewhere such
// an output is computed apart from its memory.
void mg_storage_over(MgSched *s);
void mg_storage_place(MgSched *s);
MgStorageId mg_storage_new(MgSched *s, MgPlanBufKind kind, MgIx bytes, MgValueId v);
// The bytes that a kernel of the unit, or of one piece of its only op, moves of a storage that
// holds a value (traffic.c).
MgIx mg_traffic(MgSched *s, const MgUnit *unit, const MgPiece *piece, MgStorageId id);
// storage_over.c. Does the op compute as many elements as v has, each from the elements of v at its
// own place in memory, and from other values?
bool mg_is_pointwise(MgSched *s, const MgOp *op, MgValueId v);
MgStorageId mg_storage_kept(MgSched *s, MgIx bytes, MgValueId v); // v: whose bytes, or MG_NONE
// The storage of which this one is a part, or the storage itself.
MgStorageId mg_storage_whole(const MgSched *s, MgStorageId id);
// Can data that never change be computed once, for all runs, on this target and level?
static inline bool mg_may_keep(const MgSched *s) {
    return s->options->level >= 2 && !s->launch.one_kernel;
}
// Does v hold the same bytes in every run, as a parameter, a constant, or a value computed once
// from these?
bool mg_is_kept(MgSched *s, MgValueId v);
// plan/ahead.c. Does an expression of op have the same values in every run, so that it can be
// computed once?
bool mg_is_unchanging(MgSched *s, MgOpId op, const MgSx *x);
// The block of the plan that can compute an expression of op once: the first run's, or the one
// before the outermost loop of which no trip changes the expression. NULL: there is none.
MgKBlock *mg_plan_ahead(MgSched *s, MgOpId op, const MgSx *x);
// How many of the loops that are being planned, from the innermost on, leave v as it is?
uint32_t mg_unchanging_loops(MgSched *s, MgValueId v);
// The loop before which the block stands, or NULL.
const MgPlanLoop *mg_plan_loop_before(const MgSched *s, const MgKBlock *plan);
void mg_storage_touch(MgSched *s, MgStorageId id, uint32_t step); // that step uses it
void mg_storage_touch_once(MgSched *s, MgStorageId id);           // a call of the first run uses it
// together.c. Does a call, whose site is the program's latest, need no barrier before it? The plan
// then ends with a barrier that can go, and the call is part of the step before.
bool mg_call_joins(MgSched *s, const MgKBlock *plan, const MgKCall *call,
                   const MgStorageId *storages);
MgIx mg_bytes_bound(MgSched *s, MgValueId v); // with `some` dims at their largest
MgIx mg_bound_of(MgSched *s, MgIx x);         // the same for an expression
const MgKx *mg_bind_ix(MgSched *s, MgIx x);   // its value in bind
void mg_plan_build(MgSched *s);
void mg_plan_op(MgSched *s, MgKBlock *block, MgOpId id); // the calls of one op
// The last op in the body of a fused op, a loop or a branch, which yields its results.
static inline const MgOp *mg_yield_of(MgGraph *g, MgRegionId r) {
    const MgRegion *region = mg_region(g, r);
    return mg_op(g, region->ops.at[region->ops.len - 1]);
}
// The plan's value of a dimension symbol, or of an expression.
const MgKx *mg_plan_dim(MgSched *s, MgIxSym sym);
const MgKx *mg_plan_ix(MgSched *s, MgIx x);

#endif
