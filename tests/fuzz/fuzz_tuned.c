// Fuzzes the reader of mgc tune's results. The parameters that it accepts are within their bounds
// and in order, and what is written reads back.
#include "fuzz_file.h"

#include "runtime/tuned.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/mg-fuzz-tuned-XXXXXX";

static bool take(MgSession *session, const char *text, size_t size, MgTuning *tuning) {
    static int file = -1;
    if (file < 0)
        file = mkstemp(path);
    if (file < 0 || ftruncate(file, 0) || pwrite(file, text, size, 0) != (ssize_t)size)
        abort();
    return mg_tuned_read(session, path, false, tuning);
}

static void read_tuned(MgSession *session, const uint8_t *data, size_t size) {
    // an attacker would write this machine's name
    const char *head =
        mg_arena_printf(session->arena, "mg tuned 1\nmachine %s\n", mg_tuned_machine(session));
    size_t before = strlen(head);
    char *text = mg_arena_alloc(session->arena, before + size, 1);
    memcpy(text, head, before);
    memcpy(text + before, data, size);
    MgTuning first = {0}, second = {0};
    take(session, (const char *)data, size, &first);
    first = (MgTuning){0};
    if (!take(session, text, before + size, &first))
        return;
    for (uint32_t i = 0; i < first.n; i++)
        if (first.at[i].param >= MG_N_PARAMS ||
            first.at[i].value < mg_params[first.at[i].param].least ||
            first.at[i].value > mg_params[first.at[i].param].most)
            abort();
    MgText out = mg_text(session->arena);
    mg_tuned_print(session, "fuzz", &first, NULL, &out);
    if (!take(session, mg_text_str(&out), out.bytes.len, &second) || first.n != second.n)
        abort();
    for (uint32_t i = 0; i < first.n; i++)
        if (mg_tuned_order(&first.at[i], &second.at[i]) != 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read_tuned);
}
