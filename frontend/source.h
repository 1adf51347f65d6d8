// Where source text comes from: files, standard input, and the embedded standard library.
#ifndef MG_FRONTEND_SOURCE_H
#define MG_FRONTEND_SOURCE_H

#include "support/diag.h"

#define MG_SOURCE_MAX ((size_t)256 << 20) // bytes of one file or text
#define MG_SOURCE_TOO_LARGE "the limit of a source is 256 MiB"

// Reads a file into the session ("-" is standard input). Returns its source number, or 0 with a
// diagnostic at `from` (the import that asked for it, or mg_no_span()).
uint32_t mg_source_read(MgSession *session, const char *path, MgSpan from);

// The module `name` of the standard library ("nn" for lang/std/nn.mg); 0 if there is none.
uint32_t mg_source_std(MgSession *session, const char *name);

#endif
