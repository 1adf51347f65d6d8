// Numbers that schedules choose by rules, and that measuring may choose better: a table of
// parameters (params.def), the values found for each unit, and a log of the parameters that
// schedules asked for.
//
// A unit is known by its key: a hash of its text, of the kind of its operands, and of the level and
// number of workers. The key does not depend on names, places or the rest of the net, so a value
// that was found in one net serves another net with the same layer. A bad value costs time, never a
// result.
#ifndef MG_PASSES_SCHEDULE_TUNING_H
#define MG_PASSES_SCHEDULE_TUNING_H

#include "support/mem.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum MgParam {
#define MG_PARAM(id, name, least, most, candidates, documentation) MG_PARAM_##id,
#include "passes/schedule/params.def"
#undef MG_PARAM
    MG_N_PARAMS
} MgParam;

typedef struct MgParamRow {
    const char *name;
    int64_t least, most;
    const char *candidates; // numbers, with blanks between
    const char *documentation;
} MgParamRow;
extern const MgParamRow mg_params[MG_N_PARAMS];
// MG_N_PARAMS if there is no parameter of that name.
MgParam mg_param_of_name(const char *name, size_t length);

#define MG_EVERY_UNIT 0 // for units without values of their own
typedef struct MgTuned {
    uint64_t unit;
    MgParam param;
    int64_t value;
} MgTuned;

// The parameters that a compilation asked for, for mgc tune. It is emptied when a program is begun.
typedef struct MgTuneLog {
    MgArena *arena;
    MG_VEC(MgTuned) asked;  // with the values that the rules gave
    MG_VEC(uint64_t) sites; // the unit of each site of the program; 0: it asked for nothing
} MgTuneLog;

typedef struct MgTuning {
    const MgTuned *at; // sorted by unit, then parameter
    uint32_t n;
    MgTuneLog *log; // NULL: nothing is logged
} MgTuning;
// A hash of all its values: part of what names an object.
uint64_t mg_tuning_hash(const MgTuning *tuning);
// Orders by unit, then parameter: for qsort.
int mg_tuned_order(const void *a, const void *b);

#endif
