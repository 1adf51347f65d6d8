// c = a b in f32 through a plain matmul, both operands run-time inputs, against OpenBLAS's sgemm.
// Arguments: sizes (default 256 1000 1024 2048). Without OpenBLAS on the machine it says so and
// ends.
#include "bench.h"

#include "include/mg.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

static const char source[] =
    "mg 1\ngraph product(a: f32[M, K], b: f32[K, N]) -> (c: f32[M, N]) { c = matmul(a, b) }\n";

typedef void Sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                   int lda, const float *b, int ldb, float beta, float *c, int ldc);

typedef struct Blas {
    Sgemm *sgemm;
    const char *name;
    int n;
    float *a, *b, *c;
} Blas;

static void run_mg(void *context) {
    mg_run(context);
}

static void run_blas(void *context) {
    Blas *x = context;
    x->sgemm(101, 111, 111, x->n, x->n, x->n, 1, x->a, x->n, x->b, x->n, 0, x->c, x->n);
}

static float *fill(int n, uint32_t seed) {
    float *x = aligned_alloc(64, ((size_t)n * (size_t)n * sizeof *x + 63) / 64 * 64);
    for (size_t i = 0; x && i < (size_t)n * (size_t)n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / 0x1p23f - 1;
    }
    return x;
}

// 0, or 1 after a message.
static int compare(MgContext *context, MgModel *model, Sgemm *sgemm, const char *name, int n) {
    Blas blas = {sgemm, name, n, fill(n, 1), fill(n, 2), fill(n, 3)};
    int64_t dims[2] = {n, n};
    MgInstance *instance;
    const void *data;
    const int64_t *shape;
    int status = 1;
    if (mg_instance_new(model, context, &instance))
        return 1;
    if (!blas.a || !blas.b || !blas.c || mg_bind_input(instance, 0, blas.a, 2, dims) ||
        mg_bind_input(instance, 1, blas.b, 2, dims) || mg_run(instance) ||
        mg_output(instance, 0, &data, &shape))
        fputs(mg_instance_message(instance), stderr);
    else {
        char size[16];
        snprintf(size, sizeof size, "%d", n);
        run_blas(&blas);
        float worst = 0;
        for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
            worst = fmaxf(worst, fabsf(((const float *)data)[i] - blas.c[i]));
        status = worst > 1e-5f * (float)n;
        if (status)
            fprintf(stderr, "sgemm: n = %d: results differ by %g\n", n, (double)worst);
        else
            bench_compare("sgemm", size, 1, (Contender){run_mg, instance},
                          (Contender){run_blas, &blas}, blas.name, n > 1500 ? 0.3 : 0.1);
    }
    mg_instance_free(instance);
    free(blas.a);
    free(blas.b);
    free(blas.c);
    return status;
}

int main(int argc, char **argv) {
    static char *defaults[] = {"sgemm", "256", "1000", "1024", "2048"};
    if (argc < 2) {
        argc = 5;
        argv = defaults;
    }
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    Sgemm *sgemm = library ? (Sgemm *)(uintptr_t)dlsym(library, "cblas_sgemm") : NULL;
    if (!sgemm) {
        fputs("sgemm: libopenblas.so.0 is not there: nothing to compare with\n", stderr);
        return 0;
    }
    char *(*core)(void) = (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_corename");
    char name[64];
    snprintf(name, sizeof name, "OpenBLAS %s", core ? core() : "");
    MgContext *context;
    MgModel *model;
    if (mg_context_new(NULL, &context) ||
        mg_model_compile(context, "sgemm.mg", source, strlen(source), NULL, &model)) {
        fputs(mg_context_message(context), stderr);
        return 1;
    }
    int status = 0;
    for (int i = 1; i < argc && !status; i++)
        status = compare(context, model, sgemm, name, atoi(argv[i]));
    mg_model_release(model);
    mg_context_free(context);
    return status;
}
