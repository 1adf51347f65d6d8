// A loop while its derivative is made: loop.c has the loop itself, trips.c what need not be carried
// from trip to trip.
#ifndef MG_DERIVE_LOOP_H
#define MG_DERIVE_LOOP_H

#include "derive/internal.h"

// A value from outside of which each trip reads a part of its own: y[.., at, ..] on one axis.
typedef struct MgTripPart {
    MgValueId whole, part; // part: a value of the backward body
    uint32_t axis;
    MgIx at;       // over the forward counter
    MgValueId all; // the adjoints of the parts, trip by trip: a result of the backward loop
} MgTripPart;

// An adjoint of a value from outside that is summed over all trips once the loop is over.
typedef struct MgDeferred {
    MgValueId to;
    MgOpId op;    // in the backward body: the sum of one trip
    MgSlab *slab; // which it gives, or NULL
} MgDeferred;

// A value of the backward body that leaves it trip by trip.
typedef struct MgEmitted {
    MgValueId value, all;
} MgEmitted;

typedef struct MgBackward {
    MgDerivation *d; // around the loop
    MgDerivation in; // its body, backward
    MgOp op;         // the forward loop
    MgLoop loop;
    MgOpId made;                         // the backward loop
    MgValueId *yields, *params, *states; // of the forward body; states: params, trip by trip
    MgValueList read;                    // values from outside that the body reads
    MgValueList inits, carried, next;    // of the backward loop
    MG_VEC(MgTripPart) parts;
    MG_VEC(MgDeferred) deferred;
    MG_VEC(MgEmitted) emitted;
    MgIx trips;
    MgIx trip;         // the forward trip number that counter u stands for, less low
    MgMap copies;      // forward value -> its copy in the backward body
    MgOpId first, end; // the copied ops
} MgBackward;

// ---------------------------------------------------------------- loop.c
// The forward loop's result that has a value of its body, trip by trip.
MgValueId mg_keep(MgBackward *b, MgValueId v);
// The part of a stacked value, or of its adjoint, that belongs to the trip. like: one part.
MgValueId mg_at_trip(MgBackward *b, MgValueId stacked, MgValueId like, bool adjoint);

// ---------------------------------------------------------------- trips.c
// The forward counter in the backward body: an MgIxMapFn of an MgBackward.
bool mg_map_counter(void *b, MgIxSym s, MgIx *to);
// Takes values from b->read of which each trip reads a part, and makes the parts.
void mg_find_parts(MgBackward *b);
// Makes the copied ops read the parts.
void mg_read_parts(MgBackward *b);
// Makes the backward part read what the forward loop found, instead of the body's copy, where that
// depends on carried values. All that reaches values must have been made.
void mg_keep_residuals(MgBackward *b);
// Takes from the adjoints of a value from outside those that can be summed after the loop.
void mg_defer(MgBackward *b, MgValueId v);
// Hands on what the parts' adjoints and the deferred sums give, after the loop.
void mg_close_trips(MgBackward *b);
// Erases equations of the backward body that nothing reads. The loop must be complete.
void mg_drop_unused(MgBackward *b);

#endif
