// Elementwise groups on a GPU whose result is contiguous along one axis and an operand along
// another: tiles go through local memory, so that both are accessed in their own order.
//
// A group has a square of both axes. Neighbouring items first read along the operand's axis, then
// write along the result's. In between, the square is in local memory, whose lines are one element
// longer than a power of two, so that a column accesses every bank.
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/group/nest.h"
#include "passes/schedule/words.h"

enum {
    SIDE = 32,
    ITEMS = 256,
    ROUNDS = SIDE * SIDE / ITEMS,
    PITCH = SIDE + 1,
    MOST_READ = 8,
    MOST_TILES = 2
};
enum { UNKNOWN = 256 }; // positions of an index of open size

typedef struct Transpose {
    MgGroup *gr;
    uint32_t axes[MG_GROUP_LOOPS];
    uint32_t n_axes;
    uint32_t u, v;                // the operand's axis; the result's, the last one
    bool found;                   // was u found?
    MgGpuRead crossed[MOST_READ]; // operands that are contiguous along u, if they are `ok`
    MgKBufId tiles[MOST_TILES];
    uint32_t n;
    const MgKx *u0, *v0;
} Transpose;

// ---------------------------------------------------------------- recognising it

// Finds the axis along which the address is contiguous, if it strides along the result's: the same
// axis for all such operands.
static bool crosses(Transpose *tr, MgIx address) {
    MgIxTable *t = tr->gr->s->ix;
    MgIxSym along = mg_ix_index(t, tr->v);
    if (!mg_ix_mentions(t, address, along) || mg_moves_by_one(t, address, along))
        return false;
    for (uint32_t i = 0; i + 1 < tr->n_axes; i++)
        if (mg_moves_by_one(t, address, mg_ix_index(t, tr->axes[i]))) {
            tr->u = tr->found ? tr->u : tr->axes[i];
            tr->found = true;
            return tr->u == tr->axes[i];
        }
    return false;
}

static bool look(Transpose *tr) {
    MgGroup *gr = tr->gr;
    MgIxTable *t = gr->s->ix;
    MgGpuReads reads = {tr->crossed, 0, MOST_READ};
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        MgAccesses all = mg_accesses(gr->s, n->op, n->piece->expr, gr->with, MG_GROUP_LOOPS);
        for (uint32_t r = 0; r < all.n; r++) {
            const MgAccess *a = &all.at[r];
            bool plain =
                a->known && a->read->bounds == MG_BOUNDS_PROVED && a->read->dtype != MG_BOOL;
            if (!mg_unit_def(gr->unit, gr->s->g, a->value))
                mg_gpu_note_read(&reads, n->op, a, plain && crosses(tr, a->address), true);
        }
        if (!mg_moves_by_one(t, mg_group_target(gr, n), mg_ix_index(t, tr->v)))
            return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < reads.n && n < MOST_TILES; i++)
        if (tr->crossed[i].ok)
            tr->crossed[n++] = tr->crossed[i];
    tr->n = n;
    return n > 0;
}

static bool choose(void *found) {
    Transpose *tr = found;
    MgGroup *gr = tr->gr;
    MgIxTable *t = gr->s->ix;
    int64_t points = 1;
    for (uint32_t i = 0; i < tr->n_axes; i++)
        if (__builtin_mul_overflow(
                points, mg_ix_const_or(t, mg_group_extent(gr, tr->axes[i]), UNKNOWN), &points))
            points = INT64_MAX;
    int64_t side = mg_figure(gr->s, turn_side);
    return points >= mg_figure(gr->s, turn_points) &&
           mg_ix_const_or(t, mg_group_extent(gr, tr->u), SIDE) >= side &&
           mg_ix_const_or(t, mg_group_extent(gr, tr->v), SIDE) >= side;
}

// ---------------------------------------------------------------- the kernel

static const MgKx *tiles(Transpose *tr, uint32_t axis) {
    MgKernel *k = tr->gr->kb.k;
    const MgKx *x = mg_kb_ix(&tr->gr->kb, mg_group_extent(tr->gr, axis), tr->gr->loop);
    x = greatest(k, x, num(k, 0));
    return mg_kceil_div(k, x, SIDE);
}

// Computes the item's point of a round, `fast` along one axis and `slow` along the other; returns
// the block for points inside the box.
static MgKBlock *enter(Transpose *tr, MgKBlock *block, uint32_t axis, const MgKx *at) {
    MgGroup *gr = tr->gr;
    MgKernel *k = gr->kb.k;
    at = named(k, block, "i", add(k, axis == tr->u ? tr->u0 : tr->v0, at));
    gr->loop[axis] = at;
    if (mg_ix_const_or(gr->s->ix, mg_group_extent(gr, axis), 1) % SIDE == 0)
        return block;
    const MgKx *high = mg_kb_ix(&gr->kb, gr->high[axis], gr->loop);
    return block_if(k, block, less(k, at, high));
}

static void read_tile(Transpose *tr, MgKBlock *block, const MgKx *fast, const MgKx *slow) {
    MgGroup *gr = tr->gr;
    MgKernel *k = gr->kb.k;
    block = enter(tr, enter(tr, block, tr->u, fast), tr->v, slow);
    for (uint32_t i = 0; i < tr->n; i++) {
        const MgKx *x = mg_gpu_load_read(gr, block, &tr->crossed[i], -1, 1);
        store(k, block, tr->tiles[i], add(k, times(k, slow, PITCH), fast), x);
    }
}

static void write_tile(Transpose *tr, MgKBlock *block, const MgKx *fast, const MgKx *slow) {
    MgGroup *gr = tr->gr;
    MgKernel *k = gr->kb.k;
    uint32_t locals = gr->kb.sources.len;
    block = enter(tr, enter(tr, block, tr->v, fast), tr->u, slow);
    for (uint32_t i = 0; i < tr->n; i++) {
        const MgKx *from = add(k, times(k, fast, PITCH), slow);
        const MgKx *x = named(k, block, "x", loaded(k, tr->tiles[i], from, 1));
        mg_kb_define(&gr->kb, (MgKbValue){.value = tr->crossed[i].value, .reg = x});
    }
    MgPoints body = {gr, -1, 1, 0, gr->n_nests, true};
    mg_group_points(&body, block, NULL);
    mg_kb_forget(&gr->kb, locals);
}

static void make(void *found) {
    Transpose *tr = found;
    MgGroup *gr = tr->gr;
    MgKernel *k = gr->kb.k;
    uint32_t others[MG_GROUP_LOOPS], n = 0;
    const MgKx *down = tiles(tr, tr->u), *across = tiles(tr, tr->v), *all = mul(k, down, across);
    for (uint32_t i = 0; i + 1 < tr->n_axes; i++)
        if (tr->axes[i] != tr->u) {
            const MgKx *x = mg_kb_ix(&gr->kb, mg_group_extent(gr, tr->axes[i]), gr->loop);
            all = mul(k, all, greatest(k, x, num(k, 0)));
            others[n++] = tr->axes[i];
        }
    for (uint32_t i = 0; i < tr->n; i++)
        tr->tiles[i] = mg_gpu_local(k, "tile", mg_kt(tr->crossed[i].read->dtype, 1), SIDE * PITCH);
    k->items = ITEMS;
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    const MgKx *fast = named(k, &k->body, "fast", modulo(k, me, SIDE));
    const MgKx *slow = named(k, &k->body, "slow", over(k, me, SIDE));
    Loop loop = each_group(k, &k->body, "g", all);
    const MgKx *left = loop.at;
    const MgKx *j = named(k, loop.body, "j", remainder_of(k, left, across));
    left = named(k, loop.body, "left", quotient(k, left, across));
    const MgKx *i = n ? named(k, loop.body, "i", remainder_of(k, left, down)) : left;
    if (n)
        left = named(k, loop.body, "left", quotient(k, left, down));
    mg_gpu_digits(gr, loop.body, others, n, left, 1);
    const MgKx *low_u = mg_kb_ix(&gr->kb, gr->low[tr->u], gr->loop);
    const MgKx *low_v = mg_kb_ix(&gr->kb, gr->low[tr->v], gr->loop);
    tr->u0 = named(k, loop.body, "u0", add(k, low_u, times(k, i, SIDE)));
    tr->v0 = named(k, loop.body, "v0", add(k, low_v, times(k, j, SIDE)));
    for (int write = 0; write < 2; write++) {
        for (int r = 0; r < ROUNDS; r++) {
            const MgKx *at = named(k, loop.body, "at", plus(k, slow, r * (ITEMS / SIDE)));
            (write ? write_tile : read_tile)(tr, loop.body, fast, at);
        }
        mg_kbarrier(k, loop.body, MG_BARRIER_GROUP);
    }
}

static void *find(MgGroup *gr) {
    if (gr->reduces || gr->rows || gr->s->options->level < 1 ||
        gr->s->options->target.max_items < ITEMS)
        return NULL;
    Transpose *tr = MG_NEW(gr->s->arena, Transpose);
    tr->gr = gr;
    mg_group_merge(gr);
    tr->n_axes = mg_gpu_order_axes(gr, tr->axes);
    if (tr->n_axes < 2)
        return NULL;
    tr->v = tr->axes[tr->n_axes - 1];
    return look(tr) ? tr : NULL;
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    const Transpose *tr = found;
    MgValueId values[MOST_TILES];
    (void)scope; // groups name indices themselves
    for (uint32_t i = 0; i < tr->n; i++)
        values[i] = tr->crossed[i].value;
    *nest = *mg_choose_gpu_tiles(tr->gr, tr->u, tr->v, SIDE, ROUNDS, values, tr->n);
}

const MgForm mg_group_gpu_tiles = {.nests = MG_NEST_GPU_TILES,
                                   .gpu = true,
                                   .what = "a transpose",
                                   .find_in = find,
                                   .choose = choose,
                                   .nest = nest_of,
                                   .make = make};
