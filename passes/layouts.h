// The state of the layouts pass: shared by the search and the rewriting (layouts.c) and the cost
// model (layouts_cost.c, layouts_kernels.c).
#ifndef MG_PASSES_LAYOUTS_H
#define MG_PASSES_LAYOUTS_H

#include "passes/rewrite.h"

enum { MG_LAYOUT_AXES = 16, MG_LAYOUT_INDICES = 64, MG_LAYOUT_NONE = 255 };

typedef MG_VEC(MgOpId) MgLayoutOps;

// Values that are walked together, and the order of their common axes.
typedef struct Family {
    MG_VEC(MgValueId) members;
    MgLayoutOps ops; // that read or make a member
    uint32_t n_axes;
    uint8_t order[MG_LAYOUT_AXES]; // axes of the family, outermost first
    bool changed;                  // else members are stored as they are
    int64_t saved, left;           // costs that the order saves, and that are left
} Family;

typedef struct Layouts {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    bool *pinned, *free;     // by value id: the shape stays; the order may be chosen
    uint32_t *family_of;     // by value id, 0: none
    uint8_t *axis;           // by value id and axis: that of the family
    uint8_t **order_of;      // by value id: axes in the order chosen, NULL: as they are
    MgLayoutOps *uses;       // by value id: equations that read it
    MG_VEC(Family) families; // [0] unused
    MgMap pieces_of;         // of ops with many pieces: op << 32 | value -> those that read it
    uint32_t *seen;          // by op id: the family that was looked at last
    int64_t *elements;       // by value id, once they are asked for
    MgOpId op;               // being rewritten
} Layouts;

// The index that a subscript follows: its only free index of more than one point or, if it has no
// free index, its only bound one. MG_LAYOUT_NONE if there is none, or more than one.
uint32_t mg_layout_index_of(Layouts *l, const MgPiece *p, const MgSx *sub);
bool mg_layout_is_unit(Layouts *l, MgValueId v, uint32_t axis);
// Is it a sum of products in which each factor has a free index of its own? It packs what it reads,
// and may write any order.
bool mg_layout_is_contraction(Layouts *l, MgOpId op);
// Axes of v, outermost first, in the order that its family has.
void mg_layout_storage(Layouts *l, MgValueId v, uint8_t *order);
// Place of a free index in the order in which the op's result is stored.
uint8_t mg_layout_place(Layouts *l, MgOpId op, const MgPiece *p, uint32_t index);
// What the chosen orders cost an equation compared with the best ones, in elements moved.
int64_t mg_layout_cost(Layouts *l, MgOpId op);
// The same of some of its pieces; pieces may be NULL.
typedef MG_VEC(const MgPiece *) MgLayoutPieces;
int64_t mg_layout_pieces_cost(Layouts *l, MgOpId op, const MgLayoutPieces *pieces);
int64_t mg_layout_elements(Layouts *l, MgValueId v); // likely ones
// Does a subscript mention a bound index (bound), or a free one (!bound), of more than one point?
bool mg_layout_mentions(Layouts *l, const MgPiece *p, const MgSx *sub, bool bound);
// What kernels pay for the orders: of a read by a window, stored in the given order of its axes, and
// of a contraction.
int64_t mg_layout_window(Layouts *l, const MgPiece *p, const MgSx *x, const uint8_t *order);
int64_t mg_layout_contraction(Layouts *l, MgOpId id, const MgPiece *p);
// Parameters that windows multiply with get a copy, made once, in the order of the result. Says
// whether anything changed.
bool mg_layout_parameters(Layouts *l);
// Bound indices of sums follow what they walk. Says whether anything changed.
bool mg_layout_bounds(Layouts *l);

#endif
