// Scans: one reduction whose range follows an outer index, y[.., i] = reduce[j in a..i + c]
// body(j).
//
// The body does not use i, so the result at i extends the result at i - 1 (or i + 1, when the low
// end follows): linear time. The accumulator is f64 for float sums, so that long prefixes stay
// within the bound. Anything else with a prefix range is left to the general loop nest, which is
// quadratic but right.
#include "passes/schedule/schedule.h"

typedef struct Scan {
    const MgPiece *piece;
    uint32_t axis;  // the free index that the range follows
    uint32_t bound; // the only bound index
    bool up;        // the high end follows (else the low end, walked downwards)
} Scan;

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

static bool is_scan(MgSched *s, const MgPiece *p, Scan *scan) {
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
        *scan = (Scan){p, i, p->n_free, high == 1};
        return true;
    }
    return false;
}

static void accumulate(MgPoint *p, MgKBlock *block, const Scan *scan, MgKBufId acc, MgKType type) {
    MgKernel *k = p->kb->k;
    MgPoint q = *p;
    q.block = block;
    q.memo_on = false;
    const MgKx *x = mg_point_expr(&q, scan->piece->expr), *zero = mg_kint(k, 0);
    if (x->type.dtype != type.dtype)
        x = mg_kcast(k, MG_PRIM_CAST, type.dtype, x);
    mg_kstore(k, block, acc, zero,
              mg_reduce_step(k, scan->piece->reducer, mg_kload(k, acc, zero, 1, NULL, NULL), x),
              NULL);
}

// Walks the axis; at each step the elements that enter the range are added and the prefix is
// stored.
static void emit_axis(MgKb *kb, MgKBlock *block, const Scan *scan, const MgIx *with,
                      MgIxRanges ranges, const MgKx **loop, MgOpId op, MgValueId result) {
    MgSched *s = kb->s;
    MgKernel *k = kb->k;
    const MgPiece *p = scan->piece;
    const MgIndex *axis = &p->indices[scan->axis], *b = &p->indices[scan->bound];
    bool wide = mg_reducer(p->reducer)->order == MG_ORDER_SUM && mg_is_float(p->expr->dtype);
    MgKType type = mg_kt(wide ? MG_F64 : p->expr->dtype, 1);
    MgKBufId acc = mg_kb_private(kb, "acc", type, 1),
             done = mg_kb_private(kb, "done", mg_kt(MG_I64, 1), 1);
    const MgKx *zero = mg_kint(k, 0), *one = mg_kint(k, 1);
    mg_kstore(k, block, acc, zero, mg_reduce_identity(k, p->reducer, type), NULL);
    const MgKx *low = mg_kb_ix(kb, axis->low, loop), *high = mg_kb_ix(kb, axis->high, loop);
    // `done`: the first bound position not yet added (upwards), or the last one added (downwards).
    mg_kstore(k, block, done, zero, mg_kb_ix(kb, scan->up ? b->low : b->high, loop), NULL);
    MgKs *walk = mg_kfor(k, block, MG_LOOP_SERIAL, "i", low, high, 1);
    const MgKx *i = mg_kvar(k, walk->var);
    if (!scan->up)
        i = mg_klet_x(k, &walk->body, "i",
                      mg_kprim(k, MG_PRIM_SUB,
                               mg_kadd(k, low, mg_kprim(k, MG_PRIM_SUB, high, one, NULL)), i,
                               NULL));
    loop[scan->axis] = i;
    MgPoint point = {.kb = kb,
                     .op = op,
                     .block = &walk->body,
                     .with = with,
                     .n_with = 64,
                     .loop = loop,
                     .vector = -1,
                     .lanes = 1,
                     .ranges = ranges};
    const MgKx *at = mg_klet_x(k, &walk->body, "at", mg_kload(k, done, zero, 1, NULL, NULL));
    const MgKx *end =
        mg_klet_x(k, &walk->body, "end", mg_kb_ix(kb, scan->up ? b->high : b->low, loop));
    MgKs *add =
        mg_kfor(k, &walk->body, MG_LOOP_SERIAL, "j", scan->up ? at : end, scan->up ? end : at, 1);
    const MgKx *j = mg_kvar(k, add->var);
    loop[scan->bound] = j;
    accumulate(&point, &add->body, scan, acc, type);
    const MgKx *next = mg_kprim(k, scan->up ? MG_PRIM_MAX : MG_PRIM_MIN, at, end, NULL);
    mg_kstore(k, &walk->body, done, zero, next, NULL);
    MgIx subs[64];
    uint32_t rank = mg_value(s->g, result)->rank;
    for (uint32_t r = 0; r < rank; r++)
        subs[r] = p->target[r].sub->ix;
    const MgKx *x = mg_kload(k, acc, zero, 1, NULL, NULL);
    if (wide)
        x = mg_kcast(k, MG_PRIM_CAST, p->expr->dtype, x);
    point.block = &walk->body;
    mg_point_store(&point, mg_kb_value(kb, result), mg_value(s->g, result)->dtype,
                   mg_address(s, result, subs, rank, 0), x);
}

bool mg_schedule_scan(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    Scan scan;
    if (unit->n_ops != 1 || op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1 ||
        !is_scan(s, &op->equation->pieces[0], &scan))
        return false;
    MgKb kb;
    mg_kb_begin(&kb, s, unit, "scan");
    MgIx with[64], low[64], high[64];
    const MgKx *loop[64];
    for (uint32_t i = 0; i < 64; i++) {
        bool used = i < scan.piece->n_indices;
        with[i] = mg_ix_idx(s->ix, i);
        low[i] = used ? scan.piece->indices[i].low : mg_ix_const(s->ix, 0);
        high[i] = used ? scan.piece->indices[i].high : mg_ix_const(s->ix, 1);
        loop[i] = mg_kint(kb.k, 0);
    }
    MgKBlock *block = &kb.k->body;
    bool shared = false;
    for (uint32_t i = 0; i < scan.piece->n_free; i++)
        if (i != scan.axis) {
            MgKs *f = mg_kfor(kb.k, block, shared ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL, "i",
                              mg_kb_ix(&kb, low[i], loop), mg_kb_ix(&kb, high[i], loop), 1);
            loop[i] = mg_kvar(kb.k, f->var);
            block = &f->body;
            shared = true;
        }
    if (!shared)
        block = &mg_kif(kb.k, block,
                        mg_kprim(kb.k, MG_PRIM_EQ, mg_kspecial(kb.k, MG_KX_WORKER),
                                 mg_kint(kb.k, 0), NULL))
                     ->body;
    emit_axis(&kb, block, &scan, with, (MgIxRanges){low, high, 64}, loop, unit->ops[0],
              op->results[0]);
    mg_kb_end(&kb, plan, unit->ops[0]);
    return true;
}
