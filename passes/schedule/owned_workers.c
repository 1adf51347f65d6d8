// Row ownership for workers: a run of ops in which row i of every result needs only row i of what
// the run makes is walked by blocks of rows. A worker takes a block through all the ops before its
// next: no barrier stands between two ops, and a block's values stay in cache, in memory of that
// worker.
//
// The plan gets a loop over the blocks, shared out, whose calls each worker makes alone. They are
// the kernels of any schedule, made for one worker and for a block: only the range of each
// equation's first index is another. What leaves the run, or comes in by rows, is bound at the
// block's first row.
#include "passes/schedule/owned_workers.h"

#include "ir/equation.h"

enum { LEAST_ROWS = 8, LEAST_ROWS_OF_HEAVY = 64, ALIGN = 64 };

typedef enum Use { UNUSED, BY_ROW, WHOLE } Use; // of a storage, by the run

typedef struct Block { // a value inside, in a worker's memory
    int64_t bytes, offset;
    uint32_t last; // unit that reads it last
} Block;

struct MgWalk {
    MgSched *s;
    const MgOpId *units; // in order
    uint32_t n;
    MgIx rows;
    Use *use;              // by storage id
    uint32_t *made, *last; // by value id: unit that makes it, that reads it last, plus 1
    bool *leaves;          // by value id
    int64_t widest;        // bytes of the longest row
    int64_t whole;         // bytes that every block reads
    int64_t cap, block;    // most rows of a block; rows of one, 0: found when it runs
    // while calls are made
    const MgKx *first;       // row of the block
    MgEquation **equations;  // by op id: those of the graph
    MgStorageId *storage_of; // by value id: likewise
    MgStorageId area, *parts;
    MgKx *stride;     // bytes of a worker's memory, set at the end
    const MgKx *mine; // where it begins
    int64_t inside, scratch, most;
    int64_t share, of; // rows that these calls make in all, of how many
};

// ---------------------------------------------------------------- which ops

typedef struct Reads { // of one op, by storage
    MG_VEC(MgStorageId) at;
    MG_VEC(Use) use;
} Reads;

typedef struct Look {
    MgWalk *w;
    const MgOp *op;
    Reads reads;
} Look;

static const MgPiece *piece_of(const MgOp *op) {
    return &op->equation->pieces[0];
}

static bool has_rows(MgWalk *w, MgValueId v) {
    const MgValue *value = mg_value(w->s->g, v);
    return value->rank && value->shape[0] == w->rows;
}

// Bytes of a row; -1 if it has none, or dimensions decide.
static int64_t row_bytes(MgWalk *w, MgValueId v) {
    const MgValue *value = mg_value(w->s->g, v);
    int64_t n;
    if (!value->rank)
        return -1;
    MgIx width = mg_ix_product(w->s->ix, value->shape + 1, value->rank - 1);
    return mg_ix_is_const(w->s->ix, width, &n) ? n * (int64_t)mg_dtype_size(value->dtype) : -1;
}

// The row has a part in x only as the first subscript of a read.
static bool reads_rows(Look *l, const MgSx *x) {
    MgSched *s = l->w->s;
    MgIx row = mg_ix_idx(s->ix, 0);
    if (x->kind == MG_SX_IX)
        return !mg_ix_mentions(s->ix, x->ix, mg_ix_index(s->ix, 0));
    uint32_t from = 0;
    if (x->kind == MG_SX_READ) {
        MgValueId v = l->op->operands[x->operand];
        bool by_row = x->n_args && x->args[0]->kind == MG_SX_IX && x->args[0]->ix == row;
        if (x->bounds == MG_BOUNDS_CHECKED ||
            (by_row && (!has_rows(l->w, v) || row_bytes(l->w, v) < 0)) ||
            (!by_row && l->w->made[v]) || (x->otherwise && !reads_rows(l, x->otherwise)))
            return false;
        if (!l->w->made[v]) {
            mg_push(s->arena, &l->reads.at, s->storage_of[v]);
            mg_push(s->arena, &l->reads.use, by_row ? BY_ROW : WHOLE);
        }
        from = by_row;
    }
    for (uint32_t i = from; i < x->n_args; i++)
        if (!reads_rows(l, x->args[i]))
            return false;
    return true;
}

static bool constant_ranges(MgIxTable *t, const MgPiece *p) {
    int64_t low, high;
    if (!mg_ix_is_const(t, p->indices[0].low, &low) || low)
        return false;
    for (uint32_t i = 1; i < p->n_indices; i++)
        if (!mg_ix_is_const(t, p->indices[i].low, &low) ||
            !mg_ix_is_const(t, p->indices[i].high, &high) || high <= low)
            return false;
    return true;
}

static bool row_equation(Look *l, MgOpId id) {
    MgGraph *g = l->w->s->g;
    const MgOp *op = l->op = mg_op(g, id);
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1 || op->equation->has_base)
        return false;
    const MgPiece *p = piece_of(op);
    const MgValue *v = mg_value(g, op->results[0]);
    return !p->scatter && v->rank >= 1 && v->rank <= 2 && has_rows(l->w, op->results[0]) &&
           row_bytes(l->w, op->results[0]) > 0 && mg_piece_is_plain(g, p, op->results[0]) &&
           constant_ranges(l->w->s->ix, p) && reads_rows(l, p->expr);
}

// Calls see(ctx, op) for the equations of a unit until one gives false.
typedef bool SeeFn(void *ctx, MgOpId id);
static bool each_equation(MgGraph *g, MgOpId unit, SeeFn *see, void *ctx) {
    if (mg_op(g, unit)->kind != MG_OP_FUSED)
        return see(ctx, unit);
    MgRegionId r = mg_op(g, unit)->regions[0];
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        MgOpKind kind = mg_op(g, id)->kind;
        if (kind != MG_OP_ERASED && kind != MG_OP_YIELD && !see(ctx, id))
            return false;
    }
    return true;
}

typedef struct Unit { // being looked at
    Look look;
    uint32_t number;
} Unit;

static bool see_equation(void *ctx, MgOpId id) {
    Unit *u = ctx;
    if (!row_equation(&u->look, id))
        return false;
    u->look.w->made[mg_op(u->look.w->s->g, id)->results[0]] = u->number + 1;
    return true;
}

static bool forget_equation(void *ctx, MgOpId id) {
    MgWalk *w = ctx;
    w->made[mg_op(w->s->g, id)->results[0]] = 0;
    return true;
}

// What it yields, it made.
static bool yields_own(MgGraph *g, const MgOp *op) {
    const MgRegion *r = mg_region(g, op->regions[0]);
    const MgOp *yield = mg_op(g, r->ops.at[r->ops.len - 1]);
    for (uint32_t i = 0; i < yield->n_operands; i++) {
        MgOpId def = mg_value(g, yield->operands[i])->def;
        if (!def || mg_op(g, def)->region != op->regions[0])
            return false;
    }
    return true;
}

// Nobody reads by rows what another reads whole: it would be bound at two places.
static bool agrees(const MgWalk *w, const Reads *reads) {
    for (uint32_t i = 0; i < reads->at.len; i++) {
        Use before = w->use[reads->at.at[i]];
        if (before && before != reads->use.at[i])
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (reads->at.at[k] == reads->at.at[i] && reads->use.at[k] != reads->use.at[i])
                return false;
    }
    return true;
}

static bool takes_unit(MgWalk *w, MgOpId id, uint32_t number) {
    MgGraph *g = w->s->g;
    const MgOp *op = mg_op(g, id);
    Unit u = {.look = {.w = w}, .number = number};
    if ((op->kind != MG_OP_EQUATION && op->kind != MG_OP_FUSED) ||
        (op->kind == MG_OP_FUSED && !yields_own(g, op)))
        return false;
    if (!each_equation(g, id, see_equation, &u) || !agrees(w, &u.look.reads)) {
        each_equation(g, id, forget_equation, w);
        return false;
    }
    for (uint32_t i = 0; i < u.look.reads.at.len; i++)
        w->use[u.look.reads.at.at[i]] = u.look.reads.use.at[i];
    for (uint32_t i = 0; i < op->n_results; i++)
        w->made[op->results[i]] = number + 1;
    return true;
}

// ---------------------------------------------------------------- lives

typedef struct Lives {
    MgWalk *w;
    uint32_t unit;
    uint32_t *inside; // by value id: uses in the run
} Lives;

static bool note_operands(void *ctx, MgOpId id) {
    Lives *l = ctx;
    const MgOp *op = mg_op(l->w->s->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        l->inside[op->operands[i]]++;
        l->w->last[op->operands[i]] = l->unit + 1;
    }
    return true;
}

// False if what leaves would be written over what every block reads.
static bool find_lives(MgWalk *w) {
    MgSched *s = w->s;
    uint32_t *uses = mg_use_counts(s->g, s->arena);
    Lives l = {w, 0, MG_NEW_N(s->arena, uint32_t, s->g->values.len)};
    for (l.unit = 0; l.unit < w->n; l.unit++)
        each_equation(s->g, w->units[l.unit], note_operands, &l);
    bool ok = true;
    for (MgValueId v = 1; v < s->g->values.len; v++) {
        bool reads = l.inside[v] != 0;
        if (!w->made[v] && !reads)
            continue;
        int64_t bytes = row_bytes(w, v);
        if (w->made[v] || w->use[s->storage_of[v]] == BY_ROW)
            w->widest = bytes > w->widest ? bytes : w->widest;
        else
            w->whole += mg_ix_likely(s->ix, mg_value_bytes(s->g, v));
        w->leaves[v] = w->made[v] && uses[v] > l.inside[v];
        ok &= !w->leaves[v] || w->use[s->storage_of[v]] != WHOLE;
    }
    return ok;
}

// ---------------------------------------------------------------- how many rows

// Blocks small enough for the cache read the whole operands again and again: is that less than
// what the run's values would move?
static bool blocks_pay(const MgWalk *w, int64_t rows) {
    int64_t l2 = w->s->options->target.l2_bytes;
    double moved = 2.0 * w->n * (double)w->widest * (double)rows;
    double again = w->whole > l2 / 2 ? (double)w->whole * (double)rows / (double)w->cap : 0;
    return again < moved;
}

// Sets block, and whether it is worth it.
static bool choose_rows(MgWalk *w) {
    const MgTargetInfo *target = &w->s->options->target;
    int64_t workers = w->s->p->max_workers, rows;
    int64_t l2 = target->l2_bytes ? target->l2_bytes : 1 << 18;
    bool heavy = w->whole > (target->l3_bytes ? target->l3_bytes : 8 << 20);
    w->cap = l2 / 4 / w->widest / 16 * 16;
    w->cap = w->cap < 16 ? 16 : w->cap;
    if (!mg_ix_is_const(w->s->ix, w->rows, &rows))
        return workers > 1 ? !heavy : blocks_pay(w, 1);
    int64_t own = (rows + workers - 1) / workers;
    if (workers > 1 && own < (heavy ? LEAST_ROWS_OF_HEAVY : LEAST_ROWS))
        return false; // better that they share the columns
    bool small = 2 * own * w->widest > l2 && blocks_pay(w, rows) && w->cap < own;
    int64_t blocks = small ? (rows + w->cap - 1) / w->cap : workers;
    blocks = (blocks + workers - 1) / workers * workers;
    w->block = (rows + blocks - 1) / blocks;
    return w->block < rows;
}

// ---------------------------------------------------------------- a worker's memory

static MgStorageId part_of(MgWalk *w, MgStorageId whole, const MgKx *shift, MgValueId v) {
    MgStorage st = w->s->storages.at[whole];
    st.part_of = whole;
    st.shift = shift;
    st.value = v;
    st.kept = false;
    st.first = UINT32_MAX;
    st.last = 0;
    mg_push(w->s->arena, &w->s->storages, st);
    return w->s->storages.len - 1;
}

static MgStorageId in_area(MgWalk *w, int64_t offset, MgIx bytes, MgValueId v) {
    MgKernel *plan = w->s->p->plan;
    MgStorageId id = part_of(w, w->area, mg_kadd(plan, w->mine, mg_kint(plan, offset)), v);
    w->s->storages.at[id].bytes = bytes;
    return id;
}

static int64_t padded(int64_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

// Behind the values, from the unit's first scratch on.
MgStorageId mg_walk_scratch(MgWalk *w, MgIx bytes) {
    int64_t size = mg_ix_likely(w->s->ix, bytes), at = w->inside + w->scratch;
    mg_ix_is_const(w->s->ix, mg_bound_of(w->s, bytes), &size);
    w->scratch += padded(size);
    w->most = at + padded(size) > w->most ? at + padded(size) : w->most;
    return in_area(w, at, bytes, MG_NONE);
}

// Values inside get places by first fit, in the order of the units.
static void place_inside(MgWalk *w, int64_t rows) {
    MgSched *s = w->s;
    Block *live = MG_NEW_N(s->arena, Block, s->g->values.len);
    uint32_t n = 0;
    for (uint32_t u = 0; u < w->n; u++) {
        for (uint32_t i = 0; i < n; i++)
            while (i < n && live[i].last < u) // sorted by offset
                memmove(live + i, live + i + 1, (--n - i) * sizeof *live);
        const MgOp *op = mg_op(s->g, w->units[u]);
        for (uint32_t k = 0; k < op->n_results; k++) {
            MgValueId v = op->results[k];
            if (w->leaves[v])
                continue;
            Block b = {padded(rows * row_bytes(w, v)), 0, w->last[v] ? w->last[v] - 1 : u};
            uint32_t i = 0;
            for (; i < n && live[i].offset < b.offset + b.bytes; i++)
                b.offset = live[i].offset + live[i].bytes;
            memmove(live + i + 1, live + i, (n++ - i) * sizeof *live);
            live[i] = b;
            w->inside = b.offset + b.bytes > w->inside ? b.offset + b.bytes : w->inside;
            s->storages.at[s->storage_of[v]].walked = true;
            s->storage_of[v] = in_area(w, b.offset, mg_value_bytes(s->g, v), v);
        }
    }
    w->most = w->inside > w->most ? w->inside : w->most;
}

// What comes in by rows or leaves, at the block's first one.
static void place_outside(MgWalk *w) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    for (MgValueId v = 1; v < s->g->values.len; v++) {
        MgStorageId whole = w->storage_of[v];
        bool comes = !w->made[v] && w->last[v] && w->use[whole] == BY_ROW;
        if (!comes && !w->leaves[v])
            continue;
        if (!w->parts[whole])
            w->parts[whole] =
                part_of(w, whole, mg_kmul(plan, w->first, mg_kint(plan, row_bytes(w, v))), v);
        s->storage_of[v] = w->parts[whole];
    }
}

// What a group yields is where its results are.
static void place_yields(MgWalk *w) {
    MgGraph *g = w->s->g;
    for (uint32_t u = 0; u < w->n; u++) {
        const MgOp *op = mg_op(g, w->units[u]);
        if (op->kind != MG_OP_FUSED)
            continue;
        const MgRegion *r = mg_region(g, op->regions[0]);
        const MgOp *yield = mg_op(g, r->ops.at[r->ops.len - 1]);
        for (uint32_t i = 0; i < yield->n_operands; i++)
            w->s->storage_of[yield->operands[i]] = w->s->storage_of[op->results[i]];
    }
}

// ---------------------------------------------------------------- calls

typedef struct Extent {
    MgWalk *w;
    MgIx rows;
} Extent;

static bool narrow_equation(void *ctx, MgOpId id) {
    Extent *e = ctx;
    MgSched *s = e->w->s;
    MgOp *op = mg_op(s->g, id);
    MgEquation *equation = MG_NEW(s->arena, MgEquation);
    MgPiece *piece = mg_arena_copy(s->arena, op->equation->pieces, 1, sizeof *piece);
    piece->indices =
        mg_arena_copy(s->arena, piece->indices, piece->n_indices, sizeof *piece->indices);
    piece->indices[0].high = e->rows;
    *equation = *op->equation;
    equation->pieces = piece;
    e->w->equations[id] = op->equation;
    op->equation = equation;
    return true;
}

static bool widen_equation(void *ctx, MgOpId id) {
    MgWalk *w = ctx;
    mg_op(w->s->g, id)->equation = w->equations[id];
    return true;
}

// The calls of a block of so many rows, at most `most`.
static void call_units(MgWalk *w, MgKBlock *block, MgIx rows, int64_t most) {
    MgSched *s = w->s;
    uint32_t workers = s->p->max_workers;
    Extent e = {w, rows};
    s->walk = w;
    s->p->max_workers = 1;
    w->storage_of = mg_arena_copy(s->arena, s->storage_of, s->g->values.len, sizeof *s->storage_of);
    w->parts = MG_NEW_N(s->arena, MgStorageId, s->storages.len);
    place_outside(w);
    place_inside(w, most);
    place_yields(w);
    for (uint32_t u = 0; u < w->n; u++)
        each_equation(s->g, w->units[u], narrow_equation, &e);
    for (uint32_t u = 0; u < w->n && !s->failed; u++) {
        w->scratch = 0;
        mg_plan_op(s, block, w->units[u]);
    }
    for (uint32_t u = 0; u < w->n; u++)
        each_equation(s->g, w->units[u], widen_equation, w);
    memcpy(s->storage_of, w->storage_of, s->g->values.len * sizeof *s->storage_of);
    s->p->max_workers = workers;
    s->walk = NULL;
}

MgCost mg_walk_cost(MgWalk *w, MgOpId id) {
    MgOp *op = mg_op(w->s->g, id);
    MgEquation *narrow = op->equation;
    op->equation = w->equations[id];
    MgCost cost = mg_cost(w->s->g, id);
    op->equation = narrow;
    return cost;
}

MgIx mg_walk_part(const MgWalk *w, MgIx cost) {
    MgIxTable *t = w->s->ix;
    cost = mg_ix_mul(t, cost, mg_ix_const(t, w->share));
    return mg_ix_div(t, cost, mg_ix_const(t, w->of));
}

static const MgKx *ceil_div_kx(MgKernel *k, const MgKx *a, const MgKx *b) {
    const MgKx *up = mg_kprim(k, MG_PRIM_SUB, mg_kadd(k, a, b), mg_kint(k, 1), NULL);
    return mg_kprim(k, MG_PRIM_FDIV, up, b, NULL);
}

static MgKBlock *open_blocks(MgWalk *w, MgKBlock *block, const MgKx *rows, const MgKx *size) {
    MgKernel *plan = w->s->p->plan;
    MgLoopKind kind = w->s->p->max_workers > 1 ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    MgKs *loop =
        mg_kfor(plan, block, kind, "block", mg_kint(plan, 0), ceil_div_kx(plan, rows, size), 1);
    w->first = mg_klet_x(plan, &loop->body, "first", mg_kmul(plan, mg_kvar(plan, loop->var), size));
    return &loop->body;
}

// Blocks of `size` rows, the last of which may have fewer: kernels for any number up to `most`.
static void emit_blocks(MgWalk *w, MgKBlock *block, const MgKx *rows, const MgKx *size,
                        int64_t most) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    MgKBlock *body = open_blocks(w, block, rows, size);
    const MgKx *left = mg_kprim(plan, MG_PRIM_SUB, rows, w->first, NULL);
    const MgKx *here = mg_klet_x(plan, body, "rows", mg_kprim(plan, MG_PRIM_MIN, size, left, NULL));
    MgIxSym sym = mg_ix_dim(s->ix, mg_sym(s->m->session->names, "rows"), 1, most);
    mg_map_put(&s->dim_vars, sym, (uint64_t)(uintptr_t)here);
    call_units(w, body, mg_ix_sym(s->ix, sym), most);
}

// Where the last block has fewer rows, its kernels are others; but not if what they pack would be
// kept twice, and is large.
static void emit_known(MgWalk *w, MgKBlock *block, int64_t rows) {
    MgKernel *plan = w->s->p->plan;
    MgIxTable *t = w->s->ix;
    int64_t rest = rows % w->block, l2 = w->s->options->target.l2_bytes;
    if (rest && w->whole > (l2 ? l2 : 1 << 18)) {
        emit_blocks(w, block, mg_kint(plan, rows), mg_kint(plan, w->block), w->block);
        return;
    }
    w->share = rows - rest;
    w->of = rows;
    MgKBlock *body = open_blocks(w, block, mg_kint(plan, rows), mg_kint(plan, w->block));
    if (!rest) {
        call_units(w, body, mg_ix_const(t, w->block), w->block);
        return;
    }
    const MgKx *end = mg_kadd(plan, w->first, mg_kint(plan, w->block));
    MgKs *whole = mg_kif(plan, body, mg_kprim(plan, MG_PRIM_LE, end, mg_kint(plan, rows), NULL));
    call_units(w, &whole->body, mg_ix_const(t, w->block), w->block);
    w->share = rest;
    call_units(w, &whole->orelse, mg_ix_const(t, rest), rest);
}

// As many blocks as workers, more if they would be too large.
static void emit_open(MgWalk *w, MgKBlock *block) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    const MgKx *rows = mg_klet_x(plan, block, "rows", mg_plan_ix(s, w->rows));
    const MgKx *round = mg_kint(plan, s->p->max_workers * w->cap);
    const MgKx *blocks =
        mg_kmul(plan, ceil_div_kx(plan, rows, round), mg_kint(plan, s->p->max_workers));
    blocks = mg_kprim(plan, MG_PRIM_MAX, blocks, mg_kint(plan, 1), NULL);
    const MgKx *size = mg_kprim(plan, MG_PRIM_MAX, ceil_div_kx(plan, rows, blocks),
                                mg_kint(plan, LEAST_ROWS), NULL);
    emit_blocks(w, block, rows, mg_klet_x(plan, block, "size", size), w->cap);
}

// What any worker may still need is alive through all of it.
static void close_run(MgSched *s, uint32_t start) {
    for (MgStorageId id = 1; s->step && id < s->storages.len; id++) {
        MgStorage *st = &s->storages.at[id];
        if (st->kept || st->first == UINT32_MAX || st->last < start)
            continue;
        st->first = st->first > start ? start : st->first;
        st->last = s->step - 1;
    }
}

static void explain(MgWalk *w) {
    MgSched *s = w->s;
    MgGraph *g = s->g;
    MgNames *names = s->m->session->names;
    const char *from = mg_name(names, mg_value(g, mg_op(g, w->units[0])->results[0])->name);
    const char *to = mg_name(names, mg_value(g, mg_op(g, w->units[w->n - 1])->results[0])->name);
    const char *size = w->block ? mg_arena_printf(s->arena, "%lld", (long long)w->block)
                                : mg_arena_printf(s->arena, "up to %lld", (long long)w->cap);
    s->p->launch_why =
        mg_arena_printf(s->arena, "%s%s to %s: %u ops by blocks of %s rows, each of one worker\n",
                        s->p->launch_why ? s->p->launch_why : "", from, to, w->n, size);
}

static void emit(MgWalk *w, MgKBlock *block) {
    MgSched *s = w->s;
    MgKernel *plan = s->p->plan;
    uint32_t start = s->step;
    int64_t rows;
    w->share = w->of = 1;
    w->area = mg_storage_new(s, MG_PLAN_ARENA, mg_ix_const(s->ix, 0), MG_NONE);
    s->storages.at[w->area].walked = true;
    w->stride = MG_NEW(s->arena, MgKx);
    *w->stride = *mg_kint(plan, INT32_MAX); // no number that folds
    w->mine = mg_kmul(plan, mg_kspecial(plan, MG_KX_WORKER), w->stride);
    w->mine = mg_klet_x(plan, block, "mine", w->mine);
    if (mg_ix_is_const(s->ix, w->rows, &rows))
        emit_known(w, block, rows);
    else
        emit_open(w, block);
    w->stride->bits = (MgBits)w->most;
    s->storages.at[w->area].bytes = mg_ix_const(s->ix, w->most * s->p->max_workers);
    close_run(s, start);
    mg_kbarrier(plan, block, MG_BARRIER_GRID);
    explain(w);
}

// ---------------------------------------------------------------- finding runs

static bool leads(MgSched *s, MgOpId id, MgIx *rows) {
    const MgOp *op = mg_op(s->g, id);
    if ((op->kind != MG_OP_EQUATION && op->kind != MG_OP_FUSED) || !op->n_results)
        return false;
    const MgValue *v = mg_value(s->g, op->results[0]);
    if (!v->rank || v->rank > 2)
        return false;
    *rows = v->shape[0];
    return true;
}

static bool is_silent(MgSched *s, MgOpId id) { // it makes no call of an ordinary run
    const MgOp *op = mg_op(s->g, id);
    return op->kind == MG_OP_ERASED || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST ||
           (op->kind == MG_OP_EQUATION && s->storages.at[s->storage_of[op->results[0]]].kept);
}

uint32_t mg_owned_walk(MgSched *s, const MgOpId *ops, uint32_t n, MgKBlock *block,
                       uint32_t *looked) {
    MgWalk w = {.s = s};
    *looked = 1;
    if (s->options->level < 2 || s->options->target.gpu || s->walk || !leads(s, ops[0], &w.rows) ||
        is_silent(s, ops[0]))
        return 0;
    MgOpId *units = MG_NEW_N(s->arena, MgOpId, n);
    w.units = units;
    w.use = MG_NEW_N(s->arena, Use, s->storages.len);
    w.made = MG_NEW_N(s->arena, uint32_t, s->g->values.len);
    uint32_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (is_silent(s, ops[i]))
            continue;
        if (!takes_unit(&w, ops[i], w.n))
            break;
        units[w.n++] = ops[i];
        end = i + 1;
    }
    *looked = end ? end : 1;
    if (w.n < 2)
        return 0;
    w.last = MG_NEW_N(s->arena, uint32_t, s->g->values.len);
    w.leaves = MG_NEW_N(s->arena, bool, s->g->values.len);
    w.equations = MG_NEW_N(s->arena, MgEquation *, s->g->ops.len);
    if (!find_lives(&w) || !choose_rows(&w))
        return 0;
    for (uint32_t i = 0; i < end; i++)
        if (is_silent(s, ops[i]))
            mg_plan_op(s, block, ops[i]);
    emit(&w, block);
    return end;
}
