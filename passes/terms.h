// Values as sums of terms, to find terms that cancel.
//
// A term is a number times powers of atoms. The sum doesn't look into atoms. An atom is an element
// of a value, a function of sums, a condition (1 where it holds, otherwise 0), or a sum over
// indices of one product, from which all factors without these indices are taken out. Equal sums of
// terms are equal for all finite values of their atoms, whatever the order of their operations.
#ifndef MG_PASSES_TERMS_H
#define MG_PASSES_TERMS_H

#include "ir/graph.h"

typedef struct MgFactor {
    uint32_t atom;
    int32_t power;
} MgFactor;

typedef struct MgTerm {
    double number;
    uint32_t n;
    const MgFactor *factors; // by atom
} MgTerm;

typedef struct MgSum {
    uint32_t n;
    const MgTerm *terms; // no two have the same factors
} MgSum;

typedef struct MgTerms MgTerms;
MgTerms *mg_terms_new(MgGraph *g, MgArena *arena);
// The elements of v as a sum over the indices of its dimensions. NULL if it has too many terms.
const MgSum *mg_terms_of(MgTerms *terms, MgValueId v);
// Is v 0 everywhere, except for rounding, if everything it is computed from is finite?
bool mg_terms_cancel(MgTerms *terms, MgValueId v);
// Is v one number per row: a reduction that is not a sum of products, or a value computed from
// such?
bool mg_terms_is_figure(MgTerms *terms, MgValueId v);

#endif
