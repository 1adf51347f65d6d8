// Assigns storage to values: which values share bytes. storage_place.c gives storages their offsets
// in one arena.
//
// A view shares its operand's storage, and if an output is a view, its operand is computed in the
// output's storage. A result takes over an operand's storage (in place) if the operand dies there,
// has the same bytes, and every element is read before it is written: an elementwise read at the
// target's own place, or the base of a scatter.
//
// A carried value lives in its loop's result. If the next value takes over its bytes, or the loop
// begins with a value that dies there, nothing is copied. The next value may do so wherever nothing
// reads the carried one any more, even if its op never did; a trip then emits the carried value
// before anything else.
#include "passes/rewrite.h"
#include "passes/schedule/share.h"

#include "ir/equation.h"

MgStorageId mg_storage_new(MgSched *s, MgPlanBufKind kind, MgIx bytes, MgValueId v) {
    MgStorage st = {.kind = kind,
                    .bytes = bytes,
                    .value = v,
                    .origin = v ? mg_value(s->g, v)->origin : s->draft->unit.origin,
                    .first = UINT32_MAX,
                    .once_first = UINT32_MAX,
                    .known_offset = -1};
    if (kind == MG_PLAN_ARENA) // the arena is the last of the plan's program buffers
        st.plan_buf = s->p->bufs.len - 1;
    mg_push(s->arena, &s->draft->storages, st);
    return s->draft->storages.len - 1;
}

MgStorageId mg_storage_kept(MgSched *s, MgIx bytes, MgValueId v) {
    MgStorageId id = mg_storage_new(s, MG_PLAN_ARENA, bytes, v);
    s->draft->storages.at[id].kept = true;
    return id;
}

bool mg_is_kept(MgSched *s, MgValueId v) {
    const MgStorage *st = &s->draft->storages.at[s->storage_of[v]];
    return !st->part_of && (st->kind == MG_PLAN_WEIGHT || st->kind == MG_PLAN_CONST || st->kept);
}

MgStorageId mg_storage_whole(const MgSched *s, MgStorageId id) {
    while (s->draft->storages.at[id].part_of)
        id = s->draft->storages.at[id].part_of;
    return id;
}

void mg_storage_touch_once(MgSched *s, MgStorageId id) {
    MgStorage *st = &s->draft->storages.at[mg_storage_whole(s, id)];
    if (st->once_first == UINT32_MAX)
        st->once_first = s->draft->first.step;
    st->once_last = s->draft->first.step;
}

void mg_storage_touch(MgSched *s, MgStorageId id, uint32_t step) {
    MgStorage *st = &s->draft->storages.at[mg_storage_whole(s, id)];
    if (step < st->first || st->first == UINT32_MAX)
        st->first = step;
    if (step > st->last)
        st->last = step;
}

// Does a loop's body yield its parameter here as an emitted value?
static bool emits_carried(MgGraph *g, const MgOp *yield, uint32_t operand) {
    const MgOp *parent = mg_op(g, mg_region(g, yield->region)->parent);
    return yield->kind == MG_OP_YIELD && parent->kind == MG_OP_LOOP &&
           parent->regions[0] == yield->region && operand >= parent->loop->n_carried &&
           mg_value(g, yield->operands[operand])->param_of == yield->region;
}

bool mg_emits_first(const MgSched *s, const MgOp *yield, uint32_t operand) {
    MgValueId x = yield->operands[operand];
    const MgRegion *body = mg_region(s->g, yield->region);
    if (!emits_carried(s->g, yield, operand))
        return false;
    for (uint32_t i = 0; i < operand; i++)
        if (i < body->params.len && body->params.at[i] == x)
            return s->storage_of[yield->operands[i]] == s->storage_of[x];
    return false;
}

// ---------------------------------------------------------------- lifetimes in source order
typedef struct Life {
    MgSched *s;
    uint32_t *position; // by op id
    uint32_t *last;     // by value id: position of the last use
    uint32_t *group;    // by op id: the op whose position it has (itself, or the fused op that
                        // contains it)
    uint32_t next;
} Life;

static void number_region(Life *l, MgRegionId r, MgOpId fused) {
    MgGraph *g = l->s->g;
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_ERASED)
            continue;
        l->position[id] = fused ? l->position[fused] : ++l->next;
        l->group[id] = fused ? fused : id;
        for (uint32_t j = 0; j < op->n_regions; j++)
            number_region(l, op->regions[j], op->kind == MG_OP_FUSED ? id : fused);
        if (op->kind == MG_OP_LOOP || op->kind == MG_OP_IF)
            l->position[id] = ++l->next; // at its end its results exist, and outside values may die
    }
}

// Is region r, or one that contains it, inside the body of an op of region `outer`? Returns the op,
// or MG_NONE if r is `outer`.
static MgOpId enclosing_op_in(MgGraph *g, MgRegionId r, MgRegionId outer) {
    while (r != outer) {
        MgOpId parent = mg_region(g, r)->parent;
        if (!parent)
            return MG_NONE;
        if (mg_op(g, parent)->region == outer)
            return parent;
        r = mg_op(g, parent)->region;
    }
    return MG_NONE;
}

static MgRegionId home_of(MgGraph *g, MgValueId v) {
    const MgValue *value = mg_value(g, v);
    return value->def ? mg_op(g, value->def)->region : value->param_of;
}

static void note_uses(Life *l) {
    MgGraph *g = l->s->g;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_ERASED || !l->position[id])
            continue;
        for (uint32_t j = 0; j < op->n_operands; j++) {
            MgValueId v = op->operands[j];
            if (emits_carried(g, op, j)) // before the bytes are taken over (mg_emits_first)
                continue;
            MgOpId around = enclosing_op_in(g, op->region, home_of(g, v));
            uint32_t at = l->position[around ? around : id];
            if (at > l->last[v])
                l->last[v] = at;
        }
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        l->last[g->outputs.at[i].value] = UINT32_MAX;
    // A view's uses are its operand's; later views come first.
    for (MgOpId id = g->ops.len; id-- > 1;) {
        const MgOp *op = mg_op(g, id);
        if (mg_is_view(g, id)) {
            uint32_t *source = &l->last[op->operands[0]], view = l->last[op->results[0]];
            if (view > *source)
                *source = view;
        }
    }
}

// ---------------------------------------------------------------- assignment
static bool same_bytes(MgGraph *g, MgValueId a, MgValueId b) {
    const MgValue *x = mg_value(g, a), *y = mg_value(g, b);
    return x->dtype == y->dtype && x->rank == y->rank &&
           !memcmp(x->shape, y->shape, x->rank * sizeof *x->shape);
}

typedef struct Assign {
    MgSched *s;
    Life life;
    bool *begins;           // by value id: its only use is to be what a loop begins with
    uint32_t *storage_last; // by storage id: position of the last use of any value in it
    uint32_t n_last;
} Assign;

static void give(Assign *a, MgValueId v, MgStorageId id) {
    a->s->storage_of[v] = id;
    if (id < a->n_last && a->life.last[v] > a->storage_last[id])
        a->storage_last[id] = a->life.last[v];
}

static MgStorageId fresh(Assign *a, MgValueId v) {
    MgStorageId id = mg_storage_new(a->s, MG_PLAN_ARENA, mg_bytes_bound(a->s, v), v);
    give(a, v, id);
    a->s->draft->placing.because[v] = "its own bytes";
    return id;
}

// Does every op of def's group (the op itself, or the fused region) that reads x do so pointwise,
// and is none of them after def, which overwrites it?
static bool group_reads_pointwise(Assign *a, MgOpId def, MgValueId x) {
    MgGraph *g = a->s->g;
    MgOpId group = a->life.group[def];
    if (group == def)
        return mg_only_piece(mg_op(g, def)) && mg_is_pointwise(a->s, mg_op(g, def), x);
    const MgRegion *r = mg_region(g, mg_op(g, group)->regions[0]);
    bool behind = false;
    for (uint32_t i = 0; i < r->ops.len; i++) {
        const MgOp *op = mg_op(g, r->ops.at[i]);
        if (op->kind == MG_OP_ERASED || op->kind == MG_OP_YIELD)
            continue;
        if (behind && mg_op_reads(op, x))
            return false;
        behind |= r->ops.at[i] == def;
        if (!mg_only_piece(op) || !mg_is_pointwise(a->s, op, x))
            return false; // rows and reductions would read overwritten elements again
    }
    return true;
}

// The value that the loop around region r, whose body it is, carries, and of which v is the next
// value; MG_NONE if there is none. v may be what a fused op of the body yields.
static MgValueId carried_before(MgGraph *g, MgRegionId r, MgValueId v) {
    MgOpId parent = mg_region(g, r)->parent, fused = MG_NONE;
    MgRegionId home = home_of(g, v);
    if (!parent || mg_op(g, parent)->kind != MG_OP_LOOP || mg_op(g, parent)->regions[0] != r)
        return MG_NONE;
    if (home != r)
        fused = mg_region(g, home)->parent;
    if (fused && mg_op(g, fused)->kind != MG_OP_FUSED) // its results have bytes of their own
        return MG_NONE;
    const MgOp *yield = mg_yield_of(g, r), *inner = fused ? mg_yield_of(g, home) : NULL;
    for (uint32_t i = 0; i < mg_op(g, parent)->loop->n_carried; i++) {
        MgValueId next = yield->operands[i];
        if (fused
                ? mg_value(g, next)->def == fused && inner->operands[mg_value(g, next)->result] == v
                : next == v)
            return mg_region(g, r)->params.at[i];
    }
    return MG_NONE;
}

// The value that x is a view of, or x itself.
static MgValueId viewed(MgSched *s, MgValueId x) {
    for (;;) {
        MgOpId def = mg_value(s->g, x)->def;
        const MgOp *op = mg_op(s->g, def);
        if (!def || op->kind != MG_OP_EQUATION || !op->n_operands ||
            s->storage_of[op->operands[0]] != s->storage_of[x] || !mg_traits(s->g, def).view)
            return x;
        x = op->operands[0];
    }
}

// Is op `id` of region r the last use of x's bytes, so that its result v may take them over? Those
// of a carried value are for its next value alone.
static bool dies_at(Assign *a, MgRegionId r, MgValueId x, MgOpId id, MgValueId v) {
    MgGraph *g = a->s->g;
    if (home_of(g, x) != r)
        return false;
    MgValueId source = viewed(a->s, x);
    if (!mg_value(g, source)->def)
        return a->life.last[source] == a->life.position[id] && carried_before(g, r, v) == source;
    return a->storage_last[a->s->storage_of[x]] == a->life.position[id];
}

static bool is_in_arena(MgSched *s, MgStorageId id) {
    return id && s->draft->storages.at[id].kind == MG_PLAN_ARENA && !s->draft->storages.at[id].kept;
}

static bool op_reads_another(MgSched *s, const MgOp *op, MgStorageId id, MgValueId x) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (op->operands[i] != x && s->storage_of[op->operands[i]] == id)
            return true;
    return false;
}

// Does the op, or one of the group that it is, read another value than x that has bytes of the
// storage?
static bool reads_another(MgSched *s, MgOpId group, MgStorageId id, MgValueId x) {
    const MgOp *op = mg_op(s->g, group);
    if (op->kind != MG_OP_FUSED)
        return op_reads_another(s, op, id, x);
    const MgRegion *r = mg_region(s->g, op->regions[0]);
    for (uint32_t i = 0; i < r->ops.len; i++)
        if (op_reads_another(s, mg_op(s->g, r->ops.at[i]), id, x))
            return true;
    return false;
}

// The carried value whose bytes its next value v may take over, though def doesn't read it; MG_NONE
// if there is none.
static MgValueId takes_over_carried(Assign *a, MgOpId def, MgValueId v) {
    MgGraph *g = a->s->g;
    MgOpId group = a->life.group[def];
    MgValueId x = carried_before(g, mg_op(g, group)->region, v);
    MgStorageId id = x ? a->s->storage_of[x] : 0;
    if (!is_in_arena(a->s, id) || !same_bytes(g, x, v))
        return MG_NONE;
    if (a->life.last[x] < a->life.position[def])
        return x;
    bool here = a->life.last[x] == a->life.position[def] && group != def;
    return here && !reads_another(a->s, group, id, x) && group_reads_pointwise(a, def, x) ? x
                                                                                          : MG_NONE;
}

// May v, which def makes, take over the bytes of x, which an op of its group reads?
static bool may_take_over(Assign *a, MgOpId def, MgValueId x, MgValueId v) {
    MgSched *s = a->s;
    MgOpId group = a->life.group[def];
    MgStorageId id = s->storage_of[x];
    return is_in_arena(s, id) && same_bytes(s->g, x, v) &&
           dies_at(a, mg_op(s->g, group)->region, x, def, v) && !reads_another(s, group, id, x);
}

// An operand of op, which is def or another of its group, whose bytes v may take over; or MG_NONE.
static MgValueId operand_to_take(Assign *a, MgOpId def, const MgOp *op, MgValueId v) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (may_take_over(a, def, op->operands[i], v) &&
            group_reads_pointwise(a, def, op->operands[i]))
            return op->operands[i];
    return MG_NONE;
}

// What def, or an op before it in its group, reads, whose bytes v may take over; or MG_NONE.
static MgValueId takes_over(Assign *a, MgOpId def, MgValueId v) {
    MgGraph *g = a->s->g;
    const MgOp *op = mg_op(g, def), *group = mg_op(g, a->life.group[def]);
    if (a->s->options->level == 0)
        return MG_NONE;
    if (op->equation && op->equation->has_base) { // its elements are read by nothing but the copy
        MgValueId base = op->operands[op->n_operands - 1];
        bool may = may_take_over(a, def, base, v);
        for (uint32_t i = 0; i + 1 < op->n_operands; i++)
            may &= op->operands[i] != base;
        return may ? base : takes_over_carried(a, def, v);
    }
    MgValueId x = operand_to_take(a, def, op, v);
    const MgRegion *r = group == op ? NULL : mg_region(g, group->regions[0]);
    for (uint32_t i = 0; r && !x && r->ops.at[i] != def; i++)
        x = operand_to_take(a, def, mg_op(g, r->ops.at[i]), v);
    return x ? x : takes_over_carried(a, def, v);
}

// Does v depend only on values that never change, so that the first run can compute it for all
// runs? A constant with which a loop begins is written again, since the loop would overwrite it.
static bool made_once(Assign *a, MgOpId id, MgValueId v) {
    MgSched *s = a->s;
    const MgOp *op = mg_op(s->g, id);
    int64_t bytes;
    if (!mg_may_keep(s) || op->kind != MG_OP_EQUATION ||
        !mg_ix_is_const(s->ix, mg_value_bytes(s->g, v), &bytes) || bytes > MG_MOST_KEPT)
        return false;
    bool varies = (a->begins[v] && !op->n_operands) || a->life.group[id] != id ||
                  mg_equation_varies(s->m, op->equation, s->arena);
    for (uint32_t i = 0; i < op->n_operands && !varies; i++)
        varies = !s->storage_of[op->operands[i]] || !mg_is_kept(s, op->operands[i]);
    return !varies;
}

static void assign_result(Assign *a, MgOpId id, MgValueId v) {
    MgSched *s = a->s;
    MgGraph *g = s->g;
    const MgOp *op = mg_op(g, id);
    if (s->storage_of[v]) { // an output, a whole of parts, or what a fused group yields
        give(a, v, s->storage_of[v]);
        return;
    }
    if (s->options->level > 0 && mg_is_view(g, id) && s->storage_of[op->operands[0]]) {
        give(a, v, s->storage_of[op->operands[0]]);
        s->draft->placing.because[v] = "a view";
        return;
    }
    if (made_once(a, id, v)) {
        give(a, v, mg_storage_kept(s, mg_value_bytes(g, v), v));
        s->draft->placing.because[v] = "made once, of what never changes";
        return;
    }
    MgValueId over = op->kind == MG_OP_EQUATION ? takes_over(a, id, v) : MG_NONE;
    if (over) {
        give(a, v, s->storage_of[over]);
        s->draft->placing.in_place_of[v] = over;
        s->draft->placing.because[v] = "in place: the operand dies here";
        return;
    }
    fresh(a, v);
}

// Does an op of the region, or one inside it, read bytes of the storage?
static bool reads_storage(MgSched *s, MgRegionId r, MgStorageId id) {
    const MgRegion *region = mg_region(s->g, r);
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(s->g, region->ops.at[i]);
        for (uint32_t j = 0; j < op->n_operands; j++)
            if (s->storage_of[op->operands[j]] == id)
                return true;
        for (uint32_t j = 0; j < op->n_regions; j++)
            if (reads_storage(s, op->regions[j], id))
                return true;
    }
    return false;
}

// The k-th result of a loop takes over the bytes of the value with which it begins, if that value
// dies there and the loop reads it in no other way.
static bool begins_in_place(Assign *a, MgOpId loop, uint32_t k) {
    MgSched *s = a->s;
    const MgOp *op = mg_op(s->g, loop);
    MgValueId x = op->operands[k], v = op->results[k];
    MgStorageId id = s->storage_of[x];
    if (s->options->level == 0 || s->storage_of[v] || !is_in_arena(s, id) ||
        !same_bytes(s->g, x, v) || !dies_at(a, op->region, x, loop, v))
        return false;
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (i != k && s->storage_of[op->operands[i]] == id)
            return false;
    for (uint32_t i = 0; i < op->n_regions; i++)
        if (reads_storage(s, op->regions[i], id))
            return false;
    give(a, v, id);
    s->draft->placing.in_place_of[v] = x;
    s->draft->placing.because[v] = "in place: the loop begins with it";
    return true;
}

static void assign_results(Assign *a, MgOpId id) {
    MgGraph *g = a->s->g;
    const MgOp *op = mg_op(g, id);
    for (uint32_t j = 0; j < op->n_results; j++)
        if (op->kind != MG_OP_LOOP || j >= op->loop->n_carried || !begins_in_place(a, id, j))
            assign_result(a, id, op->results[j]);
    if (op->kind != MG_OP_LOOP)
        return;
    for (uint32_t b = 0; b < op->n_regions; b++)
        for (uint32_t c = 0; c < op->loop->n_carried; c++)
            give(a, mg_region(g, op->regions[b])->params.at[c], a->s->storage_of[op->results[c]]);
}

static void assign_region(Assign *a, MgRegionId r, const MgOp *fused) {
    MgSched *s = a->s;
    MgGraph *g = s->g;
    if (fused) { // the values that a group yields live in its results
        const MgOp *yield = mg_yield_of(g, r);
        for (uint32_t i = 0; i < yield->n_operands; i++) {
            MgOpId def = mg_value(g, yield->operands[i])->def;
            if (!def || mg_op(g, def)->region != r || s->storage_of[yield->operands[i]])
                continue;
            MgStorageId id = s->storage_of[fused->results[i]];
            if (id) {
                give(a, yield->operands[i], id);
                continue;
            }
            a->life.last[yield->operands[i]] = a->life.last[fused->results[i]];
            assign_result(a, def, yield->operands[i]);
            give(a, fused->results[i], s->storage_of[yield->operands[i]]);
        }
    }
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_ERASED || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST)
            continue;
        if (op->kind == MG_OP_FUSED) {
            assign_region(a, op->regions[0], op);
            for (uint32_t j = 0; j < op->n_results; j++)
                if (!s->storage_of[op->results[j]])
                    fresh(a, op->results[j]);
            continue;
        }
        assign_results(a, id);
        for (uint32_t b = 0; b < op->n_regions; b++)
            assign_region(a, op->regions[b], NULL);
    }
}

static void add_plan_buf(MgSched *s, MgPlanBufKind kind, uint32_t number, MgValueId v, bool reads,
                         bool writes) {
    static const char *const names[] = {"in", "out", "weight", "const", "arena"};
    MgNames *n = s->m->session->names;
    MgKBufId buf = mg_kparam(
        s->p->plan,
        kind == MG_PLAN_ARENA ? "arena" : mg_name(n, mg_symf(n, "%s%u", names[kind], number)),
        MG_U8, reads, writes);
    MgPlanBuf b = {kind, number, v};
    mg_push(s->arena, &s->p->bufs, b);
    if (v) {
        MgStorageId id = mg_storage_new(s, kind, mg_bytes_bound(s, v), v);
        s->draft->storages.at[id].plan_buf = buf;
        if (!s->storage_of[v])
            s->storage_of[v] = id;
    }
}

// If an output is a view, its operand is computed in the output's bytes.
static void share_outputs(MgSched *s) {
    MgValueId *output_of = MG_NEW_N(s->arena, MgValueId, s->g->values.len);
    mg_output_bytes(s->g, output_of);
    for (MgValueId v = 1; v < s->g->values.len; v++)
        if (output_of[v] && !s->storage_of[v])
            s->storage_of[v] = s->storage_of[output_of[v]];
}

static bool *find_begins(MgSched *s) {
    MgGraph *g = s->g;
    bool *begins = MG_NEW_N(s->arena, bool, g->values.len);
    const uint32_t *uses = mg_use_counts(g, s->arena);
    for (MgOpId id = 1; id < g->ops.len; id++)
        for (uint32_t i = 0; i < mg_op(g, id)->n_operands && mg_op(g, id)->kind == MG_OP_LOOP; i++)
            begins[mg_op(g, id)->operands[i]] = uses[mg_op(g, id)->operands[i]] == 1;
    return begins;
}

void mg_storage_assign(MgSched *s) {
    MgGraph *g = s->g;
    mg_push(s->arena, &s->draft->storages, (MgStorage){0});
    for (uint32_t i = 0; i < g->inputs.len; i++)
        add_plan_buf(s, MG_PLAN_INPUT, i, g->inputs.at[i].value, true, false);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        add_plan_buf(s, MG_PLAN_OUTPUT, i, g->outputs.at[i].value, true, true);
    mg_storage_over(s);
    if (s->options->level > 0)
        share_outputs(s);
    uint32_t weights = 0, consts = 0;
    for (uint32_t kind = MG_OP_PARAM; kind <= MG_OP_CONST; kind++)
        for (MgOpId id = 1; id < g->ops.len; id++)
            if (mg_op(g, id)->kind == (MgOpKind)kind) {
                MgValueId v = mg_op(g, id)->results[0];
                s->storage_of[v] = MG_NONE;
                add_plan_buf(s, kind == MG_OP_PARAM ? MG_PLAN_WEIGHT : MG_PLAN_CONST,
                             kind == MG_OP_PARAM ? weights++ : consts++, v, true, false);
            }
    add_plan_buf(s, MG_PLAN_ARENA, 0, MG_NONE, true, true);
    mg_kparam(s->p->plan, "slots", MG_I64, true, true);
    MgStorage dims = {.kind = MG_PLAN_INPUT,
                      .plan_buf = mg_kparam(s->p->plan, "dims", MG_I64, true, true)};
    mg_push(s->arena, &s->draft->storages, dims);
    s->draft->dims.storage = s->draft->storages.len - 1;
    Assign a = {.s = s, .begins = find_begins(s)};
    a.life = (Life){s, MG_NEW_N(s->arena, uint32_t, g->ops.len),
                    MG_NEW_N(s->arena, uint32_t, g->values.len),
                    MG_NEW_N(s->arena, uint32_t, g->ops.len), 0};
    a.n_last = 2 * g->values.len + s->draft->storages.len + 1;
    a.storage_last = MG_NEW_N(s->arena, uint32_t, a.n_last);
    if (s->options->target.gpu && s->options->level >= 2)
        mg_storage_parts(s);
    number_region(&a.life, 0, MG_NONE);
    note_uses(&a.life);
    assign_region(&a, 0, NULL);
}
