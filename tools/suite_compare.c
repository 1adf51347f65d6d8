// Judges one output. It compares everything first, so that the message can say how many elements
// differ and where the first one is.
#include "tools/suite.h"

#include "formats/tensor.h"

#include <math.h>

#define ABSOLUTE 1e-7
#define RELATIVE 1e-3

// Short floats may differ by two units in the last place, as in ONNX's own runner: the data sets
// round after every step, and some truncate.
static double relative_of(MgDType dtype) {
    static const double shorts[MG_DTYPE_COUNT] = {
        [MG_F16] = 0x1p-9, [MG_BF16] = 0x1p-6, [MG_F8E4M3] = 0x1p-2, [MG_F8E5M2] = 0x1p-1};
    return shorts[dtype] ? shorts[dtype] : RELATIVE;
}

static MgBits bits_at(const MgTensor *t, size_t k) { // little-endian machines
    MgBits bits = 0;
    size_t size = mg_dtype_size(t->dtype);
    memcpy(&bits, (const char *)t->data + k * size, size);
    return bits;
}

static double number_at(const MgTensor *t, size_t k) {
    return mg_bits_to_double(t->dtype, bits_at(t, k));
}

static double largest(const MgTensor *t) {
    double most = 0;
    for (size_t k = 0; k < t->count; k++) {
        double v = fabs(number_at(t, k));
        if (isfinite(v) && v > most)
            most = v;
    }
    return most;
}

static bool same_element(const MgTensor *got, const MgTensor *want, size_t k, double within) {
    if (!mg_is_float(want->dtype))
        return bits_at(got, k) == bits_at(want, k);
    double g = number_at(got, k), w = number_at(want, k);
    if (isnan(w))
        return isnan(g);
    if (isinf(w) || !isfinite(g))
        return g == w;
    double off = fabs(g - w);
    return off <= ABSOLUTE + relative_of(want->dtype) * fabs(w) || off <= within;
}

static void type_text(MgText *out, const MgTensor *t) {
    mg_textf(out, "%s[", mg_dtype(t->dtype)->name);
    for (uint32_t i = 0; i < t->rank; i++)
        mg_textf(out, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
    mg_text_add(out, "]");
}

static void element_text(MgText *out, const MgTensor *t, size_t k) {
    if (mg_is_float(t->dtype))
        mg_text_add(out, mg_float_str(out->arena, number_at(t, k), t->dtype != MG_F64));
    else if (t->dtype == MG_U64)
        mg_textf(out, "%llu", (unsigned long long)bits_at(t, k));
    else
        mg_textf(out, "%lld", (long long)mg_bits_to_int(t->dtype, bits_at(t, k)));
}

// "[0, 2, 3]": where in the tensor element k is.
static void place_text(MgText *out, const MgTensor *t, size_t k) {
    size_t stride = t->count;
    mg_text_add(out, "[");
    for (uint32_t i = 0; i < t->rank; i++) {
        stride /= (size_t)t->dims[i];
        mg_textf(out, "%s%zu", i ? ", " : "", k / stride);
        k %= stride;
    }
    mg_text_add(out, "]");
}

MgcVerdict mgc_judge(const char *name, const MgTensor *got, const MgTensor *want, double tolerance,
                     bool random, MgText *why) {
    bool same = got->dtype == want->dtype && got->rank == want->rank;
    for (uint32_t i = 0; same && i < got->rank; i++)
        same = got->dims[i] == want->dims[i];
    if (!same) {
        mg_textf(why, "output '%s' is ", name);
        type_text(why, got);
        mg_text_add(why, ", expected ");
        type_text(why, want);
        return MGC_FAIL;
    }
    double within = mg_is_float(want->dtype) ? tolerance * largest(want) : 0;
    size_t first = 0, differ = 0;
    for (size_t k = 0; k < want->count; k++)
        if (!same_element(got, want, k, within) && !differ++)
            first = k;
    if (!differ)
        return MGC_PASS;
    if (random) {
        mg_textf(why, "output '%s' is drawn at random, which can't be compared", name);
        return MGC_UNSUPPORTED;
    }
    mg_textf(why, "output '%s' at ", name);
    place_text(why, want, first);
    mg_text_add(why, " is ");
    element_text(why, got, first);
    mg_text_add(why, ", expected ");
    element_text(why, want, first);
    mg_textf(why, "; %zu of %zu differ", differ, want->count);
    return MGC_FAIL;
}
