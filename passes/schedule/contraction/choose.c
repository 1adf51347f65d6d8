// Chooses the plan of a contraction's kernel for workers: the sizes of tile and blocks, what is
// packed and how, and what is shared out. The result is an MgGemmPlan, from which contraction.c
// makes the kernel.
#include "passes/schedule/contraction/contraction.h"

#include <math.h>

// The number of vectors of sums that hide the latency of a multiply-add; and the rows of a tile of
// two vectors with that number.
static int64_t least_sums(const MgGemm *g) {
    return mg_figure(g->s, sums);
}

static int64_t fewest(const MgGemm *g) {
    return least_sums(g) / 2;
}

static uint32_t tallest(const MgGemm *g) {
    return (uint32_t)mg_figure(g->s, tallest);
}

static int64_t l2_bytes(const MgGemm *g) {
    return g->s->options->target.l2_bytes;
}

// A product that saturates, since sizes may be arbitrarily large.
static int64_t times(int64_t a, int64_t b) {
    int64_t n;
    return __builtin_mul_overflow(a, b, &n) ? INT64_MAX : n;
}

// ---------------------------------------------------------------- sizes of tile and blocks

// The time of one step of a tile of r rows: its fused multiply-adds, and loading the columns.
static double step_cost(const MgGemm *g, int64_t r) {
    return (double)(r < fewest(g) ? fewest(g) : r) + g->s->options->target.machine.tile_load;
}

// The number of rows of accumulators that fit into a tile, besides one vector of the column factor
// each and a broadcast.
uint32_t mg_gemm_most_rows(const MgGemm *g, uint32_t nv) {
    uint32_t registers = g->s->options->target.vector_registers;
    registers -= g->words.offset ? nv : 0;
    return registers < 2 + 2 * nv ? 1 : (registers - 2 - nv) / nv;
}

static void choose_rows(MgGemm *g, uint32_t most) {
    g->plan.mr = most;
    double best = INFINITY;
    for (uint32_t r = most; g->m.known > 0 && r && r >= (most < fewest(g) ? most : fewest(g));
         r--) {
        int64_t tail = g->m.known % r;
        double cost = (double)(g->m.known / r) * step_cost(g, r);
        cost += tail ? step_cost(g, tail) + 1 : 0; // a tile variant costs compile time and op cache
        if (cost < best) {
            best = cost;
            g->plan.mr = r;
        }
    }
    if (g->m.known > 0 && g->m.known < g->plan.mr)
        g->plan.mr = (uint32_t)g->m.known;
}

// The time of a step for all rows, in multiply-adds, by tiles of r rows and nv vectors.
static int64_t rows_time(const MgGemm *g, int64_t rows, int64_t r, int64_t nv) {
    int64_t least = least_sums(g), whole = r * nv, tail = rows % r * nv;
    whole = rows / r * (whole < least ? least : whole);
    return tail ? whole + (tail < least ? least : tail) : whole;
}

// The time of a step, the same for all rows and columns.
static int64_t step_time(const MgGemm *g) {
    enum { MANY = 840 }; // a multiple of common tile sizes
    int64_t rows = g->m.known > 0 ? g->m.known : MANY,
            vectors = g->n.known > 0 ? mg_ceil_div(g->n.known, g->lanes) : MANY, nv = g->plan.nv;
    int64_t time = vectors / nv * rows_time(g, rows, g->plan.mr, nv);
    return vectors % nv ? time + rows_time(g, rows, g->plan.mr, vectors % nv) : time;
}

// If rows are read in place, each row is a stream of its own. A tile then has as few rows as
// possible, since they all need a new cache line at the same step and share sets of L1.
static void widen(MgGemm *g) {
    uint32_t nv = g->plan.nv, mr = g->plan.mr;
    int64_t before = step_time(g);
    while (g->plan.nv < MG_GEMM_VECTORS && mg_gemm_most_rows(g, g->plan.nv + 1) >= fewest(g) &&
           (g->n.known <= 0 || g->n.known > g->plan.nv * g->lanes))
        g->plan.nv++;
    choose_rows(g, mg_gemm_most_rows(g, g->plan.nv));
    if (g->plan.nv > 2 && 32 * step_time(g) <= 33 * before)
        return;
    g->plan.nv = nv;
    g->plan.mr = mr;
}

// Must columns be gathered when they are packed, because vectors of them are not contiguous?
static bool are_looked_for(MgGemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column.x, MG_GEMM_N);
    return (!n.straight || n.other) && !mg_gemm_is_unchanging(g, g->column.x, &g->n);
}

// Computing the addresses of columns takes as long for a narrow strip as for a wide one. If one
// tile has all rows, this is much of the time, so strips are as wide as pays, with tiles of fewer
// rows.
static void spread(MgGemm *g) {
    const MgMachine *machine = &g->s->options->target.machine;
    double multiply = g->lanes / machine->products, best = INFINITY;
    uint32_t m = (uint32_t)g->m.known, first = g->plan.nv;
    if (g->m.known <= 0 || g->m.known > tallest(g) || !are_looked_for(g))
        return;
    for (uint32_t nv = first; nv <= MG_GEMM_VECTORS; nv++) {
        uint32_t panels = (uint32_t)mg_ceil_div(m, mg_gemm_most_rows(g, nv));
        uint32_t mr = (uint32_t)mg_ceil_div(m, panels);
        double sums = fmax(mr * nv, (double)least_sums(g));
        double time = (machine->pack_step + panels * sums * multiply) / nv;
        if (nv > first && g->n.known > 0 && g->n.known <= (nv - 1) * (int64_t)g->lanes)
            break;
        if (time < best) {
            best = time;
            g->plan.nv = nv;
            g->plan.mr = mr;
        }
    }
}

static void choose_tile(MgGemm *g) {
    g->plan.nv = g->n.known > 0 && g->n.known <= g->lanes ? 1 : 2;
    if (g->row_end) // all columns
        g->plan.nv = (uint32_t)mg_ceil_div(g->n.known, g->lanes);
    uint32_t most = mg_gemm_most_rows(g, g->plan.nv);
    most = most < tallest(g) ? most : tallest(g);
    if (mg_figure(g->s, lane_factors) && !g->plan.rows_lie && most > g->lanes)
        most = (most - 1) / g->lanes * g->lanes; // whole vectors of rows, two of them at once
    choose_rows(g, most);
    if (g->plan.rows_lie && !g->row_end)
        widen(g);
    else if (!g->row_end)
        spread(g);
    if (!g->row_end)
        g->plan.nv = (uint32_t)mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_VECTORS, g->plan.nv);
    int64_t room = mg_gemm_most_rows(g, g->plan.nv),
            rows = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_ROWS, g->plan.mr);
    room = g->m.known > 0 && g->m.known < room ? g->m.known : room;
    g->plan.mr = (uint32_t)(rows < room ? rows : room);
}

static int64_t l1_bytes(const MgGemm *g) {
    return g->s->options->target.l1_bytes;
}

bool mg_gemm_columns_may_lie(MgGemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column.x, MG_GEMM_N);
    return !g->words.used && g->m.known > 0 && n.straight && !n.other &&
           (g->m.known <= g->plan.mr || g->column.x->kind == MG_SX_READ);
}

// Columns are read in place if all rows are one tile, so that each element is used once (the tile
// is then as wide as the registers allow), or if they stay in cache anyway.
static void choose_columns_in_place(MgGemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column.x, MG_GEMM_N);
    if (g->words.used || g->m.known <= 0 || !n.straight || n.other ||
        mg_gemm_is_unchanging(g, g->column.x, &g->n))
        return;
    int64_t elements = g->n.known > 0 && g->k.known > 0 ? g->n.known * g->k.known : INT64_MAX;
    uint32_t least = g->row_end ? g->plan.nv : 1; // vectors
    if (g->m.known > mg_gemm_most_rows(g, least)) {
        g->plan.columns_in_place = g->column.x->kind == MG_SX_READ &&
                                   elements <= 2 * l1_bytes(g) / (int64_t)mg_dtype_size(g->type);
        return;
    }
    g->plan.columns_in_place = true;
    g->plan.mr = (uint32_t)g->m.known;
    g->plan.nv = least;
    while (g->plan.nv < MG_GEMM_VECTORS && mg_gemm_most_rows(g, g->plan.nv + 1) >= g->plan.mr &&
           (g->n.known < 0 || g->n.known > g->plan.nv * g->lanes))
        g->plan.nv++;
}

static void tune_columns_in_place(MgGemm *g) {
    int64_t wanted = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_PACK_COLUMNS,
                              g->plan.columns_in_place ? 1 : 2);
    bool unchanging = mg_gemm_is_unchanging(g, g->column.x, &g->n);
    g->plan.columns_in_place = wanted == 1 && !unchanging && mg_gemm_columns_may_lie(g);
}

// Do the rows fit into L1 at the same time? The streaming columns take one line of each set. If all
// columns are one strip, each row is used only once, so fewer rows at a time are better than
// packing.
static void uncrowd(MgGemm *g, int64_t pitch) {
    int64_t ways = mg_figure(g->s, l1_ways), set = l1_bytes(g) / ways; // bytes to its next line
    int64_t bytes = pitch * (int64_t)mg_dtype_size(g->type), apart = bytes & -bytes;
    int64_t most = apart < set ? (ways - 1) * (set / apart) : ways - 1;
    if (g->plan.mr > most && g->n.known > 0 && g->n.known <= g->plan.nv * g->lanes &&
        most >= fewest(g))
        choose_rows(g, (uint32_t)most);
    g->plan.rows_lie &= g->plan.mr <= most;
}

// The depth of a strip that stays in half of L1 from its packing to its last use; at least one step
// of the first bound index. If few rows use it, its way to L2 and back takes longer than its
// products. INT64_MAX: many do, L1 is too small, sizes are open, or strips are packed while
// they are multiplied.
static int64_t near_depth(MgGemm *g) {
    int64_t width = g->plan.nv * g->lanes * (int64_t)mg_dtype_size(g->type);
    int64_t steps = l1_bytes(g) / width, inner = mg_gemm_inner_steps(g);
    if (g->m.known <= 0 || g->n.known <= 0 || g->k.known <= 0 ||
        g->m.known > mg_figure(g->s, near_rows) || g->row_end || inner < 1 || steps < inner ||
        !are_looked_for(g))
        return INT64_MAX;
    return steps / 2 < inner ? inner : steps / 2 / inner * inner;
}

static void choose_blocks(MgGemm *g) {
    int64_t size = (int64_t)mg_dtype_size(g->type), l2 = l2_bytes(g);
    // Depth pays for reading and writing the tile's sums. A strip of columns (a wide one has twice
    // as many) and a block of rows both stream from L2, and must leave room there for other data.
    g->plan.kc = l2 / (g->plan.nv > 2 ? 4 : 8) / (g->plan.nv * g->lanes * size) / 8 * 8;
    if (g->plan.columns_in_place)
        g->plan.kc = l2 / 2 / (g->plan.mr * size) / 8 * 8;
    if (g->plan.kc < 64)
        g->plan.kc = 64;
    int64_t near = near_depth(g);
    if (near < g->plan.kc) {
        int64_t blocks = mg_ceil_div(g->k.known, near), inner = mg_gemm_inner_steps(g);
        g->plan.kc = mg_ceil_div(mg_ceil_div(g->k.known, blocks), inner) * inner;
    } else if (g->k.known > 0 && g->plan.kc < g->k.known) // equal blocks
        g->plan.kc =
            mg_ceil_div(mg_ceil_div(g->k.known, (g->k.known + g->plan.kc / 2) / g->plan.kc), 8) * 8;
    g->plan.kc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_DEPTH, g->plan.kc);
    if (g->k.known >= 0 && g->plan.kc > g->k.known)
        g->plan.kc = g->k.known > 0 ? g->k.known : 1;
    g->plan.mc = l2 * 3 / 8 / (g->plan.kc * size) / g->plan.mr * g->plan.mr;
    if (g->plan.mc < g->plan.mr)
        g->plan.mc = g->plan.mr;
    uint32_t workers = g->s->workers;
    if (g->m.known > 0) { // equal blocks, a whole number for every worker
        int64_t blocks = mg_ceil_div(mg_ceil_div(g->m.known, g->plan.mc), workers) * workers;
        int64_t rows = mg_ceil_div(mg_ceil_div(g->m.known, blocks), g->plan.mr) * g->plan.mr;
        g->plan.mc = rows < g->plan.mr ? g->plan.mr : rows;
    }
    g->plan.mc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_BLOCK, g->plan.mc);
    g->plan.mc = mg_ceil_div(g->plan.mc, g->plan.mr) * g->plan.mr;
}

// ---------------------------------------------------------------- packing
bool mg_gemm_depth_fits(MgGemm *g) {
    mg_gemm_find_lines(g);
    return (!(g->plan.column_runs || g->plan.row_runs) ||
            g->plan.kc % mg_gemm_inner_steps(g) == 0) &&
           g->plan.kc % mg_gemm_line_steps(g) == 0;
}

// Packs by runs if the elements lie in runs; blocks then have whole steps of the first bound index.
static void choose_runs(MgGemm *g) {
    mg_gemm_find_lines(g);
    if (g->column.lines.length) {
        g->plan.kc = mg_ceil_div(g->plan.kc, mg_gemm_line_steps(g)) * mg_gemm_line_steps(g);
        return;
    }
    g->plan.column_runs = !g->plan.columns_in_place && mg_gemm_column_runs(g).read;
    g->plan.row_runs = !g->plan.row_along_k && mg_gemm_row_runs(g).read;
    int64_t inner = mg_gemm_inner_steps(g);
    if (!mg_gemm_depth_fits(g))
        g->plan.kc = mg_ceil_div(g->plan.kc, inner) * inner;
}

// Is the factor packed once for all runs? It is, unless it is too large.
bool mg_gemm_may_keep(MgGemm *g, MgGemmKeeping what) {
    enum { MOST_KEPT = 1 << 28 }; // elements
    const MgSx *factor = what == MG_GEMM_KEEP_ROWS ? g->row.x : g->column.x;
    int64_t size = mg_gemm_kept_size(g, what);
    return (mg_gemm_follows_batch(g, factor) ? times(size, g->batch.known) : size) <= MOST_KEPT;
}

static void choose_keeping(MgGemm *g) {
    bool rows = mg_gemm_is_unchanging(g, g->row.x, &g->m),
         columns = mg_gemm_is_unchanging(g, g->column.x, &g->n);
    if (rows) // a panel is read from front to back
        g->plan.row_along_k = false;
    mg_gemm_derive(g);
    g->plan.rows_kept = rows && mg_gemm_may_keep(g, MG_GEMM_KEEP_ROWS);
    g->plan.columns_kept = columns && mg_gemm_may_keep(g, MG_GEMM_KEEP_COLUMNS);
}

// If their vectors are contiguous in memory, strips are packed while the first panel of rows is
// multiplied, so that stores and cache misses overlap with the multiplications.
bool mg_gemm_may_fill(MgGemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column.x, MG_GEMM_N);
    MgIx address;
    return mg_gemm_packs_columns(g) && g->plan.sharing != MG_GEMM_SHARE_TILES &&
           g->plan.sharing != MG_GEMM_SHARE_ROWS && g->m.known > 0 && n.straight && !n.other &&
           !g->plan.column_runs && mg_gemm_plain_address(g, g->column.x, &address);
}

// ---------------------------------------------------------------- sharing out
// Strips are packed for as many columns as stay in cache until all rows have used them.
int64_t mg_gemm_all_columns(const MgGemm *g) {
    int64_t width = g->plan.nv * g->lanes;
    return mg_ceil_div(g->n.known > 0 ? g->n.known : 1, width) * width;
}

static void choose_columns(MgGemm *g) {
    int64_t l3 = g->s->options->target.l3_bytes, width = g->plan.nv * g->lanes;
    int64_t bytes = l3 / 8; // other cores use it too
    g->plan.nc = bytes / (g->plan.kc * (int64_t)mg_dtype_size(g->type)) / width * width;
    g->plan.nc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_COLUMNS, g->plan.nc) / width * width;
    if (g->plan.nc < width)
        g->plan.nc = width;
    if (g->n.known >= 0 && g->plan.nc > g->n.known)
        g->plan.nc = mg_gemm_all_columns(g);
}

// Does the worker with the most strips have a smaller part of the product than the one with the
// most rows would have?
static bool strips_are_evener(const MgGemm *g, int64_t strips) {
    int64_t workers = g->s->workers, blocks = mg_ceil_div(g->m.known, g->plan.mc);
    int64_t rows = mg_ceil_div(blocks, workers) * g->plan.mc;
    return g->n.known > 0 && mg_ceil_div(strips, workers) * g->m.known < rows * strips;
}

// Do all rows stay in half of L2 while strips stream through? Then each strip is packed just before
// its only use, if there are enough strips for all workers.
static bool few_rows(MgGemm *g, uint32_t workers) {
    int64_t strips = mg_ceil_div(g->n.known, g->plan.nv * g->lanes);
    if (g->m.known <= 0)
        return false;
    if (workers < 2 || (g->n.known > 0 && strips >= 8 * (int64_t)workers))
        return times(g->m.known, g->plan.kc * (int64_t)mg_dtype_size(g->type)) <= l2_bytes(g) / 2;
    return g->m.known < 2 * (int64_t)g->plan.mr * workers &&
           (g->m.known <= g->plan.mc || strips_are_evener(g, strips));
}

// Are the workers' parts of the columns so wide, and so equal, that each worker may pack all rows?
// Then no worker waits for another.
static bool wide_parts(MgGemm *g) {
    int64_t workers = g->s->workers, width = g->plan.nv * g->lanes;
    int64_t strips = g->n.known / width, most = mg_ceil_div(strips, workers);
    int64_t least = mg_gemm_packs_rows(g) ? 4 : 2; // strips that pay for packing a row
    return mg_gemm_packs_columns(g) && strips >= least * workers &&
           10 * most * workers <= 11 * strips;
}

static void choose_sharing(MgGemm *g) {
    uint32_t workers = g->s->workers;
    g->plan.sharing = MG_GEMM_SHARE_BATCH;
    if (workers < 2 && few_rows(g, 1)) {
        g->plan.sharing = MG_GEMM_SHARE_COLUMNS;
        return;
    }
    if (workers < 2 || (g->batch.known >= (int64_t)workers && g->batch.known % workers == 0) ||
        g->batch.known >= 8 * (int64_t)workers)
        return;
    g->plan.sharing = few_rows(g, workers) ? MG_GEMM_SHARE_COLUMNS
                      : wide_parts(g)      ? MG_GEMM_SHARE_PARTS
                                           : MG_GEMM_SHARE_ROWS;
}

// Work is dealt out only for long products, since a worker that takes another's work reads its
// operands from farther away, and only if sizes are known. A core that is slow for a while then
// delays one trip, not half of the work. Figures give the least length in barriers; this is the
// number of multiply-adds that a core does during n barriers.
static int64_t barriers(const MgGemm *g, double n) {
    const MgTargetInfo *target = &g->s->options->target;
    return (int64_t)fmin(n * target->machine.products * target->barrier_ns, 1e18);
}

int64_t mg_gemm_least_trip(const MgGemm *g) {
    return mg_ceil_div(barriers(g, g->s->options->target.machine.dealt_trip) + 1,
                       g->m.known * g->k.known * g->plan.nv * g->lanes);
}

// If all rows stay in L2 for all strips, strips are dealt out, many at a time at first.
static bool deals_columns(MgGemm *g) {
    int64_t m = g->m.known, n = g->n.known, k = g->k.known, width = g->plan.nv * g->lanes;
    if (mg_gemm_packs_rows(g) || g->plan.sharing == MG_GEMM_SHARE_ROWS ||
        times(m * k, n) < barriers(g, g->s->options->target.machine.dealt_long) ||
        m * k * (int64_t)mg_dtype_size(g->type) > l2_bytes(g) * 5 / 8)
        return false;
    return n / width >= 16 * mg_gemm_least_trip(g);
}

// If rows and columns together exceed L2, or blocks of rows are so uneven that it pays to read half
// of them from another core's cache, tiles of a block of rows and a strip are dealt out.
static bool deals_tiles(MgGemm *g) {
    const MgMachine *machine = &g->s->options->target.machine;
    int64_t workers = g->s->workers, m = g->m.known, rows = times(m, g->plan.kc),
            width = g->plan.nv * g->lanes;
    int64_t n = g->n.known < g->plan.nc ? g->n.known : g->plan.nc,
            blocks = mg_ceil_div(m, g->plan.mc);
    if (blocks * mg_ceil_div(n, width) < 8 * workers)
        return false;
    if (!mg_gemm_packs_rows(g))
        return g->plan.sharing == MG_GEMM_SHARE_PARTS &&
               times(rows, n) >= barriers(g, machine->dealt_long);
    int64_t most = mg_ceil_div(blocks, workers) * g->plan.mc; // rows of a worker
    return g->plan.sharing == MG_GEMM_SHARE_ROWS &&
           times(rows, n) >= barriers(g, machine->dealt_uneven) && 10 * most * workers > 11 * m &&
           times(rows, (int64_t)mg_dtype_size(g->type)) <= l2_bytes(g);
}

const char *mg_gemm_sharing_misfit(const MgGemm *g, MgGemmSharing sharing) {
    bool known = g->m.known > 0 && g->n.known > 0 && g->k.known > 0;
    switch (sharing) {
    case MG_GEMM_SHARE_BATCH:
    case MG_GEMM_SHARE_ROWS:
        return NULL;
    case MG_GEMM_SHARE_PARTS:
        return g->n.known > 0 ? NULL : "parts are of a known number of columns";
    case MG_GEMM_SHARE_COLUMNS:
        return g->m.known > 0 ? NULL : "strips are shared out where the number of rows is known";
    case MG_GEMM_SHARE_TRIPS:
        return known && !mg_gemm_packs_rows(g)
                   ? NULL
                   : "trips need known sizes, and rows that lie or are kept";
    case MG_GEMM_SHARE_TILES:
        return known ? NULL : "tiles are dealt where all sizes are known";
    }
    return NULL;
}

static void tune_sharing(MgGemm *g) {
    bool alone = g->s->workers < 2;
    MgGemmSharing wanted = (MgGemmSharing)(mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_SHARING,
                                                    (int64_t)g->plan.sharing + 1) -
                                           1);
    bool sensible = !alone || wanted == MG_GEMM_SHARE_BATCH || wanted == MG_GEMM_SHARE_COLUMNS;
    if (sensible && !mg_gemm_sharing_misfit(g, wanted))
        g->plan.sharing = wanted;
}

static void choose_dealing(MgGemm *g) {
    if (g->plan.sharing == MG_GEMM_SHARE_BATCH || g->s->workers < 2 || g->m.known <= 0 ||
        g->n.known <= 0 || g->k.known <= 0)
        return;
    if (deals_columns(g))
        g->plan.sharing = MG_GEMM_SHARE_TRIPS;
    else if (deals_tiles(g))
        g->plan.sharing = MG_GEMM_SHARE_TILES;
}

// Packed factors may take either side. Vectors run along the class that fills them, if that saves
// more than transposing the sums costs, which are then written across.
static bool turning_pays(const MgGemm *g) {
    int64_t m = g->m.known, n = g->n.known, lanes = g->lanes;
    double k = (double)g->k.known, across = (double)n * (double)mg_ceil_div(m, lanes) * k;
    double along = (double)m * (double)mg_ceil_div(n, lanes) * k;
    double turned =
        g->s->options->target.machine.turned_sums * (double)m * (double)mg_ceil_div(n, tallest(g));
    return 100 * (across + turned) < 97 * along;
}

// Does packing rows step by step pay, so that a vector of them is loaded at once? Each strip of
// columns then has fewer loads.
static bool lanes_pay(MgGemm *g) {
    const MgMachine *machine = &g->s->options->target.machine;
    double lanes = g->lanes, vector = lanes / machine->products;
    double strips = ceil((g->n.known > 0 ? (double)g->n.known : HUGE_VAL) / (2 * lanes));
    double saved = strips * (1 - 1 / lanes) * machine->splat_load * machine->tile_load * vector;
    return machine->lane_factors && !g->plan.transposed && !g->row_end && g->plan.row_along_k &&
           saved > machine->pack + machine->turn &&
           mg_gemm_strides(g, g->row.x, mg_gemm_step(g)).straight;
}

// Turned factors that are packed by their lines need no search for each element of a strip. Turned
// sums cost the same as above, and rows that fill no vector leave lanes idle.
static bool lines_pay(const MgGemm *g) {
    const MgMachine *machine = &g->s->options->target.machine;
    int64_t m = g->m.known, n = g->n.known, lanes = g->lanes;
    double k = (double)g->k.known, vector = (double)lanes / machine->products;
    double along = k * (double)mg_ceil_div(n, lanes) *
                   ((double)m * vector + machine->pack_step + machine->gather);
    double across = k * (double)mg_ceil_div(m, lanes) * (double)n * vector;
    double turned = machine->turned_sums * (double)m * (double)mg_ceil_div(n, tallest(g)) * vector;
    return 100 * (across + turned) < 97 * along;
}

bool mg_gemm_may_turn(MgGemm *g) {
    return !g->row_end && g->m.known >= 2 && g->n.known >= 2 && g->k.known >= 1 &&
           (mg_gemm_is_unchanging(g, g->row.x, &g->m) ||
            (g->m.known >= 4 && g->n.known >= 4 && mg_gemm_lines_may_turn(g)));
}

void mg_gemm_turn(MgGemm *g) {
    const MgSx *factor = g->row.x;
    g->row.x = g->column.x;
    g->column.x = factor;
    MgGemmClass class = g->m;
    g->m = g->n;
    g->n = class;
    g->plan.transposed = true;
    mg_gemm_set_symbols(g);
}

// ---------------------------------------------------------------- the plan
bool mg_gemm_fills_tiles(const MgGemm *g, int64_t m, int64_t n, int64_t k) {
    return m >= mg_figure(g->s, tile_rows) && n >= mg_figure(g->s, tile_columns) &&
           times(times(m, n), k) >= mg_figure(g->s, tile_work);
}

// Without tiles, lanes run along the steps of a sum, and are added up by halves at its end. Tiles
// of few sums wait for each multiply-add.
static bool tiles_pay(MgGemm *g, int64_t m, int64_t n) {
    const MgMachine *machine = &g->s->options->target.machine;
    double k = (double)g->k.known, vector = (double)g->lanes / machine->products;
    bool lie = mg_gemm_rows_along_k(g) && mg_gemm_lies_along_k(g, g->column.x, MG_GEMM_N);
    double steps = ceil(k / g->lanes) * (vector + (lie ? 0 : machine->gather));
    double single = (double)times(m, n) * (steps + 2 * log2(g->lanes) * machine->operation);
    double sums = (double)times(m, mg_ceil_div(n, g->lanes));
    return k * fmax(sums, (double)least_sums(g)) * vector < single;
}

// Are there enough rows and columns for tiles, if factors change places or not? Unknown numbers are
// enough. What never changes is packed once, so then fewer rows may be enough.
static bool large_enough(MgGemm *g, bool turned) {
    const MgGemmClass *rows = turned ? &g->n : &g->m, *columns = turned ? &g->m : &g->n;
    int64_t m = rows->known, n = columns->known, k = g->k.known;
    if (m < 0 || n < 0 || k < 0 || mg_gemm_fills_tiles(g, m, n, k))
        return true;
    return m >= mg_figure(g->s, kept_rows) && n >= mg_figure(g->s, tile_columns) &&
           times(times(m, n), k) >= mg_figure(g->s, tile_work) &&
           mg_gemm_is_unchanging(g, turned ? g->row.x : g->column.x, columns) && tiles_pay(g, m, n);
}

bool mg_gemm_choose(void *found) {
    MgGemm *g = found;
    int64_t pitch;
    MgIx at;
    MgAtom atom;
    bool plain = large_enough(g, false), turned = mg_gemm_may_turn(g) && large_enough(g, true);
    if (!plain && !turned)
        return false;
    bool kept = turned && mg_gemm_is_unchanging(g, g->row.x, &g->m);
    if (turned && (!plain || (kept ? turning_pays(g) : lines_pay(g))))
        mg_gemm_turn(g);
    if (mg_gemm_default_dot(g, &atom))
        mg_gemm_use_dot(g, atom);
    mg_gemm_begin(g);
    g->plan.row_along_k = mg_gemm_rows_along_k(g);
    g->plan.rows_lie = mg_gemm_rows_may_lie(g, &at, &pitch);
    if (g->plan.rows_lie)
        g->plan.rows_lie = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_PACK_ROWS, 1) == 1;
    if (lanes_pay(g))
        g->plan.row_along_k = g->plan.rows_lie = false;
    choose_tile(g);
    if (g->row_end && mg_gemm_most_rows(g, g->plan.nv) < fewest(g))
        return false; // a row doesn't belong to one tile
    choose_columns_in_place(g);
    tune_columns_in_place(g);
    if (g->plan.rows_lie)
        uncrowd(g, pitch);
    choose_blocks(g);
    choose_runs(g); // this may make blocks deeper
    choose_keeping(g);
    choose_columns(g);
    choose_sharing(g);
    choose_dealing(g);
    tune_sharing(g);
    g->plan.columns_fill = mg_gemm_may_fill(g);
    return true;
}
