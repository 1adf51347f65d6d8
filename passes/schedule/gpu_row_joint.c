// Two reductions of long rows in one reading (joint.h), on a GPU. Every item, part of a row and row
// has sums relative to a shift of its own. Parts go to groups of their own, and a second phase
// combines those of a row, always in the same order.
#include "passes/schedule/gpu_row.h"
#include "passes/schedule/words.h"

#include <math.h>

enum { SIDE = 8 }; // vectors of an item in flight at once

typedef struct Joint {
    MgRows *r;
    const MgGroupNest *lead, *follow;
    MgKType type;      // of an item's accumulators
    MgKBufId top, sum; // EXP: largest and sum; SQUARES: squares and sum
    const MgKx *start; // the item's first position in its part
} Joint;

static const MgKx *let(Joint *j, MgKBlock *b, const char *name, const MgKx *x) {
    return mg_klet_x(j->r->gr->kb.k, b, name, x);
}

// ---------------------------------------------------------------- words

static bool exponential(const Joint *j) {
    return j->lead->piece->reducer == MG_REDUCE_MAX;
}

static const MgKx *real(Joint *j, MgKType type, double v) {
    return mg_kfloat(j->r->gr->kb.k, type, v);
}

// An integer in the accumulators' type, in each of `lanes` lanes.
static const MgKx *counted(Joint *j, const MgKx *n, uint32_t lanes) {
    MgKernel *k = j->r->gr->kb.k;
    return mg_ksplat(k, mg_kcast(k, MG_PRIM_CAST, j->type.dtype, n), lanes);
}

static const MgKx *fold(Joint *j, MgPrim prim, const MgKx *x) {
    return x->type.lanes > 1 ? mg_kfold(j->r->gr->kb.k, prim, x) : x;
}

static const MgKx *fold_and_meet(Joint *j, MgKBlock *b, MgPrim prim, const MgKx *x) {
    return mg_gpu_row_meet(j->r, b, prim, let(j, b, "part", fold(j, prim, x)));
}

static const MgKx *acc_of(Joint *j, MgKBufId acc) {
    return mg_kload(j->r->gr->kb.k, acc, num(j->r->gr->kb.k, 0), j->type.lanes, NULL, NULL);
}

static void keep(Joint *j, MgKBlock *b, MgKBufId acc, const MgKx *x) {
    mg_kstore(j->r->gr->kb.k, b, acc, num(j->r->gr->kb.k, 0), x, NULL);
}

// ---------------------------------------------------------------- an item's part

static void take_exponentials(Joint *j, MgKBlock *b, const MgKx *const *x, int n) {
    MgKernel *k = j->r->gr->kb.k;
    const MgKx *old = let(j, b, "old", acc_of(j, j->top)), *top = old;
    for (int i = 0; i < n; i++)
        top = let(j, b, "top", mg_reduce_step(k, MG_REDUCE_MAX, top, x[i]));
    const MgKx *about = mg_joint_about(k, b, top);
    const MgKx *sum = bin(k, MG_PRIM_MUL, acc_of(j, j->sum), mg_joint_exp(k, old, about));
    for (int i = 0; i < n; i++)
        sum = let(j, b, "sum", bin(k, MG_PRIM_ADD, sum, mg_joint_exp(k, x[i], about)));
    keep(j, b, j->top, top);
    keep(j, b, j->sum, sum);
}

// `before`: how many vectors the item took before these.
static void take_squares(Joint *j, MgKBlock *b, const MgKx *const *x, int n, const MgKx *before) {
    MgKernel *k = j->r->gr->kb.k;
    MgKType one = mg_kt(j->type.dtype, 1);
    const MgKx *sum = x[0];
    for (int i = 1; i < n; i++)
        sum = bin(k, MG_PRIM_ADD, sum, x[i]);
    sum = let(j, b, "sum", sum);
    const MgKx *mean = let(j, b, "mean", bin(k, MG_PRIM_MUL, sum, real(j, j->type, 1.0 / n)));
    const MgKx *squares = acc_of(j, j->top), *seen = counted(j, before, 1);
    seen = let(j, b, "seen", seen);
    for (int i = 0; i < n; i++)
        squares = let(j, b, "squares", mg_joint_moved(k, squares, real(j, j->type, 1), x[i], mean));
    const MgKx *share =
        bin(k, MG_PRIM_DIV, real(j, one, n), bin(k, MG_PRIM_ADD, seen, real(j, one, n)));
    const MgKx *weight = let(j, b, "weight", bin(k, MG_PRIM_MUL, seen, share));
    const MgKx *per = let(j, b, "per", mg_joint_average(k, real(j, one, 1), seen));
    const MgKx *was = bin(k, MG_PRIM_MUL, acc_of(j, j->sum), mg_ksplat(k, per, j->type.lanes));
    squares = mg_joint_moved(k, squares, mg_ksplat(k, weight, j->type.lanes), was, mean);
    keep(j, b, j->top, let(j, b, "squares", squares));
    keep(j, b, j->sum, bin(k, MG_PRIM_ADD, acc_of(j, j->sum), sum));
}

// The item's elements of the part from low to high.
static void walk(Joint *j, MgKBlock *block, const MgKx *low, const MgKx *high) {
    MgRows *r = j->r;
    MgKernel *k = r->gr->kb.k;
    int64_t stride = (int64_t)r->items * r->lanes;
    const MgKx *own = bin(k, MG_PRIM_MUL, r->me, num(k, r->lanes));
    const MgKx *whole = bin(k, MG_PRIM_FDIV, bin(k, MG_PRIM_SUB, high, low), num(k, SIDE * stride));
    whole = let(j, block, "whole", add(k, low, times(k, whole, SIDE * stride)));
    j->start = let(j, block, "start", add(k, low, own));
    for (int tail = 0; tail < 2; tail++) {
        int side = tail ? 1 : SIDE;
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", tail ? add(k, whole, own) : j->start,
                             tail ? high : whole, side * stride);
        MgKBlock *b = &loop->body;
        const MgKx *x[SIDE], *v = mg_kvar(k, loop->var);
        for (int i = 0; i < side; i++) {
            r->position[0] = let(j, b, "at", add(k, v, num(k, i * stride)));
            MgPoint p = mg_gpu_row_point(r, j->lead, b, 0);
            x[i] = mg_ksplat(k, mg_point_expr(&p, j->lead->piece->expr), j->type.lanes);
            x[i] = let(j, b, "x", x[i]);
        }
        const MgKx *before = bin(k, MG_PRIM_SUB, v, j->start);
        if (exponential(j))
            take_exponentials(j, b, x, side);
        else
            take_squares(j, b, x, side, bin(k, MG_PRIM_FDIV, before, num(k, stride)));
    }
}

// ---------------------------------------------------------------- parts, and rows of them

// From all items of a part: its largest and its sum, or its sum and its squares.
static void gather(Joint *j, MgKBlock *b, const MgKx *low, const MgKx *high, const MgKx **first,
                   const MgKx **second) {
    MgRows *r = j->r;
    MgKernel *k = r->gr->kb.k;
    const MgKx *sum = let(j, b, "sum", acc_of(j, j->sum)),
               *top = let(j, b, "top", acc_of(j, j->top));
    if (exponential(j)) {
        *first = fold_and_meet(j, b, MG_PRIM_MAX, top);
        const MgKx *about = mg_joint_about(k, b, *first);
        *second =
            fold_and_meet(j, b, MG_PRIM_ADD, bin(k, MG_PRIM_MUL, sum, mg_joint_exp(k, top, about)));
        return;
    }
    int64_t stride = (int64_t)r->items * r->lanes;
    const MgKx *mine = bin(k, MG_PRIM_SUB, add(k, high, num(k, stride - 1)), j->start);
    mine = bin(k, MG_PRIM_FDIV, bin(k, MG_PRIM_MAX, mine, num(k, 0)), num(k, stride));
    mine = let(j, b, "mine", counted(j, mine, 1));
    *first = fold_and_meet(j, b, MG_PRIM_ADD, sum);
    const MgKx *n = counted(j, bin(k, MG_PRIM_SUB, high, low), 1);
    const MgKx *mean = let(j, b, "mean", mg_joint_average(k, *first, let(j, b, "n", n)));
    mine = mg_ksplat(k, mine, j->type.lanes);
    const MgKx *own = let(j, b, "own", mg_joint_average(k, sum, mine));
    *second = fold_and_meet(j, b, MG_PRIM_ADD, mg_joint_moved(k, top, mine, own, mean));
}

static void emit_parts(Joint *j) {
    MgRows *r = j->r;
    MgKernel *k = r->gr->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *low, *high, *first, *second;
    const MgKx *place = mg_gpu_row_parts_open(r, &block, &low, &high);
    place = let(j, block, "place", place);
    keep(j, block, j->top,
         exponential(j) ? mg_reduce_identity(k, MG_REDUCE_MAX, j->type) : real(j, j->type, 0));
    keep(j, block, j->sum, real(j, j->type, 0));
    walk(j, block, low, high);
    gather(j, block, low, high, &first, &second);
    MgKBlock *only = mg_gpu_row_first(r, block);
    mg_kstore(k, only, r->parts, place, first, NULL);
    mg_kstore(k, only, r->places, place, second, NULL);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
}

typedef struct Seen { // by an item, of its row's parts
    const MgKx *first, *second, *n;
} Seen;

// Part `number` of the row; nothing where there is none.
static Seen see(Joint *j, MgKBlock *b, const MgKx *row, const MgKx *number) {
    MgRows *r = j->r;
    MgKernel *k = r->gr->kb.k;
    MgKType one = mg_kt(j->type.dtype, 1);
    int64_t stride = (int64_t)r->items * r->lanes;
    int64_t length = mg_ceil_div(mg_ceil_div(r->width, r->chunks), stride) * stride;
    const MgKx *inside = let(j, b, "inside", bin(k, MG_PRIM_LT, number, num(k, r->chunks)));
    number = bin(k, MG_PRIM_MIN, number, num(k, r->chunks - 1));
    const MgKx *at = let(j, b, "at", add(k, times(k, row, r->chunks), number));
    const MgKx *first = mg_kload(k, r->parts, at, 1, NULL, NULL);
    const MgKx *second = mg_kload(k, r->places, at, 1, NULL, NULL);
    const MgKx *left = bin(k, MG_PRIM_SUB, num(k, r->width), times(k, number, length));
    left = bin(k, MG_PRIM_MAX, bin(k, MG_PRIM_MIN, left, num(k, length)), num(k, 0));
    const MgKx *none = real(j, one, exponential(j) ? -INFINITY : 0), *zero = real(j, one, 0);
    Seen s = {let(j, b, "x", mg_kprim(k, MG_PRIM_WHERE, inside, first, none)),
              let(j, b, "y", mg_kprim(k, MG_PRIM_WHERE, inside, second, zero)), NULL};
    if (!exponential(j))
        s.n = let(j, b, "n", mg_kprim(k, MG_PRIM_WHERE, inside, counted(j, left, 1), zero));
    return s;
}

// The definition's shift, at the open row: what it reads of the row is there by now.
static const MgKx *shift_at(Joint *j, MgKBlock *b) {
    MgPoint p = mg_gpu_row_point(j->r, j->follow, b, -1);
    return let(j, b, "shift", mg_point_expr(&p, j->r->joint.shift[0]));
}

static const MgKx *sums_about(Joint *j, MgKBlock *b, const Seen *seen, uint32_t n,
                              const MgKx *shift, const MgKx *about) {
    MgKernel *k = j->r->gr->kb.k;
    const MgKx *sum = real(j, mg_kt(j->type.dtype, 1), 0);
    for (uint32_t i = 0; i < n; i++) {
        const MgKx *more = seen[i].second;
        if (about)
            more = bin(k, MG_PRIM_MUL, more, mg_joint_exp(k, seen[i].first, about));
        else
            more = mg_joint_moved(k, more, seen[i].n, mg_joint_average(k, seen[i].first, seen[i].n),
                                  shift);
        sum = let(j, b, "sum", bin(k, MG_PRIM_ADD, sum, more));
    }
    sum = mg_gpu_row_meet(j->r, b, MG_PRIM_ADD, sum);
    return about ? bin(k, MG_PRIM_MUL, sum, mg_joint_exp(k, about, shift)) : sum;
}

static void emit_rows(Joint *j) {
    MgRows *r = j->r;
    MgKernel *k = r->gr->kb.k;
    MgKBlock *block = &k->body;
    uint32_t n = (uint32_t)mg_ceil_div(r->chunks, r->items);
    Seen *seen = MG_NEW_N(r->gr->s->arena, Seen, n);
    const MgKx *row = mg_gpu_rows_open(r, &block, mg_gpu_row_count(r));
    MgPrim prim = exponential(j) ? MG_PRIM_MAX : MG_PRIM_ADD;
    const MgKx *first = NULL;
    mg_gpu_row_set(r, block, row);
    for (uint32_t i = 0; i < n; i++) {
        seen[i] =
            see(j, block, row, let(j, block, "i", add(k, r->me, num(k, (int64_t)i * r->items))));
        first = first ? let(j, block, "x", bin(k, prim, first, seen[i].first)) : seen[i].first;
    }
    first = mg_gpu_row_meet(r, block, prim, first);
    const MgKx *about = exponential(j) ? mg_joint_about(k, block, first) : NULL;
    mg_gpu_row_leave(r, block, j->lead, mg_gpu_row_finished(r, j->lead, first));
    for (uint32_t i = 1; i < r->gr->n_nests; i++) {
        if (i != r->joint.follower) {
            mg_gpu_row_nest(r, block, i);
            continue;
        }
        const MgKx *sum = sums_about(j, block, seen, n, shift_at(j, block), about);
        mg_gpu_row_leave(r, block, j->follow, mg_gpu_row_finished(r, j->follow, sum));
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP); // the next row meets in the same places
}

void mg_gpu_row_joint(MgRows *r) {
    MgGroup *gr = r->gr;
    Joint j = {.r = r, .lead = &gr->nests[0], .follow = &gr->nests[r->joint.follower]};
    j.type = mg_kt(j.lead->piece->expr->dtype, r->lanes);
    j.top = mg_kb_private(&gr->kb, "top", j.type, 1);
    j.sum = mg_kb_private(&gr->kb, "sum", j.type, 1);
    emit_parts(&j);
    emit_rows(&j);
}
