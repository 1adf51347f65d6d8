// Nests of groups: what chooses one (group_choose.c), what makes a kernel of one (group_nest.c, for
// workers; gpu_point.c, for GPUs), and those that the user gave (given.c).
#ifndef MG_PASSES_SCHEDULE_GROUP_NEST_H
#define MG_PASSES_SCHEDULE_GROUP_NEST_H

#include "passes/nest/nest.h"
#include "passes/schedule/group.h"

// The loop symbol of an index: of a joined one, that of its last part.
uint32_t mg_nest_symbol(const MgNest *nest, const MgNestScope *scope, uint32_t index);

// The default of an elementwise group, or of a reduction at each point; of a group of rows. Joins
// indices in gr where that pays.
MgNest *mg_choose_points(MgGroup *gr, bool parallel);
MgNest *mg_choose_rows(MgGroup *gr, bool parallel);
// The default of an elementwise group with operands that lie across; NULL: it has none.
MgNest *mg_choose_transposed(MgGroup *gr, bool parallel);
// The default of an elementwise group whose last index takes two values; NULL: it has none.
MgNest *mg_choose_interleaved(MgGroup *gr, bool parallel);
// The default of sums along rows that no near cache holds, so many at once; NULL: it has none.
enum { MG_ROWS_AT_ONCE = 4 };
MgNest *mg_choose_together(MgGroup *gr, bool parallel);
// interleaved.c: can so many lanes run along v, both of whose e are interleaved? Does that pay?
bool mg_interleaves(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes);
bool mg_interleaving_pays(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes);
// Elements of both at [v, v + lanes); an MgLanesFn, whose context is this.
typedef struct MgInterleaved {
    MgGroup *gr;
    uint32_t v, e, lanes;
    const MgKx *end; // of the range of v
} MgInterleaved;
MgLanesFn mg_interleaved_points;
// Why the group has no tiles as a checked nest says, or NULL: transpose.c, gpu_transpose.c.
const char *mg_transpose_misfit(MgGroup *gr, const MgNest *nest, const MgNestScope *scope);
// The default of a group of which one item does a point; over these axes, the last the fastest.
MgNest *mg_choose_gpu_points(MgGroup *gr, const uint32_t *axes, uint32_t n);

// The default of a group whose rows are shared by items.
typedef struct MgGpuRow {
    uint32_t rows, items; // of a group; that share one
    uint32_t lanes, side; // elements of a vector; vectors at once, where nothing is kept
    int64_t width;
    bool across, stream; // rows run across memory; nothing is kept
} MgGpuRow;
MgNest *mg_choose_gpu_rows(MgGroup *gr, const MgGpuRow *shape);
// gpu_row.c: why the group's rows can't be shared as a checked nest says, or NULL; the kernel's
// body.
const char *mg_gpu_rows_misfit(MgGroup *gr, const MgNest *nest);
void mg_gpu_rows_items(MgGroup *gr, const MgNest *nest);

// The nest of squares of so many positions of axes u and v, through which these values, which lie
// along u, become the result, which lies along v; rounds for each of a group's items.
MgNest *mg_choose_gpu_tiles(MgGroup *gr, uint32_t u, uint32_t v, int64_t side, int64_t rounds,
                            const MgValueId *values, uint32_t n);

// gpu_point.c: how many elements are a vector, vectors an item's, items a group, groups at most (0:
// any number).
typedef struct MgGpuPoints {
    uint32_t lanes, several, items, groups;
} MgGpuPoints;
MgGpuPoints mg_gpu_choose_points(MgGroup *gr, const uint32_t *axes, uint32_t n);
// Is every access along loop symbol v one of whole vectors?
bool mg_gpu_takes_vectors(MgGroup *gr, uint32_t v, uint32_t lanes);

// Writes the kernel's body.
void mg_nest_workers(MgGroup *gr, const MgNest *nest, MgKBlock *block);
void mg_nest_items(MgGroup *gr, const MgNest *nest);

// Families of kernels of groups that follow from a plan, as forms (form.h) do from a unit's.
typedef struct MgGroupForm {
    MgNestForm nests;
    bool gpu;                   // else for workers
    const char *what;           // in messages: "a reduction in parts"
    void *(*find)(MgGroup *gr); // what is known of the group; NULL: not its kind
    bool (*choose)(void *);     // its plan; false: another form is better
    bool (*read)(void *, const MgNest *nest, const MgNestScope *scope); // as a form's
    MgNest *(*nest)(void *, MgNestScope *scope);
    void (*make)(void *); // the kernel's body
} MgGroupForm;
extern const MgGroupForm mg_group_parts, mg_group_gpu_tiles; // parts.c, gpu_transpose.c
// Makes the kernel's body if the group is of the form; false without side effects if not.
bool mg_group_by_form(MgGroup *gr, const MgGroupForm *form);

// given.c: the nest that the user gave for the unit, or its piece, checked against gr; NULL if
// there is none. *failed: it is wrong, which has been told. *form: it is one of this form, NULL:
// of none, and *plan its plan.
const MgNest *mg_nest_given(MgGroup *gr, uint32_t n_pieces, bool *failed, const MgGroupForm **form,
                            void **plan);

#endif
