// Fuzzes the readers of the cache folder. An entry is a miss or it is whole. The payload after a
// valid header comes back unchanged. The limits of mgc probe are sound or refused.
#include "fuzz_file.h"

#include "runtime/cache.h"
#include "tools/probe.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/mg-fuzz-cache-XXXXXX";
static const char part[] = "fuzz";

static void clean(void) {
    MgCache *cache = mg_cache_open(folder, 0);
    mg_cache_clear(cache);
    mg_cache_close(cache);
    rmdir(folder);
}

static MgCache *open_cache(void) {
    static MgCache *cache;
    if (!cache) {
        if (!mkdtemp(folder) || !(cache = mg_cache_open(folder, 0)) || mg_cache_note(cache))
            abort();
        atexit(clean);
    }
    return cache;
}

// The entry's file: the payload after its header, or these bytes alone.
static void write_file(MgCacheKey key, const uint8_t *data, size_t size) {
    char path[128];
    snprintf(path, sizeof path, "%s/%016llx%016llx.mgm", folder, (unsigned long long)key.high,
             (unsigned long long)key.low);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
}

static void see_limits(const void *bytes, size_t length) {
    MgcLimits limits;
    MgcRoof roofs[MGC_LEVELS];
    unsigned char *own = malloc(sizeof limits);
    if (!own)
        abort();
    // an attacker would have the right length and version
    memset(own, 1, sizeof limits);
    memcpy(own, bytes, length < sizeof limits ? length : sizeof limits);
    ((MgcLimits *)(void *)own)->version = MGC_LIMITS_VERSION;
    if (mgc_limits_read(bytes, length, &limits) && length != sizeof limits)
        abort();
    if (mgc_limits_read(own, sizeof limits, &limits)) {
        uint32_t n = mgc_roofs(&limits, 2, roofs);
        MgcRegime regime = mgc_regime(&limits, 2, 1e9, 1e6, 1e-3);
        if (n > MGC_LEVELS || !strlen(limits.machine) || !strlen(regime.roof) ||
            isnan(regime.share))
            abort();
    }
    free(own);
}

static void read_entries(MgSession *session, const uint8_t *data, size_t size) {
    (void)session;
    MgCache *cache = open_cache();
    MgCacheKey key = mg_cache_key(&(MgCachePart){part, sizeof part}, 1);
    void *bytes = NULL;
    size_t length = 0;
    key.measured = true;
    write_file(key, data, size);
    if (mg_cache_get(cache, key, &bytes, &length)) {
        if (length >= size)
            abort();
        fuzz_touch(bytes, length);
        free(bytes);
    }
    if (!mg_cache_put(cache, key, data, size) || !mg_cache_get(cache, key, &bytes, &length) ||
        length != size || memcmp(bytes, data, size) != 0)
        abort();
    see_limits(bytes, length);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read_entries);
}
