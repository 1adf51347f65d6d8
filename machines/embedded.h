// The files of this folder, as cmake/embed_machines.cmake writes them. A name of NULL ends the
// table.
#ifndef MG_MACHINES_EMBEDDED_H
#define MG_MACHINES_EMBEDDED_H

#include <stddef.h>

typedef struct MgMachineFile {
    const char *name, *text;
    size_t length;
} MgMachineFile;
extern const MgMachineFile mg_machine_files[];
extern const char *const mg_machine_file_names[];

#endif
