// The standard library's files, embedded at build time from lang/std/.
#ifndef MG_FRONTEND_STD_EMBEDDED_H
#define MG_FRONTEND_STD_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct MgStdFile {
    const char *name; // "nn" for lang/std/nn.mg; NULL ends the table
    const char *text;
    size_t length;
    const char *const *defines; // the names of its items, in order; NULL ends them
    bool imported;              // only programs that import it know its names
} MgStdFile;
extern const MgStdFile mg_std_files[];

#endif
