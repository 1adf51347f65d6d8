// The difference of two texts, line by line.
#ifndef MG_SUPPORT_DIFF_H
#define MG_SUPPORT_DIFF_H

#include "support/text.h"

// Appends a unified diff with three lines of context, without its header; nothing if the texts are
// equal. color: uses the escape codes of a terminal.
void mg_diff(const char *before, const char *after, bool color, MgText *out);

#endif
