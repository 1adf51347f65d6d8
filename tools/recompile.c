// Compiles again in the model's session, which unwinds if memory runs out.
#include "tools/recompile.h"

#include "runtime/context.h"

static void recompile(MgInstance *instance, MgcLook *look, void *ctx) {
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

bool mgc_recompile(MgInstance *instance, MgSession *session, MgcLook *look, void *ctx) {
    MgModel *m = instance->model;
    MgTry frame;
    pthread_mutex_lock(&m->lock);
    if (MG_TRY(m->session->mem, frame)) {
        recompile(instance, look, ctx);
        mg_try_end(m->session->mem, &frame);
    } else
        mg_diag(session, mg_no_span(), MG_D_out_of_memory,
                instance->context->options.memory_limit >> 20);
    pthread_mutex_unlock(&m->lock);
    return !session->n_errors;
}
