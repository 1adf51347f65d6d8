// Groups that look back at what earlier ones have posted, in one launch instead of two.
//
// Each group takes a part of a row, in the order in which groups begin, and posts its own total.
// Then it combines the totals of all earlier parts of the row, in their order: so the result is the
// same in each run. In long rows, the last of as many parts as a group has items posts their total,
// and later parts combine these.
// Merrill, Garland: "Single-pass parallel prefix scan with decoupled look-back", 2016, in which
// groups also use what others have combined, which for floats would depend on time.
#ifndef MG_PASSES_SCHEDULE_GPU_LOOK_BACK_H
#define MG_PASSES_SCHEDULE_GPU_LOOK_BACK_H

#include "passes/schedule/gpu/gpu.h"

typedef struct MgLookBack {
    MgKb *kb;
    MgDType type; // of totals
    MgReducer reducer;
    int64_t items;   // of a group
    MgIx rows;       // their number
    int64_t parts;   // of a row
    MgKBufId totals; // in local memory: two for each item
    // Set by mg_look_back_begin:
    int64_t blocks;       // of parts in a row; 0: each part combines all earlier ones
    MgKBufId turns, turn; // the parts that groups have taken; the group's own
    MgKBufId posts;
    const MgKx *all, *none; // the number of parts, and of the post of a neutral total
} MgLookBack;

typedef struct MgLookBackAt { // a part: the number of its row's first part, and its own in the row;
                              // the row's
    const MgKx *first, *number, *row;
} MgLookBackAt;

// Are totals of that type posted, and parts of a row few enough?
bool mg_look_back_fits(MgDType type, int64_t items, int64_t parts);
// Clears the posts, up to a barrier over the grid.
void mg_look_back_begin(MgLookBack *l);
// The number of the next part, for a group in a loop over as many groups as there are parts. All
// items must meet before the next turn.
const MgKx *mg_look_back_turn(MgLookBack *l, MgKBlock *block);
// Posts the part's total, and returns that of all earlier ones of the row. All items of the group
// have met after it.
const MgKx *mg_look_back(MgLookBack *l, MgKBlock *block, const MgLookBackAt *at, const MgKx *total);

#endif
