// Integer expressions as trees and text. The order of terms depends only on names, not on the order
// in which expressions were made, so that printing, reading and printing again gives the same text.
// Sums that came from a mod (a - c*floor(a/c)) are printed as a mod if that is shorter.
#include "ir/ix_internal.h"
#include "ir/words.h"

#include <ctype.h>
#include <stdlib.h>

// ---------------------------------------------------------------- order

static int cmp(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_atoms(const MgIxTable *t, const MgNames *names, MgIxAtom a, MgIxAtom b) {
    const MgIxAtomRow *x = mg_ix_atom(t, a), *y = mg_ix_atom(t, b);
    if (a == b)
        return 0;
    if (x->kind != y->kind)
        return cmp(x->kind, y->kind);
    if (x->kind != MG_IX_ATOM_SYM) {
        int c = mg_ix_compare(t, names, x->a, y->a);
        return c ? c : mg_ix_compare(t, names, x->b, y->b);
    }
    const MgIxSymRow *s = &t->syms.at[x->sym], *r = &t->syms.at[y->sym];
    if (s->index != r->index)
        return s->index ? -1 : 1;
    if (s->index)
        return cmp(s->position, r->position);
    int c = names ? strcmp(mg_name(names, s->name), mg_name(names, r->name)) : 0;
    return c ? c : cmp(x->sym, y->sym);
}

typedef struct Order {
    const MgIxTable *t;
    const MgNames *names;
} Order;

static int by_atom(const void *a, const void *b, void *ctx) {
    const Order *o = ctx;
    return compare_atoms(o->t, o->names, ((const MgIxFactor *)a)->atom,
                         ((const MgIxFactor *)b)->atom);
}

#define MAX_SORTED 64
static uint32_t sorted_factors(const Order *o, MgIxMono m, MgIxFactor out[MAX_SORTED]) {
    const MgIxMonoRow *row = mg_ix_mono(o->t, m);
    uint32_t n = row->n < MAX_SORTED ? row->n : MAX_SORTED;
    if (n)
        memcpy(out, row->factors, n * sizeof *out);
    qsort_r(out, n, sizeof *out, by_atom, (void *)o);
    return n;
}

// Products with more of the foremost atoms, or with higher powers of them, come first; constants
// come last.
static int compare_monos(const Order *o, MgIxMono a, MgIxMono b) {
    MgIxFactor x[MAX_SORTED], y[MAX_SORTED];
    uint32_t n = sorted_factors(o, a, x), m = sorted_factors(o, b, y);
    for (uint32_t i = 0; i < n && i < m; i++) {
        int c = compare_atoms(o->t, o->names, x[i].atom, y[i].atom);
        if (!c)
            c = cmp(y[i].power, x[i].power);
        if (c)
            return c;
    }
    return cmp(m, n);
}

static int by_mono(const void *a, const void *b, void *ctx) {
    return compare_monos(ctx, ((const MgIxTerm *)a)->mono, ((const MgIxTerm *)b)->mono);
}

static MgIxTerm *sorted_terms(const Order *o, MgIx x, MgArena *arena) {
    const MgIxPoly *poly = mg_ix_poly(o->t, x);
    MgIxTerm *terms = mg_arena_copy(arena, poly->terms, poly->n, sizeof *terms);
    qsort_r(terms, poly->n, sizeof *terms, by_mono, (void *)o);
    return terms;
}

int mg_ix_compare(const MgIxTable *t, const MgNames *names, MgIx a, MgIx b) {
    if (a == b)
        return 0;
    Order o = {t, names};
    const MgIxPoly *x = mg_ix_poly(t, a), *y = mg_ix_poly(t, b);
    MgIxTerm *p = sorted_terms(&o, a, t->arena), *q = sorted_terms(&o, b, t->arena);
    for (uint32_t i = 0; i < x->n && i < y->n; i++) {
        int c = compare_monos(&o, p[i].mono, q[i].mono);
        if (!c)
            c = cmp(p[i].coef, q[i].coef);
        if (c)
            return c;
    }
    return cmp(x->n, y->n);
}

// ---------------------------------------------------------------- trees

typedef struct Grower {
    MgIxTable *t;
    Order order;
    MgArena *arena;
} Grower;

static MgIxNode *node(const Grower *g, MgIxOp op, MgIxNode *a, MgIxNode *b) {
    MgIxNode *n = MG_NEW(g->arena, MgIxNode);
    *n = (MgIxNode){.op = op, .a = a, .b = b};
    return n;
}

static MgIxNode *constant(const Grower *g, int64_t value) {
    MgIxNode *n = node(g, MG_IX_CONST, NULL, NULL);
    n->value = value;
    return n;
}

static MgIxNode *grow(const Grower *g, MgIx x);

static MgIxNode *grow_atom(const Grower *g, MgIxAtom id) {
    const MgIxAtomRow atom = *mg_ix_atom(g->t, id);
    if (atom.kind == MG_IX_ATOM_SYM) {
        MgIxNode *n = node(g, MG_IX_SYM, NULL, NULL);
        n->sym = atom.sym;
        return n;
    }
    MgIx a = atom.a, b = atom.b;
    if (atom.kind == MG_IX_ATOM_DIV)
        return node(g, MG_IX_DIV, grow(g, a), grow(g, b));
    if (mg_ix_compare(g->t, g->order.names, b, a) < 0) {
        a = atom.b;
        b = atom.a;
    }
    return node(g, atom.kind == MG_IX_ATOM_MIN ? MG_IX_MIN : MG_IX_MAX, grow(g, a), grow(g, b));
}

// Is the term printed as a subtraction? The least integer has no magnitude to subtract.
static bool is_subtracted(MgIxTerm term) {
    return term.coef < 0 && term.coef != INT64_MIN;
}

// The magnitude of a term.
static MgIxNode *grow_term(const Grower *g, MgIxTerm term) {
    MgIxFactor factors[MAX_SORTED];
    uint32_t n = sorted_factors(&g->order, term.mono, factors);
    int64_t coef = is_subtracted(term) ? -term.coef : term.coef;
    MgIxNode *product = coef != 1 || !n ? constant(g, coef) : NULL;
    for (uint32_t f = 0; f < n; f++)
        for (uint32_t k = 0; k < factors[f].power; k++) {
            MgIxNode *factor = grow_atom(g, factors[f].atom);
            product = product ? node(g, MG_IX_MUL, product, factor) : factor;
        }
    return product;
}

static MgIxNode *grow_sum(const Grower *g, MgIx x) {
    uint32_t n = mg_ix_poly(g->t, x)->n;
    MgIxTerm *terms = sorted_terms(&g->order, x, g->arena);
    MgIxNode *sum = NULL;
    for (int negative = 0; negative < 2; negative++)
        for (uint32_t i = 0; i < n; i++) {
            if (is_subtracted(terms[i]) != negative)
                continue;
            MgIxNode *term = grow_term(g, terms[i]);
            if (sum)
                sum = node(g, negative ? MG_IX_SUB : MG_IX_ADD, sum, term);
            else if (!negative)
                sum = term;
            else if (!terms[i].mono)
                sum = constant(g, terms[i].coef);
            else
                sum = node(g, MG_IX_MUL, constant(g, -1), term);
        }
    return sum ? sum : constant(g, 0);
}

// Finds x = k*(a mod c) + rest with a shorter rest, for a constant c. floor(a/c) then has the
// coefficient -k*c.
static bool find_mod(const Grower *g, MgIx x, MgIx *a, MgIx *c, int64_t *k, MgIx *rest) {
    MgIxTable *t = g->t;
    uint32_t n = mg_ix_poly(t, x)->n;
    MgIxTerm *terms = sorted_terms(&g->order, x, g->arena);
    for (uint32_t i = 0; i < n; i++) {
        const MgIxMonoRow *mono = mg_ix_mono(t, terms[i].mono);
        int64_t divisor;
        if (mono->n != 1 || mono->factors[0].power != 1 || terms[i].coef == INT64_MIN)
            continue;
        const MgIxAtomRow atom = *mg_ix_atom(t, mono->factors[0].atom);
        if (atom.kind != MG_IX_ATOM_DIV || !mg_ix_is_const(t, atom.b, &divisor) ||
            terms[i].coef % divisor)
            continue;
        MgIx floor = mg_ix_of_term(t, -divisor, terms[i].mono), mod = mg_ix_add(t, atom.a, floor);
        *k = -terms[i].coef / divisor;
        *rest = mg_ix_sub(t, x, mg_ix_scale(t, mod, *k));
        if (!*rest || mg_ix_poly(t, *rest)->n + 1 >= n)
            continue;
        *a = atom.a;
        *c = atom.b;
        return true;
    }
    return false;
}

static MgIxNode *grow(const Grower *g, MgIx x) {
    MgIx a, c, rest;
    int64_t k;
    if (!find_mod(g, x, &a, &c, &k, &rest))
        return grow_sum(g, x);
    MgIxNode *mod = node(g, MG_IX_MOD, grow(g, a), grow(g, c));
    int64_t magnitude = k < 0 ? -k : k;
    if (magnitude != 1)
        mod = node(g, MG_IX_MUL, constant(g, magnitude), mod);
    if (k < 0)
        return node(g, MG_IX_SUB, grow(g, rest), mod);
    return mg_ix_is_const(g->t, rest, &k) && k == 0 ? mod : node(g, MG_IX_ADD, mod, grow(g, rest));
}

static MgIxNode *tree_of(const MgIxTable *t, const MgNames *names, MgIx x, MgArena *arena) {
    Grower g = {(MgIxTable *)t, {t, names}, arena}; // finding a mod adds sums to the table
    return grow(&g, x);
}

MgIxNode *mg_ix_tree(const MgIxTable *t, MgIx x, MgArena *arena) {
    return tree_of(t, NULL, x, arena);
}

// ---------------------------------------------------------------- text

void mg_print_name(const char *name, MgText *out) {
    size_t n = strlen(name);
    bool plain = n && !mg_word_find(name, n) && !mg_is_reducer(name, n) &&
                 (isalpha((unsigned char)name[0]) || name[0] == '_');
    for (size_t i = 0; i < n; i++)
        plain &= isalnum((unsigned char)name[i]) || name[i] == '_' ||
                 (name[i] == '.' && i + 1 < n && name[i + 1] != '.');
    mg_textf(out, plain ? "%s" : "`%s`", name);
}

typedef struct Printer {
    const MgIxTable *t;
    const MgNames *names;
    MgIxIndexName *index_name;
    void *ctx;
    MgText *out;
    bool value; // a division is printed as a call
} Printer;

static int precedence(const MgIxNode *n, bool value) {
    switch (n->op) {
    case MG_IX_ADD:
    case MG_IX_SUB:
        return 1;
    case MG_IX_DIV:
    case MG_IX_MOD:
        return value ? 3 : 2;
    case MG_IX_MUL:
        return 2;
    case MG_IX_CONST:
        return n->value < 0 ? 1 : 3;
    default:
        return 3;
    }
}

static void print(const Printer *p, const MgIxNode *n, int least);

static void print_call(const Printer *p, const char *name, const MgIxNode *n) {
    mg_textf(p->out, "%s(", name);
    print(p, n->a, 0);
    mg_text_add(p->out, ", ");
    print(p, n->b, 0);
    mg_text_add(p->out, ")");
}

static void print_infix(const Printer *p, const MgIxNode *n) {
    static const char *const infix[] = {[MG_IX_ADD] = " + ",
                                        [MG_IX_SUB] = " - ",
                                        [MG_IX_MUL] = "*",
                                        [MG_IX_DIV] = "/",
                                        [MG_IX_MOD] = " % "};
    int own = precedence(n, p->value);
    if (n->op == MG_IX_MUL && n->a->op == MG_IX_CONST && n->a->value == -1) {
        mg_text_add(p->out, "-");
    } else {
        print(p, n->a, own);
        mg_text_add(p->out, infix[n->op]);
    }
    print(p, n->b, own + 1);
}

static void print(const Printer *p, const MgIxNode *n, int least) {
    bool parens = precedence(n, p->value) < least;
    uint32_t position;
    if (parens)
        mg_text_add(p->out, "(");
    switch (n->op) {
    case MG_IX_CONST:
        mg_textf(p->out, "%lld", (long long)n->value);
        break;
    case MG_IX_SYM:
        mg_print_name(mg_ix_sym_is_index(p->t, n->sym, &position)
                          ? p->index_name(p->ctx, position)
                          : mg_name(p->names, mg_ix_sym_name(p->t, n->sym)),
                      p->out);
        break;
    case MG_IX_MIN:
    case MG_IX_MAX:
        print_call(p, n->op == MG_IX_MIN ? "min" : "max", n);
        break;
    default:
        if (p->value && (n->op == MG_IX_DIV || n->op == MG_IX_MOD))
            print_call(p, n->op == MG_IX_DIV ? "floordiv" : "floormod", n);
        else
            print_infix(p, n);
    }
    if (parens)
        mg_text_add(p->out, ")");
}

static void print_ix(const Printer *p, MgIx x) {
    if (x == MG_IX_ERROR)
        mg_text_add(p->out, "<overflow>");
    else
        print(p, tree_of(p->t, p->names, x, p->out->arena), 0);
}

void mg_ix_print(const MgIxTable *t, const MgNames *names, MgIx x, MgIxIndexName *index_name,
                 void *ctx, MgText *out) {
    print_ix(&(Printer){t, names, index_name, ctx, out, false}, x);
}

void mg_ix_print_value(const MgIxTable *t, const MgNames *names, MgIx x, MgIxIndexName *index_name,
                       void *ctx, MgText *out) {
    print_ix(&(Printer){t, names, index_name, ctx, out, true}, x);
}

int mg_ix_precedence(const MgIxTable *t, const MgNames *names, MgIx x, MgArena *arena, bool value) {
    return precedence(tree_of(t, names, x, arena), value);
}
