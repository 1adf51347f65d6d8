#include "tools/train_pictures.h"

#include "tools/mgc.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <xxhash.h>

bool mgc_pictures_are(const char *path) {
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

typedef MG_VEC(const char *) Names;

typedef struct Entries {
    Names files, folders; // names of pictures and of folders
} Entries;

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_png(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && !strcasecmp(dot, ".png");
}

// The folder's entries, without hidden ones, sorted by the bytes of their names.
static int list(MgArena *arena, const char *folder, Entries *to) {
    DIR *d = opendir(folder);
    if (!d)
        return mgc_fail(1, "cannot read the folder '%s': %s", folder, strerror(errno));
    *to = (Entries){0};
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (e->d_name[0] == '.')
            continue;
        const char *name = mg_arena_str(arena, e->d_name, strlen(e->d_name));
        if (mgc_pictures_are(mg_arena_printf(arena, "%s/%s", folder, name)))
            mg_push(arena, &to->folders, name);
        else if (is_png(name))
            mg_push(arena, &to->files, name);
    }
    closedir(d);
    if (to->files.len)
        qsort(to->files.at, to->files.len, sizeof *to->files.at, by_name);
    if (to->folders.len)
        qsort(to->folders.at, to->folders.len, sizeof *to->folders.at, by_name);
    return 0;
}

// prefix: the class's folder and a slash, or "".
static int add_class(MgArena *arena, MgcPictures *p, const char *prefix, uint32_t class) {
    Entries in;
    const char *path = mg_arena_printf(arena, "%s/%s", p->folder, prefix);
    int status = list(arena, path, &in);
    if (status)
        return status;
    if (!in.files.len)
        return mgc_fail(1, "the folder '%s' has no PNG file", path);
    for (uint32_t i = 0; i < in.files.len; i++) {
        const char *name = mg_arena_printf(arena, "%s%s", prefix, in.files.at[i]);
        mg_push(arena, &p->all,
                ((MgcPicture){.path = mg_arena_printf(arena, "%s/%s", p->folder, name),
                              .place = XXH64(name, strlen(name), 0),
                              .class = class}));
    }
    return 0;
}

static int by_place(const void *a, const void *b) {
    const MgcPicture *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : strcmp(x->path, y->path);
}

int mgc_pictures_open(MgArena *arena, const char *folder, MgcPictures *p) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *p = (MgcPictures){.folder = mg_arena_str(arena, folder, length)};
    Entries in;
    int status = list(arena, p->folder, &in);
    if (status)
        return status;
    if (in.files.len && in.folders.len)
        return mgc_fail(1,
                        "the folder '%s' has pictures and folders: put pictures into the folders "
                        "of their classes, or all beside one another",
                        p->folder);
    p->n_classes = in.folders.len;
    if (!in.folders.len)
        status = add_class(arena, p, "", 0);
    for (uint32_t c = 0; c < in.folders.len && !status; c++)
        status = add_class(arena, p, mg_arena_printf(arena, "%s/", in.folders.at[c]), c);
    if (status)
        return status;
    qsort(p->all.at, p->all.len, sizeof *p->all.at, by_place);
    return 0;
}

int mgc_pictures_measure(MgcPictures *p) {
    for (uint32_t i = 0; i < p->all.len; i++) {
        char message[512];
        MgPngSize size;
        if (!mg_png_size(p->all.at[i].path, &size, message, sizeof message))
            return mgc_fail(1, "%s", message);
        if (!i)
            p->size = size;
        if (memcmp(&size, &p->size, sizeof size) != 0)
            return mgc_fail(1,
                            "'%s' has %u x %u pixels of %u channel%s, but '%s' has %u x %u of %u: "
                            "all pictures must be alike",
                            p->all.at[i].path, size.height, size.width, size.channels,
                            mg_plural(size.channels), p->all.at[0].path, p->size.height,
                            p->size.width, p->size.channels);
    }
    return 0;
}
