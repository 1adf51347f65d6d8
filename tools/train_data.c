#include "tools/train_data.h"

#include "formats/idx.h"
#include "formats/tensor.h"
#include "runtime/instance.h"
#include "support/files.h"
#include "tools/mgc.h"
#include "tools/spec.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t mgc_mix(uint64_t a, uint64_t b) { // Steele, Lea, Flood, OOPSLA 2014
    uint64_t z = a + (b + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// ---------------------------------------------------------------- order

// The place of k in a permutation of 0..n that the key chooses: a Feistel network over the next
// even number of bits, walked until it ends below n (Black and Rogaway, CT-RSA 2002).
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
    if (d->stream) // windows overlap: each is drawn by itself
        return d->first + (int64_t)(mgc_mix(d->seed, k) % n);
    return d->first + (int64_t)permuted(k % n, n, mgc_mix(d->seed, round));
}

int mgc_data_batch(MgcData *d, MgInstance *instance, uint64_t at, uint32_t n) {
    for (uint32_t s = 0; s < d->n_sources; s++) {
        MgcSource *source = &d->sources[s];
        const MgPortInfo *port = mg_model_input(instance->model, source->input);
        int64_t dims[32];
        dims[0] = n;
        for (uint32_t i = 1; i < port->rank && i < 32; i++)
            dims[i] = source->shape[i - 1];
        if (!source->batch || source->batch->dims[0] != (int64_t)n) {
            mg_tensor_release(source->batch);
            source->batch = mg_tensor_new(port->element, port->rank, dims);
        }
        if (!source->batch)
            return mgc_fail(1, "out of memory: a batch of '%s'", port->name);
        size_t element = mg_element_size(port->element);
        for (uint32_t k = 0; k < n; k++) {
            size_t place = (size_t)chosen(d, at + k) * (source->stream ? element : source->bytes) +
                           (size_t)source->ahead * element;
            memcpy((char *)source->batch->data + k * source->bytes,
                   (const char *)source->all->data + place, source->bytes);
        }
        if (mg_bind_input_tensor(instance, source->input, source->batch))
            return mgc_fail(1, "%s", mg_instance_message(instance));
    }
    return 0;
}

// ---------------------------------------------------------------- files

static bool is_archive(const char *path) {
    return mg_path_has_extension(path, ".npz") || mg_path_has_extension(path, ".safetensors");
}

// The bytes of a file as a row of elements: any file that is no format of tensors, such as a text.
static MgTensor *raw_elements(const char *path, MgElement element) {
    MgTensor *t = NULL;
    FILE *f = fopen(path, "rb");
    long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    int64_t n = size < 0 ? -1 : (int64_t)((size_t)size / mg_element_size(element));
    if (n >= 0 && !fseek(f, 0, SEEK_SET) && (t = mg_tensor_new(element, 1, &n)) &&
        fread(t->data, mg_element_size(element), (size_t)n, f) != (size_t)n) {
        mg_tensor_release(t);
        t = NULL;
    }
    if (f)
        fclose(f);
    return t;
}

// Reads what belongs to one input: FILE.npy, FILE.npz:KEY, FILE.npz (the member of the input's
// name), or a file of raw elements; @N begins a stream's windows N elements later.
static int read_source(MgArena *arena, MgContext *context, const MgPortInfo *port, const char *spec,
                       MgcSource *source) {
    const char *mark = strrchr(spec, '@');
    char *end = NULL;
    long long ahead = mark ? strtoll(mark + 1, &end, 10) : 0;
    if (mark && end != mark + 1 && !*end && ahead >= 0) {
        spec = mg_arena_str(arena, spec, (size_t)(mark - spec));
        source->ahead = ahead;
    }
    const char *place = is_archive(spec) ? mg_arena_printf(arena, "%s:%s", spec, port->name) : spec;
    bool tensor = mg_idx_is(place) || strstr(place, ".npy") || strstr(place, ".npz") ||
                  strstr(place, ".pb") || strstr(place, ".safetensors");
    if (!tensor) {
        source->all = raw_elements(place, port->element);
        return source->all ? 0 : mgc_fail(1, "cannot read '%s'", place);
    }
    if (mg_tensor_read(context, place, &source->all))
        return mgc_complain(1, mg_context_message(context));
    if (mg_tensor_element(source->all) != port->element)
        return mgc_fail(1, "input '%s' is %s, but '%s' holds %s", port->name,
                        mg_element_name(port->element), place,
                        mg_element_name(mg_tensor_element(source->all)));
    return 0;
}

// ---------------------------------------------------------------- shapes

typedef struct Sizes {
    const MgGraph *g;
    const int64_t *dims;
} Sizes;

static bool dim_value(void *context, MgIxSym sym, int64_t *value) {
    const Sizes *s = context;
    for (uint32_t d = 0; d < s->g->dims.len; d++)
        if (s->g->dims.at[d] == sym && s->dims[d] >= 0) {
            *value = s->dims[d];
            return true;
        }
    return false;
}

static int find_shape(MgArena *arena, MgModel *model, const int64_t *dims, MgcSource *s) {
    const MgPortInfo *port = mg_model_input(model, s->input);
    const MgGraph *g = model->graph;
    const MgValue *v = &g->values.at[g->inputs.at[s->input].value];
    const MgTensor *all = s->all;
    if (!port->rank)
        return mgc_fail(1, "input '%s' is a number, not a batch of samples", port->name);
    if (port->rank > 32 || (all->rank != port->rank && !(all->rank == 1 && port->rank > 1)))
        return mgc_fail(1,
                        "input '%s' has %u dimension%s, the batch included; its data have %u "
                        "(with one, they would be a stream of which samples are windows)",
                        port->name, port->rank, mg_plural(port->rank), all->rank);
    s->stream = all->rank == 1 && port->rank > 1;
    if (s->ahead && !s->stream)
        return mgc_fail(2, "@%lld belongs to a stream, and the data of '%s' are samples",
                        (long long)s->ahead, port->name);
    s->shape = MG_NEW_N(arena, int64_t, port->rank);
    s->bytes = mg_element_size(port->element);
    Sizes sizes = {g, dims};
    for (uint32_t i = 1; i < port->rank; i++) {
        s->shape[i - 1] = s->stream ? -1 : all->dims[i];
        if (s->stream &&
            !mg_ix_eval(g->module->ix, v->shape[i], dim_value, &sizes, &s->shape[i - 1]))
            return mgc_fail(2, "the windows of '%s' need a size: --set %s=SIZE", port->name,
                            port->formulas[i]);
        if (s->shape[i - 1] < 0 ||
            __builtin_mul_overflow(s->bytes, (size_t)s->shape[i - 1], &s->bytes))
            return mgc_fail(1, "the size of a sample of '%s' overflows", port->name);
    }
    return 0;
}

// The number of samples that the source has.
static int64_t samples_of(const MgcSource *s) {
    if (!s->stream)
        return s->all->dims[0];
    size_t element = mg_dtype_size(s->all->dtype);
    return s->all->dims[0] - (int64_t)(s->bytes / element) - s->ahead + 1;
}

static int count_samples(MgModel *model, MgcData *d) {
    const char *first = NULL;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        const MgcSource *s = &d->sources[i];
        const char *name = mg_model_input(model, s->input)->name;
        int64_t n = samples_of(s);
        if (n <= 0)
            return mgc_fail(1, "the data of '%s' have no sample%s", name,
                            s->stream ? ": they are shorter than a window" : "");
        if (i && s->stream != d->stream)
            return mgc_fail(1, "'%s' is a stream and '%s' is not: give both the same form",
                            d->stream ? first : name, d->stream ? name : first);
        if (i && !s->stream && n != d->count)
            return mgc_fail(1, "'%s' has %lld sample%s, but '%s' has %lld", first,
                            (long long)d->count, mg_plural(d->count), name, (long long)n);
        d->count = !i || n < d->count ? n : d->count;
        d->stream = s->stream;
        int64_t window = s->ahead + (int64_t)(s->bytes / mg_dtype_size(s->all->dtype));
        d->window = s->stream && window > d->window ? window : d->window;
        first = first ? first : name;
    }
    return 0;
}

// ---------------------------------------------------------------- opening

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
        if (!mgc_split(specs->at[k], &length) && !is_archive(specs->at[k]))
            return mgc_fail(2, "--data takes FILE.npz, or NAME=FILE for one input, not '%s'",
                            specs->at[k]);
    }
    return 0;
}

int mgc_data_open(MgArena *arena, MgContext *context, MgModel *model, const MgcList *specs,
                  const MgcList *sets, const bool *wanted, MgcData *d) {
    int64_t *dims;
    *d = (MgcData){.sources = MG_NEW_N(arena, MgcSource, mg_model_inputs(model) + 1)};
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
        MgcSource *s = &d->sources[d->n_sources++];
        s->input = i;
        status = read_source(arena, context, port, spec, s);
        status = status ? status : find_shape(arena, model, dims, s);
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
    for (uint32_t i = 0; i < d->n_sources; i++) {
        mg_tensor_release(d->sources[i].all);
        mg_tensor_release(d->sources[i].batch);
    }
    d->n_sources = 0;
}
