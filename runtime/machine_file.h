// Which machine's figures code is made by: those of a file that the user names, or those that
// `mgc probe --save` keeps for this machine in the cache's folder, or else those of --march.
//
// A file can cost time, never a result. One that the user named and that has an error is reported;
// one that is found beside the compiled objects is then as if it were not there.
#ifndef MG_RUNTIME_MACHINE_FILE_H
#define MG_RUNTIME_MACHINE_FILE_H

#include "machines/machine.h"
#include "runtime/cache.h"
#include "support/diag.h"

// The path of a cache's file for this machine; NULL: the cache is not in use.
const char *mg_machine_default(MgSession *session, const MgCache *cache);
// Reads a file. False with a diagnostic.
bool mg_machine_load(MgSession *session, const char *path, MgMachine *machine);
// What --machine says: a file, a machine's name, "none", or NULL for the default of the cache
// (which may be NULL). *found: it lies in the session's memory; NULL: march's own. False with a
// diagnostic.
bool mg_machine_choose(MgSession *session, const char *which, const MgCache *cache,
                       const MgMachine **found);

#endif
