// Writes that ride: which do, and how a kernel makes them (riders.h).
//
// A write may ride with the op that makes what it copies if
//   - it copies single elements, each to a place of its own, over a tensor in the same memory;
//   - no op between the two touches that memory, and its places are known before the host runs;
//   - its indices are digits of the address that it reads, so that the element at an address finds
//     its point, or has none.
#include "passes/schedule/riders.h"
#include "passes/rewrite.h"
#include "passes/schedule/places.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

enum { MOST_BETWEEN = 256 }; // ops between a host and its rider that are looked at

struct MgRiders {
    MgOpId *next;  // by op: the one that rides with it, or behind it with the same host
    bool *arrived; // by op: a kernel has its writes
    uint32_t *at;  // by op: its place in its region
};

// ---------------------------------------------------------------- its indices

// Index number which[j] of a write is (address - rest) / by[j] modulo by[j + 1] / by[j], and the
// last one the whole quotient; the other indices are 0.
typedef struct Digits {
    uint32_t n, which[MG_FORM_SYMS];
    int64_t by[MG_FORM_SYMS];
    MgIx rest;
} Digits;

static const MgPiece *piece_of(const MgSched *s, MgOpId id) {
    return mg_only_piece(mg_op(s->g, id));
}

// What a write copies elements of.
static MgValueId source_of(const MgSched *s, MgOpId id) {
    return mg_op(s->g, id)->operands[piece_of(s, id)->expr->operand];
}

static void add_digit(Digits *d, uint32_t which, int64_t by) {
    uint32_t j = d->n++;
    for (; j > 0 && d->by[j - 1] > by; j--) {
        d->which[j] = d->which[j - 1];
        d->by[j] = d->by[j - 1];
    }
    d->which[j] = which;
    d->by[j] = by;
}

// Does digit j have all values that it can have?
static bool is_whole(const MgSched *s, const MgPiece *p, const Digits *d, uint32_t j) {
    return j + 1 < d->n &&
           mg_ix_const_or(s->ix, p->indices[d->which[j]].high, 0) == d->by[j + 1] / d->by[j];
}

static bool find_digits(MgSched *s, MgOpId id, Digits *d) {
    MgIxTable *t = s->ix;
    const MgPiece *p = piece_of(s, id);
    MgIx one = mg_ix_const(t, 1);
    *d = (Digits){.n = 0};
    if (p->n_indices > MG_FORM_SYMS ||
        !mg_read_address(s, source_of(s, id), p->expr, NULL, 0, &d->rest))
        return false;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        int64_t by;
        if (p->indices[i].low != mg_ix_const(t, 0) || mg_ix_mentions_index(t, p->indices[i].high) ||
            !mg_ix_steps(t, d->rest, mg_ix_index(t, i), &by, &d->rest) ||
            (by < 1 && p->indices[i].high != one))
            return false;
        if (p->indices[i].high != one)
            add_digit(d, i, by);
    }
    for (uint32_t j = 0; j + 1 < d->n; j++) {
        int64_t extent = mg_ix_const_or(t, p->indices[d->which[j]].high, INT64_MAX);
        if (d->by[j + 1] % d->by[j] || extent > d->by[j + 1] / d->by[j])
            return false;
    }
    return !mg_ix_mentions_index(t, d->rest);
}

// ---------------------------------------------------------------- its host

static bool touches(const MgSched *s, const MgValueId *values, uint32_t n, MgStorageId storage) {
    for (uint32_t i = 0; i < n; i++)
        if (mg_storage_whole(s, s->storage_of[values[i]]) == storage)
            return true;
    return false;
}

static bool op_touches(const MgSched *s, MgOpId id, MgStorageId storage) {
    const MgOp *op = mg_op(s->g, id);
    bool any = touches(s, op->operands, op->n_operands, storage) ||
               touches(s, op->results, op->n_results, storage);
    for (uint32_t r = 0; r < op->n_regions && !any; r++) {
        const MgRegion *region = mg_region(s->g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len && !any; i++)
            any = op_touches(s, region->ops.at[i], storage);
    }
    return any;
}

// Is every value that decides the write's places made before place `host` of its region?
static bool is_known_before(const MgSched *s, MgOpId id, uint32_t host) {
    const MgOp *op = mg_op(s->g, id);
    for (uint32_t i = 0; i + 1 < op->n_operands; i++) {
        MgOpId def = mg_value(s->g, op->operands[i])->def;
        if (op->operands[i] != source_of(s, id) && def && mg_op(s->g, def)->region == op->region &&
            s->draft->riders->at[def] >= host)
            return false;
    }
    return true;
}

// Does the op copy elements, each to a place of its own, over a tensor in the same memory?
static bool is_copy(MgSched *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || !op->equation->has_base || !p->scatter || p->reducer != MG_REDUCE_LAST ||
        p->expr->kind != MG_SX_READ || p->expr->bounds != MG_BOUNDS_PROVED)
        return false;
    MgValueId base = op->operands[op->n_operands - 1], result = op->results[0];
    bool others = true;
    for (uint32_t i = 0; i + 1 < op->n_operands; i++)
        others &= s->storage_of[op->operands[i]] != s->storage_of[base];
    MgApart apart = mg_apart(s, p, mg_value(s->g, result)->rank);
    for (uint32_t i = 0; i < p->n_indices; i++)
        others &= apart.set >> i & 1 || p->indices[i].high == mg_ix_const(s->ix, 1);
    return others && s->storage_of[base] == s->storage_of[result] && !s->placed[result].in &&
           mg_value(s->g, source_of(s, id))->dtype == mg_value(s->g, result)->dtype;
}

// The op that makes the bytes of v.
static MgOpId maker_of(const MgSched *s, MgValueId v) {
    MgOpId def = mg_value(s->g, v)->def;
    while (def && mg_is_view(s->g, def) &&
           s->storage_of[mg_op(s->g, def)->operands[0]] == s->storage_of[v])
        def = mg_value(s->g, mg_op(s->g, def)->operands[0])->def;
    return def;
}

// Can the op's kernel store the value whose bytes v has, once?
static bool is_made_by(const MgSched *s, MgOpId id, MgValueId v) {
    const MgOp *op = mg_op(s->g, id);
    if (op->kind != MG_OP_FUSED)
        return mg_only_piece(op) && !mg_only_piece(op)->scatter;
    const MgOp *yield = mg_yield_of(s->g, op->regions[0]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < yield->n_operands; i++)
        n += s->storage_of[yield->operands[i]] == s->storage_of[v];
    return n == 1;
}

// The op with which the op at place `at` of the region may ride, or MG_NONE.
static MgOpId host_of(MgSched *s, const MgRegion *region, uint32_t at) {
    MgOpId id = region->ops.at[at];
    Digits d;
    if (!is_copy(s, id) || !find_digits(s, id, &d) ||
        (s->options->schedules && mg_nest_is_named(s, id)))
        return MG_NONE;
    MgValueId v = source_of(s, id);
    MgOpId host = maker_of(s, v);
    if (!host || mg_op(s->g, host)->region != mg_op(s->g, id)->region || mg_is_kept(s, v) ||
        !is_made_by(s, host, v))
        return MG_NONE;
    uint32_t from = s->draft->riders->at[host];
    MgStorageId storage = mg_storage_whole(s, s->storage_of[mg_op(s->g, id)->results[0]]);
    if (at < from || at - from > MOST_BETWEEN || !is_known_before(s, id, from))
        return MG_NONE;
    for (uint32_t i = from; i < at; i++)
        if (op_touches(s, region->ops.at[i], storage))
            return MG_NONE;
    return host;
}

void mg_riders_find(MgSched *s) {
    MgGraph *g = s->g;
    if (!s->options->target.gpu || s->options->level < 2)
        return;
    struct MgRiders *all = s->draft->riders = MG_NEW(s->arena, struct MgRiders);
    *all = (struct MgRiders){.next = MG_NEW_N(s->arena, MgOpId, g->ops.len),
                             .arrived = MG_NEW_N(s->arena, bool, g->ops.len),
                             .at = MG_NEW_N(s->arena, uint32_t, g->ops.len)};
    for (MgRegionId r = 0; r < g->regions.len; r++) {
        const MgRegion *region = mg_region(g, r);
        for (uint32_t i = 0; i < region->ops.len; i++)
            all->at[region->ops.at[i]] = i;
        for (uint32_t i = 0; i < region->ops.len; i++) {
            MgOpId last = host_of(s, region, i);
            while (last && all->next[last])
                last = all->next[last];
            if (last)
                all->next[last] = region->ops.at[i];
        }
    }
}

void mg_riders_board(MgSched *s, MgOpId host, MgUnit *unit) {
    const struct MgRiders *all = s->draft->riders;
    MG_VEC(MgOpId) ops = {0};
    if (!all || !all->next[host])
        return;
    for (uint32_t i = 0; i < unit->n_ops; i++)
        mg_push(s->arena, &ops, unit->ops[i]);
    for (MgOpId id = all->next[host]; id; id = all->next[id], unit->n_riders++)
        mg_push(s->arena, &ops, id);
    unit->ops = ops.at;
}

void mg_riders_arrive(MgSched *s, const MgUnit *unit) {
    for (uint32_t i = 0; i < unit->n_riders; i++) {
        MgOpId id = unit->ops[unit->n_ops + i];
        s->draft->riders->arrived[id] = true;
        if (s->options->edge)
            s->options->edge(s->options->edge_ctx, s->g, id, piece_of(s, id)->expr->operand, NULL);
    }
}

bool mg_has_ridden(const MgSched *s, MgOpId op) {
    return s->draft->riders && s->draft->riders->arrived[op];
}

// ---------------------------------------------------------------- in a kernel

// The reads that decide the places of a write.
static MgAccesses places_of(MgSched *s, MgOpId id, uint32_t axis) {
    return mg_reads(s, id, piece_of(s, id)->target[axis].sub);
}

void mg_kb_ride(MgKb *kb) {
    MgSched *s = kb->s;
    kb->rides = kb->unit->n_riders > 0;
    for (uint32_t i = 0; i < kb->unit->n_riders; i++) {
        MgOpId id = kb->unit->ops[kb->unit->n_ops + i];
        MgValueId result = mg_op(s->g, id)->results[0];
        for (uint32_t r = 0; r < mg_value(s->g, result)->rank; r++) {
            MgAccesses reads = places_of(s, id, r);
            for (uint32_t k = 0; k < reads.n; k++)
                mg_kb_add_value(kb, reads.at[k].value, false);
        }
        mg_kb_add_value(kb, result, true);
    }
}

void mg_kb_ride_loads(MgKb *kb, MgKBlock *block) {
    MgSched *s = kb->s;
    for (uint32_t i = 0; kb->rides && i < kb->unit->n_riders; i++) {
        MgOpId id = kb->unit->ops[kb->unit->n_ops + i];
        MgPoint p = mg_point(kb, id, block, NULL, 0, NULL, (MgIxRanges){0});
        for (uint32_t r = 0; r < mg_value(s->g, mg_op(s->g, id)->results[0])->rank; r++) {
            MgAccesses reads = places_of(s, id, r);
            for (uint32_t k = 0; k < reads.n; k++)
                if (!reads.at[k].read->n_args && !mg_kb_local(kb, reads.at[k].value))
                    mg_kb_define(kb, (MgKbValue){.value = reads.at[k].value,
                                                 .reg = mg_point_expr(&p, reads.at[k].read)});
        }
    }
}

// Sets the indices of the write of element `at`. Returns whether it has one.
static const MgKx *set_indices(MgKb *kb, MgKBlock *block, MgOpId id, const MgKx *at,
                               const MgKx **loop) {
    MgKernel *k = kb->k;
    const MgPiece *p = piece_of(kb->s, id);
    Digits d;
    find_digits(kb->s, id, &d);
    for (uint32_t i = 0; i < MG_FORM_SYMS; i++)
        loop[i] = num(k, 0);
    at = named(k, block, "from", sub(k, at, mg_kb_ix(kb, d.rest, loop)));
    if (!d.n)
        return equal(k, at, num(k, 0));
    const MgKx *inside = bin(k, MG_PRIM_GE, at, num(k, 0));
    if (d.by[0] > 1)
        inside = both(k, inside, equal(k, modulo(k, at, d.by[0]), num(k, 0)));
    for (uint32_t j = 0; j < d.n; j++) {
        const MgKx *digit = over(k, at, d.by[j]);
        if (j + 1 < d.n)
            digit = modulo(k, digit, d.by[j + 1] / d.by[j]);
        digit = loop[d.which[j]] = named(k, block, "i", digit);
        if (!is_whole(kb->s, p, &d, j))
            inside =
                both(k, inside, less(k, digit, mg_kb_ix(kb, p->indices[d.which[j]].high, loop)));
    }
    return inside;
}

static void write(MgKb *kb, MgKBlock *block, MgOpId id, const MgKx *at, const MgKx *x) {
    MgSched *s = kb->s;
    MgValueId result = mg_op(s->g, id)->results[0];
    const MgPiece *piece = piece_of(s, id);
    const MgKx *loop[MG_FORM_SYMS];
    MgIx with[MG_FORM_SYMS];
    for (uint32_t i = 0; i < MG_FORM_SYMS; i++)
        with[i] = mg_ix_idx(s->ix, i);
    const MgKx *inside = set_indices(kb, block, id, at, loop);
    MgPoint p = mg_point(kb, id, block_if(kb->k, block, named(kb->k, block, "inside", inside)),
                         with, piece->n_indices, loop, mg_piece_ranges(piece, s->arena));
    const MgKx *to = mg_point_place(&p, piece, UINT64_MAX);
    store(kb->k, p.block, mg_kb_value(kb, result), to,
          converted(kb->k, mg_value(s->g, result)->dtype, x));
}

// Writes the lanes one by one, since a vector may end within a row of the target.
static void write_lanes(const MgPoint *p, MgOpId id, MgIx address, const MgKx *x) {
    MgKb *kb = p->kb;
    MgKernel *k = kb->k;
    bool moves = p->vector >= 0 &&
                 mg_ix_mentions(kb->s->ix, address, mg_ix_index(kb->s->ix, (uint32_t)p->vector));
    const MgKx *loop[MG_FORM_SYMS];
    if (!moves) {
        write(kb, p->block, id, mg_kb_ix(kb, address, p->loop), x);
        return;
    }
    memcpy(loop, p->loop, sizeof loop);
    for (uint32_t lane = 0; lane < p->lanes; lane++) {
        MgKBlock *block = p->mask ? block_if(k, p->block, mg_klane(k, p->mask, lane)) : p->block;
        loop[p->vector] = plus(k, p->loop[p->vector], lane);
        write(kb, block, id, mg_kb_ix(kb, address, loop),
              x->type.lanes > 1 ? mg_klane(k, x, lane) : x);
    }
}

void mg_point_leave(MgPoint *p, MgValueId v, MgIx address, const MgKx *x) {
    MgKb *kb = p->kb;
    const MgStorageId *storage_of = kb->s->storage_of;
    mg_point_store(p, mg_kb_value(kb, v), mg_value(kb->s->g, v)->dtype, address, x);
    for (uint32_t i = 0; kb->rides && i < kb->unit->n_riders; i++) {
        MgOpId id = kb->unit->ops[kb->unit->n_ops + i];
        if (storage_of[source_of(kb->s, id)] == storage_of[v])
            write_lanes(p, id, address, x);
    }
}
