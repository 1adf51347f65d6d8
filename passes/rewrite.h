// Rewriting equations: what several passes do to their operands, indices and expressions.
#ifndef MG_PASSES_REWRITE_H
#define MG_PASSES_REWRITE_H

#include "ir/equation.h"
#include "passes/pass.h"

// The longest row, in elements, that steps over it may expect in a cache when the next one begins.
enum { MG_LONGEST_ROW = 1 << 16 };

// Puts the operands into the order of their first read, each once, a base last, so that equal
// equations have equal operands. Says whether anything changed.
bool mg_normalise_operands(MgGraph *g, MgOpId op, MgArena *scratch);
// Adds an operand at the end of the reads (before a base); returns its position.
uint32_t mg_add_operand(MgGraph *g, MgOpId op, MgValueId value);
// Marks in pinned, by value id, the values whose shapes others than equations see: outputs, what
// regions yield or carry, bases of scatters, operands of builtins.
void mg_pin_shapes(const MgGraph *g, bool *pinned);
// The same, without the outputs.
void mg_pin_operands(const MgGraph *g, bool *pinned);
// If v is an output, a copy of it becomes the output, so that v may change its shape. A copy that
// keeps the elements in order is a view and costs nothing: v takes the output's bytes.
void mg_output_apart(MgGraph *g, MgValueId v);
// Makes op, an equation of one result, a copy of the front of `from`, which has its type and rank.
void mg_set_copy(MgGraph *g, MgOpId op, MgValueId from);
// The equation y[i0, i1, …] = v[i0, i1, …], whose only operand is v.
MgEquation *mg_plain_copy(MgGraph *g, const MgValue *v);
// Drops copies: readers of a value that equals its operand element by element read the operand.
// Outputs stay, and so does what others than equations read. Says whether anything changed.
bool mg_drop_copies(MgGraph *g, MgPassContext *context);
// Removes the index at `position` from a piece. `at` takes its place in expressions; later indices
// move down.
void mg_drop_index(MgGraph *g, MgOpId op, MgPiece *piece, uint32_t position, MgIx at);
// The number of nodes of an expression, counted up to `most`.
uint32_t mg_sx_size(const MgSx *x, uint32_t most);

#endif
