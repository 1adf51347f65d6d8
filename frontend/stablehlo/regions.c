// Regions of several operations over numbers. Such a region is translated once for all elements of
// a shape: its arguments become tensors of this shape, and its operations, which must be
// elementwise, become equations over them. Numbers from outside the region stay numbers.
#include "frontend/stablehlo/internal.h"

#include <string.h>

const MgHloOp *mg_hlo_lift(MgHlo *t, const MgHloOp *op, bool each) {
    MgHloOp *out = MG_NEW(t->arena, MgHloOp);
    *out = *op;
    out->types = MG_NEW_N(t->arena, MgHloType, op->n_results + 1);
    for (uint32_t k = 0; k < op->n_results; k++) {
        each &= !op->types[k].rank;
        out->types[k] = (MgHloType){op->types[k].dtype, t->lift->rank, t->lift->dims, false};
    }
    if (each)
        return out;
    mg_hlo_unsupported(t, op->at, "%s in a region that combines numbers", op->name);
    return NULL;
}

bool mg_hlo_region(MgHloNode *n, const MgHloBlock *block, const MgHloType *shape, MgHloValue **args,
                   uint32_t n_args, MgHloValue **results, uint32_t count) {
    MgHlo *t = n->t;
    const MgHloType *outer = t->lift;
    bool fits = block->n_args == n_args;
    for (uint32_t k = 0; k < n_args && fits; k++)
        fits = !block->types[k].rank && block->types[k].dtype == args[k]->type.dtype;
    if (!fits)
        return mg_hlo_fail(t, n->op->at, "the region has other arguments");
    t->lift = shape;
    bool ok = mg_hlo_block(t, n->frame, block, args, results, count, n->op->at);
    t->lift = outer;
    return ok;
}

static bool same_dtypes(MgHloNode *n, MgHloValue **results, MgHloValue **values) {
    for (uint32_t k = 0; k < n->op->n_results; k++)
        if (results[k]->type.dtype != values[k]->type.dtype)
            return mg_hlo_fail(n->t, n->op->at, "the region gives result %u in another type", k);
    return true;
}

// Every second element of the last axis. The right one of an odd number's last pair is 0.
static MgHloValue *half(MgHloNode *n, MgHloValue *v, const MgHloType *shape, bool right) {
    MgHlo *t = n->t;
    uint32_t last = shape->rank - 1;
    const char **at = MG_NEW_N(t->arena, const char *, shape->rank);
    memcpy(at, mg_hlo_indices(t, shape->rank), shape->rank * sizeof *at);
    at[last] = mg_hlo_text(t, "2 * i%u%s", last, right ? " + 1" : "");
    const char *x = mg_hlo_read(t, v, at);
    if (right && v->type.dims[last] % 2)
        x = mg_hlo_text(t, "(%s else %s)", x, v->type.dtype == MG_BOOL ? "false" : "0");
    MgHloType type = {v->type.dtype, shape->rank, shape->dims, false};
    MgHloValue *part = mg_hlo_let(t, n->op, right ? "right" : "left", type, x);
    part->lifted = true;
    return part;
}

// Combines neighbours along the last axis. The last one of an odd number stays.
static bool halve(MgHloNode *n, const MgHloBlock *block, MgHloValue **values) {
    MgHlo *t = n->t;
    uint32_t count = n->op->n_results, last = values[0]->type.rank - 1;
    int64_t length = values[0]->type.dims[last],
            *dims = mg_arena_copy(t->arena, values[0]->type.dims, last + 1, sizeof *dims);
    dims[last] = length / 2 + length % 2;
    MgHloType shape = {values[0]->type.dtype, last + 1, dims, false};
    MgHloValue **args = MG_NEW_N(t->arena, MgHloValue *, 2 * (size_t)count);
    MgHloValue **results = MG_NEW_N(t->arena, MgHloValue *, count);
    for (uint32_t k = 0; k < count; k++) {
        args[k] = half(n, values[k], &shape, false);
        args[count + k] = half(n, values[k], &shape, true);
    }
    if (!mg_hlo_region(n, block, &shape, args, 2 * count, results, count) ||
        !same_dtypes(n, results, values))
        return false;
    const char *const *at = mg_hlo_indices(t, shape.rank);
    for (uint32_t k = 0; k < count; k++) {
        const char *x = mg_hlo_read(t, results[k], at);
        if (length % 2)
            x = mg_hlo_text(t, "where(2 * i%u + 1 < %lld, %s, %s)", last, (long long)length, x,
                            mg_hlo_read(t, args[k], at));
        values[k] = mg_hlo_let(t, n->op, "pair", args[k]->type, x);
    }
    return true;
}

bool mg_hlo_fold(MgHloNode *n, const MgHloBlock *block, MgHloValue **values) {
    MgHlo *t = n->t;
    uint32_t count = n->op->n_results, last = values[0]->type.rank - 1;
    const MgHloType kept = {values[0]->type.dtype, last, values[0]->type.dims, false};
    MgHloValue **args = MG_NEW_N(t->arena, MgHloValue *, 2 * (size_t)count);
    MgHloValue **results = MG_NEW_N(t->arena, MgHloValue *, count);
    const char **at = MG_NEW_N(t->arena, const char *, last + 1);
    if (mg_hlo_is_open(values[0]->type.dims[last]))
        return mg_hlo_all_closed(n, &values[0]->type);
    for (uint32_t k = 0; k < count; k++) {
        results[k] = args[k] = n->inputs[count + k];
        if (args[k]->type.rank || args[k]->type.dtype != values[k]->type.dtype)
            return mg_hlo_fail(t, n->op->at, "the first value of result %u is no such number", k);
    }
    while (values[0]->type.dims[last] > 1)
        if (!halve(n, block, values))
            return false;
    memcpy(at, mg_hlo_indices(t, last), last * sizeof *at);
    at[last] = "0";
    if (values[0]->type.dims[last]) {
        for (uint32_t k = 0; k < count; k++) {
            MgHloType type = {values[k]->type.dtype, last, kept.dims, false};
            args[count + k] = mg_hlo_let(t, n->op, "all", type, mg_hlo_read(t, values[k], at));
            args[count + k]->lifted = true;
        }
        if (!mg_hlo_region(n, block, &kept, args, 2 * count, results, count) ||
            !same_dtypes(n, results, values))
            return false;
    }
    for (uint32_t k = 0; k < count; k++)
        mg_hlo_give(n, k, mg_hlo_read(t, results[k], mg_hlo_indices(t, last)));
    return true;
}

bool mg_hlo_op_map(MgHloNode *n) {
    MgHlo *t = n->t;
    uint32_t count = n->op->n_operands;
    if (!count || n->op->n_results != 1 || n->op->n_regions != 1)
        return mg_hlo_fail(t, n->op->at, "a map has operands, a region and one result");
    const MgHloType *shape = &n->op->types[0];
    MgHloValue **args = MG_NEW_N(t->arena, MgHloValue *, count), *made;
    const char *const *at = mg_hlo_indices(t, shape->rank);
    for (uint32_t k = 0; k < count; k++) {
        const MgHloType *mine = &n->inputs[k]->type;
        if (mine->rank != shape->rank ||
            (mine->rank && memcmp(mine->dims, shape->dims, mine->rank * sizeof *mine->dims) != 0))
            return mg_hlo_fail(t, n->op->at, "the operands' shapes differ from the result's");
        args[k] = mg_hlo_let(t, n->op, "each", *mine, mg_hlo_read(t, n->inputs[k], at));
        args[k]->lifted = true;
    }
    return mg_hlo_region(n, n->op->regions[0], shape, args, count, &made, 1) &&
           (made->type.dtype == shape->dtype ||
            mg_hlo_fail(t, n->op->at, "the region gives another type")) &&
           mg_hlo_give(n, 0, mg_hlo_read(t, made, at));
}
