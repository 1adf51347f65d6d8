// Bounds and shadow memory. For each unit of memory the shadow knows whether it was written, and
// who wrote and who read it since the last barrier. Parameters that overlap share one shadow, in
// units of the smallest element; scratch of a worker or thread exists once for each worker and
// cannot be raced for.
#include "ir/kernel_memory.h"

#include <inttypes.h>

enum { NOBODY = 0, SEVERAL = UINT32_MAX }; // or a worker's number + 1

typedef struct Unit {
    uint32_t write_phase, writer;
    uint32_t read_phase, reader;
    bool written;
} Unit;

typedef struct Region {
    unsigned char *base;
    size_t bytes, unit;
    Unit *units;
} Region;

typedef struct Buffer {
    MgDType dtype;
    size_t size;   // of a scalar
    int64_t count; // scalars
    bool per_worker;
    unsigned char *data; // of worker 0
    Region *regions;     // one, or one for each worker
} Buffer;

struct MgKMemory {
    MgArena *arena;
    const MgKernel *k;
    Buffer *buffers;
    uint32_t phase;
};

static void add_units(MgArena *arena, Region *r, bool written) {
    size_t n = r->bytes / r->unit + 1;
    r->units = MG_NEW_N(arena, Unit, n);
    for (size_t i = 0; i < n; i++)
        r->units[i].written = written;
}

// One region for all parameters that overlap this one, directly or through others.
static Region *param_region(MgKMemory *m, const MgKBufferArg *params, uint32_t which) {
    unsigned char *low = params[which].data, *high = low + params[which].bytes;
    size_t unit = m->buffers[which].size;
    bool grown = true;
    for (uint32_t i = 0; i < which; i++)
        if (m->buffers[i].regions->base <= low &&
            high <= m->buffers[i].regions->base + m->buffers[i].regions->bytes &&
            params[which].bytes)
            return m->buffers[i].regions;
    while (grown) {
        grown = false;
        for (uint32_t i = 0; i < m->k->n_params; i++) {
            unsigned char *a = params[i].data, *b = a + params[i].bytes;
            if (a >= high || b <= low)
                continue;
            unit = m->buffers[i].size < unit ? m->buffers[i].size : unit;
            grown |= a < low || b > high;
            low = a < low ? a : low;
            high = b > high ? b : high;
        }
    }
    Region *r = MG_NEW(m->arena, Region);
    *r = (Region){.base = low, .bytes = (size_t)(high - low), .unit = unit};
    add_units(m->arena, r, true);
    return r;
}

static void make_scratch(MgKMemory *m, Buffer *b, const MgKBuf *buf, int64_t count,
                         uint32_t workers) {
    uint32_t copies = buf->scope == MG_SCOPE_CALL ? 1 : workers;
    b->per_worker = copies > 1;
    b->count = count * buf->elem.lanes;
    size_t bytes = (size_t)b->count * b->size;
    b->regions = MG_NEW_N(m->arena, Region, copies);
    for (uint32_t w = 0; w < copies; w++) {
        unsigned char *data = mg_arena_alloc(m->arena, (size_t)b->count, b->size);
        b->regions[w] = (Region){.base = data, .bytes = bytes, .unit = b->size};
        add_units(m->arena, &b->regions[w], false);
    }
    b->data = b->regions[0].base;
}

MgKMemory *mg_kmemory_new(MgArena *arena, const MgKernel *k, const MgKBufferArg *params,
                          const int64_t *counts, uint32_t workers) {
    MgKMemory *m = MG_NEW(arena, MgKMemory);
    *m = (MgKMemory){.arena = arena, .k = k, .phase = 1};
    m->buffers = MG_NEW_N(arena, Buffer, k->bufs.len);
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        MgDType dtype = k->bufs.at[i].elem.dtype;
        m->buffers[i].dtype = dtype;
        m->buffers[i].size = mg_dtype_size(dtype);
    }
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        Buffer *b = &m->buffers[i];
        if (i >= k->n_params) {
            make_scratch(m, b, &k->bufs.at[i], counts[i], workers);
            continue;
        }
        b->count = (int64_t)(params[i].bytes / b->size);
        b->data = params[i].data;
        b->regions = param_region(m, params, i);
    }
    return m;
}

void mg_kmemory_barrier(MgKMemory *m) {
    m->phase++;
}

// Whether `who` of phase `then` clashes with worker `me` now.
static bool clashes(const MgKMemory *m, uint32_t then, uint32_t who, uint32_t me) {
    return then == m->phase && who != NOBODY && who != me;
}

static const char *check(MgKMemory *m, MgKBufId buf, uint32_t worker, int64_t index, bool writes,
                         unsigned char **at) {
    Buffer *b = &m->buffers[buf];
    const char *name = mg_name(m->k->names, m->k->bufs.at[buf].name);
    if (index < 0 || index >= b->count)
        return mg_arena_printf(m->arena, "%s element %" PRId64 " of %s, which has %" PRId64,
                               writes ? "a store to" : "a load of", index, name, b->count);
    Region *r = &b->regions[b->per_worker ? worker : 0];
    *at = (b->per_worker ? r->base : b->data) + (size_t)index * b->size;
    size_t first = (size_t)(*at - r->base) / r->unit, n = b->size / r->unit;
    uint32_t me = worker + 1;
    for (size_t u = first; u < first + n; u++) {
        Unit *unit = &r->units[u];
        if (clashes(m, unit->write_phase, unit->writer, me) ||
            (writes && clashes(m, unit->read_phase, unit->reader, me)))
            return mg_arena_printf(m->arena,
                                   "two workers race for element %" PRId64 " of %s, which one %s",
                                   index, name, writes ? "stores" : "loads");
        if (!writes && !unit->written)
            return mg_arena_printf(m->arena, "element %" PRId64 " of %s is loaded, never stored",
                                   index, name);
        if (writes) {
            unit->written = true;
            unit->write_phase = m->phase;
            unit->writer = me;
        } else {
            bool other = clashes(m, unit->read_phase, unit->reader, me);
            unit->read_phase = m->phase;
            unit->reader = other ? SEVERAL : me;
        }
    }
    return NULL;
}

const char *mg_kmemory_read(MgKMemory *m, MgKBufId buf, uint32_t worker, int64_t index,
                            MgBits *bits) {
    unsigned char *at;
    const char *error = check(m, buf, worker, index, false, &at);
    if (error)
        return error;
    *bits = 0;
    memcpy(bits, at, m->buffers[buf].size);
    return NULL;
}

const char *mg_kmemory_write(MgKMemory *m, MgKBufId buf, uint32_t worker, int64_t index,
                             MgBits bits) {
    unsigned char *at;
    const char *error = check(m, buf, worker, index, true, &at);
    if (!error)
        memcpy(at, &bits, m->buffers[buf].size);
    return error;
}
