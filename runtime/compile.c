// An object is a function of the graph's text, the settings, the target and this build of the compiler: that
// is its key in the cache, so that whatever decides the code decides the key.
#include "runtime/compile.h"

#include "passes/pass.h"

#include <stdlib.h>

bool mg_compile_passes(MgGraph *g, const MgCompileSettings *settings) {
    MgPassOptions options = {.level = settings->level, .strict = settings->strict};
    return mg_graph_verify(g) && mg_passes_run(g, &options);
}

MgProgram *mg_compile_schedule(MgGraph *g, const MgCompileSettings *settings) {
    MgScheduleOptions options = {.level = settings->level, .strict = settings->strict};
    if (!settings->backend->target_info(g->module->session, settings->march, &options.target))
        return NULL;
    options.target.workers = settings->workers;
    return mg_schedule(g, &options);
}

static bool key_of(MgGraph *g, const MgCompileSettings *settings, MgCacheKey *key) {
    MgSession *session = g->module->session;
    MgText text = mg_text(session->arena), target = mg_text(session->arena);
    MgPrintOptions print = {.origins = true, .annotations = true, .inline_const = 256};
    mg_graph_print(g, &print, &text); // constants by their hash
    mg_textf(&target, "%s -O%u %u workers%s ", settings->backend->name, settings->level, settings->workers,
             settings->strict ? " strict" : "");
    if (settings->backend->target_key &&
        !settings->backend->target_key(session, settings->march, &target))
        return false;
    MgCachePart parts[] = {{text.bytes.at, text.bytes.len}, {target.bytes.at, target.bytes.len}};
    *key = mg_cache_key(parts, 2);
    return true;
}

bool mg_compile_object(MgGraph *g, const MgCompileSettings *settings, MgCache *cache, unsigned char **bytes,
                       size_t *length) {
    MgCacheKey key;
    if (cache) {
        void *found;
        if (!key_of(g, settings, &key))
            return false;
        if (mg_cache_get(cache, key, &found, length)) {
            *bytes = found;
            return true;
        }
    }
    if (!mg_compile_passes(g, settings))
        return false;
    MgProgram *program = mg_compile_schedule(g, settings);
    if (!program || !settings->backend->object(g->module->session, program, settings->march, bytes, length))
        return false;
    if (cache)
        mg_cache_put(cache, key, *bytes, *length);
    return true;
}
