// Large results whose rows end inside cache lines. A vector of a tile may begin anywhere in a line,
// and a line that is written in part is fetched first, which is a third of a copy's traffic.
//
// So the rows of a tile are kept in a buffer, which stays in the first-level cache until a block's
// tiles have filled it; they are then stored in whole lines, past the caches. Operands are read
// along their own rows, one block after another, or memory would be half as fast. So the rest of a
// row's last line is kept until the row's next block, for thousands of rows, in the second-level
// cache: only the two ends of a stretch of MG_LINES_ALONG elements are written under masks.
#include "passes/schedule/group/transpose.h"
#include "passes/schedule/words.h"

enum { LEAST_TRIPS = 3 }; // for each worker

static const MgGroupNest *nest_of(const MgTranspose *t) {
    return &t->gr->nests[0];
}

// The length of a row: the rest of the previous line, and a block's elements.
static int64_t pitch(const MgTranspose *t) {
    return t->side[1] + t->line;
}

bool mg_transpose_lines_fit(const MgTranspose *t) {
    MgSched *s = t->gr->s;
    const MgGroupNest *n = nest_of(t);
    const MgOp *op = mg_op(s->g, n->op);
    if (t->gr->n_nests > 1 || s->walk || mg_value(s->g, n->result)->dtype == MG_BOOL)
        return false;
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (s->storage_of[op->operands[i]] == s->storage_of[n->result])
            return false;
    return true;
}

bool mg_transpose_lines_pay(const MgTranspose *t) {
    MgGroup *gr = t->gr;
    MgSched *s = gr->s;
    int64_t bytes = 0, trips = 1, cache = s->options->target.l3_bytes;
    if (!cache || !mg_ix_is_const(s->ix, mg_value_bytes(s->g, nest_of(t)->result), &bytes) ||
        bytes < cache / 2)
        return false;
    for (uint32_t i = 0; i < gr->depth; i++) {
        int64_t extent = gr->collapsed[i] ? 1 : mg_ix_const_or(s->ix, gr->high[i], 1);
        if (i == t->q && extent < MG_LINES_SIDE)
            return false;
        int64_t each = i == t->q ? MG_LINES_ALONG : i == t->p ? MG_LINES_DOWN : 1;
        trips *= (extent + each - 1) / each;
    }
    return trips >= LEAST_TRIPS * (int64_t)s->workers;
}

void mg_transpose_lines_open(MgTranspose *t) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    MgDType type = mg_value(gr->s->g, nest_of(t)->result)->dtype;
    t->line = mg_line(t->gr->s) / (int64_t)mg_dtype_size(type);
    int64_t rows = mg_ix_const_or(ix, gr->high[t->p], INT64_MAX);
    MgIx count = mg_ix_const(ix, t->lanes * pitch(t) + (rows < t->rows ? rows : t->rows) * t->line);
    t->buf = mg_kb_scratch(&gr->kb, "lines", type, count, MG_SCOPE_WORKER, &t->base);
}

// Element `at` of the worker's part.
static const MgKx *place(MgTranspose *t, const MgKx *at) {
    return t->base ? add(t->gr->kb.k, t->base, at) : at;
}

void mg_transpose_keep(MgTranspose *t, MgKBlock *block, uint32_t i, const MgKx *mask) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    const MgGroupNest *n = nest_of(t);
    MgDType type = mg_value(gr->s->g, n->result)->dtype;
    MgPoint point = mg_group_point(gr, n, block, (int)t->q, t->lanes, mask);
    const MgKx *x = mg_ksplat(k, mg_point_expr(&point, n->piece->expr), t->lanes);
    x = converted(k, type, x);
    const MgKx *at = sub(k, gr->loop[t->q], t->from[1]);
    mg_kstore(k, block, t->buf, place(t, plus(k, at, i * pitch(t) + t->line)), x, mask);
}

// Stores the line of the result at `to` from the buffer's row, which begins at `start`: the whole
// line, or the part in [low, high).
static void store_line(MgTranspose *t, MgKBlock *block, const MgKx *row, const MgKx *start,
                       const MgKx *to, const MgKx *low, const MgKx *high) {
    MgKernel *k = t->gr->kb.k;
    MgKBufId result = mg_kb_value(&t->gr->kb, nest_of(t)->result);
    uint32_t lanes = (uint32_t)t->line;
    const MgKx *mask = NULL;
    if (low) {
        const MgKx *ramp = mg_kramp(k, to, num(k, 1), lanes);
        mask = both(k, bin(k, MG_PRIM_GE, ramp, mg_ksplat(k, low, lanes)),
                    less(k, ramp, mg_ksplat(k, high, lanes)));
        mask = named(k, block, "mask", mask);
    }
    const MgKx *at = add(k, row, sub(k, to, start));
    const MgKx *x = named(k, block, "line", mg_kload(k, t->buf, at, lanes, mask, NULL));
    mg_kstore(k, block, result, to, x, mask)->nontemporal = !mask;
}

static void copy_line(MgTranspose *t, MgKBlock *block, const MgKx *to, const MgKx *from) {
    MgKernel *k = t->gr->kb.k;
    const MgKx *x = named(k, block, "left", loaded(k, t->buf, from, (uint32_t)t->line));
    store(k, block, t->buf, to, x);
}

void mg_transpose_flush(MgTranspose *t, MgKBlock *block, const MgKx *p) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    const MgKx *zero = num(k, 0), *line = num(k, t->line);
    const MgKx *last = least(k, plus(k, p, t->lanes), t->end[0]);
    Loop loop = each_from(k, block, "p", p, last, 1);
    block = loop.body;
    gr->loop[t->p] = loop.at;
    gr->loop[t->q] = t->from[1];
    const MgKx *row = times(k, sub(k, gr->loop[t->p], p), pitch(t));
    row = named(k, block, "row", place(t, add(k, row, line)));
    const MgKx *left = times(k, sub(k, gr->loop[t->p], t->row), t->line);
    left = named(k, block, "left", place(t, plus(k, left, t->lanes * pitch(t))));
    const MgKx *start =
        named(k, block, "start", mg_kb_ix(&gr->kb, mg_group_target(gr, nest_of(t)), gr->loop));
    const MgKx *n = sub(k, t->end[1], t->from[1]);
    const MgKx *end = named(k, block, "end", add(k, start, n));
    const MgKx *high = named(k, block, "high", times(k, quotient(k, end, line), t->line));
    const MgKx *begins = equal(k, t->from[1], t->span);
    const MgKx *low = where(k, begins, num(k, t->line - 1), zero);
    low = named(k, block, "low",
                times(k, quotient(k, add(k, start, low), line), t->line)); // the first whole line
    MgKs *first = mg_kif(k, block, begins);
    store_line(t, block_if(k, &first->body, less(k, start, low)), row, start, sub(k, low, line),
               start, least(k, low, end));
    copy_line(t, &first->orelse, sub(k, row, line), left);
    Loop lines = each_from(k, block, "at", low, high, t->line);
    store_line(t, lines.body, row, start, lines.at, NULL, NULL);
    MgKs *ends = mg_kif(k, block, equal(k, t->end[1], t->span_end));
    const MgKx *more = less(k, greatest(k, low, high), end); // no line is both
    store_line(t, block_if(k, &ends->body, more), row, start, high, high, end);
    copy_line(t, &ends->orelse, left, add(k, row, sub(k, n, line)));
}
