// A contraction on a GPU: what its sizes and loops (contraction.c), the stages of its factors
// (stage.c), the inside of a tile (tile.c), and the finishing of its sums (tile_cells.c) share.
#ifndef MG_PASSES_SCHEDULE_GPU_TILE_H
#define MG_PASSES_SCHEDULE_GPU_TILE_H

#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/gpu/gpu.h"

enum { MG_TILE_ROUNDS = 128 }; // vectors that an item stages of one factor
enum { MG_TILE_SPLITS = 32 };  // parts of the depth
enum { MG_TILE_STEPS = 8 };    // steps of lines that are summed at once
enum { MG_TILE_OTHERS = 64 };  // registers of an item besides its sums
enum { MG_EXCHANGED = 64 };    // columns whose sums items exchange at once
enum { MG_WIDE_SLOTS = 4 };    // tiles of a wide product's factor in local memory
enum { MG_PACK_LANES = 16 };   // elements of the longest vector of local memory

// A tile has rows x columns results, and takes `depth` steps of the depth at a time. Each item sums
// item_rows x item_columns of them, over one of `slices` equal shares of the depth: slices give
// more items work if tiles are small. With matrix units, MG_TOGETHER items do this together
// (tensor.c), and the depth is a multiple of the atom's elements per word. In wide products,
// whose depth fills a line, each of these groups of items has rows of its own.
// A split tile has three such products of the parts of each factor (split.c); in one of parts,
// MG_TOGETHER items find these parts as they read the factors (MgKProduct).
typedef enum MgTileUnits {
    MG_TILE_ITEMS,
    MG_TILE_TENSOR,
    MG_TILE_PARTS,
    MG_TILE_WIDE,
    MG_TILE_SPLIT,
    // only in machines/tiles.def: MG_TILE_WIDE and MG_TILE_SPLIT, if the device copies both factors
    MG_TILE_BOXES,
    MG_TILE_SPLIT_BOXES
} MgTileUnits;
typedef struct MgTiling {
    uint32_t rows, columns, depth, item_rows, item_columns, slices;
    MgTileUnits tensor; // what multiplies; matrix units unless it is 0
} MgTiling;
static inline bool mg_gpu_splits(const MgTiling *t) { // are f32 factors split?
    return t->tensor == MG_TILE_PARTS || t->tensor == MG_TILE_SPLIT;
}
static inline bool mg_gpu_is_wide(const MgTiling *t) {
    return t->tensor >= MG_TILE_WIDE;
}
static inline uint32_t mg_gpu_together(const MgTiling *t) {
    return t->tensor ? MG_TOGETHER : 1;
}
static inline uint32_t mg_gpu_items(const MgTiling *t) { // the items of a group
    return t->rows / t->item_rows * (t->columns / t->item_columns) * t->slices * mg_gpu_together(t);
}
// The parts of a factor in local memory: columns of split f32 have two; rows are split as they are
// read.
static inline uint32_t mg_gpu_planes(const MgTiling *t, uint32_t sym) {
    return t->tensor == MG_TILE_SPLIT && sym == MG_GEMM_N ? 2 : 1;
}
// The lines of a wide product's block: one for each row and column, and for each of their parts.
static inline uint32_t mg_gpu_lines(const MgTiling *t) {
    return t->rows * mg_gpu_planes(t, MG_GEMM_M) + t->columns * mg_gpu_planes(t, MG_GEMM_N);
}
static inline uint32_t mg_gpu_sums(const MgTiling *t) { // the sums of an item, in vectors of
                                                        // MG_QUAD
    return t->item_rows * t->item_columns / MG_QUAD / mg_gpu_together(t);
}

// A factor that is packed: how it lies in global memory. It has lines of `line` elements:
// [k][position] or, if vectors run along the depth, [position][k].
typedef struct MgStagePack {
    bool used, each_run; // each_run: the factor changes, so each run packs it
    MgKBufId buf;
    int64_t line;
} MgStagePack;

// The vectors of a tile that an item loads, one in each round.
typedef struct MgStageRounds {
    uint32_t n;
    // For each vector: its position along sym and along k, and its place in the buffer.
    const MgKx *at[MG_TILE_ROUNDS], *deep[MG_TILE_ROUNDS], *to[MG_TILE_ROUNDS],
        *own[MG_TILE_ROUNDS];
    const MgKx *position[MG_TILE_ROUNDS]; // in the tile, of the first of vectors that are turned
} MgStageRounds;

// How one factor lies in local memory. Usually it lies step by step along the depth, with its rows
// (or columns) contiguous. If `in_lines`, it lies row by row as in memory, with the vectors of a
// row rotated by its number. Then the items of a warp, which have neighbouring rows, read different
// banks.
typedef struct MgStage {
    const MgSx *factor;
    uint32_t sym;     // MG_GEMM_M or MG_GEMM_N
    MgDType type;     // of its elements in local memory
    int64_t word;     // elements along the depth that are interleaved there: 1, except for atoms
    int64_t size;     // positions of the tile along sym
    int64_t pitch;    // elements from one step of the depth, or one word, to the next
    int64_t step;     // from one position to the next, for lines and atoms
    int64_t tile;     // elements of a tile
    int64_t plane;    // elements of one part of a split factor's tile; the low part comes second
    bool along_depth; // vectors in memory run along k, otherwise along sym
    uint32_t lanes;   // of such a vector
    uint32_t joined;  // vectors of neighbouring steps that are joined to words: 1, or `word`
    const MgIx *runs; // vectors run along the last index of k: what its indices stand for there;
                      // NULL: along k as a whole
    bool in_lines;
    bool turns;   // squares of its vectors are turned on their way, since lines run along the depth
    MgKLies lies; // of a wide product's factor
    MgStagePack pack;
    MgKBufId next; // of a wide product: vectors that have been loaded, in registers
    MgKBufId buf;  // two tiles from `place` on: one is summed while the next is loaded
    int64_t place;
    const MgKx *base; // first row or column of the tile
    MgStageRounds round;
} MgStage;

typedef struct MgGpuGemm MgGpuGemm;
typedef void MgGpuCellFn(MgGpuGemm *gg, MgPoint *p, const MgKx *sum);

// When a factor is packed: by the first run for all runs if it never changes, else by each run.
typedef enum MgGpuPacking {
    MG_GPU_NOT_PACKED,
    MG_GPU_PACKED_ONCE, // if it never changes and lies the wrong way
    MG_GPU_PACKED_AHEAD // in any case
} MgGpuPacking;

// A box of a factor, and what its places follow: divided by `by`.
typedef enum MgGpuBoxPlace {
    MG_GPU_BOX_FIRST, // nothing: 0
    MG_GPU_BOX_DEPTH, // the first step of the block of k
    MG_GPU_BOX_PLACE, // the tile's first row, or column
    MG_GPU_BOX_BATCH  // the index of a batch
} MgGpuBoxPlace;
typedef struct MgGpuBoxAxis {
    MgGpuBoxPlace what;
    uint32_t index;
    int64_t by;
} MgGpuBoxAxis;
typedef struct MgGpuBox {
    MgKBox box;
    uint32_t n; // boxes of one line, side by side, that fill a tile together: usually 1
    MgGpuBoxAxis places[MG_BOX_AXES]; // unless it walks
    // If it walks: the windows along axis 1 and so on; and the digits of a tap, the outermost
    // first.
    int64_t windows[MG_BOX_PIXELS];
    uint32_t n_taps;
    struct MgGpuTap {
        uint32_t axis; // 0 for axis 1
        int64_t size, step;
    } taps[MG_BOX_PIXELS];
    bool one_image;
    const MgKx *fixed[MG_BOX_PLACES]; // the places that are the same for all blocks of k
} MgGpuBox;

typedef struct MgGpuBoxes {
    bool used;   // the device copies both factors by itself: rows by the first box
    bool has[2]; // could it copy the rows, and the columns?
    MgGpuBox at[2];
} MgGpuBoxes;

typedef struct MgGpuItem {               // an item of the kernel
    const MgKx *number, *slice, *within; // its number, its slice and its number there
    const MgKx *y, *x; // its place among the items of its slice, or the common place of the items
                       // that work together
    const MgKx *lane;  // its number among these
} MgGpuItem;

// Sums that are computed again (split.c): over which steps, where, and how they are finished.
typedef struct MgGpuAgain {
    const MgKx *first, *last;
    MgKBufId sums[2];
    MgGpuCellFn *finish;
} MgGpuAgain;

struct MgGpuGemm {
    MgGemm g;
    MgTiling t;
    MgAtom atom;             // the atom of the matrix units
    uint32_t items, across;  // the items of a group, and those side by side along the columns
    uint32_t each;           // the items of a slice
    int64_t splits;          // parts of k that are summed separately
    MgGpuPacking packing[2]; // of the rows, and of the columns
    double pack_time;        // the nanoseconds that packing takes in each run
    int64_t band;            // tiles below one another that are numbered first
    uint32_t phases;         // the number of phases in which slices combine their sums
    MgStage row, column;
    MgGpuBoxes boxes;
    MgKBufId acc;        // vectors of MG_QUAD columns
    MgKBufId block_sums; // the sums that wide products add to: `acc`, or those of a few
                         // blocks
    MgKBufId meet;       // where slices combine their sums, or items exchange them
    MgKBufId parts;      // the sums of the parts of k, if there are several
    MgGpuItem item;
    const MgKx *part; // the number of this part of k
    // Is it the first tile of its group, which begins its first boxes then? NULL: each tile is.
    const MgKx *begins;
    MgGpuAgain again;
};
// The class of indices along which a stage's positions run.
static inline const MgGemmClass *mg_gpu_class_of(const MgGpuGemm *gg, const MgStage *st) {
    return st->sym == MG_GEMM_M ? &gg->g.m : &gg->g.n;
}
// The extent of a class at the current indices.
static inline const MgKx *mg_gpu_extent(MgGpuGemm *gg, const MgGemmClass *cl) {
    return mg_kb_ix(&gg->g.kb, cl->extent, gg->g.at.loop);
}
static inline uint32_t mg_gpu_items_down(const MgGpuGemm *gg) { // items of a slice that are below
                                                                // one another
    return gg->each / gg->across;
}
// After how many blocks of k the sums of wide products are added to others; 0: never.
uint32_t mg_gpu_promoted(const MgGpuGemm *gg);
static inline uint32_t mg_gpu_tile_room(const MgGpuGemm *gg) { // bytes of local memory
    const MgTargetInfo *target = &gg->g.s->options->target;
    return gg->t.tensor ? target->local_most : target->local_bytes;
}

// Is the tile of boxes only as high as one wide product? It is for few rows: memory sets its time,
// so many copies must be on their way.
static inline bool mg_gpu_is_low(const MgGpuGemm *gg) {
    return gg->boxes.used && gg->t.tensor == MG_TILE_WIDE &&
           gg->t.rows == MG_WIDE * gg->t.item_rows;
}

// Computes what follows from the tiling: the numbers of items, and how the factors are staged.
void mg_gpu_gemm_derive(MgGpuGemm *gg);
// The kernels that pack the factors that are packed: those of each run become part of the plan.
void mg_gpu_stages_pack(MgGpuGemm *gg, MgKBlock *plan);
// pack.c: sets `pack` and what follows from it, if the factor may be packed so; the kernel that
// packs it; and the nanoseconds that this takes in each run.
void mg_gpu_stage_find_pack(MgGpuGemm *gg, MgStage *st, MgGpuPacking packing);
void mg_gpu_stage_pack(MgGpuGemm *gg, MgStage *st, MgKBlock *plan);
double mg_gpu_stage_pack_time(const MgGpuGemm *gg, const MgStage *st);
// Why a device can't have such a tiling, or NULL (contraction.c).
const char *mg_gpu_tiling_misfit(const MgGpuGemm *gg);
int64_t mg_gpu_band(const MgGpuGemm *gg, int64_t band);
// Is it one of the table's tiles for wide products?
bool mg_gpu_is_candidate(const MgTiling *t, MgAtom atom);
// Write the plan of a MgGpuGemm as a nest, and read it from a nest (contraction_nest.c).
void mg_gpu_gemm_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_gpu_gemm_read(void *found, const MgGivenNest *given);
// Splits the lowest digit, with `size` values, off *left, which keeps the others. The second makes
// the current values of the first n indices of a class of their common number. (contraction.c)
const MgKx *mg_gpu_digit(MgKernel *k, MgKBlock *block, const MgKx **left, const MgKx *size);
void mg_gpu_class_digits(MgGpuGemm *gg, MgKBlock *block, const MgGemmClass *of, uint32_t n,
                         const MgKx *left);
// The first atom that may compute the product. False if there is none.
bool mg_gpu_atom(MgGemm *g, MgAtom *atom);
// x as the tile stores it: in the stage's type, and rounded if the tile's atom rounds.
const MgKx *mg_gpu_staged(const MgGpuGemm *gg, const MgStage *st, const MgKx *x);
// For tiles whose items work together (tensor.c): how a stage lies, and the product of a block
// of k, which is added to the sums.
void mg_gpu_tensor_lay(MgGpuGemm *gg, MgStage *st);
void mg_gpu_tensor_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *half);
// A wide product gives the four items that share a row of sums every fourth pair of columns. If
// columns are lines of local memory, they are dealt: put there in another order, so that each item
// gets neighbours that fill 16 bytes of the result, which it finishes and stores as one vector.
// Returns their number: 2, 4 or 8.
uint32_t mg_gpu_deal(const MgGpuGemm *gg);
const MgKx *mg_gpu_dealt(MgKernel *k, const MgKx *x, int64_t deal); // the line of column x
// Can the tile use wide products? Both factors must come in vectors of 16 bytes along the direction
// of the lines in local memory.
bool mg_gpu_may_be_wide(MgGpuGemm *gg);
// Slots of a wide product's buffers, each for a tile: at least two, and no more than needed.
uint32_t mg_gpu_slots(const MgGpuGemm *gg);
// split.c: may factors be split in two; the parts of x; a loop over the groups of blocks in
// [low, high) that are summed together, whose bounds become those of its body; at its end, their
// sums are added to the item's, and begin at 0 again if there are `more`; and the cells of a tile,
// of which those that are not finite are summed again.
bool mg_gpu_may_split(const MgGemm *g, MgTileUnits units);
const MgKx *mg_gpu_high_part(MgKernel *k, const MgKx *x);
const MgKx *mg_gpu_low_part(MgKernel *k, const MgKx *x, const MgKx *high);
MgKBlock *mg_gpu_promoted_blocks(MgGpuGemm *gg, MgKBlock *block, const MgKx **low,
                                 const MgKx **high);
void mg_gpu_promote(MgGpuGemm *gg, MgKBlock *block, bool more);
void mg_gpu_split_cells(MgGpuGemm *gg, MgKBlock *block, const MgKx *low, const MgKx *high,
                        MgGpuCellFn *finish);
// Do two groups share a unit? Then one multiplies while the other finishes its sums.
bool mg_gpu_is_paired(const MgGpuGemm *gg);
// For wide products (wide.c): the place of a factor's element, from its position and depth; and
// the sums over the blocks of k in [low, high), of which there is at least one.
const MgKx *mg_gpu_in_lines(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *x,
                            const MgKx *deep);
void mg_gpu_wide_sum(MgGpuGemm *gg, MgKBlock *b, const MgKx *low, const MgKx *high);
// The wide product of the block of k in a slot. Returns the block of statements that run meanwhile.
MgKBlock *mg_gpu_wide_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *slot, MgKLag lag);
// windows.c: the box of rows that are windows of a convolution, if they are; the places that are
// the same for all blocks of k; and the others, for the block that begins at k0.
bool mg_gpu_find_windows(MgGpuGemm *gg, const MgStage *st, MgGpuBox *b);
void mg_gpu_fix_windows(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, MgGpuBox *b);
void mg_gpu_place_taps(MgGpuGemm *gg, MgKBlock *block, const MgGpuBox *b, const MgKx *k0,
                       const MgKx **at);
// Is the read inside, or 0 outside, as a box is?
bool mg_gpu_is_zero_outside(const MgSx *read);
// boxes.c: can the device copy both factors by itself? The first sets `boxes`. The second tells it
// before anything has been derived; if `packs`, it has factors packed that have no box otherwise.
// And the sums, as above.
void mg_gpu_find_boxes(MgGpuGemm *gg);
bool mg_gpu_may_box(MgGpuGemm *gg, bool packs);
// Does a box round the factors to tf32? Then a number near the largest may have become infinite.
bool mg_gpu_box_rounds(const MgGpuGemm *gg);
void mg_gpu_box_sum(MgGpuGemm *gg, MgKBlock *b, const MgKx *low, const MgKx *high);
// Finds the places of the boxes of the current tile, and begins the first ones if `begins` is true
// (NULL: always).
void mg_gpu_box_begin(MgGpuGemm *gg, MgKBlock *b, const MgKx *begins, const MgKx *low,
                      const MgKx *high);
// stage.c: a vector's swizzled position, before it is taken modulo the line's length.
const MgKx *mg_gpu_turned_by(MgGpuGemm *gg, const MgKx *vector, const MgKx *row);
// Computes the sources and destinations of the item's vectors: the same for every block of k.
void mg_gpu_stage_aim(MgGpuGemm *gg, MgKBlock *block, MgStage *st);
// The item's vector of round r, for the block of k that begins at k0. There is none if *inside is
// false (NULL: always true).
const MgKx *mg_gpu_stage_vector(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t r,
                                const MgKx *k0, const MgKx **inside);
const MgKx *mg_gpu_or_zeros(MgKernel *k, const MgKx *inside, const MgKx *x);
// Loads the item's vectors of the block of k that begins at k0 into registers. Returns whether they
// come from memory unchanged.
bool mg_gpu_stage_fetch(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *k0,
                        const MgKx **out);
// Stores them in a tile of the stage's buffer.
void mg_gpu_stage_put(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *half,
                      const MgKx *const *values);
// Turns vectors of n neighbouring steps of the depth into n vectors of whole words, one word per
// position.
void mg_gpu_join_words(MgKernel *k, MgKBlock *block, const MgKx **x, uint32_t n);
// Places both stages in local memory. Call it before any loop is opened.
void mg_gpu_stages_place(MgGpuGemm *gg);
// Sums the current tile, whose first row and column are in the stages, over the blocks of k in
// [low, high).
void mg_gpu_tile_sum(MgGpuGemm *gg, MgKBlock *block, const MgKx *low, const MgKx *high);
// Do items exchange the sums of a wide product, since rows of the result fill no whole vectors?
// Then neighbours store neighbours. And the bytes of local memory that this takes.
bool mg_gpu_exchanges(const MgGpuGemm *gg);
int64_t mg_gpu_exchange_bytes(const MgGpuGemm *gg);
// tensor.c: the first row and the first column of vector `number` of the item's sums.
void mg_gpu_tensor_place(MgGpuGemm *gg, const MgKx *number, const MgKx **row, const MgKx **column);
// Adds up the sums of the slices, if there are several, in the order of k; each slice then has a
// share of the vectors. Calls body for every vector of the item's sums that is inside the result,
// with MG_GEMM_M and MG_GEMM_N set.
void mg_gpu_tile_cells(MgGpuGemm *gg, MgKBlock *block, MgGpuCellFn *body);
// The same for vector `number` of the item's sums, which has two rows of two columns; and for the
// vectors from `first` on that are dealt together, so that each row is one vector (tensor.c).
void mg_gpu_tensor_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *number, const MgKx *sums,
                        MgGpuCellFn *body);
void mg_gpu_dealt_cells(MgGpuGemm *gg, MgKBlock *block, int64_t first, MgGpuCellFn *body);
// Calls body for a vector of sums, or a single sum, at a row and column of the tile, if it is
// inside the result.
void mg_gpu_tile_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *row, const MgKx *column,
                      const MgKx *sum, MgGpuCellFn *body);
// The point of a vector of columns from `at` on. If their last index has whole vectors, the vector
// runs along that index, and the others are the same for it: a value whose columns are split, as
// into heads, is stored in whole vectors (tile_cells.c).
MgPoint mg_gpu_columns_point(MgGpuGemm *gg, MgKBlock *block, const MgKx *at, uint32_t lanes);
MgPoint mg_gpu_gemm_point(MgGpuGemm *gg, MgKBlock *block, int vector, uint32_t lanes);

#endif
