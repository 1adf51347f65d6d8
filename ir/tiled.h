// Sums of products that a schedule computes by tiles, with a bilinear algorithm.
//
// Such an algorithm computes the same result as the definition, but rounds at other places. A
// schedule that uses one records it in the program (MgSite.tiled), and a checker passes it to the
// interpreter (MgInterpOptions), so that only these ops get the algorithm's error bound.
#ifndef MG_IR_TILED_H
#define MG_IR_TILED_H

#include "ir/graph.h"

enum { MG_TILE_TAPS = 3, MG_TILE_POINTS = 6, MG_TILE_OUTPUTS = 4 }; // the maxima over all forms

// One form. Along each of two directions it computes `outputs` sums of MG_TILE_TAPS products each
// from `points` products: output * ((scale . (weight * w)) . (input * x)), where x has the points =
// outputs + MG_TILE_TAPS - 1 places that a tile reads. The matrices have whole numbers.
typedef struct MgTileForm {
    uint32_t outputs, points;
    double input[MG_TILE_POINTS][MG_TILE_POINTS], weight[MG_TILE_POINTS][MG_TILE_TAPS],
        scale[MG_TILE_POINTS], output[MG_TILE_OUTPUTS][MG_TILE_POINTS];
} MgTileForm;

// An equation computed in such a form. It has one piece, a sum over a channel and two taps of an
// image times a weight; or the adjoint of such a sum, for the taps, which sums over the places, and
// any other bound indices, of an image times a gradient. All its indices begin at 0.
typedef struct MgTiled {
    const MgTileForm *form;
    bool of_taps;              // the adjoint: the channel is free, and the gradient takes the place
                               // of the weight
    uint32_t image;            // which argument of the product; the weight is the other one
    uint32_t place[2], tap[2]; // indices, rows first: the image depends on place + tap only,
    bool backward[2];          // or on place - tap
    uint32_t channel, map;     // indices: the channel is bound and in both factors; the map is free
                               // and in the weight
} MgTiled;

typedef struct MgTiledOp {
    MgOpId op;
    const MgTiled *tiled;
} MgTiledOp;

#endif
