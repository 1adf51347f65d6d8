// The compile cache on disk. It keeps compiled objects (of any backend) under a key of everything
// they were made from, and measurements of this machine and its devices.
//
// An entry is a file with a header (magic, key, length, hash of the payload), which is verified on
// reading. An entry that is truncated or damaged counts as absent and is replaced. Entries are
// written under a temporary name and renamed, so that concurrent processes never see half of one.
// When the folder grows past the limit, the least recently used entries are removed. A cache that
// can't be read or written never makes a compilation fail.
//
// Entries are executed. So a folder is refused unless it and all folders above it are safe from
// other users (support/private.h), and an entry that belongs to another user counts as absent.
#ifndef MG_RUNTIME_CACHE_H
#define MG_RUNTIME_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MgCache MgCache;

// 128-bit hash (XXH3) of a sequence of parts. Parts are length-prefixed: ("ab", "c") is not ("a",
// "bc").
typedef struct MgCacheKey {
    uint64_t low, high;
    bool measured; // not an object, but times of a machine or device
} MgCacheKey;
typedef struct MgCachePart {
    const void *bytes;
    size_t length;
} MgCachePart;
// The key also covers this build of MG (its linker build id), so a new compiler never takes old
// objects.
MgCacheKey mg_cache_key(const MgCachePart *parts, uint32_t n);

// If directory is NULL, it is $MG_CACHE_DIR, else $XDG_CACHE_HOME/mg, else $HOME/.cache/mg. The
// folder is made if it is missing. limit is in bytes; 0: 1 GiB. NULL only if memory runs out:
// without a usable directory, get finds nothing and put stores nothing.
MgCache *mg_cache_open(const char *directory, uint64_t limit);
// Another handle of the same folder, for another owner or thread. NULL: the cache is not in use, or
// memory ran out.
MgCache *mg_cache_share(const MgCache *cache);
void mg_cache_close(MgCache *cache); // NULL is allowed
// Why the cache is not in use, or NULL; one line, for --verbose.
const char *mg_cache_note(const MgCache *cache);
// Is it not in use because other users could have written to it? The user should be told.
bool mg_cache_refused(const MgCache *cache);
// The cache's folder; NULL: it is not in use.
const char *mg_cache_folder(const MgCache *cache);
// Looks up a key. The payload comes from malloc and is the caller's.
bool mg_cache_get(MgCache *cache, MgCacheKey key, void **bytes, size_t *length);
// What the cache holds, and where. False if it is not in use (see mg_cache_note).
typedef struct MgCacheUse {
    const char *directory;                    // valid as long as the cache is open
    uint64_t objects, measured, bytes, limit; // bytes of both
} MgCacheUse;
bool mg_cache_use(MgCache *cache, MgCacheUse *use);
bool mg_cache_clear(MgCache *cache); // false if something could not be removed
bool mg_cache_put(MgCache *cache, MgCacheKey key, const void *bytes, size_t length);

#endif
