// A stand-alone library: graphs of one file, each in one or more forms, and the weights that they
// share. A backend turns it into one object. runtime/library.c fills it in, and writes the C header
// for the object.
#ifndef MG_BACKENDS_LIBRARY_H
#define MG_BACKENDS_LIBRARY_H

#include "ir/program.h"

// Code for one set of dimensions, or for all.
typedef struct MgLibraryForm {
    MgProgram *program;
    const int64_t *dims; // parallel to the graph's dims; -1: any
} MgLibraryForm;

typedef struct MgLibraryWeight {
    MgSym key, file; // the parameter's key, and its graph's weights file
    const void *data;
    size_t bytes;
    uint64_t offset; // in the separate weights file
} MgLibraryWeight;

typedef struct MgLibraryGraph {
    const char *prefix; // of its symbols; a C identifier
    MgGraph *graph;
    MG_VEC(MgLibraryForm) forms; // the first one that fits is used; the last one fits all sizes
    bool beside;                 // it reads weights, which are in a separate file
    uint64_t hash; // a hash of its interface and code, on which the header and the object must
                   // agree
} MgLibraryGraph;

typedef struct MgLibrary {
    MG_VEC(MgLibraryGraph) graphs;
    MG_VEC(MgLibraryWeight) weights; // each once, even if several graphs read it
    // For weights in a separate file: its header, with which the caller's bytes must begin, and its
    // length. header_bytes is 0 if the weights are in the object.
    const void *header;
    size_t header_bytes;
    uint64_t file_bytes;
} MgLibrary;

// It changes whenever a header and an object of different versions would disagree about an instance
// or a function.
#define MG_LIBRARY_ABI 2u

// The functions that every graph exports, each prefixed by the graph's name and an underscore.
#define MG_LIBRARY_EXPORTS(X)                                                                      \
    X("open_checked")                                                                              \
    X("bind")                                                                                      \
    X("arena")                                                                                     \
    X("run") X("close") X("message") X("shapes") X("timing") X("hash")

// Error codes of these functions. A failed requirement or trap is 1 + the form's number in bits 24
// to 30, MG_LIBRARY_TRAP for a trap, and in the bits below its number in the image.
#define MG_LIBRARY_TRAP (1u << 23)
#define MG_LIBRARY_FORMS 64
#define MG_LIBRARY_CODES(X)                                                                        \
    X(OK, "no error")                                                                              \
    X(MISMATCH, "the header and the object come from different compilations")                      \
    X(WEIGHTS, "these bytes are not the weights file that belongs to the object")                  \
    X(NOT_OPEN, "the instance is not open")                                                        \
    X(NOT_BOUND, "the instance has no sizes: bind them first")                                     \
    X(ARENA, "the arena is too small, or not aligned to 64 bytes")                                 \
    X(MEMORY, "there is not enough memory for the arena")                                          \
    X(SIZES, "a size is negative or too large")                                                    \
    X(MISSING, "a required pointer is NULL")

// The sizes of an instance's arrays, on which the header and the object agree.
typedef struct MgLibraryLayout {
    uint32_t dims, ports, slots, weights; // dims is at least 1, since C has no empty structs
    uint32_t sites; // kernel sites of a run, in the form that has the most; at least 1
} MgLibraryLayout;
MgLibraryLayout mg_library_layout(const MgLibraryGraph *g);
// The number of the graph's dimensions that its inputs determine. They come first; data decide the
// others.
uint32_t mg_library_given_dims(MgGraph *g);

#endif
