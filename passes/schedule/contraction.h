// A contraction being scheduled: shared by its recognition (contraction_find.c), its plan for
// workers (contraction_choose.c, or contraction_given.c with contraction_nest.c), its emission for
// them (contraction.c, contraction_emit.c, contraction_tile.c, contraction_pack.c,
// contraction_runs.c, contraction_prefetch.c) and for GPUs (gpu_contraction.c,
// gpu_contraction_nest.c, gpu_tile.c).
#ifndef MG_PASSES_SCHEDULE_CONTRACTION_H
#define MG_PASSES_SCHEDULE_CONTRACTION_H

#include "passes/nest/nest.h"
#include "passes/schedule/schedule.h"

enum {
    MG_GEMM_M = 48,
    MG_GEMM_N = 49,
    MG_GEMM_K = 50,
    MG_GEMM_SYMS = 64,
    MG_GEMM_INDICES = 40,
    MG_GEMM_VECTORS = 6,
    MG_GEMM_OPEN_ROWS = 4,
    MG_GEMM_APART = 4
};

typedef enum MgGemmSharing {
    MG_GEMM_SHARE_BATCH,   // every worker runs whole products (or there is one worker)
    MG_GEMM_SHARE_ROWS,    // blocks of rows are shared out; packed columns are common
    MG_GEMM_SHARE_PARTS,   // every worker has a part of the columns and packs all rows for itself
    MG_GEMM_SHARE_COLUMNS, // strips of columns are shared out; packed rows are common
    MG_GEMM_SHARE_TRIPS,   // strips are dealt out; rows are packed, or lie, for all runs
    MG_GEMM_SHARE_TILES    // blocks of rows times strips are dealt out; what is packed is common
} MgGemmSharing;

typedef enum MgGemmKeeping {
    MG_GEMM_KEEP_NOTHING,
    MG_GEMM_KEEP_ROWS,
    MG_GEMM_KEEP_COLUMNS
} MgGemmKeeping;

typedef struct MgGemmClass { // indices walked as one
    uint32_t index[MG_GEMM_INDICES], n;
    MgIx extent;   // their product
    int64_t known; // or -1
} MgGemmClass;

// How a factor that is a plain read lies in memory: elements of its class of indices in runs of the
// last one (and of those that continue it), the runs by the first `outer` ones.
typedef struct MgGemmRuns {
    const MgSx *read; // NULL: it isn't one, or needs no runs
    uint32_t outer;
    MgIx length;
    uint32_t
        apart;    // elements from one lane to the next, picked from whole vectors: 2, 4; 0: others
    bool hoisted; // no condition mentions the first bound index
    // The last index goes on in the one before: addresses do, but conditions ask each lane where it
    // is. `fold`: the last index's size, `folds`: the other's number in the class, from 1; 0: none.
    uint32_t folds;
    MgIx fold;
} MgGemmRuns;

// Everything that is decided. The kernel follows from it and the equations (mg_gemm_derive).
typedef struct MgGemmPlan {
    uint32_t mr, nv;       // tile: mr rows, nv vectors of lanes
    int64_t kc, mc, nc;    // depth, rows and columns of a block
    MgGemmSharing sharing; // what workers get
    bool transposed;       // lanes run along the result's rows: classes and factors are swapped
    bool row_along_k;      // panels keep rows contiguous
    bool rows_lie;         // panels are rows as they lie in memory: nothing is packed
    bool columns_in_place; // nor are columns, which stay near or which one tile uses alone
    bool rows_kept, columns_kept; // packed once, for all runs
    bool row_runs, column_runs;   // packed by the runs in which they lie
    bool columns_fill;            // strips are packed by the first tile that uses them
} MgGemmPlan;

typedef struct MgGemm {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *row, *column; // factors: broadcast, vector
    MgGemmClass m, n, k, batch;
    MgIx plain[MG_GEMM_SYMS]; // every index is itself
    MgIx with[MG_GEMM_SYMS], low[MG_GEMM_SYMS], high[MG_GEMM_SYMS];
    const MgKx *loop[MG_GEMM_SYMS];
    MgDType type;
    uint32_t lanes;
    bool row_end; // rows are finished whole (row_end.h)
    MgGemmPlan plan;
    // From the plan:
    int64_t pitch;     // elements from one row of a panel to the next, or its depth
    MgIx rows_at;      // the address of rows that lie
    MgIx columns_at;   // of columns that the first tile packs
    bool own_partials; // sums between blocks of depth have a buffer of their own
    int64_t depths;    // blocks of depth, if that is known
    MgGemmRuns row_runs, column_runs;
    // The kernel:
    MgGemmKeeping keeping; // what it packs for all runs
    MgKBufId partials;
    const MgKx *partials_base;
    const MgKx *batch_no;   // number of the open batch
    MgKBufId rows, columns; // packed panels, packed strips
    MgKBufId columns_lie;   // columns where they lie
    MgKBufId acc, sums;     // the tile in registers, and in memory once it is summed
    MgKBufId turned;        // a square of sums, columns as vectors
    const MgKx *rows_base, *columns_base;
} MgGemm;

// For every target: is g->unit, of g->s, a contraction? Fills in factors and classes of indices;
// the symbols of the classes stand for their indices.
bool mg_gemm_find(MgGemm *g);
// Makes the symbols stand for the indices of the classes, when these have changed places.
void mg_gemm_set_symbols(MgGemm *g);
// Begins its kernel.
void mg_gemm_begin(MgGemm *g);
// Of the reads in a factor: those whose address moves by one along a symbol, those that it leaves
// alone, and the others (data decide them, or they may be outside).
typedef struct MgStrides {
    uint32_t straight, fixed, other;
} MgStrides;
MgStrides mg_gemm_strides(MgGemm *g, const MgSx *factor, uint32_t sym);
// Is the row factor contiguous along k (or no more along m than along k)?
bool mg_gemm_rows_along_k(MgGemm *g);
// The address of a plain read over the symbols of the classes; false if it is none.
bool mg_gemm_plain_address(MgGemm *g, const MgSx *x, MgIx *address);
// Rows that are contiguous and at equal distances may be panels where they lie.
bool mg_gemm_rows_may_lie(MgGemm *g, MgIx *rows_at, int64_t *pitch);

// For every target: are a product's rows, columns and depth enough for tiles?
bool mg_gemm_fills_tiles(const MgGemm *g, int64_t m, int64_t n, int64_t k);

// For workers.
// Decides, and begins the kernel; false: another form is better.
bool mg_gemm_choose(MgGemm *g);
// What follows from the plan.
void mg_gemm_derive(MgGemm *g);
// Rows of a tile that registers hold the sums of, beside what nv vectors of columns need.
uint32_t mg_gemm_most_rows(const MgGemm *g, uint32_t nv);
// Vectors run along the other factor's indices.
void mg_gemm_turn(MgGemm *g);
bool mg_gemm_may_turn(MgGemm *g);
// Is the packed form of all of a factor small enough to be kept for all runs?
bool mg_gemm_may_keep(MgGemm *g, MgGemmKeeping what);
// Can tiles read columns in place? If the column factor is computed, only if one tile has all rows.
bool mg_gemm_columns_may_lie(MgGemm *g);
// Why workers can't get such parts, or NULL.
const char *mg_gemm_sharing_misfit(const MgGemm *g, MgGemmSharing sharing);
// May the first tile that uses a strip pack it on its way?
bool mg_gemm_may_fill(MgGemm *g);
// Is a block's depth, packed in runs, a number of whole steps of the first bound index?
bool mg_gemm_depth_fits(MgGemm *g);
// The largest possible blocks, if no line says how large they are.
int64_t mg_gemm_all_rows(const MgGemm *g);
int64_t mg_gemm_all_columns(const MgGemm *g);

// A plan as a nest (contraction_nest.c), in the words of a scope that gets its joined indices.
MgNest *mg_gemm_nest(MgGemm *g, MgNestScope *scope);
// The plan that a nest says (contraction_given.c). False: it is wrong, which has been told.
bool mg_gemm_read_plan(MgGemm *g, const MgNest *nest, const MgNestScope *scope);
// The index that a class is walked by: its only one, or the one that a line of the nest makes of
// them; UINT32_MAX: there is no such line.
uint32_t mg_gemm_class_index(const MgNest *nest, const MgNestScope *scope, const MgGemmClass *of);

// For the nests of every target: adds the line that joins a class of several indices, and gives the
// index that it is walked by; the same of a nest that is read, or tells that the line lacks; adds
// the loop over batches, if there are any.
uint32_t mg_gemm_add_class(MgNest *nest, MgNestScope *scope, MgArena *arena, const MgGemmClass *of);
bool mg_gemm_read_class(const MgGemm *g, const MgNest *nest, const MgNestScope *scope,
                        const MgGemmClass *of, uint32_t *index);
MgLine *mg_gemm_add_batches(const MgGemm *g, const MgNestScope *scope, MgLine *outer,
                            MgLevel level);

// Strips of the shortest trip, where they are dealt out.
int64_t mg_gemm_least_trip(const MgGemm *g);
const MgKx *mg_gemm_extent(MgGemm *g, const MgGemmClass *c);
// Is the number of columns, also an open one (of pixels of so many images), whole strips?
bool mg_gemm_strips_are_whole(const MgGemm *g);
MgPoint mg_gemm_point(MgGemm *g, MgOpId op, MgKBlock *block, int vector, const MgKx *mask);
// Is the column factor contiguous along k alone?
bool mg_gemm_columns_along_k(MgGemm *g);
// The runs of a factor, if it lies in some; a block's depth is then a multiple of the steps of all
// bound indices but the first (contraction_runs.c).
MgGemmRuns mg_gemm_row_runs(MgGemm *g);
MgGemmRuns mg_gemm_column_runs(MgGemm *g);
int64_t mg_gemm_inner_steps(MgGemm *g); // -1: not known
typedef struct MgGemmTarget {           // where a vector's steps go
    MgKBufId buf;
    const MgKx *to;
    int64_t step; // elements from one step of depth to the next
    bool whole;   // is there room for all lanes, whatever those that are off hold?
} MgGemmTarget;
// A vector of elements of the class from number `first`, of which `valid` count (NULL: all), kc
// deep.
void mg_gemm_pack_runs(MgGemm *g, MgKBlock *block, const MgGemmRuns *r, const MgGemmClass *cl,
                       const MgGemmTarget *to, const MgKx *first, const MgKx *valid, const MgKx *k0,
                       const MgKx *kc);
// A panel of `mr` rows from m0, kc deep, at offset `to`: row after row, or (rows contiguous in
// memory) step after step.
void mg_gemm_pack_panel(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                        const MgKx *k0, const MgKx *kc);
// A strip of nv vectors of columns from n0, kc deep, at offset `to`: step after step.
void mg_gemm_pack_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                        const MgKx *k0, const MgKx *kc);
// Is a factor, whose vectors run along a symbol, better packed element by element
// (contraction_single.c)? Then rows of a panel from m0, and the strip of nv vectors from n0.
bool mg_gemm_packs_singly(MgGemm *g, const MgSx *factor, uint32_t sym);
void mg_gemm_pack_single_rows(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0,
                              const MgKx *rows, const MgKx *k0, const MgKx *kc);
void mg_gemm_pack_single_columns(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                                 uint32_t nv, const MgKx *k0, const MgKx *kc);
// A factor at the open point along a symbol (negative: one element), zero where the mask is off.
const MgKx *mg_gemm_factor(MgGemm *g, MgKBlock *block, const MgSx *x, int vector, const MgKx *mask);
// Prefetches the cache lines that the end of a tile of mr rows and nv vectors from m0, n0 reads and
// writes.
void mg_gemm_prefetch(MgGemm *g, MgKBlock *block, const MgKx *m0, const MgKx *n0, uint32_t mr,
                      uint32_t nv);
typedef struct MgGemmTile {
    const MgKx *m0, *n0, *kc;  // first row and column, depth of this block
    const MgKx *panel, *strip; // element offsets
    const MgKx *first, *last;  // is this the first, the last block of k? NULL: yes
    const MgKx *k0;            // first step of this block
    const MgKx *valid; // rows that there are, if mr <= MG_GEMM_OPEN_ROWS is too many; NULL: all
    const MgKx *fills; // does it leave the strip packed behind it? NULL: it is packed
    uint32_t mr, nv;
} MgGemmTile;
// Sums a tile and finishes it (contraction_tile.c).
void mg_gemm_tile(MgGemm *g, MgKBlock *block, const MgGemmTile *t);
// Writes the kernel's body for workers, from the loop over batches to the tile.
void mg_gemm_emit(MgGemm *g);

// May a factor, whose class is given, be evaluated once for all runs?
bool mg_gemm_is_unchanging(MgGemm *g, const MgSx *factor, const MgGemmClass *of);
bool mg_gemm_follows_batch(const MgGemm *g, const MgSx *factor);
// Elements of the packed form of one batch.
int64_t mg_gemm_kept_size(const MgGemm *g, MgGemmKeeping what);

static inline bool mg_gemm_packs_rows(const MgGemm *g) {
    return !g->plan.rows_kept && !g->plan.rows_lie;
}

static inline bool mg_gemm_packs_columns(const MgGemm *g) {
    return !g->plan.columns_kept && !g->plan.columns_in_place;
}

// Is each strip packed just before its only use?
static inline bool mg_gemm_strip_by_strip(const MgGemm *g) {
    return g->plan.sharing == MG_GEMM_SHARE_COLUMNS || g->plan.sharing == MG_GEMM_SHARE_TRIPS;
}

// Whole strips of the columns, and whether a narrower one follows.
static inline bool mg_gemm_last_is_narrow(const MgGemm *g) {
    int64_t width = g->plan.nv * g->lanes, rest = g->n.known > 0 ? g->n.known % width : 0;
    return rest && mg_ceil_div(rest, g->lanes) < g->plan.nv;
}

#endif
