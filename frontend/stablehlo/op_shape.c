// Constants, and operations that move elements.
#include "frontend/stablehlo/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool takes(MgHloNode *n, uint32_t operands) {
    return (n->op->n_operands == operands && n->op->n_results == 1) ||
           mg_hlo_fail(n->t, n->op->at, "%s has %u operand%s and one result", n->op->name, operands,
                       mg_plural(operands));
}

// The same, with the result's shape as another operand: dynamic_reshape, … (mg_hlo_resolve).
static bool takes_shape(MgHloNode *n, uint32_t operands) {
    return takes(n, operands + !strncmp(n->op->name, "stablehlo.dynamic_", 18));
}

// Makes an output in which every element has the known value of the elements of v.
static bool keep_literal(MgHloNode *n, const MgHloValue *v) {
    if (!v->literal)
        return false;
    n->outputs[0] = mg_hlo_value(n->t, n->op->types[0], NULL);
    n->outputs[0]->literal = v->literal;
    n->outputs[0]->op = n->op;
    return true;
}

// ---------------------------------------------------------------- constants
// The text between dense< and its >.
static MgHloText dense(const MgHloOp *op) {
    const char *end = op->attributes.at + op->attributes.length, *at = op->attributes.at;
    while (at + 6 < end && memcmp(at, "dense<", 6) != 0)
        at++;
    if (at + 6 >= end)
        return (MgHloText){at, 0};
    at += 6;
    const char *close = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : at - 1;
    close = close ? memchr(close + 1, '>', (size_t)(end - close - 1)) : NULL;
    return (MgHloText){at, close ? (size_t)(close - at) : 0};
}

static int hex(char c) {
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

// Appends an element to the bytes. False if the token is not a value.
static bool element(MgDType dtype, const MgHloToken *token, unsigned char *to) {
    uint64_t bits = 0;
    if (mg_hlo_is(token, "true") || mg_hlo_is(token, "false"))
        bits = *token->at == 't';
    else if (token->kind != MG_HLO_NUMBER)
        return false;
    else if (mg_is_float(dtype) && strncmp(token->at, "0x", 2) != 0)
        bits = mg_bits_from_double(dtype, dtype == MG_F32 ? strtof(token->at, NULL)
                                                          : strtod(token->at, NULL));
    else
        bits = *token->at == '-' ? (uint64_t)strtoll(token->at, NULL, 10)
                                 : strtoull(token->at, NULL, 0);
    memcpy(to, &bits, mg_dtype_size(dtype)); // little-endian machines
    return true;
}

// Reads "0x0000803F…", which are the bytes themselves.
static bool raw_bytes(MgHloText text, unsigned char *to, size_t bytes) {
    if (text.length != 2 * bytes + 4)
        return false;
    for (size_t i = 0; i < bytes; i++) {
        int high = hex(text.at[3 + 2 * i]), low = hex(text.at[4 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (unsigned char)(16 * high + low);
    }
    return true;
}

// Keeps the real or the imaginary parts of numbers, if only these are meant.
static unsigned char *one_part(const MgHloNode *n, unsigned char *bytes, size_t count,
                               size_t size) {
    for (size_t i = 0; n->op->part && i < count; i++)
        memmove(bytes + i * size, bytes + (2 * i + n->op->part - 1) * size, size);
    return bytes;
}

// Reads the elements. *splat: one element stands for all. NULL after an error.
static unsigned char *read_dense(MgHloNode *n, size_t *count, bool *splat) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->op->types[0];
    MgHloText text = dense(n->op);
    size_t size = mg_dtype_size(type->dtype), found = 0, each = n->op->part ? 2 : 1;
    *count = (size_t)mg_hlo_count(t, type);
    size_t room = *count ? *count : 1;
    if (!text.length && *count) {
        mg_hlo_unsupported(t, n->op->at, "a constant that is not dense");
        return NULL;
    }
    if (*text.at == '"') {
        unsigned char *bytes = MG_NEW_N(t->arena, unsigned char, room *size *each);
        *splat = false;
        if (raw_bytes(text, bytes, *count * size * each))
            return one_part(n, bytes, *count, size);
        *splat = *count > 1 && raw_bytes(text, bytes, size * each);
        one_part(n, bytes, 1, size);
        if (!*splat)
            mg_hlo_fail(t, n->op->at, "the constant has another number of bytes than its type");
        return *splat ? bytes : NULL;
    }
    MG_VEC(unsigned char) bytes = {0};
    for (MgHloToken token = mg_hlo_token(text.at, text.at);
         token.kind != MG_HLO_END && token.at < text.at + text.length;
         token = mg_hlo_token(text.at, token.at + token.length)) {
        unsigned char one[8];
        if (token.kind == MG_HLO_PUNCT)
            continue;
        if (!element(type->dtype, &token, one)) {
            mg_hlo_fail(t, token.at, "no element of a constant");
            return NULL;
        }
        for (size_t i = 0; i < size; i++)
            mg_push(t->arena, &bytes, one[i]);
        found++;
    }
    if (found % each)
        mg_hlo_fail(t, n->op->at, "a constant's number lacks a part");
    found /= each;
    one_part(n, bytes.at, found, size);
    *splat = found == 1;
    if (found == *count || (*splat && *count))
        return bytes.at ? bytes.at : MG_NEW_N(t->arena, unsigned char, size);
    mg_hlo_fail(t, n->op->at, "the constant's length is %zu, its type's %zu", found, *count);
    return NULL;
}

static const char *number(MgHlo *t, MgDType dtype, const unsigned char *at) {
    uint64_t bits = 0;
    memcpy(&bits, at, mg_dtype_size(dtype));
    if (mg_is_float(dtype))
        return mg_float_str(t->arena, mg_bits_to_double(dtype, bits), dtype == MG_F32);
    if (dtype == MG_BOOL)
        return bits ? "true" : "false";
    unsigned shift = 64 - (unsigned)mg_dtype(dtype)->bits;
    return mg_is_signed(dtype)
               ? mg_hlo_text(t, "%lld", (long long)((int64_t)(bits << shift) >> shift))
               : mg_hlo_text(t, "%llu", (unsigned long long)bits);
}

// Long lists of numbers are weights, which are in a file of their own.
static MgHloValue *weight(MgHloNode *n, const unsigned char *bytes, size_t count) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->op->types[0];
    const char *name = mg_hlo_result_name(n, 0);
    MgSafetensor tensor = {.key = mg_sym(t->names, name),
                           .type = mg_dtype(type->dtype)->safetensors,
                           .dtype = type->dtype,
                           .rank = type->rank,
                           .dims = type->dims,
                           .data = bytes,
                           .bytes = count * mg_dtype_size(type->dtype)};
    mg_map_put(&t->weights.by_key, tensor.key, t->weights.tensors.len);
    mg_push(t->arena, &t->weights.tensors, tensor);
    mg_textf(&t->head, "param %s: %s\n", name, mg_hlo_shape(t, type));
    return mg_hlo_value(t, *type, name);
}

bool mg_hlo_op_constant(MgHloNode *n) {
    MgHlo *t = n->t;
    size_t count;
    bool splat;
    if (!takes(n, 0))
        return false;
    const MgHloType *type = &n->op->types[0];
    unsigned char *bytes = read_dense(n, &count, &splat);
    if (!bytes)
        return false;
    if (splat || !count) {
        n->outputs[0] = mg_hlo_value(t, *type, NULL);
        n->outputs[0]->op = n->op;
        n->outputs[0]->literal = number(t, type->dtype, bytes);
        return true;
    }
    if (count > 16) {
        n->outputs[0] = weight(n, bytes, count);
        return true;
    }
    const char *name = mg_hlo_result_name(n, 0);
    const char **texts = MG_NEW_N(t->arena, const char *, count);
    int64_t *known = MG_NEW_N(t->arena, int64_t, count);
    for (size_t i = 0; i < count; i++) {
        texts[i] = number(t, type->dtype, bytes + i * mg_dtype_size(type->dtype));
        known[i] = strtoll(texts[i], NULL, 10);
    }
    mg_hlo_add_constant(t, type, name, texts);
    n->outputs[0] = mg_hlo_value(t, *type, name);
    if (type->dtype == MG_I32)
        n->outputs[0]->known = known;
    return true;
}

bool mg_hlo_op_iota(MgHloNode *n) {
    if (!takes_shape(n, 0))
        return false;
    const MgHloType *type = &n->op->types[0];
    int64_t axis = mg_hlo_int(n, "iota_dimension", mg_hlo_int(n, "dim", 0));
    if (axis < 0 || axis >= type->rank)
        return mg_hlo_fail(n->t, n->op->at, "there is no dimension %lld", (long long)axis);
    return mg_hlo_give(
        n, 0, mg_hlo_text(n->t, "%s(i%lld)", mg_dtype(type->dtype)->name, (long long)axis));
}

// ---------------------------------------------------------------- moves
bool mg_hlo_op_reshape(MgHloNode *n) {
    MgHlo *t = n->t;
    if (!takes_shape(n, 1))
        return false;
    const MgHloType *to = &n->op->types[0];
    MgHloValue *v = n->inputs[0];
    if (mg_hlo_count(t, &v->type) != mg_hlo_count(t, to) || v->type.dtype != to->dtype)
        return mg_hlo_fail(t, n->op->at, "a reshape keeps the number of elements and their type");
    if (keep_literal(n, v))
        return true;
    const int64_t *known = mg_hlo_sizes_in(t, v);
    if (known) {
        n->outputs[0] = mg_hlo_known(t, *to, n->op, known);
        return true;
    }
    const char *x = mg_hlo_name(t, v), *name = mg_hlo_result_name(n, 0);
    n->outputs[0] = mg_hlo_value(t, *to, name);
    mg_hlo_say(t, n->op, "%s = reshape(%s, shape = [%s])", name, x, mg_hlo_sizes(t, to));
    return true;
}

// The axes under either of two names, each below `below`. NULL after an error.
static const int64_t *axes(MgHloNode *n, const char *plain, const char *generic, uint32_t count,
                           uint32_t below) {
    MgHloInts ints = mg_hlo_ints(n, mg_hlo_find(n->op->attributes, plain).length ? plain : generic);
    bool ok = ints.n == count;
    for (uint32_t i = 0; i < ints.n && ok; i++)
        ok = ints.at[i] >= 0 && ints.at[i] < below;
    if (!ok)
        mg_hlo_fail(n->t, n->op->at, "%s is expected to name %u dimension%s below %u", plain, count,
                    mg_plural(count), below);
    return ok ? (ints.at ? ints.at : MG_NEW(n->t->arena, int64_t)) : NULL;
}

bool mg_hlo_op_broadcast(MgHloNode *n) {
    if (!takes_shape(n, 1))
        return false;
    const MgHloType *to = &n->op->types[0], *from = &n->inputs[0]->type;
    const int64_t *dims = axes(n, "dims", "broadcast_dimensions", from->rank, to->rank);
    const char **subscripts = MG_NEW_N(n->t->arena, const char *, from->rank + 1);
    bool same = from->rank == to->rank;
    if (!dims)
        return false;
    for (uint32_t d = 0; d < from->rank; d++) {
        if (from->dims[d] != to->dims[dims[d]] && from->dims[d] != 1)
            return mg_hlo_fail(n->t, n->op->at, "dimension %u cannot be repeated", d);
        same &= dims[d] == d && from->dims[d] == to->dims[d];
        subscripts[d] = from->dims[d] != to->dims[dims[d]]
                            ? "0"
                            : mg_hlo_text(n->t, "i%lld", (long long)dims[d]);
    }
    if (same && from->dtype == to->dtype) {
        n->outputs[0] = n->inputs[0];
        return true;
    }
    if (!from->rank && from->dtype == to->dtype && to->rank == 1 && to->dims[0] == 1 &&
        n->inputs[0]->known) {
        n->outputs[0] = mg_hlo_known(n->t, *to, n->op, n->inputs[0]->known);
        return true;
    }
    return keep_literal(n, n->inputs[0]) ||
           mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], subscripts));
}

bool mg_hlo_op_transpose(MgHloNode *n) {
    if (!takes(n, 1))
        return false;
    uint32_t rank = n->inputs[0]->type.rank;
    const int64_t *order = axes(n, "dims", "permutation", rank, rank);
    const char **subscripts = MG_NEW_N(n->t->arena, const char *, rank + 1);
    if (!order || n->op->types[0].rank != rank)
        return order && mg_hlo_fail(n->t, n->op->at, "a transpose keeps the rank");
    for (uint32_t k = 0; k < rank; k++) {
        if (subscripts[order[k]])
            return mg_hlo_fail(n->t, n->op->at, "dimension %lld stands twice", (long long)order[k]);
        subscripts[order[k]] = mg_hlo_text(n->t, "i%u", k);
    }
    return keep_literal(n, n->inputs[0]) ||
           mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], subscripts));
}

bool mg_hlo_op_reverse(MgHloNode *n) {
    if (!takes(n, 1))
        return false;
    const MgHloType *type = &n->inputs[0]->type;
    const char **subscripts = MG_NEW_N(n->t->arena, const char *, type->rank + 1);
    memcpy(subscripts, mg_hlo_indices(n->t, type->rank), type->rank * sizeof *subscripts);
    MgHloInts dims =
        mg_hlo_ints(n, mg_hlo_find(n->op->attributes, "dims").length ? "dims" : "dimensions");
    for (uint32_t i = 0; i < dims.n; i++) {
        if (dims.at[i] < 0 || dims.at[i] >= type->rank)
            return mg_hlo_fail(n->t, n->op->at, "there is no dimension %lld",
                               (long long)dims.at[i]);
        subscripts[dims.at[i]] =
            mg_hlo_text(n->t, "%s - i%lld - 1", mg_hlo_size(n->t, type->dims[dims.at[i]]),
                        (long long)dims.at[i]);
    }
    return mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], subscripts));
}

// Reads the starts and steps of [0:2, 1:7:2].
static bool ranges(MgHloNode *n, uint32_t rank, int64_t *starts, int64_t *steps) {
    const char *open = memchr(n->op->attributes.at, '[', n->op->attributes.length);
    const char *end = n->op->attributes.at + n->op->attributes.length;
    uint32_t axis = 0, part = 0;
    for (MgHloToken token = mg_hlo_token(n->t->text, open + 1);
         token.at < end && !mg_hlo_is(&token, "]");
         token = mg_hlo_token(n->t->text, token.at + token.length)) {
        if (mg_hlo_is(&token, ",")) {
            axis++;
            part = 0;
        } else if (mg_hlo_is(&token, ":"))
            part++;
        else if (token.kind != MG_HLO_NUMBER || axis >= rank || part > 2)
            return false;
        else if (part == 0)
            starts[axis] = strtoll(token.at, NULL, 10);
        else if (part == 2)
            steps[axis] = strtoll(token.at, NULL, 10);
    }
    return axis + 1 == rank;
}

bool mg_hlo_sizes_of_slice(MgHloNode *n, uint32_t k, int64_t *dims) {
    MgIxTable *x = n->t->sizes;
    uint32_t rank = n->op->types[k].rank;
    const int64_t *sizes[3]; // starts, ends, steps
    if (n->op->n_operands != 4)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        const MgHloValue *v = n->inputs[i + 1];
        if (!(sizes[i] = mg_hlo_sizes_in(n->t, v)) || v->type.rank != 1 || v->type.dims[0] != rank)
            return false;
    }
    for (uint32_t d = 0; d < rank; d++) {
        MgIx step = mg_hlo_formula(n->t, sizes[2][d]);
        MgIx length =
            mg_hlo_formula(n->t, mg_hlo_combine_sizes(n->t, mg_ix_sub, sizes[1][d], sizes[0][d]));
        if (!mg_hlo_less(n->t, 0, sizes[2][d]))
            return false;
        length = mg_ix_add(x, length, mg_ix_sub(x, step, mg_ix_const(x, 1)));
        dims[d] = mg_hlo_size_of(n->t, mg_ix_div(x, length, step));
    }
    return true;
}

// A slice whose starts, ends and steps are operands. Its sizes are known (mg_hlo_sizes_of_slice).
bool mg_hlo_op_real_dynamic_slice(MgHloNode *n) {
    if (!takes(n, 4))
        return false;
    uint32_t rank = n->inputs[0]->type.rank;
    const char **at = MG_NEW_N(n->t->arena, const char *, rank + 1);
    const int64_t *from = mg_hlo_sizes_in(n->t, n->inputs[1]);
    const int64_t *step = mg_hlo_sizes_in(n->t, n->inputs[3]);
    if (!from || !step || n->op->types[0].rank != rank || n->inputs[1]->type.rank != 1 ||
        n->inputs[3]->type.rank != 1 || n->inputs[1]->type.dims[0] != rank ||
        n->inputs[3]->type.dims[0] != rank)
        return mg_hlo_unsupported(n->t, n->op->at, "a slice whose places depend on data");
    for (uint32_t i = 0; i < rank; i++)
        at[i] = mg_hlo_text(n->t, "%s + %s * i%u", mg_hlo_size(n->t, from[i]),
                            mg_hlo_size(n->t, step[i]), i);
    return mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], at));
}

bool mg_hlo_op_slice(MgHloNode *n) {
    if (!takes(n, 1))
        return false;
    const MgHloType *type = &n->inputs[0]->type, *to = &n->op->types[0];
    int64_t starts[MG_HLO_MAX_RANK] = {0}, steps[MG_HLO_MAX_RANK];
    for (uint32_t i = 0; i < MG_HLO_MAX_RANK; i++)
        steps[i] = 1;
    if (mg_hlo_find(n->op->attributes, "start_indices").length) {
        memcpy(starts, mg_hlo_list(n, "start_indices", type->rank, 0), type->rank * sizeof *starts);
        memcpy(steps, mg_hlo_list(n, "strides", type->rank, 1), type->rank * sizeof *steps);
    } else if (type->rank && (!memchr(n->op->attributes.at, '[', n->op->attributes.length) ||
                              !ranges(n, type->rank, starts, steps)))
        return mg_hlo_fail(n->t, n->op->at, "a slice has a range for each dimension");
    const char **subscripts = MG_NEW_N(n->t->arena, const char *, type->rank + 1);
    for (uint32_t i = 0; i < type->rank; i++) {
        if (to->rank != type->rank || starts[i] < 0 || steps[i] < 1 ||
            (to->dims[i] && !mg_hlo_is_open(type->dims[i]) &&
             (starts[i] >= type->dims[i] ||
              to->dims[i] - 1 > (type->dims[i] - 1 - starts[i]) / steps[i])))
            return mg_hlo_fail(n->t, n->op->at, "the slice leaves dimension %u", i);
        subscripts[i] = steps[i] > 1 ? mg_hlo_text(n->t, "%lld + %lld * i%u", (long long)starts[i],
                                                   (long long)steps[i], i)
                        : starts[i]  ? mg_hlo_text(n->t, "%lld + i%u", (long long)starts[i], i)
                                     : mg_hlo_text(n->t, "i%u", i);
    }
    return keep_literal(n, n->inputs[0]) ||
           mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], subscripts));
}

// The elements of an operand of integers that must be closed sizes, or NULL.
static const int64_t *closed(MgHloNode *n, uint32_t k, uint32_t count) {
    const MgHloValue *v = n->inputs[k];
    const int64_t *sizes = mg_hlo_sizes_in(n->t, v);
    bool ok = sizes && v->type.rank == 1 && v->type.dims[0] == count;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = sizes[i] >= -INT32_MAX && sizes[i] <= INT32_MAX;
    if (!ok)
        mg_hlo_unsupported(n->t, n->op->at, "operand %u, which must be known numbers", k);
    return ok ? sizes : NULL;
}

bool mg_hlo_widths(MgHloNode *n, MgHloWidths *w) {
    uint32_t rank = n->inputs[0]->type.rank;
    if (n->op->n_operands == 5) {
        *w = (MgHloWidths){closed(n, 2, rank), closed(n, 3, rank), closed(n, 4, rank)};
        return w->low && w->high && w->gaps;
    }
    bool plain = mg_hlo_find(n->op->attributes, "low").length;
    w->low = mg_hlo_list(n, plain ? "low" : "edge_padding_low", rank, 0);
    w->high = mg_hlo_list(n, plain ? "high" : "edge_padding_high", rank, 0);
    w->gaps = mg_hlo_list(n, plain ? "interior" : "interior_padding", rank, 0);
    return !n->t->failed;
}

bool mg_hlo_op_pad(MgHloNode *n) {
    MgHlo *t = n->t;
    if (!takes(n, n->op->n_operands == 5 ? 5 : 2))
        return false;
    MgHloValue *x = n->inputs[0];
    uint32_t rank = x->type.rank;
    MgHloWidths w;
    if (!mg_hlo_widths(n, &w))
        return false;
    const int64_t *low = w.low, *gaps = w.gaps;
    const char **subscripts = MG_NEW_N(t->arena, const char *, rank + 1);
    const char *around = mg_hlo_number(n, 1);
    MgText holes = mg_text(t->arena);
    for (uint32_t i = 0; i < rank && !t->failed; i++) {
        if (gaps[i] < 0 || n->op->types[0].rank != rank)
            return mg_hlo_fail(t, n->op->at, "the widths don't fit");
        const char *place = low[i] ? mg_hlo_text(t, "(i%u - (%lld))", i, (long long)low[i])
                                   : mg_hlo_text(t, "i%u", i);
        subscripts[i] =
            gaps[i] ? mg_hlo_text(t, "%s / %lld", place, (long long)gaps[i] + 1) : place;
        if (gaps[i]) // operands of % in values round towards 0: make it positive
            mg_textf(&holes, "%s(i%u + %lld) %% %lld == 0", holes.bytes.len ? " and " : "", i,
                     (long long)((gaps[i] + 1) * (1 + llabs(low[i])) - low[i]),
                     (long long)gaps[i] + 1);
    }
    const char *inside = mg_hlo_text(t, "(%s[%s", mg_hlo_name(t, x), rank ? subscripts[0] : "");
    for (uint32_t i = 1; i < rank; i++)
        inside = mg_hlo_text(t, "%s, %s", inside, subscripts[i]);
    inside = mg_hlo_text(t, "%s] else %s)", inside,
                         *around == '-' ? mg_hlo_text(t, "(%s)", around) : around);
    if (holes.bytes.len)
        inside = mg_hlo_text(t, "where(%s, %s, %s)", mg_text_str(&holes), inside, around);
    return !t->failed && mg_hlo_give(n, 0, inside);
}

// Sizes in a row are a shape. The operands are joined along their first axis.
static bool join_sizes(MgHloNode *n) {
    const MgHloType *to = n->op->types;
    enum { MOST = 2 * MG_HLO_MAX_RANK };
    int64_t all[MOST], count = 0, length = mg_hlo_count(n->t, to);
    if (length < 0 || length > MOST || !mg_is_int(to->dtype))
        return false;
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        const MgHloValue *v = n->inputs[k];
        const int64_t *sizes = mg_hlo_sizes_in(n->t, v);
        for (int64_t i = 0; sizes && i < mg_hlo_count(n->t, &v->type) && count < length; i++)
            all[count++] = sizes[i];
        if (!sizes)
            return false;
    }
    if (count != length)
        return false;
    n->outputs[0] = mg_hlo_known(n->t, *to, n->op, all);
    return true;
}

bool mg_hlo_op_concatenate(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloType *to = n->op->types;
    int64_t axis = mg_hlo_int(n, "dim", mg_hlo_int(n, "dimension", 0)), size = 0;
    if (!n->op->n_operands || n->op->n_results != 1 || axis < 0 || axis >= to->rank)
        return mg_hlo_fail(t, n->op->at,
                           "a concatenation has operands, a dimension and one result");
    if (!axis && join_sizes(n))
        return true;
    MgText out = mg_text(t->arena);
    mg_text_add(&out, "concat(");
    for (uint32_t k = 0; k < n->op->n_operands; k++) {
        if (n->inputs[k]->type.rank != to->rank || mg_hlo_less(t, to->dims[axis], size))
            return mg_hlo_fail(t, n->op->at, "operand %u has another rank", k);
        size = mg_hlo_combine_sizes(t, mg_ix_add, size, n->inputs[k]->type.dims[axis]);
        mg_textf(&out, "%s, ", mg_hlo_name(t, n->inputs[k]));
    }
    if (size != to->dims[axis])
        return mg_hlo_fail(t, n->op->at, "the operands have %s in dimension %lld together",
                           mg_hlo_size(t, size), (long long)axis);
    mg_textf(&out, "axis = %lld)", (long long)axis);
    const char *name = mg_hlo_result_name(n, 0);
    n->outputs[0] = mg_hlo_value(t, *to, name);
    mg_hlo_say(t, n->op, "%s = %s", name, mg_text_str(&out));
    return true;
}

bool mg_hlo_op_dimension_size(MgHloNode *n) {
    int64_t axis = mg_hlo_int(n, "dimension", mg_hlo_int(n, "dim", -1));
    if (!takes(n, 1))
        return false;
    if (axis < 0 || axis >= n->inputs[0]->type.rank)
        return mg_hlo_fail(n->t, n->op->at, "dimension %lld is wrong", (long long)axis);
    if (n->op->types[0].rank || !mg_is_int(n->op->types[0].dtype))
        return mg_hlo_fail(n->t, n->op->at, "a size is one whole number");
    n->outputs[0] = mg_hlo_known(n->t, n->op->types[0], n->op, &n->inputs[0]->type.dims[axis]);
    return true;
}
