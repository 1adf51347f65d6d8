// Calls that state a derivative of their own. The call is one step: its adjoints go from the
// results to the operands, and nothing inside the call is visited.
//
// The tangent follows from the same text. The derivative d_x(g) = J^T g is linear in the adjoint g.
// So its own derivative with respect to g, along a tangent v of x, is J v (the transpose of a
// transpose).
#include "derive/internal.h"

static const MgValueId *results_of(const MgOwn *own) {
    return own->values + own->n_operands;
}

static void list(MgDerivation *d, uint32_t place) {
    const MgOwn *own = &d->of->own->at[place];
    for (uint32_t i = 0; i < own->n_results; i++)
        mg_map_put(d->owned, results_of(own)[i], 1 + place);
}

void mg_list_own(MgDerivation *d) {
    d->owned = MG_NEW(d->scratch, MgMap);
    mg_map_init(d->owned, d->scratch);
    for (uint32_t i = 0; d->of->own && i < d->of->own->len; i++)
        list(d, i);
}

void mg_copy_own(MgDerivation *d, const MgMap *copies) {
    uint32_t n = d->of->own ? d->of->own->len : 0;
    for (uint32_t i = 0; i < n; i++) {
        MgOwn own = d->of->own->at[i];
        if (!own.n_results || !mg_map_find(copies, results_of(&own)[0]))
            continue;
        uint32_t all = own.n_operands + own.n_results;
        MgValueId *values = MG_NEW_N(d->m->arena, MgValueId, all);
        for (uint32_t k = 0; k < all; k++)
            values[k] = (MgValueId)mg_map_get(copies, own.values[k], own.values[k]);
        own.values = values;
        mg_push(d->m->arena, d->of->own, own);
        list(d, d->of->own->len - 1);
    }
}

const MgOwn *mg_own_of(MgDerivation *d, MgOpId id) {
    const MgOp *op = mg_op(d->g, id);
    for (uint32_t k = 0; k < op->n_results && op->kind != MG_OP_ERASED; k++) {
        uint64_t place = mg_map_get(d->owned, op->results[k], 0);
        if (place)
            return &d->of->own->at[place - 1];
    }
    return NULL;
}

bool mg_own_depends(MgDerivation *d, const MgOwn *own) {
    for (uint32_t i = 0; i < own->n_operands; i++)
        if (d->depends[own->values[i]])
            return true;
    return false;
}

bool mg_derive_own(MgDerivation *d, MgOpId op, const MgOwn *of) {
    const MgOwn own = *of; // the list may grow
    MgValueId *adjoints = MG_NEW_N(d->scratch, MgValueId, own.n_results);
    MgValueId *shares = MG_NEW_N(d->scratch, MgValueId, own.n_operands);
    if (d->n_extra)
        return mg_derive_refuse(d, op,
                                "the derivative that the op states is along one adjoint: "
                                "give `along`");
    for (uint32_t i = 0; i < own.n_results; i++) {
        MgValueId result = results_of(&own)[i], sum = mg_add_adjoints(d, result);
        adjoints[i] = sum ? sum : mg_zero_adjoint(d, result);
        d->adjoints[result].len = 0;
    }
    if (!d->of->own_rule(d->of->ctx, &own, d->region, adjoints, shares))
        return mg_derive_refuse(d, op, NULL);
    for (uint32_t i = 0; i < own.n_operands; i++)
        if (shares[i] && d->depends[own.values[i]])
            mg_reach(d, own.values[i], shares[i]);
    return true;
}

// Adds what operand i contributes: its share by each adjoint, along the operand's tangent.
static bool add_tangents(MgDerivation *d, const MgOwn *own, uint32_t i, MgValueId share,
                         const MgValueId *adjoints) {
    MgDerive of = *d->of;
    of.region = d->region;
    of.y = share;
    of.along = d->tangents[own->values[i]];
    of.towards = MG_NONE;
    of.xs = adjoints;
    of.n_xs = own->n_results;
    of.results = MG_NEW_N(d->scratch, MgValueId, own->n_results);
    bool ok = mg_derive(&of);
    for (uint32_t k = 0; k < own->n_results && ok; k++)
        if (of.results[k])
            mg_reach(d, results_of(own)[k], of.results[k]);
    d->of->refused = of.refused;
    d->of->reason = of.reason;
    return ok;
}

bool mg_tangent_own(MgDerivation *d, MgOpId op, const MgOwn *of) {
    const MgOwn own = *of;
    MgValueId *adjoints = MG_NEW_N(d->scratch, MgValueId, own.n_results);
    MgValueId *shares = MG_NEW_N(d->scratch, MgValueId, own.n_operands);
    if (d->tangents[results_of(&own)[0]])
        return true; // the call's other results
    for (uint32_t i = 0; i < own.n_results; i++)
        adjoints[i] = mg_zero_adjoint(d, results_of(&own)[i]);
    if (!d->of->own_rule(d->of->ctx, &own, d->region, adjoints, shares))
        return mg_derive_refuse(d, op, NULL);
    for (uint32_t i = 0; i < own.n_operands; i++)
        if (shares[i] && d->tangents[own.values[i]] &&
            !add_tangents(d, &own, i, shares[i], adjoints))
            return false;
    for (uint32_t i = 0; i < own.n_results; i++) {
        MgValueId sum = mg_add_adjoints(d, results_of(&own)[i]);
        d->tangents[results_of(&own)[i]] = sum ? sum : adjoints[i];
    }
    return true;
}
