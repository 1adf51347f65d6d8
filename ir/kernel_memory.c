// Bounds and shadow memory. For each unit of memory the shadow records whether it was written, and
// who wrote it and who read it since the last barrier: over the grid, or over the group for two
// items of one group. Parameters that overlap share one shadow, in units of the smallest element.
// Scratch exists once for each worker, item or group that owns it.
#include "ir/kernel_memory.h"

#include <inttypes.h>

enum { SEVERAL = UINT32_MAX };

// An access: the item and group that made it, and the stretch between barriers in which it was
// made. Stretches count from 1; 0 means that there was no access.
typedef struct Stamp {
    uint32_t grid, group_stretch;
    uint32_t group, item; // SEVERAL: more than one
} Stamp;

typedef struct Unit {
    Stamp write, read;
    bool written;
    bool coming;   // a box for it is on its way
    uint8_t slots; // the bit of the slot that filled it
} Unit;

typedef struct Region {
    unsigned char *base;
    size_t bytes;
    uint32_t shift; // a unit has 1 << shift bytes
    Unit *units;
} Region;

typedef struct Buffer {
    MgDType dtype;
    size_t size; // of a scalar: 1 << shift
    uint32_t shift;
    int64_t count;       // in scalars
    uint32_t sharers;    // items that share one copy; 0: all
    unsigned char *data; // of the first
    Region *regions;     // one for each copy
} Buffer;

struct MgKMemory {
    MgArena *arena;
    const MgKernel *k;
    Buffer *buffers;
    uint32_t items;
    uint32_t stretch;        // the current one, between barriers over the grid
    uint32_t *group_stretch; // the same between each group's own barriers
    MgKHistory *history;     // NULL: none
    bool each;               // each group is a worker of the history; otherwise `who` is
    uint32_t who;
    uint32_t *released; // by item: the slots that it has finished with
};

static uint32_t log2_of(size_t power) {
    return (uint32_t)__builtin_ctzll(power);
}

static void add_units(MgArena *arena, Region *r, bool written) {
    size_t n = (r->bytes >> r->shift) + 1;
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
    *r = (Region){.base = low, .bytes = (size_t)(high - low), .shift = log2_of(unit)};
    add_units(m->arena, r, true);
    return r;
}

static void make_scratch(MgKMemory *m, Buffer *b, const MgKBuf *buf, int64_t count,
                         uint32_t workers) {
    b->sharers = buf->scope == MG_SCOPE_CALL ? 0 : buf->scope == MG_SCOPE_THREAD ? 1 : m->items;
    uint32_t copies = b->sharers ? workers * m->items / b->sharers : 1;
    b->count = count * buf->elem.lanes;
    size_t bytes = (size_t)b->count * b->size;
    b->regions = MG_NEW_N(m->arena, Region, copies);
    for (uint32_t w = 0; w < copies; w++) {
        unsigned char *data = mg_arena_alloc(m->arena, (size_t)b->count, b->size);
        b->regions[w] = (Region){.base = data, .bytes = bytes, .shift = b->shift};
        add_units(m->arena, &b->regions[w], false);
    }
    b->data = b->regions[0].base;
}

MgKMemory *mg_kmemory_new(MgArena *arena, const MgKernel *k, const MgKBufferArg *params,
                          const int64_t *counts, uint32_t workers, uint32_t items) {
    MgKMemory *m = MG_NEW(arena, MgKMemory);
    *m = (MgKMemory){.arena = arena, .k = k, .items = items, .stretch = 1};
    m->group_stretch = MG_NEW_N(arena, uint32_t, workers);
    m->released = MG_NEW_N(arena, uint32_t, workers * items);
    m->buffers = MG_NEW_N(arena, Buffer, k->bufs.len);
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        MgDType dtype = k->bufs.at[i].elem.dtype;
        m->buffers[i].dtype = dtype;
        m->buffers[i].size = mg_dtype_size(dtype);
        m->buffers[i].shift = log2_of(m->buffers[i].size);
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

void mg_kmemory_watch(MgKMemory *m, MgKHistory *history, bool each, uint32_t who) {
    m->history = history;
    m->each = each;
    m->who = who;
}

static const char *name_of(const MgKMemory *m, MgKBufId buf) {
    return mg_name(m->k->names, m->k->bufs.at[buf].name);
}

void mg_kmemory_group_barrier(MgKMemory *m, uint32_t group) {
    m->group_stretch[group]++;
}

void mg_kmemory_barrier(MgKMemory *m) {
    m->stretch++;
    if (m->history && (m->each || m->who == MG_K_EVERYONE))
        mg_khistory_meet(m->history);
}

// Was the earlier access made by another item, with no barrier since? `now` is the current access.
static bool clashes(const Stamp *then, const Stamp *now) {
    if (then->grid != now->grid)
        return false;
    if (then->group != now->group)
        return true;
    return then->group_stretch == now->group_stretch && then->item != now->item;
}

// The unit of a scalar that a box fills. Its buffer belongs to a group, with a region of its own.
static Unit *unit_of_box(MgKMemory *m, MgKBufId buf, uint32_t group, int64_t index) {
    Buffer *b = &m->buffers[buf];
    return index < 0 || index >= b->count || b->sharers != m->items
               ? NULL
               : &b->regions[group].units[index];
}

static const char *outside(MgKMemory *m, MgKBufId buf, int64_t index) {
    return mg_arena_printf(m->arena, "a box for element %" PRId64 " of %s, which has %" PRId64,
                           index, name_of(m, buf), m->buffers[buf].count);
}

const char *mg_kmemory_empty(MgKMemory *m, MgKBufId buf, uint32_t group, int64_t index,
                             uint32_t slot) {
    Unit *unit = unit_of_box(m, buf, group, index);
    Stamp now = {m->stretch, m->group_stretch[group], group, SEVERAL - 1}; // no item's
    if (!unit)
        return outside(m, buf, index);
    if (unit->slots != 1u << slot && (clashes(&unit->write, &now) || clashes(&unit->read, &now)))
        return mg_arena_printf(
            m->arena, "a box for element %" PRId64 " of %s, which items have used since they met",
            index, name_of(m, buf));
    *unit = (Unit){.slots = unit->slots, .coming = true};
    return NULL;
}

const char *mg_kmemory_land(MgKMemory *m, MgKBufId buf, uint32_t group, int64_t index, MgBits bits,
                            uint32_t slot) {
    Unit *unit = unit_of_box(m, buf, group, index);
    const Buffer *b = &m->buffers[buf];
    if (!unit)
        return outside(m, buf, index);
    *unit = (Unit){.written = true, .slots = (uint8_t)(1u << slot)};
    memcpy(b->regions[group].base + (size_t)index * b->size, &bits, b->size);
    return NULL;
}

bool mg_kmemory_release(MgKMemory *m, MgKItem who, uint32_t slot) {
    uint32_t *released = &m->released[who.group * m->items + who.item], before = *released;
    *released |= 1u << slot;
    return *released != before;
}

void mg_kmemory_landed(MgKMemory *m, uint32_t group, uint32_t slot) {
    for (uint32_t i = 0; i < m->items; i++)
        m->released[group * m->items + i] &= ~(1u << slot);
}

// Adds one to the readers since the last barrier.
static void add_reader(Stamp *read, const Stamp *now) {
    Stamp before = *read;
    *read = *now;
    if (before.grid != now->grid)
        return;
    if (before.group != now->group)
        read->group = SEVERAL;
    else if (before.group_stretch == now->group_stretch && before.item != now->item)
        read->item = SEVERAL;
}

// Does the access clash with one of an earlier call?
static bool clashes_with_call(MgKMemory *m, MgKBufId buf, const void *at, uint32_t group,
                              bool writes) {
    if (!m->history || buf >= m->k->n_params || (writes && m->who == MG_K_EVERYONE))
        return false;
    return !mg_khistory_access(m->history, at, m->buffers[buf].size, m->each ? group : m->who,
                               writes);
}

static const char *check(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, bool writes,
                         unsigned char **at) {
    Buffer *b = &m->buffers[buf];
    *at = NULL;
    if (index < 0 || index >= b->count)
        return mg_arena_printf(m->arena, "%s element %" PRId64 " of %s, which has %" PRId64,
                               writes ? "a store to" : "a load of", index, name_of(m, buf),
                               b->count);
    uint32_t copy = !b->sharers ? 0 : b->sharers == 1 ? who.group * m->items + who.item : who.group;
    Region *r = &b->regions[copy];
    *at = (b->sharers ? r->base : b->data) + ((size_t)index << b->shift);
    size_t first = (size_t)(*at - r->base) >> r->shift, n = b->size >> r->shift;
    Stamp now = {m->stretch, m->group_stretch[who.group], who.group, who.item};
    for (size_t u = first; u < first + n; u++) {
        Unit *unit = &r->units[u];
        if (clashes(&unit->write, &now) || (writes && clashes(&unit->read, &now)))
            return mg_arena_printf(m->arena,
                                   "two workers race for element %" PRId64 " of %s, which one %s",
                                   index, name_of(m, buf), writes ? "stores" : "loads");
        if (unit->coming && writes)
            return mg_arena_printf(
                m->arena, "element %" PRId64 " of %s is stored while a box for it is on its way",
                index, name_of(m, buf));
        if (unit->slots & m->released[who.group * m->items + who.item])
            return mg_arena_printf(m->arena,
                                   "element %" PRId64 " of %s is used after its slot was released",
                                   index, name_of(m, buf));
        if (!writes && !unit->written)
            return mg_arena_printf(m->arena, "element %" PRId64 " of %s is loaded, never stored",
                                   index, name_of(m, buf));
        if (writes) {
            unit->written = true;
            unit->slots = 0;
            unit->write = now;
        } else {
            add_reader(&unit->read, &now);
        }
    }
    if (clashes_with_call(m, buf, *at, who.group, writes))
        return mg_arena_printf(m->arena,
                               "no barrier orders this %s of element %" PRId64
                               " of %s and an earlier call's access",
                               writes ? "store" : "load", index, name_of(m, buf));
    return NULL;
}

const char *mg_kmemory_read(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, MgBits *bits) {
    unsigned char *at;
    const char *error = check(m, buf, who, index, false, &at);
    if (error)
        return error;
    *bits = 0;
    memcpy(bits, at, m->buffers[buf].size);
    return NULL;
}

const char *mg_kmemory_shared(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, uint32_t adds,
                              MgBits *bits) {
    Buffer *b = &m->buffers[buf];
    if (index < 0 || index >= b->count)
        return mg_arena_printf(m->arena,
                               "an access to element %" PRId64 " of %s, which has %" PRId64, index,
                               name_of(m, buf), b->count);
    unsigned char *at = b->data + ((size_t)index << b->shift);
    const Unit *unit = &b->regions->units[(size_t)(at - b->regions->base) >> b->regions->shift];
    Stamp now = {m->stretch, m->group_stretch[who.group], who.group, who.item};
    if (!unit->written)
        return mg_arena_printf(m->arena, "element %" PRId64 " of %s is loaded, never stored", index,
                               name_of(m, buf));
    if (adds && clashes(&unit->write, &now))
        return mg_arena_printf(m->arena, "two workers race for element %" PRId64 " of %s", index,
                               name_of(m, buf));
    *bits = 0;
    memcpy(bits, at, b->size);
    MgBits sum = *bits + adds;
    if (adds)
        memcpy(at, &sum, b->size);
    return NULL;
}

const char *mg_kmemory_write(MgKMemory *m, MgKBufId buf, MgKItem who, int64_t index, MgBits bits) {
    unsigned char *at;
    const char *error = check(m, buf, who, index, true, &at);
    if (!error)
        memcpy(at, &bits, m->buffers[buf].size);
    return error;
}
