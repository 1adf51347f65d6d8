// The figures with which code is made: those of a file that the user names, those that `mgc probe
// --save` keeps for this machine in the cache's folder, or otherwise those of --march.
//
// A file can cost time, never a result. If the user named a file that has an error, the error is
// reported. If a file beside the compiled objects has an error, the file is ignored.
#ifndef MG_RUNTIME_MACHINE_FILE_H
#define MG_RUNTIME_MACHINE_FILE_H

#include "machines/machine.h"
#include "runtime/cache.h"
#include "support/diag.h"

// The path of a cache's file for this machine; NULL: the cache is not in use.
const char *mg_machine_default(MgSession *session, const MgCache *cache);
// Reads a file. False with a diagnostic.
bool mg_machine_load(MgSession *session, const char *path, MgMachine *machine);
// Interprets --machine: a file, a machine's name, "none", or NULL for the default of the cache
// (which may be NULL). *found lies in the session's memory; NULL: march's own figures. False with a
// diagnostic.
bool mg_machine_choose(MgSession *session, const char *which, const MgCache *cache,
                       const MgMachine **found);

#endif
