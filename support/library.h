// Functions of a library that is loaded at run time, as a table of pointers.
#ifndef MG_SUPPORT_LIBRARY_H
#define MG_SUPPORT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function's name in the library, and where the table has its address.
typedef struct MgFunctionName {
    const char *name;
    size_t offset; // bytes from the table's beginning
} MgFunctionName;

// Fills in the table from a library that dlopen() gave. False if it lacks a function, whose address
// is then NULL.
bool mg_library_functions(void *library, const MgFunctionName *names, size_t n, void *table);

#endif
