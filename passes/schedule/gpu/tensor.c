// Tiles of a contraction whose items work together in groups of 32, in products of small matrices:
// the work of a GPU's matrix units. Staging is the same as for every tile (stage.c).
//
// The atom that multiplies follows from the factors alone: it is the first in the table in whose
// types they are always exact. So only the order of the sum changes. Any f32 may be rounded to tf32
// if the user allowed that, and atoms whose sums keep few bits need a permission, too. A factor is
// rounded when it goes to local memory: each element once for a tile, not once for each item that
// multiplies it; a factor that never changes is rounded when it is packed. Rows of local memory are
// padded so that the 32 words that items read at once are in different banks.
#include "passes/exact.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

// Is a factor exact in 11 significant bits and the exponents of f32?
static bool fits_tf32(MgGraph *g, const MgOp *op, const MgSx *factor) {
    return mg_sx_is_exact_in(g, op, factor, MG_BF16) || mg_sx_is_exact_in(g, op, factor, MG_F16);
}

static bool is_exact(const MgGemm *g, const MgAtomRow *atom) {
    MgGraph *graph = g->s->g;
    const MgOp *op = mg_op(graph, g->unit->ops[0]);
    if (atom->rounds)
        return fits_tf32(graph, op, g->row.x) && fits_tf32(graph, op, g->column.x);
    return mg_sx_is_exact_in(graph, op, g->row.x, atom->row) &&
           mg_sx_is_exact_in(graph, op, g->column.x, atom->column);
}

bool mg_gpu_atom(MgGemm *g, MgAtom *atom) {
    const MgScheduleOptions *o = g->s->options;
    if (o->strict && mg_is_float(g->type))
        return false;
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        const MgAtomRow *row = mg_atom((MgAtom)i);
        *atom = (MgAtom)i;
        if (mg_target_has_atom(&o->target, *atom) && row->sum == g->type &&
            (!row->keeps || o->short_sums) && ((row->rounds && o->tf32) || is_exact(g, row)))
            return true;
    }
    return false;
}

// Rounds to the nearest tf32; a number that would become infinite is not rounded.
static const MgKx *round_tf32(MgKernel *k, const MgKx *x) {
    const double most = 0x1.ffcp+127; // larger numbers would become infinite
    const MgKx *small = less(k, un(k, MG_PRIM_ABS, x), mg_kfloat(k, x->type, most));
    // Adding 1 doesn't change numbers as large as that; a NaN becomes one with its high bits set.
    return where(k, small, mg_gpu_high_part(k, x), add(k, x, mg_kfloat(k, x->type, 1)));
}

bool mg_gpu_may_split(const MgGemm *g, MgTileUnits units) {
    const MgScheduleOptions *o = g->s->options;
    return g->type == MG_F32 &&
           (units == MG_TILE_PARTS ? mg_gpu_may_split_apart(o)
                                   : mg_machine_has_wide(&o->target.machine) && !o->strict);
}

bool mg_gpu_may_split_apart(const MgScheduleOptions *o) {
    return mg_machine_splits(&o->target.machine) && !o->strict;
}

const MgKx *mg_gpu_staged(const MgGpuGemm *gg, const MgStage *st, const MgKx *x) {
    MgKernel *k = gg->g.kb.k;
    bool rounds = gg->t.tensor && !mg_gpu_splits(&gg->t) && mg_atom(gg->atom)->rounds;
    return rounds ? round_tf32(k, x) : cast(k, st->type, x);
}

void mg_gpu_tensor_lay(MgGpuGemm *gg, MgStage *st) {
    enum { BANKS_APART = 8 };
    if (mg_gpu_is_wide(&gg->t)) {
        st->plane = st->size * gg->t.depth;
        st->tile = st->plane * mg_gpu_planes(&gg->t, st->sym);
        return;
    }
    st->step = st->in_lines ? gg->t.depth + MG_QUAD * st->word : st->word;
    st->pitch = st->in_lines ? st->word : (st->size + BANKS_APART) * st->word;
    st->tile = st->in_lines ? st->step * st->size : st->pitch * gg->t.depth / st->word;
}

// The first of the `size` positions of each of the items that work together, in their slice.
static const MgKx *first_of(MgGpuGemm *gg, const MgStage *st, const MgKx *half, const MgKx *place,
                            uint32_t size) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *at = add(k, times(k, half, st->tile), times(k, place, size * st->step));
    if (gg->t.slices > 1)
        at =
            add(k, at, times(k, gg->item.slice, gg->t.depth / gg->t.slices / st->word * st->pitch));
    return plus(k, at, st->place);
}

void mg_gpu_tensor_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *half) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    const MgStage *row = &gg->row, *column = &gg->column;
    MgKProduct product = {.atom = gg->atom,
                          .row_buf = row->buf,
                          .column_buf = column->buf,
                          .row_step = row->step,
                          .row_deep = row->pitch,
                          .column_step = column->step,
                          .column_deep = column->pitch,
                          .rows = t->item_rows,
                          .columns = t->item_columns,
                          .depth = t->depth / t->slices,
                          .splits = t->tensor == MG_TILE_PARTS};
    const MgKx *row0 = first_of(gg, row, half, gg->item.y, t->item_rows);
    const MgKx *column0 = first_of(gg, column, half, gg->item.x, t->item_columns);
    mg_kproduct(k, block, gg->acc, &product, named(k, block, "row0", row0),
                named(k, block, "column0", column0));
}

void mg_gpu_tensor_place(MgGpuGemm *gg, const MgKx *number, const MgKx **row, const MgKx **column) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    int64_t deal = mg_gpu_deal(gg);
    const MgKx *across = num(k, t->item_columns / MG_PRODUCT_COLUMNS);
    const MgKx *quarter = modulo(k, gg->item.lane, 4);
    const MgKx *left = remainder_of(k, number, across);
    *row = times(k, quotient(k, number, across), MG_PRODUCT_ROWS);
    *row = add(k, add(k, times(k, gg->item.y, t->item_rows), over(k, gg->item.lane, 4)), *row);
    const MgKx *pair = modulo(k, left, deal / 2);
    *column = times(k, over(k, left, deal / 2), 4 * deal);
    *column = add(k, *column, add(k, times(k, quarter, deal), times(k, pair, 2)));
    *column = add(k, times(k, gg->item.x, t->item_columns), *column);
}

void mg_gpu_tensor_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *number, const MgKx *sums,
                        MgGpuCellFn *body) {
    static const uint8_t pairs[2][2] = {{0, 1}, {2, 3}};
    MgKernel *k = gg->g.kb.k;
    const MgKx *row, *column;
    mg_gpu_tensor_place(gg, number, &row, &column);
    for (uint32_t h = 0; h < 2; h++)
        mg_gpu_tile_cell(gg, block, plus(k, row, 8 * h), column,
                         mg_kpermute(k, sums, NULL, pairs[h], 2), body);
}

// The two columns of row h of each vector, joined.
static const MgKx *joined(MgKernel *k, const MgKx *const *sums, uint32_t n, uint32_t h) {
    static const uint8_t pairs[2][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}},
                         all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const MgKx *low = mg_kpermute(k, sums[0], sums[1], pairs[h], MG_QUAD);
    return n == 2 ? low
                  : mg_kpermute(k, low, mg_kpermute(k, sums[2], sums[3], pairs[h], MG_QUAD), all,
                                2 * MG_QUAD);
}

void mg_gpu_dealt_cells(MgGpuGemm *gg, MgKBlock *block, int64_t first, MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    uint32_t n = mg_gpu_deal(gg) / 2;
    const MgKx *row, *column, *sums[4];
    mg_gpu_tensor_place(gg, num(k, first), &row, &column);
    for (uint32_t i = 0; i < n; i++)
        sums[i] = loaded(k, gg->acc, num(k, first + i), MG_QUAD);
    for (uint32_t h = 0; h < 2; h++)
        mg_gpu_tile_cell(gg, block, plus(k, row, 8 * h), column,
                         named(k, block, "sum", joined(k, sums, n, h)), body);
}
