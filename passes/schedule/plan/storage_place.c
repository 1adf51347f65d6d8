// Places storages: each gets an offset in one arena, from its lifetime in steps of the plan.
//
// Storages of known sizes are placed by place.c. If sizes depend on dims, the order of each pair of
// storages that are alive at the same time is fixed at compile time, and bind computes offset(j) as
// the maximum of offset(i) + size(i) over the storages below it. This is correct for every size.
#include "passes/schedule/plan/place.h"
#include "passes/schedule/plan/skyline.h"
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"

#include <stdlib.h>

// Storages begin at lines of the caches. On a device, a line may have 128 bytes, and a miss may
// fetch two. What neighbouring items read at once would otherwise lie in one line more.
enum { LINE = 64, LINES_OF_DEVICE = 256 };

static MgIx aligned(MgSched *s, MgIx bytes) {
    return mg_ix_round_up(s->ix, bytes, s->options->target.gpu ? LINES_OF_DEVICE : LINE);
}

// The storages of the arena with their lifetimes. Sizes that depend on dims are guessed for the
// placement.
typedef struct Blocks {
    MgStorageId *ids;
    MgBlockLife *lives;
    uint32_t n;
    bool known; // every size is a constant
} Blocks;

static Blocks collect(MgSched *s) {
    Blocks b = {MG_NEW_N(s->arena, MgStorageId, s->draft->storages.len + 1),
                MG_NEW_N(s->arena, MgBlockLife, s->draft->storages.len + 1), 0, true};
    for (MgStorageId id = 1; id < s->draft->storages.len; id++) {
        const MgStorage *st = &s->draft->storages.at[id];
        if (st->kind != MG_PLAN_ARENA || st->first == UINT32_MAX)
            continue; // never used: folded into a kernel
        int64_t bytes = 0;
        if (!mg_ix_is_const(s->ix, aligned(s, st->bytes), &bytes)) {
            b.known = false;
            bytes = mg_ix_likely(s->ix, aligned(s, st->bytes));
        }
        b.ids[b.n] = id;
        b.lives[b.n++] = (MgBlockLife){bytes, st->first, st->last, 0};
    }
    return b;
}

// Bind computes every offset from the sizes: a let per storage, in the order fixed here.
static const MgKx *bind_dim(void *ctx, MgIxSym sym) {
    MgSched *s = ctx;
    for (uint32_t i = 0; i < s->g->dims.len; i++)
        if (s->g->dims.at[i] == sym)
            return mg_kvar(s->p->bind, s->p->bind->scalars.at[i]);
    return num(s->p->bind, 0);
}

const MgKx *mg_bind_ix(MgSched *s, MgIx x) {
    return mg_kx_of_ix(s->p->bind, s->ix, x, bind_dim, s);
}

// Sorts the blocks of the guessed placement by their offsets.
static int by_guess(const void *a, const void *b) {
    const MgBlockLife *x = *(MgBlockLife *const *)a, *y = *(MgBlockLife *const *)b;
    return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : (x < y ? -1 : x > y);
}

// The guessed placement says which of two blocks that are alive at the same time lies below. This
// order holds for every size, and the offsets follow from it. Of the blocks below a block, only the
// highest in each step counts, since it ends above those under it.
static const MgKx *place_by_bind(MgSched *s, const Blocks *blocks) {
    MgKernel *b = s->p->bind;
    const MgKx **end = MG_NEW_N(s->arena, const MgKx *, blocks->n + 1), *peak = num(b, 0);
    MgBlockLife **order = MG_NEW_N(s->arena, MgBlockLife *, blocks->n + 1);
    for (uint32_t i = 0; i < blocks->n; i++)
        order[i] = &blocks->lives[i];
    qsort(order, blocks->n, sizeof *order, by_guess);
    MgSkyline highest = mg_skyline(s->arena, blocks->lives, blocks->n);
    for (uint32_t i = 0; i < blocks->n; i++) {
        MgStorage *st = &s->draft->storages.at[blocks->ids[order[i] - blocks->lives]];
        MgDistinct below = {0};
        mg_skyline_raise(&highest, order[i]->first, order[i]->last, i + 1, &below);
        const MgKx *at = below.len ? end[below.at[0] - 1] : num(b, 0);
        for (uint32_t j = 1; j < below.len; j++)
            at = greatest(b, at, end[below.at[j] - 1]);
        at = named(b, &b->body, "offset", at);
        st->slot = s->p->n_slots++;
        store(b, &b->body, 0, num(b, st->slot), at);
        const MgKx *size = mg_bind_ix(s, aligned(s, st->bytes));
        end[i] = named(b, &b->body, "end", add(b, at, size));
        peak = named(b, &b->body, "peak", greatest(b, peak, end[i]));
    }
    return peak;
}

static void begin_bind(MgSched *s) {
    MgProgram *p = s->p;
    p->bind = mg_kernel_new(s->arena, s->m->session->names, mg_sym(s->m->session->names, "bind"));
    mg_kparam(p->bind, "slots", MG_I64, false, true);
    for (uint32_t i = 0; i < s->g->dims.len; i++)
        mg_kscalar(p->bind, mg_name(s->m->session->names, mg_ix_sym_name(s->ix, s->g->dims.at[i])));
    store(p->bind, &p->bind->body, 0, num(p->bind, MG_SLOT_RAN), num(p->bind, 0));
    mg_share_bind(s);
    p->n_slots = MG_SLOT_WORKERS + 1;
}

// Sets slot 1 to the first require that does not hold.
static void bind_requires(MgSched *s) {
    MgKernel *b = s->p->bind;
    const MgKx *failed = num(b, 0);
    for (uint32_t i = s->g->requires.len; i-- > 0;) {
        const MgKx *x = mg_bind_ix(s, s->g->requires.at[i].nonnegative);
        failed =
            named(b, &b->body, "failed", where(b, less(b, x, num(b, 0)), num(b, i + 1), failed));
    }
    store(b, &b->body, 0, num(b, 1), failed);
}

static const MgKx *offset_in_plan(MgSched *s, const MgStorage *st) {
    MgKernel *plan = s->p->plan;
    if (st->part_of)
        return add(plan, offset_in_plan(s, &s->draft->storages.at[st->part_of]), st->shift);
    if (st->kind != MG_PLAN_ARENA)
        return num(plan, 0);
    if (st->known_offset >= 0)
        return num(plan, st->known_offset);
    return loaded(plan, s->p->bufs.len, num(plan, st->slot), 1);
}

// Which bytes a kernel uses. A part of a whole has its last row near the whole's end.
static void bind_bytes(MgSched *s, const MgStorage *st, const MgKx *extra, struct MgKBinding *b) {
    bool part = st->value && s->placed[st->value].in && !extra;
    if (!mg_ix_is_const(s->ix, st->bytes, &b->bytes))
        b->bytes = -1;
    else if (part)
        b->bytes -= (int64_t)st->shift->bits;
    b->part_of = part ? st->part_of : 0;
}

static void patch_calls(MgSched *s) {
    MgKernel *plan = s->p->plan;
    for (uint32_t i = 0; i < s->draft->calls.len; i++) {
        MgPendingCall *c = &s->draft->calls.at[i];
        for (uint32_t j = 0; j < c->call->n_buffers; j++) {
            const MgStorage *st = &s->draft->storages.at[c->to.storages[j]];
            const MgKx *offset = offset_in_plan(s, st);
            if (c->to.extra[j])
                offset = add(plan, offset, c->to.extra[j]);
            c->call->buffers[j].base = st->plan_buf;
            c->call->buffers[j].offset = offset;
            bind_bytes(s, st, c->to.extra[j], &c->call->buffers[j]);
        }
    }
    for (uint32_t i = 0; i < s->draft->placing.loads.len; i++) {
        const MgStorage *st = &s->draft->storages.at[s->draft->placing.loads.at[i].storage];
        s->draft->placing.loads.at[i].load->buf = st->plan_buf;
        s->draft->placing.loads.at[i].load->args[0] =
            add(plan, offset_in_plan(s, st), s->draft->placing.loads.at[i].load->args[0]);
    }
}

static const char *why_there(MgSched *s, const MgStorage *st, MgValueId v) {
    static const char *const kinds[] = {"an input's buffer", "an output's buffer", "weights",
                                        "a constant", ""};
    if (s->placed[v].in)
        return s->draft->placing.because[v];
    if (st->kind != MG_PLAN_ARENA)
        return kinds[st->kind];
    if (st->first == UINT32_MAX)
        return st->walked ? "in rows that a worker owns" : "inside its kernel";
    if (st->kept && st->first >= s->draft->step)
        return "made once, for what the first run packs";
    return s->draft->placing.because[v] ? s->draft->placing.because[v] : "another value's bytes";
}

static void note_placement(MgSched *s, const MgStorage *st, MgPlacement pl, const char *why) {
    bool in = pl.value && s->placed[pl.value].in; // alive as long as its whole
    const MgStorage *whole = in ? &s->draft->storages.at[st->part_of] : st;
    bool placed = whole->kind == MG_PLAN_ARENA && whole->first != UINT32_MAX;
    int64_t shift = in ? (int64_t)st->shift->bits : 0;
    pl.origin = pl.value ? mg_value(s->g, pl.value)->origin : st->origin;
    pl.packed = st->kept || st->ahead;
    pl.first = whole->first;
    pl.last = whole->last;
    pl.offset = offset_in_plan(s, st);
    pl.known_offset = placed && whole->known_offset >= 0 ? whole->known_offset + shift : -1;
    pl.depends = placed && whole->known_offset < 0;
    pl.reason = mg_sym(s->m->session->names, why);
    mg_push(s->arena, &s->p->placements, pl);
}

// Is it the result of a fused op, which is reported with the value that the op yields?
static bool is_noted_inside(MgSched *s, MgValueId v) {
    const MgValue *value = mg_value(s->g, v);
    const MgOp *op = mg_def(s->g, v);
    return op && op->kind == MG_OP_FUSED &&
           mg_is_inside(s->g, op, mg_yield_of(s->g, op->regions[0])->operands[value->result]);
}

static void note_placements(MgSched *s) {
    for (MgValueId v = 1; v < s->g->values.len; v++) {
        if (!s->storage_of[v] || is_noted_inside(s, v))
            continue;
        const MgStorage *st = &s->draft->storages.at[s->storage_of[v]];
        MgPlacement pl = {.value = v,
                          .bytes = mg_value_bytes(s->g, v),
                          .in_place_of = s->draft->placing.in_place_of[v]};
        note_placement(s, st, pl, why_there(s, st, v));
    }
    for (MgStorageId id = 1; id < s->draft->storages.len; id++) {
        const MgStorage *st = &s->draft->storages.at[id];
        if (st->kind == MG_PLAN_ARENA && !st->value && st->first != UINT32_MAX)
            note_placement(s, st, (MgPlacement){.bytes = st->bytes},
                           st->walked  ? "rows that workers own"
                           : st->kept  ? "packed once, of what never changes"
                           : st->ahead ? "packed once for all trips of a loop"
                                       : "a kernel's scratch");
    }
}

// A kept value is alive in every step if any step uses it. Values for the first run alone have
// steps of their own, after all others, so that they can share bytes with them.
static void keep_alive(MgSched *s) {
    uint32_t steps = s->draft->step + s->draft->first.step;
    for (MgStorageId id = 1; id < s->draft->storages.len; id++) {
        MgStorage *st = &s->draft->storages.at[id];
        bool used = st->first != UINT32_MAX, made = st->once_first != UINT32_MAX;
        if (!used && !made)
            continue;
        if (st->kept && used) {
            st->first = 0;
            st->last = steps ? steps - 1 : 0;
        } else if (made) {
            st->last = s->draft->step + st->once_last;
            st->first = used ? st->first : s->draft->step + st->once_first;
        }
    }
}

static int64_t place(MgSched *s, const Blocks *blocks) {
    bool apart = s->options->target.gpu && blocks->known;
    return (apart ? mg_place_apart : mg_place_blocks)(blocks->lives, blocks->n, s->arena);
}

void mg_storage_place(MgSched *s) {
    begin_bind(s);
    keep_alive(s);
    Blocks blocks = collect(s);
    int64_t peak_bytes = place(s, &blocks);
    for (uint32_t i = 0; blocks.known && i < blocks.n; i++)
        s->draft->storages.at[blocks.ids[i]].known_offset = blocks.lives[i].offset;
    MgKernel *b = s->p->bind;
    s->p->arena_bytes = blocks.known ? peak_bytes : -1;
    const MgKx *peak = blocks.known ? num(b, peak_bytes) : place_by_bind(s, &blocks);
    s->p->arena_lower_bound = mg_ix_const(
        s->ix, blocks.known ? mg_place_lower_bound(blocks.lives, blocks.n, s->arena) : 0);
    store(b, &b->body, 0, num(b, 0), peak);
    bind_requires(s);
    patch_calls(s);
    note_placements(s);
}
