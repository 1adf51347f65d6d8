// Each worker has its own mailbox: a counter that the caller raises to start it. A worker that is
// not part of a run is never woken, so it can't mistake the next run's task for this one.
#include "support/threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// About 150 us of pause instructions. This is several times as long as a sleeper takes to wake;
// with less, two threads that wait for each other would keep sleeping in turns.
enum { SPINS = 10000, LINE = 64 };

typedef struct Worker {
    _Alignas(LINE) _Atomic uint32_t started; // counts runs; the caller raises it
    _Atomic uint32_t asleep;
    MgThreads *threads;
    uint32_t number;
    pthread_t thread;
    bool pinned;
} Worker;

struct MgThreads {
    _Alignas(LINE) _Atomic uint32_t running; // workers still in the task, except the caller
    _Atomic uint32_t caller_asleep;
    _Alignas(LINE) MgTask *task; // NULL: the pool ends
    void *context;
    uint32_t workers; // of the run
    uint32_t count, spins;
    bool pin;
    cpu_set_t cpus; // those that the process could use when the pool began
    Worker *all;
    char *started; // a page of its own; not 0 in the process that started the threads
};

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void futex_wait(_Atomic uint32_t *word, uint32_t expected) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Waits until *word is no longer `seen`: spins, then sleeps. `asleep` tells the other side to wake
// this one. Both sides use sequentially consistent order on (word, asleep), so one of them sees the
// other's write.
static void wait_change(_Atomic uint32_t *word, uint32_t seen, _Atomic uint32_t *asleep,
                        uint32_t spins) {
    for (uint32_t i = 0; i < spins; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != seen)
            return;
        pause_briefly();
    }
    atomic_store(asleep, 1);
    while (atomic_load(word) == seen)
        futex_wait(word, seen);
    atomic_store(asleep, 0);
}

static void finish(MgThreads *t) {
    if (atomic_fetch_sub(&t->running, 1) == 1 && atomic_load(&t->caller_asleep))
        futex_wake(&t->running);
}

static void *worker_main(void *argument) {
    Worker *self = argument;
    MgThreads *t = self->threads;
    for (uint32_t seen = 0;; seen++) {
        wait_change(&self->started, seen, &self->asleep, t->spins);
        if (!t->task)
            return NULL;
        t->task(t->context, self->number, t->workers);
        finish(t);
    }
}

// The kernel may wake a sleeper on the waker's CPU, where it only starts when the waker goes to
// sleep. So the sleeper is restricted to the other CPUs, if there are any.
static void keep_off(const Worker *w, int cpu) {
    cpu_set_t set = w->threads->cpus;
    if (w->pinned || cpu < 0)
        return;
    CPU_CLR(cpu, &set);
    if (CPU_COUNT(&set))
        pthread_setaffinity_np(w->thread, sizeof set, &set);
}

static void start(Worker *w) {
    atomic_fetch_add(&w->started, 1);
    if (!atomic_load(&w->asleep))
        return;
    keep_off(w, sched_getcpu());
    futex_wake(&w->started);
}

uint32_t mg_threads_available(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (uint32_t)n : 1;
}

static void pin_to(pthread_t thread, uint32_t worker) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    uint32_t n = (uint32_t)CPU_COUNT(&all), wanted = n ? worker % n : 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && wanted-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            pthread_setaffinity_np(thread, sizeof one, &one);
            return;
        }
}

// ---------------------------------------------------------------- beginning and end

enum { PAGE = 4096 };

// Makes a page that the kernel clears in a child of fork(). So the child learns that it has no
// workers, without a system call in every run. Kernels before 4.14 don't clear it: then the child
// isn't noticed.
static bool make_page(MgThreads *t) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    madvise(page, PAGE, MADV_WIPEONFORK);
    t->started = page;
    return true;
}

// Ends the first `n` workers, counting the caller.
static void end_workers(MgThreads *t, uint32_t n) {
    t->task = NULL;
    for (uint32_t w = 1; w < n; w++)
        start(&t->all[w]);
    for (uint32_t w = 1; w < n; w++)
        pthread_join(t->all[w].thread, NULL);
    *t->started = 0;
}

static bool start_workers(MgThreads *t) {
    atomic_store(&t->running, 0);
    atomic_store(&t->caller_asleep, 0);
    for (uint32_t w = 0; w < t->count; w++)
        t->all[w] = (Worker){.threads = t, .number = w};
    for (uint32_t w = 1; w < t->count; w++) {
        if (pthread_create(&t->all[w].thread, NULL, worker_main, &t->all[w]) != 0) {
            end_workers(t, w);
            return false;
        }
        t->all[w].pinned = t->pin;
        if (t->pin)
            pin_to(t->all[w].thread, w);
    }
    *t->started = 1;
    return true;
}

static void free_pool(MgThreads *t) {
    if (t->started)
        munmap(t->started, PAGE);
    free(t->all);
    free(t);
}

MgThreads *mg_threads_new(uint32_t workers, bool pin) {
    if (workers == 0 || workers > MG_THREADS_MAX)
        return NULL;
    MgThreads *t = aligned_alloc(LINE, sizeof *t);
    if (!t)
        return NULL;
    *t = (MgThreads){.count = workers, .pin = pin};
    if (sched_getaffinity(0, sizeof t->cpus, &t->cpus) != 0)
        CPU_ZERO(&t->cpus);
    t->spins = workers <= mg_threads_available() ? SPINS : 0; // spinning without a CPU steals time
    t->all = aligned_alloc(LINE, workers * sizeof *t->all);
    if (t->all && make_page(t) && start_workers(t))
        return t;
    free_pool(t);
    return NULL;
}

void mg_threads_free(MgThreads *t) {
    if (t && *t->started)
        end_workers(t, t->count);
    if (t)
        free_pool(t);
}

uint32_t mg_threads_count(const MgThreads *threads) {
    return threads->count;
}

bool mg_threads_run(MgThreads *t, MgTask *task, void *context, uint32_t workers) {
    if (!*t->started && !start_workers(t)) // in a child of fork()
        return false;
    if (workers > t->count)
        workers = t->count;
    t->task = task;
    t->context = context;
    t->workers = workers;
    atomic_store(&t->running, workers - 1);
    for (uint32_t w = 1; w < workers; w++)
        start(&t->all[w]);
    task(context, 0, workers);
    for (uint32_t left; (left = atomic_load(&t->running)) != 0;)
        wait_change(&t->running, left, &t->caller_asleep, t->spins);
    return true;
}
