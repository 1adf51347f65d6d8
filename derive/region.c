// Derivatives of conditionals, and the parts that loops and conditionals have in common: which
// values depend on x inside, and which values are read from outside.
//
// The derivative of an `if` is an `if` with the same condition. Its branches recompute the values
// and yield the adjoints of the values that either branch reads.
#include "derive/internal.h"

// ---------------------------------------------------------------- what depends on x

MgValueId *mg_yielded(MgDerivation *d, MgRegionId r, uint32_t *n) {
    const MgRegion *region = mg_region(d->g, r);
    const MgOp *yield = mg_op(d->g, region->ops.at[region->ops.len - 1]);
    *n = yield->n_operands;
    return yield->operands;
}

// Marks the ops of a region.
static void mark_region(MgDerivation *d, MgRegionId r) {
    for (uint32_t i = 0; i < mg_region(d->g, r)->ops.len; i++) {
        MgOpId id = mg_region(d->g, r)->ops.at[i];
        mg_find_depending(d, id, id + 1);
    }
}

void mg_find_depending_in(MgDerivation *d, MgOpId id) {
    const MgOp *op = mg_op(d->g, id);
    uint32_t n;
    if (op->kind == MG_OP_IF) {
        for (uint32_t k = 0; k < 2; k++) {
            mark_region(d, op->regions[k]);
            const MgValueId *yields = mg_yielded(d, op->regions[k], &n);
            for (uint32_t i = 0; i < n; i++)
                d->depends[op->results[i]] |= d->depends[yields[i]];
        }
        return;
    }
    const MgRegion *body = mg_region(d->g, op->regions[0]);
    const MgValueId *yields = mg_yielded(d, op->regions[0], &n);
    for (uint32_t i = 0; i < op->loop->n_carried; i++)
        d->depends[body->params.at[i]] |= d->depends[op->operands[i]];
    for (bool changed = true; changed;) {
        changed = false;
        mark_region(d, op->regions[0]);
        for (uint32_t i = 0; i < op->loop->n_carried; i++) {
            bool *param = &d->depends[body->params.at[i]];
            changed |= d->depends[yields[i]] && !*param;
            *param |= d->depends[yields[i]];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        d->depends[op->results[i]] =
            d->depends[yields[i]] || (i < op->loop->n_carried && d->depends[op->operands[i]]);
}

// ---------------------------------------------------------------- values from outside

// Adds the values that depend on x, that ops of the region read, and that are computed outside it.
void mg_find_read(MgDerivation *d, MgRegionId r, MgMap *inside, MgValueList *out) {
    const MgRegion region = *mg_region(d->g, r);
    for (uint32_t i = 0; i < region.params.len; i++)
        mg_map_put(inside, region.params.at[i], 1);
    for (uint32_t i = 0; i < region.ops.len; i++) {
        const MgOp op = *mg_op(d->g, region.ops.at[i]);
        for (uint32_t k = 0; k < op.n_operands && op.kind != MG_OP_ERASED; k++) {
            MgValueId v = op.operands[k];
            if (!d->depends[v] || mg_map_find(inside, v))
                continue;
            mg_map_put(inside, v, 1); // listed once
            mg_push(d->scratch, out, v);
        }
        for (uint32_t k = 0; k < op.n_regions; k++)
            mg_find_read(d, op.regions[k], inside, out);
        for (uint32_t k = 0; k < op.n_results; k++)
            mg_map_put(inside, op.results[k], 1);
    }
}

// Does an op in the region define a dimension, which a copy of it would define twice?
bool mg_makes_dimension(MgDerivation *d, MgRegionId r) {
    const MgRegion region = *mg_region(d->g, r);
    bool some = false;
    for (uint32_t i = 0; i < region.ops.len; i++) {
        const MgOp *op = mg_op(d->g, region.ops.at[i]);
        some |= op->dim || (op->loop && op->loop->trips);
        for (uint32_t k = 0; k < op->n_regions; k++)
            some |= mg_makes_dimension(d, op->regions[k]);
    }
    return some;
}

MgValueId mg_copy_of(const MgMap *copies, MgValueId v) {
    return (MgValueId)mg_map_get(copies, v, v);
}

void mg_yield(MgDerivation *d, const MgValueList *values) {
    mg_op_new(d->g, d->region, MG_OP_YIELD, values->at, values->len, d->of->origin);
}

// A name that no dimension has.
MgSym mg_counter_name(MgDerivation *d) {
    MgNames *names = d->m->session->names;
    MgSym name = mg_sym(names, "u");
    for (uint32_t n = 2; mg_map_find(&d->g->value_names, name); n++)
        name = mg_symf(names, "u%u", n);
    for (uint32_t i = 1, n = 2; i < mg_ix_n_syms(d->ix); i++)
        if (mg_ix_sym_name(d->ix, i) == name) {
            name = mg_symf(names, "u%u", n++);
            i = 0;
        }
    return name;
}

// ---------------------------------------------------------------- conditionals

static bool fill_branch(MgDerivation *d, const MgOp *op, uint32_t branch, MgOpId made,
                        const MgValueId *adjoints, const MgValueList *read) {
    MgDerivation in = *d;
    MgMap copies;
    uint32_t n;
    MgValueList sums = {0};
    mg_map_init(&copies, d->scratch);
    const MgValueId *yields = mg_yielded(d, op->regions[branch], &n);
    in.region = mg_region_new(d->g, made);
    MgOpId first = d->g->ops.len;
    mg_region_copy(d->g, op->regions[branch], in.region, &copies, NULL, NULL);
    MgOpId end = d->g->ops.len;
    mg_copy_own(&in, &copies);
    mg_derive_open(&in);
    mg_find_depending(&in, first, end);
    for (uint32_t i = 0; i < n; i++)
        if (adjoints[i] && in.depends[mg_copy_of(&copies, yields[i])])
            mg_reach(&in, mg_copy_of(&copies, yields[i]), adjoints[i]);
    if (!mg_walk_back(&in, first, end))
        return false;
    for (uint32_t i = 0; i < read->len; i++) {
        MgValueId sum = mg_add_adjoints(&in, read->at[i]);
        mg_push(d->scratch, &sums, sum ? sum : mg_zero_adjoint(&in, read->at[i]));
    }
    mg_yield(&in, &sums);
    return true;
}

bool mg_derive_if(MgDerivation *d, MgOpId id) {
    const MgOp op = *mg_op(d->g, id);
    MgValueList read = {0};
    MgMap inside;
    mg_map_init(&inside, d->scratch);
    MgValueId *adjoints = MG_NEW_N(d->scratch, MgValueId, op.n_results);
    for (uint32_t k = 0; k < 2; k++) {
        if (mg_makes_dimension(d, op.regions[k]))
            return mg_derive_refuse(d, id, "the data decide a size in this `if`");
        mg_find_read(d, op.regions[k], &inside, &read);
    }
    for (uint32_t i = 0; i < op.n_results; i++)
        adjoints[i] = mg_add_adjoints(d, op.results[i]);
    MgOpId made = mg_op_new(d->g, d->region, MG_OP_IF, op.operands, 1, d->of->origin);
    for (uint32_t k = 0; k < 2; k++)
        if (!fill_branch(d, &op, k, made, adjoints, &read))
            return false;
    for (uint32_t i = 0; i < read.len; i++) {
        const MgValue v = *mg_value(d->g, read.at[i]);
        mg_reach(d, read.at[i],
                 mg_op_result(d->g, made, mg_adjoint_name(d, read.at[i]), v.dtype,
                              d->n_extra + v.rank, mg_adjoint_shape(d, read.at[i])));
    }
    return true;
}
