// Finds and reads the file of a machine.
#include "runtime/machine_file.h"

#include "runtime/tuned.h"
#include "support/files.h"

#include <inttypes.h>

const char *mg_machine_default(MgSession *session, const MgCache *cache) {
    const char *folder = cache ? mg_cache_folder(cache) : NULL;
    const char *key = mg_tuned_machine(session);
    return folder ? mg_arena_printf(session->arena, "%s/probed-%016" PRIx64 ".machine", folder,
                                    mg_hash(key, strlen(key), 0))
                  : NULL;
}

static const char *read_bytes(MgSession *session, const MgFileBytes *file, MgMachine *machine,
                              uint32_t *line) {
    const char *from = mg_arena_str(session->arena, file->path, strlen(file->path));
    *machine = *mg_machine_usual();
    strcpy(machine->name, "file");
    return mg_machine_read(machine, (const char *)file->bytes, file->length, from, line);
}

bool mg_machine_load(MgSession *session, const char *path, MgMachine *machine) {
    MgFileBytes file;
    uint32_t line;
    if (!mg_file_read(session, path, mg_no_span(), &file))
        return false;
    const char *wrong = read_bytes(session, &file, machine, &line);
    if (wrong)
        mg_diag(session, mg_no_span(), MG_D_machine_format, path, line, wrong);
    return !wrong;
}

static bool unknown(MgSession *session, const char *name) {
    const char *const *names = mg_machine_names();
    MgText all = mg_text(session->arena);
    size_t n = 0;
    for (; names[n]; n++)
        mg_textf(&all, "%s%s", n ? ", " : "", names[n]);
    int near = mg_nearest(name, names, n);
    if (near >= 0)
        mg_diag(session, mg_no_span(), MG_D_machine_near, name, names[near]);
    else
        mg_diag(session, mg_no_span(), MG_D_machine_name, name, mg_text_str(&all));
    return false;
}

bool mg_machine_choose(MgSession *session, const char *which, const MgCache *cache,
                       const MgMachine **found) {
    MgMachine *machine = MG_NEW(session->arena, MgMachine);
    MgFileBytes file;
    uint32_t line;
    *found = NULL;
    if (!which) {
        const char *path = mg_machine_default(session, cache);
        if (path && mg_file_read_private(session, path, &file) &&
            !read_bytes(session, &file, machine, &line))
            *found = machine;
        return true;
    }
    if (!strcmp(which, "none"))
        return true;
    bool good = strchr(which, '/') || mg_path_has_extension(which, ".machine")
                    ? mg_machine_load(session, which, machine)
                    : mg_machine_find(which, machine) || unknown(session, which);
    *found = good ? machine : NULL;
    return good;
}
