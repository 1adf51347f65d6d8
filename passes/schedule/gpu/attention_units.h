// Attention with the matrix units of a GPU: what the choice of blocks and the form for products of
// 32 items (attention_units.c), the form for wide products (attention_wide.c), and the
// handling of an item's rows (attention_rows.c) share.
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_UNITS_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_UNITS_H

#include "passes/schedule/gpu/attention.h"

enum {
    MG_UNITS_LINE = MG_LINE_BYTES / 2,            // elements of a line, if products are wide
    MG_UNITS_MOST_PARTS = 2,                      // fragments of sixteen rows that an item has
    MG_UNITS_MOST_ROWS = 2 * MG_UNITS_MOST_PARTS, // an item has a quarter of two rows of each
    MG_UNITS_SLOTS = 2,                           // of values, and of a wide form's keys
    MG_UNITS_MOST_KEYS = 128,                     // keys of a block
    MG_UNITS_MOST_VECTORS = 32,                   // that an item stages of a block
    // The rows of four warps, with a fragment each, and their items.
    MG_UNITS_STRIP = MG_WIDE * MG_PRODUCT_ROWS,
    MG_UNITS_STRIP_ITEMS = MG_WIDE * MG_TOGETHER,
};

typedef struct MgUnitsFactor { // a factor of a product, in local memory
    const MgAttnFactor *of;
    MgDType type;
    uint32_t lanes; // of a vector in memory: 16 bytes
    uint32_t word;  // elements of a word of 32 bits
    MgKBufId buf;
    int64_t rows, width; // sizes of a block; width includes padding
    uint32_t slots;      // for blocks,
    int64_t tile;        // and the elements of one
    int64_t strip;       // of a wide product: the rows of a block of lines; 0: rows have a pitch
    int64_t pitch;       // elements from a row, or a pair of rows, to the next
    bool over_rows;      // the sum runs over rows: those of a word are interleaved
    MgValueId value;     // of a factor with boxes: what it reads,
    MgIx batch;          // where its batch begins, in pieces,
    uint32_t number;     // and its number among the factors of keys
    MgKBox box;
} MgUnitsFactor;

typedef struct MgUnitsProduct { // of scores
    MgAtom atom;
    MgUnitsFactor q, k;
    MgKBufId sums; // the item's tile
} MgUnitsProduct;

typedef struct MgUnitsWeights {
    MgDType type;   // f32: they are not rounded
    MgGpuRows rows; // in local memory; of a wide form: the item's own, without a pitch
} MgUnitsWeights;

typedef struct MgUnitsPeaks { // of scores
    uint32_t slots;           // for blocks; 0: without a softmax
    MgKBufId told;            // in local memory, four for each row
    const MgKx *at;           // the first element of `told` in use; NULL: 0
    MgKBufId most, total;     // the item's own, for each of its rows: the largest, and the sum of
                              // weights
} MgUnitsPeaks;

typedef struct MgUnitsBehind { // sums of 0 times the values, for keys that no row of a group sees
    bool late;                 // they are computed behind the rows, if those that see all say so:
    MgKBufId whole;            // 0 times what these have, of each batch
    uint32_t vectors;          // of a row, that a group sums
    uint32_t slices;           // of a block of keys, which items sum
    bool near;                 // the sums of slices are in local memory
    const MgKx *lane;          // the item's number among those of its vector
    const MgKx *first;         // where the sum of the vector's first slice is
    MgKBufId parts, sums;      // of each slice of keys, and of all blocks from each one on
} MgUnitsBehind;

typedef struct MgUnitsItem {
    const MgKx *quarter; // its number among the four items of a row
    // The rows of which it has a quarter: their numbers in the group's block, and among all rows,
    // of which the last stands for those past it.
    const MgKx *row[MG_UNITS_MOST_ROWS], *now[MG_UNITS_MOST_ROWS];
    // The keys of its scores: their numbers in the block, and among all keys, of which the last
    // stands for those past it. keys: how many the block has; NULL: all.
    const MgKx *own[MG_UNITS_MOST_KEYS / MG_QUAD], *key[MG_UNITS_MOST_KEYS / MG_QUAD], *keys;
} MgUnitsItem;

typedef struct MgAttnUnits {
    MgGpuAttn g;
    bool wide;                 // wide products, whose factors lie in lines
    bool boxed;                // the device copies keys and values by itself
    uint32_t item_rows, parts; // rows of the items that work together, and their fragments
    int64_t rows, keys;        // sizes of a group's block
    MgUnitsProduct products[MG_ATTENTION_PRODUCTS];
    uint32_t n_products;
    MgAtom value;    // the atom of the last product
    MgUnitsFactor v; // it has two tiles, and so have keys if the products are wide
    uint32_t shared; // the product whose keys are the values, too; n_products: none is
    MgUnitsWeights weights;
    double factor; // of all scores, which they lack until they become weights
    MgUnitsPeaks peaks;
    MgKBufId scale;     // of a wide form: the later factors of its sums
    bool defers;        // the second half of a block's weights is computed later, from
    MgKBufId exponents; // their logarithms
    MgUnitsBehind behind;
    MgUnitsItem item;
} MgAttnUnits;

typedef struct MgUnitsBlocks { // of keys, that a group walks
    const MgKx *low, *high;    // the first, and the one behind the last
    const MgKx *keys; // of the batch, if a block may end behind the last one; NULL: none does
    bool seen;        // all rows see all keys of them
} MgUnitsBlocks;

// attention_units.c ------------------------------------------------------------------------
// Can the device and the unit's factors use matrix units?
bool mg_attn_units_suit(const MgGpuAttn *g);
// Are factors of a product split, since they are exact in no type of 16 bits?
bool mg_attn_units_split(const MgGpuAttn *g);
void mg_attn_units_emit(MgGpuAttn *g); // for both kinds of products
// Do the copies of the plan's blocks fit into a group's local memory?
bool mg_attn_units_fit(const MgGpuAttn *g);
// The largest depth or width of values; 0: none is known.
int64_t mg_attn_widest(const MgAttn *t);

// attention_stage.c ------------------------------------------------------------------------
// Loads a vector of a row of the factor that begins at `at`. Rows past the last are not read: they
// are 0, if `rows` says how many rows exist (NULL: all do). The result is not a variable, since it
// may become a copy.
const MgKx *mg_attn_units_vector(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f,
                                 const MgKx *row, const MgKx *at, const MgKx *rows);
typedef struct MgUnitsVectors { // an item's, of a block, while they are loaded; of pairs, the first
                                // row's and then the second's
    const MgKx *x[MG_UNITS_MOST_VECTORS], *to[MG_UNITS_MOST_VECTORS], *own[MG_UNITS_MOST_VECTORS];
    uint32_t n;
} MgUnitsVectors;
// Loads the item's vectors of a block of rows from `first` on. rows: as above.
void mg_attn_fetch(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                   const MgKx *rows, MgUnitsVectors *v);
// Stores them from `base` on (NULL: 0).
void mg_attn_put(MgAttnUnits *u, MgKBlock *block, const MgUnitsFactor *f, const MgKx *base,
                 MgUnitsVectors *v);
// Copies a block of lines to a slot; the copy completes by the end of the product after the current
// one.
void mg_attn_copy_later(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                        const MgKx *rows, const MgKx *slot);
// Multiply: the rows by the keys in a slot, for scores; the weights by the values in a slot. Return
// the block of statements that run meanwhile, if the product is wide.
MgKBlock *mg_attn_multiply_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsProduct *p,
                                const MgKx *slot);
MgKBlock *mg_attn_multiply_values(MgAttnUnits *u, MgKBlock *b, const MgKx *slot, MgKLag lag);

// attention_wide.c -------------------------------------------------------------------------
// Begins to copy the first blocks of keys, if the device copies by itself (u->boxed), while items
// stage their rows. All items have met since the slots were in use.
void mg_attn_wide_first(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys);
// Walks blocks of the batch's keys.
void mg_attn_wide_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys);

// attention_boxes.c ------------------------------------------------------------------------
// Does a factor come from memory unchanged? Then v is the value, and `at` the address there.
bool mg_attn_lies(const MgAttnUnits *u, const MgUnitsFactor *f, MgValueId *v, MgIx *at);
// Can the device copy keys and values by itself? Sets their boxes.
bool mg_attn_find_boxes(MgAttnUnits *u);
// Begins to copy a block of a factor's rows to one of its slots; and waits until it is there.
void mg_attn_fill(MgAttnUnits *u, MgKBlock *b, MgUnitsFactor *f, const MgKx *block,
                  const MgKx *slot);
void mg_attn_await(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *slot);

// attention_seen.c -------------------------------------------------------------------------
// Makes buffers for keys that rows don't see, if the plan leaves blocks of them out. Call it before
// other buffers are made. bytes: the local memory that these take. Returns what it takes itself.
int64_t mg_attn_find_seen(MgAttnUnits *u, int64_t bytes);
// Emits the phase that comes first in that case, or last (u->behind.late).
void mg_attn_sum_unseen(MgAttnUnits *u);
// Notes for the phase that comes last what rows have that see all keys.
void mg_attn_note_whole(MgAttnUnits *u, MgKBlock *b);
// The blocks of keys that the group's rows see, at least one.
MgUnitsBlocks mg_attn_seen_blocks(MgAttnUnits *u, MgKBlock *b, const MgKx *keys);
// Initialises the rows' results with what the blocks from `blocks` on, or before it, add.
void mg_attn_begin_behind(MgAttnUnits *u, MgKBlock *b, const MgKx *blocks);

// attention_rows.c -------------------------------------------------------------------------
// A number for each of an item's rows.
typedef const MgKx *MgUnitsRows[MG_UNITS_MOST_ROWS];
// An item's scores: for each of its rows, a quarter of the keys.
typedef const MgKx *MgUnitsScores[MG_UNITS_MOST_ROWS][MG_UNITS_MOST_KEYS / MG_QUAD];

// Finds the rows of which the item has a part.
void mg_attn_place_items(MgAttnUnits *u, MgKBlock *b);
void mg_attn_clear(MgAttnUnits *u, MgKBlock *b, MgKBufId sums, int64_t columns);
// Turns sums into the scores of the definition, but for `factor`, for the keys from `first` on. n:
// the number of keys of the block (NULL: all). For a softmax, finds the largest score of each row,
// which the row's other items see after a barrier; scores of keys past the last are -inf. Without
// one, scores are weights, and 0 there.
void mg_attn_finish_scores(MgAttnUnits *u, MgKBlock *b, const MgKx *first, const MgKx *n,
                           MgUnitsScores x);
// Updates the largest scores, now with `factor`, and gives the factors that earlier sums need.
void mg_attn_raise_peaks(MgAttnUnits *u, MgKBlock *b, MgUnitsRows shift, MgUnitsRows scale);
// Turns the rows' scores into weights, adds them up, and puts them where the second product reads
// its rows.
void mg_attn_weigh(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x, MgUnitsRows shift,
                   MgUnitsRows scale);
// The same for those that it has deferred.
void mg_attn_weigh_rest(MgAttnUnits *u, MgKBlock *b);
// The first vector of an item's rows whose weights are deferred, if some are: half of them are.
static inline uint32_t mg_attn_first_deferred(const MgAttnUnits *u) {
    return (uint32_t)u->keys / MG_PRODUCT_COLUMNS / 2;
}
// Are the weights of vector i of an item's rows deferred? And where are they in a wide form?
static inline bool mg_attn_defers(const MgAttnUnits *u, uint32_t i) {
    return u->defers && i >= mg_attn_first_deferred(u);
}
typedef struct MgUnitsWeight {
    MgKBufId buf;
    uint32_t i;
} MgUnitsWeight;
static inline MgUnitsWeight mg_attn_weight(const MgAttnUnits *u, uint32_t i) {
    return mg_attn_defers(u, i) ? (MgUnitsWeight){u->exponents, i - mg_attn_first_deferred(u)}
                                : (MgUnitsWeight){u->products[0].sums, i};
}
// Puts finished weights there.
void mg_attn_put_weights(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x);
void mg_attn_rescale(MgAttnUnits *u, MgKBlock *b, MgUnitsRows by);
// Divides the rows' results by the sums of their weights, after a softmax, and stores them.
void mg_attn_finish_rows(MgAttnUnits *u, MgKBlock *b);

#endif
