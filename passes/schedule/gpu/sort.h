// What the parts of the sort share (sort.c).
#ifndef MG_PASSES_SCHEDULE_GPU_SORT_H
#define MG_PASSES_SCHEDULE_GPU_SORT_H

#include "passes/schedule/gpu/gpu.h"

enum { MG_SORT_MOST_EACH = 8 }; // elements of an item

// Elements, as words, and their positions.
typedef struct MgSortCells {
    MgKBufId words, places;
} MgSortCells;

typedef struct MgSort {
    MgKb *kb;
    MgKernel *k;
    const MgGpuSort *of;
    MgDType word, place; // of words: u32 or u64; and of positions
    int64_t bits;        // in which words differ
    int64_t digit, bins; // the bits of a digit; elements with the same digit have the same bin
    const MgKx *n, *rows, *stride; // of a row: elements, and the distance between two
    MgIx elements;                 // of all rows
    int64_t items, each, slots;    // of a group; of an item; of a tile
    int64_t run;                   // slots of a row, or of its part
    bool few;                      // each group adds up the counts of all tiles of its row
    const MgKx *me;
    MgSortCells tile;
    MgKBufId counts, totals; // of the bins of neighbouring items; of items, in two halves
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

// An item's elements in the tile, in the slots where they were before they are sorted.
typedef struct MgSortOwn {
    const MgKx *word[MG_SORT_MOST_EACH], *place[MG_SORT_MOST_EACH]; // NULL: not loaded yet
    const MgKx *count[MG_SORT_MOST_EACH]; // the cell of its bin among `counts`
    const MgKx *rank[MG_SORT_MOST_EACH];  // among neighbouring items' elements in the bin
} MgSortOwn;

// sort_tile.c: makes the tile's arrays; the local memory that they take with `each` elements an
// item, in bytes.
void mg_sort_make_tile(MgSort *st);
int64_t mg_sort_tile_bytes(const MgSort *st, int64_t each);
// The word after all others. The digit of a word, or of a position, that begins at a bit.
const MgKx *mg_sort_last(MgSort *st);
const MgKx *mg_sort_digit(MgSort *st, const MgKx *word, const MgKx *from);
// Slot j of each item: neighbouring items have `each` parts of the tile, one after another, where
// their slots are side by side.
const MgKx *mg_sort_slot(MgSort *st, MgKBlock *block, int64_t j);
// Begins to load the key at a position of a row. Stores an element that was loaded as a key, or as
// a word, to its slot; its place may be NULL.
void mg_sort_load(MgSort *st, MgKBlock *block, MgArrival *a, const MgKx *row, const MgKx *position);
void mg_sort_arrive(MgSort *st, MgKBlock *block, const MgArrival *a, bool is_key);
// Counts the digits of the tile's elements. Each item has stored its own, or all have met.
void mg_sort_tally(MgSort *st, MgKBlock *block, const MgKx *from, bool of_places, MgSortOwn *own);
// A bin of this item, number b of the bins / items that it has; and its count in part `part` of the
// tile.
const MgKx *mg_sort_bin(MgSort *st, MgKBlock *block, int64_t b);
const MgKx *mg_sort_count(MgSort *st, const MgKx *bin, int64_t part);
// Moves the elements that were counted to the order of their digits. Stores the first slot of each
// bin to begins[bin], unless it is NULL. All items have met after it.
void mg_sort_move(MgSort *st, MgKBlock *block, MgSortOwn *own, const MgKBufId *begins);
// Moves the tile's elements to the order of bits `low` to `high` - 1 of their words, or of their
// positions. All items have met before it and after it.
void mg_sort_by_digits(MgSort *st, MgKBlock *block, int64_t low, int64_t high, bool of_places);
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
