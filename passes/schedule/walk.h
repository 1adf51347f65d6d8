// A run of ops that workers walk by blocks of rows: found by walk_find.c, weighed by walk_cost.c,
// put into the plan by owned_workers.c, which says what it is.
//
// A row is a point of the leading `axes` indices of every equation of the run. What is made there
// lies row after row, whatever the axes are called: the rows of a block are a range of the last
// of these indices alone, with one point of the others.
#ifndef MG_PASSES_SCHEDULE_WALK_H
#define MG_PASSES_SCHEDULE_WALK_H

#include "passes/schedule/owned_workers.h"

typedef enum MgWalkUse { MG_WALK_UNUSED, MG_WALK_BY_ROW, MG_WALK_WHOLE } MgWalkUse; // of a storage

typedef struct MgWalkUnit {
    MgOpId op;
    uint32_t at;           // among the ops that were looked at
    uint32_t edges;        // its first one
    int64_t whole, packed; // bytes that every block reads; of these, that it packs anew
    int64_t widest;        // bytes of the longest row that it makes
    int64_t moved;         // bytes of a row that come in by rows, or that it makes
} MgWalkUnit;

// A value made in the run, read by a later unit.
typedef struct MgWalkEdge {
    uint32_t from;
    MgValueId value;
    int64_t bytes; // of a row
    bool product;  // by a matrix product only, which reads ahead while it multiplies
} MgWalkEdge;

struct MgRowWalk {
    MgSched *s;
    uint32_t axes;
    MG_VEC(MgWalkUnit) units;
    MG_VEC(MgWalkEdge) edges;
    uint32_t end;       // ops that the run takes, silent ones among them
    const MgIx *shape;  // of the leading axes
    MgIx rows;          // their product
    MgMap use;          // storage -> MgWalkUse
    MgMap made;         // value -> unit that makes it, plus 1
    uint32_t *last;     // by value id: unit that reads it last, plus 1
    bool *leaves;       // by value id
    int64_t whole;      // bytes that every block reads
    int64_t cap, block; // most rows of a block; rows of one, 0: found when it runs
    // while calls are made
    const MgKx *first;       // row of the block
    MgEquation **equations;  // by op id: those of the graph
    MgStorageId *storage_of; // by value id: likewise
    MgStorageId area, *parts;
    MgKx *stride;     // bytes of a worker's memory, set at the end
    const MgKx *mine; // where it begins
    int64_t inside, scratch, most;
    int64_t share, of; // rows that these calls make in all, of how many
};

static inline MgWalkUse mg_walk_use(const MgRowWalk *w, MgStorageId storage) {
    return (MgWalkUse)mg_map_get(&w->use, storage, MG_WALK_UNUSED);
}
// The unit of the run that makes v, plus 1; 0: none.
static inline uint32_t mg_walk_maker(const MgRowWalk *w, MgValueId v) {
    return (uint32_t)mg_map_get(&w->made, v, 0);
}

// The longest run of rows with `axes` leading axes from the first of n ops on, if it has two units.
bool mg_walk_find(MgRowWalk *w, MgSched *s, const MgOpId *ops, uint32_t n, uint32_t axes);
// Which values leave it, and when the others are read last. False if what leaves would be written
// over what every block reads.
bool mg_walk_lives(MgRowWalk *w);
// Calls see(ctx, op) for the equations of a unit until one gives false.
typedef bool MgWalkSee(void *ctx, MgOpId id);
bool mg_walk_equations(MgGraph *g, MgOpId unit, MgWalkSee *see, void *ctx);
// Bytes of a row; -1 if the value has none, or dimensions decide.
int64_t mg_walk_row_bytes(const MgRowWalk *w, MgValueId v);
bool mg_walk_is_silent(MgSched *s, MgOpId id); // it makes no call of an ordinary run

// For one worker: the first units [*begin, *end) of the run that are better walked by blocks than
// kernel by kernel. False if there are none; says why where that is of interest.
bool mg_walk_best(MgRowWalk *w, uint32_t *begin, uint32_t *end);
// Sets cap and block; false if it is not worth it.
bool mg_walk_choose_rows(MgRowWalk *w);
void mg_walk_explain(MgRowWalk *w);

#endif
