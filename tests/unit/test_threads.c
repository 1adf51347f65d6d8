// Tests the pool: all workers run once, at the same time, and runs of different sizes can follow.
#include "support/threads.h"
#include "tests/unit/check.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Meeting {
    _Atomic uint32_t arrived, ran[16];
    uint32_t workers;
} Meeting;

// Returns only when all workers are in: they must run at the same time.
static void meet(void *context, uint32_t worker, uint32_t workers) {
    Meeting *m = context;
    ck_assert_uint_eq(workers, m->workers);
    atomic_fetch_add(&m->ran[worker], 1);
    atomic_fetch_add(&m->arrived, 1);
    while (atomic_load(&m->arrived) < workers)
        usleep(1);
}

START_TEST(all_run_at_once) {
    for (uint32_t count = 1; count <= 9; count += 2) {
        MgThreads *threads = mg_threads_new(count, count % 4 == 1);
        ck_assert_uint_eq(mg_threads_count(threads), count);
        for (uint32_t round = 0; round < 40; round++) {
            Meeting m = {.workers = 1 + round % count};
            mg_threads_run(threads, meet, &m, m.workers);
            for (uint32_t w = 0; w < 16; w++)
                ck_assert_uint_eq(m.ran[w], w < m.workers);
            if (round % 16 == 0)
                usleep(3000); // workers fall asleep
        }
        mg_threads_free(threads);
    }
}
END_TEST

static void add(void *context, uint32_t worker, uint32_t workers) {
    (void)workers;
    ((uint64_t *)context)[worker * 8]++;
}

START_TEST(many_short_runs) {
    uint64_t sums[16] = {0};
    MgThreads *threads = mg_threads_new(2, false);
    for (uint32_t i = 0; i < 20000; i++)
        mg_threads_run(threads, add, sums, 1 + (i & 1));
    ck_assert_uint_eq(sums[0], 20000);
    ck_assert_uint_eq(sums[8], 10000);
    mg_threads_free(threads);
}
END_TEST

// A child of fork() starts the pool's threads anew, whether they had started or not, and can free
// the inherited pools. The parent's pool keeps working.
START_TEST(forked) {
    uint64_t sums[24] = {0};
    MgThreads *threads = mg_threads_new(3, false), *unused = mg_threads_new(2, false);
    ck_assert(mg_threads_run(threads, add, sums, 3));
    usleep(3000); // they fall asleep
    pid_t child = fork();
    if (!child) {
        alarm(20);
        bool ok = mg_threads_run(threads, add, sums, 3) && mg_threads_run(threads, add, sums, 2);
        pid_t grandchild = ok ? fork() : -1;
        if (!grandchild)
            _exit(!mg_threads_run(threads, add, sums, 3) || sums[8] != 4);
        int status = 1;
        ok = ok && grandchild > 0 && waitpid(grandchild, &status, 0) == grandchild && !status;
        mg_threads_free(threads);
        mg_threads_free(unused);
        _exit(!ok || sums[0] != 3 || sums[8] != 3);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(mg_threads_run(threads, add, sums, 3));
    ck_assert_uint_eq(sums[8], 2);
    mg_threads_free(threads);
    mg_threads_free(unused);
}
END_TEST

static void note_cpu(void *context, uint32_t worker, uint32_t workers) {
    (void)workers;
    if (worker == 1)
        *(int *)context = sched_getcpu();
}

// A sleeping worker must not be woken on the caller's CPU.
START_TEST(woken_elsewhere) {
    cpu_set_t all, one;
    int here = sched_getcpu(), there = here;
    if (here < 0 || mg_threads_available() < 2 || sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    MgThreads *threads = mg_threads_new(2, false);
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < 1000 && there == here; i++) { // until it has slept
        usleep(2000);
        mg_threads_run(threads, note_cpu, &there, 2);
    }
    ck_assert_int_ne(there, here);
    for (int i = 0; i < 50; i++) {
        usleep(1000);
        mg_threads_run(threads, note_cpu, &there, 2);
        ck_assert_int_ne(there, here);
    }
    sched_setaffinity(0, sizeof all, &all);
    mg_threads_free(threads);
}
END_TEST

START_TEST(limits) {
    ck_assert_ptr_null(mg_threads_new(0, false));
    ck_assert_ptr_null(mg_threads_new(UINT32_MAX, false));
    ck_assert_uint_ge(mg_threads_available(), 1);
    mg_threads_free(NULL);
}
END_TEST

MG_TEST_MAIN("threads", all_run_at_once, many_short_runs, forked, woken_elsewhere, limits)
