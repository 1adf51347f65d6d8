// Hash map from 64-bit keys to 64-bit values (open addressing, in an arena), byte hashing, and
// interned names. Key 0 is allowed. Iteration order is insertion order, so output is reproducible.
#ifndef MG_SUPPORT_MAP_H
#define MG_SUPPORT_MAP_H

#include "support/mem.h"

typedef struct MgMapEntry {
    uint64_t key, value;
} MgMapEntry;

typedef struct MgMap {
    MgArena *arena;
    uint32_t *slots; // index + 1 into entries
    uint32_t n_slots;
    MG_VEC(MgMapEntry) entries;
} MgMap;

void mg_map_init(MgMap *map, MgArena *arena);
void mg_map_put(MgMap *map, uint64_t key, uint64_t value); // replaces an earlier value
// The place of key's value, or NULL. Valid until the next put.
uint64_t *mg_map_find(const MgMap *map, uint64_t key);
uint64_t mg_map_get(const MgMap *map, uint64_t key, uint64_t otherwise);

// A list of distinct numbers that knows the place of each. A zeroed list is empty.
typedef struct MgDistinct {
    uint32_t *at;
    uint32_t len, cap;
    MgMap places; // of all numbers, once there are more than a few
} MgDistinct;

// The place of x in the list. A new number is added at the end.
uint32_t mg_distinct(MgArena *arena, MgDistinct *list, uint32_t x);

// XXH3 of bytes. To chain, pass the last hash as seed.
uint64_t mg_hash(const void *bytes, size_t length, uint64_t seed);
uint64_t mg_hash_mix(uint64_t a, uint64_t b);

// Interned names. Symbol 0 is the empty name; equal texts have equal symbols.
typedef uint32_t MgSym;
typedef struct MgNames MgNames;
MgNames *mg_names_new(MgArena *arena);
MgSym mg_sym_n(MgNames *names, const char *text, size_t length);
MgSym mg_sym(MgNames *names, const char *text);
MgSym mg_symf(MgNames *names, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *mg_name(const MgNames *names, MgSym sym); // NUL-terminated, lives as long as names
// The candidate nearest to name by edit distance, ignoring case; 0 if none is near (at most a third
// of its length plus one, with something in common).
MgSym mg_nearest_name(const MgNames *names, MgSym name, const MgSym *candidates, size_t n);
// The same over plain strings: an index into candidates, or -1.
int mg_nearest(const char *name, const char *const *candidates, size_t n);
// The nearer of two names, for candidates that come one at a time. The first `near` may be NULL,
// and so may the result.
const char *mg_nearer(const char *name, const char *near, const char *next);

#endif
