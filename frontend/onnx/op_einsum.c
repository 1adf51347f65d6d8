// Einsum. Its letters are MG's indices, so it becomes an equation of the text. An ellipsis becomes
// one index for each dimension that it stands for, aligned at the right. A dimension of 1 that is
// matched with a larger one is read at 0.
#include "frontend/onnx/ops.h"

#include <ctype.h>

enum { MAX_TERMS = 16, MAX_LABELS = 96 };

// A label is a letter, or ELLIPSIS + the distance from the ellipsis's right end.
enum { ELLIPSIS = 256 };

typedef struct Term {
    uint32_t n;
    int label[MAX_LABELS];
} Term;

typedef struct Einsum {
    MgOnnxNode *n;
    uint32_t n_terms;
    Term terms[MAX_TERMS], result;
    uint32_t ellipsis; // the most dimensions that an ellipsis stands for
    uint32_t n_labels; // all labels, in order of appearance, with their names and sizes
    struct {
        int label;
        uint32_t times;
        const char *name;
        MgIx size;
    } labels[MAX_LABELS];
} Einsum;

static int find(const Einsum *e, int label) {
    for (uint32_t i = 0; i < e->n_labels; i++)
        if (e->labels[i].label == label)
            return (int)i;
    return -1;
}

// The name of an index: its letter, or a longer one if the text already uses the letter.
static const char *index_name(Einsum *e, int label) {
    MgOnnx *t = e->n->t;
    const char *wanted = label >= ELLIPSIS ? mg_onnx_text(e->n, "e%d", label - ELLIPSIS)
                                           : mg_onnx_text(e->n, "%c%c", label, label);
    return mg_onnx_spelled(t, mg_onnx_fresh(t, NULL, wanted));
}

// ---------------------------------------------------------------- the equation's text
// Reads one term, up to a comma, an arrow or the end. The ellipsis stands for `dots` dimensions.
static bool term(Einsum *e, const char **at, uint32_t dots, Term *t) {
    bool dotted = false;
    *t = (Term){0};
    for (; **at && **at != ',' && strncmp(*at, "->", 2) != 0; ++*at) {
        if (isspace((unsigned char)**at))
            continue;
        if (!strncmp(*at, "...", 3) && !dotted) {
            for (uint32_t i = 0; i < dots && t->n < MAX_LABELS; i++)
                t->label[t->n++] = ELLIPSIS + (int)(dots - 1 - i);
            dotted = true;
            *at += 2;
        } else if (isalpha((unsigned char)**at) && t->n < MAX_LABELS) {
            t->label[t->n++] = **at;
        } else {
            return mg_onnx_fail(e->n, "its equation has '%c' where a letter is expected", **at);
        }
    }
    return true;
}

static uint32_t letters(const char *from) {
    uint32_t count = 0;
    for (; *from && *from != ',' && strncmp(from, "->", 2) != 0; from++)
        count += isalpha((unsigned char)*from) != 0;
    return count;
}

static bool note(Einsum *e, int label, MgIx size) {
    int64_t d;
    int i = find(e, label);
    if (i < 0) {
        if (e->n_labels == MAX_LABELS)
            return mg_onnx_unsupported(e->n, "more than %d letters", MAX_LABELS);
        i = (int)e->n_labels++;
        e->labels[i].label = label;
        e->labels[i].size = size;
    }
    if (mg_onnx_const(e->n, e->labels[i].size, &d) && d == 1)
        e->labels[i].size = size;
    e->labels[i].times++;
    return true;
}

static bool operands(Einsum *e, const char **at) {
    MgOnnxNode *n = e->n;
    for (e->n_terms = 0; e->n_terms < MAX_TERMS; ++*at) {
        if (e->n_terms >= n->n_inputs || !n->inputs[e->n_terms])
            return mg_onnx_fail(n, "its equation has more terms than there are inputs");
        const MgScopeType *x = &n->inputs[e->n_terms]->type;
        Term *t = &e->terms[e->n_terms++];
        uint32_t named = letters(*at), dots = x->rank > named ? x->rank - named : 0;
        if (!term(e, at, dots, t))
            return false;
        if (t->n != x->rank)
            return mg_onnx_fail(n, "its equation has %u letter%s for input %u of rank %u", t->n,
                                mg_plural(t->n), e->n_terms - 1, x->rank);
        for (uint32_t i = 0; i < t->n; i++) {
            if (t->label[i] >= ELLIPSIS && dots > e->ellipsis)
                e->ellipsis = dots;
            if (!note(e, t->label[i], x->shape[i]))
                return false;
        }
        if (**at != ',')
            return e->n_terms == n->n_inputs ||
                   mg_onnx_fail(n, "its equation has %u term%s for %u input%s", e->n_terms,
                                mg_plural(e->n_terms), n->n_inputs, mg_plural(n->n_inputs));
    }
    return mg_onnx_unsupported(n, "more than %d terms", MAX_TERMS);
}

// The result of an equation without an arrow: the ellipsis, then the letters that occur once,
// sorted.
static void implied_result(Einsum *e) {
    Term *r = &e->result;
    *r = (Term){0};
    for (uint32_t i = 0; i < e->ellipsis; i++)
        r->label[r->n++] = ELLIPSIS + (int)(e->ellipsis - 1 - i);
    for (int c = 'A'; c <= 'z'; c++) {
        int i = find(e, c);
        if (i >= 0 && e->labels[i].times == 1)
            r->label[r->n++] = c;
    }
}

// ---------------------------------------------------------------- the equation in MG
static bool in_result(const Einsum *e, int label) {
    for (uint32_t i = 0; i < e->result.n; i++)
        if (e->result.label[i] == label)
            return true;
    return false;
}

static void add_read(const Einsum *e, uint32_t k, MgText *out) {
    MgOnnxNode *n = e->n;
    const Term *t = &e->terms[k];
    mg_textf(out, "%s[", mg_onnx_operand(n, n->inputs[k]));
    for (uint32_t i = 0; i < t->n; i++) {
        int l = find(e, t->label[i]);
        int64_t size, whole;
        bool stretched = mg_onnx_const(n, n->inputs[k]->type.shape[i], &size) && size == 1 &&
                         !(mg_onnx_const(n, e->labels[l].size, &whole) && whole == 1);
        mg_textf(out, "%s%s", i ? ", " : "", stretched ? "0" : e->labels[l].name);
    }
    mg_text_add(out, "]");
}

static const char *equation(Einsum *e, MgSym name) {
    MgOnnxNode *n = e->n;
    MgText out = mg_text(n->t->arena);
    uint32_t bound = 0;
    mg_textf(&out, "%s[", mg_onnx_spelled(n->t, name));
    for (uint32_t i = 0; i < e->result.n; i++) {
        int l = find(e, e->result.label[i]);
        mg_textf(&out, "%s%s in 0..%s", i ? ", " : "", e->labels[l].name,
                 mg_onnx_ix(n, e->labels[l].size));
    }
    mg_textf(&out, "]: %s[", mg_dtype(n->inputs[0]->type.dtype)->name); // f16 stays f16
    for (uint32_t i = 0; i < e->result.n; i++)
        mg_textf(&out, "%s%s", i ? ", " : "",
                 mg_onnx_ix(n, e->labels[find(e, e->result.label[i])].size));
    mg_text_add(&out, "] = ");
    for (uint32_t l = 0; l < e->n_labels; l++)
        if (!in_result(e, e->labels[l].label))
            mg_textf(&out, "%s%s in 0..%s", bound++ ? ", " : "sum[", e->labels[l].name,
                     mg_onnx_ix(n, e->labels[l].size));
    mg_text_add(&out, bound ? "] " : "");
    for (uint32_t k = 0; k < e->n_terms; k++) {
        mg_text_add(&out, k ? " * " : "");
        add_read(e, k, &out);
    }
    return mg_text_str(&out);
}

MG_ONNX_OP(einsum) {
    (void)text;
    Einsum *e = MG_NEW(n->t->arena, Einsum);
    const char *at = mg_onnx_str(n, "equation", "");
    e->n = n;
    if (!operands(e, &at))
        return false;
    if (!strncmp(at, "->", 2)) {
        at += 2;
        if (!term(e, &at, e->ellipsis, &e->result))
            return false;
        if (*at)
            return mg_onnx_fail(n, "its equation continues after the result: '%s'", at);
    } else {
        implied_result(e);
    }
    for (uint32_t i = 0; i < e->result.n; i++) {
        if (find(e, e->result.label[i]) < 0)
            return mg_onnx_fail(n, "its equation's result has a letter that no term has");
        for (uint32_t k = 0; k < i; k++)
            if (e->result.label[k] == e->result.label[i])
                return mg_onnx_fail(n, "its equation's result has a letter twice");
    }
    for (uint32_t l = 0; l < e->n_labels; l++)
        e->labels[l].name = index_name(e, e->labels[l].label);
    MgSym name = mg_onnx_output_name(n, 0, "");
    return mg_onnx_say(n, equation(e, name)) && mg_onnx_bind(n, 0, name);
}
