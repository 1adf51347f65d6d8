// What mgc tune found, as a file: the machine, then a line for each unit with its parameters.
//
//   mg tuned 1
//   machine native 8d0fcad7f3a51f2e llvm 19.1.7 # what people call it
//   unit 89abcdef01234567 contraction.rows=12 contraction.depth=512 # anything
//   every window.rows=2
//
// `every`, which mgc tune does not write, is for units without a line of their own.
//
// Such a file may be old, damaged or another machine's. It can cost time, never a result. If the
// user named a file that has an error, the error is reported. If a file beside the compiled objects
// has an error, the file is ignored.
#ifndef MG_RUNTIME_TUNED_H
#define MG_RUNTIME_TUNED_H

#include "passes/schedule/tuning.h"
#include "runtime/cache.h"
#include "support/diag.h"
#include "support/text.h"

// The name of this machine in such files, in the session's arena.
const char *mg_tuned_machine(MgSession *session);
// The path of a cache's file for this machine; NULL: the cache is not in use.
const char *mg_tuned_default(MgSession *session, const MgCache *cache);
// Fills in at and n, in the session. Another machine's file gives a warning and no parameters.
// Parameters that this version lacks are skipped without a message. False with a diagnostic if the
// file can't be read or has another format. quiet: no diagnostics.
bool mg_tuned_read(MgSession *session, const char *path, bool quiet, MgTuning *tuning);
// The same for a compilation: path is as the user gave it, "" for none, NULL for the default of the
// cache (which may be NULL).
bool mg_tuned_find(MgSession *session, const char *path, const MgCache *cache, MgTuning *tuning);
// Prints the file's text, with a readable name of the machine. notes[i] follows the unit of entry i
// (NULL: nothing).
void mg_tuned_print(MgSession *session, const char *name, const MgTuning *tuning,
                    const char *const *notes, MgText *out);

#endif
