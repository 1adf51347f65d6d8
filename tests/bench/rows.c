// Measures memory-bound work on all threads: the graphs of rows.mg alternate with a memcpy, by the
// same threads, of as many bytes as they read and write. The same rounds time a copy with
// non-temporal stores.
//
// The floor of a case is the time for its bytes at the rates of reading and of copying past the
// caches, measured in the same rounds. Cases that compute have a prediction: the larger of the
// floor and the time of their instructions at the rate of multiply-adds, --peak.
//
//   bench_rows FILE.mg [--threads=N] [--level=N] [--peak=GFLOPS of a core] [--small-pages] GRAPH…
#include "bench.h"

#include "include/mg.h"
#include "support/threads.h"

#include <string.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { ROUNDS = 7, MAX_PORTS = 8 };

// For the graphs that compute: the vector instructions per vector of elements that use the ports of
// multiply-adds.
static const struct Work {
    const char *graph;
    double instructions;
} works[] = {{"chain", 27}, {"softmax_rows", 11}, {"layer_norm_rows", 3}};

static bool huge_pages = true;

typedef struct Pool {
    MgThreads *threads;
    uint32_t n;
} Pool;

typedef struct Copy {
    Pool *pool;
    const char *from;
    char *to;
    size_t bytes;
    double sum[64];
} Copy;

// Uses huge pages if the system has any, as instances do; both sides get the same.
static void *memory(size_t bytes) {
    size_t page = 2 << 20, room = (bytes + page - 1) / page * page + page;
    void *at = aligned_alloc(page, room);
    if (!at) {
        fputs("rows: out of memory\n", stderr);
        exit(1);
    }
#ifdef MADV_HUGEPAGE
    if (huge_pages)
        madvise(at, room, MADV_HUGEPAGE);
#endif
    return at;
}

// ---------------------------------------------------------------- the peers
static size_t share(const Copy *c, uint32_t w, uint32_t n, size_t *length) {
    size_t lines = c->bytes / 64, first = lines * w / n;
    *length = (lines * (w + 1) / n - first) * 64;
    return first * 64;
}

static void copy_part(void *context, uint32_t w, uint32_t n) {
    Copy *c = context;
    size_t length, first = share(c, w, n, &length);
    memcpy(c->to + first, c->from + first, length);
}

static void stream_part(void *context, uint32_t w, uint32_t n) {
#ifdef __SSE2__
    Copy *c = context;
    size_t length, first = share(c, w, n, &length);
    const __m128i *from = (const __m128i *)(c->from + first);
    __m128i *to = (__m128i *)(c->to + first);
    for (size_t i = 0; i < length / sizeof *to; i += 4)
        for (size_t j = 0; j < 4; j++)
            _mm_stream_si128(to + i + j, from[i + j]);
    _mm_sfence();
#else
    copy_part(context, w, n);
#endif
}

typedef float Vector __attribute__((vector_size(64)));

static void read_part(void *context, uint32_t w, uint32_t n) {
    Copy *c = context;
    size_t length, first = share(c, w, n, &length);
    Vector sums[4] = {{0}};
    const Vector *from = (const Vector *)(c->from + first);
    for (size_t i = 0; i + 4 <= length / sizeof *from; i += 4)
        for (size_t j = 0; j < 4; j++)
            sums[j] += from[i + j];
    c->sum[w % 64] = (double)(sums[0] + sums[1] + sums[2] + sums[3])[0];
}

static void in_parallel(void *context, MgTask *part) {
    Copy *c = context;
    mg_threads_run(c->pool->threads, part, c, c->pool->n);
}
static void run_copy(void *context) {
    in_parallel(context, copy_part);
}
static void run_stream(void *context) {
    in_parallel(context, stream_part);
}
static void run_read(void *context) {
    in_parallel(context, read_part);
}

// ---------------------------------------------------------------- a graph
static void run_graph(void *context) {
    mg_run(context);
}

typedef struct Job {
    MgWork *work;
    void *argument;
} Job;

static void job(void *context, uint32_t w, uint32_t n) {
    (void)n;
    Job *j = context;
    j->work(j->argument, w);
}

static void parallel(void *user, uint32_t workers, MgWork *work, void *argument) {
    Pool *pool = user;
    Job j = {work, argument};
    mg_threads_run(pool->threads, job, &j, workers);
}

static size_t size_of(const MgPortInfo *port, size_t *count) {
    *count = 1;
    for (uint32_t a = 0; a < port->rank; a++)
        *count *= (size_t)port->dims[a];
    return *count * mg_element_size(port->element);
}

// Floats between -4 and 4, integers below `places`.
static void fill(void *data, const MgPortInfo *port, size_t count, int64_t places) {
    uint32_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        if (port->element == MG_ELEMENT_F32)
            ((float *)data)[i] = (float)(seed >> 8) / 0x1p21f - 4;
        else
            ((int64_t *)data)[i] = (int64_t)(seed >> 4) % places;
    }
}

typedef struct Bytes {
    size_t in, out, elements;
} Bytes;

static Bytes bind(MgModel *model, MgInstance *instance, void **inputs) {
    Bytes b = {0};
    int64_t places = 1;
    for (uint32_t i = 0; i < mg_model_inputs(model); i++) {
        const MgPortInfo *port = mg_model_input(model, i);
        size_t count, bytes = size_of(port, &count);
        fill(inputs[i] = memory(bytes), port, count, places);
        mg_bind_input(instance, i, inputs[i], port->rank, port->dims);
        places = port->rank ? port->dims[strstr(mg_model_graph(model), "columns") ? 1 : 0] : 1;
        b.in += bytes;
        b.elements = count > b.elements ? count : b.elements;
    }
    for (uint32_t i = 0; i < mg_model_outputs(model); i++) {
        size_t count;
        b.out += size_of(mg_model_output(model, i), &count);
        if (strstr(mg_model_graph(model), "gather") && b.in > b.out)
            b.in = b.out; // bytes fetched
    }
    return b;
}

static void measure(const char *graph, MgInstance *instance, Bytes b, Pool *pool, double peak) {
    Copy copy = {.pool = pool, .bytes = (b.in + b.out) / 128 * 64};
    copy.from = memset(memory(copy.bytes), 1, copy.bytes);
    copy.to = memset(memory(copy.bytes), 1, copy.bytes);
    Contender all[] = {
        {run_graph, instance}, {run_copy, &copy}, {run_stream, &copy}, {run_read, &copy}};
    double times[4][ROUNDS], ratios[ROUNDS];
    for (int r = -1; r < ROUNDS; r++)
        for (int i = 0; i < 4; i++) {
            double begin = mg_now_seconds();
            all[i].run(all[i].context);
            double t = mg_now_seconds() - begin;
            if (r >= 0)
                times[i][r] = t;
        }
    for (int r = 0; r < ROUNDS; r++)
        ratios[r] = times[1][r] / times[0][r];
    double ratio = bench_median(ratios, ROUNDS), median[4];
    for (int i = 0; i < 4; i++)
        median[i] = bench_median(times[i], ROUNDS);
    double both = (double)(b.in < b.out ? b.in : b.out), rest = (double)(b.in + b.out) - 2 * both;
    double floor = (both * median[2] + rest * median[3]) / (double)copy.bytes;
    if (b.out > b.in) // no probe measures writing, so the rate of copying is used
        floor = (double)(b.in + b.out) / 2 * median[2] / (double)copy.bytes;
    double predicted = floor;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (peak > 0 && !strcmp(works[i].graph, graph)) {
            double t = (double)b.elements * works[i].instructions * 2 / (peak * 1e9 * pool->n);
            predicted = t > floor ? t : floor;
        }
    printf("{\"name\": \"%s\", \"size\": \"%.4g MiB\", \"threads\": %u, \"mg\": %.4g, \"peer\": "
           "%.4g, \"peer_name\": \"memcpy\", \"ratio\": %.3f, \"spread\": %.3f, \"floor\": "
           "%.4g, \"share\": %.3f, \"streamed\": %.4g, \"predicted\": %.4g}\n",
           graph, (double)(b.in + b.out) / 0x1p20, pool->n, median[0], median[1], ratio,
           (ratios[ROUNDS * 3 / 4] - ratios[ROUNDS / 4]) / ratio, floor, floor / median[0],
           median[2], predicted);
    fflush(stdout);
    free((void *)(uintptr_t)copy.from);
    free(copy.to);
}

int main(int argc, char **argv) {
    BenchFlags flags = {.threads = mg_threads_available() < 2 ? 1 : 2, .level = 2};
    double peak = 0;
    int status = 0;
    bool known = argc > 2;
    for (int i = 2; i < argc; i++) {
        if (!strncmp(argv[i], "--peak=", 7))
            peak = atof(argv[i] + 7);
        else if (!strcmp(argv[i], "--small-pages"))
            huge_pages = false;
        else
            known &= argv[i][0] != '-' || bench_flag(argv[i], &flags);
    }
    Pool pool = {.n = flags.threads > 0 ? (uint32_t)flags.threads : 1};
    MgCompileOptions options = {.level = flags.level, .march = flags.march};
    pool.threads = mg_threads_new(pool.n, true);
    MgContextOptions how = {
        .threads = pool.n, .parallel = parallel, .parallel_user = &pool, .cache_folder = ""};
    MgContext *context;
    if (!known || !pool.threads || mg_context_new(&how, &context)) {
        fputs("usage: bench_rows FILE.mg [--threads=N] [--level=N] [--march=CPU] "
              "[--peak=GFLOPS] [--small-pages] GRAPH...\n",
              stderr);
        return 2;
    }
    for (int i = 2; i < argc && !status; i++) {
        if (argv[i][0] == '-')
            continue;
        MgModel *model = NULL;
        MgInstance *instance = NULL;
        void *inputs[MAX_PORTS] = {0};
        options.graph = argv[i];
        status = mg_model_load(context, argv[1], &options, &model) ||
                 mg_instance_new(model, context, &instance);
        if (status) {
            fputs(mg_context_message(context), stderr);
            break;
        }
        Bytes b = bind(model, instance, inputs);
        status = mg_run(instance);
        if (status)
            fprintf(stderr, "%s: %s\n", argv[i], mg_instance_message(instance));
        else
            measure(argv[i], instance, b, &pool, peak);
        mg_instance_free(instance);
        mg_model_release(model);
        for (uint32_t k = 0; k < MAX_PORTS; k++)
            free(inputs[k]);
    }
    mg_context_free(context);
    mg_threads_free(pool.threads);
    return status != 0;
}
