// Orders that data decide: sorts.
#include "frontend/stablehlo/internal.h"

#include <string.h>

// The comparator's argument from which a value is made, if the computation only clears the sign of
// zero and of NaN.
static const char *origin(const MgHloBlock *block, const char *name) {
    for (uint32_t i = 0; i < block->ops.len; i++) {
        const MgHloOp *op = mg_hlo_maker(block, name);
        if (!op || strcmp(op->name, "stablehlo.select") || op->n_operands != 3)
            return name;
        name = op->operands[2];
    }
    return name;
}

// The operand by which a comparator orders, and the direction. False if it is another kind of
// comparator.
static bool order_of(const MgHloBlock *block, uint32_t *key, bool *descending) {
    const MgHloOp *end = block->ops.at[block->ops.len - 1];
    const MgHloOp *op = end->n_operands == 1 ? mg_hlo_maker(block, end->operands[0]) : NULL;
    if (!op || strcmp(op->name, "stablehlo.compare") || op->n_operands != 2)
        return false;
    const char *a = origin(block, op->operands[0]), *b = origin(block, op->operands[1]);
    for (uint32_t k = 0; k + 1 < block->n_args; k += 2)
        if (!strcmp(a, block->args[k]) && !strcmp(b, block->args[k + 1])) {
            MgHloToken word = mg_hlo_token(op->attributes.at, op->attributes.at);
            *key = k / 2;
            *descending = mg_hlo_is(&word, "GT") || mg_hlo_is(&word, "GE");
            return *descending || mg_hlo_is(&word, "LT") || mg_hlo_is(&word, "LE");
        }
    return false;
}

static void give_whole(MgHloNode *n, uint32_t k, const char *expression) {
    const char *name = mg_hlo_result_name(n, k);
    n->outputs[k] = mg_hlo_value(n->t, n->op->types[k], name);
    mg_hlo_say(n->t, n->op, "%s = %s", name, expression);
}

// Counts, for each element, those of its line that come before it: its place in the order. The
// region compares every two of them. Of two elements that it doesn't order, the first comes first.
static MgHloValue *places(MgHloNode *n, uint32_t axis) {
    enum { MOST = 1 << 26 }; // comparisons
    MgHlo *t = n->t;
    const MgHloType *type = &n->inputs[0]->type;
    uint32_t rank = type->rank, count = n->op->n_operands;
    if (!mg_hlo_all_closed(n, type))
        return NULL;
    int64_t length = type->dims[axis], *dims = MG_NEW_N(t->arena, int64_t, rank + 1);
    MgHloValue **args = MG_NEW_N(t->arena, MgHloValue *, 2 * (size_t)count), *less;
    const char *const *at = mg_hlo_indices(t, rank + 1);
    const char **turned = mg_arena_copy(t->arena, at, rank + 1, sizeof *at);
    if (length && mg_hlo_count(t, type) > MOST / length) {
        mg_hlo_unsupported(t, n->op->at,
                           "an order of so many elements by more than one comparison");
        return NULL;
    }
    memcpy(dims, type->dims, rank * sizeof *dims);
    dims[rank] = length;
    turned[axis] = at[rank];
    turned[rank] = at[axis];
    for (uint32_t k = 0; k < count; k++) {
        MgHloType pairs = {n->inputs[k]->type.dtype, rank + 1, dims, false};
        args[2 * k] = mg_hlo_let(t, n->op, "a", pairs, mg_hlo_read(t, n->inputs[k], turned));
        args[2 * k + 1] = mg_hlo_let(t, n->op, "b", pairs, mg_hlo_read(t, n->inputs[k], at));
        args[2 * k]->lifted = args[2 * k + 1]->lifted = true;
    }
    const MgHloType pairs = {MG_BOOL, rank + 1, dims, false};
    if (!mg_hlo_region(n, n->op->regions[0], &pairs, args, 2 * count, &less, 1))
        return NULL;
    if (less->type.dtype != MG_BOOL) {
        mg_hlo_fail(t, n->op->at, "an order is a bool");
        return NULL;
    }
    less = mg_hlo_let(t, n->op, "less", pairs, mg_hlo_read(t, less, at));
    const char *before = mg_hlo_read(t, less, at), *after = mg_hlo_read(t, less, turned);
    return mg_hlo_let(
        t, n->op, "place", (MgHloType){MG_I64, rank, type->dims, false},
        mg_hlo_text(t, "sum[%s in 0..%lld] where(%s and not %s or %s == %s and %s < %s, i64(1), 0)",
                    at[rank], (long long)length, before, after, before, after, at[rank], at[axis]));
}

static bool sort_by_region(MgHloNode *n, uint32_t axis) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->inputs[0]->type;
    MgHloValue *place = places(n, axis);
    if (!place)
        return false;
    MgText left = mg_text(t->arena), over = mg_text(t->arena);
    const char *const *at = mg_hlo_indices(t, type->rank);
    for (uint32_t i = 0; i < type->rank; i++) {
        mg_textf(&left, "%s%s", i ? ", " : "", i == axis ? mg_hlo_read(t, place, at) : at[i]);
        mg_textf(&over, "%si%u in 0..%lld", i ? ", " : "", i, (long long)type->dims[i]);
    }
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        const char *name = mg_hlo_result_name(n, k), *x = mg_hlo_name(t, n->inputs[k]);
        n->outputs[k] = mg_hlo_value(t, n->op->types[k], name);
        mg_hlo_say(t, n->op, "%s[%s]: %s = last[%s] %s over %s", name, mg_text_str(&left),
                   mg_hlo_shape(t, &n->op->types[k]), mg_text_str(&over),
                   mg_hlo_read(t, n->inputs[k], at), x);
    }
    return true;
}

bool mg_hlo_op_sort(MgHloNode *n) {
    MgHlo *t = n->t;
    uint32_t key;
    bool descending;
    int64_t axis = mg_hlo_int(n, "dimension", -1);
    if (!n->op->n_operands || n->op->n_operands != n->op->n_results || n->op->n_regions != 1 ||
        n->op->regions[0]->n_args != 2 * n->op->n_operands || axis < -1 ||
        axis >= (int64_t)n->inputs[0]->type.rank)
        return mg_hlo_fail(t, n->op->at, "a sort gives its operands in another order");
    for (uint32_t k = 0; k < n->op->n_operands; k++)
        if (n->inputs[k]->type.rank != n->inputs[0]->type.rank || !n->inputs[k]->type.rank ||
            memcmp(n->inputs[k]->type.dims, n->inputs[0]->type.dims,
                   n->inputs[0]->type.rank * sizeof(int64_t)) != 0)
            return mg_hlo_fail(t, n->op->at, "the operands' shapes differ");
    if (!order_of(n->op->regions[0], &key, &descending) || n->inputs[key]->type.dtype == MG_BOOL)
        return sort_by_region(n, (uint32_t)(axis < 0 ? n->inputs[0]->type.rank - 1 : axis));
    const char *way = descending ? ", descending = true" : "";
    const char *x = mg_hlo_name(t, n->inputs[key]);
    bool total = descending && mg_is_float(n->inputs[key]->type.dtype); // NaN comes first
    if (total)
        x = mg_hlo_text(t, "stablehlo.total_order(%s)", x);
    if (n->op->n_operands == 1 && !total) {
        give_whole(n, 0, mg_hlo_text(t, "sort(%s, axis = %lld%s)", x, (long long)axis, way));
        return true;
    }
    MgHloType places = n->inputs[key]->type;
    places.dtype = MG_I64;
    MgHloValue *p =
        mg_hlo_let_whole(t, n->op, "order", places,
                         mg_hlo_text(t, "argsort(%s, axis = %lld%s)", x, (long long)axis, way));
    for (uint32_t k = 0; k < n->op->n_operands; k++)
        give_whole(n, k,
                   mg_hlo_text(t, "gather_elements(%s, %s, axis = %lld)",
                               mg_hlo_name(t, n->inputs[k]), p->text, (long long)axis));
    return true;
}

bool mg_hlo_op_top_k(MgHloNode *n) {
    MgHlo *t = n->t;
    int64_t k = mg_hlo_int(n, "k", -1);
    if (n->op->n_operands != 1 || n->op->n_results != 2 || k < 0)
        return mg_hlo_fail(t, n->op->at, "top_k has one operand and two results");
    const char *at = mg_hlo_fresh(t, "places"), *x = mg_hlo_name(t, n->inputs[0]);
    mg_hlo_say(t, n->op, "%s = stablehlo.top_places(%s, k = %lld)", at, x, (long long)k);
    give_whole(n, 0, mg_hlo_text(t, "gather_elements(%s, %s, axis = -1)", x, at));
    give_whole(n, 1,
               mg_hlo_text(t, "cast(%s, to = %s)", at, mg_dtype(n->op->types[1].dtype)->name));
    return true;
}
