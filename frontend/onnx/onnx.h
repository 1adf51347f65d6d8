// The second front end: it turns an ONNX model into a text in MG and a table of its weights, which
// are then lowered and run like any other. So `mgc run` runs what `mgc import` writes.
//
// It reads opsets 1 to 28 of the standard domain; the rows of ops_*.def list the operators.
#ifndef MG_FRONTEND_ONNX_H
#define MG_FRONTEND_ONNX_H

#include "formats/safetensors.h"
#include "include/mg.h"
#include "ir/graph.h"

typedef struct MgOnnxImport {
    const char *text; // a file of one graph, in canonical form
    size_t length;
    const char *const *makers; // for each line: "model.onnx: node 'c1' (Conv)", or NULL
    uint32_t n_makers;
    // The weights that the text names; their data lies in the model's bytes if possible.
    MgSafetensors weights;
    // Inputs whose given elements were used: the text is correct only for these elements.
    const MgFixedInput *fixed;
    uint32_t n_fixed;
} MgOnnxImport;

// Translates a model into a text, which names weights_file as the file of its weights. Diagnostics
// name the nodes that are wrong; returns false if there are any. The result lives in the session.
// `given` are the tensors that inputs will have, as far as they are known (n_given may be 0). They
// are used only if the model can't be translated without them.
bool mg_onnx_import(MgSession *session, const char *path, const char *weights_file,
                    const MgGiven *given, uint32_t n_given, MgOnnxImport *import);
// The same for a file that has been read.
bool mg_onnx_import_file(MgSession *session, const MgFileBytes *file, const char *weights_file,
                         const MgGiven *given, uint32_t n_given, MgOnnxImport *import);

// The table that `mgc import --list-ops` prints: every operator that ONNX defines, the opsets in
// which its definition changed, and whether it is supported.
void mg_onnx_list_ops(MgText *out);

#endif
