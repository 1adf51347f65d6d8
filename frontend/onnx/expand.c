// A lower bound on the number of nodes of a model, found before any of them is translated.
//
// Functions are expanded where they are called, so 24 functions that each call the next one twice
// make 2^24 nodes from a file of 2 KB. Each function is walked once. Of the branches of an If the
// smaller one counts, since one may be known to be taken; the body of a loop counts as nothing.
#include "frontend/onnx/internal.h"

typedef struct Expand {
    MgOnnx *t;
    MgMap sizes; // Onnx__FunctionProto * -> the number of its nodes, including those of its callees
} Expand;

static uint64_t nodes_of(Expand *e, Onnx__NodeProto *const *nodes, size_t n);

static uint64_t plus(uint64_t a, uint64_t b) {
    return __builtin_add_overflow(a, b, &a) ? UINT64_MAX / 2 : a;
}

static uint64_t function_size(Expand *e, const Onnx__FunctionProto *f) {
    uint64_t *known = mg_map_find(&e->sizes, (uintptr_t)f);
    if (known)
        return *known;
    mg_map_put(&e->sizes, (uintptr_t)f, 0); // if it calls itself, something else refuses it
    uint64_t size = nodes_of(e, f->node, f->n_node);
    mg_map_put(&e->sizes, (uintptr_t)f, size);
    return size;
}

static uint64_t least_branch(Expand *e, const Onnx__NodeProto *p) {
    uint64_t least = UINT64_MAX;
    for (size_t k = 0; k < p->n_attribute; k++) {
        const Onnx__GraphProto *g = p->attribute[k]->g;
        uint64_t size = g ? nodes_of(e, g->node, g->n_node) : UINT64_MAX;
        least = size < least ? size : least;
    }
    return least == UINT64_MAX ? 0 : least;
}

static uint64_t nodes_of(Expand *e, Onnx__NodeProto *const *nodes, size_t n) {
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        const Onnx__FunctionProto *f = mg_onnx_function(e->t, nodes[i]);
        uint64_t inner = f ? function_size(e, f)
                         : !strcmp(mg_onnx_or_empty(nodes[i]->op_type), "If")
                             ? least_branch(e, nodes[i])
                             : 0;
        size = plus(size, plus(1, inner));
    }
    return size;
}

uint64_t mg_onnx_least_nodes(MgOnnx *t) {
    Expand e = {.t = t};
    mg_map_init(&e.sizes, t->arena);
    return nodes_of(&e, t->model->graph->node, t->model->graph->n_node);
}
