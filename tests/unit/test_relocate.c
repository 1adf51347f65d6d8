// Relocations, against what GNU ld 2.40 writes for the same instructions at the same addresses.
#include "image/relocate.h"
#include "tests/unit/check.h"

#include <elf.h>

enum { BL, B, CBZ, TBZ, LDR_NEAR, ADR, ADRP, ADD, LDRB, LDRH, LDRW, LDRX, LDRQ };
static const uint64_t text = 0x7654320000, far = 0x765abcdef0, near = 0x76543207f4;
static const struct {
    uint32_t type;
    bool near;
    uint32_t before, after;
} instructions[] = {[BL] = {R_AARCH64_CALL26, false, 0x94000000, 0x95a2b7bc},
                    [B] = {R_AARCH64_JUMP26, true, 0x14000000, 0x140001fc},
                    [CBZ] = {R_AARCH64_CONDBR19, true, 0xb4000003, 0xb4003f63},
                    [TBZ] = {R_AARCH64_TSTBR14, true, 0xb6080004, 0xb6083f44},
                    [LDR_NEAR] = {R_AARCH64_LD_PREL_LO19, true, 0x58000005, 0x58003f25},
                    [ADR] = {R_AARCH64_ADR_PREL_LO21, true, 0x10000006, 0x10003f06},
                    [ADRP] = {R_AARCH64_ADR_PREL_PG_HI21, false, 0x90000007, 0xb0034567},
                    [ADD] = {R_AARCH64_ADD_ABS_LO12_NC, false, 0x910000e8, 0x913bc0e8},
                    [LDRB] = {R_AARCH64_LDST8_ABS_LO12_NC, false, 0x394000e9, 0x397bc0e9},
                    [LDRH] = {R_AARCH64_LDST16_ABS_LO12_NC, false, 0x794000ea, 0x795de0ea},
                    [LDRW] = {R_AARCH64_LDST32_ABS_LO12_NC, false, 0xb94000eb, 0xb94ef0eb},
                    [LDRX] = {R_AARCH64_LDST64_ABS_LO12_NC, false, 0xf94000ec, 0xf94778ec},
                    [LDRQ] = {R_AARCH64_LDST128_ABS_LO12_NC, false, 0x3dc000ed, 0x3dc3bced}};

static uint32_t applied(uint32_t word, const MgRelocation *r) {
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, r));
    return word;
}

START_TEST(aarch64_instructions) {
    for (uint32_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        MgRelocation r = {.type = instructions[i].type,
                          .symbol = instructions[i].near ? near : far,
                          .place = text + 4 * i};
        ck_assert_uint_eq(applied(instructions[i].before, &r), instructions[i].after);
        ck_assert_uint_eq(applied(instructions[i].after, &r),
                          instructions[i].after); // no bit stays
        r.elsewhere = true;                       // then code goes through the table
        r.entry = r.symbol;
        r.symbol = 1;
        ck_assert_uint_eq(applied(instructions[i].before, &r), instructions[i].after);
    }
}
END_TEST

START_TEST(aarch64_got) {
    MgRelocation page = {R_AARCH64_ADR_GOT_PAGE, 1, 0, text + 4 * ADRP, far - MG_JUMP_BYTES, true},
                 low = {R_AARCH64_LD64_GOT_LO12_NC, 1, 0, text, far - MG_JUMP_BYTES, true};
    ck_assert_uint_eq(applied(instructions[ADRP].before, &page), instructions[ADRP].after);
    ck_assert_uint_eq(applied(instructions[LDRX].before, &low), instructions[LDRX].after);
    page.entry = 0;
    uint32_t word = 0;
    ck_assert_ptr_nonnull(mg_relocations_aarch64.apply((unsigned char *)&word, &page));
}
END_TEST

START_TEST(aarch64_data) {
    uint64_t word = 0;
    MgRelocation r = {R_AARCH64_ABS64, far, 5, text + 56, text, true};
    ck_assert_uint_eq(mg_relocations_aarch64.width(r.type), 8);
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    ck_assert_uint_eq(word, 0x765abcdef5);
    r = (MgRelocation){R_AARCH64_PREL64, far, 0, text + 64, 0, false};
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    ck_assert_uint_eq(word, 0x68adeb0);
    r = (MgRelocation){R_AARCH64_PREL32, near, 0, far, 0, false};
    ck_assert_uint_eq(mg_relocations_aarch64.width(r.type), 4);
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    ck_assert_uint_eq(word, (uint32_t)(near - far));
}
END_TEST

START_TEST(out_of_range) {
    uint32_t word = 0;
    MgRelocation r = {.type = R_AARCH64_CALL26, .symbol = text + (1 << 27) - 4, .place = text};
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    r.symbol += 4;
    ck_assert_str_eq(mg_relocations_aarch64.apply((unsigned char *)&word, &r),
                     "a relocation is out of range");
    r.symbol = text - (1 << 27);
    ck_assert_ptr_null(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    r.symbol -= 4;
    ck_assert_ptr_nonnull(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
    r = (MgRelocation){.type = R_X86_64_PLT32, .symbol = text + INT32_MAX, .place = text};
    ck_assert_ptr_null(mg_relocations_x86_64.apply((unsigned char *)&word, &r));
    r.symbol++;
    ck_assert_ptr_nonnull(mg_relocations_x86_64.apply((unsigned char *)&word, &r));
    r.type = 9999;
    ck_assert_ptr_nonnull(mg_relocations_x86_64.apply((unsigned char *)&word, &r));
    ck_assert_ptr_nonnull(mg_relocations_aarch64.apply((unsigned char *)&word, &r));
}
END_TEST

MG_TEST_MAIN("relocate", aarch64_instructions, aarch64_got, aarch64_data, out_of_range)
