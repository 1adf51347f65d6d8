// PNG files, by libpng, which is loaded when the first is read.
#ifndef MG_FORMATS_PNG_H
#define MG_FORMATS_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MgPngSize {
    uint32_t height, width;
    uint32_t channels; // 1: grey, 3: red, green and blue; 2 and 4: the same with alpha
} MgPngSize;

// Both return false with a message of at most `room` bytes. Any thread may call them.
//
// Reads the head of a file. A picture with 16 bits per channel is refused.
bool mg_png_size(const char *path, MgPngSize *size, char *message, size_t room);
// Reads the pixels of a picture of this size, row by row, channels innermost. `pixels` has room.
bool mg_png_read(const char *path, const MgPngSize *size, uint8_t *pixels, char *message,
                 size_t room);

#endif
