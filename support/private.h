// What only the user can have written. The library reads back compiled code, and data that decides
// it, from folders, and executes or trusts it. So whoever can write there could run code as the
// user.
#ifndef MG_SUPPORT_PRIVATE_H
#define MG_SUPPORT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

// Returns NULL if the open file or folder `fd` is the user's alone: it belongs to the user, and
// neither its group nor others can write to it. Otherwise tells why it is not. The user is the
// effective user of the process; root trusts root's files alone.
const char *mg_private_why(int fd);
// Checks a folder in the same way, and every folder above it up to the root. A folder above may
// also be root's, and others may write to it if it is sticky, as /tmp is: they can't replace what
// is in it. If it returns false, `why` has the reason.
bool mg_private_folder(int fd, char *why, size_t room);

#endif
