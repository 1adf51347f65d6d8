// Nests of groups: the choice (choose.c), the kernels (nest.c for workers, gpu/point.c
// for GPUs), and nests that the user gave (given.c).
#ifndef MG_PASSES_SCHEDULE_GROUP_NEST_H
#define MG_PASSES_SCHEDULE_GROUP_NEST_H

#include "passes/schedule/form.h"
#include "passes/schedule/group/group.h"

// The loop symbol of an index. For a joined index it is the symbol of its last part.
uint32_t mg_nest_symbol(const MgNest *nest, const MgNestScope *scope, uint32_t index);

// The default nests: for an elementwise group or a reduction at each point, and for a group of
// rows. They join indices in gr where that pays.
MgNest *mg_choose_points(MgGroup *gr, bool parallel);
MgNest *mg_choose_rows(MgGroup *gr, bool parallel);
// The default for an elementwise group with transposed operands; NULL if there are none.
MgNest *mg_choose_transposed(MgGroup *gr, bool parallel);
// The default for an elementwise group whose last index takes two values; NULL if it doesn't.
MgNest *mg_choose_interleaved(MgGroup *gr, bool parallel);
// The default for sums along rows that fit into no near cache, MG_ROWS_AT_ONCE rows at once; NULL
// if it doesn't apply.
enum { MG_ROWS_AT_ONCE = 4 };
MgNest *mg_choose_together(MgGroup *gr, bool parallel);
// interleaved.c: can that many lanes run along v, with both values of e interleaved? Does it pay?
bool mg_interleaves(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes);
bool mg_interleaving_pays(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes);
// An MgLanesFn, whose context is MgInterleaved: the elements of both at [v, v + lanes).
typedef struct MgInterleaved {
    MgGroup *gr;
    uint32_t v, e, lanes;
    const MgKx *end; // of the range of v
} MgInterleaved;
MgLanesFn mg_interleaved_points;
// Why the group can't have the tiles of a checked nest, or NULL: transpose.c, gpu/transpose.c.
const char *mg_transpose_misfit(MgGroup *gr, const MgNest *nest, const MgNestScope *scope);
// The default for a group with one item per point, over these axes; the last changes fastest.
MgNest *mg_choose_gpu_points(MgGroup *gr, const uint32_t *axes, uint32_t n);

// The default for a group whose rows are shared by items.
typedef struct MgGpuRow {
    int64_t width;       // elements of a row
    int64_t rows, items; // the rows of a group; the items that share a row; powers of two
    int64_t lanes;       // elements that an item takes at once
    bool across;         // memory runs across rows: neighbouring items have neighbouring rows
    bool stream;         // nothing of the row is kept, so there may be any number of rounds
    int64_t side;        // in that case, the vectors that an item reads at once
    int64_t columns;     // neighbouring rows that an item takes at once, if parts lie across rows
    int64_t parts;       // of a row, that groups of their own reduce; 1: a row is whole
    uint32_t second;     // the number of a second equation that is reduced together with the first;
                         // 0: none
    MgMonoid monoid;     // of both
} MgGpuRow;
MgNest *mg_choose_gpu_rows(MgGroup *gr, const MgGpuRow *shape);
// gpu/row.c: why items can't share the group's rows as a checked nest says, or NULL; and the
// kernel's body.
const char *mg_gpu_rows_misfit(MgGroup *gr, const MgNest *nest);
void mg_gpu_rows_items(MgGroup *gr, const MgNest *nest);

// A nest of squares of `side` x `side` positions of axes u and v. Through these squares the values,
// which lie along u, become the result, which lies along v. Each item of a group has `rounds`
// positions.
MgNest *mg_choose_gpu_tiles(MgGroup *gr, uint32_t u, uint32_t v, int64_t side, int64_t rounds,
                            const MgValueId *values, uint32_t n);

enum { MG_GPU_MOST_LANES = 8 }; // elements of a vector that an item loads or stores
// gpu/point.c: elements of a vector, vectors of an item, items of a group, and the largest number
// of groups (0: any). along: a group takes all positions of the last axis, at one of the others.
typedef struct MgGpuPoints {
    uint32_t lanes, several, items, groups;
    bool along;
} MgGpuPoints;
MgGpuPoints mg_gpu_choose_points(MgGroup *gr, const uint32_t *axes, uint32_t n);
// Does every access along loop symbol v use whole vectors?
bool mg_gpu_takes_vectors(MgGroup *gr, uint32_t v, uint32_t lanes);

// Writes the kernel's body.
void mg_nest_workers(MgGroup *gr, const MgNest *nest, MgKBlock *block);
void mg_nest_items(MgGroup *gr, const MgNest *nest);

// The forms of groups: parts.c, gpu/transpose.c, gpu/row.c.
extern const MgForm mg_group_parts, mg_group_gpu_tiles, mg_group_gpu_joined;
// Makes the kernel's body if the group is of the form. False, without side effects, if it is not.
bool mg_group_by_form(MgGroup *gr, const MgForm *form);
static inline MgFormPlace mg_group_place_of(const MgGroup *gr) {
    return (MgFormPlace){gr->unit, gr->depth, gr->piece};
}

// given.c: the nest that the user gave for the unit or its piece, checked against gr. NULL if there
// is none, or if it is wrong, which has been reported (*failed). *form is the form that it has
// (NULL: none), and *plan its plan.
const MgNest *mg_nest_given(MgGroup *gr, uint32_t n_pieces, bool *failed, const MgForm **form,
                            void **plan);

#endif
