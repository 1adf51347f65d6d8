// Graph IR as text: the flat form, valid `.mg` that reads back to the same IR.
//
// Every range, type and name is written out. The bounds of a dimension are printed where an input's
// type first mentions it alone (`B <= 64`), or in a `require` clause. Facts that do not change the
// meaning are printed as annotations: origins (#at, innermost first, then the calls that led there)
// and the notes of passes.
#include <inttypes.h>

#include "ir/ix_internal.h"
#include "ir/print_internal.h"

static const char *text_of(const MgPrinter *p, MgSym sym) {
    return mg_name(p->g->module->session->names, sym);
}

void mg_print_line(MgPrinter *p) {
    mg_text_add(p->out, "\n");
    for (uint32_t i = 0; i < p->indent; i++)
        mg_text_add(p->out, "    ");
}

void mg_print_string(MgText *out, const char *text) {
    mg_text_add(out, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            mg_textf(out, "\\%c", c);
        else if (c == '\n')
            mg_text_add(out, "\\n");
        else if (c < 0x20 || c == 0x7f)
            mg_textf(out, "\\u{%x}", c);
        else
            mg_text_add_n(out, text, 1);
    }
    mg_text_add(out, "\"");
}

void mg_print_value_name(const MgPrinter *p, MgValueId v) {
    if (p->condition != p->body && mg_value(p->g, v)->param_of == p->condition) {
        const MgRegion *region = mg_region(p->g, p->condition);
        for (uint32_t i = 0; i < region->params.len; i++)
            if (region->params.at[i] == v) {
                v = mg_region(p->g, p->body)->params.at[i];
                break;
            }
    }
    mg_print_name(text_of(p, mg_value(p->g, v)->name), p->out);
}

void mg_print_type(const MgPrinter *p, MgDType dtype, uint32_t rank, const MgIx *shape) {
    mg_textf(p->out, "%s[", mg_dtype(dtype)->name);
    for (uint32_t i = 0; i < rank; i++) {
        mg_text_add(p->out, i ? ", " : "");
        mg_print_ix(p, shape[i]);
    }
    mg_text_add(p->out, "]");
}

static void print_typed(const MgPrinter *p, MgValueId v) {
    const MgValue *value = mg_value(p->g, v);
    mg_print_value_name(p, v);
    mg_text_add(p->out, ": ");
    mg_print_type(p, value->dtype, value->rank, value->shape);
}

static void print_values(const MgPrinter *p, const MgValueId *values, uint32_t n, bool typed) {
    for (uint32_t i = 0; i < n; i++) {
        mg_text_add(p->out, i ? ", " : "");
        if (typed)
            print_typed(p, values[i]);
        else
            mg_print_value_name(p, values[i]);
    }
}

// ---------------------------------------------------------------- predicates

// Splits x into above - below, each a sum of positive terms.
static void split_signs(MgIxTable *t, MgIx x, MgIx *above, MgIx *below) {
    const MgIxPoly poly = *mg_ix_poly(t, x);
    *above = *below = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        MgIx term = mg_ix_of_term(t, poly.terms[i].coef, poly.terms[i].mono);
        if (poly.terms[i].coef < 0)
            *below = mg_ix_sub(t, *below, term);
        else
            *above = mg_ix_add(t, *above, term);
    }
}

static void print_comparison(const MgPrinter *p, MgIx x, const char *operation) {
    MgIx above, below;
    split_signs(p->g->module->ix, x, &above, &below);
    mg_print_ix(p, above);
    mg_textf(p->out, " %s ", operation);
    mg_print_ix(p, below);
}

static void print_predicate(const MgPrinter *p, MgIx x, bool in_and) {
    MgIxTable *t = p->g->module->ix;
    bool both;
    MgIx a, b;
    if (!mg_ix_is_choice(t, x, &both, &a, &b)) {
        print_comparison(p, x, ">=");
        return;
    }
    bool parens = in_and && !both;
    if (mg_ix_compare(t, p->g->module->session->names, b, a) < 0) {
        MgIx first = b;
        b = a;
        a = first;
    }
    if (both && b == mg_ix_neg(t, a)) {
        print_comparison(p, a, "==");
        return;
    }
    mg_text_add(p->out, parens ? "(" : "");
    print_predicate(p, a, both);
    mg_text_add(p->out, both ? " and " : " or ");
    print_predicate(p, b, both);
    mg_text_add(p->out, parens ? ")" : "");
}

void mg_print_predicate(const MgPrinter *p, MgIx x) {
    print_predicate(p, x, false);
}

static void print_require(const MgPrinter *p, const MgRequire *r) {
    mg_text_add(p->out, "require ");
    mg_print_predicate(p, r->nonnegative);
    if (r->message) {
        mg_text_add(p->out, " : ");
        mg_print_string(p->out, text_of(p, r->message));
    }
}

// ---------------------------------------------------------------- annotations

static void print_origins(const MgPrinter *p, MgOriginId first) {
    const MgModule *m = p->g->module;
    for (MgOriginId o = p->options->origins ? first : 0; o; o = m->origins.at[o].inlined) {
        const MgOrigin *origin = &m->origins.at[o];
        mg_text_add(p->out, " #at(");
        mg_print_string(p->out, text_of(p, origin->file));
        mg_textf(p->out, ", %u, %u", origin->line, origin->column);
        if (origin->end)
            mg_textf(p->out, ", %u", origin->end);
        mg_text_add(p->out, ")");
    }
}

static void print_annotations(const MgPrinter *p, const MgOp *op) {
    const MgModule *m = p->g->module;
    for (uint32_t i = 0; p->options->annotations && i < op->annotations.len; i++) {
        const MgAnnotation *a = &op->annotations.at[i];
        mg_textf(p->out, " #%s", text_of(p, a->name));
        if (a->text)
            mg_textf(p->out, "(%s)", text_of(p, a->text));
    }
    if (p->options->annotations && op->kind != MG_OP_YIELD && mg_origin_is_backward(m, op->origin))
        mg_text_add(p->out, " #backward");
    if (op->kind != MG_OP_YIELD) // which is not a statement of its own
        print_origins(p, op->origin);
}

// ---------------------------------------------------------------- leaves

// The name of the op that is printed for a graph of initial values. Equal graphs are one op.
static const char *initial_name(const MgPrinter *p, MgGraph *begins) {
    MgText text = mg_text(p->out->arena);
    mg_graph_print(begins, &(MgPrintOptions){.inline_const = SIZE_MAX}, &text);
    uint64_t hash = mg_hash(text.bytes.at, text.bytes.len, 0);
    return mg_arena_printf(p->out->arena, "initial_%08x", (unsigned)(hash ^ hash >> 32));
}

static void print_param(const MgPrinter *p, MgPort param) {
    mg_text_add(p->out, param.buffer ? "buffer " : "param ");
    print_typed(p, param.value);
    if (param.begins)
        mg_textf(p->out, " = %s()", initial_name(p, param.begins));
    else if (param.has_initial && mg_is_float(mg_value(p->g, param.value)->dtype))
        mg_textf(p->out, " = %s", mg_float_str(p->out->arena, param.initial, false));
    else if (param.has_initial)
        mg_textf(p->out, " = %" PRId64, (int64_t)param.initial);
    if (param.key != mg_value(p->g, param.value)->name) {
        mg_text_add(p->out, " as ");
        mg_print_string(p->out, text_of(p, param.key));
    }
}

static void print_const(const MgPrinter *p, const MgOp *op) {
    const MgValue *v = mg_value(p->g, op->results[0]);
    MgIxTable *t = p->g->module->ix;
    int64_t n = 0;
    size_t size = mg_dtype_size(v->dtype);
    mg_text_add(p->out, "const ");
    print_typed(p, op->results[0]);
    mg_text_add(p->out, " = ");
    size_t most = p->options->inline_const ? p->options->inline_const : 256;
    if (!op->data || !mg_ix_is_const(t, mg_ix_product(t, v->shape, v->rank), &n) ||
        (uint64_t)n > most / size) {
        mg_textf(p->out, "file(\"consts\", key = \"%016" PRIx64 "\", xxh3 = \"%016" PRIx64 "\")",
                 op->data_hash, op->data_hash);
        return;
    }
    mg_text_add(p->out, "[");
    for (int64_t i = 0; i < n; i++) {
        mg_text_add(p->out, i ? ", " : "");
        mg_print_literal(p->out, v->dtype, mg_bits_at(v->dtype, op->data, (size_t)i));
    }
    mg_text_add(p->out, "]");
}

static void print_attr(const MgPrinter *p, const MgAttr *a) {
    mg_textf(p->out, ", %s = ", text_of(p, a->name));
    switch (a->kind) {
    case MG_ATTR_INT:
        mg_print_ix(p, a->ix);
        break;
    case MG_ATTR_FLOAT:
        mg_print_literal(p->out, MG_F64, mg_bits_from_double(MG_F64, a->f));
        break;
    case MG_ATTR_BOOL:
        mg_text_add(p->out, a->b ? "true" : "false");
        break;
    case MG_ATTR_STR:
        mg_print_string(p->out, text_of(p, a->str));
        break;
    case MG_ATTR_TYPE:
        mg_text_add(p->out, mg_dtype(a->type)->name);
        break;
    }
}

static void print_builtin(const MgPrinter *p, const MgOp *op) {
    print_values(p, op->results, op->n_results, true);
    mg_textf(p->out, " = %s(", mg_builtin(op->builtin)->name);
    print_values(p, op->operands, op->n_operands, false);
    for (uint32_t i = 0; i < op->n_attrs; i++)
        print_attr(p, &op->attrs[i]);
    if (mg_builtin_draws(op->builtin)) { // nothing else gives its shape
        const MgValue *v = mg_value(p->g, op->results[0]);
        mg_text_add(p->out, ", shape = [");
        for (uint32_t i = 0; i < v->rank; i++) {
            mg_text_add(p->out, i ? ", " : "");
            mg_print_ix(p, v->shape[i]);
        }
        mg_text_add(p->out, "]");
    }
    mg_text_add(p->out, ")");
}

static void print_dim(const MgPrinter *p, const MgOp *op) {
    int64_t low, high;
    mg_ix_sym_bounds(p->g->module->ix, op->dim, &low, &high);
    mg_text_add(p->out, "dim ");
    mg_print_name(text_of(p, mg_ix_sym_name(p->g->module->ix, op->dim)), p->out);
    if (op->dim_bound) {
        mg_text_add(p->out, " <= ");
        mg_print_ix(p, op->dim_bound);
    } else if (high != MG_IX_INF) {
        mg_textf(p->out, " <= %" PRId64, high);
    }
    mg_text_add(p->out, " = ");
    mg_print_value_name(p, op->operands[0]);
}

// ---------------------------------------------------------------- regions

static void print_op(MgPrinter *p, MgOpId id);

// Prints the ops of a region. Its yield is printed as `yield`, or in a loop as `next` and `emit`.
static void print_region(MgPrinter *p, MgRegionId r, const MgLoop *loop) {
    const MgRegion *region = mg_region(p->g, r);
    mg_text_add(p->out, " {");
    p->indent++;
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(p->g, region->ops.at[i]);
        if (op->kind == MG_OP_ERASED || op->region != r)
            continue;
        mg_print_line(p);
        if (op->kind != MG_OP_YIELD || !loop) {
            print_op(p, region->ops.at[i]);
            continue;
        }
        mg_text_add(p->out, "next ");
        for (uint32_t k = 0; k < loop->n_carried; k++) {
            mg_text_add(p->out, k ? ", " : "");
            mg_print_value_name(p, region->params.at[k]);
            mg_text_add(p->out, " = ");
            mg_print_value_name(p, op->operands[k]);
        }
        if (loop->n_emitted) {
            mg_print_line(p);
            mg_text_add(p->out, "emit ");
            print_values(p, op->operands + loop->n_carried, loop->n_emitted, false);
        }
    }
    p->indent--;
    mg_print_line(p);
    mg_text_add(p->out, "}");
}

static void print_loop(MgPrinter *p, const MgOp *op) {
    const MgLoop *loop = op->loop;
    const MgRegion *body = mg_region(p->g, op->regions[0]);
    print_values(p, op->results, op->n_results, true);
    mg_text_add(p->out, " = loop ");
    if (loop->counted) {
        mg_print_name(text_of(p, mg_ix_sym_name(p->g->module->ix, loop->counter)), p->out);
        mg_text_add(p->out, " in ");
        mg_print_ix(p, loop->low);
        mg_text_add(p->out, "..");
        mg_print_ix(p, loop->high);
        mg_text_add(p->out, " ");
    }
    mg_text_add(p->out, "carry (");
    for (uint32_t i = 0; i < loop->n_carried; i++) {
        mg_text_add(p->out, i ? ", " : "");
        print_typed(p, body->params.at[i]);
        mg_text_add(p->out, " = ");
        mg_print_value_name(p, op->operands[i]);
    }
    mg_text_add(p->out, ")");
    if (loop->has_while) {
        mg_text_add(p->out, " while ");
        mg_print_condition(p, op->regions[1], op->regions[0]);
    }
    print_region(p, op->regions[0], loop);
}

static void print_op(MgPrinter *p, MgOpId id) {
    const MgOp *op = mg_op(p->g, id);
    switch (op->kind) {
    case MG_OP_ERASED:
        break;
    case MG_OP_EQUATION:
        mg_print_equation(p, id);
        break;
    case MG_OP_BUILTIN:
        print_builtin(p, op);
        break;
    case MG_OP_PARAM:
        print_param(p, mg_param_port(op));
        break;
    case MG_OP_CONST:
        print_const(p, op);
        break;
    case MG_OP_FUSED:
        print_values(p, op->results, op->n_results, true);
        mg_text_add(p->out, " = fused");
        print_region(p, op->regions[0], NULL);
        break;
    case MG_OP_LOOP:
        print_loop(p, op);
        break;
    case MG_OP_IF:
        print_values(p, op->results, op->n_results, true);
        mg_text_add(p->out, " = if ");
        mg_print_value_name(p, op->operands[0]);
        print_region(p, op->regions[0], NULL);
        mg_text_add(p->out, " else");
        print_region(p, op->regions[1], NULL);
        break;
    case MG_OP_DIM:
        print_dim(p, op);
        break;
    case MG_OP_REQUIRE:
        print_require(p, &op->require);
        break;
    case MG_OP_YIELD:
        mg_text_add(p->out, "yield ");
        print_values(p, op->operands, op->n_operands, false);
        break;
    }
    print_annotations(p, mg_op(p->g, id));
}

// ---------------------------------------------------------------- graphs

// Prints the bounds of a dimension where a type first mentions it alone.
static bool print_bounded(const MgPrinter *p, MgIx x, MgMap *declared) {
    MgIxTable *t = p->g->module->ix;
    MgIxSym s;
    int64_t low, high;
    if (!mg_ix_is_sym(t, x, &s) || mg_map_find(declared, s))
        return false;
    mg_map_put(declared, s, 1);
    mg_ix_sym_bounds(t, s, &low, &high);
    if (low > 0 && high == MG_IX_INF)
        mg_textf(p->out, "%" PRId64 " <= ", low);
    mg_print_ix(p, x);
    if (high != MG_IX_INF)
        mg_textf(p->out, " <= %" PRId64, high);
    return true;
}

static void print_inputs(const MgPrinter *p, MgMap *declared) {
    for (uint32_t i = 0, n = 0; i < p->g->inputs.len; i++) {
        const MgPort *port = &p->g->inputs.at[i];
        const MgValue *v = mg_value(p->g, port->value);
        if (port->key)
            continue;
        mg_text_add(p->out, n++ ? ", " : "");
        mg_print_name(text_of(p, port->name), p->out);
        mg_textf(p->out, ": %s[", mg_dtype(v->dtype)->name);
        for (uint32_t d = 0; d < v->rank; d++) {
            mg_text_add(p->out, d ? ", " : "");
            if (!print_bounded(p, v->shape[d], declared))
                mg_print_ix(p, v->shape[d]);
        }
        mg_text_add(p->out, "]");
    }
}

// Prints the bounds that no type contains.
static void print_bound_clauses(MgPrinter *p, const MgMap *declared) {
    MgIxTable *t = p->g->module->ix;
    for (uint32_t i = 0; i < p->g->dims.len; i++) {
        MgIxSym s = p->g->dims.at[i];
        int64_t low, high;
        bool seen = mg_map_find(declared, s) != NULL;
        mg_ix_sym_bounds(t, s, &low, &high);
        if (!seen) // a `some` or `dim` dimension, or one that only occurs inside expressions
            continue;
        if (low > 0 && high != MG_IX_INF) {
            mg_print_line(p);
            mg_text_add(p->out, "require ");
            mg_print_ix(p, mg_ix_sym(t, s));
            mg_textf(p->out, " >= %" PRId64, low);
        }
    }
}

static void print_outputs(const MgPrinter *p) {
    for (uint32_t i = 0, n = 0; i < p->g->outputs.len; i++) {
        const MgPort *port = &p->g->outputs.at[i];
        const MgValue *v = mg_value(p->g, port->value);
        if (port->key)
            continue;
        mg_text_add(p->out, n++ ? ", " : "");
        mg_print_name(text_of(p, port->name), p->out);
        mg_text_add(p->out, ": ");
        mg_print_type(p, v->dtype, v->rank, v->shape);
        if (port->aliases >= 0) {
            mg_text_add(p->out, " over ");
            mg_print_name(text_of(p, p->g->inputs.at[port->aliases].name), p->out);
        }
    }
}

// A local with an output's name gets another name, so that the text defines each name once.
void mg_name_outputs(MgGraph *g) {
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        MgPort port = g->outputs.at[i];
        MgValueId holder = (MgValueId)mg_map_get(&g->value_names, port.name, MG_NONE);
        MgValue *v = mg_value(g, port.value);
        bool is_port = !v->def || mg_op(g, v->def)->kind == MG_OP_PARAM;
        if (holder == port.value)
            continue;
        for (uint32_t k = 0; k < g->outputs.len; k++)
            is_port |= k != i && g->outputs.at[k].value == port.value &&
                       (k < i || g->outputs.at[k].name == v->name);
        if (holder && (!mg_value(g, holder)->def || mg_value(g, holder)->name != port.name))
            holder = MG_NONE;
        if (holder) {
            mg_value(g, holder)->name = mg_unique_name(g, port.name);
            mg_map_put(&g->value_names, mg_value(g, holder)->name, holder);
        }
        mg_map_put(&g->value_names, port.name, is_port ? MG_NONE : port.value);
        if (!is_port)
            v->name = port.name;
    }
}

static void print_graph(MgPrinter *p, const char *kind, const char *name) {
    MgGraph *g = p->g;
    mg_name_outputs(g);
    MgMap declared;
    mg_map_init(&declared, p->out->arena);
    mg_textf(p->out, "%s ", kind);
    mg_print_name(name, p->out);
    mg_text_add(p->out, "(");
    print_inputs(p, &declared);
    mg_text_add(p->out, ") -> (");
    print_outputs(p);
    mg_text_add(p->out, ")");
    p->indent = 1;
    if (g->weights) {
        mg_print_line(p);
        mg_text_add(p->out, "weights ");
        mg_print_string(p->out, text_of(p, g->weights));
    }
    print_bound_clauses(p, &declared);
    for (uint32_t i = 0; i < g->requires.len; i++) {
        mg_print_line(p);
        print_require(p, &g->requires.at[i]);
        print_origins(p, g->requires.at[i].origin);
    }
    mg_text_add(p->out, "\n{");
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (g->inputs.at[i].key) {
            mg_print_line(p);
            print_param(p, g->inputs.at[i]);
        }
    const MgRegion *body = mg_region(g, 0);
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        if (op->kind == MG_OP_ERASED || op->region != 0)
            continue;
        mg_print_line(p);
        print_op(p, body->ops.at[i]);
    }
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        const MgPort *port = &g->outputs.at[i];
        const MgValue *v = mg_value(g, port->value);
        if (port->key) {
            mg_print_line(p);
            mg_text_add(p->out, "next ");
            mg_print_name(text_of(p, g->inputs.at[port->aliases].name), p->out);
            mg_text_add(p->out, " = ");
            mg_print_value_name(p, port->value);
            continue;
        }
        if (v->name == port->name && v->def)
            continue;
        mg_print_line(p);
        mg_print_name(text_of(p, port->name), p->out);
        mg_text_add(p->out, ": ");
        mg_print_type(p, v->dtype, v->rank, v->shape);
        mg_text_add(p->out, " = ");
        mg_print_value_name(p, port->value);
    }
    mg_text_add(p->out, "\n}\n");
}

static const MgPrintOptions plain;

// The op of an initial value, if it was not printed yet.
static void print_initial(const MgPrinter *p, MgGraph *begins, MgMap *printed) {
    if (!begins)
        return;
    const char *name = initial_name(p, begins);
    MgSym sym = mg_sym(p->g->module->session->names, name);
    if (mg_map_find(printed, sym))
        return;
    mg_map_put(printed, sym, 1);
    MgPrinter q = {.g = begins, .options = p->options, .out = p->out};
    mg_text_add(p->out, "\n");
    print_graph(&q, "op", name);
}

static void print_with_initials(MgGraph *g, const MgPrintOptions *options, MgText *out,
                                MgMap *printed) {
    MgPrinter p = {.g = g, .options = options ? options : &plain, .out = out};
    print_graph(&p, "graph", text_of(&p, g->name));
    for (uint32_t i = 0; i < g->inputs.len; i++)
        print_initial(&p, g->inputs.at[i].begins, printed);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (g->ops.at[id].kind == MG_OP_PARAM)
            print_initial(&p, g->ops.at[id].begins, printed);
}

void mg_graph_print(MgGraph *g, const MgPrintOptions *options, MgText *out) {
    MgMap printed;
    mg_map_init(&printed, out->arena);
    print_with_initials(g, options, out, &printed);
}

void mg_module_print(MgModule *module, const MgPrintOptions *options, MgText *out) {
    MgMap printed;
    mg_map_init(&printed, out->arena);
    mg_text_add(out, "mg 1\n");
    for (uint32_t i = 0; i < module->graphs.len; i++) {
        mg_text_add(out, "\n");
        print_with_initials(module->graphs.at[i], options, out, &printed);
    }
}

void mg_op_print(MgGraph *g, MgOpId op, const MgPrintOptions *options, MgText *out) {
    MgPrinter p = {.g = g, .options = options ? options : &plain, .out = out};
    print_op(&p, op);
}
