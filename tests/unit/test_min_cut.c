// Tests minimum cuts against all cuts of small graphs.
#include "passes/min_cut.h"

#include "support/mem.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NODES = 10, MOST_EDGES = 40, GRAPHS = 2000 };

typedef struct Edge {
    uint32_t from, to;
    double capacity;
} Edge;

static uint64_t seed = 1;
static uint32_t draw(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

// The capacity of the edges from the source's side (a bit each) to the sink's.
static double cut_of(const Edge *edges, uint32_t n_edges, uint32_t source_side) {
    double sum = 0;
    for (uint32_t i = 0; i < n_edges; i++)
        if (source_side >> edges[i].from & 1 && !(source_side >> edges[i].to & 1))
            sum += edges[i].capacity;
    return sum;
}

static double least_cut(const Edge *edges, uint32_t n_edges, uint32_t n_nodes) {
    double least = INFINITY;
    for (uint32_t side = 0; side < 1u << n_nodes; side++)
        if (side & 1 && !(side & 2))
            least = fmin(least, cut_of(edges, n_edges, side));
    return least;
}

static void check_one(MgArena *arena) {
    Edge edges[MOST_EDGES];
    bool sink_side[MOST_NODES];
    uint32_t n = 2 + draw(MOST_NODES - 1), n_edges = draw(MOST_EDGES), source_side = 0;
    MgCut *cut = mg_cut_new(arena, n);
    for (uint32_t i = 0; i < n_edges; i++) { // a few must not be cut, a few are free
        uint32_t kind = draw(8);
        edges[i] = (Edge){draw(n), draw(n), kind ? draw(20) * 0.25 : MG_CUT_NEVER};
        mg_cut_edge(cut, edges[i].from, edges[i].to, edges[i].capacity);
    }
    double found = mg_cut_solve(cut, sink_side), least = least_cut(edges, n_edges, n);
    ck_assert(!sink_side[0] && sink_side[1]);
    for (uint32_t v = 0; v < n; v++)
        source_side |= (uint32_t)!sink_side[v] << v;
    if (least >= MG_CUT_NEVER) {
        ck_assert(found >= 0.9 * MG_CUT_NEVER);
        return;
    }
    ck_assert_double_eq_tol(found, least, 1e-6);
    ck_assert_double_eq_tol(cut_of(edges, n_edges, source_side), least, 1e-6);
}

START_TEST(cuts_are_minimal) {
    MgMem *mem = mg_mem_new(1 << 30);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        MgArena *arena = mg_arena_new(mem);
        check_one(arena);
        mg_arena_free(arena);
    }
    mg_mem_free(mem);
}
END_TEST

MG_TEST_MAIN("min_cut", cuts_are_minimal)
