// Where the extreme of a row is (argmax, argmin), on a GPU: the items of a row walk it side by
// side, each keeps the best element that it saw and its position, and the items' results are
// combined in halves until one is left.
//
// The first of equals wins, and the first NaN beats all: an item sees its elements in order, and
// when two items' results are combined, the lower position wins a tie. Position -1 marks an item
// that saw nothing. If there are few rows, parts of them go to groups of their own, whose results
// are combined in the same way.
#include "passes/schedule/gpu_row.h"
#include "passes/schedule/words.h"

typedef struct Best {
    const MgKx *x, *at;
} Best;

static const MgKx *is_nan(MgRows *r, const MgKx *x) {
    return mg_kprim(r->gr->kb.k, MG_PRIM_ISNAN, x, NULL, NULL);
}

// Does b beat a? `tie` too, if they are equal and b is the earlier one.
static const MgKx *beats(MgRows *r, Best b, Best a, bool tie) {
    MgKernel *k = r->gr->kb.k;
    bool most = r->gr->nests[0].piece->reducer == MG_REDUCE_ARGMAX;
    const MgKx *wins = bin(k, most ? MG_PRIM_GT : MG_PRIM_LT, b.x, a.x);
    const MgKx *equal = bin(k, MG_PRIM_EQ, b.x, a.x);
    if (mg_is_float(b.x->type.dtype)) {
        const MgKx *new = is_nan(r, b.x), *old = is_nan(r, a.x);
        wins = bin(k, MG_PRIM_OR, wins,
                   bin(k, MG_PRIM_AND, new, mg_kprim(k, MG_PRIM_NOT, old, NULL, NULL)));
        equal = bin(k, MG_PRIM_OR, equal, bin(k, MG_PRIM_AND, new, old));
    }
    if (tie)
        wins = bin(k, MG_PRIM_OR, wins, bin(k, MG_PRIM_AND, equal, bin(k, MG_PRIM_LT, b.at, a.at)));
    wins = bin(k, MG_PRIM_OR, wins, bin(k, MG_PRIM_LT, a.at, num(k, 0)));
    return tie ? bin(k, MG_PRIM_AND, wins, bin(k, MG_PRIM_GE, b.at, num(k, 0))) : wins;
}

// Takes what is seen, if it is better than what the item had.
static void take(MgRows *r, MgKBlock *block, MgKBufId acc, MgKBufId place, Best seen, bool tie) {
    MgKernel *k = r->gr->kb.k;
    const MgKx *zero = num(k, 0);
    Best old = {mg_klet_x(k, block, "acc", mg_kload(k, acc, zero, 1, NULL, NULL)),
                mg_klet_x(k, block, "had", mg_kload(k, place, zero, 1, NULL, NULL))};
    const MgKx *better = mg_klet_x(k, block, "take", beats(r, seen, old, tie));
    mg_kstore(k, block, acc, zero, mg_kprim(k, MG_PRIM_WHERE, better, seen.x, old.x), NULL);
    mg_kstore(k, block, place, zero, mg_kprim(k, MG_PRIM_WHERE, better, seen.at, old.at), NULL);
}

// What one item sees of the row from low to high, several elements in flight at once.
static void walk(MgRows *r, MgKBlock *block, MgKBufId acc, MgKBufId place, const MgKx *low,
                 const MgKx *high) {
    MgKernel *k = r->gr->kb.k;
    const MgGroupNest *n = &r->gr->nests[0];
    int64_t stride = r->items, side = r->side;
    const MgKx *whole = bin(k, MG_PRIM_FDIV, bin(k, MG_PRIM_SUB, high, low), num(k, side * stride));
    whole = mg_klet_x(k, block, "whole", mg_kadd(k, low, times(k, whole, side * stride)));
    for (int tail = 0; tail < 2; tail++) {
        uint32_t several = tail ? 1 : side;
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", mg_kadd(k, tail ? whole : low, r->me),
                             tail ? high : whole, several * stride);
        Best *seen = MG_NEW_N(r->gr->s->arena, Best, several);
        for (uint32_t i = 0; i < several; i++) {
            seen[i].at = mg_kadd(k, mg_kvar(k, loop->var), num(k, i * stride));
            r->position[0] = seen[i].at = mg_klet_x(k, &loop->body, "at", seen[i].at);
            MgPoint p = mg_gpu_row_point(r, n, &loop->body, 0);
            seen[i].x = mg_klet_x(k, &loop->body, "x", mg_point_expr(&p, n->piece->expr));
        }
        for (uint32_t i = 0; i < several; i++)
            take(r, &loop->body, acc, place, seen[i], false);
    }
}

static void meet(MgRows *r, MgKBlock *block, MgKBufId values, MgKBufId places) {
    MgKernel *k = r->gr->kb.k;
    const MgKx *own = mg_klet_x(k, block, "own", mg_kadd(k, r->first, r->me));
    for (uint32_t half = r->items / 2; half; half /= 2) {
        mg_kbarrier(k, block, MG_BARRIER_GROUP);
        MgKBlock *b = &mg_kif(k, block, bin(k, MG_PRIM_LT, r->me, num(k, half)))->body;
        Best best[2];
        for (int i = 0; i < 2; i++) {
            const MgKx *at = mg_kadd(k, own, num(k, i ? half : 0));
            best[i].x = mg_klet_x(k, b, "x", mg_kload(k, values, at, 1, NULL, NULL));
            best[i].at = mg_klet_x(k, b, "at", mg_kload(k, places, at, 1, NULL, NULL));
        }
        b = &mg_kif(k, b, beats(r, best[1], best[0], true))->body;
        mg_kstore(k, b, values, own, best[1].x, NULL);
        mg_kstore(k, b, places, own, best[1].at, NULL);
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
}

typedef struct Cells { // of the items of a group, and of one
    MgKBufId values, places, acc, at;
} Cells;

static void forget(MgRows *r, MgKBlock *block, const Cells *c) {
    MgKernel *k = r->gr->kb.k;
    MgKType type = mg_kt(r->gr->nests[0].piece->expr->dtype, 1);
    mg_kstore(k, block, c->acc, num(k, 0), mg_kconst(k, type, 0), NULL);
    mg_kstore(k, block, c->at, num(k, 0), num(k, -1), NULL);
}

// The best of the items of a row, at the place of its first one.
static void gather(MgRows *r, MgKBlock *block, const Cells *c) {
    MgKernel *k = r->gr->kb.k;
    const MgKx *zero = num(k, 0), *own = mg_klet_x(k, block, "own", mg_kadd(k, r->first, r->me));
    mg_kstore(k, block, c->values, own, mg_kload(k, c->acc, zero, 1, NULL, NULL), NULL);
    mg_kstore(k, block, c->places, own, mg_kload(k, c->at, zero, 1, NULL, NULL), NULL);
    meet(r, block, c->values, c->places);
}

static void find_in_parts(MgRows *r, const Cells *c) {
    MgKernel *k = r->gr->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *low, *high, *part = mg_gpu_row_parts_open(r, &block, &low, &high);
    part = mg_klet_x(k, block, "part", part);
    forget(r, block, c);
    walk(r, block, c->acc, c->at, low, high);
    gather(r, block, c);
    MgKBlock *first = mg_gpu_row_first(r, block);
    mg_kstore(k, first, r->parts, part, mg_kload(k, c->values, r->first, 1, NULL, NULL), NULL);
    mg_kstore(k, first, r->places, part, mg_kload(k, c->places, r->first, 1, NULL, NULL), NULL);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
}

// What an item sees of the row's parts.
static void see_parts(MgRows *r, MgKBlock *block, const Cells *c, const MgKx *row) {
    MgKernel *k = r->gr->kb.k;
    const MgKx *parts = mg_klet_x(k, block, "parts", times(k, row, r->chunks));
    MgKs *loop =
        mg_kfor(k, block, MG_LOOP_SERIAL, "part", r->me, num(k, r->chunks), (int64_t)r->items);
    const MgKx *from = mg_klet_x(k, &loop->body, "from", mg_kadd(k, parts, mg_kvar(k, loop->var)));
    Best seen = {mg_klet_x(k, &loop->body, "x", mg_kload(k, r->parts, from, 1, NULL, NULL)),
                 mg_klet_x(k, &loop->body, "at", mg_kload(k, r->places, from, 1, NULL, NULL))};
    take(r, &loop->body, c->acc, c->at, seen, true);
}

void mg_gpu_row_extreme(MgRows *r) {
    MgGroup *gr = r->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    const MgGroupNest *n = &gr->nests[0];
    MgKType type = mg_kt(n->piece->expr->dtype, 1), place = mg_kt(MG_I64, 1);
    Cells c = {
        .values = mg_kalloc(k, "values", type, MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, r->group)),
        .places = mg_kalloc(k, "places", place, MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, r->group)),
        .acc = mg_kb_private(&gr->kb, "acc", type, 1),
        .at = mg_kb_private(&gr->kb, "at", place, 1)};
    if (r->chunks > 1)
        find_in_parts(r, &c);
    const MgKx *row = mg_gpu_rows_open(r, &block, mg_gpu_row_count(r));
    mg_gpu_row_set(r, block, row);
    forget(r, block, &c);
    if (r->chunks > 1)
        see_parts(r, block, &c, row);
    else
        walk(r, block, c.acc, c.at, num(k, 0), num(k, r->width));
    gather(r, block, &c);
    mg_gpu_row_leave(r, block, n, mg_kload(k, c.places, r->first, 1, NULL, NULL));
    mg_kbarrier(k, block, MG_BARRIER_GROUP); // the next row meets in the same places
}
