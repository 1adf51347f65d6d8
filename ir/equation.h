// Small questions about equations, which the verifier, traits, costs and passes share.
#ifndef MG_IR_EQUATION_H
#define MG_IR_EQUATION_H

#include "ir/graph.h"
#include "machines/machine.h"

// The number of positions of an index, and of points of n indices.
static inline MgIx mg_index_extent(MgIxTable *t, const MgIndex *index) {
    return mg_ix_sub(t, index->high, index->low);
}
MgIx mg_index_points(MgIxTable *t, const MgIndex *indices, uint32_t n);
// Have the first n indices of both the same ranges?
bool mg_same_box(const MgPiece *a, const MgPiece *b, uint32_t n);
// The number of points of a piece. Ranges that follow other indices count once.
MgIx mg_piece_points(MgIxTable *t, const MgPiece *piece);
// The ranges of a piece's indices, for proofs. The arrays live in arena.
MgIxRanges mg_piece_ranges(const MgPiece *piece, MgArena *arena);
// The row-major element number of subscripts in a value's shape; MG_IX_ERROR on overflow.
MgIx mg_row_major(MgGraph *g, MgValueId v, const MgIx *subs);
// The subscripts of a read as integer expressions; false if one depends on data.
bool mg_read_subs(const MgSx *read, MgIx *subs);
// x without a rounding to this type as its last step, since a value that is stored in it is rounded
// in any case.
const MgSx *mg_sx_unrounded(const MgSx *x, MgDType stored);
// Does any ix below x mention the index at `position`?
bool mg_sx_mentions(const MgModule *m, const MgSx *x, uint32_t position);
// Does x depend on indices a and b only by a + factor * b? With stride 1 and dilation 1 it does by
// a + b.
bool mg_sx_depends_on_sum(MgModule *m, const MgSx *x, uint32_t a, uint32_t b, int64_t factor);
// Counts the instructions of an expression on a GPU, roughly: 1 for an operation, and the machine's
// figures for divisions and functions. Loads don't count.
double mg_sx_instructions(const MgMachine *machine, const MgSx *x);
// The kind of a sum of products, by the free indices that one factor has and the other lacks. This
// is the only classification; passes, schedules and the interpreter use it.
typedef enum MgContraction {
    MG_NO_CONTRACTION,    // not a sum of products
    MG_CONTRACTS_ROWS,    // neither factor has such an index: dot products, a row's sum of squares
    MG_CONTRACTS_VECTORS, // one factor has such an index: a matrix by vectors
    MG_CONTRACTS_MATRICES // both have one: a matrix product, a convolution
} MgContraction;
MgContraction mg_piece_contraction(const MgModule *m, const MgPiece *piece);
// Is it one of the three?
bool mg_piece_sums_products(const MgPiece *piece);
// Does x contain a dimension (a size, a trip number) or a read that may trap? Such an expression is
// never computed once for all runs, whatever it reads.
bool mg_sx_varies(MgModule *m, const MgSx *x, MgArena *scratch);
// The same for an equation. An equation that writes to computed places counts, too.
bool mg_equation_varies(MgModule *m, const MgEquation *e, MgArena *scratch);
// The largest size in bytes of a value that is computed once, from weights alone, and kept for all
// runs.
enum { MG_MOST_KEPT = 64 << 20 };
// Is the target of a piece the plain indices 0, 1, … in order, over the whole of the value?
bool mg_piece_is_plain(MgGraph *g, const MgPiece *piece, MgValueId result);
// Does the range of one index of the piece depend on another index?
bool mg_piece_is_scanned(const MgModule *m, const MgPiece *piece);
// The requires of a graph, which say what is known of its dimensions. The array lives in arena.
uint32_t mg_graph_facts(MgGraph *g, MgArena *arena, MgIx **facts);
// Is the subscript inside 0..extent for every point of the ranges (PROVED), for none (REFUTED)?
MgProof mg_inside(MgIxTable *t, MgIx sub, MgIx extent, const MgIxRanges *ranges, const MgIx *facts,
                  uint32_t n_facts);
// Is a subscript at least (or at most) a bound? One that data decide is, too, if min, max, where or
// floormod keep it there. nonnegative says whether an expression is proved never to be negative.
typedef bool MgNonnegative(void *ctx, MgIx x);
bool mg_sub_within(MgIxTable *t, const MgSx *sub, MgIx bound, bool at_least,
                   MgNonnegative *nonnegative, void *ctx);
// The same as mg_inside for a read of op: PROVED if all of its subscripts are proved, REFUTED if
// one is refuted. A subscript that data decide is never refuted.
MgProof mg_read_inside(MgGraph *g, const MgOp *op, const MgSx *read, const MgIxRanges *ranges,
                       const MgIx *facts, uint32_t n_facts);

#endif
