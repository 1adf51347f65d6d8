// Numbers that schedules choose by rules, and that measuring may choose better: a table of
// parameters (params.def), what was found for which unit, and a log of what schedules asked for.
//
// A unit is known by its key: a hash of its text, of the kind of its operands, and of the level and
// number of workers. It does not depend on names, places or the rest of the net, so what was found
// in one net serves another with the same layer. A bad value costs time and nothing else.
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
// MG_N_PARAMS if there is none of that name.
MgParam mg_param_of_name(const char *name, size_t length);

#define MG_EVERY_UNIT 0 // that nothing of its own was found for
typedef struct MgTuned {
    uint64_t unit;
    MgParam param;
    int64_t value;
} MgTuned;

// What a compilation was asked, for mgc tune: emptied when a program is begun.
typedef struct MgTuneLog {
    MgArena *arena;
    MG_VEC(MgTuned) asked;  // with the value that the rules gave
    MG_VEC(uint64_t) sites; // the unit of each site of the program; 0: it asked for nothing
} MgTuneLog;

typedef struct MgTuning {
    const MgTuned *at; // sorted by unit, then parameter
    uint32_t n;
    MgTuneLog *log; // NULL: nothing is written down
} MgTuning;
// Of all that is in it: part of what names an object.
uint64_t mg_tuning_hash(const MgTuning *tuning);
// By unit, then parameter: for qsort.
int mg_tuned_order(const void *a, const void *b);

#endif
