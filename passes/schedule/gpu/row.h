// A group of rows on a GPU: what the choice (row.c) and the emission (row_emit.c) share.
#ifndef MG_PASSES_SCHEDULE_GPU_ROW_H
#define MG_PASSES_SCHEDULE_GPU_ROW_H

#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/group/nest.h"

enum { MG_ROWS_SYM = MG_GROUP_LOOPS - 1, MG_ROWS_ROUNDS = 32, MG_ROWS_CACHED = 12 };

typedef struct MgRows {
    MgGroup *gr;
    uint32_t inner, reduces;       // nests that have elements along the row; that reduce it
    MgGpuRow p;                    // the plan
    uint32_t rounds;               // the vectors of an item
    bool straight;                 // memory runs along rows
    uint32_t whole;                // elements at a multiple of which all rows begin; a power of two
    int64_t longest;               // the bytes of the largest element that is read along a row
    const MgNest *nest;            // NULL: the form has no text
    uint32_t axes[MG_GROUP_LOOPS]; // the axes of the rows, in the order in which rows are numbered
    MgTogether together;           // two reductions that read memory once
    // Those along the row that several nests read; behind them, until n_read, those that one nest
    // reads; then, until n_single, those with one element for each row.
    MgGpuRead cached[MG_ROWS_CACHED];
    uint32_t n_cached, n_read, n_single;
    const bool *common;     // by nest: it is the same for all rows; NULL: none is
    const MgKx **kept;      // [nest or n_nests + cached][round]
    const MgKx *me, *first; // the number of this item in its row, and of its row's first item in
                            // the group
    const MgKx *valid;      // does this row exist? NULL: always
    const MgKx *position[MG_ROWS_ROUNDS],
        *inside[MG_ROWS_ROUNDS]; // of each round; NULL: all are inside
} MgRows;

// The nest that makes v; NULL: v is from outside.
const MgGroupNest *mg_gpu_row_maker(const MgGroup *gr, MgValueId v);
// The items of a group, which has whole rows.
static inline int64_t mg_gpu_row_group(const MgRows *r) {
    return r->p.rows * r->p.items;
}
// Has the nest elements along the row? If not, it has one value for each row.
static inline bool mg_gpu_row_inner(const MgGroup *gr, const MgGroupNest *n) {
    return n->piece->n_free > gr->depth;
}
// Makes the nest's own indices the digits of the position in the row.
void mg_gpu_row_enter(MgRows *r, const MgGroupNest *n);
// Writes the kernel's body.
void mg_gpu_rows_emit(void *rows);

// row_emit.c: what row_parts.c shares.
//
// Opens the loop over groups for `rows` rows. Returns the number of this item's row.
const MgKx *mg_gpu_rows_open(MgRows *r, MgKBlock **block, const MgKx *rows);
const MgKx *mg_gpu_row_count(MgRows *r);
// The block that only the first item of a row enters, if the row exists.
MgKBlock *mg_gpu_row_first(MgRows *r, MgKBlock *block);
void mg_gpu_row_set(MgRows *r, MgKBlock *block, const MgKx *row);
// The point of the nest at round `round` of the row; negative: outside the row's loops (one value
// per row).
MgPoint mg_gpu_row_point(MgRows *r, const MgGroupNest *n, MgKBlock *block, int round);
// An item's part of a reduction over [low, high) of the row, read from memory.
const MgKx *mg_gpu_row_stream(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *low,
                              const MgKx *high);
// A value of the whole row: keeps it, and its first item stores it.
void mg_gpu_row_leave(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *x);
// Combines a value of each item of a row, in one fixed order. Every item gets the result.
const MgKx *mg_gpu_row_meet(MgRows *r, MgKBlock *block, MgPrim prim, const MgKx *x);
// The value of the reduction, from the combined value of its row.
const MgKx *mg_gpu_row_finished(MgRows *r, const MgGroupNest *n, const MgKx *x);
// Emits a nest of the row, by its number.
void mg_gpu_row_nest(MgRows *r, MgKBlock *block, uint32_t number);
// Sets the positions of the item's elements, and loads what is cached.
void mg_gpu_row_begin(MgRows *r, MgKBlock *block);
// row_common.c: which nests are the same for all rows, so that a group of several rows computes
// them once; NULL if none is. And begins such rows: computes what is in common.
const bool *mg_gpu_rows_common(const MgRows *r);
void mg_gpu_rows_share(MgRows *r, MgKBlock *block);
// row_parts.c: the kernel for rows that are reduced in parts, or whose reductions have more
// than a leader.
void mg_gpu_row_parts(MgRows *r);

// Is a loop from low to high known to have no trip?
static inline bool mg_gpu_row_empty(const MgKx *low, const MgKx *high) {
    return low->kind == MG_KX_CONST && high->kind == MG_KX_CONST && low->bits == high->bits;
}

#endif
