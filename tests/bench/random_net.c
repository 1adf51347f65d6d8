// random_net SEED N DEPTH FOLDER: writes the random graph of `mgc bench graphs` as net.mg and
// net.safetensors, its input as x.f32, and prints one letter per layer: the input of the graph
// benchmark. SEED is the number of a named seed.
#include "support/files.h"
#include "tools/random_graph.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_all(MgSession *session, uint64_t seed, uint32_t n, uint32_t depth,
                      const char *folder) {
    size_t count = (size_t)n * n;
    float *x = MG_NEW_N(session->arena, float, count);
    mgc_random_input(seed, n, x);
    printf("%s\n", mgc_random_layers(session, seed, depth));
    return mgc_random_graph_write(session, folder, seed, depth, n) &&
           mg_file_write(session, mg_arena_printf(session->arena, "%s/x.f32", folder),
                         &(MgBytes){x, count * sizeof *x}, 1);
}

int main(int argc, char **argv) {
    int which = argc == 5 ? atoi(argv[1]) : -1, n = argc == 5 ? atoi(argv[2]) : 0;
    int depth = argc == 5 ? atoi(argv[3]) : 0;
    if (which < 0 || which >= MGC_SEEDS || n < 1 || depth < 2)
        return 2;
    MgSession *session = mg_session_new(0);
    if (!session)
        return 1;
    MgTry frame;
    bool ok = false;
    if (MG_TRY(session->mem, frame)) {
        ok = write_all(session, mgc_seeds[which].seed, (uint32_t)n, (uint32_t)depth, argv[4]);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return !ok;
}
