// Sums over trips, behind a backward loop, go into the loop.
//
//   d, e = loop u in 0..n carry (…) { …; emit v }
//   y[i, …] = sum[t in 0..n, k] e[t, …] * s[n - 1 - t, …] * w[…]
//
// becomes
//
//   d, y = loop u in 0..n carry (…, y = zeros) { …; p[i, …] = sum[k] v[…] * s[n - 1 - u, …] * w[…];
//                                               next y = y + p }
//
// No value of the loop needs to be kept for all trips then; but each trip reads and writes the sum.
#include "passes/checkpoint.h"

#include "passes/loops.h"
#include "passes/rewrite.h"

typedef struct Sum {
    MgOpId op;
    uint32_t index; // the position of the index that goes over the trips
    bool reversed;  // it counts the forward loop's trips
} Sum;

typedef struct Sums {
    MgGraph *g;
    MgModule *m;
    MgIxTable *t;
    MgPassContext *context;
    MgReaders readers;
    MgOpId backward;
    MgIx trips;
    MG_VEC(Sum) sums;
} Sums;

// The number of the loop's result that the value is, if it is an emitted one; 0 otherwise.
static uint32_t emitted_number(const Sums *s, MgValueId v) {
    const MgOp *loop = mg_op(s->g, s->backward);
    const MgValue *value = mg_value(s->g, v);
    bool emitted = value->def == s->backward && value->result >= loop->loop->n_carried;
    return emitted ? value->result : 0;
}

static MgIx reverse(const Sums *s, MgIx trip) {
    return mg_ix_sub(s->t, mg_ix_sub(s->t, s->trips, mg_ix_const(s->t, 1)), trip);
}

// ---------------------------------------------------------------- which sums

typedef struct Reads {
    const Sums *s;
    const MgOp *op;
    Sum *sum; // index: UINT32_MAX until the first read
    bool ok;
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind != MG_SX_READ || !emitted_number(r->s, r->op->operands[x->operand]))
        return;
    const MgPiece *p = &r->op->equation->pieces[0];
    MgIx at = x->args[0]->kind == MG_SX_IX ? x->args[0]->ix : MG_IX_ERROR;
    for (uint32_t i = p->n_free; i < p->n_indices && r->sum->index == UINT32_MAX; i++) {
        MgIx index = mg_ix_idx(r->s->t, i);
        if (at != index && at != reverse(r->s, index))
            continue;
        r->sum->index = i;
        r->sum->reversed = at != index;
    }
    MgIx index = mg_ix_idx(r->s->t, r->sum->index == UINT32_MAX ? 0 : r->sum->index);
    r->ok &= r->sum->index != UINT32_MAX && at == (r->sum->reversed ? reverse(r->s, index) : index);
}

static uint32_t place_of(MgGraph *g, MgOpId id) {
    const MgRegion *region = mg_region(g, mg_op(g, id)->region);
    uint32_t at = 0;
    while (region->ops.at[at] != id)
        at++;
    return at;
}

// Is the op a sum over trips whose other operands exist before the loop?
static bool is_sum(const Sums *s, MgOpId id, Sum *sum) {
    MgGraph *g = s->g;
    const MgOp *op = mg_op(g, id);
    *sum = (Sum){.op = id, .index = UINT32_MAX};
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->region != mg_op(g, s->backward)->region || op->equation->has_base)
        return false;
    Reads r = {s, op, sum, p->reducer == MG_REDUCE_SUM && !p->scatter};
    if (r.ok)
        mg_sx_walk(p->expr, see_read, &r);
    if (!r.ok || sum->index == UINT32_MAX || p->indices[sum->index].low != mg_ix_const(s->t, 0) ||
        p->indices[sum->index].high != s->trips)
        return false;
    uint32_t before = place_of(g, s->backward);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(g, op->operands[i])->def;
        if (def && mg_op(g, def)->region == op->region && !emitted_number(s, op->operands[i]) &&
            place_of(g, def) >= before)
            return false;
    }
    for (uint32_t i = 0; i < p->n_indices; i++) // ranges that depend on the trip stay
        if (mg_ix_mentions(s->t, p->indices[i].low, mg_ix_index(s->t, sum->index)) ||
            mg_ix_mentions(s->t, p->indices[i].high, mg_ix_index(s->t, sum->index)))
            return false;
    return true;
}

static bool is_taken(const Sums *s, MgOpId id) {
    for (uint32_t i = 0; i < s->sums.len; i++)
        if (s->sums.at[i].op == id)
            return true;
    return false;
}

static void find_sums(Sums *s) {
    const MgOp *loop = mg_op(s->g, s->backward);
    for (uint32_t e = loop->loop->n_carried; e < loop->n_results; e++)
        for (uint32_t i = s->readers.first[loop->results[e]];
             i < s->readers.first[loop->results[e] + 1]; i++) {
            Sum sum;
            MgOpId reader = s->readers.ops[i];
            if (!is_taken(s, reader) && is_sum(s, reader, &sum))
                mg_push(s->context->scratch, &s->sums, sum);
        }
}

// Do only sums that are taken, and trips of backward loops, read the value of all trips?
static bool goes(const Sums *s, MgValueId v) {
    MgGraph *g = s->g;
    bool goes = true;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        goes &= g->outputs.at[i].value != v;
    for (uint32_t i = s->readers.first[v]; i < s->readers.first[v + 1] && goes; i++) {
        MgOpId id = s->readers.ops[i], loop = mg_op_in(g, mg_op(g, s->backward)->region, id);
        goes = is_taken(s, id) || (loop != id && loop && mg_is_backward_loop(g, loop, s->trips));
    }
    return goes;
}

// Do the bytes of all trips that nobody reads any more cost more than reading and writing the sums
// in each trip?
static bool is_better(const Sums *s) {
    MgGraph *g = s->g;
    double bytes = 0, moved = 0, trips = (double)mg_ix_likely(s->t, s->trips);
    MgDistinct stacks = {0};
    for (uint32_t i = 0; i < s->sums.len; i++) {
        const MgOp *op = mg_op(g, s->sums.at[i].op);
        moved += 2 * trips * mg_remat_bytes(g, op->results[0]);
        for (uint32_t k = 0; k < op->n_operands; k++) {
            MgOpId def = mg_value(g, op->operands[k])->def;
            uint32_t known = stacks.len;
            if (def && mg_op(g, def)->kind == MG_OP_LOOP && goes(s, op->operands[k]) &&
                mg_distinct(s->context->scratch, &stacks, op->operands[k]) == known)
                bytes += mg_remat_bytes(g, op->operands[k]);
        }
    }
    return s->context->remat->price * bytes > mg_remat_memory_ns(s->context, moved);
}

// ---------------------------------------------------------------- into the loop

typedef struct OneTrip {
    const Sums *s;
    const MgOp *op; // the sum
} OneTrip;

static const MgSx *drop_trip(void *ctx, const MgSx *x) {
    const OneTrip *one = ctx;
    if (x->kind != MG_SX_READ || !emitted_number(one->s, one->op->operands[x->operand]))
        return x;
    return mg_sx_read(one->s->m, x->operand, x->dtype, x->args + 1, x->n_args - 1, x->bounds,
                      x->otherwise);
}

// The sum of one trip, in front of the body's yield.
static MgValueId sum_of_trip(Sums *s, const Sum *sum, MgOpId yield) {
    MgGraph *g = s->g;
    MgArena *arena = s->m->arena;
    const MgOp op = *mg_op(g, sum->op);
    const MgValue v = *mg_value(g, op.results[0]);
    MgValueId *operands = mg_arena_copy(arena, op.operands, op.n_operands, sizeof *operands);
    OneTrip one = {s, &op};
    MgEquation *e = mg_arena_copy(arena, op.equation, 1, sizeof *e);
    MgPiece *p = e->pieces = mg_arena_copy(arena, e->pieces, 1, sizeof *p);
    p->expr = mg_sx_rewrite(s->m, p->expr, drop_trip, &one);
    for (uint32_t i = 0; i < op.n_operands; i++)
        if (emitted_number(s, operands[i]))
            operands[i] = mg_op(g, yield)->operands[emitted_number(s, operands[i])];
    MgOpId made = mg_op_new_before(g, yield, MG_OP_EQUATION, operands, op.n_operands, op.origin);
    mg_op(g, made)->equation = e;
    MgNames *names = s->m->session->names;
    MgSym name = mg_unique_name(g, mg_symf(names, "%s_trip", mg_name(names, v.name)));
    MgValueId result = mg_op_result(g, made, name, v.dtype, v.rank, v.shape);
    MgIx u = mg_ix_sym(s->t, mg_op(g, s->backward)->loop->counter);
    mg_drop_index(g, made, p, sum->index, sum->reversed ? reverse(s, u) : u);
    if (p->n_indices == p->n_free)
        p->reducer = MG_REDUCE_NONE;
    mg_normalise_operands(g, made, s->context->scratch);
    return result;
}

static MgValueId add(Sums *s, MgOpId yield, MgValueId a, MgValueId b) {
    MgGraph *g = s->g;
    const MgValue v = *mg_value(g, a);
    MgDType type = mg_dtype(v.dtype)->compute;
    MgValueId operands[] = {a, b};
    MgEquation *e = mg_plain_copy(g, &v);
    const MgSx *x = e->pieces[0].expr;
    const MgSx *terms[] = {x, mg_sx_read(s->m, 1, type, x->args, x->n_args, x->bounds, NULL)};
    e->pieces[0].expr = mg_sx_prim(s->m, MG_PRIM_ADD, type, terms, 2);
    MgOpId made = mg_op_new_before(g, yield, MG_OP_EQUATION, operands, 2, v.origin);
    mg_op(g, made)->equation = e;
    return mg_op_result(g, made, mg_unique_name(g, v.name), v.dtype, v.rank, v.shape);
}

static void take_in(Sums *s, const Sum *sum) {
    MgGraph *g = s->g;
    MgRegionId body = mg_op(g, s->backward)->regions[0];
    MgOpId yield = mg_region(g, body)->ops.at[mg_region(g, body)->ops.len - 1];
    MgValueId whole = mg_op(g, sum->op)->results[0];
    const MgValue v = *mg_value(g, whole);
    MgNames *names = s->m->session->names;
    double trips = (double)mg_ix_likely(s->t, s->trips);
    MgCheckpointTold told = {
        .sum = true,
        .trips = trips,
        .ns = mg_remat_memory_ns(s->context, 2 * trips * mg_remat_bytes(g, whole))};
    if (s->context->checkpoint_tell)
        s->context->checkpoint_tell(s->context->edge_ctx, g, whole, &told);
    MgSym none = mg_unique_name(g, mg_symf(names, "%s_none", mg_name(names, v.name)));
    MgValueId init = mg_zeros(g, s->backward, &v, none);
    MgValueId param =
        mg_region_param_new(g, body, mg_unique_name(g, v.name), v.dtype, v.rank, v.shape, v.origin);
    MgValueId next = add(s, yield, param, sum_of_trip(s, sum, yield));
    MgValueId result = mg_loop_carry(g, s->backward, init, next, mg_unique_name(g, v.name));
    mg_replace_uses(g, whole, result);
    mg_op_erase(g, sum->op);
}

bool mg_checkpoint_sums(MgGraph *g, MgPassContext *context, MgOpId backward) {
    const MgOp *loop = mg_op(g, backward);
    if (loop->kind != MG_OP_LOOP || !mg_is_backward_loop(g, backward, loop->loop->high))
        return false;
    Sums s = {.g = g,
              .m = g->module,
              .t = g->module->ix,
              .context = context,
              .readers = mg_readers(g, context->scratch),
              .backward = backward,
              .trips = loop->loop->high};
    find_sums(&s);
    if (!s.sums.len || !is_better(&s) || !mg_pass_may(context, backward))
        return false;
    for (uint32_t i = 0; i < s.sums.len; i++)
        take_in(&s, &s.sums.at[i]);
    const MgOp op = *mg_op(g, backward);
    const uint32_t *uses = mg_use_counts(g, context->scratch);
    bool *drop = MG_NEW_N(context->scratch, bool, op.n_results);
    for (uint32_t i = op.loop->n_carried; i < op.n_results; i++)
        drop[i] = !uses[op.results[i]];
    mg_loop_drop(g, backward, drop);
    return true;
}
