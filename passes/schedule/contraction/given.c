// Reads the plan of a contraction from a nest. Tile, blocks, copies and sharing are taken from its
// lines, and a plan that is not possible is refused. Then the nest must equal the nest of that
// plan, so there can be no line that the plan does not need, and none that contradicts it.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/form.h"

typedef struct Reader {
    MgGemm *g;
    const MgGivenNest *given;
    uint32_t m, n, k;                                    // the indices that walk the classes
    const MgLine *tile, *core;                           // NULL: none
    const MgLine *rows, *columns;                        // what stages them; NULL: none does
    MgNestFound row_blocks, column_blocks, depth_blocks; // the outermost
} Reader;

#define refuse(r, line, ...) mg_form_refuse((r)->given, line, __VA_ARGS__)

// ---------------------------------------------------------------- reading lines

// Are there blocks of an index in other blocks of it? Otherwise they are those of a tile.
static bool has_inner(MgNestFound blocks, uint32_t index) {
    return blocks.line && mg_nest_find_blocks(blocks.line, index).line;
}

static MgGemmSharing sharing_of(const Reader *r) {
    const MgWalk *w = r->core ? r->core->walks : NULL;
    const MgLine *rows = r->row_blocks.line;
    if (!w)
        return r->column_blocks.line && !(rows && mg_nest_find_blocks(rows, r->n).line)
                   ? MG_GEMM_SHARE_COLUMNS
                   : MG_GEMM_SHARE_BATCH;
    if (w->block)
        return w->block == MG_BLOCK_PART ? MG_GEMM_SHARE_PARTS : MG_GEMM_SHARE_TRIPS;
    if (r->core->n_walks == 2 && r->core->dealt)
        return MG_GEMM_SHARE_TILES;
    return w->index == r->m   ? MG_GEMM_SHARE_ROWS
           : w->index == r->n ? MG_GEMM_SHARE_COLUMNS
                              : MG_GEMM_SHARE_BATCH;
}

// The classes' indices; determines which of them lanes run along.
static bool read_sides(Reader *r) {
    MgGemm *g = r->g;
    if (!mg_gemm_read_class(r->given, &g->m, &r->m) ||
        !mg_gemm_read_class(r->given, &g->n, &r->n) || !mg_gemm_read_class(r->given, &g->k, &r->k))
        return false;
    MgNestFound lanes = mg_nest_find_digit(&r->given->nest->root, MG_LEVEL_LANE);
    r->tile = lanes.line;
    if (!r->tile || r->tile->n_walks != 2 || lanes.walk == r->tile->walks ||
        !r->tile->walks->n_digits)
        return refuse(
            r, NULL,
            "a contraction has a tile of registers, 'for i = reg(R), j = reg(V) lane(L)', "
            "around its 'do'");
    if (r->tile->walks[1].index != r->m)
        return true;
    if (!mg_gemm_may_turn(g))
        return refuse(r, r->tile,
                      "lanes run along '%s', along which the result is contiguous; only where "
                      "the other factor never changes, or both lie in lines along the sum, they "
                      "may run along '%s'",
                      mg_given_name(r->given, r->n), mg_given_name(r->given, r->m));
    mg_gemm_turn(g);
    uint32_t m = r->m;
    r->m = r->n;
    r->n = m;
    return true;
}

// The atom that multiplies: that of the first 'do', if it has one.
static bool read_atom(Reader *r) {
    const MgLine *multiply = r->tile->body.len ? r->tile->body.at[0] : r->tile;
    if (multiply->kind != MG_LINE_DO || !multiply->atom)
        return true;
    MgAtom atom = (MgAtom)(multiply->atom - 1);
    const MgAtomRow *row = mg_atom(atom);
    bool offset;
    if (mg_gemm_dot_fits(r->g, atom, &offset)) {
        mg_gemm_use_dot(r->g, atom);
        return true;
    }
    return mg_target_has_atom(&r->g->s->options->target, atom)
               ? refuse(r, multiply,
                        "'%s' multiplies %s by %s to %s; not every value of these factors is one",
                        row->word, mg_dtype(row->row)->name, mg_dtype(row->column)->name,
                        mg_dtype(row->sum)->name)
               : refuse(r, multiply, "this machine has no instruction for '%s'", row->word);
}

// The tile, whose sizes the others are multiples of.
static void read_tile(Reader *r) {
    r->g->plan.mr = (uint32_t)mg_nest_digit(&r->tile->walks[0], MG_LEVEL_REG);
    r->g->plan.nv = (uint32_t)mg_nest_digit(&r->tile->walks[1], MG_LEVEL_REG);
}

static void read_lines(Reader *r) {
    MgGemm *g = r->g;
    MgGemmPlan *p = &g->plan;
    const MgLine *root = &r->given->nest->root;
    r->core = mg_nest_find_cores(root);
    r->rows = mg_nest_find_stage(root, r->m, r->k);
    r->columns = mg_nest_find_stage(root, r->n, r->k);
    r->row_blocks = mg_nest_find_blocks(root, r->m);
    r->column_blocks = mg_nest_find_blocks(root, r->n);
    r->depth_blocks = mg_nest_find_blocks(root, r->k);
    p->sharing = sharing_of(r);
    p->kc = r->depth_blocks.walk ? r->depth_blocks.walk->by / g->words.per_word
            : g->k.known > 0     ? g->k.known
                                 : 1;
    p->mc = has_inner(r->row_blocks, r->m) ? r->row_blocks.walk->by : p->mr;
    p->nc = has_inner(r->column_blocks, r->n) ? r->column_blocks.walk->by : mg_gemm_all_columns(g);
    p->rows_lie = !r->rows;
    p->rows_kept = r->rows && r->rows->space == MG_NEST_SPACE_KEPT;
    p->row_along_k = !r->rows || r->rows->n_axes == 2;
    p->row_runs = r->rows && r->rows->way == MG_WAY_RUNS;
    p->columns_in_place = !r->columns;
    p->columns_kept = r->columns && r->columns->space == MG_NEST_SPACE_KEPT;
    p->column_runs = r->columns && r->columns->way == MG_WAY_RUNS;
    p->columns_fill = r->columns && r->columns->way == MG_WAY_FILL;
}

// ---------------------------------------------------------------- checks

static bool check_tile(Reader *r) {
    const MgGemm *g = r->g;
    uint32_t mr = g->plan.mr, nv = g->plan.nv;
    if (mg_nest_digit(&r->tile->walks[0], MG_LEVEL_REG) > 64 || !mr || !nv ||
        nv > MG_GEMM_VECTORS || mr > mg_gemm_most_rows(g, nv))
        return refuse(r, r->tile,
                      "a tile of %u row%s and %u vector%s does not fit: the target has %u "
                      "register%s, of which a tile takes R * V + V + 1%s; V is at most %d",
                      mr, mg_plural(mr), nv, mg_plural(nv), g->s->options->target.vector_registers,
                      mg_plural(g->s->options->target.vector_registers),
                      g->words.offset ? ", and V for the rows' offset" : "", MG_GEMM_VECTORS);
    if (mg_nest_digit(&r->tile->walks[1], MG_LEVEL_LANE) != g->lanes)
        return refuse(r, r->tile, "vectors have %u lanes here", g->lanes);
    if (g->m.known >= 0 && mr > g->m.known)
        return refuse(r, r->tile, "there are only %lld row%s", (long long)g->m.known,
                      mg_plural(g->m.known));
    int64_t vectors = g->n.known >= 0 ? mg_ceil_div(g->n.known, g->lanes) : nv;
    if (nv > vectors || (g->row_end && nv < vectors))
        return refuse(
            r, r->tile,
            g->row_end ? "the ops that follow take whole rows, so a tile must have all %lld vectors"
                       : "a row of the result has %lld vectors",
            (long long)vectors);
    return true;
}

// Packed blocks are in memory that is allocated before a run.
static bool check_blocks(Reader *r) {
    enum { MOST = 1 << 28 }; // elements
    const MgGemm *g = r->g;
    const MgGemmPlan *p = &g->plan;
    int64_t width = p->nv * g->lanes;
    const MgLine *depth = r->depth_blocks.line;
    if (p->mc % p->mr)
        return refuse(r, r->row_blocks.line,
                      "blocks of %lld row%s are not a multiple of the tile's %u row%s",
                      (long long)p->mc, mg_plural(p->mc), p->mr, mg_plural(p->mr));
    if (p->nc % width)
        return refuse(r, r->column_blocks.line,
                      "blocks of %lld columns are not a multiple of the strip's %lld columns",
                      (long long)p->nc, (long long)width);
    if (depth && r->depth_blocks.walk->by % g->words.per_word)
        return refuse(r, depth, "blocks of %lld steps are not whole words of %u",
                      (long long)r->depth_blocks.walk->by, g->words.per_word);
    if (p->kc > MOST / (p->mc > p->nc ? p->mc : p->nc))
        return refuse(r, depth, "a packed block has more than 268435456 elements");
    if (g->k.known >= 0 && p->kc > g->k.known && mg_gemm_inner_steps(r->g) <= 1)
        return refuse(r, depth, "the sum has only %lld step%s",
                      (long long)g->k.known * g->words.per_word, mg_plural(g->k.known));
    if (!mg_gemm_depth_fits(r->g)) {
        int64_t line = mg_gemm_line_steps(r->g);
        return refuse(r, depth ? depth : r->columns,
                      "a factor that is packed by %s needs blocks of a multiple of %lld steps",
                      line > 1 ? "lines" : "runs",
                      (long long)(line > 1 ? line : mg_gemm_inner_steps(r->g)));
    }
    return true;
}

static bool check_kept(Reader *r, const MgLine *line, const MgSx *factor, const MgGemmClass *side,
                       MgGemmKeeping what) {
    mg_gemm_derive(r->g);
    return !line || line->space != MG_NEST_SPACE_KEPT ||
           (mg_gemm_is_unchanging(r->g, factor, side) && mg_gemm_may_keep(r->g, what)) ||
           refuse(r, line,
                  "only a factor that never changes, and is not too large, can be in kept");
}

static bool check_rows(Reader *r) {
    MgGemm *g = r->g;
    const MgGemmPlan *p = &g->plan;
    int64_t pitch;
    MgIx at;
    if (g->words.used && (p->rows_lie || p->columns_in_place))
        return refuse(r, r->tile, "no line stages the %s: '%s' multiplies words, which copies hold",
                      p->rows_lie ? "rows" : "columns", mg_atom(g->words.atom)->word);
    if (p->rows_lie && !mg_gemm_rows_may_lie(g, &at, &pitch))
        return refuse(r, NULL,
                      "no line stages the rows, and a tile can't read them in place: they are not "
                      "one after the other, each contiguous along the sum");
    if (p->row_along_k && !mg_gemm_rows_along_k(g))
        return refuse(r, r->rows,
                      "rows are not contiguous along the sum: stage them as [%s / %u, %s, %u]",
                      mg_given_name(r->given, r->m), p->mr, mg_given_name(r->given, r->k), p->mr);
    if (p->row_runs && (p->row_along_k || !mg_gemm_row_runs(g).read))
        return refuse(r, r->rows, "the rows do not lie in runs");
    return check_kept(r, r->rows, g->row.x, &g->m, MG_GEMM_KEEP_ROWS);
}

static bool check_columns(Reader *r) {
    MgGemm *g = r->g;
    const MgGemmPlan *p = &g->plan;
    if (p->columns_in_place && !mg_gemm_columns_may_lie(g))
        return refuse(r, NULL,
                      "no line stages the columns, and a tile can't read them in place: they are "
                      "not contiguous vectors, or the number of rows is open");
    if (p->column_runs && !mg_gemm_column_runs(g).read)
        return refuse(r, r->columns, "the columns do not lie in runs");
    if (p->columns_fill && !mg_gemm_may_fill(g))
        return refuse(r, r->columns, "'by fill' needs strips of one core, and contiguous columns");
    return check_kept(r, r->columns, g->column.x, &g->n, MG_GEMM_KEEP_COLUMNS);
}

static bool check_sharing(Reader *r) {
    const char *why = mg_gemm_sharing_misfit(r->g, r->g->plan.sharing);
    return !why || refuse(r, r->core, "%s", why);
}

bool mg_gemm_read_plan(void *found, const MgGivenNest *given) {
    MgGemm *g = found;
    Reader r = {.g = g, .given = given};
    if (!read_sides(&r) || !read_atom(&r))
        return false;
    mg_gemm_begin(g);
    read_tile(&r);
    if (!check_tile(&r))
        return false;
    read_lines(&r);
    return check_blocks(&r) && check_sharing(&r) && check_rows(&r) && check_columns(&r);
}
