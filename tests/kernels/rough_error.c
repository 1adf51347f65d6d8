// Functions of what is rounded to sixteen bits (passes/schedule/rough.c) on a device. For every f32
// whose bits are a multiple of the stride, as those of every bf16 are, the result must be off by at
// most half a unit of the narrow type and 2^-20 of itself, and by what half of the operand's last
// place changes. Exits 77 (skipped) without a device.
//
//   rough_error [stride]
#include "include/mg.h"
#include "tests/kernels/ulp.h"

#include <stdlib.h>

enum { CHUNK = 1 << 16 };

static double gelu(double x) {
    return 0.5 * x * erfc(x * (double)-0.70710677f);
}

static double exp_of_minus(double x) {
    return exp(-x);
}

static double erfc_of_minus(double x) {
    return erfc(-x);
}

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

static const struct Rounded {
    const char *text; // of the function of x[i]
    Unary *f;
} rounded[] = {{"exp(-x[i])", exp_of_minus},
               {"erfc(-x[i])", erfc_of_minus},
               {"0.5 * x[i] * erfc(x[i] * -0.70710677)", gelu},
               {"1 / (1 + exp(-x[i]))", logistic}};

static const struct Narrow {
    const char *name;
    int bits, least; // of the mantissa; the exponent of the least normal number
    double largest;
} narrow[] = {{"bf16", 8, -126, 0x1.fep127}, {"f16", 11, -14, 65504}};

static double widened(const struct Narrow *n, uint16_t bits) {
    return mg_bits_to_double(n->bits == 8 ? MG_BF16 : MG_F16, bits);
}

// What a result may be off by, with the error that half of the last place of x causes.
static double allowed(const struct Narrow *n, Unary *f, double x, double want) {
    int exponent;
    frexp(want, &exponent);
    exponent = exponent - 1 < n->least ? n->least : exponent - 1;
    double half = ldexp(0.5, exponent - n->bits + 1), off = 0x1p-24 * fabs(x);
    double moved = fmax(fabs(f(x + off) - want), fabs(f(x - off) - want));
    return half + 0x1p-20 * fabs(want) + 1.5 * moved + 0x1p-125;
}

static bool fits(const struct Narrow *n, Unary *f, float x, double y) {
    double want = f((double)x);
    if (isnan(want) || isnan(y))
        return isnan(want) && isnan(y);
    if (fabs(want) > n->largest)
        return fabs(y) >= n->largest && y * want > 0;
    return fabs(y - want) <= allowed(n, f, (double)x, want) ||
           (isinf(y) && fabs(want) + allowed(n, f, (double)x, want) > n->largest);
}

static bool measure(MgInstance *instance, const struct Narrow *n, const struct Rounded *r,
                    uint64_t stride) {
    static float x[CHUNK];
    const int64_t *dims, shape[1] = {CHUNK};
    const void *y;
    uint64_t wrong = 0;
    bool ok = mg_bind_input(instance, 0, x, 1, shape) == MG_OK;
    for (uint64_t first = 0; ok && first >> 32 == 0; first += CHUNK * stride) {
        for (uint64_t i = 0; i < CHUNK; i++)
            x[i] = float_of((uint32_t)(first + i * stride));
        ok = mg_run(instance) == MG_OK && mg_output(instance, 0, &y, &dims) == MG_OK;
        for (uint32_t i = 0; ok && i < CHUNK; i++) {
            double got = widened(n, ((const uint16_t *)y)[i]);
            if (!fits(n, r->f, x[i], got) && !wrong++)
                printf("%s(%s) is %a for %a, not %a\n", n->name, r->text, got, (double)x[i],
                       r->f((double)x[i]));
        }
    }
    if (!ok)
        printf("%s fails: %s\n", r->text, mg_instance_message(instance));
    return ok && !wrong;
}

static int run_case(MgContext *context, const struct Narrow *n, const struct Rounded *r,
                    uint64_t stride) {
    char text[200];
    MgModel *model;
    MgInstance *instance = NULL;
    MgCompileOptions options = {.level = 2, .target = "gpu"};
    int length = snprintf(text, sizeof text,
                          "mg 1\ngraph net(x: f32[%d]) -> (y: %s[%d]) { y[i] = %s(%s) }\n", CHUNK,
                          n->name, CHUNK, n->name, r->text);
    if (mg_model_compile(context, "net.mg", text, (size_t)length, &options, &model)) {
        printf("%s\n", mg_context_message(context));
        return 77;
    }
    bool ok =
        mg_instance_new(model, context, &instance) == MG_OK && measure(instance, n, r, stride);
    mg_instance_free(instance);
    mg_model_release(model);
    return !ok;
}

int main(int argc, char **argv) {
    uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 16;
    MgContext *context;
    int wrong = 0;
    if (!stride || mg_context_new(NULL, &context))
        return 1;
    for (size_t n = 0; n < sizeof narrow / sizeof *narrow && wrong != 77; n++)
        for (size_t i = 0; i < sizeof rounded / sizeof *rounded && wrong != 77; i++) {
            int one = run_case(context, &narrow[n], &rounded[i], stride);
            wrong = one == 77 ? one : wrong | one;
        }
    mg_context_free(context);
    return wrong;
}
