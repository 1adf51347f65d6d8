// The ports of a model: their names, the types of inputs, what the caller gives for them, and the
// results.
#include "frontend/onnx/internal.h"

#include "formats/tensor.h"

#include <ctype.h>

#define SIZES_DIFFER UINT64_MAX // in MgOnnx.sizes

static bool spellable(const char *name) {
    return *name && !strpbrk(name, "`\n\r\t") && strlen(name) < 200;
}

static MgSym port_name(MgOnnx *t, const char *name) {
    MgSym sym = mg_sym(t->names, name);
    if (!spellable(name) || mg_map_find(&t->used, sym))
        return mg_onnx_fresh(t, name, "port");
    mg_onnx_reserve(t, sym);
    return sym;
}

static bool is_identifier(const char *name) {
    bool ok = isalpha((unsigned char)*name) || *name == '_';
    for (; ok && *name; name++)
        ok = isalnum((unsigned char)*name) || *name == '_';
    return ok;
}

// The name that equal dimensions share, or "" if there is none. Exporters write '?' and similar
// names for unrelated sizes, so a name that is not an identifier is ignored. So is a name whose
// sizes differ in the given inputs.
static const char *shared_name(MgOnnx *t, const Onnx__TensorShapeProto__Dimension *d) {
    const char *param = mg_onnx_or_empty(d->dim_param);
    bool odd = *param && !is_identifier(param);
    if (odd && !isalnum((unsigned char)*param))
        return ""; // '?' can't be a name even if nothing else helps
    t->odd_names |= odd;
    bool shared = (!odd || t->use_odd_names) &&
                  mg_map_get(&t->sizes, mg_sym(t->names, param), 0) != SIZES_DIFFER;
    return shared ? param : "";
}

// Records the sizes that the caller gives for named dimensions.
static void note_sizes(MgOnnx *t, const MgOnnxFrame *frame, const Onnx__GraphProto *g) {
    uint32_t place = 0;
    for (size_t i = 0; i < g->n_input; i++) {
        const char *name = mg_onnx_or_empty(g->input[i]->name);
        if (mg_map_find(&frame->values, mg_sym(t->names, name)))
            continue;
        const Onnx__TypeProto *type = g->input[i]->type;
        const MgTensor *given = mg_onnx_given(t, name, place++);
        const Onnx__TensorShapeProto *shape =
            type && type->tensor_type ? type->tensor_type->shape : NULL;
        for (uint32_t k = 0; given && shape && shape->n_dim == given->rank && k < given->rank;
             k++) {
            MgSym param = mg_sym(t->names, mg_onnx_or_empty(shape->dim[k]->dim_param));
            uint64_t size = (uint64_t)given->dims[k] + 1;
            if (mg_map_get(&t->sizes, param, size) != size)
                size = SIZES_DIFFER;
            mg_map_put(&t->sizes, param, size);
        }
    }
}

// Dimensions of one name are equal. A dimension without a name is named after its input and axis.
// Returns its name, or 0 if it is a number.
static MgSym add_dim(MgOnnx *t, MgMap *dims, const Onnx__TensorShapeProto__Dimension *d,
                     const char *port, size_t i, MgText *out) {
    const char *param = shared_name(t, d);
    if (d->has_dim_value && d->dim_value >= 0) {
        mg_textf(out, "%lld", (long long)d->dim_value);
        return 0;
    }
    MgSym key = mg_symf(t->names, *param ? "%s" : "%s?", param);
    uint64_t *known = *param ? mg_map_find(dims, key) : NULL;
    MgSym name = known ? (MgSym)*known
                       : mg_onnx_fresh(t, *param ? param : NULL,
                                       mg_arena_printf(t->arena, "%s_%zu", port, i));
    if (*param)
        mg_map_put(dims, key, name);
    mg_map_put(&t->dims, name, *param ? MG_ONNX_DIM_NAMED : MG_ONNX_DIM_OURS);
    mg_onnx_add_size(t, name, out);
    return name;
}

// Does the given tensor say which sizes an input has? A literal of integers doesn't give the shape
// of floats.
static bool has_shape(const Onnx__TypeProto__Tensor *type, const MgTensor *g) {
    MgDType d;
    return mg_onnx_carrier(type->elem_type, &d) && !(mg_is_float(d) && g->dtype == MG_I64);
}

// Does an input take its sizes from the given tensor?
static bool takes_shape(const MgOnnx *t, const Onnx__TypeProto__Tensor *type, const MgTensor *g) {
    bool open = !type->shape || type->shape->n_dim != g->rank;
    return has_shape(type, g) &&
           (t->use >= MG_ONNX_USE_SHAPES || (t->use == MG_ONNX_USE_RANKS && open));
}

static bool unsupported_input(const MgOnnx *t, const char *name, const char *what) {
    mg_diag(t->session, mg_no_span(), MG_D_onnx_unsupported, t->file.path,
            mg_arena_printf(t->arena, "input '%s'", name), what);
    return false;
}

// The part of a type that is not supported.
static const char *wrong_type(const Onnx__TypeProto *p) {
    const Onnx__TypeProto__Tensor *type = p ? p->tensor_type : NULL;
    return p && p->map_type             ? "a map"
           : p && p->sparse_tensor_type ? "a sparse tensor"
           : !type                      ? "no type"
           : !type->shape ? "a tensor of unknown rank: run the model with this input given, or "
                            "give it a shape in the file"
                          : mg_onnx_dtype_name(type->elem_type);
}

// Adds one tensor of an input as the port of this name.
static bool add_tensor(MgOnnx *t, MgMap *dims, const Onnx__TypeProto *p, const char *name,
                       const MgTensor *tensor, MgSym port, MgText *out) {
    const Onnx__TypeProto__Tensor *type = p ? p->tensor_type : NULL;
    MgDType d;
    if (type && tensor && mg_onnx_carrier(type->elem_type, &d) && takes_shape(t, type, tensor)) {
        mg_textf(out, "%s: %s[", mg_onnx_spelled(t, port), mg_dtype(d)->name);
        for (uint32_t i = 0; i < tensor->rank; i++)
            mg_textf(out, "%s%lld", i ? ", " : "", (long long)tensor->dims[i]);
        mg_text_add(out, "]");
        return true;
    }
    if (!type || !mg_onnx_carrier(type->elem_type, &d) || !type->shape)
        return unsupported_input(t, name, wrong_type(p));
    mg_textf(out, "%s: %s[", mg_onnx_spelled(t, port), mg_dtype(d)->name);
    for (size_t i = 0; i < type->shape->n_dim; i++) {
        mg_text_add(out, i ? ", " : "");
        MgSym dim = add_dim(t, dims, type->shape->dim[i], mg_name(t->names, port), i, out);
        if (dim && tensor && tensor->rank == type->shape->n_dim && has_shape(type, tensor))
            mg_map_put(&t->dim_sizes, dim, (uint64_t)tensor->dims[i] + 1);
    }
    mg_text_add(out, "]");
    return true;
}

// An input that is a list. It becomes a port for each given element.
typedef struct List {
    MgOnnx *t;
    const char *name;
    const MgGiven *given; // all given tensors; NULL: each has a name of its own
    uint32_t n;           // elements so far
    MgText *out;
} List;

static const MgTensor *element(const List *l) {
    if (l->given)
        return l->n < l->given->n_elements ? l->given->elements[l->n] : NULL;
    return mg_onnx_given(l->t, mg_arena_printf(l->t->arena, "%s_%u", l->name, l->n), UINT32_MAX);
}

// The value of a type. Lists take the remaining given tensors. NULL after an error.
static MgOnnxValue *list_value(List *l, const Onnx__TypeProto *type) {
    MgOnnx *t = l->t;
    MgOnnxKind kind = mg_onnx_kind_of(type);
    MG_VEC(MgOnnxValue *) elements = {0};
    if (!kind) {
        MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
        const MgTensor *tensor = element(l);
        v->name = mg_onnx_fresh(t, mg_arena_printf(t->arena, "%s_%u", l->name, l->n), "element");
        v->is_input = true;
        mg_text_add(l->out, l->out->bytes.at[l->out->bytes.len - 1] == '(' ? "" : ", ");
        MgMap dims; // each tensor has sizes of its own
        mg_map_init(&dims, t->arena);
        if (!add_tensor(t, &dims, type, l->name, tensor, v->name, l->out))
            return NULL;
        v->narrow = mg_onnx_is_narrow(type->tensor_type->elem_type)
                        ? (uint32_t)type->tensor_type->elem_type
                        : 0;
        l->n++;
        return v;
    }
    while (element(l) && (kind == MG_ONNX_SEQUENCE || !elements.len)) {
        MgOnnxValue *v = list_value(l, mg_onnx_element_type(type));
        if (!v)
            return NULL;
        mg_push(t->arena, &elements, v);
    }
    return mg_onnx_list_of(t, kind, elements.at, elements.len);
}

static bool add_list(MgOnnx *t, const Onnx__ValueInfoProto *p, uint32_t place, MgText *out) {
    const char *name = mg_onnx_or_empty(p->name);
    List l = {.t = t, .name = name, .out = out};
    const MgGiven *given = mg_onnx_given_for(t, name, place);
    MgGiven one = {.n_elements = 1, .elements = given ? &given->tensor : NULL};
    l.given = given && given->tensor ? &one : given;
    if (!l.given && !element(&l))
        return unsupported_input(
            t, name,
            mg_arena_printf(t->arena, "%s of unknown length: give its tensors, '%s_0' and so on",
                            p->type->sequence_type ? "a sequence" : "an optional", name));
    MgOnnxValue *v = list_value(&l, p->type);
    if (v)
        mg_map_put(&t->lists, mg_sym(t->names, name), (uintptr_t)v);
    return v != NULL;
}

static bool add_input(MgOnnx *t, MgOnnxFrame *frame, MgMap *dims, const Onnx__ValueInfoProto *p,
                      uint32_t place, MgSym port, MgText *out) {
    const char *name = mg_onnx_or_empty(p->name);
    if (mg_onnx_kind_of(p->type))
        return add_list(t, p, place, out);
    mg_text_add(out, out->bytes.at[out->bytes.len - 1] == '(' ? "" : ", ");
    mg_map_put(&frame->ports, mg_sym(t->names, name), port);
    return add_tensor(t, dims, p->type, name, mg_onnx_given(t, name, place), port, out);
}

bool mg_onnx_named_twice(MgOnnx *t, const Onnx__GraphProto *g, size_t *first, size_t *second) {
    MgMap seen;
    mg_map_init(&seen, t->arena);
    for (*second = 0; *second < g->n_input; ++*second) {
        MgSym name = mg_sym(t->names, mg_onnx_or_empty(g->input[*second]->name));
        uint64_t *at = mg_map_find(&seen, name);
        if (at) {
            *first = (size_t)*at;
            return true;
        }
        mg_map_put(&seen, name, *second);
    }
    return false;
}

bool mg_onnx_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out) {
    MgMap dims;
    bool ok = true;
    uint32_t place = 0;
    size_t a, b;
    if (mg_onnx_named_twice(t, g, &a, &b))
        return mg_onnx_error(t, "inputs %zu and %zu have the same name, '%s'", a + 1, b + 1,
                             mg_onnx_or_empty(g->input[a]->name));
    mg_map_init(&dims, t->arena);
    note_sizes(t, frame, g);
    MgSym *ports = MG_NEW_N(t->arena, MgSym, g->n_input + 1);
    for (size_t i = 0; i < g->n_input; i++)
        if (!mg_map_find(&frame->values, mg_sym(t->names, mg_onnx_or_empty(g->input[i]->name))))
            ports[i] = port_name(t, mg_onnx_or_empty(g->input[i]->name));
    for (size_t i = 0; i < g->n_output; i++) // reserved before anything else is named
        if (!mg_map_find(&frame->ports, mg_sym(t->names, mg_onnx_or_empty(g->output[i]->name))))
            mg_map_put(&frame->ports, mg_sym(t->names, mg_onnx_or_empty(g->output[i]->name)),
                       port_name(t, mg_onnx_or_empty(g->output[i]->name)));
    mg_text_add(out, "(");
    for (size_t i = 0; i < g->n_input; i++) {
        if (!ports[i])
            continue;
        ok &= add_input(t, frame, &dims, g->input[i], place++, ports[i], out);
    }
    mg_text_add(out, ")");
    return ok;
}

// The elements of a given tensor, as those of a constant.
static const MgSafetensor *elements(MgOnnx *t, const MgTensor *tensor, MgDType dtype) {
    if (t->use != MG_ONNX_USE_VALUES || !tensor || tensor->dtype != dtype)
        return NULL;
    MgSafetensor *data = MG_NEW(t->arena, MgSafetensor);
    *data = (MgSafetensor){.dtype = dtype,
                           .type = mg_dtype(dtype)->name,
                           .rank = tensor->rank,
                           .dims = tensor->dims,
                           .data = tensor->data,
                           .bytes = tensor->bytes};
    return data;
}

// Sets the types of a list's tensors, once the scope knows the signature.
static bool bind_list(MgOnnx *t, MgOnnxValue *v) {
    for (uint32_t i = 0; v->kind && i < v->n_elements; i++)
        if (!bind_list(t, v->elements[i]))
            return false;
    return v->kind || mg_scope_type(t->scope, v->name, &v->type);
}

bool mg_onnx_bind_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g) {
    uint32_t place = 0;
    for (size_t i = 0; i < g->n_input; i++) {
        MgSym name = mg_sym(t->names, mg_onnx_or_empty(g->input[i]->name));
        if (mg_map_find(&frame->values, name))
            continue;
        MgOnnxValue *list = (MgOnnxValue *)(uintptr_t)mg_map_get(&t->lists, name, 0);
        if (list && !bind_list(t, list))
            return mg_onnx_error(t, "internal error: input '%s' has no type", g->input[i]->name);
        if (list) {
            mg_map_put(&frame->values, name, (uintptr_t)list);
            place++;
            continue;
        }
        MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
        v->name = (MgSym)mg_map_get(&frame->ports, name, 0);
        if (!mg_scope_type(t->scope, v->name, &v->type))
            return mg_onnx_error(t, "internal error: input '%s' has no type", g->input[i]->name);
        v->is_input = true;
        int64_t type = g->input[i]->type->tensor_type->elem_type;
        v->narrow = mg_onnx_is_narrow(type) ? (uint32_t)type : 0;
        v->data = elements(t, mg_onnx_given(t, mg_onnx_or_empty(g->input[i]->name), place++),
                           v->type.dtype);
        mg_map_put(&frame->values, name, (uintptr_t)v);
    }
    return true;
}

// Adds the tensor v as the result named `port`. onnx: its name in the model.
static bool add_result(MgOnnxNode *n, const char *onnx, MgSym port, MgOnnxValue *v, MgText *out) {
    MgOnnx *t = n->t;
    if (v->name != port) {
        if (mg_scope_is_outermost(t->scope, port))
            port = port_name(t, onnx);
        if (!mg_onnx_say(n, mg_arena_printf(t->arena, "%s = identity(%s)", mg_onnx_spelled(t, port),
                                            mg_onnx_operand(n, v))))
            return false;
    }
    mg_textf(out, "%s%s", out->bytes.at[out->bytes.len - 1] == '(' ? "" : ", ",
             mg_onnx_spelled(t, port));
    bool early = true;
    for (uint32_t k = 0; k < v->type.rank; k++)
        early &= mg_scope_is_early(t->scope, v->type.shape[k]);
    if (early)
        mg_textf(out, ": %s%s", mg_dtype(v->type.dtype)->name,
                 mg_onnx_ix_list(n, v->type.shape, v->type.rank));
    return true;
}

// Adds the tensors of a list, each as a result of its own.
static bool add_results(MgOnnxNode *n, const char *onnx, MgOnnxValue *list, MgText *out) {
    MgOnnx *t = n->t;
    MgOnnxValue **leaves = MG_NEW_N(t->arena, MgOnnxValue *, mg_onnx_leaves(list) + 1);
    uint32_t count = 0;
    mg_onnx_flatten(list, leaves, &count);
    for (uint32_t k = 0; k < count; k++) {
        const char *name = mg_arena_printf(t->arena, "%s_%u", onnx, k);
        if (!add_result(n, name, port_name(t, name), leaves[k], out))
            return false;
    }
    return true;
}

bool mg_onnx_outputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out) {
    mg_text_add(out, " -> (");
    for (size_t i = 0; i < g->n_output; i++) {
        const char *onnx = mg_onnx_or_empty(g->output[i]->name);
        MgSym name = mg_sym(t->names, onnx), port = (MgSym)mg_map_get(&frame->ports, name, 0);
        MgOnnxValue *v = mg_onnx_find(frame, name);
        if (!v)
            return mg_onnx_error(t, "no node computes output '%s'", onnx);
        if (v->poison)
            return false;
        MgOnnxNode n = {.t = t,
                        .frame = frame,
                        .label = mg_arena_printf(t->arena, "%s: output '%s'", t->file.path, onnx)};
        if (!(v->kind ? add_results(&n, onnx, v, out) : add_result(&n, onnx, port, v, out)))
            return false;
    }
    mg_text_add(out, ")");
    return true;
}
