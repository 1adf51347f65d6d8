// The state of the fuse pass: groups while they grow. Shared by fuse.c, which joins them, and
// fuse_attention.c, which makes a group of an attention.
#ifndef MG_PASSES_FUSE_H
#define MG_PASSES_FUSE_H

#include "passes/rewrite.h"

typedef struct Member {
    MgOpId op;
    bool reduces;
    bool product; // a contraction: its schedule takes no inner axes
    bool inner;   // a step of an attention but its last: nothing outside of that reads it
} Member;

typedef struct Group {
    MG_VEC(Member) members;      // an attention's steps or a product, then the others; in order
    uint32_t depth;              // leading indices that all share
    bool reduces, product, rows; // rows: a member has inner axes
    bool row_end;                // a product, and what follows it row by row (row_end.h)
    bool attention;
    bool closed;
    const char *closed_why; // from the beginning; NULL: it is since readers have read from it
    MG_VEC(MgOpId) readers; // from outside, in order; kept for --explain alone
    uint32_t merged_into;   // a later group; 0: none
} Group;

typedef struct Fuse {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    MG_VEC(Group) groups; // [0] unused
    uint32_t *group_of;   // by op id; 0: none
    uint32_t *order;      // by op id: its place in its region
    uint32_t *uses;
    bool *output;               // by value id
    bool *unchanging;           // by op id: made once, for all runs
    const char **not_attention; // by op id: why what it ends isn't; NULL: nothing looks like it
} Fuse;

// Is op one equation over the plain indices of its whole result?
bool mg_fuse_is_plain(Fuse *f, MgOpId op);
// Is op made of parameters and constants alone, so that the first run makes its result for all? In
// a group with others it would be made in every run.
bool mg_fuse_is_unchanging(Fuse *f, MgOpId op);
// What stands in front comes first, else the order of the ops.
void mg_fuse_sort(Fuse *f, Group *group);
// If op ends an attention, all its steps become a group. They have no other readers, so they can
// stand where the last of them stands, or what joins them.
void mg_fuse_attention(Fuse *f, MgOpId op);

// ---------------------------------------------------------------- reasons (fuse_explain.c)
// All of them live in the pass's arena. Where nobody listens they are some text, which costs
// nothing to make.
const char *mg_fuse_say(Fuse *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
// "h (net.mg:5:9)": an op by its result and the user's line.
const char *mg_fuse_told(Fuse *f, MgOpId op);
// Their first `depth` indices run over other ranges.
const char *mg_fuse_boxes_differ(Fuse *f, MgOpId a, MgOpId b, uint32_t depth);
// Why the op, or what defines v, is in no group.
const char *mg_fuse_alone(Fuse *f, MgOpId op);
const char *mg_fuse_ungrouped(Fuse *f, MgValueId v);
extern const char mg_fuse_made_once[];
// Why op can't join the group, which fits: others have read from it already.
const char *mg_fuse_closed(Fuse *f, MgOpId op, const Group *group);

#endif
