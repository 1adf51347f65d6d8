// A schedule as it was read: lines with their words, before its unit is known (nest_read.c).
// nest_resolve.c gives them their meaning.
#ifndef MG_PASSES_NEST_NEST_TEXT_H
#define MG_PASSES_NEST_NEST_TEXT_H

#include "passes/nest/nest.h"

typedef struct MgNestWord {
    const char *text;
    MgSpan span;
} MgNestWord;

typedef struct MgTextLine {
    MgLine line; // without its body, and without what its words name
    // INDEX: the new name, then the joined ones. FOR: the name of each walk, then the carried
    // values. KEEP, DO: values.
    MgNestWord *words;
    uint32_t n_words;
    // STAGE: the names of the axes that have an index, in order. DO: the index of `at last`. JOIN:
    // the index of `over`.
    MgNestWord *indices;
    uint32_t n_indices;
    MG_VEC(struct MgTextLine *) below;
} MgTextLine;

struct MgNestText {
    MgNestName name;
    MgSpan span;
    bool follows;    // a line joins blocks inside a loop
    MgTextLine root; // its body has the lines of the schedule
};

#endif
