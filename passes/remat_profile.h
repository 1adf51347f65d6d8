// When the values that derivatives read are alive.
#ifndef MG_PASSES_REMAT_PROFILE_H
#define MG_PASSES_REMAT_PROFILE_H

#include "ir/graph.h"

typedef struct MgRematProfile { // by value
    double *saves;              // by how many bytes the peak may fall if it is not kept
    double *part;               // the part of all bytes for derivatives that is made before it
    bool *border;               // a later segment of the forward pass reads it
} MgRematProfile;

// bytes: by value, 0 if it takes none of the plan; late: by op; segments: are there borders?
MgRematProfile mg_remat_profile(MgGraph *g, const bool *late, const double *bytes, bool segments,
                                MgArena *arena);

#endif
