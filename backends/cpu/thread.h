// Threads of the compiler itself.
#ifndef MG_BACKENDS_CPU_THREAD_H
#define MG_BACKENDS_CPU_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// A thread that begins on another CPU than its maker's, where there is one, and may then go where
// the maker may: Linux begins a thread where its parent runs often enough, and moves one of both
// only at the next tick, 4 ms later. False: there is none.
bool mg_cpu_thread(pthread_t *thread, void *(*work)(void *), void *argument);

#endif
