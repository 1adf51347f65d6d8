// Scheduling of contractions. find.c recognises them. For workers, choose.c makes the plan, or
// given.c and nest.c read it from a nest; contraction.c, emit.c, tile.c, pack.c, runs.c, lines.c,
// words.c and prefetch.c emit it. gpu/contraction.c, gpu/contraction_nest.c and gpu/tile.c are for
// GPUs.
#ifndef MG_PASSES_SCHEDULE_CONTRACTION_CONTRACTION_H
#define MG_PASSES_SCHEDULE_CONTRACTION_CONTRACTION_H

#include "passes/schedule/form.h"

enum {
    MG_GEMM_M = 48,
    MG_GEMM_N = 49,
    MG_GEMM_K = 50,
    MG_GEMM_J = 51, // a neighbour in a word, if factors are packed in words
    MG_GEMM_SYMS = MG_FORM_SYMS,
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
    MG_GEMM_SHARE_TRIPS,   // strips are dealt out; rows are packed once for all runs, or read in
                           // place
    MG_GEMM_SHARE_TILES    // blocks of rows times strips are dealt out; packed data are common
} MgGemmSharing;

typedef enum MgGemmKeeping {
    MG_GEMM_KEEP_NOTHING,
    MG_GEMM_KEEP_ROWS,
    MG_GEMM_KEEP_COLUMNS
} MgGemmKeeping;

typedef struct MgGemmClass { // indices that are walked as one
    uint32_t index[MG_GEMM_INDICES], n;
    MgIx extent;   // their product
    int64_t known; // the extent if it is known, otherwise -1
} MgGemmClass;

// How a factor that is a plain read lies in memory: runs of elements along the last index of its
// class (and along the indices that continue it); the first `outer` indices number the runs.
typedef struct MgGemmRuns {
    const MgSx *read; // NULL: the factor is not such a read, or needs no runs
    uint32_t outer;
    MgIx length;
    uint32_t apart; // the distance of neighbouring lanes in elements, if they are picked from whole
                    // vectors: 2 or 4; 0: any other
    bool hoisted;   // no condition mentions the first bound index
    // The last index continues in the one before it: addresses do, but conditions ask each lane for
    // its place. `fold` is the last index's size; `folds` is the number of the other index in the
    // class, from 1, or 0 if there is none.
    uint32_t folds;
    MgIx fold;
} MgGemmRuns;

// How a factor lies along the sum: in lines of the last bound indices. The first `outer` bound
// indices number the lines.
typedef struct MgGemmLines {
    uint32_t outer;
    int64_t length; // steps; 0: the factor is not packed by lines
} MgGemmLines;

// All decisions. The kernel follows from them and from the equations (mg_gemm_derive).
typedef struct MgGemmPlan {
    uint32_t mr, nv;       // a tile has mr rows and nv vectors of lanes
    int64_t kc, mc, nc;    // depth, rows and columns of a block
    MgGemmSharing sharing; // how workers share the work
    bool transposed;       // lanes run along the result's rows: classes and factors are swapped
    bool row_along_k;      // panels keep rows contiguous
    bool rows_lie;         // panels are rows in place: nothing is packed
    bool columns_in_place; // columns are read in place, because they stay in a near cache or only
                           // one tile uses them
    bool rows_kept, columns_kept; // packed once, for all runs
    bool row_runs, column_runs;   // packed by the runs in which they lie in memory
    bool columns_fill;            // strips are packed by the first tile that uses them
} MgGemmPlan;

// What multiplies, if an instruction adds the products of several steps (words.c). The
// class of bound indices is then counted in words.
typedef struct MgGemmWords {
    bool used, whole; // are the steps of the sum whole words?
    bool offset;      // rows are signed and the atom's are not, or the other way round: 128 is
                      // added to each, or taken from it
    MgAtom atom;
    uint32_t per_word; // steps in a word; 1 if it is not used
    MgIx steps;        // of the sum
    MgDType type;      // of packed elements: words, or the type of sums
} MgGemmWords;

typedef struct MgGemmFactor {
    const MgSx *x;
    MgGemmRuns runs;
    MgGemmLines lines; // if it is turned
    MgKBufId packed;   // panels or strips
    const MgKx *base;  // the element of `packed` where those of the current batch or worker begin
    MgIx lies_at;      // its address, if it is read in place, or if the first tile packs it
    MgKBufId lies_in;  // the columns in place
} MgGemmFactor;

typedef struct MgGemmPartials { // sums between blocks of depth
    bool own;                   // they have a buffer of their own
    MgKBufId buf;
    const MgKx *base;
} MgGemmPartials;

typedef struct MgGemmSums { // of a tile
    MgKBufId acc, done;     // in registers, and in memory once they are complete
    MgKBufId turned;        // a square of them with columns as vectors
} MgGemmSums;

typedef struct MgGemm {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    MgGemmFactor row, column; // `row` is broadcast, `column` is a vector
    MgGemmClass m, n, k, batch;
    MgIx plain[MG_GEMM_SYMS]; // symbol k for index k
    MgLoops at;
    MgDType type;
    uint32_t lanes;
    bool row_end; // rows are finished whole (row_end.h)
    MgGemmWords words;
    MgGemmPlan plan;
    int64_t pitch;  // the elements from one row of a panel to the next, or the panel's depth
    int64_t depths; // the number of blocks of depth, if it is known
    // The kernel:
    MgGemmKeeping keeping; // which factor it packs for all runs
    const MgKx *batch_no;  // the number of the current batch
    MgGemmPartials partials;
    MgGemmSums sums;
} MgGemm;

// For every target. Is g->unit, of g->s, a contraction? If so, fills in the factors and the classes
// of indices; the symbols of the classes then stand for their indices.
bool mg_gemm_find(MgGemm *g);
// Makes the symbols stand for the indices of the classes after classes have changed places.
void mg_gemm_set_symbols(MgGemm *g);
// Begins the kernel.
void mg_gemm_begin(MgGemm *g);
// Counts the reads of a factor: those whose address moves by one along a symbol, those whose
// address does not move, and the others (data decide them, or they may be outside).
typedef struct MgStrides {
    uint32_t straight, fixed, other;
} MgStrides;
MgStrides mg_gemm_strides(MgGemm *g, const MgSx *factor, uint32_t sym);
// The reads of a factor, with addresses over the symbols of the classes.
MgAccesses mg_gemm_accesses(MgGemm *g, const MgSx *factor);
// Do all reads of a factor that move along a class run along its last index, with a step of one?
// Reads may be outside there if that depends on the other indices alone, as in a convolution whose
// channels lie innermost. If so, fills in `with`, in which each index of the class stands for
// itself, and returns true.
bool mg_gemm_runs(MgGemm *g, const MgSx *factor, const MgGemmClass *class, MgIx *with);
// Is the row factor contiguous along k (or no more along m than along k)?
bool mg_gemm_rows_along_k(MgGemm *g);
// The value that a read is of, and the address over the symbols of the classes. False if the
// address depends on data.
bool mg_gemm_read_address(MgGemm *g, const MgSx *read, MgValueId *v, MgIx *address);
// The address of a plain read over the symbols of the classes. False if x is not a plain read.
bool mg_gemm_plain_address(MgGemm *g, const MgSx *x, MgIx *address);
// Can panels be rows in place? They can if rows are contiguous and at equal distances.
bool mg_gemm_rows_may_lie(MgGemm *g, MgIx *rows_at, int64_t *pitch);

// For every target. Are there enough rows, columns and steps of depth for tiles?
bool mg_gemm_fills_tiles(const MgGemm *g, int64_t m, int64_t n, int64_t k);

// For workers.
// May an instruction for such words multiply? `offset`: see MgGemmWords.
bool mg_gemm_dot_fits(const MgGemm *g, MgAtom atom, bool *offset);
// The fastest one that changes no result, without an offset if there are several; false if there
// is none.
bool mg_gemm_default_dot(const MgGemm *g, MgAtom *atom);
void mg_gemm_use_dot(MgGemm *g, MgAtom atom);
// A factor as words: a vector of them along a symbol, zero where the mask is off.
const MgKx *mg_gemm_words(MgGemm *g, MgKBlock *block, const MgSx *x, int vector, const MgKx *mask);
// The sum and a step of the product.
const MgKx *mg_gemm_multiply(MgGemm *g, const MgKx *row, const MgKx *column, const MgKx *sum);
// The words of the row that is summed beside the others where these have an offset.
const MgKx *mg_gemm_offset_row(MgGemm *g);
// Rows that a tile sums, with that one.
static inline uint32_t mg_gemm_summed_rows(const MgGemm *g) {
    return g->plan.mr + g->words.offset;
}
// The symbol that moves by one element of a factor along the sum.
static inline uint32_t mg_gemm_step(const MgGemm *g) {
    return g->words.used ? MG_GEMM_J : MG_GEMM_K;
}
// Makes the plan of a MgGemm and begins the kernel. False: another form is better.
bool mg_gemm_choose(void *found);
// Computes what follows from the plan.
void mg_gemm_derive(MgGemm *g);
// The largest number of rows of a tile whose sums fit into registers, beside nv vectors of columns.
uint32_t mg_gemm_most_rows(const MgGemm *g, uint32_t nv);
// Makes vectors run along the other factor's indices.
void mg_gemm_turn(MgGemm *g);
bool mg_gemm_may_turn(MgGemm *g);
// Is the whole factor, once packed, small enough to be kept for all runs?
bool mg_gemm_may_keep(MgGemm *g, MgGemmKeeping what);
// Can tiles read columns in place? If the column factor is computed, one tile must have all rows.
bool mg_gemm_columns_may_lie(MgGemm *g);
// Why workers can't share the work in this way, or NULL.
const char *mg_gemm_sharing_misfit(const MgGemm *g, MgGemmSharing sharing);
// May the first tile that uses a strip pack it while it multiplies?
bool mg_gemm_may_fill(MgGemm *g);
// Is the depth of a block, if it is packed in runs, a multiple of the steps of the first bound
// index?
bool mg_gemm_depth_fits(MgGemm *g);
// The size of the largest possible blocks, for a nest that has no line with a size.
int64_t mg_gemm_all_columns(const MgGemm *g);

// Writes the plan of a MgGemm as a nest (nest.c). The scope gets its joined indices.
void mg_gemm_nest(void *found, MgNest *nest, MgNestScope *scope);
// Reads the plan from a nest (given.c). False after a diagnostic.
bool mg_gemm_read_plan(void *found, const MgGivenNest *given);
// For the nests of every target. The first adds the line that joins a class of several indices, and
// returns the index by which it is walked. The second finds this index in a nest that is read, or
// reports that the line is missing. The third adds the loop over batches, if there are any.
uint32_t mg_gemm_add_class(MgNest *nest, MgNestScope *scope, MgArena *arena, const MgGemmClass *of);
bool mg_gemm_read_class(const MgGivenNest *given, const MgGemmClass *of, uint32_t *index);
MgLine *mg_gemm_add_batches(const MgGemm *g, const MgNestScope *scope, MgLine *outer,
                            MgLevel level);

// The number of strips of the shortest trip, if trips are dealt out.
int64_t mg_gemm_least_trip(const MgGemm *g);
const MgKx *mg_gemm_extent(MgGemm *g, const MgGemmClass *c);
// Is the number of columns a multiple of a strip's width, even if the number of images is open?
bool mg_gemm_strips_are_whole(const MgGemm *g);
MgPoint mg_gemm_point(MgGemm *g, MgOpId op, MgKBlock *block, int vector, const MgKx *mask);
// Is a factor, whose elements are numbered by a symbol, contiguous along k alone?
bool mg_gemm_lies_along_k(MgGemm *g, const MgSx *factor, uint32_t sym);
// The runs of a factor, if it lies in runs. The depth of a block is then a multiple of the steps of
// all bound indices but the first (runs.c).
MgGemmRuns mg_gemm_row_runs(MgGemm *g);
MgGemmRuns mg_gemm_column_runs(MgGemm *g);
int64_t mg_gemm_inner_steps(MgGemm *g); // -1: not known
// Turned factors that are packed by their lines along the sum (lines.c): could factors be packed in
// this way if they were turned? Which lines follow from the plan? Of how many steps, at least, do
// blocks consist then? The last two pack a panel and a strip.
bool mg_gemm_lines_may_turn(MgGemm *g);
void mg_gemm_find_lines(MgGemm *g);
int64_t mg_gemm_line_steps(const MgGemm *g);
void mg_gemm_pack_row_lines(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                            const MgKx *k0, const MgKx *kc);
void mg_gemm_pack_column_lines(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                               const MgKx *width, const MgKx *k0, const MgKx *kc);
typedef struct MgGemmTarget { // where the steps of a vector are stored
    MgKBufId buf;
    const MgKx *to;
    int64_t step; // elements from one step of depth to the next
    bool whole;   // is there room for all lanes, so that lanes that are off may be stored too?
} MgGemmTarget;
// Packs a vector of elements of the class, from number `first` on, kc deep. `valid` of them count
// (NULL: all).
void mg_gemm_pack_runs(MgGemm *g, MgKBlock *block, const MgGemmRuns *r, const MgGemmClass *cl,
                       const MgGemmTarget *to, const MgKx *first, const MgKx *valid, const MgKx *k0,
                       const MgKx *kc);
// Are panels packed step by step, from rows that are neighbours in memory?
bool mg_gemm_packs_by_steps(MgGemm *g);
// Packs a panel of `mr` rows from m0 on, kc deep, at offset `to`: row by row if rows are contiguous
// in memory, otherwise step by step.
void mg_gemm_pack_panel(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                        const MgKx *k0, const MgKx *kc);
// Packs a strip of nv vectors of columns from n0 on, kc deep, at offset `to`, step by step. Where
// one piece of code packs several vectors, it leaves out those past the strip's `width` in lanes.
void mg_gemm_pack_strip(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                        const MgKx *width, const MgKx *k0, const MgKx *kc);
// Is it better to pack a factor, whose vectors run along a symbol, element by element
// (single.c)? The other two pack in this way: rows of a panel from m0 on, and the strip
// of that width from n0 on.
bool mg_gemm_packs_singly(MgGemm *g, const MgSx *factor, uint32_t sym);
void mg_gemm_pack_single_rows(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0,
                              const MgKx *rows, const MgKx *k0, const MgKx *kc);
void mg_gemm_pack_single_columns(MgGemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0,
                                 const MgKx *width, const MgKx *k0, const MgKx *kc);
// A factor at the current point along a symbol (negative: one element). It is 0 where the mask is
// off.
const MgKx *mg_gemm_factor(MgGemm *g, MgKBlock *block, const MgSx *x, int vector, const MgKx *mask);
// Prefetches the cache lines that the end of a tile reads and writes. The tile has mr rows and nv
// vectors from m0, n0 on.
void mg_gemm_prefetch(MgGemm *g, MgKBlock *block, const MgKx *m0, const MgKx *n0, uint32_t mr,
                      uint32_t nv);
typedef struct MgGemmTile {
    const MgKx *m0, *n0, *kc;  // first row, first column, and depth of this block
    const MgKx *panel, *strip; // element offsets
    const MgKx *first, *last;  // is this the first, or the last, block of k? NULL: yes
    const MgKx *k0;            // the first step of this block
    const MgKx *valid;  // the number of rows that exist, if it is below mr <= MG_GEMM_OPEN_ROWS;
                        // NULL: all do
    const MgKx *fills;  // does the tile also pack the strip? NULL: it is packed already
    const MgKx *number; // which whole panel of its block it has; NULL: fewer rows
    uint32_t mr, nv;
} MgGemmTile;
// Where columns that are packed once, for all runs, stay in no near cache: a chain of a tile's sums
// prefetches its share of the next strip into the second-level cache. All panels use that strip,
// but the first would wait for memory (prefetch.c).
void mg_gemm_prefetch_strip(MgGemm *g, MgKBlock *block, const MgGemmTile *t, const MgKx *chain,
                            int64_t chains);
// Sums a tile and finishes it (tile.c).
void mg_gemm_tile(MgGemm *g, MgKBlock *block, const MgGemmTile *t);
// Writes the kernel's body for workers, from the loop over batches down to the tile.
void mg_gemm_emit(MgGemm *g);

// May a factor of this class be evaluated once for all runs?
bool mg_gemm_is_unchanging(MgGemm *g, const MgSx *factor, const MgGemmClass *of);
bool mg_gemm_follows_batch(const MgGemm *g, const MgSx *factor);
// The kernel gets a parameter for each value that the factor reads.
void mg_gemm_take_operands(MgGemm *g, const MgSx *factor);
// The number of elements of a packed batch.
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

// Are the rows of a packed step loaded as vectors, whose lanes are factors?
static inline bool mg_gemm_takes_lanes(const MgGemm *g) {
    return !g->plan.row_along_k && mg_figure(g->s, lane_factors);
}

// Does a narrower strip follow the whole strips of the columns?
static inline bool mg_gemm_last_is_narrow(const MgGemm *g) {
    int64_t width = g->plan.nv * g->lanes, rest = g->n.known > 0 ? g->n.known % width : 0;
    return rest && mg_ceil_div(rest, g->lanes) < g->plan.nv;
}

#endif
