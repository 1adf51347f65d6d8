// Internals of the table of integer expressions (polynomials, monomials, atoms), only for
// ir/ix_*.c.
//
// An expression is a sum of terms (coefficient times monomial), sorted by monomial. A monomial is a
// product of powers of atoms, sorted by atom. All three are hash-consed, so their ids can be
// compared. mod is not an atom: a mod c is a - c*floor(a/c), so that floors and mods of the same
// quotient cancel without a rule. ix_print.c finds the mod again.
#ifndef MG_IR_IX_INTERNAL_H
#define MG_IR_IX_INTERNAL_H

#include "ir/ix.h"

typedef uint32_t MgIxMono; // 0 is the empty product
typedef uint32_t MgIxAtom;

typedef struct MgIxTerm {
    int64_t coef; // never 0
    MgIxMono mono;
} MgIxTerm;

typedef struct MgIxFactor {
    MgIxAtom atom;
    uint32_t power; // at least 1
} MgIxFactor;

typedef struct MgIxPoly {
    const MgIxTerm *terms;
    uint32_t n;
    uint32_t size, depth; // the number of nodes of the whole tree; the nesting depth of atoms
    uint64_t mask;        // has bit (symbol mod 64) for each symbol inside
    uint32_t next;        // the next row of equal hash
} MgIxPoly;

typedef struct MgIxMonoRow {
    const MgIxFactor *factors;
    uint32_t n, next;
} MgIxMonoRow;

typedef enum MgIxAtomKind {
    MG_IX_ATOM_SYM,
    MG_IX_ATOM_DIV,
    MG_IX_ATOM_MIN,
    MG_IX_ATOM_MAX
} MgIxAtomKind;
typedef struct MgIxAtomRow {
    MgIxAtomKind kind;
    MgIxSym sym; // SYM
    MgIx a, b;   // of the other kinds
    uint32_t next;
} MgIxAtomRow;

typedef struct MgIxSymRow {
    MgSym name;        // of a dimension
    bool index;        // otherwise a dimension
    uint32_t position; // of an index
    int64_t low, high;
    MgIxAtom atom;
} MgIxSymRow;

// What a walk makes of the atoms of an expression. Many paths lead to an atom that is shared, as
// those of nested mods are; it is walked once.
typedef struct MgIxMade {
    uint32_t walk;
    MgIx to;
} MgIxMade;

typedef struct MgIxMemo {
    MG_VEC(MgIxMade) made; // by atom
    uint32_t walks;        // the number of the latest walk
} MgIxMemo;

struct MgIxTable {
    MgArena *arena;
    MgMap poly_ids, mono_ids, atom_ids; // from hash to the newest row of that hash
    MG_VEC(MgIxPoly) polys;             // [0] is MG_IX_ERROR
    MG_VEC(MgIxMonoRow) monos;
    MG_VEC(MgIxAtomRow) atoms;
    MG_VEC(MgIxSymRow) syms;
    MG_VEC(MgIxSym) indices; // by position; UINT32_MAX: not made yet
    MG_VEC(MgIxTerm) scratch;
    MG_VEC(MgIxFactor) factors;
    MgMap unproved; // hashes of questions that proofs could not decide; a collision is sound
    MgIxMemo replaced, shortened; // of mg_ix_subst and mg_ix_narrow
    bool overflowed;              // why the last MG_IX_ERROR was made: overflow, or too long
    uint32_t narrowed; // how often a symbol's bounds shrank; after that, old questions are asked
                       // again
};

bool mg_ix_memo_find(const MgIxMemo *m, uint32_t walk, MgIxAtom id, MgIx *to);
MgIx mg_ix_memo_put(MgIxTable *t, MgIxMemo *m, uint32_t walk, MgIxAtom id, MgIx to); // returns `to`

static inline const MgIxPoly *mg_ix_poly(const MgIxTable *t, MgIx x) {
    return &t->polys.at[x];
}
static inline const MgIxMonoRow *mg_ix_mono(const MgIxTable *t, MgIxMono m) {
    return &t->monos.at[m];
}
static inline const MgIxAtomRow *mg_ix_atom(const MgIxTable *t, MgIxAtom a) {
    return &t->atoms.at[a];
}

// Returns MG_IX_ERROR and notes the reason.
static inline MgIx mg_ix_lost(MgIxTable *t, bool overflowed) {
    t->overflowed = overflowed;
    return MG_IX_ERROR;
}

MgIx mg_ix_of_term(MgIxTable *t, int64_t coef, MgIxMono mono);
MgIx mg_ix_of_atom(MgIxTable *t, MgIxAtom atom);
// Makes an atom without applying any rule.
MgIx mg_ix_new_atom(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b);
MgIx mg_ix_scale(MgIxTable *t, MgIx x, int64_t k);
MgIxMono mg_ix_mono_mul(MgIxTable *t, MgIxMono a, MgIxMono b);
// a / b, or false if b does not divide a.
bool mg_ix_mono_div(MgIxTable *t, MgIxMono a, MgIxMono b, MgIxMono *quotient);
// Rebuilds an atom whose operands have become a and b, by its constructor.
MgIx mg_ix_rebuild(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b);
// x with each of its atoms replaced by the result of map.
typedef MgIx IxMapAtomFn(void *ctx, MgIxAtom atom);
MgIx mg_ix_map_atoms(MgIxTable *t, MgIx x, IxMapAtomFn *map, void *ctx);
// x = coefficient * atom + rest. False if the atom stands in a power; it may also stand inside
// other atoms.
bool mg_ix_linear_in_atom(MgIxTable *t, MgIx x, MgIxAtom atom, MgIx *coefficient, MgIx *rest);
// x with one atom replaced wherever it is a factor of a term.
MgIx mg_ix_subst_atom(MgIxTable *t, MgIx x, MgIxAtom atom, MgIx to);
// An order of expressions that depends only on their text.
int mg_ix_compare(const MgIxTable *t, const MgNames *names, MgIx a, MgIx b);

// The signs that x has at some points of a box; none if symbols decide that are not its indices.
enum { MG_IX_NEGATIVE = 1, MG_IX_NONNEGATIVE = 2 };
unsigned mg_ix_signs(const MgIxTable *t, MgIx x, const MgIxRanges *ranges);

#endif
