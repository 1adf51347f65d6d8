// libzip, loaded when an archive is first read or written: it brings libcrypto, whose relocations
// cost each process 1.7 ms. So nothing links against it, and zip_open() is called as mg_zip.open().
#ifndef MG_FORMATS_ZIP_H
#define MG_FORMATS_ZIP_H

#include <stdbool.h>
#include <zip.h>

#define MG_ZIP_FUNCTIONS(X)                                                                        \
    X(close)                                                                                       \
    X(discard)                                                                                     \
    X(fclose)                                                                                      \
    X(file_add)                                                                                    \
    X(file_set_mtime)                                                                              \
    X(fopen_index)                                                                                 \
    X(fread)                                                                                       \
    X(get_name)                                                                                    \
    X(get_num_entries)                                                                             \
    X(name_locate)                                                                                 \
    X(open)                                                                                        \
    X(open_from_source)                                                                            \
    X(set_file_compression)                                                                        \
    X(source_buffer_create)                                                                        \
    X(source_buffer_fragment)                                                                      \
    X(source_close)                                                                                \
    X(source_free)                                                                                 \
    X(source_keep)                                                                                 \
    X(source_open)                                                                                 \
    X(source_read)                                                                                 \
    X(source_stat)                                                                                 \
    X(stat_index)                                                                                  \
    X(strerror)

typedef struct MgZip {
#define X(name) __typeof__(zip_##name) *name;
    MG_ZIP_FUNCTIONS(X)
#undef X
} MgZip;

// Filled in once, like a linker's table. It is the same for everyone.
extern MgZip mg_zip;

// Returns NULL, or why it can't be loaded. Any thread may call it, any number of times.
const char *mg_zip_load(void);

#endif
