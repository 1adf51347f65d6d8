// The third front end: it turns a StableHLO program, as jax.export and jax.jit(…).lower().as_text()
// print it, into a text in MG, which is then lowered and run like any other.
//
// It reads MLIR's text with operations of the dialects func, stablehlo and chlo, in their own form
// or in the generic one. Open sizes (`?`), as jax.export prints them for symbolic shapes, become
// dimensions of the graph. ops.def lists the operations.
#ifndef MG_FRONTEND_STABLEHLO_H
#define MG_FRONTEND_STABLEHLO_H

#include "formats/safetensors.h"
#include "support/diag.h"

typedef struct MgStablehloImport {
    const char *text; // a file of one graph, in canonical form
    size_t length;
    const char *const *makers; // for each line: "model.mlir:12: stablehlo.dot_general", or NULL
    uint32_t n_makers;
    MgSafetensors weights; // large constants, which the text names
} MgStablehloImport;

// Translates the function @main, or the only public function. Diagnostics name the lines that are
// wrong; returns false if there are any. The result lives in the session.
bool mg_stablehlo_import(MgSession *session, const char *path, const char *weights_file,
                         MgStablehloImport *import);
// The same for a text that has been read.
bool mg_stablehlo_import_text(MgSession *session, const char *path, const char *text, size_t length,
                              const char *weights_file, MgStablehloImport *import);

#endif
