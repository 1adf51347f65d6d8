// Sequences and optionals. MG has neither: such a value is a list of values whose length is known
// while the model is translated, and only its elements appear in the text. An optional is a list of
// at most one element.
#include "frontend/onnx/internal.h"

MgOnnxValue *mg_onnx_list_of(MgOnnx *t, MgOnnxKind kind, MgOnnxValue *const *elements, uint32_t n) {
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    v->kind = kind;
    v->n_elements = n;
    v->elements = mg_arena_copy(t->arena, elements, n, sizeof *elements);
    return v;
}

const char *mg_onnx_kind_name(const MgOnnxValue *v) {
    return v->kind == MG_ONNX_SEQUENCE ? "a sequence" : v->kind ? "an optional" : "a tensor";
}

uint32_t mg_onnx_leaves(const MgOnnxValue *v) {
    uint32_t leaves = 0;
    for (uint32_t i = 0; v->kind && i < v->n_elements; i++)
        leaves += mg_onnx_leaves(v->elements[i]);
    return v->kind ? leaves : 1;
}

void mg_onnx_flatten(MgOnnxValue *v, MgOnnxValue **leaves, uint32_t *n) {
    for (uint32_t i = 0; v->kind && i < v->n_elements; i++)
        mg_onnx_flatten(v->elements[i], leaves, n);
    if (!v->kind)
        leaves[(*n)++] = v;
}

MgOnnxValue *mg_onnx_rebuild(MgOnnx *t, const MgOnnxValue *v, MgOnnxValue *const *leaves,
                             uint32_t *n) {
    if (!v->kind)
        return leaves[(*n)++];
    MgOnnxValue *out = mg_onnx_list_of(t, v->kind, v->elements, v->n_elements);
    for (uint32_t i = 0; i < v->n_elements; i++)
        out->elements[i] = mg_onnx_rebuild(t, v->elements[i], leaves, n);
    return out;
}

bool mg_onnx_same_structure(const MgOnnxValue *a, const MgOnnxValue *b) {
    bool same = a->kind == b->kind && (!a->kind || a->n_elements == b->n_elements);
    for (uint32_t i = 0; same && a->kind && i < a->n_elements; i++)
        same = mg_onnx_same_structure(a->elements[i], b->elements[i]);
    return same;
}

bool mg_onnx_has_lists(const MgOnnxNode *n) {
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i] && n->inputs[i]->kind)
            return true;
    return false;
}

bool mg_onnx_takes_lists(MgOnnxNode *n) {
    static const char *const ops[] = {"Identity",
                                      "If",
                                      "Loop",
                                      "SequenceAt",
                                      "SequenceErase",
                                      "SequenceInsert",
                                      "SequenceLength",
                                      "SequenceMap",
                                      "ConcatFromSequence",
                                      "Optional",
                                      "OptionalHasElement",
                                      "OptionalGetElement"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(n->row->name, ops[i]) && !*n->row->domain)
            return true;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i] && n->inputs[i]->kind)
            return mg_onnx_fail(n, "input %u ('%s') is %s; expected a tensor", i,
                                n->proto->input[i], mg_onnx_kind_name(n->inputs[i]));
    return true;
}

// ---------------------------------------------------------------- types of ports
MgOnnxKind mg_onnx_kind_of(const Onnx__TypeProto *type) {
    return !type                 ? MG_ONNX_TENSOR
           : type->sequence_type ? MG_ONNX_SEQUENCE
           : type->optional_type ? MG_ONNX_OPTIONAL
                                 : MG_ONNX_TENSOR;
}

const Onnx__TypeProto *mg_onnx_element_type(const Onnx__TypeProto *type) {
    return type->sequence_type   ? type->sequence_type->elem_type
           : type->optional_type ? type->optional_type->elem_type
                                 : NULL;
}
