// Recognises attention by its structure: a contraction, a softmax over its rows, a contraction over
// those rows.
//
//   s(i, j) = sum[d] q(i, d) * k(j, d)      scores; elementwise steps over (i, j) may follow
//   m(i)    = max[j] s(i, j)
//   e(i, j) = exp(s(i, j) - h(m(i)))
//   z(i)    = sum[j] e(i, j)
//   y(i, c) = sum[j] e(i, j) * r(i) * f(i, j) * v(j, c)
//
// r depends on the row only; usually it is 1/z. f is any elementwise factor of the weights that
// depends on no step, as in dropout, which keeps some weights and makes others 0. Usually it is 1.
// It is no factor of z.
//
// e is the product of a factor that depends on j and a factor that depends on the row's maximum. So
// the keys j can be walked in blocks, partial sums are rescaled when the maximum grows (Milakov and
// Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention",
// NeurIPS 2022), and no (i, j) value has to be in memory. The search looks only at indices. The
// pass `fuse` makes one op of an attention, and schedules search that op again.
#ifndef MG_PASSES_ATTENTION_H
#define MG_PASSES_ATTENTION_H

#include "ir/equation.h"

enum { MG_ATTENTION_STEPS = 32, MG_ATTENTION_SYMBOLS = 40, MG_ATTENTION_PRODUCTS = 4 };

typedef enum MgAttentionRole {
    MG_ATTENTION_SCORES, // a contraction of rows and keys
    MG_ATTENTION_SCORE,  // elementwise over (i, j): a scale, a mask, a bias, anything
    MG_ATTENTION_MAX,
    MG_ATTENTION_ROW,   // one value for each row, computed from the maximum or the sum
    MG_ATTENTION_SHIFT, // the exponential's argument, if it is an op of its own
    MG_ATTENTION_EXP,
    MG_ATTENTION_SUM,
    MG_ATTENTION_WEIGHT, // e times a factor that depends only on the row, and a gain
    MG_ATTENTION_VALUES  // the last contraction
} MgAttentionRole;

// All steps are expressed in the symbols of the last contraction. Symbol k is its index k, and the
// symbols after these are the bound indices of the others. with[k] stands for index k of the
// step's op.
typedef struct MgAttentionStep {
    MgOpId op;
    MgAttentionRole role;
    MgIx with[MG_ATTENTION_SYMBOLS];
    const MgSx *weight; // of WEIGHT, and of VALUES: the weights, without roundings and gains
    const MgSx *gain;   // their other factor, which no step computes, for rows and keys; NULL: 1
} MgAttentionStep;

// Has the step one value for each row?
static inline bool mg_attention_is_of_rows(const MgAttentionStep *step) {
    return step->role == MG_ATTENTION_MAX || step->role == MG_ATTENTION_SUM ||
           step->role == MG_ATTENTION_ROW;
}

typedef struct MgAttentionProduct { // a contraction of rows and keys
    uint32_t step;
    const MgSx *q, *k; // its factors
    uint64_t depth;    // a set of symbols: its bound indices
} MgAttentionProduct;

typedef struct MgAttention {
    MgAttentionStep steps[MG_ATTENTION_STEPS]; // each follows the steps that it reads
    uint32_t n_steps;
    bool softmax; // otherwise there are no steps of rows, and weights are scores
    MgAttentionProduct products[MG_ATTENTION_PRODUCTS]; // with a softmax, one
    uint32_t n_products;
    uint32_t max, exp, sum, values; // the positions of these steps
    const MgSx *weight, *v;         // the factors of the last contraction
    // exp's argument is score - shift. Without a softmax, the score is the weight.
    const MgSx *score, *shift;
    uint32_t argument; // the step with exp's argument; without a softmax, `values`
    uint32_t n_symbols;
    MgIx extent[MG_ATTENTION_SYMBOLS]; // the extent of each symbol, which begins at 0
    uint64_t batch, rows, keys,
        columns;  // sets of symbols: i is the batch and the rows, c the columns
    MgDType type; // the type of all arithmetic
} MgAttention;

// Have weights a gain?
bool mg_attention_gains(const MgAttention *a);
// Do gains leave a weight of 0 as it is? Those that are NaN or infinite don't.
bool mg_attention_gains_are_finite(const MgAttention *a);
// Do gains only keep weights or make them 0?
bool mg_attention_only_drops(const MgAttention *a);

// Is x a conversion of a weight that a kernel need not make? It widens, or rounds to 16 bits. A
// rounding to fewer bits is made, since it changes the value by much.
bool mg_attention_may_skip(const MgSx *x);
// x without conversions of this kind, in the same type.
const MgSx *mg_attention_unrounded(const MgSx *x);

// The likely number of points of a set of symbols.
int64_t mg_attention_likely_size(MgGraph *g, const MgAttention *a, uint64_t set);

// Does op end an attention whose steps all lie in its region? `uses` counts the uses of each value;
// it is NULL if no uses are to be looked at. The last result may be used outside, and what has one
// value for each row. Sets *a if one is found. *why becomes the reason why something that resembles
// attention is not one, or NULL.
bool mg_attention_find(MgGraph *g, MgOpId op, const uint32_t *uses, MgAttention *a,
                       const char **why);

// The same for a sum of products with computed weights, which may have any number of elementwise
// steps after some contractions:
//
//   y(i, c) = sum[j] w(i, j) * v(j, c)     w = f(sum[d] q(i, d) * k(j, d), ...)
//
// A kernel of it keeps no (i, j) value either. w is one factor of the last product: factor says
// which, 0 or 1. Callers try both, since either may be computed from products.
bool mg_attention_find_weighted(MgGraph *g, MgOpId op, uint32_t factor, const uint32_t *uses,
                                MgAttention *a);

#endif
