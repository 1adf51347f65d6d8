// Rewriting equations: what several passes do to their operands, indices and expressions.
#ifndef MG_PASSES_REWRITE_H
#define MG_PASSES_REWRITE_H

#include "ir/equation.h"
#include "passes/pass.h"

// The longest row, in elements, that steps over it may expect in a cache when the next one begins.
enum { MG_LONGEST_ROW = 1 << 16 };

// Operands in the order of their first read, each once, a base last: so equal equations are equal
// op by op. Says whether anything changed.
bool mg_normalise_operands(MgGraph *g, MgOpId op, MgArena *scratch);
// Adds an operand at the end of the reads (before a base); returns its position.
uint32_t mg_add_operand(MgGraph *g, MgOpId op, MgValueId value);
// Marks in pinned, by value id, the values whose shapes are seen from outside their equations:
// outputs, what regions yield or carry, bases of scatters, operands of builtins.
void mg_pin_shapes(const MgGraph *g, bool *pinned);
// The same without outputs.
void mg_pin_operands(const MgGraph *g, bool *pinned);
// Where v is an output, a copy of it becomes the output, so that v may change its shape. A copy
// that leaves the elements in their order is a view, and costs nothing: v has the output's bytes.
void mg_output_apart(MgGraph *g, MgValueId v);
// Makes op, an equation of one result, a copy of the front of `from`, which has its type and rank.
void mg_set_copy(MgGraph *g, MgOpId op, MgValueId from);
// What is its operand as it is, element by element, is read no more: its readers read that. Outputs
// stay, and what others than equations read. Says whether anything changed.
bool mg_drop_copies(MgGraph *g, MgPassContext *context);
// Takes the index at `position` out of a piece: its value is `at` from now on, later indices move
// down.
void mg_drop_index(MgGraph *g, MgOpId op, MgPiece *piece, uint32_t position, MgIx at);
// Nodes of an expression, counting to at most `most`.
uint32_t mg_sx_size(const MgSx *x, uint32_t most);

#endif
