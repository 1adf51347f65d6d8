#include "image/relocate.h"

#include <elf.h>
#include <string.h>

static uint32_t width(uint32_t type) {
    return type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
}

static bool through_got(uint32_t type) {
    return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
           type == R_X86_64_REX_GOTPCRELX;
}

static const char *apply(unsigned char *where, const MgRelocation *r) {
    uint64_t value;
    switch (r->type) {
    case R_X86_64_NONE:
        return NULL;
    case R_X86_64_64:
        value = r->symbol + r->addend;
        memcpy(where, &value, 8);
        return NULL;
    case R_X86_64_PC64:
        value = r->symbol + r->addend - r->place;
        memcpy(where, &value, 8);
        return NULL;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        value = (r->elsewhere && r->entry ? r->entry : r->symbol) + r->addend - r->place;
        break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        if (!r->entry)
            return "a relocation has no symbol";
        value = r->entry + MG_JUMP_BYTES + r->addend - r->place;
        break;
    default:
        return "an unknown kind of relocation";
    }
    int32_t narrow = (int32_t)value;
    if ((uint64_t)(int64_t)narrow != value)
        return "a relocation is out of range";
    memcpy(where, &narrow, 4);
    return NULL;
}

const MgRelocations mg_relocations_x86_64 = {
    .machine = EM_X86_64,
    .name = "x86-64",
    .jump = {0xff, 0x25, 2, 0, 0, 0, 0x66, 0x90}, // jmp *2(%rip); a nop that aligns the address
    .width = width,
    .through_got = through_got,
    .apply = apply};
