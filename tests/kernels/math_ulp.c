// Measures the error of the transcendental primitives, in units in the last place of f32, against
// the C library in f64.
//
//   math_ulp [stride [name…]]      stride 1: every one of the 2^32 inputs; pow and % take as many
//   random pairs
//
// The primitives are compiled by the CPU backend from the expansions of ir/kernel_math*.c, for this
// CPU, for one that looks up four constants in one instruction, and for one that doesn't.
// The test fails if a primitive exceeds its row in lang/prims.def, or if NaN, an infinity or the
// sign of zero differs from the C library's.
#include "backends/cpu/hand_program.h"
#include "backends/cpu/target.h"

#include "tests/kernels/ulp.h"

enum { LANES = 16, CHUNK = 1 << 14 };

static const char *const marches[] = {"native", "x86-64-v3", "x86-64-v2"};

static float x[CHUNK], z[CHUNK], y[CHUNK];

// y[i] = prim(x[i], z[i])
static bool compile(MgCpuProgram *c, MgPrim prim, bool binary, const char *march) {
    MgKernel *k = mg_hand_kernel(c, "function");
    MgKBufId in = mg_kparam(k, "x", MG_F32, true, false), other = in;
    if (binary)
        other = mg_kparam(k, "z", MG_F32, true, false);
    MgKBufId out = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, CHUNK), LANES);
    const MgKx *i = mg_kvar(k, loop->var), *a = mg_kload(k, in, i, LANES, NULL, NULL);
    const MgKx *b = binary ? mg_kload(k, other, i, LANES, NULL, NULL) : NULL;
    mg_kstore(k, &loop->body, out, i, mg_kprim(k, prim, a, b, NULL), NULL);
    MgKBufId bound[3] = {mg_hand_port(c, x, MG_F32, CHUNK)};
    uint32_t n = 1;
    if (binary)
        bound[n++] = mg_hand_port(c, z, MG_F32, CHUNK);
    bound[n] = mg_hand_port(c, y, MG_F32, CHUNK);
    mg_hand_ports_end(c);
    mg_hand_call(c, &c->program->plan->body, k, bound, NULL);
    return mg_hand_compile(c, march);
}

static void measure_unary(MgCpuProgram *c, Unary *f, uint64_t stride, Worst *worst) {
    for (uint64_t first = 0; first >> 32 == 0; first += CHUNK * stride) {
        for (uint32_t i = 0; i < CHUNK; i++)
            x[i] = float_of((uint32_t)(first + i * stride));
        mg_hand_run(c, NULL, 1);
        for (uint32_t i = 0; i < CHUNK; i++)
            judge(worst, x[i], 0, y[i], f((double)x[i]));
    }
}

static uint64_t next_random(uint64_t *state) { // splitmix64
    uint64_t r = *state += 0x9e3779b97f4a7c15;
    r = (r ^ r >> 30) * 0xbf58476d1ce4e5b9;
    r = (r ^ r >> 27) * 0x94d049bb133111eb;
    return r ^ r >> 31;
}

static const float special[] = {
    0,           1,          0.5f,     2,        3,        4,         1.5f,      2.5f,    0.33333f,
    8388607.5f,  1e10f,      16777215, 16777216, 33554432, 0x1p-149f, 0x1p-126f, FLT_MAX, 1e-45f,
    0.99999994f, 1.0000001f, 127,      128,      149,      150,       INFINITY,  NAN};
enum { N_SPECIAL = sizeof special / sizeof *special };

static float special_of(uint32_t i) {
    return i % 2 ? -special[i / 2] : special[i / 2];
}

// A third of the pairs have random bits, a third a power in the range, a third a base near 1.
static void draw_pair(uint64_t *state, uint64_t n, float *a, float *b) {
    uint64_t r = next_random(state);
    uint32_t low = (uint32_t)r, high = (uint32_t)(r >> 32);
    *a = float_of(low);
    *b = float_of(high);
    if (n % 3 == 1) {
        *a = float_of((low & 0x7fffffff) % 0x7f800000);
        double exponent = (double)high / 4294967296.0 * 300 - 150;
        *b = (float)(exponent / log2((double)*a));
    } else if (n % 3 == 2) {
        *a = float_of(0x3f800000 + (uint32_t)((int32_t)low >> 9));
        *b = (float)((double)high / 4294967296.0 * 300 - 150) / (float)log2((double)*a);
    }
}

static void measure_binary(MgCpuProgram *c, Binary *f, uint64_t stride, Worst *worst) {
    uint64_t state = 1, pairs = N_SPECIAL * 2 * N_SPECIAL * 2;
    for (uint64_t first = 0; first < ((uint64_t)1 << 32) / stride; first += CHUNK) {
        for (uint32_t i = 0; i < CHUNK; i++) {
            uint64_t n = first + i;
            if (n < pairs) {
                x[i] = special_of((uint32_t)(n % (2 * N_SPECIAL)));
                z[i] = special_of((uint32_t)(n / (2 * N_SPECIAL)));
            } else {
                draw_pair(&state, n, &x[i], &z[i]);
            }
        }
        mg_hand_run(c, NULL, 1);
        for (uint32_t i = 0; i < CHUNK; i++)
            judge(worst, x[i], z[i], y[i], f((double)x[i], (double)z[i]));
    }
}

static bool measure(const struct Reference *r, uint64_t stride, const char *march) {
    MgCpuProgram c;
    Worst worst = {0};
    const MgPrimRow *row = mg_prim(r->prim);
    mg_hand_begin(&c);
    bool here = mg_cpu_runs_here(c.session, march);
    bool ok = !here || compile(&c, r->prim, r->binary != NULL, march);
    if (here && ok) {
        if (r->binary)
            measure_binary(&c, r->binary, stride, &worst);
        else
            measure_unary(&c, r->unary, stride, &worst);
        // a remainder's row says 0
        ok = report(march, row->name, &worst, row->ulp, r->binary != NULL);
    }
    mg_hand_end(&c);
    return ok;
}

int main(int argc, char **argv) {
    uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 8191;
    bool ok = stride > 0;
    for (size_t i = 0; stride && i < sizeof references / sizeof *references; i++) {
        const MgPrimRow *row = mg_prim(references[i].prim);
        bool wanted = argc < 3;
        for (int a = 2; a < argc; a++)
            wanted |= !strcmp(argv[a], row->name);
        for (size_t m = 0; wanted && m < sizeof marches / sizeof *marches; m++)
            ok &= measure(&references[i], stride, marches[m]);
    }
    return ok ? 0 : 1;
}
