// libzip by dlopen: MG_ZIP_NAME is the name of the library that this build's header belongs to.
#include "runtime/zip.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

MgZip mg_zip;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define X(name) {"zip_" #name, offsetof(MgZip, name)},
    MG_ZIP_FUNCTIONS(X)
#undef X
};

static void load(void) {
    void *library = dlopen(MG_ZIP_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = MG_ZIP_NAME " cannot be loaded; is libzip installed?";
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address)
            failure = MG_ZIP_NAME " is of another version than the one that mgc was built with";
        memcpy((char *)&mg_zip + functions[i].offset, &address, sizeof address);
    }
}

const char *mg_zip_load(void) {
    pthread_once(&once, load);
    return failure;
}
