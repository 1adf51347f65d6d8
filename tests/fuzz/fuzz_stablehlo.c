// Fuzzes the reader of StableHLO programs and the translation. What it accepts gives a text that
// parses, and weights that lie in memory.
#include "fuzz_file.h"

#include "frontend/ast.h"
#include "frontend/stablehlo/stablehlo.h"

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgStablehloImport import;
    if (!mg_stablehlo_import_text(session, "fuzz.mlir", (const char *)data, size,
                                  "fuzz.safetensors", &import))
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
