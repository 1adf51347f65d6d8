// Kernels of the builtins, which no equation expresses. One worker runs the sequential ones; sorts
// share out rows. A GPU has a sort of its own (gpu/sort.c).
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

typedef struct Build {
    MgSched *s;
    MgKb *kb;
    MgKernel *k;
    MgOpId op;
} Build;

static const MgKx *ix(Build *b, MgIx x) {
    return mg_kb_ix(b->kb, x, NULL);
}

static const MgKx *get(Build *b, MgKBufId buf, const MgKx *index) {
    return loaded(b->k, buf, index, 1);
}

static MgKBufId counter(Build *b, MgKBlock *block, const char *name, const MgKx *start) {
    return mg_kb_held(b->kb, block, name, start);
}

static const MgKx *count_of(Build *b, MgKBlock *block, MgKBufId buf) {
    return named(b->k, block, "n", held(b->k, buf));
}

static MgKBufId dims_buffer(Build *b) {
    MgIxSym sym = mg_op(b->s->g, b->op)->dim;
    const MgKx *slot = num(b->s->p->plan, (int64_t)mg_dim_slot(b->s, sym) * 8);
    return mg_kb_extra(b->kb, "size", MG_I64, b->s->draft->dims.storage, slot, true, true);
}

static MgIx int_attr(Build *b, const char *name, int64_t otherwise) {
    const MgAttr *a = mg_attr(b->s->g, mg_op(b->s->g, b->op), name);
    return a ? a->ix : mg_ix_const(b->s->ix, otherwise);
}

static bool flag(Build *b, const char *name) {
    const MgAttr *a = mg_attr(b->s->g, mg_op(b->s->g, b->op), name);
    return a && a->b;
}

// ---------------------------------------------------------------- argsort
// A row in scratch memory: positions, and the elements there, which runs are merged by.
typedef struct Side {
    MgKBufId at;
    const MgKx *base;
} Side;

typedef struct Sort {
    Build *b;
    MgKBufId x;
    Side order, keys; // each has two rows, from and to which runs are merged in turn
    const MgKx *x_base, *stride, *n;
    MgDType dtype;
    bool descending;
} Sort;

static Side two_rows(Build *b, const char *name, MgDType dtype, MgIx n) {
    Side side;
    side.at = mg_kb_scratch(b->kb, name, dtype, mg_ix_mul(b->s->ix, n, mg_ix_const(b->s->ix, 2)),
                            MG_SCOPE_WORKER, &side.base);
    if (!side.base)
        side.base = num(b->k, 0);
    return side;
}

static const MgKx *get_from(Build *b, Side side, const MgKx *index) {
    return get(b, side.at, add(b->k, side.base, index));
}

static void put_into(Build *b, MgKBlock *block, Side side, const MgKx *index, const MgKx *x) {
    store(b->k, block, side.at, add(b->k, side.base, index), x);
}

// Must the key of the right run go before that of the left? It must only if it is strictly better.
static const MgKx *goes_first(Sort *st, MgKBlock *block, const MgKx *right, const MgKx *left) {
    Build *b = st->b;
    MgDType compute = mg_dtype(st->dtype)->compute;
    if (compute != st->dtype) {
        right = named(b->k, block, "right", cast(b->k, compute, right));
        left = named(b->k, block, "left", cast(b->k, compute, left));
    }
    const MgKx *better = bin(b->k, st->descending ? MG_PRIM_GT : MG_PRIM_LT, right, left);
    if (!mg_is_float(st->dtype))
        return better;
    const MgKx *left_nan = un(b->k, MG_PRIM_ISNAN, left);
    const MgKx *right_ok = un(b->k, MG_PRIM_NOT, un(b->k, MG_PRIM_ISNAN, right));
    return either(b->k, better, both(b->k, left_nan, right_ok));
}

// Merges [low, mid) and [mid, high) of the row at `from` into the row at `to`.
static void merge_runs(Sort *st, MgKBlock *block, const MgKx *low, const MgKx *mid,
                       const MgKx *high, const MgKx *from, const MgKx *to) {
    Build *b = st->b;
    MgKernel *k = b->k;
    MgKBufId i = counter(b, block, "i", low), j = counter(b, block, "j", mid);
    Loop loop = each_from(k, block, "k", low, high, 1);
    const MgKx *left = count_of(b, loop.body, i), *right = count_of(b, loop.body, j);
    const MgKx *has_left = less(b->k, left, mid), *has_right = less(b->k, right, high);
    // Positions past a run's end are clamped: the values read there are not used.
    const MgKx *last = minus(k, st->n, 1);
    const MgKx *p = named(k, loop.body, "p", add(k, from, least(b->k, left, last)));
    const MgKx *q = named(k, loop.body, "q", add(k, from, least(b->k, right, last)));
    const MgKx *key = named(k, loop.body, "key", get_from(b, st->keys, p)),
               *other = named(k, loop.body, "other", get_from(b, st->keys, q));
    const MgKx *take_right =
        both(b->k, has_right,
             either(b->k, un(k, MG_PRIM_NOT, has_left), goes_first(st, loop.body, other, key)));
    take_right = named(k, loop.body, "take_right", take_right);
    const MgKx *one = num(k, 1), *place = add(k, to, loop.at);
    put_into(b, loop.body, st->keys, place, where(k, take_right, other, key));
    put_into(b, loop.body, st->order, place,
             where(k, take_right, get_from(b, st->order, q), get_from(b, st->order, p)));
    set_held(b->k, loop.body, i, where(k, take_right, left, add(k, left, one)));
    set_held(b->k, loop.body, j, where(k, take_right, add(k, right, one), right));
}

// Bottom-up merge sort of one row; returns where the sorted row begins.
static const MgKx *sort_row(Sort *st, MgKBlock *block) {
    Build *b = st->b;
    MgKernel *k = b->k;
    const MgKx *zero = num(k, 0);
    Loop init = each_of(k, block, "i", st->n);
    put_into(b, init.body, st->order, init.at, init.at);
    put_into(b, init.body, st->keys, init.at,
             get(b, st->x, add(k, st->x_base, mul(k, init.at, st->stride))));
    MgKBufId width = counter(b, block, "width", num(k, 1)), side = counter(b, block, "side", zero);
    MgKs *passes = mg_kwhile(k, block, less(b->k, held(k, width), st->n));
    MgKBlock *body = &passes->body;
    const MgKx *w = count_of(b, body, width), *from = count_of(b, body, side);
    const MgKx *to = named(k, body, "to", sub(k, st->n, from)); // 0 <-> n
    const MgKx *pair = named(k, body, "pair", add(k, w, w));
    const MgKx *pairs = quotient(b->k, add(k, st->n, minus(k, pair, 1)), pair);
    Loop each = each_of(k, body, "run", pairs);
    const MgKx *low = named(k, each.body, "low", mul(k, each.at, pair));
    const MgKx *mid = named(k, each.body, "mid", least(b->k, add(k, low, w), st->n));
    const MgKx *high = named(k, each.body, "high", least(b->k, add(k, low, pair), st->n));
    merge_runs(st, each.body, low, mid, high, from, to);
    set_held(b->k, body, side, to);
    set_held(b->k, body, width, pair);
    return count_of(b, block, side);
}

static void build_argsort(Build *b) {
    MgSched *s = b->s;
    MgKernel *k = b->k;
    const MgOp *op = mg_op(s->g, b->op);
    const MgValue *x = mg_value(s->g, op->operands[0]);
    int64_t axis = mg_ix_const_or(s->ix, int_attr(b, "axis", -1), -1);
    if (axis < 0)
        axis += x->rank;
    MgIx n = x->shape[axis];
    MgIx outer = mg_ix_product(s->ix, x->shape, (uint32_t)axis);
    MgIx inner = mg_ix_product(s->ix, x->shape + axis + 1, x->rank - (uint32_t)axis - 1);
    if (s->options->target.gpu && s->options->target.max_items >= MG_TOGETHER) {
        mg_gpu_sort(b->kb, &(MgGpuSort){.x = mg_kb_value(b->kb, op->operands[0]),
                                        .result = mg_kb_value(b->kb, op->results[0]),
                                        .dtype = x->dtype,
                                        .outer = outer,
                                        .n = n,
                                        .inner = inner,
                                        .descending = flag(b, "descending")});
        return;
    }
    Sort st = {.b = b, .dtype = x->dtype, .descending = flag(b, "descending")};
    st.order = two_rows(b, "order", MG_I64, n);
    st.keys = two_rows(b, "keys", x->dtype, n);
    st.x = mg_kb_value(b->kb, op->operands[0]);
    st.n = ix(b, n);
    st.stride = ix(b, inner);
    Loop rows = share_out(k, &k->body, "row", ix(b, mg_ix_mul(s->ix, outer, inner)));
    const MgKx *o = quotient(b->k, rows.at, st.stride), *i = remainder_of(b->k, rows.at, st.stride);
    st.x_base = named(k, rows.body, "base", add(k, mul(k, mul(k, o, st.n), st.stride), i));
    const MgKx *sorted = sort_row(&st, rows.body);
    Loop out = each_of(k, rows.body, "i", st.n);
    const MgKx *at = add(k, st.x_base, mul(k, out.at, st.stride));
    store(k, out.body, mg_kb_value(b->kb, op->results[0]), at,
          get_from(b, st.order, add(k, sorted, out.at)));
}

// ---------------------------------------------------------------- nonzero
static const MgKx *is_nonzero(Build *b, MgKBufId x, MgDType dtype, const MgKx *i) {
    const MgKx *v = get(b, x, i);
    if (dtype == MG_BOOL)
        return v;
    MgDType compute = mg_dtype(dtype)->compute;
    if (compute != dtype)
        v = cast(b->k, compute, v);
    return bin(b->k, MG_PRIM_NE, v, mg_kconst(b->k, mg_kt(compute, 1), 0));
}

static void build_nonzero(Build *b) {
    MgSched *s = b->s;
    MgKernel *k = b->k;
    const MgOp *op = mg_op(s->g, b->op);
    const MgValue *x = mg_value(s->g, op->operands[0]);
    MgKBufId from = mg_kb_value(b->kb, op->operands[0]), to = mg_kb_value(b->kb, op->results[0]);
    MgKBufId size = dims_buffer(b);
    MgKBlock *block = mg_kb_alone(b->kb, &k->body);
    const MgKx *zero = num(k, 0), *one = num(k, 1),
               *n = ix(b, mg_value_elements(s->g, op->operands[0]));
    MgKBufId found = counter(b, block, "found", zero), at = counter(b, block, "at", zero);
    Loop count = each_of(k, block, "i", n);
    MgKs *hit = mg_kif(k, count.body, is_nonzero(b, from, x->dtype, count.at));
    set_held(b->k, &hit->body, found, add(k, held(k, found), one));
    const MgKx *total = count_of(b, block, found); // the row stride of the result
    store(k, block, size, zero, total);
    Loop write = each_of(k, block, "i", n);
    hit = mg_kif(k, write.body, is_nonzero(b, from, x->dtype, write.at));
    const MgKx *left = write.at, *place = count_of(b, &hit->body, at);
    for (uint32_t r = x->rank; r-- > 0;) {
        const MgKx *extent = ix(b, x->shape[r]);
        const MgKx *row = add(k, mul(k, num(k, r), total), place);
        store(k, &hit->body, to, row, remainder_of(b->k, left, extent));
        left = named(k, &hit->body, "left", quotient(b->k, left, extent));
    }
    set_held(b->k, &hit->body, at, add(k, place, one));
}

// ---------------------------------------------------------------- random bits
static const MgKx *u32c(Build *b, uint32_t v) {
    return mg_kconst(b->k, mg_kt(MG_U32, 1), v);
}

// Philox 4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011.
static void philox(Build *b, MgKBlock *block, const MgKx *counter64, const MgKx *seed,
                   const MgKx *c[4]) {
    MgKernel *k = b->k;
    const MgKx *thirty_two = mg_kconst(k, mg_kt(MG_U64, 1), 32);
    c[0] = cast(k, MG_U32, counter64);
    c[1] = cast(k, MG_U32, bin(k, MG_PRIM_SHR, counter64, thirty_two));
    c[2] = c[3] = u32c(b, 0);
    const MgKx *key[2] = {cast(k, MG_U32, seed),
                          cast(k, MG_U32, bin(b->k, MG_PRIM_SHR, seed, thirty_two))};
    for (int round = 0; round < 10; round++) {
        const MgKx *product[2];
        static const uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u},
                              weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
        for (int i = 0; i < 2; i++)
            product[i] = named(
                k, block, "product",
                mul(k, cast(k, MG_U64, c[2 * i]), mg_kconst(k, mg_kt(MG_U64, 1), multiplier[i])));
        const MgKx *high[2], *low[2];
        for (int i = 0; i < 2; i++) {
            high[i] = cast(k, MG_U32, bin(b->k, MG_PRIM_SHR, product[i], thirty_two));
            low[i] = cast(k, MG_U32, product[i]);
        }
        const MgKx *next[4] = {
            bin(b->k, MG_PRIM_XOR, bin(b->k, MG_PRIM_XOR, high[1], c[1]), key[0]), low[1],
            bin(b->k, MG_PRIM_XOR, bin(b->k, MG_PRIM_XOR, high[0], c[3]), key[1]), low[0]};
        for (int i = 0; i < 4; i++)
            c[i] = named(k, block, "c", next[i]);
        for (int i = 0; i < 2; i++)
            key[i] = named(k, block, "key", add(k, key[i], u32c(b, weyl[i])));
    }
}

static void build_random_bits(Build *b) {
    MgSched *s = b->s;
    MgKernel *k = b->k;
    const MgOp *op = mg_op(s->g, b->op);
    const MgKx *n = ix(b, mg_value_elements(s->g, op->results[0]));
    MgKBlock *block = &k->body;
    const MgKx *seed = named(k, block, "seed", held(k, mg_kb_value(b->kb, op->operands[0])));
    const MgKx *i = mg_kb_share(b->kb, &block, "i", n), *words[4];
    philox(b, block, cast(k, MG_U64, i), seed, words);
    store(k, block, mg_kb_value(b->kb, op->results[0]), i, words[0]);
}

static void build_random_keeps(Build *b) {
    MgSched *s = b->s;
    MgKernel *k = b->k;
    const MgOp *op = mg_op(s->g, b->op);
    MgIx size = mg_value_elements(s->g, op->results[0]);
    int64_t each = flag(b, "together") ? 4 : 1; // elements that have the bits of one counter
    const MgKx *n = ix(b, size), *words[4];
    const MgKx *ratio = named(k, &k->body, "ratio", held(k, mg_kb_value(b->kb, op->operands[0])));
    const MgKx *seed = named(k, &k->body, "seed", held(k, mg_kb_value(b->kb, op->operands[1])));
    MgKBlock *block = &k->body;
    const MgKx *i = mg_kb_share(b->kb, &block, "i", each > 1 ? mg_kceil_div(k, n, each) : n);
    philox(b, block, cast(k, MG_U64, i), seed, words);
    bool whole = each == 1 || mg_ix_const_or(s->ix, size, 1) % each == 0;
    for (int64_t w = 0; w < each; w++) {
        const MgKx *at = plus(k, times(k, i, each), w);
        const MgKx *u = cast(k, MG_F32, bin(k, MG_PRIM_SHR, words[w], u32c(b, 8)));
        u = mul(k, u, mg_kfloat(k, mg_kt(MG_F32, 1), 0x1p-24));
        MgKBlock *inside = whole ? block : block_if(k, block, less(k, at, n));
        store(k, inside, mg_kb_value(b->kb, op->results[0]), at, bin(k, MG_PRIM_GE, u, ratio));
    }
}

void mg_nms_build(MgKb *kb, MgOpId op);

static void build_nms(Build *b) {
    mg_nms_build(b->kb, b->op);
}

bool mg_schedule_builtin(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    static void (*const build[MG_BUILTIN_COUNT])(Build *) = {
        [MG_BUILTIN_ARGSORT] = build_argsort,
        [MG_BUILTIN_NONZERO] = build_nonzero,
        [MG_BUILTIN_NON_MAX_SUPPRESSION] = build_nms,
        [MG_BUILTIN_RANDOM_BITS] = build_random_bits,
        [MG_BUILTIN_RANDOM_KEEPS] = build_random_keeps,
    };
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    if (unit->n_ops != 1 || op->kind != MG_OP_BUILTIN)
        return false;
    MgKb kb;
    mg_kb_begin(&kb, s, unit, mg_builtin(op->builtin)->name);
    Build b = {s, &kb, kb.k, unit->ops[0]};
    build[op->builtin](&b);
    mg_kb_end(&kb, plan, unit->ops[0]);
    return true;
}

// ---------------------------------------------------------------- a value becomes a dimension
void mg_schedule_size(MgSched *s, MgOpId id, MgKBlock *plan) {
    const MgOp *op = mg_op(s->g, id);
    MgUnit unit = {.ops = &id, .n_ops = 1, .outputs = op->operands};
    MgKb kb;
    mg_kb_begin(&kb, s, &unit, "size");
    Build b = {s, &kb, kb.k, id};
    MgKBufId size = dims_buffer(&b);
    MgKBlock *block = mg_kb_alone(&kb, &kb.k->body);
    const MgKx *zero = num(kb.k, 0);
    const MgKx *v = named(kb.k, block, "v", held(kb.k, mg_kb_value(&kb, op->operands[0])));
    MgIx high = mg_bound_of(s, mg_ix_sym(s->ix, op->dim));
    const MgKx *most = ix(&b, high);
    const MgKx *bad = either(kb.k, less(kb.k, v, zero), bin(kb.k, MG_PRIM_GT, v, most));
    const char *what = mg_arena_printf(
        s->arena, "size %s", mg_name(s->m->session->names, mg_ix_sym_name(s->ix, op->dim)));
    mg_ktrap(kb.k, block_if(kb.k, block, bad), mg_kb_trap_outside(&kb, id, what, high), v);
    const MgKx *clamped = greatest(kb.k, least(kb.k, v, most), zero);
    store(kb.k, block, size, zero, clamped);
    unit.n_outputs = 1;
    mg_kb_end(&kb, plan, id);
}
