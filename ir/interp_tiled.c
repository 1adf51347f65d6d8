// The error bound of a sum of products that a bilinear algorithm computes by tiles.
//
// Such an algorithm transforms the image and the weights, sums products over channels, and
// transforms the sums. Each of these steps is itself a sum. As everywhere in the interpreter, a sum
// of K terms rounds by sqrt(K) u sum |term|. It turns the errors e_k of its terms into their root
// mean square times sqrt(K), since they are roundings of different numbers. Both rules are applied
// to each step in turn, with the values of the tile at hand. (The worst case has K in place of
// sqrt(K), and sums of magnitudes: Barabasz, Anderson, Soodhalter and Gregg, "Error analysis and
// improving the accuracy of Winograd convolution for deep neural networks", ACM Transactions on
// Mathematical Software, 2020.) Factors count as exact: the definition's own bound has their
// errors, and the algorithm passes them on as the definition does.
#include "ir/interp_tiled.h"

// ---------------------------------------------------------------- sums
// The sum of factors[j] * x[j * step], where each operation rounds by u.
static MgBounded combine(const double *factors, const MgBounded *x, uint32_t n, uint32_t step,
                         double u) {
    MgBounded y = {0, 0};
    double magnitude = 0, squares = 0;
    uint32_t terms = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (factors[j] == 0) // the algorithm skips it, so an infinity there doesn't count
            continue;
        const MgBounded *term = &x[(size_t)j * step];
        y.x += factors[j] * term->x;
        squares += factors[j] * factors[j] * term->e * term->e;
        magnitude += fabs(factors[j] * term->x);
        terms++;
    }
    if (terms > 1)
        squares += terms * u * u * magnitude * magnitude;
    y.e = sqrt(squares);
    return y;
}

void mg_tiled_both_ways(const double *matrix, uint32_t stride, uint32_t from, uint32_t to, double u,
                        MgBounded *x) {
    MgBounded half[MG_TILED_SQUARE];
    for (uint32_t i = 0; i < from; i++)
        for (uint32_t r = 0; r < to; r++)
            half[i * to + r] = combine(matrix + (size_t)r * stride, x + i * from, from, 1, u);
    for (uint32_t r = 0; r < to; r++)
        for (uint32_t i = 0; i < to; i++)
            x[r * to + i] = combine(matrix + (size_t)r * stride, half + i, from, to, u);
}

void mg_tiled_scale(const MgTileForm *form, double u, MgBounded *x) {
    for (uint32_t k = 0; k < form->points * form->points; k++) {
        double by = form->scale[k / form->points] * form->scale[k % form->points];
        x[k].x *= by; // the factor is rounded, and so is the result
        x[k].e = sqrt(by * by * x[k].e * x[k].e + 2 * u * u * x[k].x * x[k].x);
    }
}

// ---------------------------------------------------------------- factors
bool mg_tiled_evaluate(MgTiles *t, MgInterpProgram *p, uint32_t root, const MgTiledAxis *axes,
                       double *values) {
    int64_t n = axes[0].n * axes[1].n * axes[2].n * axes[3].n;
    for (int64_t done = 0; done < n; done += MG_INTERP_LANES) {
        uint32_t lanes = n - done < MG_INTERP_LANES ? (uint32_t)(n - done) : MG_INTERP_LANES;
        for (uint32_t l = 0; l < lanes; l++) {
            int64_t left = done + l;
            for (uint32_t a = 4; a-- > 0; left /= axes[a].n)
                t->at[axes[a].index] = left % axes[a].n;
            for (uint32_t k = 0; k < t->piece->n_indices; k++)
                p->regs.at[p->index[k]].v.i[l] = t->at[k];
        }
        if (!mg_interp_program_run(t->run, p, lanes))
            return false;
        memcpy(values + done, p->regs.at[root].v.f, lanes * sizeof *values);
    }
    return true;
}

// The number of a tap in the weights' square, which runs forward.
static uint32_t tap_at(const MgTiled *d, uint32_t k) {
    uint32_t row = k / MG_TILE_TAPS, column = k % MG_TILE_TAPS;
    row = d->backward[0] ? MG_TILE_TAPS - 1 - row : row;
    return row * MG_TILE_TAPS + (d->backward[1] ? MG_TILE_TAPS - 1 - column : column);
}

// The transformed weights. They are computed in f32, unless that is done once for all runs.
static bool transform_weights(MgTiles *t) {
    const MgTiled *d = t->tiled;
    int64_t channels = t->extent[d->channel], n = t->extent[d->map] * channels;
    const MgTiledAxis axes[] = {{d->map, t->extent[d->map]},
                                {d->channel, channels},
                                {d->tap[0], MG_TILE_TAPS},
                                {d->tap[1], MG_TILE_TAPS}};
    if (!mg_tiled_evaluate(t, t->weight, t->weight_root, axes, t->filters))
        return false;
    double u = mg_interp_unit_roundoff(MG_F32);
    for (int64_t i = 0; i < n; i++) {
        MgBounded *square = &t->weights[i * MG_TILED_SQUARE];
        for (uint32_t k = 0; k < MG_TILE_TAPS * MG_TILE_TAPS; k++)
            square[k] = (MgBounded){t->filters[i * MG_TILE_TAPS * MG_TILE_TAPS + tap_at(d, k)], 0};
        mg_tiled_both_ways(*t->form->weight, MG_TILE_TAPS, MG_TILE_TAPS, t->form->points, u,
                           square);
        mg_tiled_scale(t->form, u, square);
    }
    return true;
}

bool mg_tiled_read_image(MgTiles *t) {
    const MgTiled *d = t->tiled;
    t->at[d->map] = 0;
    for (uint32_t i = 0; i < 2; i++)
        t->at[d->tap[i]] = d->backward[i] ? MG_TILE_TAPS - 1 : 0;
    const MgTiledAxis axes[] = {{d->map, 1},
                                {d->channel, t->extent[d->channel]},
                                {d->place[0], t->extent[d->place[0]] + MG_TILE_TAPS - 1},
                                {d->place[1], t->extent[d->place[1]] + MG_TILE_TAPS - 1}};
    return mg_tiled_evaluate(t, t->image, t->image_root, axes, t->pixels);
}

int64_t mg_tiled_plane(const MgTiles *t) {
    return (t->extent[t->tiled->place[0]] + MG_TILE_TAPS - 1) *
           (t->extent[t->tiled->place[1]] + MG_TILE_TAPS - 1);
}

void mg_tiled_transform(const MgTiles *t, int64_t channel, int64_t row, int64_t column,
                        MgBounded *square) {
    uint32_t n = t->form->points;
    int64_t height = t->extent[t->tiled->place[0]] + MG_TILE_TAPS - 1;
    int64_t width = t->extent[t->tiled->place[1]] + MG_TILE_TAPS - 1;
    const double *pixels = &t->pixels[channel * height * width];
    for (uint32_t k = 0; k < n * n; k++) {
        int64_t y = row + k / n, x = column + k % n;
        square[k] = (MgBounded){y < height && x < width ? pixels[y * width + x] : 0, 0};
    }
    mg_tiled_both_ways(*t->form->input, MG_TILE_POINTS, n, n, mg_interp_unit_roundoff(MG_F32),
                       square);
}

// ---------------------------------------------------------------- tiles
static MgBounded sum_of_products(const MgTiles *t, const MgBounded *weights, uint32_t k) {
    int64_t channels = t->extent[t->tiled->channel];
    MgBounded y = {0, 0};
    double magnitude = 0, squares = 0, u = mg_interp_unit_roundoff(MG_F32);
    for (int64_t c = 0; c < channels; c++) {
        MgBounded w = weights[c * MG_TILED_SQUARE + k], x = t->points[c * MG_TILED_SQUARE + k];
        y.x += w.x * x.x;
        squares += w.x * w.x * x.e * x.e + x.x * x.x * w.e * w.e;
        magnitude += fabs(w.x * x.x);
    }
    y.e = sqrt(squares + (double)channels * u * u * magnitude * magnitude);
    return y;
}

static void bound_tile(MgTiles *t, int64_t row, int64_t column) {
    const MgTiled *d = t->tiled;
    uint32_t n = t->form->points, m = t->form->outputs;
    for (int64_t c = 0; c < t->extent[d->channel]; c++)
        mg_tiled_transform(t, c, row, column, &t->points[c * MG_TILED_SQUARE]);
    for (int64_t map = 0; map < t->extent[d->map]; map++) {
        const MgBounded *weights = &t->weights[map * t->extent[d->channel] * MG_TILED_SQUARE];
        MgBounded square[MG_TILED_SQUARE];
        for (uint32_t k = 0; k < n * n; k++)
            square[k] = sum_of_products(t, weights, k);
        mg_tiled_both_ways(*t->form->output, MG_TILE_POINTS, n, m, mg_interp_unit_roundoff(MG_F32),
                           square);
        t->at[d->map] = map;
        for (uint32_t k = 0; k < m * m; k++) {
            t->at[d->place[0]] = row + k / m;
            t->at[d->place[1]] = column + k % m;
            bool inside = t->at[d->place[0]] < t->extent[d->place[0]] &&
                          t->at[d->place[1]] < t->extent[d->place[1]];
            if (inside && isfinite(square[k].e)) // otherwise it is summed as defined
                t->to->e[mg_interp_tiled_place(t->to, t->at)] = square[k].e;
        }
    }
}

// Goes on to the next point of the free indices, apart from the tile's and the map's.
static bool next_batch(MgTiles *t) {
    const MgTiled *d = t->tiled;
    for (uint32_t k = t->piece->n_free; k-- > 0;) {
        if (k == d->map || k == d->place[0] || k == d->place[1])
            continue;
        if (++t->at[k] < t->extent[k])
            return true;
        t->at[k] = 0;
    }
    return false;
}

static bool bound_all(MgTiles *t) {
    const MgTiled *d = t->tiled;
    do {
        if (!transform_weights(t) || !mg_tiled_read_image(t))
            return false;
        for (int64_t row = 0; row < t->extent[d->place[0]]; row += t->form->outputs)
            for (int64_t column = 0; column < t->extent[d->place[1]]; column += t->form->outputs)
                bound_tile(t, row, column);
    } while (next_batch(t));
    return true;
}

static MgInterpProgram *compile(MgInterpRun *run, const MgPiece *piece, const MgSx *x,
                                const MgInterpTensor *const *operands, uint32_t *root) {
    MgInterpProgram *p = mg_interp_program_new(run, piece->n_indices);
    *root = mg_interp_program_sx(run, p, x, operands);
    return p;
}

size_t mg_interp_tiled_place(const MgTiledBound *b, const int64_t *at) {
    int64_t place = 0;
    for (uint32_t k = 0; k < b->n; k++)
        place = place * b->extent[k] + at[k];
    return (size_t)place;
}

bool mg_interp_tiled_bound(MgInterpRun *run, const MgTiled *tiled, const MgPiece *piece,
                           const MgInterpTensor *const *operands, MgTiledBound *to) {
    MgArena *scratch = run->scratch;
    MgTiles t = {.run = run, .tiled = tiled, .form = tiled->form, .piece = piece, .to = to};
    t.extent = MG_NEW_N(scratch, int64_t, piece->n_indices);
    t.at = MG_NEW_N(scratch, int64_t, piece->n_indices);
    bool ok = true;
    size_t all = 1;
    for (uint32_t k = 0; k < piece->n_indices; k++) {
        t.extent[k] = mg_interp_run_ix(run, piece->indices[k].high, &ok);
        if (!ok || t.extent[k] < 0)
            return mg_interp_run_fail(run, MG_D_interp_overflow);
        if (k < piece->n_free)
            all *= (size_t)t.extent[k]; // at most as many as the result has elements
    }
    *to = (MgTiledBound){MG_NEW_N(scratch, double, all), t.extent, piece->n_free};
    if (!all)
        return true;
    t.image = compile(run, piece, piece->expr->args[tiled->image], operands, &t.image_root);
    t.weight = compile(run, piece, piece->expr->args[1 - tiled->image], operands, &t.weight_root);
    size_t channels = (size_t)t.extent[tiled->channel];
    size_t weights = (size_t)t.extent[tiled->map] * channels;
    t.pixels = mg_arena_alloc(scratch, channels * (size_t)mg_tiled_plane(&t), sizeof *t.pixels);
    if (tiled->of_taps)
        return mg_tiled_bound_taps(&t);
    t.filters = mg_arena_alloc(scratch, weights * MG_TILE_TAPS * MG_TILE_TAPS, sizeof *t.filters);
    t.points = mg_arena_alloc(scratch, channels * MG_TILED_SQUARE, sizeof *t.points);
    t.weights = mg_arena_alloc(scratch, weights * MG_TILED_SQUARE, sizeof *t.weights);
    return bound_all(&t);
}
