// An equation while it is lowered: its indices, their ranges, and the pieces of its target.
#ifndef MG_FRONTEND_SEMA_EQ_H
#define MG_FRONTEND_SEMA_EQ_H

#include "frontend/sema_internal.h"

// An index, or a pack of n indices. Each component has a position while the equation is lowered;
// the finished piece numbers its indices anew.
typedef struct MgIndexVar {
    MgSym name;
    MgSpan span;
    bool pack, bound; // bound: by a reduction
    bool ranged;      // its explicit range has been evaluated
    bool named; // a subscript of the left side names it, even if its value does not matter there
    uint32_t n, first;
    const MgAstRange *range; // as written, or NULL
    MgIx *low, *high;        // by component; high is MG_IX_ERROR while unknown
    uint8_t *strength;
    MgSym *from; // the operand that determined the range
} MgIndexVar;

struct MgEq {
    MgEnv *env;
    MgSym target;
    MgSym base; // the target's name in the graph, on which names of locals are based
    MgSpan span;
    MgOriginId origin;
    MgDType want; // the target's compute type; MG_DTYPE_COUNT: it is inferred
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

// ---------------------------------------------------------------- sema_index.c: indices
MgIndexVar *mg_index_find(MgEq *eq, MgSym name);
MgIndexVar *mg_index_new(MgEq *eq, const MgAstBinder *b, bool bound);
// The reduction of the statement that binds an index of this name, in scope or not; NULL if there
// is none.
const MgAstExpr *mg_index_reduction(MgEq *eq, MgSym name);
// Collects all indices of the statement. Those of the left side come into scope.
void mg_index_collect(MgEq *eq, const MgAstStmt *st);
// Gives an index its number of components, whose ranges are not known yet.
void mg_index_set_length(MgEq *eq, MgIndexVar *v, uint32_t n);
bool mg_index_enter(MgEq *eq, const MgAstExpr *reduce); // brings its indices into scope, with their
                                                        // ranges
void mg_index_leave(MgEq *eq, const MgAstExpr *reduce);
// Numbers all indices and evaluates the ranges of the left side and the root.
bool mg_index_position(MgEq *eq);
bool mg_index_range(MgEq *eq, MgIndexVar *v);

// ---------------------------------------------------------------- sema_infer.c
// Infers ranges from the left side's dimensions (if shape is given) and from the reads.
void mg_index_infer(MgEq *eq, const MgAstStmt *st, const MgShape *shape, const MgAstSubs *decl);

// ---------------------------------------------------------------- sema_axes.c

// The axes of each entry of the subscripts of a read or target: axes[i][j] is -1 if a broadcast
// dimension has no axis, or is stretched.
typedef struct MgAxes {
    uint32_t *count;
    int32_t **axes;
    MgVal pack;     // the joined dimensions of a broadcast operand
    uint32_t wrong; // the number of subscripts if it differs from the rank, else UINT32_MAX
} MgAxes;
// False if the subscripts don't fit, or if that can't be proved. quiet: nothing is reported.
bool mg_axes(MgCtx *c, const MgAstSubs *subs, uint32_t rank, const MgBinding *b,
             const MgAstSubs *decl, MgSpan span, bool quiet, MgAxes *out);

// Reports a read whose number of subscripts differs from the tensor's rank.
void mg_rank_differs(MgEnv *env, MgSpan span, MgSym name, MgValueId tensor, uint32_t found);

// ---------------------------------------------------------------- sema_read.c: subscripts, bounds
typedef struct MgSubscript {
    const MgSx *sx;   // i64
    uint32_t n_tuple; // of a tuple of plain indices that start at 0: the number of their positions
    uint32_t *tuple;
    bool inside;    // within the dimension by construction
    MgIx low, high; // of a target: its box; MG_IX_ERROR if it is computed
} MgSubscript;
// Makes a subscript for each axis; entries of axis -1 are skipped. False after a diagnostic.
bool mg_subscripts(MgCtx *c, const MgAstSubs *subs, const MgAxes *at, const MgIx *shape,
                   const MgFactors *factors, MgSubscript *out);
// Proves that subs lie inside, or records requirements. otherwise: the read has an `else`. False
// after a diagnostic.
bool mg_bounds(MgCtx *c, MgSpan span, MgSym name, uint32_t rank, const MgIx *shape,
               const MgSubscript *subs, bool otherwise, MgBounds *out);
// Replaces indices by the ends of their ranges such that x becomes smallest (or largest).
// MG_IX_ERROR if that is not possible.
MgIx mg_extreme(MgEq *eq, MgIx x, bool least);
MgIx mg_extreme_at(MgEq *eq, MgIx x, uint32_t position, bool least); // of one index

// ---------------------------------------------------------------- sema_piece.c: building
struct MgPieces {
    MgEnv *env;
    MgSym target, name; // its names in the program and in the graph
    MgSpan span;
    MgOriginId origin;
    const MgAstStmt *st;
    MgDType dtype;
    MgShape shape;
    const MgAstSubs *decl;
    MG_VEC(MgPiece) pieces;
    MG_VEC(MgIx *) boxes; // for each piece: low and high of each axis
    MgDistinct operands;
    MgValueId over;
    bool empty; // its only piece has an empty box
};
typedef struct MgPieceSpec {
    const uint32_t *free, *bound; // positions
    uint32_t n_free, n_bound;
    MgReducer reducer;
    bool scatter;
    bool placed; // a bound index stands on the left side
    bool copies; // it is an element of a tensor, unconverted
    MgBounds write;
    const MgSubscript *target;
    const MgIx *begin; // by position: what the finished index, which begins at 0, lacks; or NULL
    const MgSx *expr;
} MgPieceSpec;
enum { MG_MAX_TREE = 50000 }; // nodes of one expression
// Is x a small enough tree to walk? False after a diagnostic.
bool mg_tree_fits(MgEnv *env, MgSpan span, const MgSx *x);
// Lowers the right side of an equation into its reducer, bound indices (their positions in `bound`)
// and expression. False after a diagnostic.
bool mg_right_side(MgEq *eq, const MgAstExpr *value, MgPieceSpec *spec, uint32_t *bound);
MgDType mg_reduced_type(MgReducer r, MgDType body);                      // argmax gives a position
bool mg_box_is_empty(MgSema *s, const MgPieceSpec *spec, uint32_t rank); // proved
void mg_piece_add(MgEq *eq, MgPieces *p, const MgPieceSpec *spec);
// Sets used[] for the positions that x mentions.
void mg_used_positions(MgEq *eq, const MgSx *x, bool *used);
void mg_used_positions_ix(MgEq *eq, MgIx x, bool *used);
bool mg_pieces_whole(MgPieces *p); // are they known to cover the target exactly once?
MgValueId mg_pieces_emit(MgPieces *p);

#endif
