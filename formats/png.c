// libpng by dlopen: MG_PNG_NAME is the name of the library that this build's header belongs to.
// Only its simplified interface is used.
#include "formats/png.h"

#include "support/library.h"

#include <dlfcn.h>
#include <png.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(X)                                                                               \
    X(image_begin_read_from_file)                                                                  \
    X(image_finish_read)                                                                           \
    X(image_free)

static struct {
#define X(name) __typeof__(png_##name) *name;
    FUNCTIONS(X)
#undef X
} png;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
    static const MgFunctionName names[] = {
#define X(name) {"png_" #name, offsetof(__typeof__(png), name)},
        FUNCTIONS(X)
#undef X
    };
    void *library = dlopen(MG_PNG_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        failure = MG_PNG_NAME " cannot be loaded; is libpng installed?";
    else if (!mg_library_functions(library, names, sizeof names / sizeof *names, &png))
        failure = MG_PNG_NAME " is of another version than the one that mgc was built with";
}

static uint32_t channels_of(const png_image *image) {
    return 1 + (image->format & PNG_FORMAT_FLAG_COLOR ? 2 : 0) +
           (image->format & PNG_FORMAT_FLAG_ALPHA ? 1 : 0);
}

// Reads the header. The image must be freed if this succeeds.
static bool begin(const char *path, png_image *image, char *message, size_t room) {
    pthread_once(&once, load);
    if (failure) {
        snprintf(message, room, "'%s': %s", path, failure);
        return false;
    }
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    if (png.image_begin_read_from_file(image, path))
        return true;
    snprintf(message, room, "'%s' cannot be read as a PNG: %s", path, image->message);
    return false;
}

bool mg_png_size(const char *path, MgPngSize *size, char *message, size_t room) {
    png_image image;
    if (!begin(path, &image, message, room))
        return false;
    bool deep = image.format & PNG_FORMAT_FLAG_LINEAR;
    *size = (MgPngSize){image.height, image.width, channels_of(&image)};
    png.image_free(&image);
    if (deep)
        snprintf(message, room, "'%s' has 16 bits a channel; pictures to learn from have 8", path);
    return !deep;
}

bool mg_png_read(const char *path, const MgPngSize *size, uint8_t *pixels, char *message,
                 size_t room) {
    static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                          PNG_FORMAT_RGBA};
    png_image image;
    if (!begin(path, &image, message, room))
        return false;
    if (image.height != size->height || image.width != size->width ||
        channels_of(&image) != size->channels || image.format & PNG_FORMAT_FLAG_LINEAR) {
        png.image_free(&image);
        snprintf(message, room, "'%s' has changed", path);
        return false;
    }
    image.format = formats[size->channels - 1];
    bool ok = png.image_finish_read(&image, NULL, pixels, 0, NULL);
    if (!ok || PNG_IMAGE_FAILED(image)) {
        snprintf(message, room, "'%s' cannot be read as a PNG: %s", path, image.message);
        ok = false;
    }
    png.image_free(&image);
    return ok;
}
