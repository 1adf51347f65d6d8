// The tables of kernel_words.def, and the names that need no backquotes.
#include "ir/kernel_text.h"

#include <stdlib.h>
#include <string.h>

#define MG_KX_WORD(kind, word, least, most, form)
#define MG_K_LOOP(kind, word)
#define MG_K_SPACE(id, word)
#define MG_K_SCOPE(id, word)
#define MG_K_FLAG(field)
#define MG_K_RESERVED(word)

const MgKxWord mg_kx_words[MG_KX_KINDS] = {
#undef MG_KX_WORD
#define MG_KX_WORD(kind, word, least, most, form)                                                  \
    [MG_KX_##kind] = {word, least, most, MG_KX_FORM_##form},
#include "ir/kernel_words.def"
#undef MG_KX_WORD
#define MG_KX_WORD(kind, word, least, most, form)
};

const char *const mg_k_loop_words[MG_K_LOOPS] = {
#undef MG_K_LOOP
#define MG_K_LOOP(kind, word) [MG_LOOP_##kind] = word,
#include "ir/kernel_words.def"
#undef MG_K_LOOP
#define MG_K_LOOP(kind, word)
};

const char *const mg_k_space_words[MG_K_SPACES] = {
#undef MG_K_SPACE
#define MG_K_SPACE(id, word) [MG_SPACE_##id] = word,
#include "ir/kernel_words.def"
#undef MG_K_SPACE
#define MG_K_SPACE(id, word)
};

const char *const mg_k_scope_words[MG_K_SCOPES] = {
#undef MG_K_SCOPE
#define MG_K_SCOPE(id, word) [MG_SCOPE_##id] = word,
#include "ir/kernel_words.def"
#undef MG_K_SCOPE
#define MG_K_SCOPE(id, word)
};

const MgKFlag mg_k_flags[MG_K_FLAGS] = {
#undef MG_K_FLAG
#define MG_K_FLAG(field) {#field, offsetof(MgKernel, field)},
#include "ir/kernel_words.def"
#undef MG_K_FLAG
#define MG_K_FLAG(field)
};

const char *const mg_k_lies_words[] = {"apart", "in_lines", "across", "held"};

const char *const mg_k_use_words[MG_K_USES] = {"unused", "in", "out", "inout"};

static bool is_reserved(const char *text) {
    static const char *const reserved[] = {
#undef MG_K_RESERVED
#define MG_K_RESERVED(word) word,
#include "ir/kernel_words.def"
    };
    for (uint32_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(reserved[i], text))
            return true;
    for (uint32_t i = 0; i < MG_KX_KINDS; i++)
        if (mg_kx_words[i].word && !mg_kx_words[i].most && !strcmp(mg_kx_words[i].word, text))
            return true;
    return false;
}

size_t mg_k_name_length(const char *text) {
    size_t n = 0;
    if (!mg_k_letter(*text))
        return 0;
    while (mg_k_letter(text[n]) || mg_k_digit(text[n]) ||
           (text[n] == '.' && (mg_k_letter(text[n + 1]) || mg_k_digit(text[n + 1]))))
        n++;
    return n;
}

MgDType mg_k_special_float(const char *word) {
    if (strncmp(word, "inf", 3) != 0 && strncmp(word, "nan", 3) != 0)
        return MG_DTYPE_COUNT;
    MgDType dtype = word[3] ? mg_dtype_of_name(word + 3) : MG_F32;
    return dtype != MG_DTYPE_COUNT && mg_is_float(dtype) ? dtype : MG_DTYPE_COUNT;
}

uint32_t mg_k_shared_number(const char *word) {
    size_t n = *word == '_' ? strspn(word + 1, "0123456789") : 0;
    return n && n < 9 && !word[n + 1] ? (uint32_t)atoi(word + 1) : 0;
}

bool mg_k_is_plain(const char *text) {
    size_t n = mg_k_name_length(text);
    return n && !text[n] && !is_reserved(text) && !mg_k_shared_number(text) &&
           mg_k_special_float(text) == MG_DTYPE_COUNT;
}
