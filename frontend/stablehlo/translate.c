// Walks the program and writes a graph: arguments, operations by their rows, and calls expanded in
// place.
#include "frontend/stablehlo/internal.h"

#include "frontend/fmt.h"
#include "frontend/parse.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- values
static void define(MgHlo *t, MgHloFrame *frame, const char *name, MgHloValue *v) {
    mg_map_put(&frame->values, mg_sym(t->names, name), (uint64_t)(uintptr_t)v);
}

MgHloValue *mg_hlo_look_up(MgHlo *t, MgHloFrame *frame, const char *name) {
    size_t n = strlen(name);
    if (n > 2 && !strcmp(name + n - 2, "#0")) // %5#0 is %5 if there is one result
        for (MgHloFrame *f = frame; f; f = f->outer) {
            uint64_t v = mg_map_get(&f->values, mg_sym_n(t->names, name, n - 2), 0);
            if (v)
                return (MgHloValue *)(uintptr_t)v;
        }
    for (MgHloFrame *f = frame; f; f = f->outer) {
        uint64_t v = mg_map_get(&f->values, mg_sym(t->names, name), 0);
        if (v)
            return (MgHloValue *)(uintptr_t)v;
    }
    return NULL;
}

static MgHloValue *find(MgHlo *t, MgHloFrame *frame, const char *name, const char *at) {
    MgHloValue *v = mg_hlo_look_up(t, frame, name);
    if (!v)
        mg_hlo_fail(t, at, "there is no value %s", name);
    return v;
}

static void define_results(MgHlo *t, MgHloFrame *frame, const MgHloOp *op, MgHloValue **values) {
    for (uint32_t k = 0; k < op->n_results && op->result; k++) {
        if (op->results)
            define(t, frame, op->results[k], values[k]);
        else if (op->n_results == 1)
            define(t, frame, op->result, values[k]);
        else
            define(t, frame, mg_hlo_text(t, "%s#%u", op->result, k), values[k]);
    }
}

// Does a value have this type? A number of a region has it for each element.
static bool has_type(const MgHloValue *v, const MgHloType *type) {
    return mg_hlo_same_type(&v->type, type) ||
           (v->lifted && !type->rank && type->dtype == v->type.dtype);
}

// ---------------------------------------------------------------- operations
static bool call(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloFunction *f = mg_hlo_function(t, n->op->symbol);
    if (!f)
        return mg_hlo_fail(t, n->op->at, "there is no function %s",
                           n->op->symbol ? n->op->symbol : "to call");
    if (f->body->n_args != n->op->n_operands || f->n_results != n->op->n_results)
        return mg_hlo_fail(t, n->op->at, "%s has other arguments or results", f->name);
    for (uint32_t k = 0; k < n->op->n_operands; k++)
        if (!has_type(n->inputs[k], &f->body->types[k]))
            return mg_hlo_fail(t, n->op->at, "argument %u of %s has another type", k, f->name);
    return mg_hlo_block(t, NULL, f->body, n->inputs, n->outputs, n->op->n_results, n->op->at);
}

static bool translate_op(MgHlo *t, MgHloFrame *frame, const MgHloOp *op) {
    MgHloNode n = {t, frame, op, MG_NEW_N(t->arena, MgHloValue *, op->n_operands + 1),
                   MG_NEW_N(t->arena, MgHloValue *, op->n_results + 1)};
    if (++t->n_ops > MG_HLO_MAX_OPS)
        return mg_hlo_unsupported(t, op->at, "more than %d operations, calls counted in place",
                                  MG_HLO_MAX_OPS);
    bool lifted = false;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (!(n.inputs[k] = find(t, frame, op->operands[k], op->at)))
            return false;
        lifted |= t->lift && n.inputs[k]->lifted;
    }
    const MgHloRow *row = mg_hlo_row(op->name);
    bool calls = !strcmp(op->name, "call") || !strcmp(op->name, "func.call") ||
                 !strcmp(op->name, "stablehlo.composite");
    if (!row && !calls)
        return mg_hlo_unsupported(t, op->at, "the operation %s", op->name);
    if (lifted && !(n.op = mg_hlo_lift(t, op, calls || row->each)))
        return false;
    if (!calls && !mg_hlo_resolve(&n))
        return false;
    bool ok = calls ? call(&n) : row->translate ? row->translate(&n) : mg_hlo_by_row(&n, row);
    if (!ok || t->failed)
        return false;
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (n.outputs[k] && lifted)
            n.outputs[k]->lifted |= mg_hlo_same_type(&n.outputs[k]->type, &n.op->types[k]);
        if (!n.outputs[k] || !has_type(n.outputs[k], &op->types[k]))
            return mg_hlo_fail(t, op->at, "result %u has another type", k);
        if (mg_hlo_has_any(&n.outputs[k]->type))
            return mg_hlo_unsupported(t, op->at, "%s with open sizes", op->name);
    }
    define_results(t, frame, op, n.outputs);
    return true;
}

bool mg_hlo_block(MgHlo *t, MgHloFrame *outer, const MgHloBlock *block, MgHloValue **args,
                  MgHloValue **results, uint32_t count, const char *at) {
    MgHloFrame frame = {.outer = outer};
    mg_map_init(&frame.values, t->arena);
    if (t->depth >= MG_HLO_MAX_DEPTH)
        return mg_hlo_unsupported(t, at, "calls and regions lie more than %d deep",
                                  MG_HLO_MAX_DEPTH);
    for (uint32_t k = 0; k < block->n_args; k++)
        define(t, &frame, block->args[k], args[k]);
    t->depth++;
    for (uint32_t i = 0; i + 1 < block->ops.len; i++)
        if (!translate_op(t, &frame, block->ops.at[i]))
            return false;
    t->depth--;
    const MgHloOp *end = block->ops.at[block->ops.len - 1];
    if (end->n_operands != count)
        return mg_hlo_fail(t, end->at, "the number of returned values is %u, not %u",
                           end->n_operands, count);
    for (uint32_t k = 0; k < count; k++)
        if (!(results[k] = find(t, &frame, end->operands[k], end->at)))
            return false;
    return true;
}

// ---------------------------------------------------------------- regions that combine two numbers
static const struct {
    const char *op, *numbers, *bools;
} reducers[] = {{"stablehlo.add", "sum", "any"},     {"stablehlo.multiply", "prod", "all"},
                {"stablehlo.maximum", "max", "any"}, {"stablehlo.minimum", "min", "all"},
                {"stablehlo.or", NULL, "any"},       {"stablehlo.and", NULL, "all"}};

static const char *reducer_of(const char *operation, MgDType dtype) {
    for (size_t i = 0; i < sizeof reducers / sizeof *reducers; i++)
        if (!strcmp(reducers[i].op, operation))
            return dtype == MG_BOOL ? reducers[i].bools : reducers[i].numbers;
    return NULL;
}

const char *mg_hlo_reducer(const MgHloBlock *block, MgDType dtype) {
    const MgHloOp *end = block->ops.at[block->ops.len - 1];
    if (block->n_args != 2 || end->n_operands != 1)
        return NULL;
    if (block->ops.len == 1)
        return strcmp(end->operands[0], block->args[1]) ? NULL : "last";
    const MgHloOp *op = block->ops.at[0];
    if (block->ops.len != 2 || op->n_operands != 2 || !op->result ||
        strcmp(op->result, end->operands[0]) != 0 || strcmp(op->operands[0], op->operands[1]) == 0)
        return NULL;
    for (uint32_t k = 0; k < 2; k++)
        if (strcmp(op->operands[k], block->args[0]) && strcmp(op->operands[k], block->args[1]))
            return NULL;
    return reducer_of(op->name, dtype);
}

static const struct {
    const char *reducer, *before, *between, *after, *neutral[3];
} combiners[] = {{"sum", "(", ") + (", ")", {"0", "0.0", "-0.0"}},
                 {"prod", "(", ") * (", ")", {"1", "1.0", "1"}},
                 {"max", "max(", ", ", ")", {"-inf", "-inf", "-inf"}},
                 {"min", "min(", ", ", ")", {"inf", "inf", "inf"}},
                 {"any", "(", ") or (", ")", {"false", "false", "false"}},
                 {"all", "(", ") and (", ")", {"true", "true", "true"}}};

const char *mg_hlo_combine(MgHlo *t, const char *reducer, const char *a, const char *b) {
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        if (!strcmp(combiners[i].reducer, reducer))
            return mg_hlo_text(t, "%s%s%s%s%s", combiners[i].before, a, combiners[i].between, b,
                               combiners[i].after);
    return a;
}

bool mg_hlo_is_neutral(const char *reducer, const MgHloValue *v) {
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners && v->literal; i++)
        for (size_t k = 0; k < 3 && !strcmp(combiners[i].reducer, reducer); k++)
            if (!strcmp(combiners[i].neutral[k], v->literal))
                return true;
    return false;
}

const MgHloOp *mg_hlo_maker(const MgHloBlock *block, const char *name) {
    for (uint32_t i = 0; i < block->ops.len; i++)
        if (block->ops.at[i]->result && !strcmp(block->ops.at[i]->result, name))
            return block->ops.at[i];
    return NULL;
}

// ---------------------------------------------------------------- the graph
static const MgHloFunction *entry(MgHlo *t) {
    const MgHloFunction *only = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->functions.len; i++) {
        if (!strcmp(t->functions.at[i]->name, "@main"))
            return t->functions.at[i];
        if (t->functions.at[i]->public) {
            only = t->functions.at[i];
            n++;
        }
    }
    if (n != 1)
        mg_hlo_fail(t, t->text, "%s",
                    n ? "there is no @main among the public functions"
                      : "there is no public function");
    return n == 1 ? only : NULL;
}

static const char *graph_name(MgHlo *t) { // of the file
    const char *slash = strrchr(t->path, '/'), *base = slash ? slash + 1 : t->path;
    return mg_hlo_fresh(t, mg_hlo_text(t, "%.*s", (int)strcspn(base, "."), base));
}

bool mg_hlo_translate(MgHlo *t, const char *weights_file, MgText *out) {
    const MgHloFunction *f = entry(t);
    if (f && t->complex)
        f = mg_hlo_expand_complex(t, f);
    if (!f)
        return false;
    MgText body = mg_text(t->arena), head = mg_text(t->arena), ends = mg_text(t->arena);
    uint32_t n = f->n_results;
    MgHloValue **args = MG_NEW_N(t->arena, MgHloValue *, f->body->n_args + 1);
    MgHloValue **results = MG_NEW_N(t->arena, MgHloValue *, n + 1);
    const char *called = graph_name(t);
    t->out = &body;
    t->head = mg_text(t->arena);
    t->needs = mg_text(t->arena);
    MgHloType *types = MG_NEW_N(t->arena, MgHloType, f->body->n_args + 1);
    mg_hlo_open_arguments(t, f->body, types);
    for (uint32_t k = 0; k < f->body->n_args; k++) {
        const char *name = mg_hlo_fresh(t, f->body->args[k]);
        args[k] = mg_hlo_value(t, types[k], name);
        mg_textf(&head, "%s%s: %s", k ? ", " : "", name, mg_hlo_shape(t, &types[k]));
    }
    const char **names = MG_NEW_N(t->arena, const char *, n + 1);
    for (uint32_t k = 0; k < n; k++)
        names[k] = mg_hlo_fresh(t, n == 1 ? "result" : mg_hlo_text(t, "result%u", k));
    if (!mg_hlo_block(t, NULL, f->body, args, results, n, f->at))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (!mg_hlo_same_type(&results[k]->type, &f->results[k]))
            return mg_hlo_fail(t, f->at, "result %u has another type", k);
        mg_textf(&ends, "%s%s: %s", k ? ", " : "", names[k], mg_hlo_shape(t, &results[k]->type));
        mg_hlo_say(t, NULL, "%s = identity(%s)", names[k], mg_hlo_name(t, results[k]));
    }
    mg_textf(out, "mg 1\nimport aten\n%s%simport stablehlo\ngraph %s(%s) -> (%s)\n%s",
             t->complex ? "import complex\n" : "", t->factors ? "import factors\n" : "", called,
             mg_text_str(&head), mg_text_str(&ends), mg_text_str(&t->needs));
    if (t->weights.tensors.len) {
        mg_text_add(out, "    weights \"");
        mg_text_add(out, weights_file);
        mg_text_add(out, "\"\n");
    }
    mg_textf(out, "{\n%s%s}\n", mg_text_str(&t->head), mg_text_str(&body));
    return true;
}
