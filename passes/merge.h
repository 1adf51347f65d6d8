// Merges equations whose boxes differ along at most one index into one equation. The boxes are laid
// end to end along that index.
//
//   q[n, i in 0..8]  = sum[k] x[n, k] * a[i, k]      y[n, i in 0..12] = sum[k] x[n, k] * ab[i, k]
//   v[n, i in 0..4]  = sum[k] x[n, k] * b[i, k]      ab: a, then b; v[n, i] is y[n, i + 8]
//
// Operands that differ are concatenated: once if they never change, otherwise in every run, and
// then only the operands of reductions. If expressions differ in another way, the index selects one
// of them. In a reduction this is not done, because it would select at each of its points. A merged
// output becomes a copy of its part. A merge is planned step by step, one set of ops per step, and
// changes the graph only when it is made.
#ifndef MG_PASSES_MERGE_H
#define MG_PASSES_MERGE_H

#include "passes/rewrite.h"

enum { MG_MERGE_PARTS = 16, MG_MERGE_STEPS = 8, MG_MERGE_JOINED = 32 };

// Facts about values and ops. They are kept up to date while merges are made, so the cost of a
// merge depends on what it touches, not on the graph's size.
typedef struct MgMergeValue {
    bool pinned; // something other than an equation depends on its shape
    bool output;
    MG_VEC(MgOpId) readers; // readers and former readers: ask mg_op_reads
} MgMergeValue;

typedef struct MgMergeIndex {
    MgArena *arena;
    MG_VEC(MgMergeValue) values;
    // By op id: its position in its region. Ops made before the same op may have equal positions.
    MG_VEC(uint32_t) position;
} MgMergeIndex;

MgMergeIndex *mg_merge_index(MgGraph *g, MgArena *arena);

typedef struct MgMergeStep {
    MgOpId op[MG_MERGE_PARTS]; // by part; MG_NONE: its value is unchanged
    MgOpId at;                 // the first of them, where the new op will be placed
    const MgSx *expr;          // over the merged box; it reads `operands`
    MgDistinct operands;       // values, or numbers of steps and of joined tensors
    MgValueId result;          // set once it is made
} MgMergeStep;

typedef struct MgMergeJoined { // tensors to concatenate
    MgValueId part[MG_MERGE_PARTS];
    uint32_t axis;
    MgValueId result; // set once it is made
} MgMergeJoined;

typedef struct MgMerge {
    MgGraph *g;
    MgArena *arena;
    MgMergeIndex *index;
    uint32_t axis, n; // the index, and the number of parts
    MgIx start[MG_MERGE_PARTS + 1];
    MgMergeStep steps[MG_MERGE_STEPS];
    uint32_t n_steps;
    MgMergeJoined joined[MG_MERGE_JOINED];
    uint32_t n_joined;
    MgValueId value[MG_MERGE_PARTS]; // the latest value of each part
    int64_t extra;                   // operations per point for choosing an expression
    const char *why;                 // why something could not be merged
} MgMerge;

// Plans to merge reductions that are equal except for their boxes along `axis` and for tensors that
// they read as a whole. False with a reason; then the merge is unchanged.
bool mg_merge_begin(MgMerge *m, const MgOpId *ops, uint32_t n);
// Plans to merge elementwise ops over the parts' values; an op may be MG_NONE. False with a reason;
// then the merge is unchanged.
bool mg_merge_step(MgMerge *m, const MgOpId *ops);
// Could every reader of v read a larger value instead? It could if it never reads outside v along
// the axis.
bool mg_merge_may_move(const MgMerge *m, MgValueId v);
// Is v a parameter or constant, or computed only from such values or from its indices?
bool mg_merge_never_changes(MgGraph *g, MgValueId v);
// The part whose value v the merge replaces, or UINT32_MAX.
uint32_t mg_merge_part_of(const MgMerge *m, MgValueId v);
// Changes the graph. The merged ops are erased, but stay in the lists of their regions.
void mg_merge_make(MgMerge *m);

#endif
