// Convolutions by Winograd's algorithm: what their recognition and sizes (winograd.c) and their
// emission (winograd_emit.c, winograd_transform.c) share.
#ifndef MG_PASSES_SCHEDULE_CONTRACTION_WINOGRAD_H
#define MG_PASSES_SCHEDULE_CONTRACTION_WINOGRAD_H

#include "ir/tiled.h"
#include "passes/schedule/form.h"

enum {
    MG_WINO_BATCH = 8,
    MG_WINO_VECTORS = 4,
    MG_WINO_PANEL = 16,
    MG_WINO_MOST = 1 << 28 // elements of a buffer
};

// The plan: all numbers may be others, within limits.
typedef struct MgWinoPlan {
    const MgTileForm *form;
    uint32_t lanes, nv, mr; // a tile of products has mr tiles of the image and nv vectors of maps;
                            // at most MG_WINO_PANEL and MG_WINO_VECTORS
    int64_t rows;           // the tile rows of a block
    int64_t images;         // of a block; several images have all their tile rows
    int64_t most;           // for open sizes instead: the most tiles of a block
    bool shared;            // workers share each block; otherwise each worker has blocks of its own
    MgNestSpace weights;    // transformed weights are kept for all runs, common to the workers of a
                            // run, or local: made by each worker for a strip when it takes it
} MgWinoPlan;

typedef struct MgWinoSide { // one of the two directions of an image
    uint32_t place, tap;    // the free index and the bound one that meet in subscripts
    bool backward;          // the image is read at place - tap, not at place + tap
    MgIx extent;            // the number of outputs
    int64_t size, tiles;    // the number of outputs and of tiles; for an open size, the likely one
    const MgKx *end;        // the extent as a value of the kernel
} MgWinoSide;

typedef struct MgWinoBox { // indices: of output maps, of channels (bound), and the others
    uint32_t map, channel, batch[MG_WINO_BATCH], n_batch;
    int64_t maps, channels, batches; // their numbers
} MgWinoBox;

typedef struct MgWinoSize {      // what follows from the plan
    int64_t blocks;              // of an image
    int64_t tiles;               // the tiles of a block, rounded up to whole panels of mr
    int64_t strips;              // of maps
    int64_t line, pitch;         // the pixels of a staged line; the elements between tiles
    int64_t most_columns, stage; // for open sizes: the most tile columns of a block, and the pixels
                                 // of the stage
} MgWinoSize;

// In the kernel: the tile rows of a block, the blocks of an image down and across, the tile columns
// of a block, the pixels of a staged line, and the blocks of all images.
typedef struct MgWinoNow {
    const MgKx *rows, *blocks, *across, *columns, *line, *all;
} MgWinoNow;

typedef struct MgWinoArea { // data that a kernel makes for itself
    MgKBufId buf;
    const MgKx *base; // the element where they begin
} MgWinoArea;

typedef struct MgWino {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *image, *weight;
    MgWinoSide row, column;
    MgWinoBox box;
    bool open;           // sizes of the image, or the number of images, are known only at run time
    bool weights_differ; // weights differ between batches
    bool unchanging;     // weights are the same in all runs
    MgWinoPlan plan;
    MgWinoSize size;
    MgWinoNow now;
    MgWinoArea weights, stage, points, products;
    MgKBufId acc, turned, lines, check;
    MgLoops at;
} MgWino;

static inline uint32_t mg_wino_products(const MgWino *w) {
    return w->plan.form->points * w->plan.form->points;
}

static inline MgPoint mg_wino_point(MgWino *w, MgKBlock *block, int vector, const MgKx *mask) {
    return mg_loops_point(&w->at, &w->kb, block, vector, w->plan.lanes, mask);
}

// ---------------------------------------------------------------- winograd.c
// The form of tiles of that many outputs; NULL: there is none.
const MgTileForm *mg_wino_form(int64_t outputs);
// Chooses the form that the options ask for, or the one that costs least, if that is less than the
// plain sum: choose(found, form) chooses its sizes and returns its cost.
typedef double MgWinoChoose(void *found, const MgTileForm *form);
bool mg_wino_choose_form(MgWino *w, MgWinoChoose *choose, void *found);
int64_t mg_wino_l2(const MgSched *s);                                   // its bytes
void mg_wino_count_tiles(MgWino *w);                                    // of each side
int64_t mg_wino_line(const MgWino *w, int64_t columns, int64_t beyond); // the pixels of a line
void mg_wino_derive(MgWino *w);          // sets what follows from the plan
int64_t mg_wino_blocks(const MgWino *w); // of all images; for known sizes
// The elements of the largest buffer, in memory that is allocated before a run.
int64_t mg_wino_largest(const MgWino *w);
const MgTiled *mg_wino_tiled(const MgWino *w, bool of_taps); // for the error bound of the op
// The numbers of blocks: constants, or computed when the kernel begins.
void mg_wino_count_blocks(MgWino *w);

// ---------------------------------------------------------------- winograd_nest.c
// The plan of a MgWino as a nest, and back; winograd_taps.h has those of a MgTaps.
void mg_wino_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_wino_read(void *found, const MgGivenNest *given);

// ---------------------------------------------------------------- winograd_points.c
// Some tile rows of an image, or several images.
typedef struct MgWinoBlock {
    const MgKx *number;                      // among all blocks of the image or images
    const MgKx *first, *images;              // the number of the first; their number, or NULL
    const MgKx *top, *rows, *tiles, *panels; // the first; their number; their tiles, in panels
    const MgKx *left, *columns;              // the first tile column; the number of columns
} MgWinoBlock;

// Transforms the values of a square, row by row, in both directions.
typedef void MgWinoTransform(MgWino *w, MgKBlock *block, const MgKx **x);

// A factor whose squares of places become points.
typedef struct MgWinoPoints {
    const MgSx *x;
    uint32_t channel; // the index along its lanes
    int64_t channels;
    uint32_t side, beyond; // the places of a square; those that the last tile has beyond the image
    MgWinoTransform *transform;
    MgWinoArea to;
    int64_t by_product, by_tile, by_group; // elements of `to` from a product, tile or vector of
                                           // channels to the next
    int64_t length;                        // the pixels of a staged line; 0: open
    const MgKx *line;                      // the same in the kernel
} MgWinoPoints;

MgWinoBlock mg_wino_open_block(MgWino *w, MgKBlock *block, const MgKx *number);
// Opens a loop over the images of a block, if it has several. *before: their tiles so far.
MgKBlock *mg_wino_each_image(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgKx **before);
// Makes the points of a block and a vector of channels, the group of this number.
void mg_wino_emit_points(MgWino *w, MgKBlock *block, const MgWinoBlock *b,
                         const MgWinoPoints *points, const MgKx *group);
// The element of the first product's points.
const MgKx *mg_wino_points_at(MgWino *w, const MgWinoPoints *points, const MgKx *tile,
                              const MgKx *group);
// A factor at the current point along index `vector`, 0 where the mask is off.
const MgKx *mg_wino_factor(MgWino *w, MgKBlock *block, const MgSx *x, uint32_t vector,
                           const MgKx *mask);
// Positions go so far beyond those of the outputs.
void mg_wino_set_places(MgWino *w, int64_t beyond);
// Subscripts have the taps of the weights; or, for the image, the tap that reads the first place.
void mg_wino_set_taps(MgWino *w, bool weights);
void mg_wino_set_batch(MgWino *w, MgKBlock *block, const MgKx *number);
const MgKx *mg_wino_scaled(MgWino *w, const MgKx *a, int64_t by, const MgKx *b); // a * by + b
const MgKx *mg_wino_mask_below(MgWino *w, MgKBlock *block, const MgKx *first, const MgKx *end);

// Sum i of a tile of products. The second sets all of them to 0. The third adds a step: elements
// `apart` from each other from `a` on, each times the vectors at b.
const MgKx *mg_wino_sum_at(MgWino *w, uint32_t i);
void mg_wino_clear_sums(MgWino *w, MgKBlock *block);
void mg_wino_step(MgWino *w, MgKBlock *block, MgKBufId factor, const MgKx *a, int64_t apart,
                  MgKBufId vectors, const MgKx *const *b);

// ---------------------------------------------------------------- winograd_transform.c
// B' d B, G g G', A' m A; and the adjoints of the last two: A s A', G' q G.
MgWinoTransform mg_wino_input, mg_wino_weight, mg_wino_output, mg_wino_slope, mg_wino_taps;

// ---------------------------------------------------------------- winograd_emit.c
int64_t mg_wino_strip_size(const MgWino *w);  // the elements of a strip's transformed weights
int64_t mg_wino_weight_size(const MgWino *w); // those of all weights that are in memory at a time
// Transforms all weights; workers share this.
void mg_wino_emit_weights(MgWino *w);
void mg_wino_emit(MgWino *w); // the body of the kernel that convolves

#endif
