// Fuzzes the notation of kernels. A kernel that is read must print as text that reads back as an
// equal kernel, and the verifier checks it.
#include "fuzz_file.h"

#include "ir/kernel.h"

#include <stdlib.h>
#include <string.h>

static const char *print(MgSession *session, const MgKernels *kernels) {
    MgText text = mg_text(session->arena);
    for (uint32_t i = 0; i < kernels->list.len; i++)
        mg_kernel_print(kernels->list.at[i], &text);
    return mg_text_str(&text);
}

static void kernels(MgSession *session, const uint8_t *data, size_t size) {
    MgKernels read = {0}, again = {0};
    uint32_t source = mg_add_source(session, "fuzz.mk", (const char *)data, size);
    if (!mg_kernels_read(session, source, &read)) {
        if (!session->n_errors)
            abort();
        return;
    }
    const char *text = print(session, &read);
    source = mg_add_source(session, "printed.mk", text, strlen(text));
    if (!mg_kernels_read(session, source, &again) || again.list.len != read.list.len ||
        strcmp(text, print(session, &again)) != 0)
        abort();
    for (uint32_t i = 0; i < read.list.len; i++)
        if (!mg_kernel_equal(read.list.at[i], again.list.at[i]) ||
            mg_kernel_verify(session, read.list.at[i]) !=
                mg_kernel_verify(session, again.list.at[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, kernels);
}
