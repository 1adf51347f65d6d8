// Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986: the shortest
// script of deletions and insertions, found by the furthest point on each diagonal with D edits.
// Texts that differ in more than MOST lines are shown as replaced.
#include "support/diff.h"

#include "support/map.h"

enum { CONTEXT = 3, MOST = 1024 };

typedef struct Line {
    const char *at;
    size_t length;
    uint64_t hash;
} Line;

typedef struct Diff {
    MgArena *arena;
    const Line *a, *b;
    int n, m;             // numbers of lines to compare
    bool *deleted, *made; // by line of a; by line of b
    bool color;
    MgText *out;
} Diff;

static Line *split(MgArena *arena, const char *text, int *n) {
    *n = 0;
    for (const char *p = text; *p; p++)
        *n += *p == '\n' || !p[1];
    Line *lines = MG_NEW_N(arena, Line, (size_t)*n + 1);
    for (int i = 0; i < *n; i++) {
        size_t length = strcspn(text, "\n");
        lines[i] = (Line){text, length, mg_hash(text, length, 0)};
        text += length + (text[length] == '\n');
    }
    return lines;
}

static bool same(const Line *x, const Line *y) {
    return x->hash == y->hash && x->length == y->length && !memcmp(x->at, y->at, x->length);
}

// Walks back from the end through the furthest points of each D.
static void trace_back(Diff *d, int *const *reached, int edits) {
    int x = d->n, y = d->m;
    for (int e = edits; e > 0; e--) {
        const int *v = reached[e - 1] + e; // by diagonal
        int k = x - y;
        bool down = k == -e || (k != e && v[k - 1] < v[k + 1]);
        int from = down ? k + 1 : k - 1, before = v[from];
        if (down)
            d->made[before - from] = true;
        else
            d->deleted[before] = true;
        x = before;
        y = before - from;
    }
}

// reached[e][k + e + 1]: the furthest point on diagonal k with e edits.
static void compare(Diff *d) {
    int most = d->n + d->m < MOST ? d->n + d->m : MOST;
    int **reached = MG_NEW_N(d->arena, int *, (size_t)most + 1);
    for (int e = 0; e <= most; e++) {
        reached[e] = MG_NEW_N(d->arena, int, 2 * (size_t)e + 3);
        int *v = reached[e] + e + 1;
        const int *last = e ? reached[e - 1] + e : NULL;
        for (int k = -e; k <= e; k += 2) {
            bool down = e && (k == -e || (k != e && last[k - 1] < last[k + 1]));
            int x = !e ? 0 : down ? last[k + 1] : last[k - 1] + 1;
            while (x < d->n && x - k < d->m && same(&d->a[x], &d->b[x - k]))
                x++;
            v[k] = x;
            if (x >= d->n && x - k >= d->m) {
                trace_back(d, reached, e);
                return;
            }
        }
    }
    memset(d->deleted, true, (size_t)d->n);
    memset(d->made, true, (size_t)d->m);
}

static void put_line(Diff *d, char mark, const Line *line) {
    const char *color = !d->color || mark == ' ' ? "" : mark == '-' ? "\033[31m" : "\033[32m";
    mg_textf(d->out, "%s%c%.*s%s\n", color, mark, (int)line->length, line->at,
             *color ? "\033[0m" : "");
}

// Prints a hunk: the lines from `a` and `b` on, until more than twice the context is equal.
static void put_hunk(Diff *d, int a, int b, int *end_a, int *end_b) {
    int x = a, y = b, same_lines = 0, last_x = a, last_y = b;
    while ((x < d->n || y < d->m) && same_lines <= 2 * CONTEXT) {
        bool deletes = x < d->n && d->deleted[x], makes = y < d->m && d->made[y];
        x += deletes || !makes;
        y += !deletes;
        same_lines = deletes || makes ? 0 : same_lines + 1;
        if (!same_lines) {
            last_x = x;
            last_y = y;
        }
    }
    int behind = d->n - last_x < CONTEXT ? d->n - last_x : CONTEXT;
    int ahead = a < CONTEXT ? a : CONTEXT;
    *end_a = last_x + behind;
    *end_b = last_y + behind;
    mg_textf(d->out, "%s@@ -%d,%d +%d,%d @@%s\n", d->color ? "\033[36m" : "", a - ahead + 1,
             *end_a - a + ahead, b - ahead + 1, *end_b - b + ahead, d->color ? "\033[0m" : "");
    for (int i = a - ahead; i < a; i++)
        put_line(d, ' ', &d->a[i]);
    for (x = a, y = b; x < *end_a || y < *end_b;) {
        if (x < *end_a && d->deleted[x])
            put_line(d, '-', &d->a[x++]);
        else if (y < *end_b && d->made[y])
            put_line(d, '+', &d->b[y++]);
        else {
            put_line(d, ' ', &d->a[x++]);
            y++;
        }
    }
}

void mg_diff(const char *before, const char *after, bool color, MgText *out) {
    Diff d = {.arena = out->arena, .color = color, .out = out};
    int n, m, front = 0;
    d.a = split(d.arena, before, &n);
    d.b = split(d.arena, after, &m);
    while (front < n && front < m && same(&d.a[front], &d.b[front]))
        front++;
    int back = 0;
    while (back < n - front && back < m - front && same(&d.a[n - 1 - back], &d.b[m - 1 - back]))
        back++;
    bool *deleted = d.deleted = MG_NEW_N(d.arena, bool, (size_t)n + 1);
    bool *made = d.made = MG_NEW_N(d.arena, bool, (size_t)m + 1);
    d.a += front;
    d.b += front;
    d.deleted += front;
    d.made += front;
    d.n = n - front - back;
    d.m = m - front - back;
    compare(&d);
    d = (Diff){d.arena, d.a - front, d.b - front, n, m, deleted, made, color, out};
    for (int x = 0, y = 0; x < n || y < m;) {
        if ((x < n && deleted[x]) || (y < m && made[y]))
            put_hunk(&d, x, y, &x, &y);
        else {
            x++;
            y++;
        }
    }
}
