// Integer expressions: the hash-consed table, symbols, and sums and products in normal form.
//
// Sizes are bounded (terms of a sum, nesting, nodes), and every coefficient is checked for
// overflow. An expression that exceeds a bound is MG_IX_ERROR, so hostile input can't make the
// table grow without end.
#include "ir/ix_internal.h"

#include <stdlib.h>

#define MAX_TERMS 4096
#define MAX_FACTORS 64
#define MAX_POWER 64
#define MAX_SIZE 100000
#define MAX_DEPTH 100

// ---------------------------------------------------------------- hash-consing

static MgIxMono intern_mono(MgIxTable *t, const MgIxFactor *factors, uint32_t n) {
    uint64_t hash = mg_hash(factors, n * sizeof *factors, 1);
    uint32_t first = (uint32_t)mg_map_get(&t->mono_ids, hash, UINT32_MAX);
    for (uint32_t m = first; m != UINT32_MAX; m = t->monos.at[m].next)
        if (t->monos.at[m].n == n &&
            (!n || !memcmp(t->monos.at[m].factors, factors, n * sizeof *factors)))
            return m;
    MgIxMonoRow row = {mg_arena_copy(t->arena, factors, n, sizeof *factors), n, first};
    mg_push(t->arena, &t->monos, row);
    mg_map_put(&t->mono_ids, hash, t->monos.len - 1);
    return t->monos.len - 1;
}

static void measure(MgIxTable *t, MgIxPoly *poly) {
    uint64_t size = 1;
    for (uint32_t i = 0; i < poly->n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, poly->terms[i].mono);
        size += 1 + mono->n;
        for (uint32_t f = 0; f < mono->n; f++) {
            const MgIxAtomRow *atom = mg_ix_atom(t, mono->factors[f].atom);
            if (atom->kind == MG_IX_ATOM_SYM) {
                poly->mask |= (uint64_t)1 << (atom->sym & 63);
                continue;
            }
            const MgIxPoly *a = mg_ix_poly(t, atom->a), *b = mg_ix_poly(t, atom->b);
            uint32_t depth = (a->depth > b->depth ? a->depth : b->depth) + 1;
            size += a->size + b->size;
            poly->mask |= a->mask | b->mask;
            poly->depth = depth > poly->depth ? depth : poly->depth;
        }
    }
    poly->size = size > MAX_SIZE ? MAX_SIZE + 1 : (uint32_t)size;
}

// The terms are sorted by monomial and have no zeros.
static MgIx intern_poly(MgIxTable *t, const MgIxTerm *terms, uint32_t n) {
    uint64_t hash = 2;
    for (uint32_t i = 0; i < n; i++)
        hash = mg_hash_mix(mg_hash_mix(hash, (uint64_t)terms[i].coef), terms[i].mono);
    uint32_t first = (uint32_t)mg_map_get(&t->poly_ids, hash, 0);
    for (uint32_t p = first; p; p = t->polys.at[p].next) {
        const MgIxPoly *poly = mg_ix_poly(t, p);
        uint32_t i = 0;
        while (i < n && poly->n == n && poly->terms[i].coef == terms[i].coef &&
               poly->terms[i].mono == terms[i].mono)
            i++;
        if (i == n && poly->n == n)
            return p;
    }
    MgIxPoly poly = {.terms = terms, .n = n, .next = first};
    measure(t, &poly);
    if (n > MAX_TERMS || poly.size > MAX_SIZE || poly.depth > MAX_DEPTH)
        return mg_ix_lost(t, false);
    poly.terms = MG_NEW_N(t->arena, MgIxTerm, n);
    if (n)
        memcpy((void *)poly.terms, terms, n * sizeof *terms);
    mg_push(t->arena, &t->polys, poly);
    mg_map_put(&t->poly_ids, hash, t->polys.len - 1);
    return t->polys.len - 1;
}

static MgIxAtom intern_atom(MgIxTable *t, MgIxAtomRow row) {
    uint64_t hash = mg_hash_mix(mg_hash_mix(row.kind, row.sym), (uint64_t)row.a << 32 | row.b);
    row.next = (uint32_t)mg_map_get(&t->atom_ids, hash, UINT32_MAX);
    for (uint32_t a = row.next; a != UINT32_MAX; a = t->atoms.at[a].next) {
        const MgIxAtomRow *r = mg_ix_atom(t, a);
        if (r->kind == row.kind && r->sym == row.sym && r->a == row.a && r->b == row.b)
            return a;
    }
    mg_push(t->arena, &t->atoms, row);
    mg_map_put(&t->atom_ids, hash, t->atoms.len - 1);
    return t->atoms.len - 1;
}

// ---------------------------------------------------------------- symbols

MgIxTable *mg_ix_table_new(MgArena *arena) {
    MgIxTable *t = MG_NEW(arena, MgIxTable);
    t->arena = arena;
    mg_map_init(&t->poly_ids, arena);
    mg_map_init(&t->mono_ids, arena);
    mg_map_init(&t->atom_ids, arena);
    mg_map_init(&t->unproved, arena);
    mg_push(arena, &t->polys, (MgIxPoly){0});
    intern_mono(t, NULL, 0);
    mg_push(arena, &t->syms, (MgIxSymRow){0}); // id 0 means no symbol
    return t;
}

static MgIxSym new_symbol(MgIxTable *t, MgIxSymRow row) {
    MgIxSym s = t->syms.len;
    row.atom = intern_atom(t, (MgIxAtomRow){.kind = MG_IX_ATOM_SYM, .sym = s});
    mg_push(t->arena, &t->syms, row);
    return s;
}

MgIxSym mg_ix_dim(MgIxTable *t, MgSym name, int64_t low, int64_t high) {
    return new_symbol(t, (MgIxSymRow){.name = name, .low = low, .high = high});
}

MgIxSym mg_ix_index(MgIxTable *t, uint32_t position) {
    while (t->indices.len <= position)
        mg_push(t->arena, &t->indices, UINT32_MAX);
    if (t->indices.at[position] == UINT32_MAX)
        t->indices.at[position] = new_symbol(
            t, (MgIxSymRow){
                   .index = true, .position = position, .low = -MG_IX_INF, .high = MG_IX_INF});
    return t->indices.at[position];
}

bool mg_ix_sym_is_index(const MgIxTable *t, MgIxSym s, uint32_t *position) {
    if (t->syms.at[s].index && position)
        *position = t->syms.at[s].position;
    return t->syms.at[s].index;
}

MgSym mg_ix_sym_name(const MgIxTable *t, MgIxSym s) {
    return t->syms.at[s].name;
}

void mg_ix_sym_bounds(const MgIxTable *t, MgIxSym s, int64_t *low, int64_t *high) {
    *low = t->syms.at[s].low;
    *high = t->syms.at[s].high;
}

void mg_ix_sym_narrow(MgIxTable *t, MgIxSym s, int64_t low, int64_t high) {
    MgIxSymRow *row = &t->syms.at[s];
    t->narrowed++;
    row->low = low > row->low ? low : row->low;
    row->high = high < row->high ? high : row->high;
}

bool mg_ix_overflowed(const MgIxTable *t) {
    return t->overflowed;
}

uint32_t mg_ix_n_syms(const MgIxTable *t) {
    return t->syms.len;
}

// ---------------------------------------------------------------- monomials

MgIxMono mg_ix_mono_mul(MgIxTable *t, MgIxMono a, MgIxMono b) {
    if (!a || !b)
        return a + b;
    const MgIxMonoRow *x = mg_ix_mono(t, a), *y = mg_ix_mono(t, b);
    t->factors.len = 0;
    for (uint32_t i = 0, j = 0; i < x->n || j < y->n;) {
        MgIxFactor f;
        if (j == y->n || (i < x->n && x->factors[i].atom < y->factors[j].atom))
            f = x->factors[i++];
        else if (i == x->n || y->factors[j].atom < x->factors[i].atom)
            f = y->factors[j++];
        else {
            f = (MgIxFactor){x->factors[i].atom, x->factors[i].power + y->factors[j].power};
            i++, j++;
        }
        mg_push(t->arena, &t->factors, f);
    }
    return intern_mono(t, t->factors.at, t->factors.len);
}

bool mg_ix_mono_div(MgIxTable *t, MgIxMono a, MgIxMono b, MgIxMono *quotient) {
    const MgIxMonoRow *x = mg_ix_mono(t, a), *y = mg_ix_mono(t, b);
    uint32_t j = 0;
    t->factors.len = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        MgIxFactor f = x->factors[i];
        if (j < y->n && y->factors[j].atom == f.atom) {
            if (y->factors[j].power > f.power)
                return false;
            f.power -= y->factors[j++].power;
        }
        if (f.power)
            mg_push(t->arena, &t->factors, f);
    }
    if (j < y->n)
        return false;
    *quotient = intern_mono(t, t->factors.at, t->factors.len);
    return true;
}

static bool mono_too_large(const MgIxTable *t, MgIxMono m) {
    const MgIxMonoRow *row = mg_ix_mono(t, m);
    for (uint32_t f = 0; f < row->n; f++)
        if (row->factors[f].power > MAX_POWER)
            return true;
    return row->n > MAX_FACTORS;
}

// ---------------------------------------------------------------- sums and products

MgIx mg_ix_of_term(MgIxTable *t, int64_t coef, MgIxMono mono) {
    MgIxTerm term = {coef, mono};
    return intern_poly(t, &term, coef != 0);
}

MgIx mg_ix_of_atom(MgIxTable *t, MgIxAtom atom) {
    MgIxFactor factor = {atom, 1};
    return mg_ix_of_term(t, 1, intern_mono(t, &factor, 1));
}

MgIx mg_ix_const(MgIxTable *t, int64_t value) {
    return mg_ix_of_term(t, value, 0);
}

MgIx mg_ix_sym(MgIxTable *t, MgIxSym s) {
    return mg_ix_of_atom(t, t->syms.at[s].atom);
}

MgIx mg_ix_idx(MgIxTable *t, uint32_t position) {
    return mg_ix_sym(t, mg_ix_index(t, position));
}

// a + k*b, merged in the scratch array.
static MgIx add_scaled(MgIxTable *t, MgIx a, MgIx b, int64_t k) {
    if (!a || !b)
        return MG_IX_ERROR;
    const MgIxPoly *x = mg_ix_poly(t, a), *y = mg_ix_poly(t, b);
    t->scratch.len = 0;
    for (uint32_t i = 0, j = 0; i < x->n || j < y->n;) {
        MgIxTerm term = {0};
        if (j == y->n || (i < x->n && x->terms[i].mono < y->terms[j].mono)) {
            term = x->terms[i++];
        } else {
            term.mono = y->terms[j].mono;
            // x - y may not overflow although -y alone does.
            __int128 sum = (__int128)y->terms[j++].coef * k;
            if (i < x->n && x->terms[i].mono == term.mono)
                sum += x->terms[i++].coef;
            if (sum < INT64_MIN || sum > INT64_MAX)
                return mg_ix_lost(t, true);
            term.coef = (int64_t)sum;
        }
        if (term.coef)
            mg_push(t->arena, &t->scratch, term);
    }
    return intern_poly(t, t->scratch.at, t->scratch.len);
}

MgIx mg_ix_add(MgIxTable *t, MgIx a, MgIx b) {
    return add_scaled(t, a, b, 1);
}

MgIx mg_ix_sub(MgIxTable *t, MgIx a, MgIx b) {
    return add_scaled(t, a, b, -1);
}

MgIx mg_ix_scale(MgIxTable *t, MgIx x, int64_t k) {
    return add_scaled(t, mg_ix_const(t, 0), x, k);
}

MgIx mg_ix_neg(MgIxTable *t, MgIx a) {
    return mg_ix_scale(t, a, -1);
}

static int by_mono(const void *a, const void *b) {
    MgIxMono x = ((const MgIxTerm *)a)->mono, y = ((const MgIxTerm *)b)->mono;
    return x < y ? -1 : x > y;
}

MgIx mg_ix_mul(MgIxTable *t, MgIx a, MgIx b) {
    int64_t k;
    if (!a || !b)
        return MG_IX_ERROR;
    if (mg_ix_is_const(t, a, &k))
        return mg_ix_scale(t, b, k);
    if (mg_ix_is_const(t, b, &k))
        return mg_ix_scale(t, a, k);
    const MgIxPoly x = *mg_ix_poly(t, a), y = *mg_ix_poly(t, b);
    if ((uint64_t)x.n * y.n > MAX_TERMS)
        return mg_ix_lost(t, false);
    t->scratch.len = 0;
    for (uint32_t i = 0; i < x.n; i++)
        for (uint32_t j = 0; j < y.n; j++) {
            MgIxTerm term = {.mono = mg_ix_mono_mul(t, x.terms[i].mono, y.terms[j].mono)};
            if (mono_too_large(t, term.mono))
                return mg_ix_lost(t, false);
            if (__builtin_mul_overflow(x.terms[i].coef, y.terms[j].coef, &term.coef))
                return mg_ix_lost(t, true);
            mg_push(t->arena, &t->scratch, term);
        }
    qsort(t->scratch.at, t->scratch.len, sizeof *t->scratch.at, by_mono);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->scratch.len; i++) {
        MgIxTerm term = t->scratch.at[i];
        if (n && t->scratch.at[n - 1].mono == term.mono) {
            if (__builtin_add_overflow(t->scratch.at[n - 1].coef, term.coef,
                                       &t->scratch.at[n - 1].coef))
                return mg_ix_lost(t, true);
        } else {
            t->scratch.at[n++] = term;
        }
        if (i + 1 == t->scratch.len || t->scratch.at[i + 1].mono != term.mono)
            n -= t->scratch.at[n - 1].coef == 0;
    }
    return intern_poly(t, t->scratch.at, n);
}

MgIx mg_ix_product(MgIxTable *t, const MgIx *factors, uint32_t n) {
    MgIx product = mg_ix_const(t, 1), zero = mg_ix_const(t, 0);
    bool nothing = false; // then the product is 0, however large the others are
    for (uint32_t i = 0; i < n; i++) {
        product = mg_ix_mul(t, product, factors[i]);
        nothing |= factors[i] == zero;
    }
    return nothing ? zero : product;
}

// Makes an atom to which no rule applied.
MgIx mg_ix_new_atom(MgIxTable *t, MgIxAtomKind kind, MgIx a, MgIx b) {
    return mg_ix_of_atom(t, intern_atom(t, (MgIxAtomRow){.kind = kind, .a = a, .b = b}));
}
