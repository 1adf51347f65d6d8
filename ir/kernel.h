// Kernel IR: loops, loads, stores and scalar or short-vector arithmetic over buffers.
//
// A schedule writes it, both backends print it, an interpreter runs it. Nothing in it depends on a
// target: vector code is written out by the schedule with the target's numbers; transcendental
// primitives stand as themselves until mg_kernel_legalise expands them to polynomials (one source
// for every target). There are no mutable variables: what changes lives in private buffers, whose
// constant-indexed elements a backend keeps in registers.
//
// Trees are in the kernel's arena. Expressions have no side effects and may be shared.
#ifndef MG_IR_KERNEL_H
#define MG_IR_KERNEL_H

#include "ir/ix.h"
#include "ir/types.h"
#include "support/diag.h"

typedef struct MgKType {
    MgDType dtype;
    uint16_t lanes; // 1: scalar
} MgKType;
static inline MgKType mg_kt(MgDType dtype, uint32_t lanes) {
    return (MgKType){dtype, (uint16_t)lanes};
}
// Indices, sizes and offsets are i64.

typedef enum MgSpace { MG_SPACE_GLOBAL, MG_SPACE_SHARED, MG_SPACE_PRIVATE } MgSpace;
typedef enum MgScope {
    MG_SCOPE_PARAM,  // bound by the call
    MG_SCOPE_THREAD, // per lane of execution: private arrays, constant-indexed after unrolling
                     // where speed matters
    MG_SCOPE_WORKER, // scratch of one worker (a packed panel); the plan places it in the arena, one
                     // copy a worker
    MG_SCOPE_GROUP,  // shared by a work-group (GPU)
    MG_SCOPE_CALL    // scratch shared by all workers of the call (partials of a split reduction)
} MgScope;

typedef uint32_t MgKBufId;
typedef uint32_t MgKVarId;

typedef struct MgKx MgKx;
typedef struct MgKs MgKs;

typedef struct MgKBuf {
    MgSym name;
    MgKType elem; // of an element; a vector type for register tiles
    MgSpace space;
    MgScope scope;
    bool reads, writes; // what the kernel does with it; building a load sets reads
    bool noalias;       // nothing else in the kernel overlaps it
    uint32_t align;     // bytes the base is aligned to (64 for arena buffers)
    const MgKx *count;  // elements; constant for THREAD. NULL for a param of unknown extent
    uint32_t overlay; // of a group: its byte, plus 1, in bytes that such buffers use in turn: each
                      // is written before it is read, a barrier behind the one before; 0: its own
} MgKBuf;

typedef struct MgKVar {
    MgSym name;
    MgKType type;
    uint32_t zeros; // of an integer: so many low bits are known to be 0
} MgKVar;

typedef enum MgKxKind {
    MG_KX_CONST,   // bits, splat over the lanes
    MG_KX_VAR,     // let-bound, loop or scalar parameter
    MG_KX_LOAD,    // args[0]: index in elements. Scalar index and vector type: contiguous lanes (or
                   // one vector element of a vector-typed buffer); vector index: gather. args[1],
                   // args[2] optional: mask (bool lanes), other
    MG_KX_PRIM,    // args; conversions (CAST, SATURATE, BITCAST) take the result type from `type`
    MG_KX_RAMP,    // args[0] + lane * args[1]
    MG_KX_SPLAT,   // args[0] in every lane
    MG_KX_LANE,    // scalar: lane `value` of args[0]
    MG_KX_PERMUTE, // lanes[i] selects from args[0] then args[1]
    MG_KX_LOOKUP,  // table[args[0] mod value], args[0] u32: a small table of constants
    MG_KX_FOLD,    // scalar: args[0]'s lanes combined by `prim` (ADD, MUL, MIN, MAX, AND, OR), by
                   // halves
    MG_KX_WORKER,  // i64: number of this worker (GPU: work-group)
    MG_KX_WORKERS, // i64
    MG_KX_LOCAL_ID, // i64: work-item in its group (0 on CPU)
    MG_KX_LOCAL_SIZE
} MgKxKind;

struct MgKx {
    MgKxKind kind;
    MgKType type;
    MgPrim prim;
    bool near; // DIV of f32: either neighbour of the quotient will do, and it, its operands and the
               // divisor's inverse are normal numbers. EXP of f32: the operand is not above 0, and
               // one that is off by a quarter of its last place will do
    MgBits bits;
    MgKVarId var;
    MgKBufId buf;
    uint32_t value; // LANE: which; LOOKUP: entries, a power of two
    union {
        const uint8_t *lanes; // PERMUTE: type.lanes selectors
        const MgBits *table;  // LOOKUP: `value` constants
    };
    uint32_t n_args;
    const MgKx *args[3];
};

// Bytes of a buffer whose size is constant.
static inline int64_t mg_kbuf_bytes(const MgKBuf *b) {
    return (int64_t)b->count->bits * b->elem.lanes * (int64_t)mg_dtype_size(b->elem.dtype);
}

typedef enum MgKsKind {
    MG_KS_LET,   // var = x, visible to the end of the enclosing block
    MG_KS_STORE, // buf[index] = x [mask]
    MG_KS_FOR,   // var from low (inclusive) to high (exclusive) by step
    MG_KS_WHILE, // while cond (evaluated before each trip)
    MG_KS_IF,
    MG_KS_BARRIER,
    MG_KS_PREFETCH, // buf[index]
    MG_KS_TRAP,     // records error `code` (a site and reason) once, and x, the value that was
                    // wrong; execution goes on, results are void
    MG_KS_PRODUCT,  // see MgKProduct
    MG_KS_CALL      // plan only
} MgKsKind;

typedef enum MgLoopKind {
    MG_LOOP_SERIAL,
    MG_LOOP_UNROLLED, // constant bounds; expanded by mg_kernel_legalise
    MG_LOOP_PARALLEL, // trips divided among workers, contiguous balanced blocks; iterations are
                      // independent
    MG_LOOP_GROUP,    // over work-groups (GPU)
    MG_LOOP_ITEM      // over work-items of a group (GPU)
} MgLoopKind;

typedef enum MgBarrier { MG_BARRIER_GROUP, MG_BARRIER_GRID } MgBarrier;

typedef struct MgKBlock {
    MG_VEC(MgKs *) list;
} MgKBlock;

// A call from the plan: buffers are (plan buffer, byte offset), then scalars, in the callee's
// order.
typedef struct MgKCall {
    uint32_t kernel; // of the program
    uint32_t site;
    uint32_t n_buffers, n_scalars;
    bool untimed; // it is not part of an ordinary run
    bool alone;   // the worker that gets here makes all of it; else all workers do, together
    struct MgKBinding {
        MgKBufId base;      // of the plan
        const MgKx *offset; // bytes
    } * buffers;
    const MgKx **scalars;
} MgKCall;

// A product of small matrices, which 32 items do together: for the matrix units of a GPU.
//
// To sums of rows x columns it adds what `depth` steps of rows and columns make, f32 each, of local
// memory. Items go by 32: those of numbers 32 w to 32 w + 31 get there together, with the same
// matrices. Sums lie in the statement's buffer, an item's own, of vectors of four: vector
// i (columns / 8) + j has of rows 16 i + l / 4 and eight below, columns 8 j + 2 (l mod 4) and the
// next, l the item's number modulo 32. So each item has sums that no other has, and needs of the
// others nothing but that they are there.
// Factors count with 11 significant bits (tf32): whoever stored them has rounded them. How the sums
// are rounded is the device's affair; elsewhere they are added up by fma in the order of depth.
typedef struct MgKProduct {
    MgKBufId row_buf, column_buf; // f32, of the group; the statement's index and x say where
    int64_t row_step, row_deep;   // elements from a row to the next, from a step to the next
    int64_t column_step, column_deep;
    uint32_t rows, columns, depth; // multiples of 16, 8 and 8
} MgKProduct;
enum { MG_TOGETHER = 32, MG_PRODUCT_ROWS = 16, MG_PRODUCT_COLUMNS = 8, MG_PRODUCT_DEPTH = 8 };

struct MgKs {
    MgKsKind kind;
    MgKVarId var;             // LET, FOR
    MgKBufId buf;             // STORE, PREFETCH; PRODUCT: sums
    const MgKx *x;            // LET, STORE value, IF/WHILE condition; PRODUCT: first column; TRAP,
                              // i64: NULL if none
    const MgKx *index, *mask; // STORE, PREFETCH; PRODUCT: first row; mask NULL if none
    bool nontemporal;         // STORE
    bool far;                 // PREFETCH: into the second cache, not into the first
    MgLoopKind loop;          // FOR
    const MgKx *low, *high;   // FOR
    int64_t step;             // FOR
    bool rolled;              // FOR: it stays a loop, so that loads before it stay before it
    bool dealt;               // FOR, parallel: see mg_kdealt
    MgKBlock body, orelse;    // FOR, WHILE, IF
    MgBarrier barrier;
    uint32_t code; // TRAP
    MgKCall *call;
    const MgKProduct *product;
};

typedef struct MgKernel {
    MgArena *arena;
    MgNames *names;
    MgSym name;
    MG_VEC(MgKBuf) bufs; // the params first (in order of binding), then allocations
    uint32_t n_params;
    MG_VEC(MgKVar) vars;
    MG_VEC(MgKVarId) scalars; // i64 scalar parameters, in order
    MgKBlock body;
    uint32_t items; // work-items of a group that it was written for; a worker is one group. 1: no
                    // loops over items
    const MgKx *groups; // groups that have work, over the scalars; NULL: as many as there are
                        // workers. Right with any number
    uint32_t meets;     // its groups meet at barriers over the grid inside it: the trap's code if
                        // they don't; 0: a launch has no such barrier
    MgKBufId meeting;   // the buffer that they meet at: i32 words, 0 when it starts
    bool legal;         // expanded by mg_kernel_legalise
    bool scaleb;        // its target is fast at MG_PRIM_SCALEB (set by the same)
    bool lookup;        // and at MG_KX_LOOKUP
    bool contracts;     // a product need not be rounded before a function is taken of it
    bool keeps_math;    // functions that are approximated stayed, for a reader
    bool one_worker;    // no two workers run it on the same memory
} MgKernel;

// ---------------------------------------------------------------- building (ir/kernel.c)
MgKernel *mg_kernel_new(MgArena *arena, MgNames *names, MgSym name);
MgKBufId mg_kparam(MgKernel *k, const char *name, MgDType elem, bool reads,
                   bool writes); // before any allocation
MgKBufId mg_kalloc(MgKernel *k, const char *name, MgKType elem, MgSpace space, MgScope scope,
                   const MgKx *count);
MgKVarId
mg_kscalar(MgKernel *k,
           const char *name); // an i64 scalar parameter, never negative (a dimension, an offset)
const MgKx *mg_kvar(MgKernel *k, MgKVarId v);
const MgKx *mg_kconst(MgKernel *k, MgKType type, MgBits bits);
const MgKx *mg_kint(MgKernel *k, int64_t value); // i64
const MgKx *mg_kfloat(MgKernel *k, MgKType type, double value);
const MgKx *mg_kprim(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b,
                     const MgKx *c);                             // b, c may be NULL; constants fold
const MgKx *mg_knear(MgKernel *k, const MgKx *a, const MgKx *b); // a / b of f32, near (MgKx)
const MgKx *mg_kexp_below(MgKernel *k, const MgKx *x); // exp(x), x not above 0; near, of f32
const MgKx *mg_kcast(MgKernel *k, MgPrim prim, MgDType to,
                     const MgKx *a); // CAST, SATURATE, BITCAST; lanes kept
const MgKx *mg_kload(MgKernel *k, MgKBufId buf, const MgKx *index, uint32_t lanes, const MgKx *mask,
                     const MgKx *other);
const MgKx *mg_kramp(MgKernel *k, const MgKx *base, const MgKx *stride, uint32_t lanes);
const MgKx *mg_ksplat(MgKernel *k, const MgKx *x,
                      uint32_t lanes); // x itself if lanes is 1 or it has them
const MgKx *mg_klane(MgKernel *k, const MgKx *x, uint32_t lane);
const MgKx *mg_kpermute(MgKernel *k, const MgKx *a, const MgKx *b, const uint8_t *lanes,
                        uint32_t n);
// values[index mod n] in every lane, as constants of a type; index is u32, n a power of two up
// to 64.
const MgKx *mg_klookup(MgKernel *k, MgDType dtype, const double *values, uint32_t n,
                       const MgKx *index);
const MgKx *mg_kfold(MgKernel *k, MgPrim prim, const MgKx *x);
const MgKx *mg_kspecial(MgKernel *k, MgKxKind kind); // WORKER, WORKERS, LOCAL_ID, LOCAL_SIZE
static inline const MgKx *mg_kadd(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_ADD, a, b, NULL);
}
static inline const MgKx *mg_kmul(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_MUL, a, b, NULL);
}
// Statements are appended to a block. A loop's or branch's own block is filled through the pointer.
MgKVarId mg_klet(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x);
// x[0..n), each of n lanes, n a power of 2 up to 64: lane j of x[i] and lane i of x[j] change
// places, in log2(n) rounds of permutations.
void mg_ktranspose(MgKernel *k, MgKBlock *b, const MgKx **x, uint32_t n);
// Same, and gives the variable as an expression; constants and variables are returned as they are.
const MgKx *mg_klet_x(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x);
MgKs *mg_kstore(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index, const MgKx *x,
                const MgKx *mask);
MgKs *mg_kfor(MgKernel *k, MgKBlock *b, MgLoopKind kind, const char *name, const MgKx *low,
              const MgKx *high, int64_t step);
// A parallel loop whose trips, long ones, go one by one to the worker that is free: cores are never
// equally fast for long. Each begins with the trip of its own number; all of them meet at its end.
MgKs *mg_kdealt(MgKernel *k, MgKBlock *b, const char *name, const MgKx *low, const MgKx *high);
MgKs *mg_kwhile(MgKernel *k, MgKBlock *b, const MgKx *cond);
MgKs *mg_kif(MgKernel *k, MgKBlock *b, const MgKx *cond);
void mg_kbarrier(MgKernel *k, MgKBlock *b, MgBarrier scope);
MgKs *mg_kprefetch(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index);
void mg_ktrap(MgKernel *k, MgKBlock *b, uint32_t code, const MgKx *value);
// Its rows begin at element `row` of their buffer, its columns at `column` of theirs.
void mg_kproduct(MgKernel *k, MgKBlock *b, MgKBufId sums, const MgKProduct *product,
                 const MgKx *row, const MgKx *column);
// An integer expression over dims: symbols become value(ctx, s).
typedef const MgKx *MgKxOfSym(void *ctx, MgIxSym s);
const MgKx *mg_kx_of_ix(MgKernel *k, const MgIxTable *t, MgIx x, MgKxOfSym *value, void *ctx);

// ---------------------------------------------------------------- passes over kernel IR
// Makes k fit what backends print: unrolls MG_LOOP_UNROLLED loops, expands APPROX primitives of f32
// to polynomials (ir/kernel_math.c), totalises integer division and shifts, saturating casts, bf16
// (and, if !f16, f16) conversions in integer arithmetic, folds of lanes; folds constants.
// Afterwards
// - expressions are trees: a node with more than one user in a statement has been given a LET, so a
// printer
//   that writes every node where it stands neither repeats work nor grows exponentially;
// - integer DIV and REM truncate, their divisor is not 0 and the quotient fits; shift counts are in
// [0, width);
//   there is no FDIV, FMOD, SATURATE, SIGN, integer ABS, FOLD, UNROLLED loop, nor f32 APPROX or
//   REM;
// - CAST is between integers (wrapping, zero- or sign-extending by the source), integer to f32 or
// f64 (half to
//   even), f32 to f64 and back, f32 or f64 inside the range to i32, i64, u32, u64, and f32 to f16
//   and back if options->f16. bool is never cast. f16 and bf16 values are otherwise only moved and
//   bitcast;
// - MIN and MAX of floats mean: a if a is NaN, else b if b is NaN, else max: b > a ? b : a, min: b
// < a ? b : a.
//   With r = maxps(b, a) (gives its second operand, a, on ties and NaN): where(isnan(b) and not
//   isnan(a), b, r); plain maxps(b, a) is enough where b is known not to be NaN (a constant);
// - SCALEB is only there if options->scaleb; its second operand is finite or NaN;
// - f64 APPROX primitives and f64 REM stay: a backend calls its libm.
typedef struct MgLegaliseOptions {
    bool f16;                // the target converts f16 itself
    bool scaleb;             // it is fast at SCALEB
    bool lookup;             // and at LOOKUP of 16 f32; only with the former
    bool contracts;          // a product need not be rounded before a function is taken of it
    bool keeps_math;         // functions that are approximated stay, for a reader: exp is exp
    bool fast_sqrt_division; // unused by default: division and sqrt are correctly rounded
} MgLegaliseOptions;
void mg_kernel_legalise(MgKernel *k, const MgLegaliseOptions *options);
bool mg_kernel_verify(MgSession *session,
                      const MgKernel *k); // types, scopes, static bounds and races where affine
void mg_kernel_print(const MgKernel *k, MgText *out);
uint64_t mg_kernel_hash(const MgKernel *k); // the same for kernels that differ in names only
bool mg_kernel_equal(const MgKernel *a, const MgKernel *b);
uint64_t mg_kernel_size(const MgKernel *k); // its statements and expressions; k is legal

// ---------------------------------------------------------------- interpreter (ir/kernel_interp.c)
// Runs k with `workers` workers of k->items items, one after another between barriers, every access
// checked against the bounds given and shadow memory. Errors: reads of unwritten scratch, two items
// touching one element between barriers where one writes, a barrier that not all items of a group
// (workers, of the grid) reach.
typedef struct MgKBufferArg {
    void *data;
    size_t bytes;
} MgKBufferArg;
bool mg_kernel_interp(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                      const int64_t *scalars, uint32_t workers, uint32_t *trap);
// Runs a plan, by one worker: each call is handed on with what it binds (a buffer reaches to the
// end of the one it lies in). False with diagnostics, or if a call gives false.
typedef bool MgKCallFn(void *ctx, const MgKCall *call, const MgKBufferArg *buffers,
                       const int64_t *scalars);
bool mg_kernel_interp_plan(MgSession *session, const MgKernel *plan, const MgKBufferArg *buffers,
                           const int64_t *scalars, MgKCallFn *call, void *ctx);

#endif
