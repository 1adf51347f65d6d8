// Values that a backward loop need not carry: adjoints of values of which each trip reads a part of
// its own, sums that can be computed after the loop, and values that the forward loop has already
// computed.
#include "derive/loop.h"

static MgIxSym counter(const MgBackward *b) {
    return mg_op(b->d->g, b->made)->loop->counter;
}

bool mg_map_counter(void *ctx, MgIxSym s, MgIx *to) {
    MgBackward *b = ctx;
    if (s != b->loop.counter)
        return false;
    *to = mg_ix_add(b->d->ix, b->trip, b->loop.low);
    return true;
}

static uint32_t same_value(void *ctx, uint32_t k) {
    return ((const MgOp *)ctx)->operands[k];
}

// The expression of an op's piece with reads that name values.
static const MgSx *name_values(MgBackward *b, const MgOp *op, const MgSx *x) {
    MgSxMap map = {b->d->m, NULL, 0, same_value, (void *)(uintptr_t)op, {0}};
    mg_map_init(&map.done, b->d->scratch);
    return mg_sx_map(&map, x);
}

// ---------------------------------------------------------------- parts

typedef struct Reads {
    MgBackward *b;
    uint32_t operand;
    MgTripPart *part; // `at` is set at the first read
    bool ok;
} Reads;

// Does x move with the counter, by one place for each trip? *by is 1 or -1.
static bool goes_by_trips(MgBackward *b, MgIx x, MgIxSym s, int64_t *by, MgIx *rest) {
    MgIxTable *t = b->d->ix;
    return !mg_ix_mentions_index(t, x) && mg_ix_mentions(t, x, s) &&
           mg_ix_steps(t, x, s, by, rest) && (*by == 1 || *by == -1);
}

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    MgTripPart *p = r->part;
    int64_t by;
    MgIx rest;
    if (x->kind != MG_SX_READ || x->operand != r->operand)
        return;
    for (uint32_t k = 0; k < x->n_args && p->at == MG_IX_ERROR; k++)
        if (x->args[k]->kind == MG_SX_IX &&
            goes_by_trips(r->b, x->args[k]->ix, r->b->loop.counter, &by, &rest)) {
            p->axis = k;
            p->at = x->args[k]->ix;
        }
    r->ok &= x->bounds == MG_BOUNDS_PROVED && p->at != MG_IX_ERROR &&
             x->args[p->axis]->kind == MG_SX_IX && x->args[p->axis]->ix == p->at;
}

static bool reads_part(MgBackward *b, const MgOp *op, MgTripPart *part, bool nested) {
    Reads r = {b, 0, part, true};
    for (uint32_t k = 0; k < op->n_operands && op->kind != MG_OP_ERASED; k++) {
        if (op->operands[k] != part->whole)
            continue;
        if (nested || op->kind != MG_OP_EQUATION ||
            (op->equation->has_base && k + 1 == op->n_operands))
            return false;
        r.operand = k;
        for (uint32_t i = 0; i < op->equation->n_pieces; i++)
            mg_sx_walk(op->equation->pieces[i].expr, see_read, &r);
    }
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(b->d->g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            r.ok &= reads_part(b, mg_op(b->d->g, region->ops.at[i]), part, true);
    }
    return r.ok;
}

// Does a call with a derivative of its own read the value?
static bool is_own_operand(MgBackward *b, MgValueId v) {
    for (uint32_t i = 0; b->d->of->own && i < b->d->of->own->len; i++) {
        const MgOwn *own = &b->d->of->own->at[i];
        for (uint32_t k = 0; k < own->n_operands; k++)
            if (own->values[k] == v)
                return true;
    }
    return false;
}

static bool is_read_by_parts(MgBackward *b, MgTripPart *part) {
    const MgRegion *body = mg_region(b->d->g, b->op.regions[0]);
    bool ok = !is_own_operand(b, part->whole);
    for (uint32_t i = 0; i < body->ops.len; i++)
        ok = ok && reads_part(b, mg_op(b->d->g, body->ops.at[i]), part, false);
    return ok && part->at != MG_IX_ERROR;
}

// part[i, ...] = whole[.., at, ..] in the backward body.
static void make_part(MgBackward *b, MgTripPart *part) {
    MgDerivation *in = &b->in;
    MgNames *names = in->m->session->names;
    MgDraft draft = {.d = in};
    const MgValue v = *mg_value(in->g, part->whole);
    const MgSx *subs[MG_DRAFT_INDICES];
    MgIx shape[MG_DRAFT_INDICES];
    for (uint32_t k = 0; k < v.rank; k++) {
        if (k == part->axis) {
            subs[k] = mg_derive_ix(in, mg_ix_subst(in->ix, part->at, mg_map_counter, b));
            continue;
        }
        uint32_t at =
            mg_draft_index(&draft, mg_symf(names, "i%u", k), mg_ix_const(in->ix, 0), v.shape[k]);
        shape[draft.rank] = v.shape[k];
        mg_draft_target(&draft, at);
        subs[k] = draft.target[draft.rank - 1].sub;
    }
    draft.expr = mg_sx_read(in->m, part->whole, mg_dtype(v.dtype)->compute, subs, v.rank,
                            MG_BOUNDS_PROVED, NULL);
    MgSym name = mg_symf(names, "%s_part", mg_name(names, v.name));
    part->part = mg_draft_emit(&draft, name, v.dtype, shape);
}

void mg_find_parts(MgBackward *b) {
    MgValueList rest = {0};
    for (uint32_t i = 0; i < b->read.len; i++) {
        MgTripPart part = {.whole = b->read.at[i], .at = MG_IX_ERROR};
        if (!is_read_by_parts(b, &part)) {
            mg_push(b->d->scratch, &rest, part.whole);
            continue;
        }
        make_part(b, &part);
        mg_push(b->d->scratch, &b->parts, part);
    }
    b->read = rest;
}

static const MgSx *drop_axis(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    const MgSx *subs[MG_DRAFT_INDICES];
    uint32_t n = 0;
    if (x->kind != MG_SX_READ || x->operand != r->operand)
        return x;
    for (uint32_t k = 0; k < x->n_args; k++)
        if (k != r->part->axis)
            subs[n++] = x->args[k];
    return mg_sx_read(r->b->d->m, x->operand, x->dtype, subs, n, x->bounds, x->otherwise);
}

void mg_read_parts(MgBackward *b) {
    MgGraph *g = b->d->g;
    MgArena *arena = b->d->m->arena;
    for (MgOpId id = b->first; id < b->end; id++)
        for (uint32_t i = 0; i < b->parts.len; i++)
            for (uint32_t k = 0; k < mg_op(g, id)->n_operands; k++) {
                MgOp *op = mg_op(g, id);
                if (op->operands[k] != b->parts.at[i].whole)
                    continue;
                Reads r = {b, k, &b->parts.at[i], true};
                MgEquation *e = mg_arena_copy(arena, op->equation, 1, sizeof *e);
                e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
                for (uint32_t p = 0; p < e->n_pieces; p++)
                    e->pieces[p].expr = mg_sx_rewrite(b->d->m, e->pieces[p].expr, drop_axis, &r);
                op->equation = e;
                op->operands[k] = b->parts.at[i].part;
            }
}

// The part's adjoints, trip by trip, are those of the places that the trips read.
static void close_part(MgBackward *b, const MgTripPart *part) {
    MgDerivation *d = b->d;
    MgIxTable *t = d->ix;
    MgNames *names = d->m->session->names;
    MgSlab *slab = MG_NEW(d->scratch, MgSlab);
    MgDraft *draft = &slab->draft;
    const MgValue v = *mg_value(d->g, part->whole);
    const MgIx *shape = mg_adjoint_shape(d, part->whole);
    const MgSx *subs[MG_DRAFT_INDICES];
    MgIx zero = mg_ix_const(t, 0), last = mg_ix_sub(t, b->trips, mg_ix_const(t, 1)), rest;
    MgIx at = mg_ix_subst(t, part->at, mg_map_counter, b);
    uint32_t n = 1, axis = d->n_extra + part->axis;
    int64_t by = 0;
    goes_by_trips(b, at, counter(b), &by, &rest);
    draft->d = d;
    for (uint32_t k = 0; k < d->n_extra + v.rank; k++) {
        bool extra = k < d->n_extra;
        MgSym name = mg_symf(names, "%c%u", extra ? 'e' : 'i', extra ? k : k - d->n_extra);
        slab->low[k] = k != axis ? zero : by > 0 ? rest : mg_ix_sub(t, rest, last);
        slab->size[k] = k == axis ? b->trips : shape[k];
        mg_draft_target(draft, mg_draft_index(draft, name, zero, slab->size[k]));
        MgIx place = mg_ix_idx(t, draft->free[k]);
        if (k == axis)
            subs[0] = mg_derive_ix(d, by > 0 ? place : mg_ix_sub(t, last, place));
        else
            subs[n++] = draft->target[k].sub;
    }
    draft->expr =
        mg_sx_read(d->m, part->all, mg_dtype(v.dtype)->compute, subs, n, MG_BOUNDS_PROVED, NULL);
    if (slab->low[axis] == zero && b->trips == shape[axis])
        mg_reach(d, part->whole,
                 mg_draft_emit(draft, mg_adjoint_name(d, part->whole), v.dtype, shape));
    else
        mg_reach_slab(d, part->whole, slab);
}

// ---------------------------------------------------------------- sums after the loop

static bool is_inside(MgBackward *b, MgValueId v) {
    const MgValue *value = mg_value(b->d->g, v);
    return value->def ? mg_op(b->d->g, value->def)->region == b->in.region
                      : value->param_of == b->in.region;
}

// The read that a value is a copy of, over the value's indices; NULL if it is anything else.
static const MgSx *copied_read(MgBackward *b, MgValueId v) {
    const MgOp *op = mg_def(b->d->g, v);
    const MgPiece *p = mg_only_piece(op);
    if (!p)
        return NULL;
    bool plain = p->n_indices == p->n_free && mg_piece_is_plain(b->d->g, p, v) &&
                 p->expr->kind == MG_SX_READ && p->expr->bounds == MG_BOUNDS_PROVED;
    for (uint32_t k = 0; plain && k < p->expr->n_args; k++)
        plain = p->expr->args[k]->kind == MG_SX_IX;
    return plain ? name_values(b, op, p->expr) : NULL;
}

static MgEmitted *find_emitted(MgBackward *b, MgValueId v) {
    for (uint32_t i = 0; i < b->emitted.len; i++)
        if (b->emitted.at[i].value == v)
            return &b->emitted.at[i];
    return NULL;
}

typedef struct Subscripts {
    MgBackward *b;
    MgValueId of;
    bool plain; // the subscripts of its reads don't depend on data
} Subscripts;

static void see_subscripts(void *ctx, const MgSx *x) {
    Subscripts *s = ctx;
    for (uint32_t k = 0; x->kind == MG_SX_READ && x->operand == s->of && k < x->n_args; k++)
        s->plain &= x->args[k]->kind == MG_SX_IX;
}

static bool has_plain_reads(MgBackward *b, const MgOp *op, MgValueId v) {
    Subscripts s = {b, v, true};
    mg_sx_walk(name_values(b, op, op->equation->pieces[0].expr), see_subscripts, &s);
    return s.plain;
}

// The value that must leave the loop so that the op can read v after it: the value of which v is a
// copy. If that is outside the loop, none is needed.
static MgValueId source_of(MgBackward *b, const MgOp *op, MgValueId v) {
    bool plain = has_plain_reads(b, op, v);
    const MgSx *read = plain ? copied_read(b, v) : NULL;
    while (read && is_inside(b, v) && !find_emitted(b, v)) {
        v = read->operand;
        read = copied_read(b, v);
    }
    return v;
}

// May the sum over trips be one equation after the loop? Then v's adjoint is computed from emitted
// values, if these are at most half as large as v, which a carried sum would read and write.
static bool may_wait(MgBackward *b, MgValueId v, MgOpId id) {
    MgIxTable *t = b->d->ix;
    const MgOp *op = mg_op(b->d->g, id);
    const MgPiece *p = mg_only_piece(op);
    if (id < b->end || op->region != b->in.region || !p || op->equation->has_base || p->scatter ||
        (p->reducer != MG_REDUCE_NONE && p->reducer != MG_REDUCE_SUM) ||
        p->n_indices + 1 >= MG_DRAFT_INDICES)
        return false;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (mg_ix_mentions(t, p->indices[i].low, counter(b)) ||
            mg_ix_mentions(t, p->indices[i].high, counter(b)))
            return false;
    double emitted = 0;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        MgValueId o = source_of(b, op, op->operands[k]);
        if (is_inside(b, o) && !find_emitted(b, o))
            emitted += (double)mg_ix_likely(t, mg_value_elements(b->d->g, o));
    }
    return 2 * emitted <= (double)mg_ix_likely(t, mg_value_elements(b->d->g, v));
}

static void wait(MgBackward *b, MgValueId v, MgOpId id, MgSlab *slab) {
    MgDeferred deferred = {v, id, slab};
    const MgOp *op = mg_op(b->d->g, id);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        MgEmitted e = {.value = source_of(b, op, op->operands[k])};
        if (is_inside(b, e.value) && !find_emitted(b, e.value))
            mg_push(b->d->scratch, &b->emitted, e);
    }
    mg_push(b->d->scratch, &b->deferred, deferred);
}

static bool slab_moves(MgBackward *b, const MgSlab *slab) {
    bool moves = false;
    for (uint32_t k = 0; k < slab->draft.rank; k++)
        moves |= mg_ix_mentions(b->d->ix, slab->low[k], counter(b));
    return moves;
}

void mg_defer(MgBackward *b, MgValueId v) {
    MgAdjoints *all = &b->in.adjoints[v], rest = {0};
    for (uint32_t i = 0; i < all->len; i++) {
        MgSlab *slab = all->at[i].slab;
        MgValueId value = slab ? mg_slab_value(&b->in, v, slab) : all->at[i].value;
        MgOpId id = mg_value(b->d->g, value)->def;
        if (id && !(slab && slab_moves(b, slab)) && may_wait(b, v, id))
            wait(b, v, id, slab);
        else
            mg_push(b->d->scratch, &rest, all->at[i]);
    }
    *all = rest;
}

typedef struct AllTrips {
    MgBackward *b;
    MgIx u; // the index that replaces the counter
} AllTrips;

static bool map_trip(void *ctx, MgIxSym s, MgIx *to) {
    AllTrips *a = ctx;
    *to = a->u;
    return s == counter(a->b);
}

// Over all trips, the counter is an index, and emitted values have the trip number as first
// subscript.
static const MgSx *over_trips(void *ctx, const MgSx *x) {
    AllTrips *a = ctx;
    MgBackward *b = a->b;
    MgModule *m = b->d->m;
    const MgSx *subs[MG_DRAFT_INDICES + 1];
    MgIx with[MG_DRAFT_INDICES];
    if (x->kind == MG_SX_IX)
        return mg_sx_ix(m, x->dtype, mg_ix_subst(b->d->ix, x->ix, map_trip, a));
    if (x->kind != MG_SX_READ || !is_inside(b, x->operand))
        return x;
    const MgEmitted *e = find_emitted(b, x->operand);
    if (!e) { // a copy of a value that is outside or emitted
        const MgSx *read = mg_sx_rewrite(m, copied_read(b, x->operand), over_trips, a);
        for (uint32_t k = 0; k < x->n_args; k++)
            with[k] = x->args[k]->ix;
        read = mg_sx_subst_indices(m, read, with, x->n_args);
        return mg_sx_read(m, read->operand, x->dtype, read->args, read->n_args, x->bounds,
                          x->otherwise);
    }
    subs[0] = mg_sx_ix(m, MG_I64, a->u);
    for (uint32_t k = 0; k < x->n_args; k++)
        subs[k + 1] = x->args[k];
    return mg_sx_read(m, e->all, x->dtype, subs, x->n_args + 1, x->bounds, x->otherwise);
}

static void close_deferred(MgBackward *b, const MgDeferred *deferred) {
    MgDerivation *d = b->d;
    const MgOp op = *mg_op(d->g, deferred->op);
    const MgPiece *p = &op.equation->pieces[0];
    const MgValue v = *mg_value(d->g, op.results[0]);
    MgDraft draft = {.d = d, .rank = v.rank, .reducer = MG_REDUCE_SUM};
    for (uint32_t i = 0; i < p->n_indices; i++) {
        mg_draft_index(&draft, p->indices[i].name, p->indices[i].low, p->indices[i].high);
        if (i < p->n_free)
            draft.free[draft.n_free++] = i;
    }
    MgSym name = mg_sym(d->m->session->names, "trip");
    uint32_t u = mg_draft_index(&draft, name, mg_ix_const(d->ix, 0), b->trips);
    draft.bound[draft.n_bound++] = u;
    for (uint32_t i = p->n_free; i < p->n_indices; i++)
        draft.bound[draft.n_bound++] = i;
    for (uint32_t k = 0; k < v.rank; k++)
        draft.target[k] = p->target[k];
    AllTrips all = {b, mg_ix_idx(d->ix, u)};
    draft.expr = mg_sx_rewrite(d->m, name_values(b, &op, p->expr), over_trips, &all);
    if (!deferred->slab) {
        mg_reach(d, deferred->to,
                 mg_draft_emit(&draft, mg_adjoint_name(d, deferred->to), v.dtype, v.shape));
        return;
    }
    MgSlab slab = *deferred->slab;
    slab.draft = draft;
    slab.value = MG_NONE;
    mg_reach_slab(d, deferred->to, &slab);
}

void mg_close_trips(MgBackward *b) {
    MgDerivation *d = b->d;
    MgNames *names = d->m->session->names;
    for (uint32_t i = 0; i < b->emitted.len; i++) {
        const MgValue v = *mg_value(d->g, b->emitted.at[i].value);
        MgIx *shape = MG_NEW_N(d->scratch, MgIx, v.rank + 1);
        shape[0] = b->trips;
        memcpy(shape + 1, v.shape, v.rank * sizeof *shape);
        MgSym name = mg_symf(names, "%s_all", mg_name(names, v.name));
        b->emitted.at[i].all = mg_op_result(d->g, b->made, name, v.dtype, v.rank + 1, shape);
    }
    for (uint32_t i = 0; i < b->parts.len; i++) {
        b->parts.at[i].all = b->emitted.at[i].all; // they were emitted first
        close_part(b, &b->parts.at[i]);
    }
    for (uint32_t i = 0; i < b->deferred.len; i++)
        close_deferred(b, &b->deferred.at[i]);
}

// ---------------------------------------------------------------- residuals

static bool reads_some(MgGraph *g, const MgOp *op, const MgMap *some) {
    bool reads = false;
    for (uint32_t k = 0; k < op->n_operands; k++)
        reads |= mg_map_find(some, op->operands[k]) != NULL;
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            reads |= reads_some(g, mg_op(g, region->ops.at[i]), some);
    }
    return reads;
}

// The copies that depend on carried values, each with the forward value.
static MgMap carried_copies(MgBackward *b) {
    MgGraph *g = b->d->g;
    MgMap some;
    mg_map_init(&some, b->d->scratch);
    const MgRegion *body = mg_region(g, b->op.regions[0]);
    for (uint32_t k = 0; k < body->params.len; k++)
        mg_map_put(&some, body->params.at[k], 1);
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        for (uint32_t k = 0; k < op->n_results && reads_some(g, op, &some); k++)
            mg_map_put(&some, op->results[k], 1);
    }
    MgMap copies;
    mg_map_init(&copies, b->d->scratch);
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        for (uint32_t k = 0; k < op->n_results; k++)
            if (mg_map_find(&some, op->results[k]))
                mg_map_put(&copies, mg_copy_of(&b->copies, op->results[k]), op->results[k]);
    }
    return copies;
}

void mg_keep_residuals(MgBackward *b) {
    MgDerivation *d = b->d;
    MgMap copies = carried_copies(b), kept;
    mg_map_init(&kept, d->scratch);
    MgOpId end = d->g->ops.len;
    for (MgOpId id = b->end; id < end; id++)
        for (uint32_t k = 0; k < mg_op(d->g, id)->n_operands; k++) {
            MgValueId v = mg_op(d->g, id)->operands[k];
            MgValueId forward = (MgValueId)mg_map_get(&copies, v, MG_NONE);
            if (!forward || mg_op(d->g, id)->kind == MG_OP_ERASED)
                continue;
            MgValueId now = (MgValueId)mg_map_get(&kept, v, MG_NONE);
            if (!now) {
                now = mg_at_trip(b, mg_keep(b, forward), v, false);
                MgOpId begin = mg_region(d->g, b->in.region)->ops.at[0];
                mg_op_move_before(d->g, mg_value(d->g, now)->def, begin);
                mg_map_put(&kept, v, now);
            }
            mg_op(d->g, id)->operands[k] = now;
        }
}

void mg_drop_unused(MgBackward *b) {
    MgGraph *g = b->d->g;
    uint32_t *uses = mg_use_counts(g, b->d->scratch);
    const MgRegion *body = mg_region(g, b->in.region);
    for (uint32_t i = body->ops.len; i-- > 0;) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        if (op->kind != MG_OP_EQUATION || uses[op->results[0]])
            continue;
        for (uint32_t k = 0; k < op->n_operands; k++)
            uses[op->operands[k]]--;
        mg_op_erase(g, body->ops.at[i]);
    }
}
