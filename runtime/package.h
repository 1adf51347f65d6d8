// A .mgb file: one compiled graph with all it needs, in named sections:
//   options   the level, as a digit; then `s` if it was built --strict
//   ir        the graph in flat form, from which everything else can be made again
//   weights   a safetensors file, if the weights are small enough
//   object …  machine code; the rest of the name tells target, options and dimensions
//
// The layout is in little-endian u64s: magic, number of sections, XXH3 of the table, the table
// (offset and length of the name, offset and length of the bytes, XXH3 of the bytes), then names
// and bytes, each at a multiple of 64.
#ifndef MG_RUNTIME_PACKAGE_H
#define MG_RUNTIME_PACKAGE_H

#include "support/files.h"

typedef struct MgSection {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} MgSection;

typedef struct MgPackage {
    const char *path;
    MG_VEC(MgSection) sections;
} MgPackage;

// Checks everything, and all sections except the weights also against their hash. False with a
// diagnostic.
bool mg_package_read(MgSession *session, const char *path, MgPackage *package);
bool mg_package_of_bytes(MgSession *session, const MgFileBytes *map, MgPackage *package);
const MgSection *mg_package_find(const MgPackage *package,
                                 const char *name); // NULL if there is none
bool mg_package_write(MgSession *session, const char *path, const MgPackage *package);

#endif
