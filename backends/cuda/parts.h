// The parts of a program, each a module of the driver. They are compiled at the same time.
#ifndef MG_BACKENDS_CUDA_PARTS_H
#define MG_BACKENDS_CUDA_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The driver's linker gives its binary away, but it compiles kernels as if other modules might have
// functions that they call, as division does, and then wide products wait for one another. So a
// kernel that has both makes a part of its own, which the driver compiles as a whole, each time it
// is loaded.
typedef struct MgCuPart {
    char *code; // PTX or the linker's binary, from malloc; a 0 follows, as PTX ends
    size_t bytes;
    bool links; // it is PTX of which the linker makes a binary
} MgCuPart;

typedef struct MgCuParts {
    MgCuPart *at;
    uint32_t n;
} MgCuParts;

typedef struct MgCuKernel {
    size_t bytes; // of its text
    bool whole;   // it can't be linked
    uint32_t part;
} MgCuKernel;
// Gives kernels the numbers of their parts, and returns the number of parts, at least one. The
// first ones have a kernel each that can't be linked; then come at most `most` others.
uint32_t mg_cu_deal(MgCuKernel *kernels, uint32_t n, uint32_t most, uint32_t *wholes);

void mg_cu_parts_free(MgCuParts *parts);

// What a cache keeps: a word that says what it is, the number of parts, the length of each, and
// their codes. From malloc; NULL if memory runs out.
unsigned char *mg_cu_parts_write(const MgCuParts *parts, size_t *length);
// Reads such an image, which may have any bytes.
typedef enum MgCuRead { MG_CU_READ, MG_CU_NO_IMAGE, MG_CU_NO_ROOM } MgCuRead;
MgCuRead mg_cu_parts_read(const void *image, size_t length, MgCuParts *parts);

#endif
