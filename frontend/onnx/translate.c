// Translates a model to text: its nodes in order, and the text around them (ports.c writes the
// ports).
#include "frontend/onnx/internal.h"

#include "formats/tensor.h"
#include "frontend/spell.h"

#include <stdio.h>

// A limit is needed because functions that call each other twice make a small file expand without
// end.
enum { MAX_NODES = 500000 };
enum { OLDEST = 1, NEWEST = 28, MAX_DEPTH = 30 };

bool mg_onnx_error(MgOnnx *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(t->arena, format, args);
    va_end(args);
    mg_diag(t->session, mg_no_span(), MG_D_onnx_model, t->file.path, text);
    return false;
}

static bool is_standard(const char *domain) {
    return !*domain || !strcmp(domain, "ai.onnx");
}

// ---------------------------------------------------------------- frames
MgOnnxFrame *mg_onnx_frame(MgOnnx *t, MgOnnxFrame *outer) {
    MgOnnxFrame *f = MG_NEW(t->arena, MgOnnxFrame);
    f->outer = outer;
    f->depth = outer ? outer->depth + 1 : 0;
    mg_map_init(&f->values, t->arena);
    mg_map_init(&f->ports, t->arena);
    return f;
}

MgOnnxValue *mg_onnx_find(MgOnnxFrame *frame, MgSym name) {
    for (MgOnnxFrame *f = frame; f; f = f->outer) {
        uint64_t *at = mg_map_find(&f->values, name);
        if (at)
            return (MgOnnxValue *)(uintptr_t)*at;
    }
    return NULL;
}

void mg_onnx_define(MgOnnx *t, MgOnnxFrame *frame, const char *name, MgOnnxValue *value) {
    mg_map_put(&frame->values, mg_sym(t->names, name), (uintptr_t)value);
}

static MgOnnxValue *poisoned(MgOnnx *t) {
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    v->poison = true;
    return v;
}

// ---------------------------------------------------------------- rows
static int64_t opset_of(const MgOnnx *t, const MgOnnxFrame *frame, const char *domain) {
    while (frame && !frame->function)
        frame = frame->outer;
    size_t n = frame ? frame->function->n_opset_import : t->model->n_opset_import;
    Onnx__OperatorSetIdProto *const *at =
        frame ? frame->function->opset_import : t->model->opset_import;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(mg_onnx_or_empty(at[i]->domain), domain) ||
            (is_standard(domain) && is_standard(mg_onnx_or_empty(at[i]->domain))))
            return at[i]->version;
    return -1;
}

static const MgOnnxRow *row_of(const MgOnnx *t, const Onnx__NodeProto *p, int64_t opset) {
    const char *domain = mg_onnx_or_empty(p->domain), *name = mg_onnx_or_empty(p->op_type);
    const MgOnnxRow *best = NULL;
    MgSym sym = mg_sym(t->names, name);
    for (uint64_t i = mg_map_get(&t->rows, sym, 0); i; i = mg_map_get(&t->rows, i << 32, 0)) {
        const MgOnnxRow *r = &mg_onnx_rows[i - 1];
        bool here = is_standard(domain) ? !*r->domain : !strcmp(domain, r->domain);
        if (here && r->since <= opset && (!best || best->since < r->since))
            best = r;
    }
    return best;
}

void mg_onnx_index_rows(MgOnnx *t) {
    mg_map_init(&t->rows, t->arena);
    // Linked lists, headed by a name's row and continued at its number << 32.
    for (uint64_t i = 0; mg_onnx_rows[i].name; i++) {
        MgSym sym = mg_sym(t->names, mg_onnx_rows[i].name);
        mg_map_put(&t->rows, (i + 1) << 32, mg_map_get(&t->rows, sym, 0));
        mg_map_put(&t->rows, sym, i + 1);
    }
}

static MgSym function_key(const MgOnnx *t, const char *domain, const char *name,
                          const char *overload) {
    return mg_symf(t->names, "%s\n%s\n%s", mg_onnx_or_empty(domain), mg_onnx_or_empty(name),
                   mg_onnx_or_empty(overload));
}

// The first function of a name counts.
static void index_functions(MgOnnx *t) {
    mg_map_init(&t->functions, t->arena);
    for (size_t i = t->model->n_functions; i-- > 0;) {
        const Onnx__FunctionProto *f = t->model->functions[i];
        mg_map_put(&t->functions, function_key(t, f->domain, f->name, f->overload), i + 1);
    }
}

const Onnx__FunctionProto *mg_onnx_function(const MgOnnx *t, const Onnx__NodeProto *p) {
    if (!t->model->n_functions)
        return NULL;
    MgSym key = function_key(t, p->domain, p->op_type, p->overload);
    uint64_t number = mg_map_get(&t->functions, key, 0);
    return number ? t->model->functions[number - 1] : NULL;
}

// A node's name, or the name of its first output, because exporters often omit the node's name.
static const char *node_name(const Onnx__NodeProto *p) {
    return p->name && *p->name ? p->name : p->n_output ? p->output[0] : "";
}

// Collects the operators without a row, so that one message names each of them once.
static void note_unknown(MgOnnx *t, const MgOnnxFrame *frame, const Onnx__NodeProto *p) {
    const char *domain = mg_onnx_or_empty(p->domain);
    int64_t opset = opset_of(t, frame, domain);
    if (mg_onnx_function(t, p) || row_of(t, p, opset < 0 ? INT64_MAX : opset))
        return;
    const char *name = mg_onnx_or_empty(p->op_type);
    const MgOnnxSchema *schema = mg_onnx_schema(is_standard(domain) ? "" : domain, name);
    const char *text =
        mg_arena_printf(t->arena, "%s of %s%s%lld", name, is_standard(domain) ? "opset" : domain,
                        is_standard(domain) ? " " : ", version ", (long long)opset);
    if (schema && *schema->refused)
        text = mg_arena_printf(t->arena, "%s, which needs %s", text, schema->refused);
    else if (schema)
        text = mg_arena_printf(t->arena, "%s, which is supported from opset %lld on", text,
                               (long long)mg_onnx_supported_from(schema));
    MgSym sym = mg_sym(t->names, text);
    uint64_t at = mg_map_get(&t->unknown_at, sym, t->unknown.len);
    if (at == t->unknown.len) {
        mg_map_put(&t->unknown_at, sym, at);
        mg_push(t->arena, &t->unknown, (MgOnnxUnknown){text, node_name(p), 0, schema != NULL});
    }
    t->unknown.at[at].nodes++;
}

// Records the names that a node reads. An output that nothing reads is not computed.
static void note_uses(MgOnnx *t, const Onnx__NodeProto *p) {
    for (size_t i = 0; i < p->n_input; i++)
        mg_map_put(&t->uses, mg_sym(t->names, p->input[i]), 1);
    for (size_t k = 0; k < p->n_attribute; k++)
        for (size_t i = 0; p->attribute[k]->g && i < p->attribute[k]->g->n_output; i++)
            mg_map_put(&t->uses,
                       mg_sym(t->names, mg_onnx_or_empty(p->attribute[k]->g->output[i]->name)), 1);
}

static void look_for_unknown(MgOnnx *t, const MgOnnxFrame *frame, Onnx__NodeProto *const *nodes,
                             size_t n) {
    for (size_t i = 0; i < n; i++) {
        note_unknown(t, frame, nodes[i]);
        note_uses(t, nodes[i]);
        for (size_t k = 0; k < nodes[i]->n_attribute; k++)
            if (nodes[i]->attribute[k]->g)
                look_for_unknown(t, frame, nodes[i]->attribute[k]->g->node,
                                 nodes[i]->attribute[k]->g->n_node);
    }
}

// Reports, in one message, the operators that ONNX defines, or those that it does not.
static void tell_unknown(MgOnnx *t, bool defined) {
    enum { SHOWN = 20 };
    MgText out = mg_text(t->arena);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < t->unknown.len; i++) {
        const MgOnnxUnknown *u = &t->unknown.at[i];
        if (u->defined != defined || shown++ >= SHOWN)
            continue;
        mg_textf(&out, "%s%s (", out.bytes.len ? ", " : "", u->op);
        if (u->nodes > 1)
            mg_textf(&out, "%u nodes, the first: '%s')", u->nodes, u->first);
        else
            mg_textf(&out, "node '%s')", u->first);
    }
    if (shown > SHOWN)
        mg_textf(&out, ", and %u more", shown - SHOWN);
    if (shown)
        mg_diag(t->session, mg_no_span(),
                defined ? MG_D_onnx_unsupported_known : MG_D_onnx_unsupported_op, t->file.path,
                mg_text_str(&out));
}

static bool operators_known(MgOnnx *t) {
    const Onnx__GraphProto *g = t->model->graph;
    mg_map_init(&t->uses, t->arena);
    mg_map_init(&t->unknown_at, t->arena);
    look_for_unknown(t, NULL, g->node, g->n_node);
    for (size_t i = 0; i < g->n_output; i++)
        mg_map_put(&t->uses, mg_sym(t->names, mg_onnx_or_empty(g->output[i]->name)), 1);
    for (size_t i = 0; i < t->model->n_functions; i++) {
        MgOnnxFrame *f = mg_onnx_frame(t, NULL);
        f->function = t->model->functions[i];
        look_for_unknown(t, f, f->function->node, f->function->n_node);
        for (size_t k = 0; k < f->function->n_output; k++)
            mg_map_put(&t->uses, mg_sym(t->names, f->function->output[k]), 1);
    }
    tell_unknown(t, true);
    tell_unknown(t, false);
    return !t->unknown.len;
}

// ---------------------------------------------------------------- one node
static bool call_function(MgOnnxNode *n, const Onnx__FunctionProto *f) {
    MgOnnx *t = n->t;
    MgOnnxFrame *frame = mg_onnx_frame(t, NULL);
    frame->depth = n->frame->depth + 1;
    frame->call = n->proto;
    frame->caller = n->frame;
    frame->function = f;
    if (frame->depth > MAX_DEPTH)
        return mg_onnx_fail(n, "functions and subgraphs are nested more than %d deep", MAX_DEPTH);
    if (n->n_inputs > f->n_input || n->n_outputs > f->n_output)
        return mg_onnx_fail(n, "the function takes %zu input%s and gives %zu output%s", f->n_input,
                            mg_plural(f->n_input), f->n_output, mg_plural(f->n_output));
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i])
            mg_onnx_define(t, frame, f->input[i], n->inputs[i]);
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        MgSym port = (MgSym)mg_map_get(&n->frame->ports, mg_sym(t->names, n->proto->output[i]), 0);
        if (port)
            mg_map_put(&frame->ports, mg_sym(t->names, f->output[i]), port);
    }
    Onnx__GraphProto body = ONNX__GRAPH_PROTO__INIT;
    body.node = f->node;
    body.n_node = f->n_node;
    if (!mg_onnx_graph(t, frame, &body))
        return false;
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        n->outputs[i] = mg_onnx_find(frame, mg_sym(t->names, f->output[i]));
        if (!n->outputs[i] && *n->proto->output[i])
            return mg_onnx_fail(n, "the function does not give its output '%s'", f->output[i]);
    }
    return true;
}

// False if an input is missing (an error), or poisoned (its error is already reported).
static bool gather_inputs(MgOnnxNode *n) {
    const Onnx__NodeProto *p = n->proto;
    bool ok = true;
    for (uint32_t i = 0; i < n->n_inputs && ok; i++) {
        if (!*p->input[i])
            continue;
        n->inputs[i] = mg_onnx_find(n->frame, mg_sym(n->t->names, p->input[i]));
        if (!n->inputs[i])
            ok = mg_onnx_fail(n, "nothing computes its input '%s'", p->input[i]);
        else
            ok = !n->inputs[i]->poison;
    }
    while (n->n_inputs && !n->inputs[n->n_inputs - 1])
        n->n_inputs--;
    return ok;
}

static bool translate_once(MgOnnxNode *n) {
    return n->row->translate ? n->row->translate(n, n->row->text)
                             : mg_onnx_by_template(n, n->row->text);
}

// The library's operators decide which sizes must be equal, so the node is tried first. What an
// attempt has written stays, since values may have become known by it.
static bool translate_by_row(MgOnnxNode *n) {
    enum { ATTEMPTS = 64 };
    MgSession *s = n->t->session;
    uint32_t diags = s->diags.len, errors = s->n_errors;
    MgOnnxValue **inputs =
        mg_arena_copy(n->t->arena, n->inputs, n->n_inputs + 1, sizeof *n->inputs);
    for (uint32_t i = 0; i < ATTEMPTS; i++) {
        if (translate_once(n))
            return true;
        if (!mg_onnx_agree(n, inputs))
            break;
        s->diags.len = diags;
        s->n_errors = errors;
        memcpy(n->inputs, inputs, n->n_inputs * sizeof *inputs);
        memset(n->outputs, 0, n->n_outputs * sizeof *n->outputs);
    }
    return false;
}

static bool perform(MgOnnxNode *n) {
    MgOnnx *t = n->t;
    const Onnx__FunctionProto *f = mg_onnx_function(t, n->proto);
    if (f)
        return call_function(n, f);
    n->row = row_of(t, n->proto, n->opset);
    if (!n->row)
        return mg_onnx_unsupported(n, "opset %lld has no such operator", (long long)n->opset);
    if (!mg_onnx_takes_narrow(n) || !mg_onnx_takes_lists(n))
        return false;
    if (mg_onnx_fold(n))
        return true;
    if (n->failed)
        return false;
    if (mg_onnx_moves(n)) {
        MgOnnxNode *kept = mg_onnx_kept(n);
        bool done = translate_by_row(n);
        if (done && n->outputs[0] && n->outputs[0] != n->inputs[0])
            n->outputs[0]->moved_by = kept;
        return done;
    }
    return translate_by_row(n);
}

// Writes a comment where a new part of the model begins, as shown by the first folders in the names
// of nodes.
static void note_part(MgOnnx *t, const MgOnnxFrame *frame, const char *name) {
    enum { FOLDERS = 2 };
    size_t end = 0;
    if (frame->depth || *name != '/')
        return;
    for (size_t i = 1, folders = 0; name[i] && folders < FOLDERS; i++)
        if (name[i] == '/') {
            end = i;
            folders++;
        }
    const char *part = mg_arena_str(t->arena, name + 1, end ? end - 1 : 0);
    if (t->part && !strcmp(part, t->part))
        return;
    if (t->part || *part)
        mg_textf(t->out, "\n%s%s\n", *part ? "// " : "", part);
    t->part = part;
}

static bool too_many_nodes(MgOnnx *t) {
    return mg_onnx_error(t, "functions and graphs expand it to more than %d nodes", MAX_NODES);
}

static void translate_node(MgOnnx *t, MgOnnxFrame *frame, const Onnx__NodeProto *p) {
    MgOnnxNode n = {.t = t,
                    .frame = frame,
                    .proto = p,
                    .opset = opset_of(t, frame, mg_onnx_or_empty(p->domain)),
                    .n_inputs = (uint32_t)p->n_input,
                    .n_outputs = (uint32_t)p->n_output};
    const char *name = node_name(p);
    note_part(t, frame, mg_onnx_or_empty(p->name));
    if (t->n_nodes++ >= MAX_NODES) {
        if (t->n_nodes == MAX_NODES + 1)
            too_many_nodes(t);
        return;
    }
    n.label = mg_arena_printf(t->arena, "%s: node '%s' (%s)", t->file.path, name,
                              mg_onnx_or_empty(p->op_type));
    if (n.opset < 0)
        n.opset = INT64_MAX;
    if (!p->n_output) { // the rest may name the node after its output
        mg_onnx_fail(&n, "it has no outputs; a node makes at least one value");
        return;
    }
    n.inputs = MG_NEW_N(t->arena, MgOnnxValue *, n.n_inputs + 1);
    n.outputs = MG_NEW_N(t->arena, MgOnnxValue *, n.n_outputs + 1);
    bool ok = gather_inputs(&n) && perform(&n) && !n.failed;
    if (ok)
        mg_onnx_keep_narrow(&n);
    else if (!t->session->n_errors)
        mg_onnx_fail(&n, "a required input or attribute is missing");
    for (uint32_t i = 0; i < p->n_output; i++) {
        if (!*p->output[i])
            continue;
        if (ok && !n.outputs[i] && mg_onnx_wants(&n, i))
            ok = mg_onnx_unsupported(&n, "output %u ('%s')", i, p->output[i]);
        mg_onnx_define(t, frame, p->output[i], ok && n.outputs[i] ? n.outputs[i] : poisoned(t));
    }
}

// ---------------------------------------------------------------- the order of nodes
typedef struct Order {
    MgOnnx *t;
    const Onnx__GraphProto *g;
    MgMap maker; // name -> node + 1
    char *state; // 0 not seen, 1 waits for its inputs, 2 done
    MG_VEC(size_t) stack;
} Order;

// First visits the node that makes this name, if it is in the same graph. False if that is a cycle.
static bool wait_for(Order *o, const char *name, const Onnx__NodeProto *user) {
    size_t maker = (size_t)mg_map_get(&o->maker, mg_sym(o->t->names, name), 0);
    if (!*name || !maker || o->state[maker - 1] == 2)
        return true;
    if (o->state[maker - 1] == 1)
        return mg_onnx_error(o->t, "node '%s' (%s) takes '%s', which depends on it: a cycle",
                             node_name(user), mg_onnx_or_empty(user->op_type), name);
    mg_push(o->t->arena, &o->stack, maker - 1);
    return true;
}

static bool wait_for_all(Order *o, const Onnx__NodeProto *p, const Onnx__NodeProto *user) {
    for (size_t i = 0; i < p->n_input; i++)
        if (!wait_for(o, p->input[i], user))
            return false;
    for (size_t k = 0; k < p->n_attribute; k++) { // values of this graph that its subgraphs read
        const Onnx__GraphProto *g = p->attribute[k]->g;
        for (size_t i = 0; g && i < g->n_node; i++)
            if (!wait_for_all(o, g->node[i], user))
                return false;
        for (size_t i = 0; g && i < g->n_output; i++)
            if (!wait_for(o, mg_onnx_or_empty(g->output[i]->name), user))
                return false;
    }
    return true;
}

static bool note_makers(Order *o, MgOnnxFrame *frame) {
    MgOnnx *t = o->t;
    for (size_t i = 0; i < o->g->n_node; i++)
        for (size_t k = 0; k < o->g->node[i]->n_output; k++) {
            const char *name = o->g->node[i]->output[k];
            MgSym sym = mg_sym(t->names, name);
            if (*name && (mg_map_find(&o->maker, sym) || mg_map_find(&frame->values, sym)))
                return mg_onnx_error(t, "node '%s' (%s) computes '%s', which already exists",
                                     mg_onnx_or_empty(o->g->node[i]->name),
                                     mg_onnx_or_empty(o->g->node[i]->op_type), name);
            mg_map_put(&o->maker, sym, i + 1);
        }
    return true;
}

bool mg_onnx_initialisers(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g) {
    bool ok = true;
    for (size_t i = 0; i < g->n_initializer; i++) {
        const MgSafetensor *data = mg_onnx_tensor(t, g->initializer[i], "initializer", NULL);
        if (data && mg_map_find(&frame->values, data->key))
            ok = mg_onnx_error(t, "there are two initializers named '%s'",
                               mg_name(t->names, data->key));
        if (data)
            mg_map_put(&frame->values, data->key, (uintptr_t)mg_onnx_constant(t, data));
        ok &= data != NULL;
    }
    if (g->n_sparse_initializer) {
        mg_diag(t->session, mg_no_span(), MG_D_onnx_unsupported, t->file.path, "the graph",
                "sparse initializers");
        ok = false;
    }
    return ok;
}

bool mg_onnx_graph(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g) {
    Order o = {.t = t, .g = g, .state = MG_NEW_N(t->arena, char, g->n_node + 1)};
    uint32_t errors = t->session->n_errors;
    mg_map_init(&o.maker, t->arena);
    if (!note_makers(&o, frame))
        return false;
    for (size_t i = 0; i < g->n_node; i++) {
        mg_push(t->arena, &o.stack, i);
        while (o.stack.len) {
            size_t at = o.stack.at[o.stack.len - 1];
            uint32_t waiting = o.stack.len;
            if (o.state[at] == 0) {
                o.state[at] = 1;
                if (!wait_for_all(&o, g->node[at], g->node[at]))
                    return false;
            }
            if (o.stack.len > waiting)
                continue;
            (void)mg_pop(&o.stack);
            if (o.state[at] != 2)
                translate_node(t, frame, g->node[at]);
            o.state[at] = 2;
        }
    }
    return t->session->n_errors == errors;
}

// ---------------------------------------------------------------- the model
static bool version_ok(MgOnnx *t) {
    int64_t opset = opset_of(t, NULL, "");
    if (opset < 0 && t->model->n_opset_import)
        return true; // a model of other domains only
    if (opset < 1)
        return mg_onnx_error(t, "it names no opset");
    if (opset < OLDEST || opset > NEWEST) {
        mg_diag(t->session, mg_no_span(), MG_D_onnx_unsupported, t->file.path, "the model",
                mg_arena_printf(t->arena, "opset %lld; this version reads opsets %d to %d",
                                (long long)opset, OLDEST, NEWEST));
        return false;
    }
    return true;
}

bool mg_onnx_translate(MgOnnx *t, const char *weights_file, MgText *out) {
    const Onnx__GraphProto *g = t->model->graph;
    MgText header = mg_text(t->arena), results = mg_text(t->arena);
    MgOnnxFrame *frame = mg_onnx_frame(t, NULL);
    *(t->out = MG_NEW(t->arena, MgText)) = mg_text(t->arena);
    index_functions(t);
    if (!version_ok(t) || !operators_known(t))
        return false;
    if (mg_onnx_least_nodes(t) > MAX_NODES)
        return too_many_nodes(t);
    if (!mg_onnx_initialisers(t, frame, g) || !mg_onnx_inputs(t, frame, g, &header))
        return false;
    t->scope = mg_scope_open(
        t->session,
        mg_arena_printf(t->arena, "mg 1\nimport onnx\nimport onnx_axes\ngraph main%s -> () {}",
                        mg_text_str(&header)));
    if (!t->scope)
        return false;
    t->ix = mg_scope_ix(t->scope);
    if (!mg_onnx_bind_inputs(t, frame, g) || !mg_onnx_graph(t, frame, g) ||
        !mg_onnx_outputs(t, frame, g, &results))
        return false;
    MgSym name = mg_onnx_fresh(t, mg_onnx_or_empty(g->name), "main");
    if (mg_scope_has_op(t->scope, name)) // a graph's name would hide an operator's
        name = mg_onnx_fresh(t, NULL, mg_arena_printf(t->arena, "%s_net", mg_name(t->names, name)));
    mg_textf(out, "mg 1\n%s%sgraph %s%s%s\n", t->uses_module ? "import onnx\n" : "",
             t->uses_axes ? "import onnx_axes\n" : "", mg_onnx_spelled(t, name),
             mg_text_str(&header), mg_text_str(&results));
    if (t->weights.tensors.len) {
        mg_text_add(out, "weights ");
        mg_spell_string(weights_file, out);
        mg_text_add(out, "\n");
    }
    mg_textf(out, "{\n%s\n%s}\n", mg_text_str(&t->head), mg_text_str(t->out));
    return true;
}
