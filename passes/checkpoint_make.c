// Rewrites a loop and the backward loops that read its stacks.
//
//   r, s = loop t in 0..n carry (c = init) { body; next c = n; emit v }
//   loop u in 0..n carry (…) { … s[n - 1 - u, …] … }
//
// becomes, with segments of `every` trips and f = n - 1 - u,
//
//   r, k = loop t in 0..n carry (c = init, k = zeros) { body; next c = n, k = k with c at row
//                                                      t / every if a segment begins }
//   loop u in 0..n carry (…, s = zeros) {
//       s1 = loop in 0..1 if f ends a segment, otherwise 0..0, carry (s) {
//           loop t from the segment's beginning to f carry (c = k[f / every], s) { body; next c =
//               n, s = s with v at row t % every }
//       }
//       … s1[f % every, …] …
//   }
//
// Rows are written `over` the carried value, which takes no copy: storage makes the next value in
// its bytes.
#include "passes/checkpoint.h"

#include "passes/loops.h"
#include "passes/rewrite.h"

typedef struct Make {
    MgCheckpoint *c;
    MgGraph *g;
    MgModule *m;
    MgIxTable *t;
    MgArena *arena;   // the module's
    MgIx rows;        // the number of segments
    MgIxSym from, to; // counters: of the forward loop, and of the loop that goes over a segment
    MgValueId *checkpoints; // by number of a state: the rows of its checkpoints
} Make;

static MgSym new_name(Make *k, MgValueId like, const char *suffix) {
    MgNames *names = k->m->session->names;
    const char *name = mg_name(names, mg_value(k->g, like)->name);
    return mg_unique_name(k->g, mg_symf(names, "%s_%s", name, suffix));
}

static bool is_taken(Make *k, MgSym name) {
    bool taken = mg_map_find(&k->g->value_names, name) != NULL;
    for (uint32_t i = 0; i < k->g->dims.len && !taken; i++)
        taken = mg_ix_sym_name(k->t, k->g->dims.at[i]) == name;
    for (MgOpId id = 1; id < k->g->ops.len && !taken; id++) {
        const MgLoop *loop = mg_op(k->g, id)->loop;
        taken = loop && mg_ix_sym_name(k->t, loop->counter) == name;
    }
    return taken;
}

static MgIxSym new_counter(Make *k, int64_t low, int64_t high) {
    MgNames *names = k->m->session->names;
    MgSym name = mg_sym(names, "s");
    for (uint32_t n = 2; is_taken(k, name); n++)
        name = mg_symf(names, "s%u", n);
    return mg_ix_dim(k->t, name, low, high);
}

// A type of rows of v.
static MgValue rows_of(Make *k, MgValueId v, MgIx rows) {
    MgValue row = *mg_value(k->g, v);
    MgIx *shape = MG_NEW_N(k->arena, MgIx, row.rank + 1);
    shape[0] = rows;
    memcpy(shape + 1, row.shape, row.rank * sizeof *shape);
    row.shape = shape;
    row.rank++;
    return row;
}

// ---------------------------------------------------------------- equations

// v[i, …] = rows[at, i, …], at the end of the region.
static MgValueId row_at(Make *k, MgRegionId r, MgValueId rows, MgIx at, MgValueId like) {
    const MgValue v = *mg_value(k->g, like);
    MgEquation *e = mg_plain_copy(k->g, &v);
    const MgSx **subs = MG_NEW_N(k->arena, const MgSx *, v.rank + 1);
    subs[0] = mg_sx_ix(k->m, MG_I64, at);
    for (uint32_t i = 0; i < v.rank; i++)
        subs[i + 1] = e->pieces[0].target[i].sub;
    e->pieces[0].expr =
        mg_sx_read(k->m, 0, mg_dtype(v.dtype)->compute, subs, v.rank + 1, MG_BOUNDS_PROVED, NULL);
    MgOpId op = mg_op_new(k->g, r, MG_OP_EQUATION, &rows, 1, v.origin);
    mg_op(k->g, op)->equation = e;
    return mg_op_result(k->g, op, new_name(k, like, "first"), v.dtype, v.rank, v.shape);
}

// The rows with v at place `at`; nothing is written if that is no row. In front of the op, or at
// the region's end.
static MgValueId with_row(Make *k, MgRegionId r, MgOpId before, MgValueId rows, MgIx at,
                          MgValueId v) {
    const MgValue row = *mg_value(k->g, v), all = *mg_value(k->g, rows);
    MgEquation *e = mg_plain_copy(k->g, &row);
    MgPiece *p = &e->pieces[0];
    MgIndex *indices = MG_NEW_N(k->arena, MgIndex, row.rank + 1);
    MgTarget *target = MG_NEW_N(k->arena, MgTarget, row.rank + 1);
    memcpy(indices, p->indices, row.rank * sizeof *indices);
    memcpy(target + 1, p->target, row.rank * sizeof *target);
    indices[row.rank] =
        (MgIndex){mg_sym(k->m->session->names, "row"), mg_ix_const(k->t, 0), mg_ix_const(k->t, 1)};
    target[0].sub = mg_sx_ix(k->m, MG_I64, mg_ix_add(k->t, at, mg_ix_idx(k->t, row.rank)));
    *p = (MgPiece){.indices = indices,
                   .n_free = row.rank,
                   .n_indices = row.rank + 1,
                   .reducer = MG_REDUCE_LAST,
                   .scatter = true,
                   .write = MG_BOUNDS_ELSE,
                   .target = target,
                   .expr = p->expr};
    e->has_base = true;
    MgValueId operands[] = {v, rows};
    MgOpId op = before ? mg_op_new_before(k->g, before, MG_OP_EQUATION, operands, 2, row.origin)
                       : mg_op_new(k->g, r, MG_OP_EQUATION, operands, 2, row.origin);
    mg_op(k->g, op)->equation = e;
    return mg_op_result(k->g, op, mg_unique_name(k->g, all.name), all.dtype, all.rank, all.shape);
}

// ---------------------------------------------------------------- loops

static MgOpId open_loop(Make *k, MgRegionId r, MgOpId before, const MgValueId *inits, uint32_t n,
                        MgIxSym counter, MgIx low, MgIx high) {
    MgOriginId origin = mg_origin_backward(k->m, mg_op(k->g, k->c->forward)->origin);
    MgOpId id = before ? mg_op_new_before(k->g, before, MG_OP_LOOP, inits, n, origin)
                       : mg_op_new(k->g, r, MG_OP_LOOP, inits, n, origin);
    MgLoop *loop = MG_NEW(k->arena, MgLoop);
    *loop = (MgLoop){.counter = counter, .counted = true, .low = low, .high = high, .n_carried = n};
    MgRegionId body = mg_region_new(k->g, id);
    MgOp *op = mg_op(k->g, id);
    op->loop = loop;
    for (uint32_t i = 0; i < n; i++) {
        const MgValue v = *mg_value(k->g, inits[i]);
        mg_region_param_new(k->g, body, mg_unique_name(k->g, v.name), v.dtype, v.rank, v.shape,
                            origin);
    }
    return id;
}

static void close_loop(Make *k, MgOpId id, const MgValueId *next, uint32_t n) {
    MgRegionId body = mg_op(k->g, id)->regions[0];
    mg_op_new(k->g, body, MG_OP_YIELD, next, n, mg_op(k->g, id)->origin);
    for (uint32_t i = 0; i < n; i++) {
        const MgValue v = *mg_value(k->g, mg_region(k->g, body)->params.at[i]);
        mg_op_result(k->g, id, mg_unique_name(k->g, v.name), v.dtype, v.rank, v.shape);
    }
}

// ---------------------------------------------------------------- the forward loop

static void keep_some(Make *k) {
    MgCheckpoint *c = k->c;
    MgOp op = *mg_op(k->g, c->forward);
    MgIx every = mg_ix_const(k->t, c->every), one = mg_ix_const(k->t, 1);
    MgIx trip = mg_ix_sub(k->t, mg_ix_sym(k->t, op.loop->counter), op.loop->low);
    MgIx inside = mg_ix_min(k->t, mg_ix_mod(k->t, trip, every), one); // 0 where a segment begins
    MgIx row = mg_ix_add(k->t, mg_ix_div(k->t, trip, every), mg_ix_mul(k->t, k->rows, inside));
    k->checkpoints = MG_NEW_N(c->context->scratch, MgValueId, op.loop->n_carried + 1);
    for (uint32_t i = 0; i < c->states.len; i++) {
        uint32_t state = c->states.at[i];
        if (c->kept[state])
            continue;
        MgValueId param = mg_region(k->g, op.regions[0])->params.at[state];
        MgValue rows = rows_of(k, param, k->rows);
        MgValueId init = mg_zeros(k->g, c->forward, &rows, new_name(k, param, "none"));
        MgValueId all = mg_region_param_new(k->g, op.regions[0], new_name(k, param, "rows"),
                                            rows.dtype, rows.rank, rows.shape, rows.origin);
        const MgRegion *body = mg_region(k->g, op.regions[0]);
        MgValueId next =
            with_row(k, op.regions[0], body->ops.at[body->ops.len - 1], all, row, param);
        k->checkpoints[state] =
            mg_loop_carry(k->g, c->forward, init, next, new_name(k, param, "kept"));
    }
}

// ---------------------------------------------------------------- backward loops

static bool map_counter(void *ctx, MgIxSym s, MgIx *to) {
    const Make *k = ctx;
    *to = mg_ix_sym(k->t, k->to);
    return s == k->from;
}

// Fills the loop over a segment: the body with other states, and rows of what it makes.
static void fill_segment(Make *k, MgOpId id) {
    MgCheckpoint *c = k->c;
    const MgOp forward = *mg_op(k->g, c->forward);
    MgRegionId from = forward.regions[0], into = mg_op(k->g, id)->regions[0];
    uint32_t n = c->states.len;
    MgMap values;
    MgValueId *next = MG_NEW_N(c->context->scratch, MgValueId, n + c->stacks.len + 1);
    mg_map_init(&values, c->context->scratch);
    for (uint32_t i = 0; i < n; i++)
        mg_map_put(&values, mg_region(k->g, from)->params.at[c->states.at[i]],
                   mg_region(k->g, into)->params.at[i]);
    mg_region_copy(k->g, from, into, &values, map_counter, k);
    const MgRegion body = *mg_region(k->g, from);
    for (uint32_t i = 0; i + 1 < body.ops.len; i++) {
        const MgOp *op = mg_op(k->g, body.ops.at[i]);
        bool needed = body.ops.at[i] < c->n_ops && c->needed[body.ops.at[i]];
        if (op->kind != MG_OP_ERASED && !needed)
            mg_op_erase(k->g,
                        mg_value(k->g, (MgValueId)mg_map_get(&values, op->results[0], 0))->def);
    }
    const MgOp yield = *mg_loop_yield(k->g, c->forward);
    MgIx trip = mg_ix_sub(k->t, mg_ix_sym(k->t, k->to), forward.loop->low);
    MgIx row = mg_ix_mod(k->t, trip, mg_ix_const(k->t, c->every));
    for (uint32_t i = 0; i < n; i++) {
        MgValueId v = yield.operands[c->states.at[i]];
        next[i] = (MgValueId)mg_map_get(&values, v, v);
    }
    for (uint32_t i = 0; i < c->stacks.len; i++) {
        MgValueId v = yield.operands[c->stacks.at[i]];
        next[n + i] = with_row(k, into, MG_NONE, mg_region(k->g, into)->params.at[n + i], row,
                               (MgValueId)mg_map_get(&values, v, v));
    }
    close_loop(k, id, next, n + c->stacks.len);
}

// Makes the loop, of one trip or none, that computes a segment in front of the op. Returns it; its
// results are the segment's rows.
static MgOpId make_segment(Make *k, MgOpId before, const MgValueId *rows, MgIx trip, MgIx unless) {
    MgCheckpoint *c = k->c;
    uint32_t n = c->states.len, n_rows = c->stacks.len;
    MgIx one = mg_ix_const(k->t, 1), every = mg_ix_const(k->t, c->every);
    MgIx segment = mg_ix_div(k->t, trip, every), begin = mg_ix_mul(k->t, every, segment);
    MgOpId once = open_loop(k, 0, before, rows, n_rows, new_counter(k, 0, 0), mg_ix_const(k->t, 0),
                            mg_ix_sub(k->t, one, unless));
    MgRegionId body = mg_op(k->g, once)->regions[0];
    MgValueId *inits = MG_NEW_N(c->context->scratch, MgValueId, n + n_rows + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t state = c->states.at[i];
        MgRegionId from = mg_op(k->g, c->forward)->regions[0];
        inits[i] =
            row_at(k, body, c->kept[state] ? c->kept[state] : k->checkpoints[state],
                   c->kept[state] ? begin : segment, mg_region(k->g, from)->params.at[state]);
    }
    for (uint32_t i = 0; i < n_rows; i++)
        inits[n + i] = mg_region(k->g, body)->params.at[i];
    MgLoop forward = *mg_op(k->g, c->forward)->loop;
    int64_t low, high;
    mg_ix_sym_bounds(k->t, forward.counter, &low, &high);
    k->from = forward.counter;
    k->to = new_counter(k, low, high);
    MgOpId loop =
        open_loop(k, body, MG_NONE, inits, n + n_rows, k->to, mg_ix_add(k->t, forward.low, begin),
                  mg_ix_add(k->t, forward.low, mg_ix_add(k->t, trip, one)));
    fill_segment(k, loop);
    close_loop(k, once, mg_op(k->g, loop)->results + n, n_rows);
    return once;
}

typedef struct Rows {
    MgModule *m;
    uint32_t operand;
    const MgSx *row;
} Rows;

static const MgSx *read_row(void *ctx, const MgSx *x) {
    const Rows *r = ctx;
    if (x->kind != MG_SX_READ || x->operand != r->operand)
        return x;
    const MgSx **subs = mg_arena_copy(r->m->arena, x->args, x->n_args, sizeof *subs);
    subs[0] = r->row;
    return mg_sx_read(r->m, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
}

// Makes the ops of the region read rows of a segment instead of the stack.
static void read_rows(Make *k, MgRegionId r, MgValueId stack, MgValueId rows, const MgSx *row) {
    for (uint32_t i = 0; i < mg_region(k->g, r)->ops.len; i++) {
        MgOp *op = mg_op(k->g, mg_region(k->g, r)->ops.at[i]);
        for (uint32_t n = 0; n < op->n_operands; n++) {
            if (op->operands[n] != stack)
                continue;
            Rows to = {k->m, n, row};
            MgEquation *e = mg_arena_copy(k->arena, op->equation, 1, sizeof *e);
            e->pieces = mg_arena_copy(k->arena, e->pieces, e->n_pieces, sizeof *e->pieces);
            for (uint32_t p = 0; p < e->n_pieces; p++)
                e->pieces[p].expr = mg_sx_rewrite(k->m, e->pieces[p].expr, read_row, &to);
            op->equation = e;
            op->operands[n] = rows;
        }
        for (uint32_t n = 0; n < op->n_regions; n++)
            read_rows(k, op->regions[n], stack, rows, row);
    }
}

static void read_segments(Make *k, MgOpId backward) {
    MgCheckpoint *c = k->c;
    MgRegionId body = mg_op(k->g, backward)->regions[0];
    MgIx trip = mg_checkpoint_trip(c, backward), every = mg_ix_const(k->t, c->every);
    MgIx one = mg_ix_const(k->t, 1), u = mg_ix_sym(k->t, mg_op(k->g, backward)->loop->counter);
    MgIx after = mg_ix_mod(k->t, mg_ix_add(k->t, trip, one), every);
    const MgSx *row = mg_sx_ix(k->m, MG_I64, mg_ix_mod(k->t, trip, every));
    MgValueId *inits = MG_NEW_N(c->context->scratch, MgValueId, c->stacks.len);
    MgValueId *rows = MG_NEW_N(c->context->scratch, MgValueId, c->stacks.len);
    MgValueId *stacks = MG_NEW_N(c->context->scratch, MgValueId, c->stacks.len);
    for (uint32_t i = 0; i < c->stacks.len; i++) {
        stacks[i] = mg_op(k->g, c->forward)->results[c->stacks.at[i]];
        MgValueId made = mg_loop_yield(k->g, c->forward)->operands[c->stacks.at[i]];
        MgValue all = rows_of(k, made, every);
        inits[i] = mg_zeros(k->g, backward, &all, new_name(k, made, "none"));
        rows[i] = mg_region_param_new(k->g, body, new_name(k, made, "segment"), all.dtype, all.rank,
                                      all.shape, mg_op(k->g, backward)->origin);
    }
    MgOpId made = make_segment(k, mg_region(k->g, body)->ops.at[0], rows, trip,
                               mg_ix_min(k->t, mg_ix_min(k->t, u, after), one));
    for (uint32_t i = 0; i < c->stacks.len; i++) {
        MgValueId now = mg_op(k->g, made)->results[i];
        read_rows(k, body, stacks[i], now, row);
        mg_loop_carry(k->g, backward, inits[i], now, new_name(k, rows[i], "last"));
    }
}

void mg_checkpoint_make(MgCheckpoint *c) {
    MgModule *m = c->g->module;
    Make k = {.c = c, .g = c->g, .m = m, .t = m->ix, .arena = m->arena};
    MgIx every = mg_ix_const(k.t, c->every);
    k.rows = mg_ix_div(k.t, mg_ix_add(k.t, c->trips, mg_ix_const(k.t, c->every - 1)), every);
    uint32_t carried = mg_op(k.g, c->forward)->loop->n_carried;
    keep_some(&k);
    uint32_t added = mg_op(k.g, c->forward)->loop->n_carried - carried;
    for (uint32_t i = 0; i < c->stacks.len; i++)
        c->stacks.at[i] += added;
    for (uint32_t i = 0; i < c->backward.len; i++)
        read_segments(&k, c->backward.at[i]);
    bool *drop = MG_NEW_N(c->context->scratch, bool, mg_op(k.g, c->forward)->n_results);
    for (uint32_t i = 0; i < c->stacks.len; i++)
        drop[c->stacks.at[i]] = true;
    mg_loop_drop(k.g, c->forward, drop);
}
