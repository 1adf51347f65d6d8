// The stages of a contraction's tile on a GPU: in which vectors its factors come from memory, where
// they lie in local memory, and how they get there.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

// The elements of the widest vectors of a stage: 16 bytes for the matrix units.
static uint32_t widest(const MgGpuGemm *gg, const MgStage *st) {
    return gg->t.tensor ? 16 / (uint32_t)mg_dtype_size(st->type) : MG_QUAD;
}

// The last index of k, along which runs lie.
static uint32_t last_of_k(const MgGpuGemm *gg) {
    return gg->g.k.index[gg->g.k.n - 1];
}

static int64_t run_of(const MgGpuGemm *gg) {
    return mg_ix_const_or(gg->g.s->ix, gg->g.piece->indices[last_of_k(gg)].high, -1);
}

// Takes vectors along the last index of k, if all reads run along it in whole vectors of the widest
// kind.
static bool find_runs(MgGpuGemm *gg, MgStage *st) {
    MgIx with[MG_GEMM_SYMS];
    uint32_t lanes = widest(gg, st);
    int64_t run = run_of(gg);
    if (run <= 0 || run % lanes || gg->g.k.known <= 0 || gg->t.depth % lanes ||
        !mg_gemm_runs(&gg->g, st->factor, &gg->g.k, with))
        return false;
    st->along_depth = true;
    st->lanes = lanes;
    st->runs = mg_arena_copy(gg->g.s->arena, with, MG_GEMM_SYMS, sizeof *with);
    return true;
}

// Chooses vectors of memory along the symbol along which most reads are contiguous; only whole
// vectors. Returns whether the factor is stored in the wrong order.
static bool find_lanes(MgGpuGemm *gg, MgStage *st) {
    MgStrides x = mg_gemm_strides(&gg->g, st->factor, st->sym);
    MgStrides k = mg_gemm_strides(&gg->g, st->factor, MG_GEMM_K);
    st->along_depth = k.straight > x.straight;
    const MgStrides *along = st->along_depth ? &k : &x;
    int64_t known = st->along_depth ? gg->g.k.known : mg_gpu_class_of(gg, st)->known;
    int64_t run = st->along_depth ? gg->t.depth : st->size;
    uint32_t lanes = widest(gg, st);
    while (lanes > MG_QUAD && (known % lanes || run % lanes))
        lanes /= 2;
    bool whole =
        along->straight && !along->other && known > 0 && known % lanes == 0 && run % lanes == 0;
    st->lanes = whole ? lanes : 1;
    if (!whole && gg->t.tensor)
        whole = find_runs(gg, st);
    return !whole || (st->along_depth && st->word == 1 && !mg_gpu_is_wide(&gg->t));
}

// Must squares of the stage's vectors be transposed? Lines of a wide product's factor run along the
// depth, unless its elements have 16 bits.
static bool must_turn(const MgGpuGemm *gg, const MgStage *st) {
    return mg_gpu_is_wide(&gg->t) && !st->along_depth && st->word != 2;
}

// Chooses the vectors that go to local memory. Returns whether they come from memory so.
static bool choose_lanes(MgGpuGemm *gg, MgStage *st, MgGpuPacking packing) {
    bool wrong = find_lanes(gg, st), turned = must_turn(gg, st) && st->word > 1;
    if (packing == MG_GPU_PACKED_AHEAD || (packing && (wrong || turned)))
        mg_gpu_stage_find_pack(gg, st, packing);
    return !wrong || st->pack.used;
}

// Rows that are loaded along the depth stay lines if an item's registers have room for a vector of
// each: no store is split, and a warp reads whole lines from memory.
static bool stays_lines(const MgGpuGemm *gg, const MgStage *st) {
    const MgTiling *t = &gg->t;
    return st->sym == MG_GEMM_M && st->along_depth && st->lanes == MG_QUAD && t->slices > 1 &&
           t->item_columns == MG_QUAD && mg_gpu_items_down(gg) % MG_QUAD == 0 &&
           t->depth / t->slices % MG_TILE_STEPS == 0;
}

static MgStage stage_of(const MgGpuGemm *gg, const MgSx *factor, uint32_t sym, int64_t size) {
    const MgAtomRow *atom = mg_atom(gg->atom);
    MgStage st = {.factor = factor, .sym = sym, .type = gg->g.type, .word = 1, .size = size};
    if (gg->t.tensor) {
        st.type = sym == MG_GEMM_M ? atom->row : atom->column;
        st.word = mg_atom_per_word(gg->atom);
    }
    return st;
}

bool mg_gpu_may_be_wide(MgGpuGemm *gg) {
    MgStage stages[] = {stage_of(gg, gg->g.row.x, MG_GEMM_M, gg->t.rows),
                        stage_of(gg, gg->g.column.x, MG_GEMM_N, gg->t.columns)};
    bool may = true;
    for (uint32_t i = 0; i < 2; i++) {
        bool right = choose_lanes(gg, &stages[i], gg->packing[i]);
        may &= right && stages[i].lanes == widest(gg, &stages[i]);
    }
    return may;
}

static void derive_stage(MgGpuGemm *gg, MgStage *st, MgGpuPacking packing) {
    choose_lanes(gg, st, packing);
    st->in_lines = gg->t.tensor ? st->along_depth : stays_lines(gg, st);
    bool joins = !st->along_depth && st->lanes > 1 && !mg_gpu_is_wide(&gg->t);
    st->turns = must_turn(gg, st);
    if (mg_gpu_is_wide(&gg->t))
        st->lies = st->along_depth || st->turns ? MG_LIES_IN_LINES : MG_LIES_ACROSS;
    st->joined = st->turns ? st->lanes : joins ? (uint32_t)st->word : 1;
    st->step = gg->t.depth;
    int64_t vectors = st->size * gg->t.depth / st->lanes / st->joined;
    st->round.n = (uint32_t)mg_ceil_div(vectors, gg->items) * st->joined;
}

void mg_gpu_gemm_derive(MgGpuGemm *gg) {
    const MgTiling *t = &gg->t;
    gg->across = t->columns / t->item_columns;
    gg->each = t->rows / t->item_rows * gg->across * mg_gpu_together(t);
    gg->items = gg->each * t->slices;
    gg->row = stage_of(gg, gg->g.row.x, MG_GEMM_M, t->rows);
    gg->column = stage_of(gg, gg->g.column.x, MG_GEMM_N, t->columns);
    derive_stage(gg, &gg->row, gg->packing[0]);
    derive_stage(gg, &gg->column, gg->packing[1]);
    mg_gpu_find_boxes(gg);
}

void mg_gpu_stages_pack(MgGpuGemm *gg, MgKBlock *plan) {
    if (gg->row.pack.used)
        mg_gpu_stage_pack(gg, &gg->row, plan);
    if (gg->column.pack.used)
        mg_gpu_stage_pack(gg, &gg->column, plan);
}

// Registers for the next block of a wide product's stage: elements as they are loaded.
static MgKBufId alloc_next(MgGpuGemm *gg, const MgStage *st) {
    return mg_kb_private(&gg->g.kb, "next", mg_kt(st->type, st->lanes), st->round.n);
}

static MgKBufId alloc_local(MgGpuGemm *gg, const char *name, MgDType type, int64_t count) {
    return mg_gpu_local(gg->g.kb.k, name, mg_kt(type, 1), count);
}

// The sums of slices share the memory of both factors, if they have their type.
void mg_gpu_stages_place(MgGpuGemm *gg) {
    const MgTiling *t = &gg->t;
    int64_t most = gg->g.s->options->target.local_bytes / (int64_t)mg_dtype_size(gg->g.type), count;
    for (int64_t gap = MG_QUAD;;
         gap = 0) { // transposed stores of neighbouring items access one bank
        gg->row.pitch = gg->row.size + (gg->row.along_depth && !gg->row.in_lines ? gap : 0);
        gg->column.pitch = gg->column.size + (gg->column.along_depth ? gap : 0);
        gg->row.tile = gg->row.pitch * t->depth;
        gg->column.tile = gg->column.pitch * t->depth;
        if (t->tensor) {
            mg_gpu_tensor_lay(gg, &gg->row);
            mg_gpu_tensor_lay(gg, &gg->column);
        }
        int64_t slots = mg_gpu_is_wide(t) ? mg_gpu_slots(gg) : 2;
        gg->column.place = slots * gg->row.tile;
        count = gg->column.place + slots * gg->column.tile;
        if (!gap || count <= most)
            break;
    }
    int64_t sums = (int64_t)t->rows * t->columns * t->slices;
    uint32_t most_phases = mg_gpu_sums(t) < t->item_rows ? mg_gpu_sums(t) : t->item_rows;
    for (gg->phases = 1; sums / gg->phases > count / gg->row.word && gg->phases < most_phases;)
        gg->phases *= 2;
    sums /= gg->phases;
    bool one = t->slices > 1 && gg->row.type == gg->g.type;
    if (one) {
        gg->meet = alloc_local(gg, "tile", gg->g.type, count > sums ? count : sums);
        gg->row.buf = gg->column.buf = gg->meet;
        return;
    }
    gg->row.buf = alloc_local(gg, "rows", gg->row.type, gg->column.place);
    gg->column.buf = alloc_local(gg, "columns", gg->column.type, count - gg->column.place);
    gg->column.place = 0;
    if (mg_gpu_is_wide(t)) {
        gg->row.next = gg->boxes.used ? 0 : alloc_next(gg, &gg->row);
        gg->column.next = gg->boxes.used ? 0 : alloc_next(gg, &gg->column);
        gg->g.kb.k->bufs.at[gg->row.buf].align = MG_LINES_BYTES;
        gg->g.kb.k->bufs.at[gg->column.buf].align = MG_LINES_BYTES;
    }
    if (mg_gpu_exchanges(gg))
        sums = mg_gpu_exchange_bytes(gg) / (int64_t)mg_dtype_size(gg->g.type);
    if (t->slices > 1 || mg_gpu_exchanges(gg))
        gg->meet = alloc_local(gg, "meet", gg->g.type, sums);
}

const MgKx *mg_gpu_turned_by(MgGpuGemm *gg, const MgKx *vector, const MgKx *row) {
    MgKernel *k = gg->g.kb.k;
    return add(k, vector, modulo(k, row, MG_QUAD));
}

// An item's vectors: along the contiguous run in memory, and across.
typedef struct Round {
    const MgKx *own; // NULL: all items have one
    const MgKx *fast, *slow;
} Round;

// Squares that are transposed on their way to lines: neighbouring items have squares one after
// another along the depth, so that the pieces that they store at once are in different banks.
static Round turned_round(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *v,
                          const MgKx *own) {
    enum { BANKS = MG_LINE_BYTES / MG_PIECE_BYTES };
    MgKernel *k = gg->g.kb.k;
    int64_t beside = st->lanes < BANKS ? BANKS / st->lanes : 1, deep = gg->t.depth / st->joined;
    const MgKx *low = modulo(k, v, beside);
    const MgKx *left = over(k, v, beside);
    const MgKx *slow = modulo(k, left, deep);
    const MgKx *fast = add(k, times(k, over(k, left, deep), beside), low);
    return (Round){own, named(k, block, "fast", fast), named(k, block, "slow", slow)};
}

// The item's vectors in round q; `first` are those of round 0.
static Round round_at(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t q,
                      const Round *first) {
    MgKernel *k = gg->g.kb.k;
    int64_t vectors = st->size * gg->t.depth / st->lanes / st->joined;
    int64_t run = (st->along_depth ? gg->t.depth : st->size) / st->lanes; // contiguous vectors
    bool pairs = st->along_depth && !st->in_lines && run % 2 == 0 && run > 4;
    const MgKx *v = plus(k, gg->item.number, (int64_t)q * gg->items), *own = NULL;
    if ((int64_t)(q + 1) * gg->items > vectors) {
        own = named(k, block, "own", less(k, v, num(k, vectors)));
        v = named(k, block, "v", least(k, v, num(k, vectors - 1)));
    }
    const MgKx *fast = modulo(k, v, run);
    const MgKx *slow = over(k, v, run);
    if (st->turns)
        return turned_round(gg, block, st, v, own);
    if (pairs) { // two vectors of a run next to each other, then the next position
        const MgKx *low = modulo(k, v, 2);
        slow = over(k, v, 2);
        fast = over(k, slow, st->size);
        fast = add(k, times(k, fast, 2), low);
        slow = modulo(k, slow, st->size);
    }
    if (!pairs && gg->items % run == 0 && q && !own) { // whole runs later
        fast = first->fast;
        slow = plus(k, first->slow, (int64_t)q * gg->items / run);
    }
    fast = named(k, block, "fast", fast);
    return (Round){own, fast, named(k, block, "slow", slow)};
}

// The element of local memory for position x of the tile at a depth, if the stage is not stored as
// lines. Vectors that become words together begin at depth `deep` times their number.
static const MgKx *across_lines(MgGpuGemm *gg, const MgStage *st, const MgKx *x, const MgKx *deep) {
    MgKernel *k = gg->g.kb.k;
    if (st->word == st->joined)
        return add(k, times(k, deep, st->pitch), times(k, x, st->word));
    const MgKx *word = over(k, deep, st->word);
    const MgKx *within = modulo(k, deep, st->word);
    return add(k, add(k, times(k, word, st->pitch), times(k, x, st->word)), within);
}

// The destination of a transposed square's row r: a line below the previous one.
static const MgKx *next_line(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t r) {
    MgKernel *k = gg->g.kb.k;
    uint32_t first = r - r % st->joined;
    const MgKx *x = plus(k, st->round.position[first], r % st->joined);
    return named(k, block, "to", mg_gpu_in_lines(gg, block, st, x, st->round.deep[first]));
}

void mg_gpu_stage_aim(MgGpuGemm *gg, MgKBlock *block, MgStage *st) {
    MgKernel *k = gg->g.kb.k;
    const MgGemmClass *cl = mg_gpu_class_of(gg, st);
    int64_t run = (st->along_depth ? gg->t.depth : st->size) / st->lanes;
    Round first = {0};
    for (uint32_t r = 0; r < st->round.n; r++) {
        if (r % st->joined) { // the next depth of the same positions
            st->round.at[r] = st->round.at[r - 1];
            st->round.deep[r] = plus(k, st->round.deep[r - r % st->joined], r % st->joined);
            if (st->turns)
                st->round.to[r] = next_line(gg, block, st, r);
            continue;
        }
        Round at_r = round_at(gg, block, st, r / st->joined, &first);
        first = r ? first : at_r;
        st->round.own[r] = at_r.own;
        const MgKx *fast = at_r.fast, *slow = at_r.slow;
        const MgKx *turned = modulo(k, mg_gpu_turned_by(gg, fast, slow), run);
        fast = named(k, block, "fast", times(k, fast, st->lanes));
        const MgKx *x = st->along_depth ? slow : fast;
        st->round.deep[r] = st->along_depth ? fast : times(k, slow, st->joined);
        const MgKx *within = gg->t.tensor ? fast : times(k, turned, MG_QUAD); // a line
        const MgKx *to =
            mg_gpu_is_wide(&gg->t) ? mg_gpu_in_lines(gg, block, st, x, st->round.deep[r])
            : st->in_lines         ? add(k, times(k, slow, st->step), within)
                           : across_lines(gg, st, x, st->joined > 1 ? slow : st->round.deep[r]);
        st->round.to[r] = named(k, block, "to", to);
        st->round.position[r] = x;
        const MgKx *at = add(k, st->base, x);
        if (cl->known < 0 || cl->known % st->size) {
            uint32_t lanes = st->along_depth ? 1 : st->lanes;
            const MgKx *last = minus(k, mg_gpu_extent(gg, cl), lanes);
            bool line = st->pack.used && !st->along_depth;
            at = least(k, at, line ? num(k, st->pack.line - lanes) : last);
        }
        st->round.at[r] = named(k, block, "at", at);
    }
}

// Makes the point of a vector that runs along the last index of k. If a run has whole blocks, the
// other indices of k are the same for a block.
static void follow_run(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t r,
                       const MgKx *k0, MgPoint *p) {
    MgGemm *g = &gg->g;
    MgKernel *k = g->kb.k;
    int64_t run = run_of(gg);
    bool whole = run % gg->t.depth == 0;
    const MgKx *left = whole ? k0 : g->at.loop[MG_GEMM_K], *size = num(k, run);
    const MgKx *within = remainder_of(k, left, size);
    g->at.loop[last_of_k(gg)] =
        named(k, block, "within", whole ? add(k, within, st->round.deep[r]) : within);
    left = named(k, block, "left", quotient(k, left, size));
    mg_gpu_class_digits(gg, block, &g->k, g->k.n - 1, left);
    p->with = st->runs;
    p->vector = (int)last_of_k(gg);
}

const MgKx *mg_gpu_stage_vector(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, uint32_t r,
                                const MgKx *k0, const MgKx **inside) {
    MgKernel *k = gg->g.kb.k;
    MgGemm *g = &gg->g;
    bool whole = g->k.known > 0 && g->k.known % gg->t.depth == 0;
    const MgKx *depth =
        st->pack.used && st->along_depth ? num(k, st->pack.line) : mg_gpu_extent(gg, &g->k);
    const MgKx *deep = named(k, block, "k", add(k, k0, st->round.deep[r]));
    uint32_t lanes = st->along_depth ? st->lanes : 1;
    const MgKx *last = minus(k, depth, lanes);
    *inside = NULL;
    if (!whole) {
        *inside = named(k, block, "inside", bin(k, MG_PRIM_LE, deep, last));
        deep = named(k, block, "k", least(k, deep, last));
    }
    g->at.loop[MG_GEMM_K] = deep;
    g->at.loop[st->sym] = st->round.at[r];
    MgPoint p =
        mg_gpu_gemm_point(gg, block, (int)(st->along_depth ? MG_GEMM_K : st->sym), st->lanes);
    if (st->runs)
        follow_run(gg, block, st, r, k0, &p);
    p.bare = mg_gpu_is_wide(&gg->t); // it may become a copy
    const MgKx *line = st->along_depth ? st->round.at[r] : deep,
               *in = st->along_depth ? deep : st->round.at[r];
    const MgKx *x = st->pack.used ? loaded(k, st->pack.buf,
                                           add(k, times(k, line, st->pack.line), in), st->lanes)
                                  : mg_ksplat(k, mg_point_expr(&p, st->factor), st->lanes);
    const MgKx *staged = mg_narrowed(k, x, st->type);
    return staged ? staged : x;
}

const MgKx *mg_gpu_or_zeros(MgKernel *k, const MgKx *inside, const MgKx *x) {
    const MgKx *other, *load = mg_kload_or_0(x, &other);
    if (inside && load && other) { // one condition, so that it may become a copy
        inside = both(k, inside, other);
        x = load;
    }
    return inside ? where(k, mg_ksplat(k, inside, x->type.lanes), x, mg_kfloat(k, x->type, 0)) : x;
}

bool mg_gpu_stage_fetch(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *k0,
                        const MgKx **out) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *inside;
    bool plain = (st->pack.used || !mg_atom(gg->atom)->rounds) && !st->turns &&
                 gg->t.tensor != MG_TILE_SPLIT;
    for (uint32_t r = 0; r < st->round.n; r++) {
        const MgKx *x = mg_gpu_stage_vector(gg, block, st, r, k0, &inside);
        const MgKx *only, *load = mg_kload_or_0(x, &only);
        plain &= load && x->type.dtype == st->type;
        out[r] = named(k, block, "next", mg_gpu_or_zeros(k, inside, x));
    }
    return plain;
}

void mg_gpu_join_words(MgKernel *k, MgKBlock *block, const MgKx **x, uint32_t n) {
    uint8_t low[MG_PACK_LANES], high[MG_PACK_LANES];
    uint32_t lanes = x[0]->type.lanes;
    if (n == 1)
        return;
    for (uint32_t l = 0; l < lanes; l++) {
        low[l] = (uint8_t)(l / 2 + l % 2 * lanes);
        high[l] = (uint8_t)(lanes / 2 + low[l]);
    }
    const MgKx *even[MG_PACK_LANES / 2],
        *odd[MG_PACK_LANES / 2]; // of four depths: 0 and 2, 1 and 3
    for (uint32_t i = 0; i < n / 2; i++) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    mg_gpu_join_words(k, block, even, n / 2);
    mg_gpu_join_words(k, block, odd, n / 2);
    for (uint32_t i = 0; i < n / 2; i++) {
        x[2 * i] = named(k, block, "words", mg_kpermute(k, even[i], odd[i], low, lanes));
        x[2 * i + 1] = named(k, block, "words", mg_kpermute(k, even[i], odd[i], high, lanes));
    }
}

// What a tile keeps of the vectors from r on that are joined: one part of each, if it is split.
static void staged_part(MgGpuGemm *gg, const MgStage *st, const MgKx *const *values, bool low,
                        const MgKx **x) {
    MgKernel *k = gg->g.kb.k;
    for (uint32_t i = 0; i < st->joined; i++) {
        bool split = mg_gpu_planes(&gg->t, st->sym) > 1;
        const MgKx *high = split ? mg_gpu_high_part(k, values[i]) : NULL;
        x[i] = high            ? (low ? mg_gpu_low_part(k, values[i], high) : high)
               : st->pack.used ? values[i]
                               : mg_gpu_staged(gg, st, values[i]);
    }
}

void mg_gpu_stage_put(MgGpuGemm *gg, MgKBlock *block, const MgStage *st, const MgKx *half,
                      const MgKx *const *values) {
    MgKernel *k = gg->g.kb.k;
    const MgKx *base = plus(k, times(k, half, st->tile), st->place), *x[MG_PACK_LANES];
    bool torn = st->along_depth && st->lanes > 1 && !st->in_lines;
    uint32_t parts = mg_gpu_planes(&gg->t, st->sym);
    for (uint32_t r = 0; r < st->round.n; r += st->joined) {
        MgKBlock *b = st->round.own[r] ? block_if(k, block, st->round.own[r]) : block;
        for (uint32_t part = 0; part < parts; part++) {
            const MgKx *from = plus(k, base, part * st->plane);
            const MgKx *to = named(k, b, "to", add(k, from, st->round.to[r]));
            staged_part(gg, st, values + r, part, x);
            mg_gpu_join_words(k, b, x, st->joined);
            for (uint32_t i = 0; i < st->joined && !torn; i++) {
                const MgKx *at =
                    st->turns ? add(k, from, st->round.to[r + i]) : plus(k, to, i * st->lanes);
                store(k, b, st->buf, at, x[i]);
            }
            for (uint32_t l = 0; torn && l < st->lanes; l++)
                store(k, b, st->buf, plus(k, to, l * st->pitch), mg_klane(k, x[0], l));
        }
    }
}
