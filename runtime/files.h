// Bytes of files, in and out: read into memory of our own, replaced as a whole or not at all.
#ifndef MG_RUNTIME_FILES_H
#define MG_RUNTIME_FILES_H

#include "support/diag.h"

// A whole file, copied into the session's memory, whose limit counts it. It is no mapping: a mapped
// file that another program shortens kills the process that reads it, and one that is rewritten in
// place changes under it, even if the mapping is private.
typedef struct MgFileBytes {
    const char *path;
    const unsigned char *bytes; // aligned to a page
    size_t length;
} MgFileBytes;

// False with a diagnostic at `from`: the path, and why it cannot be read.
bool mg_file_read(MgSession *session, const char *path, MgSpan from, MgFileBytes *file);
// A file that the library wrote itself. One that cannot be read, is a link, is not the user's own
// or can be written by others counts as absent: false without a diagnostic.
bool mg_file_read_private(MgSession *session, const char *path, MgFileBytes *file);

typedef struct MgBytes {
    const void *at;
    size_t length;
} MgBytes;

// Writes the parts one after another as the file `path`. The file is made without a name, or under
// a temporary one in the same folder, and takes its name when it is complete: an interrupted or
// failed write leaves what was there before. False with a diagnostic.
bool mg_file_write(MgSession *session, const char *path, const MgBytes *parts, size_t n);

// The same, and only the user may read and write it.
bool mg_file_write_private(MgSession *session, const char *path, const MgBytes *parts, size_t n);

// Could `path` be written now? False with the diagnostic that mg_file_write would give; nothing is
// left behind. For what takes long before there is something to write.
bool mg_file_writable(MgSession *session, const char *path);

// `name` relative to the folder of `base`; itself if it is absolute, or base is "-" or has no
// folder.
const char *mg_path_beside(MgArena *arena, const char *base, const char *name);
// path with its extension (after the last slash) replaced; ".mgb"
const char *mg_path_with_extension(MgArena *arena, const char *path, const char *extension);
bool mg_path_has_extension(const char *path, const char *extension);
// Where temporary files go: what TMPDIR names, or /tmp.
const char *mg_temporary_folder(void);

#endif
