// mgc import: translates an ONNX model to MG, with its weights beside it as safetensors; or lists
// the operators of ONNX.
#include "tools/mgc.h"

#include "frontend/onnx/onnx.h"

// Writes both files or, as far as possible, neither. The weights come first, since nothing refers
// to them until the source exists.
static int import_model(MgSession *session, const MgcOptions *options) {
    MgArena *arena = session->arena;
    const char *out = options->output;
    const char *weights =
        out ? mg_path_with_extension(arena, out, ".safetensors") : "net.safetensors";
    const char *slash = strrchr(weights, '/');
    MgOnnxImport import;
    if (!mg_onnx_import(session, options->file, slash ? slash + 1 : weights, NULL, 0, &import))
        return 1;
    if (!out)
        return mgc_put(session, options, import.text, import.length);
    if (import.weights.tensors.len &&
        !mg_safetensors_write(session, weights, import.weights.tensors.at,
                              import.weights.tensors.len))
        return 1;
    return !mg_file_write(session, out, &(MgBytes){import.text, import.length}, 1);
}

static int list_ops(MgSession *session, const MgcOptions *options) {
    MgText out = mg_text(session->arena);
    mg_onnx_list_ops(&out);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_import(const MgcOptions *options) {
    if (options->list_ops)
        return mgc_in_session(options, list_ops);
    if (!mg_path_has_extension(options->file, ".onnx"))
        return mgc_fail(2, "'%s': import reads FILE.onnx", options->file);
    if (options->output && !mg_path_has_extension(options->output, ".mg"))
        return mgc_fail(2, "'%s': import writes FILE.mg", options->output);
    MgcProgress *progress = mgc_progress_begin("importing", options->file);
    int status = mgc_in_session(options, import_model);
    mgc_progress_end(progress);
    return status;
}
