// Writes the plan of a contraction on a GPU as a nest, and reads it from one.
//
// Facts that follow from the plan and the factors have no line of their own: the order in which an
// item loads what it stages, how lines of local memory are padded or swizzled, where slices combine
// their sums, and how rows and columns that fill no whole tile are handled.
#include "passes/schedule/form.h"
#include "passes/schedule/gpu/tile.h"

typedef struct Walks { // the indices that walk the classes
    uint32_t m, n, k;
} Walks;

static const MgNestWay ways[] = {[MG_TILE_ITEMS] = MG_WAY_PLAIN,
                                 [MG_TILE_TENSOR] = MG_WAY_PLAIN,
                                 [MG_TILE_PARTS] = MG_WAY_PARTS,
                                 [MG_TILE_WIDE] = MG_WAY_WIDE,
                                 [MG_TILE_SPLIT] = MG_WAY_SPLIT};

// ---------------------------------------------------------------- writing

typedef struct Writer {
    MgGpuGemm *gg;
    MgArena *arena;
    MgNestScope *scope;
    Walks w;
} Writer;

// Adds the copy of a factor, whose lines run along the depth or along the positions.
static void add_stage(const Writer *w, MgLine *outer, const MgStage *st, MgNestSpace space) {
    bool lines = st->pack.used || w->gg->t.tensor ? st->along_depth : st->in_lines;
    uint32_t x = st->sym == MG_GEMM_M ? w->w.m : w->w.n;
    const MgNestAxis axes[] = {{.index = lines ? x : w->w.k}, {.index = lines ? w->w.k : x}};
    mg_nest_set_copy(w->arena, mg_nest_add_stage(w->arena, outer, w->scope, 0, st->factor), space,
                     MG_WAY_PLAIN, axes, 2);
}

static MgNestSpace space_of(const MgStage *st) { // of its pack
    return st->pack.each_run ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_KEPT;
}

// Groups: parts of the depth, then tiles, in bands or column by column.
static MgLine *add_groups(const Writer *w, MgLine *outer) {
    const MgGpuGemm *gg = w->gg;
    outer = mg_gemm_add_batches(&gg->g, w->scope, outer, MG_LEVEL_CORE);
    if (gg->splits > 1) {
        outer = mg_nest_add_blocks(w->arena, outer, w->w.k, 0);
        mg_nest_add_digit(outer->walks, MG_LEVEL_CORE, gg->splits);
        mg_nest_add_digit(outer->walks, MG_LEVEL_TIME, 0);
    }
    const MgWalk walks[] = {{.index = w->w.m, .by = gg->t.rows * gg->band},
                            {.index = w->w.n, .by = gg->t.columns},
                            {.index = w->w.m, .by = gg->t.rows}};
    uint32_t n = gg->band > 1 ? 3 : 2;
    return mg_nest_add_walks(w->arena, outer, MG_LEVEL_CORE, walks + 3 - n, n);
}

// The positions of an item. Its quads of positions are a row of items apart; in lines, its
// single positions are.
static MgWalk items_along(uint32_t index, const MgStage *st, uint32_t own) {
    bool quads = !st->in_lines;
    MgWalk walk = {.index = index};
    if (!quads || own > MG_QUAD)
        mg_nest_add_digit(&walk, MG_LEVEL_REG, quads ? own / MG_QUAD : own);
    mg_nest_add_digit(&walk, MG_LEVEL_LANE, st->size / own);
    if (quads)
        mg_nest_add_digit(&walk, MG_LEVEL_VEC, MG_QUAD);
    return walk;
}

static MgLine *add_items(const Writer *w, MgLine *outer) {
    const MgGpuGemm *gg = w->gg;
    const MgTiling *t = &gg->t;
    MgWalk walks[] = {{.index = w->w.m, .by = t->item_rows},
                      {.index = w->w.n, .by = t->item_columns}};
    if (t->tensor)
        return mg_nest_add_walks(w->arena, outer, MG_LEVEL_WARP, walks, 2);
    walks[0] = items_along(w->w.m, &gg->row, t->item_rows);
    walks[1] = items_along(w->w.n, &gg->column, t->item_columns);
    return mg_nest_add_walks(w->arena, outer, MG_LEVEL_TIME, walks, 2);
}

void mg_gpu_gemm_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgGpuGemm *gg = found;
    MgGemm *g = &gg->g;
    MgArena *arena = g->s->arena;
    Writer w = {gg, arena, scope, {0}};
    w.w.m = mg_gemm_add_class(nest, scope, arena, &g->m);
    w.w.n = mg_gemm_add_class(nest, scope, arena, &g->n);
    w.w.k = mg_gemm_add_class(nest, scope, arena, &g->k);
    if (gg->row.pack.used)
        add_stage(&w, &nest->root, &gg->row, space_of(&gg->row));
    if (gg->column.pack.used)
        add_stage(&w, &nest->root, &gg->column, space_of(&gg->column));
    MgLine *tile = add_groups(&w, &nest->root);
    MgLine *block = mg_nest_add_blocks(arena, tile, w.w.k, gg->t.depth);
    add_stage(&w, block, &gg->row, MG_NEST_SPACE_LOCAL);
    add_stage(&w, block, &gg->column, MG_NEST_SPACE_LOCAL);
    MgLine *sum = mg_nest_add_blocks(arena, block, w.w.k, 0);
    if (gg->t.slices > 1) {
        mg_nest_add_digit(sum->walks, MG_LEVEL_WARP, gg->t.slices);
        mg_nest_add_digit(sum->walks, MG_LEVEL_TIME, 0);
    }
    MgLine *product = mg_nest_add_numbers(arena, add_items(&w, sum), MG_LINE_DO, 0, 1);
    product->atom = gg->t.tensor ? gg->atom + 1 : 0;
    product->way = ways[gg->t.tensor];
    MgLine *end = tile;
    if (gg->splits > 1) {
        MgLine *join = mg_nest_add_numbers(arena, &nest->root, MG_LINE_JOIN, 0, 1);
        join->index = w.w.k;
        join->space = MG_NEST_SPACE_COMMON;
        end = &nest->root;
    }
    if (g->unit->n_ops > 1) {
        end = gg->splits > 1 ? mg_nest_add_grid(arena, end, scope, 0, (MgWalk){0}, true)
                             : add_items(&w, end);
        mg_nest_add_numbers(arena, end, MG_LINE_DO, 1, g->unit->n_ops - 1);
    }
}

// ---------------------------------------------------------------- reading

typedef struct Reader {
    MgGpuGemm *gg;
    const MgGivenNest *given;
    Walks w;
    const MgLine *tile, *block, *items; // groups' tiles, blocks of the sum, items' parts
    const MgLine *packed[2];            // what packs the rows, and the columns
} Reader;

#define refuse(r, line, ...) mg_form_refuse((r)->given, line, __VA_ARGS__)

static const char *name_of(const Reader *r, uint32_t index) {
    return mg_given_name(r->given, index);
}

// The line of an item's, or a warp's, part of a tile.
static bool is_items(const void *ctx, const MgLine *line) {
    const Walks *w = ctx;
    return line->n_walks == 2 && line->walks[0].index == w->m && line->walks[1].index == w->n;
}

static bool read_lines(Reader *r) {
    const MgGemm *g = &r->gg->g;
    if (!mg_gemm_read_class(r->given, &g->m, &r->w.m) ||
        !mg_gemm_read_class(r->given, &g->n, &r->w.n) ||
        !mg_gemm_read_class(r->given, &g->k, &r->w.k))
        return false;
    const char *m = name_of(r, r->w.m), *n = name_of(r, r->w.n), *k = name_of(r, r->w.k);
    r->tile = mg_nest_find_blocks(&r->given->nest->root, r->w.n).line;
    if (!r->tile || r->tile->level != MG_LEVEL_CORE || r->tile->n_walks > 3)
        return refuse(r, r->tile,
                      "groups of a contraction have tiles: 'for %s by N, %s by N on "
                      "core'",
                      n, m);
    r->block = mg_nest_find_blocks(r->tile, r->w.k).line;
    if (!r->block || r->block->n_walks > 1)
        return refuse(r, r->block ? r->block : r->tile,
                      "a tile's sums are taken in blocks: 'for %s by N', which stages both factors",
                      k);
    r->items = mg_nest_find(r->block, is_items, &r->w);
    if (!r->items)
        return refuse(
            r, r->block,
            "the items of a tile are 'for %s = reg(R) lane(L) vec(4), %s = reg(R) lane(L) "
            "vec(4)', or 'for %s by N, %s by N on warp' for matrix units",
            m, n, m, n);
    return true;
}

static bool read_groups(Reader *r) {
    MgGpuGemm *gg = r->gg;
    const MgLine *line = r->tile;
    uint32_t last = line->n_walks - 1;
    int64_t rows = line->walks[last].by, columns = line->walks[last ? last - 1 : 0].by,
            depth = r->block->walks->by, all = last == 2 ? line->walks[0].by : rows;
    for (uint32_t i = 0; i <= last; i++)
        if (line->walks[i].index != ((last - i) % 2 ? r->w.n : r->w.m))
            return refuse(r, line,
                          "tiles are walked as 'for %s by N, %s by N on core'; a loop over "
                          "bands of '%s' may stand in front of these two",
                          name_of(r, r->w.n), name_of(r, r->w.m), name_of(r, r->w.m));
    if (!mg_nest_is_power(rows) || !mg_nest_is_power(columns) || rows > 1024 || columns > 1024)
        return refuse(r, line, "a tile's sides are powers of two of at most 1024");
    if (!mg_nest_is_power(depth) || depth > 2048)
        return refuse(r, r->block, "a block's depth is a power of two of at most 2048");
    gg->t.rows = (uint32_t)rows;
    gg->t.columns = (uint32_t)columns;
    gg->t.depth = (uint32_t)depth;
    gg->band = rows && all % rows == 0 ? all / rows : 0;
    if (gg->band < 1 || gg->band > 64 || mg_gpu_band(gg, gg->band) != gg->band)
        return refuse(r, line,
                      "a band has at most 64 tiles, and '%s' has a known number of whole "
                      "bands",
                      name_of(r, r->w.m));
    MgNestFound parts = mg_nest_find_digit(&r->given->nest->root, MG_LEVEL_CORE);
    gg->splits = parts.walk ? mg_nest_digit(parts.walk, MG_LEVEL_CORE) : 1;
    if (gg->splits == 1 && !parts.walk)
        return true;
    if (gg->splits < 2 || gg->splits > MG_TILE_SPLITS || gg->g.k.known < gg->splits * depth)
        return refuse(r, parts.line,
                      "a sum of known length is cut into 2 to %d parts, each at "
                      "least a block",
                      MG_TILE_SPLITS);
    return !gg->g.s->options->strict ||
           refuse(r, parts.line, "sums keep their order: they can't be cut into parts");
}

// Reads the positions of the tile's side that an item has. False if the digits don't match the
// side.
static bool read_items_along(Reader *r, const MgWalk *walk, uint32_t side, uint32_t *own) {
    int64_t reg = mg_nest_digit(walk, MG_LEVEL_REG), lane = mg_nest_digit(walk, MG_LEVEL_LANE),
            vec = mg_nest_digit(walk, MG_LEVEL_VEC);
    if (reg > 16 || vec > MG_QUAD || lane > side || !mg_nest_is_power(reg * vec) ||
        reg * lane * vec != side || reg * vec % MG_QUAD || reg * vec > 16)
        return refuse(r, r->items,
                      "an item has 4, 8 or 16 positions of '%s', so many that items along it have "
                      "all %u of the tile: reg(R) lane(L) vec(4)",
                      name_of(r, walk->index), side);
    *own = (uint32_t)(reg * vec);
    return true;
}

static bool check_units(Reader *r, const MgLine *product) {
    MgGpuGemm *gg = r->gg;
    const MgTiling *t = &gg->t;
    MgAtom atom = MG_ATOM_TF32;
    if (mg_gpu_splits(t) && !mg_gpu_may_split(&gg->g, t->tensor))
        return refuse(r, product,
                      "only products of f32 can be split, not with --strict, and on a target %s",
                      t->tensor == MG_TILE_PARTS
                          ? "that has matrix units, and whose figure 'parts_faster' is not 0"
                          : "that has wide products");
    if (!mg_gpu_splits(t) && !mg_gpu_atom(&gg->g, &atom))
        return refuse(r, product,
                      "the target has no matrix units, or none in whose types these "
                      "factors are exact");
    if (product->atom != atom + 1)
        return refuse(r, product, "matrix units multiply these factors 'with %s'",
                      mg_atom(atom)->word);
    gg->atom = atom;
    uint32_t step = MG_PRODUCT_WORDS * mg_atom_per_word(atom);
    if (mg_gpu_is_wide(t))
        return mg_gpu_is_candidate(t, atom) ||
               refuse(r, r->items, "wide products have the tiles of machines/tiles.def alone");
    if (!mg_nest_is_power(t->item_rows) || !mg_nest_is_power(t->item_columns) ||
        t->item_rows > t->rows || t->item_columns > t->columns || t->item_rows % MG_PRODUCT_ROWS ||
        t->item_columns % MG_PRODUCT_COLUMNS)
        return refuse(r, r->items,
                      "a warp's part of a tile has a multiple of %d rows and %d columns, powers of "
                      "two that the tile has",
                      MG_PRODUCT_ROWS, MG_PRODUCT_COLUMNS);
    return t->depth / t->slices % step == 0 ||
           refuse(r, r->block, "a share of a block has a multiple of %u steps 'with %s'", step,
                  mg_atom(atom)->word);
}

// The matrix units that multiply in a way; MG_TILE_ITEMS: none do.
static MgTileUnits units_of(MgNestWay way) {
    uint32_t units = MG_TILE_SPLIT;
    while (units && ways[units] != way)
        units--;
    return (MgTileUnits)units;
}

static bool read_items(Reader *r) {
    MgGpuGemm *gg = r->gg;
    MgTiling *t = &gg->t;
    const MgLine *product = mg_nest_find_kind(r->items, MG_LINE_DO);
    MgNestFound slices = mg_nest_find_digit(r->block, MG_LEVEL_WARP);
    int64_t n = slices.walk ? mg_nest_digit(slices.walk, MG_LEVEL_WARP) : 1;
    if (!product)
        return refuse(r, r->items, "this line has the 'do' line of the product");
    if (!mg_nest_is_power(n) || n > 32 || n > t->depth / MG_QUAD)
        return refuse(r, slices.line,
                      "a block's depth has 2 to 32 shares, a power of two of them, "
                      "each of at least 4 steps");
    t->slices = (uint32_t)n;
    gg->atom = MG_ATOM_BF16; // not used for products by items
    if (r->items->level == MG_LEVEL_WARP) {
        t->tensor = units_of(product->way);
        if (!t->tensor)
            return refuse(r, product,
                          "matrix units have no way but 'by parts', 'by wide' and 'by split'");
        t->item_rows = (uint32_t)r->items->walks[0].by;
        t->item_columns = (uint32_t)r->items->walks[1].by;
        return check_units(r, product);
    }
    if (product->atom || product->way)
        return refuse(r, product,
                      "items multiply by themselves; matrix units have 'for %s by N, %s "
                      "by N on warp'",
                      name_of(r, r->w.m), name_of(r, r->w.n));
    t->tensor = MG_TILE_ITEMS;
    return read_items_along(r, &r->items->walks[0], t->rows, &t->item_rows) &&
           read_items_along(r, &r->items->walks[1], t->columns, &t->item_columns);
}

// Checks the tile's resources: registers, code, and room for the sums of slices.
static bool check_room(Reader *r) {
    enum { MOST_CODE = 8192 }; // products
    const MgGpuGemm *gg = r->gg;
    const MgTiling *t = &gg->t;
    const MgTargetInfo *target = &gg->g.s->options->target;
    uint64_t sums = mg_gpu_sums(t), phases = sums < t->item_rows ? sums : t->item_rows;
    if (mg_gpu_items(t) < 2)
        return refuse(r, r->items, "a group has several items, each with a part of the tile");
    if (!sums || sums * MG_QUAD + MG_TILE_OTHERS > target->registers)
        return refuse(r, r->items, "an item has too few registers for its sums");
    if (!t->tensor && (uint64_t)t->item_rows * t->item_columns * t->depth / t->slices > MOST_CODE)
        return refuse(r, r->block,
                      "an item would have more than %d products of a block, each "
                      "written out",
                      MOST_CODE);
    const char *why = mg_gpu_tiling_misfit(gg);
    if (!why && t->slices > 1 &&
        (uint64_t)t->rows * t->columns * t->slices / phases * mg_dtype_size(gg->g.type) >
            mg_gpu_tile_room(gg))
        why = "the sums of all shares of a block are larger than a group's local memory";
    return !why || refuse(r, r->tile, "%s", why);
}

// Finds the lines that pack the rows, and the columns.
static void find_packed(Reader *r) {
    const MgLine *root = &r->given->nest->root;
    for (uint32_t i = 0; i < root->body.len; i++) {
        const MgLine *line = root->body.at[i];
        bool rows = false;
        if (line->kind != MG_LINE_STAGE)
            continue;
        for (uint32_t a = 0; a < line->n_axes; a++)
            rows |= line->axes[a].index == r->w.m;
        r->packed[!rows] = line;
        r->gg->packing[!rows] = MG_GPU_PACKED_AHEAD;
    }
}

static bool check_packed(Reader *r) {
    const MgStage *stages[] = {&r->gg->row, &r->gg->column};
    mg_gpu_gemm_derive(r->gg);
    for (uint32_t i = 0; i < 2; i++) {
        const MgLine *line = r->packed[i];
        if (line && !stages[i]->pack.used)
            return refuse(r, line,
                          "only a factor of known size, the same for all batches, is "
                          "staged before the tiles");
        if (line && line->space != space_of(stages[i]))
            return refuse(r, line,
                          "a factor that never changes is staged 'kept', any other 'in "
                          "common'");
    }
    return true;
}

bool mg_gpu_gemm_read(void *found, const MgGivenNest *given) {
    MgGpuGemm *gg = found;
    Reader r = {.gg = gg, .given = given};
    if (!read_lines(&r))
        return false;
    find_packed(&r);
    if (!read_groups(&r) || !read_items(&r))
        return false;
    gg->boxes.used = mg_gpu_may_box(gg, false);
    return check_room(&r) && check_packed(&r);
}
