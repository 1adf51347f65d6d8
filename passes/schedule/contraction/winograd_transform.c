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

typedef void Line(MgWino *w, MgKBlock *block, const MgKx *const *x, const MgKx **y);

// Rows r and r + 1 of the points 1 and -1, 2 and -2 differ in the signs of their odd columns.
static void input_line(MgWino *w, MgKBlock *block, const MgKx *const *x, const MgKx **y) {
    uint32_t n = w->plan.form->points;
    const double(*rows)[MG_TILE_POINTS] = w->plan.form->input;
    y[0] = combine(w, block, rows[0], x, n, 0, 1);
    for (uint32_t r = 1; r + 1 < n; r += 2) {
        const MgKx *even = combine(w, block, rows[r], x, n, 0, 2);
        const MgKx *odd = combine(w, block, rows[r], x, n, 1, 2);
        y[r] = add(w, block, even, odd);
        y[r + 1] = subtract(w, block, even, odd);
    }
    y[n - 1] = combine(w, block, rows[n - 1], x, n, 0, 1);
}

// Columns j and j + 1 differ in the signs of their odd rows.
static void output_line(MgWino *w, MgKBlock *block, const MgKx *const *x, const MgKx **y) {
    uint32_t n = w->plan.form->points;
    const MgKx *sums[MG_TILE_POINTS] = {x[0]}, *differences[MG_TILE_POINTS] = {x[0]};
    double factors[MG_TILE_POINTS];
    for (uint32_t j = 1; j + 1 < n; j += 2) {
        sums[j] = add(w, block, x[j], x[j + 1]);
        differences[j] = subtract(w, block, x[j], x[j + 1]);
    }
    sums[n - 1] = differences[n - 1] = x[n - 1];
    for (uint32_t r = 0; r < w->plan.form->outputs; r++) {
        for (uint32_t j = 0; j < n; j++)
            factors[j] = j % 2 || j == 0 ? w->plan.form->output[r][j] : 0;
        factors[n - 1] = w->plan.form->output[r][n - 1];
        y[r] = combine(w, block, factors, r % 2 ? differences : sums, n, 0, 1);
    }
}

static void weight_line(MgWino *w, MgKBlock *block, const MgKx *const *x, const MgKx **y) {
    for (uint32_t r = 0; r < w->plan.form->points; r++)
        y[r] = combine(w, block, w->plan.form->weight[r], x, MG_TILE_TAPS, 0, 1);
}

// Transforms x, a matrix of from x from values, to one of to x to values, both row by row.
static void both_ways(MgWino *w, MgKBlock *block, Line *line, uint32_t from, uint32_t to,
                      const MgKx **x) {
    const MgKx *half[MG_TILE_POINTS * MG_TILE_POINTS], *in[MG_TILE_POINTS], *out[MG_TILE_POINTS];
    for (uint32_t i = 0; i < from; i++)
        line(w, block, x + i * from, half + i * to);
    for (uint32_t j = 0; j < to; j++) {
        for (uint32_t i = 0; i < from; i++)
            in[i] = half[i * to + j];
        line(w, block, in, out);
        for (uint32_t i = 0; i < to; i++)
            x[i * to + j] = out[i];
    }
}

void mg_wino_input(MgWino *w, MgKBlock *block, const MgKx **x) {
    both_ways(w, block, input_line, w->plan.form->points, w->plan.form->points, x);
}

void mg_wino_weight(MgWino *w, MgKBlock *block, const MgKx **x) {
    both_ways(w, block, weight_line, MG_TILE_TAPS, w->plan.form->points, x);
}

void mg_wino_output(MgWino *w, MgKBlock *block, const MgKx **x) {
    both_ways(w, block, output_line, w->plan.form->points, w->plan.form->outputs, x);
}
