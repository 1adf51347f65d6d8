// Scalar expressions and equations as text of the language.
//
// When text is read, literals, dimensions and indices have no type of their own: they take the type
// of the operand beside them. So each is printed bare if an operand beside it has a type, and
// otherwise as `f32(2.0)`. A cast to a storage type and back to its compute type is one call,
// `f16(x)`, as in the source.
#include "ir/equation.h"
#include "ir/print_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// How tightly text binds, as in the grammar.
enum { P_ANY, P_OR, P_AND, P_NOT, P_COMPARE, P_SUM, P_BODY, P_PRODUCT, P_NEGATION, P_POSTFIX };

static void print_sx(const MgPrinter *p, const MgSx *x, int least, bool subscript);

// ---------------------------------------------------------------- literals

static void print_float(MgText *out, MgDType dtype, double value) {
    char digits[40];
    if (isnan(value)) {
        mg_text_add(out, "nan");
        return;
    }
    if (isinf(value)) {
        mg_text_add(out, value < 0 ? "-inf" : "inf");
        return;
    }
    MgBits bits = mg_bits_from_double(dtype, value);
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (mg_bits_from_double(dtype, strtod(digits, NULL)) == bits)
            break;
    }
    mg_textf(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

void mg_print_literal(MgText *out, MgDType dtype, MgBits bits) {
    if (mg_is_float(dtype))
        print_float(out, dtype, mg_bits_to_double(dtype, bits));
    else if (dtype == MG_BOOL)
        mg_text_add(out, bits ? "true" : "false");
    else if (mg_is_signed(dtype))
        mg_textf(out, "%" PRId64, mg_bits_to_int(dtype, bits));
    else
        mg_textf(out, "%" PRIu64, (uint64_t)bits);
}

static bool is_negative(const MgSx *x) {
    return mg_is_float(x->dtype) ? signbit(mg_bits_to_double(x->dtype, x->bits)) &&
                                       !isnan(mg_bits_to_double(x->dtype, x->bits))
                                 : mg_is_signed(x->dtype) && mg_bits_to_int(x->dtype, x->bits) < 0;
}

// Does the text of x have a type of its own?
static bool is_typed(const MgSx *x) {
    return x->kind == MG_SX_READ || x->kind == MG_SX_PRIM || x->dtype == MG_BOOL;
}

// ---------------------------------------------------------------- integer expressions

static const char *index_name(void *ctx, uint32_t position) {
    const MgPrinter *p = ctx;
    if (!p->piece || position >= p->piece->n_indices) {
        return mg_arena_printf(p->out->arena, "_%u", position);
    }
    return mg_name(p->g->module->session->names, p->piece->indices[position].name);
}

void mg_print_ix(const MgPrinter *p, MgIx x) {
    mg_ix_print(p->g->module->ix, p->g->module->session->names, x, index_name, (void *)p, p->out);
}

static void print_index_value(const MgPrinter *p, MgIx x, int least, bool subscript) {
    static const int binds[] = {[1] = P_SUM, [2] = P_PRODUCT, [3] = P_POSTFIX};
    MgIxTable *t = p->g->module->ix;
    const MgNames *names = p->g->module->session->names;
    bool parens = binds[mg_ix_precedence(t, names, x, p->out->arena, !subscript)] < least;
    if (parens)
        mg_text_add(p->out, "(");
    (subscript ? mg_ix_print : mg_ix_print_value)(t, names, x, index_name, (void *)p, p->out);
    if (parens)
        mg_text_add(p->out, ")");
}

// Prints a literal or an integer expression. `typed` puts its type in front.
static void print_leaf(const MgPrinter *p, const MgSx *x, int least, bool subscript, bool typed) {
    bool minus = x->kind == MG_SX_CONST && is_negative(x);
    if (typed)
        mg_textf(p->out, "%s(", mg_dtype(x->dtype)->name);
    else if (minus && least > P_NEGATION)
        mg_text_add(p->out, "(");
    if (x->kind == MG_SX_CONST)
        mg_print_literal(p->out, x->dtype, x->bits);
    else
        print_index_value(p, x->ix, typed ? P_ANY : least, subscript);
    if (typed || (minus && least > P_NEGATION))
        mg_text_add(p->out, ")");
}

// ---------------------------------------------------------------- reads and primitives

// The equation that defines v, if it belongs to the condition being printed: it is printed in v's
// place. Otherwise NULL.
static const MgOp *inlined_def(const MgPrinter *p, MgValueId v) {
    MgOpId def = mg_value(p->g, v)->def;
    if (p->condition == p->body || !def || mg_op(p->g, def)->region != p->condition)
        return NULL;
    const MgOp *op = mg_op(p->g, def);
    return op->kind == MG_OP_EQUATION && mg_value(p->g, v)->rank == 0 &&
                   op->equation->pieces[0].reducer != MG_REDUCE_ARGMAX &&
                   op->equation->pieces[0].reducer != MG_REDUCE_ARGMIN
               ? op
               : NULL;
}

static void print_index(const MgPrinter *p, uint32_t position) {
    const MgIndex *index = &p->piece->indices[position];
    mg_print_name(mg_name(p->g->module->session->names, index->name), p->out);
    mg_text_add(p->out, " in ");
    mg_print_ix(p, index->low);
    mg_text_add(p->out, "..");
    mg_print_ix(p, index->high);
}

// Prints the reduction of a piece: sum[k in 0..K].
static void print_reducer(const MgPrinter *p, const MgPiece *piece) {
    mg_textf(p->out, "%s[", mg_reducer(piece->reducer)->name);
    for (uint32_t i = piece->n_free; i < piece->n_indices; i++) {
        mg_text_add(p->out, i > piece->n_free ? ", " : "");
        print_index(p, i);
    }
    mg_text_add(p->out, "] ");
}

static void print_inlined(const MgPrinter *p, const MgOp *op, int least) {
    MgPrinter inner = *p;
    inner.op = op;
    inner.piece = &op->equation->pieces[0];
    if (inner.piece->reducer == MG_REDUCE_NONE) {
        print_sx(&inner, inner.piece->expr, least, false);
        return;
    }
    mg_text_add(p->out, "(");
    print_reducer(&inner, inner.piece);
    print_sx(&inner, inner.piece->expr, P_PRODUCT, false);
    mg_text_add(p->out, ")");
}

void mg_print_condition(MgPrinter *p, MgRegionId condition, MgRegionId body) {
    const MgRegion *region = mg_region(p->g, condition);
    const MgOp *yield = mg_op(p->g, region->ops.at[region->ops.len - 1]);
    MgPrinter inner = *p;
    inner.condition = condition;
    inner.body = body;
    const MgOp *def = inlined_def(&inner, yield->operands[0]);
    if (def)
        print_inlined(&inner, def, P_ANY);
    else
        mg_print_value_name(&inner, yield->operands[0]);
}

static void print_read(const MgPrinter *p, const MgSx *x, int least) {
    const MgOp *def = inlined_def(p, p->op->operands[x->operand]);
    if (def) {
        print_inlined(p, def, least);
        return;
    }
    mg_print_value_name(p, p->op->operands[x->operand]);
    mg_text_add(p->out, "[");
    for (uint32_t i = 0; i < x->n_args; i++) {
        mg_text_add(p->out, i ? ", " : "");
        print_sx(p, x->args[i], P_ANY, true);
    }
    mg_text_add(p->out, "]");
    if (x->otherwise) {
        mg_text_add(p->out, " else ");
        print_sx(p, x->otherwise, P_POSTFIX, false);
    }
}

typedef struct Infix {
    int binds;
    bool chains; // a + b + c is (a + b) + c; comparisons don't chain
} Infix;
static const Infix infix[MG_PRIM_COUNT] = {
    [MG_PRIM_OR] = {P_OR, true},       [MG_PRIM_AND] = {P_AND, true},
    [MG_PRIM_EQ] = {P_COMPARE, false}, [MG_PRIM_NE] = {P_COMPARE, false},
    [MG_PRIM_LT] = {P_COMPARE, false}, [MG_PRIM_LE] = {P_COMPARE, false},
    [MG_PRIM_GT] = {P_COMPARE, false}, [MG_PRIM_GE] = {P_COMPARE, false},
    [MG_PRIM_ADD] = {P_SUM, true},     [MG_PRIM_SUB] = {P_SUM, true},
    [MG_PRIM_MUL] = {P_PRODUCT, true}, [MG_PRIM_DIV] = {P_PRODUCT, true},
    [MG_PRIM_REM] = {P_PRODUCT, true},
};

// The operand that must be printed with its type: the first one, if no operand's text has a type.
static uint32_t operand_to_type(const MgSx *x) {
    uint32_t first = x->prim == MG_PRIM_WHERE ? 1 : 0;
    for (uint32_t i = first; i < x->n_args; i++)
        if (is_typed(x->args[i]))
            return UINT32_MAX;
    if (mg_prim(x->prim)->result ==
        MG_RESULT_BOOL) { // bare, they would be i64, or f32 if one is a float
        bool literal = false;
        for (uint32_t i = first; i < x->n_args; i++)
            literal |= x->args[i]->kind == MG_SX_CONST;
        MgDType dtype = x->args[first]->dtype;
        if (dtype == MG_I64 || (dtype == MG_F32 && literal))
            return UINT32_MAX;
    }
    return first;
}

static void print_operand(const MgPrinter *p, const MgSx *x, uint32_t i, int least,
                          bool subscript) {
    const MgSx *arg = x->args[i];
    if (is_typed(arg) || arg->dtype == MG_BOOL)
        print_sx(p, arg, least, subscript);
    else
        print_leaf(p, arg, least, subscript, operand_to_type(x) == i);
}

static void print_call(const MgPrinter *p, const MgSx *x, const char *name, bool subscript) {
    mg_textf(p->out, "%s(", name);
    for (uint32_t i = 0; i < x->n_args; i++) {
        mg_text_add(p->out, i ? ", " : "");
        print_operand(p, x, i, P_ANY, subscript);
    }
    mg_text_add(p->out, ")");
}

// Prints i8(x), saturate(x, i8), bitcast(x, u32). For a type that is computed in a wider one, this
// includes the cast back.
static void print_conversion(const MgPrinter *p, const MgSx *x, bool subscript) {
    const MgSx *arg = x->args[0];
    if (x->prim == MG_PRIM_CAST && arg->kind == MG_SX_PRIM && arg->dtype != x->dtype &&
        mg_prim(arg->prim)->result == MG_RESULT_CONVERT &&
        mg_dtype(arg->dtype)->compute == x->dtype)
        x = arg;
    arg = x->args[0];
    bool cast = x->prim == MG_PRIM_CAST;
    mg_textf(p->out, "%s(", cast ? mg_dtype(x->dtype)->name : mg_prim(x->prim)->name);
    if (is_typed(arg))
        print_sx(p, arg, P_ANY, subscript);
    else // bare, a literal would be i64 or f32
        print_leaf(p, arg, P_ANY, subscript,
                   arg->kind == MG_SX_CONST && mg_is_float(arg->dtype) ? arg->dtype != MG_F32
                                                                       : arg->dtype != MG_I64);
    mg_textf(p->out, cast ? ")" : ", %s)", mg_dtype(x->dtype)->name);
}

static void print_prim(const MgPrinter *p, const MgSx *x, int least, bool subscript) {
    const MgPrimRow *row = mg_prim(x->prim);
    Infix in = infix[x->prim];
    bool prefix = x->prim == MG_PRIM_NEG || x->prim == MG_PRIM_NOT;
    int binds = x->prim == MG_PRIM_NEG ? P_NEGATION : x->prim == MG_PRIM_NOT ? P_NOT : in.binds;
    if (row->result == MG_RESULT_CONVERT) {
        print_conversion(p, x, subscript);
        return;
    }
    if (!binds) {
        print_call(p, x, row->name, subscript);
        return;
    }
    if (binds < least)
        mg_text_add(p->out, "(");
    if (prefix) {
        mg_text_add(p->out, x->prim == MG_PRIM_NEG ? "-" : "not ");
        // For -(-x), since the language has no double minus.
        print_operand(p, x, 0, x->prim == MG_PRIM_NEG ? P_POSTFIX : P_NOT, subscript);
    } else {
        print_operand(p, x, 0, in.chains ? binds : binds + 1, subscript);
        mg_textf(p->out, " %s ", row->name);
        print_operand(p, x, 1, binds + 1, subscript);
    }
    if (binds < least)
        mg_text_add(p->out, ")");
}

static void print_sx(const MgPrinter *p, const MgSx *x, int least, bool subscript) {
    switch (x->kind) {
    case MG_SX_READ:
        print_read(p, x, least);
        break;
    case MG_SX_PRIM:
        print_prim(p, x, least, subscript);
        break;
    default:
        print_leaf(p, x, least, subscript, false);
    }
}

void mg_print_expression(const MgPrinter *p, const MgSx *x) {
    print_sx(p, x, P_ANY, false);
}

// ---------------------------------------------------------------- equations

// The position of the free index that is this target subscript, or UINT32_MAX.
static uint32_t free_index(const MgPrinter *p, const MgSx *sub) {
    MgIxSym s;
    uint32_t position;
    if (sub->kind == MG_SX_IX && mg_ix_is_sym(p->g->module->ix, sub->ix, &s) &&
        mg_ix_sym_is_index(p->g->module->ix, s, &position) && position < p->piece->n_free)
        return position;
    return UINT32_MAX;
}

static void print_target(const MgPrinter *p, const MgTarget *target) {
    if (target->n_tuple) {
        mg_text_add(p->out, "(");
        for (uint32_t i = 0; i < target->n_tuple; i++) {
            uint32_t position = target->tuple[i];
            mg_text_add(p->out, i ? ", " : "");
            if (position < p->piece->n_free)
                print_index(p, position);
            else // the reduction binds it
                mg_print_name(index_name((void *)p, position), p->out);
        }
        mg_text_add(p->out, ")");
        return;
    }
    uint32_t position = free_index(p, target->sub);
    if (position != UINT32_MAX)
        print_index(p, position);
    else
        print_sx(p, target->sub, P_ANY, true);
}

// Is no bound index left among the subscripts of a computed write? Then `else none` makes it one.
static bool places_are_fixed(const MgPrinter *p, const MgPiece *piece, uint32_t rank) {
    for (uint32_t d = 0; d < rank; d++)
        for (uint32_t k = piece->n_free; k < piece->n_indices; k++)
            if (mg_sx_mentions(p->g->module, piece->target[d].sub, k))
                return false;
    return true;
}

// A rounding to the type in which the result is stored anyway: the conversion back says that no
// kernel may skip it.
static void print_meant(const MgPrinter *p, const MgSx *x) {
    mg_textf(p->out, "%s(", mg_dtype(x->dtype)->name);
    print_sx(p, x, P_ANY, false);
    mg_text_add(p->out, ")");
}

static void print_piece(MgPrinter *p, const MgPiece *piece, MgValueId result, bool has_base) {
    const MgValue *v = mg_value(p->g, result);
    MgText *out = p->out;
    p->piece = piece;
    mg_print_value_name(p, result);
    mg_text_add(out, "[");
    for (uint32_t i = 0; i < v->rank; i++) {
        mg_text_add(out, i ? ", " : "");
        print_target(p, &piece->target[i]);
    }
    mg_text_add(out, "]: ");
    mg_print_type(p, v->dtype, v->rank, v->shape);
    bool none =
        piece->scatter && (piece->write == MG_BOUNDS_ELSE || places_are_fixed(p, piece, v->rank));
    mg_text_add(out, none ? " else none = " : " = ");
    bool reduces = piece->reducer != MG_REDUCE_NONE;
    if (reduces)
        print_reducer(p, piece);
    bool bare = is_typed(piece->expr) ||
                (piece->expr->dtype == mg_dtype(v->dtype)->compute &&
                 piece->reducer != MG_REDUCE_ARGMAX && piece->reducer != MG_REDUCE_ARGMIN);
    int least = reduces ? P_PRODUCT : P_ANY;
    if (!reduces && mg_sx_unrounded(piece->expr, v->dtype) != piece->expr)
        print_meant(p, piece->expr);
    else if (bare)
        print_sx(p, piece->expr, least, false);
    else
        print_leaf(p, piece->expr, least, false, true);
    if (has_base) {
        mg_text_add(out, " over ");
        mg_print_value_name(p, p->op->operands[p->op->n_operands - 1]);
    }
    p->piece = NULL;
}

void mg_piece_print(MgGraph *g, MgOpId id, const MgPiece *piece, MgText *out) {
    const MgPrintOptions options = {0};
    MgPrinter p = {.g = g, .options = &options, .out = out, .op = mg_op(g, id)};
    print_piece(&p, piece, p.op->results[0], p.op->equation->has_base);
}

void mg_print_equation(MgPrinter *p, MgOpId id) {
    const MgOp *op = mg_op(p->g, id);
    p->op = op;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        if (i)
            mg_print_line(p);
        print_piece(p, &op->equation->pieces[i], op->results[0], op->equation->has_base);
    }
    p->op = NULL;
}
