// Runs a program in the reference interpreter with its bounds, and on a backend at every level and
// number of threads. Each output element must be within 8 bounds.
#ifndef MG_TESTS_EXEC_COMPARE_H
#define MG_TESTS_EXEC_COMPARE_H

#include "include/mg.h"
#include "ir/interp.h"

typedef struct MgExecOptions {
    const char *levels;  // digits: "0123"; "": the interpreter alone
    const char *threads; // digits: "12"
    const char *modes;   // letters, at the last level: i(mmediate), c(ached), g(raph), l(oop), and
                         // loop in the forms o(wned) and p(ersistent); NULL: none
    const char *target;  // NULL: the CPU; "gpu": an OpenCL device, which ignores the threads
    const char *march;   // CPU to compile for; NULL: this one
    const char *machine; // file of figures; NULL: those of the CPU or device
    MgWinograd winograd; // the form at -O3
    const char *tuned;   // a file of parameters for schedules, or NULL
    bool tf32;           // factors may be rounded to tf32
    bool strict;         // no reordered sums, no contraction to fma
    bool open;           // runs the code that takes any sizes
    bool verbose;
} MgExecOptions;

typedef struct MgExecResult {
    bool ok;
    size_t elements, exempt;
    double worst;     // the largest |got - expected| / bound of all runs
    uint32_t runs;    // runs of backends
    const char *what; // the first failure, in the session's arena
} MgExecResult;

// Takes a flag of the command line: --levels=, --threads=, --modes=, --target=, --march=,
// --machine=, --precision=tf32, --open, --strict, --verbose. False if it is none of these.
bool mg_exec_option(MgExecOptions *options, const char *word);

// name is the text's path, for messages and to find its weights. inputs are in port order. graph is
// NULL if the file has only one.
MgExecResult mg_exec_compare(MgSession *session, const char *name, const char *text, size_t length,
                             const char *graph, const MgInterpTensor *inputs, uint32_t n_inputs,
                             const MgExecOptions *options);

// Is there a device for options->target? If not, prints why. Tests without one exit with 77:
// skipped.
bool mg_exec_has_target(const MgExecOptions *options);

#endif
