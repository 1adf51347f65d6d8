// A window being scheduled: shared by its recognition and reduction (window.c) and the staging of
// what it reads (window_stage.c).
#ifndef MG_PASSES_SCHEDULE_WINDOW_H
#define MG_PASSES_SCHEDULE_WINDOW_H

#include "passes/schedule/schedule.h"

enum { SYM_TOP = 48, SYM_ROW = 49, SYM_COLUMN = 50, N_SYMS = 64, NONE = -1 };

// A free and a bound index that meet in subscripts, as stride*free + dilation*bound + offset.
typedef struct Pair {
    int free, bound;                // NONE: there is no such index
    int64_t stride, dilation, taps; // taps: extent of the bound index
    bool common;                    // all their sums have one offset, in axes of one size:
    MgIx offset, size;
} Pair;

typedef struct Window {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *staged, *factor; // E, and F or NULL
    Pair row, column;
    int64_t slices;       // points of the bound indices that are in no pair
    uint32_t lanes, tile; // output rows that a stage serves
    int64_t rows;         // of a stage
    MgIx columns, pitch;  // of E that windows reach; of a row's phase
    MgKBufId stage, acc;
    const MgKx *stage_base, *pitch_x;
    MgIx with[N_SYMS], low[N_SYMS], high[N_SYMS];
    const MgKx *loop[N_SYMS];
} Window;

static inline const MgKx *mg_window_int(Window *w, int64_t v) {
    return mg_kint(w->kb.k, v);
}

// x = coefficient * index + *rest, the coefficient a positive constant?
bool mg_window_split(Window *w, MgIx x, int index, int64_t *coefficient, MgIx *rest);
MgPoint mg_window_point(Window *w, MgOpId op, MgKBlock *block, int vector, const MgKx *mask);
// Makes the bound indices that are in no pair those of slice `number`.
void mg_window_slice(Window *w, int64_t number);
// Element of the stage at a row (of slice * rows + row) and phase, plus `at`.
const MgKx *mg_window_at(Window *w, const MgKx *row, int64_t phase, const MgKx *at);
// Fills the stage for the tile of rows at loop symbol SYM_TOP.
void mg_window_stage(Window *w, MgKBlock *block);

#endif
