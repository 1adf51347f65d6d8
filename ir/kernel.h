// Kernel IR: loops, loads, stores and scalar or short-vector arithmetic over buffers.
//
// Schedules write it, backends print it, and an interpreter runs it. It does not depend on a
// target: the schedule writes vector code with the target's numbers, and mg_kernel_legalise expands
// transcendental primitives to polynomials, which are the same for every target. Variables are
// immutable. Data that change live in private buffers, whose elements a backend keeps in registers
// if their index is constant.
//
// Trees live in the kernel's arena. Expressions have no side effects and may be shared.
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
    MG_SCOPE_THREAD, // private arrays of a thread of execution; where speed matters, their index is
                     // constant after unrolling
    MG_SCOPE_WORKER, // scratch of one worker (a packed panel); the plan places one copy per worker
                     // in the arena
    MG_SCOPE_GROUP,  // shared by a work-group (GPU)
    MG_SCOPE_CALL    // scratch that all workers of the call share (partial results of a split
                     // reduction)
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
    uint32_t align;     // the alignment of the base in bytes (64 for arena buffers)
    const MgKx *count;  // the number of elements: a constant for THREAD, NULL for a param of
                        // unknown extent
    uint32_t overlay;   // of a GROUP buffer: 1 + its byte in memory that such buffers use in turn.
                        // Each is written before it is read, and a barrier separates it from the
                        // buffer before it. 0: it has memory of its own
} MgKBuf;

typedef struct MgKVar {
    MgSym name;
    MgKType type;
    uint32_t zeros; // of an integer: this many low bits are known to be 0
    bool below_0;   // of a scalar parameter: it may be negative
} MgKVar;

typedef enum MgKxKind {
    MG_KX_CONST, // bits, in every lane
    MG_KX_VAR,   // let-bound, loop or scalar parameter
    // args[0]: index in elements. A scalar index with a vector type loads contiguous lanes (or one
    // vector element of a vector-typed buffer); a vector index gathers. args[1] and args[2] are
    // optional: a mask of bool lanes, and the value where it is false
    MG_KX_LOAD,
    MG_KX_PRIM,    // args; conversions (CAST, SATURATE, BITCAST) take the result type from `type`
    MG_KX_RAMP,    // args[0] + lane * args[1]
    MG_KX_SPLAT,   // args[0] in every lane
    MG_KX_LANE,    // scalar: lane `value` of args[0]
    MG_KX_PERMUTE, // lanes[i] selects from args[0] then args[1]
    MG_KX_LOOKUP,  // table[args[0] mod value], args[0] u32: a small table of constants
    MG_KX_FOLD,    // scalar: combines the lanes of args[0] by halves with `prim` (ADD, MUL, MIN,
                   // MAX, AND, OR)
    MG_KX_WORDS,   // joins the lanes of args[0], of 8 or 16 bits, to i32 words. The first lane of
                   // a word is in its lowest bits
    // args[0] plus the products of the neighbours in each word of args[1] with those in the same
    // word of args[2], by atom number `value`. The device decides how sums of floats are rounded,
    // and may take subnormal factors for 0. The interpreter adds by fma, in the neighbours' order
    MG_KX_DOT,
    MG_KX_WORKER,   // i64: the number of this worker (GPU: work-group)
    MG_KX_WORKERS,  // i64
    MG_KX_LOCAL_ID, // i64: the number of the work-item in its group (0 on a CPU)
    MG_KX_LOCAL_SIZE
} MgKxKind;

struct MgKx {
    MgKxKind kind;
    MgKType type;
    MgPrim prim;
    // DIV of f32: either neighbour of the quotient is allowed, and the quotient, the operands and
    // the divisor's inverse are normal numbers. EXP of f32: the operand is not above 0, and may
    // have an error of a quarter of its last place. EXP2 of f32: an error of 2^-21 of the result is
    // allowed, and so is 0 for a result that is denormal. ERFC of f32: 2^-20 of the result, half of
    // the operand's last place, and 0 for a result below 2^-125
    bool near;
    MgBits bits;
    MgKVarId var;
    MgKBufId buf;
    uint32_t value; // LANE: the lane; LOOKUP: the number of entries, a power of two; DOT: a MgAtom
    union {
        const uint8_t *lanes; // PERMUTE: type.lanes selectors
        const MgBits *table;  // LOOKUP: `value` constants
    };
    uint32_t n_args;
    const MgKx *args[3];
};

// Does a caller bind the buffer? It binds parameters, and scratch of workers and of the call. Other
// buffers are arrays of the kernel.
static inline bool mg_kbuf_is_bound(const MgKBuf *b) {
    return b->scope == MG_SCOPE_PARAM || b->scope == MG_SCOPE_WORKER || b->scope == MG_SCOPE_CALL;
}

// The bytes of a buffer of constant size.
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
    MG_KS_TALLY,    // var = buf[index], a u32 of the group, to which one is added; see mg_ktally
    MG_KS_TAKE,     // var = buf[index], to which one is added, as one step of all groups; see below
    MG_KS_POST,     // x, a u32, is posted at buf[index]
    MG_KS_COLLECT,  // var = what is posted at buf[index], once it is
    MG_KS_PREFETCH, // hint for buf[index]
    MG_KS_TRAP,     // records error `code` (a site and reason) once, with the wrong value x.
                    // Execution continues; the results are void
    MG_KS_PRODUCT,  // see MgKProduct
    MG_KS_AWAIT,    // waits for the sums in buf of a product that lags
    MG_KS_BOX,      // see MgKBox
    MG_KS_LANDED,   // waits for the boxes of slot x
    MG_KS_RELEASE,  // the item has finished with slot x
    MG_KS_CALL      // plan only
} MgKsKind;

typedef enum MgLoopKind {
    MG_LOOP_SERIAL,
    MG_LOOP_UNROLLED, // constant bounds; expanded by mg_kernel_legalise
    MG_LOOP_PARALLEL, // trips are divided among workers in contiguous balanced blocks; they must be
                      // independent
    MG_LOOP_GROUP,    // over work-groups (GPU)
    MG_LOOP_ITEM      // over work-items of a group (GPU)
} MgLoopKind;

typedef enum MgBarrier { MG_BARRIER_GROUP, MG_BARRIER_GRID } MgBarrier;

typedef struct MgKBlock {
    MG_VEC(MgKs *) list;
} MgKBlock;

// A call from the plan. It passes buffers as (plan buffer, byte offset), then scalars, in the
// callee's order.
typedef struct MgKCall {
    uint32_t kernel; // a number in the program
    uint32_t site;
    uint32_t n_buffers, n_scalars;
    bool untimed; // it is not part of an ordinary run
    bool alone;   // the worker that gets here runs all of it; otherwise all workers run it together
    bool copies;  // it copies its first buffer to its second, so it is left out if they begin at
                  // one address
    struct MgKBinding {
        MgKBufId base;      // of the plan
        const MgKx *offset; // bytes
        int64_t bytes;      // the kernel uses no more of it; -1: that is not known
        uint32_t part_of;   // a value of whose bytes it uses those of one part; 0: of none
    } * buffers;
    const MgKx **scalars;
} MgKCall;

// A product of small matrices that 32 items compute together, for the matrix units of a GPU.
//
// It adds `depth` steps of rows times columns to sums of rows x columns. Factors lie in local
// memory, in the types of the atom. A word holds neighbours along the depth (mg_atom_per_word);
// step d of a row is element d mod (a word's) of word d / (a word's). Items 32 w to 32 w + 31 reach
// the product together, with the same matrices. The sums are in the statement's buffer, which is
// private to each item and has vectors of four. Let l be the item's number modulo 32. Vector i
// (columns / 8) + j holds rows 16 i + l / 4 and the row eight below, at columns 8 j + 2 (l mod 4)
// and the next. So items share no sums; an item only needs the others to be present. If the atom
// rounds its factors, the code that stored them must have done so. The device decides how sums of
// floats are rounded; elsewhere fma adds them up in the order of depth.
//
// A wide product is that of 128 items, with four times as many rows: items 32 w to 32 w + 31 of
// these have the sums of rows 16 w to 16 w + 15, as above. Both factors lie in consecutive lines of
// 128 bytes, which begin at a multiple of eight lines, in a buffer with that alignment. A line has
// eight pieces of 16 bytes. Piece p is at place p xor (the line's number mod 8), so that pieces of
// neighbouring lines lie in different banks.
//
// The statement's body runs concurrently with the product: it may end before the sums are complete,
// or begin after that. So it must touch neither the sums nor the factors. A product that lags is
// complete only when the next product of the same sums is complete, or after an AWAIT. The stores
// in its body that land later do so with the next product. Until then nothing may touch the memory
// that they use. Only one statement lags at a time. If only its stores lag, the product is complete
// after the statement, and the stores land with the next product.
typedef enum MgKLies { // how a factor lies in memory
    MG_LIES_APART,     // steps say where
    MG_LIES_IN_LINES,  // a line has the depth of a row (or column); if the depth fills several
                       // lines, the first lines of all rows make a block, then the second ones
                       // follow
    MG_LIES_ACROSS,    // a line has one step of depth of all rows (or columns) that fit; the lines
                       // of all steps make a block, then those of the next rows follow
    MG_LIES_HELD // rows only: each item has its part in vectors of four, in the layout of sums
                 // whose columns are the depth; all items of the group meet at the start of
                 // the product
} MgKLies;
typedef enum MgKLag { // what may still be pending after a wide product
    MG_LAG_NONE,
    MG_LAG_STORES, // stores that land later
    MG_LAG_ALL     // these stores and the product
} MgKLag;
typedef struct MgKProduct {
    MgAtom atom;
    MgKBufId row_buf, column_buf; // buffers of the group; the statement's index and x are the first
                                  // elements
    int64_t row_step, row_deep;   // elements from a row to the next, and from a word to the next
    int64_t column_step, column_deep; // all are whole words, and so are the first elements
    uint32_t rows, columns, depth;    // multiples of 16, 8 and 8 words; in a wide product, rows are
                                      // 16
    MgKLies row_lies, column_lies;    // in a wide product both are one of the kinds of lines
    bool fresh;                       // a wide product whose sums begin at 0
    // Of a wide product of tf32 whose columns are split: the elements from the columns' first to
    // that of their low parts, which lie likewise. Rows are any f32, and are multiplied by low
    // columns and by columns. A device splits rows as it reads them, and leaves low rows by low
    // columns out. 0: columns are whole.
    int64_t column_low;
    // A product of 32 items whose factors are any f32: it splits each as it reads it, into two
    // numbers of tf32, and adds three products of these parts to sums that begin at 0. These are
    // added to the item's. An item whose new sums are not all finite adds products of whole factors
    // instead, as each does where no device splits.
    bool splits;
    MgKLag lag;
} MgKProduct;
enum { MG_TOGETHER = 32, MG_PRODUCT_ROWS = 16, MG_PRODUCT_COLUMNS = 8, MG_PRODUCT_WORDS = 8 };
enum { MG_WIDE = 4, MG_WIDE_COLUMNS = 256, MG_LINE_BYTES = 128, MG_PIECE_BYTES = 16 };
enum { MG_LINES_BYTES = 8 * MG_LINE_BYTES }; // the alignment of buffers of lines
static inline bool mg_product_is_wide(const MgKProduct *p) {
    return p->row_lies != MG_LIES_APART;
}
// The element of a row or column at a step of depth, counted from the factor's first element.
int64_t mg_product_row(const MgKProduct *p, int64_t row, int64_t d);
int64_t mg_product_column(const MgKProduct *p, int64_t column, int64_t d);

// A box: a part of a tensor in memory that the device copies to lines of local memory by itself,
// while the group goes on. All items of the group reach the statement together, with the same
// values, and it is one copy.
//
// Axis 0 of the tensor is innermost in memory, with elements one after another; the other axes have
// strides. A box has `extent` positions along each axis, from the statement's at[] on, which may be
// negative. That of axis 0 fills a line (see MgKProduct), and lines follow one another, those of
// axis 1 first, from the statement's index on, a multiple of eight lines. Positions outside
// the tensor are zeros. A box of f32 may round each element to tf32 on its way: to the nearest, and
// of two such to the even one, so that a number near the largest becomes infinite.
//
// A box that walks instead has `pixels` positions along axes 1 to rank - 2 and the last axis
// together, as the windows of a convolution have. It begins at the first pixel, at[1] to
// at[rank - 2], of image at[rank - 1]. Along each axis i between them, the next position is `step`
// behind, as long as it is below size + high; then it starts from `low` again, and the next axis
// moves on. What is copied is the element at the position plus the tap, at[rank] on, one number for
// each of these axes.
//
// Boxes land in slots. `together` boxes fill a slot, and a LANDED of the slot waits for them. Then
// each item reads what it needs. Before a box uses the slot again, all items must have met, in a
// kernel that has no RELEASE. In one that has, each item releases the slot, and a box for it waits
// until all have: then neither statement is a barrier, and items may be some boxes apart. Nothing
// may touch the memory of a slot between a box and LANDED, or after RELEASE.
enum { MG_BOX_AXES = 5, MG_BOX_PIXELS = 3, MG_BOX_PLACES = MG_BOX_AXES + MG_BOX_PIXELS };
enum { MG_BOX_SLOTS = 8, MG_BOX_EXTENT = 256, MG_BOX_PIECES = 1 << 16 };
typedef struct MgKBox {
    MgKBufId from; // a buffer that the kernel only reads
    int64_t base;  // its element with which the tensor begins
    bool rounds;   // to tf32
    uint32_t rank; // 2 to 5; if the box walks, at least 3
    struct MgKBoxAxis {
        int64_t size, stride; // in elements; strides and `base` are whole pieces (MG_PIECE_BYTES)
        uint32_t extent;
    } axes[MG_BOX_AXES];
    uint32_t pixels; // 0: it doesn't walk
    struct MgKBoxWalk {
        int32_t low, high, step;
    } walks[MG_BOX_PIXELS];   // of axes 1 to rank - 2
    uint32_t slots, together; // the same for all boxes of a kernel
} MgKBox;
// The number of places that a statement gives, and of lines that the box fills.
static inline uint32_t mg_box_places(const MgKBox *b) {
    return b->pixels ? 2 * b->rank - 2 : b->rank;
}
int64_t mg_box_lines(const MgKBox *b);

// Groups that run at the same time pass numbers on without a barrier over the grid.
//
// A TAKE is an item's; no two items of the grid get the same number of one u32. An element of a
// buffer of u64 holds a post: 0 until a POST gives it its number, which no other item stores or
// loads, and which stays until all groups have met. A COLLECT waits until that has happened in all
// of its lanes, whichever group does it, or the kernel has trapped. Neither orders other accesses.
//
// Nobody knows which groups run at the same time. So a group may wait only for those that have
// begun: those that took a number before it did, which wait for none after them.
static inline MgBits mg_posted(uint32_t x) { // an element that holds a post
    return (MgBits)1 << 32 | x;
}

struct MgKs {
    MgKsKind kind;
    MgKVarId var;  // LET, FOR, TALLY, TAKE, COLLECT
    MgKBufId buf;  // STORE, PREFETCH, BOX, TALLY, TAKE, POST, COLLECT; PRODUCT: sums
    const MgKx *x; // LET, STORE: the value; IF, WHILE: the condition; PRODUCT: the first
                   // column; TRAP: an i64 or NULL; BOX, LANDED: the slot
    const MgKx *index,
        *mask;        // STORE, PREFETCH, TALLY; PRODUCT: first row; BOX: first element; mask is
                      // NULL if there is none
    bool nontemporal; // STORE
    bool later;       // STORE to memory of the group: it lands later (see MgKProduct)
    bool far;         // PREFETCH: into the second-level cache only
    MgLoopKind loop;  // FOR
    const MgKx *low, *high; // FOR
    int64_t step;           // FOR
    bool rolled;            // FOR: it must stay a loop, so that loads before it stay there
    bool dealt;             // FOR, parallel: see mg_kdealt
    MgKBlock body, orelse;  // FOR, WHILE, IF; PRODUCT: what runs concurrently
    MgBarrier barrier;
    uint32_t code; // TRAP
    MgKCall *call;
    const MgKProduct *product;
    const MgKBox *box;
    const MgKx *at[MG_BOX_PLACES]; // BOX: NULL after its last place
};

// Does the statement define its variable; does it read, or write, element `index` of its buffer;
// and does it name that element? (A prefetch neither reads nor writes it.)
static inline bool mg_ks_defines(const MgKs *s) {
    return s->kind == MG_KS_LET || s->kind == MG_KS_FOR || s->kind == MG_KS_TALLY ||
           s->kind == MG_KS_TAKE || s->kind == MG_KS_COLLECT;
}
static inline bool mg_ks_reads(const MgKs *s) {
    return s->kind == MG_KS_TALLY || s->kind == MG_KS_TAKE || s->kind == MG_KS_COLLECT;
}
static inline bool mg_ks_writes(const MgKs *s) {
    return s->kind == MG_KS_STORE || s->kind == MG_KS_TALLY || s->kind == MG_KS_TAKE ||
           s->kind == MG_KS_POST;
}
static inline bool mg_ks_accesses(const MgKs *s) {
    return s->kind == MG_KS_PREFETCH || mg_ks_reads(s) || mg_ks_writes(s);
}

typedef struct MgKernel {
    MgArena *arena;
    MgNames *names;
    MgSym name;
    MG_VEC(MgKBuf) bufs; // the params first (in binding order), then allocations
    uint32_t n_params;
    MG_VEC(MgKVar) vars;
    MG_VEC(MgKVarId) scalars; // i64 scalar parameters, in order
    MgKBlock body;
    uint32_t items; // the work-items of the group for which it was written; a worker is one group.
                    // 1: it has no loops over items
    const MgKx *groups; // the number of groups that have work, over the scalars; NULL: the number
                        // of workers. Results are correct for any number of groups
    uint32_t meets;     // its groups meet at barriers over the grid: the trap's code if they don't
                        // meet. 0: it has no such barrier
    MgKBufId meeting;   // the buffer of i32 words for these barriers, which is 0 at the start
    bool legal;         // expanded by mg_kernel_legalise
    bool scaleb;        // MG_PRIM_SCALEB is fast on its target (set by mg_kernel_legalise)
    bool lookup;        // the same for MG_KX_LOOKUP
    bool lookup4;       // the same for one of four constants
    bool contracts;     // a product need not be rounded before a function of it
    bool rough_exp2;    // see MgLegaliseOptions
    uint32_t resident;  // so many of its groups share a unit of a GPU: an item has no more
                        // registers than they leave it. 0: it has as many as it likes
    bool keeps_math;    // approximated functions are not expanded, for human readers
    bool one_worker;    // no two workers ever run it on the same memory
    bool flushes;       // subnormal numbers may count as 0, where they are slow
} MgKernel;

// ---------------------------------------------------------------- building (ir/kernel.c)
MgKernel *mg_kernel_new(MgArena *arena, MgNames *names, MgSym name);
MgKBufId mg_kparam(MgKernel *k, const char *name, MgDType elem, bool reads,
                   bool writes); // before any allocation
MgKBufId mg_kalloc(MgKernel *k, const char *name, MgKType elem, MgSpace space, MgScope scope,
                   const MgKx *count);
MgKVarId
mg_kscalar(MgKernel *k,
           const char *name); // an i64 scalar parameter, never negative (a dimension, an offset),
                              // unless its variable says otherwise (the counter of a loop)
const MgKx *mg_kvar(MgKernel *k, MgKVarId v);
const MgKx *mg_kconst(MgKernel *k, MgKType type, MgBits bits);
const MgKx *mg_kint(MgKernel *k, int64_t value); // i64
const MgKx *mg_kfloat(MgKernel *k, MgKType type, double value);
const MgKx *mg_kprim(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b,
                     const MgKx *c);                             // b, c may be NULL; constants fold
const MgKx *mg_knear(MgKernel *k, const MgKx *a, const MgKx *b); // a / b of f32, `near` (see MgKx)
const MgKx *mg_kexp_below(MgKernel *k, const MgKx *x);  // exp(x) of f32 for x not above 0; `near`
const MgKx *mg_kexp2_rough(MgKernel *k, const MgKx *x); // 2^x of f32; `near`
const MgKx *mg_kexp_rough(MgKernel *k, const MgKx *x);  // exp(x) of f32, as such a power
const MgKx *mg_kerfc_near(MgKernel *k, const MgKx *x);
const MgKx *mg_kcast(MgKernel *k, MgPrim prim, MgDType to,
                     const MgKx *a); // CAST, SATURATE, BITCAST; lanes kept
const MgKx *mg_kload(MgKernel *k, MgKBufId buf, const MgKx *index, uint32_t lanes, const MgKx *mask,
                     const MgKx *other);
// If x is a load of lanes, or such a load where *inside, a scalar, is true and zeros elsewhere: the
// load, whose mask adds nothing to *inside (NULL: always true). Otherwise NULL.
const MgKx *mg_kload_or_0(const MgKx *x, const MgKx **inside);
const MgKx *mg_kramp(MgKernel *k, const MgKx *base, const MgKx *stride, uint32_t lanes);
const MgKx *mg_ksplat(MgKernel *k, const MgKx *x,
                      uint32_t lanes); // x itself if lanes is 1, or if x has that many lanes
const MgKx *mg_klane(MgKernel *k, const MgKx *x, uint32_t lane);
const MgKx *mg_kpermute(MgKernel *k, const MgKx *a, const MgKx *b, const uint8_t *lanes,
                        uint32_t n);
// values[index mod n] as constants of dtype, in every lane of index, which is u32. n is a power of
// two up to 64.
const MgKx *mg_klookup(MgKernel *k, MgDType dtype, const double *values, uint32_t n,
                       const MgKx *index);
const MgKx *mg_kfold(MgKernel *k, MgPrim prim, const MgKx *x);
const MgKx *mg_kwords(MgKernel *k, const MgKx *x);
const MgKx *mg_kdot(MgKernel *k, MgAtom atom, const MgKx *sums, const MgKx *rows,
                    const MgKx *columns);
const MgKx *mg_kspecial(MgKernel *k, MgKxKind kind); // WORKER, WORKERS, LOCAL_ID, LOCAL_SIZE
static inline const MgKx *mg_kadd(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_ADD, a, b, NULL);
}
static inline const MgKx *mg_kmul(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_MUL, a, b, NULL);
}
// a / by, rounded up.
static inline const MgKx *mg_kceil_div(MgKernel *k, const MgKx *a, int64_t by) {
    return mg_kprim(k, MG_PRIM_FDIV, mg_kadd(k, a, mg_kint(k, by - 1)), mg_kint(k, by), NULL);
}
// These functions append a statement to a block. Fill the block of a loop or branch through the
// returned pointer.
MgKVarId mg_klet(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x);
// Appends all statements of another block.
void mg_kblock_append(MgKernel *k, MgKBlock *to, const MgKBlock *from);
// Transposes x[0..n), each of n lanes, n a power of 2 up to 64, in log2(n) rounds of permutations:
// lane j of x[i] and lane i of x[j] are swapped.
void mg_ktranspose(MgKernel *k, MgKBlock *b, const MgKx **x, uint32_t n);
// The same, but returns the variable as an expression. Constants and variables are returned
// unchanged.
const MgKx *mg_klet_x(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x);
MgKs *mg_kstore(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index, const MgKx *x,
                const MgKx *mask);
MgKs *mg_kfor(MgKernel *k, MgKBlock *b, MgLoopKind kind, const char *name, const MgKx *low,
              const MgKx *high, int64_t step);
// A parallel loop of long trips. Each worker begins with the trip of its own number. A worker that
// is free takes the next trip, because cores never stay equally fast. All workers meet at the end.
MgKs *mg_kdealt(MgKernel *k, MgKBlock *b, const char *name, const MgKx *low, const MgKx *high);
MgKs *mg_kwhile(MgKernel *k, MgKBlock *b, const MgKx *cond);
MgKs *mg_kif(MgKernel *k, MgKBlock *b, const MgKx *cond);
void mg_kbarrier(MgKernel *k, MgKBlock *b, MgBarrier scope);
// All items of the group reach it together. Items 32 w to 32 w + 31 count one after another: each
// gets the number that is there and adds one to it. Others use that number only once all have met.
const MgKx *mg_ktally(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf, const MgKx *index);
const MgKx *mg_ktake(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf, const MgKx *index);
void mg_kpost(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index, const MgKx *x);
const MgKx *mg_kcollect(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf,
                        const MgKx *index); // as many lanes as the index has
MgKs *mg_kprefetch(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index);
void mg_ktrap(MgKernel *k, MgKBlock *b, uint32_t code, const MgKx *value);
// The rows begin at element `row` of their buffer, the columns at element `column` of theirs.
MgKs *mg_kproduct(MgKernel *k, MgKBlock *b, MgKBufId sums, const MgKProduct *product,
                  const MgKx *row, const MgKx *column);
void mg_kawait(MgKernel *k, MgKBlock *b, MgKBufId sums);
// The box at mg_box_places(box) places goes to a slot, and to buffer `to` from element `first` on.
MgKs *mg_kbox(MgKernel *k, MgKBlock *b, MgKBufId to, const MgKx *first, const MgKBox *box,
              const MgKx *const *at, const MgKx *slot);
void mg_klanded(MgKernel *k, MgKBlock *b, const MgKx *slot);
void mg_krelease(MgKernel *k, MgKBlock *b, const MgKx *slot);
bool mg_kernel_releases(const MgKernel *k); // does it have a RELEASE?
// An integer expression over dims, with value(ctx, s) for its symbols.
typedef const MgKx *MgKxOfSym(void *ctx, MgIxSym s);
const MgKx *mg_kx_of_ix(MgKernel *k, const MgIxTable *t, MgIx x, MgKxOfSym *value, void *ctx);

// ---------------------------------------------------------------- passes over kernel IR
// Makes k fit for backends. It unrolls MG_LOOP_UNROLLED loops and folds constants. It expands
// APPROX primitives of f32 to polynomials (ir/kernel_math.c), integer division and shifts to total
// ones, saturating casts, conversions of 16-bit floats that the target lacks to integer arithmetic,
// and folds of lanes.
//
// Afterwards:
// - Expressions are trees: a node with more than one user in a statement has a LET. So a printer
//   that writes every node where it stands neither repeats work nor grows exponentially.
// - Integer DIV and REM truncate, their divisor is not 0 and the quotient fits. Shift counts are in
//   [0, width). There is no FDIV, FMOD, SATURATE, SIGN, integer ABS, FOLD or UNROLLED loop, and no
//   APPROX or REM of f32, except for a `near` EXP2 if options->rough_exp2.
// - CAST is between integers (wrapping, zero- or sign-extending by the source); integer to f32 or
//   f64 (half to even); f32 to f64 and back; f32 or f64 inside the range to i32, i64, u32, u64; and
// f32 to f16 and back if options->f16; and f32 to bf16 if options->bf16. bool is never cast.
// Otherwise f16 and bf16 values are only moved and bitcast.
// - MIN and MAX of floats mean: a if a is NaN, else b if b is NaN, else max: b > a ? b : a, min:
//   b < a ? b : a. With r = maxps(b, a) (it gives its second operand, a, on ties and NaN):
//   where(isnan(b) and not isnan(a), b, r). Plain maxps(b, a) is enough where b is known not to be
//   NaN (a constant).
// - SCALEB only occurs if options->scaleb; its second operand is finite or NaN.
// - f64 APPROX primitives and f64 REM stay: a backend calls its libm.
typedef struct MgLegaliseOptions {
    bool f16;        // the target converts f16
    bool bf16;       // the target converts f32 to bf16; any NaN may result from a NaN
    bool scaleb;     // SCALEB is fast
    bool lookup;     // LOOKUP of 16 f32 is fast, too; needs scaleb
    bool lookup4;    // LOOKUP of 4 f32 is fast, but neither of these
    bool rough_exp2; // the target has an EXP2 of f32 that is accurate enough if the node is
                     // `near`; a `near` ERFC is made of it
    bool contracts;  // a product need not be rounded before a function of it
    bool keeps_math; // keeps approximated functions, for human readers
} MgLegaliseOptions;
void mg_kernel_legalise(MgKernel *k, const MgLegaliseOptions *options);
// Rebuilds every expression by its constructor, which simplifies it (ir/kernel_fold.c).
void mg_kernel_fold(MgKernel *k);
bool mg_kernel_verify(MgSession *session,
                      const MgKernel *k); // types, scopes, static bounds and races where affine
void mg_kernel_print(const MgKernel *k, MgText *out);
// Reads the text that mg_kernel_print writes, as equal kernels that print the same. Appends the
// kernels of a source, in the session's arena. False after diagnostics. The kernels are not
// verified.
typedef struct MgKernels {
    MG_VEC(MgKernel *) list;
} MgKernels;
bool mg_kernels_read(MgSession *session, uint32_t source, MgKernels *out);
uint64_t mg_kernel_hash(const MgKernel *k); // equal for kernels that differ only in names
bool mg_kernel_equal(const MgKernel *a, const MgKernel *b);
uint64_t mg_kernel_size(const MgKernel *k); // the number of its statements and expressions; k must
                                            // be legal

// ---------------------------------------------------------------- interpreter (ir/kernel_interp.c)
// Runs k with `workers` workers of k->items items, one after another between barriers. Every access
// is checked against the given bounds and against shadow memory. Errors are: a read of unwritten
// scratch; two items that touch one element between barriers, one of which writes; a barrier that
// not all items of a group (or all workers of the grid) reach; and groups that wait for posts that
// nobody makes.
typedef struct MgKBufferArg {
    void *data;
    size_t bytes;
} MgKBufferArg;
bool mg_kernel_interp(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                      const int64_t *scalars, uint32_t workers, uint32_t *trap);
typedef struct MgKHistory MgKHistory; // ir/kernel_history.h
// The same for a call of a plan. It is an error, too, if two workers touch one byte between
// barriers of the plan, one of which writes, in whichever calls. A call that is made alone has one
// worker.
bool mg_kernel_interp_call(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                           const int64_t *scalars, uint32_t workers, bool alone,
                           MgKHistory *history, uint32_t *trap);
// Runs a plan with one worker. Passes each call to `call` with the buffers that it binds; a buffer
// reaches to the end of the one in which it lies. The history (NULL: none) hears of its barriers.
// False after diagnostics, or if `call` returns false.
typedef bool MgKCallFn(void *ctx, const MgKCall *call, const MgKBufferArg *buffers,
                       const int64_t *scalars);
bool mg_kernel_interp_plan(MgSession *session, const MgKernel *plan, const MgKBufferArg *buffers,
                           const int64_t *scalars, MgKHistory *history, MgKCallFn *call, void *ctx);

#endif
