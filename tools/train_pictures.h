// A folder of PNG files as samples. Its subfolders, by name, are classes of pictures; or it has the
// pictures themselves.
#ifndef MG_TOOLS_TRAIN_PICTURES_H
#define MG_TOOLS_TRAIN_PICTURES_H

#include "formats/png.h"
#include "support/mem.h"

typedef struct MgcPicture {
    const char *path;
    uint64_t place; // pictures are ordered by this number, which follows from the name
    uint32_t class;
} MgcPicture;

typedef struct MgcPictures {
    const char *folder;
    MG_VEC(MgcPicture) all;
    uint32_t n_classes; // 0: it has no subfolders
    MgPngSize size;     // the size of each picture
} MgcPictures;

// Is the path a folder?
bool mgc_pictures_are(const char *path);
// Lists a folder. Classes are mixed: a picture's place follows from the hash of its name, so the
// last pictures come from all classes. Returns 0, or the exit status after a message.
int mgc_pictures_open(MgArena *arena, const char *folder, MgcPictures *pictures);
// Finds the size, and checks that all pictures have it. Returns 0, or the exit status.
int mgc_pictures_measure(MgcPictures *pictures);

#endif
