#include "passes/terms.h"

#include "ir/equation.h"
#include "support/text.h"

#include <math.h>
#include <string.h>

enum {
    MOST_TERMS = 48,
    MOST_INDICES = 64,  // positions of index symbols
    FIRST_BOUND = 40,   // of those that sums bind, by their depth
    BOUND_OF_DEPTH = 4, // indices of one sum
    MOST_DEPTH = (MOST_INDICES - FIRST_BOUND) / BOUND_OF_DEPTH
};

typedef enum AtomKind {
    ELEMENT,   // of a value, at args
    FUNCTION,  // a primitive of args
    NUMBER,    // an integer expression
    CONDITION, // args[0] as 1 or 0
    SUM        // over indices, of one product
} AtomKind;

typedef struct Atom {
    AtomKind kind;
    MgPrim prim;                     // FUNCTION
    MgDType dtype;                   // FUNCTION
    MgValueId value;                 // ELEMENT
    MgIx ix;                         // NUMBER
    uint32_t n_args, n_bound, depth; // depth: of sums in it
    const MgSum **args;
    MgIx low[BOUND_OF_DEPTH], high[BOUND_OF_DEPTH]; // SUM
} Atom;

struct MgTerms {
    MgGraph *g;
    MgIxTable *ix;
    MgArena *arena;
    MgNames *names; // of atoms: their text
    MgMap known;    // name -> 1 + atom
    MG_VEC(Atom) atoms;
    MgMap sums;    // value -> its sum
    MgMap figures; // value -> whether it is one
};

static const MgSum zero = {0};

MgTerms *mg_terms_new(MgGraph *g, MgArena *arena) {
    MgTerms *t = MG_NEW(arena, MgTerms);
    *t = (MgTerms){.g = g, .ix = g->module->ix, .arena = arena, .names = mg_names_new(arena)};
    mg_map_init(&t->known, arena);
    mg_map_init(&t->sums, arena);
    mg_map_init(&t->figures, arena);
    return t;
}

// ---------------------------------------------------------------- sums

static int compare(const MgTerm *a, const MgTerm *b) {
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        const MgFactor *x = &a->factors[i], *y = &b->factors[i];
        if (x->atom != y->atom)
            return x->atom < y->atom ? -1 : 1;
        if (x->power != y->power)
            return x->power < y->power ? -1 : 1;
    }
    return a->n == b->n ? 0 : a->n < b->n ? -1 : 1;
}

// a + by * b; NULL if an operand is NULL, or if there are too many terms.
static const MgSum *add(MgTerms *t, const MgSum *a, const MgSum *b, double by) {
    if (!a || !b)
        return NULL;
    MgTerm *terms = MG_NEW_N(t->arena, MgTerm, a->n + b->n);
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        int order = i == a->n ? 1 : k == b->n ? -1 : compare(&a->terms[i], &b->terms[k]);
        MgTerm one = order > 0 ? b->terms[k] : a->terms[i];
        if (order > 0)
            one.number *= by;
        if (!order) {
            double x = one.number, y = by * b->terms[k].number;
            one.number = fabs(x + y) <= 1e-12 * fabs(x) ? 0 : x + y;
        }
        i += order <= 0;
        k += order >= 0;
        if (one.number != 0)
            terms[n++] = one;
    }
    MgSum *sum = MG_NEW(t->arena, MgSum);
    *sum = (MgSum){n, terms};
    return n <= MOST_TERMS ? sum : NULL;
}

static const MgSum *one_term(MgTerms *t, MgTerm term) {
    MgSum *sum = MG_NEW(t->arena, MgSum);
    *sum = (MgSum){1, mg_arena_copy(t->arena, &term, 1, sizeof term)};
    return sum;
}

static const MgSum *number(MgTerms *t, double x) {
    return x != 0 ? one_term(t, (MgTerm){.number = x}) : &zero;
}

static const MgSum *power(MgTerms *t, uint32_t atom, int32_t p) {
    MgFactor *factor = MG_NEW(t->arena, MgFactor);
    *factor = (MgFactor){atom, p};
    return one_term(t, (MgTerm){1, 1, factor});
}

static MgTerm multiply_terms(MgTerms *t, const MgTerm *a, const MgTerm *b) {
    MgFactor *factors = MG_NEW_N(t->arena, MgFactor, a->n + b->n);
    MgTerm product = {a->number * b->number, 0, factors};
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        bool first = k == b->n || (i < a->n && a->factors[i].atom <= b->factors[k].atom);
        bool both = first && k < b->n && a->factors[i].atom == b->factors[k].atom;
        MgFactor f = first ? a->factors[i] : b->factors[k];
        if (both)
            f.power += b->factors[k].power;
        if (t->atoms.at[f.atom].kind == CONDITION)
            f.power = 1;
        i += first;
        k += both || !first;
        if (f.power)
            factors[product.n++] = f;
    }
    return product;
}

static const MgSum *multiply(MgTerms *t, const MgSum *a, const MgSum *b) {
    const MgSum *sum = &zero;
    if (!a || !b || a->n * b->n > MOST_TERMS)
        return NULL;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            sum = add(t, sum, one_term(t, multiply_terms(t, &a->terms[i], &b->terms[k])), 1);
    return sum;
}

// ---------------------------------------------------------------- atoms

static void write_sum(MgText *out, const MgSum *sum) {
    for (uint32_t i = 0; i < sum->n; i++) {
        mg_textf(out, "+%a", sum->terms[i].number);
        for (uint32_t k = 0; k < sum->terms[i].n; k++)
            mg_textf(out, "*%u^%d", sum->terms[i].factors[k].atom, sum->terms[i].factors[k].power);
    }
}

// The atom as a sum; NULL if an argument is NULL, or if it is nested too deeply.
static const MgSum *atom(MgTerms *t, Atom a) {
    MgText text = mg_text(t->arena);
    mg_textf(&text, "%d,%d,%d,%u,%u:", a.kind, (int)a.prim, (int)a.dtype, a.value, a.ix);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < a.n_args; i++) {
        if (!a.args[i])
            return NULL;
        for (uint32_t k = 0; k < a.args[i]->n; k++)
            for (uint32_t f = 0; f < a.args[i]->terms[k].n; f++) {
                uint32_t depth = t->atoms.at[a.args[i]->terms[k].factors[f].atom].depth;
                inside = depth > inside ? depth : inside;
            }
        mg_text_add(&text, "(");
        write_sum(&text, a.args[i]);
        mg_text_add(&text, ")");
    }
    a.depth = inside + (a.kind == SUM);
    for (uint32_t i = 0; i < a.n_bound; i++)
        mg_textf(&text, "[%u,%u]", a.low[i], a.high[i]);
    MgSym name = mg_sym(t->names, mg_text_str(&text));
    uint64_t *found = mg_map_find(&t->known, name);
    if (a.depth > MOST_DEPTH)
        return NULL;
    if (found)
        return power(t, (uint32_t)*found - 1, 1);
    mg_push(t->arena, &t->atoms, a);
    mg_map_put(&t->known, name, t->atoms.len);
    return power(t, t->atoms.len - 1, 1);
}

static const MgSum *number_of(MgTerms *t, MgIx x) {
    int64_t value;
    return mg_ix_is_const(t->ix, x, &value) ? number(t, (double)value)
                                            : atom(t, (Atom){.kind = NUMBER, .ix = x});
}

static const MgSum *function(MgTerms *t, MgPrim prim, MgDType dtype, const MgSum *const *args,
                             uint32_t n) {
    return atom(t, (Atom){.kind = FUNCTION,
                          .prim = prim,
                          .dtype = dtype,
                          .n_args = n,
                          .args = mg_arena_copy(t->arena, args, n, sizeof *args)});
}

// ---------------------------------------------------------------- indices

// The sum with other indices: with[k] for index k.
static const MgSum *move(MgTerms *t, const MgSum *sum, const MgIx *with);

static const MgSum *move_atom(MgTerms *t, uint32_t number, const MgIx *with) {
    Atom a = t->atoms.at[number];
    const MgSum **args = MG_NEW_N(t->arena, const MgSum *, a.n_args);
    for (uint32_t i = 0; i < a.n_args; i++)
        args[i] = move(t, a.args[i], with);
    a.args = args;
    if (a.kind == NUMBER)
        return number_of(t, mg_ix_subst_indices(t->ix, a.ix, with, MOST_INDICES));
    for (uint32_t i = 0; i < a.n_bound; i++) {
        a.low[i] = mg_ix_subst_indices(t->ix, a.low[i], with, MOST_INDICES);
        a.high[i] = mg_ix_subst_indices(t->ix, a.high[i], with, MOST_INDICES);
    }
    return atom(t, a);
}

static const MgSum *move(MgTerms *t, const MgSum *sum, const MgIx *with) {
    const MgSum *moved = &zero;
    for (uint32_t i = 0; sum && i < sum->n; i++) {
        const MgSum *term = number(t, sum->terms[i].number);
        for (uint32_t k = 0; term && k < sum->terms[i].n; k++) {
            const MgFactor *f = &sum->terms[i].factors[k];
            const MgSum *one = move_atom(t, f->atom, with);
            if (!one || one->n != 1 || one->terms[0].n != 1) // it is a number now
                return NULL;
            MgFactor *again = mg_arena_copy(t->arena, one->terms[0].factors, 1, sizeof *again);
            again->power = f->power;
            term = multiply(t, term, one_term(t, (MgTerm){1, 1, again}));
        }
        moved = add(t, moved, term, 1);
    }
    return sum ? moved : NULL;
}

static bool mentions(MgTerms *t, const MgSum *sum, MgIxSym s) {
    for (uint32_t i = 0; i < sum->n; i++)
        for (uint32_t k = 0; k < sum->terms[i].n; k++) {
            const Atom *a = &t->atoms.at[sum->terms[i].factors[k].atom];
            if (a->kind == NUMBER && mg_ix_mentions(t->ix, a->ix, s))
                return true;
            for (uint32_t j = 0; j < a->n_args; j++)
                if (mentions(t, a->args[j], s))
                    return true;
        }
    return false;
}

// ---------------------------------------------------------------- division

// The sum if a condition holds, or if it doesn't.
static const MgSum *decide(MgTerms *t, const MgSum *sum, uint32_t condition, bool holds) {
    const MgSum *decided = &zero;
    for (uint32_t i = 0; i < sum->n; i++) {
        MgTerm term = sum->terms[i];
        MgFactor *factors = MG_NEW_N(t->arena, MgFactor, term.n);
        uint32_t n = 0;
        for (uint32_t k = 0; k < term.n; k++)
            if (term.factors[k].atom != condition)
                factors[n++] = term.factors[k];
        if (n < term.n && !holds)
            continue;
        decided = add(t, decided, one_term(t, (MgTerm){term.number, n, factors}), 1);
    }
    return decided;
}

// c * a + (1 - c) * b
static const MgSum *choose(MgTerms *t, const MgSum *c, const MgSum *a, const MgSum *b) {
    return add(t, b, multiply(t, c, add(t, a, b, -1)), 1);
}

static const MgSum *invert(MgTerms *t, const MgSum *sum) {
    if (!sum || !sum->n)
        return NULL;
    for (uint32_t i = 0; i < sum->n; i++)
        for (uint32_t k = 0; k < sum->terms[i].n; k++) {
            uint32_t c = sum->terms[i].factors[k].atom;
            if (t->atoms.at[c].kind == CONDITION)
                return choose(t, power(t, c, 1), invert(t, decide(t, sum, c, true)),
                              invert(t, decide(t, sum, c, false)));
        }
    if (sum->n > 1) { // as one atom
        const MgSum *whole = function(t, MG_PRIM_ADD, MG_F64, &sum, 1);
        return whole ? power(t, whole->terms[0].factors[0].atom, -1) : NULL;
    }
    MgTerm term = sum->terms[0];
    MgFactor *factors = mg_arena_copy(t->arena, term.factors, term.n, sizeof *factors);
    for (uint32_t k = 0; k < term.n; k++)
        factors[k].power = -factors[k].power;
    return one_term(t, (MgTerm){1 / term.number, term.n, factors});
}

// ---------------------------------------------------------------- reductions

static bool mentions_term(MgTerms *t, const MgFactor *f, uint32_t index) {
    MgTerm one = {1, 1, f};
    return mentions(t, &(MgSum){1, &one}, mg_ix_index(t->ix, index));
}

// The term, summed over the piece's bound indices: factors without them are taken out.
static const MgSum *sum_term(MgTerms *t, const MgPiece *p, const MgTerm *term) {
    MgFactor *inner = MG_NEW_N(t->arena, MgFactor, term->n),
             *outer = MG_NEW_N(t->arena, MgFactor, term->n);
    uint32_t n_inner = 0, n_outer = 0, depth = 0, bound[BOUND_OF_DEPTH];
    const MgSum *times = &zero;
    MgIx with[MOST_INDICES], count = mg_ix_const(t->ix, 1);
    Atom a = {.kind = SUM, .n_args = 1};
    for (uint32_t k = 0; k < term->n; k++) {
        bool in = false;
        for (uint32_t i = p->n_free; i < p->n_indices; i++)
            in |= mentions_term(t, &term->factors[k], i);
        if (in && t->atoms.at[term->factors[k].atom].depth > depth)
            depth = t->atoms.at[term->factors[k].atom].depth;
        *(in ? &inner[n_inner++] : &outer[n_outer++]) = term->factors[k];
    }
    for (uint32_t i = p->n_free; i < p->n_indices; i++) {
        bool in = false;
        for (uint32_t k = 0; k < n_inner; k++)
            in |= mentions_term(t, &inner[k], i);
        if (!in) {
            count = mg_ix_mul(t->ix, count, mg_index_extent(t->ix, &p->indices[i]));
            continue;
        }
        if (a.n_bound == BOUND_OF_DEPTH || mg_ix_mentions_index(t->ix, p->indices[i].low) ||
            mg_ix_mentions_index(t->ix, p->indices[i].high))
            return NULL;
        a.low[a.n_bound] = p->indices[i].low;
        a.high[a.n_bound] = p->indices[i].high;
        bound[a.n_bound++] = i;
    }
    times = multiply(t, number_of(t, count), one_term(t, (MgTerm){term->number, n_outer, outer}));
    if (!n_inner)
        return times;
    if (depth >= MOST_DEPTH)
        return NULL;
    for (uint32_t i = 0; i < MOST_INDICES; i++)
        with[i] = mg_ix_idx(t->ix, i);
    for (uint32_t i = 0; i < a.n_bound; i++)
        with[bound[i]] = mg_ix_idx(t->ix, FIRST_BOUND + BOUND_OF_DEPTH * depth + i);
    const MgSum *body = move(t, one_term(t, (MgTerm){1, n_inner, inner}), with);
    a.args = mg_arena_copy(t->arena, &body, 1, sizeof body);
    return multiply(t, times, atom(t, a));
}

static const MgSum *reduce(MgTerms *t, const MgPiece *p, const MgSum *body) {
    const MgSum *sum = &zero;
    for (uint32_t i = 0; body && i < body->n; i++)
        sum = add(t, sum, sum_term(t, p, &body->terms[i]), 1);
    MgIx count = mg_index_points(t->ix, p->indices + p->n_free, p->n_indices - p->n_free);
    if (!body || p->reducer != MG_REDUCE_MEAN)
        return body ? sum : NULL;
    return multiply(t, sum, invert(t, number_of(t, count)));
}

// ---------------------------------------------------------------- expressions

static const MgSum *expand(MgTerms *t, const MgOp *op, const MgSx *x);

static const MgSum *expand_read(MgTerms *t, const MgOp *op, const MgSx *x) {
    MgValueId v = op->operands[x->operand];
    const MgSum *sum = x->bounds == MG_BOUNDS_PROVED ? mg_terms_of(t, v) : NULL;
    MgIx with[MOST_INDICES];
    bool plain = sum && x->n_args < FIRST_BOUND;
    for (uint32_t k = 0; k < MOST_INDICES; k++)
        with[k] = mg_ix_idx(t->ix, k);
    for (uint32_t k = 0; plain && k < x->n_args; k++) {
        plain = x->args[k]->kind == MG_SX_IX;
        with[k] = plain ? x->args[k]->ix : with[k];
    }
    if (plain)
        return move(t, sum, with);
    const MgSum **args = MG_NEW_N(t->arena, const MgSum *, x->n_args + 1);
    for (uint32_t k = 0; k < x->n_args; k++)
        args[k] = expand(t, op, x->args[k]);
    args[x->n_args] = x->otherwise ? expand(t, op, x->otherwise) : &zero;
    return atom(t, (Atom){.kind = ELEMENT, .value = v, .n_args = x->n_args + 1, .args = args});
}

static const MgSum *expand_prim(MgTerms *t, const MgOp *op, const MgSx *x) {
    const MgSum *args[8];
    if (x->n_args > 8)
        return NULL;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (!(args[i] = expand(t, op, x->args[i])))
            return NULL;
    bool algebra = mg_is_float(x->dtype);
    switch (algebra ? x->prim : MG_PRIM_COUNT) {
    case MG_PRIM_ADD:
        return add(t, args[0], args[1], 1);
    case MG_PRIM_SUB:
        return add(t, args[0], args[1], -1);
    case MG_PRIM_NEG:
        return add(t, &zero, args[0], -1);
    case MG_PRIM_MUL:
        return multiply(t, args[0], args[1]);
    case MG_PRIM_DIV:
        return multiply(t, args[0], invert(t, args[1]));
    case MG_PRIM_WHERE:
        return choose(t,
                      atom(t, (Atom){.kind = CONDITION,
                                     .n_args = 1,
                                     .args = mg_arena_copy(t->arena, args, 1, sizeof *args)}),
                      args[1], args[2]);
    default:
        return function(t, x->prim, x->dtype, args, x->n_args);
    }
}

static const MgSum *expand(MgTerms *t, const MgOp *op, const MgSx *x) {
    switch (x->kind) {
    case MG_SX_CONST:
        return isfinite(mg_bits_to_double(x->dtype, x->bits))
                   ? number(t, mg_bits_to_double(x->dtype, x->bits))
                   : function(t, MG_PRIM_NEG, x->dtype,
                              (const MgSum *[]){
                                  number(t, mg_bits_to_double(x->dtype, x->bits) < 0 ? -1 : 1)},
                              1);
    case MG_SX_IX:
        return number_of(t, x->ix);
    case MG_SX_READ:
        return expand_read(t, op, x);
    default:
        return expand_prim(t, op, x);
    }
}

// ---------------------------------------------------------------- values

static const MgPiece *plain_piece(MgTerms *t, MgValueId v) {
    const MgOp *op = mg_def(t->g, v);
    const MgPiece *p = mg_only_piece(op);
    return p && !op->equation->has_base && mg_is_float(mg_value(t->g, v)->dtype) &&
                   mg_piece_is_plain(t->g, p, v) && p->n_indices < FIRST_BOUND
               ? p
               : NULL;
}

bool mg_terms_is_figure(MgTerms *t, MgValueId v) {
    uint64_t *known = mg_map_find(&t->figures, v);
    const MgPiece *p = plain_piece(t, v);
    if (known || !p)
        return known && *known;
    bool figure = p->n_indices > p->n_free && !mg_traits(t->g, mg_value(t->g, v)->def).contraction;
    if (p->n_indices == p->n_free) {
        const MgOp *op = mg_op(t->g, mg_value(t->g, v)->def);
        for (uint32_t k = 0; k < op->n_operands; k++)
            figure |= mg_terms_is_figure(t, op->operands[k]) &&
                      mg_value(t->g, op->operands[k])->rank == p->n_free;
        for (uint32_t k = 0; k < op->n_operands; k++)
            figure &= mg_terms_is_figure(t, op->operands[k]) ||
                      mg_value(t->g, op->operands[k])->rank < p->n_free;
    }
    mg_map_put(&t->figures, v, figure);
    return figure;
}

// Are the expressions of a value expanded? All values of derivatives are, except for sums of
// products; before them, only statistics of rows and the equations that combine these with the
// rows' elements.
static bool is_open(MgTerms *t, MgValueId v, const MgPiece *p) {
    const MgOp *op = mg_op(t->g, mg_value(t->g, v)->def);
    bool reduces = p->n_indices > p->n_free, mixes = false;
    if (reduces)
        return (p->reducer == MG_REDUCE_SUM || p->reducer == MG_REDUCE_MEAN) &&
               !mg_traits(t->g, mg_value(t->g, v)->def).contraction;
    if (mg_origin_is_backward(t->g->module, op->origin))
        return true;
    for (uint32_t k = 0; k < op->n_operands; k++)
        mixes |= mg_terms_is_figure(t, op->operands[k]);
    return mixes;
}

static const MgSum *element(MgTerms *t, MgValueId v) {
    uint32_t rank = mg_value(t->g, v)->rank;
    const MgSum **args = MG_NEW_N(t->arena, const MgSum *, rank + 1);
    for (uint32_t k = 0; k < rank; k++)
        args[k] = number_of(t, mg_ix_idx(t->ix, k));
    args[rank] = &zero;
    return atom(t, (Atom){.kind = ELEMENT, .value = v, .n_args = rank + 1, .args = args});
}

const MgSum *mg_terms_of(MgTerms *t, MgValueId v) {
    uint64_t *known = mg_map_find(&t->sums, v);
    if (known)
        return (const MgSum *)(uintptr_t)*known;
    const MgPiece *p = plain_piece(t, v);
    const MgSum *sum = NULL;
    if (p && is_open(t, v, p)) {
        sum = expand(t, mg_op(t->g, mg_value(t->g, v)->def), p->expr);
        if (sum && p->n_indices > p->n_free)
            sum = reduce(t, p, sum);
    }
    if (!sum)
        sum = element(t, v);
    mg_map_put(&t->sums, v, (uintptr_t)sum);
    return sum;
}

// ---------------------------------------------------------------- zeros

// Does `all`, a product, have the factors of `some`, each with at least its power?
static bool has_factors(const MgTerm *all, const MgTerm *some) {
    for (uint32_t i = 0; i < some->n; i++) {
        bool found = false;
        for (uint32_t k = 0; k < all->n; k++)
            found |= all->factors[k].atom == some->factors[i].atom &&
                     all->factors[k].power >= some->factors[i].power;
        if (!found)
            return false;
    }
    return true;
}

static bool is_exp(const MgTerms *t, const MgTerm *term) {
    for (uint32_t k = 0; k < term->n; k++) {
        const Atom *a = &t->atoms.at[term->factors[k].atom];
        if (a->kind != FUNCTION || a->prim != MG_PRIM_EXP || term->factors[k].power < 1)
            return false;
    }
    return term->n;
}

// If the condition says that a sum of exponentials is 0, each of them is: returns the sum's atom,
// or NULL.
static const Atom *empty_row(const MgTerms *t, const Atom *condition) {
    const MgTerm *is = condition->args[0]->n == 1 ? condition->args[0]->terms : NULL;
    const Atom *eq = is && is->n == 1 ? &t->atoms.at[is->factors[0].atom] : NULL;
    if (!eq || eq->kind != FUNCTION || eq->prim != MG_PRIM_EQ || eq->n_args != 2)
        return NULL;
    const MgSum *z = eq->args[0]->n ? eq->args[0] : eq->args[1],
                *other = eq->args[0]->n ? eq->args[1] : eq->args[0];
    if (other->n || z->n != 1 || z->terms[0].n != 1)
        return NULL;
    const Atom *sum = &t->atoms.at[z->terms[0].factors[0].atom];
    return sum->kind == SUM && is_exp(t, &sum->args[0]->terms[0]) ? sum : NULL;
}

static bool vanishes(const MgTerms *t, const MgTerm *term) {
    for (uint32_t i = 0; i < term->n; i++) {
        const Atom *c = &t->atoms.at[term->factors[i].atom];
        const Atom *row = c->kind == CONDITION ? empty_row(t, c) : NULL;
        for (uint32_t k = 0; row && k < term->n; k++) {
            const Atom *a = &t->atoms.at[term->factors[k].atom];
            if (a->kind == SUM && term->factors[k].power > 0 && a->n_bound == row->n_bound &&
                !memcmp(a->low, row->low, sizeof a->low) &&
                !memcmp(a->high, row->high, sizeof a->high) &&
                has_factors(&a->args[0]->terms[0], &row->args[0]->terms[0]))
                return true;
        }
    }
    return false;
}

bool mg_terms_cancel(MgTerms *t, MgValueId v) {
    const MgSum *sum = mg_terms_of(t, v);
    for (uint32_t i = 0; i < sum->n; i++)
        if (!vanishes(t, &sum->terms[i]))
            return false;
    return true;
}
