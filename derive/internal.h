// What the files of this folder share. derive.c walks back over the graph, and tangent.c forward.
// part.c opens a piece of an equation for both; piece.c makes its adjoint. scalar.c derives
// expressions. solve.c turns writes into sums (classes.c if they have strides). slices.c adds up
// the adjoints of a value, and draft.c makes ops. region.c derives `if`, loop.c and trips.c derive
// loops, and own.c handles derivatives that ops state.
#ifndef MG_DERIVE_INTERNAL_H
#define MG_DERIVE_INTERNAL_H

#include "derive/derive.h"
#include "ir/equation.h"

enum { MG_DRAFT_INDICES = 64 };
enum { MG_LARGEST_DERIVATIVE = 50000 }; // nodes of one expression as a tree

typedef MG_VEC(MgValueId) MgValueList;
// A contribution to a value's adjoint: a whole adjoint, or a part of one.
typedef struct MgAdjoint {
    MgValueId value;
    struct MgSlab *slab; // or NULL
} MgAdjoint;
typedef MG_VEC(MgAdjoint) MgAdjoints;

typedef struct MgDerivation {
    MgDerive *of;
    MgGraph *g;
    MgModule *m;
    MgIxTable *ix;
    MgArena *scratch;
    MgRegionId region;    // where ops are made
    uint32_t n_extra;     // dimensions in front of each adjoint: those of y if the result is a
                          // Jacobian
    const MgIx *extra;    // the sizes of these dimensions
    uint32_t n_values;    // the number of values of the graph before the derivation
    bool *depends;        // by value: a path of floats leads from an x to it
    bool *independent;    // by value: it is an x
    MgAdjoints *adjoints; // by value: the contributions to its adjoint so far
    MgValueId *tangents;  // by value: its tangent, or MG_NONE
    MgMap *owned;         // result of a call with a derivative of its own -> 1 + number of the call
    MgIx *facts;
    uint32_t n_facts;
} MgDerivation;

// Records why op has no derivative. Returns false.
bool mg_derive_refuse(MgDerivation *d, MgOpId op, const char *reason);
// Makes room for all values that exist now, and lists the facts about dimensions in the region.
void mg_derive_open(MgDerivation *d);
// Finds which results of the op, or of the ops from `first` up to `end`, depend on an x.
void mg_find_depending(MgDerivation *d, MgOpId first, MgOpId end);
// Walks back over the ops from end - 1 to first and collects the adjoints of each value. False if
// an op has no derivative.
bool mg_walk_back(MgDerivation *d, MgOpId first, MgOpId end);
// An adjoint of v that is 0 everywhere.
MgValueId mg_zero_adjoint(MgDerivation *d, MgValueId v);
// The shape of an adjoint of v, and its name.
MgIx *mg_adjoint_shape(MgDerivation *d, MgValueId v);
MgSym mg_adjoint_name(MgDerivation *d, MgValueId v);

// ---------------------------------------------------------------- region.c
// The values that the region yields. The array is the op's own.
MgValueId *mg_yielded(MgDerivation *d, MgRegionId r, uint32_t *n);
void mg_yield(MgDerivation *d, const MgValueList *values);
// Adds the values that ops of the region read but don't define, and that depend on an x.
void mg_find_read(MgDerivation *d, MgRegionId r, MgMap *inside, MgValueList *out);
// Does an op in the region introduce a dimension? A copy of the op would introduce it twice.
bool mg_makes_dimension(MgDerivation *d, MgRegionId r);
// The copy of a value, or the value itself if it has none.
MgValueId mg_copy_of(const MgMap *copies, MgValueId v);
// A name for a loop's counter that no dimension has.
MgSym mg_counter_name(MgDerivation *d);
// Finds which values in the regions of a loop or an `if`, and which of its results, depend on an x.
void mg_find_depending_in(MgDerivation *d, MgOpId op);
// Derive an `if` whose results have adjoints, and a loop (loop.c).
bool mg_derive_if(MgDerivation *d, MgOpId op);
bool mg_derive_loop(MgDerivation *d, MgOpId op);

// ---------------------------------------------------------------- own.c
// Lists the results of the calls that state derivatives of their own.
void mg_list_own(MgDerivation *d);
// The same for the calls in a region that has just been copied. copies: value -> its copy.
void mg_copy_own(MgDerivation *d, const MgMap *copies);
// The call of which the op computes a result, or NULL.
const MgOwn *mg_own_of(MgDerivation *d, MgOpId op);
// Do the results of the call depend on an x? They do if an operand does.
bool mg_own_depends(MgDerivation *d, const MgOwn *own);
// Passes the adjoints of all results of the call on to its operands.
bool mg_derive_own(MgDerivation *d, MgOpId op, const MgOwn *own);
// Makes the tangents of all results of the call.
bool mg_tangent_own(MgDerivation *d, MgOpId op, const MgOwn *own);

// ---------------------------------------------------------------- tangent.c
// Walks forward over the ops from first up to end and makes the tangents of the needed values. Adds
// to `needed` the values from which these are computed. False if an op has no derivative.
bool mg_walk_forward(MgDerivation *d, MgOpId first, MgOpId end, bool *needed);

// ---------------------------------------------------------------- draft.c
// An equation of one piece under construction. Its indices have positions; `free` and `bound` list
// the positions that the equation has, in order. Reads name values, not operands.
typedef struct MgDraft {
    MgDerivation *d;
    MgIndex at[MG_DRAFT_INDICES];
    uint32_t n;
    uint32_t free[MG_DRAFT_INDICES], bound[MG_DRAFT_INDICES];
    uint32_t n_free, n_bound;
    MgReducer reducer; // if there are bound indices
    bool scatter;
    MgBounds write;
    uint32_t rank;
    MgTarget target[MG_DRAFT_INDICES]; // tuples list positions
    const MgSx *expr;
} MgDraft;

// Adds an index at a new position. Returns MG_DRAFT_INDICES if there are too many.
uint32_t mg_draft_index(MgDraft *draft, MgSym name, MgIx low, MgIx high);
// Adds the free index as the next subscript of the target.
void mg_draft_target(MgDraft *draft, uint32_t position);
MgIxRanges mg_draft_ranges(const MgDraft *draft); // of all positions
// Makes one equation of several pieces, over a base or MG_NONE.
MgValueId mg_drafts_emit(const MgDraft *drafts, uint32_t n, MgValueId base, MgSym name,
                         MgDType dtype, const MgIx *shape);
MgValueId mg_draft_emit(MgDraft *draft, MgSym name, MgDType dtype, const MgIx *shape);

// x over wider ranges than those for which its reads were proved. A read that may be outside
// becomes 0 there. *may_trap: a read is checked.
const MgSx *mg_settle_reads(const MgDraft *draft, const MgSx *x, bool *may_trap);

// ---------------------------------------------------------------- slices.c
// A contribution to a part of a value's adjoint: a draft over its own box, whose indices are those
// of the part.
typedef struct MgSlab {
    MgDraft draft;
    MgIx low[MG_DRAFT_INDICES], size[MG_DRAFT_INDICES]; // by dimension of the value's adjoint
    MgValueId value;                                    // set once it is made
} MgSlab;
// Records `adjoint`, or the slab, as a contribution to the adjoint of v. Each axis that the slab
// doesn't fill has an index from 0.
void mg_reach(MgDerivation *d, MgValueId v, MgValueId adjoint);
void mg_reach_slab(MgDerivation *d, MgValueId v, const MgSlab *slab);
// The slab as a value.
MgValueId mg_slab_value(MgDerivation *d, MgValueId v, MgSlab *slab);
// The sum of the contributions to the adjoint of v; MG_NONE if there are none.
MgValueId mg_add_adjoints(MgDerivation *d, MgValueId v);

// ---------------------------------------------------------------- draft.c
// Expressions over positions. Comparisons compare integers. where() of floats gives x or zero.
const MgSx *mg_derive_ix(MgDerivation *d, MgIx x);
const MgSx *mg_derive_compare(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b);
const MgSx *mg_derive_both(MgDerivation *d, const MgSx *a, const MgSx *b); // a may be NULL
const MgSx *mg_derive_where(MgDerivation *d, const MgSx *condition, const MgSx *x);
const MgSx *mg_derive_binary(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b);

// ---------------------------------------------------------------- scalar.c
// The contribution of one read of an expression.
typedef struct MgShare {
    const MgSx *read, *adjoint;
} MgShare;
typedef MG_VEC(MgShare) MgShares;
// Does the expression, whose reads name values, depend on an x through floats?
bool mg_flows(MgDerivation *d, const MgSx *x);
// Finds the shares of an expression with this adjoint. `stored`, if not NULL, is a read of its
// value. False if an expression becomes too large.
bool mg_spread(MgDerivation *d, const MgSx *x, const MgSx *adjoint, const MgSx *stored,
               MgShares *out);

// The tangent of an expression whose reads have tangents if they depend on an x. NULL if it becomes
// too large.
const MgSx *mg_tangent(MgDerivation *d, const MgSx *x, const MgSx *stored);

// ---------------------------------------------------------------- piece.c
// x of op, with reads that name values, and with indices that begin at position n_extra.
const MgSx *mg_name_values(MgDerivation *d, const MgOp *op, const MgSx *x);
// Adds to the adjoints of what the equation reads; `adjoint` is its own. False if it has no
// derivative.
bool mg_derive_equation(MgDerivation *d, MgOpId op, MgValueId adjoint);

// ---------------------------------------------------------------- classes.c
// Places p = step * q + residue on a value's axes, where each step is at least 1.
enum { MG_MOST_CLASSES = 16 };
typedef struct MgClasses {
    int64_t step[MG_DRAFT_INDICES], residue[MG_DRAFT_INDICES]; // by axis
} MgClasses;
// The number of classes; any number above MG_MOST_CLASSES if there are more.
uint32_t mg_count_classes(const MgClasses *classes);
// Sets the residues of the class with this number. The last axis changes fastest.
void mg_number_class(MgClasses *classes, uint32_t number);
// The taps k for which step * j + by * k = left for some j: k = every * i + first.
typedef struct MgTapClass {
    bool some; // there is such a tap
    int64_t common, every, first;
} MgTapClass;
MgTapClass mg_tap_class(int64_t step, int64_t by, int64_t left);
// The adjoint of x from the adjoints of its classes (MG_NONE: 0). Each has one element for each q.
MgValueId mg_join_classes(MgDerivation *d, MgValueId x, const MgClasses *classes,
                          const MgValueId *of);

// ---------------------------------------------------------------- solve.c
// Adds the share to the adjoint of its value. `piece` has all indices of the piece; none of them is
// free or bound yet.
bool mg_contribute(MgDraft *piece, MgOpId op, const MgShare *share);

#endif
