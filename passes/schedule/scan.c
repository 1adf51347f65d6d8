// Scans: one reduction whose range follows an outer index, y[.., i] = reduce[j in a..i + c]
// body(j).
//
// The body does not use i, so the result at i extends the result at i - 1 (or i + 1, when the low
// end follows): linear time. The accumulator is f64 for float sums, so that long prefixes stay
// within the bound. Anything else with a prefix range is left to the general loop nest, which is
// quadratic but right.
//
// Where the axis is walked contiguously, and sums may be reordered, a vector at a time is summed in
// registers: in log2(lanes) steps each lane takes what stands 1, 2, 4, ... before it (Hillis and
// Steele, 1986), then the carry, which waits for one addition only.
// One long scan is cut into parts for several workers.
// Where another index is walked contiguously, as along the first axis of a matrix, lanes are scans
// of their own, in the order of the definition. A GPU has a form of its own for long scans
// (gpu_scan.c).
#include "passes/schedule/scan.h"

#include <string.h>

enum { PARTS = 64, LEAST_POINTS = 1 << 16 };

static void uses_axis(void *ctx, const MgSx *x) {
    struct {
        MgIxTable *t;
        MgIxSym sym;
        bool found;
    } *u = ctx;
    if (x->kind == MG_SX_IX && mg_ix_mentions(u->t, x->ix, u->sym))
        u->found = true;
}

// +1 if x is sym + something without it, 0 if x does not mention it, -1 otherwise.
static int follows(MgIxTable *t, MgIx x, MgIxSym sym) {
    MgIx coefficient, rest;
    int64_t c;
    if (!mg_ix_mentions(t, x, sym))
        return 0;
    return mg_ix_linear(t, x, sym, &coefficient, &rest) && mg_ix_is_const(t, coefficient, &c) &&
                   c == 1
               ? 1
               : -1;
}

static bool is_scan(MgSched *s, const MgPiece *p, MgScan *scan) {
    MgIxTable *t = s->ix;
    if (p->scatter || p->n_indices != p->n_free + 1 || p->reducer == MG_REDUCE_MEAN ||
        p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN)
        return false;
    const MgIndex *b = &p->indices[p->n_free];
    for (uint32_t i = 0; i < p->n_free; i++) {
        MgIxSym sym = mg_ix_index(t, i);
        int low = follows(t, b->low, sym), high = follows(t, b->high, sym);
        if (low == 0 && high == 0)
            continue;
        struct {
            MgIxTable *t;
            MgIxSym sym;
            bool found;
        } u = {t, sym, false};
        mg_sx_walk(p->expr, uses_axis, &u);
        if (u.found || low < 0 || high < 0 || low == high)
            return false;
        for (uint32_t j = i + 1; j < p->n_free; j++)
            if (mg_ix_mentions(t, b->low, mg_ix_index(t, j)) ||
                mg_ix_mentions(t, b->high, mg_ix_index(t, j)))
                return false;
        *scan = (MgScan){p, i, p->n_free, high == 1, false};
        return true;
    }
    return false;
}

static MgPoint point(MgScanWalk *w, MgKBlock *block, int vector, const MgKx *mask) {
    return (MgPoint){.kb = w->kb,
                     .op = w->op,
                     .block = block,
                     .with = w->with,
                     .n_with = MG_SCAN_SYMS,
                     .loop = w->loop,
                     .vector = vector,
                     .lanes = vector < 0 ? 1 : w->type.lanes,
                     .mask = mask,
                     .ranges = {w->low, w->high, MG_SCAN_SYMS}};
}

static const MgKx *body_at(MgScanWalk *w, MgPoint *p) {
    const MgKx *x = mg_point_expr(p, w->scan->piece->expr);
    if (x->type.dtype != w->type.dtype)
        x = mg_kcast(w->kb->k, MG_PRIM_CAST, w->type.dtype, x);
    return mg_ksplat(w->kb->k, x, p->lanes);
}

static MgIx target(MgScanWalk *w) {
    MgSched *s = w->kb->s;
    MgIx subs[MG_SCAN_SYMS];
    uint32_t rank = mg_value(s->g, w->result)->rank;
    for (uint32_t r = 0; r < rank; r++)
        subs[r] = w->scan->piece->target[r].sub->ix;
    return mg_address(s, w->result, subs, rank, 0);
}

static void store(MgScanWalk *w, MgPoint *p, const MgKx *x) {
    MgDType type = w->scan->piece->expr->dtype;
    if (x->type.dtype != type)
        x = mg_kcast(w->kb->k, MG_PRIM_CAST, type, x);
    mg_point_store(p, mg_kb_value(w->kb, w->result), mg_value(w->kb->s->g, w->result)->dtype,
                   target(w), x);
}

const MgKx *mg_scan_element(MgScanWalk *w, MgKBlock *block) {
    MgPoint p = point(w, block, -1, NULL);
    return body_at(w, &p);
}

void mg_scan_store(MgScanWalk *w, MgKBlock *block, const MgKx *x) {
    MgPoint p = point(w, block, -1, NULL);
    store(w, &p, x);
}

static const MgKx *sub(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_SUB, a, b, NULL);
}

// Walks the axis; at each step the elements that enter the range are added and the prefix is
// stored.
static void emit_axis(MgScanWalk *w, MgKBlock *block) {
    const MgScan *scan = w->scan;
    MgKernel *k = w->kb->k;
    const MgIndex *axis = &scan->piece->indices[scan->axis],
                  *b = &scan->piece->indices[scan->bound];
    MgKBufId acc = mg_kb_private(w->kb, "acc", w->type, 1),
             done = mg_kb_private(w->kb, "done", mg_kt(MG_I64, 1), 1);
    const MgKx *zero = mg_kint(k, 0), *one = mg_kint(k, 1);
    mg_kstore(k, block, acc, zero, mg_reduce_identity(k, scan->piece->reducer, w->type), NULL);
    const MgKx *low = mg_kb_ix(w->kb, axis->low, w->loop),
               *high = mg_kb_ix(w->kb, axis->high, w->loop);
    // `done`: the first bound position not yet added (upwards), or the last one added (downwards).
    mg_kstore(k, block, done, zero, mg_kb_ix(w->kb, scan->up ? b->low : b->high, w->loop), NULL);
    MgKs *walk = mg_kfor(k, block, MG_LOOP_SERIAL, "i", low, high, 1);
    const MgKx *i = mg_kvar(k, walk->var);
    if (!scan->up)
        i = mg_klet_x(k, &walk->body, "i", sub(k, mg_kadd(k, low, sub(k, high, one)), i));
    w->loop[scan->axis] = i;
    const MgKx *at = mg_klet_x(k, &walk->body, "at", mg_kload(k, done, zero, 1, NULL, NULL));
    const MgKx *end =
        mg_klet_x(k, &walk->body, "end", mg_kb_ix(w->kb, scan->up ? b->high : b->low, w->loop));
    MgKs *add =
        mg_kfor(k, &walk->body, MG_LOOP_SERIAL, "j", scan->up ? at : end, scan->up ? end : at, 1);
    w->loop[scan->bound] = mg_kvar(k, add->var);
    MgPoint inner = point(w, &add->body, w->across, w->on),
            outer = point(w, &walk->body, w->across, w->on);
    const MgKx *x = body_at(w, &inner), *sum = mg_kload(k, acc, zero, w->type.lanes, NULL, NULL);
    mg_kstore(k, &add->body, acc, zero, mg_reduce_step(k, scan->piece->reducer, sum, x), NULL);
    const MgKx *next = mg_kprim(k, scan->up ? MG_PRIM_MAX : MG_PRIM_MIN, at, end, NULL);
    mg_kstore(k, &walk->body, done, zero, next, NULL);
    store(w, &outer, mg_kload(k, acc, zero, w->type.lanes, NULL, NULL));
}

// ---------------------------------------------------------------- a vector at a time
typedef struct Reads {
    MgScanWalk *w;
    uint32_t index; // along the lanes
    bool straight, any;
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    MgSched *s = r->w->kb->s;
    MgIxSym sym = mg_ix_index(s->ix, r->index);
    if (x->kind != MG_SX_READ)
        return;
    MgIx address;
    MgValueId v = mg_op(s->g, r->w->op)->operands[x->operand];
    if (!mg_read_address(s, v, x, r->w->with, MG_SCAN_SYMS, &address)) {
        r->straight = false;
    } else if (mg_ix_mentions(s->ix, address, sym)) {
        r->any = true;
        r->straight &= mg_moves_by_one(s->ix, address, sym);
    }
}

bool mg_scan_reads_straight(MgScanWalk *w, uint32_t index) {
    Reads reads = {w, index, true, false};
    mg_sx_walk(w->scan->piece->expr, see_read, &reads);
    return reads.straight && reads.any;
}

bool mg_scan_by_steps(MgScanWalk *w, MgScan *scan) {
    MgSched *s = w->kb->s;
    MgIxTable *t = s->ix;
    const MgPiece *p = scan->piece;
    const MgIndex *axis = &p->indices[scan->axis], *b = &p->indices[scan->bound];
    bool reorders = mg_reduce_order(p->reducer) == MG_ORDER_SUM && mg_is_float(p->expr->dtype);
    if (s->options->level < 2 || (s->options->strict && reorders) || p->expr->dtype == MG_BOOL ||
        p->reducer == MG_REDUCE_LAST)
        return false;
    MgIx at[MG_SCAN_SYMS];
    memcpy(at, w->with, sizeof at);
    at[scan->axis] = scan->up ? axis->low : mg_ix_sub(t, axis->high, mg_ix_const(t, 1));
    MgIx first = mg_ix_sub(t, mg_ix_subst_indices(t, b->high, at, MG_SCAN_SYMS),
                           mg_ix_subst_indices(t, b->low, at, MG_SCAN_SYMS));
    int64_t n;
    if (!mg_ix_is_const(t, first, &n) || n < 0 || n > 1)
        return false;
    scan->exclusive = n == 0;
    return true;
}

// Does every element lie behind the one before, as its result does?
static bool by_vectors(MgScanWalk *w, MgScan *scan) {
    MgIxTable *t = w->kb->s->ix;
    return mg_scan_by_steps(w, scan) && !w->kb->s->options->target.gpu &&
           mg_scan_reads_straight(w, scan->bound) &&
           mg_moves_by_one(t, target(w), mg_ix_index(t, scan->axis));
}

// The free index that results and what they are made of lie along; -1: none.
static int index_across(MgScanWalk *w) {
    const MgScheduleOptions *o = w->kb->s->options;
    MgIxTable *t = w->kb->s->ix;
    for (uint32_t i = 0; i < w->scan->piece->n_free && o->level >= 2 && !o->target.gpu; i++)
        if (i != w->scan->axis && mg_scan_reads_straight(w, i) &&
            w->scan->piece->expr->dtype != MG_BOOL &&
            mg_moves_by_one(t, target(w), mg_ix_index(t, i)))
            return (int)i;
    return -1;
}

// x, every lane moved by `by` in the direction of the scan; those that come from outside are from
// the other end.
static const MgKx *moved(MgScanWalk *w, const MgKx *x, uint32_t by) {
    uint32_t n = w->type.lanes;
    uint8_t from[256];
    for (uint32_t l = 0; l < n; l++)
        from[l] = (uint8_t)((w->scan->up ? l + n - by : l + by) % n);
    return mg_kpermute(w->kb->k, x, NULL, from, n);
}

// The lanes that have one `by` before them in the scan.
static const MgKx *behind(MgScanWalk *w, uint32_t by) {
    MgKernel *k = w->kb->k;
    uint32_t n = w->type.lanes;
    const MgKx *lane = mg_kramp(k, mg_kint(k, 0), mg_kint(k, 1), n);
    const MgKx *edge = mg_ksplat(k, mg_kint(k, w->scan->up ? by : n - by), n);
    return mg_kprim(k, w->scan->up ? MG_PRIM_GE : MG_PRIM_LT, lane, edge, NULL);
}

// Each lane and all that stand before it. A select, not a permutation with the identity: that would
// be an expansion (VEXPANDPD), which waits for the register that it writes.
static const MgKx *prefixes(MgScanWalk *w, MgKBlock *block, const MgKx *x) {
    MgKernel *k = w->kb->k;
    x = mg_klet_x(k, block, "x", x);
    for (uint32_t by = 1; by < w->type.lanes; by *= 2) {
        const MgKx *sum = mg_reduce_step(k, w->scan->piece->reducer, moved(w, x, by), x);
        x = mg_klet_x(k, block, "x", mg_kprim(k, MG_PRIM_WHERE, behind(w, by), sum, x));
    }
    return x;
}

// The elements that enter with the vector of results from index `base` of the axis; what is not
// below `end` is off, and *on says so. first: the lowest index of the axis, where a last element
// may be missing; NULL: all lanes are on.
static const MgKx *entering(MgScanWalk *w, MgKBlock *block, const MgKx *base, const MgKx *end,
                            const MgKx *first, const MgKx **on) {
    const MgScan *scan = w->scan;
    MgKernel *k = w->kb->k;
    uint32_t n = w->type.lanes;
    const MgIndex *b = &scan->piece->indices[scan->bound];
    const MgKx *enter = NULL, *one = mg_kint(k, 1);
    *on = NULL;
    w->loop[scan->axis] = base = mg_klet_x(k, block, "i", base);
    if (first) {
        const MgKx *lane = mg_klet_x(k, block, "lane", mg_kramp(k, base, one, n));
        *on = mg_kprim(k, MG_PRIM_LT, lane, mg_ksplat(k, end, n), NULL);
        *on = enter = mg_klet_x(k, block, "on", *on);
        if (scan->exclusive && scan->up)
            enter = mg_kprim(k, MG_PRIM_LT, lane, mg_ksplat(k, sub(k, end, one), n), NULL);
        else if (scan->exclusive)
            enter = mg_kprim(k, MG_PRIM_AND, *on,
                             mg_kprim(k, MG_PRIM_GT, lane, mg_ksplat(k, first, n), NULL), NULL);
        enter = mg_klet_x(k, block, "enter", enter);
    }
    const MgKx *j = mg_kb_ix(w->kb, scan->up ? b->high : b->low, w->loop);
    w->loop[scan->bound] =
        mg_klet_x(k, block, "j", scan->exclusive != scan->up ? sub(k, j, one) : j);
    MgPoint in = point(w, block, (int)scan->bound, enter);
    const MgKx *x = body_at(w, &in);
    return enter ? mg_kprim(k, MG_PRIM_WHERE, enter, x,
                            mg_reduce_identity(k, scan->piece->reducer, w->type))
                 : x;
}

// The vector of results from index `base`.
static void emit_vector(MgScanWalk *w, MgKBlock *block, const MgKx *base, const MgKx *end,
                        const MgKx *first, MgKBufId carry) {
    const MgScan *scan = w->scan;
    MgKernel *k = w->kb->k;
    uint32_t n = w->type.lanes;
    MgReducer r = scan->piece->reducer;
    const MgKx *on, *zero = mg_kint(k, 0);
    const MgKx *x = prefixes(w, block, entering(w, block, base, end, first, &on));
    uint8_t last[256];
    memset(last, scan->up ? (int)n - 1 : 0, n);
    const MgKx *sum = mg_klet_x(k, block, "sum", mg_kload(k, carry, zero, n, NULL, NULL));
    mg_kstore(k, block, carry, zero, mg_reduce_step(k, r, sum, mg_kpermute(k, x, NULL, last, n)),
              NULL);
    if (scan->exclusive)
        x = mg_kprim(k, MG_PRIM_WHERE, behind(w, 1), moved(w, x, 1),
                     mg_reduce_identity(k, r, w->type));
    MgPoint out = point(w, block, (int)scan->axis, on);
    store(w, &out, mg_reduce_step(k, r, sum, x));
}

// The axis, and how much of it whole vectors are.
typedef struct Span {
    const MgKx *low, *high, *whole;
} Span;

static Span span_of(MgScanWalk *w, MgKBlock *block) {
    MgKernel *k = w->kb->k;
    const MgIndex *axis = &w->scan->piece->indices[w->scan->axis];
    const MgKx *n = mg_kint(k, w->type.lanes), *zero = mg_kint(k, 0);
    Span s = {mg_kb_ix(w->kb, axis->low, w->loop), mg_kb_ix(w->kb, axis->high, w->loop), NULL};
    // the element that an exclusive scan never adds is in the last vector, under its mask
    const MgKx *all = sub(k, sub(k, s.high, s.low), mg_kint(k, w->scan->exclusive));
    all = mg_kprim(k, MG_PRIM_FDIV, mg_kprim(k, MG_PRIM_MAX, all, zero, NULL), n, NULL);
    s.whole = mg_klet_x(k, block, "whole", mg_kmul(k, all, n));
    return s;
}

// The index that the vector at step v of the scan begins at.
static const MgKx *index_at(MgScanWalk *w, const Span *s, const MgKx *v) {
    MgKernel *k = w->kb->k;
    return w->scan->up ? mg_kadd(k, s->low, v)
                       : sub(k, sub(k, s->high, mg_kint(k, w->type.lanes)), v);
}

// The last vector, which is not whole, if there is one.
static void emit_rest(MgScanWalk *w, MgKBlock *block, const Span *s, MgKBufId carry) {
    MgKernel *k = w->kb->k;
    const MgKx *from = w->scan->up ? mg_kadd(k, s->low, s->whole) : s->low,
               *end = w->scan->up ? s->high : sub(k, s->high, s->whole);
    from = mg_klet_x(k, block, "from", from);
    end = mg_klet_x(k, block, "end", end);
    MgKs *rest = mg_kif(k, block, mg_kprim(k, MG_PRIM_LT, from, end, NULL));
    emit_vector(w, &rest->body, from, end, s->low, carry);
}

static void emit_vectors(MgScanWalk *w, MgKBlock *block) {
    MgKernel *k = w->kb->k;
    MgKBufId carry = mg_kb_private(w->kb, "carry", w->type, 1);
    mg_kstore(k, block, carry, mg_kint(k, 0),
              mg_reduce_identity(k, w->scan->piece->reducer, w->type), NULL);
    Span s = span_of(w, block);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", mg_kint(k, 0), s.whole, w->type.lanes);
    emit_vector(w, &loop->body, index_at(w, &s, mg_kvar(k, loop->var)), s.high, NULL, carry);
    emit_rest(w, block, &s, carry);
}

// ---------------------------------------------------------------- one long scan, by all workers
// Parts of the axis, in the order of the scan: each but the last is reduced for itself, and after a
// barrier scanned from what all before it make together. It is read twice, and the reduction waits
// for memory alone where the scan computes. How it is cut depends on its length only. Products of
// floats are left whole: one of a part may overflow where what comes before it is 0.
static int64_t part_length(MgScanWalk *w) {
    const MgSched *s = w->kb->s;
    const MgPiece *p = w->scan->piece;
    int64_t n = 0;
    for (uint32_t i = 0; i < p->n_free; i++) {
        MgIx extent = mg_ix_sub(s->ix, p->indices[i].high, p->indices[i].low);
        if (!mg_ix_is_const(s->ix, extent, &n) || (i != w->scan->axis && n != 1))
            return 0;
    }
    MgIx extent = mg_ix_sub(s->ix, w->high[w->scan->axis], w->low[w->scan->axis]);
    bool long_one = mg_ix_is_const(s->ix, extent, &n) && n >= LEAST_POINTS &&
                    (p->reducer != MG_REDUCE_PROD || !mg_is_float(w->type.dtype));
    int64_t lanes = w->type.lanes, each = (n / PARTS + lanes - 1) / lanes * lanes;
    return long_one && s->p->max_workers > 1 && !s->walk ? each : 0;
}

static void reduce_parts(MgScanWalk *w, const Span *s, int64_t length, int64_t parts,
                         MgKBufId sums) {
    MgKernel *k = w->kb->k;
    MgReducer r = w->scan->piece->reducer;
    MgKBufId acc = mg_kb_private(w->kb, "acc", w->type, 1);
    const MgKx *zero = mg_kint(k, 0), *on;
    MgKs *part = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "part", zero, mg_kint(k, parts - 1), 1);
    const MgKx *first = mg_kmul(k, mg_kvar(k, part->var), mg_kint(k, length));
    mg_kstore(k, &part->body, acc, zero, mg_reduce_identity(k, r, w->type), NULL);
    MgKs *loop =
        mg_kfor(k, &part->body, MG_LOOP_SERIAL, "v", zero, mg_kint(k, length), w->type.lanes);
    const MgKx *at = index_at(w, s, mg_kadd(k, first, mg_kvar(k, loop->var)));
    const MgKx *x = entering(w, &loop->body, at, s->high, NULL, &on);
    mg_kstore(k, &loop->body, acc, zero,
              mg_reduce_step(k, r, mg_kload(k, acc, zero, w->type.lanes, NULL, NULL), x), NULL);
    const MgKx *all = mg_kload(k, acc, zero, w->type.lanes, NULL, NULL);
    mg_kstore(k, &part->body, sums, mg_kvar(k, part->var),
              mg_kfold(k, mg_reduce_prim(r), mg_klet_x(k, &part->body, "all", all)), NULL);
}

static void scan_parts(MgScanWalk *w, const Span *s, int64_t length, int64_t parts, MgKBufId sums) {
    MgKernel *k = w->kb->k;
    MgReducer r = w->scan->piece->reducer;
    MgKBufId before = mg_kb_private(w->kb, "before", mg_kt(w->type.dtype, 1), 1),
             carry = mg_kb_private(w->kb, "carry", w->type, 1);
    const MgKx *zero = mg_kint(k, 0);
    MgKs *part = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "part", zero, mg_kint(k, parts), 1);
    MgKBlock *block = &part->body;
    const MgKx *number = mg_kvar(k, part->var), *sum = mg_kload(k, before, zero, 1, NULL, NULL);
    mg_kstore(k, block, before, zero, mg_reduce_identity(k, r, mg_kt(w->type.dtype, 1)), NULL);
    MgKs *past = mg_kfor(k, block, MG_LOOP_SERIAL, "past", zero, number, 1);
    const MgKx *x = mg_kload(k, sums, mg_kvar(k, past->var), 1, NULL, NULL);
    mg_kstore(k, &past->body, before, zero, mg_reduce_step(k, r, sum, x), NULL);
    mg_kstore(k, block, carry, zero, mg_ksplat(k, sum, w->type.lanes), NULL);
    const MgKx *first = mg_klet_x(k, block, "first", mg_kmul(k, number, mg_kint(k, length)));
    const MgKx *end =
        mg_kprim(k, MG_PRIM_MIN, mg_kadd(k, first, mg_kint(k, length)), s->whole, NULL);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", first, end, w->type.lanes);
    emit_vector(w, &loop->body, index_at(w, s, mg_kvar(k, loop->var)), s->high, NULL, carry);
    const MgKx *is_last = mg_kprim(k, MG_PRIM_EQ, number, mg_kint(k, parts - 1), NULL);
    emit_rest(w, &mg_kif(k, block, is_last)->body, s, carry);
}

static void emit_parts(MgScanWalk *w, int64_t length) {
    MgKernel *k = w->kb->k;
    const MgKx *base;
    for (uint32_t i = 0; i < w->scan->piece->n_free; i++)
        w->loop[i] = mg_kb_ix(w->kb, w->low[i], w->loop);
    Span s = span_of(w, &k->body);
    int64_t parts = ((int64_t)s.whole->bits + length - 1) / length;
    MgKBufId sums = mg_kb_scratch(w->kb, "sums", w->type.dtype, mg_ix_const(w->kb->s->ix, parts),
                                  MG_SCOPE_CALL, &base);
    reduce_parts(w, &s, length, parts, sums);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    scan_parts(w, &s, length, parts, sums);
}

static void begin(MgScanWalk *w) {
    MgIxTable *t = w->kb->s->ix;
    const MgPiece *p = w->scan->piece;
    for (uint32_t i = 0; i < MG_SCAN_SYMS; i++) {
        bool used = i < p->n_indices;
        w->with[i] = mg_ix_idx(t, i);
        w->low[i] = used ? p->indices[i].low : mg_ix_const(t, 0);
        w->high[i] = used ? p->indices[i].high : mg_ix_const(t, 1);
        w->loop[i] = mg_kint(w->kb->k, 0);
    }
}

// Lanes side by side, from index `across`, in whole vectors.
static MgKBlock *open_lanes(MgScanWalk *w, MgKBlock *block, bool shared) {
    MgKernel *k = w->kb->k;
    const MgKx *low = mg_kb_ix(w->kb, w->low[w->across], w->loop),
               *high = mg_kb_ix(w->kb, w->high[w->across], w->loop);
    const MgKx *n = mg_kint(k, w->type.lanes), *extent = sub(k, high, low);
    const MgKx *vectors = mg_kadd(k, extent, sub(k, n, mg_kint(k, 1)));
    MgKs *f = mg_kfor(k, block, shared ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL, "v", mg_kint(k, 0),
                      mg_kprim(k, MG_PRIM_FDIV, vectors, n, NULL), 1);
    const MgKx *at = mg_kadd(k, low, mg_kmul(k, mg_kvar(k, f->var), n));
    w->loop[w->across] = mg_klet_x(k, &f->body, "at", at);
    if (extent->kind == MG_KX_CONST && extent->bits % w->type.lanes == 0)
        return &f->body;
    const MgKx *lane = mg_kramp(k, w->loop[w->across], mg_kint(k, 1), w->type.lanes);
    w->on = mg_klet_x(k, &f->body, "on",
                      mg_kprim(k, MG_PRIM_LT, lane, mg_ksplat(k, high, w->type.lanes), NULL));
    return &f->body;
}

// The loops over the other free indices, the outermost shared out; by one worker if there is none.
static MgKBlock *open_others(MgScanWalk *w) {
    MgKernel *k = w->kb->k;
    MgKBlock *block = &k->body;
    bool shared = false;
    for (uint32_t i = 0; i < w->scan->piece->n_free; i++)
        if (i != w->scan->axis && (int)i != w->across) {
            MgKs *f = mg_kfor(k, block, shared ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL, "i",
                              mg_kb_ix(w->kb, w->low[i], w->loop),
                              mg_kb_ix(w->kb, w->high[i], w->loop), 1);
            w->loop[i] = mg_kvar(k, f->var);
            block = &f->body;
            shared = true;
        }
    if (w->across >= 0)
        return open_lanes(w, block, shared);
    if (shared)
        return block;
    const MgKx *me = mg_kspecial(k, MG_KX_WORKER);
    return &mg_kif(k, block, mg_kprim(k, MG_PRIM_EQ, me, mg_kint(k, 0), NULL))->body;
}

// Lanes of scans side by side: several vectors, or a row's lines would be fetched in small parts.
static uint32_t lanes_across(const MgScanWalk *w, MgDType type) {
    uint32_t lanes = mg_kb_lanes(w->kb, type);
    const MgIndex *i = &w->scan->piece->indices[w->across];
    int64_t n;
    bool few = mg_ix_is_const(w->kb->s->ix, mg_ix_sub(w->kb->s->ix, i->high, i->low), &n) &&
               n < 4 * (int64_t)lanes;
    uint32_t several = 4 * lanes, most = w->kb->s->options->target.max_lanes;
    return few ? lanes : most && several > most ? most : several;
}

bool mg_schedule_scan(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    MgScan scan;
    if (unit->n_ops != 1 || op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1 ||
        !is_scan(s, &op->equation->pieces[0], &scan))
        return false;
    MgKb kb;
    mg_kb_begin(&kb, s, unit, "scan");
    MgScanWalk *w = MG_NEW(s->arena, MgScanWalk);
    *w = (MgScanWalk){
        .kb = &kb, .scan = &scan, .op = unit->ops[0], .result = op->results[0], .across = -1};
    MgDType type = scan.piece->expr->dtype;
    if (mg_reduce_order(scan.piece->reducer) == MG_ORDER_SUM && mg_is_float(type))
        type = MG_F64;
    begin(w);
    w->type = mg_kt(type, 1);
    if (s->options->target.gpu && mg_gpu_scan(w, &scan)) {
        mg_kb_end(&kb, plan, unit->ops[0]);
        return true;
    }
    bool vectors = by_vectors(w, &scan);
    w->across = vectors ? -1 : index_across(w);
    w->type = mg_kt(type, vectors          ? mg_kb_lanes(&kb, type)
                          : w->across >= 0 ? lanes_across(w, scan.piece->expr->dtype)
                                           : 1);
    vectors &= w->type.lanes > 1;
    int64_t length = vectors ? part_length(w) : 0;
    if (length)
        emit_parts(w, length);
    else if (vectors)
        emit_vectors(w, open_others(w));
    else
        emit_axis(w, open_others(w));
    if (vectors)
        mg_kb_stream(&kb);
    mg_kb_end(&kb, plan, unit->ops[0]);
    return true;
}
