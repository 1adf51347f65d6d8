// Converts positions, ranges and URIs between the protocol and the compiler.
//
// LSP counts lines and the units within a line, which are UTF-16 by default or UTF-8 if the client
// supports it; the compiler counts bytes.
#ifndef MG_EDITOR_TEXT_H
#define MG_EDITOR_TEXT_H

#include <cjson/cJSON.h>

#include "support/diag.h"

typedef enum MgEncoding { MG_UTF16, MG_UTF8 } MgEncoding;

// The byte at a Position. A Position past the end of a line or text means that end. False if the
// JSON is not a Position.
bool mg_position_read(const cJSON *position, const char *text, size_t length, MgEncoding encoding,
                      uint32_t *offset);
bool mg_range_read(const cJSON *range, const char *text, size_t length, MgEncoding encoding,
                   uint32_t *begin, uint32_t *end);
cJSON *mg_position_json(const MgSource *source, uint32_t offset, MgEncoding encoding);
cJSON *mg_range_json(const MgSource *source, uint32_t begin, uint32_t end, MgEncoding encoding);
// The number of units in n bytes of text.
uint32_t mg_text_units(const char *text, size_t n, MgEncoding encoding);

// file:///a%20b → /a b, malloc'd; a copy of any other URI. NULL: out of memory.
char *mg_uri_to_path(const char *uri);
char *mg_path_to_uri(const char *path); // malloc'd; a copy unless the path is absolute

// The member `name` of an object if it is a string, else NULL.
const char *mg_json_text(const cJSON *object, const char *name);
// A whole number from 0 to INT32_MAX, else -1.
int32_t mg_json_number(const cJSON *object, const char *name);

#endif
