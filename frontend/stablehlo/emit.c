// Writes values and statements in MG.
#include "frontend/stablehlo/internal.h"

#include "frontend/std_embedded.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { // words of the language, which can't be names
    "as",   "and",   "const",  "else",  "emit",    "for",  "if",     "in",     "loop",
    "not",  "or",    "over",   "param", "require", "some", "while",  "yield",  "sum",
    "prod", "mean",  "max",    "min",   "any",     "all",  "argmax", "argmin", "last",
    "inf",  "nan",   "true",   "false", "none",    "next", "carry",  "given",  "graph",
    "op",   "layer", "import", "let",   "pos",     NULL};

// Statements call the library's operators by names that must not be hidden.
static bool in_library(const char *name) {
    for (const MgStdFile *file = mg_std_files; file->name; file++)
        for (const char *const *one = file->defines; !file->imported && *one; one++)
            if (!strcmp(*one, name))
                return true;
    return mg_dtype_of_name(name) != MG_DTYPE_COUNT || mg_prim_of_name(name) != MG_PRIM_COUNT;
}

static bool is_word(const char *name) {
    for (size_t i = 0; words[i]; i++)
        if (!strcmp(words[i], name))
            return true;
    return name[0] == 'i' && name[1] >= '0' && name[1] <= '9'; // these are the indices of equations
}

const char *mg_hlo_fresh(MgHlo *t, const char *wanted) {
    MgText name = mg_text(t->arena);
    wanted += *wanted == '%';
    if (*wanted >= '0' && *wanted <= '9')
        mg_text_add(&name, "v");
    for (const char *at = wanted; *at; at++) {
        bool fits = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                    (*at >= '0' && *at <= '9') || *at == '_';
        mg_text_add_n(&name, fits ? at : "_", 1);
    }
    if (!name.bytes.len || is_word(mg_text_str(&name)) || in_library(mg_text_str(&name)))
        mg_text_add(&name, "_");
    const char *base = mg_text_str(&name), *made = base;
    uint64_t last = mg_map_get(&t->used, mg_sym(t->names, base), 1);
    while (mg_map_find(&t->used, mg_sym(t->names, made)))
        made = mg_hlo_text(t, "%s_%llu", base, (unsigned long long)++last);
    mg_map_put(&t->used, mg_sym(t->names, base), last);
    mg_map_put(&t->used, mg_sym(t->names, made), 1);
    return made;
}

MgHloType mg_hlo_tensor(MgHlo *t, MgDType dtype, uint32_t rank, const int64_t *dims) {
    return (MgHloType){dtype, rank, rank ? mg_arena_copy(t->arena, dims, rank, sizeof *dims) : NULL,
                       false};
}

const char *mg_hlo_shape(MgHlo *t, const MgHloType *type) {
    return mg_hlo_text(t, "%s[%s]", mg_dtype(type->dtype)->name, mg_hlo_sizes(t, type));
}

MgHloValue *mg_hlo_value(MgHlo *t, MgHloType type, const char *text) {
    MgHloValue *v = MG_NEW(t->arena, MgHloValue);
    v->type = type;
    v->text = text;
    return v;
}

// Records the operation of the statement with this beginning.
static void note(MgHlo *t, const MgHloOp *op, const char *statement) {
    size_t n = strspn(statement, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (!op || !n)
        return;
    uint32_t line = mg_place(t->session, t->source, (uint32_t)(op->at - t->text)).line;
    const char *label = mg_hlo_text(t, "%s:%u: %s", t->path, line, op->name);
    mg_map_put(&t->makers, mg_sym_n(t->names, statement, n), (uint64_t)(uintptr_t)label);
}

void mg_hlo_say(MgHlo *t, const MgHloOp *op, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *text = mg_arena_alloc(t->arena, (size_t)length + 2, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    note(t, op, text);
    mg_text_add(t->out, text);
    mg_text_add(t->out, "\n");
}

const char *const *mg_hlo_indices(MgHlo *t, uint32_t rank) {
    const char **at = MG_NEW_N(t->arena, const char *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        at[i] = mg_hlo_text(t, "i%u", i);
    return at;
}

static const char *joined(MgHlo *t, const char *const *parts, uint32_t n) {
    MgText out = mg_text(t->arena);
    for (uint32_t i = 0; i < n; i++)
        mg_textf(&out, "%s%s", i ? ", " : "", parts[i]);
    return mg_text_str(&out);
}

const char *mg_hlo_left(MgHlo *t, const char *name, const MgHloType *type) {
    return mg_hlo_text(t, "%s[%s]: %s", name, joined(t, mg_hlo_indices(t, type->rank), type->rank),
                       mg_hlo_shape(t, type));
}

void mg_hlo_add_constant(MgHlo *t, const MgHloType *type, const char *name,
                         const char *const *elements) {
    mg_textf(&t->head, "const %s: %s = [%s]\n", name, mg_hlo_shape(t, type),
             joined(t, elements, (uint32_t)mg_hlo_count(t, type)));
}

// Adds a constant if no element is an open size.
static bool known_constant(MgHlo *t, const MgHloValue *v, const char *name) {
    size_t count = (size_t)mg_hlo_count(t, &v->type);
    const char **elements = MG_NEW_N(t->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (mg_hlo_is_open(v->known[i]))
            return false;
        elements[i] = mg_hlo_size(t, v->known[i]);
    }
    if (count)
        mg_hlo_add_constant(t, &v->type, name, elements);
    return count != 0;
}

const char *mg_hlo_name(MgHlo *t, MgHloValue *v) {
    if (v->stack) { // it is a state of a loop after all
        v->stack->used = true;
        return v->text;
    }
    if (v->text)
        return v->text;
    const char *name = mg_hlo_fresh(t, v->known && !v->literal ? "at" : "number");
    if (v->known && v->type.rank && known_constant(t, v, name))
        return name;
    const char *what = v->literal ? v->literal : v->known ? mg_hlo_known_text(t, v) : NULL;
    mg_hlo_say(t, v->op, "%s = %s", mg_hlo_left(t, name, &v->type), what ? what : "0");
    return name; // it is known only here: another block may need it, too
}

const char *mg_hlo_read(MgHlo *t, MgHloValue *v, const char *const *subscripts) {
    if (v->literal)
        return v->literal;
    if (v->known && !v->type.rank && !v->text)
        return mg_hlo_known_text(t, v);
    return mg_hlo_text(t, "%s[%s]", mg_hlo_name(t, v), joined(t, subscripts, v->type.rank));
}

const char *mg_hlo_number(MgHloNode *n, uint32_t k) {
    if (n->inputs[k]->type.rank)
        mg_hlo_fail(n->t, n->op->at, "operand %u is no single number", k);
    return n->t->failed ? "0" : mg_hlo_read(n->t, n->inputs[k], NULL);
}

const char *mg_hlo_result_name(const MgHloNode *n, uint32_t k) {
    const MgHloOp *op = n->op;
    return mg_hlo_fresh(n->t, op->results && k < op->n_named ? op->results[k]
                              : op->result                   ? op->result
                                                             : "unused");
}

static MgHloValue *let(MgHlo *t, const MgHloOp *op, const char *name, MgHloType type,
                       const char *left, const char *expression) {
    MgHloValue *v = mg_hlo_value(t, type, name);
    v->op = op;
    mg_hlo_say(t, op, "%s = %s", left, expression);
    return v;
}

MgHloValue *mg_hlo_let(MgHlo *t, const MgHloOp *op, const char *hint, MgHloType type,
                       const char *expression) {
    const char *name = mg_hlo_fresh(t, hint);
    return let(t, op, name, type, mg_hlo_left(t, name, &type), expression);
}

MgHloValue *mg_hlo_let_whole(MgHlo *t, const MgHloOp *op, const char *hint, MgHloType type,
                             const char *expression) {
    const char *name = mg_hlo_fresh(t, hint);
    return let(t, op, name, type, name, expression);
}

bool mg_hlo_give(MgHloNode *n, uint32_t k, const char *expression) {
    const char *name = mg_hlo_result_name(n, k);
    n->outputs[k] = let(n->t, n->op, name, n->op->types[k],
                        mg_hlo_left(n->t, name, &n->op->types[k]), expression);
    return true;
}

bool mg_hlo_is_number(const MgHloValue *v, int64_t *number) {
    char *end;
    if (!v->literal || !mg_is_int(v->type.dtype))
        return false;
    *number = strtoll(v->literal, &end, 10);
    return !*end;
}

const char *mg_hlo_start(MgHlo *t, MgHloValue *v, int64_t most) {
    int64_t number;
    const int64_t *size = mg_hlo_sizes_in(t, v);
    if (mg_hlo_is_number(v, &number) && !mg_hlo_is_open(most))
        return mg_hlo_text(t, "%lld", (long long)(number < 0 ? 0 : number > most ? most : number));
    if (size && mg_hlo_at_most(t, 0, *size) && mg_hlo_at_most(t, *size, most))
        return mg_hlo_size(t, *size);
    return mg_hlo_text(t, "min(max(i64(%s), 0), %s)", mg_hlo_read(t, v, NULL),
                       mg_hlo_size(t, most));
}
