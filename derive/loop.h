// A loop under derivation: loop.c has the loop itself, trips.c the values that need not be carried
// from trip to trip.
#ifndef MG_DERIVE_LOOP_H
#define MG_DERIVE_LOOP_H

#include "derive/internal.h"

// A value from outside of which each trip reads its own part: y[.., at, ..] on one axis.
typedef struct MgTripPart {
    MgValueId whole, part; // part: a value of the backward body
    uint32_t axis;
    MgIx at;       // over the forward counter
    MgValueId all; // the adjoints of the parts, stacked by trip: a result of the backward loop
} MgTripPart;

// The adjoint of a value from outside, if it is summed over all trips after the loop.
typedef struct MgDeferred {
    MgValueId to;
    MgOpId op;    // the op of the backward body that computes the sum of one trip
    MgSlab *slab; // the slab for which it is the sum, or NULL
} MgDeferred;

// A value of the backward body that the loop emits in each trip.
typedef struct MgEmitted {
    MgValueId value, all;
} MgEmitted;

typedef struct MgBackward {
    MgDerivation *d; // around the loop
    MgDerivation in; // inside its body, backward
    MgOp op;         // the forward loop
    MgLoop loop;
    MgOpId made;                         // the backward loop
    MgValueId *yields, *params, *states; // of the forward body; states: its params, stacked by trip
    MgValueList read;                    // values from outside that the body reads
    MgValueList inits, carried, next;    // of the backward loop
    MG_VEC(MgTripPart) parts;
    MG_VEC(MgDeferred) deferred;
    MG_VEC(MgEmitted) emitted;
    MgIx trips;
    MgIx trip;         // the forward trip number for which the counter u stands, minus low
    MgMap copies;      // forward value -> its copy in the backward body
    MgOpId first, end; // the copied ops
} MgBackward;

// ---------------------------------------------------------------- loop.c
// The forward loop's result that stacks a value of its body by trip.
MgValueId mg_keep(MgBackward *b, MgValueId v);
// The part of a stacked value, or of its adjoint, for the current trip. like: a value of the part's
// type.
MgValueId mg_at_trip(MgBackward *b, MgValueId stacked, MgValueId like, bool adjoint);

// ---------------------------------------------------------------- trips.c
// An MgIxMapFn of an MgBackward: replaces the forward counter in the backward body.
bool mg_map_counter(void *b, MgIxSym s, MgIx *to);
// Takes values of which each trip reads a part out of b->read, and makes the parts.
void mg_find_parts(MgBackward *b);
// Makes the copied ops read the parts.
void mg_read_parts(MgBackward *b);
// Replaces copies in the backward body that depend on carried values by values that the forward
// loop emits. Call it when all adjoints have been made.
void mg_keep_residuals(MgBackward *b);
// Among the contributions to a value from outside, takes out those that can be summed after the
// loop.
void mg_defer(MgBackward *b, MgValueId v);
// After the loop, adds the adjoints of the parts and the deferred sums to those of their values.
void mg_close_trips(MgBackward *b);
// Erases equations of the backward body that nothing reads. The loop must be complete.
void mg_drop_unused(MgBackward *b);

#endif
