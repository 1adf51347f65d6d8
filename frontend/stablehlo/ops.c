// The table of operations, and the expansion of its expressions.
#include "frontend/stablehlo/internal.h"

#include <stdlib.h>
#include <string.h>

#define HLO(name, floats, ints, bools)
#define HLO_FN(name, function) bool mg_hlo_op_##function(MgHloNode *n);
#define HLO_EACH HLO_FN
#include "frontend/stablehlo/ops.def"
#undef HLO
#undef HLO_FN
#undef HLO_EACH

const MgHloRow mg_hlo_rows[] = {
#define HLO(name, floats, ints, bools) {name, NULL, true, floats, ints, bools},
#define HLO_FN(name, function) {name, mg_hlo_op_##function, false, NULL, NULL, NULL},
#define HLO_EACH(name, function) {name, mg_hlo_op_##function, true, NULL, NULL, NULL},
#include "frontend/stablehlo/ops.def"
#undef HLO
#undef HLO_FN
#undef HLO_EACH
    {0}};

const MgHloRow *mg_hlo_row(const char *name) {
    for (const MgHloRow *row = mg_hlo_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

// An operand's element. A number is written with its type if no other operand determines it.
static const char *operand(MgHloNode *n, uint32_t k, bool typed) {
    MgHlo *t = n->t;
    MgHloValue *v = n->inputs[k];
    const char *text = mg_hlo_read(t, v, mg_hlo_indices(t, v->type.rank));
    if (v->literal && typed && v->type.dtype != MG_BOOL)
        return mg_hlo_text(t, "%s(%s)", mg_dtype(v->type.dtype)->name, text);
    return v->literal && *text == '-' ? mg_hlo_text(t, "(%s)", text) : text;
}

// Integers that are known expressions over the indices of loops stay expressions.
static bool keep_index(MgHloNode *n) {
    MgHloValue *a = n->inputs[0], *b = n->op->n_operands == 2 ? n->inputs[1] : NULL, *out;
    bool plus = !strcmp(n->op->name, "stablehlo.add"),
         minus = !strcmp(n->op->name, "stablehlo.subtract");
    int64_t x, y, most = INT32_MAX;
    if (!b || (!plus && !minus) || a->type.rank || a->type.dtype == MG_BOOL ||
        (!a->index && !b->index))
        return false;
    bool left = mg_hlo_is_number(a, &x), right = mg_hlo_is_number(b, &y);
    if ((!a->index && !left) || (!b->index && !right))
        return false;
    int64_t alo = left ? x : a->lo, ahi = left ? x : a->hi, blo = right ? y : b->lo,
            bhi = right ? y : b->hi;
    if (alo < -most || ahi > most || blo < -most || bhi > most)
        return false;
    const char *first = left ? a->literal : a->index, *second = right ? b->literal : b->index;
    out = mg_hlo_value(n->t, n->op->types[0], NULL);
    out->lo = plus ? alo + blo : alo - bhi;
    out->hi = plus ? ahi + bhi : ahi - blo;
    if (out->lo < (mg_is_signed(a->type.dtype) ? -most : 0) || out->hi > most)
        return false; // it may wrap
    out->op = n->op;
    out->index = mg_hlo_text(n->t, plus ? "%s + %s" : "%s - (%s)", first, second);
    n->outputs[0] = out;
    return true;
}

// A select with a known condition gives one of its operands.
static bool choose(MgHloNode *n) {
    const char *condition = n->op->n_operands == 3 ? n->inputs[0]->literal : NULL;
    if (strcmp(n->op->name, "stablehlo.select") != 0 || !condition)
        return false;
    n->outputs[0] = n->inputs[strcmp(condition, "true") ? 2 : 1];
    return true;
}

static uint32_t arity(const char *text) {
    uint32_t most = 0;
    for (const char *at = strchr(text, '$'); at; at = strchr(at + 1, '$'))
        if (at[1] >= '0' && at[1] <= '9' && (uint32_t)(at[1] - '0') >= most)
            most = (uint32_t)(at[1] - '0') + 1;
    return most;
}

static bool fits(const MgHloNode *n) { // operands have the result's shape, or rank 0
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        const MgHloType *a = &n->inputs[k]->type, *b = &n->op->types[0];
        if (a->rank && (a->rank != b->rank || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims)))
            return false;
    }
    return true;
}

bool mg_hlo_by_row(MgHloNode *n, const MgHloRow *row) {
    MgHlo *t = n->t;
    const MgHloOp *op = n->op;
    const char *any = row->floats ? row->floats : row->ints ? row->ints : row->bools;
    if (op->n_operands != arity(any))
        return mg_hlo_fail(t, op->at, "the number of operands of %s is %u, not %u", op->name,
                           arity(any), op->n_operands);
    if (op->n_results != 1)
        return mg_hlo_fail(t, op->at, "%s has one result", op->name);
    MgDType dtype = n->inputs[op->n_operands - 1]->type.dtype;
    const char *text = mg_is_float(dtype) ? row->floats : dtype == MG_BOOL ? row->bools : row->ints;
    if (!text)
        return mg_hlo_unsupported(t, op->at, "%s of %s", op->name, mg_dtype(dtype)->name);
    if (!fits(n))
        return mg_hlo_fail(t, op->at, "the operands' shapes differ from the result's");
    if (keep_index(n) || choose(n))
        return true;
    bool typed = true; // no other operand determines the type of a number
    for (uint32_t k = 0; k < op->n_operands; k++)
        typed &= n->inputs[k]->literal || n->inputs[k]->type.dtype != dtype;
    MgText out = mg_text(t->arena);
    for (const char *at = text; *at; at++)
        if (*at == '$')
            mg_text_add(&out, operand(n, (uint32_t)(*++at - '0'), typed));
        else
            mg_text_add_n(&out, at, 1);
    return mg_hlo_give(n, 0, mg_text_str(&out));
}

// ---------------------------------------------------------------- comparisons and types
static const struct {
    const char *word, *sign;
} directions[] = {{"EQ", "=="}, {"NE", "!="}, {"LT", "<"}, {"LE", "<="}, {"GT", ">"}, {"GE", ">="}};

static bool says(const MgHloOp *op, const char *word) { // among the attributes
    const char *end = op->attributes.at + op->attributes.length;
    for (MgHloToken token = mg_hlo_token(op->attributes.at, op->attributes.at);
         token.kind != MG_HLO_END && token.at < end;
         token = mg_hlo_token(op->attributes.at, token.at + token.length))
        if (mg_hlo_is(&token, word))
            return true;
    return false;
}

static const char *direction(const MgHloOp *op) { // compare LT, … or comparison_direction = …
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (says(op, directions[i].word))
            return directions[i].sign;
    return NULL;
}

// The result of a comparison that follows from the bounds of indices, or NULL.
static const char *decided(const MgHloValue *a, const char *sign, const MgHloValue *b) {
    int64_t y;
    if (!a->index || !mg_hlo_is_number(b, &y))
        return NULL;
    if (!strcmp(sign, "<"))
        return a->hi < y ? "true" : a->lo >= y ? "false" : NULL;
    if (!strcmp(sign, ">="))
        return a->lo >= y ? "true" : a->hi < y ? "false" : NULL;
    return NULL;
}

bool mg_hlo_op_compare(MgHloNode *n) {
    const char *sign = direction(n->op);
    if (!sign || n->op->n_operands != 2 || n->op->n_results != 1)
        return mg_hlo_fail(n->t, n->op->at, "a comparison has a direction and two operands");
    if (!fits(n) || n->inputs[0]->type.dtype != n->inputs[1]->type.dtype)
        return mg_hlo_fail(n->t, n->op->at, "the operands differ in type");
    const char *known = decided(n->inputs[0], sign, n->inputs[1]);
    if (known) {
        n->outputs[0] = mg_hlo_value(n->t, n->op->types[0], NULL);
        n->outputs[0]->literal = known;
        return true;
    }
    bool whole = says(n->op, "TOTALORDER") && mg_is_float(n->inputs[0]->type.dtype);
    bool typed = whole || (n->inputs[0]->literal && n->inputs[1]->literal);
    const char *a = operand(n, 0, typed), *b = operand(n, 1, typed);
    if (whole) {
        a = mg_hlo_text(n->t, "stablehlo.total_order(%s)", a);
        b = mg_hlo_text(n->t, "stablehlo.total_order(%s)", b);
    }
    if (n->inputs[0]->type.dtype == MG_BOOL && *sign != '=' && *sign != '!') { // false < true
        a = mg_hlo_text(n->t, "where(%s, 1, 0)", a);
        b = mg_hlo_text(n->t, "where(%s, 1, 0)", b);
    }
    return mg_hlo_give(n, 0, mg_hlo_text(n->t, "%s %s %s", a, sign, b));
}

bool mg_hlo_op_convert(MgHloNode *n) {
    MgHlo *t = n->t;
    if (n->op->n_operands != 1 || n->op->n_results != 1 || !fits(n))
        return mg_hlo_fail(t, n->op->at, "a conversion keeps the shape of its operand");
    MgHloValue *v = n->inputs[0];
    MgDType from = v->type.dtype, to = n->op->types[0].dtype;
    if (from == to || (v->index && mg_is_int(to) && mg_dtype(to)->bits >= 32 &&
                       (mg_is_signed(to) || v->lo >= 0))) {
        n->outputs[0] = MG_NEW(t->arena, MgHloValue);
        *n->outputs[0] = *v;
        n->outputs[0]->type = n->op->types[0];
        if (from == to)
            n->outputs[0] = v;
        else
            n->outputs[0]->text = NULL;
        return true;
    }
    const char *x = operand(n, 0, true);
    const char *text = to == MG_BOOL     ? mg_hlo_text(t, "%s != 0", x)
                       : from == MG_BOOL ? mg_hlo_text(t, "where(%s, %s(1), %s(0))", x,
                                                       mg_dtype(to)->name, mg_dtype(to)->name)
                                         : mg_hlo_text(t, "%s(%s)", mg_dtype(to)->name, x);
    return mg_hlo_give(n, 0, text);
}

bool mg_hlo_op_bitcast(MgHloNode *n) {
    if (n->op->n_operands != 1 || n->op->n_results != 1 || !fits(n) ||
        mg_dtype(n->inputs[0]->type.dtype)->bits != mg_dtype(n->op->types[0].dtype)->bits)
        return mg_hlo_unsupported(n->t, n->op->at, "a bitcast to elements of another size");
    return mg_hlo_give(n, 0,
                       mg_hlo_text(n->t, "bitcast(%s, %s)", operand(n, 0, true),
                                   mg_dtype(n->op->types[0].dtype)->name));
}

bool mg_hlo_op_reduce_precision(MgHloNode *n) {
    int64_t exponent = mg_hlo_int(n, "exponent_bits", 0),
            mantissa = mg_hlo_int(n, "mantissa_bits", 0);
    const char *format = strstr(n->op->attributes.at, "format = e8m7"); // in the pretty form
    bool bf16 = (exponent == 8 && mantissa == 7) ||
                (format && format < n->op->attributes.at + n->op->attributes.length);
    if (!bf16 || n->op->n_operands != 1 || n->inputs[0]->type.dtype != MG_F32)
        return mg_hlo_unsupported(n->t, n->op->at, "a precision other than bf16's");
    return mg_hlo_give(n, 0, mg_hlo_text(n->t, "f32(bf16(%s))", operand(n, 0, true)));
}

// ---------------------------------------------------------------- operations without effect
bool mg_hlo_op_barrier(MgHloNode *n) {
    if (n->op->n_operands != n->op->n_results)
        return mg_hlo_fail(n->t, n->op->at, "a barrier gives its operands");
    memcpy(n->outputs, n->inputs, n->op->n_results * sizeof *n->outputs);
    return true;
}

bool mg_hlo_op_custom_call(MgHloNode *n) {
    static const char *const same[] = {"@Sharding", "@SPMDFullToShardShape",
                                       "@SPMDShardToFullShape", "@annotate_device_placement"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (n->op->symbol && !strcmp(same[i], n->op->symbol))
            return mg_hlo_op_barrier(n);
    return mg_hlo_unsupported(n->t, n->op->at, "the custom call %s",
                              n->op->symbol ? n->op->symbol : "without a name");
}
