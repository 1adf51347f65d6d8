// The plan of an attention for workers as a nest, and the plan that a nest describes.
//
// These facts follow from the plan and have no line: how rows, keys and columns that fill no whole
// tile are handled, and that sums are moved to a new largest score only if there are several blocks
// of keys.
#include "passes/schedule/attention/attention.h"

enum { MOST_KEYS = 1 << 16, MOST_ROWS = 1 << 24 }; // of a block; of a trip

#define SET MG_ATTENTION_SET

// ---------------------------------------------------------------- writing

typedef struct Writer {
    MgAttn *t;
    MgNestScope *scope;
    MgAttnIndices x;
} Writer;

static MgLine *add_blocks(const Writer *w, MgLine *outer, uint32_t index, int64_t by) {
    return mg_nest_add_blocks(w->t->s->arena, outer, index, by);
}

// Adds a loop over registers: `n` positions of an index (0: none), each for the rows of a strip.
static MgLine *add_registers(const Writer *w, MgLine *outer, uint32_t index, int64_t n) {
    const MgAttnPlan *p = &w->t->plan;
    return mg_nest_add_registers(w->t->s->arena, outer, index, n, w->x.rows, p->nv, p->lanes);
}

// Trips, and what each of them packs.
static MgLine *add_trips(const Writer *w, MgLine *outer) {
    const MgAttn *t = w->t;
    const MgAttnPlan *p = &t->plan;
    MgWalk rows = {.index = w->x.rows,
                   .by = p->part ? 1 : p->trip * p->nv * p->lanes,
                   .block = p->part ? MG_BLOCK_PART : MG_BLOCK_SIZED};
    MgLine *line = mg_attention_add_batches(t, w->scope, outer, &rows, rows.by > 0);
    if (line != outer)
        line->dealt = p->dealt;
    if (!p->keys_lie)
        mg_attention_add_stage(t, line, w->scope, &t->products[0].k, w->x.keys, w->x.depth[0]);
    if (!p->values_lie)
        mg_attention_add_stage(t, line, w->scope, &t->value_factor, w->x.keys, w->x.columns);
    return line;
}

// One line has the values of which squares are transposed.
static void add_across(const Writer *w, MgLine *outer) {
    const MgAttn *t = w->t;
    MgLine others = {0}, *line = NULL;
    uint32_t *numbers = MG_NEW_N(t->s->arena, uint32_t, MG_ATTN_ACROSS);
    for (uint32_t a = 0; a < t->across.n; a++) {
        const MgAttnFactor f = {.step = t->across.at[a].step, .x = t->across.at[a].read};
        const MgLine *one =
            mg_attention_add_stage(t, line ? &others : outer, w->scope, &f, w->x.keys, w->x.rows);
        uint32_t n = line ? line->n_numbers : 0, i = 0;
        line = line ? line : outer->body.at[outer->body.len - 1];
        while (i < n && numbers[i] != one->numbers[0])
            i++;
        numbers[i] = one->numbers[0];
        line->n_numbers = i < n ? n : n + 1;
    }
    line->numbers = numbers;
    line->way = MG_WAY_TURN;
}

static void add_scores(const Writer *w, MgLine *block) {
    const MgAttn *t = w->t;
    const MgAttnPlan *p = &t->plan;
    uint32_t finish = SET(MG_ATTENTION_SCORE) | SET(MG_ATTENTION_MAX);
    MgLine *line = add_blocks(w, block, w->x.keys, p->key_tile);
    line = add_registers(w, add_blocks(w, line, w->x.depth[0], 0), w->x.keys, p->key_tile);
    mg_attention_add_do(t, line, SET(MG_ATTENTION_SCORES) | (p->in_tile ? finish : 0), false);
    if (p->in_tile)
        return;
    if (p->turn_across) {
        block = add_blocks(w, block, w->x.keys, p->lanes);
        add_across(w, block);
    }
    line = add_registers(w, add_blocks(w, block, w->x.keys, 0), 0, 0);
    mg_attention_add_do(t, line, finish, false);
}

static void add_block(const Writer *w, MgLine *outer) {
    const MgAttn *t = w->t;
    const MgAttnPlan *p = &t->plan;
    MgLine *block = mg_attention_add_blocks(t, outer, w->x.keys, p->key_block, p->skips);
    mg_attention_add_keep(t, block, SET(MG_ATTENTION_SCORES) | SET(MG_ATTENTION_EXP),
                          MG_NEST_SPACE_LOCAL, MG_WAY_PLAIN);
    add_scores(w, block);
    MgLine *line = add_registers(w, add_blocks(w, block, w->x.keys, 0), 0, 0);
    mg_attention_add_do(
        t, line, SET(MG_ATTENTION_SHIFT) | SET(MG_ATTENTION_EXP) | SET(MG_ATTENTION_SUM), false);
    line = add_blocks(w, block, w->x.columns, p->column_tile);
    line = add_registers(w, add_blocks(w, line, w->x.keys, 0), w->x.columns, p->column_tile);
    mg_attention_add_do(t, line, SET(MG_ATTENTION_VALUES), false);
    mg_attention_add_join(t, block, w->x.keys, MG_NEST_SPACE_LOCAL);
}

void mg_attention_workers_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgAttn *t = found;
    const MgAttnPlan *p = &t->plan;
    Writer w = {t, scope, mg_attention_add_indices(t, nest, scope)};
    MgLine *strip = add_blocks(&w, add_trips(&w, &nest->root), w.x.rows, p->nv * p->lanes);
    mg_attention_add_stage(t, strip, scope, &t->products[0].q, w.x.depth[0], w.x.rows)->way =
        p->turn_rows ? MG_WAY_TURN : MG_WAY_PLAIN;
    mg_attention_add_keep(t, strip, SET(MG_ATTENTION_MAX) | SET(MG_ATTENTION_SUM),
                          MG_NEST_SPACE_REG, MG_WAY_PLAIN);
    mg_attention_add_keep(t, strip, SET(MG_ATTENTION_VALUES), MG_NEST_SPACE_LOCAL,
                          p->turn_sums ? MG_WAY_TURN : MG_WAY_PLAIN);
    add_block(&w, strip);
    uint32_t last = SET(MG_ATTENTION_ROW) | SET(MG_ATTENTION_WEIGHT);
    MgLine none = {0};
    if (mg_attention_add_do(t, &none, last, true))
        mg_attention_add_do(t, add_registers(&w, strip, 0, 0), last, true);
}

// ---------------------------------------------------------------- reading

typedef struct Reader {
    MgAttn *t;
    const MgGivenNest *given;
    MgAttnIndices x;
    const MgLine *core, *first; // the loop over trips, and the first that computes; NULL: none
    MgNestFound lanes, keys, key_tile, column_tile;
    const MgLine *k, *v, *across; // what is staged
} Reader;

#define refuse(r, line, ...) mg_form_refuse((r)->given, line, __VA_ARGS__)

static const char *name_of(const Reader *r, uint32_t index) {
    return mg_given_name(r->given, index);
}

static void find_lines(Reader *r) {
    const MgLine *root = &r->given->nest->root;
    r->core = mg_nest_find_cores(root);
    r->first = mg_nest_find_kind(root, MG_LINE_DO);
    r->lanes = mg_nest_find_digit(root, MG_LEVEL_LANE);
    r->keys = mg_nest_find_blocks(root, r->x.keys);
    if (r->keys.line)
        r->key_tile = mg_nest_find_blocks(r->keys.line, r->x.keys);
    r->column_tile = mg_nest_find_blocks(root, r->x.columns);
    r->k = mg_nest_find_stage(root, r->x.keys, r->x.depth[0]);
    r->v = mg_nest_find_stage(root, r->x.keys, r->x.columns);
    r->across = mg_nest_find_stage(root, r->x.keys, r->x.rows);
}

static bool read_strip(Reader *r) {
    MgAttn *t = r->t;
    MgAttnPlan *p = &t->plan;
    if (!mg_form_read_lanes(r->given, r->lanes, mg_kb_lanes(&t->kb, t->a->type), &p->lanes))
        return false;
    int64_t vectors = mg_nest_digit(r->lanes.walk, MG_LEVEL_REG);
    if (vectors < 1 || vectors > MG_ATTN_VECTORS)
        return refuse(r, r->lanes.line, "a strip has 1 to %d vectors of rows", MG_ATTN_VECTORS);
    p->nv = (uint32_t)vectors;
    return true;
}

static bool read_trips(Reader *r) {
    MgAttnPlan *p = &r->t->plan;
    p->dealt = r->core && r->core->dealt;
    for (uint32_t i = 0; r->core && i < r->core->n_walks; i++) {
        const MgWalk *w = &r->core->walks[i];
        int64_t strip = p->nv * p->lanes;
        if (w->index != r->x.rows || !w->by)
            continue;
        p->part = w->block == MG_BLOCK_PART;
        if (w->block)
            continue;
        if (w->by % strip || w->by > MOST_ROWS)
            return refuse(r, r->core,
                          "a core takes strips of %lld rows: blocks of '%s' are a "
                          "multiple of these, and at most %d",
                          (long long)strip, name_of(r, w->index), MOST_ROWS);
        p->trip = w->by / strip;
    }
    return true;
}

static bool read_tile(Reader *r, MgNestFound tile, uint32_t index, uint32_t *size) {
    if (!tile.walk)
        return refuse(r, r->keys.line, "no loop is over tiles of registers, as 'for %s by 4'",
                      name_of(r, index));
    if (tile.walk->by > MG_ATTN_TILE)
        return refuse(r, tile.line, "a tile has at most %d positions of '%s'", MG_ATTN_TILE,
                      name_of(r, index));
    *size = (uint32_t)tile.walk->by;
    return true;
}

static bool read_keys(Reader *r) {
    MgAttn *t = r->t;
    MgAttnPlan *p = &t->plan;
    if (!r->keys.walk)
        return refuse(r, NULL, "no loop is over blocks of '%s'", name_of(r, r->x.keys));
    if (!read_tile(r, r->key_tile, r->x.keys, &p->key_tile) ||
        !read_tile(r, r->column_tile, r->x.columns, &p->column_tile))
        return false;
    p->key_block = r->keys.walk->by;
    if (p->key_block % p->key_tile || p->key_block > MOST_KEYS)
        return refuse(r, r->keys.line,
                      "blocks of '%s' are a multiple of the tile's %u, and at "
                      "most %d",
                      name_of(r, r->x.keys), p->key_tile, MOST_KEYS);
    p->skips = r->keys.line->skips;
    if (p->skips && !t->seen.keys)
        return refuse(r, r->keys.line,
                      "no block is skipped: no score is known to be -inf from "
                      "some '%s' on, which does not decrease with the row",
                      name_of(r, r->x.keys));
    if (p->skips && mg_attn_known_or(t, t->size.keys, INT64_MAX) <= p->key_block)
        return refuse(r, r->keys.line, "the only block is not skipped");
    return true;
}

// Can tiles read a factor that no line stages, [keys, along], in place?
static bool check_place(const Reader *r, const MgAttnFactor *f, MgIx tiled, uint32_t tile,
                        uint32_t along) {
    MgAttnMatrix m;
    return mg_attention_lies(r->t, f, tiled, tile, &m) ||
           refuse(r, NULL,
                  "no line stages [%s, %s], and tiles of %u can't read it in place: "
                  "its rows must be contiguous, plain reads, and fill whole tiles",
                  name_of(r, r->x.keys), name_of(r, along), tile);
}

static bool read_copies(Reader *r) {
    MgAttn *t = r->t;
    MgAttnPlan *p = &t->plan;
    const MgLine *q = mg_nest_find_stage(&r->given->nest->root, r->x.depth[0], r->x.rows);
    const MgLine *sums = mg_attention_find_keep(
        &r->given->nest->root, mg_attention_number(t, t->a->steps[t->a->values].op));
    p->turn_rows = q && q->way == MG_WAY_TURN;
    p->turn_sums = sums && sums->way == MG_WAY_TURN;
    p->keys_lie = !r->k;
    p->values_lie = !r->v;
    if ((p->keys_lie &&
         !check_place(r, &t->products[0].k, t->size.keys, p->key_tile, r->x.depth[0])) ||
        (p->values_lie &&
         !check_place(r, &t->value_factor, t->size.columns, p->column_tile, r->x.columns)))
        return false;
    p->in_tile = r->first && r->first->n_numbers > 1;
    if (p->in_tile && !mg_attention_whole_tiles(t))
        return refuse(r, r->first,
                      "the last tile of '%s' is not full, so its scores are finished "
                      "in a loop of their own",
                      name_of(r, r->x.keys));
    p->turn_across = r->across && t->across.n && p->lanes > 1;
    return true;
}

bool mg_attention_read_workers(void *found, const MgGivenNest *given) {
    MgAttn *t = found;
    Reader r = {.t = t, .given = given};
    if (!mg_attention_read_indices(t, given, &r.x))
        return false;
    find_lines(&r);
    return read_strip(&r) && read_trips(&r) && read_keys(&r) && read_copies(&r);
}
