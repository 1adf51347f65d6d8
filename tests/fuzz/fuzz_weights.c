// Fuzzes random weights: whatever a program's parameters are and however it uses them, each
// gets finite values of its own type, or there is a message.
#include "frontend/sema.h"
#include "runtime/weights.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdlib.h>

static void check(const MgWeight *w) {
    size_t size = mg_dtype_size(w->dtype);
    for (size_t i = 0; i < w->bytes; i += size) {
        MgBits bits = 0;
        memcpy(&bits, (const char *)w->data + i, size);
        if (mg_is_float(w->dtype) ? !isfinite(mg_bits_to_double(w->dtype, bits))
                                  : w->dtype == MG_BOOL && bits > 1)
            abort();
    }
}

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgModule *module = mg_load_module_text(session, "fuzz.mg", (const char *)data, size);
    for (uint32_t i = 0; module && i < module->graphs.len; i++) {
        MgWeights weights;
        module->random_weights = true;
        module->weights_seed = size;
        if (!mg_weights_find(module->graphs.at[i], &weights)) {
            if (!session->n_errors)
                abort();
            continue;
        }
        for (uint32_t k = 0; k < weights.all.len; k++)
            check(&weights.all.at[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
