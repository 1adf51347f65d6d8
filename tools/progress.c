// The progress line: a thread that wakes after a second, says what is going on and for how long,
// and wipes the line at the end. Without a terminal there is no thread.
#include "tools/mgc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct MgcProgress {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    const char *what, *of;
    bool done;
};

static void *show(void *context) {
    MgcProgress *p = context;
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    unsigned seconds = 0;
    pthread_mutex_lock(&p->lock);
    while (!p->done) {
        next.tv_sec++;
        while (!p->done && !pthread_cond_timedwait(&p->over, &p->lock, &next))
            ;
        if (!p->done)
            fprintf(stderr, "\r%s %s, %u s", p->what, p->of, ++seconds);
    }
    if (seconds)
        fputs("\r\033[K", stderr);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

MgcProgress *mgc_progress_begin(const char *what, const char *of) {
    if (!isatty(STDERR_FILENO))
        return NULL;
    MgcProgress *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (MgcProgress){.what = what, .of = of};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->over, NULL);
    if (pthread_create(&p->thread, NULL, show, p)) {
        free(p);
        return NULL;
    }
    return p;
}

void mgc_progress_end(MgcProgress *p) {
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->done = true;
    pthread_cond_signal(&p->over);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->over);
    free(p);
}
