// Arenas, their shared account, and the unwinding described in mem.h.
#include "support/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK ((size_t)64 * 1024)
#define ALIGN ((size_t)16)
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#elif defined __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size; // of the bytes that follow the header
    uint32_t kind;     // see kind_of
    bool cut;          // part of a region; otherwise it comes from malloc
    bool zero;         // its unused bytes are still zero
} Chunk;

// The memory from which chunks are cut. Large pages save most page faults and TLB misses, and a
// chunk that was returned serves the next arena while it is in a cache.
typedef struct Region {
    struct Region *next;
    size_t size, used;
} Region;

// Chunks have four sizes for each doubling, so that a chunk that was returned fits the next object
// of about its size. Kind 0 is CHUNK, which most objects share; the last kind has 28 MiB.
enum { KINDS = 36 };

struct MgArena {
    MgMem *mem;
    MgArena *next, **link;
    Chunk *chunks;
};

typedef struct Defer {
    struct Defer *next;
    MgDeferFn *release;
    void *object;
} Defer;

struct MgMem {
    size_t limit, used, peak;
    MgArena *arenas;
    Region *regions;     // all of them, the newest first
    Region *cut_from[2]; // of the next chunk of kind 0, and of the next larger one
    Chunk *idle[KINDS];  // chunks of regions that no arena uses
    Defer *defers;
    MgTry *handler;
};

#define HEADER ((sizeof(Chunk) + ALIGN - 1) / ALIGN * ALIGN)

MgMem *mg_mem_new(size_t limit) {
    MgMem *mem = calloc(1, sizeof *mem);
    if (mem)
        mem->limit = limit;
    return mem;
}

size_t mg_mem_default_limit(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 4 * 3 * (size_t)size : (size_t)1 << 32;
}

void mg_mem_free(MgMem *mem) {
    if (!mem)
        return;
    while (mem->defers) {
        Defer *d = mem->defers;
        mem->defers = d->next;
        d->release(d->object);
        free(d);
    }
    while (mem->arenas)
        mg_arena_free(mem->arenas);
    for (Region *r = mem->regions, *next; r; r = next) {
        next = r->next;
        munmap(r, r->size);
    }
    free(mem);
}

size_t mg_mem_used(const MgMem *mem) {
    return mem->used;
}

size_t mg_mem_peak(const MgMem *mem) {
    return mem->peak;
}

_Noreturn void mg_mem_fail(MgMem *mem) {
    if (!mem->handler) {
        fputs("mg: out of memory outside any handler\n", stderr);
        abort();
    }
    MgTry *frame = mem->handler;
    mem->handler = frame->outer;
    longjmp(frame->jump, 1);
}

typedef struct Pages {
    MgMem *mem;
    void *at;
    size_t bytes;
} Pages;

static void free_pages(void *object) {
    Pages *p = object;
    munmap(p->at, p->bytes);
    p->mem->used -= p->bytes;
    free(p);
}

static void take(MgMem *mem, size_t bytes) {
    if (mem->limit && (bytes > mem->limit || mem->used > mem->limit - bytes))
        mg_mem_fail(mem);
    mem->used += bytes;
    mem->peak = mem->used > mem->peak ? mem->used : mem->peak;
}

// Zeroed memory of the system, in large pages if these fit, or MAP_FAILED.
static void *map(size_t bytes) {
    enum { LARGE_PAGE = 2 << 20 };
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED && bytes >= LARGE_PAGE)
        madvise(at, bytes, MADV_HUGEPAGE); // failure is harmless
    return at;
}

void *mg_mem_pages(MgMem *mem, size_t bytes) {
    bytes = bytes ? bytes : 1;
    take(mem, bytes);
    Pages *p = malloc(sizeof *p);
    void *at = p ? map(bytes) : MAP_FAILED;
    if (at == MAP_FAILED) {
        free(p);
        mem->used -= bytes;
        mg_mem_fail(mem);
    }
    *p = (Pages){mem, at, bytes};
    mg_mem_defer(mem, free_pages, p);
    return at;
}

void mg_mem_defer(MgMem *mem, MgDeferFn *release, void *object) {
    Defer *d = malloc(sizeof *d);
    if (!d) {
        release(object);
        mg_mem_fail(mem);
    }
    *d = (Defer){mem->defers, release, object};
    mem->defers = d;
}

bool mg_mem_undefer(MgMem *mem, void *object) {
    for (Defer **link = &mem->defers; *link; link = &(*link)->next) {
        Defer *d = *link;
        if (d->object == object) {
            *link = d->next;
            free(d);
            return true;
        }
    }
    return false;
}

void mg_try_begin(MgMem *mem, MgTry *frame) {
    frame->outer = mem->handler;
    mem->handler = frame;
}

void mg_try_end(MgMem *mem, MgTry *frame) {
    mem->handler = frame->outer;
}

// Makes a region with room for `bytes`, four times as large as the last one for chunks of its kind
// if address space allows. Returns false if there is none.
static bool new_region(MgMem *mem, Region **from, size_t bytes) {
    enum { FIRST = 256 << 10, LAST = 32 << 20 };
    size_t least = CHUNK + bytes, size = *from ? (*from)->size * 4 : FIRST;
    size = size < LAST ? size : LAST;
    void *at;
    while ((at = map(size > least ? size : least)) == MAP_FAILED)
        if ((size /= 2) < FIRST)
            return false;
    size = size > least ? size : least;
    *from = mem->regions = memcpy(at, &(Region){mem->regions, size, CHUNK}, sizeof(Region));
    return true;
}

// An unused chunk of the regions, or NULL.
static Chunk *cut_chunk(MgMem *mem, uint32_t kind, size_t bytes) {
    Region **from = &mem->cut_from[kind > 0];
    if ((!*from || (*from)->size - (*from)->used < bytes) && !new_region(mem, from, bytes))
        return NULL;
    Chunk *c = (Chunk *)((char *)*from + (*from)->used);
    (*from)->used += bytes;
    return c;
}

// The kind of chunks with room for `bytes`, which becomes their size. KINDS if there is none: the
// largest objects come from malloc, which returns them to the system.
static uint32_t kind_of(size_t *bytes) {
    enum { QUARTER = CHUNK / 4 };
    size_t quarters = *bytes / QUARTER + (*bytes % QUARTER != 0);
    uint32_t doublings = 0;
    for (; quarters > 7; doublings++)
        quarters = quarters / 2 + quarters % 2;
    quarters = quarters > 4 ? quarters : 4;
    uint32_t kind = 4 * doublings + (uint32_t)quarters - 4;
    if (kind >= KINDS || SANITIZED)
        return KINDS;
    *bytes = (size_t)QUARTER * quarters << doublings;
    return kind;
}

// A chunk with room for `bytes`. A large object has a chunk of its own.
static Chunk *take_chunk(MgMem *mem, size_t bytes) {
    size_t total;
    if (__builtin_add_overflow(bytes, HEADER, &total))
        mg_mem_fail(mem);
    total = total > CHUNK ? total : CHUNK;
    uint32_t kind = kind_of(&total);
    bool cut = kind < KINDS, zero = cut;
    take(mem, total);
    Chunk *c = cut ? mem->idle[kind] : malloc(total);
    if (cut && c) {
        mem->idle[kind] = c->next;
        zero = c->zero;
    } else if (cut)
        c = cut_chunk(mem, kind, total);
    if (!c) {
        mem->used -= total;
        mg_mem_fail(mem);
    }
    *c = (Chunk){.size = total - HEADER, .kind = kind, .cut = cut, .zero = zero};
    return c;
}

static void give_chunk(MgMem *mem, Chunk *c) {
    mem->used -= HEADER + c->size;
    if (!c->cut) {
        free(c);
        return;
    }
    c->next = mem->idle[c->kind];
    c->zero = false;
    mem->idle[c->kind] = c;
}

void mg_mem_trim(MgMem *mem) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (uint32_t kind = 0; kind < KINDS && page <= CHUNK; kind++)
        for (Chunk *c = mem->idle[kind]; c; c = c->next)
            if (!c->zero && !madvise((char *)c + page, HEADER + c->size - page, MADV_DONTNEED)) {
                memset((char *)c + HEADER, 0, page - HEADER);
                c->zero = true;
            }
}

MgArena *mg_arena_new(MgMem *mem) {
    MgArena *arena = calloc(1, sizeof *arena);
    if (!arena)
        mg_mem_fail(mem);
    arena->mem = mem;
    arena->next = mem->arenas;
    arena->link = &mem->arenas;
    if (arena->next)
        arena->next->link = &arena->next;
    mem->arenas = arena;
    return arena;
}

void mg_arena_free(MgArena *arena) {
    if (!arena)
        return;
    for (Chunk *c = arena->chunks, *next; c; c = next) {
        next = c->next;
        give_chunk(arena->mem, c);
    }
    *arena->link = arena->next;
    if (arena->next)
        arena->next->link = arena->link;
    free(arena);
}

MgMem *mg_arena_mem(MgArena *arena) {
    return arena->mem;
}

static Chunk *new_chunk(MgArena *arena, size_t bytes) {
    Chunk *c = take_chunk(arena->mem, bytes);
    // A chunk for one large object goes after the current one, which may have room left.
    if (bytes > CHUNK / 4 && arena->chunks) {
        c->next = arena->chunks->next;
        arena->chunks->next = c;
    } else {
        c->next = arena->chunks;
        arena->chunks = c;
    }
    return c;
}

void *mg_arena_alloc(MgArena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, ALIGN - 1, &bytes))
        mg_mem_fail(arena->mem);
    bytes -= bytes % ALIGN;
    Chunk *c = arena->chunks;
    if (!c || c->size - c->used < bytes)
        c = new_chunk(arena, bytes);
    void *at = (char *)c + HEADER + c->used;
    c->used += bytes;
    return c->zero ? at : memset(at, 0, bytes);
}

void *mg_arena_copy(MgArena *arena, const void *bytes, size_t count, size_t size) {
    void *at = mg_arena_alloc(arena, count, size);
    if (count && size)
        memcpy(at, bytes, count * size);
    return at;
}

char *mg_arena_str(MgArena *arena, const char *text, size_t length) {
    size_t bytes;
    if (__builtin_add_overflow(length, (size_t)1, &bytes))
        mg_mem_fail(arena->mem);
    char *at = mg_arena_alloc(arena, bytes, 1);
    if (length)
        memcpy(at, text, length);
    return at;
}

char *mg_arena_realpath(MgArena *arena, const char *path) {
    char *real = realpath(path, NULL);
    if (!real && errno == ENOMEM)
        mg_mem_fail(arena->mem);
    if (!real)
        return NULL;
    mg_mem_defer(arena->mem, free, real);
    char *copy = mg_arena_str(arena, real, strlen(real));
    mg_mem_undefer(arena->mem, real);
    free(real);
    return copy;
}

char *mg_arena_vprintf(MgArena *arena, const char *format, va_list args) {
    char brief[128]; // most texts are names; formatting them once is enough
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(brief, sizeof brief, format, args);
    size_t length = n > 0 ? (size_t)n : 0;
    char *at = mg_arena_alloc(arena, length + 1, 1);
    if (length < sizeof brief)
        memcpy(at, brief, length);
    else
        vsnprintf(at, length + 1, format, again);
    va_end(again);
    return at;
}

char *mg_arena_printf(MgArena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *at = mg_arena_vprintf(arena, format, args);
    va_end(args);
    return at;
}

void *mg_vec_grow(MgArena *arena, void *at, uint32_t len, uint32_t *cap, size_t size) {
    uint32_t first = size <= 8 ? 8 : size <= 16 ? 4 : 2; // most arrays have few elements
    uint32_t more = *cap ? *cap * 2 : first;
    if (more <= *cap)
        mg_mem_fail(arena->mem);
    void *copy = mg_arena_alloc(arena, more, size);
    if (len)
        memcpy(copy, at, (size_t)len * size);
    *cap = more;
    return copy;
}
