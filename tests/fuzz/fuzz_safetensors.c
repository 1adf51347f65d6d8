// Fuzzes the reader of safetensors: what it accepts lies inside the file.
#include "fuzz_file.h"

#include "formats/safetensors.h"

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgSafetensors *file = mg_safetensors_of_bytes(session, "fuzz", mg_no_span(), data, size);
    for (uint32_t i = 0; file && i < file->tensors.len; i++)
        fuzz_touch(file->tensors.at[i].data, file->tensors.at[i].bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
