// A folder of PNG files as samples. Its folders, by their names, are classes of pictures; or it has
// the pictures themselves.
#ifndef MG_TOOLS_TRAIN_PICTURES_H
#define MG_TOOLS_TRAIN_PICTURES_H

#include "formats/png.h"
#include "support/mem.h"

typedef struct MgcPicture {
    const char *path;
    uint64_t place; // pictures stand in the order of this number, which follows from the name
    uint32_t class;
} MgcPicture;

typedef struct MgcPictures {
    const char *folder;
    MG_VEC(MgcPicture) all;
    uint32_t n_classes; // 0: no folders in it
    MgPngSize size;     // of each
} MgcPictures;

// Whether the path is a folder.
bool mgc_pictures_are(const char *path);
// Lists a folder. Classes mix: a picture's place follows from its name's hash, so the last pictures
// are of all classes. Returns 0, or the exit status after a message.
int mgc_pictures_open(MgArena *arena, const char *folder, MgcPictures *pictures);
// Finds the size, and checks that all pictures have it. Returns 0, or the exit status.
int mgc_pictures_measure(MgcPictures *pictures);

#endif
