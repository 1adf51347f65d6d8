// LLVM by dlopen: MG_LLVM_OWN is what cmake/llvm.cmake links of it, found beside libmg by the run
// path of the program or library that this is in; else MG_LLVM_NAME, the library that this build's
// headers belong to, or that in MG_LLVM_FOLDER, where it was then.
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

// Did dlopen fail for want of memory? It says so in words only, of which these are in all versions
// and languages of glibc that name errno's text.
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
