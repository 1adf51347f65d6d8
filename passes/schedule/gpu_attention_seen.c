// Keys that no row of a group's block sees, on a GPU (attention_seen.c): its loop over blocks of
// keys ends before them.
//
// They are not left out: 0 times an infinite or NaN value is NaN. So a phase before the others sums
// 0 times the values of each block, and of all blocks from each one on, and a group's results begin
// with the sums of the blocks behind its own. That reads the values once more for each batch, where
// the other phase reads them for each block of rows.
#include "passes/schedule/gpu_attention_units.h"
#include "passes/schedule/gpu_attention_words.h"
#include "passes/schedule/words.h"

static MgIx blocks_of(MgAttnUnits *u) {
    MgIxTable *table = u->g.t.s->ix;
    return mg_attn_div_up(table, u->g.t.keys, mg_ix_const(table, u->keys));
}

// Sums of so many blocks of each batch.
static MgKBufId make_sums(MgAttnUnits *u, const char *name, MgIx blocks) {
    MgAttn *t = &u->g.t;
    MgIxTable *table = t->s->ix;
    MgIx count = mg_ix_mul(table, blocks, mg_ix_const(table, u->g.columns));
    const MgKx *base;
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (t->a->batch >> i & 1)
            count = mg_ix_mul(table, count, t->a->extent[i]);
    return mg_kb_scratch(&t->kb, name, MG_F32, mg_bound_of(t->s, count), MG_SCOPE_CALL, &base);
}

void mg_attn_find_seen(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgIxTable *table = t->s->ix;
    t->nv = (uint32_t)u->rows; // of a group's block, which sees keys as a strip does
    mg_attention_find_seen(t);
    if (!t->seen)
        return;
    u->behind_parts = make_sums(u, "nothings", blocks_of(u));
    u->behind = make_sums(u, "behind", mg_ix_add(table, blocks_of(u), mg_ix_const(table, 1)));
}

// Stores the sum of the terms that `body` adds to a vector, one for each trip from low to high.
typedef const MgKx *TermFn(MgAttnUnits *u, MgKBlock *b, const MgKx *i, const MgKx *column,
                           const MgKx *base);
static void sum_terms(MgAttnUnits *u, MgKBlock *b, const MgKx *low, const MgKx *high,
                      const MgKx *column, const MgKx *base, TermFn *term, MgKBufId to,
                      const MgKx *at) {
    MgKernel *k = u->g.t.kb.k;
    MgKType vector = mg_kt(MG_F32, MG_UNITS_LANES);
    MgKBufId sum = mg_kb_private(&u->g.t.kb, "sum", vector, 1);
    mg_kstore(k, b, sum, num(k, 0), mg_kfloat(k, vector, 0), NULL);
    MgKs *loop = mg_kfor(k, b, MG_LOOP_SERIAL, "i", low, high, 1);
    MgKBlock *in = &loop->body;
    const MgKx *x = term(u, in, mg_kvar(k, loop->var), column, base);
    mg_kstore(k, in, sum, num(k, 0), add(k, kept(&u->g, sum, 0, MG_UNITS_LANES), x), NULL);
    mg_kstore(k, b, to, at, kept(&u->g, sum, 0, MG_UNITS_LANES), NULL);
}

static const MgKx *nothing_of_value(MgAttnUnits *u, MgKBlock *b, const MgKx *key,
                                    const MgKx *column, const MgKx *base) {
    MgKernel *k = u->g.t.kb.k;
    (void)base;
    const MgKx *x = let(&u->g, b, mg_attn_units_vector(u, b, &u->v, key, column, NULL));
    x = mg_kcast(k, MG_PRIM_CAST, MG_F32, x);
    return let(&u->g, b, mg_kmul(k, x, mg_kfloat(k, x->type, 0)));
}

static const MgKx *sum_of_block(MgAttnUnits *u, MgKBlock *b, const MgKx *block, const MgKx *column,
                                const MgKx *base) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *at = add(k, times(k, add(k, base, block), u->g.columns), column);
    return load(&u->g, b, u->behind_parts, at, MG_UNITS_LANES);
}

// A group for each vector of columns of each batch, and an item for each block.
void mg_attn_sum_unseen(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    int64_t vectors = u->g.columns / MG_UNITS_LANES;
    const MgKx *keys = ix(&u->g, t->keys), *blocks = ix(&u->g, blocks_of(u));
    const MgKx *groups = times(k, mg_attention_batches(t), vectors);
    k->groups = bin(k, MG_PRIM_MAX, k->groups, groups);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_GROUP, "vector", num(k, 0), groups, 1);
    MgKBlock *b = &loop->body;
    const MgKx *vector = mg_kvar(k, loop->var);
    const MgKx *column = bin(k, MG_PRIM_FMOD, vector, num(k, vectors));
    column = let(&u->g, b, times(k, column, MG_UNITS_LANES));
    const MgKx *batch = let(&u->g, b, bin(k, MG_PRIM_FDIV, vector, num(k, vectors)));
    mg_attention_batch(t, b, batch);
    const MgKx *base = let(&u->g, b, mg_kmul(k, batch, blocks));
    loop = mg_kfor(k, b, MG_LOOP_SERIAL, "block", u->g.me, blocks, u->items);
    const MgKx *block = mg_kvar(k, loop->var);
    const MgKx *low = let(&u->g, &loop->body, times(k, block, u->keys));
    const MgKx *high = bin(k, MG_PRIM_MIN, keys, add(k, low, num(k, u->keys)));
    const MgKx *to = add(k, times(k, add(k, base, block), u->g.columns), column);
    sum_terms(u, &loop->body, low, let(&u->g, &loop->body, high), column, base, nothing_of_value,
              u->behind_parts, to);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    loop = mg_kfor(k, b, MG_LOOP_SERIAL, "block", u->g.me, add(k, blocks, num(k, 1)), u->items);
    block = mg_kvar(k, loop->var);
    to = times(k, add(k, add(k, base, batch), block), u->g.columns); // one more of each batch
    sum_terms(u, &loop->body, block, blocks, column, base, sum_of_block, u->behind,
              add(k, to, column));
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
}

const MgKx *mg_attn_seen_blocks(MgAttnUnits *u, MgKBlock *b, const MgKx *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    if (t->seen)
        keys = mg_attention_seen(t, b, u->g.first);
    // Rows that see no key are computed with the first ones.
    return let(&u->g, b, bin(k, MG_PRIM_MAX, mg_kceil_div(k, keys, u->keys), num(k, 1)));
}

void mg_attn_begin_behind(MgAttnUnits *u, MgKBlock *b, const MgKx *batch, const MgKx *blocks) {
    static const uint8_t both[] = {0, 1, 0, 1};
    MgKernel *k = u->g.t.kb.k;
    const MgKx *all = ix(&u->g, blocks_of(u));
    const MgKx *row = add(k, mg_kmul(k, batch, add(k, all, num(k, 1))), blocks);
    const MgKx *at = let(&u->g, b, add(k, times(k, row, u->g.columns), times(k, u->quarter, 2)));
    uint32_t across = (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS;
    for (uint32_t j = 0; j < across; j++) {
        const MgKx *x = load(&u->g, b, u->behind, add(k, at, num(k, j * MG_PRODUCT_COLUMNS)), 2);
        x = let(&u->g, b, mg_kpermute(k, x, NULL, both, MG_QUAD));
        for (uint32_t i = 0; i < u->parts; i++)
            mg_kstore(k, b, u->g.sums, num(k, i * across + j), x, NULL);
    }
}
