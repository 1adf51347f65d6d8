// c = a b in f32 through a plain matmul against OpenBLAS's sgemm, packing included: with both
// operands as inputs, and again with b constant. The peak of fused multiply-add is measured in
// every repetition along with the two, with as many threads.
//
//   bench_sgemm [--threads=N] [SIZE…]    default: one thread and two, sizes 256 512 1000 1024 2048
//
// MG_OPENBLAS names the library to compare with (default libopenblas.so.0). Without that library
// the benchmark prints a message and ends.
#include "backends/cpu/hand_peak.h"
#include "bench.h"

#include "formats/safetensors.h"
#include "include/mg.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void Sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                   int lda, const float *b, int ldb, float beta, float *c, int ldc);

typedef struct Blas {
    Sgemm *sgemm;
    void (*set_threads)(int n);
    char name[64];
} Blas;

typedef struct Bench { // for one number of threads
    Blas blas;
    uint32_t threads;
    MgContext *context;
    MgThreads *workers; // for the peak
    MgCpuPeak *peak;
    MgCompileOptions options;
    char folder[64];
} Bench;

typedef struct Product { // one size
    Bench *bench;
    int n;
    float *a, *b, *c;
} Product;

static void run_mg(void *context) {
    mg_run(context);
}

static void run_blas(void *context) {
    Product *x = context;
    x->bench->blas.sgemm(101, 111, 111, x->n, x->n, x->n, 1, x->a, x->n, x->b, x->n, 0, x->c, x->n);
}

static void run_peak(void *context) {
    Bench *b = context;
    mg_hand_run(&b->peak->c, b->workers, b->threads);
}

// Uses huge pages if there are any, as the runtime does.
static float *fill(int n, uint32_t seed) {
    size_t page = 2 << 20, bytes = ((size_t)n * (size_t)n * sizeof(float) + page - 1) / page * page;
    float *x = aligned_alloc(page, bytes);
    if (x)
        madvise(x, bytes, MADV_HUGEPAGE);
    for (size_t i = 0; x && i < (size_t)n * (size_t)n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / 0x1p23f - 1;
    }
    return x;
}

static float worst_difference(const float *x, const float *y, int n) {
    float worst = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        worst = fmaxf(worst, fabsf(x[i] - y[i]));
    return worst;
}

// Writes net.mg, a product whose second factor is in w.safetensors, and that file.
static bool write_net(const Product *x, const char *path) {
    MgSession *session = mg_session_new(0);
    MgTry frame;
    bool ok = false;
    if (MG_TRY(session->mem, frame)) {
        int64_t dims[2] = {x->n, x->n};
        MgText out = mg_text(session->arena);
        mg_textf(&out,
                 "mg 1\ngraph product(a: f32[%d, %d]) -> (c: f32[%d, %d]) weights "
                 "\"w.safetensors\"\n{\n    param b: f32[%d, %d]\n    c = matmul(a, b)\n}\n",
                 x->n, x->n, x->n, x->n, x->n, x->n);
        MgSafetensor tensor = {.key = mg_sym(session->names, "b"),
                               .dtype = MG_F32,
                               .rank = 2,
                               .dims = dims,
                               .data = x->b,
                               .bytes = sizeof(float) * (size_t)x->n * (size_t)x->n};
        ok = mg_file_write(session, path, &(MgBytes){out.bytes.at, out.bytes.len}, 1) &&
             mg_safetensors_write(
                 session, mg_arena_printf(session->arena, "%s/w.safetensors", x->bench->folder),
                 &tensor, 1);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return ok;
}

static MgModel *model_of(const Product *x, bool constant) {
    static const char source[] =
        "mg 1\ngraph product(a: f32[M, K], b: f32[K, N]) -> (c: f32[M, N]) { c = matmul(a, b) }\n";
    MgContext *context = x->bench->context;
    const MgCompileOptions *options = &x->bench->options;
    MgModel *model = NULL;
    char path[96];
    snprintf(path, sizeof path, "%s/net.mg", x->bench->folder);
    if (constant ? !write_net(x, path) || mg_model_load(context, path, options, &model)
                 : mg_model_compile(context, "sgemm.mg", source, strlen(source), options, &model))
        fputs(mg_context_message(context), stderr);
    return model;
}

// Prints one line; false after a message.
static bool compare(Product *x, bool constant) {
    Bench *b = x->bench;
    int64_t dims[2] = {x->n, x->n};
    MgInstance *instance = NULL;
    const void *data;
    const int64_t *shape;
    bool ok = false;
    MgModel *model = model_of(x, constant);
    if (!model || mg_instance_new(model, b->context, &instance))
        return false;
    if (mg_bind_input(instance, 0, x->a, 2, dims) ||
        (!constant && mg_bind_input(instance, 1, x->b, 2, dims)) || mg_run(instance) ||
        mg_output(instance, 0, &data, &shape))
        fputs(mg_instance_message(instance), stderr);
    else {
        char size[32];
        snprintf(size, sizeof size, "%d%s", x->n, constant ? " constant" : "");
        run_blas(x);
        float worst = worst_difference(data, x->c, x->n);
        ok = worst <= 1e-5f * (float)x->n;
        if (ok)
            bench_compare_with_peak(
                "sgemm", size, (int)b->threads, (Contender){run_mg, instance},
                (Contender){run_blas, x}, b->blas.name, 0.04, (Contender){run_peak, b},
                2.0 * x->n * x->n * x->n / (b->peak->flops * (double)b->threads));
        else
            fprintf(stderr, "sgemm: n = %d: results differ by %g\n", x->n, (double)worst);
    }
    mg_instance_free(instance);
    mg_model_release(model);
    return ok;
}

static bool bench_size(Bench *b, int n) {
    Product x = {b, n, fill(n, 1), fill(n, 2), fill(n, 3)};
    bool ok = x.a && x.b && x.c && compare(&x, false) && compare(&x, true);
    free(x.a);
    free(x.b);
    free(x.c);
    return ok;
}

// The size that a word is; 0 if it is none.
static int size_of(const char *word) {
    char *end;
    long n = strtol(word, &end, 10);
    return *end || n < 1 || n > 32768 ? 0 : (int)n;
}

static bool bench_threads(Blas blas, MgCpuPeak *peak, uint32_t threads, const BenchFlags *flags,
                          char **sizes, int n) {
    static char *defaults[] = {"256", "512", "1000", "1024", "2048"};
    Bench b = {.blas = blas,
               .threads = threads,
               .peak = peak,
               .options = {.level = flags->level, .march = flags->march},
               .folder = "/tmp/mg-sgemm-XXXXXX"};
    blas.set_threads((int)threads);
    if (!mkdtemp(b.folder) ||
        mg_context_new(&(MgContextOptions){.threads = threads, .cache_folder = ""}, &b.context))
        return false;
    b.workers = threads > 1 ? mg_threads_new(threads, true) : NULL;
    if (!n) {
        sizes = defaults;
        n = sizeof defaults / sizeof *defaults;
    }
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = bench_size(&b, size_of(sizes[i]));
    mg_threads_free(b.workers);
    mg_context_free(b.context);
    for (int i = 0; i < 2; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", b.folder, i ? "net.mg" : "w.safetensors");
        remove(path);
    }
    rmdir(b.folder);
    return ok;
}

static bool load_blas(Blas *blas) {
    const char *path = getenv("MG_OPENBLAS");
    void *library = dlopen(path ? path : "libopenblas.so.0", RTLD_NOW);
    if (!library)
        return false;
    blas->sgemm = (Sgemm *)(uintptr_t)dlsym(library, "cblas_sgemm");
    blas->set_threads = (void (*)(int))(uintptr_t)dlsym(library, "openblas_set_num_threads");
    char *(*config)(void) = (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_config");
    char *(*core)(void) = (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_corename");
    int version = config ? (int)strcspn(config() + 9, " ") : 0; // "OpenBLAS 0.3.21 …"
    snprintf(blas->name, sizeof blas->name, "OpenBLAS %.*s %s", version, config ? config() + 9 : "",
             core ? core() : "");
    return blas->sgemm && blas->set_threads;
}

// Reads the flags and moves the sizes to the front of argv; false if a word is neither.
static bool read_words(int argc, char **argv, BenchFlags *flags, int *n_sizes) {
    for (int i = 1; i < argc; i++)
        if (size_of(argv[i]))
            argv[(*n_sizes)++] = argv[i];
        else if (!bench_flag(argv[i], flags))
            return false;
    return true;
}

int main(int argc, char **argv) {
    static MgCpuPeak peak;
    Blas blas;
    BenchFlags flags = {.level = 2};
    int there = mg_threads_available() < 2 ? 1 : 2, n = 0;
    if (!read_words(argc, argv, &flags, &n)) {
        fputs("usage: bench_sgemm [--threads=N] [--level=N] [--march=CPU] [SIZE...]\n", stderr);
        return 2;
    }
    if (!load_blas(&blas)) {
        fputs("sgemm: OpenBLAS is not there: nothing to compare with\n", stderr);
        return 77;
    }
    int from = flags.threads > 0 ? flags.threads : 1, to = flags.threads > 0 ? from : there;
    bool ok = mg_cpu_peak_begin(&peak, 200000);
    for (int t = from; ok && t <= to; t++)
        ok = bench_threads(blas, &peak, (uint32_t)t, &flags, argv, n);
    mg_hand_end(&peak.c);
    return !ok;
}
