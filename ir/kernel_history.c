// A record for each byte that was touched, in pages by address. Stretches between meetings count
// from 1, so a record of zeros is that of a byte that nobody has touched.
#include "ir/kernel_history.h"

#include "support/map.h"

enum { PAGE = 1024, SEVERAL = 0xffff, RECENT = 64 };

typedef struct Byte {
    uint32_t wrote, read; // the stretch of the latest access of each kind
    uint16_t writer, reader;
} Byte;

struct MgKHistory {
    MgArena *arena;
    MgMap pages; // by address / PAGE
    struct {
        uintptr_t number; // address / PAGE
        Byte *page;       // NULL: none yet
    } recent[RECENT];     // pages used lately, by number % RECENT
    uint32_t stretch;
};

MgKHistory *mg_khistory_new(MgArena *arena) {
    MgKHistory *h = MG_NEW(arena, MgKHistory);
    *h = (MgKHistory){.arena = arena, .stretch = 1};
    mg_map_init(&h->pages, arena);
    return h;
}

void mg_khistory_meet(MgKHistory *h) {
    h->stretch++;
}

static Byte *page_of(MgKHistory *h, uintptr_t address) {
    uintptr_t number = address / PAGE, slot = number % RECENT;
    if (h->recent[slot].page && h->recent[slot].number == number)
        return h->recent[slot].page;
    uint64_t *known = mg_map_find(&h->pages, number);
    Byte *page = known ? (Byte *)(uintptr_t)*known : MG_NEW_N(h->arena, Byte, PAGE);
    if (!known)
        mg_map_put(&h->pages, number, (uintptr_t)page);
    h->recent[slot].number = number;
    h->recent[slot].page = page;
    return page;
}

static bool access(Byte *b, uint32_t stretch, uint16_t who, bool writes) {
    bool written = b->wrote == stretch, read = b->read == stretch;
    if ((written && b->writer != who) || (writes && read && b->reader != who))
        return false;
    if (writes) {
        b->wrote = stretch;
        b->writer = who;
    } else {
        b->reader = read && b->reader != who ? SEVERAL : who;
        b->read = stretch;
    }
    return true;
}

bool mg_khistory_access(MgKHistory *h, const void *at, size_t bytes, uint32_t who, bool writes) {
    uintptr_t first = (uintptr_t)at;
    Byte *page = NULL;
    for (uintptr_t a = first; a < first + bytes; a++) {
        if (!page || a % PAGE == 0)
            page = page_of(h, a);
        if (!access(&page[a % PAGE], h->stretch, (uint16_t)who, writes))
            return false;
    }
    return true;
}
