// The table of operations, and the expansion of its expressions.
#include "frontend/stablehlo/internal.h"

#include <stdlib.h>
#include <string.h>

#define HLO(name, floats, ints, bools)
#define HLO_COMPLEX(name, re, im)
#define HLO_FN(name, function) bool mg_hlo_op_##function(MgHloNode *n);
#define HLO_EACH HLO_FN
#include "frontend/stablehlo/ops.def"
#undef HLO
#undef HLO_COMPLEX
#undef HLO_FN
#undef HLO_EACH

const MgHloRow mg_hlo_rows[] = {
#define HLO(name, floats, ints, bools) {name, NULL, true, floats, ints, bools},
#define HLO_COMPLEX(name, re, im)                                                                  \
    {name ".re", NULL, true, re, NULL, NULL}, {name ".im", NULL, true, im, NULL, NULL},
#define HLO_FN(name, function) {name, mg_hlo_op_##function, false, NULL, NULL, NULL},
#define HLO_EACH(name, function) {name, mg_hlo_op_##function, true, NULL, NULL, NULL},
#include "frontend/stablehlo/ops.def"
#undef HLO
#undef HLO_COMPLEX
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

// A bool that is known, whatever the other operand is.
static bool decide_bool(MgHloNode *n) {
    static const struct {
        const char *op, *left, *right, *result; // NULL: anything
    } known[] = {
        {"stablehlo.and", "false", NULL, "false"}, {"stablehlo.and", NULL, "false", "false"},
        {"stablehlo.or", "true", NULL, "true"},    {"stablehlo.or", NULL, "true", "true"},
        {"stablehlo.not", "true", NULL, "false"},  {"stablehlo.not", "false", NULL, "true"}};
    const char *a = n->inputs[0]->literal,
               *b = n->op->n_operands > 1 ? n->inputs[1]->literal : NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n->op->types[0].dtype == MG_BOOL && !strcmp(known[i].op, n->op->name) &&
            (!known[i].left || (a && !strcmp(a, known[i].left))) &&
            (!known[i].right || (b && !strcmp(b, known[i].right)))) {
            n->outputs[0] = mg_hlo_value(n->t, n->op->types[0], NULL);
            n->outputs[0]->literal = known[i].result;
            return true;
        }
    return false;
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
    if (mg_hlo_keep_known(n) || choose(n) || decide_bool(n))
        return true;
    bool typed = true; // no other operand determines the type of a number
    for (uint32_t k = 0; k < op->n_operands; k++)
        typed &= n->inputs[k]->literal || n->inputs[k]->type.dtype != dtype;
    MgText out = mg_text(t->arena);
    for (const char *at = text; *at; at++)
        if (*at != '$')
            mg_text_add_n(&out, at, 1);
        else if (*++at == 'T')
            mg_text_add(&out, mg_dtype(op->types[0].dtype)->name);
        else
            mg_text_add(&out, operand(n, (uint32_t)(*at - '0'), typed));
    return mg_hlo_give(n, 0, mg_text_str(&out));
}

// Elements of fewer than 32 bits are computed as f32, whose numbers lie closer together.
bool mg_hlo_op_next_after(MgHloNode *n) {
    static const MgHloRow row = {.each = true, .floats = "stablehlo.next_after($0, $1)"};
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        MgDType dtype = n->inputs[k]->type.dtype;
        if (mg_is_float(dtype) && mg_dtype(dtype)->bits < 32)
            return mg_hlo_unsupported(n->t, n->op->at, "%s of %s", n->op->name,
                                      mg_dtype(dtype)->name);
    }
    return mg_hlo_by_row(n, &row);
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

const char *mg_hlo_direction(const MgHloOp *op) { // compare LT, … or comparison_direction = …
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (says(op, directions[i].word))
            return directions[i].sign;
    return NULL;
}

// The result of a comparison that follows from what is known, or NULL.
static const char *decided(MgHlo *t, const MgHloValue *a, const char *sign, const MgHloValue *b) {
    const char *known = mg_hlo_decide(t, a, sign, b);
    if (!known && a->type.dtype == MG_BOOL && a->literal && b->literal &&
        (*sign == '=' || *sign == '!'))
        known = !strcmp(a->literal, b->literal) == (*sign == '=') ? "true" : "false";
    return known;
}

bool mg_hlo_op_compare(MgHloNode *n) {
    const char *sign = mg_hlo_direction(n->op);
    if (!sign || n->op->n_operands != 2 || n->op->n_results != 1)
        return mg_hlo_fail(n->t, n->op->at, "a comparison has a direction and two operands");
    if (!fits(n) || n->inputs[0]->type.dtype != n->inputs[1]->type.dtype)
        return mg_hlo_fail(n->t, n->op->at, "the operands differ in type");
    const char *known = decided(n->t, n->inputs[0], sign, n->inputs[1]);
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
    mg_hlo_give(n, 0, mg_hlo_text(n->t, "%s %s %s", a, sign, b));
    if (!n->inputs[0]->type.rank && (n->inputs[0]->known || n->inputs[1]->known)) {
        const int64_t *x = mg_hlo_sizes_in(n->t, n->inputs[0]);
        const int64_t *y = mg_hlo_sizes_in(n->t, n->inputs[1]);
        MgHloCondition *condition = MG_NEW(n->t->arena, MgHloCondition);
        if (x && y) {
            *condition = (MgHloCondition){*x, *y, sign};
            n->outputs[0]->condition = condition;
        }
    }
    return true;
}

bool mg_hlo_op_convert(MgHloNode *n) {
    MgHlo *t = n->t;
    if (n->op->n_operands != 1 || n->op->n_results != 1 || !fits(n))
        return mg_hlo_fail(t, n->op->at, "a conversion keeps the shape of its operand");
    MgHloValue *v = n->inputs[0];
    MgDType from = v->type.dtype, to = n->op->types[0].dtype;
    if (from == to) {
        n->outputs[0] = v;
        return true;
    }
    if (v->known && mg_hlo_may_hold(t, to, v)) {
        n->outputs[0] = mg_hlo_known(t, n->op->types[0], n->op, v->known);
        return true;
    }
    const char *x = operand(n, 0, true);
    const char *text = to == MG_BOOL     ? mg_hlo_text(t, "%s != 0", x)
                       : from == MG_BOOL ? mg_hlo_text(t, "where(%s, %s(1), %s(0))", x,
                                                       mg_dtype(to)->name, mg_dtype(to)->name)
                                         : mg_hlo_text(t, "%s(%s)", mg_dtype(to)->name, x);
    return mg_hlo_give(n, 0, text);
}

// The unsigned integer of this many bits.
static const char *bits_type(MgHlo *t, int bits) {
    return mg_hlo_text(t, "u%d", bits);
}

// The bits of a value. One of a float that is computed in a wider type is rounded to its own again.
static const char *bits_of(MgHloNode *n, MgDType from, const char *value, const char *to) {
    const char *own = mg_dtype(from)->compute == from
                          ? value
                          : mg_hlo_text(n->t, "%s(%s)", mg_dtype(from)->name, value);
    return mg_hlo_text(n->t, "bitcast(%s, %s)", own, to);
}

// A bitcast to smaller elements, which a last axis counts from the lowest bits, or back.
static bool bitcast_parts(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloType *from = &n->inputs[0]->type, *to = &n->op->types[0];
    int wide = mg_dtype(from->dtype)->bits, narrow = mg_dtype(to->dtype)->bits;
    bool splits = wide > narrow;
    const MgHloType *parts = splits ? to : from, *whole = splits ? from : to;
    const char **at = MG_NEW_N(t->arena, const char *, parts->rank + 1), *all = NULL;
    if (from->dtype == MG_BOOL || to->dtype == MG_BOOL || parts->rank != whole->rank + 1 ||
        memcmp(parts->dims, whole->dims, whole->rank * sizeof *whole->dims) != 0 ||
        parts->dims[whole->rank] != (splits ? wide / narrow : narrow / wide))
        return mg_hlo_fail(t, n->op->at, "a bitcast keeps the number of bits");
    memcpy(at, mg_hlo_indices(t, parts->rank), parts->rank * sizeof *at);
    if (splits) {
        const char *x = bits_of(n, from->dtype, operand(n, 0, true), bits_type(t, wide));
        all = mg_hlo_text(t, "%s(shr(%s, %s(%d * %s)))", bits_type(t, narrow), x,
                          bits_type(t, wide), narrow, at[whole->rank]);
    }
    for (int64_t k = 0; !splits && k < parts->dims[whole->rank]; k++) {
        at[whole->rank] = mg_hlo_text(t, "%lld", (long long)k);
        const char *x = mg_hlo_read(t, n->inputs[0], at);
        if (n->inputs[0]->literal)
            x = mg_hlo_text(t, "%s(%s)", mg_dtype(from->dtype)->name, x);
        x = mg_hlo_text(t, "shl(%s(%s), %s(%lld))", bits_type(t, narrow),
                        bits_of(n, from->dtype, x, bits_type(t, wide)), bits_type(t, narrow),
                        (long long)(wide * k));
        all = all ? mg_hlo_text(t, "%s + %s", all, x) : x;
    }
    return mg_hlo_give(n, 0, mg_hlo_text(t, "bitcast(%s, %s)", all, mg_dtype(to->dtype)->name));
}

bool mg_hlo_op_bitcast(MgHloNode *n) {
    if (n->op->n_operands != 1 || n->op->n_results != 1)
        return mg_hlo_fail(n->t, n->op->at, "a bitcast has one operand and one result");
    if (mg_dtype(n->inputs[0]->type.dtype)->bits != mg_dtype(n->op->types[0].dtype)->bits)
        return bitcast_parts(n);
    if (!fits(n))
        return mg_hlo_fail(n->t, n->op->at, "a bitcast keeps the number of bits");
    return mg_hlo_give(n, 0,
                       bits_of(n, n->inputs[0]->type.dtype, operand(n, 0, true),
                               mg_dtype(n->op->types[0].dtype)->name));
}

// An operation that the operator of the same name computes in a statement, since it has sums.
bool mg_hlo_op_whole(MgHloNode *n) {
    MgHlo *t = n->t;
    MgText operands = mg_text(t->arena);
    if (n->op->n_results != 1 || !n->op->n_operands || !mg_is_float(n->inputs[0]->type.dtype))
        return mg_hlo_fail(t, n->op->at, "%s takes floats and has one result", n->op->name);
    for (uint32_t k = 0; k < n->op->n_operands; k++)
        mg_textf(&operands, "%s%s", k ? ", " : "", mg_hlo_name(t, n->inputs[k]));
    const char *name = mg_hlo_result_name(n, 0);
    n->outputs[0] = mg_hlo_value(t, n->op->types[0], name);
    mg_hlo_say(t, n->op, "%s = stablehlo.%s(%s)", name, strchr(n->op->name, '.') + 1,
               mg_text_str(&operands));
    return true;
}

bool mg_hlo_op_reduce_precision(MgHloNode *n) {
    int64_t exponent = mg_hlo_int(n, "exponent_bits", 0),
            mantissa = mg_hlo_int(n, "mantissa_bits", 0);
    const char *end = n->op->attributes.at + n->op->attributes.length;
    MgHloText format = mg_hlo_find(n->op->attributes, "format"); // e8m7, in the pretty form
    const char *m = format.length ? memchr(format.at, 'm', format.length) : NULL;
    if (m && *format.at == 'e' && m + 1 < end) {
        exponent = strtol(format.at + 1, NULL, 10);
        mantissa = strtol(m + 1, NULL, 10);
    }
    if (exponent < 2 || exponent > 8 || mantissa < 1 || mantissa > 23 || n->op->n_operands != 1 ||
        n->inputs[0]->type.dtype != MG_F32)
        return mg_hlo_unsupported(n->t, n->op->at, "this precision, or of another type than f32");
    const char *x = operand(n, 0, true);
    unsigned drop = 23 - (unsigned)mantissa, bias = (1u << (exponent - 1)) - 1;
    unsigned half = drop ? 1u << (drop - 1) : 0, least = exponent == 8 ? 0 : (128 - bias) << 23;
    unsigned most = ((bias + 127) << 23) + 0x7fffff;
    return mg_hlo_give(
        n, 0,
        mg_hlo_text(n->t,
                    "stablehlo.reduce_precision(%s, drop = %u, half = %u, least = %u, most = %u)",
                    x, drop, half, least, most));
}

// ---------------------------------------------------------------- operations without effect
bool mg_hlo_op_barrier(MgHloNode *n) {
    if (n->op->n_operands != n->op->n_results)
        return mg_hlo_fail(n->t, n->op->at, "a barrier gives its operands");
    memcpy(n->outputs, n->inputs, n->op->n_results * sizeof *n->outputs);
    return true;
}

// What a program asserts about its sizes becomes a `require` of the graph.
static bool assert_sizes(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloValue *v = n->op->n_operands ? n->inputs[0] : NULL;
    int64_t bound;
    MgIxSym s;
    if (!v || n->op->n_results || (!v->literal && !v->condition))
        return mg_hlo_unsupported(t, n->op->at, "an assertion about data");
    if (v->literal)
        return !strcmp(v->literal, "true") ||
               mg_hlo_fail(t, n->op->at, "the assertion about sizes does not hold");
    const MgHloCondition *c = v->condition;
    mg_textf(&t->needs, "    require %s %s %s\n", mg_hlo_size(t, c->a), c->sign,
             mg_hlo_size(t, c->b));
    if (!strcmp(c->sign, ">=") && mg_ix_is_sym(t->sizes, mg_hlo_formula(t, c->a), &s) &&
        mg_ix_is_const(t->sizes, mg_hlo_formula(t, c->b), &bound))
        mg_ix_sym_narrow(t->sizes, s, bound, MG_IX_INF);
    return true;
}

bool mg_hlo_op_custom_call(MgHloNode *n) {
    static const char *const same[] = {"@Sharding", "@SPMDFullToShardShape",
                                       "@SPMDShardToFullShape", "@annotate_device_placement"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (n->op->symbol && !strcmp(same[i], n->op->symbol))
            return mg_hlo_op_barrier(n);
    if (n->op->symbol && !strcmp(n->op->symbol, "@shape_assertion"))
        return assert_sizes(n);
    if (n->op->symbol && !strcmp(n->op->symbol, "@stablehlo.dynamic_reduce_window"))
        return mg_hlo_op_reduce_window(n);
    bool known, ok = mg_hlo_lapack(n, &known);
    if (known)
        return ok;
    return mg_hlo_unsupported(n->t, n->op->at, "the custom call %s",
                              n->op->symbol ? n->op->symbol : "without a name");
}
