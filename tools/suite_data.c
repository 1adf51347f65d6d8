// Reads data sets, and handles the oddities of existing ones.
#include "tools/suite_data.h"

#include "formats/tensor.h"
#include "runtime/context.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST 4096 // ports of a model

// 1 + the largest number of a file KIND_NUMBER.EXTENSION, or 0.
static uint32_t count_files(MgArena *arena, const char *set, const char *kind,
                            const char *extension) {
    glob_t found;
    uint32_t count = 0;
    if (glob(mg_arena_printf(arena, "%s/%s_*%s", set, kind, extension), GLOB_NOSORT, NULL, &found))
        return 0;
    size_t prefix = strlen(set) + strlen(kind) + 2;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *end;
        unsigned long number = strtoul(found.gl_pathv[i] + prefix, &end, 10);
        if (!strcmp(end, extension) && number < MOST && number >= count)
            count = (uint32_t)number + 1;
    }
    globfree(&found);
    return count;
}

// The path of a set's npz, which holds arrays KIND_NUMBER, or NULL.
static const char *npz_of(MgArena *arena, const char *set) {
    const char *path = mg_arena_printf(arena, "%s/data.npz", set);
    return access(path, F_OK) ? NULL : path;
}

uint32_t mgc_set_count(MgArena *arena, MgContext *context, const char *set, const char *kind) {
    uint32_t pb = count_files(arena, set, kind, ".pb"), npy = count_files(arena, set, kind, ".npy");
    uint32_t count = pb > npy ? pb : npy;
    MgStatus status = MG_OK;
    for (MgTensor *t; npz_of(arena, set) && count < MOST && !status; count++) {
        t = mgc_set_tensor(arena, context, set, kind, count, &status);
        if (!t)
            break;
        mg_tensor_release(t);
    }
    return count;
}

MgTensor *mgc_set_tensor(MgArena *arena, MgContext *context, const char *set, const char *kind,
                         uint32_t number, MgStatus *status) {
    static const char *const extensions[] = {"pb", "npy"};
    MgTensor *t = NULL;
    *status = MG_OK;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        const char *path = mg_arena_printf(arena, "%s/%s_%u.%s", set, kind, number, extensions[i]);
        if (!access(path, F_OK)) {
            *status = mg_tensor_read(context, path, &t);
            return t;
        }
    }
    const char *npz = npz_of(arena, set);
    if (npz && mg_tensor_read(context, mg_arena_printf(arena, "%s:%s_%u", npz, kind, number), &t))
        t = NULL; // no such array
    return t;
}

MgTensor **mgc_set_list(MgArena *arena, MgContext *context, const char *set, const char *kind,
                        uint32_t number, uint32_t *n, bool *is_list) {
    const char *path = mg_arena_printf(arena, "%s/%s_%u.pb", set, kind, number);
    MgTensorList list = {.arena = arena};
    bool read = !access(path, F_OK) && mg_tensors_read(context, path, &list) == MG_OK;
    *is_list = read && list.is_list;
    *n = list.n;
    return list.tensors;
}

MgTensor *mgc_as_type(MgTensor *t, MgElement element) {
    MgDType dtype = (MgDType)element;
    MgTensor *out = mg_tensor_new(element, t->rank, t->dims);
    size_t from = mg_dtype_size(t->dtype), to = mg_dtype_size(dtype);
    for (size_t k = 0; out && k < t->count; k++) { // little-endian machines
        MgBits v = 0;
        memcpy(&v, (const char *)t->data + k * from, from);
        if (mg_is_float(t->dtype))
            v = mg_bits_from_double(dtype, mg_bits_to_double(t->dtype, v));
        memcpy((char *)out->data + k * to, &v, to);
    }
    mg_tensor_release(t);
    return out;
}

void mgc_as_scalar(MgTensor *t, const MgPortInfo *port) {
    if (!port->rank && t->rank == 1 && t->count == 1)
        t->rank = 0;
}

MgTensor *mgc_as_output(MgTensor *t, const MgPortInfo *port) {
    mgc_as_scalar(t, port);
    bool bits = port->element == MG_ELEMENT_BF16 && t->dtype == MG_U16;
    return bits ? mgc_as_type(t, port->element) : t;
}

MgTensor *mgc_as_input(MgTensor *t, const MgPortInfo *port, bool *other) {
    MgDType dtype = (MgDType)port->element;
    bool precision = dtype != t->dtype && mg_is_float(dtype) && mg_is_float(t->dtype);
    *other |= precision;
    t = mgc_as_output(t, port);
    return precision ? mgc_as_type(t, port->element) : t;
}
