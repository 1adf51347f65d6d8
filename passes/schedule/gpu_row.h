// A group of rows on a GPU: shared by what is chosen (gpu_row.c) and what is written
// (gpu_row_emit.c).
#ifndef MG_PASSES_SCHEDULE_GPU_ROW_H
#define MG_PASSES_SCHEDULE_GPU_ROW_H

#include "passes/schedule/gpu.h"
#include "passes/schedule/group_nest.h"
#include "passes/schedule/monoid.h"

enum { MG_ROWS_SYM = MG_GROUP_LOOPS - 1, MG_ROWS_ROUNDS = 32, MG_ROWS_CACHED = 8 };

typedef struct MgCached { // a value from outside that several nests read at the row's own point
    MgValueId value;
    MgOpId op; // one that reads it
    const MgSx *read;
    MgIx address;
    uint32_t readers;
    bool ok;
} MgCached;

typedef struct MgRows {
    MgGroup *gr;
    int64_t width;      // elements of a row
    uint32_t items;     // that share a row; a power of two
    uint32_t group;     // items of a group: a whole number of rows
    uint32_t lanes;     // elements an item takes at once
    uint32_t rounds;    // of vectors an item has
    bool straight;      // memory runs along rows
    bool across;        // memory runs across rows: neighbouring items have neighbouring rows
    bool stream;        // nothing of the row is kept: any number of rounds
    uint32_t side;      // vectors that an item reads at once then
    const MgNest *nest; // NULL: the form has no text
    uint32_t axes[MG_GROUP_LOOPS]; // of the rows, as they are numbered
    int64_t chunks;                // parts of a row reduced apart; 1: the row is whole
    MgTogether together;           // two reductions in one reading
    MgCached cached[MG_ROWS_CACHED];
    uint32_t n_cached;
    const MgKx **kept;      // [nest or n_nests + cached][round]
    const MgKx *me, *first; // number of this item in its row, of its row's first in the group
    const MgKx *valid;      // is there such a row? NULL: always
    const MgKx *position[MG_ROWS_ROUNDS],
        *inside[MG_ROWS_ROUNDS]; // of each round; NULL: always inside
} MgRows;

// Makes the nest's own indices digits of the position in the row.
void mg_gpu_row_enter(MgRows *r, const MgGroupNest *n);
// Writes the kernel's body.
void mg_gpu_rows_emit(MgRows *r);

// gpu_row_emit.c: what gpu_row_parts.c shares.
// Opens the loop over groups for `rows` rows; gives the number of this item's row.
const MgKx *mg_gpu_rows_open(MgRows *r, MgKBlock **block, const MgKx *rows);
const MgKx *mg_gpu_row_count(MgRows *r);
// The block that only the first item of a row enters, where there is a row.
MgKBlock *mg_gpu_row_first(MgRows *r, MgKBlock *block);
void mg_gpu_row_set(MgRows *r, MgKBlock *block, const MgKx *row);
// The row's position is at round `round`; negative: there is none (a scalar of the row).
MgPoint mg_gpu_row_point(MgRows *r, const MgGroupNest *n, MgKBlock *block, int round);
// A reduction's sum over [low, high) of the row, from memory: what an item adds to it.
const MgKx *mg_gpu_row_stream(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *low,
                              const MgKx *high);
// A value of the whole row: kept, and stored by its first item.
void mg_gpu_row_leave(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *x);
// All items of a row give a value; each gets all of them combined, in one order.
const MgKx *mg_gpu_row_meet(MgRows *r, MgKBlock *block, MgPrim prim, const MgKx *x);
// The value that the reduction gives, from all of its row combined.
const MgKx *mg_gpu_row_finished(MgRows *r, const MgGroupNest *n, const MgKx *x);
// A nest of the row, by its number.
void mg_gpu_row_nest(MgRows *r, MgKBlock *block, uint32_t number);
// gpu_row_parts.c: the kernel of rows of which parts are reduced apart, or whose reductions have
// more than a leader.
void mg_gpu_row_parts(MgRows *r);

// A loop from low to high is known to have no turn.
static inline bool mg_gpu_row_empty(const MgKx *low, const MgKx *high) {
    return low->kind == MG_KX_CONST && high->kind == MG_KX_CONST && low->bits == high->bits;
}

#endif
