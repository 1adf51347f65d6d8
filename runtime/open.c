// Only here does a file's extension decide what the file is. The meaning of an ONNX model or a
// StableHLO program is the text that `mgc import` writes for it, so that text is lowered here.
#include "runtime/open.h"

#include "frontend/onnx/onnx.h"
#include "frontend/sema.h"
#include "frontend/stablehlo/stablehlo.h"

static MgModule *open_stablehlo(MgSession *session, const char *path) {
    MgStablehloImport *import = MG_NEW(session->arena, MgStablehloImport);
    if (!mg_stablehlo_import(session, path, "model.safetensors", import))
        return NULL;
    uint32_t source = mg_add_source(session, path, import->text, import->length);
    mg_source_made_by(session, source, import->makers, import->n_makers);
    MgModule *module = mg_load_source(session, source);
    if (module)
        module->packed = &import->weights;
    return module;
}

MgModule *mg_module_open(MgSession *session, const char *path) {
    return mg_module_open_given(session, path, NULL, 0);
}

MgModule *mg_module_open_given(MgSession *session, const char *path, const MgGiven *given,
                               uint32_t n_given) {
    if (mg_path_has_extension(path, ".mlir"))
        return open_stablehlo(session, path);
    if (!mg_path_has_extension(path, ".onnx"))
        return mg_load_module(session, path);
    MgOnnxImport *import = MG_NEW(session->arena, MgOnnxImport);
    if (!mg_onnx_import(session, path, "model.safetensors", given, n_given, import))
        return NULL;
    uint32_t source = mg_add_source(session, path, import->text, import->length);
    mg_source_made_by(session, source, import->makers, import->n_makers);
    MgModule *module = mg_load_source(session, source);
    for (uint32_t i = 0; module && i < import->n_fixed; i++)
        mg_push(module->arena, &module->fixed, import->fixed[i]);
    if (module)
        module->packed = &import->weights;
    return module;
}
