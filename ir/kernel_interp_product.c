// Products of matrices in the interpreter of kernel IR. Everything happens as late as it may.
#include "ir/kernel_interp.h"

// sum + a * b, all of one type.
static MgBits multiply_add(MgDType type, MgBits a, MgBits b, MgBits sum) {
    MgBits args[] = {a, b, sum};
    if (mg_is_float(type))
        return mg_prim_eval(MG_PRIM_FMA, type, type, args);
    args[0] = mg_prim_eval(MG_PRIM_MUL, type, type, args);
    args[1] = sum;
    return mg_prim_eval(MG_PRIM_ADD, type, type, args);
}

MgBits mg_kmachine_dot(MgAtom atom, MgBits sum, MgBits row, MgBits column) {
    const MgAtomRow *a = mg_atom(atom);
    uint32_t bits = mg_dtype(a->row)->bits;
    MgBits mask = UINT32_MAX >> (32 - bits);
    for (uint32_t at = 0; at < 32; at += bits) {
        MgBits x = row >> at & mask, y = column >> at & mask;
        x = mg_prim_eval(MG_PRIM_CAST, a->row, a->sum, &x);
        y = mg_prim_eval(MG_PRIM_CAST, a->column, a->sum, &y);
        sum = multiply_add(a->sum, x, y, sum);
    }
    return sum;
}

// Makes room for n values of a product.
static MgBits *product_room(MgKMachine *m, uint32_t n) {
    while (m->product.len < n)
        mg_push(m->arena, &m->product, 0);
    return m->product.at;
}

// The element of this item's row i at a depth. One of its four neighbours has it.
static MgBits held_row(const MgKMachine *m, uint32_t i, uint32_t d) {
    const MgKWorker *group = m->worker - m->worker->item;
    uint32_t neighbour = m->worker->item / 4 * 4 + d % MG_PRODUCT_COLUMNS / 2;
    return group[neighbour].held.at[d / MG_PRODUCT_COLUMNS * 4 + i * 2 + d % 2];
}

// Records this item's part of held rows, which the other items read before they change.
void mg_kmachine_hold(MgKMachine *m, const MgKs *s) {
    MgKWorker *w = m->worker;
    w->held.len = 0;
    for (uint32_t e = 0; e < s->product->depth / MG_PRODUCT_COLUMNS * 4; e++)
        mg_push(m->arena, &w->held, mg_kmachine_read(m, s->product->row_buf, e));
}

static void check_held(MgKMachine *m, const MgKs *s) {
    for (uint32_t e = 0; e < m->worker->held.len && !m->failed; e++)
        if (mg_kmachine_read(m, s->product->row_buf, e) != m->worker->held.at[e])
            mg_kmachine_fail(m, "rows of a product change while it is computed");
}

// An item's sums, by row and then by column.
typedef struct Sums {
    MgBits *at, *right; // `right`: room for the columns of one depth
    uint32_t rows, columns;
} Sums;

// Adds the products of all depths: each element of the factors is read once.
static void add_products(MgKMachine *m, const MgKProduct *p, const Sums *sums, int64_t row0,
                         int64_t column0) {
    const MgAtomRow *atom = mg_atom(p->atom);
    uint32_t lane = m->worker->item % MG_TOGETHER, warp = m->worker->item / MG_TOGETHER;
    int64_t first = mg_product_is_wide(p) ? warp % MG_WIDE * MG_PRODUCT_ROWS : 0;
    for (uint32_t d = 0; d < p->depth && !m->failed; d++) {
        for (uint32_t j = 0; j < sums->columns; j++) {
            int64_t at = j / 2 * MG_PRODUCT_COLUMNS + lane % 4 * 2 + j % 2;
            MgBits x = mg_kmachine_read(m, p->column_buf, column0 + mg_product_column(p, at, d));
            sums->right[j] = mg_prim_eval(MG_PRIM_CAST, atom->column, atom->sum, &x);
        }
        for (uint32_t i = 0; i < sums->rows; i++) {
            int64_t at = first + i / 2 * MG_PRODUCT_ROWS + lane / 4 + i % 2 * 8;
            MgBits x = p->row_lies == MG_LIES_HELD
                           ? held_row(m, i, d)
                           : mg_kmachine_read(m, p->row_buf, row0 + mg_product_row(p, at, d));
            x = mg_prim_eval(MG_PRIM_CAST, atom->row, atom->sum, &x);
            MgBits *fragments = sums->at + i / 2 * sums->columns * 2 + i % 2 * 2; // vectors of four
            for (uint32_t j = 0; j < sums->columns; j++) {
                MgBits *sum = &fragments[j / 2 * 4 + j % 2];
                *sum = multiply_add(atom->sum, x, sums->right[j], *sum);
            }
        }
    }
}

// Computes this item's sums of a product.
static void multiply(MgKMachine *m, const MgKs *s, int64_t row0, int64_t column0) {
    const MgKProduct *p = s->product;
    Sums sums = {.rows = p->rows / MG_PRODUCT_ROWS * 2,
                 .columns = p->columns / MG_PRODUCT_COLUMNS * 2};
    uint32_t n = sums.rows * sums.columns;
    sums.at = product_room(m, n + sums.columns);
    sums.right = sums.at + n;
    for (uint32_t e = 0; e < n; e++)
        sums.at[e] = p->fresh || p->splits ? 0 : mg_kmachine_read(m, s->buf, e);
    if (p->column_low)
        add_products(m, p, &sums, row0, column0 + p->column_low);
    add_products(m, p, &sums, row0, column0);
    for (uint32_t e = 0; e < n && !m->failed; e++) {
        MgBits args[] = {p->splits ? mg_kmachine_read(m, s->buf, e) : 0, sums.at[e]};
        MgBits sum = p->splits ? mg_prim_eval(MG_PRIM_ADD, MG_F32, MG_F32, args) : sums.at[e];
        mg_kmachine_write(m, s->buf, e, sum);
    }
}

// When the items that take part in a product meet, this checks that all do the same one.
void mg_kmachine_begin_product(MgKMachine *m, const MgKs *s) {
    MgKWorker *w = m->worker;
    int64_t row0 = mg_kmachine_eval_int(m, s->index), column0 = mg_kmachine_eval_int(m, s->x);
    const int64_t what[] = {(int64_t)(uintptr_t)s, row0, column0};
    uint64_t *joint = mg_product_is_wide(s->product) ? &w->wide : &w->joint;
    *joint = mg_hash(what, sizeof what, *joint + 1);
    mg_kmachine_push(m, s, &s->body, 0, 0);
}

static void land(MgKMachine *m, const MgKLanding *all, uint32_t n) {
    for (uint32_t i = 0; i < n && !m->failed; i++)
        mg_kmachine_write(m, all[i].buf, all[i].element, all[i].value);
}

void mg_kmachine_end_lagging(MgKMachine *m) {
    MgKWorker *w = m->worker;
    if (w->lagging)
        multiply(m, w->lagging, w->row0, w->column0);
    land(m, w->lagging_stores.at, w->lagging_stores.len);
    w->lagging = NULL;
    w->lagging_stores.len = 0;
}

// Everything happens as late as it may.
void mg_kmachine_end_product(MgKMachine *m, const MgKs *s) {
    MgKWorker *w = m->worker;
    mg_kmachine_end_lagging(m);
    w->row0 = mg_kmachine_eval_int(m, s->index);
    w->column0 = mg_kmachine_eval_int(m, s->x);
    if (s->product->lag == MG_LAG_ALL)
        w->lagging = s;
    else
        multiply(m, s, w->row0, w->column0);
    if (s->product->row_lies == MG_LIES_HELD)
        check_held(m, s);
    for (uint32_t i = 0; i < w->landing.len; i++)
        mg_push(m->arena, &w->lagging_stores, w->landing.at[i]);
    w->landing.len = 0;
    if (s->product->lag == MG_LAG_NONE)
        mg_kmachine_end_lagging(m);
}
