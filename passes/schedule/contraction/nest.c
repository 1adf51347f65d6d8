// The plan of a contraction as a nest: the loops, copies and places that its kernel has.
//
// Rows, columns and depth are the classes of indices of contraction.h; if a class has several
// indices, an `index` line joins them. Facts that follow from the plan have no line: where partial
// sums are kept between blocks of depth, and how rows and columns that fill no whole tile are
// handled.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/form.h"

typedef struct Writer {
    MgGemm *g;
    MgArena *arena;
    MgNestScope *scope;
    uint32_t m, n, k; // the indices that walk the classes
} Writer;

static MgLine *add_blocks(Writer *w, MgLine *outer, uint32_t index, int64_t by) {
    return mg_nest_add_blocks(w->arena, outer, index, by);
}

// ---------------------------------------------------------------- indices

// The indices of a class, as numbers of the scope.
static const uint32_t *indices_of(MgArena *arena, const MgNestScope *scope, const MgGemmClass *of) {
    uint32_t *indices = MG_NEW_N(arena, uint32_t, of->n);
    for (uint32_t i = 0; i < of->n; i++)
        indices[i] = mg_nest_index(scope, 0, of->index[i]);
    return indices;
}

bool mg_gemm_read_class(const MgGivenNest *given, const MgGemmClass *of, uint32_t *index) {
    const uint32_t *indices = indices_of(given->s->arena, given->scope, of);
    return mg_form_read_joined(given, indices, of->n, "a contraction", index);
}

uint32_t mg_gemm_add_class(MgNest *nest, MgNestScope *scope, MgArena *arena,
                           const MgGemmClass *of) {
    return mg_nest_add_joined(nest, scope, arena, indices_of(arena, scope, of), of->n);
}

// ---------------------------------------------------------------- copies

// A copy of `factor` with `size` positions of an index side by side, for one step of the sum after
// another; size 0: each row is copied unchanged.
static void add_stage(Writer *w, MgLine *outer, const MgSx *factor, uint32_t index, int64_t size,
                      MgNestSpace space, MgNestWay way) {
    const MgNestAxis axes[] = {
        {.index = index, .by = size}, {.index = w->k}, {.index = UINT32_MAX, .by = size}};
    mg_nest_set_copy(w->arena, mg_nest_add_stage(w->arena, outer, w->scope, 0, factor), space, way,
                     axes, size ? 3 : 2);
}

static void add_rows(Writer *w, MgLine *outer, MgNestSpace space) {
    const MgGemmPlan *p = &w->g->plan;
    add_stage(w, outer, w->g->row.x, w->m, p->row_along_k ? 0 : p->mr, space,
              p->row_runs ? MG_WAY_RUNS : MG_WAY_PLAIN);
}

static void add_columns(Writer *w, MgLine *outer, MgNestSpace space) {
    const MgGemmPlan *p = &w->g->plan;
    add_stage(w, outer, w->g->column.x, w->n, p->nv * w->g->lanes, space,
              p->column_runs    ? MG_WAY_RUNS
              : p->columns_fill ? MG_WAY_FILL
                                : MG_WAY_PLAIN);
}

// ---------------------------------------------------------------- loops

static bool is_shared(const Writer *w) {
    return w->g->s->workers > 1;
}

MgLine *mg_gemm_add_batches(const MgGemm *g, const MgNestScope *scope, MgLine *outer,
                            MgLevel level) {
    if (!g->batch.n)
        return outer;
    MgLine *line = mg_nest_add_for(g->s->arena, outer, g->batch.n);
    for (uint32_t i = 0; i < g->batch.n; i++)
        line->walks[i].index = mg_nest_index(scope, 0, g->batch.index[i]);
    line->level = level;
    return line;
}

// The strips of a core, in blocks.
static MgLine *add_outer_columns(Writer *w, MgLine *outer) {
    const MgGemm *g = w->g;
    MgBlock block = g->plan.sharing == MG_GEMM_SHARE_PARTS   ? MG_BLOCK_PART
                    : g->plan.sharing == MG_GEMM_SHARE_TRIPS ? MG_BLOCK_TRIP
                                                             : MG_BLOCK_SIZED;
    if (block) {
        outer = add_blocks(w, outer, w->n, 1);
        outer->walks[0].block = block;
        outer->level = MG_LEVEL_CORE;
    }
    bool blocks = !mg_gemm_strip_by_strip(g) && (g->n.known < 0 || g->n.known > g->plan.nc);
    return blocks ? add_blocks(w, outer, w->n, g->plan.nc) : outer;
}

// Adds the loops from a block of columns and depth down to a strip and its rows.
static MgLine *add_strips(Writer *w, MgLine *outer) {
    const MgGemm *g = w->g;
    int64_t width = g->plan.nv * g->lanes;
    MgGemmSharing sharing = g->plan.sharing;
    bool all_rows = sharing == MG_GEMM_SHARE_COLUMNS || sharing == MG_GEMM_SHARE_TILES;
    if (mg_gemm_packs_rows(g) && all_rows)
        add_rows(w, outer, MG_NEST_SPACE_COMMON);
    if (mg_gemm_strip_by_strip(g)) {
        outer = add_blocks(w, outer, w->n, width);
        outer->level =
            sharing == MG_GEMM_SHARE_COLUMNS && is_shared(w) ? MG_LEVEL_CORE : MG_LEVEL_TIME;
        if (mg_gemm_packs_columns(g))
            add_columns(w, outer, MG_NEST_SPACE_LOCAL);
        return outer;
    }
    if (mg_gemm_packs_columns(g))
        add_columns(w, outer,
                    sharing == MG_GEMM_SHARE_TILES || sharing == MG_GEMM_SHARE_ROWS
                        ? MG_NEST_SPACE_COMMON
                        : MG_NEST_SPACE_LOCAL);
    if (sharing == MG_GEMM_SHARE_TILES) {
        const MgWalk sides[] = {{.index = w->m, .by = g->plan.mc}, {.index = w->n, .by = width}};
        outer = mg_nest_add_walks(w->arena, outer, MG_LEVEL_CORE, sides, 2);
        outer->dealt = true;
        return outer;
    }
    outer = add_blocks(w, outer, w->m, g->plan.mc);
    outer->level = sharing == MG_GEMM_SHARE_ROWS ? MG_LEVEL_CORE : MG_LEVEL_TIME;
    if (mg_gemm_packs_rows(g) && !all_rows)
        add_rows(w, outer, MG_NEST_SPACE_LOCAL);
    return add_blocks(w, outer, w->n, width);
}

// The registers of a tile: its rows, and in each row the vectors of its columns.
static MgLine *add_registers(Writer *w, MgLine *outer) {
    const MgGemm *g = w->g;
    return mg_nest_add_registers(w->arena, outer, w->m, g->plan.mr, w->n, g->plan.nv, g->lanes);
}

void mg_gemm_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgGemm *g = found;
    Writer w = {g, g->s->arena, scope, 0, 0, 0};
    w.m = mg_gemm_add_class(nest, scope, w.arena, &g->m);
    w.n = mg_gemm_add_class(nest, scope, w.arena, &g->n);
    w.k = mg_gemm_add_class(nest, scope, w.arena, &g->k);
    MgLine *line = &nest->root;
    if (g->plan.rows_kept)
        add_rows(&w, line, MG_NEST_SPACE_KEPT);
    if (g->plan.columns_kept)
        add_columns(&w, line, MG_NEST_SPACE_KEPT);
    bool batches = g->plan.sharing == MG_GEMM_SHARE_BATCH && is_shared(&w);
    line = mg_gemm_add_batches(g, scope, line, batches ? MG_LEVEL_CORE : MG_LEVEL_TIME);
    line = add_outer_columns(&w, line);
    bool blocks = g->k.known < 0 || g->plan.kc != g->k.known;
    if (blocks)
        line = add_blocks(&w, line, w.k, g->plan.kc * g->words.per_word);
    line = add_blocks(&w, add_strips(&w, line), w.m, g->plan.mr);
    MgLine *sum = add_registers(&w, add_blocks(&w, line, w.k, 0));
    MgLine *multiply = mg_nest_add_numbers(w.arena, sum, MG_LINE_DO, 0, 1);
    multiply->atom = g->words.used ? g->words.atom + 1 : 0;
    if (g->unit->n_ops > 1) {
        line = add_registers(&w, line);
        line = mg_nest_add_numbers(w.arena, line, MG_LINE_DO, 1, g->unit->n_ops - 1);
        line->at_last = blocks;
        line->index = blocks ? w.k : 0;
    }
}
