// Tangents: the effect of a change of x on a value, in forward mode (Wengert 1964). A tangent has
// the form of its equation: each read is replaced by its tangent, one at a time, and the sum is
// kept. Reducers pass on tangents as they pass on adjoints.
//
//   y = sum[k] w[k] * x[k]        t_y = sum[k] w[k] * t_x[k]
//
// A loop becomes a loop that also carries the tangents of its values, an `if` one with the same
// condition. So a loop with `while` has tangents, though it has no adjoints.
#include "derive/part.h"

static MgSym tangent_name(MgDerivation *d, MgValueId v) {
    MgNames *names = d->m->session->names;
    return mg_symf(names, "t_%s", mg_name(names, mg_value(d->g, v)->name));
}

// ---------------------------------------------------------------- needed values

static bool is_needed(const MgDerivation *d, MgOpId id, const bool *needed) {
    const MgOp *op = mg_op(d->g, id);
    for (uint32_t k = 0; k < op->n_results && op->kind != MG_OP_ERASED; k++) {
        MgValueId v = op->results[k];
        if (v < d->n_values && needed[v] && d->depends[v] && !d->independent[v])
            return true;
    }
    return false;
}

// Marks the operands of the needed values, as far as they depend on x.
static void find_needed(MgDerivation *d, MgOpId first, MgOpId end, bool *needed) {
    for (MgOpId id = end; id-- > first;) {
        if (!is_needed(d, id, needed))
            continue;
        const MgOp op = *mg_op(d->g, id);
        const MgOwn *own = mg_own_of(d, id);
        for (uint32_t i = 0; own && i < own->n_operands; i++)
            needed[own->values[i]] = true;
        if (own)
            continue;
        MgValueList read = {0};
        MgMap inside;
        mg_map_init(&inside, d->scratch);
        for (uint32_t k = 0; k < op.n_regions; k++)
            mg_find_read(d, op.regions[k], &inside, &read);
        for (uint32_t i = 0; i < read.len; i++)
            needed[read.at[i]] = true;
        for (uint32_t k = 0; k < op.n_operands; k++)
            needed[op.operands[k]] = true;
    }
}

// ---------------------------------------------------------------- equations

// The piece's tangent, over its own indices. Without an expression if it has no rule.
static void fill_piece(Part *p, const MgPiece *piece, MgDraft *draft) {
    MgDerivation *d = p->d;
    MgIx with[MG_DRAFT_INDICES];
    const MgSx *stored =
        p->reducer == MG_REDUCE_NONE ? mg_part_place(p, p->result, false, NULL) : NULL;
    const MgSx *t = mg_sx_int(d->m, mg_dtype(mg_value(d->g, p->result)->dtype)->compute, 0);
    bool flows = mg_flows(d, p->body), is_mean = p->reducer == MG_REDUCE_MEAN && !p->base;
    if (flows && !mg_part_settle(p))
        return;
    if (flows) {
        t = mg_tangent(d, p->body, stored);
        if (!t)
            mg_derive_refuse(d, p->op, "its expression becomes too large");
        if (t && !is_mean)
            t = mg_part_term(p, t);
    }
    *draft = p->draft;
    draft->reducer = is_mean ? MG_REDUCE_MEAN : MG_REDUCE_SUM;
    draft->scatter = p->scatter;
    draft->write = p->write;
    draft->rank = mg_value(d->g, p->result)->rank;
    for (uint32_t i = 0; i < draft->n; i++) { // free indices keep their lower ends
        MgIx at = mg_ix_idx(d->ix, i);
        with[i] = i < p->n_free ? mg_ix_sub(d->ix, at, piece->indices[i].low) : at;
        bool free = i < p->n_free;
        draft->at[i].low =
            free ? piece->indices[i].low : mg_ix_subst_indices(d->ix, draft->at[i].low, with, i);
        draft->at[i].high =
            free ? piece->indices[i].high : mg_ix_subst_indices(d->ix, draft->at[i].high, with, i);
        if (free)
            draft->free[draft->n_free++] = i;
        else
            draft->bound[draft->n_bound++] = i;
    }
    for (uint32_t k = 0; k < draft->rank; k++) {
        draft->target[k] = piece->target[k];
        draft->target[k].sub = mg_name_values(d, mg_op(d->g, p->op), piece->target[k].sub);
    }
    draft->expr = t ? mg_sx_subst_indices(d->m, t, with, draft->n) : NULL;
}

static MgValueId tangent_of_equation(MgDerivation *d, MgOpId id) {
    const MgEquation e = *mg_op(d->g, id)->equation;
    MgValueId y = mg_op(d->g, id)->results[0], base = MG_NONE;
    const MgValue v = *mg_value(d->g, y);
    MgDraft *drafts = MG_NEW_N(d->scratch, MgDraft, e.n_pieces);
    for (uint32_t i = 0; i < e.n_pieces; i++) {
        Part p = {.d = d, .op = id, .result = y};
        if (!mg_part_open(&p, &e.pieces[i]))
            return MG_NONE;
        if (p.base && d->depends[p.base->operand]) {
            MgValueId from = p.base->operand;
            base = mg_part_base(&p, from, d->tangents[from], tangent_name(d, from));
            if (!base || !mg_flows(d, p.body))
                return base;
        }
        fill_piece(&p, &e.pieces[i], &drafts[i]);
        if (!drafts[i].expr)
            return MG_NONE;
    }
    return mg_drafts_emit(drafts, e.n_pieces, base, tangent_name(d, y), v.dtype, v.shape);
}

// ---------------------------------------------------------------- loops and `if`

typedef struct Copied {
    MgDerivation in;    // the copy of the body
    MgMap copies;       // value -> its copy
    const MgLoop *loop; // its counter is that of `made` in the copy
    MgLoop *made;
} Copied;

static bool map_counter(void *ctx, MgIxSym s, MgIx *to) {
    Copied *c = ctx;
    if (!c->loop || s != c->loop->counter)
        return false;
    *to = mg_ix_sym(c->in.ix, c->made->counter);
    return true;
}

static MgValueId copied(const Copied *c, MgValueId v) {
    return (MgValueId)mg_map_get(&c->copies, v, v);
}

// The tangent of v, which is 0 everywhere if there is none.
static MgValueId tangent_or_zero(MgDerivation *d, MgValueId v) {
    return d->tangents[v] ? d->tangents[v] : mg_zero_adjoint(d, v);
}

// A result of a loop or an `if` that has the type and dimensions of another value.
static MgValueId result_like(MgDerivation *d, MgOpId op, MgValueId like, MgSym name) {
    const MgValue v = *mg_value(d->g, like);
    return mg_op_result(d->g, op, mg_unique_name(d->g, name), v.dtype, v.rank, v.shape);
}

// Copies the region's ops and makes the tangents of the values that it yields. In a loop,
// parameters of the copy replace those of `from`; `tangents` are their tangents, or MG_NONE.
static bool fill_region(Copied *c, MgRegionId from, const MgValueId *tangents) {
    MgDerivation *in = &c->in;
    const MgRegion region = *mg_region(in->g, from);
    MgOpId first = in->g->ops.len;
    mg_region_copy(in->g, from, in->region, &c->copies, map_counter, c);
    MgOpId end = in->g->ops.len;
    mg_copy_own(in, &c->copies);
    mg_derive_open(in);
    for (uint32_t i = 0; i < region.params.len; i++) {
        MgValueId param = copied(c, region.params.at[i]);
        in->depends[param] = tangents[i];
        in->tangents[param] = tangents[i];
    }
    mg_find_depending(in, first, end);
    uint32_t n;
    const MgValueId *yields = mg_yielded(in, from, &n);
    bool *needed = MG_NEW_N(in->scratch, bool, in->n_values);
    for (uint32_t i = 0; i < n; i++)
        needed[copied(c, yields[i])] = true;
    return mg_walk_forward(in, first, end, needed);
}

static Copied open_copy(MgDerivation *d, MgOpId made, const MgLoop *loop) {
    Copied c = {.in = *d, .loop = loop, .made = mg_op(d->g, made)->loop};
    c.in.region = mg_region_new(d->g, made);
    mg_map_init(&c.copies, d->scratch);
    return c;
}

// Makes the parameters of a region of the loop: the values, then the tangents of those that depend
// on x in the body, which are listed.
static void add_params(Copied *c, const MgDerivation *d, const MgRegion *from, const MgRegion *body,
                       MgValueId *tangents) {
    MgDerivation *in = &c->in;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < from->params.len; k++) {
            MgValueId param = from->params.at[k];
            const MgValue v = *mg_value(in->g, param);
            if (pass && !d->depends[body->params.at[k]])
                continue;
            MgSym name = pass ? tangent_name(in, param) : v.name;
            MgValueId made = mg_region_param_new(in->g, in->region, name, v.dtype, v.rank, v.shape,
                                                 in->of->origin);
            if (pass)
                tangents[k] = made;
            else
                mg_map_put(&c->copies, param, made);
        }
}

static MgOpId open_loop(MgDerivation *d, const MgOp *op, const MgRegion *body) {
    MgValueList inits = {0};
    for (uint32_t k = 0; k < op->loop->n_carried; k++)
        mg_push(d->scratch, &inits, op->operands[k]);
    for (uint32_t k = 0; k < op->loop->n_carried; k++)
        if (d->depends[body->params.at[k]])
            mg_push(d->scratch, &inits, tangent_or_zero(d, op->operands[k]));
    MgOpId made = mg_op_new(d->g, d->region, MG_OP_LOOP, inits.at, inits.len, d->of->origin);
    MgLoop *loop = MG_NEW(d->m->arena, MgLoop);
    *loop = *op->loop;
    int64_t low, high;
    mg_ix_sym_bounds(d->ix, op->loop->counter, &low, &high);
    loop->counter = mg_ix_dim(d->ix, mg_counter_name(d), low, high);
    loop->n_carried = inits.len;
    loop->n_emitted = 0;
    mg_op(d->g, made)->loop = loop;
    return made;
}

// The results: the values again, their tangents, and the tangents of emitted values.
static void close_loop(MgDerivation *d, MgOpId made, const MgOp *op, const MgRegion *body) {
    uint32_t n = op->loop->n_carried;
    for (uint32_t k = 0; k < n; k++)
        result_like(d, made, op->results[k], mg_value(d->g, op->results[k])->name);
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (k < n ? !d->depends[body->params.at[k]] : !d->depends[op->results[k]])
            continue;
        d->tangents[op->results[k]] =
            result_like(d, made, op->results[k], tangent_name(d, op->results[k]));
    }
}

static void yield_all(Copied *c, const MgDerivation *d, const MgOp *op, const MgRegion *body,
                      const MgValueId *yields) {
    MgDerivation *in = &c->in;
    MgValueList out = {0};
    uint32_t n = op->loop->n_carried;
    for (uint32_t k = 0; k < n; k++)
        mg_push(in->scratch, &out, copied(c, yields[k]));
    for (uint32_t k = 0; k < n + op->loop->n_emitted; k++) {
        if (k < n ? !d->depends[body->params.at[k]] : !d->depends[op->results[k]])
            continue;
        mg_push(in->scratch, &out, tangent_or_zero(in, copied(c, yields[k])));
        c->made->n_emitted += k >= n;
    }
    mg_yield(in, &out);
}

static bool tangent_of_loop(MgDerivation *d, MgOpId id) {
    const MgOp op = *mg_op(d->g, id);
    if (mg_makes_dimension(d, op.regions[0]) || op.loop->trips)
        return mg_derive_refuse(d, id, "the data decide a size in this loop");
    const MgRegion body = *mg_region(d->g, op.regions[0]);
    uint32_t n;
    MgValueId *tangents = MG_NEW_N(d->scratch, MgValueId, body.params.len);
    MgOpId made = open_loop(d, &op, &body);
    Copied c = open_copy(d, made, op.loop);
    add_params(&c, d, &body, &body, tangents);
    if (!fill_region(&c, op.regions[0], tangents))
        return false;
    yield_all(&c, d, &op, &body, mg_yielded(d, op.regions[0], &n));
    if (op.loop->has_while) {
        const MgRegion condition = *mg_region(d->g, op.regions[1]);
        Copied w = open_copy(d, made, op.loop);
        add_params(&w, d, &condition, &body, tangents);
        mg_region_copy(d->g, op.regions[1], w.in.region, &w.copies, map_counter, &w);
        MgValueList goes = {0};
        mg_push(d->scratch, &goes, copied(&w, mg_yielded(d, op.regions[1], &n)[0]));
        mg_yield(&w.in, &goes);
    }
    close_loop(d, made, &op, &body);
    return true;
}

static bool tangent_of_if(MgDerivation *d, MgOpId id) {
    const MgOp op = *mg_op(d->g, id);
    if (mg_makes_dimension(d, op.regions[0]) || mg_makes_dimension(d, op.regions[1]))
        return mg_derive_refuse(d, id, "the data decide a size in this `if`");
    MgOpId made = mg_op_new(d->g, d->region, MG_OP_IF, op.operands, 1, d->of->origin);
    for (uint32_t branch = 0; branch < 2; branch++) {
        Copied c = open_copy(d, made, NULL);
        MgValueList out = {0};
        uint32_t n;
        if (!fill_region(&c, op.regions[branch], NULL))
            return false;
        const MgValueId *yields = mg_yielded(d, op.regions[branch], &n);
        for (uint32_t k = 0; k < n; k++)
            if (d->depends[op.results[k]])
                mg_push(d->scratch, &out, tangent_or_zero(&c.in, copied(&c, yields[k])));
        mg_yield(&c.in, &out);
    }
    for (uint32_t k = 0; k < op.n_results; k++)
        if (d->depends[op.results[k]])
            d->tangents[op.results[k]] =
                result_like(d, made, op.results[k], tangent_name(d, op.results[k]));
    return true;
}

// ---------------------------------------------------------------- the walk

static bool tangent_of_op(MgDerivation *d, MgOpId id) {
    const MgOp *op = mg_op(d->g, id);
    const MgOwn *own = mg_own_of(d, id);
    MgValueId y = op->results[0];
    if (own)
        return mg_tangent_own(d, id, own);
    switch (op->kind) {
    case MG_OP_EQUATION:
        d->tangents[y] = tangent_of_equation(d, id);
        return d->tangents[y];
    case MG_OP_LOOP:
        return tangent_of_loop(d, id);
    case MG_OP_IF:
        return tangent_of_if(d, id);
    default:
        return mg_derive_refuse(d, id, "only equations, loops and `if` have one");
    }
}

bool mg_walk_forward(MgDerivation *d, MgOpId first, MgOpId end, bool *needed) {
    find_needed(d, first, end, needed);
    for (MgOpId id = first; id < end; id++)
        if (is_needed(d, id, needed) && !tangent_of_op(d, id))
            return false;
    return true;
}
