// The error bound of the adjoint of a tiled sum, for its taps: products of an image's points and a
// gradient's are summed over all tiles, and taps are made of the sums. The rules are those of
// interp_tiled.c.
#include "ir/interp_tiled.h"

typedef struct Sum { // of products
    double x, squares, magnitude;
} Sum;

typedef struct Taps {
    MgTiles *t;
    Sum *sums;         // by map, channel and point
    MgBounded *slopes; // of the current tile, by map
    uint64_t terms;    // of each sum
} Taps;

static void transpose(const double *matrix, uint32_t stride, uint32_t rows, uint32_t columns,
                      double *to) {
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            to[j * MG_TILE_POINTS + i] = matrix[i * stride + j];
}

static bool read_gradient(MgTiles *t) {
    const MgTiled *d = t->tiled;
    t->at[d->channel] = 0;
    const MgTiledAxis axes[] = {{d->channel, 1},
                                {d->map, t->extent[d->map]},
                                {d->place[0], t->extent[d->place[0]]},
                                {d->place[1], t->extent[d->place[1]]}};
    return mg_tiled_evaluate(t, t->weight, t->weight_root, axes, t->filters);
}

// The gradient's points in one tile. What lies outside is 0.
static void transform_gradient(Taps *taps, int64_t row, int64_t column) {
    MgTiles *t = taps->t;
    uint32_t n = t->form->outputs, points = t->form->points;
    int64_t height = t->extent[t->tiled->place[0]], width = t->extent[t->tiled->place[1]];
    double matrix[MG_TILED_SQUARE];
    transpose(*t->form->output, MG_TILE_POINTS, n, points, matrix);
    for (int64_t m = 0; m < t->extent[t->tiled->map]; m++) {
        MgBounded *square = &taps->slopes[m * MG_TILED_SQUARE];
        for (uint32_t k = 0; k < n * n; k++) {
            int64_t y = row + k / n, x = column + k % n;
            bool inside = y < height && x < width;
            square[k] = (MgBounded){inside ? t->filters[(m * height + y) * width + x] : 0, 0};
        }
        mg_tiled_both_ways(matrix, MG_TILE_POINTS, n, points, mg_interp_unit_roundoff(MG_F32),
                           square);
    }
}

static void add_tile(Taps *taps, int64_t row, int64_t column) {
    MgTiles *t = taps->t;
    uint32_t n = t->form->points * t->form->points;
    int64_t channels = t->extent[t->tiled->channel], maps = t->extent[t->tiled->map];
    transform_gradient(taps, row, column);
    for (int64_t c = 0; c < channels; c++) {
        MgBounded square[MG_TILED_SQUARE];
        mg_tiled_transform(t, c, row, column, square);
        for (int64_t m = 0; m < maps; m++)
            for (uint32_t k = 0; k < n; k++) {
                MgBounded x = square[k], g = taps->slopes[m * MG_TILED_SQUARE + k];
                Sum *sum = &taps->sums[(m * channels + c) * MG_TILED_SQUARE + k];
                sum->x += x.x * g.x;
                sum->squares += x.x * x.x * g.e * g.e + g.x * g.x * x.e * x.e;
                sum->magnitude += fabs(x.x * g.x);
            }
    }
    taps->terms++;
}

// Goes on to the next point of the bound indices apart from the places.
static bool next_batch(MgTiles *t) {
    const MgTiled *d = t->tiled;
    for (uint32_t k = t->piece->n_indices; k-- > t->piece->n_free;) {
        if (k == d->place[0] || k == d->place[1])
            continue;
        if (++t->at[k] < t->extent[k])
            return true;
        t->at[k] = 0;
    }
    return false;
}

// Makes taps of the sums of a map and a channel.
static void bound_square(Taps *taps, int64_t map, int64_t channel) {
    MgTiles *t = taps->t;
    const MgTiled *d = t->tiled;
    uint32_t points = t->form->points;
    double u = mg_interp_unit_roundoff(MG_F32), matrix[MG_TILED_SQUARE];
    const Sum *sums = &taps->sums[(map * t->extent[d->channel] + channel) * MG_TILED_SQUARE];
    MgBounded square[MG_TILED_SQUARE];
    for (uint32_t k = 0; k < points * points; k++) {
        double rounding = (double)taps->terms * u * u * sums[k].magnitude * sums[k].magnitude;
        square[k] = (MgBounded){sums[k].x, sqrt(sums[k].squares + rounding)};
    }
    mg_tiled_scale(t->form, u, square);
    transpose(*t->form->weight, MG_TILE_TAPS, points, MG_TILE_TAPS, matrix);
    mg_tiled_both_ways(matrix, MG_TILE_POINTS, points, MG_TILE_TAPS, u, square);
    t->at[d->map] = map;
    t->at[d->channel] = channel;
    for (uint32_t k = 0; k < MG_TILE_TAPS * MG_TILE_TAPS; k++) {
        t->at[d->tap[0]] = k / MG_TILE_TAPS;
        t->at[d->tap[1]] = k % MG_TILE_TAPS;
        if (isfinite(square[k].e)) // otherwise it is summed as defined
            t->to->e[mg_interp_tiled_place(t->to, t->at)] = square[k].e;
    }
}

bool mg_tiled_bound_taps(MgTiles *t) {
    const MgTiled *d = t->tiled;
    int64_t height = t->extent[d->place[0]], width = t->extent[d->place[1]];
    size_t maps = (size_t)t->extent[d->map], channels = (size_t)t->extent[d->channel];
    MgArena *scratch = t->run->scratch;
    Taps taps = {.t = t,
                 .sums = MG_NEW_N(scratch, Sum, maps * channels * MG_TILED_SQUARE),
                 .slopes = MG_NEW_N(scratch, MgBounded, maps * MG_TILED_SQUARE)};
    t->filters = mg_arena_alloc(scratch, maps * (size_t)height * (size_t)width, sizeof *t->filters);
    do {
        if (!mg_tiled_read_image(t) || !read_gradient(t))
            return false;
        for (int64_t row = 0; row < height; row += t->form->outputs)
            for (int64_t column = 0; column < width; column += t->form->outputs)
                add_tile(&taps, row, column);
    } while (next_batch(t));
    for (int64_t m = 0; m < t->extent[d->map]; m++)
        for (int64_t c = 0; c < t->extent[d->channel]; c++)
            bound_square(&taps, m, c);
    return true;
}
