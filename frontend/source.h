// Reads source text from files, standard input and the embedded standard library.
#ifndef MG_FRONTEND_SOURCE_H
#define MG_FRONTEND_SOURCE_H

#include "support/diag.h"

#define MG_SOURCE_MAX ((size_t)256 << 20) // bytes of one file or text
#define MG_SOURCE_TOO_LARGE "the limit of a source is 256 MiB"

// Reads a file into the session ("-" is standard input), or asks the session's reader for it.
// Returns its source number, or 0 after a diagnostic at `from` (the import that asked, or
// mg_no_span()).
uint32_t mg_source_read(MgSession *session, const char *path, MgSpan from);

// Adds the module `name` of the standard library ("nn" for lang/std/nn.mg) to the session. Returns
// its source number, or 0 if there is no such module.
uint32_t mg_source_std(MgSession *session, const char *name);

#endif
