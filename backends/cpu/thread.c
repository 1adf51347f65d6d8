// Places a thread: its attributes exclude its maker's CPU, and the first thing the thread does is
// to allow that CPU again.
#include "backends/cpu/thread.h"

#include <sched.h>
#include <stdlib.h>

typedef struct Begin {
    void *(*work)(void *);
    void *argument;
    cpu_set_t cpus; // where it may run later
} Begin;

static void *begin(void *given) {
    Begin b = *(Begin *)given;
    free(given);
    pthread_setaffinity_np(pthread_self(), sizeof b.cpus, &b.cpus);
    return b.work(b.argument);
}

static bool elsewhere(pthread_t *thread, Begin *b) {
    int here = sched_getcpu();
    pthread_attr_t attributes;
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof b->cpus, &b->cpus) ||
        CPU_COUNT(&b->cpus) < 2 || pthread_attr_init(&attributes))
        return false;
    cpu_set_t others = b->cpus;
    CPU_CLR(here, &others);
    bool good = !pthread_attr_setaffinity_np(&attributes, sizeof others, &others) &&
                !pthread_create(thread, &attributes, begin, b);
    pthread_attr_destroy(&attributes);
    return good;
}

bool mg_cpu_thread(pthread_t *thread, void *(*work)(void *), void *argument) {
    Begin *b = malloc(sizeof *b);
    if (b) {
        *b = (Begin){.work = work, .argument = argument};
        if (elsewhere(thread, b))
            return true;
        free(b);
    }
    return pthread_create(thread, NULL, work, argument) == 0;
}
