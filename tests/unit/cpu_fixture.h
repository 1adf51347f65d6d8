// What the tests of the CPU backend's kernels share: a handmade program, two threads that run it,
// and a call of one kernel over all its ports.
#ifndef MG_TESTS_UNIT_CPU_FIXTURE_H
#define MG_TESTS_UNIT_CPU_FIXTURE_H

#include "backends/cpu/hand_program.h"
#include "tests/unit/check.h"

static MgCpuProgram c;
static MgThreads *threads;

static void setup(void) {
    mg_hand_begin(&c);
    threads = mg_threads_new(2, false);
}

static void teardown(void) {
    mg_threads_free(threads);
    mg_hand_end(&c);
}

static const MgKx *add(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kadd(k, a, b);
}

static const MgKx *times(MgKernel *k, const MgKx *a, int64_t b) {
    return mg_kmul(k, a, mg_kint(k, b));
}

// Compiles one call of k over all ports so far.
static void compile_call(MgKernel *k, const int64_t *scalars) {
    MgKBufId buffers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    mg_hand_ports_end(&c);
    mg_hand_call(&c, &c.program->plan->body, k, buffers, scalars);
    ck_assert(mg_hand_compile(&c, NULL));
}

#endif
