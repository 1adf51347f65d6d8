// Kernels of scans: one element after another, a vector at a time, a vector of scans side by side,
// or one long scan in parts (scan.c chooses).
#include "passes/schedule/ordered/scan.h"
#include "passes/schedule/words.h"

#include <string.h>

MgPoint mg_scan_point(MgScan *c, MgKBlock *block, int vector, const MgKx *mask) {
    return mg_loops_point(&c->at, &c->kb, block, vector, vector < 0 ? 1 : c->type.lanes, mask);
}

const MgKx *mg_scan_element(MgScan *c, MgPoint *p) {
    const MgKx *x = mg_point_expr(p, c->piece->expr);
    x = converted(c->kb.k, c->type.dtype, x);
    return mg_ksplat(c->kb.k, x, p->lanes);
}

void mg_scan_store(MgScan *c, MgPoint *p, const MgKx *x) {
    MgDType type = c->piece->expr->dtype;
    MgValueId result = mg_op(c->s->g, c->unit->ops[0])->results[0];
    x = converted(c->kb.k, type, x);
    mg_point_store(p, mg_kb_value(&c->kb, result), mg_value(c->s->g, result)->dtype,
                   mg_unit_target(c->s, c->unit->ops[0], NULL, 0), x);
}

static const MgKx *identity(MgScan *c) {
    return mg_reduce_identity(c->kb.k, c->piece->reducer, c->type);
}

// Walks the axis; at each step the elements that enter the range are added and the prefix is
// stored.
static void emit_axis(MgScan *c, MgKBlock *block) {
    MgKernel *k = c->kb.k;
    const MgIndex *axis = &c->piece->indices[c->axis], *b = &c->piece->indices[c->bound];
    MgKBufId acc = mg_kb_held(&c->kb, block, "acc", identity(c));
    const MgKx *low = mg_kb_ix(&c->kb, axis->low, c->at.loop),
               *high = mg_kb_ix(&c->kb, axis->high, c->at.loop);
    // `done`: the first bound position not yet added (upwards), or the last one added (downwards).
    MgKBufId done =
        mg_kb_held(&c->kb, block, "done", mg_kb_ix(&c->kb, c->up ? b->low : b->high, c->at.loop));
    Loop walk = each_from(k, block, "i", low, high, 1);
    const MgKx *i = walk.at;
    if (!c->up)
        i = named(k, walk.body, "i", sub(k, add(k, low, minus(k, high, 1)), i));
    c->at.loop[c->axis] = i;
    const MgKx *at = named(k, walk.body, "at", held(k, done));
    const MgKx *end =
        named(k, walk.body, "end", mg_kb_ix(&c->kb, c->up ? b->high : b->low, c->at.loop));
    Loop add = each_from(k, walk.body, "j", c->up ? at : end, c->up ? end : at, 1);
    c->at.loop[c->bound] = add.at;
    MgPoint inner = mg_scan_point(c, add.body, c->across, c->on),
            outer = mg_scan_point(c, walk.body, c->across, c->on);
    mg_reduce_held(k, add.body, c->piece->reducer, acc, mg_scan_element(c, &inner));
    set_held(k, walk.body, done, bin(k, c->up ? MG_PRIM_MAX : MG_PRIM_MIN, at, end));
    mg_scan_store(c, &outer, held(k, acc));
}

// ---------------------------------------------------------------- a vector at a time
// x with every lane moved by `by` in the direction of the scan; lanes from outside come from the
// other end.
static const MgKx *moved(MgScan *c, const MgKx *x, uint32_t by) {
    uint32_t n = c->type.lanes;
    uint8_t from[256];
    for (uint32_t l = 0; l < n; l++)
        from[l] = (uint8_t)((c->up ? l + n - by : l + by) % n);
    return mg_kpermute(c->kb.k, x, NULL, from, n);
}

// The lanes that have a lane `by` before them in the scan.
static const MgKx *behind(MgScan *c, uint32_t by) {
    MgKernel *k = c->kb.k;
    uint32_t n = c->type.lanes;
    const MgKx *lane = mg_kramp(k, num(k, 0), num(k, 1), n);
    const MgKx *edge = mg_ksplat(k, num(k, c->up ? by : n - by), n);
    return bin(k, c->up ? MG_PRIM_GE : MG_PRIM_LT, lane, edge);
}

// The sum of each lane and all lanes before it. It uses a select, not a permutation with the
// identity: that would become an expansion (VEXPANDPD), which waits for the register that it
// writes.
static const MgKx *prefixes(MgScan *c, MgKBlock *block, const MgKx *x) {
    MgKernel *k = c->kb.k;
    x = named(k, block, "x", x);
    for (uint32_t by = 1; by < c->type.lanes; by *= 2) {
        const MgKx *sum = mg_reduce_step(k, c->piece->reducer, moved(c, x, by), x);
        x = named(k, block, "x", where(k, behind(c, by), sum, x));
    }
    return x;
}

// The elements that enter with the vector of results from index `base` of the axis; lanes not below
// `end` are masked, and *on is the mask. first: the lowest index of the axis, at which a last
// element may be missing; NULL: all lanes are on.
static const MgKx *entering(MgScan *c, MgKBlock *block, const MgKx *base, const MgKx *end,
                            const MgKx *first, const MgKx **on) {
    MgKernel *k = c->kb.k;
    uint32_t n = c->type.lanes;
    const MgIndex *b = &c->piece->indices[c->bound];
    const MgKx *enter = NULL, *one = num(k, 1);
    *on = NULL;
    c->at.loop[c->axis] = base = named(k, block, "i", base);
    if (first) {
        const MgKx *lane = named(k, block, "lane", mg_kramp(k, base, one, n));
        *on = less(k, lane, mg_ksplat(k, end, n));
        *on = enter = named(k, block, "on", *on);
        if (c->exclusive && c->up)
            enter = less(k, lane, mg_ksplat(k, sub(k, end, one), n));
        else if (c->exclusive)
            enter = both(k, *on, bin(k, MG_PRIM_GT, lane, mg_ksplat(k, first, n)));
        enter = named(k, block, "enter", enter);
    }
    const MgKx *j = mg_kb_ix(&c->kb, c->up ? b->high : b->low, c->at.loop);
    c->at.loop[c->bound] = named(k, block, "j", c->exclusive != c->up ? sub(k, j, one) : j);
    MgPoint in = mg_scan_point(c, block, (int)c->bound, enter);
    const MgKx *x = mg_scan_element(c, &in);
    return enter ? where(k, enter, x, identity(c)) : x;
}

// The vector of results from index `base`.
static void emit_vector(MgScan *c, MgKBlock *block, const MgKx *base, const MgKx *end,
                        const MgKx *first, MgKBufId carry) {
    MgKernel *k = c->kb.k;
    uint32_t n = c->type.lanes;
    MgReducer r = c->piece->reducer;
    const MgKx *on, *x = prefixes(c, block, entering(c, block, base, end, first, &on));
    uint8_t last[256];
    memset(last, c->up ? (int)n - 1 : 0, n);
    const MgKx *sum = named(k, block, "sum", held(k, carry));
    set_held(k, block, carry, mg_reduce_step(k, r, sum, mg_kpermute(k, x, NULL, last, n)));
    if (c->exclusive)
        x = where(k, behind(c, 1), moved(c, x, 1), identity(c));
    MgPoint out = mg_scan_point(c, block, (int)c->axis, on);
    mg_scan_store(c, &out, mg_reduce_step(k, r, sum, x));
}

// The axis, and the part of it in whole vectors.
typedef struct Span {
    const MgKx *low, *high, *whole;
} Span;

static Span span_of(MgScan *c, MgKBlock *block) {
    MgKernel *k = c->kb.k;
    const MgIndex *axis = &c->piece->indices[c->axis];
    const MgKx *n = num(k, c->type.lanes), *zero = num(k, 0);
    Span s = {mg_kb_ix(&c->kb, axis->low, c->at.loop), mg_kb_ix(&c->kb, axis->high, c->at.loop),
              NULL};
    // the element that an exclusive scan never adds is in the last vector, masked
    const MgKx *all = minus(k, sub(k, s.high, s.low), c->exclusive);
    all = quotient(k, greatest(k, all, zero), n);
    s.whole = named(k, block, "whole", mul(k, all, n));
    return s;
}

// The index at which the vector at step v of the scan begins.
static const MgKx *index_at(MgScan *c, const Span *s, const MgKx *v) {
    MgKernel *k = c->kb.k;
    return c->up ? add(k, s->low, v) : sub(k, minus(k, s->high, c->type.lanes), v);
}

// The last vector, if it is not whole.
static void emit_rest(MgScan *c, MgKBlock *block, const Span *s, MgKBufId carry) {
    MgKernel *k = c->kb.k;
    const MgKx *from = c->up ? add(k, s->low, s->whole) : s->low,
               *end = c->up ? s->high : sub(k, s->high, s->whole);
    from = named(k, block, "from", from);
    end = named(k, block, "end", end);
    MgKs *rest = mg_kif(k, block, less(k, from, end));
    emit_vector(c, &rest->body, from, end, s->low, carry);
}

static void emit_vectors(MgScan *c, MgKBlock *block) {
    MgKernel *k = c->kb.k;
    MgKBufId carry = mg_kb_held(&c->kb, block, "carry", identity(c));
    Span s = span_of(c, block);
    Loop loop = each_from(k, block, "v", num(k, 0), s.whole, c->type.lanes);
    emit_vector(c, loop.body, index_at(c, &s, loop.at), s.high, NULL, carry);
    emit_rest(c, block, &s, carry);
}

// ---------------------------------------------------------------- one long scan, by all workers
// The parts of the axis follow the order of the scan. Each part but the last is reduced alone, and
// after a barrier it is scanned from the total of all parts before it. It is read twice; the
// reduction waits for memory only, while the scan computes. The split depends on the length only.
// Products of floats are not split: the product of a part may overflow although the product before
// it is 0.
static void reduce_parts(MgScan *c, const Span *s, int64_t parts, MgKBufId sums) {
    MgKernel *k = c->kb.k;
    MgReducer r = c->piece->reducer;
    const MgKx *on;
    Loop part = share_out(k, &k->body, "part", num(k, parts - 1));
    const MgKx *first = times(k, part.at, c->length);
    MgKBufId acc = mg_kb_held(&c->kb, part.body, "acc", identity(c));
    Loop loop = each_from(k, part.body, "v", num(k, 0), num(k, c->length), c->type.lanes);
    const MgKx *at = index_at(c, s, add(k, first, loop.at));
    mg_reduce_held(k, loop.body, r, acc, entering(c, loop.body, at, s->high, NULL, &on));
    const MgKx *all = named(k, part.body, "all", held(k, acc));
    store(k, part.body, sums, part.at, mg_kfold(k, mg_reduce_prim(r), all));
}

static void scan_parts(MgScan *c, const Span *s, int64_t parts, MgKBufId sums) {
    MgKernel *k = c->kb.k;
    MgReducer r = c->piece->reducer;
    Loop part = share_out(k, &k->body, "part", num(k, parts));
    const MgKx *number = part.at, *none = mg_reduce_identity(k, r, mg_kt(c->type.dtype, 1));
    MgKBufId before = mg_kb_held(&c->kb, part.body, "before", none);
    Loop past = each_of(k, part.body, "past", number);
    mg_reduce_held(k, past.body, r, before, loaded(k, sums, past.at, 1));
    MgKBufId carry =
        mg_kb_held(&c->kb, part.body, "carry", mg_ksplat(k, held(k, before), c->type.lanes));
    const MgKx *first = named(k, part.body, "first", times(k, number, c->length));
    const MgKx *end = least(k, plus(k, first, c->length), s->whole);
    Loop loop = each_from(k, part.body, "v", first, end, c->type.lanes);
    emit_vector(c, loop.body, index_at(c, s, loop.at), s->high, NULL, carry);
    const MgKx *is_last = equal(k, number, num(k, parts - 1));
    emit_rest(c, block_if(k, part.body, is_last), s, carry);
}

static void emit_parts(MgScan *c, MgKBlock *block) {
    Span s = span_of(c, block);
    int64_t parts = mg_ceil_div((int64_t)s.whole->bits, c->length);
    MgKBufId sums = mg_kb_common(&c->kb, "sums", c->type.dtype, mg_ix_const(c->s->ix, parts));
    reduce_parts(c, &s, parts, sums);
    mg_kbarrier(c->kb.k, block, MG_BARRIER_GRID);
    scan_parts(c, &s, parts, sums);
}

// Sets the vector of rows with this number.
static void set_lanes(MgScan *c, MgKBlock *block, const MgKx *number) {
    MgKernel *k = c->kb.k;
    uint32_t n = c->type.lanes;
    const MgKx *low = mg_kb_ix(&c->kb, c->at.low[c->across], c->at.loop),
               *high = mg_kb_ix(&c->kb, c->at.high[c->across], c->at.loop);
    const MgKx *at = add(k, low, times(k, number, n));
    c->at.loop[c->across] = at = named(k, block, "at", at);
    if (mg_scan_extent(c, (uint32_t)c->across) % n == 0)
        return;
    c->on = named(k, block, "on", lanes_below(k, at, high, n));
}

void mg_scan_emit(MgScan *c) {
    MgIxTable *t = c->s->ix;
    if (c->length) {
        emit_parts(c, &c->kb.k->body);
        return;
    }
    uint64_t without = (uint64_t)1 << c->axis;
    MgIx blocks = mg_ix_const(t, 1);
    if (c->across >= 0) {
        MgIx extent = mg_ix_sub(t, c->at.high[c->across], c->at.low[c->across]);
        without |= (uint64_t)1 << c->across;
        blocks = mg_ix_ceil_div(t, extent, mg_ix_const(t, c->type.lanes));
    }
    const MgKx *number;
    MgKBlock *block =
        mg_loops_open(&c->at, &c->kb, c->piece, without, blocks, mg_scan_has_rows(c), &number);
    if (c->across >= 0)
        set_lanes(c, block, number);
    if (c->way == MG_SCAN_VECTORS)
        emit_vectors(c, block);
    else
        emit_axis(c, block);
}
