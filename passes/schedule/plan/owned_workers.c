// Row ownership for workers. In a run of ops, row i of every result needs only row i of the values
// computed in the run, so it is walked by blocks of rows. A worker takes a block through all the
// ops before its next block: there is no barrier between two ops, and a block's values stay in
// cache, in memory of that worker.
//
// The plan gets a loop over the blocks, which is shared out, and whose calls each worker makes
// alone. The kernels are those of any schedule, made for one worker and for a block: only the range
// of each equation's first index differs. Values that are used outside the run, or are read by rows
// in it, are bound at the block's first row.
#include "passes/schedule/plan/walk.h"
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"

enum { ALIGN = 64 };

typedef struct Block { // a value inside, in a worker's memory
    int64_t bytes, offset;
    uint32_t last; // the last unit that reads it
} Block;

// ---------------------------------------------------------------- a worker's memory

static MgStorageId part_of(MgRowWalk *w, MgStorageId whole, const MgKx *shift, MgValueId v) {
    MgStorage st = w->s->draft->storages.at[whole];
    st.part_of = whole;
    st.shift = shift;
    st.value = v;
    st.kept = false;
    st.first = UINT32_MAX;
    st.last = 0;
    mg_push(w->s->arena, &w->s->draft->storages, st);
    return w->s->draft->storages.len - 1;
}

static MgStorageId in_area(MgRowWalk *w, const MgKx *offset, MgIx bytes, MgValueId v) {
    MgStorageId id = part_of(w, w->area, add(w->s->p->plan, w->mine, offset), v);
    w->s->draft->storages.at[id].bytes = bytes;
    return id;
}

// A number of the plan that is determined later, so that nothing folds it now.
static MgKx *later(MgRowWalk *w) {
    MgKx *x = MG_NEW(w->s->arena, MgKx);
    *x = *num(w->s->p->plan, INT32_MAX);
    return x;
}

static int64_t padded(int64_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

// Allocates bytes after the values and the unit's earlier allocations, and returns their offset.
static int64_t take(MgRowWalk *w, int64_t bytes) {
    int64_t at = w->inside + w->scratch;
    w->scratch += padded(bytes);
    w->most = w->inside + w->scratch > w->most ? w->inside + w->scratch : w->most;
    return at;
}

MgStorageId mg_walk_scratch(MgRowWalk *w, MgIx bytes) {
    MgIxTable *t = w->s->ix;
    int64_t size = mg_ix_const_or(t, mg_bound_of(w->s, bytes), mg_ix_likely(t, bytes));
    return in_area(w, num(w->s->p->plan, take(w, size)), bytes, MG_NONE);
}

// Places values inside the run by first fit, in the order of the units. `of` is what schedules see
// of a block.
static void place_inside(MgRowWalk *w, MgSched *of, int64_t rows) {
    Block *live = MG_NEW_N(of->arena, Block, of->g->values.len);
    uint32_t n = 0;
    for (uint32_t u = 0; u < w->units.len; u++) {
        for (uint32_t i = 0; i < n; i++)
            while (i < n && live[i].last < u) // sorted by offset
                memmove(live + i, live + i + 1, (--n - i) * sizeof *live);
        const MgOp *op = mg_op(of->g, w->units.at[u].op);
        for (uint32_t k = 0; k < op->n_results; k++) {
            MgValueId v = op->results[k];
            if (w->leaves[v])
                continue;
            Block b = {padded(rows * mg_walk_row_bytes(w, v)), 0, w->last[v] ? w->last[v] - 1 : u};
            uint32_t i = 0;
            for (; i < n && live[i].offset < b.offset + b.bytes; i++)
                b.offset = live[i].offset + live[i].bytes;
            memmove(live + i + 1, live + i, (n++ - i) * sizeof *live);
            live[i] = b;
            w->inside = b.offset + b.bytes > w->inside ? b.offset + b.bytes : w->inside;
            of->draft->storages.at[w->s->storage_of[v]].walked = true;
            of->storage_of[v] = in_area(w, num(of->p->plan, b.offset), mg_value_bytes(of->g, v), v);
        }
    }
    w->most = w->inside > w->most ? w->inside : w->most;
}

// Binds values that are read by rows, or are used outside, at the block's first row.
static void place_outside(MgRowWalk *w, MgSched *of) {
    MgKernel *plan = of->p->plan;
    MgStorageId *parts = MG_NEW_N(of->arena, MgStorageId, of->draft->storages.len);
    for (MgValueId v = 1; v < of->g->values.len; v++) {
        MgStorageId whole = w->s->storage_of[v];
        bool comes = !mg_walk_maker(w, v) && w->last[v] && mg_walk_use(w, whole) == MG_WALK_BY_ROW;
        if (!comes && !w->leaves[v])
            continue;
        if (!parts[whole])
            parts[whole] = part_of(w, whole, times(plan, w->first, mg_walk_row_bytes(w, v)), v);
        of->storage_of[v] = parts[whole];
    }
}

// A value that a group yields has its result's place.
static void place_yields(const MgRowWalk *w, MgSched *of) {
    for (uint32_t u = 0; u < w->units.len; u++) {
        const MgOp *op = mg_op(of->g, w->units.at[u].op);
        if (op->kind != MG_OP_FUSED)
            continue;
        const MgOp *yield = mg_yield_of(of->g, op->regions[0]);
        for (uint32_t i = 0; i < yield->n_operands; i++)
            of->storage_of[yield->operands[i]] = of->storage_of[op->results[i]];
    }
}

// ---------------------------------------------------------------- calls

typedef struct Narrow {
    MgSched *of;
    uint32_t axes;
    MgIx rows;
} Narrow;

static bool narrow_equation(void *ctx, MgOpId id) {
    Narrow *n = ctx;
    MgSched *s = n->of;
    MgOp *op = mg_op(s->g, id);
    MgEquation *equation = MG_NEW(s->arena, MgEquation);
    MgPiece *piece = mg_arena_copy(s->arena, op->equation->pieces, 1, sizeof *piece);
    piece->indices =
        mg_arena_copy(s->arena, piece->indices, piece->n_indices, sizeof *piece->indices);
    for (uint32_t i = 0; i + 1 < n->axes; i++)
        piece->indices[i].high = mg_ix_const(s->ix, 1);
    piece->indices[n->axes - 1].high = n->rows;
    *equation = *op->equation;
    equation->pieces = piece;
    op->equation = equation;
    return true;
}

// A graph whose ops can be narrowed. Runs have no op in common, so one serves all of them.
static MgGraph *graph_to_narrow(MgSched *s) {
    MgGraph **narrow = &s->draft->narrow;
    if (!*narrow)
        *narrow = mg_graph_with_ops(s->g);
    return *narrow;
}

// What schedules see while one worker makes the calls for a block of `rows` rows, of which there
// are at most `most`.
static MgSched of_block(MgRowWalk *w, MgIx rows, int64_t most, const char *part) {
    MgSched of = *w->s;
    of.g = graph_to_narrow(w->s);
    of.storage_of = mg_arena_copy(of.arena, of.storage_of, of.g->values.len, sizeof *of.storage_of);
    of.walk = w;
    of.workers = 1;
    of.part = part;
    place_outside(w, &of);
    place_inside(w, &of, most);
    place_yields(w, &of);
    Narrow n = {&of, w->axes, rows};
    for (uint32_t u = 0; u < w->units.len; u++)
        mg_walk_equations(of.g, w->units.at[u].op, narrow_equation, &n);
    return of;
}

// If one kernel computes all of a fused op, the values inside it are in registers. If several do,
// one passes them to the next in the worker's memory: any of them may be there, and is if a call
// uses it.
typedef struct Within {
    MgRowWalk *w;
    MgSched *of;
    const MgOp *yield;
    MG_VEC(MgValueId) values;
    MG_VEC(MgKx *) offsets;
} Within;

static bool place_within(void *ctx, MgOpId id) {
    Within *in = ctx;
    MgSched *s = in->of;
    MgValueId v = mg_op(s->g, id)->results[0];
    if (mg_op_reads(in->yield, v))
        return true;
    MgKx *offset = later(in->w);
    s->storage_of[v] = in_area(in->w, offset, mg_value_bytes(s->g, v), v);
    mg_push(s->arena, &in->values, v);
    mg_push(s->arena, &in->offsets, offset);
    return true;
}

static bool is_used(const MgSched *s, uint32_t first_call, MgStorageId id) {
    for (uint32_t c = first_call; c < s->draft->calls.len; c++)
        for (uint32_t i = 0; i < s->draft->calls.at[c].call->n_buffers; i++)
            if (s->draft->calls.at[c].to.storages[i] == id)
                return true;
    return false;
}

static void call_unit(MgRowWalk *w, MgSched *of, MgKBlock *block, MgOpId unit, int64_t most) {
    const MgOp *op = mg_op(of->g, unit);
    MgDraftProgram *draft = of->draft;
    Within in = {.w = w, .of = of};
    uint32_t first_call = draft->calls.len;
    if (op->kind == MG_OP_FUSED) {
        in.yield = mg_yield_of(of->g, op->regions[0]);
        mg_walk_equations(of->g, unit, place_within, &in);
    }
    w->scratch = 0;
    mg_plan_op(of, block, unit);
    for (uint32_t i = 0; i < in.values.len; i++) {
        MgValueId v = in.values.at[i];
        if (!is_used(of, first_call, of->storage_of[v]))
            continue;
        in.offsets.at[i]->bits = (MgBits)take(w, most * mg_walk_row_bytes(w, v));
        draft->storages.at[w->s->storage_of[v]].walked = true;
    }
}

// The calls for a block of `rows` rows, of which there are at most `most`.
static void call_units(MgRowWalk *w, MgKBlock *block, MgIx rows, int64_t most, const char *part) {
    w->now = rows;
    MgSched of = of_block(w, rows, most, part);
    for (uint32_t u = 0; u < w->units.len && !of.draft->failed; u++)
        call_unit(w, &of, block, w->units.at[u].op, most);
}

MgIx mg_walk_rows(const MgRowWalk *w) {
    return w->now;
}

MgCost mg_walk_cost(MgRowWalk *w, MgOpId id) {
    return mg_cost(w->s->g, id);
}

MgIx mg_walk_part(const MgRowWalk *w, MgIx cost) {
    MgIxTable *t = w->s->ix;
    cost = mg_ix_mul(t, cost, mg_ix_const(t, w->share));
    return mg_ix_div(t, cost, mg_ix_const(t, w->of));
}

static const MgKx *ceil_div_kx(MgKernel *k, const MgKx *a, const MgKx *b) {
    const MgKx *up = minus(k, add(k, a, b), 1);
    return quotient(k, up, b);
}

static MgKBlock *open_blocks(MgRowWalk *w, MgKBlock *block, const MgKx *rows, const MgKx *size) {
    MgKernel *plan = w->s->p->plan;
    MgLoopKind kind = w->s->workers > 1 ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    Loop loop = loop_of(plan, block, kind, "block", num(plan, 0), ceil_div_kx(plan, rows, size), 1);
    w->first = named(plan, loop.body, "first", mul(plan, loop.at, size));
    return loop.body;
}

// Blocks of `size` rows, the last of which may have fewer: kernels for any number up to `most`.
static void emit_blocks(MgRowWalk *w, MgKBlock *block, const MgKx *rows, const MgKx *size,
                        int64_t most) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    MgKBlock *body = open_blocks(w, block, rows, size);
    const MgKx *left = sub(plan, rows, w->first);
    const MgKx *here = named(plan, body, "rows", least(plan, size, left));
    MgIxSym sym = mg_ix_dim(s->ix, mg_sym(s->m->session->names, "rows"), 1, most);
    mg_map_put(&s->draft->dims.vars, sym, (uint64_t)(uintptr_t)here);
    call_units(w, body, mg_ix_sym(s->ix, sym), most, NULL);
}

// If the last block has fewer rows, it has kernels of its own, unless large packed operands would
// then be kept twice.
static void emit_known(MgRowWalk *w, MgKBlock *block, int64_t rows) {
    MgKernel *plan = w->s->p->plan;
    MgIxTable *t = w->s->ix;
    int64_t rest = rows % w->block, l2 = w->s->options->target.l2_bytes;
    if (rest && w->whole > (l2 ? l2 : 1 << 18)) {
        emit_blocks(w, block, num(plan, rows), num(plan, w->block), w->block);
        return;
    }
    w->share = rows - rest;
    w->of = rows;
    MgKBlock *body = open_blocks(w, block, num(plan, rows), num(plan, w->block));
    if (!rest) {
        call_units(w, body, mg_ix_const(t, w->block), w->block, NULL);
        return;
    }
    const MgKx *end = plus(plan, w->first, w->block);
    MgKs *whole = mg_kif(plan, body, bin(plan, MG_PRIM_LE, end, num(plan, rows)));
    MgArena *arena = w->s->arena;
    call_units(w, &whole->body, mg_ix_const(t, w->block), w->block,
               mg_arena_printf(arena, "blocks of %lld rows", (long long)w->block));
    w->share = rest;
    call_units(w, &whole->orelse, mg_ix_const(t, rest), rest,
               mg_arena_printf(arena, "the last %lld row%s", (long long)rest, mg_plural(rest)));
}

// There are as many blocks as workers, or more if they would be too large.
static void emit_open(MgRowWalk *w, MgKBlock *block) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    const MgKx *rows = named(plan, block, "rows", mg_plan_ix(s, w->rows));
    const MgKx *round = num(plan, s->workers * w->cap);
    const MgKx *blocks = times(plan, ceil_div_kx(plan, rows, round), s->workers);
    blocks = greatest(plan, blocks, num(plan, 1));
    const MgKx *size =
        greatest(plan, ceil_div_kx(plan, rows, blocks), num(plan, mg_figure(s, block_rows)));
    emit_blocks(w, block, rows, named(plan, block, "size", size), w->cap);
}

// Values that some worker may still need are alive through the whole run.
static void close_run(MgSched *s, uint32_t start) {
    for (MgStorageId id = 1; s->draft->step && id < s->draft->storages.len; id++) {
        MgStorage *st = &s->draft->storages.at[id];
        if (st->kept || st->first == UINT32_MAX || st->last < start)
            continue;
        st->first = st->first > start ? start : st->first;
        st->last = s->draft->step - 1;
    }
}

static void emit(MgRowWalk *w, MgKBlock *block) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    uint32_t start = s->draft->step;
    int64_t rows;
    w->share = w->of = 1;
    w->area = mg_storage_new(s, MG_PLAN_ARENA, mg_ix_const(s->ix, 0), MG_NONE);
    s->draft->storages.at[w->area].walked = true;
    w->stride = later(w);
    w->mine = named(plan, block, "mine", mul(plan, mg_kspecial(plan, MG_KX_WORKER), w->stride));
    if (mg_ix_is_const(s->ix, w->rows, &rows))
        emit_known(w, block, rows);
    else
        emit_open(w, block);
    w->most += s->workers > 1 ? mg_worker_gap(s) : 0;
    w->stride->bits = (MgBits)w->most;
    s->draft->storages.at[w->area].bytes = mg_ix_const(s->ix, w->most * s->workers);
    close_run(s, start);
    s->draft->share.n_shared++;
    mg_kbarrier(plan, block, MG_BARRIER_GRID);
    mg_walk_explain(w);
}

// ---------------------------------------------------------------- finding runs

static bool is_small(const MgRowWalk *w) {
    MgIx work = mg_ix_const(w->s->ix, 0);
    for (uint32_t u = 0; u < w->units.len; u++)
        work = mg_ix_add(w->s->ix, work, mg_share_work(w->s, w->units.at[u].op));
    return mg_share_is_small(w->s, work);
}

// Walks runs of rows with `axes` leading axes.
static uint32_t walk_rows(MgSched *s, const MgOpId *ops, uint32_t n, uint32_t axes, MgKBlock *block,
                          uint32_t *looked) {
    MgRowWalk w;
    bool found = mg_walk_find(&w, s, ops, n, axes);
    *looked = w.end < *looked ? w.end : *looked;
    uint32_t begin = 0, end = w.units.len;
    if (!found || (s->workers == 1 && !mg_walk_best(&w, &begin, &end)))
        return 0;
    uint32_t before = begin ? w.units.at[begin].at : 0, last = w.units.at[end - 1].at + 1;
    if (end - begin < w.units.len &&
        (!mg_walk_find(&w, s, ops + before, last - before, axes) || w.end != last - before))
        return 0;
    if (is_small(&w) || !mg_walk_lives(&w) || !mg_walk_choose_rows(&w))
        return 0;
    for (uint32_t i = 0; i < last; i++)
        if (i < before || mg_walk_is_silent(s, ops[i]))
            mg_plan_op(s, block, ops[i]);
    emit(&w, block);
    return last;
}

uint32_t mg_owned_walk(MgSched *s, const MgOpId *ops, uint32_t n, MgKBlock *block,
                       uint32_t *looked) {
    const MgOp *op = mg_op(s->g, ops[0]);
    *looked = 1;
    if (s->options->level < 2 || s->options->target.gpu || s->walk ||
        mg_walk_is_silent(s, ops[0]) || (op->kind != MG_OP_EQUATION && op->kind != MG_OP_FUSED) ||
        !op->n_results)
        return 0;
    uint32_t rank = mg_value(s->g, op->results[0])->rank, axes = rank > 1 ? rank - 1 : rank;
    uint32_t nothing = n;
    for (; axes; axes--) {
        uint32_t taken = walk_rows(s, ops, n, axes, block, &nothing);
        if (taken)
            return taken;
    }
    *looked = nothing ? nothing : 1;
    return 0;
}
