// The transforms of Winograd's algorithm on vectors of channels, written out from the matrices of a
// form: if two rows (or columns) differ only in the signs of every other term, their common sums
// are computed once.
#include "passes/schedule/contraction/winograd.h"

static const MgKx *let(MgWino *w, MgKBlock *block, const MgKx *x) {
    return mg_klet_x(w->kb.k, block, "t", x);
}

static const MgKx *add(MgWino *w, MgKBlock *block, const MgKx *a, const MgKx *b) {
    return let(w, block, mg_kadd(w->kb.k, a, b));
}

static const MgKx *subtract(MgWino *w, MgKBlock *block, const MgKx *a, const MgKx *b) {
    return let(w, block, mg_kprim(w->kb.k, MG_PRIM_SUB, a, b, NULL));
}

// sum + factor * x; sum may be NULL.
static const MgKx *plus(MgWino *w, MgKBlock *block, const MgKx *sum, double factor, const MgKx *x) {
    MgKernel *k = w->kb.k;
    if (factor == 1)
        return sum ? add(w, block, sum, x) : x;
    if (factor == -1 && sum)
        return subtract(w, block, sum, x);
    const MgKx *f = mg_kfloat(k, x->type, factor);
    if (!sum)
        return let(w, block, mg_kmul(k, f, x));
    return let(w, block, mg_multiply_add(w->s, k, f, x, sum));
}

// The sum of factors[i] * x[i] over i = first, first + step, …; it begins with a term of factor 1.
// NULL: all factors are 0.
static const MgKx *combine(MgWino *w, MgKBlock *block, const double *factors, const MgKx *const *x,
                           uint32_t n, uint32_t first, uint32_t step) {
    uint32_t start = n;
    for (uint32_t i = first; i < n; i += step)
        if (factors[i] != 0 && (start == n || (factors[i] == 1 && factors[start] != 1)))
            start = i;
    const MgKx *sum = start < n ? plus(w, block, NULL, factors[start], x[start]) : NULL;
    for (uint32_t i = first; i < n; i += step)
        if (factors[i] != 0 && i != start)
            sum = plus(w, block, sum, factors[i], x[i]);
    return sum;
}

// The element (i, j) of a form's matrix, or of its transpose, is at[i * down + j * across].
typedef struct Matrix {
    const double *at;
    uint32_t down, across;
} Matrix;

static const double *row_of(const Matrix *m, uint32_t i, uint32_t n, double *row) {
    for (uint32_t j = 0; j < n; j++)
        row[j] = m->at[i * m->down + j * m->across];
    return row;
}

// Computes a line y of `to` values of a line x of `from` values: y = m * x.
typedef void Line(MgWino *w, MgKBlock *block, const Matrix *m, uint32_t from, uint32_t to,
                  const MgKx *const *x, const MgKx **y);

// To points: rows r and r + 1, of the points 1 and -1, 2 and -2, differ in the signs of their odd
// columns.
static void to_points(MgWino *w, MgKBlock *block, const Matrix *m, uint32_t from, uint32_t to,
                      const MgKx *const *x, const MgKx **y) {
    double row[MG_TILE_POINTS] = {0};
    y[0] = combine(w, block, row_of(m, 0, from, row), x, from, 0, 1);
    for (uint32_t r = 1; r + 1 < to; r += 2) {
        row_of(m, r, from, row);
        const MgKx *even = combine(w, block, row, x, from, 0, 2);
        const MgKx *odd = combine(w, block, row, x, from, 1, 2);
        y[r] = add(w, block, even, odd);
        y[r + 1] = subtract(w, block, even, odd);
    }
    y[to - 1] = combine(w, block, row_of(m, to - 1, from, row), x, from, 0, 1);
}

// From points: columns j and j + 1 differ in the signs of their odd rows.
static void from_points(MgWino *w, MgKBlock *block, const Matrix *m, uint32_t from, uint32_t to,
                        const MgKx *const *x, const MgKx **y) {
    const MgKx *sums[MG_TILE_POINTS] = {x[0]}, *differences[MG_TILE_POINTS] = {x[0]};
    double row[MG_TILE_POINTS] = {0};
    for (uint32_t j = 1; j + 1 < from; j += 2) {
        sums[j] = add(w, block, x[j], x[j + 1]);
        differences[j] = subtract(w, block, x[j], x[j + 1]);
    }
    sums[from - 1] = differences[from - 1] = x[from - 1];
    for (uint32_t r = 0; r < to; r++) {
        row_of(m, r, from, row);
        for (uint32_t j = 2; j + 1 < from; j += 2)
            row[j] = 0; // in the column before it
        y[r] = combine(w, block, row, r % 2 ? differences : sums, from, 0, 1);
    }
}

// Replaces x, a square of from x from values, by m * x * m', one of to x to values.
static void both_ways(MgWino *w, MgKBlock *block, Line *line, Matrix m, uint32_t from, uint32_t to,
                      const MgKx **x) {
    const MgKx *half[MG_TILE_POINTS * MG_TILE_POINTS], *in[MG_TILE_POINTS], *out[MG_TILE_POINTS];
    for (uint32_t i = 0; i < from; i++)
        line(w, block, &m, from, to, x + i * from, half + i * to);
    for (uint32_t j = 0; j < to; j++) {
        for (uint32_t i = 0; i < from; i++)
            in[i] = half[i * to + j];
        line(w, block, &m, from, to, in, out);
        for (uint32_t i = 0; i < to; i++)
            x[i * to + j] = out[i];
    }
}

void mg_wino_input(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    both_ways(w, block, to_points, (Matrix){*f->input, MG_TILE_POINTS, 1}, f->points, f->points, x);
}

// Scales a square of points.
static void scale(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    for (uint32_t i = 0; i < mg_wino_products(w); i++) {
        double by = f->scale[i / f->points] * f->scale[i % f->points];
        x[i] = plus(w, block, NULL, by, x[i]);
    }
}

// Sums of whole numbers' multiples round little, and each point is scaled once.
void mg_wino_weight(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    both_ways(w, block, to_points, (Matrix){*f->weight, MG_TILE_TAPS, 1}, MG_TILE_TAPS, f->points,
              x);
    scale(w, block, x);
}

void mg_wino_output(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    both_ways(w, block, from_points, (Matrix){*f->output, MG_TILE_POINTS, 1}, f->points, f->outputs,
              x);
}

void mg_wino_slope(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    both_ways(w, block, to_points, (Matrix){*f->output, 1, MG_TILE_POINTS}, f->outputs, f->points,
              x);
}

void mg_wino_taps(MgWino *w, MgKBlock *block, const MgKx **x) {
    const MgTileForm *f = w->plan.form;
    scale(w, block, x);
    both_ways(w, block, from_points, (Matrix){*f->weight, 1, MG_TILE_TAPS}, f->points, MG_TILE_TAPS,
              x);
}
