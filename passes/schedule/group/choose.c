// Chooses the nests of groups by rules: which loops cores share, which index runs along the lanes,
// and the number of vectors at once.
#include "passes/schedule/group/transpose.h"

// ---------------------------------------------------------------- making lines

typedef struct Maker {
    MgGroup *gr;
    MgArena *arena;
    MgNest *nest;
    MgNestScope scope;
    uint32_t joined[MG_GROUP_LOOPS]; // by symbol: 1 + the index that it was joined to; 0: none
} Maker;

static Maker begin(MgGroup *gr, bool gpu) {
    MgSched *s = gr->s;
    Maker m = {.gr = gr, .arena = s->arena, .nest = MG_NEW(s->arena, MgNest)};
    m.nest->depth = gr->depth;
    m.nest->piece = gr->piece;
    m.nest->gpu = gpu;
    m.scope = mg_nest_scope(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, gr->piece);
    return m;
}

static uint32_t index_of(const Maker *m, uint32_t op, uint32_t sym) {
    return m->joined[sym] ? m->joined[sym] - 1 : mg_nest_index(&m->scope, op, sym);
}

// A loop over shared indices, or over those of equation `op`.
static MgLine *add_for(Maker *m, MgLine *outer, MgLevel level, uint32_t op, const uint32_t *syms,
                       uint32_t n) {
    MgLine *line = mg_nest_add_for(m->arena, outer, n);
    line->level = level;
    for (uint32_t i = 0; i < n; i++)
        line->walks[i].index = index_of(m, op, syms[i]);
    return line;
}

static void add_do(Maker *m, MgLine *outer, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        mg_nest_add_numbers(m->arena, outer, MG_LINE_DO, first + i, 1);
}

static void add_join(Maker *m, const uint32_t *axes, uint32_t n) {
    uint32_t indices[MG_GROUP_LOOPS];
    for (uint32_t i = 0; i < n; i++)
        indices[i] = mg_nest_index(&m->scope, 0, axes[i]);
    m->joined[axes[n - 1]] = mg_nest_add_joined(m->nest, &m->scope, m->arena, indices, n) + 1;
}

// Adds lanes: `vector` lanes are one register, or several.
static MgLine *add_lanes(Maker *m, MgLine *outer, uint32_t op, uint32_t sym, uint32_t vector,
                         uint32_t lanes) {
    MgIxTable *t = m->gr->s->ix;
    MgIx extent = mg_group_extent(m->gr, sym);
    return mg_nest_add_lanes(m->arena, outer, index_of(m, op, sym), lanes / vector, vector,
                             mg_ix_const_or(t, extent, -1));
}

// ---------------------------------------------------------------- for workers

// Loops over the shared indices except `skip`. Cores share as many leading loops as give each core
// enough trips. Returns the innermost loop.
static MgLine *outer_loops(Maker *m, int skip, bool parallel) {
    MgGroup *gr = m->gr;
    MgIxTable *t = gr->s->ix;
    MgLine *line = &m->nest->root;
    uint32_t live[MG_GROUP_LOOPS], n = 0, flat = 0;
    for (uint32_t i = 0; i < gr->depth; i++)
        if (!gr->collapsed[i] && (int)i != skip && mg_group_extent(gr, i) != mg_ix_const(t, 1))
            live[n++] = i;
    int64_t trips = 1;
    while (parallel && flat < n && trips < 16 * (int64_t)gr->s->workers)
        trips *= mg_ix_const_or(t, gr->high[live[flat++]], 8);
    if (flat)
        line = add_for(m, line, MG_LEVEL_CORE, 0, live, flat);
    for (uint32_t i = flat; i < n; i++)
        line = add_for(m, line, MG_LEVEL_TIME, 0, &live[i], 1);
    return line;
}

// Joins chains of outer indices that are contiguous in memory.
static void join_outer(Maker *m) {
    MgGroup *gr = m->gr;
    for (uint32_t q = 0, first = 0; q < gr->depth; q++) {
        if (gr->collapsed[q])
            continue;
        uint32_t axes[MG_GROUP_LOOPS], n = 0;
        for (uint32_t i = first; i <= q; i++)
            axes[n++] = i;
        if (n > 1)
            add_join(m, axes, n);
        first = q + 1;
    }
}

MgNest *mg_choose_points(MgGroup *gr, bool parallel) {
    if (gr->s->options->level > 0 && !gr->reduces)
        mg_group_merge(gr);
    Maker m = begin(gr, false);
    join_outer(&m);
    uint32_t all = gr->n_nests, vector = mg_group_lanes(gr, gr->nests, all);
    int sym = mg_group_vector(gr, gr->nests, all, 0, gr->depth, vector, NULL);
    uint32_t lanes = mg_group_widen(gr, gr->nests, all, sym, vector);
    if (sym < 0) {
        add_do(&m, outer_loops(&m, -1, parallel), 0, all);
        return m.nest;
    }
    if (sym >= (int)gr->depth) {
        MgLine *outer = outer_loops(&m, -1, parallel);
        add_do(&m, add_lanes(&m, outer, 0, (uint32_t)sym, vector, lanes), 0, 1);
        return m.nest;
    }
    MgLine *outer = outer_loops(&m, sym, parallel);
    if (parallel && outer->kind == MG_LINE_ROOT) { // it becomes one long loop
        uint32_t one = (uint32_t)sym;
        outer = add_for(&m, outer, MG_LEVEL_CORE, 0, &one, 1);
        outer->walks[0].by = mg_ceil_div(mg_figure(gr->s, core_points), lanes) * lanes;
    }
    add_do(&m, add_lanes(&m, outer, 0, (uint32_t)sym, vector, lanes), 0, all);
    return m.nest;
}

MgNest *mg_choose_interleaved(MgGroup *gr, bool parallel) {
    uint32_t e = gr->depth - 1, v = gr->depth - 2,
             lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    if (gr->depth < 2 || !mg_interleaves(gr, v, e, lanes) || !mg_interleaving_pays(gr, v, e, lanes))
        return NULL;
    Maker m = begin(gr, false);
    join_outer(&m);
    gr->collapsed[e] = true; // its line is below the lanes
    MgLine *line = outer_loops(&m, (int)v, parallel);
    gr->collapsed[e] = false;
    if (parallel && line->kind == MG_LINE_ROOT)
        return NULL; // there is nothing for workers to share
    line = add_lanes(&m, line, 0, v, lanes, lanes);
    line = add_for(&m, line, MG_LEVEL_REG, 0, &e, 1);
    add_do(&m, line, 0, gr->n_nests);
    return m.nest;
}

// Several rows at once are several streams for the hardware prefetchers, and their common operands
// are loaded once. With short rows, each stream would end too soon.
MgNest *mg_choose_together(MgGroup *gr, bool parallel) {
    MgIxTable *t = gr->s->ix;
    const MgScheduleOptions *o = gr->s->options;
    const MgPiece *p = gr->nests[0].piece;
    uint32_t live = 0, row = 0, lanes = mg_group_lanes(gr, gr->nests, 1);
    for (uint32_t i = 0; i < gr->depth; i++)
        if (mg_ix_const_or(t, mg_group_extent(gr, i), 2) != 1 && ++live)
            row = i;
    int64_t rows = mg_ix_const_or(t, gr->high[row], 0);
    if (o->level < 2 || gr->s->walk || live != 1 || rows < mg_figure(gr->s, streams_rows) ||
        rows % MG_ROWS_AT_ONCE || gr->low[row] != mg_ix_const(t, 0) || p->n_free != gr->depth ||
        p->n_indices != p->n_free + 1 || !mg_group_folds(p->reducer))
        return NULL;
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_indices != gr->depth)
            return NULL;
    int64_t bytes = mg_ix_const_or(t, mg_group_extent(gr, gr->depth), 0) *
                    (int64_t)mg_dtype_size(p->expr->dtype);
    if (bytes < mg_figure(gr->s, streams_bytes) || rows * bytes < o->target.l2_bytes ||
        mg_group_vector(gr, gr->nests, 1, gr->depth, gr->depth, lanes, NULL) != (int)gr->depth)
        return NULL;
    Maker m = begin(gr, false);
    MgLine *line = add_for(&m, &m.nest->root, parallel ? MG_LEVEL_CORE : MG_LEVEL_TIME, 0, &row, 1);
    line->walks->by = MG_ROWS_AT_ONCE;
    line = add_for(&m, line, MG_LEVEL_REG, 0, &row, 1);
    uint32_t wide = mg_group_widen(gr, gr->nests, 1, (int)gr->depth, lanes);
    add_do(&m, add_lanes(&m, line, 0, gr->depth, lanes, wide), 0, 1);
    add_do(&m, line, 1, gr->n_nests - 1);
    return m.nest;
}

static void add_row(Maker *m, MgLine *outer, uint32_t op) {
    MgGroup *gr = m->gr;
    const MgGroupNest *n = &gr->nests[op];
    mg_group_enter(gr, n);
    uint32_t vector = mg_group_lanes(gr, n, 1);
    int sym = mg_group_vector(gr, n, 1, gr->depth, n->piece->n_free, vector, NULL);
    uint32_t lanes = mg_group_widen(gr, n, 1, sym, vector);
    for (uint32_t i = gr->depth; i < n->piece->n_free; i++)
        if ((int)i != sym)
            outer = add_for(m, outer, MG_LEVEL_TIME, op, &i, 1);
    if (sym >= 0)
        outer = add_lanes(m, outer, op, (uint32_t)sym, vector, lanes);
    add_do(m, outer, op, 1);
}

// Keeps a row that is not used outside the unit.
static void add_keep(Maker *m, MgLine *outer, uint32_t op, MgNestSpace space) {
    const MgGroupNest *n = &m->gr->nests[op];
    if (n->piece->n_free == m->gr->depth || mg_unit_is_output(m->gr->unit, n->result))
        return;
    mg_nest_add_numbers(m->arena, outer, MG_LINE_KEEP, op, 1)->space = space;
}

MgNest *mg_choose_rows(MgGroup *gr, bool parallel) {
    Maker m = begin(gr, false);
    MgLine *row = outer_loops(&m, -1, parallel);
    for (uint32_t i = 0; i < gr->n_nests; i++)
        add_keep(&m, row, i, MG_NEST_SPACE_LOCAL);
    for (uint32_t i = 0; i < gr->n_nests; i++)
        add_row(&m, row, i);
    return m.nest;
}

// ---------------------------------------------------------------- tiles

// The line that stages these values, each of them once.
static MgLine *add_stage(Maker *m, MgLine *tile, MgNestSpace space, MgNestWay way,
                         const MgValueId *values, uint32_t n) {
    MgLine *line = mg_nest_add(m->arena, tile, MG_LINE_STAGE);
    line->space = space;
    line->way = way;
    line->numbers = MG_NEW_N(m->arena, uint32_t, n);
    for (uint32_t i = 0; i < m->scope.reads.len; i++)
        for (uint32_t j = 0; j < n; j++)
            if (m->scope.reads.at[i].value == values[j]) {
                line->numbers[line->n_numbers++] = i;
                break;
            }
    return line;
}

static bool fills(MgGroup *gr, uint32_t sym, int64_t by) {
    return mg_ix_const_or(gr->s->ix, mg_group_extent(gr, sym), 1) % by == 0;
}

// Blocks of p and q, with all other loops outside.
static MgLine *add_grid(Maker *m, MgLevel level, const uint32_t *side, const int64_t *by) {
    MgGroup *gr = m->gr;
    uint32_t axes[MG_GROUP_LOOPS], n = 0;
    for (uint32_t i = 0; i < gr->depth; i++)
        if (!gr->collapsed[i] && i != side[0] && i != side[1] &&
            mg_group_extent(gr, i) != mg_ix_const(gr->s->ix, 1))
            axes[n++] = i;
    for (uint32_t i = 0; i < 2; i++)
        axes[n++] = side[i];
    MgLine *line = add_for(m, &m->nest->root, level, 0, axes, n);
    for (uint32_t i = 0; i < 2; i++)
        line->walks[n - 2 + i].by = by[i];
    return line;
}

MgNest *mg_choose_transposed(MgGroup *gr, bool parallel) {
    MgTranspose t;
    if (gr->s->options->level > 0)
        mg_group_merge(gr);
    if (gr->s->options->level < 2 || gr->depth < 2 || !mg_transpose_find(&t, gr))
        return NULL;
    Maker m = begin(gr, false);
    join_outer(&m);
    bool lines = parallel && !mg_transpose_lines_fill(&t) && mg_transpose_lines_fit(&t) &&
                 mg_transpose_lines_pay(&t);
    int64_t side = mg_ceil_div(mg_figure(gr->s, turn_block), t.lanes) * t.lanes;
    const int64_t core[] = {lines ? MG_LINES_ALONG : side, lines ? MG_LINES_DOWN : side};
    MgLine *line =
        add_grid(&m, parallel ? MG_LEVEL_CORE : MG_LEVEL_TIME, (uint32_t[]){t.q, t.p}, core);
    if (lines) {
        MgLine *keep = mg_nest_add_numbers(m.arena, line, MG_LINE_KEEP, 0, 1);
        keep->space = MG_NEST_SPACE_MEM;
        keep->way = MG_WAY_LINES;
        line = mg_nest_add_blocks(m.arena, line, index_of(&m, 0, t.q), MG_LINES_SIDE);
        line = mg_nest_add_blocks(m.arena, line, index_of(&m, 0, t.p), MG_LINES_SIDE);
    }
    line = add_for(&m, line, MG_LEVEL_TIME, 0, (uint32_t[]){t.p, t.q}, 2);
    line->walks[0].by = line->walks[1].by = t.lanes;
    line->tail = fills(gr, t.p, t.lanes) && fills(gr, t.q, t.lanes) ? MG_TAIL_NONE : MG_TAIL_MASK;
    MgValueId turned[MG_MOST_TURNED];
    for (uint32_t i = 0; i < t.n_turned; i++)
        turned[i] = mg_op(gr->s->g, t.turned[i].nest->op)->operands[t.turned[i].read->operand];
    add_stage(&m, line, MG_NEST_SPACE_REG, MG_WAY_TURN, turned, t.n_turned);
    line = add_for(&m, line, MG_LEVEL_TIME, 0, &t.p, 1);
    mg_nest_add_digit(line->walks, MG_LEVEL_REG, t.lanes);
    line = add_for(&m, line, MG_LEVEL_TIME, 0, &t.q, 1);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, t.lanes);
    add_do(&m, line, 0, gr->n_nests);
    return m.nest;
}

MgNest *mg_choose_gpu_tiles(MgGroup *gr, uint32_t u, uint32_t v, int64_t side, int64_t rounds,
                            const MgValueId *values, uint32_t n) {
    Maker m = begin(gr, true);
    join_outer(&m);
    MgLine *tile = add_grid(&m, MG_LEVEL_CORE, (uint32_t[]){u, v}, (const int64_t[]){side, side});
    MgLine *stage = add_stage(&m, tile, MG_NEST_SPACE_LOCAL, MG_WAY_PLAIN, values, n);
    const MgNestAxis axes[] = {{.index = index_of(&m, 0, v)}, {.index = index_of(&m, 0, u)}};
    mg_nest_set_copy(m.arena, stage, MG_NEST_SPACE_LOCAL, MG_WAY_PLAIN, axes, 2);
    MgLine *line = add_for(&m, tile, MG_LEVEL_TIME, 0, &u, 1);
    mg_nest_add_digit(line->walks, MG_LEVEL_REG, rounds);
    mg_nest_add_digit(line->walks, MG_LEVEL_WARP, side / rounds);
    line->tail = fills(gr, u, side) ? MG_TAIL_NONE : MG_TAIL_MASK;
    line = add_for(&m, line, MG_LEVEL_TIME, 0, &v, 1);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, side);
    line->tail = fills(gr, v, side) ? MG_TAIL_NONE : MG_TAIL_MASK;
    add_do(&m, line, 0, gr->n_nests);
    return m.nest;
}

// ---------------------------------------------------------------- for items

// The index of the equation's row: several indices of an equation are joined, once for all
// equations that have them.
static uint32_t row_index(Maker *m, uint32_t op) {
    uint32_t depth = m->gr->depth, n = mg_nest_piece(&m->scope, op)->n_indices - depth;
    uint32_t *indices = MG_NEW_N(m->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        indices[i] = mg_nest_index(&m->scope, op, depth + i);
    return mg_nest_add_joined(m->nest, &m->scope, m->arena, indices, n);
}

static MgLine *add_gpu_row(Maker *m, MgLine *outer, uint32_t index, const MgGpuRow *shape) {
    MgLine *line = mg_nest_add_blocks(m->arena, outer, index, 0);
    MgWalk *w = line->walks;
    if (shape->parts > 1)
        mg_nest_add_digit(w, MG_LEVEL_CORE, shape->parts);
    if (shape->stream)
        mg_nest_add_digit(w, MG_LEVEL_TIME, 0);
    if (!shape->stream || shape->side > 1)
        mg_nest_add_digit(w, MG_LEVEL_REG, shape->stream ? shape->side : 0);
    mg_nest_add_digit(w, shape->across ? MG_LEVEL_WARP : MG_LEVEL_LANE, shape->items);
    if (shape->lanes > 1)
        mg_nest_add_digit(w, MG_LEVEL_VEC, shape->lanes);
    int64_t block = shape->items * shape->lanes * (shape->stream ? shape->side : 1);
    line->tail = shape->width % block ? MG_TAIL_MASK : MG_TAIL_NONE;
    return line;
}

// The loop over rows, of which an item takes `columns` at once.
static MgLine *add_gpu_rows(Maker *m, const MgGpuRow *shape, uint32_t columns) {
    MgGroup *gr = m->gr;
    MgLine *over = add_for(m, &m->nest->root, MG_LEVEL_TIME, 0, (uint32_t[]){gr->depth - 1}, 1);
    mg_nest_add_digit(over->walks, MG_LEVEL_CORE, 0);
    if (shape->rows > 1 || shape->across)
        mg_nest_add_digit(over->walks, shape->across ? MG_LEVEL_LANE : MG_LEVEL_WARP, shape->rows);
    if (columns > 1)
        mg_nest_add_digit(over->walks, MG_LEVEL_VEC, columns);
    int64_t rows = mg_ix_const_or(gr->s->ix, mg_group_rows(gr), -1);
    bool whole = rows >= 0 && rows % (shape->rows * columns) == 0;
    over->tail = whole ? MG_TAIL_NONE : MG_TAIL_MASK;
    return over;
}

// Adds the reductions of parts of a row, or of two equations together, the line that joins them,
// and what follows for each row.
static void add_joined(Maker *m, uint32_t index, const MgGpuRow *shape) {
    MgGroup *gr = m->gr;
    MgLine *root = &m->nest->root;
    MgLine *rows = gr->depth ? add_gpu_rows(m, shape, shape->columns) : root;
    MgLine *lines[] = {
        mg_nest_add_numbers(m->arena, add_gpu_row(m, rows, index, shape), MG_LINE_DO, 0,
                            1 + (shape->second > 0)),
        mg_nest_add_numbers(m->arena, root, MG_LINE_JOIN, 0, 1 + (shape->second > 0))};
    for (uint32_t i = 0; i < 2 && shape->second; i++)
        lines[i]->numbers[1] = shape->second;
    lines[1]->index = index;
    lines[1]->monoid = shape->second ? 1 + shape->monoid : 0;
    lines[1]->space = shape->parts > 1 ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_LOCAL;
    rows = NULL;
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (i != shape->second) {
            rows = rows ? rows : gr->depth ? add_gpu_rows(m, shape, 1) : root;
            add_do(m, rows, i, 1);
        }
}

MgNest *mg_choose_gpu_rows(MgGroup *gr, const MgGpuRow *shape) {
    Maker m = begin(gr, true);
    uint32_t all[MG_GROUP_LOOPS], *row = MG_NEW_N(m.arena, uint32_t, gr->n_nests);
    for (uint32_t i = 0; i < gr->depth; i++)
        all[i] = i;
    if (gr->depth > 1)
        add_join(&m, all, gr->depth);
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_indices > gr->depth)
            row[i] = row_index(&m, i);
    if (shape->parts > 1 || shape->second) {
        add_joined(&m, row[0], shape);
        return m.nest;
    }
    MgLine *outer = gr->depth ? add_gpu_rows(&m, shape, 1) : &m.nest->root;
    for (uint32_t i = 0; i < gr->n_nests; i++)
        add_keep(&m, outer, i, MG_NEST_SPACE_REG);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        bool along = gr->nests[i].piece->n_indices > gr->depth;
        add_do(&m, along ? add_gpu_row(&m, outer, row[i], shape) : outer, i, 1);
    }
    return m.nest;
}

// Is the size of one of these indices open?
static bool open_size(MgGroup *gr, const uint32_t *syms, uint32_t n) {
    MgIxTable *t = gr->s->ix;
    bool open = false;
    for (uint32_t i = 0; i < n; i++)
        open |= mg_ix_const_or(t, mg_ix_sub(t, gr->high[syms[i]], gr->low[syms[i]]), -1) < 0;
    return open;
}

MgNest *mg_choose_gpu_points(MgGroup *gr, const uint32_t *axes, uint32_t n) {
    Maker m = begin(gr, true);
    MgGpuPoints p = mg_gpu_choose_points(gr, axes, n);
    MgLine *outer = &m.nest->root;
    uint32_t all[MG_GROUP_LOOPS], n_all = 0;
    for (uint32_t i = 0; i < n - p.along; i++) { // together with those joined to it
        uint32_t first = axes[i];
        while (first && gr->collapsed[first - 1])
            first--;
        for (uint32_t a = first; a <= axes[i]; a++)
            all[n_all++] = a;
    }
    if (n_all > 1)
        add_join(&m, all, n_all);
    if (n_all) {
        outer = add_for(&m, outer, MG_LEVEL_TIME, 0, &all[n_all - 1], 1);
        MgWalk *w = outer->walks;
        if (p.groups)
            mg_nest_add_digit(w, MG_LEVEL_TIME, 0);
        mg_nest_add_digit(w, MG_LEVEL_CORE, p.groups);
        if (p.along) {
            outer->tail = open_size(gr, all, n_all) ? MG_TAIL_MASK : MG_TAIL_NONE;
            outer = add_for(&m, outer, MG_LEVEL_TIME, 0, &axes[n - 1], 1);
            w = outer->walks;
            mg_nest_add_digit(w, MG_LEVEL_TIME, 0);
        }
        if (p.several > 1)
            mg_nest_add_digit(w, MG_LEVEL_REG, p.several);
        mg_nest_add_digit(w, MG_LEVEL_LANE, p.items);
        if (p.lanes > 1)
            mg_nest_add_digit(w, MG_LEVEL_VEC, p.lanes);
        outer->tail = MG_TAIL_MASK;
    }
    add_do(&m, outer, 0, gr->n_nests);
    return m.nest;
}
