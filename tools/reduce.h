// Making a program smaller while it keeps a property: what mgc reduce and mgc bisect share.
#ifndef MG_TOOLS_REDUCE_H
#define MG_TOOLS_REDUCE_H

#include "support/mem.h"

#include <stddef.h>

// Does the program still show what is looked for? Its text can be read back.
typedef bool MgcInteresting(void *ctx, const char *text);

// The smallest program found, starting from `text` (which has the property), in the flat form, in
// arena. name: what the text is called, for messages and for files beside it. tried counts tests.
const char *mgc_reduce_text(MgArena *arena, const char *name, const char *text, const char *graph,
                            MgcInteresting *interesting, void *ctx, uint32_t *tried);

#endif
