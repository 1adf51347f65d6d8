// Conformance suites, as the ONNX project lays them out: a case is a folder with a model and
// folders test_data_set_*, which hold input_K.pb and output_K.pb. `mgc test` runs them.
#ifndef MG_TOOLS_SUITE_H
#define MG_TOOLS_SUITE_H

#include "support/mem.h"
#include "support/text.h"
#include "tools/options.h"

typedef struct MgcCase {
    const char *folder;
    const char
        *model; // its model.onnx or model.mlir, or else its only .mg file; NULL if it has neither
    MG_VEC(const char *) sets; // folders test_data_set_*, sorted
} MgcCase;
typedef MG_VEC(MgcCase) MgcCases;

// Appends the cases in and below a folder. A folder with test data but no model is a case that
// fails. Returns the exit status; there is a message if the folder can't be read.
int mgc_find_cases(MgArena *arena, const char *folder, MgcCases *cases);

typedef enum MgcVerdict { MGC_PASS, MGC_FAIL, MGC_UNSUPPORTED } MgcVerdict;

// Runs all data sets of a case in this process. *why says why the case failed.
MgcVerdict mgc_run_case(const MgcCase *c, const MgcOptions *options, MgText *why);

struct MgTensor;
// Judges an output. Shape, element type, integers, bools, NaNs and infinities must be equal. A
// float must be within 1e-7 + 1e-3·|want| of the expected one (the ONNX project's rule; for f16 and
// bf16 two units in the last place), or within tolerance times the largest expected magnitude. *why
// says what is wrong. If the model draws random numbers (`random`), no two implementations agree,
// so values that differ count as unsupported, not as a failure.
MgcVerdict mgc_judge(const char *name, const struct MgTensor *got, const struct MgTensor *want,
                     double tolerance, bool random, MgText *why);

#endif
