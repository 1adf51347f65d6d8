// The hash map, which uses xxHash, and interning.
#include "support/map.h"

#include <limits.h>
#include <stdio.h>
#include <xxhash.h>

void mg_map_init(MgMap *map, MgArena *arena) {
    *map = (MgMap){.arena = arena};
}

static uint32_t *slot_of(const MgMap *map, uint64_t key) {
    uint32_t mask = map->n_slots - 1;
    uint32_t i = (uint32_t)mg_hash_mix(key, 0x9e3779b97f4a7c15u) & mask;
    while (map->slots[i] && map->entries.at[map->slots[i] - 1].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

static void rehash(MgMap *map) {
    uint32_t n = map->n_slots ? map->n_slots * 2 : 8;
    if (!n)
        mg_mem_fail(mg_arena_mem(map->arena));
    map->slots = MG_NEW_N(map->arena, uint32_t, n); // this may unwind; the map is still as it was
    map->n_slots = n;
    for (uint32_t e = 0; e < map->entries.len; e++)
        *slot_of(map, map->entries.at[e].key) = e + 1;
}

void mg_map_put(MgMap *map, uint64_t key, uint64_t value) {
    if (map->entries.len * 2 >= map->n_slots)
        rehash(map);
    uint32_t *slot = slot_of(map, key);
    if (*slot) {
        map->entries.at[*slot - 1].value = value;
        return;
    }
    mg_push(map->arena, &map->entries, (MgMapEntry){key, value});
    *slot = map->entries.len;
}

uint64_t *mg_map_find(const MgMap *map, uint64_t key) {
    if (!map->n_slots)
        return NULL;
    uint32_t slot = *slot_of(map, key);
    return slot ? &map->entries.at[slot - 1].value : NULL;
}

uint64_t mg_map_get(const MgMap *map, uint64_t key, uint64_t otherwise) {
    uint64_t *value = mg_map_find(map, key);
    return value ? *value : otherwise;
}

uint32_t mg_distinct(MgArena *arena, MgDistinct *list, uint32_t x) {
    enum { FEW = 16 }; // this many are searched linearly
    if (list->len < FEW) {
        for (uint32_t i = 0; i < list->len; i++)
            if (list->at[i] == x)
                return i;
    } else {
        if (!list->places.n_slots) {
            mg_map_init(&list->places, arena);
            for (uint32_t i = 0; i < list->len; i++)
                mg_map_put(&list->places, list->at[i], i);
        }
        uint64_t *place = mg_map_find(&list->places, x);
        if (place)
            return (uint32_t)*place;
        mg_map_put(&list->places, x, list->len);
    }
    mg_push(arena, list, x);
    return list->len - 1;
}

uint64_t mg_hash(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, length, seed);
}

uint64_t mg_hash_mix(uint64_t a, uint64_t b) {
    uint64_t x = a * 0x9ddfea08eb382d69u ^ b;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

// Interning: a map from a name's hash to the newest symbol with it; equal hashes are chained.
typedef struct Name {
    const char *text;
    size_t length;
    MgSym next; // another name of the same hash
} Name;

struct MgNames {
    MgArena *arena;
    MgMap by_hash;
    MG_VEC(Name) all;
};

MgNames *mg_names_new(MgArena *arena) {
    MgNames *names = MG_NEW(arena, MgNames);
    names->arena = arena;
    mg_map_init(&names->by_hash, arena);
    mg_push(arena, &names->all, (Name){.text = ""});
    return names;
}

MgSym mg_sym_n(MgNames *names, const char *text, size_t length) {
    if (!length)
        return 0;
    uint64_t hash = mg_hash(text, length, 0);
    MgSym first = (MgSym)mg_map_get(&names->by_hash, hash, 0);
    for (MgSym s = first; s; s = names->all.at[s].next)
        if (names->all.at[s].length == length && !memcmp(names->all.at[s].text, text, length))
            return s;
    MgSym sym = names->all.len;
    Name name = {mg_arena_str(names->arena, text, length), length, first};
    mg_push(names->arena, &names->all, name);
    mg_map_put(&names->by_hash, hash, sym);
    return sym;
}

MgSym mg_sym(MgNames *names, const char *text) {
    return mg_sym_n(names, text, strlen(text));
}

MgSym mg_symf(MgNames *names, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(names->arena, format, args);
    va_end(args);
    return mg_sym(names, text);
}

const char *mg_name(const MgNames *names, MgSym sym) {
    return names->all.at[sym].text;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Levenshtein distance with adjacent transpositions, for names up to 63 characters; ignores case.
static unsigned distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > 63 || m > 63)
        return 1000;
    unsigned d[3][64];
    for (size_t j = 0; j <= m; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = d[i % 3], *up = d[(i + 2) % 3], *upup = d[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = up[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                upup[j - 2] + 1 < best)
                best = upup[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[n % 3][m];
}

// May `name` have meant `other`? Returns their distance, which may be at most a third of the name's
// length plus one; they must also have something in common. (Leading dashes of flags don't count.)
static bool may_mean(const char *name, const char *other, unsigned *far) {
    for (; *name == '-' && *other == '-'; name++)
        other++;
    size_t n = strlen(name), m = strlen(other);
    *far = distance(name, other);
    return strcmp(name, other) && *far <= (n < 4 ? 1 : n / 3 + 1) && *far < (n > m ? n : m);
}

int mg_nearest(const char *name, const char *const *candidates, size_t n) {
    unsigned best = UINT_MAX, far;
    int found = -1;
    for (size_t i = 0; i < n; i++)
        if (may_mean(name, candidates[i], &far) && far < best) {
            best = far;
            found = (int)i;
        }
    return found;
}

const char *mg_nearer(const char *name, const char *near, const char *next) {
    const char *both[] = {near ? near : next, next};
    int best = mg_nearest(name, both, 2);
    return best < 0 ? NULL : both[best];
}

MgSym mg_nearest_name(const MgNames *names, MgSym name, const MgSym *candidates, size_t n) {
    unsigned best = UINT_MAX, far;
    MgSym found = 0;
    for (size_t i = 0; i < n; i++)
        if (may_mean(mg_name(names, name), mg_name(names, candidates[i]), &far) && far < best) {
            best = far;
            found = candidates[i];
        }
    return found;
}
