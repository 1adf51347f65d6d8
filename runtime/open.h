// Any file that holds a network, as graph IR: a source in MG, or an ONNX model.
#ifndef MG_RUNTIME_OPEN_H
#define MG_RUNTIME_OPEN_H

#include "ir/graph.h"

// path: FILE.onnx, or a source ("-": standard input). NULL after diagnostics.
MgModule *mg_module_open(MgSession *session, const char *path);

#endif
