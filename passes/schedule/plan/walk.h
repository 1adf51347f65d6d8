// A run of ops that workers walk by blocks of rows (owned_workers.c explains it). walk_find.c finds
// the run, walk_cost.c weighs it, and owned_workers.c adds it to the plan.
//
// A row is a point of the leading `axes` indices of every equation of the run. Values made in the
// run are stored row by row. The rows of a block are a range of the last of these indices, at one
// point of the others.
#ifndef MG_PASSES_SCHEDULE_PLAN_WALK_H
#define MG_PASSES_SCHEDULE_PLAN_WALK_H

#include "passes/schedule/plan/owned_workers.h"

typedef enum MgWalkUse { MG_WALK_UNUSED, MG_WALK_BY_ROW, MG_WALK_WHOLE } MgWalkUse; // of a storage

typedef struct MgWalkUnit {
    MgOpId op;
    uint32_t at;           // its number among the ops that were examined
    uint32_t edges;        // the number of its first edge
    int64_t whole, packed; // bytes that every block reads, and those of them that it packs anew
    int64_t widest;        // bytes of the longest row that it writes
    int64_t moved;         // bytes of a row that it reads by rows or writes
} MgWalkUnit;

// A value that the run makes and a later unit reads.
typedef struct MgWalkEdge {
    uint32_t from;
    MgValueId value;
    int64_t bytes; // of a row
    bool product;  // only a matrix product reads it, which reads ahead while it multiplies
} MgWalkEdge;

struct MgRowWalk {
    MgSched *s;
    uint32_t axes;
    MG_VEC(MgWalkUnit) units;
    MG_VEC(MgWalkEdge) edges;
    uint32_t end;       // the number of ops that the run takes, silent ones included
    const MgIx *shape;  // the sizes of the leading axes
    MgIx rows;          // their product
    MgMap use;          // storage -> MgWalkUse
    MgMap made;         // value -> 1 + the unit that makes it
    uint32_t *last;     // by value id: 1 + the last unit that reads it
    bool *leaves;       // by value id: it is used outside the run
    int64_t whole;      // bytes that every block reads
    int64_t cap, block; // the most rows of a block; the rows of a block, or 0 if they are found
                        // when it runs
    // While calls are made:
    const MgKx *first; // the first row of the block
    MgIx now;          // its rows
    MgStorageId area;
    MgKx *stride;     // the bytes of a worker's memory, set at the end
    const MgKx *mine; // where the worker's memory begins
    int64_t inside, scratch, most;
    int64_t share, of; // the rows that these calls make, and the total
};

static inline MgWalkUse mg_walk_use(const MgRowWalk *w, MgStorageId storage) {
    return (MgWalkUse)mg_map_get(&w->use, storage, MG_WALK_UNUSED);
}
// 1 + the unit of the run that makes v; 0: none does.
static inline uint32_t mg_walk_maker(const MgRowWalk *w, MgValueId v) {
    return (uint32_t)mg_map_get(&w->made, v, 0);
}

// Finds the longest run with `axes` leading axes that begins at the first of n ops. False if it has
// fewer than two units.
bool mg_walk_find(MgRowWalk *w, MgSched *s, const MgOpId *ops, uint32_t n, uint32_t axes);
// Finds which values are used outside the run, and when the others are read last. False if a value
// that is used outside would be written over data that every block reads.
bool mg_walk_lives(MgRowWalk *w);
// Calls see(ctx, op) for the equations of a unit until one returns false.
typedef bool MgWalkSee(void *ctx, MgOpId id);
bool mg_walk_equations(MgGraph *g, MgOpId unit, MgWalkSee *see, void *ctx);
// The bytes of a row; -1 if the value has no rows, or if dimensions decide.
int64_t mg_walk_row_bytes(const MgRowWalk *w, MgValueId v);
bool mg_walk_is_silent(MgSched *s, MgOpId id); // it makes no call of an ordinary run

// For one worker. Finds the units [*begin, *end) of the run that are faster walked by blocks than
// kernel by kernel. False if there are none; gives the reason if it is of interest.
bool mg_walk_best(MgRowWalk *w, uint32_t *begin, uint32_t *end);
// Sets cap and block. False if it does not pay.
bool mg_walk_choose_rows(MgRowWalk *w);
void mg_walk_explain(MgRowWalk *w);

#endif
