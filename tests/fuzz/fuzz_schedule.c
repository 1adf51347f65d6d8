// Fuzzes edited schedules: reads a file of them and schedules a small graph by them. A schedule
// that is accepted makes valid kernels.
#include "fuzz_file.h"

#include "frontend/sema.h"
#include "passes/nest/nest.h"
#include "runtime/compile.h"

#include <stdlib.h>
#include <string.h>

static const char graph[] = "mg 1\n"
                            "graph g(x: f32[5, 37], w: f32[N, 8], b: f32[37, 20],\n"
                            "        u: f32[2, 9, 21], v: f32[9, 21, 8], k: f32[3, 3, 8],\n"
                            "        rows: f32[40, 12], keys: f32[50, 12], values: f32[50, 10])\n"
                            "    -> (y: f32[5, 37], z: f32[5], s: f32[N, 8], d: f32[5, 20],\n"
                            "        p: f32[2, 9, 21], o: f32[9, 21, 8], q: f32[20],\n"
                            "        a: f32[40, 10])\n"
                            "{\n"
                            "    h[i, j] = x[i, j] * 2\n"
                            "    y = relu(h)\n"
                            "    z[i] = max[j] h[i, j]\n"
                            "    s = exp(w)\n"
                            "    c[i, j] = sum[k] x[i, k] * b[k, j]\n"
                            "    d[i, j] = c[i, j] * c[i, j]\n"
                            "    p[c, h in 0..9, w in 0..21] = max[s in 0..3, t in 0..3]\n"
                            "        (u[c, h + s - 1, w + t - 1] else 0)\n"
                            "    o[h in 0..9, w in 0..21, c] = sum[s, t]\n"
                            "        (v[h + s - 1, w + t - 1, c] else 0) * k[s, t, c]\n"
                            "    q[j] = sum[i] b[i, j]\n"
                            "    r[i, j] = sum[d] rows[i, d] * keys[j, d]\n"
                            "    m[i] = max[j] r[i, j]\n"
                            "    e[i, j] = exp(r[i, j] - m[i])\n"
                            "    t[i] = sum[j] e[i, j]\n"
                            "    a[i, c] = sum[j] (e[i, j] / t[i]) * values[j, c]\n"
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
