#include "ir/dots.h"

static const MgDotRow rows[] = {
#define MG_DOT(atom, figure, isa, bits, part, word, bit, feature, intrinsic, but)                  \
    {MG_ATOM_##atom, MG_FIG_##figure, MG_DOT_##isa, bits, part, word, bit, feature, intrinsic, but},
#include "lang/dots.def"
#undef MG_DOT
};
enum { ROWS = sizeof rows / sizeof *rows };

const MgDotRow *mg_dot_rows(uint32_t *n) {
    *n = ROWS;
    return rows;
}

double mg_dot_rate(const MgMachine *machine, MgAtom atom) {
    for (uint32_t i = 0; i < ROWS; i++)
        if (rows[i].atom == atom)
            return machine->at[rows[i].rate];
    return 0;
}

double mg_atom_speed(const MgMachine *machine, bool gpu, MgAtom atom) {
    return gpu ? machine->unit_words * mg_atom_per_word(atom) / machine->unit_products
               : mg_dot_rate(machine, atom) / machine->products;
}
