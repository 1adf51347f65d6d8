// A language server for MG: LSP 3.17 over any pair of byte streams.
//
// The caller first feeds it all waiting input, then lets it work. So the server never begins a
// cancelled request, and of ten changes in a row it analyses only the last text.
#ifndef MG_EDITOR_SERVER_H
#define MG_EDITOR_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct MgServer MgServer;
// Writes bytes to the client. False: it is gone.
typedef bool MgServerWrite(void *context, const char *bytes, size_t length);

MgServer *mg_server_new(MgServerWrite *write, void *context); // NULL: out of memory
void mg_server_free(MgServer *server);
// Takes bytes from the client. False: out of memory.
bool mg_server_feed(MgServer *server, const char *bytes, size_t length);
// Answers all waiting messages, then sends the diagnostics that have changed.
void mg_server_work(MgServer *server);
// -1 while the server runs. After `exit`, or once the client is gone, 0 if `shutdown` came first,
// else 1.
int mg_server_status(const MgServer *server);

#endif
