// What only the user can have written. Compiled code and what decides it are read back from folders
// and executed or believed, so whoever can write there could run code as the user.
#ifndef MG_RUNTIME_PRIVATE_H
#define MG_RUNTIME_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

// Why the open file or folder `fd` is not the user's alone, or NULL if it is: it belongs to the
// user and neither its group nor others can write to it. The user is the process's effective one;
// root trusts root's files alone.
const char *mg_private_why(int fd);
// The same for a folder and for every folder above it, up to the root. A folder above may be root's
// too, and others may write to it if it is sticky, as /tmp is: they can't replace what is in it.
// The reason is written to why; false if there is one.
bool mg_private_folder(int fd, char *why, size_t room);

#endif
