// Values as sums of terms, to find which of them cancel.
//
// A term is a number times powers of atoms. An atom is what the sum doesn't look into: an element
// of a value, a function of sums, a condition (1 where it holds, else 0), or a sum over indices of
// one product, from which all factors without these indices are taken out. Equal sums of terms are
// equal for all finite values of their atoms, whatever the order of their operations.
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
// Whether v is 0 everywhere, but for rounding, as long as what it is made of is finite.
bool mg_terms_cancel(MgTerms *terms, MgValueId v);
// Whether v is one number for each row: a reduction that is no sum of products, or made of such.
bool mg_terms_is_figure(MgTerms *terms, MgValueId v);

#endif
