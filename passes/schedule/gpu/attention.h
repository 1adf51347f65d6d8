// Attention on a GPU. One form has four kinds of kernels. attention_form.c chooses a plan, and
// attention_nest.c writes it as a nest and reads it from one. The kernels are in attention.c
// (tiles), attention_few.c, attention_units.c and attention_wide.c; attention_parts.c joins parts
// of the keys.
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_H

#include "passes/schedule/attention/attention.h"
#include "passes/schedule/gpu/gpu.h"

typedef enum MgGpuAttnKind {
    MG_GPU_ATTN_TILES, // an item sums tiles in registers
    MG_GPU_ATTN_FEW,   // an item has a key, for few rows
    MG_GPU_ATTN_UNITS, // 32 items multiply by matrix units together
    MG_GPU_ATTN_WIDE   // 128 items do
} MgGpuAttnKind;

typedef struct MgGpuAttnPlan {
    MgGpuAttnKind kind;
    int64_t rows, keys;     // of a group's block. TILES: a group has as many items as rows;
                            // FEW: it has all rows, and as many items as keys
    int64_t parts;          // of the keys, each for a group; 1: a group has all keys
    int64_t depth, columns; // TILES: sizes of the part that is in local memory
    uint32_t key_lanes, value_lanes; // FEW: of a load
    bool skips;                      // UNITS, WIDE: blocks of keys that no row sees are left out
} MgGpuAttnPlan;

typedef struct MgGpuRows {
    MgKBufId buf;
    int64_t pitch; // elements from row to row
} MgGpuRows;

typedef struct MgGpuAttnItem {
    const MgKx *me, *x, *y; // its number, and its place in the tile
    const MgKx *row;        // the number of its row
} MgGpuAttnItem;

typedef struct MgGpuAttnGroup {
    const MgKx *batch, *part; // their numbers
    const MgKx *first;        // the first row
    const MgKx *left;         // the first column; NULL: 0
} MgGpuAttnGroup;

typedef struct MgGpuAttnFound { // in a part of the keys, for each row
    MgKBufId top, total;        // the largest score, and the sum of weights
    MgKBufId values;            // the weighted values
} MgGpuAttnFound;

typedef struct MgGpuAttn {
    MgAttn t;
    MgGpuAttnPlan plan;
    int64_t items;               // of a group
    uint32_t item_keys, vectors; // the keys of an item, and its vectors of columns
    int64_t depth, columns;      // sizes of the part that is in local memory
    bool deep, wide;             // the depth, or the columns, have several parts
    MgGpuRows q, k, v, p;        // in local memory; p has a row for each key
    MgKBufId scale;              // the scale of each row, in local memory
    MgKBufId scores, sums;       // the item's tiles: its scores, and its vectors of columns
    MgGpuAttnItem item;
    MgGpuAttnGroup group;
    MgGpuAttnFound found;
} MgGpuAttn;

// attention.c: stores finished columns of the current row, from `column` of the group's columns
// on. Columns past the last are not stored.
void mg_gpu_attention_leave(MgGpuAttn *g, MgKBlock *b, const MgKx *column, const MgKx *x);

// A kind of kernels.
typedef struct MgGpuAttnForm {
    // Chooses the plan. False if the unit does not suit, or another kind is better.
    bool (*choose)(MgGpuAttn *g);
    // Why there is no kernel of this plan; NULL: there is one.
    const char *(*misfit)(const MgGpuAttn *g);
    void (*emit)(MgGpuAttn *g); // the buffers and the body
} MgGpuAttnForm;
extern const MgGpuAttnForm mg_gpu_attn_tiles, mg_gpu_attn_few, mg_gpu_attn_units, mg_gpu_attn_wide;
const MgGpuAttnForm *mg_gpu_attn_form(MgGpuAttnKind kind);

// attention_units.c: the atoms of the products of scores, and of that with the values. False if a
// factor suits none.
bool mg_gpu_attn_atoms(const MgGpuAttn *g, MgAtom *scores, MgAtom *value);

// The rows of the items that multiply together by matrix units.
int64_t mg_gpu_attn_together(const MgGpuAttn *g);

// attention_nest.c: the plan of a MgGpuAttn as a nest, and back.
void mg_gpu_attn_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_gpu_attn_read(void *found, const MgGivenNest *given);

// The items of a tile's side, and the rows of an item; the columns of a row of items.
enum { MG_GPU_ATTN_ACROSS = 8, MG_GPU_ATTN_ROWS = 8, MG_GPU_ATTN_COLUMNS = 32 };
// Is the depth, or are the columns, of the plan a part of them?
static inline bool mg_gpu_attn_is_part(const MgGpuAttn *g, MgIx all, int64_t size) {
    int64_t n;
    return !mg_ix_is_const(g->t.s->ix, all, &n) || size < n;
}

// attention_parts.c -----------------------------------------------------------------------
// Opens the loop over groups, each of which has a block of `rows` rows (0: all) of a batch, a part
// of the keys, and a part of the columns if there are several. backwards: the last rows begin
// first.
MgKBlock *mg_gpu_attention_open(MgGpuAttn *g, int64_t rows, bool backwards);
// Scratch of `each` elements per batch that all groups see. Call it before making any buffer of a
// group.
MgKBufId mg_gpu_attention_scratch(MgAttn *t, const char *name, MgDType type, MgIx each);
enum { MG_GPU_ATTN_JOINED = 16 }; // parts that an item joins, at most
// The number of parts of the keys that gives every unit of the device a group.
int64_t mg_gpu_attention_choose_parts(const MgGpuAttn *g);
// Makes the buffers for what groups find in their parts.
void mg_gpu_attention_make_parts(MgGpuAttn *g);
// Opens the loop over blocks of `size` keys: all of them, or those of the group's part. *first is
// the block's first key, *last the last of all.
MgKBlock *mg_gpu_attention_blocks(MgGpuAttn *g, MgKBlock *block, int64_t size, const MgKx **first,
                                  const MgKx **last);
// The place of a row in the buffers for the group's part of the keys.
const MgKx *mg_gpu_attention_place(MgGpuAttn *g, const MgKx *row);
// Stores the largest score and the sum of the item's row.
void mg_gpu_attention_keep(MgGpuAttn *g, MgKBlock *block);
// Emits the second phase, which joins the parts.
void mg_gpu_attention_join(MgGpuAttn *g);

#endif
