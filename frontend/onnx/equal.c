// Sizes of inputs that a node needs to be equal although the model gives them no common name.
//
// A statement that fails only for that reason leaves the pair here. It is lowered again with one
// name, or the number, for both, and so are all later statements, which finds the other pairs. Then
// the model is translated again. The library's operators decide which sizes must be equal. ONNX
// would also broadcast a size that turns out to be 1; the text does not accept a 1.
#include "frontend/onnx/internal.h"

// A size in `of`: a name, or a number.
static uint64_t as_name(MgSym name) {
    return (uint64_t)name << 1;
}

static uint64_t as_number(int64_t size) {
    return (uint64_t)size << 1 | 1;
}

// The size that replaces this one.
static uint64_t standing(const MgOnnx *t, uint64_t size) {
    uint64_t *first = NULL;
    for (uint64_t *next; !(size & 1) && (next = mg_map_find(&t->equal->of, size >> 1));
         first = first ? first : next)
        size = *next;
    if (first)
        *first = size; // so that paths stay short
    return size;
}

// The size as the signature has it. False if it is neither a number nor an input's dimension.
static bool size_of(MgOnnx *t, MgIx x, uint64_t *size, uint64_t *rank) {
    int64_t number;
    MgIxSym sym;
    if (mg_ix_is_const(t->ix, x, &number)) {
        *size = as_number(number);
        *rank = MG_ONNX_DIM_RANKS;
        return number >= 0;
    }
    MgSym name = mg_ix_is_sym(t->ix, x, &sym) ? mg_ix_sym_name(t->ix, sym) : 0;
    *size = standing(t, as_name(name));
    *rank = mg_map_get(&t->dims, name, 0);
    return *rank != 0;
}

bool mg_onnx_note_unequal(MgOnnx *t) {
    MgIx a, b;
    uint64_t x, y, x_rank, y_rank;
    if (!mg_scope_unequal(t->scope, &a, &b) || !size_of(t, a, &x, &x_rank) ||
        !size_of(t, b, &y, &y_rank) || x == y || ((x & 1) && (y & 1)))
        return false;
    bool keep_y = y_rank > x_rank; // numbers win over names, the model's names over ours
    t->equal->grew = true;
    if (t->equal->may)
        mg_map_put(&t->equal->of, (keep_y ? x : y) >> 1, keep_y ? y : x);
    return t->equal->may;
}

// The size that replaces this one, or the size itself.
static MgIx replaced(MgOnnx *t, MgIx x) {
    uint64_t size, rank;
    MgIx other;
    if (!size_of(t, x, &size, &rank))
        return x;
    if (size & 1)
        return mg_ix_const(t->ix, (int64_t)(size >> 1));
    return mg_scope_size(t->scope, (MgSym)(size >> 1), &other) ? other : x;
}

void mg_onnx_take_equal(MgOnnxNode *n) {
    MgOnnx *t = n->t;
    for (uint32_t i = 0; t->equal->of.entries.len && i < n->n_inputs; i++) {
        MgOnnxValue *v = n->inputs[i];
        if (!v || !v->name)
            continue;
        MgIx *shape = mg_arena_copy(t->arena, v->type.shape, v->type.rank, sizeof *shape);
        bool same = true;
        for (uint32_t k = 0; k < v->type.rank; k++) {
            shape[k] = replaced(t, shape[k]);
            same &= shape[k] == v->type.shape[k];
        }
        if (same)
            continue;
        v->type.shape = shape;
        mg_scope_reshape(t->scope, v->name, shape);
    }
}

void mg_onnx_add_size(MgOnnx *t, MgSym name, MgText *out) {
    uint64_t size = standing(t, as_name(name));
    if (size & 1)
        mg_textf(out, "%llu", (unsigned long long)(size >> 1));
    else
        mg_text_add(out, mg_onnx_spelled(t, (MgSym)(size >> 1)));
}
