// mgc import: translates an ONNX model or a StableHLO program to MG, with its weights beside it as
// safetensors; or lists the operators of ONNX.
#include "tools/mgc.h"

#include "frontend/onnx/onnx.h"
#include "frontend/stablehlo/stablehlo.h"

typedef struct Made {
    const char *text;
    size_t length;
    MgSafetensors weights;
} Made;

static bool translate(MgSession *session, const char *path, const char *weights, Made *made) {
    if (mg_path_has_extension(path, ".mlir")) {
        MgStablehloImport import;
        bool ok = mg_stablehlo_import(session, path, weights, &import);
        if (ok)
            *made = (Made){import.text, import.length, import.weights};
        return ok;
    }
    MgOnnxImport import;
    bool ok = mg_onnx_import(session, path, weights, NULL, 0, &import);
    if (ok)
        *made = (Made){import.text, import.length, import.weights};
    return ok;
}

// Writes both files or, as far as possible, neither. The weights come first, since nothing refers
// to them until the source exists.
static int import_model(MgSession *session, const MgcOptions *options) {
    MgArena *arena = session->arena;
    const char *out = options->output;
    const char *weights =
        out ? mg_path_with_extension(arena, out, ".safetensors") : "net.safetensors";
    const char *slash = strrchr(weights, '/');
    Made made;
    if (!translate(session, options->file, slash ? slash + 1 : weights, &made))
        return 1;
    if (!out)
        return mgc_put(session, options, made.text, made.length);
    if (made.weights.tensors.len &&
        !mg_safetensors_write(session, weights, made.weights.tensors.at, made.weights.tensors.len))
        return 1;
    return !mg_file_write(session, out, &(MgBytes){made.text, made.length}, 1);
}

static int list_ops(MgSession *session, const MgcOptions *options) {
    MgText out = mg_text(session->arena);
    mg_onnx_list_ops(&out);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_import(const MgcOptions *options) {
    if (options->list_ops)
        return mgc_in_session(options, list_ops);
    if (!mg_path_has_extension(options->file, ".onnx") &&
        !mg_path_has_extension(options->file, ".mlir"))
        return mgc_fail(2, "'%s': import reads FILE.onnx or FILE.mlir", options->file);
    if (options->output && !mg_path_has_extension(options->output, ".mg"))
        return mgc_fail(2, "'%s': import writes FILE.mg", options->output);
    MgcProgress *progress = mgc_progress_begin("importing", options->file);
    int status = mgc_in_session(options, import_model);
    mgc_progress_end(progress);
    return status;
}
