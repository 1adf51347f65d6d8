// Passes from outside the tree: a shared object that exports one table of rows.
//
// A plugin is compiled against the headers of the mgc that loads it, and calls its functions, so it
// fits exactly one build. Its table carries a number derived from the version and the sizes of the
// structures; mgc refuses a plugin with another number.
#ifndef MG_PASSES_PLUGIN_H
#define MG_PASSES_PLUGIN_H

#include "include/mg.h"
#include "passes/pass.h"

#define MG_PASS_PLUGIN_ABI                                                                         \
    ((uint64_t)MG_VERSION_MAJOR << 56 | (uint64_t)MG_VERSION_MINOR << 48 |                         \
     (uint64_t)sizeof(MgPassContext) << 36 | (uint64_t)sizeof(MgGraph) << 24 |                     \
     (uint64_t)sizeof(MgOp) << 12 | (uint64_t)(sizeof(MgPiece) + sizeof(MgSx)))

typedef struct MgPassPlugin {
    uint64_t abi;
    const MgPassRow *rows;
    uint32_t n_rows;
} MgPassPlugin;

// Goes at the end of the plugin's source, with its rows, as in passes.def.
#define MG_PASS_PLUGIN(...)                                                                        \
    static const MgPassRow mg_plugin_rows[] = {__VA_ARGS__};                                       \
    MG_API extern const MgPassPlugin mg_pass_plugin;                                               \
    const MgPassPlugin mg_pass_plugin = {MG_PASS_PLUGIN_ABI, mg_plugin_rows,                       \
                                         sizeof mg_plugin_rows / sizeof *mg_plugin_rows};

// Loads FILE.so, which stays loaded until the process ends, and adds its rows to the list. The
// list's array is reallocated; the caller frees it. Returns NULL, or an error message in the arena.
const char *mg_pass_plugin_load(const char *file, MgPassList *list, MgArena *arena);

#endif
