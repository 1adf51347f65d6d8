// A contraction on a GPU: shared by its sizes and loops (gpu_contraction.c), what happens inside a
// tile (gpu_tile.c), and what becomes of its sums (gpu_tile_cells.c).
#ifndef MG_PASSES_SCHEDULE_GPU_TILE_H
#define MG_PASSES_SCHEDULE_GPU_TILE_H

#include "passes/schedule/contraction.h"
#include "passes/schedule/gpu.h"

enum { MG_TILE_ROUNDS = 128 }; // vectors that an item stages of one factor
enum { MG_TILE_PARTS = 32 };   // parts of the depth
enum { MG_TILE_OTHERS = 64 };  // registers of an item beside its sums
enum { MG_WIDE_SLOTS = 4 };    // tiles of a wide product's factor in local memory

// A tile of rows x columns, `depth` deep at a time; each item sums item_rows x item_columns of it,
// and one of `slices` equal shares of the depth: where tiles are small, more items have work. Or
// MG_TOGETHER items do, by products of matrices (gpu_tensor.c); an atom's depth is a multiple of
// its elements in a word. Of wide products, whose depth fills a line, each of these has its rows.
typedef enum MgTileUnits { MG_TILE_ITEMS, MG_TILE_TENSOR, MG_TILE_WIDE } MgTileUnits;
typedef struct MgTiling {
    uint32_t rows, columns, depth, item_rows, item_columns, slices;
    MgTileUnits tensor; // what multiplies: not 0, matrix units
} MgTiling;
static inline uint32_t mg_gpu_together(const MgTiling *t) {
    return t->tensor ? MG_TOGETHER : 1;
}
static inline uint32_t mg_gpu_items(const MgTiling *t) { // of a group
    return t->rows / t->item_rows * (t->columns / t->item_columns) * t->slices * mg_gpu_together(t);
}
static inline uint32_t mg_gpu_sums(const MgTiling *t) { // vectors of QUAD of an item
    return t->item_rows * t->item_columns / MG_QUAD / mg_gpu_together(t);
}

// How one factor comes to local memory: depth after depth, its rows (or columns) contiguous there;
// or, `in_lines`, row after row as they come, vectors of a row turned by its number, so that items
// of a warp, which have neighbouring rows, read different banks.
typedef struct MgStage {
    const MgSx *factor;
    uint32_t sym;     // MG_GEMM_M or MG_GEMM_N
    MgDType type;     // of its elements in local memory
    int64_t word;     // neighbours along the depth that lie side by side there: 1, but for atoms
    int64_t size;     // of the tile along sym
    int64_t pitch;    // elements from one depth, or word, to the next
    int64_t step;     // from one position to the next, for lines and atoms
    int64_t tile;     // elements of a tile
    bool along_depth; // vectors of memory run along k, else along sym
    uint32_t lanes;   // of such a vector
    uint32_t joined;  // vectors of neighbouring depths that become words together: 1, or word
    bool in_lines;
    MgKLies lies; // of a wide product's factor
    bool kept;    // read from `packed`: lines of `line` elements, [k][position] or, if vectors run
                  // along the depth, [position][k]
    MgKBufId packed;
    int64_t line;
    MgKBufId next; // of a wide product: vectors on their way, in registers
    MgKBufId buf;  // two tiles from `place` on: one is summed while the next arrives
    int64_t place;
    const MgKx *base; // first row or column of the tile
    uint32_t rounds;  // vectors of an item
    // Of each: position along sym and k, and where it goes in the buffer.
    const MgKx *at[MG_TILE_ROUNDS], *deep[MG_TILE_ROUNDS], *to[MG_TILE_ROUNDS],
        *own[MG_TILE_ROUNDS];
} MgStage;

typedef struct MgGpuGemm {
    MgGemm g;
    MgTiling t;
    MgAtom atom;            // what a tensor's tile is made of
    uint32_t items, across; // items of a group; those side by side along the columns
    uint32_t each;          // items of a slice
    int64_t splits;         // parts of k summed apart
    int64_t band;           // tiles one below the other that are numbered first
    uint32_t phases;        // in which slices put their sums together
    MgStage row, column;
    MgKBufId acc;               // vectors of MG_QUAD columns
    MgKBufId meet;              // where slices put their sums together
    MgKBufId parts;             // sums of the parts of k, where there are several
    const MgKx *me, *y, *x;     // this item's number, and its place among those of its slice
    const MgKx *slice, *within; // its slice and its number there
    const MgKx *lane;           // among those it works together with, whose place y and x are
    const MgKx *part;           // number of this part of k
} MgGpuGemm;
// How many there are of a class, at the open loops' indices.
static inline const MgKx *mg_gpu_extent(MgGpuGemm *gg, const MgGemmClass *cl) {
    return mg_kb_ix(&gg->g.kb, cl->extent, gg->g.loop);
}
static inline uint32_t mg_gpu_items_down(const MgGpuGemm *gg) { // of a slice, one below the other
    return gg->each / gg->across;
}
static inline uint32_t mg_gpu_tile_room(const MgGpuGemm *gg) { // bytes of local memory
    const MgTargetInfo *target = &gg->g.s->options->target;
    return gg->t.tensor ? target->local_most : target->local_bytes;
}

// What follows from the tiling: items, and both stages: how their factors come. A factor that never
// changes and lies the wrong way is kept if it may be.
void mg_gpu_gemm_derive(MgGpuGemm *gg, bool may_keep_rows, bool may_keep_columns);
// Makes what the kernel reads of its kept factors.
void mg_gpu_stages_keep(MgGpuGemm *gg);
// gpu_pack.c: may it be kept, and does so; `of` is the stage's class of indices.
bool mg_gpu_stage_may_keep(MgGpuGemm *gg, MgStage *st, const MgGemmClass *of);
void mg_gpu_stage_keep(MgGpuGemm *gg, MgStage *st, const MgGemmClass *of);
// Why a device can't have such a tiling, by its items or not; NULL: it can (gpu_contraction.c).
const char *mg_gpu_tiling_misfit(const MgGpuGemm *gg);
int64_t mg_gpu_band(const MgGpuGemm *gg, int64_t band);
// Of the table's tiles, of wide products: is this one?
bool mg_gpu_is_candidate(const MgTiling *t, MgAtom atom);
// The plan as a nest, and the plan of a nest (gpu_contraction_nest.c).
MgNest *mg_gpu_gemm_nest(MgGpuGemm *gg, MgNestScope *scope);
bool mg_gpu_gemm_read(MgGpuGemm *gg, const MgNest *nest, const MgNestScope *scope);
// The first atom that may compute the product; false: none may.
bool mg_gpu_atom(MgGemm *g, MgAtom *atom);
// x in a type that holds it, where that costs nothing: x was widened from it. NULL: it was not.
const MgKx *mg_gpu_narrowed(MgKernel *k, const MgKx *x, MgDType type);
// x as a tile keeps it: in the stage's type, rounded if the tile's atom rounds.
const MgKx *mg_gpu_staged(const MgGpuGemm *gg, const MgStage *st, const MgKx *x);
// Of tiles whose items work together (gpu_tensor.c): how a stage lies, what a block of k adds to
// the sums, and what becomes of these.
void mg_gpu_tensor_lay(MgGpuGemm *gg, MgStage *st);
void mg_gpu_tensor_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *half);
// Whether the tile may be one of wide products: both factors come in vectors of 16 bytes, along
// what the lines of local memory run along.
bool mg_gpu_may_be_wide(MgGpuGemm *gg);
// Of wide products (gpu_wide.c): where a factor has the element of a position at a depth, and the
// sums over the blocks of k in [low, high), of which there are some.
const MgKx *mg_gpu_in_lines(MgGpuGemm *gg, const MgStage *st, const MgKx *x, const MgKx *deep);
void mg_gpu_wide_sum(MgGpuGemm *gg, MgKBlock *b, const MgKx *low, const MgKx *high);
// The item's vector of round r of the block of k that begins at k0. Where *inside (NULL:
// everywhere) is false there is none.
const MgKx *mg_gpu_stage_vector(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t r,
                                const MgKx *k0, const MgKx **inside);
const MgKx *mg_gpu_or_zeros(MgKernel *k, const MgKx *inside, const MgKx *x);
// The item's vectors of the block of k that begins at k0, in registers. Returns whether they come
// from memory as they are.
bool mg_gpu_stage_fetch(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *k0,
                        const MgKx **out);
// Puts them into a tile of the stage's buffer.
void mg_gpu_stage_put(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *half,
                      const MgKx *const *values);
// Vectors of n neighbouring depths become as many vectors of whole words, position by position.
void mg_gpu_join_words(MgKernel *k, MgKBlock *block, const MgKx **x, uint32_t n);
// Places both stages in local memory, before any loop is open.
void mg_gpu_stages_place(MgGpuGemm *gg);
// Sums the tile whose first row and column are in the stages over the blocks of k in [low, high).
void mg_gpu_tile_sum(MgGpuGemm *gg, MgKBlock *block, const MgKx *low, const MgKx *high);
// Adds up the slices' sums, if there are several, in the order of k; each slice then has a share of
// the vectors. For every vector of the item's sums: body with MG_GEMM_M and MG_GEMM_N set, inside
// the result.
typedef void MgGpuCellFn(MgGpuGemm *gg, MgPoint *p, const MgKx *sum);
void mg_gpu_tile_cells(MgGpuGemm *gg, MgKBlock *block, MgGpuCellFn *body);
// The same for vector `number` of the item's sums, two rows of two columns (gpu_tensor.c).
void mg_gpu_tensor_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *number, const MgKx *sums,
                        MgGpuCellFn *body);
// A vector of sums, or one, at a row and column of the tile: where the result has them.
void mg_gpu_tile_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *row, const MgKx *column,
                      const MgKx *sum, MgGpuCellFn *body);
MgPoint mg_gpu_gemm_point(MgGpuGemm *gg, MgKBlock *block, int vector, uint32_t lanes);

#endif
