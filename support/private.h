// Checks that only the user can have written a file. The library reads compiled code, and data that
// decides about it, from folders, and executes or trusts it. So whoever can write there could run
// code as the user.
#ifndef MG_SUPPORT_PRIVATE_H
#define MG_SUPPORT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

// Returns NULL if the open file or folder `fd` is the user's alone: it belongs to the user, and
// neither its group nor others can write to it. Otherwise returns why it is not. The user is the
// effective user of the process; root trusts only root's files.
const char *mg_private_why(int fd);
// Checks a folder in the same way, and every folder above it up to the root. A folder above may
// also belong to root, and others may write to it if it is sticky, like /tmp: they can't replace
// what is in it. If it returns false, `why` has the reason.
bool mg_private_folder(int fd, char *why, size_t room);

#endif
