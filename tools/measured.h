// --profile=FILE.mgs: schedules to read, edit and run again, with the measured times.
#ifndef MG_TOOLS_MEASURED_H
#define MG_TOOLS_MEASURED_H

#include "tools/profile.h"

// Writes them after the runs. False with a diagnostic.
bool mgc_measured_write(MgSession *session, const char *path, MgInstance *instance,
                        const MgcProfile *profile);

#endif
