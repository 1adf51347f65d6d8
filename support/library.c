#include "support/library.h"

#include <dlfcn.h>
#include <string.h>

bool mg_library_functions(void *library, const MgFunctionName *names, size_t n, void *table) {
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        void *address = dlsym(library, names[i].name);
        all &= address != NULL;
        memcpy((char *)table + names[i].offset, &address, sizeof address);
    }
    return all;
}
