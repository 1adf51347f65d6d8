#include "passes/schedule/gpu/look_back.h"

#include "ir/equation.h"
#include "passes/schedule/words.h"

// The posts of a total.
static int64_t words_of(MgDType type) {
    return (int64_t)mg_dtype_size(type) / 4;
}

bool mg_look_back_fits(MgDType type, int64_t items, int64_t parts) {
    size_t size = mg_dtype_size(type);
    return (size == 4 || size == 8) && parts <= items * items;
}

static MgDType bits_of(const MgLookBack *l) {
    return words_of(l->type) == 1 ? MG_U32 : MG_U64;
}

static const MgKx *identity(const MgLookBack *l) {
    return mg_reduce_identity(l->kb->k, l->reducer, mg_kt(l->type, 1));
}

// Posts the total of part `number`.
static void post(MgLookBack *l, MgKBlock *block, const MgKx *number, const MgKx *x) {
    MgKernel *k = l->kb->k;
    int64_t n = words_of(l->type);
    x = named(k, block, "bits", mg_kcast(k, MG_PRIM_BITCAST, bits_of(l), x));
    for (int64_t i = 0; i < n; i++) {
        const MgKx *word = i ? bin(k, MG_PRIM_SHR, x, mg_kconst(k, x->type, 32)) : x;
        mg_kpost(k, block, l->posts, plus(k, times(k, number, n), i), converted(k, MG_U32, word));
    }
}

static const MgKx *collect(MgLookBack *l, MgKBlock *block, const MgKx *number) {
    MgKernel *k = l->kb->k;
    int64_t n = words_of(l->type);
    const MgKx *at = mg_kramp(k, times(k, number, n), num(k, 1), (uint32_t)n);
    const MgKx *x = mg_kcollect(k, block, "post", l->posts, n > 1 ? at : number);
    if (n > 1) {
        const MgKx *low = cast(k, MG_U64, mg_klane(k, x, 0));
        const MgKx *high = cast(k, MG_U64, mg_klane(k, x, 1));
        x = either(k, bin(k, MG_PRIM_SHL, high, mg_kconst(k, high->type, 32)), low);
    }
    return named(k, block, "earlier", mg_kcast(k, MG_PRIM_BITCAST, l->type, x));
}

void mg_look_back_begin(MgLookBack *l) {
    MgKb *kb = l->kb;
    MgKernel *k = kb->k;
    MgIxTable *t = kb->s->ix;
    l->blocks = l->parts > l->items ? mg_ceil_div(l->parts, l->items) : 0;
    MgIx all = mg_ix_mul(t, l->rows, mg_ix_const(t, l->parts));
    MgIx none = mg_ix_mul(t, l->rows, mg_ix_const(t, l->parts + l->blocks));
    MgIx words = mg_ix_mul(t, none, mg_ix_const(t, words_of(l->type)));
    l->all = mg_kb_ix(kb, all, NULL);
    l->none = mg_kb_ix(kb, none, NULL);
    l->posts = mg_kb_common(kb, "posts", MG_U64, mg_ix_add(t, words, mg_ix_const(t, 2)));
    l->turns = mg_kb_common(kb, "turns", MG_U32, mg_ix_const(t, 1));
    l->turn = mg_gpu_local(k, "turn", mg_kt(MG_U32, 1), 1);
    k->items = (uint32_t)l->items;
    MgKBlock *block = &k->body;
    const MgKx *at = mg_kb_share(kb, &block, "i", mg_kb_ix(kb, words, NULL));
    store(k, block, l->posts, at, mg_kconst(k, mg_kt(MG_U64, 1), 0));
    MgKBlock *first = block_if(k, block, equal(k, at, num(k, 0)));
    store(k, first, l->turns, num(k, 0), mg_kconst(k, mg_kt(MG_U32, 1), 0));
    post(l, first, l->none, identity(l));
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
}

const MgKx *mg_look_back_turn(MgLookBack *l, MgKBlock *block) {
    MgKernel *k = l->kb->k;
    const MgKx *zero = num(k, 0);
    MgKBlock *one = block_if(k, block, equal(k, mg_kspecial(k, MG_KX_LOCAL_ID), zero));
    store(k, one, l->turn, zero, mg_ktake(k, one, "taken", l->turns, zero));
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    // It is said twice that it is small, so that what is made of it has 32 bits.
    const MgKx *taken = cast(k, MG_I64, cast(k, MG_I32, loaded(k, l->turn, zero, 1)));
    return named(k, block, "turn", least(k, greatest(k, taken, zero), minus(k, l->all, 1)));
}

// The total of `n` parts, or of blocks of them, from number `from` on.
static const MgKx *total_of(MgLookBack *l, MgKBlock *block, const MgKx *from, const MgKx *n) {
    MgKernel *k = l->kb->k;
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    const MgKx *which = where(k, less(k, me, n), add(k, from, me), l->none);
    store(k, block, l->totals, me, collect(l, block, named(k, block, "which", which)));
    const MgKx *side = mg_gpu_scan_totals(k, block, l->totals, l->items, l->reducer);
    const MgKx *last = loaded(k, l->totals, plus(k, side, l->items - 1), 1);
    last = named(k, block, "all", last);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    return last;
}

const MgKx *mg_look_back(MgLookBack *l, MgKBlock *block, const MgLookBackAt *at,
                         const MgKx *total) {
    MgKernel *k = l->kb->k;
    const MgKx *is_one = equal(k, mg_kspecial(k, MG_KX_LOCAL_ID), num(k, 0));
    post(l, block_if(k, block, is_one), add(k, at->first, at->number), total);
    if (!l->blocks)
        return total_of(l, block, at->first, at->number);
    const MgKx *place = named(k, block, "place", modulo(k, at->number, l->items));
    const MgKx *before = named(k, block, "blocks", over(k, at->number, l->items));
    const MgKx *from = add(k, at->first, sub(k, at->number, place));
    const MgKx *near = total_of(l, block, from, place);
    const MgKx *blocks = add(k, l->all, times(k, at->row, l->blocks));
    blocks = named(k, block, "first", blocks);
    const MgKx *is_last = equal(k, place, num(k, l->items - 1));
    post(l, block_if(k, block, both(k, is_one, is_last)), add(k, blocks, before),
         mg_reduce_step(k, l->reducer, near, total));
    return mg_reduce_step(k, l->reducer, total_of(l, block, blocks, before), near);
}
