// Contractions by instructions that multiply words (lang/dots.def): a word of a packed factor holds
// neighbours along the depth.
//
// Depth is then counted in words: the symbol MG_GEMM_K is a word's number, MG_GEMM_J a neighbour's
// position in it. Neighbours past the end of the sum are zeros. An instruction for unsigned rows
// multiplies signed rows if 128 is added to each element, and one for signed rows multiplies
// unsigned rows if 128 is subtracted: both flip the sign bit. The tile then sums an additional row,
// with 128 or -128 in every element, which is subtracted from the others at the end.
#include "passes/schedule/words.h"
#include "ir/dots.h"
#include "passes/exact.h"
#include "passes/schedule/contraction/contraction.h"

enum { SIGN_BYTES = 0x80808080 }; // the sign bit of each byte

// ---------------------------------------------------------------- choosing the atom

static bool has(const MgGemm *g, const MgSx *factor, MgDType type) {
    return mg_sx_is_exact_in(g->s->g, mg_op(g->s->g, g->unit->ops[0]), factor, type);
}

static MgDType other_sign(MgDType type) {
    return type == MG_U8 ? MG_I8 : type == MG_I8 ? MG_U8 : type;
}

bool mg_gemm_dot_fits(const MgGemm *g, MgAtom atom, bool *offset) {
    const MgAtomRow *a = mg_atom(atom);
    *offset = !has(g, g->row.x, a->row) && has(g, g->row.x, other_sign(a->row));
    return mg_target_has_atom(&g->s->options->target, atom) && a->sum == g->type &&
           (*offset || has(g, g->row.x, a->row)) && has(g, g->column.x, a->column);
}

static bool is_exact(const MgAtomRow *a) {
    return !mg_is_float(a->sum);
}

bool mg_gemm_default_dot(const MgGemm *g, MgAtom *atom) {
    double best = 0;
    bool best_offset = false, offset;
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        double rate = mg_dot_rate(&g->s->options->target.machine, (MgAtom)i);
        if (!is_exact(mg_atom((MgAtom)i)) || !mg_gemm_dot_fits(g, (MgAtom)i, &offset) ||
            rate < best || (rate == best && offset >= best_offset))
            continue;
        *atom = (MgAtom)i;
        best = rate;
        best_offset = offset;
    }
    return best > 0;
}

void mg_gemm_use_dot(MgGemm *g, MgAtom atom) {
    MgIxTable *t = g->s->ix;
    MgGemmWords *w = &g->words;
    mg_gemm_dot_fits(g, atom, &w->offset);
    w->used = true;
    w->atom = atom;
    w->per_word = mg_atom_per_word(atom);
    w->steps = g->k.extent;
    w->type = MG_I32;
    MgIx per_word = mg_ix_const(t, w->per_word);
    w->whole = mg_ix_mod(t, g->k.extent, per_word) == mg_ix_const(t, 0);
    g->k.extent = mg_ix_ceil_div(t, g->k.extent, per_word);
    if (g->k.known >= 0)
        g->k.known = mg_ceil_div(g->k.known, w->per_word);
    mg_gemm_set_symbols(g);
}

// ---------------------------------------------------------------- factors as words

// A factor's lanes in the atom's type, zero where the mask is off.
static const MgKx *narrow_lanes(MgGemm *g, MgKBlock *block, const MgSx *x, int vector,
                                uint32_t lanes, const MgKx *mask) {
    MgKernel *k = g->kb.k;
    const MgAtomRow *atom = mg_atom(g->words.atom);
    MgDType type = x == g->column.x  ? atom->column
                   : g->words.offset ? other_sign(atom->row)
                                     : atom->row;
    MgPoint p = mg_gemm_point(g, g->unit->ops[0], block, vector, mask);
    p.lanes = lanes;
    const MgKx *v = mg_point_expr(&p, x), *narrow = mg_narrowed(k, v, type);
    v = mg_ksplat(k, narrow ? narrow : cast(k, type, v), lanes);
    if (mask)
        v = where(k, mask, v, mg_kfloat(k, v->type, 0));
    return v;
}

// Loads words whose elements are contiguous in memory.
static const MgKx *lying_words(MgGemm *g, MgKBlock *block, const MgSx *x, const MgKx *mask) {
    MgKernel *k = g->kb.k;
    MgIx high = g->at.high[MG_GEMM_J];
    uint32_t lanes = g->lanes * g->words.per_word;
    if (mask || !g->words.whole) {
        const MgKx *first = times(k, g->at.loop[MG_GEMM_K], g->words.per_word);
        const MgKx *end = mg_kb_ix(&g->kb, g->words.steps, g->at.loop);
        mask = named(k, block, "mask", lanes_below(k, first, end, lanes));
    }
    g->at.loop[MG_GEMM_J] = num(k, 0);
    g->at.high[MG_GEMM_J] = mg_ix_const(g->s->ix, lanes);
    const MgKx *v = narrow_lanes(g, block, x, MG_GEMM_J, lanes, mask);
    g->at.high[MG_GEMM_J] = high;
    return mg_kwords(k, v);
}

// Interleaves the elements of two vectors.
static const MgKx *interleaved(MgKernel *k, const MgKx *a, const MgKx *b) {
    uint8_t lanes[64]; // the most that a vector has
    uint32_t n = a->type.lanes;
    for (uint32_t i = 0; i < 2 * n && i < sizeof lanes; i++)
        lanes[i] = (uint8_t)(i / 2 + (i % 2 ? n : 0));
    return mg_kpermute(k, a, b, lanes, 2 * n);
}

// Neighbour j of each word, as a vector.
static const MgKx *neighbour(MgGemm *g, MgKBlock *block, const MgSx *x, int vector, uint32_t j,
                             const MgKx *mask) {
    MgKernel *k = g->kb.k;
    if (!g->words.whole) {
        const MgKx *at = plus(k, times(k, g->at.loop[MG_GEMM_K], g->words.per_word), j);
        if (vector == MG_GEMM_K)
            at = mg_kramp(k, at, num(k, g->words.per_word), g->lanes);
        const MgKx *end = mg_kb_ix(&g->kb, g->words.steps, g->at.loop);
        const MgKx *inside = less(k, mg_ksplat(k, at, g->lanes), mg_ksplat(k, end, g->lanes));
        mask = named(k, block, "inside", mask ? both(k, mask, inside) : inside);
    }
    g->at.loop[MG_GEMM_J] = num(k, j);
    return named(k, block, "x", narrow_lanes(g, block, x, vector, g->lanes, mask));
}

static const MgKx *gathered_words(MgGemm *g, MgKBlock *block, const MgSx *x, int vector,
                                  const MgKx *mask) {
    const MgKx *all[4];
    uint32_t n = g->words.per_word;
    for (uint32_t j = 0; j < n; j++)
        all[j] = neighbour(g, block, x, vector, j, mask);
    for (; n > 1; n /= 2) // the halves are interleaved, so the last round leaves them in order
        for (uint32_t j = 0; j < n / 2; j++)
            all[j] = interleaved(g->kb.k, all[j], all[j + n / 2]);
    return mg_kwords(g->kb.k, all[0]);
}

const MgKx *mg_gemm_words(MgGemm *g, MgKBlock *block, const MgSx *x, int vector, const MgKx *mask) {
    MgStrides j = mg_gemm_strides(g, x, MG_GEMM_J);
    const MgKx *words = vector == MG_GEMM_K && j.straight && !j.other
                            ? lying_words(g, block, x, mask)
                            : gathered_words(g, block, x, vector, mask);
    g->at.loop[MG_GEMM_J] = num(g->kb.k, 0);
    if (x != g->row.x || !g->words.offset)
        return words;
    return bin(g->kb.k, MG_PRIM_XOR, words, mg_kconst(g->kb.k, words->type, SIGN_BYTES));
}

// ---------------------------------------------------------------- sums

const MgKx *mg_gemm_multiply(MgGemm *g, const MgKx *row, const MgKx *column, const MgKx *sum) {
    return g->words.used ? mg_kdot(g->kb.k, g->words.atom, sum, row, column)
                         : mg_multiply_add(g->s, g->kb.k, row, column, sum);
}

const MgKx *mg_gemm_offset_row(MgGemm *g) {
    return mg_kconst(g->kb.k, mg_kt(MG_I32, g->lanes), SIGN_BYTES);
}
