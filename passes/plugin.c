// Loading plugins. The object is never unloaded: graphs and messages may point into it.
#include "passes/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>

const char *mg_pass_plugin_load(const char *file, MgPassList *list, MgArena *arena) {
    // Without a slash, dlopen would search the system's library folders.
    const char *path = strchr(file, '/') ? file : mg_arena_printf(arena, "./%s", file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return mg_arena_printf(arena, "%s", dlerror());
    const MgPassPlugin *plugin = dlsym(object, "mg_pass_plugin");
    if (!plugin)
        return mg_arena_printf(arena,
                               "%s exports no mg_pass_plugin; end its source with "
                               "MG_PASS_PLUGIN(rows)",
                               file);
    if (plugin->abi != MG_PASS_PLUGIN_ABI)
        return mg_arena_printf(arena, "%s was compiled for another build of mgc; compile it again",
                               file);
    MgPassRow *rows = realloc((void *)list->rows, (list->n + plugin->n_rows) * sizeof *rows);
    if (!rows)
        return "out of memory";
    memcpy(rows + list->n, plugin->rows, plugin->n_rows * sizeof *rows);
    *list = (MgPassList){rows, list->n + plugin->n_rows};
    return NULL;
}
