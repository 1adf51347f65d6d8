// Reading by mmap, writing by O_TMPFILE and link (nothing is left behind whatever kills the
// process), or where a file system has no unnamed files, by a temporary name and rename with
// signals held back.
#include "runtime/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Mapping {
    void *at;
    size_t length;
} Mapping;

static void unmap(void *object) {
    Mapping *m = object;
    munmap(m->at, m->length);
}

static bool cannot_open(MgSession *session, MgSpan from, const char *path, const char *why) {
    mg_diag(session, from, MG_D_file_open, path, why);
    return false;
}

bool mg_file_map(MgSession *session, const char *path, MgSpan from, MgFileMap *map) {
    Mapping *mapping = MG_NEW(session->arena, Mapping); // before there is anything to lose
    *map = (MgFileMap){.path = mg_arena_str(session->arena, path, strlen(path))};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a fifo must not hang us
    if (fd < 0)
        return cannot_open(session, from, path, strerror(errno));
    struct stat st;
    const char *why = fstat(fd, &st)         ? strerror(errno)
                      : S_ISDIR(st.st_mode)  ? strerror(EISDIR)
                      : !S_ISREG(st.st_mode) ? "it is not a regular file"
                                             : NULL;
    if (!why && st.st_size > 0) {
        mapping->length = (size_t)st.st_size;
        mapping->at = mmap(NULL, mapping->length, PROT_READ, MAP_PRIVATE, fd, 0);
        if (mapping->at == MAP_FAILED)
            why = strerror(errno);
        else
            mg_mem_defer(session->mem, unmap, mapping);
        map->bytes = mapping->at;
        map->length = mapping->length;
    }
    close(fd);
    return why ? cannot_open(session, from, path, why) : true;
}

// ------------------------------------------------------------------------------------------
// writing 0, or errno.
static int write_parts(int fd, const MgBytes *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *at = parts[i].at;
        for (size_t left = parts[i].length; left;) {
            ssize_t done = write(fd, at, left < (1u << 30) ? left : 1u << 30);
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                return done ? errno : ENOSPC;
            at += done;
            left -= (size_t)done;
        }
    }
    return 0;
}

static const char *folder_of(MgArena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : mg_arena_str(arena, path, (size_t)(slash - path));
}

// Gives an unnamed file its name. A link cannot replace, so an old file is replaced by way of a
// temporary name that exists between two system calls.
static int name_file(int fd, const char *path, const char *temporary) {
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (!linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
        return 0;
    if (errno != EEXIST)
        return errno;
    if (linkat(AT_FDCWD, self, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW))
        return errno;
    if (!rename(temporary, path))
        return 0;
    int error = errno;
    unlink(temporary);
    return error;
}

// 0, errno, or -1 if this file system has no unnamed files.
static int write_unnamed(const char *folder, const char *path, const char *temporary, mode_t mode,
                         const MgBytes *parts, size_t n) {
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0)
        return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? -1 : errno;
    int error = write_parts(fd, parts, n);
    if (!error)
        error = name_file(fd, path, temporary);
    close(fd);
    return error == ENOENT ? -1 : error; // no /proc
}

static int write_named(const char *path, const char *temporary, mode_t mode, const MgBytes *parts,
                       size_t n) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int fd = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    int error = fd < 0 ? errno : write_parts(fd, parts, n);
    if (fd >= 0 && close(fd) && !error)
        error = errno;
    if (!error && rename(temporary, path))
        error = errno;
    if (error && fd >= 0)
        unlink(temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

bool mg_file_write(MgSession *session, const char *path, const MgBytes *parts, size_t n) {
    struct stat st;
    bool exists = !stat(path, &st);
    if (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) { // /dev/stdout, a pipe
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        int error = fd < 0 ? errno : write_parts(fd, parts, n);
        if (fd >= 0)
            close(fd);
        if (error)
            mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(error));
        return !error;
    }
    const char *folder = folder_of(session->arena, path);
    const char *temporary = mg_arena_printf(session->arena, "%s.%ld.%lx.tmp", path, (long)getpid(),
                                            (unsigned long)(uintptr_t)&st);
    mode_t mode = exists ? st.st_mode & 0777 : 0666;
    int error = exists && S_ISDIR(st.st_mode)
                    ? EISDIR
                    : write_unnamed(folder, path, temporary, mode, parts, n);
    if (error < 0)
        error = write_named(path, temporary, mode, parts, n);
    if (error)
        mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(error));
    return !error;
}

bool mg_file_writable(MgSession *session, const char *path) {
    struct stat st;
    bool exists = !stat(path, &st), folder = exists && S_ISDIR(st.st_mode);
    if (exists && !folder && !S_ISREG(st.st_mode))
        return true; // nothing to replace: writing will tell
    char *probe = mg_arena_printf(session->arena, "%s.XXXXXX", path);
    int fd = folder ? -1 : mkstemp(probe), error = folder ? EISDIR : fd < 0 ? errno : 0;
    if (fd >= 0) {
        close(fd);
        unlink(probe);
    }
    if (error)
        mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(error));
    return !error;
}

// ------------------------------------------------------------------------------------------ paths
const char *mg_path_beside(MgArena *arena, const char *base, const char *name) {
    const char *slash = strrchr(base, '/');
    if (name[0] == '/' || !slash)
        return mg_arena_str(arena, name, strlen(name));
    return mg_arena_printf(arena, "%.*s%s", (int)(slash + 1 - base), base, name);
}

static const char *extension_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

const char *mg_path_with_extension(MgArena *arena, const char *path, const char *extension) {
    return mg_arena_printf(arena, "%.*s%s", (int)(extension_of(path) - path), path, extension);
}

bool mg_path_has_extension(const char *path, const char *extension) {
    return strcmp(extension_of(path), extension) == 0;
}

const char *mg_temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}
