#include "passes/schedule/plan/skyline.h"

enum { EMPTY = 0, MIXED = UINT32_MAX };

// A range of steps to be raised.
typedef struct Raise {
    MgSkyline *line;
    uint32_t first, last, top;
    MgDistinct *below;
} Raise;

MgSkyline mg_skyline(MgArena *arena, const MgBlockLife *lives, uint32_t n) {
    MgSkyline line = {.arena = arena, .leaves = 1};
    for (uint32_t i = 0; i < n; i++)
        while (line.leaves <= lives[i].last)
            line.leaves *= 2;
    line.tops = MG_NEW_N(arena, uint32_t, 2 * (size_t)line.leaves);
    return line;
}

// Adds the tops under a node that is covered completely. A subtree with a single top is not
// entered.
static void collect(const Raise *r, uint32_t node) {
    uint32_t top = r->line->tops[node];
    if (top == MIXED) {
        collect(r, 2 * node);
        collect(r, 2 * node + 1);
    } else if (top != EMPTY)
        mg_distinct(r->line->arena, r->below, top);
}

// The node covers the steps from begin to end (exclusive).
static void raise(const Raise *r, uint32_t node, uint32_t begin, uint32_t end) {
    uint32_t *tops = r->line->tops, half = begin + (end - begin) / 2;
    if (r->last < begin || end <= r->first)
        return;
    if (r->first <= begin && end - 1 <= r->last) {
        collect(r, node);
        tops[node] = r->top;
        return;
    }
    if (tops[node] != MIXED) // the halves get their common top
        tops[2 * node] = tops[2 * node + 1] = tops[node];
    raise(r, 2 * node, begin, half);
    raise(r, 2 * node + 1, half, end);
    tops[node] = tops[2 * node] == tops[2 * node + 1] ? tops[2 * node] : MIXED;
}

void mg_skyline_raise(MgSkyline *line, uint32_t first, uint32_t last, uint32_t top,
                      MgDistinct *below) {
    Raise r = {line, first, last, top, below};
    raise(&r, 1, 0, line->leaves);
}
