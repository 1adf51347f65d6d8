// siblings: merges sums of products that read a factor in the same way, if that is cheaper.
//
// Examples are the projections of attention, parallel 1x1 convolutions, and the gates of a cell:
// y[n, i] = sum[k] x[n, k] * w[i, k] with several w. Merged, they read and pack x once, start one
// kernel, and fill vectors where each result is thin. Elementwise ops that follow are merged too,
// so they stay in that kernel. Other readers read a part of the larger value; nothing is copied.
//
// Needs: inline, affine and cse before it, which make expressions alike, and split and fuse after
// it. Keeps: the terms and the order of every sum, outputs, and shapes seen from outside. Ends:
// every merge leaves fewer ops.
#include "passes/merge.h"

typedef struct Siblings {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    MgRegionId region;
    MgMergeIndex *index;
    MG_VEC(uint32_t) seen; // by op id: the last walk that visited it
    uint32_t walk;
    MgMap apart; // op id: Apart *, why it stays apart, as far as it was found
} Siblings;

// ---------------------------------------------------------------- costs and savings
// In nanoseconds of one core. The gain must be a twentieth of the work: with less, whole networks
// were not faster. It must be a fifth if each run concatenates weights or copies outputs: with
// less, products that already fill vectors were slower. Both figures are the model's errors, not
// properties of a machine.
enum { LEAST_GAIN = 20, LEAST_GAIN_OF_COPIES = 5 };

typedef struct Balance {
    double work, saved, lost, copied;
} Balance;

static double time_of_products(const Siblings *s, int64_t n) {
    return (double)n / s->context->machine->products;
}

// The time of a kernel that passes elements on to another.
static double time_of_passing(const Siblings *s, int64_t elements) {
    return s->context->machine->kernel + s->context->machine->pass * (double)elements;
}

static int64_t likely_points(Siblings *s, const MgPiece *p, uint32_t from, uint32_t to,
                             const MgSx *mentioned) {
    MgIxTable *t = s->g->module->ix;
    MgIx n = mg_ix_const(t, 1);
    for (uint32_t i = from; i < to; i++)
        if (!mentioned || mg_sx_mentions(s->g->module, mentioned, i))
            n = mg_ix_mul(t, n, p->indices[i].high);
    return mg_ix_likely(t, n);
}

static const MgPiece *piece_of(Siblings *s, MgOpId id) {
    return &mg_op(s->g, id)->equation->pieces[0];
}

// The factor of a product that doesn't depend on the index. NULL if both or neither do.
static const MgSx *shared_factor(Siblings *s, MgOpId id, uint32_t axis) {
    const MgSx *x = piece_of(s, id)->expr;
    bool first = mg_sx_mentions(s->g->module, x->args[0], axis);
    bool second = mg_sx_mentions(s->g->module, x->args[1], axis);
    return first == second ? NULL : x->args[first];
}

typedef struct Reads {
    const MgOp *of, *by;
    bool all;
} Reads;
static void check_reads(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind == MG_SX_READ)
        r->all &= mg_op_reads(r->by, r->of->operands[x->operand]);
}

// Does the other op read the operands of the first one's shared factor?
static bool reads_shared(Siblings *s, MgOpId first, uint32_t axis, MgOpId other) {
    Reads r = {mg_op(s->g, first), mg_op(s->g, other), true};
    mg_sx_walk(shared_factor(s, first, axis), check_reads, &r);
    return r.all;
}

// The cost of the values that each run concatenates, or copies because they are used outside.
static double copies(Siblings *s, const MgMerge *m) {
    double cost = 0;
    for (uint32_t i = 0; i < m->n_joined; i++) {
        bool changes = false;
        int64_t elements = 0;
        for (uint32_t p = 0; p < m->n; p++) {
            MgValueId v = m->joined[i].part[p];
            changes |= !mg_merge_never_changes(s->g, v);
            elements += mg_ix_likely(s->g->module->ix, mg_value_elements(s->g, v));
        }
        cost += changes ? time_of_passing(s, elements) : 0;
    }
    for (uint32_t p = 0; p < m->n; p++) {
        MgOpId id = m->steps[0].op[p];
        const MgPiece *piece = piece_of(s, id);
        if (s->index->values.at[mg_op(s->g, id)->results[0]].output)
            cost += time_of_passing(s, likely_points(s, piece, 0, piece->n_free, NULL));
    }
    return cost;
}

static int64_t whole_vectors(const Siblings *s, int64_t n) {
    int64_t lanes = (int64_t)s->context->machine->vector_size / 4;
    return (n + lanes - 1) / lanes * lanes;
}

// Multiply-adds saved on idle lanes, if the merged axis is the last one.
static int64_t idle_lanes(Siblings *s, const MgMerge *m) {
    const MgPiece *first = piece_of(s, m->steps[0].op[0]);
    int64_t apart = 0, columns = 0, rows = 0;
    if (s->context->gpu || m->axis + 1 != first->n_free)
        return 0;
    for (uint32_t p = 0; p < m->n; p++) {
        const MgPiece *piece = piece_of(s, m->steps[0].op[p]);
        int64_t own = mg_ix_likely(s->g->module->ix, piece->indices[m->axis].high);
        rows = likely_points(s, piece, 0, piece->n_indices, NULL) / (own > 0 ? own : 1);
        apart += whole_vectors(s, own);
        columns += own;
    }
    return rows * (apart - whole_vectors(s, columns));
}

static Balance balance(Siblings *s, const MgMerge *m, const bool *lost) {
    Balance b = {.copied = copies(s, m)};
    MgOpId first = m->steps[0].op[0];
    const MgPiece *p = piece_of(s, first);
    int64_t points = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        MgOpId id = m->steps[0].op[i];
        int64_t own = likely_points(s, piece_of(s, id), 0, p->n_free, NULL);
        points += own;
        b.work += time_of_products(s, likely_points(s, piece_of(s, id), 0, p->n_indices, NULL));
        b.lost += lost[i] ? time_of_passing(s, own) : 0;
    }
    const MgSx *shared = shared_factor(s, first, m->axis);
    double packing =
        s->context->machine->pack * (double)likely_points(s, p, 0, p->n_indices, shared);
    b.saved = (m->n - 1) * (s->context->machine->kernel + packing) +
              time_of_products(s, idle_lanes(s, m));
    b.lost += s->context->machine->merged_operation * time_of_products(s, m->extra * points);
    return b;
}

// Are the concatenated tensors, which need room at least in the first run, small or not much larger
// than the results? In a region, such as a loop, any size is allowed.
static bool is_room(Siblings *s, const MgMerge *m) {
    enum { SMALL = 128 << 10, TIMES = 8 };
    MgIxTable *t = s->g->module->ix;
    MgIx n = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < m->n_joined; i++)
        for (uint32_t p = 0; p < m->n; p++)
            n = mg_ix_add(t, n, mg_value_bytes(s->g, m->joined[i].part[p]));
    int64_t joined = mg_ix_likely(t, n);
    n = mg_ix_const(t, 0);
    for (uint32_t p = 0; p < m->n; p++)
        n = mg_ix_add(t, n, mg_value_bytes(s->g, m->value[p]));
    int64_t values = mg_ix_likely(t, n);
    return s->region || joined <= SMALL || joined / TIMES <= values;
}

// ---------------------------------------------------------------- candidates
static bool is_candidate(Siblings *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    const MgPiece *p = mg_only_piece(op);
    return p && op->region == s->region && !op->equation->has_base && mg_piece_sums_products(p) &&
           mg_is_float(p->expr->dtype) && p->n_indices < 60 &&
           mg_piece_is_plain(s->g, p, op->results[0]) && !mg_piece_is_scanned(s->g->module, p);
}

static bool is_point_op(Siblings *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    return op->kind == MG_OP_EQUATION && op->region == s->region &&
           mg_traits(s->g, id).elementwise && !op->equation->has_base;
}

// Do both read a value that varies?
static bool share(Siblings *s, const MgOp *a, const MgOp *b) {
    for (uint32_t i = 0; i < a->n_operands; i++)
        if (!mg_is_param_or_const(s->g, a->operands[i]) && mg_op_reads(b, a->operands[i]))
            return true;
    return false;
}

// Do others also read a varying operand of the op? If not, it has no siblings.
static bool has_company(Siblings *s, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (s->index->values.at[op->operands[i]].readers.len > 1 &&
            !mg_is_param_or_const(s->g, op->operands[i]))
            return true;
    return false;
}

static bool same_shape(const MgValue *a, const MgValue *b) {
    for (uint32_t i = 0; i < a->rank && a->rank == b->rank; i++)
        if (a->shape[i] != b->shape[i])
            return false;
    return a->rank == b->rank;
}

typedef struct InPlace {
    MgIxTable *t;
    const MgOp *op;
    MgValueId v;
    bool ok;
} InPlace;

static void check_in_place(void *ctx, const MgSx *x) {
    InPlace *p = ctx;
    if (x->kind != MG_SX_READ || p->op->operands[x->operand] != p->v)
        return;
    for (uint32_t i = 0; i < x->n_args; i++)
        p->ok &= x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(p->t, i);
}

// The part that an elementwise op follows point by point; with several parts, the last one.
// UINT32_MAX: none.
static uint32_t follows(Siblings *s, const MgMerge *m, MgOpId id, bool *several) {
    const MgOp *op = mg_op(s->g, id);
    uint32_t part = UINT32_MAX;
    *several = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgValueId v = op->operands[i];
        uint32_t own = mg_merge_part_of(m, v);
        if (own == UINT32_MAX || !same_shape(mg_value(s->g, v), mg_value(s->g, op->results[0])))
            continue;
        InPlace p = {s->g->module->ix, op, v, true};
        mg_sx_walk(op->equation->pieces[0].expr, check_in_place, &p);
        if (!p.ok)
            continue;
        *several |= part != UINT32_MAX && part != own;
        part = part == UINT32_MAX || own > part ? own : part;
    }
    return part;
}

// ---------------------------------------------------------------- followers
// Is this the walk's first visit of the op? Marks it as visited.
static bool is_new(Siblings *s, MgOpId id) {
    while (s->seen.len <= id)
        mg_push(s->arena, &s->seen, 0);
    bool fresh = s->seen.at[id] != s->walk;
    s->seen.at[id] = s->walk;
    return fresh;
}

static bool comes_before(Siblings *s, MgOpId a, MgOpId b) {
    uint32_t first = s->index->position.at[a], second = s->index->position.at[b];
    return first != second ? first < second : a < b;
}

typedef MG_VEC(MgOpId) Ops;

static void sort(Siblings *s, MgOpId *ops, MgOpId *room, uint32_t n) {
    if (n < 2)
        return;
    uint32_t half = n / 2, a = 0, b = half, k = 0;
    sort(s, ops, room, half);
    sort(s, ops + half, room, n - half);
    while (k < n)
        room[k++] = b == n || (a < half && comes_before(s, ops[a], ops[b])) ? ops[a++] : ops[b++];
    memcpy(ops, room, n * sizeof *ops);
}

// The elementwise ops that read a value of the merge, each once, in order.
static Ops point_readers(Siblings *s, const MgMerge *m) {
    Ops ops = {0};
    s->walk++;
    for (uint32_t k = 0; k < m->n_steps; k++)
        for (uint32_t p = 0; p < m->n; p++) {
            MgOpId def = m->steps[k].op[p];
            if (!def)
                continue;
            const MgMergeValue *v = &s->index->values.at[mg_op(s->g, def)->results[0]];
            for (uint32_t i = 0; i < v->readers.len; i++)
                if (is_new(s, v->readers.at[i]) && is_point_op(s, v->readers.at[i]))
                    mg_push(s->arena, &ops, v->readers.at[i]);
        }
    sort(s, ops.at, MG_NEW_N(s->arena, MgOpId, ops.len), ops.len);
    return ops;
}

// Plans the ops that follow the products point by point, a step at a time. lost[p]: an op that
// would share a kernel with part p's product stays apart.
static void plan_followers(Siblings *s, MgMerge *m, bool *lost) {
    MgMap done;
    mg_map_init(&done, s->arena);
    for (;;) {
        MgOpId ops[MG_MERGE_PARTS] = {0};
        bool some = false;
        Ops readers = point_readers(s, m);
        for (uint32_t i = 0; i < readers.len; i++) {
            MgOpId id = readers.at[i];
            bool several;
            uint32_t part = mg_map_find(&done, id) ? UINT32_MAX : follows(s, m, id, &several);
            if (part == UINT32_MAX || ops[part])
                continue;
            MgValueId v = mg_op(s->g, id)->results[0];
            mg_map_put(&done, id, 1);
            if (several || s->index->values.at[v].output || !mg_merge_may_move(m, v)) {
                lost[part] = true;
                continue;
            }
            ops[part] = id;
            some = true;
        }
        if (!some)
            return;
        if (mg_merge_step(m, ops))
            continue;
        for (uint32_t p = 0; p < m->n; p++)
            lost[p] |= ops[p] != MG_NONE;
    }
}

enum { FARTHEST = 32 }; // the most ops between merged products: later results wait in memory

// ---------------------------------------------------------------- explaining
typedef struct Apart {
    MgOpId first;
    const char *why;
} Apart;

static void tell(Siblings *s, MgOpId first, MgOpId id, const char *why) {
    if (s->context->sibling)
        s->context->sibling(s->context->edge_ctx, s->g, first, id, why);
}

// Is `id` computed from the result of `first`, so that nothing could join them?
static bool is_computed_from(Siblings *s, MgOpId first, MgOpId id) {
    MgMap seen;
    MG_VEC(MgOpId) open = {0};
    mg_map_init(&seen, s->arena);
    mg_push(s->arena, &open, id);
    while (open.len) {
        const MgOp *op = mg_op(s->g, open.at[--open.len]);
        for (uint32_t i = 0; i < op->n_operands; i++) {
            MgOpId def = mg_value(s->g, op->operands[i])->def;
            if (def == first)
                return true;
            if (!def || mg_map_find(&seen, def))
                continue;
            mg_map_put(&seen, def, 1);
            mg_push(s->arena, &open, def);
        }
    }
    return false;
}

// Another axis, or another product, may still merge with it. The cost of a merge explains more than
// a difference, so it has priority.
static void note(Siblings *s, MgOpId first, MgOpId id, const char *why, bool fits) {
    Apart apart = {first, why};
    if (!s->context->sibling || is_computed_from(s, first, id))
        return;
    if (fits || !mg_map_find(&s->apart, id))
        mg_map_put(&s->apart, id,
                   (uint64_t)(uintptr_t)mg_arena_copy(s->arena, &apart, 1, sizeof apart));
}

// Records a product whose operand another product read much earlier. `gather` doesn't search that
// far.
static void note_far(Siblings *s, MgOpId id, MgMap *latest, uint32_t place) {
    const MgOp *op = mg_op(s->g, id);
    for (uint32_t i = 0; i < op->n_operands && is_candidate(s, id); i++) {
        MgValueId v = op->operands[i];
        uint64_t before = mg_map_get(latest, v, 0);
        MgOpId first = (MgOpId)(before & UINT32_MAX);
        if (mg_is_param_or_const(s->g, v))
            continue;
        if (before && place - (uint32_t)(before >> 32) > FARTHEST)
            for (uint32_t axis = 0; axis < piece_of(s, first)->n_free; axis++)
                if (shared_factor(s, first, axis) && reads_shared(s, first, axis, id))
                    note(s, first, id,
                         "it comes much later: its result would wait in memory; nearer to the "
                         "first, it could be joined",
                         false);
        mg_map_put(latest, v, (uint64_t)place << 32 | id);
    }
}

static void tell_apart(Siblings *s, MgRegionId r) {
    MgMap latest; // value -> the latest product that reads it, and its position << 32
    mg_map_init(&latest, s->arena);
    for (uint32_t i = 0, place = 0; i < mg_region(s->g, r)->ops.len; i++) {
        MgOpId id = mg_region(s->g, r)->ops.at[i];
        if (mg_op(s->g, id)->kind == MG_OP_ERASED)
            continue;
        note_far(s, id, &latest, place++);
        const Apart *a = (const Apart *)(uintptr_t)mg_map_get(&s->apart, id, 0);
        if (a)
            tell(s, a->first, id, a->why);
    }
}

// ---------------------------------------------------------------- deciding

// NULL if the merge pays, else the reason why not.
static const char *does_not_pay(Siblings *s, const MgMerge *m, const bool *lost) {
    Balance b = balance(s, m, lost);
    double gain = b.saved - b.lost;
    int least = b.copied ? LEAST_GAIN_OF_COPIES : LEAST_GAIN;
    double percent = 100.0 / (b.work > 0 ? b.work : 1);
    if (!is_room(s, m))
        return "their weights, concatenated, would take far more room than their results; "
               "smaller weights or larger results could be joined";
    if (b.copied && s->context->gpu)
        return "each run would copy their weights or results: on a device, one more launch; "
               "factors that are parameters and results that are no outputs would need no copy";
    if (gain - b.copied > b.work / least)
        return NULL;
    if (gain < 0)
        return mg_arena_printf(s->arena,
                               "the ops after them would leave their kernels: %.2g%% lost; if the "
                               "same ops followed each alone, they could be joined",
                               -gain * percent);
    if (gain > b.work / LEAST_GAIN)
        return mg_arena_printf(s->arena,
                               "each run would copy their weights or results: %.2g%% of the work "
                               "for the %.2g%% to gain; parameters and results that are no outputs "
                               "would need no copy",
                               b.copied * percent, gain * percent);
    return mg_arena_printf(s->arena, "they are large: %.2g%% to gain, %d%% is needed",
                           (double)gain * percent, 100 / least);
}

// Finds the largest set of siblings of `first`, the op at `place` of its region, along an axis.
// Fills in m.
static uint32_t gather(Siblings *s, MgMerge *m, uint32_t place, MgOpId *set) {
    const MgRegion *region = mg_region(s->g, s->region);
    MgOpId first = region->ops.at[place];
    uint32_t n = 1;
    set[0] = first;
    for (uint32_t i = place + 1, far = 0;
         i < region->ops.len && far < FARTHEST && n < MG_MERGE_PARTS; i++) {
        MgOpId id = region->ops.at[i], more[MG_MERGE_PARTS];
        if (mg_op(s->g, id)->kind == MG_OP_ERASED)
            continue;
        far++;
        if (!share(s, mg_op(s->g, first), mg_op(s->g, id)) ||
            !reads_shared(s, first, m->axis, id) || !is_candidate(s, id))
            continue;
        if (!mg_merge_may_move(m, mg_op(s->g, id)->results[0])) {
            note(s, first, id,
                 "the second is a result of the graph or of a block; read by an op instead, it "
                 "could be joined",
                 false);
            continue;
        }
        bool found = false;
        for (uint32_t front = 0; front < 2 && !found; front++) { // slices may come in either order
            for (uint32_t k = 0; k < n; k++)
                more[k + front] = set[k];
            more[front ? 0 : n] = id;
            found = mg_merge_begin(m, more, n + 1) && shared_factor(s, first, m->axis);
        }
        if (found)
            memcpy(set, more, ++n * sizeof *set);
        else
            note(s, first, id,
                 m->why ? m->why
                        : "both factors depend on every axis; a factor that only "
                          "one of two axes reads could be shared",
                 false);
    }
    return n;
}

static bool try_axis(Siblings *s, uint32_t place, uint32_t axis) {
    MgMerge m = {.g = s->g, .arena = s->arena, .index = s->index, .axis = axis};
    MgOpId first = mg_region(s->g, s->region)->ops.at[place];
    MgOpId set[MG_MERGE_PARTS];
    bool lost[MG_MERGE_PARTS] = {0};
    if (!shared_factor(s, first, axis) || !mg_merge_may_move(&m, mg_op(s->g, first)->results[0]))
        return false;
    uint32_t n = gather(s, &m, place, set);
    if (n < 2)
        return false;
    mg_merge_begin(&m, set, n);
    plan_followers(s, &m, lost);
    const char *why = does_not_pay(s, &m, lost);
    if (!why && !mg_pass_may(s->context, first))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (set[i] != first && why)
            note(s, first, set[i], why, true);
        else if (set[i] != first)
            tell(s, first, set[i], NULL);
    if (why)
        return false;
    mg_merge_make(&m);
    return true;
}

// ---------------------------------------------------------------- regions
static bool merge_in_region(Siblings *s, MgRegionId r) {
    bool changed = false;
    s->region = r;
    for (uint32_t i = 0; i < mg_region(s->g, r)->ops.len; i++) {
        MgOpId id = mg_region(s->g, r)->ops.at[i];
        bool made = false;
        if (!is_candidate(s, id) || !has_company(s, mg_op(s->g, id)))
            continue;
        for (uint32_t axis = 0; axis < piece_of(s, id)->n_free && !made;)
            made = try_axis(s, i, axis++);
        changed |= made;
    }
    if (s->context->sibling)
        tell_apart(s, r);
    return changed;
}

bool mg_pass_siblings(MgGraph *g, MgPassContext *context) {
    Siblings s = {.g = g, .context = context, .arena = context->scratch};
    mg_map_init(&s.apart, s.arena);
    bool changed = false;
    s.index = mg_merge_index(g, s.arena);
    for (MgRegionId r = 0; r < g->regions.len; r++) {
        MgOpId parent = mg_region(g, r)->parent;
        MgOpKind kind = parent ? mg_op(g, parent)->kind : MG_OP_LOOP;
        if (kind != MG_OP_FUSED && kind != MG_OP_ERASED)
            changed |= merge_in_region(&s, r);
    }
    if (changed)
        mg_graph_compact(g);
    return changed;
}
