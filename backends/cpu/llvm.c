// Loads LLVM by dlopen. First choice is MG_LLVM_OWN, the part of LLVM that cmake/llvm.cmake links,
// found beside libmg by the run path. Otherwise it is MG_LLVM_NAME, the library that belongs to
// this build's headers, from the loader's path or from MG_LLVM_FOLDER, where it was at build time.
#include "backends/cpu/llvm.h"

#include "support/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <llvm-c/Support.h>
#include <pthread.h>
#include <string.h>

MgLlvm mg_llvm;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

static const MgFunctionName functions[] = {
#define LLVM_FUNCTION(name) {#name, offsetof(MgLlvm, name##_)},
#include "backends/cpu/llvm.def"
#undef LLVM_FUNCTION
};

// Sets LLVM's options. They are global to the library, so only MG's own copy gets them. Loop
// strength reduction takes a fifth of code generation and finds nothing in our kernels
// (emit_address.c).
static void set_options(void *library) {
    static const char *const words[] = {"mg", "-disable-lsr"};
    __typeof__(LLVMParseCommandLineOptions) *parse;
    void *address = dlsym(library, "LLVMParseCommandLineOptions");
    memcpy(&parse, &address, sizeof parse);
    if (parse)
        parse(sizeof words / sizeof *words, words, "");
}

// Did dlopen fail because memory ran out? Only its message says so; these texts cover every version
// of glibc, in any language that has errno's text.
static bool no_memory(void) {
    const char *why = dlerror();
    return why && (strstr(why, strerror(ENOMEM)) || strstr(why, "failed to map segment"));
}

static const char *load(bool *memory) {
    static const char *const names[] = {MG_LLVM_OWN, MG_LLVM_NAME, MG_LLVM_FOLDER "/" MG_LLVM_NAME};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        if ((library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL)) && i == 0)
            set_options(library);
        else if (!library)
            *memory |= no_memory();
    if (!library)
        return MG_LLVM_NAME " cannot be loaded; is LLVM installed?";
    *memory = false;
    loaded =
        mg_library_functions(library, functions, sizeof functions / sizeof *functions, &mg_llvm);
    return loaded ? NULL
                  : MG_LLVM_NAME " is of another version than the one that mgc was built with";
}

const char *mg_llvm_load(bool *memory) {
    *memory = false;
    pthread_mutex_lock(&lock);
    const char *why = loaded ? NULL : load(memory);
    pthread_mutex_unlock(&lock);
    return why;
}
