// What relocations mean on each kind of machine, as its ELF ABI says: the System V ABI for AMD64,
// and "ELF for the Arm 64-bit Architecture".
#ifndef MG_IMAGE_RELOCATE_H
#define MG_IMAGE_RELOCATE_H

#include <stdbool.h>
#include <stdint.h>

// The loader's table has an entry for each symbol that is defined elsewhere, or that code reaches
// through the GOT: a jump through the 8 bytes that follow it, which are the symbol's address.
enum { MG_JUMP_BYTES = 8, MG_ENTRY_BYTES = 16 };

typedef struct MgRelocation {
    uint32_t type;
    uint64_t symbol, addend, place; // addresses; unsigned, as they wrap around
    uint64_t entry;                 // the symbol's entry in the table; 0: it has none
    bool elsewhere;                 // is the symbol defined in another object?
} MgRelocation;

typedef struct MgRelocations {
    uint16_t machine; // ELF's number
    const char *name;
    unsigned char jump[MG_JUMP_BYTES];
    // The bytes that such a relocation changes.
    uint32_t (*width)(uint32_t type);
    bool (*through_got)(uint32_t type);
    // Changes the bytes at `where`. NULL, or what is wrong with the relocation.
    const char *(*apply)(unsigned char *where, const MgRelocation *r);
} MgRelocations;

extern const MgRelocations mg_relocations_x86_64, mg_relocations_aarch64;

#if defined(__aarch64__)
#define MG_RELOCATIONS_HERE mg_relocations_aarch64
#else
#define MG_RELOCATIONS_HERE mg_relocations_x86_64
#endif

#endif
