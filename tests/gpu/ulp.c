// Measures the error of the transcendental primitives and of 1 / x on a device, in units in the
// last place of f32, against the C library in f64.
//
//   gpu_ulp [stride [name...]]      every stride-th of the 2^32 inputs
//
// The formulas are those that tests/kernels/math_ulp.c measures on the CPU, but a device may have
// other instructions for a part of them. The test fails if an error exceeds its class in
// lang/prims.def, or if NaN, an infinity or the sign of zero differs from the C library's.
#include "tests/kernels/ulp.h"
#include "include/mg.h"

#include <stdlib.h>

enum { CHUNK = 1 << 22 };

static double reciprocal(double x) {
    return 1 / x;
}

static bool measure(MgInstance *instance, const char *name, Unary *f, double most,
                    uint64_t stride) {
    Worst worst = {0};
    const int64_t *dims, shape[1] = {CHUNK};
    const void *y;
    float *x = malloc(CHUNK * sizeof *x);
    bool ok = x && mg_bind_input(instance, 0, x, 1, shape) == MG_OK;
    for (uint64_t first = 0; ok && first >> 32 == 0; first += CHUNK * stride) {
        for (uint64_t i = 0; i < CHUNK; i++)
            x[i] = float_of((uint32_t)(first + i * stride));
        ok = mg_run(instance) == MG_OK && mg_output(instance, 0, &y, &dims) == MG_OK;
        for (uint32_t i = 0; ok && i < CHUNK; i++)
            judge(&worst, x[i], 0, ((const float *)y)[i], f((double)x[i]));
    }
    free(x);
    if (!ok)
        printf("%s fails: %s\n", name, mg_instance_message(instance));
    return ok && report("gpu", name, &worst, most, false);
}

static bool run_case(MgContext *context, const char *name, Unary *f, double most, uint64_t stride) {
    char text[160];
    MgModel *model;
    MgInstance *instance = NULL;
    MgCompileOptions options = {.level = 2, .target = "gpu"};
    int n =
        snprintf(text, sizeof text, "mg 1\ngraph net(x: f32[%d]) -> (y: f32[%d]) { y = %s(x) }\n",
                 CHUNK, CHUNK, f == reciprocal ? "1 / " : name);
    if (mg_model_compile(context, "net.mg", text, (size_t)n, &options, &model)) {
        printf("%s\n", mg_context_message(context));
        return false;
    }
    bool ok = mg_instance_new(model, context, &instance) == MG_OK &&
              measure(instance, name, f, most, stride);
    mg_instance_free(instance);
    mg_model_release(model);
    return ok;
}

int main(int argc, char **argv) {
    uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 8191;
    MgContext *context;
    bool ok = stride > 0;
    if (!ok || mg_context_new(NULL, &context))
        return 1;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const struct Reference *r = &references[i];
        const MgPrimRow *row = mg_prim(r->prim);
        bool wanted = argc < 3 && r->unary;
        for (int a = 2; a < argc; a++)
            wanted |= r->unary && !strcmp(argv[a], row->name);
        ok = (!wanted || run_case(context, row->name, r->unary, row->ulp, stride)) && ok;
    }
    // a correctly rounded quotient is off by half a unit at most
    ok = run_case(context, "inverse", reciprocal, 0.5, stride) && ok;
    mg_context_free(context);
    return ok ? 0 : 1;
}
