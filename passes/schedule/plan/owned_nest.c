// The rows and items of groups that own rows, as a nest, and back.
//
// These facts follow from both and have no line: how rows lie in local memory and are copied, how
// weights are packed, the columns of an item, and how passes follow each other.
#include "passes/schedule/form.h"
#include "passes/schedule/plan/owned.h"

// ---------------------------------------------------------------- writing

typedef struct Writer {
    const MgOwned *o;
    MgArena *arena;
    MgNest *nest;
    MgNestScope *scope;
} Writer;

static uint32_t first_of(const MgOwned *o, const MgOwnedStage *st) {
    return (uint32_t)(st->ops - o->unit.ops);
}

// The index that walks the equation's indices from `first` to `end`, joined if there are several.
static uint32_t walk_all(const Writer *w, uint32_t equation, uint32_t first, uint32_t end) {
    uint32_t *indices = MG_NEW_N(w->arena, uint32_t, end - first);
    for (uint32_t i = first; i < end; i++)
        indices[i - first] = mg_nest_index(w->scope, equation, i);
    return mg_nest_add_joined(w->nest, w->scope, w->arena, indices, end - first);
}

static void add_digit(MgWalk *walk, MgLevel level, int64_t size) {
    if (size > 1)
        mg_nest_add_digit(walk, level, size);
}

static MgLine *add_shared(const Writer *w, MgLine *outer, uint32_t index, int64_t items) {
    MgLine *line = mg_nest_add_blocks(w->arena, outer, index, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_TIME, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, items);
    return line;
}

static void add_do(const Writer *w, MgLine *outer, uint32_t first, uint32_t n) {
    if (n)
        mg_nest_add_numbers(w->arena, outer, MG_LINE_DO, first, n);
}

// The loop over a product's columns, of which an item has all rows of the block.
static MgLine *add_columns(const Writer *w, MgLine *outer, uint32_t product, int64_t items) {
    MgLine *line = mg_nest_add_for(w->arena, outer, 2);
    line->walks[0].index = mg_nest_index(w->scope, product, 0);
    add_digit(&line->walks[0], MG_LEVEL_REG, w->o->block);
    line->walks[1].index = mg_nest_index(w->scope, product, 1);
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_TIME, 0);
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_LANE, items);
    return line;
}

// Shares of the sum go to items of their own. The last equations then are for other items.
static void add_product(const Writer *w, MgLine *group, const MgOwnedStage *st, uint32_t points) {
    uint32_t first = first_of(w->o, st), splits = mg_owned_splits(w->o, &st->p);
    MgLine *outer = mg_nest_add_blocks(w->arena, group, mg_nest_index(w->scope, first, 2), 0);
    add_digit(outer->walks, MG_LEVEL_WARP, splits);
    if (splits > 1)
        mg_nest_add_digit(outer->walks, MG_LEVEL_TIME, 0);
    int64_t items = w->o->items / splits;
    add_do(w, add_columns(w, outer, first, items), first, 1);
    if (st->n_ops > 1)
        add_do(w,
               splits > 1 ? add_shared(w, group, points, w->o->items)
                          : add_columns(w, group, first, items),
               first + 1, st->n_ops - 1);
}

// Items share each row's sum.
static void add_row_reduction(const Writer *w, MgLine *group, const MgOwnedStage *st,
                              uint32_t sum) {
    uint32_t first = first_of(w->o, st);
    MgLine *rows = mg_nest_add_blocks(w->arena, group, mg_nest_index(w->scope, first, 0), 0);
    add_digit(rows->walks, MG_LEVEL_WARP, w->o->block);
    add_do(w, add_shared(w, rows, sum, w->o->items / w->o->block), first, 1);
    add_do(w, rows, first + 1, st->n_ops - 1);
}

static void add_keep(const Writer *w, MgLine *group) {
    MgLine *keep = mg_nest_add_numbers(w->arena, group, MG_LINE_KEEP, 0, w->o->unit.n_ops);
    keep->space = MG_NEST_SPACE_LOCAL;
    keep->n_numbers = 0;
    for (uint32_t i = 0; i < w->o->unit.n_ops; i++)
        if (w->o->places[mg_op(w->o->s->g, w->o->unit.ops[i])->results[0]].placed)
            keep->numbers[keep->n_numbers++] = i;
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    const MgOwned *o = found;
    MgArena *arena = o->s->arena;
    Writer w = {o, arena, nest, scope};
    uint32_t *walked = MG_NEW_N(arena, uint32_t, o->stages.len);
    for (uint32_t i = 0; i < o->stages.len; i++) { // `index` lines come first
        const MgOwnedStage *st = &o->stages.at[i];
        const MgPiece *p = &mg_op(o->s->g, st->ops[0])->equation->pieces[0];
        bool sum = mg_owned_shares_rows(o, st),
             splits = st->product && mg_owned_splits(o, &st->p) > 1;
        if (!st->product || (splits && st->n_ops > 1))
            walked[i] =
                walk_all(&w, first_of(o, st), sum ? p->n_free : 0, sum ? p->n_indices : p->n_free);
    }
    MgLine *group = mg_nest_add_blocks(arena, &nest->root, mg_nest_index(scope, 0, 0), o->block);
    group->level = MG_LEVEL_CORE;
    add_keep(&w, group);
    for (uint32_t i = 0; i < o->stages.len; i++) {
        const MgOwnedStage *st = &o->stages.at[i];
        if (st->product)
            add_product(&w, group, st, walked[i]);
        else if (mg_owned_shares_rows(o, st))
            add_row_reduction(&w, group, st, walked[i]);
        else
            add_do(&w, add_shared(&w, group, walked[i], o->items), first_of(o, st), st->n_ops);
    }
}

// ---------------------------------------------------------------- reading

// The items that the loops of the first stage name.
static int64_t items_of(const MgLine *group) {
    const MgLine *line = mg_nest_find_kind(group, MG_LINE_FOR);
    int64_t items = 1;
    for (; line; line = mg_nest_find_kind(line, MG_LINE_FOR))
        for (uint32_t i = 0; i < line->n_walks; i++)
            if (__builtin_mul_overflow(items,
                                       mg_nest_digit(&line->walks[i], MG_LEVEL_LANE) *
                                           mg_nest_digit(&line->walks[i], MG_LEVEL_WARP),
                                       &items))
                return -1;
    return items;
}

static bool read_plan(void *found, const MgGivenNest *given) {
    MgOwned *o = found;
    const MgLine *group = mg_nest_find_cores(&given->nest->root);
    int64_t block = group->walks[0].by, items = items_of(group);
    o->block = block > 0 && block <= UINT32_MAX ? (uint32_t)block : 0;
    o->items = items > 0 && items <= UINT32_MAX ? (uint32_t)items : 0;
    const char *why = mg_owned_misfit(o);
    return !why || mg_form_refuse(given, group, "%s", why);
}

const MgForm mg_form_owned = {.nests = MG_NEST_OWNED,
                              .what = "a graph whose rows are owned",
                              .read = read_plan,
                              .nest = nest_of};
