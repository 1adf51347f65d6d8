// Bytes of files. They are read into our own memory, and written as a whole or not at all.
#ifndef MG_SUPPORT_FILES_H
#define MG_SUPPORT_FILES_H

#include "support/diag.h"

// A whole file, copied into the session's memory and counted against its limit. It is not mapped:
// if another program shortens a mapped file, the process that reads it is killed, and if another
// program rewrites it in place, its bytes change, even in a private mapping.
typedef struct MgFileBytes {
    const char *path;
    const unsigned char *bytes; // aligned to a page
    size_t length;
} MgFileBytes;

// Reads a file. False with a diagnostic at `from`: the path, and why it cannot be read.
bool mg_file_read(MgSession *session, const char *path, MgSpan from, MgFileBytes *file);
// Reads a file that the library wrote itself. A file that cannot be read, is a link, belongs to
// another user or can be written by others counts as absent: false without a diagnostic.
bool mg_file_read_private(MgSession *session, const char *path, MgFileBytes *file);

typedef struct MgBytes {
    const void *at;
    size_t length;
} MgBytes;

// Writes the parts one after another as the file `path`. The file is made without a name, or under
// a temporary name in the same folder, and gets its name when it is complete. So after an
// interrupted or failed write, the old file is still there. False with a diagnostic.
bool mg_file_write(MgSession *session, const char *path, const MgBytes *parts, size_t n);

// The same, but only the user may read and write the file.
bool mg_file_write_private(MgSession *session, const char *path, const MgBytes *parts, size_t n);

// Could `path` be written now? False with the diagnostic that mg_file_write would give. It leaves
// nothing behind. Use it before long work whose result will be written.
bool mg_file_writable(MgSession *session, const char *path);

// The path of `name` relative to the folder of `base`; `name` itself if it is absolute, or if base
// is "-" or has no folder.
const char *mg_path_beside(MgArena *arena, const char *base, const char *name);
// path with another extension (after the last slash), such as ".mgb".
const char *mg_path_with_extension(MgArena *arena, const char *path, const char *extension);
bool mg_path_has_extension(const char *path, const char *extension);
// The folder of temporary files: what TMPDIR names, or /tmp.
const char *mg_temporary_folder(void);

#endif
