// Makes a program smaller while it keeps a property. mgc reduce and mgc bisect share this.
#ifndef MG_TOOLS_REDUCE_H
#define MG_TOOLS_REDUCE_H

#include "support/mem.h"

#include <stddef.h>

// Does the program still have the property? Its text can be parsed.
typedef bool MgcInteresting(void *ctx, const char *text);

// The smallest program that was found from `text`, which has the property. The result is in the
// flat form and lives in arena. name is the text's path, for messages and for the files beside it.
// tried receives the number of tests.
const char *mgc_reduce_text(MgArena *arena, const char *name, const char *text, const char *graph,
                            MgcInteresting *interesting, void *ctx, uint32_t *tried);

#endif
