// Threads of the compiler itself.
#ifndef MG_BACKENDS_CPU_THREAD_H
#define MG_BACKENDS_CPU_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// Starts a thread on another CPU than its creator's, if there is one; later it may run wherever the
// creator may. Linux often starts a thread on its parent's CPU, and moves one of them only at the
// next tick, up to 4 ms later. False if no thread could be made.
bool mg_cpu_thread(pthread_t *thread, void *(*work)(void *), void *argument);

#endif
