// Positions, ranges and URIs.
#include "editor/text.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- units
// The length of the character at text, of at most n bytes; at least 1, even if it is invalid.
static size_t character(const char *text, size_t n) {
    unsigned char c = (unsigned char)*text;
    size_t length = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return length < n ? length : n;
}

static uint32_t units_of(size_t bytes, MgEncoding encoding) {
    return encoding == MG_UTF8 ? (uint32_t)bytes : bytes == 4 ? 2 : 1;
}

uint32_t mg_text_units(const char *text, size_t n, MgEncoding encoding) {
    uint32_t units = 0;
    for (size_t i = 0; i < n;) {
        size_t bytes = character(text + i, n - i);
        units += units_of(bytes, encoding);
        i += bytes;
    }
    return units;
}

// ---------------------------------------------------------------- positions
bool mg_position_read(const cJSON *position, const char *text, size_t length, MgEncoding encoding,
                      uint32_t *offset) {
    int32_t line = mg_json_number(position, "line");
    int32_t units = mg_json_number(position, "character");
    size_t at = 0;
    if (line < 0 || units < 0)
        return false;
    for (; line; line--) {
        const char *end = memchr(text + at, '\n', length - at);
        if (!end)
            break;
        at = (size_t)(end - text) + 1;
    }
    if (line)
        at = length;
    for (uint32_t seen = 0; at < length && text[at] != '\n' && seen < (uint32_t)units;) {
        size_t bytes = character(text + at, length - at);
        seen += units_of(bytes, encoding);
        if (encoding == MG_UTF8 && seen > (uint32_t)units) // within a character
            break;
        at += bytes;
    }
    *offset = (uint32_t)at;
    return true;
}

bool mg_range_read(const cJSON *range, const char *text, size_t length, MgEncoding encoding,
                   uint32_t *begin, uint32_t *end) {
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(range, "start");
    const cJSON *to = cJSON_GetObjectItemCaseSensitive(range, "end");
    return mg_position_read(from, text, length, encoding, begin) &&
           mg_position_read(to, text, length, encoding, end) && *begin <= *end;
}

typedef struct Position {
    uint32_t line, character;
} Position;

static Position position_of(const MgSource *source, uint32_t offset, MgEncoding encoding) {
    offset = offset < source->length ? offset : source->length;
    uint32_t line = mg_source_line(source, offset), begin = source->lines[line];
    return (Position){line,
                      (uint32_t)mg_text_units(source->text + begin, offset - begin, encoding)};
}

// Positions are most of the output, so they are written as text at once, not node by node.
cJSON *mg_position_json(const MgSource *source, uint32_t offset, MgEncoding encoding) {
    char text[64];
    Position at = position_of(source, offset, encoding);
    snprintf(text, sizeof text, "{\"line\":%u,\"character\":%u}", at.line, at.character);
    return cJSON_CreateRaw(text);
}

cJSON *mg_range_json(const MgSource *source, uint32_t begin, uint32_t end, MgEncoding encoding) {
    char text[128];
    Position from = position_of(source, begin, encoding), to = position_of(source, end, encoding);
    snprintf(text, sizeof text,
             "{\"start\":{\"line\":%u,\"character\":%u},\"end\":{\"line\":%u,\"character\":%u}}",
             from.line, from.character, to.line, to.character);
    return cJSON_CreateRaw(text);
}

// ---------------------------------------------------------------- URIs
static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *mg_uri_to_path(const char *uri) {
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return strdup(uri);
    const char *from = strchr(uri + sizeof scheme - 1, '/'); // after the host, which is empty
    if (!from)
        return strdup(uri);
    char *path = malloc(strlen(from) + 1), *to = path;
    for (; path && *from; to++) {
        int high = *from == '%' ? hex_digit(from[1]) : -1, low = high < 0 ? -1 : hex_digit(from[2]);
        bool escaped = low >= 0 && (high || low);
        *to = escaped ? (char)(high << 4 | low) : *from;
        from += escaped ? 3 : 1;
    }
    if (path)
        *to = 0;
    return path;
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("/-._~", c));
}

char *mg_path_to_uri(const char *path) {
    if (path[0] != '/')
        return strdup(path);
    char *uri = malloc(strlen(path) * 3 + sizeof "file://"), *to = uri;
    if (!uri)
        return NULL;
    to += sprintf(to, "file://");
    for (; *path; path++)
        to += is_plain(*path) ? sprintf(to, "%c", *path)
                              : sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
    return uri;
}

// ---------------------------------------------------------------- members
const char *mg_json_text(const cJSON *object, const char *name) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

int32_t mg_json_number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    bool whole = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= INT32_MAX;
    return whole ? (int32_t)item->valuedouble : -1;
}
