// The factors of an attention by matrix units in local memory, and the products that read them
// there. Rows have a pitch, with words along the summed index: rows of keys as they are, and pairs
// of rows of values unless a word is one element. For wide products, rows are cut into lines.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

enum { LINE = MG_UNITS_LINE };

const MgKx *mg_attn_units_vector(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f,
                                 const MgKx *row, const MgKx *at, const MgKx *rows) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    int64_t along = mg_attn_known_or(t, f->of->n, 0);
    const MgKx *inside = NULL;
    if (rows) {
        inside = less(k, row, rows);
        row = least(k, row, minus(k, rows, 1));
    }
    if (along < f->width) {
        const MgKx *is = less(k, at, num(k, along));
        inside = inside ? both(k, inside, is) : is;
        at = least(k, at, num(k, along - f->lanes));
    }
    t->at.loop[f->of->sym] = let(&u->g, b, row);
    t->at.loop[f->of->along] = let(&u->g, b, at);
    MgPoint p = mg_attention_point(t, f->of->step, b, -1, NULL);
    p.vector = (int)f->of->along;
    p.lanes = f->lanes;
    p.bare = true;
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, f->of->x), f->lanes);
    const MgKx *narrow = mg_narrowed(k, x, f->type);
    x = narrow ? narrow : cast(k, f->type, x);
    if (inside)
        x = where(k, mg_ksplat(k, inside, f->lanes), x, mg_kfloat(k, x->type, 0));
    return x;
}

// Loads the item's vectors of rows that lie by their pitch.
static void fetch_rows(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                       const MgKx *rows, MgUnitsVectors *v) {
    MgKernel *k = u->g.t.kb.k;
    int64_t run = f->width / f->lanes, each = f->over_rows ? f->word : 1, lines = f->rows / each;
    v->n = 0;
    for (int64_t done = 0; done < lines * run; done += u->g.items) {
        const MgKx *number = plus(k, u->g.item.me, done), *own = NULL;
        if (done + u->g.items > lines * run) {
            own = let(&u->g, b, less(k, number, num(k, lines * run)));
            number = least(k, number, num(k, lines * run - 1));
        }
        number = let(&u->g, b, number);
        const MgKx *line = let(&u->g, b, over(k, number, run));
        const MgKx *at = let(&u->g, b, times(k, modulo(k, number, run), f->lanes));
        const MgKx *to = let(&u->g, b, add(k, times(k, line, f->pitch), times(k, at, each)));
        for (int64_t i = 0; i < each; i++, v->n++) {
            const MgKx *row = add(k, first, plus(k, times(k, line, each), i));
            v->x[v->n] = let(&u->g, b, mg_attn_units_vector(u, b, f, row, at, rows));
            v->to[v->n] = plus(k, to, i * f->lanes);
            v->own[v->n] = own;
        }
    }
}

// The vectors of rows of lines. A tile has blocks of `strip` lines, one for each line of a row; the
// blocks of the next rows follow.
static void find_lines(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                       const MgKx *rows, MgUnitsVectors *v) {
    MgKernel *k = u->g.t.kb.k;
    int64_t run = f->width / f->lanes, step = u->g.items / run;
    const MgKx *line = let(&u->g, b, over(k, u->g.item.me, run));
    const MgKx *piece = modulo(k, u->g.item.me, run);
    const MgKx *at = let(&u->g, b, times(k, piece, f->lanes));
    const MgKx *to = times(k, over(k, at, LINE), f->strip * LINE);
    piece = modulo(k, piece, LINE / f->lanes);
    to = let(&u->g, b, add(k, to, mg_gpu_piece_of_line(k, line, piece, f->lanes)));
    v->n = (uint32_t)(f->rows / step);
    for (uint32_t i = 0; i < v->n; i++) {
        int64_t down = i * step;
        const MgKx *row = add(k, first, plus(k, line, down));
        v->x[i] = mg_attn_units_vector(u, b, f, row, at, rows);
        v->own[i] = NULL;
        v->to[i] = plus(k, to, down / f->strip * f->strip * f->width + down % f->strip * LINE);
    }
}

void mg_attn_fetch(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                   const MgKx *rows, MgUnitsVectors *v) {
    if (!f->strip) {
        fetch_rows(u, b, f, first, rows, v);
        return;
    }
    find_lines(u, b, f, first, rows, v);
    for (uint32_t i = 0; i < v->n; i++)
        v->x[i] = let(&u->g, b, v->x[i]);
}

void mg_attn_put(MgAttnUnits *u, MgKBlock *block, const MgUnitsFactor *f, const MgKx *base,
                 MgUnitsVectors *v) {
    MgKernel *k = u->g.t.kb.k;
    uint32_t each = f->over_rows ? f->word : 1;
    for (uint32_t i = 0; i < v->n; i += each) {
        MgKBlock *b = v->own[i] ? block_if(k, block, v->own[i]) : block;
        mg_gpu_join_words(k, b, v->x + i, each);
        for (uint32_t j = i; j < i + each; j++)
            store(k, b, f->buf, base ? add(k, base, v->to[j]) : v->to[j], v->x[j]);
    }
}

void mg_attn_copy_later(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                        const MgKx *rows, const MgKx *slot) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *base = let(&u->g, b, times(k, slot, f->tile));
    MgUnitsVectors v;
    find_lines(u, b, f, first, rows, &v);
    for (uint32_t i = 0; i < v.n; i++)
        store(k, b, f->buf, add(k, base, v.to[i]), v.x[i])->later = true;
}

// ---------------------------------------------------------------- products

// Where the items that multiply together have their rows of a buffer whose rows have this pitch.
static const MgKx *first_row(MgAttnUnits *u, MgKBlock *b, int64_t pitch) {
    MgKernel *k = u->g.t.kb.k;
    return let(&u->g, b, times(k, u->g.item.y, u->item_rows * pitch));
}

MgKBlock *mg_attn_multiply_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsProduct *p,
                                const MgKx *slot) {
    MgKernel *k = u->g.t.kb.k;
    const MgUnitsFactor *q = &p->q, *keys = &p->k;
    int64_t depth = mg_attn_known_or(&u->g.t, keys->of->n, 0);
    MgKProduct product = {
        .atom = p->atom,
        .row_buf = q->buf,
        .column_buf = keys->buf,
        .rows = u->item_rows,
        .columns = (uint32_t)u->keys,
        .depth = (uint32_t)(depth > LINE ? keys->width
                                         : mg_round_up(depth, MG_PRODUCT_WORDS * keys->word)),
        .splits = mg_atom(p->atom)->rounds > 0};
    const MgKx *row0;
    if (u->wide) {
        product.row_lies = product.column_lies = MG_LIES_IN_LINES;
        product.fresh = true;
        const MgKx *strip = over(k, u->g.item.y, MG_WIDE);
        row0 = let(&u->g, b, times(k, strip, MG_UNITS_STRIP * q->width));
    } else {
        product.row_step = q->pitch;
        product.column_step = keys->pitch;
        product.row_deep = product.column_deep = keys->word;
        mg_attn_clear(u, b, p->sums, u->keys);
        row0 = first_row(u, b, q->pitch);
    }
    const MgKx *column0 = let(&u->g, b, times(k, slot, keys->tile));
    return &mg_kproduct(k, b, p->sums, &product, row0, column0)->body;
}

MgKBlock *mg_attn_multiply_values(MgAttnUnits *u, MgKBlock *b, const MgKx *slot, MgKLag lag) {
    MgKernel *k = u->g.t.kb.k;
    const MgGpuRows *weights = &u->weights.rows;
    MgKProduct product = {.atom = u->value,
                          .row_buf = weights->buf,
                          .column_buf = u->v.buf,
                          .rows = u->item_rows,
                          .columns = (uint32_t)u->g.columns,
                          .depth = (uint32_t)u->keys,
                          .splits = mg_atom(u->value)->rounds > 0,
                          .lag = lag};
    const MgKx *column0 = let(&u->g, b, times(k, slot, u->v.tile)), *row0 = num(k, 0);
    if (u->wide) {
        product.row_lies = MG_LIES_HELD;
        product.column_lies = MG_LIES_ACROSS;
    } else {
        product.row_step = weights->pitch;
        product.column_step = product.row_deep = u->v.word;
        product.column_deep = u->v.pitch;
        row0 = first_row(u, b, weights->pitch);
    }
    return &mg_kproduct(k, b, u->g.sums, &product, row0, column0)->body;
}
