// Files are written through O_TMPFILE and link, so that a killed process leaves nothing behind. On
// a file system without unnamed files, a temporary name and a rename are used, with signals
// blocked.
#include "support/files.h"

#include "support/private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads a whole file; returns NULL, or the reason for a failure.
static const char *read_all(int fd, unsigned char *to, size_t length) {
    while (length) {
        ssize_t n = read(fd, to, length < (1u << 30) ? length : 1u << 30);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? strerror(errno) : "it became shorter while it was read";
        to += n;
        length -= (size_t)n;
    }
    return NULL;
}

static void close_file(void *fd) {
    close(*(int *)fd);
}

// Returns NULL, or the reason why the file cannot be read.
static const char *read_file(MgSession *session, const char *path, bool private,
                             MgFileBytes *file) {
    int *fd = MG_NEW(session->arena, int);         // before there is a descriptor to lose
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; // a fifo must not hang us
    *file = (MgFileBytes){.path = mg_arena_str(session->arena, path, strlen(path))};
    *fd = open(path, private ? flags | O_NOFOLLOW : flags);
    if (*fd < 0)
        return strerror(errno);
    mg_mem_defer(session->mem, close_file, fd);
    struct stat st;
    const char *why = fstat(*fd, &st)        ? strerror(errno)
                      : S_ISDIR(st.st_mode)  ? strerror(EISDIR)
                      : !S_ISREG(st.st_mode) ? "it is not a regular file"
                      : private              ? mg_private_why(*fd)
                                             : NULL;
    if (!why && st.st_size > 0) {
        unsigned char *to = mg_mem_pages(session->mem, (size_t)st.st_size);
        why = read_all(*fd, to, (size_t)st.st_size);
        file->bytes = to;
        file->length = (size_t)st.st_size;
    }
    mg_mem_undefer(session->mem, fd);
    close(*fd);
    return why;
}

bool mg_file_read(MgSession *session, const char *path, MgSpan from, MgFileBytes *file) {
    const char *why = read_file(session, path, false, file);
    if (why)
        mg_diag(session, from, MG_D_file_open, path, why);
    return !why;
}

bool mg_file_read_private(MgSession *session, const char *path, MgFileBytes *file) {
    return !read_file(session, path, true, file);
}

// ---------------------------------------------------------------- writing

// Returns 0, or errno.
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

// Gives an unnamed file its name. A link cannot replace a file, so an old one is replaced through a
// temporary name, which exists between two system calls.
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

// Returns 0, errno, or -1 if the file system has no unnamed files.
static int write_unnamed(const char *folder, const char *path, const char *temporary, mode_t mode,
                         const MgBytes *parts, size_t n) {
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0)
        return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? -1 : errno;
    int error = write_parts(fd, parts, n);
    if (!error)
        error = name_file(fd, path, temporary);
    close(fd);
    return error == ENOENT ? -1 : error; // there is no /proc
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

// `mode` is for a new file.
static bool write_file(MgSession *session, const char *path, mode_t mode, const MgBytes *parts,
                       size_t n) {
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
    mode = exists ? st.st_mode & 0777 & (mode | 0111) : mode;
    int error = exists && S_ISDIR(st.st_mode)
                    ? EISDIR
                    : write_unnamed(folder, path, temporary, mode, parts, n);
    if (error < 0)
        error = write_named(path, temporary, mode, parts, n);
    if (error)
        mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(error));
    return !error;
}

bool mg_file_write(MgSession *session, const char *path, const MgBytes *parts, size_t n) {
    return write_file(session, path, 0666, parts, n);
}

bool mg_file_write_private(MgSession *session, const char *path, const MgBytes *parts, size_t n) {
    return write_file(session, path, 0600, parts, n);
}

bool mg_file_writable(MgSession *session, const char *path) {
    struct stat st;
    bool exists = !stat(path, &st), folder = exists && S_ISDIR(st.st_mode);
    if (exists && !folder && !S_ISREG(st.st_mode))
        return true; // there is nothing to replace; writing will report errors
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
