// What the files of this folder share. derive.c walks back over the graph and tangent.c forward.
// part.c opens an equation's piece for either, piece.c gives its adjoint, scalar.c derives its
// expression, solve.c turns writes into sums (classes.c where they have steps), slices.c adds up
// what reaches a value, and draft.c makes the ops. region.c has `if`, loop.c
// and trips.c loops, own.c the derivatives that ops state.
#ifndef MG_DERIVE_INTERNAL_H
#define MG_DERIVE_INTERNAL_H

#include "derive/derive.h"
#include "ir/equation.h"

enum { MG_DRAFT_INDICES = 64 };
enum { MG_LARGEST_DERIVATIVE = 50000 }; // nodes of one expression, as a tree

typedef MG_VEC(MgValueId) MgValueList;
// Something that reaches a value: an adjoint like it, or one of a part.
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
    uint32_t n_extra;     // dimensions in front of each adjoint: those of y, for a Jacobian
    const MgIx *extra;    // their sizes
    uint32_t n_values;    // of the graph before anything was made
    bool *depends;        // by value: a path of floats leads from an x to it
    bool *independent;    // by value: it is an x
    MgAdjoints *adjoints; // by value: what has been found of its adjoint
    MgValueId *tangents;  // by value: its tangent, or MG_NONE
    MgMap *owned;         // result of a call with a derivative of its own -> 1 + its place
    MgIx *facts;
    uint32_t n_facts;
} MgDerivation;

// Notes why op has no derivative. Returns false.
bool mg_derive_refuse(MgDerivation *d, MgOpId op, const char *reason);
// Makes room for all values that there are now, and lists what is known of dimensions in the
// region.
void mg_derive_open(MgDerivation *d);
// Finds which results of the op depend on x, or of the ops from `first` up to `end`.
void mg_find_depending(MgDerivation *d, MgOpId first, MgOpId end);
// Walks back over the ops from end - 1 to first and gives each value its adjoints. False if an op
// has no derivative.
bool mg_walk_back(MgDerivation *d, MgOpId first, MgOpId end);
// An adjoint of v that is 0 everywhere.
MgValueId mg_zero_adjoint(MgDerivation *d, MgValueId v);
// The dimensions of an adjoint of v, and its name.
MgIx *mg_adjoint_shape(MgDerivation *d, MgValueId v);
MgSym mg_adjoint_name(MgDerivation *d, MgValueId v);

// ---------------------------------------------------------------- region.c
// What the region yields. The array is the op's own.
MgValueId *mg_yielded(MgDerivation *d, MgRegionId r, uint32_t *n);
void mg_yield(MgDerivation *d, const MgValueList *values);
// Adds the values that depend on x and that ops of the region read, but don't make.
void mg_find_read(MgDerivation *d, MgRegionId r, MgMap *inside, MgValueList *out);
// Whether an op in the region makes a dimension, which a copy of it would make twice.
bool mg_makes_dimension(MgDerivation *d, MgRegionId r);
// The copy of a value, or the value itself if it has none.
MgValueId mg_copy_of(const MgMap *copies, MgValueId v);
// A name for a loop's counter that no dimension has.
MgSym mg_counter_name(MgDerivation *d);
// Marks what depends on x in the regions of a loop or an `if`, and its results.
void mg_find_depending_in(MgDerivation *d, MgOpId op);
// The derivative of an `if`, whose results have adjoints; and of a loop (loop.c).
bool mg_derive_if(MgDerivation *d, MgOpId op);
bool mg_derive_loop(MgDerivation *d, MgOpId op);

// ---------------------------------------------------------------- own.c
// Lists the results of the calls that state derivatives of their own.
void mg_list_own(MgDerivation *d);
// Lists those of the calls in a region that has just been copied. copies: value -> its copy.
void mg_copy_own(MgDerivation *d, const MgMap *copies);
// The call that the op makes a result of, or NULL.
const MgOwn *mg_own_of(MgDerivation *d, MgOpId op);
// Whether the results of the call depend on x: if some operand does.
bool mg_own_depends(MgDerivation *d, const MgOwn *own);
// Hands the adjoints of all results of the call back to its operands.
bool mg_derive_own(MgDerivation *d, MgOpId op, const MgOwn *own);
// Makes the tangents of all results of the call.
bool mg_tangent_own(MgDerivation *d, MgOpId op, const MgOwn *own);

// ---------------------------------------------------------------- tangent.c
// Walks forward over the ops from first up to end and makes the tangents of the needed values, and
// of what those are made from, which joins them. False if an op has no derivative.
bool mg_walk_forward(MgDerivation *d, MgOpId first, MgOpId end, bool *needed);

// ---------------------------------------------------------------- draft.c
// An equation of one piece while it is made. Its indices have positions; `free` and `bound` list
// those that the equation has, in order. Reads name values, not operands.
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

// An index at a new position. Returns MG_DRAFT_INDICES if there are too many.
uint32_t mg_draft_index(MgDraft *draft, MgSym name, MgIx low, MgIx high);
// Adds the free index as the next subscript of the target.
void mg_draft_target(MgDraft *draft, uint32_t position);
MgIxRanges mg_draft_ranges(const MgDraft *draft); // of all positions
// One equation of several pieces, over a base or MG_NONE.
MgValueId mg_drafts_emit(const MgDraft *drafts, uint32_t n, MgValueId base, MgSym name,
                         MgDType dtype, const MgIx *shape);
MgValueId mg_draft_emit(MgDraft *draft, MgSym name, MgDType dtype, const MgIx *shape);

// x over wider ranges than those that its reads were proved for: a read that may be outside gives 0
// there. *may_trap: some read is checked.
const MgSx *mg_settle_reads(const MgDraft *draft, const MgSx *x, bool *may_trap);

// ---------------------------------------------------------------- slices.c
// What reaches a part of a value: a draft over its own box, whose indices are those of the part.
typedef struct MgSlab {
    MgDraft draft;
    MgIx low[MG_DRAFT_INDICES], size[MG_DRAFT_INDICES]; // by dimension of the value's adjoint
    MgValueId value;                                    // once it is made
} MgSlab;
// Notes that `adjoint`, or the slab, reaches v. Each axis that the slab doesn't fill has an index
// from 0.
void mg_reach(MgDerivation *d, MgValueId v, MgValueId adjoint);
void mg_reach_slab(MgDerivation *d, MgValueId v, const MgSlab *slab);
// The slab as a value.
MgValueId mg_slab_value(MgDerivation *d, MgValueId v, MgSlab *slab);
// The sum of what has reached v; MG_NONE if nothing has.
MgValueId mg_add_adjoints(MgDerivation *d, MgValueId v);

// ---------------------------------------------------------------- draft.c
// Expressions over positions. Comparisons are of integers; where() of floats has a zero beside x.
const MgSx *mg_derive_ix(MgDerivation *d, MgIx x);
const MgSx *mg_derive_compare(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b);
const MgSx *mg_derive_both(MgDerivation *d, const MgSx *a, const MgSx *b); // a may be NULL
const MgSx *mg_derive_where(MgDerivation *d, const MgSx *condition, const MgSx *x);
const MgSx *mg_derive_binary(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b);

// ---------------------------------------------------------------- scalar.c
// What reaches one read of an expression.
typedef struct MgShare {
    const MgSx *read, *adjoint;
} MgShare;
typedef MG_VEC(MgShare) MgShares;
// Whether the expression, whose reads name values, depends on x through floats.
bool mg_flows(MgDerivation *d, const MgSx *x);
// The shares of an expression with this adjoint. `stored`, if not NULL, is a read of its value.
// False if it becomes too large.
bool mg_spread(MgDerivation *d, const MgSx *x, const MgSx *adjoint, const MgSx *stored,
               MgShares *out);

// The tangent of an expression, whose reads have tangents where they depend on x. NULL if it
// becomes too large.
const MgSx *mg_tangent(MgDerivation *d, const MgSx *x, const MgSx *stored);

// ---------------------------------------------------------------- piece.c
// x of op, with reads that name values and indices that begin at position n_extra.
const MgSx *mg_name_values(MgDerivation *d, const MgOp *op, const MgSx *x);
// Adds the adjoints of what the equation reads; its own is adjoint. False if it has no derivative.
bool mg_derive_equation(MgDerivation *d, MgOpId op, MgValueId adjoint);

// ---------------------------------------------------------------- classes.c
// Places p = step * q + residue of a value's axes, where the step is at least 1.
enum { MG_MOST_CLASSES = 16 };
typedef struct MgClasses {
    int64_t step[MG_DRAFT_INDICES], residue[MG_DRAFT_INDICES]; // by axis
} MgClasses;
// How many classes there are; more than MG_MOST_CLASSES if there are many.
uint32_t mg_count_classes(const MgClasses *classes);
// Sets the residues of the class with this number; the last axis is the fastest.
void mg_number_class(MgClasses *classes, uint32_t number);
// Which taps k solve step * j + by * k = left for some j: k = every * i + first.
typedef struct MgTapClass {
    bool some; // there is one
    int64_t common, every, first;
} MgTapClass;
MgTapClass mg_tap_class(int64_t step, int64_t by, int64_t left);
// The adjoint of x, from those of its classes (MG_NONE: 0). Each has one element for each q.
MgValueId mg_join_classes(MgDerivation *d, MgValueId x, const MgClasses *classes,
                          const MgValueId *of);

// ---------------------------------------------------------------- solve.c
// Adds what the share gives to its value's adjoint. `piece` has all indices of the piece, none of
// them free or bound yet.
bool mg_contribute(MgDraft *piece, MgOpId op, const MgShare *share);

#endif
