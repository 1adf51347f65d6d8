// An object is a function of the graph's text, the settings, the target and this build of the
// compiler. These form its key in the cache.
#include "runtime/compile.h"

#include "frontend/source.h"
#include "passes/guards.h"
#include "passes/nest/nest.h"
#include "passes/pass.h"

#include <stdlib.h>

bool mg_compile_target(MgSession *session, const MgCompileSettings *settings,
                       MgTargetInfo *target) {
    if (!settings->backend->target_info(session, settings->march, target))
        return false;
    if (settings->machine)
        mg_target_use(target, settings->machine);
    return true;
}

bool mg_compile_passes(MgGraph *g, const MgCompileSettings *settings) {
    MgTargetInfo target;
    MgPassOptions options = settings->passes ? *settings->passes : (MgPassOptions){0};
    options.level = settings->level;
    options.strict = settings->strict;
    options.unfused = settings->unfused;
    options.remat = settings->remat;
    if (!mg_compile_remat(g, settings, &options.remat))
        return false;
    options.gpu = settings->backend && settings->backend->on_device;
    if (settings->backend) {
        if (!mg_compile_target(g->module->session, settings, &target))
            return false;
        options.machine = &target.machine;
    }
    return mg_graph_verify(g) && mg_passes_run(g, &options);
}

static void explain_precision(MgProgram *p, const MgCompileSettings *settings) {
    MgSession *session = p->graph->module->session;
    const char *text = mg_arena_printf(
        session->arena, "%s: contractions may round factors to tf32; %s %s\n",
        mg_name(session->names, p->graph->name), settings->backend->name,
        p->rounds ? "does so where its matrix units are faster" : "computes them in f32");
    if (settings->passes->put)
        settings->passes->put(settings->passes->ctx, text, strlen(text));
}

static void explain_products(MgProgram *p, const MgScheduleOptions *options,
                             const MgCompileSettings *settings) {
    MgText text = mg_text(p->graph->module->session->arena);
    mg_precision_print(p, options, &text);
    if (settings->passes->put)
        settings->passes->put(settings->passes->ctx, mg_text_str(&text), text.bytes.len);
}

static void explain_launch(MgProgram *p, const MgTargetInfo *target,
                           const MgCompileSettings *settings) {
    static const char *const forms[] = {
        [MG_LAUNCH_AUTO] = "separate launches",
        [MG_LAUNCH_SEPARATE] = "separate launches",
        [MG_LAUNCH_OWNED] = "one kernel, each group walks all layers for its own rows",
        [MG_LAUNCH_PERSISTENT] = "one kernel, its groups meet at barriers between the calls"};
    MgSession *session = p->graph->module->session;
    MgText text = mg_text(session->arena);
    mg_textf(&text, "%s: %s%s\n%s%s%s", mg_name(session->names, p->graph->name),
             settings->backend->on_device ? forms[p->launch] : "the workers enter the plan once",
             p->loops ? ", any number of passes in one launch" : "",
             p->share_why ? p->share_why : "", p->share_why ? "\n" : "",
             p->launch_why ? p->launch_why : "");
    static const char *const from[] = {"assumed; mgc probe --target=gpu measures it", "measured"};
    if (settings->backend->on_device)
        mg_textf(&text, "a launch costs %.3g µs (%s), a barrier over the grid %.3g µs (%s)\n",
                 target->launch_ns * 1e-3, from[target->launch_measured], target->barrier_ns * 1e-3,
                 from[target->barrier_measured]);
    if (settings->passes->put)
        settings->passes->put(settings->passes->ctx, mg_text_str(&text), text.bytes.len);
}

static void explain_memory(MgProgram *p, const MgCompileSettings *settings) {
    MgText text = mg_text(p->graph->module->session->arena);
    mg_guards_memory(p, &text);
    if (settings->passes->put)
        settings->passes->put(settings->passes->ctx, mg_text_str(&text), text.bytes.len);
}

// Verifies the kernels of a schedule, in debug builds and if --verify-each asks for it.
static bool kernels_are_sound(MgProgram *p, const MgCompileSettings *settings) {
#ifdef NDEBUG
    if (!settings->passes || !settings->passes->verify_each)
        return true;
#else
    (void)settings;
#endif
    MgSession *session = p->graph->module->session;
    MgOriginId *origins = MG_NEW_N(session->arena, MgOriginId, p->kernels.len + 1);
    for (uint32_t i = 0; i < p->sites.len; i++)
        origins[p->sites.at[i].kernel] = p->sites.at[i].origin;
    bool sound = true;
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        uint32_t before = session->diags.len;
        sound &= mg_kernel_verify(session, p->kernels.at[i]);
        for (uint32_t d = before; d < session->diags.len; d++)
            session->diags.at[d].span = mg_origin_user_span(p->graph->module, origins[i]);
    }
    if (!sound)
        mg_diag_note(session, mg_no_span(), MG_D_kernel_defect);
    return sound;
}

const MgNestFile *mg_compile_schedules(MgSession *session, const char *path) {
    uint32_t source = mg_source_read(session, path, mg_no_span());
    return source ? mg_nest_read(session, source) : NULL;
}

MgProgram *mg_compile_schedule(MgGraph *g, const MgCompileSettings *settings) {
    MgScheduleOptions options = {.launch = settings->launch,
                                 .repeats = settings->repeats,
                                 .level = settings->level,
                                 .strict = settings->strict,
                                 .to_read = settings->to_read,
                                 .tf32 = settings->tf32,
                                 .short_sums = settings->short_sums,
                                 .in_place = settings->in_place,
                                 .winograd = settings->winograd,
                                 .tuning = settings->tuning,
                                 .schedules = settings->schedules};
    if (settings->passes) {
        options.edge = settings->passes->edge;
        options.edge_ctx = settings->passes->ctx;
    }
    if (!mg_compile_target(g->module->session, settings, &options.target))
        return NULL;
    if (!options.target.gpu) // a GPU knows its own
        options.target.workers = settings->workers;
    if (!options.target.gpu && settings->share_all)
        options.target.launch_ns = options.target.barrier_ns = 0;
    MgProgram *program = mg_schedule(g, &options);
    if (program && !kernels_are_sound(program, settings))
        return NULL;
    if (program && settings->passes && settings->passes->explain_launch)
        explain_launch(program, &options.target, settings);
    if (program && settings->passes && settings->passes->edge && !options.target.gpu &&
        program->launch_why && settings->passes->put) // what the barriers between kernels cost
        settings->passes->put(settings->passes->ctx, program->launch_why,
                              strlen(program->launch_why));
    if (program && settings->passes && settings->passes->explain_guards)
        explain_memory(program, settings);
    if (program && settings->passes && settings->passes->explain_precision)
        explain_products(program, &options, settings);
    if (program && settings->passes && settings->passes->explain_launch && settings->tf32)
        explain_precision(program, settings);
    return program;
}

typedef struct Known {
    const MgGraph *g;
    const int64_t *dims; // NULL: none is known
} Known;

static bool known_dim(void *context, MgIxSym s, int64_t *value) {
    const Known *k = context;
    for (uint32_t d = 0; k->dims && d < k->g->dims.len; d++)
        if (k->g->dims.at[d] == s && k->dims[d] >= 0) {
            *value = k->dims[d];
            return true;
        }
    return false;
}

MgGraph *mg_compile_copy(MgGraph *g, const int64_t *dims) {
    Known known = {g, dims};
    return mg_graph_specialise(g, known_dim, &known);
}

MgProgram *mg_compile_program(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings) {
    MgGraph *copy = mg_compile_copy(g, dims);
    return mg_compile_passes(copy, settings) ? mg_compile_schedule(copy, settings) : NULL;
}

bool mg_compile_name(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                     MgText *out) {
    MgSession *session = g->module->session;
    if (settings->schedules)
        mg_textf(out, "schedules %016llx, ", (unsigned long long)settings->schedules->hash);
    if (settings->remat.kind)
        mg_textf(out, "remat %d %lld, ", (int)settings->remat.kind,
                 (long long)settings->remat.bytes);
    mg_textf(out, "%s -O%u, %u workers, launch %d, winograd %u%s%s%s%s%s%s%s, ",
             settings->backend->name, settings->level,
             settings->backend->on_device ? 1 : settings->workers, // the device knows its own
             (int)settings->launch, settings->winograd, settings->share_all ? ", all shared" : "",
             settings->repeats ? ", repeated" : "", settings->in_place ? ", in place" : "",
             settings->tf32 && settings->backend->on_device ? ", tf32" : "",
             settings->short_sums && settings->backend->on_device ? ", short sums" : "",
             settings->strict ? ", strict" : "", settings->unfused ? ", unfused" : "");
    if (settings->backend->target_key &&
        !settings->backend->target_key(session, settings->march, out))
        return false;
    MgTargetInfo target;
    if (!mg_compile_target(session, settings, &target))
        return false;
    mg_textf(out, ", machine %016llx", (unsigned long long)mg_machine_hash(&target.machine));
    for (uint32_t d = 0; dims && d < g->dims.len; d++)
        if (dims[d] >= 0)
            mg_textf(out, ", %s=%lld",
                     mg_name(session->names, mg_ix_sym_name(g->module->ix, g->dims.at[d])),
                     (long long)dims[d]);
    return true;
}

static bool key_of(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                   MgCacheKey *key) {
    MgText text = mg_text(g->module->session->arena), name = text;
    MgPrintOptions print = {.origins = true, .annotations = true, .inline_const = 256};
    mg_graph_print(g, &print, &text); // large constants by their hash
    if (!mg_compile_name(g, dims, settings, &name))
        return false;
    uint64_t tuned = mg_tuning_hash(settings->tuning);
    MgCachePart parts[] = {
        {text.bytes.at, text.bytes.len}, {name.bytes.at, name.bytes.len}, {&tuned, sizeof tuned}};
    *key = mg_cache_key(parts, 3);
    return true;
}

bool mg_compile_object(MgGraph *g, const int64_t *dims, const MgCompileSettings *settings,
                       MgCache *cache, unsigned char **bytes, size_t *length) {
    MgCacheKey key;
    void *found;
    if (mg_compile_is_special(settings))
        cache = NULL;
    if (cache && !key_of(g, dims, settings, &key))
        return false;
    if (cache && mg_cache_get(cache, key, &found, length)) {
        *bytes = found;
        return true;
    }
    if (cache && settings->backend->prepare) // without a cache it was prepared early
        settings->backend->prepare(g->module->session);
    MgProgram *program = mg_compile_program(g, dims, settings);
    if (!program ||
        !settings->backend->object(g->module->session, program, settings->march, bytes, length))
        return false;
    if (cache)
        mg_cache_put(cache, key, *bytes, *length);
    return true;
}
