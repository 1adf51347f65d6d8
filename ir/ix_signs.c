// The signs that an expression has at some points of a box. What has been seen need not be
// disproved: a proof that fails takes all its steps.
#include "ir/ix_internal.h"

enum { POINTS = 12, MOST_INDICES = 32 };

typedef struct Point {
    const MgIxTable *t;
    int64_t at[MOST_INDICES];
    uint32_t n; // the indices that are known
} Point;

static bool coordinate(void *ctx, MgIxSym s, int64_t *value) {
    const Point *p = ctx;
    uint32_t k;
    if (!mg_ix_sym_is_index(p->t, s, &k) || k >= p->n)
        return false;
    *value = p->at[k];
    return true;
}

// The first point is the box's first, the second its last; others are drawn. False if the box is
// empty there or its sizes are open.
static bool draw(Point *p, const MgIxRanges *ranges, uint32_t number) {
    p->n = 0;
    for (uint32_t k = 0; k < ranges->n; p->n = ++k) {
        int64_t low, high;
        if (!mg_ix_eval(p->t, ranges->low[k], coordinate, p, &low) ||
            !mg_ix_eval(p->t, ranges->high[k], coordinate, p, &high) || low >= high)
            return false;
        uint64_t width = (uint64_t)high - (uint64_t)low;
        uint64_t step = number == 0 ? 0 : number == 1 ? width - 1 : mg_hash_mix(number, k) % width;
        p->at[k] = (int64_t)((uint64_t)low + step);
    }
    return true;
}

unsigned mg_ix_signs(const MgIxTable *t, MgIx x, const MgIxRanges *ranges) {
    unsigned signs = 0;
    Point p = {.t = t};
    if (!ranges || ranges->n > MOST_INDICES)
        return 0;
    for (uint32_t i = 0; i < POINTS && signs != (MG_IX_NEGATIVE | MG_IX_NONNEGATIVE); i++) {
        int64_t value;
        if (draw(&p, ranges, i) && mg_ix_eval(t, x, coordinate, &p, &value))
            signs |= value < 0 ? MG_IX_NEGATIVE : MG_IX_NONNEGATIVE;
        else if (i < 2)
            return signs; // open sizes
    }
    return signs;
}
