// The tile of a contraction on a GPU: factors are staged in local memory, sums stay in registers.
//
// While one block of k is summed from local memory, the next one is loaded into registers, and is
// then stored to the other half of the buffers: there is one barrier per block. An item sums quads
// of rows and columns that are a whole row of items apart, so that items of one warp read
// neighbouring vectors of local memory. Positions past the result repeat its last one and are not
// stored; positions past k are zeros in both factors. stage.c brings the factors there.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

enum { MOST_ROWS = 16 }; // of an item

MgPoint mg_gpu_gemm_point(MgGpuGemm *gg, MgKBlock *block, int vector, uint32_t lanes) {
    return mg_loops_point(&gg->g.at, &gg->g.kb, block, lanes > 1 ? vector : -1, lanes, NULL);
}

static const MgKx *acc_at(MgGpuGemm *gg, uint32_t r, uint32_t v) {
    MgKernel *k = gg->g.kb.k;
    return loaded(k, gg->acc, num(k, r * (gg->t.item_columns / MG_QUAD) + v), MG_QUAD);
}

// Multiplies a value of row r by vector v of columns.
static void add_product(MgGpuGemm *gg, MgKBlock *block, uint32_t r, uint32_t v, const MgKx *x,
                        const MgKx *column) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *old = acc_at(gg, r, v);
    x = mg_ksplat(k, x, MG_QUAD);
    bool apart = gg->g.s->options->strict || !mg_is_float(gg->g.type);
    const MgKx *next =
        apart ? add(k, old, mul(k, x, column)) : mg_kprim(k, MG_PRIM_FMA, x, column, old);
    store(k, block, gg->acc, num(k, r * (gg->t.item_columns / MG_QUAD) + v), next);
}

// Adds one depth of the tile from local memory: an outer product of the item's rows and columns.
static void multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *row0, const MgKx *column0,
                     uint32_t deep) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    uint32_t down = mg_gpu_items_down(gg), nv = t->item_columns / MG_QUAD;
    const MgKx *b[4], *a[4];
    for (uint32_t q = 0; q < t->item_rows / MG_QUAD; q++) {
        int64_t at = (int64_t)deep * gg->row.pitch + (int64_t)q * down * MG_QUAD;
        const MgKx *from = plus(k, row0, at);
        a[q] = named(k, block, "a", loaded(k, gg->row.buf, from, MG_QUAD));
    }
    for (uint32_t v = 0; v < nv; v++) {
        int64_t at = (int64_t)deep * gg->column.pitch + (int64_t)v * gg->across * MG_QUAD;
        const MgKx *from = plus(k, column0, at);
        b[v] = named(k, block, "b", loaded(k, gg->column.buf, from, MG_QUAD));
    }
    for (uint32_t r = 0; r < t->item_rows; r++)
        for (uint32_t v = 0; v < nv; v++)
            add_product(gg, block, r, v, mg_klane(k, a[r / MG_QUAD], r % MG_QUAD), b[v]);
}

// Sums the item's share of the depth if rows are lines: a vector of each row at a time. The next
// vectors are loaded one step ahead; without the loop, compilers would move these loads after the
// products.
static void multiply_lines(MgGpuGemm *gg, MgKBlock *block, const MgKx *row0, const MgKx *column0) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    int64_t share = t->depth / t->slices;
    const MgKx *first = times(k, gg->item.slice, share / MG_QUAD), *a[MOST_ROWS];
    first = named(k, block, "first", mg_gpu_turned_by(gg, first, gg->item.y));
    MgKs *loop =
        mg_kfor(k, block, MG_LOOP_SERIAL, "step", num(k, 0), num(k, share / MG_TILE_STEPS), 1);
    loop->rolled = true;
    block = &loop->body;
    const MgKx *step = mg_kvar(k, loop->var);
    column0 = add(k, column0, times(k, step, MG_TILE_STEPS * gg->column.pitch));
    column0 = named(k, block, "column", column0);
    for (int64_t q = 0; q < MG_TILE_STEPS / MG_QUAD; q++) {
        const MgKx *vector = add(k, first, plus(k, times(k, step, MG_TILE_STEPS / MG_QUAD), q));
        vector = modulo(k, vector, t->depth / MG_QUAD);
        const MgKx *at = named(k, block, "at", add(k, row0, times(k, vector, MG_QUAD)));
        for (uint32_t r = 0; r < t->item_rows; r++) {
            const MgKx *from = plus(k, at, (int64_t)r * mg_gpu_items_down(gg) * t->depth);
            a[r] = named(k, block, "a", loaded(k, gg->row.buf, from, MG_QUAD));
        }
        for (uint32_t d = 0; d < MG_QUAD; d++) {
            const MgKx *from = plus(k, column0, (q * MG_QUAD + d) * gg->column.pitch);
            const MgKx *b = named(k, block, "b", loaded(k, gg->column.buf, from, MG_QUAD));
            for (uint32_t r = 0; r < t->item_rows; r++)
                add_product(gg, block, r, 0, mg_klane(k, a[r], d), b);
        }
    }
}

// The beginning of this item's part of a stage: its slice, its place along the symbol.
static const MgKx *share_of(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const char *name,
                            const MgKx *half, const MgKx *place) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *at =
        add(k, times(k, half, st->tile), times(k, place, st->in_lines ? gg->t.depth : MG_QUAD));
    if (gg->t.slices > 1 && !st->in_lines)
        at = add(k, at, times(k, gg->item.slice, st->tile / gg->t.slices));
    return named(k, block, name, plus(k, at, st->place));
}

static void multiply_block(MgGpuGemm *gg, MgKBlock *block, const MgKx *half) {
    const MgTiling *t = &gg->t;
    const MgKx *row0 = share_of(gg, block, &gg->row, "row0", half, gg->item.y);
    const MgKx *column0 = share_of(gg, block, &gg->column, "column0", half, gg->item.x);
    if (gg->row.in_lines)
        multiply_lines(gg, block, row0, column0);
    for (uint32_t deep = 0; !gg->row.in_lines && deep < t->depth / t->slices; deep++)
        multiply(gg, block, row0, column0, deep);
}

void mg_gpu_tile_sum(MgGpuGemm *gg, MgKBlock *block, const MgKx *low, const MgKx *high) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    const MgKx *zero = mg_kfloat(k, mg_kt(gg->g.type, MG_QUAD), 0), *row[MG_TILE_ROUNDS],
               *column[MG_TILE_ROUNDS];
    for (uint32_t i = 0; i < mg_gpu_sums(t); i++) {
        store(k, block, gg->acc, num(k, i), zero);
        if (mg_gpu_promoted(gg) > 1)
            store(k, block, gg->block_sums, num(k, i), zero);
    }
    if (!gg->boxes.used) {
        mg_gpu_stage_aim(gg, block, &gg->row);
        mg_gpu_stage_aim(gg, block, &gg->column);
    }
    // If the depth is 0, the sums are zeros, and nothing may be read.
    bool some = low->kind == MG_KX_CONST && high->kind == MG_KX_CONST &&
                (int64_t)low->bits < (int64_t)high->bits;
    MgKBlock *b = some ? block : block_if(k, block, less(k, low, high));
    if (mg_gpu_is_wide(t)) {
        (gg->boxes.used ? mg_gpu_box_sum : mg_gpu_wide_sum)(gg, b, low, high);
        return;
    }
    mg_gpu_stage_fetch(gg, b, &gg->row, times(k, low, t->depth), row);
    mg_gpu_stage_fetch(gg, b, &gg->column, times(k, low, t->depth), column);
    const MgKx *half = named(k, b, "half", modulo(k, low, 2));
    mg_gpu_stage_put(gg, b, &gg->row, half, row);
    mg_gpu_stage_put(gg, b, &gg->column, half, column);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    Loop loop = each_from(k, b, "kb", low, high, 1);
    b = loop.body;
    const MgKx *now = loop.at, *next = named(k, b, "next", plus(k, now, 1));
    // After the last block, it is loaded once more and not used.
    const MgKx *last = minus(k, high, 1);
    const MgKx *k0 = named(k, b, "k0", times(k, least(k, next, last), t->depth));
    mg_gpu_stage_fetch(gg, b, &gg->row, k0, row);
    mg_gpu_stage_fetch(gg, b, &gg->column, k0, column);
    half = named(k, b, "half", modulo(k, now, 2));
    if (t->tensor)
        mg_gpu_tensor_multiply(gg, b, half);
    else
        multiply_block(gg, b, half);
    half = named(k, b, "half", modulo(k, next, 2));
    mg_gpu_stage_put(gg, b, &gg->row, half, row);
    mg_gpu_stage_put(gg, b, &gg->column, half, column);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
}
