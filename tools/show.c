// Prints arrays in nested brackets, one row per line. Of more than two hundred entries it prints
// three at each end of an axis.
#include "tools/show.h"

#include "ir/types.h"

#include <math.h>

#define SHOW_ALL 200
#define EDGE 3

typedef struct Array {
    MgText *out;
    MgDType dtype;
    uint32_t rank;
    const int64_t *dims;
    const unsigned char *data;
    bool all;
} Array;

static void show_element(MgText *out, MgDType dtype, const unsigned char *at, bool json) {
    MgBits bits = 0;
    memcpy(&bits, at, mg_dtype_size(dtype));
    if (mg_is_float(dtype)) {
        double v = mg_bits_to_double(dtype, bits);
        bool quoted = json && !isfinite(v);
        mg_textf(out, "%s%s%s", quoted ? "\"" : "", mg_float_str(out->arena, v, dtype != MG_F64),
                 quoted ? "\"" : "");
    } else if (dtype == MG_BOOL)
        mg_text_add(out, bits ? "true" : "false");
    else if (dtype == MG_U64)
        mg_textf(out, "%llu", (unsigned long long)bits);
    else
        mg_textf(out, "%lld", (long long)mg_bits_to_int(dtype, bits));
}

static void show_axis(const Array *a, uint32_t axis, size_t at, size_t stride) {
    if (axis == a->rank) {
        show_element(a->out, a->dtype, a->data + at * mg_dtype_size(a->dtype), false);
        return;
    }
    int64_t n = a->dims[axis];
    stride = n ? stride / (size_t)n : 0;
    mg_text_add(a->out, "[");
    for (int64_t k = 0; k < n; k++) {
        if (k && axis + 1 == a->rank)
            mg_text_add(a->out, ", ");
        else if (k)
            mg_textf(a->out, ",\n%*s", (int)axis + 1, "");
        if (!a->all && k == EDGE && n > 2 * EDGE) {
            mg_text_add(a->out, "...");
            k = n - EDGE - 1;
            continue;
        }
        show_axis(a, axis + 1, at + (size_t)k * stride, stride);
    }
    mg_text_add(a->out, "]");
}

static size_t count_of(uint32_t rank, const int64_t *dims) {
    size_t n = 1;
    for (uint32_t i = 0; i < rank; i++)
        n *= (size_t)dims[i];
    return n;
}

static void show_type(MgText *out, MgElement element, uint32_t rank, const int64_t *dims) {
    mg_textf(out, "%s[", mg_element_name(element));
    for (uint32_t i = 0; i < rank; i++)
        mg_textf(out, "%s%lld", i ? ", " : "", (long long)dims[i]);
    mg_text_add(out, "]");
}

void mgc_show(MgText *out, const char *name, MgElement element, uint32_t rank, const int64_t *dims,
              const void *data) {
    size_t count = count_of(rank, dims);
    Array a = {out, (MgDType)element, rank, dims, data, count <= SHOW_ALL};
    mg_textf(out, "%s: ", name);
    show_type(out, element, rank, dims);
    mg_text_add(out, rank > 1 ? " =\n" : " = ");
    if (count)
        show_axis(&a, 0, 0, count);
    else
        mg_text_add(out, "[]");
    mg_text_add(out, "\n");
}

void mgc_json_string(MgText *out, const char *text) {
    mg_text_add(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            mg_textf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            mg_textf(out, "\\u%04x", (unsigned)*text);
        else
            mg_text_add_n(out, text, 1);
    }
    mg_text_add(out, "\"");
}

void mgc_show_json(MgText *out, const char *name, MgElement element, uint32_t rank,
                   const int64_t *dims, const void *data) {
    mg_text_add(out, "{\"name\": ");
    mgc_json_string(out, name);
    mg_textf(out, ", \"dtype\": \"%s\", \"shape\": [", mg_element_name(element));
    for (uint32_t i = 0; i < rank; i++)
        mg_textf(out, "%s%lld", i ? ", " : "", (long long)dims[i]);
    mg_text_add(out, "], \"data\": [");
    size_t count = count_of(rank, dims), size = mg_element_size(element);
    for (size_t k = 0; k < count; k++) {
        mg_text_add(out, k ? ", " : "");
        show_element(out, (MgDType)element, (const unsigned char *)data + k * size, true);
    }
    mg_text_add(out, "]}");
}
