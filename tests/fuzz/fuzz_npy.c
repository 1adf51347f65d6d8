// Fuzzes the reader of npy: what it accepts is a tensor that is written and read back the same.
#include "fuzz_file.h"

#include "formats/npy.h"

#include <stdlib.h>

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgTensor *t = mg_npy_of_bytes(session, "fuzz", data, size);
    if (!t)
        return;
    MgBytes parts[2];
    mg_npy_parts(session, t, parts);
    unsigned char *whole = mg_arena_alloc(session->arena, parts[0].length + parts[1].length, 1);
    memcpy(whole, parts[0].at, parts[0].length);
    if (parts[1].length)
        memcpy(whole + parts[0].length, parts[1].at, parts[1].length);
    MgTensor *again = mg_npy_of_bytes(session, "fuzz", whole, parts[0].length + parts[1].length);
    if (!again || again->bytes != t->bytes ||
        (t->bytes && memcmp(again->data, t->data, t->bytes) != 0))
        abort();
    mg_tensor_release(again);
    mg_tensor_release(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
