// Pictures of a model for its users.
#include "runtime/recompile.h"
#include "runtime/steps.h"

#include "ir/program.h"

static char *copied(MgText *text) {
    return text->bytes.len ? strdup(mg_text_str(text)) : NULL;
}

static void draw_memory(void *ctx, MgGraph *g, const MgCompileSettings *settings) {
    MgText svg = mg_text(g->module->session->arena);
    MgProgram *program = mg_compile_passes(g, settings) ? mg_compile_schedule(g, settings) : NULL;
    if (program && mg_memplan_svg(program, &svg))
        *(char **)ctx = copied(&svg);
}

static MgStatus memory(MgInstance *i, char **svg) {
    const MgModel *m = i->model;
    if (m->options.interpret || mg_mode_by_op(m->options.mode))
        return MG_OK;
    MgStatus status = mg_model_dims(m) ? mg_instance_sizes(i) : MG_OK;
    return status ? status : mg_recompile(i, draw_memory, svg) ? MG_OK : MG_OUT_OF_MEMORY;
}

static MgStatus graph(MgInstance *i, char **svg) {
    MgModel *m = i->model;
    MgTry frame;
    pthread_mutex_lock(&m->lock);
    if (MG_TRY(m->session->mem, frame)) {
        MgArena *arena = mg_arena_new(m->session->mem);
        MgText text = mg_text(arena);
        mg_graph_svg(m->graph, &text);
        *svg = copied(&text);
        mg_arena_free(arena);
        mg_try_end(m->session->mem, &frame);
    }
    pthread_mutex_unlock(&m->lock);
    return *svg ? MG_OK : MG_OUT_OF_MEMORY;
}

MgStatus mg_picture(MgInstance *i, MgPicture which, char **svg) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    if (!svg)
        return mg_message_misuse(&i->message, "the place for the picture is NULL");
    *svg = NULL;
    if (which != MG_PICTURE_GRAPH && which != MG_PICTURE_MEMORY)
        return mg_message_misuse(&i->message, "there is no picture number %d", (int)which);
    status = (which == MG_PICTURE_GRAPH ? graph : memory)(i, svg);
    if (status == MG_OUT_OF_MEMORY)
        mg_message_set(&i->message, "out of memory: the limit is %zu MiB",
                       i->context->options.memory_limit >> 20);
    return status;
}
