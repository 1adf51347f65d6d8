#include "tools/recompile.h"

bool mgc_recompile(MgInstance *instance, MgSession *session, MgLook *look, void *ctx) {
    if (!mg_recompile(instance, look, ctx))
        mg_diag(session, mg_no_span(), MG_D_out_of_memory,
                instance->context->options.memory_limit >> 20);
    return !session->n_errors;
}
