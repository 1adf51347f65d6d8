// checkpoint: decides which loops keep the states of all trips for their derivatives, and which
// keep some states and compute the others again, segment by segment.
//
// Needs: derivatives' origins (#backward). Keeps: every value; a segment is the same equations over
// the same operands. Ends: each loop is rewritten once.
//
// A derivative reads what a loop emits in reverse, one trip at a time. Such a stack of n trips is
// replaced by the states at the beginnings of n/c segments and by a stack of c trips, which the
// backward loop fills whenever it comes to the end of a segment (Griewank 1992; Chen et al. 2016).
// The bytes are least for c = sqrt(n * state / trip). Every trip is computed once more.
#include "passes/checkpoint.h"

#include "passes/loops.h"

#include <math.h>

typedef struct Reads {
    uint32_t operand;
    MgIx trip;
    bool ok;
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind == MG_SX_READ && x->operand == r->operand)
        r->ok &= x->n_args && x->args[0]->kind == MG_SX_IX && x->args[0]->ix == r->trip;
}

MgIx mg_checkpoint_trip(const MgCheckpoint *c, MgOpId backward) {
    MgIxTable *t = c->g->module->ix;
    MgIx u = mg_ix_sym(t, mg_op(c->g, backward)->loop->counter);
    return mg_ix_sub(t, mg_ix_sub(t, c->trips, mg_ix_const(t, 1)), u);
}

// The backward loop whose trips read the stack's trips in an equation; MG_NONE if it is read in
// another way.
static MgOpId backward_reader(const MgCheckpoint *c, MgOpId reader, MgValueId stack) {
    MgGraph *g = c->g;
    const MgOp *op = mg_op(g, reader);
    MgOpId loop = mg_op_in(g, mg_op(g, c->forward)->region, reader);
    if (!loop || loop == reader || loop == c->forward || op->kind != MG_OP_EQUATION ||
        !mg_is_backward_loop(g, loop, c->trips))
        return MG_NONE;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k] != stack)
            continue;
        Reads r = {k, mg_checkpoint_trip(c, loop),
                   !(op->equation->has_base && k + 1 == op->n_operands)};
        for (uint32_t i = 0; i < op->equation->n_pieces; i++)
            mg_sx_walk(op->equation->pieces[i].expr, see_read, &r);
        if (!r.ok)
            return MG_NONE;
    }
    return loop;
}

// Do only backward loops read the stack, in reverse? Notes them.
static bool may_go(MgCheckpoint *c, const MgReaders *readers, const bool *outputs, MgValueId v) {
    MgArena *arena = c->context->scratch;
    uint32_t first = readers->first[v], end = readers->first[v + 1];
    bool ok = !outputs[v] && first < end;
    for (uint32_t i = first; i < end && ok; i++)
        ok = backward_reader(c, readers->ops[i], v);
    for (uint32_t i = first; i < end && ok; i++) {
        MgOpId loop = backward_reader(c, readers->ops[i], v);
        bool known = false;
        for (uint32_t k = 0; k < c->backward.len; k++)
            known |= c->backward.at[k] == loop;
        if (!known)
            mg_push(arena, &c->backward, loop);
    }
    return ok;
}

// ---------------------------------------------------------------- what is computed again

static void need(const MgCheckpoint *c, const MgOp *op, bool *values) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        values[op->operands[i]] = true;
    for (uint32_t k = 0; k < op->n_regions; k++)
        for (uint32_t i = 0; i < mg_region(c->g, op->regions[k])->ops.len; i++)
            need(c, mg_op(c->g, mg_region(c->g, op->regions[k])->ops.at[i]), values);
}

// Marks the ops that make needed values, and what they need. Returns whether the values that the
// loop carries need more.
static bool need_once(MgCheckpoint *c, bool *values) {
    MgGraph *g = c->g;
    const MgRegion *body = mg_region(g, mg_op(g, c->forward)->regions[0]);
    const MgOp *yield = mg_loop_yield(g, c->forward);
    for (uint32_t i = body->ops.len; i-- > 0;) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        bool made = false;
        for (uint32_t k = 0; k < op->n_results; k++)
            made |= values[op->results[k]];
        if (!made || op->kind == MG_OP_ERASED)
            continue;
        c->needed[body->ops.at[i]] = true;
        need(c, op, values);
    }
    bool more = false;
    for (uint32_t k = 0; k < body->params.len; k++) {
        if (!values[body->params.at[k]] || values[yield->operands[k]])
            continue;
        more = true;
        values[yield->operands[k]] = true;
    }
    return more;
}

// Finds the ops and states that the stacks need, and returns the values that they read.
static bool *find_needed(MgCheckpoint *c) {
    MgGraph *g = c->g;
    MgArena *arena = c->context->scratch;
    const MgOp *op = mg_op(g, c->forward);
    const MgRegion *body = mg_region(g, op->regions[0]);
    const MgOp *yield = mg_loop_yield(g, c->forward);
    bool *values = MG_NEW_N(arena, bool, g->values.len);
    c->n_ops = g->ops.len;
    c->needed = MG_NEW_N(arena, bool, c->n_ops);
    c->kept = MG_NEW_N(arena, MgValueId, op->loop->n_carried + 1);
    for (uint32_t i = 0; i < c->stacks.len; i++)
        values[yield->operands[c->stacks.at[i]]] = true;
    while (need_once(c, values))
        continue;
    for (uint32_t k = 0; k < op->loop->n_carried; k++) {
        if (!values[body->params.at[k]])
            continue;
        mg_push(arena, &c->states, k);
        for (uint32_t e = op->loop->n_carried; e < op->n_results; e++) {
            bool goes = false;
            for (uint32_t i = 0; i < c->stacks.len; i++)
                goes |= c->stacks.at[i] == e;
            if (!goes && yield->operands[e] == body->params.at[k])
                c->kept[k] = op->results[e];
        }
    }
    return values;
}

// ---------------------------------------------------------------- the choice

static double trip_bytes(const MgCheckpoint *c, uint32_t result) {
    return mg_remat_bytes(c->g, mg_loop_yield(c->g, c->forward)->operands[result]);
}

// The bytes of values from outside that only the forward pass reads so far. They must stay for the
// backward loops.
static double bytes_longer(const MgCheckpoint *c, const MgReaders *readers, const bool *values) {
    MgGraph *g = c->g;
    MgRegionId around = mg_op(g, c->forward)->region;
    double bytes = 0;
    for (MgValueId v = 1; v < g->values.len; v++) {
        MgOpId def = values[v] ? mg_value(g, v)->def : MG_NONE;
        if (!def || mg_op(g, def)->region != around || mg_op(g, def)->kind == MG_OP_PARAM ||
            mg_op(g, def)->kind == MG_OP_CONST)
            continue;
        bool late = false;
        for (uint32_t i = readers->first[v]; i < readers->first[v + 1]; i++)
            late |= mg_origin_is_backward(g->module, mg_op(g, readers->ops[i])->origin);
        bytes += late ? 0 : mg_remat_bytes(g, v);
    }
    return bytes;
}

typedef struct Bytes {
    double trips, state, trip; // the number of trips; bytes of a state, and of a trip's stacks
} Bytes;

static double bytes_of(const Bytes *b, double every) {
    return ceil(b->trips / every) * b->state + every * b->trip;
}

static double choose_every(MgCheckpoint *c, const Bytes *b) {
    double low = floor(sqrt(b->trips * b->state / b->trip));
    low = low < 1 ? 1 : low + 1 > b->trips ? b->trips : low;
    double every = bytes_of(b, low + 1) < bytes_of(b, low) ? low + 1 : low;
    c->every = (int64_t)every;
    return every;
}

// Do checkpoints cost less than keeping the stacks? Sets the length of a segment.
static bool is_better(MgCheckpoint *c, const MgReaders *readers, const bool *values) {
    MgGraph *g = c->g;
    const MgPassContext *context = c->context;
    const MgRegion *body = mg_region(g, mg_op(g, c->forward)->regions[0]);
    Bytes b = {.trips = (double)mg_ix_likely(g->module->ix, c->trips)};
    double ns = 0;
    for (uint32_t i = 0; i < c->stacks.len; i++)
        b.trip += trip_bytes(c, c->stacks.at[i]);
    for (uint32_t i = 0; i < c->states.len; i++)
        if (!c->kept[c->states.at[i]])
            b.state += mg_remat_bytes(g, body->params.at[c->states.at[i]]);
    for (uint32_t i = 0; i < body->ops.len; i++)
        if (c->needed[body->ops.at[i]])
            ns += mg_remat_trip_ns(g, context, body->ops.at[i]);
    if (b.trips < 2 || !b.trip)
        return false;
    double every = choose_every(c, &b), all = b.trips * b.trip;
    double some = bytes_of(&b, every), longer = bytes_longer(c, readers, values);
    double again = (double)c->backward.len * b.trips * ns + 2 * mg_remat_memory_ns(context, some);
    double keep = (1 + (double)c->backward.len) * mg_remat_memory_ns(context, all),
           price = context->remat->price;
    bool better = some + longer < all && again + price * (some + longer) < keep + price * all;
    MgCheckpointTold told = {
        false, b.trips, better ? every : 0, better ? some : all, all, better ? again : keep};
    if (context->checkpoint_tell)
        context->checkpoint_tell(context->edge_ctx, g, mg_op(g, c->forward)->results[0], &told);
    return better;
}

// ---------------------------------------------------------------- the pass

static bool may_repeat(MgGraph *g, const MgOp *op) {
    bool may = op->kind != MG_OP_REQUIRE && op->kind != MG_OP_DIM && !op->dim &&
               (op->kind != MG_OP_LOOP || !op->loop->trips);
    for (uint32_t k = 0; k < op->n_regions; k++)
        for (uint32_t i = 0; i < mg_region(g, op->regions[k])->ops.len; i++)
            may &= may_repeat(g, mg_op(g, mg_region(g, op->regions[k])->ops.at[i]));
    return may;
}

static bool try_loop(MgGraph *g, MgPassContext *context, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    if (op->kind != MG_OP_LOOP || !op->loop->counted || op->loop->has_while || !may_repeat(g, op))
        return false;
    MgReaders readers = mg_readers(g, context->scratch);
    bool *outputs = MG_NEW_N(context->scratch, bool, g->values.len);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        outputs[g->outputs.at[i].value] = true;
    MgCheckpoint c = {.g = g,
                      .context = context,
                      .forward = id,
                      .trips = mg_ix_sub(g->module->ix, op->loop->high, op->loop->low)};
    for (uint32_t i = op->loop->n_carried; i < op->n_results; i++)
        if (may_go(&c, &readers, outputs, op->results[i]))
            mg_push(context->scratch, &c.stacks, i);
    if (!c.stacks.len)
        return false;
    const bool *values = find_needed(&c);
    if (!is_better(&c, &readers, values) || !mg_pass_may(context, id))
        return false;
    mg_checkpoint_make(&c);
    return true;
}

bool mg_pass_checkpoint(MgGraph *g, MgPassContext *context) {
    if (!context->remat || context->remat->kind == MG_REMAT_NONE)
        return false;
    bool changed = false;
    MgOpId end = g->ops.len; // loops that are made are not rewritten
    for (MgOpId id = 1; id < end && context->remat->sums && !context->strict; id++)
        changed |= mg_checkpoint_sums(g, context, id);
    for (MgOpId id = 1; id < end; id++)
        changed |= try_loop(g, context, id);
    if (changed) {
        mg_graph_compact(g);
        mg_graph_guard(g);
    }
    return changed;
}
