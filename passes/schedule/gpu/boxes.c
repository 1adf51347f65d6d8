// The stages of wide products that the device copies by itself, as boxes (MgKBox): both factors
// come from memory unchanged, at places that are linear in the tile's indices.
#include "ir/equation.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

const MgSx *mg_gpu_plain_read(const MgSx *x) {
    while (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST)
        x = x->args[0];
    return x->kind == MG_SX_READ ? x : NULL;
}

bool mg_gpu_is_zero_outside(const MgSx *read) {
    const MgSx *other = read->otherwise;
    return read->bounds == MG_BOUNDS_PROVED ||
           (read->bounds == MG_BOUNDS_ELSE && other->kind == MG_SX_CONST && !other->bits);
}

// ---------------------------------------------------------------- where a factor lies

typedef struct Layout { // the distances of neighbours, in elements
    int64_t base, k, x;
    int64_t k_size, x_size;
    bool ends;      // behind x_size, it is 0; otherwise, nobody needs what is there
    int64_t behind; // elements of memory from the last batch's first one on
} Layout;

static bool take_linear(const MgGpuGemm *gg, MgIx *address, uint32_t sym, int64_t *stride) {
    return mg_ix_steps(gg->g.s->ix, *address, mg_ix_index(gg->g.s->ix, sym), stride, address);
}

static bool add_axis(MgGpuBox *b, MgGpuBoxPlace what, int64_t by, int64_t size, int64_t stride,
                     int64_t extent) {
    if (b->box.rank == MG_BOX_AXES)
        return false;
    b->places[b->box.rank] = (MgGpuBoxAxis){.what = what, .by = by};
    b->box.axes[b->box.rank++] = (struct MgKBoxAxis){size, stride, (uint32_t)extent};
    return true;
}

// Is a read outside, where it is 0, only if the position along the stage's symbol is? Then sets the
// number of positions that are inside.
static bool find_end(const MgGpuGemm *gg, const MgStage *st, const MgSx *x, MgValueId v,
                     Layout *l) {
    const MgGemm *g = &gg->g;
    MgIxTable *t = g->s->ix;
    MgIxRanges ranges = {g->at.low, g->at.high, MG_GEMM_SYMS};
    const MgIx *shape = mg_value(g->s->g, v)->shape;
    MgIx subs[64];
    l->ends = x->bounds != MG_BOUNDS_PROVED;
    if (!l->ends)
        return true;
    if (!mg_gpu_is_zero_outside(x) || !mg_read_subs(x, subs))
        return false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        MgIx sub = mg_ix_subst_indices(t, subs[i], g->at.with, MG_GEMM_SYMS);
        bool is = sub == mg_ix_idx(t, st->sym);
        if (is ? !mg_ix_is_const(t, shape[i], &l->x_size)
               : mg_inside(t, sub, shape[i], &ranges, NULL, 0) != MG_PROVED)
            return false;
    }
    return true;
}

// The layout of a factor that is a plain read of its own type. The axes of batches are added to
// *batches.
static bool read_layout(MgGpuGemm *gg, const MgStage *st, Layout *l, MgGpuBox *batches) {
    MgGemm *g = &gg->g;
    MgSched *s = g->s;
    const MgSx *x = mg_gpu_plain_read(st->factor);
    MgValueId v;
    MgIx address;
    l->k_size = g->k.known;
    l->x_size = mg_gpu_class_of(gg, st)->known;
    if (!x || !mg_gemm_read_address(g, x, &v, &address) || mg_value(s->g, v)->dtype != st->type ||
        !take_linear(gg, &address, MG_GEMM_K, &l->k) ||
        !take_linear(gg, &address, st->sym, &l->x) || !find_end(gg, st, x, v, l))
        return false;
    if (!mg_ix_is_const(s->ix, mg_value_elements(s->g, v), &l->behind))
        l->behind = -1; // unknown
    for (uint32_t i = 0; i < g->batch.n; i++) {
        uint32_t index = g->batch.index[i];
        int64_t stride, size;
        if (!take_linear(gg, &address, index, &stride))
            return false;
        if (!stride)
            continue;
        if (!mg_ix_is_const(s->ix, g->piece->indices[index].high, &size) ||
            !add_axis(batches, MG_GPU_BOX_BATCH, 1, size, stride, 1))
            return false;
        batches->places[batches->box.rank - 1].index = index;
        l->behind -= (size - 1) * stride;
    }
    if (!mg_ix_is_const(s->ix, address, &l->base))
        return false;
    l->behind -= l->base;
    return true;
}

static void packed_layout(const MgGpuGemm *gg, const MgStage *st, Layout *l) {
    l->k = st->along_depth ? 1 : st->pack.line;
    l->x = st->along_depth ? st->pack.line : 1;
    l->k_size = st->along_depth ? st->pack.line : gg->g.k.known;
    l->x_size = st->along_depth ? mg_gpu_class_of(gg, st)->known : st->pack.line;
}

// ---------------------------------------------------------------- boxes

// Adds the axes of positions whose lines run along the depth. Columns may be dealt (mg_gpu_deal),
// unless they are packed so. The parts of a split factor are two planes.
static bool add_positions(const MgGpuGemm *gg, const MgStage *st, const Layout *l, MgGpuBox *b) {
    int64_t deal = st->sym == MG_GEMM_N ? mg_gpu_deal(gg) : 2;
    if (mg_gpu_planes(&gg->t, st->sym) > 1)
        return add_axis(b, MG_GPU_BOX_PLACE, 1, l->x_size, l->x, st->size) &&
               add_axis(b, MG_GPU_BOX_FIRST, 1, 2, l->x_size * l->x, 2);
    int64_t group = 4 * deal; // columns
    if (deal == 2)
        return add_axis(b, MG_GPU_BOX_PLACE, 1, l->x_size, l->x, st->size);
    return add_axis(b, MG_GPU_BOX_FIRST, 1, 2, l->x, 2) &&
           add_axis(b, MG_GPU_BOX_FIRST, 1, 4, deal * l->x, 4) &&
           add_axis(b, MG_GPU_BOX_FIRST, 1, deal / 2, 2 * l->x, deal / 2) &&
           add_axis(b, MG_GPU_BOX_PLACE, group, l->x_size / group, group * l->x, st->size / group);
}

// Lines of positions, for all steps of a block. Behind the last whole line there may be elements of
// anything; if memory ends there, each line is a box of its own.
static bool add_across(const MgGpuGemm *gg, const MgStage *st, const Layout *l, int64_t line,
                       MgGpuBox *b) {
    int64_t size = l->x_size, whole = mg_round_up(size, line);
    if (!l->ends && (l->k_size - 1) * l->k + whole <= l->behind)
        size = whole;
    if (size % line == 0)
        return add_axis(b, MG_GPU_BOX_FIRST, 1, line, 1, line) &&
               add_axis(b, MG_GPU_BOX_DEPTH, 1, l->k_size, l->k, gg->t.depth) &&
               add_axis(b, MG_GPU_BOX_PLACE, line, size / line, line, st->size / line);
    b->n = (uint32_t)(st->size / line);
    return add_axis(b, MG_GPU_BOX_PLACE, 1, size, 1, line) &&
           add_axis(b, MG_GPU_BOX_DEPTH, 1, l->k_size, l->k, gg->t.depth);
}

// `behind`: the elements of memory. If they are whole pieces, lines may end within one.
static bool fits(const MgGpuBox *b, int64_t size, int64_t behind) {
    bool torn = behind <= 0 || behind * size % MG_PIECE_BYTES;
    bool whole = b->box.base * size % MG_PIECE_BYTES == 0 &&
                 (!torn || b->box.axes[0].size * size % MG_PIECE_BYTES == 0);
    for (uint32_t i = 1; i < b->box.rank; i++)
        whole &= b->box.axes[i].stride > 0 && b->box.axes[i].stride * size % MG_PIECE_BYTES == 0 &&
                 b->box.axes[i].extent <= MG_BOX_EXTENT && b->box.axes[i].size <= INT32_MAX;
    return whole && b->box.axes[0].size <= INT32_MAX;
}

static bool find_plain_box(MgGpuGemm *gg, const MgStage *st, int64_t line, MgGpuBox *b,
                           int64_t *behind) {
    Layout l = {0};
    MgGpuBox batches = {0};
    if (st->pack.used)
        packed_layout(gg, st, &l);
    else if (!read_layout(gg, st, &l, &batches))
        return false;
    b->box.base = l.base;
    *behind = l.behind;
    bool added;
    if (st->along_depth) {
        added = l.k == 1 && add_axis(b, MG_GPU_BOX_DEPTH, 1, l.k_size, 1, line) &&
                add_positions(gg, st, &l, b);
    } else {
        added = l.x == 1 && add_across(gg, st, &l, line, b);
    }
    for (uint32_t i = 0; i < batches.box.rank && added; i++) {
        const struct MgKBoxAxis *axis = &batches.box.axes[i];
        added = add_axis(b, MG_GPU_BOX_BATCH, 1, axis->size, axis->stride, 1);
        if (added)
            b->places[b->box.rank - 1].index = batches.places[i].index;
    }
    return added;
}

static bool find_box(MgGpuGemm *gg, const MgStage *st, MgGpuBox *b) {
    int64_t size = (int64_t)mg_dtype_size(st->type), line = MG_LINE_BYTES / size, behind = 0;
    if (st->turns || (!st->pack.used && mg_gpu_planes(&gg->t, st->sym) > 1) ||
        mg_gpu_class_of(gg, st)->known <= 0 || gg->g.k.known <= 0)
        return false;
    *b = (MgGpuBox){.n = 1};
    bool found = find_plain_box(gg, st, line, b, &behind);
    if (!found && st->sym == MG_GEMM_M && st->along_depth && !st->pack.used) {
        *b = (MgGpuBox){.n = 1};
        behind = 0;
        found = mg_gpu_find_windows(gg, st, b);
    }
    b->box.rounds = !st->pack.used && !mg_gpu_splits(&gg->t) && mg_atom(gg->atom)->rounds;
    return found && fits(b, size, behind);
}

void mg_gpu_find_boxes(MgGpuGemm *gg) {
    const MgStage *stages[] = {&gg->row, &gg->column};
    bool may = gg->g.s->options->target.boxes && mg_gpu_is_wide(&gg->t) &&
               gg->t.depth * mg_dtype_size(mg_atom(gg->atom)->row) == MG_LINE_BYTES;
    for (uint32_t i = 0; i < 2; i++)
        gg->boxes.has[i] = may && find_box(gg, stages[i], &gg->boxes.at[i]);
    gg->boxes.used = gg->boxes.has[0] && gg->boxes.has[1];
}

bool mg_gpu_may_box(MgGpuGemm *gg, bool packs) {
    MgGpuGemm tried = *gg;
    if (!gg->g.s->options->target.boxes || !mg_gpu_is_wide(&gg->t))
        return false;
    mg_gpu_gemm_derive(&tried);
    for (uint32_t i = 0; i < 2 && packs; i++)
        if (!tried.boxes.has[i])
            tried.packing[i] = gg->packing[i] = MG_GPU_PACKED_AHEAD;
    if (packs && !tried.boxes.used)
        mg_gpu_gemm_derive(&tried);
    gg->pack_time =
        mg_gpu_stage_pack_time(&tried, &tried.row) + mg_gpu_stage_pack_time(&tried, &tried.column);
    return tried.boxes.used;
}

bool mg_gpu_box_rounds(const MgGpuGemm *gg) {
    return gg->boxes.used && (gg->boxes.at[0].box.rounds || gg->boxes.at[1].box.rounds);
}

// ---------------------------------------------------------------- the sum

// The place along axis a; NULL: it follows the block of k.
static const MgKx *place_of(MgGpuGemm *gg, const MgStage *st, const MgGpuBoxAxis *axis) {
    MgKernel *k = gg->g.kb.k;
    switch (axis->what) {
    case MG_GPU_BOX_DEPTH:
        return NULL;
    case MG_GPU_BOX_PLACE:
        return over(k, st->base, axis->by);
    case MG_GPU_BOX_BATCH:
        return gg->g.at.loop[axis->index];
    case MG_GPU_BOX_FIRST:
        break;
    }
    return num(k, 0);
}

static void fix_places(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, MgGpuBox *b) {
    MgKernel *k = gg->g.kb.k;
    for (uint32_t a = 0; a < b->box.rank && !b->box.pixels; a++) {
        const MgKx *x = place_of(gg, st, &b->places[a]);
        b->fixed[a] = x ? named(k, block, "at", x) : NULL;
    }
    if (b->box.pixels)
        mg_gpu_fix_windows(gg, block, st, b);
}

// Fills a slot with block `number` of k.
static void fill(MgGpuGemm *gg, MgKBlock *block, const MgKx *number) {
    MgKernel *k = gg->g.kb.k;
    MgStage *stages[] = {&gg->row, &gg->column};
    const MgKx *slot = modulo(k, number, mg_gpu_slots(gg));
    const MgKx *k0 = named(k, block, "k0", times(k, number, gg->t.depth));
    slot = named(k, block, "to", slot);
    for (uint32_t i = 0; i < 2; i++) {
        const MgStage *st = stages[i];
        MgGpuBox *b = &gg->boxes.at[i];
        const MgKx *at[MG_BOX_PLACES];
        for (uint32_t a = 0; a < mg_box_places(&b->box); a++)
            at[a] = b->fixed[a] ? b->fixed[a] : k0;
        if (b->box.pixels)
            mg_gpu_place_taps(gg, block, b, k0, at);
        const MgKx *to = times(k, slot, st->tile), *first = at[0];
        for (int64_t n = 0; n < b->n; n++) {
            at[0] = n ? plus(k, first, n * b->box.axes[0].extent) : first;
            mg_kbox(k, block, st->buf, plus(k, to, n * st->tile / b->n), &b->box, at, slot);
        }
    }
}

static MgKBufId source_of(MgGpuGemm *gg, const MgStage *st) {
    const MgOp *op = mg_op(gg->g.s->g, gg->g.unit->ops[0]);
    return st->pack.used
               ? st->pack.buf
               : mg_kb_value(&gg->g.kb, op->operands[mg_gpu_plain_read(st->factor)->operand]);
}

void mg_gpu_box_begin(MgGpuGemm *gg, MgKBlock *b, const MgKx *begins, const MgKx *low,
                      const MgKx *high) {
    MgKernel *k = gg->g.kb.k;
    uint32_t slots = mg_gpu_slots(gg);
    MgStage *stages[] = {&gg->row, &gg->column};
    for (uint32_t i = 0; i < 2; i++) {
        gg->boxes.at[i].box.from = source_of(gg, stages[i]);
        gg->boxes.at[i].box.slots = slots;
        gg->boxes.at[i].box.together = gg->boxes.at[0].n + gg->boxes.at[1].n;
        fix_places(gg, b, stages[i], &gg->boxes.at[i]);
    }
    b = begins ? block_if(k, b, begins) : b;
    for (uint32_t i = 0; i + 1 < slots; i++) {
        const MgKx *number = named(k, b, "number", plus(k, low, i));
        fill(gg, i ? block_if(k, b, less(k, number, high)) : b, number);
    }
}

// Block kb is multiplied while the blocks after it are on their way, as many as there are slots but
// one: the product before it is complete then, so its slot is released and filled again. Products
// of split factors are complete when they end, and release their slot there.
void mg_gpu_box_sum(MgGpuGemm *gg, MgKBlock *b, const MgKx *low, const MgKx *high) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *first = low, *end = high;
    MgKBlock *outer = b;
    uint32_t slots = mg_gpu_slots(gg);
    bool split = gg->t.tensor == MG_TILE_SPLIT;
    mg_gpu_box_begin(gg, b, gg->begins, low, high);
    if (split)
        outer = mg_gpu_promoted_blocks(gg, b, &low, &high);
    Loop loop = each_from(k, outer, "kb", low, high, 1);
    const MgKx *slot = named(k, loop.body, "slot", modulo(k, loop.at, slots));
    mg_klanded(k, loop.body, slot);
    // Sums are complete after each block if they are added to others then, or if items hold rows.
    // Then the product before it is complete when it begins, else when it ends.
    bool each = mg_gpu_promoted(gg) == 1;
    MgKLag lag = each || split ? MG_LAG_NONE : MG_LAG_ALL;
    const MgKx *ahead = named(k, loop.body, "ahead", plus(k, loop.at, slots - 1));
    MgKBlock *meanwhile = mg_gpu_wide_multiply(gg, loop.body, slot, lag);
    meanwhile = lag ? loop.body : meanwhile;
    if (!split) {
        MgKBlock *used = block_if(k, meanwhile, bin(k, MG_PRIM_GT, loop.at, first));
        mg_krelease(k, used, named(k, used, "to", modulo(k, ahead, slots)));
    }
    fill(gg, block_if(k, meanwhile, less(k, ahead, end)), ahead);
    if (split)
        mg_krelease(k, loop.body, slot);
    if (!lag)
        mg_gpu_promote(gg, each ? loop.body : outer, split);
    else
        mg_kawait(k, outer, gg->block_sums);
    const MgKx *last = minus(k, end, 1);
    if (!split)
        mg_krelease(k, b, named(k, b, "last", modulo(k, last, slots)));
}
