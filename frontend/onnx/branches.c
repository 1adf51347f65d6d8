// Joins the branches of an If: each pair of values becomes one value of the graph around it.
//
// If the translator knows the numbers of both values, as it does for sizes, nothing is computed:
// each number becomes a choice of two, and thus a size with a bound. If the sizes of two values
// differ, both are padded to the larger size, and the part that the chosen branch filled is cut
// out.
#include "frontend/onnx/internal.h"

static bool same_shape(const MgScopeType *a, const MgScopeType *b) {
    bool same = a->rank == b->rank;
    for (uint32_t k = 0; same && k < a->rank; k++)
        same = a->shape[k] == b->shape[k];
    return same;
}

// The known numbers of the value that is chosen. NULL if they are not known here.
static MgOnnxValue *known_both(MgOnnxNode *n, const char *condition, const MgOnnxValue *a,
                               const MgOnnxValue *b) {
    bool known = a->known && b->known && a->n_known == b->n_known && mg_is_int(a->type.dtype) &&
                 same_shape(&a->type, &b->type);
    for (uint32_t k = 0; known && k < a->n_known; k++)
        known = !a->known[k].real && !b->known[k].real &&
                mg_scope_is_outer(n->t->scope, a->known[k].ix) &&
                mg_scope_is_outer(n->t->scope, b->known[k].ix);
    if (!known)
        return NULL;
    MgOnnxNumber *numbers = MG_NEW_N(n->t->arena, MgOnnxNumber, a->n_known + 1);
    for (uint32_t k = 0; k < a->n_known; k++)
        numbers[k].ix = mg_onnx_late_between(n, condition, a->known[k].ix, b->known[k].ix);
    MgOnnxValue *v = MG_NEW(n->t->arena, MgOnnxValue);
    v->type = a->type;
    v->known = numbers;
    v->n_known = a->n_known;
    return v;
}

// A branch's value, padded with zeros at the end to this shape.
static const char *padded(MgOnnxNode *n, const char *name, const MgScopeType *type,
                          const MgIx *shape) {
    int64_t *before = MG_NEW_N(n->t->arena, int64_t, type->rank + 1);
    MgIx *after = MG_NEW_N(n->t->arena, MgIx, type->rank + 1);
    for (uint32_t k = 0; k < type->rank; k++)
        after[k] = mg_ix_sub(n->t->ix, shape[k], type->shape[k]);
    return mg_onnx_text(n, "pad(%s, before = %s, after = %s)", name,
                        mg_onnx_list(n, before, type->rank), mg_onnx_ix_list(n, after, type->rank));
}

// Pads value k of both branches to the larger of their sizes. False after an error.
static bool widen(MgOnnxNode *n, uint32_t k, MgOnnxBranch *then, MgOnnxBranch *otherwise) {
    const MgScopeType *a = &then->types[k], *b = &otherwise->types[k];
    MgIx *most = MG_NEW_N(n->t->arena, MgIx, a->rank + 1);
    for (uint32_t i = 0; i < a->rank; i++) {
        if (!mg_scope_is_outer(n->t->scope, a->shape[i]) ||
            !mg_scope_is_outer(n->t->scope, b->shape[i]))
            return mg_onnx_unsupported(n, "branches whose sizes data decide inside them");
        most[i] = mg_onnx_larger(n, a->shape[i], b->shape[i]);
    }
    then->names[k] = padded(n, then->names[k], a, most);
    otherwise->names[k] = padded(n, otherwise->names[k], b, most);
    return true;
}

// The part of value k that the chosen branch filled.
static const char *cut_out(MgOnnxNode *n, uint32_t k, const char *condition, const char *whole,
                           const MgOnnxBranch *then, const MgOnnxBranch *otherwise) {
    const MgScopeType *a = &then->types[k], *b = &otherwise->types[k];
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->shape[i] != b->shape[i])
            whole = mg_onnx_text(
                n, "part(%s, axis = %u, start = 0, length = %s)", whole, i,
                mg_onnx_ix(n, mg_onnx_late_between(n, condition, a->shape[i], b->shape[i])));
    return whole;
}

static void add_block(const MgOnnxBranch *b, const uint32_t *from, uint32_t count, MgText *out) {
    mg_textf(out, "{\n%s", b->text);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(out, "%s %s", i ? "," : "yield", b->names[from[i]]);
    mg_text_add(out, "\n}");
}

bool mg_onnx_join(MgOnnxNode *n, const char *condition, MgOnnxBranch *then, MgOnnxBranch *otherwise,
                  const int32_t *outputs, MgOnnxValue **values) {
    MgArena *arena = n->t->arena;
    const char *truth = mg_onnx_text(n, "%s[]", condition);
    uint32_t *from = MG_NEW_N(arena, uint32_t, then->n + 1), count = 0;
    int32_t *to = MG_NEW_N(arena, int32_t, then->n + 1);
    MgOnnxValue **made = MG_NEW_N(arena, MgOnnxValue *, then->n + 1);
    for (uint32_t k = 0; k < then->n; k++) {
        if ((values[k] = known_both(n, truth, then->values[k], otherwise->values[k])))
            continue;
        bool same = same_shape(&then->types[k], &otherwise->types[k]);
        if (!same && !widen(n, k, then, otherwise))
            return false;
        to[count] = same ? outputs[k] : -1;
        from[count++] = k;
    }
    if (!count)
        return !n->failed;
    MgText out = mg_text(arena);
    mg_textf(&out, "if %s ", condition);
    add_block(then, from, count, &out);
    mg_text_add(&out, " else ");
    add_block(otherwise, from, count, &out);
    bool ok = mg_onnx_give_as(n, to, count, mg_text_str(&out), made);
    for (uint32_t i = 0; i < count && ok; i++) {
        uint32_t k = from[i];
        values[k] = made[i];
        if (same_shape(&then->types[k], &otherwise->types[k]))
            continue;
        const char *whole = mg_onnx_spelled(n->t, made[i]->name);
        ok = mg_onnx_give_as(n, &outputs[k], 1, cut_out(n, k, truth, whole, then, otherwise),
                             &values[k]);
    }
    return ok;
}
