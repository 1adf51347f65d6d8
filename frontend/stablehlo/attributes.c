// Parses types, and the text of attributes.
#include "frontend/stablehlo/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *mlir;
    MgDType dtype;
} elements[] = {
    {"f64", MG_F64},  {"f32", MG_F32},         {"f16", MG_F16},       {"bf16", MG_BF16},
    {"i64", MG_I64},  {"i32", MG_I32},         {"i16", MG_I16},       {"i8", MG_I8},
    {"ui64", MG_U64}, {"ui32", MG_U32},        {"ui16", MG_U16},      {"ui8", MG_U8},
    {"i1", MG_BOOL},  {"f8E4M3FN", MG_F8E4M3}, {"f8E5M2", MG_F8E5M2}, {NULL, MG_BOOL},
};

bool mg_hlo_type(MgHlo *t, const MgHloToken *token, MgHloType *type) {
    const char *at = token->at + strlen("tensor<"), *end = token->at + token->length - 1;
    int64_t dims[MG_HLO_MAX_RANK], elements_so_far = 1;
    uint32_t rank = 0;
    while (at < end && ((*at >= '0' && *at <= '9') || *at == '?')) {
        char *after;
        errno = 0;
        long long size = strtoll(at, &after, 10);
        if (rank == MG_HLO_MAX_RANK)
            return mg_hlo_unsupported(t, token->at, "more than %d dimensions", MG_HLO_MAX_RANK);
        if (*at == '?' && at[1] == 'x') {
            dims[rank++] = MG_HLO_ANY;
            at += 2;
            continue;
        }
        if (errno || *after != 'x' || (size && elements_so_far > MG_COUNT_MAX / size))
            return mg_hlo_fail(t, token->at, "no such type");
        elements_so_far *= size ? size : 1;
        dims[rank++] = size;
        at = after + 1;
    }
    bool complex = end - at > 9 && !strncmp(at, "complex<", 8);
    at += complex ? 8 : 0;
    size_t length = strcspn(at, ",>");
    for (size_t i = 0; elements[i].mlir; i++)
        if (strlen(elements[i].mlir) == length && !memcmp(at, elements[i].mlir, length)) {
            *type = mg_hlo_tensor(t, elements[i].dtype, rank, dims);
            type->complex = complex;
            t->complex |= complex;
            return true;
        }
    length = (size_t)(end - at);
    return mg_hlo_unsupported(t, token->at, "elements of type %.*s",
                              (int)(length > 40 ? 40 : length), at);
}

// The end of a value: a comma, or a bracket that was not opened in it.
static const char *value_end(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        if (at[0] == '-' && at + 1 < end && at[1] == '>') {
            at++;
            continue;
        }
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++)
                ;
            if (at == end)
                break;
            continue;
        }
        if (strchr("([{<", *at))
            depth++;
        else if (strchr(")]}>", *at) && !depth--)
            break;
        else if (*at == ',' && !depth)
            break;
    }
    return at;
}

MgHloText mg_hlo_find(MgHloText in, const char *name) {
    size_t n = strlen(name);
    const char *end = in.at + in.length;
    for (const char *at = in.at; at + n < end; at++) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++)
                ;
            continue;
        }
        bool begins = at == in.at || strchr(" ,{<(\n", at[-1]);
        if (!begins || memcmp(at, name, n) != 0)
            continue;
        const char *after = at + n;
        while (after < end && *after == ' ')
            after++;
        if (after == end || *after != '=' || (after + 1 < end && after[1] == '='))
            continue;
        for (after++; after < end && *after == ' ';)
            after++;
        return (MgHloText){after, (size_t)(value_end(after, end) - after)};
    }
    return (MgHloText){end, 0};
}

MgHloInts mg_hlo_ints_of(MgHlo *t, MgHloText text) {
    MG_VEC(int64_t) found = {0};
    const char *end = text.at + text.length;
    for (MgHloToken token = mg_hlo_token(text.at, text.at);
         token.kind != MG_HLO_END && token.at < end;
         token = mg_hlo_token(text.at, token.at + token.length))
        if (token.kind == MG_HLO_NUMBER)
            mg_push(t->arena, &found, strtoll(token.at, NULL, 0));
        else if (mg_hlo_is(&token, "true") || mg_hlo_is(&token, "false"))
            mg_push(t->arena, &found, *token.at == 't');
        else if (mg_hlo_is(&token, ":")) // `1 : i64`, `dense<…> : tensor<…>`
            continue;
    return (MgHloInts){found.len, found.at};
}

MgHloInts mg_hlo_ints(const MgHloNode *n, const char *name) {
    return mg_hlo_ints_of(n->t, mg_hlo_find(n->op->attributes, name));
}

const int64_t *mg_hlo_list(MgHloNode *n, const char *name, uint32_t count, int64_t otherwise) {
    MgHloInts ints = mg_hlo_ints(n, name);
    for (uint32_t i = 0; i < ints.n; i++)
        if (ints.at[i] > INT32_MAX || ints.at[i] < -INT32_MAX) {
            mg_hlo_fail(n->t, n->op->at, "a number of %s is too large", name);
            ints.n = 0;
        }
    bool splat = ints.n == 1 && count != 1 && // dense<0> : tensor<4x2xi64>
                 !strncmp(mg_hlo_find(n->op->attributes, name).at, "dense<", 6);
    if (ints.n == count)
        return ints.at;
    if (ints.n && !splat)
        mg_hlo_fail(n->t, n->op->at, "%s has %u numbers, not %u", name, ints.n, count);
    int64_t *at = MG_NEW_N(n->t->arena, int64_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        at[i] = splat ? ints.at[0] : otherwise;
    return at;
}

int64_t mg_hlo_int(MgHloNode *n, const char *name, int64_t otherwise) {
    return *mg_hlo_list(n, name, 1, otherwise);
}
