// Minimum cuts; see min_cut.h. The maximum flow is found in rounds: a breadth-first search finds
// distances from the source, then flow is sent along edges that lead one step further. Paths are
// walked without recursion.
#include "passes/min_cut.h"

#include <string.h>

static const double least = 1e-9; // a remaining capacity below this, relative to the flow, is
                                  // rounding

MgCut *mg_cut_new(MgArena *arena, uint32_t n_nodes) {
    MgCut *c = MG_NEW(arena, MgCut);
    c->arena = arena;
    c->n = n_nodes;
    c->edges_of = mg_arena_alloc(arena, n_nodes, sizeof *c->edges_of);
    memset(c->edges_of, 0, n_nodes * sizeof *c->edges_of);
    return c;
}

void mg_cut_edge(MgCut *c, uint32_t from, uint32_t to, double capacity) {
    mg_push(c->arena, &c->edges_of[from], c->edges.len);
    mg_push(c->arena, &c->edges, (MgCutEdge){to, capacity});
    mg_push(c->arena, &c->edges_of[to], c->edges.len);
    mg_push(c->arena, &c->edges, (MgCutEdge){from, 0});
}

// Computes distances from the source over edges with remaining capacity; UINT32_MAX: unreachable.
// True if the sink is reachable.
static bool find_distances(const MgCut *c, uint32_t *distance, uint32_t *queue) {
    uint32_t n = 0;
    memset(distance, 0xff, c->n * sizeof *distance);
    distance[0] = 0;
    queue[n++] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = queue[i];
        for (uint32_t k = 0; k < c->edges_of[v].len; k++) {
            const MgCutEdge *e = &c->edges.at[c->edges_of[v].at[k]];
            if (e->capacity <= least || distance[e->to] != UINT32_MAX)
                continue;
            distance[e->to] = distance[v] + 1;
            queue[n++] = e->to;
        }
    }
    return distance[1] != UINT32_MAX;
}

// Sends as much as it can along the path of edges. Returns the number of edges before the first one
// that is now full.
static uint32_t send(MgCut *c, const uint32_t *path, uint32_t n, double *total) {
    double flow = MG_CUT_NEVER;
    uint32_t full = 0;
    for (uint32_t i = 0; i < n; i++)
        if (c->edges.at[path[i]].capacity < flow)
            flow = c->edges.at[path[i]].capacity;
    for (uint32_t i = n; i-- > 0;) {
        c->edges.at[path[i]].capacity -= flow;
        c->edges.at[path[i] ^ 1].capacity += flow;
        if (c->edges.at[path[i]].capacity <= least)
            full = i;
    }
    *total += flow;
    return full;
}

// Sends flow along shortest paths until each is blocked.
static double block_paths(MgCut *c, const uint32_t *distance, uint32_t *next, uint32_t *path) {
    double total = 0;
    uint32_t v = 0, n = 0;
    memset(next, 0, c->n * sizeof *next);
    for (;;) {
        if (v == 1) {
            n = send(c, path, n, &total);
            v = c->edges.at[path[n] ^ 1].to;
            continue;
        }
        bool advanced = false;
        for (; next[v] < c->edges_of[v].len && !advanced; next[v] += !advanced) {
            uint32_t e = c->edges_of[v].at[next[v]];
            uint32_t to = c->edges.at[e].to;
            advanced = c->edges.at[e].capacity > least && distance[to] == distance[v] + 1;
            if (advanced)
                path[n++] = e;
        }
        if (advanced) {
            v = c->edges.at[path[n - 1]].to;
        } else if (!n) {
            return total;
        } else {
            v = c->edges.at[path[--n] ^ 1].to;
            next[v]++;
        }
    }
}

// Marks the nodes that can still reach the sink.
static void find_side(const MgCut *c, bool *sink_side, uint32_t *queue) {
    uint32_t n = 0;
    memset(sink_side, 0, c->n * sizeof *sink_side);
    sink_side[1] = true;
    queue[n++] = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = queue[i];
        for (uint32_t k = 0; k < c->edges_of[v].len; k++) {
            uint32_t e = c->edges_of[v].at[k], from = c->edges.at[e].to;
            if (sink_side[from] || c->edges.at[e ^ 1].capacity <= least)
                continue;
            sink_side[from] = true;
            queue[n++] = from;
        }
    }
}

double mg_cut_solve(MgCut *c, bool *sink_side) {
    uint32_t *distance = mg_arena_alloc(c->arena, 4 * (size_t)c->n, sizeof *distance);
    uint32_t *queue = distance + c->n, *next = queue + c->n, *path = next + c->n;
    double total = 0;
    while (find_distances(c, distance, queue))
        total += block_paths(c, distance, next, path);
    find_side(c, sink_side, queue);
    return total;
}
