// Scheduling of windows: what their recognition (find.c), their plan (plan.c), the
// reduction (window.c) and the staging of operands (stage.c) share. Some windows need no
// stage (lie.c, apart.c).
#ifndef MG_PASSES_SCHEDULE_WINDOW_WINDOW_H
#define MG_PASSES_SCHEDULE_WINDOW_WINDOW_H

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

// A free and a bound index that meet in subscripts: stride*free + dilation*bound + offset.
typedef struct MgWindowPair {
    int free, bound;                // NONE: there is no such index
    int64_t stride, dilation, taps; // taps: extent of the bound index
    bool common;                    // all their sums have the same offset, in axes of the same
                                    // size:
    MgIx offset, size;
} MgWindowPair;

typedef struct MgWindowPlan {
    uint32_t lanes, tile; // the number of output rows that a stage serves
    int64_t chunk;        // columns of the result that a stage serves; 0: all
    bool apart;           // no two windows share an element: nothing is staged
    bool lies;            // E can be read in place: nothing is staged
    bool shared;          // cores share the tiles
    bool separate;        // tiles have a loop of their own, inside that over the outer indices
} MgWindowPlan;

typedef struct MgWindowStage { // the copy of E that serves a tile; it follows from the plan
    int64_t rows;
    MgIx columns, reach; // the columns of E that windows reach; the columns of a phase, in whole
                         // vectors
    MgIx pitch;          // the elements of a phase in the stage
    int64_t span;        // the positions of a phase that are needed
    const MgKx *first;   // the first of them
    const MgKx *line;    // the line that is being staged: a row of slice * rows + row
    MgKBufId buf;
    const MgKx *base, *pitch_x;
} MgWindowStage;

typedef struct MgWindowNow { // the output rows whose sums are computed together
    uint32_t rows;           // their number: the tile's, or the remainder
    const MgKx *first;       // the first of them in the tile
    bool edge; // E is read in place, and the current vector may reach past an end of its line
    const MgKx *masks[MG_WINDOW_LINE_LOADS]; // in that case, the lanes of each load that are inside
} MgWindowNow;

typedef struct MgWindow {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *staged, *factor; // E, and F or NULL (window.c)
    MgWindowPair row, column;
    int64_t slices; // the number of points of the bound indices that are in no pair
    MgWindowPlan plan;
    MgWindowStage stage;
    MgWindowNow now;
    MgKBufId acc, taps;
    MgLoops at;
} MgWindow;

static inline MgIx mg_window_extent(const MgWindow *w, int index) { // MG_WINDOW_NONE: 1
    return index == MG_WINDOW_NONE ? mg_ix_const(w->s->ix, 1) : w->piece->indices[index].high;
}

static inline const MgKx *mg_window_ix(MgWindow *w, MgIx x) { // in the kernel
    return mg_kb_ix(&w->kb, x, w->at.loop);
}

static inline int64_t mg_window_known(const MgWindow *w, MgIx x) { // -1: it is not
    return mg_ix_const_or(w->s->ix, x, -1);
}

// plan.c: the number of rows of E that `results` rows of the result need; what follows from
// a plan; the plan by rules; the plan as a nest; and the plan of a nest (false after a diagnostic).
int64_t mg_window_rows(const MgWindow *w, int64_t results);
void mg_window_derive(MgWindow *w);
bool mg_window_choose(void *found);
uint64_t mg_window_axes(const MgWindow *w); // the free indices of its pairs, as bits
void mg_window_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_window_read(void *found, const MgGivenNest *given);

// find.c: fills in what it finds in the unit's only equation and its epilogue. False if the
// equation is not a window.
bool mg_window_find(MgWindow *w);
// Is x = coefficient * index + *rest, with a positive constant coefficient?
bool mg_window_split(const MgWindow *w, MgIx x, int index, int64_t *coefficient, MgIx *rest);
MgPoint mg_window_point(MgWindow *w, MgKBlock *block, int vector, const MgKx *mask);
// Sets the bound indices that are in no pair to the point of slice `number`.
void mg_window_slice(MgWindow *w, int64_t number);
// Places along the axes of windows are inside what is read.
void mg_window_inside(MgWindow *w);
// The stage's element at a row (slice * rows + row) and phase, plus `at`.
const MgKx *mg_window_at(MgWindow *w, const MgKx *row, int64_t phase, const MgKx *at);
// E with its place along the axes of windows as symbols MG_WINDOW_ROW and MG_WINDOW_COLUMN.
const MgSx *mg_window_places(MgWindow *w);
// Lane l is element l*stride + phase of the vectors, which are consecutive along the columns.
const MgKx *mg_window_phase(MgWindow *w, const MgKx *const *vectors, int64_t phase);
// Fills the stage for the tile of rows at loop symbol MG_WINDOW_TOP.
void mg_window_stage(MgWindow *w, MgKBlock *block);

// apart.c: do no two windows share an element; opens the loop over the rows of the tile at
// MG_WINDOW_TOP; and reduces the windows at columns `at` of the current row, before a mean divides.
bool mg_window_is_apart(MgWindow *w);
MgKBlock *mg_window_apart_rows(MgWindow *w, MgKBlock *block);
const MgKx *mg_window_apart(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask);

// lie.c: may E be read in place, and is that better than a stage; loads the vectors of all
// taps of row `line` of the current rows, at columns `at`; and emits all columns of the current
// rows.
bool mg_window_may_lie(MgWindow *w);
bool mg_window_lies(MgWindow *w);
// Prefetches what later tiles of a large image read, and the lines that they write: whole vectors
// that end inside lines are stored through the cache, which would wait for each line.
void mg_window_ask(MgWindow *w, MgKBlock *block);
void mg_window_line(MgWindow *w, MgKBlock *block, int64_t slice, int64_t line, const MgKx *at,
                    const MgKx **taps);
void mg_window_line_columns(MgWindow *w, MgKBlock *block, const MgKx *const *factors);
// window.c: computes the current rows at columns `at`, finishes them and stores them.
void mg_window_columns(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask,
                       const MgKx *const *factors);

#endif
