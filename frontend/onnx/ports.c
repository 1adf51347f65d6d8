// Ports of a model: their names, the types of inputs, what is given for them, results.
#include "frontend/onnx/internal.h"

#include "runtime/tensor.h"

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

// Dimensions of one name are equal; one without a name is called by its input and place.
static void add_dim(MgOnnx *t, MgMap *dims, const Onnx__TensorShapeProto__Dimension *d,
                    const char *port, size_t i, MgText *out) {
    const char *param = mg_onnx_or_empty(d->dim_param);
    if (d->has_dim_value && d->dim_value >= 0) {
        mg_textf(out, "%lld", (long long)d->dim_value);
        return;
    }
    MgSym key = mg_symf(t->names, *param ? "%s" : "%s?", param);
    uint64_t *known = *param ? mg_map_find(dims, key) : NULL;
    MgSym name = known ? (MgSym)*known
                       : mg_onnx_fresh(t, *param ? param : NULL,
                                       mg_arena_printf(t->arena, "%s_%zu", port, i));
    if (*param)
        mg_map_put(dims, key, name);
    mg_text_add(out, mg_onnx_spelled(t, name));
}

// Whether an input's sizes are those of the tensor that it will be given.
static bool takes_shape(const MgOnnx *t, const Onnx__TypeProto__Tensor *type, const MgTensor *g) {
    bool open = !type->shape || type->shape->n_dim != g->rank;
    MgDType d; // a literal of whole numbers says nothing of how floats are shaped
    if (!mg_onnx_carrier(type->elem_type, &d) || (mg_is_float(d) && g->dtype == MG_I64))
        return false;
    return t->use >= MG_ONNX_USE_SHAPES || (t->use == MG_ONNX_USE_RANKS && open);
}

static bool add_input(MgOnnx *t, MgOnnxFrame *frame, MgMap *dims, const Onnx__ValueInfoProto *p,
                      uint32_t place, MgSym port, MgText *out) {
    const char *name = mg_onnx_or_empty(p->name);
    const Onnx__TypeProto__Tensor *type = p->type ? p->type->tensor_type : NULL;
    const MgTensor *tensor = mg_onnx_given(t, name, place);
    MgDType d;
    if (type && tensor && mg_onnx_carrier(type->elem_type, &d) && takes_shape(t, type, tensor)) {
        mg_textf(out, "%s: %s[", mg_onnx_spelled(t, port), mg_dtype(d)->name);
        for (uint32_t i = 0; i < tensor->rank; i++)
            mg_textf(out, "%s%lld", i ? ", " : "", (long long)tensor->dims[i]);
        mg_text_add(out, "]");
        mg_map_put(&frame->ports, mg_sym(t->names, name), port);
        return true;
    }
    if (!type || !mg_onnx_carrier(type->elem_type, &d) || !type->shape) {
        const char *what = !p->type                      ? "no type"
                           : p->type->sequence_type      ? "a sequence"
                           : p->type->map_type           ? "a map"
                           : p->type->optional_type      ? "an optional"
                           : p->type->sparse_tensor_type ? "a sparse tensor"
                           : !type                       ? "no type"
                           : !type->shape                ? "a tensor of unknown rank"
                                                         : mg_onnx_dtype_name(type->elem_type);
        mg_diag(t->session, mg_no_span(), MG_D_onnx_unsupported, t->file.path,
                mg_arena_printf(t->arena, "input '%s'", name), what);
        return false;
    }
    mg_textf(out, "%s: %s[", mg_onnx_spelled(t, port), mg_dtype(d)->name);
    for (size_t i = 0; i < type->shape->n_dim; i++) {
        mg_text_add(out, i ? ", " : "");
        add_dim(t, dims, type->shape->dim[i], mg_name(t->names, port), i, out);
    }
    mg_text_add(out, "]");
    mg_map_put(&frame->ports, mg_sym(t->names, name), port);
    return true;
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
        return mg_onnx_error(t, "inputs %zu and %zu have one name, '%s'", a + 1, b + 1,
                             mg_onnx_or_empty(g->input[a]->name));
    mg_map_init(&dims, t->arena);
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
        mg_text_add(out, place ? ", " : "");
        ok &= add_input(t, frame, &dims, g->input[i], place++, ports[i], out);
    }
    mg_text_add(out, ")");
    return ok;
}

// The elements of a tensor that is given, as those of a constant.
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

bool mg_onnx_bind_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g) {
    uint32_t place = 0;
    for (size_t i = 0; i < g->n_input; i++) {
        MgSym name = mg_sym(t->names, mg_onnx_or_empty(g->input[i]->name));
        if (mg_map_find(&frame->values, name))
            continue;
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

bool mg_onnx_outputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out) {
    mg_text_add(out, " -> (");
    for (size_t i = 0; i < g->n_output; i++) {
        const char *onnx = mg_onnx_or_empty(g->output[i]->name);
        MgSym name = mg_sym(t->names, onnx), port = (MgSym)mg_map_get(&frame->ports, name, 0);
        MgOnnxValue *v = mg_onnx_find(frame, name);
        if (!v)
            return mg_onnx_error(t, "output '%s' is made by no node", onnx);
        if (v->poison)
            return false;
        MgOnnxNode n = {.t = t,
                        .frame = frame,
                        .label = mg_arena_printf(t->arena, "%s: output '%s'", t->file.path, onnx)};
        if (v->name != port) {
            if (mg_scope_is_outermost(t->scope, port))
                port = port_name(t, onnx);
            if (!mg_onnx_say(&n, mg_arena_printf(t->arena, "%s = identity(%s)",
                                                 mg_onnx_spelled(t, port), mg_onnx_operand(&n, v))))
                return false;
        }
        mg_textf(out, "%s%s", i ? ", " : "", mg_onnx_spelled(t, port));
        bool early = true;
        for (uint32_t k = 0; k < v->type.rank; k++)
            early &= mg_scope_is_early(t->scope, v->type.shape[k]);
        if (early)
            mg_textf(out, ": %s%s", mg_dtype(v->type.dtype)->name,
                     mg_onnx_ix_list(&n, v->type.shape, v->type.rank));
    }
    mg_text_add(out, ")");
    return true;
}
