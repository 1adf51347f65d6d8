// Tensors of the public API: reference-counted arrays that own their memory or use the caller's.
#include "formats/tensor.h"

#include <stdlib.h>
#include <string.h>

// The public numbers of element types are the compiler's own.
#define MG_DTYPE(id, spelling, bits, class, compute, safetensors, npy)                             \
    _Static_assert((int)MG_ELEMENT_##id == (int)MG_##id, "mg.h numbers " spelling " otherwise");
#include "lang/dtypes.def"
#undef MG_DTYPE

static bool valid(MgElement element) {
    return (unsigned)element < MG_DTYPE_COUNT;
}

const char *mg_element_name(MgElement element) {
    return valid(element) ? mg_dtype((MgDType)element)->name : "";
}

size_t mg_element_size(MgElement element) {
    return valid(element) ? mg_dtype_size((MgDType)element) : 0;
}

bool mg_tensor_size(MgDType dtype, uint32_t rank, const int64_t *dims, size_t *count,
                    size_t *bytes) {
    size_t n = 1;
    bool empty = false, overflow = false;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return false;
        empty |= dims[i] == 0;
        overflow |= __builtin_mul_overflow(n, (size_t)dims[i], &n);
    }
    if (empty)
        n = 0; // whatever the other dimensions are
    else if (overflow)
        return false;
    *count = n;
    return !__builtin_mul_overflow(n, mg_dtype_size(dtype), bytes) && *bytes <= PTRDIFF_MAX;
}

// Are these arguments safe to read? (Whether the sizes are valid is checked elsewhere.)
static bool describes(MgElement element, uint32_t rank, const int64_t *dims) {
    return valid(element) && rank <= MG_TENSOR_RANK_MAX && (dims || !rank);
}

MgTensor *mg_tensor_wrap(MgElement element, uint32_t rank, const int64_t *dims, void *data,
                         void (*release)(void *user), void *user) {
    size_t count, bytes;
    if (!describes(element, rank, dims) ||
        !mg_tensor_size((MgDType)element, rank, dims, &count, &bytes) || (bytes && !data))
        return NULL;
    MgTensor *t = malloc(sizeof *t + rank * sizeof *t->dims);
    if (!t)
        return NULL;
    *t = (MgTensor){.references = 1,
                    .dtype = (MgDType)element,
                    .rank = rank,
                    .count = count,
                    .bytes = bytes,
                    .data = data,
                    .release = release,
                    .user = user};
    if (rank)
        memcpy(t->dims, dims, rank * sizeof *dims);
    return t;
}

MgTensor *mg_tensor_new(MgElement element, uint32_t rank, const int64_t *dims) {
    size_t count, bytes;
    if (!describes(element, rank, dims) ||
        !mg_tensor_size((MgDType)element, rank, dims, &count, &bytes) ||
        bytes > PTRDIFF_MAX - MG_TENSOR_ALIGN)
        return NULL;
    size_t room = (bytes + MG_TENSOR_ALIGN - 1) / MG_TENSOR_ALIGN * MG_TENSOR_ALIGN;
    void *data = aligned_alloc(MG_TENSOR_ALIGN, room ? room : MG_TENSOR_ALIGN);
    if (!data)
        return NULL;
    memset(data, 0, room);
    MgTensor *t = mg_tensor_wrap(element, rank, dims, data, free, data);
    if (!t)
        free(data);
    return t;
}

MgTensor *mg_tensor_retain(MgTensor *t) {
    if (t)
        atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
    return t;
}

void mg_tensor_release(MgTensor *t) {
    if (!t || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1)
        return;
    if (t->release)
        t->release(t->user);
    free(t);
}

MgElement mg_tensor_element(const MgTensor *t) {
    return t ? (MgElement)t->dtype : MG_ELEMENT_F64;
}

uint32_t mg_tensor_rank(const MgTensor *t) {
    return t ? t->rank : 0;
}

const int64_t *mg_tensor_dims(const MgTensor *t) {
    return t ? t->dims : NULL;
}

size_t mg_tensor_bytes(const MgTensor *t) {
    return t ? t->bytes : 0;
}

void *mg_tensor_data(MgTensor *t) {
    return t ? t->data : NULL;
}
