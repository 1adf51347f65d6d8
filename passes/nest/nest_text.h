// A schedule as it was read: lines with their words, before its unit is known (nest_read.c), which
// give them their meaning (nest_resolve.c).
#ifndef MG_PASSES_NEST_NEST_TEXT_H
#define MG_PASSES_NEST_NEST_TEXT_H

#include "passes/nest/nest.h"

typedef struct MgNestWord {
    const char *text;
    MgSpan span;
} MgNestWord;

typedef struct MgTextLine {
    MgLine line; // without its body and what its words name
    // INDEX: the new name, then the joined ones; FOR: of each walk, then carried values; KEEP, DO:
    // values
    MgNestWord *words;
    uint32_t n_words;
    // STAGE: of the axes that have an index, in order; DO: of `at last`; JOIN: the one that it is
    // over
    MgNestWord *indices;
    uint32_t n_indices;
    MG_VEC(struct MgTextLine *) below;
} MgTextLine;

struct MgNestText {
    MgNestName name;
    MgSpan span;
    MgTextLine root; // whose lines the schedule is
};

#endif
