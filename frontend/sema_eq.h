// An equation while it is lowered: its indices, their ranges, and the pieces of its target.
#ifndef MG_FRONTEND_SEMA_EQ_H
#define MG_FRONTEND_SEMA_EQ_H

#include "frontend/sema_internal.h"

// An index, or a pack of n of them. Each component has a position while the equation is lowered;
// the indices of the finished piece are numbered anew.
typedef struct MgIndexVar {
    MgSym name;
    MgSpan span;
    bool pack, bound; // bound: by a reduction
    bool ranged;      // explicit range evaluated
    uint32_t n, first;
    const MgAstRange *range; // as written, or NULL
    MgIx *low, *high;        // of each component; high MG_IX_ERROR while unknown
    uint8_t *strength;
    MgSym *from; // the operand that gave the range
} MgIndexVar;

struct MgEq {
    MgEnv *env;
    MgSym target;
    MgSym base; // name of the target in the graph: locals are named after it
    MgSpan span;
    MgOriginId origin;
    MgDType want; // compute type of the target, MG_DTYPE_COUNT if inferred
    MG_VEC(MgIndexVar) vars;
    MG_VEC(uint32_t) active; // vars in scope
    MgMap scopes;            // reduction node -> first var << 32 | count
    MgIx *low, *high;        // by position
    uint32_t n_positions;
    bool positioned, changed, failed;
    const MgAstExpr *root; // the outermost reduction
    MgIxRanges ranges;
    uint32_t n_nodes;
};

// ---------------------------------------------------------------- sema_index.c: indices and ranges
MgIndexVar *mg_index_find(MgEq *eq, MgSym name);
MgIndexVar *mg_index_new(MgEq *eq, const MgAstBinder *b, bool bound);
// The reduction of the statement that binds an index of this name, in scope or not; NULL: none.
const MgAstExpr *mg_index_reduction(MgEq *eq, MgSym name);
// All indices of the statement, those of the left side in scope.
void mg_index_collect(MgEq *eq, const MgAstStmt *st);
// Ranges from the left side's dimensions (if shape) and from the reads.
void mg_index_infer(MgEq *eq, const MgAstStmt *st, const MgShape *shape, const MgAstSubs *decl);
bool mg_index_enter(MgEq *eq, const MgAstExpr *reduce); // its indices come into scope, with ranges
void mg_index_leave(MgEq *eq, const MgAstExpr *reduce);
bool mg_index_position(MgEq *eq); // numbers all, evaluates the ranges of the left side and the root
bool mg_index_range(MgEq *eq, MgIndexVar *v);

// Where the entries of a read's or target's subscripts stand: axes[i][j], -1 where a broadcast
// dimension has no axis or is stretched.
typedef struct MgAxes {
    uint32_t *count;
    int32_t **axes;
    MgVal pack;     // of a broadcast operand: its joined dimensions
    uint32_t wrong; // the number of subscripts, where it is not the rank; else UINT32_MAX
} MgAxes;
// quiet: nothing is reported. False if the subscripts don't fit, or it is not known that they do.
bool mg_axes(MgCtx *c, const MgAstSubs *subs, uint32_t rank, const MgBinding *b,
             const MgAstSubs *decl, MgSpan span, bool quiet, MgAxes *out);

// Reports a read of a tensor with another number of subscripts than it has dimensions.
void mg_rank_differs(MgEnv *env, MgSpan span, MgSym name, MgValueId tensor, uint32_t found);

// ---------------------------------------------------------------- sema_read.c: subscripts, bounds
typedef struct MgSubscript {
    const MgSx *sx;   // i64
    uint32_t n_tuple; // a tuple of plain indices that start at 0: their positions
    uint32_t *tuple;
    bool inside;    // within the dimension by construction
    MgIx low, high; // as a target: the box; MG_IX_ERROR if it is computed
} MgSubscript;
// One subscript for each axis, -1 axes skipped. False after a diagnostic.
bool mg_subscripts(MgCtx *c, const MgAstSubs *subs, const MgAxes *at, const MgIx *shape,
                   const MgFactors *factors, MgSubscript *out);
// Proves that subs lie inside; records requirements. otherwise: there is an else. False after a
// diagnostic.
bool mg_bounds(MgCtx *c, MgSpan span, MgSym name, uint32_t rank, const MgIx *shape,
               const MgSubscript *subs, bool otherwise, MgBounds *out);
// Substitutes indices by the ends of their ranges so that x is least (or greatest). MG_IX_ERROR if
// not possible.
MgIx mg_extreme(MgEq *eq, MgIx x, bool least);

// ---------------------------------------------------------------- sema_piece.c: building
struct MgPieces {
    MgEnv *env;
    MgSym target, name; // in the program, in the graph
    MgSpan span;
    MgOriginId origin;
    const MgAstStmt *st;
    MgDType dtype;
    MgShape shape;
    const MgAstSubs *decl;
    MG_VEC(MgPiece) pieces;
    MG_VEC(MgIx *) boxes; // of each piece: low, high of each axis
    MG_VEC(MgValueId) operands;
    MgValueId over;
};
typedef struct MgPieceSpec {
    const uint32_t *free, *bound; // positions
    uint32_t n_free, n_bound;
    MgReducer reducer;
    bool scatter;
    MgBounds write;
    const MgSubscript *target;
    const MgSx *expr;
} MgPieceSpec;
enum { MG_MAX_TREE = 50000 }; // nodes of one expression
// False after a diagnostic if x is too large a tree to be walked.
bool mg_tree_fits(MgEnv *env, MgSpan span, const MgSx *x);
// The right side of an equation: reducer, bound indices (their positions in `bound`), expression.
// False after a diagnostic.
bool mg_right_side(MgEq *eq, const MgAstExpr *value, MgPieceSpec *spec, uint32_t *bound);
MgDType mg_reduced_type(MgReducer r, MgDType body); // argmax gives a place
void mg_piece_add(MgEq *eq, MgPieces *p, const MgPieceSpec *spec);
// The positions that x mentions are set in used[].
void mg_used_positions(MgEq *eq, const MgSx *x, bool *used);
void mg_used_positions_ix(MgEq *eq, MgIx x, bool *used);
bool mg_pieces_whole(MgPieces *p); // are they known to part the target?
MgValueId mg_pieces_emit(MgPieces *p);

#endif
