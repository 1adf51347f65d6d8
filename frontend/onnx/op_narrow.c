// Integers of two and four bits, floats of four bits, and those of eight that MG has no types for:
// i8 and u8 represent the integers, u8 holds the codes of the floats, and a value remembers its
// real type. Models store them, move them and convert them, and only that is supported: an operator
// that would compute with them is refused.
#include "frontend/onnx/ops.h"

#include "formats/tensor_proto.h"

// The attributes that lang/std/narrow.mg needs for an eight-bit format.
static const char *format_of(uint32_t narrow) {
    return narrow == MG_ONNX_F8E4M3FNUZ
               ? ", bias = 8, least = 0.0009765625, kind = \"uz\""
               : ", mantissa = 2, bias = 16, least = 0.00000762939453125, kind = \"uz\"";
}

// Is the byte that represents it zero above its bits?
static bool is_unsigned(uint32_t narrow) {
    return narrow == MG_ONNX_U4 || narrow == MG_ONNX_U2 || narrow == MG_ONNX_F4E2M1;
}

static int bits_of(uint32_t narrow) {
    return narrow == MG_ONNX_U2 || narrow == MG_ONNX_I2 ? 2 : 4;
}

const char *mg_onnx_clipped(const MgOnnxNode *n, const char *x, uint32_t narrow) {
    int bits = bits_of(narrow), half = 1 << (bits - 1);
    return is_unsigned(narrow) ? mg_onnx_text(n, "clip(%s, 0, %d)", x, 2 * half - 1)
                               : mg_onnx_text(n, "clip(%s, %d, %d)", x, -half, half - 1);
}

const char *mg_onnx_encoded(MgOnnxNode *n, const char *x, uint32_t narrow) {
    if (narrow == MG_ONNX_F4E2M1)
        return mg_onnx_text(n, "f4_encode(%s)", x);
    if (narrow == MG_ONNX_F8E8M0)
        return mg_onnx_text(n, "e8_encode(%s, rounding = \"%s\"%s)", x,
                            mg_onnx_word(n, "round_mode", "up down nearest"),
                            mg_onnx_int(n, "saturate", 1) ? "" : ", saturate = false");
    return mg_onnx_text(n, "f8_encode(%s%s, most = 127%s)", x, format_of(narrow),
                        mg_onnx_int(n, "saturate", 1) ? "" : ", saturate = false");
}

const char *mg_onnx_decoded(MgOnnxNode *n, const char *x, uint32_t narrow) {
    if (narrow == MG_ONNX_F4E2M1 || narrow == MG_ONNX_F8E8M0)
        return mg_onnx_text(n, narrow == MG_ONNX_F4E2M1 ? "f4_decode(%s)" : "e8_decode(%s)", x);
    return mg_onnx_text(n, "f8_decode(%s%s)", x, format_of(narrow));
}

bool mg_onnx_takes_narrow(MgOnnxNode *n) {
    static const char *const ops[] = {
        "Cast",      "CastLike", "BitCast", "QuantizeLinear", "DequantizeLinear",
        "Identity",  "Reshape",  "Squeeze", "Flatten",        "Transpose",
        "Unsqueeze", "Shape",    "Size"};
    const MgOnnxValue *narrow = NULL;
    for (uint32_t k = 0; k < n->n_inputs && !narrow; k++)
        narrow = n->inputs[k] && n->inputs[k]->narrow ? n->inputs[k] : NULL;
    for (size_t i = 0; narrow && i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(n->row->name, ops[i]) && !*n->row->domain)
            return true;
    return !narrow ||
           mg_onnx_unsupported(n, "elements that are %s", mg_onnx_dtype_name(narrow->narrow));
}

void mg_onnx_keep_narrow(MgOnnxNode *n) {
    const MgOnnxValue *x = mg_onnx_input(n, 0);
    static const char *const moves[] = {"Identity", "Reshape",   "Squeeze",
                                        "Flatten",  "Transpose", "Unsqueeze"};
    bool moved = false;
    for (size_t i = 0; n->row && i < sizeof moves / sizeof *moves; i++)
        moved |= !strcmp(n->row->name, moves[i]);
    if (moved && x && x->narrow && n->n_outputs && n->outputs[0])
        n->outputs[0]->narrow = x->narrow;
}

// ---------------------------------------------------------------- conversions
// Input 0 as f32, f16, … or integers.
static const char *plain(MgOnnxNode *n, MgDType *type) {
    const MgOnnxValue *x = n->inputs[0];
    *type = mg_onnx_is_narrow_float(x->narrow) ? MG_F32 : x->type.dtype;
    return mg_onnx_is_narrow_float(x->narrow) ? mg_onnx_decoded(n, "$0", x->narrow) : "$0";
}

static const char *converted(const MgOnnxNode *n, const char *x, MgDType from, MgDType to) {
    return from == to ? x : mg_onnx_text(n, "cast(%s, to = %s)", x, mg_dtype(to)->name);
}

const char *mg_onnx_rounded(MgOnnxNode *n, const char *x, MgDType from, MgDType to) {
    static const char *const largest[MG_DTYPE_COUNT] = {[MG_F8E4M3] = "448", [MG_F8E5M2] = "57344"};
    if (largest[to] && from != MG_BOOL && from != to && mg_onnx_int(n, "saturate", 1)) {
        x = mg_is_int(from) ? converted(n, x, from, MG_F32) : x;
        x = mg_onnx_text(n, "clip(%s, -%s, %s)", x, largest[to], largest[to]);
        from = mg_is_int(from) ? MG_F32 : from;
    }
    return converted(n, x, from, to);
}

// Integers keep their lowest bits. ONNX does not define the result for a float out of range; it is
// treated the same.
static const char *to_few_bits(MgOnnxNode *n, const char *x, MgDType from, uint32_t to) {
    MgDType carrier = is_unsigned(to) ? MG_U8 : MG_I8;
    int bits = bits_of(to);
    bool real = mg_is_float(from);
    x = converted(n, real ? converted(n, x, from, MG_I32) : x, real ? MG_I32 : from, carrier);
    if (is_unsigned(to))
        return mg_onnx_text(n, "bit_and(%s, %d)", x, (1 << bits) - 1);
    return mg_onnx_text(n, "shift_right(shift_left(%s, %d), %d)", x, 8 - bits, 8 - bits);
}

bool mg_onnx_cast(MgOnnxNode *n, int64_t to) {
    MgDType type, from;
    MgOnnxValue *x = n->inputs[0];
    if (!mg_onnx_carrier(to, &type))
        return mg_onnx_unsupported(n, "elements that are %s", mg_onnx_dtype_name(to));
    uint32_t narrow = mg_onnx_is_narrow(to) ? (uint32_t)to : 0;
    if (x->type.dtype == type && x->narrow == narrow)
        return mg_onnx_same(n, 0, x);
    const char *y = plain(n, &from);
    if (mg_onnx_is_narrow_float(narrow))
        y = mg_onnx_encoded(n, converted(n, y, from, MG_F32), narrow);
    else if (narrow)
        y = to_few_bits(n, y, from, narrow);
    else
        y = mg_onnx_rounded(n, y, from, type);
    if (!strcmp(y, "$0")) // the carrier itself is the result
        y = "identity($0)";
    if (!mg_onnx_give(n, 0, y))
        return false;
    n->outputs[0]->narrow = narrow;
    return true;
}

static uint32_t bits(int64_t onnx) {
    const MgOnnxType *type = onnx > 0 ? mg_onnx_type((uint64_t)onnx) : NULL;
    return type ? type->bits : 0;
}

// The bits of input 0 as ONNX's type `to` of the same width. The byte of a narrow float holds its
// bits.
MG_ONNX_OP(bit_cast) {
    (void)text;
    MgDType type;
    int64_t to = mg_onnx_int(n, "to", 0);
    if (!mg_onnx_takes(n, 1))
        return false;
    const MgOnnxValue *x = n->inputs[0];
    uint32_t from = x->narrow ? x->narrow : mg_onnx_type_number(x->type.dtype);
    if (!mg_onnx_carrier(to, &type))
        return mg_onnx_unsupported(n, "elements that are %s", mg_onnx_dtype_name(to));
    if (bits(from) != bits(to))
        return mg_onnx_fail(n, "an element of %s has %u bits, one of %s has %u; expected as many",
                            mg_onnx_dtype_name(from), bits(from), mg_onnx_dtype_name(to), bits(to));
    uint32_t narrow = mg_onnx_is_narrow(to) ? (uint32_t)to : 0;
    const char *y = mg_onnx_text(n, "bit_cast($0, to = %s)", mg_dtype(type)->name);
    if (bits(to) < 8 && x->type.dtype != type) // i8 and u8 carry the same bits differently
        y = to_few_bits(n, "$0", x->type.dtype, narrow);
    else if (x->type.dtype == MG_BOOL || type == MG_BOOL)
        y = mg_onnx_text(n, "cast($0, to = %s)", mg_dtype(type)->name);
    else if (x->type.dtype == type)
        y = "identity($0)";
    if (!mg_onnx_give(n, 0, y))
        return false;
    n->outputs[0]->narrow = narrow;
    return true;
}
