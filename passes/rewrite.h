// Rewriting equations: changes to operands, indices and expressions that several passes make.
#ifndef MG_PASSES_REWRITE_H
#define MG_PASSES_REWRITE_H

#include "ir/equation.h"
#include "passes/pass.h"

// Puts the operands into the order of their first read, each once, with a base last, so that equal
// equations have equal operands. Returns whether anything changed.
bool mg_normalise_operands(MgGraph *g, MgOpId op, MgArena *scratch);
// Adds an operand after the reads (before a base). Returns its position.
uint32_t mg_add_operand(MgGraph *g, MgOpId op, MgValueId value);
// The operands of an op that is made of expressions of other ops; and where they come from.
typedef struct MgTaken {
    MgGraph *g;
    MgOpId from; // the op whose expression is taken
    MG_VEC(MgValueId) values;
} MgTaken;
// For MgSxMap.operand, with an MgTaken: the position of operand k of `from` among those taken. It
// is added if it is new.
uint32_t mg_take_operand(void *taken, uint32_t k);
// x, rounded to a narrower float: f32(bf16(x)).
const MgSx *mg_rounded(MgModule *module, const MgSx *x, MgDType narrow);
// Makes copy[i, …] = v[i, …] of the type, directly after the op that makes v; its name is v's name
// with the suffix. If the type is narrower, the rounding is written as a conversion in the
// expression, since one that only a value's type implies may be skipped.
MgValueId mg_copy_behind(MgGraph *g, MgValueId v, const char *suffix, MgDType type);

// Marks in pinned, by value id, the values whose shapes matter to more than equations: outputs,
// values that regions yield or carry, bases of scatters, operands of builtins.
void mg_pin_shapes(const MgGraph *g, bool *pinned);
// The same, without the outputs.
void mg_pin_operands(const MgGraph *g, bool *pinned);
// If v is an output, makes a copy of it the output, so that v may change its shape. A copy that
// keeps the elements in order is a view and costs nothing, since v takes the output's bytes.
void mg_output_apart(MgGraph *g, MgValueId v);
// Turns op, an equation with one result, into a copy of the beginning of `from`, which has its type
// and rank.
void mg_set_copy(MgGraph *g, MgOpId op, MgValueId from);
// The name for an index that no index of the piece has, made of another one.
MgSym mg_unused_index(MgGraph *g, const MgPiece *piece, MgSym name);
// The target [i0, i1, …]: the first `rank` indices, in order.
MgTarget *mg_plain_target(MgModule *module, uint32_t rank);
// An equation of one piece, in the module's memory.
MgEquation *mg_equation_of(MgModule *module, MgPiece piece);
// The equation y[i0, i1, …] = v[i0, i1, …], whose only operand is v.
MgEquation *mg_plain_copy(MgGraph *g, const MgValue *v);
// Is the value a parameter or a constant?
bool mg_is_param_or_const(MgGraph *g, MgValueId v);
// Does the op's result share the bytes of its first operand?
bool mg_is_view(MgGraph *g, MgOpId op);
// Does the op copy a value of its region, element by element?
bool mg_is_copy(MgGraph *g, MgOpId op);
// Removes copies: readers of a value that equals its operand element by element read the operand
// instead. Outputs, and values with readers other than equations, stay. Returns whether anything
// changed.
bool mg_drop_copies(MgGraph *g, MgPassContext *context);
// Removes the index at `position` from a piece. `at` replaces it in expressions, and later indices
// move down.
void mg_drop_index(MgGraph *g, MgOpId op, MgPiece *piece, uint32_t position, MgIx at);
// The number of nodes of an expression, counted up to `most`.
uint32_t mg_sx_size(const MgSx *x, uint32_t most);

#endif
