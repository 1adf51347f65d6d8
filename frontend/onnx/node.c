// Questions of a row's function about its node: inputs, attributes, and known values.
#include "frontend/onnx/internal.h"

bool mg_onnx_fail(MgOnnxNode *n, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(n->t->arena, format, args);
    va_end(args);
    if (!n->failed)
        mg_diag(n->t->session, mg_no_span(), MG_D_onnx_node, n->label, text);
    n->failed = true;
    return false;
}

bool mg_onnx_unsupported(MgOnnxNode *n, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(n->t->arena, format, args);
    va_end(args);
    if (!n->failed)
        mg_diag(n->t->session, mg_no_span(), MG_D_onnx_unsupported_node, n->label, text);
    n->failed = true;
    return false;
}

MgOnnxValue *mg_onnx_input(const MgOnnxNode *n, uint32_t k) {
    return k < n->n_inputs ? n->inputs[k] : NULL;
}

bool mg_onnx_wants(const MgOnnxNode *n, uint32_t k) {
    const char *name = k < n->n_outputs ? n->proto->output[k] : NULL;
    return name && *name && mg_map_find(&n->t->uses, mg_sym(n->t->names, name));
}

bool mg_onnx_takes(MgOnnxNode *n, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!mg_onnx_input(n, i))
            return mg_onnx_fail(n, "input %u is missing", i);
    return true;
}

// ---------------------------------------------------------------- attributes
static const Onnx__AttributeProto *named(Onnx__AttributeProto *const *at, size_t n,
                                         const char *name) {
    for (size_t i = 0; i < n; i++)
        if (at[i]->name && !strcmp(at[i]->name, name))
            return at[i];
    return NULL;
}

// Inside a function, an attribute may refer to an attribute of the call, or to the function's
// default for it.
static const Onnx__AttributeProto *lookup(const MgOnnxFrame *frame, const Onnx__NodeProto *node,
                                          const char *name) {
    const Onnx__AttributeProto *a = named(node->attribute, node->n_attribute, name);
    for (const MgOnnxFrame *f = frame; a && a->ref_attr_name && *a->ref_attr_name; f = f->caller) {
        while (f && !f->call)
            f = f->outer;
        if (!f)
            return NULL;
        const char *wanted = a->ref_attr_name;
        a = named(f->call->attribute, f->call->n_attribute, wanted);
        if (!a)
            a = named(f->function->attribute_proto, f->function->n_attribute_proto, wanted);
    }
    return a;
}

const Onnx__AttributeProto *mg_onnx_attribute(MgOnnxNode *n, const char *name) {
    return lookup(n->frame, n->proto, name);
}

static const char *const kinds[] = {"nothing",
                                    "a float",
                                    "an integer",
                                    "a string",
                                    "a tensor",
                                    "a graph",
                                    "a list of floats",
                                    "a list of integers",
                                    "a list of strings",
                                    "a list of tensors",
                                    "a list of graphs",
                                    "a sparse tensor",
                                    "sparse tensors",
                                    "a type",
                                    "types"};
enum { FLOAT = 1, INT, STRING, FLOATS = 6, INTS, STRINGS };

// The attribute. NULL if it is absent; NULL with an error if it is of another kind.
static const Onnx__AttributeProto *attribute(MgOnnxNode *n, const char *name, int kind) {
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, name);
    int is = a && a->has_type ? a->type : kind;
    if (a && is != kind) {
        bool known = is >= 0 && is < (int)(sizeof kinds / sizeof *kinds);
        mg_onnx_fail(n, "attribute '%s' is %s; expected %s", name,
                     known ? kinds[is] : "of an unknown type", kinds[kind]);
        return NULL;
    }
    return a;
}

bool mg_onnx_has(MgOnnxNode *n, const char *name) {
    return mg_onnx_attribute(n, name) != NULL;
}

int64_t mg_onnx_int(MgOnnxNode *n, const char *name, int64_t otherwise) {
    const Onnx__AttributeProto *a = attribute(n, name, INT);
    return a ? a->i : otherwise;
}

double mg_onnx_float(MgOnnxNode *n, const char *name, double otherwise) {
    const Onnx__AttributeProto *a = attribute(n, name, FLOAT);
    return a ? (double)a->f : otherwise;
}

const char *mg_onnx_str(MgOnnxNode *n, const char *name, const char *otherwise) {
    const Onnx__AttributeProto *a = attribute(n, name, STRING);
    return a ? mg_arena_str(n->t->arena, (const char *)a->s.data, a->s.len) : otherwise;
}

const char *mg_onnx_word(MgOnnxNode *n, const char *name, const char *words) {
    const char *found = NULL, *first = NULL, *given = mg_onnx_str(n, name, NULL);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *word = mg_arena_str(n->t->arena, at, length);
        first = first ? first : word;
        found = !found && given && !strcmp(given, word) ? word : found;
        at += length;
    }
    if (given && !found)
        mg_onnx_fail(n, "attribute '%s' is '%s'; expected one of: %s", name, given, words);
    return found ? found : first;
}

MgOnnxInts mg_onnx_ints(MgOnnxNode *n, const char *name) {
    const Onnx__AttributeProto *a = attribute(n, name, INTS);
    if (!a)
        return (MgOnnxInts){0};
    return (MgOnnxInts){true, (uint32_t)a->n_ints, a->ints};
}

MgOnnxFloats mg_onnx_floats(MgOnnxNode *n, const char *name) {
    const Onnx__AttributeProto *a = attribute(n, name, FLOATS);
    if (!a)
        return (MgOnnxFloats){0};
    return (MgOnnxFloats){true, (uint32_t)a->n_floats, a->floats};
}

uint32_t mg_onnx_n_strs(MgOnnxNode *n, const char *name) {
    const Onnx__AttributeProto *a = attribute(n, name, STRINGS);
    return a ? (uint32_t)a->n_strings : 0;
}

const char *mg_onnx_str_at(MgOnnxNode *n, const char *name, uint32_t k) {
    const Onnx__AttributeProto *a = attribute(n, name, STRINGS);
    const ProtobufCBinaryData *s = a && k < a->n_strings ? &a->strings[k] : NULL;
    return s ? mg_arena_str(n->t->arena, (const char *)s->data, s->len) : "";
}

// ---------------------------------------------------------------- known values
bool mg_onnx_known(MgOnnxNode *n, uint32_t k, const MgOnnxNumber **numbers, uint32_t *count) {
    MgOnnxValue *v = mg_onnx_input(n, k);
    if (!v)
        return false;
    if (!v->known && !mg_onnx_numbers(n->t, v) && mg_onnx_late_numbers(n, k))
        v = n->inputs[k];
    if (!v->known)
        return mg_onnx_unsupported(n, "input %u ('%s') is known only when the graph runs", k,
                                   n->proto->input[k]);
    *numbers = v->known;
    *count = v->n_known;
    return true;
}

MgOnnxSizes mg_onnx_sizes(MgOnnxNode *n, const char *attribute_name, uint32_t k) {
    const MgOnnxNumber *numbers;
    MgOnnxSizes s = {0};
    if (attribute_name && mg_onnx_has(n, attribute_name)) {
        MgOnnxInts ints = mg_onnx_ints(n, attribute_name);
        MgIx *at = MG_NEW_N(n->t->arena, MgIx, ints.n + 1);
        for (uint32_t i = 0; i < ints.n; i++)
            at[i] = mg_ix_const(n->t->ix, ints.at[i]);
        return (MgOnnxSizes){ints.given, ints.n, at};
    }
    if (!mg_onnx_known(n, k, &numbers, &s.n))
        return (MgOnnxSizes){0};
    MgIx *at = MG_NEW_N(n->t->arena, MgIx, s.n + 1);
    for (uint32_t i = 0; i < s.n; i++) {
        if (numbers[i].real) {
            mg_onnx_fail(n, "input %u must hold integers", k);
            return (MgOnnxSizes){0};
        }
        at[i] = numbers[i].ix;
    }
    return (MgOnnxSizes){true, s.n, at};
}

MgOnnxInts mg_onnx_axes(MgOnnxNode *n, const char *attribute_name, uint32_t k) {
    MgOnnxSizes s = mg_onnx_sizes(n, attribute_name, k);
    int64_t *at = MG_NEW_N(n->t->arena, int64_t, s.n + 1);
    for (uint32_t i = 0; i < s.n; i++)
        if (!mg_onnx_const(n, s.at[i], &at[i])) {
            mg_onnx_unsupported(n, "'%s' depends on sizes", attribute_name ? attribute_name : "it");
            return (MgOnnxInts){0};
        }
    return (MgOnnxInts){s.given, s.n, at};
}

bool mg_onnx_const(const MgOnnxNode *n, MgIx x, int64_t *value) {
    return mg_ix_is_const(n->t->ix, x, value);
}

bool mg_onnx_axis(MgOnnxNode *n, int64_t *axis, uint32_t rank) {
    if (*axis < -(int64_t)rank || *axis >= (int64_t)rank)
        return mg_onnx_fail(n, "axis %lld does not exist: the rank is %u", (long long)*axis, rank);
    *axis += *axis < 0 ? rank : 0;
    return true;
}
