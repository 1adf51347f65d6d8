// Ops that follow a matrix product row by row. After y[.., i, o] = sum[k] a(.., i, k) * b(o, k)
// come pointwise steps and reductions over o, for example a softmax or a normalisation after a
// narrow layer. If a row is no wider than a tile, the whole row is in registers when its sums are
// complete. The search looks only at indices. The pass `fuse` makes one op of such ops, and
// schedules search that op again.
#ifndef MG_PASSES_ROW_END_H
#define MG_PASSES_ROW_END_H

#include "ir/equation.h"
#include "machines/machine.h"

// Are these ops such a product and its successors? Returns NULL if they are. Otherwise returns the
// reason, as the end of a sentence that begins with *at, one of the ops; at may be NULL. The
// machine's figures say how wide a row may be (docs/log/cpu.md).
const char *mg_row_end_misfit(MgGraph *g, const MgMachine *machine, const MgOpId *ops, uint32_t n,
                              MgOpId *at);
// Are the product's rows those of one factor and its columns those of the other, and is it large
// enough for tiles of sums, as far as sizes are known? Returns NULL if so; otherwise the reason, as
// the end of a sentence.
const char *mg_row_end_is_small(MgGraph *g, const MgMachine *machine, MgOpId product);

#endif
