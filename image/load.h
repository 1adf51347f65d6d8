// Loads an object of the CPU backend into this process; the JIT and the compile cache both use it.
//
// It is a small relocating loader, used instead of LLVM's. The object is one self-contained ELF
// file that needs only libc and libm, so linking it takes microseconds and no part of LLVM. Any
// other bytes are refused: every offset is checked before it is used.
#ifndef MG_IMAGE_LOAD_H
#define MG_IMAGE_LOAD_H

#include "image/image.h"

#include <stddef.h>

typedef struct MgLoadedImage MgLoadedImage;
#define MG_IMAGE_ERROR_MAX 160

// Loads an object, whose bytes may be freed afterwards. NULL with a message in error
// (MG_IMAGE_ERROR_MAX chars), which is empty if memory ran out.
MgLoadedImage *mg_image_load(const void *bytes, size_t length, char *error);
// Valid until mg_image_unload.
const MgImage *mg_loaded_image(const MgLoadedImage *loaded);
void mg_image_unload(MgLoadedImage *loaded); // NULL is allowed

#endif
