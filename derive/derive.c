// Walks back from y to x and adds the contributions to each value; see derive.h.
#include "derive/internal.h"

bool mg_derive_refuse(MgDerivation *d, MgOpId op, const char *reason) {
    if (!d->of->refused) {
        d->of->refused = op;
        d->of->reason = reason;
    }
    return false;
}

// ---------------------------------------------------------------- what depends on x

static bool reads_some(const MgDerivation *d, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (d->depends[op->operands[i]])
            return true;
    return false;
}

static bool equation_flows(MgDerivation *d, MgOpId id) {
    const MgOp *op = mg_op(d->g, id);
    if (!mg_is_float(mg_value(d->g, op->results[0])->dtype) || !reads_some(d, op))
        return false;
    if (op->equation->has_base && d->depends[op->operands[op->n_operands - 1]])
        return true;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        if (mg_flows(d, mg_name_values(d, op, op->equation->pieces[i].expr)))
            return true;
    return false;
}

// An op has a smaller number than those that read its results, or that it holds.
void mg_find_depending(MgDerivation *d, MgOpId first, MgOpId end) {
    for (MgOpId id = first; id < end; id++) {
        const MgOp *op = mg_op(d->g, id);
        if (!op->n_results) // erased, or a loop around this derivative
            continue;
        if (op->kind == MG_OP_LOOP || op->kind == MG_OP_IF)
            mg_find_depending_in(d, id);
        if (op->kind == MG_OP_EQUATION && equation_flows(d, id))
            d->depends[op->results[0]] = true;
        const MgOwn *own = mg_own_of(d, id);
        for (uint32_t k = 0; own && k < op->n_results; k++)
            if (mg_map_find(d->owned, op->results[k]))
                d->depends[op->results[k]] = mg_own_depends(d, own);
    }
}

// ---------------------------------------------------------------- adjoints

MgIx *mg_adjoint_shape(MgDerivation *d, MgValueId v) {
    const MgValue *value = mg_value(d->g, v);
    MgIx *shape = MG_NEW_N(d->scratch, MgIx, d->n_extra + value->rank);
    for (uint32_t i = 0; i < d->n_extra + value->rank; i++)
        shape[i] = i < d->n_extra ? d->extra[i] : value->shape[i - d->n_extra];
    return shape;
}

MgSym mg_adjoint_name(MgDerivation *d, MgValueId v) {
    MgNames *names = d->m->session->names;
    return mg_symf(names, "d_%s", mg_name(names, mg_value(d->g, v)->name));
}

// A draft with one index for each dimension of an adjoint of v, all of them free.
static MgDraft over_adjoint(MgDerivation *d, MgValueId v, const MgSx **subs) {
    MgDraft draft = {.d = d};
    MgNames *names = d->m->session->names;
    MgIx *shape = mg_adjoint_shape(d, v);
    for (uint32_t k = 0; k < d->n_extra + mg_value(d->g, v)->rank; k++) {
        MgSym name =
            k < d->n_extra ? mg_symf(names, "e%u", k) : mg_symf(names, "i%u", k - d->n_extra);
        mg_draft_target(&draft, mg_draft_index(&draft, name, mg_ix_const(d->ix, 0), shape[k]));
        subs[k] = draft.target[k].sub;
    }
    return draft;
}

static MgValueId emit_adjoint(MgDraft *draft, MgValueId v) {
    MgDerivation *d = draft->d;
    return mg_draft_emit(draft, mg_adjoint_name(d, v), mg_value(d->g, v)->dtype,
                         mg_adjoint_shape(d, v));
}

static MgDType compute_type(MgDerivation *d, MgValueId v) {
    return mg_dtype(mg_value(d->g, v)->dtype)->compute;
}

// dy/dy: 1, or for a Jacobian 1 on the diagonal.
static MgValueId seed(MgDerivation *d, MgValueId y) {
    const MgSx *subs[MG_DRAFT_INDICES], *condition = NULL;
    MgDraft draft = over_adjoint(d, y, subs);
    for (uint32_t k = 0; k < d->n_extra; k++)
        condition = mg_derive_both(d, condition,
                                   mg_derive_compare(d, MG_PRIM_EQ, subs[k], subs[d->n_extra + k]));
    draft.expr = mg_derive_where(d, condition, mg_sx_double(d->m, compute_type(d, y), 1));
    return emit_adjoint(&draft, y);
}

MgValueId mg_zero_adjoint(MgDerivation *d, MgValueId v) {
    const MgSx *subs[MG_DRAFT_INDICES];
    MgDraft draft = over_adjoint(d, v, subs);
    draft.expr = mg_sx_double(d->m, compute_type(d, v), 0);
    return emit_adjoint(&draft, v);
}

// ---------------------------------------------------------------- the walk

static bool derive_op(MgDerivation *d, MgOpId id) {
    const MgOwn *own = mg_own_of(d, id);
    if (own)
        return mg_derive_own(d, id, own);
    switch (mg_op(d->g, id)->kind) {
    case MG_OP_EQUATION:
        return mg_derive_equation(d, id, mg_add_adjoints(d, mg_op(d->g, id)->results[0]));
    case MG_OP_LOOP:
        return mg_derive_loop(d, id);
    case MG_OP_IF:
        return mg_derive_if(d, id);
    default:
        return mg_derive_refuse(d, id, "only equations, loops and `if` have one");
    }
}

bool mg_walk_back(MgDerivation *d, MgOpId first, MgOpId end) {
    bool ok = true;
    for (MgOpId id = end; id-- > first && ok;) {
        const MgOp *op = mg_op(d->g, id);
        bool found = false;
        for (uint32_t k = 0; k < op->n_results && op->kind != MG_OP_ERASED; k++) {
            MgValueId v = op->results[k];
            found |= v < d->n_values && d->depends[v] && !d->independent[v] && d->adjoints[v].len;
        }
        ok = !found || derive_op(d, id);
    }
    return ok;
}

// The requirements of the graph, and the facts about the counters of the loops around the region.
static void find_facts(MgDerivation *d) {
    MgIx *requires, one = mg_ix_const(d->ix, 1);
    uint32_t n = mg_graph_facts(d->g, d->scratch, &requires);
    MG_VEC(MgIx) facts = {0};
    for (uint32_t i = 0; i < n; i++)
        mg_push(d->scratch, &facts, requires[i]);
    for (MgOpId id = mg_region(d->g, d->region)->parent; id;
         id = mg_region(d->g, mg_op(d->g, id)->region)->parent) {
        const MgLoop *loop = mg_op(d->g, id)->loop;
        if (!loop)
            continue;
        MgIx counter = mg_ix_sym(d->ix, loop->counter), last = mg_ix_sub(d->ix, loop->high, one);
        mg_push(d->scratch, &facts, mg_ix_sub(d->ix, counter, loop->low));
        if (loop->counted) {
            mg_push(d->scratch, &facts, mg_ix_sub(d->ix, last, counter));
            mg_push(d->scratch, &facts, mg_ix_sub(d->ix, last, loop->low));
        }
    }
    d->facts = facts.at;
    d->n_facts = facts.len;
}

void mg_derive_open(MgDerivation *d) {
    uint32_t before = d->n_values;
    const bool *depends = d->depends, *independent = d->independent;
    d->n_values = d->g->values.len;
    d->depends = MG_NEW_N(d->scratch, bool, d->n_values);
    d->independent = MG_NEW_N(d->scratch, bool, d->n_values);
    const MgValueId *tangents = d->tangents;
    d->adjoints = MG_NEW_N(d->scratch, MgAdjoints, d->n_values);
    d->tangents = MG_NEW_N(d->scratch, MgValueId, d->n_values);
    for (uint32_t i = 0; i < before; i++) {
        d->depends[i] = depends[i];
        d->independent[i] = independent[i];
        d->tangents[i] = tangents[i];
    }
    find_facts(d);
}

// The tangent of y for the change `towards` of the only x.
static bool find_tangent(MgDerivation *d, MgOpId end) {
    MgDerive *of = d->of;
    bool *needed = MG_NEW_N(d->scratch, bool, d->n_values);
    needed[of->y] = true;
    d->tangents[of->xs[0]] = of->towards;
    bool ok = mg_walk_forward(d, 1, end, needed);
    of->results[0] = ok ? d->tangents[of->y] : MG_NONE;
    return ok;
}

static bool find_adjoints(MgDerivation *d, MgOpId end) {
    MgDerive *of = d->of;
    mg_reach(d, of->y, of->along ? of->along : seed(d, of->y));
    bool ok = d->independent[of->y] || mg_walk_back(d, 1, end);
    for (uint32_t i = 0; i < of->n_xs && ok; i++)
        of->results[i] = mg_add_adjoints(d, of->xs[i]);
    return ok;
}

bool mg_derive(MgDerive *of) {
    MgGraph *g = of->g;
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    const MgValue y = *mg_value(g, of->y);
    MgDerivation d = {.of = of,
                      .g = g,
                      .m = g->module,
                      .ix = g->module->ix,
                      .scratch = scratch,
                      .region = of->region,
                      .n_extra = of->along || of->towards ? 0 : y.rank,
                      .extra = y.shape};
    mg_list_own(&d);
    mg_derive_open(&d);
    for (uint32_t i = 0; i < of->n_xs; i++) {
        d.depends[of->xs[i]] = d.independent[of->xs[i]] = true;
        of->results[i] = MG_NONE;
    }
    MgOpId end = g->ops.len;
    mg_find_depending(&d, 1, end);
    bool ok = !d.depends[of->y] || (of->towards ? find_tangent(&d, end) : find_adjoints(&d, end));
    mg_arena_free(scratch);
    return ok;
}
