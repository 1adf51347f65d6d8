// A pool of workers that all run at the same time, as an image's run() requires.
//
// Workers wait for the next task by spinning for 150 us, then sleep on a futex: waking a sleeper
// costs 25 us, a spinning one 40 ns. A sleeper is woken on another CPU than the caller's. The
// caller is worker 0. A pool has one run at a time.
//
// A child of fork() has none of its parent's threads: its first run starts the pool anew.
#ifndef MG_SUPPORT_THREADS_H
#define MG_SUPPORT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

enum { MG_THREADS_MAX = 4096 };
typedef struct MgThreads MgThreads;
typedef void MgTask(void *context, uint32_t worker, uint32_t workers);

// A pool of `workers` (the caller included). pin: worker w > 0 stays on the w-th CPU that the
// process may use (the caller's own thread is left alone). NULL if a thread can't be started.
MgThreads *mg_threads_new(uint32_t workers, bool pin);
void mg_threads_free(MgThreads *threads); // NULL is allowed; no run may be in flight
uint32_t mg_threads_count(const MgThreads *threads);
// Runs task(context, w, workers) for every w < workers at the same time; returns when all have
// ended. workers is at most mg_threads_count. If a child of fork() cannot start the pool's threads,
// returns false and runs nothing.
bool mg_threads_run(MgThreads *threads, MgTask *task, void *context, uint32_t workers);
// Where a worker's part of n things begins, if all have parts of about the same size; n for worker
// `workers`. workers is at most MG_THREADS_MAX.
static inline uint64_t mg_threads_part(uint64_t n, uint32_t worker, uint32_t workers) {
    return n / workers * worker + n % workers * worker / workers;
}
// The number of CPUs that this process may run on.
uint32_t mg_threads_available(void);

#endif
