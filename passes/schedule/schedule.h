// Schedules: how a group of equations becomes a kernel.
//
// The driver (schedule.c) walks the graph once: it decides which values share storage (storage.c,
// storage_place.c), turns each unit (one op, or a fused group) into a kernel by the first schedule
// that takes it (the table in schedule.c), and calls it from the plan (plan.c). Schedules see
// structure and the target's numbers only.
#ifndef MG_PASSES_SCHEDULE_H
#define MG_PASSES_SCHEDULE_H

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
typedef uint32_t MgStorageId; // 0 is none
typedef struct MgStorage {
    MgPlanBufKind kind;
    MgKBufId plan_buf;    // parameter of the plan; the arena's for MG_PLAN_ARENA
    MgIx bytes;           // of the largest value in it, for the largest `some` dims
    MgValueId value;      // the value that it was made for; MG_NONE: scratch
    MgOriginId origin;    // of the value, or of the unit whose kernel's scratch it is
    uint32_t first, last; // steps at which it is first written and last read (arena)
    int64_t known_offset; // arena: bytes, once placed; -1 if it depends on dims
    uint32_t slot;        // arena: slot of bind that holds its offset, if it depends on dims
    bool kept;            // arena: written in the first run, for all that follow
    uint32_t epoch;       // kept: barriers of that block before its writer, plus 1
    uint32_t once_first, once_last; // calls of that block that use it; once_first UINT32_MAX: none
    MgStorageId part_of;            // another, `shift` bytes from its beginning; 0: none
    const MgKx *shift;              // of the plan
    bool walked;                    // its value stays in rows that a worker owns (owned_workers.c)
} MgStorage;

// A call whose bindings get their offsets when storage is placed.
typedef struct MgPendingCall {
    MgKCall *call;
    MgStorageId *storages; // per buffer
    const MgKx **extra;    // per buffer: bytes to add, NULL: none
    const MgIxSym *sizes;  // per scalar: the dimension that it is
    bool once;             // made in the first run only
} MgPendingCall;
// A scalar read by the plan itself (a condition, a size): a load whose index is patched likewise.
typedef struct MgPendingLoad {
    MgKx *load;
    MgStorageId storage;
} MgPendingLoad;

// A unit scheduled before: the calls that it became, and where each of their buffers comes from.
typedef struct MgMemo {
    uint64_t check;
    uint32_t call, n_calls; // among MgSched.calls
    uint32_t **positions; // per call and buffer: among the unit's operands and results, or scratch
} MgMemo;

typedef struct MgRowWalk MgRowWalk; // owned_workers.c

// a / b rounded up; a is not negative, and a + b fits.
static inline int64_t mg_ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}
static inline int64_t mg_round_up(int64_t n, int64_t unit) {
    return mg_ceil_div(n, unit) * unit;
}

typedef struct MgLaunches { // the graph as separate launches (launch_cost.h)
    double work_us;         // of all kernels in a pass
    double us;              // of a pass
    uint32_t n;
} MgLaunches;

typedef struct MgSched {
    MgGraph *g;
    MgModule *m;
    MgProgram *p;
    MgArena *arena;
    MgIxTable *ix;
    const MgScheduleOptions *options;
    MG_VEC(MgStorage) storages;  // [0] unused
    MgStorageId *storage_of;     // by value id
    MgValueId *in_place_of;      // by value id: whose bytes a result takes over; MG_NONE
    const char **placed_because; // by value id
    MG_VEC(MgPendingCall) calls;
    MG_VEC(MgPendingLoad) loads;
    MgRounding rounding;
    MgMap fixed; // operations whose rounding is fixed, of all ops: MgSx * (ir/rounding.h)
    MgMap kernels_by_hash;
    MgMap kept_by_hash; // number of a call that is made once, of mg_plan_keep
    bool reused;        // the unit uses what a call for another unit keeps
    MG_VEC(MgMemo) memos;
    MgMap memo_by_key;
    MgDimMakers dim_makers;
    MgMap dim_vars;           // MgIxSym -> value in the plan (const MgKx *)
    MgStorageId dims_storage; // the dims buffer, which kernels of data-dependent sizes write
    MgKBlock *once;           // of the plan: what only the first run does; NULL: there is no such
    uint32_t epoch;           // barriers in there so far, plus 1
    uint32_t step;            // number of the plan's next call
    uint32_t once_step;       // of the next one that is made in the first run only
    MgRowWalk *walk;          // calls are those of a worker that owns rows; NULL: of all workers
    MgIx work;                // of the program (share.c); 0: nobody asks
    MgKs *alone;              // of the plan: what the first worker called alone last
    bool is_alone;            // calls are those of the first worker
    uint32_t all_workers;     // meanwhile
    uint32_t n_shared;        // calls, and runs by rows, that all workers take part in
    MgLaunches launches;      // of a GPU
    bool one_kernel;          // the plan becomes one: it has no part for the first run alone
    const char *part;         // of its unit that a call makes, or NULL: all of it
    const char *apart_why;    // why the latest unit is no one kernel, as far as a schedule told
    const struct MgUnit *tuned_unit; // that asked for a parameter last, and its key
    uint64_t tuned_key;
    bool failed;
    MgOriginId origin;     // of the unit that is being scheduled
    uint32_t unit_number;  // its number
    MgMap units_by_name;   // how many units there were of a name, if schedules are given
    uint32_t unit_of_name; // which of its name it is, from 1
    bool *taken;           // by schedule of the given file
    const char *untold; // why the kernel that is made has no text; NULL: it has, or its MgKb says
} MgSched;

// A figure of the target's machine, in whole units.
#define mg_figure(s, name) ((int64_t)(s)->options->target.machine.name)
// Bytes of a line of its caches, a power of two.
static inline int64_t mg_line(const MgSched *s) {
    int64_t line = 64;
    while (2 * line <= mg_figure(s, line))
        line *= 2;
    return line;
}

// ---------------------------------------------------------------- units
// What one kernel computes: equations in order, of which `outputs` leave.
typedef struct MgUnit {
    MgOpId *ops;
    uint32_t n_ops;
    MgValueId *outputs;
    uint32_t n_outputs;
    MgMap members; // its ops, and its outputs, by mg_unit_index; empty: they are looked through
} MgUnit;
// Of a unit that may have many ops or outputs: questions about it take no longer for that.
void mg_unit_index(MgSched *s, MgUnit *u);
bool mg_unit_is_output(const MgUnit *u, MgValueId v);
// A number that a schedule uses for the unit: the one found by measuring, or else `value`.
int64_t mg_param(MgSched *s, const MgUnit *unit, MgParam param, int64_t value);
void mg_tuning_begin(MgSched *s); // of a program, before its units and after them
void mg_tuning_end(MgSched *s);
// The op of the unit that defines v, or MG_NONE.
MgOpId mg_unit_def(const MgUnit *u, MgGraph *g, MgValueId v);

// Do all reads of values that the unit defines stand at the outer point: their first `depth`
// subscripts are the equation's first indices, in order?
bool mg_unit_reads_in_place(MgSched *s, const MgUnit *u, uint32_t depth);

// The row-major address of op's only piece over loop symbols (with == NULL: over its indices).
MgIx mg_unit_target(MgSched *s, MgOpId op, const MgIx *with, uint32_t n_with);
// Are the ops behind the first elementwise, over the same box, and do they read the unit's values
// in place? (Each has one piece; the first may reduce.)
bool mg_unit_has_epilogue(MgSched *s, const MgUnit *u);

// ---------------------------------------------------------------- building one kernel
// Where a value defined in the unit can be read. Every other value is a parameter.
typedef struct MgKbValue {
    MgValueId value;
    const MgKx *reg;  // not NULL: its element at the current point, in its compute type
    MgKBufId buf;     // else a buffer
    uint32_t depth;   // leading axes that the buffer does not have (a row's scratch)
    const MgKx *base; // elements to add to addresses (a worker's part of scratch), or NULL
} MgKbValue;

typedef struct MgKb {
    MgSched *s;
    MgKernel *k;
    const MgUnit *unit;
    const MgPiece *piece; // of the unit's only op, which has several; NULL: all of the unit
    const char *kind;
    const MgTiled *tiled;      // how ops[0] is computed, if otherwise than it is defined; NULL else
    const struct MgNest *nest; // that it is made from; NULL: its form has no text
    const char *untold;        // then: the form; NULL: as its kind
    uint32_t anchor; // number of the op whose value the epilogue begins with: the first, mostly
    MG_VEC(MgKbValue) sources;
    MG_VEC(MgStorageId) params; // storage bound to each buffer parameter
    MgMap param_of;             // a value's storage -> 1 + its parameter
    MG_VEC(const MgKx *) extra; // per parameter: bytes of the plan to add, or NULL
    MG_VEC(MgIxSym) scalars;    // dimension bound to each scalar parameter
} MgKb;

// Begins with a parameter for every value that the unit reads from outside or leaves to it.
void mg_kb_begin(MgKb *kb, MgSched *s, const MgUnit *unit, const char *kind);
// The same for one of several pieces of the unit's only op: for what that piece reads.
void mg_kb_begin_piece(MgKb *kb, MgSched *s, const MgUnit *unit, const MgPiece *piece,
                       const char *kind);
// The kernel parameter through which value v is accessed.
MgKBufId mg_kb_value(MgKb *kb, MgValueId v);
// The source of v inside the unit, NULL if it is not local. Registers end with mg_kb_forget.
MgKbValue *mg_kb_local(MgKb *kb, MgValueId v);
void mg_kb_define(MgKb *kb, MgKbValue source);
void mg_kb_forget(MgKb *kb, uint32_t n_sources); // keeps the first n
// An integer expression over dims (scalar parameters are made on first use) and indices (index[k],
// scalar).
const MgKx *mg_kb_ix(MgKb *kb, MgIx x, const MgKx *const *index);
// Sets indices from a number whose digits they are; the last one changes fastest.
typedef struct MgKDigit {
    uint32_t index;
    const MgKx *low, *size; // its first value, and how many it has
} MgKDigit;
void mg_kb_digits(MgKb *kb, MgKBlock *block, const MgKDigit *digits, uint32_t n, const MgKx *number,
                  const MgKx **index);
// The same in 32 bits where no value on the way leaves them for indices in the ranges: half the
// vector.
const MgKx *mg_kb_narrow_ix(MgKb *kb, MgIx x, const MgKx *const *index, const MgIxRanges *ranges);
// Bytes between what two workers write: CPUs prefetch the lines after those that are used, up to
// the end of a page, and would take them from the core that writes them.
static inline int64_t mg_worker_gap(const MgSched *s) {
    return mg_ceil_div(mg_figure(s, page), mg_line(s)) * mg_line(s);
}
// Scratch of `count` elements in the arena, WORKER (one copy each, base is this worker's) or CALL.
// A parameter of the kernel, so it is made before any private buffer.
MgKBufId mg_kb_scratch(MgKb *kb, const char *name, MgDType elem, MgIx count, MgScope scope,
                       const MgKx **base);
// A parameter bound to a storage that is no value of the unit's, plus `extra` bytes of the plan (or
// NULL).
MgKBufId mg_kb_extra(MgKb *kb, const char *name, MgDType elem, MgStorageId storage,
                     const MgKx *extra, bool reads, bool writes);
// A private accumulator or register tile of `count` elements.
MgKBufId mg_kb_private(MgKb *kb, const char *name, MgKType elem, int64_t count);
uint32_t mg_kb_trap(MgKb *kb, MgOpId op, const char *reason);
// The same for what data computed and is not in 0 to high; for subscript `position` of v.
uint32_t mg_kb_trap_outside(MgKb *kb, MgOpId op, const char *what, MgIx high);
uint32_t mg_kb_trap_subscript(MgKb *kb, MgOpId op, MgValueId v, uint32_t position);
// stream.c: stores to outputs that are too large for the caches go past them. For kernels that
// write each element once; called when the body is complete.
void mg_kb_stream(MgKb *kb);
// Finishes the kernel: finds an equal one or adds it, and appends the call to the plan.
void mg_kb_end(MgKb *kb, MgKBlock *plan, MgOpId main_op);
// The same for a kernel that the first run calls to write `storage`, which is kept. Where an
// earlier call keeps the same already, none is made. Returns the storage to read.
MgStorageId mg_kb_end_kept(MgKb *kb, MgOpId main_op, MgStorageId storage);
// Lanes of a vector of this type on the target; 1 at -O0.
uint32_t mg_kb_lanes(const MgKb *kb, MgDType dtype);

// ---------------------------------------------------------------- expressions in a kernel
enum { MG_EACH_LANE = -2 }; // loop symbols may have a value for each lane

// A point of an equation's box, possibly a vector of points along one index.
typedef struct MgPoint {
    MgKb *kb;
    MgOpId op;
    MgKBlock *block;  // lets and traps go here
    const MgIx *with; // index k of the equation as an expression over loop symbols
    uint32_t n_with;
    const MgKx *const *loop; // value of each loop symbol: scalar; of the vector one: that of lane 0
    int vector;              // loop symbol that runs along the lanes, -1: none, or MG_EACH_LANE
    uint32_t lanes;
    const MgKx *mask;  // active lanes, NULL: all
    bool bare;         // loads are part of the expression, not variables
    MgIxRanges ranges; // of the loop symbols, for leaving out checks that hold
    MgMap memo;        // shared subexpressions of this point
    bool memo_on;
    const MgSx *inside[8]; // given in the memo: if it is a subscript, it was checked
    uint32_t n_inside;
} MgPoint;
// Subscript `position` of a read, which data decide; where it is not inside its axis, a trap, and
// 0.
const MgKx *mg_point_checked(MgPoint *p, const MgSx *read, uint32_t position);

// expr at the point: of its dtype, p->lanes lanes (or scalar if it is the same along the vector).
const MgKx *mg_point_expr(MgPoint *p, const MgSx *expr);
// Does x move by exactly one along symbol sym?
bool mg_moves_by_one(MgIxTable *t, MgIx x, MgIxSym sym);
// Row-major element number of the subscripts in a value's buffer without its leading `depth` axes.
MgIx mg_address(MgSched *s, MgValueId v, const MgIx *subs, uint32_t n, uint32_t depth);
// The same of a read of v, its indices replaced by with[0..n). False where a subscript is data.
bool mg_read_address(MgSched *s, MgValueId v, const MgSx *read, const MgIx *with, uint32_t n,
                     MgIx *address);
// Lanes from a buffer at an address over loop symbols, plus base elements (or NULL), where mask (or
// NULL) is on.
const MgKx *mg_point_load(MgPoint *p, MgKBufId buf, MgIx address, const MgKx *base,
                          const MgKx *mask);
// The condition under which a read with affine subscripts is inside its operand; NULL: always.
const MgKx *mg_point_inside(MgPoint *p, const MgSx *read);
// The lanes' addresses, i64, where they don't follow one another along the vector; NULL where they
// do.
const MgKx *mg_point_strided(MgPoint *p, MgIx address);
// Lanes to a buffer of `storage` elements; rounds to that type.
void mg_point_store(MgPoint *p, MgKBufId buf, MgDType storage, MgIx address, const MgKx *x);
// The anchor's finished value x at the point goes through the ops behind it; what leaves the unit
// is stored.
void mg_kb_epilogue(const MgPoint *at, const MgKx *x);
// The same where rows end the unit (row_end.h): of the first op, at n points, which are all vectors
// of one row, the finished values x.
void mg_kb_row_end(const MgPoint *at, uint32_t n, const MgKx *const *x);
// An ix at the point: an i64 scalar if it does not move along the vector, else lanes of i64 or,
// where that is enough, i32.
const MgKx *mg_point_ix(MgPoint *p, MgIx x);

// sum + a*b, rounded once where the options and the target allow it.
const MgKx *mg_multiply_add(MgSched *s, MgKernel *k, const MgKx *a, const MgKx *b, const MgKx *sum);
// monoid.c: what a reducer accumulates, joined with x; of nothing.
const MgKx *mg_reduce_step(MgKernel *k, MgReducer r, const MgKx *acc, const MgKx *x);
const MgKx *mg_reduce_identity(MgKernel *k, MgReducer r, MgKType type);

// ---------------------------------------------------------------- schedules
// Each builds kernel and call, or returns false without side effects if the unit is not its kind.
typedef bool MgScheduleFn(MgSched *s, const MgUnit *unit, MgKBlock *plan);
MgScheduleFn mg_schedule_attention, mg_schedule_winograd, mg_schedule_group, mg_schedule_builtin,
    mg_schedule_gpu_group, mg_schedule_gpu_attention;
void mg_schedule_unit(MgSched *s, const MgUnit *unit, MgKBlock *plan);
// given.c: has the user given a nest for the unit that is being scheduled?
bool mg_nest_is_given(MgSched *s, const MgUnit *unit);
// Counts the unit among those of its name.
void mg_nest_count(MgSched *s, const MgUnit *unit);
// After all units: tells of schedules that belong to none. False if there are such.
bool mg_nest_all_taken(MgSched *s);
// gpu_spread.c: a kernel written for workers of one item becomes one for groups of so many items.
enum { MG_SPREAD_ITEMS = 128 };
void mg_gpu_spread(MgKernel *k);
// Is v, which a fused op yields, made in there?
static inline bool mg_is_inside(MgGraph *g, const MgOp *fused, MgValueId v) {
    MgOpId def = mg_value(g, v)->def;
    return def && mg_op(g, def)->region == fused->regions[0];
}
// memo.c: the call of an equal unit for this one, false if none was scheduled yet; and remembering
// one.
bool mg_memo_replay(MgSched *s, const MgUnit *unit, MgKBlock *plan);
void mg_memo_note(MgSched *s, const MgUnit *unit, uint32_t first_call, uint32_t first_trap);
// Appends a call of the first run that writes `storage`, one of storages, which is kept; or finds
// one that does the same. Returns where that writes.
MgStorageId mg_plan_keep(MgSched *s, MgSite site, uint32_t n_buffers, MgStorageId *storages,
                         const MgKx **extra, uint32_t n_scalars, const MgIxSym *sizes,
                         MgStorageId storage);
// Appends a call and the barrier behind it; storages and extra (bytes of the plan, or NULL) per
// buffer, the dimension that each scalar is.
void mg_plan_call(MgSched *s, MgKBlock *plan, MgSite site, uint32_t n_buffers,
                  MgStorageId *storages, const MgKx **extra, uint32_t n_scalars,
                  const MgIxSym *sizes);
// Writes the value of a MG_OP_DIM's operand to the dims buffer, checked against its bound.
void mg_schedule_size(MgSched *s, MgOpId op, MgKBlock *plan);
uint32_t mg_dim_slot(MgSched *s, MgIxSym sym); // number of a dimension among graph->dims

// ---------------------------------------------------------------- storage and plan
void mg_ranges_not_negative(MgSched *s); // ranges.c
void mg_storage_assign(MgSched *s);
void mg_storage_place(MgSched *s);
MgStorageId mg_storage_new(MgSched *s, MgPlanBufKind kind, MgIx bytes, MgValueId v);
MgStorageId mg_storage_kept(MgSched *s, MgIx bytes, MgValueId v); // v: whose bytes, or MG_NONE
// Can what never changes be made once, for all runs, on this target and level?
static inline bool mg_may_keep(const MgSched *s) {
    return s->options->level >= 2 && !s->one_kernel;
}
// Does v hold the same bytes in every run: a parameter, a constant, or made from these once?
bool mg_is_kept(MgSched *s, MgValueId v);
// Has an expression of op the same values in every run, so that it can be made once for all runs?
bool mg_is_unchanging(MgSched *s, MgOpId op, const MgSx *x);
void mg_storage_touch(MgSched *s, MgStorageId id);      // the current step uses it
void mg_storage_touch_once(MgSched *s, MgStorageId id); // a call of the first run alone uses it
MgIx mg_bytes_bound(MgSched *s, MgValueId v);           // with `some` dims at their largest
MgIx mg_bound_of(MgSched *s, MgIx x);                   // likewise
const MgKx *mg_bind_ix(MgSched *s, MgIx x);             // its value in bind
void mg_plan_build(MgSched *s);
void mg_plan_op(MgSched *s, MgKBlock *block, MgOpId id); // the calls of one op
// The last op of the body of a fused op, a loop or a branch: what it yields.
static inline const MgOp *mg_yield_of(MgGraph *g, MgRegionId r) {
    const MgRegion *region = mg_region(g, r);
    return mg_op(g, region->ops.at[region->ops.len - 1]);
}
// The plan's value of a dimension symbol.
const MgKx *mg_plan_dim(MgSched *s, MgIxSym sym);
const MgKx *mg_plan_ix(MgSched *s, MgIx x);
// A call that copies the bytes of `from` to storage `to` (+ extra bytes, an expression of the
// plan).
void mg_plan_copy(MgSched *s, MgKBlock *plan, MgValueId from, MgStorageId to, const MgKx *extra,
                  MgOpId op);

#endif
