// Reading verifies everything, and writing goes through a temporary name. Every failure is a miss.
#include "runtime/cache.h"

#include "support/private.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

static const char magic[8] = "MGCACHE1";
static const char suffix[] = ".mgo", suffix_measured[] = ".mgm", temporary[] = ".tmp-";
enum { NAME_SIZE = 32 + sizeof suffix, STALE_SECONDS = 3600 };
static const uint64_t default_limit = (uint64_t)1 << 30;

typedef struct Header {
    char magic[8];
    uint64_t key_low, key_high, length, hash_low, hash_high;
} Header;

struct MgCache {
    int directory; // -1: the cache is not in use
    uint64_t limit;
    bool refused; // it is not in use because others could have written to it, or though it was
                  // asked for
    char note[1024], path[4096];
};

// ---------------------------------------------------------------- keys

typedef struct BuildId {
    uintptr_t self; // an address in this library
    const unsigned char *bytes;
    size_t length;
} BuildId;

static void find_note(BuildId *id, const unsigned char *note, size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        memcpy(&header, note, sizeof header);
        size_t name = (header.n_namesz + 3) & ~(size_t)3, desc = (header.n_descsz + 3) & ~(size_t)3;
        if (name + desc > size - sizeof header)
            return;
        const unsigned char *data = note + sizeof header;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && !memcmp(data, "GNU", 4)) {
            id->bytes = data + name;
            id->length = header.n_descsz;
            return;
        }
        note = data + name + desc;
        size -= sizeof header + name + desc;
    }
}

static int see_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    BuildId *id = context;
    bool ours = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        ours |= p->p_type == PT_LOAD && id->self - (info->dlpi_addr + p->p_vaddr) < p->p_memsz;
    }
    for (int i = 0; ours && i < info->dlpi_phnum && !id->bytes; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_NOTE)
            find_note(id, (const unsigned char *)(info->dlpi_addr + p->p_vaddr), p->p_memsz);
    }
    return ours;
}

// Adds the linker's build id, or without one the size and time of the file that holds this code.
static void add_build(XXH3_state_t *state) {
    BuildId id = {.self = (uintptr_t)&mg_cache_key};
    dl_iterate_phdr(see_object, &id);
    Dl_info info;
    struct stat st;
    if (id.bytes)
        XXH3_128bits_update(state, id.bytes, id.length);
    else if (dladdr((const void *)id.self, &info) && stat(info.dli_fname, &st) == 0) {
        XXH3_128bits_update(state, &st.st_size, sizeof st.st_size);
        XXH3_128bits_update(state, &st.st_mtim, sizeof st.st_mtim);
    }
}

MgCacheKey mg_cache_key(const MgCachePart *parts, uint32_t n) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return (MgCacheKey){0};
    XXH3_128bits_reset(state);
    add_build(state);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t length = parts[i].length;
        XXH3_128bits_update(state, &length, sizeof length);
        if (length)
            XXH3_128bits_update(state, parts[i].bytes, parts[i].length);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return (MgCacheKey){hash.low64, hash.high64, false};
}

// ---------------------------------------------------------------- the directory

static bool default_directory(char *path, size_t size) {
    const char *dir = getenv("MG_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int n = dir && *dir     ? snprintf(path, size, "%s", dir)
            : xdg && *xdg   ? snprintf(path, size, "%s/mg", xdg)
            : home && *home ? snprintf(path, size, "%s/.cache/mg", home)
                            : -1;
    return n > 0 && (size_t)n < size;
}

// Makes path and its parents. Only the last folder belongs to the cache, so only that one is
// private.
static bool make_directories(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static void open_directory(MgCache *cache, char *path) {
    char why[400];
    if (!make_directories(path)) {
        snprintf(cache->note, sizeof cache->note, "the cache folder '%.300s' cannot be made: %s",
                 path, strerror(errno));
        return;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        snprintf(cache->note, sizeof cache->note, "the cache folder '%.300s' cannot be read: %s",
                 path, strerror(errno));
    } else if (!mg_private_folder(fd, why, sizeof why)) { // what it holds is executed
        cache->refused = true;
        snprintf(cache->note, sizeof cache->note, "the cache folder '%.300s' is not used: %s", path,
                 why);
    } else {
        cache->directory = fd;
        return;
    }
    if (fd >= 0)
        close(fd);
}

MgCache *mg_cache_open(const char *directory, uint64_t limit) {
    MgCache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->directory = -1;
    cache->limit = limit ? limit : default_limit;
    char *path = cache->path;
    size_t size = sizeof cache->path;
    int n = directory ? snprintf(path, size, "%s", directory) : 0;
    if (directory ? n <= 0 || (size_t)n >= size : !default_directory(path, size))
        snprintf(cache->note, sizeof cache->note,
                 "there is no cache folder: set MG_CACHE_DIR or HOME");
    else
        open_directory(cache, path);
    cache->refused |= directory && n > 0 && cache->directory < 0;
    return cache;
}

MgCache *mg_cache_share(const MgCache *cache) {
    int directory = cache ? fcntl(cache->directory, F_DUPFD_CLOEXEC, 0) : -1;
    MgCache *shared = directory >= 0 ? malloc(sizeof *shared) : NULL;
    if (shared) {
        *shared = *cache;
        shared->directory = directory;
    } else if (directory >= 0) {
        close(directory);
    }
    return shared;
}

void mg_cache_close(MgCache *cache) {
    if (!cache)
        return;
    if (cache->directory >= 0)
        close(cache->directory);
    free(cache);
}

const char *mg_cache_folder(const MgCache *cache) {
    return cache->directory >= 0 ? cache->path : NULL;
}

bool mg_cache_refused(const MgCache *cache) {
    return cache->refused;
}

const char *mg_cache_note(const MgCache *cache) {
    return cache->note[0] ? cache->note : NULL;
}

static void file_name(MgCacheKey key, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%016llx%016llx%s", (unsigned long long)key.high,
             (unsigned long long)key.low, key.measured ? suffix_measured : suffix);
}

static Header header_of(MgCacheKey key, const void *bytes, size_t length) {
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    Header h = {.key_low = key.low, .key_high = key.high, .length = length};
    h.hash_low = hash.low64;
    h.hash_high = hash.high64;
    memcpy(h.magic, magic, sizeof magic);
    return h;
}

// ---------------------------------------------------------------- reading

static bool read_all(int fd, void *to, size_t length) {
    for (unsigned char *p = to; length;) {
        ssize_t n = read(fd, p, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        length -= (size_t)n;
    }
    return true;
}

static void *read_payload(int fd, MgCacheKey key, size_t *length) {
    struct stat st;
    Header found;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || mg_private_why(fd) ||
        !read_all(fd, &found, sizeof found))
        return NULL;
    if (found.length > (uint64_t)st.st_size || st.st_size - found.length != sizeof found)
        return NULL;
    void *bytes = malloc(found.length ? found.length : 1);
    if (!bytes)
        return NULL;
    if (read_all(fd, bytes, found.length)) {
        Header expected = header_of(key, bytes, found.length);
        if (memcmp(&expected, &found, sizeof found) == 0) {
            *length = found.length;
            return bytes;
        }
    }
    free(bytes);
    return NULL;
}

bool mg_cache_get(MgCache *cache, MgCacheKey key, void **bytes, size_t *length) {
    char name[NAME_SIZE];
    file_name(key, name);
    if (cache->directory < 0)
        return false;
    int fd = openat(cache->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    *bytes = read_payload(fd, key, length);
    if (*bytes)
        futimens(fd, NULL); // used now, so evicted last; fails harmlessly where read-only
    close(fd);
    return *bytes != NULL;
}

// ---------------------------------------------------------------- writing and eviction

typedef struct Entry {
    char *name;
    uint64_t size;
    struct timespec used;
    bool measured;
} Entry;
typedef struct Entries {
    Entry *at;
    size_t n, capacity;
    uint64_t total;
} Entries;

static int oldest_first(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool add_entry(Entries *e, const char *name, const struct stat *st) {
    if (e->n == e->capacity) {
        size_t capacity = e->capacity ? e->capacity * 2 : 64;
        Entry *grown = realloc(e->at, capacity * sizeof *grown);
        if (!grown)
            return false;
        e->at = grown;
        e->capacity = capacity;
    }
    char *copy = strdup(name);
    if (!copy)
        return false;
    bool measured = strcmp(name + 32, suffix_measured) == 0;
    e->at[e->n++] = (Entry){copy, (uint64_t)st->st_size, st->st_mtim, measured};
    e->total += (uint64_t)st->st_size;
    return true;
}

// Lists the entries, and removes temporary files of processes that were killed.
static void list_entries(MgCache *cache, Entries *e) {
    int fd = openat(cache->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    time_t now = time(NULL);
    for (struct dirent *d; (d = readdir(dir));) {
        struct stat st;
        size_t n = strlen(d->d_name);
        bool entry = n == NAME_SIZE - 1 &&
                     (!strcmp(d->d_name + 32, suffix) || !strcmp(d->d_name + 32, suffix_measured));
        bool left = strncmp(d->d_name, temporary, sizeof temporary - 1) == 0;
        if ((!entry && !left) || fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (left && now - st.st_mtim.tv_sec > STALE_SECONDS)
            unlinkat(fd, d->d_name, 0);
        else if (entry && !add_entry(e, d->d_name, &st))
            break;
    }
    closedir(dir);
}

static void free_entries(Entries *e) {
    for (size_t i = 0; i < e->n; i++)
        free(e->at[i].name);
    free(e->at);
}

// Removes the least recently used entries until the rest is within the limit. False if an entry
// could not be removed.
static bool shrink(MgCache *cache, uint64_t limit) {
    Entries e = {0};
    bool ok = true;
    list_entries(cache, &e);
    if (e.total > limit) {
        qsort(e.at, e.n, sizeof *e.at, oldest_first);
        for (size_t i = 0; i < e.n && e.total > limit; i++) {
            ok &= unlinkat(cache->directory, e.at[i].name, 0) == 0;
            e.total -= e.at[i].size;
        }
    }
    free_entries(&e);
    return ok;
}

bool mg_cache_use(MgCache *cache, MgCacheUse *use) {
    if (cache->directory < 0)
        return false;
    Entries e = {0};
    list_entries(cache, &e);
    *use = (MgCacheUse){.directory = cache->path, .bytes = e.total, .limit = cache->limit};
    for (size_t i = 0; i < e.n; i++)
        ++*(e.at[i].measured ? &use->measured : &use->objects);
    free_entries(&e);
    return true;
}

bool mg_cache_clear(MgCache *cache) {
    return cache->directory >= 0 && shrink(cache, 0);
}

static bool write_all(int fd, const void *from, size_t length) {
    for (const unsigned char *p = from; length;) {
        ssize_t n = write(fd, p, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        length -= (size_t)n;
    }
    return true;
}

// Opens a new file under a name that no other process or thread uses.
static int open_temporary(MgCache *cache, char *name, size_t size) {
    for (uint32_t attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(name, size, "%s%ld-%lx-%lx-%u", temporary, (long)getpid(),
                 (unsigned long)(uintptr_t)&now, (unsigned long)now.tv_nsec, attempt);
        int fd = openat(cache->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool mg_cache_put(MgCache *cache, MgCacheKey key, const void *bytes, size_t length) {
    if (cache->directory < 0)
        return false;
    char name[NAME_SIZE], temp[128];
    file_name(key, name);
    int fd = open_temporary(cache, temp, sizeof temp);
    if (fd < 0) {
        snprintf(cache->note, sizeof cache->note, "the cache cannot be written: %s",
                 strerror(errno));
        return false;
    }
    Header header = header_of(key, bytes, length);
    bool good = write_all(fd, &header, sizeof header) && write_all(fd, bytes, length);
    good = close(fd) == 0 && good;
    good = good && renameat(cache->directory, temp, cache->directory, name) == 0;
    if (!good) {
        snprintf(cache->note, sizeof cache->note, "the cache cannot be written: %s",
                 strerror(errno));
        unlinkat(cache->directory, temp, 0);
        return false;
    }
    shrink(cache, cache->limit);
    return true;
}
