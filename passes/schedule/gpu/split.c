// Tiles of an f32 contraction by wide products of split factors: f32's own error class from matrix
// units that round to tf32.
//
// A factor is the sum of two tf32 numbers: x rounded to the nearest, and the rest of x. Three
// products of these give the product of x and y except for 2^-22 of it, since the fourth is that
// small (Markidis, Der Chien, Laure, Peng and Vetter, "NVIDIA tensor core programmability,
// performance & precision", 2018). Matrix units truncate what does not fit into a sum, so the
// errors of a long sum would add up in one direction: after some blocks the sums are added to
// others, which round to nearest (Ootomo and Yokota, "Recovering single precision accuracy from
// tensor cores", 2022).
//
// An infinity or NaN has no such parts, and a number near the largest one may have none. If an item
// has a sum that is not finite, all its sums are computed again, product by product. A number below
// 2^-114 has less of its rest, since tf32 has no smaller numbers than 2^-136: products of such a
// number have that error times the other factor.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

enum { PROMOTED = 4 }; // blocks of k after which the sums of split factors are added to others

uint32_t mg_gpu_promoted(const MgGpuGemm *gg) {
    return gg->t.tensor == MG_TILE_SPLIT                              ? PROMOTED
           : gg->t.tensor == MG_TILE_WIDE && mg_atom(gg->atom)->keeps ? 1
                                                                      : 0;
}

// The bits of an f32 that tf32 has, and half of tf32's last place.
static const MgBits kept = 0xffffe000, half_place = 0x1000;

const MgKx *mg_gpu_high_part(MgKernel *k, const MgKx *x) {
    MgKType bits = mg_kt(MG_U32, x->type.lanes);
    const MgKx *y = mg_kcast(k, MG_PRIM_BITCAST, MG_U32, x);
    y = both(k, add(k, y, mg_kconst(k, bits, half_place)), mg_kconst(k, bits, kept));
    return mg_kcast(k, MG_PRIM_BITCAST, MG_F32, y);
}

// The high part of a NaN whose bits are all set, as a device computes it, is 0; it stays in the low
// part.
const MgKx *mg_gpu_low_part(MgKernel *k, const MgKx *x, const MgKx *high) {
    const MgKx *rest = sub(k, x, high);
    return where(k, un(k, MG_PRIM_ISNAN, rest), rest, mg_gpu_high_part(k, rest));
}

// ---------------------------------------------------------------- sums of many blocks

MgKBlock *mg_gpu_promoted_blocks(MgGpuGemm *gg, MgKBlock *block, const MgKx **low,
                                 const MgKx **high) {
    MgKernel *k = gg->g.kb.k;
    Loop loop = each_from(k, block, "blocks", *low, *high, PROMOTED);
    const MgKx *end = plus(k, loop.at, PROMOTED);
    *low = loop.at;
    *high = named(k, loop.body, "end", least(k, end, *high));
    return loop.body;
}

void mg_gpu_promote(MgGpuGemm *gg, MgKBlock *block, bool more) {
    MgKernel *k = gg->g.kb.k;
    for (uint32_t i = 0; i < mg_gpu_sums(&gg->t); i++) {
        const MgKx *sum = loaded(k, gg->acc, num(k, i), MG_QUAD);
        const MgKx *part = loaded(k, gg->block_sums, num(k, i), MG_QUAD);
        store(k, block, gg->acc, num(k, i), add(k, sum, part));
        if (more)
            store(k, block, gg->block_sums, num(k, i), mg_kfloat(k, part->type, 0));
    }
}

// ---------------------------------------------------------------- what is not finite

// Has the item a sum that is not finite? 0 times such a sum is NaN.
static const MgKx *is_odd(MgGpuGemm *gg, MgKBlock *block) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *zero = mg_kfloat(k, mg_kt(MG_F32, MG_QUAD), 0), *all = zero;
    for (uint32_t i = 0; i < mg_gpu_sums(&gg->t); i++) {
        const MgKx *sum = loaded(k, gg->acc, num(k, i), MG_QUAD);
        all = named(k, block, "odd", mg_kprim(k, MG_PRIM_FMA, sum, zero, all));
    }
    return un(k, MG_PRIM_ISNAN, mg_kfold(k, MG_PRIM_ADD, all));
}

static const MgKx *factor_at(MgGpuGemm *gg, MgKBlock *block, const MgSx *factor, uint32_t lanes) {
    MgPoint p = mg_gpu_gemm_point(gg, block, MG_GEMM_N, lanes);
    return mg_ksplat(gg->g.kb.k, mg_point_expr(&p, factor), lanes);
}

// Sums the cells of a point again, and passes the sum on.
static void sum_again(MgGpuGemm *gg, MgPoint *p, const MgKx *sum) {
    MgKernel *k = gg->g.kb.k;
    uint32_t lanes = sum->type.lanes;
    const MgKx *first = num(k, 0);
    MgKBufId again = gg->again.sums[lanes > 1];
    store(k, p->block, again, first, mg_kfloat(k, sum->type, 0));
    MgKs *loop = mg_kfor(k, p->block, MG_LOOP_SERIAL, "k", gg->again.first, gg->again.last, 1);
    loop->rolled = true;
    gg->g.at.loop[MG_GEMM_K] = mg_kvar(k, loop->var);
    const MgKx *row = factor_at(gg, &loop->body, gg->g.row.x, lanes);
    const MgKx *column = factor_at(gg, &loop->body, gg->g.column.x, lanes);
    const MgKx *so_far = loaded(k, again, first, lanes);
    store(k, &loop->body, again, first, mg_kprim(k, MG_PRIM_FMA, row, column, so_far));
    MgPoint end = mg_gpu_gemm_point(gg, p->block, MG_GEMM_N, lanes);
    gg->again.finish(gg, &end, named(k, p->block, "sum", loaded(k, again, first, lanes)));
}

void mg_gpu_split_cells(MgGpuGemm *gg, MgKBlock *block, const MgKx *low, const MgKx *high,
                        MgGpuCellFn *finish) {
    MgKernel *k = gg->g.kb.k;
    gg->again.finish = finish;
    gg->again.first = named(k, block, "first_step", times(k, low, gg->t.depth));
    const MgKx *end = least(k, times(k, high, gg->t.depth), mg_gpu_extent(gg, &gg->g.k));
    gg->again.last = named(k, block, "last_step", end);
    for (uint32_t i = 0; i < 2; i++)
        gg->again.sums[i] = mg_kb_private(&gg->g.kb, "again", mg_kt(MG_F32, i + 1), 1);
    MgKs *odd = mg_kif(k, block, named(k, block, "odd", is_odd(gg, block)));
    MgKs *loop =
        mg_kfor(k, &odd->body, MG_LOOP_SERIAL, "vector", num(k, 0), num(k, mg_gpu_sums(&gg->t)), 1);
    loop->rolled = true;
    mg_gpu_tensor_cell(gg, &loop->body, mg_kvar(k, loop->var),
                       mg_kfloat(k, mg_kt(MG_F32, MG_QUAD), 0), sum_again);
    mg_gpu_tile_cells(gg, &odd->orelse, finish);
}
