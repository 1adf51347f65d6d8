// Integer expressions over dimensions and indices, in normal form.
//
// An MgIx is a sum of monomials over atoms with 64-bit coefficients, hash-consed in a table: two
// expressions have the same normal form exactly if their ids are equal. Atoms are symbols
// (dimensions, and the indices of equations), and floor division, mod, min and max of normal forms.
// Construction applies these rules: c*floor(a/c) + a mod c = a, exact division by monomials, (a +
// c*k) mod c = a mod c, nested floors of constants, min and max of comparable operands. If a
// coefficient overflows, the result is the error expression MG_IX_ERROR, which every operation
// propagates.
//
// Division and mod round down. a/0 is 0 and a mod 0 is a, so that a = b*(a/b) + a mod b always
// holds. If a divisor divides exactly (C*D / D), it is assumed not to be 0.
#ifndef MG_IR_IX_H
#define MG_IR_IX_H

#include "support/map.h"
#include "support/text.h"

typedef uint32_t MgIx;
typedef uint32_t MgIxSym; // 0: none
typedef struct MgIxTable MgIxTable;
#define MG_IX_ERROR ((MgIx)0)
bool mg_ix_overflowed(const MgIxTable *t); // was the cause of the last MG_IX_ERROR an overflow, not
                                           // the length of an expression?
#define MG_IX_INF INT64_MAX                // as a bound: unbounded

// Symbols. Index symbols are numbered by position: index k of every equation is the same symbol, so
// equal equations have equal ids. The equation holds their ranges. Dimension symbols have names,
// are unique in a graph, and have an inclusive interval (from 0 on unless declared otherwise).
MgIxTable *mg_ix_table_new(MgArena *arena);
MgIxSym mg_ix_dim(MgIxTable *t, MgSym name, int64_t low,
                  int64_t high); // makes a new symbol, even if the name is taken
MgIxSym mg_ix_index(MgIxTable *t, uint32_t position);
bool mg_ix_sym_is_index(const MgIxTable *t, MgIxSym s, uint32_t *position);
MgSym mg_ix_sym_name(const MgIxTable *t, MgIxSym s); // 0 for an index
void mg_ix_sym_bounds(const MgIxTable *t, MgIxSym s, int64_t *low, int64_t *high);
void mg_ix_sym_narrow(MgIxTable *t, MgIxSym s, int64_t low, int64_t high);
uint32_t mg_ix_n_syms(const MgIxTable *t);

// Construction.
MgIx mg_ix_const(MgIxTable *t, int64_t value);
MgIx mg_ix_sym(MgIxTable *t, MgIxSym s);
MgIx mg_ix_idx(MgIxTable *t, uint32_t position); // mg_ix_sym(mg_ix_index(position))
MgIx mg_ix_add(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_sub(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_neg(MgIxTable *t, MgIx a);
MgIx mg_ix_mul(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_div(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_mod(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_min(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_max(MgIxTable *t, MgIx a, MgIx b);
MgIx mg_ix_product(MgIxTable *t, const MgIx *factors, uint32_t n); // 1 if n is 0
static inline MgIx mg_ix_ceil_div(MgIxTable *t, MgIx a, MgIx by) { // rounded up
    return mg_ix_div(t, mg_ix_add(t, a, mg_ix_sub(t, by, mg_ix_const(t, 1))), by);
}
static inline MgIx mg_ix_round_up(MgIxTable *t, MgIx x, int64_t unit) {
    MgIx by = mg_ix_const(t, unit);
    return mg_ix_mul(t, mg_ix_ceil_div(t, x, by), by);
}

// Inspection.
bool mg_ix_is_const(const MgIxTable *t, MgIx x, int64_t *value);
static inline int64_t mg_ix_const_or(const MgIxTable *t, MgIx x, int64_t otherwise) {
    mg_ix_is_const(t, x, &otherwise);
    return otherwise;
}
bool mg_ix_mentions(const MgIxTable *t, MgIx x, MgIxSym s); // also inside atoms
bool mg_ix_mentions_index(const MgIxTable *t, MgIx x);      // any index symbol
// x = coefficient * s + rest, where neither contains s. False if s stands inside an atom or in a
// power.
bool mg_ix_linear(MgIxTable *t, MgIx x, MgIxSym s, MgIx *coefficient, MgIx *rest);
// The same with a coefficient that is known.
static inline bool mg_ix_steps(MgIxTable *t, MgIx x, MgIxSym s, int64_t *by, MgIx *rest) {
    MgIx coefficient;
    return mg_ix_linear(t, x, s, &coefficient, rest) && mg_ix_is_const(t, coefficient, by);
}
// Is x a single symbol?
bool mg_ix_is_sym(const MgIxTable *t, MgIx x, MgIxSym *s);
// Is x the smaller (*min) or the larger of two expressions, and nothing more?
bool mg_ix_is_choice(const MgIxTable *t, MgIx x, bool *min, MgIx *a, MgIx *b);
// The symbols of x in order of number, inside atoms too. Returns their count.
uint32_t mg_ix_symbols(const MgIxTable *t, MgIx x, MgArena *arena, MgIxSym **out);
// x as a tree of the operations above, for lowering and printing.
typedef enum MgIxOp {
    MG_IX_CONST,
    MG_IX_SYM,
    MG_IX_ADD,
    MG_IX_SUB,
    MG_IX_MUL,
    MG_IX_DIV,
    MG_IX_MOD,
    MG_IX_MIN,
    MG_IX_MAX
} MgIxOp;
typedef struct MgIxNode {
    MgIxOp op;
    int64_t value; // CONST
    MgIxSym sym;   // SYM
    struct MgIxNode *a, *b;
} MgIxNode;
MgIxNode *mg_ix_tree(const MgIxTable *t, MgIx x, MgArena *arena);

// Simultaneous substitution: each symbol s for which map(ctx, s, &to) is true is replaced by `to`.
typedef bool MgIxMapFn(void *ctx, MgIxSym s, MgIx *to);
MgIx mg_ix_subst(MgIxTable *t, MgIx x, MgIxMapFn *map, void *ctx);
// Replaces index k by with[k], for k < n.
MgIx mg_ix_subst_indices(MgIxTable *t, MgIx x, const MgIx *with, uint32_t n);
// Replaces one index, and no other.
MgIx mg_ix_subst_index(MgIxTable *t, MgIx x, uint32_t index, MgIx to);

// Evaluates x, with value(ctx, s, &v) for its symbols. False if a symbol is unknown, or if the
// arithmetic overflows.
typedef bool MgIxValueFn(void *ctx, MgIxSym s, int64_t *value);
bool mg_ix_eval(const MgIxTable *t, MgIx x, MgIxValueFn *value, void *ctx, int64_t *result);

// A likely value, for choices by size whose result is correct for any value. A dimension counts as
// its bound if it has one, otherwise as 64 or as its least value if that is larger. 0 if the
// arithmetic overflows; never negative.
int64_t mg_ix_likely(const MgIxTable *t, MgIx x);

// Ranges of index symbols in a proof: index k is in [low[k], high[k]), expressions over dimensions
// and indices before it (a prefix range).
typedef struct MgIxRanges {
    const MgIx *low, *high;
    uint32_t n;
} MgIxRanges;
typedef enum MgProof { MG_UNKNOWN, MG_PROVED, MG_REFUTED } MgProof;
// Is x >= 0 for every value of its symbols (PROVED), or for none (REFUTED)? Uses the intervals of
// dimensions, the ranges of indices (their ends, where x is monotone), 0 <= a mod c < c, and the
// facts (each known to be >= 0).
MgProof mg_ix_nonnegative(MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                          uint32_t n_facts);
// How x changes if symbol s grows and the others stay. MIXED also means unknown.
typedef enum MgIxDirection {
    MG_IX_CONSTANT = 0,
    MG_IX_UP = 1,
    MG_IX_DOWN = -1,
    MG_IX_MIXED = 2
} MgIxDirection;
MgIxDirection mg_ix_direction(MgIxTable *t, MgIx x, MgIxSym s, const MgIxRanges *ranges);
// x with floor(a/b) replaced by 0 wherever 0 <= a < b over the ranges. This takes tuples apart
// again.
MgIx mg_ix_narrow(MgIxTable *t, MgIx x, const MgIxRanges *ranges);
// The same where the facts are not negative.
MgIx mg_ix_narrow_by(MgIxTable *t, MgIx x, const MgIxRanges *ranges, const MgIx *facts,
                     uint32_t n_facts);
// Does x have a floor division (or mod)?
bool mg_ix_has_division(const MgIxTable *t, MgIx x);
// The largest factor, as a magnitude, of a symbol or an atom in x; 0 if x has neither.
uint64_t mg_ix_largest_factor(const MgIxTable *t, MgIx x);
// The numeric interval of x, inclusive; -MG_IX_INF and MG_IX_INF where it is unbounded.
void mg_ix_interval(MgIxTable *t, MgIx x, const MgIxRanges *ranges, int64_t *low, int64_t *high);

// Prints x over the names of dimensions and of indices (index_name(ctx, position)). The text reads
// back as x.
typedef const char *MgIxIndexName(void *ctx, uint32_t position);
void mg_ix_print(const MgIxTable *t, const MgNames *names, MgIx x, MgIxIndexName *index_name,
                 void *ctx, MgText *out);

// The same for places where `/` and `%` truncate: prints floordiv(a, b) and floormod(a, b).
void mg_ix_print_value(const MgIxTable *t, const MgNames *names, MgIx x, MgIxIndexName *index_name,
                       void *ctx, MgText *out);
// How tightly the outermost operation of x binds: 1 for a sum, 2 for a product, 3 for a name, call
// or number.
int mg_ix_precedence(const MgIxTable *t, const MgNames *names, MgIx x, MgArena *arena, bool value);
// Prints a name as it must be written: in backticks unless it is a word or path of the language.
void mg_print_name(const char *name, MgText *out);

#endif
