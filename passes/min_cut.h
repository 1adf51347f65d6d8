// The minimum cut of a directed graph with capacities (Dinic 1970).
#ifndef MG_PASSES_MIN_CUT_H
#define MG_PASSES_MIN_CUT_H

#include "support/mem.h"

#include <stdint.h>

#define MG_CUT_NEVER 1e30 // the capacity of an edge that must not be cut

typedef struct MgCutEdge {
    uint32_t to;
    double capacity; // the capacity that is left
} MgCutEdge;

typedef struct MgCut {
    MgArena *arena;
    uint32_t n;                  // nodes: 0 is the source, 1 the sink
    MG_VEC(MgCutEdge) edges;     // each edge, then its reverse
    MG_VEC(uint32_t) * edges_of; // by node: numbers of edges
} MgCut;

MgCut *mg_cut_new(MgArena *arena, uint32_t n_nodes);
void mg_cut_edge(MgCut *c, uint32_t from, uint32_t to, double capacity);
// The capacity of the minimum cut. sink_side[v]: v lies on the sink's side of the cut that is
// nearest to the sink.
double mg_cut_solve(MgCut *c, bool *sink_side);

#endif
