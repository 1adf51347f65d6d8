// The instructions of lang/dots.def: those of CPUs that add dot products of words.
#ifndef MG_IR_DOTS_H
#define MG_IR_DOTS_H

#include "ir/types.h"
#include "machines/machine.h"

typedef enum MgDotIsa { MG_DOT_X86, MG_DOT_AARCH64 } MgDotIsa;

typedef struct MgDotRow {
    MgAtom atom;
    MgFigure rate;
    MgDotIsa isa;
    uint32_t bits;            // of its vectors
    uint32_t part, word, bit; // where a CPU tells that it has it
    const char *feature;      // LLVM's name of it
    const char *intrinsic;
    const char *but; // how it differs from single multiplications and additions; NULL: in nothing
} MgDotRow;

const MgDotRow *mg_dot_rows(uint32_t *n);
// Multiply-adds per nanosecond of a machine's core by the atom; 0: it has no such instruction.
double mg_dot_rate(const MgMachine *machine, MgAtom atom);
// The products that an atom adds in the time of one f32 multiply-add, in one of a CPU's cores or in
// a unit of a GPU.
double mg_atom_speed(const MgMachine *machine, bool gpu, MgAtom atom);

#endif
