// Finds the ops of a run: row i of every result needs only row i of the values computed in the run.
// Only the reads of equations are considered.
#include "passes/schedule/plan/walk.h"

#include "ir/equation.h"

typedef struct Reads { // the reads of one unit, by storage
    MG_VEC(MgStorageId) at;
    MG_VEC(MgWalkUse) use;
} Reads;

typedef struct Look {
    MgRowWalk *w;
    const MgOp *op;
    bool product; // is the current equation a product?
    Reads reads;
    MgWalkUnit unit;
    uint32_t number;
} Look;

static bool has_rows(const MgRowWalk *w, MgValueId v) {
    const MgValue *value = mg_value(w->s->g, v);
    return value->rank >= w->axes &&
           !memcmp(value->shape, w->shape, w->axes * sizeof *value->shape);
}

int64_t mg_walk_row_bytes(const MgRowWalk *w, MgValueId v) {
    const MgValue *value = mg_value(w->s->g, v);
    int64_t n;
    if (value->rank < w->axes)
        return -1;
    MgIx width = mg_ix_product(w->s->ix, value->shape + w->axes, value->rank - w->axes);
    return mg_ix_is_const(w->s->ix, width, &n) ? n * (int64_t)mg_dtype_size(value->dtype) : -1;
}

// ---------------------------------------------------------------- reads
// Are the first subscripts exactly the row's indices?
static bool is_by_row(const MgRowWalk *w, const MgSx *x) {
    if (x->n_args < w->axes)
        return false;
    for (uint32_t i = 0; i < w->axes; i++)
        if (x->args[i]->kind != MG_SX_IX || x->args[i]->ix != mg_ix_idx(w->s->ix, i))
            return false;
    // With several axes, a block extends past the end of the last one.
    return w->axes == 1 || x->bounds == MG_BOUNDS_PROVED;
}

static void note_edge(Look *l, MgValueId v) {
    MgRowWalk *w = l->w;
    for (uint32_t e = l->unit.edges; e < w->edges.len; e++)
        if (w->edges.at[e].value == v) {
            w->edges.at[e].product &= l->product;
            return;
        }
    MgWalkEdge edge = {mg_walk_maker(w, v) - 1, v, mg_walk_row_bytes(w, v), l->product};
    if (edge.from < l->number)
        mg_push(w->s->arena, &w->edges, edge);
}

static void note_outside(Look *l, MgValueId v, bool by_row) {
    MgSched *s = l->w->s;
    MgStorageId id = s->storage_of[v];
    bool known = false;
    for (uint32_t i = 0; i < l->reads.at.len; i++)
        known |= l->reads.at.at[i] == id;
    mg_push(s->arena, &l->reads.at, id);
    mg_push(s->arena, &l->reads.use, by_row ? MG_WALK_BY_ROW : MG_WALK_WHOLE);
    if (known)
        return;
    if (by_row) {
        l->unit.moved += mg_walk_row_bytes(l->w, v);
        return;
    }
    int64_t bytes = mg_ix_likely(s->ix, mg_value_bytes(s->g, v));
    l->unit.whole += bytes;
    l->unit.packed += l->product && !mg_is_kept(s, v) ? bytes : 0;
}

// Does the row occur in x only as the first subscripts of a read?
static bool reads_rows(Look *l, const MgSx *x) {
    MgRowWalk *w = l->w;
    MgIxTable *t = w->s->ix;
    for (uint32_t i = 0; x->kind == MG_SX_IX && i < w->axes; i++)
        if (mg_ix_mentions(t, x->ix, mg_ix_index(t, i)))
            return false;
    uint32_t from = 0;
    if (x->kind == MG_SX_READ) {
        MgValueId v = l->op->operands[x->operand];
        bool by_row = is_by_row(w, x);
        if (x->bounds == MG_BOUNDS_CHECKED ||
            (by_row && (!has_rows(w, v) || mg_walk_row_bytes(w, v) < 0)) ||
            (!by_row && mg_walk_maker(w, v)) || (x->otherwise && !reads_rows(l, x->otherwise)))
            return false;
        if (mg_walk_maker(w, v))
            note_edge(l, v);
        else
            note_outside(l, v, by_row);
        from = by_row ? w->axes : 0;
    }
    for (uint32_t i = from; i < x->n_args; i++)
        if (!reads_rows(l, x->args[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------- equations and units
static bool constant_ranges(const MgRowWalk *w, const MgPiece *p) {
    int64_t low, high;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (!mg_ix_is_const(w->s->ix, p->indices[i].low, &low) || (i < w->axes && low) ||
            (i >= w->axes && (!mg_ix_is_const(w->s->ix, p->indices[i].high, &high) || high <= low)))
            return false;
    return true;
}

// (A row is a vector or a number: an image has too few rows to share out.)
static bool row_equation(Look *l, MgOpId id) {
    MgRowWalk *w = l->w;
    MgGraph *g = w->s->g;
    const MgOp *op = l->op = mg_op(g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base)
        return false;
    MgValueId v = op->results[0];
    l->product = mg_piece_contraction(w->s->m, p) >= MG_CONTRACTS_VECTORS;
    return !p->scatter && mg_value(g, v)->rank <= w->axes + 1 && has_rows(w, v) &&
           mg_walk_row_bytes(w, v) > 0 && mg_piece_is_plain(g, p, v) && constant_ranges(w, p) &&
           reads_rows(l, p->expr);
}

bool mg_walk_equations(MgGraph *g, MgOpId unit, MgWalkSee *see, void *ctx) {
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

static bool see_equation(void *ctx, MgOpId id) {
    Look *l = ctx;
    if (!row_equation(l, id))
        return false;
    mg_map_put(&l->w->made, mg_op(l->w->s->g, id)->results[0], l->number + 1);
    return true;
}

static bool forget_equation(void *ctx, MgOpId id) {
    MgRowWalk *w = ctx;
    mg_map_put(&w->made, mg_op(w->s->g, id)->results[0], 0);
    return true;
}

// Does the op yield only its own results, each once? A second result would be a copy of all rows.
static bool yields_own(MgGraph *g, const MgOp *op) {
    const MgOp *yield = mg_yield_of(g, op->regions[0]);
    for (uint32_t i = 0; i < yield->n_operands; i++) {
        MgOpId def = mg_value(g, yield->operands[i])->def;
        if (!def || mg_op(g, def)->region != op->regions[0])
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (yield->operands[k] == yield->operands[i])
                return false;
    }
    return true;
}

// Is no value read by rows in one op and as a whole in another? It would be bound at two places.
static bool agrees(const MgRowWalk *w, const Reads *reads) {
    for (uint32_t i = 0; i < reads->at.len; i++) {
        MgWalkUse before = mg_walk_use(w, reads->at.at[i]);
        if (before && before != reads->use.at[i])
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (reads->at.at[k] == reads->at.at[i] && reads->use.at[k] != reads->use.at[i])
                return false;
    }
    return true;
}

static bool takes_unit(MgRowWalk *w, MgOpId id, uint32_t at) {
    MgGraph *g = w->s->g;
    const MgOp *op = mg_op(g, id);
    Look l = {.w = w, .number = w->units.len, .unit = {id, at, w->edges.len, 0, 0, 0, 0}};
    if ((op->kind != MG_OP_EQUATION && op->kind != MG_OP_FUSED) ||
        (op->kind == MG_OP_FUSED && !yields_own(g, op)))
        return false;
    if (!mg_walk_equations(g, id, see_equation, &l) || !agrees(w, &l.reads)) {
        mg_walk_equations(g, id, forget_equation, w);
        w->edges.len = l.unit.edges;
        return false;
    }
    for (uint32_t i = 0; i < l.reads.at.len; i++)
        mg_map_put(&w->use, l.reads.at.at[i], l.reads.use.at[i]);
    for (uint32_t i = 0; i < op->n_results; i++) {
        int64_t bytes = mg_walk_row_bytes(w, op->results[i]);
        mg_map_put(&w->made, op->results[i], l.number + 1);
        l.unit.widest = bytes > l.unit.widest ? bytes : l.unit.widest;
        l.unit.moved += bytes;
    }
    mg_push(w->s->arena, &w->units, l.unit);
    return true;
}

bool mg_walk_is_silent(MgSched *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    return op->kind == MG_OP_ERASED || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST ||
           (op->kind == MG_OP_EQUATION &&
            s->draft->storages.at[s->storage_of[op->results[0]]].kept);
}

bool mg_walk_find(MgRowWalk *w, MgSched *s, const MgOpId *ops, uint32_t n, uint32_t axes) {
    const MgValue *leader = mg_value(s->g, mg_op(s->g, ops[0])->results[0]);
    *w = (MgRowWalk){.s = s, .axes = axes, .shape = leader->shape};
    w->rows = mg_ix_product(s->ix, leader->shape, axes);
    mg_map_init(&w->use, s->arena);
    mg_map_init(&w->made, s->arena);
    for (uint32_t i = 0; i < n; i++) {
        if (mg_walk_is_silent(s, ops[i]))
            continue;
        if (!takes_unit(w, ops[i], i))
            break;
        w->end = i + 1;
    }
    return w->units.len > 1;
}

// ---------------------------------------------------------------- lifetimes

typedef struct Lives {
    MgRowWalk *w;
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

bool mg_walk_lives(MgRowWalk *w) {
    MgSched *s = w->s;
    w->last = MG_NEW_N(s->arena, uint32_t, s->g->values.len);
    w->leaves = MG_NEW_N(s->arena, bool, s->g->values.len);
    uint32_t *uses = mg_use_counts(s->g, s->arena);
    Lives l = {w, 0, MG_NEW_N(s->arena, uint32_t, s->g->values.len)};
    for (l.unit = 0; l.unit < w->units.len; l.unit++)
        mg_walk_equations(s->g, w->units.at[l.unit].op, note_operands, &l);
    bool ok = true;
    for (MgValueId v = 1; v < s->g->values.len; v++) {
        if (!mg_walk_maker(w, v) && !l.inside[v])
            continue;
        if (!mg_walk_maker(w, v) && mg_walk_use(w, s->storage_of[v]) == MG_WALK_WHOLE)
            w->whole += mg_ix_likely(s->ix, mg_value_bytes(s->g, v));
        w->leaves[v] = mg_walk_maker(w, v) && uses[v] > l.inside[v];
        ok &= !w->leaves[v] || mg_walk_use(w, s->storage_of[v]) != MG_WALK_WHOLE;
    }
    return ok;
}
