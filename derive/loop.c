// Derivatives of loops.
//
//   r, e = loop t in low..high carry (c = init) { body; next c = n; emit y }
//
// becomes a loop that runs backward, over t = high - 1 - u. It carries the adjoints of the carried
// values, and of values from outside that the body reads as a whole. The forward loop emits the
// values of each trip that the backward loop needs and that depend on carried values; the rest of
// the body is recomputed.
//
//   d_init = loop u in 0..high - low carry (d_c = d_r) { ...; next d_c = ...; emit d_a }
//   d_w = sum[u] ... d_a[u] ...
//
// For a product with a value from outside, such as a layer's weights, the factors are emitted, and
// one product over all trips follows the loop.
#include "derive/loop.h"

MgValueId mg_keep(MgBackward *b, MgValueId v) {
    MgDerivation *d = b->d;
    MgOpId id = mg_value(d->g, b->op.results[0])->def;
    MgOp *op = mg_op(d->g, id);
    uint32_t n;
    const MgValueId *yields = mg_yielded(d, op->regions[0], &n);
    for (uint32_t i = op->loop->n_carried; i < n; i++)
        if (yields[i] == v)
            return op->results[i];
    const MgRegion *body = mg_region(d->g, op->regions[0]);
    MgOp *last = mg_op(d->g, body->ops.at[body->ops.len - 1]);
    MgValueId *longer = MG_NEW_N(d->m->arena, MgValueId, n + 1);
    memcpy(longer, last->operands, n * sizeof *longer);
    longer[n] = v;
    last->operands = longer;
    last->n_operands = n + 1;
    op->loop->n_emitted++;
    const MgValue value = *mg_value(d->g, v);
    MgIx *shape = MG_NEW_N(d->scratch, MgIx, value.rank + 1);
    shape[0] = b->trips;
    memcpy(shape + 1, value.shape, value.rank * sizeof *shape);
    MgSym name = mg_symf(d->m->session->names, "%s_all", mg_name(d->m->session->names, value.name));
    return mg_op_result(d->g, id, name, value.dtype, value.rank + 1, shape);
}

MgValueId mg_at_trip(MgBackward *b, MgValueId stacked, MgValueId like, bool adjoint) {
    MgDerivation *d = &b->in;
    MgDraft draft = {.d = d};
    MgNames *names = d->m->session->names;
    const MgValue v = *mg_value(d->g, like);
    const MgSx *subs[MG_DRAFT_INDICES];
    uint32_t extras = adjoint ? d->n_extra : 0, n = 0;
    MgIx *shape = mg_adjoint_shape(d, like) + (adjoint ? 0 : d->n_extra);
    for (uint32_t k = 0; k < extras + v.rank; k++) {
        MgSym name = mg_symf(names, "%c%u", k < extras ? 'e' : 'i', k < extras ? k : k - extras);
        mg_draft_target(&draft, mg_draft_index(&draft, name, mg_ix_const(d->ix, 0), shape[k]));
        if (k == extras)
            subs[n++] = mg_derive_ix(d, b->trip);
        subs[n++] = draft.target[k].sub;
    }
    if (!v.rank)
        subs[n++] = mg_derive_ix(d, b->trip);
    draft.expr =
        mg_sx_read(d->m, stacked, mg_dtype(v.dtype)->compute, subs, n, MG_BOUNDS_PROVED, NULL);
    return mg_draft_emit(&draft, adjoint ? mg_adjoint_name(d, like) : v.name, v.dtype, shape);
}

// Makes the backward loop, without its operands and its body.
static void open_loop(MgBackward *b) {
    MgDerivation *d = b->d;
    MgIx one = mg_ix_const(d->ix, 1);
    int64_t n;
    b->trips = mg_ix_sub(d->ix, b->loop.high, b->loop.low);
    bool known = mg_ix_is_const(d->ix, b->trips, &n);
    b->made = mg_op_new(d->g, d->region, MG_OP_LOOP, NULL, 0, d->of->origin);
    MgLoop *loop = MG_NEW(d->m->arena, MgLoop);
    *loop = (MgLoop){
        .counter = mg_ix_dim(d->ix, mg_counter_name(d), 0, known && n > 0 ? n - 1 : MG_IX_INF),
        .counted = true,
        .low = mg_ix_const(d->ix, 0),
        .high = b->trips};
    mg_op(d->g, b->made)->loop = loop;
    b->in = *d;
    b->in.region = mg_region_new(d->g, b->made);
    b->trip = mg_ix_sub(d->ix, mg_ix_sub(d->ix, b->trips, one), mg_ix_sym(d->ix, loop->counter));
}

// Adds a parameter for v's adjoint to the backward body. init: its first value, or MG_NONE for 0.
static MgValueId carry(MgBackward *b, MgValueId v, MgValueId init) {
    MgDerivation *d = b->d;
    const MgValue value = *mg_value(d->g, v);
    if (!init) {
        init = mg_zero_adjoint(d, v);
        mg_op_move_before(d->g, mg_value(d->g, init)->def, b->made);
    }
    mg_push(d->scratch, &b->inits, init);
    mg_push(d->scratch, &b->carried, v);
    return mg_region_param_new(d->g, b->in.region, mg_adjoint_name(d, v), value.dtype,
                               d->n_extra + value.rank, mg_adjoint_shape(d, v), d->of->origin);
}

// Copies the forward body, with the states that each trip started from.
static void copy_body(MgBackward *b) {
    MgDerivation *d = b->d, *in = &b->in;
    mg_map_init(&b->copies, d->scratch);
    for (uint32_t k = 0; k < b->loop.n_carried; k++)
        mg_map_put(&b->copies, b->params[k], mg_at_trip(b, b->states[k], b->params[k], false));
    mg_find_parts(b);
    b->first = d->g->ops.len;
    mg_region_copy(d->g, b->op.regions[0], in->region, &b->copies, mg_map_counter, b);
    b->end = d->g->ops.len;
    mg_read_parts(b);
    mg_copy_own(in, &b->copies);
    mg_derive_open(in);
    for (uint32_t k = 0; k < b->loop.n_carried; k++)
        in->depends[mg_copy_of(&b->copies, b->params[k])] = d->depends[b->params[k]];
    for (uint32_t i = 0; i < b->parts.len; i++)
        in->depends[b->parts.at[i].part] = true;
    mg_find_depending(in, b->first, b->end);
}

static MgValueId sum_or_zero(MgDerivation *d, MgValueId v) {
    MgValueId sum = mg_add_adjoints(d, v);
    return sum ? sum : mg_zero_adjoint(d, v);
}

// Adds the next trip's carried adjoints, the parts' adjoints, and the contributions to other
// values.
static void sum_up(MgBackward *b) {
    MgDerivation *d = b->d, *in = &b->in;
    for (uint32_t i = 0; i < b->carried.len; i++)
        mg_push(d->scratch, &b->next, sum_or_zero(in, mg_copy_of(&b->copies, b->carried.at[i])));
    for (uint32_t i = 0; i < b->parts.len; i++) {
        MgEmitted e = {.value = sum_or_zero(in, b->parts.at[i].part)};
        mg_push(d->scratch, &b->emitted, e);
    }
    for (uint32_t i = 0; i < b->read.len; i++) {
        MgAdjoints *all = &in->adjoints[b->read.at[i]];
        for (uint32_t k = 0; k < all->len; k++)
            if (all->at[k].slab)
                mg_slab_value(in, b->read.at[i], all->at[k].slab);
    }
}

static void yield(MgBackward *b) {
    MgDerivation *d = b->d, *in = &b->in;
    MgValueList yields = {0};
    for (uint32_t i = 0; i < b->read.len; i++) {
        MgValueId v = b->read.at[i];
        mg_defer(b, v);
        if (!in->adjoints[v].len)
            continue;
        mg_reach(in, v, carry(b, v, MG_NONE)); // it adds up over the trips
        mg_push(d->scratch, &b->next, mg_add_adjoints(in, v));
    }
    for (uint32_t i = 0; i < b->next.len; i++)
        mg_push(d->scratch, &yields, b->next.at[i]);
    for (uint32_t i = 0; i < b->emitted.len; i++)
        mg_push(d->scratch, &yields, b->emitted.at[i].value);
    mg_yield(in, &yields);
}

// Fills the backward body: a copy of the forward body, its derivative, and the values for the next
// trip.
static bool fill_body(MgBackward *b, const MgValueId *adjoints) {
    MgDerivation *d = b->d, *in = &b->in;
    uint32_t n = b->loop.n_carried;
    MgValueList params = {0};
    for (uint32_t k = 0; k < n; k++)
        if (d->depends[b->params[k]])
            mg_push(d->scratch, &params, carry(b, b->params[k], adjoints[k]));
    copy_body(b);
    for (uint32_t k = 0, at = 0; k < n; k++)
        if (d->depends[b->params[k]])
            mg_reach(in, mg_copy_of(&b->copies, b->yields[k]), params.at[at++]);
    for (uint32_t k = n; k < n + b->loop.n_emitted; k++)
        if (adjoints[k])
            mg_reach(in, mg_copy_of(&b->copies, b->yields[k]),
                     mg_at_trip(b, adjoints[k], b->yields[k], true));
    if (!mg_walk_back(in, b->first, b->end))
        return false;
    sum_up(b);
    mg_keep_residuals(b);
    yield(b);
    return true;
}

// Gives the loop its operands and results. The results contribute to the values that the forward
// loop reads.
static void close_loop(MgBackward *b) {
    MgDerivation *d = b->d;
    MgOp *op = mg_op(d->g, b->made);
    op->operands = mg_arena_copy(d->m->arena, b->inits.at, b->inits.len, sizeof *op->operands);
    op->n_operands = op->loop->n_carried = b->inits.len;
    op->loop->n_emitted = b->emitted.len;
    for (uint32_t i = 0, k = 0; i < b->carried.len; i++) {
        MgValueId v = b->carried.at[i], to = v;
        while (k < b->loop.n_carried && b->params[k] != v)
            k++;
        if (k < b->loop.n_carried) // a carried value has only one adjoint
            to = b->op.operands[k++];
        const MgValue value = *mg_value(d->g, v);
        MgValueId result = mg_op_result(d->g, b->made, mg_adjoint_name(d, to), value.dtype,
                                        d->n_extra + value.rank, mg_adjoint_shape(d, v));
        if (d->depends[to])
            mg_reach(d, to, result);
    }
    mg_close_trips(b);
    mg_drop_unused(b);
}

bool mg_derive_loop(MgDerivation *d, MgOpId id) {
    MgBackward b = {.d = d, .op = *mg_op(d->g, id), .loop = *mg_op(d->g, id)->loop};
    uint32_t n;
    if (b.loop.has_while || !b.loop.counted)
        return mg_derive_refuse(d, id,
                                "the data decide when this loop ends, so only `towards` goes "
                                "through it");
    if (mg_makes_dimension(d, b.op.regions[0]))
        return mg_derive_refuse(d, id, "the data decide a size in this loop");
    b.params = mg_region(d->g, b.op.regions[0])->params.at;
    b.trips = mg_ix_sub(d->ix, b.loop.high, b.loop.low);
    b.states = MG_NEW_N(d->scratch, MgValueId, b.loop.n_carried);
    for (uint32_t k = 0; k < b.loop.n_carried; k++)
        b.states[k] = mg_keep(&b, b.params[k]);
    b.yields = mg_yielded(d, b.op.regions[0], &n);
    MgValueId *adjoints = MG_NEW_N(d->scratch, MgValueId, n);
    for (uint32_t k = 0; k < b.loop.n_carried + b.loop.n_emitted; k++)
        adjoints[k] = mg_add_adjoints(d, b.op.results[k]);
    MgMap inside;
    mg_map_init(&inside, d->scratch);
    mg_find_read(d, b.op.regions[0], &inside, &b.read);
    for (uint32_t k = 0; k < b.loop.n_carried; k++)
        if (d->depends[b.params[k]] && !adjoints[k])
            adjoints[k] = mg_zero_adjoint(d, b.params[k]);
    open_loop(&b);
    if (!fill_body(&b, adjoints))
        return false;
    close_loop(&b);
    return true;
}
