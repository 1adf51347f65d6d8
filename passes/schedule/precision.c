// --explain=precision: for each sum of products, which instruction multiplies and adds, in which
// types, what is rounded and who asked for it, and why no faster instruction does it.
//
// Everything is read off the kernels that were made: their products of matrices, their dot
// products, or else their widest multiplication. Names come from the tables (lang/atoms.def,
// lang/dots.def, lang/units.def), so a new row is explained without a change here.
#include "ir/dots.h"
#include "ir/equation.h"
#include "ir/kernel_walk.h"
#include "ir/program.h"
#include "passes/exact.h"

enum { MOST_WAYS = 8 };

typedef enum Unit {
#define MG_UNIT(id, items, name) UNIT_##id,
#include "lang/units.def"
#undef MG_UNIT
    UNITS
} Unit;
static const char *const unit_names[] = {
#define MG_UNIT(id, items, name) name,
#include "lang/units.def"
#undef MG_UNIT
};

// How a kernel multiplies.
typedef struct Way {
    const MgKProduct *product; // by units that multiply matrices, or
    const MgKx *dot;           // by an instruction that adds dot products
    MgAtom atom;
} Way;

typedef struct Told {
    MgProgram *p;
    MgGraph *g;
    const MgScheduleOptions *o;
    MgReaders readers;
    const MgOp *op;
    const MgPiece *piece;
    const char *form; // of its kernel
    bool tiled;       // its definition is not what the kernel computes (ir/tiled.h)
    Way ways[MOST_WAYS];
    uint32_t n;
    const MgKx *plain; // its widest multiplication of single numbers
    MgText *out;
} Told;

// ---------------------------------------------------------------- what kernels do

static void note(Told *t, Way way) {
    bool found = t->n == MOST_WAYS;
    for (uint32_t i = 0; i < t->n && !found; i++)
        found = t->ways[i].atom == way.atom && !t->ways[i].product == !way.product;
    if (!found)
        t->ways[t->n++] = way;
}

static bool see_statement(void *ctx, const MgKs *s) {
    if (s->kind == MG_KS_PRODUCT)
        note(ctx, (Way){.product = s->product, .atom = s->product->atom});
    return false;
}

static bool see_node(void *ctx, const MgKx *x) {
    Told *t = ctx;
    MgPrim prim = x->kind == MG_KX_PRIM ? x->prim : MG_PRIM_ADD;
    if (x->kind == MG_KX_DOT)
        note(t, (Way){.dot = x, .atom = (MgAtom)x->value});
    else if ((prim == MG_PRIM_FMA || prim == MG_PRIM_MUL) &&
             x->type.dtype == t->piece->expr->dtype &&
             (!t->plain || x->type.lanes > t->plain->type.lanes ||
              (x->type.lanes == t->plain->type.lanes && prim == MG_PRIM_FMA)))
        t->plain = x;
    return false;
}

static void see_kernels(Told *t, MgOpId id) {
    const MgKAsk ask = {see_statement, see_node, t};
    for (uint32_t i = 0; i < t->p->sites.len; i++) {
        const MgSite *site = &t->p->sites.at[i];
        bool runs = false;
        for (uint32_t k = 0; k < site->n_ops && !runs; k++)
            runs = site->ops[k] == id;
        if (!runs)
            continue;
        t->form = t->form ? t->form : site->kind;
        t->tiled |= site->tiled != NULL;
        mg_kblock_any(&t->p->kernels.at[site->kernel]->body, &ask);
    }
}

// ---------------------------------------------------------------- types and rounding

// What conversions in x make narrower: a read or an expression. *narrow: the narrowest type.
static const MgSx *inside(const MgSx *x, MgDType *narrow) {
    *narrow = x->dtype;
    while (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST) {
        if (mg_is_float(x->dtype) && mg_dtype_size(x->dtype) < mg_dtype_size(*narrow))
            *narrow = x->dtype;
        x = x->args[0];
    }
    return x;
}

// The type that v had before it was copied in a narrower type; its own if it is no such copy.
static MgDType type_before(const Told *t, MgValueId v) {
    MgDType narrow, type = mg_value(t->g, v)->dtype;
    MgOpId def = mg_value(t->g, v)->def;
    if (!def || !mg_traits(t->g, def).elementwise || !mg_is_float(type))
        return type;
    const MgOp *op = mg_op(t->g, def);
    const MgSx *x = inside(op->equation->pieces[0].expr, &narrow);
    MgDType from = x->kind == MG_SX_READ ? mg_value(t->g, op->operands[x->operand])->dtype : type;
    return mg_dtype_size(from) > mg_dtype_size(type) ? from : type;
}

static void say_who(Told *t, MgDType type, MgNarrowed what) {
    const char *name = mg_dtype(type)->name;
    const MgMap *narrowed = t->g->module->narrowed;
    const uint64_t *bits = narrowed ? mg_map_find(narrowed, t->op->origin) : NULL;
    mg_textf(t->out, "rounded to %s by ", name);
    if (bits && *bits & what)
        mg_textf(t->out, "--precision=%s", name);
    else if (bits && *bits & MG_NARROWED_WEIGHT && what != MG_NARROWED_RESULT)
        mg_textf(t->out, "--weights-type=%s", name);
    else
        mg_text_add(t->out, "the model");
}

static void say_factor(Told *t, const MgSx *factor, MgNarrowed what) {
    MgDType narrow, stored;
    const MgSx *x = inside(factor, &narrow);
    stored = x->dtype;
    if (x->kind == MG_SX_READ) {
        MgValueId v = t->op->operands[x->operand];
        MgDType type = mg_value(t->g, v)->dtype;
        stored = type_before(t, v);
        narrow = mg_dtype_size(type) < mg_dtype_size(narrow) ? type : narrow;
    }
    mg_text_add(t->out, mg_dtype(stored)->name);
    if (mg_dtype_size(narrow) < mg_dtype_size(stored)) {
        mg_text_add(t->out, " (");
        say_who(t, narrow, what);
        mg_text_add(t->out, ")");
    }
}

// The type to which v is rounded as soon as it is read; its own type if there is none.
static MgDType rounded_to(const Told *t, MgValueId v) {
    MgDType type = mg_value(t->g, v)->dtype, narrow;
    for (uint32_t k = t->readers.first[v]; k < t->readers.first[v + 1]; k++) {
        const MgOp *reader = mg_op(t->g, t->readers.ops[k]);
        const MgPiece *p = mg_only_piece(reader);
        if (!p || p->reducer != MG_REDUCE_NONE)
            continue;
        const MgSx *x = inside(p->expr, &narrow);
        MgDType to = mg_value(t->g, reader->results[0])->dtype;
        if (mg_is_float(to) && mg_dtype_size(to) < mg_dtype_size(narrow))
            narrow = to;
        if (x->kind == MG_SX_READ && reader->operands[x->operand] == v &&
            mg_dtype_size(narrow) < mg_dtype_size(type))
            type = narrow;
    }
    return type;
}

static void say_result(Told *t) {
    MgValueId v = t->op->results[0];
    MgDType type = rounded_to(t, v);
    if (mg_dtype_size(type) == mg_dtype_size(t->piece->expr->dtype))
        return;
    mg_text_add(t->out, "  the result is ");
    say_who(t, type, MG_NARROWED_RESULT);
    mg_text_add(t->out, "\n");
}

// ---------------------------------------------------------------- instructions

static const MgDotRow *dot_row(const Told *t, MgAtom atom) {
    uint32_t n, bits = 8 * t->o->target.vector_bytes;
    const MgDotRow *rows = mg_dot_rows(&n), *best = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].atom == atom && rows[i].bits <= bits && (!best || rows[i].bits > best->bits))
            best = &rows[i];
    return best;
}

static void say_way(Told *t, const Way *way) {
    const MgAtomRow *atom = mg_atom(way->atom);
    const MgDotRow *dot = way->dot ? dot_row(t, way->atom) : NULL;
    if (way->product) {
        Unit unit = mg_product_is_wide(way->product) ? UNIT_WIDE : UNIT_NARROW;
        mg_textf(t->out, "%s, %s, %s", unit_names[unit], atom->step, atom->types);
        if (way->product->column_low || way->product->splits)
            mg_text_add(t->out, ", three products of each factor's high and low part");
    } else {
        mg_textf(t->out, "%s, %u products in each of %u sums", dot ? dot->intrinsic : atom->word,
                 mg_atom_per_word(way->atom), way->dot->type.lanes);
    }
}

static void say_ways(Told *t) {
    mg_textf(t->out, ": %s by ", t->form ? t->form : "computed");
    for (uint32_t i = 0; i < t->n; i++) {
        mg_text_add(t->out, i ? "; and " : "");
        say_way(t, &t->ways[i]);
    }
    bool both = t->plain && t->plain->prim != MG_PRIM_FMA; // multiplied first, then added
    if (!t->n && t->plain)
        mg_textf(t->out, "%s%s%s of %s, %u at once", mg_prim(t->plain->prim)->name,
                 both ? " and " : "", both ? mg_prim(MG_PRIM_ADD)->name : "",
                 mg_dtype(t->plain->type.dtype)->name, t->plain->type.lanes);
    else if (!t->n)
        mg_text_add(t->out, "no multiplication: the result is known");
    mg_text_add(t->out, "\n");
}

// ---------------------------------------------------------------- faster instructions

static bool fits(const Told *t, const MgSx *factor, const MgAtomRow *atom, MgDType type) {
    if (atom->rounds && t->o->tf32)
        return true;
    if (atom->rounds) // whatever a type of as few bits holds
        return mg_sx_is_exact_in(t->g, t->op, factor, MG_BF16) ||
               mg_sx_is_exact_in(t->g, t->op, factor, MG_F16);
    return mg_sx_is_exact_in(t->g, t->op, factor, type);
}

// Products in the time of an f32 multiply-add; 0: the target has no such instruction.
static double speed_of(const Told *t, MgAtom atom) {
    const MgTargetInfo *target = &t->o->target;
    return mg_target_has_atom(target, atom) ? mg_atom_speed(&target->machine, target->gpu, atom)
                                            : 0;
}

static double best_speed(const Told *t) {
    double best = t->o->target.gpu ? 0 : 1;
    for (uint32_t i = 0; i < t->n; i++) {
        double speed = speed_of(t, t->ways[i].atom);
        best = speed > best ? speed : best;
    }
    return best;
}

static bool is_used(const Told *t, MgAtom atom) {
    bool used = false;
    for (uint32_t i = 0; i < t->n; i++)
        used |= t->ways[i].atom == atom;
    return used;
}

// How many sums there are, and of how many terms each.
static const char *size_of(const Told *t) {
    MgIxTable *ix = t->g->module->ix;
    int64_t n[2] = {1, 1}, extent; // sums, terms
    for (uint32_t i = 0; i < t->piece->n_indices; i++) {
        const MgIndex *index = &t->piece->indices[i];
        int64_t *to = &n[i >= t->piece->n_free];
        if (!mg_ix_is_const(ix, mg_ix_sub(ix, index->high, index->low), &extent) ||
            __builtin_mul_overflow(*to, extent, to))
            return "its size is open";
    }
    return mg_arena_printf(t->g->module->session->arena, "there are %lld sums of %lld terms",
                           (long long)n[0], (long long)n[1]);
}

// What keeps the product from this faster instruction.
static const char *why_not(const Told *t, MgAtom atom) {
    MgArena *arena = t->g->module->session->arena;
    const MgAtomRow *row = mg_atom(atom);
    const MgDotRow *dot = dot_row(t, atom);
    const MgSx *const *factors = t->piece->expr->args;
    bool exact = fits(t, factors[0], row, row->row) && fits(t, factors[1], row, row->column);
    bool matrices = mg_piece_contraction(t->g->module, t->piece) == MG_CONTRACTS_MATRICES;
    if (!matrices)
        return "only products of matrices use it; here each element of a factor is used once, so "
               "reading it takes longer than multiplying";
    if (t->o->strict && mg_is_float(row->sum))
        return "--strict keeps the order of sums";
    if (!exact && mg_is_float(row->row) && row->rounds)
        return mg_arena_printf(arena, "it rounds factors to %u bits, which --precision=%s allows",
                               row->rounds, row->word);
    if (!exact && row->keeps)
        return NULL; // nothing allows to round to eight bits
    if (!exact && mg_is_float(row->row))
        return mg_arena_printf(arena, "factors would be rounded to %s, which --precision=%s allows",
                               mg_dtype(row->row)->name, row->word);
    if (!exact)
        return NULL; // another type of whole numbers
    if (row->keeps && !t->o->short_sums)
        return mg_arena_printf(arena, "its sums keep %u bits, which --short-sums allows",
                               row->keeps);
    if (!t->o->target.gpu && dot && dot->but)
        return dot->but;
    return mg_arena_printf(arena, "the form '%s' has no tile of it that would be faster: %s",
                           t->form ? t->form : "", size_of(t));
}

static void say_faster(Told *t) {
    double best = best_speed(t);
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        const MgAtomRow *row = mg_atom((MgAtom)i);
        double speed = speed_of(t, (MgAtom)i);
        const char *why =
            row->sum != t->piece->expr->dtype || is_used(t, (MgAtom)i) || speed <= best
                ? NULL
                : why_not(t, (MgAtom)i);
        if (why)
            mg_textf(t->out, "  not by products of %s: %s\n", row->word, why);
    }
}

// ---------------------------------------------------------------- the page

static void say_place(Told *t) {
    const MgModule *m = t->g->module;
    const MgValue *v = mg_value(t->g, t->op->results[0]);
    const MgOrigin *o = v->origin ? mg_origin_of_user(m, v->origin) : NULL;
    mg_text_add(t->out, mg_name(m->session->names, v->name));
    if (o)
        mg_textf(t->out, " (%s:%u:%u)", mg_name(m->session->names, o->file), o->line, o->column);
}

static void explain(Told *t, MgOpId id) {
    static const char *const kinds[] = {[MG_CONTRACTS_ROWS] = "dot products",
                                        [MG_CONTRACTS_VECTORS] = "a matrix by vectors",
                                        [MG_CONTRACTS_MATRICES] = "a product of matrices"};
    const MgSx *x = t->piece->expr;
    see_kernels(t, id);
    say_place(t);
    mg_textf(t->out, ": %s, ", kinds[mg_piece_contraction(t->g->module, t->piece)]);
    say_factor(t, x->args[0], MG_NARROWED_FIRST);
    mg_text_add(t->out, " by ");
    say_factor(t, x->args[1], MG_NARROWED_SECOND);
    mg_textf(t->out, " to sums of %s", mg_dtype(x->dtype)->name);
    say_ways(t);
    for (uint32_t i = 0; i < t->n && t->o->tf32; i++)
        if (mg_atom(t->ways[i].atom)->rounds && t->ways[i].product &&
            !t->ways[i].product->column_low && !t->ways[i].product->splits)
            mg_textf(t->out, "  factors are rounded to %u bits by --precision=%s\n",
                     mg_atom(t->ways[i].atom)->rounds, mg_atom(t->ways[i].atom)->word);
    for (uint32_t i = 0; i < t->n && t->o->short_sums; i++)
        if (mg_atom(t->ways[i].atom)->keeps && t->ways[i].product)
            mg_textf(t->out, "  sums of a block keep %u bits by --short-sums\n",
                     mg_atom(t->ways[i].atom)->keeps);
    if (t->tiled)
        mg_text_add(t->out, "  in transformed tiles, whose rounding errors are larger; "
                            "--winograd=never forbids it\n");
    say_result(t);
    say_faster(t);
}

void mg_precision_print(MgProgram *p, const MgScheduleOptions *options, MgText *out) {
    MgGraph *g = p->graph;
    MgReaders readers = mg_readers(g, g->module->session->arena);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        bool found = false;
        for (uint32_t i = 0; op->kind == MG_OP_EQUATION && i < op->equation->n_pieces && !found;
             i++) {
            const MgPiece *piece = &op->equation->pieces[i];
            found = mg_piece_sums_products(piece);
            Told t = {.p = p,
                      .g = g,
                      .o = options,
                      .readers = readers,
                      .op = op,
                      .piece = piece,
                      .out = out};
            if (found)
                explain(&t, id);
        }
    }
}
