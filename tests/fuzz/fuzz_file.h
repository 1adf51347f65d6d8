// The frame of the fuzz targets that read a file. Each input has a session with a limit, so nothing
// in a file can take unbounded memory.
#ifndef MG_TESTS_FUZZ_FILE_H
#define MG_TESTS_FUZZ_FILE_H

#include "support/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline int fuzz_file(const uint8_t *data, size_t size,
                            void (*read)(MgSession *session, const uint8_t *data, size_t size)) {
    MgSession *session = mg_session_new((size_t)64 << 20);
    MgTry frame;
    if (MG_TRY(session->mem, frame)) {
        read(session, data, size);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return 0;
}

// Reads every byte, so that the sanitizers check it.
static inline void fuzz_touch(const void *bytes, size_t length) {
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += ((const unsigned char *)bytes)[i];
    __asm__ volatile("" : : "r"(sum));
}

#endif
