// Attention by structure: a contraction, a softmax over its rows, a contraction over those rows.
//
//   s(i, j) = sum[d] q(i, d) * k(j, d)      scores; elementwise steps over (i, j) may follow
//   m(i)    = max[j] s(i, j)
//   e(i, j) = exp(s(i, j) - h(m(i)))
//   z(i)    = sum[j] e(i, j)
//   y(i, c) = sum[j] e(i, j) * r(i) * v(j, c)     r of the row only: 1/z, mostly
//
// Since e is a product of a part that only j moves and one that only the row's maximum moves, the
// keys j can be walked in blocks, and what was summed so far rescaled when the maximum grows
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et al.,
// "FlashAttention", NeurIPS 2022): no (i, j) value need be in memory. Found by index notation
// alone; the pass `fuse` makes one op of it, and schedules find in that op what the pass found.
#ifndef MG_PASSES_ATTENTION_H
#define MG_PASSES_ATTENTION_H

#include "ir/equation.h"

enum { MG_ATTENTION_STEPS = 32, MG_ATTENTION_SYMBOLS = 40 };

typedef enum MgAttentionRole {
    MG_ATTENTION_SCORES, // the first contraction
    MG_ATTENTION_SCORE,  // elementwise over (i, j): scale, mask, bias, whatever
    MG_ATTENTION_MAX,
    MG_ATTENTION_ROW,   // one value a row, of the maximum or the sum
    MG_ATTENTION_SHIFT, // the exponential's argument, where it is an op of its own
    MG_ATTENTION_EXP,
    MG_ATTENTION_SUM,
    MG_ATTENTION_WEIGHT, // e times what only the row moves
    MG_ATTENTION_VALUES  // the last contraction
} MgAttentionRole;

// All steps are told in the symbols of the last contraction: index k is its index k, and those
// behind are the first one's bound ones. with[k]: index k of the step's op in these.
typedef struct MgAttentionStep {
    MgOpId op;
    MgAttentionRole role;
    MgIx with[MG_ATTENTION_SYMBOLS];
} MgAttentionStep;

typedef struct MgAttention {
    MgAttentionStep steps[MG_ATTENTION_STEPS]; // each behind those that it reads
    uint32_t n_steps;
    uint32_t scores, max, exp, sum, values; // numbers of steps
    const MgSx *q, *k;                      // factors of the first contraction
    const MgSx *weight, *v;                 // factors of the last
    const MgSx *score, *shift;              // exp's argument is score - shift ...
    uint32_t argument;                      // ... in this step
    uint32_t n_symbols;
    MgIx extent[MG_ATTENTION_SYMBOLS];          // of each symbol, which begins at 0
    uint64_t batch, rows, keys, depth, columns; // symbols: i is batch and rows, c columns
    MgDType type;                               // that all is computed in
} MgAttention;

// Does op end an attention all of whose steps lie in its region? uses: how often each value is
// used, or NULL where nothing but the last result is known to leave. If something is found that
// looks like one but isn't, *why says what is in the way; else it is NULL.
bool mg_attention_find(MgGraph *g, MgOpId op, const uint32_t *uses, MgAttention *a,
                       const char **why);

#endif
