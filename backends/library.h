// What a library that stands alone is made of: graphs of one file, each in one or more forms, and
// the weights that they share. A backend turns it into one object; runtime/library.c makes it, and
// writes the C header that says how to call the object.
#ifndef MG_BACKENDS_LIBRARY_H
#define MG_BACKENDS_LIBRARY_H

#include "ir/program.h"

// Code for one set of dimensions, or for all.
typedef struct MgLibraryForm {
    MgProgram *program;
    const int64_t *dims; // parallel to the graph's dims, -1: any
} MgLibraryForm;

typedef struct MgLibraryWeight {
    MgSym key, file; // as the graph's parameter and the source have them
    const void *data;
    size_t bytes;
    uint64_t offset; // in the file that lies beside
} MgLibraryWeight;

typedef struct MgLibraryGraph {
    const char *prefix; // of its symbols: a C identifier
    MgGraph *graph;
    MG_VEC(MgLibraryForm) forms; // the first that fits is taken; the last fits all
    bool beside;                 // it reads weights, and they lie beside
    uint64_t hash;               // of its interface and code: what header and object are held by
} MgLibraryGraph;

typedef struct MgLibrary {
    MG_VEC(MgLibraryGraph) graphs;
    MG_VEC(MgLibraryWeight) weights; // each once, whatever number of graphs read it
    // Weights that lie beside: the file's header, which a caller's bytes must begin with, and the
    // file's length. header_bytes 0: the weights are in the object.
    const void *header;
    size_t header_bytes;
    uint64_t file_bytes;
} MgLibrary;

// What an instance holds and functions do: another number where header and object would differ.
#define MG_LIBRARY_ABI 2u

// Functions that every graph exports, each behind its prefix and an underscore.
#define MG_LIBRARY_EXPORTS(X)                                                                      \
    X("open_checked")                                                                              \
    X("bind")                                                                                      \
    X("arena")                                                                                     \
    X("run") X("close") X("message") X("shapes") X("timing") X("hash")

// Codes of its functions. Others are 1 + the form's number in bits 24 to 30, MG_LIBRARY_TRAP for a
// trap and not a requirement, and in the bits below the number as the image has it.
#define MG_LIBRARY_TRAP (1u << 23)
#define MG_LIBRARY_FORMS 64
#define MG_LIBRARY_CODES(X)                                                                        \
    X(OK, "no error")                                                                              \
    X(MISMATCH, "header and object are not of the same compilation")                               \
    X(WEIGHTS, "these bytes are not the weights file that belongs to the object")                  \
    X(NOT_OPEN, "the instance is not open")                                                        \
    X(NOT_BOUND, "the instance has no sizes: bind them first")                                     \
    X(ARENA, "the arena is too small, or not aligned to 64 bytes")                                 \
    X(MEMORY, "there is no memory for the arena")                                                  \
    X(SIZES, "a size is negative or too large")                                                    \
    X(MISSING, "a pointer that is needed is NULL")

// How many of what an instance holds; what header and object agree on.
typedef struct MgLibraryLayout {
    uint32_t dims, ports, slots, weights; // dims: at least 1, since C has no empty structs
    uint32_t sites;                       // kernels of a run, of the form that has most; at least 1
} MgLibraryLayout;
MgLibraryLayout mg_library_layout(const MgLibraryGraph *g);
// Those of the graph's dimensions, the first ones, that its inputs have; data decide the others.
uint32_t mg_library_given_dims(MgGraph *g);

#endif
