// The plan of an attention on a GPU as a nest, and the plan that a nest describes.
//
// These facts follow from the plan and have no line: how copies are padded or swizzled, how items
// load them while they compute, where a row's items tell each other their largest scores, and how
// rows, keys and columns past the last are handled.
#include "passes/schedule/gpu/attention.h"

#define SET MG_ATTENTION_SET

enum {
    SCORES = SET(MG_ATTENTION_SCORES),
    FINISH = SET(MG_ATTENTION_SCORE) | SET(MG_ATTENTION_MAX),
    WEIGH = SET(MG_ATTENTION_SHIFT) | SET(MG_ATTENTION_EXP),
    SUM = SET(MG_ATTENTION_SUM),
    VALUES = SET(MG_ATTENTION_VALUES),
    LAST = SET(MG_ATTENTION_ROW) | SET(MG_ATTENTION_WEIGHT)
};

// ---------------------------------------------------------------- writing

typedef struct Writer {
    const MgGpuAttn *g;
    const MgAttn *t;
    MgArena *arena;
    const MgNestScope *scope;
    MgAttnIndices x;
} Writer;

// Stages the rows of the scores' factors, or their keys.
static void stage(const Writer *w, MgLine *outer, bool rows) {
    for (uint32_t i = 0; i < w->t->a->n_products; i++) {
        const MgAttnFactor *f = rows ? &w->t->products[i].q : &w->t->products[i].k;
        mg_attention_add_stage(w->t, outer, w->scope, f, rows ? w->x.rows : w->x.keys,
                               w->x.depth[i]);
    }
}

static void stage_values(const Writer *w, MgLine *outer) {
    mg_attention_add_stage(w->t, outer, w->scope, &w->t->value_factor, w->x.keys, w->x.columns);
}

static void add_digits(MgWalk *walk, uint32_t index, const MgDigit *digits, uint32_t n) {
    walk->index = index;
    for (uint32_t i = 0; i < n; i++)
        if (digits[i].level != MG_LEVEL_REG || digits[i].size > 1)
            mg_nest_add_digit(walk, digits[i].level, digits[i].size);
}

// An item has rows and keys of the scores a row of items apart. Of the sums it has neighbouring
// rows, and vectors of columns.
static void add_tiles(const Writer *w, MgLine *block) {
    const MgGpuAttnPlan *p = &w->g->plan;
    const MgDigit down = {MG_LEVEL_LANE, p->rows / MG_GPU_ATTN_ROWS},
                  across = {MG_LEVEL_LANE, MG_GPU_ATTN_ACROSS},
                  own = {MG_LEVEL_REG, MG_GPU_ATTN_ROWS};
    const MgDigit rows[] = {own, down}, neighbours[] = {down, own};
    const MgDigit keys[] = {{MG_LEVEL_REG, p->keys / MG_GPU_ATTN_ACROSS}, across};
    const MgDigit columns[] = {
        {MG_LEVEL_REG, p->columns / MG_GPU_ATTN_COLUMNS}, across, {MG_LEVEL_VEC, MG_QUAD}};
    MgLine *line = block;
    stage_values(w, block);
    if (mg_gpu_attn_is_part(w->g, w->t->size.depth, p->depth)) {
        line = mg_nest_add_blocks(w->arena, line, w->x.depth[0], p->depth);
        stage(w, line, true);
    }
    stage(w, line, false);
    line = mg_nest_add_for(w->arena, mg_nest_add_blocks(w->arena, line, w->x.depth[0], 0), 2);
    add_digits(&line->walks[0], w->x.rows, rows, 2);
    add_digits(&line->walks[1], w->x.keys, keys, 2);
    mg_attention_add_do(w->t, line, SCORES, false);
    line = mg_nest_add_blocks(w->arena, block, w->x.rows, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, p->rows);
    mg_attention_add_do(w->t, line, FINISH | WEIGH | SUM, false);
    line = mg_nest_add_for(w->arena, mg_nest_add_blocks(w->arena, block, w->x.keys, 0), 2);
    add_digits(&line->walks[0], w->x.rows, neighbours, 2);
    add_digits(&line->walks[1], w->x.columns, columns, 3);
    mg_attention_add_do(w->t, line, VALUES, false);
}

// An item has a key. For the values, items are slices of the keys by vectors of columns.
static void add_few(const Writer *w, MgLine *block) {
    const MgGpuAttnPlan *p = &w->g->plan;
    int64_t across = mg_attn_known_or(w->t, w->t->size.columns, 0) / p->value_lanes;
    MgLine *line = mg_nest_add_blocks(w->arena, block, w->x.keys, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, p->keys);
    MgLine *depth = mg_nest_add_blocks(w->arena, line, w->x.depth[0], 0);
    mg_nest_add_digit(depth->walks, MG_LEVEL_TIME, 0);
    mg_nest_add_digit(depth->walks, MG_LEVEL_VEC, p->key_lanes);
    mg_attention_add_do(w->t, depth, SCORES, false);
    mg_attention_add_do(w->t, line, FINISH | WEIGH, false);
    line = mg_nest_add_for(w->arena, block, 2);
    line->walks[0].index = w->x.keys;
    mg_nest_add_digit(line->walks, MG_LEVEL_TIME, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_WARP, p->keys / across);
    line->walks[1].index = w->x.columns;
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_LANE, across);
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_VEC, p->value_lanes);
    mg_attention_add_do(w->t, line, SUM | VALUES, false);
}

// A product by matrix units, along an index.
static void add_product(const Writer *w, MgLine *block, uint32_t along, uint32_t step,
                        MgAtom atom) {
    bool wide = w->g->plan.kind == MG_GPU_ATTN_WIDE;
    MgLine *line = mg_nest_add_blocks(w->arena, block, w->x.rows, mg_gpu_attn_together(w->g));
    line->level = MG_LEVEL_WARP;
    line = mg_nest_add_blocks(w->arena, line, along, 0);
    line = mg_attention_add_do_step(w->t, line, step);
    line->atom = 1 + atom;
    line->way = wide ? MG_WAY_WIDE : mg_atom(atom)->rounds ? MG_WAY_PARTS : MG_WAY_PLAIN;
}

static void add_units(const Writer *w, MgLine *block) {
    const MgAttention *a = w->t->a;
    MgAtom scores[MG_ATTENTION_PRODUCTS], value;
    mg_gpu_attn_atoms(w->g, scores, &value);
    stage(w, block, false);
    stage_values(w, block);
    for (uint32_t i = 0; i < a->n_products; i++)
        add_product(w, block, w->x.depth[i], a->products[i].step, scores[i]);
    mg_attention_add_do(w->t, block, FINISH | WEIGH | SUM, false);
    add_product(w, block, w->x.keys, a->values, value);
}

// Groups, and parts of the keys.
static MgLine *add_groups(const Writer *w, MgLine *outer) {
    const MgGpuAttnPlan *p = &w->g->plan;
    MgWalk others[2];
    uint32_t n = 0;
    if (p->kind != MG_GPU_ATTN_FEW)
        others[n++] = (MgWalk){.index = w->x.rows, .by = p->rows};
    if (p->kind == MG_GPU_ATTN_TILES && mg_gpu_attn_is_part(w->g, w->t->size.columns, p->columns))
        others[n++] = (MgWalk){.index = w->x.columns, .by = p->columns};
    outer = mg_attention_add_batches(w->t, w->scope, outer, others, n);
    if (p->parts == 1)
        return outer;
    outer = mg_nest_add_blocks(w->arena, outer, w->x.keys, 0);
    mg_nest_add_digit(outer->walks, MG_LEVEL_CORE, p->parts);
    mg_nest_add_digit(outer->walks, MG_LEVEL_TIME, 0);
    return outer;
}

static void add_end(const Writer *w, MgNest *nest, MgLine *group) {
    MgWalk rows = {.index = w->x.rows};
    if (w->g->plan.parts > 1) {
        mg_attention_add_join(w->t, &nest->root, w->x.keys, MG_NEST_SPACE_COMMON);
        MgLine none = {0};
        if (!mg_attention_add_do(w->t, &none, LAST, true))
            return;
        group =
            mg_attention_add_batches(w->t, w->scope, &nest->root, &rows, w->x.rows < UINT32_MAX);
    }
    mg_attention_add_do(w->t, group, LAST, true);
}

// Scores, and the weights that they become.
static void keep_scores(const Writer *w, MgLine *block) {
    enum { WEIGHTS = SET(MG_ATTENTION_EXP) };
    MgGpuAttnKind kind = w->g->plan.kind;
    MgNestSpace space = kind < MG_GPU_ATTN_UNITS ? MG_NEST_SPACE_LOCAL : MG_NEST_SPACE_REG;
    bool apart = kind == MG_GPU_ATTN_UNITS;
    mg_attention_add_keep(w->t, block, SCORES | (apart ? 0 : WEIGHTS), space, MG_WAY_PLAIN);
    if (apart && w->t->a->softmax)
        mg_attention_add_keep(w->t, block, WEIGHTS, MG_NEST_SPACE_LOCAL, MG_WAY_PLAIN);
}

void mg_gpu_attn_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgGpuAttn *g = found;
    static void (*const add[])(const Writer *w, MgLine *block) = {[MG_GPU_ATTN_TILES] = add_tiles,
                                                                  [MG_GPU_ATTN_FEW] = add_few,
                                                                  [MG_GPU_ATTN_UNITS] = add_units,
                                                                  [MG_GPU_ATTN_WIDE] = add_units};
    const MgGpuAttnPlan *p = &g->plan;
    MgArena *arena = g->t.s->arena;
    Writer w = {g, &g->t, arena, scope, mg_attention_add_indices(&g->t, nest, scope)};
    MgLine *group = add_groups(&w, &nest->root);
    if (p->kind != MG_GPU_ATTN_TILES || !mg_gpu_attn_is_part(g, g->t.size.depth, p->depth))
        stage(&w, group, true);
    mg_attention_add_keep(&g->t, group, SET(MG_ATTENTION_MAX) | SUM | VALUES, MG_NEST_SPACE_REG,
                          MG_WAY_PLAIN);
    MgLine *block = mg_attention_add_blocks(&g->t, group, w.x.keys, p->keys, p->skips);
    keep_scores(&w, block);
    add[p->kind](&w, block);
    mg_attention_add_join(&g->t, block, w.x.keys,
                          g->t.a->softmax ? MG_NEST_SPACE_LOCAL : MG_NEST_SPACE_REG);
    add_end(&w, nest, group);
}

// ---------------------------------------------------------------- reading

typedef struct Reader {
    MgGpuAttn *g;
    const MgGivenNest *given;
    MgAttnIndices x;
    MgNestFound rows, keys; // their blocks
} Reader;

#define refuse(r, line, ...) mg_form_refuse((r)->given, line, __VA_ARGS__)

// The size of the digit of the first walk over the index that has one of this level; 1: none.
static int64_t digit_of(const Reader *r, uint32_t index, MgLevel level) {
    MgNestFound found = mg_nest_find_digit_of(&r->given->nest->root, index, level);
    return found.walk ? mg_nest_digit(found.walk, level) : 1;
}

static MgGpuAttnKind kind_of(const Reader *r) {
    const MgLine *first = mg_nest_find_kind(&r->given->nest->root, MG_LINE_DO);
    MgNestFound lanes = mg_nest_find_digit(&r->given->nest->root, MG_LEVEL_LANE);
    if (first && first->atom)
        return first->way == MG_WAY_WIDE ? MG_GPU_ATTN_WIDE : MG_GPU_ATTN_UNITS;
    return lanes.walk && lanes.walk->index == r->x.keys ? MG_GPU_ATTN_FEW : MG_GPU_ATTN_TILES;
}

// A part of the depth or of the columns; if no loop is over parts, all of it, in whole units.
static bool read_part(Reader *r, uint32_t index, MgIx all, int64_t unit, int64_t *size) {
    MgNestFound blocks = mg_nest_find_blocks(&r->given->nest->root, index);
    int64_t known = mg_attn_known_or(&r->g->t, all, -1);
    if (!blocks.walk && known < 0)
        return refuse(r, NULL, "the size of '%s' is open: 'for %s by N' is a part of it",
                      mg_given_name(r->given, index), mg_given_name(r->given, index));
    *size = blocks.walk ? blocks.walk->by : mg_round_up(known, unit);
    return true;
}

static bool read_sizes(Reader *r) {
    MgGpuAttn *g = r->g;
    MgGpuAttnPlan *p = &g->plan;
    const MgLine *root = &r->given->nest->root;
    if (p->kind == MG_GPU_ATTN_FEW) {
        p->rows = mg_attn_known_or(&g->t, g->t.size.rows, 0);
        p->key_lanes = (uint32_t)digit_of(r, r->x.depth[0], MG_LEVEL_VEC);
        p->value_lanes = (uint32_t)digit_of(r, r->x.columns, MG_LEVEL_VEC);
        return true;
    }
    r->rows = mg_nest_find_blocks(root, r->x.rows);
    if (!r->rows.walk)
        return refuse(r, NULL, "no loop on cores is over blocks of rows");
    p->rows = r->rows.walk->by;
    return p->kind != MG_GPU_ATTN_TILES ||
           (read_part(r, r->x.depth[0], g->t.size.depth, MG_QUAD, &p->depth) &&
            read_part(r, r->x.columns, g->t.size.columns, MG_GPU_ATTN_COLUMNS, &p->columns));
}

static bool read_parts(Reader *r) {
    MgGpuAttnPlan *p = &r->g->plan;
    int64_t most = MG_GPU_ATTN_JOINED * (p->kind == MG_GPU_ATTN_FEW ? p->keys : p->rows);
    p->parts = digit_of(r, r->x.keys, MG_LEVEL_CORE);
    if (p->parts == 1)
        return true;
    MgNestFound cores = mg_nest_find_digit(&r->given->nest->root, MG_LEVEL_CORE);
    if (p->kind >= MG_GPU_ATTN_UNITS)
        return refuse(r, cores.line, "matrix units take all keys of their rows, not parts of them");
    return (p->parts > 1 && p->parts <= most) ||
           refuse(r, cores.line,
                  "there are 2 to %lld parts: as many as its items can join, %d each",
                  (long long)most, MG_GPU_ATTN_JOINED);
}

bool mg_gpu_attn_read(void *found, const MgGivenNest *given) {
    MgGpuAttn *g = found;
    Reader r = {.g = g, .given = given};
    if (!mg_attention_read_indices(&g->t, given, &r.x))
        return false;
    g->plan = (MgGpuAttnPlan){.kind = kind_of(&r)};
    if (!g->t.a->softmax && g->plan.kind < MG_GPU_ATTN_UNITS)
        return refuse(&r, NULL, "without a softmax, only matrix units compute weights");
    r.keys = mg_nest_find_blocks(&given->nest->root, r.x.keys);
    if (!r.keys.walk)
        return refuse(&r, NULL, "no loop is over blocks of '%s'", mg_given_name(given, r.x.keys));
    g->plan.keys = r.keys.walk->by;
    g->plan.skips = r.keys.line->skips;
    if (g->plan.skips && (!g->t.seen.keys || g->plan.kind < MG_GPU_ATTN_UNITS))
        return refuse(&r, r.keys.line,
                      "only matrix units skip blocks, if it is known from which '%s' on, or up to "
                      "which, rows do not see it, and this does not decrease with the row",
                      mg_given_name(given, r.x.keys));
    if (!read_sizes(&r) || !read_parts(&r))
        return false;
    const char *why = mg_gpu_attn_form(g->plan.kind)->misfit(g);
    return !why || refuse(&r, r.keys.line, "%s", why);
}
