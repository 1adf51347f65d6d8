// Expands the templates of rows (ops_*.def) with a node's inputs and attributes. internal.h
// describes templates.
#include "frontend/onnx/internal.h"

#include "frontend/spell.h"
#include "support/map.h"

#include <ctype.h>
#include <stdlib.h>

enum { INTS = 7 }; // the type of a list of integers

typedef struct Template {
    MgOnnxNode *n;
    const char *at; // the rest of the template
    MgText out;
    bool in_group, absent; // inside {…}; the group vanishes
    size_t group;          // where the group begins in the text
    bool tries, fails;     // outside groups, something may be absent; something is
} Template;

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static const char *taken(Template *p, size_t length) {
    const char *text = mg_arena_str(p->n->t->arena, p->at, length);
    p->at += length;
    return text;
}

// The next word, or "".
static const char *word(Template *p) {
    size_t length = 0;
    while (is_word(p->at[length]))
        length++;
    return taken(p, length);
}

// The word after this character if the character is next, otherwise "".
static const char *word_after(Template *p, char c) {
    if (*p->at != c)
        return "";
    p->at++;
    return word(p);
}

static bool takes(Template *p, const char *text) {
    size_t length = strlen(text);
    bool here = !strncmp(p->at, text, length);
    p->at += here ? length : 0;
    return here;
}

// The bits of the node's seed. A node without one derives it from its result's name.
const char *mg_onnx_seed(MgOnnxNode *n) {
    const char *name = n->n_outputs ? n->proto->output[0] : "";
    uint64_t s = mg_hash(name, strlen(name), 0);
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, "seed");
    if (a && a->has_i && !a->has_f) {
        s = (uint64_t)a->i;
    } else if (a) {
        float given = (float)mg_onnx_float(n, "seed", 0);
        uint32_t bits;
        memcpy(&bits, &given, sizeof bits);
        s = bits;
    }
    return mg_onnx_text(n, "%llu", (unsigned long long)s);
}

// Called if something that the template asks for is absent. False if that is an error.
static bool may_be_absent(Template *p) {
    if (p->in_group)
        p->absent = true;
    else if (p->tries)
        p->fails = true;
    return p->in_group || p->tries;
}

// ---------------------------------------------------------------- inputs
static void drop_comma(MgText *out) {
    while (out->bytes.len && strchr(", \n", out->bytes.at[out->bytes.len - 1]))
        out->bytes.len--;
}

// function(function(first, input `from`), …), up to input end - 1.
static void combine(MgText *out, MgOnnxNode *n, const char *function, const char *first,
                    uint32_t from, uint32_t end) {
    for (uint32_t i = from; i < end; i++)
        mg_textf(out, "%s(", function);
    mg_text_add(out, first);
    for (uint32_t i = from; i < end; i++)
        mg_textf(out, ", %s)", mg_onnx_literal(n, n->inputs[i]));
}

// All inputs, as a list or, if a function is named, combined two at a time. Very many inputs are
// combined in several statements, since an expression's depth has a limit.
static void add_inputs(Template *p) {
    enum { MOST_NESTED = 256 };
    MgOnnxNode *n = p->n;
    const char *function = word_after(p, ':');
    if (!n->n_inputs)
        mg_onnx_fail(n, "it has no inputs");
    if (!n->n_inputs || !mg_onnx_takes(n, n->n_inputs))
        return;
    for (uint32_t i = 0; !*function && i < n->n_inputs; i++)
        mg_textf(&p->out, "%s%s", i ? ", " : "", mg_onnx_operand(n, n->inputs[i]));
    if (!*function)
        return;
    const char *first =
        n->n_inputs > 1 ? mg_onnx_literal(n, n->inputs[0]) : mg_onnx_operand(n, n->inputs[0]);
    uint32_t at = 1;
    for (; n->n_inputs - at > MOST_NESTED; at += MOST_NESTED) {
        MgText part = mg_text(n->t->arena);
        combine(&part, n, function, first, at, at + MOST_NESTED);
        MgOnnxValue *v = mg_onnx_let(n, "partial", mg_text_str(&part));
        if (!v)
            return;
        first = mg_onnx_operand(n, v);
    }
    combine(&p->out, n, function, first, at, n->n_inputs);
}

static bool has_later_input(const MgOnnxNode *n, uint32_t k) {
    while (++k < n->n_inputs)
        if (n->inputs[k])
            return true;
    return false;
}

// Is the input known to hold only zeros?
static bool is_zero(MgOnnxNode *n, MgOnnxValue *v) {
    int64_t c;
    if (!mg_onnx_numbers(n->t, v))
        return false;
    for (uint32_t i = 0; i < v->n_known; i++)
        if (v->known[i].real || !mg_onnx_const(n, v->known[i].ix, &c) || c)
            return false;
    return true;
}

// Expands a `$…`.
static void add_input(Template *p) {
    MgOnnxNode *n = p->n;
    if (takes(p, "*")) {
        add_inputs(p);
        return;
    }
    if (takes(p, "n")) {
        mg_textf(&p->out, "%u", n->n_inputs);
        return;
    }
    if (takes(p, "seed")) {
        mg_text_add(&p->out, mg_onnx_seed(n));
        return;
    }
    uint32_t k = (uint32_t)strtoul(p->at, (char **)(uintptr_t)&p->at, 10);
    if (takes(p, ":one") && !mg_onnx_scalar(n, k))
        return;
    MgOnnxValue *v = mg_onnx_input(n, k);
    if (takes(p, ":late") && n->t->use != MG_ONNX_USE_BOUNDS)
        v = NULL;
    if (takes(p, "!") && v && is_zero(n, v))
        v = NULL;
    if (takes(p, ":like") && v && n->n_inputs && n->inputs[0] &&
        (v->type.dtype != n->inputs[0]->type.dtype || !mg_is_float(v->type.dtype)))
        v = NULL;
    bool optional = takes(p, "?"), literal = takes(p, "~");
    if (v)
        mg_text_add(&p->out, literal ? mg_onnx_literal(n, v) : mg_onnx_operand(n, v));
    else if (optional && has_later_input(n, k))
        mg_text_add(&p->out, "none");
    else if (optional)
        drop_comma(&p->out);
    else if (!may_be_absent(p))
        mg_onnx_fail(n, "input %u is missing", k);
}

typedef enum Form { LIST, ONE, INTEGER } Form;

static Form form_of_numbers(Template *p) {
    return takes(p, ":one") ? ONE : takes(p, ":int") ? INTEGER : LIST;
}

// Adds known numbers, as a list or as a single number.
static void add_numbers(Template *p, uint32_t k, Form form) {
    MgOnnxNode *n = p->n;
    bool one = form != LIST;
    const MgOnnxNumber *at;
    uint32_t count;
    if (!mg_onnx_known(n, k, &at, &count))
        return;
    if (one && count != 1) {
        mg_onnx_fail(n, "input %u must be one number", k);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        double f = at[i].real ? at[i].f : 0;
        bool whole = form == INTEGER && f > -1e15 && f < 1e15;
        mg_textf(&p->out, "%s%s",
                 i     ? ", "
                 : one ? ""
                       : "[",
                 !at[i].real ? mg_onnx_ix(n, at[i].ix)
                 : whole     ? mg_onnx_text(n, "%lld", (long long)f)
                             : mg_float_str(n->t->arena, f, true));
    }
    mg_text_add(&p->out, one ? "" : count ? "]" : "[]");
}

// Is the input a known integer, and not a list of one?
static bool is_known_number(MgOnnxNode *n, MgOnnxValue *v) {
    int64_t number;
    return !v->type.rank && mg_onnx_numbers(n->t, v) && v->n_known == 1 && !v->known[0].real &&
           mg_onnx_const(n, v->known[0].ix, &number);
}

// Does the run decide the numbers of the input? It doesn't for an empty list.
static bool run_decides(const MgOnnxNode *n, uint32_t k) {
    int64_t count;
    return mg_onnx_by_run(n, k) &&
           !(n->inputs[k]->type.rank == 1 &&
             mg_onnx_const(n, n->inputs[k]->type.shape[0], &count) && !count);
}

// Expands a `#…`.
static void add_known(Template *p) {
    uint32_t k = (uint32_t)strtoul(p->at, (char **)(uintptr_t)&p->at, 10);
    bool if_known = takes(p, ":known"), early = takes(p, ":early");
    if (takes(p, ":times") && mg_onnx_input(p->n, 0))
        p->n->around = mg_onnx_elements(p->n, &p->n->inputs[0]->type);
    Form form = if_known ? ONE : form_of_numbers(p);
    bool late = early && run_decides(p->n, k);
    if (late && p->tries)
        p->fails = true;
    else if (late)
        mg_onnx_unsupported(p->n, "input %u ('%s') is known only when the graph runs", k,
                            p->n->proto->input[k]);
    else if (mg_onnx_input(p->n, k) && (!if_known || is_known_number(p->n, p->n->inputs[k])))
        add_numbers(p, k, form);
    else if (!may_be_absent(p))
        mg_onnx_fail(p->n, "input %u is missing", k);
}

// ---------------------------------------------------------------- attributes
static void add_string(Template *p, const char *text, bool lower) {
    char *copy = mg_arena_str(p->n->t->arena, text, strlen(text));
    for (char *c = copy; lower && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    mg_spell_string(copy, &p->out);
}

static bool all_equal(const int64_t *at, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (at[i] != at[0])
            return false;
    return n > 0;
}

static bool is_list(const Onnx__AttributeProto *a) {
    return a->n_ints || a->type == INTS;
}

static void add_type(Template *p, const char *name) {
    MgDType d;
    int64_t type = mg_onnx_int(p->n, name, 0);
    if (!mg_onnx_dtype(type, &d))
        mg_onnx_unsupported(p->n, "elements that are %s", mg_onnx_dtype_name(type));
    else
        mg_text_add(&p->out, mg_dtype(d)->name);
}

// A tensor of one element, as a constant of rank 0.
static void add_tensor(Template *p, const Onnx__AttributeProto *a, const char *name) {
    MgOnnxNode *n = p->n;
    const MgSafetensor *data = mg_onnx_tensor(n->t, a->t, n->label, name);
    if (!data) {
        n->failed = true;
        return;
    }
    MgSafetensor *one = MG_NEW(n->t->arena, MgSafetensor);
    *one = *data;
    one->rank = 0;
    if (one->bytes != mg_dtype_size(one->dtype))
        mg_onnx_fail(n, "attribute '%s' must be one number", name);
    else
        mg_text_add(&p->out, mg_onnx_operand(n, mg_onnx_constant(n->t, one)));
}

static void add_attribute(Template *p, const Onnx__AttributeProto *a, const char *name,
                          const char *form) {
    MgOnnxNode *n = p->n;
    if (a->has_t) {
        add_tensor(p, a, name);
    } else if (!strcmp(form, "bool")) {
        mg_text_add(&p->out, mg_onnx_int(n, name, 0) ? "true" : "false");
    } else if (!strcmp(form, "type")) {
        add_type(p, name);
    } else if (!strcmp(form, "word")) {
        add_string(p, mg_onnx_str(n, name, ""), true);
    } else if (!strcmp(form, "str")) {
        add_string(p, mg_onnx_str(n, name, ""), false);
    } else if (!strcmp(form, "each") && is_list(a) && all_equal(a->ints, a->n_ints)) {
        mg_textf(&p->out, "%lld", (long long)a->ints[0]);
    } else if (is_list(a)) {
        MgOnnxInts ints = mg_onnx_ints(n, name);
        mg_text_add(&p->out, mg_onnx_list(n, ints.at, ints.n));
    } else if (a->has_f && !a->has_i) {
        mg_text_add(&p->out, mg_float_str(n->t->arena, mg_onnx_float(n, name, 0), true));
    } else {
        mg_textf(&p->out, "%lld", (long long)mg_onnx_int(n, name, 0));
    }
}

// Does the attribute have the value that its absence would mean: a word, a number, or a list of
// that number?
static bool is_usual(const Onnx__AttributeProto *a, const char *usual) {
    if (!a)
        return false;
    if (a->has_s)
        return a->s.len == strlen(usual) && !memcmp(a->s.data, usual, a->s.len);
    if (is_list(a))
        return all_equal(a->ints, a->n_ints) && a->ints[0] == strtoll(usual, NULL, 10);
    return a->has_f ? a->f == strtof(usual, NULL) : a->i == strtoll(usual, NULL, 10);
}

// Expands an `@…`.
static void add_named(Template *p) {
    MgOnnxNode *n = p->n;
    const char *name = word(p), *form = word_after(p, ':'), *otherwise = NULL;
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, name);
    if (takes(p, "!=") && is_usual(a, taken(p, strcspn(p->at, ",)}]{ #"))))
        p->absent = p->in_group;
    if (takes(p, "#")) {
        if (!a) {
            add_known(p);
            return;
        }
        strtoul(p->at, (char **)(uintptr_t)&p->at, 10);
        takes(p, ":early");
        form_of_numbers(p);
    }
    if (takes(p, "="))
        otherwise = taken(p, *p->at == '[' ? strcspn(p->at, "]") + 1 : strcspn(p->at, ",)}]{ "));
    if (a)
        add_attribute(p, a, name, form);
    else if (otherwise)
        mg_text_add(&p->out, otherwise);
    else if (!may_be_absent(p))
        mg_onnx_fail(n, "attribute '%s' is missing", name);
}

// ---------------------------------------------------------------- the whole
// Expands the template. NULL if it only tries and something is absent.
static const char *expand(MgOnnxNode *n, const char *template, bool tries) {
    Template p = {.n = n, .at = template, .out = mg_text(n->t->arena), .tries = tries};
    while (*p.at && !p.fails) {
        char c = *p.at++;
        if (c == '$' && (isalnum((unsigned char)*p.at) || *p.at == '*')) {
            add_input(&p);
        } else if (c == '@' && isalpha((unsigned char)*p.at)) {
            add_named(&p);
        } else if (c == '#' && isdigit((unsigned char)*p.at)) {
            add_known(&p);
        } else if (c == '{') {
            p.in_group = true;
            p.absent = false;
            p.group = p.out.bytes.len;
        } else if (c == '}' && p.in_group) {
            if (p.absent)
                p.out.bytes.len = (uint32_t)p.group;
            p.in_group = false;
        } else {
            mg_text_add_n(&p.out, &c, 1);
        }
    }
    if (p.fails)
        return NULL;
    n->t->uses_module |= strstr(template, "onnx.") != NULL;
    n->t->uses_axes |= strstr(template, "onnx_axes.") != NULL;
    return mg_text_str(&p.out);
}

const char *mg_onnx_expand(MgOnnxNode *n, const char *template) {
    for (const char *bar; (bar = strstr(template, " || ")); template = bar + strlen(" || ")) {
        const char *first = mg_arena_str(n->t->arena, template, (size_t)(bar - template));
        const char *text = expand(n, first, true);
        if (text || n->failed)
            return text ? text : "_";
    }
    return expand(n, template, false);
}

// A node for several tensors. Its inputs are two numbers, then the tensors, then their gradients,
// and so on. `$each` stands for the inputs of one tensor, and the outputs follow the same order.
static bool for_each(MgOnnxNode *n, const char *template) {
    uint32_t operands = n->n_inputs > 2 ? n->n_inputs - 2 : 0;
    uint32_t count = operands > n->n_outputs ? operands - n->n_outputs : 0;
    const char *place = strstr(template, "$each");
    if (!count || operands % count || n->n_outputs % count || !mg_onnx_takes(n, n->n_inputs))
        return mg_onnx_fail(n,
                            "%u input%s and %u output%s are not those of tensors with their "
                            "gradients and states",
                            n->n_inputs, mg_plural(n->n_inputs), n->n_outputs,
                            mg_plural(n->n_outputs));
    for (uint32_t i = 0; i < count; i++) {
        MgText each = mg_text(n->t->arena);
        int32_t *outputs = MG_NEW_N(n->t->arena, int32_t, n->n_outputs);
        for (uint32_t k = i; k < operands; k += count)
            mg_textf(&each, "%s$%u", k == i ? "" : ", ", k + 2);
        for (uint32_t k = i; k < n->n_outputs; k += count)
            outputs[k / count] = (int32_t)k;
        const char *call = mg_onnx_text(n, "%.*s%s%s", (int)(place - template), template,
                                        mg_text_str(&each), place + strlen("$each"));
        if (!mg_onnx_give_as(n, outputs, n->n_outputs / count, mg_onnx_expand(n, call), NULL))
            return false;
    }
    return true;
}

// "first |3| all": the second expression, with 3 results, if more than the first result is used.
bool mg_onnx_by_template(MgOnnxNode *n, const char *template) {
    static const char wide[] = "|wide| ";
    if (!strncmp(template, wide, strlen(wide)))
        return mg_onnx_stretch(n) && mg_onnx_by_template(n, template + strlen(wide));
    bool unchanged = !strcmp(template, "$0") || (n->n_inputs == 1 && !strncmp(template, "$*:", 3));
    if (unchanged)
        return mg_onnx_takes(n, 1) && mg_onnx_same(n, 0, n->inputs[0]);
    static const char each[] = "|each|";
    if (!strncmp(template, each, strlen(each)))
        return for_each(n, template + strlen(each));
    const char *bar = strstr(template, "||") ? NULL : strchr(template, '|');
    if (!bar)
        return mg_onnx_give(n, 0, template);
    bool more = bar == template;
    for (uint32_t k = 1; k < n->n_outputs; k++)
        more |= mg_onnx_wants(n, k);
    char *end;
    uint32_t results = (uint32_t)strtoul(bar + 1, &end, 10);
    const char *first = mg_arena_str(n->t->arena, template, (size_t)(bar - template));
    return more ? mg_onnx_give_all(n, results, end + 1) : mg_onnx_give(n, 0, first);
}
