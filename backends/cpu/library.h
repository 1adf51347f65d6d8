// Libraries of the CPU backend. backends/library.h says what they consist of.
#ifndef MG_BACKENDS_CPU_LIBRARY_H
#define MG_BACKENDS_CPU_LIBRARY_H

#include "backends/cpu/unit.h"

// Makes one ELF object of all graphs, malloc'd. False with diagnostics.
bool mg_cpu_library(MgSession *session, const MgLibrary *library, const char *march,
                    unsigned char **bytes, size_t *length);

#endif
