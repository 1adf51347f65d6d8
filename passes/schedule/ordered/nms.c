// The kernel of non_max_suppression: per batch and class, it takes the best remaining box and drops
// those that overlap it.
//
// The result equals that of the reference (ir/builtins.c), which tests for each box in order of
// score whether it overlaps a taken one: both are greedy. The algorithm is sequential, so one
// worker runs it.
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

typedef struct Nms {
    MgKernel *k;
    MgKBufId boxes, scores, out, size, taken;
    MgKBufId count, best, best_score, room; // private counters
    const MgKx *n, *batch, *class;
    const MgKx *boxes_at, *scores_at; // offsets of this batch and class
    const MgKx *iou;
    bool center;
} Nms;

static const MgKx *single(Nms *m, double v) {
    return mg_kfloat(m->k, mg_kt(MG_F32, 1), v);
}

// The corners low[2] and high[2] of a box that is given by corners in any order, or by centre and
// size.
static void corners(Nms *m, MgKBlock *block, const MgKx *box, const MgKx *low[2],
                    const MgKx *high[2]) {
    MgKernel *k = m->k;
    const MgKx *base = add(k, m->boxes_at, times(k, box, 4));
    for (int i = 0; i < 2; i++) {
        const MgKx *a = named(k, block, "a", loaded(k, m->boxes, plus(k, base, i), 1));
        const MgKx *b = named(k, block, "b", loaded(k, m->boxes, plus(k, base, i + 2), 1));
        if (m->center) {
            const MgKx *half = named(k, block, "half", bin(k, MG_PRIM_DIV, b, single(m, 2)));
            b = named(k, block, "b", add(k, a, half));
            a = named(k, block, "a", sub(k, a, half));
        }
        const MgKx *ordered = less(k, a, b);
        low[i] = named(k, block, "low", where(k, ordered, a, b));
        high[i] = named(k, block, "high", where(k, ordered, b, a));
    }
}

static const MgKx *area(Nms *m, const MgKx *low[2], const MgKx *high[2]) {
    return mul(m->k, sub(m->k, high[0], low[0]), sub(m->k, high[1], low[1]));
}

static const MgKx *overlaps(Nms *m, MgKBlock *block, const MgKx *x, const MgKx *y) {
    MgKernel *k = m->k;
    const MgKx *lx[2], *hx[2], *ly[2], *hy[2], *side[2];
    corners(m, block, x, lx, hx);
    corners(m, block, y, ly, hy);
    for (int i = 0; i < 2; i++) {
        const MgKx *low = where(k, bin(k, MG_PRIM_GT, lx[i], ly[i]), lx[i], ly[i]);
        const MgKx *high = where(k, less(k, hx[i], hy[i]), hx[i], hy[i]);
        side[i] = named(k, block, "side", sub(k, high, low));
    }
    const MgKx *common = named(k, block, "common", mul(k, side[0], side[1]));
    const MgKx *sum = add(k, area(m, lx, hx), area(m, ly, hy));
    const MgKx *together = named(k, block, "together", sub(k, sum, common));
    const MgKx *zero = single(m, 0);
    const MgKx *meet =
        both(k, bin(k, MG_PRIM_GT, side[0], zero), bin(k, MG_PRIM_GT, side[1], zero));
    const MgKx *much = bin(k, MG_PRIM_GT, bin(k, MG_PRIM_DIV, common, together), m->iou);
    return both(k, meet, both(k, bin(k, MG_PRIM_GT, together, zero), much));
}

static const MgKx *score_of(Nms *m, const MgKx *box) {
    return loaded(m->k, m->scores, add(m->k, m->scores_at, box), 1);
}

// best: the first box with the highest score among those that are neither taken nor dropped, above
// the threshold; -1 if there is none.
static void find_best(Nms *m, MgKBlock *block, double threshold) {
    MgKernel *k = m->k;
    set_held(k, block, m->best, num(k, -1));
    set_held(k, block, m->best_score, single(m, threshold));
    Loop loop = each_of(k, block, "i", m->n);
    const MgKx *score = named(k, loop.body, "score", score_of(m, loop.at));
    const MgKx *left = equal(k, loaded(k, m->taken, loop.at, 1), mg_kconst(k, mg_kt(MG_U8, 1), 0));
    MgKs *better =
        mg_kif(k, loop.body, both(k, left, bin(k, MG_PRIM_GT, score, held(k, m->best_score))));
    set_held(k, &better->body, m->best, loop.at);
    set_held(k, &better->body, m->best_score, score);
}

static void take(Nms *m, MgKBlock *block) {
    MgKernel *k = m->k;
    const MgKx *best = named(k, block, "best", held(k, m->best)), *one = num(k, 1);
    const MgKx *row = named(k, block, "row", times(k, held(k, m->count), 3));
    const MgKx *columns[3] = {m->batch, m->class, best};
    for (int c = 0; c < 3; c++)
        store(k, block, m->out, plus(k, row, c), columns[c]);
    set_held(k, block, m->count, add(k, held(k, m->count), one));
    set_held(k, block, m->room, sub(k, held(k, m->room), one));
    const MgKx *gone = mg_kconst(k, mg_kt(MG_U8, 1), 1);
    store(k, block, m->taken, best, gone);
    Loop loop = each_of(k, block, "i", m->n);
    MgKs *drop = mg_kif(k, loop.body, overlaps(m, loop.body, best, loop.at));
    store(k, &drop->body, m->taken, loop.at, gone);
}

static double float_attr(MgKb *kb, const MgOp *op, const char *name, double otherwise) {
    const MgAttr *a = mg_attr(kb->s->g, op, name);
    int64_t v;
    if (a && a->kind == MG_ATTR_INT && mg_ix_is_const(kb->s->ix, a->ix, &v))
        return (double)v;
    return a && a->kind == MG_ATTR_FLOAT ? a->f : otherwise;
}

void mg_nms_build(MgKb *kb, MgOpId id) {
    MgSched *s = kb->s;
    MgKernel *k = kb->k;
    const MgOp *op = mg_op(s->g, id);
    const MgIx *shape = mg_value(s->g, op->operands[1])->shape; // batches, classes, boxes
    Nms m = {.k = k,
             .boxes = mg_kb_value(kb, op->operands[0]),
             .scores = mg_kb_value(kb, op->operands[1]),
             .out = mg_kb_value(kb, op->results[0]),
             .n = mg_kb_ix(kb, shape[2], NULL)};
    const MgAttr *center = mg_attr(s->g, op, "center"), *most = mg_attr(s->g, op, "max_output");
    m.center = center && center->b;
    const MgKx *slot = num(s->p->plan, (int64_t)mg_dim_slot(s, op->dim) * 8), *base;
    m.taken = mg_kb_scratch(kb, "taken", MG_U8, shape[2], MG_SCOPE_CALL, &base);
    m.size = mg_kb_extra(kb, "size", MG_I64, s->draft->dims.storage, slot, false, true);
    const MgKx *zero = num(k, 0);
    MgKBlock *block = mg_kb_alone(kb, &k->body);
    m.iou = named(k, block, "iou", held(k, mg_kb_value(kb, op->operands[2])));
    m.count = mg_kb_private(kb, "count", mg_kt(MG_I64, 1), 1);
    m.best = mg_kb_private(kb, "best", mg_kt(MG_I64, 1), 1);
    m.best_score = mg_kb_private(kb, "best_score", mg_kt(MG_F32, 1), 1);
    m.room = mg_kb_private(kb, "room", mg_kt(MG_I64, 1), 1);
    set_held(k, block, m.count, zero);
    Loop batches = each_of(k, block, "batch", mg_kb_ix(kb, shape[0], NULL));
    Loop classes = each_of(k, batches.body, "class", mg_kb_ix(kb, shape[1], NULL));
    m.batch = batches.at;
    m.class = classes.at;
    MgKBlock *body = classes.body;
    m.boxes_at = named(k, body, "boxes_at", times(k, mul(k, m.batch, m.n), 4));
    const MgKx *row = add(k, mul(k, m.batch, mg_kb_ix(kb, shape[1], NULL)), m.class);
    m.scores_at = named(k, body, "scores_at", mul(k, row, m.n));
    Loop clear = each_of(k, body, "i", m.n);
    store(k, clear.body, m.taken, clear.at, mg_kconst(k, mg_kt(MG_U8, 1), 0));
    double threshold = float_attr(kb, op, "score", -__builtin_inf());
    set_held(k, body, m.room, most ? mg_kb_ix(kb, most->ix, NULL) : zero);
    find_best(&m, body, threshold);
    const MgKx *more = both(k, bin(k, MG_PRIM_GE, held(k, m.best), zero),
                            bin(k, MG_PRIM_GT, held(k, m.room), zero));
    MgKs *loop = mg_kwhile(k, body, more);
    take(&m, &loop->body);
    find_best(&m, &loop->body, threshold);
    store(k, block, m.size, zero, held(k, m.count));
}
