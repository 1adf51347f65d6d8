// Fuzzes edited schedules: reads a file of them and schedules a small graph by them. A schedule
// that is accepted makes valid kernels.
#include "fuzz_file.h"

#include "frontend/sema.h"
#include "passes/nest/nest.h"
#include "runtime/compile.h"

#include <stdlib.h>
#include <string.h>

static const char graph[] = "mg 1\n"
                            "graph g(x: f32[5, 37], w: f32[N, 8], b: f32[37, 20])\n"
                            "    -> (y: f32[5, 37], z: f32[5], s: f32[N, 8], d: f32[5, 20])\n"
                            "{\n"
                            "    h[i, j] = x[i, j] * 2\n"
                            "    y = relu(h)\n"
                            "    z[i] = max[j] h[i, j]\n"
                            "    s = exp(w)\n"
                            "    c[i, j] = sum[k] x[i, k] * b[k, j]\n"
                            "    d[i, j] = c[i, j] * c[i, j]\n"
                            "}\n";

static void schedule(MgSession *session, const uint8_t *data, size_t size) {
    uint32_t source = mg_add_source(session, "fuzz.mgs", (const char *)data, size);
    MgNestFile *file = mg_nest_read(session, source);
    if (!file) {
        if (!session->n_errors)
            abort();
        return;
    }
    MgModule *m = mg_load_module_text(session, "fuzz.mg", graph, sizeof graph - 1);
    MgCompileSettings settings = {
        .backend = mg_backend_find("cpu"), .level = 2, .workers = 2, .schedules = file};
    if (!m || !mg_compile_passes(m->graphs.at[0], &settings))
        abort();
    MgProgram *p = mg_compile_schedule(m->graphs.at[0], &settings);
    if (!p && !session->n_errors)
        abort();
    for (uint32_t i = 0; p && i < p->kernels.len; i++)
        if (!mg_kernel_verify(session, p->kernels.at[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, schedule);
}
