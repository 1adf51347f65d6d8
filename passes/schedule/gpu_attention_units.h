// Attention by the matrix units of a GPU: shared by the choice of blocks and the form for products
// of 32 items (gpu_attention_units.c), the form for wide products (gpu_attention_wide.c), and what
// both do with an item's rows (gpu_attention_rows.c).
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_UNITS_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_UNITS_H

#include "passes/schedule/gpu_attention.h"

enum {
    MG_UNITS_LANES = 8,       // of vectors in memory: 16 bytes
    MG_UNITS_PER_WORD = 2,    // all atoms have elements of 16 bits here
    MG_UNITS_MOST_PARTS = 2,  // an item's fragments of sixteen rows
    MG_UNITS_MOST_KEYS = 128, // of a block
};

typedef struct MgUnitsFactor { // of a product, in local memory
    const MgAttnFactor *of;
    MgDType type;
    MgKBufId buf;
    int64_t rows, width; // of a block; width with what is filled up
    int64_t pitch;       // elements from a line, or pair of lines, to the next
    bool paired;         // neighbouring rows lie side by side: what is summed over are rows
} MgUnitsFactor;

typedef struct MgAttnUnits {
    MgGpuAttn g;
    bool wide;                  // by wide products, whose factors lie in lines
    uint32_t items;             // of a group
    MgAtom score, value;        // what the two products are made of
    uint32_t item_rows, parts;  // rows of those that work together, and fragments of them
    int64_t rows, keys;         // of a group's block
    MgUnitsFactor q, k, v;      // v has two tiles, and k, too, if the products are wide
    MgGpuRows p;                // the weights
    MgDType weight;             // their type
    MgKBufId tops, most, total; // in local memory, four of a row; the item's own, of each row
    MgKBufId scale, held; // of a wide form: what its sums are multiplied by later; the weights
    const MgKx *told;     // from which element of `tops` on; NULL: 0
    MgKBufId behind_parts, behind; // sums of 0 times the values of each block of keys, and of all
                                   // from each one on
    const MgKx *quarter;           // the item's number among the four of a row
    const MgKx *row[MG_UNITS_MOST_PARTS][2]; // of the group's block, that the item has a quarter of
    const MgKx *now[MG_UNITS_MOST_PARTS][2]; // the same of all rows; not behind the last
} MgAttnUnits;

// gpu_attention_units.c ------------------------------------------------------------------------
// A vector of a row of the factor that begins at `at`. Rows behind the last are not read: they are
// zeros where `rows` (NULL: all are there) says how many there are. It is no variable, as it may
// become a copy.
const MgKx *mg_attn_units_vector(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f,
                                 const MgKx *row, const MgKx *at, const MgKx *rows);
MgKBufId mg_attn_units_shared(MgAttnUnits *u, const char *name, MgDType type, int64_t elements);

// gpu_attention_wide.c -------------------------------------------------------------------------
// Chooses blocks for wide products. False: they don't suit.
bool mg_attn_wide_choose(MgAttnUnits *u);
void mg_attn_wide_buffers(MgAttnUnits *u);
// The group's rows of q to local memory; and all of the keys, which there are, one block at a time.
void mg_attn_wide_rows(MgAttnUnits *u, MgKBlock *b);
void mg_attn_wide_keys(MgAttnUnits *u, MgKBlock *b, const MgKx *keys, const MgKx *blocks);

// gpu_attention_seen.c -------------------------------------------------------------------------
// Finds whether rows see but some keys (u->g.t.seen), before buffers are made.
void mg_attn_find_seen(MgAttnUnits *u);
// The phase before the others, if so.
void mg_attn_sum_unseen(MgAttnUnits *u);
// How many blocks of keys the group's rows see, but at least one.
const MgKx *mg_attn_seen_blocks(MgAttnUnits *u, MgKBlock *b, const MgKx *keys);
// The rows' results begin with what the blocks from `blocks` on add.
void mg_attn_begin_behind(MgAttnUnits *u, MgKBlock *b, const MgKx *batch, const MgKx *blocks);

// gpu_attention_rows.c -------------------------------------------------------------------------
// A number for each of an item's rows.
typedef const MgKx *MgUnitsRows[MG_UNITS_MOST_PARTS][2];
// An item's scores: of each row of its own a quarter of the keys.
typedef const MgKx *MgUnitsScores[MG_UNITS_MOST_PARTS][2][MG_UNITS_MOST_KEYS / MG_QUAD];

// Sets which rows the item has a part of.
void mg_attn_place_items(MgAttnUnits *u, MgKBlock *b);
void mg_attn_clear(MgAttnUnits *u, MgKBlock *b, MgKBufId sums, int64_t columns);
// The scores that the definition has, of the keys from `first` on, and the largest of each row,
// which the other items of the row see behind a barrier. n: keys of the block (NULL: all are
// there); those behind are -inf.
void mg_attn_finish_scores(MgAttnUnits *u, MgKBlock *b, const MgKx *first, const MgKx *n,
                           MgUnitsScores x);
// The largest scores so far, and what they make of earlier sums.
void mg_attn_raise_peaks(MgAttnUnits *u, MgKBlock *b, MgUnitsRows shift, MgUnitsRows scale);
// The rows' scores become weights, which are added up, and go to where the second product has its
// rows.
void mg_attn_weigh(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x, MgUnitsRows shift,
                   MgUnitsRows scale);
void mg_attn_rescale(MgAttnUnits *u, MgKBlock *b, MgUnitsRows by);
// The rows' results: divided by what their weights sum up to, and stored.
void mg_attn_finish_rows(MgAttnUnits *u, MgKBlock *b);

static inline uint32_t mg_units_row(uint32_t part, uint32_t half) { // of an item's, its number
    return part * 2 + half;
}

#endif
