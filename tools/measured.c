// --profile=FILE.mgs: the schedules that ran, as --emit-schedule prints them, each with its time.
#include "tools/measured.h"

#include "support/files.h"
#include "tools/recompile.h"

#include <string.h>

typedef struct Measured {
    const MgcProfile *profile;
    MgText text;
} Measured;

// Times belong to the sites of the program that ran. If a site of this program has another name, as
// the sites of ops that are compiled alone have, it has no time.
static const char *note(void *ctx, const MgProgram *p, uint32_t site) {
    Measured *m = ctx;
    const char *name = mg_name(p->graph->module->session->names, p->sites.at[site].name);
    for (uint32_t i = 0; i < m->profile->n_rows; i++) {
        const MgcKernelRow *row = &m->profile->rows[i];
        if (row->kernel->site == site && !strcmp(row->kernel->name, name))
            return mg_arena_printf(m->text.arena, "took %s, bound by %s; %.0f%% of its roof (%s)",
                                   mgc_duration(m->text.arena, row->ns), row->regime.name,
                                   100 * row->regime.share, row->regime.roof);
    }
    return NULL;
}

static void print(void *ctx, MgGraph *g, const MgCompileSettings *settings) {
    Measured *m = ctx;
    MgProgram *program = mg_compile_passes(g, settings) ? mg_compile_schedule(g, settings) : NULL;
    if (program)
        mg_schedule_print(program, note, m, &m->text);
}

bool mgc_measured_write(MgSession *session, const char *path, MgInstance *instance,
                        const MgcProfile *profile) {
    Measured m = {profile, mg_text(instance->model->session->arena)};
    return mgc_recompile(instance, session, print, &m) &&
           mg_file_write(session, path, &(MgBytes){m.text.bytes.at, m.text.bytes.len}, 1);
}
