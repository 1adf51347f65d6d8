// Tests how workers share a kernel of the CPU backend: barriers, divided loops, and dealt loops.
#include "tests/unit/cpu_fixture.h"
#include <string.h>

// Worker w adds what worker 1 - w wrote before the barrier, many times over.
START_TEST(barriers_order_workers) {
    enum { ROUNDS = 2000 };
    int64_t x[16] = {0}, y[2] = {0};
    MgKernel *k = mg_hand_kernel(&c, "exchange");
    MgKBufId mail = mg_kparam(k, "mail", MG_I64, true, true),
             out = mg_kparam(k, "y", MG_I64, true, true);
    const MgKx *w = mg_kspecial(k, MG_KX_WORKER), *workers = mg_kspecial(k, MG_KX_WORKERS);
    const MgKx *mine = times(k, w, 8), *one = mg_kint(k, 1);
    const MgKx *other = times(
        k, mg_kprim(k, MG_PRIM_SUB, mg_kprim(k, MG_PRIM_SUB, workers, one, NULL), w, NULL), 8);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "r", mg_kint(k, 0), mg_kint(k, ROUNDS), 1);
    const MgKx *r = mg_kvar(k, loop->var);
    mg_kstore(k, &loop->body, mail, mine, add(k, r, w), NULL);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GRID);
    mg_kstore(k, &loop->body, out, w,
              add(k, mg_kload(k, out, w, 1, NULL, NULL), mg_kload(k, mail, other, 1, NULL, NULL)),
              NULL);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GRID);
    mg_hand_port(&c, x, MG_I64, 16);
    mg_hand_port(&c, y, MG_I64, 2);
    compile_call(k, NULL);
    mg_hand_run(&c, threads, 2);
    int64_t sum = (int64_t)ROUNDS * (ROUNDS - 1) / 2;
    ck_assert_int_eq(y[0], sum + ROUNDS);
    ck_assert_int_eq(y[1], sum);
    y[0] = 0;
    mg_hand_run(&c, threads, 1); // alone: no wait
    ck_assert_int_eq(y[0], sum);
}
END_TEST

// Every trip of a parallel loop runs once, in balanced contiguous blocks, for any bounds and step.
START_TEST(parallel_blocks) {
    enum { N = 64 };
    static const int64_t bounds[][3] = {{0, 64, 1}, {0, 64, 7},  {3, 50, 5}, {10, 10, 1},
                                        {10, 3, 2}, {63, 64, 4}, {0, 5, 2}};
    int64_t low = bounds[_i][0], high = bounds[_i][1], step = bounds[_i][2];
    int64_t seen[N], who[N];
    MgKernel *k = mg_hand_kernel(&c, "split");
    MgKBufId out = mg_kparam(k, "seen", MG_I64, true, true),
             by = mg_kparam(k, "who", MG_I64, true, true);
    const MgKx *l = mg_kvar(k, mg_kscalar(k, "low")), *h = mg_kvar(k, mg_kscalar(k, "high"));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", l, h, step);
    const MgKx *i = mg_kvar(k, loop->var);
    mg_kstore(k, &loop->body, out, i, add(k, mg_kload(k, out, i, 1, NULL, NULL), mg_kint(k, 1)),
              NULL);
    mg_kstore(k, &loop->body, by, i, mg_kspecial(k, MG_KX_WORKER), NULL);
    mg_hand_port(&c, seen, MG_I64, N);
    mg_hand_port(&c, who, MG_I64, N);
    compile_call(k, (int64_t[]){low, high});
    MgThreads *many = mg_threads_new(5, false);
    for (uint32_t workers = 1; workers <= 5; workers++) {
        int64_t count[5] = {0}, last = 0, trips = 0;
        memset(seen, 0, sizeof seen);
        mg_hand_run(&c, many, workers);
        for (int64_t n = 0; n < N; n++) {
            bool in = n >= low && n < high && (n - low) % step == 0;
            ck_assert_int_eq(seen[n], in);
            if (!in)
                continue;
            ck_assert_int_ge(who[n], last);
            last = who[n];
            count[last]++, trips++;
        }
        for (uint32_t w = 0; w < workers; w++)
            ck_assert_int_le(count[w], trips / workers + 1);
    }
    mg_threads_free(many);
}
END_TEST

// Every trip of a dealt loop runs once, on any free worker, and before the next statement. That is
// another dealt loop, which reads what any worker wrote, many times over.
START_TEST(dealt_trips) {
    enum { N = 23, ROUNDS = 10 };
    int64_t x[N], y[N];
    MgKernel *k = mg_hand_kernel(&c, "deal");
    MgKBufId a = mg_kparam(k, "x", MG_I64, true, true), b = mg_kparam(k, "y", MG_I64, true, true);
    const MgKx *first = mg_kint(k, 3), *end = mg_kvar(k, mg_kscalar(k, "end"));
    MgKs *rounds = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "r", mg_kint(k, 0), mg_kint(k, ROUNDS), 1);
    MgKs *there = mg_kdealt(k, &rounds->body, "i", first, end);
    const MgKx *i = mg_kvar(k, there->var), *one = mg_kint(k, 1);
    mg_kstore(k, &there->body, a, i, add(k, mg_kload(k, b, i, 1, NULL, NULL), one), NULL);
    MgKs *back = mg_kdealt(k, &rounds->body, "j", first, end);
    const MgKx *j = mg_kvar(k, back->var);
    const MgKx *mirror = mg_kprim(k, MG_PRIM_SUB, add(k, first, end), add(k, j, one), NULL);
    mg_kstore(k, &back->body, b, j, add(k, mg_kload(k, a, mirror, 1, NULL, NULL), j), NULL);
    mg_hand_port(&c, x, MG_I64, N);
    mg_hand_port(&c, y, MG_I64, N);
    int64_t last = (int64_t[]){N, 4, 3, 0}[_i];
    compile_call(k, (int64_t[]){last});
    MgThreads *many = mg_threads_new(5, false);
    for (uint32_t workers = 1; workers <= 5; workers++) {
        memset(y, 0, sizeof y);
        mg_hand_run(&c, many, workers);
        for (int64_t n = 0; n < N; n++) // each round adds 1 and its place, mirrored every other one
            ck_assert_int_eq(y[n], n < 3 || n >= last
                                       ? 0
                                       : ROUNDS + ROUNDS / 2 * n + ROUNDS / 2 * (last + 2 - n));
    }
    mg_threads_free(many);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cpu_workers");
    TCase *tcase = tcase_create("cpu_workers");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, barriers_order_workers);
    tcase_add_loop_test(tcase, parallel_blocks, 0, 7);
    tcase_add_loop_test(tcase, dealt_trips, 0, 4);
    suite_add_tcase(suite, tcase);
    return mg_test_run(suite, CK_FORK);
}
