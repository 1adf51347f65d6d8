// The machine's limits as compiled kernels meet them, one JSON line each: peak of fused
// multiply-add, bandwidth of reading and of writing past the caches, time of one call, of a grid
// barrier, of waking a worker. What other measurements are judged against is measured here in the
// same way.
//
//   bench_kernels [fma_peak]: that alone, or all of them
#include "backends/cpu/hand_peak.h"

#include <time.h>
#include <unistd.h>

enum { BUFFER = 64 << 20, RUNS = 15 };

static double now(void) { // ns
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

typedef struct Measured {
    double best, worst; // ns
} Measured;

// Runs of one call each.
static Measured measure(CpuProgram *c, MgThreads *threads, uint32_t workers, uint32_t pause_us) {
    Measured m = {1e300, 0};
    for (int i = 0; i <= RUNS; i++) {
        if (pause_us)
            usleep(pause_us);
        double begin = now();
        cpu_run(c, threads, workers);
        double ns = now() - begin;
        if (i && ns < m.best)
            m.best = ns;
        if (i && ns > m.worst)
            m.worst = ns;
    }
    return m;
}

static void report(const char *name, int64_t size, uint32_t threads, double amount,
                   const char *unit, Measured m) {
    bool rate = amount > 0; // else the time itself
    printf("{\"name\": \"%s\", \"size\": %lld, \"threads\": %u, \"mg\": %.4g, \"unit\": \"%s\", "
           "\"spread\": %.3f}\n",
           name, (long long)size, threads, rate ? amount / m.best : m.best, unit,
           m.worst / m.best - 1);
}

static bool start(CpuProgram *c, MgKernel *k, const int64_t *scalars) {
    MgKBufId buffers[2] = {0, 1};
    cpu_ports_end(c);
    cpu_call(c, &c->program->plan->body, k, buffers, scalars);
    return cpu_compile(c, NULL);
}

static void fma_peak(MgTargetInfo info) {
    static CpuPeak peak;
    if (cpu_peak_begin(&peak, 1000000))
        report("fma_peak", info.vector_bytes / 4, 1, peak.flops, "GFLOP/s",
               measure(&peak.c, NULL, 1, 0));
    cpu_end(&peak.c);
}

// Sums a large buffer, or fills it past the caches, by all workers.
static void bandwidth(MgTargetInfo info, MgThreads *threads, uint32_t workers, bool write) {
    CpuProgram c;
    cpu_begin(&c);
    uint32_t lanes = info.vector_bytes / 4;
    int64_t n = BUFFER / 4;
    float *data = (float *)aligned_alloc(64, BUFFER);
    static _Alignas(64) float sums[64 * 16];
    memset(data, 0, BUFFER);
    MgKType v = mg_kt(MG_F32, lanes);
    MgKernel *k = cpu_kernel(&c, write ? "fill" : "sum");
    MgKBufId x = mg_kparam(k, "x", MG_F32, !write, write),
             y = mg_kparam(k, "y", MG_F32, false, true);
    k->bufs.at[x].align = k->bufs.at[y].align = 64;
    MgKBufId acc = mg_kalloc(k, "acc", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, 4));
    const MgKx *zero = mg_kint(k, 0);
    MgKs *clear = mg_kfor(k, &k->body, MG_LOOP_UNROLLED, "j", zero, mg_kint(k, 4), 1);
    mg_kstore(k, &clear->body, acc, mg_kvar(k, clear->var), mg_kfloat(k, v, 0), NULL);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", zero, mg_kint(k, n), 4 * lanes);
    MgKs *four = mg_kfor(k, &loop->body, MG_LOOP_UNROLLED, "j", zero, mg_kint(k, 4), 1);
    const MgKx *j = mg_kvar(k, four->var);
    const MgKx *at = mg_kadd(k, mg_kvar(k, loop->var), mg_kmul(k, j, mg_kint(k, lanes)));
    const MgKx *old = mg_kload(k, acc, j, lanes, NULL, NULL);
    if (write)
        mg_kstore(k, &four->body, x, at, old, NULL)->nontemporal = true;
    else
        mg_kstore(k, &four->body, acc, j, mg_kadd(k, old, mg_kload(k, x, at, lanes, NULL, NULL)),
                  NULL);
    const MgKx *mine = mg_kmul(k, mg_kspecial(k, MG_KX_WORKER), mg_kint(k, 16));
    const MgKx *sum = mg_kload(k, acc, zero, lanes, NULL, NULL);
    for (int64_t i = 1; i < 4; i++)
        sum = mg_kadd(k, sum, mg_kload(k, acc, mg_kint(k, i), lanes, NULL, NULL));
    mg_kstore(k, &k->body, y, mine, sum, NULL);
    cpu_port(&c, data, MG_F32, n);
    cpu_port(&c, sums, MG_F32, 64 * 16);
    if (start(&c, k, NULL))
        report(write ? "write" : "read", BUFFER, workers, BUFFER, "GB/s",
               measure(&c, threads, workers, 0));
    cpu_end(&c);
    free(data);
}

// `barriers` grid barriers in a kernel that does nothing else.
static Measured barriers(MgThreads *threads, uint32_t workers, int64_t count, uint32_t pause_us) {
    CpuProgram c;
    Measured m = {0, 0};
    cpu_begin(&c);
    static int64_t none[1];
    MgKernel *k = cpu_kernel(&c, "barriers");
    mg_kparam(k, "x", MG_I64, true, false);
    mg_kparam(k, "y", MG_I64, true, false);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, count), 1);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GRID);
    cpu_port(&c, none, MG_I64, 1);
    cpu_port(&c, none, MG_I64, 1);
    if (start(&c, k, NULL))
        m = measure(&c, threads, workers, pause_us);
    cpu_end(&c);
    return m;
}

int main(int argc, char **argv) {
    MgSession *session = mg_session_new(0);
    MgTargetInfo info;
    mg_backend_find("cpu")->target_info(session, NULL, &info);
    uint32_t workers = mg_threads_available() < 64 ? mg_threads_available() : 64;
    MgThreads *threads = mg_threads_new(workers, true);
    fma_peak(info);
    bool all = argc < 2 || strcmp(argv[1], "fma_peak") != 0;
    for (uint32_t w = 1; all && w <= workers; w += workers > 1 ? workers - 1 : 1) {
        bandwidth(info, threads, w, false);
        bandwidth(info, threads, w, true);
    }
    enum { BARRIERS = 10000 };
    if (all)
        report("call", 0, 1, 0, "ns", barriers(NULL, 1, 0, 0)); // with allocation of an arena
    if (all && workers > 1) {
        Measured many = barriers(threads, workers, BARRIERS, 0);
        report("barrier", 0, workers, 0, "ns",
               (Measured){many.best / BARRIERS, many.worst / BARRIERS});
        report("wake_spinning", 0, workers, 0, "ns", barriers(threads, workers, 0, 0));
        report("wake_asleep", 0, workers, 0, "ns", barriers(threads, workers, 0, 2000));
    }
    mg_threads_free(threads);
    mg_session_free(session);
    return 0;
}
