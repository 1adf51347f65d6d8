#include "tools/train_data.h"

#include "runtime/instance.h"
#include "support/clock.h"
#include "tools/mgc.h"
#include "tools/spec.h"
#include "tools/train_reader.h"

#include <errno.h>
#include <unistd.h>

uint64_t mgc_mix(uint64_t a, uint64_t b) { // Steele, Lea, Flood, OOPSLA 2014
    uint64_t z = a + (b + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// ---------------------------------------------------------------- order

// The place of k in the permutation of 0..n that the key chooses: a Feistel network over the next
// even number of bits, repeated until the result is below n (Black and Rogaway, CT-RSA 2002).
static uint64_t permuted(uint64_t k, uint64_t n, uint64_t key) {
    unsigned half = 1;
    while (half < 31 && UINT64_C(1) << 2 * half < n)
        half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = k >> half, right = k & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t mixed = left ^ (mgc_mix(key + round, right) & mask);
            left = right;
            right = mixed;
        }
        k = left << half | right;
    } while (k >= n);
    return k;
}

static int64_t chosen(const MgcData *d, uint64_t k) {
    uint64_t n = (uint64_t)d->count, round = k / n;
    if (!d->shuffled)
        return d->first + (int64_t)(k % n) * d->every;
    if (d->stream) // windows overlap, so each is drawn independently
        return d->first + (int64_t)(mgc_mix(d->seed, k) % n);
    return d->first + (int64_t)permuted(k % n, n, mgc_mix(d->seed, round));
}

// ---------------------------------------------------------------- batches

void mgc_data_read(MgcData *d, MgcBatch *b) {
    b->failure[0] = '\0';
    for (uint32_t s = 0; s < d->n_sources; s++) {
        const MgcSource *source = &d->sources[s];
        for (uint32_t k = 0; k < b->n && !b->failure[0]; k++)
            mgc_source_read(source, chosen(d, b->at + k),
                            (char *)b->tensors[s]->data + k * source->bytes, b->failure);
    }
}

// Makes room for n samples of each source, from number `at` on.
static bool make_room(MgcData *d, MgcBatch *b, uint64_t at, uint32_t n) {
    for (uint32_t s = 0; s < d->n_sources && b->n != n; s++) {
        const MgcSource *source = &d->sources[s];
        int64_t dims[MG_TENSOR_RANK_MAX] = {n};
        memcpy(dims + 1, source->shape, (source->sample_rank) * sizeof *dims);
        mg_tensor_release(b->tensors[s]);
        b->tensors[s] = mg_tensor_new(source->element, source->sample_rank + 1, dims);
        if (!b->tensors[s]) {
            b->n = 0;
            return false;
        }
    }
    b->at = at;
    b->n = n;
    return true;
}

// Waking the thread and waiting for it takes 30 us of CPU time. A single reading may be slow
// because the file was not in memory, or because the machine is busy.
enum { WORTH_A_THREAD_NS = 100000, OFTEN = 4 };

int mgc_data_batch(MgcData *d, MgInstance *instance, uint64_t at, uint32_t n) {
    mgc_reader_wait(d->reader);
    MgcBatch *b = &d->batches[!d->now];
    if (b->at != at || b->n != n) {
        if (!make_room(d, b, at, n))
            return mgc_fail(1, "out of memory: a batch of size %u", n);
        uint64_t begin = mg_now_ns();
        mgc_data_read(d, b);
        d->slow = mg_now_ns() - begin > WORTH_A_THREAD_NS ? d->slow + 1 : 0;
    }
    if (b->failure[0])
        return mgc_fail(1, "%s", b->failure);
    for (uint32_t s = 0; s < d->n_sources; s++)
        if (mg_bind_input_tensor(instance, d->sources[s].input, b->tensors[s]))
            return mgc_fail(1, "%s", mg_instance_message(instance));
    d->now = !d->now;
    if (d->slow >= OFTEN && make_room(d, &d->batches[!d->now], at + n, n))
        mgc_reader_begin(&d->reader, d, &d->batches[!d->now]);
    return 0;
}

// ---------------------------------------------------------------- opening

static int count_samples(MgModel *model, MgcData *d) {
    const char *first = NULL;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        const MgcSource *s = &d->sources[i];
        const char *name = mg_model_input(model, s->input)->name;
        int64_t n = mgc_source_samples(s);
        size_t window = s->bytes / mg_element_size(s->element);
        if (n <= 0 && s->stream)
            return mgc_fail(1,
                            "the data of '%s' have no sample: they are shorter than a window of "
                            "%zu element%s%s",
                            name, window, mg_plural(window),
                            s->dims[0] ? "" : ", since the file is empty");
        if (n <= 0)
            return mgc_fail(1, "the data of '%s' have no sample", name);
        if (i && s->stream != d->stream)
            return mgc_fail(1, "'%s' is a stream and '%s' is not: give both the same form",
                            d->stream ? first : name, d->stream ? name : first);
        if (i && !s->stream && n != d->count)
            return mgc_fail(1, "'%s' has %lld sample%s, but '%s' has %lld", first,
                            (long long)d->count, mg_plural(d->count), name, (long long)n);
        d->count = !i || n < d->count ? n : d->count;
        d->stream = s->stream;
        int64_t end = s->ahead + (int64_t)window;
        d->window = s->stream && end > d->window ? end : d->window;
        first = first ? first : name;
    }
    return 0;
}

static const char *spec_of(const MgcList *specs, const char *name) {
    const char *all = NULL;
    for (uint32_t k = 0; k < specs->n; k++) {
        size_t length;
        const char *spec = mgc_split(specs->at[k], &length);
        if (!spec)
            all = specs->at[k]; // a file with a member for each input
        else if (strlen(name) == length && !memcmp(specs->at[k], name, length))
            return spec;
    }
    return all;
}

static int check_names(MgModel *model, const MgcList *specs, const bool *wanted) {
    for (uint32_t k = 0; k < specs->n; k++) {
        size_t length;
        bool known = !mgc_split(specs->at[k], &length);
        for (uint32_t i = 0; i < mg_model_inputs(model) && !known; i++) {
            const char *name = mg_model_input(model, i)->name;
            known = wanted[i] && strlen(name) == length && !memcmp(specs->at[k], name, length);
        }
        if (!known)
            return mgc_fail(2, "%s takes no data '%.*s'", mg_model_graph(model), (int)length,
                            specs->at[k]);
        if (mgc_split(specs->at[k], &length) || mgc_source_is_for_all(specs->at[k]))
            continue;
        if (access(specs->at[k], F_OK))
            return mgc_fail(1, "cannot read '%s': %s", specs->at[k], strerror(errno));
        return mgc_fail(2,
                        "--data takes FILE.npz or a folder, or NAME=FILE for one input, not '%s'",
                        specs->at[k]);
    }
    return 0;
}

int mgc_data_open(MgArena *arena, MgContext *context, MgModel *model, const MgcList *specs,
                  const MgcList *sets, const bool *wanted, MgcData *d) {
    int64_t *dims;
    *d = (MgcData){.sources = MG_NEW_N(arena, MgcSource, mg_model_inputs(model) + 1)};
    for (int k = 0; k < 2; k++)
        d->batches[k].tensors = MG_NEW_N(arena, MgTensor *, mg_model_inputs(model) + 1);
    int status = check_names(model, specs, wanted);
    status = status ? status : mgc_set_dims(arena, model->graph, sets, &dims);
    for (uint32_t i = 0; i < mg_model_inputs(model) && !status; i++) {
        const MgPortInfo *port = mg_model_input(model, i);
        const char *spec = wanted[i] ? spec_of(specs, port->name) : NULL;
        if (!wanted[i])
            continue;
        if (!spec)
            return mgc_fail(2, "input '%s' has no data: --data=FILE.npz, or --data %s=FILE",
                            port->name, port->name);
        status = mgc_source_open(arena, context, model, i, spec, dims, &d->sources[d->n_sources++]);
    }
    return status ? status : count_samples(model, d);
}

void mgc_data_in_order(MgcData *d, int64_t first, int64_t count) {
    d->shuffled = false;
    d->first = first;
    d->every = d->stream ? d->window : 1;
    d->count = (count + d->every - 1) / d->every;
}

void mgc_data_close(MgcData *d) {
    mgc_reader_end(d->reader);
    for (uint32_t i = 0; i < d->n_sources; i++) {
        mgc_source_close(&d->sources[i]);
        for (int k = 0; k < 2; k++)
            mg_tensor_release(d->batches[k].tensors[i]);
    }
    d->n_sources = 0;
}
