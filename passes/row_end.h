// What follows a matrix product row by row: y[.., i, o] = sum[k] a(.., i, k) * b(o, k), steps point
// by point, and reductions over o of few columns: softmax or a normalisation behind a narrow layer.
// Where a row is no wider than a tile, all of it is in registers when its sums are. Found by index
// notation alone; the pass `fuse` makes one op of it, and schedules find in that op what the pass
// found.
#ifndef MG_PASSES_ROW_END_H
#define MG_PASSES_ROW_END_H

#include "ir/equation.h"

// The widest row, in bytes: a vector of AVX-512, or as many narrower ones as a tile has beside each
// other. Of two to four of these nothing is gained, as was measured (docs/log/cpu.md).
enum { MG_ROW_END_BYTES = 64 };

// Are ops such a product and what follows it? NULL, or what is in the way: what *at (NULL is
// allowed) of them does, as the end of a sentence.
const char *mg_row_end_misfit(MgGraph *g, const MgOpId *ops, uint32_t n, MgOpId *at);
// Are the product's rows those of one factor, its columns those of the other, and is there enough
// of it for tiles of sums, as far as sizes are known? NULL, or why not, as the end of a sentence.
const char *mg_row_end_is_small(MgGraph *g, MgOpId product);

#endif
