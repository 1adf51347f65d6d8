// Turns names of MG into names of C. In MG any text may be a name, and C's keywords may not be
// names in C.
#include "runtime/library.h"

static bool is_reserved(const char *name) {
    static const char *const words[] = {
        "auto",     "break",   "case",     "char",   "const",    "continue",  "default",
        "do",       "double",  "else",     "enum",   "extern",   "float",     "for",
        "goto",     "if",      "inline",   "int",    "long",     "register",  "restrict",
        "return",   "short",   "signed",   "sizeof", "static",   "struct",    "switch",
        "typedef",  "union",   "unsigned", "void",   "volatile", "while",     "alignas",
        "alignof",  "and",     "asm",      "bool",   "catch",    "class",     "delete",
        "explicit", "export",  "false",    "friend", "mutable",  "namespace", "new",
        "not",      "nullptr", "operator", "or",     "private",  "protected", "public",
        "template", "this",    "throw",    "true",   "try",      "typeid",    "typename",
        "using",    "virtual", "wchar_t",  "xor",    "main",     "constexpr", "compl",
        "decltype", "noexcept"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_taken(const char *name, const char *const *taken, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(taken[i], name))
            return true;
    return false;
}

const char *mg_c_name(MgArena *arena, const char *name, const char *const *taken, uint32_t n) {
    MgText out = mg_text(arena);
    if (!is_letter(name[0])) // C reserves names with a leading underscore
        mg_text_add(&out, "n");
    for (const char *c = name; *c; c++)
        mg_text_add_n(&out, is_letter(*c) || (*c >= '0' && *c <= '9') ? c : "_", 1);
    if (is_reserved(mg_text_str(&out)))
        mg_text_add(&out, "_");
    const char *base = mg_text_str(&out), *result = base;
    for (uint32_t k = 2; is_taken(result, taken, n); k++)
        result = mg_arena_printf(arena, "%s_%u", base, k);
    return result;
}
