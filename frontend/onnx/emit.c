// Writes statements: lowers them at once, and records the types of the values that they bind.
#include "frontend/onnx/internal.h"

#include "frontend/spell.h"

const char *mg_onnx_ix(const MgOnnxNode *n, MgIx x) {
    MgText out = mg_text(n->t->arena);
    mg_ix_print(n->t->ix, n->t->names, x, NULL, NULL, &out);
    return mg_text_str(&out);
}

const char *mg_onnx_list(const MgOnnxNode *n, const int64_t *at, uint32_t count) {
    MgText out = mg_text(n->t->arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&out, "%s%lld", i ? ", " : "[", (long long)at[i]);
    mg_text_add(&out, count ? "]" : "[]");
    return mg_text_str(&out);
}

const char *mg_onnx_ix_list(const MgOnnxNode *n, const MgIx *at, uint32_t count) {
    MgText out = mg_text(n->t->arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&out, "%s%s", i ? ", " : "[", mg_onnx_ix(n, at[i]));
    mg_text_add(&out, count ? "]" : "[]");
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- statements
// Lowers statements. If the library's operator refuses an element type, that is a gap in this
// version and not a mistake in the model.
static bool lower(MgOnnxNode *n, const char *statements) {
    MgSession *session = n->t->session;
    uint32_t diags = session->diags.len, errors = session->n_errors;
    mg_onnx_take_equal(n);
    if (n->failed || mg_scope_add(n->t->scope, n->label, statements))
        return !n->failed;
    if (session->diags.len > diags && session->diags.at[diags].id == MG_D_type_constraint) {
        const char *why = session->diags.at[diags].message;
        session->diags.len = diags;
        session->n_errors = errors;
        return mg_onnx_unsupported(n, "%s", why);
    }
    // This attempt has failed. It continues with the sizes assumed to be equal, to find all the
    // others.
    if (mg_onnx_note_unequal(n->t))
        return lower(n, statements);
    n->failed = n->refused = true;
    return false;
}

bool mg_onnx_say(MgOnnxNode *n, const char *statements) {
    if (!lower(n, statements))
        return false;
    mg_onnx_made_by(n->t, statements, n->label);
    mg_text_add(n->t->out, statements);
    mg_text_add(n->t->out, "\n");
    return true;
}

// The value that a statement bound to name. NULL after an error.
static MgOnnxValue *bound(MgOnnxNode *n, MgSym name) {
    MgOnnxValue *v = MG_NEW(n->t->arena, MgOnnxValue);
    v->name = name;
    if (n->failed || !mg_scope_type(n->t->scope, name, &v->type)) {
        if (!n->failed)
            mg_onnx_fail(n, "internal error: '%s' has no value", mg_name(n->t->names, name));
        return NULL;
    }
    return v;
}

static void set_output(MgOnnxNode *n, uint32_t k, MgOnnxValue *v) {
    if (k < n->n_outputs)
        n->outputs[k] = v;
}

MgSym mg_onnx_output_name(MgOnnxNode *n, uint32_t k, const char *suffix) {
    MgOnnx *t = n->t;
    const char *wanted = k < n->n_outputs ? n->proto->output[k] : NULL;
    if (!wanted || !*wanted)
        return mg_onnx_fresh(t, NULL, n->proto->op_type);
    if (*suffix)
        return mg_onnx_fresh(t, NULL,
                             mg_arena_printf(t->arena, "%s_%s", n->proto->op_type, suffix));
    MgSym port = (MgSym)mg_map_get(&n->frame->ports, mg_sym(t->names, wanted), 0);
    return port ? port : mg_onnx_fresh(t, wanted, n->proto->op_type);
}

bool mg_onnx_bind(MgOnnxNode *n, uint32_t k, MgSym name) {
    MgOnnxValue *v = bound(n, name);
    if (v)
        set_output(n, k, v);
    return v != NULL;
}

bool mg_onnx_same(MgOnnxNode *n, uint32_t k, MgOnnxValue *v) {
    set_output(n, k, v);
    return v != NULL;
}

bool mg_onnx_give_known(MgOnnxNode *n, uint32_t k, MgDType dtype, uint32_t rank, const MgIx *shape,
                        const MgOnnxNumber *numbers, uint32_t count) {
    MgOnnxValue *v = MG_NEW(n->t->arena, MgOnnxValue);
    v->type = (MgScopeType){dtype, rank, shape};
    v->known = numbers;
    v->n_known = count;
    set_output(n, k, v);
    return true;
}

// ---------------------------------------------------------------- values in the text
static void add_bits(MgOnnx *t, MgDType d, const unsigned char *at, MgText *out) {
    int64_t i = 0;
    uint64_t u = 0;
    memcpy(&u, at, mg_dtype_size(d));
    if (mg_is_float(d)) {
        double f = mg_bits_to_double(d, u);
        const char *text = mg_float_str(t->arena, f, d == MG_F32);
        mg_text_add(out, text);
        return;
    }
    if (d == MG_BOOL) {
        mg_text_add(out, u ? "true" : "false");
        return;
    }
    unsigned shift = 64 - (unsigned)mg_dtype(d)->bits;
    i = (int64_t)(u << shift) >> shift;
    if (mg_is_signed(d))
        mg_textf(out, "%lld", (long long)i);
    else
        mg_textf(out, "%llu", (unsigned long long)u);
}

static const char *shape_text(const MgOnnxNode *n, const MgScopeType *type) {
    return mg_onnx_ix_list(n, type->shape, type->rank);
}

// Puts a statement before all others, so that its name is known everywhere.
static bool declare(MgOnnxNode *n, const char *statement) {
    mg_text_add(&n->t->head, statement);
    mg_text_add(&n->t->head, "\n");
    if (!mg_scope_declare(n->t->scope, n->label, statement))
        n->failed = true;
    return !n->failed;
}

// Is a constant written in the text? A single number is, and so is a short list of integers. Other
// floats are weights, even if there are few of them.
static bool stands_in_text(MgDType dtype, size_t count) {
    return count <= (mg_is_float(dtype) ? 1 : 8);
}

// The role of an initialiser in the node that uses it, in case its own name is meaningless.
static const char *role(const MgOnnxNode *n, const MgOnnxValue *v) {
    static const char *const roles[] = {"input", "weight", "bias"};
    for (uint32_t k = 0; k < n->n_inputs && k < 3; k++)
        if (n->inputs[k] == v)
            return mg_onnx_text(n, "%s_%s", n->proto->op_type,
                                mg_is_float(v->type.dtype) ? roles[k] : "index");
    return "weight";
}

static bool constant(MgOnnxNode *n, MgOnnxValue *v, const MgOnnxValue *of) {
    const MgSafetensor *data = of->data;
    MgOnnx *t = n->t;
    const char *key = data->key ? mg_name(t->names, data->key) : NULL;
    size_t size = mg_dtype_size(data->dtype), count = data->bytes / size;
    MgText out = mg_text(t->arena);
    const char *hint = n->proto ? role(n, of) : "weight";
    if (stands_in_text(data->dtype, count)) {
        v->name = mg_onnx_fresh(t, key, hint);
        mg_textf(&out, "const %s: %s%s = [", mg_onnx_spelled(t, v->name), data->type,
                 shape_text(n, &v->type));
        for (size_t i = 0; i < count; i++) {
            mg_text_add(&out, i ? ", " : "");
            add_bits(t, data->dtype, (const unsigned char *)data->data + i * size, &out);
        }
        mg_text_add(&out, "]");
        return declare(n, mg_text_str(&out));
    }
    MgSafetensor weight = *data;
    v->name = mg_onnx_weight_name(t, key, hint);
    // In a string, braces would be read as a formula.
    weight.key = key && *key && !strchr(key, '{') ? data->key : v->name;
    while (mg_map_find(&t->keys, weight.key))
        weight.key = mg_symf(t->names, "%s'", mg_name(t->names, weight.key));
    mg_map_put(&t->keys, weight.key, t->weights.tensors.len);
    mg_map_put(&t->weights.by_key, weight.key, t->weights.tensors.len);
    mg_push(t->arena, &t->weights.tensors, weight);
    mg_textf(&out, "param %s: %s%s", mg_onnx_spelled(t, v->name), data->type,
             shape_text(n, &v->type));
    if (weight.key != v->name) {
        mg_text_add(&out, " as ");
        mg_spell_string(mg_name(t->names, weight.key), &out);
    }
    return declare(n, mg_text_str(&out));
}

static void add_number(const MgOnnxNode *n, const MgOnnxNumber *x, bool value, MgText *out) {
    if (x->real)
        mg_text_add(out, mg_float_str(n->t->arena, x->f, false));
    else if (value)
        mg_ix_print_value(n->t->ix, n->t->names, x->ix, NULL, NULL, out);
    else
        mg_ix_print(n->t->ix, n->t->names, x->ix, NULL, NULL, out);
}

static bool all_constant(const MgOnnxNode *n, const MgOnnxValue *v) {
    int64_t c;
    for (uint32_t i = 0; i < v->n_known; i++)
        if (!v->known[i].real && !mg_ix_is_const(n->t->ix, v->known[i].ix, &c))
            return false;
    return true;
}

// Writes known numbers as a tensor: a constant, or, if they depend on sizes, an equation that
// selects by position.
static const char *numbers_text(MgOnnxNode *n, const MgOnnxValue *v, MgSym name) {
    MgText out = mg_text(n->t->arena);
    const char *type = mg_dtype(v->type.dtype)->name, *spelled = mg_onnx_spelled(n->t, name);
    bool flat = v->type.rank <= 1;
    if (all_constant(n, v)) {
        mg_textf(&out, "const %s: %s%s = [", spelled, type, shape_text(n, &v->type));
        for (uint32_t i = 0; i < v->n_known; i++) {
            mg_text_add(&out, i ? ", " : "");
            if (v->type.dtype == MG_BOOL) {
                int64_t c = 0;
                mg_ix_is_const(n->t->ix, v->known[i].ix, &c);
                mg_text_add(&out, c ? "true" : "false");
            } else
                add_number(n, &v->known[i], false, &out);
        }
        mg_text_add(&out, "]");
        return mg_text_str(&out);
    }
    const char *line = flat ? spelled : mg_onnx_spelled(n->t, mg_onnx_fresh(n->t, NULL, "sizes"));
    if (v->type.rank)
        mg_textf(&out, "%s[i in 0..%u]: %s[%u] = %s(", line, v->n_known, type, v->n_known, type);
    else
        mg_textf(&out, "%s[]: %s[] = %s(", line, type, type);
    for (uint32_t i = 0; i + 1 < v->n_known; i++) {
        mg_textf(&out, "where(i == %u, ", i);
        add_number(n, &v->known[i], true, &out);
        mg_text_add(&out, ", ");
    }
    add_number(n, &v->known[v->n_known - 1], true, &out);
    for (uint32_t i = 0; i < v->n_known; i++)
        mg_text_add(&out, ")");
    if (!flat)
        mg_textf(&out, "\n%s = reshape(%s, shape = %s)", spelled, line, shape_text(n, &v->type));
    return mg_text_str(&out);
}

// Known numbers that mention a size of the run are written where they are used, not at the top.
static bool numbers(MgOnnxNode *n, MgOnnxValue *v) {
    MgOnnx *t = n->t;
    bool late = false;
    for (uint32_t i = 0; i < v->n_known; i++)
        late |= !v->known[i].real && !mg_scope_is_early(t->scope, v->known[i].ix);
    v->name = mg_onnx_fresh(t, NULL, v->type.rank ? "sizes" : "number");
    const char *text = numbers_text(n, v, v->name);
    return late ? mg_onnx_say(n, text) : declare(n, text);
}

const char *mg_onnx_operand(MgOnnxNode *n, MgOnnxValue *v) {
    if (!v->name) {
        mg_onnx_settle(n->t, v);
        MgOnnxValue copy = *v;
        if (v->data ? !constant(n, &copy, v) : !numbers(n, &copy))
            return "_";
        bool inner = !v->data && mg_scope_is_inner(n->t->scope);
        if (!inner || mg_scope_is_outermost(n->t->scope, copy.name))
            v->name = copy.name;
        return mg_onnx_spelled(n->t, copy.name);
    }
    return mg_onnx_spelled(n->t, v->name);
}

static bool is_number(const MgOnnxValue *v) {
    return !v->name && v->data && !v->type.rank;
}

// A literal takes the type of the other operand, so another operand must have a type.
const char *mg_onnx_literal(MgOnnxNode *n, MgOnnxValue *v) {
    MgText out = mg_text(n->t->arena);
    bool meets = false;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        meets |=
            n->inputs[i] && !is_number(n->inputs[i]) && n->inputs[i]->type.dtype == v->type.dtype;
    if (!meets || !is_number(v) || v->type.dtype == MG_BOOL)
        return mg_onnx_operand(n, v);
    add_bits(n->t, v->type.dtype, v->data->data, &out);
    return mg_text_str(&out);
}

bool mg_onnx_scalar(MgOnnxNode *n, uint32_t k) {
    MgOnnxValue *v = mg_onnx_input(n, k);
    if (!v || !v->type.rank)
        return true;
    if (v->data && v->data->bytes == mg_dtype_size(v->type.dtype)) {
        MgSafetensor *one = MG_NEW(n->t->arena, MgSafetensor);
        *one = *v->data;
        one->rank = 0;
        n->inputs[k] = mg_onnx_constant(n->t, one);
        mg_onnx_settle(n->t, n->inputs[k]);
        return true;
    }
    n->inputs[k] = mg_onnx_let(n, "number", mg_onnx_text(n, "reshape($%u, shape = [])", k));
    return n->inputs[k] != NULL;
}

// ---------------------------------------------------------------- statements of templates
// Binds names to the results of one expression. If data decide a size in a result's type, the type
// is written out, which names the size for later statements.
static bool bind_all(MgOnnxNode *n, const MgSym *names, uint32_t count, const char *expression,
                     MgOnnxValue **values) {
    MgOnnx *t = n->t;
    MgText plain = mg_text(t->arena), typed = mg_text(t->arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&plain, "%s%s", i ? ", " : "", mg_onnx_spelled(t, names[i]));
    mg_textf(&plain, " = %s", expression);
    if (!lower(n, mg_text_str(&plain)))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!(values[i] = bound(n, names[i])))
            return false;
        mg_textf(&typed, "%s%s", i ? ", " : "", mg_onnx_spelled(t, names[i]));
        if (mg_scope_name_dims(t->scope, &values[i]->type))
            mg_textf(&typed, ": %s%s", mg_dtype(values[i]->type.dtype)->name,
                     shape_text(n, &values[i]->type));
    }
    mg_textf(&typed, " = %s\n", expression);
    mg_onnx_made_by(t, mg_text_str(&typed), n->label);
    mg_text_add(t->out, mg_text_str(&typed));
    return true;
}

bool mg_onnx_give_as(MgOnnxNode *n, const int32_t *outputs, uint32_t count, const char *expression,
                     MgOnnxValue **values) {
    MgSym *names = MG_NEW_N(n->t->arena, MgSym, count + 1);
    if (!values)
        values = MG_NEW_N(n->t->arena, MgOnnxValue *, count + 1);
    if (n->failed)
        return false;
    for (uint32_t i = 0; i < count; i++)
        names[i] = outputs[i] >= 0 ? mg_onnx_output_name(n, (uint32_t)outputs[i], "")
                                   : mg_onnx_fresh(n->t, NULL, "unused");
    if (!bind_all(n, names, count, expression, values))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (outputs[i] >= 0)
            set_output(n, (uint32_t)outputs[i], values[i]);
    return true;
}

bool mg_onnx_give_from(MgOnnxNode *n, uint32_t first, uint32_t results, const char *template) {
    const char *expression = mg_onnx_expand(n, template);
    int32_t *outputs = MG_NEW_N(n->t->arena, int32_t, results + 1);
    for (uint32_t i = 0; i < results; i++)
        outputs[i] = (int32_t)(first + i);
    return mg_onnx_give_as(n, outputs, results, expression, NULL);
}

bool mg_onnx_give_all(MgOnnxNode *n, uint32_t results, const char *template) {
    return mg_onnx_give_from(n, 0, results, template);
}

bool mg_onnx_say_template(MgOnnxNode *n, const char *template) {
    const char *statements = mg_onnx_expand(n, template);
    return !n->failed && mg_onnx_say(n, statements);
}

bool mg_onnx_give(MgOnnxNode *n, uint32_t k, const char *template) {
    return mg_onnx_give_from(n, k, 1, template);
}

MgOnnxValue *mg_onnx_let(MgOnnxNode *n, const char *hint, const char *template) {
    const char *expression = mg_onnx_expand(n, template);
    if (n->failed)
        return NULL;
    MgSym name = mg_onnx_fresh(n->t, NULL, hint);
    MgOnnxValue *v;
    return bind_all(n, &name, 1, expression, &v) ? v : NULL;
}
