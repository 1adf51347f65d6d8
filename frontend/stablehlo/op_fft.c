// Fourier transforms, and pairs of parts, over real and imaginary parts as values of their own.
#include "frontend/stablehlo/internal.h"

#include <string.h>

// The element of the value with both parts in a last axis.
bool mg_hlo_op_part(MgHloNode *n) {
    const MgHloType *type = &n->inputs[0]->type;
    const char **at = MG_NEW_N(n->t->arena, const char *, type->rank + 1);
    memcpy(at, mg_hlo_indices(n->t, type->rank), type->rank * sizeof *at);
    at[type->rank - 1] = n->op->part == 1 ? "0" : "1";
    return mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], at));
}

// The value with both parts in a last axis.
static MgHloValue *pair(MgHloNode *n, uint32_t count) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->inputs[0]->type;
    int64_t *dims = MG_NEW_N(t->arena, int64_t, type->rank + 1);
    for (uint32_t i = 0; i < type->rank; i++)
        dims[i] = type->dims[i];
    dims[type->rank] = count;
    MgHloType whole = mg_hlo_tensor(t, type->dtype, type->rank + 1, dims);
    const char *const *at = mg_hlo_indices(t, type->rank + 1);
    const char *text = mg_hlo_read(t, n->inputs[0], at);
    const char *element = mg_dtype(type->dtype)->name;
    if (count == 2)
        text = mg_hlo_text(t, "where(%s == 0, %s(%s), %s(%s))", at[type->rank], element, text,
                           element, mg_hlo_read(t, n->inputs[1], at));
    else
        text = mg_hlo_text(t, "%s(%s)", element, text);
    return mg_hlo_let(t, n->op, "pair", whole, text);
}

bool mg_hlo_op_pair(MgHloNode *n) {
    n->outputs[0] = pair(n, 2);
    return true;
}

typedef struct Kind {
    const char *word;
    bool inverse, real_operand, real_result;
} Kind;
static const Kind kinds[] = {{"RFFT", false, true, false},
                             {"IRFFT", true, false, true},
                             {"IFFT", true, false, false},
                             {"FFT", false, false, false}};

// The kind that the attributes name, or NULL.
static const Kind *kind_of(const MgHloNode *n) {
    MgHloText word = mg_hlo_find(n->op->attributes, "type");
    if (!word.length)
        word = mg_hlo_find(n->op->attributes, "fft_type");
    const char *end = word.at + word.length;
    for (MgHloToken token = mg_hlo_token(word.at, word.at);
         token.kind != MG_HLO_END && token.at < end;
         token = mg_hlo_token(word.at, token.at + token.length))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (mg_hlo_is(&token, kinds[i].word))
                return &kinds[i];
    return NULL;
}

// Writes the transforms along the last axes. Returns the name of the result, NULL after an error.
static const char *transform(MgHloNode *n, const Kind *kind, MgHloInts lengths) {
    MgHlo *t = n->t;
    uint32_t rank = n->inputs[0]->type.rank;
    bool halves = kind->real_operand || kind->real_result;
    const char *v = mg_hlo_name(t, pair(n, kind->real_operand ? 1 : 2));
    for (uint32_t k = 0; k < lengths.n; k++) {
        // A real operand is transformed first along the last axis, and a real result last.
        uint32_t i = kind->real_result ? k : lengths.n - 1 - k;
        const char *name = mg_hlo_fresh(t, "spectrum");
        if (lengths.at[i] < 1)
            return mg_hlo_fail(t, n->op->at, "a length is less than 1"), NULL;
        mg_hlo_say(t, n->op, "%s = dft(%s, axis = %u, inverse = %s, onesided = %s, length = %lld)",
                   name, v, rank - lengths.n + i, kind->inverse ? "true" : "false",
                   halves && i == lengths.n - 1 ? "true" : "false", (long long)lengths.at[i]);
        v = name;
    }
    return v;
}

bool mg_hlo_op_fft(MgHloNode *n) {
    MgHlo *t = n->t;
    const Kind *kind = kind_of(n);
    bool old = mg_hlo_find(n->op->attributes, "fft_length").length;
    MgHloInts lengths = mg_hlo_ints(n, old ? "fft_length" : "length");
    uint32_t results = kind && kind->real_result ? 1 : 2;
    if (!kind || n->op->n_operands != (kind->real_operand ? 1 : 2) || n->op->n_results != results ||
        !lengths.n || lengths.n > n->inputs[0]->type.rank)
        return mg_hlo_fail(t, n->op->at, "a Fourier transform has a type, lengths and one operand");
    const char *v = transform(n, kind, lengths);
    uint32_t rank = n->inputs[0]->type.rank;
    for (uint32_t k = 0; v && k < results; k++) {
        MgText text = mg_text(t->arena);
        mg_textf(&text, "%s[", v);
        for (uint32_t i = 0; i < rank; i++)
            mg_textf(&text, "%s, ", mg_hlo_indices(t, rank)[i]);
        mg_textf(&text, "%u]", k);
        mg_hlo_give(n, k, mg_text_str(&text));
    }
    return v != NULL;
}
