// Any file that holds a network, as graph IR: a source in MG, or an ONNX model.
#ifndef MG_RUNTIME_OPEN_H
#define MG_RUNTIME_OPEN_H

#include "ir/graph.h"
#include "runtime/safetensors.h"

// path: FILE.onnx, or a source ("-": standard input). *packed: the weights, if the file has them
// inside, for mg_weights_find; else NULL. NULL after diagnostics.
MgModule *mg_module_open(MgSession *session, const char *path, const MgSafetensors **packed);

#endif
