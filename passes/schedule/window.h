// A window being scheduled: shared by its recognition (window_find.c), its plan (window_plan.c),
// its reduction (window.c) and the staging of what it reads (window_stage.c); or without a stage
// (window_lie.c, window_apart.c).
#ifndef MG_PASSES_SCHEDULE_WINDOW_H
#define MG_PASSES_SCHEDULE_WINDOW_H

#include "passes/schedule/form.h"

enum {
    MG_WINDOW_TOP = 48,
    MG_WINDOW_ROW = 49,
    MG_WINDOW_COLUMN = 50,
    MG_WINDOW_SYMS = MG_FORM_SYMS,
    MG_WINDOW_NONE = -1,
    MG_WINDOW_LINE_LOADS = 16
};
enum { MG_WINDOW_STRIDE = 64 }; // a stage has a line for every phase, and a row for every step

// A free and a bound index that meet in subscripts, as stride*free + dilation*bound + offset.
typedef struct MgWindowPair {
    int free, bound;                // NONE: there is no such index
    int64_t stride, dilation, taps; // taps: extent of the bound index
    bool common;                    // all their sums have one offset, in axes of one size:
    MgIx offset, size;
} MgWindowPair;

typedef struct MgWindow {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *staged, *factor; // E, and F or NULL
    MgWindowPair row, column;
    int64_t slices; // points of the bound indices that are in no pair
    // The plan.
    uint32_t lanes, tile; // output rows that a stage serves
    int64_t chunk;        // columns of the result that a stage serves; 0: all
    bool apart;           // no two windows share an element: nothing is staged
    bool lies;            // what is read lies in memory as windows take it: nothing is staged
    bool shared;          // by cores
    bool separate;        // tiles have a loop of their own, in that over the outer indices
    // What follows from it.
    int64_t rows; // of a stage
    bool edge;    // of what lies: the open vector may reach past an end of its line;
    const MgKx *masks[MG_WINDOW_LINE_LOADS]; // then: what of each load doesn't
    MgIx columns, reach; // of E that windows reach; of a phase, in whole vectors
    MgIx pitch;          // of a phase in the stage
    int64_t span;        // positions of a phase that these need
    const MgKx *first;   // of these
    uint32_t open;       // output rows whose sums are made at once: the tile's, or what is left
    const MgKx *open_at; // the first of them in the tile
    const MgKx *line;    // that is being staged: of slice * rows + row
    MgKBufId stage, acc, taps;
    const MgKx *stage_base, *pitch_x;
    MgLoops at;
} MgWindow;

static inline const MgKx *mg_window_int(MgWindow *w, int64_t v) {
    return mg_kint(w->kb.k, v);
}

static inline MgIx mg_window_extent(const MgWindow *w, int index) { // MG_WINDOW_NONE: 1
    return index == MG_WINDOW_NONE ? mg_ix_const(w->s->ix, 1) : w->piece->indices[index].high;
}

static inline int64_t mg_window_known(const MgWindow *w, MgIx x) { // -1: it is not
    int64_t v;
    return mg_ix_is_const(w->s->ix, x, &v) ? v : -1;
}

// window_plan.c: rows of E that so many rows of the result are made of; what follows from a plan;
// the plan that rules choose, as a nest, and that a nest says (false: it is not possible, which has
// been told).
int64_t mg_window_rows(const MgWindow *w, int64_t results);
void mg_window_derive(MgWindow *w);
bool mg_window_choose(MgWindow *w);
uint64_t mg_window_axes(const MgWindow *w); // positions of the free indices of its pairs, as bits
MgNest *mg_window_nest(MgWindow *w, MgNestScope *scope);
bool mg_window_read(MgWindow *w, const MgNest *nest, const MgNestScope *scope);

// window_find.c: fills in what is found of the unit's only equation and its epilogue; false: it is
// no window.
bool mg_window_find(MgWindow *w);
// x = coefficient * index + *rest, the coefficient a positive constant?
bool mg_window_split(MgWindow *w, MgIx x, int index, int64_t *coefficient, MgIx *rest);
MgPoint mg_window_point(MgWindow *w, MgKBlock *block, int vector, const MgKx *mask);
// Makes the bound indices that are in no pair those of slice `number`.
void mg_window_slice(MgWindow *w, int64_t number);
// Element of the stage at a row (of slice * rows + row) and phase, plus `at`.
const MgKx *mg_window_at(MgWindow *w, const MgKx *row, int64_t phase, const MgKx *at);
// E with the place in the axes that windows go over as symbols MG_WINDOW_ROW and MG_WINDOW_COLUMN.
const MgSx *mg_window_places(MgWindow *w);
// Lane l is element l*stride + phase of the vectors, which follow one another along the columns.
const MgKx *mg_window_phase(MgWindow *w, const MgKx *const *vectors, int64_t phase);
// Fills the stage for the tile of rows at loop symbol MG_WINDOW_TOP.
void mg_window_stage(MgWindow *w, MgKBlock *block);

// window_apart.c: are they such windows? Opens the loop over the rows of the tile at
// MG_WINDOW_TOP; the reduction at columns `at` of the open row, not divided for a mean.
bool mg_window_is_apart(MgWindow *w);
MgKBlock *mg_window_apart_rows(MgWindow *w, MgKBlock *block);
const MgKx *mg_window_apart(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask);

// window_lie.c: may E be read where it lies, and is that better than a stage? The vectors of all
// taps of row `line` of the open rows, at columns `at`; all columns of the open rows.
bool mg_window_may_lie(MgWindow *w);
bool mg_window_lies(MgWindow *w);
// Asks early for what later tiles of a large image read, and for the lines that they write: whole
// vectors that end inside of lines go through the cache, and would wait for each.
void mg_window_ask(MgWindow *w, MgKBlock *block);
void mg_window_line(MgWindow *w, MgKBlock *block, int64_t slice, int64_t line, const MgKx *at,
                    const MgKx **taps);
void mg_window_line_columns(MgWindow *w, MgKBlock *block, const MgKx *const *factors);
// window.c: the open rows at columns `at`, finished and written.
void mg_window_columns(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask,
                       const MgKx *const *factors);

#endif
