// libLLVM by dlopen. MG_LLVM_NAME is the library that this build's headers belong to,
// MG_LLVM_FOLDER where it was then.
#include "backends/cpu/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

MgLlvm mg_llvm;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define LLVM_FUNCTION(name) {#name, offsetof(MgLlvm, name##_)},
#include "backends/cpu/llvm.def"
#undef LLVM_FUNCTION
};

static void load(void) {
    void *library = dlopen(MG_LLVM_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen(MG_LLVM_FOLDER "/" MG_LLVM_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = MG_LLVM_NAME " cannot be loaded; is LLVM installed?";
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address)
            failure = MG_LLVM_NAME " is of another version than the one that mgc was built with";
        memcpy((char *)&mg_llvm + functions[i].offset, &address, sizeof address);
    }
}

const char *mg_llvm_load(void) {
    pthread_once(&once, load);
    return failure;
}
