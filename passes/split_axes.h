// Splits axes of values, and the indices that walk them, in two: what the passes split and unmerge
// share. Nothing moves, since elements stay in their order.
#ifndef MG_PASSES_SPLIT_AXES_H
#define MG_PASSES_SPLIT_AXES_H

#include "passes/rewrite.h"

enum { MG_SPLIT_MOST = 60 }; // indices

typedef struct MgAxisCut { // a cut of a value's axis, or of an op's index
    bool is;
    uint32_t axis;
    MgIx outer, inner; // sizes of the parts
    MgSym names[2];    // of the parts' indices
} MgAxisCut;

typedef struct MgSplit {
    MgGraph *g;
    MgPassContext *context;
    MgReaders readers;
    bool reductions; // these follow, too
    bool *pinned;    // by value id: its shape stays
    MgAxisCut *of_value, *of_op;
    MG_VEC(MgValueId) cuts; // the values that are cut
    MgOpId op;              // the op whose reads are checked or rewritten
    const MgPiece *piece;
    MgIxRanges ranges; // of the piece
    const MgAxisCut *cut;
    MgValueId value; // the value to look for
    uint32_t axis;
    bool ok, found;
} MgSplit;

// Does splitting begin at the op, and with which cut of its result? If the op's own index is to be
// cut in the same way, the function sets s->of_op.
typedef bool MgSplitSeed(MgSplit *s, MgOpId op, MgAxisCut *cut);

// Splits axes as long as splitting begins somewhere, and in the equations after these that read the
// axis by the same index. Elementwise ones follow, and with `reductions` all.
bool mg_split_axes(MgGraph *g, MgPassContext *context, MgSplitSeed *seed, bool reductions);
// May the value's axis be cut? All readers must find the parts of its subscript inside.
bool mg_split_may_cut(MgSplit *s, MgValueId v, const MgAxisCut *cut);
// Are all readers of v equations that follow?
bool mg_split_all_follow(MgSplit *s, MgValueId v, const MgAxisCut *cut);

#endif
