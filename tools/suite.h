// Conformance suites, as the ONNX project lays them out: a case is a folder with a model and
// folders test_data_set_*, which hold input_K.pb and output_K.pb. What `mgc test` is made of.
#ifndef MG_TOOLS_SUITE_H
#define MG_TOOLS_SUITE_H

#include "support/mem.h"
#include "support/text.h"
#include "tools/options.h"

typedef struct MgcCase {
    const char *folder;
    const char *model;         // its model.onnx, or else its one .mg file; NULL: there is none
    MG_VEC(const char *) sets; // folders test_data_set_*, sorted
} MgcCase;
typedef MG_VEC(MgcCase) MgcCases;

// The cases in and under a folder, appended. A folder with test data and no model is a case too:
// one that fails. Gives the exit status, after a message where the folder can't be read.
int mgc_find_cases(MgArena *arena, const char *folder, MgcCases *cases);

typedef enum MgcVerdict { MGC_PASS, MGC_FAIL, MGC_UNSUPPORTED } MgcVerdict;

// Runs a case in this process, all of its data sets. *why: what a person reads when it did not
// pass.
MgcVerdict mgc_run_case(const MgcCase *c, const MgcOptions *options, MgText *why);

struct MgTensor;
// How an output is judged: shape and element type equal; integers, bools, and where NaN and
// infinities are, equal; a float within 1e-7 + 1e-3·|want| of what is wanted (the ONNX project's
// rule; of f16 and bf16 two units in the last place), or within tolerance times the largest wanted
// magnitude. Says in *why what is wrong. random: the model draws random numbers,
// which no two implementations draw alike: values that differ are then no failure, but not
// supported.
MgcVerdict mgc_judge(const char *name, const struct MgTensor *got, const struct MgTensor *want,
                     double tolerance, bool random, MgText *why);

#endif
