// What the printer and the reader of kernels share: the words of the notation, and the names that
// need backquotes.
#ifndef MG_IR_KERNEL_TEXT_H
#define MG_IR_KERNEL_TEXT_H

#include "ir/kernel.h"

typedef enum MgKxForm {
    MG_KX_FORM_NONE,
    MG_KX_FORM_LANES,
    MG_KX_FORM_VALUE,
    MG_KX_FORM_SELECTORS,
    MG_KX_FORM_REDUCER,
    MG_KX_FORM_ATOM,
    MG_KX_FORM_TABLE
} MgKxForm;
typedef struct MgKxWord {
    const char *word; // NULL: the kind has a syntax of its own
    uint8_t least, most;
    MgKxForm form;
} MgKxWord;
enum { MG_KX_KINDS = MG_KX_LOCAL_SIZE + 1 };
extern const MgKxWord mg_kx_words[MG_KX_KINDS]; // by MgKxKind

enum { MG_K_LOOPS = MG_LOOP_ITEM + 1, MG_K_SPACES = MG_SPACE_PRIVATE + 1 };
enum { MG_K_SCOPES = MG_SCOPE_CALL + 1, MG_K_FLAGS = 8, MG_K_USES = 4 };
extern const char *const mg_k_loop_words[MG_K_LOOPS], *const mg_k_space_words[MG_K_SPACES],
                                                          *const mg_k_scope_words[MG_K_SCOPES];
extern const char *const mg_k_lies_words[MG_LIES_HELD + 1]; // those of APART are its steps
// What a kernel does with a buffer: entry `reads` + 2 `writes`.
extern const char *const mg_k_use_words[MG_K_USES];

typedef struct MgKFlag {
    const char *word;
    size_t offset; // of a bool in MgKernel
} MgKFlag;
extern const MgKFlag mg_k_flags[MG_K_FLAGS];

// The alignment that the text omits for a parameter. For an allocation it is MG_K_ALIGN.
static inline uint32_t mg_k_param_align(MgKType elem) {
    return (uint32_t)mg_dtype_size(elem.dtype);
}
enum { MG_K_ALIGN = 64 };

static inline bool mg_k_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool mg_k_digit(char c) {
    return c >= '0' && c <= '9';
}
// The length of the name at the beginning of text: letters, digits and `_`, with single points
// inside.
size_t mg_k_name_length(const char *text);
// The type of the words "inf", "nan" and "nanbf16"; MG_DTYPE_COUNT for any other word.
MgDType mg_k_special_float(const char *word);
// The number of the shared expression that "_7" names; 0 for any other word.
uint32_t mg_k_shared_number(const char *word);
// Can text be a name without backquotes?
bool mg_k_is_plain(const char *text);

#endif
