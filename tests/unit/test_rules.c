// Tests every rule of rules.def, and some wrong rules. The interpreter computes both sides over
// operands that break identities (NaN, infinities, zeros of both signs, the ends of integers), in
// all orders of the left side and for all constants, and the results are compared.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/sema.h"
#include "ir/interp.h"
#include "passes/rules.h"
#include "tests/unit/check.h"

enum { VALUES = 22, N = VALUES * VALUES };

static const double floats[] = {0,    -0.0,  1,     -1,    2,        -2,        0.5,
                                3,    0.1,   10,    1e-3,  INFINITY, -INFINITY, NAN,
                                1e20, -1e20, 1e-20, 1e-41, 3.4e38,   -3.4e38};
static const int64_t ints[] = {0,         1,         -1,        2,         3,         INT64_MIN,
                               INT64_MAX, INT32_MIN, INT32_MAX, INT16_MIN, INT16_MAX, INT64_MIN + 1,
                               127,       -128,      255,       7};

static uint64_t seed = 1;
static double random_float(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(seed >> 11) / 4503599627370496.0 - 1) * pow(10, (double)(seed >> 61));
}

// The k-th of VALUES values: the special ones first.
static MgBits value(MgDType d, uint32_t k) {
    uint32_t n_floats = sizeof floats / sizeof *floats, n_ints = sizeof ints / sizeof *ints;
    if (mg_is_float(d))
        return mg_bits_from_double(d, k < n_floats ? floats[k] : random_float());
    return mg_bits_from_int(d, k < n_ints ? ints[k] : (int64_t)(seed = seed * 25214903917u + 11));
}

// ---------------------------------------------------------------- one graph, two expressions
typedef struct Subject {
    MgSession *session;
    MgModule *module;
    MgGraph *g;
    MgDType type;
    MgInterpTensor inputs[5];
    const MgSx *bound[26];
    int64_t shape[1];
} Subject;

static MgInterpTensor tensor(Subject *s, MgDType d, uint32_t every) {
    size_t size = mg_dtype_size(d);
    unsigned char *data = mg_arena_alloc(s->session->arena, N, size);
    MgBits values[VALUES];
    for (uint32_t k = 0; k < VALUES; k++)
        values[k] = value(d, k);
    for (uint32_t k = 0; k < N; k++) // little end first
        memcpy(data + k * size, &values[k / every % VALUES], size);
    return (MgInterpTensor){.dtype = d, .rank = 1, .shape = s->shape, .n = N, .data = data};
}

// Inputs x, y, z, r of the type, and b of bools; one equation that reads all of them, whose
// expression is replaced.
static void begin(Subject *s, MgDType type, bool compares) {
    char text[512];
    const char *t = mg_dtype(type)->name;
    *s = (Subject){.session = mg_session_new(0), .type = type, .shape = {N}};
    snprintf(
        text, sizeof text,
        "mg 1\ngraph g(x: %s[%d], y: %s[%d], z: %s[%d], r: %s[%d], b: bool[%d]) -> (o: %s[%d]) {\n"
        "    o[i] = %s\n}\n",
        t, N, t, N, t, N, t, N, N, compares ? "bool" : t, N,
        compares ? "b[i] and x[i] == y[i] and z[i] == r[i]"
                 : "where(b[i] and x[i] == y[i] and z[i] == r[i], x[i], y[i])");
    s->module = mg_load_module_text(s->session, "g.mg", text, strlen(text));
    ck_assert_ptr_nonnull(s->module);
    s->g = s->module->graphs.at[0];
    MgOp *op = mg_op(s->g, mg_value(s->g, s->g->outputs.at[0].value)->def);
    const MgSx *i = mg_sx_ix(s->module, MG_I64, mg_ix_idx(s->module->ix, 0));
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const MgValue *v = mg_value(s->g, op->operands[k]);
        s->bound[mg_name(s->session->names, v->name)[0] - 'a'] =
            mg_sx_read(s->module, k, v->dtype, &i, 1, MG_BOUNDS_PROVED, NULL);
    }
    const uint32_t every[] = {1, VALUES, 5, 1, 3};
    for (uint32_t k = 0; k < 5; k++)
        s->inputs[k] = tensor(s, k < 4 ? type : MG_BOOL, every[k]);
}

static MgInterpTensor interpret(Subject *s, const MgSx *expr, bool bounds, MgArena *arena) {
    MgInterpTensor out;
    MgInterpOptions options = {.bounds = bounds};
    mg_op(s->g, mg_value(s->g, s->g->outputs.at[0].value)->def)->equation->pieces[0].expr = expr;
    ck_assert(mg_interp(s->g, s->inputs, &out, &options, arena));
    return out;
}

static bool same_bits(const MgInterpTensor *a, const MgInterpTensor *b) {
    size_t size = mg_dtype_size(a->dtype);
    for (size_t k = 0; k < a->n; k++) {
        MgBits x = 0, y = 0;
        memcpy(&x, (const char *)a->data + k * size, size);
        memcpy(&y, (const char *)b->data + k * size, size);
        bool nan = mg_is_float(a->dtype) && isnan(mg_bits_to_double(a->dtype, x)) &&
                   isnan(mg_bits_to_double(b->dtype, y));
        if (x != y && !nan)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- one rule
typedef struct Tally {
    uint32_t applied, wrong;
    char why[200];
} Tally;

static bool always(void *ctx, uint32_t row) {
    (void)ctx, (void)row;
    return true;
}

static void compare(Subject *s, const MgRules *rules, uint32_t order, MgRuleClass class,
                    Tally *tally) {
    const MgSx *lhs = mg_rule_left(rules, 0, order, s->module, s->bound, s->type);
    const MgSx *rhs = mg_rules_apply(rules, s->module, lhs, always, NULL);
    if (rhs == lhs) // of another type; or the condition does not hold
        return;
    tally->applied++;
    ck_assert_int_eq(rhs->dtype, lhs->dtype);
    MgArena *arena = mg_arena_new(s->session->mem);
    MgInterpTensor want = interpret(s, lhs, class != MG_RULE_EXACT, arena);
    MgInterpTensor got = interpret(s, rhs, false, arena);
    MgComparison c = class == MG_RULE_EXACT ? (MgComparison){.ok = same_bits(&want, &got)}
                                            : mg_interp_compare(&want, got.data);
    tally->wrong += !c.ok;
    if (!c.ok && !tally->why[0])
        snprintf(tally->why, sizeof tally->why, "%s, element %zu: %g, not %g, bound %g",
                 mg_dtype(s->type)->name, c.first_bad, c.got, c.expected, c.bound);
    mg_arena_free(arena);
}

static bool mentions(const char *text, char letter) {
    for (const char *at = text; (at = strchr(at, letter)); at++)
        if ((at == text || strchr("( ,", at[-1])) && strchr(" ,)", at[1]))
            return true;
    return false;
}

static void try_type(const MgRuleRow *row, MgDType type, Tally *tally) {
    static const char *const comparisons[] = {" == ", " != ", " < ", " > ", " <= ", " >= "};
    bool compares = false;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        compares |= strstr(row->lhs, comparisons[i]) != NULL;
    static Subject subjects[MG_DTYPE_COUNT][2]; // made once
    Subject *s = &subjects[type][compares];
    if (!s->session)
        begin(s, type, compares);
    MgRules *rules = mg_rules_new(s->session->arena, row, 1, 3, false);
    ck_assert_msg(rules, "rule %s can't be read, or does not end", row->name);
    uint32_t n_c = mentions(row->lhs, 'c') ? VALUES : 1, n_d = mentions(row->lhs, 'd') ? VALUES : 1;
    for (uint32_t c = 0; c < n_c && !tally->wrong; c++)
        for (uint32_t d = 0; d < n_d && !tally->wrong; d++)
            for (uint32_t order = 0; order < mg_rule_orders(rules, 0); order++) {
                s->bound['c' - 'a'] = mg_sx_const(s->module, type, value(type, c));
                s->bound['d' - 'a'] = mg_sx_const(s->module, type, value(type, d));
                compare(s, rules, order, row->class, tally);
            }
}

static Tally try_rule(const MgRuleRow *row) {
    Tally tally = {0};
    for (uint32_t d = 0; d < MG_DTYPE_COUNT; d++)
        if (mg_dtype((MgDType)d)->compute == (MgDType)d)
            try_type(row, (MgDType)d, &tally);
    return tally;
}

START_TEST(every_rule_holds) {
    uint32_t n;
    const MgRuleRow *rows = mg_rule_rows(&n);
    ck_assert_uint_gt(n, 30);
    for (uint32_t i = 0; i < n; i++) {
        Tally tally = try_rule(&rows[i]);
        ck_assert_msg(tally.applied, "rule %s never applies", rows[i].name);
        ck_assert_msg(!tally.wrong, "rule %s is wrong: %s => %s (%s)", rows[i].name, rows[i].lhs,
                      rows[i].rhs, tally.why);
    }
}
END_TEST

START_TEST(names_are_of_one_thing) {
    uint32_t n;
    const MgRuleRow *rows = mg_rule_rows(&n);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_ptr_null(mg_pass_of_name(rows[i].name, NULL));
        for (uint32_t k = 0; k < i; k++)
            ck_assert_str_ne(rows[i].name, rows[k].name);
    }
}
END_TEST

START_TEST(wrong_rules_are_found) {
    static const MgRuleRow wrong[] = {
        {"-0 + 0", MG_RULE_EXACT, "float", "x + 0", "x", ""},
        {"inf - inf", MG_RULE_EXACT, "float", "x - x", "0", ""},
        {"nan * 0", MG_RULE_EXACT, "float", "x * 0", "0", ""},
        {"0 - 0", MG_RULE_EXACT, "float", "neg(x - y)", "y - x", ""},
        {"unsigned", MG_RULE_EXACT, "number", "abs(neg(x))", "abs(x)", ""},
        {"unordered", MG_RULE_EXACT, "float", "not(x < y)", "x >= y", ""},
        {"nan == nan", MG_RULE_EXACT, "float", "x == x", "true", ""},
        {"nan is lost", MG_RULE_EXACT, "float", "max(min(x, y), y)", "y", ""},
        {"rounds", MG_RULE_EXACT, "float", "x / c", "x * (1 / c)", ""},
        {"cancels", MG_RULE_EXACT, "float", "(x + c) + d", "x + (c + d)", ""},
        {"overflows", MG_RULE_EXACT, "int", "(x * 2) / 2", "x", ""},
        {"overflows at most", MG_RULE_EXACT, "int", "(x + 1) > x", "true", ""},
        {"-0 and -inf", MG_RULE_EXACT, "float", "pow(x, 0.5)", "sqrt(x)", ""},
        {"inf is another matter", MG_RULE_FAST, "float", "x * 0", "0", ""},
        {"far off", MG_RULE_FAST, "float", "x / 3", "x * 0.33", ""},
        {"the other way round", MG_RULE_EXACT, "any", "where(not(b), x, y)", "where(b, x, y)", ""}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Tally tally = try_rule(&wrong[i]);
        ck_assert_msg(tally.applied && tally.wrong, "'%s' passes for right", wrong[i].name);
    }
}
END_TEST

START_TEST(what_is_no_rule_is_refused) {
    static const MgRuleRow rows[] = {{"half", MG_RULE_EXACT, "float", "x +", "x", ""},
                                     {"unknown", MG_RULE_EXACT, "float", "nosuch(x)", "x", ""},
                                     {"arity", MG_RULE_EXACT, "float", "max(x)", "x", ""},
                                     {"no condition", MG_RULE_EXACT, "float", "x / c", "x", "c <"},
                                     {"more", MG_RULE_EXACT, "float", "(x + y) z", "x", ""},
                                     {"no end", MG_RULE_EXACT, "float", "x + y", "y + x", ""},
                                     {"grows", MG_RULE_EXACT, "float", "exp(x)", "x * x", ""},
                                     {"from nowhere", MG_RULE_EXACT, "float", "exp(x)", "y", ""},
                                     {"a leaf", MG_RULE_EXACT, "float", "x", "1", ""}};
    MgSession *session = mg_session_new(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(!mg_rules_new(session->arena, &rows[i], 1, 3, false), "'%s' is taken",
                      rows[i].name);
    // a level without a rule's class does not apply the rule
    const MgRuleRow fast = {"fast", MG_RULE_FAST, "float", "x / c", "x * (1 / c)", ""};
    ck_assert_ptr_nonnull(mg_rules_new(session->arena, &fast, 1, 2, false));
    mg_session_free(session);
}
END_TEST

MG_TEST_MAIN("rules", every_rule_holds, names_are_of_one_thing, wrong_rules_are_found,
             what_is_no_rule_is_refused)
