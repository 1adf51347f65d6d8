// What the parts of the sort share (sort.c).
#ifndef MG_PASSES_SCHEDULE_GPU_SORT_H
#define MG_PASSES_SCHEDULE_GPU_SORT_H

#include "passes/schedule/gpu/gpu.h"

enum {
    MG_SORT_DIGIT = 4,                // bits
    MG_SORT_STEP = 2 * MG_SORT_DIGIT, // the bits by which long rows are sorted at a time
    MG_SORT_BINS = 1 << MG_SORT_STEP, // elements with the same such bits have the same bin
    MG_SORT_MOST_EACH = 8,            // elements of an item
};

// Elements, as words, and their positions.
typedef struct MgSortCells {
    MgKBufId words, places;
} MgSortCells;

typedef struct MgSort {
    MgKb *kb;
    MgKernel *k;
    const MgGpuSort *of;
    MgDType word, place;           // of words: u32 or u64; and of positions
    int64_t bits;                  // in which words differ
    const MgKx *n, *rows, *stride; // of a row: elements, and the distance between two
    MgIx elements;                 // of all rows
    int64_t items, each, slots;    // of a group; of an item; of a tile
    int64_t run;                   // slots of a row, or of its part
    const MgKx *me;
    MgSortCells tile;
    MgKBufId counts, totals; // of digits; of items, in two halves
} MgSort;

static inline const MgKx *mg_sort_get(MgSort *st, MgKBufId buf, const MgKx *at) {
    return mg_kload(st->k, buf, at, 1, NULL, NULL);
}
static inline void mg_sort_meet(MgSort *st, MgKBlock *block) {
    mg_kbarrier(st->k, block, MG_BARRIER_GROUP);
}
// An element on its way into a slot of the tile.
typedef struct MgArrival {
    const MgKx *slot, *there; // if it isn't there, it comes after all elements
    const MgKx *x, *place;    // x: its key, or its word
} MgArrival;

// sort_tile.c: makes the tile's arrays; the local memory that they take with `each` elements an
// item, in bytes.
void mg_sort_make_tile(MgSort *st);
int64_t mg_sort_tile_bytes(const MgSort *st, int64_t each);
// The word after all others. `width` bits of a word, or of a position, from bit `from` on.
const MgKx *mg_sort_last(MgSort *st);
const MgKx *mg_sort_bits(MgSort *st, const MgKx *word, const MgKx *from, int64_t width);
// The cell of a slot. Slot j of each item, where those of neighbouring items are side by side.
const MgKx *mg_sort_cell(MgSort *st, const MgKx *slot);
const MgKx *mg_sort_slot(MgSort *st, MgKBlock *block, int64_t j);
// Begins to load the key at a position of a row. Stores an element that was loaded as a key, or as
// a word, to its slot.
void mg_sort_load(MgSort *st, MgKBlock *block, MgArrival *a, const MgKx *row, const MgKx *position);
void mg_sort_arrive(MgSort *st, MgKBlock *block, const MgArrival *a, bool is_key);
// Moves the tile's elements to the order of bits `low` to `high` - 1 of their words, or of their
// positions. All items have met before it and after it.
void mg_sort_by_digits(MgSort *st, MgKBlock *block, const MgKx *low, const MgKx *high,
                       bool of_places);
// sort.c: a loop over n groups. Stores an element to its place in the result's row.
MgKBlock *mg_sort_groups(MgSort *st, MgKBlock *block, const char *name, const MgKx *n,
                         const MgKx **number);
void mg_sort_put(MgSort *st, MgKBlock *block, const MgKx *row, const MgKx *to, const MgKx *word,
                 const MgKx *place);
// sort_long.c: sorts rows of tiles in several launches. Its buffers are made before the tile.
typedef struct MgSortLong MgSortLong;
MgSortLong *mg_sort_long_begin(MgSort *st);
void mg_sort_long(MgSortLong *l);

#endif
