// What it costs to keep values for derivatives and to compute them again. The passes remat and
// checkpoint weigh these.
#ifndef MG_PASSES_REMAT_H
#define MG_PASSES_REMAT_H

#include "passes/pass.h"

// The value's likely size in bytes.
double mg_remat_bytes(MgGraph *g, MgValueId v);
// The likely number of points over the piece's indices from number `first` up to `end`.
double mg_remat_points(MgGraph *g, const MgPiece *piece, uint32_t first, uint32_t end);
// Nanoseconds to move bytes to memory, or from it.
double mg_remat_memory_ns(const MgPassContext *context, double bytes);
// Nanoseconds of arithmetic to compute an elementwise expression at one more point of many.
double mg_remat_point_ns(const MgPassContext *context, const MgSx *x);
// Nanoseconds to compute an equation again: it reads its operands, and its reader takes the result
// from registers.
double mg_remat_repeat_ns(MgGraph *g, const MgPassContext *context, const MgOp *op);
// The same for a product: matrix units multiply what is exact in 16 bits, or is f32 and split.
double mg_remat_product_ns(MgGraph *g, const MgPassContext *context, const MgOp *op);
// Nanoseconds to compute any op of a loop's trip again, with all that its regions hold.
double mg_remat_trip_ns(MgGraph *g, const MgPassContext *context, MgOpId id);
// Makes an equation like `of`, of the derivative, over these operands, before the op: a value is
// computed again. Returns its result.
MgValueId mg_remat_copy(MgGraph *g, MgOpId of, const MgValueId *operands, MgOpId before);

#endif
