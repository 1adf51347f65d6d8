// Compiles again what an instance runs, with its settings and sizes, to look at what the run itself
// has dropped: graphs, plans, schedules.
#ifndef MG_TOOLS_RECOMPILE_H
#define MG_TOOLS_RECOMPILE_H

#include "runtime/instance.h"

// Receives the graph before any pass, and the settings, which print nothing. The memory is the
// model's.
typedef void MgcLook(void *ctx, MgGraph *g, const MgCompileSettings *settings);
// False with a diagnostic of the session if memory runs out.
bool mgc_recompile(MgInstance *instance, MgSession *session, MgcLook *look, void *ctx);

#endif
