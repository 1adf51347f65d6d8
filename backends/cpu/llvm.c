// LLVM by dlopen: MG_LLVM_OWN is what cmake/llvm.cmake links of it, found beside libmg by the run
// path of the program or library that this is in; else MG_LLVM_NAME, the library that this build's
// headers belong to, or that in MG_LLVM_FOLDER, where it was then.
#include "backends/cpu/llvm.h"

#include "support/library.h"

#include <dlfcn.h>
#include <llvm-c/Support.h>
#include <pthread.h>
#include <string.h>

MgLlvm mg_llvm;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static const MgFunctionName functions[] = {
#define LLVM_FUNCTION(name) {#name, offsetof(MgLlvm, name##_)},
#include "backends/cpu/llvm.def"
#undef LLVM_FUNCTION
};

// Options of LLVM, which are global to a library: so they are set in MG's own only. Kernels are
// written so that reducing the strength of addresses finds nothing (emit_address.c), and it takes a
// fifth of the time of code generation.
static void set_options(void *library) {
    static const char *const words[] = {"mg", "-disable-lsr"};
    __typeof__(LLVMParseCommandLineOptions) *parse;
    void *address = dlsym(library, "LLVMParseCommandLineOptions");
    memcpy(&parse, &address, sizeof parse);
    if (parse)
        parse(sizeof words / sizeof *words, words, "");
}

static void load(void) {
    static const char *const names[] = {MG_LLVM_OWN, MG_LLVM_NAME, MG_LLVM_FOLDER "/" MG_LLVM_NAME};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        if ((library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL)) && i == 0)
            set_options(library);
    if (!library)
        failure = MG_LLVM_NAME " cannot be loaded; is LLVM installed?";
    else if (!mg_library_functions(library, functions, sizeof functions / sizeof *functions,
                                   &mg_llvm))
        failure = MG_LLVM_NAME " is of another version than the one that mgc was built with";
}

const char *mg_llvm_load(void) {
    pthread_once(&once, load);
    return failure;
}
