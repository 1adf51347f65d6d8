// What an instance runs, compiled again (runtime/recompile.h) for a command that prints it.
#ifndef MG_TOOLS_RECOMPILE_H
#define MG_TOOLS_RECOMPILE_H

#include "runtime/recompile.h"

// False with a diagnostic of the session if memory runs out.
bool mgc_recompile(MgInstance *instance, MgSession *session, MgLook *look, void *ctx);

#endif
