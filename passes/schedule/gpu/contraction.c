// Contractions on a GPU. Groups compute tiles of the result, and walk k in blocks that are staged
// in local memory. If there are too few tiles for the device, groups of their own sum parts of k,
// which are added afterwards, always in the same order.
//
// The shape and the number of parts with the least estimated time are chosen: a large tile needs
// fewer loads for each multiplication, a small one leaves less of the device idle.
#include "ir/equation.h"
#include "passes/schedule/form.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

#include <math.h>
#include <string.h>

// A tile, and the figure of its rate.
typedef struct Candidate {
    MgTiling t;
    MgFigure rate;
    uint32_t per_word; // the elements of a word for which the rate holds; 0: any number
} Candidate;
static const Candidate candidates[] = {
#define MG_TILE(name, units, rows, columns, depth, item_rows, item_columns, slices, word, rate)    \
    {{rows, columns, depth, item_rows, item_columns, slices, MG_TILE_##units}, MG_FIG_##name, word},
#include "machines/tiles.def"
#undef MG_TILE
};

static MgTileUnits without_boxes(MgTileUnits units) {
    return units == MG_TILE_BOXES         ? MG_TILE_WIDE
           : units == MG_TILE_SPLIT_BOXES ? MG_TILE_SPLIT
                                          : units;
}

bool mg_gpu_is_candidate(const MgTiling *t, MgAtom atom) {
    bool is = false;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && !is; i++) {
        MgTiling c = candidates[i].t;
        c.depth *= c.tensor ? mg_atom_per_word(atom) : 1;
        is = without_boxes(c.tensor) == t->tensor && c.rows == t->rows && c.columns == t->columns &&
             c.depth == t->depth && c.item_rows == t->item_rows &&
             c.item_columns == t->item_columns && c.slices == t->slices;
    }
    return is;
}

// The cost of tiles on some units, as figures of the machine.
typedef struct UnitsCost {
    MgFigure faster; // the rate of products relative to those of items; MG_N_FIGURES: these are
                     // items' products
    MgFigure block, parts;
} UnitsCost;
static const UnitsCost costs[] = {
    [MG_TILE_ITEMS] = {MG_N_FIGURES, MG_FIG_items_block, MG_FIG_items_parts},
    [MG_TILE_TENSOR] = {MG_FIG_units_faster, MG_FIG_units_block, MG_FIG_units_parts},
    [MG_TILE_PARTS] = {MG_FIG_parts_faster, MG_FIG_units_block, MG_FIG_items_parts},
    [MG_TILE_WIDE] = {MG_FIG_wide_faster, MG_FIG_wide_block, MG_FIG_units_parts},
    [MG_TILE_SPLIT] = {MG_FIG_split_faster, MG_FIG_wide_block, MG_FIG_items_parts}};

static int64_t known_or(const MgGemmClass *cl, int64_t otherwise) {
    return cl->known >= 0 ? cl->known : otherwise;
}

// The bytes of local memory for both halves of both factors, with the padding that separates banks,
// and for the sums of slices if these have a type of their own.
static uint64_t local_bytes(const MgGpuGemm *gg) {
    enum { LINE_APART = 16, WORD = 4, BANKS_APART = 32 };
    const MgTiling *t = &gg->t;
    const MgGemm *g = &gg->g;
    if (!t->tensor)
        return 2 * (t->rows + t->columns) * t->depth * mg_dtype_size(g->type);
    uint64_t words = t->depth / mg_atom_per_word(gg->atom);
    if (mg_gpu_is_wide(t)) {
        uint64_t block = t->depth * mg_dtype_size(mg_atom(gg->atom)->row);
        return mg_gpu_slots(gg) * mg_gpu_lines(t) * block + (uint64_t)mg_gpu_exchange_bytes(gg);
    }
    uint64_t staged =
        2ull * (t->rows + t->columns) * (words * WORD + LINE_APART) + BANKS_APART * words * WORD;
    if (t->slices == 1 || mg_atom(gg->atom)->row == g->type)
        return staged;
    uint64_t sums = (uint64_t)t->rows * t->columns * t->slices * mg_dtype_size(g->type);
    return staged + (sums < staged ? sums : staged); // larger sums are exchanged in phases
}

// The nanoseconds in which a unit multiplies a block of k for each of its resident groups.
static double block_time(const MgGpuGemm *gg, MgFigure rate, double resident) {
    const MgMachine *machine = &gg->g.s->options->target.machine;
    const MgTiling *t = &gg->t;
    const UnitsCost *cost = &costs[t->tensor];
    double lanes = fmin(resident * mg_gpu_items(t), machine->unit_products);
    lanes *= cost->faster < MG_N_FIGURES ? machine->at[cost->faster] : 1;
    double depth = (double)t->depth / (t->tensor ? mg_atom_per_word(gg->atom) : 1);
    double share = machine->clock * machine->product_share * machine->at[rate];
    return (double)t->rows * t->columns * depth * resident / lanes / share;
}

static double bytes_of_factors(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    double m = (double)known_or(&g->m, 256), n = (double)known_or(&g->n, 256);
    double batch = (double)known_or(&g->batch, 8), k = (double)known_or(&g->k, 256);
    return batch * (m + n) * k * (double)mg_dtype_size(mg_atom(gg->atom)->row);
}

// Is the tile for other products? Low ones are for few rows, and for factors that no cache holds.
static bool is_too_low(const MgGpuGemm *gg) {
    return mg_gpu_is_low(gg) && (gg->g.m.known > gg->t.rows ||
                                 bytes_of_factors(gg) <= gg->g.s->options->target.machine.l3_size);
}

// The nanoseconds in which a unit converts and stores a sum, and computes what follows the product.
static double finish_time(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    const MgMachine *machine = &g->s->options->target.machine;
    double sum = machine->boxes_finish;
    for (uint32_t i = 1; i < g->unit->n_ops; i++) {
        const MgEquation *e = mg_op(g->s->g, g->unit->ops[i])->equation;
        sum += e ? mg_sx_instructions(machine, e->pieces->expr) : 0;
    }
    return sum / (machine->unit_products * machine->clock);
}

// The nanoseconds of the whole product with this number of parts of k: the multiplications of the
// groups that run at the same time, and for every block of k a latency that nothing hides. Parts
// are written, read again and added by another launch.
static double time_of(const MgGpuGemm *gg, MgFigure rate) {
    const MgGemm *g = &gg->g;
    const MgMachine *machine = &g->s->options->target.machine;
    const MgTiling *t = &gg->t;
    const int64_t splits = gg->splits;
    const UnitsCost *cost = &costs[t->tensor];
    double m = (double)known_or(&g->m, 256), n = (double)known_or(&g->n, 256);
    double batch = (double)known_or(&g->batch, 8), k = (double)known_or(&g->k, 256);
    double items = mg_gpu_items(t), units = g->s->options->target.compute_units;
    double tiles =
        (double)mg_ceil_div((int64_t)m, t->rows) * (double)mg_ceil_div((int64_t)n, t->columns);
    double groups = tiles * batch * (double)splits / units; // of one unit
    groups = groups < 1 ? 1 : groups < 16 ? (double)(int64_t)(groups + 0.999) : groups;
    bool twice = mg_gpu_promoted(gg) || t->tensor == MG_TILE_PARTS;
    uint32_t sums_of_item = mg_gpu_sums(t) * (twice ? 2 : 1);
    double resident = machine->unit_registers / ((sums_of_item * MG_QUAD + MG_TILE_OTHERS) * items);
    double room = (double)g->s->options->target.local_most / (double)local_bytes(gg);
    resident = t->tensor && room < resident ? room : resident;
    resident = resident < 1 ? 1 : resident < groups ? (double)(int64_t)resident : groups;
    double rounds = groups / resident;
    rounds = rounds < 4 ? (double)(int64_t)(rounds + 0.999) : rounds;
    double block = block_time(gg, rate, resident);
    double blocks = (double)mg_ceil_div(mg_ceil_div((int64_t)k, t->depth), splits);
    double factors = bytes_of_factors(gg);
    // Slots hide only so much of memory's latency.
    if (gg->boxes.used && factors > machine->l3_size && blocks > mg_gpu_slots(gg))
        block = fmax(block, machine->boxes_late / (mg_gpu_slots(gg) - 1));
    // While items split the first rows of a box, none of their products runs.
    bool by_split = gg->boxes.used && mg_gpu_splits(t);
    block += machine->at[by_split ? MG_FIG_split_block : cost->block];
    double time = rounds * blocks * block;
    if (gg->boxes.used) { // rates are those of one group; others finish sums while it multiplies
        double hidden = rounds * (resident - 1) * t->rows * t->columns * finish_time(gg);
        time = fmax(time - hidden, time / 2);
    }
    double sums = 8 * m * n * batch * (double)splits / machine->sums_rate;
    return splits > 1 ? time + machine->at[cost->parts] + sums : time;
}

// Matrix units truncate what does not fit into a sum, so the errors of a long sum add up. Beyond
// this depth, a sum of numbers of one sign could exceed the error bound of its definition.
enum { MOST_CUT_OFF = 16384 };

static bool is_cut_off(const MgGpuGemm *gg) {
    return gg->t.tensor && mg_is_float(gg->g.type) && !mg_atom(gg->atom)->rounds &&
           gg->g.k.known > MOST_CUT_OFF;
}

const char *mg_gpu_tiling_misfit(const MgGpuGemm *gg) {
    const MgTargetInfo *target = &gg->g.s->options->target;
    const MgTiling *t = &gg->t;
    // staged element by element
    uint32_t most = (t->rows > t->columns ? t->rows : t->columns) * t->depth;
    MgGpuGemm tried = *gg;
    if (mg_gpu_is_wide(t) && (!mg_machine_has_wide(&target->machine) ||
                              (!gg->boxes.used && !mg_gpu_may_be_wide(&tried))))
        return "the target has no wide products, or the factors do not come in vectors for them";
    if (t->slices > 1 && gg->g.s->options->strict)
        return "sums keep their order: items can't share out the steps of a block";
    if (mg_gpu_items(t) > target->max_items)
        return "a group of the target has fewer items than this tile takes";
    if (local_bytes(gg) > mg_gpu_tile_room(gg))
        return "two blocks of both factors are larger than a group's local memory";
    if ((mg_gpu_promoted(gg) || t->tensor == MG_TILE_PARTS) &&
        2 * mg_gpu_sums(t) * MG_QUAD + MG_TILE_OTHERS > target->registers)
        return "an item has too few registers for its sums and those of a block";
    if (most > MG_TILE_ROUNDS * mg_gpu_items(t))
        return "an item would fetch more than 128 vectors of a factor's block";
    if (is_cut_off(gg) && gg->g.k.known / gg->splits > MOST_CUT_OFF)
        return "matrix units add up at most 16384 products: cut the sum into more parts";
    return NULL;
}

// Tiles are taken in bands of rows if the rows fill whole bands.
int64_t mg_gpu_band(const MgGpuGemm *gg, int64_t band) {
    int64_t m = gg->g.m.known;
    return m >= 0 && mg_ceil_div(m, gg->t.rows) % band == 0 ? band : 1;
}

// If the product is too small for a tile, an item computes a point of it.
static bool large_enough(const MgGemm *g) {
    int64_t m = known_or(&g->m, 64), n = known_or(&g->n, 64), k = known_or(&g->k, 64);
    return k >= 4 && mg_gemm_fills_tiles(g, m, n, k);
}

// The largest number of parts of k that is considered. If there are enough tiles for every unit,
// none are needed, except for sums that are truncated; a strict sum has none.
static int64_t most_splits(const MgGpuGemm *gg) {
    enum { LEAST_BLOCKS = 8 };
    const MgGemm *g = &gg->g;
    const MgTiling *t = &gg->t;
    int64_t tiles = mg_ceil_div(known_or(&g->m, 256), t->rows) *
                    mg_ceil_div(known_or(&g->n, 256), t->columns) * known_or(&g->batch, 8);
    bool whole = g->k.known < 0 || g->s->options->strict ||
                 (tiles >= 2 * (int64_t)g->s->options->target.compute_units && !is_cut_off(gg));
    int64_t most = whole ? 1 : mg_ceil_div(g->k.known, t->depth) / LEAST_BLOCKS;
    return most < MG_TILE_SPLITS ? most : MG_TILE_SPLITS;
}

static bool choose(void *found) {
    MgGpuGemm *gg = found, tried = *gg;
    MgGemm *g = &gg->g;
    double best = 1e300;
    MgAtom atom = MG_ATOM_COUNT;
    bool units = mg_gpu_atom(g, &atom);
    for (size_t i = 0; large_enough(g) && i < sizeof candidates / sizeof *candidates; i++) {
        const Candidate *c = &candidates[i];
        MgTiling *t = &tried.t;
        *t = c->t;
        bool boxed = t->tensor >= MG_TILE_BOXES;
        t->tensor = without_boxes(t->tensor);
        tried.packing[0] = tried.packing[1] = MG_GPU_PACKED_ONCE;
        tried.atom = mg_gpu_splits(t) ? MG_ATOM_TF32
                     : t->tensor      ? atom
                                      : MG_ATOM_BF16; // it is not used without matrix units
        if (mg_gpu_splits(t) ? !mg_gpu_may_split(g, t->tensor) : t->tensor && !units)
            continue;
        if (t->tensor && c->per_word && c->per_word != mg_atom_per_word(tried.atom))
            continue;
        if (t->tensor)
            t->depth *= mg_atom_per_word(tried.atom);
        tried.boxes.used = mg_gpu_may_box(&tried, boxed);
        if (tried.boxes.used != boxed || is_too_low(&tried))
            continue;
        int64_t most = most_splits(&tried);
        for (int64_t splits = 1; splits == 1 || splits <= most; splits++) {
            tried.splits = splits;
            double time = time_of(&tried, c->rate) + (boxed ? tried.pack_time : 0);
            if (time >= best || mg_gpu_tiling_misfit(&tried))
                continue;
            best = time;
            gg->t = *t;
            gg->splits = splits;
            gg->atom = tried.atom;
            memcpy(gg->packing, tried.packing, sizeof gg->packing);
        }
    }
    if (best == 1e300)
        return false;
    gg->band = mg_gpu_band(gg, mg_figure(g->s, band));
    mg_gpu_gemm_derive(gg);
    return true;
}

// ---------------------------------------------------------------- the loops around the tile

const MgKx *mg_gpu_digit(MgKernel *k, MgKBlock *block, const MgKx **left, const MgKx *size) {
    const MgKx *d = named(k, block, "d", remainder_of(k, *left, size));
    *left = named(k, block, "left", quotient(k, *left, size));
    return d;
}

void mg_gpu_class_digits(MgGpuGemm *gg, MgKBlock *block, const MgGemmClass *of, uint32_t n,
                         const MgKx *left) {
    MgGemm *g = &gg->g;
    for (uint32_t i = n; i-- > 0;) {
        const MgKx *size = mg_kb_ix(&g->kb, g->piece->indices[of->index[i]].high, g->at.loop);
        g->at.loop[of->index[i]] = i ? mg_gpu_digit(g->kb.k, block, &left, size) : left;
    }
}

static void batch_digits(MgGpuGemm *gg, MgKBlock *block, const MgKx **left) {
    MgGemm *g = &gg->g;
    for (uint32_t i = g->batch.n; i-- > 0;) {
        uint32_t index = g->batch.index[i];
        const MgKx *size = mg_kb_ix(&g->kb, g->piece->indices[index].high, g->at.loop);
        g->at.loop[index] = mg_gpu_digit(gg->g.kb.k, block, left, size);
    }
}

// The rows and columns of a tile from its number: in bands of rows, so that groups that run at the
// same time read the same rows and columns.
static void tile_place(MgGpuGemm *gg, MgKBlock *block, const MgKx *number, const MgKx *down,
                       const MgKx *across) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *i, *j;
    if (gg->band > 1) {
        const MgKx *left = number, *band = num(k, gg->band);
        const MgKx *low = mg_gpu_digit(gg->g.kb.k, block, &left, band);
        j = mg_gpu_digit(gg->g.kb.k, block, &left, across);
        i = named(k, block, "i", add(k, mul(k, left, band), low));
    } else {
        const MgKx *left = number;
        i = mg_gpu_digit(gg->g.kb.k, block, &left, down);
        j = left;
    }
    gg->row.base = named(k, block, "m0", times(k, i, gg->t.rows));
    gg->column.base = named(k, block, "n0", times(k, j, gg->t.columns));
}

// This item's place among the items of the tile: those of a warp form a block, so that they share
// rows and columns.
static void item_place(MgGpuGemm *gg, MgKBlock *block) {
    enum { HIGH = 4, WIDE = 8 };
    MgKernel *k = gg->g.kb.k;
    uint32_t down = gg->each / gg->across;
    gg->item.number = named(k, block, "me", mg_kspecial(k, MG_KX_LOCAL_ID));
    gg->item.slice = gg->item.number;
    gg->item.within = gg->t.slices > 1
                          ? mg_gpu_digit(gg->g.kb.k, block, &gg->item.slice, num(k, gg->each))
                          : gg->item.number;
    const MgKx *left = gg->item.within;
    if (gg->t.tensor) {
        gg->item.lane = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, MG_TOGETHER));
        gg->item.x = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, gg->across));
        gg->item.y = left;
        return;
    }
    if (down % HIGH || gg->across % WIDE) {
        gg->item.x = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, gg->across));
        gg->item.y = left;
        return;
    }
    uint32_t near = gg->t.slices > 1 ? 2 : WIDE; // columns of neighbours, before their rows
    const MgKx *x = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, near));
    const MgKx *y = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, HIGH));
    if (near < WIDE) {
        const MgKx *far = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, WIDE / near));
        x = add(k, times(k, far, near), x);
    }
    const MgKx *block_x = mg_gpu_digit(gg->g.kb.k, block, &left, num(k, gg->across / WIDE));
    gg->item.x = named(k, block, "x", add(k, times(k, block_x, WIDE), x));
    gg->item.y = named(k, block, "y", add(k, times(k, left, HIGH), y));
}

static void finish(MgGpuGemm *gg, MgPoint *p, const MgKx *sum) {
    (void)gg;
    mg_kb_epilogue(p, sum);
}

// The address of a sum in its part: rows of columns, so that neighbouring columns are neighbours
// there, however they lie in the result.
static MgIx part_address(MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    MgIxTable *t = g->s->ix;
    MgIx at = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < g->batch.n; i++) {
        uint32_t index = g->batch.index[i];
        at = mg_ix_add(t, mg_ix_mul(t, at, g->piece->indices[index].high), mg_ix_idx(t, index));
    }
    at = mg_ix_add(t, mg_ix_mul(t, at, g->m.extent), mg_ix_idx(t, MG_GEMM_M));
    return mg_ix_add(t, mg_ix_mul(t, at, g->n.extent), mg_ix_idx(t, MG_GEMM_N));
}

// The number of sums of a part.
static MgIx part_sums(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    MgIxTable *t = g->s->ix;
    MgIx batch = g->batch.n ? g->batch.extent : mg_ix_const(t, 1);
    return mg_ix_mul(t, mg_ix_mul(t, batch, g->m.extent), g->n.extent);
}

static const MgKx *part_offset(MgGpuGemm *gg, const MgKx *part) {
    return mul(gg->g.kb.k, part, mg_kb_ix(&gg->g.kb, part_sums(gg), gg->g.at.loop));
}

static void keep_part(MgGpuGemm *gg, MgPoint *p, const MgKx *sum) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *at =
        add(k, part_offset(gg, gg->part), mg_kb_ix(&gg->g.kb, part_address(gg), gg->g.at.loop));
    store(k, p->block, gg->parts, at, sum);
}

// The sizes of the loop over tiles.
typedef struct Tiles {
    const MgKx *down, *across, *blocks, *all;
} Tiles;

// Sets the place of a tile from its number among those of all batches and parts, and the blocks of
// k that it sums.
static void aim(MgGpuGemm *gg, MgKBlock *block, const Tiles *t, const MgKx *left, const MgKx **low,
                const MgKx **high) {
    MgGemm *g = &gg->g;
    MgKernel *k = g->kb.k;
    const MgKx *tiles = mul(k, t->down, t->across);
    const MgKx *number = g->batch.n || gg->splits > 1 ? mg_gpu_digit(k, block, &left, tiles) : left;
    *low = num(k, 0);
    *high = t->blocks;
    if (gg->splits > 1) {
        const MgKx *splits = num(k, gg->splits);
        gg->part = mg_gpu_digit(k, block, &left, splits);
        *low = quotient(k, mul(k, t->blocks, gg->part), splits);
        *high = mul(k, t->blocks, plus(k, gg->part, 1));
        *low = named(k, block, "low", *low);
        *high = named(k, block, "high", quotient(k, *high, splits));
    }
    batch_digits(gg, block, &left);
    tile_place(gg, block, number, t->down, t->across);
}

// How many groups stay for several tiles: as many as the units hold at once. 0: none stay. It gains
// nothing if results are stored in pairs, or if many groups have one tile and others two.
static int64_t staying_groups(const MgGpuGemm *gg) {
    const MgGemm *g = &gg->g;
    int64_t groups = (int64_t)g->s->options->target.compute_units * (mg_gpu_is_paired(gg) ? 2 : 1);
    bool known = g->m.known > 0 && g->n.known > 0 && g->k.known > 0 && !g->batch.n;
    if (!known || !gg->boxes.used || mg_gpu_is_low(gg) || gg->splits > 1 ||
        (gg->t.tensor != MG_TILE_SPLIT && mg_gpu_deal(gg) == 2))
        return 0;
    int64_t tiles = mg_ceil_div(g->m.known, gg->t.rows) * mg_ceil_div(g->n.known, gg->t.columns);
    return 2 * tiles >= 3 * groups ? groups : 0;
}

// Begins the first boxes of the group's next tile, if there is one. The place of the current one
// stays as it is.
static void begin_next(MgGpuGemm *gg, MgKBlock *block, const Tiles *t, const MgKx *tile) {
    MgGemm *g = &gg->g;
    MgKernel *k = g->kb.k;
    const MgKx *low, *high, *m0 = gg->row.base, *n0 = gg->column.base;
    MgLoops at = g->at;
    const MgKx *next = add(k, tile, mg_kspecial(k, MG_KX_WORKERS));
    next = named(k, block, "next", next);
    block = block_if(k, block, less(k, next, t->all));
    aim(gg, block, t, next, &low, &high);
    mg_gpu_box_begin(gg, block, NULL, low, high);
    g->at = at;
    gg->row.base = m0;
    gg->column.base = n0;
}

static void emit_tiles(MgGpuGemm *gg) {
    MgGemm *g = &gg->g;
    MgKernel *k = g->kb.k;
    MgKBlock *block = &k->body;
    Tiles t = {.down = mg_kceil_div(k, mg_gpu_extent(gg, &g->m), gg->t.rows),
               .across = mg_kceil_div(k, mg_gpu_extent(gg, &g->n), gg->t.columns),
               .blocks = mg_kceil_div(k, mg_gpu_extent(gg, &g->k), gg->t.depth)};
    const MgKx *tiles = mul(k, t.down, t.across), *low, *high;
    t.all = times(k, mul(k, tiles, mg_gpu_extent(gg, &g->batch)), gg->splits);
    int64_t staying = staying_groups(gg);
    k->items = gg->items;
    item_place(gg, block);
    Loop loop = each_group(k, block, "tile", t.all);
    k->groups = staying ? num(k, staying) : k->groups;
    block = loop.body;
    aim(gg, block, &t, loop.at, &low, &high);
    if (staying)
        gg->begins = bin(k, MG_PRIM_EQ, loop.at, mg_kspecial(k, MG_KX_WORKER));
    MgGpuCellFn *end = gg->splits > 1 ? keep_part : finish;
    mg_gpu_tile_sum(gg, block, low, high);
    if (staying)
        begin_next(gg, block, &t, loop.at);
    if (gg->t.tensor == MG_TILE_SPLIT || mg_gpu_box_rounds(gg))
        mg_gpu_split_cells(gg, block, low, high, end);
    else
        mg_gpu_tile_cells(gg, block, end);
}

// Adds the sums of the parts of k and applies the epilogue; an item computes a vector of columns,
// or a point.
static void emit_parts(MgGpuGemm *gg) {
    MgGemm *g = &gg->g;
    MgKernel *k = g->kb.k;
    MgKBlock *block = &k->body;
    uint32_t lanes = g->n.known > 0 && g->n.known % MG_QUAD == 0 ? MG_QUAD : 1;
    mg_kbarrier(k, block, MG_BARRIER_GRID);
    const MgKx *columns = over(k, mg_gpu_extent(gg, &g->n), lanes);
    const MgKx *trips = mul(k, mg_gpu_extent(gg, &g->m), columns);
    trips = mul(k, trips, mg_gpu_extent(gg, &g->batch));
    const MgKx *left = mg_share_items(k, &block, trips, gg->items);
    const MgKx *column = times(k, mg_gpu_digit(gg->g.kb.k, block, &left, columns), lanes);
    g->at.loop[MG_GEMM_N] = column = named(k, block, "n", column);
    g->at.loop[MG_GEMM_M] = mg_gpu_digit(gg->g.kb.k, block, &left, mg_gpu_extent(gg, &g->m));
    batch_digits(gg, block, &left);
    uint32_t first = block->list.len;
    const MgKx *at = named(k, block, "at", mg_kb_ix(&g->kb, part_address(gg), g->at.loop));
    const MgKx *sum = NULL;
    for (int64_t i = 0; i < gg->splits; i++) {
        const MgKx *from = add(k, at, part_offset(gg, num(k, i)));
        const MgKx *x = named(k, block, "part", loaded(k, gg->parts, from, lanes));
        sum = sum ? add(k, sum, x) : x;
    }
    MgPoint p = mg_gpu_columns_point(gg, block, column, lanes);
    finish(gg, &p, named(k, block, "sum", sum));
    mg_gpu_loads_first(k, block, first, false);
}

// ---------------------------------------------------------------- the form

static void *find(MgSched *s, const MgUnit *unit) {
    MgGpuGemm gg = {.g = {.s = s, .unit = unit}};
    return mg_gemm_find(&gg.g) && gg.g.k.known ? mg_arena_copy(s->arena, &gg, 1, sizeof gg) : NULL;
}

static void make_kernel(void *found) {
    MgGpuGemm *gg = found;
    MgGemm *g = &gg->g;
    MgSched *s = g->s;
    MgKBlock *plan = g->kb.plan;
    s->p->rounds |=
        gg->t.tensor && !mg_gpu_splits(&gg->t) && mg_atom(gg->atom)->rounds && s->options->tf32;
    mg_gemm_begin(g);
    if (gg->splits > 1) {
        MgIx count = mg_ix_mul(s->ix, part_sums(gg), mg_ix_const(s->ix, gg->splits));
        gg->parts = mg_kb_common(&g->kb, "parts", g->type, count);
    }
    mg_gpu_stages_pack(gg, plan);
    mg_gpu_stages_place(gg);
    gg->acc = mg_kb_private(&g->kb, "acc", mg_kt(g->type, MG_QUAD), mg_gpu_sums(&gg->t));
    gg->block_sums = gg->acc;
    if (mg_gpu_promoted(gg))
        gg->block_sums =
            mg_kb_private(&g->kb, "block_sums", mg_kt(g->type, MG_QUAD), mg_gpu_sums(&gg->t));
    g->kb.k->resident = mg_gpu_is_paired(gg) ? 2 : 0;
    emit_tiles(gg);
    if (gg->splits > 1)
        emit_parts(gg);
}

const MgForm mg_form_gpu_contraction = {.nests = MG_NEST_CONTRACTION,
                                        .level = 1,
                                        .what = "a contraction",
                                        .find = find,
                                        .choose = choose,
                                        .read = mg_gpu_gemm_read,
                                        .nest = mg_gpu_gemm_nest,
                                        .make = make_kernel};
