// mgc cache: says where compiled objects and measurements are kept, and how many there are. `mgc
// cache clear` removes them.
#include "tools/mgc.h"

#include "runtime/cache.h"
#include "tools/show.h"

#include <stdio.h>

static int show(MgSession *session, const MgcOptions *options, const MgCacheUse *use) {
    MgText out = mg_text(session->arena);
    if (options->json) {
        mg_text_add(&out, "{\"folder\": ");
        mgc_json_string(&out, use->directory);
        mg_textf(&out,
                 ", \"entries\": %llu, \"measurements\": %llu, \"bytes\": %llu, \"limit\": %llu}\n",
                 (unsigned long long)use->objects, (unsigned long long)use->measured,
                 (unsigned long long)use->bytes, (unsigned long long)use->limit);
    } else
        mg_textf(&out, "%s: %s, %s, %.1f MiB of at most %.0f\n", use->directory,
                 mg_counted(session->arena, use->objects, "compiled object"),
                 mg_counted(session->arena, use->measured, "measurement"),
                 (double)use->bytes / 0x1p20, (double)use->limit / 0x1p20);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

static int with_cache(MgSession *session, const MgcOptions *options, MgCache *cache) {
    MgCacheUse use;
    if (!cache || !mg_cache_use(cache, &use))
        return mgc_fail(1, "%s", cache ? mg_cache_note(cache) : "out of memory");
    if (!options->file)
        return show(session, options, &use);
    if (strcmp(options->file, "clear") != 0)
        return mgc_fail(2, "unknown word '%s' after mgc cache; did you mean clear?", options->file);
    return mg_cache_clear(cache) ? 0 : mgc_fail(1, "not all of %s could be removed", use.directory);
}

static int cache(MgSession *session, const MgcOptions *options) {
    MgCache *cache = mg_cache_open(options->cache_folder, 0);
    int status = with_cache(session, options, cache);
    mg_cache_close(cache);
    return status;
}

int mgc_cache(const MgcOptions *options) {
    return mgc_in_session(options, cache);
}
