// Compiles again in the model's session, which unwinds if memory runs out.
#include "runtime/recompile.h"

static void recompile(MgInstance *instance, MgLook *look, void *ctx) {
    MgModel *m = instance->model;
    MgCompileSettings settings = mg_model_settings(m, instance->context);
    MgPassOptions quiet = {0};
    if (settings.passes) { // which they are, without what they print
        const MgPassOptions *o = settings.passes;
        quiet = (MgPassOptions){.passes = o->passes,
                                .more = o->more,
                                .counters = o->counters,
                                .n_counters = o->n_counters};
        settings.passes = &quiet;
    }
    look(ctx, mg_compile_copy(m->graph, instance->dims), &settings);
}

bool mg_recompile(MgInstance *instance, MgLook *look, void *ctx) {
    MgModel *m = instance->model;
    MgTry frame;
    volatile bool ok = false;
    pthread_mutex_lock(&m->lock);
    if (MG_TRY(m->session->mem, frame)) {
        recompile(instance, look, ctx);
        mg_try_end(m->session->mem, &frame);
        ok = true;
    }
    pthread_mutex_unlock(&m->lock);
    return ok;
}
