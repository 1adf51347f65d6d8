#include "image/relocate.h"

#include <elf.h>
#include <string.h>

// How the number of a relocation comes about, and where it goes.
typedef enum Number { OF_SYMBOL, OF_DISTANCE, OF_PAGES, OF_GOT, OF_GOT_PAGES } Number;
typedef struct Row {
    uint32_t type;
    Number number;
    uint8_t bytes;     // 8 or 4: all of them are the number; 0: an instruction has it
    uint8_t low, bits; // its bits [low, low + bits) go there
    uint8_t at;        // from this bit of the instruction on
    bool checked;      // it must fit bits [0, low + bits) with its sign
} Row;
static const Row rows[] = {{R_AARCH64_ABS64, OF_SYMBOL, 8, 0, 64, 0, false},
                           {R_AARCH64_PREL64, OF_DISTANCE, 8, 0, 64, 0, false},
                           {R_AARCH64_PREL32, OF_DISTANCE, 4, 0, 32, 0, true},
                           {R_AARCH64_CALL26, OF_DISTANCE, 0, 2, 26, 0, true},
                           {R_AARCH64_JUMP26, OF_DISTANCE, 0, 2, 26, 0, true},
                           {R_AARCH64_CONDBR19, OF_DISTANCE, 0, 2, 19, 5, true},
                           {R_AARCH64_TSTBR14, OF_DISTANCE, 0, 2, 14, 5, true},
                           {R_AARCH64_LD_PREL_LO19, OF_DISTANCE, 0, 2, 19, 5, true},
                           {R_AARCH64_ADR_PREL_LO21, OF_DISTANCE, 0, 0, 21, 5, true},
                           {R_AARCH64_ADR_PREL_PG_HI21, OF_PAGES, 0, 12, 21, 5, true},
                           {R_AARCH64_ADD_ABS_LO12_NC, OF_SYMBOL, 0, 0, 12, 10, false},
                           {R_AARCH64_LDST8_ABS_LO12_NC, OF_SYMBOL, 0, 0, 12, 10, false},
                           {R_AARCH64_LDST16_ABS_LO12_NC, OF_SYMBOL, 0, 1, 11, 10, false},
                           {R_AARCH64_LDST32_ABS_LO12_NC, OF_SYMBOL, 0, 2, 10, 10, false},
                           {R_AARCH64_LDST64_ABS_LO12_NC, OF_SYMBOL, 0, 3, 9, 10, false},
                           {R_AARCH64_LDST128_ABS_LO12_NC, OF_SYMBOL, 0, 4, 8, 10, false},
                           {R_AARCH64_ADR_GOT_PAGE, OF_GOT_PAGES, 0, 12, 21, 5, true},
                           {R_AARCH64_LD64_GOT_LO12_NC, OF_GOT, 0, 3, 9, 10, false}};

static const Row *row_of(uint32_t type) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type)
            return &rows[i];
    return NULL;
}

static uint32_t width(uint32_t type) {
    const Row *row = row_of(type);
    return row && row->bytes ? row->bytes : 4;
}

static bool through_got(uint32_t type) {
    const Row *row = row_of(type);
    return row && row->number >= OF_GOT;
}

static uint64_t number_of(const Row *row, const MgRelocation *r) {
    const uint64_t page = ~(uint64_t)0xfff;
    bool far = r->elsewhere && r->entry && row->bytes != 8; // other numbers may be too small for it
    uint64_t to = row->number >= OF_GOT ? r->entry + MG_JUMP_BYTES : far ? r->entry : r->symbol;
    to += r->addend;
    if (row->number == OF_PAGES || row->number == OF_GOT_PAGES)
        return (to & page) - (r->place & page);
    return row->number == OF_DISTANCE ? to - r->place : to;
}

static const char *apply(unsigned char *where, const MgRelocation *r) {
    const Row *row = row_of(r->type);
    if (r->type == R_AARCH64_NONE)
        return NULL;
    if (!row)
        return "an unknown kind of relocation";
    if (row->number >= OF_GOT && !r->entry)
        return "a relocation has no symbol";
    uint64_t value = number_of(row, r);
    uint32_t size = row->low + row->bits;
    if (row->checked && (value + ((uint64_t)1 << (size - 1))) >> size)
        return "a relocation is out of range";
    if (row->bytes) {
        memcpy(where, &value, row->bytes); // little-endian
        return NULL;
    }
    uint32_t instruction, field = (uint32_t)(value >> row->low) & (((uint32_t)1 << row->bits) - 1);
    memcpy(&instruction, where, 4);
    if (row->bits == 21) // adr and adrp have the lowest two bits apart
        instruction = (instruction & ~0x60ffffe0u) | (field & 3) << 29 | field >> 2 << 5;
    else
        instruction =
            (instruction & ~((((uint32_t)1 << row->bits) - 1) << row->at)) | field << row->at;
    memcpy(where, &instruction, 4);
    return NULL;
}

const MgRelocations mg_relocations_aarch64 = {
    .machine = EM_AARCH64,
    .name = "AArch64",
    .jump = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6}, // ldr x16, 8; br x16
    .width = width,
    .through_got = through_got,
    .apply = apply};
