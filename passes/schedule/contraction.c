// Contractions for workers: sizes of tile and blocks, and what is shared out. contraction_find.c
// recognises them; factors are evaluated once, while packing.
//
// The algorithm is that of Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 2008: columns of b are packed to strips of `nr` columns and `kc` deep,
// kept in L2 and L1; rows of a to panels of `mr` rows; a tile of mr x nr accumulators stays in
// registers. A panel keeps each row contiguous where a is contiguous along k, so that packing it is
// a copy, or nothing at all. Row remainders are tile variants, column remainders masks.
#include "passes/schedule/contraction.h"

#include "ir/equation.h"

enum { FEWEST = 6, TALLEST = 14 }; // rows of a tile: fewer don't hide the latency of fma

// ---------------------------------------------------------------- what is shared out
// Strips are packed for as many columns as stay in cache until all rows have used them.
static void choose_columns(Gemm *g) {
    int64_t l3 = g->s->options->target.l3_bytes, width = g->nv * g->lanes;
    int64_t bytes = l3 ? l3 / 8 : 4 << 20; // other cores use it too
    g->nc = bytes / (g->kc * (int64_t)mg_dtype_size(g->type)) / width * width;
    g->nc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_COLUMNS, g->nc) / width * width;
    if (g->nc < width)
        g->nc = width;
    if (g->n.known >= 0 && g->nc > g->n.known)
        g->nc = ceil_div(g->n.known > 0 ? g->n.known : 1, width) * width;
}

static int64_t l2_bytes(const Gemm *g) {
    int64_t l2 = g->s->options->target.l2_bytes;
    return l2 ? l2 : 262144;
}

// Sizes may be any: more than 64 bits hold is as much as they do.
static int64_t times(int64_t a, int64_t b) {
    int64_t n;
    return __builtin_mul_overflow(a, b, &n) ? INT64_MAX : n;
}

// Do all rows stay in half of L2 while strips come and go? Then each strip is packed just before
// its only use, if there are enough strips for everybody.
static bool few_rows(Gemm *g, uint32_t workers) {
    int64_t strips = ceil_div(g->n.known, g->nv * g->lanes);
    if (g->m.known <= 0)
        return false;
    if (workers < 2 || (g->n.known > 0 && strips >= 8 * (int64_t)workers))
        return times(g->m.known, g->kc * (int64_t)mg_dtype_size(g->type)) <= l2_bytes(g) / 2;
    return g->m.known <= g->mc && g->m.known < 2 * (int64_t)g->mr * workers;
}

// Are the workers' parts of the columns so wide, and so equal, that each may pack all rows? Then
// nobody waits for anybody.
static bool wide_parts(Gemm *g) {
    int64_t workers = g->s->p->max_workers, width = g->nv * g->lanes;
    int64_t strips = g->n.known / width, most = ceil_div(strips, workers);
    int64_t least = packs_rows(g) ? 4 : 2; // strips that pay for packing a row
    return packs_columns(g) && strips >= least * workers && 10 * most * workers <= 11 * strips;
}

static void choose_sharing(Gemm *g) {
    uint32_t workers = g->s->p->max_workers;
    g->sharing = SHARE_BATCH;
    if (workers < 2 && few_rows(g, 1)) {
        g->sharing = SHARE_COLUMNS;
        return;
    }
    if (workers < 2 || (g->batch.known >= (int64_t)workers && g->batch.known % workers == 0) ||
        g->batch.known >= 8 * (int64_t)workers)
        return;
    g->sharing = few_rows(g, workers) ? SHARE_COLUMNS : wide_parts(g) ? SHARE_PARTS : SHARE_ROWS;
}

// What is dealt out: long products alone, as a worker that takes what was another's reads it from
// farther away, and only where sizes are known. A core that is slowed for a while then holds up a
// trip, not the others' halves. Multiply-adds for every ns of a barrier; where one takes 500, they
// are 1.2 ms of one core, half of that, and 36 µs.
enum { LONG = 1 << 17, MEDIUM = 1 << 16, TRIP = 1 << 12 };

static int64_t barriers(const Gemm *g, int64_t work) {
    return work * g->s->options->target.barrier_ns;
}

// All rows stay in L2 for all strips: strips are dealt, many at a time to begin with.
static bool deals_columns(Gemm *g) {
    int64_t m = g->m.known, n = g->n.known, k = g->k.known, width = g->nv * g->lanes;
    if (packs_rows(g) || g->sharing == SHARE_ROWS || times(m * k, n) < barriers(g, LONG) ||
        m * k * (int64_t)mg_dtype_size(g->type) > l2_bytes(g) * 5 / 8)
        return false;
    g->least = ceil_div(barriers(g, TRIP) + 1, m * k * width);
    return n / width >= 16 * g->least;
}

// Rows and columns are more than stays in L2, or blocks of rows are so uneven that it pays to read
// half of them from another's cache: tiles of a block of rows and a strip are dealt.
static bool deals_tiles(Gemm *g) {
    int64_t workers = g->s->p->max_workers, m = g->m.known, rows = times(m, g->kc),
            width = g->nv * g->lanes;
    int64_t n = g->n.known < g->nc ? g->n.known : g->nc, blocks = ceil_div(m, g->mc);
    if (blocks * ceil_div(n, width) < 8 * workers)
        return false;
    if (!packs_rows(g))
        return g->sharing == SHARE_PARTS && times(rows, n) >= barriers(g, LONG);
    int64_t most = ceil_div(blocks, workers) * g->mc; // rows of a worker
    return g->sharing == SHARE_ROWS && times(rows, n) >= barriers(g, MEDIUM) &&
           10 * most * workers > 11 * m &&
           times(rows, (int64_t)mg_dtype_size(g->type)) <= l2_bytes(g);
}

static void choose_dealing(Gemm *g) {
    if (g->sharing == SHARE_BATCH || g->s->p->max_workers < 2 || g->m.known <= 0 ||
        g->n.known <= 0 || g->k.known <= 0)
        return;
    if (deals_columns(g))
        g->sharing = SHARE_TRIPS;
    else if (deals_tiles(g))
        g->sharing = SHARE_TILES;
}

// Sums in blocks of k keep their partial result in the output; is that possible?
static bool keeps_partials(Gemm *g) {
    MgGraph *graph = g->s->g;
    MgOpId last = g->unit->ops[g->unit->n_ops - 1];
    MgValueId v = mg_op(graph, last)->results[0];
    if (!mg_unit_is_output(g->unit, v) || mg_value(graph, v)->dtype != g->type)
        return false;
    return !g->kb.k->bufs.at[mg_kb_value(&g->kb, v)].reads; // not if it is also an operand's buffer
}

// Is the row factor contiguous along k (or no more along m than along k)?
static void watch_stride(void *ctx, const MgSx *x) {
    Gemm *g = ctx;
    if (x->kind != MG_SX_READ)
        return;
    MgIx subs[N_SYMS];
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX)
            return;
        subs[i] = mg_ix_subst_indices(g->s->ix, x->args[i]->ix, g->with, N_SYMS);
    }
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[x->operand];
    MgIx address = mg_address(g->s, v, subs, x->n_args, 0);
    if (mg_moves_by_one(g->s->ix, address, mg_ix_index(g->s->ix, SYM_M)) &&
        !mg_moves_by_one(g->s->ix, address, mg_ix_index(g->s->ix, SYM_K)))
        g->row_along_k = false;
}

// ---------------------------------------------------------------- factors that never change
typedef struct Unchanging {
    Gemm *g;
    bool ok;
} Unchanging;

static void check_unchanging(void *ctx, const MgSx *x) {
    Unchanging *u = ctx;
    if (x->kind != MG_SX_READ)
        return;
    const MgOp *op = mg_op(u->g->s->g, u->g->unit->ops[0]);
    u->ok &= mg_is_kept(u->g->s, op->operands[x->operand]);
}

bool mg_gemm_follows_batch(const Gemm *g, const MgSx *factor) {
    for (uint32_t i = 0; i < g->batch.n; i++)
        if (mg_sx_mentions(g->s->m, factor, g->batch.index[i]))
            return true;
    return false;
}

bool mg_gemm_is_unchanging(Gemm *g, const MgSx *factor, const Class *class) {
    Unchanging u = {g, !mg_sx_varies(g->s->m, factor, g->s->arena)};
    if (!g->s->once || class->known <= 0 || g->k.known <= 0 ||
        (g->batch.known <= 0 && mg_gemm_follows_batch(g, factor)))
        return false;
    mg_sx_walk(factor, check_unchanging, &u);
    return u.ok;
}

// Packed factors may take either side: vectors run along the class that fills them, if what that
// saves pays for turning the sums, which are written across them.
static bool turning_pays(const Gemm *g) {
    enum { TURN = 8 }; // multiply-adds to turn a vector of sums
    int64_t m = g->m.known, n = g->n.known, lanes = g->lanes;
    double k = (double)g->k.known, across = (double)n * (double)ceil_div(m, lanes) * k;
    double along = (double)m * (double)ceil_div(n, lanes) * k;
    double turned = (double)TURN * (double)m * (double)ceil_div(n, TALLEST);
    return 100 * (across + turned) < 97 * along;
}

static void choose_sides(Gemm *g) {
    g->kb.s = g->s;
    g->lanes = mg_kb_lanes(&g->kb, g->type);
    if (g->row_end || !mg_gemm_is_unchanging(g, g->row, &g->m) || g->m.known < 4 ||
        g->n.known < 4 || g->k.known < 1 || !turning_pays(g))
        return;
    const MgSx *factor = g->row;
    g->row = g->column;
    g->column = factor;
    Class class = g->m;
    g->m = g->n;
    g->n = class;
    g->transposed = true;
}

// ---------------------------------------------------------------- factors as they lie
// The address of a plain read over the symbols of the classes; false if it is none.
static bool plain_address(Gemm *g, const MgSx *x, MgIx *address) {
    MgIx subs[N_SYMS];
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED)
        return false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX)
            return false;
        subs[i] = mg_ix_subst_indices(g->s->ix, x->args[i]->ix, g->with, N_SYMS);
    }
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[x->operand];
    *address = mg_address(g->s, v, subs, x->n_args, 0);
    return mg_value(g->s->g, v)->dtype == g->type;
}

// Rows that are contiguous and at equal distances are panels where they lie.
static void find_lying_rows(Gemm *g) {
    MgIxTable *t = g->s->ix;
    MgIx address, at[2], plain[N_SYMS];
    int64_t pitch;
    if (g->m.known == 0 || g->k.known <= 0 || !g->row_along_k ||
        mg_gemm_is_unchanging(g, g->row, &g->m) || !plain_address(g, g->row, &address))
        return;
    for (int m = 0; m < 2; m++) {
        memcpy(plain, g->plain, sizeof plain);
        plain[SYM_M] = mg_ix_const(t, m);
        plain[SYM_K] = mg_ix_const(t, 0);
        at[m] = mg_ix_subst_indices(t, address, plain, N_SYMS);
    }
    if (!mg_ix_is_const(t, mg_ix_sub(t, at[1], at[0]), &pitch) || pitch < g->k.known ||
        pitch > 2 * g->k.known)
        return;
    MgIx rows = mg_ix_mul(t, g->plain[SYM_M], mg_ix_const(t, pitch));
    g->rows_lie = address == mg_ix_add(t, at[0], mg_ix_add(t, rows, g->plain[SYM_K]));
    g->rows_at = address;
    g->pitch = pitch;
}

// ---------------------------------------------------------------- sizes of tile and blocks

// Of one step of a tile of r rows: its fused multiply-adds, and loading the columns.
static int64_t step_cost(int64_t r) {
    return 4 * (r < FEWEST ? FEWEST : r) + 3;
}

// Accumulators that a tile has room for, beside one vector of the column factor each and a
// broadcast.
static uint32_t most_rows(const Gemm *g, uint32_t nv) {
    uint32_t registers = g->s->options->target.vector_registers;
    return registers < 2 + 2 * nv ? 1 : (registers - 2 - nv) / nv;
}

static void choose_rows(Gemm *g, uint32_t most) {
    g->mr = most;
    int64_t best = INT64_MAX;
    for (uint32_t r = most; g->m.known > 0 && r >= (most < FEWEST ? most : FEWEST); r--) {
        int64_t tail = g->m.known % r, cost = g->m.known / r * step_cost(r);
        cost += tail ? step_cost(tail) + 4 : 0; // one more tile, to compile and in the op cache
        if (cost < best) {
            best = cost;
            g->mr = r;
        }
    }
    if (g->m.known > 0 && g->m.known < g->mr)
        g->mr = (uint32_t)g->m.known;
}

// Time of a step for all rows, in multiply-adds, by tiles of r rows and nv vectors.
static int64_t rows_time(int64_t rows, int64_t r, int64_t nv) {
    int64_t least = 2 * FEWEST, whole = r * nv, tail = rows % r * nv;
    whole = rows / r * (whole < least ? least : whole);
    return tail ? whole + (tail < least ? least : tail) : whole;
}

// The same for all rows and columns.
static int64_t step_time(const Gemm *g) {
    enum { MANY = 840 }; // is a multiple of what a tile has
    int64_t rows = g->m.known > 0 ? g->m.known : MANY,
            vectors = g->n.known > 0 ? ceil_div(g->n.known, g->lanes) : MANY, nv = g->nv;
    int64_t time = vectors / nv * rows_time(rows, g->mr, nv);
    return vectors % nv ? time + rows_time(rows, g->mr, vectors % nv) : time;
}

// Of rows that are read where they lie, each a stream of its own, a tile has as few as it can: they
// ask for a line at the same step, and fall into the same sets of L1.
static void widen(Gemm *g) {
    uint32_t nv = g->nv, mr = g->mr;
    int64_t before = step_time(g);
    while (g->nv < MAX_VECTORS && most_rows(g, g->nv + 1) >= FEWEST &&
           (g->n.known <= 0 || g->n.known > g->nv * g->lanes))
        g->nv++;
    choose_rows(g, most_rows(g, g->nv));
    if (g->nv > 2 && 32 * step_time(g) <= 33 * before)
        return;
    g->nv = nv;
    g->mr = mr;
}

static void choose_tile(Gemm *g) {
    g->nv = g->n.known > 0 && g->n.known <= g->lanes ? 1 : 2;
    if (g->row_end) // all columns
        g->nv = (uint32_t)ceil_div(g->n.known, g->lanes);
    uint32_t most = most_rows(g, g->nv);
    choose_rows(g, most < TALLEST ? most : TALLEST);
    if (g->rows_lie && !g->row_end)
        widen(g);
    if (!g->row_end)
        g->nv = (uint32_t)mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_VECTORS, g->nv);
    int64_t room = most_rows(g, g->nv),
            rows = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_ROWS, g->mr);
    room = g->m.known > 0 && g->m.known < room ? g->m.known : room;
    g->mr = (uint32_t)(rows < room ? rows : room);
}

static int64_t l1_bytes(const Gemm *g) {
    int64_t l1 = g->s->options->target.l1_bytes;
    return l1 ? l1 : 32768;
}

// Columns are read where they lie if all rows are one tile, so that each element is used once (the
// tile is then as wide as the registers allow), or if they stay near anyway.
static void choose_columns_in_place(Gemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column, SYM_N);
    if (g->m.known <= 0 || !n.straight || n.other || mg_gemm_is_unchanging(g, g->column, &g->n))
        return;
    int64_t elements = g->n.known > 0 && g->k.known > 0 ? g->n.known * g->k.known : INT64_MAX;
    uint32_t least = g->row_end ? g->nv : 1; // vectors
    if (g->m.known > most_rows(g, least)) {
        g->columns_in_place = g->column->kind == MG_SX_READ &&
                              elements <= 2 * l1_bytes(g) / (int64_t)mg_dtype_size(g->type);
        return;
    }
    g->columns_in_place = true;
    g->mr = (uint32_t)g->m.known;
    g->nv = least;
    while (g->nv < MAX_VECTORS && most_rows(g, g->nv + 1) >= g->mr &&
           (g->n.known < 0 || g->n.known > g->nv * g->lanes))
        g->nv++;
}

// Do they have room in L1 beside each other? A set has 8 ways, of which the columns that stream by
// take one. Where all columns are one strip a row is used once: rather fewer rows at once than
// packing them.
static void uncrowd(Gemm *g) {
    enum { WAYS = 7, APART = 4096 }; // bytes from one line of a set to the next
    int64_t bytes = g->pitch * (int64_t)mg_dtype_size(g->type), apart = bytes & -bytes;
    int64_t most = apart < APART ? WAYS * (APART / apart) : WAYS;
    if (g->mr > most && g->n.known > 0 && g->n.known <= g->nv * g->lanes && most >= FEWEST)
        choose_rows(g, (uint32_t)most);
    g->rows_lie &= g->mr <= most;
}

static void choose_blocks(Gemm *g) {
    int64_t size = (int64_t)mg_dtype_size(g->type), l2 = l2_bytes(g);
    // Depth pays for reading and writing the tile's sums; a strip of columns (a wide one has twice
    // as many) and a block of rows, which both stream from L2, leave room there for what comes and
    // goes.
    g->kc = l2 / (g->nv > 2 ? 4 : 8) / (g->nv * g->lanes * size) / 8 * 8;
    if (g->columns_in_place)
        g->kc = l2 / 2 / (g->mr * size) / 8 * 8;
    if (g->kc < 64)
        g->kc = 64;
    if (g->k.known > 0 && g->kc < g->k.known) // equal blocks
        g->kc = ceil_div(ceil_div(g->k.known, (g->k.known + g->kc / 2) / g->kc), 8) * 8;
    g->kc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_DEPTH, g->kc);
    if (g->k.known >= 0 && g->kc > g->k.known)
        g->kc = g->k.known > 0 ? g->k.known : 1;
    g->mc = l2 * 3 / 8 / (g->kc * size) / g->mr * g->mr;
    if (g->mc < g->mr)
        g->mc = g->mr;
    uint32_t workers = g->s->p->max_workers;
    if (g->m.known > 0) { // equal blocks, a whole number for every worker
        int64_t blocks = ceil_div(ceil_div(g->m.known, g->mc), workers) * workers;
        int64_t rows = ceil_div(ceil_div(g->m.known, blocks), g->mr) * g->mr;
        g->mc = rows < g->mr ? g->mr : rows;
    }
    g->mc = mg_param(g->s, g->unit, MG_PARAM_CONTRACTION_BLOCK, g->mc);
    g->mc = ceil_div(g->mc, g->mr) * g->mr;
}

// ---------------------------------------------------------------- packed once
enum { MOST_KEPT = 1 << 28 }; // elements

void mg_gemm_keep(Gemm *g, Keeping what) {
    MgSched *s = g->s;
    const MgSx *factor = what == KEEP_ROWS ? g->row : g->column;
    int64_t size = mg_gemm_kept_size(g, what);
    if (mg_gemm_follows_batch(g, factor))
        size *= g->batch.known;
    if (size > MOST_KEPT)
        return;
    size += g->lanes; // a panel is written in whole vectors
    MgIx bytes = mg_ix_const(s->ix, size * (int64_t)mg_dtype_size(g->type));
    MgStorageId storage = mg_storage_kept(s, bytes, MG_NONE);
    Gemm p = *g;
    MgUnit unit = {.ops = g->unit->ops, .outputs = g->unit->outputs};
    mg_kb_begin(&p.kb, s, &unit, "pack");
    const MgOp *op = mg_op(s->g, g->unit->ops[0]);
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (mg_is_kept(s, op->operands[i]) && mg_kb_value(&p.kb, op->operands[i]) == UINT32_MAX)
            mg_kb_extra(&p.kb, "weight", mg_value(s->g, op->operands[i])->dtype,
                        s->storage_of[op->operands[i]], NULL, true, false);
    p.keeping = what;
    p.rows_kept = what == KEEP_ROWS;
    p.columns_kept = what == KEEP_COLUMNS;
    for (uint32_t i = 0; i < N_SYMS; i++)
        p.loop[i] = mg_kint(p.kb.k, 0);
    MgKBufId packed = mg_kb_extra(&p.kb, "packed", g->type, storage, NULL, false, true);
    p.rows = p.columns = packed;
    mg_gemm_emit(&p);
    unit.n_outputs = 1; // for the name of its site
    storage = mg_kb_end_kept(&p.kb, g->unit->ops[0], storage);
    if (what == KEEP_ROWS) {
        g->rows_kept = true;
        g->rows = mg_kb_extra(&g->kb, "rows", g->type, storage, NULL, true, false);
    } else {
        g->columns_kept = true;
        g->columns = mg_kb_extra(&g->kb, "columns", g->type, storage, NULL, true, false);
    }
}

// Rows of a panel begin an odd number of cache lines apart, so that they share no set of a cache.
static void choose_pitch(Gemm *g) {
    int64_t line = 64 / (int64_t)mg_dtype_size(g->type);
    g->pitch = g->kc;
    if (g->row_along_k && g->kc >= 8 * line)
        g->pitch = (ceil_div(g->kc, line) | 1) * line;
}

static void keep_factors(Gemm *g) {
    bool keep_rows = mg_gemm_is_unchanging(g, g->row, &g->m) && g->k.known > 0;
    if (keep_rows) // a panel is read from front to back
        g->row_along_k = false;
    if (!g->rows_lie)
        choose_pitch(g);
    if (g->k.known <= 0)
        return;
    g->depths = ceil_div(g->k.known, g->kc);
    if (keep_rows)
        mg_gemm_keep(g, KEEP_ROWS);
    if (mg_gemm_is_unchanging(g, g->column, &g->n))
        mg_gemm_keep(g, KEEP_COLUMNS);
}

static MgIx rounded_up(MgIxTable *t, MgIx x, int64_t to) {
    MgIx up = mg_ix_div(t, mg_ix_add(t, x, mg_ix_const(t, to - 1)), mg_ix_const(t, to));
    return mg_ix_mul(t, up, mg_ix_const(t, to));
}

// Strips are packed by the first panel of rows while it is multiplied, if their vectors lie in
// memory as they are used: stores and what they wait for hide behind the multiplications.
static void choose_filling(Gemm *g) {
    MgStrides n = mg_gemm_strides(g, g->column, SYM_N);
    g->columns_fill = packs_columns(g) && g->sharing != SHARE_TILES && g->m.known > 0 &&
                      n.straight && !n.other && !g->column_runs.read &&
                      plain_address(g, g->column, &g->columns_at);
    if (g->columns_fill)
        g->columns_lie =
            mg_kb_value(&g->kb, mg_op(g->s->g, g->unit->ops[0])->operands[g->column->operand]);
}

static void make_partials(Gemm *g) {
    MgIxTable *t = g->s->ix;
    int64_t width = g->nv * g->lanes;
    if (!g->own_partials)
        return;
    MgIx rows = g->m.extent; // of an open number the last tile may have too many
    if (g->m.known < 0)
        rows = mg_ix_add(t, rows, mg_ix_const(t, OPEN_ROWS - 1));
    MgIx size = mg_ix_mul(t, rows, rounded_up(t, g->n.extent, width));
    bool common = g->sharing != SHARE_BATCH && g->s->p->max_workers > 1;
    g->partials = mg_kb_scratch(&g->kb, "partials", g->type, size,
                                common ? MG_SCOPE_CALL : MG_SCOPE_WORKER, &g->partials_base);
}

static void make_buffers(Gemm *g) {
    MgIxTable *t = g->s->ix;
    MgScope common = g->s->p->max_workers > 1 ? MG_SCOPE_CALL : MG_SCOPE_WORKER;
    int64_t width = g->nv * g->lanes;
    bool tiles = g->sharing == SHARE_TILES, all_rows = tiles || g->sharing == SHARE_COLUMNS;
    MgIx strips = mg_ix_const(t, g->nc / width);
    MgIx panels = mg_ix_const(t, ceil_div(g->mc, g->mr));
    if (strip_by_strip(g))
        strips = mg_ix_const(t, 1);
    if (all_rows)
        panels = mg_ix_const(t, ceil_div(g->m.known, g->mr));
    // A panel stored step by step is written in whole vectors: room for the last one's overhang.
    MgIx rows = mg_ix_add(t, mg_ix_mul(t, panels, mg_ix_const(t, g->mr * g->pitch)),
                          mg_ix_const(t, g->lanes));
    MgIx columns = mg_ix_mul(t, strips, mg_ix_const(t, width * g->kc));
    if (g->rows_lie)
        g->rows = mg_kb_value(&g->kb, mg_op(g->s->g, g->unit->ops[0])->operands[g->row->operand]);
    else if (packs_rows(g))
        g->rows = mg_kb_scratch(&g->kb, "rows", g->type, rows, all_rows ? common : MG_SCOPE_WORKER,
                                &g->rows_base);
    if (packs_columns(g))
        g->columns = mg_kb_scratch(&g->kb, "columns", g->type, columns,
                                   tiles || g->sharing == SHARE_ROWS ? common : MG_SCOPE_WORKER,
                                   &g->columns_base);
    make_partials(g);
    if (!g->rows_base)
        g->rows_base = mg_kint(g->kb.k, 0);
    if (!g->columns_base)
        g->columns_base = mg_kint(g->kb.k, 0);
    MgKType vector = mg_kt(g->type, g->lanes);
    g->acc = mg_kb_private(&g->kb, "tile", vector, g->mr * g->nv);
    g->sums = mg_kb_private(&g->kb, "sums", vector, g->mr * g->nv);
    if (g->transposed)
        g->turned = mg_kb_private(&g->kb, "turned", vector, g->lanes);
}

// Below this many multiplications packing costs more than it saves.
static bool large_enough(Gemm *g) {
    if (g->m.known < 0 || g->n.known < 0 || g->k.known < 0)
        return true;
    return g->m.known >= 4 && g->n.known >= 8 && times(g->m.known * g->n.known, g->k.known) >= 4096;
}

bool mg_schedule_contraction(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    if (s->options->level < 1)
        return false;
    Gemm *g = MG_NEW(s->arena, Gemm);
    *g = (Gemm){.s = s, .unit = unit, .row_along_k = true};
    if (!mg_gemm_find(g) || !large_enough(g))
        return false;
    choose_sides(g);
    mg_gemm_begin(g);
    mg_sx_walk(g->row, watch_stride, g);
    find_lying_rows(g);
    choose_tile(g);
    if (g->row_end && most_rows(g, g->nv) < FEWEST)
        return false; // a row is not one tile's
    choose_columns_in_place(g);
    if (g->rows_lie)
        uncrowd(g);
    choose_blocks(g);
    mg_gemm_find_runs(g); // which may make blocks deeper
    bool splits = g->k.known < 0 || g->k.known > g->kc;
    g->own_partials = splits && (g->transposed || g->row_end || !keeps_partials(g));
    keep_factors(g);
    choose_columns(g);
    choose_sharing(g);
    choose_dealing(g);
    choose_filling(g);
    make_buffers(g);
    mg_gemm_emit(g);
    mg_kb_end(&g->kb, plan, unit->ops[0]);
    return true;
}
