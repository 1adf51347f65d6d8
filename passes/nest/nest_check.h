// What the files of the nest check share: nest_check.c (values and equations) and
// nest_check_loops.c.
#ifndef MG_PASSES_NEST_NEST_CHECK_H
#define MG_PASSES_NEST_NEST_CHECK_H

#include "passes/nest/nest.h"

// Where an equation is computed.
typedef struct MgNestDone {
    const MgLine *line, *body;          // its own line, and the line in whose body its value is
    const MgLine *kept;                 // the line in whose body a line keeps it; NULL: none does
    const MgLine *loops[MG_NEST_DEPTH]; // the loops around it, the outermost first
    uint32_t n_loops, order;            // order: its number among all equations
} MgNestDone;

typedef struct MgNestChecker {
    MgSession *session;
    const MgNest *nest;
    const MgNestScope *scope;
    const MgValueId *outputs;
    uint32_t n_outputs;
    MgNestLimits limits;
    MgNestDone *done;                   // by equation
    const MgLine *loops[MG_NEST_DEPTH]; // the loops around the line that is being checked
    uint32_t n_loops, n_done;
    bool rows;          // items of a group share rows
    const MgLine *row;  // the first loop along one
    const MgLine *tile; // the loop in whose body lines stage; NULL: there is none
    bool failed;
} MgNestChecker;

// Reports why a line is wrong, unless an error was reported before, and returns false; and formats
// such a reason.
bool mg_nest_refuse(MgNestChecker *c, const MgLine *line, const char *why);
const char *mg_nest_say(MgNestChecker *c, const char *format, ...);

// Do these loops walk single positions of the index?
bool mg_nest_is_walked(const MgNest *nest, const MgLine *const *loops, uint32_t n, uint32_t index);
// Does a walk over `walked` walk `index`? It does if they are equal, or if `index` is joined to it.
bool mg_nest_covers(const MgNest *nest, uint32_t walked, uint32_t index);
bool mg_nest_is_bound(const MgNestChecker *c, uint32_t equation, uint32_t index);
// Do all equations have it?
bool mg_nest_is_shared(const MgNestChecker *c, uint32_t index);
static inline const char *mg_nest_index_name(const MgNestChecker *c, uint32_t index) {
    return c->scope->indices.at[index].name;
}

// nest_check_loops.c ----------------------------------------------------------
bool mg_nest_is_core(const MgLine *line);
// Does the loop have a tail if its blocks of an index need one?
bool mg_nest_check_tail(MgNestChecker *c, const MgLine *line, uint32_t index, int64_t block);

// nest_check_tile.c -----------------------------------------------------------
bool mg_nest_check_tile(MgNestChecker *c, const MgLine *line);
bool mg_nest_check_stage(MgNestChecker *c, const MgLine *line, const MgLine *outer);
// Checks a value that is stored in whole lines, outside the tiles that make it.
bool mg_nest_check_lines(MgNestChecker *c, const MgLine *line);

// Checks the loop where it stands. The lines in its body are checked separately.
bool mg_nest_check_for(MgNestChecker *c, const MgLine *line);

#endif
