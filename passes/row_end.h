// What follows a matrix product row by row. Behind y[.., i, o] = sum[k] a(.., i, k) * b(o, k) come
// steps point by point, and reductions over o, which has few columns: softmax or a normalisation
// behind a narrow layer. Where a row is no wider than a tile, the whole row is in registers when its
// sums are done. The search looks at indices alone. The pass `fuse` makes one op of what it finds,
// and schedules search that op again.
#ifndef MG_PASSES_ROW_END_H
#define MG_PASSES_ROW_END_H

#include "ir/equation.h"

// The widest row, in bytes: one vector of AVX-512, or the narrower vectors that a tile has side by
// side. Rows of two to four such widths gain nothing, as measured in docs/log/cpu.md.
enum { MG_ROW_END_BYTES = 64 };

// Are ops such a product and what follows it? NULL, or what is in the way: what *at (NULL is
// allowed) of them does, as the end of a sentence.
const char *mg_row_end_misfit(MgGraph *g, const MgOpId *ops, uint32_t n, MgOpId *at);
// Are the product's rows those of one factor, its columns those of the other, and is there enough
// of it for tiles of sums, as far as sizes are known? NULL, or why not, as the end of a sentence.
const char *mg_row_end_is_small(MgGraph *g, MgOpId product);

#endif
