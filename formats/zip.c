// libzip by dlopen: MG_ZIP_NAME is the name of the library that this build's header belongs to.
#include "formats/zip.h"

#include "support/library.h"

#include <dlfcn.h>
#include <pthread.h>

MgZip mg_zip;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static const MgFunctionName functions[] = {
#define X(name) {"zip_" #name, offsetof(MgZip, name)},
    MG_ZIP_FUNCTIONS(X)
#undef X
};

static void load(void) {
    void *library = dlopen(MG_ZIP_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        failure = MG_ZIP_NAME " cannot be loaded; is libzip installed?";
    else if (!mg_library_functions(library, functions, sizeof functions / sizeof *functions,
                                   &mg_zip))
        failure = MG_ZIP_NAME " is of another version than the one that mgc was built with";
}

const char *mg_zip_load(void) {
    pthread_once(&once, load);
    return failure;
}
