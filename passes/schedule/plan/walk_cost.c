// Chooses the number of rows in a block. Does walking by blocks pay?
//
// It saves the traffic between separate kernels: a value that another kernel reads goes to the
// last-level cache or memory and comes back. A row op waits for it; a matrix product mostly hides
// it behind its arithmetic. It costs reading operands again for every block: those that stay in the
// last-level cache are free, larger ones are not, and an operand that is not packed beforehand is
// packed by every block.
#include "passes/schedule/plan/walk.h"

enum { MOST_UNITS = 512 };

typedef struct Part {                      // units [begin, end) of a run
    double saved;                          // ns per row
    int64_t whole, packed, widest, inside; // bytes; inside: of all values, per row
} Part;

static int64_t l2_bytes(const MgRowWalk *w) {
    return w->s->options->target.l2_bytes;
}

static int64_t l3_bytes(const MgRowWalk *w) {
    return w->s->options->target.l3_bytes;
}

static const MgMachine *machine_of(const MgRowWalk *w) {
    return &w->s->options->target.machine;
}

static bool stays_near(const MgRowWalk *w, const Part *p) {
    return p->whole <= l3_bytes(w) / 8;
}

static void add_unit(const MgRowWalk *w, Part *p, uint32_t begin, uint32_t u) {
    const MgWalkUnit *unit = &w->units.at[u];
    uint32_t end = u + 1 < w->units.len ? w->units.at[u + 1].edges : w->edges.len;
    for (uint32_t e = unit->edges; e < end; e++)
        if (w->edges.at[e].from >= begin)
            p->saved +=
                (double)w->edges.at[e].bytes *
                (w->edges.at[e].product ? machine_of(w)->hidden_byte : machine_of(w)->handed_byte);
    p->whole += unit->whole;
    p->packed += unit->packed;
    p->inside += unit->widest;
    p->widest = unit->widest > p->widest ? unit->widest : p->widest;
}

// The number of rows of which the widest value fills a quarter of L2; half or all of it, if fewer
// blocks are better.
static int64_t most_rows(const MgRowWalk *w, const Part *p) {
    int64_t share = p->packed ? 1 : stays_near(w, p) ? 4 : 2;
    int64_t most = l2_bytes(w) / share / p->widest / 16 * 16;
    int64_t limit = mg_figure(w->s, block_most_rows);
    return most < 16 ? 16 : most > limit ? limit : most;
}

// The saving of blocks of `block` rows, in ns per row; negative: they cost more. Operands of a
// product cost nothing if sizes are known (layers of 256 and more, rows in memory: 1.00 +- 0.01);
// open ones may be small.
static double gain(const MgRowWalk *w, const Part *p, int64_t block) {
    double alone = machine_of(w)->block_alone_rows;
    double again = stays_near(w, p) || (double)block >= alone
                       ? 0
                       : (double)p->whole * (1.0 / (double)block - 1.0 / alone);
    return p->saved - again * machine_of(w)->last_byte -
           (double)p->packed / (double)block * machine_of(w)->packed_byte;
}

// Do only few rows fit a near cache? If rows are wide, a block leaves as little in the cache as a
// separate kernel.
static bool is_wide(const MgRowWalk *w, const Part *p) {
    return 16 * p->widest > l2_bytes(w) / 2;
}

// For one worker, with nothing to share: do blocks leave more in its cache than there is in any
// case?
static double gain_alone(const MgRowWalk *w, const Part *p) {
    int64_t rows, most = most_rows(w, p);
    if (is_wide(w, p))
        return 0;
    if (!mg_ix_is_const(w->s->ix, w->rows, &rows))
        return gain(w, p, most);
    if (most >= rows || rows * p->inside + p->whole <= l2_bytes(w))
        return 0;
    Part more = *p; // it is packed once in any case
    more.saved += (double)p->packed / (double)rows * machine_of(w)->packed_byte;
    return gain(w, &more, most);
}

// The best end of a part that begins at `begin`; 0 if none pays.
static uint32_t best_end(const MgRowWalk *w, uint32_t begin, double *best) {
    Part p = {0};
    uint32_t end = 0;
    *best = 0;
    for (uint32_t u = begin; u < w->units.len && u < begin + MOST_UNITS; u++) {
        add_unit(w, &p, begin, u);
        double now = gain_alone(w, &p);
        if (now > *best) {
            *best = now;
            end = u + 1;
        }
    }
    return end;
}

bool mg_walk_best(MgRowWalk *w, uint32_t *begin, uint32_t *end) {
    double best, later;
    for (*begin = 0; *begin + 1 < w->units.len; ++*begin) {
        *end = best_end(w, *begin, &best);
        if (!*end)
            continue;
        for (uint32_t b = *begin + 1; b + 1 < *end; b++) // ops that don't help are left out
            if (best_end(w, b, &later) == *end && later >= best) {
                best = later;
                *begin = b;
            }
        return true;
    }
    return false;
}

// Blocks of one size, if a number near the largest divides the rows.
static int64_t even_block(const MgRowWalk *w, int64_t rows, int64_t block) {
    for (int64_t b = block; 4 * b >= 3 * block && b >= mg_figure(w->s, block_rows); b--)
        if (rows % b == 0)
            return b;
    return block;
}

// Does a separate kernel move more bytes than the last-level cache holds? Then it stores past the
// caches, prefetches its operands, and reduces long rows in parts (stream.c, group/parts.c). This
// saves more than the barriers that blocks avoid, if the blocks are also too large for a cache.
static bool streams(const MgRowWalk *w, int64_t rows) {
    bool any = false;
    for (uint32_t u = 0; u < w->units.len; u++)
        any |= w->units.at[u].moved >= l3_bytes(w) / rows;
    return any;
}

bool mg_walk_choose_rows(MgRowWalk *w) {
    int64_t workers = w->s->workers, rows;
    Part p = {0};
    for (uint32_t u = 0; u < w->units.len; u++)
        add_unit(w, &p, 0, u);
    p.whole = w->whole;
    bool heavy = w->whole > l3_bytes(w);
    w->cap = most_rows(w, &p);
    if (!mg_ix_is_const(w->s->ix, w->rows, &rows))
        return workers > 1 ? !heavy && !is_wide(w, &p) : gain_alone(w, &p) > 0;
    int64_t own = (rows + workers - 1) / workers;
    if (workers > 1 &&
        own < (heavy ? mg_figure(w->s, block_rows_heavy) : mg_figure(w->s, block_rows)))
        return false; // it is better that they share the columns
    bool small = w->cap < own && !is_wide(w, &p) &&
                 (workers > 1 ? own * p.inside > l2_bytes(w) / 2 && gain(w, &p, w->cap) > 0
                              : gain_alone(w, &p) > 0);
    if (!small && workers > 1 && streams(w, rows))
        return false;
    int64_t blocks = small ? (rows + w->cap - 1) / w->cap : workers;
    blocks = (blocks + workers - 1) / workers * workers;
    w->block = (rows + blocks - 1) / blocks;
    if (small && workers == 1)
        w->block = even_block(w, rows, w->block);
    return w->block < rows;
}

void mg_walk_explain(MgRowWalk *w) {
    MgSched *s = w->s;
    MgGraph *g = s->g;
    MgNames *names = s->m->session->names;
    MgOpId first = w->units.at[0].op, last = w->units.at[w->units.len - 1].op;
    Part p = {0};
    for (uint32_t u = 0; u < w->units.len; u++)
        add_unit(w, &p, 0, u);
    const char *size = w->block ? mg_arena_printf(s->arena, "%lld", (long long)w->block)
                                : mg_arena_printf(s->arena, "up to %lld", (long long)w->cap);
    s->p->launch_why = mg_arena_printf(
        s->arena,
        "%s%s to %s: %u op%s by blocks of %s rows, each by one worker: at most %lld byte%s a row "
        "stay with it, %lld byte%s are read for every block\n",
        s->p->launch_why ? s->p->launch_why : "",
        mg_name(names, mg_value(g, mg_op(g, first)->results[0])->name),
        mg_name(names, mg_value(g, mg_op(g, last)->results[0])->name), w->units.len,
        mg_plural(w->units.len), size, (long long)p.inside, mg_plural((uint64_t)p.inside),
        (long long)w->whole, mg_plural(w->whole));
}
