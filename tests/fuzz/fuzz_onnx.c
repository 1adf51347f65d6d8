// Fuzzes the reader of ONNX models and the translation. What it accepts gives a text that parses,
// and weights that lie in the file.
#include "fuzz_file.h"

#include "frontend/ast.h"
#include "frontend/onnx/onnx.h"

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgFileBytes file = {.path = "fuzz.onnx", .bytes = data, .length = size};
    MgOnnxImport import;
    if (!mg_onnx_import_file(session, &file, "fuzz.safetensors", NULL, 0, &import))
        return;
    uint32_t source = mg_add_source(session, "import", import.text, import.length);
    if (!mg_parse(session, source))
        __builtin_trap();
    for (uint32_t i = 0; i < import.weights.tensors.len; i++)
        fuzz_touch(import.weights.tensors.at[i].data, import.weights.tensors.at[i].bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
