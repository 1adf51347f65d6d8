// Opens any file that holds a network, as graph IR: a source in MG, or an ONNX model.
#ifndef MG_RUNTIME_OPEN_H
#define MG_RUNTIME_OPEN_H

#include "include/mg.h"
#include "ir/graph.h"

// path: FILE.onnx, or a source ("-": standard input). NULL after diagnostics.
MgModule *mg_module_open(MgSession *session, const char *path);
// given: see MgCompileOptions.
MgModule *mg_module_open_given(MgSession *session, const char *path, const MgGiven *given,
                               uint32_t n_given);

#endif
