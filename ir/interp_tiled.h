// What the error bounds of sums that are computed by tiles share (interp_tiled.c,
// interp_tiled_taps.c).
#ifndef MG_IR_INTERP_TILED_H
#define MG_IR_INTERP_TILED_H

#include "ir/interp_internal.h"

enum { MG_TILED_SQUARE = MG_TILE_POINTS * MG_TILE_POINTS };

typedef struct MgBounded {
    double x, e;
} MgBounded;

typedef struct MgTiledAxis { // an axis of the box over which a factor is evaluated
    uint32_t index;
    int64_t n;
} MgTiledAxis;

typedef struct MgTiles {
    MgInterpRun *run;
    const MgTiled *tiled;
    const MgTileForm *form;
    const MgPiece *piece;
    MgInterpProgram *image, *weight; // the weight: or the gradient
    uint32_t image_root, weight_root;
    int64_t *extent, *at;        // by index: its extent, and its current value
    double *pixels, *filters;    // the factors' values
    MgBounded *points, *weights; // of the current tile, by channel; by map and channel
    MgTiledBound *to;
} MgTiles;

// Replaces x, a square of `from` by `from`, by matrix * x * matrix transposed, of `to` by `to`.
// Each operation rounds by u.
void mg_tiled_both_ways(const double *matrix, uint32_t stride, uint32_t from, uint32_t to, double u,
                        MgBounded *x);
// Scales a square of points by the form's scale, in both directions.
void mg_tiled_scale(const MgTileForm *form, double u, MgBounded *x);
// Evaluates a factor over a box of four axes, row by row. The other indices keep their value in
// t->at.
bool mg_tiled_evaluate(MgTiles *t, MgInterpProgram *p, uint32_t root, const MgTiledAxis *axes,
                       double *values);
// Evaluates the image in the order channel, row, column, at the current values of other indices.
bool mg_tiled_read_image(MgTiles *t);
// Transforms one tile of a channel. What lies outside the image is 0.
void mg_tiled_transform(const MgTiles *t, int64_t channel, int64_t row, int64_t column,
                        MgBounded *square);
// The elements of a plane of the image.
int64_t mg_tiled_plane(const MgTiles *t);

// interp_tiled_taps.c: the bounds of the adjoint. Its arrays are allocated here.
bool mg_tiled_bound_taps(MgTiles *t);

#endif
