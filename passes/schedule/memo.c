// Units that differ only in their values are scheduled once.
//
// Networks repeat themselves: a thousand layers have a handful of distinct structures. The key of a
// unit is everything that a schedule may depend on (equations, types, sizes, which values share
// storage, which are used outside), as a 128-bit hash. A unit whose key is known gets the same call
// with its own storage. Units that can trap are left out, since their messages name a line.
#include "passes/schedule/riders.h"

#define SCRATCH UINT32_MAX // the position of a buffer that is not a value of the unit
enum { MAX_CALLS = 3 };    // of a unit that is stored

typedef struct Key {
    uint64_t a, b;
} Key;

static void add(Key *k, uint64_t x) {
    k->a = mg_hash_mix(k->a, x);
    k->b = mg_hash_mix(k->b ^ 0x9e3779b97f4a7c15u, x + 0x7f4a7c15u);
}

// Describes a value independently of its storage: which earlier value shares its storage (`seen`
// maps a storage to the number of its first value), and which of the unit's ops defines it.
typedef struct Seen {
    MgMap storages, ops;
} Seen;

static void add_value(Key *k, MgSched *s, const MgUnit *unit, MgValueId v, Seen *seen) {
    const MgValue *value = mg_value(s->g, v);
    add(k, value->dtype);
    add(k, mg_is_kept(s, v));
    add(k, mg_unchanging_loops(s, v));
    add(k, s->rounding.exact[v]);
    add(k, s->rounding.decisive[v]);
    add(k, value->rank);
    for (uint32_t i = 0; i < value->rank; i++)
        add(k, value->shape[i]);
    add(k, s->placed[v].in);
    add(k, s->placed[v].axes);
    add(k, s->placed[v].step);
    MgOpId def = mg_unit_def(unit, s->g, v);
    if (def) {
        add(k, 1000 + mg_map_get(&seen->ops, def, 0));
        add(k, mg_value(s->g, v)->result);
    }
    uint64_t *first = mg_map_find(&seen->storages, s->storage_of[v]),
             n = seen->storages.entries.len;
    add(k, first ? *first : n);
    if (!first)
        mg_map_put(&seen->storages, s->storage_of[v], n);
}

static void add_piece(Key *k, const MgPiece *p, uint32_t rank) {
    add(k, p->n_free);
    add(k, p->n_indices);
    add(k, p->reducer);
    add(k, p->scatter);
    add(k, p->write);
    for (uint32_t i = 0; i < p->n_indices; i++) {
        add(k, p->indices[i].low);
        add(k, p->indices[i].high);
    }
    for (uint32_t i = 0; i < rank; i++) {
        add(k, mg_sx_hash(p->target[i].sub));
        add(k, p->target[i].n_tuple);
    }
    add(k, mg_sx_hash(p->expr));
}

static bool key_of(MgSched *s, const MgUnit *unit, Key *k) {
    Seen seen;
    mg_map_init(&seen.storages, s->arena);
    mg_map_init(&seen.ops, s->arena);
    for (uint32_t o = 0; o < unit->n_ops + unit->n_riders; o++) {
        if (mg_op(s->g, unit->ops[o])->kind != MG_OP_EQUATION)
            return false;
        mg_map_put(&seen.ops, unit->ops[o], o);
    }
    *k = (Key){unit->n_ops, unit->n_outputs};
    add(k, unit->n_riders);
    add(k, s->walk != NULL);
    add(k, s->alone);
    for (uint32_t o = 0; o < unit->n_ops + unit->n_riders; o++) {
        const MgOp *op = mg_op(s->g, unit->ops[o]);
        add(k, op->n_operands);
        for (uint32_t j = 0; j < op->n_operands; j++)
            add_value(k, s, unit, op->operands[j], &seen);
        add_value(k, s, unit, op->results[0], &seen);
        add(k, op->equation->has_base);
        for (uint32_t p = 0; p < op->equation->n_pieces; p++)
            add_piece(k, &op->equation->pieces[p], mg_value(s->g, op->results[0])->rank);
    }
    for (uint32_t i = 0; i < unit->n_outputs; i++)
        add_value(k, s, unit, unit->outputs[i], &seen);
    return true;
}

// Where a parameter's storage comes from in any unit of the same key: the unit's values in order.
typedef struct Values {
    MG_VEC(MgStorageId) storages;
    MgMap first; // storage -> the position of its first value
} Values;

static Values values_of(MgSched *s, const MgUnit *unit) {
    Values values = {0};
    mg_map_init(&values.first, s->arena);
    for (uint32_t o = 0; o < unit->n_ops + unit->n_riders; o++) {
        const MgOp *op = mg_op(s->g, unit->ops[o]);
        for (uint32_t j = 0; j <= op->n_operands; j++) {
            MgStorageId storage =
                s->storage_of[j < op->n_operands ? op->operands[j] : op->results[0]];
            if (!mg_map_find(&values.first, storage))
                mg_map_put(&values.first, storage, values.storages.len);
            mg_push(s->arena, &values.storages, storage);
        }
    }
    return values;
}

static MgMemo *find(MgSched *s, Key k) {
    uint64_t number = mg_map_get(&s->draft->known.memo_by_key, k.a, 0);
    return number && s->draft->known.memos.at[number - 1].check == k.b
               ? &s->draft->known.memos.at[number - 1]
               : NULL;
}

// The scratch and kept values of one unit's calls, which share them.
typedef struct Pair {
    MgStorageId old, now;
} Pair;
typedef struct Made {
    MG_VEC(Pair) pairs;
    uint32_t newest_kept; // the position of the pair of kept values that was made last, plus 1
} Made;

static MgStorageId replay_scratch(MgSched *s, MgStorageId old, Made *made) {
    const MgStorage st = s->draft->storages.at[old];
    for (uint32_t i = 0; i < made->pairs.len; i++)
        if (made->pairs.at[i].old == old)
            return made->pairs.at[i].now;
    MgStorageId now = st.kept   ? mg_storage_kept(s, st.bytes, MG_NONE)
                      : s->walk ? mg_walk_scratch(s->walk, st.bytes)
                                : mg_storage_new(s, st.kind, st.bytes, MG_NONE);
    mg_push(s->arena, &made->pairs, ((Pair){old, now}));
    if (st.kept)
        made->newest_kept = made->pairs.len;
    return now;
}

bool mg_memo_replay(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    Key k;
    if (!key_of(s, unit, &k))
        return false;
    MgMemo *memo = find(s, k);
    if (!memo)
        return false;
    const Values values = values_of(s, unit);
    Made made = {0};
    for (uint32_t c = 0; c < memo->n_calls; c++) {
        const MgPendingCall old = s->draft->calls.at[memo->call + c];
        MgCallWith to = old.to;
        to.storages = MG_NEW_N(s->arena, MgStorageId, to.n_buffers);
        uint32_t before = made.newest_kept;
        for (uint32_t i = 0; i < to.n_buffers; i++) {
            uint32_t position = memo->positions[c][i];
            to.storages[i] = position != SCRATCH ? values.storages.at[position]
                                                 : replay_scratch(s, old.to.storages[i], &made);
        }
        MgSite site = s->p->sites.at[old.call->site];
        const MgValue *result = mg_value(s->g, unit->outputs[0]);
        site.origin = result->origin;
        site.number = s->draft->unit.number;
        site.name = result->name;
        if (site.n_ops == unit->n_ops)
            site.ops =
                mg_arena_copy(s->arena, unit->ops, unit->n_ops + site.n_riders, sizeof *unit->ops);
        MgStorageId *kept =
            made.newest_kept > before ? &made.pairs.at[made.newest_kept - 1].now : NULL;
        if (kept) // the call that writes the kept values
            *kept = mg_plan_keep(s, site, to, *kept);
        else
            mg_plan_call(s, old.once ? s->once : plan, site, to);
    }
    if (memo->rides)
        mg_riders_arrive(s, unit);
    return true;
}

// The positions of a call's buffers; NULL if they don't depend on the unit's values alone.
static uint32_t *positions_of(MgSched *s, const Values *values, const MgPendingCall *call) {
    uint32_t *positions = MG_NEW_N(s->arena, uint32_t, call->to.n_buffers);
    for (uint32_t i = 0; i < call->to.n_buffers; i++) {
        const MgStorage *st = &s->draft->storages.at[call->to.storages[i]];
        bool scratch = st->kind == MG_PLAN_ARENA && !st->value;
        uint64_t *position = mg_map_find(&values->first, call->to.storages[i]);
        const MgKx *extra = call->to.extra[i];
        if ((extra && extra->kind != MG_KX_CONST) || (!scratch && !position))
            return NULL;
        positions[i] = scratch ? SCRATCH : (uint32_t)*position;
    }
    return positions;
}

void mg_memo_note(MgSched *s, const MgUnit *unit, uint32_t first_call, uint32_t first_trap) {
    Key k;
    uint32_t n = s->draft->calls.len - first_call;
    if (s->draft->unit.reused || !n || n > MAX_CALLS || s->p->traps.len != first_trap ||
        !key_of(s, unit, &k))
        return;
    MgMemo memo = {.check = k.b,
                   .call = first_call,
                   .n_calls = n,
                   .rides = unit->n_riders && mg_has_ridden(s, unit->ops[unit->n_ops]),
                   .positions = MG_NEW_N(s->arena, uint32_t *, n)};
    const Values values = values_of(s, unit);
    for (uint32_t c = 0; c < n; c++)
        if (!(memo.positions[c] = positions_of(s, &values, &s->draft->calls.at[first_call + c])))
            return;
    mg_push(s->arena, &s->draft->known.memos, memo);
    mg_map_put(&s->draft->known.memo_by_key, k.a, s->draft->known.memos.len);
}
