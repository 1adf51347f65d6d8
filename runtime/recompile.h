// Compiles again what an instance runs, with its settings and sizes, to look at what the run itself
// has dropped: graphs, plans, schedules.
#ifndef MG_RUNTIME_RECOMPILE_H
#define MG_RUNTIME_RECOMPILE_H

#include "runtime/instance.h"

// Receives the graph before any pass, and the settings, which print nothing. The memory is the
// model's.
typedef void MgLook(void *ctx, MgGraph *g, const MgCompileSettings *settings);
// The instance must have been bound. False if memory runs out.
bool mg_recompile(MgInstance *instance, MgLook *look, void *ctx);

#endif
