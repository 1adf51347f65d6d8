// The state of the fuse pass: groups while they grow. fuse.c joins them, fuse_group.c decides
// whether ops can be one group, and fuse_attention.c makes a group of an attention.
#ifndef MG_PASSES_FUSE_H
#define MG_PASSES_FUSE_H

#include "passes/rewrite.h"

typedef struct MgFuseMember {
    MgOpId op;
    bool reduces;
    bool product; // a contraction, whose schedule takes no inner axes
    bool inner;   // a step of an attention except its last; later kernels may read it if it has
                  // one value for each row
} MgFuseMember;

typedef struct MgFuseGroup {
    MG_VEC(MgFuseMember)
    members;                     // in order: the steps of an attention or a product, then the
                                 // others
    uint32_t depth;              // number of leading indices that all members share
    bool reduces, product, rows; // rows: a member has inner axes
    bool row_end;                // it is a product and the ops that follow it row by row
                                 // (row_end.h)
    bool attention;
    bool closed;
    // Why it is closed from the beginning; NULL: it was closed because a reader outside read from
    // it.
    const char *closed_why;
    MG_VEC(MgOpId) readers; // the readers outside, in order; kept only for --explain
    uint32_t merged_into;   // the later group that took its members; 0: none
} MgFuseGroup;

typedef struct MgFuse {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    MG_VEC(MgFuseGroup) groups; // [0] unused
    uint32_t *group_of;         // by op id; 0: none
    uint32_t *order;            // by op id: its position in its region
    uint32_t *uses;
    uint32_t numbers; // the latest group of single numbers of the region; 0: none
    bool *output;     // by value id
    bool *unchanging; // by op id: it is computed once, for all runs
    // By op id: why the candidate that it ends is not an attention; NULL: there is no candidate.
    const char **not_attention;
} MgFuse;

// Is op one equation over the plain indices of its whole result?
bool mg_fuse_is_plain(MgFuse *f, MgOpId op);
// The first piece of an equation. In a group it is the only one.
static inline const MgPiece *mg_fuse_piece(MgFuse *f, MgOpId op) {
    return &mg_op(f->g, op)->equation->pieces[0];
}
// Are the bound indices of op the trailing axes of its operands?
static inline bool mg_fuse_is_row(MgFuse *f, MgOpId op) {
    return mg_traits(f->g, op).row;
}
// Finds the depth at which the members form one group that a schedule can take. Returns NULL, or
// why they can't form one.
const char *mg_fuse_misfit(MgFuse *f, MgFuseGroup *group);
// Does op depend only on parameters and constants? Then the first run computes its result for all
// runs, while a group would compute it in every run.
bool mg_fuse_is_unchanging(MgFuse *f, MgOpId op);
// Sorts members into the order of the ops, except that leading members stay in front.
void mg_fuse_sort(MgFuse *f, MgFuseGroup *group);
// If op ends an attention, makes a group of all its steps. They have no other readers, so they can
// be moved to the place of the last of them, or of an op that joins them.
void mg_fuse_attention(MgFuse *f, MgOpId op);

// All reasons live in the pass's arena. If nobody asked for reasons, they are placeholders, which
// cost nothing.
const char *mg_fuse_say(MgFuse *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
// "h (net.mg:5:9)": an op by its result and the user's line.
const char *mg_fuse_told(MgFuse *f, MgOpId op);
// Says that the first `depth` indices of both run over different ranges.
const char *mg_fuse_boxes_differ(MgFuse *f, MgOpId a, MgOpId b, uint32_t depth);
// Why the op, or the op that defines v, is in no group.
const char *mg_fuse_alone(MgFuse *f, MgOpId op);
const char *mg_fuse_ungrouped(MgFuse *f, MgValueId v);
extern const char mg_fuse_made_once[];
// Why op can't join the group although it fits: other ops have already read from the group.
const char *mg_fuse_closed(MgFuse *f, MgOpId op, const MgFuseGroup *group);

#endif
