// Attention by the matrix units of a GPU, for factors that are always exact in a narrow type of
// floats, and weights that the definition rounds to one.
//
// 32 items work together. They keep some rows' scores, weights and results as the fragments of
// products of small matrices, so rows are only shared by four neighbours among them, each of which
// has a quarter of the keys and of the columns. Keys and values of a block come to local memory as
// whole words along what is summed over: rows of keys as lines, values as pairs of rows. The
// weights go to local memory, rounded, and are the rows of the second product.
//
// While a block is computed, the next is on its way in registers: values go to the other half of
// their buffer, and keys take the place of those that all have used. So a block has two barriers:
// behind one each row's four items have put down their largest scores, behind the other the weights
// and the next block.
//
// Dao: "FlashAttention-2", 2023, divides rows among warps like this.
#include "passes/exact.h"
#include "passes/schedule/gpu_attention.h"
#include "passes/schedule/gpu_attention_words.h"
#include "passes/schedule/gpu_tile.h"
#include "passes/schedule/words.h"

#include <math.h>

enum {
    WARPS = 4,
    ITEMS = WARPS * MG_TOGETHER,
    PER_WORD = 2,   // all atoms have elements of 16 bits here
    STEP = 16,      // elements: eight words of them are the depth of an atom
    LANES = 8,      // of vectors in memory: 16 bytes
    APART = LANES,  // elements between lines, which keep their banks apart
    WIDEST = 256,   // depth and columns
    MOST_PARTS = 2, // an item's fragments of sixteen rows
    MOST_KEYS = 64, // of a block
    MOST_VECTORS = MOST_KEYS * WIDEST / LANES / ITEMS, // that an item stages of a block
};

typedef struct Factor { // of a product, in local memory
    const MgAttnFactor *of;
    MgDType type;
    MgKBufId buf;
    int64_t rows, width; // of a block; width with what is filled up
    int64_t pitch;       // elements from a line, or pair of lines, to the next
    bool paired;         // neighbouring rows lie side by side: what is summed over are rows
} Factor;

typedef struct Units {
    MgGpuAttn g;
    MgAtom score, value;            // what the two products are made of
    uint32_t item_rows, parts;      // rows of those that work together, and fragments of them
    int64_t rows, keys;             // of a group's block
    Factor q, k, v;                 // v has two halves
    MgGpuRows p;                    // the weights
    MgDType weight;                 // their type
    MgKBufId tops, most, total;     // in local memory, four of a row; the item's own, of each row
    const MgKx *lane, *quarter;     // among those that work together; among the four of a row
    const MgKx *row[MOST_PARTS][2]; // of the group's block, that the item has a quarter of
    const MgKx *now[MOST_PARTS][2]; // the same of all rows; not behind the last
} Units;

// A number for each of an item's rows.
typedef const MgKx *PerRow[MOST_PARTS][2];

static int64_t up(int64_t n, int64_t unit) {
    return (n + unit - 1) / unit * unit;
}

// ---------------------------------------------------------------- what it may be used for

// The first atom of narrow floats in whose types the factors are always exact.
static bool find_atom(MgAttn *t, uint32_t step, const MgSx *row, const MgSx *column, MgAtom *atom) {
    MgGraph *graph = t->s->g;
    const MgOp *op = mg_op(graph, t->a->steps[step].op);
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        const MgAtomRow *a = mg_atom((MgAtom)i);
        *atom = (MgAtom)i;
        if (a->sum == MG_F32 && !a->rounds && mg_atom_per_word(*atom) == PER_WORD &&
            mg_sx_is_exact_in(graph, op, row, a->row) &&
            mg_sx_is_exact_in(graph, op, column, a->column))
            return true;
    }
    return false;
}

static bool in_vectors(MgAttn *t, const MgAttnFactor *f) {
    int64_t n = mg_attn_known_or(t, f->n, 0);
    return n > 0 && n <= WIDEST && n % LANES == 0 &&
           mg_attention_straight(t, f->step, f->x, f->along);
}

// Blocks of so many fragments of rows for an item.
static void lay_out(Units *u, uint32_t parts) {
    MgAttn *t = &u->g.t;
    int64_t depth = mg_attn_known_or(t, t->depth, 0), columns = mg_attn_known_or(t, t->columns, 0);
    u->parts = parts;
    u->item_rows = parts * MG_PRODUCT_ROWS;
    u->rows = (int64_t)WARPS * u->item_rows;
    u->keys = depth > 128 || columns > 128 ? MOST_KEYS / 2 : MOST_KEYS;
    u->weight = mg_atom(u->value)->row;
    u->q = (Factor){.type = mg_atom(u->score)->row, .rows = u->rows, .width = up(depth, STEP)};
    u->k = (Factor){.of = &t->key_factor,
                    .type = mg_atom(u->score)->column,
                    .rows = u->keys,
                    .width = up(depth, STEP)};
    u->v = (Factor){.of = &t->value_factor,
                    .type = mg_atom(u->value)->column,
                    .rows = u->keys,
                    .width = columns,
                    .paired = true};
    u->q.pitch = u->k.pitch = up(depth, STEP) + APART;
    u->v.pitch = (columns + APART) * PER_WORD;
    u->p.pitch = u->keys + APART;
}

static int64_t half_of_values(const Units *u) {
    return u->keys / PER_WORD * u->v.pitch;
}

static int64_t local_bytes(const Units *u) {
    int64_t narrow =
        u->rows * u->q.pitch + u->keys * u->k.pitch + 2 * half_of_values(u) + u->rows * u->p.pitch;
    return narrow * 2 + u->rows * MG_QUAD * 4;
}

// Large blocks, but where they would leave most of the device idle, or have no room.
static bool choose(Units *u) {
    MgAttn *t = &u->g.t;
    const MgTargetInfo *target = &t->s->options->target;
    const MgKx *n = mg_attention_batches(t);
    int64_t rows = mg_attn_known_or(t, t->rows, 1024), units = target->compute_units;
    int64_t batches = n->kind == MG_KX_CONST ? (int64_t)n->bits : 8, groups;
    bool wide = mg_attn_known_or(t, t->depth, 0) > 64 || mg_attn_known_or(t, t->columns, 0) > 64;
    for (uint32_t parts = wide ? 1 : MOST_PARTS; parts; parts--) {
        lay_out(u, parts);
        bool fits = local_bytes(u) <= (int64_t)target->local_most;
        if (!fits || __builtin_mul_overflow(batches, mg_ceil_div(rows, u->rows), &groups))
            continue;
        // Where groups are fewer than this, keys had better come in parts.
        if (groups >= (parts > 1 ? units : mg_ceil_div(units, 4)))
            return true;
    }
    return false;
}

static bool suits(Units *u, const MgAttnFactor *q) {
    MgAttn *t = &u->g.t;
    const MgTargetInfo *target = &t->s->options->target;
    return target->ptx >= 80 && target->max_items >= ITEMS && t->a->type == MG_F32 &&
           mg_attn_known_or(t, t->rows, MG_PRODUCT_ROWS) >= MG_PRODUCT_ROWS && in_vectors(t, q) &&
           in_vectors(t, &t->key_factor) && in_vectors(t, &t->value_factor) &&
           find_atom(t, t->a->scores, t->a->q, t->a->k, &u->score) &&
           find_atom(t, t->a->values, t->a->weight, t->a->v, &u->value) && choose(u);
}

// ---------------------------------------------------------------- buffers

static MgKBufId shared(Units *u, const char *name, MgDType type, int64_t elements) {
    MgKernel *k = u->g.t.kb.k;
    return mg_kalloc(k, name, mg_kt(type, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, elements));
}

static void make_buffers(Units *u) {
    MgKb *kb = &u->g.t.kb;
    uint32_t fragments = u->parts * (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    u->q.buf = shared(u, "q", u->q.type, u->rows * u->q.pitch);
    u->k.buf = shared(u, "k", u->k.type, u->keys * u->k.pitch);
    u->v.buf = shared(u, "v", u->v.type, 2 * half_of_values(u));
    u->p.buf = shared(u, "p", u->weight, u->rows * u->p.pitch);
    u->tops = shared(u, "tops", MG_F32, u->rows * MG_QUAD);
    u->g.scores = mg_kb_private(kb, "scores", mg_kt(MG_F32, MG_QUAD), fragments);
    fragments = u->parts * (uint32_t)u->v.width / MG_PRODUCT_COLUMNS;
    u->g.sums = mg_kb_private(kb, "sums", mg_kt(MG_F32, MG_QUAD), fragments);
    u->most = mg_kb_private(kb, "most", mg_kt(MG_F32, 1), 2 * u->parts);
    u->total = mg_kb_private(kb, "total", mg_kt(MG_F32, 1), 2 * u->parts);
}

// ---------------------------------------------------------------- staging

typedef struct Vectors { // of a block, on their way; of pairs, the first rows and then the second
    const MgKx *x[2 * MOST_VECTORS], *to[2 * MOST_VECTORS], *own[2 * MOST_VECTORS];
    uint32_t n;
} Vectors;

// A vector of a row of the factor that begins at `at`. Rows behind the last are not read: they are
// zeros where `n` (NULL: all are there) says how many there are.
static const MgKx *fetch_one(Units *u, MgKBlock *b, const Factor *f, const MgKx *row,
                             const MgKx *at, const MgKx *rows) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    int64_t along = mg_attn_known_or(t, f->of->n, 0);
    const MgKx *inside = NULL;
    if (rows) {
        inside = bin(k, MG_PRIM_LT, row, rows);
        row = bin(k, MG_PRIM_MIN, row, bin(k, MG_PRIM_SUB, rows, num(k, 1)));
    }
    if (along < f->width) {
        const MgKx *is = bin(k, MG_PRIM_LT, at, num(k, along));
        inside = inside ? bin(k, MG_PRIM_AND, inside, is) : is;
        at = bin(k, MG_PRIM_MIN, at, num(k, along - LANES));
    }
    t->loop[f->of->sym] = let(&u->g, b, row);
    t->loop[f->of->along] = let(&u->g, b, at);
    MgPoint p = mg_attention_point(t, f->of->step, b, -1, NULL);
    p.vector = (int)f->of->along;
    p.lanes = LANES;
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, f->of->x), LANES);
    const MgKx *narrow = mg_gpu_narrowed(k, x, f->type);
    x = narrow ? narrow : mg_kcast(k, MG_PRIM_CAST, f->type, x);
    if (inside)
        x = mg_kprim(k, MG_PRIM_WHERE, mg_ksplat(k, inside, LANES), x, mg_kfloat(k, x->type, 0));
    return let(&u->g, b, x);
}

// The item's vectors of the rows from `first` on, of so many (NULL: all of the block are there).
static void fetch(Units *u, MgKBlock *b, const Factor *f, const MgKx *first, const MgKx *rows,
                  Vectors *v) {
    MgKernel *k = u->g.t.kb.k;
    int64_t run = f->width / LANES, lines = f->paired ? f->rows / PER_WORD : f->rows;
    v->n = 0;
    for (int64_t done = 0; done < lines * run; done += ITEMS) {
        const MgKx *number = add(k, u->g.me, num(k, done)), *own = NULL;
        if (done + ITEMS > lines * run) {
            own = let(&u->g, b, bin(k, MG_PRIM_LT, number, num(k, lines * run)));
            number = bin(k, MG_PRIM_MIN, number, num(k, lines * run - 1));
        }
        number = let(&u->g, b, number);
        const MgKx *line = let(&u->g, b, bin(k, MG_PRIM_FDIV, number, num(k, run)));
        const MgKx *at = let(&u->g, b, times(k, bin(k, MG_PRIM_FMOD, number, num(k, run)), LANES));
        int64_t each = f->paired ? PER_WORD : 1;
        const MgKx *to = let(&u->g, b, add(k, times(k, line, f->pitch), times(k, at, each)));
        for (int64_t i = 0; i < each; i++, v->n++) {
            const MgKx *row = add(k, first, add(k, times(k, line, each), num(k, i)));
            v->x[v->n] = fetch_one(u, b, f, row, at, rows);
            v->to[v->n] = add(k, to, num(k, i * LANES));
            v->own[v->n] = own;
        }
    }
}

static void put(Units *u, MgKBlock *block, const Factor *f, const MgKx *base, Vectors *v) {
    MgKernel *k = u->g.t.kb.k;
    uint32_t each = f->paired ? PER_WORD : 1;
    for (uint32_t i = 0; i < v->n; i += each) {
        MgKBlock *b = v->own[i] ? &mg_kif(k, block, v->own[i])->body : block;
        if (f->paired)
            mg_gpu_join_words(k, b, v->x + i, PER_WORD);
        for (uint32_t j = i; j < i + each; j++)
            mg_kstore(k, b, f->buf, base ? add(k, base, v->to[j]) : v->to[j], v->x[j], NULL);
    }
}

// ---------------------------------------------------------------- products

static void clear(Units *u, MgKBlock *b, MgKBufId sums, int64_t columns) {
    MgKernel *k = u->g.t.kb.k;
    for (int64_t i = 0; i < u->parts * columns / MG_PRODUCT_COLUMNS; i++)
        mg_kstore(k, b, sums, num(k, i), mg_kfloat(k, mg_kt(MG_F32, MG_QUAD), 0), NULL);
}

static const MgKx *first_row(Units *u, int64_t pitch) { // of those that work together
    MgKernel *k = u->g.t.kb.k;
    return times(k, u->g.y, u->item_rows * pitch);
}

static void multiply_keys(Units *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    MgKProduct product = {.atom = u->score,
                          .row_buf = u->q.buf,
                          .column_buf = u->k.buf,
                          .row_step = u->q.pitch,
                          .row_deep = PER_WORD,
                          .column_step = u->k.pitch,
                          .column_deep = PER_WORD,
                          .rows = u->item_rows,
                          .columns = (uint32_t)u->keys,
                          .depth = (uint32_t)u->k.width};
    clear(u, b, u->g.scores, u->keys);
    mg_kproduct(k, b, u->g.scores, &product, let(&u->g, b, first_row(u, u->q.pitch)), num(k, 0));
}

static void multiply_values(Units *u, MgKBlock *b, const MgKx *half) {
    MgKernel *k = u->g.t.kb.k;
    MgKProduct product = {.atom = u->value,
                          .row_buf = u->p.buf,
                          .column_buf = u->v.buf,
                          .row_step = u->p.pitch,
                          .row_deep = PER_WORD,
                          .column_step = PER_WORD,
                          .column_deep = u->v.pitch,
                          .rows = u->item_rows,
                          .columns = (uint32_t)u->v.width,
                          .depth = (uint32_t)u->keys};
    mg_kproduct(k, b, u->g.sums, &product, let(&u->g, b, first_row(u, u->p.pitch)), half);
}

// ---------------------------------------------------------------- rows

static uint32_t number_of(uint32_t part, uint32_t half) {
    return part * 2 + half;
}

// What the four items of each row have, put down for each other.
static void tell(Units *u, MgKBlock *b, PerRow x) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *to = add(k, times(k, u->row[i][h], MG_QUAD), u->quarter);
            mg_kstore(k, b, u->tops, to, x[i][h], NULL);
        }
}

static const MgKx *told(Units *u, MgKBlock *b, uint32_t part, uint32_t half) {
    MgKernel *k = u->g.t.kb.k;
    return load(&u->g, b, u->tops, times(k, u->row[part][half], MG_QUAD), MG_QUAD);
}

// An item's scores: of each row of its own a quarter of the keys.
typedef const MgKx *Scores[MOST_PARTS][2][MOST_KEYS / MG_QUAD];

// The scores that the definition has, and the largest of each row. n: keys of the block (NULL: all
// are there); those behind are -inf.
static void finish_scores(Units *u, MgKBlock *b, const MgKx *first, const MgKx *n, Scores x) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    PerRow most;
    uint32_t across = (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    const MgKx *key[MOST_KEYS / MG_QUAD], *own[MOST_KEYS / MG_QUAD];
    for (uint32_t j = 0; j < 2 * across; j++) {
        own[j] = num(k, j / 2 * MG_PRODUCT_COLUMNS + j % 2);
        own[j] = let(&u->g, b, add(k, times(k, u->quarter, 2), own[j]));
        key[j] = add(k, first, own[j]);
        if (n)
            key[j] = bin(k, MG_PRIM_MIN, key[j], bin(k, MG_PRIM_SUB, add(k, first, n), num(k, 1)));
        key[j] = let(&u->g, b, key[j]);
    }
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            most[i][h] = NULL;
            t->loop[MG_ATTN_ROW] = u->now[i][h];
            for (uint32_t j = 0; j < 2 * across; j++) {
                const MgKx *sums = kept(&u->g, u->g.scores, i * across + j / 2, MG_QUAD);
                t->loop[MG_ATTN_KEY] = key[j];
                const MgKx *s = mg_attention_score(t, b, NULL, mg_klane(k, sums, 2 * h + j % 2));
                if (n)
                    s = mg_kprim(k, MG_PRIM_WHERE, bin(k, MG_PRIM_LT, own[j], n), s,
                                 number(&u->g, -INFINITY));
                s = x[i][h][j] = let(&u->g, b, s);
                most[i][h] = most[i][h] ? let(&u->g, b, mg_attention_larger(t, most[i][h], s)) : s;
            }
        }
    tell(u, b, most);
}

// The largest scores so far, and what they make of earlier sums.
static void raise_peaks(Units *u, MgKBlock *b, PerRow shift, PerRow scale) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            uint32_t at = number_of(i, h);
            const MgKx *before = let(&u->g, b, kept(&u->g, u->most, at, 1));
            const MgKx *peak = mg_kfold(k, MG_PRIM_MAX, told(u, b, i, h));
            peak = let(&u->g, b, bin(k, MG_PRIM_MAX, before, peak));
            shift[i][h] = let(&u->g, b, mg_attention_shift(t, peak));
            const MgKx *grown = bin(k, MG_PRIM_SUB, before, shift[i][h]);
            grown = mg_kexp_below(k, bin(k, MG_PRIM_MIN, grown, number(&u->g, 0)));
            scale[i][h] = let(&u->g, b, grown);
            mg_kstore(k, b, u->most, num(k, at), peak, NULL);
        }
}

// f16 has no numbers much below 2^-14: weights that are at most 2^14 lose little there.
static double unit_of(const Units *u) {
    return u->weight == MG_F16 ? 0x1p14 : 1;
}

static const MgKx *weight_of(Units *u, MgKBlock *b, const MgKx *x, const MgKx *shift) {
    MgKernel *k = u->g.t.kb.k;
    x = bin(k, MG_PRIM_MIN, bin(k, MG_PRIM_SUB, x, shift), number(&u->g, 0));
    x = mg_kexp_below(k, x);
    return let(&u->g, b, unit_of(u) == 1 ? x : mg_kmul(k, x, number(&u->g, unit_of(u))));
}

// The rows' weights go to local memory, and are added up.
static void weigh(Units *u, MgKBlock *b, Scores x, PerRow shift, PerRow scale) {
    static const uint8_t both[] = {0, 1};
    MgKernel *k = u->g.t.kb.k;
    uint32_t across = (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *to = add(k, times(k, u->row[i][h], u->p.pitch), times(k, u->quarter, 2));
            to = let(&u->g, b, to);
            const MgKx *sum = NULL;
            for (uint32_t j = 0; j < across; j++) {
                const MgKx *e = weight_of(u, b, x[i][h][2 * j], shift[i][h]);
                const MgKx *f = weight_of(u, b, x[i][h][2 * j + 1], shift[i][h]);
                const MgKx *narrow =
                    mg_kcast(k, MG_PRIM_CAST, u->weight, mg_kpermute(k, e, f, both, 2));
                mg_kstore(k, b, u->p.buf, add(k, to, num(k, j * MG_PRODUCT_COLUMNS)), narrow, NULL);
                sum = let(&u->g, b, sum ? add(k, sum, add(k, e, f)) : add(k, e, f));
            }
            const MgKx *at = num(k, number_of(i, h));
            const MgKx *before = mg_kmul(k, kept(&u->g, u->total, number_of(i, h), 1), scale[i][h]);
            mg_kstore(k, b, u->total, at, add(k, before, sum), NULL);
        }
}

static void rescale(Units *u, MgKBlock *b, PerRow by) {
    static const uint8_t rows[] = {0, 0, 1, 1};
    MgKernel *k = u->g.t.kb.k;
    uint32_t across = (uint32_t)u->v.width / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < u->parts; i++) {
        const MgKx *factor = let(&u->g, b, mg_kpermute(k, by[i][0], by[i][1], rows, MG_QUAD));
        for (uint32_t j = i * across; j < (i + 1) * across; j++)
            mg_kstore(k, b, u->g.sums, num(k, j),
                      mg_kmul(k, kept(&u->g, u->g.sums, j, MG_QUAD), factor), NULL);
    }
}

// ---------------------------------------------------------------- loops

static void place_items(Units *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    u->g.me = let(&u->g, b, mg_kspecial(k, MG_KX_LOCAL_ID));
    u->lane = let(&u->g, b, bin(k, MG_PRIM_FMOD, u->g.me, num(k, MG_TOGETHER)));
    u->g.y = let(&u->g, b, bin(k, MG_PRIM_FDIV, u->g.me, num(k, MG_TOGETHER)));
    u->quarter = let(&u->g, b, bin(k, MG_PRIM_FMOD, u->lane, num(k, 4)));
    const MgKx *high = let(&u->g, b, bin(k, MG_PRIM_FDIV, u->lane, num(k, 4)));
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *within = add(k, high, num(k, i * MG_PRODUCT_ROWS + h * 8));
            u->row[i][h] = let(&u->g, b, add(k, times(k, u->g.y, u->item_rows), within));
        }
}

// One block of keys: the next is fetched meanwhile.
static void emit_block(Units *u, MgKBlock *b, const MgKx *number, const MgKx *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    bool whole = mg_attn_known_or(t, t->keys, 1) % u->keys == 0;
    const MgKx *first = let(&u->g, b, times(k, number, u->keys));
    const MgKx *next = add(k, first, num(k, u->keys));
    Vectors more_keys, more_values;
    Scores x;
    PerRow shift, scale;
    if (whole) // behind the last block it is fetched once more, and not used
        next = bin(k, MG_PRIM_MIN, next, bin(k, MG_PRIM_SUB, keys, num(k, u->keys)));
    next = let(&u->g, b, next);
    fetch(u, b, &u->k, next, whole ? NULL : keys, &more_keys);
    fetch(u, b, &u->v, next, whole ? NULL : keys, &more_values);
    multiply_keys(u, b);
    finish_scores(u, b, first, whole ? NULL : let(&u->g, b, bin(k, MG_PRIM_SUB, keys, first)), x);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    put(u, b, &u->k, NULL, &more_keys);
    const MgKx *half = let(&u->g, b, bin(k, MG_PRIM_FMOD, number, num(k, 2)));
    const MgKx *other = bin(k, MG_PRIM_SUB, num(k, 1), half);
    put(u, b, &u->v, let(&u->g, b, times(k, other, half_of_values(u))), &more_values);
    raise_peaks(u, b, shift, scale);
    weigh(u, b, x, shift, scale);
    rescale(u, b, scale);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    multiply_values(u, b, let(&u->g, b, times(k, half, half_of_values(u))));
}

static void emit_keys(Units *u, MgKBlock *block) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *keys = ix(&u->g, t->keys), *none = num(k, 0);
    bool whole = mg_attn_known_or(t, t->keys, 1) % u->keys == 0;
    bool some = mg_attn_known_or(t, t->keys, 0) > 0;
    MgKBlock *b = some ? block : &mg_kif(k, block, bin(k, MG_PRIM_GT, keys, none))->body;
    Vectors v;
    fetch(u, b, &u->k, none, whole ? NULL : keys, &v);
    put(u, b, &u->k, NULL, &v);
    fetch(u, b, &u->v, none, whole ? NULL : keys, &v);
    put(u, b, &u->v, NULL, &v);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    const MgKx *blocks = mg_kceil_div(k, keys, u->keys);
    MgKs *loop = mg_kfor(k, b, MG_LOOP_SERIAL, "keys", none, blocks, 1);
    emit_block(u, &loop->body, mg_kvar(k, loop->var), keys);
}

// The rows' results: divided by what their weights sum up to, and stored.
static void finish_rows(Units *u, MgKBlock *block) {
    static const uint8_t pairs[2][2] = {{0, 1}, {2, 3}};
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    PerRow x;
    uint32_t across = (uint32_t)u->v.width / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < 2 * u->parts; i++)
        x[i / 2][i % 2] = kept(&u->g, u->total, i, 1);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    tell(u, block, x);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *sum = mg_kfold(k, MG_PRIM_ADD, told(u, block, i, h));
            const MgKx *one = number(&u->g, 1 / unit_of(u));
            const MgKx *peak = let(&u->g, block, kept(&u->g, u->most, number_of(i, h), 1));
            t->loop[MG_ATTN_ROW] = u->now[i][h];
            sum = let(&u->g, block, mg_kmul(k, sum, one));
            x[i][h] = mg_kmul(k, mg_attention_row_factor(t, block, NULL, peak, sum), one);
            x[i][h] = let(&u->g, block, x[i][h]);
        }
    rescale(u, block, x);
    for (uint32_t i = 0; i < u->parts; i++)
        for (uint32_t h = 0; h < 2; h++) {
            const MgKx *row = let(&u->g, block, add(k, u->g.first, u->row[i][h]));
            MgKBlock *b = &mg_kif(k, block, bin(k, MG_PRIM_LT, row, ix(&u->g, t->rows)))->body;
            t->loop[MG_ATTN_ROW] = row;
            for (uint32_t j = 0; j < across; j++) {
                const MgKx *sums = kept(&u->g, u->g.sums, i * across + j, MG_QUAD);
                const MgKx *column =
                    add(k, times(k, u->quarter, 2), num(k, j * MG_PRODUCT_COLUMNS));
                mg_gpu_attention_leave(&u->g, b, let(&u->g, b, column),
                                       let(&u->g, b, mg_kpermute(k, sums, NULL, pairs[h], 2)));
            }
        }
}

static void emit(Units *u) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(&u->g, t->rows), *blocks = mg_kceil_div(k, rows, u->rows);
    k->items = ITEMS;
    k->groups = mg_kmul(k, blocks, mg_attention_batches(t));
    place_items(u, &k->body);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_GROUP, "block", num(k, 0), k->groups, 1);
    MgKBlock *b = &loop->body;
    const MgKx *block = mg_kvar(k, loop->var);
    u->g.first = let(&u->g, b, times(k, bin(k, MG_PRIM_FMOD, block, blocks), u->rows));
    mg_attention_batch(t, b, let(&u->g, b, bin(k, MG_PRIM_FDIV, block, blocks)));
    const MgKx *last = let(&u->g, b, bin(k, MG_PRIM_SUB, rows, num(k, 1)));
    for (uint32_t i = 0; i < 2 * u->parts; i++) {
        const MgKx *row = add(k, u->g.first, u->row[i / 2][i % 2]);
        u->now[i / 2][i % 2] = let(&u->g, b, bin(k, MG_PRIM_MIN, row, last));
        mg_kstore(k, b, u->most, num(k, i), number(&u->g, -INFINITY), NULL);
        mg_kstore(k, b, u->total, num(k, i), number(&u->g, 0), NULL);
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the rows before have been used
    Vectors v;
    fetch(u, b, &u->q, u->g.first, mg_attn_known_or(t, t->rows, 1) % u->rows ? rows : NULL, &v);
    put(u, b, &u->q, NULL, &v);
    clear(u, b, u->g.sums, u->v.width);
    emit_keys(u, b);
    finish_rows(u, b);
}

bool mg_gpu_attention_units(MgAttn *t) {
    Units units = {.g = {.t = *t, .parts = 1}}, *u = &units;
    MgAttnFactor q = {t->a->scores, MG_ATTN_ROW, MG_ATTN_DEPTH, t->a->q, t->depth};
    if (!suits(u, &q))
        return false;
    u->q.of = &q;
    u->g.columns = u->v.width;
    make_buffers(u);
    emit(u);
    *t = u->g.t;
    return true;
}
