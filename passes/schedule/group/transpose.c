// Elementwise groups in which an operand is contiguous along an index other than the result's:
// transposes, and elementwise ops fused with them.
//
// y[.., p, .., q] = E(x[.., q, .., p], ..): if lanes ran along q, x would be gathered, with a cache
// line for each element. Instead, a tile of L x L is read as L vectors along p, transposed in
// registers in log2(L) steps (blocks of L/2, L/4, … 1 lanes are exchanged; Eklundh, "A fast
// computer method for matrix transposing", 1972), and written as L vectors along q. Tiles come in
// blocks of BLOCK_SIDE lines on either side, so that lines that are read or written in part are
// still in cache for the rest.
#include "passes/schedule/group/transpose.h"
#include "passes/schedule/words.h"

// ---------------------------------------------------------------- recognising it
// With lanes along q, is every operand of the nest contiguous along q, or transposed along p?
static bool nest_fits(MgTranspose *t, const MgGroupNest *n) {
    MgGroup *gr = t->gr;
    MgAccesses all = mg_accesses(gr->s, n->op, n->piece->expr, gr->with, MG_GROUP_LOOPS);
    for (uint32_t i = 0; i < all.n; i++) {
        const MgAccess *a = &all.at[i];
        bool known = false;
        if (mg_unit_def(gr->unit, gr->s->g, a->value)) // a register of the group
            continue;
        if (a->known && mg_moves(gr->s, a, t->q) != MG_JUMPS)
            continue;
        for (uint32_t k = 0; k < t->n_turned; k++)
            known |= t->turned[k].read == a->read && t->turned[k].nest == n;
        if (known)
            continue;
        if (a->read->bounds != MG_BOUNDS_PROVED || mg_moves(gr->s, a, t->p) != MG_STEPS ||
            t->n_turned == MG_MOST_TURNED)
            return false;
        t->turned[t->n_turned++] = (MgTurned){n, a->read, a->address};
    }
    return mg_moves_by_one(gr->s->ix, mg_group_target(gr, n), mg_ix_index(gr->s->ix, t->q));
}

static bool fits(MgTranspose *t) {
    bool ok = true;
    t->n_turned = 0;
    for (uint32_t i = 0; i < t->gr->n_nests && ok; i++)
        ok = nest_fits(t, &t->gr->nests[i]);
    return ok && t->n_turned;
}

bool mg_transpose_find(MgTranspose *t, MgGroup *gr) {
    MgIxTable *ix = gr->s->ix;
    *t = (MgTranspose){.gr = gr, .lanes = mg_group_lanes(gr, gr->nests, gr->n_nests)};
    if (t->lanes > MG_TURNED_LANES) // there are more rows than registers
        t->lanes = MG_TURNED_LANES;
    if (t->lanes < 4 || gr->rows || gr->reduces)
        return false;
    for (t->q = gr->depth; t->q-- > 0;)
        for (t->p = 0; t->p < gr->depth; t->p++)
            if (t->p != t->q && !gr->collapsed[t->p] && !gr->collapsed[t->q] &&
                !mg_ix_const_or(ix, gr->low[t->p], 1) && !mg_ix_const_or(ix, gr->low[t->q], 1) &&
                mg_ix_const_or(ix, gr->high[t->p], MG_TURNED_LANES) * 2 > t->lanes &&
                mg_ix_const_or(ix, gr->high[t->q], MG_TURNED_LANES) * 2 > t->lanes && fits(t))
                return true;
    return false;
}

// ---------------------------------------------------------------- a tile
// Each tile of a block prefetches its share of the operand's next block into the second-level
// cache, line after line in the order of memory. In the order of the tiles each line would be far
// from the previous one: no hardware prefetcher follows that, and memory is slow at it.
static void ask_early(MgTranspose *t, MgKBlock *block, const MgTurned *r, const MgKx *p,
                      const MgKx *q) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKBufId buf = mg_kb_value(&gr->kb, mg_op(gr->s->g, r->nest->op)->operands[r->read->operand]);
    int64_t width = mg_ix_const_or(gr->s->ix, gr->high[t->p], INT64_MAX), lanes = t->lanes;
    bool beside = width > t->side[0]; // the next block is beside this one, or below it
    if (beside)
        width = t->side[0];
    int64_t line = mg_line(gr->s) / (int64_t)mg_dtype_size(r->read->dtype),
            lines = (width + line - 1) / line;
    int64_t tiles = (width + lanes - 1) / lanes, often = tiles > lines ? tiles / lines : 1;
    const MgKx *number = over(k, sub(k, p, t->from[0]), lanes);
    number = add(k, mul(k, number, sub(k, t->end[1], t->from[1])), sub(k, q, t->from[1]));
    number = named(k, block, "asked", over(k, number, often));
    const MgKx *row = over(k, number, lines);
    const MgKx *at = times(k, modulo(k, number, lines), line);
    row = named(k, block, "row", add(k, t->from[1], row));
    at = named(k, block, "at", add(k, t->from[0], at));
    for (int64_t j = 0; j < lanes / often; j++) {
        int64_t last = (j % lines + 1) * line - 1; // the first line may be the previous block's
                                                   // last
        gr->loop[t->p] = plus(k, at, last + (beside ? t->side[0] : 0));
        gr->loop[t->q] = plus(k, row, j / lines + (beside ? 0 : t->side[1]));
        mg_kprefetch(k, block, buf, mg_kb_ix(&gr->kb, r->address, gr->loop))->far = true;
    }
}

// The tile at (p, q); edge: it may extend past the ends.
static void tile(MgTranspose *t, MgKBlock *block, const MgKx *p, const MgKx *q, bool edge) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    uint32_t lanes = t->lanes;
    const MgKx *p_mask = NULL, *q_mask = NULL;
    const MgKx *p_end = mg_kb_ix(&gr->kb, gr->high[t->p], gr->loop),
               *q_end = mg_kb_ix(&gr->kb, gr->high[t->q], gr->loop);
    if (edge) {
        p_mask = named(k, block, "mask", lanes_below(k, p, p_end, lanes));
        q_mask = named(k, block, "mask", lanes_below(k, q, q_end, lanes));
    }
    const MgKx **rows = MG_NEW_N(gr->s->arena, const MgKx *, t->n_turned *lanes);
    for (uint32_t r = 0; r < t->n_turned; r++) {
        if (!edge && t->side[0] && t->side[1])
            ask_early(t, block, &t->turned[r], p, q);
        gr->loop[t->p] = p;
        for (uint32_t j = 0; j < lanes; j++) {
            const MgKx *at = plus(k, q, j);
            if (edge) // rows past the end are read but not used
                at = least(k, at, minus(k, q_end, 1));
            gr->loop[t->q] = named(k, block, "q", at);
            MgPoint point = mg_group_point(gr, t->turned[r].nest, block, (int)t->p, lanes, p_mask);
            rows[r * lanes + j] = named(k, block, "row", mg_point_expr(&point, t->turned[r].read));
        }
        mg_ktranspose(k, block, rows + r * lanes, lanes);
    }
    gr->loop[t->q] = q;
    for (uint32_t i = 0; i < lanes; i++) {
        gr->loop[t->p] = named(k, block, "p", plus(k, p, i));
        MgKBlock *at = block;
        if (edge)
            at = block_if(k, block, less(k, gr->loop[t->p], p_end));
        gr->n_given = t->n_turned;
        for (uint32_t r = 0; r < t->n_turned; r++)
            gr->given[r] =
                (MgGroupGiven){t->turned[r].nest, t->turned[r].read, rows[r * lanes + i]};
        MgPoints body = {gr, (int)t->q, lanes, 0, gr->n_nests, true};
        if (t->by_lines)
            mg_transpose_keep(t, at, i, q_mask);
        else
            mg_group_points(&body, at, q_mask);
        gr->n_given = 0;
    }
}

// ---------------------------------------------------------------- the loops
bool mg_transpose_lines_fill(const MgTranspose *t) {
    MgIxTable *ix = t->gr->s->ix;
    for (uint32_t n = 0; n < t->gr->n_nests; n++) {
        const MgGroupNest *nest = &t->gr->nests[n];
        int64_t line =
            mg_line(t->gr->s) / (int64_t)mg_dtype_size(mg_value(t->gr->s->g, nest->result)->dtype);
        for (uint32_t i = 0; i < t->gr->depth; i++) {
            MgIx step, rest;
            if (i != t->q &&
                mg_ix_linear(ix, mg_group_target(t->gr, nest), mg_ix_index(ix, i), &step, &rest) &&
                mg_ix_const_or(ix, step, 1) % line)
                return false;
        }
    }
    return true;
}

static Loop open_block(MgTranspose *t, MgKBlock *block, int which) {
    return each_from(t->gr->kb.k, block, "tile", t->from[which], t->end[which], t->lanes);
}

void mg_transpose_tiles(MgTranspose *t, MgKBlock *block) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    Loop p = open_block(t, block, 0), q = open_block(t, p.body, 1);
    int64_t p_size = mg_ix_const_or(gr->s->ix, gr->high[t->p], 1),
            q_size = mg_ix_const_or(gr->s->ix, gr->high[t->q], 1);
    if (p_size % t->lanes == 0 && q_size % t->lanes == 0) {
        tile(t, q.body, p.at, q.at, false);
    } else {
        const MgKx *last = num(k, t->lanes);
        const MgKx *p_full =
            bin(k, MG_PRIM_LE, add(k, p.at, last), mg_kb_ix(&gr->kb, gr->high[t->p], gr->loop));
        const MgKx *q_full =
            bin(k, MG_PRIM_LE, add(k, q.at, last), mg_kb_ix(&gr->kb, gr->high[t->q], gr->loop));
        MgKs *whole = mg_kif(k, q.body, both(k, p_full, q_full));
        tile(t, &whole->body, p.at, q.at, false);
        tile(t, &whole->orelse, p.at, q.at, true);
    }
    if (t->by_lines)
        mg_transpose_flush(t, p.body, p.at);
}

// ---------------------------------------------------------------- nests

// Reads the lines around the tile: blocks of its sides, the outermost and the innermost ones, and
// whether the result is stored in whole lines. Is the tile in `outer`?
static bool read_around(MgTranspose *t, const MgLine *outer, const MgLine *tile) {
    if (outer == tile)
        return true;
    for (uint32_t i = 0; i < outer->body.len; i++) {
        if (!read_around(t, outer->body.at[i], tile))
            continue;
        for (uint32_t w = 0; w < outer->n_walks; w++)
            for (uint32_t s = 0; s < 2; s++)
                if (outer->walks[w].index == tile->walks[s].index) {
                    t->side[s] = t->side[s] ? t->side[s] : outer->walks[w].by;
                    t->rows = s ? t->rows : outer->walks[w].by;
                }
        t->by_lines |= outer->body.at[0]->space == MG_NEST_SPACE_MEM;
        return true;
    }
    return false;
}

MgTranspose *mg_transpose_read(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    const MgLine *tile = mg_nest_tile(nest);
    MgTranspose *t = MG_NEW(gr->s->arena, MgTranspose);
    *t = (MgTranspose){.gr = gr,
                       .p = mg_nest_symbol(nest, scope, tile->walks[0].index),
                       .q = mg_nest_symbol(nest, scope, tile->walks[1].index),
                       .lanes = (uint32_t)tile->walks[0].by};
    read_around(t, &nest->root, tile);
    t->ok = fits(t);
    return t;
}

static bool is_staged(const MgNest *nest, const MgNestScope *scope, MgValueId v) {
    const MgLine *tile = mg_nest_tile(nest);
    for (uint32_t b = 0; b < tile->body.len; b++)
        for (uint32_t i = 0;
             tile->body.at[b]->kind == MG_LINE_STAGE && i < tile->body.at[b]->n_numbers; i++)
            if (scope->reads.at[tile->body.at[b]->numbers[i]].value == v)
                return true;
    return false;
}

static MgValueId turned_value(const MgTranspose *t, uint32_t i) {
    return mg_op(t->gr->s->g, t->turned[i].nest->op)->operands[t->turned[i].read->operand];
}

const char *mg_transpose_misfit(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    MgArena *arena = gr->s->arena;
    if (gr->rows || gr->reduces)
        return "a tile is of equations without rows and sums";
    MgTranspose *t = mg_transpose_read(gr, nest, scope);
    if (!t->ok || gr->collapsed[t->p] || gr->collapsed[t->q])
        return "what is read in a tile lies along one of its sides, at a place that is proved to "
               "be "
               "inside, and what is written along the last one";
    for (uint32_t i = 0; i < scope->reads.len; i++) {
        const MgNestRead *read = &scope->reads.at[i];
        bool turned = false;
        for (uint32_t j = 0; j < t->n_turned; j++)
            turned |= turned_value(t, j) == read->value;
        if (turned != is_staged(nest, scope, read->value))
            return mg_arena_printf(
                arena,
                turned ? "'%s' lies across the tile: write 'stage %s in reg by turn'"
                       : "'%s' lies along the tile: there is nothing to turn",
                read->name, read->name);
    }
    if (gr->low[t->p] != mg_ix_const(gr->s->ix, 0) || gr->low[t->q] != mg_ix_const(gr->s->ix, 0))
        return "the sides of a tile begin at 0";
    return t->by_lines && !mg_transpose_lines_fit(t)
               ? "a value leaves in whole lines where it has a place of its own and is no bool"
               : NULL;
}
