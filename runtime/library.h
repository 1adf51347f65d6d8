// A network as a stand-alone library: an object, an archive or a shared object, and the C header
// that tells how to call it. Large weights are in a file beside it.
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
#define MG_WEIGHTS_INSIDE_MAX ((size_t)256 << 20) // bytes; larger ones lie beside by default

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
// The header's text; weights_file is the name of the file beside the library, or NULL.
// (library_header.c)
void mg_library_header(MgSession *session, const MgLibraryRequest *request,
                       const MgLibrary *library, const char *weights_file, MgText *out);
// A C identifier that resembles `name` and differs from the first n of `taken`. (library_names.c)
const char *mg_c_name(MgArena *arena, const char *name, const char *const *taken, uint32_t n);
// An ar archive of one member, with an index of the n symbols that it defines. (archive.c)
void mg_archive_parts(MgSession *session, const char *member, MgBytes object,
                      const char *const *symbols, uint32_t n, MgByteParts *parts);
// The object, linked as a shared one by the system's compiler or linker for the object's machine.
// soname may be NULL. Lives in the session. (linker.c)
bool mg_link_shared(MgSession *session, MgBytes object, const char *soname, MgBytes *result);

#endif
