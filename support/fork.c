#include "support/fork.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows; held during a fork
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t holders; // threads
static bool forking;
static _Thread_local uint32_t depth; // of this thread's work

// A driver may fork within work of this thread, and then starts another program.
static void before(void) {
    if (depth)
        return;
    pthread_mutex_lock(&lock);
    while (forking)
        pthread_cond_wait(&changed, &lock);
    forking = true;
    while (holders)
        pthread_cond_wait(&changed, &lock);
}

static void after_in_parent(void) {
    if (depth)
        return;
    forking = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

// The threads that waited here are not in the child.
static void after_in_child(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    holders = depth > 0;
    forking = false;
}

static void install(void) {
    pthread_atfork(before, after_in_parent, after_in_child); // without memory, forks don't wait
}

void mg_fork_hold(void) {
    if (depth++)
        return;
    pthread_once(&once, install);
    pthread_mutex_lock(&lock);
    while (forking)
        pthread_cond_wait(&changed, &lock);
    holders++;
    pthread_mutex_unlock(&lock);
}

void mg_fork_allow(void) {
    if (--depth)
        return;
    pthread_mutex_lock(&lock);
    holders--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
