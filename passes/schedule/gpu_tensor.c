// Tiles of a contraction whose items work together by 32, in products of small matrices: what the
// matrix units of a GPU do, f32 rounded to tf32 by f32. Staging is that of every tile (gpu_tile.c).
//
// A factor is rounded when it goes to local memory: each element once for a tile, not once for
// each item that multiplies it; one that never changes is rounded when it is packed. Rows of local
// memory are padded so that the 32 elements that items read at once lie in different banks.
#include "passes/schedule/gpu_tile.h"
#include "passes/schedule/words.h"

const MgKx *mg_gpu_round(MgKernel *k, const MgKx *x) {
    const MgBits half = 0x1000, kept = 0xffffe000; // of the last place that stays; what stays
    const double most = 0x1.ffcp+127;              // what is not below it would become infinite
    MgKType type = x->type, bits = mg_kt(MG_U32, type.lanes);
    const MgKx *y = mg_kcast(k, MG_PRIM_BITCAST, MG_U32, x);
    y = bin(k, MG_PRIM_AND, add(k, y, mg_kconst(k, bits, half)), mg_kconst(k, bits, kept));
    y = mg_kcast(k, MG_PRIM_BITCAST, MG_F32, y);
    const MgKx *small = mg_kprim(k, MG_PRIM_ABS, x, NULL, NULL);
    small = bin(k, MG_PRIM_LT, small, mg_kfloat(k, type, most));
    // Beside numbers as large as that 1 is nothing; a NaN becomes one whose high bits say so.
    return mg_kprim(k, MG_PRIM_WHERE, small, y, add(k, x, mg_kfloat(k, type, 1)));
}

void mg_gpu_tensor_lay(MgGpuGemm *gg, MgStage *st) {
    enum { BANKS_APART = 8 };
    st->step = st->in_lines ? gg->t.depth + QUAD : 1;
    st->pitch = st->in_lines ? 1 : st->size + BANKS_APART;
    st->tile = st->in_lines ? st->step * st->size : st->pitch * gg->t.depth;
}

void mg_gpu_tensor_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *half) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    const MgStage *row = &gg->row, *column = &gg->column;
    MgKProduct product = {row->buf,     column->buf,     row->step,
                          row->pitch,   column->step,    column->pitch,
                          t->item_rows, t->item_columns, t->depth / t->slices};
    const MgKx *row0 = add(k, times(k, half, row->tile), times(k, gg->y, t->item_rows * row->step));
    const MgKx *column0 =
        add(k, times(k, half, column->tile), times(k, gg->x, t->item_columns * column->step));
    mg_kproduct(k, block, gg->acc, &product, mg_klet_x(k, block, "row0", row0),
                mg_klet_x(k, block, "column0", column0));
}

void mg_gpu_tensor_cells(MgGpuGemm *gg, MgKBlock *block, MgGpuCellFn *body) {
    static const uint8_t pairs[2][2] = {{0, 1}, {2, 3}};
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    const MgKx *row =
        add(k, times(k, gg->y, t->item_rows), bin(k, MG_PRIM_FDIV, gg->lane, num(k, 4)));
    const MgKx *column = times(k, bin(k, MG_PRIM_FMOD, gg->lane, num(k, 4)), 2);
    column = add(k, times(k, gg->x, t->item_columns), column);
    row = mg_klet_x(k, block, "row", row);
    column = mg_klet_x(k, block, "column", column);
    uint32_t across = t->item_columns / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < mg_gpu_sums(t); i++) {
        const MgKx *sums = mg_kload(k, gg->acc, num(k, i), QUAD, NULL, NULL);
        sums = mg_klet_x(k, block, "sums", sums);
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *at = add(k, row, num(k, i / across * MG_PRODUCT_ROWS + 8 * h));
            const MgKx *to = add(k, column, num(k, i % across * MG_PRODUCT_COLUMNS));
            mg_gpu_tile_cell(gg, block, at, to, mg_kpermute(k, sums, NULL, pairs[h], 2), body);
        }
    }
}
