// Chooses names that a person would choose, as far as the model's own names allow:
// '/encoder/conv1/Conv_output_0' becomes encoder_conv1, and '412' becomes the operator's name with
// a number.
#include "frontend/onnx/internal.h"

#include "frontend/spell.h"

#include <ctype.h>
#include <stdio.h>

enum { LONGEST = 40 };

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The meaningful part of a name, without the operator's name and without endings that exporters
// add.
static const char *trimmed(MgArena *arena, const char *wanted) {
    size_t length = strlen(wanted);
    const char *end = strstr(wanted, "_output_");
    if (end && end[8] && strspn(end + 8, "0123456789") == strlen(end + 8)) {
        length = (size_t)(end - wanted);
        const char *slash = NULL;
        for (const char *s = wanted; s < end; s++)
            slash = *s == '/' ? s : slash;
        if (slash && slash > wanted)
            length = (size_t)(slash - wanted);
    }
    const char *colon = memchr(wanted, ':', length);
    if (colon && colon > wanted && strspn(colon + 1, "0123456789") == strlen(colon + 1))
        length = (size_t)(colon - wanted);
    return mg_arena_str(arena, wanted, length);
}

// The last components of a path that fit into a name.
static const char *last_parts(const char *name) {
    size_t length = strlen(name);
    if (length <= LONGEST)
        return name;
    const char *cut = name + length - LONGEST;
    const char *slash = strpbrk(cut, "/.");
    return slash && slash[1] ? slash + 1 : cut;
}

static void words(MgText *out, const char *name) {
    bool gap = false;
    for (; *name; name++) {
        if (!is_word(*name)) {
            gap = out->bytes.len > 0;
            continue;
        }
        if (gap)
            mg_text_add(out, "_");
        gap = false;
        char c = *name;
        mg_text_add_n(out, &c, 1);
    }
}

static bool is_reserved(const char *name) {
    static const char *const reserved[] = {
        "as",        "and",    "const", "else",  "emit",  "for",     "if",      "in",
        "loop",      "not",    "or",    "over",  "param", "require", "some",    "while",
        "yield",     "sum",    "prod",  "mean",  "max",   "min",     "any",     "all",
        "argmax",    "argmin", "last",  "inf",   "nan",   "true",    "false",   "pos",
        "given",     "proved", "rank",  "size",  "len",   "lowest",  "highest", "where",
        "mg",        "import", "graph", "layer", "op",    "builtin", "weights", "let",
        "broadcast", "buffer", "dim",   "carry", "next",  "fused",   "none",    "_"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(name, reserved[i]))
            return true;
    return mg_dtype_of_name(name) != MG_DTYPE_COUNT;
}

static bool is_taken(MgOnnx *t, const char *name) {
    MgSym sym = mg_sym(t->names, name);
    return is_reserved(name) || mg_map_find(&t->used, sym) ||
           (t->scope && mg_scope_binds(t->scope, sym));
}

MgSym mg_onnx_fresh(MgOnnx *t, const char *wanted, const char *otherwise) {
    MgText text = mg_text(t->arena);
    // PyTorch's names of this form describe the reader of the value.
    if (wanted && strncmp(wanted, "onnx::", 6) != 0)
        words(&text, last_parts(trimmed(t->arena, wanted)));
    const char *base = mg_text_str(&text);
    while (isdigit((unsigned char)*base) || *base == '_')
        base++;
    if (!*base) {
        MgText lower = mg_text(t->arena);
        words(&lower, otherwise);
        base = mg_text_str(&lower);
        for (char *c = (char *)(uintptr_t)base; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (!*base || isdigit((unsigned char)*base))
            base = mg_arena_printf(t->arena, "v%s", base);
    }
    const char *name = base;
    const char *gap = isdigit((unsigned char)base[strlen(base) - 1]) ? "_" : "";
    // The numbers of a base continue.
    MgSym counter = mg_symf(t->names, "%s\n", base);
    uint64_t i = mg_map_get(&t->used, counter, 1);
    if (is_taken(t, name)) {
        do
            name = mg_arena_printf(t->arena, "%s%s%llu", base, gap, (unsigned long long)++i);
        while (is_taken(t, name));
        mg_map_put(&t->used, counter, i);
    }
    MgSym sym = mg_sym(t->names, name);
    mg_onnx_reserve(t, sym);
    return sym;
}

MgSym mg_onnx_weight_name(MgOnnx *t, const char *key, const char *otherwise) {
    bool path = key && (isalpha((unsigned char)*key) || *key == '_');
    for (const char *c = key; path && *c; c++)
        path = is_word(*c) || (*c == '.' && is_word(c[1]));
    if (!path || is_taken(t, key))
        return mg_onnx_fresh(t, key, otherwise);
    MgSym sym = mg_sym(t->names, key);
    mg_onnx_reserve(t, sym);
    return sym;
}

void mg_onnx_reserve(MgOnnx *t, MgSym name) {
    mg_map_put(&t->used, name, 1);
}

const char *mg_onnx_spelled(MgOnnx *t, MgSym name) {
    MgText out = mg_text(t->arena);
    mg_spell_name(t->names, name, MG_SPELL_PATH, &out);
    return mg_text_str(&out);
}
