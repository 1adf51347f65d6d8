// The builtins on plain memory: sorting, selection and random bits.
#include "ir/builtins.h"

#include <math.h>

// ---------------------------------------------------------------- elements
typedef struct Key { // an element, prepared for comparisons
    double f;
    int64_t i;
    uint64_t u;
} Key;

static Key key_at(MgDType dtype, const void *x, size_t i) {
    MgBits bits = mg_bits_at(dtype, x, i);
    if (mg_is_float(dtype))
        return (Key){.f = mg_bits_to_double(dtype, bits)};
    int64_t v = mg_bits_to_int(dtype, bits);
    return (Key){.i = v, .u = (uint64_t)v};
}

// Does a come strictly before b?
static bool before(MgDType dtype, Key a, Key b, bool descending) {
    if (mg_is_float(dtype)) {
        if (isnan(a.f) || isnan(b.f))
            return !isnan(a.f) && isnan(b.f);
        return descending ? a.f > b.f : a.f < b.f;
    }
    if (mg_is_signed(dtype))
        return descending ? a.i > b.i : a.i < b.i;
    return descending ? a.u > b.u : a.u < b.u;
}

// ---------------------------------------------------------------- argsort
// Bottom-up merge sort, which is stable and needs no recursion.
void mg_argsort_lane(MgDType dtype, const void *x, size_t n, size_t stride, bool descending,
                     int64_t *order, MgArena *scratch) {
    Key *keys = MG_NEW_N(scratch, Key, n);
    int64_t *from = order, *to = MG_NEW_N(scratch, int64_t, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = key_at(dtype, x, i * stride);
        order[i] = (int64_t)i;
    }
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n;
            size_t high = low + 2 * width < n ? low + 2 * width : n;
            size_t a = low, b = middle;
            for (size_t k = low; k < high; k++) {
                bool right = a == middle ||
                             (b < high && before(dtype, keys[from[b]], keys[from[a]], descending));
                to[k] = from[right ? b++ : a++];
            }
        }
        int64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order && n)
        memcpy(order, from, n * sizeof *order);
}

void mg_argsort(MgDType dtype, const void *x, size_t outer, size_t n, size_t inner, bool descending,
                int64_t *order, MgArena *scratch) {
    int64_t *lane = MG_NEW_N(scratch, int64_t, n);
    size_t size = mg_dtype_size(dtype);
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < inner; i++) {
            size_t base = o * n * inner + i;
            MgArena *work = mg_arena_new(mg_arena_mem(scratch));
            mg_argsort_lane(dtype, (const char *)x + base * size, n, inner, descending, lane, work);
            mg_arena_free(work);
            for (size_t k = 0; k < n; k++)
                order[base + k * inner] = lane[k];
        }
}

// ---------------------------------------------------------------- nonzero
static bool is_nonzero(MgDType dtype, const void *x, size_t i) {
    Key k = key_at(dtype, x, i);
    return mg_is_float(dtype) ? k.f != 0 : k.i != 0;
}

size_t mg_count_nonzero(MgDType dtype, const void *x, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += is_nonzero(dtype, x, i);
    return count;
}

void mg_nonzero(MgDType dtype, const void *x, uint32_t rank, const int64_t *shape, size_t count,
                int64_t *out) {
    size_t n = 1, found = 0;
    for (uint32_t k = 0; k < rank; k++)
        n *= (size_t)shape[k];
    for (size_t i = 0; i < n && found < count; i++) {
        if (!is_nonzero(dtype, x, i))
            continue;
        size_t rest = i;
        for (uint32_t k = rank; k-- > 0;) {
            out[k * count + found] = (int64_t)(rest % (size_t)shape[k]);
            rest /= (size_t)shape[k];
        }
        found++;
    }
}

// ---------------------------------------------------------------- non-maximum suppression
typedef struct Box {
    float low[2], high[2];
} Box;

static Box box_at(const float *b, bool center) {
    Box box;
    for (int k = 0; k < 2; k++) {
        float p = center ? b[k] - b[k + 2] / 2 : b[k], q = center ? b[k] + b[k + 2] / 2 : b[k + 2];
        box.low[k] = p < q ? p : q;
        box.high[k] = p < q ? q : p;
    }
    return box;
}

static float area(Box b) {
    return (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]);
}

static bool overlaps(Box a, Box b, double iou) {
    float side[2];
    for (int k = 0; k < 2; k++) {
        float low = a.low[k] > b.low[k] ? a.low[k] : b.low[k];
        float high = a.high[k] < b.high[k] ? a.high[k] : b.high[k];
        side[k] = high - low;
        if (!(side[k] > 0))
            return false;
    }
    float common = side[0] * side[1], together = area(a) + area(b) - common;
    return together > 0 && common / together > (float)iou;
}

// Selects boxes for one class of one batch. Writes to out from row k on, and returns the number of
// rows that are then in use.
static size_t suppress(const MgNms *nms, size_t batch, size_t class, int64_t *out, size_t k,
                       MgArena *scratch) {
    const float *scores = nms->scores + (batch * nms->classes + class) * nms->n;
    const float *boxes = nms->boxes + batch * nms->n * 4;
    int64_t *order = MG_NEW_N(scratch, int64_t, nms->n);
    mg_argsort_lane(MG_F32, scores, nms->n, 1, true, order, scratch);
    size_t first = k;
    for (size_t i = 0; i < nms->n && (int64_t)(k - first) < nms->max_output; i++) {
        size_t box = (size_t)order[i];
        if (!(scores[box] > nms->score))
            break;
        bool keep = true;
        for (size_t j = first; j < k && keep; j++)
            keep = !overlaps(box_at(boxes + 4 * out[3 * j + 2], nms->center),
                             box_at(boxes + 4 * box, nms->center), nms->iou);
        if (!keep)
            continue;
        out[3 * k] = (int64_t)batch;
        out[3 * k + 1] = (int64_t) class;
        out[3 * k + 2] = (int64_t)box;
        k++;
    }
    return k;
}

size_t mg_non_max_suppression(const MgNms *nms, int64_t *out, MgArena *scratch) {
    size_t k = 0;
    for (size_t batch = 0; batch < nms->batches; batch++)
        for (size_t class = 0; class < nms->classes; class ++)
            k = suppress(nms, batch, class, out, k, scratch);
    return k;
}

// ---------------------------------------------------------------- random bits
void mg_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53 * a, p1 = (uint64_t)0xCD9E8D57 * c;
        a = (uint32_t)(p1 >> 32) ^ b ^ k0;
        b = (uint32_t)p1;
        c = (uint32_t)(p0 >> 32) ^ d ^ k1;
        d = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

static uint32_t random_word(uint64_t seed, uint64_t i, uint32_t word) {
    uint32_t counter[4] = {(uint32_t)i, (uint32_t)(i >> 32), 0, 0};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, out[4];
    mg_philox(counter, key, out);
    return out[word];
}

uint32_t mg_random_bits(uint64_t seed, uint64_t i) {
    return random_word(seed, i, 0);
}

bool mg_random_keeps(float ratio, uint64_t seed, uint64_t i, bool together) {
    uint32_t word = together ? random_word(seed, i / 4, i % 4) : random_word(seed, i, 0);
    return (float)(word >> 8) * 0x1p-24f >= ratio;
}
