// The parts of a program, each a module of the driver. They are compiled at the same time.
#ifndef MG_BACKENDS_CUDA_PARTS_H
#define MG_BACKENDS_CUDA_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A source is compiled to PTX, of which the driver's linker makes a binary. The linker gives it
// away, but it compiles kernels as if other modules might have functions that they call, as
// division does, and then wide products wait for one another. So a kernel that has both makes a
// part of its own, which the driver compiles as a whole, each time it is loaded.
// Modules are PTX as LLVM wrote it.
typedef enum MgCuStage { MG_CU_SOURCE, MG_CU_MODULES, MG_CU_PTX, MG_CU_LOADABLE } MgCuStage;
typedef struct MgCuPart {
    char *code; // from malloc; a 0 follows
    size_t bytes;
    MgCuStage stage;
} MgCuPart;

typedef struct MgCuParts {
    MgCuPart *at;
    uint32_t n;
} MgCuParts;

// Divides a source: each kernel goes to one part, and what stands between kernels to all. Long
// sources make at most `most` parts, of which the first has the longest kernel. False if memory
// runs out. A source may end with modules (MG_PTX_MODULE): if they are wanted, they make at most
// `most` parts more, and the kernels that they have are left out of the others. (source.c)
bool mg_cu_divide(const char *source, size_t length, bool modules, uint32_t most, MgCuParts *parts);

void mg_cu_parts_free(MgCuParts *parts);

// What a cache keeps: a word that says what it is, the number of parts, the length of each, and
// their codes. From malloc; NULL if memory runs out.
unsigned char *mg_cu_parts_write(const MgCuParts *parts, size_t *length);
// Reads such an image, which may have any bytes.
typedef enum MgCuRead { MG_CU_READ, MG_CU_NO_IMAGE, MG_CU_NO_ROOM } MgCuRead;
MgCuRead mg_cu_parts_read(const void *image, size_t length, MgCuParts *parts);

#endif
