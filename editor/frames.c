// Splits the input into messages. The buffer never exceeds one message and one read.
#include "editor/frames.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool mg_frames_add(MgFrames *f, const char *bytes, size_t length) {
    size_t skipped = length < f->skip ? length : f->skip;
    f->skip -= skipped;
    bytes += skipped;
    length -= skipped;
    if (f->at) {
        memmove(f->bytes, f->bytes + f->at, f->length - f->at);
        f->length -= f->at;
        f->at = 0;
    }
    if (f->capacity - f->length < length) {
        size_t capacity = (f->length + length) * 2;
        char *grown = realloc(f->bytes, capacity);
        if (!grown)
            return false;
        f->bytes = grown;
        f->capacity = capacity;
    }
    if (length)
        memcpy(f->bytes + f->length, bytes, length);
    f->length += length;
    return true;
}

// The number after `Content-Length:` in a header of n bytes; SIZE_MAX if there is none.
static size_t content_length(const char *header, size_t n) {
    static const char field[] = "Content-Length:";
    const size_t length = sizeof field - 1;
    for (size_t i = 0; i + length <= n; i++) {
        if ((i && header[i - 1] != '\n') || strncasecmp(header + i, field, length) != 0)
            continue;
        size_t value = 0, digits = 0;
        for (i += length; i < n && header[i] == ' '; i++)
            ;
        for (; i < n && header[i] >= '0' && header[i] <= '9'; i++, digits++)
            value = value > MG_FRAME_MOST * 16 ? value : value * 10 + (size_t)(header[i] - '0');
        return digits ? value : SIZE_MAX;
    }
    return SIZE_MAX;
}

// The end of the header that begins at `text`, including the empty line; 0 if it has no end yet.
static size_t header_end(const char *text, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (text[i] == '\n' &&
            (text[i - 1] == '\n' || (i >= 3 && !memcmp(text + i - 3, "\r\n\r", 3))))
            return i + 1;
    return 0;
}

static void drop(MgFrames *f, size_t n) {
    size_t waiting = f->length - f->at;
    f->skip = n > waiting ? n - waiting : 0;
    f->at += n > waiting ? waiting : n;
}

MgFrame mg_frames_next(MgFrames *f, const char **body, size_t *length) {
    size_t waiting = f->length - f->at;
    size_t looked = waiting < MG_FRAME_HEADER ? waiting : MG_FRAME_HEADER;
    const char *text = f->bytes + f->at;
    size_t header = looked ? header_end(text, looked) : 0;
    if (!header) {
        if (looked < MG_FRAME_HEADER)
            return MG_FRAME_NONE;
        drop(f, looked);
        return MG_FRAME_BAD;
    }
    size_t n = content_length(text, header);
    if (n == SIZE_MAX || n > MG_FRAME_MOST) {
        drop(f, n == SIZE_MAX ? header : header + n);
        return MG_FRAME_BAD;
    }
    if (waiting - header < n)
        return MG_FRAME_NONE;
    *body = text + header;
    *length = n;
    f->at += header + n;
    return MG_FRAME_MESSAGE;
}

void mg_frames_free(MgFrames *f) {
    free(f->bytes);
    *f = (MgFrames){0};
}
