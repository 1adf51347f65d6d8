// What the searches for attention (attention.c) and for products of computed weights
// (attention_weighted.c) share: the steps before the last contraction, with their indices expressed
// in those of the last, and the classes of symbols (attention_steps.c).
#ifndef MG_PASSES_ATTENTION_STEPS_H
#define MG_PASSES_ATTENTION_STEPS_H

#include "passes/attention.h"

enum { MG_STEPS_VISITED = 96 };

typedef struct MgSearch {
    MgGraph *g;
    MgIxTable *t;
    MgRegionId region;
    MgAttention *a;
    bool softmax; // steps may reduce over the keys, and scores are one product
    bool single;  // there is one query: its products are of a matrix and a vector
    MgOpId products[MG_ATTENTION_PRODUCTS]; // among the steps
    MgOpId outside[MG_ATTENTION_PRODUCTS];  // read from memory instead
    uint32_t n_products, n_outside;
    MgOpId visited[MG_STEPS_VISITED];
    bool inside[MG_STEPS_VISITED];
    uint32_t n_visited;
    bool known[MG_ATTENTION_STEPS]; // its indices are known
    bool late[MG_ATTENTION_STEPS];  // it depends on the exponential
    MgIxRanges ranges;
    MgIx zeros[MG_ATTENTION_SYMBOLS];
} MgSearch;

static inline const MgPiece *mg_search_piece(const MgSearch *f, MgOpId id) {
    return &mg_op(f->g, id)->equation->pieces[0];
}

MgSearch mg_search_begin(MgGraph *g, MgOpId op, MgAttention *a);
// Is the op a sum of products, in one equation over a box that begins at 0 and whose ends depend on
// no index?
bool mg_search_is_last(const MgSearch *f, MgOpId op);
// Finds the steps that lead to the weights of op, factor 0 or 1 of its product, and their indices.
bool mg_search_steps(MgSearch *f, MgOpId op, uint32_t factor);
// Finds the factors of the products, and the classes of symbols.
bool mg_search_classes(MgSearch *f);
// The step that computes v, or UINT32_MAX; and that whose value a read in op `reader` reads.
uint32_t mg_search_step(const MgSearch *f, MgValueId v);
uint32_t mg_search_read(const MgSearch *f, MgOpId reader, const MgSx *x);
// The symbols that an expression of a step depends on; and a step's value.
uint64_t mg_search_mentioned(MgSearch *f, const MgAttentionStep *step, const MgSx *x);
uint64_t mg_search_box(MgSearch *f, const MgAttentionStep *step);
// The symbols in an index expression.
uint64_t mg_search_symbols(const MgSearch *f, MgIx x);
// Are the steps used outside only if they are the last one or have one value for each row?
bool mg_search_is_closed(const MgSearch *f, const uint32_t *uses);

#endif
