// The state of the layouts pass. The search (layouts.c), the families (layouts_families.c), the
// cost model (layouts_cost.c, layouts_kernels.c) and the rewriting (layouts_rewrite.c) share it.
#ifndef MG_PASSES_LAYOUTS_H
#define MG_PASSES_LAYOUTS_H

#include "passes/rewrite.h"

enum { MG_LAYOUT_AXES = 16, MG_LAYOUT_INDICES = 64, MG_LAYOUT_NONE = 255 };

typedef MG_VEC(MgOpId) MgLayoutOps;

// Values that are stored in the same order, and the order of their common axes.
typedef struct MgLayoutFamily {
    MG_VEC(MgValueId) members;
    MgLayoutOps ops; // the ops that read or make a member
    uint32_t n_axes;
    uint8_t order[MG_LAYOUT_AXES]; // axes of the family, outermost first
    bool changed;                  // false: members are stored as they are
    int64_t saved, left;           // the costs that the order saves, and the costs that remain
} MgLayoutFamily;

typedef struct MgLayouts {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    bool *pinned, *free;             // by value id: its shape must not change; its order may be
                                     // chosen
    uint32_t *family_of;             // by value id; 0: none
    uint8_t *axis;                   // by value id and axis: the family's axis
    uint8_t **order_of;              // by value id: the axes in the chosen order; NULL: their
                                     // original order
    MgLayoutOps *uses;               // by value id: the equations that read it
    MG_VEC(MgLayoutFamily) families; // [0] unused
    MgMap pieces_of;   // of ops with many pieces: op << 32 | value -> the pieces that read the
                       // value
    uint32_t *seen;    // by op id: the last family that visited it
    int64_t *elements; // by value id, filled in on demand
    MgOpId op;         // the op being rewritten
} MgLayouts;

typedef MG_VEC(const MgPiece *) MgLayoutPieces;

// ---------------------------------------------------------------- layouts_families.c
// Makes the family of a value whose order may be chosen.
void mg_layout_grow(MgLayouts *l, MgValueId seed);
// Collects every equation that reads or makes a value of the family, since its order affects them.
void mg_layout_find_ops(MgLayouts *l, uint32_t family);
// Notes which pieces of ops with many pieces read which value.
void mg_layout_note_pieces(MgLayouts *l);
// The pieces of the op that read v. NULL if the op has so few that all are examined.
const MgLayoutPieces *mg_layout_pieces_of(MgLayouts *l, MgOpId op, MgValueId v);
// Does the op have so many pieces that the family examines only those that read its values?
bool mg_layout_has_many(MgLayouts *l, const MgLayoutFamily *f, MgOpId op);

// ---------------------------------------------------------------- layouts_cost.c
// The index that a subscript follows: its only free index with more than one point or, if it has no
// free index, its only bound one. MG_LAYOUT_NONE if there is none, or more than one.
uint32_t mg_layout_index_of(MgLayouts *l, const MgPiece *p, const MgSx *sub);
bool mg_layout_is_unit(MgLayouts *l, MgValueId v, uint32_t axis);
// Is it a sum of products in which each factor has a free index of its own? Such a sum packs its
// operands, and may write in any order.
bool mg_layout_is_contraction(MgLayouts *l, MgOpId op);
// The axes of v, outermost first, in its family's order.
void mg_layout_storage(MgLayouts *l, MgValueId v, uint8_t *order);
// The position of a free index in the order in which the op's result is stored.
uint8_t mg_layout_place(MgLayouts *l, MgOpId op, const MgPiece *p, uint32_t index);
// The cost of the chosen orders for an equation, compared with the best orders, in elements moved.
int64_t mg_layout_cost(MgLayouts *l, MgOpId op);
// The same for some of its pieces; pieces may be NULL.
int64_t mg_layout_pieces_cost(MgLayouts *l, MgOpId op, const MgLayoutPieces *pieces);
int64_t mg_layout_elements(MgLayouts *l, MgValueId v); // the likely number
// Does a subscript mention a bound index (`bound`) or a free index (!bound) with more than one
// point?
bool mg_layout_mentions(MgLayouts *l, const MgPiece *p, const MgSx *sub, bool bound);
// The costs of orders for kernels: of a read by a window, whose axes are stored in the given order;
// and of a contraction.
int64_t mg_layout_window(MgLayouts *l, const MgPiece *p, const MgSx *x, const uint8_t *order);
int64_t mg_layout_contraction(MgLayouts *l, MgOpId id, const MgPiece *p);
// Where axis a of `rank` goes when `axis` becomes the last.
uint32_t mg_layout_last(uint32_t axis, uint32_t a, uint32_t rank);
// Makes a copy of v before an op, with that axis last and of `size`, zeros after its own end. Its
// name is v's and a suffix.
MgValueId mg_layout_copy_last(MgLayouts *l, MgOpId id, MgValueId v, uint32_t axis, MgIx size,
                              const char *suffix);
// Does the target multiply by matrix units, whose factors run along the sum?
bool mg_layout_for_units(const MgLayouts *l);
// Copies parameters that windows multiply, once, into the order of the result. Returns whether
// anything changed.
bool mg_layout_parameters(MgLayouts *l);
// Copies images with few channels, so that they have whole vectors for matrix units
// (layouts_pad.c). Returns whether anything changed.
bool mg_layout_pad(MgLayouts *l);
// Makes rows longer that end inside a vector, so that devices copy them as they lie
// (layouts_rows.c). Returns whether anything changed.
bool mg_layout_rows(MgLayouts *l);
// Reorders the bound indices of sums to follow the operands in memory. Returns whether anything
// changed.
bool mg_layout_bounds(MgLayouts *l);
// Rewrites the equations that make or read values whose order was chosen (layouts_rewrite.c).
void mg_layout_rewrite(MgLayouts *l);

#endif
