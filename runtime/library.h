// A network as a stand-alone library: an object, an archive or a shared object, and a C header that
// declares its functions. Large weights are in a file beside it.
#ifndef MG_RUNTIME_LIBRARY_H
#define MG_RUNTIME_LIBRARY_H

#include "backends/library.h"
#include "formats/safetensors.h"
#include "runtime/compile.h"
#include "support/files.h"

// A size for which the library has code of its own.
typedef struct MgLibrarySize {
    MgSym dim;
    int64_t size;
} MgLibrarySize;
typedef MG_VEC(MgLibrarySize) MgLibrarySet;

typedef enum MgWeightsPlace {
    MG_WEIGHTS_BY_SIZE,
    MG_WEIGHTS_INSIDE,
    MG_WEIGHTS_BESIDE
} MgWeightsPlace;
#define MG_WEIGHTS_INSIDE_MAX ((size_t)256 << 20) // bytes; larger weights go beside by default

typedef struct MgLibraryRequest {
    MgCompileSettings settings;
    MgModule *module;
    MgGraph *graph; // NULL: all of the module
    MG_VEC(MgLibrarySet) sets;
    MgWeightsPlace place;
    const char *prefix; // of the functions' names; NULL: the graph's name
    const char *soname; // of a .so: the name that a program looks for when it starts; NULL: none,
                        // so the program looks where the library was when it was linked
    const char *output; // .so, .a or .o; .h and .weights replace its extension
} MgLibraryRequest;

// Does a path end in .so, .a or .o?
bool mg_library_is_output(const char *path);
// Makes everything in memory, then writes the weights, the object and the header. False after
// diagnostics; then nothing was written, unless the disk itself failed.
bool mg_library_write(MgSession *session, const MgLibraryRequest *request);

// ---------------------------------------------------------------- parts, each in a file of its own
// library_header.c: the header's text. weights_file is the name of the separate file, or NULL.
void mg_library_header(MgSession *session, const MgLibraryRequest *request,
                       const MgLibrary *library, const char *weights_file, MgText *out);
// library_names.c: a C identifier that resembles `name` and differs from the first n of `taken`.
const char *mg_c_name(MgArena *arena, const char *name, const char *const *taken, uint32_t n);
// archive.c: an ar archive of one member, with an index of the n symbols that it defines.
void mg_archive_parts(MgSession *session, const char *member, MgBytes object,
                      const char *const *symbols, uint32_t n, MgByteParts *parts);
// linker.c: the object, linked as a shared object by the system's compiler or linker for the
// object's machine. soname may be NULL. The result lives in the session.
bool mg_link_shared(MgSession *session, MgBytes object, const char *soname, MgBytes *result);

#endif
