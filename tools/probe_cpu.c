// Measures the CPU's peak and bandwidths. The kernels are written by hand in kernel IR and compiled
// by the CPU backend, so the limits are those of code like that of compiled networks.
#include "backends/cpu/hand_peak.h"
#include "support/clock.h"
#include "tools/probe.h"

#include <math.h>
#include <unistd.h>

enum { RUNS = 9, ALIKE = 3, UNROLL = 4 };

static MgTargetInfo target(void) {
    MgSession *session = mg_session_new(0);
    MgTargetInfo info = {0};
    mg_backend_find("cpu")->target_info(session, NULL, &info);
    mg_session_free(session);
    return info;
}

// The threads that measure, and the largest spread of the counted runs so far.
typedef struct Crew {
    MgThreads *threads; // NULL if there is one worker
    uint32_t workers;
    double spread;
} Crew;

// The shortest time of a few runs of a compiled program. If the next two runs took as long, the
// machine was otherwise idle.
static double best_run(MgCpuProgram *c, Crew *crew) {
    double least[ALIKE + 1];
    for (int i = 0; i < ALIKE; i++)
        least[i] = INFINITY;
    for (int i = 0; i <= RUNS; i++) {
        double begin = mg_now_seconds();
        mg_hand_run(c, crew->threads, crew->workers);
        double seconds = mg_now_seconds() - begin;
        int at = i ? ALIKE : 0; // the first is a warm-up
        for (; at > 0 && seconds < least[at - 1]; at--)
            least[at] = least[at - 1];
        if (i)
            least[at] = seconds;
    }
    if (least[0] > 1e-5) // shorter runs are only a few ticks of the clock
        crew->spread = fmax(crew->spread, least[ALIKE - 1] / least[0]);
    return least[0];
}

// The same for a program of one kernel; 0 if it does not compile.
static double least(MgCpuProgram *c, MgKernel *k, const int64_t *scalars, Crew *crew) {
    MgKBufId buffers[2] = {0, 1};
    mg_hand_ports_end(c);
    mg_hand_call(c, &c->program->plan->body, k, buffers, scalars);
    return mg_hand_compile(c, NULL) ? best_run(c, crew) : 0;
}

// FLOP/s of all workers together.
static double fma_peak(Crew *crew) {
    static MgCpuPeak peak; // tens of kilobytes
    double seconds = mg_cpu_peak_begin(&peak, 200000) ? best_run(&peak.c, crew) : 0;
    mg_hand_end(&peak.c);
    return seconds > 0 ? peak.flops * crew->workers / seconds : 0;
}

// ---------------------------------------------------------------- bandwidth
typedef enum Stream { READ, WRITE, COPY } Stream;

// One trip over n elements of x, UNROLL vectors at a time, which are summed, filled, or copied to
// the second half.
static void stream_trip(MgKernel *k, MgKBlock *block, Stream kind, MgKBufId x, MgKBufId acc,
                        uint32_t lanes, int64_t n, MgLoopKind how) {
    int64_t count = kind == COPY ? n / 2 : n;
    MgKs *loop = mg_kfor(k, block, how, "i", mg_kint(k, 0), mg_kint(k, count), UNROLL * lanes);
    MgKs *four =
        mg_kfor(k, &loop->body, MG_LOOP_UNROLLED, "j", mg_kint(k, 0), mg_kint(k, UNROLL), 1);
    const MgKx *j = mg_kvar(k, four->var);
    const MgKx *at = mg_kadd(k, mg_kvar(k, loop->var), mg_kmul(k, j, mg_kint(k, lanes)));
    const MgKx *old = mg_kload(k, acc, j, lanes, NULL, NULL);
    if (kind == READ) {
        const MgKx *load = mg_kload(k, x, at, lanes, NULL, NULL);
        mg_kstore(k, &four->body, acc, j, mg_kadd(k, old, load), NULL);
    } else if (kind == WRITE) {
        mg_kstore(k, &four->body, x, at, old, NULL);
    } else {
        const MgKx *load = mg_kload(k, x, at, lanes, NULL, NULL);
        mg_kstore(k, &four->body, x, mg_kadd(k, at, mg_kint(k, count)), load, NULL);
    }
}

// Bytes per second; a copy counts both the bytes read and the bytes written.
static double stream(const MgTargetInfo *info, uint64_t bytes, Stream kind, Crew *crew) {
    static _Alignas(64) float sums[256 * 16];
    uint32_t lanes = info->vector_bytes / 4, unit = UNROLL * lanes * 2;
    int64_t n = (int64_t)(bytes / 4) / unit * unit;
    int64_t trips = (int64_t)(32 << 20) / (n * 4) + 1;
    float *data = aligned_alloc(64, ((size_t)n * 4 + 63) / 64 * 64);
    MgCpuProgram c;
    if (!data)
        return 0;
    memset(data, 0, (size_t)n * 4);
    mg_hand_begin(&c);
    MgKType v = mg_kt(MG_F32, lanes);
    MgKernel *k = mg_hand_kernel(&c, "stream");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, true), y = mg_kparam(k, "y", MG_F32, false, true);
    k->bufs.at[x].align = k->bufs.at[y].align = 64;
    MgKBufId acc = mg_kalloc(k, "acc", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, UNROLL));
    for (int j = 0; j < UNROLL; j++)
        mg_kstore(k, &k->body, acc, mg_kint(k, j), mg_kfloat(k, v, 0), NULL);
    MgKs *again = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "t", mg_kint(k, 0), mg_kint(k, trips), 1);
    stream_trip(k, &again->body, kind, x, acc, lanes, n,
                crew->workers > 1 ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL);
    const MgKx *mine = mg_kmul(k, mg_kspecial(k, MG_KX_WORKER), mg_kint(k, 16));
    const MgKx *sum = mg_kload(k, acc, mg_kint(k, 0), lanes, NULL, NULL);
    for (int j = 1; j < UNROLL; j++)
        sum = mg_kadd(k, sum, mg_kload(k, acc, mg_kint(k, j), lanes, NULL, NULL));
    mg_kstore(k, &k->body, y, mine, sum, NULL);
    mg_hand_port(&c, data, MG_F32, n);
    mg_hand_port(&c, sums, MG_F32, 256 * 16);
    double seconds = least(&c, k, NULL, crew);
    mg_hand_end(&c);
    free(data);
    return seconds > 0 ? (double)n * 4 * (double)trips / seconds : 0;
}

double mgc_bandwidth(uint64_t bytes, int kind) {
    MgTargetInfo info = target();
    return stream(&info, bytes, (Stream)kind, &(Crew){.workers = 1});
}

// The time of a call that only passes `count` grid barriers.
static double barriers(Crew *crew, int64_t count) {
    static int64_t none[1];
    MgCpuProgram c;
    mg_hand_begin(&c);
    MgKernel *k = mg_hand_kernel(&c, "barriers");
    mg_kparam(k, "x", MG_I64, true, false);
    mg_kparam(k, "y", MG_I64, true, false);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, count), 1);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GRID);
    mg_hand_port(&c, none, MG_I64, 1);
    mg_hand_port(&c, none, MG_I64, 1);
    double seconds = least(&c, k, NULL, crew);
    mg_hand_end(&c);
    return seconds;
}

void mgc_machine_name(char *name, size_t room) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "this CPU");
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " ");
        colon[strcspn(colon, "\n")] = 0;
        if (*colon)
            snprintf(name, room, "%s", colon);
        break;
    }
    if (f)
        fclose(f);
}

bool mgc_limits_cpu(MgcLimits *l) {
    MgTargetInfo info = target();
    uint32_t workers = mg_threads_available() < 256 ? mg_threads_available() : 256;
    const struct {
        const char *name;
        uint64_t capacity;
    } levels[] = {
        {"L1", info.l1_bytes}, {"L2", info.l2_bytes}, {"L3", info.l3_bytes}, {"memory", 0}};
    MgThreads *threads = mg_threads_new(workers, true);
    Crew one = {.workers = 1}, all = {threads, threads ? workers : 1, 0};
    mgc_machine_name(l->machine, sizeof l->machine);
    l->lanes = info.vector_bytes / 4;
    l->workers = workers;
    l->fma = fma_peak(&one);
    l->fma_all = all.workers > 1 ? fma_peak(&all) : l->fma;
    uint64_t beyond = info.l3_bytes > 16u << 20 ? 4 * (uint64_t)info.l3_bytes : 64u << 20;
    beyond = beyond < 256u << 20 ? beyond : 256u << 20;
    l->copy_all = stream(&info, beyond, COPY, &all);
    l->overhead = barriers(&one, 0);
    if (all.workers > 1)
        l->barrier = barriers(&all, 10000) / 10000;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (i < 3 && !levels[i].capacity)
            continue;
        MgcLevel *level = &l->levels[l->n_levels++];
        snprintf(level->name, sizeof level->name, "%s", levels[i].name);
        level->capacity = levels[i].capacity;
        level->probed = level->capacity ? level->capacity / 2 : beyond;
        level->read = stream(&info, level->probed, READ, &one);
        level->write = stream(&info, level->probed, WRITE, &one);
        level->copy = stream(&info, level->probed, COPY, &one);
        level->latency = mgc_latency(level->probed) * 1e-9;
    }
    mg_threads_free(threads);
    l->spread = fmax(one.spread, all.spread);
    return l->fma > 0 && l->n_levels;
}
