// Tiles of a contraction by wide products (MgKProduct): 128 items issue one instruction, which runs
// while the next blocks of k are loaded. Factors are in lines of local memory.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

const MgKx *mg_gpu_piece_of_line(MgKernel *k, const MgKx *number, const MgKx *piece,
                                 int64_t elements) {
    const int64_t pieces = MG_LINE_BYTES / MG_PIECE_BYTES;
    const MgKx *at = bin(k, MG_PRIM_XOR, piece, modulo(k, number, pieces));
    return add(k, times(k, number, pieces * elements), times(k, at, elements));
}

uint32_t mg_gpu_deal(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    size_t size = mg_dtype_size(mg_value(g->s->g, g->unit->outputs[0])->dtype);
    bool deals = mg_gpu_is_wide(&gg->t) && gg->column.lies == MG_LIES_IN_LINES && g->n.known > 0;
    uint32_t deal = size > 4 ? 2 : size == 4 ? 4 : 8;
    // A row must consist of whole vectors. A box has whole groups of columns, and no axis is left
    // for batches.
    int64_t whole = g->s->options->target.boxes ? 4 * deal : deal;
    deals = deals && !(g->s->options->target.boxes && mg_gemm_follows_batch(g, g->column.x));
    while (deal > 2 && (!deals || g->n.known % whole))
        deal /= 2;
    return deal;
}

const MgKx *mg_gpu_dealt(MgKernel *k, const MgKx *x, int64_t deal) {
    const MgKx *item = modulo(k, over(k, x, deal), 4);
    const MgKx *pair = modulo(k, over(k, x, 2), deal / 2);
    const MgKx *first = times(k, over(k, x, 4 * deal), 4 * deal);
    const MgKx *within = add(k, times(k, pair, MG_PRODUCT_COLUMNS), times(k, item, 2));
    return add(k, add(k, first, within), modulo(k, x, 2));
}

const MgKx *mg_gpu_in_lines(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *x,
                            const MgKx *deep) {
    MgKernel *k = gg->g.kb.k;
    if (st->sym == MG_GEMM_N && mg_gpu_deal(gg) > 2)
        x = named(k, block, "line", mg_gpu_dealt(k, x, mg_gpu_deal(gg)));
    int64_t size = (int64_t)mg_dtype_size(st->type);
    int64_t line = MG_LINE_BYTES / size, piece = MG_PIECE_BYTES / size;
    const MgKx *number = x, *within = deep;
    if (st->lies == MG_LIES_ACROSS) {
        number = add(k, times(k, over(k, x, line), gg->t.depth), deep);
        within = modulo(k, x, line);
    }
    const MgKx *at = mg_gpu_piece_of_line(k, number, over(k, within, piece), piece);
    return st->lanes == piece ? at : add(k, at, modulo(k, within, piece));
}

MgKBlock *mg_gpu_wide_multiply(MgGpuGemm *gg, MgKBlock *block, const MgKx *slot, MgKLag lag) {
    MgKernel *k = gg->g.kb.k;
    const MgTiling *t = &gg->t;
    const MgStage *row = &gg->row, *column = &gg->column;
    bool split = t->tensor == MG_TILE_SPLIT;
    MgKProduct product = {.atom = gg->atom,
                          .row_buf = row->buf,
                          .column_buf = column->buf,
                          .rows = t->item_rows,
                          .columns = t->item_columns,
                          .depth = t->depth,
                          .row_lies = row->lies,
                          .column_lies = column->lies,
                          .column_low = split ? column->plane : 0,
                          .fresh = mg_gpu_promoted(gg) == 1,
                          .lag = lag};
    // 64 rows are a block of lines, in either direction.
    const MgKx *four = over(k, gg->item.y, MG_WIDE);
    int64_t rows = (int64_t)MG_WIDE * t->item_rows * t->depth;
    const MgKx *row0 = add(k, times(k, slot, row->tile), times(k, four, rows));
    const MgKx *column0 = times(k, slot, column->tile);
    return &mg_kproduct(k, block, gg->block_sums, &product, named(k, block, "row0", row0),
                        named(k, block, "column0", column0))
                ->body;
}

// Loaded vectors stay in registers until the block after the next is loaded.
static void keep_next(MgGpuGemm *gg, MgKBlock *block, MgStage *st, const MgKx *const *values) {
    MgKernel *k = gg->g.kb.k;
    for (uint32_t r = 0; r < st->round.n; r++) {
        const MgKx *x = st->pack.used ? values[r] : cast(k, st->type, values[r]);
        store(k, block, st->next, num(k, r), x);
    }
}

static void put_next(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *half) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *values[MG_TILE_ROUNDS];
    for (uint32_t r = 0; r < st->round.n; r++) {
        const MgKx *x = loaded(k, st->next, num(k, r), st->lanes);
        values[r] = named(k, block, "next", x);
    }
    mg_gpu_stage_put(gg, block, st, half, values);
}

// Copies the block of k from k0 on to a slot of the buffer; the copy completes by the end of the
// product. If there is no such block, zeros take its place, so that no memory is read.
static void copy_later(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *k0,
                       const MgKx *slot, const MgKx *there) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *base = times(k, slot, st->tile), *inside;
    for (uint32_t r = 0; r < st->round.n; r++) {
        MgKBlock *b = st->round.own[r] ? block_if(k, block, st->round.own[r]) : block;
        const MgKx *x = mg_gpu_stage_vector(gg, b, st, r, k0, &inside);
        const MgKx *to = named(k, b, "to", add(k, base, st->round.to[r]));
        x = mg_gpu_or_zeros(k, there, mg_gpu_or_zeros(k, inside, x));
        store(k, b, st->buf, to, x)->later = true;
    }
}

// The blocks of k that a part has at most; a large number if that is not known.
static int64_t most_blocks(const MgGpuGemm *gg) {
    int64_t blocks = mg_ceil_div(mg_ceil_div(gg->g.k.known, gg->t.depth), gg->splits);
    return gg->g.k.known > 0 ? blocks : INT64_MAX;
}

// Slots of blocks that the device copies: so many that two groups share a unit's local memory, if
// each has three. While one of them finishes its sums, the other multiplies.
static int64_t box_slots(const MgGpuGemm *gg) {
    int64_t most = gg->g.s->options->target.local_most - MG_LINES_BYTES - mg_gpu_exchange_bytes(gg);
    int64_t block = (int64_t)mg_gpu_lines(&gg->t) * MG_LINE_BYTES;
    return most / 2 / block == 3 ? 3 : most / block;
}

uint32_t mg_gpu_slots(const MgGpuGemm *gg) {
    bool two = gg->t.tensor == MG_TILE_SPLIT;
    int64_t usual = mg_gpu_is_low(gg) ? MG_BOX_SLOTS : MG_WIDE_SLOTS;
    int64_t most = two && !gg->boxes.used ? usual / 2 : usual;
    most = gg->boxes.used && box_slots(gg) < most ? box_slots(gg) : most;
    int64_t blocks = most_blocks(gg) < 2 ? 2 : most_blocks(gg);
    return (uint32_t)(blocks < most ? blocks : most);
}

bool mg_gpu_is_paired(const MgGpuGemm *gg) {
    const MgTargetInfo *target = &gg->g.s->options->target;
    uint32_t sums = mg_gpu_sums(&gg->t) * (mg_gpu_promoted(gg) ? 2 : 1);
    double registers = 2.0 * gg->items * (sums * MG_QUAD + MG_TILE_OTHERS);
    int64_t bytes = (int64_t)mg_gpu_slots(gg) * mg_gpu_lines(&gg->t) * MG_LINE_BYTES +
                    mg_gpu_exchange_bytes(gg) + MG_LINES_BYTES;
    return gg->boxes.used && 2 * bytes - MG_LINES_BYTES <= target->local_most &&
           registers <= target->machine.unit_registers;
}

// Sums the blocks of k by wide products. While one runs, the next block is loaded into another
// slot. A factor that is copied unchanged needs no register; then products and copies lag, so that
// neither units nor memory wait for each other, and there are four slots: for the product that
// ends, for the one that begins, for copies that complete, and for those that begin. (A barrier
// waits for all copies that have begun, and a product may be shorter than the way to memory.) Other
// factors wait in registers until the block after the next is loaded; after the last block, it is
// loaded once more and not used.
void mg_gpu_wide_sum(MgGpuGemm *gg, MgKBlock *b, const MgKx *low, const MgKx *high) {
    MgKernel *k = gg->g.kb.k;
    MgStage *stages[] = {&gg->row, &gg->column};
    const MgKx *values[MG_TILE_ROUNDS], *end = high, *last = minus(k, high, 1);
    const MgKx *second = named(k, b, "second", plus(k, low, 1));
    const MgKx *slots = num(k, mg_gpu_slots(gg));
    bool copies = true;
    for (uint32_t i = 0; i < 2; i++) {
        copies &= mg_gpu_stage_fetch(gg, b, stages[i], times(k, low, gg->t.depth), values);
        mg_gpu_stage_put(gg, b, stages[i], remainder_of(k, low, slots), values);
    }
    enum { AHEAD = 2 }; // blocks
    MgKBlock *there = copies ? block_if(k, b, less(k, second, end)) : b;
    for (uint32_t i = 0; i < 2; i++) {
        const MgKx *k0 = times(k, least(k, second, last), gg->t.depth);
        mg_gpu_stage_fetch(gg, there, stages[i], k0, values);
        if (copies)
            mg_gpu_stage_put(gg, there, stages[i], remainder_of(k, second, slots), values);
        else
            keep_next(gg, there, stages[i], values);
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    MgKBlock *outer = b;
    if (gg->t.tensor == MG_TILE_SPLIT)
        outer = mg_gpu_promoted_blocks(gg, b, &low, &high);
    Loop loop = each_from(k, outer, "kb", low, high, 1);
    const MgKx *now = loop.at, *later = plus(k, now, AHEAD);
    const MgKx *slot = named(k, loop.body, "slot", remainder_of(k, now, slots));
    const MgKx *to = copies ? later : plus(k, now, 1);
    to = named(k, loop.body, "to", remainder_of(k, to, slots));
    const MgKx *k0 = named(k, loop.body, "k0", times(k, least(k, later, last), gg->t.depth));
    const MgKx *is_there = copies ? named(k, loop.body, "there", less(k, later, end)) : NULL;
    bool each = mg_gpu_promoted(gg) == 1; // sums are complete after each block
    MgKLag lag = !copies ? MG_LAG_NONE : each ? MG_LAG_STORES : MG_LAG_ALL;
    MgKBlock *meanwhile = mg_gpu_wide_multiply(gg, loop.body, slot, lag);
    for (uint32_t i = 0; i < 2 && (!copies || most_blocks(gg) > AHEAD); i++)
        if (copies)
            copy_later(gg, meanwhile, stages[i], k0, to, is_there);
        else
            put_next(gg, meanwhile, stages[i], to);
    for (uint32_t i = 0; i < 2 && !copies; i++) {
        mg_gpu_stage_fetch(gg, meanwhile, stages[i], k0, values);
        keep_next(gg, meanwhile, stages[i], values);
    }
    mg_kbarrier(k, loop.body, MG_BARRIER_GROUP);
    if (each)
        mg_gpu_promote(gg, loop.body, false);
    if (gg->t.tensor == MG_TILE_SPLIT)
        mg_gpu_promote(gg, outer, true);
    if (lag) {
        mg_kawait(k, b, gg->block_sums);
        mg_kbarrier(k, b, MG_BARRIER_GROUP); // the next tile uses the same slots
    }
}
