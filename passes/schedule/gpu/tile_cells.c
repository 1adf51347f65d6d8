// Finishes the sums of a contraction's tile: the sums of slices are added, and every vector inside
// the result is passed on.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

MgPoint mg_gpu_columns_point(MgGpuGemm *gg, MgKBlock *block, const MgKx *at, uint32_t lanes) {
    MgGemm *g = &gg->g;
    uint32_t last = g->n.n - 1;
    int64_t run = -1;
    g->at.loop[MG_GEMM_N] = at;
    MgPoint p = mg_gpu_gemm_point(gg, block, MG_GEMM_N, lanes);
    if (lanes == 1 || !last ||
        !mg_ix_is_const(g->s->ix, g->piece->indices[g->n.index[last]].high, &run) || run % lanes)
        return p;
    MgIx *with = mg_arena_copy(g->s->arena, g->at.with, MG_GEMM_SYMS, sizeof *with);
    for (uint32_t i = 0; i <= last; i++)
        with[g->n.index[i]] = mg_ix_idx(g->s->ix, g->n.index[i]);
    mg_gpu_class_digits(gg, block, &g->n, g->n.n, at);
    p.with = with;
    p.vector = (int)g->n.index[last];
    return p;
}

// Opens a branch for `lanes` positions that are inside the class. In front of it, *at becomes the
// last such positions if it is outside, so that what the branch loads may be loaded before it.
static MgKBlock *open_inside(MgGpuGemm *gg, MgKBlock *block, const MgGemmClass *of, uint32_t lanes,
                             const MgKx **at) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *extent = mg_gpu_extent(gg, of), *last = minus(k, extent, lanes);
    const MgKx *inside = named(k, block, "inside", less(k, *at, extent));
    *at = named(k, block, "at", least(k, *at, last));
    return block_if(k, block, inside);
}

// Passes on one vector of columns, or its columns one by one if the result may end inside it.
static void cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *n, const MgKx *sum,
                 MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    MgGemm *g = &gg->g;
    uint32_t lanes = sum->type.lanes;
    bool whole = g->n.known > 0 && g->n.known % lanes == 0;
    for (uint32_t l = 0; l < (whole ? 1 : lanes); l++) {
        const MgKx *at = named(k, block, "n", plus(k, n, l));
        MgKBlock *b = block;
        if (g->n.known < 0 || g->n.known % gg->t.columns)
            b = open_inside(gg, block, &g->n, whole ? lanes : 1, &at);
        MgPoint p = mg_gpu_columns_point(gg, b, at, whole ? lanes : 1);
        body(gg, &p, whole ? sum : mg_klane(k, sum, l));
    }
}

void mg_gpu_tile_cell(MgGpuGemm *gg, MgKBlock *block, const MgKx *row, const MgKx *column,
                      const MgKx *sum, MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    MgGemm *g = &gg->g;
    const MgKx *m = named(k, block, "m", add(k, gg->row.base, row));
    if (g->m.known < 0 || g->m.known % gg->t.rows)
        block = open_inside(gg, block, &g->m, 1, &m);
    g->at.loop[MG_GEMM_M] = m;
    cell(gg, block, add(k, gg->column.base, column), sum, body);
}

// Passes on vector v of row r of the item's sums; both numbers may vary.
static void cells_at(MgGpuGemm *gg, MgKBlock *block, const MgKx *r, const MgKx *v, const MgKx *sum,
                     MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    int64_t down = mg_gpu_items_down(gg);
    const MgKx *high = over(k, r, MG_QUAD);
    const MgKx *low = modulo(k, r, MG_QUAD);
    const MgKx *within = gg->row.in_lines ? add(k, gg->item.y, times(k, r, down))
                                          : add(k, times(k, gg->item.y, MG_QUAD),
                                                add(k, times(k, high, down * MG_QUAD), low));
    const MgKx *column = times(k, gg->item.x, MG_QUAD);
    column = add(k, column, times(k, v, (int64_t)gg->across * MG_QUAD));
    mg_gpu_tile_cell(gg, block, within, column, sum, body);
}

// Passes on vector `first` + v of the item's sums, where v varies.
static void finished(MgGpuGemm *gg, MgKBlock *block, int64_t first, const MgKx *v, const MgKx *sum,
                     MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    uint32_t nv = gg->t.item_columns / MG_QUAD;
    if (gg->t.tensor) {
        mg_gpu_tensor_cell(gg, block, plus(k, v, first), sum, body);
        return;
    }
    const MgKx *r = plus(k, over(k, v, nv), first / nv);
    cells_at(gg, block, r, modulo(k, v, nv), sum, body);
}

// Adds the sums of the slices in the order of k: rows of all slices go to local memory, as many as
// fit, and each slice finishes an equal share of their vectors.
static void finish_phase(MgGpuGemm *gg, MgKBlock *block, uint32_t phase, MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    int64_t vectors = mg_gpu_sums(t) / gg->phases,
            next = (int64_t)gg->each * MG_QUAD; // of an item; the distance to the next
    const MgKx *own =
        add(k, times(k, gg->item.slice, vectors * next), times(k, gg->item.within, MG_QUAD));
    own = named(k, block, "own", own);
    for (int64_t i = 0; i < vectors; i++) {
        const MgKx *sum = loaded(k, gg->acc, num(k, phase * vectors + i), MG_QUAD);
        store(k, block, gg->meet, plus(k, own, i * next), sum);
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    for (int64_t q = 0; q < mg_ceil_div(vectors, t->slices); q++) {
        const MgKx *v = plus(k, gg->item.slice, q * t->slices), *sum = NULL;
        v = named(k, block, "vector", v);
        MgKBlock *all = block;
        if ((q + 1) * t->slices > vectors) // there are more slices than vectors
            block = block_if(k, block, less(k, v, num(k, vectors)));
        const MgKx *at = add(k, times(k, v, next), times(k, gg->item.within, MG_QUAD));
        at = named(k, block, "at", at);
        for (uint32_t o = 0; o < t->slices; o++) {
            const MgKx *from = plus(k, at, o * vectors * next);
            const MgKx *part = named(k, block, "part", loaded(k, gg->meet, from, MG_QUAD));
            sum = sum ? add(k, sum, part) : part;
        }
        sum = named(k, block, "sum", sum);
        finished(gg, block, phase * vectors, v, sum, body);
        block = all;
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
}

// ---------------------------------------------------------------- sums that items exchange

enum { EXCHANGE_PITCH = MG_EXCHANGED + 8 }; // rows begin in different banks

bool mg_gpu_exchanges(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    MgSched *s = g->s;
    size_t size = mg_dtype_size(mg_value(s->g, g->unit->outputs[0])->dtype);
    MgIx target = mg_unit_target(s, g->unit->ops[0], g->at.with, MG_GEMM_SYMS);
    return gg->t.tensor == MG_TILE_WIDE && !mg_gpu_box_rounds(gg) && g->n.known > 0 &&
           g->n.known * (int64_t)size % MG_PIECE_BYTES && gg->t.columns % MG_EXCHANGED == 0 &&
           mg_moves_by_one(s->ix, target, mg_ix_index(s->ix, MG_GEMM_N));
}

int64_t mg_gpu_exchange_bytes(const MgGpuGemm *gg) {
    return mg_gpu_exchanges(gg) ? gg->t.rows * EXCHANGE_PITCH * (int64_t)mg_dtype_size(gg->g.type)
                                : 0;
}

// Stores the item's sums of `MG_EXCHANGED` columns from `first` on to local memory.
static void give_sums(MgGpuGemm *gg, MgKBlock *block, uint32_t first) {
    static const uint8_t pairs[2][2] = {{0, 1}, {2, 3}};
    MgKernel *k = gg->g.kb.k;
    const MgKx *row, *column;
    for (uint32_t i = 0; i < MG_EXCHANGED / MG_PRODUCT_COLUMNS; i++) {
        uint32_t number = first / MG_PRODUCT_COLUMNS + i;
        const MgKx *sums = loaded(k, gg->acc, num(k, number), MG_QUAD);
        mg_gpu_tensor_place(gg, num(k, number), &row, &column);
        column = minus(k, column, first);
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *at = times(k, plus(k, row, 8 * h), EXCHANGE_PITCH);
            store(k, block, gg->meet, named(k, block, "at", add(k, at, column)),
                  mg_kpermute(k, sums, NULL, pairs[h], 2));
        }
    }
}

static void exchanged_cells(MgGpuGemm *gg, MgKBlock *block, MgGpuCellFn *body) {
    MgKernel *k = gg->g.kb.k;
    int64_t elements = (int64_t)gg->t.rows * MG_EXCHANGED;
    for (uint32_t first = 0; first < gg->t.columns; first += MG_EXCHANGED) {
        give_sums(gg, block, first);
        mg_kbarrier(k, block, MG_BARRIER_GROUP);
        Loop loop = each_from(k, block, "cell", num(k, 0), num(k, elements), gg->items);
        const MgKx *row = named(k, loop.body, "cell", add(k, loop.at, gg->item.number));
        const MgKx *column = mg_gpu_digit(k, loop.body, &row, num(k, MG_EXCHANGED));
        const MgKx *at = add(k, times(k, row, EXCHANGE_PITCH), column);
        const MgKx *sum = named(k, loop.body, "sum", loaded(k, gg->meet, at, 1));
        mg_gpu_tile_cell(gg, loop.body, row, plus(k, column, first), sum, body);
        mg_kbarrier(k, block, MG_BARRIER_GROUP);
    }
}

// Loads what the cells since statement *first read, before any of them is computed, if that fills
// the registers which an item has for it.
static void load_first(MgGpuGemm *gg, MgKBlock *block, uint32_t *first) {
    MgKernel *k = gg->g.kb.k;
    if (mg_gpu_words_loaded(k, block, *first) < mg_figure(gg->g.s, cell_words))
        return;
    mg_gpu_loads_first(k, block, *first, true);
    *first = block->list.len;
}

void mg_gpu_tile_cells(MgGpuGemm *gg, MgKBlock *block, MgGpuCellFn *body) {
    const MgTiling *t = &gg->t;
    MgKernel *k = gg->g.kb.k;
    for (uint32_t phase = 0; t->slices > 1 && phase < gg->phases; phase++)
        finish_phase(gg, block, phase, body);
    uint32_t deal = mg_gpu_deal(gg);
    if (mg_gpu_exchanges(gg)) {
        exchanged_cells(gg, block, body);
        return;
    }
    if (deal > 2) {
        uint32_t first = block->list.len;
        for (uint32_t i = 0; i < mg_gpu_sums(t); i += deal / 2) {
            mg_gpu_dealt_cells(gg, block, i, body);
            load_first(gg, block, &first);
        }
        mg_gpu_loads_first(k, block, first, true);
        return;
    }
    uint32_t first = block->list.len;
    for (uint32_t i = 0; t->slices == 1 && i < mg_gpu_sums(t); i++) {
        const MgKx *sum = loaded(k, gg->acc, num(k, i), MG_QUAD);
        finished(gg, block, 0, num(k, i), named(k, block, "sum", sum), body);
        load_first(gg, block, &first);
    }
    mg_gpu_loads_first(k, block, first, true);
}
