// The base protocol of LSP: bytes in, messages out. A message is a header with Content-Length, an
// empty line, and that many bytes.
#ifndef MG_EDITOR_FRAMES_H
#define MG_EDITOR_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#define MG_FRAME_MOST ((size_t)64 << 20) // bytes of one message; a longer one is skipped
#define MG_FRAME_HEADER 4096             // bytes of one header

typedef struct MgFrames {
    char *bytes; // malloc'd
    size_t at, length, capacity;
    size_t skip; // bytes still to come of a message that is too long
} MgFrames;

typedef enum MgFrame {
    MG_FRAME_NONE,    // more bytes are needed
    MG_FRAME_MESSAGE, // *body is valid until the next call
    MG_FRAME_BAD      // an invalid header, or a message that is too long; it was skipped
} MgFrame;

bool mg_frames_add(MgFrames *frames, const char *bytes, size_t length); // false: out of memory
MgFrame mg_frames_next(MgFrames *frames, const char **body, size_t *length);
void mg_frames_free(MgFrames *frames);

#endif
