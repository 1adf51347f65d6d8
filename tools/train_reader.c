#include "tools/train_reader.h"

#include <pthread.h>
#include <stdlib.h>

struct MgcReader {
    MgcData *data;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    MgcBatch *batch; // the batch to read, or NULL: there is nothing to do
    bool end;
};

static void *work(void *ctx) {
    MgcReader *r = ctx;
    pthread_mutex_lock(&r->lock);
    while (!r->end) {
        if (!r->batch) {
            pthread_cond_wait(&r->changed, &r->lock);
            continue;
        }
        MgcBatch *batch = r->batch;
        pthread_mutex_unlock(&r->lock);
        mgc_data_read(r->data, batch);
        pthread_mutex_lock(&r->lock);
        r->batch = NULL;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static MgcReader *start(MgcData *data) {
    MgcReader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->data = data;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    if (!pthread_create(&r->thread, NULL, work, r))
        return r;
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
    return NULL;
}

void mgc_reader_begin(MgcReader **reader, MgcData *data, MgcBatch *batch) {
    MgcReader *r = *reader ? *reader : (*reader = start(data));
    if (!r) {
        mgc_data_read(data, batch);
        return;
    }
    pthread_mutex_lock(&r->lock);
    r->batch = batch;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void mgc_reader_wait(MgcReader *r) {
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    while (r->batch)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

void mgc_reader_end(MgcReader *r) {
    if (!r)
        return;
    mgc_reader_wait(r);
    pthread_mutex_lock(&r->lock);
    r->end = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}
