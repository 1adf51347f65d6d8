// Functions of a library that is loaded at run time, as a table of pointers.
#ifndef MG_SUPPORT_LIBRARY_H
#define MG_SUPPORT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function's name in the library, and the place of its address in the table.
typedef struct MgFunctionName {
    const char *name;
    size_t offset; // bytes from the table's beginning
} MgFunctionName;

// Fills in the table from a library that dlopen() gave; false if it lacks one of the functions,
// whose address is NULL then.
bool mg_library_functions(void *library, const MgFunctionName *names, size_t n, void *table);

#endif
