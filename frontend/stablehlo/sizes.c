// Sizes that are open, `?` in the program. Such a size is a formula over the sizes of the graph's
// arguments, in normal form: equal sizes have equal numbers. The integers from which a program
// makes shapes are followed as formulas, too.
#include "frontend/stablehlo/internal.h"

#include "ir/ix.h"

#include <stdlib.h>
#include <string.h>

// A size is its number, or MG_HLO_ANY - the id of a formula. MG_IX_ERROR is 0, so the size of a
// formula that overflows is MG_HLO_ANY.
bool mg_hlo_is_open(int64_t size) {
    return size <= MG_HLO_ANY;
}

MgIx mg_hlo_formula(MgHlo *t, int64_t size) {
    return mg_hlo_is_open(size) ? (MgIx)(MG_HLO_ANY - size) : mg_ix_const(t->sizes, size);
}

int64_t mg_hlo_size_of(MgHlo *t, MgIx formula) {
    int64_t number;
    return mg_ix_is_const(t->sizes, formula, &number) && number > MG_HLO_ANY
               ? number
               : MG_HLO_ANY - (int64_t)formula;
}

int64_t mg_hlo_combine_sizes(MgHlo *t, MgHloArithmetic *f, int64_t a, int64_t b) {
    return mg_hlo_size_of(t, f(t->sizes, mg_hlo_formula(t, a), mg_hlo_formula(t, b)));
}

int64_t mg_hlo_count(MgHlo *t, const MgHloType *type) {
    int64_t count = 1;
    for (uint32_t i = 0; i < type->rank; i++)
        count = mg_hlo_is_open(count) || mg_hlo_is_open(type->dims[i])
                    ? mg_hlo_combine_sizes(t, mg_ix_mul, count, type->dims[i])
                    : count * type->dims[i];
    return count;
}

const char *mg_hlo_size(MgHlo *t, int64_t size) {
    if (!mg_hlo_is_open(size))
        return mg_hlo_text(t, "%lld", (long long)size);
    MgText out = mg_text(t->arena);
    MgIx formula = mg_hlo_formula(t, size);
    mg_ix_print(t->sizes, t->names, formula, NULL, NULL, &out);
    const char *text = mg_text_str(&out);
    return mg_ix_precedence(t->sizes, t->names, formula, t->arena, false) < 3
               ? mg_hlo_text(t, "(%s)", text)
               : text;
}

const char *mg_hlo_sizes(MgHlo *t, const MgHloType *type) {
    MgText out = mg_text(t->arena);
    for (uint32_t i = 0; i < type->rank; i++)
        mg_textf(&out, "%s%s", i ? ", " : "", mg_hlo_size(t, type->dims[i]));
    return mg_text_str(&out);
}

bool mg_hlo_at_most(MgHlo *t, int64_t a, int64_t b) {
    MgIx rest = mg_ix_sub(t->sizes, mg_hlo_formula(t, b), mg_hlo_formula(t, a));
    return mg_ix_nonnegative(t->sizes, rest, &(MgIxRanges){0}, NULL, 0) == MG_PROVED;
}

bool mg_hlo_less(MgHlo *t, int64_t a, int64_t b) {
    return mg_hlo_at_most(t, mg_hlo_combine_sizes(t, mg_ix_add, a, 1), b);
}

bool mg_hlo_all_closed(MgHloNode *n, const MgHloType *type) {
    for (uint32_t i = 0; i < type->rank; i++)
        if (mg_hlo_is_open(type->dims[i]))
            return mg_hlo_unsupported(n->t, n->op->at, "%s of this kind over the open size %s",
                                      n->op->name, mg_hlo_size(n->t, type->dims[i]));
    return true;
}

bool mg_hlo_same_type(const MgHloType *a, const MgHloType *b) {
    bool same = a->dtype == b->dtype && a->rank == b->rank;
    for (uint32_t i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i] || a->dims[i] == MG_HLO_ANY || b->dims[i] == MG_HLO_ANY;
    return same;
}

// ---------------------------------------------------------------- integers that are formulas
MgHloValue *mg_hlo_known(MgHlo *t, MgHloType type, const MgHloOp *op, const int64_t *sizes) {
    MgHloValue *v = mg_hlo_value(t, type, NULL);
    v->op = op;
    v->known = mg_arena_copy(t->arena, sizes, (size_t)mg_hlo_count(t, &type), sizeof *sizes);
    if (type.rank)
        return v;
    if (!mg_hlo_is_open(*sizes))
        v->literal = mg_hlo_text(t, "%lld", (long long)*sizes);
    return v;
}

// Integers of the program wrap, and sizes don't. Sizes of arguments are taken to be small enough.
static bool holds(MgHlo *t, MgDType dtype, int64_t size) {
    enum { SMALL = 1 << 16 };
    int64_t low = size, high = size;
    if (!mg_is_int(dtype) || mg_dtype(dtype)->bits < 32 || size == MG_HLO_ANY)
        return false;
    if (mg_hlo_is_open(size))
        mg_ix_interval(t->sizes, mg_hlo_formula(t, size), &(MgIxRanges){0}, &low, &high);
    return (low >= 0 || mg_is_signed(dtype)) &&
           ((low >= -INT32_MAX && high <= INT32_MAX) ||
            (mg_hlo_is_open(size) &&
             mg_ix_largest_factor(t->sizes, mg_hlo_formula(t, size)) <= SMALL));
}

bool mg_hlo_may_hold(MgHlo *t, MgDType dtype, const MgHloValue *v) {
    bool ok = true;
    for (int64_t i = 0; ok && i < mg_hlo_count(t, &v->type); i++)
        ok = holds(t, dtype, v->known[i]);
    return ok;
}

const int64_t *mg_hlo_sizes_in(MgHlo *t, const MgHloValue *v) {
    int64_t number, count = mg_hlo_count(t, &v->type);
    if (v->known || count < 0 || count > 2 * MG_HLO_MAX_RANK || !mg_hlo_is_number(v, &number) ||
        number > INT32_MAX || number < -INT32_MAX)
        return v->known;
    int64_t *sizes = MG_NEW_N(t->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        sizes[i] = number;
    return sizes;
}

const char *mg_hlo_known_text(MgHlo *t, const MgHloValue *v) {
    const char *type = mg_dtype(v->type.dtype)->name, *text = mg_hlo_text(t, "%s(0)", type);
    const char *at = "0";
    if (!v->type.rank)
        return mg_hlo_text(t, "%s(%s)", type, mg_hlo_size(t, *v->known));
    for (uint32_t d = 0; d < v->type.rank; d++)
        at = d ? mg_hlo_text(t, "(%s) * %lld + i%u", at, (long long)v->type.dims[d], d) : "i0";
    for (size_t i = (size_t)mg_hlo_count(t, &v->type); i-- > 0;)
        text = mg_hlo_text(t, "where(%s == %zu, %s(%s), %s)", at, i, type,
                           mg_hlo_size(t, v->known[i]), text);
    return text;
}

// The quotient, if both numbers are such that rounding down is rounding towards 0.
static int64_t divided(MgHlo *t, MgHloArithmetic *f, int64_t a, int64_t b) {
    return mg_hlo_at_most(t, 0, a) && mg_hlo_less(t, 0, b) ? mg_hlo_combine_sizes(t, f, a, b)
                                                           : MG_HLO_ANY;
}

static int64_t quotient(MgHlo *t, int64_t a, int64_t b) {
    return divided(t, mg_ix_div, a, b);
}

static int64_t remainder_of(MgHlo *t, int64_t a, int64_t b) {
    return divided(t, mg_ix_mod, a, b);
}

static int64_t negated(MgHlo *t, int64_t a, int64_t b) {
    (void)b;
    return mg_hlo_combine_sizes(t, mg_ix_sub, 0, a);
}

static int64_t sign_of(MgHlo *t, int64_t a, int64_t b) {
    (void)b;
    return mg_hlo_less(t, 0, a) ? 1 : mg_hlo_less(t, a, 0) ? -1 : a == 0 ? 0 : MG_HLO_ANY;
}

static const struct {
    const char *op;
    uint32_t operands;
    MgHloArithmetic *exact;
    int64_t (*other)(MgHlo *t, int64_t a, int64_t b);
} arithmetic[] = {
    {"stablehlo.add", 2, mg_ix_add, NULL},      {"stablehlo.subtract", 2, mg_ix_sub, NULL},
    {"stablehlo.multiply", 2, mg_ix_mul, NULL}, {"stablehlo.maximum", 2, mg_ix_max, NULL},
    {"stablehlo.minimum", 2, mg_ix_min, NULL},  {"stablehlo.divide", 2, NULL, quotient},
    {"stablehlo.sign", 1, NULL, sign_of},       {"stablehlo.remainder", 2, NULL, remainder_of},
    {"stablehlo.negate", 1, NULL, negated},     {"stablehlo.clamp", 3, mg_ix_max, NULL},
};

bool mg_hlo_keep_known(MgHloNode *n) {
    MgHlo *t = n->t;
    const int64_t *in[3] = {NULL};
    const MgHloType *type = &n->op->types[0];
    bool open = !type->rank;
    if (!mg_is_int(type->dtype) || !n->op->n_operands || n->op->n_operands > 3)
        return false;
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        if (!(in[k] = mg_hlo_sizes_in(t, n->inputs[k])) ||
            !mg_hlo_same_type(&n->inputs[k]->type, type))
            return false;
        open |= n->inputs[k]->known != NULL;
    }
    for (size_t i = 0; open && i < sizeof arithmetic / sizeof *arithmetic; i++) {
        if (strcmp(arithmetic[i].op, n->op->name) || arithmetic[i].operands != n->op->n_operands)
            continue;
        size_t count = (size_t)mg_hlo_count(t, type);
        int64_t *out = MG_NEW_N(t->arena, int64_t, count + 1);
        for (size_t e = 0; e < count; e++) {
            int64_t a = in[0][e], b = in[1] ? in[1][e] : 0;
            out[e] = arithmetic[i].exact ? mg_hlo_combine_sizes(t, arithmetic[i].exact, a, b)
                                         : arithmetic[i].other(t, a, b);
            if (in[2]) // a clamp
                out[e] = mg_hlo_combine_sizes(t, mg_ix_min, out[e], in[2][e]);
            if (!holds(t, type->dtype, out[e]))
                return false;
        }
        n->outputs[0] = mg_hlo_known(t, *type, n->op, out);
        return true;
    }
    return false;
}

const char *mg_hlo_decide(MgHlo *t, const MgHloValue *a, const char *sign, const MgHloValue *b) {
    const int64_t *x = a->type.rank ? NULL : mg_hlo_sizes_in(t, a), *y = mg_hlo_sizes_in(t, b);
    if (!x || !y || b->type.rank)
        return NULL;
    bool less = mg_hlo_less(t, *x, *y), more = mg_hlo_less(t, *y, *x), same = *x == *y;
    switch (sign[0]) {
    case '=':
        return same ? "true" : less || more ? "false" : NULL;
    case '!':
        return same ? "false" : less || more ? "true" : NULL;
    case '<':
        if (sign[1])
            return mg_hlo_at_most(t, *x, *y) ? "true" : more ? "false" : NULL;
        return less ? "true" : mg_hlo_at_most(t, *y, *x) ? "false" : NULL;
    default:
        if (sign[1])
            return mg_hlo_at_most(t, *y, *x) ? "true" : less ? "false" : NULL;
        return more ? "true" : mg_hlo_at_most(t, *x, *y) ? "false" : NULL;
    }
}

// ---------------------------------------------------------------- sizes of results
typedef bool Rule(MgHloNode *n, uint32_t k, int64_t *dims);

static bool of_operand(MgHloNode *n, uint32_t k, int64_t *dims) {
    uint32_t rank = n->op->types[k].rank, at = n->op->n_results > 1 ? k : 0;
    while (n->op->n_results == 1 && at < n->op->n_operands && n->inputs[at]->type.rank != rank)
        at++; // the first one that is no number
    if (at >= n->op->n_operands || n->inputs[at]->type.rank != rank)
        return false;
    memcpy(dims, n->inputs[at]->type.dims, rank * sizeof *dims);
    return true;
}

// The last operand that holds the shape. A dynamic_gather's has the sizes of slices.
static bool of_shape(MgHloNode *n, uint32_t k, int64_t *dims) {
    const MgHloValue *v = n->inputs[n->op->n_operands - 1];
    const int64_t *sizes = mg_hlo_sizes_in(n->t, v);
    uint32_t rank = n->op->types[k].rank;
    if (!sizes || v->type.rank != 1 || v->type.dims[0] != rank)
        return false;
    memcpy(dims, sizes, rank * sizeof *dims);
    return true;
}

static bool of_transpose(MgHloNode *n, uint32_t k, int64_t *dims) {
    MgHloInts order =
        mg_hlo_ints(n, mg_hlo_find(n->op->attributes, "dims").length ? "dims" : "permutation");
    if (order.n != n->op->types[k].rank || order.n != n->inputs[0]->type.rank)
        return false;
    for (uint32_t i = 0; i < order.n; i++) {
        if (order.at[i] < 0 || order.at[i] >= order.n)
            return false;
        dims[i] = n->inputs[0]->type.dims[order.at[i]];
    }
    return true;
}

static bool of_concatenate(MgHloNode *n, uint32_t k, int64_t *dims) {
    int64_t axis = mg_hlo_int(n, "dim", mg_hlo_int(n, "dimension", 0));
    uint32_t rank = n->op->types[k].rank;
    for (uint32_t i = 0; i < n->op->n_operands; i++) {
        const MgHloType *type = &n->inputs[i]->type;
        if (type->rank != rank || axis < 0 || axis >= rank)
            return false;
        if (!i)
            memcpy(dims, type->dims, rank * sizeof *dims);
        else
            dims[axis] = mg_hlo_combine_sizes(n->t, mg_ix_add, dims[axis], type->dims[axis]);
    }
    return true;
}

static bool of_pad(MgHloNode *n, uint32_t k, int64_t *dims) {
    const MgHloType *type = &n->inputs[0]->type;
    MgHloWidths w;
    if (type->rank != n->op->types[k].rank || !mg_hlo_widths(n, &w))
        return false;
    for (uint32_t i = 0; i < type->rank; i++) {
        MgIxTable *x = n->t->sizes;
        MgIx size = mg_hlo_formula(n->t, type->dims[i]), one = mg_ix_const(x, 1);
        MgIx gaps = mg_ix_mul(x, mg_ix_max(x, mg_ix_sub(x, size, one), mg_ix_const(x, 0)),
                              mg_ix_const(x, w.gaps[i]));
        MgIx ends = mg_ix_add(x, mg_hlo_formula(n->t, w.low[i]), mg_hlo_formula(n->t, w.high[i]));
        dims[i] = mg_hlo_size_of(n->t, mg_ix_add(x, mg_ix_add(x, size, gaps), ends));
    }
    return true;
}

// The remaining axes of an operand, in order.
static uint32_t remaining(const MgHloType *type, const int64_t *gone, uint32_t n, int64_t *dims,
                          uint32_t at, uint32_t rank) {
    for (uint32_t d = 0; d < type->rank; d++) {
        bool stays = true;
        for (uint32_t i = 0; i < n; i++)
            stays &= gone[i] != d;
        if (stays && at < rank)
            dims[at] = type->dims[d];
        at += stays;
    }
    return at;
}

static bool of_reduce(MgHloNode *n, uint32_t k, int64_t *dims) {
    MgHloInts gone = mg_hlo_ints(n, "dimensions");
    uint32_t rank = n->op->types[k].rank;
    return remaining(&n->inputs[0]->type, gone.at, gone.n, dims, 0, rank) == rank;
}

static bool of_dot(MgHloNode *n, uint32_t k, int64_t *dims) {
    MgHloDims batch, contracted;
    uint32_t rank = n->op->types[k].rank, at = 0;
    int64_t gone[2][2 * MG_HLO_MAX_RANK];
    if (n->op->n_operands != 2 || !mg_hlo_product_dims(n, &batch, &contracted) ||
        batch.n > MG_HLO_MAX_RANK || contracted.n > MG_HLO_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < batch.n; i++) {
        gone[0][i] = batch.left[i];
        gone[1][i] = batch.right[i];
        if (at < rank)
            dims[at++] = n->inputs[0]->type.dims[batch.left[i]];
    }
    for (uint32_t i = 0; i < contracted.n; i++) {
        gone[0][batch.n + i] = contracted.left[i];
        gone[1][batch.n + i] = contracted.right[i];
    }
    for (uint32_t i = 0; i < 2; i++)
        at = remaining(&n->inputs[i]->type, gone[i], batch.n + contracted.n, dims, at, rank);
    return at == rank;
}

static bool of_top_k(MgHloNode *n, uint32_t k, int64_t *dims) {
    const MgHloType *type = &n->inputs[0]->type;
    if (!type->rank || type->rank != n->op->types[k].rank)
        return false;
    memcpy(dims, type->dims, type->rank * sizeof *dims);
    dims[type->rank - 1] = mg_hlo_int(n, "k", 0);
    return true;
}

static const struct {
    const char *op;
    Rule *rule;
} rules[] = {
    {"stablehlo.dynamic_broadcast_in_dim", of_shape},
    {"stablehlo.dynamic_reshape", of_shape},
    {"stablehlo.dynamic_iota", of_shape},
    {"stablehlo.dynamic_pad", of_pad},
    {"stablehlo.pad", of_pad},
    {"stablehlo.real_dynamic_slice", mg_hlo_sizes_of_slice},
    {"stablehlo.transpose", of_transpose},
    {"stablehlo.concatenate", of_concatenate},
    {"stablehlo.reduce", of_reduce},
    {"stablehlo.dot_general", of_dot},
    {"stablehlo.gather", mg_hlo_sizes_of_gather},
    {"stablehlo.dynamic_gather", mg_hlo_sizes_of_gather},
    {"stablehlo.convolution", mg_hlo_sizes_of_convolution},
    {"stablehlo.reduce_window", mg_hlo_sizes_of_windows},
    {"stablehlo.custom_call", mg_hlo_sizes_of_windows}, // dynamic_reduce_window
    {"chlo.top_k", of_top_k},
};

static Rule *rule_of(const char *name) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!strcmp(rules[i].op, name))
            return rules[i].rule;
    return of_operand;
}

bool mg_hlo_has_any(const MgHloType *type) {
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] == MG_HLO_ANY)
            return true;
    return false;
}

// Known sizes of the declared type stay. The type is bounded as those of the program are, so that
// the elements of any of its axes can be counted.
static bool fill(MgHloNode *n, MgHloType *type, const int64_t *dims) {
    int64_t *all = mg_arena_copy(n->t->arena, dims, type->rank, sizeof *dims), count = 1;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] != MG_HLO_ANY)
            all[i] = type->dims[i];
        else if (all[i] == MG_HLO_ANY || (all[i] < 0 && !mg_hlo_is_open(all[i])))
            return false;
        if (all[i] > 0 && count > MG_COUNT_MAX / all[i])
            return false;
        count *= all[i] > 0 ? all[i] : 1;
    }
    type->dims = all;
    return true;
}

bool mg_hlo_resolve(MgHloNode *n) {
    static const char *const later[] = {"stablehlo.while", "stablehlo.if", "stablehlo.case"};
    bool any = false;
    for (uint32_t k = 0; k < n->op->n_results; k++)
        any |= mg_hlo_has_any(&n->op->types[k]);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) // the blocks tell
        any &= strcmp(n->op->name, later[i]) != 0;
    if (!any)
        return true;
    MgHloOp *op = MG_NEW(n->t->arena, MgHloOp);
    *op = *n->op;
    op->types = mg_arena_copy(n->t->arena, op->types, op->n_results, sizeof *op->types);
    n->op = op;
    for (uint32_t k = 0; k < op->n_results; k++) {
        int64_t dims[MG_HLO_MAX_RANK] = {0};
        if (mg_hlo_has_any(&op->types[k]) &&
            (!op->n_operands || !rule_of(op->name)(n, k, dims) || !fill(n, &op->types[k], dims)))
            return n->t->failed ? false
                                : mg_hlo_unsupported(n->t, op->at,
                                                     "%s, whose result's sizes don't follow from "
                                                     "those of the arguments",
                                                     op->name);
    }
    return true;
}

// ---------------------------------------------------------------- the graph's arguments
// What the operations of a block say about values, by name (MgSym).
typedef struct Facts {
    MgMap makers;   // -> MgHloOp *: it defines the value
    MgMap args;     // -> 1 + the number of the argument that it is
    MgMap asserted; // it is true, as JAX asserts for sizes that have one name
    MgMap names;    // -> const char *: the name of the size that it is
} Facts;

// JAX passes each size to the function that it wraps, as an argument with the size's name.
static const char *const *sizes_of(MgHlo *t, MgHloFunction *f) {
    uint32_t n = f->body->n_args;
    if (f->sizes)
        return f->sizes;
    f->sizes = MG_NEW_N(t->arena, const char *, n + 1);
    for (uint32_t k = 0; k < n && f->body->attributes; k++) {
        MgHloText text = mg_hlo_find(f->body->attributes[k], "jax.global_constant");
        if (text.length > 2 && text.at[0] == '"')
            f->sizes[k] = mg_hlo_text(t, "%.*s", (int)text.length - 2, text.at + 1);
    }
    return f->sizes;
}

static void put_first(MgHlo *t, MgMap *map, const char *name, const void *value) {
    MgSym s = mg_sym(t->names, name);
    if (!mg_map_find(map, s))
        mg_map_put(map, s, (uint64_t)(uintptr_t)value);
}

static void *get(MgHlo *t, const MgMap *map, const char *name) {
    return (void *)(uintptr_t)mg_map_get(map, mg_sym(t->names, name), 0);
}

static void note_op(MgHlo *t, Facts *facts, const MgHloOp *op) {
    if (op->result)
        put_first(t, &facts->makers, op->result, op);
    if (op->symbol && !strcmp(op->symbol, "@shape_assertion") && op->n_operands)
        put_first(t, &facts->asserted, op->operands[0], op);
    MgHloFunction *f = mg_hlo_function(t, op->symbol);
    for (uint32_t k = 0; f && k < op->n_operands && k < f->body->n_args; k++)
        if (sizes_of(t, f)[k])
            put_first(t, &facts->names, op->operands[k], f->sizes[k]);
}

static void gather(MgHlo *t, Facts *facts, const MgHloBlock *block) {
    MgMap *maps[] = {&facts->makers, &facts->args, &facts->asserted, &facts->names};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        mg_map_init(maps[i], t->arena);
    for (uint32_t k = 0; k < block->n_args; k++)
        put_first(t, &facts->args, block->args[k], (void *)(uintptr_t)(k + 1));
    for (uint32_t i = 0; i < block->ops.len; i++)
        note_op(t, facts, block->ops.at[i]);
}

// The argument and axis whose size an operation gives. False if it gives none.
static bool size_of_argument(MgHlo *t, const Facts *facts, const MgHloBlock *block,
                             const MgHloOp *op, uint32_t *arg, uint32_t *axis) {
    if (!op || strcmp(op->name, "stablehlo.get_dimension_size") || op->n_operands != 1)
        return false;
    MgHloText text = mg_hlo_find(op->attributes, "dim");
    text = text.length ? text : mg_hlo_find(op->attributes, "dimension");
    *axis = text.length ? (uint32_t)strtoul(text.at, NULL, 10) : 0;
    *arg = (uint32_t)(uintptr_t)get(t, &facts->args, op->operands[0]) - 1;
    return *arg < block->n_args && *axis < block->types[*arg].rank;
}

// Do the operands of an operation give sizes of arguments that the program asserts to be equal?
static bool are_equal(MgHlo *t, const Facts *facts, const MgHloBlock *block, const MgHloOp *op,
                      uint32_t *args, uint32_t *axes) {
    MgHloToken word = mg_hlo_token(t->text, op->attributes.at);
    if (strcmp(op->name, "stablehlo.compare") || !mg_hlo_is(&word, "EQ") || op->n_operands != 2 ||
        !op->result || !get(t, &facts->asserted, op->result))
        return false;
    for (uint32_t k = 0; k < 2; k++)
        if (!size_of_argument(t, facts, block, get(t, &facts->makers, op->operands[k]), &args[k],
                              &axes[k]))
            return false;
    return true;
}

int64_t mg_hlo_new_size(MgHlo *t, const char *name, int64_t low, int64_t high) {
    MgIxSym s = mg_ix_dim(t->sizes, mg_sym(t->names, name), low, high);
    return mg_hlo_size_of(t, mg_ix_sym(t->sizes, s));
}

static int64_t new_size(MgHlo *t, const char *name) {
    return mg_hlo_new_size(t, mg_hlo_fresh(t, name ? name : "size"), 0, INT32_MAX);
}

void mg_hlo_open_arguments(MgHlo *t, const MgHloBlock *block, MgHloType *types) {
    for (uint32_t k = 0; k < block->n_args; k++)
        types[k] =
            mg_hlo_tensor(t, block->types[k].dtype, block->types[k].rank, block->types[k].dims);
    bool any = false;
    for (uint32_t k = 0; k < block->n_args; k++)
        any |= mg_hlo_has_any(&types[k]);
    if (!any)
        return;
    Facts facts;
    uint32_t args[2], axes[2];
    gather(t, &facts, block);
    for (uint32_t i = 0; i < block->ops.len; i++) { // sizes with names
        const MgHloOp *op = block->ops.at[i];
        const char *name = op->result ? get(t, &facts.names, op->result) : NULL;
        if (!name || !size_of_argument(t, &facts, block, op, args, axes))
            continue;
        int64_t *dims = (int64_t *)types[*args].dims;
        if (dims[*axes] == MG_HLO_ANY)
            dims[*axes] = new_size(t, name);
    }
    for (uint32_t i = 0; i < block->ops.len; i++) { // equal sizes
        if (!are_equal(t, &facts, block, block->ops.at[i], args, axes))
            continue;
        int64_t *left = (int64_t *)&types[args[0]].dims[axes[0]],
                *right = (int64_t *)&types[args[1]].dims[axes[1]];
        if (*left == MG_HLO_ANY)
            *left = *right == MG_HLO_ANY ? new_size(t, NULL) : *right;
        if (*right == MG_HLO_ANY)
            *right = *left;
    }
    for (uint32_t k = 0; k < block->n_args; k++)
        for (uint32_t d = 0; d < types[k].rank; d++)
            if (types[k].dims[d] == MG_HLO_ANY)
                ((int64_t *)types[k].dims)[d] = new_size(t, NULL);
}
