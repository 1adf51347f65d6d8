// Derivatives of loops and conditionals.
//
//   r, e = loop t in low..high carry (c = init) { body; next c = n; emit y }
//
// becomes a loop that runs backward, over t = high - 1 - u. It carries the adjoints of the carried
// values, and of each value from outside that the body reads. The forward loop emits the carried
// values as each trip finds them, and the backward loop computes the body again from those.
//
//   d_init, d_w = loop u in 0..high - low carry (d_c = d_r, d_w = 0) { …; next d_c = …, d_w = … }
//
// An `if` becomes an `if` with the same condition, whose branches compute the same again and yield
// the adjoints of what either reads.
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

// Adds the values that depend on x and that ops of the region read, but don't make.
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

// Whether an op in the region makes a dimension, which a copy of it would make twice.
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

static MgValueId copy_of(const MgMap *copies, MgValueId v) {
    return (MgValueId)mg_map_get(copies, v, v);
}

void mg_yield(MgDerivation *d, const MgValueList *values) {
    mg_op_new(d->g, d->region, MG_OP_YIELD, values->at, values->len, d->of->origin);
}

// ---------------------------------------------------------------- loops

typedef struct Backward {
    MgDerivation *d; // around the loop
    MgDerivation in; // its body, backward
    MgOp op;         // the forward loop
    MgLoop loop;
    MgValueId *yields, *params, *states; // of the forward body; states: params, trip by trip
    MgValueList read;                    // values from outside that the body reads
    MgValueList inits, carried, next;    // of the backward loop
    MgIx trip;    // the forward trip number that counter u stands for, less low
    MgMap copies; // forward value -> its copy in the backward body
} Backward;

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

// The forward loop's result that has carried value k as each trip finds it.
static MgValueId find_state(Backward *b, uint32_t k) {
    MgDerivation *d = b->d;
    MgOpId id = mg_value(d->g, b->op.results[0])->def;
    MgOp *op = mg_op(d->g, id);
    uint32_t n;
    const MgValueId *yields = mg_yielded(d, op->regions[0], &n);
    for (uint32_t i = op->loop->n_carried; i < n; i++)
        if (yields[i] == b->params[k])
            return op->results[i];
    const MgRegion *body = mg_region(d->g, op->regions[0]);
    MgOp *last = mg_op(d->g, body->ops.at[body->ops.len - 1]);
    MgValueId *longer = MG_NEW_N(d->m->arena, MgValueId, n + 1);
    memcpy(longer, last->operands, n * sizeof *longer);
    longer[n] = b->params[k];
    last->operands = longer;
    last->n_operands = n + 1;
    op->loop->n_emitted++;
    const MgValue v = *mg_value(d->g, b->params[k]);
    MgIx *shape = MG_NEW_N(d->scratch, MgIx, v.rank + 1);
    shape[0] = mg_ix_sub(d->ix, op->loop->high, op->loop->low);
    memcpy(shape + 1, v.shape, v.rank * sizeof *shape);
    MgSym name = mg_symf(d->m->session->names, "%s_all", mg_name(d->m->session->names, v.name));
    return mg_op_result(d->g, id, name, v.dtype, v.rank + 1, shape);
}

// The part of a stacked value, or of its adjoint, that belongs to the trip. like: one part.
static MgValueId at_trip(Backward *b, MgValueId stacked, MgValueId like, bool adjoint) {
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

static void carry(Backward *b, MgValueId v, MgValueId init) {
    mg_push(b->d->scratch, &b->inits, init ? init : mg_zero_adjoint(b->d, v));
    mg_push(b->d->scratch, &b->carried, v);
}

// Makes the backward loop, without its body.
static MgOpId open_loop(Backward *b) {
    MgDerivation *d = b->d;
    MgIx trips = mg_ix_sub(d->ix, b->loop.high, b->loop.low), one = mg_ix_const(d->ix, 1);
    int64_t n;
    bool known = mg_ix_is_const(d->ix, trips, &n);
    MgOpId id = mg_op_new(d->g, d->region, MG_OP_LOOP, b->inits.at, b->inits.len, d->of->origin);
    MgLoop *loop = MG_NEW(d->m->arena, MgLoop);
    *loop = (MgLoop){
        .counter = mg_ix_dim(d->ix, mg_counter_name(d), 0, known && n > 0 ? n - 1 : MG_IX_INF),
        .counted = true,
        .low = mg_ix_const(d->ix, 0),
        .high = trips,
        .n_carried = b->inits.len};
    mg_op(d->g, id)->loop = loop;
    b->in = *d;
    b->in.region = mg_region_new(d->g, id);
    b->trip = mg_ix_sub(d->ix, mg_ix_sub(d->ix, trips, one), mg_ix_sym(d->ix, loop->counter));
    return id;
}

static bool map_counter(void *ctx, MgIxSym s, MgIx *to) {
    Backward *b = ctx;
    if (s != b->loop.counter)
        return false;
    *to = mg_ix_add(b->d->ix, b->trip, b->loop.low);
    return true;
}

// The backward body: the forward one again, its derivative, and what the next trip gets.
static bool fill_body(Backward *b, const MgValueId *adjoints) {
    MgDerivation *d = b->d, *in = &b->in;
    MgValueList params = {0};
    mg_map_init(&b->copies, d->scratch);
    for (uint32_t i = 0; i < b->carried.len; i++) {
        MgValueId v = b->carried.at[i];
        const MgValue value = *mg_value(d->g, v);
        mg_push(d->scratch, &params,
                mg_region_param_new(d->g, in->region, mg_adjoint_name(d, v), value.dtype,
                                    d->n_extra + value.rank, mg_adjoint_shape(d, v),
                                    d->of->origin));
    }
    for (uint32_t k = 0; k < b->loop.n_carried; k++)
        mg_map_put(&b->copies, b->params[k], at_trip(b, b->states[k], b->params[k], false));
    MgOpId first = d->g->ops.len;
    mg_region_copy(d->g, b->op.regions[0], in->region, &b->copies, map_counter, b);
    MgOpId end = d->g->ops.len;
    mg_copy_own(in, &b->copies);
    mg_derive_open(in);
    for (uint32_t k = 0; k < b->loop.n_carried; k++)
        in->depends[copy_of(&b->copies, b->params[k])] = d->depends[b->params[k]];
    mg_find_depending(in, first, end);
    uint32_t n = b->loop.n_carried;
    for (uint32_t k = 0, at = 0; k < n; k++)
        if (d->depends[b->params[k]])
            mg_reach(in, copy_of(&b->copies, b->yields[k]), params.at[at++]);
    for (uint32_t k = n; k < n + b->loop.n_emitted; k++)
        if (adjoints[k])
            mg_reach(in, copy_of(&b->copies, b->yields[k]),
                     at_trip(b, adjoints[k], b->yields[k], true));
    if (!mg_walk_back(in, first, end))
        return false;
    for (uint32_t i = 0; i < b->carried.len; i++) {
        MgValueId v = copy_of(&b->copies, b->carried.at[i]);
        bool outside = i >= b->carried.len - b->read.len;
        if (outside) // it adds up over the trips
            mg_reach(in, v, params.at[i]);
        MgValueId sum = mg_add_adjoints(in, v);
        mg_push(d->scratch, &b->next, sum ? sum : mg_zero_adjoint(in, v));
    }
    mg_yield(in, &b->next);
    return true;
}

// The results of the backward loop reach what the forward loop read.
static void close_loop(Backward *b, MgOpId made) {
    MgDerivation *d = b->d;
    for (uint32_t i = 0, k = 0; i < b->carried.len; i++) {
        MgValueId v = b->carried.at[i], to = v;
        if (i < b->carried.len - b->read.len) { // a carried value, which is there once
            while (b->params[k] != v)
                k++;
            to = b->op.operands[k];
        }
        const MgValue value = *mg_value(d->g, v);
        MgValueId result = mg_op_result(d->g, made, mg_adjoint_name(d, to), value.dtype,
                                        d->n_extra + value.rank, mg_adjoint_shape(d, v));
        if (d->depends[to])
            mg_reach(d, to, result);
    }
}

bool mg_derive_loop(MgDerivation *d, MgOpId id) {
    Backward b = {.d = d, .op = *mg_op(d->g, id), .loop = *mg_op(d->g, id)->loop};
    uint32_t n;
    if (b.loop.has_while || !b.loop.counted)
        return mg_derive_refuse(d, id,
                                "the data decide when this loop ends, so only `towards` goes "
                                "through it");
    if (mg_makes_dimension(d, b.op.regions[0]))
        return mg_derive_refuse(d, id, "the data decide a size in this loop");
    b.params = mg_region(d->g, b.op.regions[0])->params.at;
    b.states = MG_NEW_N(d->scratch, MgValueId, b.loop.n_carried);
    for (uint32_t k = 0; k < b.loop.n_carried; k++)
        b.states[k] = find_state(&b, k);
    b.yields = mg_yielded(d, b.op.regions[0], &n);
    MgValueId *adjoints = MG_NEW_N(d->scratch, MgValueId, n);
    for (uint32_t k = 0; k < b.loop.n_carried + b.loop.n_emitted; k++)
        adjoints[k] = mg_add_adjoints(d, b.op.results[k]);
    MgMap inside;
    mg_map_init(&inside, d->scratch);
    mg_find_read(d, b.op.regions[0], &inside, &b.read);
    for (uint32_t k = 0; k < b.loop.n_carried; k++)
        if (d->depends[b.params[k]])
            carry(&b, b.params[k], adjoints[k]);
    for (uint32_t i = 0; i < b.read.len; i++)
        carry(&b, b.read.at[i], MG_NONE);
    MgOpId made = open_loop(&b);
    if (!fill_body(&b, adjoints))
        return false;
    close_loop(&b, made);
    return true;
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
        if (adjoints[i] && in.depends[copy_of(&copies, yields[i])])
            mg_reach(&in, copy_of(&copies, yields[i]), adjoints[i]);
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
