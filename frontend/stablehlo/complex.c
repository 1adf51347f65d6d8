// Replaces complex numbers by pairs of real ones before the program is translated: each value %z of
// them becomes two, %z.re and %z.im. An operation that moves elements or adds becomes two of its
// kind, one for each part. What calls, loops and returns gets both parts as operands. Arithmetic
// has rows for the parts of its result, over the parts of all operands (HLO_COMPLEX of ops.def).
// Complex arguments and results of the graph have one more axis, which holds both parts.
#include "frontend/stablehlo/internal.h"

#include <string.h>

typedef enum Rule {
    BY_ROWS, // arithmetic, with rows of its own
    APART,   // each part by itself
    SPREAD,  // both parts are operands, and results
    PRODUCT, // linear in both operands
    RENAME,  // real, imag and complex give what is there
} Rule;

static const struct {
    const char *op;
    Rule rule;
} rules[] = {
    {"call", SPREAD},
    {"func.call", SPREAD},
    {"stablehlo.composite", SPREAD},
    {"stablehlo.case", SPREAD},
    {"stablehlo.if", SPREAD},
    {"stablehlo.while", SPREAD},
    {"stablehlo.optimization_barrier", SPREAD},
    {"stablehlo.fft", SPREAD},
    {"stablehlo.sort", SPREAD},
    {"stablehlo.add", APART},
    {"stablehlo.broadcast_in_dim", APART},
    {"stablehlo.concatenate", APART},
    {"stablehlo.constant", APART},
    {"stablehlo.dynamic_slice", APART},
    {"stablehlo.dynamic_update_slice", APART},
    {"stablehlo.gather", APART},
    {"stablehlo.negate", APART},
    {"stablehlo.pad", APART},
    {"stablehlo.reduce", APART},
    {"stablehlo.reduce_window", APART},
    {"stablehlo.reshape", APART},
    {"stablehlo.reverse", APART},
    {"stablehlo.scatter", APART},
    {"stablehlo.select", APART},
    {"stablehlo.slice", APART},
    {"stablehlo.subtract", APART},
    {"stablehlo.transpose", APART},
    {"stablehlo.convolution", PRODUCT},
    {"stablehlo.dot", PRODUCT},
    {"stablehlo.dot_general", PRODUCT},
    {"stablehlo.complex", RENAME},
    {"stablehlo.imag", RENAME},
    {"stablehlo.real", RENAME},
};

static bool is_return(const MgHloOp *op) {
    return !op->n_results && strlen(op->name) >= 6 &&
           !strcmp(op->name + strlen(op->name) - 6, "return");
}

static Rule rule_of(const MgHloOp *op) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!strcmp(rules[i].op, op->name))
            return rules[i].rule;
    return is_return(op) ? SPREAD : BY_ROWS;
}

typedef struct Scope Scope;
struct Scope {
    Scope *outer;
    MgMap pairs; // MgSym -> 1: the value is a pair
};
typedef MG_VEC(MgHloOp *) Ops;
typedef MG_VEC(const char *) Names;
typedef MG_VEC(MgHloType) Types;

typedef struct Walk {
    MgHlo *t;
    Scope *scope;
    Ops *out;
} Walk;

static const char *const suffixes[] = {".re", ".im"};

// %5#0 is %5 if there is one result.
static const char *plain_name(MgHlo *t, const char *name) {
    size_t n = strlen(name);
    return n > 2 && !strcmp(name + n - 2, "#0") ? mg_hlo_text(t, "%.*s", (int)(n - 2), name) : name;
}

static bool is_pair(Walk *w, const char *name) {
    MgSym whole = mg_sym(w->t->names, plain_name(w->t, name));
    for (Scope *s = w->scope; s; s = s->outer)
        if (mg_map_get(&s->pairs, whole, 0))
            return true;
    return false;
}

static const char *part(Walk *w, const char *name, int k) {
    return mg_hlo_text(w->t, "%s%s", plain_name(w->t, name), suffixes[k]);
}

static MgHloType real_type(MgHloType type) {
    type.complex = false;
    return type;
}

static const char *result_name(MgHlo *t, const MgHloOp *op, uint32_t k) {
    return !op->result          ? "%unused"
           : op->results        ? op->results[k]
           : op->n_results == 1 ? op->result
                                : mg_hlo_text(t, "%s#%u", op->result, k);
}

static void define_pairs(Walk *w, const MgHloOp *op) {
    for (uint32_t k = 0; k < op->n_results; k++)
        if (op->types[k].complex)
            mg_map_put(&w->scope->pairs,
                       mg_sym(w->t->names, plain_name(w->t, result_name(w->t, op, k))), 1);
}

// Adds an operation like another one, with these operands and one result.
static MgHloOp *add_op(Walk *w, const MgHloOp *like, const char *name, const char *const *operands,
                       uint32_t n_operands, const char *result, MgHloType type) {
    MgArena *arena = w->t->arena;
    MgHloOp *op = mg_arena_copy(arena, like, 1, sizeof *like);
    op->name = name;
    op->operands = n_operands ? mg_arena_copy(arena, operands, n_operands, sizeof *operands) : NULL;
    op->n_operands = n_operands;
    op->result = result;
    op->results = NULL;
    op->n_results = op->n_named = 1;
    op->types = mg_arena_copy(arena, &type, 1, sizeof type);
    mg_push(arena, w->out, op);
    return op;
}

// ---------------------------------------------------------------- each part by itself
static bool is_apart(const MgHloBlock *block) { // does a region treat both parts alike?
    for (uint32_t i = 0; i < block->ops.len; i++)
        if (!is_return(block->ops.at[i]) &&
            (rule_of(block->ops.at[i]) != APART || block->ops.at[i]->n_regions))
            return false;
    return true;
}

static MgHloBlock *real_block(MgHlo *t, const MgHloBlock *block) {
    MgHloBlock *copy = mg_arena_copy(t->arena, block, 1, sizeof *block);
    copy->types = MG_NEW_N(t->arena, MgHloType, block->n_args + 1);
    for (uint32_t k = 0; k < block->n_args; k++)
        copy->types[k] = real_type(block->types[k]);
    memset(&copy->ops, 0, sizeof copy->ops);
    for (uint32_t i = 0; i < block->ops.len; i++) {
        MgHloOp *op = mg_arena_copy(t->arena, block->ops.at[i], 1, sizeof *op);
        MgHloType *types = MG_NEW_N(t->arena, MgHloType, op->n_results + 1);
        for (uint32_t k = 0; k < op->n_results; k++)
            types[k] = real_type(op->types[k]);
        op->types = types;
        mg_push(t->arena, &copy->ops, op);
    }
    return copy;
}

static bool apart(Walk *w, const MgHloOp *op) {
    MgHlo *t = w->t;
    for (int k = 0; k < 2; k++) {
        const char **operands = MG_NEW_N(t->arena, const char *, op->n_operands + 1);
        for (uint32_t i = 0; i < op->n_operands; i++)
            operands[i] =
                is_pair(w, op->operands[i]) ? part(w, op->operands[i], k) : op->operands[i];
        MgHloOp *made = add_op(w, op, op->name, operands, op->n_operands,
                               part(w, result_name(t, op, 0), k), real_type(op->types[0]));
        made->part = (uint32_t)k + 1;
        made->regions = MG_NEW_N(t->arena, MgHloBlock *, op->n_regions + 1);
        for (uint32_t i = 0; i < op->n_regions; i++)
            made->regions[i] = real_block(t, op->regions[i]);
    }
    return true;
}

// ---------------------------------------------------------------- both parts
static bool expand_block(Walk *w, MgHloBlock *block, uint32_t together);

// Names the parts of values. Of `together` values in a row, the real parts come first.
static void spread_names(Walk *w, const char *const *names, uint32_t n, uint32_t together,
                         Names *out) {
    for (uint32_t i = 0; i < n; i += together) {
        bool pair = is_pair(w, names[i]);
        for (int k = 0; k <= pair; k++)
            for (uint32_t j = i; j < n && j < i + together; j++)
                mg_push(w->t->arena, out, pair ? part(w, names[j], k) : names[j]);
    }
}

static bool spread(Walk *w, const MgHloOp *op) {
    MgHlo *t = w->t;
    MgHloOp *made = mg_arena_copy(t->arena, op, 1, sizeof *op);
    Names operands = {0}, results = {0};
    Types types = {0};
    bool alternate = !strcmp(op->name, "stablehlo.reduce") && // %x init: %c, %y init: %d
                     memmem(op->attributes.at, op->attributes.length, "init:", 5);
    uint32_t together = strcmp(op->name, "stablehlo.sort") ? 1 : 2; // of its region's arguments
    spread_names(w, op->operands, op->n_operands, alternate ? 2 : 1, &operands);
    for (uint32_t k = 0; k < op->n_results; k++)
        for (int i = 0; i <= op->types[k].complex; i++) {
            const char *name = result_name(t, op, k);
            mg_push(t->arena, &results, op->types[k].complex ? part(w, name, i) : name);
            mg_push(t->arena, &types, real_type(op->types[k]));
        }
    made->operands = operands.at;
    made->n_operands = operands.len;
    made->n_results = made->n_named = results.len;
    made->result = results.len && op->result ? results.at[0] : NULL;
    made->results = results.len > 1 && op->result ? results.at : NULL;
    made->types = types.at;
    for (uint32_t i = 0; i < op->n_regions; i++)
        if (!expand_block(w, op->regions[i], together))
            return false;
    mg_push(t->arena, w->out, made);
    return true;
}

static bool product(Walk *w, const MgHloOp *op) {
    MgHlo *t = w->t;
    const char *name = result_name(t, op, 0), *terms[4];
    MgHloType type = real_type(op->types[0]);
    if (op->n_operands != 2)
        return mg_hlo_fail(t, op->at, "a product has two operands");
    for (int k = 0; k < 4; k++) {
        const char *operands[] = {part(w, op->operands[0], k / 2), part(w, op->operands[1], k % 2)};
        terms[k] = mg_hlo_text(t, "%s.%d", name, k);
        add_op(w, op, op->name, operands, 2, terms[k], type);
    }
    const char *re[] = {terms[0], terms[3]}, *im[] = {terms[1], terms[2]};
    add_op(w, op, "stablehlo.subtract", re, 2, part(w, name, 0), type);
    add_op(w, op, "stablehlo.add", im, 2, part(w, name, 1), type);
    return true;
}

static bool rename_parts(Walk *w, const MgHloOp *op) {
    static const char same[] = "stablehlo.optimization_barrier";
    const char *name = result_name(w->t, op, 0);
    MgHloType type = real_type(op->types[0]);
    bool joins = op->types[0].complex;
    if (op->n_operands != (joins ? 2 : 1) || (!joins && !is_pair(w, op->operands[0])))
        return mg_hlo_unsupported(w->t, op->at, "%s of such operands", op->name);
    int at = !strcmp(op->name, "stablehlo.imag");
    for (int k = 0; k <= joins; k++) {
        const char *operand = joins ? op->operands[k] : part(w, op->operands[0], at);
        add_op(w, op, same, &operand, 1, joins ? part(w, name, k) : name, type);
    }
    return true;
}

// ---------------------------------------------------------------- arithmetic
// What makes complex numbers of real ones, or of nothing, gives real parts.
static bool convert(Walk *w, const MgHloOp *op) {
    MgHloType type = real_type(op->types[0]);
    const char *name = result_name(w->t, op, 0), *operand = op->n_operands ? op->operands[0] : "";
    bool pair = is_pair(w, operand);
    for (int k = 0; k < 2; k++) {
        const char *from = pair ? part(w, operand, k) : operand;
        const char *to = op->types[0].complex ? part(w, name, k) : name;
        if (k == 0 || pair)
            add_op(w, op, op->name, &from, op->n_operands, to, type);
        else
            add_op(w, op, "stablehlo.constant", NULL, 0, to, type)->attributes =
                (MgHloText){"dense<0.0> ", 11};
        if (!op->types[0].complex)
            break; // the imaginary part is dropped
    }
    return true;
}

static bool by_rows(Walk *w, const MgHloOp *op) {
    MgHlo *t = w->t;
    const char *name = op->name;
    if (!strcmp(name, "stablehlo.convert") || !strcmp(name, "stablehlo.iota") ||
        !strcmp(name, "stablehlo.dynamic_iota"))
        return convert(w, op);
    if (!strcmp(name, "stablehlo.compare")) {
        const char *sign = mg_hlo_direction(op);
        name = mg_hlo_text(t, "%s %s", name, sign ? sign : "");
    }
    Names operands = {0};
    spread_names(w, op->operands, op->n_operands, 1, &operands);
    bool known = op->n_results == 1 && !op->n_regions && operands.len == 2 * op->n_operands;
    for (int k = 0; known && k <= op->types[0].complex; k++) {
        const char *row = mg_hlo_text(t, "%s%s", name, suffixes[k]);
        known = mg_hlo_row(row) != NULL;
        const char *result = result_name(t, op, 0);
        if (known)
            add_op(w, op, row, operands.at, operands.len,
                   op->types[0].complex ? part(w, result, k) : result, real_type(op->types[0]));
    }
    return known || mg_hlo_unsupported(t, op->at, "%s of complex numbers", op->name);
}

static bool expand_op(Walk *w, MgHloOp *op) {
    bool pairs = false, regions = true;
    for (uint32_t i = 0; i < op->n_operands; i++)
        pairs |= is_pair(w, op->operands[i]);
    for (uint32_t k = 0; k < op->n_results; k++)
        pairs |= op->types[k].complex;
    Rule rule = rule_of(op);
    for (uint32_t i = 0; i < op->n_regions; i++)
        regions &= is_apart(op->regions[i]);
    define_pairs(w, op);
    if (!pairs || rule == SPREAD || (rule == APART && !regions))
        return spread(w, op);
    if (op->n_results != 1)
        return rule == APART && op->n_regions
                   ? spread(w, op)
                   : mg_hlo_unsupported(w->t, op->at, "%s of complex numbers", op->name);
    return rule == APART     ? apart(w, op)
           : rule == PRODUCT ? product(w, op)
           : rule == RENAME  ? rename_parts(w, op)
                             : by_rows(w, op);
}

static bool expand_block(Walk *w, MgHloBlock *block, uint32_t together) {
    MgHlo *t = w->t;
    Scope scope = {.outer = w->scope};
    Ops out = {0};
    Walk inner = {t, &scope, &out};
    Types types = {0};
    Names args = {0};
    MG_VEC(MgHloText) attributes = {0};
    mg_map_init(&scope.pairs, t->arena);
    for (uint32_t k = 0; k < block->n_args; k++)
        if (block->types[k].complex)
            mg_map_put(&scope.pairs, mg_sym(t->names, block->args[k]), 1);
    for (uint32_t k = 0; k < block->n_args; k++)
        for (int i = 0; i <= block->types[k].complex; i++) {
            mg_push(t->arena, &types, real_type(block->types[k]));
            if (block->attributes)
                mg_push(t->arena, &attributes, block->attributes[k]);
        }
    spread_names(&inner, block->args, block->n_args, together, &args);
    for (uint32_t i = 0; i < block->ops.len; i++)
        if (!expand_op(&inner, block->ops.at[i]))
            return false;
    block->n_args = args.len;
    block->args = args.at;
    block->types = types.at;
    block->attributes = block->attributes ? attributes.at : NULL;
    memcpy(&block->ops, &out, sizeof out);
    return true;
}

// ---------------------------------------------------------------- functions
static MgHloType with_parts(MgHlo *t, const MgHloType *type) {
    int64_t *dims = MG_NEW_N(t->arena, int64_t, type->rank + 1);
    for (uint32_t i = 0; i < type->rank; i++)
        dims[i] = type->dims[i];
    dims[type->rank] = 2;
    return (MgHloType){type->dtype, type->rank + 1, dims, false};
}

// Makes the graph's function, which calls `f`: its arguments and results have both parts in one
// value. NULL after an error.
static MgHloFunction *interface(MgHlo *t, const MgHloFunction *f) {
    MgHloFunction *g = mg_arena_copy(t->arena, f, 1, sizeof *f);
    MgHloBlock *block = MG_NEW(t->arena, MgHloBlock);
    Ops out = {0};
    Walk w = {t, NULL, &out};
    Names results = {0};
    MgHloOp like = {.at = f->at, .attributes = {f->at, 0}};
    *block = *f->body;
    block->types = MG_NEW_N(t->arena, MgHloType, block->n_args + 1);
    g->results = MG_NEW_N(t->arena, MgHloType, f->n_results + 1);
    memset(&block->ops, 0, sizeof block->ops);
    MgHloOp *call = mg_arena_copy(t->arena, &like, 1, sizeof like);
    Names operands = {0};
    for (uint32_t k = 0; k < block->n_args; k++) {
        const MgHloType *type = &f->body->types[k];
        block->types[k] = type->complex ? with_parts(t, type) : *type;
        if (type->rank == MG_HLO_MAX_RANK && type->complex)
            return mg_hlo_unsupported(t, f->at, "more than %d dimensions", MG_HLO_MAX_RANK), NULL;
        for (int i = 0; i <= type->complex; i++) {
            const char *name = type->complex ? part(&w, block->args[k], i) : block->args[k];
            if (type->complex)
                add_op(&w, &like, "mg.part", &block->args[k], 1, name, real_type(*type))->part =
                    (uint32_t)i + 1;
            mg_push(t->arena, &operands, name);
        }
    }
    Types types = {0};
    for (uint32_t k = 0; k < f->n_results; k++)
        for (int i = 0; i <= f->results[k].complex; i++) {
            mg_push(t->arena, &results, mg_hlo_text(t, "%%result%u%s", k, suffixes[i]));
            mg_push(t->arena, &types, real_type(f->results[k]));
        }
    *call = (MgHloOp){.name = "call",
                      .at = f->at,
                      .attributes = {f->at, 0},
                      .symbol = f->name,
                      .operands = operands.at,
                      .n_operands = operands.len,
                      .result = results.len ? results.at[0] : NULL,
                      .results = results.len > 1 ? results.at : NULL,
                      .n_named = results.len,
                      .n_results = results.len,
                      .types = types.at};
    mg_push(t->arena, &out, call);
    Names last = {0};
    for (uint32_t k = 0, at = 0; k < f->n_results; at += 1 + f->results[k++].complex) {
        const MgHloType *type = &f->results[k];
        g->results[k] = type->complex ? with_parts(t, type) : *type;
        const char *name = mg_hlo_text(t, "%%whole%u", k);
        if (type->complex)
            add_op(&w, &like, "mg.pair", results.at + at, 2, name, g->results[k]);
        mg_push(t->arena, &last, type->complex ? name : results.at[at]);
    }
    MgHloOp *end = mg_arena_copy(t->arena, &like, 1, sizeof like);
    end->name = "return";
    end->operands = last.at;
    end->n_operands = last.len;
    mg_push(t->arena, &out, end);
    memcpy(&block->ops, &out, sizeof out);
    g->body = block;
    return g;
}

const MgHloFunction *mg_hlo_expand_complex(MgHlo *t, const MgHloFunction *entry) {
    MgHloFunction *made = interface(t, entry);
    for (uint32_t i = 0; made && i < t->functions.len; i++) {
        MgHloFunction *f = t->functions.at[i];
        Walk w = {t, NULL, NULL};
        Types results = {0};
        if (!expand_block(&w, f->body, 1))
            return NULL;
        for (uint32_t k = 0; k < f->n_results; k++)
            for (int part = 0; part <= f->results[k].complex; part++)
                mg_push(t->arena, &results, real_type(f->results[k]));
        f->results = results.at;
        f->n_results = results.len;
    }
    return made;
}
