// Fuzzes the reader of IDX files: what it accepts has as many elements as the file.
#include "fuzz_file.h"

#include "formats/idx.h"

#include <stdlib.h>

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgTensor *t = mg_idx_of_bytes(session, "fuzz", data, size);
    if (t && 4 + 4 * (size_t)t->rank + t->bytes != size)
        abort();
    mg_tensor_release(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
