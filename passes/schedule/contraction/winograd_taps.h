// Derivatives of convolutions with respect to their weights by the adjoint of Winograd's algorithm:
// what their recognition and sizes (winograd_taps.c), their nest and their emission share.
#ifndef MG_PASSES_SCHEDULE_CONTRACTION_WINOGRAD_TAPS_H
#define MG_PASSES_SCHEDULE_CONTRACTION_WINOGRAD_TAPS_H

#include "passes/schedule/contraction/winograd.h"

typedef struct MgTaps {
    MgWino w; // the image, and blocks of it. In its plan, a tile of products has mr maps
              // and nv vectors of channels; mr divides the lanes.
    const MgSx *gradient; // the other factor, whose places are those of the outputs
    int64_t maps;         // the plan: of a strip of results, a multiple of the lanes
    int64_t blocks;       // of all images
    struct {
        int64_t map, channel;   // their vectors
        int64_t strips, across; // strips of all results, and of those of the same maps
        int64_t product, sums;  // the elements of a product's sums of a strip, and of all of them
    } size;
    MgWinoPoints image, slope; // the factors' points
    MgWinoArea sums;
} MgTaps;

static inline int64_t mg_taps_width(const MgTaps *t) { // the channels of a strip
    return (int64_t)t->w.plan.nv * t->w.plan.lanes;
}

void mg_taps_derive(MgTaps *t); // sets what follows from the plan
// The elements of the largest buffer.
int64_t mg_taps_largest(const MgTaps *t);
void mg_taps_emit(MgTaps *t); // the body of the kernel
// winograd_nest.c: the plan as a nest, and back.
void mg_taps_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_taps_read(void *found, const MgGivenNest *given);

#endif
