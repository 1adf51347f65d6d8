// What the planning (merge.c) and the making (merge_make.c) of a merge share.
#ifndef MG_PASSES_MERGE_PLAN_H
#define MG_PASSES_MERGE_PLAN_H

#include "passes/merge.h"

// Operands of a step: numbers from STEP on are results of other steps, from JOINED on joined
// tensors.
enum { MG_MERGE_IN_STEP = 1u << 30, MG_MERGE_IN_JOINED = 1u << 31, MG_MERGE_INDICES = 60 };

static inline MgValueId mg_merge_result_of(const MgMerge *m, MgOpId id) {
    return mg_op(m->g, id)->results[0];
}

static inline uint32_t mg_merge_position(const MgMerge *m, MgOpId id) {
    return m->index->position.at[id];
}

// Update the index: the op is new or reads something new; the op is new and precedes another; a
// copy has replaced the value as an output (mg_output_apart).
void mg_merge_index_op(MgMergeIndex *x, MgGraph *g, MgOpId id);
void mg_merge_index_before(MgMergeIndex *x, MgGraph *g, MgOpId id, MgOpId before);
void mg_merge_index_output(MgMergeIndex *x, MgGraph *g, MgValueId v);

// The step whose result, from start[*part] on, replaces v for the reader `reader` (MG_NONE: after
// all steps). UINT32_MAX if there is none.
uint32_t mg_merge_step_of(const MgMerge *m, MgValueId v, MgOpId reader, uint32_t *part);
// The read with operand `to`, shifted by `by` along the axis.
const MgSx *mg_merge_moved(MgModule *module, const MgSx *read, uint32_t to, uint32_t axis, MgIx by);
// The op of the graph's body that contains `at`.
MgOpId mg_merge_in_body(MgGraph *g, MgOpId at);

#endif
