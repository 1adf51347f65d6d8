// Internals of the table of integer expressions: polynomials, monomials, atoms. For ir/ix_*.c only.
//
// An expression is a sum of terms (coefficient times monomial), sorted by monomial. A monomial is a
// product of powers of atoms, sorted by atom. All three are hash-consed, so ids compare. mod is not
// an atom: a mod c is a - c*floor(a/c), so that floors and mods of the same quotient cancel by
// themselves. ix_print.c finds the mod again.
#ifndef MG_IR_IX_INTERNAL_H
#define MG_IR_IX_INTERNAL_H

#include "ir/ix.h"

typedef uint32_t IxMono; // 0 is the empty product
typedef uint32_t IxAtom;

typedef struct IxTerm {
    int64_t coef; // never 0
    IxMono mono;
} IxTerm;

typedef struct IxFactor {
    IxAtom atom;
    uint32_t power; // at least 1
} IxFactor;

typedef struct IxPoly {
    const IxTerm *terms;
    uint32_t n;
    uint32_t size, depth; // nodes of the whole tree; nesting depth of atoms
    uint64_t mask;        // has bit (symbol mod 64) for each symbol inside
    uint32_t next;        // the next row of equal hash
} IxPoly;

typedef struct IxMonoRow {
    const IxFactor *factors;
    uint32_t n, next;
} IxMonoRow;

typedef enum IxAtomKind { IX_SYM, IX_DIV, IX_MIN, IX_MAX } IxAtomKind;
typedef struct IxAtomRow {
    IxAtomKind kind;
    MgIxSym sym; // SYM
    MgIx a, b;   // of the other kinds
    uint32_t next;
} IxAtomRow;

typedef struct IxSymRow {
    MgSym name;        // of a dimension
    bool index;        // otherwise a dimension
    uint32_t position; // of an index
    int64_t low, high;
    IxAtom atom;
} IxSymRow;

struct MgIxTable {
    MgArena *arena;
    MgMap poly_ids, mono_ids, atom_ids; // from hash to the newest row of that hash
    MG_VEC(IxPoly) polys;               // [0] is MG_IX_ERROR
    MG_VEC(IxMonoRow) monos;
    MG_VEC(IxAtomRow) atoms;
    MG_VEC(IxSymRow) syms;
    MG_VEC(MgIxSym) indices; // by position; UINT32_MAX: not made yet
    MG_VEC(IxTerm) scratch;
    MG_VEC(IxFactor) factors;
    MgMap unproved;    // hashes of questions that proofs gave up on; a collision is sound
    bool overflowed;   // why the last MG_IX_ERROR was made: overflow, or too long
    uint32_t narrowed; // how often a symbol's bounds shrank: old questions are then asked again
};

static inline const IxPoly *ix_poly(const MgIxTable *t, MgIx x) {
    return &t->polys.at[x];
}
static inline const IxMonoRow *ix_mono(const MgIxTable *t, IxMono m) {
    return &t->monos.at[m];
}
static inline const IxAtomRow *ix_atom(const MgIxTable *t, IxAtom a) {
    return &t->atoms.at[a];
}

// Returns MG_IX_ERROR and notes the reason.
static inline MgIx ix_lost(MgIxTable *t, bool overflowed) {
    t->overflowed = overflowed;
    return MG_IX_ERROR;
}

MgIx ix_of_term(MgIxTable *t, int64_t coef, IxMono mono);
MgIx ix_of_atom(MgIxTable *t, IxAtom atom);
// Makes an atom as it is, without any rule.
MgIx ix_new_atom(MgIxTable *t, IxAtomKind kind, MgIx a, MgIx b);
MgIx ix_scale(MgIxTable *t, MgIx x, int64_t k);
IxMono ix_mono_mul(MgIxTable *t, IxMono a, IxMono b);
// a / b, or false if b does not divide a.
bool ix_mono_div(MgIxTable *t, IxMono a, IxMono b, IxMono *quotient);
// An atom whose operands have become a and b: applies the construction that made it.
MgIx ix_rebuild(MgIxTable *t, IxAtomKind kind, MgIx a, MgIx b);
// x with each of its atoms replaced by what map gives for it.
typedef MgIx IxMapAtomFn(void *ctx, IxAtom atom);
MgIx ix_map_atoms(MgIxTable *t, MgIx x, IxMapAtomFn *map, void *ctx);
// x = coefficient * atom + rest. False if the atom stands in a power; inside other atoms it may
// stand.
bool ix_linear_in_atom(MgIxTable *t, MgIx x, IxAtom atom, MgIx *coefficient, MgIx *rest);
// x with one atom replaced wherever it is a factor of a term.
MgIx ix_subst_atom(MgIxTable *t, MgIx x, IxAtom atom, MgIx to);
// An order of expressions that depends on their text alone.
int ix_compare(const MgIxTable *t, const MgNames *names, MgIx a, MgIx b);

#endif
