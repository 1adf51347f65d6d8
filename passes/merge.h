// Merges equations whose boxes differ along at most one index into one equation, over their boxes laid
// end to end along that index.
//
//   q[n, i in 0..8]  = sum[k] x[n, k] * a[i, k]      y[n, i in 0..12] = sum[k] x[n, k] * ab[i, k]
//   v[n, i in 0..4]  = sum[k] x[n, k] * b[i, k]      ab: a, then b; v[n, i] is y[n, i + 8]
//
// Operands that differ are concatenated: once if they never change; in every run otherwise, and then
// only those of reductions. Where expressions differ in another way, the index selects one. That is
// not done in a reduction, which would select at each of its points. An output that is merged becomes
// a copy of its part. A merge is planned step by step, one set of ops per step, and changes the graph
// only when it is made.
#ifndef MG_PASSES_MERGE_H
#define MG_PASSES_MERGE_H

#include "passes/rewrite.h"

enum { MG_MERGE_PARTS = 16, MG_MERGE_STEPS = 8, MG_MERGE_JOINED = 32 };

// What is looked up about values and ops. It is kept while merges are made, so that one of them
// costs what it touches and not what the graph has.
typedef struct MgMergeValue {
    bool pinned; // something other than an equation sees its shape
    bool output;
    MG_VEC(MgOpId) readers; // and ops that were: ask mg_op_reads
} MgMergeValue;

typedef struct MgMergeIndex {
    MgArena *arena;
    MG_VEC(MgMergeValue) values;
    MG_VEC(uint32_t)
    position; // by op id: an order of the ops of a region. Those made before one op
              // may be equal
} MgMergeIndex;

MgMergeIndex *mg_merge_index(MgGraph *g, MgArena *arena);

typedef struct MgMergeStep {
    MgOpId op[MG_MERGE_PARTS];  // by part; MG_NONE: its value stays what it was
    MgOpId at;                  // the first of them: where the step will stand
    const MgSx *expr;           // over the merged box; its reads are of `operands`
    MG_VEC(MgValueId) operands; // values, or numbers of steps and joined tensors
    MgValueId result;           // once it is made
} MgMergeStep;

typedef struct MgMergeJoined { // tensors, one behind the other
    MgValueId part[MG_MERGE_PARTS];
    uint32_t axis;
    MgValueId result; // once it is made
} MgMergeJoined;

typedef struct MgMerge {
    MgGraph *g;
    MgArena *arena;
    MgMergeIndex *index;
    uint32_t axis, n; // the index, and how many parts
    MgIx start[MG_MERGE_PARTS + 1];
    MgMergeStep steps[MG_MERGE_STEPS];
    uint32_t n_steps;
    MgMergeJoined joined[MG_MERGE_JOINED];
    uint32_t n_joined;
    MgValueId value[MG_MERGE_PARTS]; // the latest of each part
    int64_t extra;   // operations that a point costs more than without the merge, by choosing
    const char *why; // of what could not be merged
} MgMerge;

// Plans to merge reductions, equal but for their boxes along `axis` and for the tensors that they
// read whole. False with a reason; then the merge is as it was.
bool mg_merge_begin(MgMerge *m, const MgOpId *ops, uint32_t n);
// Plans to merge elementwise ops, each (or none: MG_NONE) over the values of its part. False with a
// reason; then the merge is as it was.
bool mg_merge_step(MgMerge *m, const MgOpId *ops);
// May every reader of v read a larger value in its place: is it never outside of v along the axis?
bool mg_merge_may_move(const MgMerge *m, MgValueId v);
// Parameters and constants, and what is made of such alone, or of its indices.
bool mg_merge_never_changes(MgGraph *g, MgValueId v);
// The part whose value v the merge replaces, or UINT32_MAX.
uint32_t mg_merge_part_of(const MgMerge *m, MgValueId v);
// Changes the graph. The merged ops are erased, but stay in the lists of their regions.
void mg_merge_make(MgMerge *m);

#endif
