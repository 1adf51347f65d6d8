// The peak rate of fused multiply-add that compiled code reaches: independent accumulators in
// registers, with a and b loaded so that nothing folds. Benchmarks and mgc probe relate their
// figures to this program.
#ifndef MG_BACKENDS_CPU_HAND_PEAK_H
#define MG_BACKENDS_CPU_HAND_PEAK_H

#include "backends/cpu/hand_program.h"

enum { MG_PEAK_ACCUMULATORS = 12, MG_PEAK_LANES = 64 };

typedef struct MgCpuPeak {
    MgCpuProgram c;
    double flops; // of one worker in one run
    _Alignas(64) float x[2 * MG_PEAK_LANES];
    _Alignas(64) float y[MG_PEAK_ACCUMULATORS * MG_PEAK_LANES];
} MgCpuPeak;

// Compiles it for this machine. Run it with mg_hand_run(&peak->c, …) and end it with mg_hand_end.
// False if it does not compile.
static inline bool mg_cpu_peak_begin(MgCpuPeak *peak, int64_t trips) {
    MgCpuProgram *c = &peak->c;
    memset(peak, 0, sizeof *peak);
    mg_hand_begin(c);
    MgTargetInfo info;
    if (!mg_backend_find("cpu")->target_info(c->session, NULL, &info))
        return false;
    uint32_t lanes = info.vector_bytes / 4;
    MgKType v = mg_kt(MG_F32, lanes);
    MgKernel *k = mg_hand_kernel(c, "fma_peak");
    MgKBufId in = mg_kparam(k, "x", MG_F32, true, false),
             out = mg_kparam(k, "y", MG_F32, false, true);
    MgKBufId acc =
        mg_kalloc(k, "acc", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, MG_PEAK_ACCUMULATORS));
    const MgKx *zero = mg_kint(k, 0), *last = mg_kint(k, MG_PEAK_ACCUMULATORS);
    const MgKx *a = mg_klet_x(k, &k->body, "a", mg_kload(k, in, zero, lanes, NULL, NULL));
    const MgKx *b =
        mg_klet_x(k, &k->body, "b", mg_kload(k, in, mg_kint(k, MG_PEAK_LANES), lanes, NULL, NULL));
    MgKs *clear = mg_kfor(k, &k->body, MG_LOOP_UNROLLED, "i", zero, last, 1);
    mg_kstore(k, &clear->body, acc, mg_kvar(k, clear->var), mg_kfloat(k, v, 0), NULL);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "t", zero, mg_kint(k, trips), 1);
    MgKs *all = mg_kfor(k, &loop->body, MG_LOOP_UNROLLED, "i", zero, last, 1);
    const MgKx *i = mg_kvar(k, all->var), *old = mg_kload(k, acc, i, lanes, NULL, NULL);
    mg_kstore(k, &all->body, acc, i, mg_kprim(k, MG_PRIM_FMA, a, b, old), NULL);
    MgKs *write = mg_kfor(k, &k->body, MG_LOOP_UNROLLED, "i", zero, last, 1);
    i = mg_kvar(k, write->var);
    mg_kstore(k, &write->body, out, mg_kmul(k, i, mg_kint(k, lanes)),
              mg_kload(k, acc, i, lanes, NULL, NULL), NULL);
    mg_hand_port(c, peak->x, MG_F32, 2 * MG_PEAK_LANES);
    mg_hand_port(c, peak->y, MG_F32, MG_PEAK_ACCUMULATORS * MG_PEAK_LANES);
    mg_hand_ports_end(c);
    MgKBufId buffers[2] = {0, 1};
    mg_hand_call(c, &c->program->plan->body, k, buffers, NULL);
    peak->flops = 2.0 * lanes * MG_PEAK_ACCUMULATORS * (double)trips;
    return mg_hand_compile(c, NULL);
}

#endif
