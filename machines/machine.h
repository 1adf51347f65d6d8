// The one description of a machine on which passes and schedules base decisions: figures.def as a
// struct, the files of this folder, and their reader. docs/hacking.md says how to add a machine.
//
//   mg machine 1
//   like x86-64-v4        # begins with another machine's figures
//   llvm znver4           # what LLVM calls it
//   l2_size 1 MiB         # a figure, in its unit or a multiple of it
//
// `like` comes first. `isa` is the kind of code, one that a backend knows. `machine` is text that
// says where the file came from. Text after a # is a comment.
#ifndef MG_MACHINES_MACHINE_H
#define MG_MACHINES_MACHINE_H

#include "support/text.h"

#include <stdint.h>

typedef enum MgFigureKind {
    MG_FIGURE_CPU = 1,
    MG_FIGURE_GPU = 2,
    MG_FIGURE_ANY = MG_FIGURE_CPU | MG_FIGURE_GPU
} MgFigureKind;

// A figure's number is its place in the struct.
typedef enum MgFigure {
#define MG_FIGURE(name, kind, unit, least, most, usual, meaning) MG_FIG_##name,
#include "machines/figures.def"
#undef MG_FIGURE
    MG_N_FIGURES
} MgFigure;

typedef struct MgFigureRow {
    const char *name;
    MgFigureKind kind;
    const char *unit;
    double least, most, usual;
    const char *meaning;
} MgFigureRow;
extern const MgFigureRow mg_figures[MG_N_FIGURES];

enum { MG_MACHINE_NAME = 32 };
typedef struct MgMachine {
    char name[MG_MACHINE_NAME], llvm[MG_MACHINE_NAME], isa[MG_MACHINE_NAME];
    union {
        struct {
#define MG_FIGURE(name, kind, unit, least, most, usual, meaning) double name;
#include "machines/figures.def"
#undef MG_FIGURE
        };
        double at[MG_N_FIGURES];
    };
    const char *from[MG_N_FIGURES]; // the origin of each figure: a machine's name, a file, "this
                                    // CPU", "usual"
} MgMachine;

// What the compute capability of a GPU means: does it have matrix units, and those of groups of 128
// items that read local memory ("wide products")? Which types they take, lang/atoms.def says. And
// may products of 32 items split factors of f32 (MgKProduct)?
static inline bool mg_machine_has_units(const MgMachine *m) {
    return m->ptx >= 80;
}
static inline bool mg_machine_has_wide(const MgMachine *m) {
    return m->ptx == 90;
}
static inline bool mg_machine_splits(const MgMachine *m) {
    return mg_machine_has_units(m) && m->parts_faster > 0;
}

// A machine of which nothing is known. It lives forever.
const MgMachine *mg_machine_usual(void);
// Fills in the machine of a file of this folder. False if there is no file of that name.
bool mg_machine_find(const char *name, MgMachine *machine);
// The files' names, ended by NULL.
const char *const *mg_machine_names(void);

// Reads the text of a file over *machine. `from` is the origin of its figures, and must live as
// long as the machine. Returns NULL, or what is wrong with line *line; *machine is then partly
// changed.
const char *mg_machine_read(MgMachine *machine, const char *text, size_t length, const char *from,
                            uint32_t *line);
// Prints a file's text: the machine's figures of that kind, each with its origin.
void mg_machine_print(const MgMachine *machine, MgFigureKind kind, MgText *out);
// Sets a figure to the nearest value that is allowed.
void mg_machine_set(MgMachine *machine, MgFigure figure, double value, const char *from);
// A hash of all figures: equal machines have equal hashes. It is part of an object's name.
uint64_t mg_machine_hash(const MgMachine *machine);

#endif
