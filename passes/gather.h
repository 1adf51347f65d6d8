// The two halves of `gather`: solving a scatter's coordinates (gather_solve.c), and the equations
// that replace it (gather.c).
#ifndef MG_PASSES_GATHER_H
#define MG_PASSES_GATHER_H

#include "passes/rewrite.h"

enum { MG_GATHER_INDICES = 60 };

// A coordinate of the result that mentions bound indices: place = step * solved + taps + offset.
typedef struct MgCoordinate {
    bool is_solved;  // it mentions a bound index
    uint32_t solved; // position of the index with the longest range
    int64_t step;    // its coefficient, made positive
    int64_t sign;    // the sign of the coefficient before that
    uint32_t tap;    // position of the tap that is solved by residue class, or MG_GATHER_INDICES
    int64_t by;      // the tap's coefficient, times sign
    bool digits;     // the solved index and the taps are the digits of the place: no tap is summed
    int64_t common;  // the greatest common divisor of step and by; step if there is no tap
    MgIx rest;       // over the scatter's indices: the other taps and the offset, times -sign
    MgIx place;      // over the gathered indices: the place, times sign
} MgCoordinate;

typedef struct MgGather {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgOpId op;
    MgPiece piece; // the scatter's piece; its bound indices begin at 0
    uint32_t rank;
    MgCoordinate of[MG_GATHER_INDICES];     // by coordinate of the result
    uint32_t coordinate[MG_GATHER_INDICES]; // by index: the coordinate that mentions it, or
                                            // MG_GATHER_INDICES
    MgIx with[MG_GATHER_INDICES];           // by index: its value in the gathered equation
    MgIx shape[MG_GATHER_INDICES]; // the gathered shape; each coordinate is rounded up to whole
                                   // steps
    MgPiece to;                    // the gathered piece
    MgValueId *operands;           // the gathered piece's operands
    uint32_t n_operands;
    MgIxRanges ranges; // ranges of the gathered piece's indices
    MgIx *facts;
    uint32_t n_facts;
} MgGather;

// The constant as an integer expression.
MgIx mg_gather_int(MgGather *s, int64_t value);
// Fills in the piece and its coordinates from s->op. False if it is not a scatter that can be
// solved: each coordinate must have an index of its own with an integer coefficient, or be filled
// by free indices.
bool mg_gather_find(MgGather *s);
// Is the index bound, and does it occur in no coordinate?
bool mg_gather_alone(const MgGather *s, uint32_t index);
// Adds an index to the gathered piece, named after one of the scatter's. Returns its position.
uint32_t mg_gather_add_index(MgGather *s, uint32_t like, const char *suffix, MgIx high);
// The condition `a and b`, where a may be NULL; and a comparison of two integer expressions.
const MgSx *mg_gather_both(MgGather *s, const MgSx *a, const MgSx *b);
const MgSx *mg_gather_compare(MgGather *s, MgPrim prim, MgIx a, MgIx b);
// Makes the box of the gathered piece, and for each of the scatter's indices in a coordinate an
// expression over it (s->with). If *condition is not NULL, terms contribute only where it holds.
// False if numbers overflow.
bool mg_gather_make_box(MgGather *s, const MgSx **condition);

#endif
