// Every check uses an open descriptor, so nothing can be swapped between the check and the use.
// POSIX access lists need no check: their grants show in the group's bits.
#include "support/private.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *why_not(const struct stat *st) {
    return st->st_uid != geteuid() ? "it belongs to another user"
           : st->st_mode & S_IWOTH ? "others can write to it"
           : st->st_mode & S_IWGRP ? "its group can write to it"
                                   : NULL;
}

const char *mg_private_why(int fd) {
    struct stat st;
    return fstat(fd, &st) ? "it cannot be examined" : why_not(&st);
}

static const char *why_not_above(const struct stat *st) {
    bool shared = st->st_mode & (S_IWGRP | S_IWOTH) && !(st->st_mode & S_ISVTX);
    return st->st_uid != geteuid() && st->st_uid != 0 ? "belongs to another user"
           : shared                                   ? "can be written by others"
                                                      : NULL;
}

static void name_folder(int fd, char *name, size_t room) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, room - 1);
    snprintf(name + (n > 0 ? n : 0), room - (n > 0 ? (size_t)n : 0), n > 0 ? "" : "above it");
}

// Checks the folders above `fd`, which stays open.
static bool check_above(int fd, char *why, size_t room) {
    struct stat below, st;
    int at = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool good = at >= 0 && !fstat(fd, &below);
    if (!good)
        snprintf(why, room, "the folder above it cannot be examined");
    while (good) {
        const char *wrong = fstat(at, &st) ? "cannot be examined" : why_not_above(&st);
        if (wrong) {
            char name[256];
            name_folder(at, name, sizeof name);
            snprintf(why, room, "the folder %s %s", name, wrong);
            good = false;
        }
        if (!good || (st.st_dev == below.st_dev && st.st_ino == below.st_ino))
            break; // the root is its own parent
        int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        below = st;
        close(at);
        at = up;
    }
    if (at >= 0)
        close(at);
    return good;
}

bool mg_private_folder(int fd, char *why, size_t room) {
    const char *wrong = mg_private_why(fd);
    if (wrong)
        snprintf(why, room, "%s", wrong);
    return !wrong && check_above(fd, why, room);
}
