// mgc weights writes random weights for an untrained graph, as a safetensors file.
#include "tools/mgc.h"

#include "runtime/context.h"
#include "support/files.h"
#include "tools/spec.h"

#include <unistd.h>

// Finds the file that the graph names, beside its source. It may hold trained weights, so it is
// never replaced unless -o names it. Returns the exit status.
static int find_output(MgSession *session, const MgcOptions *options, MgGraph *g,
                       const char **path) {
    if ((*path = options->output))
        return 0;
    if (!g->weights || mg_path_has_extension(options->file, ".onnx"))
        return mgc_fail(2, "%s names no weights file: give -o FILE.safetensors",
                        mg_name(session->names, g->name));
    *path = mg_path_beside(session->arena, options->file, mg_name(session->names, g->weights));
    return access(*path, F_OK)
               ? 0
               : mgc_fail(1, "'%s' is there already; -o %s replaces it", *path, *path);
}

static int write_weights(MgSession *session, const MgcOptions *options) {
    MgModule *module = mgc_module_open(session, options);
    MgGraph *g = module ? mg_choose_graph(module, options->graph) : NULL;
    if (!g)
        return 1;
    int64_t *dims;
    MgWeights weights;
    int status = mgc_set_dims(session->arena, g, &options->sets, &dims);
    const char *output;
    status = status ? status : find_output(session, options, g, &output);
    if (status)
        return status;
    module->random_weights = true;
    if (!mg_weights_find(mg_compile_copy(g, dims), &weights))
        return 1;
    if (!weights.all.len)
        return mgc_fail(1, "%s has no parameters", mg_name(session->names, g->name));
    MgSafetensor *tensors = MG_NEW_N(session->arena, MgSafetensor, weights.all.len);
    for (uint32_t i = 0; i < weights.all.len; i++) {
        const MgWeight *w = &weights.all.at[i];
        tensors[i] = (MgSafetensor){.key = w->key,
                                    .dtype = w->dtype,
                                    .rank = w->rank,
                                    .dims = w->dims,
                                    .data = w->data,
                                    .bytes = w->bytes};
    }
    return !mg_safetensors_write(session, output, tensors, weights.all.len);
}

int mgc_weights(const MgcOptions *options) {
    if (options->output && !mg_path_has_extension(options->output, ".safetensors"))
        return mgc_fail(2, "'%s': weights are written to FILE.safetensors", options->output);
    if (!options->output && !strcmp(options->file, "-"))
        return mgc_fail(2, "standard input has no folder to write to: give -o FILE.safetensors");
    return mgc_in_session(options, write_weights);
}
